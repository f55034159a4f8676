//! Whether a program draws afresh each time that it is started.
//!
//! A generator with a seed of its own draws numbers as good as any, and no audit of one run can tell. In use every start
//! then releases the same noise, and two releases tell the data apart without any. So a program is started once more, with
//! another seed, and what it draws first is compared with what it has drawn.
//!
//! **Setting.** Two starts that draw independently of one law draw 2n exchangeable outputs: given how often each
//! occurred, every order is equally likely. Of the (2n)!/∏(2c)! orders of values that occurred 2c times each, n!/∏c! have
//! the second half equal to the first: with [`FALSE_ALARM`] at most, whatever the law.

use super::{ExternalError, process::External};
use crate::audit::Output;
use std::collections::HashMap;
use std::time::Duration;

/// The probability at most with which a program that draws afresh is refused.
const FALSE_ALARM: f64 = 1e-9;

/// How many outputs of `drawn` the second start is asked for: a quarter, so that an audit of a slow program takes no longer by much, and
/// 16 at least: of so many that differ the repetition has probability 6·10⁻¹⁸.
fn compared(drawn: usize) -> usize {
    (drawn / 4).clamp(16, 256).min(drawn)
}

/// Refuses a program that draws the same when it is started once more.
///
/// `outputs` are those of side 0 from number `first` on, asked for with `seed`, as its first start drew them.
///
/// # Errors
/// When it draws the same, or what can go wrong with a program at its second start.
pub fn check(
    command: &str,
    input: &str,
    limit: Duration,
    (seed, first): (u64, u64),
    outputs: &[Output],
) -> Result<(), ExternalError> {
    let outputs = &outputs[..compared(outputs.len())];
    if coincidence(outputs) > FALSE_ALARM {
        return Ok(());
    }
    let mut again = External::start(command, 0, input, limit)?;
    again.request(!seed, first, outputs.len())?;
    let repeated = again.outputs()?.iter().map(key).eq(outputs.iter().map(key));
    if !repeated {
        return Ok(());
    }
    Err(ExternalError::Repeated {
        command: command.into(),
        outputs: outputs.len(),
    })
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
    // ln of (2c)!/c!, each of 256 at most: right to 10⁻¹⁰.
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
        assert_eq!([0, 3, 40, 400, 4096].map(compared), [0, 3, 16, 100, 256]);
    }
}
