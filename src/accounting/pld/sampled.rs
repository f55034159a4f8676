//! Laws under sampling of the records: Poisson's and of a fixed size.

use super::law::{LossLaw, Tails, gathered_at_an_end, is_dense};
use crate::float::U;
use crate::float::elementary::{exp, exp_m1, ln, ln_1p};

/// Which dataset holds the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// P has it: (1−q)Q + qP against Q.
    Removal,
    /// Q has it: Q against (1−q)Q + qP.
    Addition,
}

/// A symmetric law under Poisson sampling at rate q (Zhu, Dong and Wang 2022, Theorem 11): if (P, Q)
/// dominates the mechanism, these mixtures dominate the sampled one.
///
/// ```
/// use dp_assay::accounting::pld::law::{GaussianLaw, profile};
/// use dp_assay::accounting::pld::sampled::{Direction, FixedSize, Sampled};
///
/// // At 0 nats δ is the total variation distance: sampling multiplies it by the rate.
/// let base = GaussianLaw { mu: 1.0 };
/// let poisson = Sampled { base, rate: 0.01, direction: Direction::Removal };
/// let whole = profile(&base, 0.0).hi;
/// assert!((0.0099..0.0101).contains(&(profile(&poisson, 0.0).hi / whole)));
/// // So does a batch of fixed size.
/// assert!((0.0099..0.0101).contains(&(profile(&FixedSize::new(base, 0.01), 0.0).hi / whole)));
/// ```
#[derive(Clone, Debug)]
pub struct Sampled<L> {
    /// The law without sampling; must be symmetric.
    pub base: L,
    /// q in [0, 1].
    pub rate: f64,
    /// The direction.
    pub direction: Direction,
}

/// The base threshold θ at which the loss sampled with the record in P, ln(1 − q + qe^θ), is ε.
struct Threshold {
    /// θ as computed; −∞ below the support, whose end may be `slack` lower.
    base: f64,
    /// e^{−θ} and e^{ε−θ}, relative errors below u(12 + 4|θ| + |ε|).
    inverse: f64,
    ratio: f64,
    /// e^{−ε}, relative error below 16u.
    shrink: f64,
    /// How far the sampled loss at θ is from ε.
    slack: f64,
}

impl Threshold {
    /// θ = ln g with g = e^θ = 1 + (e^ε − 1)/q.
    ///
    /// The sampled loss at θ is ln(1 + (q(e^θ − g))/e^ε) + ε, so that an absolute error of q·g counts
    /// relative to e^ε, which is at least 1 − q. From ε ≥ −0.69 on, e^ε − 1 is computed with relative error
    /// 6u, its quotient with one more: 7u|e^ε − 1| of q·g. Below, e^ε has error 3u, 1 − q and the
    /// difference u: 6u·e^ε. The sum and the logarithm add (2 + 4|θ|)u·qg.
    fn new(epsilon: f64, q: f64) -> Self {
        if epsilon > 36.0 {
            return Self::far(epsilon, q);
        }
        let near = epsilon >= -0.69;
        let (power, growth, base, error);
        if near {
            let excess = exp_m1(epsilon);
            power = 1.0 + excess;
            growth = 1.0 + excess / q;
            base = ln_1p(excess / q);
            error = 7.0 * excess.abs() / power;
        } else {
            power = exp(epsilon);
            growth = (power - (1.0 - q)) / q;
            base = ln(growth.max(0.0));
            error = 6.0;
        }
        if !(growth > 0.0) {
            return Self {
                base: f64::NEG_INFINITY,
                inverse: f64::INFINITY,
                ratio: f64::INFINITY,
                shrink: 1.0 / power,
                slack: 1.01 * U * error,
            };
        }
        let rounding = error + (2.0 + 4.0 * base.abs()) * q * growth / power;
        Self {
            base,
            inverse: 1.0 / growth,
            ratio: power / growth,
            shrink: 1.0 / power,
            slack: 1.01 * U * rounding,
        }
    }

