//! Certified inversion of monotone functions, and evaluation on intervals that uses monotonicity.

use super::error::PrivacyError;
use crate::arith::{Interval, PRECISION};
use rug::Float;

/// The range of a non-decreasing f over x: only the ends of x are evaluated.
pub(super) fn increasing(x: &Interval, f: impl Fn(&Interval) -> Interval) -> Interval {
    if x.lo() == x.hi() {
        return f(x);
    }
    let lo = f(&Interval::point(x.lo().clone()));
    let hi = f(&Interval::point(x.hi().clone()));
    Interval::new(lo.lo().clone(), hi.hi().clone())
}

/// The range of a non-increasing f over x.
pub(super) fn decreasing(x: &Interval, f: impl Fn(&Interval) -> Interval) -> Interval {
    increasing(&-x, |y| f(&-y))
}

/// Encloses inf { x ≥ 0 : f(x) ≤ target } for a non-increasing f.
///
/// The lower end is a point where f certainly exceeds the target (or 0), the upper end one where it
/// certainly does not; both are pushed together by bisection until the enclosures of f no longer
/// tell.
///
/// # Errors
/// When f is not seen to fall to the target below 2⁶⁴.
pub(super) fn first_at_most(
    f: impl Fn(&Interval) -> Interval,
    target: &Interval,
    asked: &'static str,
) -> Result<Interval, PrivacyError> {
    let fits = |x: &Float| f(&Interval::point(x.clone())).certainly_le(target);
    let exceeds = |x: &Float| target.certainly_lt(&f(&Interval::point(x.clone())));
    let zero = Float::with_val(PRECISION, 0);
    if fits(&zero) {
        return Ok(Interval::point(zero));
    }
    let mut exponent = -64;
    let mut hi = Float::with_val(PRECISION, Float::u_exp(1, exponent));
    while !fits(&hi) {
        exponent += 1;
        hi <<= 1;
        if exponent > 64 {
            let why = format!("the target {target} is not reached below {}", hi.to_f64());
            return Err(PrivacyError::NoBound { asked, why });
        }
    }
    let lo = match exponent {
        -64 => zero,
        _ => Float::with_val(PRECISION, &hi >> 1),
    };
    let (lo, hi) = approach(lo, hi, |x| match (fits(x), exceeds(x)) {
        (true, _) => Some(Side::Upper),
        (_, true) => Some(Side::Lower),
        _ => None,
    });
    Ok(Interval::new(lo, hi))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

/// Bisects while the middle is decided, then pushes each end as far as decisions reach.
fn approach(mut lo: Float, mut hi: Float, side: impl Fn(&Float) -> Option<Side>) -> (Float, Float) {
    let middle = |lo: &Float, hi: &Float| Float::with_val(PRECISION, lo + hi) / 2u32;
    let narrow = |lo: &Float, hi: &Float| {
        let gap = Float::with_val(PRECISION, hi - lo);
        gap <= Float::with_val(PRECISION, hi >> (PRECISION - 12))
    };
    let mut undecided = None;
    while undecided.is_none() && !narrow(&lo, &hi) {
        let x = middle(&lo, &hi);
        match side(&x) {
            Some(Side::Lower) => lo = x,
            Some(Side::Upper) => hi = x,
            None => undecided = Some(x),
        }
    }
    if let Some(x) = undecided {
        let (mut lo_limit, mut hi_limit) = (x.clone(), x);
        while !narrow(&lo, &lo_limit) {
            let x = middle(&lo, &lo_limit);
            match side(&x) {
                Some(Side::Lower) => lo = x,
                _ => lo_limit = x,
            }
        }
        while !narrow(&hi_limit, &hi) {
            let x = middle(&hi_limit, &hi);
            match side(&x) {
                Some(Side::Upper) => hi = x,
                _ => hi_limit = x,
            }
        }
    }
    (lo, hi)
}
