//! Random problems with known constants.

use super::problems::budget;
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::loss::{Huber, Linear, Logistic};
use dp_assay::problem::risk::{Margins, PhaseRetrieval, Risk, Shape, Tilted};
use dp_assay::problem::rows::{Matrix, norm};
use dp_assay::solver::kl::bound::RiskConstants;
use dp_assay::solver::kl::{Adaptive, Budget, Regularised, Spider, Variant};
use dp_assay::units::Neighbouring::{ReplaceOne, ZeroOut};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A risk, its constants, a start, a budget and a tape.
pub struct Case {
    pub risk: Box<dyn Risk>,
    pub constants: RiskConstants,
    pub start: Vec<f64>,
    pub budget: Budget,
    pub tape: Tape,
    pub random: Pcg64,
}

/// Problem number `seed`.
pub fn case(seed: u64) -> Case {
    let mut random = Pcg64::seed_from_u64(seed);
    let n = random.random_range(1..=40);
    let d = match random.random_range(0..8) {
        0 => random.random_range(50..=70),
        _ => random.random_range(1..=12),
    };
    let mut values: Vec<f64> = (0..n * d).map(|_| random.random_range(-1.0..1.0)).collect();
    for row in values.chunks_mut(d) {
        // Norms at most 1, and one in four exactly representable.
        let length = norm(row).max(1.0) * random.random_range(1.0..4.0_f64).floor();
        row.iter_mut().for_each(|x| *x /= length);
    }
    let kind = random.random_range(0..6);
    let targets = (0..n)
        .map(|_| match kind {
            0 => [-1.0, 1.0][random.random_range(0..2)],
            1 => random.random_range(-2.0..2.0),
            _ => random.random_range(0.0..1.0),
        })
        .collect();
    let records = Matrix::new(d, values, targets).expect("finite");
    let (risk, lipschitz, smoothness): (Box<dyn Risk>, _, _) = match kind {
        0 => (Box::new(Margins::new(records, Logistic)), 1.0, 0.25),
        1 => {
            let huber = Huber::new(1.0).expect("positive");
            (Box::new(Margins::new(records, huber)), 1.0, 1.0)
        }
        2 => (Box::new(Margins::new(records, PhaseRetrieval)), 0.2863, 1.0),
        3 => (Box::new(Margins::new(records, Linear)), 1.0, 0.5),
        _ => {
            // ψ of slope and curvature at most 1 everywhere, records of norm at most 1.
            let shape = if kind == 4 {
                Shape::LogCosh
            } else {
                Shape::Huber { delta: 1.0 }
            };
            let radius = f64::INFINITY;
            (
                Box::new(Tilted {
                    shape,
                    records,
                    radius,
                }),
                2.0,
                1.0,
            )
        }
    };
    let far = random.random_range(0.0..3.0);
    let neighbours = [ReplaceOne, ZeroOut][random.random_range(0..2)];
    let variant = [Variant::Printed, Variant::Repaired][random.random_range(0..2)];
    let rho = 10f64.powf(random.random_range(-1.0..7.0));
    Case {
        risk,
        constants: RiskConstants {
            records: n,
            dimension: d,
            lipschitz,
            smoothness,
        },
        start: (0..d).map(|_| random.random_range(-far..=far)).collect(),
        budget: budget(rho, neighbours, variant),
        tape: Tape::new(seed),
        random,
    }
}

impl Case {
    /// γ such that γ²L₁F₀^{1−2/κ} is small, hence few rounds, for F₀ a part of (γL₀)^κ.
    pub fn spider(&mut self) -> Spider {
        let RiskConstants {
            lipschitz,
            smoothness,
            ..
        } = self.constants;
        let kappa = [1.0, 1.25, 1.5, 2.0][self.random.random_range(0..4)];
        let part: f64 = [1.0, 0.5, 1e-3, 1e-8][self.random.random_range(0..4)];
        let condition = 10f64.powf(self.random.random_range(-4.0..-0.5));
        let powers = part.powf(1.0 - 2.0 / kappa) * lipschitz.powf(kappa - 2.0) * smoothness;
        let gamma = (condition / powers).powf(1.0 / kappa);
        Spider {
            beta: 0.1,
            gamma,
            kappa,
            lipschitz,
            smoothness,
            loss_bound: part * (gamma * lipschitz).powf(kappa),
        }
    }

    /// Up to n√ρ/2 rounds.
    pub fn adaptive(&mut self) -> Adaptive {
        Adaptive {
            beta: 0.1,
            lipschitz: self.constants.lipschitz,
            smoothness: self.constants.smoothness,
        }
    }

    /// T below, at and above 1 by Theorem 9, or given.
    pub fn regularised(&mut self) -> Regularised {
        Regularised {
            beta: 0.1,
            lipschitz: self.constants.lipschitz,
            weak_convexity: self.constants.smoothness * self.random.random_range(0.5..4.0),
            length: match self.budget.rho.get() {
                rho if rho < 1.0 => None,
                _ => Some(self.random.random_range(1..60)),
            },
        }
    }
}
