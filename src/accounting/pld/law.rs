//! Laws of the privacy loss, seen through their tails.

use crate::float::elementary::{exp, ln};
use crate::float::{ERFC_ERROR, Enclosure, U, mills, normal_density, normal_tail};
use std::sync::Arc;

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
///
/// ```
/// use dp_assay::accounting::pld::law::{LossLaw, Tails, profile};
///
/// // What says nothing has the loss 0.
/// struct Silent;
/// impl LossLaw for Silent {
///     fn tails(&self, epsilon: f64) -> Tails {
///         if epsilon < 0.0 { Tails::everything(epsilon) } else { Tails::nothing() }
///     }
///     fn support(&self) -> (f64, f64) {
///         (0.0, 0.0)
///     }
/// }
/// assert!(profile(&Silent, 0.0).hi < 1e-12);
/// ```
pub trait LossLaw: Send + Sync {
    /// Tail masses beyond the threshold ε. The sets A must shrink as ε grows.
    fn tails(&self, epsilon: f64) -> Tails;

    /// The tails at thresholds that increase: what is found at one may help to find the next.
    fn tails_along(&self, epsilons: &[f64]) -> Vec<Tails> {
        epsilons
            .iter()
            .map(|epsilon| self.tails(*epsilon))
            .collect()
    }

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

    /// P mass of infinite loss, rounded up; that of losses which a list of atoms leaves out counts as such. No ε covers it.
    fn leak(&self) -> f64 {
        match self.infinite() {
            none if none <= 0.0 => 0.0,
            some => some.next_up(),
        }
    }

    /// A loss that a lattice should hit: an atom, or an end at which much mass gathers.
    fn anchor(&self) -> f64 {
        0.0
    }

    /// Where a lattice of this step from below should have a node, if no loss is an atom inside the support: the loss of what
    /// gathers at an end, seen as one. `None` where there may be atoms.
    fn gathered(&self, _step: f64) -> Option<f64> {
        None
    }

    /// What tails at one threshold cost, about, in points of a window: only how a lattice is planned depends on it.
    fn cost(&self) -> f64 {
        1.0
    }

    /// d > 0 if all atoms are the anchor plus multiples of d (up to rounding): a lattice should hit them, too.
    fn pitch(&self) -> Option<f64> {
        None
    }
}

/// Whether losses have a density: those here that have no end and no lattice do.
pub(in crate::accounting) fn is_dense<L: LossLaw + ?Sized>(law: &L) -> bool {
    law.support() == (f64::NEG_INFINITY, f64::INFINITY) && law.lattice().is_none()
}

/// What [`LossLaw::gathered`] is of a law without atoms of which one end at most is finite. By a few rounds, as half of the cell around
/// that loss depends on it; from below, as a node above all of its cell has nothing.
pub(super) fn gathered_at_an_end<L: LossLaw + ?Sized>(law: &L, step: f64) -> f64 {
    const ROUNDS: usize = 16;
    let (lo, hi) = law.support();
    let mut place = match lo.is_finite() || !hi.is_finite() {
        true => law.anchor(),
        false => hi - step,
    };
    for _ in 0..ROUNDS {
        let next = if lo.is_finite() {
            let end = place + 0.5 * step;
            let beyond = law.tails(end);
            ln((1.0 - beyond.p) / (1.0 - beyond.q * exp(-end))).clamp(lo, lo + step)
        } else if hi.is_finite() {
            let end = place - 0.5 * step;
            let beyond = law.tails(end);
            let less = 1e-6 * step + 1e-12 * (1.0 + hi.abs());
            (end + ln(beyond.p / beyond.q) - less).clamp(hi - step, hi)
        } else {
            place
        };
        place = if next.is_finite() { next } else { place };
    }
    place
}

impl<L: LossLaw + ?Sized> LossLaw for Arc<L> {
    fn tails(&self, epsilon: f64) -> Tails {
        (**self).tails(epsilon)
    }

    fn tails_along(&self, epsilons: &[f64]) -> Vec<Tails> {
        (**self).tails_along(epsilons)
    }

    fn support(&self) -> (f64, f64) {
        (**self).support()
    }

    fn lattice(&self) -> Option<f64> {
        (**self).lattice()
    }

    fn infinite(&self) -> f64 {
        (**self).infinite()
    }

    fn leak(&self) -> f64 {
        (**self).leak()
    }

    fn anchor(&self) -> f64 {
        (**self).anchor()
    }

    fn gathered(&self, step: f64) -> Option<f64> {
        (**self).gathered(step)
    }

    fn cost(&self) -> f64 {
        (**self).cost()
    }

