//! The worst user after the deletion of any one vertex, for all vertices at once.
//!
//! Deleting vertex k from Σ = I + ρL leaves Σ' = Σ_HH − ρ Σ_{a∈N_k} e_a e_aᵀ on the others, whose
//! inverse is, with P = M_HH − M_Hk M_kH/M_kk and D = I − ρP_NN,
//!
//! M'_jj = P_jj + ρ pᵀD⁻¹p, p = (P_aj)_{a∈N_k}; D⁻¹ = I + ρM'_NN ⪯ (1 + ρ)I.
//!
//! So the columns of M decide all n² pairs (k, j): first ‖p‖²·‖D⁻¹‖, in deg(k) operations, and only
//! where that exceeds what is already certain, the quadratic form. Columns come with error bounds,
//! which are carried along: with |M̂ − M| ≤ δ and 0 ≤ M_ak ≤ M_kk an entry of P is off by 4δ.

use super::elimination::{Factor, LANES, Lanes};
use super::{Bounds, conjugate, optimized};
use crate::accounting::float::U;
use crate::problem::Graph;
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Entries of all local inverses together that are kept in memory.
const BLOCKS_MAX: usize = 30_000_000;
/// Most vertices of a graph whose columns are kept from the first pass to the second.
const KEPT_MAX: usize = 2048;
/// Bounds that are sharpened at most: by eliminating anew after the deletion, or by a column.
const SHARPENED_MAX: usize = 8;
const SHARPENED_PAIRS_MAX: usize = 64;
/// Relative accuracy of columns by conjugate gradients; it is regained where it matters.
const ROUGH: f64 = 1e-6;

/// Bounds max_{k ≥ first} max_j [(I + ρL(G − k))⁻¹]_jj of a connected graph with n ≥ 2; `None` where
/// that would not fit the memory or columns are not accurate enough. Columns come by elimination if it takes at most `limit`
/// multiplications, else by conjugate gradients.
#[must_use]
pub fn largest(graph: &Graph, rho: f64, first: usize, limit: f64) -> Option<Bounds> {
    let entries: usize = (0..graph.n()).map(|k| (graph.degree(k) + 1).pow(2)).sum();
    if entries > BLOCKS_MAX {
        return None;
    }
    let source = Source::new(graph, rho, limit);
    let mut screen = Screen::new(source, first);
    if !screen.is_resolved() {
        return None;
    }
    let certain = screen.adjacent_pairs();
    let found = screen.all_pairs(certain);
    Some(screen.sharpened(certain, found))
}

/// Where columns of M come from.
struct Source<'a> {
    graph: &'a Graph,
    rho: f64,
    factor: Option<Factor>,
    /// Error bound of every entry of a column by elimination.
    radius: f64,
}

/// Up to [`LANES`] columns and the error bound of their entries.
struct Batch {
    vertices: Vec<usize>,
    y: Vec<Lanes>,
    radius: f64,
}

impl<'a> Source<'a> {
    fn new(graph: &'a Graph, rho: f64, limit: f64) -> Self {
        let factor = Factor::new(graph, rho, limit);
        let radius = factor.as_ref().map_or(0.0, |factor| {
            let diagonal = factor.diagonal().into_iter().fold(0.0, f64::max);
            1.01 * factor.relative_error() * diagonal
        });
        Self {
            graph,
            rho,
            factor,
            radius,
        }
    }

    fn batch(&self, number: usize) -> Batch {
        let start = number * LANES;
        let vertices: Vec<_> = (start..self.graph.n().min(start + LANES)).collect();
        let worst = |radius: Lanes| radius.into_iter().fold(0.0, f64::max);
        if let Some(factor) = &self.factor {
            // The residuals of small noise ratios say more than the bound of the elimination.
            let targets = conjugate::targets(&vertices);
            let y = factor.columns(&targets);
            let found = conjugate::certify(self.graph, self.rho, y, &targets);
            return Batch {
                radius: self.radius.min(worst(found.radius)),
                y: found.y,
                vertices,
            };
        }
        let degree = self.graph.max_degree() as f64;
        // An error of P is multiplied by up to (1 + ρ|z|₁)², z = D⁻¹p = M'_Nj. Below u rounding does
        // not let a residual fall.
        let rough = |lower: f64, upper: f64| {
            let growth = (1.0 + self.rho * degree * lower).powi(2);
            upper - lower <= (ROUGH * lower / growth).max(U).powi(2)
        };
        let found = conjugate::columns(self.graph, self.rho, &vertices, &rough);
        Batch {
            radius: worst(found.radius),
            y: found.y,
            vertices,
        }
    }

