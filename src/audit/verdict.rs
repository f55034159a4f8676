//! What an audit is asked and what it answers. The format is `spec/formats/result.md`.

use crate::audit::event::Event;
use crate::audit::features::Layout;
use crate::audit::number;
use crate::units::{Delta, Epsilon, Neighbouring, UnitError, at_least, at_most};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A claim of (ε, δ)-differential privacy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "cli",
    derive(schemars::JsonSchema),
    schemars(rename = "Claim")
)]
pub struct Guarantee {
    /// ε ≥ 0, in nats.
    #[cfg_attr(feature = "cli", schemars(with = "f64"))]
    pub epsilon: Epsilon,
    /// δ in \[0, 1).
    #[cfg_attr(feature = "cli", schemars(with = "f64"))]
    pub delta: Delta,
}

impl Guarantee {
    /// Checks both parameters.
    ///
    /// ```
    /// use dp_assay::audit::Guarantee;
    ///
    /// let claim = Guarantee::new(1.0, 0.5)?;
    /// assert_eq!((claim.epsilon.get(), claim.delta.get()), (1.0, 0.5));
    /// assert_eq!(claim.to_string(), "(1, 0.5)");
    /// assert!(Guarantee::new(1.0, 1.0).is_err()); // claims nothing
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When ε is not finite and ≥ 0, or δ is not in \[0, 1): δ = 1 claims nothing.
    pub fn new(epsilon: f64, delta: f64) -> Result<Self, UnitError> {
        let epsilon = Epsilon::new(epsilon)?;
        if delta == 1.0 {
            return Err(UnitError {
                quantity: "delta",
                value: delta,
                rule: "must be below 1 to claim anything",
            });
        }
        let delta = Delta::new(delta)?;
        Ok(Self { epsilon, delta })
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.epsilon, self.delta)
    }
}

/// What of a run is taken as released.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Release {
    /// Every noised value of the run.
    Transcript,
    /// The final answer alone.
    #[default]
    Final,
}

impl Release {
    /// The spelling in flags and results.
    ///
    /// ```
    /// use dp_assay::audit::Release;
    ///
    /// assert_eq!(Release::default(), Release::Final);
    /// assert_eq!(Release::Transcript.name(), "transcript");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transcript => "transcript",
            Self::Final => "final",
        }
    }
}

/// What an audit concludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "SCREAMING-KEBAB-CASE")]
pub enum Verdict {
    /// The claim is false; wrong with probability at most `1 − confidence`.
    Violation,
    /// No violation was found, nor what a true claim shows in fewer than one audit of a thousand, and a violation of the size stated would
    /// have been found.
    PassWithPower,
    /// No violation was found, but one of the size asked for would not have been, or much speaks against the claim.
    Inconclusive,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Violation => "VIOLATION",
            Self::PassWithPower => "PASS-WITH-POWER",
            Self::Inconclusive => "INCONCLUSIVE",
        })
    }
}

/// How probable it is at most that a true claim meets with so much wealth: Ville's inequality.
fn chance(log_wealth: f64) -> f64 {
    (-log_wealth).exp().min(1.0)
}

/// Why an audit that refutes nothing is no pass: what a true claim hardly ever meets with speaks against this one.
pub(crate) fn doubted(log_wealth: f64) -> Option<String> {
    /// A claim that is just true is doubted no more often than this.
    const SELDOM: f64 = 1e-3;
    let chance = chance(log_wealth);
    (chance < SELDOM).then(|| {
        format!(
            "a true claim shows as much against it with probability {} at most: too much for a \
             pass, too little for a violation; draw more pairs",
            mass(chance)
        )
    })
}

/// How often an event happened on each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Counts {
    /// Times the event happened on the first input.
    pub hits0: u64,
    /// Times the event happened on the second input.
    pub hits1: u64,
    /// Runs on each side.
    pub samples: u64,
}

/// An event in full, so that it can be counted again: what outputs look like as rows of numbers, and which
/// rows are meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Rule {
    /// How an output becomes a row of numbers, the event's columns.
    pub layout: Layout,
    /// The rows that are meant; of a learned score the weights and the threshold.
    pub event: Event,
}

/// Evidence against a claim that a reader can check by hand: run the mechanism on both inputs and
/// count the event ([`Audit::recount`](crate::audit::Audit::recount) does so).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Counterexample {
    /// The input on which the event is too frequent.
    pub input0: String,
    /// Its neighbour, on which the event is too rare.
    pub input1: String,
    /// The event in words.
    pub event: String,
    /// The event in full.
    pub rule: Rule,
    /// Fresh counts: no sample that chose the pair or the event is among them.
    pub counts: Counts,
    /// Lower confidence bound on ε at the claimed δ from these counts alone.
    pub epsilon_lower: f64,
    /// Steps of shrinking that led from the pair audited to this one; 0 if it is that pair.
    pub shrinks: u32,
}

