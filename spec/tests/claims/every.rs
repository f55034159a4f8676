//! What holds of the claims of every paper: complete, grounded, able to fail, and called what they are.

use crate::parallel::on_all_cores;
use crate::support::{BOOK, able_to_fail, is_left_to_kernel, verdict};
use dp_assay_spec::book::{Entry, alone};
use dp_assay_spec::claim::{Effort, Kind, Verdict};
use dp_assay_spec::moved;
use std::collections::{BTreeMap, BTreeSet};

fn ids(keep: impl Fn(&Entry) -> bool) -> Vec<&'static str> {
    let kept = BOOK.iter().filter(|e| keep(e));
    kept.map(|e| e.claim.id).collect()
}

#[test]
fn every_claim_of_the_inventory_has_an_item() {
    let known: BTreeSet<_> = BOOK.iter().map(|e| e.claim.id).collect();
    let inventory = include_str!("../data/ids.csv").lines().skip(1); // the heading
    let listed: Vec<_> = inventory.filter_map(|l| l.split(',').next()).collect();
    assert!(listed.len() > 300);
    let missing: Vec<_> = listed.iter().filter(|id| !known.contains(**id)).collect();
    assert!(missing.is_empty(), "no item for {missing:?}");
}

#[test]
fn every_claim_that_fails_names_a_repair_that_holds() {
    let fails = |e: &&Entry| matches!(e.verdict, Verdict::Refuted(_) | Verdict::Empty(_));
    for entry in BOOK.iter().filter(fails) {
        let repair = entry.verdict.repaired().map(verdict);
        let holds = repair.is_some_and(Verdict::holds);
        assert!(holds, "{} has no repair that holds", entry.claim.id);
    }
}

/// A point has the names of the statement, not the numbers of the symbols in its encoding.
#[test]
fn where_a_statement_fails_is_told_with_its_names() {
    let numbered = |text: &str| {
        let name = |i| text.contains(&format!("x{i} = "));
        (0..12).any(name) || text.contains(" at [")
    };
    assert!(numbered("x0 = 1, x1 = 2: 3 = 4 fails") && numbered("negative at [1, 1]"));
    let failing =
        |e: &Entry| matches!(&e.verdict, Verdict::Refuted(r) if numbered(&r.counterexample));
    assert_eq!(
        ids(failing),
        [""; 0],
        "symbols get names by `Argument::naming`"
    );
}

#[test]
fn a_claim_that_holds_rests_on_claims_that_hold_or_are_cited() {
    for entry in BOOK.iter() {
        let weak = |id: &&&str| {
            let lemma = verdict(id);
            !lemma.holds() && !matches!(lemma, Verdict::Cited(_))
        };
        let Some(lemma) = entry.claim.rests_on.iter().find(weak) else {
            continue;
        };
        let own = alone(&entry.claim, Effort::Replay);
        let proved = matches!(own, Verdict::Proved(_));
        assert!(
            !proved,
            "{} rests on {lemma}, which does not hold",
            entry.claim.id
        );
    }
}

/// Of one, nobody has the law of the iterate that is released; of the other, what amplification by shuffling is known to give is not
/// enough for the printed constant, and nothing refutes it.
#[test]
fn no_claim_about_privacy_is_open_but_two() {
    let open = |e: &Entry| e.claim.kind.is_privacy() && e.verdict.name() == "open";
    let expected = ["kl-thm-5-priv-reading-output", "ambssgd-cor-3.3"];
    assert_eq!(ids(open), expected);
}

/// Claims that hold, and of which no changed constant has a counterexample: a definition has a witness with other
/// constants too, and a bound on an expectation or a probability that is not sharp has no counterexample near it.
const INSENSITIVE: [&str; 20] = [
    "skgd-asm-3.3",
    "skgd-asm-3.4",
    "skgd-asm-3.5",
    "skgd-asm-3.6",
    "skgd-asm-3.7",
    "skgd-def-3.8",
    "skgd-def-sens",
    "skgd-def-D.1",
    "skgd-def-D.2",
    "skgd-def-D.4",
    "kl-thm-1-restricted",
    "kl-thm-1-repaired",
    "ambssgd-def-model",
    "ambssgd-def-Rx",
    "ambssgd-def-2.2",
    "ambssgd-def-2.3",
    "ambssgd-eq-18-repaired",
    "ambssgd-eq-28-repaired",
    "ambssgd-eq-47-repaired",
    "ambssgd-thm-3.7-corrected-average",
];

