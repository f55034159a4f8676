//! Random allocation: every record takes part in k of t steps, drawn at random; balls in bins is k = 1.
//!
//! Where a record is added or removed and every step adds Gaussian noise, the pair of one participation is
//! P = (1/t)·Σᵢ N(Δeᵢ, σ²I) against Q = N(0, σ²I) (Feldman and Shenfeld 2025, arXiv 2502.08202; Dong, Chen and
//! Ozdaglar 2025), whose ratio is the mean of the t independent ratios rᵢ of a single step. So
//! δ(ε) = E(S/t − e^ε)₊ where the record is removed and E(1 − e^ε·S/t)₊ where it is added, S = Σ rᵢ under Q: expectations of
//! convex functions.
//!
//! * **k = 1** ([`mean`]): a mean-preserving spread of the law of S to the points of a grid is greater in convex order, and
//!   its means over the cells of a grid are smaller; so δ lies between.
//! * **k = 1, a record replaced by another** ([`replaced`]): the mean of N(Δeᵢ, σ²I) against that of N(−Δeᵢ, σ²I), whatever
//!   adaptive steps do (`acc-allocation-replaced`); the profile is the mean of a positive part again, of another sum for each ε.
//! * **k > 1, from below**: only a rounded statistic of every step is told and summed up, the loss ln(1 − q + q·r) of
//!   Poisson's sampling, q = k/t, or of a replaced record the difference of two ([`statistic`]). Post-processing tells no more.
//!   The sums are transforms with their errors bounded ([`sum`]). Or only the sum of all steps is told, which the record moves by
//!   kΔ whatever its steps are: Gaussian noise with kΔ/(σ√t), or twice that. It is the better one where ε is large.
//! * **k of t** is at most k independent participations in blocks of ⌊t/k⌋ or ⌈t/k⌉ steps (Feldman and Shenfeld 2025,
//!   Theorem on reduction to one participation); the two ends are hence apart for k > 1.
//!
//! **Limits.** Of 10 000 steps at δ = 10⁻⁶ with σ = 0.6, where a record is removed or added, the ends are 3.045 and 3.098 for k = 10
//! (1.7·10⁻²), 23.65 and 24.51 for k = 100 (3.5·10⁻²), in 0.2 s of processor time; with σ = 1, 6.688 and 6.726 for k = 100 (6·10⁻³).
//! Blocks are what parts them where k is large: they tell the split, which the ratio eₖ(r)/C(t, k) does not. It is at most the mean over
//! the nodes ζ = λe^{2πij/N} of Π|1 + ζrᵢ|/(|ζ|ᵏ·C(t, k)), since all eₘ are positive. With λ some 0.87 of the odds of q, so that the mean
//! number of participations given the steps is k where the ratio is e^ε, a trial of that bound says 23.91; with σ = 1 and 0.95 of the odds,
//! 6.693. What it leaves out, the signs at the nodes, costs some 0.2/k nats, so that for k = 10 it says 3.089, hardly less than blocks. The
//! attack gains by a rate below q, too: 3.058 for k = 10, 23.68 for k = 100.

mod mean;
mod number;
mod replaced;
mod signed;
mod spread;
mod statistic;
mod sum;

use super::AccountError;
use super::event::{Event, Sampling, Step};
use super::float::{self, Enclosure};
use super::gaussian::Gaussian;
use super::leaf::{check, leaf};
use super::pld::law::{GaussianLaw, LossLaw};
use super::samples::Laws;
use crate::units::{Delta, Neighbouring};
use mean::{Side, Sum};
use std::sync::Arc;

/// What may be lost of δ at the ends of all lattices.
const LOST: f64 = 1e-4;
/// μ of a step beyond which, or below the other, the ratios are no matter for a grid of doubles.
const MU_RANGE: (f64, f64) = (1e-8, 25.0);
/// The same where a record is replaced: ratios are differences there, and are cut at both ends.
const MU_REPLACED: (f64, f64) = (1e-5, 8.0);
/// Most steps.
const STEPS_MAX: u64 = 10_000_000;
/// Runs whose grids need not be the finest, where each is one of several participations.
const FEW_RUNS: u64 = 16;

