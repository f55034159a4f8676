//! How far two floating-point runs of DP-GCD on the same noise may drift apart.
//!
//! **Setting.** u = 2⁻⁵³. At step t let S_i be the largest |ℓ′| of record i so far, U_i = Σ_k
//! |x_ik w⁰_k| + Σ_{τ<t} |δ_τ x_{i j_τ}| the total movement of its margin (so |x_i·w| ≤ U_i and every
//! partial sum of it too), β = sup ℓ″ and G_k = (1/n) Σ_i |x_ik| (S_i + βU_i).
//!
//! **Rounding.** Of one gradient, to first order, each bounded by u times a partial result:
//! - reference: margins (m + 1)U_i with m ≤ |supp w⁰| + t terms; ℓ′ itself 4S_i; n products and n sums
//!   (n + 1)S_i; the mean 1: at most (n + m + 9) u G_k;
//! - moved margins (dense): m₀ + 1 at the start, then δ, δx and the sum at each step, the first two of
//!   them relative to |δx|: (m₀ + t + 3)U_i instead of (m + 1)U_i: at most (n + m₀ + t + 12) u G_k;
//! - Gram: columns (n + 1) relative to Σ|x_ik||x_ij|β, then as above per step, the sum now relative
//!   to nG_k: at most (2n + m₀ + t + 15) u G_k;
//! - sparse: every replaced term rounds 4 times relative to 2|x|S_i at most, and once in the sum,
//!   relative to nG_k; a column of a entries meets at most ta replacements: at most
//!   (ta + 8t + n + m₀ + t + 12) u G_k.
//!
//! All are within [`RunBound::gradient`] = (ta + 9t + 2n + m₀ + 16) u G_k + 3u·ridge|w_k|, the ridge's own
//! roundings, with a = 0 for a dense design.
//!
//! One step w_j ← prox(w_j − γ(g_j + η)) adds γ times the gradient's error and one rounding each
//! of g + η, γv, the difference, and the proximal map: u(2γ|v| + 2|a| + 2|w′|) with a the argument of
//! the map and w′ its value. η is the same double in both runs. To first order a difference d of the iterates becomes, in the chosen coordinate,
//! θ(d_j − γ(Σ_k H_jk d_k + ridge·d_j)), where H is the Hessian of the (clipped) data term at the
//! margins and θ the slope of the proximal map. [`RunBound`] carries every step's error separately through
//! these maps, with signs, and adds moduli only at the end. Terms of second order are ignored: with
//! bounds below [`TRUSTED`] they are smaller than the bound itself times 10⁻⁴, and the factor
//! `SLACK` covers them along with (1 + nu)-type factors.
//!
//! **Limits.** Where a kink (of ℓ′, of a clipped term or
//! of the proximal map) lies within 10⁻⁹, relative, of the point, the first-order map is not unique:
//! the bound then says so and no comparison is made from there on.

use super::{Config, NoisyPartial, Run};
use crate::float::U;
use crate::problem::{Design, Problem, Regulariser};
use std::cell::Cell;

const SLACK: f64 = 1.1;
/// Bounds above this are not trusted to first order.
pub const TRUSTED: f64 = 1e-6;
const NEAR: f64 = 1e-9;

/// How far the optimized solver's final iterate may be from the reference's `run` in any coordinate,
/// on the same tape and with the same choices; infinite where the derivation claims nothing (a kink
/// was met, or the bound left its range of trust).
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::four_points;
/// use dp_assay::solver::gcd::{Config, LaplaceScales, bound, optimized, reference};
///
/// let problem = four_points();
/// let config = Config::new(&problem, 3, LaplaceScales::new(vec![0.1; 2], vec![0.1; 2])?);
/// let slow = reference::run(&problem, &config, Tape::new(1))?;
/// let fast = optimized::run(&problem, &config, Tape::new(1))?;
/// let most = bound::drift_upper(&problem, &config, &slow);
/// assert!(slow.iterate.iter().zip(&fast.iterate).all(|(a, b)| (a - b).abs() <= most));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn drift_upper(problem: &Problem, config: &Config, run: &Run) -> f64 {
    let mut bound = RunBound::new(problem, config);
    for release in &run.transcript {
        bound.advance(*release);
    }
    let largest = (0..problem.features())
        .map(|k| bound.iterate(k))
        .fold(0.0, f64::max);
    if bound.kinked() || largest > TRUSTED {
        f64::INFINITY
    } else {
        largest
    }
}

