//! Losses of the margin u = ⟨x, w⟩, on records held row by row.

use super::{Excess, Limits, Risk, Visited};
use crate::problem::Loss;
use crate::problem::kernels::product;
use crate::problem::rows::Matrix;
use pulp::Arch;

/// (1/n) Σ ℓ(⟨x_i, w⟩, y_i).
///
/// ```
/// use dp_assay::problem::risk::{MarginLoss, Margins, PhaseRetrieval, Risk};
/// use dp_assay::problem::rows::Matrix;
///
/// // Two records of one feature, 1 and -2, with targets 1 and 1/2.
/// let records = Matrix::new(1, vec![1.0, -2.0], vec![1.0, 0.5])?;
/// let risk = Margins::new(records, PhaseRetrieval);
/// assert_eq!((risk.matrix().records(), risk.dimension()), (2, 1));
/// assert!(risk.gradient_error(&[0.3], 1e-5) < 1e-6);
/// assert_eq!(PhaseRetrieval.value(0.0, 1.0), 0.25);
/// assert_eq!(PhaseRetrieval.slope(0.0, 1.0), 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Margins<L> {
    records: Matrix,
    loss: L,
}

/// A differentiable loss of the margin.
pub trait MarginLoss: Sync {
    /// ℓ(u, y).
    fn value(&self, u: f64, y: f64) -> f64;
    /// ∂ℓ/∂u.
    fn slope(&self, u: f64, y: f64) -> f64;
}

impl<L: Loss> MarginLoss for L {
    fn value(&self, u: f64, y: f64) -> f64 {
        Loss::value(self, u, y)
    }

    fn slope(&self, u: f64, y: f64) -> f64 {
        self.derivative(u, y)
    }
}

/// ℓ(u, y) = (tanh²u − y)²/4: phase retrieval with a saturated margin, not convex, with |∂ℓ/∂u| ≤ 16/(25√5) <
/// 0.2863 for y in \[0, 1\].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseRetrieval;

impl MarginLoss for PhaseRetrieval {
    fn value(&self, u: f64, y: f64) -> f64 {
        let s = u.tanh();
        (s * s - y) * (s * s - y) / 4.0
    }

    fn slope(&self, u: f64, y: f64) -> f64 {
        let s = u.tanh();
        (s * s - y) * s * (1.0 - s * s)
    }
}

impl<L: MarginLoss> Margins<L> {
    /// Joins records and loss.
    pub const fn new(records: Matrix, loss: L) -> Self {
        Self { records, loss }
    }

    /// The records.
    pub const fn matrix(&self) -> &Matrix {
        &self.records
    }

    fn margin(&self, i: usize, w: &[f64]) -> f64 {
        let products = self.records.row(i).iter().zip(w);
        products.map(|(x, w)| x * w).sum()
    }

    fn slope(&self, i: usize, w: &[f64]) -> f64 {
        let y = self.records.targets()[i];
        self.loss.slope(self.margin(i, w), y)
    }
}

impl<L: MarginLoss> Risk for Margins<L> {
    fn dimension(&self) -> usize {
        self.records.features()
    }

    fn records(&self) -> usize {
        self.records.records()
    }

    fn value(&self, w: &[f64]) -> f64 {
        let n = self.records();
        let one = |i: usize| {
            self.loss
                .value(self.margin(i, w), self.records.targets()[i])
        };
        (0..n).map(one).sum::<f64>() / n as f64
    }

    fn gradient(&self, w: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        for i in 0..self.records() {
            let slope = self.slope(i, w);
            for (g, x) in gradient.iter_mut().zip(self.records.row(i)) {
                *g += slope * x;
            }
        }
        let n = self.records() as f64;
        gradient.iter_mut().for_each(|g| *g /= n);
    }

    fn record_gradient(&self, i: usize, w: &[f64], gradient: &mut [f64]) {
        let slope = self.slope(i, w);
        for (g, x) in gradient.iter_mut().zip(self.records.row(i)) {
            *g = slope * x;
        }
    }

    /// One pass over the rows: margin, slope, limits and gradient while a row is at hand. Slopes are kept, so that
    /// changes take no other pass.
    fn visit(&self, at: &mut Visited, before: Option<&Visited>, limits: Limits) -> Option<Excess> {
        Arch::new().dispatch(
            #[inline(always)]
            || self.pass(at, before, limits),
        )
    }
}

impl<L: MarginLoss> Margins<L> {
    #[inline(always)]
    fn pass(&self, at: &mut Visited, before: Option<&Visited>, limits: Limits) -> Option<Excess> {
        let n = self.records();
        at.kept.resize(n, 0.0);
        at.gradient.fill(0.0);
        for record in 0..n {
            let (row, length) = (self.records.row(record), self.records.norms()[record]);
            let slope = self
                .loss
                .slope(product(row, &at.point), self.records.targets()[record]);
            at.kept[record] = slope;
            let mut found = limits.on_gradient(record, slope.abs() * length);
            if let Some(before) = before {
                let change = (slope - before.kept[record]).abs() * length;
                found = found.or(limits.on_change(record, change));
            }
            if found.is_some() {
                return found;
            }
            for (g, x) in at.gradient.iter_mut().zip(row) {
                *g += slope * x;
            }
        }
        at.gradient.iter_mut().for_each(|g| *g /= n as f64);
        None
    }
}
