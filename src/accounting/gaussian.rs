//! The Gaussian mechanism, exactly.
//!
//! Sensitivity Δ and standard deviation σ enter through μ = Δ/σ alone. The hockey-stick divergence of
//! N(μ, 1) from N(0, 1) is (Balle and Wang 2018, Theorem 8)
//!
//! δ(ε) = Φ(−x) − e^ε·Φ(−y), x = ε/μ − μ/2, y = ε/μ + μ/2.
//!
//! Because e^ε·φ(y) = φ(x), it equals φ(x)·D(x) with D = R(x) − R(y) for x ≥ 0 and
//! D = 1/φ(x) − R(−x) − R(y) for x < 0, R the Mills ratio. D is computed in double-double arithmetic,
//! so that its cancellation (a factor of order 1/μ) does not show, and its error bound is carried
//! along. Results are enclosures: the upper end of an ε, δ or σ is the safe one.

use super::AccountError;
use super::root::halve;
use crate::float::elementary::{exp, ln};
use crate::float::{Double, Enclosure, MILLS_DOUBLE_ERROR, U, mills, mills_double, normal_density};
use crate::units::{Delta, Epsilon, Sensitivity, StdDev};

/// A Gaussian mechanism, given by μ = Δ/σ ≥ 0.
///
/// ```
/// use dp_assay::accounting::gaussian::Gaussian;
/// use dp_assay::units::{Delta, Epsilon, Sensitivity, StdDev};
///
/// // Four releases with σ = 2 are one with σ = 1.
/// let once = Gaussian::new(Sensitivity::new(1.0)?, StdDev::new(2.0)?);
/// let four = Gaussian::composed(&[(once, 4)]);
/// assert!((four.mu() - 1.0).abs() < 1e-12);
/// // δ(1) = Φ(−½) − e·Φ(−3/2).
/// assert!((0.126..0.128).contains(&four.delta(Epsilon::new(1.0)?).hi));
/// assert!((4.3..4.4).contains(&four.epsilon(Delta::new(1e-5)?)?.hi));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gaussian {
    mu: Double,
}

/// Largest μ with finite answers: ε grows like μ²/2.
const MU_MAX: f64 = 1e100;
/// Smallest positive μ; below it a mechanism is treated as having this μ (privacy is monotone in μ).
const MU_MIN: f64 = 1e-100;

/// x > 0 as a number in \[1, 2) and a power of two.
fn near_one(x: f64) -> (f64, i32) {
    // Subnormal numbers have no exponent of their own.
    let (x, less) = if x < f64::MIN_POSITIVE {
        (x * 2f64.powi(64), -64)
    } else {
        (x, 0)
    };
    let bits = x.to_bits();
    let exponent = i32::try_from(bits >> 52).unwrap_or(0) - 1023;
    let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    (mantissa, exponent + less)
}

impl Gaussian {
    /// The mechanism that adds N(0, σ²) to a value of sensitivity Δ (ℓ₂ for vectors).
    #[must_use]
    pub fn new(sensitivity: Sensitivity, sigma: StdDev) -> Self {
        let (delta, sigma) = (sensitivity.get(), sigma.get());
        let ratio = delta / sigma;
        if delta == 0.0 {
            return Self {
                mu: Double::new(0.0),
            };
        }
        // Outside these limits double-double division could lose its second word: of numbers near 1 it does not, and powers of
        // two are exact.
        let plain = |x: f64| (1e-140..1e140).contains(&x);
        let mu = if plain(delta) && plain(sigma) {
            Double::quotient(delta, sigma)
        } else if plain(ratio) {
            let ((above, up), (below, down)) = (near_one(delta), near_one(sigma));
            Double::quotient(above, below).times_power_of_two(up - down)
        } else {
            Double::new(ratio.next_up())
        };
        let mu = if mu.hi < MU_MIN {
            Double::new(MU_MIN)
        } else {
            mu
        };
        Self { mu }
    }

