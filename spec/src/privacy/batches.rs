//! Pairs that dominate batches as programs draw them.
//!
//! Everything is made of one record's presence: [`Sampled`] where it comes or goes, [`Exchanged`] where it is replaced, [`Told`]
//! where the pair is drawn by chance and named, and [`Mixtures`] of Gaussian laws where shifts are known. The claims
//! `acc-exchange`, `acc-fixed-size`, `acc-with-replacement`, `acc-with-replacement-told`, `acc-truncated-poisson` and
//! `acc-poisson-replaced-gaussian` say which of them dominates what. With b = e^ε and h the profile of a symmetric pair:
//!
//! ```text
//! removing: b = 1 + q(c − 1),  δ = q h(c), 1 − b where c ≤ 0,      Q[L > ε] = f(c);
//! adding:   k = 1 − b(1 − q),  δ = k h(bq/k), 0 where k ≤ 0,       Q[L > ε] = (1−q)h + qf/k;
//! replaced: b = 1 + q(a − 1),  δ = q h(a) for b ≥ 1, and 1 − b + b δ(1/b) below.
//! ```

use super::gaussian::Gdp;
use super::notion::Profile;
use super::pld::{LossPair, Release};
use super::solve;
use super::subsampled::Direction;
use crate::arith::normal::upper_tail;
use crate::arith::{Interval, PRECISION};
use std::sync::Arc;

/// A pair that several others are made of.
pub type Shared = Arc<dyn LossPair + Send>;

/// A sample at a rate of all records, of which one is there or not; the pair of its presence is symmetric.
pub struct Sampled {
    base: Shared,
    rate: Interval,
    direction: Direction,
}

impl Profile for Sampled {
    fn delta(&self, epsilon: &Interval) -> Interval {
        solve::decreasing(epsilon, |e| self.delta_and_fall(e).0)
    }
}

impl LossPair for Sampled {
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

/// Mixtures Σ wᵢN(sᵢ, 1) on either side, no shift of P below one of Q: the loss grows with z.
pub struct Mixtures {
    sides: [Vec<(Interval, Interval)>; 2],
    /// Beyond this all that is left is a tail.
    reach: f64,
}

impl Mixtures {
    /// The pair of two lists of (weight, shift).
    #[must_use]
    pub fn new(p: Vec<(Interval, Interval)>, q: Vec<(Interval, Interval)>) -> Self {
        let far = p.iter().chain(&q).map(|(_, s)| s.hi_f64().abs());
        let reach = 40.0 + far.fold(0.0, f64::max);
        Self {
            sides: [p, q],
            reach,
        }
    }

