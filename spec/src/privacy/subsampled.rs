//! The Poisson-subsampled Gaussian mechanism.
//!
//! Each record enters the batch with probability q, independently, and the sum of a query of
//! sensitivity 1 is released with noise N(0, σ²). Under add/remove neighbours the worst pair is
//! N(0, σ²) against (1 − q) N(0, σ²) + q N(1, σ²) (Mironov, Talwar and Zhang 2019). With u = x/σ and
//! y = e^(u/σ − 1/(2σ²)), the likelihood ratio is m = 1 − q + q y and
//!
//! ```text
//! removing a record:  A_α = E m^α,       adding one:  A_α = E m^(1−α),    u ~ N(0, 1),
//! ```
//!
//! with D_α = ln A_α/(α − 1) in both cases.

use super::convert::OrderBound;
use super::error::{PrivacyError, require};
use super::notion::RenyiCurve;
use crate::arith::quadrature::{Ellipse, GaussLegendre, Integrand};
use crate::arith::{Interval, PRECISION, Rational};

/// Which of two neighbours the first law of the pair belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// P has the record, Q does not: P is the mixture.
    Remove,
    /// P lacks the record, Q has it: Q is the mixture.
    Add,
}

impl Direction {
    /// Both directions of the add/remove relation.
    pub const BOTH: [Self; 2] = [Self::Remove, Self::Add];
}

/// One step of the Poisson-subsampled Gaussian mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct PoissonGaussian {
    q: Interval,
    sigma: Interval,
}

impl PoissonGaussian {
    /// Sampling rate q in \[0, 1\] and noise multiplier σ > 0.
    ///
    /// # Errors
    /// Names the parameter that is outside its domain.
    pub fn new(q: Interval, sigma: Interval) -> Result<Self, PrivacyError> {
        require(*q.lo() >= 0 && *q.hi() <= 1, "q", &q, "must lie in [0, 1]")?;
        require(*sigma.lo() > 0, "sigma", &sigma, "must be > 0")?;
        Ok(Self { q, sigma })
    }

    /// Sampling rate.
    #[must_use]
    pub const fn q(&self) -> &Interval {
        &self.q
    }

    /// Noise multiplier.
    #[must_use]
    pub const fn sigma(&self) -> &Interval {
        &self.sigma
    }

    /// Encloses ln A_α for any real order α > 1, by certified quadrature.
    ///
    /// # Errors
    /// When α > 1 is not certain.
    pub fn log_moment(
        &self,
        alpha: &Interval,
        direction: Direction,
    ) -> Result<Interval, PrivacyError> {
        require(*alpha.lo() > 1, "alpha", alpha, "must be > 1")?;
        if self.q.hi().is_zero() {
            return Ok(Interval::from(0));
        }
        let one = Interval::from(1);
        if self.q == one {
            return Ok(&(alpha * &(alpha - &one)) * &self.half_precision_square());
        }
        let power = match direction {
            Direction::Remove => alpha.clone(),
            Direction::Add => &one - alpha,
        };
        Ok(Moment::new(self, power).integral().ln())
    }

    /// Encloses ln A_α for an integer order α ≥ 2 in the direction [`Direction::Remove`], by the
    /// binomial sum Σ C(α, k) (1−q)^(α−k) q^k e^(k(k−1)/(2σ²)) (Mironov, Talwar and Zhang 2019,
    /// equation (4)).
    ///
    /// # Errors
    /// When α < 2.
    pub fn log_moment_integer(&self, alpha: u32) -> Result<Interval, PrivacyError> {
        require(alpha >= 2, "alpha", &alpha, "must be >= 2")?;
        let half = self.half_precision_square();
        let rest = &Interval::from(1) - &self.q;
        let mut choose = rug::Integer::from(1);
        let mut sum = Interval::from(0);
        for k in 0..=alpha {
            let weight = &Interval::from_rational(&Rational::from(&choose))
                * &(&rest.powi(alpha - k) * &self.q.powi(k));
            let pairs = i64::from(k) * (i64::from(k) - 1);
            sum = &sum + &(&weight * &(&Interval::from(pairs) * &half).exp());
            choose = choose * (alpha - k) / (k + 1);
        }
        Ok(sum.ln())
    }

    /// 1/(2σ²).
    fn half_precision_square(&self) -> Interval {
        &Interval::from_f64(0.5) / &self.sigma.square()
    }
}

