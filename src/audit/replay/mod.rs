//! The deterministic layer of an audit: record a run on D, replay it on D′ with the noise frozen.
//!
//! A mechanism that implements [`Recorded`] announces to a [`Recorder`] whatever it noises, chooses,
//! releases and branches on. [`Replay`] runs it on D with the noise of a tape, then on D′, where
//! every noised quantity gets the answer it had on D, so that both runs share their history; then
//! the other way round. What is checked, step by step:
//!
//! * the same questions in the same order, with the same decisions between them (control flow);
//! * every noised quantity moves by no more than its declared sensitivity, apart from the rounding
//!   the mechanism owns up to; sensitivities and scales are the same on both data sets;
//! * no address of the tape serves twice; scales are those of the claim, if the caller states them,
//!   and then no query is one of which the claim says nothing;
//! * a choice is made again from the recorded noisy values, by the other input's own scores;
//! * everything else that leaves the run is the same, bit for bit: it looked at the data through
//!   noise only.
//!
//! **Limits.** A violation is a proof, with the two inputs and the numbers, and has
//! no error probability: given this history, the announced quantities are what they are. No
//! violation means that none shows on these inputs and these histories; it bounds nothing. That
//! declared sensitivity and scale give the claimed (ε, δ) is the accountant's part.
//!
//! ```
//! use dp_assay::audit::Output;
//! use dp_assay::audit::replay::{Address, Declared, NoiseLaw, Query, Recorded, Recorder, Replay};
//! use dp_assay::mechanism::tape::Purpose;
//!
//! /// A noisy sum of values that should lie in [0, 1], and nobody clips them.
//! struct Sum;
//!
//! impl Recorded for Sum {
//!     type Input = Vec<f64>;
//!     fn name(&self) -> String {
//!         "sum".into()
//!     }
//!     fn run(&self, input: &Vec<f64>, recorder: &mut Recorder<'_>) -> Output {
//!         let noisy = recorder.noised(Query {
//!             label: "sum",
//!             values: &[input.iter().sum()],
//!             rounding: &[0.0], // small integers
//!             declared: Declared::L1(1.0),
//!             law: NoiseLaw::Laplace,
//!             scales: &[1.0],
//!             address: Address { step: 0, purpose: Purpose::User, first: 0 },
//!         });
//!         Output::Vector(noisy)
//!     }
//! }
//!
//! assert!(Replay::of(&Sum).run(&vec![1.0, 0.0], &vec![1.0, 1.0]).passed());
//! let report = Replay::of(&Sum).run(&vec![1.0, 0.0], &vec![1.0, 5.0]);
//! // Measured distances are rounded down.
//! assert!(report.to_string().contains("sum: moves by 4.99999999"), "{report}");
//! ```

mod distance;
mod gcd;
mod kl;
mod query;
mod recorder;
mod recording;
mod skgd;
#[cfg(test)]
mod tests;
mod violation;

pub use gcd::{GcdSolver, GcdTranscript};
pub use kl::{KlAlgorithm, KlSolver, KlTranscript};
pub use query::{Address, Declared, NoiseLaw, Query};
pub use recorder::Recorder;
pub use skgd::{SkgdSolver, SkgdTranscript};
pub use violation::Violation;

use crate::audit::{DrawError, Mechanism, Output};
use crate::mechanism::tape::Tape;
use recording::Recording;
use std::collections::BTreeMap;
use std::fmt;

/// A mechanism that announces every use of noise and every other look at the data that can leave it.
pub trait Recorded {
    /// A data set.
    type Input;

    /// A short name for reports.
    fn name(&self) -> String;

    /// One run on `input`. All noise comes from the recorder. The output is what is released; it
    /// must follow from the recorder's answers alone.
    fn run(&self, input: &Self::Input, recorder: &mut Recorder<'_>) -> Output;
}

/// A recorded mechanism as one for the statistical audit.
///
/// ```
/// use dp_assay::audit::replay::{Live, Recorded, Recorder};
/// use dp_assay::audit::{Mechanism, Output};
/// use dp_assay::mechanism::tape::Tape;
///
/// /// Says always the same.
/// struct Constant;
///
/// impl Recorded for Constant {
///     type Input = u64;
///     fn name(&self) -> String {
///         "constant".into()
///     }
///     fn run(&self, _: &u64, _: &mut Recorder<'_>) -> Output {
///         Output::Integer(1)
///     }
/// }
///
/// assert_eq!(Live(Constant).draw(&7, Tape::new(1))?, Output::Integer(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Live<R>(pub R);

impl<R> Mechanism for Live<R>
where
    R: Recorded + Sync,
    R::Input: Sync,
{
    type Input = R::Input;

    fn name(&self) -> String {
        self.0.name()
    }

    fn draw(&self, input: &R::Input, tape: Tape) -> Result<Output, DrawError> {
        Ok(self.0.run(input, &mut Recorder::recording(tape)))
    }
}

/// The scale that a claim rests on, by the label of a query and the coordinate of its address;
/// `None` for a query that the claim does not know.
pub type ClaimedScales<'a> = dyn Fn(&str, u64) -> Option<f64> + 'a;

/// A replay to be run; made by [`Replay::of`].
pub struct Replay<'a, R> {
    mechanism: &'a R,
    seed: u64,
    trials: u64,
    scales: Option<&'a ClaimedScales<'a>>,
}

