//! Whether the outputs of one side can be independent draws.
//!
//! Every verdict rests on that. A program that seeds its generator once for each batch repeats its noise: on
//! such draws even a sound mechanism is accused, at whatever ε the repeated events suggest.
//!
//! **Setting.** Independent draws of one law are exchangeable: given which outputs occurred how often, every
//! order is equally likely. Both tests are exact under this alone, whatever the law, atoms or not.
//!
//! Of repeats: two stretches of L outputs, at i and at j > i, are equal with probability at most
//! (m/(n − 2L))^L, where n is the number of outputs and m that of the most frequent one: reveal the outputs
//! in order of place, and each of the L at j must be the one that was revealed at its counterpart, of which
//! at most m are left among at least n − 2L. With at most n²/2 pairs (i, j), some stretch of the
//! length L at which n²/2 · (m/(n − 2L))^L ≤ α is repeated with probability at most α.
//!
//! Of runs: mark the outputs above the median of a column. Given n₁ marks among n, the number of runs has
//! the distribution of Wald and Wolfowitz (1940), whose tails are summed here; too few runs come of draws
//! that drag on, too many of draws that alternate.

use crate::audit::features::Part;
use std::collections::HashMap;

/// Outputs that are looked at, from the first on.
const LOOKED_AT: usize = 1 << 17;
/// Columns whose runs are counted.
const COLUMNS: usize = 8;
/// Allowance for the rounding of logarithms of factorials of at most 2¹⁷, each below 2²¹ and right to 2⁻⁵⁰ of itself.
const ROUNDING: f64 = 1e-6;

/// What is wrong with the outputs of a side, in words, if independent draws would look like this with probability at
/// most `alpha`.
pub(crate) fn dependence(outputs: Part<'_>, alpha: f64) -> Option<String> {
    let outputs = outputs.first(LOOKED_AT);
    let half = alpha / 2.0;
    let repeated = repeat(outputs.tokens(), half).map(|r| {
        let ([a, b], n) = (r.at, r.length);
        format!(
            "output {b} and the {} behind it repeat output {a} and those behind it",
            n - 1
        )
    });
    repeated.or_else(|| {
        let columns = outputs.width().min(COLUMNS);
        (0..columns).find_map(|column| {
            let values: Vec<f64> = outputs.iter().map(|row| row.values[column]).collect();
            let (runs, expected) = odd_runs(&values, half / columns as f64)?;
            let n = values.len();
            Some(format!(
                "the {n} outputs lie above and below their median in {runs} runs, where \
                 independent ones make about {expected:.0}"
            ))
        })
    })
}

/// Two equal stretches of outputs.
#[derive(Debug, PartialEq)]
struct Repeat {
    at: [usize; 2],
    length: usize,
}

/// The first stretch that is repeated although that has probability at most `alpha`.
fn repeat(tokens: &[u64], alpha: f64) -> Option<Repeat> {
    let length = telling_length(tokens, alpha)?;
    let mut seen: HashMap<u64, usize> = HashMap::with_capacity(tokens.len());
    // A polynomial in an odd base: the hash of the next stretch follows from that of the last.
    const BASE: u64 = 0x2545_f491_4f6c_dd1d;
    let highest = BASE.wrapping_pow(length as u32 - 1);
    let mut hash = 0_u64;
    for (end, token) in tokens.iter().enumerate() {
        if end >= length {
            hash = hash.wrapping_sub(tokens[end - length].wrapping_mul(highest));
        }
        hash = hash.wrapping_mul(BASE).wrapping_add(*token);
        let Some(start) = (end + 1).checked_sub(length) else {
            continue;
        };
        let earlier = *seen.entry(hash).or_insert(start);
        if earlier < start && tokens[earlier..][..length] == tokens[start..][..length] {
            let at = [earlier, start];
            return Some(Repeat { at, length });
        }
    }
    None
}

/// The shortest length at which some repeat has probability at most `alpha`; none if no length up to a quarter of
/// the outputs has.
fn telling_length(tokens: &[u64], alpha: f64) -> Option<usize> {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for token in tokens {
        *counts.entry(*token).or_default() += 1;
    }
    let (n, most) = (tokens.len() as f64, *counts.values().max()? as f64);
    let of_pairs = (n * n / 2.0).ln();
    let tells = |length: &usize| {
        let l = *length as f64;
        of_pairs + l * (most / (n - 2.0 * l)).ln() <= alpha.ln()
    };
    (1..=tokens.len() / 4).find(tells)
}

