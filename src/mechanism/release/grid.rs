//! Values on a grid, with noise in whole steps.

use super::sampler::{Fraction, discrete_gaussian, discrete_laplace};
use crate::units::{Epsilon, Sensitivity, StdDev};
use rand::CryptoRng;

/// Why there is no such mechanism.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{what} = {value} {rule}")]
pub struct GridError {
    /// The quantity.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
    /// The rule it breaks.
    pub rule: &'static str,
}

fn check(ok: bool, what: &'static str, value: f64, rule: &'static str) -> Result<(), GridError> {
    match ok {
        true => Ok(()),
        false => Err(GridError { what, value, rule }),
    }
}

/// The multiples of a step 2^e.
///
/// ```
/// use dp_assay::mechanism::release::Grid;
/// use dp_assay::units::Sensitivity;
///
/// assert_eq!(Grid::new(-3)?.step(), 0.125);
/// // At least 1024 steps to the sensitivity.
/// assert_eq!(Grid::fine(Sensitivity::new(1.0)?)?.step(), 1.0 / 1024.0);
/// assert!(Grid::new(2000).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    step: f64,
}

/// Values are moved into ±2⁵¹ steps, and released within ±2⁵³: a double holds every such multiple.
const LARGEST_VALUE: f64 = (1_u64 << 51) as f64;
const LARGEST_RELEASE: i128 = 1 << 53;

impl Grid {
    /// The grid of step 2^`exponent`, in the units of the query.
    ///
    /// # Errors
    /// Unless −960 ≤ exponent ≤ 960: beyond, multiples of the step leave the range of doubles.
    pub fn new(exponent: i32) -> Result<Self, GridError> {
        let rule = "must lie in -960 to 960";
        check(
            exponent.abs() <= 960,
            "grid exponent",
            f64::from(exponent),
            rule,
        )?;
        Ok(Self {
            step: libm::ldexp(1.0, exponent),
        })
    }

    /// A grid of 1024 to 2047 steps to the sensitivity.
    ///
    /// # Errors
    /// When the sensitivity is 0, or so far from 1 that [`Grid::new`] refuses.
    pub fn fine(sensitivity: Sensitivity) -> Result<Self, GridError> {
        let value = sensitivity.get();
        check(value > 0.0, "sensitivity", value, "must be > 0")?;
        Self::new(libm::ilogb(value) - 10)
    }

    /// The step, a power of two.
    #[must_use]
    pub const fn step(self) -> f64 {
        self.step
    }

    /// How many steps apart two values within the sensitivity can land: ⌈Δ/step⌉, since rounding
    /// half up commutes with whole shifts and is monotone.
    fn steps(self, sensitivity: Sensitivity) -> Result<u64, GridError> {
        let value = sensitivity.get();
        check(value > 0.0, "sensitivity", value, "must be > 0")?;
        // A quotient by a power of two is exact unless it leaves the normal range, where the bound
        // below refuses it or the ceiling is 1.
        let steps = (value / self.step).ceil().max(1.0);
        let rule = "must be at most 2^40 grid steps: take a coarser grid";
        check(steps <= (1_u64 << 40) as f64, "sensitivity", value, rule)?;
        Ok(steps as u64)
    }

    /// ⌊value/step + ½⌋ without an error of rounding, moved into ±2⁵¹; NaN becomes 0, so that every
    /// input has an output.
    fn index(self, value: f64) -> i128 {
        let quotient = (value / self.step).clamp(-LARGEST_VALUE, LARGEST_VALUE);
        if quotient.is_nan() {
            return 0;
        }
        let below = quotient.floor();
        // The difference is exact where it is below ½, and rounding cannot bring it below ½.
        let up = quotient - below >= 0.5;
        below as i128 + i128::from(up)
    }

    fn release(self, value: f64, noise: i128) -> f64 {
        let index = (self.index(value) + noise).clamp(-LARGEST_RELEASE, LARGEST_RELEASE);
        index as f64 * self.step
    }
}

/// Laplace noise in whole grid steps: (ε, 0)-DP for a query of the given ℓ₁ sensitivity.
///
/// ```
/// use dp_assay::mechanism::release::{Grid, GridLaplace, SecureRng};
/// use dp_assay::units::{Epsilon, Sensitivity};
///
/// let sensitivity = Sensitivity::new(1.0)?;
/// let mechanism = GridLaplace::new(Epsilon::new(0.5)?, sensitivity, Grid::fine(sensitivity)?)?;
/// let released = mechanism.release(42.0, &mut SecureRng::from_system()?);
/// assert_eq!(released % mechanism.grid().step(), 0.0);
/// // Close to that of Laplace noise of scale 2: 2√2.
/// assert!((2.8..2.9).contains(&mechanism.standard_deviation()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridLaplace {
    grid: Grid,
    pub(crate) steps: u64,
    numerator: u64,
}