    /// The composition of independent or adaptive Gaussian mechanisms is the Gaussian mechanism with
    /// μ² = Σ kᵢ·μᵢ² (Dong, Roth and Su 2022, Corollary 3.3). `parts` are (μᵢ, kᵢ); μ is rounded up
    /// by less than 2⁻⁹⁰ relative.
    #[must_use]
    pub fn composed(parts: &[(Self, u64)]) -> Self {
        let mut square = Double::new(0.0);
        for (part, count) in parts {
            // u64 counts above 2⁵³ split into two exact halves.
            let count = Double::sum(
                (count >> 32) as f64 * 4_294_967_296.0,
                (count & 0xffff_ffff) as f64,
            );
            square = square + part.mu * part.mu * count;
        }
        let root = square.hi.sqrt();
        if !(root > 0.0 && root.is_finite()) {
            return Self {
                mu: Double::new(root),
            };
        }
        // One Newton step of the square root squares its relative error: u² /2, then 2⁻⁹⁰ of slack.
        let root = Double::new(root);
        let refined = root + (square - root * root) / root.times_power_of_two(1);
        Self {
            mu: refined + refined * Double::new(2f64.powi(-90)),
        }
    }

    /// μ, to the nearest binary64 number.
    #[must_use]
    pub fn mu(&self) -> f64 {
        self.mu.to_f64()
    }

    /// μ, rounded up.
    #[must_use]
    pub fn mu_upper(&self) -> f64 {
        if self.mu.lo > 0.0 {
            self.mu.hi.next_up()
        } else {
            self.mu.hi
        }
    }

    /// Encloses δ(ε) for ε ≥ 0. Width: a few units in the last place, for μ in [10⁻¹⁰, 10¹⁰⁰].
    #[must_use]
    pub fn delta(&self, epsilon: Epsilon) -> Enclosure {
        if self.mu.hi == 0.0 {
            return Enclosure::point(0.0);
        }
        if self.mu.hi > MU_MAX {
            return Enclosure::new(0.0, 1.0);
        }
        let at = Point::new(epsilon.get(), self.mu);
        let (least, greatest) = (at.x.hi - 2.0 * at.x_error, at.x.hi + 2.0 * at.x_error);
        if least > 37.5 {
            // δ ≤ Φ(−x) ≤ φ(x), which is below 10⁻³⁰⁵, and from 39 on below any positive number.
            let above = if least > 39.0 {
                f64::from_bits(1)
            } else {
                1e-305
            };
            return Enclosure::new(0.0, above);
        }
        if greatest < -8.5 {
            // 1 − δ = φ(x)(R(−x) + R(y)) ≤ 2Φ(x) < 10⁻¹⁶.
            return Enclosure::new((1.0 - 2.0 * U).next_down(), 1.0);
        }
        if at.x_error > 1e-4 {
            return Enclosure::new(0.0, 1.0); // ε/μ − μ/2 has cancelled: μ is beyond 10²⁴
        }
        let (gap, error) = at.gap();
        let half_square = (at.x * at.x).times_power_of_two(-1);
        let delta = gap * Double::from_density_exponent(-half_square);
        let x = at.x.hi.abs();
        let relative = error / gap.hi + 2f64.powi(-88) + x * at.x_error;
        // Half a unit for dropping the second word, which underflow can cost another one.
        let slack = delta.hi.abs() * (3.0 * U + 2.0 * relative);
        Enclosure::new((delta.hi - slack).next_down(), (delta.hi + slack).next_up()).clamp(0.0, 1.0)
    }

