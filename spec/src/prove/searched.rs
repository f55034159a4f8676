//! What the searches find, and with how many boxes: they are deterministic, and the stored certificates are what they find
//! byte for byte. Whoever makes a search better writes these numbers anew together with `spec/certificates`.

use super::*;
use crate::arith::ratio;

/// Statements that need each kind of box: which each is for stands beside it.
fn statements() -> Vec<(&'static str, Forall)> {
    let unit = |name| Domain::of(name, closed(0), closed(1));
    let mut all = Vec::new();
    let (d, x) = unit("x");
    all.push(("a face", Forall::le(d, 1 + &x, x.exp())));
    let (d, x) = unit("x");
    all.push((
        "the other face",
        Forall::le(d, (1 - &x).exp(), 4 - &x - &x * &x),
    ));
    let (d, x) = unit("x");
    let line = 1 + ratio(17_190, 10_000) * &x;
    all.push(("cuts", Forall::le(d, x.exp(), line)));
    let (d, x) = Domain::of("x", open(0), closed(1));
    let third = 1 + &x + x.square() / 2 + x.powi(3) / 6;
    all.push(("derivatives", Forall::lt(d, third, x.exp())));
    let (d, x) = Domain::of("x", closed(0), open(1));
    let third = 1 + (1 - &x) + (1 - &x).square() / 2;
    all.push(("derivatives down", Forall::lt(d, third, (1 - &x).exp())));
    let (d, [x, y]) = Domain::of_all(["x", "y"], closed(0), closed(1));
    let cubes = Forall::le(
        d,
        x.square() * &y,
        (2 * x.powi(3) + y.powi(3)) / 3 + ratio(1, 50),
    );
    all.push(("two variables", cubes));
    let (d, [x, y]) = Domain::of_all(["x", "y"], closed(0), closed(1));
    let given = Forall::le(d, &x * &x, y.clone()).when_le(&x + ratio(1, 2), y);
    all.push(("a hypothesis", given));
    let mut d = Domain::new();
    let n = d.integer("n", 1, 40);
    let square = (&n - ratio(5, 2)).square();
    all.push(("integers", Forall::le(d, ratio(1, 4), square)));
    let (d, x) = Domain::of("x", closed(0), infinite());
    all.push(("no end", Forall::le(d, &x / 2, x.exp_m1())));
    let mut d = Domain::new();
    let x = d.real("x", closed(0), infinite());
    let y = d.real("y", closed(0), closed(3));
    let squares = x.square() + y.square() + ratio(1, 2);
    all.push(("no end on one side", Forall::le(d, 2 * &x * &y, squares)));
    let mut d = Domain::new();
    let x = d.positive("x");
    let falls = 1 / (1 + &x) + 1 / (1 + &x).square();
    all.push(("odds", Forall::lt(d, falls, 2)));
    let mut d = Domain::new();
    let s = d.log_scale("s", closed(-2), closed(2));
    all.push(("a scale", Forall::le(d, 2, &s + 1 / &s + ratio(1, 40))));
    let (d, [x, y, z]) = Domain::of_all(["x", "y", "z"], closed(0), closed(1));
    let mixed = &x * &y + &y * &z + 3 * &z * &x;
    let squares = 2 * x.square() + y.square() + 2 * z.square() + ratio(1, 4);
    all.push(("three variables", Forall::le(d, mixed, squares)));
    let (d, x) = Domain::of("x", closed(-1), closed(1));
    let kink = (&x - ratio(1, 3)).abs();
    let bent = kink.max(x.square() / 2).min(2);
    all.push(("kinks", Forall::le(d, 0 - bent, x.square() / 100)));
    let (d, x) = Domain::of("x", closed(-1), closed(1));
    let tight = Forall::le(d, &x - x.square(), ratio(1, 4) + ratio(1, 10_000));
    all.push(("the mean value", tight));
    all
}

fn proof(forall: &Forall, budget: usize) -> Option<Certificate> {
    match search(forall, budget) {
        Decision::Proved(found) => Some(found),
        _ => None,
    }
}

/// The least budget within which a proof is found, if that is one below 4,000.
fn boxes(forall: &Forall) -> usize {
    let (mut few, mut enough) = (0, 4000);
    while enough - few > 1 {
        let middle = usize::midpoint(few, enough);
        match proof(forall, middle) {
            Some(_) => enough = middle,
            None => few = middle,
        }
    }
    enough
}

/// The trees of a proof, or how many leaves they have.
fn told(forall: &Forall) -> String {
    let found = proof(forall, 4000).expect("it is true");
    match found.leaves() {
        ..13 => found.to_text().trim_end().replace('\n', " | "),
        many => format!("{many} leaves"),
    }
}

