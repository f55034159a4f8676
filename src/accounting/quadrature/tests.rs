//! Errors of moments against MPFR, and what they are made of.

use super::super::mixture::{Component, Mixture};
use super::*;
use rug::Float;

/// A loss of many parts is off by as many roundings, and so is its moment.
#[test]
fn a_moment_is_off_by_all_that_its_losses_are() {
    let parts: Vec<Component> = (0..1024)
        .map(|i| Component {
            shift: 1.0 + f64::from(i) / 1024.0,
            weight: 1.0 / 1024.0,
        })
        .collect();
    let pair = Pair {
        sigma: 1.0,
        p: Mixture::new(&parts).expect("weights"),
        q: Mixture::centred(),
    };
    let lambda = 3.0;
    let grid = Nodes::new(&pair, lambda, 1.0, 40.0).expect("few nodes");
    let line = grid.tilt(lambda);
    let heavy = grid
        .nodes
        .iter()
        .zip(&line.weights)
        .filter(|(_, w)| **w > 1e-3);
    let least = heavy
        .map(|(n, _)| n.loss_error)
        .fold(f64::INFINITY, f64::min);
    assert!(least > 1000.0 * U, "{least}");
    assert!(line.error / line.mass >= (1.0 + lambda) * 0.99 * least);
}

/// What lies beyond the nodes is missing besides what lies between them.
#[test]
fn a_moment_lacks_what_is_beyond_its_nodes_and_between_them() {
    let grid = Nodes::new(&Pair::gaussian(0.5, 1.0), 2.0, 1.0, 8.0).expect("few nodes");
    let line = grid.tilt(2.0);
    let between = grid.discretisation * line.mass;
    let ends = line.weights[0] + line.weights[line.weights.len() - 1];
    let beyond = ends / grid.decay;
    assert!(between > 0.0 && beyond > 0.0, "{between} {beyond}");
    assert!(line.outside >= between.max(beyond), "{}", line.outside);
    assert!(line.outside <= 1.01 * (between + beyond));
}

/// The order's size is in every part of what a moment near 1 is off by.
#[test]
fn an_excess_is_off_by_the_order_times_what_integrals_are() {
    let grid = Nodes::new(&Pair::gaussian(0.1, 1.0), 1.0, 60.0, 8.0).expect("few nodes");
    let line = grid.tilt(1.0);
    for t in [20.0, 50.0] {
        let (_, error) = line.excess(t);
        assert!(error >= 2.0 * t * grid.discretisation, "{t}: {error}");
    }
}

fn wide(x: f64) -> Float {
    Float::with_val(300, x)
}

#[test]
fn a_power_without_its_first_two_terms_is_known_as_well_as_it_says() {
    for size in [
        1e-9, 1e-3, 0.2, 0.45, 0.499, 0.5, 0.501, 0.8, 2.0, 9.0, 40.0, 300.0,
    ] {
        for y in [size, -size] {
            let truth = wide(y).exp_m1() - y;
            let (value, scale) = real_exp_m1_minus(y);
            let off = (wide(value) - &truth).abs();
            assert!(off <= 16.0 * U * scale, "{y}: {value}, {truth}, {scale}");
            // Of second order near 0, and no larger than the power and twice the number elsewhere.
            let most = if size < 0.5 { 1.5 } else { 11.0 };
            assert!(
                truth <= scale * (1.0 + 4.0 * U) && scale <= most * truth,
                "{y}: {scale}"
            );
        }
    }
}

/// Wherever within its error the number is, its logarithm is within that of the logarithm, or below the bound.
#[test]
fn a_logarithm_is_off_by_what_its_number_is() {
    for (re, im) in [
        (0.0, 0.0),
        (-0.5, 0.25),
        (3.0, -4.0),
        (-0.999, 1e-3),
        (-1.5, 0.1),
    ] {
        let w = Complex::new(re, im);
        let modulus = (wide(re) + 1u32).hypot(&wide(im)).to_f64();
        for share in [1e-12, 1e-3, 0.2, 0.249, 0.26, 1.0, 7.0] {
            let error = share * modulus;
            let found = log_of(w, error);
            assert_eq!(found.is_ok(), share < 0.25);
            for (along, across) in [(1.0, 0.0), (-1.0, 0.0), (0.6, 0.8), (0.0, -1.0)] {
                // In directions of 1 + w itself, which are the worst.
                let unit = Complex::new((1.0 + re) / modulus, im / modulus);
                let moved = unit * Complex::new(along * error, across * error);
                let (x, y) = (wide(re) + 1u32 + moved.re, wide(im) + moved.im);
                let log = x.clone().hypot(&y).ln();
                match found {
                    Ok((value, e)) => {
                        let angle = y.atan2(&x) - value.im;
                        let off = (log - value.re).hypot(&angle);
                        // Moved numbers are rounded, too.
                        assert!(off <= e + 4.0 * U, "{w:?}, {share}: {value:?}, {e}");
                        let most = 1.35 * share + w.ln_1p().1;
                        assert!(e <= most, "{w:?}, {share}: {e}");
                    }
                    Err(bound) => {
                        let sum = wide(modulus) * (1.0 + share);
                        assert!(log <= bound && bound <= sum.ln() + 1e-14, "{w:?}: {bound}");
                    }
                }
            }
        }
    }
}

/// How far a density falls and turns at the height a, at the places where it does so most.
#[test]
fn a_strip_s_exponent_covers_what_densities_lose_there() {
    let mixed = [(0.0, 0.5), (1.0, 0.25), (-2.0, 0.25)];
    let mixed = mixed.map(|(shift, weight)| Component { shift, weight });
    let pairs = [
        Pair::gaussian(1.0, 2.0),
        Pair::addition(0.5, 1.3),
        Pair::replacement(0.25, 0.9),
        Pair {
            sigma: 1.7,
            p: Mixture::two(3.0, 1.0),
            q: Mixture::new(&mixed).expect("weights"),
        },
    ];
    for (pair, lambda) in pairs.iter().flat_map(|pair| [1.0, 6.0].map(|l| (pair, l))) {
        let variance = pair.sigma * pair.sigma;
        for a in [0.1, 0.4].map(|share| share * Nodes::strip(pair)) {
            let theta = a / variance;
            let (mut fallen, mut turned) = (f64::NEG_INFINITY, 0.0f64);
            for k in -4000..=4000 {
                let z = 0.01 * f64::from(k) * pair.sigma;
                let (_, p_angle) = pair.p.shifted_ln_density(z, variance, theta);
                let (q, q_angle) = pair.q.shifted_ln_density(z, variance, theta);
                fallen = fallen.max(pair.q.ln_density(z, variance).0 - q);
                turned = turned.max((p_angle - q_angle).abs());
            }
            let truth = 0.5 * a * a / variance + lambda * fallen;
            let bound = strip_exponent(pair, a, lambda);
            assert!(truth <= bound + 1e-9, "{pair:?}, {a}: {bound}, {truth}");
            let turn = phase(pair, a);
            assert!(turned <= turn + 1e-9, "{pair:?}, {a}: {turn}, {turned}");
            // Shifts of P and Q that are farthest apart need not decide at one place.
            assert!(
                bound <= 4.0 * truth && turn <= 2.1 * turned,
                "{pair:?}, {a}"
            );
        }
    }
}