/// Each claim that holds has a constant that can be moved until a counterexample is found; the few in
/// [`INSENSITIVE`] one that can be moved until the proof fails. None holds whatever is changed.
#[test]
fn every_claim_that_holds_is_able_to_fail() {
    // Of what is left to the kernel, a stronger neighbour has no proof: see the tests of the kernel.
    let checked = |e: &&Entry| e.verdict.holds() && !is_left_to_kernel(e);
    let holding: Vec<&Entry> = BOOK.iter().filter(checked).collect();
    let found = on_all_cores(&holding, |entry| {
        let (able, refuted) = able_to_fail(entry);
        assert!(able, "{}: a check that cannot fail", entry.claim.id);
        (!refuted).then_some(entry.claim.id)
    });
    let found: Vec<_> = found.into_iter().flatten().collect();
    assert_eq!(found, INSENSITIVE);
}

/// Only the kernel reasons about mechanisms, expectations or algorithms: what a check decides of them is a part of the
/// statement.
#[test]
fn what_speaks_of_mechanisms_or_expectations_is_argued_unless_the_kernel_proves_it() {
    let of = |kind| {
        matches!(
            kind,
            Kind::MechanismPrivacy
                | Kind::ExpectationBound
                | Kind::HighProbability
                | Kind::Rate
                | Kind::LowerBound
        )
    };
    let proved = ids(|e| of(e.claim.kind) && e.verdict.name() == "proved" && e.theorem.is_none());
    assert!(proved.is_empty(), "{proved:?}");
}

#[test]
fn an_argued_claim_names_what_is_not_computed_and_a_proved_one_has_nothing_to_name() {
    for entry in BOOK.iter() {
        // A theorem of the kernel may carry premises.
        let silent =
            entry.by_hand.is_empty() && (entry.premises.is_empty() || entry.theorem.is_some());
        match entry.verdict {
            Verdict::Argued(_) => assert!(!silent, "{} names nothing", entry.claim.id),
            Verdict::Proved(_) => assert!(silent, "{} is argued", entry.claim.id),
            _ => {}
        }
    }
}

/// A theorem has a check besides only for what is drawn or measured, or for steps beyond the term; the corrected theorems, which
/// are no paper's, are decided twice.
#[test]
fn a_theorem_is_checked_besides_only_for_what_the_kernel_does_not_tell() {
    let told = |e: &Entry| {
        let slack = e.verdict.proof().is_some_and(|proof| proof.slack.is_some());
        slack
            || !e.pictures.is_empty()
            || !e.by_hand.is_empty()
            || e.claim.id.contains("-corrected")
    };
    let twice = ids(|e| {
        let theorem = e.theorem.is_some() && !moved::refutes(e.claim.id);
        theorem && !is_left_to_kernel(e) && !told(e)
    });
    assert_eq!(twice, [""; 0]);
    let left: Vec<&str> = ids(is_left_to_kernel);
    assert!(left.len() > 150 && left.iter().any(|id| moved::refutes(id)));
}

#[test]
fn what_has_moved_into_the_kernel_is_proved_there() {
    for moved in moved::all() {
        let entry = BOOK
            .iter()
            .find(|e| e.claim.id == moved.id)
            .expect("a claim");
        let theorem = entry.theorem.as_ref();
        let theorem = theorem.unwrap_or_else(|| panic!("{}: no theorem", moved.id));
        let verdict = match entry.claim.by_hand.is_empty() {
            _ if moved::refutes(moved.id) => "refuted",
            true => "proved",
            // Steps that are listed beside the theorem.
            false => "argued",
        };
        assert_eq!(entry.verdict.name(), verdict, "{}", moved.id);
        let refuted = moved::refuted(theorem).is_some();
        assert_eq!(refuted, verdict == "refuted", "{}", moved.id);
    }
}

/// A step is a sentence of its own: not empty, not a repetition, and short enough to be read in a list.
#[test]
fn steps_by_hand_are_sentences() {
    for entry in BOOK.iter() {
        let mut seen = BTreeSet::new();
        for step in &entry.by_hand {
            let fits = (4..=400).contains(&step.chars().count());
            assert!(fits && seen.insert(step), "{}: {step:?}", entry.claim.id);
        }
    }
}

/// A claim that restricts another to a part of its domain names one that is there.
#[test]
fn what_is_restricted_is_there() {
    let by_base: BTreeMap<_, _> = BOOK.iter().map(|e| (e.claim.id, e)).collect();
    for id in by_base.keys() {
        if let Some(base) = id.strip_suffix("-restricted") {
            assert!(by_base.contains_key(base), "{id} restricts nothing");
        }
    }
}
