//! How far a reference and an optimized run on the same noise may drift apart in floating point.
//!
//! **Proof.** u = 2⁻⁵³. A clipped gradient is x·c(r) with c = the residual r moved into [−ζ/‖x‖, ζ/‖x‖]; c is monotone
//! and 1-Lipschitz. Hence for iterates that differ by δ one exact step with the same records, noise and
//! ζ_t maps δ to (I − (η/b) Σ θ_i x_i x_iᵀ)δ with θ_i ∈ [0, 1], whose norm is at most
//! max(1, (η/b) Σ‖x_i‖² − 1) times ‖δ‖.
//!
//! **Rounding.** One step of either solver is off, with G_i = min(ζ, |r_i|·‖x_i‖), by at most
//! - (d + 4)u(‖x_i‖‖w‖ + |y_i|) in the residual, which moves the gradient by ‖x_i‖ times that;
//! - (d + 12)u·G_i in norm, clipping factor and product;
//! - (b + 2)u·ΣG_i in the sum over the batch, in any order, and its division;
//! - 6u times the noise's contribution, which is at most ‖w_{t+1} − w_t‖ + (η/b)ΣG_i;
//! - 3u(‖w_t‖ + ‖w_{t+1}‖) in the new iterate.
//!
//! `SLACK` covers that these are evaluated at the reference's iterates, and that u² is dropped.
//!
//! **Limits.** ζ_t is the same number in both runs if both return the same level, and they do unless a
//! residual is so near a threshold that its side is not certain. Then nothing is claimed from there
//! on, and the bound is infinite.

use super::{Adaptive, Iterate, Run, RunError, Shuffled, reference};
use crate::float::U;
use crate::mechanism::tape::Tape;
use crate::problem::rows::{Matrix, norm};

const SLACK: f64 = 1.1;

/// A reference run with the bound on ‖difference‖₂ of either of its outputs from the optimized ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounded {
    /// The reference's run.
    pub run: Run,
    /// The levels that it released (Algorithm 2).
    pub levels: Vec<usize>,
    /// Bound on the distance of the averages and of the last iterates; infinite after a tie.
    pub drift: f64,
}

/// Runs [`reference::ssgd`] with the bound.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::rows::Matrix;
/// use dp_assay::solver::ambssgd::{Shuffled, bound, optimized, permutation};
///
/// # let values: Vec<f64> = (0..16).map(|k| f64::from(k).sin()).collect();
/// # let targets = values.chunks(2).map(|x| 0.5 * x[0]).collect();
/// # let records = Matrix::new(2, values, targets)?;
/// let config = Shuffled { step: 0.1, threshold: 1.0, multiplier: 0.5 };
/// let order = permutation(Tape::new(1), 8);
/// let slow = bound::ssgd(&records, &order, &config, Tape::new(2))?;
/// let fast = optimized::ssgd(&mut records.source(Some(&order)), 8, &config, Tape::new(2), &mut |_| ())?;
/// assert!((slow.run.last[0] - fast.last[0]).abs() <= slow.drift);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As the reference.
pub fn ssgd(
    records: &Matrix,
    order: &[u32],
    config: &Shuffled,
    tape: Tape,
) -> Result<Bounded, RunError> {
    let mut drift = Drift::new(records, config.step);
    let run = reference::ssgd(records, order, config, tape, &mut |release| {
        let batch = &order[release.step..=release.step];
        drift.advance(batch, config.threshold, release.point);
    })?;
    Ok(Bounded {
        run,
        levels: Vec::new(),
        drift: drift.upper(order.len()),
    })
}

