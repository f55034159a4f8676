//! Working through a plan.

use super::plan::{CHUNK, Entry, Plan};
use super::store::{Store, StoreError};
use crate::audit::event::Event;
use crate::audit::features::{Extras, Layout, Rows};
use crate::audit::independence::dependence;
use crate::audit::learn::{Goal, learn};
use crate::audit::mechanism::{PAIR_BITS, SIDE_BIT};
use crate::audit::shape::Shape;
use crate::audit::words::{constant, shortened};
use crate::audit::{DrawError, Mechanism, Output, Release};
use crate::mechanism::tape::Tape;
use crate::units::Neighbouring;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A mechanism with the two inputs that are to be told apart.
pub trait Pair: Sync {
    /// The relation between the inputs, as stated by whoever chose them.
    fn neighbours(&self) -> Neighbouring;

    /// What of a run is released.
    fn release(&self) -> Release;

    /// The two inputs in words.
    fn inputs(&self) -> [String; 2];

    /// The runs of consecutive trials on one side (0 or 1), in order.
    ///
    /// # Errors
    /// When the mechanism could not be run.
    fn draw(&self, side: usize, tape: Tape, trials: Range<u64>) -> Result<Vec<Output>, DrawError>;
}

/// A [`Mechanism`] with its two inputs.
pub struct Fixed<M: Mechanism> {
    /// The mechanism.
    pub mechanism: M,
    /// The relation between the inputs.
    pub neighbours: Neighbouring,
    /// What of a run is released.
    pub release: Release,
    /// The two inputs.
    pub inputs: [M::Input; 2],
}

impl<M> Pair for Fixed<M>
where
    M: Mechanism,
    M::Input: std::fmt::Debug,
{
    fn neighbours(&self) -> Neighbouring {
        self.neighbours
    }

    fn release(&self) -> Release {
        self.release
    }

    fn inputs(&self) -> [String; 2] {
        [0, 1].map(|side: usize| format!("{:?}", self.inputs[side]))
    }

    fn draw(&self, side: usize, tape: Tape, trials: Range<u64>) -> Result<Vec<Output>, DrawError> {
        self.mechanism.draw_many(&self.inputs[side], tape, trials)
    }
}

/// Why a campaign stops.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A mechanism could not be run.
    #[error("audit `{audit}`: {error}")]
    Draw {
        /// The audit's name in the plan.
        audit: String,
        /// What went wrong.
        error: DrawError,
    },
    /// The two inputs are one.
    #[error("audit `{audit}`: the two inputs are equal: both are {input}")]
    EqualInputs {
        /// The audit's name in the plan.
        audit: String,
        /// Both of them.
        input: String,
    },
    /// What cannot be shared out.
    #[error(
        "audit `{audit}`: asked again for the outputs of the same numbers with the same seed, it \
            gave others: every shard of a campaign chooses the events for itself, and counts of \
            other events cannot be merged; derive the noise from seed and number, or run the \
            campaign in one process"
    )]
    Irreproducible {
        /// The audit's name in the plan.
        audit: String,
    },
    /// The outputs cannot be independent draws, so that no verdict can rest on them.
    #[error(
        "audit `{audit}` is not of independent draws: {how}; independent draws do so with \
         probability at most {alpha:.1e}, and no verdict rests on others"
    )]
    Dependent {
        /// The audit's name in the plan.
        audit: String,
        /// What was seen.
        how: String,
        /// Probability, at most, that this is said of independent draws.
        alpha: f64,
    },
}

/// How an audit's share of the error is divided: half for the betting, three eighths for the bound, and the rest
/// for the doubts that its draws are independent, one half on those that explore, one on those that count.
pub(super) const BETTING: f64 = 0.5;
pub(super) const BOUND: f64 = 0.375;
const INDEPENDENCE: f64 = 0.125;

/// The error of a doubt about what either side drew to explore, and of the one about all that count, given an audit's share.
pub(super) fn doubts(share: f64) -> (f64, f64) {
    (share * INDEPENDENCE / 4.0, share * INDEPENDENCE / 2.0)
}

/// Which chunks a process works on: those whose number leaves the remainder `index`.
///
/// ```
/// use dp_assay::audit::campaign::Shard;
///
/// assert_eq!("1/4".parse::<Shard>()?, Shard { index: 1, of: 4 });
/// assert_eq!("0/1".parse::<Shard>()?, Shard::WHOLE);
/// assert!("4/4".parse::<Shard>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// 0 ≤ index < of.
    pub index: u64,
    /// Number of shards.
    pub of: u64,
}

impl Shard {
    /// The only shard.
    pub const WHOLE: Self = Self { index: 0, of: 1 };
}

