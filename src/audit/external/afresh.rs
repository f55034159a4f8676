//! Whether a program draws afresh each time that it is started.
//!
//! A generator with a seed of its own draws numbers as good as any, and no audit of one run can tell. In use every start
//! then releases the same noise, and two releases tell the data apart without any. So a program is started once more on either
//! side, with another seed, and what it draws first is compared with what it has drawn. It is asked for exactly what it was asked
//! for then: what a generator gives first may depend on how much is drawn at once.
//!
//! **Setting.** Two starts that draw independently of one law draw 2n exchangeable outputs: given how often each
//! occurred, every order is equally likely. Of the (2n)!/∏(2c)! orders of values that occurred 2c times each, n!/∏c! have
//! the second half equal to the first: with [`FALSE_ALARM`] at most, whatever the law.

use super::{ExternalError, process::External};
use crate::audit::Output;
use std::collections::HashMap;
use std::ops::Range;

/// The probability at most with which a program that draws afresh is refused.
const FALSE_ALARM: f64 = 1e-9;

/// Outputs that are compared at most: of a coin with one head in a hundred they tell.
const MOST: usize = 1024;

/// Outputs of the first request; the following ones double what was asked for, so that another start, which is asked for as much, takes
/// an audit of a slow program no longer by much.
const FEWEST: u64 = 32;

/// How many of the outputs are compared: as few as tell; of 16 that differ the repetition has probability 6·10⁻¹⁸. None if all do
/// not tell.
fn compared(outputs: &[Output]) -> Option<usize> {
    let most = outputs.len().min(MOST);
    let counts = (4..).map(|log| most.min(1 << log));
    let up_to = counts.scan(0, |last, n| (std::mem::replace(last, n) < n).then_some(n));
    { up_to }.find(|n| coincidence(&outputs[..*n]) <= FALSE_ALARM)
}

/// The first outputs of a program on one side, until they tell whether another start repeats them.
#[derive(Default)]
pub struct Firsts {
    /// What it was asked for, with which seed, and what it answered.
    asked: Vec<(u64, Range<u64>)>,
    outputs: Vec<Output>,
    settled: bool,
}

impl Firsts {
    /// These trials in requests of so many outputs at most: while nothing is settled, in small ones first.
    pub fn requests(&self, trials: Range<u64>, most: u64) -> Vec<Range<u64>> {
        let known = if self.settled {
            MOST
        } else {
            self.outputs.len()
        } as u64;
        let mut at = trials.start;
        std::iter::from_fn(|| {
            let so_far = known + (at - trials.start);
            let size = match MOST as u64 {
                enough if so_far < enough => so_far.max(FEWEST).min(enough - so_far),
                _ => most,
            };
            let range = at..trials.end.min(at + size.min(most));
            at = range.end;
            (!range.is_empty()).then_some(range)
        })
        .collect()
    }

    /// Takes what was drawn next, and starts the program once more as soon as there is enough: how many outputs that repeats, if any.
    ///
    /// # Errors
    /// What can go wrong with a program at its second start.
    pub fn add(
        &mut self,
        (seed, range): (u64, &Range<u64>),
        drawn: &[Output],
        start: impl Fn() -> Result<External, ExternalError>,
    ) -> Result<Option<usize>, ExternalError> {
        if self.settled {
            return Ok(None);
        }
        self.asked.push((seed, range.clone()));
        self.outputs.extend_from_slice(drawn);
        let enough = compared(&self.outputs);
        if enough.is_none() && self.outputs.len() < MOST {
            return Ok(None);
        }
        let settled = Self {
            settled: true,
            ..Self::default()
        };
        let firsts = std::mem::replace(self, settled);
        match enough {
            Some(enough) if firsts.repeats(enough, start()?)? => Ok(Some(enough)),
            _ => Ok(None),
        }
    }

