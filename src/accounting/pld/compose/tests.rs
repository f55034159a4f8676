//! Masses of a lane against MPFR.

use super::super::lattice::Side;
use super::*;
use rug::Float;

/// One mass far out under a steep tilt: its exponent is what is rounded.
#[test]
fn a_moment_is_off_by_no_more_than_it_says() {
    for (position, step, lambda) in [(1_000, 0.1, 7.3), (12_345, 0.3, -11.1), (99, 1e-3, 0.7)] {
        let law = LatticeLaw {
            side: Side::Above,
            step,
            first: position,
            masses: vec![0.3],
            infinite: 0.0,
            offset: 0.0,
        };
        let place = Float::with_val(300, position) * Float::with_val(300, step);
        let truth = place * lambda + Float::with_val(300, 0.3).ln();
        let (found, error) = (log_moment(&law, lambda), log_moment_error(&law, lambda));
        let off = (Float::with_val(300, found) - truth).abs();
        // A number of this size is not known more closely than to half a unit in its last place.
        assert!(
            off <= error && error >= 0.5 * U * found.abs(),
            "{lambda}: {off}, {error}"
        );
    }
}

/// What underflows is there nevertheless.
#[test]
fn a_mass_below_all_doubles_is_bounded_from_above() {
    let composed = Convolved {
        start: 0,
        step: 1.0,
        lambda: 0.0,
        tilted: vec![1e-200, 1e-20],
        scale: Scale {
            log: -300.0,
            error: 0.0,
        },
        error: 0.0,
        outside: Outside {
            mass: 0.0,
            tilted: 0.0,
        },
    };
    for j in 0..2 {
        let truth = Float::with_val(300, -300.0).exp() * composed.tilted[j];
        let (lower, upper) = composed.mass(j);
        assert!(
            lower <= truth && truth <= upper,
            "{lower:e} {truth} {upper:e}"
        );
    }
}

/// Tilted masses of laws that are far out, many, or hardly there, each over the sum of all.
#[test]
fn tilted_masses_are_off_by_no_more_than_they_are_said_to_be() {
    for (first, step, lambda, count) in [
        (0, 0.25, 0.0, 7),
        (-40, 0.1, 3.7, 90),
        (1_000, 0.37, -2.3, 33),
        (-5_000, 1e-3, 41.0, 64),
        (12, 0.9, 5.1, 30),
    ] {
        let masses: Vec<f64> = (1..=count).map(|k| 1.0 / f64::from(k * k)).collect();
        let law = LatticeLaw {
            side: Side::Above,
            step,
            first,
            masses,
            infinite: 0.0,
            offset: 0.0,
        };
        let weight = |i: usize| {
            let place = Float::with_val(300, law.first + i as i64) * step;
            let exponent: Float = place * lambda;
            exponent.exp() * law.masses[i]
        };
        let sum = (0..law.masses.len()).fold(Float::new(300), |sum, i| sum + weight(i));
        let mut packed = vec![Complex::default(); 64];
        let (log, relative) = fold(&law, lambda, &mut packed);
        for i in 0..law.masses.len() {
            let position = (law.first + i as i64).rem_euclid(128) as usize;
            let entry = packed[position / 2];
            let found = if position.is_multiple_of(2) {
                entry.re
            } else {
                entry.im
            };
            let truth = weight(i) / &sum;
            let off = ((Float::with_val(300, found) - &truth) / &truth).abs();
            assert!(
                off <= relative,
                "{first}, {lambda}, {i}: {found}, {truth}, {relative:e}"
            );
        }
        let off = (sum.ln() - log).abs();
        assert!(
            off <= relative && relative < 1e-11,
            "{first}, {lambda}: {off}, {relative:e}"
        );
        // k copies are off by k times what one is, and by the rounding of their product.
        let mut scale = Scale::default();
        scale.add((log, relative), 1e6);
        assert!(scale.error >= 1e6 * relative + 0.5e6 * U * log.abs());
        assert!(scale.error <= 1e6 * relative + 5e6 * U * log.abs());
    }
}