    /// Encloses the least ε ≥ 0 with δ(ε) ≤ δ.
    ///
    /// Newton's method on ln δ in binary64, then steps in double-double with a bound on their
    /// remainder: with s = (δ(ε) − δ)/|δ'(ε)| and κ = (y+1)/μ a bound on the logarithmic derivative of
    /// δ', the root lies in [ε + s, ε + s + 2κs²] when κ|s| ≤ ¼ (δ is convex).
    ///
    /// From μ ≈ 10⁷ on, neighbouring binary64 numbers ε are further apart than that; then the ends are
    /// the nearest points at which the enclosure of δ(ε) decides.
    ///
    /// # Errors
    /// δ = 0 has no finite ε unless μ = 0; μ above 10¹⁰⁰ is refused.
    pub fn epsilon(&self, delta: Delta) -> Result<Enclosure, AccountError> {
        let (mu, delta) = (self.mu, delta.get());
        if mu.hi == 0.0 || delta == 1.0 {
            return Ok(Enclosure::point(0.0));
        }
        if delta == 0.0 {
            return Err(AccountError::NoFiniteEpsilon { delta, floor: 0.0 });
        }
        AccountError::check(
            mu.hi <= MU_MAX,
            "sensitivity / sigma",
            mu.hi,
            "must be at most 1e100",
        )?;
        // δ(0) = 2Φ(μ/2) − 1 ≤ μ/√(2π).
        if delta >= (mu.hi.next_up() * 0.398_942_280_401_432_8).next_up() {
            return Ok(Enclosure::point(0.0));
        }
        let start = self.x_of_delta(delta);
        let mut epsilon = (mu.hi * (start + 0.5 * mu.hi)).max(0.0);
        for _ in 0..40 {
            let at = Point::new(epsilon, mu);
            let (step, error) = at.newton_step(delta);
            let kappa = (at.y.hi + 1.0) / mu.hi;
            if kappa * (step.abs() + error) <= 0.25 {
                let remainder = 2.0 * kappa * (step.abs() + error).powi(2);
                let upper = (epsilon + (step + error + remainder)).next_up().max(0.0);
                let lower = (epsilon + (step - error)).next_down().max(0.0);
                if upper - lower <= 16.0 * U * upper || step.abs() <= 4.0 * (error + U * epsilon) {
                    return Ok(Enclosure::new(lower, upper));
                }
            }
            let next = epsilon + step;
            if next <= 0.0 {
                if epsilon == 0.0 && step + error <= 0.0 {
                    return Ok(Enclosure::point(0.0)); // δ(0) ≤ δ
                }
                epsilon = 0.0;
            } else {
                epsilon = next;
            }
        }
        let found = self.around(epsilon, delta);
        // Of the least μ the profile's digits are lost before ε is found; of (μ²/2)-zCDP they are not.
        let (mu, log) = (
            Enclosure::point(mu.hi.next_up()),
            -Enclosure::point(delta).ln(),
        );
        let coarse = mu.square() * 0.5 + mu * (log * 2.0).sqrt();
        Ok(Enclosure::new(
            found.lo.min(coarse.hi),
            found.hi.min(coarse.hi),
        ))
    }

    /// Encloses the ε of [`Self::epsilon`] from points around an approximate one.
    fn around(&self, near: f64, delta: f64) -> Enclosure {
        let first = |sign: f64, decides: &dyn Fn(Enclosure) -> bool| {
            (1..=53)
                .map(|k| near * (1.0 + sign * U * 2f64.powi(k)))
                .find(|e| Epsilon::new(*e).is_ok_and(|e| decides(self.delta(e))))
        };
        let lower = first(-1.0, &|d| d.lo > delta).unwrap_or(0.0);
        let upper = first(1.0, &|d| d.hi <= delta).unwrap_or(f64::INFINITY);
        Enclosure::new(lower, upper)
    }

    /// x with φ(x)·D(x) ≈ δ, in binary64. ln δ is decreasing and concave in x, so that Newton's
    /// method converges from anywhere. The start is Hastings' quantile of Φ(−x) = δ, which is within 0.003 for δ ≤ ½.
    fn x_of_delta(&self, delta: f64) -> f64 {
        let mu = self.mu.hi;
        let target = ln(delta);
        let t = (-2.0 * target).sqrt();
        let quantile = t - (2.30753 + 0.27061 * t) / (1.0 + t * (0.99229 + 0.04481 * t));
        let mut x = quantile.max(0.1);
        for _ in 0..100 {
            let gap = approximate_gap(x, mu);
            let value = ln(gap) + ln_density(x);
            let next = x + (value - target) * gap / (mu * mills((x + mu).max(0.0)));
            let next = next.clamp(-0.5 * mu, 1e3);
            // Newton's steps square the error: the next one would be below 10⁻¹⁰.
            if (next - x).abs() <= 1e-5 * (1.0 + x.abs()) {
                return next;
            }
            x = next;
        }
        x
    }
}