/// ε is rounded down to a multiple of 2⁻⁴⁰.
const EPSILON_BITS: u32 = 40;

impl GridLaplace {
    /// Noise for ε and a query that moves by at most `sensitivity` between neighbours.
    ///
    /// # Errors
    /// Unless 2⁻⁴⁰ ≤ ε ≤ 2²⁰, and the sensitivity is positive and at most 2⁴⁰ steps of the grid.
    pub fn new(epsilon: Epsilon, sensitivity: Sensitivity, grid: Grid) -> Result<Self, GridError> {
        let scaled = (epsilon.get() * (1_u64 << EPSILON_BITS) as f64).floor();
        let fits = scaled >= 1.0 && epsilon.get() <= (1_u64 << 20) as f64;
        check(fits, "epsilon", epsilon.get(), "must lie in 2^-40 to 2^20")?;
        Ok(Self {
            grid,
            steps: grid.steps(sensitivity)?,
            numerator: scaled as u64,
        })
    }

    /// The grid.
    #[must_use]
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// The value on the grid plus noise, as the double nearest to nothing else: an exact multiple of
    /// the step. Infinities are moved to the ends of the range, NaN to 0.
    pub fn release(&self, value: f64, rng: &mut (impl CryptoRng + ?Sized)) -> f64 {
        self.grid.release(value, discrete_laplace(self.rate(), rng))
    }

    /// Standard deviation of the noise, in the units of the query; rounding to the grid moves a value
    /// by half a step more at most.
    #[must_use]
    pub fn standard_deviation(&self) -> f64 {
        let rate = self.parameter();
        // Var = 2 e^{−r}/(1 − e^{−r})² = ½/sinh²(r/2).
        self.grid.step * (0.5_f64).sqrt() / libm::sinh(0.5 * rate)
    }

    /// ε/steps, at most.
    fn rate(&self) -> Fraction {
        let denominator = u128::from(self.steps) << EPSILON_BITS;
        Fraction::new(self.numerator.into(), denominator).expect("both are below 2^96")
    }

    /// The rate of the noise, ε/steps, rounded to nearest.
    pub(crate) fn parameter(&self) -> f64 {
        self.numerator as f64 / (1_u64 << EPSILON_BITS) as f64 / self.steps as f64
    }
}

/// Gaussian noise in whole grid steps.
///
/// ```
/// use dp_assay::accounting::Event;
/// use dp_assay::mechanism::release::{Grid, GridGaussian, SecureRng};
/// use dp_assay::units::{Sensitivity, StdDev};
///
/// let sensitivity = Sensitivity::new(1.0)?;
/// let mechanism = GridGaussian::new(StdDev::new(4.0)?, sensitivity, Grid::fine(sensitivity)?)?;
/// let released = mechanism.release(42.0, &mut SecureRng::from_system()?);
/// assert_eq!(released % mechanism.grid().step(), 0.0);
/// assert!((4.0..4.001).contains(&mechanism.standard_deviation()));
/// assert!(matches!(mechanism.event(), Event::DiscreteGaussian { sensitivity: 1024, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridGaussian {
    grid: Grid,
    pub(crate) steps: u64,
    numerator: u32,
    denominator: u32,
}

impl GridGaussian {
    /// Noise of standard deviation `sigma` (rounded up by at most 2⁻¹⁵ of itself) on a query that moves
    /// by at most `sensitivity` between neighbours.
    ///
    /// # Errors
    /// Unless 1/16 ≤ σ/step < 2²⁰ − 1, and the sensitivity is positive and at most 2⁴⁰ steps.
    pub fn new(sigma: StdDev, sensitivity: Sensitivity, grid: Grid) -> Result<Self, GridError> {
        let scaled = sigma.get() / grid.step;
        let fits = (0.0625..1_048_575.0).contains(&scaled);
        check(
            fits,
            "sigma / grid step",
            scaled,
            "must lie in 1/16 to 2^20 - 1",
        )?;
        let bits = (15 - libm::ilogb(scaled)).clamp(0, 19);
        Ok(Self {
            grid,
            steps: grid.steps(sensitivity)?,
            numerator: libm::ldexp(scaled, bits).ceil() as u32,
            denominator: 1 << bits,
        })
    }

