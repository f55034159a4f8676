//! Privacy-loss distributions: composition of any mechanisms whose loss has a known law.
//!
//! Each law is put on a lattice that dominates it (upper bounds) or is dominated by it (lower bounds),
//! see [`lattice`]; T-fold composition is one power of a transform, see [`compose`]; its cost grows
//! like √T. The lattice step and the window follow from a sketch of the laws, which influences only
//! how tight the answer is: every bound is computed from the lattice laws themselves.

pub mod compose;
pub mod composed;
pub mod discrete_law;
pub mod fft;
pub mod lattice;
pub mod law;
pub mod mixture_law;

use super::AccountError;
use super::float::elementary::{exp, exp_m1, ln, ln_1p};
use super::float::{Enclosure, U};
use super::rdp::best_order;
use crate::units::Delta;
use compose::Lane;
use composed::Composed;
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
        .map(|losses| Plan::new(losses, &Outline::new(losses, d), accuracy))
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

/// What is roughly known of one direction: influences only how tight the answer is.
struct Outline {
    sketches: Vec<(Sketch, f64)>,
    /// Losses that matter, of each law.
    ranges: Vec<(f64, f64)>,
    /// T.
    total: f64,
    /// About the ε at δ, from Chernoff's bound, and its order.
    epsilon: f64,
    lambda: f64,
    /// Rounding moves masses up: by about this much in all.
    drift: f64,
}

impl Outline {
    fn new(losses: &Losses, delta: f64) -> Self {
        let total: f64 = losses.iter().map(|(_, count)| *count as f64).sum();
        let cut = 1e-7 * delta / total;
        let ranges = losses.iter().map(|(law, _)| range(law.as_ref(), cut));
        let ranges: Vec<(f64, f64)> = ranges.collect();
        let sketches = losses.iter().zip(&ranges);
        let sketches = sketches
            .map(|((law, count), range)| (Sketch::new(law.as_ref(), *range), *count as f64));
        let mut outline = Self {
            sketches: sketches.collect(),
            ranges,
            total,
            epsilon: 0.0,
            lambda: 0.0,
            drift: 64.0 * U * total,
        };
        let chernoff = |lambda: f64| {
            let factor = -lambda * ln_1p(1.0 / lambda) - ln_1p(lambda);
            (outline.moment(lambda) + factor - ln(delta)) / lambda
        };
        let lambda = best_order(1.0, chernoff);
        outline.epsilon = chernoff(lambda).max(0.0);
        // An atom at the largest loss would drive λ to infinity; λε beyond 2000 gains nothing.
        outline.lambda = lambda.min(2000.0 / outline.epsilon.max(outline.drift).max(1e-12));
        outline
    }

    /// About ln E e^{λL} of the composition.
    fn moment(&self, lambda: f64) -> f64 {
        let logs = self.sketches.iter().map(|(s, c)| c * s.log_moment(lambda));
        logs.sum()
    }

    /// Beyond which loss less than e⁻³⁴ of the mass tilted by λ is left, upwards (`sign` 1) or
    /// downwards (−1), if discretisation adds `variance`; and the shift of λ that shows it.
    fn reach(&self, lambda: f64, variance: f64, sign: f64) -> (f64, f64) {
        let base = self.moment(lambda);
        let log_tail = |g: f64| {
            let spread = 0.5 * variance * g * (g + 2.0 * lambda);
            (self.moment(lambda + sign * g) - base + spread + 34.0) / g
        };
        let shift = best_order(1.0 / (self.epsilon + 1.0), log_tail);
        (sign * log_tail(shift), shift)
    }
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
    fn new(losses: &Losses, outline: &Outline, accuracy: f64) -> Result<Self, AccountError> {
        let (epsilon, total) = (outline.epsilon, outline.total);
        let error = accuracy * epsilon + 0.05 * accuracy;
        let step = Self::step(losses, error, outline.lambda, total);
        // Where neighbouring positions differ by more than e³⁰, a larger tilt shows nothing more.
        let lambda = outline.lambda.min(30.0 / step);
        let exact = Self::shared_lattice(losses).is_some();
        let variance = if exact {
            0.0
        } else {
            0.25 * total * step * step
        };
        let (bottom, down) = outline.reach(lambda, variance, -1.0);
        let (top, up) = outline.reach(lambda, variance, 1.0);
        let top = top.max(epsilon + 1.0 / (lambda + 1.0)) + outline.drift;
        let anchors = losses
            .iter()
            .map(|(law, _)| if exact { 0.0 } else { law.anchor() });
        let anchors: Vec<f64> = anchors.collect();
        // Lattice positions count from the anchors.
        let sum = |values: &mut dyn Iterator<Item = f64>| -> f64 {
            let parts = losses.iter().zip(values);
            parts.map(|((_, count), value)| *count as f64 * value).sum()
        };
        let origin = sum(&mut anchors.iter().copied());
        // Losses below this count for less than e⁻³⁵ in all; they may move up, or away.
        let lowest = -(ln(total) + 35.0) / lambda;
        let spans = outline.ranges.iter().zip(&anchors).map(|((lo, hi), a)| {
            let lo = lo.max(lowest).min(*hi);
            let (first, last) = (((lo - a) / step).floor(), ((hi - a) / step).ceil());
            (first - 1.0, last + 1.0)
        });
        let spans: Vec<(f64, f64)> = spans.collect();
        let (mut start, mut end) = (
            ((bottom - origin) / step).floor(),
            ((top - origin) / step).ceil(),
        );
        // Where the support ends little further, let the window reach it: nothing is then outside.
        let first = sum(&mut spans.iter().map(|s| s.0));
        let last = sum(&mut spans.iter().map(|s| s.1));
        let near = 1.2 * (end - start) + 64.0;
        if last - start <= near {
            end = last;
        }
        if end - first <= near {
            start = first;
        }
        let window = end - start + 2.0;
        let longest = spans.iter().fold(0.0f64, |n, s| n.max(s.1 - s.0));
        if !(window <= WINDOW_MAX && longest <= NODES_MAX) {
            // A coarser lattice is less accurate but no less safe.
            if accuracy < 1.0 && !exact {
                return Self::new(losses, outline, 4.0 * accuracy);
            }
            return Err(AccountError::TooCostly {
                what: "the lattice of privacy losses",
                needed: window.max(longest),
                limit: WINDOW_MAX,
                unit: "points",
            });
        }
        let spans = spans.iter().map(|s| (s.0 as i64, s.1 as i64)).collect();
        Ok(Self {
            lambda,
            step,
            start: start as i64,
            window: window as usize,
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
