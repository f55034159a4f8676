//! How far two solvers may be apart on the same tape, each with its own roundings, both following the same pseudocode.
//!
//! All bounds are norms. u = 2⁻⁵³; products of roundings are covered by the factor `SECOND_ORDER`.
//!
//! **Rounding.** Of a gradient, for records with a loss of the margin, |ℓ′|‖x‖ ≤ L₀ and |ℓ″|‖x‖² ≤ L₁:
//! - the margin is within d·u‖x‖‖w‖ in any order of summation, which moves a record's gradient by d·u·L₁‖w‖;
//! - evaluating ℓ′ costs at most 16 roundings of sup|ℓ′| (exponential and hyperbolic functions within 4 units in the last
//!   place) and for phase retrieval, where ten roundings of 1 meet sup|ℓ′| ≥ 0.28, 40;
//! - the product, n − 1 additions in any order and the division are n + 1 roundings of terms whose norms are at most L₀.
//!
//! In all G = u·((n + 64)·L₀ + (d + 2)·L₁‖w‖). The shapes of [`crate::problem::risk::Shape`] stay below it: their slope is
//! one factor of at most 20 roundings times w, and the records' mean is n.
//!
//! Of a release: both solvers add the same noise, and one rounding of the result. A step of KL Spider moves by the same length along estimates e, e′: directions differ by at most
//! 2‖e − e′‖/(‖e‖ + ‖e′‖); norm, division, product and difference cost (d + 6) roundings of the length and one of ‖w‖.

use super::rules::{AdaptiveRule, Regularised, RegularisedRule};
use super::{Observation, Round, Schedule, Variant};
use crate::problem::rows::norm;

const U: f64 = 0.5 * f64::EPSILON;
/// Covers products of roundings while their number stays below 10⁹.
const SECOND_ORDER: f64 = 1.0 + 1e-6;

/// A release that was kept.
#[derive(Clone, Debug, PartialEq)]
pub enum Kept {
    /// A noisy gradient.
    Gradient(Vec<f64>),
    /// A noisy difference.
    Difference(Vec<f64>),
    /// A noisy norm.
    Norm(f64),
    /// The index of an iterate.
    Selected(usize),
}

impl From<Observation<'_>> for Kept {
    fn from(release: Observation<'_>) -> Self {
        match release {
            Observation::Gradient(v) => Self::Gradient(v.to_vec()),
            Observation::Difference(v) => Self::Difference(v.to_vec()),
            Observation::Norm(x) => Self::Norm(x),
            Observation::Selected(t) => Self::Selected(t),
        }
    }
}

/// What the bounds need to know of a risk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RiskConstants {
    /// n.
    pub records: usize,
    /// d.
    pub dimension: usize,
    /// L₀ of every record.
    pub lipschitz: f64,
    /// L₁ of every record, and of the regulariser's part none.
    pub smoothness: f64,
}

impl RiskConstants {
    /// G, where ‖w‖ is at most `reach`.
    #[must_use]
    pub fn gradient_rounding(&self, reach: f64) -> f64 {
        let (n, d) = (self.records as f64, self.dimension as f64);
        let sum = (n + 64.0) * self.lipschitz + (d + 2.0) * self.smoothness * reach;
        U * sum * SECOND_ORDER
    }
}

/// Two transcripts of one algorithm, compared.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Agreement {
    /// Releases compared.
    pub releases: usize,
    /// Largest distance of two releases in units of its bound.
    pub closest: f64,
    /// Bound on the distance of the returned points; infinite after a tie.
    pub point: f64,
    /// Whether a decision fell differently within the bound, after which nothing was compared.
    pub tie: bool,
}

/// Why two transcripts are not of one algorithm on one tape.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Disagreement {
    /// Two releases too far apart.
    #[error("release {at}: {distance} apart, at most {allowed}")]
    Apart {
        /// The release.
        at: usize,
        /// Their distance.
        distance: f64,
        /// The bound.
        allowed: f64,
    },
    /// Not the kind of release that the transcript so far asks for.
    #[error("release {at} is not {expected}")]
    Kind {
        /// The release.
        at: usize,
        /// What it should be.
        expected: &'static str,
    },
}

/// Two transcripts on the way through, and how far apart the states behind them may be.
struct Pair<'a> {
    constants: RiskConstants,
    sides: [&'a [Kept]; 2],
    at: usize,
    /// Of the points.
    point: f64,
    /// Of the estimates.
    estimate: f64,
    /// Largest ‖w‖ so far, of either.
    reach: f64,
    found: Agreement,
}