/// Encloses the σ at which δ(ε) = δ: the upper end is a standard deviation that suffices, the lower
/// one does not.
///
/// Bracketed Newton in binary64 on ln δ as a function of ln μ, then double-double steps: by
/// ∂δ/∂μ = φ(x) the root is μ + s with s = (δ − δ(μ))/φ(x) up to |s|²·|x|·y/μ.
///
/// ```
/// use dp_assay::accounting::gaussian::calibrate_sigma;
/// use dp_assay::units::{Delta, Epsilon, Sensitivity};
///
/// let (sensitivity, epsilon) = (Sensitivity::new(1.0)?, Epsilon::new(1.0)?);
/// let sigma = calibrate_sigma(sensitivity, epsilon, Delta::new(1e-5)?)?;
/// assert!((3.73..3.74).contains(&sigma.hi) && sigma.width() < 1e-9);
/// // No σ is enough for δ = 0.
/// assert!(calibrate_sigma(sensitivity, epsilon, Delta::new(0.0)?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// δ = 0 needs infinite noise; sensitivity 0, δ = 1 and ε above 10²⁰ are refused.
pub fn calibrate_sigma(
    sensitivity: Sensitivity,
    epsilon: Epsilon,
    delta: Delta,
) -> Result<Enclosure, AccountError> {
    let (epsilon, delta, sensitivity) = (epsilon.get(), delta.get(), sensitivity.get());
    if delta == 0.0 {
        return Err(AccountError::NoFiniteEpsilon { delta, floor: 0.0 });
    }
    AccountError::check(
        sensitivity > 0.0,
        "sensitivity",
        sensitivity,
        "must be > 0 to calibrate noise",
    )?;
    AccountError::check(
        delta < 1.0,
        "delta",
        delta,
        "must be < 1 to calibrate noise",
    )?;
    // Beyond, ε/μ − μ/2 cancels so far that the steps below do not settle.
    AccountError::check(
        epsilon <= 1e20,
        "epsilon",
        epsilon,
        "must be at most 1e20 to calibrate noise",
    )?;
    if epsilon < 1e-80 && delta < 1e-9 {
        return Ok(sigma_without_epsilon(sensitivity, epsilon, delta));
    }
    let mut mu = Double::new(mu_of_target(epsilon, delta));
    for _ in 0..40 {
        let at = Point::new(epsilon, mu);
        let (gap, error) = at.gap();
        let (target, target_error) = at.scaled_target(delta);
        let step = target - gap;
        let error = error + target_error;
        let curvature = (at.x.hi.abs() * at.y.hi / mu.hi).max(1.0 / mu.hi);
        let size = step.hi.abs() + error;
        let next = mu + step;
        // Then the step is less than 10⁻⁷·μ, too.
        if curvature * size <= 1e-7 && next.hi > 0.0 {
            let slack = error + 2.0 * curvature * size * size + 2f64.powi(-90) * mu.hi;
            let sigma = Double::new(sensitivity) / next;
            let spread = sigma.hi * (1.01 * slack / next.hi + 2.0 * U);
            return Ok(Enclosure::new(
                (sigma.hi - spread).next_down(),
                (sigma.hi + spread).next_up(),
            ));
        }
        mu = if next.hi > 0.5 * mu.hi && next.hi < 2.0 * mu.hi {
            next
        } else {
            mu.times_power_of_two(if step.hi > 0.0 { 1 } else { -1 })
        };
    }
    // Differences of Mills ratios are lost where μ is below 10⁻²⁵ or so: what is enough for ε = 0 is enough.
    let enough = sigma_without_epsilon(sensitivity, epsilon, delta).hi;
    Ok(Enclosure::new(0.0, enough))
}

/// σ where ε and δ leave μ too small for differences of Mills ratios: μ(1 − μ²/24) ≤ δ(0; μ)·√(2π) ≤ μ, and
/// δ(ε; μ) is smaller still for ε > 0.
fn sigma_without_epsilon(sensitivity: f64, epsilon: f64, delta: f64) -> Enclosure {
    let mu = Enclosure::point(delta) * Enclosure::point(std::f64::consts::TAU).sqrt();
    let mu = Enclosure::new(mu.lo * (1.0 - 4.0 * U), mu.hi * (1.0 + 4.0 * U)); // TAU is rounded
    let sigma = Enclosure::point(sensitivity) / mu;
    let lower = if epsilon == 0.0 { sigma.lo } else { 0.0 };
    Enclosure::new(lower, sigma.hi)
}

