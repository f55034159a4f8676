//! Private linear regression by adaptive clipping: DP-SSGD (Algorithm 1), DP-AMBSSGD (Algorithm 2) with
//! DP-STAT (Algorithm 3), as printed in [`mod@reference`] and fast in [`optimized`]. Both draw the same
//! noise from the same [`Tape`].
//!
//! | module | what is in it |
//! |---|---|
//! | [`mod@reference`] | the algorithms line by line, on records in memory |
//! | [`optimized`] | one pass over any [`Source`](crate::problem::rows::Source), in memory or streamed |
//! | [`calibration`] | the noise multiplier α for a budget, and the budget of an α |
//! | [`bound`] | how far the two may drift apart in floating point |
//! | [`theorem`] | inputs of both for normal records, with the bound on the excess risk |
//! | [`threshold`] | the levels γ_i = 2^i·Δ beyond the range of doubles |
//!
//! Neighbours are data sets of the same size N that differ in one record. Protected is the sequence of
//! [`Iterate`]s (w_t, and for Algorithm 2 γ_t), of which w̄ is a function; not the noisy counts inside
//! DP-STAT (`ambssgd-lem-3.10-priv-proof`, `ambssgd-thm-3.6-zcdp-proof`).
//!
//! Privacy is claimed for any [`Stop`] and [`Ranges`] (`ambssgd-thm-3.6-comp`, `ambssgd-thm-3.6-disjoint`). Utility is claimed of
//! [`Ranges::Disjoint`] with [`Stop::Margin`], the default of fits: for x ~ N(0, I) by `ambssgd-thm-3.7-corrected-normal-run`, a theorem
//! of the kernel (its r, G, ϱ and ℓ are s, Γ′, the factor and at most log((m+1)/β) here), and by `ambssgd-thm-3.7-corrected`, argued, on
//! other laws. With the conditions of either on b, s, η, the factor and the levels, and but for a stated probability, no gradient is
//! clipped and the excess risk of w̄ has a bound. [`theorem`] computes inputs for the former, `dp_assay_spec::ambssgd::bites` for both.
//! With the printed rule no such bound holds, and of the inputs that a fit chooses (β = 1/100) neither theorem says anything.
//!
//! ```
//! use dp_assay::mechanism::tape::Tape;
//! use dp_assay::problem::rows::Matrix;
//! use dp_assay::solver::ambssgd::{Adaptive, Ranges, Search, Stop, permutation, reference};
//!
//! // Eight records with two features; y is half of the first feature.
//! let values: Vec<f64> = (0..16).map(|k| f64::from(k).sin()).collect();
//! let targets = values.chunks(2).map(|x| 0.5 * x[0]).collect();
//! let records = Matrix::new(2, values, targets)?;
//! let search = Search::halvings(4.0, 10)?;
//! let (ranges, stop) = (Ranges::Disjoint, Stop::Margin { failure: 0.01 });
//! let config = Adaptive { step: 0.1, multiplier: 0.5, batch: 1, statistics: 1, factor: 1.0, search, ranges, stop };
//! let order = permutation(Tape::new(1), 8);
//! let mut steps = 0;
//! let run = reference::ambssgd(&records, &order, &config, Tape::new(1), &mut |_| steps += 1)?;
//! assert_eq!((steps, run.average.len()), (4, 2)); // T = N/(b + s) = 8/2
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod config;

#[doc(hidden)] // for those who compare the two solvers: tests, fuzz targets, `check`
pub mod bound;
pub mod calibration;
pub mod optimized;
pub mod reference;
pub mod theorem;
pub mod threshold;

pub use config::{Adaptive, InputError, Ranges, Search, Shuffled, Stop};
pub use threshold::Threshold;

use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::rows::SourceError;

/// What one step releases: the next iterate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iterate<'a> {
    /// The step t, counted from 0.
    pub step: usize,
    /// γ_t as the index i of γ_i = 2^i·Δ; `None` for Algorithm 1.
    pub level: Option<usize>,
    /// w_{t+1}, d entries.
    pub point: &'a [f64],
}

/// What a solver returns.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// w̄, the average of the second half of the iterates: d entries.
    pub average: Vec<f64>,
    /// w_T, d entries.
    pub last: Vec<f64>,
    /// Work done. **Not private** where it depends on the data.
    pub counters: Counters,
}

/// Work done by a run (`ambssgd-cost`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Records read, each counted as often as a mechanism reads it.
    pub records_read: u64,
    /// Comparisons of a residual with a level.
    pub comparisons: u64,
    /// Gradients that were clipped. **Not private.**
    pub clipped: u64,
}

/// Why a run stopped.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The configuration breaks a rule.
    #[error(transparent)]
    Config(#[from] InputError),
    /// The data ended or are malformed.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A number left the range of doubles.
    #[error("step {step}: the new iterate is not finite; shorten the step or the clipping norm")]
    Diverged {
        /// The step t.
        step: usize,
    },
}

/// The output of Algorithms 1 and 2: (2/T) times the sum of the second half of T iterates.
fn average(mut tail: Vec<f64>, steps: usize) -> Vec<f64> {
    for value in &mut tail {
        *value *= 2.0 / steps as f64;
    }
    tail
}

/// Line 1 of Algorithms 1 and 2: a uniformly random order of n records, by Fisher and Yates from the tape's
/// sampling variates of step 0. A choice among k has bias below k·2⁻⁶⁴.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::solver::ambssgd::permutation;
///
/// let mut order = permutation(Tape::new(1), 5);
/// order.sort_unstable();
/// assert_eq!(order, [0, 1, 2, 3, 4]);
/// ```
///
/// # Panics
/// If n needs more than 32 bits.
#[must_use]
pub fn permutation(tape: Tape, n: usize) -> Vec<u32> {
    let count = u32::try_from(n).expect("at most 2^32 records can be permuted in memory");
    let mut order: Vec<u32> = (0..count).collect();
    let mut words = tape.stream(0, Purpose::Sampling, 0);
    for i in (1..n).rev() {
        let word = u128::from(words.uniform().0);
        let j = (word * (i as u128 + 1)) >> 64;
        order.swap(i, j as usize);
    }
    order
}
