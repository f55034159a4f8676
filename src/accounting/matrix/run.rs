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
            (Strategy::Toeplitz(_), _) => SAMPLED_MAX,
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
            Pattern::Poisson(_) | Pattern::Bins(_) | Pattern::Several(_) => *separation,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// How long a run may be, by what is added up of it: every bin of many, or columns as far as
    /// they reach.
    #[test]
    fn a_run_is_refused_by_what_it_would_take() {
        let most = super::super::STEPS_MAX as u64;
        let known = |steps: usize, width: usize, pattern: Pattern| {
            let ones = (0..steps).map(|lag| f64::from(u8::from(lag < width)));
            let step = Step {
                mechanism: Event::MatrixGaussian {
                    sigma: 1.0,
                    strategy: Strategy::Toeplitz(ones.collect()),
                    participations: 1,
                    separation: 1,
                },
                sampling: Sampling::Within(pattern),
                count: 1,
            };
            let found = Run::of(&step, Neighbouring::AddRemove);
            found.map_or_else(
                |why| why.to_string(),
                |run| run.map_or("none", |_| "").into(),
            )
        };
        let long = super::super::STEPS_MAX + 1;
        assert_eq!(known(long, 1, Pattern::Bins(most)), "");
        assert!(known(long, 1, Pattern::Bins(most + 1)).contains("2049 steps"));
        assert_eq!(known(long, 1, Pattern::Poisson(0.5)), "");
        assert_eq!(known(SAMPLED_MAX, 1, Pattern::Poisson(0.5)), "");
        assert!(known(SAMPLED_MAX + 1, 1, Pattern::Poisson(0.5)).contains("20001 steps"));
        let wide = PRODUCTS_MAX / SAMPLED_MAX;
        assert_eq!(known(SAMPLED_MAX, wide, Pattern::Poisson(0.5)), "");
        let told = known(SAMPLED_MAX, wide + 1, Pattern::Poisson(0.5));
        assert!(told.contains("set coefficients to 0"), "{told}");
    }

    #[test]
    fn places_and_reach_of_a_run_are_those_of_its_columns() {
        let step = |separation: u64| Step {
            mechanism: Event::MatrixGaussian {
                sigma: 2.0,
                strategy: Strategy::Toeplitz(vec![1.0, 0.5, 0.25, 0.0, 0.0, 0.0, 0.0]),
                participations: 9,
                separation,
            },
            sampling: Sampling::Within(Pattern::Poisson(0.5)),
            count: 3,
        };
        // ⟨cᵢ, cⱼ⟩ over columns in the same class, of the first that all reach.
        let own = 1.0 + 0.25 + 0.0625;
        for (separation, places, square) in [
            (1, 7, own + 2.0 * (0.5 + 0.125) + 2.0 * 0.25),
            (2, 4, own + 2.0 * 0.25),
            (3, 3, own),
            (9, 1, own),
        ] {
            let step = step(separation);
            let (run, _) = Run::of(&step, Neighbouring::ReplaceOne)
                .expect("small")
                .expect("a run");
            assert_eq!((run.places(), run.noise.count), (places, 3), "{separation}");
            let found = run.diagonal().powi(2);
            assert!(
                found >= square && found < square * (1.0 + 1e-13),
                "{separation}: {found}"
            );
            assert!(Run::of(&step, Neighbouring::User).expect("small").is_none());
        }
    }
}