/// What a pass is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Power {
    /// An ε at or above this one would have been found …
    pub epsilon: f64,
    /// … with at least this probability, …
    pub probability: f64,
    /// … if it shows in an event that has at least this probability on its likelier side.
    pub event_mass: f64,
}

/// The result of one audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct AuditReport {
    /// Version of this format.
    pub schema: u32,
    /// The mechanism's name.
    pub mechanism: String,
    /// The conclusion.
    pub verdict: Verdict,
    /// The claim under audit.
    pub claim: Guarantee,
    /// The relation between the two inputs, as stated by the caller.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub neighbours: Neighbouring,
    /// What is released, as stated by the caller.
    pub release: Release,
    /// Lower confidence bound on the pair's ε at the claimed δ, ≥ 0.
    pub epsilon_lower: f64,
    /// Probability with which verdict and lower bound are both right, at least.
    pub confidence: f64,
    /// The error probability allotted: 1 − confidence without rounding.
    pub alpha: f64,
    /// The ε from which on a violation would have been found; infinite if none.
    #[serde(with = "number")]
    #[cfg_attr(feature = "cli", schemars(schema_with = "number::schema"))]
    pub detectable_epsilon: f64,
    /// The terms of `detectable_epsilon`, unless it is infinite.
    pub power: Option<Power>,
    /// The ε that a pass had to be able to see.
    pub must_see: f64,
    /// Why the verdict is INCONCLUSIVE, and what would change that; null with any other verdict.
    pub reason: Option<String>,
    /// Pairs counted: one run on each side.
    pub samples: u64,
    /// Those among them that were bet on: up to the verdict, or the whole budget.
    pub bet_samples: u64,
    /// Further pairs, used to search and to shrink; they count for no bound.
    pub exploration_samples: u64,
    /// Natural logarithm of the largest wealth reached in betting against the claim.
    pub log_wealth: f64,
    /// Natural logarithm of the wealth from which on the claim is refuted: so much evidence was needed.
    #[serde(default)]
    pub log_wealth_needed: f64,
    /// What events were on, in words.
    #[serde(default)]
    pub looked_at: String,
    /// Probability from which on an output that one input gives and the other never would have been found, as surely as `power`
    /// says, if it is among what was looked at. Null where the claim is refuted, where none would have been, and in campaigns.
    #[serde(default)]
    pub detectable_leak: Option<f64>,
    /// Wall-clock time.
    pub seconds: f64,
    /// The event that tells the inputs apart best, if any does.
    pub event: Option<String>,
    /// Present if and only if the verdict is VIOLATION.
    pub counterexample: Option<Counterexample>,
    /// Reproduces the audit bit for bit, on any number of threads.
    pub seed: u64,
}

/// The probability of an event, of which a rare one has digits too.
pub(crate) fn mass(probability: f64) -> String {
    match probability {
        rare if rare < 1e-3 => format!("{rare:.1e}"),
        usual => format!("{usual:.3}"),
    }
}

impl AuditReport {
    /// The result for people, one thing a line.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!(
            "{}: {}\n  claim: (ε, δ) = {}, {} neighbours, {} released\n  ε ≥ {} except with \
             probability {:.1e}; {} samples, seed {}{}\n",
            self.mechanism,
            self.verdict,
            self.claim,
            self.neighbours,
            self.release.name(),
            at_least(self.epsilon_lower, 4),
            self.alpha,
            self.samples,
            self.seed,
            match self.seconds {
                // A campaign's, counted over several runs of the program, is not known.
                0.0 => String::new(),
                seconds => format!(", {seconds:.2} s"),
            }
        );
        if let Some(power) = &self.power {
            out += &format!(
                "  would have been found with probability {:.2}: ε ≥ {} on an event of probability \
                 {}\n  a pass had to see: ε ≥ {:.4}\n",
                power.probability,
                at_most(power.epsilon, 4),
                mass(power.event_mass),
                self.must_see
            );
        }
        if let Some(reason) = &self.reason {
            out += &format!("  why: {reason}\n");
        }
        out += &self.tested();
        if let Some(found) = &self.counterexample {
            out += &found.text();
            if !self.counts_refute() {
                out += &format!(
                    "    these counts alone show no more than ε ≥ {}: the verdict is that of all \
                     bets, whose wealth is e^{:.1}\n",
                    at_least(found.epsilon_lower, 4),
                    self.log_wealth
                );
            }
        }
        out
    }

    /// Whether the counts of the counterexample refute the claim without the bets, so that as many new ones most likely do, too.
    #[must_use]
    pub fn counts_refute(&self) -> bool {
        let found = self.counterexample.as_ref();
        found.is_some_and(|found| found.epsilon_lower > self.claim.epsilon.get())
    }

    /// How much there is against a claim that was not refuted, and what was tested of it.
    fn tested(&self) -> String {
        if self.verdict == Verdict::Violation {
            return String::new();
        }
        let chance = chance(self.log_wealth);
        let best = match &self.event {
            Some(event) => format!("told apart best by: {event}"),
            None => "nothing told the inputs apart".to_owned(),
        };
        let out = format!(
            "  against the claim: log wealth {:.1} of the {:.1} that refute it; a true claim gets \
             so far with probability {} at most\n  looked at: {}; {best}\n",
            self.log_wealth,
            self.log_wealth_needed,
            mass(chance),
            self.looked_at
        );
        let rare = match self.detectable_leak {
            Some(leak) => format!("with probability below {}", mass(leak)),
            // A campaign, which learns no events from what it bets on.
            None if self.verdict == Verdict::PassWithPower => "rarely".to_owned(),
            None => return out,
        };
        let delta = match self.claim.delta.get() {
            0.0 => String::new(),
            delta => format!(", so not whether δ is {delta}"),
        };
        out + &format!(
            "  not tested: what one input alone gives {rare}{delta}; what is not looked at, as \
             intervals with less than about a tenth of a column's outputs, entries of a list \
             wherever they stand, rare characters, relations of columns, time and standard \
             error\n"
        )
    }
}