/// Runs [`reference::ambssgd`] with the bound.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::rows::Matrix;
/// use dp_assay::solver::ambssgd::{Adaptive, Ranges, Search, Stop, bound, optimized, permutation};
///
/// # let values: Vec<f64> = (0..16).map(|k| f64::from(k).sin()).collect();
/// # let targets = values.chunks(2).map(|x| 0.5 * x[0]).collect();
/// # let records = Matrix::new(2, values, targets)?;
/// # let search = Search::halvings(4.0, 10)?;
/// # let (ranges, stop) = (Ranges::Disjoint, Stop::Margin { failure: 0.01 });
/// # let config = Adaptive { step: 0.1, multiplier: 0.5, batch: 1, statistics: 1, factor: 1.0, search, ranges, stop };
/// let order = permutation(Tape::new(1), 8);
/// let slow = bound::ambssgd(&records, &order, &config, Tape::new(2))?;
/// let fast = optimized::ambssgd(&mut records.source(Some(&order)), 8, &config, Tape::new(2), &mut |_| ())?;
/// assert!((slow.run.last[0] - fast.last[0]).abs() <= slow.drift);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As the reference.
pub fn ambssgd(
    records: &Matrix,
    order: &[u32],
    config: &Adaptive,
    tape: Tape,
) -> Result<Bounded, RunError> {
    let mut drift = Drift::new(records, config.step);
    let mut levels = Vec::new();
    let (b, s) = (config.batch, config.statistics);
    let observe = &mut |release: Iterate<'_>| {
        let tau = release.step * (b + s);
        let level = release.level.unwrap_or(0);
        drift.compare_levels(&order[tau..tau + config.samples()], config, level);
        let batch = &order[tau + s..tau + s + b];
        drift.advance(batch, config.threshold(level), release.point);
        levels.push(level);
    };
    let run = reference::ambssgd(records, order, config, tape, observe)?;
    let drift = drift.upper(levels.len());
    Ok(Bounded { run, levels, drift })
}

/// The bound along the reference's iterates.
struct Drift<'a> {
    records: &'a Matrix,
    step: f64,
    iterate: Vec<f64>,
    /// Bound on the distance of the iterates; infinite after a tie.
    distance: f64,
    largest_distance: f64,
    largest_norm: f64,
}

impl<'a> Drift<'a> {
    fn new(records: &'a Matrix, step: f64) -> Self {
        Self {
            records,
            step,
            iterate: vec![0.0; records.features()],
            distance: 0.0,
            largest_distance: 0.0,
            largest_norm: 0.0,
        }
    }

    /// (‖x_i‖, |r_i|, bound on the rounding of r_i).
    fn residual(&self, i: u32) -> (f64, f64, f64) {
        let (x, y) = (
            self.records.row(i as usize),
            self.records.targets()[i as usize],
        );
        let product: f64 = x.iter().zip(&self.iterate).map(|(x, w)| x * w).sum();
        let length = norm(x);
        // ⟨x, 0⟩ − y is exact.
        let product_size = length * norm(&self.iterate);
        let size = if product_size == 0.0 {
            0.0
        } else {
            product_size + y.abs()
        };
        let rounding = (x.len() as f64 + 4.0) * U * size * SLACK;
        (length, (product - y).abs(), rounding)
    }

    fn compare_levels(&mut self, sample: &[u32], config: &Adaptive, level: usize) {
        let width = config.search.width;
        for &j in sample {
            let (length, residual, rounding) = self.residual(j);
            let margin = 2.0 * rounding + length * self.distance;
            let (low, high) = (
                width.levels_to((residual - margin).max(0.0)),
                width.levels_to(residual + margin),
            );
            if low != high && low <= level as i64 {
                self.distance = f64::INFINITY;
            }
        }
    }

    fn advance(&mut self, batch: &[u32], zeta: f64, next: &[f64]) {
        let (count, d) = (batch.len() as f64, next.len() as f64);
        let (mut moved, mut sizes, mut squares) = (0.0, 0.0, 0.0);
        for &i in batch {
            let (length, residual, rounding) = self.residual(i);
            moved += length * rounding;
            sizes += zeta.min(length * residual);
            squares += length * length;
        }
        let rate = self.step / count;
        let change: Vec<f64> = next.iter().zip(&self.iterate).map(|(a, b)| a - b).collect();
        let noise = norm(&change) + rate * sizes;
        let sums = (d + 12.0 + count + 2.0) * U * sizes;
        let norms = norm(&self.iterate) + norm(next);
        let local = rate * (moved + sums) + U * (6.0 * noise + 3.0 * norms);
        let growth = (rate * squares - 1.0).max(1.0);
        self.distance = growth * self.distance + 2.0 * SLACK * local;
        self.largest_distance = self.largest_distance.max(self.distance);
        self.largest_norm = self.largest_norm.max(norm(next));
        self.iterate.copy_from_slice(next);
    }

