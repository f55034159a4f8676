//! Algorithms 1, 2 and 3 as printed, one comment per line of pseudocode. Slow and plain on purpose: this
//! is what [`super::optimized`] is held against.

use super::{Adaptive, Counters, Iterate, Run, RunError, Search, Shuffled, average};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::rows::{Matrix, norm};

/// Runs DP-SSGD (Algorithm 1) on the records in the order of line 1, `order`
/// (see [`super::permutation`]); `observe` sees every release.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::rows::Matrix;
/// use dp_assay::solver::ambssgd::{Shuffled, permutation, reference};
///
/// # let values: Vec<f64> = (0..16).map(|k| f64::from(k).sin()).collect();
/// # let targets = values.chunks(2).map(|x| 0.5 * x[0]).collect();
/// # let records = Matrix::new(2, values, targets)?;
/// let order = permutation(Tape::new(1), 8);
/// let config = Shuffled { step: 0.1, threshold: 1.0, multiplier: 0.5 };
/// let run = |seed| reference::ssgd(&records, &order, &config, Tape::new(seed), &mut |_| ());
/// assert_eq!(run(2)?, run(2)?);
/// assert_ne!(run(2)?, run(3)?); // other noise
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the configuration does not fit, or a number leaves the range of doubles.
pub fn ssgd(
    records: &Matrix,
    order: &[u32],
    config: &Shuffled,
    tape: Tape,
    observe: &mut dyn FnMut(Iterate<'_>),
) -> Result<Run, RunError> {
    let n = order.len();
    config.check(n)?;
    let (eta, zeta, alpha) = (config.step, config.threshold, config.multiplier);
    let d = records.features();
    let mut counters = Counters::default();
    // 2: w_0 ← 0
    let mut w = vec![0.0; d];
    let mut tail = vec![0.0; d];

    // 3: for t = 0, …, N − 1
    for (t, &i) in order.iter().enumerate() {
        let i = i as usize;
        // 4: g_t ~ N(0, I_d)
        let mut noise = tape.stream(t as u64, Purpose::Release, 0);

        // 5: w_{t+1} ← w_t − η (clip_ζ(x_t (⟨x_t, w_t⟩ − y_t)) + α·2ζ·g_t)
        //= ambssgd-alg-1
        let gradient = clipped_gradient(records, i, &w, zeta, &mut counters);
        for k in 0..d {
            let g = noise.uniform().gaussian();
            w[k] -= eta * (gradient[k] + alpha * 2.0 * zeta * g);
        }
        if w.iter().any(|w| !w.is_finite()) {
            return Err(RunError::Diverged { step: t });
        }
        observe(Iterate {
            step: t,
            level: None,
            point: &w,
        });
        if t + 1 > n / 2 {
            add(&mut tail, &w);
        }
    }

    // output w̄ = (2/N) Σ_{t=N/2+1}^{N} w_t
    Ok(Run {
        average: average(tail, n),
        last: w,
        counters,
    })
}

/// Runs DP-AMBSSGD (Algorithm 2) on the records in the order of line 1, `order`
/// (see [`super::permutation`]); `observe` sees every release.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::rows::Matrix;
/// use dp_assay::solver::ambssgd::{Adaptive, Ranges, Search, Stop, permutation, reference};
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
/// reference::ambssgd(&records, &order, &config, Tape::new(2), observe)?;
/// assert!(levels.len() == 4 && levels.iter().all(|level| level.is_some_and(|i| i <= 10)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the configuration does not fit, or a number leaves the range of doubles.
pub fn ambssgd(
    records: &Matrix,
    order: &[u32],
    config: &Adaptive,
    tape: Tape,
    observe: &mut dyn FnMut(Iterate<'_>),
) -> Result<Run, RunError> {
    let (eta, alpha) = (config.step, config.multiplier);
    let (b, s) = (config.batch, config.statistics);
    let d = records.features();
    let mut counters = Counters::default();
    // 2: T ← N/(b + s); w_0 ← 0
    let steps = config.check(order.len())?;
    let mut w = vec![0.0; d];
    let mut tail = vec![0.0; d];

    // 3: for t = 0, …, T − 1
    for t in 0..steps {
        // 4: τ ← (b + s)t
        let tau = (b + s) * t;

        // 5: γ_t ← DP-STAT({(x_i, y_i)}_{i=τ}^{τ+s}, w_t, B, s, α, Δ)
        let sample = &order[tau..tau + config.samples()];
        let level = stat(records, sample, &w, config, tape, t, &mut counters);

        // 6: ζ_t ← R_x · γ_t · log^a N
        let zeta = config.threshold(level);

        // 7: g_t ~ N(0, I_d)
        let mut noise = tape.stream(t as u64, Purpose::Release, 0);

        // 8: w_{t+1} ← w_t − η ((1/b) Σ_{i=0}^{b−1} clip_{ζ_t}(x_{τ+s+i} (⟨x_{τ+s+i}, w_t⟩ − y_{τ+s+i}))
        //                      + α (2ζ_t/b) g_t)
        //= ambssgd-alg-2
        let mut sum = vec![0.0; d];
        for i in 0..b {
            let record = order[tau + s + i] as usize;
            let gradient = clipped_gradient(records, record, &w, zeta, &mut counters);
            add(&mut sum, &gradient);
        }
        for k in 0..d {
            let g = noise.uniform().gaussian();
            w[k] -= eta * (sum[k] / b as f64 + alpha * (2.0 * zeta / b as f64) * g);
        }
        if w.iter().any(|w| !w.is_finite()) {
            return Err(RunError::Diverged { step: t });
        }
        observe(Iterate {
            step: t,
            level: Some(level),
            point: &w,
        });
        if t + 1 > steps / 2 {
            add(&mut tail, &w);
        }
    }

    // output w̄ = (2/T) Σ_{t'=T/2+1}^{T} w_{t'}
    Ok(Run {
        average: average(tail, steps),
        last: w,
        counters,
    })
}

/// DP-STAT (Algorithm 3) at step t: the index i of the returned γ_i.
fn stat(
    records: &Matrix,
    sample: &[u32],
    w: &[f64],
    config: &Adaptive,
    tape: Tape,
    t: usize,
    counters: &mut Counters,
) -> usize {
    let Search { width, levels } = config.search;
    let (enough, alpha) = (config.enough(), config.multiplier);
    counters.records_read += sample.len() as u64;
    // 1: γ_0 ← Δ
    let mut gamma = width;
    let mut last = 0;

    // 2: for i ∈ {0, …, ⌈log₂(B/Δ)⌉}
    for i in 0..=levels {
        last = i;
        // 3: c ← |{j ∈ {0, …, s} : |⟨x_j, w⟩ − y_j| ≤ γ_i}|
        let mut c = 0.0;
        for &j in sample {
            let residual = residual(records, j as usize, w);
            counters.comparisons += 1;
            if gamma.reaches(residual) {
                c += 1.0;
            }
        }

        // 4: c_priv ← c + N(0, ⌈log₂(B/Δ)⌉·α²)
        let g = tape
            .uniform(t as u64, Purpose::Selection, i as u64)
            .gaussian();
        let c_priv = c + (levels as f64).sqrt() * alpha * g;

        // 5: if c_priv < s then γ_{i+1} ← 2γ_i else break; `enough` is s, or the count of Stop::Margin
        //= ambssgd-alg-3
        if c_priv < enough {
            gamma = gamma.doubled(1);
        } else {
            break;
        }
    }

    // 6: return γ_i, where i keeps its last value, at most m, if nothing broke the loop: the print does not
    //    say; ambssgd-lem-3.10-priv proves the privacy of this reading
    //= ambssgd-lem-3.10-priv
    last
}

/// clip_ζ(x(⟨x, w⟩ − y)) with clip_ζ(ν) = ν·min{1, ζ/‖ν‖₂}.
fn clipped_gradient(
    records: &Matrix,
    i: usize,
    w: &[f64],
    zeta: f64,
    counters: &mut Counters,
) -> Vec<f64> {
    let residual = residual(records, i, w);
    let mut gradient = Vec::new();
    for x in records.row(i) {
        gradient.push(x * residual);
    }
    let norm = norm(&gradient);
    //= ambssgd-def-clip
    if norm > zeta {
        for g in &mut gradient {
            *g *= zeta / norm;
        }
        counters.clipped += 1;
    }
    counters.records_read += 1;
    gradient
}

/// ⟨x_i, w⟩ − y_i.
fn residual(records: &Matrix, i: usize, w: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (x, w) in records.row(i).iter().zip(w) {
        sum += x * w;
    }
    sum - records.targets()[i]
}

fn add(sum: &mut [f64], term: &[f64]) {
    for (sum, term) in sum.iter_mut().zip(term) {
        *sum += term;
    }
}
