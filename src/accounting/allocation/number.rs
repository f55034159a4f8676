//! One of the numbers that [`signed`](super::signed) sums up: its value, its inverse and its masses.

use super::normal_mass;
use crate::accounting::float::elementary::{exp, ln_1p};
use crate::accounting::float::{Enclosure, U};

/// What one step adds to Σ rᵢ − a·Σ r'ᵢ at a = e^ε, divided by √a: Y = 2e^{−μ²/2}·sinh(μz − ε/2), z ~ N(0, 1).
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) mu: f64,
    pub(super) epsilon: f64,
}

/// z-masses of one cell: without the record, with it, and with its replacement.
pub(super) struct Cell {
    pub(super) none: Enclosure,
    pub(super) here: Enclosure,
    pub(super) other: Enclosure,
}

impl Number {
    /// Y at z.
    pub(super) fn value(self, z: f64) -> f64 {
        let x = (self.mu * z - 0.5 * self.epsilon).clamp(-600.0, 600.0);
        exp(-0.5 * self.mu * self.mu) * (exp(x) - exp(-x))
    }

    /// (z, error): Y(z) is x but for this error.
    pub(super) fn place(self, x: f64) -> (f64, f64) {
        let y = 0.5 * x.abs() * exp(0.5 * self.mu * self.mu);
        let arc = ln_1p(y + y * y / (1.0 + (1.0 + y * y).sqrt()));
        let z = (0.5 * self.epsilon + arc.copysign(x)) / self.mu;
        // dY = √(x² + 4e^{−μ²}) for every unit of μz − ε/2, whose terms are off by some units in the last place.
        let off = U * (32.0 + 16.0 * (self.epsilon + arc) + 8.0 * self.mu * self.mu);
        (z, off * (x.abs() + 2.0))
    }

    pub(super) fn cell(self, a: f64, b: f64) -> Cell {
        let near = |x: f64| if x.is_finite() { x.abs() } else { 0.0 };
        let (mu, size) = (self.mu, near(a) + near(b) + self.mu);
        Cell {
            none: normal_mass(a, b, size),
            here: normal_mass(a - mu, b - mu, size),
            other: normal_mass(a + mu, b + mu, size),
        }
    }

    /// √a.
    pub(super) fn root(self) -> Enclosure {
        Enclosure::point(0.5 * self.epsilon).exp()
    }

    /// About the deviation of Y, cut at ±`end`.
    pub(super) fn deviation(self, end: f64) -> f64 {
        const NODES: i32 = 600;
        let (mut mass, mut mean, mut square) = (0.0, 0.0, 0.0);
        for j in -NODES..=NODES {
            let z = 12.0 * f64::from(j) / f64::from(NODES);
            let (weight, y) = (exp(-0.5 * z * z), self.value(z).clamp(-end, end));
            mass += weight;
            mean += weight * y;
            square += weight * y * y;
        }
        let mean = mean / mass;
        (square / mass - mean * mean).max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use rug::Float;

    const NUMBERS: [(f64, f64); 5] = [
        (1.0, 0.5),
        (0.1, 0.0),
        (3.0, 7.0),
        (0.02, 1e-4),
        (2.0, 30.0),
    ];

    #[test]
    fn a_number_is_what_its_place_says_but_for_its_error() {
        let wide = |x: f64| Float::with_val(300, x);
        for (mu, epsilon) in NUMBERS {
            let number = Number { mu, epsilon };
            for size in [0.0, 1e-12, 1e-3, 0.7, 5.0, 1e4, 1e9] {
                for x in [size, -size] {
                    let (z, error) = number.place(x);
                    let half: Float = wide(mu) * mu / 2;
                    let turn: Float = wide(mu) * z - wide(epsilon) / 2;
                    let truth: Float = (-half).exp() * 2 * turn.sinh();
                    let off = (truth.clone() - x).abs();
                    assert!(off <= error, "{mu}, {epsilon}, {x}: {truth}, {error:e}");
                    let most = 1e-14 * (1.0 + x.abs()) * (1.0 + mu * mu) * (10.0 + epsilon);
                    assert!(error <= 10.0 * most, "{mu}, {epsilon}, {x}: {error:e}");
                    let again = number.value(z);
                    assert!(
                        (truth - again).abs() <= error,
                        "{mu}, {epsilon}, {x}: {again}"
                    );
                }
            }
        }
    }

    /// E Y = −2·sinh(ε/2) and E Y² = 2e^{μ²}·cosh ε − 2e^{−μ²}; cut at next to nothing it is a sign.
    #[test]
    fn the_deviation_is_that_of_the_closed_form() {
        for (mu, epsilon) in [(1.0, 0.5), (0.1, 0.0), (1.5, 3.0), (0.02, 1e-4f64)] {
            let number = Number { mu, epsilon };
            let square = 2.0 * (mu * mu).exp() * epsilon.cosh() - 2.0 * (-mu * mu).exp();
            let truth = (square - 4.0 * (0.5 * epsilon).sinh().powi(2)).sqrt();
            let found = number.deviation(1e300);
            assert!(
                (found / truth - 1.0).abs() < 1e-6,
                "{mu}, {epsilon}: {found}, {truth}"
            );
            assert!(number.deviation(0.5 * found) < 0.51 * found);
        }
    }

    #[test]
    fn what_places_and_cells_are_off_by_is_what_it_was() {
        let mut found = Vec::new();
        for (mu, epsilon) in NUMBERS {
            let number = Number { mu, epsilon };
            for x in [-1e6, -2.5, -1e-9, 0.0, 0.3, 40.0] {
                let (z, error) = number.place(x);
                found.extend([z, error, number.value(z)]);
            }
            found.extend([1.0, 1e9].map(|end| number.deviation(end)));
            for (a, b) in [(-1.0, 0.5), (3.0, 3.001), (9.0, f64::INFINITY)] {
                let cell = number.cell(a, b);
                for mass in [cell.none, cell.here, cell.other] {
                    found.extend([mass.lo, mass.hi]);
                }
            }
            found.push(number.value(1e9));
        }
        let marks: Vec<f64> = found.chunks(found.len() / 5).map(steady::mark).collect();
        steady::holds(
            &marks,
            "7961383385106477.0 7648856895548626.0 4054865365415038.0 5062750894851720.0
         7775411162753125.0",
        );
    }
}
