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
    for _ in 0..15 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::Interval;
    use crate::privacy::gaussian::Gdp;
    use crate::privacy::notion::Profile;

    fn gaussian(mu: f64) -> Gdp {
        Gdp::new(Interval::from_f64(mu)).expect("a positive number")
    }

    #[test]
    fn the_least_value_of_a_function_is_found_over_many_magnitudes() {
        for at in [-12.3f64, -1.0, 0.0, 2.7, 28.4] {
            let found = least(|t| (t.ln() - at).powi(2));
            assert!((found.ln() - at).abs() < 3e-3, "e^{at}: {found}");
            // Where it is not defined it is no less.
            let half = least(|t| if t.ln() > at { f64::NAN } else { -t });
            assert!((half.ln() - at).abs() < 3e-3, "e^{at}: {half}");
        }
    }

    /// Of a Gaussian pair the best order solves t + 1/2 − ln(1 + 1/t) = ε/μ², and gives an ε a little above the truth.
    #[test]
    fn the_order_is_the_one_at_which_the_bound_is_best() {
        let pair = gaussian(1.0);
        let parts = [Part {
            pair: &pair,
            times: 1,
        }];
        let sketch = Sketch::new(&parts, &float(1e-30));
        let gap = |t: f64, epsilon: f64| t + 0.5 - (1.0 / t).ln_1p() - epsilon;
        for epsilon in [0.5, 3.0, 8.0] {
            let target = Target::Epsilon(Interval::from_f64(epsilon));
            let (tilt, about) = most_telling(&sketch, &target);
            assert_eq!(about, epsilon);
            assert!(
                gap(tilt, epsilon).abs() < 0.02 * (1.0 + epsilon),
                "{epsilon}: {tilt}"
            );
        }
        for delta in [1e-3, 1e-6, 1e-9] {
            let target = Target::Delta(Interval::from_f64(delta));
            let (tilt, epsilon) = most_telling(&sketch, &target);
            assert!(
                gap(tilt, epsilon).abs() < 0.02 * (1.0 + epsilon),
                "{delta}: {tilt}"
            );
            let at = |e: f64| pair.delta(&Interval::from_f64(e)).hi_f64();
            assert!(
                at(epsilon) <= delta && at(epsilon - 0.4) > delta,
                "{delta}: {epsilon}"
            );
        }
    }

    /// For v = nμ² the window of the tilted law reaches √(54v) to both sides of v(t + 1/2), at orders √(54/v).
    #[test]
    fn windows_hold_the_bulk_of_the_tilted_law_and_no_more() {
        let pair = gaussian(0.05);
        let (times, log2) = (4000, 12);
        let parts = [Part { pair: &pair, times }];
        let v = times as f64 * 0.05f64.powi(2);
        for epsilon in [20.0, 40.0] {
            let target = Target::Epsilon(Interval::from_f64(epsilon));
            let plan = Plan::new(&parts, &target, log2).expect("a grid");
            let (reach, centre) = ((54.0 * v).sqrt(), v * (plan.tilt + 0.5));
            assert_eq!(plan.log2, log2);
            assert!(
                (plan.start - (centre - reach)).abs() < 0.02 * reach,
                "{plan:?}"
            );
            let step = 2.0 * reach / (f64::from(1u32 << log2) - SPARE);
            assert!((plan.step / step - 1.0).abs() < 0.02, "{plan:?}: {step}");
            let order = (54.0 / v).sqrt();
            for found in [plan.orders.0, plan.orders.1] {
                assert!((found / order - 1.0).abs() < 0.02, "{plan:?}: {order}");
            }
            // Of one step what is cut off is far from its bulk, and a range no wider than ten deviations or so.
            let (low, high) = plan.ranges[0];
            assert!(
                low < -0.2 && low > -0.7 && high > 0.3 && high < 1.0,
                "{plan:?}"
            );
        }
    }

    fn layout<'a>(parts: &'a [Part<'a>], window: (f64, f64), ranges: &[(f64, f64)]) -> Layout<'a> {
        Layout {
            parts,
            tilt: 0.0,
            orders: (1.0, 1e6),
            window,
            ranges: ranges.to_vec(),
        }
    }

    /// Three losses in [−1, 2] and two in [−1/2, 1/4] lie in [−4, 13/2], and with two steps of 1/8 for each in [−21/4, 31/4].
    #[test]
    fn a_window_ends_where_the_losses_do_if_it_comes_near() {
        let pair = gaussian(1.0);
        let parts = [3, 2].map(|times| Part { pair: &pair, times });
        let at = |window, cells| {
            layout(&parts, window, &[(-1.0, 2.0), (-0.5, 0.25)]).within(0.125, cells)
        };
        let all = (-5.25, 7.75);
        assert_eq!([at((-1.0, 1.0), 104.0), at((-1.0, 1.0), 105.0)], [all; 2]);
        for (window, found) in [
            ((-1.0, 1.0), (-1.0, 1.0)),
            ((-10.0, 30.0), all),
            // A fifth of the window is not enough, is just enough, or more.
            ((-7.5, 4.5), (-5.25, 4.5)),
            ((1.75, 6.75), (1.75, 7.75)),
            ((-4.0, 7.0), (-4.0, 7.75)),
            ((-4.0, 3.0), (-4.0, 3.0)),
        ] {
            assert_eq!(at(window, 103.0), found, "{window:?}");
        }
    }

    /// The step divides the window into all cells but 16, unless so many points of the ranges would have to be evaluated;
    /// then the transform is no longer than it needs to be.
    #[test]
    fn a_step_is_that_of_the_window_or_of_the_ranges() {
        let pair = gaussian(1.0);
        let parts = [1, 1].map(|times| Part { pair: &pair, times });
        let plan = |window, ranges| layout(&parts, window, ranges).plan(10);
        let wide = [(-1000.0, 1000.0), (-600.0, 400.0)];
        let narrow = plan((-4.0, 4.0), &[(-6.0, 6.0), (-6.0, 6.0)]).expect("a grid");
        assert_eq!((narrow.step, narrow.log2), (8.0 / 1008.0, 10));
        assert_eq!((narrow.start, narrow.orders.0), (-4.0, 1.0));
        // Ten steps' worth.
        assert!((narrow.orders.1 - 1260.0).abs() < 1e-9, "{narrow:?}");
        let coarse = plan((-4.0, 4.0), &wide).expect("a grid");
        assert_eq!(coarse.step, 3000.0 / 4096.0);
        // ⌈log₂(8/0.73 + 16)⌉
        assert_eq!((coarse.log2, coarse.ranges), (5, wide.to_vec()));
        assert_eq!(plan((0.0, 1e-3), &wide).expect("a grid").log2, 5);
        // The losses reach to 4 and twice two steps of 8/1008 beyond, on the left to before the window.
        let near = plan((-4.0, 4.0), &[(-2.0, 2.0), (-2.0, 2.0)]).expect("a grid");
        assert_eq!(near.start, -4.0);
        let step = (8.0 + 4.0 * 8.0 / 1008.0) / 1008.0;
        assert!((near.step - step).abs() < 1e-15, "{near:?}");
        let endless = plan((-4.0, 4.0), &[(-1.0, f64::INFINITY), (-1.0, 1.0)]);
        let told = endless.expect_err("no grid").to_string();
        assert!(
            told.contains("step inf ") && told.contains("no bound"),
            "{told}"
        );
        let none = plan((1.0, 1.0), &[(1.0, 1.0), (1.0, 1.0)]);
        assert!(none.expect_err("no grid").to_string().contains("step 0 "));
    }

    /// δ is about e^{−(ε − 1/2)²/2} for one Gaussian step: the range ends where 10⁻¹³ of that is left, or beyond, and where
    /// 10⁻⁴⁰ is if that is less. The tilt is a million over ε at most, where the order would grow for ever.
    #[test]
    fn ranges_and_tilts_are_those_of_the_guarantee_asked_for() {
        let pair = gaussian(1.0);
        let parts = [Part {
            pair: &pair,
            times: 1,
        }];
        let told = |epsilon: f64| float(-0.5 * (epsilon - 0.5).powi(2)).exp() * 1e-3;
        for (epsilon, share) in [(10.0, float(1e-30)), (20.0, told(20.0)), (30.0, told(30.0))] {
            let target = Target::Epsilon(Interval::from_f64(epsilon));
            let plan = Plan::new(&parts, &target, 8).expect("a grid");
            let (_, high) = plan.ranges[0];
            let (_, wanted) = super::super::sketch::range(&parts[0], &share, 1.0);
            // What is known at first is too little, and what is guessed from that is on the safe side.
            let most = if epsilon > 10.0 { 2.0 } else { 1.000_001 };
            let told = format!("{plan:?}: {wanted}");
            assert!(
                high >= 0.999_999 * wanted && high <= most * wanted,
                "{told}"
            );
        }
        let pair = crate::privacy::laplace::Laplace::new(&Interval::from(1), &Interval::from(1));
        let pair = pair.expect("a positive number");
        let parts = [Part {
            pair: &pair,
            times: 1,
        }];
        let sketch = Sketch::new(&parts, &float(1e-30));
        let target = Target::Epsilon(Interval::from(2));
        assert_eq!(most_telling(&sketch, &target), (STEEPEST / 2.0, 2.0));
    }

    /// What takes few values needs no large grid, and all that can be lost is in the window.
    #[test]
    fn small_laws_are_held_as_a_whole() {
        let pair = crate::privacy::laplace::Laplace::new(&Interval::from(2), &Interval::from(1));
        let pair = pair.expect("a positive number");
        let parts = [Part {
            pair: &pair,
            times: 2,
        }];
        let target = Target::Epsilon(Interval::from_f64(0.5));
        let plan = Plan::new(&parts, &target, 16).expect("a grid");
        let length = plan.step * f64::from(1u32 << plan.log2);
        // From −1 to 1, each loss rounded up and down by two steps.
        assert!(
            plan.start <= -1.0 && plan.start >= -1.0 - 8.0 * plan.step,
            "{plan:?}"
        );
        assert!(plan.start + length >= 1.0 && length < 4.2, "{plan:?}");
        assert!(plan.orders.1 <= STEEPEST_STEP / plan.step, "{plan:?}");
    }
}
