//! Choices from finite sets by inversion.

use super::tape::{Stream, Uniform};

impl Uniform {
    /// The point (k + ½)/2⁶⁴, rounded to a double: in \[2⁻⁶⁵, 1\], 1 included.
    #[must_use]
    pub fn fraction(self) -> f64 {
        const UNIT: f64 = 1.0 / (1u128 << 64) as f64;
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

impl Stream {
    /// A set of `size` ≤ `count` numbers below `count`, ascending, all such sets equally likely, from
    /// `size` words. (Floyd's algorithm: J. Bentley and R. W. Floyd, A sample of brilliance, 1987.)
    pub fn subset(&mut self, count: usize, size: usize, set: &mut Vec<usize>) {
        set.clear();
        for last in count.saturating_sub(size)..count {
            let candidate = self.uniform().below(last + 1);
            let place = set.partition_point(|member| *member < candidate);
            if set.get(place) == Some(&candidate) {
                // All members are below `last`, so it goes to the end.
                set.push(last);
            } else {
                set.insert(place, candidate);
            }
        }
    }
}
