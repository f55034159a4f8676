//! Composition by Fourier inversion: (ε, δ) of composed Gaussian-mixture mechanisms, two-sided.
//!
//! For the sum S of independent privacy losses, E_P\[e^{sS}\] = Π Aᵢ(s)^{kᵢ}, and for every λ > 0
//!
//! δ(ε) = E_P\[(1 − e^{ε−S})₊\] = (1/2π)·∫ Π Aᵢ(λ+it)^{kᵢ}·e^{−(λ+it)ε}/((λ+it)(1+λ+it)) dt.
//!
//! The integral is replaced by the sum over t = kΔ. By Poisson's formula that sum is *exactly*
//! Σ_m δ(ε + mp)·e^{λmp}, p = 2π/Δ: the term m = 0 is wanted, the others are not negative. So the sum
//! is an upper bound already, and Chernoff's bound for the other terms gives the lower one. The sum is
//! cut at t_max; the rest is bounded by the decay of |Aᵢ(λ+it)| for *all* t ≥ t_max
//! ([`quadrature::Decay`](super::quadrature::Decay)). No discretisation of the privacy loss takes
//! place, the cost does not depend on kᵢ (it falls with it), and δ has relative accuracy however small
//! it is, because λ tilts the law of S to where it matters. The idea of integrating on the saddle
//! point's line is that of Alghamdi et al. 2023; the two-sided error bound is ours.

use super::AccountError;
use super::mixture::Pair;
use super::quadrature::{Decay, Line, Nodes};
use super::rdp::{Curve, PairCurve, best_order, epsilon_at_order};
use super::root::bisect;
use crate::float::elementary::{exp, ln, ln_1p, sin_cos};
use crate::float::{Complex, Enclosure, U};
use crate::units::Delta;
use rayon::prelude::*;

/// Most evaluations of e^{itY} in one inversion (about a second).
const WORK_MAX: f64 = 4e7;
/// What setting up a node costs, in evaluations.
const BUILDING: f64 = 128.0;
/// Relative accuracy of δ that is aimed at; the bounds hold whatever is reached.
const ACCURACY: f64 = 1e-9;

/// A composition of pairs with multiplicities; one direction of the neighbouring relation.
///
/// ```
/// use dp_assay::accounting::inversion::Composition;
/// use dp_assay::accounting::mixture::Pair;
/// use dp_assay::units::Delta;
///
/// // 100 releases with σ = 10 are one with σ = 1: ε is 4.38 nats at δ = 10⁻⁵.
/// let (composition, delta) = (Composition::new(&[(Pair::gaussian(1.0, 10.0), 100)]), Delta::new(1e-5)?);
/// let epsilon = composition.epsilon(delta)?;
/// assert!((4.37..4.39).contains(&epsilon.hi) && epsilon.lo <= epsilon.hi);
/// assert!(composition.log_delta(epsilon.hi)?.lo <= delta.get().ln());
/// // Chernoff's bound alone is enough for 6 nats.
/// assert!(composition.is_within(6.0, delta));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Composition {
    parts: Vec<(Pair, u64)>,
}

impl Composition {
    /// Σ kᵢ copies of the pairs; equal pairs are merged, trivial ones dropped.
    #[must_use]
    pub fn new(parts: &[(Pair, u64)]) -> Self {
        let mut merged: Vec<(Pair, u64)> = Vec::new();
        for (pair, count) in parts
            .iter()
            .filter(|(pair, count)| *count > 0 && !pair.is_trivial())
        {
            match merged.iter_mut().find(|(other, _)| other == pair) {
                Some((_, total)) => *total = total.saturating_add(*count),
                None => merged.push((pair.clone(), *count)),
            }
        }
        Self { parts: merged }
    }

