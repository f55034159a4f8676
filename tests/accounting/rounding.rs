//! Where the rounding of an answer decides its side: sizes at which what is said of errors is not hidden by anything larger.

use crate::ask::repeated;
use dp_assay::accounting::gaussian::Gaussian;
use dp_assay::accounting::inversion::Composition;
use dp_assay::accounting::mixture::{Mixture, Pair};
use dp_assay::accounting::pld::compose::{Lane, compose};
use dp_assay::accounting::pld::lattice::{LatticeLaw, Side};
use dp_assay::accounting::quadrature::Grid;
use dp_assay::accounting::{Event, Method, account};
use dp_assay::units::{Delta, Neighbouring, Sensitivity, StdDev};
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
            Method::Auto,
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
            .map(|pair| Grid::new(&pair, 3.0, 2.0, 40.0).expect("small").len())
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
        let grid = Grid::new(&pair, lambda, frequency, 50.0).expect("small");
        let (log, error) = grid.tilt(lambda).at_zero();
        let summed = 1.1e-16 * (grid.len() as f64 + 8.0 * log);
        assert!(
            grid.len() > 2000 && error >= summed && error < 100.0 * summed,
            "{}: {log}, {error}",
            grid.len()
        );
    }
}
