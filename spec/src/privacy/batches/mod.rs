//! Pairs that dominate batches as programs draw them.
//!
//! Everything is made of one record's presence: [`SampledPair`] where it comes or goes, [`Exchanged`] where it is replaced, [`Told`]
//! where the pair is drawn by chance and named, and [`Mixtures`] of Gaussian laws where shifts are known. The claims
//! `acc-exchange`, `acc-fixed-size`, `acc-with-replacement`, `acc-with-replacement-told`, `acc-truncated-poisson` and
//! `acc-poisson-replaced-gaussian` say which of them dominates what. With b = e^ε and h the profile of a symmetric pair:
//!
//! ```text
//! removing: b = 1 + q(c − 1),  δ = q h(c), 1 − b where c ≤ 0,      Q[L > ε] = f(c);
//! adding:   k = 1 − b(1 − q),  δ = k h(bq/k), 0 where k ≤ 0,       Q[L > ε] = (1−q)h + qf/k;
//! replaced: b = 1 + q(a − 1),  δ = q h(a) for b ≥ 1, and 1 − b + b δ(1/b) below.
//! ```

mod mixtures;

use super::gaussian::Gdp;
use super::notion::Profile;
use super::pld::{DominatingPair, LossPair};
use super::solve;
use super::subsampled::Direction;
use crate::arith::{Interval, PRECISION};
use std::sync::Arc;

pub use mixtures::Mixtures;

/// A pair that several others are made of.
pub type Shared = Arc<dyn LossPair + Send>;

/// A sample at a rate of all records, of which one is there or not; the pair of its presence is symmetric.
pub struct SampledPair {
    base: Shared,
    rate: Interval,
    direction: Direction,
}

impl Profile for SampledPair {
    fn delta(&self, epsilon: &Interval) -> Interval {
        solve::decreasing(epsilon, |e| self.delta_and_fall(e).0)
    }
}

impl LossPair for SampledPair {
    fn delta_and_fall(&self, epsilon: &Interval) -> (Interval, Interval) {
        let (zero, one) = (Interval::from(0), Interval::from(1));
        let (b, q) = (epsilon.exp(), &self.rate);
        let anything = zero.hull(&one);
        match self.direction {
            Direction::Remove => {
                let excess = &epsilon.exp_m1() + q;
                if *excess.lo() <= 0 {
                    // h(c) lies between 1 − c and 1.
                    let most = zero.hull(&excess.max(&zero));
                    let some = if *excess.hi() > 0 { anything } else { one };
                    return ((-epsilon.exp_m1() + most).max(&zero), some);
                }
                let (h, fall) = self.base.delta_and_fall(&(&excess / q).ln());
                (q * &h, fall)
            }
            Direction::Add => {
                let keep = &one - q;
                let k = &one - &(&b * &keep);
                if *k.lo() <= 0 {
                    let some = if *k.hi() > 0 { anything } else { zero.clone() };
                    return (zero.hull(&k.max(&zero)), some);
                }
                let (h, fall) = self.base.delta_and_fall(&(&(&b * q) / &k).ln());
                (&k * &h, &(&keep * &h) + &(&(q * &fall) / &k))
            }
        }
    }
}

/// A batch of a fixed share of all records, one of which is replaced; the pair of one member exchanged is symmetric.
pub struct Exchanged {
    base: Shared,
    rate: Interval,
}

impl Profile for Exchanged {
    fn delta(&self, epsilon: &Interval) -> Interval {
        solve::decreasing(epsilon, |e| self.delta_and_fall(e).0)
    }
}

impl LossPair for Exchanged {
    fn delta_and_fall(&self, epsilon: &Interval) -> (Interval, Interval) {
        let one = Interval::from(1);
        if *epsilon.lo() >= 0 {
            let level = &one + &(&epsilon.exp_m1() / &self.rate);
            let (h, fall) = self.base.delta_and_fall(&level.ln());
            return (&self.rate * &h, fall);
        }
        if *epsilon.hi() > 0 {
            let all = Interval::from(0).hull(&one);
            return (all.clone(), all);
        }
        let b = epsilon.exp();
        let (c, fall) = self.delta_and_fall(&-epsilon);
        let lost = &(&one - &c) - &(&fall / &b);
        (&(&one - &b) + &(&b * &c), lost)
    }
}

/// One of several pairs by chance, and told which.
pub struct Told(Vec<(Interval, Shared)>);

impl Profile for Told {
    fn delta(&self, epsilon: &Interval) -> Interval {
        self.0
            .iter()
            .map(|(w, pair)| w * &pair.delta(epsilon))
            .sum()
    }
}

impl LossPair for Told {
    fn delta_and_fall(&self, epsilon: &Interval) -> (Interval, Interval) {
        let zero = Interval::from(0);
        self.0
            .iter()
            .fold((zero.clone(), zero), |sum, (weight, pair)| {
                let (delta, fall) = pair.delta_and_fall(epsilon);
                (&sum.0 + &(weight * &delta), &sum.1 + &(weight * &fall))
            })
    }
}

