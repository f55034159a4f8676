//! Errors of moments against MPFR, and what they are made of.

use super::super::mixture::{Component, Mixture};
use super::super::steady;
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

/// Pairs on both sides of 0, of one part and of several, near and far.
fn pairs() -> Vec<Pair> {
    let mixed = [(0.0, 0.5), (1.0, 0.25), (-2.0, 0.25)];
    let mixed = mixed.map(|(shift, weight)| Component { shift, weight });
    let mixed = Mixture::new(&mixed).expect("weights");
    vec![
        Pair::gaussian(1.0, 0.5),
        Pair::gaussian(1e-3, 1.0),
        Pair::removal(0.01, 0.8),
        Pair::addition(0.3, 2.0),
        Pair::replacement(0.25, 0.9),
        Pair {
            sigma: 1.7,
            p: Mixture::two(3.0, 1.0),
            q: mixed.clone(),
        },
        Pair {
            sigma: 1.1,
            p: mixed,
            q: Mixture::two(-1.5, 0.5),
        },
    ]
}

#[test]
fn nodes_and_what_they_promise_are_what_they_were() {
    let mut found = Vec::new();
    for pair in pairs() {
        for (lambda, frequency, tolerance) in [(0.3, 2.0, 20.0), (5.0, 0.0, 45.0)] {
            let grid = Nodes::new(&pair, lambda, frequency, tolerance).expect("few nodes");
            let ends = [0, grid.len() - 1].map(|j| grid.nodes[j].z);
            found.extend([grid.len() as f64, ends[0], ends[1], grid.decay]);
            let each = grid.nodes.iter().flat_map(|n| {
                let known = [n.half_square, n.ln_q, n.loss, n.ln_q_error, n.loss_error];
                known.into_iter().chain([n.weight, n.plain.0, n.plain.1])
            });
            found.push(steady::mark(&each.collect::<Vec<_>>()));
            let promised = [grid.prefactor, grid.discretisation, grid.step, grid.strip];
            found.push(steady::mark(&promised));
        }
    }
    steady::holds(
        &found,
        "32.0 -3.70703125 5.1328125 64.18865535205445 1008438218472347.0 8099193940724357.0
         52.0 -5.28125 11.552734375 1014.3090569961207 5151859091831351.0 726366995440479.0
         19.0 -8.05078125 8.05078125 699.6746288214092 2370914121765924.0 5779636700531747.0
         33.0 -10.5625 10.5625 1014.3090569961207 4443500359081680.0 965101390010527.0 64.0
         -5.87890625 7.3486328125 5.836925397470116 4071588713299403.0 6730177087793666.0
         217.0 -8.4765625 14.41015625 3.010605038214966 7694972849922257.0 7265394079190547.0
         28.0 -16.625 15.4375 76.39751866155886 6221578704021542.0 6508614669943977.0 80.0
         -22.078125 26.37109375 23.920456675401184 2655994053160754.0 5192558277155674.0 68.0
         -7.65625 8.3740234375 6.008856314721264 8434060005363667.0 4044386425142301.0 238.0
         -10.46875 20.544921875 3.5941246303599876 2895880530648344.0 1950900743319504.0 108.0
         -14.546875 17.21875 2.593419764906426 5910106110712215.0 3763655621020639.0 422.0
         -19.84375 45.9375 1.6218058220582348 6132550819094473.0 7243848098620287.0 151.0
         -10.6640625 9.84375 1.4852352326435503 173832238823963.0 6881662648735728.0 728.0
         -23.546875 25.08544921875 0.8921958473311798 3638771626555926.0 4349509004830188.0",
    );
}

/// Moments near 1, large ones, and ones of which next to nothing is known.
#[test]
fn moments_off_the_line_are_what_they_were() {
    let mut marks = Vec::new();
    for pair in pairs() {
        for tolerance in [0.5, 3.0, 30.0] {
            let grid = Nodes::new(&pair, 6.0, 30.0, tolerance).expect("few nodes");
            let mut found = Vec::new();
            for lambda in [0.0, 0.4, 6.0] {
                let line = grid.tilt(lambda);
                found.extend([line.at_zero().0, line.at_zero().1]);
                for t in [0.0, 0.1, 3.0, 30.0, -3.0] {
                    match line.at(t) {
                        Ok((log, error)) => found.extend([log.re, log.im, error]),
                        Err(most) => found.push(most),
                    }
                }
                found.extend([0.0, 0.2, 9.0].map(|t| line.decay().upper(t)));
            }
            marks.push(steady::mark(&found));
        }
    }
    steady::holds(
        &marks,
        "292604797460333.0 5828332717219606.0 6311843047945643.0 3851847672333378.0
         1123166792986363.0 2853273975386918.0 5479129233979079.0 8281195303537238.0
         2648378510597114.0 2753371095042690.0 926220464082954.0 5094083975592743.0
         995484221803971.0 1424053543321842.0 4537466938556871.0 7808741906139964.0
         2695076659042783.0 7334688948435321.0 716481216176480.0 7795049997740849.0
         7014834397414240.0",
    );
}

#[test]
fn too_many_nodes_are_refused_with_their_number() {
    let refused = |sigma: f64| {
        let told = Nodes::new(&Pair::gaussian(1.0, sigma), 1.0, 0.0, 40.0);
        match told {
            Err(AccountError::TooCostly { needed, limit, .. }) => needed / limit,
            _ => 0.0,
        }
    };
    let found = [1e-4, 1.2e-5, 9e-6, 1e-6].map(refused);
    steady::holds(&found, "0.0 0.0 1.2191658020019531 10.951988220214844");
}
