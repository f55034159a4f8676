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
        for k in 1..=count as u64 {
            terms.push(total_at(lines, k as f64 * step));
        }
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
mod tests {
    use super::super::gaussian::Gaussian;
    use super::super::steady;
    use super::*;
    use crate::units::{Epsilon, Sensitivity, StdDev};
    use rug::{Float, Rational};

    /// A sum of hardly anything, on a scale of 1: its logarithm is what is rounded.
    #[test]
    fn the_logarithm_of_a_sum_is_enclosed() {
        for k in 1..120 {
            let lambda = 10f64.powi(k) * (1.0 + f64::from(k) / 50.0);
            let contour = Contour {
                lambda,
                step: 0.25,
                terms: vec![(Complex::default(), 0.0), (Complex::new(-1e4, 0.0), 0.0)],
                tail: f64::NEG_INFINITY,
                right: (2.0 * lambda, f64::NEG_INFINITY),
            };
            let found = contour.log_delta(0.0);
            let exact = Float::with_val(300, lambda);
            let denominator = Float::with_val(300, rug::float::Constant::Pi) * &exact * (exact + 1);
            let truth: Float = Float::with_val(300, 0.125 / denominator).ln();
            assert!(
                found.lo <= truth && truth <= found.hi,
                "{lambda}: {found:?}, {truth}"
            );
        }
    }

    #[test]
    fn all_terms_are_at_multiples_of_one_step() {
        let exact = |x: f64| Rational::from_f64(x).expect("finite");
        for period in [1e-3, 0.7, 3.0, 1e9 / 3.0, 1e300] {
            let step = round_down(2.0 * std::f64::consts::PI / period);
            for k in [3, 12_345_677, (1 << 26) - 1] {
                assert_eq!(exact(k as f64 * step), exact(step) * k, "{period}, {k}");
            }
        }
    }

    /// Aliases to the right fall by e^{-(right - lambda)·period} from one to the next, those to the left by e^{-lambda·period}.
    #[test]
    fn all_aliases_are_counted_however_slowly_they_fall() {
        for (lambda, other, step) in [(3.0, 3.1, 1.25), (3.0, 9.0, 1.25), (0.05, 9.0, 1.0)] {
            let contour = Contour {
                lambda,
                step,
                terms: Vec::new(),
                tail: f64::NEG_INFINITY,
                right: (other, 1.5),
            };
            let (epsilon, scale) = (0.25, 0.5);
            let period = 2.0 * std::f64::consts::PI / step;
            let each = (1..1000).map(f64::from).map(|k| {
                let right = 1.5 - other * epsilon - k * (other - lambda) * period - scale;
                exp(right) + exp(-k * lambda * period - scale)
            });
            let (truth, found) = (each.sum::<f64>(), contour.aliases(epsilon, scale));
            assert!(
                found >= truth && found <= 3.0 * truth,
                "{lambda}, {other}: {found}, {truth}"
            );
        }
    }