/// A record in `participations` of `steps` steps, each of which moves by Δ = μ·σ.
#[derive(Clone, Copy, Debug)]
struct Allocation {
    steps: u64,
    participations: u64,
    mu: Enclosure,
    /// Whether a record is replaced, rather than removed or added.
    replaced: bool,
}

impl Allocation {
    fn of(step: &Step, neighbours: Neighbouring) -> Result<Option<Self>, AccountError> {
        let Sampling::RandomAllocation {
            steps,
            participations,
        } = step.sampling
        else {
            return Ok(None);
        };
        let replaced = match neighbours {
            Neighbouring::AddRemove | Neighbouring::ZeroOut => false,
            Neighbouring::ReplaceOne => true,
            Neighbouring::User => return Ok(None),
        };
        let Event::Gaussian { sigma, sensitivity } = step.mechanism else {
            return Ok(None);
        };
        check(&step.mechanism)?;
        let rule = "must be at most 1e7";
        AccountError::check(steps <= STEPS_MAX, "steps", steps as f64, rule)?;
        let mu = Enclosure::point(sensitivity) / Enclosure::point(sigma);
        Ok(Some(Self {
            steps,
            participations,
            mu,
            replaced,
        }))
    }

    /// What the sum of all steps tells of the record, in either direction; μ is rounded down.
    fn summed(&self) -> Arc<dyn LossLaw> {
        let far = if self.replaced { 2.0 } else { 1.0 };
        let moved = Enclosure::point(far * self.mu.lo) * self.participations as f64;
        let mu = (moved / Enclosure::point(self.steps as f64).sqrt())
            .lo
            .max(0.0);
        Arc::new(GaussianLaw { mu })
    }

    /// The laws of one participation in so many steps, one of so many runs: the record is removed, or added; or it is replaced, which is its own
    /// reverse. From above, where the grids do not reach, that of a record whose step is told; from below, of nothing.
    fn one_of(&self, (steps, runs): (u64, u64), tails: (f64, f64), side: Side) -> Laws {
        let mu = match side {
            Side::Above => self.mu.hi,
            Side::Below => self.mu.lo,
        };
        let range = if self.replaced { MU_REPLACED } else { MU_RANGE };
        let within = (range.0..=range.1).contains(&mu);
        // Without δ no ε is finite, which that law says at once.
        if steps == 1 || mu <= 0.0 || !within || tails.0 <= 0.0 {
            let told = steps == 1 || side == Side::Above;
            let mu = if told { mu.max(0.0) } else { 0.0 };
            let far = if self.replaced { 2.0 } else { 1.0 };
            return vec![Arc::new(GaussianLaw { mu: far * mu })];
        }
        if self.replaced {
            return vec![Arc::new(replaced::law(mu, (steps, runs), tails, side))];
        }
        // Of several participations the upper end is that of blocks, which is off by more than what fewer points lose, some 5·10⁻⁵,
        // unless that adds up over many runs.
        let points = match self.participations > 1 && runs <= FEW_RUNS {
            true => mean::FEWER_POINTS,
            false => mean::POINTS,
        };
        let sum = Sum::new(mu, steps, tails, (side, points));
        vec![Arc::new(sum.removal()), Arc::new(sum.addition())]
    }
}

