//! Mechanisms of known privacy, correct and broken, on which an audit proves itself.
//!
//! The list is that of the audit literature (the sparse vector technique in the six variants of
//! Lyu, Su and Li, VLDB 2017; noisy histograms, maxima and sums; RAPPOR; the truncated geometric
//! mechanism of Balcer and Vadhan), with the true ε of each. Every specimen comes with neighbouring
//! pairs among which its worst are found.
//!
//! ```
//! use dp_assay::audit::Verdict;
//! use dp_assay::audit::zoo::specimens;
//!
//! let mut all = specimens().into_iter();
//! let histogram = all.find(|s| s.name == "noisy-histogram-2").expect("it is in the list");
//! // The noise has scale ε instead of 1/ε.
//! assert!(histogram.defect.is_some() && histogram.epsilon_upper > histogram.claimed);
//! let report = histogram.audit().trials(20_000).seed(1).run()?;
//! assert_eq!(report.verdict, Verdict::Violation);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod basic;
mod counting;
mod rappor;
mod selection;
mod sparse;
pub mod traps;

use crate::audit::features::Statistic;
use crate::audit::{Audit, DrawError, Mechanism, Output, Release};
use crate::mechanism::tape::Tape;
use crate::units::Neighbouring;
use std::sync::Arc;

/// The ε for which the specimens with a free budget are built.
pub const EPSILON: f64 = 0.1;

/// Pairs for most specimens.
const TRIALS: u64 = 400_000;
/// Pairs for a correct one at most: with them three times its ε would still be found on rare events
/// (of probability 0.1: twice).
const TRIALS_OF_CORRECT: u64 = 200_000;

type Run = dyn Fn(&[f64], Tape) -> Output + Send + Sync;

/// Two neighbouring inputs.
pub type Pair = (Vec<f64>, Vec<f64>);

/// A mechanism of known privacy.
#[derive(Clone)]
pub struct Specimen {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is wrong with it; `None` if it keeps its claim.
    pub defect: Option<&'static str>,
    /// The ε claimed, at `delta`.
    pub claimed: f64,
    /// An upper bound on its true ε at `delta`: exact unless the specimen says otherwise.
    pub epsilon_upper: f64,
    /// The δ of both.
    pub delta: f64,
    /// Relation of its pairs.
    pub neighbours: Neighbouring,
    /// Neighbouring pairs, the worst known among them.
    pub pairs: Vec<Pair>,
    /// What of a run is released.
    pub release: Release,
    /// Pairs to bet on: enough to find its defect at the error of the zoo's suite.
    pub trials: u64,
    gaussian: bool,
    bits: bool,
    statistics: Vec<Statistic>,
    run: Arc<Run>,
}

impl Specimen {
    /// A specimen that keeps its claim of `epsilon`.
    pub(crate) fn correct(
        name: &'static str,
        epsilon: f64,
        pairs: Vec<Pair>,
        run: impl Fn(&[f64], Tape) -> Output + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            defect: None,
            claimed: epsilon,
            epsilon_upper: epsilon,
            delta: 0.0,
            neighbours: Neighbouring::ReplaceOne,
            pairs,
            release: Release::Final,
            trials: TRIALS,
            gaussian: false,
            bits: false,
            statistics: Vec::new(),
            run: Arc::new(run),
        }
    }

    /// A specimen that claims [`EPSILON`] and has `truth`.
    fn broken(
        name: &'static str,
        defect: &'static str,
        truth: f64,
        pairs: Vec<Pair>,
        run: impl Fn(&[f64], Tape) -> Output + Send + Sync + 'static,
    ) -> Self {
        Self {
            defect: Some(defect),
            epsilon_upper: truth,
            ..Self::correct(name, EPSILON, pairs, run)
        }
    }

    pub(crate) fn under(self, neighbours: Neighbouring) -> Self {
        Self { neighbours, ..self }
    }

    /// The true ε, or an upper bound, where it is not the claimed one.
    pub(crate) fn up_to(self, epsilon_upper: f64) -> Self {
        Self {
            epsilon_upper,
            ..self
        }
    }

    pub(crate) fn taking(self, trials: u64) -> Self {
        Self { trials, ..self }
    }

    pub(crate) fn at_delta(self, delta: f64) -> Self {
        Self { delta, ..self }
    }

    pub(crate) fn releasing(self, release: Release) -> Self {
        Self { release, ..self }
    }

    /// Its two output laws on every pair are Gaussians of equal variance.
    pub(crate) fn of_gaussian_shape(self) -> Self {
        Self {
            gaussian: true,
            ..self
        }
    }

    /// Its claim is about the bits of its output too.
    fn in_bits(self) -> Self {
        Self { bits: true, ..self }
    }

    pub(crate) fn with(mut self, statistic: Statistic) -> Self {
        self.statistics.push(statistic);
        self
    }

    /// The audit of a claim on the worst pair, with everything else at its default.
    #[must_use]
    pub fn audit_claim(&self, epsilon: f64, delta: f64) -> Audit<Self> {
        let audit = Audit::of(self.clone())
            .claim(epsilon, delta)
            .worst_of(self.neighbours, self.pairs.clone())
            .release(self.release)
            .trials(self.trials);
        let audit = self
            .statistics
            .iter()
            .cloned()
            .fold(audit, Audit::looking_at);
        let audit = if self.bits { audit.bits() } else { audit };
        // The points of a Gaussian claim exist only for δ > 0.
        if self.gaussian && delta > 0.0 {
            audit.gaussian()
        } else {
            audit
        }
    }

    /// The audit of its own claim.
    #[must_use]
    pub fn audit(&self) -> Audit<Self> {
        self.audit_claim(self.claimed, self.delta)
    }
}

impl Mechanism for Specimen {
    type Input = Vec<f64>;

    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn draw(&self, input: &Vec<f64>, tape: Tape) -> Result<Output, DrawError> {
        Ok((self.run)(input, tape))
    }
}

/// Every specimen, correct ones and broken ones.
#[must_use]
pub fn specimens() -> Vec<Specimen> {
    let mut all = [
        basic::specimens(),
        selection::specimens(),
        sparse::specimens(),
        counting::specimens(),
        rappor::specimens(),
    ]
    .concat();
    for correct in all.iter_mut().filter(|s| s.defect.is_none()) {
        correct.trials = correct.trials.min(TRIALS_OF_CORRECT);
    }
    all
}

/// Pairs of `n` answers to queries of sensitivity 1, in the patterns that the literature tries:
/// one answer moves, all move together, some move against the others.
fn patterns(n: usize) -> Vec<Pair> {
    let base = vec![1.0; n];
    let mix = |f: &dyn Fn(usize) -> f64| (0..n).map(f).collect::<Vec<f64>>();
    let first = |i| i == 0;
    let half = |i| i < n / 2;
    vec![
        (base.clone(), mix(&|i| if first(i) { 2.0 } else { 1.0 })),
        (base.clone(), mix(&|i| if first(i) { 0.0 } else { 1.0 })),
        (base.clone(), mix(&|i| if first(i) { 2.0 } else { 0.0 })),
        (base.clone(), mix(&|i| if first(i) { 0.0 } else { 2.0 })),
        (base.clone(), mix(&|i| if half(i) { 0.0 } else { 2.0 })),
        (base, vec![2.0; n]),
        (mix(&|i| f64::from(half(i))), mix(&|i| f64::from(!half(i)))),
    ]
}

#[cfg(test)]
mod tests;