    /// A sum that is cut off early, and terms so far apart that their aliases are as large as what is wanted: nothing hides
    /// behind the accuracy that is otherwise aimed at.
    #[test]
    fn a_coarse_sum_is_known_as_roughly_as_it_is() {
        let (pair, one) = (Pair::gaussian(1.0, 1.0), 1.0);
        let noise = Gaussian::new(
            Sensitivity::new(one).expect("in range"),
            StdDev::new(one).expect("in range"),
        );
        let mut moments = Composition::new(&[(pair.clone(), 1)]).moments();
        for (lambda, other) in [(1.0, 1.3), (1.0, 2.5), (3.0, 4.5), (6.0, 6.3)] {
            let right = (other, moments.upper(other) + chernoff_factor(other));
            let grid = Nodes::new(&pair, lambda, 60.0, 40.0).expect("small");
            let lines = [(grid.tilt(lambda), one)];
            for step in [0.05, 0.5, 1.0, 2.5] {
                for goal in [0.0, -2.0, -30.0] {
                    let contour = Contour::sum_terms(lambda, step, 60.0, right, &lines, |_| goal);
                    let contour = contour.expect("few terms");
                    for epsilon in [0.5, 2.0, 4.2, 6.0] {
                        let truth = noise.delta(Epsilon::new(epsilon).expect("in range"));
                        let found = contour.log_delta(epsilon);
                        assert!(
                            found.lo <= ln(truth.hi) && ln(truth.lo) <= found.hi,
                            "{lambda}, {other}, {step}, {goal}, {epsilon}: {found:?}, {truth:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn what_ends_are_made_of_is_what_it_was() {
        let mut found = Vec::new();
        let sampled = [Pair::removal(0.01, 1.0), Pair::addition(0.01, 1.0)];
        for (parts, epsilon, lambda) in [
            (vec![(Pair::gaussian(1.0, 1.0), 1)], 2.0, 3.0),
            (
                vec![(sampled[0].clone(), 300), (Pair::gaussian(0.3, 1.0), 4)],
                1.5,
                8.0,
            ),
            (vec![(sampled[1].clone(), 50)], 0.5, 20.0),
        ] {
            let all = Composition::new(&parts);
            let mut moments = all.moments();
            let near = moments.upper(lambda) - lambda * epsilon + chernoff_factor(lambda);
            found.push(near);
            let contour = Contour::new(&all, &mut moments, lambda, epsilon, near - 3.0);
            let contour = contour.expect("few terms");
            let (other, bound) = contour.right;
            found.extend([contour.step, contour.tail, other, bound]);
            found.push(contour.terms.len() as f64);
            let last = contour.terms.last().expect("there is one");
            found.extend([last.0.re, last.0.im, last.1, contour.terms[0].1]);
            for at in [0.0, epsilon, 2.0 * epsilon] {
                let (sum, error) = contour.sum(at);
                let log = contour.log_delta(at);
                found.extend([sum, error, contour.aliases(at, 0.5), log.lo, log.hi]);
            }
        }
        steady::holds(
            &found,
            "-2.249340578475188 0.5871807932853699 -20.219278899802163 6.0 18.12918577198127 21.0
             -24.083924220579657 0.0 inf 4.422123032192592e-14 0.0009491759880516827
             8.511680907510148e-11 5.183544290143225e-7 -0.9599186522640637 -0.9599162410860465
             0.0209236358228987 8.511687086257865e-11 3.1918174385671407e-12 -3.8668758627000974
             -3.8668758543126165 0.019010537826345316 8.51168918898493e-11 6.9573636190852085e-15
             -9.962761835843445 -9.962761826645279 2.096500041533277 0.08073708415031433
             -9.730968782443604 8.4 22.10234927592051 145.0 -14.712251430309104
             14.889366878715112 4.5414790606470594e-10 1.3954629351935735e-12 8.20786825020378e-9
             5.798646537402061e-14 7.287480964780757e-5 -1.3826695081051472 -1.3821766311996857
             2.3299142700879306e-5 5.798747673751786e-14 2.457349683173999e-10 -5.431105182929359
             -5.431105085415126 0.0009191265114406893 5.800177343935478e-14 8.286220567269809e-16
             -13.756097880246195 -13.756097878832556 -12.768896049143613 3.4435806274414063
             -23.28429573079231 40.0 -0.7106510547449951 63.0 -25.203055584607405
             52.63470038808639 1.6886583584190361e-10 2.947242666903048e-12 0.010155454605383182
             9.354162043082885e-14 1.2825660276242788e-16 -3.3383146463385684 -3.3383146463201263
             6.559428919405191e-13 9.349926733139999e-14 8.600182418978044e-17 -inf
             -36.66801758079772 1.1052938139832996e-8 9.35397682707277e-14 8.600182410268685e-17
             -inf -37.069131414500276",
        );
    }

    /// Where Chernoff's bound is enough, and where it is not.
    #[test]
    fn a_bound_by_moments_alone_decides_what_it_can() {
        let all = Composition::new(&[(Pair::gaussian(1.0, 1.0), 4)]);
        let delta = Delta::new(1e-5).expect("in range");
        // The ε of μ = 2 at this δ is 9.997, and that of moments 10.725.
        assert!(all.is_within(10.73, delta) && !all.is_within(10.72, delta));
    }
}
