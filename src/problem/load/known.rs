//! The ways to a data set.

use super::{LoadError, Options, file, read};
use crate::problem::Dataset;
use std::path::Path;

impl Dataset {
    /// Breast Cancer Wisconsin (Diagnostic), 569 × 30: W. Wolberg, O. Mangasarian, N. Street,
    /// W. Street, UCI Machine Learning Repository, 1993, DOI 10.24432/C5DW2B, licence CC BY 4.0.
    /// Malignant is −1 (212 records), benign +1 (357). Raw columns, not standardised.
    ///
    /// ```
    /// use dp_assay::problem::Dataset;
    ///
    /// let data = Dataset::breast_cancer();
    /// assert_eq!((data.records(), data.features()), (569, 30));
    /// assert_eq!(data.targets().iter().filter(|y| **y == 1.0).count(), 357);
    /// ```
    #[must_use]
    pub fn breast_cancer() -> Self {
        let bytes: &[u8] = include_bytes!("../data/breast_cancer.csv");
        let loaded = read(
            "breast cancer Wisconsin (diagnostic)",
            bytes,
            &Options::default(),
        );
        loaded.expect("the embedded file is well formed: a unit test loads it")
    }

    /// Reads a file; see [`file()`].
    ///
    /// ```
    /// use dp_assay::problem::Dataset;
    /// use dp_assay::problem::load::Options;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let file = folder.path().join("people.csv");
    /// std::fs::write(&file, "age,height,group\n30,1.7,a\n40,1.8,b\n")?;
    /// let data = Dataset::from_file(&file, &Options::default())?;
    /// assert_eq!((data.records(), data.features()), (2, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`file()`].
    pub fn from_file(path: impl AsRef<Path>, options: &Options) -> Result<Self, LoadError> {
        file(path.as_ref(), options)
    }
}
