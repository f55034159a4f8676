//! How far a point may be from optimal.

use crate::problem::columns::for_columns;
use crate::problem::erm::Problem;
use crate::problem::regulariser::Regulariser;

/// An upper bound on F(w) − min F.
///
/// With ∂ the smallest subgradient of F at w, convexity gives F(w) − F(w*) ≤ ∂·(w − w*), hence
/// - a strongly convex part (μ/2)‖w‖² (ridge, ℓ₂): at most ‖∂‖²/(2μ);
/// - ℓ₁ with weight ν: at most ‖∂‖_∞ (‖w‖₁ + ‖w*‖₁), and ν‖w*‖₁ ≤ F(w) − inf f;
/// - a box: at most Σ_j |∂_j| max(w_j − lower, upper − w_j).
///
/// The smallest of those that apply. Each |∂_j| is enlarged by the rounding of its evaluation.
///
/// ```
/// use dp_assay::problem::loss::Squared;
/// use dp_assay::problem::optimum::gap_upper;
/// use dp_assay::problem::{Dataset, Dense, Problem, Regulariser};
///
/// // F(w) = (w - 1)²/2 on [0, 2]: the gap at 0 is 1/2.
/// let data = Dataset::new("one", Dense::from_rows(&[[1.0]])?, vec![1.0])?;
/// let problem = Problem::new(data, Squared, Regulariser::Box { lower: 0.0, upper: 2.0 })?;
/// assert!(gap_upper(&problem, &[0.0]) >= 0.5);
/// assert!(gap_upper(&problem, &[1.0]) < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn gap_upper(problem: &Problem, w: &[f64]) -> f64 {
    let margins = problem.margins(w);
    let subgradient = Subgradients::new(problem).upper(w, &margins);
    from_subgradient(problem, w, &margins, &subgradient)
}

/// The bound of [`gap_upper`] from the moduli |∂_j|.
pub(super) fn from_subgradient(
    problem: &Problem,
    w: &[f64],
    margins: &[f64],
    subgradient: &[f64],
) -> f64 {
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
            let excess = problem.objective_at(margins, w) - problem.loss().infimum();
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

/// Upper bounds on the moduli of the smallest subgradient of F, at one point after another.
///
/// A full pass over X computes the partial derivative of every column. After it, while the slopes ℓ′ move by a vector
/// Δ in all, that of column j moves by at most ‖x_j‖‖Δ‖/n: a column whose subgradient is 0 anywhere in that reach
/// (w_j = 0 under ℓ₁, or at a side of a box) is not read again.
pub(super) struct Subgradients<'a> {
    problem: &'a Problem,
    slopes: Slopes,
    last: Option<FullPass>,
}

/// ℓ′ of all records, with a bound on ‖computed − exact‖₂ and on what a sum over a column adds, per ‖x_j‖.
#[derive(Clone, Default)]
struct Slopes {
    values: Vec<f64>,
    doubt: f64,
}

/// What a pass over all columns found.
struct FullPass {
    slopes: Slopes,
    columns: Vec<Partial>,
}

/// The data term's partial derivative of one column, and ‖x_j‖.
#[derive(Clone, Copy, Default)]
struct Partial {
    gradient: f64,
    norm: f64,
}

impl<'a> Subgradients<'a> {
    pub(super) fn new(problem: &'a Problem) -> Self {
        Self {
            problem,
            slopes: Slopes::default(),
            last: None,
        }
    }

    /// The bounds at w, p entries, for margins Xw.
    pub(super) fn upper(&mut self, w: &[f64], margins: &[f64]) -> Vec<f64> {
        self.slopes = Slopes::at(self.problem, w, margins);
        let unsettled = self.unsettled(w);
        let mut bounds = vec![0.0; w.len()];
        let design = self.problem.data().design();
        let mut partials = vec![Partial::default(); unsettled.len()];
        for_columns(design, &mut partials, |k| self.partial(unsettled[k]));
        for (&j, partial) in unsettled.iter().zip(&partials) {
            bounds[j] = self.bound(w[j], *partial);
        }
        if unsettled.len() == w.len() {
            self.last = Some(FullPass {
                slopes: std::mem::take(&mut self.slopes),
                columns: partials,
            });
        }
        bounds
    }

