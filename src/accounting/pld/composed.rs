//! What a composed law says about δ and ε.
//!
//! δ(ε) = e^{K−λε}·Σ w_j e^{−λd_j}(1 − e^{−d_j}), d_j = x_j − ε > 0, over the tilted masses w; an error e of
//! these adds, by Cauchy and Schwarz, at most e^{K−λε}·‖e‖₂/√(e^{2λh} − 1).

use super::lattice::Side;
use crate::accounting::float::U;
use crate::accounting::float::elementary::{exp, exp_m1, ln, ln_1p};

/// A composed law on its window, tilted.
#[derive(Clone, Debug)]
pub struct Composed {
    /// Which way it errs.
    pub(super) side: Side,
    /// h.
    pub(super) step: f64,
    /// First lattice position of the window.
    pub(super) start: i64,
    /// Tilt λ.
    pub(super) lambda: f64,
    /// Tilted masses, relative to e^K.
    pub(super) tilted: Vec<f64>,
    /// K, and how far it may be off.
    pub(super) log_scale: f64,
    pub(super) log_error: f64,
    /// 2-norm of the absolute error of `tilted`.
    pub(super) error: f64,
    /// Added to δ: mass of infinite loss and, from above, beyond the window.
    pub(super) infinite: f64,
    /// The largest loss, if the window reaches it.
    pub(super) largest: Option<f64>,
    /// Tilted mass that aliasing may have added.
    pub(super) aliased: f64,
    /// Added to every loss.
    pub(super) offset: f64,
}

impl Composed {
    /// Bound on δ at every node of the window, last node first: (ε, bound), an upper bound for
    /// [`Side::Above`], a lower bound for [`Side::Below`].
    ///
    /// By the recursions A ← e^{−λh}(A + w), D ← e^{−λh}((1 − e^{−h})(A + w) + e^{−h}D) for
    /// A = Σ w e^{−λd} and D = Σ w(e^{−λd} − e^{−(λ+1)d}): all terms are positive, 8u are lost a step.
    fn nodes(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let h = self.step;
        let (decay, shrink, gain) = (exp(-self.lambda * h), exp(-h), -exp_m1(-h));
        let n = self.tilted.len();
        let spread = exp_m1(2.0 * self.lambda * h).max(1.0 / n as f64);
        let noise = self.error / spread.sqrt() * 1.01;
        let relative = exp(self.log_error.min(600.0)) + U * (8.0 * n as f64 + 16.0);
        let (mut a, mut d, mut last) = (0.0, 0.0, 0.0);
        (0..n).rev().map(move |j| {
            let above = a + last;
            d = decay * (gain * above + shrink * d);
            a = decay * above;
            last = self.tilted[j];
            let x = (self.start + j as i64) as f64 * h;
            let log = self.log_scale - self.lambda * x;
            let rounding = 1.0 + 4.0 * U * (self.log_scale.abs() + (self.lambda * x).abs() + 8.0);
            let epsilon = x + self.offset;
            match self.side {
                Side::Above => {
                    let inner = d * relative + noise;
                    // A sum that is no number bounds nothing: the whole mass.
                    let finite = if inner > 0.0 {
                        exp(log + ln(inner)) * rounding
                    } else if inner.is_nan() {
                        1.0
                    } else {
                        0.0
                    };
                    (epsilon.next_up(), (finite + self.infinite).min(1.0))
                }
                Side::Below => {
                    let inner = d * (2.0 - relative) - noise - self.aliased;
                    let finite = if inner > 0.0 {
                        exp(log + ln(inner)) / rounding
                    } else {
                        0.0
                    };
                    (
                        epsilon.next_down(),
                        (finite + self.infinite) * (1.0 - 2.0 * U),
                    )
                }
            }
        })
    }

    /// Bound on the mass that no finite ε covers.
    #[must_use]
    pub fn infinite(&self) -> f64 {
        self.infinite
    }

    /// A bound on the least ε ≥ 0 with δ(ε) ≤ δ: upper from above (`None` if the window does not reach
    /// one), lower from below (at least 0).
    ///
    /// Between nodes the law's profile is linear in e^ε, and so is the bound.
    #[must_use]
    pub fn epsilon(&self, delta: f64) -> Option<f64> {
        let mut right: Option<(f64, f64)> = None;
        for (epsilon, bound) in self.nodes() {
            if bound > delta {
                return match (right, self.side) {
                    (Some(right), _) => Some(self.between((epsilon, bound), right, delta)),
                    // The noise alone may exceed a tiny δ.
                    (None, Side::Above) if self.infinite <= delta => {
                        self.largest.map(|l| l.max(0.0))
                    }
                    (None, Side::Above) => None,
                    (None, Side::Below) => Some(epsilon.max(0.0)),
                };
            }
            if epsilon < -self.step {
                break;
            }
            right = Some((epsilon, bound));
        }
        match self.side {
            Side::Above => right.map(|(epsilon, _)| epsilon.max(0.0)),
            Side::Below => Some(0.0),
        }
    }

    /// The ε at which the chord in e^ε passes through δ, rounded to the safe side.
    fn between(&self, left: (f64, f64), right: (f64, f64), delta: f64) -> f64 {
        let share = ((left.1 - delta) / (left.1 - right.1)).clamp(0.0, 1.0);
        let rise = ln_1p(share * exp_m1(right.0 - left.0));
        // Of the rise at most 16u; of the nodes, whose difference it hangs on, 2u each.
        let slack = U * (16.0 * self.step + 4.0 * (left.0.abs() + right.0.abs()));
        match self.side {
            Side::Above => (left.0 + rise + slack).min(right.0).max(0.0),
            Side::Below => (left.0 + rise - slack).max(left.0).max(0.0),
        }
    }

    /// A bound on δ(ε): upper from above, lower from below.
    #[must_use]
    pub fn delta(&self, epsilon: f64) -> f64 {
        let mut right: Option<(f64, f64)> = None;
        for (at, bound) in self.nodes() {
            if at <= epsilon {
                // The profile falls: the value at the left node is an upper bound, the chord tighter.
                return match (right, self.side) {
                    (Some(right), _) => {
                        let share = exp_m1(epsilon - at) / exp_m1(right.0 - at);
                        let value = bound + (right.1 - bound) * share.clamp(0.0, 1.0);
                        // The two differences are off by the rounding of the nodes.
                        let nodes = 4.0 * (at.abs() + right.0.abs()) / self.step;
                        let slack = U * ((16.0 + nodes) * (bound - right.1).abs() + 4.0 * value);
                        if self.side == Side::Above {
                            value + slack
                        } else {
                            (value - slack).max(0.0)
                        }
                    }
                    (None, Side::Above) => bound,
                    (None, Side::Below) => self.infinite,
                };
            }
            right = Some((at, bound));
        }
        if self.side == Side::Above {
            1.0
        } else {
            self.infinite
        }
    }
}
