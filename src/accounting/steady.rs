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
