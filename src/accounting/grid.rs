//! What noise on a grid is to an accountant; sensitivities are in steps of the grid.

use super::Event;
use crate::mechanism::release::{GridGaussian, GridLaplace};

/// σ, in steps, from which the accountant is told zCDP instead of the law itself.
const LARGEST_LISTED: f64 = 10_000.0;

impl GridLaplace {
    /// What to ask an accountant about.
    #[must_use]
    pub fn event(&self) -> Event {
        // Two roundings: the next double but one is not below the true rate.
        let parameter = self.parameter().next_up().next_up();
        Event::DiscreteLaplace {
            parameter,
            sensitivity: self.steps,
        }
    }
}

impl GridGaussian {
    /// What to ask an accountant about: the law itself while its σ is at most 10,000 steps, and
    /// ρ = steps²/(2σ²) beyond (Canonne, Kamath and Steinke 2020, Theorem 4).
    #[must_use]
    pub fn event(&self) -> Event {
        let sigma = self.deviation();
        if sigma <= LARGEST_LISTED {
            return Event::DiscreteGaussian {
                sigma,
                sensitivity: self.steps,
            };
        }
        let ratio = self.steps as f64 / sigma;
        // Three roundings, each within 2⁻⁵³ of itself.
        Event::Zcdp {
            rho: 0.5 * ratio * ratio * (1.0 + 4.0 * f64::EPSILON),
        }
    }
}
