//! Synthetic problems: those that the paper describes, and stand-ins for data that are not there.

use crate::experiment::Input;
use crate::experiment::data::{DataError, bad};
use crate::mechanism::tape::{Purpose, Stream, Tape};
use crate::problem::{Dataset, Dense, Design, Sparse};

fn words(seed: u64, which: u64) -> Stream {
    Tape::new(seed).trial(which).stream(0, Purpose::Data, 0)
}

/// n·p standard normal entries, column by column.
fn normal(words: &mut Stream, count: usize) -> Vec<f64> {
    (0..count).map(|_| words.uniform().gaussian()).collect()
}

/// X w.
fn times(columns: &[f64], n: usize, w: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; n];
    for (column, w) in columns.chunks_exact(n).zip(w) {
        out.iter_mut().zip(column).for_each(|(u, x)| *u += x * w);
    }
    out
}

fn dataset(
    name: &str,
    n: usize,
    columns: Vec<f64>,
    targets: Vec<f64>,
) -> Result<Dataset, DataError> {
    let p = columns.len() / n;
    let design = Dense::from_columns(n, p, columns).map_err(|e| bad(name, 0, &e))?;
    Dataset::new(name, Design::from(design), targets).map_err(|e| bad(name, 0, &e))
}

fn sign(value: f64) -> f64 {
    if value >= 0.0 { 1.0 } else { -1.0 }
}

/// log1 and log2: y = sign(X w + N(0, 1)), w log-normal and all positive.
pub(super) fn logistic(
    name: &str,
    toy: bool,
    sigma: f64,
    seed: u64,
) -> Result<(Dataset, Input), DataError> {
    let (n, p) = if toy { (60, 5) } else { (1000, 100) };
    let mut words = words(seed, 1 + sigma as u64);
    let columns = normal(&mut words, n * p);
    let w: Vec<f64> = normal(&mut words, p)
        .iter()
        .map(|z| (sigma * z).exp())
        .collect();
    let mut targets = times(&columns, n, &w);
    for y in &mut targets {
        *y = sign(*y + words.uniform().gaussian());
    }
    let recipe = format!(
        "{n} × {p} standard normal, w = exp({sigma}·N(0, 1)), y = sign(Xw + N(0, 1)), seed {seed}; \
         the sign and the noise are not printed"
    );
    Ok((
        dataset(name, n, columns, targets)?,
        Input::synthetic(name, recipe),
    ))
}

/// square: y = X w + N(0, 1), ten coefficients 100·U(0, 1).
pub(super) fn square(toy: bool, seed: u64) -> Result<(Dataset, Input), DataError> {
    let (n, p) = if toy { (40, 12) } else { (1000, 1000) };
    let mut words = words(seed, 4);
    let columns = normal(&mut words, n * p);
    let mut chosen = Vec::new();
    words.subset(p, 10, &mut chosen);
    let mut w = vec![0.0; p];
    for j in chosen {
        w[j] = 100.0 * words.uniform().fraction();
    }
    let mut targets = times(&columns, n, &w);
    for y in &mut targets {
        *y += words.uniform().gaussian();
    }
    let recipe = format!(
        "{n} × {p} standard normal, ten coefficients 100·U(0, 1), y = Xw + N(0, 1), seed {seed}; \
         sizes are not printed, and log-normal ones would make the optimum 0 at λ = 30"
    );
    Ok((
        dataset("square", n, columns, targets)?,
        Input::synthetic("square", recipe),
    ))
}

/// In place of mtp: correlated columns whose covariance has condition 10⁶, balanced coefficients.
pub(super) fn mtp(toy: bool, seed: u64) -> Result<(Dataset, Input), DataError> {
    let (n, p) = if toy { (60, 6) } else { (4450, 202) };
    let mut words = words(seed, 5);
    let mut columns = vec![0.0; n * p];
    for k in 0..p {
        let deviation = 10f64.powf(-3.0 * k as f64 / (p - 1) as f64);
        let factor = normal(&mut words, n);
        for (j, column) in columns.chunks_exact_mut(n).enumerate() {
            // The cosine transform: an orthogonal mixture of the factors.
            let angle = std::f64::consts::PI * (j as f64 + 0.5) * k as f64 / p as f64;
            let weight = deviation * angle.cos();
            column
                .iter_mut()
                .zip(&factor)
                .for_each(|(x, f)| *x += weight * f);
        }
    }
    let w: Vec<f64> = (0..p).map(|_| sign(words.uniform().gaussian())).collect();
    let mut targets = times(&columns, n, &w);
    for y in &mut targets {
        *y += words.uniform().gaussian();
    }
    let recipe = format!(
        "{n} × {p}, covariance of condition 10⁶, coefficients ±1, y = Xw + N(0, 1), seed {seed}"
    );
    let why = "no copy of the OpenML data set was found";
    Ok((
        dataset("mtp", n, columns, targets)?,
        Input::stand_in("mtp", recipe, why),
    ))
}

