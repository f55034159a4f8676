//! Where noisy answers come from, and what it notes down.

use super::Finding;
use crate::audit::Output;
use crate::mechanism::tape::{Purpose, Tape};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The desk will not go on: the run has left the path of the one it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop(());

/// The noise of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Noise {
    /// Laplace variates; sensitivities are ℓ₁.
    Laplace,
    /// Gaussian variates, the scale being their standard deviation; sensitivities are ℓ₂.
    Gaussian,
}

/// A question: values that are to be released with noise.
#[derive(Clone, Debug, PartialEq)]
pub struct Question<'a> {
    /// What it is called in reports, e.g. `gradient`.
    pub site: &'static str,
    /// The address of its first variate: step, and first coordinate; the rest follow.
    pub step: u64,
    /// First coordinate.
    pub first: u64,
    /// The values.
    pub values: &'a [f64],
    /// How far the values may move between neighbours, in the norm that goes with the noise.
    pub sensitivity: f64,
    /// The noise.
    pub noise: Noise,
    /// The scale of the noise on each value.
    pub scale: f64,
}

/// Values of which the index of the best is to be released, after noise on each.
#[derive(Clone, Copy)]
pub struct Contest<'a> {
    /// What it is called in reports, e.g. `selection`.
    pub site: &'static str,
    /// The step; coordinates are those of the values.
    pub step: u64,
    /// The values.
    pub values: &'a [f64],
    /// How far each value may move between neighbours.
    pub sensitivities: &'a [f64],
    /// The scale of the Laplace noise on each value.
    pub scales: &'a [f64],
    /// The score of a coordinate with its noisy value; the largest wins.
    pub score: &'a dyn Fn(usize, f64) -> f64,
}

/// What was asked, with the values as they were.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Asked {
    pub site: &'static str,
    pub kind: Kind,
    pub step: u64,
    first: u64,
    values: Vec<f64>,
    /// One for a release, one for each value of a contest.
    pub sensitivities: Vec<f64>,
    pub scales: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Release(Noise),
    Selection,
    Branch,
}

/// Where noisy answers come from.
pub struct Desk<'a> {
    tape: Tape,
    pub(super) asked: Vec<Asked>,
    pub(super) answers: Vec<Vec<f64>>,
    /// The run whose answers are given again.
    script: Option<&'a Record>,
    pub(super) stopped: Option<Finding>,
}

/// One run, written down.
pub(super) struct Record {
    pub asked: Vec<Asked>,
    pub answers: Vec<Vec<f64>>,
    pub result: Output,
}

impl<'a> Desk<'a> {
    /// A desk that draws noise.
    pub(super) fn recording(tape: Tape) -> Self {
        Self {
            tape,
            asked: Vec::new(),
            answers: Vec::new(),
            script: None,
            stopped: None,
        }
    }

    pub(super) fn replaying(script: &'a Record) -> Self {
        Self {
            script: Some(script),
            ..Self::recording(Tape::new(0))
        }
    }

    /// The values with noise.
    ///
    /// # Errors
    /// When this run asks something else than the run it is compared with.
    pub fn release(&mut self, question: &Question<'_>) -> Result<Vec<f64>, Stop> {
        let asked = Asked {
            site: question.site,
            kind: Kind::Release(question.noise),
            step: question.step,
            first: question.first,
            values: question.values.to_vec(),
            sensitivities: vec![question.sensitivity],
            scales: vec![question.scale],
        };
        self.answer(asked, |tape| {
            let mut stream = tape.stream(question.step, Purpose::Release, question.first);
            let noisy = question.values.iter().map(|value| {
                let variate = stream.uniform();
                let unit = match question.noise {
                    Noise::Laplace => variate.laplace(),
                    Noise::Gaussian => variate.gaussian(),
                };
                value + question.scale * unit
            });
            noisy.collect()
        })
    }

