//! Moments of the privacy loss of a [`Pair`] at real and complex orders, with an error bound.
//!
//! A(s) = E_P\[e^{sY}\] = ∫ φ_σ(z)·m_P(z)^{1+s}·m_Q(z)^{−s} dz, Y = ln(m_P/m_Q), is (α−1)-fold the Rényi
//! divergence at s = α − 1 real, and the characteristic function of the tilted loss on a vertical
//! line. It is computed by the trapezoidal rule Σ h·f(jh), which for analytic integrands is as good as
//! it is simple: if f is analytic in |Im z| ≤ a, the error is at most
//! Σ± ∫|f(x ± ia)| dx / (e^{2πa/h} − 1) (Trefethen and Weideman 2014, Theorem 5.1).
//!
//! Here, with θ = a/σ², λ = Re s ≥ 0, t = Im s: |φ_σ(x+ia)| = e^{a²/2σ²}φ_σ(x); every component gains a
//! phase sᵢθ, so |m_P| can only fall, |m_Q| falls at most by cos(½θ·spread of Q's shifts), and the
//! phase of m_P/m_Q is at most θ·(largest difference of shifts) = θD. Hence the error is at most
//! 2·exp(a²/2σ² + |t|θD + λ·ln sec(½θ·spread) − 2πa/h)·A(λ)/(1 − e^{−2πa/h}): relative to the very
//! quantity, and as small as one likes by the choice of h.

mod decay;

use super::AccountError;
use super::mixture::Pair;
use crate::float::elementary::{exp, exp_m1, ln, sin_cos};
use crate::float::{Complex, Double, INVERSE_FACTORIAL_FROM_2, U};

pub use decay::Decay;

/// Largest number of nodes: some hundredths of a second for one order.
const NODES_MAX: f64 = 262_144.0;
/// log A(λ) from which on the moment is not computed relative to 1.
const LARGE: f64 = 1.0;

/// One node of the rule.
#[derive(Clone, Copy, Debug)]
struct Node {
    z: f64,
    /// z²/(2σ²).
    half_square: f64,
    /// ln m_Q(z).
    ln_q: f64,
    /// Y(z).
    loss: f64,
    /// Bounds on the absolute errors of `ln_q` and `loss`.
    ln_q_error: f64,
    loss_error: f64,
    /// φ_σ·m_Q·σ√(2π) = e^{ln m_Q − z²/2σ²}, which no order changes.
    weight: f64,
    /// (e^Y − 1 − Y, s) of [`real_exp_m1_minus`].
    plain: (f64, f64),
}

impl Node {
    fn new(pair: &Pair, variance: f64, twice_variance: Double, z: f64) -> Self {
        let (ln_p, p_error) = pair.p.ln_density(z, variance);
        let (ln_q, ln_q_error) = pair.q.ln_density(z, variance);
        let loss = ln_p - ln_q;
        let half_square = (Double::product(z, z) / twice_variance).to_f64();
        Self {
            z,
            half_square,
            ln_q,
            loss,
            ln_q_error,
            loss_error: p_error + ln_q_error + U * loss.abs(),
            weight: exp(ln_q - half_square),
            plain: real_exp_m1_minus(loss),
        }
    }
}

/// The rule's nodes for one pair, good for real orders up to λ and frequencies up to |t|.
///
/// ```
/// use dp_assay::accounting::mixture::Pair;
/// use dp_assay::accounting::quadrature::Nodes;
///
/// // Gaussian noise with Δ/σ = ½: ln A(s) = s(1 + s)/8.
/// let grid = Nodes::new(&Pair::gaussian(1.0, 2.0), 2.0, 1.0, 50.0)?;
/// let line = grid.tilt(1.0);
/// let (log, error) = line.at_zero();
/// assert!((log - 0.25).abs() <= error && error < 1e-9);
/// // At s = 1 + i it is (1 + 3i)/8, so that |A| has fallen by 1/8 nats.
/// let (value, _) = line.at(1.0).map_err(|_| "too close to 0")?;
/// assert!((value.im - 0.375).abs() < 1e-9);
/// assert!((-0.126..=0.0).contains(&line.decay().upper(1.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Nodes {
    nodes: Vec<Node>,
    /// h/(σ√(2π)), relative error 3u.
    prefactor: f64,
    /// Relative discretisation error e^{−tolerance}.
    discretisation: f64,
    /// h.
    step: f64,
    /// a of the strip that the step was chosen for.
    strip: f64,
    pair: Pair,
    /// (z − centre)h/σ² beyond the last and before the first node: the slope of the tails.
    decay: f64,
    lambda_max: f64,
    frequency_max: f64,
}

