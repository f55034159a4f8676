//! Trade-off curves (Dong, Roth and Su 2022): what (ε, δ) at many δ says of tests of one neighbour against another.
//!
//! A test that wrongly accuses with probability α fails to accuse with probability at least f(α). If (ε, δ) holds in both orders,
//! f(α) ≥ 1 − δ − e^ε·α and f(α) ≥ e^{−ε}(1 − δ − α): the greatest of these lines is convex, symmetric (its own inverse), and known
//! from below, so that an attack's success is known from above.
//!
//! ```
//! use dp_assay::accounting::tradeoff::TradeOff;
//! use dp_assay::prelude::*;
//!
//! let event = Event::Gaussian { sigma: 1.0, sensitivity: 1.0 };
//! let curve = TradeOff::of(&event, Neighbouring::AddRemove, 1e-9)?;
//! // Whoever accuses one in a hundred wrongly finds no more than Φ(1 − 2.326) = 9.24 % of those who are there.
//! assert!((0.0924..0.093).contains(&curve.success_upper(0.01)));
//! // It is Gaussian noise with Δ/σ = 1, up to 10⁻⁹.
//! let mu = curve.mu_upper();
//! assert!((1.0..1.005).contains(&mu) && curve.regret_upper(mu)? < 2e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::event::Event;
use super::float::elementary::exp;
use super::float::{Enclosure, normal_tail};
use super::report::{Report, account_along};
use super::root::bisect;
use super::{AccountError, Claims, gdp};
use crate::units::{Delta, Epsilon, Neighbouring};
use rayon::prelude::*;

/// Lines that a curve is made of.
const LINES: u32 = 160;
/// Lines next to one another that share their laws where these are dear.
const TOGETHER: usize = 33;
/// Largest δ that is asked about.
const MOST: f64 = 0.999;

/// A trade-off curve, bounded from below.
#[derive(Clone, Debug)]
pub struct TradeOff {
    /// (ε, δ), rounded up, by falling δ.
    points: Vec<(f64, f64)>,
    /// κ: the least δ that was asked about.
    slack: f64,
    claims: Claims,
}

impl TradeOff {
    /// The curve of an event, from its ε at δ between `slack` and 1.
    ///
    /// # Errors
    /// As [`account`](crate::accounting::account); a slack outside \[10⁻¹², 0.1\].
    pub fn of(event: &Event, neighbours: Neighbouring, slack: f64) -> Result<Self, AccountError> {
        let rule = "must lie in [1e-12, 0.1]";
        AccountError::check((1e-12..=0.1).contains(&slack), "least delta", slack, rule)?;
        // Evenly in the normal quantile of δ, as Gaussian losses are.
        let quantile = |p: f64| bisect(-9.0, 39.0, 1e-9, |z| normal_tail(z) > p).1;
        let (least, most) = (quantile(MOST), quantile(slack));
        let delta = |j: u32| {
            let z = least + (most - least) * f64::from(j) / f64::from(LINES);
            Ok(Delta::new(normal_tail(z).clamp(slack, MOST))?)
        };
        let deltas = (0..=LINES)
            .map(delta)
            .collect::<Result<Vec<_>, AccountError>>()?;
        let lines = |some: &[Delta]| account_along(event, some, neighbours);
        let lines: Vec<_> = deltas.par_chunks(TOGETHER).map(lines).collect();
        let lines = lines.into_iter().collect::<Result<Vec<_>, _>>()?.concat();
        let line = |found: Report| ((found.epsilon_upper, found.delta), found.claims);
        let (points, each): (Vec<_>, Vec<_>) = lines.into_iter().map(line).unzip();
        let all = Claims::from("acc-gdp");
        Ok(Self {
            points,
            slack,
            claims: each.iter().fold(all, Claims::with),
        })
    }

