//! Poisson samples that are cut to a size.
//!
//! At rate p, cap B, n records with the one that is added: let J ~ Bin(n−1, p) of the others be drawn.
//! If J < B, both data sets have the same batch, and the record joins it with probability p. If J ≥ B, the batch of
//! the smaller data set is a uniform B of the J, whatever J is, and in the larger one the record takes the place of a uniform
//! member with probability pB/(J+1), on average r = (B/n)·Pr\[Bin(n, p) > B\]/Pr\[J ≥ B\]. Divergences are jointly
//! convex, so that the law that tells whether J ≥ B dominates: a Poisson sample of rate p, or a batch of fixed size with
//! the fraction r (Chua et al. 2024, whose second part is looser: both data sets with an additional record each).

use super::{attained, gaussian};
use crate::accounting::AccountError;
use crate::accounting::allocation::normal_mass;
use crate::accounting::binomial::Binomial;
use crate::accounting::event::{Event, Sampling, Step};
use crate::accounting::float::{self, Enclosure};
use crate::accounting::pld::Chosen;
use crate::accounting::pld::discrete_law::DiscreteLaw;
use crate::accounting::pld::law::LossLaw;
use crate::accounting::samples::{self, Laws};
use crate::units::Neighbouring;
use std::sync::Arc;

/// A Poisson sample cut to a size.
pub(super) struct Cut {
    rate: f64,
    cap: u64,
    /// The law of the other records drawn.
    others: Binomial,
    /// Pr\[J ≥ B\], and Pr\[J < B\].
    full: Enclosure,
    room: Enclosure,
    /// r.
    share: Enclosure,
    records: u64,
}

impl Cut {
    pub(super) fn new(rate: f64, cap: u64, records: u64) -> Result<Self, AccountError> {
        let p = Enclosure::point(rate);
        let others = Binomial::new(records - 1, p)?;
        let (full, room) = (others.at_least(cap), others.fewer_than(cap));
        // What is nearly 1 is known better from what it lacks.
        let sharper = |a: Enclosure, b: Enclosure| if a.width() < b.width() { a } else { b };
        let (full, room) = (sharper(full, 1.0 - room), sharper(room, 1.0 - full));
        let beyond = Binomial::new(records, p)?.at_least(cap + 1);
        let fraction = Enclosure::from(cap) / Enclosure::from(records);
        // No J leaves the record a larger share than its rate.
        let share = if full.lo > 0.0 {
            (fraction * beyond / full).clamp(0.0, rate)
        } else {
            Enclosure::new(0.0, rate)
        };
        Ok(Self {
            rate,
            cap,
            others,
            full,
            room,
            share,
            records,
        })
    }

    pub(super) fn laws(
        &self,
        mechanism: &Event,
        neighbours: Neighbouring,
    ) -> Result<Option<Laws>, AccountError> {
        let step = |sampling| Step {
            mechanism: mechanism.clone(),
            sampling,
            count: 1,
        };
        if !matches!(
            neighbours,
            Neighbouring::AddRemove | Neighbouring::ReplaceOne
        ) {
            return Ok(None);
        }
        let open = samples::laws(&step(Sampling::Poisson(self.rate)), neighbours)?;
        let full = samples::laws(&step(Sampling::FixedSize(self.share.hi)), neighbours)?;
        let (Some(open), Some(full)) = (open, full) else {
            return Ok(None);
        };
        // A weight that is hardly there counts as lost: its own relative error would be the whole.
        let rare = self.full.lo < 1e-200;
        let pair = |(a, b): (&Arc<dyn LossLaw>, &Arc<dyn LossLaw>)| {
            let parts = vec![(self.room, a.clone()), (self.full, b.clone())];
            let told = if rare {
                Chosen::new(vec![(Enclosure::point(1.0), a.clone())], self.full.hi)
            } else {
                Chosen::new(parts, 0.0)
            };
            Arc::new(told) as Arc<dyn LossLaw>
        };
        let sides = open.len().max(full.len());
        let side = |laws: &Laws, i: usize| laws[i.min(laws.len() - 1)].clone();
        let both = (0..sides).map(|i| pair((&side(&open, i), &side(&full, i))));
        Ok(Some(both.collect()))
    }

