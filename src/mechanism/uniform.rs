//! A point of the unit interval, and choices from finite sets by it.

/// One 64-bit block k, standing for the point (k + ½) / 2⁶⁴ of the open unit interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uniform(pub u64);

/// 2⁻⁶⁴.
pub(super) const UNIT: f64 = 1.0 / 18_446_744_073_709_551_616.0;

impl Uniform {
    /// The point (k + ½)/2⁶⁴, rounded to a double: in \[2⁻⁶⁵, 1\], 1 included.
    #[must_use]
    pub fn fraction(self) -> f64 {
        (self.0 as f64 + 0.5) * UNIT
    }

    /// A number below `count`, all equally likely up to `count`·2⁻⁵³.
    ///
    /// # Panics
    /// If `count` is 0.
    #[must_use]
    pub fn below(self, count: usize) -> usize {
        assert!(count > 0, "no number is below 0");
        ((self.fraction() * count as f64) as usize).min(count - 1)
    }

    /// The first index whose cumulative weight exceeds this point of \[0, total\]. With weights 1 this is
    /// [`Uniform::below`].
    ///
    /// ```
    /// use dp_assay::mechanism::tape::Uniform;
    ///
    /// let (low, middle, high) = (Uniform(0), Uniform(1 << 63), Uniform(u64::MAX));
    /// assert!(low.fraction() > 0.0 && high.fraction() <= 1.0);
    /// assert_eq!((low.below(6), high.below(6)), (0, 5));
    /// // Weights 1 and 2: the middle of [0, 3] belongs to the second.
    /// assert_eq!((low.pick(&[1.0, 3.0]), middle.pick(&[1.0, 3.0])), (0, 1));
    /// ```
    ///
    /// # Panics
    /// If there is no weight.
    #[must_use]
    pub fn pick(self, cumulative: &[f64]) -> usize {
        assert!(!cumulative.is_empty(), "nothing to pick from");
        let last = cumulative.len() - 1;
        let target = self.fraction() * cumulative[last];
        cumulative.partition_point(|sum| *sum <= target).min(last)
    }
}
