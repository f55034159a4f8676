//! What a composed law says about δ and ε.
//!
//! δ(ε) = e^{K−λε}·Σ w_j e^{−λd_j}(1 − e^{−d_j}), d_j = x_j − ε > 0, over the tilted masses w; an error e of
//! these adds, by Cauchy and Schwarz, at most e^{K−λε}·‖e‖₂/√(e^{2λh} − 1).

use super::lattice::Side;
use crate::float::U;
use crate::float::elementary::{exp, exp_m1, ln, ln_1p};

/// A composed law on its window, tilted.
///
/// ```
/// use dp_assay::accounting::pld::compose::{Lane, compose};
/// use dp_assay::accounting::pld::lattice::{LatticeLaw, Side};
/// use dp_assay::accounting::pld::law::GaussianLaw;
///
/// // Four releases with Δ/σ = ½ are one with 1.
/// let law = LatticeLaw::new(&GaussianLaw { mu: 0.5 }, Side::Above, 0.01, (-500, 500), 0.0);
/// let lane = Lane { parts: vec![(law, 4)], lambda: 4.0, start: -1024, shifts: (5.0, 5.0) };
/// let composed = compose(&lane, 2048);
/// assert!(composed.infinite() < 1e-9);
/// // At 4 nats the exact δ is Φ(−7/2) − e⁴·Φ(−9/2) = 4.7·10⁻⁵.
/// assert!((4e-5..6e-5).contains(&composed.delta(4.0)));
/// ```
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
    /// Tail sums of the tilted masses, relative to e^K.
    pub(super) tails: Tails,
    /// K, and how far it may be off.
    pub(super) log_scale: f64,
    pub(super) log_error: f64,
    /// 2-norm of the absolute error of the tilted masses.
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

/// Σ w_i(e^{−λd} − e^{−(λ+1)d}), d = x_i − x_j > 0, at every node x_j of a window.
#[derive(Clone, Debug)]
pub(super) struct Tails(Vec<f64>);

impl Tails {
    /// By the recursions A ← e^{−λh}(A + w), D ← e^{−λh}((1 − e^{−h})(A + w) + e^{−h}D) for
    /// A = Σ w e^{−λd} and the sum D: all terms are positive, 8u are lost a step.
    pub(super) fn new(mut tilted: Vec<f64>, lambda: f64, h: f64) -> Self {
        let (decay, shrink, gain) = (exp(-lambda * h), exp(-h), -exp_m1(-h));
        let (mut a, mut d, mut last) = (0.0, 0.0, 0.0);
        for entry in tilted.iter_mut().rev() {
            let above = a + last;
            d = decay * (gain * above + shrink * d);
            a = decay * above;
            last = std::mem::replace(entry, d);
        }
        Self(tilted)
    }
}

impl Composed {
    /// ε of node j.
    fn at(&self, j: usize) -> f64 {
        let epsilon = ((self.start + j as i64) as f64).mul_add(self.step, self.offset);
        match self.side {
            Side::Above => epsilon.next_up(),
            Side::Below => epsilon.next_down(),
        }
    }

    /// (ε, bound on δ) at node j of the window, an upper bound for [`Side::Above`], a lower bound for
    /// [`Side::Below`].
    ///
    /// # The rounding of the power
    ///
    /// x = nh and λx are each rounded once, K − λx and the sum with ln(inner) once more, and the logarithm is off by 4u of itself:
    /// 2u|K| + 4u|λx| + 5u|ln inner| in the exponent. The power loses 3u, the last two operations u each, and squares
    /// of all that are far below the remaining 27u.
    fn node(&self, j: usize, (noise, relative): (f64, f64)) -> (f64, f64) {
        let x = (self.start + j as i64) as f64 * self.step;
        let log = self.log_scale - self.lambda * x;
        let inner = match self.side {
            Side::Above => self.tails.0[j] * relative + noise,
            Side::Below => self.tails.0[j] * (2.0 - relative) - noise - self.aliased,
        };
        let part = ln(inner);
        let sizes = self.log_scale.abs() + (self.lambda * x).abs() + 2.0 * part.abs();
        let rounding = 1.0 + 4.0 * U * (sizes + 8.0);
        let finite = match self.side {
            // A sum that is no number bounds nothing: the whole mass.
            Side::Above if inner.is_nan() => 1.0,
            Side::Above if inner > 0.0 => exp(log + part) * rounding,
            Side::Below if inner > 0.0 => exp(log + part) / rounding,
            _ => 0.0,
        };
        let bound = match self.side {
            Side::Above => (finite + self.infinite).min(1.0),
            Side::Below => (finite + self.infinite) * (1.0 - 2.0 * U),
        };
        (self.at(j), bound)
    }

