//! Masses of a lane against MPFR.

use super::super::lattice::Side;
use super::*;
use crate::accounting::steady;
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

fn lattice(first: i64, masses: Vec<f64>, (infinite, offset): (f64, f64)) -> LatticeLaw {
    LatticeLaw {
        side: Side::Above,
        step: 0.125,
        first,
        masses,
        infinite,
        offset,
    }
}

/// Windows that hold all, and that miss some on either side, under tilts.
#[test]
fn what_a_composition_is_made_of_is_what_it_was() {
    let mut found = Vec::new();
    let coins: Vec<f64> = (0..40)
        .map(|j| 1.0 / f64::from(141 + j * (j - 20)))
        .collect();
    let laws = [
        (lattice(-15, coins, (1e-4, 0.01)), 9),
        (
            lattice(-2, vec![0.25, 0.0, 0.5, 0.125, 0.125], (1e-9, -0.002)),
            30,
        ),
    ];
    for side in [Side::Above, Side::Below] {
        for (lambda, start, len) in [(0.0, -256, 512), (1.3, -20, 64), (4.0, 30, 128)] {
            let mut parts = laws.to_vec();
            parts.iter_mut().for_each(|(law, _)| law.side = side);
            let shifts = (0.4, 0.9);
            let lane = Lane {
                parts,
                lambda,
                start,
                shifts,
            };
            let outside = lane.outside(len);
            found.extend([outside.mass, outside.tilted, lane.misses(2 * len)]);
            found.extend([lane.moment_upper(lambda + 0.5), lane.moment_lower()]);
            let sum = convolve::<f64>(&lane, len);
            found.extend([sum.error, sum.scale.log, sum.scale.error]);
            let bounds = (0..sum.len()).flat_map(|j| [sum.lower(j), sum.upper(j)]);
            found.push(steady::mark(&bounds.collect::<Vec<_>>()));
            let composed = on_window(&lane, sum);
            found.extend([composed.infinite, composed.aliased, composed.offset]);
            found.extend([composed.largest.unwrap_or(-1.0), composed.log_error]);
            let ends = [1e-3, 0.3].map(|delta| composed.epsilon(delta).unwrap_or(-1.0));
            found.extend(ends);
        }
    }
    let all = [-3.0, 0.5, 60.0].map(|lambda| {
        let law = &laws[0].0;
        steady::mark(&[log_moment(law, lambda), log_moment_error(law, lambda)])
    });
    found.extend(all);
    found.extend([1, 9, 1_000].map(|count| Power::new(count).negligible));
    steady::holds(
        &found,
        "5.971065111758365e-23 4.401028954210071e-19 0.0 -9.244477924920698 -8.905253416619543
         3.4237859193107835e-13 -8.905253416619072 8.959764176233956e-13 4905768582395305.0
         0.000899670056998664 0.0 0.0300000000000001 -1.0 8.959764176233956e-13 0.0 0.0
         0.015203438217322843 1.0001567599990215 1.0001567599990215 6.202468182307959
         -2.4836769538462637 2.363895900950005e-13 -2.4836769538457517 9.508360844407757e-13
         6887081017634993.0 0.016103108274321508 0.0 0.0300000000000001 -1.0
         9.508360844407757e-13 -1.0 0.0 4.367340344855723e-7 1.000000013178281
         1.2178280908543095e-8 74.07702711463423 60.32258508591793 2.998279385228264e-13
         60.322585085918526 1.1258288807533376e-12 2723938490270972.0 0.0009001067910331496
         0.0 0.0300000000000001 -1.0 1.1258288807533376e-12 14.693931948195125
         13.612181270433307 5.971065111758365e-23 4.401028954210071e-19 0.0 -9.244477924920698
         -8.905253416619543 3.4237859193107835e-13 -8.905253416619072 8.959764176233956e-13
         4905768582395305.0 0.0008996700569968646 4.401028954210071e-19 0.0299999999999999
         -1.0 8.959764176233956e-13 0.0 0.0 0.015203438217322843 1.0001567599990215
         1.0001567599990215 6.202468182307959 -2.4836769538462637 2.363895900950005e-13
         -2.4836769538457517 9.508360844407757e-13 6887081017634993.0 0.0008996700569968646
         1.0001567599990215 0.0299999999999999 -1.0 9.508360844407757e-13 0.0 0.0
         4.367340344855723e-7 1.000000013178281 1.2178280908543095e-8 74.07702711463423
         60.32258508591793 2.998279385228264e-13 60.322585085918526 1.1258288807533376e-12
         2723938490270972.0 0.0008996700569968646 1.000000013178281 0.0299999999999999 -1.0
         1.1258288807533376e-12 0.0 0.0 234675661181886.0 1383064255670943.0
         7026817986210692.0 3.257488532207521e-70 1.901994297910288e-8 0.8521437889662113",
    );
}

/// The law of two dice and what lies outside a window, by brute force: every mass is within its
/// bounds.
#[test]
fn masses_of_a_window_are_bounded_on_both_sides_of_what_lies_outside() {
    let masses = vec![0.25, 0.5, 0.125, 0.125];
    for (start, len) in [(-4, 16), (0, 4), (2, 8), (-2, 4)] {
        for lambda in [0.0, 0.8, 3.0] {
            let lane = Lane {
                parts: vec![(lattice(-1, masses.clone(), (0.0, 0.0)), 3)],
                lambda,
                start,
                shifts: (1.0, 1.0),
            };
            let mut truth = vec![0.0; 10];
            for (i, a) in masses.iter().enumerate() {
                for (j, b) in masses.iter().enumerate() {
                    for (k, c) in masses.iter().enumerate() {
                        truth[i + j + k] += a * b * c;
                    }
                }
            }
            let (window, mut above) = (convolve::<f64>(&lane, len), 0.0);
            for (at, mass) in (-3..).zip(&truth) {
                match usize::try_from(at - start) {
                    Ok(j) if j < window.len() => {
                        let (lower, upper) = (window.lower(j), window.upper(j));
                        let close = 1.0 + 1e-12;
                        assert!(
                            lower <= mass * close && *mass <= upper * close,
                            "{start} {at}"
                        );
                    }
                    Ok(_) => above += mass,
                    Err(_) => {}
                }
            }
            assert!(
                lane.outside(window.len()).mass >= above,
                "{start} {len}: {above}"
            );
        }
    }
}
