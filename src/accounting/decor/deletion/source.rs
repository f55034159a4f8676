//! Columns of M = (I + ρL)⁻¹, by elimination or by conjugate gradients, with bounds of their errors.

use super::super::conjugate;
use super::super::elimination::{Factor, Lanes};
use crate::float::U;
use crate::graph::Graph;

/// Relative accuracy of columns by conjugate gradients; it is regained where it matters.
const ROUGH: f64 = 1e-5;

/// Where columns of M come from.
pub struct ColumnSource<'a> {
    pub graph: &'a Graph,
    pub rho: f64,
    pub factor: Option<Factor>,
    /// Error bound of every entry of a column by elimination.
    radius: f64,
}

/// Up to [`LANES`](super::super::elimination::LANES) columns.
pub struct ColumnBatch {
    pub vertices: Vec<usize>,
    pub y: Vec<Lanes>,
    /// Upper bound of the residuals' norms.
    pub residual: f64,
    /// Upper bound of M_bb for the columns b.
    pub largest: f64,
}

impl<'a> ColumnSource<'a> {
    pub fn new(graph: &'a Graph, rho: f64, limit: f64) -> Self {
        let factor = Factor::new(graph, rho, limit);
        let radius = factor.as_ref().map_or(f64::INFINITY, |factor| {
            let diagonal = factor.diagonal().into_iter().fold(0.0, f64::max);
            1.01 * factor.relative_error() * diagonal
        });
        Self {
            graph,
            rho,
            factor,
            radius,
        }
    }

    pub fn batch(&self, vertices: &[usize]) -> ColumnBatch {
        let targets = conjugate::targets(vertices);
        let found = match &self.factor {
            // The residuals of small noise ratios say more than the bound of the elimination.
            Some(factor) => {
                let y = factor.columns(&targets);
                conjugate::certify(self.graph, self.rho, y, &targets)
            }
            None => {
                let degree = self.graph.max_degree() as f64;
                // An error of P is multiplied by up to (1 + ρ|z|₁)², z = D⁻¹p = M'_Nj. Below u
                // rounding does not let a residual fall.
                let rough = |lower: f64, upper: f64| {
                    let growth = (1.0 + self.rho * degree * lower).powi(2);
                    upper - lower <= lower * (ROUGH / growth).max(U).powi(2)
                };
                conjugate::columns(self.graph, self.rho, vertices, &rough)
            }
        };
        let worst = |lanes: Lanes| lanes.into_iter().fold(0.0, f64::max);
        ColumnBatch {
            vertices: vertices.to_vec(),
            residual: worst(found.residual),
            largest: worst(found.diagonal.1),
            y: found.y,
        }
    }

    /// Error bound of every entry of columns with such residuals, if no M_ii exceeds `largest`.
    pub fn radius(&self, residual: f64, largest: f64) -> f64 {
        self.radius
            .min(residual * largest.min(1.0).sqrt() * (1.0 + 4.0 * U))
    }
}
