//! How far floating-point runs of DP-SkGD may be from Algorithm 1 and from one another.
//!
//! **Setting.** u = 2⁻⁵³. For record i let S_i be the largest |ℓ′| so far, U_i = Σ_j |x_ij w⁰_j| +
//! Σ |δ x_ij| over all N moves δ of coordinates so far: every margin met, of iterates and of averages,
//! and every partial sum of one is at most U_i. Let β = sup ℓ″, G_j = (1/n) Σ_i |x_ij| (S_i + βU_i) and
//! m₀ = |supp w⁰|.
//!
//! **Rounding.** Of one gradient, to first order, as multiples of u:
//! - margins computed from an iterate: (m₀ + N + 1) U_i;
//! - margins moved along: m₀ + 1 at the start; per move the increment δ, the product and the sum, the
//!   first two relative to |δx|; for the average the weight, two products and the sum, and the rounding
//!   of the averaged coordinate itself: at most 7N U_i over all rounds;
//! - ℓ′ itself 4S_i; a clipping factor of a set of s coordinates s + 8, relative to the slope;
//! - n products and n sums (n + 1), the mean 1;
//! - Gram form: columns n + 1 relative to Σ|x_ij||x_ik|β, products and sums of moves as for margins.
//!
//! Together at most (8N + 2n + m₀ + s + 32) u G_j, and 3u·ridge|θ_j| for the ridge: [`Follower::gradient`].
//! Clipping is scaling a slope into an interval, so it enlarges no error.
//!
//! Of one run: a [`Follower`] recomputes the iterates from a transcript. They differ from the solver's own by
//! the rounding of the moves, u(2γ/p|v| + 2|a| + 2|θ′|) with a the proximal map's argument, and of the
//! averages, (2K + 4)u times the sum of moduli met: [`Follower::shadow`]. Nothing is amplified, since the
//! released values are taken as they are. So every value of a transcript can be checked against the exact
//! gradient, up to the bound, whatever the problem's conditioning.
//!
//! Of two runs on one tape: [`drift_upper`] carries a linear functional c of the final release backwards
//! through the steps: on S, e_j ↦ ϑ_j(e_j − (γ_j/p_j)(H_{j·}e + ridge·e_j)) with ϑ the slope of the proximal
//! map and H the Hessian of the clipped data term; averaging is linear. With λ the functional at a step,
//! its error b_j (twice that of one solver: gradient and move) adds |λ_j| b_j. By the mean value
//! theorem this is exact for some curvature between the two runs'.
//!
//! **Limits.** That is claimed only where both took the same branches (of the proximal map, of clipping,
//! of ℓ″) and margins agree to [`TRUSTED`], which moves a smooth ℓ″ by less than the factor `SLACK` allows.

use super::{Config, NoisyPartials, Run};
use crate::float::U;
use crate::problem::{Problem, Regulariser};

const SLACK: f64 = 1.1;
/// Margins further apart than this are not trusted to first order.
pub const TRUSTED: f64 = 1e-6;

/// Follows a run by its transcript, with bounds on the rounding errors of either solver.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::four_points;
/// use dp_assay::solver::skgd::{Config, Sampling, SetValues, bound::Follower, reference};
///
/// let problem = four_points();
/// let config = Config::new(&problem, (2, 3), Sampling::nice(2, 1)?, SetValues::Same(0.1));
/// let run = reference::run(&problem, &config, Tape::new(1))?;
/// let mut follower = Follower::new(&problem, &config);
/// run.transcript.steps().for_each(|release| follower.advance(release));
/// for (j, w) in run.iterate.iter().enumerate() {
///     assert!((follower.average()[j] - w).abs() <= follower.shadow(j));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Follower<'a> {
    problem: &'a Problem,
    config: &'a Config,
    theta: Vec<f64>,
    /// Σ_k θ^k of this round.
    sum: Vec<f64>,
    /// Largest |θ_j| of this round, as a sum of moduli.
    reach: Vec<f64>,
    average: Vec<f64>,
    /// Bound on the distance of θ from the solver's own.
    shadow: Vec<f64>,
    /// Σ_j |x_ij| shadow_j.
    lag: Vec<f64>,
    margins: Vec<f64>,
    /// S_i.
    slopes: Vec<f64>,
    /// U_i.
    movement: Vec<f64>,
    steps: usize,
    moves: usize,
    start_support: usize,
}

