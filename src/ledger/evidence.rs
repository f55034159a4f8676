//! Stored statistics that settle what the specification leaves open.
//!
//! A campaign (`dp-assay experiment decor-claims --full`) asks questions of the form "does this event
//! happen in more than half of all draws?" and stores how often it happened in two independent samples.
//! The verdict is computed here, from the counts: a claim is supported if the Clopper–Pearson lower bound
//! of every one of its questions, from all draws, is above ½; it is refuted if the upper bound of one
//! question is below ½ in the first sample, and again in the fresh one alone. Each of these three bounds has
//! the same share of the file's error probability.
//!
//! Counts belong to a claim as it is encoded and to the [`PROTOCOL`] by which they were drawn: if either has changed
//! since, the fingerprint differs and the claim is open again.
//!
//! ```
//! use dp_assay::ledger::evidence::{Question, Tally};
//!
//! let question = Question {
//!     claim: "decor-claim".to_owned(),
//!     event: "DECOR has the smaller error".to_owned(),
//!     first: Tally { successes: 28, trials: 30 },
//!     fresh: Tally { successes: 27, trials: 30 },
//! };
//! let text = serde_json::to_string(&question)?;
//! assert_eq!(serde_json::from_str::<Question>(&text)?, question);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::audit::interval::{rate_lower, rate_upper};
use dp_assay_spec::claim::{Claim, Refutation, Support, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the layout of [`Evidence`].
pub const SCHEMA: &str = "dp-assay/evidence/1";

/// Probability that the file supports or refutes anything wrongly.
pub const ALPHA: f64 = 1e-6;

/// What is asked and how data and noise are made, as a number that names it. A test of the gate draws some of it again and
/// is red when it has changed: then this number is to be raised, and the campaign to be run again.
pub const PROTOCOL: &str = "1";

/// What one campaign stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// The experiment that asked.
    pub experiment: String,
    /// Day of the run, as in 2026-01-31.
    pub date: String,
    /// Commit of the program that ran.
    pub commit: String,
    /// Every random choice follows from it.
    pub seed: u64,
    /// The data used.
    pub data: Vec<String>,
    /// For every claim the fingerprint of its encoding and of the protocol.
    pub fingerprints: BTreeMap<String, String>,
    /// What was asked, and the counts.
    pub questions: Vec<Question>,
}

/// A question about a claim: does the event happen in more than half of all draws?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The claim's id.
    pub claim: String,
    /// The event, in words.
    pub event: String,
    /// The first sample.
    pub first: Tally,
    /// Draws that are independent of the first.
    pub fresh: Tally,
}

/// How often an event happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Draws in which it happened.
    pub successes: u64,
    /// Draws.
    pub trials: u64,
}

/// The committed evidence.
///
/// # Errors
/// The file is not of the form; a test reads it.
pub fn stored() -> Result<Vec<Evidence>, serde_json::Error> {
    serde_json::from_str(include_str!("evidence.json"))
}

