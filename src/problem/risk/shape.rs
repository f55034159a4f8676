//! Test functions with known KL constants, and risks whose mean they are.

use super::{Excess, Limits, Risk, Visited};
use crate::problem::rows::{Matrix, norm};
use crate::units::OutOfDomain;

/// A function ψ of w ∈ ℝ^d with minimum 0, which depends on r = ‖w‖ only; all but the ring have their minimum at 0.
///
/// ```
/// use dp_assay::problem::risk::Shape;
///
/// let shape = Shape::Quadratic { mu: 2.0 };
/// let mut gradient = [0.0; 2];
/// shape.gradient(&[3.0, 4.0], &mut gradient);
/// assert_eq!((shape.value(&[3.0, 4.0]), gradient), (25.0, [6.0, 8.0]));
/// // On ‖w‖ ≤ 5 slopes reach 10; F = γ²‖∇F‖² with γ = 1/2.
/// let known = shape.known(0.5, 5.0)?;
/// assert_eq!((known.lipschitz, known.smoothness, known.kappa), (10.0, Some(2.0), 2.0));
/// assert!((known.gamma - 0.5).abs() < 1e-12);
/// assert!(Shape::Ring.known(2.0, 3.0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// μr²/2.
    Quadratic {
        /// μ > 0.
        mu: f64,
    },
    /// s·r^τ.
    Power {
        /// s > 0.
        scale: f64,
        /// τ > 1.
        tau: f64,
    },
    /// r²/2 up to δ, then δr − δ²/2.
    Huber {
        /// δ > 0.
        delta: f64,
    },
    /// ln cosh r.
    LogCosh,
    /// r² + 3sin²r, not convex.
    Sine,
    /// (r² − 1)²/4, minimal on the unit sphere (d = 1: at ±1), not convex.
    Ring,
}

/// What is known of a shape on ‖w‖ ≤ R (for the ring, on r₀ ≤ ‖w‖ ≤ R).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// F − F* ≤ γ^κ‖∇F‖^κ.
    pub gamma: f64,
    /// κ.
    pub kappa: f64,
    /// sup ‖∇F‖.
    pub lipschitz: f64,
    /// Lipschitz constant of the gradient; `None` if there is none.
    pub smoothness: Option<f64>,
}

impl Shape {
    /// ψ as a function of r.
    fn of(self, r: f64) -> f64 {
        match self {
            Self::Quadratic { mu } => 0.5 * mu * r * r,
            Self::Power { scale, tau } => scale * r.powf(tau),
            Self::Huber { delta } if r <= delta => 0.5 * r * r,
            Self::Huber { delta } => delta * r - 0.5 * delta * delta,
            // ln cosh r = r + ln(1 + e^{−2r}) − ln 2.
            Self::LogCosh => r + (-2.0 * r).exp().ln_1p() - std::f64::consts::LN_2,
            Self::Sine => r * r + 3.0 * r.sin() * r.sin(),
            Self::Ring => 0.25 * (r * r - 1.0) * (r * r - 1.0),
        }
    }

    /// ψ′(r)/r, so that ∇ψ(w) = (ψ′(r)/r)·w; 0 at r = 0.
    fn slope_over_radius(self, r: f64) -> f64 {
        if r == 0.0 {
            return 0.0;
        }
        match self {
            Self::Quadratic { mu } => mu,
            Self::Power { scale, tau } => scale * tau * r.powf(tau - 2.0),
            Self::Huber { delta } => (delta / r).min(1.0),
            Self::LogCosh => r.tanh() / r,
            Self::Sine => 2.0 + 3.0 * (2.0 * r).sin() / r,
            Self::Ring => r * r - 1.0,
        }
    }

    /// ψ(w).
    #[must_use]
    pub fn value(self, w: &[f64]) -> f64 {
        self.of(norm(w))
    }

    /// ∇ψ(w) into `gradient`.
    pub fn gradient(self, w: &[f64], gradient: &mut [f64]) {
        let factor = self.slope_over_radius(norm(w));
        for (g, w) in gradient.iter_mut().zip(w) {
            *g = factor * w;
        }
    }

