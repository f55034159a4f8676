//! Columns of (I + ρL)⁻¹ of a connected graph by conjugate gradients, certified by their residuals.
//!
//! For expanders, whose elimination fills in. The constant part of eᵢ is solved exactly, A·1 = 1, so
//! the iteration starts from 1/n and sees the spectrum from 1 + ρλ₂ on. Nothing rests on its
//! convergence: for any y with r = eᵢ − Ay,
//!
//! M_ii = eᵢᵀy + yᵀr + rᵀA⁻¹r lies between yᵢ + yᵀr and yᵢ + yᵀr + ‖r‖², and |M_ji − y_j| ≤ ‖r‖,
//!
//! because A ⪰ I; with √M_jj before ‖r‖ too, because A⁻² ⪯ A⁻¹. Residuals are recomputed with a bound
//! on their rounding. In the terms of Golub and
//! Meurant (1994) this is Gauss–Radau quadrature with the known end 1 of the spectrum, in a form that
//! stays valid under rounding.

use super::elimination::{LANES, Lanes};
use crate::float::U;
use crate::graph::Graph;

/// Iterations after which the columns are taken as they are: bounds stay valid, only wider.
const ITERATIONS_MAX: usize = 2000;

/// Columns with their certificates.
pub struct Columns {
    /// Row i of the columns.
    pub y: Vec<Lanes>,
    /// Bounds of the entries M_bb on the diagonal, lower and upper.
    pub diagonal: (Lanes, Lanes),
    /// ‖r‖, rounded up: every entry of the column is this close.
    pub residual: Lanes,
}

/// Solves for the columns of these vertices, up to [`LANES`] of them; `stop(lower, upper)` says, from
/// unrounded bounds of a diagonal entry, whether a column is good enough. Unused lanes repeat the
/// first.
///
/// ```
/// use dp_assay::accounting::decor::conjugate::{certify, columns, targets, until_within};
/// use dp_assay::accounting::decor::elimination::LANES;
/// use dp_assay::problem::Graph;
///
/// // Four users, all neighbours, ρ = 4: the diagonal of (I + ρL)⁻¹ is 1/4 + 3/4/17.
/// let graph = Graph::complete(4)?;
/// let (lower, upper) = columns(&graph, 4.0, &[0], &until_within(1e-9)).diagonal;
/// assert!((0.294..0.295).contains(&lower[0]) && lower[0] <= upper[0] && upper[0] < 0.295);
/// // Any guess of the columns is certified, a poor one with wide bounds.
/// let poor = certify(&graph, 4.0, vec![[0.25; LANES]; 4], &targets(&[0])).diagonal;
/// assert!(poor.0[0] <= lower[0] && upper[0] <= poor.1[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn columns(
    graph: &Graph,
    rho: f64,
    vertices: &[usize],
    stop: &(impl Fn(f64, f64) -> bool + ?Sized),
) -> Columns {
    let targets = targets(vertices);
    let n = graph.n();
    let start = 1.0 / n as f64;
    let mut y = vec![[start; LANES]; n];
    let mut r = vec![[-start; LANES]; n];
    for (lane, &v) in targets.iter().enumerate() {
        r[v][lane] += 1.0;
    }
    let mut p = r.clone();
    let mut image = vec![[0.0; LANES]; n];
    let mut square = subtract_scaled(&mut r, &[0.0; LANES], &image);
    // yᵀe grows by αᵢ‖rᵢ‖² at every step; the constant part contributes 1/n.
    let mut value = [start; LANES];
    for _ in 0..ITERATIONS_MAX {
        if (0..LANES).all(|lane| stop(value[lane], value[lane] + square[lane])) {
            break;
        }
        let curvature = apply(graph, rho, &p, &mut image);
        let alpha = ratio(&square, &curvature);
        let next = subtract_scaled(&mut r, &alpha, &image);
        let beta = ratio(&next, &square);
        // The step along p, and the next direction: p is read once.
        for ((y, p), r) in y.iter_mut().zip(&mut p).zip(&r) {
            for lane in 0..LANES {
                y[lane] += alpha[lane] * p[lane];
                p[lane] = r[lane] + beta[lane] * p[lane];
            }
        }
        (0..LANES).for_each(|lane| value[lane] += alpha[lane] * square[lane]);
        square = next;
    }
    certify(graph, rho, y, &targets)
}

