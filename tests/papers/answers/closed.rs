//! Of what the table holds, what has a closed form: inputs of its rows and their kin, the formulas written out anew.

use dp_assay::problem::Regulariser;
use dp_assay::problem::loss::{Huber, Logistic, Loss, Squared};
use dp_assay::problem::risk::Shape;

const REGULARISERS: [Regulariser; 4] = [
    Regulariser::None,
    Regulariser::L1(0.7),
    Regulariser::L2(0.7),
    Regulariser::Box {
        lower: -0.5,
        upper: 1.25,
    },
];

/// Proximal maps minimise ψ(w) + (w − v)²/(2γ): no other point of a fine grid has less.
#[test]
fn proximal_maps_minimise() {
    for psi in REGULARISERS {
        for v in [-2.0, -0.3, 0.0, 0.1, 0.9, 3.0] {
            for step in [0.25, 1.5] {
                let value = |w: f64| psi.value(w) + (w - v) * (w - v) / (2.0 * step);
                let least = value(psi.prox(step, v));
                let others = (-400..=400).map(|k| value(f64::from(k) / 100.0));
                let other = others.fold(f64::INFINITY, f64::min);
                assert!(
                    least <= other + 1e-12,
                    "{psi:?}, {v}, {step}: {least}, {other}"
                );
            }
        }
    }
}

/// Scores are what a step of 1/M gains: the model z·a + M a²/2 + ψ(w + a) − ψ(w) at no point of a grid is below −`model_decrease`,
/// and near it somewhere; √M |a| at its minimiser is `score_gsr`.
#[test]
fn scores_are_those_of_the_model() {
    for psi in REGULARISERS {
        for (z, w, m) in [
            (-1.0, 0.0, 2.0),
            (0.4, 0.5, 0.5),
            (2.0, -0.5, 1.0),
            (-3.0, 1.25, 4.0),
        ] {
            let model = |a: f64| z * a + 0.5 * m * a * a + psi.value(w + a) - psi.value(w);
            let grid = (-60_000..=60_000).map(|k| f64::from(k) / 8192.0);
            let best = grid
                .min_by(|a, b| model(*a).total_cmp(&model(*b)))
                .expect("points");
            let decrease = psi.model_decrease(z, w, m);
            assert!(
                (decrease + model(best)).abs() < 1e-6,
                "{psi:?}, {z}, {w}, {m}: {decrease}"
            );
            let score = psi.score_gsr(z, w, m);
            assert!(
                (score - m.sqrt() * best.abs()).abs() < 1e-3,
                "{psi:?}, {z}, {w}, {m}"
            );
        }
    }
}

/// Losses by their formulas.
#[test]
fn losses_are_their_formulas() {
    let huber = Huber::new(0.75).expect("positive");
    for (u, y) in [(0.3, 1.0), (-2.0, 1.0), (1.5, -1.0), (0.0, -1.0f64)] {
        let near =
            |found: f64, truth: f64| assert!((found - truth).abs() < 1e-14, "{found}, {truth}");
        near(Logistic.value(u, y), (1.0 + (-y * u).exp()).ln());
        let s = 1.0 / (1.0 + (y * u).exp());
        near(Logistic.derivative(u, y), -y * s);
        near(Logistic.second_derivative(u, y), s * (1.0 - s));
        let r = u - y;
        near(Squared.value(u, y), 0.5 * r * r);
        near(Squared.derivative(u, y), r);
        let inside = r.abs() <= 0.75;
        near(
            huber.value(u, y),
            if inside {
                0.5 * r * r
            } else {
                0.75 * r.abs() - 0.28125
            },
        );
        near(
            huber.derivative(u, y),
            if inside { r } else { 0.75 * r.signum() },
        );
    }
}

/// F ≤ (γ|F′|)^κ, |F′| ≤ L₀ and differences of F′ at most L₁ apart, on a grid, each met to a fair part: constants that grow are
/// seen as are those that fall.
#[test]
fn constants_of_shapes_hold_and_are_met() {
    for (shape, inner, radius) in [
        (Shape::Quadratic { mu: 1.5 }, 0.0, 2.0),
        (
            Shape::Power {
                scale: 0.7,
                tau: 3.0,
            },
            0.0,
            1.5,
        ),
        (Shape::Huber { delta: 0.5 }, 0.0, 3.0),
        (Shape::LogCosh, 0.0, 2.5),
        (Shape::Sine, 0.0, 6.0),
        (Shape::Ring, 0.5, 2.0),
    ] {
        let known = shape.known(inner, radius).expect("in range");
        let slope = |r: f64| {
            let mut gradient = [0.0];
            shape.gradient(&[r], &mut gradient);
            gradient[0]
        };
        let points = 2000;
        let (mut growth, mut steepest, mut curved) = (0.0_f64, 0.0_f64, 0.0_f64);
        let at = |k: i32| inner + (radius - inner) * f64::from(k) / f64::from(points);
        for k in 1..=points {
            let (r, h) = (at(k), at(k) - at(k - 1));
            let most = (known.gamma * slope(r).abs()).powf(known.kappa);
            if shape.value(&[r]) > 1e-9 {
                growth = growth.max(shape.value(&[r]) / most);
            }
            steepest = steepest.max(slope(r).abs() / known.lipschitz);
            curved = curved.max((slope(r) - slope(at(k - 1))).abs() / h);
        }
        let curved = curved / known.smoothness.expect("smooth");
        for (what, met) in [
            ("growth", growth),
            ("slope", steepest),
            ("curvature", curved),
        ] {
            assert!((0.7..=1.0 + 1e-9).contains(&met), "{shape:?}: {what} {met}");
        }
    }
}
