//! Pairs of Gaussian mixtures on the line: what dominates Gaussian noise under subsampling.
//!
//! | mechanism | neighbours | P | Q |
//! |---|---|---|---|
//! | Gaussian | any | N(Δ, σ²) | N(0, σ²) |
//! | Poisson-subsampled Gaussian | add-remove, zero-out | (1−q)N(0, σ²) + qN(1, σ²) | N(0, σ²) |
//! | Poisson-subsampled Gaussian | replace-one | (1−q)N(0, σ²) + qN(1, σ²) | (1−q)N(0, σ²) + qN(−1, σ²) |
//!
//! and the same with P and Q exchanged. In ℝᵈ every pair of neighbours gives mixtures whose shifts
//! (0, x) or (0, x, x') have norm at most 1. The hockey-stick divergence is, up to advanced joint
//! convexity (Balle, Barthe and Gaboardi 2018), E\[(1 − Σ cᵢe^{Gᵢ − Var Gᵢ/2})₊\] for Gaussian Gᵢ
//! whose covariances are inner products of shift differences. It is the expectation of a convex
//! function of that sum, so by Kahane's inequality (1986) it grows with every covariance, and the
//! collinear shifts above have the largest ones: they dominate at every order.

use super::AccountError;
use super::float::U;
use super::float::elementary::{atan2, exp, exp_m1, ln, ln_1p, sin_cos};
use super::pld::lattice::Side;

/// A Gaussian component away from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Component {
    /// Its mean, in the units of σ.
    pub shift: f64,
    /// Its weight.
    pub weight: f64,
}

/// Σ wᵢN(sᵢ, σ²) + (1 − Σ wᵢ)N(0, σ²).
///
/// ```
/// use dp_assay::accounting::mixture::{Component, Mixture};
///
/// // ¾ N(0, σ²) + ¼ N(1, σ²), in two ways.
/// let parts = [(0.0, 0.75), (1.0, 0.25)].map(|(shift, weight)| Component { shift, weight });
/// let mixture = Mixture::new(&parts)?;
/// assert_eq!(mixture.components(), Mixture::two(1.0, 0.25).components());
/// assert_eq!((mixture.rest(), mixture.shifts()), (0.75, (0.0, 1.0)));
/// assert!(Mixture::centred().components().is_empty());
/// // Weights must sum to 1.
/// assert!(Mixture::new(&parts[..1]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    components: Vec<Component>,
    /// 1 − Σ wᵢ, or a bound on it where the weights are bounds.
    rest: f64,
    /// How far all the weights are from 1 at most.
    excess: f64,
}

impl Mixture {
    /// N(0, σ²).
    #[must_use]
    pub fn centred() -> Self {
        Self {
            components: Vec::new(),
            rest: 1.0,
            excess: 0.0,
        }
    }

    /// (1 − weight)N(0, σ²) + weight·N(shift, σ²).
    #[must_use]
    pub fn two(shift: f64, weight: f64) -> Self {
        if weight == 0.0 {
            return Self::centred();
        }
        Self {
            components: vec![Component { shift, weight }],
            rest: 1.0 - weight,
            excess: 0.0,
        }
    }

    /// A mixture of any shifts; shifts of 0 join the rest.
    ///
    /// # Errors
    /// Weights must be ≥ 0 with sum 1 up to 10⁻¹²; shifts finite.
    pub fn new(components: &[Component]) -> Result<Self, AccountError> {
        let total: f64 = components.iter().map(|c| c.weight).sum();
        AccountError::check(
            (total - 1.0).abs() <= 1e-12,
            "sum of the weights",
            total,
            "must be 1",
        )?;
        for c in components {
            AccountError::check(c.weight >= 0.0, "weight", c.weight, "must be >= 0")?;
            AccountError::check(c.shift.is_finite(), "shift", c.shift, "must be finite")?;
        }
        let shifted: Vec<Component> = components
            .iter()
            .copied()
            .filter(|c| c.shift != 0.0 && c.weight > 0.0)
            .collect();
        let rest = components
            .iter()
            .filter(|c| c.shift == 0.0)
            .map(|c| c.weight)
            .sum();
        Ok(Self {
            components: shifted,
            rest,
            excess: (total - 1.0).abs() + U * components.len() as f64,
        })
    }

