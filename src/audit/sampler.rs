//! Drawing pairs of outputs, each from its own trials of the tape.

use crate::audit::features::{Extras, Layout, Rows};
use crate::audit::mechanism::SIDE_BIT;
use crate::audit::{AuditError, Mechanism, Output};
use crate::mechanism::tape::Tape;
use std::ops::Range;

/// What trials are drawn for. Each use has trials of its own, so that nothing learned from one is
/// counted in another.
#[derive(Clone, Copy)]
pub(crate) enum Phase {
    /// Pairs that bet, teach and, from the middle on, count for the bound.
    Bet = 0,
    /// Pairs that count a violation again.
    Recount = 1,
    /// Pairs that count it on a simpler pair of inputs.
    RecountSimpler = 2,
    /// Pairs that only show what outputs look like.
    Shape = 3,
    /// Pairs drawn to search and to shrink.
    Explore = 4,
    /// Pairs from which the event of a violation is chosen.
    Study = 5,
}

impl Phase {
    /// For errors.
    const fn purpose(self) -> &'static str {
        match self {
            Self::Bet => ", drawn to bet",
            Self::Recount => ", drawn to count a violation again",
            Self::RecountSimpler => ", drawn to count a violation on simpler inputs",
            Self::Shape => ", drawn to see what outputs look like",
            Self::Explore => ", drawn to search",
            Self::Study => ", drawn to choose an event",
        }
    }
}

/// Draws the outputs of one pair of inputs as rows.
pub(crate) struct Sampler<'a, M: Mechanism> {
    mechanism: &'a M,
    inputs: [&'a M::Input; 2],
    tape: Tape,
    layout: Layout,
}

/// Pairs from which the layout is taken …
pub(crate) const SHAPING: u64 = 32;
/// … and where outputs are more than numbers: rare keys and texts are to be met.
const SHAPING_VALUES: u64 = 512;

/// Numbers of outputs that are drawn together, on each side.
const NUMBERS_AT_ONCE: u64 = 1 << 20;