impl<'a> Pair<'a> {
    fn new(constants: RiskConstants, sides: [&'a [Kept]; 2], start: &[f64]) -> Self {
        Self {
            constants,
            sides,
            at: 0,
            point: 0.0,
            estimate: 0.0,
            reach: norm(start),
            found: Agreement::default(),
        }
    }

    /// G.
    fn gradient_rounding(&self) -> f64 {
        self.constants.gradient_rounding(self.reach)
    }

    /// The next two releases, if they are gradients (or differences).
    fn vectors(&self, differences: bool) -> Option<[&'a [f64]; 2]> {
        let one = |side: &'a [Kept]| match (side.get(self.at)?, differences) {
            (Kept::Gradient(v), false) | (Kept::Difference(v), true) => Some(&v[..]),
            _ => None,
        };
        Some([one(self.sides[0])?, one(self.sides[1])?])
    }

    fn expect(&self, differences: bool) -> Result<[&'a [f64]; 2], Disagreement> {
        let expected = if differences {
            "a difference"
        } else {
            "a gradient"
        };
        self.vectors(differences).ok_or(Disagreement::Kind {
            at: self.at,
            expected,
        })
    }

    fn ended(&self) -> bool {
        self.sides.iter().all(|side| self.at >= side.len())
    }

    /// Holds two releases to a bound and goes on.
    fn hold(&mut self, distance: f64, allowed: f64) -> Result<(), Disagreement> {
        let at = self.at;
        if distance.is_nan() || distance > allowed {
            return Err(Disagreement::Apart {
                at,
                distance,
                allowed,
            });
        }
        if distance > 0.0 {
            self.found.closest = self.found.closest.max(distance / allowed);
        }
        self.at += 1;
        Ok(())
    }

    fn finish(mut self, tie: bool) -> Agreement {
        self.found.releases = self.at;
        self.found.tie = tie;
        self.found.point = if tie { f64::INFINITY } else { self.point };
        self.found
    }
}

fn distance([a, b]: [&[f64]; 2]) -> f64 {
    norm(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>())
}

fn larger([a, b]: [&[f64]; 2]) -> f64 {
    norm(a).max(norm(b))
}

/// Compares two transcripts of KL Spider from one start. Either transcript is held to its own decisions: a difference
/// follows exactly where the noisy norms ask for one.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::risk::hundred_points;
/// use dp_assay::solver::kl::bound::{self, RiskConstants, Kept};
/// use dp_assay::solver::kl::{Spider, Budget, Variant, optimized, reference};
/// use dp_assay::units::{Neighbouring, Rho};
///
/// let risk = hundred_points();
/// # let (rho, neighbours) = (Rho::new(100.0)?, Neighbouring::ReplaceOne);
/// # let budget = Budget { rho, neighbours, variant: Variant::Repaired };
/// # let inputs = Spider {
/// #     beta: 0.1, gamma: 0.5f64.sqrt(), kappa: 2.0, lipschitz: 5.0, smoothness: 1.0, loss_bound: 2.0,
/// # };
/// let (mut slow, mut fast, start) = (Vec::new(), Vec::new(), [1.5, 0.0]);
/// reference::spider(&risk, &start, &inputs, &budget, Tape::new(1), &mut |r| slow.push(Kept::from(r)))?;
/// optimized::spider(&risk, &start, &inputs, &budget, Tape::new(1), &mut |r| fast.push(Kept::from(r)))?;
/// let constants = RiskConstants { records: 100, dimension: 2, lipschitz: 5.0, smoothness: 1.0 };
/// let schedule = inputs.schedule(Variant::Repaired, rho, 100, 2)?;
/// let found = bound::spider(constants, &schedule, Variant::Repaired, &start, [&slow, &fast])?;
/// assert!(found.closest <= 1.0); // in units of the bound
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Names the first release that is of the wrong kind or too far from the other.
pub fn spider(
    constants: RiskConstants,
    schedule: &Schedule,
    variant: Variant,
    start: &[f64],
    sides: [&[Kept]; 2],
) -> Result<Agreement, Disagreement> {
    let mut pair = Pair::new(constants, sides, start);
    for round in schedule.iter() {
        if pair.ended() {
            break;
        }
        let released = pair.expect(false)?;
        pair.estimate = constants.smoothness * pair.point
            + 2.0 * pair.gradient_rounding()
            + 2.0 * U * larger(released);
        let mut estimates = released.map(<[f64]>::to_vec);
        pair.hold(distance(released), pair.estimate)?;
        match steps(&mut pair, &round, &mut estimates)? {
            None => return Ok(pair.finish(true)),
            Some(before) if variant == Variant::Printed => pair.point = before,
            Some(_) => {}
        }
    }
    if pair.ended() {
        return Ok(pair.finish(false));
    }
    let (at, expected) = (pair.at, "the end");
    Err(Disagreement::Kind { at, expected })
}