    /// A lower bound on the probability that a test fails to accuse where it should, if it accuses wrongly with probability
    /// at most `alpha`. It is its own inverse.
    #[must_use]
    pub fn failure_lower(&self, alpha: f64) -> f64 {
        let lines = self.points.iter().map(|&(epsilon, delta)| {
            let a = Enclosure::point(epsilon).exp();
            let left = Enclosure::point(1.0) - delta;
            let steep = left - a * alpha;
            let flat = (left - alpha) / a;
            steep.lo.max(flat.lo)
        });
        lines.fold(0.0, f64::max)
    }

    /// An upper bound on the probability that an attack finds who is there (its true positive rate), if it wrongly names others
    /// with probability at most `alpha` (its false positive rate).
    #[must_use]
    pub fn success_upper(&self, alpha: f64) -> f64 {
        (1.0 - self.failure_lower(alpha)).next_up().min(1.0)
    }

    /// κ: how far a curve is moved in [`mu_upper`](Self::mu_upper).
    #[must_use]
    pub const fn slack(&self) -> f64 {
        self.slack
    }

    /// The least μ, rounded up, for which the curve is seen to lie above that of N(0, 1) against N(μ, 1) when that is moved by κ
    /// to the left and down: f(x) ≥ G_μ(x + κ) − κ. Both are convex, and f is made of lines: the corners decide. Infinite if no
    /// μ below 38 does.
    #[must_use]
    pub fn mu_upper(&self) -> f64 {
        let quantile =
            |p: f64| bisect(-38.0, 38.0, 1e-12, |z| normal_tail(z) * (1.0 + 1e-13) > p).1;
        // What is left covers the rounding of the corners, some u times a slope over that slope.
        let slack = self.slack * (1.0 - 1e-3);
        let needed = |x: f64| {
            let (moved, raised) = (x + slack, self.failure_lower(x) + slack);
            match moved >= 1.0 || raised >= 1.0 {
                true => 0.0,
                false => quantile(moved) + quantile(raised),
            }
        };
        let corners = self.corners();
        let worst = corners.into_iter().map(needed).fold(0.0, f64::max);
        if worst < 38.0 {
            worst.next_up()
        } else {
            f64::INFINITY
        }
    }

    /// How far the curve lies above that of N(0, 1) against N(μ, 1): the least κ, rounded up, with f(x + κ) − κ ≤ G_μ(x) at all x. By so
    /// much at most the curve of [`mu_upper`](Self::mu_upper) says less than this one: the regret of naming μ alone.
    ///
    /// A line 1 − δ − e^ε·x lies above G_μ by no more than G_μ's own δ at ε less δ, moved by (1 + e^ε)κ; flat lines mirror steep ones.
    ///
    /// # Errors
    /// As [`gdp::mechanism`].
    pub fn regret_upper(&self, mu: f64) -> Result<f64, AccountError> {
        let gaussian = gdp::mechanism(mu)?;
        let mut each = self.points.iter().map(|&(epsilon, delta)| {
            let own = gaussian.delta(Epsilon::new(epsilon)?);
            let moved = 1.0 + Enclosure::point(epsilon).exp();
            Ok(((own - delta) / moved).hi)
        });
        each.try_fold(0.0, |most, one: Result<f64, AccountError>| {
            Ok(one?.max(most))
        })
    }

    /// The points at which the greatest line changes, and 0; by symmetry those of one half say all.
    fn corners(&self) -> Vec<f64> {
        // (slope, height at 0) of all lines, the steepest first.
        let lines = self.points.iter().flat_map(|&(epsilon, delta)| {
            let a = exp(epsilon);
            [(-a, 1.0 - delta), (-1.0 / a, (1.0 - delta) / a)]
        });
        let mut lines: Vec<(f64, f64)> = lines.filter(|(slope, _)| slope.is_finite()).collect();
        lines.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
        let meet = |a: &(f64, f64), b: &(f64, f64)| (a.1 - b.1) / (b.0 - a.0);
        let mut hull: Vec<(f64, f64)> = Vec::new();
        for line in lines {
            if hull.last().is_some_and(|last| last.0 == line.0) {
                continue;
            }
            while let [.., before, last] = hull[..]
                && meet(&before, &line) <= meet(&before, &last)
            {
                hull.pop();
            }
            hull.push(line);
        }
        let corners = hull.windows(2).map(|pair| meet(&pair[0], &pair[1]));
        let inside = corners.filter(|x| *x > 0.0 && *x < 1.0);
        std::iter::once(0.0).chain(inside).collect()
    }

