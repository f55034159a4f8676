//! A run of correlated noise on samples, and what it is reduced to.

use super::Strategy;
use super::gram::Gram;
use super::told::Noise;
use crate::accounting::AccountError;
use crate::accounting::event::{Event, Pattern, Sampling, Step};
use crate::accounting::float::U;
use crate::accounting::samples::Laws;
use crate::units::{Neighbouring, StdDev};

/// Most steps of rows, whose inner products are added up one by one: a sixth of their cube.
const ROWS_MAX: usize = 1024;
/// Most inner products of columns that are kept: 128 MiB.
const PRODUCTS_MAX: usize = 1 << 24;
/// Most steps at all: as many as attacks add up.
const SAMPLED_MAX: usize = 20_000;
/// Laws with the number of times that each is run.
pub(super) type Counted = Vec<(Laws, u64)>;

/// A run on samples.
pub(super) struct Run<'a> {
    pub(super) noise: Noise,
    pub(super) strategy: &'a Strategy,
    /// Every so many-th step is one in which a record may take part.
    pub(super) separation: usize,
}

impl<'a> Run<'a> {
    pub(super) fn of(
        step: &'a Step,
        neighbours: Neighbouring,
    ) -> Result<Option<(Self, Pattern)>, AccountError> {
        let (
            Event::MatrixGaussian {
                sigma,
                strategy,
                separation,
                ..
            },
            Sampling::Within(pattern),
        ) = (&step.mechanism, step.sampling)
        else {
            return Ok(None);
        };
        if neighbours == Neighbouring::User {
            return Ok(None);
        }
        strategy.check()?;
        let n = strategy.steps();
        let most = match (strategy, pattern) {
            (Strategy::Matrix(_), _) => ROWS_MAX,
            // The sums of all bins meet, whatever columns do.
            (_, Pattern::Bins(bins)) if bins > super::STEPS_MAX as u64 => super::STEPS_MAX,
            _ => SAMPLED_MAX,
        };
        let (width, rows) = (strategy.width(), matches!(strategy, Strategy::Matrix(_)));
        if n > most || n * width > PRODUCTS_MAX {
            let each = match rows {
                true => "give Toeplitz coefficients if it has them",
                false => "set coefficients to 0 from some lag on, or take fewer steps or bins",
            };
            return Err(AccountError::Event(format!(
                "a sampled run of {n} steps needs the inner products of its columns, {width} of \
                    each, for which at most {most} steps and {PRODUCTS_MAX} products are \
                    affordable: {each}"
            )));
        }
        // Where two participations keep their distance from one another, any step may be one.
        let cycle = match pattern {
            Pattern::Apart { .. } => 1,
            _ => *separation,
        };
        let run = Self {
            noise: Noise {
                sigma: StdDev::new(*sigma)?.get(),
                count: step.count,
                neighbours,
            },
            strategy,
            separation: usize::try_from(cycle).unwrap_or(usize::MAX).min(n),
        };
        Ok(Some((run, pattern)))
    }

    /// Most steps in which one record may take part.
    pub(super) fn places(&self) -> u64 {
        self.strategy.steps().div_ceil(self.separation) as u64
    }

    /// D, rounded up.
    pub(super) fn diagonal(&self) -> f64 {
        let gram = Gram::new(self.strategy, false);
        let row = |i: usize| -> f64 {
            let same = gram.near(i, self.separation);
            same.map(|j| gram.upper(i, j)).sum()
        };
        let most = (0..gram.n).map(row).fold(0.0, f64::max);
        (most * (1.0 + 2.0 * U * gram.n as f64)).sqrt().next_up()
    }
}
