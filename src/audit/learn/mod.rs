//! Events that tell two samples apart, learned from samples that count for nothing afterwards.

mod goal;

pub(crate) use goal::Goal;

use crate::audit::classifier::Classifier;
use crate::audit::event::Event;
use crate::audit::features::{Layout, Part};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

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

/// What is compared with a threshold.
enum Threshold {
    Column(usize),
    Score(Arc<Classifier>),
}

impl Threshold {
    fn above(&self, threshold: f64) -> Event {
        match self {
            Self::Column(column) => Event::Above {
                column: *column,
                threshold,
            },
            Self::Score(classifier) => Event::Score {
                classifier: Arc::clone(classifier),
                threshold,
            },
        }
    }

    fn below(&self, threshold: f64) -> Event {
        match self {
            Self::Column(column) => Event::Below {
                column: *column,
                threshold,
            },
            Self::Score(classifier) => Event::ScoreBelow {
                classifier: Arc::clone(classifier),
                threshold,
            },
        }
    }
}

/// Numbers of the first side between two cuts that are scanned at once.
const SCANNED: usize = 1 << 14;

/// The best thresholds, above and below, in both directions.
fn on_scores(
    sort: &Threshold,
    first: Vec<f64>,
    second: Vec<f64>,
    goals: &[Goal],
) -> Vec<Vec<Candidate>> {
    let n = first.len() as f64;
    let [first, second] = [first, second].map(sorted);
    let scale = Scale {
        sort,
        sides: [&first, &second],
        n,
        goals,
    };
    let cuts: Vec<f64> = first.chunks(SCANNED).map(|c| c[c.len() - 1]).collect();
    let scan = |at: usize| {
        let after = if at == 0 { None } else { Some(cuts[at - 1]) };
        scale.scan(after, cuts.get(at).copied())
    };
    let parts: Vec<Vec<Best>> = (0..=cuts.len()).into_par_iter().map(scan).collect();
    // In the order of the thresholds: of equally good ones the lowest stays.
    let mut best = vec![Best::default(); goals.len()];
    for part in parts {
        best = best.into_iter().zip(part).map(|(a, b)| a.or(b)).collect();
    }
    let numbers = (first.len(), second.len());
    if let Threshold::Column(column) = *sort
        && ((numbers.0 + numbers.1) as f64) < 2.0 * n
    {
        let missing = (n - numbers.0 as f64, n - numbers.1 as f64);
        for (best, goal) in best.iter_mut().zip(goals) {
            best.offer(goal, missing, n, || Event::Missing { column });
        }
    }
    wrap(best)
}

/// What is scanned for thresholds: the numbers of each side in ascending order, of n rows.
struct Scale<'a> {
    sort: &'a Threshold,
    sides: [&'a [f64]; 2],
    n: f64,
    goals: &'a [Goal],
}

impl Scale<'_> {
    /// The best thresholds just above the values that lie above `after`, up to `last`.
    fn scan(&self, after: Option<f64>, last: Option<f64>) -> Vec<Best> {
        let [first, second] = self.sides;
        let (total0, total1) = (first.len() as f64, second.len() as f64);
        let start = |side: &[f64]| after.map_or(0, |cut| side.partition_point(|x| *x <= cut));
        let (mut rest0, mut rest1) = (&first[start(first)..], &second[start(second)..]);
        let mut best = vec![Best::default(); self.goals.len()];
        while let Some(value) = least(rest0, rest1).filter(|v| last.is_none_or(|cut| *v <= cut)) {
            (rest0, rest1) = (beyond(rest0, value), beyond(rest1, value));
            let Some(next) = least(rest0, rest1) else {
                break;
            };
            let (below0, below1) = (total0 - rest0.len() as f64, total1 - rest1.len() as f64);
            for (best, goal) in best.iter_mut().zip(self.goals) {
                // Both ends of the gap, so that atoms fall on the side meant.
                best.offer(goal, (below0, below1), self.n, || {
                    self.sort.below(between(value, next).unwrap_or(next))
                });
                let above = (total0 - below0, total1 - below1);
                best.offer(goal, above, self.n, || {
                    self.sort.above(between(value, next).unwrap_or(value))
                });
            }
        }
        best
    }
}

