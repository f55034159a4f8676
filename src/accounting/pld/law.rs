//! Laws of the privacy loss, seen through their tails.

use crate::accounting::float::elementary::{exp, exp_m1, ln, ln_1p};
use crate::accounting::float::{ERFC_ERROR, Enclosure, U, normal_density, normal_tail};

/// Masses of a set A with {L > ε + slack} ⊆ A ⊆ {L > ε − slack}.
#[derive(Clone, Copy, Debug)]
pub struct Tails {
    /// P(A).
    pub p: f64,
    /// e^ε·Q(A), which stays in range where e^ε does not.
    pub q: f64,
    /// Bound on the relative error of both.
    pub error: f64,
    /// How far the threshold may be off.
    pub slack: f64,
}

impl Tails {
    /// Everything: P(A) = Q(A) = 1.
    #[must_use]
    pub fn everything(epsilon: f64) -> Self {
        Self {
            p: 1.0,
            q: exp(epsilon.min(0.0)),
            error: 4.0 * U,
            slack: 0.0,
        }
    }

    /// Nothing.
    #[must_use]
    pub const fn nothing() -> Self {
        Self {
            p: 0.0,
            q: 0.0,
            error: 0.0,
            slack: 0.0,
        }
    }
}

/// The law of a privacy loss L = ln(dP/dQ) under P and under Q.
pub trait LossLaw: Send + Sync {
    /// Tail masses beyond the threshold ε. The sets A must shrink as ε grows.
    fn tails(&self, epsilon: f64) -> Tails;

    /// An interval that contains every finite loss; ends may be infinite.
    fn support(&self) -> (f64, f64);

    /// d > 0 if all finite losses are multiples of d (up to rounding).
    fn lattice(&self) -> Option<f64> {
        None
    }

    /// P mass of infinite loss, rounded down.
    fn infinite(&self) -> f64 {
        0.0
    }

    /// A loss that a lattice should hit: an atom, or an end at which much mass gathers.
    fn anchor(&self) -> f64 {
        0.0
    }
}

/// Gaussian noise: L ~ N(μ²/2, μ²) under P. Symmetric: (Q, P) has the same law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaussianLaw {
    /// Δ/σ.
    pub mu: f64,
}

impl LossLaw for GaussianLaw {
    /// P(A) = Φ(−x), e^ε·Q(A) = e^ε·Φ(−y), x = ε/μ − μ/2, y = x + μ. Rounding x by e changes Φ(−x) by
    /// less than (|x|+1)e relatively, which the error includes.
    fn tails(&self, epsilon: f64) -> Tails {
        let mu = self.mu;
        if mu == 0.0 {
            return if epsilon < 0.0 {
                Tails::everything(epsilon)
            } else {
                Tails::nothing()
            };
        }
        let centre = epsilon / mu;
        let (x, y) = (centre - 0.5 * mu, centre + 0.5 * mu);
        let rounding = 3.0 * U * (centre.abs() + mu);
        let size = x.abs().max(y.abs()) + 1.0;
        // e^ε·φ(y) = φ(x).
        let q = if y >= 0.0 {
            normal_density(x) * crate::accounting::float::mills(y)
        } else {
            exp(epsilon) * normal_tail(y)
        };
        let error = ERFC_ERROR + 2.0 * rounding * size + 8.0 * U;
        Tails {
            p: normal_tail(x),
            q,
            error,
            slack: 0.0,
        }
    }

    fn support(&self) -> (f64, f64) {
        if self.mu == 0.0 {
            (0.0, 0.0)
        } else {
            (f64::NEG_INFINITY, f64::INFINITY)
        }
    }
}

/// Laplace noise with ε₀ = Δ/b: L has atoms of mass ½ and ½e^{−ε₀} at ±ε₀ and a density between.
/// Symmetric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LaplaceLaw {
    /// Δ/b.
    pub pure: f64,
}

impl LossLaw for LaplaceLaw {
    fn tails(&self, epsilon: f64) -> Tails {
        let e = self.pure;
        if epsilon >= e {
            return Tails::nothing();
        }
        if epsilon < -e {
            return Tails::everything(epsilon);
        }
        let half = exp(0.5 * (epsilon - e));
        let error = U * (16.0 + 2.0 * (epsilon.abs() + e));
        Tails {
            p: 1.0 - 0.5 * half,
            q: 0.5 * half,
            error,
            slack: 0.0,
        }
    }

    fn support(&self) -> (f64, f64) {
        (-self.pure, self.pure)
    }

    fn anchor(&self) -> f64 {
        self.pure
    }
}

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
#[derive(Clone, Debug)]
pub struct Sampled<L> {
    /// The law without sampling; must be symmetric.
    pub base: L,
    /// q in [0, 1].
    pub rate: f64,
    /// The direction.
    pub direction: Direction,
}

impl<L: LossLaw> Sampled<L> {
    /// The base threshold at which the sampled loss equals ε: ln(1 + (e^ε − 1)/q), or its mirror image;
    /// ∓∞ outside the support.
    fn base_threshold(&self, epsilon: f64) -> f64 {
        let q = self.rate;
        let forward = |e: f64| {
            if e > 36.0 {
                return e + ln_1p(-(1.0 - q) * exp(-e)) - ln(q);
            }
            let inner = exp_m1(e) / q;
            if inner <= -1.0 {
                f64::NEG_INFINITY
            } else {
                ln_1p(inner)
            }
        };
        match self.direction {
            Direction::Removal => forward(epsilon),
            Direction::Addition => -forward(-epsilon),
        }
    }

