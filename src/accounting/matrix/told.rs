//! What an attack on a sampled run tells: one number with noise, and by how much a record shifts it.

use crate::accounting::AccountError;
use crate::accounting::event::{Event, Sampling, Step};
use crate::accounting::float::U;
use crate::accounting::mixture::{Component, Mixture, Pair};
use crate::accounting::pld::mixture_law::MixtureLaw;
use crate::accounting::samples::Laws;
use crate::units::Neighbouring;
use std::collections::VecDeque;
use std::sync::Arc;

/// Most shifts of the one number that is told.
const SHIFTS_MAX: usize = 64;
/// Weight of a shift that may be off, relatively, goes to the shift 0: enough for sums of 20 000 steps.
const WEIGHT_ERROR: f64 = 1e-11;
/// Weights that are left out.
const NO_WEIGHT: f64 = 1e-60;

/// Noise of a run that is repeated, and what its neighbours are.
pub(super) struct Noise {
    pub(super) sigma: f64,
    pub(super) count: u64,
    pub(super) neighbours: Neighbouring,
}

impl Noise {
    /// The same noise on what a record moves by so much.
    pub(super) fn step(&self, sensitivity: f64, sampling: Sampling, count: u64) -> Step {
        let mechanism = Event::Gaussian {
            sigma: self.sigma,
            sensitivity,
        };
        Step {
            mechanism,
            sampling,
            count,
        }
    }

    /// The laws of one number with noise σ and shifts ≥ 0, each with its probability, that are no less than these but for few of
    /// them, which are taken to be 0.
    pub(super) fn told(&self, shifts: &[(f64, f64)]) -> Result<Laws, AccountError> {
        let mut shifts = shifts.to_vec();
        shifts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let group = shifts.len().div_ceil(SHIFTS_MAX);
        let parts = shifts.chunks(group).map(|c| Component {
            shift: c[0].0,
            weight: c.iter().map(|(_, w)| w).sum::<f64>() * (1.0 - WEIGHT_ERROR),
        });
        let mut parts: Vec<Component> = parts.filter(|c| c.weight > 1e-200).collect();
        let moved: f64 = parts
            .iter()
            .filter(|c| c.shift > 0.0)
            .map(|c| c.weight)
            .sum();
        parts.retain(|c| c.shift > 0.0);
        parts.push(Component {
            shift: 0.0,
            weight: 1.0 - moved,
        });
        let p = Mixture::new(&parts)?;
        let pair = |q: Mixture| Pair {
            sigma: self.sigma,
            p: p.clone(),
            q,
        };
        if self.neighbours == Neighbouring::ReplaceOne {
            return Ok(vec![Arc::new(MixtureLaw::new(pair(p.mirrored()))?)]);
        }
        let removal = pair(Mixture::centred());
        let addition = removal.reversed();
        Ok(vec![
            Arc::new(MixtureLaw::new(removal)?),
            Arc::new(MixtureLaw::new(addition)?),
        ])
    }
}

/// The law of Σ xᵢ, xᵢ ≥ 0, over the steps i in which a record takes part: in each with this probability unless it did at one of the
/// `separation` − 1 before, as if it always had. The xᵢ are rounded down to multiples of a part of the largest; few sums are left out.
pub(super) fn renewals(values: &[f64], separation: u64, rate: f64) -> Vec<(f64, f64)> {
    let largest = values.iter().fold(0.0f64, |x, y| x.max(*y));
    if largest <= 0.0 {
        return vec![(0.0, 1.0)];
    }
    let alike = values.iter().all(|x| *x == 0.0 || *x == largest);
    let parts = if alike { 1.0 } else { 8.0 };
    // A little less than a part, so that the largest is as many as there are.
    let unit = largest / parts * (1.0 - 16.0 * U);
    // The law of the sum so far if the record is next free after so many more steps.
    let share = rate / (1.0 + (separation - 1) as f64 * rate);
    // Who waits longer than there are steps waits for ever.
    let longest = usize::try_from(separation - 1)
        .unwrap_or(usize::MAX)
        .min(values.len());
    let mut waiting = VecDeque::from(vec![vec![share]; longest + 1]);
    waiting[0] = vec![share / rate];
    for x in values {
        let free = waiting.pop_front().unwrap_or_default();
        let by = ((x / unit) * (1.0 - 4.0 * U)).floor().max(0.0) as usize;
        waiting.push_back(Vec::new());
        add(&mut waiting[0], &free, 0, 1.0 - rate);
        add(&mut waiting[longest], &free, by, rate);
    }
    let mut law = vec![(separation - 1 - longest as u64) as f64 * share];
    waiting.iter().for_each(|part| add(&mut law, part, 0, 1.0));
    let points = law.into_iter().enumerate();
    let points = points.map(|(j, mass)| (j as f64 * unit * (1.0 - 4.0 * U), mass));
    points.filter(|(_, mass)| *mass > NO_WEIGHT).collect()
}