    /// What the tail sums may be off by, absolutely and as a factor.
    fn margins(&self) -> (f64, f64) {
        let n = self.tails.0.len() as f64;
        let spread = exp_m1(2.0 * self.lambda * self.step).max(1.0 / n);
        let noise = self.error / spread.sqrt() * 1.01;
        let relative = exp(self.log_error.min(600.0)) + U * (8.0 * n + 16.0);
        (noise, relative)
    }

    /// What the transform's rounding may be of δ(ε), as a share of δ, at the ε that this law says belongs to δ: about, for a choice.
    pub(super) fn rounding(&self, delta: f64) -> f64 {
        let epsilon = self.epsilon(delta).unwrap_or(0.0);
        exp((self.log_scale - self.lambda * epsilon).min(700.0)) * self.margins().0 / delta
    }

    /// The last node with ε at most `epsilon`, if there is one.
    fn last_at_most(&self, epsilon: f64) -> Option<usize> {
        let about = ((epsilon - self.offset) / self.step).floor() - self.start as f64;
        let end = self.tails.0.len() as f64 - 1.0;
        let mut j = (about + 2.0).clamp(0.0, end) as usize;
        while self.at(j) > epsilon {
            j = j.checked_sub(1)?;
        }
        Some(j)
    }

    /// Number of points of the window.
    pub(super) fn len(&self) -> usize {
        self.tails.0.len()
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
        // A node below 0 decides whether ε = 0 is enough.
        let first = self.last_at_most(-self.step).unwrap_or(0);
        let last = self.tails.0.len() - 1;
        let margins = self.margins();
        let node = |j: usize| self.node(j, margins);
        let right = node(last);
        if right.1 > delta {
            return match self.side {
                // The noise alone may exceed a tiny δ.
                Side::Above if self.infinite <= delta => self.largest.map(|l| l.max(0.0)),
                Side::Above => None,
                Side::Below => Some(right.0.max(0.0)),
            };
        }
        let exceeds = |j: usize| node(j).1 > delta;
        let crossing = match self.side {
            Side::Above if !exceeds(first) => return Some(node(first).0.max(0.0)),
            Side::Above => last_before(first, last, exceeds),
            // Far below the tilt's losses the bound is lost in the noise: it does not always fall.
            Side::Below => match (first..last).rev().find(|j| exceeds(*j)) {
                Some(j) => j,
                None => return Some(0.0),
            },
        };
        Some(self.between(node(crossing), node(crossing + 1), delta))
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
        let Some(j) = self.last_at_most(epsilon) else {
            return match self.side {
                Side::Above => 1.0,
                Side::Below => self.infinite,
            };
        };
        let margins = self.margins();
        let (at, bound) = self.node(j, margins);
        if j + 1 == self.tails.0.len() {
            return match self.side {
                Side::Above => bound,
                Side::Below => self.infinite,
            };
        }
        // The profile falls: the value at the left node is an upper bound, the chord tighter.
        let right = self.node(j + 1, margins);
        let share = exp_m1(epsilon - at) / exp_m1(right.0 - at);
        let value = bound + (right.1 - bound) * share.clamp(0.0, 1.0);
        // The two differences are off by the rounding of the nodes.
        let nodes = 4.0 * (at.abs() + right.0.abs()) / self.step;
        let slack = U * ((16.0 + nodes) * (bound - right.1).abs() + 4.0 * value);
        match self.side {
            Side::Above => value + slack,
            Side::Below => (value - slack).max(0.0),
        }
    }
}