    /// The sampled loss at a base loss: ln(1 − q + qe^L) or −ln(1 − q + qe^{−L}), and its error.
    fn loss(&self, base: f64) -> (f64, f64) {
        let q = self.rate;
        let forward = |b: f64| {
            let inner = q * exp_m1(b);
            let value = if b > 36.0 {
                b + ln(q + (1.0 - q) * exp(-b))
            } else if inner < -0.5 {
                ln(1.0 - q + q * exp(b))
            } else {
                ln_1p(inner)
            };
            (value, U * (16.0 + 8.0 * b.max(0.0) + 8.0 * value.abs()))
        };
        match self.direction {
            Direction::Removal => forward(base),
            Direction::Addition => {
                let (value, error) = forward(-base);
                (-value, error)
            }
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
        let threshold = self.base_threshold(epsilon);
        if threshold < -600.0 {
            return Tails::everything(epsilon);
        }
        if threshold == f64::INFINITY {
            return Tails::nothing();
        }
        let base = self.base.tails(threshold);
        // e^ε·Q₀(A) and e^ε·P₀(A) from e^{threshold}·Q₀(A) and P₀(A).
        let scale = exp(epsilon - threshold);
        let (p, scaled_q) = match self.direction {
            Direction::Removal => {
                let unscaled = if base.q == 0.0 {
                    0.0
                } else {
                    base.q * exp(-threshold)
                };
                ((1.0 - q) * unscaled + q * base.p, scale * base.q)
            }
            Direction::Addition => (
                base.p,
                (1.0 - q) * exp(epsilon) * base.p + q * scale * base.q,
            ),
        };
        let (at, loss_error) = self.loss(threshold);
        let error = base.error + U * (16.0 + 3.0 * (epsilon.abs() + threshold.abs()));
        let slack = (at - epsilon).abs() + loss_error + base.slack;
        Tails {
            p: p.min(1.0),
            q: scaled_q,
            error,
            slack,
        }
    }

    fn infinite(&self) -> f64 {
        match self.direction {
            Direction::Removal => self.rate * self.base.infinite() * (1.0 - 2.0 * U),
            Direction::Addition => 0.0,
        }
    }

    fn support(&self) -> (f64, f64) {
        let (lo, hi) = self.base.support();
        if self.rate == 0.0 {
            return (0.0, 0.0);
        }
        let end = |b: f64| {
            if b.is_finite() {
                return self.loss(b).0;
            }
            match (self.direction, b > 0.0) {
                (Direction::Removal, true) => f64::INFINITY,
                (Direction::Removal, false) => ln_1p(-self.rate),
                (Direction::Addition, true) => -ln_1p(-self.rate),
                (Direction::Addition, false) => f64::NEG_INFINITY,
            }
        };
        (end(lo), end(hi))
    }

    /// The end where the sampled-out mass gathers, unless the base has an atom of its own.
    fn anchor(&self) -> f64 {
        let (lo, hi) = self.support();
        match self.direction {
            _ if self.base.anchor() != 0.0 => self.loss(self.base.anchor()).0,
            Direction::Removal if lo.is_finite() => lo,
            Direction::Addition if hi.is_finite() => hi,
            _ => 0.0,
        }
    }
}

/// Fixed-size sampling without replacement of a fraction q, one record replaced, Gaussian noise: the
/// sampled record moves the mean by up to μ = 2Δ/σ.
///
/// Per order γ = e^ε ≥ 1 the worst pair has the mixture first (the other records of the batch sit
/// opposite to the new one; Kahane's inequality as in [`crate::accounting::mixture`]); for γ < 1 it is
/// its mirror image, since D_γ(P‖Q) = 1 − γ + γ·D_{1/γ}(Q‖P). The greater of the two profiles at every
/// order is the dominating one; the P masses of the two halves leave an atom at ε = 0.
#[derive(Clone, Debug)]
pub struct FixedSize {
    removal: Sampled<GaussianLaw>,
    addition: Sampled<GaussianLaw>,
}

impl FixedSize {
    /// Batches of a fraction `rate` of the records, replaced records moving the sum by at most μσ.
    #[must_use]
    pub fn new(mu: f64, rate: f64) -> Self {
        let base = GaussianLaw { mu };
        Self {
            removal: Sampled {
                base,
                rate,
                direction: Direction::Removal,
            },
            addition: Sampled {
                base,
                rate,
                direction: Direction::Addition,
            },
        }
    }
}

impl LossLaw for FixedSize {
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
}

/// Encloses the one-step profile δ(ε) = P(A) − e^ε·Q(A) of a law. Any set gives a lower bound; a
/// threshold off by `slack` leaves out losses above ε by at most that, or takes in as many below.
#[must_use]
pub fn profile(law: &dyn LossLaw, epsilon: f64) -> Enclosure {
    let t = law.tails(epsilon);
    let error = t.error * (t.p + t.q) * 1.01 + 1e-300;
    let near = if t.slack > 0.0 {
        law.tails(epsilon - 2.0 * t.slack).p
    } else {
        0.0
    };
    let slack = 4.0 * t.slack * near;
    let difference = t.p - t.q;
    Enclosure::new(difference - error, difference + error + slack).clamp(0.0, 1.0)
}