    fn pitch(&self) -> Option<f64> {
        (**self).pitch()
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
        let density = normal_density(x);
        let p = if x >= 0.0 {
            density * mills(x)
        } else {
            1.0 - density * mills(-x)
        };
        // e^ε·φ(y) = φ(x).
        let q = if y >= 0.0 {
            density * mills(y)
        } else {
            exp(epsilon) * normal_tail(y)
        };
        let error = ERFC_ERROR + 2.0 * rounding * size + 8.0 * U;
        Tails {
            p,
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

    fn pitch(&self) -> Option<f64> {
        (self.pure > 0.0).then_some(2.0 * self.pure)
    }
}

/// Encloses the one-step profile δ(ε) = P(A) − e^ε·Q(A) of a law. Any set gives a lower bound; a
/// threshold off by `slack` leaves out losses above ε by at most that, or takes in as many below.
///
/// ```
/// use dp_assay::accounting::pld::law::{GaussianLaw, LaplaceLaw, profile};
///
/// // Δ/σ = 1 at 1 nat: Φ(−½) − e·Φ(−3/2).
/// assert!((0.126..0.128).contains(&profile(&GaussianLaw { mu: 1.0 }, 1.0).hi));
/// // Δ/b = 1 at 0 nats: 1 − e^{−½}, and nothing from 1 nat on.
/// let laplace = LaplaceLaw { pure: 1.0 };
/// assert!((profile(&laplace, 0.0).hi - (1.0 - (-0.5f64).exp())).abs() < 1e-12);
/// assert!(profile(&laplace, 1.0).hi < 1e-12);
/// ```
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

/// A law whose tails are said to be off by more than they are, so that tests see what comes of it.
#[cfg(test)]
pub(in crate::accounting) struct Vague<L> {
    pub(in crate::accounting) law: L,
    pub(in crate::accounting) error: f64,
    pub(in crate::accounting) slack: f64,
}

#[cfg(test)]
impl<L: LossLaw> LossLaw for Vague<L> {
    fn tails(&self, epsilon: f64) -> Tails {
        let own = self.law.tails(epsilon);
        Tails {
            error: own.error + self.error,
            slack: own.slack + self.slack,
            ..own
        }
    }

    fn support(&self) -> (f64, f64) {
        self.law.support()
    }

    fn infinite(&self) -> f64 {
        self.law.infinite()
    }

    fn gathered(&self, step: f64) -> Option<f64> {
        self.law.gathered(step)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sampled::{Direction, Sampled};
    use super::*;
    use crate::accounting::steady;

    /// A law that says nothing of it leaks what has no finite loss, and a little more.
    #[test]
    fn what_has_no_finite_loss_leaks() {
        let law = |left_out: f64| Vague {
            law: super::super::discrete_law::DiscreteLaw::approximate(1.0, left_out),
            error: 0.0,
            slack: 0.0,
        };
        assert!(law(0.0).leak() <= 0.0);
        let (infinite, leak) = (law(0.25).infinite(), law(0.25).leak());
        assert!(
            0.24 < infinite && infinite < leak && leak < 0.26,
            "{infinite}, {leak}"
        );
    }

    /// Tails and what they are off by, on both sides of every branch.
    #[test]
    fn tails_are_what_they_were() {
        let mut marks = Vec::new();
        let mut hold = |law: &dyn LossLaw| {
            let at = [-40.0, -3.0, -0.4, 0.0, 0.3, 1.9, 25.0];
            let each = law.tails_along(&at).into_iter();
            let each = each.flat_map(|t| [t.p, t.q, t.error, t.slack]);
            let ends = at.iter().flat_map(|e| {
                let found = profile(law, *e);
                [found.lo, found.hi]
            });
            marks.push(steady::mark(&each.chain(ends).collect::<Vec<_>>()));
        };
        for mu in [0.0, 1e-3, 0.7, 5.0] {
            hold(&GaussianLaw { mu });
        }
        for pure in [0.0, 0.2, 2.0] {
            hold(&LaplaceLaw { pure });
        }
        hold(&Vague {
            law: GaussianLaw { mu: 0.7 },
            error: 1e-3,
            slack: 1e-2,
        });
        let mut gathered = Vec::new();
        for direction in [Direction::Removal, Direction::Addition] {
            for (mu, rate, step) in [(1.0, 0.1, 0.01), (3.0, 0.5, 0.2), (0.2, 0.01, 1e-5)] {
                let base = GaussianLaw { mu };
                let law = Sampled {
                    base,
                    rate,
                    direction,
                };
                gathered.push(gathered_at_an_end(&law, step));
            }
        }
        marks.extend(gathered);
        steady::holds(
            &marks,
            "2942295877602901.0 4679839814358287.0 6965846693189941.0 740846034806001.0
         2942295877602901.0 3317685225956366.0 8667583958574629.0 8067715910749355.0
         -0.09536051565782631 -0.6754036241852097 -0.010050335853501442 0.09536051565782631
         0.6754033981698554 0.010040335853501442",
        );
    }

    /// A bound of the profile allows for all that the tails, and the threshold, may be off by.
    #[test]
    fn a_profile_allows_for_tails_and_thresholds_that_are_off() {
        let (exact, error, slack) = (GaussianLaw { mu: 1.0 }, 1e-3, 1e-2);
        let vague = Vague {
            law: exact,
            error,
            slack,
        };
        for epsilon in [-1.0, 0.0, 0.5, 2.0] {
            let (found, t) = (profile(&vague, epsilon), exact.tails(epsilon));
            let (sum, middle) = (t.p + t.q, t.p - t.q);
            assert!(found.lo <= middle - error * sum && found.lo >= middle - 1.1 * error * sum);
            let near = 4.0 * slack * exact.tails(epsilon - 2.0 * slack).p;
            assert!(
                found.hi >= (middle + error * sum + 0.99 * near).min(1.0),
                "{epsilon}"
            );
            assert!(found.hi <= middle + 1.1 * (error * sum + near), "{epsilon}");
        }
    }

    #[test]
    fn a_dense_law_has_neither_ends_nor_a_lattice() {
        let (gaussian, laplace) = (GaussianLaw { mu: 1.0 }, LaplaceLaw { pure: 1.0 });
        assert!(is_dense(&gaussian) && !is_dense(&laplace));
        assert!(!is_dense(&GaussianLaw { mu: 0.0 }));
        assert_eq!((laplace.pitch(), laplace.anchor()), (Some(2.0), 1.0));
        assert_eq!(LaplaceLaw { pure: 0.0 }.pitch(), None);
        let shared: Arc<dyn LossLaw> = Arc::new(laplace);
        assert_eq!((shared.pitch(), shared.anchor()), (Some(2.0), 1.0));
        assert_eq!((shared.support(), shared.cost()), ((-1.0, 1.0), 1.0));
    }
}