    /// Encloses the least ε ≥ 0 with δ(ε) ≤ δ.
    ///
    /// # Errors
    /// δ = 0; or the sum would need more than 4·10⁷ terms (few compositions at a small sampling rate,
    /// where the loss is nearly discrete: use the privacy-loss distribution).
    pub fn epsilon(&self, delta: Delta) -> Result<Enclosure, AccountError> {
        self.between(delta, delta)
    }

    /// The same with the lower end for a δ that is no less.
    ///
    /// # Errors
    /// As [`Self::epsilon`].
    pub(super) fn between(&self, delta: Delta, more: Delta) -> Result<Enclosure, AccountError> {
        let d = delta.get();
        if d == 1.0 || self.parts.is_empty() {
            return Ok(Enclosure::point(0.0));
        }
        if d == 0.0 {
            return Err(AccountError::NoFiniteEpsilon {
                delta: d,
                floor: 0.0,
            });
        }
        let log_delta = ln(d);
        let mut moments = self.moments();
        let mut high = f64::INFINITY;
        let lambda = best_order(1.0, |beta| {
            let epsilon = epsilon_at_order(beta, moments.upper(beta) / beta, d);
            high = high.min(epsilon);
            epsilon
        });
        if high <= 0.0 {
            return Ok(Enclosure::point(0.0));
        }
        AccountError::check(high.is_finite(), "epsilon from RDP", high, "must be finite")?;
        let goals = (log_delta, ln(more.get()));
        let contour = Contour::new(self, &mut moments, lambda, high, log_delta)?;
        Ok(contour.epsilon(high, goals))
    }

    /// Encloses δ(ε) for ε ≥ 0, as bounds on ln δ.
    ///
    /// # Errors
    /// As [`Self::epsilon`].
    pub fn log_delta(&self, epsilon: f64) -> Result<Enclosure, AccountError> {
        if self.parts.is_empty() {
            return Ok(Enclosure {
                lo: f64::NEG_INFINITY,
                hi: f64::NEG_INFINITY,
            });
        }
        let mut moments = self.moments();
        let mut chernoff = 0.0f64;
        let lambda = best_order(1.0, |beta| {
            let bound = moments.upper(beta) - beta * epsilon + chernoff_factor(beta);
            chernoff = chernoff.min(upwards(bound, beta * epsilon));
            bound
        });
        // About a tenth of Chernoff's bound; only the accuracy depends on this guess.
        let contour = Contour::new(self, &mut moments, lambda, epsilon, chernoff - 3.0)?;
        let found = contour.log_delta(epsilon);
        Ok(Enclosure::new(found.lo.min(0.0), found.hi.min(chernoff)))
    }

    /// Whether Chernoff's bound alone shows δ(ε) ≤ δ.
    #[must_use]
    pub fn is_within(&self, epsilon: f64, delta: Delta) -> bool {
        let target = ln(delta.get()) * (1.0 + 8.0 * U) - U;
        let mut moments = self.moments();
        let mut least = f64::INFINITY;
        best_order(1.0, |beta| {
            let bound = moments.upper(beta) - beta * epsilon + chernoff_factor(beta);
            least = least.min(upwards(bound, beta * epsilon));
            bound
        });
        least <= target
    }

    fn moments(&self) -> Moments {
        let curves = self
            .parts
            .iter()
            .map(|(pair, count)| (PairCurve::new(pair.clone()), *count as f64));
        Moments {
            curves: curves.collect(),
        }
    }
}

/// Chernoff's bound on ln δ, of which βε has been subtracted, with its rounding.
fn upwards(bound: f64, shift: f64) -> f64 {
    bound + 8.0 * U * (shift + bound.abs() + 1.0)
}

/// ln of λ^λ/(1+λ)^{1+λ}: δ(ε) ≤ Π Aᵢ(λ)^{kᵢ}·e^{−λε}·λ^λ/(1+λ)^{1+λ}.
fn chernoff_factor(lambda: f64) -> f64 {
    -lambda * ln_1p(1.0 / lambda) - ln_1p(lambda)
}

