//! Pairs and problems with known constants.

use dp_assay::problem::loss::Linear;
use dp_assay::problem::risk::{Curved, Margins, Shape, Tilted};
use dp_assay::problem::rows::Matrix;
use dp_assay::solver::kl::{Budget, Spider, Variant};
use dp_assay::units::{Neighbouring, Rho};

/// n records ±tilt·e₁ in d dimensions that sum to zero but for the last, which is `last`·e₁.
pub fn tilted(shape: Shape, n: usize, d: usize, tilt: f64, last: f64) -> Tilted {
    let mut values = vec![0.0; n * d];
    for i in 0..n {
        values[i * d] = if i % 2 == 0 { tilt } else { -tilt };
    }
    values[(n - 1) * d] = last;
    let records = Matrix::new(d, values, vec![0.0; n]).expect("finite values");
    Tilted {
        shape,
        records,
        radius: f64::INFINITY,
    }
}

/// n signs that sum to zero but for the last.
pub fn curved(shape: Shape, n: usize, centre: Vec<f64>, curvature: f64, last: f64) -> Curved {
    let mut signs: Vec<f64> = (0..n)
        .map(|i| if i % 2 == 0 { 1.0 } else { -1.0 })
        .collect();
    signs[n - 1] = last;
    Curved {
        shape,
        curvature,
        centre,
        signs,
        radius: f64::INFINITY,
    }
}

/// μr²/2 with μ = 1 on ‖w‖ ≤ 4 and records of tilt 1: γ = 1/√2, L₀ = 5, L₁ = 1, F₀ = 2.
pub fn quadratic() -> (Shape, Spider) {
    let inputs = Spider {
        beta: 0.1,
        gamma: 0.5f64.sqrt(),
        kappa: 2.0,
        lipschitz: 5.0,
        smoothness: 1.0,
        loss_bound: 2.0,
    };
    (Shape::Quadratic { mu: 1.0 }, inputs)
}

pub fn budget(rho: f64, neighbours: Neighbouring, variant: Variant) -> Budget {
    let rho = Rho::new(rho).expect("a budget");
    Budget {
        rho,
        neighbours,
        variant,
    }
}

/// Mean of ⟨x, w⟩ over the rows.
pub fn linear<const D: usize>(rows: &[[f64; D]]) -> Margins<Linear> {
    let records = Matrix::new(D, rows.concat(), vec![0.0; rows.len()]).expect("finite values");
    Margins::new(records, Linear)
}
