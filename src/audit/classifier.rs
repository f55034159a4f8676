//! A learned score for outputs of many numbers: an additive logistic model.
//!
//! Each column is cut into bins; the score is the sum of one weight per column, that of the bin its
//! value falls into (NaN has a bin of its own). With independent columns the best weights are the
//! columns' log-likelihood ratios, from which the fit starts; a few passes of gradient steps on the
//! logistic loss then account for dependence. The likelihood ratio of Laplace, Gaussian and
//! discrete noise is a function of this form.

use crate::audit::features::{Layout, Part};
use crate::audit::number;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Cuts per column at most.
const CUTS: usize = 24;
/// Passes over the training rows.
const PASSES: usize = 12;
/// Size of the first gradient step, in units of log-odds.
const STEP: f64 = 0.3;

/// Bins of one column that are shown.
const BINS_SHOWN: usize = 4;

/// An additive score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Classifier {
    /// One for each column of the layout.
    columns: Vec<Column>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct Column {
    /// Ascending; bin b holds the values x with exactly b cuts ≤ x.
    #[serde(with = "number::many")]
    #[cfg_attr(feature = "cli", schemars(schema_with = "number::many::schema"))]
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

    /// The weights furthest from 0, in the order of their bins.
    fn shown(&self) -> String {
        let mut bins: Vec<usize> = (0..self.weights.len()).collect();
        let far = |bin: usize| self.weights[bin].abs();
        bins.sort_by(|a, b| far(*b).total_cmp(&far(*a)));
        bins.truncate(BINS_SHOWN);
        bins.sort_unstable();
        let place = |bin: usize| match (bin.checked_sub(1), self.cuts.get(bin)) {
            _ if bin == self.weights.len() - 1 => "if NaN".to_owned(),
            (None, None) => "else".to_owned(),
            (None, Some(end)) => format!("below {end}"),
            (Some(at), None) => format!("from {} on", self.cuts[at]),
            (Some(at), Some(end)) => format!("from {} to below {end}", self.cuts[at]),
        };
        let shown = |bin: &usize| format!("{:+.3} {}", self.weights[*bin], place(*bin));
        let shown: Vec<String> = bins.iter().map(shown).collect();
        let rest = match self.weights.len() - shown.len() {
            0 => String::new(),
            more => format!("; {more} smaller ones"),
        };
        shown.join(", ") + &rest
    }
}

