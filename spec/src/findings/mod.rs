//! Findings: every printed statement of the papers that does not hold as printed.
//!
//! One entry a printed statement, written like an erratum: where it stands, where it fails, how much
//! that costs in ε or in utility, whether the end-to-end theorem survives, and what holds instead.
//! Classes, counterexamples, survival, repairs and severities are computed from the verdicts of the claims (see
//! [`findings`]); what kind of effect a finding has, its cause, and the theorems that use a statement are written by
//! hand, one table a paper: that of gcd is [`gcd::findings`](mod@crate::gcd::findings).
//!
//! # Severity
//!
//! Two sizes are kept apart: the *worst* that is known, which the counterexample shows, and what is lost in a *realistic*
//! use, that is n = 60,000 records, ε = 1, δ = n⁻² and ordinary ratios of the constants. [`Severity`] follows from them:
//!
//! | severity | a finding that |
//! |---|---|
//! | critical | lets the true ε exceed the claimed one in realistic use; or refutes a headline theorem on privacy, not what one on utility says of it |
//! | major | lets it exceed at some admissible point; needs more noise in realistic use; changes the rate of a headline theorem, or its constant by 2 or more; or leaves one without any object |
//! | minor | changes anything else of what is stated, or a step of a proof whose statement holds |
//! | wording | is settled by reading the sentence as it was meant |
//! | edge | fails only at a degenerate end of the domain, and is proved for the rest |
//!
#![doc = include_str!("summary.md")]

use crate::book::Entry;
use crate::claim::{Paper, Verdict};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

mod effect;
pub mod headline;
mod severity;
mod summary;
pub mod witnessed;

pub use effect::{Effect, EffectKind};
pub use headline::Headline;
pub use severity::Severity;
pub use summary::summary;

/// What is written by hand about one printed statement.
#[derive(Clone, Copy, Debug)]
pub struct Note {
    /// Its id, without `-reading-…` or `-proof…`; with it, that of one claim that is a finding of its own, as its cause or its
    /// severity is another one.
    pub id: &'static str,
    /// Ids of the end-to-end theorems whose result uses it; empty if none does.
    pub theorem: &'static [&'static str],
    /// What is affected, and how its size is computed.
    pub effect: Effect,
    /// The root that it shares with other findings: one construction, or one empty hypothesis.
    pub cause: &'static str,
    /// The size of the effect on ε, or what is affected instead, in words.
    pub words: &'static str,
}

/// How a printed statement fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Every reading of it that was looked at fails.
    Fails,
    /// It fails in one reading and is not refuted in another.
    Ambiguous,
    /// Nothing satisfies its hypotheses.
    Empty,
    /// It holds; a printed proof step or derivation does not.
    Proof,
    /// It is itself a step of a proof, and fails in every reading that was looked at.
    Step,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 5] = [
        Self::Fails,
        Self::Ambiguous,
        Self::Empty,
        Self::Proof,
        Self::Step,
    ];

    /// The class as a heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Fails => "Statements that fail in every reading that was looked at",
            Self::Ambiguous => "Statements that fail in one reading and not in another",
            Self::Empty => "Statements whose hypotheses nothing satisfies",
            Self::Proof => "Statements that are not refuted, with a printed step that is",
            Self::Step => "Steps of proofs that fail in every reading that was looked at",
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
    /// The paper's arXiv id.
    pub arxiv: &'static str,
    /// The paper's title.
    pub title: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// How it fails.
    pub class: Class,
    /// The root that it shares with other findings.
    pub cause: &'static str,
    /// What is affected, and by how much.
    pub effect: Measured,
    /// The refuted and empty claims among the statement, its readings and its proof steps.
    pub claims: Vec<&'static str>,
    /// The readings, proof steps and restrictions that are not refuted.
    pub holding: Vec<&'static str>,
    /// What holds instead, each id once.
    pub repaired: Vec<String>,
    /// The end-to-end theorems that use it, and whether they survive.
    pub theorems: Vec<Survival>,
}

/// The effect of a finding with its computed sizes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// What is affected.
    pub kind: EffectKind,
    /// The largest ratio known: true over claimed ε, needed over printed noise, or true value over printed bound.
    /// `null` where the effect is no ratio, or nobody has computed it.
    pub number: Option<f64>,
    /// The same ratio in realistic use; `null` where it was not computed.
    pub realistic: Option<f64>,
    /// The degenerate end of the domain at which alone it fails; `null` elsewhere.
    pub edge: Option<&'static str>,
    /// The effect in words.
    pub words: &'static str,
}

