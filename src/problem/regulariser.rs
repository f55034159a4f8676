//! Separable regularisers ψ(w) = Σ_j ψ(w_j): values, proximal maps and the scores of the greedy rules.

/// One coordinate's regulariser; the same for every coordinate.
///
/// ```
/// use dp_assay::problem::Regulariser;
///
/// let lasso = Regulariser::L1(1.0).check()?;
/// assert_eq!(lasso.value(-2.0), 2.0);
/// assert_eq!(lasso.prox(0.5, 2.0), 1.5); // moved towards 0 by 0.5
/// // At w = 0 with partial derivative 3 and smoothness 4: (3 - 1)/√4, and the model falls by 1/2.
/// assert_eq!(lasso.score_gss(3.0, 0.0, 4.0), 1.0);
/// assert_eq!(lasso.score_gsr(3.0, 0.0, 4.0), 1.0);
/// assert_eq!(lasso.model_decrease(3.0, 0.0, 4.0), 0.5);
/// assert!(lasso.has_plateau() && !Regulariser::L2(1.0).has_plateau());
/// assert!(Regulariser::Box { lower: 1.0, upper: 0.0 }.check().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Regulariser {
    /// ψ = 0.
    None,
    /// ν|w|, ν ≥ 0.
    L1(f64),
    /// (ν/2) w², ν ≥ 0, handled by its proximal map. (An ℓ₂ term inside f is [`super::Problem`]'s ridge.)
    L2(f64),
    /// 0 on \[lower, upper\], +∞ outside.
    Box {
        /// Lower end, possibly −∞.
        lower: f64,
        /// Upper end, possibly +∞.
        upper: f64,
    },
}

/// Why a regulariser is not one.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RegulariserError {
    /// A weight that is negative, infinite or NaN.
    #[error("regularisation weight {0} must be finite and >= 0")]
    Weight(f64),
    /// An empty box.
    #[error("box [{lower}, {upper}] is empty: it needs lower < upper")]
    Box {
        /// Lower end.
        lower: f64,
        /// Upper end.
        upper: f64,
    },
}

impl Regulariser {
    /// Checks the parameters.
    ///
    /// # Errors
    /// Names the weight or the ends that break the rule.
    pub fn check(self) -> Result<Self, RegulariserError> {
        match self {
            Self::L1(weight) | Self::L2(weight) if !(weight.is_finite() && weight >= 0.0) => {
                Err(RegulariserError::Weight(weight))
            }
            Self::Box { lower, upper } if lower.is_nan() || upper.is_nan() || lower >= upper => {
                Err(RegulariserError::Box { lower, upper })
            }
            sound => Ok(sound),
        }
    }

    /// ψ(w) of one coordinate.
    #[must_use]
    pub fn value(self, w: f64) -> f64 {
        match self {
            Self::None => 0.0,
            Self::L1(weight) => weight * w.abs(),
            Self::L2(weight) => 0.5 * weight * w * w,
            Self::Box { lower, upper } if lower <= w && w <= upper => 0.0,
            Self::Box { .. } => f64::INFINITY,
        }
    }

    /// prox_{γψ}(v) = argmin_x ½(v − x)² + γψ(x), γ > 0.
    #[must_use]
    pub fn prox(self, step: f64, v: f64) -> f64 {
        match self {
            Self::None => v,
            Self::L1(weight) => shrink(v, step * weight),
            Self::L2(weight) => v / (1.0 + step * weight),
            Self::Box { lower, upper } => v.max(lower).min(upper),
        }
    }

    /// Whether the scores have a plateau: an interval of gradients on which a score is constant,
    /// so that ties and exact zeros have positive probability.
    #[must_use]
    pub fn has_plateau(self) -> bool {
        match self {
            Self::None | Self::L2(_) => false,
            Self::L1(weight) => weight > 0.0,
            Self::Box { .. } => true,
        }
    }

    /// Score of the rule GS-s, the smallest subgradient: min { |z + ξ| : ξ ∈ ∂ψ(w) } / √M, for the
    /// (possibly noisy) partial derivative z.
    #[must_use]
    pub fn score_gss(self, z: f64, w: f64, smoothness: f64) -> f64 {
        let least = match self {
            Self::None => z.abs(),
            Self::L1(weight) if w == 0.0 => positive(z.abs() - weight),
            Self::L1(weight) => (z + weight.copysign(w)).abs(),
            Self::L2(weight) => (z + weight * w).abs(),
            Self::Box { lower, .. } if w <= lower => positive(-z),
            Self::Box { upper, .. } if w >= upper => positive(z),
            Self::Box { .. } => z.abs(),
        };
        least / smoothness.sqrt()
    }

