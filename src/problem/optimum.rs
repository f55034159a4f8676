//! The non-private optimum of a problem, with a certified gap.
//!
//! Proximal Newton: at each round the loss is replaced by its second-order model, the model plus
//! ridge and ψ is minimised by cyclic coordinate descent over margins, and a backtracking line
//! search keeps F decreasing. What is returned is judged by its gap, not by trust in the method.

use super::erm::Problem;
use super::regulariser::Regulariser;

/// A nearly optimal point.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimum {
    /// The point.
    pub w: Vec<f64>,
    /// F there.
    pub objective: f64,
    /// An upper bound on F(w) − min F, rounding of the gradient included; infinite when ψ and ridge
    /// give no bound on the distance to a minimiser.
    pub gap_upper: f64,
    /// Newton rounds used.
    pub rounds: usize,
}

/// Coordinate descent epochs on one model.
const EPOCHS: usize = 100;

/// Minimises F until the certified gap is at most `tolerance` or `rounds` Newton rounds are spent.
/// Starts from 0 (moved into the box if there is one).
#[must_use]
pub fn optimum(problem: &Problem, tolerance: f64, rounds: usize) -> Optimum {
    let start = problem.regulariser().prox(1.0, 0.0);
    let mut w = vec![start; problem.features()];
    for round in 0..rounds {
        let gap_upper = gap_upper(problem, &w);
        if gap_upper <= tolerance || !newton_round(problem, &mut w) {
            return finish(problem, w, round);
        }
    }
    finish(problem, w, rounds)
}

fn finish(problem: &Problem, w: Vec<f64>, rounds: usize) -> Optimum {
    Optimum {
        objective: problem.objective(&w),
        gap_upper: gap_upper(problem, &w),
        rounds,
        w,
    }
}

/// An upper bound on F(w) − min F.
///
/// With ∂ the smallest subgradient of F at w, convexity gives F(w) − F(w*) ≤ ∂·(w − w*), hence
/// - a strongly convex part (μ/2)‖w‖² (ridge, ℓ₂): at most ‖∂‖²/(2μ);
/// - ℓ₁ with weight ν: at most ‖∂‖_∞ (‖w‖₁ + ‖w*‖₁), and ν‖w*‖₁ ≤ F(w) − inf f;
/// - a box: at most Σ_j |∂_j| max(w_j − lower, upper − w_j).
///
/// The smallest of those that apply. Each |∂_j| is enlarged by the rounding of its evaluation.
#[must_use]
pub fn gap_upper(problem: &Problem, w: &[f64]) -> f64 {
    let subgradient = subgradient_upper(problem, w);
    let psi = problem.regulariser();
    let mut gap = f64::INFINITY;
    let l2 = if let Regulariser::L2(weight) = psi {
        weight
    } else {
        0.0
    };
    let strong = problem.ridge() + l2;
    if strong > 0.0 {
        let squares: f64 = subgradient.iter().map(|g| g * g).sum();
        gap = gap.min(squares / (2.0 * strong));
    }
    match psi {
        Regulariser::L1(weight) if weight > 0.0 => {
            let largest = subgradient.iter().copied().fold(0.0, f64::max);
            let norm: f64 = w.iter().map(|w| w.abs()).sum();
            let excess = problem.objective(w) - problem.loss().infimum();
            gap = gap.min(largest * (norm + excess / weight));
        }
        Regulariser::Box { lower, upper } => {
            let reach = |w: f64| (w - lower).max(upper - w);
            let terms = subgradient.iter().zip(w).filter(|(g, _)| **g > 0.0);
            gap = gap.min(terms.map(|(g, &w)| g * reach(w)).sum());
        }
        _ => {}
    }
    // The bounds above are sums of up to p positive terms: their own rounding is far below this.
    gap * (1.0 + 1e-9)
}

/// Upper bounds on the moduli of the smallest subgradient of F, coordinate by coordinate.
///
/// Rounding: a margin is a sum of p products, off by at most (p + 1)u Σ_j|x_ij w_j|; ℓ′ moves by sup
/// ℓ″ times that plus 4u|ℓ′|; the sum of n products adds (n + 1)u Σ_i|x_ij ℓ′_i|. (u = 2⁻⁵³.)
fn subgradient_upper(problem: &Problem, w: &[f64]) -> Vec<f64> {
    let (n, p) = (problem.records(), problem.features());
    let unit = 0.5 * f64::EPSILON;
    let mut moduli = vec![0.0; n];
    for (j, &w) in w.iter().enumerate().filter(|(_, w)| **w != 0.0) {
        let column = problem.data().design().column(j).iter();
        column.for_each(|(i, x)| moduli[i] += (x * w).abs());
    }
    let margins = problem.margins(w);
    let losses = margins.iter().zip(problem.data().targets()).zip(&moduli);
    let doubt: Vec<f64> = losses
        .map(|((&u, &y), modulus)| {
            let slope = problem.loss().derivative(u, y).abs();
            let margin = problem.loss().curvature() * (p + 1) as f64 * modulus;
            unit * (margin + (n + 5) as f64 * slope)
        })
        .collect();
    let gradient = problem.gradient(w);
    let entry = |j: usize| {
        let column = problem.data().design().column(j).iter();
        let doubt: f64 = column.map(|(i, x)| x.abs() * doubt[i]).sum::<f64>() / n as f64;
        let doubt = 2.0 * doubt + 4.0 * unit * (problem.ridge() * w[j]).abs();
        problem.regulariser().score_gss(gradient[j], w[j], 1.0) + doubt
    };
    (0..p).map(entry).collect()
}

