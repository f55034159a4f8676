//! Privacy-loss distributions: composition of any mechanisms whose loss has a known law.
//!
//! Each law is put on a lattice that dominates it (upper bounds) or is dominated by it (lower bounds),
//! see [`lattice`]; T-fold composition is one power of a transform, see [`compose`]; its cost grows
//! like √T. The lattice step and the window follow from a sketch of the laws, which influences only
//! how tight the answer is: every bound is computed from the lattice laws themselves.
//!
//! ```
//! use dp_assay::accounting::pld::law::{GaussianLaw, LossLaw};
//! use dp_assay::accounting::pld::{self, Losses};
//! use dp_assay::units::Delta;
//! use std::sync::Arc;
//!
//! // 100 releases with Δ/σ = 0.1 are one with Δ/σ = 1: ε is 4.38 nats at δ = 10⁻⁵.
//! let law: Arc<dyn LossLaw> = Arc::new(GaussianLaw { mu: 0.1 });
//! let directions: [Losses; 1] = [vec![(law, 100)]];
//! let upper = pld::epsilon_upper(&directions, Delta::new(1e-5)?, 1e-3)?;
//! let lower = pld::epsilon_lower(&directions, Delta::new(1e-5)?, 1e-3)?;
//! assert!(4.2 < lower && lower <= upper && upper < 4.6);
//! // δ at 1 nat is Φ(−½) − e·Φ(−3/2) = 0.127.
//! let delta = pld::delta(&directions, 1.0, Delta::new(0.1)?, 1e-3)?;
//! assert!((0.126..0.14).contains(&delta.hi));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chosen;
pub mod compose;
pub mod composed;
pub mod discrete_law;
pub mod fft;
pub mod lattice;
pub mod law;
pub mod mixture_law;
mod plan;
pub mod real;
pub mod sampled;
mod sketch;

pub(in crate::accounting) use chosen::Chosen;

use super::AccountError;
use crate::float::Enclosure;
use crate::float::elementary::exp;
use crate::units::Delta;
use compose::Lane;
use composed::Composed;
use lattice::Side;
use law::LossLaw;
use plan::{Extent, Plan};
use rayon::prelude::*;
use sketch::Outline;
use std::sync::Arc;

/// Independent losses with multiplicities, in one direction of the neighbouring relation.
pub type Losses = Vec<(Arc<dyn LossLaw>, u64)>;

/// Smallest δ: below, masses would leave the range of binary64.
const DELTA_MIN: f64 = 1e-270;

/// Most points of windows that turned out too short before wider cells are given up.
const POINTS_MAX: usize = 1 << 20;

/// How much less accurate the lattice is on which a direction is first tried that need only be shown not
/// to be the worst: eight times wider cells.
const ROUGHER: f64 = 64.0;

/// A direction with less of the largest ε, as Chernoff's bound tells, is not looked at from below.
const UNLIKELY: f64 = 0.7;

/// Tilted mass outside a window that is more than rounding.
const MISSED: f64 = 1e-12;

/// Share of δ that rounding may be before it is done with more digits, or on a wider lattice as well; and most points of a window for which
/// more digits are affordable, with most of all that is transformed: each law that differs has a transform of its own.
const ROUNDED: f64 = 1e-5;
const HIDDEN: f64 = 1e-2;
const FINELY_MAX: usize = 1 << 18;
const FINELY_MAX_IN_ALL: usize = 1 << 20;

/// Losses count as the largest that there are within such a share of them.
const TOP: f64 = 1e-9;

/// Upper bound on the least ε ≥ 0 at which every direction has δ(ε) ≤ δ. `accuracy` is the relative
/// discretisation error aimed at, e.g. 10⁻⁵.
///
/// # Errors
/// δ below 10⁻²⁷⁰ or below the mass of infinite loss; or no lattice within memory covers the loss.
pub fn epsilon_upper(
    directions: &[Losses],
    delta: Delta,
    accuracy: f64,
) -> Result<f64, AccountError> {
    epsilon_upper_below(directions, delta, accuracy, f64::INFINITY)
}