/// D_α for the worse direction.
impl RenyiCurve for PoissonGaussian {
    fn rdp(&self, alpha: &Interval) -> Interval {
        let less = alpha - &Interval::from(1);
        let log = |d| self.log_moment(alpha, d);
        match (log(Direction::Remove), log(Direction::Add)) {
            (Ok(remove), Ok(add)) => &remove.max(&add) / &less,
            _ => Interval::whole(PRECISION),
        }
    }
}

/// Upper bound of D_α, integer α ≥ 2, for a batch of fixed size drawn without replacement, under
/// replace-one neighbours (Wang, Balle and Kasiviswanathan 2019, Theorem 9):
///
/// ```text
/// 1 + γ² C(α,2) min{4(e^ε(2) − 1), 2e^ε(2)} + Σ_{j=3..α} γ^j C(α,j) 2 e^((j−1)ε(j)),
/// ```
///
/// where γ is the sampled fraction, ε(·) the curve of the mechanism run on the batch, and
/// ε(∞) = ∞, so that min{2, (e^ε(∞) − 1)^j} = 2. The bound returned is its logarithm over α − 1.
///
/// # Errors
/// When γ is outside \[0, 1\] or α < 2.
pub fn fixed_size_rdp_upper(
    base: &impl RenyiCurve,
    gamma: &Interval,
    alpha: u32,
) -> Result<OrderBound, PrivacyError> {
    require(
        *gamma.lo() >= 0 && *gamma.hi() <= 1,
        "gamma",
        gamma,
        "must lie in [0, 1]",
    )?;
    require(alpha >= 2, "alpha", &alpha, "must be >= 2")?;
    let (two, four) = (Interval::from(2), Interval::from(4));
    let mut choose = rug::Integer::from(alpha);
    let mut sum = Interval::from(1);
    for j in 2..=alpha {
        choose = choose * (alpha + 1 - j) / j;
        let order = Interval::from(i64::from(j));
        let e = base.rdp(&order);
        let factor = match j {
            2 => (&four * &e.exp_m1()).min(&(&two * &e.exp())),
            _ => &two * &(&(&order - &Interval::from(1)) * &e).exp(),
        };
        let weight = &Interval::from_rational(&Rational::from(&choose)) * &gamma.powi(j);
        sum = &sum + &(&weight * &factor);
    }
    let bound = &sum.ln() / &Interval::from(i64::from(alpha) - 1);
    Ok(OrderBound {
        upper: bound.hi().clone(),
        order: rug::Float::with_val(PRECISION, alpha),
    })
}

/// E m^power for one of the two powers.
struct Moment<'a> {
    step: &'a PoissonGaussian,
    power: Interval,
    /// 1 − q.
    rest: Interval,
    /// 1/(2σ²).
    half: Interval,
    /// 1/√(2π).
    norm: Interval,
}

/// Distance in standard deviations beyond which a normal tail is bounded instead of integrated.
const FAR: i64 = 16;

impl<'a> Moment<'a> {
    fn new(step: &'a PoissonGaussian, power: Interval) -> Self {
        let root = (&Interval::from(2) * &Interval::pi(PRECISION)).sqrt();
        Self {
            step,
            power,
            rest: &Interval::from(1) - &step.q,
            half: step.half_precision_square(),
            norm: &Interval::from(1) / &root,
        }
    }

    fn integral(&self) -> Interval {
        let (left, right) = self.reach();
        let ends = [left.lo(), right.hi()].map(|x| x.to_rational().unwrap_or_default());
        let [a, b] = ends.each_ref().map(Interval::from_rational);
        let rule = GaussLegendre::at_precision(PRECISION);
        let middle = rule.integrate(self, (&ends[0], &ends[1]), &[self.at_least()], 112);
        &(&self.tail(&-&a, false) + &middle[0]) + &self.tail(&b, true)
    }

    /// Where to stop integrating: FAR beyond 0 and beyond the peak power/σ of φ y^power. When the
    /// power is negative m^power stays below (1 − q)^power, so e^(−u²/2) (1 − q)^power ≤ e^(−FAR²/2)
    /// may come sooner.
    fn reach(&self) -> (Interval, Interval) {
        let far = Interval::from(FAR);
        let peak = &self.power / &self.step.sigma;
        if *self.power.lo() > 0 {
            return (-&far, &peak + &far);
        }
        let growth = &self.power * &self.rest.max(&Interval::power_of_two(-1_000)).ln();
        let soon = (&far.square() + &(&Interval::from(2) * &growth)).sqrt();
        (-&(&far - &peak).min(&soon), far)
    }

