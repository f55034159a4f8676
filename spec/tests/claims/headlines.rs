//! The tables of headline theorems are complete, and a correction is about one run with one noise.

use crate::support::BOOK;
use dp_assay_spec::book::Entry;
use dp_assay_spec::claim::{Kind, Paper, Verdict};
use dp_assay_spec::findings::headline::{Corrected, Correction, Headline, Run, Standing};
use std::collections::BTreeSet;

pub fn entry(id: &str) -> &'static Entry {
    let found = BOOK.iter().find(|e| e.claim.id == id);
    found.unwrap_or_else(|| panic!("there is no claim {id}"))
}

fn holds(id: &str) -> bool {
    entry(id).verdict.holds()
}

/// Whether a claim is proved by the kernel.
pub fn by_kernel(id: &str) -> bool {
    let entry = entry(id);
    entry.theorem.is_some() && matches!(entry.verdict, Verdict::Proved(_))
}

fn all() -> impl Iterator<Item = (Paper, &'static Headline)> {
    let of = |paper: Paper| paper.headlines().iter().map(move |h| (paper, h));
    Paper::ALL.into_iter().flat_map(of)
}

/// The corrections that are claims, with the headline that each is for.
pub fn corrected() -> impl Iterator<Item = (&'static Headline, Corrected)> {
    all().filter_map(|(_, h)| match h.correction {
        Some(Correction::By(corrected)) => Some((h, corrected)),
        _ => None,
    })
}

