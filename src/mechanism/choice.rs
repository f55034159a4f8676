//! Choices from finite sets by inversion.

use super::tape::Stream;

impl Stream {
    /// A set of `size` ≤ `count` numbers below `count`, ascending, all such sets equally likely, from
    /// `size` words. (Floyd's algorithm: J. Bentley and R. W. Floyd, A sample of brilliance, 1987.)
    ///
    /// ```
    /// use dp_assay::mechanism::tape::{Purpose, Tape};
    ///
    /// let mut set = Vec::new();
    /// Tape::new(1).stream(0, Purpose::Sampling, 0).subset(10, 3, &mut set);
    /// assert_eq!(set.len(), 3);
    /// assert!(set.windows(2).all(|pair| pair[0] < pair[1]) && set[2] < 10);
    /// ```
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

#[cfg(test)]
mod tests {
    use crate::mechanism::tape::{Purpose, Tape, Uniform};
    use std::collections::BTreeMap;

    #[test]
    fn a_word_is_the_middle_of_its_part_of_the_unit_interval() {
        for (word, point) in [
            (0, (-65_f64).exp2()),
            (1, 1.5 * (-64_f64).exp2()),
            (1 << 62, 0.25),
            (1 << 63, 0.5),
            (u64::MAX, 1.0),
        ] {
            assert_eq!(Uniform(word).fraction(), point, "{word}");
        }
        for (word, number) in [(0, 0), ((1 << 63) - 1, 2), (3 << 62, 3), (u64::MAX, 4)] {
            assert_eq!(Uniform(word).below(5), number, "{word}");
        }
        assert_eq!(Uniform(u64::MAX).below(1), 0);
    }

    #[test]
    fn each_index_is_picked_by_its_share() {
        let cumulative = [1.0, 1.0, 3.0, 4.0];
        // Tenths of [0, 4]: the second index has no weight, and a point on a border is beyond it.
        let picked = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
            .map(|tenth| Uniform((u64::MAX / 10) * tenth).pick(&cumulative));
        assert_eq!(picked, [0, 0, 0, 2, 2, 2, 2, 2, 3, 3]);
        assert_eq!(Uniform(1 << 62).pick(&cumulative), 2);
        assert_eq!(Uniform(u64::MAX).pick(&cumulative), 3);
        assert_eq!(Uniform(u64::MAX).pick(&[2.0]), 0);
    }

    /// Of 20 sets each is drawn 1000 times of 20,000 within 6 deviations of 31: a false alarm in 10⁷.
    #[test]
    fn all_sets_of_a_size_are_drawn_as_often() {
        let mut counts: BTreeMap<Vec<usize>, i32> = BTreeMap::new();
        let mut set = vec![99];
        for trial in 0..20_000 {
            let mut stream = Tape::new(5).stream(trial, Purpose::Sampling, 0);
            stream.subset(6, 3, &mut set);
            assert!(set.len() == 3 && set.is_sorted_by(|a, b| a < b), "{set:?}");
            *counts.entry(set.clone()).or_default() += 1;
        }
        assert_eq!(counts.len(), 20, "{counts:?}");
        assert!(
            counts.values().all(|n| (n - 1000).abs() < 190),
            "{counts:?}"
        );
        let mut stream = Tape::new(5).stream(0, Purpose::Sampling, 0);
        stream.subset(4, 4, &mut set);
        assert_eq!(set, [0, 1, 2, 3]);
        stream.subset(4, 0, &mut set);
        assert!(set.is_empty());
    }
}
