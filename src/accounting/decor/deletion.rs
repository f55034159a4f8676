//! The worst user after the deletion of any one vertex, for all vertices at once.
//!
//! Deleting vertex k from Σ = I + ρL leaves Σ' = Σ_HH − ρ Σ_{a∈N_k} e_a e_aᵀ on the others, whose
//! inverse is, with P = M_HH − M_Hk M_kH/M_kk and D = I − ρP_NN,
//!
//! M'_jj = P_jj + ρ pᵀD⁻¹p, p = (P_aj)_{a∈N_k}; D⁻¹ = I + ρM'_NN ⪯ (1 + ρ)I.
//!
//! So the columns of M decide all n² pairs (k, j). One pass over them keeps M on every {k} ∪ N_k, which
//! settles the pairs of neighbours, and per column max_k Σ_{a∈N_k} M_aj² over all other k: because of
//! 0 ≤ P_aj ≤ M_aj this times ρ·max_k ‖D⁻¹‖, added to M_jj, bounds all other pairs of j. Only columns
//! for which that exceeds what is already certain are looked at again, pair by pair: first
//! ‖p‖²·‖D⁻¹‖, in deg(k) operations, then the quadratic form. Columns come with error bounds, which
//! are carried along: with |M̂ − M| ≤ δ and 0 ≤ M_ak ≤ M_kk an entry of P is off by 4δ.

mod source;

use super::elimination::{LANES, Lanes};
use super::{EntryBounds, diagonal};
use crate::float::U;
use crate::graph::Graph;
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;
use source::{ColumnBatch, ColumnSource};
use std::collections::BTreeSet;

/// Entries of all local inverses together that are kept in memory.
const BLOCKS_MAX: usize = 30_000_000;
/// Bounds that are sharpened at most: by eliminating anew after the deletion, or by a column.
const SHARPENED_MAX: usize = 8;
const SHARPENED_PAIRS_MAX: usize = 64;

/// Bounds max_{k ≥ first} max_j [(I + ρL(G − k))⁻¹]_jj of a connected graph with n ≥ 2; `None` where
/// that would not fit the memory or columns are not accurate enough. Columns come by elimination if it takes at most `limit`
/// multiplications, else by conjugate gradients.
///
/// ```
/// use dp_assay::accounting::decor::deletion::largest;
/// use dp_assay::problem::Graph;
///
/// // Of four users, all neighbours, three are left. With ρ = 4 the diagonal is 1/3 + 2/3/13.
/// let bounds = largest(&Graph::complete(4)?, 4.0, 0, 1e6).ok_or("too costly")?;
/// assert!(bounds.lower < 0.3847 && 0.3846 < bounds.upper);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn largest(graph: &Graph, rho: f64, first: usize, limit: f64) -> Option<EntryBounds> {
    let entries: usize = (0..graph.n()).map(|k| (graph.degree(k) + 1).pow(2)).sum();
    if entries > BLOCKS_MAX {
        return None;
    }
    let source = ColumnSource::new(graph, rho, limit);
    let mut screen = Screen::new(source, first);
    if !screen.is_resolved() {
        return None;
    }
    let mut found = screen.adjacent_pairs();
    let certain = found
        .iter()
        .fold(0.0f64, |best, pair| best.max(pair.bounds.lower));
    found.retain(|pair| pair.bounds.upper > certain);
    found.extend(screen.distant_pairs(certain));
    Some(screen.sharpened(certain, found))
}

/// What one deletion needs: P on the neighbours.
struct Deletion {
    /// M_kk.
    centre: f64,
    /// M_ak/M_kk for the neighbours a.
    hitting: Vec<f64>,
    /// D and an approximate inverse, if there is one.
    matrix: DMatrix<f64>,
    inverse: Option<DMatrix<f64>>,
    /// Upper bound of ‖D⁻¹‖₂.
    growth: f64,
}

struct Screen<'a> {
    source: ColumnSource<'a>,
    first: usize,
    deletions: Vec<Deletion>,
    /// M_jj.
    diagonal: Vec<f64>,
    /// max Σ_{a∈N_k} M_aj² over the k that j is no neighbour of.
    reach: Vec<f64>,
    /// P on {k} ∪ N_k, for the pairs (k, j ∈ N_k).
    local: Vec<DMatrix<f64>>,
    /// Error bound of an entry of M.
    radius: f64,
    /// Upper bound of all M_ij.
    largest: f64,
}