/// The numbers among these, in ascending order.
fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.retain(|x| !x.is_nan());
    values.par_sort_unstable_by(f64::total_cmp);
    values
}

/// The smallest of two ascending lists; of −0 and 0 the former.
fn least(first: &[f64], second: &[f64]) -> Option<f64> {
    match (first.first(), second.first()) {
        (Some(a), Some(b)) => Some(if b.total_cmp(a).is_lt() { *b } else { *a }),
        (a, b) => a.or(b).copied(),
    }
}

/// What comes after the elements equal to `value` at the start of an ascending list.
fn beyond(values: &[f64], value: f64) -> &[f64] {
    let equal = values.iter().take_while(|x| **x == value).count();
    &values[equal..]
}

/// The shortest decimal fraction strictly between two numbers, for the reader's sake.
fn between(low: f64, high: f64) -> Option<f64> {
    (0..18).find_map(|digits| {
        let scale = 10_f64.powi(digits);
        // Adding 0 turns −0 into 0.
        let middle = (0.5 * (low + high) * scale).round() / scale + 0.0;
        (low < middle && middle < high).then_some(middle)
    })
}

/// Rows of one value: how often they occur in the training and in the judging half, by side.
struct Value {
    token: u64,
    row: Vec<f64>,
    trained: [f64; 2],
    judged: [f64; 2],
}

/// The sets of the values that favour one side most, if few enough values occur.
fn on_values(
    layout: &Layout,
    train: [Part<'_>; 2],
    judge: [Part<'_>; 2],
    goals: &[Goal],
) -> Vec<Vec<Candidate>> {
    let mut best = vec![Best::default(); goals.len()];
    let Some(mut values) = tabulate(train, judge) else {
        return wrap(best);
    };
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

/// All values that occur, by identity; none if among the rows of one side and half more than one in
/// eight is new.
fn tabulate(train: [Part<'_>; 2], judge: [Part<'_>; 2]) -> Option<Vec<Value>> {
    let mut values: BTreeMap<u64, Value> = BTreeMap::new();
    for (judging, sides) in [train, judge].into_iter().enumerate() {
        for (side, rows) in sides.into_iter().enumerate() {
            let known = values.len();
            for (index, row) in rows.iter().enumerate() {
                if values.len() * 8 > index + 4096 + 8 * known {
                    return None;
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
    merit: f64,
    level: f64,
    event: Event,
}

/// The best event so far in each direction.
#[derive(Clone, Default)]
struct Best {
    forward: Option<Found>,
    reverse: Option<Found>,
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
        let (slot, gain, loss) = if forward {
            (&mut self.forward, hits0, hits1)
        } else {
            (&mut self.reverse, hits1, hits0)
        };
        let surpassed = |best: &Found| {
            goal.is_hopeless(gain, loss) || goal.is_surpassed(best.level, gain, loss, n)
        };
        if slot
            .as_ref()
            .is_some_and(|best| best.merit >= 0.0 && surpassed(best))
        {
            return;
        }
        let merit = goal.merit(gain, loss, n);
        if merit > slot.as_ref().map_or(f64::NEG_INFINITY, |best| best.merit) {
            *slot = Some(Found {
                merit,
                level: goal.level(merit),
                event: event(),
            });
        }
    }

    /// The better in each direction, of equals the first.
    fn or(self, other: Self) -> Self {
        let better = |a: Option<Found>, b: Option<Found>| match (&a, &b) {
            (Some(old), Some(new)) if new.merit > old.merit => b,
            (None, _) => b,
            _ => a,
        };
        Self {
            forward: better(self.forward, other.forward),
            reverse: better(self.reverse, other.reverse),
        }
    }

    fn candidates(self, goal: usize) -> Vec<Candidate> {
        let wrap = |forward| {
            move |found: Found| Candidate {
                event: found.event,
                goal,
                forward,
                merit: found.merit,
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
