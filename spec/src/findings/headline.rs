//! What each paper is cited for, and what to use instead where that does not hold.
//!
//! One entry a headline theorem, one table a paper. Whether a theorem stands is its verdict and nothing else; of one that
//! does not, the table says which claim corrects it, which claim proves that no correction of its form exists, or what is
//! missing; of one that stands by an argument, which claim of its kind the kernel proves. A correction is one run: one
//! algorithm with one noise, for which privacy *and* utility are claimed. So that this can be checked, it names its noise
//! as data, and the noise has to stand, word for word, in every claim that the correction is made of (see [`Run`]).

use crate::claim::Paper;

/// A theorem that a paper is cited for.
#[derive(Clone, Copy, Debug)]
pub struct Headline {
    /// The claim that it is, as printed.
    pub id: &'static str,
    /// The algorithm that it is about, as the claim that states it; `None` for a lower bound.
    pub algorithm: Option<&'static str>,
    /// What holds instead, or beside it; `None` of a theorem that is proved.
    pub correction: Option<Correction>,
    /// The command that runs the corrected algorithm, or the printed one where it stands; of what no command runs, a
    /// lower bound or a corrected algorithm that has no solver, the command that shows it.
    pub command: &'static str,
}

/// What is known beyond a headline theorem that is not proved.
#[derive(Clone, Copy, Debug)]
pub enum Correction {
    /// A theorem to use instead.
    By(Corrected),
    /// This claim proves that there is no correction of the printed form.
    Impossible(&'static str),
    /// Nobody has one yet.
    Missing {
        /// The strongest claim that goes part of the way.
        weaker: Option<&'static str>,
        /// What it lacks, in a sentence.
        lacks: &'static str,
    },
}

/// A theorem to use instead of a printed one.
#[derive(Clone, Copy, Debug)]
pub struct Corrected {
    /// The claim.
    pub id: &'static str,
    /// The run that it is about.
    pub run: Run,
    /// What it costs: below 1 where it is better than the print. `None` where the print names no constant to compare with.
    pub cost: Option<Cost>,
    /// Where it begins to say something; `None` where nobody has computed it, and for a lower bound.
    pub bites_at: Option<Bites>,
    /// All that differs from the print.
    pub departures: &'static [Departure],
}

/// Where a bound begins to say something.
#[derive(Clone, Copy, Debug)]
pub struct Bites {
    /// The smallest number at which it is below the trivial bound (output w⁰, or zero) on the witness at ε = 1, δ = n⁻².
    pub least: fn() -> u64,
    /// The letter of what is counted.
    pub counted: &'static str,
    /// The witness.
    pub witness: &'static str,
}

/// The run that a correction is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// A statement on all algorithms.
    LowerBound,
    /// An algorithm with its noise.
    Private {
        /// The noise: a formula or words that stand in [`Corrected::id`], `privacy` and `utility` alike.
        noise: &'static str,
        /// The claim on its privacy.
        privacy: &'static str,
        /// The claim on its utility; `None` if no headline theorem is about the utility of this algorithm.
        utility: Option<&'static str>,
    },
}

impl Run {
    /// The claim on its utility.
    #[must_use]
    pub const fn utility(self) -> Option<&'static str> {
        match self {
            Self::Private { utility, .. } => utility,
            Self::LowerBound => None,
        }
    }

    /// Whether there is a claim on its utility.
    #[must_use]
    pub const fn has_utility(self) -> bool {
        self.utility().is_some()
    }
}

/// Corrected over printed, computed.
#[derive(Clone, Copy, Debug)]
pub enum Cost {
    /// Of the scales of the noise; what it is the ratio of, if there is more to say than `noise`.
    Noise(fn() -> f64, &'static str),
    /// Of the bounds on the excess risk.
    Bound(fn() -> f64),
}

impl Cost {
    /// The ratio.
    #[must_use]
    pub fn ratio(self) -> f64 {
        match self {
            Self::Noise(ratio, _) | Self::Bound(ratio) => ratio(),
        }
    }

    /// What it is the ratio of.
    #[must_use]
    pub const fn of(self) -> &'static str {
        match self {
            Self::Noise(_, of) => of,
            Self::Bound(_) => "bound",
        }
    }
}

/// Something in which a correction differs from the print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// What differs.
    pub what: &'static str,
    /// Why it has to.
    pub why: &'static str,
    /// What it costs, in words.
    pub cost: &'static str,
}

/// What is left of a headline theorem: computed from its verdict and those of the claims of its table.
#[derive(Clone, Copy, Debug)]
pub enum Standing {
    /// It holds as printed.
    Stands,
    /// A claim that holds instead.
    Corrected(Corrected),
    /// The claim that proves that no correction of its form exists.
    Impossible(&'static str),
    /// What is missing, and the strongest weaker claim that holds.
    Missing(&'static str, Option<&'static str>),
}

/// What to use instead of a claim that is a headline theorem and does not stand: the theorem that corrects it, or the claim
/// that proves that none does. Whatever names a correction, names this one first.
#[must_use]
pub fn instead(id: &str, holds: impl Fn(&str) -> bool) -> Option<&'static str> {
    let mut all = Paper::ALL.into_iter().flat_map(Paper::headlines);
    match all.find(|headline| headline.id == id)?.standing(holds) {
        Standing::Corrected(by) => Some(by.id),
        Standing::Impossible(id) => Some(id),
        Standing::Stands | Standing::Missing(..) => None,
    }
}

impl Headline {
    /// The theorem of its table, if all of its claims hold: to use instead, or, where it stands by an argument, what the kernel
    /// proves.
    #[must_use]
    pub fn corrected(&self, holds: impl Fn(&str) -> bool) -> Option<Corrected> {
        match self.correction {
            Some(Correction::By(corrected)) if corrected.claims().all(holds) => Some(corrected),
            _ => None,
        }
    }

    /// What is left of it, given which claims hold. A correction, a proof of impossibility or a weaker claim that does
    /// not itself hold counts for nothing.
    #[must_use]
    pub fn standing(&self, holds: impl Fn(&str) -> bool) -> Standing {
        match self.correction {
            _ if holds(self.id) => Standing::Stands,
            Some(Correction::By(_)) => match self.corrected(&holds) {
                Some(corrected) => Standing::Corrected(corrected),
                None => Standing::Missing("The claim that was to correct it does not hold.", None),
            },
            Some(Correction::Impossible(id)) if holds(id) => Standing::Impossible(id),
            Some(Correction::Missing { weaker, lacks }) => {
                Standing::Missing(lacks, weaker.filter(|id| holds(id)))
            }
            Some(Correction::Impossible(_)) => Standing::Missing(
                "The claim that was to prove it impossible does not hold.",
                None,
            ),
            None => Standing::Missing("Nothing is written of it yet.", None),
        }
    }
}

impl Corrected {
    /// The claims that it is made of.
    pub fn claims(self) -> impl Iterator<Item = &'static str> {
        let (privacy, utility) = match self.run {
            Run::LowerBound => (None, None),
            Run::Private {
                privacy, utility, ..
            } => (Some(privacy), utility),
        };
        [Some(self.id), privacy, utility].into_iter().flatten()
    }
}

/// A theorem of which nothing has to be corrected as long as it stands.
pub(crate) const fn printed(
    id: &'static str,
    algorithm: &'static str,
    command: &'static str,
) -> Headline {
    Headline {
        id,
        algorithm: Some(algorithm),
        correction: None,
        command,
    }
}
