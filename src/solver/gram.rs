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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::loss::{Linear, Squared};
    use crate::problem::{Dataset, Dense, Regulariser, Sparse};

    /// Column j of XᵀX times the change is added, and computed once.
    #[test]
    fn sums_move_by_a_column_of_the_hessian() {
        let table = [
            [1.0, 0.0, 2.0],
            [0.0, 3.0, -1.0],
            [4.0, 1.0, 0.0],
            [0.0, 0.0, 5.0],
        ];
        let cells = table.iter().enumerate();
        let entries =
            cells.flat_map(|(i, row)| row.iter().enumerate().map(move |(j, x)| (i, j, *x)));
        let dense: Design = Dense::from_rows(&table).expect("finite").into();
        let entries: Vec<_> = entries.collect();
        let sparse: Design = Sparse::from_entries(4, 3, &entries).expect("finite").into();
        // A sparse column reads itself and the rows of its records.
        for (design, read) in [(dense, [12, 24]), (sparse, [8, 14])] {
            let data = Dataset::new("four", design.clone(), vec![0.0; 4]).expect("as many");
            let problem = Problem::new(data.clone(), Squared, Regulariser::None).expect("sound");
            let mut gram = Gram::new(&problem, 2);
            let mut sums = [10.0, 20.0, 30.0];
            for (step, j, change, computed) in [(0, 2, 0.5, 1), (1, 1, -2.0, 2), (2, 2, 1.5, 2)] {
                let mut wanted = sums;
                for (k, sum) in wanted.iter_mut().enumerate() {
                    *sum += change * table.iter().map(|row| row[j] * row[k]).sum::<f64>();
                }
                gram.add_column(&design, j, change, &mut sums);
                assert_eq!(sums, wanted, "{step}");
                assert_eq!(
                    (gram.computed(), gram.entries_read()),
                    (computed, read[step.min(1)])
                );
            }
            let flat = Problem::new(data, Linear, Regulariser::None).expect("sound");
            let mut none = Gram::new(&flat, 2);
            none.add_column(&design, 0, 1.0, &mut sums);
            assert_eq!((none.computed(), none.entries_read()), (0, 0));
        }
        assert!(Gram::fits(1 << 13, 1 << 14) && !Gram::fits((1 << 13) + 1, 1 << 14));
        assert!(!Gram::fits(usize::MAX, 2));
    }
}