impl<'a, M: Mechanism> Sampler<'a, M> {
    pub(crate) fn new(
        mechanism: &'a M,
        inputs: [&'a M::Input; 2],
        tape: Tape,
        extras: Extras,
    ) -> Result<Self, AuditError> {
        let shapes = |range: Range<u64>| -> Result<Vec<Output>, AuditError> {
            let draw = |side| outputs(mechanism, inputs, tape, Phase::Shape, side, range.clone());
            Ok([draw(0)?, draw(1)?].concat())
        };
        let mut seen = shapes(0..SHAPING)?;
        if seen.iter().any(|output| matches!(output, Output::Value(_))) {
            seen.extend(shapes(SHAPING..SHAPING_VALUES)?);
        }
        let layout = Layout::of(&seen, extras);
        Ok(Self::with_layout(mechanism, inputs, tape, layout))
    }

    /// A sampler whose layout is known.
    pub(crate) const fn with_layout(
        mechanism: &'a M,
        inputs: [&'a M::Input; 2],
        tape: Tape,
        layout: Layout,
    ) -> Self {
        Self {
            mechanism,
            inputs,
            tape,
            layout,
        }
    }

    /// The outputs of the pairs in a range, first inputs' and second inputs'.
    pub(crate) fn pairs(&self, phase: Phase, range: Range<u64>) -> Result<[Rows; 2], AuditError> {
        let side = |side: usize| -> Result<Rows, AuditError> {
            let mut rows = Rows::default();
            for part in parts(range.clone(), self.at_once()) {
                let drawn = outputs(self.mechanism, self.inputs, self.tape, phase, side, part)?;
                for output in &drawn {
                    self.layout.push(output, &mut rows);
                }
            }
            Ok(rows)
        };
        // A program has one process for each side, which then run at once.
        let (first, second) = rayon::join(|| side(0), || side(1));
        Ok([first?, second?])
    }

    pub(crate) const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Pairs whose outputs fit into memory side by side, whatever their width: a tree of values takes several times its row.
    pub(crate) fn at_once(&self) -> u64 {
        (NUMBERS_AT_ONCE / self.layout.width() as u64).max(1)
    }
}

/// A range in parts of at most this length.
pub(crate) fn parts(range: Range<u64>, most: u64) -> impl Iterator<Item = Range<u64>> {
    let starts = range.clone().step_by(most as usize);
    starts.map(move |at| at..range.end.min(at + most))
}

fn outputs<M: Mechanism>(
    mechanism: &M,
    inputs: [&M::Input; 2],
    tape: Tape,
    phase: Phase,
    side: usize,
    range: Range<u64>,
) -> Result<Vec<Output>, AuditError> {
    let base = (phase as u64) << 56 | (side as u64) << SIDE_BIT;
    let asked = range.end - range.start;
    let drawn = mechanism
        .draw_many(inputs[side], tape, base + range.start..base + range.end)
        .map_err(|error| error.drawn(phase.purpose()))?;
    if drawn.len() as u64 == asked {
        Ok(drawn)
    } else {
        Err(AuditError::WrongCount {
            mechanism: mechanism.name(),
            asked,
            got: drawn.len() as u64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{DrawError, from_fn};

    /// Which trial a row was drawn in.
    fn trials(seen: &Rows) -> Vec<[u64; 3]> {
        let row = |at: usize| {
            let number = seen
                .row(at)
                .values
                .iter()
                .fold(0, |all, x| all << 16 | *x as u64);
            [number >> 56, number >> SIDE_BIT & 1, number & 0xffff_ffff]
        };
        (0..seen.len()).map(row).collect()
    }

    /// No two uses and no two sides share a trial, and pairs are those of the range.
    #[test]
    fn each_use_of_each_side_has_trials_of_its_own() {
        let number = from_fn("number", |_: &bool, tape: Tape| {
            let number = tape.number();
            [48, 32, 16, 0]
                .map(|shift| (number >> shift & 0xffff) as f64)
                .to_vec()
        });
        let sampler = Sampler::new(&number, [&false, &true], Tape::new(1), Extras::default())
            .expect("it runs");
        let phases = [
            Phase::Bet,
            Phase::Recount,
            Phase::RecountSimpler,
            Phase::Shape,
            Phase::Explore,
            Phase::Study,
        ];
        for (number, phase) in phases.into_iter().enumerate() {
            let drawn = sampler.pairs(phase, 70_000..70_003).expect("it runs");
            for (side, rows) in drawn.iter().enumerate() {
                let due: Vec<[u64; 3]> = (70_000..70_003)
                    .map(|trial| [number as u64, side as u64, trial])
                    .collect();
                assert_eq!(trials(rows), due);
            }
        }
    }

    /// The shape of plain numbers is seen in a few outputs; a mechanism that gives too few or too many is named.
    #[test]
    fn a_wrong_number_of_outputs_is_an_error() {
        struct Gives(u64);
        impl Mechanism for Gives {
            type Input = u64;
            fn name(&self) -> String {
                "gives".into()
            }
            fn draw(&self, _: &u64, _: Tape) -> Result<Output, DrawError> {
                Ok(Output::Integer(1))
            }
            fn draw_many(
                &self,
                _: &u64,
                _: Tape,
                trials: Range<u64>,
            ) -> Result<Vec<Output>, DrawError> {
                let n = trials.end - trials.start + self.0 - 1;
                Ok((0..n).map(|i| Output::Real(i as f64 / 7.0)).collect())
            }
        }
        for more in [0, 2] {
            let error = Sampler::new(&Gives(more), [&0, &1], Tape::new(1), Extras::default())
                .map(|_| ())
                .expect_err("a wrong count");
            let AuditError::WrongCount { asked, got, .. } = error else {
                panic!("{error:?}")
            };
            assert_eq!((asked, got), (SHAPING, SHAPING + more - 1));
        }
        let right = Gives(1);
        let sampler = Sampler::new(&right, [&0, &1], Tape::new(1), Extras::default())
            .expect("as many as asked for");
        assert_eq!(
            sampler
                .pairs(Phase::Bet, 5..9)
                .expect("it runs")
                .map(|rows| rows.len()),
            [4, 4]
        );
        assert_eq!(sampler.layout().width(), 1);
    }
}
