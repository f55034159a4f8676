//! Columns of (I + ρL)⁻¹ of a connected graph by conjugate gradients, certified by their residuals.
//!
//! For expanders, whose elimination fills in. The constant part of eᵢ is solved exactly, A·1 = 1, so
//! the iteration starts from 1/n and sees the spectrum from 1 + ρλ₂ on. Nothing rests on its
//! convergence: for any y with r = eᵢ − Ay,
//!
//! M_ii = eᵢᵀy + yᵀr + rᵀA⁻¹r lies between yᵢ + yᵀr and yᵢ + yᵀr + ‖r‖², and |M_ji − y_j| ≤ ‖r‖,
//!
//! because A ⪰ I. Residuals are recomputed with a bound on their rounding. In the terms of Golub and
//! Meurant (1994) this is Gauss–Radau quadrature with the known end 1 of the spectrum, in a form that
//! stays valid under rounding.

use super::elimination::{LANES, Lanes};
use crate::accounting::float::U;
use crate::problem::Graph;

/// Iterations after which the columns are taken as they are: bounds stay valid, only wider.
const ITERATIONS_MAX: usize = 2000;

/// Columns with their certificates.
pub struct Columns {
    /// Row i of the columns.
    pub y: Vec<Lanes>,
    /// Bounds of the entries M_bb on the diagonal, lower and upper.
    pub diagonal: (Lanes, Lanes),
    /// ‖r‖, rounded up: every entry of the column is this close.
    pub radius: Lanes,
}

/// Solves for the columns of these vertices, up to [`LANES`] of them; `stop(lower, upper)` says, from
/// unrounded bounds of a diagonal entry, whether a column is good enough. Unused lanes repeat the
/// first.
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
    let mut square = dot(&r, &r);
    // yᵀe grows by αᵢ‖rᵢ‖² at every step; the constant part contributes 1/n.
    let mut value = [start; LANES];
    for _ in 0..ITERATIONS_MAX {
        if (0..LANES).all(|lane| stop(value[lane], value[lane] + square[lane])) {
            break;
        }
        apply(graph, rho, &p, &mut image);
        let curvature = dot(&p, &image);
        let alpha = ratio(&square, &curvature);
        for i in 0..n {
            for lane in 0..LANES {
                y[i][lane] += alpha[lane] * p[i][lane];
                r[i][lane] -= alpha[lane] * image[i][lane];
            }
        }
        let next = dot(&r, &r);
        let beta = ratio(&next, &square);
        for i in 0..n {
            for lane in 0..LANES {
                p[i][lane] = r[i][lane] + beta[lane] * p[i][lane];
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

/// A·p: (p_i + ρ Σ_{j∈N_i} (p_i − p_j)).
fn apply(graph: &Graph, rho: f64, p: &[Lanes], image: &mut [Lanes]) {
    for (i, out) in image.iter_mut().enumerate() {
        let own = p[i];
        let mut sum = [0.0; LANES];
        for &j in graph.neighbours(i) {
            for (s, x) in sum.iter_mut().zip(&p[j as usize]) {
                *s += x;
            }
        }
        let weight = 1.0 + rho * graph.degree(i) as f64;
        for lane in 0..LANES {
            out[lane] = weight * own[lane] - rho * sum[lane];
        }
    }
}

fn dot(a: &[Lanes], b: &[Lanes]) -> Lanes {
    let mut sum = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sum[lane] += a[lane] * b[lane];
        }
    }
    sum
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
            let residual = (unit - own[lane]) - rho * flow[lane];
            let error = roundings * (unit + own[lane].abs() + rho * absolute[lane]);
            square[lane] += (residual.abs() + error).powi(2);
            shift[lane] += own[lane] * residual;
            size[lane] += own[lane].abs() * (residual.abs() * 3.0 * n as f64 * U + error);
        }
    }
    let growth = 1.0 + 2.0 * (n as f64 + 4.0) * U;
    let mut diagonal = ([0.0; LANES], [0.0; LANES]);
    let mut radius = [0.0; LANES];
    for lane in 0..LANES {
        let (rest, slack) = (square[lane] * growth, size[lane] * growth);
        let middle = y[targets[lane]][lane] + shift[lane];
        let slack = slack + 4.0 * U * (middle.abs() + shift[lane].abs());
        diagonal.0[lane] = (middle - slack).next_down();
        diagonal.1[lane] = (middle + slack + rest).next_up();
        radius[lane] = rest.sqrt().next_up();
    }
    Columns {
        y,
        diagonal,
        radius,
    }
}
