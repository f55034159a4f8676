//! The ends of every parameter's range.

use super::*;
use dp_assay::accounting::AccountError;
use dp_assay::accounting::mixture::Pair;
use dp_assay::accounting::rdp::{Curve, PairCurve};
use dp_assay::accounting::zcdp;
use dp_assay::units::Rho;

#[test]
fn the_reference_point_is_enclosed_and_both_accountants_agree() {
    let event = subsampled(0.01, 1.0, 10_000);
    let exact = report(&event, 1e-5, Accountant::Auto);
    assert!(
        exact.epsilon_upper <= 6.1878 && exact.epsilon_upper - exact.epsilon_lower <= 1e-6,
        "{exact:?}"
    );
    let lattice = report(&event, 1e-5, Accountant::Pld);
    assert!(lattice.epsilon_upper <= 6.1878, "{lattice:?}");
    assert!(
        lattice.epsilon_upper - lattice.epsilon_lower <= 1e-3,
        "{lattice:?}"
    );
    assert!(
        lattice.epsilon_lower <= exact.epsilon_upper
            && exact.epsilon_lower <= lattice.epsilon_upper
    );
}

#[test]
fn neighbouring_relations_are_told_apart() {
    let event = subsampled(0.01, 1.0, 1000);
    let at = |relation| account(&event, del(1e-5), Accountant::Auto, relation, false);
    let add = at(Neighbouring::AddRemove)
        .expect("supported")
        .epsilon_upper;
    assert!((add - 1.828_24).abs() <= 1e-5, "{add}");
    assert_eq!(
        at(Neighbouring::ZeroOut).expect("supported").epsilon_upper,
        add
    );
    let replace = at(Neighbouring::ReplaceOne)
        .expect("supported")
        .epsilon_upper;
    assert!((replace - 2.843_45).abs() <= 1.1e-5, "{replace}");
    assert!(matches!(
        at(Neighbouring::User),
        Err(AccountError::Unsupported { .. })
    ));
    let fixed = Event::FixedSizeSampled {
        size: 100,
        batch: 10,
        replacement: false,
        event: Box::new(Event::Gaussian {
            sigma: 2.0,
            sensitivity: 1.0,
        }),
    };
    // A batch of fixed size has a user with many records in it as well.
    let refused = account(
        &fixed,
        del(1e-5),
        Accountant::Auto,
        Neighbouring::User,
        false,
    );
    assert!(
        matches!(refused, Err(AccountError::Unsupported { .. })),
        "{refused:?}"
    );
}

#[test]
fn a_full_batch_of_fixed_size_is_the_gaussian_of_twice_the_sensitivity() {
    let fixed = |batch| Event::FixedSizeSampled {
        size: 1000,
        batch,
        replacement: false,
        event: Box::new(Event::Gaussian {
            sigma: 5.0,
            sensitivity: 1.0,
        }),
    };
    let at = |event: &Event| {
        account(
            event,
            del(1e-5),
            Accountant::Auto,
            Neighbouring::ReplaceOne,
            true,
        )
        .expect("supported")
    };
    let truth = gaussian(2.5).epsilon(del(1e-5)).expect("finite");
    assert_eq!(at(&fixed(1000)).epsilon_upper, truth.hi);
    let part = at(&fixed(100));
    assert!(
        part.epsilon_upper < truth.lo && part.epsilon_lower > 0.9 * part.epsilon_upper,
        "{part:?}"
    );
    assert_eq!(at(&fixed(0)).epsilon_upper, 0.0);
}

#[test]
fn sampling_rates_zero_and_one_are_the_trivial_mechanisms() {
    for times in [1, 1000] {
        assert_eq!(
            report(&subsampled(0.0, 1.0, times), 1e-5, Accountant::Auto).epsilon_upper,
            0.0
        );
        let whole = report(&subsampled(1.0, 10.0, times), 1e-5, Accountant::Auto);
        let parts = Gaussian::composed(&[(gaussian(10.0), times)]);
        let truth = parts.epsilon(del(1e-5)).expect("finite");
        assert!(
            whole.epsilon_lower <= truth.hi && truth.lo <= whole.epsilon_upper,
            "{whole:?} {truth:?}"
        );
    }
}

