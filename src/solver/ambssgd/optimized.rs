//! One pass over the records: every record is read from memory once, whether it is held or streamed.
//!
//! A clipped gradient is clip_ζ(x·r) = x·c with c = r moved into [−ζ/‖x‖, ζ/‖x‖], so that a record needs
//! one inner product and one scaled addition while it is in the cache, and its norm, computed when it
//! was loaded. A residual's level is read off its exponent; counts are prefix sums. Batches are summed
//! in blocks of fixed size (see [`block`]), in parallel, and the blocks' sums in order: the result does
//! not depend on the number of threads or on where the records come from.

use super::{Adaptive, Counters, Iterate, Run, RunError, Shuffled, average};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::kernels::{dot, product};
use crate::problem::rows::{RecordView, Source, block};
use pulp::Arch;
use rayon::prelude::*;

/// DP-SSGD (Algorithm 1) on N records of `source`, which must come in a uniformly random order: the
/// privacy proof by shuffling rests on it.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::rows::Matrix;
/// use dp_assay::solver::ambssgd::{Shuffled, permutation, optimized};
///
/// # let values: Vec<f64> = (0..16).map(|k| f64::from(k).sin()).collect();
/// # let targets = values.chunks(2).map(|x| 0.5 * x[0]).collect();
/// # let records = Matrix::new(2, values, targets)?;
/// let order = permutation(Tape::new(1), 8);
/// let config = Shuffled { step: 0.1, threshold: 1.0, multiplier: 0.5 };
/// let run = |seed| optimized::ssgd(&mut records.source(Some(&order)), 8, &config, Tape::new(seed), &mut |_| ());
/// assert_eq!(run(2)?, run(2)?);
/// assert_ne!(run(2)?, run(3)?); // other noise
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`super::reference::ssgd`]; if the source ends early or is malformed.
pub fn ssgd(
    source: &mut dyn Source,
    records: usize,
    config: &Shuffled,
    tape: Tape,
    observe: &mut dyn FnMut(Iterate<'_>),
) -> Result<Run, RunError> {
    config.check(records)?;
    let scale = config.multiplier * 2.0 * config.threshold;
    let mut state = State::new(source.features(), records);
    for t in 0..records {
        let view = source.view(1)?;
        let (x, y, norm) = view.record(0);
        let residual = dot(x, &state.iterate) - y;
        let (factor, clipped) = clip(residual, config.threshold, norm);
        state.counters.records_read += 1;
        state.counters.clipped += u64::from(clipped);
        tape.stream(t as u64, Purpose::Release, 0)
            .gaussians(&mut state.noise);
        for ((w, x), g) in state.iterate.iter_mut().zip(x).zip(&state.noise) {
            *w -= config.step * (factor * x + scale * g);
        }
        source.advance(1);
        state.finish_step(t, None, observe)?;
    }
    Ok(state.run())
}

/// DP-AMBSSGD (Algorithm 2) on N records of `source`. Private for any order drawn without looking at the records
/// (`ambssgd-thm-3.6-zcdp`), so that a file need not be shuffled first; the utility theorem wants i.i.d.
/// records.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::rows::Matrix;
/// use dp_assay::solver::ambssgd::{Adaptive, Ranges, Search, Stop, permutation, optimized};
///
/// # let values: Vec<f64> = (0..16).map(|k| f64::from(k).sin()).collect();
/// # let targets = values.chunks(2).map(|x| 0.5 * x[0]).collect();
/// # let records = Matrix::new(2, values, targets)?;
/// # let search = Search::halvings(4.0, 10)?;
/// # let (ranges, stop) = (Ranges::Disjoint, Stop::Margin { failure: 0.01 });
/// # let config = Adaptive { step: 0.1, multiplier: 0.5, batch: 1, statistics: 1, factor: 1.0, search, ranges, stop };
/// let order = permutation(Tape::new(1), 8);
/// let mut levels = Vec::new(); // of the clipping norms
/// let observe = &mut |release: dp_assay::solver::ambssgd::Iterate<'_>| levels.push(release.level);
/// optimized::ambssgd(&mut records.source(Some(&order)), 8, &config, Tape::new(2), observe)?;
/// assert!(levels.len() == 4 && levels.iter().all(|level| level.is_some_and(|i| i <= 10)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`super::reference::ambssgd`]; if the source ends early or is malformed.
pub fn ambssgd(
    source: &mut dyn Source,
    records: usize,
    config: &Adaptive,
    tape: Tape,
    observe: &mut dyn FnMut(Iterate<'_>),
) -> Result<Run, RunError> {
    let steps = config.check(records)?;
    let batch = config.batch as f64;
    let mut state = State::new(source.features(), steps);
    let mut gradient = Gradient::new(source.features());
    for t in 0..steps {
        let level = state.statistic(source, config, tape, t)?;
        let zeta = config.threshold(level);
        let sum = gradient.sum(source, config.batch, &state.iterate, zeta)?;
        let scale = config.multiplier * (2.0 * zeta / batch);
        tape.stream(t as u64, Purpose::Release, 0)
            .gaussians(&mut state.noise);
        for ((w, sum), g) in state.iterate.iter_mut().zip(sum).zip(&state.noise) {
            *w -= config.step * (sum / batch + scale * g);
        }
        state.counters.records_read += config.batch as u64;
        state.finish_step(t, Some(level), observe)?;
    }
    state.counters.clipped = gradient.clipped;
    Ok(state.run())
}

/// What both algorithms carry from step to step.
struct State {
    iterate: Vec<f64>,
    /// Standard variates of a step.
    noise: Vec<f64>,
    tail: Vec<f64>,
    steps: usize,
    counters: Counters,
    /// Number of residuals that need level i and no less.
    histogram: Vec<u64>,
}

impl State {
    fn new(features: usize, steps: usize) -> Self {
        Self {
            iterate: vec![0.0; features],
            noise: vec![0.0; features],
            tail: vec![0.0; features],
            steps,
            counters: Counters::default(),
            histogram: Vec::new(),
        }
    }

    /// DP-STAT (Algorithm 3), leaving the source where the gradient begins.
    fn statistic(
        &mut self,
        source: &mut dyn Source,
        config: &Adaptive,
        tape: Tape,
        t: usize,
    ) -> Result<usize, RunError> {
        let levels = config.search.levels;
        self.histogram.clear();
        self.histogram.resize(levels + 1, 0);
        // Records of the gradient that DP-STAT reads too: 1 in the printed ranges.
        let shared = config.samples() - config.statistics;
        let mut left = config.statistics;
        while left > 0 {
            let own = left.min(source.window() - shared);
            let seen = if own == left { own + shared } else { own };
            self.count(source.view(seen)?, config);
            source.advance(own);
            left -= own;
        }
        let mut noise = tape.stream(t as u64, Purpose::Selection, 0);
        let deviation = (levels as f64).sqrt() * config.multiplier;
        let enough = config.enough();
        let mut count = 0;
        for (i, at) in self.histogram.iter().enumerate() {
            count += at;
            self.counters.comparisons += config.samples() as u64;
            let noisy = count as f64 + deviation * noise.uniform().gaussian();
            if noisy >= enough {
                return Ok(i);
            }
        }
        Ok(levels)
    }

    fn count(&mut self, view: RecordView<'_>, config: &Adaptive) {
        let level = |i: usize| {
            let (x, y, _) = view.record(i);
            config.search.width.levels_to(dot(x, &self.iterate) - y)
        };
        let found: Vec<i64> = (0..view.len())
            .into_par_iter()
            .with_min_len(64)
            .map(level)
            .collect();
        for level in found {
            if let Some(at) = usize::try_from(level)
                .ok()
                .and_then(|i| self.histogram.get_mut(i))
            {
                *at += 1;
            }
        }
        self.counters.records_read += view.len() as u64;
    }

    fn finish_step(
        &mut self,
        step: usize,
        level: Option<usize>,
        observe: &mut dyn FnMut(Iterate<'_>),
    ) -> Result<(), RunError> {
        if self.iterate.iter().any(|w| !w.is_finite()) {
            return Err(RunError::Diverged { step });
        }
        let point = &self.iterate;
        observe(Iterate { step, level, point });
        if step >= self.steps / 2 {
            for (sum, w) in self.tail.iter_mut().zip(point) {
                *sum += w;
            }
        }
        Ok(())
    }

    fn run(self) -> Run {
        Run {
            average: average(self.tail, self.steps),
            last: self.iterate,
            counters: self.counters,
        }
    }
}

/// Sums clipped gradients over a batch.
struct Gradient {
    features: usize,
    total: Vec<f64>,
    /// One sum of d entries for each block of a view.
    partial: Vec<f64>,
    clipped: u64,
}

/// Most values in the blocks' sums of one view: bounds memory for wide data.
const PARTIAL: usize = 1 << 20;

impl Gradient {
    fn new(features: usize) -> Self {
        Self {
            features,
            total: vec![0.0; features],
            partial: Vec::new(),
            clipped: 0,
        }
    }

    fn sum(
        &mut self,
        source: &mut dyn Source,
        batch: usize,
        iterate: &[f64],
        zeta: f64,
    ) -> Result<&[f64], RunError> {
        let block = block(self.features);
        let together = (PARTIAL / self.features / 2).max(2) * block;
        let window = (source.window() / block)
            .max(1)
            .saturating_mul(block)
            .min(together);
        self.total.fill(0.0);
        let mut left = batch;
        while left > 0 {
            let count = left.min(window);
            self.add(source.view(count)?, block, iterate, zeta);
            source.advance(count);
            left -= count;
        }
        Ok(&self.total)
    }

    fn add(&mut self, view: RecordView<'_>, block: usize, iterate: &[f64], zeta: f64) {
        let blocks = view.len().div_ceil(block);
        self.partial.clear();
        self.partial.resize(blocks * self.features, 0.0);
        let sums = self.partial.par_chunks_exact_mut(self.features).enumerate();
        self.clipped += sums
            .map_init(Vec::new, |numbers, (k, sum)| {
                let records = k * block..((k + 1) * block).min(view.len());
                // Read ahead: in random order every record has these in places of their own, and one
                // would be waited for after the other.
                numbers.clear();
                numbers.extend(records.clone().map(|i| view.target_and_norm(i)));
                let numbers = records.zip(&*numbers);
                Arch::new().dispatch(
                    #[inline(always)]
                    || {
                        let mut clipped = 0;
                        for (i, (y, norm)) in numbers {
                            let x = view.features(i);
                            let (factor, cut) = clip(product(x, iterate) - y, zeta, *norm);
                            clipped += u64::from(cut);
                            axpy(factor, x, sum);
                        }
                        clipped
                    },
                )
            })
            .sum::<u64>();
        for partial in self.partial.chunks_exact(self.features) {
            axpy(1.0, partial, &mut self.total);
        }
    }
}

/// The factor c with clip_ζ(x·r) = x·c, and whether it differs from r.
fn clip(residual: f64, zeta: f64, norm: f64) -> (f64, bool) {
    //= ambssgd-def-clip
    let limit = zeta / norm;
    match residual.abs() > limit {
        true => (limit.copysign(residual), true),
        false => (residual, false),
    }
}

/// sum ← sum + factor·x.
#[inline(always)]
fn axpy(factor: f64, x: &[f64], sum: &mut [f64]) {
    for (sum, x) in sum.iter_mut().zip(x) {
        *sum += factor * x;
    }
}
