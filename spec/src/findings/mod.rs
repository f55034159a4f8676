//! Findings: every printed statement of the papers that does not hold as printed.
//!
//! One entry a printed statement, written like an erratum: where it stands, where it fails, how much
//! that costs in ε or in utility, whether the end-to-end theorem survives, and what holds instead.
//! Classes, counterexamples, survival and repairs are computed from the verdicts of the claims (see
//! [`findings`]); only the size of the effect and the theorems that use a statement are written by
//! hand, one table a paper. One chapter a paper:
//! [`skgd`](mod@skgd), [`gcd`](mod@gcd), [`decor`](mod@decor), [`kl`](mod@kl), [`ambssgd`](mod@ambssgd).
//!
#![doc = include_str!("summary.md")]

use crate::book::Entry;
use crate::claim::{Paper, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

pub mod ambssgd;
pub mod chapter;
pub mod decor;
pub mod gcd;
pub mod kl;
pub mod skgd;

/// What is written by hand about one printed statement.
#[derive(Clone, Copy, Debug)]
pub struct Note {
    /// Its id, without `-reading-…` or `-proof…`.
    pub id: &'static str,
    /// Ids of the end-to-end theorems whose result uses it; empty if none does.
    pub theorem: &'static [&'static str],
    /// The size of the effect on ε, or what is affected instead.
    pub effect: &'static str,
}

/// The notes on one paper.
#[must_use]
pub const fn notes(paper: Paper) -> &'static [Note] {
    match paper {
        Paper::Skgd => &skgd::NOTES,
        Paper::Gcd => &gcd::NOTES,
        Paper::Decor => &decor::NOTES,
        Paper::Kl => &kl::NOTES,
        Paper::Ambssgd => &ambssgd::NOTES,
    }
}

/// How a printed statement fails; worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// No reading of it holds.
    Fails,
    /// It holds in one reading and fails in another.
    Ambiguous,
    /// Nothing satisfies its hypotheses.
    Vacuous,
    /// It holds; a printed proof step or derivation does not.
    Proof,
}

impl Class {
    /// All classes, worst first.
    pub const ALL: [Self; 4] = [Self::Fails, Self::Ambiguous, Self::Vacuous, Self::Proof];

    /// The class as a heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Fails => "Statements that fail in every reading",
            Self::Ambiguous => "Statements that hold in one reading and fail in another",
            Self::Vacuous => "Statements whose hypotheses nothing satisfies",
            Self::Proof => "Statements that hold, with a printed step that does not",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

/// One printed statement that does not hold as printed, with its readings and proof steps.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// Id of the statement.
    pub id: &'static str,
    /// The paper it stands in.
    pub paper: Paper,
    /// How it fails.
    pub class: Class,
    /// The refuted claims among the statement, its readings and its proof steps.
    pub refuted: Vec<&'static str>,
    /// The readings, proof steps and restrictions that are not refuted.
    pub holding: Vec<&'static str>,
    /// What holds instead, each id once.
    pub repaired: Vec<String>,
    /// The end-to-end theorems that use it, and whether they survive.
    pub theorems: Vec<Survival>,
    /// The size of the effect; `None` where no note is written yet.
    pub effect: Option<&'static str>,
}

/// Whether an end-to-end theorem holds as printed.
#[derive(Clone, Debug, Serialize)]
pub struct Survival {
    /// Id of the theorem.
    pub id: &'static str,
    /// Its verdict.
    pub verdict: &'static str,
    /// Where it is proved, if it is.
    pub domain: Option<String>,
    /// Whether nothing satisfies its hypotheses.
    pub vacuous: bool,
    /// The proved restriction of it, if there is one.
    pub restricted: Option<&'static str>,
    /// What holds instead of it.
    pub repaired: Option<String>,
}

impl Survival {
    /// What is left of the theorem, in words that follow its id.
    #[must_use]
    pub fn words(&self) -> String {
        let mut words = match (self.verdict, &self.domain, self.vacuous) {
            ("proved", Some(domain), _) => format!("survives as printed (proved: {domain})"),
            ("supported", ..) => "is not refuted (supported)".to_owned(),
            ("refuted", _, true) => "is empty as printed".to_owned(),
            ("refuted", _, false) => "fails as printed".to_owned(),
            _ => "is neither proved nor refuted (open)".to_owned(),
        };
        if let Some(id) = self.restricted {
            words += &format!("; a part survives (proved: {id})");
        }
        if let Some(id) = &self.repaired {
            words += &format!("; repaired: {id}");
        }
        words
    }
}

