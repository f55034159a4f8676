//! Amplification by subsampling, for mechanisms of which only (ε, δ) is known.
//!
//! Let a mechanism be (ε, δ)-DP for the *presence* of one record, E = e^ε, and let a record take part with
//! probability q. Z is the law of the answer without it, P and P' with the record or its replacement, so that a
//! sample answers (1−q)Z + qP.
//!
//! **Poisson, presence**: (1−q)Z + qP ≤ (1 + q(E−1))Z up to qδ, and Z ≤ (1 + q(E−1))((1−q)Z + qP) up to qδ, as
//! Z ≤ EP + δ gives Z ≤ ((1−q)Z + qP)/(1 − q + q/E) up to qδ/E/(1 − q + q/E) ≤ qδ (Li, Qardaji and Su 2012,
//! Theorem 1; Balle, Barthe and Gaboardi 2018, Theorem 8).
//!
//! **Poisson, replacement**: (1−q)Z + qP ≤ (1 − q + qE)Z up to qδ, and Z − s ≤ EP' with ∫s ≤ δ gives
//! (1−q)Z + qP' ≥ (1 − q + q/E)Z − qs/E. With γ = (1 − q + qE)/(1 − q + q/E) the sample is
//! (ln γ, qδ(1 + γ/E))-DP. For δ = 0 no mechanism needs more ([`DiscreteLaw::replaced`]); q = 1 is the privacy of a
//! group of two.
//!
//! **A batch of fixed size, replacement**: one record more and one less, (2ε, (1+E)δ), is what the batch itself
//! sees, of which sampling leaves ln(1 + q(e^{2ε} − 1)) and q(1+E)δ (Balle, Barthe and Gaboardi 2018, Theorem 9).
//!
//! [`DiscreteLaw::replaced`]: super::pld::discrete_law::DiscreteLaw::replaced
//!
//! ```
//! use dp_assay::accounting::amplification::Known;
//!
//! // One record in a hundred takes part in a mechanism of 1 nat: ln(1 + 0.01·(e − 1)) is left.
//! let sample = Known::pure(1.0).poisson(0.01);
//! assert!((0.01703..0.01704).contains(&sample.epsilon));
//! // Whoever replaces a record sees one come and one go.
//! assert!((0.0233..0.0234).contains(&Known::pure(1.0).poisson_replaced(0.01).epsilon));
//! assert!((0.0618..0.0620).contains(&Known::pure(1.0).fixed_size(0.01).epsilon));
//! ```

use crate::float::Enclosure;

/// What is known of a mechanism: it is (ε, δ)-DP. Both are rounded up, whatever is made of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// ε.
    pub epsilon: f64,
    /// δ.
    pub delta: f64,
}

impl Known {
    /// (ε, 0)-DP.
    #[must_use]
    pub const fn pure(epsilon: f64) -> Self {
        Self {
            epsilon,
            delta: 0.0,
        }
    }

    /// On a Poisson sample at rate q, one record added or removed.
    #[must_use]
    pub fn poisson(self, rate: f64) -> Self {
        let grown = (Enclosure::point(self.epsilon).exp_m1() * rate).ln_1p();
        Self {
            epsilon: at_most(grown, self.epsilon),
            delta: at_most(Enclosure::point(self.delta) * rate, 1.0),
        }
    }

    /// On a Poisson sample at rate q, one record replaced, if ε and δ are those of one record's presence.
    #[must_use]
    pub fn poisson_replaced(self, rate: f64) -> Self {
        let e = Enclosure::point(self.epsilon);
        let (grown, shrunk) = ((e.exp_m1() * rate).ln_1p(), ((-e).exp_m1() * rate).ln_1p());
        let epsilon = at_most(grown - shrunk, 2.0 * self.epsilon);
        let leaks = 1.0 + (Enclosure::point(epsilon) - e).exp();
        Self {
            epsilon,
            delta: at_most(leaks * rate * self.delta, 1.0),
        }
    }

    /// On a batch of a fixed size that is this fraction of all, one record replaced, if ε and δ are those of one
    /// record's presence.
    #[must_use]
    pub fn fixed_size(self, fraction: f64) -> Self {
        self.of_two().poisson(fraction)
    }

    /// For two records at once: one that comes and one that goes.
    #[must_use]
    pub fn of_two(self) -> Self {
        self.poisson_replaced(1.0)
    }
}

/// The upper end, which neither is more than `limit` nor claims anything where it is no number.
fn at_most(x: Enclosure, limit: f64) -> f64 {
    if x.hi.is_nan() {
        limit
    } else {
        x.hi.clamp(0.0, limit)
    }
}