impl std::str::FromStr for Shard {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let rule = || format!("shard `{s}` is not of the form i/n with 0 <= i < n");
        let (index, of) = s.split_once('/').ok_or_else(rule)?;
        let index = index.parse().map_err(|_| rule())?;
        let of = of.parse().map_err(|_| rule())?;
        if index < of {
            Ok(Self { index, of })
        } else {
            Err(rule())
        }
    }
}

/// How far one audit is, in chunks of all shards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Status {
    /// The audit's name.
    pub audit: String,
    /// Chunks counted in this store.
    pub counted: u64,
    /// Chunks of the plan.
    pub chunks: u64,
}

/// What [`run`] tells its caller after every chunk: chunks done and chunks to do in this shard.
pub type ChunkProgress<'a> = &'a mut dyn FnMut(u64, u64);

/// What exploration chose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Chosen {
    pub(super) layout: Layout,
    /// Why nothing can be said, if all outputs were one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) constant: Option<String>,
    /// The event to bet on in each direction (first too frequent, second too frequent), then the
    /// event of the bound.
    pub(super) bets: Vec<Directed>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Directed {
    pub(super) event: Event,
    pub(super) forward: bool,
    pub(super) bound: bool,
}

/// For each chosen event, in how many pairs it happened on neither side, the first only, the second
/// only, both.
pub(super) type Tally = Vec<[u64; 4]>;

/// Counts what is not yet counted of a shard's chunks.
///
/// # Errors
/// The store's; or of the first mechanism that cannot be run, once all others are counted: what was counted of it stays counted.
pub fn run(
    plan: &Plan,
    pairs: &[Box<dyn Pair>],
    store: &Store,
    shard: Shard,
    progress: ChunkProgress<'_>,
) -> Result<(), CampaignError> {
    let mine = |entry: &Entry| (0..entry.chunks()).filter(|c| c % shard.of == shard.index);
    let all: u64 = plan.audits.iter().map(|e| mine(e).count() as u64).sum();
    let (mut done, mut failed) = (0, None);
    for (audit, (entry, pair)) in plan.audits.iter().zip(pairs).enumerate() {
        let before = done;
        let counted = one(
            plan,
            (audit, pair.as_ref()),
            (store, shard),
            mine(entry),
            &mut || {
                done += 1;
                progress(done, all);
            },
        );
        match counted {
            Err(error @ CampaignError::Store(_)) => return Err(error),
            Err(error) => failed = failed.or(Some(error)),
            Ok(()) => {}
        }
        done = before + mine(entry).count() as u64;
    }
    failed.map_or(Ok(()), Err)
}

/// Counts what is not yet counted of these chunks of an audit.
fn one(
    plan: &Plan,
    (audit, pair): (usize, &dyn Pair),
    (store, shard): (&Store, Shard),
    chunks: impl Iterator<Item = u64>,
    passed: &mut dyn FnMut(),
) -> Result<(), CampaignError> {
    let name = || plan.audits[audit].name.clone();
    let [first, second] = pair.inputs();
    if first == second {
        let input = shortened([first, second])[0].clone();
        return Err(CampaignError::EqualInputs {
            audit: name(),
            input,
        });
    }
    let counted = store.counted(audit)?;
    let chosen = match store.events(audit)? {
        Some(chosen) => chosen,
        None => {
            if shard != Shard::WHOLE && !reproducible(plan, audit, pair)? {
                return Err(CampaignError::Irreproducible { audit: name() });
            }
            let chosen = explore(plan, audit, pair)?;
            store.record_events(audit, &chosen)?;
            chosen
        }
    };
    for chunk in chunks {
        if counted.binary_search(&chunk).is_err() {
            let tally = count(plan, audit, pair, &chosen, chunk);
            let tally = tally.map_err(|error| CampaignError::Draw {
                audit: name(),
                error,
            })?;
            store.record_chunk(audit, chunk, &tally)?;
        }
        passed();
    }
    Ok(())
}

/// What the trials of an audit are for; each use has tape trials of its own.
#[derive(Clone, Copy)]
enum Phase {
    Explore = 2,
    Count = 3,
}

impl Phase {
    /// For errors.
    const fn purpose(self) -> &'static str {
        match self {
            Self::Explore => ", drawn to search",
            Self::Count => ", drawn to count",
        }
    }
}