/// Upper bounds on ln Π Aᵢ(λ)^{kᵢ}.
struct Moments {
    curves: Vec<(PairCurve, f64)>,
}

impl Moments {
    fn upper(&mut self, lambda: f64) -> f64 {
        let sum: f64 = self
            .curves
            .iter_mut()
            .map(|(curve, count)| curve.rdp_upper(lambda) * lambda * *count)
            .sum();
        sum * (1.0 + 16.0 * U)
    }
}

/// The sum's terms on one line Re s = λ, without the factor e^{−sε}.
struct Contour {
    lambda: f64,
    step: f64,
    /// ln Π Aᵢ(λ+ikΔ)^{kᵢ} with absolute errors; an error of ∞ marks a term known only in modulus.
    terms: Vec<(Complex, f64)>,
    /// Upper bound on ln|Π Aᵢ(λ+it)^{kᵢ}| beyond the last term.
    tail: f64,
    /// (λ', upper bound on ln Π Aᵢ(λ')^{kᵢ} + Chernoff factor) for the aliases above ε.
    right: (f64, f64),
}

impl Contour {
    /// Terms for ε near `epsilon` where ln δ is about `log_delta`.
    fn new(
        composition: &Composition,
        moments: &mut Moments,
        lambda: f64,
        epsilon: f64,
        log_delta: f64,
    ) -> Result<Self, AccountError> {
        let goal = ln(ACCURACY);
        let base = moments.upper(lambda) - lambda * epsilon;
        // Aliases: m < 0 are below e^{−λp}, m > 0 below Chernoff's bound at λ' times e^{−(λ'−λ)p}, where λ' is near where rare
        // draws of large losses make the moments grow fast.
        let mut period = (-goal - log_delta) / lambda;
        let mut right = (lambda, f64::INFINITY);
        let mut shortest = f64::INFINITY;
        for factor in [1.02, 1.05, 1.1, 1.25, 1.5, 2.0] {
            let other = factor * lambda;
            let bound = moments.upper(other) + chernoff_factor(other);
            let needed = (bound - other * epsilon - log_delta - goal) / (other - lambda);
            if needed < shortest {
                (shortest, right) = (needed, (other, bound));
            }
        }
        AccountError::check(shortest.is_finite(), "moments", shortest, "must be finite")?;
        period = period.max(shortest);
        let step = round_down(2.0 * std::f64::consts::PI / period);
        // The tail beyond t is at most e^{decay}/(πt) against a sum of about δ·e^{λε}/ΠA, perhaps e⁻³
        // of that as `epsilon` is from Chernoff's bound.
        let needed = |t: f64| goal + (log_delta - base - 3.0) + ln(3.0 * t);
        let (lines_grids, frequency) = grids(composition, lambda, step, needed)?;
        let lines: Vec<(Line<'_>, f64)> = lines_grids
            .iter()
            .map(|(grid, count)| (grid.tilt(lambda), *count))
            .collect();
        Self::sum_terms(lambda, step, frequency, right, &lines, needed)
    }

    fn sum_terms(
        lambda: f64,
        step: f64,
        frequency: f64,
        right: (f64, f64),
        lines: &[(Line<'_>, f64)],
        needed: impl Fn(f64) -> f64,
    ) -> Result<Self, AccountError> {
        let decays: Vec<(Decay<'_>, f64)> = lines
            .iter()
            .map(|(line, count)| (line.decay(), *count))
            .collect();
        let decay_at = |t: f64| -> f64 { decays.iter().map(|(d, count)| d.upper(t) * count).sum() };
        let last = bisect(0.0, frequency, 0.05, |t| decay_at(t) > needed(t)).1;
        let count = (last / step).ceil().max(1.0);
        let last = count * step;
        let (at_zero, zero_error) = total_at_zero(lines);
        let mut terms = vec![(Complex::new(at_zero, 0.0), zero_error)];
        let others = (1..=count as u64).into_par_iter();
        terms.par_extend(others.map(|k| total_at(lines, k as f64 * step)));
        let tail = decay_at(last) + at_zero + zero_error;
        Ok(Self {
            lambda,
            step,
            terms,
            tail,
            right,
        })
    }

    /// Encloses ln δ(ε).
    fn log_delta(&self, epsilon: f64) -> Enclosure {
        let (sum, error) = self.sum(epsilon);
        let scale = self.terms[0].0.re - self.lambda * epsilon;
        let scale_error = 4.0 * U * (self.terms[0].0.re.abs() + self.lambda * epsilon + 1.0);
        let aliases = self.aliases(epsilon, scale);
        let bound = |x: f64, sign: f64| {
            if x > 0.0 {
                // The logarithm itself is off by 4u of its size, the sum by u of both.
                let log = ln(x);
                let rounding = 8.0 * U * (1.0 + scale.abs() + log.abs());
                scale + log + sign * (scale_error + rounding)
            } else {
                // No positive number is known to lie below; and of a sum that is not positive, or no number,
                // nothing is known from above.
                sign * f64::INFINITY
            }
        };
        Enclosure::new(bound(sum - error - aliases, -1.0), bound(sum + error, 1.0))
    }

    /// Σ over k of the terms, divided by Π Aᵢ(λ)^{kᵢ}·e^{−λε}, and a bound on its absolute error with
    /// the cut-off tail.
    fn sum(&self, epsilon: f64) -> (f64, f64) {
        let factor = self.step / std::f64::consts::PI;
        let reference = self.terms[0].0.re;
        let (mut sum, mut error) = (0.0, 0.0);
        for (k, (value, value_error)) in self.terms.iter().enumerate() {
            let t = k as f64 * self.step;
            let weight = if k == 0 { 0.5 } else { 1.0 };
            let s = Complex::new(self.lambda, t);
            let denominator = s * Complex::new(1.0 + self.lambda, t);
            let modulus = weight * exp(value.re - reference) / denominator.norm();
            if !(*value_error < 0.5) {
                let known = if value_error.is_finite() {
                    *value_error
                } else {
                    0.0
                };
                error += modulus * exp(known.min(700.0));
                continue;
            }
            let phase = value.im - t * epsilon;
            let (sin, cos) = sin_cos(phase);
            let real = (cos * denominator.re + sin * denominator.im) / denominator.norm();
            // e^{x+e} differs from e^x by less than 1.3|e| for |e| < ½; sin_cos answers NaN beyond its
            // domain, where the term is known only in modulus.
            if real.is_nan() {
                error += modulus * 2.0;
                continue;
            }
            sum += modulus * real;
            // What an addition is off by is a share of what it adds up to, which need not be that of the whole.
            error += U * sum.abs();
            let rounding = U
                * (24.0
                    + 4.0 * (value.re.abs() + reference.abs())
                    + 2.0 * phase.abs()
                    + 4.0 * (t * epsilon).abs()
                    + value.im.abs());
            error += modulus * (1.3 * value_error + rounding);
        }
        let last = (self.terms.len() - 1) as f64 * self.step;
        let cut = exp(self.tail - reference) / (std::f64::consts::PI * last) * (1.0 + 1e-9);
        (
            factor * sum,
            factor * error * (1.0 + 1e-9) + 8.0 * U * factor * sum.abs() + cut,
        )
    }

    /// Bound on the aliased terms, on the scale of [`Self::sum`].
    fn aliases(&self, epsilon: f64, scale: f64) -> f64 {
        let period = 2.0 * std::f64::consts::PI / self.step * (1.0 - 1e-12);
        let (other, bound) = self.right;
        let above = exp(bound - other * epsilon - (other - self.lambda) * period - scale + 1e-9);
        let below = exp(-self.lambda * period - scale + 1e-9);
        let geometric = 1.0 - exp(-(other - self.lambda).min(self.lambda) * period);
        (above + below) / geometric * (1.0 + 1e-9)
    }

    /// Encloses the ε in [0, `high`] where ln δ is the first of two, its lower end where it is the second, which is no less; `high`
    /// is safe.
    fn epsilon(&self, high: f64, (log_delta, more): (f64, f64)) -> Enclosure {
        let error = |log: f64| 4.0 * U * (1.0 + log.abs());
        let (certain_lo, certain_hi) = (log_delta - error(log_delta), more + error(more));
        if self.log_delta(0.0).hi <= certain_lo {
            return Enclosure::point(0.0);
        }
        let upper = bisect(0.0, high, 4.0 * U, |e| self.log_delta(e).hi > certain_lo).1;
        let mut step = (1e-12 * upper).max(f64::MIN_POSITIVE);
        loop {
            let lower = upper - step;
            if lower <= 0.0 {
                return Enclosure::new(0.0, upper);
            }
            if self.log_delta(lower).lo > certain_hi {
                return Enclosure::new(lower, upper);
            }
            step *= 2.0;
        }
    }
}

/// The largest number with 24 significant bits that is at most x > 0.
///
/// # The sum is over multiples of one step
///
/// Poisson's formula holds of t = kΔ for the very same Δ, and is what makes the sum an upper bound. No more than 2²⁶ terms are
/// affordable ([`WORK_MAX`]), so that kΔ has at most 50 bits: the products are exact. A step that is smaller by 2⁻²³ of itself
/// has a longer period, which is no less safe.
fn round_down(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !((1u64 << 29) - 1))
}

/// Quadrature grids good up to a frequency where the moments have decayed as needed, doubling the
/// frequency until they have.
fn grids(
    composition: &Composition,
    lambda: f64,
    step: f64,
    needed: impl Fn(f64) -> f64,
) -> Result<(Vec<(Nodes, f64)>, f64), AccountError> {
    let mut frequency = 4.0 * step;
    let mut built = 0.0;
    loop {
        let mut grids = Vec::new();
        let (mut decay, mut nodes) = (0.0, 0.0);
        for (pair, count) in &composition.parts {
            let curve = PairCurve::new(pair.clone());
            let grid = Nodes::new(pair, lambda, frequency + step, curve.tolerance())?;
            let line = grid.tilt(lambda);
            decay += line.decay().upper(frequency) * *count as f64;
            nodes += grid.len() as f64;
            grids.push((grid, *count as f64));
        }
        built += nodes;
        let work = frequency / step * nodes + BUILDING * built;
        if work > WORK_MAX {
            return Err(AccountError::TooCostly {
                what: "Fourier inversion",
                needed: work,
                limit: WORK_MAX,
                unit: "evaluations",
            });
        }
        if decay <= needed(frequency) {
            return Ok((grids, frequency));
        }
        frequency *= 2.0;
    }
}

fn total_at_zero(lines: &[(Line<'_>, f64)]) -> (f64, f64) {
    lines
        .iter()
        .fold((0.0, 0.0), |(sum, error), (line, count)| {
            let (value, e) = line.at_zero();
            (
                sum + count * value,
                error + count * (e + 4.0 * U * value.abs()),
            )
        })
}

/// ln Π Aᵢ(λ+it)^{kᵢ} and its error; where one factor is too small to have a logarithm, its modulus
/// bound and an infinite error.
fn total_at(lines: &[(Line<'_>, f64)], t: f64) -> (Complex, f64) {
    let (mut sum, mut error) = (Complex::default(), 0.0);
    for (line, count) in lines {
        match line.at(t) {
            Ok((value, e)) => {
                sum = sum + value.scale(*count);
                error += count * (e + 4.0 * U * value.norm());
            }
            Err(log_modulus) => {
                sum.re += count * log_modulus;
                error = f64::INFINITY;
            }
        }
    }
    (sum, error)
}

#[cfg(test)]
mod tests;