/// What a paper is cited for, as printed: one name a line.
fn cited_for(paper: Paper) -> String {
    let path = format!(
        "{}/tests/data/cited/{paper}.txt",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[test]
fn every_theorem_that_a_paper_is_cited_for_is_a_headline() {
    for paper in Paper::ALL {
        let names = cited_for(paper);
        assert!(!names.trim().is_empty(), "{paper} is cited for nothing?");
        for name in names.lines() {
            let of = |h: &Headline| {
                let place = entry(h.id).claim.place;
                let place = place
                    .replace("Thm ", "Theorem ")
                    .replace("Cor. ", "Corollary ");
                // "Theorem 1" is no name of Theorem 1.1, nor of Theorem 12.
                place.match_indices(name).any(|(at, _)| {
                    let mut rest = place[at + name.len()..].chars();
                    let next = rest.next();
                    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
                    !(digit(next) || next == Some('.') && digit(rest.next()))
                })
            };
            assert!(paper.headlines().iter().any(of), "{paper}: {name}");
        }
    }
}

#[test]
fn headlines_name_claims_of_their_paper_and_an_algorithm() {
    let ids: BTreeSet<_> = all().map(|(_, h)| h.id).collect();
    assert_eq!(ids.len(), all().count(), "a headline is listed twice");
    for (paper, h) in all() {
        assert_eq!(entry(h.id).claim.paper(), paper, "{}", h.id);
        let bound = entry(h.id).claim.kind == Kind::LowerBound;
        assert_eq!(h.algorithm.is_none(), bound, "{}", h.id);
        if let Some(id) = h.algorithm {
            assert_eq!(entry(id).claim.kind, Kind::Algorithm, "{}", h.id);
        }
        assert!(h.command.starts_with("dp-assay "), "{}", h.id);
    }
}

/// What has to be so of a headline, given which claims hold and which the kernel proves; in words what is not.
fn consistent(
    h: &Headline,
    holds: &dyn Fn(&str) -> bool,
    by_kernel: &dyn Fn(&str) -> bool,
) -> Result<(), &'static str> {
    let stands = holds(h.id);
    match (h.standing(holds), h.correction) {
        (Standing::Stands, None) if by_kernel(h.id) => Ok(()),
        (Standing::Stands, None) => Err("it is argued, and nothing is said of what is proved"),
        (Standing::Stands, Some(_)) if by_kernel(h.id) => Err("it is proved, and has a correction"),
        (Standing::Stands, Some(_)) => { h.corrected(holds).filter(|c| by_kernel(c.id)) }
            .map(drop)
            .ok_or("it is argued, and what is offered beside it is not proved"),
        _ if stands => Err("it holds, and is not said to stand"),
        (_, None) => Err("it does not stand, and nothing is said of it"),
        (Standing::Corrected(c), _) if by_kernel(c.id) => Ok(()),
        (Standing::Corrected(_), _) => Err("its correction is not proved by the kernel"),
        (Standing::Impossible(_), _) => Ok(()),
        (Standing::Missing(_, given), Some(Correction::Missing { weaker, lacks })) => {
            let weaker = given == weaker;
            (weaker && lacks.len() > 20)
                .then_some(())
                .ok_or("its weaker claim does not hold")
        }
        (Standing::Missing(..), Some(_)) => Err("the claim that was to settle it does not hold"),
    }
}

#[test]
fn a_headline_stands_or_is_corrected_or_impossible_or_said_to_be_missing() {
    for (_, h) in all() {
        assert_eq!(consistent(h, &holds, &by_kernel), Ok(()), "{}", h.id);
    }
}

#[test]
fn a_headline_of_which_nothing_true_is_said_is_noticed() {
    let headline = |correction| Headline {
        id: "x",
        algorithm: None,
        correction,
        command: "dp-assay ledger x",
    };
    let (nothing, all) = (|_: &str| false, |_: &str| true);
    let missing = |weaker| Correction::Missing {
        weaker,
        lacks: "something or other that is long",
    };
    assert!(consistent(&headline(None), &all, &all).is_ok());
    assert!(consistent(&headline(None), &all, &nothing).is_err());
    assert!(consistent(&headline(None), &nothing, &nothing).is_err());
    assert!(consistent(&headline(Some(missing(None))), &all, &all).is_err());
    assert!(consistent(&headline(Some(missing(None))), &nothing, &all).is_ok());
    assert!(consistent(&headline(Some(missing(Some("y")))), &nothing, &all).is_err());
    let impossible = headline(Some(Correction::Impossible("y")));
    assert!(consistent(&impossible, &nothing, &all).is_err());
    assert!(consistent(&impossible, &|id| id == "y", &all).is_ok());
    let by = headline(Some(Correction::By(Corrected {
        id: "y",
        run: Run::LowerBound,
        cost: None,
        bites_at: None,
        departures: &[],
    })));
    assert!(consistent(&by, &nothing, &all).is_err());
    assert!(consistent(&by, &|id| id == "y", &nothing).is_err());
    assert!(consistent(&by, &|id| id == "y", &all).is_ok());
    assert!(consistent(&by, &all, &all).is_err());
    assert!(consistent(&by, &all, &nothing).is_err());
    assert!(consistent(&by, &all, &|id| id == "y").is_ok());
}

/// The words of a claim, on one line.
fn words(id: &str) -> String {
    let Entry { claim, theorem, .. } = entry(id);
    let rendered = theorem.as_ref().map(|t| t.statement().to_string());
    let text = format!(
        "{} {} {}",
        claim.statement,
        claim.hypotheses,
        rendered.unwrap_or_default()
    );
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Why a correction is about more than one noise, or about none; given the words of each claim.
fn two_noises(run: Run, id: &str, words: &dyn Fn(&str) -> String) -> Option<String> {
    let Run::Private {
        noise,
        privacy,
        utility,
    } = run
    else {
        return None;
    };
    if noise.chars().count() < 12 {
        return Some(format!("`{noise}` names no noise"));
    }
    let claims = [Some(id), Some(privacy), utility];
    let other = claims
        .into_iter()
        .flatten()
        .find(|id| !words(id).contains(noise));
    other.map(|id| format!("{id} does not speak of the noise `{noise}`"))
}

#[test]
fn privacy_and_utility_of_a_correction_are_about_one_noise() {
    for (h, c) in corrected() {
        assert_eq!(two_noises(c.run, c.id, &words), None, "{}", h.id);
        assert_eq!(c.run == Run::LowerBound, h.algorithm.is_none(), "{}", h.id);
        let repeated = |other: &(_, Corrected)| other.1.id == c.id && other.1.run != c.run;
        assert!(
            !corrected().any(|other| repeated(&other)),
            "{}: two runs of one claim",
            c.id
        );
    }
}

/// The pairs that the ledger has had: privacy for more noise than the utility that stands beside it.
#[test]
fn a_repair_of_privacy_beside_the_utility_of_other_noise_is_noticed() {
    let pair = |noise, privacy, utility| Run::Private {
        noise,
        privacy,
        utility: Some(utility),
    };
    let gcd = pair(
        "λ′_j = (1 + max_{k ≠ j} r_k/r_j) λ_j",
        "gcd-thm-4.2-repaired",
        "gcd-thm-4.4-cvx-b-repaired",
    );
    assert!(two_noises(gcd, "gcd-thm-4.2-repaired", &words).is_some());
    let kl = pair(
        "σ_t = max{N_t/(4 √(d Λ)), 2L_0/(n √(ρ))}",
        "kl-thm-5-priv-repaired",
        "kl-thm-5-repaired",
    );
    assert!(two_noises(kl, "kl-thm-5-repaired", &words).is_some());
    let same = pair(
        "σ^2 = 4 L_0^2 T/(n^2 ρ)",
        "kl-thm-9-priv",
        "kl-thm-9-repaired",
    );
    assert_eq!(two_noises(same, "kl-thm-9-repaired", &words), None);
}

/// A correction of privacy alone is one only if no headline is about the utility of its algorithm.
#[test]
fn where_a_paper_claims_utility_so_does_the_correction() {
    let utility = |h: &&Headline| !entry(h.id).claim.kind.is_privacy();
    for (h, c) in corrected() {
        if let Run::Private { utility: None, .. } = c.run {
            let of = all().map(|(_, h)| h).filter(|o| o.algorithm == h.algorithm);
            let twin = of.filter(utility).map(|o| o.id).next();
            assert_eq!(twin, None, "{} says nothing of utility", c.id);
        }
        if let Run::Private { privacy, .. } = c.run {
            let Entry { claim, .. } = entry(privacy);
            let says = claim.kind.is_privacy() || words(privacy).contains("DP");
            assert!(says, "{privacy} is not about privacy");
        }
    }
}

#[test]
fn what_a_correction_costs_is_a_number_and_every_departure_has_its_reason() {
    for (h, c) in corrected() {
        if let Some(cost) = c.cost {
            let ratio = cost.ratio();
            assert!(ratio.is_finite() && ratio > 0.0, "{}: {ratio}", h.id);
        }
        if let Some(bites_at) = c.bites_at {
            assert!((bites_at.least)() > 1, "{}", h.id);
        }
        assert!(!c.departures.is_empty(), "{} departs in nothing?", h.id);
        for d in c.departures {
            let said = [d.what, d.why, d.cost];
            assert!(said.iter().all(|words| words.len() > 4), "{}: {d:?}", h.id);
        }
    }
}
