//! Events that tell two samples apart, learned from samples that count for nothing afterwards.

mod goal;
mod threshold;

pub(crate) use goal::Goal;

use crate::audit::classifier::Classifier;
use crate::audit::event::Event;
use crate::audit::features::{Layout, Part};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use threshold::{Threshold, on_scores};

/// An event with the direction in which it is too frequent.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub event: Event,
    /// Place of its goal among those asked for.
    pub goal: usize,
    pub forward: bool,
    pub merit: f64,
}

/// The best events of each sort and direction for each goal, best first.
pub(crate) fn learn(
    layout: &Layout,
    first: Part<'_>,
    second: Part<'_>,
    goals: &[Goal],
) -> Vec<Vec<Candidate>> {
    // Thresholds on columns hardly fit better than they should; sets of values and classifiers do,
    // so these are chosen on one half of the rows and judged on the other.
    let columns = || -> Vec<Vec<Vec<Candidate>>> {
        let one = |column: usize| {
            let value = |rows: Part<'_>| rows.iter().map(|row| row.values[column]).collect();
            let sort = Threshold::Column(column);
            on_scores(&sort, value(first), value(second), goals)
        };
        (0..layout.width()).into_par_iter().map(one).collect()
    };
    let ([train0, judge0], [train1, judge1]) = (first.halves(), second.halves());
    let rows = || {
        let classifier = Arc::new(Classifier::train(layout.width(), train0, train1));
        let score = |rows: Part<'_>| {
            rows.iter()
                .map(|row| classifier.score(row.values))
                .collect()
        };
        let threshold = Threshold::Score(Arc::clone(&classifier));
        [
            on_scores(&threshold, score(judge0), score(judge1), goals),
            on_values(layout, [train0, train1], [judge0, judge1], goals),
        ]
    };
    let (columns, rows) = rayon::join(columns, rows);
    let none = vec![Vec::new(); goals.len()];
    let mut all = columns.into_iter().chain(rows).fold(none, join);
    for candidates in &mut all {
        // A stable sort: ties stay in the order of columns, on any number of threads.
        candidates.sort_by(|a, b| b.merit.total_cmp(&a.merit));
    }
    all
}

fn join(mut all: Vec<Vec<Candidate>>, more: Vec<Vec<Candidate>>) -> Vec<Vec<Candidate>> {
    for (all, more) in all.iter_mut().zip(more) {
        all.extend(more);
    }
    all
}

/// Rows of one value: how often they occur in the training and in the judging half, by side.
struct Value {
    token: u64,
    row: Vec<f64>,
    trained: [f64; 2],
    judged: [f64; 2],
}

/// Where too many values occur only those are looked at that so many rows of the training half have: atoms, which noise of
/// many values has not. Of more than [`MOST_ATOMS`] the most frequent.
const COMES_BACK: usize = 4;
const MOST_ATOMS: usize = 1 << 9;