    /// A lower bound of the integral: 1 by Jensen's inequality in both directions, and with m ≥ q y
    /// the moment q^p e^(p(p−1)/(2σ²)) of the shifted Gaussian when p > 0.
    fn at_least(&self) -> Interval {
        let one = Interval::from(1);
        if *self.power.lo() < 0 {
            return one;
        }
        let shifted = &self.step.q.pow(&self.power) * &self.lift().exp();
        one.max(&Interval::point(shifted.lo().clone()))
    }

    /// p(p − 1)/(2σ²): ∫ φ y^p = e^lift.
    fn lift(&self) -> Interval {
        &(&self.power * &(&self.power - &Interval::from(1))) * &self.half
    }

    /// \[0, bound\] for the integral beyond u (right) or below −u (left).
    ///
    /// Where m^power does not grow outwards it is at most its value at the end. Where it does,
    /// m^power = y^power (q + (1−q)/y)^power with the second factor at most its value at the end,
    /// and y^power shifts the normal law by power/σ; for a negative power (1−q)^power also bounds it.
    fn tail(&self, u: &Interval, right: bool) -> Interval {
        let at = if right { u.clone() } else { -u };
        let y = self.y(&at);
        let zero = Interval::from(0);
        let normal = (-u).phi();
        if right != (*self.power.lo() > 0) {
            let plain = &self.ratio_at(&y).pow(&self.power) * &normal;
            return zero.hull(&plain);
        }
        let ratio = &self.step.q + &(&self.rest / &y);
        let shift = &self.power / &self.step.sigma;
        let distance = if right { u - &shift } else { u + &shift };
        let shifted = &(self.lift().exp() * &ratio.pow(&self.power)) * &(-&distance).phi();
        if right || self.rest.lo().is_zero() {
            return zero.hull(&shifted);
        }
        zero.hull(&(&self.rest.pow(&self.power) * &normal).min(&shifted))
    }

    /// y at u.
    fn y(&self, u: &Interval) -> Interval {
        (&(u / &self.step.sigma) - &self.half).exp()
    }

    /// m at y.
    fn ratio_at(&self, y: &Interval) -> Interval {
        &self.rest + &(&self.step.q * y)
    }

    /// −u²/2 over a real interval.
    fn log_normal(&self, u: &Interval) -> Interval {
        -&(&u.square() * &Interval::from_f64(0.5))
    }
}