/// The number of runs above and below the median, and the number expected, if independent draws give one so far off
/// with probability at most `alpha`.
fn odd_runs(values: &[f64], alpha: f64) -> Option<(usize, f64)> {
    let mut ascending: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
    let middle = ascending.len() / 2;
    if ascending.is_empty() {
        return None;
    }
    let median = *ascending.select_nth_unstable_by(middle, f64::total_cmp).1;
    // Where half of the outputs are the median, those below it stand apart instead.
    let above = |strict: bool| -> Vec<bool> {
        let marked = |x: &f64| if strict { *x > median } else { *x >= median };
        values.iter().map(marked).collect()
    };
    let ones = |marks: &[bool]| marks.iter().filter(|mark| **mark).count();
    let (strict, wide) = (above(true), above(false));
    let rarer = |marks: &[bool]| ones(marks).min(marks.len() - ones(marks));
    let marks = if rarer(&strict) >= rarer(&wide) {
        strict
    } else {
        wide
    };
    let (n1, n0) = (ones(&marks), marks.len() - ones(&marks));
    if n1 < 2 || n0 < 2 {
        return None;
    }
    let runs = 1 + marks.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let n = (n1 + n0) as f64;
    let expected = 1.0 + 2.0 * n1 as f64 * n0 as f64 / n;
    let tail = runs_tail(n1, n0, runs, (runs as f64) < expected);
    (2.0 * tail * (1.0 + ROUNDING) <= alpha).then_some((runs, expected))
}

/// P\[R ≤ r\] (`lower`) or P\[R ≥ r\] of the number R of runs of n₁ marks and n₀ others in random order, n₁, n₀ ≥ 2.
fn runs_tail(n1: usize, n0: usize, r: usize, lower: bool) -> f64 {
    let orders = ln_choose(n1 + n0, n1);
    let mass = |runs: usize| {
        let cut = |n: usize, parts: usize| match parts {
            1.. if parts <= n => ln_choose(n - 1, parts - 1),
            _ => f64::NEG_INFINITY,
        };
        let half = runs / 2;
        let of = |a: usize, b: usize| (cut(n1, a) + cut(n0, b) - orders).exp();
        match runs % 2 {
            0 => 2.0 * of(half, half),
            _ => of(half + 1, half) + of(half, half + 1),
        }
    };
    let most = 2 * n1.min(n0) + 1;
    let away: Box<dyn Iterator<Item = usize>> = match lower {
        true => Box::new((2..=r).rev()),
        false => Box::new(r..=most),
    };
    let mut sum = 0.0;
    for term in away.map(mass) {
        sum += term;
        // The masses fall away from the middle, and faster and faster.
        if term < 1e-17 * sum {
            break;
        }
    }
    sum
}

/// The probability that all of `chunks` chunks of independent draws fall into four kinds in the same numbers as the first,
/// given how many are of each kind in all: of the ways to deal the draws out to chunks, those that deal alike.
#[cfg(feature = "cli")]
pub(crate) fn coincidence(kinds: &[u64; 4], chunks: u64) -> f64 {
    let ln_factorial = |n: u64| libm::lgamma(n as f64 + 1.0);
    // (k n)!/n!^k for the draws of each kind, and for all.
    let deals = |n: u64| ln_factorial(chunks * n) - chunks as f64 * ln_factorial(n);
    let size: u64 = kinds.iter().sum();
    let ln = kinds.iter().map(|n| deals(*n)).sum::<f64>() - deals(size);
    // Logarithms of at most (2³²)! are right to 10⁻⁴, and there are ten.
    (ln.exp() * 1.01).min(1.0)
}

