//! Mixing matrices, regularisers and the shapes of risks.

use crate::problem::mixing::{MixingError, heterogeneity, matrix};
use crate::problem::regulariser::RegulariserError;
use crate::problem::risk::{Risk, Shape};
use crate::problem::{Graph, MixingMatrix, Regulariser, Weights};

/// On a path of three, whose Laplacian has the eigenvalues 0, 1 and 3.
#[test]
fn weights_are_those_of_their_definitions() {
    let path = Graph::path(3).expect("a graph");
    let rows = |graph: &Graph, weights| {
        let w = matrix(graph, weights).expect("small");
        let row = |i| (0..graph.n()).map(move |j| (i, j)).collect::<Vec<_>>();
        let all = (0..graph.n()).flat_map(row);
        all.map(|at| w[at]).collect::<Vec<f64>>()
    };
    let third = 1.0 / 3.0;
    let thirds = [2.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 2.0].map(|w| w * third);
    for (weights, wanted) in [
        (
            Weights::Printed,
            [0.0, 0.5, 0.0, third, 0.0, third, 0.0, 0.5, 0.0],
        ),
        (
            Weights::WithSelf,
            [0.5, 0.5, 0.0, third, third, third, 0.0, 0.5, 0.5],
        ),
        (Weights::MetropolisHastings, thirds),
        (
            Weights::LazyMetropolisHastings,
            [
                5.0 / 6.0,
                1.0 / 6.0,
                0.0,
                1.0 / 6.0,
                4.0 / 6.0,
                1.0 / 6.0,
                0.0,
                1.0 / 6.0,
                5.0 / 6.0,
            ],
        ),
        (Weights::MaxDegree, thirds),
        (
            Weights::BestConstant,
            [0.5, 0.5, 0.0, 0.5, 0.0, 0.5, 0.0, 0.5, 0.5],
        ),
        (Weights::Uniform, [third; 9]),
    ] {
        let found = rows(&path, weights);
        let apart = found.iter().zip(wanted).map(|(a, b)| (a - b).abs());
        assert!(apart.fold(0.0, f64::max) < 1e-12, "{weights:?}: {found:?}");
    }
    // W² of the path's weights 2/3, 1/3 has the eigenvalues 1, 4/9 and 0.
    let mixing = MixingMatrix::of(&path, Weights::MetropolisHastings).expect("a mixing matrix");
    let rate = mixing.consensus_rate();
    assert!(
        rate.lo <= 5.0 / 9.0 && 5.0 / 9.0 <= rate.hi && rate.hi - rate.lo < 1e-12,
        "{rate:?}"
    );
    // Rows of neighbours differ by (1, 0, −1)/3: each of two edges counts 2/9, over 2·2.
    let found = mixing.heterogeneity(&path).expect("there are edges");
    assert!((found - 1.0 / 9.0).abs() < 1e-12, "{found}");
    assert_eq!(
        heterogeneity(&Graph::path(1).expect("a graph"), mixing.matrix()),
        None
    );
}

#[test]
fn what_is_no_mixing_matrix_is_refused_with_the_entry() {
    let new = |n: usize, values: &[f64]| {
        let matrix = nalgebra::DMatrix::from_row_slice(n, values.len() / n, values);
        MixingMatrix::new(matrix).map(|_| ())
    };
    assert_eq!(new(2, &[0.5; 4]), Ok(()));
    let (i, j) = (0, 1);
    assert_eq!(
        new(2, &[1.25, -0.25, -0.25, 1.25]),
        Err(MixingError::Entry {
            i: 0,
            j: 0,
            value: 1.25
        })
    );
    assert_eq!(
        new(2, &[1.0, -0.25, -0.25, 1.0]),
        Err(MixingError::Entry { i, j, value: -0.25 })
    );
    let (value, mirrored) = (0.5, 0.25);
    assert_eq!(
        new(2, &[0.5, value, mirrored, 0.75]),
        Err(MixingError::Asymmetric {
            i,
            j,
            value,
            mirrored
        })
    );
    assert_eq!(
        new(2, &[0.5, 0.5, 0.5, 0.25]),
        Err(MixingError::RowSum { i: 1, sum: 0.75 })
    );
    let off = 1.0 - 8.0 * f64::EPSILON;
    assert!(matches!(
        new(1, &[off]),
        Err(MixingError::RowSum { i: 0, .. })
    ));
    assert_eq!(new(1, &[1.0 - f64::EPSILON / 2.0]), Ok(()));
    assert_eq!(
        new(1, &[0.5, 0.5]),
        Err(MixingError::Shape {
            rows: 1,
            columns: 2,
            users: 1
        })
    );
    let path = Graph::path(3).expect("a graph");
    let uniform = MixingMatrix::of(&path, Weights::Uniform).expect("a mixing matrix");
    let value = 1.0 / 3.0;
    assert_eq!(
        uniform.require_support(&path),
        Err(MixingError::NotAnEdge { i: 2, j: 0, value })
    );
    let shape = MixingError::Shape {
        rows: 3,
        columns: 3,
        users: 4,
    };
    assert_eq!(
        uniform.require_support(&Graph::path(4).expect("a graph")),
        Err(shape)
    );
    assert_eq!(
        uniform.require_support(&Graph::complete(3).expect("a graph")),
        Ok(())
    );
}