#[test]
fn a_billion_steps_and_extreme_noise_are_answered() {
    let r = report(
        &subsampled(1e-4, 1.0, 1_000_000_000),
        1e-5,
        Accountant::Auto,
    );
    assert!(
        r.epsilon_upper - r.epsilon_lower <= 1e-5 && r.epsilon_upper < 26.0,
        "{r:?}"
    );
    let r = report(
        &subsampled(0.01, 1e6, 1_000_000_000),
        1e-5,
        Accountant::Auto,
    );
    assert!(
        r.epsilon_upper < 1e-2 && r.epsilon_upper >= r.epsilon_lower,
        "{r:?}"
    );
    let r = report(&subsampled(0.01, 0.01, 100), 1e-5, Accountant::Auto);
    assert!(
        r.epsilon_upper.is_finite() && r.epsilon_upper < 100.0 * 6000.0,
        "{r:?}"
    );
}

#[test]
fn delta_down_to_1e_300_is_answered_and_below_rdp() {
    let event = subsampled(0.01, 1.0, 1000);
    for delta in [1e-50, 1e-200, 1e-300] {
        let (exact, renyi) = (
            report(&event, delta, Accountant::Auto),
            report(&event, delta, Accountant::Rdp),
        );
        assert!(
            exact.epsilon_upper <= renyi.epsilon_upper
                && exact.epsilon_lower > 0.9 * exact.epsilon_upper
        );
    }
    let truth = gaussian(5.0).epsilon(del(1e-300)).expect("finite");
    assert!(truth.contains(7.401_180_495_047_812), "{truth:?}");
}

#[test]
fn orders_close_to_one_keep_their_accuracy() {
    // D_α falls to KL as α → 1; the quadrature's error over β = α − 1 must not show.
    let mut curve = PairCurve::new(Pair::removal(0.1, 1.0));
    let near = curve.rdp_upper(1e-3);
    for exponent in 4..=300 {
        let now = curve.rdp_upper(10f64.powi(-exponent));
        let least = near * (1.0 - 2e-3); // D grows by less than 1.4 times itself over one order
        assert!(
            least <= now && now <= near,
            "order 1 + 1e-{exponent}: {now:e}"
        );
    }
}

/// Every corner of the parameters' ranges: finite, ordered, below RDP and the trivial bounds.
#[test]
#[ignore = "half a minute of computing"]
fn every_corner_of_the_parameters_has_a_finite_answer() {
    for sigma in [0.06, 1.0, 1e6] {
        for rate in [0.0, 1e-9, 1e-2, 1.0] {
            for times in [1, 1_000_000_000] {
                for delta in [1e-300, 1e-6] {
                    corner(rate, sigma, times, delta);
                }
            }
        }
    }
}

fn corner(rate: f64, sigma: f64, times: u64, delta: f64) {
    let event = subsampled(rate, sigma, times);
    let (auto, renyi) = (
        report(&event, delta, Accountant::Auto),
        report(&event, delta, Accountant::Rdp),
    );
    let at = format!("q = {rate}, sigma = {sigma}, T = {times}, delta = {delta}");
    let (lo, hi) = (auto.epsilon_lower, auto.epsilon_upper);
    assert!(
        0.0 <= lo && lo <= hi && hi.is_finite(),
        "{at}: [{lo}, {hi}]"
    );
    assert!(
        hi <= renyi.epsilon_upper * (1.0 + 1e-13),
        "{at}: {hi}, RDP {renyi:?}"
    );
    // Sampling can only help, and without it the answer is known.
    let whole = Gaussian::composed(&[(gaussian(sigma), times)]);
    let whole = whole.epsilon(del(delta));
    let whole = whole.unwrap_or_else(|e| panic!("{at}: {e}"));
    assert!(lo <= whole.hi, "{at}: {lo} above the unsampled {whole:?}");
    if rate == 0.0 || delta == 1.0 {
        assert_eq!(hi, 0.0, "{at}");
    }
    if rate == 1.0 {
        assert!(
            hi >= whole.lo && hi <= whole.hi * (1.0 + 1e-12),
            "{at}: {hi}, {whole:?}"
        );
    }
}