impl Nodes {
    /// Nodes for 0 ≤ Re s ≤ `lambda`, |Im s| ≤ `frequency`, relative discretisation error
    /// 3e^{−`tolerance`}.
    ///
    /// # Errors
    /// More than 2¹⁸ nodes.
    pub fn new(
        pair: &Pair,
        lambda: f64,
        frequency: f64,
        tolerance: f64,
    ) -> Result<Self, AccountError> {
        let sigma = pair.sigma;
        let strip = Self::strip(pair);
        let step = Self::step(pair, strip, lambda, frequency, tolerance);
        let ((p_lo, p_hi), (q_lo, q_hi)) = (pair.p.shifts(), pair.q.shifts());
        // Beyond these centres ln f falls with slope (z − centre)/σ², for orders 0, 1 and 1 + λ alike.
        let right = ((1.0 + lambda) * p_hi - lambda * q_lo).max(q_hi).max(p_hi);
        let left = ((1.0 + lambda) * p_lo - lambda * q_hi).min(q_lo).min(p_lo);
        let margin = (2.0 * tolerance).sqrt() + 1.0;
        let first = ((left - margin * sigma) / step).floor();
        let last = ((right + margin * sigma) / step).ceil();
        let needed = last - first + 1.0;
        if !(needed <= NODES_MAX) {
            return Err(AccountError::TooCostly {
                what: "the moment quadrature",
                needed,
                limit: NODES_MAX,
                unit: "nodes",
            });
        }
        let variance = sigma * sigma;
        let twice_variance = Double::product(sigma, sigma).times_power_of_two(1);
        let nodes = (0..needed as u64)
            .map(|j| {
                let z = (first + j as f64) * step; // exact: step has 8 significant bits
                Node::new(pair, variance, twice_variance, z)
            })
            .collect();
        Ok(Self {
            nodes,
            prefactor: step / sigma * 0.398_942_280_401_432_7,
            discretisation: 3.0 * exp(-tolerance),
            decay: exp_m1(margin * step / sigma * (1.0 - 1e-12)),
            step,
            strip,
            pair: pair.clone(),
            lambda_max: lambda,
            frequency_max: frequency,
        })
    }

    /// Half-width a of the strip of analyticity that is used: 10σ (wider does not pay), or where the
    /// phases of the components reach 1.2 < π/2, so that m_P and m_Q have no zero.
    fn strip(pair: &Pair) -> f64 {
        let ((p_lo, p_hi), (q_lo, q_hi)) = (pair.p.shifts(), pair.q.shifts());
        let spread = (p_hi - p_lo).max(q_hi - q_lo);
        let widest = if spread > 0.0 {
            1.2 * pair.sigma * pair.sigma / spread
        } else {
            f64::INFINITY
        };
        (10.0 * pair.sigma).min(widest)
    }

    /// h of the rule: 2πa/h covers the exponent of the error bound. Rounded down to 8 significant
    /// bits, so that jh is exact.
    fn step(pair: &Pair, a: f64, lambda: f64, frequency: f64, tolerance: f64) -> f64 {
        let exponent = strip_exponent(pair, a, lambda) + frequency * phase(pair, a) + tolerance;
        round_down_to_8_bits(2.0 * std::f64::consts::PI * a / (1.001 * exponent))
    }

    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes (never).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The moments on the line Re s = λ ∈ [0, λ_max].
    #[must_use]
    pub fn tilt(&self, lambda: f64) -> Line<'_> {
        let lambda = lambda.clamp(0.0, self.lambda_max);
        let log_term = |n: &Node| n.ln_q + (1.0 + lambda) * n.loss - n.half_square;
        let largest = self
            .nodes
            .iter()
            .map(log_term)
            .fold(f64::NEG_INFINITY, f64::max);
        let mut mass = 0.0;
        let mut error = 0.0;
        let mut weights = Vec::with_capacity(self.nodes.len());
        for n in &self.nodes {
            let weight = exp(log_term(n) - largest);
            let log_error = n.ln_q_error
                + (1.0 + lambda) * (n.loss_error + 4.0 * U * n.loss.abs())
                + U * (3.0 * n.half_square + 3.0 * n.ln_q.abs() + 2.0 * largest.abs() + 6.0);
            mass += weight;
            error += weight * (log_error + 4.0 * U);
            weights.push(weight);
        }
        let ends = weights.first().unwrap_or(&0.0) + weights.last().unwrap_or(&0.0);
        let outside = ends / self.decay + self.discretisation * mass;
        let log_mass = largest + ln(mass * self.prefactor);
        Line {
            grid: self,
            lambda,
            log_mass,
            log_mass_error: 1.01 * (error + outside) / mass
                + U * (self.nodes.len() as f64 + 8.0 + 8.0 * log_mass.abs() + largest.abs()),
            weights,
            mass,
            error,
            outside,
        }
    }
}