/// The laws that dominate a step of random allocation, with how often each is run, one per direction (the record is
/// removed, or added), or one alone where it is replaced.
///
/// # Errors
/// Parameters out of range.
pub(super) fn laws(
    step: &Step,
    neighbours: Neighbouring,
    delta: Delta,
) -> Result<Option<Vec<(Laws, u64)>>, AccountError> {
    let Some(all) = Allocation::of(step, neighbours)? else {
        return Ok(None);
    };
    let (t, k) = (all.steps, all.participations);
    let (short, long) = (t / k, t % k);
    let runs = k.saturating_mul(step.count);
    let block = |steps: u64, count: u64| -> (Laws, u64) {
        let lost = LOST * delta.get() / runs as f64;
        let laws = all.one_of((steps, runs), (delta.get(), lost), Side::Above);
        (laws, count.saturating_mul(step.count))
    };
    let mut parts = vec![block(short, k - long)];
    if long > 0 {
        parts.push(block(short + 1, long));
    }
    Ok(Some(parts))
}

/// The Gaussian noise that is left, and how often, where the steps of a record are told: it loses no less than where they are not.
///
/// # Errors
/// Parameters out of range.
pub(super) fn told(
    step: &Step,
    neighbours: Neighbouring,
) -> Result<Option<(Gaussian, u64)>, AccountError> {
    let Some(all) = Allocation::of(step, neighbours)? else {
        return Ok(None);
    };
    let far = if all.replaced { 2.0 } else { 1.0 };
    let noise = leaf(&step.mechanism)?.noise(far)?;
    Ok(noise.map(|noise| (noise.above, all.participations.saturating_mul(step.count))))
}

/// The laws of a statistic of neighbours that there are, as [`laws`].
///
/// # Errors
/// Parameters out of range.
pub(super) fn attacks(
    step: &Step,
    neighbours: Neighbouring,
    delta: Delta,
) -> Result<Vec<Laws>, AccountError> {
    let Some(all) = Allocation::of(step, neighbours)? else {
        return Ok(Vec::new());
    };
    let delta = delta.get();
    Ok(match all.participations {
        1 => vec![all.one_of((all.steps, step.count), (delta, LOST * delta), Side::Below)],
        k => vec![
            statistic::laws(all.mu.lo, (all.steps, k), all.replaced, delta),
            vec![all.summed()],
        ],
    })
}

