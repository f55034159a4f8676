//! Algorithms 1 and 2 as printed, one comment per line of pseudocode. Slow and plain on purpose:
//! this is what [`super::optimized`] is held against.

use super::{Config, Counters, NoisyPartial, Run, RunError, SelectionNoise};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::Problem;

/// Runs DP-GCD on `problem` with the noise of `tape`.
///
/// With Regulariser::None the proximal step of Algorithm 2 is the identity and this is Algorithm 1.
/// Ties go to the smallest index (the paper fixes no rule).
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::four_points;
/// use dp_assay::solver::gcd::{Config, LaplaceScales, reference};
///
/// let problem = four_points();
/// let noise = LaplaceScales::new(vec![0.1; 2], vec![0.1; 2])?;
/// let config = Config::new(&problem, 3, noise);
/// let run = reference::run(&problem, &config, Tape::new(1))?;
/// assert_eq!(run, reference::run(&problem, &config, Tape::new(1))?);
/// assert_ne!(run, reference::run(&problem, &config, Tape::new(2))?); // other noise
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the configuration does not fit the problem, or a number leaves the range of doubles.
pub fn run(problem: &Problem, config: &Config, tape: Tape) -> Result<Run, RunError> {
    config.check(problem)?;
    let psi = problem.regulariser();
    let smoothness = problem.constants().smoothness();
    let noisy_selection = config.selection != SelectionNoise::Absent;
    let mut counters = Counters::default();
    let mut transcript = Vec::new();
    let mut gaps = Vec::new();

    // 1: Input: initial w⁰, iteration count T, noise scales λ_j, λ′_j, step sizes γ_j.
    let mut w = config.start.clone();

    // 2: for t = 0 to T − 1 do
    for t in 0..config.iterations {
        let at = |purpose, k: usize| tape.uniform(t as u64, purpose, k as u64).laplace();

        // 3: j_t = argmax_k |∂_k f(wᵗ) + χ_k| / √M_k with χ_k ~ Lap(λ′_k)
        //    (Algorithm 2: the score of the chosen rule in place of |·| / √M_k)
        //= gcd-alg-1
        //= gcd-mech-rnm
        // As printed; the scales that make it private are those of gcd-mech-rnm-repaired.
        let gradient = gradient(problem, config, &w, &mut counters);
        let mut scores = Vec::new();
        for k in 0..problem.features() {
            let chi = match noisy_selection {
                true => config.noise.selection()[k] * at(Purpose::Selection, k),
                false => 0.0,
            };
            counters.draws += u64::from(noisy_selection);
            scores.push(config.score(psi, gradient[k], chi, w[k], smoothness[k]));
        }
        let j = argmax(&scores).map_err(|coordinate| RunError::Diverged {
            step: t,
            coordinate,
        })?;
        gaps.push(gap(&scores, j));
        counters.accesses += 1;

        // 4: w_j = w_j − γ_j (∂_j f(wᵗ) + η) with η ~ Lap(λ_j)
        //    (Algorithm 2: prox_{γ_j ψ_j} of the right-hand side)
        //= gcd-mech-lap
        //= gcd-alg-2
        let eta = config.noise.release()[j] * at(Purpose::Release, j);
        let value = gradient[j] + eta;
        w[j] = psi.prox(config.steps[j], w[j] - config.steps[j] * value);
        counters.draws += 1;
        counters.accesses += 1;
        counters.iterations += 1;
        transcript.push(NoisyPartial {
            coordinate: j,
            value,
        });
        if !(value.is_finite() && w[j].is_finite()) {
            return Err(RunError::Diverged {
                step: t,
                coordinate: j,
            });
        }
    }

    // 5: return w^T (and, for verification, all that was released on the way)
    Ok(Run {
        transcript,
        iterate: w,
        gaps,
        counters,
    })
}

/// ∇f(w): entry k is (1/n) Σ_i clip(ℓ′(x_i·w, y_i) x_ik, C_k) + ridge · w_k.
fn gradient(problem: &Problem, config: &Config, w: &[f64], counters: &mut Counters) -> Vec<f64> {
    let (n, design) = (problem.records(), problem.data().design());
    let mut margins = vec![0.0; n];
    for (k, wk) in w.iter().enumerate() {
        for (i, x) in design.column(k).iter() {
            margins[i] += x * wk;
        }
    }
    let mut slopes = Vec::new();
    for (u, y) in margins.iter().zip(problem.data().targets()) {
        slopes.push(problem.loss().derivative(*u, *y));
    }
    let mut gradient = Vec::new();
    for (k, wk) in w.iter().enumerate() {
        let mut sum = 0.0;
        for (i, x) in design.column(k).iter() {
            let term = slopes[i] * x;
            //= gcd-alg-clip
            sum += match &config.clipping {
                Some(thresholds) => term.clamp(-thresholds[k], thresholds[k]),
                None => term,
            };
        }
        gradient.push(sum / n as f64 + problem.ridge() * wk);
    }
    //= gcd-cost
    counters.full_gradients += 1;
    counters.entries_read += 2 * design.stored() as u64;
    gradient
}

/// The first index of the largest score; the first that is not finite is the error.
fn argmax(scores: &[f64]) -> Result<usize, usize> {
    let mut best = 0;
    for (k, score) in scores.iter().enumerate() {
        if !score.is_finite() {
            return Err(k);
        }
        if *score > scores[best] {
            best = k;
        }
    }
    Ok(best)
}

/// How far the best score is ahead of all others.
fn gap(scores: &[f64], best: usize) -> f64 {
    let mut gap = f64::INFINITY;
    for (k, score) in scores.iter().enumerate() {
        if k != best {
            gap = gap.min(scores[best] - score);
        }
    }
    gap
}
