//! Matrix mechanisms on samples: a record takes part in the steps of a random pattern π, and moves Cx by Σ_{i∈π} cᵢ at most.
//!
//! Kahane's interpolation, with weights of both signs where a record is replaced, makes means of N(m_π, σ²I) with
//! m_π = Σ_{i∈π} |cᵢ| the worst case, adaptive rows included; and larger inner products ⟨m_π, m_ρ⟩, or a larger Gram matrix, still
//! dominate (`acc-matrix-sampled`). So the run is reduced to what is accounted for elsewhere:
//!
//! * **balls in bins** (the record in every b-th step from a random one on): with any c ≥ 0 the Gram matrix K of the b sums is
//!   at most cJ + dI, d = max_j (K_jj − c)₊ + 2·Σ_k (K_jk − c)₊ or max_j Σ_k |K_jk − c|. That is noise on √c in every run, and
//!   random allocation of √d to one of b steps. The bin's remainder modulo g may be told first: what is left has ⌊b/g⌋ bins
//!   that are farther apart. c and g are those that about look best; all are safe.
//! * **Poisson's, or k of all steps**: with D² the largest row sum of |⟨cᵢ, cⱼ⟩| over the steps in which a record may take part,
//!   the run is a post-processing of independent noise at these steps, on contributions of norm D. Under Poisson sampling these are
//!   every s-th step from one that everybody knows on, where two participations are to be s steps apart ("cyclic" sampling:
//!   Choquette-Choo et al. 2023, arXiv 2306.08153): with bands no wider than s, D is the largest norm of a column.
//!
//! From below, of C ≥ 0: smaller inner products, or the one number ⟨Σ cᵢ, z⟩, of a record that contributes the same everywhere.

use super::Strategy;
use super::separated::Separated;
use super::told::{self, Noise};
use crate::accounting::AccountError;
use crate::accounting::allocation;
use crate::accounting::event::{Event, Pattern, Sampling, Step};
use crate::accounting::float::U;
use crate::accounting::float::elementary::exp_m1;
use crate::accounting::pld::law::GaussianLaw;
use crate::accounting::views::{self, Laws};
use crate::units::{Delta, Neighbouring, StdDev};
use std::sync::Arc;

/// Most steps of rows, whose inner products are added up one by one.
const ROWS_MAX: usize = 512;
/// Laws with the number of times that each is run.
pub(super) type Counted = Vec<(Laws, u64)>;

/// A run on samples.
pub(super) struct Run<'a> {
    pub(super) noise: Noise,
    pub(super) strategy: &'a Strategy,
    /// Every so many-th step is one in which a record may take part.
    separation: usize,
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
        let most = match strategy {
            Strategy::Toeplitz(_) => super::STEPS_MAX,
            Strategy::Matrix(_) => ROWS_MAX,
        };
        if n > most {
            return Err(AccountError::TooCostly {
                what: "the inner products of a sampled run",
                needed: n as f64,
                limit: most as f64,
                unit: "steps",
            });
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
    fn places(&self) -> u64 {
        self.strategy.steps().div_ceil(self.separation) as u64
    }

    /// Noise at every step in which a record may take part.
    fn at_each(&self, sensitivity: f64, rate: f64) -> Result<Option<Counted>, AccountError> {
        let step = self.noise.step(sensitivity, Sampling::Poisson(rate), 1);
        let laws = views::laws(&step, self.noise.neighbours)?;
        Ok(laws.map(|laws| vec![(laws, self.noise.count.saturating_mul(self.places()))]))
    }
}

/// The laws that dominate a matrix mechanism on samples, if they are known: one after the other.
///
/// # Errors
/// Parameters out of range; more steps than inner products are computed of.
pub(in crate::accounting) fn laws(
    step: &Step,
    neighbours: Neighbouring,
    delta: Delta,
) -> Result<Option<Counted>, AccountError> {
    let Some((run, pattern)) = Run::of(step, neighbours)? else {
        let run = Separated::independent(step, neighbours)?;
        return run.map_or(Ok(None), |run| run.laws(delta));
    };
    match pattern {
        Pattern::Poisson(rate) => run.at_each(run.diagonal(), rate),
        Pattern::Several(participations) => {
            let steps = run.strategy.steps() as u64;
            let sampling = Sampling::RandomAllocation {
                steps,
                participations,
            };
            let step = run.noise.step(run.diagonal(), sampling, run.noise.count);
            allocation::laws(&step, neighbours, delta)
        }
        Pattern::Bins(bins) => run.binned(bins, delta),
        Pattern::Apart {
            separation, rate, ..
        } => Separated::correlated(run, (separation, rate))?.laws(delta),
    }
}