    /// The columns that have to be read: all of them when most do.
    fn unsettled(&self, w: &[f64]) -> Vec<usize> {
        let p = w.len();
        let Some(last) = &self.last else {
            return (0..p).collect();
        };
        let reach = self.slopes.distance(&last.slopes) / self.problem.records() as f64;
        let open = |&j: &usize| {
            let Partial { gradient, norm } = last.columns[j];
            let ridge = self.problem.ridge() * w[j];
            let middle = gradient + ridge;
            // The products and sums here round four times.
            let radius = norm * reach + 2.0 * f64::EPSILON * (gradient.abs() + ridge.abs());
            let psi = self.problem.regulariser();
            let score = |gradient| psi.score_gss(gradient, w[j], 1.0);
            score(middle - radius) > 0.0 || score(middle + radius) > 0.0
        };
        let open: Vec<usize> = (0..p).filter(open).collect();
        match 2 * open.len() > p {
            true => (0..p).collect(),
            false => open,
        }
    }

    fn partial(&self, j: usize) -> Partial {
        let column = self.problem.data().design().column(j);
        let (sum, squares) = column.dot_and_squares(&self.slopes.values);
        Partial {
            gradient: sum / self.problem.records() as f64,
            norm: squares.sqrt(),
        }
    }

    fn bound(&self, w: f64, partial: Partial) -> f64 {
        let ridge = self.problem.ridge() * w;
        let doubt = 2.0 * partial.norm * self.slopes.doubt / self.problem.records() as f64
            + 2.0 * f64::EPSILON * ridge.abs();
        let psi = self.problem.regulariser();
        psi.score_gss(partial.gradient + ridge, w, 1.0) + doubt
    }
}

impl Slopes {
    /// Rounding: a margin is a sum of p products, off by at most (p + 1)u Σ_j|x_ij w_j|; ℓ′ moves by sup
    /// ℓ″ times that plus 4u|ℓ′|; the sum of n products adds (n + 1)u Σ_i|x_ij ℓ′_i|. (u = 2⁻⁵³.) With d_i the sum
    /// of these over |x_ij|, a column's sum is in doubt by Σ_i|x_ij|d_i ≤ ‖x_j‖‖d‖.
    fn at(problem: &Problem, w: &[f64], margins: &[f64]) -> Self {
        let (n, p) = (problem.records(), problem.features());
        let (design, loss) = (problem.data().design(), problem.loss());
        let unit = 0.5 * f64::EPSILON;
        let mut moduli = vec![0.0; n];
        for (j, &w) in w.iter().enumerate().filter(|(_, w)| **w != 0.0) {
            let column = design.column(j).iter();
            column.for_each(|(i, x)| moduli[i] += (x * w).abs());
        }
        let mut values = vec![0.0; n];
        loss.derivatives(margins, problem.data().targets(), &mut values);
        let squares = values.iter().zip(&moduli).map(|(slope, modulus)| {
            let margin = loss.curvature() * (p + 1) as f64 * modulus;
            let doubt = unit * (margin + (n + 5) as f64 * slope.abs());
            doubt * doubt
        });
        let doubt = squares.sum::<f64>().sqrt();
        Self { values, doubt }
    }

    /// An upper bound on how far a column's exact sum of products may be from the one computed with `other`, per
    /// ‖x_j‖: the move, the doubt of either end, that of the computed sum once more, and the rounding of ‖Δ‖ and
    /// ‖x_j‖, (n + 2)u each.
    fn distance(&self, other: &Self) -> f64 {
        let differences = self.values.iter().zip(&other.values).map(|(a, b)| a - b);
        let moved = differences.map(|d| d * d).sum::<f64>().sqrt();
        let rounding = 2.0 * (self.values.len() + 4) as f64 * f64::EPSILON;
        (moved + 2.0 * (self.doubt + other.doubt)) * (1.0 + rounding)
    }
}

#[cfg(test)]
mod tests {
    use super::{Slopes, Subgradients, gap_upper};
    use crate::problem::loss::{Logistic, Loss, Squared};
    use crate::problem::{Dataset, Dense, Problem, Regulariser, dataset};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    fn problem(
        random: &mut Pcg64,
        loss: impl Loss + 'static,
        psi: Regulariser,
        ridge: f64,
    ) -> Problem {
        let (n, p) = (random.random_range(2..60), random.random_range(1..40));
        let values = (0..n * p).map(|_| random.random_range(-2.0..2.0)).collect();
        let design = Dense::from_columns(n, p, values).unwrap();
        let targets = (0..n).map(|_| if random.random() { 1.0 } else { -1.0 });
        let data = Dataset::new("random", design, targets.collect()).unwrap();
        let problem = Problem::new(data, loss, psi).unwrap();
        problem.with_ridge(ridge).unwrap()
    }

