//! Minimum separation ("b-min-sep" sampling: Dong and Ganesh 2026, arXiv 2602.09338): at each of T steps a record takes part with
//! probability p, unless it did at one of the b − 1 before; all that is before the first step as if the run had gone on for ever, so
//! that every step has the share q = p/(1 + (b − 1)p) of the records. b = 1 is Poisson's, p = 1 balls in bins.
//!
//! The worst case is the mean of N(Δ1_π, σ²I) over the patterns π, as of every sampled run (`acc-matrix-sampled`; correlated noise is
//! reduced to independent noise on contributions of norm Δ first). Given the rows before, a row's record takes part with probability
//! p at most, and in b rows once at most, so that the run is dominated (`acc-min-separation`) by
//!
//! * Poisson samples at rate p, row by row;
//! * for every b rows an allocation to one of ⌊1/p⌋ steps; for the first, each of which has q, a sample at rate bq of one to b;
//! * noise on the largest that any pattern moves: ⌈T/b⌉ participations;
//! * if p = 1, allocation of all participations together to one of b bins.
//!
//! What looks best is taken, for the first b rows and the others apart; all are safe. No theorem known to us says what the worst case is
//! worth exactly: from below there are attacks alone, on a number that is a sum of some rows, and on the first b rows.

use super::gram::Gram;
use super::run::{Counted, Run};
use super::told::{Noise, renewals};
use crate::accounting::event::{Event, Pattern, Sampling, Step};
use crate::accounting::float::U;
use crate::accounting::float::elementary::{exp_m1, ln_1p};
use crate::accounting::leaf::check;
use crate::accounting::pld::law::{GaussianLaw, LossLaw};
use crate::accounting::pld::sampled::{Direction, FixedSize, Sampled};
use crate::accounting::samples::{self, Laws};
use crate::accounting::{AccountError, allocation};
use crate::units::{Delta, Neighbouring};
use std::sync::Arc;

/// Most rows that an attack adds up: it may look at the first alone.
const ROWS_MAX: usize = 20_000;
/// Shifts that are rarer than this part of δ are no matter to an attack.
const RARE: f64 = 1e-3;

/// Most bins: fewer are safe.
const BINS_MAX: u64 = 10_000_000;

/// What dominates some rows, or all.
#[derive(Clone, Copy)]
enum Part {
    /// So many Poisson samples.
    Poisson(u64),
    /// So many allocations to one of so many steps.
    Allocated { steps: u64, reach: f64, count: u64 },
    /// The first b rows.
    Early,
    /// Noise on all that a pattern may move.
    Whole,
}

/// A run in which a record's participations are apart.
pub(super) struct Separated {
    noise: Noise,
    /// T.
    steps: u64,
    /// b.
    separation: u64,
    /// p.
    rate: f64,
    /// Δ of the independent noise that the run is a post-processing of, rounded up.
    reach: f64,
    /// The largest that any pattern moves the run by, rounded up.
    whole: f64,
    /// The smallest that one participation moves it by, rounded down; 0 if nothing is known from below.
    least: f64,
    /// Inner products of columns that are not orthogonal.
    gram: Option<Gram>,
}

impl Separated {
    /// Independent noise at every step.
    pub(super) fn independent(
        step: &Step,
        neighbours: Neighbouring,
    ) -> Result<Option<Self>, AccountError> {
        let (
            &Event::Gaussian { sigma, sensitivity },
            Sampling::Within(Pattern::Apart {
                steps,
                separation,
                rate,
            }),
        ) = (&step.mechanism, step.sampling)
        else {
            return Ok(None);
        };
        check(&step.mechanism)?;
        let noise = Noise {
            sigma,
            count: step.count,
            neighbours,
        };
        Ok(Some(Self {
            noise,
            steps,
            separation,
            rate,
            reach: sensitivity,
            whole: together(sensitivity, steps.div_ceil(separation)),
            least: sensitivity,
            gram: None,
        }))
    }

