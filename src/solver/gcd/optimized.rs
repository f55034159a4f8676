//! Algorithms 1 and 2 fast.
//!
//! Differs from [`super::reference`] in how the gradient of the data term is kept, never in what is
//! computed from it. With u = 2⁻⁵³, S_i and U_i the largest |ℓ′| and the total movement of record
//! i's margin so far, and G_k = (1/n) Σ_i |x_ik| (S_i + sup ℓ″ U_i), after t steps from a start with
//! m non-zeros ([`super::bound`] counts the roundings):
//!
//! | difference | effect on ∂_k f |
//! |---|---|
//! | dense: margins are moved by δ_j X_j instead of recomputed; X_kᵀs by eight accumulators, columns spread over threads | within (n + m + t + 12)u·G_k; one column is always summed by one thread in one order, so neither the number of threads nor the place of a column changes a bit |
//! | dense and clipped: a column whose products cannot reach C_k is summed without clipping | none: rounding is monotone, so max\|s\|·max\|x\| ≤ C_k bounds every product |
//! | sparse: only terms of records whose margin moved are replaced, of a entries in column k | within (ta + 9t + n + m + 12)u·G_k |
//! | quadratic loss, unclipped: ∇f moves by δ_j times column j of XᵀX/n, computed once per column | within (2n + m + t + 15)u·G_k |
//! | Laplace noise that cannot change the two best scores is not evaluated | none: skipped only below a bound, see `select` |
//!
//! The same coordinates follow unless the two best scores are closer than the resulting error of
//! the scores; `tests/papers/gcd` checks both statements, with the errors carried through the iterates.
//! After the state is set up nothing is allocated. Gram columns are kept in up to a gibibyte; a problem
//! that could need more keeps margins instead.

mod gradient;

use super::{Config, Counters, NoisyPartial, Rule, Run, RunError, SelectionNoise};
use crate::mechanism::tape::{Purpose, Stream, Tape};
use crate::problem::Problem;
use crate::problem::columns::threads_pay;
use gradient::DataGradient;

/// Runs DP-GCD on `problem` with the noise of `tape`; as [`super::reference::run`].
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::four_points;
/// use dp_assay::solver::gcd::{Config, LaplaceScales, optimized};
///
/// let problem = four_points();
/// let noise = LaplaceScales::new(vec![0.1; 2], vec![0.1; 2])?;
/// let config = Config::new(&problem, 3, noise);
/// let mut steps = 0;
/// let watched = optimized::run_watched(&problem, &config, Tape::new(1), &mut |taken| steps = taken)?;
/// assert_eq!(watched, optimized::run(&problem, &config, Tape::new(1))?);
/// assert_eq!(steps, 3);
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
    watch: &mut (dyn FnMut(u64) + Send),
) -> Result<Run, RunError> {
    config.check(problem)?;
    if threads_pay(problem.data().design()) {
        // Enters the thread pool once: a call from outside costs an allocation now and then.
        rayon::join(|| Solver::new(problem, config, tape).run(watch), || ()).0
    } else {
        Solver::new(problem, config, tape).run(watch)
    }
}

struct Solver<'a> {
    problem: &'a Problem,
    config: &'a Config,
    tape: Tape,
    /// 1/√M_k.
    inverse_roots: Vec<f64>,
    data: DataGradient<'a>,
    w: Vec<f64>,
    transcript: Vec<NoisyPartial>,
    gaps: Vec<f64>,
}

/// The winner of a selection.
struct Choice {
    coordinate: usize,
    /// ∂_j f, without noise.
    gradient: f64,
    gap: f64,
}

impl<'a> Solver<'a> {
    fn new(problem: &'a Problem, config: &'a Config, tape: Tape) -> Self {
        let smoothness = problem.constants().smoothness();
        Self {
            problem,
            config,
            tape,
            inverse_roots: smoothness.iter().map(|m| 1.0 / m.sqrt()).collect(),
            data: DataGradient::new(problem, config),
            w: config.start.clone(),
            transcript: Vec::with_capacity(config.iterations),
            gaps: Vec::with_capacity(config.iterations),
        }
    }