impl Counterexample {
    /// The counterexample for people, one thing a line.
    #[must_use]
    pub fn text(&self) -> String {
        let Counts {
            hits0,
            hits1,
            samples,
        } = self.counts;
        let mut out = format!(
            "  counterexample: {}\n    {hits0} times of {samples} on {}\n    {hits1} times of \
             {samples} on {}\n",
            self.event, self.input0, self.input1
        );
        for line in self.rule.event.weights(&self.rule.layout) {
            out += &format!("    {line}\n");
        }
        out
    }
}

impl fmt::Display for AuditReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} of claim (ε, δ) = {} under {}; ε ≥ {} except with probability {:.1e}; \
             {} samples, seed {}",
            self.mechanism,
            self.verdict,
            self.claim,
            self.neighbours,
            at_least(self.epsilon_lower, 4),
            self.alpha,
            self.samples,
            self.seed
        )?;
        if let Some(power) = &self.power {
            write!(
                f,
                "; ε ≥ {} on an event of probability {:.3} would have been found with \
                 probability {:.2}",
                at_most(power.epsilon, 4),
                power.event_mass,
                power.probability
            )?;
        }
        if self.verdict == Verdict::PassWithPower {
            write!(f, "; a pass had to see ε ≥ {:.4}", self.must_see)?;
        }
        if self.verdict != Verdict::Violation {
            let (most, needed) = (self.log_wealth, self.log_wealth_needed);
            write!(
                f,
                "; log wealth {most:.1} of the {needed:.1} that refute it"
            )?;
        }
        if let Some(reason) = &self.reason {
            write!(f, "\n  {reason}")?;
        }
        if let Some(found) = &self.counterexample {
            write!(
                f,
                "\n  {} happens {} times of {} on {}\n  and {} times of {} on {}",
                found.event,
                found.counts.hits0,
                found.counts.samples,
                found.input0,
                found.counts.hits1,
                found.counts.samples,
                found.input1
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pass is refused from the wealth on that a true claim meets with less often than once in a thousand audits.
    #[test]
    fn much_against_a_claim_is_doubted() {
        let thousand = 1000_f64.ln();
        assert_eq!(
            [0.0, 5.0, thousand - 1e-9, -3.0].map(doubted),
            [None, None, None, None]
        );
        let said = doubted(thousand + 1e-9).expect("it is doubted");
        assert!(
            said.starts_with(
                "a true claim shows as much against it with probability 1.0e-3 at most"
            ),
            "{said}"
        );
        assert!(doubted(14.0).is_some_and(|said| said.contains("probability 8.3e-7 at most")));
        assert_eq!(
            [chance(-2.0), chance(0.0), chance(2_f64.ln())],
            [1.0, 1.0, 0.5]
        );
        assert_eq!(
            [1e-3, 9.99e-4, 0.25, 1.0].map(mass),
            ["0.001", "1.0e-3", "0.250", "1.000"]
        );
    }

    /// One claims something, with each parameter in its domain.
    #[test]
    fn a_claim_is_below_certainty() {
        let claims = |epsilon, delta| Guarantee::new(epsilon, delta).is_ok();
        assert!(claims(0.0, 0.0) && claims(1e9, 0.999));
        assert!(
            !claims(1.0, 1.0)
                && !claims(1.0, 1.5)
                && !claims(-1.0, 0.0)
                && !claims(f64::INFINITY, 0.0)
        );
    }
}