    /// Score of the rule GS-r, the length of the proximal step: √M |prox_{ψ/M}(w − z/M) − w|.
    #[must_use]
    pub fn score_gsr(self, z: f64, w: f64, smoothness: f64) -> f64 {
        smoothness.sqrt() * self.model_step(z, w, smoothness).abs()
    }

    /// Decrease of the quadratic model, −min_a z a + (M/2) a² + ψ(w + a) − ψ(w) ≥ 0: what the rule
    /// GS-q ranks by.
    #[must_use]
    pub fn model_decrease(self, z: f64, w: f64, smoothness: f64) -> f64 {
        let a = self.model_step(z, w, smoothness);
        match self {
            Self::None => 0.5 * (z / smoothness) * z,
            Self::L1(weight) if w == 0.0 => {
                let excess = positive(z.abs() - weight);
                0.5 * (excess / smoothness) * excess
            }
            Self::L2(weight) => {
                let slope = z + weight * w;
                0.5 * (slope / (smoothness + weight)) * slope
            }
            Self::L1(weight) => {
                let rise = weight * ((w + a).abs() - w.abs());
                positive(-(z * a + 0.5 * smoothness * a * a + rise))
            }
            Self::Box { .. } => positive(-(z * a + 0.5 * smoothness * a * a)),
        }
    }

    /// The minimiser a of the quadratic model z a + (M/2) a² + ψ(w + a).
    fn model_step(self, z: f64, w: f64, smoothness: f64) -> f64 {
        match self {
            Self::None => -z / smoothness,
            Self::L1(weight) => shrink(w - z / smoothness, weight / smoothness) - w,
            Self::L2(weight) => -(z + weight * w) / (smoothness + weight),
            Self::Box { .. } => self.prox(1.0 / smoothness, w - z / smoothness) - w,
        }
    }
}

/// sign(v) max(|v| − k, 0).
fn shrink(v: f64, k: f64) -> f64 {
    positive(v.abs() - k).copysign(v)
}