/// The last number of \[low, high) at which a predicate holds that holds at `low` and not at `high`, as far
/// as bisection sees.
fn last_before(mut low: usize, mut high: usize, holds: impl Fn(usize) -> bool) -> usize {
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use rug::Float;

    /// Nodes from `start` on, `step` apart, with these tails and a tilt of λ.
    fn of(
        side: Side,
        (step, start): (f64, i64),
        tails: &[f64],
        (lambda, log_scale): (f64, f64),
    ) -> Composed {
        Composed {
            side,
            step,
            start,
            lambda,
            tails: Tails(tails.to_vec()),
            log_scale,
            log_error: 0.0,
            error: 0.0,
            infinite: 0.0,
            largest: None,
            aliased: 0.0,
            offset: 0.0,
        }
    }

    /// Sizes of the scale and of the tail that nearly cancel: the logarithm of the tail is what is rounded.
    #[test]
    fn a_power_is_off_by_no_more_than_it_says() {
        let exact = |x: f64| Float::with_val(300, x);
        for (log_scale, lambda, start) in [
            (0.0, 0.0, 0),
            (600.0, 0.3, 10),
            (650.3, 7.7, -9),
            (20.1, 55.5, 3),
        ] {
            for j in 1..400 {
                let inner = 10f64.powf(-0.7 * f64::from(j)) * (1.0 + f64::from(j) / 700.0);
                let found = |side| {
                    let composed = of(side, (0.37, start), &[inner], (lambda, log_scale));
                    composed.node(0, (0.0, 1.0)).1
                };
                let power = exact(log_scale) - exact(lambda) * exact(0.37) * start;
                let truth = power.exp() * inner;
                // Below, doubles have fewer digits; above, δ is 1.
                if truth > 1e-290 && truth < 1.0 {
                    assert!(
                        found(Side::Above) >= truth,
                        "{log_scale} {lambda} {j}: {truth}"
                    );
                    assert!(
                        found(Side::Below) <= truth,
                        "{log_scale} {lambda} {j}: {truth}"
                    );
                }
            }
        }
    }

    /// Between nodes far from 0, their difference is known as well as they are: 4u of both, of a step that is small beside them.
    #[test]
    fn a_chord_between_far_nodes_is_off_by_their_rounding() {
        for start in [0, 1 << 22] {
            let found = |side| {
                let composed = of(side, (0.25, start), &[0.5, 0.25], (0.0, 0.0));
                composed.delta(0.25 * start as f64 + 0.125)
            };
            let apart = found(Side::Above) - found(Side::Below);
            let nodes = 8.0 * start as f64;
            let least = 2.0 * U * (16.0 + nodes) * 0.25;
            assert!(
                (least..1.5 * least + 64.0 * U).contains(&apart),
                "{start}: {apart}, {least}"
            );
        }
    }

    #[test]
    fn a_window_is_as_long_as_its_points_are_many() {
        assert_eq!(
            of(Side::Above, (0.5, 3), &[0.5, 0.25, 0.1], (0.0, 0.0)).len(),
            3
        );
    }

    #[test]
    fn nodes_and_ends_are_what_they_were() {
        let mut found = Vec::new();
        let raw: Vec<f64> = (0..40).map(|j| 1.0 / f64::from(1 + j * j)).collect();
        found.push(steady::mark(&Tails::new(raw.clone(), 0.7, 0.25).0));
        found.push(steady::mark(&Tails::new(raw.clone(), 0.0, 1e-3).0));
        for side in [Side::Above, Side::Below] {
            for (lambda, error, log_error, infinite, aliased) in [
                (0.9, 1e-4, 1e-3, 1e-5, 1e-4),
                (0.0, 1e-3, 0.0, 0.0, 0.0),
                (6.0, 0.0, 1e-9, 1e-2, 1e-9),
            ] {
                let step = 0.25;
                let mut composed = of(side, (step, -12), &[], (lambda, -1.5));
                composed.tails = Tails::new(raw.clone(), lambda, step);
                (composed.error, composed.log_error) = (error, log_error);
                (composed.infinite, composed.aliased) = (infinite, aliased);
                (composed.offset, composed.largest) = (0.013, Some(6.9));
                let margins = composed.margins();
                found.extend([margins.0, margins.1]);
                let nodes = [0, 11, 13, 39].map(|j| composed.node(j, margins));
                found.extend(nodes.into_iter().flat_map(|(at, bound)| [at, bound]));
                for epsilon in [-9.0, -2.9, -0.1, 0.0, 0.4, 2.0, 6.8, 7.0] {
                    let last = composed.last_at_most(epsilon);
                    found.push(last.map_or(-1.0, |j| j as f64));
                    found.push(composed.delta(epsilon));
                }
                for delta in [1e-6, 1.5e-5, 1e-3, 0.02, 0.3, 0.9] {
                    found.push(composed.epsilon(delta).unwrap_or(-1.0));
                }
            }
        }
        let marks: Vec<f64> = found[2..].chunks(32).map(steady::mark).collect();
        steady::holds(
            &[&found[..2], &marks].concat(),
            "8880127111307413.0 8538498351602068.0 4178430480728967.0 7663736162948799.0
         1277906210349233.0 6239858565551064.0 818839616340025.0 4441712058975006.0",
        );
    }

    /// The profile of a few atoms from their tilted masses, at every node.
    #[test]
    fn tails_are_sums_over_all_masses_beyond() {
        let (masses, lambda, h) = ([0.5, 0.25, 0.125, 0.0625], 0.7f64, 0.3f64);
        let found = Tails::new(masses.to_vec(), lambda, h).0;
        for (j, found) in found.into_iter().enumerate() {
            let beyond = (j + 1..4).map(|i| {
                let apart = (i - j) as f64 * h;
                masses[i] * (-lambda * apart).exp() * -(-apart).exp_m1()
            });
            let truth: f64 = beyond.sum();
            assert!((found - truth).abs() < 1e-15, "{j}: {found}, {truth}");
        }
    }

    #[test]
    fn the_last_of_a_row_is_found_wherever_it_is() {
        for last in 0..9 {
            assert_eq!(last_before(0, 9, |j| j <= last), last);
        }
    }
}