    /// The coordinate with the largest score after Laplace noise. The first of equals wins; 0 if
    /// there are no values.
    ///
    /// # Errors
    /// As [`Desk::release`].
    pub fn select(&mut self, contest: &Contest<'_>) -> Result<usize, Stop> {
        let asked = Asked {
            site: contest.site,
            kind: Kind::Selection,
            step: contest.step,
            first: 0,
            values: contest.values.to_vec(),
            sensitivities: contest.sensitivities.to_vec(),
            scales: contest.scales.to_vec(),
        };
        let answer = self.answer(asked, |tape| {
            let mut stream = tape.stream(contest.step, Purpose::Selection, 0);
            let mut best = (0, f64::NEG_INFINITY);
            for (index, (value, scale)) in contest.values.iter().zip(contest.scales).enumerate() {
                let score = (contest.score)(index, value + scale * stream.uniform().laplace());
                if score > best.1 {
                    best = (index, score);
                }
            }
            vec![best.0 as f64]
        })?;
        Ok(answer.first().map_or(0, |index| *index as usize))
    }

    /// Notes which way the run went, so that a branch on data is seen even if no question follows.
    ///
    /// # Errors
    /// As [`Desk::release`].
    pub fn branch(&mut self, site: &'static str, way: u64) -> Result<(), Stop> {
        let asked = Asked {
            site,
            kind: Kind::Branch,
            step: way,
            first: 0,
            values: Vec::new(),
            sensitivities: Vec::new(),
            scales: Vec::new(),
        };
        self.answer(asked, |_| Vec::new()).map(|_| ())
    }

    fn answer(
        &mut self,
        asked: Asked,
        draw: impl FnOnce(Tape) -> Vec<f64>,
    ) -> Result<Vec<f64>, Stop> {
        let index = self.asked.len();
        let answer = match self.script {
            None => draw(self.tape),
            Some(script) => {
                let expected = script.asked.get(index);
                if !expected.is_some_and(|e| e.same_question(&asked)) {
                    self.stopped = Some(Finding::ControlFlow {
                        question: index,
                        first: expected.map_or("the end".to_owned(), ToString::to_string),
                        second: asked.to_string(),
                    });
                    return Err(Stop(()));
                }
                script.answers[index].clone()
            }
        };
        self.asked.push(asked);
        self.answers.push(answer.clone());
        Ok(answer)
    }
}

impl Asked {
    /// Whether two runs went the same way here; values may differ.
    fn same_question(&self, other: &Self) -> bool {
        let key = |a: &Self| (a.site, a.kind, a.step, a.first, a.values.len());
        key(self) == key(other)
    }

    /// How far the values moved and how far they may have, in the norm of the noise: for a contest,
    /// those of the coordinate that moved furthest for its bound. NaN if a value is not finite.
    pub(super) fn moved(&self, other: &Self) -> (f64, f64) {
        let pairs = self.values.iter().zip(&other.values);
        let differences = pairs.map(|(a, b)| (a - b).abs());
        let declared = self.sensitivities.first().copied().unwrap_or(0.0);
        match self.kind {
            Kind::Release(Noise::Laplace) => (differences.sum(), declared),
            Kind::Release(Noise::Gaussian) => {
                (differences.map(|d| d * d).sum::<f64>().sqrt(), declared)
            }
            Kind::Selection => {
                let bounded = differences.zip(self.sensitivities.iter().copied());
                bounded.fold((0.0, 0.0), |worst: (f64, f64), next| {
                    let further = next.0 * worst.1 >= worst.0 * next.1 || next.0.is_nan();
                    if further && !worst.0.is_nan() {
                        next
                    } else {
                        worst
                    }
                })
            }
            Kind::Branch => (0.0, 0.0),
        }
    }

    /// What rounding may add to a distance, for values that are sums of `terms` terms: each value
    /// is right to terms·u of its size, and so is the norm.
    pub(super) fn rounding(&self, other: &Self, terms: u64) -> f64 {
        let both = self.values.iter().chain(&other.values);
        terms as f64 * f64::EPSILON * both.map(|v| v.abs()).sum::<f64>()
    }

    /// The addresses of its variates: whether of a selection, step, coordinate.
    pub(super) fn addresses(&self) -> impl Iterator<Item = (bool, u64, u64)> + '_ {
        let selection = self.kind == Kind::Selection;
        (0..self.values.len() as u64).map(move |i| (selection, self.step, self.first + i))
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Branch => write!(f, "branch `{}` taken way {}", self.site, self.step),
            Kind::Selection => write!(f, "selection `{}` among {}", self.site, self.values.len()),
            Kind::Release(_) => write!(
                f,
                "release `{}` of {} values at step {}",
                self.site,
                self.values.len(),
                self.step
            ),
        }
    }
}