/// The bound along the reference's trajectory.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::four_points;
/// use dp_assay::solver::gcd::{Config, LaplaceScales, bound::RunBound, reference};
///
/// let problem = four_points();
/// let config = Config::new(&problem, 2, LaplaceScales::new(vec![0.1; 2], vec![0.1; 2])?);
/// let run = reference::run(&problem, &config, Tape::new(1))?;
/// let mut bound = RunBound::new(&problem, &config);
/// run.transcript.iter().for_each(|release| bound.advance(*release));
/// assert!(bound.kinked() || (bound.point()[0] - run.iterate[0]).abs() < 1e-9);
/// assert!(bound.iterate(0) >= 0.0 && bound.gradient_difference(0) >= bound.gradient(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RunBound<'a> {
    problem: &'a Problem,
    config: &'a Config,
    w: Vec<f64>,
    margins: Vec<f64>,
    /// S_i.
    slopes: Vec<f64>,
    /// U_i.
    movement: Vec<f64>,
    steps: usize,
    start_support: usize,
    /// Coordinates changed so far.
    touched: Vec<usize>,
    /// For each past step: its error and where it has been carried, by position in `touched`.
    errors: Vec<(f64, Vec<f64>)>,
    kinked: Cell<bool>,
}

impl<'a> RunBound<'a> {
    /// At the start, before any step.
    #[must_use]
    pub fn new(problem: &'a Problem, config: &'a Config) -> Self {
        let w = config.start.clone();
        let mut movement = vec![0.0; problem.records()];
        for (j, w) in w.iter().enumerate() {
            problem.data().design().add_moduli(j, *w, &mut movement);
        }
        let mut bound = Self {
            problem,
            config,
            margins: problem.margins(&w),
            slopes: vec![0.0; problem.records()],
            movement,
            steps: 0,
            start_support: w.iter().filter(|w| **w != 0.0).count(),
            touched: Vec::new(),
            errors: Vec::new(),
            kinked: Cell::new(false),
            w,
        };
        bound.refresh();
        bound
    }

    /// The reference's iterate, p entries.
    #[must_use]
    pub fn point(&self) -> &[f64] {
        &self.w
    }

    /// Whether a kink was met: then nothing is claimed any more.
    #[must_use]
    pub fn kinked(&self) -> bool {
        self.kinked.get()
    }

    fn note_kink(&self, met: bool) {
        self.kinked.set(self.kinked.get() || met);
    }

    /// Bound on the error of either solver's ∂_k f at its own iterate.
    #[must_use]
    pub fn gradient(&self, k: usize) -> f64 {
        let beta = self.problem.loss().curvature();
        let n = self.problem.records() as f64;
        let column = self.problem.data().design().column(k);
        let moduli = |(i, x): (usize, f64)| x.abs() * (self.slopes[i] + beta * self.movement[i]);
        let mean = column.iter().map(moduli).sum::<f64>() / n;
        let replaced = match self.problem.data().design() {
            Design::Dense(_) => 0,
            Design::Sparse(_) => self.steps * column.iter().count(),
        };
        let count = replaced + 9 * self.steps + self.start_support + 16;
        let ridge = 3.0 * (self.problem.ridge() * self.w[k]).abs();
        SLACK * U * ((count as f64 + 2.0 * n) * mean + ridge)
    }

    /// Bound on the difference of the two solvers' ∂_k f at their own iterates.
    #[must_use]
    pub fn gradient_difference(&self, k: usize) -> f64 {
        let row = self.hessian_row(k);
        let carried = self.touched.iter().zip(row).map(|(&l, h)| {
            let ridge = if l == k { self.problem.ridge() } else { 0.0 };
            (h + ridge).abs() * self.iterate(l)
        });
        2.0 * self.gradient(k) + SLACK * carried.sum::<f64>()
    }