impl Measured {
    /// How bad it is, in a few words: the ratio in realistic use, or the largest known where that was not computed.
    #[must_use]
    pub fn brief(&self) -> String {
        let of = match self.kind {
            EffectKind::Privacy => "ε",
            EffectKind::Noise => "noise",
            EffectKind::UtilityRate | EffectKind::UtilityConstant => "bound",
            EffectKind::Empty => return String::new(),
            EffectKind::ProofStep => return "a proof step".to_owned(),
            EffectKind::Wording => return "the wording".to_owned(),
        };
        match (self.realistic, self.number, self.edge) {
            (Some(ratio), _, _) if ratio > 1.0 => format!("{of} × {}", short(ratio)),
            (Some(_), Some(worst), _) => format!("holds there; {of} e.g. × {}", short(worst)),
            (_, _, Some(edge)) => format!("at {edge}"),
            (_, Some(worst), _) => format!("{of} e.g. × {}", short(worst)),
            _ if self.kind == EffectKind::UtilityRate => "another rate".to_owned(),
            _ => "another constant".to_owned(),
        }
    }

    /// The kind and the sizes, as a sentence.
    #[must_use]
    pub fn sizes(&self) -> String {
        let mut words = self.kind.words().to_owned();
        let number = self
            .number
            .map(|n| format!("{} times, for example", ratio(n)));
        let holds = |n: f64| if n <= 1.0 { ", where it holds" } else { "" };
        let realistic = self
            .realistic
            .map(|n| format!("in realistic use {} times{}", ratio(n), holds(n)));
        let edge = self.edge.map(|end| format!("only at {end}"));
        for (i, part) in [number, realistic, edge].into_iter().flatten().enumerate() {
            words += if i == 0 { ": " } else { "; " };
            words += &part;
        }
        words + "."
    }
}

/// A ratio with three decimals, or with a power of ten where those would say nothing.
fn ratio(n: f64) -> String {
    match n {
        _ if n >= 1e6 => format!("{n:.1e}"),
        _ => format!("{n:.3}"),
    }
}

/// A ratio with three significant digits, whole from 100 on, with a power of ten where it is long.
fn short(n: f64) -> String {
    match n {
        _ if n >= 1e6 => format!("{n:.0e}"),
        _ if n >= 100.0 => format!("{n:.0}"),
        _ if n >= 10.0 => format!("{n:.1}"),
        _ => format!("{n:.2}"),
    }
}

/// Whether an end-to-end theorem holds as printed.
#[derive(Clone, Debug, Serialize)]
pub struct Survival {
    /// Id of the theorem.
    pub id: &'static str,
    /// Its verdict.
    pub verdict: &'static str,
    /// Where it holds, if it does.
    pub domain: Option<String>,
    /// The restriction of it that holds, if there is one.
    pub restricted: Option<&'static str>,
    /// What holds instead of it.
    pub repaired: Option<String>,
}

impl Survival {
    /// What is left of the theorem, in words that follow its id.
    #[must_use]
    pub fn words(&self) -> String {
        let mut words = match (self.verdict, &self.domain) {
            (verdict, Some(domain)) => format!("survives as printed ({verdict}: {domain})"),
            ("supported" | "cited", _) => format!("is not refuted ({})", self.verdict),
            ("refuted", _) => "fails as printed".to_owned(),
            ("empty", _) => "is empty as printed".to_owned(),
            _ => "is neither proved nor refuted (open)".to_owned(),
        };
        if let Some(id) = self.restricted {
            words += &format!("; a part survives ({id})");
        }
        if let Some(id) = &self.repaired {
            words += &format!("; repaired: {id}");
        }
        words
    }
}

/// All findings from the verdicts of all claims, in the order in which a reader should meet them: by severity; what fails in
/// every reading before what holds in one; the first finding of each cause before its further ones; then privacy first, headline theorems first, a size that is known in
/// realistic use first, the largest first; then in the order of the papers' contents.
#[must_use]
pub fn findings(entries: &[Entry]) -> Vec<Finding> {
    let mut bases: Vec<&'static str> = Vec::new();
    let mut families: BTreeMap<&'static str, Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        let base = base(entry.claim.id);
        families.entry(base).or_default().push(entry);
        if fails(entry) && !bases.contains(&base) {
            bases.push(base);
        }
    }
    let of = |base: &&'static str| finding(base, &families[base], entries);
    let mut found: Vec<Finding> = bases.iter().map(of).collect();
    let part = |f: &Finding| (f.severity, f.class == Class::Ambiguous);
    found.sort_by(|a, b| {
        let ranked = severity::rank(a).total_cmp(&severity::rank(b));
        part(a).cmp(&part(b)).then(ranked)
    });
    let mut met = BTreeSet::new();
    let again = found
        .iter()
        .map(|f| !met.insert(f.cause))
        .collect::<Vec<_>>();
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|&i| (part(&found[i]), again[i]));
    order.into_iter().map(|i| found[i].clone()).collect()
}

/// Whether a claim does not hold as printed: refuted, or empty.
#[must_use]
pub const fn fails(entry: &Entry) -> bool {
    matches!(entry.verdict, Verdict::Refuted(_) | Verdict::Empty(_))
}