    /// (P, Q) mirrored and exchanged.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mirrored = |side: &[(Interval, Interval)]| {
            side.iter()
                .map(|(w, s)| (w.clone(), -s))
                .collect::<Vec<_>>()
        };
        Self::new(mirrored(&self.sides[1]), mirrored(&self.sides[0]))
    }

    /// The density over that of N(0, 1), and its logarithmic slope.
    fn density(side: &[(Interval, Interval)], z: &Interval) -> (Interval, Interval) {
        let half = Interval::from_f64(0.5);
        let zero = Interval::from(0);
        let (sum, slope) = side.iter().fold((zero.clone(), zero), |sum, (w, s)| {
            let term = w * &(s * &(z - &(s * &half))).exp();
            (&sum.0 + &term, &sum.1 + &(s * &term))
        });
        let slope = &slope / &sum;
        (sum, slope)
    }

    /// The loss at z, and its slope.
    fn loss(&self, z: &Interval) -> (Interval, Interval) {
        let [(p, up), (q, down)] = self.sides.each_ref().map(|side| Self::density(side, z));
        (&p.ln() - &q.ln(), &up - &down)
    }

    /// The loss in doubles.
    fn rough(&self, z: f64) -> f64 {
        let log = |side: &[(Interval, Interval)]| -> f64 {
            let terms = side.iter().map(|(w, s)| {
                let s = s.lo_f64();
                w.hi_f64().ln() + s * (z - 0.5 * s)
            });
            let terms: Vec<f64> = terms.collect();
            let top = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            top + terms.iter().map(|x| (x - top).exp()).sum::<f64>().ln()
        };
        log(&self.sides[0]) - log(&self.sides[1])
    }

    /// An interval in which the loss passes ε: by bisection in doubles, Newton's method, and a change of sign that is certain.
    fn threshold(&self, epsilon: &Interval) -> Interval {
        let (goal, all) = (epsilon.lo_f64(), Interval::between(-self.reach, self.reach));
        let (mut low, mut high) = (-self.reach, self.reach);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.rough(middle) < goal {
                low = middle;
            } else {
                high = middle;
            }
        }
        let mut z = Interval::from_f64(low);
        for _ in 0..3 {
            let (loss, slope) = self.loss(&z);
            let next = &z - &(&(&loss - epsilon) / &slope);
            if !next.is_finite() {
                return all;
            }
            z = Interval::point(next.lo().clone());
        }
        let mut radius = Interval::power_of_two(-96);
        for _ in 0..10 {
            let (left, right) = (&z - &radius, &z + &radius);
            let sure = self.loss(&left).0.certainly_lt(epsilon)
                && epsilon.certainly_lt(&self.loss(&right).0);
            if sure {
                return left.hull(&right);
            }
            radius = &radius * &Interval::from(256);
        }
        all
    }

    /// Pr[Z > z] on either side.
    fn tails(&self, z: &Interval) -> [Interval; 2] {
        self.sides.each_ref().map(|side| {
            let each = side.iter().map(|(w, s)| w * &upper_tail(&(z - s)));
            each.sum()
        })
    }
}

impl Profile for Mixtures {
    fn delta(&self, epsilon: &Interval) -> Interval {
        solve::decreasing(epsilon, |e| self.delta_and_fall(e).0)
    }
}

