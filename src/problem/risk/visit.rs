//! A point with its gradient, computed while the records are held to the limits on which all noise rests.
//!
//! ```
//! use dp_assay::problem::loss::Linear;
//! use dp_assay::problem::risk::{Excess, Limits, Margins, Risk, Visited};
//! use dp_assay::problem::rows::Matrix;
//!
//! // One linear loss with a gradient of norm 5.
//! let risk = Margins::new(Matrix::new(2, vec![3.0, 4.0], vec![0.0])?, Linear);
//! let mut start = Visited::at(&[0.0, 0.0]);
//! assert_eq!(risk.visit(&mut start, None, Limits::of_gradients(5.0, 2)), None);
//! assert_eq!(start.gradient, [3.0, 4.0]);
//! let found = risk.visit(&mut start, None, Limits::of_gradients(4.0, 2));
//! assert!(matches!(found, Some(Excess::Gradient { record: 0, .. })));
//!
//! // A step of length 1 between losses of smoothness 2 may change a gradient by 2.
//! let limits = Limits::new(5.0, 2.0, &[1.0, 0.0], 1.0);
//! assert!(limits.on_change(0, 2.0).is_none() && limits.on_change(0, 2.1).is_some());
//! assert!(limits.on_gradient(0, f64::NAN).is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::Risk;
use crate::problem::rows::norm;

/// A point, ∇F there, and what the risk keeps of its pass for the next one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Visited {
    /// w, d entries.
    pub point: Vec<f64>,
    /// ∇F(w), d entries, once visited.
    pub gradient: Vec<f64>,
    /// The risk's own.
    pub(super) kept: Vec<f64>,
}

/// What no record may exceed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Of ‖∇f(w; x)‖.
    pub gradient: f64,
    /// Of ‖∇f(w; x) − ∇f(v; x)‖, v being the point before.
    pub change: f64,
}

/// The first record that exceeds a limit, counted from 0, with the norm found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Excess {
    /// Its gradient.
    Gradient {
        /// The record.
        record: usize,
        /// ‖∇f(w; x)‖.
        norm: f64,
    },
    /// The change of its gradient.
    Change {
        /// The record.
        record: usize,
        /// ‖∇f(w; x) − ∇f(v; x)‖.
        norm: f64,
    },
}

impl Visited {
    /// A point that is to be visited.
    #[must_use]
    pub fn at(point: &[f64]) -> Self {
        Self {
            point: point.to_vec(),
            gradient: vec![0.0; point.len()],
            kept: Vec::new(),
        }
    }
}

impl Limits {
    /// The limits on steps of length `step` for losses that are L₀-Lipschitz and L₁-smooth, with room for the rounding
    /// of gradients in d dimensions: constants are attained.
    ///
    /// A gradient of norm at most L₀ is computed within (d + 8) roundings of 2⁻⁵³ of itself, twice that is allowed. For
    /// records x with a loss of the margin, |ℓ″|‖x‖² ≤ L₁: the margin is within d roundings of ‖x‖‖w‖, so the gradient
    /// within d·L₁‖w‖ roundings and some 20 of L₀; a difference has two of them, and the step as it was taken two
    /// roundings of ‖w‖ more.
    #[must_use]
    pub fn new(lipschitz: f64, smoothness: f64, w: &[f64], step: f64) -> Self {
        let d = w.len() as f64;
        let lost = (d + 20.0) * f64::EPSILON * (lipschitz + smoothness * norm(w));
        Self {
            gradient: lipschitz * (1.0 + (d + 8.0) * f64::EPSILON),
            change: smoothness * step * (1.0 + (d + 8.0) * f64::EPSILON) + 2.0 * lost,
        }
    }

    /// Whether a record's gradient is too large, or no number.
    #[must_use]
    pub fn on_gradient(&self, record: usize, norm: f64) -> Option<Excess> {
        let over = norm.is_nan() || norm > self.gradient;
        over.then_some(Excess::Gradient { record, norm })
    }

    /// Whether its change is too large, or no number.
    #[must_use]
    pub fn on_change(&self, record: usize, norm: f64) -> Option<Excess> {
        let over = norm.is_nan() || norm > self.change;
        over.then_some(Excess::Change { record, norm })
    }

    /// Without a limit on changes.
    #[must_use]
    pub fn of_gradients(lipschitz: f64, d: usize) -> Self {
        Self {
            gradient: lipschitz * (1.0 + (d as f64 + 8.0) * f64::EPSILON),
            change: f64::INFINITY,
        }
    }
}

/// Looks at every record's gradient on its own.
pub(super) fn record_by_record<R: Risk + ?Sized>(
    risk: &R,
    w: &[f64],
    before: Option<&[f64]>,
    limits: Limits,
) -> Option<Excess> {
    let (mut here, mut there) = (vec![0.0; w.len()], vec![0.0; w.len()]);
    for record in 0..risk.records() {
        risk.record_gradient(record, w, &mut here);
        let mut found = limits.on_gradient(record, norm(&here));
        if let Some(before) = before {
            risk.record_gradient(record, before, &mut there);
            for (there, here) in there.iter_mut().zip(&here) {
                *there -= here;
            }
            found = found.or(limits.on_change(record, norm(&there)));
        }
        if found.is_some() {
            return found;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_attains_a_limit_is_within_it() {
        let limits = Limits::new(2.0, 3.0, &[1.0, 1.0], 0.5);
        for (norm, of_gradients, of_changes) in [
            (0.0, false, false),
            (limits.change, false, false),
            (limits.change.next_up(), false, true),
            (limits.gradient, false, true),
            (limits.gradient.next_up(), true, true),
            (f64::NAN, true, true),
        ] {
            let found = (
                limits.on_gradient(7, norm).is_some(),
                limits.on_change(7, norm).is_some(),
            );
            assert_eq!(found, (of_gradients, of_changes), "{norm}");
        }
    }

    /// Two records whose losses are the coordinates, times 1 and 5.
    struct Coordinates;

    impl Risk for Coordinates {
        fn dimension(&self) -> usize {
            2
        }

        fn records(&self) -> usize {
            2
        }

        fn value(&self, w: &[f64]) -> f64 {
            0.5 * (w[0] + 5.0 * w[1])
        }

        fn gradient(&self, _: &[f64], gradient: &mut [f64]) {
            gradient.copy_from_slice(&[0.5, 2.5]);
        }

        fn record_gradient(&self, i: usize, w: &[f64], gradient: &mut [f64]) {
            gradient.fill(0.0);
            gradient[i] = [1.0, 5.0 + w[0]][i];
        }
    }

    #[test]
    fn the_first_record_over_a_limit_is_named() {
        let limits = |gradient, change| Limits { gradient, change };
        let look = |before: Option<&[f64]>, limits| {
            record_by_record(&Coordinates, &[0.5, 0.0], before, limits)
        };
        let norm = 5.5;
        let over = Some(Excess::Gradient { record: 1, norm });
        assert_eq!(look(None, limits(5.0, 0.0)), over);
        assert_eq!(look(None, limits(6.0, 0.0)), None);
        let changed = Some(Excess::Change {
            record: 1,
            norm: 0.5,
        });
        assert_eq!(look(Some(&[0.0, 0.0]), limits(6.0, 0.25)), changed);
        assert_eq!(look(Some(&[0.0, 0.0]), limits(6.0, 0.5)), None);
    }
}