/// The steps of a round: the drift of the point before the last one, or nothing after a tie.
fn steps(
    pair: &mut Pair<'_>,
    round: &Round,
    estimates: &mut [Vec<f64>; 2],
) -> Result<Option<f64>, Disagreement> {
    let d = pair.constants.dimension as f64;
    let mut before = pair.point;
    let mut t = 0_u64;
    loop {
        let lengths = [norm(&estimates[0]), norm(&estimates[1])];
        let goes = lengths.map(|l| t as f64 <= round.length && l >= round.threshold);
        if goes[0] != goes[1] {
            // The estimates are within their bound, and the threshold lies between their norms.
            return Ok(None);
        }
        // A refused release ends both.
        if !goes[0] || pair.ended() {
            return Ok(Some(before));
        }
        let direction = 2.0 * pair.estimate / (lengths[0] + lengths[1]);
        let moved = (d + 6.0) * round.step + pair.reach + round.step;
        before = pair.point;
        pair.point += (round.step * direction + 2.0 * U * moved) * SECOND_ORDER;
        pair.reach += round.step * (1.0 + (d + 8.0) * U);
        let released = pair.expect(true)?;
        let exact = pair.constants.smoothness * (before + pair.point)
            + 4.0 * pair.gradient_rounding()
            + 4.0 * U * pair.constants.lipschitz;
        let allowed = exact + 2.0 * U * larger(released);
        pair.hold(distance(released), allowed)?;
        for (estimate, change) in estimates.iter_mut().zip(released) {
            for (e, c) in estimate.iter_mut().zip(change) {
                *e += c;
            }
        }
        let size = norm(&estimates[0]).max(norm(&estimates[1]));
        pair.estimate += allowed + 2.0 * U * size;
        t += 1;
    }
}

/// Compares two transcripts of adaptive noisy gradient descent from one start, the drawn index aside.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::risk::hundred_points;
/// use dp_assay::solver::kl::bound::{self, RiskConstants, Kept};
/// use dp_assay::solver::kl::{Adaptive, Budget, Variant, optimized, reference};
/// use dp_assay::units::{Neighbouring, Rho};
///
/// let risk = hundred_points();
/// # let (rho, neighbours) = (Rho::new(1.0)?, Neighbouring::ReplaceOne);
/// # let budget = Budget { rho, neighbours, variant: Variant::Repaired };
/// # let inputs = Adaptive { beta: 0.1, lipschitz: 5.0, smoothness: 1.0 };
/// let (mut slow, mut fast, start) = (Vec::new(), Vec::new(), [1.5, 0.0]);
/// reference::adaptive(&risk, &start, &inputs, &budget, false, Tape::new(1), &mut |r| slow.push(Kept::from(r)))?;
/// optimized::adaptive(&risk, &start, &inputs, &budget, false, Tape::new(1), &mut |r| fast.push(Kept::from(r)))?;
/// let constants = RiskConstants { records: 100, dimension: 2, lipschitz: 5.0, smoothness: 1.0 };
/// let rule = inputs.rule(&budget, 100, 2)?;
/// let found = bound::adaptive(constants, &rule, &start, [&slow, &fast])?;
/// assert!(found.closest <= 1.0); // in units of the bound
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Names the first release that is of the wrong kind or too far from the other.
pub fn adaptive(
    constants: RiskConstants,
    rule: &AdaptiveRule,
    start: &[f64],
    sides: [&[Kept]; 2],
) -> Result<Agreement, Disagreement> {
    let mut pair = Pair::new(constants, sides, start);
    let mut charged = [0.0; 2];
    let mut last = 0.0;
    loop {
        let goes = charged.map(|c| rule.goes_on(c));
        if goes[0] != goes[1] {
            return Ok(pair.finish(true));
        }
        let norms = sides.map(|side| match side.get(pair.at) {
            Some(Kept::Norm(x)) => Some(*x),
            _ => None,
        });
        // The end, or a refused release, or t*.
        let over = sides.map(|side| matches!(side.get(pair.at), None | Some(Kept::Selected(_))));
        if over == [true, true] {
            pair.point = last;
            return Ok(pair.finish(false));
        }
        let at = pair.at;
        let ([Some(a), Some(b)], true) = (norms, goes[0]) else {
            let expected = if goes[0] { "a norm" } else { "the end" };
            return Err(Disagreement::Kind { at, expected });
        };
        let exact = constants.smoothness * pair.point + 2.0 * pair.gradient_rounding();
        let d = constants.dimension as f64;
        let norm_drift = exact + 2.0 * U * ((d + 2.0) * constants.lipschitz + a.abs().max(b.abs()));
        pair.hold((a - b).abs(), norm_drift)?;
        last = pair.point;
        charged[0] += rule.charge(a);
        charged[1] += rule.charge(b);
        let takes = charged.map(|c| rule.takes_gradient(c));
        if takes[0] != takes[1] {
            return Ok(pair.finish(true));
        }
        if !takes[0] {
            continue;
        }
        let Some(released) = pair.vectors(false) else {
            continue;
        };
        // The same variates on deviations that differ; these are at most (‖v‖ + L₀)/σ in norm.
        let deviations = [a, b].map(|n| rule.gradient_deviation(n));
        let least = deviations[0].min(deviations[1]);
        let scales = norm_drift / rule.spread() + 8.0 * U * deviations[0].max(deviations[1]);
        let variates = (larger(released) + constants.lipschitz) / least;
        let drift = (exact + scales * variates + 4.0 * U * larger(released)) * SECOND_ORDER;
        pair.hold(distance(released), drift)?;
        pair.point += rule.step * drift;
        pair.reach += rule.step * larger(released);
        pair.point += 2.0 * U * (pair.reach + 2.0 * rule.step * larger(released));
        if charged.iter().all(|c| rule.goes_on(*c)) {
            last = pair.point;
        }
    }
}

