//! Where the rounding of an answer decides its side: sizes at which what is said of errors is not hidden by anything larger.

use crate::ask::repeated;
use dp_assay::accounting::float::Enclosure;
use dp_assay::accounting::gaussian::Gaussian;
use dp_assay::accounting::inversion::Composition;
use dp_assay::accounting::mixture::{Mixture, Pair};
use dp_assay::accounting::pld::compose::{Lane, compose};
use dp_assay::accounting::pld::lattice::{LatticeLaw, Side};
use dp_assay::accounting::pld::law::GaussianLaw;
use dp_assay::accounting::quadrature::Nodes;
use dp_assay::accounting::{Accountant, Event, account};
use dp_assay::units::{Delta, Epsilon, Neighbouring, Sensitivity, StdDev};
use rug::Float;

fn wide(x: f64) -> Float {
    Float::with_val(300, x)
}

/// ln δ at ε of Gaussian noise.
fn log_profile(mu: f64, epsilon: f64) -> f64 {
    let tail = |x: Float| (x / wide(2.0).sqrt()).erfc() / 2;
    let (centre, half) = (wide(epsilon) / mu, wide(mu) / 2);
    let delta: Float = tail(centre.clone() - &half) - wide(epsilon).exp() * tail(centre + half);
    delta.ln().to_f64()
}

/// So many compositions that the errors of moments are larger than anything else of the inversion.
#[test]
fn inversion_encloses_the_truth_where_its_moments_are_off_most() {
    // Beyond this count e^ε is beyond the exponents of the numbers that the truth is computed with.
    for deviations in [1.0, 2.0, 3.0, 4.0] {
        let count = 100_000_000u64;
        let mu = (count as f64).sqrt();
        let epsilon = 0.5 * mu * mu + deviations * mu;
        let composition = Composition::new(&[(Pair::gaussian(1.0, 1.0), count)]);
        let found = composition.log_delta(epsilon).expect("few terms");
        let truth = log_profile(mu, epsilon);
        // The truth was rounded once.
        let close = f64::EPSILON * truth.abs();
        assert!(
            found.lo <= truth + close && truth - close <= found.hi,
            "{deviations}: {found:?}, {truth}"
        );
        assert!(
            found.width() > 1e-9 && found.width() < 0.3,
            "{deviations}: {found:?}"
        );
    }
}

/// Noise so large that ε = 0 cannot be told from what is just above it.
#[test]
fn an_epsilon_above_0_is_not_said_to_be_0() {
    for j in 0..400 {
        let mu = 10f64.powf(-0.1 * f64::from(j) + 0.5);
        let noise = Gaussian::new(
            Sensitivity::new(mu).expect("in range"),
            StdDev::new(1.0).expect("in range"),
        );
        // erf(μ/√8) is δ(0).
        let least = (wide(mu) / wide(8.0).sqrt()).erf();
        for share in [1.0 - 1e-9, 0.9] {
            let delta: Float = least.clone() * share;
            let delta = Delta::new(delta.to_f64()).expect("a delta");
            let found = noise.epsilon(delta).expect("known");
            assert!(found.hi > 0.0, "μ = {mu}: {found:?}");
        }
    }
}

/// Σ of total variation distances above δ by half of what it may be off by: that both of two mechanisms fail is no rarer.
#[test]
fn delta_covers_no_more_than_it_is() {
    let fails = Event::Approximate {
        epsilon: 0.0,
        delta: 1e-14,
    };
    let asked = |share: f64| {
        let delta = Delta::new(2e-14 * share).expect("a delta");
        account(
            &repeated(2, fails.clone()),
            delta,
            Accountant::Auto,
            Neighbouring::AddRemove,
            false,
        )
    };
    assert_eq!(asked(1.0 + 2e-12).expect("covered").epsilon_upper, 0.0);
    for share in [1.0 - 5e-13, 0.9] {
        let found = asked(share);
        assert!(found.is_err(), "{found:?}: they fail together at no ε");
    }
}

/// A mass just above the window, and nothing else of any size.
#[test]
fn a_mass_at_the_first_position_beyond_a_window_is_counted() {
    let (len, p) = (64, 1e-3);
    for (step, lambda) in [(0.5, 1.0), (0.25, 2.0), (0.125, 0.5)] {
        let mut masses = vec![0.0; len as usize + 1];
        (masses[0], masses[len as usize]) = (1.0 - p, p);
        let law = LatticeLaw {
            side: Side::Above,
            step,
            first: 0,
            masses,
            infinite: 0.0,
            offset: 0.0,
        };
        let lane = Lane {
            parts: vec![(law, 1)],
            lambda,
            start: 0,
            shifts: (1.0, 1.0),
        };
        let composed = compose(&lane, len as usize);
        let beyond = composed.infinite();
        // Chernoff's bound at the smallest shift that is tried, ½: what both masses add to it.
        let rate = lambda + 0.5;
        let most = p * (rate * step).exp() + (-rate * step * f64::from(len - 1)).exp();
        assert!(
            p <= beyond && beyond <= most * (1.0 + 1e-6),
            "{step}, {lambda}: {beyond}, {most}"
        );
    }
}

/// Powers of two change no digit, so that nothing but σ's ratio to the shifts decides on a grid.
#[test]
fn a_grid_has_as_many_nodes_whatever_the_unit() {
    let nodes = |unit: f64| {
        let (sigma, p) = (0.7 * unit, Mixture::two(unit, 0.1));
        let sampled = Pair {
            sigma,
            p,
            q: Mixture::centred(),
        };
        [Pair::gaussian(unit, unit), sampled]
            .map(|pair| Nodes::new(&pair, 3.0, 2.0, 40.0).expect("small").len())
    };
    let one = nodes(1.0);
    for exponent in [-20, -7, 5, 20] {
        assert_eq!(nodes(2f64.powi(exponent)), one, "2^{exponent}");
    }
}

