//! Can this output come from that input at all? The deterministic test for floating-point leaks.
//!
//! Noise computed in doubles has holes: of all doubles near a value, x + noise reaches some and
//! x′ + noise reaches others (I. Mironov, "On significance of the least significant bits for
//! differential privacy", CCS 2012). One output that only one neighbour can produce refutes every
//! pure claim, and the share of such outputs is a lower estimate of the δ that is really kept.
//!
//! Noise made by inversion is a non-decreasing function of one 64-bit word, so reachability is a
//! binary search over words, exact where the function is monotone. Rounding can break monotonicity
//! among neighbouring words; so `WINDOW` words on either side of the crossing are tried as well.
//!
//! ```
//! use dp_assay::audit::reach::{grid, holes, word_for};
//! use dp_assay::mechanism::tape::{Purpose, Tape, Uniform};
//!
//! assert_eq!((grid(0.75), grid(0.0)), (Some(-2), None)); // 3·2⁻²
//! let noised = |value: f64| move |word: Uniform| value + word.laplace();
//! let word = Tape::new(1).uniform(0, Purpose::Release, 0);
//! let found = word_for(noised(1.0)(word), noised(1.0)).expect("it came from one");
//! assert_eq!(noised(1.0)(found), noised(1.0)(word));
//! // Of what noise on 0 gives, noise on 1 cannot give all.
//! let words = (0..100).map(|i| Tape::new(1).uniform(0, Purpose::Release, i));
//! let holes = holes(words, noised(0.0), noised(1.0));
//! assert!(holes.outputs == 100 && holes.unreachable > 0);
//! ```

use crate::mechanism::tape::Uniform;

/// Words tried on either side of the crossing.
const WINDOW: u64 = 1024;

/// A word that makes `noised` produce exactly `output` (bit for bit, but for the sign of zero), if
/// there is one near the crossing. `noised` must be non-decreasing in the word, up to rounding.
pub fn word_for(output: f64, noised: impl Fn(Uniform) -> f64) -> Option<Uniform> {
    let (mut below, mut above) = (0, u64::MAX);
    // Invariant: noised(below) < output, or below = 0; noised(above) ≥ output, or above = MAX.
    while above - below > 1 {
        let middle = below + (above - below) / 2;
        if noised(Uniform(middle)) < output {
            below = middle;
        } else {
            above = middle;
        }
    }
    let nearby = above.saturating_sub(WINDOW)..=above.saturating_add(WINDOW);
    nearby.map(Uniform).find(|word| noised(*word) == output)
}

/// How much of one input's output the other cannot produce.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Holes {
    /// Outputs drawn on the first input.
    pub outputs: u64,
    /// Those that the second input cannot produce.
    pub unreachable: u64,
    /// One of these.
    pub example: Option<f64>,
}

/// Draws outputs on the first input and looks for each on the second; both functions must be
/// non-decreasing in the word, up to rounding.
pub fn holes(
    words: impl IntoIterator<Item = Uniform>,
    on_first: impl Fn(Uniform) -> f64,
    on_second: impl Fn(Uniform) -> f64,
) -> Holes {
    let mut holes = Holes::default();
    for word in words {
        let output = on_first(word);
        holes.outputs += 1;
        if word_for(output, &on_second).is_none() {
            holes.unreachable += 1;
            holes.example.get_or_insert(output);
        }
    }
    holes
}

/// The exponent of a number's lowest set bit: it is an odd multiple of 2 to that power. `None` for
/// zero, NaN and infinities. On the output of a mechanism it must not depend on the data (S. Haney et
/// al., "Precision-based attacks and interval refining", arXiv:2207.13793).
#[must_use]
pub fn grid(value: f64) -> Option<i32> {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    match (exponent, fraction) {
        (0x7ff, _) | (0, 0) => None,
        (0, _) => Some(fraction.trailing_zeros() as i32 - 1074),
        // The implicit bit stands at 52.
        _ => Some((fraction | 1 << 52).trailing_zeros() as i32 + exponent - 1075),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word is found at the ends of all words and in the middle, at the edge of the window around the crossing and not beyond.
    #[test]
    fn words_are_found_up_to_the_edge_of_the_window() {
        let identity = |word: Uniform| word.0 as f64;
        for output in [0.0, 1.0, 1024.0, 2_f64.powi(40) + 1.0, 2_f64.powi(63)] {
            assert_eq!(
                word_for(output, identity).map(|word| word.0 as f64),
                Some(output)
            );
        }
        assert_eq!(word_for(0.5, |word| (word.0 >> 32) as f64), None);
        assert_eq!(word_for(-1.0, identity), None);
        assert_eq!(word_for(2.0, |_| 1.0), None);
        // A function that crosses at a place and gives 7 at another, as rounding may.
        let start = 1_u64 << 40;
        for (away, found) in [
            (-1024, true),
            (-1025, false),
            (1024, true),
            (1025, false),
            (0, true),
        ] {
            let at = start.wrapping_add_signed(away);
            let crossing = |word: Uniform| match word.0 {
                word if word == at => 7.0,
                word if word < start => 6.0,
                _ => 8.0,
            };
            // The search itself meets no such word: 7 is not below 7.
            let word = word_for(7.0, crossing);
            assert_eq!(word.map(|word| word.0), found.then_some(at), "{away}");
        }
    }

    /// Odd multiples of powers of two, with the least and the largest doubles.
    #[test]
    fn the_grid_is_that_of_the_lowest_bit() {
        let powers = [-1074, -1073, -1023, -1022, -1, 0, 52, 53, 1023];
        for power in powers {
            let least = if power < -1022 {
                f64::from_bits(1 << (power + 1074))
            } else {
                2_f64.powi(power)
            };
            assert_eq!([grid(least), grid(-least)], [Some(power); 2]);
        }
        assert_eq!(
            [0.75, 3.0, 5.0, 0.1].map(grid),
            [Some(-2), Some(0), Some(0), Some(-55)]
        );
        assert_eq!([0.0, -0.0, f64::NAN, f64::INFINITY].map(grid), [None; 4]);
        assert_eq!(grid(f64::from_bits(12)), Some(-1072));
        assert_eq!(grid(f64::MAX), Some(971));
    }
}
