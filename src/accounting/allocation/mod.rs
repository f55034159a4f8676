//! Random allocation: every record takes part in k of t steps, drawn at random; balls in bins is k = 1.
//!
//! Where a record is added or removed and every step adds Gaussian noise, the pair of one participation is
//! P = (1/t)·Σᵢ N(Δeᵢ, σ²I) against Q = N(0, σ²I) (Feldman and Shenfeld 2025, arXiv 2502.08202; Dong, Chen and
//! Ozdaglar 2025), whose ratio is the mean of the t independent ratios rᵢ of a single step. So
//! δ(ε) = E(S/t − e^ε)₊ where the record is removed and E(1 − e^ε·S/t)₊ where it is added, S = Σ rᵢ under Q: expectations of
//! convex functions.
//!
//! * **From above**: every rᵢ is replaced by a mean-preserving spread on a lattice, which is greater in convex order, as
//!   their sum then is ([`spread`]); what passes the lattice's end is an infinite loss.
//! * **From below**: only a rounded statistic of every step is told and summed up, r for k = 1, the loss
//!   ln(1 − q + q·r) of Poisson's sampling, q = k/t, for k > 1 ([`statistic`]). Post-processing tells no more.
//! * **k of t** is at most k independent participations in blocks of ⌊t/k⌋ or ⌈t/k⌉ steps (Feldman and Shenfeld 2025,
//!   Theorem on reduction to one participation); the two ends are hence apart for k > 1.
//!
//! All sums are transforms with their errors bounded ([`sum`]).

mod spread;
mod statistic;
mod sum;

use super::AccountError;
use super::event::{Event, Sampling, Step};
use super::float::{self, Enclosure};
use super::views::{self, Laws};
use crate::units::{Delta, Neighbouring};

/// What may be lost of δ at the ends of all lattices.
const LOST: f64 = 1e-4;
/// Most steps.
const STEPS_MAX: u64 = 10_000_000;

/// A record in `participations` of `steps` steps, each of which moves by Δ = μ·σ.
#[derive(Clone, Copy, Debug)]
struct Allocation {
    steps: u64,
    participations: u64,
    mu: Enclosure,
}

impl Allocation {
    fn of(step: &Step, neighbours: Neighbouring) -> Result<Option<Self>, AccountError> {
        let Sampling::RandomAllocation {
            steps,
            participations,
        } = step.sampling
        else {
            return Ok(None);
        };
        if !matches!(neighbours, Neighbouring::AddRemove | Neighbouring::ZeroOut) {
            return Ok(None);
        }
        let Event::Gaussian { sigma, sensitivity } = step.mechanism else {
            return Ok(None);
        };
        views::check(&step.mechanism)?;
        let rule = "must be at most 1e7";
        AccountError::check(steps <= STEPS_MAX, "steps", steps as f64, rule)?;
        let mu = Enclosure::point(sensitivity) / Enclosure::point(sigma);
        Ok(Some(Self {
            steps,
            participations,
            mu,
        }))
    }
}

/// The laws that dominate a step of random allocation, with how often each is run, one per direction (the record is
/// removed, or added).
///
/// # Errors
/// Parameters out of range.
pub(super) fn laws(
    step: &Step,
    neighbours: Neighbouring,
    delta: Delta,
) -> Result<Option<Vec<(Laws, u64)>>, AccountError> {
    let Some(all) = Allocation::of(step, neighbours)? else {
        return Ok(None);
    };
    let (t, k) = (all.steps, all.participations);
    let (short, long) = (t / k, t % k);
    let runs = (k as f64) * step.count as f64;
    let block = |steps: u64, count: u64| -> (Laws, u64) {
        let lost = LOST * delta.get() / runs;
        let laws = spread::laws(all.mu.hi, steps, delta.get(), lost);
        (laws, count.saturating_mul(step.count))
    };
    let mut parts = vec![block(short, k - long)];
    if long > 0 {
        parts.push(block(short + 1, long));
    }
    Ok(Some(parts))
}

/// The laws of a statistic of neighbours that there are, as [`laws`].
///
/// # Errors
/// Parameters out of range.
pub(super) fn attacks(
    step: &Step,
    neighbours: Neighbouring,
    delta: Delta,
) -> Result<Vec<Laws>, AccountError> {
    let Some(all) = Allocation::of(step, neighbours)? else {
        return Ok(Vec::new());
    };
    Ok(vec![statistic::laws(
        all.mu.lo,
        all.steps,
        all.participations,
        delta.get(),
    )])
}

/// Encloses the mass that N(0, 1) has in (a, b), where either end is rounded from terms of size `size`.
pub(super) fn normal_mass(a: f64, b: f64, size: f64) -> Enclosure {
    let (a, b) = if a + b > 0.0 { (a, b) } else { (-b, -a) };
    let tail = |x: f64| match x {
        f64::INFINITY => 0.0,
        f64::NEG_INFINITY => 1.0,
        _ => float::normal_tail(x),
    };
    let (near, far) = (tail(a), tail(b));
    // A shift of x by e multiplies a tail by at most 1 ± 2e(|x| + 1).
    let error = |x: f64| {
        float::ERFC_ERROR + 8.0 * f64::EPSILON * (1.0 + (size + x.abs()) * (x.abs() + 1.0))
    };
    let bound = |x: f64, tail: f64| {
        if x.is_finite() && tail > 0.0 {
            error(x) * tail
        } else {
            0.0
        }
    };
    let slack = bound(a, near) + bound(b, far);
    Enclosure::ball(near - far, slack).clamp(0.0, 1.0)
}
