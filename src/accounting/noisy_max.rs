//! Report-noisy-max with Laplace noise, for scores that may move in any direction.

use super::AccountError;
use crate::float::Enclosure;

/// Upper bound on the pure ε of releasing the index of the largest noisy score.
///
/// Score k moves by at most Δₖ between neighbours and gets Laplace noise of scale bₖ. With the others'
/// noise fixed, index j wins iff its own noise exceeds a threshold, which moves by at most
/// Δⱼ + max_{k≠j} Δₖ; the Laplace tail beyond it changes by at most e^{(Δⱼ + max_{k≠j} Δₖ)/bⱼ}. Hence
/// ε = maxⱼ (Δⱼ + max_{k≠j} Δₖ)/bⱼ (the argument of Dwork and Roth 2014, Claim 3.9, without its
/// monotonicity). For equal Δ and b it is 2Δ/b. With unequal scales it is *not* the largest 2Δⱼ/bⱼ:
/// a small scale beside a large sensitivity of another score costs the sum of both.
///
/// ```
/// use dp_assay::accounting::noisy_max::epsilon_upper;
///
/// // Three scores that move by 1, Laplace noise of scale 2: ε = 2·1/2 nats.
/// assert!((1.0..1.001).contains(&epsilon_upper(&[1.0; 3], &[2.0; 3])?));
/// // A small scale beside a large sensitivity: (1 + 10)/1 nats, not 2.
/// assert!(epsilon_upper(&[1.0, 10.0], &[1.0, 10.0])? > 10.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// No scores; different lengths; a negative sensitivity; a scale that is not positive.
pub fn epsilon_upper(sensitivities: &[f64], scales: &[f64]) -> Result<f64, AccountError> {
    AccountError::check(
        !scales.is_empty(),
        "number of scores",
        0.0,
        "must be at least 1",
    )?;
    let lengths_agree = sensitivities.len() == scales.len();
    AccountError::check(
        lengths_agree,
        "number of scales",
        scales.len() as f64,
        "must equal that of sensitivities",
    )?;
    for &s in sensitivities {
        AccountError::check(
            s.is_finite() && s >= 0.0,
            "score sensitivity",
            s,
            "must be finite and >= 0",
        )?;
    }
    for &b in scales {
        AccountError::check(
            b.is_finite() && b > 0.0,
            "Laplace scale",
            b,
            "must be finite and > 0",
        )?;
    }
    if scales.len() == 1 {
        return Ok(0.0); // the index of a single score says nothing
    }
    let largest = (0..sensitivities.len())
        .max_by(|&i, &j| sensitivities[i].total_cmp(&sensitivities[j]))
        .unwrap_or(0);
    let second = sensitivities
        .iter()
        .enumerate()
        .filter(|(k, _)| *k != largest)
        .fold(0.0f64, |m, (_, s)| m.max(*s));
    let worst = sensitivities
        .iter()
        .zip(scales)
        .enumerate()
        .fold(0.0f64, |worst, (j, (s, b))| {
            let other = if j == largest {
                second
            } else {
                sensitivities[largest]
            };
            let ratio = (Enclosure::point(*s) + other) / Enclosure::point(*b);
            worst.max(ratio.hi)
        });
    AccountError::in_range(worst)?;
    Ok(worst)
}
