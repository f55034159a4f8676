//! One of several laws by chance, and told which.

use super::law::{LossLaw, Tails};
use crate::float::Enclosure;
use std::sync::Arc;

/// The law of (K, Y) where K is drawn by the same weights under P and Q, and Y by the K-th pair: what a mixture is
/// dominated by, as divergences are jointly convex.
#[derive(Clone)]
pub struct Chosen {
    parts: Vec<(f64, Arc<dyn LossLaw>)>,
    /// Bound on the relative error of the weights.
    error: f64,
    /// Upper bound on the weight that the parts leave out: all of it counts as lost.
    leak: f64,
}

impl Chosen {
    /// Weights rounded to their middle; those of 0 are left out.
    pub fn new(parts: Vec<(Enclosure, Arc<dyn LossLaw>)>, leak: f64) -> Self {
        let parts = parts.into_iter().filter(|(weight, _)| weight.lo > 0.0);
        let mut error = 0.0f64;
        let middle = parts.map(|(weight, law)| {
            let about = weight.middle();
            error = error.max((weight.width() / about).next_up());
            (about, law)
        });
        let parts = middle.collect();
        Self { parts, error, leak }
    }
}

impl LossLaw for Chosen {
    fn tails(&self, epsilon: f64) -> Tails {
        let mut all = Tails {
            p: self.leak,
            ..Tails::nothing()
        };
        for (weight, law) in &self.parts {
            let t = law.tails(epsilon);
            all.p += weight * t.p;
            all.q += weight * t.q;
            all.error = all.error.max(t.error);
            all.slack = all.slack.max(t.slack);
        }
        let roundings = (self.parts.len() as f64 + 4.0) * f64::EPSILON;
        all.p = all.p.min(1.0);
        all.error += self.error + roundings;
        all
    }

    fn support(&self) -> (f64, f64) {
        let ends = self.parts.iter().map(|(_, law)| law.support());
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |all, end| {
            (all.0.min(end.0), all.1.max(end.1))
        })
    }

    fn infinite(&self) -> f64 {
        let each = self
            .parts
            .iter()
            .map(|(weight, law)| weight * law.infinite());
        (each.sum::<f64>() + self.leak) * (1.0 - 2.0 * self.error - 1e-13)
    }

    fn anchor(&self) -> f64 {
        self.parts.first().map_or(0.0, |(_, law)| law.anchor())
    }
}
