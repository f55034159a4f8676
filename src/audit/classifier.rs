//! A learned score for outputs of many numbers: an additive logistic model.
//!
//! Each column is cut into bins; the score is the sum of one weight per column, that of the bin its
//! value falls into (NaN has a bin of its own). With independent columns the best weights are the
//! columns' log-likelihood ratios, from which the fit starts; a few passes of gradient steps on the
//! logistic loss then account for dependence. The likelihood ratio of Laplace, Gaussian and
//! discrete noise is a function of this form.

use crate::audit::features::{Layout, Rows};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Cuts per column at most.
const CUTS: usize = 24;
/// Passes over the training rows.
const PASSES: usize = 12;
/// Size of the first gradient step, in units of log-odds.
const STEP: f64 = 0.3;

/// An additive score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Classifier {
    columns: Vec<Column>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Column {
    /// Ascending; bin b holds the values x with exactly b cuts ≤ x.
    cuts: Vec<f64>,
    /// One per bin, and last the weight of NaN.
    weights: Vec<f64>,
}

impl Column {
    fn bin(&self, value: f64) -> usize {
        if value.is_nan() {
            self.weights.len() - 1
        } else {
            self.cuts.partition_point(|cut| *cut <= value)
        }
    }
}

impl Classifier {
    /// Learns to give rows of `first` higher scores than rows of `second`.
    pub(crate) fn train(width: usize, first: &Rows, second: &Rows) -> Self {
        let columns: Vec<(Column, Vec<u8>)> = (0..width)
            .into_par_iter()
            .map(|index| {
                let values: Vec<f64> = [first, second]
                    .into_iter()
                    .flat_map(|rows| rows.iter().map(|row| row.values[index]))
                    .collect();
                start(&values, first.len())
            })
            .collect();
        let (mut columns, bins): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        if width > 1 {
            refine(&mut columns, &bins, first.len());
        }
        Self { columns }
    }

    /// The score of a row.
    pub(crate) fn score(&self, values: &[f64]) -> f64 {
        let weights = self.columns.iter().zip(values);
        weights
            .map(|(column, value)| column.weights[column.bin(*value)])
            .sum()
    }

    /// The score in words: the columns that matter most.
    pub(crate) fn describe(&self, layout: &Layout) -> String {
        let spread = |column: &Column| {
            let high = column.weights.iter().copied().fold(f64::MIN, f64::max);
            let low = column.weights.iter().copied().fold(f64::MAX, f64::min);
            high - low
        };
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        order.sort_by(|a, b| spread(&self.columns[*b]).total_cmp(&spread(&self.columns[*a])));
        let names: Vec<String> = order.iter().take(3).map(|c| layout.column(*c)).collect();
        let rest = if order.len() > 3 { ", …" } else { "" };
        format!("score({}{rest})", names.join(", "))
    }
}

/// A column's cuts and log-likelihood ratios, and the bin of every value.
fn start(values: &[f64], on_first: usize) -> (Column, Vec<u8>) {
    let cuts = cuts(values);
    let bins = cuts.len() + 2;
    let mut column = Column {
        cuts,
        weights: vec![0.0; bins],
    };
    let of: Vec<u8> = values
        .iter()
        .map(|value| column.bin(*value) as u8)
        .collect();
    let mut counts = vec![[0.5_f64; 2]; bins];
    for (index, bin) in of.iter().enumerate() {
        counts[usize::from(*bin)][usize::from(index >= on_first)] += 1.0;
    }
    for (weight, [a, b]) in column.weights.iter_mut().zip(&counts) {
        *weight = (a / b).ln();
    }
    (column, of)
}

/// Values that begin a new bin: every distinct value but the smallest if there are few, else
/// quantiles.
fn cuts(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut distinct = sorted.clone();
    distinct.dedup();
    if distinct.len() > CUTS + 1 {
        let quantile = |i: usize| sorted[i * sorted.len() / (CUTS + 1)];
        distinct = (0..=CUTS).map(quantile).collect();
        distinct.dedup();
    }
    distinct.drain(..1.min(distinct.len()));
    distinct
}

/// Gradient steps on the logistic loss of all weights together, each scaled by the root of the sum
/// of the weight's squared gradients so far (AdaGrad).
fn refine(columns: &mut [Column], bins: &[Vec<u8>], on_first: usize) {
    let rows = bins[0].len();
    let mut scores = vec![0.0; rows];
    for (column, of) in columns.iter().zip(bins) {
        for (score, bin) in scores.iter_mut().zip(of) {
            *score += column.weights[usize::from(*bin)];
        }
    }
    let mut squares: Vec<Vec<f64>> = columns.iter().map(|c| vec![0.0; c.weights.len()]).collect();
    for _ in 0..PASSES {
        let residuals: Vec<f64> = scores
            .iter()
            .enumerate()
            .map(|(row, score)| f64::from(row < on_first) - 1.0 / (1.0 + (-score).exp()))
            .collect();
        let all = columns.par_iter_mut().zip(&mut squares).zip(bins);
        all.for_each(|((column, squares), of)| {
            let mut gradient = vec![0.0; column.weights.len()];
            for (residual, bin) in residuals.iter().zip(of) {
                gradient[usize::from(*bin)] += residual;
            }
            let updates = column
                .weights
                .iter_mut()
                .zip(squares.iter_mut())
                .zip(gradient);
            for ((weight, square), slope) in updates {
                *square += slope * slope;
                // The ridge makes a bin with a single row move slowly.
                *weight += STEP * slope / (square.sqrt() + 2.0);
            }
        });
        scores.fill(0.0);
        for (column, of) in columns.iter().zip(bins) {
            for (score, bin) in scores.iter_mut().zip(of) {
                *score += column.weights[usize::from(*bin)];
            }
        }
    }
}
