//! Inner products of a strategy's columns, enclosed.

use super::Strategy;
use crate::accounting::float::U;
use crate::accounting::float::elementary::{exp_m1, ln_1p};
use std::iter::StepBy;
use std::ops::Range;

/// Inner products of columns with entries ≥ 0, or of sums of them; or moduli of inner products.
pub(super) struct Gram {
    pub(super) n: usize,
    /// Columns at this distance or more have no row in common.
    width: usize,
    /// ⟨cᵢ, cⱼ⟩ for i ≤ j < i + width, row by row.
    products: Vec<f64>,
    /// Bound on what each may be off by, relatively; of moduli, upwards, that bound is in them.
    error: f64,
}

/// K ⪯ `common`·J + `own`·I on the bins of one of so many classes.
pub(super) struct Split {
    pub(super) classes: usize,
    pub(super) common: f64,
    pub(super) own: f64,
}

impl Gram {
    /// ⟨|cᵢ|, |cⱼ|⟩, or upper bounds on |⟨cᵢ, cⱼ⟩|.
    pub(super) fn new(strategy: &Strategy, moduli: bool) -> Self {
        let n = strategy.steps();
        let error = 1.01 * U * (n as f64 + 4.0);
        let width = strategy.width();
        let mut products = vec![0.0; n * width];
        let term = |a: f64, b: f64| if moduli { (a * b).abs() } else { a * b };
        let value = |sum: f64, size: f64| match moduli {
            true => sum,
            false => sum.abs() + error * size,
        };
        match strategy {
            // ⟨cᵢ, cⱼ⟩ is the sum of a_{l+j−i}·a_l over l < n − j.
            Strategy::Toeplitz(list) => {
                for lag in 0..width {
                    let (mut sum, mut size) = (0.0, 0.0);
                    for l in 0..n - lag {
                        let product = term(list[l + lag], list[l]);
                        sum += product;
                        size += product.abs();
                        let j = n - 1 - l;
                        products[(j - lag) * width + lag] = value(sum, size);
                    }
                }
            }
            Strategy::Matrix(rows) => {
                for i in 0..n {
                    for j in i..n {
                        let (mut sum, mut size) = (0.0, 0.0);
                        for row in &rows[j..] {
                            let product = term(row[i], row[j]);
                            sum += product;
                            size += product.abs();
                        }
                        products[i * width + j - i] = value(sum, size);
                    }
                }
            }
        }
        Self {
            n,
            width,
            products,
            error,
        }
    }

    fn product(&self, i: usize, j: usize) -> f64 {
        let (first, lag) = (i.min(j), i.abs_diff(j));
        match lag < self.width {
            true => self.products[first * self.width + lag],
            false => 0.0,
        }
    }

    pub(super) fn upper(&self, i: usize, j: usize) -> f64 {
        self.product(i, j) * (1.0 + self.error) + 1e-300
    }

    pub(super) fn lower(&self, i: usize, j: usize) -> f64 {
        (self.product(i, j) * (1.0 - self.error) - 1e-300).max(0.0)
    }

    /// The columns that may have a row in common with this one, of those that are so many apart from it and from one another.
    pub(super) fn near(&self, i: usize, apart: usize) -> StepBy<Range<usize>> {
        let before = i.min(self.width - 1) / apart * apart;
        (i - before..(i + self.width).min(self.n)).step_by(apart)
    }

    /// Of the sums of all columns whose numbers leave the same remainder.
    pub(super) fn binned(&self, bins: usize) -> Self {
        let mut products = vec![0.0; bins * bins];
        for i in 0..self.n {
            for j in self.near(i, 1) {
                // Of a pair of bins as it is kept, the earlier first.
                if let Some(lag) = (j % bins).checked_sub(i % bins) {
                    products[(i % bins) * bins + lag] += self.product(i, j);
                }
            }
        }
        let terms = (self.n.div_ceil(bins) as f64).powi(2);
        Self {
            n: bins,
            width: bins,
            products,
            error: self.error + 1.01 * U * (terms + 2.0),
        }
    }

    /// ⟨cᵢ, v⟩/‖v‖ for the sum v of these columns, which increase, rounded down.
    pub(super) fn projected(&self, columns: &[usize]) -> Vec<f64> {
        let rounding = 4.0 * U * (columns.len() as f64 + 4.0);
        let near = |i: usize| {
            let first = columns.partition_point(|j| j + self.width <= i);
            let end = columns.partition_point(|j| *j < i + self.width);
            columns[first..end].iter()
        };
        let mut square = 0.0;
        for i in columns {
            square += near(*i).map(|j| self.upper(*i, *j)).sum::<f64>();
        }
        let norm = (square * (1.0 + rounding)).sqrt().next_up();
        let along = |i: &usize| {
            let sum: f64 = near(*i).map(|j| self.lower(*i, *j)).sum();
            sum * (1.0 - rounding) / norm
        };
        columns.iter().map(along).collect()
    }