    fn upper(&self, steps: usize) -> f64 {
        // The average's own sums and scaling, in both runs.
        let average = 2.0 * (steps as f64 + 4.0) * U * self.largest_norm;
        self.largest_distance + SLACK * average
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::ambssgd::{Ranges, Search, Stop};

    /// Where a step ends is rounded in either run.
    #[test]
    fn a_step_errs_by_no_less_than_the_rounding_of_its_end() {
        let records = Matrix::new(2, vec![1.0, 0.0], vec![1.0]).expect("finite");
        let mut drift = Drift::new(&records, 0.1);
        drift.advance(&[0], 1.0, &[3.0, 4.0]);
        let found = drift.distance;
        assert!((2.0 * U * 5.0..1e-13).contains(&found), "{found}");
    }

    /// Two steps of two records each, by the formulas above; then what their averages add.
    #[test]
    fn steps_and_averages_err_by_what_is_said_above() {
        let rows = [[3.0, 4.0], [0.0, 1.0], [1.0, 0.0]];
        let targets = [1.0, -2.0, 0.5];
        let values = rows.concat();
        let records = Matrix::new(2, values, targets.to_vec()).expect("finite");
        let (step, zeta) = (1.5, 2.5);
        let mut drift = Drift::new(&records, step);
        let (mut w, mut distance, mut distances) = ([0.0; 2], 0.0, vec![0.0]);
        let size = |w: [f64; 2]| w[0].hypot(w[1]);
        for (batch, next) in [([0, 1], [0.5, -1.0]), ([2, 1], [0.25, -0.5])] {
            let (mut moved, mut clipped, mut squares) = (0.0, 0.0, 0.0);
            for i in batch {
                let (x, y) = (rows[i], targets[i]);
                let residual = f64::abs(x[0] * w[0] + x[1] * w[1] - y);
                let of = if size(w) > 0.0 {
                    size(x) * size(w) + f64::abs(y)
                } else {
                    0.0
                };
                let (length, found, rounding) = drift.residual(i as u32);
                assert!((length - size(x)).abs() < 1e-12 && (found - residual).abs() < 1e-12);
                assert!((rounding - 6.0 * U * SLACK * of).abs() <= 1e-12 * rounding);
                moved += size(x) * 6.0 * U * SLACK * of;
                clipped += f64::min(zeta, size(x) * residual);
                squares += size(x) * size(x);
            }
            let rate = step / 2.0;
            let noise = size([next[0] - w[0], next[1] - w[1]]) + rate * clipped;
            let local = rate * (moved + (2.0 + 12.0 + 2.0 + 2.0) * U * clipped)
                + U * (6.0 * noise + 3.0 * (size(w) + size(next)));
            distance = f64::max(1.0, rate * squares - 1.0) * distance + 2.0 * SLACK * local;
            distances.push(distance);
            drift.advance(&batch.map(|i| i as u32), zeta, &next);
            assert!((drift.distance / distance - 1.0).abs() < 1e-12);
            w = next;
        }
        // The second batch's records are so short that nothing grows; a long one makes distances grow.
        let before = drift.distance;
        drift.advance(&[0, 0], zeta, &w);
        assert!(drift.distance > (0.75 * 50.0 - 1.0) * before);
        assert!(drift.distance < (0.75 * 50.0 - 1.0) * before * 1.5);
        let largest = size([0.5, -1.0]);
        let average = SLACK * 2.0 * (7.0 + 4.0) * U * largest;
        assert!((drift.upper(7) / (drift.distance + average) - 1.0).abs() < 1e-12);
    }

    /// Where a residual is at a threshold within what is known of it, and only if that level can be the one that is returned.
    #[test]
    fn a_level_that_is_not_certain_ends_the_comparison() {
        let records = Matrix::new(1, vec![1.0, 1.0], vec![8.0, 7.0]).expect("finite");
        let config = Adaptive {
            step: 0.1,
            multiplier: 1.0,
            batch: 1,
            statistics: 1,
            factor: 1.0,
            search: Search::halvings(1024.0, 20).expect("in the domain"),
            ranges: Ranges::Disjoint,
            stop: Stop::Printed,
        };
        // γ_13 = 2¹³·1024/2²⁰ = 8: the first record is at that threshold, the second between it and the one before.
        let compared = |record: u32, distance: f64, level: usize| {
            let mut drift = Drift::new(&records, 0.1);
            drift.distance = distance;
            drift.compare_levels(&[record], &config, level);
            drift.distance
        };
        assert_eq!(compared(1, 1e-9, 20), 1e-9);
        assert_eq!(compared(1, 2.0, 20), f64::INFINITY);
        assert_eq!(compared(0, 1e-9, 20), f64::INFINITY);
        assert_eq!(compared(0, 1e-9, 2), 1e-9);
    }
}