    /// Correlated noise.
    pub(super) fn correlated(
        run: Run<'_>,
        (separation, rate): (u64, f64),
    ) -> Result<Self, AccountError> {
        let steps = run.strategy.steps() as u64;
        let participations = steps.div_ceil(separation);
        let whole = super::sensitivity(run.strategy, participations, separation)?.hi;
        let reach = run.diagonal();
        let gram = run
            .strategy
            .is_nonnegative()
            .then(|| Gram::new(run.strategy, true));
        let least = gram.as_ref().map_or(0.0, |gram| {
            let squares = (0..gram.n).map(|i| gram.lower(i, i));
            squares.fold(f64::INFINITY, f64::min).sqrt().next_down()
        });
        Ok(Self {
            noise: run.noise,
            steps,
            separation,
            rate,
            reach,
            whole,
            least: least.max(0.0),
            gram,
        })
    }

    fn replaced(&self) -> bool {
        self.noise.neighbours == Neighbouring::ReplaceOne
    }

    /// Steps of the first b that there are, and most participations.
    fn windows(&self) -> (u64, u64) {
        let first = self.separation.min(self.steps);
        (first, self.steps.div_ceil(self.separation))
    }

    /// The probability of a participation in the first b steps, times a factor.
    fn early(&self, rounding: f64) -> f64 {
        let share = self.rate / (1.0 + (self.separation - 1) as f64 * self.rate);
        (self.windows().0 as f64 * share * rounding).min(1.0)
    }

    /// The laws that dominate the run: one after the other.
    pub(super) fn laws(&self, delta: Delta) -> Result<Option<Counted>, AccountError> {
        let (first, most) = self.windows();
        let rest = self.steps - first;
        let allocated = |steps: u64, reach, count| Part::Allocated {
            steps: steps.min(BINS_MAX),
            reach,
            count,
        };
        let own = match first > BINS_MAX {
            true => Part::Poisson(first),
            false => self.cheaper(Part::Poisson(first), Part::Early),
        };
        // m bins have the probability 1/m ≥ p each.
        let later = allocated(bins(self.rate), self.reach, most - 1);
        let others = self.cheaper(Part::Poisson(rest), later);
        let alone = match self.rate {
            1.0 => {
                let binned = allocated(self.separation, together(self.reach, most), 1);
                self.cheaper(Part::Whole, binned)
            }
            _ => Part::Whole,
        };
        if self.cost(alone) <= self.cost(own) + self.cost(others) {
            return self.law(alone, delta);
        }
        let both = self.law(own, delta)?.zip(self.law(others, delta)?);
        Ok(both.map(|(own, others)| [own, others].concat()))
    }

    fn cheaper(&self, a: Part, b: Part) -> Part {
        if self.cost(a) <= self.cost(b) { a } else { b }
    }

    /// About μ²; a replaced record has all of it fourfold.
    fn cost(&self, part: Part) -> f64 {
        let square = |reach: f64| (reach / self.noise.sigma).powi(2);
        let sampled = |weight: f64, reach| ln_1p(weight * exp_m1(square(reach).min(600.0)));
        match part {
            Part::Poisson(rows) => rows as f64 * sampled(self.rate * self.rate, self.reach),
            Part::Allocated {
                steps,
                reach,
                count,
            } => count as f64 * sampled(1.0 / steps as f64, reach),
            Part::Early => {
                let (share, steps) = (self.early(1.0), self.windows().0 as f64);
                // Whether a replaced record is there is told, so that a share counts once, not squared.
                match self.replaced() {
                    true => share * sampled(1.0 / steps, self.reach),
                    false => sampled(share.powi(2) / steps, self.reach),
                }
            }
            Part::Whole => square(self.whole),
        }
    }

    fn law(&self, part: Part, delta: Delta) -> Result<Option<Counted>, AccountError> {
        let times = |count: u64| self.noise.count.saturating_mul(count);
        let allocated = |steps, reach, count| {
            let step = self.noise.step(reach, once(steps), times(count));
            allocation::laws(&step, self.noise.neighbours, delta)
        };
        Ok(match part {
            Part::Poisson(0) | Part::Allocated { count: 0, .. } => Some(Vec::new()),
            Part::Poisson(rows) => {
                let step = self.noise.step(self.reach, Sampling::Poisson(self.rate), 1);
                let laws = samples::laws(&step, self.noise.neighbours)?;
                laws.map(|laws| vec![(laws, times(rows))])
            }
            Part::Allocated {
                steps,
                reach,
                count,
            } => allocated(steps, reach, count)?,
            Part::Early => {
                let share = self.early(1.0 + 16.0 * U);
                let parts = allocated(self.windows().0, self.reach, 1)?;
                let kept = |(laws, count)| (self.sometimes(&laws, share), count);
                parts.map(|parts| parts.into_iter().map(kept).collect())
            }
            Part::Whole => {
                let far = if self.replaced() { 2.0 } else { 1.0 };
                let mu = (self.whole * far / self.noise.sigma).next_up();
                let law: Arc<dyn LossLaw> = Arc::new(GaussianLaw { mu });
                Some(vec![(vec![law], times(1))])
            }
        })
    }

