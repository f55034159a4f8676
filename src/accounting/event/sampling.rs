//! How records get into the batches of a step.

use super::{Event, share_upper};
use crate::accounting::AccountError;
use crate::units::Neighbouring;

/// How records get into the data that a mechanism sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sampling {
    /// All of them.
    None,
    /// Each with this probability.
    Poisson(f64),
    /// A batch that is this fraction of all, rounded up to the next double.
    FixedSize(f64),
    /// So many draws of a record each, with replacement.
    WithReplacement {
        /// m.
        draws: u64,
        /// n.
        size: u64,
    },
    /// Poisson's, but for a random `cap` of larger samples.
    TruncatedPoisson {
        /// p.
        rate: f64,
        /// B.
        cap: u64,
        /// n.
        records: u64,
    },
    /// In k of t steps: the whole of them.
    RandomAllocation {
        /// t.
        steps: u64,
        /// k, with 0 < k < t.
        participations: u64,
    },
    /// At the steps of a matrix mechanism, which are one step here.
    Within(Pattern),
}

/// In which steps of one run a record takes part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pattern {
    /// In each of those that are its own with this probability in (0, 1).
    Poisson(f64),
    /// In every so many-th from a random one on.
    Bins(u64),
    /// In so many of all, at least two.
    Several(u64),
    /// In each of those that are at least `separation` steps after its last with this probability in (0, 1], as if it always had.
    Apart {
        /// T.
        steps: u64,
        /// b.
        separation: u64,
        /// p.
        rate: f64,
    },
}

impl Sampling {
    /// The kind of its node, as a prefix in messages.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Poisson(_) | Self::Within(Pattern::Poisson(_)) => "poisson-sampled ",
            Self::FixedSize(_) => "fixed-size-sampled ",
            Self::WithReplacement { .. } => "with-replacement-sampled ",
            Self::TruncatedPoisson { .. } => "truncated-poisson-sampled ",
            Self::Within(Pattern::Apart { .. }) => "b-min-separation of ",
            Self::RandomAllocation { .. }
            | Self::Within(Pattern::Bins(_) | Pattern::Several(_)) => "randomly allocated ",
        }
    }
}

/// A leaf with its sampling and multiplicity.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The mechanism: a leaf.
    pub mechanism: Event,
    /// Its sampling.
    pub sampling: Sampling,
    /// How often it is run.
    pub count: u64,
}

impl Step {
    /// The mechanism with its sampling, in words.
    pub(in crate::accounting) fn words(&self) -> String {
        format!("{}{}", self.sampling.prefix(), self.mechanism.name())
    }
}

/// How batches of a fixed size are drawn.
pub(super) fn fixed_size(
    size: u64,
    batch: u64,
    replacement: bool,
    neighbours: Neighbouring,
) -> Result<Sampling, AccountError> {
    let (n, m) = (size as f64, batch as f64);
    AccountError::check(size > 0, "size", n, "must be > 0")?;
    if replacement {
        return Ok(Sampling::WithReplacement { draws: batch, size });
    }
    AccountError::check(batch <= size, "batch", m, "must lie in [0, size]")?;
    if batch == size && neighbours == Neighbouring::AddRemove {
        return Err(AccountError::Unsupported {
            mechanism: "a batch of all records".into(),
            notion: "sampling",
            neighbours,
            why: ": the smaller of two neighbours has no batch of that size",
        });
    }
    if batch == size && neighbours == Neighbouring::ZeroOut {
        return Ok(Sampling::None);
    }
    Ok(Sampling::FixedSize(share_upper(batch, size)))
}

pub(super) fn poisson(rate: f64, neighbours: Neighbouring) -> Result<Sampling, AccountError> {
    let rule = "must lie in [0, 1]";
    AccountError::check((0.0..=1.0).contains(&rate), "sampling rate", rate, rule)?;
    // A record that is always there is not sampled; one that is replaced leaves and comes.
    let all = rate == 1.0 && neighbours != Neighbouring::ReplaceOne;
    Ok(if all {
        Sampling::None
    } else {
        Sampling::Poisson(rate)
    })
}

/// Poisson's where no sample is too large, a batch of fixed size where all are.
pub(super) fn truncated_poisson(
    rate: f64,
    (cap, records): (u64, u64),
    neighbours: Neighbouring,
) -> Result<Sampling, AccountError> {
    AccountError::check(records > 0, "records", records as f64, "must be > 0")?;
    let whole = poisson(rate, neighbours)?;
    if cap >= records || rate == 0.0 {
        return Ok(whole);
    }
    if rate == 1.0 {
        return fixed_size(records, cap, false, neighbours);
    }
    Ok(Sampling::TruncatedPoisson { rate, cap, records })
}

/// What samples of a matrix mechanism's steps are, which its least number of participations and its separation must allow.
pub(super) fn within(
    sampling: Sampling,
    steps: u64,
    (participations, separation): (u64, u64),
) -> Result<Sampling, AccountError> {
    AccountError::check(separation > 0, "separation", 0.0, "must be > 0")?;
    let (taken, apart, found) = match sampling {
        Sampling::Poisson(0.0) => return Ok(sampling),
        Sampling::None | Sampling::Poisson(1.0) => {
            (steps.div_ceil(separation), separation, sampling)
        }
        Sampling::Poisson(rate) => (
            steps.div_ceil(separation),
            separation,
            Sampling::Within(Pattern::Poisson(rate)),
        ),
        Sampling::Within(Pattern::Apart {
            separation: least, ..
        }) => (steps.div_ceil(least), least, sampling),
        Sampling::RandomAllocation {
            steps: bins,
            participations: 1,
        } => (
            steps.div_ceil(bins),
            bins,
            Sampling::Within(Pattern::Bins(bins)),
        ),
        Sampling::RandomAllocation { participations, .. } => (
            participations,
            1,
            Sampling::Within(Pattern::Several(participations)),
        ),
        Sampling::FixedSize(_)
        | Sampling::WithReplacement { .. }
        | Sampling::TruncatedPoisson { .. }
        | Sampling::Within(Pattern::Poisson(_) | Pattern::Bins(_) | Pattern::Several(_)) => {
            return Err(AccountError::Event(
                "of matrix-gaussian, samples of its steps are known as poisson-sampled, \
                    random-allocation, balls-in-bins and b-min-separation"
                    .into(),
            ));
        }
    };
    let rule = "must be no less than the sampling may make them";
    let (given, distance) = (participations as f64, separation as f64);
    AccountError::check(participations >= taken, "participations", given, rule)?;
    let rule = "must be no more than the sampling keeps to";
    AccountError::check(separation <= apart, "separation", distance, rule)?;
    Ok(found)
}