/// Encloses the mass that N(0, 1) has in (a, b), where either end is rounded from terms of size `size`.
pub(super) fn normal_mass(a: f64, b: f64, size: f64) -> Enclosure {
    let (a, b) = if a + b > 0.0 { (a, b) } else { (-b, -a) };
    let tail = |x: f64| match x {
        f64::INFINITY => 0.0,
        f64::NEG_INFINITY => 1.0,
        _ => float::normal_tail(x),
    };
    let (near, far) = (tail(a), tail(b));
    // A shift of x by e multiplies a tail by at most 1 ± 2e(|x| + 1).
    let error = |x: f64| {
        float::ERFC_ERROR + 8.0 * f64::EPSILON * (1.0 + (size + x.abs()) * (x.abs() + 1.0))
    };
    let bound = |x: f64, tail: f64| {
        if x.is_finite() && tail > 0.0 {
            error(x) * tail
        } else {
            0.0
        }
    };
    let slack = bound(a, near) + bound(b, far);
    Enclosure::ball(near - far, slack).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use rug::Float;

    /// Of one step the law is that of its noise, on either side.
    #[test]
    fn a_single_step_is_no_secret() {
        let (mu, participations) = (Enclosure::new(0.7, 0.8), 1);
        for (replaced, far) in [(false, 1.0), (true, 2.0)] {
            let alone = Allocation {
                steps: 1,
                participations,
                mu,
                replaced,
            };
            for (side, mu) in [(Side::Above, mu.hi), (Side::Below, mu.lo)] {
                let laws = alone.one_of((1, 1), (1e-9, 1e-9), side);
                assert_eq!(laws.len(), 1);
                let (found, noise) = (laws[0].tails(0.3), GaussianLaw { mu: far * mu });
                assert_eq!(found.p, noise.tails(0.3).p);
            }
        }
    }

    /// The mass of a cell on either side is known as closely as its size.
    #[test]
    fn masses_of_cells_are_enclosed_closely_on_either_side() {
        let tail = |x: f64| (Float::with_val(300, x) / Float::with_val(300, 2).sqrt()).erfc() / 2;
        for j in -200..200 {
            let (a, b) = (0.07 * f64::from(j), 0.07 * f64::from(j) + 0.3);
            let truth: Float = tail(a) - tail(b);
            let found = normal_mass(a, b, 1.0);
            assert!(
                found.lo <= truth && truth <= found.hi,
                "({a}, {b}): {found:?}"
            );
            assert!(
                found.width() <= 1e-10 * truth.to_f64(),
                "({a}, {b}): {found:?}"
            );
        }
    }
    /// An end that is the difference of large terms is known no better than these.
    #[test]
    fn what_the_ends_of_a_cell_are_rounded_from_decides_how_close_its_mass_is() {
        let tail = |x: Float| (x / Float::with_val(300, 2).sqrt()).erfc() / 2;
        for a in [1.0, 6.0, 20.0, 30.0] {
            for size in [1.0, 1e3, 1e6] {
                let found = normal_mass(a, f64::INFINITY, size);
                for moved in [-1.0, 1.0] {
                    let moved = Float::with_val(300, moved * size) * f64::EPSILON;
                    let truth = tail(Float::with_val(300, a) + moved);
                    assert!(
                        found.lo <= truth && truth <= found.hi,
                        "{a}, {size}: {found:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_taken_for_a_run_is_what_it_was() {
        let mut found = Vec::new();
        for (a, b, size) in [
            (0.3, 1.4, 1.0),
            (-2.0, 0.1, 9.0),
            (-5.0, -4.9, 0.1),
            (30.0, 37.9, 2.0),
        ] {
            let mass = normal_mass(a, b, size);
            found.extend([mass.lo, mass.hi]);
        }
        for infinite in [f64::INFINITY, f64::NEG_INFINITY] {
            let mass = normal_mass(infinite.min(0.5), infinite.max(0.5), 1.0);
            found.extend([mass.lo, mass.hi]);
        }
        for (sigma, steps, participations) in [
            (2.0, 1, 1),
            (2.0, 5, 1),
            (3.0, 7, 3),
            (1e9, 4, 1),
            (0.02, 4, 1),
            (0.3, 40, 5),
        ] {
            let step = Step {
                mechanism: Event::Gaussian {
                    sigma,
                    sensitivity: 0.75,
                },
                sampling: Sampling::RandomAllocation {
                    steps,
                    participations,
                },
                count: 2,
            };
            for neighbours in [Neighbouring::AddRemove, Neighbouring::ReplaceOne] {
                let all = Allocation::of(&step, neighbours).expect("in range");
                let all = all.expect("Gaussian noise");
                let summed = all.summed().tails(0.1);
                found.extend([all.mu.lo, all.mu.hi, summed.p, summed.q]);
                let whole = told(&step, neighbours).expect("in range");
                found.extend(whole.map_or([0.0; 2], |(own, count)| [own.mu(), count as f64]));
                if neighbours == Neighbouring::ReplaceOne && steps > 1 && sigma < 5.0 {
                    continue; // Laws that take long are held elsewhere.
                }
                let delta = Delta::new(1e-4).expect("a delta");
                let laws = laws(&step, neighbours, delta).expect("in range");
                for (laws, count) in laws.expect("known") {
                    found.extend([laws.len() as f64, count as f64]);
                    let each = laws.iter().map(|law| law.tails(0.4));
                    let each = each.flat_map(|t| [t.p, t.q, t.error, t.slack]);
                    found.push(steady::mark(&each.collect::<Vec<_>>()));
                }
            }
        }
        let marks: Vec<f64> = found.chunks(12).map(steady::mark).collect();
        steady::holds(
            &marks,
            "7126286840252895.0 1106404543202543.0 6100186840677775.0 6602312566852072.0
         5422689465563202.0 7620986107079980.0 4256434478729171.0 2755998271872987.0
         6468538731513292.0 2117530185048043.0",
        );
    }
}