/// Laws of neighbours that there are, as [`laws`]; several attempts.
///
/// # Errors
/// As [`laws`].
pub(in crate::accounting) fn attacks(
    step: &Step,
    neighbours: Neighbouring,
    delta: Delta,
) -> Result<Vec<Counted>, AccountError> {
    let Some((run, pattern)) = Run::of(step, neighbours)? else {
        let run = Separated::independent(step, neighbours)?;
        return run.map_or(Ok(Vec::new()), |run| run.attacks(delta));
    };
    if !run.strategy.is_nonnegative() {
        return Ok(Vec::new());
    }
    let gram = Gram::new(run.strategy, true);
    let allocated = |square: f64, steps: u64, participations: u64| {
        let sampling = Sampling::RandomAllocation {
            steps,
            participations,
        };
        let step = run.noise.step(
            square.sqrt().next_down().max(0.0),
            sampling,
            run.noise.count,
        );
        let found = allocation::attacks(&step, neighbours, delta)?;
        let counted = found.into_iter().map(|laws| vec![(laws, run.noise.count)]);
        Ok::<Vec<Counted>, AccountError>(counted.collect())
    };
    let least = |squares: &mut dyn Iterator<Item = f64>| squares.fold(f64::INFINITY, f64::min);
    Ok(match pattern {
        Pattern::Several(k) => {
            let square = least(&mut (0..gram.n).map(|i| gram.lower(i, i)));
            allocated(square, gram.n as u64, k)?
        }
        Pattern::Poisson(rate) => {
            let places: Vec<usize> = (0..gram.n).step_by(run.separation).collect();
            let square = least(&mut places.iter().map(|i| gram.lower(*i, *i)));
            let each = run.at_each(square.sqrt().next_down().max(0.0), rate)?;
            let shifts = told::renewals(&gram.projected(&places), 1, rate);
            let told = vec![(run.noise.told(&shifts)?, run.noise.count)];
            each.into_iter().chain([told]).collect()
        }
        Pattern::Bins(bins) => {
            let bins = bins as usize;
            let binned = gram.binned(bins);
            let square = least(&mut (0..bins).map(|j| binned.lower(j, j)));
            let all: Vec<usize> = (0..bins).collect();
            let weight = 1.0 / bins as f64;
            let shifts = binned.projected(&all);
            let shifts: Vec<(f64, f64)> = shifts.into_iter().map(|x| (x, weight)).collect();
            let mut found = allocated(square, bins as u64, 1)?;
            found.push(vec![(run.noise.told(&shifts)?, run.noise.count)]);
            found
        }
        Pattern::Apart {
            separation, rate, ..
        } => Separated::correlated(run, (separation, rate))?.attacks(delta)?,
    })
}

impl Run<'_> {
    /// D, rounded up.
    pub(super) fn diagonal(&self) -> f64 {
        let gram = Gram::new(self.strategy, false);
        let row = |i: usize| -> f64 {
            let same = (i % self.separation..gram.n).step_by(self.separation);
            same.map(|j| gram.upper(i, j)).sum()
        };
        let most = (0..gram.n).map(row).fold(0.0, f64::max);
        (most * (1.0 + 2.0 * U * gram.n as f64)).sqrt().next_up()
    }

    fn binned(&self, bins: u64, delta: Delta) -> Result<Option<Counted>, AccountError> {
        let gram = Gram::new(self.strategy, true).binned(bins as usize);
        let split = gram.split(self.noise.sigma);
        let steps = (gram.n / split.classes) as u64;
        let far = match self.noise.neighbours {
            Neighbouring::ReplaceOne => 2.0,
            _ => 1.0,
        };
        let always = split.common.sqrt().next_up() * far / self.noise.sigma;
        let always: Laws = vec![Arc::new(GaussianLaw {
            mu: always.next_up(),
        })];
        let sampling = Sampling::RandomAllocation {
            steps,
            participations: 1,
        };
        let own = self
            .noise
            .step(split.own.sqrt().next_up(), sampling, self.noise.count);
        let allocated = allocation::laws(&own, self.noise.neighbours, delta)?;
        Ok(allocated.map(|mut parts| {
            if split.common > 0.0 {
                parts.push((always, self.noise.count));
            }
            parts
        }))
    }
}

/// Inner products of columns with entries ≥ 0, or of sums of them; or moduli of inner products.
pub(super) struct Gram {
    pub(super) n: usize,
    products: Vec<f64>,
    /// Bound on what each may be off by, relatively; of moduli, upwards, that bound is in them.
    error: f64,
}

/// K ⪯ `common`·J + `own`·I on the bins of one of so many classes.
struct Split {
    classes: usize,
    common: f64,
    own: f64,
}

