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
