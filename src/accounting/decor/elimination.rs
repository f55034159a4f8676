//! (I + ρL)⁻¹ of a sparse graph by elimination without subtraction.
//!
//! I + ρL is an electrical network: every edge has conductance ρ and every vertex conductance 1 to
//! earth. Eliminating vertex p with conductances w_j to its neighbours and v to earth, d = v + Σ w_j,
//! adds w_j·w_k/d between its neighbours and w_j·v/d from them to earth (star-mesh transform; the
//! Schur complement). Everything is positive and only added, multiplied and divided, so that
//! rounding can be bounded whatever ρ is (the idea of Grassmann, Taksar and Heyman 1985):
//!
//! 1. Let N be the network before a step, S its exact reduction and Ŝ the computed one. Every
//!    conductance of Ŝ is within (1 ± η) of S's, η = (c + κ + 5)u for c neighbours and κ merged parts
//!    (the sum d: c + 1, product, quotient, addition: 3, merging: κ), and the matrix of a network is
//!    linear and monotone (⪯) in its conductances: (1 − η)S ⪯ Ŝ ⪯ (1 + η)S.
//! 2. Block elimination maps (d, S) to the matrix by a congruence, so putting Ŝ in place of S changes
//!    the matrix before the step by (1 ± η) again. Over all steps, the exact product Ã of the
//!    computed reductions satisfies A ⪯ (1 + ϵ)Ã and Ã ⪯ (1 + ϵ)A, ϵ = 1.01 Σ η: inverses differ in
//!    every diagonal entry by a factor 1 + ϵ, in every entry by ϵ·max_i M_ii.
//! 3. Ã⁻¹ follows from Z_jp = Σ_k m_k Z_kj and Z_pp = 1/d + Σ_k m_k Z_kp with m = w/d (Takahashi), or
//!    from two triangular solves: sums of products of positive numbers again. An entry's relative
//!    error grows by (2c + 4)u for m and by as much for the sum at each step down the elimination
//!    tree: θ = 1.01 · max over leaves of Σ (4c + 8)u.
//!
//! Underflow loses conductances below 10⁻³⁰⁷, nothing beside the conductance 1 to earth.

use super::ordering::Ordering;
use crate::float::U;
use crate::graph::Graph;

/// Number of right-hand sides that are solved for together.
pub const LANES: usize = 8;

/// One entry for each of [`LANES`] right-hand sides.
pub type Lanes = [f64; LANES];

/// The eliminated network.
///
/// ```
/// use dp_assay::accounting::decor::elimination::Factor;
/// use dp_assay::problem::Graph;
///
/// // Four users, all neighbours, ρ = 4: the diagonal of (I + ρL)⁻¹ is 1/4 + 3/4/17.
/// let factor = Factor::new(&Graph::complete(4)?, 4.0, 1e6).ok_or("too costly")?;
/// assert!((0.294..0.295).contains(&factor.diagonal()[0]));
/// // Columns sum to 1, as L·1 = 0. Lane 0 holds that of vertex 2.
/// let sum: f64 = factor.columns(&[2]).iter().map(|row| row[0]).sum();
/// assert!((sum - 1.0).abs() < 1e-12 && factor.relative_error() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Factor {
    ordering: Ordering,
    /// d of every position.
    pivots: Vec<f64>,
    /// m = w/d of every position, in the order of its column.
    multipliers: Vec<Vec<f64>>,
    /// ϵ of the module's comment.
    reduction_error: f64,
    /// θ of the module's comment.
    back_error: f64,
}

impl Factor {
    /// Eliminates I + ρL; `None` if that needs more than `limit` multiplications. ρ in [0, 10¹⁰⁰].
    #[must_use]
    pub fn new(graph: &Graph, rho: f64, limit: f64) -> Option<Self> {
        let ordering = Ordering::new(graph, limit)?;
        let n = graph.n();
        let mut elimination = Elimination {
            earth: vec![1.0; n],
            parts: (0..n).map(|_| Vec::new()).collect(),
            local: vec![0; n],
        };
        let (mut pivots, mut multipliers) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let mut roundings = 0.0;
        for p in 0..n {
            roundings += (ordering.columns[p].len() + elimination.parts[p].len() + 5) as f64;
            let (d, m) = elimination.step(graph, &ordering, p, rho);
            pivots.push(d);
            multipliers.push(m);
        }
        let back_error = 1.01 * U * longest_chain(&ordering.columns);
        Some(Self {
            ordering,
            pivots,
            multipliers,
            reduction_error: 1.01 * U * roundings,
            back_error,
        })
    }