impl Classifier {
    /// Learns to give rows of `first` higher scores than rows of `second`.
    pub(crate) fn train(width: usize, first: Part<'_>, second: Part<'_>) -> Self {
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

    /// The columns, those that matter most first.
    fn order(&self) -> Vec<usize> {
        let spread = |column: &Column| {
            let high = column.weights.iter().copied().fold(f64::MIN, f64::max);
            let low = column.weights.iter().copied().fold(f64::MAX, f64::min);
            high - low
        };
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        order.sort_by(|a, b| spread(&self.columns[*b]).total_cmp(&spread(&self.columns[*a])));
        order
    }

    /// The score in words: the columns that matter most.
    pub(crate) fn describe(&self, layout: &Layout) -> String {
        let order = self.order();
        let names: Vec<String> = order.iter().take(3).map(|c| layout.column(*c)).collect();
        let rest = if order.len() > 3 { ", …" } else { "" };
        format!("score({}{rest})", names.join(", "))
    }

    /// How the score is computed, a line for each of the columns that matter most, with the weights that matter most; all of them
    /// would fill pages.
    pub(crate) fn weights(&self, layout: &Layout) -> Vec<String> {
        const SHOWN: usize = 4;
        let order = self.order();
        let line = |at: &usize| format!("{}: {}", layout.column(*at), self.columns[*at].shown());
        let head = "the score is the sum of a weight for each column, by where its number lies \
                    (all of them in the JSON):";
        let rest = order.len().saturating_sub(SHOWN);
        let rest = (rest > 0).then(|| format!("and {rest} columns more"));
        let shown = order.iter().take(SHOWN).map(line);
        [head.to_owned()]
            .into_iter()
            .chain(shown)
            .chain(rest)
            .collect()
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
    let mut values: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
    if few_distinct(&values) {
        values.sort_unstable_by(f64::total_cmp);
    } else {
        let ranks: Vec<usize> = (0..=CUTS).map(|i| i * values.len() / (CUTS + 1)).collect();
        put_in_place(&mut values, 0, &ranks);
        values = ranks.iter().map(|rank| values[*rank]).collect();
    }
    values.dedup();
    values.drain(..1.min(values.len()));
    values
}

/// Whether every distinct value can have a bin of its own.
fn few_distinct(values: &[f64]) -> bool {
    let mut seen: Vec<f64> = Vec::with_capacity(CUTS + 1);
    values.iter().all(|value| {
        let known = seen.contains(value);
        let fits = known || seen.len() <= CUTS;
        if !known && fits {
            seen.push(*value);
        }
        fits
    })
}

/// Moves the values of these ascending ranks to where they would be in ascending order; `start` is the rank of the
/// first value.
fn put_in_place(values: &mut [f64], start: usize, ranks: &[usize]) {
    let (before, after) = ranks.split_at(ranks.len() / 2);
    let Some((rank, after)) = after.split_first() else {
        return;
    };
    let (less, _, more) = values.select_nth_unstable_by(rank - start, f64::total_cmp);
    put_in_place(less, start, before);
    put_in_place(more, rank + 1, after);
}

/// Columns whose gradients are summed side by side: a sum waits for its last term to be stored, and
/// meanwhile the others go on.
const AT_ONCE: usize = 4;
/// Rows whose scores stay in the nearest cache while the columns are added up.
const BLOCK: usize = 1 << 11;

/// Gradient steps on the logistic loss of all weights together, each scaled by the root of the sum
/// of the weight's squared gradients so far (AdaGrad).
fn refine(columns: &mut [Column], bins: &[Vec<u8>], on_first: usize) {
    let mut squares: Vec<Vec<f64>> = columns.iter().map(|c| vec![0.0; c.weights.len()]).collect();
    for _ in 0..PASSES {
        let residuals = residuals(columns, bins, on_first);
        let some = columns.par_chunks_mut(AT_ONCE);
        let all = some
            .zip(squares.par_chunks_mut(AT_ONCE))
            .zip(bins.par_chunks(AT_ONCE));
        all.for_each(|((columns, squares), bins)| {
            let gradients = gradients(&residuals, bins);
            for ((column, squares), gradient) in columns.iter_mut().zip(squares).zip(&gradients) {
                step(&mut column.weights, squares, gradient);
            }
        });
    }
}

/// By row, what is missing from the probability that the scores give to its side.
fn residuals(columns: &[Column], bins: &[Vec<u8>], on_first: usize) -> Vec<f64> {
    let mut residuals = vec![0.0; bins[0].len()];
    let blocks = residuals.par_chunks_mut(BLOCK).enumerate();
    blocks.for_each(|(index, scores)| {
        let start = index * BLOCK;
        for (column, of) in columns.iter().zip(bins) {
            for (score, bin) in scores.iter_mut().zip(&of[start..]) {
                *score += column.weights[usize::from(*bin)];
            }
        }
        for (row, score) in (start..).zip(scores) {
            *score = f64::from(row < on_first) - 1.0 / (1.0 + (-*score).exp());
        }
    });
    residuals
}

/// The gradients by the weights of up to [`AT_ONCE`] columns.
fn gradients(residuals: &[f64], bins: &[Vec<u8>]) -> [[f64; CUTS + 2]; AT_ONCE] {
    let mut gradients = [[0.0; CUTS + 2]; AT_ONCE];
    for (row, residual) in residuals.iter().enumerate() {
        for (gradient, of) in gradients.iter_mut().zip(bins) {
            gradient[usize::from(of[row])] += residual;
        }
    }
    gradients
}

/// Moves a column's weights along their gradient.
fn step(weights: &mut [f64], squares: &mut [f64], gradient: &[f64]) {
    for ((weight, square), slope) in weights.iter_mut().zip(squares).zip(gradient) {
        *square += slope * slope;
        // The ridge makes a bin with a single row move slowly.
        *weight += STEP * slope / (square.sqrt() + 2.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use crate::audit::Output;
    use crate::audit::features::{Extras, Rows};
    use crate::mechanism::tape::{Purpose, Tape};

    #[test]
    fn residuals_and_gradients_are_those_of_the_odds() {
        // Odds of 1, of 3 and of 1/3 for the first side.
        let column = Column {
            cuts: vec![0.0, 1.0],
            weights: vec![0.0, 3_f64.ln(), -(3_f64.ln()), 0.0],
        };
        let bins = [vec![0, 1, 2, 0, 1, 2]];
        let found = residuals(&[column], &bins, 3);
        for (residual, expected) in found.iter().zip([0.5, 0.25, 0.75, -0.5, -0.75, -0.25]) {
            assert!((residual - expected).abs() < 1e-12, "{found:?}");
        }
        let [of_column, ..] = gradients(&found, &bins);
        for (gradient, expected) in of_column.iter().zip([0.0, -0.5, 0.5, 0.0]) {
            assert!((gradient - expected).abs() < 1e-12, "{of_column:?}");
        }
    }

    #[test]
    fn a_rare_value_of_few_has_a_bin_of_its_own() {
        let mut values = [1.0, 2.0].repeat(1000);
        values.push(3.0);
        assert_eq!(cuts(&values), [2.0, 3.0]);
    }

    /// Rows of continuous, of whole, of sometimes missing and of constant numbers, of more columns than are summed side by side.
    fn rows(n: usize, shift: f64) -> Rows {
        let mut noise = Tape::new(shift.to_bits()).stream(0, Purpose::User, 0);
        let mut row = || {
            let mut x = || noise.uniform().gaussian();
            let (a, b, c) = (x() + shift, x(), x());
            let sometimes = if b > 1.0 - shift { f64::NAN } else { c };
            Output::Vector(vec![
                a,
                (2.0 * (b + shift)).round(),
                sometimes,
                1.0,
                a + b,
                c * c,
                x(),
            ])
        };
        let outputs: Vec<Output> = (0..n).map(|_| row()).collect();
        let layout = Layout::of(&outputs, Extras::default());
        let mut rows = Rows::default();
        outputs
            .iter()
            .for_each(|output| layout.push(output, &mut rows));
        rows
    }

    /// Cuts, weights and scores to the last bit, after all passes and of a column that stands alone.
    #[test]
    fn trained_weights_are_what_they_were() {
        let (first, second) = (rows(1500, 0.0), rows(1400, 0.5));
        let mut found = Vec::new();
        for width in [7, 1] {
            let classifier = Classifier::train(width, first.all(), second.all());
            for column in &classifier.columns {
                assert_eq!(column.weights.len(), column.cuts.len() + 2);
                let signed =
                    { column.weights.iter().zip([1.0, -1.5].iter().cycle()) }.map(|(w, s)| w * s);
                found.extend([column.cuts.iter().sum(), signed.sum::<f64>()]);
            }
            found.extend([0, 7].map(|at| classifier.score(&first.row(at).values[..width])));
            let order = { classifier.order() }
                .iter()
                .fold(0.0, |all, at| 10.0 * all + *at as f64);
            found.push(order);
        }
        steady::holds(
            &found,
            "5.553523654583842 2.039517352091449 13.0 -1.1602503186347124
                -0.24591776635497808 -2.0215730106366747 -0.0 -0.06902955136379593
                4.877273078542203 -1.3729323140643803 21.913297810686345 1.032580335720887
                0.5122764864936471 1.8096839638204647 0.8000660154218732 1.4345522400973576
                1045263.0 5.553523654583842 1.343919505397253 -0.03419136474827931
                0.913301193025789 0.0",
        );
    }

    /// As many values as there may be bins have one each; of one more, quantiles.
    #[test]
    fn values_have_bins_of_their_own_while_they_are_few() {
        let values = |n: usize| -> Vec<f64> { (0..n * n).rev().map(|i| (i % n) as f64).collect() };
        assert!(few_distinct(&values(CUTS + 1)) && !few_distinct(&values(CUTS + 2)));
        let all: Vec<f64> = (1..=CUTS).map(|i| i as f64).collect();
        assert_eq!(cuts(&values(CUTS + 1)), all);
        // Of a thousand in order the quantiles from a twenty-fifth on.
        let thousand: Vec<f64> = (0..1000).rev().map(f64::from).collect();
        let due: Vec<f64> = (1..=CUTS).map(|i| (40 * i) as f64).collect();
        assert_eq!(cuts(&thousand), due);
        assert_eq!(cuts(&[f64::NAN, 2.0]), [0.0; 0]);
        assert_eq!(cuts(&[]), [0.0; 0]);
    }

    /// A value is in the bin of the cuts up to it, and what is no number in the last.
    #[test]
    fn values_fall_into_the_bins_of_their_cuts() {
        let (column, bins) = start(&[1.0, 2.0, f64::NAN, 2.0, 1.0, 1.0], 3);
        assert_eq!(
            (column.cuts.clone(), bins),
            (vec![2.0], vec![0, 1, 2, 1, 0, 0])
        );
        // With half a row more on either side: 1 and 2 of the ones, 1 and 1 of the twos, the NaN on the first.
        let due = [(1.5_f64 / 2.5).ln(), 0.0, 3_f64.ln()];
        assert_eq!(column.weights, due);
        assert_eq!(
            [0.5, 1.9, 2.0, 9.0, f64::NAN].map(|x| column.bin(x)),
            [0, 0, 1, 1, 2]
        );
    }

    #[test]
    fn steps_shrink_with_the_gradients_before() {
        let (mut weights, mut squares) = ([0.0, 1.0], [0.0, 9.0]);
        step(&mut weights, &mut squares, &[3.0, -4.0]);
        assert_eq!(
            (weights, squares),
            ([0.3 * 3.0 / 5.0, 1.0 - 0.3 * 4.0 / 7.0], [9.0, 25.0])
        );
    }
}