    /// Bound on the difference of the two iterates in coordinate k.
    #[must_use]
    pub fn iterate(&self, k: usize) -> f64 {
        let Some(at) = self.touched.iter().position(|&l| l == k) else {
            return 0.0;
        };
        let carried = |(size, path): &(f64, Vec<f64>)| size * path.get(at).unwrap_or(&0.0).abs();
        SLACK * self.errors.iter().map(carried).sum::<f64>()
    }

    /// Follows one step of the reference.
    ///
    /// # Panics
    /// If the step is not one of a run on this problem.
    pub fn advance(&mut self, release: NoisyPartial) {
        let (j, psi) = (release.coordinate, self.problem.regulariser());
        let step = self.config.steps[j];
        let argument = self.w[j] - step * release.value;
        let moved = psi.prox(step, argument);
        let rounding =
            2.0 * (step * release.value).abs() + 2.0 * argument.abs() + 2.0 * moved.abs();
        // Both solvers err, each by as much.
        let error = 2.0 * (step * self.gradient(j) + U * rounding);
        self.carry(j, step, self.prox_slope(step, argument));
        let at = self
            .touched
            .iter()
            .position(|&l| l == j)
            .expect("touched by `carry`");
        let mut path = vec![0.0; self.touched.len()];
        path[at] = 1.0;
        self.errors.push((error, path));

        let change = moved - self.w[j];
        self.w[j] = moved;
        self.problem
            .data()
            .design()
            .add_column(j, change, &mut self.margins);
        self.problem
            .data()
            .design()
            .add_moduli(j, change, &mut self.movement);
        self.steps += 1;
        self.refresh();
    }

    /// Carries all earlier errors through the step on coordinate j.
    fn carry(&mut self, j: usize, step: f64, theta: f64) {
        if !self.touched.contains(&j) {
            self.touched.push(j);
        }
        let row = self.hessian_row(j);
        let at = self
            .touched
            .iter()
            .position(|&l| l == j)
            .expect("just added");
        for (_, path) in &mut self.errors {
            path.resize(self.touched.len(), 0.0);
            let pull: f64 = row.iter().zip(&*path).map(|(h, d)| h * d).sum();
            path[at] = theta * (path[at] - step * (pull + self.problem.ridge() * path[at]));
        }
    }

    /// H_jk for all touched k.
    fn hessian_row(&self, j: usize) -> Vec<f64> {
        let mut weights = vec![0.0; self.problem.records()];
        for (i, x) in self.problem.data().design().column(j).iter() {
            weights[i] = x * self.effective_curvature(i, j, x);
        }
        let n = self.problem.records() as f64;
        let entry = |&k: &usize| {
            let column = self.problem.data().design().column(k).iter();
            column.map(|(i, x)| x * weights[i]).sum::<f64>() / n
        };
        self.touched.iter().map(entry).collect()
    }

    /// ℓ″ of record i, or 0 where its j-th term is clipped.
    fn effective_curvature(&self, i: usize, j: usize, x: f64) -> f64 {
        let (u, y) = (self.margins[i], self.problem.data().targets()[i]);
        if let Some(thresholds) = &self.config.clipping {
            let excess = (self.problem.loss().derivative(u, y) * x).abs() - thresholds[j];
            self.note_kink(excess.abs() <= NEAR * thresholds[j]);
            if excess > 0.0 {
                return 0.0;
            }
        }
        self.problem.loss().second_derivative(u, y)
    }

    fn prox_slope(&self, step: f64, a: f64) -> f64 {
        let (kinks, slope) = match self.problem.regulariser() {
            Regulariser::None => ([f64::INFINITY; 2], 1.0),
            Regulariser::L2(nu) => ([f64::INFINITY; 2], 1.0 / (1.0 + step * nu)),
            Regulariser::L1(nu) => {
                let edge = step * nu;
                ([edge, -edge], f64::from(a.abs() > edge))
            }
            Regulariser::Box { lower, upper } => {
                ([lower, upper], f64::from(lower < a && a < upper))
            }
        };
        self.note_kink(
            kinks
                .iter()
                .any(|kink| (a - kink).abs() <= NEAR * a.abs().max(1e-3)),
        );
        slope
    }

