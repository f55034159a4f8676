//! Records by row, in memory or read from a file as they are needed: what one-pass solvers read.
//!
//! A [`Source`] hands out its records in order, some at a time. [`Matrix`] holds all of them;
//! [`FileStream`] holds one buffer of fixed size, whatever the length of its file.
//!
//! ```
//! use dp_assay::problem::load::{Header, Options, Rows, Task};
//! use dp_assay::problem::rows::{Matrix, Source, FileStream, block, norm};
//!
//! let records = Matrix::new(2, vec![3.0, 4.0, 0.0, 1.0], vec![1.0, -1.0])?;
//! assert_eq!((records.norms()[0], norm(records.row(0))), (5.0, 5.0));
//! let order = [1, 0];
//! let mut source = records.source(Some(&order[..]));
//! assert_eq!(source.view(1)?.record(0), (&[0.0, 1.0][..], -1.0, 1.0));
//! source.advance(1);
//! assert!(source.view(2).is_err()); // one is left
//!
//! // From a file, features moved into [-3, 3].
//! let options = Options { task: Task::Regression, header: Header::No, ..Options::default() };
//! let rows = Rows::new("two.csv", "3,4,1\n0,1,-1\n".as_bytes(), &options)?;
//! let mut stream = FileStream::new(rows, 2).within(3.0);
//! assert_eq!(stream.view(2)?.features(0), [3.0, 3.0]);
//! assert!((1..=256).contains(&block(2)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::dataset::Dataset;
use super::load::{Features, LoadError, Rows};
use crate::mechanism::clipping::clip;

/// Some consecutive records of a source.
#[derive(Clone, Copy, Debug)]
pub struct RecordView<'a> {
    features: usize,
    values: &'a [f64],
    targets: &'a [f64],
    norms: &'a [f64],
    /// Where the records stand in the slices; `None` when they stand in order.
    order: Option<&'a [u32]>,
}

impl<'a> RecordView<'a> {
    /// Number of records.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.order.map_or(self.targets.len(), <[u32]>::len)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Record i: (x_i with d entries, y_i, ‖x_i‖₂).
    ///
    /// # Panics
    /// If i is not below the length.
    #[must_use]
    pub fn record(&self, i: usize) -> (&'a [f64], f64, f64) {
        let (y, norm) = self.target_and_norm(i);
        (self.features(i), y, norm)
    }

    /// x_i, d entries.
    ///
    /// # Panics
    /// If i is not below the length.
    #[must_use]
    #[inline]
    pub fn features(&self, i: usize) -> &'a [f64] {
        let start = self.place(i) * self.features;
        &self.values[start..start + self.features]
    }

    /// y_i and ‖x_i‖₂.
    ///
    /// # Panics
    /// If i is not below the length.
    #[must_use]
    #[inline]
    pub fn target_and_norm(&self, i: usize) -> (f64, f64) {
        let at = self.place(i);
        (self.targets[at], self.norms[at])
    }

    /// Where record i stands in the slices.
    fn place(&self, i: usize) -> usize {
        self.order.map_or(i, |order| order[i] as usize)
    }

    /// The first `count` records.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub fn first(self, count: usize) -> Self {
        match self.order {
            Some(order) => Self {
                order: Some(&order[..count]),
                ..self
            },
            None => Self {
                values: &self.values[..count * self.features],
                targets: &self.targets[..count],
                norms: &self.norms[..count],
                ..self
            },
        }
    }
}

/// Records in a fixed order, read once.
pub trait Source {
    /// Number of features d.
    fn features(&self) -> usize;

    /// The most records that [`Source::view`] shows at once.
    fn window(&self) -> usize;

    /// The next `count` records, without moving on.
    ///
    /// # Errors
    /// If there are fewer, or one of them is malformed.
    fn view(&mut self, count: usize) -> Result<RecordView<'_>, SourceError>;

    /// Moves on by `count` records, which have been viewed.
    fn advance(&mut self, count: usize);
}

/// Most numbers of a [`Matrix`] that a fit asks for: 8 GB. Sparse files can name far more than they hold.
pub const LARGEST: f64 = 1e9;

/// Why a source has no next record.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It ended early.
    #[error("{wanted} records are needed, the data end after {found}")]
    Short {
        /// Number needed so far.
        wanted: usize,
        /// Number there.
        found: usize,
    },
    /// A record without the agreed number of features.
    #[error("record {record} has {found} features, expected {expected}")]
    Features {
        /// The record, counted from 1.
        record: usize,
        /// Its number of features (svmlight: its largest index).
        found: usize,
        /// The number agreed.
        expected: usize,
    },
    /// The file is malformed.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// All records in memory, row by row, with their norms.
#[derive(Clone, Debug)]
pub struct Matrix {
    features: usize,
    values: Vec<f64>,
    targets: Vec<f64>,
    norms: Vec<f64>,
}

