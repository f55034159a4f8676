//! The book: what rests on what, and what may not.

use dp_assay_spec::book::{BookError, book};
use dp_assay_spec::claim::{Check, Claim, Effort, Kind, Paper, Verdict};

fn proved(_: &Check) -> Verdict {
    Verdict::proved("everywhere", "test")
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
        paper: Paper::Gcd,
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