/// Compares two transcripts of `calls` calls of Algorithm 4, each about the point that the last one returned.
///
/// In y = w − centre a step is (1 − 2/t)y − ηv and a projection, neither of which moves two points further apart than
/// η‖v − v′‖; seven roundings of the terms and of ‖w‖ come on top. The average is a convex combination, taken once
/// with three roundings for each of T terms, and once in T + 2 roundings of their sum.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::risk::hundred_points;
/// use dp_assay::solver::kl::bound::{self, RiskConstants, Kept};
/// use dp_assay::solver::kl::{Regularised, Budget, Variant, optimized, reference};
/// use dp_assay::units::{Neighbouring, Rho};
///
/// let risk = hundred_points();
/// # let (rho, neighbours) = (Rho::new(1.0)?, Neighbouring::ReplaceOne);
/// # let budget = Budget { rho, neighbours, variant: Variant::Repaired };
/// # let inputs = Regularised { beta: 0.1, lipschitz: 5.0, weak_convexity: 1.0, length: Some(20) };
/// let (mut slow, mut fast, start) = (Vec::new(), Vec::new(), [1.5, 0.0]);
/// reference::regularised(&risk, &start, &inputs, &budget, Tape::new(1), &mut |r| slow.push(Kept::from(r)))?;
/// optimized::regularised(&risk, &start, &inputs, &budget, Tape::new(1), &mut |r| fast.push(Kept::from(r)))?;
/// let constants = RiskConstants { records: 100, dimension: 2, lipschitz: 5.0, smoothness: 1.0 };
/// let rule = inputs.rule(1.0, 100, 2)?;
/// let found = bound::regularised(constants, &inputs, (&rule, 1), &start, [&slow, &fast])?;
/// assert!(found.closest <= 1.0); // in units of the bound
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Names the first release that is of the wrong kind or too far from the other.
pub fn regularised(
    constants: RiskConstants,
    inputs: &Regularised,
    (rule, calls): (&RegularisedRule, u64),
    start: &[f64],
    sides: [&[Kept]; 2],
) -> Result<Agreement, Disagreement> {
    let mut pair = Pair::new(constants, sides, start);
    let farthest = norm(start) + calls as f64 * rule.radius;
    pair.reach = farthest * (1.0 + 1e-9);
    for _ in 0..calls {
        let centre = pair.point;
        let (mut offset, mut largest) = (0.0_f64, 0.0_f64);
        for t in 1..rule.length {
            if pair.ended() {
                break;
            }
            let released = pair.expect(false)?;
            let drift = constants.smoothness * (centre + offset)
                + 2.0 * pair.gradient_rounding()
                + 2.0 * U * larger(released);
            pair.hold(distance(released), drift)?;
            let eta = 1.0 / (inputs.weak_convexity * t as f64);
            let terms = eta * larger(released) + 4.0 * rule.radius + 2.0 * pair.reach;
            let d = constants.dimension as f64;
            offset += (eta * drift + 2.0 * U * (d + 14.0) * terms) * SECOND_ORDER;
            largest = largest.max(offset);
        }
        let average = 2.0 * U * (4.0 * rule.length as f64 + 8.0) * pair.reach;
        pair.point = centre + largest + average * SECOND_ORDER;
    }
    if pair.ended() {
        return Ok(pair.finish(false));
    }
    let (at, expected) = (pair.at, "the end");
    Err(Disagreement::Kind { at, expected })
}

#[cfg(test)]
mod tests;