impl<'a> Follower<'a> {
    /// At the start.
    #[must_use]
    pub fn new(problem: &'a Problem, config: &'a Config) -> Self {
        let theta = config.start.clone();
        let mut movement = vec![0.0; problem.records()];
        for (j, w) in theta.iter().enumerate() {
            problem.data().design().add_moduli(j, *w, &mut movement);
        }
        let mut follower = Self {
            problem,
            config,
            sum: vec![0.0; theta.len()],
            reach: theta.iter().map(|w| w.abs()).collect(),
            average: theta.clone(),
            shadow: vec![0.0; theta.len()],
            lag: vec![0.0; problem.records()],
            margins: problem.margins(&theta),
            slopes: vec![0.0; problem.records()],
            movement,
            steps: 0,
            moves: 0,
            start_support: theta.iter().filter(|w| **w != 0.0).count(),
            theta,
        };
        follower.note_slopes();
        follower
    }

    /// θ^k, d entries.
    #[must_use]
    pub fn point(&self) -> &[f64] {
        &self.theta
    }

    /// w^t of the last round that ended.
    #[must_use]
    pub fn average(&self) -> &[f64] {
        &self.average
    }

    /// Upper bound on the distance of coordinate j < p from the solver's own iterate (at the end of a round: from
    /// its average).
    #[must_use]
    pub fn shadow(&self, j: usize) -> f64 {
        SLACK * self.shadow[j]
    }

    /// Bound on the error of ∂_j f as a solver computes it for a set of `size` coordinates, at this point.
    #[must_use]
    pub fn gradient(&self, j: usize, size: usize) -> f64 {
        let beta = self.problem.loss().curvature();
        let n = self.problem.records() as f64;
        let (mut mean, mut carried) = (0.0, 0.0);
        for (i, x) in self.problem.data().design().column(j).iter() {
            mean += x.abs() * (self.slopes[i] + beta * self.movement[i]) / n;
            carried += x.abs() * beta * self.lag[i] / n;
        }
        let count = 8 * self.moves + self.start_support + size + 32;
        let ridge = self.problem.ridge();
        let rounding = (count as f64 + 2.0 * n) * mean + 3.0 * (ridge * self.theta[j]).abs();
        SLACK * (U * rounding + carried + ridge * self.shadow[j])
    }

    /// Follows one step; the average is taken at the end of a round.
    ///
    /// # Panics
    /// If the step is not one of a run on this problem.
    pub fn advance(&mut self, release: NoisyPartials<'_>) {
        for (&j, &value) in release.set.iter().zip(release.values) {
            let (moved, rounding) = self.moved(j, value);
            self.stray(j, rounding);
            let change = moved - self.theta[j];
            self.theta[j] = moved;
            self.reach[j] += change.abs();
            self.problem
                .data()
                .design()
                .add_moduli(j, change, &mut self.movement);
        }
        self.steps += 1;
        self.moves += release.set.len();
        for (sum, theta) in self.sum.iter_mut().zip(&self.theta) {
            *sum += theta;
        }
        if self.steps.is_multiple_of(self.config.inner) {
            self.end_round();
        }
        self.margins = self.problem.margins(&self.theta);
        self.note_slopes();
    }

    /// The solver's own coordinate j may be further off by so much.
    fn stray(&mut self, j: usize, by: f64) {
        self.shadow[j] += by;
        self.problem
            .data()
            .design()
            .add_moduli(j, by, &mut self.lag);
    }

    /// Where coordinate j goes by a released value, and the rounding of that.
    fn moved(&self, j: usize, value: f64) -> (f64, f64) {
        let step = self.move_by(j);
        let argument = self.theta[j] - step * value;
        let moved = self.problem.regulariser().prox(step, argument);
        let moduli = (step * value).abs() + argument.abs() + moved.abs();
        (moved, U * 2.0 * moduli)
    }

    fn move_by(&self, j: usize) -> f64 {
        self.config.steps[j] / self.config.sampling.inclusion()[j]
    }

