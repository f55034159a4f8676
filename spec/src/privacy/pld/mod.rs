//! The composed privacy loss, enclosed: ε(δ) and δ(ε) of many steps, from above and from below.
//!
//! A pair is replaced by masses on a grid of losses, once on each side of the truth and O(h²) away
//! (`measure`); the masses are tilted so that the ε in question is typical (`plan`), composed by a
//! power in the Fourier domain in 128-bit fixed point with a proven error (`fixed`), and summed with
//! Chernoff bounds for everything that fell off the window (`fold`).
//!
//! The two ends differ by discretisation almost only: truncation is planned to cost less than 10⁻⁹ of
//! δ, and rounding far less than that. An atom of the loss between two grid points costs the lower end
//! a first order of h; one atom is put on the grid, more are not.

mod fixed;
mod fold;
mod lattice;
mod measure;
mod pair;
mod plan;
mod sketch;
mod transcript;

pub(crate) use lattice::spacing;
pub use pair::{LossPair, SampledGaussian};
pub use transcript::{DominatingPair, Transcript};

use super::error::{PrivacyError, require};
use super::notion::require_delta;
use crate::arith::{Interval, PRECISION};
use fixed::Transform;
use fold::Folded;
use measure::Side;
use plan::Plan;
use rug::Float;

/// A pair that is composed with itself `times` times.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    /// The pair of one step.
    pub pair: &'a dyn LossPair,
    /// Number of steps.
    pub times: u64,
}

/// Smallest and largest admissible log₂ of the number of grid points.
pub const SIZES: std::ops::RangeInclusive<u32> = 8..=22;

/// What the grid is laid out for.
enum Target {
    Delta(Interval),
    Epsilon(Interval),
}

/// Encloses the least ε ≥ 0 with δ(ε) ≤ `delta` of the composed parts, in their order (P, Q), on a
/// grid of 2^`log2_size` points.
///
/// # Errors
/// When δ is not in (0, 1), there are no parts, the size is not in [`SIZES`], or no finite bound
/// results.
pub fn epsilon(
    parts: &[Part<'_>],
    delta: &Interval,
    log2_size: u32,
) -> Result<Interval, PrivacyError> {
    require_delta(delta)?;
    let inside = *delta.lo() > 0 && *delta.hi() < 1;
    require(inside, "delta", delta, "must lie in (0, 1)")?;
    let (below, above) = both(parts, &Target::Delta(delta.clone()), log2_size)?;
    let greatest = greatest_loss_upper(parts);
    let (lo, hi) = (below.epsilon(delta), above.epsilon(delta).min(&greatest));
    if !hi.is_finite() {
        return Err(PrivacyError::NoBound {
            asked: "epsilon of a composed privacy loss",
            why: format!("losses beyond every finite one exceed delta = {delta}"),
        });
    }
    Ok(Interval::new(lo, hi))
}

/// Encloses δ(ε) of the composed parts in their order (P, Q), on a grid of 2^`log2_size` points.
///
/// # Errors
/// When ε is not finite, there are no parts, or the size is not in [`SIZES`].
pub fn delta(
    parts: &[Part<'_>],
    epsilon: &Interval,
    log2_size: u32,
) -> Result<Interval, PrivacyError> {
    require(epsilon.is_finite(), "epsilon", epsilon, "must be finite")?;
    let (below, above) = both(parts, &Target::Epsilon(epsilon.clone()), log2_size)?;
    Ok(Interval::new(
        below.delta(epsilon.hi()),
        above.delta(epsilon.lo()),
    ))
}

/// The sum of numbers that no part's loss exceeds, because its δ vanishes there; +∞ if there are none.
fn greatest_loss_upper(parts: &[Part<'_>]) -> Float {
    let greatest = |part: &Part<'_>| {
        let last = Interval::from_f64(sketch::range(part, &Float::new(PRECISION), 1.0).1);
        let vanishes = last.hi().is_finite() && *part.pair.delta(&last).hi() <= 0;
        vanishes.then(|| &last * &fold::count(part.times))
    };
    let total: Option<Interval> = parts.iter().map(greatest).sum();
    match total {
        Some(total) => total.hi().clone().max(&Float::new(PRECISION)),
        None => Float::with_val(PRECISION, f64::INFINITY),
    }
}

/// The composed loss from below and from above, each on its own thread.
fn both(
    parts: &[Part<'_>],
    target: &Target,
    log2_size: u32,
) -> Result<(Folded, Folded), PrivacyError> {
    let size = SIZES.contains(&log2_size);
    require(
        size,
        "log2 of the grid size",
        &log2_size,
        "must lie in 8..=22",
    )?;
    let some = parts.iter().any(|p| p.times > 0);
    require(some, "compositions", &0, "must be >= 1")?;
    let plan = Plan::new(parts, target, log2_size)?;
    let transform = Transform::new(plan.log2);
    let fold = |side| Folded::new(parts, &plan, &transform, side);
    let (below, above) = std::thread::scope(|scope| {
        let below = scope.spawn(|| fold(Side::Lower));
        let above = fold(Side::Upper);
        (below.join(), above)
    });
    let below = below.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    Ok((below, above?))
}