/// The moments of one pair on a vertical line in the plane of orders.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    grid: &'a Nodes,
    lambda: f64,
    log_mass: f64,
    log_mass_error: f64,
    /// f at the nodes over its largest value.
    weights: Vec<f64>,
    mass: f64,
    error: f64,
    outside: f64,
}

impl Line<'_> {
    /// (ln A(λ), bound on the absolute error).
    #[must_use]
    pub fn at_zero(&self) -> (f64, f64) {
        if self.log_mass > LARGE {
            return (self.log_mass, self.log_mass_error);
        }
        let (excess, error) = self.excess(0.0);
        log_of(excess, error).map_or((self.log_mass, self.log_mass_error), |(log, e)| (log.re, e))
    }

    /// (ln A(λ + it), bound on the absolute error).
    ///
    /// # Errors
    /// When the error is not small against |A|: an upper bound on ln|A|.
    pub fn at(&self, t: f64) -> Result<(Complex, f64), f64> {
        assert!(t.abs() <= self.grid.frequency_max);
        if self.log_mass > LARGE {
            let (ratio, error) = self.characteristic(t);
            let shifted = Complex::new(ratio.re - 1.0, ratio.im);
            // |A(λ+it)| ≤ A(λ), which is all that is known where a node's phase is beyond sine and cosine
            // (`min` takes the other operand for NaN).
            let (log, e) = log_of(shifted, error + U)
                .map_err(|modulus| modulus.min(0.0) + self.log_mass + self.log_mass_error)?;
            let log = Complex::new(log.re + self.log_mass, log.im);
            return Ok((log, e + self.log_mass_error + U * log.norm()));
        }
        let (excess, error) = self.excess(t);
        log_of(excess, error).map_err(|modulus| modulus.min(self.log_mass + self.log_mass_error))
    }

    /// A(λ+it)/A(λ) and a bound on its absolute error.
    fn characteristic(&self, t: f64) -> (Complex, f64) {
        let (mut sum, mut error) = (Complex::default(), 0.0);
        for (node, weight) in self.grid.nodes.iter().zip(&self.weights) {
            // Below all doubles, against weights of which the largest is 1; the phase may be beyond sine and
            // cosine there.
            if *weight == 0.0 {
                continue;
            }
            let (sin, cos) = sin_cos(t * node.loss);
            sum = sum + Complex::new(weight * cos, weight * sin);
            error += weight * t.abs() * (node.loss_error + U * node.loss.abs());
        }
        let rounding = U * (self.weights.len() as f64 + 8.0) * self.mass;
        let total = 2.0 * (self.error + self.outside) + error + rounding;
        (sum.scale(1.0 / self.mass), 1.01 * total / self.mass)
    }

    /// A(λ+it) − 1 and a bound on its absolute error.
    ///
    /// With α = 1 + s and e₂(v) = e^v − 1 − v the integrand is φ_σm_Q·(e₂(αY) − α·e₂(Y)): subtracted
    /// are 1 and α(e^Y − 1), whose integrals are 1 and 0. Both parts are of second order in Y, so that
    /// a moment close to 1 keeps its relative accuracy.
    fn excess(&self, t: f64) -> (Complex, f64) {
        let order = Complex::new(1.0 + self.lambda, t);
        let size = order.norm() + 2.0 * U;
        let (mut sum, mut error, mut mass) = (Complex::default(), 0.0f64, 0.0f64);
        for n in &self.grid.nodes {
            let (weight, (plain, plain_scale)) = (n.weight, n.plain);
            let (power, power_scale) = if t == 0.0 {
                let (value, scale) = real_exp_m1_minus(order.re * n.loss);
                (Complex::new(value, 0.0), scale)
            } else {
                order.scale(n.loss).exp_m1_minus()
            };
            let sizes = power_scale + size * plain_scale;
            let slope = power_scale + plain_scale + 1.3 * (size + 1.0) * n.loss.abs();
            let relative = n.ln_q_error + U * (4.0 + 2.0 * n.half_square + n.ln_q.abs());
            let term_error = U * 18.0 * sizes
                + size * slope * (n.loss_error + 2.0 * U * n.loss.abs())
                + relative * 2.0 * sizes;
            sum = sum + (power - order.scale(plain)).scale(weight);
            error += weight * term_error;
            mass += weight * sizes;
        }
        // The four integrals in the integrand are each discretised within `discretisation` of their
        // own size, and each falls beyond the ends as the grid promises.
        let ends = self.grid.nodes.first().map_or(0.0, |n| self.pieces(n))
            + self.grid.nodes.last().map_or(0.0, |n| self.pieces(n));
        let pieces = exp(self.log_mass.max(0.0)) * 1.01 + 1.0 + 2.0 * size;
        let n = self.grid.nodes.len() as f64;
        let total = self.grid.prefactor
            * (error + U * (2.0 * n + 8.0) * mass + ends / self.grid.decay)
            + self.grid.discretisation * pieces;
        (sum.scale(self.grid.prefactor), 1.01 * total)
    }

    /// φ_σm_Q·(e^{(1+λ)Y} + 1 + |α|(e^Y + 1)) at a node, with |α| replaced by 1 + λ + |t|_max.
    fn pieces(&self, n: &Node) -> f64 {
        let size = 1.0 + self.lambda + self.grid.frequency_max;
        n.weight * (exp((1.0 + self.lambda) * n.loss) + 1.0 + size * (exp(n.loss) + 1.0)) * 1.01
    }
}