    fn batches(&self) -> usize {
        self.graph.n().div_ceil(LANES)
    }
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
    source: Source<'a>,
    first: usize,
    deletions: Vec<Deletion>,
    /// M_jj.
    diagonal: Vec<f64>,
    /// P on {k} ∪ N_k, for the pairs (k, j ∈ N_k).
    local: Vec<DMatrix<f64>>,
    kept: Vec<Batch>,
    /// Error bound of an entry of P.
    spread: f64,
    /// Upper bound of all M_ij.
    largest: f64,
}

impl<'a> Screen<'a> {
    fn new(source: Source<'a>, first: usize) -> Self {
        let graph = source.graph;
        let n = graph.n();
        let mut blocks: Vec<DMatrix<f64>> = (0..n)
            .map(|k| DMatrix::zeros(graph.degree(k) + 1, graph.degree(k) + 1))
            .collect();
        let harvest = |number: usize| {
            let batch = source.batch(number);
            let parts = local_parts(graph, &batch);
            let kept = n <= KEPT_MAX;
            (parts, batch.radius, kept.then_some(batch))
        };
        let harvested: Vec<_> = (0..source.batches()).into_par_iter().map(harvest).collect();
        let (mut radius, mut kept) = (0.0f64, Vec::new());
        for (parts, r, batch) in harvested {
            radius = radius.max(r);
            kept.extend(batch);
            for (k, column, values) in parts {
                blocks[k].set_column(column, &DVector::from_vec(values));
            }
        }
        let diagonal: Vec<f64> = blocks.iter().map(|block| block[(0, 0)]).collect();
        let largest = diagonal.iter().fold(0.0f64, |m, x| m.max(*x)) + radius;
        let spread = 4.1 * radius + 6.0 * U * largest;
        let mut screen = Self {
            source,
            first,
            deletions: Vec::new(),
            diagonal,
            local: Vec::new(),
            kept,
            spread,
            largest,
        };
        screen.local = blocks.iter().map(reduced).collect();
        let pairs = blocks.par_iter().zip(&screen.local);
        screen.deletions = pairs
            .map(|(block, local)| screen.deletion(block, local))
            .collect();
        screen
    }

    /// Whether the columns are accurate enough for first-order bounds of P: δ ≤ M_kk/100.
    fn is_resolved(&self) -> bool {
        self.diagonal.iter().all(|m| 25.0 * self.spread <= *m)
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
        self.source.rho * self.spread + 3.0 * U * (1.0 + self.source.rho * self.largest)
    }

    /// The largest certain lower bound among the pairs (k, j ∈ N_k).
    fn adjacent_pairs(&mut self) -> f64 {
        let best = |k: usize| {
            let local = &self.local[k];
            let degree = local.nrows() - 1;
            let lower = |j: usize| {
                let p = local.view((1, j), (degree, 1)).column(0).into_owned();
                self.quadratic(k, local[(j, j)], &p).lower
            };
            (1..=degree).map(lower).fold(0.0, f64::max)
        };
        let n = self.diagonal.len();
        let best = (self.first..n)
            .into_par_iter()
            .map(best)
            .reduce(|| 0.0, f64::max);
        self.local = Vec::new();
        best
    }

    /// Bounds of the pairs that may exceed `certain`.
    fn all_pairs(&self, certain: f64) -> Vec<Pair> {
        let numbers = 0..self.source.batches();
        let look = |number: usize| match self.kept.get(number) {
            Some(batch) => self.pairs(batch, certain),
            None => self.pairs(&self.source.batch(number), certain),
        };
        numbers.into_par_iter().flat_map_iter(look).collect()
    }

