//! From how many records on a bound says something.

/// Where the search ends.
const MOST: f64 = 1e18;

/// The smallest whole n ≥ 2 for which `bites(n)` holds, if it holds from some n on; to a relative 10⁻¹². `None` beyond 10¹⁸.
pub(crate) fn fewest(bites: impl Fn(f64) -> bool) -> Option<f64> {
    let powers = std::iter::successors(Some(2.0_f64), |n| Some(2.0 * n));
    let mut high = powers.take_while(|n| *n <= MOST).find(|n| bites(*n))?;
    let mut low = high / 2.0;
    while high - low > 1.0 && high / low > 1.0 + 1e-12 {
        let middle = (0.5 * (low + high)).floor();
        if bites(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least number that bites, whatever it is, and none where none does.
    #[test]
    fn the_fewest_is_found_on_either_side_of_a_power_of_two() {
        for least in [
            2.0,
            3.0,
            4.0,
            5.0,
            1023.0,
            1024.0,
            1025.0,
            123_456.0,
            1e11 + 7.0,
        ] {
            assert_eq!(fewest(|n| n >= least), Some(least));
        }
        let last = 2_f64.powi(59);
        let found = fewest(|n| n >= last).expect("below 1e18");
        assert!((last..=last * (1.0 + 1e-11)).contains(&found), "{found}");
        assert_eq!(fewest(|n| n >= 2.0 * last), None);
        assert_eq!(fewest(|_| false), None);
    }
}