    /// The constants for ‖w‖ ≤ `radius`; for the ring, for `inner` ≤ ‖w‖ ≤ `radius`, `inner` in (0, 1).
    ///
    /// # Errors
    /// If a parameter or the region is outside its domain.
    pub fn known(self, inner: f64, radius: f64) -> Result<Known, OutOfDomain> {
        positive("radius", radius)?;
        Ok(match self {
            Self::Quadratic { mu } => {
                positive("mu", mu)?;
                // Equality everywhere.
                known((2.0 * mu).sqrt().recip(), 2.0, mu * radius, Some(mu))
            }
            Self::Power { scale, tau } => {
                positive("scale", scale)?;
                if !(tau.is_finite() && tau > 1.0) {
                    let (name, value, rule) = ("tau", tau, "finite and > 1");
                    return Err(OutOfDomain { name, value, rule });
                }
                let smooth = scale * tau * (tau - 1.0) * radius.powf(tau - 2.0);
                known(
                    scale.powf(-1.0 / tau) / tau,
                    tau / (tau - 1.0),
                    scale * tau * radius.powf(tau - 1.0),
                    (tau >= 2.0).then_some(smooth),
                )
            }
            Self::Huber { delta } => {
                positive("delta", delta)?;
                // F/F′² is ½ inside and r/δ − ½ outside.
                let gamma = (radius / delta - 0.5).max(0.5).sqrt();
                known(gamma, 2.0, delta.min(radius), Some(1.0))
            }
            Self::LogCosh => {
                let gamma = self.of(radius).sqrt() / radius.tanh();
                known(gamma, 2.0, radius.tanh(), Some(1.0))
            }
            // γ² = sup F/F′² = 2.84850…, at r ≈ 2.20171; F″ = 2 + 6cos2r lies in [−4, 8]; in more than one
            // dimension F′/r ≤ 8 too.
            Self::Sine => known(1.687_751, 2.0, 2.0 * radius + 3.0, Some(8.0)),
            Self::Ring => {
                if !(inner > 0.0 && inner < 1.0 && radius > 1.0) {
                    let (name, value, rule) =
                        ("inner radius", inner, "in (0, 1), below 1 < radius");
                    return Err(OutOfDomain { name, value, rule });
                }
                // ‖∇F‖² = 4F·r²; |r³ − r| is at most 2/(3√3) inside.
                let inside = 2.0 / 27f64.sqrt();
                let slope = (radius * (radius * radius - 1.0)).max(inside);
                known(0.5 / inner, 2.0, slope, Some(3.0 * radius * radius - 1.0))
            }
        })
    }
}

pub(super) fn positive(name: &'static str, value: f64) -> Result<(), OutOfDomain> {
    within(name, value, (f64::MIN_POSITIVE, f64::MAX), "finite and > 0")
}

/// Whether a parameter is within its ends.
pub(super) fn within(
    name: &'static str,
    value: f64,
    (low, high): (f64, f64),
    rule: &'static str,
) -> Result<(), OutOfDomain> {
    OutOfDomain::unless((low..=high).contains(&value), name, value, rule)
}

const fn known(gamma: f64, kappa: f64, lipschitz: f64, smoothness: Option<f64>) -> Known {
    Known {
        gamma,
        kappa,
        lipschitz,
        smoothness,
    }
}

/// f(w; x) = ψ(w) + ⟨x, w⟩. With Σ x_i = 0 the mean is ψ; replacing x by x′ moves every gradient by
/// (x′ − x)/n and no difference of gradients.
///
/// ```
/// use dp_assay::problem::risk::{Risk, Shape, Tilted};
/// use dp_assay::problem::rows::Matrix;
///
/// // Records +1 and -1 cancel: the mean is r² + 3 sin² r.
/// let records = Matrix::new(1, vec![1.0, -1.0], vec![0.0, 0.0])?;
/// let risk = Tilted { shape: Shape::Sine, records, radius: 4.0 };
/// assert_eq!(risk.value(&[0.7]), Shape::Sine.value(&[0.7]));
/// assert!(risk.gradient_error(&[0.7], 1e-5) < 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tilted {
    /// ψ.
    pub shape: Shape,
    /// The x_i; targets are not used.
    pub records: Matrix,
    /// Radius of the ball about 0 on which ψ's constants are taken.
    pub radius: f64,
}

/// r²/2 in two dimensions, as the mean of 100 records, for examples.
///
/// ```
/// use dp_assay::problem::risk::{Risk, hundred_points};
///
/// assert_eq!((hundred_points().records(), hundred_points().dimension()), (100, 2));
/// ```
#[must_use]
pub fn hundred_points() -> Tilted {
    let values = (0..200_usize).map(|k| [1.0, 0.0, -1.0, 0.0][k % 4]);
    let records = Matrix::new(2, values.collect(), vec![0.0; 100]);
    Tilted {
        shape: Shape::Quadratic { mu: 1.0 },
        records: records.expect("finite numbers, a target each"),
        radius: f64::INFINITY,
    }
}

