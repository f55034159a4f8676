//! One-dimensional searches that return both ends.

use crate::float::Enclosure;
use std::convert::Infallible;

/// Encloses the ε in [0, `high`] at which a non-increasing δ(ε) falls to `target`.
///
/// `delta_at` gives enclosures of δ(ε). The upper end of the result is a point where the *upper*
/// bound of δ is at most `target`, or `high`, which the caller knows to be one; the lower end is a
/// point where the *lower* bound exceeds it, or 0. Bisection to a relative width of `tolerance`.
pub fn decreasing(
    high: f64,
    target: f64,
    tolerance: f64,
    mut delta_at: impl FnMut(f64) -> Enclosure,
) -> Enclosure {
    if delta_at(0.0).hi <= target {
        return Enclosure::point(0.0);
    }
    let upper = bisect(0.0, high, tolerance, |e| delta_at(e).hi > target).1;
    let mut step = (tolerance * upper).max(f64::MIN_POSITIVE);
    loop {
        let lower = upper - step;
        if lower <= 0.0 {
            return Enclosure::new(0.0, upper);
        }
        if delta_at(lower).lo > target {
            return Enclosure::new(lower, upper);
        }
        step *= 4.0;
    }
}

/// (lo, hi) around the change of a predicate that holds at `lo` and not at `hi`, after so many halvings.
pub fn halve(lo: f64, hi: f64, times: usize, mut holds: impl FnMut(f64) -> bool) -> (f64, f64) {
    let Ok(ends) = try_halve(lo, hi, times, |x| Ok::<_, Infallible>(holds(x)));
    ends
}

/// As [`halve`], up to the first error.
pub fn try_halve<E>(
    mut lo: f64,
    mut hi: f64,
    times: usize,
    mut holds: impl FnMut(f64) -> Result<bool, E>,
) -> Result<(f64, f64), E> {
    for _ in 0..times {
        let middle = 0.5 * (lo + hi);
        match holds(middle)? {
            true => lo = middle,
            false => hi = middle,
        }
    }
    Ok((lo, hi))
}

/// (lo, hi) around the change of a predicate that holds at `lo` and not at `hi`, as far as is known;
/// stops at hi − lo ≤ tolerance·hi.
pub fn bisect(lo: f64, hi: f64, tolerance: f64, mut holds: impl FnMut(f64) -> bool) -> (f64, f64) {
    let Ok(ends) = try_bisect(lo, hi, tolerance, |x| Ok::<_, Infallible>(holds(x)));
    ends
}

/// As [`bisect`], up to the first error.
pub fn try_bisect<E>(
    mut lo: f64,
    mut hi: f64,
    tolerance: f64,
    mut holds: impl FnMut(f64) -> Result<bool, E>,
) -> Result<(f64, f64), E> {
    while hi - lo > tolerance * hi.abs() {
        let middle = 0.5 * lo + 0.5 * hi;
        if middle <= lo || middle >= hi {
            break;
        }
        match holds(middle)? {
            true => lo = middle,
            false => hi = middle,
        }
    }
    Ok((lo, hi))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    #[test]
    fn searches_end_where_they_ended() {
        let mut found = Vec::new();
        for (target, tolerance) in [(0.3, 1e-13), (0.3, 1e-3), (1e-9, 1e-10), (0.9999, 1e-6)] {
            let mut asked = 0.0;
            let ends = decreasing(50.0, target, tolerance, |x| {
                asked += 1.0;
                Enclosure::ball(1.0 / (1.0 + x), 1e-5 / (1.0 + x))
            });
            found.extend([ends.lo, ends.hi, asked]);
        }
        let flat = decreasing(7.0, 0.5, 1e-6, |_| Enclosure::new(0.4, 0.6));
        found.extend([flat.lo, flat.hi]);
        let (lo, hi) = halve(-1.0, 6.0, 9, |x| x < 1.7);
        found.extend([lo, hi]);
        for (from, to, tolerance) in [(-3.0, 8.0, 1e-9), (-8.0, -1e-9, 1e-12), (0.0, 1e300, 0.0)] {
            let (lo, hi) = bisect(from, to, tolerance, |x| x < -1.5 || (x > -1e-3 && x < 2.6));
            found.extend([lo, hi]);
        }
        steady::holds(
            &found,
            "2.333116123328697 2.3333666666667696 65.0 2.3322601318359375 2.3345947265625 17.0
         49.999999995 50.0 36.0 8.117229407653213e-5 0.00011001102393493056 50.0 0.0 7.0
         1.693359375 1.70703125 2.5999999993946403 2.6000000019557774 -1.5000000000003215
         -1.499999999999412 2.5999999999999996 2.6",
        );
    }

    /// Where the answer is not known between two ends, both are returned: above the upper nothing
    /// is too much, below the lower all is.
    #[test]
    fn what_is_not_known_lies_between_the_ends() {
        let at = |x: f64| Enclosure::ball(1.0 / (1.0 + x), 1e-3);
        for target in [0.01, 0.2, 0.6, 0.998] {
            let found = decreasing(200.0, target, 1e-9, at);
            assert!(
                at(found.hi).hi <= target * (1.0 + 1e-6),
                "{target}: {found:?}"
            );
            assert!(
                found.lo == 0.0 || at(found.lo).lo > target,
                "{target}: {found:?}"
            );
            let truth = 1.0 / target - 1.0;
            assert!(
                found.lo <= truth && truth <= found.hi,
                "{target}: {found:?}"
            );
        }
        assert_eq!(decreasing(9.0, 1.1, 1e-9, at), Enclosure::point(0.0));
    }
}
