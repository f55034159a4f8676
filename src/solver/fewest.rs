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
