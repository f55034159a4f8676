//! The Rényi curve of a choice among private runs, by the theorem of [`private_selection`](super::private_selection).

use super::AccountError;
use super::leaf::BoxedCurve;
use super::rdp::best_order;
use crate::float::Enclosure;

/// Upper bound on the divergence at order 1 + β of a choice among candidates with these curves, of which `mean` are run.
///
/// # Errors
/// No candidate, or a mean below 1.
pub(super) fn curve(
    mut candidates: Vec<BoxedCurve>,
    mean: f64,
) -> Result<impl FnMut(f64) -> f64 + use<>, AccountError> {
    let rule = "must be finite and >= 1";
    let sound = mean >= 1.0 && mean.is_finite();
    AccountError::check(sound, "mean number of runs", mean, rule)?;
    if candidates.is_empty() {
        return Err(AccountError::Event("a choice among no candidates".into()));
    }
    let mut one = move |beta: f64| {
        let all = candidates.iter_mut().map(|curve| curve(beta));
        all.fold(0.0, f64::max)
    };
    let log = Enclosure::point(mean).ln();
    // At λ = 1 the bracket is ln m, and any λ gives a bound.
    let mut bracket = log.hi;
    best_order(1.0, |beta| {
        let b = Enclosure::point(beta);
        let divergence = one(beta);
        if divergence == f64::INFINITY {
            return divergence;
        }
        let at = ((b * divergence + log) / (b + 1.0)).hi;
        bracket = bracket.min(at);
        at
    });
    Ok(move |beta: f64| {
        let sum = Enclosure::point(one(beta)) + Enclosure::point(bracket) * 2.0;
        (sum + log / Enclosure::point(beta)).hi
    })
}