/// The same where ε is known to be about this, or less.
pub(super) fn epsilon_upper_below(
    directions: &[Losses],
    delta: Delta,
    accuracy: f64,
    most: f64,
) -> Result<f64, AccountError> {
    let mut directions = outlined(directions, delta)?;
    directions.iter_mut().for_each(|d| d.outline.aim(most));
    directions.sort_by(|a, b| b.outline.epsilon.total_cmp(&a.outline.epsilon));
    let mut worst: Option<f64> = None;
    for direction in &directions {
        // An upper bound that is no larger shows that another direction is not the worst, however rough it is.
        let rough = worst.is_some_and(|worst| {
            let bound = direction.epsilon_upper(delta, ROUGHER * accuracy);
            bound.is_ok_and(|bound| bound <= worst)
        });
        if !rough {
            let bound = direction.epsilon_upper(delta, accuracy)?;
            worst = Some(worst.map_or(bound, |worst| worst.max(bound)));
        }
    }
    Ok(worst.unwrap_or(0.0))
}

/// Lower bound on the ε of [`epsilon_upper`].
///
/// # Errors
/// As [`epsilon_upper`].
pub fn epsilon_lower(
    directions: &[Losses],
    delta: Delta,
    accuracy: f64,
) -> Result<f64, AccountError> {
    epsilon_lower_below(directions, delta, accuracy, f64::INFINITY)
}

/// The same where ε is known to be about this, or less.
pub(super) fn epsilon_lower_below(
    directions: &[Losses],
    delta: Delta,
    accuracy: f64,
    most: f64,
) -> Result<f64, AccountError> {
    let bound = |c: &Composed| c.epsilon(delta.get()).unwrap_or(0.0);
    let mut directions = outlined(directions, delta)?;
    // One direction is enough for a bound: those that are surely not the worst are not looked at.
    let worst = directions
        .iter()
        .fold(0.0f64, |e, d| e.max(d.outline.epsilon));
    directions.retain(|d| d.outline.epsilon >= UNLIKELY * worst);
    for direction in &mut directions {
        direction.outline.aim(most);
    }
    let top = directions
        .iter()
        .fold(0.0f64, |e, d| e.max(d.epsilon_at_the_top(delta)));
    Ok(largest(&directions, Side::Below, accuracy, bound)?.max(top))
}

/// How much finer a lattice than that of `accuracy` may be, as a share of it, if it has at most so many points: at least 1,
/// also where it has too many already.
pub(super) fn affordable(directions: &[Losses], delta: Delta, accuracy: f64, points: f64) -> f64 {
    let cost = |direction: &Direction<'_>| {
        let (losses, outline) = (direction.losses, &direction.outline);
        let plan = Plan::new(losses, outline, (Extent::Whole, Side::Above), accuracy);
        plan.map_or(f64::INFINITY, |plan| plan.points(losses))
    };
    let directions = outlined(directions, delta).unwrap_or_default();
    // The error falls with the square of the step.
    let finer = points / directions.iter().map(cost).sum::<f64>().max(1.0);
    (finer * finer).max(1.0)
}

/// Encloses the profile at ε ≥ 0: the largest δ(ε) over the directions. `guess` is an order of
/// magnitude of it, on which only the accuracy depends.
///
/// # Errors
/// As [`epsilon_upper`].
pub fn delta(
    directions: &[Losses],
    epsilon: f64,
    guess: Delta,
    accuracy: f64,
) -> Result<Enclosure, AccountError> {
    let directions = outlined(directions, guess)?;
    let worst = |side| largest(&directions, side, accuracy, |c| c.delta(epsilon));
    Ok(Enclosure::new(worst(Side::Below)?, worst(Side::Above)?))
}

