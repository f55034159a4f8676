//! The problem restricted to a working set: proximal Newton on its second-order models.

use crate::problem::erm::Problem;
use crate::problem::regulariser::Regulariser;
use nalgebra::{DMatrix, DVector};

/// Sweeps over the coordinates of one model.
const SWEEPS: usize = 1000;
/// Newton steps on one working set.
const STEPS: usize = 60;
/// Coordinates up to which a model's matrix is formed: it costs |W|/2 sweeps over margins, and where columns depend on each
/// other more are saved.
const MATRIX: usize = 200;
/// Coordinates up to which the matrix is formed and factorised where ψ has no kink: as much work as half as many sweeps, of which
/// columns that nearly depend on each other take any number.
const FACTORISED: usize = 1000;

/// F as a function of the coordinates of the working set.
pub(super) struct Restricted<'a> {
    problem: &'a Problem,
    w: &'a mut [f64],
    margins: Vec<f64>,
    set: &'a [usize],
    slopes: Vec<f64>,
    curvatures: Vec<f64>,
}

impl<'a> Restricted<'a> {
    /// With margins u = Xw.
    pub(super) fn new(
        problem: &'a Problem,
        w: &'a mut [f64],
        margins: Vec<f64>,
        set: &'a [usize],
    ) -> Self {
        Self {
            problem,
            w,
            slopes: vec![0.0; margins.len()],
            curvatures: vec![0.0; margins.len()],
            margins,
            set,
        }
    }

    /// Newton steps until no coordinate of the set violates optimality by more than `target`; false if
    /// not even the first one could be taken.
    pub(super) fn solve(&mut self, target: f64) -> bool {
        let mut before = f64::INFINITY;
        for step in 0..STEPS {
            let gradient = self.refresh();
            let violation = self.violation(&gradient);
            if violation <= target {
                return true;
            }
            // At the resolution of F, steps that do not halve the violation lead nowhere.
            let stalled = violation > 0.5 * before;
            before = violation;
            let direction = self.direction(&gradient, 0.1 * target.max(1e-3 * violation));
            match self.search(&direction) {
                Progress::Falls => before = f64::INFINITY,
                Progress::Level if !stalled => {}
                Progress::Level | Progress::None => return step > 0,
            }
        }
        true
    }

    /// Slopes and curvatures at the margins; returns ∇f on the set.
    fn refresh(&mut self) -> Vec<f64> {
        let (loss, targets) = (self.problem.loss(), self.problem.data().targets());
        loss.derivatives(&self.margins, targets, &mut self.slopes);
        let records = self.margins.iter().zip(targets);
        for (curvature, (&u, &y)) in self.curvatures.iter_mut().zip(records) {
            // Where ℓ″ vanishes the model would be flat; a little curvature keeps steps finite.
            *curvature = loss.second_derivative(u, y).max(1e-10);
        }
        let (design, n) = (self.problem.data().design(), self.problem.records() as f64);
        let entry =
            |&j: &usize| design.column(j).dot(&self.slopes) / n + self.problem.ridge() * self.w[j];
        self.set.iter().map(entry).collect()
    }

    fn violation(&self, gradient: &[f64]) -> f64 {
        let psi = self.problem.regulariser();
        let score = |(&j, &g): (&usize, &f64)| psi.score_gss(g, self.w[j], 1.0);
        self.set.iter().zip(gradient).map(score).fold(0.0, f64::max)
    }

    /// The minimiser d of the model plus ψ at w + d, to within `tolerance` in the model's gradient.
    fn direction(&self, gradient: &[f64], tolerance: f64) -> Vec<f64> {
        if self.set.len() <= MATRIX {
            return self.direction_by_matrix(gradient, tolerance);
        }
        self.direction_by_factors(gradient)
            .unwrap_or_else(|| self.direction_by_margins(gradient, tolerance))
    }

    /// The minimiser itself, where the model is a quadratic form that is regular.
    fn direction_by_factors(&self, gradient: &[f64]) -> Option<Vec<f64>> {
        let size = self.set.len();
        let l2 = match self.problem.regulariser() {
            Regulariser::None => 0.0,
            Regulariser::L2(weight) => weight,
            _ => return None,
        };
        if size > FACTORISED {
            return None;
        }
        let mut matrix = DMatrix::from_vec(size, size, self.matrix());
        let mut slopes = DVector::from_column_slice(gradient);
        for (a, &j) in self.set.iter().enumerate() {
            matrix[(a, a)] += l2;
            slopes[a] += l2 * self.w[j];
        }
        let direction = matrix.cholesky()?.solve(&-slopes);
        let known = direction.iter().all(|d| d.is_finite());
        known.then(|| direction.data.into())
    }

    /// The second derivatives of f by the coordinates of the set.
    fn matrix(&self) -> Vec<f64> {
        let size = self.set.len();
        let (design, n) = (self.problem.data().design(), self.problem.records() as f64);
        let mut matrix = vec![0.0; size * size];
        let mut weighted = vec![0.0; self.margins.len()];
        for (a, &j) in self.set.iter().enumerate() {
            for (i, x) in design.column(j).iter() {
                weighted[i] = x * self.curvatures[i];
            }
            for (b, &k) in self.set.iter().enumerate().take(a + 1) {
                let entry = design.column(k).dot(&weighted) / n;
                (matrix[a * size + b], matrix[b * size + a]) = (entry, entry);
            }
            matrix[a * size + a] += self.problem.ridge();
            design.column(j).iter().for_each(|(i, _)| weighted[i] = 0.0);
        }
        matrix
    }