impl Matrix {
    /// From n·d values, row by row, and n targets; all finite.
    ///
    /// # Errors
    /// If the counts do not fit, or a number is not finite.
    pub fn new(features: usize, values: Vec<f64>, targets: Vec<f64>) -> Result<Self, MatrixError> {
        if features == 0 || targets.is_empty() || values.len() != features * targets.len() {
            return Err(MatrixError::Count {
                values: values.len(),
                records: targets.len(),
                features,
            });
        }
        let all = values.iter().chain(&targets);
        if let Some(at) = all.clone().position(|v| !v.is_finite()) {
            let record = if at < values.len() {
                at / features
            } else {
                at - values.len()
            };
            let value = all.skip(at).copied().next().unwrap_or(f64::NAN);
            return Err(MatrixError::NotFinite { record, value });
        }
        let norms = values.chunks_exact(features).map(norm).collect();
        Ok(Self {
            features,
            values,
            targets,
            norms,
        })
    }

    /// The records of a data set; a sparse design is written out.
    ///
    /// ```
    /// use dp_assay::problem::Dataset;
    /// use dp_assay::problem::rows::Matrix;
    ///
    /// let records = Matrix::of(&Dataset::breast_cancer());
    /// assert_eq!((records.records(), records.features()), (569, 30));
    /// assert_eq!(records.row(0)[0], 17.99);
    /// ```
    #[must_use]
    pub fn of(data: &Dataset) -> Self {
        let (n, features) = (data.records(), data.features());
        let mut values = vec![0.0; n * features];
        for j in 0..features {
            for (i, x) in data.design().column(j).iter() {
                values[i * features + j] = x;
            }
        }
        let norms = values.chunks_exact(features).map(norm).collect();
        Self {
            features,
            values,
            targets: data.targets().to_vec(),
            norms,
        }
    }

    /// Number of features d.
    #[must_use]
    pub const fn features(&self) -> usize {
        self.features
    }

    /// Number of records n.
    #[must_use]
    pub const fn records(&self) -> usize {
        self.targets.len()
    }

    /// x_i, d entries.
    ///
    /// # Panics
    /// If i ≥ n.
    #[must_use]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.features..(i + 1) * self.features]
    }

    /// y, n entries.
    #[must_use]
    pub fn targets(&self) -> &[f64] {
        &self.targets
    }

    /// ‖x_i‖₂, n entries.
    #[must_use]
    pub fn norms(&self) -> &[f64] {
        &self.norms
    }

    /// The records as a source, in their own order or in that of `order`.
    #[must_use]
    pub const fn source<'a>(&'a self, order: Option<&'a [u32]>) -> Reader<'a> {
        Reader {
            matrix: self,
            order,
            next: 0,
        }
    }
}

/// Why numbers are not a matrix of records.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MatrixError {
    /// Counts that do not fit together.
    #[error("{values} values do not make {records} >= 1 records of {features} >= 1 features")]
    Count {
        /// Number of values.
        values: usize,
        /// Number of records.
        records: usize,
        /// Number of features.
        features: usize,
    },
    /// NaN or an infinity.
    #[error("record {record}: {value} is not finite")]
    NotFinite {
        /// The record, counted from 0.
        record: usize,
        /// The value.
        value: f64,
    },
}

/// Reads the records of a [`Matrix`] in a given order, a list of their numbers, or else as they are stored.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    matrix: &'a Matrix,
    order: Option<&'a [u32]>,
    next: usize,
}

impl Source for Reader<'_> {
    fn features(&self) -> usize {
        self.matrix.features
    }

    fn window(&self) -> usize {
        usize::MAX
    }

    fn view(&mut self, count: usize) -> Result<RecordView<'_>, SourceError> {
        let found = self.order.map_or(self.matrix.records(), <[u32]>::len);
        let wanted = self.next.saturating_add(count);
        if wanted > found {
            return Err(SourceError::Short { wanted, found });
        }
        let Matrix {
            features,
            values,
            targets,
            norms,
        } = self.matrix;
        let range = self.next..wanted;
        Ok(match self.order {
            Some(order) => RecordView {
                features: *features,
                values,
                targets,
                norms,
                order: Some(&order[range]),
            },
            None => RecordView {
                features: *features,
                values: &values[range.start * features..range.end * features],
                targets: &targets[range.clone()],
                norms: &norms[range],
                order: None,
            },
        })
    }

    fn advance(&mut self, count: usize) {
        self.next += count;
    }
}

/// Bytes of values that a [`FileStream`] holds at once, if a record is not longer.
const BUFFER: usize = 8 << 20;

/// How many records of d features one task takes: at most 256, and at most a buffer of them.
#[must_use]
pub fn block(features: usize) -> usize {
    (BUFFER / (features.max(1) * size_of::<f64>())).clamp(1, 256)
}

