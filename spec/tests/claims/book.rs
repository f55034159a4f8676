//! The book: what rests on what, and what may not.

use crate::support::{CLAIMS, proved_without};
use dp_assay_spec::arith::{Rational, ratio};
use dp_assay_spec::book::{BookError, book, false_neighbours};
use dp_assay_spec::claim::{Check, Claim, Effort, Kind, Paper, Proof, Verdict};

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
        kind: Kind::Definition,
        statement: "test",
        hypotheses: "none",
        rests_on,
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
    let neighbours: Vec<_> = false_neighbours(&claim("a", &[], eight_and_nothing)).collect();
    let told = |name: &str| -> Vec<(Rational, &str)> {
        let own = neighbours.iter().filter(|n| n.twist.name == name);
        own.map(|n| (n.twist.value.clone(), n.verdict.name()))
            .collect()
    };
    // By 1 %, 10 %, 40 %, 98 % and 2, up and down; plus and minus 1; negated.
    let factors = [(101, 100), (11, 10), (7, 5), (99, 50), (2, 1)];
    let mut eight = Vec::new();
    for (p, q) in factors {
        eight.extend([
            (ratio(8 * p, q), "proved"),
            (ratio(8 * q as i64, p as u64), "refuted"),
        ]);
    }
    eight.extend([
        (ratio(9, 1), "proved"),
        (ratio(7, 1), "refuted"),
        (ratio(-8, 1), "refuted"),
    ]);
    assert_eq!(told("eight"), eight);
    // 0 has no other multiples than itself.
    assert_eq!(
        told("nothing"),
        [(ratio(1, 1), "proved"), (ratio(-1, 1), "refuted")]
    );
}

#[test]
fn neighbours_of_a_claim_with_slack_reach_beyond_it() {
    fn thrice(check: &Check) -> Verdict {
        match check.constant("scale", 3) >= 1 {
            true => Verdict::Proved(Proof {
                domain: "everywhere".to_owned(),
                slack: Some(3.0),
                evidence: "test".to_owned(),
            }),
            false => refuted(check),
        }
    }
    let neighbours: Vec<_> = false_neighbours(&claim("a", &[], thrice)).collect();
    let refuted = neighbours.iter().find(|n| n.verdict.name() == "refuted");
    // 3 divided by 1.01 times the slack: nothing nearer fails.
    let value = refuted.map(|n| n.twist.value.clone());
    assert_eq!(value, Some(ratio(100, 101)));
    assert_eq!(neighbours[0].twist.value, ratio(909, 100));
}

#[test]
fn a_check_that_does_not_listen_to_its_constants_is_found_out() {
    let listening = CLAIMS
        .iter()
        .find(|c| c.id == "gcd-thm-4.4-cvx-T-repaired")
        .expect("a claim");
    let deaf = Claim {
        check: proved,
        ..*listening
    };
    let refuted = |verdict: &Verdict| matches!(verdict, Verdict::Refuted(_));
    assert_eq!(proved_without(&[*listening, deaf], refuted), [listening.id]);
    assert_eq!(proved_without(&[*listening], refuted), [""; 0]);
    assert!(false_neighbours(&claim("a", &[], proved)).next().is_none());
}