/// Stops at bounds of this relative width.
pub fn until_within(width: f64) -> impl Fn(f64, f64) -> bool {
    move |lower, upper| upper - lower <= width * lower
}

/// One vertex for every lane: the first again where the list ends.
#[must_use]
pub fn targets(vertices: &[usize]) -> [usize; LANES] {
    std::array::from_fn(|lane| *vertices.get(lane).unwrap_or(&vertices[0]))
}

/// A·p = (p_i + ρ Σ_{j∈N_i} (p_i − p_j)), and pᵀAp: memory is what bounds these loops, so that each
/// vector is visited as seldom as possible.
fn apply(graph: &Graph, rho: f64, p: &[Lanes], image: &mut [Lanes]) -> Lanes {
    let mut product = [0.0; LANES];
    for (i, (out, own)) in image.iter_mut().zip(p).enumerate() {
        let mut sum = [0.0; LANES];
        for &j in graph.neighbours(i) {
            for (s, x) in sum.iter_mut().zip(&p[j as usize]) {
                *s += x;
            }
        }
        let weight = 1.0 + rho * graph.degree(i) as f64;
        for lane in 0..LANES {
            out[lane] = weight * own[lane] - rho * sum[lane];
            product[lane] += own[lane] * out[lane];
        }
    }
    product
}

/// r ← r − αv, and rᵀr.
fn subtract_scaled(r: &mut [Lanes], alpha: &Lanes, v: &[Lanes]) -> Lanes {
    let mut square = [0.0; LANES];
    for (r, v) in r.iter_mut().zip(v) {
        for lane in 0..LANES {
            r[lane] -= alpha[lane] * v[lane];
            square[lane] += r[lane] * r[lane];
        }
    }
    square
}

/// a/b, and 0 where a column has converged completely.
fn ratio(a: &Lanes, b: &Lanes) -> Lanes {
    std::array::from_fn(|lane| {
        if b[lane] > 0.0 {
            a[lane] / b[lane]
        } else {
            0.0
        }
    })
}