/// Draws a range of pairs. Every audit has a tape of its own: the plan's seed, told apart by audit.
fn draw(
    plan: &Plan,
    audit: usize,
    pair: &dyn Pair,
    phase: Phase,
    range: Range<u64>,
) -> Result<[Vec<Output>; 2], DrawError> {
    let base = (phase as u64) << 56 | (audit as u64) << PAIR_BITS;
    let side = |s: usize| {
        let base = base | (s as u64) << SIDE_BIT;
        let trials = base + range.start..base + range.end;
        pair.draw(s, Tape::new(plan.seed), trials)
            .map_err(|error| error.drawn(phase.purpose()))
    };
    Ok([side(0)?, side(1)?])
}

fn rows(layout: &Layout, outputs: &[Output]) -> Rows {
    let mut rows = Rows::default();
    for output in outputs {
        layout.push(output, &mut rows);
    }
    rows
}

/// Whether the same numbers of the same seed give the same outputs twice, as far as a few of them tell.
fn reproducible(plan: &Plan, audit: usize, pair: &dyn Pair) -> Result<bool, CampaignError> {
    const FEW: u64 = 32;
    let some = || {
        let drawn = draw(plan, audit, pair, Phase::Explore, 0..FEW);
        // In words NaN is like itself.
        drawn.map(|sides| format!("{sides:?}"))
    };
    let same = some().and_then(|before| Ok(before == some()?));
    same.map_err(|error| CampaignError::Draw {
        audit: plan.audits[audit].name.clone(),
        error,
    })
}

fn explore(plan: &Plan, audit: usize, pair: &dyn Pair) -> Result<Chosen, CampaignError> {
    let entry = &plan.audits[audit];
    let name = || entry.name.clone();
    let sides = draw(plan, audit, pair, Phase::Explore, 0..entry.explore());
    let sides = sides.map_err(|error| CampaignError::Draw {
        audit: name(),
        error,
    })?;
    let layout = Layout::of(sides.iter().flatten(), Extras::default());
    let [first, second] = [rows(&layout, &sides[0]), rows(&layout, &sides[1])];
    let (alpha, _) = doubts(plan.share());
    for rows in [&first, &second] {
        if let Some(how) = dependence(rows.all(), alpha) {
            let audit = name();
            return Err(CampaignError::Dependent { audit, how, alpha });
        }
    }
    let bet = Goal::bet(entry.claim);
    let goals = [
        bet,
        Goal::bound(
            entry.claim,
            &Shape::Unknown,
            entry.pairs,
            plan.share() * BOUND,
        ),
    ];
    let mut found = learn(&layout, first.all(), second.all(), &goals);
    let bounds = found.pop().unwrap_or_default();
    let found = found.pop().unwrap_or_default();
    let mut bets: Vec<Directed> = [true, false]
        .into_iter()
        .filter_map(|forward| found.iter().find(|c| c.forward == forward))
        .map(|c| Directed {
            event: c.event.clone(),
            forward: c.forward,
            bound: false,
        })
        .collect();
    let bound = bounds.into_iter().next();
    bets.extend(bound.filter(|c| c.merit.is_finite()).map(|c| Directed {
        event: c.event,
        forward: c.forward,
        bound: true,
    }));
    let tokens = [first.all().tokens(), second.all().tokens()].concat();
    let varied = tokens.iter().any(|token| *token != tokens[0]);
    let constant = (!varied).then(|| constant(&first, &layout));
    Ok(Chosen {
        layout,
        constant,
        bets,
    })
}

fn count(
    plan: &Plan,
    audit: usize,
    pair: &dyn Pair,
    chosen: &Chosen,
    chunk: u64,
) -> Result<Tally, DrawError> {
    let end = ((chunk + 1) * CHUNK).min(plan.audits[audit].pairs);
    let sides = draw(plan, audit, pair, Phase::Count, chunk * CHUNK..end)?;
    let [first, second] = [
        rows(&chosen.layout, &sides[0]),
        rows(&chosen.layout, &sides[1]),
    ];
    Ok(chosen
        .bets
        .iter()
        .map(|bet| {
            let mut ways = [0; 4];
            for i in 0..first.len() {
                let happened = |rows: &Rows| usize::from(bet.event.contains(rows.row(i)));
                ways[happened(&first) | happened(&second) << 1] += 1;
            }
            ways
        })
        .collect())
}

/// How far a store is.
///
/// # Errors
/// The store's.
pub fn status(plan: &Plan, store: &Store) -> Result<Vec<Status>, CampaignError> {
    let of = |(audit, entry): (usize, &Entry)| {
        let counted = store.counted(audit)?.len() as u64;
        Ok(Status {
            audit: entry.name.clone(),
            counted,
            chunks: entry.chunks(),
        })
    };
    plan.audits.iter().enumerate().map(of).collect()
}

#[cfg(test)]
mod tests;