    /// Updates S_i and looks for kinks of ℓ′.
    fn refresh(&mut self) {
        let loss = self.problem.loss();
        let records = self.margins.iter().zip(self.problem.data().targets());
        let mut slopes = Vec::new();
        for (&u, &y) in records {
            let near = NEAR * (u.abs() + y.abs() + 1.0);
            let jump = loss.second_derivative(u - near, y) - loss.second_derivative(u + near, y);
            self.kinked.set(self.kinked.get() || jump.abs() > 1e-3);
            slopes.push(loss.derivative(u, y));
        }
        for (largest, slope) in self.slopes.iter_mut().zip(slopes) {
            *largest = largest.max(slope.abs());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::loss::{Huber, Loss, Squared};
    use crate::problem::{Dataset, Dense, Sparse, dataset};
    use crate::solver::gcd::LaplaceScales;

    /// One feature, 1 in every record.
    fn problem(targets: Vec<f64>, loss: impl Loss + 'static, psi: Regulariser) -> Problem {
        let rows = vec![[1.0]; targets.len()];
        let data = dataset::table(&rows, targets);
        Problem::new(data, loss, psi).expect("any targets")
    }

    fn config(problem: &Problem, start: f64) -> Config {
        let noise = LaplaceScales::new(vec![1.0], vec![1.0]).expect("positive");
        Config {
            start: vec![start],
            ..Config::new(problem, 1, noise)
        }
    }

    const BOX: Regulariser = Regulariser::Box {
        lower: -1.0,
        upper: 0.5,
    };

    /// Slopes of the proximal map are those of its values, and at its kinks nothing is claimed.
    #[test]
    fn slopes_are_those_of_the_proximal_map() {
        let (step, h) = (0.25, 1e-4);
        let (l1, l2) = (Regulariser::L1(2.0), Regulariser::L2(2.0));
        for psi in [Regulariser::None, l1, l2, BOX] {
            let problem = problem(vec![0.0], Squared, psi);
            let config = config(&problem, 0.0);
            for a in [-3.0, -0.75, -0.2, 0.1, 0.45, 0.7, 3.0] {
                let bound = RunBound::new(&problem, &config);
                let slope = bound.prox_slope(step, a);
                let change = psi.prox(step, a + h) - psi.prox(step, a - h);
                assert!(
                    (slope - change / (2.0 * h)).abs() < 1e-9,
                    "{psi:?} at {a}: {slope}"
                );
                assert!(!bound.kinked(), "{psi:?} at {a}");
            }
        }
        for (psi, kink) in [(l1, 0.5), (l1, -0.5), (BOX, -1.0), (BOX, 0.5)] {
            let problem = problem(vec![0.0], Squared, psi);
            let config = config(&problem, 0.0);
            let bound = RunBound::new(&problem, &config);
            bound.prox_slope(step, kink);
            assert!(bound.kinked(), "{psi:?} at {kink}");
        }
    }

    #[test]
    fn a_margin_at_a_knee_is_a_kink() {
        let huber = Huber::new(1.0).expect("positive");
        let problem = problem(vec![0.0], huber, Regulariser::None);
        for (start, kinked) in [(0.5, false), (1.0, true), (1.5, false), (-1.0, true)] {
            let config = config(&problem, start);
            assert_eq!(RunBound::new(&problem, &config).kinked(), kinked, "{start}");
        }
    }

    /// All numbers 2²⁰ times as large: so is what rounding may do to them.
    #[test]
    fn the_bound_is_in_proportion_to_all_numbers() {
        let at = |scale: f64| {
            let problem = problem(vec![scale, -3.0 * scale], Squared, Regulariser::None);
            let config = config(&problem, 0.0);
            let mut bound = RunBound::new(&problem, &config);
            for value in [-1.0, 0.25, 2.0] {
                let value = value * scale;
                bound.advance(NoisyPartial {
                    coordinate: 0,
                    value,
                });
            }
            bound.iterate(0)
        };
        let (large, small) = (at(1.0), at(2f64.powi(-20)));
        assert!(small > 0.0);
        assert_eq!(large, small * 2f64.powi(20));
    }

    /// Three steps on two coordinates: every number is that of the formulas above.
    #[test]
    #[allow(clippy::needless_range_loop, reason = "indices as in the formulas")]
    fn steps_err_and_errors_travel_as_is_said_above() {
        const X: [[f64; 2]; 3] = [[1.0, 2.0], [0.0, -1.0], [3.0, 0.5]];
        const Y: [f64; 3] = [1.0, -2.0, 0.5];
        let (nu, ridge, gamma) = (0.1, 0.25, [0.2, 0.3]);
        let cells = (0..3).flat_map(|i| [(i, 0, X[i][0]), (i, 1, X[i][1])]);
        let sparse = Sparse::from_entries(3, 2, &cells.collect::<Vec<_>>()).expect("finite");
        let dense = Dense::from_rows(&X).expect("finite");
        for (design, stored) in [(Design::from(dense), [0; 2]), (sparse.into(), [2, 3])] {
            let data = Dataset::new("three", design, Y.to_vec()).expect("as many");
            let problem = Problem::new(data, Squared, Regulariser::L2(nu))
                .and_then(|problem| problem.with_ridge(ridge))
                .expect("sound");
            let noise = LaplaceScales::new(vec![1.0; 2], vec![1.0; 2]).expect("positive");
            let config = Config {
                start: vec![0.5, 0.0],
                steps: gamma.to_vec(),
                ..Config::new(&problem, 3, noise)
            };
            let mut bound = RunBound::new(&problem, &config);
            let hessian = |j: usize, k: usize| {
                let data: f64 = X.iter().map(|x| x[j] * x[k] / 3.0).sum();
                data + if j == k { ridge } else { 0.0 }
            };
            let (mut w, mut largest, mut moved) = ([0.5, 0.0], [0.0_f64; 3], [0.0; 3]);
            for i in 0..3 {
                moved[i] = (X[i][0] * 0.5).abs();
            }
            // The errors of the steps so far, each where it has come to.
            let mut errors: Vec<[f64; 2]> = Vec::new();
            for (step, (j, value)) in [(1, 2.0), (0, -1.0), (1, 0.75)].into_iter().enumerate() {
                for i in 0..3 {
                    let residual: f64 = X[i][0] * w[0] + X[i][1] * w[1] - Y[i];
                    largest[i] = largest[i].max(residual.abs());
                }
                let gradient = |k: usize| {
                    let of = |i: usize| X[i][k].abs() * (largest[i] + moved[i]) / 3.0;
                    let mean: f64 = (0..3).map(of).sum();
                    let count = step * stored[k] + 9 * step + 1 + 16 + 6;
                    SLACK * U * (count as f64 * mean + 3.0 * ridge * f64::abs(w[k]))
                };
                let at = |k: usize| SLACK * errors.iter().map(|e| e[k].abs()).sum::<f64>();
                for k in 0..2 {
                    let close = |found: f64, truth: f64| {
                        let apart = (found - truth).abs();
                        assert!(apart <= 1e-12 * truth, "{step} {k}: {found}, {truth}");
                    };
                    close(bound.gradient(k), gradient(k));
                    close(bound.iterate(k), at(k));
                    let carried: f64 = (0..2).map(|l| hessian(k, l).abs() * at(l)).sum();
                    let difference = 2.0 * gradient(k) + SLACK * carried;
                    close(bound.gradient_difference(k), difference);
                }
                assert_eq!(bound.point(), w);
                let argument = w[j] - gamma[j] * value;
                let theta = 1.0 / (1.0 + gamma[j] * nu);
                let roundings =
                    (gamma[j] * value).abs() + argument.abs() + (argument * theta).abs();
                let own = 2.0 * (gamma[j] * gradient(j) + 2.0 * U * roundings);
                for error in &mut errors {
                    let pull = hessian(j, 0) * error[0] + hessian(j, 1) * error[1];
                    error[j] = theta * (error[j] - gamma[j] * pull);
                }
                errors.push(if j == 0 { [own, 0.0] } else { [0.0, own] });
                for i in 0..3 {
                    moved[i] += (X[i][j] * (argument * theta - w[j])).abs();
                }
                w[j] = argument * theta;
                bound.advance(NoisyPartial {
                    coordinate: j,
                    value,
                });
            }
            let all = |k: usize| SLACK * errors.iter().map(|e| e[k].abs()).sum::<f64>();
            for k in 0..2 {
                assert!((bound.iterate(k) / all(k) - 1.0).abs() < 1e-12);
            }
            assert!(!bound.kinked());
        }
    }
}