#[test]
fn least_noise_and_largest_delta_are_answered() {
    corner(0.5, 0.01, 1, 1e-9);
    corner(0.5, 1.0, 10, 0.9);
    corner(0.5, 1.0, 10, 1.0);
    corner(1.0, 0.01, 1_000_000_000, 1e-300);
}

/// Lattices answer or say precisely why not: δ below 10⁻²⁷⁰, or more than 2²² points.
#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn lattices_answer_or_refuse_precisely_at_every_corner_at_length() {
    for (sigma, rate, times, delta) in [
        (0.01, 0.5, 1_000_000_000, 1e-9),
        (0.01, 1e-9, 1, 1e-9),
        (1e6, 1e-9, 1_000_000_000, 1e-9),
        (1e6, 0.5, 1, 0.5),
        (4.0, 1e-3, 1_000_000_000, 1e-200),
        (4.0, 1e-3, 1_000_000, 1e-300),
        (0.3, 1.0, 1_000, 1e-9),
    ] {
        let event = subsampled(rate, sigma, times);
        let neighbours = Neighbouring::AddRemove;
        match account(&event, del(delta), Accountant::Pld, neighbours, true) {
            Ok(r) => assert!(
                r.epsilon_lower <= r.epsilon_upper && r.epsilon_upper.is_finite(),
                "{event:?}: {r:?}"
            ),
            Err(AccountError::TooCostly { needed, limit, .. }) => {
                assert!(needed > limit, "{event:?}: {needed} > {limit}");
            }
            Err(AccountError::Domain { value, .. }) => {
                assert!(value == delta && delta < 1e-270);
            }
            Err(other) => panic!("{event:?}: {other}"),
        }
    }
}

#[test]
fn bad_parameters_get_precise_errors() {
    let bad = [
        (
            Event::Gaussian {
                sigma: 0.0,
                sensitivity: 1.0,
            },
            "standard deviation",
        ),
        (
            Event::Gaussian {
                sigma: f64::NAN,
                sensitivity: 1.0,
            },
            "standard deviation",
        ),
        (
            Event::Gaussian {
                sigma: 1.0,
                sensitivity: -1.0,
            },
            "sensitivity",
        ),
        (subsampled(1.5, 1.0, 10), "sampling rate"),
        (subsampled(f64::NAN, 1.0, 10), "sampling rate"),
        (
            Event::Laplace {
                scale: -1.0,
                sensitivity: 1.0,
            },
            "Laplace scale",
        ),
        (
            Event::DiscreteLaplace {
                parameter: 0.0,
                sensitivity: 1,
            },
            "parameter",
        ),
        (
            Event::RandomizedResponse {
                noise: 2.0,
                buckets: 4,
            },
            "noise",
        ),
        (Event::Zcdp { rho: f64::INFINITY }, "rho"),
        (
            Event::ReportNoisyMax {
                sensitivities: vec![1.0],
                scales: vec![],
            },
            "scores",
        ),
    ];
    for (event, word) in bad {
        let message = account(
            &event,
            del(1e-5),
            Accountant::Auto,
            Neighbouring::ReplaceOne,
            false,
        )
        .expect_err("refused")
        .to_string();
        assert!(message.contains(word), "{event:?}: {message}");
    }
    let none = account(
        &subsampled(0.1, 1.0, 10),
        del(0.0),
        Accountant::Auto,
        Neighbouring::AddRemove,
        false,
    );
    assert!(
        matches!(none, Err(AccountError::NoFiniteEpsilon { .. })),
        "{none:?}"
    );
}