#[test]
fn searches_find_these_proofs_with_so_many_boxes() {
    let wanted = [
        ("a face", 2, "f0- ."),
        ("the other face", 1, "m"),
        ("cuts", 47, "s0 f0- . s0 m f0+ ."),
        ("derivatives", 9, "d0- d0- d0- f0- . . . ."),
        ("derivatives down", 7, "d0+ d0+ f0+ . . ."),
        ("two variables", 735, "37 leaves"),
        ("a hypothesis", 1415, "s0 s1 s1 h0 . . s1 h0 s1 h0 s0 . h0"),
        ("integers", 91, "s0 s0 s0 s0 s0 . . . . . ."),
        ("no end", 2, "f0- ."),
        ("no end on one side", 952, "36 leaves"),
        ("odds", 49, "f0+ . | . | . | s0 f0- . ."),
        (
            "a scale",
            104,
            ". | s0 s0 . s0 . s0 f0+ . d0+ f0+ . . s0 s0 s0 d0- f0- . . f0- . . .",
        ),
        ("three variables", 1467, "40 leaves"),
        ("kinks", 1, "."),
        ("the mean value", 47, "s0 . s0 f0+ . f0- ."),
    ];
    let all = statements().into_iter();
    let found: Vec<_> = all.map(|(what, f)| (what, boxes(&f), told(&f))).collect();
    let same = { found.iter() }.map(|(what, boxes, told)| (*what, *boxes, told.as_str()));
    assert!(same.eq(wanted), "{found:#?}");
}

#[test]
fn hunts_find_these_points() {
    let wanted = [
        ("at an end", Some("x = 1: ")),
        ("in a peak", Some("x = 341/1024: ")),
        (
            "under a hypothesis",
            Some("x = 9/16, y = 3/16: 81/256 ≤ 27/160 fails"),
        ),
        ("at an integer", Some("n = 77: 1 < 1/2 fails")),
        ("far out", Some("T = 3458764513820540928 (~3.458765e18): ")),
        ("without end", Some("x = 1030792151040 (~1.030792e12): ")),
        (
            "near an open end",
            Some("x = 1/1152921504606846976 (~8.673617e-19): "),
        ),
        (
            "near the other",
            Some("x = 1152921504606846975/1152921504606846976 (~1.000000e0): "),
        ),
        ("on a scale", Some("s = exp(9): ")),
        ("equal", Some("x = 2: 4 < 4 fails")),
        ("nowhere", None),
    ];
    for ((what, forall, starts), (name, text)) in wrong().into_iter().zip(wanted) {
        let found = refute(&forall, starts).map(|found| found.text);
        let same = match (&found, text) {
            (Some(found), Some(text)) => found.starts_with(text),
            (found, text) => found.is_none() && text.is_none(),
        };
        assert!(same && what == name, "{what}: {found:?}");
    }
    assert_eq!(wrong().len(), wanted.len());
}

/// Statements that fail somewhere, which is easy to find or not.
fn wrong() -> Vec<(&'static str, Forall, usize)> {
    let mut all = Vec::new();
    let (d, x) = Domain::of("x", closed(0), closed(1));
    all.push(("at an end", Forall::le(d, x.exp(), 1 + 17 * &x / 10), 5));
    let (d, x) = Domain::of("x", closed(0), closed(1));
    let peak = 1 / (1 + 100_000 * (&x - ratio(1, 3)).square());
    all.push(("in a peak", Forall::le(d, peak, ratio(9, 10)), 10));
    let (d, [x, y]) = Domain::of_all(["x", "y"], closed(0), closed(1));
    let given =
        Forall::le(d, x.square(), &y * ratio(9, 10)).when_le(&x * &y + ratio(1, 2), 1 + &y - &x);
    all.push(("under a hypothesis", given, 10));
    let mut d = Domain::new();
    let n = d.integer("n", 1, 400);
    all.push((
        "at an integer",
        Forall::lt(d, 1, (&n - 77).square() + ratio(1, 2)),
        10,
    ));
    let mut d = Domain::new();
    let t = d.integer_at_least("T", 3);
    all.push(("far out", Forall::le(d, t.ln(), 5), 10));
    let (d, x) = Domain::of("x", closed(0), infinite());
    all.push(("without end", Forall::le(d, x, 1_000_000), 30));
    let (d, x) = Domain::of("x", open(0), open(1));
    all.push((
        "near an open end",
        Forall::le(d, 1 / &x, 1_000_000_000_i64),
        10,
    ));
    let (d, x) = Domain::of("x", open(0), open(1));
    all.push((
        "near the other",
        Forall::le(d, 1 / (1 - &x), 1_000_000_000_i64),
        10,
    ));
    let mut d = Domain::new();
    let s = d.log_scale("s", closed(-9), closed(9));
    all.push(("on a scale", Forall::le(d, s, 8000), 10));
    let (d, x) = Domain::of("x", closed(1), closed(2));
    all.push(("equal", Forall::lt(d, x.square(), &x * &x), 1));
    let (d, x) = Domain::of("x", closed(1), closed(2));
    all.push(("nowhere", Forall::le(d, x.square(), &x * &x), 3));
    all
}
