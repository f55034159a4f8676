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

use super::gram::Gram;
use super::run::{Counted, Run};
use super::separated::Separated;
use super::told;
use crate::accounting::AccountError;
use crate::accounting::allocation;
use crate::accounting::event::{Pattern, Sampling, Step};
use crate::accounting::pld::law::GaussianLaw;
use crate::accounting::samples::{self, Laws};
use crate::units::{Delta, Neighbouring};
use std::sync::Arc;

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
    /// Noise at every step in which a record may take part.
    fn at_each(&self, sensitivity: f64, rate: f64) -> Result<Option<Counted>, AccountError> {
        let step = self.noise.step(sensitivity, Sampling::Poisson(rate), 1);
        let laws = samples::laws(&step, self.noise.neighbours)?;
        Ok(laws.map(|laws| vec![(laws, self.noise.count.saturating_mul(self.places()))]))
    }

    fn binned(&self, bins: u64, delta: Delta) -> Result<Option<Counted>, AccountError> {
        let gram = Gram::new(self.strategy, true).binned(bins as usize);
        let split = gram.split(self.noise.sigma);
        let steps = (gram.n / split.classes) as u64;
        let far = match self.noise.neighbours {
            Neighbouring::ReplaceOne => 2.0,
            Neighbouring::AddRemove | Neighbouring::ZeroOut | Neighbouring::User => 1.0,
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
