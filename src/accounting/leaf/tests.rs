//! What every mechanism answers, one line each, against answers that are known without it.

use super::*;
use crate::accounting::matrix::Strategy;

/// Every mechanism, what its law or its ε rests on, and what its Rényi curve.
fn mechanisms() -> Vec<(Event, &'static str, &'static str)> {
    let noise = Event::Gaussian {
        sigma: 2.0,
        sensitivity: 1.0,
    };
    let events = vec![noise.clone()];
    let strategy = Strategy::Toeplitz(vec![1.0, 0.5]);
    vec![
        (noise, "acc-gaussian decor-aux-simulate", ""),
        (Event::Gdp { mu: 0.5 }, "acc-gaussian acc-gdp", ""),
        (
            Event::CorrelatedGaussian {
                covariance: vec![vec![4.0, 0.0], vec![0.0, 1.0]],
                shifts: vec![vec![1.0, 0.0], vec![0.0, 0.25]],
            },
            "acc-gaussian decor-aux-simulate",
            "",
        ),
        (
            Event::MatrixGaussian {
                sigma: 2.0,
                strategy,
                participations: 1,
                separation: 1,
            },
            "acc-gaussian acc-matrix",
            "",
        ),
        (
            Event::GaussianMixture {
                sigma: 1.0,
                shifts: vec![0.0, 1.0],
                weights: vec![0.5, 0.5],
            },
            "acc-gaussian-mixture",
            "",
        ),
        (
            Event::Laplace {
                scale: 1.0,
                sensitivity: 1.0,
            },
            "acc-laplace",
            "acc-laplace acc-pure-zcdp",
        ),
        (
            Event::DiscreteLaplace {
                parameter: 1.0,
                sensitivity: 1,
            },
            "acc-log-concave",
            "acc-log-concave acc-pure-zcdp",
        ),
        (
            Event::DiscreteGaussian {
                sigma: 2.0,
                sensitivity: 1,
            },
            "acc-log-concave",
            "acc-discrete-gaussian",
        ),
        (
            Event::Exponential { epsilon: 1.0 },
            "acc-exponential gcd-aux-response",
            "acc-exponential acc-pure-zcdp",
        ),
        (
            Event::ReportNoisyMax {
                sensitivities: vec![1.0, 2.0],
                scales: vec![4.0, 8.0],
            },
            "acc-noisy-max gcd-aux-response",
            "acc-noisy-max acc-pure-zcdp",
        ),
        (
            Event::Pure { epsilon: 1.0 },
            "gcd-aux-response",
            "acc-pure-zcdp",
        ),
        (
            Event::Approximate {
                epsilon: 1.0,
                delta: 1e-6,
            },
            "acc-approximate",
            "acc-approximate acc-pure-zcdp",
        ),
        (Event::Zcdp { rho: 0.5 }, "kl-imp-adaptive", ""),
        (
            Event::RandomizedResponse {
                noise: 0.5,
                buckets: 4,
            },
            "acc-response",
            "acc-pure-zcdp acc-response",
        ),
        (
            Event::PrivateSelection { mean: 3.0, events },
            "acc-selection gcd-aux-renyi",
            "",
        ),
    ]
}

#[test]
fn every_mechanism_names_the_claims_that_it_rests_on() {
    for (event, law, curve) in mechanisms() {
        let leaf = leaf(&event).expect("a single mechanism");
        let curve = if curve.is_empty() { law } else { curve };
        for (view, named) in [(View::Law, law), (View::Pure, law), (View::Curve, curve)] {
            assert_eq!(leaf.claims(view).join(" "), named, "{event:?} {view:?}");
        }
    }
}

#[cfg(feature = "certify")]
#[test]
fn the_claims_that_mechanisms_rest_on_are_of_the_ledger() {
    let known = dp_assay_spec::claims();
    for (_, law, curve) in mechanisms() {
        for id in [law, curve].into_iter().flat_map(str::split_whitespace) {
            assert!(known.iter().any(|claim| claim.id == id), "{id}");
        }
    }
}

/// Records that move Gaussian noise three times as far lose what noise a third as large does.
#[test]
fn a_group_moves_noise_as_often_as_it_has_records() {
    let mut seen = 0;
    for (event, ..) in mechanisms() {
        let leaf = leaf(&event).expect("a single mechanism");
        let noise = |reach| leaf.noise(reach).expect("in range");
        let Some((one, three)) = noise(1.0).zip(noise(3.0)) else {
            continue;
        };
        seen += 1;
        let (one, three) = (one.above.mu_upper(), three.above.mu_upper());
        let near = 3.0 * one;
        assert!(
            three >= near * (1.0 - 1e-15) && three <= near * (1.0 + 1e-12),
            "{event:?}: {one}, {three}"
        );
    }
    assert_eq!(seen, 4);
}

/// ½, whichever way it is said, and 1/√4.
#[test]
fn noise_is_told_in_units_of_how_far_it_is_moved() {
    for (event, ..) in mechanisms().into_iter().take(3) {
        let leaf = leaf(&event).expect("a single mechanism");
        let mu = leaf.noise(1.0).expect("in range").expect("noise");
        let mu = mu.above.mu_upper();
        assert!((0.5..0.5 + 1e-12).contains(&mu), "{event:?}: {mu}");
    }
}