/// The largest of a quantity ≥ 0 over the directions.
fn largest(
    directions: &[Direction<'_>],
    side: Side,
    accuracy: f64,
    quantity: impl Fn(&Composed) -> f64 + Sync,
) -> Result<f64, AccountError> {
    directions
        .par_iter()
        .map(|direction| {
            let (all, other) = direction.compositions(side, accuracy)?;
            // Of two lower bounds the larger one.
            let found = quantity(&all);
            Ok(other.map_or(found, |other| found.max(quantity(&other))))
        })
        .try_reduce(|| 0.0, |a, b| Ok(f64::max(a, b)))
}

/// Losses in one direction, and what is roughly known of them.
struct Direction<'a> {
    losses: &'a Losses,
    outline: Outline,
}

fn outlined(directions: &[Losses], delta: Delta) -> Result<Vec<Direction<'_>>, AccountError> {
    let d = delta.get();
    let rule = "must be at least 1e-270 for a lattice";
    AccountError::check(d >= DELTA_MIN, "delta", d, rule)?;
    let outlined = directions.par_iter().map(|losses| Direction {
        losses,
        outline: Outline::new(losses, d),
    });
    Ok(outlined.collect())
}

impl Direction<'_> {
    fn composed(
        &self,
        side: Side,
        extent: Extent,
        accuracy: f64,
    ) -> Result<Composed, AccountError> {
        let plan = Plan::new(self.losses, &self.outline, (extent, side), accuracy)?;
        let found = self.closely(&plan.lane(self.losses, side), plan.len());
        match self.wider(&found, plan.len(), accuracy) {
            // What is too costly on the wider lattice is no loss.
            Some(wider) => Ok(match self.composed(side, extent, wider) {
                Ok(next) => self.better(found, next),
                Err(_) => found,
            }),
            None => Ok(found),
        }
    }

    /// A lane composed, with more digits where those of binary64 are too few: rare large losses let the moments of a tilt grow so fast that
    /// hardly any of the tilted law is near ε.
    fn closely(&self, lane: &Lane, len: usize) -> Composed {
        let found = compose::compose(lane, len);
        let affordable = len <= FINELY_MAX && len * lane.parts.len() <= FINELY_MAX_IN_ALL;
        match affordable && self.rounding(&found) > ROUNDED {
            true => compose::compose_finely(lane, len),
            false => found,
        }
    }

    fn rounding(&self, found: &Composed) -> f64 {
        found.rounding(exp(self.outline.log_delta))
    }

    /// Where rounding hides much and more digits would take too long: the accuracy of a lattice so much wider that they do not. The error
    /// grows with the square of the step.
    fn wider(&self, found: &Composed, len: usize, accuracy: f64) -> Option<f64> {
        let wider = len as f64 / FINELY_MAX as f64;
        let hidden = wider > 1.0 && accuracy < 1.0 && self.rounding(found) > HIDDEN;
        hidden.then_some(1.1 * wider * wider * accuracy)
    }

    /// Of two bounds from one side the closer one.
    fn better(&self, a: Composed, b: Composed) -> Composed {
        let [first, second] = [&a, &b].map(|c| c.epsilon(exp(self.outline.log_delta)));
        let closer = match a.side {
            Side::Above => second.is_some_and(|b| first.is_none_or(|a| b < a)),
            Side::Below => second > first,
        };
        if closer { b } else { a }
    }

    /// The whole; and from below that of laws without what is gathered at their ends, if the window seems to miss that.
    fn compositions(
        &self,
        side: Side,
        accuracy: f64,
    ) -> Result<(Composed, Option<Composed>), AccountError> {
        let plan = Plan::new(self.losses, &self.outline, (Extent::Whole, side), accuracy)?;
        let (mut lane, len) = (plan.lane(self.losses, side), plan.len());
        let missed = side == Side::Below && lane.misses(len) > MISSED;
        let all = missed.then(|| lane.clone());
        let all = all.filter(|_| plan.leave_out(&mut lane));
        let other = all.map(|all| compose::compose(&all, len));
        let found = self.closely(&lane, len);
        match self.wider(&found, len, accuracy) {
            Some(wider) => Ok(match self.compositions(side, wider) {
                Ok((next, _)) => (self.better(found, next), other),
                Err(_) => (found, other),
            }),
            None => Ok((found, other)),
        }
    }

    /// Never more than the sum of the largest losses, which the lattice's own widening could exceed.
    fn epsilon_upper(&self, delta: Delta, mut accuracy: f64) -> Result<f64, AccountError> {
        let (largest, infinite) = self.largest_losses();
        if infinite > delta.get() {
            let (delta, floor) = (delta.get(), infinite);
            return Err(AccountError::NoFiniteEpsilon { delta, floor });
        }
        let mut points = 0;
        loop {
            let composed = self.composed(Side::Above, Extent::AroundEpsilon, accuracy)?;
            if let Some(epsilon) = composed.epsilon(delta.get()) {
                return Ok(epsilon.min(largest));
            }
            points += composed.len();
            // Rounding moved more mass beyond the window than the plan foresaw; less of it passes
            // between wider cells.
            if accuracy < 1.0 && points <= POINTS_MAX {
                accuracy *= 16.0;
            } else if largest.is_finite() {
                return Ok(largest);
            } else {
                return Err(AccountError::TooCostly {
                    what: "the lattice of privacy losses",
                    needed: points as f64,
                    limit: POINTS_MAX as f64,
                    unit: "points in vain",
                });
            }
        }
    }

    /// Lower bound on ε by one event, which few steps that are pure come close to at a small δ, and no lattice does: that every loss
    /// is about the largest of its law. Of any event, P − e^ε·Q ≥ δ for ε up to ln(P/Q) + ln(1 − δ/P). It is 0 where that says nothing.
    fn epsilon_at_the_top(&self, delta: Delta) -> f64 {
        let (mut loss, mut mass) = (Enclosure::point(0.0), Enclosure::point(0.0));
        for (law, count) in self.losses {
            let top = law.support().1;
            let level = top - TOP * top.abs();
            let tails = law.tails(level);
            let count = Enclosure::from(*count);
            let p = (tails.p * (1.0 - tails.error)).next_down();
            let q = (tails.q * (1.0 + tails.error)).next_up();
            // Nothing else that is no number says anything, either.
            if !(top.is_finite() && p > 0.0 && tails.q > 0.0) {
                return 0.0;
            }
            let p = Enclosure::point(p).ln();
            loss = loss + (p - Enclosure::point(q).ln() + level) * count;
            mass = mass + p * count;
        }
        let share = (Enclosure::point(delta.get()) / mass.exp().lo).hi;
        let epsilon = (loss + Enclosure::point(-share).ln_1p()).lo;
        if share < 1.0 && epsilon > 0.0 {
            epsilon
        } else {
            0.0
        }
    }

    /// Upper bounds on the sum of the largest finite losses and on the mass of infinite ones.
    fn largest_losses(&self) -> (f64, f64) {
        let (mut sum, mut infinite) = (Enclosure::point(0.0), 0.0);
        for (law, count) in self.losses {
            let (top, count) = (law.support().1, (*count as f64).next_up());
            sum = sum + Enclosure::point(top) * (1.0 + 1e-14) * count;
            if top.is_finite() {
                let beyond = law.tails(top + 1e-9 * (1.0 + top.abs()));
                infinite += beyond.p * (1.0 + 2.0 * beyond.error) * count;
            }
        }
        (sum.hi.max(0.0), infinite * (1.0 + 1e-12))
    }
}

