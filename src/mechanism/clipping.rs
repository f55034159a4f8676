//! Clipping: what bounds one record's influence.

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

/// ‖v‖₂, by eight sums that do not wait for one another.
#[must_use]
pub fn norm(vector: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (eights, rest) = vector.as_chunks::<8>();
    for eight in eights {
        for (sum, v) in sums.iter_mut().zip(eight) {
            *sum += v * v;
        }
    }
    let rest = rest.iter().map(|v| v * v);
    sums.into_iter().chain(rest).sum::<f64>().sqrt()
}
