//! Events that tell two samples apart, learned from samples that count for nothing afterwards.

use crate::audit::event::{Event, Layout, Rows};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// What an event is wanted for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// Betting against the point (ε, δ) of a claim.
    Bet {
        /// e^ε.
        ratio: f64,
        /// δ.
        delta: f64,
    },
    /// The largest Clopper–Pearson bound at δ.
    Bound {
        /// δ.
        delta: f64,
        /// z-value of the error of each of the two rates.
        z: f64,
    },
}

impl Goal {
    /// How good an event is that happened `gain` times of n on the side where it should be
    /// frequent and `loss` times of n on the other.
    pub(crate) fn merit(&self, gain: f64, loss: f64, n: f64) -> f64 {
        match *self {
            Self::Bet { ratio, delta } => {
                // Growth per pair is drift²/(2 variance); one pseudo-hit keeps luck in check.
                let (p, q) = (gain / (n + 1.0), (loss + 1.0) / (n + 1.0));
                let drift = p - ratio * q - delta;
                let variance = p * (1.0 - p) + ratio * ratio * q * (1.0 - q);
                drift / (variance + 1.0 / n).sqrt()
            }
            Self::Bound { delta, z } => {
                let low = wilson(gain / n, n, -z) - delta;
                let high = wilson(loss / n, n, z);
                if low > 0.0 {
                    (low / high).ln()
                } else {
                    f64::NEG_INFINITY
                }
            }
        }
    }
}

/// Wilson's approximate confidence bound of a rate.
fn wilson(rate: f64, n: f64, z: f64) -> f64 {
    let spread = z * (rate * (1.0 - rate) / n + z * z / (4.0 * n * n)).sqrt();
    (rate + z * z / (2.0 * n) + spread) / (1.0 + z * z / n)
}

/// An event with the direction in which it is too frequent.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub event: Event,
    pub forward: bool,
    pub merit: f64,
}

/// The best events of each sort and direction, best first.
pub(crate) fn learn(layout: &Layout, first: &Rows, second: &Rows, goal: Goal) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = (0..layout.width())
        .into_par_iter()
        .flat_map_iter(|column| on_column(column, first, second, goal))
        .collect();
    found.extend(on_tokens(first, second, goal));
    // A stable sort: ties stay in the order of columns, on any number of threads.
    found.sort_by(|a, b| b.merit.total_cmp(&a.merit));
    found
}

/// The best thresholds on one column, above and below, in both directions.
fn on_column(column: usize, first: &Rows, second: &Rows, goal: Goal) -> Vec<Candidate> {
    let n = first.len() as f64;
    let mut values: Vec<(f64, bool)> = first
        .iter()
        .map(|row| (row.values[column], true))
        .chain(second.iter().map(|row| (row.values[column], false)))
        .collect();
    let all = values.len();
    values.retain(|(x, _)| !x.is_nan());
    values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let total0 = values.iter().filter(|(_, on_first)| *on_first).count() as f64;
    let total1 = values.len() as f64 - total0;

    let mut best = Best::default();
    let (mut below0, mut below1) = (0.0, 0.0);
    for (index, (value, on_first)) in values.iter().enumerate() {
        if *on_first {
            below0 += 1.0;
        } else {
            below1 += 1.0;
        }
        let Some((next, _)) = values.get(index + 1) else {
            break;
        };
        if next == value {
            continue;
        }
        // Both sides of the gap, so that atoms fall on the side meant.
        best.offer(goal, (below0, below1), n, || Event::Below {
            column,
            threshold: *next,
        });
        best.offer(goal, (total0 - below0, total1 - below1), n, || {
            Event::Above {
                column,
                threshold: *value,
            }
        });
    }
    if values.len() < all {
        best.offer(goal, (n - total0, n - total1), n, || Event::Missing {
            column,
        });
    }
    best.candidates()
}

/// The set of values that favour one side by more than chance, if few enough values occur.
fn on_tokens(first: &Rows, second: &Rows, goal: Goal) -> Vec<Candidate> {
    let half = first.len() / 2;
    let mut counts: BTreeMap<u64, [[f64; 2]; 2]> = BTreeMap::new();
    for (side, rows) in [first, second].into_iter().enumerate() {
        for (index, row) in rows.iter().enumerate() {
            counts.entry(row.token).or_default()[usize::from(index >= half)][side] += 1.0;
        }
        if counts.len() * 8 > first.len() {
            return Vec::new();
        }
    }
    let n = (first.len() - half) as f64;
    let mut best = Best::default();
    for forward in [true, false] {
        // Chosen on the first half, judged on the second: a set fits its own half too well.
        let [gain, loss] = if forward { [0, 1] } else { [1, 0] };
        let mut ranked: Vec<_> = counts.iter().collect();
        let odds = |c: &[[f64; 2]; 2]| (c[0][gain] + 0.5) / (c[0][loss] + 0.5);
        ranked.sort_by(|a, b| odds(b.1).total_cmp(&odds(a.1)));
        let (mut hits0, mut hits1) = (0.0, 0.0);
        for (index, (_, c)) in ranked.iter().enumerate() {
            hits0 += c[1][0];
            hits1 += c[1][1];
            best.offer_towards(forward, goal, (hits0, hits1), n, || {
                let mut tokens: Vec<u64> = ranked[..=index].iter().map(|(t, _)| **t).collect();
                tokens.sort_unstable();
                Event::OneOf { tokens }
            });
        }
    }
    best.candidates()
}

/// The best event so far in each direction.
#[derive(Default)]
struct Best {
    forward: Option<(f64, Event)>,
    reverse: Option<(f64, Event)>,
}

impl Best {
    fn offer(&mut self, goal: Goal, hits: (f64, f64), n: f64, event: impl Fn() -> Event) {
        self.offer_towards(true, goal, hits, n, &event);
        self.offer_towards(false, goal, hits, n, &event);
    }

    fn offer_towards(
        &mut self,
        forward: bool,
        goal: Goal,
        (hits0, hits1): (f64, f64),
        n: f64,
        event: impl Fn() -> Event,
    ) {
        let (slot, merit) = if forward {
            (&mut self.forward, goal.merit(hits0, hits1, n))
        } else {
            (&mut self.reverse, goal.merit(hits1, hits0, n))
        };
        if merit > slot.as_ref().map_or(f64::NEG_INFINITY, |(m, _)| *m) {
            *slot = Some((merit, event()));
        }
    }

    fn candidates(self) -> Vec<Candidate> {
        let wrap = |forward| {
            move |(merit, event)| Candidate {
                event,
                forward,
                merit,
            }
        };
        let forward = self.forward.map(wrap(true));
        forward
            .into_iter()
            .chain(self.reverse.map(wrap(false)))
            .collect()
    }
}