fn positive(x: f64) -> f64 {
    x.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::Regulariser;
    use proptest::prelude::*;

    fn any_regulariser() -> impl Strategy<Value = Regulariser> {
        prop_oneof![
            Just(Regulariser::None),
            (0.0..3.0f64).prop_map(Regulariser::L1),
            (0.0..3.0f64).prop_map(Regulariser::L2),
            (-2.0..0.0f64, 0.1..2.0f64)
                .prop_map(|(lower, upper)| Regulariser::Box { lower, upper }),
        ]
    }

    /// A point of the regulariser's domain, its kinks included.
    fn point(psi: Regulariser, t: f64) -> f64 {
        match psi {
            Regulariser::Box { lower, upper } => (3.0 * t).max(lower).min(upper),
            _ if t.abs() < 0.2 => 0.0,
            _ => 3.0 * t,
        }
    }

    fn model(psi: Regulariser, z: f64, w: f64, m: f64, a: f64) -> f64 {
        z * a + 0.5 * m * a * a + psi.value(w + a) - psi.value(w)
    }

    /// Smallest value of a convex function on [lo, hi], by ternary search: 200 steps shrink the
    /// interval below its floating-point resolution.
    fn minimum(f: impl Fn(f64) -> f64, mut lo: f64, mut hi: f64) -> f64 {
        for _ in 0..200 {
            let (a, b) = (lo + (hi - lo) / 3.0, hi - (hi - lo) / 3.0);
            if f(a) <= f(b) { hi = b } else { lo = a }
        }
        f(lo).min(f(hi)).min(f(0.5 * (lo + hi)))
    }

    proptest! {
        // Values are below 10³ and M above 0.05, so 1e-9 is 10⁵ times the rounding of either side.
        #[test]
        fn model_decrease_is_the_minimum_found_by_search(
            psi in any_regulariser(), z in -4.0..4.0f64, t in -1.0..1.0f64, m in 0.05..5.0f64,
        ) {
            let w = point(psi, t);
            let (lo, hi) = match psi {
                Regulariser::Box { lower, upper } => (lower - w, upper - w),
                _ => (-200.0, 200.0),
            };
            // `w + (lower − w)` may round to just outside the box: clamp what ψ sees.
            let inside = |a: f64| match psi {
                Regulariser::Box { .. } => z * a + 0.5 * m * a * a,
                _ => model(psi, z, w, m, a),
            };
            let searched = minimum(inside, lo, hi).min(0.0);
            prop_assert!((psi.model_decrease(z, w, m) + searched).abs() < 1e-9);
        }

        #[test]
        fn proximal_step_is_the_minimiser(
            psi in any_regulariser(), v in -6.0..6.0f64, step in 0.05..5.0f64,
        ) {
            let x = psi.prox(step, v);
            let objective = |x: f64| 0.5 * (v - x) * (v - x) + step * psi.value(x);
            prop_assert!(psi.value(x).is_finite());
            for offset in [-1.0, -0.1, -1e-3, 1e-3, 0.1, 1.0] {
                prop_assert!(objective(x) <= objective(x + offset));
            }
        }

        #[test]
        fn smallest_subgradient_is_found_by_search(
            psi in any_regulariser(), z in -4.0..4.0f64, t in -1.0..1.0f64, m in 0.05..5.0f64,
        ) {
            let w = point(psi, t);
            // The subdifferential as an interval, infinite ends cut where they cannot matter.
            let (lo, hi) = match psi {
                Regulariser::None => (0.0, 0.0),
                Regulariser::L1(nu) if w == 0.0 => (-nu, nu),
                Regulariser::L1(nu) => (nu * w.signum(), nu * w.signum()),
                Regulariser::L2(nu) => (nu * w, nu * w),
                Regulariser::Box { lower, .. } if w == lower => (-10.0, 0.0),
                Regulariser::Box { upper, .. } if w == upper => (0.0, 10.0),
                Regulariser::Box { .. } => (0.0, 0.0),
            };
            let least = minimum(|xi| (z + xi).abs(), lo, hi);
            prop_assert!((psi.score_gss(z, w, m) - least / m.sqrt()).abs() < 1e-9);
        }

        // The slope bound on which report-noisy-max on scores rests: all three, in root-decrease
        // form for GS-q, move by at most |Δz|/√M. The slack covers the rounding of values below 10².
        #[test]
        fn every_score_moves_at_most_by_dz_over_root_m(
            psi in any_regulariser(), z in -4.0..4.0f64, dz in -2.0..2.0f64,
            t in -1.0..1.0f64, m in 0.05..5.0f64,
        ) {
            let w = point(psi, t);
            let allowed = dz.abs() / m.sqrt() + 1e-6;
            let root = |z| (2.0 * psi.model_decrease(z, w, m)).sqrt();
            prop_assert!((psi.score_gss(z + dz, w, m) - psi.score_gss(z, w, m)).abs() <= allowed);
            prop_assert!((psi.score_gsr(z + dz, w, m) - psi.score_gsr(z, w, m)).abs() <= allowed);
            prop_assert!((root(z + dz) - root(z)).abs() <= allowed);
        }
    }

    #[test]
    fn a_plateau_is_where_two_gradients_have_one_score() {
        for (psi, w, plateau) in [
            (Regulariser::None, 0.0, false),
            (Regulariser::L2(1.0), 0.0, false),
            (Regulariser::L1(0.0), 0.0, false),
            (Regulariser::L1(0.1), 0.0, true),
            (
                Regulariser::Box {
                    lower: -1.0,
                    upper: 1.0,
                },
                -1.0,
                true,
            ),
        ] {
            let [one, other] = [0.01, 0.02].map(|z| psi.score_gss(z, w, 1.0));
            assert_eq!(
                (psi.has_plateau(), one == other),
                (plateau, plateau),
                "{psi:?}"
            );
        }
    }

    /// A gradient that exceeds the weight in its ninth digit: the decrease (|z| − ν)²/(2M) has as many digits as any other.
    #[test]
    fn a_small_decrease_from_zero_is_not_lost_in_cancellation() {
        for z in [1.0_f64 + 1e-9, -1.0 - 1e-9] {
            let excess = z.abs() - 1.0;
            let found = Regulariser::L1(1.0).model_decrease(z, 0.0, 4.0);
            let truth = excess * excess / 8.0;
            assert!(
                (found / truth - 1.0).abs() < 1e-12,
                "{found} is not {truth}"
            );
        }
    }
}