/// What counts belong to: the claim as encoded, and the protocol (FNV-1a, 64 bits: a guard against
/// forgetting, not against forgery).
///
/// ```
/// use dp_assay::ledger::evidence::{fingerprint, stored, tried, verdict};
///
/// let evidence = stored()?;
/// assert!(evidence.iter().all(|campaign| !campaign.questions.is_empty()));
/// for claim in dp_assay_spec::claims().iter().take(3) {
///     assert_eq!(fingerprint(claim).len(), 16); // hexadecimal digits
///     // Without evidence nothing is said.
///     assert!(verdict(claim, &[]).is_none() && tried(claim, &[]).is_none());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn fingerprint(claim: &Claim) -> String {
    let kind = format!("{:?}", claim.kind);
    let encoding = [
        claim.id,
        claim.place,
        &kind,
        claim.statement,
        claim.hypotheses,
    ];
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for text in encoding.into_iter().chain([PROTOCOL]) {
        // The length keeps apart what is divided differently.
        for byte in (text.len() as u64)
            .to_le_bytes()
            .iter()
            .chain(text.as_bytes())
        {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

/// What the evidence says about an open claim; `None` if there is none, or only stale one.
#[must_use]
pub fn verdict(claim: &Claim, evidence: &[Evidence]) -> Option<Verdict> {
    let current = fingerprint(claim);
    evidence
        .iter()
        .filter(|e| e.fingerprints.get(claim.id) == Some(&current))
        .find_map(|e| e.verdict(claim.id))
}

/// What was tried on a claim that stays open: which questions the counts leave undecided. `None` if none were asked, or
/// the counts are stale.
#[must_use]
pub fn tried(claim: &Claim, evidence: &[Evidence]) -> Option<String> {
    let current = fingerprint(claim);
    let mut fresh = evidence
        .iter()
        .filter(|e| e.fingerprints.get(claim.id) == Some(&current));
    let (source, asked) = fresh.find_map(|e| {
        let asked: Vec<&Question> = e.questions.iter().filter(|q| q.claim == claim.id).collect();
        (!asked.is_empty()).then_some((e, asked))
    })?;
    let share = source.share();
    let undecided: Vec<&&Question> = asked.iter().filter(|q| q.lower(share) <= 0.5).collect();
    let counts = |q: &&&Question| {
        let Tally { successes, trials } = q.all();
        format!("{}: in {successes} of {trials} draws", q.event)
    };
    let counts: Vec<String> = undecided.iter().map(counts).collect();
    Some(format!(
        "{} sign tests, {}; {} of them do not show that the event happens in more than half of all \
         draws, nor that it does not: {}. Missing are more draws of these",
        asked.len(),
        source.source(),
        undecided.len(),
        counts.join("; ")
    ))
}

impl Evidence {
    /// The error probability of one bound.
    fn share(&self) -> f64 {
        ALPHA / (3 * self.questions.len().max(1)) as f64
    }

    fn verdict(&self, claim: &str) -> Option<Verdict> {
        let asked: Vec<&Question> = self.questions.iter().filter(|q| q.claim == claim).collect();
        if asked.is_empty() {
            return None;
        }
        if let Some(failed) = asked.iter().find(|q| q.fails(self.share())) {
            return Some(self.refuted(failed));
        }
        let lower = asked
            .iter()
            .map(|q| q.lower(self.share()))
            .fold(1.0, f64::min);
        (lower > 0.5).then(|| self.supported(&asked, lower))
    }

    fn refuted(&self, question: &Question) -> Verdict {
        let Question {
            event,
            first,
            fresh,
            ..
        } = question;
        let upper = fresh.upper(self.share());
        Verdict::Refuted(Refutation {
            counterexample: format!(
                "{event}: in {} of {} draws, and in {} of {} fresh ones",
                first.successes, first.trials, fresh.successes, fresh.trials
            ),
            evidence: format!(
                "sign test, {}: the event happens in at most {upper:.3} of all draws, each sample \
                 by itself",
                self.source()
            ),
            factor: None,
            repaired: None,
        })
    }

    fn supported(&self, asked: &[&Question], lower: f64) -> Verdict {
        let trials = asked.iter().map(|q| q.all().trials).sum();
        let missed: u64 = asked
            .iter()
            .map(|q| q.all().trials - q.all().successes)
            .sum();
        Verdict::Supported(Support {
            false_alarm: Some(ALPHA),
            trials,
            evidence: format!(
                "{} sign tests, {}: not so in {missed} of {trials} draws; each event happens in at \
                 least {lower:.3} of all draws. First of them: {}",
                asked.len(),
                self.source(),
                asked[0].event
            ),
        })
    }

    fn source(&self) -> String {
        format!(
            "{} of {} at {}, seed {}, error probability {ALPHA:e} for the file",
            self.experiment, self.date, self.commit, self.seed
        )
    }
}

impl Question {
    fn all(&self) -> Tally {
        Tally {
            successes: self.first.successes + self.fresh.successes,
            trials: self.first.trials + self.fresh.trials,
        }
    }

    fn lower(&self, share: f64) -> f64 {
        let all = self.all();
        rate_lower(all.successes.min(all.trials), all.trials, share)
    }

    fn fails(&self, share: f64) -> bool {
        self.first.upper(share) < 0.5 && self.fresh.upper(share) < 0.5
    }
}

impl Tally {
    fn upper(&self, share: f64) -> f64 {
        if self.trials == 0 {
            return 1.0;
        }
        rate_upper(self.successes.min(self.trials), self.trials, share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim() -> Claim {
        let claims = dp_assay_spec::claims();
        *claims
            .iter()
            .find(|c| c.id == "decor-exp-1")
            .expect("a claim")
    }

    fn evidence(tallies: &[[u64; 2]]) -> Evidence {
        let question = |[first, fresh]: &[u64; 2]| Question {
            claim: "decor-exp-1".to_owned(),
            event: "it happens".to_owned(),
            first: Tally {
                successes: *first,
                trials: 30,
            },
            fresh: Tally {
                successes: *fresh,
                trials: 30,
            },
        };
        Evidence {
            schema: SCHEMA.to_owned(),
            experiment: "test".to_owned(),
            date: "2026-01-01".to_owned(),
            commit: "none".to_owned(),
            seed: 0,
            data: Vec::new(),
            fingerprints: [("decor-exp-1".to_owned(), fingerprint(&claim()))].into(),
            questions: tallies.iter().map(question).collect(),
        }
    }

    fn name(tallies: &[[u64; 2]]) -> Option<&'static str> {
        verdict(&claim(), &[evidence(tallies)]).map(|v| v.name())
    }

    #[test]
    fn counts_decide_and_a_refutation_needs_both_samples() {
        assert_eq!(name(&[[30, 30], [29, 30]]), Some("supported"));
        // 45 of 60: Pr[Bin(60, ½) ≥ 45] = 6.6e-5 is no evidence at a share of 1.7e-7.
        assert_eq!(name(&[[30, 30], [22, 23]]), None);
        // Pr[Bin(30, ½) ≤ 1] = 2.9e-8 is below the share, Pr[Bin(30, ½) ≤ 2] = 4.3e-7 above it.
        assert_eq!(name(&[[30, 30], [0, 1]]), Some("refuted"));
        assert_eq!(name(&[[30, 30], [0, 2]]), None);
        assert_eq!(name(&[[0, 15]]), None);
        assert_eq!(name(&[[15, 0]]), None);
        assert_eq!(name(&[]), None);
    }

    #[test]
    fn counts_are_told_as_they_are() {
        let found = |tallies: &[[u64; 2]]| verdict(&claim(), &[evidence(tallies)]);
        let Some(Verdict::Supported(support)) = found(&[[30, 30], [29, 28]]) else {
            panic!("each happens in more than half of all draws")
        };
        let lower = rate_lower(57, 60, ALPHA / 6.0);
        let told =
            format!("not so in 3 of 120 draws; each event happens in at least {lower:.3} of all");
        assert!(support.evidence.contains(&told), "{}", support.evidence);
        assert_eq!((support.trials, support.false_alarm), (120, Some(ALPHA)));
        let Some(Verdict::Refuted(refutation)) = found(&[[30, 30], [0, 1]]) else {
            panic!("the second happens in less than half of all draws")
        };
        let upper = rate_upper(1, 30, ALPHA / 6.0);
        let told = format!("the event happens in at most {upper:.3} of all draws, each sample");
        assert!(
            refutation.evidence.contains(&told),
            "{}",
            refutation.evidence
        );
        let counts = "it happens: in 0 of 30 draws, and in 1 of 30 fresh ones";
        assert_eq!(refutation.counterexample, counts);
    }

    #[test]
    fn what_was_tried_without_success_is_told() {
        let told = |tallies: &[[u64; 2]]| tried(&claim(), &[evidence(tallies)]);
        let text = told(&[[30, 30], [22, 23], [20, 20]]).expect("asked");
        assert!(
            text.starts_with("3 sign tests") && text.contains("2 of them"),
            "{text}"
        );
        assert!(text.contains("it happens: in 45 of 60 draws; it happens: in 40 of 60 draws"));
        let source = "test of 2026-01-01 at none, seed 0, error probability 1e-6 for the file";
        assert!(text.contains(source), "{text}");
        assert_eq!(told(&[]), None);
        let changed = Claim {
            statement: "something else",
            ..claim()
        };
        assert_eq!(tried(&changed, &[evidence(&[[22, 23]])]), None);
    }

    #[test]
    fn a_changed_claim_or_protocol_is_open_again() {
        let stored = evidence(&[[30, 30]]);
        let changed = Claim {
            statement: "something else",
            ..claim()
        };
        assert!(verdict(&claim(), std::slice::from_ref(&stored)).is_some());
        assert!(verdict(&changed, &[stored]).is_none());
    }

    #[test]
    fn the_committed_evidence_is_of_the_form_and_adds_up() {
        for evidence in stored().expect("of the form") {
            assert_eq!(evidence.schema, SCHEMA);
            assert!(!evidence.questions.is_empty() && !evidence.commit.is_empty());
            for question in &evidence.questions {
                assert!(evidence.fingerprints.contains_key(&question.claim));
                for tally in [question.first, question.fresh] {
                    assert!(tally.successes <= tally.trials && tally.trials > 0);
                }
            }
        }
    }
}