/// What the first pass keeps of a batch.
struct Harvest {
    parts: Vec<(usize, usize, Vec<f64>)>,
    reach: Lanes,
    residual: f64,
    largest: f64,
}

impl<'a> Screen<'a> {
    fn new(source: ColumnSource<'a>, first: usize) -> Self {
        let graph = source.graph;
        let n = graph.n();
        let all: Vec<usize> = (0..n).collect();
        let harvest = |vertices: &[usize]| {
            let batch = source.batch(vertices);
            Harvest {
                parts: local_parts(graph, &batch),
                reach: reach(graph, &batch, first),
                residual: batch.residual,
                largest: batch.largest,
            }
        };
        let harvested: Vec<_> = all.par_chunks(LANES).map(harvest).collect();
        let mut blocks: Vec<DMatrix<f64>> = (0..n)
            .map(|k| DMatrix::zeros(graph.degree(k) + 1, graph.degree(k) + 1))
            .collect();
        let (mut residual, mut largest, mut reach) = (0.0f64, 0.0f64, Vec::with_capacity(n));
        for harvest in harvested {
            residual = residual.max(harvest.residual);
            largest = largest.max(harvest.largest);
            reach.extend(harvest.reach);
            for (k, column, values) in harvest.parts {
                blocks[k].set_column(column, &DVector::from_vec(values));
            }
        }
        reach.truncate(n);
        let mut screen = Self {
            radius: source.radius(residual, largest),
            source,
            first,
            deletions: Vec::new(),
            diagonal: blocks.iter().map(|block| block[(0, 0)]).collect(),
            reach,
            local: blocks.iter().map(reduced).collect(),
            largest,
        };
        let pairs = blocks.par_iter().zip(&screen.local);
        screen.deletions = pairs
            .map(|(block, local)| screen.deletion(block, local))
            .collect();
        screen
    }

    /// Error bound of an entry of P from columns with this error bound.
    fn spread(&self, radius: f64) -> f64 {
        4.1 * self.radius.max(radius) + 6.0 * U * self.largest
    }

    /// Whether the columns are accurate enough for first-order bounds of P: δ ≤ M_kk/100.
    fn is_resolved(&self) -> bool {
        let spread = self.spread(self.radius);
        self.diagonal.iter().all(|m| 25.0 * spread <= *m)
    }

    /// D, its inverse and a bound on that: if ‖I − D̂X‖ + ‖D − D̂‖‖X‖ ≤ η < 1, then
    /// ‖D⁻¹‖ ≤ ‖X‖/(1 − η), in the norm of largest row sums, which bounds ‖·‖₂ of symmetric matrices.
    fn deletion(&self, block: &DMatrix<f64>, local: &DMatrix<f64>) -> Deletion {
        let (rho, degree) = (self.source.rho, block.nrows() - 1);
        let centre = block[(0, 0)];
        let p = local.view((1, 1), (degree, degree));
        let matrix = DMatrix::identity(degree, degree) - rho * (p + p.transpose()) * 0.5;
        let inverse = matrix.clone().cholesky().map(|factor| factor.inverse());
        let norm = |m: &DMatrix<f64>| {
            let sums = m
                .row_iter()
                .map(|row| row.iter().map(|x| x.abs()).sum::<f64>());
            sums.fold(0.0, f64::max)
        };
        let mut growth = 1.0 + rho;
        if let Some(x) = &inverse {
            let defect = DMatrix::identity(degree, degree) - &matrix * x;
            let error = degree as f64 * (self.matrix_radius() + 2.0 * U) * norm(x);
            let eta = norm(&defect) + error;
            if eta < 0.5 {
                growth = growth.min(norm(x) / (1.0 - eta) * (1.0 + 1e-9));
            }
        }
        Deletion {
            centre,
            hitting: (1..=degree).map(|a| block[(a, 0)] / centre).collect(),
            matrix,
            inverse,
            growth,
        }
    }