#[cfg(test)]
mod tests {
    use super::discrete_law::DiscreteLaw;
    use super::law::{GaussianLaw, LaplaceLaw};
    use super::sampled::{Direction, Sampled};
    use super::*;
    use crate::accounting::steady;

    fn runs() -> Vec<Losses> {
        let rare = |direction| Sampled {
            base: GaussianLaw { mu: 1.0 },
            rate: 0.02,
            direction,
        };
        vec![
            vec![(Arc::new(GaussianLaw { mu: 0.3 }), 20)],
            vec![(Arc::new(rare(Direction::Removal)), 50)],
            vec![(Arc::new(rare(Direction::Addition)), 50)],
            vec![
                (Arc::new(LaplaceLaw { pure: 0.25 }), 6),
                (Arc::new(DiscreteLaw::response(0.5)), 3),
            ],
            vec![(Arc::new(DiscreteLaw::approximate(0.5, 1e-6)), 3)],
        ]
    }

    /// From both sides, of one direction and of several, where losses end and where they do not.
    #[test]
    fn ends_are_what_they_were() {
        let mut found = Vec::new();
        let runs = runs();
        for delta in [1e-2, 1e-5] {
            let wanted = Delta::new(delta).expect("a delta");
            for losses in &runs {
                let outlined = outlined(std::slice::from_ref(losses), wanted).expect("a delta");
                let direction = &outlined[0];
                let (most, infinite) = direction.largest_losses();
                found.extend([most, infinite, direction.epsilon_at_the_top(wanted)]);
                let one = std::slice::from_ref(losses);
                found.push(epsilon_upper(one, wanted, 1e-2).expect("finite"));
                found.push(epsilon_lower(one, wanted, 1e-2).expect("finite"));
                found.push(epsilon_lower_below(one, wanted, 1e-2, 0.3).expect("finite"));
                let delta = self::delta(one, 0.4, wanted, 1e-2).expect("finite");
                found.extend([delta.lo, delta.hi, affordable(one, wanted, 1e-2, 1e5)]);
            }
            found.push(epsilon_upper(&runs[1..3], wanted, 1e-2).expect("finite"));
            found.push(epsilon_lower(&runs[1..3], wanted, 1e-2).expect("finite"));
        }
        let marks: Vec<f64> = found.chunks(8).map(steady::mark).collect();
        steady::holds(
            &marks,
            "8167518235603345.0 2062235912481836.0 6470803461337966.0 3140941377580081.0
         912213753503527.0 3490608548301309.0 6807482597900471.0 5255650354980041.0
         7885289389022992.0 3070629198633133.0 5433727556087293.0 8940943794762363.0",
        );
    }