/// n numbers that are added up may be off by n units in the last place of their sum.
#[test]
fn a_moment_is_not_said_to_be_closer_than_its_sum_is() {
    let pair = Pair::gaussian(1.0, 1.0);
    for (lambda, frequency) in [(2.0, 500.0), (3.0, 2000.0)] {
        let grid = Nodes::new(&pair, lambda, frequency, 50.0).expect("small");
        let (log, error) = grid.tilt(lambda).at_zero();
        let summed = 1.1e-16 * (grid.len() as f64 + 8.0 * log);
        assert!(
            grid.len() > 2000 && error >= summed && error < 100.0 * summed,
            "{}: {log}, {error}",
            grid.len()
        );
    }
}

/// ε at which δ is about ½, of so little noise that ε/μ − μ/2 cancels: what is left of it decides how much is known.
#[test]
fn a_profile_is_known_no_better_than_what_its_threshold_cancels_to() {
    for exponent in [7, 12, 15, 18, 21, 24, 27, 40, 90] {
        for mu in [1.0, 1.3, 1.7].map(|lead| lead * 10f64.powi(exponent)) {
            let noise = Gaussian::new(
                Sensitivity::new(mu).expect("in range"),
                StdDev::new(1.0).expect("in range"),
            );
            for near in [-3.0, -1.0, 0.0, 1.0, 3.0] {
                let epsilon = 0.5 * mu * mu * (1.0 + near * f64::EPSILON);
                let found = noise.delta(Epsilon::new(epsilon).expect("in range"));
                // The other tail is beyond all doubles: φ(ε/μ + μ/2)·e^ε = φ(ε/μ − μ/2), times 1/μ.
                let half: Float = wide(mu) / 2;
                let threshold: Float = wide(epsilon) / mu - half;
                let tail = |x: Float| (x / wide(2.0).sqrt()).erfc() / 2;
                let (most, other): (Float, Float) = (tail(threshold), 1.0 / wide(mu));
                let least: Float = most.clone() - other;
                assert!(
                    found.lo <= most && least <= found.hi,
                    "{mu}, {near}: {found:?}, {most}"
                );
            }
        }
    }
}

#[test]
fn all_of_delta_leaves_no_epsilon_and_no_move_needs_none() {
    for (moved, delta) in [(3.0, 1.0), (0.0, 1e-9), (0.0, 1.0), (1e6, 1.0)] {
        let noise = Gaussian::new(
            Sensitivity::new(moved).expect("in range"),
            StdDev::new(1.0).expect("in range"),
        );
        let found = noise.epsilon(Delta::new(delta).expect("a delta"));
        assert_eq!(found, Ok(Enclosure::point(0.0)), "{moved}, {delta}");
    }
}

/// What is too small for a lattice stays infinite loss from above, and is nothing from below.
#[test]
fn dust_is_no_less_than_it_is() {
    let law = |side| LatticeLaw::new(&GaussianLaw { mu: 1.0 }, side, 0.01, (-4500, 4500), 0.0);
    let (above, below) = (law(Side::Above), law(Side::Below));
    // Φ(−(last + ½)) is what lies beyond the last mass that was kept.
    let beyond = |law: &LatticeLaw| {
        let last = wide(law.last() as f64 * law.step + 0.01) - wide(0.5);
        let tail: Float = (last / wide(2.0).sqrt()).erfc() / 2;
        tail.to_f64()
    };
    assert!(above.last() < 4500 && above.infinite >= beyond(&above) && beyond(&above) > 0.0);
    assert!(below.last() < 4500 && below.infinite == 0.0);
}

/// Where a moment is no larger than its errors, an upper bound of it is what is known.
#[test]
fn a_moment_that_is_lost_among_its_errors_is_bounded_from_above() {
    for (mu, lambda) in [(1.0, 60.0), (1.0, 3.0), (2.0, 10.0)] {
        let grid = Nodes::new(&Pair::gaussian(mu, 1.0), lambda, 30.0, 60.0).expect("small");
        let line = grid.tilt(lambda);
        for t in [10.0, 12.0, 20.0] {
            let half = 0.5 * mu * mu;
            let truth = (lambda * (1.0 + lambda) - t * t) * half;
            let bound = line.at(t).expect_err("e^{-50} of what it is at 0");
            assert!(truth <= bound, "{mu}, {lambda}, {t}: {bound}, {truth}");
        }
    }
}

/// So few nodes that the rule itself is what is off.
#[test]
fn a_moment_on_few_nodes_is_as_rough_as_it_says() {
    for (mu, lambda) in [(0.1, 0.5), (0.5, 2.0), (1.0, 0.7), (1.0, 3.0), (2.0, 4.0)] {
        for tolerance in [0.1, 1.0, 2.0, 4.0, 8.0] {
            let grid = Nodes::new(&Pair::gaussian(mu, 1.0), lambda, 0.1, tolerance).expect("small");
            let (log, error) = grid.tilt(lambda).at_zero();
            let truth = 0.5 * lambda * (1.0 + lambda) * mu * mu;
            assert!(
                (log - truth).abs() <= error,
                "{mu}, {lambda}, {tolerance}: {log}, {truth}, {error}"
            );
        }
    }
}
