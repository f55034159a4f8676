//! What a claim is, and what can be said of it.
//!
//! A [`Claim`] is one statement of one paper, encoded as printed, or a theorem of the literature that accountants rest
//! on, in the collection [`Paper::Acc`]. Its [`Verdict`] is computed by
//! running [`Claim::check`], or by the kernel; nothing writes a verdict by hand. A check takes its printed constants
//! from the [`Check`] it is given, so that every claim can be run with a constant changed: a check
//! that still says "proved" then cannot fail, and that is a defect (see [`Check::constant`]).

use serde::{Deserialize, Serialize};

pub use crate::paper::{Paper, Publication};

/// What sort of statement a claim is; decides which methods can settle it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A definition or assumption: WellPosed when a witness satisfies it, Empty when none can.
    Definition,
    /// A procedure: WellPosed when it runs as printed on every admissible input.
    Algorithm,
    /// How far a quantity moves between neighbours.
    Sensitivity,
    /// Which noise scale suffices for which budget.
    Calibration,
    /// How budgets add up or translate.
    Composition,
    /// The privacy of a whole mechanism.
    MechanismPrivacy,
    /// An inequality that holds on every run.
    PathwiseInequality,
    /// A bound on an expectation.
    ExpectationBound,
    /// A bound that holds except with a stated probability.
    HighProbability,
    /// A statement up to unnamed constants.
    Rate,
    /// No algorithm does better.
    LowerBound,
    /// A statement taken from elsewhere.
    Imported,
    /// A reported number or comparison.
    Empirical,
}

impl Kind {
    /// Whether a claim of this kind states nothing that could be true or false.
    #[must_use]
    pub const fn is_definition(self) -> bool {
        matches!(self, Self::Definition | Self::Algorithm)
    }

    /// Whether claims of this kind are about privacy, and so must never stay open.
    #[must_use]
    pub const fn is_privacy(self) -> bool {
        matches!(
            self,
            Self::Sensitivity | Self::Calibration | Self::Composition | Self::MechanismPrivacy
        )
    }
}

/// What is known of a claim. A check gives one of [`Proved`](Self::Proved), [`Cited`](Self::Cited),
/// [`Supported`](Self::Supported), [`Refuted`](Self::Refuted), [`Empty`](Self::Empty) and [`Open`](Self::Open); the
/// [book](mod@crate::book) says [`Argued`](Self::Argued) for Proved where a step is made by hand, and
/// [`WellPosed`](Self::WellPosed) where nothing is stated that could be true or false.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// The printed statement holds on its whole domain, and a computation that admits no sampling and no
    /// tolerance has decided every step.
    Proved(Grounds),
    /// As Proved, but for the steps that are made in words: see [`Claim::by_hand`].
    Argued(Grounds),
    /// Taken from the source that is named; nothing was computed.
    Cited(Support),
    /// True as far as statistics reach, or as a lemma reaches that is itself not proved.
    Supported(Support),
    /// False: one point of the printed domain fails, re-checked exactly.
    Refuted(Refutation),
    /// Nothing satisfies the hypotheses, or only what is trivial: neither proved nor refuted.
    Empty(Emptiness),
    /// A definition that something satisfies, an algorithm that runs on every admissible input.
    WellPosed(Grounds),
    /// None of these, with the method tried and what is missing.
    Open {
        /// The method tried, and the boxes or budget left.
        why: String,
    },
}

/// The content of a Proved verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grounds {
    /// The domain on which the statement was proved, in plain text. Always the printed one.
    pub domain: String,
    /// How much smaller the noise (or larger the printed side) could be: a ratio ≥ 1, found by moving the constant
    /// until the proof fails; `None` where nobody has moved it.
    pub slack: Option<f64>,
    /// What computations have decided: the method, with the size of its certificate.
    pub evidence: String,
    /// Sentences of the check that no computation has decided. Unless the claim lists its steps by hand, these count as
    /// such.
    pub remarks: Vec<String>,
}

