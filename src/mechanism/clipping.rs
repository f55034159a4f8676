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
    let norm = vector.iter().map(|v| v * v).sum::<f64>().sqrt();
    if norm > threshold {
        threshold / norm
    } else {
        1.0
    }
}