    /// A walk that comes to rest: what is left out must be 0 by a pass of its own, up to that pass's own doubt.
    #[test]
    fn columns_left_out_of_a_pass_are_optimal() {
        let (mut left_out, mut read) = (0, 0);
        for seed in 0..200 {
            let random = &mut Pcg64::seed_from_u64(seed);
            let psi = match seed % 2 {
                0 => Regulariser::L1(random.random_range(0.0..0.5)),
                _ => Regulariser::Box {
                    lower: 0.0,
                    upper: 0.02,
                },
            };
            let ridge = if seed % 3 == 0 { 4.0 } else { 0.0 };
            let problem = match seed % 4 {
                0 | 1 => problem(random, Logistic, psi, ridge),
                _ => problem(random, Squared, psi, ridge),
            };
            let mut screened = Subgradients::new(&problem);
            let mut w = vec![0.0; problem.features()];
            let mut size = 0.1;
            for _ in 0..6 {
                let margins = problem.margins(&w);
                let bounds = screened.upper(&w, &margins);
                let mut fresh = Subgradients::new(&problem);
                for (j, (ours, own)) in bounds.iter().zip(fresh.upper(&w, &margins)).enumerate() {
                    if *ours == 0.0 {
                        let doubt = fresh.last.as_ref().unwrap();
                        let doubt = 2.0 * doubt.columns[j].norm * doubt.slopes.doubt
                            / problem.records() as f64
                            + 2.0 * f64::EPSILON * (ridge * w[j]).abs();
                        assert!(own <= doubt, "seed {seed}, column {j}: {own:e}");
                        left_out += 1;
                    } else {
                        assert_eq!(*ours, own, "seed {seed}, column {j}");
                        read += 1;
                    }
                }
                let j = random.random_range(0..w.len());
                w[j] = psi.prox(1.0, 1.0_f64.copysign(w[j]) * random.random_range(0.0..size));
                size *= 0.3;
            }
        }
        assert!(left_out > 2_000 && read > 2_000, "{left_out} {read}");
    }

    /// F(w) − F(v) for every v of the range, wherever in it w is and on whichever side the least of F.
    #[test]
    fn a_gap_in_a_box_is_that_to_its_far_end() {
        for (target, best) in [(5.0, 3.0), (-5.0, -1.0)] {
            let data = dataset::table(&[[1.0]], vec![target]);
            let psi = Regulariser::Box {
                lower: -1.0,
                upper: 3.0,
            };
            let problem = Problem::new(data, Squared, psi).unwrap();
            for j in 0..=40 {
                let w = -1.0 + 0.1 * f64::from(j);
                let truth = problem.objective(&[w]) - problem.objective(&[best]);
                let most = (w - target).abs() * (w + 1.0).max(3.0 - w);
                let found = gap_upper(&problem, &[w]);
                assert!(truth <= found, "{w}: {found} is below {truth}");
                assert!(found <= most * (1.0 + 1e-6) + 1e-9, "{w}: {found}");
            }
        }
    }

    /// A margin that rounds to its target: the slope that is computed is 0 and the true one, told by a fused product, is not.
    #[test]
    fn a_subgradient_that_rounding_hides_is_within_its_bound() {
        let mut hidden = 0;
        for k in 1..40 {
            let (x, w) = (0.1_f64, f64::from(k) / 7.0);
            let lost = x.mul_add(w, -(x * w));
            let data = dataset::table(&[[x]], vec![x * w]);
            let problem = Problem::new(data, Squared, Regulariser::None).unwrap();
            let margins = problem.margins(&[w]);
            let bound = Subgradients::new(&problem).upper(&[w], &margins)[0];
            assert!(
                (x * lost).abs() <= bound,
                "{w}: {lost:e} is above {bound:e}"
            );
            hidden += usize::from(lost != 0.0);
        }
        assert!(hidden > 30, "{hidden}");
    }

    /// By hand, for u = 2⁻⁵³: margins xw of moduli 4 and 6 are sums of 2 products, slopes xw − y are 1 and −7, and there are two
    /// records: u·(2·4 + 7·1) and u·(2·6 + 7·7).
    #[test]
    fn slopes_are_in_doubt_by_all_of_their_roundings() {
        let data = dataset::table(&[[2.0], [-3.0]], vec![3.0, 1.0]);
        let problem = Problem::new(data, Squared, Regulariser::None).unwrap();
        let margins = problem.margins(&[2.0]);
        let found = Slopes::at(&problem, &[2.0], &margins);
        assert_eq!(found.values, [1.0, -7.0]);
        let truth = f64::hypot(15.0, 61.0) * 0.5 * f64::EPSILON;
        assert!((found.doubt / truth - 1.0).abs() < 1e-12, "{}", found.doubt);
    }
}
