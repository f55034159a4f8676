//! Where to put the grid: tilt, window and step. Nothing here has to be right, only good.
//!
//! The composed loss S is tilted by e^(θS) so that its bulk sits at the ε asked for; θ is the order
//! minus one that an RDP conversion would choose. A window around that bulk that misses e⁻²⁷ of the
//! tilted mass fixes the range of the transform, and the range over its size is the step.

use super::lattice::{aligned, spacing};
use super::sketch::{OUTSIDE, Sketch};
use super::{Part, Target};
use crate::arith::PRECISION;
use crate::privacy::error::PrivacyError;
use rug::Float;

/// Most grid points of single losses that are evaluated, as a multiple of the transform's length.
const EVALUATED: f64 = 4.0;

/// Points of the transform that are kept free, for rounding of the window to the grid.
const SPARE: f64 = 16.0;

/// Largest tilt, in units of 1/ε: what is resolved beyond is a millionth of ε.
const STEEPEST: f64 = 1e6;

/// Largest order, in units of 1/step: the hair of an atom that is moved up a step gains e¹⁰.
const STEEPEST_STEP: f64 = 10.0;

/// The least δ that ranges of single losses are chosen for.
const LEAST_SHARE: f64 = 1e-301;

/// The chosen tilt, window, orders for its Chernoff bounds, and step.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub tilt: f64,
    /// Where the window starts.
    pub start: f64,
    pub orders: (f64, f64),
    pub step: f64,
    /// log₂ of the transform's length.
    pub log2: u32,
    /// Range of losses of each part that is resolved.
    pub ranges: Vec<(f64, f64)>,
}

impl Plan {
    pub(super) fn new(
        parts: &[Part<'_>],
        target: &Target,
        log2: u32,
    ) -> Result<Self, PrivacyError> {
        // The δ that matters decides how far single losses are resolved; when ε is given, δ is guessed
        // and then improved once it is known roughly.
        let mut share = match target {
            Target::Delta(delta) => delta.lo().clone().max(&float(LEAST_SHARE)),
            Target::Epsilon(_) => float(1e-30),
        };
        loop {
            let sketch = Sketch::new(parts, &share);
            let (tilt, about) = most_telling(&sketch, target);
            let layout = || Layout::new(parts, &sketch, (tilt, about));
            let Target::Epsilon(epsilon) = target else {
                return layout().plan(log2);
            };
            let found = float(sketch.kappa(tilt) - tilt * epsilon.hi_f64()).exp();
            if found >= share || share <= LEAST_SHARE {
                return layout().plan(log2);
            }
            share = Float::with_val(PRECISION, found * 1e-3).max(&float(LEAST_SHARE));
        }
    }
}

fn float(x: f64) -> Float {
    Float::with_val(PRECISION, x)
}

/// The order t whose bound δ ≤ e^(κ(t) − tε) t^t/(1+t)^(1+t) of δ at ε, or of ε at δ, is best (Canonne,
/// Kamath and Steinke 2020, Proposition 12), and the ε in question. Without the factor, which is
/// maximal over the losses, an atom at the greatest loss would drive the order to infinity.
fn most_telling(sketch: &Sketch, target: &Target) -> (f64, f64) {
    let factor = |t: f64| -t * (1.0 / t).ln_1p() - t.ln_1p();
    let (tilt, epsilon) = match target {
        Target::Delta(delta) => {
            let log = delta.lo().clone().ln().to_f64();
            let bound = |t: f64| (sketch.kappa(t) + factor(t) - log) / t;
            let tilt = least(bound);
            (tilt, bound(tilt))
        }
        Target::Epsilon(epsilon) => {
            let epsilon = epsilon.hi_f64();
            let bound = |t: f64| sketch.kappa(t) + factor(t) - t * epsilon;
            (least(bound), epsilon)
        }
    };
    (tilt.min(STEEPEST / epsilon.abs().max(1e-12)), epsilon)
}

/// A window and what is needed to turn it into a grid.
struct Layout<'a> {
    parts: &'a [Part<'a>],
    tilt: f64,
    orders: (f64, f64),
    window: (f64, f64),
    ranges: Vec<(f64, f64)>,
}

