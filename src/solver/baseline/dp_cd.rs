//! DP-CD: differentially private coordinate descent (P. Mangold, A. Bellet, J. Salmon, M. Tommasi,
//! Differentially private coordinate descent for composite empirical risk minimization, ICML 2022,
//! Algorithm 1).

use super::{ConfigError, NONNEGATIVE, RunError, check_rounds, vector};
use crate::mechanism::clipping::clip;
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::{Column, Problem};

/// The inputs of a run. All but the data are taken to be public.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// w⁰, p entries.
    pub start: Vec<f64>,
    /// γ_j > 0.
    pub steps: Vec<f64>,
    /// K ≥ 1, steps between two averages.
    pub inner: usize,
    /// T ≥ 1, number of averages.
    pub outer: usize,
    /// σ_j ≥ 0, standard deviation of the noise on ∂_j f.
    pub noise: Vec<f64>,
    /// C_j ≥ 0: every record's partial derivative of the loss is moved into \[−C_j, C_j\].
    pub clipping: Option<Vec<f64>>,
}

impl Config {
    fn check(&self, problem: &Problem) -> Result<(), ConfigError> {
        let p = problem.features();
        check_rounds((self.inner, self.outer), (&self.start, &self.steps), p)?;
        vector("noise scale", &self.noise, p, NONNEGATIVE)?;
        let mut radii = self.clipping.iter();
        radii.try_for_each(|c| vector("clipping threshold", c, p, NONNEGATIVE))
    }
}

/// Runs DP-CD; the final average w^T. Step t·K + k reads the words (step, `Sampling`, 0) for the
/// coordinate j and (step, `Release`, j) for its noise. O(non-zeros of the column) per step.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::four_points;
/// use dp_assay::solver::baseline::dp_cd::{Config, run, run_watched};
///
/// let problem = four_points();
/// let config = Config {
///     start: vec![0.0; 2], steps: vec![0.5; 2], inner: 2, outer: 5, noise: vec![0.1; 2],
///     clipping: Some(vec![0.5; 2]),
/// };
/// let mut steps = 0;
/// let watched = run_watched(&problem, &config, Tape::new(1), &mut |taken| steps = taken)?;
/// assert_eq!(watched, run(&problem, &config, Tape::new(1))?);
/// assert_eq!(steps, 10); // K·T
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the configuration does not fit the problem, or a number leaves the range of doubles.
pub fn run(problem: &Problem, config: &Config, tape: Tape) -> Result<Vec<f64>, RunError> {
    run_watched(problem, config, tape, &mut |_| ())
}

/// As [`run`]; `watch` is told after every step how many were taken.
///
/// # Errors
/// As [`run`].
pub fn run_watched(
    problem: &Problem,
    config: &Config,
    tape: Tape,
    watch: &mut dyn FnMut(u64),
) -> Result<Vec<f64>, RunError> {
    config.check(problem)?;
    let p = problem.features();
    let mut w = config.start.clone();
    // Room for the ℓ′ of every record.
    let mut slopes = vec![0.0; problem.records()];
    for t in 0..config.outer {
        let mut theta = w.clone();
        let mut margins = problem.margins(&theta);
        // Σ of the iterates, each coordinate up to the step when it last moved.
        let mut sums = vec![0.0; p];
        let mut since = vec![0; p];
        for k in 0..config.inner {
            let step = t * config.inner + k;
            //= gcd-alg-dpcd
            //= skgd-red-dpcd
            let j = tape.uniform(step as u64, Purpose::Sampling, 0).below(p);
            let noise = tape.uniform(step as u64, Purpose::Release, j as u64);
            let at = (&margins[..], &mut slopes[..]);
            let value =
                partial(problem, config, at, &theta, j) + config.noise[j] * noise.gaussian();
            let argument = theta[j] - config.steps[j] * value;
            let moved = problem.regulariser().prox(config.steps[j], argument);
            if !moved.is_finite() {
                let coordinate = j;
                return Err(RunError::Diverged { step, coordinate });
            }
            sums[j] += theta[j] * (k - since[j]) as f64;
            since[j] = k;
            let design = problem.data().design();
            design.add_column(j, moved - theta[j], &mut margins);
            theta[j] = moved;
            watch(step as u64 + 1);
        }
        for j in 0..p {
            let sum = sums[j] + theta[j] * (config.inner - since[j]) as f64;
            w[j] = sum / config.inner as f64;
        }
    }
    Ok(w)
}

/// ∂_j f, each record's term clipped.
fn partial(
    problem: &Problem,
    config: &Config,
    (margins, slopes): (&[f64], &mut [f64]),
    theta: &[f64],
    j: usize,
) -> f64 {
    let (loss, targets) = (problem.loss(), problem.data().targets());
    let threshold = config.clipping.as_ref().map_or(f64::INFINITY, |c| c[j]);
    let sum: f64 = match problem.data().design().column(j) {
        Column::Dense(column) => {
            loss.derivatives(margins, targets, slopes);
            let terms = slopes.iter().zip(column);
            terms.map(|(slope, x)| clip(slope * x, threshold)).sum()
        }
        column => {
            let slope = |i: usize| loss.derivative(margins[i], targets[i]);
            let terms = column.iter().map(|(i, x)| clip(slope(i) * x, threshold));
            terms.sum()
        }
    };
    sum / problem.records() as f64 + problem.ridge() * theta[j]
}