/// Reads a file record by record through a buffer of fixed size.
pub struct FileStream<'a> {
    rows: Rows<'a>,
    features: usize,
    window: usize,
    /// Features are moved into \[−bound, bound\].
    bound: f64,
    values: Vec<f64>,
    targets: Vec<f64>,
    norms: Vec<f64>,
    /// First record of the buffer that has not been advanced over.
    start: usize,
    /// Records read so far.
    read: usize,
}

impl<'a> FileStream<'a> {
    /// Reads regression records of `features` features; fewer indices are allowed in svmlight files.
    #[must_use]
    pub fn new(rows: Rows<'a>, features: usize) -> Self {
        let bytes = features.max(1) * size_of::<f64>();
        let block = block(features);
        // A multiple of the block, so that sums taken block by block do not depend on the window.
        let window = (BUFFER / bytes / block * block).max(block).max(2);
        Self {
            rows,
            features,
            window,
            bound: f64::INFINITY,
            values: Vec::new(),
            targets: Vec::new(),
            norms: Vec::new(),
            start: 0,
            read: 0,
        }
    }

    /// The same with every feature moved into \[−bound, bound\].
    #[must_use]
    pub fn within(self, bound: f64) -> Self {
        Self { bound, ..self }
    }

    fn read_one(&mut self, wanted: usize) -> Result<(), SourceError> {
        let Some(row) = self.rows.next() else {
            let found = self.read;
            return Err(SourceError::Short { wanted, found });
        };
        let row = row?;
        let target = self.rows.target(&row)?;
        let (record, expected) = (self.read + 1, self.features);
        let wrong = |found| SourceError::Features {
            record,
            found,
            expected,
        };
        let begin = self.values.len();
        match row.features {
            Features::Dense(values) if values.len() == expected => self.values.extend(values),
            Features::Dense(values) => return Err(wrong(values.len())),
            Features::Sparse(entries) => {
                let largest = entries.last().map_or(0, |(k, _)| k + 1);
                if largest > expected {
                    return Err(wrong(largest));
                }
                self.values.resize(begin + expected, 0.0);
                for (k, value) in entries {
                    self.values[begin + k] = value;
                }
            }
        }
        for value in &mut self.values[begin..] {
            *value = clip(*value, self.bound);
        }
        self.norms.push(norm(&self.values[begin..]));
        self.targets.push(target);
        self.read += 1;
        Ok(())
    }
}

impl Source for FileStream<'_> {
    fn features(&self) -> usize {
        self.features
    }

    fn window(&self) -> usize {
        self.window
    }

    fn view(&mut self, count: usize) -> Result<RecordView<'_>, SourceError> {
        let held = self.targets.len() - self.start;
        if held < count {
            self.values.drain(..self.start * self.features);
            self.targets.drain(..self.start);
            self.norms.drain(..self.start);
            self.start = 0;
            let wanted = self.read + count - held;
            while self.read < wanted {
                self.read_one(wanted)?;
            }
        }
        let end = self.start + count;
        Ok(RecordView {
            features: self.features,
            values: &self.values[self.start * self.features..end * self.features],
            targets: &self.targets[self.start..end],
            norms: &self.norms[self.start..end],
            order: None,
        })
    }

    fn advance(&mut self, count: usize) {
        self.start += count;
    }
}

/// ‖x‖₂, also where the squares would leave the range of doubles.
#[must_use]
pub fn norm(x: &[f64]) -> f64 {
    let square: f64 = x.iter().map(|v| v * v).sum();
    if (1e-280..1e280).contains(&square) {
        return square.sqrt();
    }
    let largest = x.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    if largest == 0.0 {
        return square; // 0, or no number
    }
    if largest.is_infinite() {
        return largest;
    }
    let scaled: f64 = x.iter().map(|v| (v / largest) * (v / largest)).sum();
    largest * scaled.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::load::{Format, Options, Task};

    /// Rows in which features are left out, read as a stream, two at a time.
    #[test]
    fn sparse_rows_are_streamed_to_their_places() {
        let options = Options {
            format: Format::Svmlight,
            task: Task::Regression,
            ..Options::default()
        };
        let text = "1 1:3 3:4\n-1 2:1\n0.5 3:-2\n";
        let rows = Rows::new("three", text.as_bytes(), &options).expect("a file");
        let mut stream = FileStream::new(rows, 3);
        let view = stream.view(2).expect("two of three");
        assert!(!view.is_empty() && view.first(0).is_empty());
        assert_eq!(view.record(0), (&[3.0, 0.0, 4.0][..], 1.0, 5.0));
        assert_eq!(view.record(1), (&[0.0, 1.0, 0.0][..], -1.0, 1.0));
        stream.advance(1);
        let view = stream.view(2).expect("the last two");
        assert_eq!(view.record(1), (&[0.0, 0.0, -2.0][..], 0.5, 2.0));
    }
}
