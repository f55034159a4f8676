//! Why an audit could not be run.

use crate::audit::DrawError;
use crate::audit::shape::ShapeError;
use crate::units::UnitError;

/// Why an audit could not be run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AuditError {
    /// A parameter is outside its domain.
    #[error(transparent)]
    Unit(#[from] UnitError),
    /// The shape declared does not go with the claim.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The builder was not given something it cannot do without.
    #[error("the audit has no {missing}; say {how}")]
    Incomplete {
        /// What is missing.
        missing: &'static str,
        /// The call that supplies it.
        how: &'static str,
    },
    /// The two inputs are one.
    #[error(
        "the two inputs are equal: both are {input}; an audit tells two neighbouring inputs apart \
         (if they differ in what `Debug` does not show, let it show that)"
    )]
    EqualInputs {
        /// Both of them.
        input: String,
    },
    /// The outputs cannot be independent draws, so that no verdict can rest on them.
    #[error(
        "mechanism `{mechanism}` does not draw independently on the {side} input: {how}; \
         independent draws do so with probability at most {alpha:.1e}, and no verdict rests on \
         others. Is its generator seeded once for each batch? Seed it from the seed, the side and \
         the number of every output"
    )]
    Dependent {
        /// The mechanism's name.
        mechanism: String,
        /// `first` or `second`.
        side: &'static str,
        /// What was seen.
        how: String,
        /// Probability, at most, that this is said of independent draws.
        alpha: f64,
    },
    /// A counterexample is of another pair.
    #[error("none of the audit's pairs of inputs is the counterexample's: {input0} and {input1}")]
    OtherInputs {
        /// The counterexample's first input.
        input0: String,
        /// Its second.
        input1: String,
    },
    /// A mechanism could not be run.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// A batch came back with another number of answers than were asked for.
    #[error("mechanism `{mechanism}` answered {got} trials where {asked} were asked for")]
    WrongCount {
        /// The mechanism's name.
        mechanism: String,
        /// Trials asked for.
        asked: u64,
        /// Answers received.
        got: u64,
    },
}