/// One proximal Newton round; false when no step decreases F any more.
fn newton_round(problem: &Problem, w: &mut [f64]) -> bool {
    let model = Model::at(problem, w);
    let direction = model.direction(problem, w);
    let before = problem.objective(w);
    let mut step = 1.0;
    for _ in 0..40 {
        let moved = w.iter().zip(&direction).map(|(w, d)| w + step * d);
        let trial: Vec<f64> = moved.map(|w| inside(problem.regulariser(), w)).collect();
        if problem.objective(&trial) < before {
            w.copy_from_slice(&trial);
            return true;
        }
        step *= 0.5;
    }
    false
}

/// Rounding may leave a box by an ulp: bring the point back.
fn inside(psi: Regulariser, w: f64) -> f64 {
    match psi {
        Regulariser::Box { .. } => psi.prox(1.0, w),
        _ => w,
    }
}

/// The second-order model of the mean loss at a point.
struct Model {
    slopes: Vec<f64>,
    curvatures: Vec<f64>,
    diagonal: Vec<f64>,
}

impl Model {
    fn at(problem: &Problem, w: &[f64]) -> Self {
        let margins = problem.margins(w);
        let records = || margins.iter().zip(problem.data().targets());
        let loss = problem.loss();
        let curvatures: Vec<f64> = records()
            // Where ℓ″ vanishes the model would be flat; a little curvature keeps steps finite.
            .map(|(&u, &y)| loss.second_derivative(u, y).max(1e-10))
            .collect();
        let diagonal = |j| {
            let column = problem.data().design().column(j).iter();
            let sum: f64 = column.map(|(i, x)| curvatures[i] * x * x).sum();
            sum / problem.records() as f64 + problem.ridge()
        };
        Self {
            slopes: records().map(|(&u, &y)| loss.derivative(u, y)).collect(),
            diagonal: (0..problem.features()).map(diagonal).collect(),
            curvatures,
        }
    }

    /// The minimiser d of the model plus ridge and ψ at w + d, by cyclic coordinate descent.
    fn direction(&self, problem: &Problem, w: &[f64]) -> Vec<f64> {
        let mut direction = vec![0.0; w.len()];
        let mut moved = vec![0.0; problem.records()];
        let mut first = 0.0;
        for epoch in 0..EPOCHS {
            let change = self.epoch(problem, w, &mut direction, &mut moved);
            if epoch == 0 {
                first = change;
            }
            if change <= 1e-8 * first {
                break;
            }
        }
        direction
    }

    /// One sweep over the coordinates; returns the largest change in model units.
    fn epoch(&self, problem: &Problem, w: &[f64], d: &mut [f64], moved: &mut [f64]) -> f64 {
        let mut largest = 0.0_f64;
        for (j, &m) in self.diagonal.iter().enumerate().filter(|(_, m)| **m > 0.0) {
            let column = problem.data().design().column(j);
            let model = |(i, x): (usize, f64)| x * (self.slopes[i] + self.curvatures[i] * moved[i]);
            let sum: f64 = column.iter().map(model).sum();
            let at = w[j] + d[j];
            let gradient = sum / problem.records() as f64 + problem.ridge() * at;
            let change = problem.regulariser().prox(1.0 / m, at - gradient / m) - at;
            if change != 0.0 {
                d[j] += change;
                column.iter().for_each(|(i, x)| moved[i] += change * x);
                largest = largest.max(change.abs() * m.sqrt());
            }
        }
        largest
    }
}

#[cfg(test)]
mod tests {
    use super::optimum;
    use crate::problem::loss::{Logistic, Squared};
    use crate::problem::{Dataset, Dense, Problem, Regulariser, scaling};

    #[test]
    fn breast_cancer_is_solved_to_a_certified_gap() {
        let data = scaling::standardised(&Dataset::breast_cancer()).expect("finite");
        for (psi, ridge) in [
            (Regulariser::None, 1e-3),
            (Regulariser::L1(0.01), 0.0),
            (Regulariser::L2(0.1), 0.0),
            (
                Regulariser::Box {
                    lower: -0.5,
                    upper: 0.5,
                },
                0.0,
            ),
        ] {
            let problem = Problem::new(data.clone(), Logistic, psi).expect("±1");
            let problem = problem.with_ridge(ridge).expect("sound");
            let best = optimum(&problem, 1e-10, 100);
            assert!(best.gap_upper <= 1e-10, "{psi:?}: {best:?}");
            assert!(problem.accuracy(&best.w) > 0.95);
        }
    }

    /// (1/2)(w − 3)² + |w| has its minimum 2.5 at w = 2.
    #[test]
    fn the_gap_bounds_a_known_distance_to_the_minimum() {
        let data = Dataset::new(
            "one",
            Dense::from_rows(&[[1.0]]).expect("finite"),
            vec![3.0],
        );
        let problem =
            Problem::new(data.expect("one"), Squared, Regulariser::L1(1.0)).expect("sound");
        for w in [-1.0, 0.0, 1.0, 1.9, 2.0, 2.5, 7.0] {
            assert!(super::gap_upper(&problem, &[w]) >= problem.objective(&[w]) - 2.5);
        }
        let best = optimum(&problem, 1e-12, 50);
        assert!((best.objective - 2.5).abs() <= 1e-12, "{best:?}");
    }
}
