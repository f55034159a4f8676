//! Laplace variates by inversion.

use super::uniform::{UNIT, Uniform};

impl Uniform {
    /// The Laplace variate of scale 1 (density exp(−|x|)/2) at this point u of the unit interval:
    /// ln(2u) below the median, −ln(2 − 2u) above it.
    ///
    /// The word k stands for u = (k + ½)/2⁶⁴, so that neither branch meets 0 and |x| ≤ 64 ln 2 ≈
    /// 44.4. Both 2u and 1 − 2u are integers over 2⁶⁴: whichever of ln and ln1p is well conditioned
    /// gets its argument with one rounding, hence a relative error below 4 · 2⁻⁵³ everywhere, the
    /// centre and the tails included. Words k and 2⁶⁴ − 1 − k give exactly opposite values.
    ///
    /// For verification, not for release: a double that is a value plus this noise shows the value in
    /// its last bits. Real data are released with [`release`](crate::mechanism::release).
    ///
    /// ```
    /// use dp_assay::mechanism::tape::Uniform;
    ///
    /// let (low, high) = (Uniform(0), Uniform(u64::MAX));
    /// assert_eq!(low.laplace(), -high.laplace());
    /// assert!((44.0..44.5).contains(&high.laplace()));
    /// assert!(high.laplace() <= high.laplace_modulus_upper());
    /// ```
    #[must_use]
    pub fn laplace(self) -> f64 {
        const BELOW_MEDIAN: u64 = 1 << 63;
        if self.0 < BELOW_MEDIAN {
            ln_twice(self.0)
        } else {
            -ln_twice(!self.0)
        }
    }

    /// An upper bound on |[`Self::laplace`]| without a logarithm, at most ln 2 above it:
    /// (z + 1) ln 2, where z counts the leading zeros of the distance to the nearer end.
    #[must_use]
    pub fn laplace_modulus_upper(self) -> f64 {
        // 2u = m/2⁶⁴ with m odd below 2⁶⁴ ≤ 2^(z+1) m, so −ln(2u) ≤ (z + 1) ln 2, rounded up here
        // by far more than the relative error of `laplace`.
        let m = 2 * self.0.min(!self.0) + 1;
        f64::from(m.leading_zeros() + 1) * (std::f64::consts::LN_2 + 1e-15)
    }
}

/// ln(2u) for u = (k + ½)/2⁶⁴ and k < 2⁶³.
fn ln_twice(k: u64) -> f64 {
    let numerator = 2 * k + 1;
    if numerator >> 63 == 0 {
        libm::log(numerator as f64 * UNIT)
    } else {
        libm::log1p(-(numerator.wrapping_neg() as f64 * UNIT))
    }
}
