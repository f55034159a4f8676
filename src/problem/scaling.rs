//! Column scaling. All of it looks at the data and is **not private**: means and deviations leak.
//!
//! ```
//! use dp_assay::problem::scaling::{max_abs_scaled, standardised};
//! use dp_assay::problem::{Dataset, Dense};
//!
//! let data = Dataset::new("two", Dense::from_rows(&[[1.0, -4.0], [3.0, 2.0]])?, vec![0.0, 1.0])?;
//! let entries = |data: &Dataset, j| data.design().column(j).iter().map(|(_, x)| x).collect::<Vec<_>>();
//! assert_eq!(entries(&standardised(&data)?, 0), [-1.0, 1.0]); // mean 2, deviation 1
//! assert_eq!(entries(&max_abs_scaled(&data)?, 1), [-1.0, 0.5]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::dataset::Dataset;
use super::design::{Dense, Design, DesignError, Sparse};

/// Columns with mean 0 and standard deviation 1 (divisor n); constant columns become 0. A sparse
/// design becomes dense, since subtracting a mean fills it.
///
/// **Limits.** Data-dependent, hence not private: a guarantee of a solver run on the result does not cover
/// the means and deviations used here.
///
/// # Errors
/// If a mean or deviation overflows.
pub fn standardised(data: &Dataset) -> Result<Dataset, DesignError> {
    let n = data.records();
    let mut values = vec![0.0; n * data.features()];
    for (j, column) in values.chunks_exact_mut(n).enumerate() {
        for (i, x) in data.design().column(j).iter() {
            column[i] = x;
        }
        standardise(column);
    }
    let dense = Dense::from_columns(n, data.features(), values)?;
    Ok(same_records(data, dense))
}

/// Columns divided by their largest |x_ij|, so that all entries lie in \[−1, 1\]; keeps sparsity.
///
/// **Limits.** Data-dependent, hence not private, like [`standardised`].
///
/// # Errors
/// If the quotient of two entries overflows.
pub fn max_abs_scaled(data: &Dataset) -> Result<Dataset, DesignError> {
    let (n, p) = (data.records(), data.features());
    let divisor = |j| match data.design().column(j).max_abs() {
        0.0 => 1.0,
        largest => largest,
    };
    let design: Design = match data.design() {
        Design::Dense(dense) => {
            let scaled = |j| {
                let d = divisor(j);
                dense.column(j).iter().map(move |x| x / d)
            };
            Dense::from_columns(n, p, (0..p).flat_map(scaled).collect())?.into()
        }
        Design::Sparse(_) => {
            let entries: Vec<_> = (0..p)
                .flat_map(|j| {
                    let d = divisor(j);
                    data.design()
                        .column(j)
                        .iter()
                        .map(move |(i, x)| (i, j, x / d))
                })
                .collect();
            Sparse::from_entries(n, p, &entries)?.into()
        }
    };
    Ok(same_records(data, design))
}

fn same_records(data: &Dataset, design: impl Into<Design>) -> Dataset {
    data.with_design(design)
        .expect("scaling keeps the number of records")
}

fn standardise(column: &mut [f64]) {
    let n = column.len() as f64;
    let mean = column.iter().sum::<f64>() / n;
    column.iter_mut().for_each(|x| *x -= mean);
    let deviation = (column.iter().map(|x| x * x).sum::<f64>() / n).sqrt();
    // A constant column leaves only the rounding of its mean: relative size up to n · 2⁻⁵³.
    let noise = n * f64::EPSILON * mean.abs();
    let scale = if deviation > noise {
        1.0 / deviation
    } else {
        0.0
    };
    column.iter_mut().for_each(|x| *x *= scale);
}