/// Adds a part of a law, shifted, but for what is hardly there beyond its end.
fn add(law: &mut Vec<f64>, other: &[f64], by: usize, weight: f64) {
    let kept = other.iter().rposition(|mass| mass * weight > NO_WEIGHT);
    let kept = kept.map_or(0, |last| last + 1);
    if kept > 0 && law.len() < kept + by {
        law.resize(kept + by, 0.0);
    }
    for (j, mass) in other[..kept].iter().enumerate() {
        law[j + by] += mass * weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::pld::law::{GaussianLaw, LossLaw, profile};
    use crate::accounting::steady;

    /// All patterns of seven steps with their probabilities, by the rule itself.
    fn patterns(separation: u64, rate: f64) -> Vec<(Vec<usize>, f64)> {
        let share = rate / (1.0 + (separation - 1) as f64 * rate);
        let mut all = vec![(Vec::new(), 0, share / rate)];
        all.extend((1..separation).map(|wait| (Vec::new(), wait, share)));
        for step in 0..7 {
            let mut next = Vec::new();
            for (taken, wait, mass) in all {
                if wait > 0 {
                    next.push((taken, wait - 1, mass));
                    continue;
                }
                let with = [&taken[..], &[step]].concat();
                next.push((taken, 0, mass * (1.0 - rate)));
                next.push((with, separation - 1, mass * rate));
            }
            all = next;
        }
        all.into_iter()
            .map(|(taken, _, mass)| (taken, mass))
            .collect()
    }

    #[test]
    fn sums_over_renewals_are_those_of_all_patterns() {
        for (separation, rate) in [(1, 0.3), (2, 0.5), (3, 1.0), (4, 0.2), (9, 0.7)] {
            let all = patterns(separation, rate);
            assert!((all.iter().map(|(_, m)| m).sum::<f64>() - 1.0).abs() < 1e-12);
            // As if it always had: no step is preferred.
            let share = rate / (1.0 + (separation - 1) as f64 * rate);
            for step in 0..7 {
                let here = all.iter().filter(|(taken, _)| taken.contains(&step));
                let found = here.map(|(_, m)| m).sum::<f64>();
                assert!(
                    (found - share).abs() < 1e-12,
                    "{separation} {rate} {step}: {found}"
                );
            }
            let values: Vec<f64> = (0..7).map(|i| f64::from(1 + i % 2)).collect();
            let law = renewals(&values, separation, rate);
            for sum in 0..14 {
                let of = |taken: &Vec<usize>| taken.iter().map(|i| values[*i]).sum::<f64>();
                let here = all.iter().filter(|(taken, _)| of(taken) == f64::from(sum));
                let truth = here.map(|(_, m)| m).sum::<f64>();
                let near = law
                    .iter()
                    .filter(|(x, _)| (x - f64::from(sum)).abs() < 1e-9);
                let found = near.map(|(_, m)| m).sum::<f64>();
                assert!(
                    (found - truth).abs() < 1e-12,
                    "{separation} {rate} {sum}: {found} {truth}"
                );
            }
        }
    }

    /// Shifts that are no multiples of a part of the largest: no sum is more likely to be exceeded than it is, and none by much
    /// more than a part for every step is less.
    #[test]
    fn sums_are_rounded_down_and_not_far() {
        let values = [0.3, 1.0, 0.45, 0.8, 0.21, 0.93, 0.67];
        for (separation, rate) in [(1, 0.3), (2, 0.5), (3, 1.0)] {
            let law = renewals(&values, separation, rate);
            let truth: Vec<(f64, f64)> = patterns(separation, rate)
                .into_iter()
                .map(|(taken, mass)| (taken.iter().map(|i| values[*i]).sum(), mass))
                .collect();
            let beyond = |law: &[(f64, f64)], x: f64| -> f64 {
                law.iter().filter(|(y, _)| *y >= x).map(|(_, m)| m).sum()
            };
            for x in (0..100).map(|i| 0.05 * f64::from(i)) {
                let (found, most) = (beyond(&law, x), beyond(&truth, x));
                assert!(
                    found <= most + 1e-12,
                    "{separation} {rate} {x}: {found} {most}"
                );
                let least = beyond(&truth, x + 7.0 / 8.0);
                assert!(
                    found >= least - 1e-12,
                    "{separation} {rate} {x}: {found} {least}"
                );
            }
        }
    }

    /// A shift that is there for certain: the pair is that of the Gaussian mechanism, at twice the distance if it turns round.
    #[test]
    fn a_certain_shift_is_told_from_none_or_from_its_mirror_image() {
        for (neighbours, far) in [
            (Neighbouring::AddRemove, 1.0),
            (Neighbouring::ReplaceOne, 2.0),
        ] {
            let noise = Noise {
                sigma: 2.0,
                count: 1,
                neighbours,
            };
            let whole = GaussianLaw { mu: far / 2.0 };
            for law in noise.told(&[(1.0, 1.0)]).expect("one shift") {
                for epsilon in [0.0, 0.5, 2.0] {
                    let [found, truth] =
                        [&*law, &whole].map(|law: &dyn LossLaw| profile(law, epsilon).hi);
                    assert!(
                        (found - truth).abs() < 1e-9,
                        "{neighbours} {epsilon}: {found} {truth}"
                    );
                }
            }
        }
    }

    /// More shifts than are told: those of a group are taken for the least of it.
    #[test]
    fn groups_of_shifts_are_told_by_their_least() {
        let noise = Noise {
            sigma: 1.0,
            count: 1,
            neighbours: Neighbouring::AddRemove,
        };
        let shifts: Vec<(f64, f64)> = (1..=2 * SHIFTS_MAX)
            .map(|i| (i as f64 / 64.0, 0.5 / SHIFTS_MAX as f64))
            .collect();
        let parts: Vec<Component> = shifts
            .iter()
            .map(|(shift, weight)| Component {
                shift: *shift,
                weight: *weight,
            })
            .collect();
        let whole = Pair {
            sigma: 1.0,
            p: Mixture::new(&parts).expect("weights that sum to 1"),
            q: Mixture::centred(),
        };
        let whole = MixtureLaw::new(whole).expect("shifts of one side");
        let told = &noise.told(&shifts).expect("grouped")[0];
        for epsilon in [0.0, 1.0, 2.0] {
            let (found, truth) = (profile(&**told, epsilon).hi, profile(&whole, epsilon).hi);
            assert!(found < truth, "{epsilon}: {found} {truth}");
            assert!(found > 0.9 * truth, "{epsilon}: {found} {truth}");
        }
    }

    /// One of two steps is told at most: no shift is larger than what that moves, however near parts are.
    #[test]
    fn no_shift_exceeds_what_moves_it() {
        for i in 0..2_000u32 {
            let largest = 1.0 + f64::from(i) / 2_001.0;
            let unit = largest / 8.0 * (1.0 - 16.0 * U);
            for part in 1..8 {
                let mut moved = f64::from(part) * unit;
                for _ in 0..14 {
                    moved = moved.next_up();
                    for (shift, _) in renewals(&[moved, largest], 2, 0.5) {
                        assert!(
                            shift <= moved || shift > 0.5 * (moved + largest),
                            "{largest} {part}: {shift} {moved}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn sums_and_what_is_told_of_them_are_what_they_were() {
        let mut found = Vec::new();
        let uneven: Vec<f64> = (0..60).map(|i| 0.1 + f64::from(i * i % 11)).collect();
        for (values, separation, rate) in [
            (vec![1.0; 50], 3, 0.4),
            (uneven.clone(), 1, 0.05),
            (uneven[..7].to_vec(), 20, 1.0),
            (vec![0.0; 4], 2, 0.5),
        ] {
            let law = renewals(&values, separation, rate);
            found.push(law.len() as f64);
            let each = law.iter().flat_map(|(x, mass)| [*x, *mass]);
            found.push(steady::mark(&each.collect::<Vec<_>>()));
            for neighbours in [Neighbouring::AddRemove, Neighbouring::ReplaceOne] {
                let noise = Noise {
                    sigma: 3.0,
                    count: 1,
                    neighbours,
                };
                for law in noise.told(&law).expect("shifts") {
                    let each = [-0.2, 0.5].map(|epsilon| law.tails(epsilon)).into_iter();
                    let each = each.flat_map(|t| [t.p, t.q, t.error, t.slack]);
                    found.push(steady::mark(&each.collect::<Vec<_>>()));
                }
            }
        }
        steady::holds(
            &found,
            "18.0 2745404714595703.0 8050659419967446.0 7718660348750401.0 3103686017437455.0 184.0
         4712161034753264.0 6957791755009078.0 4898532018967912.0 627846329279233.0 5.0
         5478236481318044.0 2094575204922164.0 3684319852213761.0 4003763515171849.0 1.0
         4457420139003904.0 3107683579499753.0 3107683579499753.0 3107683579499753.0",
        );
    }
}
