//! Truths as decimals, and what it means for an enclosure to meet one.

use dp_assay_spec::arith::{Integer, Interval, Rational};
use rug::ops::Pow;

/// The decimal number, exactly: digits, optional point, optional exponent.
pub fn rational(text: &str) -> Rational {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let digits = mantissa.replace('.', "").parse::<Integer>().unwrap();
    let places = mantissa.find('.').map_or(0, |p| mantissa.len() - p - 1);
    let power = exponent.parse::<i32>().unwrap() - places as i32;
    let ten = Integer::from(10).pow(power.unsigned_abs());
    match power >= 0 {
        true => Rational::from(digits * ten),
        false => Rational::from((digits, ten)),
    }
}

/// An enclosure of the decimal number, taken exactly.
pub fn exactly(text: &str) -> Interval {
    Interval::from_rational(&rational(text))
}

/// The decimal number give or take one unit of its last digit: a value known to that many digits.
pub fn about(text: &str) -> Interval {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let digit = |c: char| if c.is_ascii_digit() { '0' } else { c };
    let zeros: String = mantissa.chars().map(digit).collect();
    let last = zeros
        .char_indices()
        .rev()
        .find(|(_, c)| *c == '0')
        .unwrap()
        .0;
    let unit = format!("{}1{}e{exponent}", &zeros[..last], &zeros[last + 1..]);
    let (value, unit) = (rational(text), rational(&unit));
    Interval::from_rational(&Rational::from(&value - &unit))
        .hull(&Interval::from_rational(&(value + unit)))
}

/// Asserts that an enclosure meets a value and is narrow relative to it.
pub fn assert_narrow(found: &Interval, truth: &Interval, relative: f64, what: &str) {
    assert!(
        found.intersect(truth).is_some(),
        "{what}: {found} misses {truth}"
    );
    let size = found.abs().hi_f64();
    assert!(
        found.is_finite() && found.width() <= relative * size,
        "{what}: {found} is {} wide",
        found.width()
    );
}
