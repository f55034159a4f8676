//! Algorithm 1 fast.
//!
//! Differs from [`super::reference`] in how the gradient of the data term and the average of the inner
//! iterates are kept, never in what is computed from them ([`super::bound`] counts the roundings):
//!
//! | difference | effect |
//! |---|---|
//! | residual form: margins Xθ and slopes ℓ′ are moved by δ_S; a step reads the columns of S only, in O(nnz(X_S)) | rounding of the moves |
//! | Gram form (quadratic loss, unclipped): ∇f moves by δ_j times column j of XᵀX/n, in O(d\|S\|) whatever n; each column is computed once | rounding of the moves |
//! | the form with less work in all is taken | none: each is within the bound |
//! | lazy averaging: increment δ of step k enters w^{t+1} with weight (K − k)/K when it is made, in O(\|S\|) | rounding of the sum |
//! | the restart θ⁰ = w^{t+1} takes margins (or gradient) averaged alongside in O(n) (or O(d)), unless a round moves d coordinates or more: then margins are computed afresh, which costs no more | rounding of the moves |
//! | noise is drawn for the coordinates of S only | none: the tape is addressed by coordinate |
//! | a record's clipping factor is applied to its slope; for a single coordinate the product is clipped | (\|S\| + 8) roundings of the term; a product that is no number, behind margins near 10³⁰⁸, is clipped to C, where the reference ends with an error |
//!
//! Nothing is allocated per step, except by a transcript of sets of varying size.

mod gradient;

use super::{Config, Counters, Run, RunError, Transcript};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::Problem;
use gradient::DataGradient;

/// Runs DP-SkGD on `problem` with the sets and noise of `tape`; as [`super::reference::run`].
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::four_points;
/// use dp_assay::solver::skgd::{Config, Sampling, SetValues, optimized};
///
/// let problem = four_points();
/// let config = Config::new(&problem, (2, 3), Sampling::nice(2, 1)?, SetValues::Same(0.1));
/// let mut steps = 0;
/// let watched = optimized::run_watched(&problem, &config, Tape::new(1), &mut |taken| steps = taken)?;
/// assert_eq!(watched, optimized::run(&problem, &config, Tape::new(1))?);
/// assert_eq!(steps, 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the configuration does not fit the problem, or a number leaves the range of doubles.
pub fn run(problem: &Problem, config: &Config, tape: Tape) -> Result<Run, RunError> {
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
) -> Result<Run, RunError> {
    config.check(problem)?;
    let mut solver = Solver::new(problem, config, tape);
    for round in 0..config.outer {
        solver.round(round, watch)?;
    }
    Ok(solver.finish())
}

struct Solver<'a> {
    problem: &'a Problem,
    config: &'a Config,
    tape: Tape,
    data: DataGradient<'a>,
    theta: Vec<f64>,
    /// w^t, on its way to w^{t+1}.
    average: Vec<f64>,
    /// Coordinates moved in this round, each once.
    moved: Vec<usize>,
    is_moved: Vec<bool>,
    set: Vec<usize>,
    /// v_j, then δ_j, for j ∈ S.
    values: Vec<f64>,
    transcript: Transcript,
    released: u64,
}

impl<'a> Solver<'a> {
    fn new(problem: &'a Problem, config: &'a Config, tape: Tape) -> Self {
        let d = problem.features();
        let (steps, largest) = (config.length(), config.sampling.largest());
        // Sets of one size fill this exactly; of varying size, it may grow or stay half empty.
        let entries = (steps as f64 * config.sampling.mean_size()).ceil() as usize;
        let transcript = match config.keep_transcript {
            true => Transcript::with_capacity(steps, entries),
            false => Transcript::default(),
        };
        Self {
            problem,
            config,
            tape,
            data: DataGradient::new(problem, config),
            theta: config.start.clone(),
            average: config.start.clone(),
            moved: Vec::with_capacity(d),
            is_moved: vec![false; d],
            set: Vec::with_capacity(largest),
            values: Vec::with_capacity(largest),
            transcript,
            released: 0,
        }
    }

    fn round(&mut self, round: usize, watch: &mut dyn FnMut(u64)) -> Result<(), RunError> {
        let inner = self.config.inner;
        for k in 0..inner {
            let share = (inner - k) as f64 / inner as f64;
            let step = round * inner + k;
            self.step(step, share)?;
            watch(step as u64 + 1);
        }
        if inner > 1 && round + 1 < self.config.outer {
            for &j in &self.moved {
                self.theta[j] = self.average[j];
                self.is_moved[j] = false;
            }
            self.moved.clear();
            self.data.restart(&self.average);
        }
        Ok(())
    }

    fn step(&mut self, step: usize, share: f64) -> Result<(), RunError> {
        //= skgd-alg-1
        let sampling = &self.config.sampling;
        let index = sampling.draw(self.tape, step as u64, &mut self.set);
        let radius = self.config.radius(&self.set, index);
        self.data.partials(&self.set, radius, &mut self.values);
        for (value, &j) in self.values.iter_mut().zip(&self.set) {
            *value += self.problem.ridge() * self.theta[j];
        }
        self.add_noise(step as u64, self.config.deviation(&self.set, index));
        if self.config.keep_transcript {
            self.transcript.push(&self.set, &self.values);
        }
        self.released += self.set.len() as u64;
        let p = sampling.inclusion();
        for (value, &j) in self.values.iter_mut().zip(&self.set) {
            //= skgd-def-3.2
            let move_by = self.config.steps[j] / p[j];
            let psi = self.problem.regulariser();
            let moved = psi.prox(move_by, self.theta[j] - move_by * *value);
            if !(value.is_finite() && moved.is_finite()) {
                let coordinate = j;
                return Err(RunError::Diverged { step, coordinate });
            }
            *value = moved - self.theta[j];
            self.theta[j] = moved;
            self.average[j] += share * *value;
            if !std::mem::replace(&mut self.is_moved[j], true) {
                self.moved.push(j);
            }
        }
        self.data.advance(&self.set, &self.values, share);
        Ok(())
    }

    /// Adds η_j to the values; consecutive coordinates share one stream of the tape.
    fn add_noise(&mut self, step: u64, sigma: f64) {
        let mut words = None;
        for (value, &j) in self.values.iter_mut().zip(&self.set) {
            let mut stream = match words.take() {
                Some((next, stream)) if next == j => stream,
                _ => self.tape.stream(step, Purpose::Release, j as u64),
            };
            *value += sigma * stream.uniform().gaussian();
            words = Some((j + 1, stream));
        }
    }

    fn finish(self) -> Run {
        Run {
            counters: Counters {
                steps: self.config.length() as u64,
                released: self.released,
                ..self.data.counters()
            },
            transcript: self.transcript,
            iterate: match self.config.inner {
                // The average of one iterate.
                1 => self.theta,
                _ => self.average,
            },
        }
    }
}
