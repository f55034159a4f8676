//! Trade-off curves: against those of Gaussian noise, their own symmetry, and a published μ.

use crate::routes::gaussian;
use dp_assay::accounting::Event;
use dp_assay::accounting::float::normal_tail;
use dp_assay::accounting::tradeoff::TradeOff;
use dp_assay::units::Neighbouring::{AddRemove, ReplaceOne};

/// Along G_μ: (x, G_μ(x)) = (Φ(−z), Φ(z − μ)).
fn along(mu: f64) -> impl Iterator<Item = (f64, f64)> {
    let each = (-20..=60).map(|j| 0.1 * f64::from(j));
    each.map(move |z| (normal_tail(z), normal_tail(mu - z)))
}

#[test]
fn the_curve_of_gaussian_noise_lies_closely_below_its_own() {
    for sigma in [0.5, 1.0, 4.0] {
        let curve = TradeOff::of(&gaussian(sigma), AddRemove, 1e-10).expect("known");
        for (x, exact) in along(1.0 / sigma) {
            let found = curve.failure_lower(x);
            assert!(
                found <= exact * (1.0 + 1e-12),
                "{sigma} {x}: {found} {exact}"
            );
            assert!(found >= exact - 2e-3, "{sigma} {x}: {found} {exact}");
            let success = curve.success_upper(x);
            assert!(success >= 1.0 - exact, "{sigma} {x}");
            assert!(success <= 1.0 - found + 2e-16, "{sigma} {x}: {success}");
            // Its own inverse.
            let back = curve.failure_lower(found);
            assert!(back <= x + 1e-12, "{sigma} {x}: {back}");
        }
        let mu = curve.mu_upper();
        assert!(mu >= 1.0 / sigma && mu <= 1.01 / sigma, "{sigma}: {mu}");
    }
}

#[test]
fn pure_noise_has_the_corner_of_randomised_response() {
    let curve = TradeOff::of(&Event::Pure { epsilon: 1.0 }, ReplaceOne, 1e-9).expect("known");
    let corner = 1.0 / (1.0 + 1f64.exp());
    let found = curve.failure_lower(corner);
    assert!(found <= corner && found > corner - 1e-3, "{found} {corner}");
    // 2Φ⁻¹(e/(1 + e)) = 1.2337…: what any mechanism of 1 nat has.
    let mu = curve.mu_upper();
    assert!((1.23..1.25).contains(&mu), "{mu}");
    assert!(TradeOff::of(&gaussian(1.0), AddRemove, 0.0).is_err());
}

/// The least κ with f(x + κ) − κ ≤ G_μ(x): it holds along the curve, and no much smaller one does.
#[test]
fn the_regret_of_a_mu_is_how_far_its_curve_must_be_moved() {
    for event in [Event::Pure { epsilon: 1.0 }, gaussian(2.0)] {
        let curve = TradeOff::of(&event, AddRemove, 1e-9).expect("known");
        for more in [1.0, 1.3] {
            let mu = more * curve.mu_upper();
            let regret = curve.regret_upper(mu).expect("a mu");
            let above = |move_by: f64| {
                along(mu)
                    .map(|(x, own)| curve.failure_lower(x + move_by) - move_by - own)
                    .fold(f64::NEG_INFINITY, f64::max)
            };
            assert!(above(regret) <= 1e-12, "{event:?} {more}: {regret}");
            assert!(above(0.9 * regret) > 0.0, "{event:?} {more}: {regret}");
        }
        let none = curve.regret_upper(0.0).expect("a mu");
        assert!(none < 1e-9, "the curve lies below that of no loss: {none}");
    }
    let curve = TradeOff::of(&gaussian(1.0), AddRemove, 1e-9).expect("known");
    assert!(curve.regret_upper(f64::NAN).is_err());
}

/// gdpnum 0.1.2 prints (1.5685621993129137, 0.0010208130697719753) for μ and its regret here, from dp-accounting's lattice.
#[test]
fn mu_and_regret_are_those_that_a_peer_prints() {
    let event = Event::Repeated {
        times: 2000,
        event: Box::new(Event::PoissonSampled {
            rate: 0.328,
            event: Box::new(gaussian(9.4)),
        }),
    };
    let curve = TradeOff::of(&event, AddRemove, 1e-9).expect("known");
    let mu = curve.mu_upper();
    let regret = curve.regret_upper(mu).expect("a mu");
    assert!((mu - 1.568_562).abs() < 5e-3, "{mu}");
    assert!((regret - 1.020_8e-3).abs() < 5e-4, "{regret}");
}

/// gdpnum tests μ = 1.567013 to a hundredth.
#[test]
fn a_long_run_of_sampled_noise_has_the_published_mu() {
    let event = Event::Repeated {
        times: 2000,
        event: Box::new(Event::PoissonSampled {
            rate: 16_384.0 / 50_000.0,
            event: Box::new(gaussian(9.4)),
        }),
    };
    let curve = TradeOff::of(&event, AddRemove, 1e-9).expect("known");
    let mu = curve.mu_upper();
    assert!((mu - 1.567_013).abs() <= 0.01, "{mu}");
    let claims = curve.claims().to_string();
    assert!(
        claims.contains("acc-gdp") && claims.contains("gcd-aux-sampled"),
        "{claims}"
    );
}
