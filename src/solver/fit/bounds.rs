//! Private ranges of the features, and of real targets.
//!
//! The ends of a range are looked for among public edges, 0 and ±2^k(1 + m/8) for −20 ≤ k ≤ 40 and m < 8: by bisection,
//! for all columns at once, for the largest edge with at most r records below it, and the least with at most r above. Each
//! question is answered with Gaussian noise of deviation σ. A replaced record moves a count by at most 1, hence the counts of q
//! columns together by at most √q; all questions are one Gaussian mechanism more for every round.
//!
//! r = n/100 + zσ, z = √(2 ln(Q/2β)) for Q answers: by Pr\[N(0, 1) > z\] ≤ ½e^{−z²/2} an end is farther out than all records
//! with probability at most β. The guarantee does not depend on it. Beyond an end there are about r records, which are moved
//! to it like all that a public range cuts off.

use super::outcome::unsupported;
use super::{FitError, LossName, Request};
use crate::accounting::{Event, gdp};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::{Dataset, Design};
use crate::units::{Neighbouring, fraction};
use serde::Serialize;

/// The tape's trial: see [`super::centre`].
const TRIAL: u64 = 4;
/// β.
const FAILURE: f64 = 0.05;
/// The part of the records that a range may cut off at either end, were there no noise.
const TAIL: f64 = 0.01;
/// Edges in an octave, and the least and the largest power of two.
const PARTS: i32 = 8;
const LEAST: i32 = -20;
const LARGEST: i32 = 40;
/// The last edge: 2⁴¹.
const LAST: i32 = (LARGEST - LEAST + 1) * PARTS + 1;
/// Questions for one end: 2¹⁰ is more than the 2·489 + 1 edges.
const ROUNDS: u32 = 10;

/// Released ranges, and what they cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Bounds {
    /// The part of μ² that they got.
    pub share: f64,
    /// ℓ₂ sensitivity of the counts of one round.
    pub sensitivity: f64,
    /// Standard deviation of the noise on each of them.
    pub deviation: f64,
    /// Number of rounds.
    pub rounds: u64,
    /// r: about as many records are beyond an end.
    pub beyond: f64,
    /// β: with at most this probability an end is farther out than all records.
    pub failure: f64,
    /// The range of every feature, p pairs.
    pub features: Vec<(f64, f64)>,
    /// The range of the targets, where they are real and had none.
    pub target: Option<(f64, f64)>,
}

impl Bounds {
    /// Releases the ranges that a request has none for, for a share of its μ².
    pub(super) fn new(data: &Dataset, request: &Request) -> Result<Self, FitError> {
        check(data, request)?;
        let share = request.bounds;
        let wanted = request.loss != LossName::Logistic && request.target_range.is_none();
        let (n, p) = (data.records(), data.features());
        let columns = (p + usize::from(wanted)) as f64;
        let rounds = 2 * ROUNDS;
        let sensitivity = columns.sqrt().next_up();
        let part = gdp::mu_of(request.epsilon, request.delta)?.lo * share.sqrt();
        // The roundings of this line, of a product with the noise and of a sum with a count.
        let deviation = sensitivity * f64::from(rounds).sqrt() / part * (1.0 + 16.0 * f64::EPSILON);
        let answers = columns * f64::from(rounds);
        let safe = (2.0 * (answers / (2.0 * FAILURE)).ln()).sqrt() * deviation;
        let beyond = TAIL * n as f64 + safe;
        if beyond + safe >= 0.5 * n as f64 {
            return Err(FitError::Loud {
                records: n,
                beyond: beyond + safe,
            });
        }
        let mut bounds = Self {
            share,
            sensitivity,
            deviation,
            rounds: rounds.into(),
            beyond,
            failure: FAILURE,
            features: Vec::new(),
            target: None,
        };
        let mut ranges = bounds.release(data, wanted, request.seed);
        bounds.target = wanted.then(|| ranges.pop()).flatten();
        bounds.features = ranges;
        Ok(bounds)
    }

