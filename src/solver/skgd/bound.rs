//! How far floating-point runs of DP-SkGD may be from Algorithm 1 and from one another.
//!
//! **One gradient.** u = 2⁻⁵³. For record i let S_i be the largest |ℓ′| so far, U_i = Σ_j |x_ij w⁰_j| +
//! Σ |δ x_ij| over all N moves δ of coordinates so far: every margin met, of iterates and of averages,
//! and every partial sum of one is at most U_i. Let β = sup ℓ″, G_j = (1/n) Σ_i |x_ij| (S_i + βU_i) and
//! m₀ = |supp w⁰|. Roundings, to first order, as multiples of u:
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
//! **One run.** A [`Follower`] recomputes the iterates from a transcript. They differ from the solver's own by
//! the rounding of the moves, u(2γ/p|v| + 2|a| + 2|θ′|) with a the proximal map's argument, and of the
//! averages, (2K + 4)u times the sum of moduli met: [`Follower::shadow`]. Nothing is amplified, since the
//! released values are taken as they are. So every value of a transcript can be checked against the exact
//! gradient, up to the bound, whatever the problem's conditioning.
//!
//! **Two runs on one tape.** [`drift_upper`] carries a linear functional c of the final release backwards
//! through the steps: on S, e_j ↦ ϑ_j(e_j − (γ_j/p_j)(H_{j·}e + ridge·e_j)) with ϑ the slope of the proximal
//! map and H the Hessian of the clipped data term; averaging is linear. With λ the functional at a step,
//! its error b_j (twice that of one solver: gradient and move) adds |λ_j| b_j. By the mean value theorem this is exact for some
//! curvature between the two runs'; it is claimed only where both took the same branches (of the proximal map, of clipping,
//! of ℓ″) and margins agree to [`TRUSTED`], which moves a smooth ℓ″ by less than the factor `SLACK` allows.

