//! Why there is no model.

use crate::accounting::AccountError;
use crate::accounting::decor::DecorError;
use crate::problem::ProblemError;
use crate::problem::constants::ConstantsError;
use crate::problem::dataset::DatasetError;
use crate::problem::rows::MatrixError;
use crate::solver::baseline::adassp;
use crate::solver::decor::network::NetworkError;
use crate::solver::decor::{RunError, SplitError};
use crate::solver::{ambssgd, gcd, kl, skgd};
use crate::units::{OutOfDomain, UnitError};

/// Why there is no model.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// Something computed from the data without leave.
    #[error(
        "{0} looks at the data, so that step sizes and noise would reveal it: state that it is \
         public (--public), have smoothness estimated privately (--smoothness private), or choose \
         another"
    )]
    NotPublic(&'static str),
    /// A number outside its domain.
    #[error(transparent)]
    Value(#[from] OutOfDomain),
    /// The same of a unit.
    #[error(transparent)]
    Unit(#[from] UnitError),
    /// A range without a number between its ends.
    #[error("the range [{low}, {high}] must have finite ends, the lower below the upper")]
    Range {
        /// Its lower end.
        low: f64,
        /// Its upper end.
        high: f64,
    },
    /// Ranges that noise would make.
    #[error(
        "private ranges for {records} records: noise may cut off up to {beyond:.0} of them at \
         either end, which must be less than half; more records, fewer features, a larger epsilon \
         or a larger --bounds-share help, or public ranges (--bounds FILE)"
    )]
    Loud {
        /// n.
        records: usize,
        /// How many may be cut off.
        beyond: f64,
    },
    /// A test file of other classes.
    #[error("the test data have the classes {test}, the training data {train}")]
    Classes {
        /// The one's.
        test: String,
        /// The other's.
        train: String,
    },
    /// A model that has left the range in which its scores mean anything.
    #[error(
        "{method} diverged: records may have scores up to {score:e}, which must be below {limit:e} \
         for the {loss} loss to be a number with a digit; shorten the steps (--step) or raise \
         epsilon"
    )]
    Diverged {
        /// The method.
        method: &'static str,
        /// B‖w‖₁, the largest score that a record may have.
        score: f64,
        /// Where scores end to mean anything.
        limit: f64,
        /// The loss.
        loss: &'static str,
    },
    /// Noise that is worth less than was asked for.
    #[error(
        "the noise of {claim}, which the ledger refutes, is certified for epsilon = {certified} at \
         delta = {delta} only, not for the {asked} asked for: take a calibration that is proved, \
         or a smaller epsilon"
    )]
    Uncertified {
        /// The claim that chose the noise.
        claim: &'static str,
        /// ε by the accountant.
        certified: f64,
        /// δ.
        delta: f64,
        /// ε asked for.
        asked: f64,
    },
    /// Parts that are together worth less than was asked for.
    #[error(
        "all releases together are certified for epsilon = {certified} only, not for the {asked} \
         asked for"
    )]
    Together {
        /// ε by the accountant.
        certified: f64,
        /// ε asked for.
        asked: f64,
    },
    /// A choice that the method does not have.
    #[error("{method} does not go with {choice}")]
    Unsupported {
        /// The method.
        method: &'static str,
        /// The choice.
        choice: String,
    },
    /// A theorem that says nothing of the request, or of so few records.
    #[error("no theorem for this fit of {method}: {reason}. --schedule practical runs without one")]
    NoTheorem {
        /// The method.
        method: &'static str,
        /// What does not hold.
        reason: String,
    },
    /// More gradients planned than were allowed.
    #[error(
        "{method} plans up to {planned:e} gradients, each a pass over the records, more than the \
         {limit} allowed: raise --gradients, or mend {cause}"
    )]
    Long {
        /// The method.
        method: &'static str,
        /// The most gradients that its rule may take.
        planned: f64,
        /// The most allowed.
        limit: u64,
        /// What the number follows from.
        cause: &'static str,
    },
    /// A target that the loss has no value for.
    #[error("record {record}: target {target} {rule}")]
    Target {
        /// The record, counted from 0.
        record: usize,
        /// Its target.
        target: f64,
        /// The rule.
        rule: &'static str,
    },
    /// A constant that need not hold for every record there may be.
    #[error(
        "{name} = {stated} is below {least}, which records within the bound may need: whether the \
         run ends would tell of them; leave it out, or lower --bound"
    )]
    Below {
        /// Which constant.
        name: &'static str,
        /// What was stated.
        stated: f64,
        /// That of the loss for records within the bound.
        least: f64,
    },
    /// Records that are none.
    #[error(transparent)]
    Records(#[from] MatrixError),
    /// A descent that stopped.
    #[error(transparent)]
    Descent(#[from] kl::RunError),
    /// Bad data.
    #[error(transparent)]
    Data(#[from] DatasetError),
    /// Data that do not fit the loss.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// Bad constants.
    #[error(transparent)]
    Constants(#[from] ConstantsError),
    /// Bad sets.
    #[error(transparent)]
    Sampling(#[from] skgd::SamplingError),
    /// No Gaussian scales.
    #[error(transparent)]
    Gaussian(#[from] skgd::CalibrationError),
    /// No Laplace scales.
    #[error(transparent)]
    Laplace(#[from] gcd::CalibrationError),
    /// The accountant has no answer.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// The run left the doubles.
    #[error(transparent)]
    Run(#[from] skgd::RunError),
    /// The run left the doubles.
    #[error(transparent)]
    Greedy(#[from] gcd::RunError),
    /// No multiplier for one pass.
    #[error(transparent)]
    Multiplier(#[from] ambssgd::calibration::CalibrationError),
    /// Bad inputs of one pass.
    #[error(transparent)]
    OnePassInput(#[from] ambssgd::InputError),
    /// One pass left the doubles.
    #[error(transparent)]
    OnePass(#[from] ambssgd::RunError),
    /// No fit from statistics.
    #[error(transparent)]
    Statistics(#[from] adassp::RidgeError),
    /// No noise for DECOR.
    #[error(transparent)]
    Decor(#[from] DecorError),
    /// Records that cannot be dealt out.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// Users that cannot run, or left the doubles.
    #[error(transparent)]
    Users(#[from] RunError),
    /// Users that died or lagged.
    #[error(transparent)]
    Network(#[from] NetworkError),
}