    /// The ranges of all columns, that of the targets last.
    fn release(&self, data: &Dataset, targets: bool, seed: u64) -> Vec<(f64, f64)> {
        let column = |j| data.design().column(j).iter().map(|(_, x)| x).collect();
        let mut columns: Vec<Vec<f64>> = (0..data.features()).map(column).collect();
        if targets {
            columns.push(data.targets().to_vec());
        }
        let range = |(j, values): (usize, &Vec<f64>)| {
            let mut noise = Tape::new(seed)
                .trial(TRIAL)
                .stream(j as u64, Purpose::Release, 0);
            let mut few = |count: usize| {
                count as f64 + self.deviation * noise.uniform().gaussian() <= self.beyond
            };
            let below = |k| values.iter().filter(|x| **x < edge(k)).count();
            let above = |k: i32| values.iter().filter(|x| **x > edge(-k)).count();
            let low = last(|k| few(below(k)));
            let high = -last(|k| few(above(k)));
            let (low, high) = (low.min(high), low.max(high));
            match low == high {
                true if high < LAST => (edge(low), edge(high + 1)),
                true => (edge(low - 1), edge(high)),
                false => (edge(low), edge(high)),
            }
        };
        columns.iter().enumerate().map(range).collect()
    }

    /// The request with these ranges.
    pub(super) fn applied(&self, request: Request) -> Request {
        Request {
            ranges: Some(self.features.clone()),
            target_range: self.target.or(request.target_range),
            ..request
        }
    }

    /// The releases, to an accountant.
    pub(super) fn event(&self) -> Event {
        Event::Repeated {
            times: self.rounds,
            event: Box::new(Event::Gaussian {
                sigma: self.deviation,
                sensitivity: self.sensitivity,
            }),
        }
    }
}

/// The largest k of −LAST … LAST for which the answers say yes on the way; always [`ROUNDS`] questions, so that the number
/// of them is no answer.
fn last(mut yes: impl FnMut(i32) -> bool) -> i32 {
    let (mut low, mut high) = (-LAST, LAST + 1);
    for _ in 0..ROUNDS {
        let middle = low + (high - low) / 2;
        if yes(middle.clamp(-LAST, LAST)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low.clamp(-LAST, LAST)
}

/// Edge k, ascending and odd in k.
fn edge(k: i32) -> f64 {
    let size = match k.abs() - 1 {
        -1 => 0.0,
        m => 2f64.powi(LEAST + m / PARTS) * (1.0 + f64::from(m % PARTS) / f64::from(PARTS)),
    };
    size.copysign(f64::from(k))
}

fn check(data: &Dataset, request: &Request) -> Result<(), FitError> {
    fraction("bounds share", request.bounds)?;
    let refuse = |choice: &str| Err(unsupported(request, choice.into()));
    match data.design() {
        Design::Sparse(_) => {
            return refuse("private ranges of an svmlight file: say one bound for all (--bound)");
        }
        Design::Dense(_) => {}
    }
    if request.ranges.is_some() || request.bound != 1.0 {
        return refuse("private ranges beside public ones");
    }
    if request.neighbours != Neighbouring::ReplaceOne {
        return refuse("private ranges under other neighbours than replace-one");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Dense;

    #[test]
    fn edges_ascend_and_hold_zero_and_the_powers_of_two() {
        let edges: Vec<f64> = (-LAST..=LAST).map(edge).collect();
        assert!(edges.is_sorted_by(|a, b| a < b));
        assert!(edges.len() <= 1 << ROUNDS);
        for value in [
            0.0,
            1.0,
            -1.0,
            2f64.powi(40),
            2f64.powi(41),
            -2f64.powi(-20),
            1.125,
        ] {
            assert!(edges.contains(&value), "{value}");
        }
    }

    #[test]
    fn a_search_without_noise_ends_at_the_last_edge_that_it_may() {
        for wanted in [-LAST, -17, 0, 1, 488, LAST] {
            assert_eq!(last(|k| k <= wanted), wanted);
        }
    }

    /// A column of one number gets a range of one step, upwards but at the last edge.
    #[test]
    fn a_column_of_one_number_has_a_range() {
        let bounds = Bounds {
            share: 0.1,
            sensitivity: 1.0,
            deviation: 0.0,
            rounds: 20,
            beyond: 0.0,
            failure: FAILURE,
            features: Vec::new(),
            target: None,
        };
        let numbers = [1.0, -4.0, 0.0, edge(LAST)];
        let values = numbers.iter().flat_map(|x| [*x; 3]).collect();
        let design = Dense::from_columns(3, numbers.len(), values).expect("a table");
        let data = Dataset::new("constant", design, vec![0.0; 3]).expect("records");
        let ranges = bounds.release(&data, false, 1);
        let least = edge(1);
        let last = (edge(LAST - 1), edge(LAST));
        assert_eq!(ranges, [(1.0, 1.125), (-4.0, -3.75), (0.0, least), last]);
    }
}