    /// Error bound of an entry of D.
    fn matrix_radius(&self) -> f64 {
        self.source.rho * self.spread(self.radius)
            + 3.0 * U * (1.0 + self.source.rho * self.largest)
    }

    /// Bounds of the pairs (k, j ∈ N_k).
    fn adjacent_pairs(&mut self) -> Vec<Pair> {
        let all = std::mem::take(&mut self.local);
        let spread = self.spread(self.radius);
        let of_deletion = |k: usize| {
            let (local, neighbours) = (&all[k], self.source.graph.neighbours(k));
            let pair = |(at, &j): (usize, &u32)| {
                let column = local.column(at + 1);
                let p = column.rows(1, neighbours.len()).into_owned();
                Pair {
                    k,
                    j: j as usize,
                    bounds: self.quadratic(k, column[at + 1], &p, spread),
                }
            };
            neighbours.iter().enumerate().map(pair).collect::<Vec<_>>()
        };
        let deleted = self.first..self.diagonal.len();
        deleted.into_par_iter().flat_map_iter(of_deletion).collect()
    }

    /// Bounds of the other pairs that may exceed `certain`.
    fn distant_pairs(&self, certain: f64) -> Vec<Pair> {
        let growth = self.deletions[self.first..]
            .iter()
            .fold(0.0, |worst, deletion| deletion.growth.max(worst));
        let factor = self.source.rho * growth * (1.0 + 1e-12);
        let error = self.radius * (self.source.graph.max_degree() as f64).sqrt();
        let is_left = |j: &usize| {
            let norm = (self.reach[*j].sqrt() + error) * (1.0 + 1e-12);
            (self.diagonal[*j] + self.radius + factor * norm * norm) * (1.0 + 4.0 * U) > certain
        };
        let left: Vec<usize> = (0..self.diagonal.len()).filter(is_left).collect();
        left.par_chunks(LANES)
            .flat_map_iter(|vertices| self.pairs(&self.source.batch(vertices), certain))
            .collect()
    }

    /// The pairs (k, j ∉ N_k) with j in this batch whose cheap bound exceeds `certain`.
    fn pairs(&self, batch: &ColumnBatch, certain: f64) -> Vec<Pair> {
        let graph = self.source.graph;
        let spread = self.spread(self.source.radius(batch.residual, self.largest));
        let mut found = Vec::new();
        for k in self.first..graph.n() {
            let deletion = &self.deletions[k];
            let at_k = &batch.y[k];
            let mut square = [0.0; LANES];
            for (&a, &h) in graph.neighbours(k).iter().zip(&deletion.hitting) {
                let y = &batch.y[a as usize];
                for lane in 0..LANES {
                    let p = (y[lane] - h * at_k[lane]).abs() + spread;
                    square[lane] += p * p;
                }
            }
            let factor = self.source.rho * deletion.growth * (1.0 + 1e-12);
            for (lane, &j) in batch.vertices.iter().enumerate() {
                let own = batch.y[j][lane] - at_k[lane] * at_k[lane] / deletion.centre;
                let most = (own + spread + factor * square[lane]) * (1.0 + 4.0 * U);
                if most > certain && j != k && !joined(graph, k, j) {
                    let p = |(&a, h): (&u32, f64)| batch.y[a as usize][lane] - h * at_k[lane];
                    let hitting = deletion.hitting.iter().copied();
                    let p: Vec<f64> = graph.neighbours(k).iter().zip(hitting).map(p).collect();
                    let bounds = self.quadratic(k, own, &DVector::from_vec(p), spread);
                    found.push(Pair { k, j, bounds });
                }
            }
        }
        found
    }