/// All findings in the order of the papers' contents, from the verdicts of all claims.
#[must_use]
pub fn findings(entries: &[Entry]) -> Vec<Finding> {
    let mut bases: Vec<&'static str> = Vec::new();
    let mut families: BTreeMap<&'static str, Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        let base = base(entry.claim.id);
        families.entry(base).or_default().push(entry);
        if matches!(entry.verdict, Verdict::Refuted(_)) && !bases.contains(&base) {
            bases.push(base);
        }
    }
    let of = |base: &&'static str| finding(base, &families[base], entries);
    bases.iter().map(of).collect()
}

/// The id of the printed statement that a claim is about.
fn base(id: &'static str) -> &'static str {
    let marks = ["-reading", "-proof", "-restricted", "-repaired"];
    let end = marks.iter().filter_map(|mark| id.find(mark)).min();
    &id[..end.unwrap_or(id.len())]
}

fn finding(base: &'static str, family: &[&Entry], entries: &[Entry]) -> Finding {
    let note = notes(family[0].claim.paper).iter().find(|n| n.id == base);
    let repair = |id: &str| id.contains("-repaired");
    let mut refuted = Vec::new();
    let mut holding = Vec::new();
    let mut repaired: Vec<String> = Vec::new();
    for entry in family {
        match &entry.verdict {
            Verdict::Refuted(r) => {
                refuted.push(entry.claim.id);
                repaired.extend(
                    r.repaired
                        .iter()
                        .filter(|id| !repaired.contains(id))
                        .cloned()
                        .collect::<Vec<_>>(),
                );
            }
            _ if !repair(entry.claim.id) => holding.push(entry.claim.id),
            _ => {}
        }
    }
    Finding {
        id: base,
        paper: family[0].claim.paper,
        class: class(base, family),
        refuted,
        holding,
        repaired,
        theorems: note
            .map_or(&[][..], |n| n.theorem)
            .iter()
            .filter_map(|id| survival(id, entries))
            .collect(),
        effect: note.map(|n| n.effect),
    }
}

fn class(base: &str, family: &[&Entry]) -> Class {
    let statement = |e: &&&Entry| {
        let rest = &e.claim.id[base.len()..];
        rest.is_empty() || (rest.starts_with("-reading") && !rest.contains("-repaired"))
    };
    let refuted = |e: &&Entry| matches!(e.verdict, Verdict::Refuted(_));
    let empty =
        |e: &&Entry| e.claim.id == base && matches!(&e.verdict, Verdict::Refuted(r) if r.vacuous);
    let (failing, all) = family
        .iter()
        .filter(statement)
        .fold((0, 0), |(failing, all), e| {
            (failing + usize::from(refuted(e)), all + 1)
        });
    match failing {
        _ if family.iter().any(empty) => Class::Vacuous,
        0 => Class::Proof,
        n if n == all => Class::Fails,
        _ => Class::Ambiguous,
    }
}

fn survival(id: &str, entries: &[Entry]) -> Option<Survival> {
    let entry = entries.iter().find(|e| e.claim.id == id)?;
    let (proof, refutation) = match &entry.verdict {
        Verdict::Proved(p) => (Some(p), None),
        Verdict::Refuted(r) => (None, Some(r)),
        _ => (None, None),
    };
    let restricted = entries.iter().find(|e| {
        let proved = matches!(e.verdict, Verdict::Proved(_));
        proved && e.claim.id.strip_suffix("-restricted") == Some(id)
    });
    Some(Survival {
        id: entry.claim.id,
        verdict: entry.verdict.name(),
        domain: proof.map(|p| p.domain.clone()),
        vacuous: refutation.is_some_and(|r| r.vacuous),
        restricted: restricted.filter(|_| proof.is_none()).map(|e| e.claim.id),
        repaired: refutation.and_then(|r| r.repaired.clone()),
    })
}
