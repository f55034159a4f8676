//! The eight problems of Table 1 with their non-private optima.

use super::{files, synthetic};
use crate::experiment::data::{DataError, Shelf, bad};
use crate::experiment::{Effort, ExperimentError, Input};
use crate::problem::loss::{Logistic, Squared};
use crate::problem::optimum::optimum;
use crate::problem::scaling::standardised;
use crate::problem::{Dataset, Problem, Regulariser};

/// A problem, and what is known of its optimum.
pub(super) struct Case {
    pub(super) which: Name,
    /// Its name in rows; a stand-in's ends in `-like`.
    pub(super) name: String,
    pub(super) problem: Problem,
    /// f* = min F, from above.
    pub(super) least: f64,
    /// Which coefficients of the optimum are not zero, if the problem asks for sparse ones.
    pub(super) support: Option<Vec<bool>>,
}

/// Which of Table 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Log1,
    Log2,
    Mtp,
    MadelonRidge,
    Square,
    California,
    Dorothea,
    MadelonLasso,
}

impl Name {
    pub(super) const ALL: [Self; 8] = [
        Self::Log1,
        Self::Log2,
        Self::Mtp,
        Self::MadelonRidge,
        Self::Square,
        Self::California,
        Self::Dorothea,
        Self::MadelonLasso,
    ];

    /// The paper's name, with the penalty where one data set has two.
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Log1 => "log1",
            Self::Log2 => "log2",
            Self::Mtp => "mtp",
            Self::MadelonRidge => "madelon-l2",
            Self::Square => "square",
            Self::California => "california",
            Self::Dorothea => "dorothea",
            Self::MadelonLasso => "madelon-l1",
        }
    }

    /// Builds the problem; a toy has the same form and a few dozen records.
    pub(super) fn build(
        self,
        effort: Effort,
        shelf: &Shelf,
        seed: u64,
    ) -> Result<(Case, Input), ExperimentError> {
        let toy = effort == Effort::Toy;
        let (data, input) = self.data(toy, shelf, seed)?;
        let problem = self.problem(data)?;
        let best = optimum(&problem, 1e-10, 200);
        let support = matches!(problem.regulariser(), Regulariser::L1(_))
            .then(|| best.w.iter().map(|w| *w != 0.0).collect());
        let name = match input.stand_in {
            Some(_) => format!("{}-like", self.text()),
            None => self.text().to_owned(),
        };
        let case = Case {
            which: self,
            name,
            least: best.objective,
            support,
            problem,
        };
        Ok((case, input))
    }

    fn data(self, toy: bool, shelf: &Shelf, seed: u64) -> Result<(Dataset, Input), DataError> {
        let scaled = |(data, input): (Dataset, Input)| {
            let data = standardised(&data).map_err(|e| bad(self.text(), 0, &e))?;
            Ok((data, input))
        };
        match self {
            Self::Log1 => scaled(synthetic::logistic(self.text(), toy, 1.0, seed)?),
            Self::Log2 => scaled(synthetic::logistic(self.text(), toy, 2.0, seed)?),
            Self::Square => scaled(synthetic::square(toy, seed)?),
            Self::Mtp => scaled(synthetic::mtp(toy, seed)?),
            Self::Dorothea => synthetic::dorothea(toy, seed),
            Self::California => scaled(files::california(toy, shelf, seed)?),
            Self::MadelonRidge | Self::MadelonLasso => scaled(files::madelon(toy, shelf, seed)?),
        }
    }

    fn problem(self, data: Dataset) -> Result<Problem, ExperimentError> {
        let l1 = Regulariser::L1;
        Ok(match self {
            Self::Log1 | Self::Log2 => {
                Problem::new(data, Logistic, Regulariser::None)?.with_ridge(1e-3)?
            }
            Self::MadelonRidge => {
                Problem::new(data, Logistic, Regulariser::None)?.with_ridge(1.0)?
            }
            Self::Mtp => Problem::new(data, Squared, Regulariser::None)?.with_ridge(5e-8)?,
            Self::Square => Problem::new(data, Squared, l1(30.0))?,
            Self::California => Problem::new(data, Squared, l1(0.1))?,
            Self::Dorothea => Problem::new(data, Logistic, l1(0.01))?,
            Self::MadelonLasso => Problem::new(data, Logistic, l1(0.05))?,
        })
    }
}

impl Case {
    /// (F(w) − f*)/f*.
    pub(super) fn relative_error(&self, w: &[f64]) -> f64 {
        (self.problem.objective(w) - self.least) / self.least
    }

    /// Non-zeros inside and outside the optimum's support.
    pub(super) fn hits(&self, w: &[f64]) -> Option<(usize, usize)> {
        let support = self.support.as_ref()?;
        let count = |inside: bool| {
            let hit = |(w, s): &(&f64, &bool)| **w != 0.0 && **s == inside;
            w.iter().zip(support).filter(hit).count()
        };
        Some((count(true), count(false)))
    }
}