use super::{Config, Release, Run};
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
            add_moduli(problem, j, *w, &mut movement);
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
    pub fn advance(&mut self, release: Release<'_>) {
        for (&j, &value) in release.set.iter().zip(release.values) {
            let (moved, rounding) = self.moved(j, value);
            self.stray(j, rounding);
            let change = moved - self.theta[j];
            self.theta[j] = moved;
            self.reach[j] += change.abs();
            add_moduli(self.problem, j, change, &mut self.movement);
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
        add_moduli(self.problem, j, by, &mut self.lag);
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
    fn averagings_after(&self, release: Release<'_>) -> Vec<f64> {
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
    fn passage(&self, release: Release<'_>) -> Passage {
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

fn add_moduli(problem: &Problem, j: usize, factor: f64, sums: &mut [f64]) {
    if factor != 0.0 {
        let column = problem.data().design().column(j).iter();
        column.for_each(|(i, x)| sums[i] += (factor * x).abs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanism::tape::Tape;
    use crate::problem::loss::Squared;
    use crate::problem::{Dataset, Dense};
    use crate::solver::skgd::{Sampling, SetValues, reference};

    /// One feature, of squared loss.
    fn problem(features: &[f64], targets: Vec<f64>) -> Problem {
        let rows: Vec<[f64; 1]> = features.iter().map(|x| [*x]).collect();
        let design = Dense::from_rows(&rows).expect("finite");
        let data = Dataset::new("column", design, targets).expect("as many");
        Problem::new(data, Squared, Regulariser::None).expect("any targets")
    }

    fn config(problem: &Problem, start: f64) -> Config {
        let sampling = Sampling::full(1).expect("one");
        Config {
            start: vec![start],
            steps: vec![0.25],
            ..Config::new(problem, (1, 1), sampling, SetValues::Same(0.1))
        }
    }

    /// Slopes of the proximal map are those of its values, and its pieces have numbers of their own.
    #[test]
    fn branches_tell_the_pieces_of_the_proximal_map() {
        let (step, h) = (0.25, 1e-4);
        let (lower, upper) = (-1.0, 0.5);
        for (psi, pieces) in [
            (Regulariser::None, [0; 5]),
            (Regulariser::L2(2.0), [0; 5]),
            (Regulariser::L1(2.0), [-1, 0, 0, 0, 1]),
            (Regulariser::Box { lower, upper }, [-1, 0, 0, 0, 1]),
        ] {
            for (a, piece) in [-3.0, -0.45, -0.2, 0.1, 3.0].into_iter().zip(pieces) {
                let (found, slope) = prox_branch(psi, step, a);
                let change = psi.prox(step, a + h) - psi.prox(step, a - h);
                assert!(
                    (slope - change / (2.0 * h)).abs() < 1e-9,
                    "{psi:?} at {a}: {slope}"
                );
                assert_eq!(found, piece, "{psi:?} at {a}");
            }
        }
    }

    /// A step to 0: what is left of it is the error of the gradient, and of noise and step one rounding each, in either run.
    #[test]
    fn a_step_errs_by_its_gradient_its_sum_and_its_product() {
        let problem = problem(&[1.0, -1.0], vec![0.0; 2]);
        let (value, gamma) = (1e6, 0.25);
        let config = config(&problem, gamma * value);
        let follower = Follower::new(&problem, &config);
        let passage = follower.passage(Release {
            set: &[0],
            values: &[value],
        });
        let least = 2.0 * gamma * (follower.gradient(0, 1) + 2.0 * U * value);
        assert!(
            passage.errors[0] >= least,
            "{} < {least}",
            passage.errors[0]
        );
    }

    /// Targets that cancel, large beside the step: either gradient may be off by its bound, and the iterates are.
    #[test]
    fn the_drift_of_one_step_is_no_less_than_that_of_its_gradient() {
        let problem = problem(&[1.0; 4], vec![1e8, -1e8, 1e8, -1e8]);
        let config = config(&problem, 0.0);
        let gradient = Follower::new(&problem, &config).gradient(0, 1);
        let run = reference::run(&problem, &config, Tape::new(1)).expect("sound");
        let drift = drift_upper(&problem, &config, (&run, &run), &[1.0]);
        assert!(drift >= 2.0 * 0.25 * gradient, "{drift} {gradient}");
    }

    /// Margins that are off by ½: with β = 1 the mean of |x| = 5/4 halves is what the derivative is off by.
    #[test]
    fn what_margins_lag_behind_moves_the_derivative_by_its_mean() {
        let problem = problem(&[1.0, -2.0, 0.5, 1.5], vec![0.0; 4]);
        let config = config(&problem, 0.0);
        let mut follower = Follower::new(&problem, &config);
        follower.lag = vec![0.5; 4];
        let found = follower.gradient(0, 1);
        let most = 0.625 * SLACK * (1.0 + 1e-9);
        assert!((0.625..most).contains(&found), "{found}");
    }

    const X: [[f64; 2]; 3] = [[1.0, 2.0], [0.0, -1.0], [3.0, 0.5]];
    const Y: [f64; 3] = [1.0, -2.0, 0.5];
    const RIDGE: f64 = 0.25;

    fn two_columns(psi: Regulariser) -> Problem {
        let design = Dense::from_rows(&X).expect("finite");
        let data = Dataset::new("three", design, Y.to_vec()).expect("as many");
        let problem = Problem::new(data, Squared, psi);
        problem.and_then(|p| p.with_ridge(RIDGE)).expect("sound")
    }

    fn two_steps(problem: &Problem, (inner, outer): (usize, usize)) -> Config {
        let sampling = Sampling::partition(2, vec![vec![0], vec![1]]).expect("a partition");
        Config {
            start: vec![0.5, 0.0],
            steps: vec![0.1, 0.15],
            ..Config::new(problem, (inner, outer), sampling, SetValues::Same(0.1))
        }
    }

    fn close(found: f64, truth: f64) {
        assert!(
            (found - truth).abs() <= 1e-12 * truth.abs(),
            "{found}, {truth}"
        );
    }

    /// Two rounds of one step each, on either coordinate: every number is that of the formulas above.
    #[test]
    #[allow(clippy::needless_range_loop, reason = "indices as in the formulas")]
    fn what_a_follower_knows_is_what_is_said_above() {
        let nu = 0.1;
        let problem = two_columns(Regulariser::L2(nu));
        let config = two_steps(&problem, (1, 2));
        let mut follower = Follower::new(&problem, &config);
        // Each coordinate is taken every other time: twice the step.
        let gamma = [0.2, 0.3];
        let (mut w, mut largest, mut shadow) = ([0.5, 0.0], [0.0_f64; 3], [0.0; 2]);
        let (mut moved, mut lag) = (X.map(|x| (x[0] * 0.5).abs()), [0.0; 3]);
        for (step, (j, value)) in [(1, 2.0), (0, -1.0)].into_iter().enumerate() {
            for i in 0..3 {
                let residual: f64 = X[i][0] * w[0] + X[i][1] * w[1] - Y[i];
                largest[i] = largest[i].max(residual.abs());
            }
            let gradient = |k: usize, size: usize| {
                let mean = |of: &dyn Fn(usize) -> f64| {
                    (0..3).map(|i| X[i][k].abs() * of(i) / 3.0).sum::<f64>()
                };
                let count = (8 * step + 1 + size + 32 + 6) as f64;
                let rounding =
                    count * mean(&|i| largest[i] + moved[i]) + 3.0 * RIDGE * f64::abs(w[k]);
                SLACK * (U * rounding + mean(&|i| lag[i]) + RIDGE * shadow[k])
            };
            for k in 0..2 {
                close(follower.gradient(k, 1), gradient(k, 1));
                close(follower.gradient(k, 5), gradient(k, 5));
                close(follower.shadow(k), SLACK * shadow[k]);
            }
            assert_eq!(follower.point(), w);
            let argument = w[j] - gamma[j] * value;
            let to = argument / (1.0 + gamma[j] * nu);
            let rounding = 2.0 * U * ((gamma[j] * value).abs() + argument.abs() + to.abs());
            let (set, values) = (&[j][..], &[value][..]);
            let passage = follower.passage(Release { set, values });
            close(
                passage.errors[0],
                2.0 * (gamma[j] * (gradient(j, 1) + U * value.abs()) + rounding),
            );
            let averaged = [0, 1].map(|k| {
                let change = if k == j { (to - w[j]).abs() } else { 0.0 };
                6.0 * U * (f64::abs(w[k]) + change)
            });
            let after = follower.averagings_after(Release { set, values });
            for k in 0..2 {
                close(after[k], 2.0 * averaged[k]);
            }
            for k in 0..2 {
                let by = averaged[k] + if k == j { rounding } else { 0.0 };
                shadow[k] += by;
                for i in 0..3 {
                    lag[i] += (X[i][k] * by).abs();
                }
            }
            for i in 0..3 {
                moved[i] += (X[i][j] * (to - w[j])).abs();
            }
            w[j] = to;
            follower.advance(Release { set, values });
            assert_eq!(follower.average(), w);
        }
    }

    /// A record whose gradient on the set is clipped has no curvature; margins and branches must agree.
    #[test]
    fn a_clipped_record_bends_nothing() {
        let problem = two_columns(Regulariser::None);
        let mut config = two_steps(&problem, (1, 2));
        // Residuals −0.5, 2 and 1, in the second column −1, −2 and 0.5.
        for (radius, curvatures) in [
            (0.75, [0.0, 0.0, 1.0]),
            (1.5, [1.0, 0.0, 1.0]),
            (0.25, [0.0; 3]),
        ] {
            config.clipping = Some(SetValues::Same(radius));
            let follower = Follower::new(&problem, &config);
            assert_eq!(follower.curvatures(&[1]), curvatures, "{radius}");
        }
        let passage = |margin: f64, branch, curvature| Passage {
            branches: vec![(branch, 1.0)],
            errors: vec![1.0],
            curvatures: vec![curvature],
            margins: vec![margin],
        };
        let one = passage(1.0, 0, 0.5);
        assert!(one.agrees(&passage(1.0 + 0.5 * TRUSTED, 0, 0.5)));
        assert!(!one.agrees(&passage(1.0 - 2.0 * TRUSTED, 0, 0.5)));
        assert!(!one.agrees(&passage(1.0, 1, 0.5)) && !one.agrees(&passage(1.0, 0, 0.6)));
    }

    /// A functional of the average of two steps, carried back through the second and the first.
    #[test]
    #[allow(clippy::needless_range_loop, reason = "indices as in the formulas")]
    fn a_functional_goes_back_through_the_steps() {
        let problem = two_columns(Regulariser::L2(0.1));
        let config = two_steps(&problem, (2, 1));
        let gamma = [0.2, 0.3];
        let (theta, c, averaging) = ([0.75, 0.5], [2.0, -3.0], [0.01, 0.02]);
        let passage = |j: usize, error, curvatures: [f64; 3]| Passage {
            branches: vec![(0, theta[j])],
            errors: vec![error],
            curvatures: curvatures.to_vec(),
            margins: vec![0.0; 3],
        };
        let bends = [[1.0, 0.5, 0.25], [0.0, 2.0, 1.0]];
        let steps = [
            (&[1][..], passage(1, 5.0, bends[0])),
            (&[0][..], passage(0, 7.0, bends[1])),
        ];
        let mut back = Backwards {
            problem: &problem,
            config: &config,
            lambda: c.to_vec(),
            total: 0.0,
        };
        back.round(&steps, &averaging);
        let (mut lambda, mut total) = ([0.0; 2], 2.0 * 0.01 + 3.0 * 0.02);
        for (j, error, bend) in [(0, 7.0, bends[1]), (1, 5.0, bends[0])] {
            lambda = [lambda[0] + 0.5 * c[0], lambda[1] + 0.5 * c[1]];
            total += f64::abs(lambda[j]) * error;
            let along = theta[j] * lambda[j];
            lambda[j] = along * (1.0 - gamma[j] * RIDGE);
            for k in 0..2 {
                let h: f64 = (0..3).map(|i| bend[i] * X[i][j] * X[i][k] / 3.0).sum();
                lambda[k] -= gamma[j] * h * along;
            }
        }
        close(back.total, total);
        for k in 0..2 {
            close(back.lambda[k], lambda[k]);
        }
    }
}