/// How close the values of one label came to their declared sensitivity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extent {
    /// Queries whose distance was measured.
    pub measured: u64,
    /// Largest distance, rounded down, in units of the declared one; 0 if nothing moved.
    pub largest: f64,
}

/// What a replay found.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayReport {
    /// The mechanism's name.
    pub mechanism: String,
    /// Everything that is wrong, in the order in which it was found.
    pub violations: Vec<Violation>,
    /// What was measured, by the label of the query.
    pub extents: BTreeMap<&'static str, Extent>,
    /// Reproduces the replay.
    pub seed: u64,
    /// Histories tried, each in both directions.
    pub trials: u64,
}

impl<'a, R: Recorded> Replay<'a, R> {
    /// One trial on seed 0, without stated scales.
    pub const fn of(mechanism: &'a R) -> Self {
        Self {
            mechanism,
            seed: 0,
            trials: 1,
            scales: None,
        }
    }

    /// The seed of the noise on which histories are recorded.
    #[must_use]
    pub const fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// How many histories to try.
    #[must_use]
    pub const fn trials(self, trials: u64) -> Self {
        Self { trials, ..self }
    }

    /// States the scales of the claim: every scale used must equal the one stated, bit for bit.
    #[must_use]
    pub const fn claimed_scales(self, scales: &'a ClaimedScales<'a>) -> Self {
        Self {
            scales: Some(scales),
            ..self
        }
    }

    /// Records on one input and replays on the other, in both directions.
    pub fn run(&self, first: &R::Input, second: &R::Input) -> ReplayReport {
        let mut report = ReplayReport {
            mechanism: self.mechanism.name(),
            violations: Vec::new(),
            extents: BTreeMap::new(),
            seed: self.seed,
            trials: self.trials,
        };
        for trial in 0..self.trials {
            let tape = Tape::new(self.seed).trial(trial);
            for (recorded, replayed) in [(first, second), (second, first)] {
                let history = self.record(recorded, tape, &mut report);
                self.replay(replayed, tape, &history, &mut report);
            }
        }
        report
    }

    fn record(&self, input: &R::Input, tape: Tape, report: &mut ReplayReport) -> Recording {
        let mut recorder = Recorder::recording(tape);
        let output = self.mechanism.run(input, &mut recorder);
        let (recording, violations) = recorder.finish(output);
        report.violations.extend(violations);
        report.violations.extend(recording.reused());
        if let Some(scales) = self.scales {
            report.violations.extend(recording.misscaled(scales));
        }
        recording
    }

    fn replay(&self, input: &R::Input, tape: Tape, history: &Recording, report: &mut ReplayReport) {
        let mut recorder = Recorder::replaying(tape, history);
        let output = self.mechanism.run(input, &mut recorder);
        for (label, ratio) in recorder.ratios() {
            let extent = report.extents.entry(label).or_default();
            extent.measured += 1;
            extent.largest = extent.largest.max(*ratio);
        }
        report.violations.extend(recorder.finish(output).1);
    }
}

impl ReplayReport {
    /// Whether nothing is wrong and at least one distance was measured.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.violations.is_empty() && self.measured() > 0
    }

    /// Noised quantities whose distance was measured.
    #[must_use]
    pub fn measured(&self) -> u64 {
        self.extents.values().map(|extent| extent.measured).sum()
    }

    /// Largest measured distance in units of the declared one; 0 if nothing moved.
    #[must_use]
    pub fn tightest(&self) -> f64 {
        let largest = self.extents.values().map(|extent| extent.largest);
        largest.fold(0.0, f64::max)
    }
}

/// How many violations a printed report shows.
const SHOWN: usize = 8;

impl fmt::Display for ReplayReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} violations; {} noised quantities measured, the largest move {:.6} of the \
             declared one; {} trials, seed {}",
            self.mechanism,
            self.violations.len(),
            self.measured(),
            self.tightest(),
            self.trials,
            self.seed
        )?;
        for violation in self.violations.iter().take(SHOWN) {
            write!(f, "\n  {violation}")?;
        }
        match self.violations.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n  and {more} more"),
        }
    }
}