    /// Bounds P_jj + ρ pᵀD⁻¹p: for any z and r = p − Dz, pᵀD⁻¹p = zᵀ(p + r) + rᵀD⁻¹r. `spread` bounds
    /// the error of p and of `own`.
    fn quadratic(&self, k: usize, own: f64, p: &DVector<f64>, spread: f64) -> EntryBounds {
        let (rho, deletion) = (self.source.rho, &self.deletions[k]);
        let lower = (own - spread) * (1.0 - 4.0 * U);
        let Some(inverse) = &deletion.inverse else {
            let square: f64 = p.iter().map(|x| (x.abs() + spread).powi(2)).sum();
            let upper = own + spread + rho * square * deletion.growth * (1.0 + 1e-12);
            return EntryBounds::new(lower, upper);
        };
        let z = inverse * p;
        let r = p - &deletion.matrix * &z;
        let count = p.len() as f64 + 4.0;
        let reach = z.lp_norm(1);
        let scale = p.amax() + reach * (1.0 + rho * self.largest);
        let radius = spread + self.matrix_radius() * reach + count * U * scale;
        let middle: f64 = z.dot(p) + z.dot(&r);
        let slack = reach * (spread + radius) + 2.0 * count * U * reach * (p.amax() + r.amax());
        let rest: f64 = r.iter().map(|x| (x.abs() + radius).powi(2)).sum();
        let rest = rest * (1.0 + 1e-12);
        let upper = own + spread + rho * (middle + slack + rest * deletion.growth);
        EntryBounds::new(
            lower.max((own - spread + rho * (middle - slack)) * (1.0 - 4.0 * U)),
            upper * (1.0 + 8.0 * U),
        )
    }

    /// Sharpens the pairs with the largest upper bounds until none is above a sharpened one.
    fn sharpened(&self, certain: f64, mut found: Vec<Pair>) -> EntryBounds {
        let lower = found
            .iter()
            .fold(certain, |best, pair| best.max(pair.bounds.lower));
        found.sort_by(|a, b| {
            let upper = b.bounds.upper.total_cmp(&a.bounds.upper);
            upper.then((a.k, a.j).cmp(&(b.k, b.j)))
        });
        let mut best = EntryBounds::new(lower, lower);
        let mut done = BTreeSet::new();
        for pair in &found {
            if pair.bounds.upper <= best.upper {
                break;
            }
            // Eliminating anew serves all pairs of a deletion, a column only its own.
            let (what, limit) = match self.source.factor {
                Some(_) => ((pair.k, 0), SHARPENED_MAX),
                None => ((pair.k, pair.j), SHARPENED_PAIRS_MAX),
            };
            if done.contains(&what) {
                continue;
            }
            best = best.max(if done.len() < limit {
                self.sharp(pair)
            } else {
                pair.bounds
            });
            if done.len() < limit {
                done.insert(what);
            }
        }
        best
    }

    /// Bounds after the deletion of k: of all users by elimination, of j by conjugate gradients.
    fn sharp(&self, pair: &Pair) -> EntryBounds {
        let (graph, rho) = (self.source.graph, self.source.rho);
        let Some((left, names)) = graph.induced(|i| i != pair.k) else {
            return pair.bounds;
        };
        if self.source.factor.is_some() {
            return diagonal::largest(&left, rho);
        }
        let labels = left.components();
        let at = names.partition_point(|&name| name < pair.j);
        let part = left.induced(|i| labels[i] == labels[at]);
        part.map_or(pair.bounds, |(part, names)| {
            let vertex = names.partition_point(|&name| name < at);
            diagonal::diagonal(&part, rho, &[vertex], diagonal::SHARP_COLUMN)[0]
        })
    }
}

/// Bounds of \[(I + ρL(G − k))⁻¹\]_jj.
struct Pair {
    k: usize,
    j: usize,
    bounds: EntryBounds,
}

/// max Σ_{a∈N_k} M_aj² over the k ≥ `first` that are neither j nor its neighbours, per column j.
fn reach(graph: &Graph, batch: &ColumnBatch, first: usize) -> Lanes {
    let mut largest = [0.0f64; LANES];
    for k in first..graph.n() {
        let mut square = [0.0; LANES];
        for &a in graph.neighbours(k) {
            for (sum, y) in square.iter_mut().zip(&batch.y[a as usize]) {
                *sum += y * y;
            }
        }
        for (lane, &j) in batch.vertices.iter().enumerate() {
            if square[lane] > largest[lane] && j != k && !joined(graph, k, j) {
                largest[lane] = square[lane];
            }
        }
    }
    largest
}

fn joined(graph: &Graph, k: usize, j: usize) -> bool {
    graph.neighbours(k).binary_search(&(j as u32)).is_ok()
}

