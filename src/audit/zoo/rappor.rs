//! RAPPOR (Erlingsson, Pihur and Korolova, CCS 2014): noisy Bloom filters.

use super::Specimen;
use crate::audit::Output;
use crate::mechanism::tape::{Purpose, Tape, Uniform};

/// Bits of the filter.
const BITS: usize = 20;
/// Hash functions.
const HASHES: usize = 4;

/// Value v sets bits HASHES·v … HASHES·(v + 1) − 1: the hash functions of a fixed set of values that
/// never collide, which is the worst case.
fn is_set(value: f64, bit: usize) -> bool {
    bit / HASHES == value as usize
}

/// Whether a uniform variate is below p.
fn below(uniform: Uniform, p: f64) -> bool {
    (uniform.0 as f64) < p * 2_f64.powi(64)
}

/// The permanent response: each bit kept with probability 1 − f, else a fair coin.
fn permanent(value: f64, f: f64, tape: Tape) -> Vec<bool> {
    let mut coins = tape.stream(0, Purpose::User, 0);
    (0..BITS)
        .map(|bit| {
            let set = is_set(value, bit);
            below(coins.uniform(), if set { 1.0 - f / 2.0 } else { f / 2.0 })
        })
        .collect()
}

pub(super) fn specimens() -> Vec<Specimen> {
    let pairs = || vec![(vec![0.0], vec![1.0])];
    // h bits go from set to clear between two values and h others back, so that an output's
    // likelihood ratio is at most (high (1 − low) / (low (1 − high)))^h.
    let epsilon =
        |high: f64, low: f64| HASHES as f64 * (high * (1.0 - low) / (low * (1.0 - high))).ln();
    let (f, p, q) = (0.75, 0.45, 0.55);
    let rates = [1.0 - f / 2.0, f / 2.0].map(|one| one * q + (1.0 - one) * p);
    let once = 0.95;
    vec![
        Specimen::correct(
            "rappor",
            epsilon(rates[0], rates[1]),
            pairs(),
            move |x, tape| {
                let mut coins = tape.stream(1, Purpose::User, 0);
                let stored = permanent(x[0], f, tape);
                let shown = stored
                    .iter()
                    .map(|bit| below(coins.uniform(), if *bit { q } else { p }));
                Output::Bits(shown.collect())
            },
        ),
        Specimen::correct(
            "one-time-rappor",
            epsilon(1.0 - once / 2.0, once / 2.0),
            pairs(),
            move |x, tape| Output::Bits(permanent(x[0], once, tape)),
        ),
    ]
}