/// a²/2σ² + λ·ln sec(½θ·spread of Q), θ = a/σ²: growth of the modulus in the strip |Im z| ≤ a.
fn strip_exponent(pair: &Pair, a: f64, lambda: f64) -> f64 {
    let variance = pair.sigma * pair.sigma;
    let (q_lo, q_hi) = pair.q.shifts();
    let half_angle = 0.5 * a / variance * (q_hi - q_lo);
    0.5 * a * a / variance - lambda * ln(sin_cos(half_angle).1)
}

/// θD, θ = a/σ²: largest phase of m_P/m_Q at height a.
fn phase(pair: &Pair, a: f64) -> f64 {
    let ((p_lo, p_hi), (q_lo, q_hi)) = (pair.p.shifts(), pair.q.shifts());
    let difference = (p_hi - q_lo).abs().max((p_lo - q_hi).abs());
    a / (pair.sigma * pair.sigma) * difference
}

/// (ln(1+w), error) when w has absolute error `error` and 1+w stays away from 0; else an upper bound
/// on ln|1+w|.
fn log_of(w: Complex, error: f64) -> Result<(Complex, f64), f64> {
    let modulus = Complex::new(1.0 + w.re, w.im).norm();
    if !(error < 0.25 * modulus) {
        return Err(ln((modulus + error) * (1.0 + 8.0 * U)) + U);
    }
    let (log, own) = w.ln_1p();
    Ok((log, own + error / (modulus - error) * 1.0001))
}

/// (e^y − 1 − y, s): error at most 16u·s, as [`Complex::exp_m1_minus`] on the real line.
///
/// For |y| ≥ ½ directly, s = |e^y − 1 − y| + 2|y|: the power's 6u·|e^y − 1| and the difference's u are below
/// 7u·s. Else by the Taylor series of (e^y − 1 − y)/y² to y¹⁴ (tail 2⁻¹⁵/17!, below u/1000), s = 0.6y²:
/// its value is in (0.42, 0.6), its roundings, a step's multiplied by |y| ≤ ½ at the next, stay below 4u·0.6,
/// those of y² and the last product add 2u.
fn real_exp_m1_minus(y: f64) -> (f64, f64) {
    let square = y * y;
    if square >= 0.25 {
        let value = exp_m1(y) - y;
        return (value, value.abs() + 2.0 * y.abs());
    }
    let series = INVERSE_FACTORIAL_FROM_2.iter().rev();
    let sum = series.fold(0.0, |sum, coefficient| sum * y + coefficient);
    (sum * square, 0.6 * square)
}

/// The largest number with 8 significant bits that is at most `x` > 0.
fn round_down_to_8_bits(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !((1u64 << 45) - 1))
}

#[cfg(test)]
mod tests;
