//! Amplification by subsampling, for mechanisms of which only (ε, δ) is known.
//!
//! Let a mechanism be (ε, δ)-DP for the *presence* of one record, E = e^ε, and let a record take part with
//! probability q. Z is the law of the answer without it, P and P' with the record or its replacement, so that a
//! sample answers (1−q)Z + qP.
//!
//! - Poisson, presence: (1−q)Z + qP ≤ (1 + q(E−1))Z up to qδ, and Z ≤ (1 + q(E−1))((1−q)Z + qP) up to qδ, as
//!   Z ≤ EP + δ gives Z ≤ ((1−q)Z + qP)/(1 − q + q/E) up to qδ/E/(1 − q + q/E) ≤ qδ (Li, Qardaji and Su 2012,
//!   Theorem 1; Balle, Barthe and Gaboardi 2018, Theorem 8).
//! - Poisson, replacement: (1−q)Z + qP ≤ (1 − q + qE)Z up to qδ, and Z − s ≤ EP' with ∫s ≤ δ gives
//!   (1−q)Z + qP' ≥ (1 − q + q/E)Z − qs/E. With γ = (1 − q + qE)/(1 − q + q/E) the sample is
//!   (ln γ, qδ(1 + γ/E))-DP. For δ = 0 no mechanism needs more ([`DiscreteLaw::replaced`]); q = 1 is the privacy of a
//!   group of two.
//! - A batch of fixed size, replacement: one record more and one less, (2ε, (1+E)δ), is what the batch itself
//!   sees, of which sampling leaves ln(1 + q(e^{2ε} − 1)) and q(1+E)δ (Balle, Barthe and Gaboardi 2018, Theorem 9).
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    #[test]
    fn what_sampling_leaves_is_what_it_was() {
        let mut found = Vec::new();
        for (epsilon, delta) in [(0.3, 0.0), (2.0, 1e-5), (800.0, 0.1), (0.0, 0.3)] {
            for rate in [1e-6, 0.2, 1.0] {
                let known = Known { epsilon, delta };
                for after in [
                    known.poisson(rate),
                    known.poisson_replaced(rate),
                    known.fixed_size(rate),
                ] {
                    found.extend([after.epsilon, after.delta]);
                }
            }
        }
        steady::holds(
            &found,
            "3.498587463754252e-7 0.0 6.09040559281311e-7 0.0 8.221184624510343e-7 0.0
         0.06763225701827437 0.0 0.1208604282455892 0.0 0.15222633810720132 0.0 0.3 0.0 0.6
         0.0 0.6 0.0 6.389035688998676e-6 1.0000000000000003e-11 7.253700779584817e-6
         1.1353362649218234e-11 5.359671370362367e-5 8.389056098930664e-11 0.8232149905576922
         2.0000000000000008e-6 1.013084493586451 2.7454491727403984e-6 2.461265214250276
         1.677811219786133e-5 2.0 1.0000000000000003e-5 4.0 8.389056098930663e-5 4.0
         8.389056098930664e-5 800.0 1.0000000000000001e-7 1600.0 1.0 1600.0
         1.0000000000000002e-6 800.0 0.020000000000000007 1600.0 1.0 1600.0
         0.20000000000000004 800.0 0.10000000000000002 1600.0 1.0 1600.0 1.0 0.0
         3.0000000000000004e-7 0.0 6.000000000000006e-7 0.0 6.000000000000007e-7 0.0
         0.060000000000000005 0.0 0.12000000000000012 0.0 0.12000000000000015 0.0
         0.30000000000000004 0.0 0.6000000000000006 0.0 0.6000000000000008",
        );
    }

    /// ε and δ against the exact formulas, from above and closely.
    #[test]
    fn what_is_left_is_no_less_than_the_theorems_say() {
        use rug::Float;
        let wide = |x: f64| Float::with_val(300, x);
        for (epsilon, delta) in [(0.3, 1e-7), (2.0, 1e-5), (9.0, 0.1)] {
            for rate in [1e-6, 0.2, 0.7] {
                let known = Known { epsilon, delta };
                let grown: Float = wide(epsilon).exp_m1() * rate + 1u32;
                let grown = grown.ln();
                let shrunk: Float = (-wide(epsilon)).exp_m1() * rate + 1u32;
                let shrunk = shrunk.ln();
                let both: Float = grown.clone() - shrunk;
                let apart: Float = both.clone() - epsilon;
                let leaks: Float = apart.exp() + 1u32;
                let close = |found: f64, truth: Float| {
                    let near = truth.clone() * (1.0 + 1e-13);
                    assert!(
                        found >= truth && found <= near,
                        "{epsilon}, {rate}: {found}, {truth}"
                    );
                };
                let (once, pair) = (known.poisson(rate), known.poisson_replaced(rate));
                close(once.epsilon, grown);
                close(once.delta, wide(delta) * rate);
                close(pair.epsilon, both);
                let leaked: Float = leaks * rate * delta;
                close(pair.delta, leaked.min(&wide(1.0)));
            }
            let two = Known { epsilon, delta }.of_two();
            assert!((two.epsilon / (2.0 * epsilon) - 1.0).abs() < 1e-14);
            assert!((two.delta / ((1.0 + epsilon.exp()) * delta).min(1.0) - 1.0).abs() < 1e-13);
        }
    }
}