/// P on {k} ∪ N_k.
fn reduced(block: &DMatrix<f64>) -> DMatrix<f64> {
    let centre = block[(0, 0)];
    block.map_with_location(|a, b, m| m - block[(a, 0)] * block[(0, b)] / centre)
}

/// The parts of a batch's columns that local inverses need: for every k in {b} ∪ N_b, the column
/// number of b in k's block and its entries on {k} ∪ N_k.
fn local_parts(graph: &Graph, batch: &ColumnBatch) -> Vec<(usize, usize, Vec<f64>)> {
    let mut parts = Vec::new();
    for (lane, &b) in batch.vertices.iter().enumerate() {
        let owners = std::iter::once(b).chain(graph.neighbours(b).iter().map(|&k| k as usize));
        for k in owners {
            let around = graph.neighbours(k);
            let place = around.binary_search(&(b as u32)).map_or(0, |at| at + 1);
            let rows = std::iter::once(k).chain(around.iter().map(|&a| a as usize));
            parts.push((k, place, rows.map(|i| batch.y[i][lane]).collect()));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::super::super::steady;
    use super::*;

    /// In a complete graph the rows of D⁻¹ = I + ρ(I + ρL(G − k))⁻¹ sum to 1 + ρ, which then is its norm.
    #[test]
    fn growth_is_no_less_than_the_norm_where_both_norms_agree() {
        for n in [3, 4, 9] {
            let graph = Graph::complete(n).expect("small");
            for rho in [0.1, 1.0, 30.0] {
                for limit in [1e9, 0.0] {
                    let screen = Screen::new(ColumnSource::new(&graph, rho, limit), 0);
                    for deletion in &screen.deletions {
                        let (least, found) = (1.0 + rho, deletion.growth);
                        assert!(found >= least, "{n} users, ρ = {rho}: {found}");
                    }
                }
            }
        }
    }

    /// The largest value of a form on a cube is at a corner.
    #[test]
    fn bounds_hold_on_the_whole_cube_that_a_column_is_known_to_lie_in() {
        let graph = Graph::complete(4).expect("small");
        for rho in [0.3, 2.0] {
            let mut screen = Screen::new(ColumnSource::new(&graph, rho, 1e9), 0);
            let inverse = screen.deletions[0].inverse.clone().expect("definite");
            let p = DVector::from_vec(vec![0.2, -0.1, 0.3]);
            for (spread, kept) in [(0.01, true), (0.1, true), (0.01, false), (0.1, false)] {
                let own = 0.2;
                screen.deletions[0].inverse = kept.then(|| inverse.clone());
                let bounds = screen.quadratic(0, own, &p, spread);
                if !kept {
                    // ‖D⁻¹‖ is at most the growth.
                    let squares: f64 = p.iter().map(|x| (x.abs() + spread).powi(2)).sum();
                    let most = own + spread + rho * squares * screen.deletions[0].growth;
                    assert!(
                        bounds.upper <= most * (1.0 + 1e-9),
                        "{rho} {spread}: {bounds:?}"
                    );
                }
                for corner in 0..8u32 {
                    let sign = |i: usize| if corner >> i & 1 == 1 { 1.0 } else { -1.0 };
                    let at = DVector::from_fn(3, |i, _| p[i] + spread * sign(i));
                    let form = rho * at.dot(&(&inverse * &at));
                    for end in [own - spread, own + spread] {
                        // No entry is larger than 1.
                        let value = f64::min(end + form, 1.0);
                        let near = 1e-9 * value;
                        assert!(
                            bounds.lower <= value + near && value - near <= bounds.upper,
                            "{rho} {spread}: {bounds:?} {value}"
                        );
                    }
                }
            }
        }
    }

    /// An entry of D is off by what columns are, and by roundings of numbers up to 1 + ρ.
    #[test]
    fn entries_are_off_by_their_columns_and_by_roundings() {
        let graph = Graph::complete(4).expect("small");
        for rho in [0.3, 2.0, 500.0] {
            let mut screen = Screen::new(ColumnSource::new(&graph, rho, 1e9), 0);
            let roundings = 3.0 * U;
            assert!(screen.matrix_radius() >= roundings, "{rho}");
            screen.radius = 1e-3;
            let found = screen.matrix_radius();
            assert!(found >= rho * 1e-3 + roundings, "{rho}: {found}");
            assert!(found <= rho * 5e-3 + 1e-10, "{rho}: {found}");
        }
    }

    /// Two triangles that share a user, with a leaf; and a ring, by either way of solving.
    #[test]
    fn what_ends_are_made_of_is_what_it_was() {
        let pairs = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (2, 4), (4, 5)];
        let knot = Graph::new(6, &pairs).expect("connected");
        let ring = Graph::ring(9).expect("small");
        let mut found = Vec::new();
        for (graph, rho, limit) in [(&knot, 0.7, 1e9), (&knot, 5.0, 0.0), (&ring, 30.0, 1e9)] {
            let mut screen = Screen::new(ColumnSource::new(graph, rho, limit), 1);
            found.extend([screen.radius, screen.largest, screen.spread(1e-9)]);
            found.extend([screen.matrix_radius(), screen.diagonal[0], screen.reach[1]]);
            for deletion in &screen.deletions[..3] {
                found.extend([deletion.centre, deletion.growth, deletion.hitting[0]]);
            }
            let adjacent = screen.adjacent_pairs();
            let certain = adjacent
                .iter()
                .fold(0.0, |m: f64, pair| m.max(pair.bounds.lower));
            for least in [0.0, 0.9 * certain, certain] {
                let distant = screen.distant_pairs(least);
                found.push(distant.len() as f64);
                let ends = distant.iter().map(|pair| pair.bounds);
                found.extend(ends.clone().map(|ends| ends.lower).reduce(|a, b| a + b));
                found.extend(ends.map(|ends| ends.upper).reduce(|a, b| a + b));
                let sharp = screen.sharpened(least, distant);
                found.extend([sharp.lower, sharp.upper]);
            }
        }
        steady::holds(
            &found,
            "2.001280385347827e-15 0.6607906201214594 4.100000440174976e-9 6.538925338712372e-15
             0.5180685844097052 0.027202545761330764 0.5180685844097052 1.589142838073759
             0.377339883427127 0.5180685844097052 1.589142838073759 0.377339883427127
             0.36956974833874146 1.7 0.411764705882353 13.0 7.0299366250993645 7.02993662509967
             0.7083333333333308 0.7083333333333359 0.0 0.8999999999999753 0.8999999999999753 0.0
             0.9999999999999725 0.9999999999999725 1.7741651743129515e-15 0.3219602303596665
             4.100000214468596e-9 3.83119674542182e-14 0.2574262468760187 0.06000826445802853
             0.2574262468760187 3.7296570753981686 0.7572120140876653 0.2574262468760187
             3.7296570753981686 0.7572120140876653 0.20569379550146694 6.0 0.8333333333333333
             13.0 3.903932138526439 3.903932138527924 0.42708333333333204 0.4270833333333347 0.0
             0.8999999999997438 0.8999999999997438 0.0 0.9999999999997153 0.9999999999997153
             1.59182894655345e-15 0.13461769242954566 4.1000000896733965e-9
             2.0016333019820598e-13 0.13461769242954486 0.02506004504428973 0.13461769242954486
             9.333518241846342 0.8928592653818058 0.1346176924295449 9.333518241846445
             0.8928592653818055 0.1346176924295449 9.333518241846436 0.8928592653818055 48.0
             7.448372468499769 7.448372468543636 0.187632914228529 0.1876329142285348 16.0
             2.6544929879674415 2.6544929879834673 0.16886962280515003 0.16886962280515003 16.0
             2.6544929879674415 2.6544929879834673 0.18763291422794448 0.18763291422794448",
        );
    }

    /// A block has a row for the deleted user and for each neighbour: of 311 users who all are, the
    /// blocks are too many.
    #[test]
    fn blocks_that_do_not_fit_are_not_begun() {
        let graph = Graph::complete(311).expect("a graph");
        let least: usize = (0..311).map(|k| (graph.degree(k) + 1).pow(2)).sum();
        assert!(least > BLOCKS_MAX && 311 * 310 * 310 <= BLOCKS_MAX);
        assert_eq!(super::largest(&graph, 1.0, 0, 0.0), None);
    }
}