#[test]
fn what_is_no_regulariser_is_refused() {
    for weight in [-1.0, f64::INFINITY] {
        for psi in [Regulariser::L1(weight), Regulariser::L2(weight)] {
            assert_eq!(psi.check(), Err(RegulariserError::Weight(weight)));
        }
    }
    assert!(Regulariser::L1(f64::NAN).check().is_err());
    for psi in [
        Regulariser::L1(0.0),
        Regulariser::L2(0.0),
        Regulariser::None,
    ] {
        assert_eq!(psi.check(), Ok(psi));
    }
    let ends = |lower, upper| Regulariser::Box { lower, upper };
    for (lower, upper) in [(0.0, 0.0), (1.0, 0.0)] {
        assert_eq!(
            ends(lower, upper).check(),
            Err(RegulariserError::Box { lower, upper })
        );
    }
    assert!(ends(f64::NAN, 0.0).check().is_err() && ends(0.0, f64::NAN).check().is_err());
    assert!(ends(f64::NEG_INFINITY, f64::INFINITY).check().is_ok());
    // A box is 0 on both of its ends and nothing beyond.
    let psi = ends(-1.0, 2.0);
    let values = [-1.0, 0.5, 2.0, -1.5, 2.5].map(|w| psi.value(w));
    assert_eq!(values, [0.0, 0.0, 0.0, f64::INFINITY, f64::INFINITY]);
}

/// The slope of every shape at every radius, and the least of all values in the middle or on its ring.
#[test]
fn the_slopes_of_shapes_are_those_of_their_values() {
    let shapes = [
        Shape::Quadratic { mu: 3.0 },
        Shape::Power {
            scale: 0.5,
            tau: 3.5,
        },
        Shape::Huber { delta: 1.5 },
        Shape::LogCosh,
        Shape::Sine,
        Shape::Ring,
    ];
    for shape in shapes {
        for r in [0.25, 1.25, 1.75, 4.0] {
            let at = |h: f64| shape.value(&[0.6 * (r + h), -0.8 * (r + h)]);
            let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
            let mut gradient = [0.0; 2];
            shape.gradient(&[0.6 * r, -0.8 * r], &mut gradient);
            let wanted = [0.6 * slope, -0.8 * slope];
            let apart = gradient.iter().zip(wanted).map(|(a, b)| (a - b).abs());
            assert!(
                apart.fold(0.0, f64::max) < 1e-6 * (1.0 + slope.abs()),
                "{shape:?} {r}"
            );
        }
        let mut gradient = [1.0; 2];
        shape.gradient(&[0.0, 0.0], &mut gradient);
        assert_eq!(gradient, [0.0; 2], "{shape:?}");
        let least = if shape == Shape::Ring {
            [1.0, 0.0]
        } else {
            [0.0; 2]
        };
        assert!(shape.value(&least).abs() < 1e-15, "{shape:?}");
    }
    let risk = crate::problem::risk::hundred_points();
    assert_eq!((risk.dimension(), risk.records()), (2, 100));
}