    /// The laws for a record that takes part with this probability: of its removal and its addition each is made of its own, of its
    /// replacement from the one that is its own reverse.
    fn sometimes(&self, laws: &Laws, share: f64) -> Laws {
        if self.replaced() {
            let each = laws.iter().cloned();
            return each
                .map(|law| Arc::new(FixedSize::new(law, share)) as Arc<dyn LossLaw>)
                .collect();
        }
        let directed = |direction, own: usize| {
            let base = laws[own.min(laws.len() - 1)].clone();
            Arc::new(Sampled {
                base,
                rate: share,
                direction,
            }) as Arc<dyn LossLaw>
        };
        vec![
            directed(Direction::Removal, 0),
            directed(Direction::Addition, 1),
        ]
    }

    /// Laws of neighbours that there are: a record that contributes the same wherever it takes part, and no other does anything.
    pub(super) fn attacks(&self, delta: Delta) -> Result<Vec<Counted>, AccountError> {
        if self.least <= 0.0 {
            return Ok(Vec::new());
        }
        let count = self.noise.count;
        let mut found = Vec::new();
        for stride in [1, self.separation] {
            let shifts = self.shifts(usize::try_from(stride).unwrap_or(usize::MAX), delta);
            found.push(vec![(self.noise.told(&shifts)?, count)]);
        }
        // In how many steps a bin is at least, whichever it is; or once if it is early.
        let (first, _) = self.windows();
        let reach = match (self.rate, self.steps / self.separation) {
            _ if first > BINS_MAX => return Ok(found),
            (1.0, bins @ 1..) => self.least * (bins as f64).sqrt() * (1.0 - 4.0 * U),
            _ if self.replaced() => return Ok(found),
            _ => self.least,
        };
        let step = self.noise.step(reach, once(first), count);
        let share = self.early(1.0 - 16.0 * U);
        for laws in allocation::attacks(&step, self.noise.neighbours, delta)? {
            let laws = match self.rate == 1.0 && self.separation <= self.steps {
                true => laws,
                false => self.sometimes(&laws, share),
            };
            found.push(vec![(laws, count)]);
        }
        Ok(found)
    }

    /// What the record moves the sum of every so many-th row by, along what all of them together move.
    fn shifts(&self, stride: usize, delta: Delta) -> Vec<(f64, f64)> {
        let rows = usize::try_from(self.steps)
            .unwrap_or(usize::MAX)
            .min(ROWS_MAX);
        let columns: Vec<usize> = (0..rows).step_by(stride).collect();
        let along = match &self.gram {
            Some(gram) => gram.projected(&columns),
            None => {
                let each = self.least / (columns.len() as f64).sqrt() * (1.0 - 4.0 * U);
                vec![each; columns.len()]
            }
        };
        let mut values = vec![0.0; rows];
        for (column, value) in columns.into_iter().zip(along) {
            values[column] = value;
        }
        let mut law = renewals(&values, self.separation, self.rate);
        law.retain(|(shift, mass)| *shift == 0.0 || *mass > RARE * delta.get());
        law
    }
}

/// Allocation to one of so many steps.
const fn once(steps: u64) -> Sampling {
    Sampling::RandomAllocation {
        steps,
        participations: 1,
    }
}

/// What so many orthogonal participations move, rounded up.
fn together(reach: f64, participations: u64) -> f64 {
    reach * (participations as f64).sqrt() * (1.0 + 4.0 * U)
}

