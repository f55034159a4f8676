//! Clipping: what bounds one record's influence.
//!
//! ```
//! use dp_assay::mechanism::clipping::{ball_factor, clip, norm};
//!
//! assert_eq!(clip(3.0, 1.0), 1.0);
//! assert_eq!(clip(-0.5, 1.0), -0.5);
//! // A vector of length 5, brought into the ball of radius 1.
//! assert_eq!(norm(&[3.0, 4.0]), 5.0);
//! assert_eq!(ball_factor(&[3.0, 4.0], 1.0), 0.2);
//! assert_eq!(ball_factor(&[0.3, 0.4], 1.0), 1.0);
//! ```

/// `value` moved into [−threshold, threshold]; never NaN for a finite value.
#[must_use]
pub fn clip(value: f64, threshold: f64) -> f64 {
    // Two comparisons rather than `clamp`, which panics on a NaN threshold.
    value.min(threshold).max(-threshold)
}

/// The factor min(1, threshold/‖v‖₂) that brings `vector` into the ball of radius `threshold`.
#[must_use]
pub fn ball_factor(vector: &[f64], threshold: f64) -> f64 {
    let norm = norm(vector);
    if norm > threshold {
        threshold / norm
    } else {
        1.0
    }
}

/// ‖v‖₂, by eight sums that do not wait for one another; infinite where a square leaves the doubles, so that such a
/// vector is clipped to 0 ([`crate::problem::rows::norm`] scales instead). Squares that are too small for a double are those
/// of a larger vector.
#[must_use]
pub fn norm(vector: &[f64]) -> f64 {
    // Above this, what squares lose, 2⁻¹⁰⁷⁵ each, is nothing to their sum.
    const LEAST: f64 = 1e-280;
    let plain = square(vector, 1.0);
    if plain >= LEAST {
        return plain.sqrt();
    }
    let large = 2f64.powi(800);
    square(vector, large).sqrt() / large
}

/// Σ (sv)² with a power of two s.
fn square(vector: &[f64], s: f64) -> f64 {
    let mut sums = [0.0; 8];
    let (eights, rest) = vector.as_chunks::<8>();
    for eight in eights {
        for (sum, v) in sums.iter_mut().zip(eight) {
            *sum += (s * v) * (s * v);
        }
    }
    let rest = rest.iter().map(|v| (s * v) * (s * v));
    sums.into_iter().chain(rest).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_moved_into_its_interval_and_no_further() {
        for (value, clipped) in [
            (3.0, 1.5),
            (1.5, 1.5),
            (0.3, 0.3),
            (-0.3, -0.3),
            (-7.0, -1.5),
            (f64::INFINITY, 1.5),
            (f64::NEG_INFINITY, -1.5),
        ] {
            assert_eq!(clip(value, 1.5), clipped, "{value}");
        }
        assert_eq!(ball_factor(&[3.0, 4.0], 1.0), 0.2);
    }

    /// Numbers whose squares are no doubles are as long as larger ones in smaller units.
    #[test]
    fn a_short_vector_is_clipped_as_a_long_one() {
        for power in [-300, -515, -530, -560, -900] {
            let unit = 2f64.powi(power / 2) * 2f64.powi(power - power / 2);
            for vector in [vec![3.0, 4.0], vec![0.3; 25], vec![1.0; 9]] {
                let short: Vec<f64> = vector.iter().map(|v| v * unit).collect();
                assert_eq!(norm(&short), norm(&vector) * unit, "2^{power}");
                assert_eq!(ball_factor(&short, 0.5 * unit), ball_factor(&vector, 0.5));
            }
        }
        // Whole numbers of the least double: others are rounded there.
        let least = f64::from_bits(1);
        assert_eq!(norm(&[3.0 * least, 4.0 * least]), 5.0 * least);
        assert_eq!(norm(&[0.0; 20]), 0.0);
    }

    /// Both DECOR solvers clip by this norm, so that their agreement does not test it. Sums of n squares in any order
    /// differ by at most 2(n + 1)u of themselves, and the root halves that; u = ε/2.
    #[test]
    fn the_norm_counts_every_entry_once_and_the_factor_brings_it_to_the_threshold() {
        for n in 0..40_usize {
            let vector: Vec<f64> = (0..n).map(|i| 1.0 + 0.37 * (i * i) as f64).collect();
            let plain = vector.iter().map(|v| v * v).sum::<f64>().sqrt();
            let slack = (n + 2) as f64 * f64::EPSILON * plain;
            assert!((norm(&vector) - plain).abs() <= slack, "{n} entries");
            assert_eq!(ball_factor(&vector, 2.0 * plain), 1.0);
            if n > 0 {
                let clipped = ball_factor(&vector, 0.5 * plain) * plain;
                assert!((clipped - 0.5 * plain).abs() <= slack, "{n} entries");
            }
        }
    }
}
