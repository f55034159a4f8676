//! Working through a plan, and reading off the result.

use super::plan::{CHUNK, Entry, Plan};
use super::store::{Store, StoreError};
use crate::audit::eprocess::{Leg, Slot, log_sum};
use crate::audit::event::Event;
use crate::audit::features::{Extras, Layout, Rows};
use crate::audit::independence::{coincidence, dependence};
use crate::audit::interval::epsilon_lower;
use crate::audit::learn::{Goal, learn};
use crate::audit::mechanism::{PAIR_BITS, SIDE_BIT};
use crate::audit::power::must_see;
use crate::audit::shape::Shape;
use crate::audit::words::{Sight, constant, shortened};
use crate::audit::{
    AuditReport, Counterexample, Counts, DrawError, Mechanism, Output, Release, Rule, Verdict,
};
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
    /// The outputs cannot be independent draws, so that no verdict can rest on them.
    #[error(
        "audit `{audit}` is not of independent draws: {how}; independent draws do so with probability at most \
         {alpha:.1e}, and no verdict rests on others"
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
const BETTING: f64 = 0.5;
const BOUND: f64 = 0.375;
const INDEPENDENCE: f64 = 0.125;

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
pub type Progress<'a> = &'a mut dyn FnMut(u64, u64);

/// What exploration chose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Chosen {
    layout: Layout,
    /// Why nothing can be said, if all outputs were one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    constant: Option<String>,
    /// The event to bet on in each direction (first too frequent, second too frequent), then the
    /// event of the bound.
    bets: Vec<Directed>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Directed {
    event: Event,
    forward: bool,
    bound: bool,
}

/// For each chosen event, in how many pairs it happened on neither side, the first only, the second
/// only, both.
type Tally = Vec<[u64; 4]>;

