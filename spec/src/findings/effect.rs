//! What a finding affects, and by how much.

use super::{Class, Finding, Measured, Note};
use crate::book::Entry;
use crate::claim::Verdict;
use serde::Serialize;

/// What is affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EffectKind {
    /// The true ε exceeds the claimed one.
    Privacy,
    /// A claimed ε needs more noise than printed to be proved.
    Noise,
    /// The rate of a utility bound changes, or what it depends on.
    UtilityRate,
    /// The rate stays, with a larger constant.
    UtilityConstant,
    /// Only trivial problems satisfy the hypotheses, or none, so that nothing is said.
    Empty,
    /// A step of the printed proof.
    ProofStep,
    /// The wording only.
    Wording,
}

impl EffectKind {
    /// What is affected, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Privacy => "Privacy: true ε over claimed ε",
            Self::Noise => "Noise: needed over printed scale",
            Self::UtilityRate => "Utility: another rate",
            Self::UtilityConstant => "Utility: another constant",
            Self::Empty => "Only trivial problems satisfy the hypotheses, or none",
            Self::ProofStep => "A step of the proof",
            Self::Wording => "The wording",
        }
    }
}

/// Computes a ratio.
type Ratio = fn() -> f64;

/// The kind of an effect, with what its sizes are computed by.
#[derive(Clone, Copy, Debug)]
pub struct Effect {
    /// What is affected.
    pub kind: EffectKind,
    /// The largest ratio known. Without it, the ratio of the two sides at the counterexample, where that is one.
    pub worst: Option<Ratio>,
    /// The ratio in realistic use.
    pub realistic: Option<Ratio>,
    /// The degenerate end at which alone the statement fails.
    pub edge: Option<&'static str>,
    /// A failing claim of the finding whose largest ratio is another one, with that ratio.
    pub apart: Option<(&'static str, Ratio)>,
}

impl Effect {
    /// An effect of this kind whose sizes nobody computes.
    #[must_use]
    pub const fn of(kind: EffectKind) -> Self {
        Self {
            kind,
            worst: None,
            realistic: None,
            edge: None,
            apart: None,
        }
    }

    /// With a computation of the largest ratio known.
    #[must_use]
    pub const fn worst(mut self, ratio: Ratio) -> Self {
        self.worst = Some(ratio);
        self
    }

    /// With a computation of the ratio at n = 60,000, ε = 1, δ = n⁻² and ordinary ratios of the constants.
    #[must_use]
    pub const fn realistic(mut self, ratio: Ratio) -> Self {
        self.realistic = Some(ratio);
        self
    }

    /// With the largest ratio known of one of the claims, where that is not the finding's.
    #[must_use]
    pub const fn apart(mut self, claim: &'static str, ratio: Ratio) -> Self {
        self.apart = Some((claim, ratio));
        self
    }

    /// At this degenerate end only.
    #[must_use]
    pub const fn edge(mut self, end: &'static str) -> Self {
        self.edge = Some(end);
        self
    }
}

/// The effect of a finding with its sizes. Where no note speaks of it, a statement that is not itself refuted is
/// affected in its proof only.
pub(super) fn measured(note: Option<&Note>, class: Class, family: &[&Entry]) -> Measured {
    let unwritten = Effect::of(match class {
        Class::Proof => EffectKind::ProofStep,
        _ => EffectKind::UtilityRate,
    });
    let mut effect = note.map_or(unwritten, |n| n.effect);
    if class == Class::Empty && effect.worst.is_none() {
        effect.kind = EffectKind::Empty;
    }
    // A ratio of utilities is that of the two sides; a ratio of ε is not that of two δ.
    let sides = matches!(effect.kind, EffectKind::UtilityConstant)
        .then(|| family.iter().filter_map(|e| factor(e)).reduce(f64::max))
        .flatten();
    Measured {
        kind: effect.kind,
        number: effect.worst.map(|ratio| ratio()).or(sides),
        realistic: effect.realistic.map(|ratio| ratio()),
        edge: effect.edge,
        words: note.map_or("not written up yet", |n| n.words),
    }
}

impl Finding {
    /// The effect of one of its failing claims, with sizes where these are of it. Beside a statement that fails itself a
    /// step affects the proof; and what is refuted beside an empty statement is not empty, nor the other way round.
    #[must_use]
    pub fn effect_of(&self, entry: &Entry) -> Measured {
        let without_sizes = |kind| Measured {
            kind,
            number: None,
            realistic: None,
            edge: None,
            words: self.effect.words,
        };
        let beyond = entry.claim.id.strip_prefix(self.id);
        let step = beyond.is_some_and(|rest| rest.contains("-proof"));
        let note = self.paper.notes().iter().find(|note| note.id == self.id);
        let apart = note.and_then(|note| note.effect.apart);
        if matches!(entry.verdict, Verdict::Empty(_)) {
            without_sizes(EffectKind::Empty)
        } else if step && self.class != Class::Proof {
            without_sizes(EffectKind::ProofStep)
        } else if self.effect.kind == EffectKind::Empty {
            measured(note, Class::Fails, &[entry])
        } else if let Some((_, ratio)) = apart.filter(|(id, _)| *id == entry.claim.id) {
            Measured {
                number: Some(ratio()),
                ..self.effect.clone()
            }
        } else {
            self.effect.clone()
        }
    }
}

fn factor(entry: &Entry) -> Option<f64> {
    match &entry.verdict {
        Verdict::Refuted(r) => r.factor,
        _ => None,
    }
}