impl LossPair for Mixtures {
    fn delta_and_fall(&self, epsilon: &Interval) -> (Interval, Interval) {
        let (zero, one, b) = (Interval::from(0), Interval::from(1), epsilon.exp());
        let least = (-epsilon.exp_m1()).max(&zero);
        let [left, right] = [-self.reach, self.reach].map(Interval::from_f64);
        if !epsilon.certainly_lt(&self.loss(&right).0) {
            // What lies above the threshold, if anything, lies beyond the right end; unless it is not certain.
            if !self.loss(&right).0.certainly_le(epsilon) {
                return (least.hull(&one), zero.hull(&one));
            }
            let [p, q] = self.tails(&right);
            return (least.hull(&least.max(&p)), zero.hull(&q));
        }
        if !self.loss(&left).0.certainly_lt(epsilon) {
            if !epsilon.certainly_le(&self.loss(&left).0) {
                return (least.hull(&one), zero.hull(&one));
            }
            // All but the left end is above.
            let [_, q] = self.tails(&left);
            let gone = &one - &q;
            return (least.hull(&(&least + &(&b * &gone))), q.hull(&one));
        }
        let [p, q] = self.tails(&self.threshold(epsilon));
        ((&p - &(&b * &q)).max(&least).min(&one), q)
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
pub struct Mechanism {
    /// The pair of a group's presence, by its size.
    pub group: Box<dyn Fn(u32) -> Shared>,
    /// Δ/σ of Gaussian noise.
    pub mu: Option<Interval>,
}

impl Mechanism {
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
    pub fn fixed_size(&self, rate: &Interval, replaced: bool) -> Release {
        scheme(&(self.group)(2), rate, replaced)
    }

    /// So many draws from so many records, with replacement.
    #[must_use]
    pub fn with_replacement(&self, draws: u32, size: u32, replaced: bool) -> Release {
        let one = Interval::from(1);
        let weights = binomial(draws, &(&one / &Interval::from(i64::from(size))));
        if let (Some(mu), false) = (&self.mu, replaced) {
            let shift = |k: usize| mu * &Interval::from(2 * k as i64);
            let with = weights.iter().enumerate();
            let with = with.map(|(k, w)| (w.clone(), shift(k))).collect();
            let removal = Mixtures::new(with, vec![(one, Interval::from(0))]);
            let addition = removal.reversed();
            return Release::directed(Arc::new(removal), Arc::new(addition));
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
    ) -> Option<Release> {
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
            return Some(Release::directed(pair.clone(), pair));
        }
        let [remove, add] = Direction::BOTH.map(|direction| -> Shared {
            let sample = |base: Shared, rate: &Interval| -> Shared {
                let rate = rate.clone();
                Arc::new(Sampled {
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
        Some(Release::directed(remove, add))
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
fn scheme(base: &Shared, rate: &Interval, replaced: bool) -> Release {
    let base = || base.clone();
    let rate = || rate.clone();
    if replaced {
        let pair: Shared = Arc::new(Exchanged {
            base: base(),
            rate: rate(),
        });
        return Release::directed(pair.clone(), pair);
    }
    let [remove, add] = Direction::BOTH.map(|direction| -> Shared {
        Arc::new(Sampled {
            base: base(),
            rate: rate(),
            direction,
        })
    });
    Release::directed(remove, add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::privacy::laplace::Laplace;
    use crate::privacy::subsampled::PoissonGaussian;

    fn exact(x: f64) -> Interval {
        Interval::from_f64(x)
    }

    /// Three ways to one sampled Gaussian: as a sample of a pair, as a mixture, and in closed form.
    #[test]
    fn a_sample_a_mixture_and_the_closed_form_are_one() {
        let (q, mu) = (exact(0.25), exact(0.75));
        let step = PoissonGaussian::new(q.clone(), &exact(1.0) / &mu).expect("in range");
        let rest = &exact(1.0) - &q;
        let with = vec![(rest, exact(0.0)), (q.clone(), mu.clone())];
        let removal = Mixtures::new(with, vec![(exact(1.0), exact(0.0))]);
        let mixtures = [removal.reversed(), removal];
        for (direction, mixture) in [Direction::Add, Direction::Remove]
            .into_iter()
            .zip(&mixtures)
        {
            let step = super::super::pld::SampledGaussian {
                step: &step,
                direction,
            };
            let base = (Mechanism::gaussian(mu.clone()).group)(1);
            let rate = q.clone();
            let sampled = Sampled {
                base,
                rate,
                direction,
            };
            for epsilon in [-0.3, -0.2, 0.0, 0.1, 0.28, 1.0, 3.0] {
                let e = exact(epsilon);
                let [a, b, c] = [
                    step.delta_and_fall(&e),
                    sampled.delta_and_fall(&e),
                    mixture.delta_and_fall(&e),
                ];
                for (x, y) in [(&a.0, &b.0), (&a.0, &c.0), (&a.1, &b.1), (&a.1, &c.1)] {
                    assert!(x.intersect(y).is_some(), "{direction:?} {epsilon}: {x} {y}");
                    assert!(y.width() < 1e-25, "{direction:?} {epsilon}: {y}");
                }
            }
        }
    }

    #[test]
    fn a_binomial_law_sums_to_one_with_its_mean() {
        let law = binomial(12, &exact(0.3));
        let total: Interval = law.iter().cloned().sum();
        let mean: Interval = law
            .iter()
            .zip(0i64..)
            .map(|(w, k)| w * &Interval::from(k))
            .sum();
        assert!(total.contains(1.0) && total.width() < 1e-30, "{total}");
        assert!((mean.hi_f64() - 3.6).abs() < 1e-14, "{mean}");
    }

    /// Above 1 the replaced record's profile is that of one that leaves, below that of one that comes.
    #[test]
    fn an_exchange_is_the_greater_of_both_directions() {
        let (base, rate) = ((Mechanism::gaussian(exact(0.5)).group)(2), exact(0.125));
        let sample = |direction| Sampled {
            base: base.clone(),
            rate: rate.clone(),
            direction,
        };
        let pair = Exchanged {
            base: base.clone(),
            rate: rate.clone(),
        };
        for epsilon in [-1.0, -0.1, 0.0, 0.1, 1.0] {
            let e = exact(epsilon);
            let both = Direction::BOTH.map(|d| sample(d).delta(&e));
            let (found, greater) = (pair.delta(&e), both[0].max(&both[1]));
            assert!(
                found.intersect(&greater).is_some(),
                "{epsilon}: {found} {greater}"
            );
        }
    }

    /// Pairs of every kind.
    fn pairs() -> Vec<(&'static str, Shared)> {
        let (q, mu) = (exact(0.25), exact(0.75));
        let gaussian = Mechanism::gaussian(mu.clone());
        let laplace: Shared = Arc::new(Laplace::new(&exact(1.0), &exact(1.5)).expect("in range"));
        let mut all = vec![
            ("laplace", laplace.clone()),
            ("gaussian", (gaussian.group)(1)),
        ];
        let rate = q.clone();
        let base = laplace.clone();
        all.push(("exchanged laplace", Arc::new(Exchanged { base, rate })));
        for direction in Direction::BOTH {
            let (base, rate) = (laplace.clone(), q.clone());
            all.push((
                "sampled laplace",
                Arc::new(Sampled {
                    base,
                    rate,
                    direction,
                }),
            ));
            let (base, rate) = ((gaussian.group)(1), q.clone());
            all.push((
                "sampled gaussian",
                Arc::new(Sampled {
                    base,
                    rate,
                    direction,
                }),
            ));
        }
        all.push((
            "replaced",
            gaussian.replaced(&q).expect("noise is Gaussian"),
        ));
        let parts = vec![(exact(0.25), laplace), (exact(0.75), (gaussian.group)(2))];
        all.push(("told", Arc::new(Told(parts))));
        let with = vec![(exact(0.5), exact(0.0)), (exact(0.5), mu)];
        let removal = Mixtures::new(with, vec![(exact(1.0), exact(0.0))]);
        all.push(("reversed mixture", Arc::new(removal.reversed())));
        all.push(("mixture", Arc::new(removal)));
        all
    }

    /// −f(x) is a subgradient of δ at x = e^ε: between two points δ falls by no more than f at the first, and no less than f at the
    /// second says. It is at least 1 − x, and where all of the loss is above, that.
    #[test]
    fn profiles_of_all_pairs_have_the_tangents_that_they_say() {
        let epsilons: Vec<f64> = (-20..=20)
            .map(|j| f64::from(j) / 8.0 + 1.0 / 64.0)
            .collect();
        for (name, pair) in pairs() {
            let at = |e: &f64| {
                let (delta, fall) = pair.delta_and_fall(&exact(*e));
                (exact(*e).exp(), delta, fall)
            };
            let known: Vec<_> = epsilons.iter().map(at).collect();
            for (e, ((x, delta, fall), (y, next, later))) in
                epsilons.iter().zip(known.iter().zip(&known[1..]))
            {
                let (run, lost) = (y - x, delta - next);
                let slack = Interval::power_of_two(-80);
                assert!(
                    !(&(fall * &run) + &slack).certainly_lt(&lost),
                    "{name} falls faster at {e}"
                );
                assert!(
                    !lost.certainly_lt(&(&(later * &run) - &slack)),
                    "{name} falls slower after {e}"
                );
                assert!(
                    *delta.hi() >= *(&Interval::from(1) - x).lo(),
                    "{name} at {e}"
                );
                assert!(
                    delta.width() < 1e-20 && fall.width() < 1e-20,
                    "{name} at {e}: {delta}, {fall}"
                );
            }
            let left = &Interval::from(1) - &pair.delta(&exact(-60.0));
            assert!(*left.lo() >= 0 && left.hi_f64() < 1e-25, "{name}: {left}");
        }
    }

    /// What is said of an interval of ε is true of all in it, also where a loss ends.
    #[test]
    fn profiles_of_intervals_hold_those_of_their_points() {
        let ends = [-1.5, 1.5, 0.75f64.ln(), -(0.75f64.ln()), 0.0];
        for (name, pair) in pairs() {
            for (end, reach) in ends.into_iter().flat_map(|e| [(e, 0.25), (e, 1e-9)]) {
                let points = [
                    end - reach,
                    end - 0.5 * reach,
                    end + 0.5 * reach,
                    end + reach,
                ]
                .map(exact);
                let wide = pair.delta_and_fall(&points[0].hull(&points[3]));
                for point in &points {
                    let (delta, fall) = pair.delta_and_fall(point);
                    for (all, one) in [(&wide.0, delta), (&wide.1, fall)] {
                        assert!(
                            all.intersect(&one).is_some(),
                            "{name} around {end}: {all} without {one}"
                        );
                    }
                }
            }
        }
    }

    /// q of the distance of N(μ, 1) from N(−μ, 1) is that of the mixtures, which share the rest.
    #[test]
    fn a_replaced_record_of_a_sample_is_seen_at_its_rate() {
        let (q, mu) = (exact(0.25), exact(0.75));
        let pair = Mechanism::gaussian(mu.clone())
            .replaced(&q)
            .expect("noise is Gaussian");
        let truth = &q * &(&mu.phi() - &(-&mu).phi());
        let found = pair.delta(&exact(0.0));
        assert!(found.intersect(&truth).is_some(), "{found}, {truth}");
        assert!(found.width() < 1e-20);
    }

    /// Beyond the end on the left all but a tail is above, and near the end of a sample's losses δ is known within what
    /// may lie above it: neither is left out.
    #[test]
    fn what_may_lie_above_an_end_is_in_the_bound() {
        let (q, mu, one) = (exact(0.25), exact(0.75), exact(1.0));
        let pair = Mixtures::new(
            vec![(one.clone(), mu.clone())],
            vec![(one.clone(), exact(0.0))],
        );
        let end = pair.loss(&exact(-pair.reach)).0;
        let epsilon = &end - &one;
        let least = -epsilon.exp_m1();
        let most = &least + &(&epsilon.exp() * &(&one - &pair.tails(&exact(-pair.reach))[1]));
        let found = pair.delta_and_fall(&epsilon).0;
        assert!(found.hi() >= most.hi(), "{found}, {most}");

        let (low, high) = (exact(-0.3), exact(-0.25));
        let most = &(-low.exp_m1()) + &(&high.exp_m1() + &q);
        let step = PoissonGaussian::new(q.clone(), &one / &mu).expect("in range");
        let direction = Direction::Remove;
        let base = (Mechanism::gaussian(mu).group)(1);
        let sampled = Sampled {
            base,
            rate: q,
            direction,
        };
        let closed = super::super::pld::SampledGaussian {
            step: &step,
            direction,
        };
        let both: [&dyn LossPair; 2] = [&sampled, &closed];
        for pair in both {
            let found = pair.delta_and_fall(&low.hull(&high)).0;
            assert!(found.hi() >= most.lo(), "{found}, {most}");
        }
    }

    /// The loss in doubles is the loss, also where one of its laws is far below the other.
    #[test]
    fn a_rough_loss_is_the_loss() {
        let side = |shifts: [f64; 2]| {
            vec![
                (exact(0.25), exact(shifts[0])),
                (exact(0.75), exact(shifts[1])),
            ]
        };
        let pair = Mixtures::new(side([0.5, 2.0]), side([-1.0, 0.25]));
        for z in [-30.0, -2.0, 0.0, 0.3, 5.0, 30.0] {
            let (loss, rough) = (pair.loss(&exact(z)).0, pair.rough(z));
            assert!(
                (loss.hi_f64() - rough).abs() < 1e-12,
                "{z}: {loss}, {rough}"
            );
        }
        assert_eq!(pair.reach, 42.0);
        assert_eq!(pair.reversed().reach, 42.0);
    }

    /// Of two shifts the loss is linear: it passes ε at (ε + (s² − r²)/2)/(s − r).
    #[test]
    fn the_point_where_a_loss_passes_a_value_is_enclosed_closely() {
        let one = |s: f64| vec![(exact(1.0), exact(s))];
        for (s, r, epsilon) in [
            (0.75, 0.0, 0.3),
            (2.0, -1.0, -4.0),
            (0.01, 0.0, 0.2),
            (8.0, -8.0, 60.0),
        ] {
            let truth = (epsilon + 0.5 * (s * s - r * r)) / (s - r);
            let found = Mixtures::new(one(s), one(r)).threshold(&exact(epsilon));
            let near = (found.hi_f64() - truth).abs() < 1e-13 * (1.0 + truth.abs());
            assert!(
                near && found.width() < 1e-22,
                "{s}, {r}, {epsilon}: {found}, {truth}"
            );
        }
    }

    /// δ of a batch of a share q whose member moves by two: q h(1 + (e^ε − 1)/q), by Gaussian noise in closed form.
    fn exchanged(mu: f64, q: f64, epsilon: f64) -> f64 {
        let level = 1.0 + epsilon.exp_m1() / q;
        q * Gdp { mu: exact(mu) }.delta(&exact(level).ln()).hi_f64()
    }

    /// δ of a Poisson sample, in closed form.
    fn sampled(mu: f64, q: f64, epsilon: f64, direction: Direction) -> f64 {
        let step = PoissonGaussian::new(exact(q), &exact(1.0) / &exact(mu)).expect("in range");
        let pair = super::super::pld::SampledGaussian {
            step: &step,
            direction,
        };
        pair.delta(&exact(epsilon)).hi_f64()
    }

    fn at(release: &Release, direction: Direction, epsilon: f64) -> f64 {
        let pair = release.pair(direction).expect("it is told");
        let delta = pair.delta(&exact(epsilon));
        assert!(delta.width() < 1e-20, "{delta}");
        delta.hi_f64()
    }

    fn near(found: f64, truth: f64, told: &str) {
        assert!(
            (found - truth).abs() < 1e-13 && truth > 1e-3,
            "{told}: {found}, {truth}"
        );
    }

    /// With every scheme the record counts as often as it is drawn, by probabilities that are counted here by hand.
    #[test]
    fn schemes_are_mixtures_of_what_may_be_drawn() {
        let (mu, p, epsilon) = (0.75, 0.25f64, 0.125);
        let noise = Mechanism::gaussian(exact(mu));
        for direction in Direction::BOTH {
            let told = format!("{direction:?}");
            let fixed = noise.fixed_size(&exact(p), false);
            near(
                at(&fixed, direction, epsilon),
                sampled(2.0 * mu, p, epsilon, direction),
                &told,
            );
            let fixed = noise.fixed_size(&exact(p), true);
            near(
                at(&fixed, direction, epsilon),
                exchanged(2.0 * mu, p, epsilon),
                &told,
            );

            // Two draws from four records, one of which is drawn once or twice: 6/16 and 1/16.
            let draws = noise.with_replacement(2, 4, true);
            let (once, drawn) = (6.0 / 16.0, 7.0 / 16.0);
            let each = |k: f64| exchanged(2.0 * k * mu, drawn, epsilon);
            let truth = (once * each(1.0) + (drawn - once) * each(2.0)) / drawn;
            near(at(&draws, direction, epsilon), truth, &told);

            // Others that are drawn with the record, out of three, where two fit: 2 or 3 of them are too many.
            let [two, three] = [3.0 * p * p * (1.0 - p), p.powi(3)];
            let full = two + three;
            let share = 2.0 * p * (two / 3.0 + three / 4.0) / full;
            let cut = noise
                .truncated(&exact(p), (2, 4), false)
                .expect("a pair is known");
            let truth = (1.0 - full) * sampled(mu, p, epsilon, direction)
                + full * sampled(2.0 * mu, share, epsilon, direction);
            near(at(&cut, direction, epsilon), truth, &told);
            let cut = noise
                .truncated(&exact(p), (2, 4), true)
                .expect("a pair is known");
            let replaced = noise.replaced(&exact(p)).expect("noise is Gaussian");
            let truth = (1.0 - full) * replaced.delta(&exact(epsilon)).hi_f64()
                + full * exchanged(2.0 * mu, share, epsilon);
            near(at(&cut, direction, epsilon), truth, &told);
        }
        // Of draws with replacement the loss is that of a mixture: P[z > t] − b Q[z > t] at its best threshold.
        let draws = noise.with_replacement(2, 4, false);
        let weights = [9.0 / 16.0, 6.0 / 16.0, 1.0 / 16.0];
        let tail = |x: f64| upper_tail(&exact(x)).hi_f64();
        let gain = |t: f64, sign: f64| {
            let parts = (0i32..).zip(weights);
            let with: f64 = parts
                .map(|(k, w)| w * tail(sign * (t - f64::from(2 * k) * mu)))
                .sum();
            sign * 0.5 * (1.0 + sign) * (with - f64::exp(epsilon) * tail(t))
                + 0.5 * (1.0 - sign) * (tail(-t) - f64::exp(epsilon) * with)
        };
        for (direction, sign) in [(Direction::Remove, 1.0), (Direction::Add, -1.0)] {
            let best = (-4000..8000).map(|j| gain(f64::from(j) / 1000.0, sign));
            let best = best.fold(0.0, f64::max);
            let found = at(&draws, direction, epsilon);
            assert!(
                (found - best).abs() < 1e-6 && best > 1e-3,
                "{direction:?}: {found}, {best}"
            );
        }
        let other = Mechanism {
            group: Box::new(|k| (Mechanism::gaussian(exact(0.75)).group)(k)),
            mu: None,
        };
        assert!(other.replaced(&exact(p)).is_none());
        assert!(other.truncated(&exact(p), (2, 4), true).is_none());
        assert!(other.truncated(&exact(p), (2, 4), false).is_some());
        // What is not known to be Gaussian is told how often it was drawn, which is no less.
        let told = other.with_replacement(2, 4, false);
        for direction in Direction::BOTH {
            assert!(at(&told, direction, epsilon) > at(&draws, direction, epsilon));
        }
    }

    /// A sample of nothing has no losses but 0, where all of it is known.
    #[test]
    fn a_sample_of_nothing_tells_nothing() {
        for (direction, fall) in [(Direction::Remove, 1), (Direction::Add, 0)] {
            let base = (Mechanism::gaussian(exact(1.0)).group)(1);
            let none = Sampled {
                base,
                rate: exact(0.0),
                direction,
            };
            let found = none.delta_and_fall(&exact(0.0));
            assert_eq!(
                found,
                (Interval::from(0), Interval::from(fall)),
                "{direction:?}"
            );
        }
    }

    /// One draw out of four records draws each at a rate of 1/4.
    #[test]
    fn one_draw_with_replacement_is_a_sample_of_one() {
        let mu = exact(0.75);
        let release = Mechanism::gaussian(mu.clone()).with_replacement(1, 4, false);
        let step = PoissonGaussian::new(exact(0.25), &exact(0.5) / &mu).expect("in range");
        for direction in Direction::BOTH {
            let drawn = release.pair(direction).expect("it is told");
            let sampled = super::super::pld::SampledGaussian {
                step: &step,
                direction,
            };
            let [a, b] = [
                drawn.delta_and_fall(&exact(0.2)).0,
                sampled.delta_and_fall(&exact(0.2)).0,
            ];
            assert!(a.intersect(&b).is_some() && a.width() < 1e-20, "{a}, {b}");
        }
    }
}