    fn end_round(&mut self) {
        for j in 0..self.theta.len() {
            self.average[j] = self.sum[j] / self.config.inner as f64;
            self.theta[j] = self.average[j];
            self.stray(j, self.averaging(j));
            self.sum[j] = 0.0;
            self.reach[j] = self.average[j].abs();
        }
    }

    /// Rounding of coordinate j's average.
    fn averaging(&self, j: usize) -> f64 {
        self.averaging_of(self.reach[j])
    }

    fn averaging_of(&self, reach: f64) -> f64 {
        U * (2 * self.config.inner + 4) as f64 * reach
    }

    /// Twice the rounding of every coordinate's average if this step ends the round.
    fn averagings_after(&self, release: NoisyPartials<'_>) -> Vec<f64> {
        let mut all: Vec<f64> = (0..self.theta.len()).map(|j| self.averaging(j)).collect();
        for (&j, &value) in release.set.iter().zip(release.values) {
            let change = (self.moved(j, value).0 - self.theta[j]).abs();
            all[j] += self.averaging_of(change);
        }
        all.iter().map(|a| 2.0 * a).collect()
    }

    fn note_slopes(&mut self) {
        let records = self.margins.iter().zip(self.problem.data().targets());
        for (largest, (&u, &y)) in self.slopes.iter_mut().zip(records) {
            *largest = largest.max(self.problem.loss().derivative(u, y).abs());
        }
    }

    /// What the step does to small differences, before it is taken.
    fn passage(&self, release: NoisyPartials<'_>) -> Passage {
        let members = || release.set.iter().zip(release.values);
        let branch = |(&j, &value): (&usize, &f64)| {
            let step = self.move_by(j);
            prox_branch(
                self.problem.regulariser(),
                step,
                self.theta[j] - step * value,
            )
        };
        let error = |(&j, &value): (&usize, &f64)| {
            let gradient = self.gradient(j, release.set.len()) + U * value.abs();
            2.0 * (self.move_by(j) * gradient + self.moved(j, value).1)
        };
        Passage {
            branches: members().map(branch).collect(),
            errors: members().map(error).collect(),
            curvatures: self.curvatures(release.set),
            margins: self.margins.clone(),
        }
    }

    /// ℓ″ of every record, 0 where its gradient on the set is clipped.
    fn curvatures(&self, set: &[usize]) -> Vec<f64> {
        let index = self
            .config
            .sampling
            .sets()
            .and_then(|sets| sets.iter().position(|s| s == set));
        let radius = self.config.radius(set, index);
        let mut squares = vec![0.0; self.margins.len()];
        for &j in set {
            let column = self.problem.data().design().column(j).iter();
            column.for_each(|(i, x)| squares[i] += x * x);
        }
        let records = self
            .margins
            .iter()
            .zip(self.problem.data().targets())
            .zip(&squares);
        let loss = self.problem.loss();
        let curvature =
            |((&u, &y), squares): ((&f64, &f64), &f64)| match loss.derivative(u, y).abs()
                * squares.sqrt()
                > radius
            {
                true => 0.0,
                false => loss.second_derivative(u, y),
            };
        records.map(curvature).collect()
    }
}

/// One step of a run, for the way back.
struct Passage {
    /// Branch of the proximal map and its slope, for j ∈ S.
    branches: Vec<(i8, f64)>,
    /// b_j.
    errors: Vec<f64>,
    curvatures: Vec<f64>,
    margins: Vec<f64>,
}

impl Passage {
    /// Whether two runs take the same branches, with margins close enough.
    fn agrees(&self, other: &Self) -> bool {
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= TRUSTED;
        let curvatures = self.curvatures.iter().zip(&other.curvatures);
        self.branches == other.branches
            && self.margins.iter().zip(&other.margins).all(close)
            && curvatures.into_iter().all(close)
    }
}

/// Which piece of the proximal map an argument is on, and the slope there.
fn prox_branch(psi: Regulariser, step: f64, a: f64) -> (i8, f64) {
    match psi {
        Regulariser::None => (0, 1.0),
        Regulariser::L2(nu) => (0, 1.0 / (1.0 + step * nu)),
        Regulariser::L1(nu) if a.abs() > step * nu => (if a > 0.0 { 1 } else { -1 }, 1.0),
        Regulariser::L1(_) => (0, 0.0),
        Regulariser::Box { lower, .. } if a <= lower => (-1, 0.0),
        Regulariser::Box { upper, .. } if a >= upper => (1, 0.0),
        Regulariser::Box { .. } => (0, 1.0),
    }
}

