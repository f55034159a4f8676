//! Design matrices X (n records × p features), stored by column.

use super::kernels;
use std::sync::OnceLock;

/// A design matrix.
///
/// ```
/// use dp_assay::problem::{Design, Dense, Sparse};
///
/// let dense: Design = Dense::from_rows(&[[1.0, 0.0], [0.0, 2.0]])?.into();
/// let sparse: Design = Sparse::from_entries(2, 2, &[(0, 0, 1.0), (1, 1, 2.0)])?.into();
/// assert_eq!((dense.stored(), sparse.stored()), (4, 2));
/// assert_eq!(sparse.row(1).collect::<Vec<_>>(), [(1, 2.0)]);
/// // Xw for w = (3, 1), column by column.
/// let mut margins = [0.0, 0.0];
/// dense.add_column(0, 3.0, &mut margins);
/// dense.add_column(1, 1.0, &mut margins);
/// assert_eq!(margins, [3.0, 2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum Design {
    /// Every entry stored.
    Dense(Dense),
    /// Only non-zero entries stored.
    Sparse(Sparse),
}

/// Why numbers do not make a design matrix.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum DesignError {
    /// No record or no feature.
    #[error(
        "design matrix has {rows} records and {columns} features; it needs at least one of each"
    )]
    Empty {
        /// Number of records.
        rows: usize,
        /// Number of features.
        columns: usize,
    },
    /// A row of another length than the first.
    #[error("record {row} has {found} features, the first record has {expected}")]
    Ragged {
        /// The record, counted from 0.
        row: usize,
        /// Its number of features.
        found: usize,
        /// The first record's number of features.
        expected: usize,
    },
    /// A number of values that is not n·p.
    #[error("{found} values given for {rows} records of {columns} features")]
    Count {
        /// Number of values.
        found: usize,
        /// Number of records.
        rows: usize,
        /// Number of features.
        columns: usize,
    },
    /// NaN or an infinity.
    #[error("record {row}, feature {column}: {value} is not finite")]
    NotFinite {
        /// The record, counted from 0.
        row: usize,
        /// The feature, counted from 0.
        column: usize,
        /// The value.
        value: f64,
    },
    /// A sparse entry outside the matrix.
    #[error(
        "entry at record {row}, feature {column} lies outside {rows} records of {columns} features"
    )]
    Outside {
        /// The record, counted from 0.
        row: usize,
        /// The feature, counted from 0.
        column: usize,
        /// Number of records.
        rows: usize,
        /// Number of features.
        columns: usize,
    },
    /// Two sparse entries at one place.
    #[error("record {row}, feature {column} is given twice")]
    Twice {
        /// The record, counted from 0.
        row: usize,
        /// The feature, counted from 0.
        column: usize,
    },
}

impl Design {
    /// Number of records n.
    #[must_use]
    pub const fn rows(&self) -> usize {
        match self {
            Self::Dense(dense) => dense.rows,
            Self::Sparse(sparse) => sparse.rows,
        }
    }

    /// Number of features p.
    #[must_use]
    pub const fn columns(&self) -> usize {
        match self {
            Self::Dense(dense) => dense.columns,
            Self::Sparse(sparse) => sparse.starts.len() - 1,
        }
    }

    /// Number of stored entries.
    #[must_use]
    pub const fn stored(&self) -> usize {
        match self {
            Self::Dense(dense) => dense.values.len(),
            Self::Sparse(sparse) => sparse.values.len(),
        }
    }

    /// Column j.
    ///
    /// # Panics
    /// If j ≥ p.
    #[must_use]
    pub fn column(&self, j: usize) -> Column<'_> {
        match self {
            Self::Dense(dense) => Column::Dense(dense.column(j)),
            Self::Sparse(sparse) => {
                let (rows, values) = sparse.column(j);
                Column::Sparse { rows, values }
            }
        }
    }

    /// The entries of record i as (feature, value), in ascending feature. Strided for a dense
    /// design; a sparse design builds its row index at the first call.
    ///
    /// # Panics
    /// If i ≥ n.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (dense, sparse) = match self {
            Self::Dense(dense) => (Some(dense), None),
            Self::Sparse(sparse) => (None, Some(sparse.by_row().line(i))),
        };
        let dense = dense.into_iter().flat_map(move |d| d.row(i));
        let sparse = sparse
            .into_iter()
            .flat_map(|(columns, values)| pairs(columns, values));
        dense.chain(sparse)
    }

    /// Adds `factor`·X_j to `margins`.
    ///
    /// # Panics
    /// If j ≥ p.
    pub fn add_column(&self, j: usize, factor: f64, margins: &mut [f64]) {
        match self.column(j) {
            Column::Dense(values) => {
                for (margin, x) in margins.iter_mut().zip(values) {
                    *margin += factor * x;
                }
            }
            Column::Sparse { rows, values } => {
                for (i, x) in pairs(rows, values) {
                    margins[i] += factor * x;
                }
            }
        }
    }

    /// Adds |`factor`·x| to `sums` for every stored entry x of X_j.
    pub(crate) fn add_moduli(&self, j: usize, factor: f64, sums: &mut [f64]) {
        if factor != 0.0 {
            let column = self.column(j).iter();
            column.for_each(|(i, x)| sums[i] += (factor * x).abs());
        }
    }
}

