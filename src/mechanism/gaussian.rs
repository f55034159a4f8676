//! Gaussian variates by inversion.

use super::uniform::{UNIT, Uniform};

impl Uniform {
    /// The standard normal variate Φ⁻¹(u) at this point u = (k + ½)/2⁶⁴ of the unit interval.
    ///
    /// Wichura's rational approximations (algorithm AS 241, routine PPND16, Applied Statistics 37,
    /// 1988). Near the median they act on u − ½, elsewhere on the distance to the nearer end; both
    /// are integers over 2⁶⁵ and are rounded once. Relative error below 2⁻⁴⁸ everywhere (checked
    /// against a 200-bit inverse of the error function in `tests/papers/value_stability.rs`; 7 · 2⁻⁵³ is
    /// the largest met); |x| ≤ 9.2. Words k and 2⁶⁴ − 1 − k give exactly opposite values.
    ///
    /// For verification, not for release: a double that is a value plus this noise shows the value in
    /// its last bits. Real data are released with [`release`](crate::mechanism::release).
    ///
    /// ```
    /// use dp_assay::mechanism::tape::Uniform;
    ///
    /// let (low, high) = (Uniform(0), Uniform(u64::MAX));
    /// assert_eq!(low.gaussian(), -high.gaussian());
    /// assert!((9.0..9.3).contains(&high.gaussian()));
    /// ```
    #[must_use]
    pub fn gaussian(self) -> f64 {
        const MEDIAN: u64 = 1 << 63;
        if self.0 < MEDIAN {
            -upper_half(!self.0)
        } else {
            upper_half(self.0)
        }
    }
}

/// Φ⁻¹(u) for k ≥ 2⁶³.
fn upper_half(k: u64) -> f64 {
    // u − ½ = (2(k − 2⁶³) + 1)/2⁶⁵ and 1 − u = (2(2⁶⁴ − 1 − k) + 1)/2⁶⁵: both numerators fit 64 bits.
    let from_median = (2 * (k - (1 << 63)) + 1) as f64 * (0.5 * UNIT);
    if from_median <= 0.425 {
        let r = 0.180_625 - from_median * from_median;
        return from_median * ratio(&CENTRE, r);
    }
    let from_end = (2 * !k + 1) as f64 * (0.5 * UNIT);
    let r = (-libm::log(from_end)).sqrt();
    if r <= 5.0 {
        ratio(&SHOULDER, r - 1.6)
    } else {
        ratio(&TAIL, r - 5.0)
    }
}

/// Numerator and denominator in ascending powers.
pub(super) type Rational = [[f64; 8]; 2];

fn ratio([numerator, denominator]: &Rational, r: f64) -> f64 {
    let horner = |c: &[f64; 8]| c.iter().rev().fold(0.0, |sum, c| sum * r + c);
    horner(numerator) / horner(denominator)
}

#[allow(clippy::excessive_precision, reason = "digits as published")]
pub(super) const CENTRE: Rational = [
    [
        3.387_132_872_796_366_608,
        1.331_416_678_917_843_774_5e2,
        1.971_590_950_306_551_442_7e3,
        1.373_169_376_550_946_112_5e4,
        4.592_195_393_154_987_145_7e4,
        6.726_577_092_700_870_085_3e4,
        3.343_057_558_358_812_810_5e4,
        2.509_080_928_730_122_672_7e3,
    ],
    [
        1.0,
        4.231_333_070_160_091_125_2e1,
        6.871_870_074_920_579_083e2,
        5.394_196_021_424_751_107_7e3,
        2.121_379_430_158_659_586_7e4,
        3.930_789_580_009_271_061e4,
        2.872_908_573_572_194_267_4e4,
        5.226_495_278_852_854_561e3,
    ],
];

#[allow(clippy::excessive_precision, reason = "digits as published")]
pub(super) const SHOULDER: Rational = [
    [
        1.423_437_110_749_683_577_34,
        4.630_337_846_156_545_295_9,
        5.769_497_221_460_691_405_5,
        3.647_848_324_763_204_605_04,
        1.270_458_252_452_368_382_58,
        2.417_807_251_774_506_117_7e-1,
        2.272_384_498_926_918_458_33e-2,
        7.745_450_142_783_414_076_4e-4,
    ],
    [
        1.0,
        2.053_191_626_637_758_821_87,
        1.676_384_830_183_803_849_4,
        6.897_673_349_851_000_045_5e-1,
        1.481_039_764_274_800_745_9e-1,
        1.519_866_656_361_645_719_66e-2,
        5.475_938_084_995_344_946e-4,
        1.050_750_071_644_416_843_24e-9,
    ],
];

#[allow(clippy::excessive_precision, reason = "digits as published")]
const TAIL: Rational = [
    [
        6.657_904_643_501_103_777_2,
        5.463_784_911_164_114_369_9,
        1.784_826_539_917_291_335_8,
        2.965_605_718_285_048_912_3e-1,
        2.653_218_952_657_612_309_3e-2,
        1.242_660_947_388_078_438_6e-3,
        2.711_555_568_743_487_578_15e-5,
        2.010_334_399_292_288_132_65e-7,
    ],
    [
        1.0,
        5.998_322_065_558_879_376_9e-1,
        1.369_298_809_227_358_053_1e-1,
        1.487_536_129_085_061_485_25e-2,
        7.868_691_311_456_132_591e-4,
        1.846_318_317_510_054_681_8e-5,
        1.421_511_758_316_445_888_7e-7,
        2.044_263_103_389_939_785_64e-15,
    ],
];
