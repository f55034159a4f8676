//! A design with its targets.

use super::design::{Dense, Design, DesignError, Sparse};

/// n records: the design matrix and one target per record.
///
/// ```
/// use dp_assay::problem::{Dataset, Dense};
///
/// let design = Dense::from_rows(&[[1.0, 2.0], [3.0, 4.0]])?;
/// let data = Dataset::new("two", design, vec![1.0, -1.0])?.with_classes(["no".into(), "yes".into()]);
/// assert_eq!((data.name(), data.records(), data.features()), ("two", 2, 2));
/// // The same records with their first feature alone.
/// let narrow = data.with_design(Dense::from_rows(&[[1.0], [3.0]])?)?;
/// assert_eq!((narrow.features(), narrow.targets()), (1, data.targets()));
/// // One target for two records.
/// assert!(Dataset::new("short", data.design().clone(), vec![1.0]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dataset {
    name: String,
    design: Design,
    targets: Vec<f64>,
    classes: Option<Vec<String>>,
}

/// Why a design and targets do not make a data set.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum DatasetError {
    /// The design itself is bad.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// Not one target per record.
    #[error("{targets} targets given for {records} records")]
    Targets {
        /// Number of targets.
        targets: usize,
        /// Number of records.
        records: usize,
    },
    /// A target that is NaN or infinite.
    #[error("record {row}: target {value} is not finite")]
    NotFinite {
        /// The record, counted from 0.
        row: usize,
        /// The target.
        value: f64,
    },
}

impl Dataset {
    /// Joins a design with its targets (−1 and +1 for two classes).
    ///
    /// # Errors
    /// If their sizes differ or a target is not finite.
    pub fn new(
        name: impl Into<String>,
        design: impl Into<Design>,
        targets: Vec<f64>,
    ) -> Result<Self, DatasetError> {
        let design = design.into();
        if targets.len() != design.rows() {
            let (targets, records) = (targets.len(), design.rows());
            return Err(DatasetError::Targets { targets, records });
        }
        if let Some(row) = targets.iter().position(|y| !y.is_finite()) {
            let value = targets[row];
            return Err(DatasetError::NotFinite { row, value });
        }
        Ok(Self {
            name: name.into(),
            design,
            targets,
            classes: None,
        })
    }

    /// Names the classes behind the targets −1 and +1, or 0, 1, … if there are more than two.
    #[must_use]
    pub fn with_classes(self, classes: impl Into<Vec<String>>) -> Self {
        let classes = Some(classes.into());
        Self { classes, ..self }
    }

    /// What to call it in a report.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The design matrix.
    #[must_use]
    pub const fn design(&self) -> &Design {
        &self.design
    }

    /// One target per record.
    #[must_use]
    pub fn targets(&self) -> &[f64] {
        &self.targets
    }

    /// The names of the classes −1 and +1, or 0, 1, … if there are more than two, where the targets are classes.
    #[must_use]
    pub fn classes(&self) -> Option<&[String]> {
        self.classes.as_deref()
    }

    /// Class k against the rest: +1 for it and −1 for all others, of more than two classes 0, 1, …
    #[must_use]
    pub fn one_against_rest(&self, k: usize) -> Self {
        let side = |y: &f64| if *y == k as f64 { 1.0 } else { -1.0 };
        Self {
            targets: self.targets.iter().map(side).collect(),
            classes: None,
            ..self.clone()
        }
    }

    /// Number of records n.
    #[must_use]
    pub const fn records(&self) -> usize {
        self.design.rows()
    }

    /// Number of features p.
    #[must_use]
    pub const fn features(&self) -> usize {
        self.design.columns()
    }

    /// These records, counted from 0, in this order.
    ///
    /// ```
    /// use dp_assay::problem::{Dataset, Dense};
    ///
    /// let data = Dataset::new("two", Dense::from_rows(&[[1.0, 2.0], [3.0, 4.0]])?, vec![1.0, -1.0])?;
    /// let second = data.select(&[1])?;
    /// assert_eq!((second.records(), second.features(), second.targets()), (1, 2, &[-1.0][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there are none.
    ///
    /// # Panics
    /// If one is not below n.
    pub fn select(&self, records: &[u32]) -> Result<Self, DatasetError> {
        let (rows, p) = (records.len(), self.features());
        let design: Design = match self.design() {
            Design::Dense(dense) => {
                let column = |j| {
                    let column = dense.column(j);
                    records.iter().map(move |i| column[*i as usize])
                };
                Dense::from_columns(rows, p, (0..p).flat_map(column).collect())?.into()
            }
            Design::Sparse(_) => {
                let row = |(k, i): (usize, &u32)| {
                    let entries = self.design().row(*i as usize);
                    entries.map(move |(j, x)| (k, j, x))
                };
                let entries: Vec<_> = records.iter().enumerate().flat_map(row).collect();
                Sparse::from_entries(rows, p, &entries)?.into()
            }
        };
        let targets = records.iter().map(|i| self.targets[*i as usize]).collect();
        Ok(Self {
            design,
            targets,
            ..self.clone()
        })
    }

    /// The same records with another design, of as many records.
    ///
    /// # Errors
    /// If the number of records differs.
    pub fn with_design(&self, design: impl Into<Design>) -> Result<Self, DatasetError> {
        let other = Self::new(self.name.clone(), design, self.targets.clone())?;
        Ok(Self {
            classes: self.classes.clone(),
            ..other
        })
    }
}

/// A row and a target for each record, for tests.
#[cfg(test)]
pub(crate) fn table<R: AsRef<[f64]>>(rows: &[R], targets: Vec<f64>) -> Dataset {
    let design = Dense::from_rows(rows).expect("finite");
    Dataset::new("table", design, targets).expect("as many")
}

#[cfg(test)]
mod tests {
    use super::Dataset;

    #[test]
    fn the_embedded_data_is_the_published_one() {
        let data = Dataset::breast_cancer();
        assert_eq!((data.records(), data.features()), (569, 30));
        let benign = data.targets().iter().filter(|&&y| y == 1.0).count();
        assert_eq!(benign, 357);
        assert_eq!(data.classes().map(|c| c[1].as_str()), Some("benign"));
        let first: Vec<_> = data.design().row(0).map(|(_, x)| x).take(2).collect();
        assert_eq!(first, [17.99, 10.38]);
    }
}