    /// Where e^θ may overflow: θ = ε + ln(1 − (1 − q)e^{−ε}) − ln q. The loss rises no faster than θ, whose
    /// three terms are off by 4u of themselves and their sums by u.
    fn far(epsilon: f64, q: f64) -> Self {
        let (shrink, rate) = (exp(-epsilon), ln(q));
        let base = epsilon + ln_1p(-(1.0 - q) * shrink) - rate;
        Self {
            base,
            inverse: exp(-base),
            ratio: exp(epsilon - base),
            shrink,
            slack: U * (16.0 + 4.0 * base.abs() + 8.0 * rate.abs()),
        }
    }
}

impl<L: LossLaw> Sampled<L> {
    /// The sampled loss at a base loss: ln(1 − q + qe^L) or −ln(1 − q + qe^{−L}).
    fn loss(&self, base: f64) -> f64 {
        let q = self.rate;
        let forward = |b: f64| {
            let inner = q * exp_m1(b);
            if b > 36.0 {
                b + ln(q + (1.0 - q) * exp(-b))
            } else if inner < -0.5 {
                ln(1.0 - q + q * exp(b))
            } else {
                ln_1p(inner)
            }
        };
        match self.direction {
            Direction::Removal => forward(base),
            Direction::Addition => -forward(-base),
        }
    }
}

impl<L: LossLaw> LossLaw for Sampled<L> {
    fn tails(&self, epsilon: f64) -> Tails {
        let q = self.rate;
        if q == 0.0 {
            return if epsilon < 0.0 {
                Tails::everything(epsilon)
            } else {
                Tails::nothing()
            };
        }
        if q == 1.0 {
            return self.base.tails(epsilon);
        }
        // Addition is the mirror image: the loss is −ln(1 − q + qe^{−L}).
        let sign = match self.direction {
            Direction::Removal => 1.0,
            Direction::Addition => -1.0,
        };
        let at = Threshold::new(sign * epsilon, q);
        let threshold = sign * at.base;
        if threshold < -600.0 || threshold == f64::INFINITY {
            let end = if threshold < 0.0 {
                Tails::everything(epsilon)
            } else {
                Tails::nothing()
            };
            return Tails {
                slack: at.slack,
                ..end
            };
        }
        let base = self.base.tails(threshold);
        // e^ε·Q(A) and P(A) from e^{threshold}·Q₀(A) and P₀(A).
        let (p, scaled_q) = match self.direction {
            Direction::Removal => (
                (1.0 - q) * (base.q * at.inverse) + q * base.p,
                at.ratio * base.q,
            ),
            Direction::Addition => (
                base.p,
                (1.0 - q) * at.shrink * base.p + q * (base.q / at.ratio),
            ),
        };
        Tails {
            p: p.min(1.0),
            q: scaled_q,
            error: base.error + U * (24.0 + 4.0 * (epsilon.abs() + threshold.abs())),
            slack: at.slack + base.slack,
        }
    }

    fn infinite(&self) -> f64 {
        match self.direction {
            Direction::Removal => self.rate * self.base.infinite() * (1.0 - 2.0 * U),
            Direction::Addition => 0.0,
        }
    }

    fn leak(&self) -> f64 {
        let (rate, base) = (self.rate, self.base.leak());
        match self.direction {
            Direction::Removal if rate > 0.0 && base > 0.0 => {
                let product = rate * base;
                // What is exact stays: an ε at just this δ is asked for.
                let exact = product >= 1e-290 && rate.mul_add(base, -product) <= 0.0;
                if exact { product } else { product.next_up() }
            }
            _ => 0.0,
        }
    }

    fn support(&self) -> (f64, f64) {
        let (lo, hi) = self.base.support();
        if self.rate == 0.0 {
            return (0.0, 0.0);
        }
        // What only one of the two laws has is a finite loss of the mixture.
        let unbounded = self.base.infinite() > 0.0;
        let gathered = |end: f64| unbounded || end.is_infinite();
        // No atom may lie beyond the end by rounding: it would be missing from the sketch that plans a lattice. Where
        // the loss is far below its base, base and ln q are off, and their sum with them.
        let end = |base: f64, outward: f64| {
            let loss = self.loss(base);
            loss + outward * U * (12.0 * loss.abs() + 4.0 * (base.abs() - 36.0).max(0.0))
        };
        match self.direction {
            Direction::Removal if gathered(lo) => (ln_1p(-self.rate), end(hi, 1.0)),
            Direction::Addition if gathered(hi) => (end(lo, -1.0), -ln_1p(-self.rate)),
            _ => (end(lo, -1.0), end(hi, 1.0)),
        }
    }