impl Tilted {
    /// (1/n) Σ x_i.
    pub(super) fn mean(&self) -> Vec<f64> {
        let n = self.records.records();
        let mut mean = vec![0.0; self.records.features()];
        for i in 0..n {
            for (m, x) in mean.iter_mut().zip(self.records.row(i)) {
                *m += x;
            }
        }
        mean.iter().map(|m| m / n as f64).collect()
    }
}

impl Risk for Tilted {
    fn dimension(&self) -> usize {
        self.records.features()
    }

    fn records(&self) -> usize {
        self.records.records()
    }

    fn value(&self, w: &[f64]) -> f64 {
        let tilt: f64 = self.mean().iter().zip(w).map(|(m, w)| m * w).sum();
        self.shape.value(w) + tilt
    }

    fn gradient(&self, w: &[f64], gradient: &mut [f64]) {
        self.shape.gradient(w, gradient);
        for (g, m) in gradient.iter_mut().zip(self.mean()) {
            *g += m;
        }
    }

    fn record_gradient(&self, i: usize, w: &[f64], gradient: &mut [f64]) {
        self.shape.gradient(w, gradient);
        for (g, x) in gradient.iter_mut().zip(self.records.row(i)) {
            *g += x;
        }
    }

    fn radius(&self) -> f64 {
        self.radius
    }

    /// One pass over the records; ∇ψ is kept, and the change of every record's gradient is that of ∇ψ.
    fn visit(&self, at: &mut Visited, before: Option<&Visited>, limits: Limits) -> Option<Excess> {
        let d = at.point.len();
        at.kept.resize(2 * d, 0.0);
        let (slope, one) = at.kept.split_at_mut(d);
        self.shape.gradient(&at.point, slope);
        at.gradient.fill(0.0);
        let n = self.records.records();
        for record in 0..n {
            let row = self.records.row(record);
            for k in 0..d {
                one[k] = slope[k] + row[k];
                at.gradient[k] += row[k];
            }
            let found = limits.on_gradient(record, norm(one));
            if found.is_some() {
                return found;
            }
        }
        for (g, slope) in at.gradient.iter_mut().zip(&*slope) {
            *g = slope + *g / n as f64;
        }
        for (k, old) in before?.kept[..d].iter().enumerate() {
            one[k] = slope[k] - old;
        }
        limits.on_change(0, norm(one))
    }
}

/// f(w; s) = ψ(w) + (sh/2)‖w − w₀‖² with s = ±1. With Σ s_i = 0 the mean is ψ; flipping one s moves the difference of two
/// gradients by 2h/n times the step.
///
/// ```
/// use dp_assay::problem::risk::{Curved, Risk, Shape};
///
/// let risk = Curved {
///     shape: Shape::LogCosh,
///     curvature: 0.5,
///     centre: vec![1.0],
///     signs: vec![1.0, -1.0],
///     radius: 4.0,
/// };
/// assert_eq!(risk.value(&[0.7]), Shape::LogCosh.value(&[0.7]));
/// assert!(risk.gradient_error(&[0.7], 1e-5) < 1e-6);
/// ```
pub struct Curved {
    /// ψ.
    pub shape: Shape,
    /// h ≥ 0.
    pub curvature: f64,
    /// w₀, d entries.
    pub centre: Vec<f64>,
    /// The s_i.
    pub signs: Vec<f64>,
    /// Radius of the ball about 0 on which ψ's constants are taken.
    pub radius: f64,
}

impl Curved {
    fn mean(&self) -> f64 {
        self.signs.iter().sum::<f64>() / self.signs.len() as f64
    }

    fn add(&self, factor: f64, w: &[f64], gradient: &mut [f64]) {
        for ((g, w), c) in gradient.iter_mut().zip(w).zip(&self.centre) {
            *g += factor * self.curvature * (w - c);
        }
    }
}

impl Risk for Curved {
    fn dimension(&self) -> usize {
        self.centre.len()
    }

    fn records(&self) -> usize {
        self.signs.len()
    }

    fn value(&self, w: &[f64]) -> f64 {
        let away: Vec<f64> = w.iter().zip(&self.centre).map(|(w, c)| w - c).collect();
        let square = norm(&away).powi(2);
        self.shape.value(w) + 0.5 * self.mean() * self.curvature * square
    }

    fn gradient(&self, w: &[f64], gradient: &mut [f64]) {
        self.shape.gradient(w, gradient);
        self.add(self.mean(), w, gradient);
    }

    fn record_gradient(&self, i: usize, w: &[f64], gradient: &mut [f64]) {
        self.shape.gradient(w, gradient);
        self.add(self.signs[i], w, gradient);
    }

    fn radius(&self) -> f64 {
        self.radius
    }
}
