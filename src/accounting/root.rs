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