    /// The end where the sampled-out mass gathers, unless the base has an atom of its own.
    fn anchor(&self) -> f64 {
        let (lo, hi) = self.support();
        match self.direction {
            _ if self.base.anchor() != 0.0 => self.loss(self.base.anchor()),
            Direction::Removal if lo.is_finite() => lo,
            Direction::Addition if hi.is_finite() => hi,
            _ => 0.0,
        }
    }

    /// Of a base that has a density.
    fn gathered(&self, step: f64) -> Option<f64> {
        let mixed = self.rate > 0.0 && self.rate < 1.0;
        let known = mixed && is_dense(&self.base);
        known.then(|| gathered_at_an_end(self, step))
    }

    /// Two atoms stay two; of more, the sampled ones are not even.
    fn pitch(&self) -> Option<f64> {
        let ((lo, hi), pitch) = (self.base.support(), self.base.pitch()?);
        let two = (hi - lo - pitch).abs() <= 1e-10 * pitch && self.rate > 0.0;
        two.then(|| self.loss(hi) - self.loss(lo))
    }
}

/// Fixed-size sampling without replacement of a fraction q, one record replaced: `base` is the symmetric law of the
/// batch of which one record is replaced, for Gaussian noise that of μ = 2Δ/σ.
///
/// Per order γ = e^ε ≥ 1 what sampling leaves has the mixture first: D_{1+q(γ−1)} ≤ q·D_γ (Balle, Barthe and
/// Gaboardi 2018, Theorem 9), the profile of (1−q)Q + qP against Q. For γ < 1 it is
/// its mirror image, since D_γ(P‖Q) = 1 − γ + γ·D_{1/γ}(Q‖P). The greater of the two profiles at every
/// order is the dominating one; the P masses of the two halves leave an atom at ε = 0.
#[derive(Clone, Debug)]
pub struct FixedSize<L> {
    removal: Sampled<L>,
    addition: Sampled<L>,
}

impl<L: LossLaw + Clone> FixedSize<L> {
    /// Batches of a fraction `rate` of the records, of which one replaced record changes the answers by `base`.
    #[must_use]
    pub fn new(base: L, rate: f64) -> Self {
        let sampled = |base, direction| Sampled {
            base,
            rate,
            direction,
        };
        Self {
            removal: sampled(base.clone(), Direction::Removal),
            addition: sampled(base, Direction::Addition),
        }
    }
}

impl<L: LossLaw> LossLaw for FixedSize<L> {
    fn tails(&self, epsilon: f64) -> Tails {
        if epsilon >= 0.0 {
            self.removal.tails(epsilon)
        } else {
            self.addition.tails(epsilon)
        }
    }

    fn support(&self) -> (f64, f64) {
        (self.addition.support().0, self.removal.support().1)
    }

    fn infinite(&self) -> f64 {
        self.removal.infinite()
    }

    fn leak(&self) -> f64 {
        self.removal.leak()
    }

