//! Noisy full gradient descent, averaged round by round: what DP-SkGD is when every coordinate is drawn
//! at every step.

use super::{ConfigError, NONNEGATIVE, RunError, check_rounds, vector};
use crate::mechanism::clipping::clip;
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::Problem;

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
    /// σ ≥ 0, standard deviation of the noise on every ∂_j f.
    pub noise: f64,
    /// C ≥ 0: every record's gradient of the loss is brought into the ball of radius C.
    pub radius: Option<f64>,
}

impl Config {
    fn check(&self, problem: &Problem) -> Result<(), ConfigError> {
        let p = problem.features();
        check_rounds((self.inner, self.outer), (&self.start, &self.steps), p)?;
        vector("noise scale", &[self.noise], 1, NONNEGATIVE)?;
        vector(
            "clipping radius",
            &[self.radius.unwrap_or(0.0)],
            1,
            NONNEGATIVE,
        )
    }
}

/// Runs noisy gradient descent; the final average. Step t·K + k reads the words (step, `Release`, j) for
/// the noise on coordinate j.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::four_points;
/// use dp_assay::solver::baseline::gradient_descent::{Config, run, run_watched};
///
/// let problem = four_points();
/// let config = Config {
///     start: vec![0.0; 2], steps: vec![0.5; 2], inner: 2, outer: 5, noise: 0.1, radius: Some(1.0),
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
    let norms = row_norms(problem);
    let mut noise = vec![0.0; p];
    let mut w = config.start.clone();
    for t in 0..config.outer {
        let mut theta = w.clone();
        let mut sums = vec![0.0; p];
        for k in 0..config.inner {
            let step = t * config.inner + k;
            //= skgd-red-dpsgd-restricted
            let gradient = gradient(problem, &theta, &norms, config.radius);
            tape.stream(step as u64, Purpose::Release, 0)
                .gaussians(&mut noise);
            for (j, (g, z)) in gradient.into_iter().zip(&noise).enumerate() {
                let value = g + config.noise * z;
                let argument = theta[j] - config.steps[j] * value;
                theta[j] = problem.regulariser().prox(config.steps[j], argument);
                if !theta[j].is_finite() {
                    let coordinate = j;
                    return Err(RunError::Diverged { step, coordinate });
                }
                sums[j] += theta[j];
            }
            watch(step as u64 + 1);
        }
        for (w, sum) in w.iter_mut().zip(&sums) {
            *w = sum / config.inner as f64;
        }
    }
    Ok(w)
}

/// ‖x_i‖ of every record.
fn row_norms(problem: &Problem) -> Vec<f64> {
    let mut squares = vec![0.0; problem.records()];
    for j in 0..problem.features() {
        let column = problem.data().design().column(j).iter();
        column.for_each(|(i, x)| squares[i] += x * x);
    }
    squares.into_iter().map(f64::sqrt).collect()
}

fn gradient(problem: &Problem, theta: &[f64], norms: &[f64], radius: Option<f64>) -> Vec<f64> {
    let margins = problem.margins(theta);
    let mut slopes = vec![0.0; margins.len()];
    problem
        .loss()
        .derivatives(&margins, problem.data().targets(), &mut slopes);
    if let Some(radius) = radius {
        // A record without features has no gradient; ∞ leaves its slope as it is.
        for (slope, norm) in slopes.iter_mut().zip(norms) {
            *slope = clip(*slope, radius / norm);
        }
    }
    let n = problem.records() as f64;
    let entry = |(j, w): (usize, &f64)| {
        let column = problem.data().design().column(j).iter();
        column.map(|(i, x)| x * slopes[i]).sum::<f64>() / n + problem.ridge() * w
    };
    theta.iter().enumerate().map(entry).collect()
}
