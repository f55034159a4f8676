//! What the counts of a campaign say.

use super::plan::{CHUNK, Entry, Plan};
use super::run::{BETTING, BOUND, CampaignError, Chosen, Pair, Tally, doubts};
use super::store::Store;
use crate::audit::eprocess::{Leg, Slot, log_sum};
use crate::audit::independence::coincidence;
use crate::audit::interval::epsilon_lower;
use crate::audit::power::must_see;
use crate::audit::shape::Shape;
use crate::audit::verdict::doubted;
use crate::audit::words::{Sight, looked_at, shortened};
use crate::audit::{AuditReport, Counterexample, Counts, Rule, Verdict};

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
        let (_, alpha) = doubts(plan.share());
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
    let needed = -betting.ln() + 1e-6;
    let won = log_wealth >= needed;
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
    let doubted = || doubted(log_wealth).filter(|_| !violated);
    let reason = constant.or(blind).or_else(doubted);
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
        log_wealth_needed: needed,
        looked_at: looked_at(&chosen.layout),
        // The event is learned from what explores, not from what bets.
        detectable_leak: None,
        seconds: 0.0,
        event,
        counterexample,
        seed: plan.seed,
    }
}

#[cfg(test)]
mod tests;