    /// Others that answer 0, so that the record shows if it is in the batch; and others that answer −Δ.
    pub(super) fn attacks(&self, mechanism: &Event) -> Result<Vec<Laws>, AccountError> {
        let Some(once) = attained(mechanism, 1)? else {
            return Ok(Vec::new());
        };
        let shown = samples::sampled(&once, self.present().lo);
        let among = self.among(mechanism, None)?;
        Ok([shown].into_iter().chain(among).collect())
    }

    /// The same others, where the replacement answers −Δ.
    pub(super) fn attacks_replaced(&self, mechanism: &Event) -> Result<Vec<Laws>, AccountError> {
        // Of other noise the law of a Poisson sample is a bound.
        if gaussian(mechanism)?.is_none() {
            return Ok(Vec::new());
        }
        let step = Step {
            mechanism: mechanism.clone(),
            sampling: Sampling::Poisson(self.present().lo),
            count: 1,
        };
        let shown = samples::laws(&step, Neighbouring::ReplaceOne)?;
        let among = self.among(mechanism, Some(-1.0))?;
        Ok(shown.into_iter().chain(among).collect())
    }

    /// The probability that the record is in the batch.
    fn present(&self) -> Enclosure {
        ((1.0 - self.full) * self.rate + self.full * self.share).clamp(0.0, 1.0)
    }

    /// The record answers Δ among others that answer −Δ, and its replacement as given, if they are few enough for their sum to be
    /// looked at in cells.
    fn among(
        &self,
        mechanism: &Event,
        replacement: Option<f64>,
    ) -> Result<Option<Laws>, AccountError> {
        let few = gaussian(mechanism)?.filter(|_| self.cap <= 64);
        Ok(few.map(|(delta, sigma)| {
            let (p, q) = (self.sums(Some(1.0)), self.sums(replacement));
            let cells = |p, q| in_cells(p, q, sigma / delta);
            vec![cells(&p, &q), cells(&q, &p)]
        }))
    }

    /// The law of the sum in units of Δ, where all others answer −Δ and the record, if there is one, so many Δ: pairs of (value,
    /// probability), enclosed.
    fn sums(&self, record: Option<f64>) -> Sums {
        let absent = Enclosure::point(0.0);
        let rate = record.map_or(absent, |_| Enclosure::point(self.rate));
        let share = record.map_or(absent, |_| self.share);
        let answer = record.unwrap_or(0.0);
        let mut sums = Vec::new();
        for j in 0..self.cap.min(self.records) {
            let (others, mass) = (-(j as f64), self.others.mass(j));
            sums.push((others, mass * (1.0 - rate)));
            sums.push((others + answer, mass * rate));
        }
        // The record takes the place of another.
        let others = -(self.cap as f64);
        sums.push((others, self.full * (1.0 - share)));
        sums.push((others + 1.0 + answer, self.full * share));
        sums
    }
}

/// Values with their probabilities, enclosed.
type Sums = Vec<(f64, Enclosure)>;

