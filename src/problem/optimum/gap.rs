//! How far a point may be from optimal.

use crate::problem::erm::Problem;
use crate::problem::kernels::for_columns;
use crate::problem::regulariser::Regulariser;

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
    let margins = problem.margins(w);
    from_subgradient(problem, w, &subgradient_upper(problem, w, &margins))
}

/// The bound of [`gap_upper`] from the moduli |∂_j|.
pub(super) fn from_subgradient(problem: &Problem, w: &[f64], subgradient: &[f64]) -> f64 {
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

/// Upper bounds on the moduli of the smallest subgradient of F, coordinate by coordinate, in one pass
/// over X.
///
/// Rounding: a margin is a sum of p products, off by at most (p + 1)u Σ_j|x_ij w_j|; ℓ′ moves by sup
/// ℓ″ times that plus 4u|ℓ′|; the sum of n products adds (n + 1)u Σ_i|x_ij ℓ′_i|. (u = 2⁻⁵³.) The doubt
/// itself is summed as Σ_i|x_ij|d_i ≤ √(Σ x_ij²) √(Σ d_i²).
pub(super) fn subgradient_upper(problem: &Problem, w: &[f64], margins: &[f64]) -> Vec<f64> {
    let (n, p) = (problem.records(), problem.features());
    let design = problem.data().design();
    let unit = 0.5 * f64::EPSILON;
    let mut moduli = vec![0.0; n];
    for (j, &w) in w.iter().enumerate().filter(|(_, w)| **w != 0.0) {
        let column = design.column(j).iter();
        column.for_each(|(i, x)| moduli[i] += (x * w).abs());
    }
    let mut slopes = vec![0.0; n];
    let loss = problem.loss();
    loss.derivatives(margins, problem.data().targets(), &mut slopes);
    let squares = slopes.iter().zip(&moduli).map(|(slope, modulus)| {
        let margin = loss.curvature() * (p + 1) as f64 * modulus;
        let doubt = unit * (margin + (n + 5) as f64 * slope.abs());
        doubt * doubt
    });
    let doubt = squares.sum::<f64>().sqrt();
    let mut bounds = vec![0.0; p];
    for_columns(design, &mut bounds, |j| {
        let column = design.column(j);
        let (gradient, squares) = column.dot_and_squares(&slopes);
        let gradient = gradient / n as f64 + problem.ridge() * w[j];
        let doubt =
            2.0 * squares.sqrt() * doubt / n as f64 + 4.0 * unit * (problem.ridge() * w[j]).abs();
        problem.regulariser().score_gss(gradient, w[j], 1.0) + doubt
    });
    bounds
}