impl<'a> Layout<'a> {
    /// The window that keeps the bulk of the tilted law, and the ε in question.
    fn new(parts: &'a [Part<'a>], sketch: &Sketch, (tilt, epsilon): (f64, f64)) -> Self {
        let here = sketch.kappa(tilt);
        let right = |t: f64| (sketch.kappa(tilt + t) - here - OUTSIDE) / t;
        let left = |t: f64| (sketch.kappa(tilt - t) - here - OUTSIDE) / t;
        let orders = (least(left), least(right));
        let reach = 1.0 / (1.0 + tilt);
        let window = (
            (-left(orders.0)).min(epsilon - reach),
            right(orders.1).max(epsilon + reach),
        );
        Self {
            parts,
            tilt,
            orders,
            window,
            ranges: sketch.ranges_that_matter(tilt),
        }
    }

    fn plan(self, log2: u32) -> Result<Plan, PrivacyError> {
        let length = f64::from(1u32 << log2);
        let cells = length - SPARE;
        let total: f64 = self.ranges.iter().map(|r| r.1 - r.0).sum();
        let finest = total / (EVALUATED * length);
        let lattice = spacing(self.parts.iter().filter_map(|p| p.pair.lattice())).unwrap_or(0.0);
        let step_of = |window: (f64, f64)| {
            let step = ((window.1 - window.0) / cells).max(finest);
            aligned(step, lattice)
        };
        // The extreme losses on the grid depend on the step, a little.
        let rough = step_of(self.within(0.0, cells));
        let window = self.within(rough, cells);
        let step = step_of(window);
        if !(step > 0.0 && step.is_finite()) {
            return Err(PrivacyError::NoBound {
                asked: "a composed privacy loss",
                why: format!("a grid of step {step} would be needed for losses in {window:?}"),
            });
        }
        let needed = ((window.1 - window.0) / step + SPARE)
            .max(8.0)
            .log2()
            .ceil();
        Ok(Plan {
            tilt: self.tilt,
            start: window.0,
            orders: (self.orders.0, self.orders.1.min(STEEPEST_STEP / step)),
            step,
            log2: (needed as u32).min(log2),
            ranges: self.ranges,
        })
    }

    /// The window, ended at the least or greatest composed loss where it comes near them, or where it
    /// can hold all; every part's range counts as wider by two steps, for its rounding to the grid.
    fn within(&self, step: f64, cells: f64) -> (f64, f64) {
        let sum = |end: &dyn Fn(&(f64, f64)) -> f64| -> f64 {
            let both = self.parts.iter().zip(&self.ranges);
            both.map(|(part, range)| part.times as f64 * end(range))
                .sum()
        };
        let (low, high) = (sum(&|r| r.0 - 2.0 * step), sum(&|r| r.1 + 2.0 * step));
        if high - low <= cells * step {
            return (low, high);
        }
        let (left, right) = self.window;
        let little = 0.2 * (right - left);
        let right = if high <= right + little { high } else { right };
        (left.max(low), right)
    }
}

/// A minimiser of f over (e⁻¹⁴, e³⁰), by a grid on the logarithm and a shrinking search around its best.
fn least(f: impl Fn(f64) -> f64) -> f64 {
    let value = |t: f64| {
        let y = f(t.exp());
        if y.is_nan() { f64::INFINITY } else { y }
    };
    let (mut best, mut lowest, mut reach) = (0.0, f64::INFINITY, 1.0);
    for i in -14..=30 {
        let (t, y) = (f64::from(i), value(f64::from(i)));
        if y < lowest {
            (best, lowest) = (t, y);
        }
    }
    while reach > 1e-3 {
        reach *= 0.618;
        for t in [best - reach, best + reach] {
            let y = value(t);
            if y < lowest {
                (best, lowest) = (t, y);
            }
        }
    }
    best.exp()
}