/// The largest m with 1/m ≥ p: the product tells exactly.
fn bins(rate: f64) -> u64 {
    let near = (1.0 / rate).floor();
    let over = near.mul_add(rate, -1.0) > 0.0;
    (if over { near - 1.0 } else { near }).max(1.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use crate::accounting::{Accountant, account};
    use rug::Rational;

    /// Rates next to 1/m, whose reciprocals round to m.
    #[test]
    fn no_bin_is_rarer_than_a_record_is_drawn() {
        let exact = |rate: f64, m: u64| Rational::from_f64(rate).expect("finite") * m;
        for m in 1..3000u64 {
            let near = 1.0 / m as f64;
            for rate in [near.next_down(), near, near.next_up(), near * 1.01] {
                let found = bins(rate.min(1.0));
                assert!(exact(rate.min(1.0), found) <= 1, "{rate}: {found}");
                assert!(exact(rate, found + 1) > 1, "{rate}: {found}");
            }
        }
    }

    /// What comes for what goes is twice as far away, also where nearly all steps that may have a record have it.
    #[test]
    fn a_replaced_record_loses_about_twice_as_much() {
        let run = Event::BMinSeparation {
            steps: 8,
            separation: 2,
            rate: 0.95,
            event: Box::new(Event::Gaussian {
                sigma: 5.0,
                sensitivity: 1.0,
            }),
        };
        let delta = Delta::new(1e-5).expect("a delta");
        let [added, replaced] = [Neighbouring::AddRemove, Neighbouring::ReplaceOne].map(|n| {
            let report = account(&run, delta, Accountant::Auto, n, false);
            report.expect("known").epsilon_upper
        });
        assert!(added > 0.5 && replaced > 1.8 * added, "{replaced}, {added}");
    }

    /// Which part of a run is accounted for in which way, and by what numbers.
    #[test]
    fn parts_and_their_costs_are_what_they_were() {
        let mut found = Vec::new();
        for (steps, separation, rate, sigma) in [
            (8, 2, 0.95, 5.0),
            (40, 5, 0.1, 1.0),
            (12, 4, 1.0, 0.7),
            (3, 9, 0.5, 2.0),
            (30, 1, 0.02, 0.8),
        ] {
            for neighbours in [Neighbouring::AddRemove, Neighbouring::ReplaceOne] {
                let step = Step {
                    mechanism: Event::Gaussian {
                        sigma,
                        sensitivity: 0.75,
                    },
                    sampling: Sampling::Within(Pattern::Apart {
                        steps,
                        separation,
                        rate,
                    }),
                    count: 2,
                };
                let run = Separated::independent(&step, neighbours).expect("in range");
                let run = run.expect("Gaussian noise");
                let (first, most) = run.windows();
                found.extend([first as f64, most as f64, run.whole, run.early(1.0)]);
                let allocated = Part::Allocated {
                    steps: 3,
                    reach: 0.5,
                    count: 4,
                };
                let parts = [Part::Poisson(7), allocated, Part::Early, Part::Whole];
                found.extend(parts.map(|part| run.cost(part)));
                let shifts = run
                    .shifts(2, Delta::new(1e-5).expect("a delta"))
                    .into_iter();
                let shifts = shifts.flat_map(|(shift, mass)| [shift, mass]);
                found.push(steady::mark(&shifts.collect::<Vec<_>>()));
                if neighbours == Neighbouring::ReplaceOne {
                    continue; // Its laws take long, and are held where they are made.
                }
                let laws = run
                    .laws(Delta::new(1e-3).expect("a delta"))
                    .expect("in range");
                for (laws, count) in laws.expect("known") {
                    found.extend([laws.len() as f64, count as f64]);
                    let each = laws.iter().map(|law| law.tails(0.4));
                    let each = each.flat_map(|t| [t.p, t.q, t.error, t.slack]);
                    found.push(steady::mark(&each.collect::<Vec<_>>()));
                }
            }
        }
        found.push(together(0.3, 7));
        let marks: Vec<f64> = found.chunks(16).map(steady::mark).collect();
        steady::holds(
            &marks,
            "6807755003996622.0 3681907198618593.0 190377705349348.0 4309425678634864.0
         3949009057627690.0 1696654676007183.0 5631244577969085.0 2324420355168140.0",
        );
    }
}
