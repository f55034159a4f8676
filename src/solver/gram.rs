//! Columns of the Hessian of a quadratic loss, kept once computed.

use crate::problem::columns::for_columns;
use crate::problem::kernels::dot;
use crate::problem::{Design, Problem};

/// Bytes that cached columns may take.
const LIMIT: usize = 1 << 30;

/// Columns of ℓ″ · XᵀX, each computed at first use into its own slot.
pub(super) struct Gram {
    curvature: f64,
    /// Slot of each column, once computed.
    slot: Vec<Option<u32>>,
    used: u32,
    columns: Vec<f64>,
    entries_read: u64,
}

impl Gram {
    /// Whether so many columns of p entries are within the limit.
    pub(super) fn fits(p: usize, slots: usize) -> bool {
        slots.saturating_mul(p) <= LIMIT / size_of::<f64>()
    }

    /// Room for so many columns.
    pub(super) fn new(problem: &Problem, slots: usize) -> Self {
        let curvature = problem.loss().curvature();
        let slots = if curvature == 0.0 { 0 } else { slots };
        Self {
            curvature,
            slot: vec![None; problem.features()],
            used: 0,
            columns: vec![0.0; slots * problem.features()],
            entries_read: 0,
        }
    }

    /// Adds `change` times column j to `sums`.
    pub(super) fn add_column(&mut self, design: &Design, j: usize, change: f64, sums: &mut [f64]) {
        if self.curvature == 0.0 {
            return;
        }
        let column = self.column(design, j);
        for (sum, entry) in sums.iter_mut().zip(column) {
            *sum += change * entry;
        }
    }

    /// Stored entries of X read so far.
    pub(super) fn entries_read(&self) -> u64 {
        self.entries_read
    }

    /// Columns computed so far.
    pub(super) fn computed(&self) -> u64 {
        u64::from(self.used)
    }

    fn column(&mut self, design: &Design, j: usize) -> &[f64] {
        let p = self.slot.len();
        if let Some(slot) = self.slot[j] {
            return &self.columns[slot as usize * p..][..p];
        }
        let column = &mut self.columns[self.used as usize * p..][..p];
        self.entries_read += fill_column(design, j, self.curvature, column);
        self.slot[j] = Some(self.used);
        self.used += 1;
        column
    }
}

/// out_k = ℓ″ X_k·X_j for all k (`out` is 0 before); returns the number of entries read.
fn fill_column(design: &Design, j: usize, curvature: f64, out: &mut [f64]) -> u64 {
    match design {
        Design::Dense(dense) => {
            let x = dense.column(j);
            for_columns(design, out, |k| curvature * dot(dense.column(k), x));
            design.stored() as u64
        }
        Design::Sparse(sparse) => {
            let (records, values) = sparse.column(j);
            let mut read = records.len();
            for (&i, &x) in records.iter().zip(values) {
                let (columns, row) = sparse.by_row().line(i as usize);
                read += columns.len();
                for (&k, &x_k) in columns.iter().zip(row) {
                    out[k as usize] += curvature * x * x_k;
                }
            }
            read as u64
        }
    }
}