/// Counts what is not yet counted of a shard's chunks.
///
/// # Errors
/// The store's, or the first mechanism that cannot be run; what was counted before stays counted.
pub fn run(
    plan: &Plan,
    pairs: &[Box<dyn Pair>],
    store: &Store,
    shard: Shard,
    progress: Progress<'_>,
) -> Result<(), CampaignError> {
    let mine = |entry: &Entry| (0..entry.chunks()).filter(|c| c % shard.of == shard.index);
    let all: u64 = plan.audits.iter().map(|e| mine(e).count() as u64).sum();
    let mut done = 0;
    for (audit, (entry, pair)) in plan.audits.iter().zip(pairs).enumerate() {
        let failed = |error| CampaignError::Draw {
            audit: entry.name.clone(),
            error,
        };
        let [first, second] = pair.inputs();
        if first == second {
            return Err(CampaignError::EqualInputs {
                audit: entry.name.clone(),
                input: shortened([first, second])[0].clone(),
            });
        }
        let counted = store.counted(audit)?;
        let chosen = match store.events(audit)? {
            Some(chosen) => chosen,
            None => {
                let chosen = explore(plan, audit, pair.as_ref())?;
                store.record_events(audit, &chosen)?;
                chosen
            }
        };
        for chunk in mine(entry) {
            if counted.binary_search(&chunk).is_err() {
                let tally = count(plan, audit, pair.as_ref(), &chosen, chunk).map_err(failed)?;
                store.record_chunk(audit, chunk, &tally)?;
            }
            done += 1;
            progress(done, all);
        }
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
    let alpha = plan.share() * INDEPENDENCE / 4.0;
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

/// The result of every audit whose chunks are all in the store; `None` for the others.
///
/// # Errors
/// The store's, and when the chunks of an audit cannot be independent.
pub fn report(
    plan: &Plan,
    pairs: &[Box<dyn Pair>],
    store: &Store,
) -> Result<Vec<Option<AuditReport>>, CampaignError> {
    let pairs = pairs.iter().map(Box::as_ref);
    let of = |(audit, (entry, pair)): (usize, (&Entry, &dyn Pair))| {
        let (Some(chosen), tallies) = (store.events::<Chosen>(audit)?, store.chunks(audit)?) else {
            return Ok(None);
        };
        for (chunk, tally) in store.counted(audit)?.into_iter().zip(&tallies) {
            let row = format!("chunk {chunk} of audit {audit}");
            fits(entry, &chosen, chunk, tally).map_err(|why| store.damaged(&row, why))?;
        }
        let complete = tallies.len() as u64 == entry.chunks();
        let alpha = plan.share() * INDEPENDENCE / 2.0;
        if let Some(how) = repeated(entry, &tallies)
            .filter(|_| complete)
            .filter(|how| how.1 <= alpha)
        {
            let (audit, how) = (entry.name.clone(), how.0);
            return Err(CampaignError::Dependent { audit, how, alpha });
        }
        Ok(complete.then(|| conclude(plan, entry, pair, &chosen, &sum(&tallies))))
    };
    plan.audits.iter().zip(pairs).enumerate().map(of).collect()
}

/// Whether a tally counts each event once in every pair of its chunk; if not, why.
fn fits(entry: &Entry, chosen: &Chosen, chunk: u64, tally: &Tally) -> Result<(), String> {
    if chunk >= entry.chunks() {
        return Err(format!("the plan has {} chunks", entry.chunks()));
    }
    if tally.len() != chosen.bets.len() {
        let (have, due) = (tally.len(), chosen.bets.len());
        return Err(format!("{have} events are counted, {due} were chosen"));
    }
    let pairs = CHUNK.min(entry.pairs - chunk * CHUNK);
    let counted = |ways: &[u64; 4]| ways.iter().map(|n| u128::from(*n)).sum::<u128>();
    match tally.iter().map(counted).find(|n| *n != u128::from(pairs)) {
        Some(n) => Err(format!("{n} pairs are counted of {pairs}")),
        None => Ok(()),
    }
}

/// Whether all whole chunks counted the same, in words, and the largest probability of that among the events.
fn repeated(entry: &Entry, tallies: &[Tally]) -> Option<(String, f64)> {
    let whole = &tallies[..tallies.len().min((entry.pairs / CHUNK) as usize)];
    let first = whole.first()?;
    if whole.iter().any(|tally| tally != first) {
        return None;
    }
    let chunks = whole.len() as u64;
    // Of several events the rarest coincidence: a test of each would cost as many shares, of which there are three.
    let by_event = first.iter().map(|ways| coincidence(ways, chunks));
    let rarest = by_event.fold(1.0, f64::min) * first.len() as f64;
    Some((
        format!("all {chunks} whole chunks counted the same"),
        rarest,
    ))
}

fn sum(tallies: &[Tally]) -> Tally {
    let width = tallies.first().map_or(0, Vec::len);
    let cell = |event: usize, way: usize| tallies.iter().map(|t| t[event][way]).sum();
    (0..width)
        .map(|event| std::array::from_fn(|way| cell(event, way)))
        .collect()
}

/// ln of the mean wealth over directions and stakes: an e-value, since each of them is one.
fn log_wealth(entry: &Entry, chosen: &Chosen, total: &Tally) -> f64 {
    let returns: Vec<f64> = chosen
        .bets
        .iter()
        .zip(total)
        .filter(|(bet, _)| !bet.bound)
        .flat_map(|(bet, ways)| {
            let mut counts = [0; 16];
            counts[..4].copy_from_slice(ways);
            let leg = Leg::new(entry.claim, &bet.event, bet.forward);
            Slot::alone(&leg).log_returns(&counts).collect::<Vec<_>>()
        })
        .collect();
    log_sum(returns.iter().copied()) - (returns.len().max(1) as f64).ln()
}

fn conclude(
    plan: &Plan,
    entry: &Entry,
    pair: &dyn Pair,
    chosen: &Chosen,
    total: &Tally,
) -> AuditReport {
    let [betting, bounding] = [BETTING, BOUND].map(|part| part * plan.share());
    let (claimed, delta) = (entry.claim.epsilon.get(), entry.claim.delta.get());
    let log_wealth = log_wealth(entry, chosen, total);
    let bound = chosen
        .bets
        .iter()
        .zip(total)
        .find(|(bet, _)| bet.bound)
        .map(|(bet, ways)| {
            let hits = [ways[1] + ways[3], ways[2] + ways[3]];
            let order = if bet.forward { [0, 1] } else { [1, 0] };
            let [hits0, hits1] = order.map(|side| hits[side]);
            let lower = epsilon_lower(hits0, hits1, entry.pairs, delta, bounding).max(0.0);
            (
                bet,
                order,
                Counts {
                    hits0,
                    hits1,
                    samples: entry.pairs,
                },
                lower,
            )
        });
    let counted = bound.as_ref().map_or(0.0, |b| b.3);
    // The sums in the wealth are right to well below this allowance.
    let won = log_wealth - 1e-6 >= -betting.ln();
    let violated = won || counted > claimed;
    let mass = bound
        .as_ref()
        .map_or(0.1, |b| b.2.hits0 as f64 / entry.pairs as f64)
        .min(0.5);
    let usual = || must_see(entry.claim, &Shape::Unknown, betting);
    let target = entry.must_see.unwrap_or_else(usual);
    let sight = Sight {
        claim: entry.claim,
        shape: &Shape::Unknown,
        target,
        trials: entry.pairs,
        alpha: betting,
        mass,
    };
    let (power, blind) = match violated {
        true => (None, None),
        false => sight.power(),
    };
    // No event told any two of the counted outputs apart either.
    let uniform = |ways: &[u64; 4]| ways[0] == entry.pairs || ways[3] == entry.pairs;
    let constant = chosen
        .constant
        .clone()
        .filter(|_| !violated && total.iter().all(uniform));
    let reason = constant.or(blind);
    let detectable_epsilon = power.as_ref().map_or(f64::INFINITY, |p| p.epsilon);
    let event = bound
        .as_ref()
        .map(|(bet, ..)| bet.event.describe(&chosen.layout));
    let counterexample = bound
        .filter(|_| violated)
        .map(|(bet, order, counts, lower)| {
            let inputs = shortened(pair.inputs());
            let [input0, input1] = order.map(|side| inputs[side].clone());
            let event = event.clone().unwrap_or_default();
            Counterexample {
                input0,
                input1,
                event,
                rule: Rule {
                    layout: chosen.layout.clone(),
                    event: bet.event.clone(),
                },
                counts,
                epsilon_lower: lower,
                shrinks: 0,
            }
        });
    AuditReport {
        schema: 1,
        mechanism: entry.name.clone(),
        verdict: match (violated, &reason) {
            (true, _) => Verdict::Violation,
            (false, None) => Verdict::PassWithPower,
            (false, Some(_)) => Verdict::Inconclusive,
        },
        claim: entry.claim,
        neighbours: pair.neighbours(),
        release: pair.release(),
        epsilon_lower: if won { counted.max(claimed) } else { counted },
        confidence: 1.0 - plan.share(),
        alpha: plan.share(),
        detectable_epsilon,
        power,
        must_see: target,
        reason,
        samples: entry.pairs,
        bet_samples: entry.pairs,
        exploration_samples: entry.explore(),
        log_wealth,
        seconds: 0.0,
        event,
        counterexample,
        seed: plan.seed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_of_the_error_add_up_to_no_more_than_all_of_it() {
        let shares = [BETTING, BOUND, INDEPENDENCE];
        assert!(shares.iter().all(|share| *share > 0.0));
        assert!(shares.iter().sum::<f64>() <= 1.0);
    }
}
