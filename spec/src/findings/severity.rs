//! How bad a finding is, by a rule.

use super::{Class, EffectKind, Finding, Measured};
use crate::claim::Paper;
use serde::Serialize;
use std::fmt;

/// How bad a finding is, worst first; the rule stands in [the module](mod@super).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Privacy is lost in realistic use, or a headline theorem on privacy is false.
    Critical,
    /// Privacy is lost somewhere, noise is missing, or a headline theorem on utility changes.
    Major,
    /// Anything else of what is stated or proved.
    Minor,
    /// The sentence, not what was meant.
    Wording,
    /// A degenerate end only.
    Edge,
}

impl Severity {
    /// All severities, worst first.
    pub const ALL: [Self; 5] = [
        Self::Critical,
        Self::Major,
        Self::Minor,
        Self::Wording,
        Self::Edge,
    ];

    /// The severity in a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::Major => "major",
            Self::Minor => "minor",
            Self::Wording => "wording",
            Self::Edge => "edge",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Severity {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|severity| severity.name() == s);
        named.ok_or_else(|| {
            format!("severity `{s}` is not one of critical, major, minor, wording, edge")
        })
    }
}

/// A ratio from which on a constant of a headline theorem, or missing noise, is major.
const LARGE: f64 = 2.0;

fn is_headline(paper: Paper, id: &str) -> bool {
    paper.headlines().iter().any(|h| h.id == id)
}

/// By the rule. A statement on privacy is a theorem on it where its note has it among the `theorems`; else it is what a theorem on
/// utility says of privacy.
pub(super) fn of(
    base: &str,
    paper: Paper,
    class: Class,
    effect: &Measured,
    theorems: &[&str],
) -> Severity {
    use EffectKind::{Empty, Noise, Privacy, ProofStep, UtilityConstant, UtilityRate, Wording};
    let headline = is_headline(paper, base);
    let on_privacy = headline && theorems.contains(&base);
    let exceeds = |ratio: Option<f64>| ratio.is_some_and(|r| r > 1.0);
    let large = |ratio: Option<f64>| ratio.is_some_and(|r| r >= LARGE);
    match effect.kind {
        _ if effect.edge.is_some() => Severity::Edge,
        Wording => Severity::Wording,
        _ if class == Class::Proof => Severity::Minor,
        Privacy if exceeds(effect.realistic) || on_privacy => Severity::Critical,
        Privacy => Severity::Major,
        Noise if exceeds(effect.realistic) => Severity::Major,
        _ if headline && class == Class::Empty => Severity::Major,
        UtilityRate if headline => Severity::Major,
        UtilityConstant if headline && large(effect.number) => Severity::Major,
        Noise | UtilityRate | UtilityConstant | Empty | ProofStep => Severity::Minor,
    }
}

/// A number that puts findings in the order of reading: severity, kind of effect, headline, size.
pub(super) fn rank(finding: &Finding) -> f64 {
    let headline = is_headline(finding.paper, finding.id);
    // In (0, 1], smaller for larger ratios; what is known of a realistic use counts before the worst case.
    let smaller = |ratio: f64| 1.0 / ratio.max(1.0);
    let size = match (finding.effect.realistic, finding.effect.number) {
        (Some(realistic), _) => smaller(realistic),
        (None, Some(worst)) => 1.0 + smaller(worst),
        (None, None) => 2.0,
    };
    let kind = finding.effect.kind as usize as f64;
    let severity = finding.severity as usize as f64;
    severity * 100.0 + kind * 10.0 + if headline { 0.0 } else { 5.0 } + size
}