/// One column of a design: a plain slice, or the records and values of its non-zeros.
///
/// ```
/// use dp_assay::problem::Column;
///
/// let dense = Column::Dense(&[3.0, 0.0, -4.0]);
/// let sparse = Column::Sparse { rows: &[0, 2], values: &[3.0, -4.0] };
/// for column in [dense, sparse] {
///     assert_eq!(column.max_abs(), 4.0);
///     assert_eq!(column.dot_and_squares(&[1.0, 1.0, 1.0]), (-1.0, 25.0));
/// }
/// assert_eq!(sparse.iter().last(), Some((2, -4.0)));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Column<'a> {
    /// All n values.
    Dense(&'a [f64]),
    /// The non-zero values with their records, in ascending record.
    Sparse {
        /// Records of the entries.
        rows: &'a [u32],
        /// Values of the entries.
        values: &'a [f64],
    },
}

impl<'a> Column<'a> {
    /// The stored entries as (record, value), in ascending record.
    pub fn iter(self) -> impl Iterator<Item = (usize, f64)> + 'a {
        let (dense, rows, sparse): (&[f64], &[u32], &[f64]) = match self {
            Column::Dense(values) => (values, &[], &[]),
            Column::Sparse { rows, values } => (&[], rows, values),
        };
        dense.iter().copied().enumerate().chain(pairs(rows, sparse))
    }

    /// The largest |x_ij| of the column; 0 for an empty one.
    #[must_use]
    pub fn max_abs(self) -> f64 {
        self.iter().fold(0.0, |max, (_, x)| x.abs().max(max))
    }

    /// Σ_i x_ij s_i, for one s_i per record. In an order fixed by the storage.
    ///
    /// # Panics
    /// If a sparse column has a record beyond s; a dense one is cut at the shorter of the two.
    #[must_use]
    pub fn dot(self, s: &[f64]) -> f64 {
        match self {
            Column::Dense(x) => kernels::dot(x, s),
            Column::Sparse { rows, values } => pairs(rows, values).map(|(i, x)| x * s[i]).sum(),
        }
    }

    /// Σ_i x_ij s_i as [`Column::dot`], and Σ_i x_ij², in one pass.
    ///
    /// # Panics
    /// As [`Column::dot`].
    #[must_use]
    pub fn dot_and_squares(self, s: &[f64]) -> (f64, f64) {
        match self {
            Column::Dense(x) => kernels::dot_and_squares(x, s),
            Column::Sparse { .. } => (self.dot(s), self.sum_of_squares()),
        }
    }

    /// Σ_i x_ij².
    #[must_use]
    pub fn sum_of_squares(self) -> f64 {
        self.iter().map(|(_, x)| x * x).sum()
    }
}

fn pairs<'a>(indices: &'a [u32], values: &'a [f64]) -> impl Iterator<Item = (usize, f64)> + 'a {
    indices
        .iter()
        .map(|&i| i as usize)
        .zip(values.iter().copied())
}

/// A dense matrix, column after column.
///
/// ```
/// use dp_assay::problem::Dense;
///
/// let matrix = Dense::from_columns(2, 2, vec![1.0, 3.0, 2.0, 4.0])?;
/// assert_eq!(matrix, Dense::from_rows(&[[1.0, 2.0], [3.0, 4.0]])?);
/// assert_eq!(matrix.column(1), [2.0, 4.0]);
/// assert!(Dense::from_rows(&[[f64::NAN]]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    rows: usize,
    columns: usize,
    values: Vec<f64>,
}

impl Dense {
    /// The matrix whose columns follow one another in `values`.
    ///
    /// # Errors
    /// If it is empty, has not n·p values, or holds a non-finite one.
    pub fn from_columns(
        rows: usize,
        columns: usize,
        values: Vec<f64>,
    ) -> Result<Self, DesignError> {
        if rows == 0 || columns == 0 {
            return Err(DesignError::Empty { rows, columns });
        }
        if rows.checked_mul(columns) != Some(values.len()) {
            let found = values.len();
            return Err(DesignError::Count {
                found,
                rows,
                columns,
            });
        }
        if let Some(k) = values.iter().position(|x| !x.is_finite()) {
            let (column, row, value) = (k / rows, k % rows, values[k]);
            return Err(DesignError::NotFinite { row, column, value });
        }
        Ok(Self {
            rows,
            columns,
            values,
        })
    }

    /// The matrix with these rows.
    ///
    /// # Errors
    /// If it is empty, ragged, or holds a non-finite value.
    pub fn from_rows<R: AsRef<[f64]>>(records: &[R]) -> Result<Self, DesignError> {
        let rows = records.len();
        let expected = records.first().map_or(0, |r| r.as_ref().len());
        for (row, found) in records.iter().map(|r| r.as_ref().len()).enumerate() {
            if found != expected {
                return Err(DesignError::Ragged {
                    row,
                    found,
                    expected,
                });
            }
        }
        let by_column = |j: usize| records.iter().map(move |r| r.as_ref()[j]);
        let values = (0..expected).flat_map(by_column).collect();
        Self::from_columns(rows, expected, values)
    }