    fn direction_by_matrix(&self, gradient: &[f64], tolerance: f64) -> Vec<f64> {
        let (size, matrix) = (self.set.len(), self.matrix());
        let mut model = gradient.to_vec();
        let mut direction = vec![0.0; size];
        for _ in 0..SWEEPS {
            let mut largest = 0.0_f64;
            for a in 0..size {
                let m = matrix[a * size + a];
                let change = self.change(a, model[a], m, direction[a]);
                if change != 0.0 {
                    direction[a] += change;
                    largest = largest.max(m * change.abs());
                    let row = &matrix[a * size..][..size];
                    for (model, entry) in model.iter_mut().zip(row) {
                        *model += change * entry;
                    }
                }
            }
            if largest <= tolerance {
                break;
            }
        }
        direction
    }

    fn direction_by_margins(&self, gradient: &[f64], tolerance: f64) -> Vec<f64> {
        let (design, n) = (self.problem.data().design(), self.problem.records() as f64);
        let diagonal = |&j: &usize| {
            let column = design.column(j).iter();
            let sum: f64 = column.map(|(i, x)| self.curvatures[i] * x * x).sum();
            sum / n + self.problem.ridge()
        };
        let diagonal: Vec<f64> = self.set.iter().map(diagonal).collect();
        let mut direction = vec![0.0; self.set.len()];
        // Curvature times the margins of the direction.
        let mut moved = vec![0.0; self.margins.len()];
        for _ in 0..SWEEPS {
            let mut largest = 0.0_f64;
            for (a, &j) in self.set.iter().enumerate() {
                let column = design.column(j);
                let ridge = self.problem.ridge() * direction[a];
                let model = gradient[a] + column.dot(&moved) / n + ridge;
                let change = self.change(a, model, diagonal[a], direction[a]);
                if change != 0.0 {
                    direction[a] += change;
                    largest = largest.max(diagonal[a] * change.abs());
                    let moves = column.iter();
                    moves.for_each(|(i, x)| moved[i] += self.curvatures[i] * change * x);
                }
            }
            if largest <= tolerance {
                break;
            }
        }
        direction
    }

    /// What coordinate a of the set adds to its direction, for a model gradient and diagonal.
    fn change(&self, a: usize, gradient: f64, diagonal: f64, direction: f64) -> f64 {
        if diagonal <= 0.0 {
            return 0.0;
        }
        let at = self.w[self.set[a]] + direction;
        let psi = self.problem.regulariser();
        psi.prox(1.0 / diagonal, at - gradient / diagonal) - at
    }

    /// Goes along the direction as far as F falls, halving.
    fn search(&mut self, direction: &[f64]) -> Progress {
        let design = self.problem.data().design();
        let mut margins = vec![0.0; self.margins.len()];
        for (&j, &d) in self.set.iter().zip(direction).filter(|(_, d)| **d != 0.0) {
            design.add_column(j, d, &mut margins);
        }
        let before = self.objective(&margins, direction, 0.0);
        // F is a mean of n terms and up to |W| more: 2⁻⁵² for each of the last additions and a few.
        let level = 8.0 * f64::EPSILON * before.abs();
        let mut step = 1.0;
        for _ in 0..40 {
            let trial = self.objective(&margins, direction, step);
            if trial < before - level || (step == 1.0 && trial <= before + level) {
                for (&j, &d) in self.set.iter().zip(direction) {
                    self.w[j] = inside(self.problem.regulariser(), self.w[j] + step * d);
                }
                for (margin, change) in self.margins.iter_mut().zip(&margins) {
                    *margin += step * change;
                }
                return match trial < before - level {
                    true => Progress::Falls,
                    false => Progress::Level,
                };
            }
            step *= 0.5;
        }
        Progress::None
    }

    /// F at w + step·direction, less what does not depend on the set.
    fn objective(&self, margins: &[f64], direction: &[f64], step: f64) -> f64 {
        let (loss, psi) = (self.problem.loss(), self.problem.regulariser());
        let records = self
            .margins
            .iter()
            .zip(margins)
            .zip(self.problem.data().targets());
        let losses: f64 = records
            .map(|((u, d), &y)| loss.value(u + step * d, y))
            .sum();
        let penalty = |(&j, d): (&usize, &f64)| {
            let w = inside(psi, self.w[j] + step * d);
            0.5 * self.problem.ridge() * w * w + psi.value(w)
        };
        let penalties: f64 = self.set.iter().zip(direction).map(penalty).sum();
        losses / self.problem.records() as f64 + penalties
    }
}

/// What a line search found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// F is lower.
    Falls,
    /// F is the same to its resolution, after a full step.
    Level,
    /// F rises whatever the step.
    None,
}

/// Rounding may leave a box by an ulp: bring the point back.
fn inside(psi: Regulariser, w: f64) -> f64 {
    match psi {
        Regulariser::Box { .. } => psi.prox(1.0, w),
        _ => w,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_an_ulp_outside_of_a_box_is_brought_back() {
        let psi = Regulariser::Box {
            lower: -1.0,
            upper: 0.5,
        };
        assert_eq!(inside(psi, 0.5_f64.next_up()), 0.5);
        assert_eq!(inside(psi, (-1.0_f64).next_down()), -1.0);
        assert_eq!(inside(Regulariser::L1(0.25), 7.0), 7.0);
    }
}