    /// The pairs (k, j) with j in this batch whose cheap bound exceeds `certain`.
    fn pairs(&self, batch: &Batch, certain: f64) -> Vec<Pair> {
        let graph = self.source.graph;
        let mut found = Vec::new();
        for k in self.first..graph.n() {
            let deletion = &self.deletions[k];
            let at_k = &batch.y[k];
            let mut square = [0.0; LANES];
            for (&a, &h) in graph.neighbours(k).iter().zip(&deletion.hitting) {
                let y = &batch.y[a as usize];
                for lane in 0..LANES {
                    let p = (y[lane] - h * at_k[lane]).abs() + self.spread;
                    square[lane] += p * p;
                }
            }
            let factor = self.source.rho * deletion.growth * (1.0 + 1e-12);
            for (lane, &j) in batch.vertices.iter().enumerate() {
                let own = batch.y[j][lane] - at_k[lane] * at_k[lane] / deletion.centre;
                if j != k && own + self.spread + factor * square[lane] > certain {
                    let bounds = self.pair(batch, k, lane, own);
                    found.push(Pair { k, j, bounds });
                }
            }
        }
        found
    }

    fn pair(&self, batch: &Batch, k: usize, lane: usize, own: f64) -> Bounds {
        let hitting = self.deletions[k].hitting.iter();
        let neighbours = self.source.graph.neighbours(k).iter();
        let p = neighbours.zip(hitting);
        let p = p.map(|(&a, h)| batch.y[a as usize][lane] - h * batch.y[k][lane]);
        self.quadratic(
            k,
            own,
            &DVector::from_iterator(self.deletions[k].hitting.len(), p),
        )
    }

    /// Bounds P_jj + ρ pᵀD⁻¹p: for any z and r = p − Dz, pᵀD⁻¹p = zᵀ(p + r) + rᵀD⁻¹r.
    fn quadratic(&self, k: usize, own: f64, p: &DVector<f64>) -> Bounds {
        let (rho, deletion) = (self.source.rho, &self.deletions[k]);
        let spread = self.spread;
        let lower = (own - spread) * (1.0 - 4.0 * U);
        let Some(inverse) = &deletion.inverse else {
            let square: f64 = p.iter().map(|x| (x.abs() + spread).powi(2)).sum();
            let upper = own + spread + rho * square * deletion.growth * (1.0 + 1e-12);
            return Bounds::new(lower, upper);
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
        let upper = own + spread + rho * (middle + slack + rest * deletion.growth);
        Bounds::new(
            lower.max((own - spread + rho * (middle - slack)) * (1.0 - 4.0 * U)),
            upper * (1.0 + 8.0 * U),
        )
    }

    /// Sharpens the pairs with the largest upper bounds until none is above a sharpened one.
    fn sharpened(&self, certain: f64, mut found: Vec<Pair>) -> Bounds {
        let lower = found
            .iter()
            .fold(certain, |best, pair| best.max(pair.bounds.lower));
        found.sort_by(|a, b| {
            let upper = b.bounds.upper.total_cmp(&a.bounds.upper);
            upper.then((a.k, a.j).cmp(&(b.k, b.j)))
        });
        let mut best = Bounds::new(lower, lower);
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
    fn sharp(&self, pair: &Pair) -> Bounds {
        let (graph, rho) = (self.source.graph, self.source.rho);
        let Some((left, names)) = graph.induced(|i| i != pair.k) else {
            return pair.bounds;
        };
        if self.source.factor.is_some() {
            return optimized::largest(&left, rho);
        }
        let labels = left.components();
        let at = names.partition_point(|&name| name < pair.j);
        let part = left.induced(|i| labels[i] == labels[at]);
        part.map_or(pair.bounds, |(part, names)| {
            let vertex = names.partition_point(|&name| name < at);
            optimized::diagonal(&part, rho, &[vertex], optimized::SHARP_COLUMN)[0]
        })
    }
}

/// Bounds of \[(I + ρL(G − k))⁻¹\]_jj.
struct Pair {
    k: usize,
    j: usize,
    bounds: Bounds,
}

/// P on {k} ∪ N_k.
fn reduced(block: &DMatrix<f64>) -> DMatrix<f64> {
    let centre = block[(0, 0)];
    block.map_with_location(|a, b, m| m - block[(a, 0)] * block[(0, b)] / centre)
}

/// The parts of a batch's columns that local inverses need: for every k in {b} ∪ N_b, the column
/// number of b in k's block and its entries on {k} ∪ N_k.
fn local_parts(graph: &Graph, batch: &Batch) -> Vec<(usize, usize, Vec<f64>)> {
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