/// What is left of two mixtures of N(x, σ²) when only cells of the line are told, with the P masses rounded down and the Q
/// masses up: no more than what the whole line tells.
fn in_cells(p: &[(f64, Enclosure)], q: &[(f64, Enclosure)], sigma: f64) -> Arc<dyn LossLaw> {
    const CELLS_A_SIGMA: f64 = 64.0;
    const REACH: f64 = 12.0;
    let values = || p.iter().chain(q).map(|(x, _)| *x);
    let least = values().fold(f64::INFINITY, f64::min) - REACH * sigma;
    let largest = values().fold(f64::NEG_INFINITY, f64::max) + REACH * sigma;
    let width = (sigma / CELLS_A_SIGMA).max((largest - least) / 1e5);
    let cells = ((largest - least) / width).ceil() as u64;
    let mut atoms = Vec::new();
    for cell in 0..cells {
        let ends = (
            least + cell as f64 * width,
            least + (cell + 1) as f64 * width,
        );
        let mass = |law: &[(f64, Enclosure)]| {
            let each = law.iter().map(|(x, weight)| {
                *weight * normal_mass((ends.0 - x) / sigma, (ends.1 - x) / sigma, x.abs() / sigma)
            });
            each.fold(Enclosure::point(0.0), |sum, part| sum + part)
        };
        let (above, below) = (mass(p).lo, mass(q).hi);
        if above > 1e-300 && below > 1e-300 {
            atoms.push((float::elementary::ln(above / below), above));
        }
    }
    Arc::new(DiscreteLaw::new(atoms, 0.0, 4.0 * f64::EPSILON, None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use rug::{Integer, Rational};

    fn noise() -> Event {
        Event::Gaussian {
            sigma: 1.5,
            sensitivity: 0.5,
        }
    }

    #[test]
    fn laws_and_attacks_are_what_they_were() {
        let mut found = Vec::new();
        for (rate, cap, records) in [(0.25, 3, 10), (0.01, 40, 1000), (0.5, 9, 9), (1e-3, 64, 70)] {
            let cut = Cut::new(rate, cap, records).expect("in range");
            for part in [cut.full, cut.room, cut.share, cut.present()] {
                found.extend([part.lo, part.hi]);
            }
            for record in [Some(1.0), Some(-1.0), None] {
                let sums = cut.sums(record).into_iter();
                let sums = sums.flat_map(|(x, mass)| [x, mass.lo, mass.hi]);
                found.push(steady::mark(&sums.collect::<Vec<_>>()));
            }
            let mut laws = Vec::new();
            for neighbours in [Neighbouring::AddRemove, Neighbouring::ReplaceOne] {
                let own = cut.laws(&noise(), neighbours).expect("in range");
                laws.extend(own.expect("known of Gaussian noise"));
            }
            laws.extend(cut.attacks(&noise()).expect("in range").concat());
            laws.extend(cut.attacks_replaced(&noise()).expect("in range").concat());
            found.push(laws.len() as f64);
            for law in laws {
                let tails = [-0.5, 0.3].map(|epsilon| law.tails(epsilon));
                let tails = tails.map(|t| steady::mark(&[t.p, t.q, t.error, t.slack]));
                found.extend([tails[0], tails[1], law.infinite()]);
            }
        }
        let marks: Vec<f64> = found.chunks(12).map(steady::mark).collect();
        steady::holds(
            &marks,
            "8472833797253325.0 1934809457572916.0 1486433929856552.0 2070297691777798.0
         5902027670825161.0 8496089507803659.0 7394357314920915.0 3203375509367799.0
         3439828096406677.0 553355922075512.0 2144253496171142.0 2103118011614358.0
         6006837061425196.0 4249755085888144.0",
        );
    }

    /// Of all the others whose batch is full, and of the share that the record then has, in exact
    /// arithmetic.
    #[test]
    fn the_share_of_a_full_batch_is_enclosed() {
        for (halves, cap, records) in [(1u32, 3u64, 10u64), (2, 1, 7), (3, 5, 12)] {
            let rate = Rational::from((halves, 4u32));
            let chance = |trials: u64, k: u64| -> Rational {
                let ways = Integer::from(trials).binomial(k as u32);
                let power = |x: &Rational, n: u64| (0..n).fold(Rational::from(1), |all, _| all * x);
                power(&rate, k) * power(&(Rational::from(1) - &rate), trials - k) * ways
            };
            let full: Rational = (cap..records).map(|k| chance(records - 1, k)).sum();
            let beyond: Rational = (cap + 1..=records).map(|k| chance(records, k)).sum();
            let share = Rational::from((cap, records)) * beyond / &full;
            let present = (Rational::from(1) - &full) * &rate + full.clone() * &share;
            let cut = Cut::new(rate.to_f64(), cap, records).expect("in range");
            let room = Rational::from(1) - &full;
            for (found, truth) in [
                (cut.full, full),
                (cut.room, room),
                (cut.share, share),
                (cut.present(), present),
            ] {
                assert!(
                    found.lo <= truth && truth <= found.hi,
                    "{cap} of {records}: {found:?}"
                );
                assert!(found.width() < 1e-13, "{cap} of {records}: {found:?}");
            }
        }
    }
}
