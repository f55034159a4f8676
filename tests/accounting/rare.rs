//! Rare large losses, near whose ε a transform in binary64 shows nothing but its rounding: Poisson samples behind little noise.

use crate::ask::{gaussian, poisson, repeated};
use dp_assay::accounting::pld::compose::{Lane, compose, compose_finely};
use dp_assay::accounting::pld::lattice::{LatticeLaw, Side};
use dp_assay::accounting::pld::law::{GaussianLaw, LossLaw};
use dp_assay::accounting::pld::real::Real;
use dp_assay::accounting::pld::sampled::{Direction, Sampled};
use dp_assay::accounting::{Accountant, Event, account};
use dp_assay::float::Double;
use dp_assay::units::{Delta, Neighbouring};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rug::Float;
use rug::float::Constant;

fn sample(sigma: f64, rate: f64, steps: u64) -> Event {
    repeated(steps, poisson(rate, gaussian(sigma)))
}

/// The masses of a sum of two, up to so many: nothing is subtracted, so that all digits stay.
fn sum(a: &[f64], b: &[f64], most: usize) -> Vec<f64> {
    let mut masses = vec![0.0; (a.len() + b.len() - 1).min(most)];
    for (i, x) in a.iter().enumerate().filter(|(_, x)| **x > 0.0) {
        for (sum, y) in masses.iter_mut().skip(i).zip(b) {
            *sum += x * y;
        }
    }
    masses
}

/// The law on a lattice is composed as it is where it is multiplied out.
#[test]
fn rare_samples_on_a_lattice_are_composed_as_multiplied_out() {
    let (count, step, most) = (800u64, 4e-4, 3_000);
    let law = Sampled {
        base: GaussianLaw { mu: 1.0 / 0.94 },
        rate: 1.3e-4,
        direction: Direction::Removal,
    };
    for side in [Side::Above, Side::Below] {
        let anchor = law.gathered(step).expect("a density");
        let lattice = LatticeLaw::new(&law, side, step, (-1, most as i64 / 2), anchor);
        let mut all = vec![1.0];
        for bit in (0..count.ilog2() + 1).rev() {
            all = sum(&all, &all, most);
            if count >> bit & 1 == 1 {
                all = sum(&all, &lattice.masses, most);
            }
        }
        let first = count as f64 * (lattice.first as f64 * step + lattice.offset);
        let lane = Lane {
            parts: vec![(lattice.clone(), count)],
            lambda: 20.0,
            start: count as i64 * lattice.first,
            shifts: (5.0, 60.0),
        };
        let (plain, fine) = (compose(&lane, most), compose_finely(&lane, most));
        for epsilon in [0.05, 0.1, 0.2] {
            let finite = all.iter().enumerate().map(|(j, mass)| {
                let loss = first + j as f64 * step;
                mass * -(epsilon - loss).min(0.0).exp_m1()
            });
            let truth = finite.sum::<f64>() + fine.infinite();
            let found = [plain.delta(epsilon), fine.delta(epsilon)];
            let apart = found.map(|delta| (delta / truth - 1.0).abs());
            let outward = match side {
                Side::Above => found.iter().all(|delta| *delta >= truth * (1.0 - 1e-9)),
                Side::Below => found.iter().all(|delta| *delta <= truth * (1.0 + 1e-9)),
            };
            let at = format!("{side:?}, {epsilon}: {found:?}, {truth:e}");
            assert!(outward && apart[1] < 1e-6, "{at}");
            assert!(apart[0] > 1e-4 || epsilon < 0.1, "binary64 is enough: {at}");
        }
    }
}

/// Both ends are near each other, and on their side of what Rényi divergences say, of fewer steps and of more. Two draws, each of six
/// answers, say nothing of all: of the law above they are 1.2·10⁻³ apart.
#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn both_ends_of_rare_samples_are_near_each_other_at_length() {
    let mut rng = Pcg64::seed_from_u64(29);
    let mut between = |low: f64, high: f64| low * (high / low).powf(rng.random::<f64>());
    for round in 0..2 {
        let (sigma, rate) = (between(0.5, 1.2), between(1e-5, 1e-3));
        let steps = between(100.0, 3_000.0) as u64;
        let delta = Delta::new([1e-8, 1e-10][round]).expect("a delta");
        let relation = [Neighbouring::AddRemove, Neighbouring::ReplaceOne][round];
        let ends = |steps: u64, method| {
            let event = sample(sigma, rate, steps);
            let found = account(&event, delta, method, relation, true).expect("known");
            (found.epsilon_lower, found.epsilon_upper)
        };
        let (lower, upper) = ends(steps, Accountant::Pld);
        let at = format!("{sigma}, {rate}, {steps}, {delta:?}, {relation}: {lower} to {upper}");
        assert!(lower <= upper && upper - lower <= 1e-3 * upper, "{at}");
        if relation == Neighbouring::AddRemove {
            assert!(lower <= ends(steps, Accountant::Rdp).1, "{at}");
        }
        let (fewer, more) = (
            ends(steps / 2, Accountant::Pld),
            ends(2 * steps, Accountant::Pld),
        );
        assert!(
            fewer.0 <= upper && lower <= more.1,
            "{at}: {fewer:?}, {more:?}"
        );
    }
}

fn exact(x: Double) -> Float {
    Float::with_val(300, x.hi) + x.lo
}

/// Roots of unity, against sines and cosines at 300 bits.
#[test]
fn roots_of_unity_are_off_by_no_more_than_a_stage_allows() {
    for log in [1, 2, 3, 4, 11] {
        let n = 1usize << log;
        let (wide, plain) = (Double::roots(n), f64::roots(n));
        assert_eq!((wide.len(), plain.len()), (n / 2, n / 2));
        for (k, (wide, plain)) in wide.iter().zip(&plain).enumerate() {
            let angle: Float = Float::with_val(300, Constant::Pi) * 2 * k as u64 / n as u64;
            let (sin, cos) = angle.sin_cos(Float::new(300));
            let parts = [(exact(wide.re), &cos), (exact(-wide.im), &sin)];
            for (found, truth) in parts {
                let off = (found - truth).abs();
                assert!(off <= 0.25 * Double::STAGE, "{k} of {n}: {off:e}");
                assert!(off > 0.0 || k * 4 % n == 0, "{k} of {n}");
            }
            for (found, truth) in [(plain.re, cos), (-plain.im, sin)] {
                let off = (found - truth).abs();
                assert!(off <= f64::STAGE, "{k} of {n}: {off:e}");
            }
        }
    }
    let third = Double::quotient(1.0, 3.0);
    assert_eq!(exact(third.halved()) * 2, exact(third));
    let off = (Real::to_f64(third) - exact(third)).abs();
    assert!(off <= Double::ROUNDED * exact(third) && Double::of(0.3).lo == 0.0);
    assert_eq!((f64::of(0.3).halved(), Real::to_f64(0.3)), (0.15, 0.3));
}