/// Bound on |c·(w̃ − w)| for the final releases of two solvers' runs on one tape; infinite where the
/// derivation claims nothing, because the runs took different branches.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::four_points;
/// use dp_assay::solver::skgd::{Config, Sampling, SetValues, bound, optimized, reference};
///
/// let problem = four_points();
/// let config = Config::new(&problem, (2, 3), Sampling::nice(2, 1)?, SetValues::Same(0.1));
/// let slow = reference::run(&problem, &config, Tape::new(1))?;
/// let fast = optimized::run(&problem, &config, Tape::new(1))?;
/// // The functional (1, 0) is the first coefficient.
/// let most = bound::drift_upper(&problem, &config, (&slow, &fast), &[1.0, 0.0]);
/// assert!((slow.iterate[0] - fast.iterate[0]).abs() <= most);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the runs have no transcripts or are not of this problem and configuration.
#[must_use]
pub fn drift_upper(
    problem: &Problem,
    config: &Config,
    runs: (&Run, &Run),
    functional: &[f64],
) -> f64 {
    let mut followers = (
        Follower::new(problem, config),
        Follower::new(problem, config),
    );
    let mut passages = Vec::new();
    let mut averagings = Vec::new();
    for (a, b) in runs.0.transcript.steps().zip(runs.1.transcript.steps()) {
        let (first, second) = (followers.0.passage(a), followers.1.passage(b));
        if a.set != b.set || !first.agrees(&second) {
            return f64::INFINITY;
        }
        passages.push((a.set, first));
        if passages.len() % config.inner == 0 {
            // What the step about to be taken adds to the reach is at most its move.
            averagings.push(followers.0.averagings_after(a));
        }
        followers.0.advance(a);
        followers.1.advance(b);
    }
    let mut back = Backwards {
        problem,
        config,
        lambda: functional.to_vec(),
        total: 0.0,
    };
    for (round, averaging) in passages.chunks(config.inner).zip(&averagings).rev() {
        back.round(round, averaging);
    }
    SLACK * back.total
}

/// A functional on its way back through a run.
struct Backwards<'a> {
    problem: &'a Problem,
    config: &'a Config,
    lambda: Vec<f64>,
    total: f64,
}

impl Backwards<'_> {
    /// From w^{t+1} to w^t.
    fn round(&mut self, steps: &[(&[usize], Passage)], averaging: &[f64]) {
        let of_average = std::mem::replace(&mut self.lambda, vec![0.0; averaging.len()]);
        let moduli = of_average.iter().zip(averaging).map(|(l, a)| l.abs() * a);
        self.total += moduli.sum::<f64>();
        for (set, passage) in steps.iter().rev() {
            for (lambda, average) in self.lambda.iter_mut().zip(&of_average) {
                *lambda += average / self.config.inner as f64;
            }
            self.step(set, passage);
        }
    }

    fn step(&mut self, set: &[usize], passage: &Passage) {
        let design = self.problem.data().design();
        let mut pulls = vec![0.0; self.problem.records()];
        for ((&j, branch), error) in set.iter().zip(&passage.branches).zip(&passage.errors) {
            self.total += self.lambda[j].abs() * error;
            self.lambda[j] *= branch.1;
            let step = self.config.steps[j] / self.config.sampling.inclusion()[j];
            design.add_column(j, step * self.lambda[j], &mut pulls);
            self.lambda[j] -= step * self.problem.ridge() * self.lambda[j];
        }
        let n = self.problem.records() as f64;
        for (pull, curvature) in pulls.iter_mut().zip(&passage.curvatures) {
            *pull *= curvature / n;
        }
        for (j, lambda) in self.lambda.iter_mut().enumerate() {
            let column = design.column(j).iter();
            *lambda -= column.map(|(i, x)| x * pulls[i]).sum::<f64>();
        }
    }
}

#[cfg(test)]
mod tests;
