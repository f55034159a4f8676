//! Algorithm 1 as printed, one comment per line of pseudocode. Slow and plain on purpose: this is what
//! [`super::optimized`] is held against.

use super::{Config, Counters, Run, RunError, Transcript};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::Problem;

/// Runs DP-SkGD on `problem` with the sets and noise of `tape`.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::four_points;
/// use dp_assay::solver::skgd::{Config, Sampling, SetValues, reference};
///
/// let problem = four_points();
/// let config = Config::new(&problem, (2, 3), Sampling::nice(2, 1)?, SetValues::Same(0.1));
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
    let d = problem.features();
    let p = config.sampling.inclusion();
    let mut counters = Counters::default();
    let mut transcript = Transcript::default();

    //    Input: initial w⁰, step sizes Γ, loop lengths T and K, sampling 𝒮, noise scales σ_U.
    //= skgd-alg-1
    let mut w = config.start.clone();

    // 1: for t = 0, …, T − 1 do
    for t in 0..config.outer {
        // 2: θ⁰ = w^t
        let mut theta = w.clone();
        let mut sum = vec![0.0; d];

        // 3: for k = 0, …, K − 1 do
        for k in 0..config.inner {
            let step = t * config.inner + k;

            // 4: S ~ 𝒮, C = I_S P⁻¹
            //= skgd-def-3.2
            let mut set = Vec::new();
            let index = config.sampling.draw(tape, step as u64, &mut set);

            // 5: η ~ N(0, σ_S I)
            let sigma = config.deviation(&set, index);
            let mut eta = Vec::new();
            for j in 0..d {
                let word = tape.uniform(step as u64, Purpose::Release, j as u64);
                eta.push(sigma * word.gaussian());
            }

            // 6: θ^{k+1} = θ^k − Γ C (∇f(θ^k) + η)
            //    (our extension: then prox_{γ_j ψ/p_j} on the coordinates of S)
            let radius = config.radius(&set, index);
            let gradient = gradient(problem, &theta, &set, radius, &mut counters);
            let mut values = Vec::new();
            for &j in &set {
                let value = gradient[j] + eta[j];
                let move_by = config.steps[j] / p[j];
                //= skgd-lem-post-processing
                theta[j] = problem
                    .regulariser()
                    .prox(move_by, theta[j] - move_by * value);
                values.push(value);
                if !(value.is_finite() && theta[j].is_finite()) {
                    let coordinate = j;
                    return Err(RunError::Diverged { step, coordinate });
                }
            }
            for j in 0..d {
                sum[j] += theta[j];
            }
            counters.steps += 1;
            counters.released += set.len() as u64;
            if config.keep_transcript {
                transcript.push(&set, &values);
            }
        }

        // 7: w^{t+1} = (1/K) Σ_{k=1}^K θ^k
        for j in 0..d {
            w[j] = sum[j] / config.inner as f64;
        }
    }

    //    Output: w^T (and the transcript, of which it is a function)
    Ok(Run {
        transcript,
        iterate: w,
        counters,
    })
}

/// ∇f(θ), with every record's gradient on S scaled into the ball of the given radius: entry j is
/// (1/n) Σ_i ℓ′(x_i·θ, y_i) x_ij min(1, C/‖I_S∇ℓ_i‖) + ridge · θ_j. Off S it is not used.
fn gradient(
    problem: &Problem,
    theta: &[f64],
    set: &[usize],
    radius: f64,
    counters: &mut Counters,
) -> Vec<f64> {
    let (n, design) = (problem.records(), problem.data().design());
    let mut margins = vec![0.0; n];
    for (j, w) in theta.iter().enumerate() {
        for (i, x) in design.column(j).iter() {
            margins[i] += x * w;
        }
    }
    let mut squares = vec![0.0; n];
    for &j in set {
        for (i, x) in design.column(j).iter() {
            squares[i] += x * x;
        }
    }
    let mut slopes = Vec::new();
    for i in 0..n {
        let slope = problem
            .loss()
            .derivative(margins[i], problem.data().targets()[i]);
        let norm = slope.abs() * f64::sqrt(squares[i]);
        slopes.push(if norm > radius {
            slope * (radius / norm)
        } else {
            slope
        });
    }
    let mut gradient = Vec::new();
    for (j, w) in theta.iter().enumerate() {
        let mut sum = 0.0;
        for (i, x) in design.column(j).iter() {
            sum += slopes[i] * x;
        }
        gradient.push(sum / n as f64 + problem.ridge() * w);
    }
    counters.entries_read += 3 * design.stored() as u64;
    gradient
}