/// Pr[Bin(n, p) = k] for all k.
#[must_use]
pub fn binomial(n: u32, p: &Interval) -> Vec<Interval> {
    let rest = &Interval::from(1) - p;
    let mut choose = rug::Integer::from(1);
    let masses = (0..=n).map(|k| {
        let ways = Interval::point(rug::Float::with_val(PRECISION, &choose));
        choose = choose.clone() * (n - k) / (k + 1);
        &ways * &(&p.powi(k) * &rest.powi(n - k))
    });
    masses.collect()
}

/// A mechanism as schemes see it: the symmetric pair of so many presences, and μ where it is Gaussian noise.
pub struct Presences {
    /// The pair of a group's presence, by its size.
    pub group: Box<dyn Fn(u32) -> Shared>,
    /// Δ/σ of Gaussian noise.
    pub mu: Option<Interval>,
}

impl Presences {
    /// Gaussian noise.
    #[must_use]
    pub fn gaussian(mu: Interval) -> Self {
        let group = {
            let mu = mu.clone();
            move |k: u32| -> Shared {
                let mu = &mu * &Interval::from(i64::from(k));
                Arc::new(Gdp { mu })
            }
        };
        Self {
            group: Box::new(group),
            mu: Some(mu),
        }
    }

    /// A batch of a share of all records, without replacement.
    #[must_use]
    pub fn fixed_size(&self, rate: &Interval, replaced: bool) -> DominatingPair {
        scheme(&(self.group)(2), rate, replaced)
    }

    /// So many draws from so many records, with replacement.
    #[must_use]
    pub fn with_replacement(&self, draws: u32, size: u32, replaced: bool) -> DominatingPair {
        let one = Interval::from(1);
        let weights = binomial(draws, &(&one / &Interval::from(i64::from(size))));
        if let (Some(mu), false) = (&self.mu, replaced) {
            let shift = |k: usize| mu * &Interval::from(2 * k as i64);
            let with = weights.iter().enumerate();
            let with = with.map(|(k, w)| (w.clone(), shift(k))).collect();
            let removal = Mixtures::new(with, vec![(one, Interval::from(0))]);
            let addition = removal.reversed();
            return DominatingPair::directed(Arc::new(removal), Arc::new(addition));
        }
        let drawn = &one - &weights[0];
        let parts = weights.iter().zip(0u32..).skip(1);
        let told = parts.map(|(w, k)| (w / &drawn, (self.group)(2 * k)));
        scheme(
            &(Arc::new(Told(told.collect())) as Shared),
            &drawn,
            replaced,
        )
    }

    /// A Poisson sample of so many records, cut to a size; `None` where no pair is known.
    #[must_use]
    pub fn truncated(
        &self,
        rate: &Interval,
        (cap, records): (u32, u32),
        replaced: bool,
    ) -> Option<DominatingPair> {
        let one = Interval::from(1);
        let others = binomial(records - 1, rate);
        let full: Interval = others[cap as usize..].iter().cloned().sum();
        // The record's place among those of a cut sample: pB/(J + 1), given J.
        let places = others.iter().zip(1i64..).skip(cap as usize);
        let taken: Interval = places.map(|(w, drawn)| w / &Interval::from(drawn)).sum();
        let share = &(&(rate * &Interval::from(i64::from(cap))) * &taken) / &full;
        let open = &one - &full;
        let cut = (self.group)(2);
        if replaced {
            let whole = self.replaced(rate)?;
            let rate = share;
            let told = Told(vec![
                (open, whole),
                (full, Arc::new(Exchanged { base: cut, rate })),
            ]);
            let pair: Shared = Arc::new(told);
            return Some(DominatingPair::directed(pair.clone(), pair));
        }
        let [remove, add] = Direction::BOTH.map(|direction| -> Shared {
            let sample = |base: Shared, rate: &Interval| -> Shared {
                let rate = rate.clone();
                Arc::new(SampledPair {
                    base,
                    rate,
                    direction,
                })
            };
            let whole = sample((self.group)(1), rate);
            Arc::new(Told(vec![
                (open.clone(), whole),
                (full.clone(), sample(cut.clone(), &share)),
            ]))
        });
        Some(DominatingPair::directed(remove, add))
    }

    /// A Poisson sample of which one record is replaced.
    #[must_use]
    pub fn replaced(&self, rate: &Interval) -> Option<Shared> {
        let mu = self.mu.as_ref()?;
        let (zero, rest) = (Interval::from(0), &Interval::from(1) - rate);
        let side = |shift: Interval| vec![(rest.clone(), zero.clone()), (rate.clone(), shift)];
        Some(Arc::new(Mixtures::new(side(mu.clone()), side(-mu))))
    }
}

/// A sample of a fixed size, with the pair of an exchange.
fn scheme(base: &Shared, rate: &Interval, replaced: bool) -> DominatingPair {
    let base = || base.clone();
    let rate = || rate.clone();
    if replaced {
        let pair: Shared = Arc::new(Exchanged {
            base: base(),
            rate: rate(),
        });
        return DominatingPair::directed(pair.clone(), pair);
    }
    let [remove, add] = Direction::BOTH.map(|direction| -> Shared {
        Arc::new(SampledPair {
            base: base(),
            rate: rate(),
            direction,
        })
    });
    DominatingPair::directed(remove, add)
}

#[cfg(test)]
mod tests;