    /// The grid.
    #[must_use]
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// As [`GridLaplace::release`], with Gaussian noise.
    pub fn release(&self, value: f64, rng: &mut (impl CryptoRng + ?Sized)) -> f64 {
        let (a, b) = (self.numerator.into(), self.denominator.into());
        let sigma = Fraction::new(a, b).expect("both are below 2^20");
        self.grid.release(value, discrete_gaussian(sigma, rng))
    }

    /// σ of the noise, in steps.
    pub(crate) fn deviation(&self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }

    /// σ of the noise, in the units of the query.
    #[must_use]
    pub fn standard_deviation(&self) -> f64 {
        self.grid.step * self.deviation()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::release::SecureRng;

    fn one() -> Sensitivity {
        Sensitivity::new(1.0).expect("in range")
    }

    /// With σ = 1/16 of a step the noise is 0 but with probability 2e^(−128).
    #[test]
    fn a_release_is_the_nearest_multiple_of_the_step_and_stays_within_its_range() {
        let mut rng = SecureRng::from_system().expect("the system has randomness");
        for exponent in [-10, 0, 3] {
            let grid = Grid::new(exponent).expect("in range");
            let step = grid.step();
            assert_eq!(step, f64::from(exponent).exp2());
            let sensitivity = Sensitivity::new(step).expect("in range");
            let sigma = StdDev::new(step / 16.0).expect("in range");
            let rounding = GridGaussian::new(sigma, sensitivity, grid).expect("in range");
            assert_eq!(rounding.grid(), grid);
            let most = LARGEST_VALUE * step;
            for (value, steps) in [(42.3, (42.3 / step).round()), (-7.7, (-7.7 / step).round())] {
                assert_eq!(rounding.release(value, &mut rng), steps * step, "{value}");
            }
            for (value, end) in [
                (f64::INFINITY, most),
                (-1e300, -most),
                (f64::NAN, 0.0),
                (most, most),
            ] {
                assert_eq!(rounding.release(value, &mut rng), end, "{value}");
            }
            let far = LARGEST_RELEASE as f64 * step;
            assert_eq!(grid.release(0.0, i128::MAX >> 1), far);
            assert_eq!(grid.release(0.0, i128::MIN >> 1), -far);
            assert_eq!(grid.release(2.0 * step, -3), -step);
        }
    }

    #[test]
    fn deviations_told_are_those_of_the_laws() {
        for (epsilon, exponent) in [(1.0, 0), (0.3, -2), (2.0, 1)] {
            let grid = Grid::new(exponent).expect("in range");
            let epsilon = Epsilon::new(epsilon).expect("in range");
            let laplace = GridLaplace::new(epsilon, one(), grid).expect("in range");
            let Fraction {
                numerator,
                denominator,
            } = laplace.rate();
            let rate = numerator as f64 / denominator as f64;
            assert_eq!(laplace.parameter(), rate);
            let weight = |k: i32| (-rate * f64::from(k.abs())).exp();
            let all = || -2000..=2000;
            let square = all().map(|k| f64::from(k * k) * weight(k)).sum::<f64>();
            let deviation = grid.step() * (square / all().map(weight).sum::<f64>()).sqrt();
            let told = laplace.standard_deviation();
            assert!((told / deviation - 1.0).abs() < 1e-12, "{told} {deviation}");
        }
        for (sigma, exponent) in [(3.0, -6), (0.7, 2), (1000.3, -3)] {
            let grid = Grid::new(exponent).expect("in range");
            let noise = StdDev::new(sigma).expect("in range");
            let told = GridGaussian::new(noise, one(), grid).expect("in range");
            let told = told.standard_deviation();
            assert!(
                told >= sigma && told <= sigma * (1.0 + (-15_f64).exp2()),
                "{told}"
            );
        }
    }

    #[test]
    fn a_sensitivity_is_rounded_up_to_whole_steps() {
        let steps = |value: f64, exponent| {
            let grid = Grid::new(exponent).expect("in range");
            grid.steps(Sensitivity::new(value).expect("in range"))
        };
        assert_eq!(steps(1.0, -3), Ok(8));
        assert_eq!(steps(1.0_f64.next_up(), -3), Ok(9));
        assert_eq!(
            (steps(1e-9, 0), steps((1_u64 << 40) as f64, 0)),
            (Ok(1), Ok(1 << 40))
        );
        let refused = steps(0.0, 0).map_err(|e| e.to_string());
        assert_eq!(refused, Err("sensitivity = 0 must be > 0".into()));
        assert!(steps((1_u64 << 40) as f64 + 1.0, 0).is_err());
        let none = Grid::fine(Sensitivity::new(0.0).expect("a number"));
        let none = none.map_err(|e| e.to_string());
        assert_eq!(none, Err("sensitivity = 0 must be > 0".into()));
    }
}