impl Gram {
    /// ⟨|cᵢ|, |cⱼ|⟩, or upper bounds on |⟨cᵢ, cⱼ⟩|.
    pub(super) fn new(strategy: &Strategy, moduli: bool) -> Self {
        let n = strategy.steps();
        let error = 1.01 * U * (n as f64 + 4.0);
        let mut products = vec![0.0; n * n];
        let term = |a: f64, b: f64| if moduli { (a * b).abs() } else { a * b };
        let value = |sum: f64, size: f64| match moduli {
            true => sum,
            false => sum.abs() + error * size,
        };
        match strategy {
            // ⟨cᵢ, cⱼ⟩ is the sum of a_{l+j−i}·a_l over l < n − j.
            Strategy::Toeplitz(list) => {
                for lag in 0..n {
                    let (mut sum, mut size) = (0.0, 0.0);
                    for l in 0..n - lag {
                        let product = term(list[l + lag], list[l]);
                        sum += product;
                        size += product.abs();
                        let j = n - 1 - l;
                        let found = value(sum, size);
                        products[(j - lag) * n + j] = found;
                        products[j * n + j - lag] = found;
                    }
                }
            }
            Strategy::Matrix(rows) => {
                for i in 0..n {
                    for j in i..n {
                        let (mut sum, mut size) = (0.0, 0.0);
                        for row in &rows[j..] {
                            let product = term(row[i], row[j]);
                            sum += product;
                            size += product.abs();
                        }
                        let found = value(sum, size);
                        products[i * n + j] = found;
                        products[j * n + i] = found;
                    }
                }
            }
        }
        Self { n, products, error }
    }

    fn upper(&self, i: usize, j: usize) -> f64 {
        self.products[i * self.n + j] * (1.0 + self.error) + 1e-300
    }

    pub(super) fn lower(&self, i: usize, j: usize) -> f64 {
        (self.products[i * self.n + j] * (1.0 - self.error) - 1e-300).max(0.0)
    }

    /// Of the sums of all columns whose numbers leave the same remainder.
    fn binned(&self, bins: usize) -> Self {
        let mut products = vec![0.0; bins * bins];
        for i in 0..self.n {
            for j in 0..self.n {
                products[(i % bins) * bins + j % bins] += self.products[i * self.n + j];
            }
        }
        let terms = (self.n.div_ceil(bins) as f64).powi(2);
        Self {
            n: bins,
            products,
            error: self.error + 1.01 * U * (terms + 2.0),
        }
    }

    /// ⟨cᵢ, v⟩/‖v‖ for the sum v of these columns, rounded down.
    pub(super) fn projected(&self, columns: &[usize]) -> Vec<f64> {
        let rounding = 4.0 * U * (columns.len() as f64 + 4.0);
        let mut square = 0.0;
        for i in columns {
            square += columns.iter().map(|j| self.upper(*i, *j)).sum::<f64>();
        }
        let norm = (square * (1.0 + rounding)).sqrt().next_up();
        let along = |i: &usize| {
            let sum: f64 = columns.iter().map(|j| self.lower(*i, *j)).sum();
            sum * (1.0 - rounding) / norm
        };
        columns.iter().map(along).collect()
    }

    /// The split that looks best.
    fn split(&self, sigma: f64) -> Split {
        // About μ² of the two parts.
        let cost = |split: &Split| {
            let bins = (self.n / split.classes) as f64;
            let own = (split.own / (sigma * sigma)).min(600.0);
            split.common / (sigma * sigma) + (exp_m1(own) / bins).ln_1p()
        };
        let mut best: Option<(f64, Split)> = None;
        let mut classes = 1;
        while classes <= self.n {
            for split in self.splits(classes) {
                let found = cost(&split);
                if best.as_ref().is_none_or(|(least, _)| found < *least) {
                    best = Some((found, split));
                }
            }
            classes *= 2;
        }
        best.map_or(
            Split {
                classes: 1,
                common: 0.0,
                own: 0.0,
            },
            |(_, split)| split,
        )
    }

    /// What is safe where the class of a bin is told, with some of the numbers that all bins may share.
    fn splits(&self, classes: usize) -> Vec<Split> {
        const SHARES: [f64; 6] = [0.0, 0.25, 0.5, 0.75, 0.9, 1.0];
        let same = |j: usize| (j % classes..self.n).step_by(classes);
        let mut others: Vec<f64> = (0..self.n)
            .flat_map(|j| same(j).filter(move |k| *k != j).map(move |k| (j, k)))
            .map(|(j, k)| self.upper(j, k))
            .collect();
        others.sort_by(f64::total_cmp);
        let quantile = |share: f64| match others.len() {
            0 => 0.0,
            count => others[((count - 1) as f64 * share) as usize],
        };
        let up = 1.0 + 4.0 * U * (self.n as f64 + 4.0);
        // Of one kind for all rows: a mean of both is no Gram matrix.
        let own = |common: f64| {
            let above = |j: usize, k: usize| (self.upper(j, k) - common).max(0.0);
            let off = |j: usize, k: usize| above(j, k).max(common - self.lower(j, k));
            let others = |j: usize| same(j).filter(move |k| *k != j);
            let raised = |j| above(j, j) + 2.0 * others(j).map(|k| above(j, k)).sum::<f64>();
            let kept = |j| same(j).map(|k| off(j, k)).sum();
            let most = |of: &dyn Fn(usize) -> f64| (0..self.n).map(of).fold(0.0, f64::max);
            most(&raised).min(most(&kept))
        };
        let split = |common: f64| Split {
            classes,
            common,
            own: own(common) * up,
        };
        let shares = [0.0].into_iter().chain(SHARES.map(quantile));
        shares.map(split).collect()
    }
}
