//! Thresholds γ_i = 2^i·Δ that may lie far outside the range of doubles: with the printed
//! Δ = B/N²⁰⁰ they do.

/// A positive number m·2^e with 1 ≤ m < 2 and any e.
///
/// ```
/// use dp_assay::solver::ambssgd::Threshold;
///
/// let gamma = Threshold::new(1.5).ok_or("not finite and > 0")?;
/// assert!(gamma.reaches(-1.5) && !gamma.reaches(1.6));
/// assert_eq!(gamma.levels_to(3.5), 2); // 3.5 ≤ 4·1.5
/// let tiny = gamma.doubled(-5000);
/// assert!(tiny.value() == 0.0 && tiny.log2() < -4000.0); // below all doubles, but still > 0
/// assert!(Threshold::new(0.0).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    mantissa: f64,
    exponent: i64,
}

impl Threshold {
    /// A double; `None` unless it is finite and > 0.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        (value.is_finite() && value > 0.0).then(|| {
            let (mantissa, exponent) = split(value);
            Self { mantissa, exponent }
        })
    }

    /// This threshold times 2^levels, exactly.
    #[must_use]
    pub const fn doubled(self, levels: i64) -> Self {
        Self {
            exponent: self.exponent + levels,
            ..self
        }
    }

    /// Whether |residual| ≤ γ, exactly.
    #[must_use]
    pub fn reaches(self, residual: f64) -> bool {
        self.levels_to(residual) == 0
    }

    /// The least i ≥ 0 with |residual| ≤ 2^i·γ, exactly; `i64::MAX` for an infinite or undefined one.
    #[must_use]
    pub fn levels_to(self, residual: f64) -> i64 {
        let residual = residual.abs();
        if residual == 0.0 {
            return 0;
        }
        if !residual.is_finite() {
            return i64::MAX;
        }
        let (mantissa, exponent) = split(residual);
        (exponent - self.exponent + i64::from(mantissa > self.mantissa)).max(0)
    }

    /// The nearest double; 0 or infinite out of range.
    #[must_use]
    pub fn value(self) -> f64 {
        self.times(1.0)
    }

    /// `factor`·γ in doubles, rounded once or twice, without intermediate under- or overflow.
    #[must_use]
    pub fn times(self, factor: f64) -> f64 {
        let exponent = self.exponent.clamp(-5000, 5000);
        libm::ldexp(self.mantissa * factor, exponent as i32)
    }

    /// log₂ γ, for display.
    #[must_use]
    pub fn log2(self) -> f64 {
        self.exponent as f64 + self.mantissa.log2()
    }
}

/// x = m·2^e with 1 ≤ m < 2, for finite x > 0.
fn split(x: f64) -> (f64, i64) {
    let (half, exponent) = libm::frexp(x);
    (2.0 * half, i64::from(exponent) - 1)
}

#[cfg(test)]
mod tests {
    use super::Threshold;

    #[test]
    fn levels_agree_with_doubling_step_by_step() {
        let width = Threshold::new(0.3).unwrap();
        for residual in [
            0.0,
            1e-320,
            0.3,
            0.300_000_000_000_000_04,
            0.6,
            -0.61,
            7.0,
            1e300,
        ] {
            let level = width.levels_to(residual);
            assert!(width.doubled(level).reaches(residual), "{residual}");
            assert!(
                level == 0 || !width.doubled(level - 1).reaches(residual),
                "{residual}"
            );
        }
        assert!(!width.doubled(4000).reaches(f64::INFINITY));
        assert!(!width.reaches(f64::NAN));
    }

    #[test]
    fn thresholds_leave_the_range_of_doubles_and_return() {
        let tiny = Threshold::new(1.5).unwrap().doubled(-4000);
        assert_eq!(tiny.value(), 0.0);
        assert!(!tiny.reaches(f64::from_bits(1)) && tiny.reaches(0.0));
        assert_eq!(tiny.doubled(4001).times(2.0), 6.0);
        assert_eq!(tiny.levels_to(1.5), 4000);
    }
}