    /// Losses that end: at the top the profile is Pr[all are the largest]·(1 − e^{ε − their sum}).
    #[test]
    fn the_largest_losses_alone_bound_from_below() {
        let (each, count) = (0.5f64, 3);
        let losses: Losses = vec![(Arc::new(DiscreteLaw::response(each)), count)];
        let top = (1.0 / (1.0 + (-each).exp())).powi(3);
        for delta in [1e-12, 1e-3, 0.1] {
            let wanted = Delta::new(delta).expect("a delta");
            let outlined = outlined(std::slice::from_ref(&losses), wanted).expect("a delta");
            let found = outlined[0].epsilon_at_the_top(wanted);
            let truth = 1.5 + (-delta / top).ln_1p();
            assert!(
                found <= truth && found > truth - 1e-8,
                "{delta}: {found}, {truth}"
            );
            let (most, infinite) = outlined[0].largest_losses();
            assert!((1.5..1.5 + 1e-12).contains(&most) && infinite == 0.0);
        }
        let all = Delta::new(0.9).expect("a delta");
        let outlined = outlined(std::slice::from_ref(&losses), all).expect("a delta");
        assert_eq!(outlined[0].epsilon_at_the_top(all), 0.0);
    }

    #[test]
    fn mass_without_end_is_counted_for_every_copy() {
        let losses: Losses = vec![(Arc::new(DiscreteLaw::approximate(0.5, 1e-3)), 7)];
        let small = Delta::new(6.9e-3).expect("a delta");
        let told = epsilon_upper(&[losses], small, 1e-2).expect_err("no ε");
        let AccountError::NoFiniteEpsilon { floor, .. } = told else {
            panic!("{told}");
        };
        assert!((7e-3..7e-3 * (1.0 + 1e-9)).contains(&floor), "{floor}");
        let least = Delta::new(9e-271).expect("a delta");
        let refused = epsilon_upper(&[Vec::new()], least, 1e-2).expect_err("too small");
        assert!(refused.to_string().contains("delta"), "{refused}");
    }
}