    fn anchor(&self) -> f64 {
        if self.removal.base.anchor() == 0.0 {
            0.0
        } else {
            self.removal.anchor()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::discrete_law::DiscreteLaw;
    use super::super::law::GaussianLaw;
    use super::super::law::LaplaceLaw;
    use super::*;
    use crate::accounting::steady;

    /// Mostly drawn, a record is as telling as the formula says, on every branch.
    #[test]
    fn the_loss_of_a_sample_is_the_logarithm_of_the_mixed_ratio() {
        for rate in [0.01, 0.4, 0.6, 0.9, 0.99] {
            for j in -60..=60 {
                let base = 0.5 * f64::from(j);
                let removal = (1.0 - rate + rate * base.exp()).ln();
                let addition = -(1.0 - rate + rate * (-base).exp()).ln();
                for (direction, truth) in [
                    (Direction::Removal, removal),
                    (Direction::Addition, addition),
                ] {
                    let law = Sampled {
                        base: GaussianLaw { mu: 1.0 },
                        rate,
                        direction,
                    };
                    let found = law.loss(base);
                    // The formula rounds the mixed ratio, which is at least 0.01, four times, and its logarithm once.
                    let close = 8.0 * f64::EPSILON * (1.0 + truth.abs());
                    assert!(
                        (found - truth).abs() <= close,
                        "{rate}, {base}: {found}, {truth}"
                    );
                }
            }
        }
    }

    #[test]
    fn thresholds_and_tails_are_what_they_were() {
        let mut marks = Vec::new();
        let epsilons = [
            -50.0, -3.0, -0.7, -0.68, -0.01, 0.0, 1e-6, 0.4, 2.0, 35.0, 37.0, 400.0,
        ];
        for rate in [1e-5, 0.2, 0.6, 0.99] {
            let found = epsilons.iter().flat_map(|epsilon| {
                let at = Threshold::new(*epsilon, rate);
                [at.base, at.inverse, at.ratio, at.shrink, at.slack]
            });
            marks.push(steady::mark(&found.collect::<Vec<_>>()));
        }
        fn numbers(law: &impl LossLaw, epsilons: &[f64]) -> f64 {
            let each = epsilons.iter().map(|epsilon| law.tails(*epsilon));
            let each = each.flat_map(|t| [t.p, t.q, t.error, t.slack]);
            let (lo, hi) = law.support();
            let ends = [lo, hi, law.anchor(), law.infinite(), law.leak()];
            let places = [law.pitch(), law.gathered(0.01)].map(|x| x.unwrap_or(-9.0));
            steady::mark(&each.chain(ends).chain(places).collect::<Vec<_>>())
        }
        for rate in [0.0, 0.2, 0.999, 1.0] {
            for direction in [Direction::Removal, Direction::Addition] {
                let gaussian = Sampled {
                    base: GaussianLaw { mu: 1.3 },
                    rate,
                    direction,
                };
                let laplace = Sampled {
                    base: LaplaceLaw { pure: 0.8 },
                    rate,
                    direction,
                };
                let atoms = Sampled {
                    base: DiscreteLaw::approximate(45.0, 1e-3),
                    rate,
                    direction,
                };
                marks.push(numbers(&gaussian, &epsilons));
                marks.push(numbers(&laplace, &epsilons));
                marks.push(numbers(&atoms, &epsilons));
            }
            marks.push(numbers(
                &FixedSize::new(GaussianLaw { mu: 2.0 }, rate),
                &epsilons,
            ));
            marks.push(numbers(
                &FixedSize::new(LaplaceLaw { pure: 2.0 }, rate),
                &epsilons,
            ));
        }
        steady::holds(
            &marks,
            "7267668033835791.0 6401140146027832.0 2111241811783922.0 6438322631188213.0
         7728851696606487.0 7728851696606487.0 7728851696606487.0 7728851696606487.0
         3854147338897759.0 3854147338897759.0 7728851696606487.0 7728851696606487.0
         6295452055728447.0 4663730649498533.0 6683514139976733.0 3619230538995014.0
         6036348713627529.0 7470742709261150.0 990504435732964.0 5860862759689754.0
         4771261989815989.0 2239272582166180.0 1280997189674598.0 4110119432706232.0
         1071520543694437.0 3583155716058904.0 4482476858621618.0 8901395817653833.0
         8746247898680812.0 2930690678820921.0 8698069111441036.0 8746247898680812.0
         2930690678820921.0 8185909255180324.0 8596641457282624.0 8165515535846874.0",
        );
    }

    /// The threshold of the base that mixes to ε, against MPFR, to within its slack.
    #[test]
    fn a_threshold_is_off_by_no_more_than_it_says() {
        use rug::Float;
        let wide = |x: f64| Float::with_val(300, x);
        for rate in [1e-6, 0.1, 0.5, 0.9, 0.999] {
            for j in -70..=700 {
                let epsilon = 0.057 * f64::from(j);
                let at = Threshold::new(epsilon, rate);
                let growth = (wide(epsilon).exp() - 1u32) / rate + 1u32;
                if growth <= 0 {
                    continue;
                }
                // An error of the base moves the loss by its share q·growth/e^ε.
                let share = growth.clone() * rate / wide(epsilon).exp();
                let off = (growth.ln() - at.base).abs() * share;
                assert!(off <= at.slack, "{rate}, {epsilon}: {off} {:e}", at.slack);
                assert!(
                    at.slack < 1e-13 * (1.0 + epsilon.abs()),
                    "{rate}, {epsilon}"
                );
            }
        }
    }
}
