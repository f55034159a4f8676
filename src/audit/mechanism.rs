//! What can be audited: anything that turns an input and a trial's noise into an output.

use crate::mechanism::tape::Tape;
use rayon::prelude::*;
use std::marker::PhantomData;
use std::ops::Range;

/// What one run of a mechanism put out. Every value is an outcome like any other: NaN, the
/// infinities, −0.0 and an answer of another length than usual are counted, never dropped.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// A real number.
    Real(f64),
    /// An integer.
    Integer(i64),
    /// One of a set without order.
    Category(u64),
    /// Numbers, of any length; by custom an entry that answers nothing is NaN.
    Vector(Vec<f64>),
    /// Bits, of any length.
    Bits(Vec<bool>),
    /// The run ended without an answer: refused, stopped early, crashed.
    Nothing,
}

impl From<f64> for Output {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<i64> for Output {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<bool> for Output {
    fn from(value: bool) -> Self {
        Self::Category(u64::from(value))
    }
}

impl From<Vec<f64>> for Output {
    fn from(value: Vec<f64>) -> Self {
        Self::Vector(value)
    }
}

impl From<Vec<bool>> for Output {
    fn from(value: Vec<bool>) -> Self {
        Self::Bits(value)
    }
}

impl<T: Into<Self>> From<Option<T>> for Output {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

/// A mechanism could not be run, which is not an outcome of the mechanism.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("mechanism `{mechanism}` failed at trial {trial}: {reason}")]
pub struct DrawError {
    /// The mechanism's name.
    pub mechanism: String,
    /// The trial that failed; for a batch, its first trial.
    pub trial: u64,
    /// What went wrong, in words.
    pub reason: String,
}

/// A randomized algorithm under audit.
///
/// All randomness comes from the tape of the trial: the same input and trial give the same output,
/// whatever ran before and on whichever thread. Trials are independent because tapes are.
pub trait Mechanism: Sync {
    /// A dataset.
    type Input: Sync;

    /// A short name for reports.
    fn name(&self) -> String;

    /// One run on `input` with the noise of `tape`, which is already set to its trial.
    ///
    /// # Errors
    /// When the mechanism could not be run at all. A run that ends without an answer is
    /// [`Output::Nothing`].
    fn draw(&self, input: &Self::Input, tape: Tape) -> Result<Output, DrawError>;

    /// The runs of consecutive trials, in order. The default draws them one by one on all
    /// threads; a program with a cheaper way to run many trials overrides it.
    ///
    /// # Errors
    /// The error of the first trial that failed.
    fn draw_many(
        &self,
        input: &Self::Input,
        tape: Tape,
        trials: Range<u64>,
    ) -> Result<Vec<Output>, DrawError> {
        let first = trials.start;
        let mut outputs = vec![Output::Nothing; (trials.end - first) as usize];
        let at_once = outputs.par_iter_mut().with_min_len(32).enumerate();
        let drawn: Result<(), DrawError> = at_once.try_for_each(|(index, output)| {
            *output = self.draw(input, tape.trial(first + index as u64))?;
            Ok(())
        });
        match drawn {
            Ok(()) => Ok(outputs),
            // Whichever thread failed: the report is of the first trial that does.
            Err(error) => Err((first..error.trial)
                .find_map(|trial| self.draw(input, tape.trial(trial)).err())
                .unwrap_or(error)),
        }
    }
}

impl<M: Mechanism> Mechanism for &M {
    type Input = M::Input;

    fn name(&self) -> String {
        (**self).name()
    }

    fn draw(&self, input: &Self::Input, tape: Tape) -> Result<Output, DrawError> {
        (**self).draw(input, tape)
    }

    fn draw_many(
        &self,
        input: &Self::Input,
        tape: Tape,
        trials: Range<u64>,
    ) -> Result<Vec<Output>, DrawError> {
        (**self).draw_many(input, tape, trials)
    }
}

/// A mechanism made from a function of an input and a trial's tape; see [`from_fn`].
pub struct FromFn<D, F> {
    name: String,
    run: F,
    input: PhantomData<fn(&D)>,
}

/// The mechanism that `run` computes.
pub fn from_fn<D, O, F>(name: impl Into<String>, run: F) -> FromFn<D, F>
where
    D: Sync,
    O: Into<Output>,
    F: Fn(&D, Tape) -> O + Sync,
{
    FromFn {
        name: name.into(),
        run,
        input: PhantomData,
    }
}

impl<D, O, F> Mechanism for FromFn<D, F>
where
    D: Sync,
    O: Into<Output>,
    F: Fn(&D, Tape) -> O + Sync,
{
    type Input = D;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn draw(&self, input: &D, tape: Tape) -> Result<Output, DrawError> {
        Ok((self.run)(input, tape).into())
    }
}
