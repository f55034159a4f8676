//! The book: what rests on what, and what may not.

use crate::support::{BOOK, able_to_fail};
use dp_assay_spec::arith::{Rational, ratio};
use dp_assay_spec::book::{BookError, Entry, Mutant, book, mutants};
use dp_assay_spec::claim::{Check, Claim, Effort, Kind, Verdict};

fn proved(_: &Check) -> Verdict {
    Verdict::proved("everywhere", "test")
}

/// Asks for a constant, and does not use it.
fn deaf(c: &Check) -> Verdict {
    let _ = c.constant("factor", 4);
    proved(c)
}

fn open(_: &Check) -> Verdict {
    Verdict::open("test")
}

fn refuted(_: &Check) -> Verdict {
    Verdict::refuted("0", "test", Some("gcd-nowhere"))
}

fn claim(
    id: &'static str,
    rests_on: &'static [&'static str],
    check: fn(&Check) -> Verdict,
) -> Claim {
    Claim {
        id,
        place: "test",
        kind: Kind::PathwiseInequality,
        statement: "test",
        hypotheses: "none",
        rests_on,
        by_hand: &[],
        check,
    }
}

fn verdicts(claims: &[Claim]) -> Result<Vec<&'static str>, BookError> {
    let entries = book(claims, Effort::Replay, &|_| {})?;
    Ok(entries.iter().map(|e| e.verdict.name()).collect())
}

/// A claim on its own.
fn alone(check: fn(&Check) -> Verdict) -> Entry {
    let entries = book(&[claim("a", &[], check)], Effort::Replay, &|_| {});
    entries.expect("it names nobody").remove(0)
}

fn neighbours(check: fn(&Check) -> Verdict) -> impl Iterator<Item = Mutant> {
    let alone = alone(check);
    mutants(&alone.claim, &alone.constants)
}

#[test]
fn a_proof_that_rests_on_something_unproved_is_only_support_however_long_the_chain() {
    let chain = [
        claim("c", &["b"], proved),
        claim("b", &["a"], proved),
        claim("a", &[], open),
        claim("d", &[], proved),
    ];
    let expected = ["supported", "supported", "open", "proved"];
    assert_eq!(verdicts(&chain), Ok(expected.to_vec()));
}

fn cited(_: &Check) -> Verdict {
    Verdict::cited("test, page 1")
}

fn remarked(check: &Check) -> Verdict {
    dp_assay_spec::prove::Argument::new(check)
        .note("by induction over t")
        .proved_on("everywhere")
}

#[test]
fn a_step_by_hand_a_premise_or_an_argued_lemma_makes_a_proof_an_argument() {
    let by_hand = Claim {
        by_hand: &["Jensen's inequality"],
        ..claim("hand", &[], proved)
    };
    let definition = Claim {
        kind: Kind::Algorithm,
        ..claim("definition", &["hand"], proved)
    };
    let chain = [
        by_hand,
        claim("lemma", &["hand"], proved),
        claim("source", &[], cited),
        claim("premise", &["source"], proved),
        claim("above", &["premise"], proved),
        claim("remark", &[], remarked),
        definition,
        claim("exact", &["definition"], proved),
    ];
    let entries = book(&chain, Effort::Replay, &|_| {}).expect("ids differ");
    let found: Vec<_> = (entries.iter())
        .map(|e| (e.verdict.name(), e.by_hand.join("; "), e.premises.clone()))
        .collect();
    let expected: [(&str, &str, &[&str]); 8] = [
        ("argued", "Jensen's inequality", &[]),
        ("argued", "uses hand, which is argued", &[]),
        ("cited", "", &[]),
        ("argued", "", &["source"]),
        ("argued", "", &["source"]),
        ("argued", "by induction over t", &[]),
        ("well-posed", "uses hand, which is argued", &[]),
        ("proved", "", &[]),
    ];
    let expected = expected.map(|(v, h, p)| (v, h.to_owned(), p.to_vec()));
    assert_eq!(found, expected);
}

#[test]
fn unknown_repeated_and_circular_ids_are_refused() {
    let unknown = BookError::Unknown {
        claim: "a",
        names: "b".to_owned(),
    };
    assert_eq!(verdicts(&[claim("a", &["b"], proved)]), Err(unknown));
    let twice = [claim("a", &[], proved), claim("a", &[], open)];
    assert_eq!(verdicts(&twice), Err(BookError::Duplicate("a")));
    let circle = [claim("a", &["b"], proved), claim("b", &["a"], proved)];
    assert!(matches!(verdicts(&circle), Err(BookError::Cycle(_))));
    let repair = BookError::Unknown {
        claim: "a",
        names: "gcd-nowhere".to_owned(),
    };
    assert_eq!(verdicts(&[claim("a", &[], refuted)]), Err(repair));
}

/// At most 8 is at most 8, and 0 is more than −1.
fn eight_and_nothing(check: &Check) -> Verdict {
    let (eight, nothing) = (check.constant("eight", 8), check.constant("nothing", 0));
    if eight >= 8 && nothing > -1 {
        proved(check)
    } else {
        refuted(check)
    }
}

#[test]
fn the_neighbours_of_a_claim_are_near_and_far_and_each_is_judged_with_its_own_constant() {
    let mutants: Vec<_> = neighbours(eight_and_nothing).collect();
    let told = |name: &str| -> Vec<(Rational, &str)> {
        let own = mutants.iter().filter(|n| n.mutation.name == name);
        own.map(|n| (n.mutation.value.clone(), n.verdict.name()))
            .collect()
    };
    // By 1 %, 10 %, 40 %, 98 % and 2, up and down; plus and minus 1; negated; by 4 and more.
    let near = [(101, 100), (11, 10), (7, 5), (99, 50), (2, 1)];
    let far = [4, 10, 40, 200, 4_000, 100_000].map(|factor| (factor, 1));
    let mut eight = Vec::new();
    let scaled = |(p, q): (i64, u64)| {
        [
            (ratio(8 * p, q), "proved"),
            (ratio(8 * q as i64, p as u64), "refuted"),
        ]
    };
    eight.extend(near.into_iter().flat_map(scaled));
    eight.extend([
        (ratio(9, 1), "proved"),
        (ratio(7, 1), "refuted"),
        (ratio(-8, 1), "refuted"),
    ]);
    eight.extend(far.into_iter().flat_map(scaled));
    assert_eq!(told("eight"), eight);
    // 0 has no other multiples than itself.
    assert_eq!(
        told("nothing"),
        [(ratio(1, 1), "proved"), (ratio(-1, 1), "refuted")]
    );
}

#[test]
fn a_check_that_does_not_listen_to_its_constants_is_found_out() {
    let listening = BOOK
        .iter()
        .find(|e| e.claim.id == "gcd-mech-lap")
        .expect("a claim");
    assert_eq!(able_to_fail(listening), (true, true));
    assert!(neighbours(deaf).count() > 10);
    assert_eq!(able_to_fail(&alone(deaf)), (false, false));
    assert!(neighbours(proved).next().is_none());
}