    /// The claims that the curve rests on.
    #[must_use]
    pub const fn claims(&self) -> &Claims {
        &self.claims
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    fn curve(points: Vec<(f64, f64)>) -> TradeOff {
        TradeOff {
            points,
            slack: 1e-3,
            claims: Claims::from("acc-gdp"),
        }
    }

    #[test]
    fn lines_and_their_corners_are_what_they_were() {
        let lines = (0..20).map(|j| 0.2 * f64::from(j));
        let own = gdp::mechanism(1.0).expect("in range");
        let gaussian = lines.map(|epsilon| {
            let delta = own.delta(Epsilon::new(epsilon).expect("in range")).hi;
            (epsilon, delta.max(1e-3))
        });
        let mut found = Vec::new();
        for curve in [
            curve(gaussian.collect()),
            curve(vec![(1.0, 1e-3)]),
            curve(vec![(0.0, 0.5), (2.0, 0.1), (f64::INFINITY, 1e-3)]),
        ] {
            found.extend([0.0, 0.01, 0.3, 0.9].map(|alpha| curve.failure_lower(alpha)));
            found.extend([0.2, 1.0].map(|alpha| curve.success_upper(alpha)));
            found.push(curve.mu_upper());
            found.push(curve.regret_upper(0.9).unwrap_or(-1.0));
            let corners = curve.corners();
            found.extend([corners.len() as f64, steady::mark(&corners)]);
        }
        steady::holds(
            &found,
            "0.9989999999999998 0.9075801257709764 0.3170750774519732 0.011252986362522208
         0.5636073359620398 1.0 0.9992801550345122 0.0 35.0 4926688327519013.0
         0.9989999999999998 0.9718171817154093 0.2571477293788379 0.0364200646759727
         0.5446563656918099 1.0 1.227613731087388 0.024800615904162625 2.0 4240705223711853.0
         0.9989999999999998 0.8261094390106932 0.19999999999999976 0.0 0.7000000000000004 1.0
         1.8032646118365394 -1.0 4.0 7621084036465371.0",
        );
    }

    /// Of one line and its mirror image: where they meet, and what noise has a curve no higher.
    #[test]
    fn a_line_and_its_mirror_image_meet_once() {
        let (epsilon, delta) = (1.0f64, 0.01);
        let found = curve(vec![(epsilon, delta)]);
        let corners = found.corners();
        let meet = (1.0 - delta) / (1.0 + epsilon.exp());
        assert!(
            corners.len() >= 2 && (corners[1] - meet).abs() < 1e-15,
            "{corners:?}"
        );
        for alpha in [0.0, 0.1, meet, 0.5, 0.98, 1.0] {
            let steep = 1.0 - delta - epsilon.exp() * alpha;
            let flat = (-epsilon).exp() * (1.0 - delta - alpha);
            let truth = steep.max(flat).max(0.0);
            let lower = found.failure_lower(alpha);
            assert!(
                lower <= truth && lower > truth - 1e-14,
                "{alpha}: {lower} {truth}"
            );
            let success = found.success_upper(alpha);
            assert!(
                success >= (1.0 - truth) && success <= 1.0,
                "{alpha}: {success}"
            );
        }
    }

    #[test]
    fn a_least_delta_out_of_range_is_refused() {
        let event = Event::Gaussian {
            sigma: 1.0,
            sensitivity: 1.0,
        };
        for slack in [9e-13, 0.11, f64::NAN] {
            let told = TradeOff::of(&event, Neighbouring::AddRemove, slack).expect_err("refused");
            assert!(told.to_string().contains("least delta"), "{told}");
        }
    }
}