#[test]
fn event_trees_round_trip_and_are_limited() {
    let event = Event::Composed {
        events: vec![
            subsampled(0.1, 2.0, 7),
            Event::Pure { epsilon: 0.5 },
            Event::Zcdp { rho: 0.1 },
        ],
    };
    let text = serde_json::to_string(&event).expect("serialisable");
    assert_eq!(Event::from_json(&text).expect("readable"), event);
    let deep = "{\"kind\":\"repeated\",\"times\":1,\"event\":".repeat(100);
    assert!(Event::from_json(&deep).is_err());
    for bad in [
        "",
        "{}",
        "[]",
        "{\"kind\":\"gaussian\"}",
        "{\"kind\":\"gaussian\",\"sigma\":1,\"x\":2}",
    ] {
        assert!(
            matches!(Event::from_json(bad), Err(AccountError::Event(_))),
            "{bad}"
        );
    }
}

#[test]
fn the_largest_rho_within_a_budget_is_within_it_and_none_is_left_where_no_number_is() {
    let rho = |epsilon, delta| zcdp::rho_within(eps(epsilon), del(delta)).expect("delta > 0");
    let epsilon_of = |rho: f64, delta| {
        let rho = Rho::new(rho).expect("a rho");
        zcdp::epsilon_upper(rho, del(delta)).expect("delta > 0")
    };
    for epsilon in [0.0, 1e-9, 0.1, 1.0, 50.0] {
        let found = rho(epsilon, 1e-6).get();
        assert!(
            found > 0.0 && epsilon_of(found, 1e-6) <= epsilon,
            "{epsilon}"
        );
        assert!(
            epsilon_of(found * (1.0 + 1e-8), 1e-6) > epsilon,
            "{epsilon}"
        );
    }
    // The largest is about 2δ², which is below every positive double.
    assert!(epsilon_of(f64::MIN_POSITIVE, 1e-200) > 0.0);
    assert_eq!(rho(0.0, 1e-200).get(), 0.0);
}

/// What no double holds is no noise at all, not a perfect one: losses would be NaN, and ε 0. So it is with shifts, and with an ε
/// that is finite but for the number of runs, which is refused at once.
#[test]
fn noise_too_small_for_doubles_is_refused() {
    let refused = |event: Event| {
        let answer = account(
            &event,
            del(1e-5),
            Accountant::Auto,
            Neighbouring::AddRemove,
            true,
        );
        let error = answer.expect_err("no finite ε is known").to_string();
        assert!(
            error.contains("sigma") || error.contains("finite") || error.contains("lattice"),
            "{error}"
        );
    };
    let sampled = |event: Event| Event::PoissonSampled {
        rate: 0.5,
        event: Box::new(event),
    };
    let again = |event: Event| Event::Repeated {
        times: 5,
        event: Box::new(event),
    };
    for sigma in [5e-324, 1e-300, 1e-170, 1e-162] {
        let noise = || Event::DiscreteGaussian {
            sigma,
            sensitivity: 1,
        };
        refused(noise());
        refused(sampled(noise()));
        refused(again(noise()));
    }
    let noise = || Event::Laplace {
        scale: 1e-310,
        sensitivity: 1.0,
    };
    refused(noise());
    refused(sampled(noise()));
    refused(again(noise()));
    let group = |sigma, shift| Event::GaussianMixture {
        sigma,
        shifts: vec![0.0, shift],
        weights: vec![0.5; 2],
    };
    for (sigma, shift) in [(1.0, 1.7e308), (1.0, 1e160), (1e-170, 1.0)] {
        refused(group(sigma, shift));
        refused(again(group(sigma, shift)));
    }
    for pure in [
        Event::Pure { epsilon: 1.7e308 },
        Event::Exponential { epsilon: 1.7e308 },
        Event::Laplace {
            scale: 1.0,
            sensitivity: 1.7e308,
        },
    ] {
        refused(again(pure));
    }
    refused(again(sampled(Event::Laplace {
        scale: 1.0,
        sensitivity: 1.7e308,
    })));
}