/// The content of a Supported or Cited verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Support {
    /// The probability that the support is an accident; `None` for a citation or a capped proof.
    pub false_alarm: Option<f64>,
    /// Number of independent trials; 0 for a citation.
    pub trials: u64,
    /// Distance to refutation, or why no proof is possible, in words.
    pub evidence: String,
}

/// The evidence of a verdict that the kernel has reached.
#[cfg(feature = "certify")]
pub(crate) const THEOREM: &str = "a theorem of the kernel";

/// The content of a Refuted verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refutation {
    /// The failing point, with both sides of the statement evaluated there.
    pub counterexample: String,
    /// How it was re-checked exactly.
    pub evidence: String,
    /// How many times the side that should be the larger one is exceeded at that point, rounded down; `None`
    /// where the statement is no inequality between positive numbers.
    pub factor: Option<f64>,
    /// Id of the claim that states what does hold, if one exists.
    pub repaired: Option<String>,
}

/// The content of an Empty verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Emptiness {
    /// Why nothing satisfies the hypotheses, or only what is trivial.
    pub contradiction: String,
    /// How that was checked.
    pub evidence: String,
    /// Id of the claim that has hypotheses which something satisfies, if one exists.
    pub repaired: Option<String>,
}

/// Why a claim is open that is left to the kernel, if that does not prove it.
const LEFT_TO_KERNEL: &str = "only the kernel decides it, and does not";

impl Verdict {
    /// Whether a check has left the claim to the kernel.
    #[must_use]
    pub fn is_left_to_kernel(&self) -> bool {
        matches!(self, Self::Open { why } if why == LEFT_TO_KERNEL)
    }

    /// `proved`, `argued`, `cited`, `supported`, `refuted`, `empty`, `well-posed` or `open`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Proved(_) => "proved",
            Self::Argued(_) => "argued",
            Self::Cited(_) => "cited",
            Self::Supported(_) => "supported",
            Self::Refuted(_) => "refuted",
            Self::Empty(_) => "empty",
            Self::WellPosed(_) => "well-posed",
            Self::Open { .. } => "open",
        }
    }

    /// The names of all verdicts, in the order of the ledger's columns.
    pub const NAMES: [&str; 8] = [
        "proved",
        "argued",
        "cited",
        "supported",
        "refuted",
        "empty",
        "open",
        "well-posed",
    ];

    /// The proof, if the claim holds: proved, argued or well-posed.
    #[must_use]
    pub const fn proof(&self) -> Option<&Grounds> {
        match self {
            Self::Proved(proof) | Self::Argued(proof) | Self::WellPosed(proof) => Some(proof),
            _ => None,
        }
    }

    /// Whether the claim holds: proved, argued or well-posed. Only on such claims may anything else rest.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.proof().is_some()
    }

    /// Id of the claim that holds instead of a refuted or empty one, if one exists.
    #[must_use]
    pub fn repaired(&self) -> Option<&str> {
        match self {
            Self::Refuted(r) => r.repaired.as_deref(),
            Self::Empty(e) => e.repaired.as_deref(),
            _ => None,
        }
    }

    /// A Proved verdict.
    #[must_use]
    pub fn proved(domain: impl Into<String>, evidence: impl Into<String>) -> Self {
        Self::Proved(Grounds {
            domain: domain.into(),
            slack: None,
            evidence: evidence.into(),
            remarks: Vec::new(),
        })
    }

    /// A Refuted verdict.
    #[must_use]
    pub fn refuted(
        counterexample: impl Into<String>,
        evidence: impl Into<String>,
        repaired: Option<&'static str>,
    ) -> Self {
        Self::Refuted(Refutation {
            counterexample: counterexample.into(),
            evidence: evidence.into(),
            factor: None,
            repaired: repaired.map(str::to_owned),
        })
    }

    /// An Empty verdict.
    #[must_use]
    pub fn empty(
        contradiction: impl Into<String>,
        evidence: impl Into<String>,
        repaired: Option<&'static str>,
    ) -> Self {
        Self::Empty(Emptiness {
            contradiction: contradiction.into(),
            evidence: evidence.into(),
            repaired: repaired.map(str::to_owned),
        })
    }

    /// A Cited verdict: the source, with its page.
    #[must_use]
    pub fn cited(source: impl Into<String>) -> Self {
        Self::Cited(Support {
            false_alarm: None,
            trials: 0,
            evidence: source.into(),
        })
    }

    /// An Open verdict.
    #[must_use]
    pub fn open(why: impl Into<String>) -> Self {
        Self::Open { why: why.into() }
    }
}