/// In place of dorothea: sparse binary columns of uneven frequency, few positives, few telling columns.
pub(super) fn dorothea(toy: bool, seed: u64) -> Result<(Dataset, Input), DataError> {
    let (n, p, ones, telling) = if toy {
        (40, 60, 5, 6)
    } else {
        (800, 88_119, 908, 150)
    };
    let mut words = words(seed, 6);
    let mut sum = 0.0;
    let cumulative: Vec<f64> = (0..p)
        .map(|j| {
            sum += (j as f64 + 10.0).powf(-0.7);
            sum
        })
        .collect();
    let cumulative: Vec<f64> = cumulative.iter().map(|c| c / sum).collect();
    let positives = (0.0975 * n as f64).round() as usize;
    let (mut entries, mut targets) = (Vec::new(), Vec::new());
    for i in 0..n {
        let positive = i < positives;
        targets.push(if positive { 1.0 } else { -1.0 });
        let mut row: Vec<usize> = (0..ones)
            .map(|_| words.uniform().pick(&cumulative))
            .collect();
        // Evenly spread columns that positives have more often.
        let chance = if positive { 0.3 } else { 0.03 };
        row.extend(
            (0..telling)
                .filter(|_| words.uniform().fraction() <= chance)
                .map(|k| k * (p / telling)),
        );
        row.sort_unstable();
        row.dedup();
        entries.extend(row.into_iter().map(|j| (i, j, 1.0)));
    }
    let design = Sparse::from_entries(n, p, &entries).map_err(|e| bad("dorothea", 0, &e))?;
    let data = Dataset::new("dorothea", Design::from(design), targets)
        .map_err(|e| bad("dorothea", 0, &e))?;
    let recipe = format!(
        "{n} × {p} binary, {} ones, {positives} positives, {telling} telling columns (0.3 against \
         0.03), seed {seed}",
        entries.len()
    );
    let why = "the training part was absent from every stored copy found";
    Ok((data, Input::stand_in("dorothea", recipe, why)))
}

/// In place of california: eight columns, three of which tell.
pub(super) fn california(toy: bool, seed: u64) -> Result<(Dataset, Input), DataError> {
    let (n, p) = if toy { (60, 4) } else { (20_640, 8) };
    let mut words = words(seed, 7);
    let columns = normal(&mut words, n * p);
    let w: Vec<f64> = (0..p)
        .map(|j| [0.7, 0.2, -0.2].get(j).copied().unwrap_or(0.0))
        .collect();
    let mut targets = times(&columns, n, &w);
    for y in &mut targets {
        *y += 2.0 + words.uniform().gaussian();
    }
    let recipe =
        format!("{n} × {p} standard normal, three coefficients, y = 2 + Xw + N(0, 1), seed {seed}");
    let why = "cal_housing.csv.gz is not in the data folder";
    Ok((
        dataset("california", n, columns, targets)?,
        Input::stand_in("california", recipe, why),
    ))
}

/// In place of madelon: its generator's recipe. 32 clusters at the corners of a cube in five
/// dimensions, labelled at random; mixtures of these five; the rest noise.
pub(super) fn madelon(toy: bool, seed: u64) -> Result<(Dataset, Input), DataError> {
    const INFORMATIVE: usize = 5;
    let (n, p, mixed) = if toy { (64, 12, 3) } else { (2600, 500, 15) };
    let mut words = words(seed, 8);
    let labels: Vec<f64> = normal(&mut words, 1 << INFORMATIVE)
        .into_iter()
        .map(sign)
        .collect();
    let mixture = normal(&mut words, INFORMATIVE * mixed);
    let mut columns = normal(&mut words, n * p);
    let mut targets = Vec::new();
    for i in 0..n {
        let corner = words.uniform().below(1 << INFORMATIVE);
        targets.push(labels[corner]);
        for j in 0..INFORMATIVE {
            let side = if corner >> j & 1 == 1 { 1.0 } else { -1.0 };
            columns[j * n + i] += 2.0 * side;
        }
        for m in 0..mixed {
            let value = (0..INFORMATIVE).map(|j| mixture[m * INFORMATIVE + j] * columns[j * n + i]);
            columns[(INFORMATIVE + m) * n + i] = value.sum();
        }
    }
    let recipe = format!(
        "{n} × {p}: 32 labelled clusters in {INFORMATIVE} columns, {mixed} mixtures of them, \
         noise; seed {seed}"
    );
    let why = "madelon_{train,valid}.{data.gz,labels} are not all in the data folder";
    Ok((
        dataset("madelon", n, columns, targets)?,
        Input::stand_in("madelon", recipe, why),
    ))
}