/// The sets of the values that favour one side most: of all that occur if they are few, else of those that come back.
fn on_values(
    layout: &Layout,
    train: [Part<'_>; 2],
    judge: [Part<'_>; 2],
    goals: &[Goal],
) -> Vec<Vec<Candidate>> {
    let mut best = vec![Best::default(); goals.len()];
    let all = tabulate(train, judge, |_| true);
    let mut values = all.unwrap_or_else(|| {
        let atoms = atoms(train);
        tabulate(train, judge, |token| atoms.binary_search(&token).is_ok()).unwrap_or_default()
    });
    let n = judge[0].len() as f64;
    for forward in [true, false] {
        let odds = |value: &Value| {
            let [a, b] = value.trained.map(|count| count + 0.5);
            if forward { a / b } else { b / a }
        };
        values.sort_by(|a, b| odds(b).total_cmp(&odds(a)));
        let mut hits = (0.0, 0.0);
        for (index, value) in values.iter().enumerate() {
            hits.0 += value.judged[0];
            hits.1 += value.judged[1];
            for (best, goal) in best.iter_mut().zip(goals) {
                best.offer_towards(forward, goal, hits, n, || one_of(layout, &values[..=index]));
            }
        }
    }
    wrap(best)
}

fn one_of(layout: &Layout, values: &[Value]) -> Event {
    let mut tokens: Vec<u64> = values.iter().map(|value| value.token).collect();
    tokens.sort_unstable();
    Event::OneOf {
        tokens,
        examples: values
            .iter()
            .take(3)
            .map(|value| layout.show(&value.row))
            .collect(),
    }
}

/// The identities of the values that come back in these rows, in ascending order.
fn atoms(train: [Part<'_>; 2]) -> Vec<u64> {
    let mut tokens = train.map(Part::tokens).concat();
    tokens.par_sort_unstable();
    let runs = tokens.chunk_by(|a, b| a == b);
    let mut atoms: Vec<(usize, u64)> = runs
        .filter(|run| run.len() >= COMES_BACK)
        .map(|run| (run.len(), run[0]))
        .collect();
    atoms.sort_by_key(|(times, token)| (std::cmp::Reverse(*times), *token));
    atoms.truncate(MOST_ATOMS);
    let mut atoms: Vec<u64> = atoms.into_iter().map(|(_, token)| token).collect();
    atoms.sort_unstable();
    atoms
}

/// The values among these that are kept, by identity; none if among the rows of one side and half more than one in
/// eight is new, with some allowance.
fn tabulate(
    train: [Part<'_>; 2],
    judge: [Part<'_>; 2],
    kept: impl Fn(u64) -> bool,
) -> Option<Vec<Value>> {
    let mut values: BTreeMap<u64, Value> = BTreeMap::new();
    for (judging, sides) in [train, judge].into_iter().enumerate() {
        for (side, rows) in sides.into_iter().enumerate() {
            let known = values.len();
            for (index, row) in rows.iter().enumerate() {
                if values.len() * 8 > index + 4096 + 8 * known {
                    return None;
                }
                if !kept(row.token) {
                    continue;
                }
                let value = values.entry(row.token).or_insert_with(|| Value {
                    token: row.token,
                    row: row.values.to_vec(),
                    trained: [0.0; 2],
                    judged: [0.0; 2],
                });
                let counts = if judging == 1 {
                    &mut value.judged
                } else {
                    &mut value.trained
                };
                counts[side] += 1.0;
            }
        }
    }
    Some(values.into_values().collect())
}

/// An event and how good it is.
#[derive(Clone)]
struct Found {
    reached: Reached,
    event: Event,
}

/// A merit, and the number that stands for it in [`Goal::is_surpassed`].
#[derive(Clone, Copy)]
struct Reached {
    merit: f64,
    level: f64,
}

impl Reached {
    /// How far floating point may be from the monotony of merits.
    const ALLOWANCE: f64 = 1e-6;

    /// Whether all counts in these ranges have certainly less merit than this one.
    fn is_beyond(self, goal: &Goal, gain: [f64; 2], loss: [f64; 2], n: f64) -> bool {
        goal.most(gain, loss, n) < self.merit - Self::ALLOWANCE * (1.0 + self.merit.abs())
    }
}

/// The best event so far in each direction.
#[derive(Clone, Default)]
struct Best {
    forward: Option<Found>,
    reverse: Option<Found>,
    /// What events elsewhere have reached, forward and reverse.
    elsewhere: [Option<Reached>; 2],
}

impl Best {
    fn offer(&mut self, goal: &Goal, hits: (f64, f64), n: f64, event: impl Fn() -> Event) {
        self.offer_towards(true, goal, hits, n, &event);
        self.offer_towards(false, goal, hits, n, &event);
    }

    fn offer_towards(
        &mut self,
        forward: bool,
        goal: &Goal,
        (hits0, hits1): (f64, f64),
        n: f64,
        event: impl Fn() -> Event,
    ) {
        let to_reach = self.to_reach(forward);
        let (slot, gain, loss) = if forward {
            (&mut self.forward, hits0, hits1)
        } else {
            (&mut self.reverse, hits1, hits0)
        };
        if to_reach.is_some_and(|best| {
            best.merit >= 0.0 && goal.is_hopeless(gain, loss)
                || goal.is_surpassed(best.level, gain, loss, n)
        }) {
            return;
        }
        let merit = goal.merit(gain, loss, n);
        if merit
            > slot
                .as_ref()
                .map_or(f64::NEG_INFINITY, |best| best.reached.merit)
        {
            let level = goal.level(merit);
            *slot = Some(Found {
                reached: Reached { merit, level },
                event: event(),
            });
        }
    }

    /// The largest merit in a direction, here or elsewhere.
    fn to_reach(&self, forward: bool) -> Option<Reached> {
        let (here, elsewhere) = match forward {
            true => (&self.forward, self.elsewhere[0]),
            false => (&self.reverse, self.elsewhere[1]),
        };
        let known = here.iter().map(|found| found.reached).chain(elsewhere);
        known.max_by(|a, b| a.merit.total_cmp(&b.merit))
    }

    /// Whether no event with counts between these, fewer and more, on either side reaches what is known.
    fn is_beyond(&self, goal: &Goal, fewer: [f64; 2], more: [f64; 2], n: f64) -> bool {
        let [first, second] = [0, 1].map(|side| [fewer[side], more[side]]);
        let beyond = |forward, gain, loss| {
            let best = self.to_reach(forward);
            best.is_some_and(|best| best.is_beyond(goal, gain, loss, n))
        };
        beyond(true, first, second) && beyond(false, second, first)
    }

    /// Nothing found, but what was found must be reached by whatever is.
    fn rivals(self) -> Self {
        Self {
            elsewhere: [true, false].map(|forward| self.to_reach(forward)),
            ..Self::default()
        }
    }

    /// The better in each direction, of equals the first.
    fn or(self, other: Self) -> Self {
        let better = |a: Option<Found>, b: Option<Found>| match (&a, &b) {
            (Some(old), Some(new)) if new.reached.merit > old.reached.merit => b,
            (None, _) => b,
            _ => a,
        };
        Self {
            forward: better(self.forward, other.forward),
            reverse: better(self.reverse, other.reverse),
            elsewhere: self.elsewhere,
        }
    }

    fn candidates(self, goal: usize) -> Vec<Candidate> {
        let wrap = |forward| {
            move |found: Found| Candidate {
                event: found.event,
                goal,
                forward,
                merit: found.reached.merit,
            }
        };
        let forward = self.forward.map(wrap(true));
        let reverse = self.reverse.map(wrap(false));
        forward.into_iter().chain(reverse).collect()
    }
}

fn wrap(best: Vec<Best>) -> Vec<Vec<Candidate>> {
    let of = |(goal, best): (usize, Best)| best.candidates(goal);
    best.into_iter().enumerate().map(of).collect()
}

#[cfg(test)]
mod tests;