    /// Relative error bound of the diagonal.
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        1.01 * (self.reduction_error + self.back_error)
    }

    /// Number of multipliers: a solve takes two multiplications with each.
    #[must_use]
    pub fn fill(&self) -> usize {
        self.ordering.fill()
    }

    /// The diagonal of (I + ρL)⁻¹, by vertex, with relative error [`Self::relative_error`]: the
    /// selected inverse, one dense front after the other from the roots of the elimination tree.
    #[must_use]
    pub fn diagonal(&self) -> Vec<f64> {
        let columns = &self.ordering.columns;
        let mut children = vec![Vec::new(); columns.len()];
        let mut stack = Vec::new();
        for (p, column) in columns.iter().enumerate() {
            match column.first() {
                Some(&parent) => children[parent as usize].push(p),
                None => stack.push((p, Vec::new())),
            }
        }
        let mut diagonal = vec![0.0; columns.len()];
        let mut local = vec![0usize; columns.len()];
        while let Some((p, inverse)) = stack.pop() {
            let column = &columns[p];
            let front = self.front(p, &inverse);
            diagonal[self.ordering.vertex[p] as usize] = front[0];
            let size = column.len() + 1;
            local[p] = 0;
            for (at, &j) in column.iter().enumerate() {
                local[j as usize] = at + 1;
            }
            for &child in &children[p] {
                let rows = || columns[child].iter().map(|&j| local[j as usize]);
                let part = rows().flat_map(|a| {
                    let row = &front[a * size..(a + 1) * size];
                    rows().map(|b| row[b]).collect::<Vec<_>>()
                });
                stack.push((child, part.collect()));
            }
        }
        diagonal
    }

    /// The inverse on {p} and its column, from the inverse on the column alone.
    fn front(&self, p: usize, inverse: &[f64]) -> Vec<f64> {
        let m = &self.multipliers[p];
        let (c, size) = (m.len(), m.len() + 1);
        let mut front = vec![0.0; size * size];
        let mut corner = 0.0;
        for j in 0..c {
            let row = &inverse[j * c..(j + 1) * c];
            front[(j + 1) * size + 1..(j + 2) * size].copy_from_slice(row);
            let z: f64 = row.iter().zip(m).map(|(z, m)| z * m).sum();
            front[j + 1] = z;
            front[(j + 1) * size] = z;
            corner += m[j] * z;
        }
        front[0] = 1.0 / self.pivots[p] + corner;
        front
    }

    /// The columns of (I + ρL)⁻¹ that belong to these vertices: entry i of the result holds row i.
    /// Lanes beyond the list stay 0. Every entry is within [`Self::relative_error`] · max_i M_ii.
    #[must_use]
    pub fn columns(&self, vertices: &[usize]) -> Vec<Lanes> {
        let n = self.pivots.len();
        let mut x = vec![[0.0; LANES]; n];
        for (lane, &v) in vertices.iter().enumerate() {
            x[self.ordering.position[v] as usize][lane] = 1.0;
        }
        for p in 0..n {
            let value = x[p];
            if value != [0.0; LANES] {
                for (&j, &m) in self.ordering.columns[p].iter().zip(&self.multipliers[p]) {
                    add_scaled(&mut x[j as usize], m, &value);
                }
            }
        }
        for p in (0..n).rev() {
            let d = self.pivots[p];
            let mut value = x[p].map(|entry| entry / d);
            for (&j, &m) in self.ordering.columns[p].iter().zip(&self.multipliers[p]) {
                add_scaled(&mut value, m, &x[j as usize]);
            }
            x[p] = value;
        }
        let at = |v: usize| x[self.ordering.position[v] as usize];
        (0..n).map(at).collect()
    }
}

#[inline]
fn add_scaled(sum: &mut Lanes, factor: f64, x: &Lanes) {
    for (s, x) in sum.iter_mut().zip(x) {
        *s += factor * x;
    }
}

/// The network during elimination, by position.
struct Elimination {
    /// Conductance to earth.
    earth: Vec<f64>,
    /// Conductances that eliminated vertices have left, to be merged at their parent: the vertices
    /// and the lower triangle of the conductances between them.
    parts: Vec<Vec<(usize, Vec<f64>)>>,
    /// Where a position is in the current column.
    local: Vec<usize>,
}

impl Elimination {
    /// Eliminates position p: its pivot and multipliers.
    fn step(&mut self, graph: &Graph, ordering: &Ordering, p: usize, rho: f64) -> (f64, Vec<f64>) {
        let column = &ordering.columns[p];
        let c = column.len();
        for (at, &j) in column.iter().enumerate() {
            self.local[j as usize] = at;
        }
        let mut w = vec![0.0; c];
        let mut mesh = vec![0.0; c * c.saturating_sub(1) / 2];
        for &v in graph.neighbours(ordering.vertex[p] as usize) {
            let j = ordering.position[v as usize] as usize;
            if j > p {
                w[self.local[j]] += rho;
            }
        }
        for (child, part) in std::mem::take(&mut self.parts[p]) {
            self.merge(&ordering.columns[child], &part, &mut w, &mut mesh);
        }
        let v = self.earth[p];
        let d = v + w.iter().sum::<f64>();
        let m: Vec<f64> = w.iter().map(|w| w / d).collect();
        let mut entries = mesh.iter_mut();
        for (j, w) in w.iter().enumerate() {
            for (entry, m) in entries.by_ref().take(j).zip(&m) {
                *entry += w * m;
            }
        }
        for (&j, m) in column.iter().zip(&m) {
            self.earth[j as usize] += m * v;
        }
        if let Some(&parent) = column.first() {
            self.parts[parent as usize].push((p, mesh));
        }
        (d, m)
    }