impl Integrand for Moment<'_> {
    fn components(&self) -> usize {
        1
    }

    fn at(&self, u: &Interval) -> Vec<Interval> {
        let exponent = &self.log_normal(u) + &(&self.power * &self.ratio_at(&self.y(u)).ln());
        vec![&self.norm * &exponent.exp()]
    }

    /// With |Im u/σ| ≤ 1.4 the real part of y is at least |y| (1 − 1.4²/2), so m stays in the right
    /// half-plane, |m| lies between 1 − q + 0.02 q |y| and 1 − q + q |y|, and m^power is analytic. Two
    /// bounds compete: with φ and m apart, and with φ y^power, a shifted Gaussian, and m/y apart.
    fn modulus(&self, ellipse: &Ellipse) -> Option<Vec<Interval>> {
        let u = &ellipse.real;
        let angle = &ellipse.imaginary / &self.step.sigma;
        if angle.hi_f64() > 1.4 {
            return None;
        }
        let cosine = &Interval::from(1) - &(&angle.square() * &Interval::from_f64(0.5));
        let q = &self.step.q * &cosine.hull(&Interval::from(1));
        let y = self.y(u);
        let squeeze = &(&ellipse.imaginary.square() * &Interval::from_f64(0.5)).exp() * &self.norm;
        let apart = &self.log_normal(u).exp() * &(&self.rest + &(&q * &y)).pow(&self.power);
        let centred = u - &(&self.power / &self.step.sigma);
        let shifted = (&self.log_normal(&centred) + &self.lift()).exp();
        let together = &shifted * &(&q + &(&self.rest / &y)).pow(&self.power);
        let least = if apart.hi() < together.hi() {
            apart
        } else {
            together
        };
        Some(vec![&least * &squeeze])
    }

    fn rough(&self, a: &Rational, b: &Rational) -> Vec<Interval> {
        let [a, b] = [a, b].map(Interval::from_rational);
        let u = a.hull(&b);
        let height = self.at(&u).remove(0);
        vec![&height * &(&b - &a)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Beyond either end what is left of a moment is no more than said, and not much less.
    #[test]
    fn tails_of_moments_are_bounded_on_either_side() {
        for (q, sigma) in [(0.25, 1.0), (0.75, 0.5), (0.01, 2.0f64)] {
            let exact = Interval::from_f64;
            let step = PoissonGaussian::new(exact(q), exact(sigma)).expect("in range");
            for power in [3.0, -2.0f64] {
                let moment = Moment::new(&step, exact(power));
                let at = |u: f64| {
                    let m = 1.0 - q + q * (u / sigma - 0.5 / (sigma * sigma)).exp();
                    (-0.5 * u * u).exp() * m.powf(power) / (2.0 * std::f64::consts::PI).sqrt()
                };
                for (end, right) in [1.0, 3.0, 6.0]
                    .into_iter()
                    .flat_map(|u| [(u, true), (u, false)])
                {
                    let sign = if right { 1.0 } else { -1.0 };
                    let each = (0..6_000).map(|j| at(sign * (end + (f64::from(j) + 0.5) * 5e-3)));
                    let truth = 5e-3 * each.sum::<f64>();
                    let found = moment.tail(&exact(end), right).hi_f64();
                    let told = format!(
                        "q = {q}, σ = {sigma}, power {power} beyond {end}: {found}, {truth}"
                    );
                    assert!(truth <= found * (1.0 + 1e-4), "{told}");
                    assert!(found <= 300.0 * truth, "{told}");
                }
            }
        }
    }

    /// At u + vi the bound is e^{v²/2} φ(u) (1 − q + q e^{u/σ − 1/(2σ²)})^p, of a negative p with q(1 − v²/(2σ²)).
    #[test]
    fn a_modulus_at_a_point_is_what_it_is_made_of() {
        let exact = Interval::from_f64;
        for (q, sigma) in [(0.25, 1.0), (0.75, 0.5), (0.01, 2.0f64)] {
            let step = PoissonGaussian::new(exact(q), exact(sigma)).expect("in range");
            for (power, u, turn) in [
                (3.0, 0.5, 0.0),
                (3.0, -2.0, 1.0),
                (12.0, 7.0, 1.3),
                (-2.0, 3.0, 0.0),
                (-2.0, 1.0, 1.3),
                (-2.0, -4.0, 0.7f64),
            ] {
                let ellipse = Ellipse {
                    real: exact(u),
                    imaginary: exact(turn * sigma),
                };
                let moment = Moment::new(&step, exact(power));
                let found = moment.modulus(&ellipse).expect("analytic")[0].hi_f64();
                let y = (u / sigma - 0.5 / (sigma * sigma)).exp();
                let least = if power < 0.0 {
                    1.0 - 0.5 * turn * turn
                } else {
                    1.0
                };
                let normal = (0.5 * (turn * turn * sigma * sigma - u * u)).exp();
                let root = (2.0 * std::f64::consts::PI).sqrt();
                let truth = normal / root * (1.0 - q + q * least * y).powf(power);
                assert!(
                    (found / truth - 1.0).abs() < 1e-11,
                    "{q}, {sigma}, {power}, {u}: {found}, {truth}"
                );
            }
            let far = Ellipse {
                real: exact(0.0),
                imaginary: exact(1.5 * sigma),
            };
            assert!(Moment::new(&step, exact(2.0)).modulus(&far).is_none());
        }
    }

    /// The integral is cut FAR beyond 0 and beyond the peak; of a negative power sooner on the left, where even
    /// (1 − q)^power is no more than the tail at FAR.
    #[test]
    fn moments_are_integrated_over_their_bulk() {
        let exact = Interval::from_f64;
        let step = PoissonGaussian::new(exact(0.75), exact(0.5)).expect("in range");
        let reach = |power: f64| {
            let (left, right) = Moment::new(&step, exact(power)).reach();
            (left.lo_f64(), right.hi_f64())
        };
        assert_eq!(reach(3.0), (-16.0, 22.0));
        // √(256 + 2·2·ln 4) = 16.17… is before 16 + 4 and √(256 + 2·32·ln 4) = 18.57… is before 16 + 64.
        for power in [-2.0, -32.0f64] {
            let soon = (256.0 - 2.0 * power * 4f64.ln()).sqrt();
            let found = reach(power);
            assert!(
                (found.0 + soon).abs() < 1e-12 && found.1 == 16.0,
                "{found:?}"
            );
        }
        // Of much noise the peak is before it: 16 + 2/20 against √(256 + 4 ln 4).
        let step = PoissonGaussian::new(exact(0.75), exact(20.0)).expect("in range");
        let (left, right) = Moment::new(&step, exact(-2.0)).reach();
        assert!(
            (left.lo_f64() + 16.1).abs() < 1e-12 && right.hi_f64() == 16.0,
            "{left}"
        );
    }

    /// What is known of a moment beforehand is no more than it, and for a large power all but the whole.
    #[test]
    fn a_moment_is_at_least_that_of_one_part() {
        let exact = Interval::from_f64;
        for (q, sigma, power, close) in [
            (0.25, 1.0, 12.0, 0.999),
            (0.25, 1.0, 1.5, 0.8),
            (0.75, 0.5, 3.0, 0.99),
            (0.25, 1.0, -1.5, 0.7),
        ] {
            let step = PoissonGaussian::new(exact(q), exact(sigma)).expect("in range");
            let moment = Moment::new(&step, exact(power));
            let (least, truth) = (moment.at_least(), moment.integral());
            let told = format!("{q}, {sigma}, {power}: {least}, {truth}");
            assert!(least.certainly_le(&truth), "{told}");
            assert!(least.lo_f64() >= close * truth.hi_f64(), "{told}");
        }
    }

    /// Over a short interval the height times the width, which holds the area.
    #[test]
    fn a_rough_area_holds_the_area() {
        let exact = Interval::from_f64;
        let step = PoissonGaussian::new(exact(0.25), exact(1.0)).expect("in range");
        let moment = Moment::new(&step, exact(3.0));
        for from in [-2.0f64, 0.5, 3.0] {
            let ends = [from, from + 0.125].map(|u| Rational::from_f64(u).expect("finite"));
            let found = &moment.rough(&ends[0], &ends[1])[0];
            let heights = [from, from + 0.125].map(|u| 0.125 * moment.at(&exact(u))[0].lo_f64());
            let told = format!("{from}: {found}, {heights:?}");
            for height in heights {
                assert!(
                    found.lo_f64() <= height && height <= found.hi_f64(),
                    "{told}"
                );
            }
            assert!(found.width() < 2.0 * heights[0].max(heights[1]), "{told}");
        }
    }

    /// Over an ellipse no value is larger than the bound of its modulus, on the real axis and off it: |φ| grows there by
    /// e^{(Im u)²/2}, and |m| is what complex numbers in binary64 make of it.
    #[test]
    fn no_value_exceeds_the_modulus_over_its_ellipse() {
        let exact = Interval::from_f64;
        for (q, sigma) in [(0.25, 1.0), (0.75, 0.5), (0.01, 2.0f64)] {
            let step = PoissonGaussian::new(exact(q), exact(sigma)).expect("in range");
            for power in [3.0, 12.0, -2.0f64] {
                let moment = Moment::new(&step, exact(power));
                for (from, to) in [(-6.0, -5.0), (-1.0, 0.5), (2.0, 2.25), (4.0, 9.0)] {
                    for reach in [0.0, 0.3 * sigma, 1.39 * sigma] {
                        let ellipse = Ellipse {
                            real: exact(from).hull(&exact(to)),
                            imaginary: exact(reach),
                        };
                        let bound = moment.modulus(&ellipse).expect("analytic")[0].hi_f64();
                        for j in 0..=8 {
                            let u = from + (to - from) * f64::from(j) / 8.0;
                            let y = (u / sigma - 0.5 / (sigma * sigma)).exp();
                            let (turn, rest) = (reach / sigma, 1.0 - q);
                            let (re, im) = (rest + q * y * turn.cos(), q * y * turn.sin());
                            let normal = 0.5 * (reach * reach - u * u);
                            let root = (2.0 * std::f64::consts::PI).sqrt();
                            let value = normal.exp() / root * re.hypot(im).powf(power);
                            let told = format!("{q}, {sigma}, {power}, {u} + {reach}i");
                            // In doubles: exponents up to 100 and twelfth powers, each rounded some times.
                            assert!(value <= bound * (1.0 + 1e-12), "{told}: {value}, {bound}");
                        }
                    }
                }
            }
        }
    }
}
