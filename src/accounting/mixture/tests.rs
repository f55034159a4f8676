//! Densities and weights against exact ones.

use super::*;
use crate::accounting::steady;
use rug::Float;

fn wide(x: f64) -> Float {
    Float::with_val(300, x)
}

/// xᵢ = sᵢ(z − sᵢ/2)/σ².
fn exponent(shift: f64, z: f64, sigma: f64) -> Float {
    wide(shift) * (wide(z) - wide(shift) / 2) / (wide(sigma) * sigma)
}

/// ln|m| and arg m at z + iθσ² from the sum of complex powers.
#[test]
fn a_density_off_the_line_is_that_of_its_sum() {
    let parts = [(2.0, 0.25), (-1.0, 0.5)].map(|(shift, weight)| Component { shift, weight });
    let zero = Component {
        shift: 0.0,
        weight: 0.25,
    };
    let mixture = Mixture::new(&[&parts[..], &[zero]].concat()).expect("weights");
    let sigma = 1.5;
    for (z, theta) in [
        (-4.0, 0.7),
        (0.3, 0.2),
        (2.0, 0.6),
        (11.0, 0.75),
        (-1.0, 0.0),
    ] {
        let (mut re, mut im) = (wide(0.25), wide(0.0));
        for c in &parts {
            let modulus = exponent(c.shift, z, sigma).exp() * c.weight;
            re += modulus.clone() * wide(theta * c.shift).cos();
            im += modulus * wide(theta * c.shift).sin();
        }
        let (log, angle) = mixture.shifted_ln_density(z, sigma * sigma, theta);
        let norm = (re.clone() * &re + im.clone() * &im).ln() / 2u32;
        let arg = im.atan2(&re);
        for (found, truth) in [(log, norm), (angle, arg)] {
            let off = (wide(found) - &truth).abs();
            assert!(
                off <= 64.0 * U * (1.0 + found.abs()),
                "{z}, {theta}: {found}, {truth}"
            );
        }
    }
}

/// Weight that is missing goes to the largest shift and weight that is too much is taken from the
/// smallest; the other way
/// round from below.
#[test]
fn weights_of_a_group_move_to_the_side_of_the_bound() {
    let (shifts, lacking, more) = ([2.0, 0.5, 1.0], [0.25, 0.5, 0.25], 3e-13);
    for change in [0.0, more, -more] {
        let mut weights = lacking;
        weights[2] += change;
        for (side, extreme, other) in [(Side::Above, 2.0, 0.5), (Side::Below, 0.5, 2.0)] {
            let found = Mixture::of_group(&shifts, &weights, side).expect("near 1");
            let at = |shift: f64| {
                let part = found.components().iter().find(|c| c.shift == shift);
                let given = shifts.iter().position(|s| *s == shift).expect("given");
                part.expect("kept").weight - weights[given]
            };
            let rounding = 8.0 * U;
            assert!((at(extreme) - (-change).max(0.0)).abs() <= 2.0 * rounding);
            assert!((at(other) + change.max(0.0)).abs() <= 2.0 * rounding);
            assert!(at(extreme) > 0.0 && at(other) < 0.0 && at(1.0) == 0.0);
        }
    }
    // What is taken may be more than the smallest has.
    let few = [2e-13, 0.5, 0.5 - 1e-13];
    let found = Mixture::of_group(&[0.5, 1.0, 2.0], &few, Side::Above).expect("near 1");
    let kept: Vec<f64> = found.components().iter().map(|c| c.shift).collect();
    assert_eq!(kept, [0.5, 1.0, 2.0]);
    let few = [1e-13, 0.5, 0.5 + 5e-13];
    let found = Mixture::of_group(&[0.5, 1.0, 2.0], &few, Side::Above).expect("near 1");
    let kept: Vec<f64> = found.components().iter().map(|c| c.shift).collect();
    assert_eq!(kept, [1.0, 2.0]);
}