/// The id of the printed statement that a claim is about; its own, where a note is about it alone.
#[must_use]
pub fn base(id: &'static str) -> &'static str {
    let mut notes = Paper::ALL.into_iter().flat_map(Paper::notes);
    if notes.any(|note| note.id == id) {
        return id;
    }
    let marks = ["-reading", "-proof", "-restricted", "-repaired"];
    let end = marks.iter().filter_map(|mark| id.find(mark)).min();
    &id[..end.unwrap_or(id.len())]
}

fn finding(base: &'static str, family: &[&Entry], entries: &[Entry]) -> Finding {
    let paper = family[0].claim.paper();
    let note = paper.notes().iter().find(|n| n.id == base);
    let mut claims = Vec::new();
    let mut holding = Vec::new();
    let mut repaired: Vec<String> = Vec::new();
    let holds = |id: &str| { entries.iter() }.any(|e| e.claim.id == id && e.verdict.holds());
    for entry in family {
        if fails(entry) {
            let id = entry.claim.id;
            claims.push(id);
            for repair in headline::instead(id, holds)
                .into_iter()
                .chain(entry.verdict.repaired())
            {
                if !repaired.iter().any(|known| known == repair) {
                    repaired.push(repair.to_owned());
                }
            }
        } else if !entry.claim.id.contains("-repaired") {
            holding.push(entry.claim.id);
        }
    }
    let class = class(base, family);
    let effect = effect::measured(note, class, family);
    let theorem = note.map_or(&[][..], |n| n.theorem);
    Finding {
        id: base,
        paper,
        arxiv: paper.source().arxiv,
        title: paper.source().title,
        severity: severity::of(base, paper, class, &effect, theorem),
        class,
        cause: note.map_or(base, |n| n.cause),
        effect,
        claims,
        holding,
        repaired,
        theorems: (theorem.iter())
            .filter_map(|id| survival(id, entries))
            .collect(),
    }
}

fn class(base: &str, family: &[&Entry]) -> Class {
    let statement = |e: &&&Entry| {
        let rest = &e.claim.id[base.len()..];
        rest.is_empty() || (rest.starts_with("-reading") && !rest.contains("-repaired"))
    };
    let refuted = |e: &&Entry| matches!(e.verdict, Verdict::Refuted(_));
    let empty = |e: &&Entry| e.claim.id == base && matches!(e.verdict, Verdict::Empty(_));
    let (failing, all) = family
        .iter()
        .filter(statement)
        .fold((0, 0), |(failing, all), e| {
            (failing + usize::from(refuted(e)), all + 1)
        });
    match failing {
        _ if family.iter().any(empty) => Class::Empty,
        0 => Class::Proof,
        n if n == all
            && family
                .iter()
                .any(|e| e.claim.id == base && e.claim.is_step()) =>
        {
            Class::Step
        }
        // A reading that is a finding of its own is one of several.
        n if n == all && !base.contains("-reading") => Class::Fails,
        _ => Class::Ambiguous,
    }
}

fn survival(id: &str, entries: &[Entry]) -> Option<Survival> {
    let entry = entries.iter().find(|e| e.claim.id == id)?;
    let restricted = entries
        .iter()
        .find(|e| e.verdict.holds() && e.claim.id.strip_suffix("-restricted") == Some(id));
    Some(Survival {
        id: entry.claim.id,
        verdict: entry.verdict.name(),
        domain: entry.verdict.proof().map(|p| p.domain.clone()),
        restricted: restricted
            .filter(|_| !entry.verdict.holds())
            .map(|e| e.claim.id),
        repaired: entry.verdict.repaired().map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ratio in realistic use goes first; where the print holds there, that is said.
    #[test]
    fn an_effect_is_told_in_a_few_words() {
        let told = |kind, number, realistic, edge| {
            Measured {
                kind,
                number,
                realistic,
                edge,
                words: "",
            }
            .brief()
        };
        for (found, words) in [
            (
                told(EffectKind::Privacy, Some(5.35), Some(1.429), None),
                "ε × 1.43",
            ),
            (
                told(EffectKind::Privacy, Some(7.0951), None, None),
                "ε e.g. × 7.10",
            ),
            (
                told(EffectKind::UtilityRate, Some(113.3), Some(0.717), None),
                "holds there; bound e.g. × 113",
            ),
            (
                told(EffectKind::UtilityRate, Some(1.36e23), None, None),
                "bound e.g. × 1e23",
            ),
            (
                told(EffectKind::UtilityConstant, Some(1.9), None, Some("n = 1")),
                "at n = 1",
            ),
            (
                told(EffectKind::UtilityRate, None, None, None),
                "another rate",
            ),
            (told(EffectKind::Empty, None, None, None), ""),
        ] {
            assert_eq!(found, words);
        }
    }
}