    /// The split that looks best.
    pub(super) fn split(&self, sigma: f64) -> Split {
        // About μ² of the two parts.
        let cost = |split: &Split| {
            let bins = (self.n / split.classes) as f64;
            let own = (split.own / (sigma * sigma)).min(600.0);
            split.common / (sigma * sigma) + ln_1p(exp_m1(own) / bins)
        };
        let mut best: Option<(f64, Split)> = None;
        let mut classes = 1;
        while classes <= self.n {
            for split in self.splits(classes) {
                let found = cost(&split);
                if best.as_ref().is_none_or(|(least, _)| found < *least) {
                    best = Some((found, split));
                }
            }
            classes *= 2;
        }
        best.map_or(
            Split {
                classes: 1,
                common: 0.0,
                own: 0.0,
            },
            |(_, split)| split,
        )
    }

    /// What is safe where the class of a bin is told, with some of the numbers that all bins may share.
    fn splits(&self, classes: usize) -> Vec<Split> {
        const SHARES: [f64; 6] = [0.0, 0.25, 0.5, 0.75, 0.9, 1.0];
        let same = |j: usize| (j % classes..self.n).step_by(classes);
        let mut others: Vec<f64> = (0..self.n)
            .flat_map(|j| same(j).filter(move |k| *k != j).map(move |k| (j, k)))
            .map(|(j, k)| self.upper(j, k))
            .collect();
        others.sort_by(f64::total_cmp);
        let quantile = |share: f64| match others.len() {
            0 => 0.0,
            count => others[((count - 1) as f64 * share) as usize],
        };
        let up = 1.0 + 4.0 * U * (self.n as f64 + 4.0);
        // Of one kind for all rows: a mean of both is no Gram matrix.
        let own = |common: f64| {
            let above = |j: usize, k: usize| (self.upper(j, k) - common).max(0.0);
            let off = |j: usize, k: usize| above(j, k).max(common - self.lower(j, k));
            let others = |j: usize| same(j).filter(move |k| *k != j);
            let raised = |j| above(j, j) + 2.0 * others(j).map(|k| above(j, k)).sum::<f64>();
            let kept = |j| same(j).map(|k| off(j, k)).sum();
            let most = |of: &dyn Fn(usize) -> f64| (0..self.n).map(of).fold(0.0, f64::max);
            most(&raised).min(most(&kept))
        };
        let split = |common: f64| Split {
            classes,
            common,
            own: own(common) * up,
        };
        let shares = [0.0].into_iter().chain(SHARES.map(quantile));
        shares.map(split).collect()
    }
}

#[cfg(all(test, feature = "certify"))]
mod tests {
    use super::*;
    use rug::Rational;

    fn exact(x: f64) -> Rational {
        Rational::from_f64(x).expect("a finite number")
    }

    /// The ends of every inner product are on their sides of the exact one, of both ways to write a strategy, of signed entries and of
    /// their moduli, and near it.
    #[test]
    fn products_enclose_the_exact_ones() {
        const N: usize = 13;
        let list: Vec<f64> = (0..5).map(|k| (-0.7_f64).powi(k) / 3.0).collect();
        let at = |i: usize, j: usize| match i.checked_sub(j) {
            Some(lag) => list.get(lag).copied().unwrap_or(0.0),
            None => 0.0,
        };
        let rows: Vec<Vec<f64>> = (0..N).map(|i| (0..N).map(|j| at(i, j)).collect()).collect();
        let padded: Vec<f64> = (0..N).map(|l| at(l, 0)).collect();
        for moduli in [false, true] {
            for strategy in [
                Strategy::Toeplitz(padded.clone()),
                Strategy::Matrix(rows.clone()),
            ] {
                let gram = Gram::new(&strategy, moduli);
                for (i, j) in (0..N).flat_map(|i| (0..N).map(move |j| (i, j))) {
                    let term = |l| {
                        let product = exact(at(l, i)) * exact(at(l, j));
                        if moduli { product.abs() } else { product }
                    };
                    let sum = (0..N).map(term).sum::<Rational>().abs();
                    let (lower, upper) = (exact(gram.lower(i, j)), exact(gram.upper(i, j)));
                    // Of an inner product that is rounded up to its modulus only the upper end is one.
                    assert!(sum <= upper, "{i}, {j}, {moduli}");
                    assert!(!moduli || lower <= sum, "{i}, {j}");
                    assert!(upper - sum <= 1e-13, "{i}, {j}, {moduli}");
                }
            }
        }
    }
}