    /// What a group moves by shifts ≥ 0 with these weights, or what dominates that, or is dominated. From above, what they lack to
    /// 1, and their rounding, goes to the largest shift; that rounding and what they have too much is taken from the smallest
    /// ones; from below the other way round. Weight that moves to larger shifts dominates in both directions; weight above 1
    /// would not where the mixture is the smaller side.
    ///
    /// # Errors
    /// Lists of different lengths; weights that are negative or do not sum to 1 up to 10⁻¹²; a shift that is negative or not finite.
    pub fn of_group(shifts: &[f64], weights: &[f64], side: Side) -> Result<Self, AccountError> {
        let (n, rule) = (weights.len() as f64, "must be as many as there are shifts");
        AccountError::check(shifts.len() == weights.len(), "weights", n, rule)?;
        let mut parts: Vec<Component> = Vec::new();
        for (&shift, &weight) in shifts.iter().zip(weights) {
            AccountError::check(shift >= 0.0, "shift", shift, "must be >= 0")?;
            AccountError::check(weight >= 0.0, "weight", weight, "must be >= 0")?;
            // What never happens takes no rounding of what does.
            if weight > 0.0 {
                parts.push(Component { shift, weight });
            }
        }
        parts.sort_by(|a, b| a.shift.total_cmp(&b.shift));
        if side == Side::Below {
            parts.reverse();
        }
        let total: f64 = weights.iter().sum();
        let near = (total - 1.0).abs() <= 1e-12;
        AccountError::check(near, "sum of the weights", total, "must be 1")?;
        let rounding = 2.0 * U * n;
        if let Some(last) = parts.last_mut() {
            last.weight += (1.0 - total).max(0.0) + rounding;
        }
        let mut surplus = (total - 1.0).max(0.0) + rounding;
        for part in &mut parts {
            let taken = surplus.min(part.weight);
            part.weight -= taken;
            surplus -= taken;
        }
        Self::new(&parts)
    }

    /// The components away from 0.
    #[must_use]
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// Weight of the component at 0: 1 less the other weights, or a bound on that.
    #[must_use]
    pub fn rest(&self) -> f64 {
        self.rest
    }

    /// (least, greatest) shift, the component at 0 included if it has weight.
    #[must_use]
    pub fn shifts(&self) -> (f64, f64) {
        let zero = if self.rest > 0.0 || self.components.is_empty() {
            Some(0.0)
        } else {
            None
        };
        self.components
            .iter()
            .map(|c| c.shift)
            .chain(zero)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), s| {
                (lo.min(s), hi.max(s))
            })
    }

    /// The mirror image z ↦ −z.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let components = self
            .components
            .iter()
            .map(|c| Component {
                shift: -c.shift,
                ..*c
            })
            .collect();
        Self {
            components,
            rest: self.rest,
            excess: self.excess,
        }
    }

    /// (ln m(z), error): m(z) = (1 − Σ wᵢ) + Σ wᵢe^{xᵢ}, xᵢ = sᵢ(z − sᵢ/2)/σ², is the density relative
    /// to N(0, σ²); `variance` is σ² rounded to nearest. The absolute error is bounded.
    ///
    /// Each xᵢ has relative error 4u. Near m = 1 the logarithm is taken of Σ wᵢ(e^{xᵢ} − 1), so that
    /// a small loss keeps its relative accuracy; elsewhere of the positive sum, its largest power
    /// factored out. That of weights which do not add up to 1 is meant, of which the first way knows
    /// no more than by how much: m ≥ ½ there.
    #[must_use]
    pub fn ln_density(&self, z: f64, variance: f64) -> (f64, f64) {
        let exponent = |c: &Component| c.shift * (z - 0.5 * c.shift) / variance;
        match self.components.as_slice() {
            [] => return (0.0, 0.0),
            [only] if self.rest == 0.0 => {
                let x = exponent(only);
                return (x, 4.5 * U * x.abs());
            }
            _ => {}
        }
        let largest = self.components.iter().map(exponent).fold(0.0, f64::max);
        let terms = self.components.len() as f64;
        if largest < 1.0 {
            let (mut d, mut error) = (0.0f64, 0.0f64);
            for c in &self.components {
                let x = exponent(c);
                let part = c.weight * exp_m1(x);
                d += part;
                error += (8.0 + terms) * part.abs() + 5.0 * x.abs() * c.weight * exp(x);
            }
            if d.abs() <= 0.5 {
                let value = ln_1p(d);
                let rounding = U * (1.01 * error / (1.0 + d) + 5.0 * value.abs());
                return (value, rounding + 2.5 * self.excess);
            }
        }
        let mut sum = self.rest * exp(-largest);
        let mut error = 5.0 * sum;
        for c in &self.components {
            let x = exponent(c);
            let part = c.weight * exp(x - largest);
            sum += part;
            error += part * (5.0 + 5.0 * x.abs() + largest);
        }
        let log = ln(sum);
        let value = largest + log;
        let rounding = 1.01 * error / sum + terms + 1.0 + 4.0 * log.abs() + value.abs();
        (value, U * rounding)
    }
}