/// ln of the binomial coefficient n over k.
fn ln_choose(n: usize, k: usize) -> f64 {
    let ln_factorial = |n: usize| libm::lgamma(n as f64 + 1.0);
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use crate::audit::binomial::tail_upper;
    use crate::audit::features::Rows;
    use crate::mechanism::tape::{Purpose, Tape};

    /// n independent outputs: Laplace noise rounded to whole steps of a size.
    fn draws(n: usize, step: f64, seed: u64) -> Vec<f64> {
        let mut noise = Tape::new(seed).stream(0, Purpose::User, 0);
        let round = |x: f64| if step > 0.0 { (x / step).round() } else { x };
        (0..n).map(|_| round(noise.uniform().laplace())).collect()
    }

    /// The fewest alarms of `n` whose probability is at most `surely`, if each has probability `alpha`.
    fn too_many(n: u64, alpha: f64, surely: f64) -> u64 {
        (0..n)
            .find(|k| tail_upper(n, *k, alpha) <= surely)
            .expect("n itself")
    }

    #[test]
    fn independent_draws_are_doubted_no_more_often_than_stated() {
        // Of 600 sequences in all; a test at five times its error would show with probability above 0.99.
        const ALPHA: f64 = 0.05;
        for step in [0.0, 0.2, 3.0] {
            let doubted = |seed: &u64| {
                dependence(Rows::of_reals(&draws(400, step, *seed)).all(), ALPHA).is_some()
            };
            let doubted = (0..200).filter(doubted).count() as u64;
            let limit = too_many(200, ALPHA, 1e-6);
            assert!(
                doubted < limit,
                "step {step}: {doubted} of 200, limit {limit}"
            );
        }
    }

    #[test]
    fn repeated_noise_is_found_whatever_the_law_and_whatever_the_batch() {
        for (step, batch) in [(0.0, 8), (0.0, 500), (0.2, 500), (3.0, 2000)] {
            let once = draws(batch, step, 7);
            let n = 4 * batch.max(64);
            let repeated: Vec<f64> = once.iter().cycle().take(n).copied().collect();
            let found = dependence(Rows::of_reals(&repeated).all(), 1e-7);
            assert!(
                found.is_some_and(|how| how.contains("repeat output 0")),
                "{step} {batch}"
            );
            assert_eq!(
                dependence(Rows::of_reals(&draws(n, step, 8)).all(), 1e-7),
                None
            );
        }
    }

    #[test]
    fn noise_that_drags_on_or_alternates_is_found() {
        let noise = draws(2000, 0.0, 3);
        let mut last = 0.0;
        let drags: Vec<f64> = noise
            .iter()
            .map(|x| {
                last = 0.5 * last + x;
                last
            })
            .collect();
        let sign = |i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 };
        let alternates: Vec<f64> = noise
            .iter()
            .enumerate()
            .map(|(i, x)| sign(i) * x.abs())
            .collect();
        for odd in [drags, alternates] {
            let found = dependence(Rows::of_reals(&odd).all(), 1e-7);
            assert!(found.is_some_and(|how| how.contains("runs")));
        }
    }

    #[test]
    fn what_varies_too_little_to_tell_is_not_doubted() {
        for outputs in [
            vec![],
            vec![1.0],
            vec![5.0; 1000],
            [vec![1.0], vec![0.0; 999]].concat(),
        ] {
            assert_eq!(
                dependence(Rows::of_reals(&outputs).all(), 1e-7),
                None,
                "{} outputs",
                outputs.len()
            );
        }
    }

    #[test]
    fn the_law_of_runs_is_that_of_all_orders() {
        // By brute force: the 20 orders of three marks and three others, the 21 of two and five.
        for (n1, n0) in [(3_usize, 3_usize), (2, 5)] {
            let n = n1 + n0;
            let orders = (0_u32..1 << n).filter(|o| o.count_ones() as usize == n1);
            let runs = |o: u32| {
                1 + (1..n)
                    .filter(|i| (o >> i & 1) != (o >> (i - 1) & 1))
                    .count()
            };
            let all: Vec<usize> = orders.map(runs).collect();
            for r in 2..=n {
                let share = |keep: &dyn Fn(usize) -> bool| {
                    all.iter().filter(|x| keep(**x)).count() as f64 / all.len() as f64
                };
                assert!((runs_tail(n1, n0, r, true) - share(&|x| x <= r)).abs() < 1e-12);
                assert!((runs_tail(n1, n0, r, false) - share(&|x| x >= r)).abs() < 1e-12);
            }
        }
    }

    /// Lengths, runs and their probabilities to the last bit.
    #[test]
    fn lengths_and_runs_are_what_they_were() {
        let tokens = |n: u64, values: u64| (0..n).map(|i| i * i % values).collect::<Vec<u64>>();
        let mut found = Vec::new();
        for (n, values, alpha) in [
            (400, 101, 1e-7),
            (400, 101, 0.05),
            (4000, 7, 1e-3),
            (60, 59, 1e-4),
        ] {
            let length = telling_length(&tokens(n, values), alpha);
            found.push(length.map_or(0.0, |length| length as f64));
        }
        for (n1, n0, r) in [(30, 50, 20), (500, 480, 520), (3, 90, 7), (40, 40, 41)] {
            found.extend([true, false].map(|lower| runs_tail(n1, n0, r, lower)));
        }
        // Three low ones and seven high ones in turn, of which two values are alike.
        let values: Vec<f64> = (0..200)
            .map(|i| f64::from(i % 10 < 3) - f64::from(i % 5) / 8.0)
            .collect();
        let (runs, expected) = odd_runs(&values, 0.5).expect("they alternate");
        found.extend([runs as f64, expected, ln_choose(40, 13)]);
        steady::holds(
            &found,
            "8.0 4.0 19.0 6.0 6.73809248921058e-6 0.9999979004885919 0.9712801338938758
                0.03318523813507153 0.9999999999999396 0.8751444908527113 0.5441869566971408
                0.5441869566971387 80.0 101.0 23.21093723462765",
        );
    }

    /// The allowance is on the side of the outputs: a probability of the error itself, before it, is no reason to doubt.
    #[test]
    fn runs_are_doubted_only_beyond_rounding() {
        let values = [vec![0.0; 20], vec![1.0; 21]].concat();
        // 21 marks and 20 others in two runs: of C(41, 20) orders two are so.
        let ways: f64 = (0..20).map(|i| (41 - i) as f64 / (i + 1) as f64).product();
        let both = 2.0 * 2.0 / ways;
        assert_eq!(odd_runs(&values, both), None);
        assert_eq!(odd_runs(&values, both * (1.0 + 0.5 * ROUNDING)), None);
        let (runs, expected) =
            odd_runs(&values, both * (1.0 + 2.0 * ROUNDING)).expect("it is doubted");
        assert_eq!((runs, expected), (2, 1.0 + 2.0 * 21.0 * 20.0 / 41.0));
    }

    /// The second of two equal stretches is named with its length, and not one that only begins alike.
    #[test]
    fn a_repeat_is_found_where_it_is() {
        let mut noise = Tape::new(5).stream(0, Purpose::User, 0);
        let mut tokens: Vec<u64> = (0..300).map(|_| noise.uniform().0 >> 50).collect();
        assert_eq!(repeat(&tokens, 1e-9), None);
        let length = telling_length(&tokens, 1e-9).expect("values are many");
        tokens.copy_within(17..17 + length - 1, 200);
        assert_eq!(repeat(&tokens, 1e-9), None, "one less than tells");
        tokens.copy_within(17..17 + length, 200);
        assert_eq!(
            repeat(&tokens, 1e-9),
            Some(Repeat {
                at: [17, 200],
                length
            })
        );
        let outputs: Vec<f64> = tokens.iter().map(|token| *token as f64).collect();
        let said = dependence(Rows::of_reals(&outputs).all(), 2e-9).expect("it is doubted");
        let more = length - 1;
        assert_eq!(
            said,
            format!("output 200 and the {more} behind it repeat output 17 and those behind it")
        );
    }

    /// Chunks of draws that fall alike: of two fair draws in either chunk, one of each kind, four ways of six deal alike.
    #[cfg(feature = "cli")]
    #[test]
    fn coincidences_are_counted_among_all_ways_to_deal() {
        let near = |found: f64, truth: f64| {
            assert!((found / truth - 1.01).abs() < 1e-9, "{found}, {truth}")
        };
        near(coincidence(&[1, 1, 0, 0], 2), 2.0 * 2.0 / 6.0);
        // Of two kinds with two and one in each of three chunks: 6!/2!³ · 3!/1!³ of 9!/3!³.
        near(coincidence(&[2, 0, 1, 0], 3), 90.0 * 6.0 / 1680.0);
        near(coincidence(&[1, 1, 1, 2], 2), 2.0 * 2.0 * 2.0 * 6.0 / 252.0);
        assert_eq!(coincidence(&[7, 0, 0, 0], 5), 1.0);
    }

    /// Where more than half of the outputs are the median, the others stand apart from it.
    #[test]
    fn a_median_that_most_outputs_share_is_one_side() {
        for (low, high) in [(55, 45), (45, 55)] {
            let values = [vec![0.0; low], vec![1.0; high]].concat();
            let found = odd_runs(&values, 1e-6).expect("two runs are few");
            assert_eq!(found, (2, 1.0 + 2.0 * 45.0 * 55.0 / 100.0));
        }
    }
}