#[test]
fn densities_and_their_errors_are_what_they_were() {
    let part = |(shift, weight): (f64, f64)| Component { shift, weight };
    let few = [(0.0, 0.5), (1.0, 0.25), (-2.0, 0.25)].map(part);
    let alone = [(2.0, 0.5), (3.0, 0.5 + 3e-13)].map(part);
    let many: Vec<Component> = (0..40)
        .map(|k| part((0.1 * f64::from(k) - 1.0, 0.025)))
        .collect();
    let mixtures = [
        Mixture::centred(),
        Mixture::two(1.5, 1.0),
        Mixture::two(-0.7, 0.3),
        Mixture::two(0.7, 0.0),
        Mixture::new(&few).expect("weights"),
        Mixture::new(&alone).expect("weights"),
        Mixture::new(&many).expect("weights"),
    ];
    let mut marks = Vec::new();
    for mixture in &mixtures {
        let (lo, hi) = mixture.shifts();
        let mut found = vec![lo, hi, mixture.rest, mixture.excess];
        for z in [-30.0, -1.3, -0.01, 0.0, 0.4, 2.0, 55.0] {
            for variance in [0.3, 9.0] {
                let (log, error) = mixture.ln_density(z, variance);
                found.extend([log, error]);
                let (log, angle) = mixture.shifted_ln_density(z, variance, 0.4);
                found.extend([log, angle]);
                let (log, error) = mixture.mirrored().ln_density(z, variance);
                found.extend([log, error]);
            }
        }
        marks.push(steady::mark(&found));
    }
    steady::holds(
        &marks,
        "7175766081365587.0 5134910139374993.0 7313650630565244.0 7175766081365587.0
     8972233452984901.0 5080614019744439.0 6356944293183018.0",
    );
}

/// Against MPFR, of weights that sum to a little more than 1 as well.
#[test]
fn a_density_is_off_by_no_more_than_it_says() {
    let part = |(shift, weight): (f64, f64)| Component { shift, weight };
    for parts in [
        vec![(0.0, 0.75), (1.0, 0.25)],
        vec![(0.0, 0.999), (0.3, 0.001)],
        vec![(2.0, 0.5), (-3.0, 0.25), (0.0, 0.25)],
        vec![(-1.0, 0.125), (0.5, 0.875 + 5e-13)],
    ] {
        let parts: Vec<Component> = parts.into_iter().map(part).collect();
        let mixture = Mixture::new(&parts).expect("weights");
        for sigma in [0.25, 1.5, 40.0] {
            for k in -40..=40 {
                let z = 0.37 * f64::from(k) * sigma;
                let each = parts
                    .iter()
                    .map(|c| exponent(c.shift, z, sigma).exp() * c.weight);
                let truth = each.fold(wide(0.0), |sum, term| sum + term).ln();
                let (found, error) = mixture.ln_density(z, sigma * sigma);
                let off = (wide(found) - &truth).abs();
                assert!(off <= error, "{parts:?}, {sigma}, {z}: {off} {error:e}");
            }
        }
    }
}

#[test]
fn weights_and_shifts_that_are_none_are_refused_by_name() {
    let part = |(shift, weight): (f64, f64)| Component { shift, weight };
    let said = |parts: &[(f64, f64)]| {
        let parts: Vec<Component> = parts.iter().copied().map(part).collect();
        Mixture::new(&parts).map_or_else(|why| why.to_string(), |_| String::new())
    };
    assert!(said(&[(1.0, 0.5), (0.0, 0.4)]).contains("sum of the weights"));
    assert!(said(&[(1.0, 1.5), (0.0, -0.5)]).contains("weight"));
    assert!(said(&[(f64::INFINITY, 1.0)]).contains("shift"));
    assert_eq!(said(&[(1.0, 0.5), (0.0, 0.5 + 9e-13)]), "");
    let group = |shifts: &[f64], weights: &[f64]| {
        let found = Mixture::of_group(shifts, weights, Side::Above);
        found.map_or_else(|why| why.to_string(), |_| String::new())
    };
    assert!(group(&[1.0], &[0.5, 0.5]).contains("weights"));
    assert!(group(&[-1.0, 0.0], &[0.5, 0.5]).contains("shift"));
    assert!(group(&[1.0, 0.0], &[-0.5, 1.5]).contains("weight"));
    assert!(group(&[1.0, 0.0], &[0.25, 0.5]).contains("sum of the weights"));
    assert_eq!(group(&[1.0, 0.0], &[0.5, 0.5]), "");
    assert!(!Pair::gaussian(1.0, 1.0).is_trivial() && Pair::removal(0.0, 1.0).is_trivial());
}