    fn run(mut self, watch: &mut dyn FnMut(u64)) -> Result<Run, RunError> {
        let mut moved = None;
        for step in 0..self.config.iterations {
            if let Some((coordinate, change)) = moved {
                self.data.advance(coordinate, change);
            }
            let diverged = |coordinate| RunError::Diverged { step, coordinate };
            let choice = self.select(step as u64).map_err(diverged)?;
            let j = choice.coordinate;
            let before = self.w[j];
            let value = self.release(step as u64, &choice);
            if !(value.is_finite() && self.w[j].is_finite()) {
                return Err(diverged(j));
            }
            moved = Some((j, self.w[j] - before));
            watch(step as u64 + 1);
        }
        Ok(self.finish())
    }

    /// Releases the chosen partial derivative with noise and takes the step.
    fn release(&mut self, step: u64, choice: &Choice) -> f64 {
        let j = choice.coordinate;
        let noise = self.tape.uniform(step, Purpose::Release, j as u64);
        //= gcd-mech-lap
        let value = choice.gradient + self.config.noise.release()[j] * noise.laplace();
        let step_size = self.config.steps[j];
        //= gcd-alg-2
        let psi = self.problem.regulariser();
        self.w[j] = psi.prox(step_size, self.w[j] - step_size * value);
        self.gaps.push(choice.gap);
        self.transcript.push(NoisyPartial {
            coordinate: j,
            value,
        });
        value
    }

    /// The noisy argmax; the first coordinate whose score is not finite is the error.
    ///
    /// With noise inside GS-s or GS-r a score moves by at most |χ_k|/√M_k. A coordinate whose score
    /// without noise plus a cheap bound on that stays below the second best so far is not among the
    /// two best: its noise is left unevaluated.
    fn select(&self, step: u64) -> Result<Choice, usize> {
        //= gcd-alg-1
        //= gcd-mech-rnm
        // As printed; the scales that make it private are those of gcd-mech-rnm-repaired.
        let mut words = self.tape.stream(step, Purpose::Selection, 0);
        let bounded = self.config.selection == SelectionNoise::Inside
            && !matches!(self.config.rule, Rule::GsQ(_));
        let mut best = (f64::NEG_INFINITY, 0, 0.0);
        let mut second = f64::NEG_INFINITY;
        for k in 0..self.w.len() {
            let gradient = self.data.mean(k) + self.problem.ridge() * self.w[k];
            let Some(score) = self.score(k, gradient, &mut words, bounded.then_some(second)) else {
                continue;
            };
            if !score.is_finite() {
                return Err(k);
            }
            if score > best.0 {
                second = best.0;
                best = (score, k, gradient);
            } else if score > second {
                second = score;
            }
        }
        Ok(Choice {
            coordinate: best.1,
            gradient: best.2,
            gap: best.0 - second,
        })
    }

    /// The noisy score of coordinate k, or `None` if it is certainly below `floor`.
    fn score(
        &self,
        k: usize,
        gradient: f64,
        words: &mut Stream,
        floor: Option<f64>,
    ) -> Option<f64> {
        let psi = self.problem.regulariser();
        let (w, smoothness) = (self.w[k], self.problem.constants().smoothness()[k]);
        if self.config.selection == SelectionNoise::Absent {
            return Some(self.config.score(psi, gradient, 0.0, w, smoothness));
        }
        let word = words.uniform();
        let scale = self.config.noise.selection()[k];
        if let Some(floor) = floor {
            let quiet = self.config.rule.score(psi, gradient, w, smoothness);
            let reach = quiet + scale * word.laplace_modulus_upper() * self.inverse_roots[k];
            // Six rounded operations on values up to `reach`: 2⁻⁴⁸ covers them.
            if reach * (1.0 + 16.0 * f64::EPSILON) < floor {
                return None;
            }
        }
        let noise = scale * word.laplace();
        Some(self.config.score(psi, gradient, noise, w, smoothness))
    }

    fn finish(self) -> Run {
        let iterations = self.config.iterations as u64;
        let selections = match self.config.selection {
            SelectionNoise::Absent => 0,
            _ => self.w.len() as u64,
        };
        Run {
            counters: Counters {
                iterations,
                accesses: 2 * iterations,
                draws: iterations * (selections + 1),
                ..self.data.counters()
            },
            transcript: self.transcript,
            iterate: self.w,
            gaps: self.gaps,
        }
    }
}
