//! Filter, noisy max, correlated noise, optimal composition, discrete noise; random points.

use super::*;
use dp_assay::accounting::filter::ZcdpFilter;
use dp_assay::accounting::mixture::Pair;
use dp_assay::accounting::rdp::{self, Curve, PairCurve};
use dp_assay::accounting::{AccountError, covariance, discrete, noisy_max, pld, pure, zcdp};
use dp_assay::units::Rho;
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Where the random points start.
const SEED: u64 = 0xacc0;

#[test]
fn the_filter_refuses_the_step_that_would_overspend_and_goes_on() {
    let rho = |x| Rho::new(x).expect("a rho");
    let mut filter = ZcdpFilter::new(rho(1.0));
    for _ in 0..9 {
        filter.spend(rho(0.1)).expect("within budget");
    }
    let refused = filter.spend(rho(0.2)).expect_err("over budget");
    assert!(
        matches!(refused, AccountError::Overspent { asked: 0.2, .. }),
        "{refused}"
    );
    assert_eq!(filter.steps(), 9);
    filter.spend(rho(0.05)).expect("a smaller step still fits");
    assert!(filter.spent_upper() <= 1.0 && filter.remaining() < 0.051);
}

#[test]
fn noisy_max_with_unequal_scales_pays_for_the_largest_other_sensitivity() {
    let equal = noisy_max::epsilon_upper(&[1.0, 1.0], &[2.0, 2.0]).expect("valid");
    assert!((1.0..=1.0 + 4.0 * f64::EPSILON).contains(&equal), "{equal}");
    // Twice Δⱼ/bⱼ would say 2 here.
    let unequal = noisy_max::epsilon_upper(&[0.01, 1.0], &[0.01, 1.0]).expect("valid");
    assert!(
        (101.0..=101.0 * (1.0 + 1e-14)).contains(&unequal),
        "{unequal}"
    );
}

#[test]
fn correlated_gaussian_noise_is_bounded_without_trusting_the_solver() {
    // Σ = 2I + L of a triangle: Σ⁻¹₁₁ = (1/2 + 2/5)/3.
    let sigma = DMatrix::from_row_slice(3, 3, &[4., -1., -1., -1., 4., -1., -1., -1., 4.]);
    let shift = DVector::from_vec(vec![1.0, 0.0, 0.0]);
    let upper = covariance::mahalanobis_upper(&sigma, &[shift]).expect("positive definite");
    assert!((0.3..=0.3 * (1.0 + 1e-13)).contains(&upper), "{upper}");
    let singular = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 1.0, 1.0]);
    let refused = covariance::mahalanobis_upper(&singular, &[DVector::from_vec(vec![1.0, 0.0])]);
    assert!(refused.is_err(), "{refused:?}");
}

#[test]
fn optimal_composition_of_two_groups_matches_the_lattice() {
    let groups = [
        pure::Group {
            epsilon: eps(0.1),
            count: 30,
        },
        pure::Group {
            epsilon: eps(0.2),
            count: 20,
        },
    ];
    let exact = pure::compose_optimal(&groups, del(1e-6)).expect("two groups");
    let law = |e| {
        std::sync::Arc::new(pld::discrete_law::DiscreteLaw::response(e))
            as std::sync::Arc<dyn pld::law::LossLaw>
    };
    let losses = vec![vec![(law(0.1), 30u64), (law(0.2), 20)]];
    let lattice = pld::epsilon_upper(&losses, del(1e-6), 1e-5).expect("within memory");
    assert!(
        exact.lo <= lattice && lattice <= exact.hi * (1.0 + 1e-8),
        "{exact:?} {lattice}"
    );
    let factor = pure::largest_factor(&groups, eps(exact.hi), del(1e-6)).expect("feasible");
    assert!(
        factor.lo <= 1.0 + 1e-9 && factor.hi >= 1.0 - 1e-9,
        "{factor:?}"
    );
}

#[test]
fn discrete_gaussian_is_close_to_and_no_worse_than_its_zcdp() {
    for sigma in [0.5, 2.0, 50.0] {
        let event = Event::DiscreteGaussian {
            sigma,
            sensitivity: 1,
        };
        let r = report(&event, 1e-6, Accountant::Auto);
        let rho = Rho::new(discrete::gaussian_rho_upper(sigma, 1)).expect("a rho");
        let bound = zcdp::epsilon_upper(rho, del(1e-6)).expect("finite");
        assert!(
            r.epsilon_upper <= bound && r.epsilon_lower > 0.5 * r.epsilon_upper,
            "{r:?} {bound}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        rng_seed: RngSeed::Fixed(SEED),
        ..ProptestConfig::default()
    })]

    /// The ladder: exact lower ≤ exact upper ≤ lattice upper (up to its accuracy) and ≤ RDP.
    #[test]
    fn the_accountants_are_ordered(
        rate in 0.001f64..0.5,
        sigma in 0.6f64..8.0,
        times in 100u64..5000,
        digits in 3i32..14,
    ) {
        let (event, delta) = (subsampled(rate, sigma, times), 10f64.powi(-digits));
        let exact = report(&event, delta, Accountant::Auto);
        let mut curve = PairCurve::new(Pair::removal(rate, sigma));
        let renyi = rdp::epsilon_upper(&mut |b: f64| curve.rdp_upper(b) * times as f64, del(delta)).expect("finite");
        prop_assert!(exact.epsilon_lower <= exact.epsilon_upper);
        prop_assert!(exact.epsilon_upper <= renyi * (1.0 + 1e-13));
        prop_assert!(exact.epsilon_upper - exact.epsilon_lower <= 1e-3 * exact.epsilon_upper + 1e-3);
    }

    #[test]
    fn gaussian_epsilon_and_delta_are_inverse(log_sigma in -2.0f64..6.0, log_delta in -300.0f64..-0.01) {
        let (sigma, delta) = (10f64.powf(log_sigma), 10f64.powf(log_delta));
        let g = gaussian(sigma);
        let epsilon = g.epsilon(del(delta)).expect("finite");
        prop_assert!(epsilon.lo >= 0.0 && epsilon.hi.is_finite());
        prop_assert!(g.delta(eps(epsilon.hi)).lo <= delta, "unsafe: {epsilon:?}");
        if epsilon.lo > 0.0 {
            prop_assert!(g.delta(eps(epsilon.lo)).hi >= delta, "not tight: {epsilon:?}");
            prop_assert!(epsilon.width() <= 1e-12 * epsilon.hi + 1e-24, "wide: {epsilon:?}");
        }
    }

    #[test]
    fn the_filter_never_admits_more_than_its_budget(steps in prop::collection::vec(0.0f64..0.4, 1..60)) {
        let mut filter = ZcdpFilter::new(Rho::new(1.0).expect("a rho"));
        let mut admitted = rug::Float::with_val(400, 0);
        for s in steps {
            if filter.spend(Rho::new(s).expect("a rho")).is_ok() {
                admitted += s;
            }
        }
        prop_assert!(admitted <= 1.0 && admitted <= filter.spent_upper());
        prop_assert!(filter.spent_upper() <= 1.0);
    }
}