    /// Whether another start, asked for the same, draws these outputs in this order.
    fn repeats(&self, enough: usize, mut again: External) -> Result<bool, ExternalError> {
        let mut left = &self.outputs[..enough];
        for (seed, range) in &self.asked {
            if left.is_empty() {
                break;
            }
            again.request(!seed, range.start, (range.end - range.start) as usize)?;
            let drawn = again.outputs()?;
            let (here, rest) = left.split_at(left.len().min(drawn.len()));
            if !drawn.iter().zip(here).all(|(a, b)| key(a) == key(b)) {
                return Ok(false);
            }
            left = rest;
        }
        Ok(true)
    }
}

/// What tells outputs apart: NaN is like itself.
fn key(output: &Output) -> String {
    format!("{output:?}")
}

/// The probability that n independent draws repeat these, in their order.
fn coincidence(outputs: &[Output]) -> f64 {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for output in outputs {
        *counts.entry(key(output)).or_default() += 1;
    }
    // ln of (2c)!/c!, each of 1,024 at most: right to 10⁻⁹.
    let doubled = |c: usize| (c + 1..=2 * c).map(|k| (k as f64).ln()).sum::<f64>();
    let ways: f64 = counts.values().map(|c| doubled(*c)).sum();
    (ways - doubled(outputs.len())).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reals(values: &[f64]) -> Vec<Output> {
        values.iter().copied().map(Output::Real).collect()
    }

    /// By brute force: the share of all orders of the outputs and their copies whose halves are equal.
    #[test]
    fn repetitions_are_counted_among_all_orders() {
        fn orders(left: &[usize], so_far: &mut Vec<usize>, counts: &mut [u64; 2]) {
            if left.is_empty() {
                let (a, b) = so_far.split_at(so_far.len() / 2);
                counts[0] += u64::from(a == b);
                counts[1] += 1;
            }
            for place in 0..left.len() {
                let mut rest = left.to_vec();
                so_far.push(rest.remove(place));
                orders(&rest, so_far, counts);
                so_far.pop();
            }
        }
        for values in [vec![0, 1], vec![0, 0, 1], vec![0, 1, 2, 1], vec![2, 2, 2]] {
            let twice = [values.clone(), values.clone()].concat();
            let mut counts = [0; 2];
            orders(&twice, &mut Vec::new(), &mut counts);
            let truth = counts[0] as f64 / counts[1] as f64;
            let values: Vec<f64> = values.iter().map(|v| *v as f64).collect();
            let found = coincidence(&reals(&values));
            assert!(
                (found / truth - 1.0).abs() < 1e-12,
                "{values:?}: {found}, {truth}"
            );
        }
    }

    /// Sixteen different outputs tell, and a coin with one head in ten does from some dozens on; what hardly varies never does.
    #[test]
    fn what_varies_too_little_to_tell_is_not_compared() {
        let tells = |values: &[f64]| coincidence(&reals(values)) <= FALSE_ALARM;
        let distinct: Vec<f64> = (0..16).map(f64::from).collect();
        assert!(tells(&distinct) && !tells(&distinct[..8]));
        let coin = |n: u32| -> Vec<f64> { (0..n).map(|i| f64::from(i % 10 == 0)).collect() };
        assert!(tells(&coin(100)) && !tells(&coin(50)));
        assert!(!tells(&[1.0; 256]));
        // NaN is one value, and −0 is not 0.
        assert_eq!(coincidence(&reals(&[f64::NAN; 4])), 1.0);
        assert!(coincidence(&reals(&[0.0, -0.0])) < 0.5);
        // As few as tell: twice as many until they do.
        let enough = |values: &[f64]| compared(&reals(values));
        let all: Vec<f64> = (0..4096).map(f64::from).collect();
        assert_eq!(enough(&all), Some(16));
        assert_eq!(
            [&all[..12], &all[..3], &[]].map(enough),
            [Some(12), None, None]
        );
        let heads = |n: u32, one_in: u32| -> Vec<f64> {
            (0..n).map(|i| f64::from(i % one_in == 0)).collect()
        };
        let found = [
            (4096, 3),
            (4096, 10),
            (4096, 100),
            (4096, 1000),
            (70, 10),
            (40, 10),
        ];
        let found = found.map(|(n, one_in)| enough(&heads(n, one_in)));
        assert_eq!(found, [Some(64), Some(64), Some(512), None, Some(64), None]);
    }
}
