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
    let mut lo = zero;
    let mut hi = Float::with_val(PRECISION, Float::u_exp(1, exponent));
    loop {
        let value = f(&Interval::point(hi.clone()));
        if value.certainly_le(target) {
            break;
        }
        // A point that does not fit need not exceed: the least that fits may lie below it.
        if target.certainly_lt(&value) {
            lo = hi.clone();
        }
        exponent += 1;
        hi <<= 1;
        if exponent > 64 {
            let why = format!("the target {target} is not reached below {}", hi.to_f64());
            return Err(PrivacyError::NoBound { asked, why });
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_is_enclosed_narrowly_over_many_magnitudes() {
        for k in [-50, -3, 0, 1, 20, 60] {
            // e^(−x/2ᵏ) falls to e⁻¹ at 2ᵏ.
            let scale = Interval::power_of_two(k);
            let target = Interval::from(-1).exp();
            let found =
                first_at_most(|x| (-&(x / &scale)).exp(), &target, "test").expect("it falls");
            assert!(
                *found.lo() <= *scale.lo() && *found.hi() >= *scale.hi(),
                "2^{k}: {found}"
            );
            assert!(found.width() <= 1e-33 * scale.hi_f64(), "2^{k}: {found}");
        }
    }

    /// A step that is decided everywhere is closed in on, and no further than numbers go.
    #[test]
    fn a_step_is_enclosed_as_closely_as_numbers_allow() {
        let third = Float::with_val(PRECISION, 1) / 3u32;
        let step = |x: &Interval| Interval::from(i64::from(*x.lo() < third));
        let found = first_at_most(step, &Interval::from_f64(0.5), "test").expect("it falls");
        assert!(*found.lo() < third && *found.hi() >= third, "{found}");
        let (least, most) = (
            2f64.powi(-(PRECISION as i32)),
            2f64.powi(14 - PRECISION as i32),
        );
        assert!((least..most).contains(&found.width()), "{}", found.width());
    }

    #[test]
    fn what_is_not_decided_stays_between_the_ends() {
        // Between 2 and 3 nothing is known.
        let f = |x: &Interval| match x.lo() {
            x if *x < 2 => Interval::from(1),
            x if *x > 3 => Interval::from(0),
            _ => Interval::between(0.0, 1.0),
        };
        let found = first_at_most(f, &Interval::from_f64(0.5), "test").expect("it falls");
        assert!(*found.lo() < 2 && *found.hi() > 3, "{found}");
        assert!(found.lo_f64() > 1.999 && found.hi_f64() < 3.001, "{found}");
    }

    #[test]
    fn targets_met_at_once_and_never_are_told_apart() {
        let (half, one) = (Interval::from_f64(0.5), Interval::from(1));
        let at_once = first_at_most(|_| half.clone(), &one, "test").expect("it is below");
        assert_eq!(at_once, Interval::from(0));
        let equal = first_at_most(|_| one.clone(), &one, "test").expect("it is no higher");
        assert_eq!(equal, Interval::from(0));
        assert!(first_at_most(|_| one.clone(), &half, "test").is_err());
    }

    /// The last point that is looked at is 2⁶⁴.
    #[test]
    fn a_function_that_falls_beyond_the_largest_point_is_refused() {
        let falls_at = |k: i32| {
            let end = Interval::power_of_two(k);
            let step = move |x: &Interval| Interval::from(i64::from(x.certainly_lt(&end)));
            first_at_most(step, &Interval::from_f64(0.5), "test")
        };
        let found = falls_at(64).expect("it falls");
        assert!(
            found.contains(2f64.powi(64)) && found.width() < 1.0,
            "{found}"
        );
        let told = falls_at(65).expect_err("too far").to_string();
        assert!(
            told.contains("no bound for test: the target") && told.contains("is not reached below"),
            "{told}"
        );
    }

    #[test]
    fn monotone_functions_of_an_interval_are_evaluated_at_its_ends() {
        let x = Interval::between(1.0, 3.0);
        // Noise of one hundredth: what f says of a point is an interval.
        let noise = Interval::between(-0.01, 0.01);
        let up = increasing(&x, |x| x + &noise);
        assert!((up.lo_f64() - 0.99).abs() < 1e-15 && (up.hi_f64() - 3.01).abs() < 1e-15);
        let down = decreasing(&x, |x| -x + &noise);
        assert_eq!(down, -up);
    }
}
