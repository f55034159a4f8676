//! What answers are made of, to the last bit. Ends are rounded to binary64, so that an allowance for rounding may be
//! halved, and a search may end elsewhere, without an end that moves: only the number itself shows it. That an allowance
//! is *enough* is what the other tests of its module look at.

/// Whether numbers are what they were; says what to store if they have been changed on purpose.
#[track_caller]
pub(crate) fn holds(found: &[f64], stored: &str) {
    words(
        &found.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>(),
        stored,
    );
}

/// Whether words are what they were.
#[track_caller]
pub(crate) fn words(found: &[String], stored: &str) {
    let stored: Vec<&str> = stored.split_whitespace().collect();
    assert!(found == stored, "they are now {}", found.join(" "));
}

/// One number for many: every bit of them is in it.
pub(crate) fn mark(numbers: &[f64]) -> f64 {
    let odd = 0x9e37_79b9_7f4a_7c15_u64;
    // No number has one sign and one payload on all machines.
    let bits = |x: &f64| if x.is_nan() { odd } else { x.to_bits() };
    let mixed = |mark: u64, x: &f64| (mark.rotate_left(29) ^ bits(x)).wrapping_mul(odd);
    (numbers.iter().fold(0, mixed) >> 11) as f64
}

/// A word for what is too long to be stored as it is: the 64 bits of Fowler, Noll and Vo (FNV-1a) of its text.
pub(crate) fn digest(what: &impl std::fmt::Debug) -> String {
    let text = format!("{what:?}");
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}