    /// Column j as a slice.
    ///
    /// # Panics
    /// If j ≥ p.
    #[must_use]
    pub fn column(&self, j: usize) -> &[f64] {
        &self.values[j * self.rows..(j + 1) * self.rows]
    }

    /// All values, column after column.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        assert!(i < self.rows, "record {i} of {}", self.rows);
        self.values[i..]
            .iter()
            .step_by(self.rows)
            .copied()
            .enumerate()
    }
}

impl From<Dense> for Design {
    fn from(dense: Dense) -> Self {
        Self::Dense(dense)
    }
}

/// A compressed sparse column matrix, with a compressed row index built on demand.
///
/// ```
/// use dp_assay::problem::Sparse;
///
/// let matrix = Sparse::from_entries(3, 2, &[(2, 0, 5.0), (0, 0, 1.0), (1, 1, 0.0)])?;
/// assert_eq!(matrix.column(0), (&[0, 2][..], &[1.0, 5.0][..]));
/// assert_eq!(matrix.by_row().line(2), (&[0][..], &[5.0][..]));
/// // The same place twice.
/// assert!(Sparse::from_entries(1, 1, &[(0, 0, 1.0), (0, 0, 2.0)]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sparse {
    rows: usize,
    starts: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
    by_row: OnceLock<Lines>,
}

/// Compressed lines: entries of line l are those from `starts[l]` to `starts[l + 1]`.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
}

impl Lines {
    /// Indices and values of one line, in ascending index.
    ///
    /// # Panics
    /// If there is no such line.
    #[must_use]
    pub fn line(&self, line: usize) -> (&[u32], &[f64]) {
        let range = self.starts[line]..self.starts[line + 1];
        (&self.indices[range.clone()], &self.values[range])
    }
}

impl Sparse {
    /// The matrix with these entries (record, feature, value), in any order; zeros are dropped.
    ///
    /// # Errors
    /// If it is empty or beyond 2³² − 1 records or features, or an entry lies outside, is not finite
    /// or is given twice.
    pub fn from_entries(
        rows: usize,
        columns: usize,
        entries: &[(usize, usize, f64)],
    ) -> Result<Self, DesignError> {
        let limit = u32::MAX as usize;
        if rows == 0 || columns == 0 {
            return Err(DesignError::Empty { rows, columns });
        }
        for &(row, column, value) in entries {
            if row >= rows.min(limit) || column >= columns.min(limit) {
                return Err(DesignError::Outside {
                    row,
                    column,
                    rows,
                    columns,
                });
            }
            if !value.is_finite() {
                return Err(DesignError::NotFinite { row, column, value });
            }
        }
        let mut sorted: Vec<_> = entries.iter().copied().filter(|e| e.2 != 0.0).collect();
        sorted.sort_unstable_by_key(|&(row, column, _)| (column, row));
        if let Some(pair) = sorted
            .windows(2)
            .find(|p| (p[0].0, p[0].1) == (p[1].0, p[1].1))
        {
            let (row, column, _) = pair[0];
            return Err(DesignError::Twice { row, column });
        }
        Ok(Self {
            rows,
            starts: starts(columns, sorted.iter().map(|e| e.1)),
            indices: sorted.iter().map(|e| e.0 as u32).collect(),
            values: sorted.iter().map(|e| e.2).collect(),
            by_row: OnceLock::new(),
        })
    }

    /// Records and values of column j.
    ///
    /// # Panics
    /// If j ≥ p.
    #[must_use]
    pub fn column(&self, j: usize) -> (&[u32], &[f64]) {
        let range = self.starts[j]..self.starts[j + 1];
        (&self.indices[range.clone()], &self.values[range])
    }

    /// The same entries by record. Built once, at the first call, in time O(n + p + non-zeros).
    #[must_use]
    pub fn by_row(&self) -> &Lines {
        self.by_row.get_or_init(|| self.index_by_row())
    }

    fn index_by_row(&self) -> Lines {
        let starts = starts(self.rows, self.indices.iter().map(|&i| i as usize));
        let mut next = starts.clone();
        let mut indices = vec![0; self.indices.len()];
        let mut values = vec![0.0; self.values.len()];
        for j in 0..self.starts.len() - 1 {
            let (rows, column) = self.column(j);
            for (i, x) in pairs(rows, column) {
                (indices[next[i]], values[next[i]]) = (j as u32, x);
                next[i] += 1;
            }
        }
        Lines {
            starts,
            indices,
            values,
        }
    }
}

impl From<Sparse> for Design {
    fn from(sparse: Sparse) -> Self {
        Self::Sparse(sparse)
    }
}

/// Where each of `lines` lines starts, given the line of every entry.
fn starts(lines: usize, of_entries: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut starts = vec![0; lines + 1];
    of_entries.for_each(|line| starts[line + 1] += 1);
    for line in 0..lines {
        starts[line + 1] += starts[line];
    }
    starts
}