/// The bounds of the module's comment for any approximate columns, from residuals formed anew. Per entry,
/// e − y − ρ Σ (y_i − y_j) is off by at most (deg + 4)u of e + |y_i| + ρ Σ |y_i − y_j|, and that plus
/// deg roundings of the differences, u ρ Σ |y_i − y_j| each.
#[must_use]
pub fn certify(graph: &Graph, rho: f64, y: Vec<Lanes>, targets: &[usize; LANES]) -> Columns {
    let n = graph.n();
    let (mut square, mut shift) = ([0.0; LANES], [0.0; LANES]);
    let mut size = [0.0; LANES];
    for i in 0..n {
        let own = y[i];
        let (mut flow, mut absolute) = ([0.0; LANES], [0.0; LANES]);
        for &j in graph.neighbours(i) {
            for (lane, x) in y[j as usize].iter().enumerate() {
                let difference = own[lane] - x;
                flow[lane] += difference;
                absolute[lane] += difference.abs();
            }
        }
        let roundings = (graph.degree(i) + 6) as f64 * U * 1.01;
        for lane in 0..LANES {
            let unit = f64::from(u8::from(targets[lane] == i));
            let r = (unit - own[lane]) - rho * flow[lane];
            let error = roundings * (unit + own[lane].abs() + rho * absolute[lane]);
            square[lane] += (r.abs() + error).powi(2);
            shift[lane] += own[lane] * r;
            size[lane] += own[lane].abs() * (r.abs() * 3.0 * n as f64 * U + error);
        }
    }
    let growth = 1.0 + 2.0 * (n as f64 + 4.0) * U;
    let mut diagonal = ([0.0; LANES], [0.0; LANES]);
    let mut residual = [0.0; LANES];
    for lane in 0..LANES {
        let (rest, slack) = (square[lane] * growth, size[lane] * growth);
        let middle = y[targets[lane]][lane] + shift[lane];
        let slack = slack + 4.0 * U * (middle.abs() + shift[lane].abs());
        diagonal.0[lane] = (middle - slack).next_down();
        diagonal.1[lane] = (middle + slack + rest).next_up();
        residual[lane] = rest.sqrt().next_up();
    }
    Columns {
        y,
        diagonal,
        residual,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::decor::graphs::graphs;
    use crate::accounting::steady;

    /// Two users, ρ = ½: the columns ¾, ¼ are exact, and so are all sums of them. A residual of 0 is known as well as sums of
    /// so many numbers of such a size are.
    #[test]
    fn an_exact_column_is_off_by_roundings_of_all_that_was_added() {
        let pair = Graph::complete(2).expect("small");
        let found = certify(
            &pair,
            0.5,
            vec![[0.75; LANES], [0.25; LANES]],
            &targets(&[0]),
        );
        let roundings = [1.0 + 0.75 + 0.25, 0.25 + 0.25].map(|size| 7.0 * U * size);
        let least = f64::hypot(roundings[0], roundings[1]);
        for lane in 0..LANES {
            let (residual, lower) = (found.residual[lane], found.diagonal.0[lane]);
            assert!(
                (least..1.1 * least).contains(&residual),
                "{residual}, {least}"
            );
            let slack = 0.75 * roundings[0] + 0.25 * roundings[1];
            assert!(lower <= 0.75 - slack && lower >= 0.75 - 2.0 * slack - 4.0 * U);
        }
    }

    #[test]
    fn columns_and_their_bounds_are_what_they_were() {
        let mut marks = Vec::new();
        for graph in graphs() {
            for (rho, width) in [(0.3, 1e-1), (40.0, 1e-3), (2.0, 1e-15)] {
                let vertices = [0, graph.n() - 1, 2];
                let found = columns(&graph, rho, &vertices, &until_within(width));
                let (lower, upper) = found.diagonal;
                let all = [&found.y.concat()[..], &lower, &upper, &found.residual].concat();
                marks.push(steady::mark(&all));
            }
        }
        let graph = Graph::ring(5).expect("small");
        let rough: Vec<Lanes> = (0..5).map(|i| [0.2 + 0.1 * i as f64; LANES]).collect();
        let found = certify(&graph, 3.0, rough, &targets(&[1, 4]));
        let (lower, upper) = found.diagonal;
        marks.push(steady::mark(&[lower, upper, found.residual].concat()));
        assert_eq!(targets(&[7, 3]), [7, 3, 7, 7, 7, 7, 7, 7]);
        steady::holds(
            &marks,
            "3263209064315778.0 8756396918977694.0 4168866276227370.0 5529997206382449.0
         8340139487830808.0 2135744338548133.0 1486641027474721.0 6858807406706919.0
         2613716477825154.0 7212523846048824.0 8742897385811374.0 4783472882950904.0
         3388987978558260.0",
        );
    }

    /// However rough a column is, the entry lies between its bounds: 1/(1 + 2ρ) + 2ρ/(1 + 2ρ)/2 of
    /// two users.
    #[test]
    fn an_entry_lies_between_the_bounds_of_any_column() {
        let pair = Graph::complete(2).expect("small");
        for rho in [0.01f64, 1.0, 300.0] {
            let truth = (1.0 + rho) / (1.0 + 2.0 * rho);
            for j in 0..50 {
                let off = 0.3 * 0.5f64.powi(j);
                let y = vec![[truth + off; LANES], [1.0 - truth - 0.5 * off; LANES]];
                let found = certify(&pair, rho, y, &targets(&[0]));
                let (lower, upper) = (found.diagonal.0[0], found.diagonal.1[0]);
                assert!(
                    lower <= truth && truth <= upper,
                    "{rho}, {off}: {lower} {upper}"
                );
            }
        }
    }
}