/// What a [`Mixture`]'s components weigh at one z, over e^{largest}.
#[derive(Clone, Debug)]
pub(super) struct Powers {
    largest: f64,
    rest: f64,
    parts: Vec<f64>,
}

impl Mixture {
    /// (ln|m|, arg m) at z + iθσ², with |θ·shift| < π/2 for every component; not directed (relative
    /// error some tens of u).
    #[must_use]
    pub fn shifted_ln_density(&self, z: f64, variance: f64, theta: f64) -> (f64, f64) {
        self.powers(z, variance).turned(&self.turns(theta))
    }

    /// What does not depend on θ of that.
    pub(super) fn powers(&self, z: f64, variance: f64) -> Powers {
        let exponent = |c: &Component| c.shift * (z - 0.5 * c.shift) / variance;
        let largest = self.components.iter().map(exponent).fold(0.0, f64::max);
        let part = |c: &Component| c.weight * exp(exponent(c) - largest);
        Powers {
            largest,
            rest: self.rest * exp(-largest),
            parts: self.components.iter().map(part).collect(),
        }
    }

    /// What does not depend on z: (sine, cosine) of what each component is turned by.
    pub(super) fn turns(&self, theta: f64) -> Vec<(f64, f64)> {
        let turn = |c: &Component| sin_cos(theta * c.shift);
        self.components.iter().map(turn).collect()
    }
}

impl Powers {
    /// (ln|m|, arg m) where the components are turned so.
    pub(super) fn turned(&self, turns: &[(f64, f64)]) -> (f64, f64) {
        if self.parts.is_empty() {
            return (0.0, 0.0);
        }
        let (mut re, mut im) = (self.rest, 0.0);
        for (modulus, (sin, cos)) in self.parts.iter().zip(turns) {
            re += modulus * cos;
            im += modulus * sin;
        }
        (self.largest + 0.5 * ln(re * re + im * im), atan2(im, re))
    }
}

/// The pair (P, Q) whose divergence of P from Q bounds the mechanism's in one direction.
///
/// ```
/// use dp_assay::accounting::mixture::Pair;
///
/// // Poisson sampling with probability 0.01 and σ = 2: a record is taken away, or added.
/// let (removal, addition) = (Pair::removal(0.01, 2.0), Pair::addition(0.01, 2.0));
/// assert_eq!(removal.reversed(), addition);
/// assert_eq!(Pair::replacement(0.01, 2.0).p, removal.p);
/// // Without sampling the pair is that of the Gaussian mechanism; what is never sampled shows nothing.
/// assert_eq!(Pair::removal(1.0, 2.0), Pair::gaussian(1.0, 2.0));
/// assert!(Pair::removal(0.0, 2.0).is_trivial());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Standard deviation σ of every component.
    pub sigma: f64,
    /// The law under the first dataset.
    pub p: Mixture,
    /// The law under the second dataset.
    pub q: Mixture,
}

impl Pair {
    /// The Gaussian mechanism with sensitivity Δ.
    #[must_use]
    pub fn gaussian(sensitivity: f64, sigma: f64) -> Self {
        Self {
            sigma,
            p: Mixture::two(sensitivity, 1.0),
            q: Mixture::centred(),
        }
    }

    /// Poisson sampling at rate q, neighbours by removal: the record is in the first dataset.
    #[must_use]
    pub fn removal(rate: f64, sigma: f64) -> Self {
        Self {
            sigma,
            p: Mixture::two(1.0, rate),
            q: Mixture::centred(),
        }
    }

    /// Poisson sampling at rate q, neighbours by addition; mirrored, so that the loss increases.
    #[must_use]
    pub fn addition(rate: f64, sigma: f64) -> Self {
        Self {
            sigma,
            p: Mixture::centred(),
            q: Mixture::two(-1.0, rate),
        }
    }

    /// Poisson sampling at rate q, one record replaced.
    #[must_use]
    pub fn replacement(rate: f64, sigma: f64) -> Self {
        Self {
            sigma,
            p: Mixture::two(1.0, rate),
            q: Mixture::two(-1.0, rate),
        }
    }

    /// (Q, P), mirrored, so that the privacy loss again increases in z when it did.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self {
            sigma: self.sigma,
            p: self.q.mirrored(),
            q: self.p.mirrored(),
        }
    }

    /// Whether P = Q.
    #[must_use]
    pub fn is_trivial(&self) -> bool {
        self.p == self.q
    }
}

#[cfg(test)]
mod tests;
