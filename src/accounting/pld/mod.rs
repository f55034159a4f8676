//! Privacy-loss distributions: composition of any mechanisms whose loss has a known law.
//!
//! Each law is put on a lattice that dominates it (upper bounds) or is dominated by it (lower bounds),
//! see [`lattice`]; T-fold composition is one power of a transform, see [`compose`]; its cost grows
//! like √T. The lattice step and the window follow from a sketch of the laws, which influences only
//! how tight the answer is: every bound is computed from the lattice laws themselves.

pub mod compose;
pub mod fft;
pub mod lattice;
pub mod law;
pub mod mixture_law;

use super::AccountError;
use super::float::elementary::{exp, exp_m1, ln, ln_1p};
use super::float::{Enclosure, U};
use super::rdp::best_order;
use crate::units::Delta;
use compose::{Composed, Lane};
use lattice::{LatticeLaw, Side};
use law::LossLaw;
use std::sync::Arc;

/// Independent losses with multiplicities, in one direction of the neighbouring relation.
pub type Losses = Vec<(Arc<dyn LossLaw>, u64)>;

/// Longest window.
const WINDOW_MAX: f64 = 4_194_304.0; // 2²²
/// Most nodes of one lattice law.
const NODES_MAX: f64 = 4_194_304.0;
/// Smallest δ: below, masses would leave the range of binary64.
const DELTA_MIN: f64 = 1e-270;

/// Upper bound on the least ε ≥ 0 at which every direction has δ(ε) ≤ δ. `accuracy` is the relative
/// discretisation error aimed at, e.g. 10⁻⁵.
///
/// # Errors
/// δ below 10⁻²⁷⁰ or below the mass of infinite loss; or no lattice within memory covers the loss.
pub fn epsilon_upper(
    directions: &[Losses],
    delta: Delta,
    accuracy: f64,
) -> Result<f64, AccountError> {
    let mut worst = 0.0f64;
    for c in composed(directions, Side::Above, delta, accuracy)? {
        match c.epsilon(delta.get()) {
            Some(epsilon) => worst = worst.max(epsilon),
            // Rounding moved more mass beyond the window than the plan foresaw; less of it passes
            // between wider cells.
            None if accuracy < 1.0 => return epsilon_upper(directions, delta, 16.0 * accuracy),
            None => {
                return Err(AccountError::NoFiniteEpsilon {
                    delta: delta.get(),
                    floor: c.infinite(),
                });
            }
        }
    }
    Ok(worst)
}

/// Lower bound on the ε of [`epsilon_upper`].
///
/// # Errors
/// As [`epsilon_upper`].
pub fn epsilon_lower(
    directions: &[Losses],
    delta: Delta,
    accuracy: f64,
) -> Result<f64, AccountError> {
    let composed = composed(directions, Side::Below, delta, accuracy)?;
    Ok(composed.iter().fold(0.0f64, |worst, c| {
        worst.max(c.epsilon(delta.get()).unwrap_or(0.0))
    }))
}

/// Encloses the profile at ε ≥ 0: the largest δ(ε) over the directions. `guess` is an order of
/// magnitude of it, on which only the accuracy depends.
///
/// # Errors
/// As [`epsilon_upper`].
pub fn delta(
    directions: &[Losses],
    epsilon: f64,
    guess: Delta,
    accuracy: f64,
) -> Result<Enclosure, AccountError> {
    let worst = |side| -> Result<f64, AccountError> {
        let composed = composed(directions, side, guess, accuracy)?;
        Ok(composed
            .iter()
            .fold(0.0f64, |worst, c| worst.max(c.delta(epsilon))))
    };
    Ok(Enclosure::new(worst(Side::Below)?, worst(Side::Above)?))
}

fn composed(
    directions: &[Losses],
    side: Side,
    delta: Delta,
    accuracy: f64,
) -> Result<Vec<Composed>, AccountError> {
    let d = delta.get();
    AccountError::check(
        d >= DELTA_MIN,
        "delta",
        d,
        "must be at least 1e-270 for a lattice",
    )?;
    let plans: Result<Vec<Plan>, _> = directions
        .iter()
        .map(|losses| Plan::new(losses, d, accuracy))
        .collect();
    let plans = plans?;
    let lanes: Vec<Lane> = directions
        .iter()
        .zip(&plans)
        .map(|(losses, plan)| plan.lane(losses, side))
        .collect();
    let len = plans.iter().map(|p| p.window).max().unwrap_or(2);
    Ok(lanes
        .chunks(2)
        .flat_map(|pair| compose::compose(pair, len))
        .collect())
}