/// μ with δ(ε; μ) ≈ δ, in binary64, by bisection on ln μ.
fn mu_of_target(epsilon: f64, delta: f64) -> f64 {
    let target = ln(delta);
    let excess = |mu: f64| {
        let x = epsilon / mu - 0.5 * mu;
        if !(-36.0..=1e6).contains(&x) {
            return -x; // δ is 1 to all digits of its logarithm, or 0
        }
        ln(approximate_gap(x, mu)) + ln_density(x) - target
    };
    // 345/2⁴² < 10⁻¹⁰.
    let (lo, hi) = halve(-230.0, 115.0, 42, |log| excess(exp(log)) <= 0.0);
    exp(0.5 * (lo + hi))
}

/// ln φ(x).
fn ln_density(x: f64) -> f64 {
    -0.5 * x * x - 0.918_938_533_204_672_7
}

/// D(x) in binary64, without bound on its error.
fn approximate_gap(x: f64, mu: f64) -> f64 {
    if mu < 1e-3 {
        // D = ∫ (1 − tR(t)) dt over [x, x + μ].
        let middle = (x + 0.5 * mu).max(0.0);
        let slope = if middle > 1e3 {
            1.0 / (middle * middle)
        } else {
            1.0 - middle * mills(middle)
        };
        return mu * slope;
    }
    if x >= 0.0 {
        mills(x) - mills(x + mu)
    } else {
        1.0 / normal_density(x.max(-36.0)) - mills(-x) - mills(x + mu)
    }
}

/// The arguments of the formula at one (ε, μ), in double-double.
struct Point {
    x: Double,
    y: Double,
    /// Absolute error of x and of y.
    x_error: f64,
}

impl Point {
    fn new(epsilon: f64, mu: Double) -> Self {
        let centre = Double::new(epsilon) / mu;
        let half = mu.times_power_of_two(-1);
        Self {
            x: centre - half,
            y: centre + half,
            x_error: 4.0 * Double::ERROR * (centre.hi.abs() + mu.hi),
        }
    }

    /// (D, e): D with absolute error at most e. |R'| ≤ 1 passes the error of x and y on.
    fn gap(&self) -> (Double, f64) {
        let right = mills_double(self.y);
        if self.x.hi >= 0.0 {
            let left = mills_double(self.x);
            let error = 1.01 * MILLS_DOUBLE_ERROR * (left.hi + right.hi) + 2.0 * self.x_error;
            return (left - right, error);
        }
        let left = mills_double(-self.x);
        let inverse = Double::SQRT_2_PI * (self.x * self.x).times_power_of_two(-1).exp();
        let x = self.x.hi.abs();
        let relative = 2f64.powi(-92) * (1.0 + 0.1 * x * x) + 1.01 * x * self.x_error;
        let error = inverse.hi * relative
            + 1.01 * MILLS_DOUBLE_ERROR * (left.hi + right.hi)
            + 2.0 * self.x_error;
        (inverse - left - right, error)
    }

    /// (T, e): T = δ/φ(x) = δ·√(2π)·e^{x²/2} with absolute error at most e. A power of two keeps a
    /// tiny δ and a huge exponential in range.
    fn scaled_target(&self, delta: f64) -> (Double, f64) {
        let half_square = (self.x * self.x).times_power_of_two(-1);
        let shift = if half_square.hi > 300.0 { 512 } else { 0 };
        let exponent = half_square - Double::LN_2 * Double::new(f64::from(shift));
        if exponent.hi > 690.0 {
            return (Double::new(1e300), 1e299);
        }
        let scaled = Double::new(delta * if shift == 0 { 1.0 } else { 2f64.powi(shift) });
        let target = scaled * Double::SQRT_2_PI * exponent.exp();
        let x = self.x.hi.abs();
        let relative = 2f64.powi(-92) * (1.0 + 0.1 * x * x) + 1.01 * x * self.x_error;
        (target, target.hi * relative)
    }

    /// (s, e): s = (δ(ε) − δ)/|δ'(ε)| with |δ'(ε)| = φ(x)·R(y), and a bound on its error.
    fn newton_step(&self, delta: f64) -> (f64, f64) {
        let (gap, gap_error) = self.gap();
        let (target, target_error) = self.scaled_target(delta);
        let slope = mills_double(self.y).hi;
        let step = (gap - target).hi / slope;
        (
            step,
            (gap_error + target_error) / slope * 1.001 + 4.0 * U * step.abs(),
        )
    }
}

#[cfg(test)]
mod tests;
