//! What answers are made of, to the last bit. Ends are rounded to binary64, so that an allowance for rounding may be
//! halved, and a search may end elsewhere, without an end that moves: only the number itself shows it. That an allowance
//! is *enough* is what the other tests of its module look at.

/// Whether numbers are what they were; says what to store if they have been changed on purpose.
#[track_caller]
pub(super) fn holds(found: &[f64], stored: &str) {
    let found: Vec<String> = found.iter().map(|x| format!("{x:?}")).collect();
    let stored: Vec<&str> = stored.split_whitespace().collect();
    assert!(found == stored, "they are now {}", found.join(" "));
}

/// One number for many: every bit of them is in it.
pub(super) fn mark(numbers: &[f64]) -> f64 {
    let odd = 0x9e37_79b9_7f4a_7c15_u64;
    // No number has one sign and one payload on all machines.
    let bits = |x: &f64| if x.is_nan() { odd } else { x.to_bits() };
    let mixed = |mark: u64, x: &f64| (mark.rotate_left(29) ^ bits(x)).wrapping_mul(odd);
    (numbers.iter().fold(0, mixed) >> 11) as f64
}
