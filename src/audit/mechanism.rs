//! What can be audited: anything that turns an input and a trial's noise into an output.

use crate::audit::Output;
use crate::mechanism::tape::Tape;
use rayon::prelude::*;
use std::marker::PhantomData;
use std::ops::Range;

/// A mechanism could not be run, which is not an outcome of the mechanism.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "mechanism `{mechanism}` failed on the {} input at pair {}{}: {reason}", self.side(),
    self.pair(), self.purpose
)]
pub struct DrawError {
    /// The mechanism's name.
    pub mechanism: String,
    /// The trial of the tape that failed; for a batch, its first trial. Audits keep the pair in the low 36 bits, the
    /// side in bit 55, and what the pair was for above.
    pub trial: u64,
    /// What went wrong, in words.
    pub reason: String,
    /// What the pair was drawn for, introduced by a comma, or nothing.
    purpose: &'static str,
}

impl DrawError {
    /// A failure at a trial of the tape, with the reason in words.
    #[must_use]
    pub fn new(mechanism: String, trial: u64, reason: String) -> Self {
        Self {
            mechanism,
            trial,
            reason,
            purpose: "",
        }
    }

    /// The same, of a pair that was drawn for `purpose`: `, drawn to …`.
    pub(crate) fn drawn(self, purpose: &'static str) -> Self {
        Self { purpose, ..self }
    }

    /// The number of the pair, counted from 0.
    #[must_use]
    pub const fn pair(&self) -> u64 {
        self.trial & ((1 << PAIR_BITS) - 1)
    }

    const fn side(&self) -> &'static str {
        match self.trial >> SIDE_BIT & 1 {
            0 => "first",
            _ => "second",
        }
    }
}

/// Bits of a trial's number that hold the number of the pair.
pub(crate) const PAIR_BITS: u32 = 36;
/// The bit of a trial's number that is 1 for the second input.
pub(crate) const SIDE_BIT: u32 = 55;

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
///
/// Code with a generator of its own, of whatever version of `rand`, has it seeded from the tape:
///
/// ```
/// use dp_assay::prelude::*;
/// use rand::{Rng, RngExt, SeedableRng};
///
/// fn answer(truth: bool, rng: &mut impl Rng) -> bool {
///     truth != rng.random_bool(0.25)
/// }
///
/// let response = from_fn("randomized response", |truth: &bool, tape| {
///     let seed = tape.uniform(0, Purpose::User, 0).0;
///     answer(*truth, &mut rand_pcg::Pcg64::seed_from_u64(seed))
/// });
/// let report = Audit::of(response)
///     .claim(3_f64.ln(), 0.0) // the truth, and no less
///     .neighbours(Neighbouring::ReplaceOne, false, true)
///     .run()?;
/// assert_eq!(report.verdict, Verdict::PassWithPower);
/// # Ok::<(), AuditError>(())
/// ```
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_draw_is_told_by_pair_and_side_and_use() {
        let error = DrawError::new("m".into(), 5 << 56 | 1 << SIDE_BIT | 17, "no memory".into());
        let told = "mechanism `m` failed on the second input at pair 17: no memory";
        assert_eq!(error.to_string(), told);
        let told =
            "mechanism `m` failed on the second input at pair 17, drawn to search: no memory";
        assert_eq!(error.drawn(", drawn to search").to_string(), told);
    }

    /// Draws that fail at some trials: the first of them is told, however many there are; others are the outputs in their order.
    #[test]
    fn the_first_trial_that_fails_is_told() {
        struct From(u64);
        impl Mechanism for From {
            type Input = bool;
            fn name(&self) -> String {
                "from".into()
            }
            fn draw(&self, input: &bool, tape: Tape) -> Result<Output, DrawError> {
                // Those before take their time, so that another thread fails first.
                if *input && tape.number() < self.0 {
                    std::thread::sleep(std::time::Duration::from_micros(100));
                }
                match *input && tape.number() >= self.0 {
                    true => Err(DrawError::new(
                        self.name(),
                        tape.number(),
                        "too late".into(),
                    )),
                    false => Ok(Output::Integer(tape.number() as i64)),
                }
            }
        }
        let from = From(1234);
        let drawn = |input: bool, trials: Range<u64>| {
            <&From>::draw_many(&&from, &input, Tape::new(1), trials)
        };
        let due: Vec<Output> = (1200..1300).map(Output::Integer).collect();
        assert_eq!(drawn(false, 1200..1300), Ok(due.clone()));
        assert_eq!(drawn(true, 1200..1234), Ok(due[..34].to_vec()));
        let error = drawn(true, 1000..5000).expect_err("it fails");
        assert_eq!(
            (error.trial, error.pair(), error.side()),
            (1234, 1234, "first")
        );
        assert_eq!(<&From>::name(&&from), "from");
        assert_eq!(
            <&From>::draw(&&from, &true, Tape::new(1).trial(7)),
            Ok(Output::Integer(7))
        );
        let pair = |trial| DrawError::new("m".into(), trial, String::new()).pair();
        assert_eq!(
            [pair((1 << 36) - 1), pair(1 << 36), pair(3 << 36 | 5)],
            [(1 << 36) - 1, 0, 5]
        );
    }
}
