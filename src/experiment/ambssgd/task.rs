//! Least-squares problems, and how far a point is from their optimum.

use crate::experiment::data::{DataError, bad};
use crate::experiment::gcd::files;
use crate::experiment::{Effort, Input, Setting, Shelf};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::rows::Matrix;
use crate::problem::{Dataset, Dense, scaling};
use nalgebra::{Cholesky, DMatrix, DVector};

/// Records in memory with their second moments.
pub(super) struct Task {
    pub(super) name: String,
    pub(super) records: Matrix,
    /// XᵀX/n.
    square: DMatrix<f64>,
    /// The least-squares coefficients.
    optimum: DVector<f64>,
    /// yᵀy/n.
    targets: f64,
}

impl Task {
    fn new(name: String, records: Matrix) -> Result<Self, DataError> {
        let (n, d) = (records.records(), records.features());
        let mut square = DMatrix::zeros(d, d);
        let mut product = DVector::zeros(d);
        let mut targets = 0.0;
        for (i, y) in records.targets().iter().enumerate() {
            let row = records.row(i);
            for (j, x) in row.iter().enumerate() {
                product[j] += x * y;
                for (k, z) in row.iter().enumerate() {
                    square[(j, k)] += x * z;
                }
            }
            targets += y * y;
        }
        let scale = 1.0 / n as f64;
        square *= scale;
        let singular = || bad(&name, 0, &"its columns are dependent");
        let factor = Cholesky::new(square.clone()).ok_or_else(singular)?;
        Ok(Self {
            optimum: factor.solve(&(product * scale)),
            targets: targets * scale,
            name,
            records,
            square,
        })
    }

    /// (MSE(w) − min MSE)/MSE(0), on the records themselves: (w − w*)ᵀ(XᵀX/n)(w − w*)/(yᵀy/n).
    pub(super) fn excess(&self, w: &[f64]) -> f64 {
        let away = DVector::from_column_slice(w) - &self.optimum;
        away.dot(&(&self.square * &away)) / self.targets
    }
}

/// The problems of an effort.
pub(super) fn tasks(setting: &Setting) -> Result<Vec<(Task, Input)>, DataError> {
    let Setting {
        effort,
        seed,
        shelf,
        ..
    } = setting;
    let mut tasks = Vec::new();
    if *effort != Effort::Toy {
        let (data, input) = files::california(false, shelf, *seed)?;
        tasks.push((standardised(&data)?, input));
        let (data, input) = diabetes(shelf, *seed)?;
        tasks.push((standardised(&data)?, input));
    }
    let lengths = effort.pick(
        &[400][..],
        &[10_000, 100_000],
        &[10_000, 100_000, 1_000_000],
    );
    for &n in lengths {
        for &sigma in effort.pick(&[0.1][..], &[1.0, 0.1, 0.01], &[1.0, 0.1, 0.01]) {
            tasks.push(gaussian(n, effort.pick(3, 10, 10), sigma, *seed)?);
        }
    }
    Ok(tasks)
}

/// Columns and target with mean 0 and deviation 1.
fn standardised(data: &Dataset) -> Result<Task, DataError> {
    let name = data.name();
    let n = data.records() as f64;
    let mean = data.targets().iter().sum::<f64>() / n;
    let centred: Vec<f64> = data.targets().iter().map(|y| y - mean).collect();
    let deviation = (centred.iter().map(|y| y * y).sum::<f64>() / n).sqrt();
    let targets = centred.iter().map(|y| y / deviation).collect();
    let scaled = scaling::standardised(data).map_err(|e| bad(name, 0, &e))?;
    let data =
        Dataset::new(name, scaled.design().clone(), targets).map_err(|e| bad(name, 0, &e))?;
    Task::new(name.to_owned(), Matrix::of(&data))
}

/// x ~ N(0, I), y = x·w* + σz with w* = (1, …, 1)/√d.
fn gaussian(n: usize, d: usize, sigma: f64, seed: u64) -> Result<(Task, Input), DataError> {
    let name = format!("gaussian, N = {n}, σ = {sigma}");
    let tape = Tape::new(seed).trial(sigma.to_bits() ^ n as u64);
    let mut words = tape.stream(0, Purpose::Data, 0);
    let values: Vec<f64> = (0..n * d).map(|_| words.uniform().gaussian()).collect();
    let root = (d as f64).sqrt();
    let mut target =
        |row: &[f64]| row.iter().sum::<f64>() / root + sigma * words.uniform().gaussian();
    let targets = values.chunks_exact(d).map(&mut target).collect();
    let records = Matrix::new(d, values, targets).map_err(|e| bad(&name, 0, &e))?;
    let recipe =
        format!("{n} × {d} standard normal, y = x·w* + N(0, {sigma}²), ‖w*‖ = 1, seed {seed}");
    let input = Input::synthetic(&name, recipe);
    Ok((Task::new(name, records)?, input))
}

/// diabetes, 442 × 10; in its place as many correlated normal columns.
pub(in crate::experiment) fn diabetes(
    shelf: &Shelf,
    seed: u64,
) -> Result<(Dataset, Input), DataError> {
    let name = "diabetes";
    let found = (
        shelf.find("diabetes_data_raw.csv.gz")?,
        shelf.find("diabetes_target.csv.gz")?,
    );
    let (rows, targets, input) = match found {
        (Some(rows), Some(targets)) => (
            files::numbers(&rows)?,
            files::numbers(&targets)?.concat(),
            Input::files(name, &[&rows, &targets]),
        ),
        _ => correlated(name, seed),
    };
    let design = Dense::from_rows(&rows).map_err(|e| bad(name, 0, &e))?;
    let data = Dataset::new(name, design, targets).map_err(|e| bad(name, 0, &e))?;
    Ok((data, input))
}

/// 442 × 10 normal columns with correlation ½, and a target half of whose variance they explain.
fn correlated(name: &str, seed: u64) -> (Vec<Vec<f64>>, Vec<f64>, Input) {
    let mut words = Tape::new(seed).trial(442).stream(0, Purpose::Data, 0);
    let mut normal = || words.uniform().gaussian();
    let mut row = |_| {
        let common = normal();
        let columns = (0..10).map(|_| (common + normal()) * 0.5_f64.sqrt());
        columns.collect::<Vec<f64>>()
    };
    let rows: Vec<Vec<f64>> = (0..442).map(&mut row).collect();
    // Var(Σx) = 10 + 90/2.
    let scale = 55_f64.sqrt();
    let target = |row: &Vec<f64>| row.iter().sum::<f64>() / scale + normal();
    let targets = rows.iter().map(target).collect();
    let recipe = format!("442 × 10 normal with correlation 1/2, y = Σx/√55 + N(0, 1), seed {seed}");
    let why = "diabetes_{data_raw,target}.csv.gz are not both in the data folder";
    (rows, targets, Input::stand_in(name, recipe, why))
}
