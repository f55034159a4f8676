//! A crate with a mechanism of its own, which knows nothing of dp-assay. Its tests gate it.

/// The mean of ages, each cut to 0..=100, with noise. `noise` is a Laplace variate of scale 1.
///
/// With n public and one record replaced, the mean moves by at most 100/n.
#[must_use]
pub fn private_mean(ages: &[f64], epsilon: f64, noise: f64) -> f64 {
    let n = ages.len() as f64;
    let sum: f64 = ages.iter().map(|age| age.clamp(0.0, 100.0)).sum();
    sum / n + 100.0 / (n * epsilon) * noise
}

/// As [`private_mean`], with a bug: the cut comes after averaging.
#[must_use]
pub fn leaky_mean(ages: &[f64], epsilon: f64, noise: f64) -> f64 {
    let n = ages.len() as f64;
    let mean = (ages.iter().sum::<f64>() / n).clamp(0.0, 100.0);
    mean + 100.0 / (n * epsilon) * noise
}