    /// Adds a child's conductances; its first vertex is the one being eliminated.
    fn merge(&self, vertices: &[u32], part: &[f64], w: &mut [f64], mesh: &mut [f64]) {
        let mut entries = part.iter();
        for j in 1..vertices.len() {
            let row = self.local[vertices[j] as usize];
            let values = entries.by_ref().take(j);
            for (k, value) in values.enumerate() {
                if k == 0 {
                    w[row] += value;
                } else {
                    // Both lists ascend, so that `at` < `row`.
                    let at = self.local[vertices[k] as usize];
                    mesh[row * (row - 1) / 2 + at] += value;
                }
            }
        }
    }
}

/// The largest Σ (4c + 8) from a leaf of the elimination tree to its root.
fn longest_chain(columns: &[Vec<u32>]) -> f64 {
    let mut chain = vec![0.0f64; columns.len()];
    let mut longest = 0.0f64;
    for p in (0..columns.len()).rev() {
        let above = columns[p]
            .first()
            .map_or(0.0, |&parent| chain[parent as usize]);
        chain[p] = above + (4 * columns[p].len() + 8) as f64;
        longest = longest.max(chain[p]);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::decor::conjugate::targets;
    use crate::accounting::decor::graphs::graphs;
    use crate::accounting::steady;

    #[test]
    fn factors_and_columns_are_what_they_were() {
        let mut found = Vec::new();
        for graph in graphs() {
            for rho in [0.3, 40.0] {
                let factor = Factor::new(&graph, rho, 1e9).expect("small");
                found.extend([factor.reduction_error, factor.back_error]);
                found.extend([factor.relative_error(), factor.fill() as f64]);
                found.push(longest_chain(&factor.ordering.columns));
                let multipliers = factor.multipliers.concat();
                let columns = factor.columns(&targets(&[0, graph.n() - 1])).concat();
                let all = [&factor.pivots, &multipliers, &factor.diagonal(), &columns];
                found.extend(all.map(|numbers| steady::mark(numbers)));
            }
        }
        steady::holds(
            &found,
            "4.709566070459914e-15 7.176481631177012e-15 1.2004908178653295e-14 7.0 64.0
         2001844277864676.0 6393390533493761.0 4488174501516542.0 5225944736065559.0
         4.709566070459914e-15 7.176481631177012e-15 1.2004908178653295e-14 7.0 64.0
         8058621752323015.0 7447921861104759.0 2758388105461618.0 703788535996006.0
         2.1865842469992457e-14 3.991917907342213e-14 6.240287175884873e-14 46.0 356.0
         417656695722997.0 7304529229388251.0 5923628842944205.0 8905784422399931.0
         2.1865842469992457e-14 3.991917907342213e-14 6.240287175884873e-14 46.0 356.0
         3710680185887499.0 5163771501533948.0 5022522549434517.0 1646407620611240.0
         7.625011733125576e-15 1.4801493364302586e-14 2.2650770148402445e-14 15.0 132.0
         1309503154244567.0 2875708763557977.0 6823391691944251.0 936593940750459.0
         7.625011733125576e-15 1.4801493364302586e-14 2.2650770148402445e-14 15.0 132.0
         1141738750059880.0 8436697029091101.0 5540234165951940.0 1899635543130660.0
         4.373168493998492e-15 8.970602038971265e-15 1.3477208238299453e-14 10.0 80.0
         4952092179338231.0 952166934189224.0 4329028205699666.0 1149800611724386.0
         4.373168493998492e-15 8.970602038971265e-15 1.3477208238299453e-14 10.0 80.0
         96225223247758.0 1173293330912887.0 1280770247529142.0 7940486655086806.0",
        );
    }

    /// (I + ρL)⁻¹ times I + ρL is I, to within what is said of its entries.
    #[test]
    fn columns_solve_the_system_that_they_are_of() {
        for graph in graphs() {
            for rho in [0.3, 40.0, 1e4] {
                let factor = Factor::new(&graph, rho, 1e9).expect("small");
                let (n, diagonal) = (graph.n(), factor.diagonal());
                for v in 0..n {
                    let y = factor.columns(&targets(&[v]));
                    let y: Vec<f64> = y.iter().map(|lanes| lanes[0]).collect();
                    let close = 4.0 * factor.relative_error();
                    assert!((y[v] / diagonal[v] - 1.0).abs() <= close, "{rho}, {v}");
                    let sum: f64 = y.iter().sum();
                    assert!((sum - 1.0).abs() <= close * n as f64, "{rho}, {v}: {sum}");
                    for i in 0..n {
                        let others = graph.neighbours(i).iter().map(|j| y[*j as usize]);
                        let flow: f64 = others.map(|other| y[i] - other).sum();
                        let unit = f64::from(u8::from(i == v));
                        let off = (y[i] + rho * flow - unit).abs();
                        assert!(off <= 1e-14 * (1.0 + 8.0 * rho), "{rho}, {v}, {i}: {off:e}");
                    }
                }
            }
        }
    }
}