/// How to discretise one direction.
struct Plan {
    lambda: f64,
    step: f64,
    start: i64,
    window: usize,
    shifts: (f64, f64),
    /// First and last lattice position of each law, and its anchor.
    spans: Vec<(i64, i64)>,
    anchors: Vec<f64>,
}

impl Plan {
    fn new(losses: &Losses, delta: f64, accuracy: f64) -> Result<Self, AccountError> {
        let total: f64 = losses.iter().map(|(_, count)| *count as f64).sum();
        let cut = 1e-7 * delta / total;
        let ranges: Vec<(f64, f64)> = losses
            .iter()
            .map(|(law, _)| range(law.as_ref(), cut))
            .collect();
        let sketches: Vec<(Sketch, f64)> = losses
            .iter()
            .zip(&ranges)
            .map(|((law, count), range)| (Sketch::new(law.as_ref(), *range), *count as f64))
            .collect();
        let moment =
            |lambda: f64| -> f64 { sketches.iter().map(|(s, c)| c * s.log_moment(lambda)).sum() };
        let chernoff = |lambda: f64| {
            let factor = -lambda * ln_1p(1.0 / lambda) - ln_1p(lambda);
            (moment(lambda) + factor - ln(delta)) / lambda
        };
        let lambda = best_order(1.0, chernoff);
        let epsilon = chernoff(lambda).max(0.0);
        // Rounding moves masses up: by about this much in all.
        let drift = 64.0 * U * total;
        // An atom at the largest loss would drive λ to infinity; λε beyond 2000 gains nothing.
        let lambda = lambda.min(2000.0 / epsilon.max(drift).max(1e-12));
        let base = moment(lambda);
        let step = Self::step(losses, accuracy * epsilon + 0.05 * accuracy, lambda, total);
        // The window keeps all but e⁻³⁴ of the tilted mass on either side, the lattice's own variance of
        // at most h²/4 each time included.
        let scale = 1.0 / (epsilon + 1.0);
        let exact = Self::shared_lattice(losses).is_some();
        let variance = if exact { 0.0 } else { total * step * step };
        let reach = |sign: f64| {
            let log_tail = |g: f64| {
                let spread = 0.125 * variance * g * (g + 2.0 * lambda);
                (moment(lambda + sign * g) - base + spread + 34.0) / g
            };
            let shift = best_order(scale, log_tail);
            (sign * log_tail(shift), shift)
        };
        let ((bottom, down), (top, up)) = (reach(-1.0), reach(1.0));
        let top = top.max(epsilon + 1.0 / (lambda + 1.0)) + drift;
        let anchors: Vec<f64> = losses
            .iter()
            .map(|(law, _)| if exact { 0.0 } else { law.anchor() })
            .collect();
        // Lattice positions count from the anchors.
        let origin: f64 = losses
            .iter()
            .zip(&anchors)
            .map(|((_, c), a)| *c as f64 * a)
            .sum();
        let spans: Vec<(f64, f64)> = ranges
            .iter()
            .zip(&anchors)
            .map(|((lo, hi), a)| {
                (
                    ((lo - a) / step).floor() - 1.0,
                    ((hi - a) / step).ceil() + 1.0,
                )
            })
            .collect();
        let (start, mut end) = (
            ((bottom - origin) / step).floor(),
            ((top - origin) / step).ceil(),
        );
        // Where the support ends little further, let the window reach it.
        let natural: f64 = losses
            .iter()
            .zip(&spans)
            .map(|((_, c), s)| *c as f64 * s.1)
            .sum();
        if natural - start <= 1.2 * (end - start) + 64.0 {
            end = natural;
        }
        let window = end - start + 2.0;
        let longest = spans.iter().fold(0.0f64, |n, s| n.max(s.1 - s.0));
        if !(window <= WINDOW_MAX && longest <= NODES_MAX) {
            // A coarser lattice is less accurate but no less safe.
            if accuracy < 1.0 && !exact {
                return Self::new(losses, delta, 4.0 * accuracy);
            }
            return Err(AccountError::TooCostly {
                what: "the lattice of privacy losses",
                needed: window.max(longest),
                limit: WINDOW_MAX,
                unit: "points",
            });
        }
        let spans = spans.iter().map(|s| (s.0 as i64, s.1 as i64)).collect();
        let (start, window) = (start as i64, window as usize);
        Ok(Self {
            lambda,
            step,
            start,
            window,
            shifts: (down, up),
            spans,
            anchors,
        })
    }

    /// T compositions on a lattice add at most T·h²/6 to the variance of the loss, hence about
    /// (λ+1)T·h²/12 to ε. Laws that share a lattice are kept on it, exactly.
    fn step(losses: &Losses, error: f64, lambda: f64, total: f64) -> f64 {
        let free = (12.0 * error / ((lambda + 1.0) * total)).sqrt();
        Self::shared_lattice(losses).unwrap_or(free)
    }