#[cfg(feature = "certify")]
pub use checked::{Check, Claim, Constant, Effort, Mutation, by_kernel};

#[cfg(feature = "certify")]
mod checked {
    use super::{Kind, LEFT_TO_KERNEL, Paper, Verdict};
    use crate::prove::Step;
    use rug::Rational;
    use std::cell::RefCell;

    /// One statement of one paper, as printed, with the check that decides it.
    #[derive(Clone, Copy)]
    pub struct Claim {
        /// The paper's short name and the id of its inventory, e.g. `gcd-thm-4.2`; suffixes `-proof`, `-repaired`,
        /// `-restricted`, `-reading-…`.
        pub id: &'static str,
        /// Where it stands in the paper; in the collection its source: authors, year, arXiv id, theorem.
        pub place: &'static str,
        /// What sort of statement it is.
        pub kind: Kind,
        /// The statement, one or two lines of plain text.
        pub statement: &'static str,
        /// The hypotheses under which it is stated.
        pub hypotheses: &'static str,
        /// Ids of the claims that its proof reduces to; if one does not hold, this one is at most Supported.
        pub rests_on: &'static [&'static str],
        /// The steps between the statement and what its check computes that are made in words, one sentence each.
        /// A claim with such a step is argued at best, never proved. Of a refuted one: how what is printed, or the instance,
        /// becomes the letters of the term.
        pub by_hand: &'static [&'static str],
        /// Runs the check; [`by_kernel`] if only the kernel decides it.
        pub check: fn(&Check) -> Verdict,
    }

    impl Claim {
        /// A claim that rests on no other one and whose check makes every step, to be built upon: it says nothing itself.
        pub const ALONE: Self = Self {
            id: "",
            place: "",
            kind: Kind::Imported,
            statement: "",
            hypotheses: "",
            rests_on: &[],
            by_hand: &[],
            check: |_| Verdict::open("nothing is stated"),
        };

        /// The paper it belongs to, whose short name its id begins with.
        ///
        /// # Panics
        /// If no paper has that name; a test excludes it for the claims of this crate.
        #[must_use]
        pub fn paper(&self) -> Paper {
            let name = self.id.split('-').next().unwrap_or_default();
            name.parse()
                .unwrap_or_else(|why| panic!("claim `{}`: {why}", self.id))
        }

        /// The arXiv id of its source; empty where that has none.
        ///
        /// ```
        /// for claim in dp_assay_spec::claims() {
        ///     assert!(claim.arxiv().chars().all(|c| c.is_ascii_digit() || c == '.'), "{}", claim.id);
        /// }
        /// ```
        #[must_use]
        pub fn arxiv(&self) -> &'static str {
            let own = || {
                let (_, behind) = self.place.split_once("arXiv ")?;
                behind
                    .split(|c: char| !c.is_ascii_digit() && c != '.')
                    .next()
            };
            match self.paper().is_collection() {
                true => own().unwrap_or_default(),
                false => self.paper().source().arxiv,
            }
        }

        /// Whether the statement is a step of a proof: its place is "proof of …", not a theorem with "proof in …" behind
        /// it, and not what is used in, or follows, a proof.
        #[must_use]
        pub fn is_step(&self) -> bool {
            let steps = ["proof of ", "proofs of "];
            let begins = steps.iter().filter_map(|mark| self.place.find(mark)).min();
            let outside = ["used in the ", "used in ", "after the "];
            begins.is_some_and(|at| {
                !outside
                    .iter()
                    .any(|words| self.place[..at].ends_with(words))
            })
        }
    }

    /// The check of a claim whose theorem in the kernel leaves nothing to be checked: it decides nothing.
    #[must_use]
    pub fn by_kernel(_: &Check) -> Verdict {
        Verdict::open(LEFT_TO_KERNEL)
    }

    /// How hard a check may work.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Effort {
        /// Re-check stored certificates; what has none runs a cheap check.
        Replay,
        /// Search from scratch.
        Search,
    }

    /// A printed constant that a check has asked for.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Constant {
        /// Its name within the claim, e.g. `scale factor`.
        pub name: &'static str,
        /// Its printed value.
        pub value: Rational,
    }

    /// A deliberate change of one printed constant: the way false mutants of a claim are made.
    #[derive(Clone, Debug)]
    pub struct Mutation {
        /// Which constant.
        pub name: &'static str,
        /// The value it takes instead.
        pub value: Rational,
    }

    /// What a check is given: its effort, and its printed constants, possibly one of them mutated.
    pub struct Check {
        effort: Effort,
        mutation: Option<Mutation>,
        seen: RefCell<Vec<Constant>>,
        recorded: RefCell<Vec<(String, String)>>,
        steps: RefCell<Vec<Step>>,
    }

    impl Check {
        /// The claim as printed.
        #[must_use]
        pub const fn printed(effort: Effort) -> Self {
            Self {
                effort,
                mutation: None,
                seen: RefCell::new(Vec::new()),
                recorded: RefCell::new(Vec::new()),
                steps: RefCell::new(Vec::new()),
            }
        }

        /// The claim with one constant changed. Stored certificates do not apply to it.
        #[must_use]
        pub const fn mutated(mutation: Mutation) -> Self {
            Self {
                effort: Effort::Search,
                mutation: Some(mutation),
                seen: RefCell::new(Vec::new()),
                recorded: RefCell::new(Vec::new()),
                steps: RefCell::new(Vec::new()),
            }
        }

        /// How hard to work.
        #[must_use]
        pub const fn effort(&self) -> Effort {
            self.effort
        }

        /// Whether a constant has been changed: then the statement is not the printed one.
        #[must_use]
        pub const fn is_mutated(&self) -> bool {
            self.mutation.is_some()
        }

        /// A constant of the printed statement. Every constant that the verdict depends on goes
        /// through here, under a name that is unique in the claim.
        pub fn constant(&self, name: &'static str, value: impl Into<Rational>) -> Rational {
            let value = value.into();
            let mut seen = self.seen.borrow_mut();
            if seen.iter().all(|c| c.name != name) {
                seen.push(Constant {
                    name,
                    value: value.clone(),
                });
            }
            match &self.mutation {
                Some(mutation) if mutation.name == name => mutation.value.clone(),
                _ => value,
            }
        }

        /// Keeps the text of a certificate found on the way, to be stored under its name.
        pub fn record(&self, name: &str, text: String) {
            self.recorded.borrow_mut().push((name.to_owned(), text));
        }

        /// The certificates found so far, in the order of their finding.
        #[must_use]
        pub fn recorded(&self) -> Vec<(String, String)> {
            self.recorded.borrow().clone()
        }

        /// Keeps an inequality that was decided on the way, to be drawn.
        pub fn note(&self, step: Step) {
            self.steps.borrow_mut().push(step);
        }

        /// The inequalities decided so far, in order. None of a claim whose constants were changed.
        #[must_use]
        pub fn steps(&self) -> Vec<Step> {
            self.steps.borrow().clone()
        }

        /// The constants asked for so far, in order of first use.
        #[must_use]
        pub fn constants(&self) -> Vec<Constant> {
            self.seen.borrow().clone()
        }
    }
}