    /// The finest of the laws' lattices, if all the others are multiples of it.
    fn shared_lattice(losses: &Losses) -> Option<f64> {
        let lattices: Option<Vec<f64>> = losses.iter().map(|(law, _)| law.lattice()).collect();
        let lattices = lattices?;
        let finest = lattices.iter().copied().fold(f64::INFINITY, f64::min);
        let multiple = |d: &f64| {
            let ratio = d / finest;
            ratio < 1e6 && (ratio - ratio.round()).abs() <= 1e-14 * ratio
        };
        (finest.is_finite() && lattices.iter().all(multiple)).then_some(finest)
    }

    fn lane(&self, losses: &Losses, side: Side) -> Lane {
        let parts = losses.iter().zip(self.spans.iter().zip(&self.anchors));
        let parts = parts.map(|((law, count), (span, anchor))| {
            (
                LatticeLaw::new(law.as_ref(), side, self.step, *span, *anchor),
                *count,
            )
        });
        Lane {
            parts: parts.collect(),
            lambda: self.lambda,
            start: self.start,
            shifts: self.shifts,
        }
    }
}

/// Losses outside of which a law has little P mass: below `cut` above, below 2⁻⁵⁰ beneath.
fn range(law: &dyn LossLaw, cut: f64) -> (f64, f64) {
    let (lo, hi) = law.support();
    let enough = 1.0 - 2f64.powi(-50);
    let edge = |limit: f64, sign: f64, inside: &dyn Fn(f64) -> bool| {
        if limit.is_finite() && limit.abs() <= 1.0 {
            return limit;
        }
        // The losses of a rarely sampled step may be far below 1: a range too wide would be filled by
        // masses that stand for underflow, which a large tilt makes dominant.
        let mut reach = 1.0;
        while reach > 1e-12 && !inside(sign * 0.5 * reach) {
            reach *= 0.5;
        }
        while reach < 1e9 && reach < limit.abs() && inside(sign * reach) {
            reach *= 2.0;
        }
        // Bisect the last doubling.
        let (mut near, mut far) = (0.5 * reach, reach.min(limit.abs()));
        for _ in 0..20 {
            let middle = 0.5 * (near + far);
            if inside(sign * middle) {
                near = middle;
            } else {
                far = middle;
            }
        }
        sign * far
    };
    let high = edge(hi, 1.0, &|x| law.tails(x).p > cut);
    let low = edge(lo, -1.0, &|x| law.tails(x).p < enough);
    (low.max(lo), high.min(hi).max(low))
}

/// A rough law on unevenly spaced points, dense near 0: for planning only.
struct Sketch {
    points: Vec<(f64, f64)>,
}

impl Sketch {
    fn new(law: &dyn LossLaw, (lo, hi): (f64, f64)) -> Self {
        const HALF: i64 = 500;
        // x = s·sinh(t): relative spacing 2 % far out, absolute spacing 10⁻⁷ of the range near 0.
        let reach = lo.abs().max(hi.abs()).max(1e-12);
        let at = |j: i64| reach * (j as f64 * 0.03).sinh() / (HALF as f64 * 0.03).sinh();
        let mut losses: Vec<f64> = (-HALF..=HALF)
            .map(at)
            .filter(|x| lo < *x && *x < hi)
            .collect();
        losses.insert(0, lo);
        losses.push(hi);
        let mut points = Vec::with_capacity(2 * losses.len());
        let mut before = law.tails(lo);
        points.push((lo, (1.0 - before.p).max(0.0)));
        for pair in losses.windows(2) {
            let (left, width) = (pair[0], pair[1] - pair[0]);
            let after = law.tails(pair[1]);
            let p = (before.p - after.p).max(0.0);
            let q = (before.q - exp(-width) * after.q).max(0.0);
            if width > 0.0 {
                let upper = ((p - q) / -exp_m1(-width)).clamp(0.0, p);
                points.push((left, p - upper));
                points.push((pair[1], upper));
            }
            before = after;
        }
        points.retain(|(_, p)| *p > 0.0);
        Self { points }
    }

    fn log_moment(&self, lambda: f64) -> f64 {
        let largest = self
            .points
            .iter()
            .fold(f64::NEG_INFINITY, |m, (x, _)| m.max(lambda * x));
        let sum: f64 = self
            .points
            .iter()
            .map(|(x, p)| p * exp(lambda * x - largest))
            .sum();
        largest + ln(sum)
    }
}
