//! Ends that a referee found on the wrong side of the truth, each with its kin.

use super::*;
use dp_assay::accounting::AccountError;
use dp_assay::accounting::calibrate::Target;
use dp_assay::accounting::event::Sampling;
use dp_assay::accounting::free::Template;
use dp_assay::accounting::shuffle::clones_epsilon;
use rug::{Float, Rational};
use statrs::function::erf::erfc;

use Neighbouring::{AddRemove, ReplaceOne, User, ZeroOut};

/// δ(ε) of (1 − w)·N(0, 1) + w·N(s, 1) from N(0, 1), the direction in which more is lost, in closed form: the loss
/// ln(1 − w + w·e^{sz − s²/2}) grows with z, and exceeds ε beyond one z₀.
fn closed_form(w: f64, s: f64, epsilon: f64) -> f64 {
    let beyond = |z: f64| 0.5 * erfc(z / 2f64.sqrt());
    let z0 = 0.5 * s + ((epsilon.exp() - 1.0 + w) / w).ln() / s;
    (1.0 - w) * beyond(z0) + w * beyond(z0 - s) - epsilon.exp() * beyond(z0)
}

fn asked(
    event: &Event,
    delta: f64,
    method: Accountant,
    neighbours: Neighbouring,
) -> Result<Report, AccountError> {
    account(event, del(delta), method, neighbours, true)
}

/// The noise has every whole number, so that no ε is enough at δ = 0: neither of the noise nor of any sample.
#[test]
fn discrete_gaussian_noise_is_never_pure() {
    for sigma in [0.02, 1.0, 100.0] {
        let event = || {
            Box::new(Event::DiscreteGaussian {
                sigma,
                sensitivity: 1,
            })
        };
        let fixed = |replacement| Event::FixedSizeSampled {
            size: 10,
            batch: 3,
            replacement,
            event: event(),
        };
        let truncated = Event::TruncatedPoissonSampled {
            rate: 0.5,
            cap: 3,
            records: 10,
            event: event(),
        };
        let sampled = Event::PoissonSampled {
            rate: 0.5,
            event: event(),
        };
        let cases = [
            (*event(), AddRemove),
            (*event(), ReplaceOne),
            (sampled, AddRemove),
            (fixed(false), ReplaceOne),
            (fixed(true), ReplaceOne),
            (truncated, ReplaceOne),
        ];
        for (event, neighbours) in cases {
            for method in [Accountant::Auto, Accountant::Exact] {
                let found = asked(&event, 0.0, method, neighbours);
                assert!(found.is_err(), "{event:?} {neighbours}: {found:?}");
            }
        }
        // The least δ that there is has an ε again.
        let found = asked(&event(), 1e-300, Accountant::Exact, AddRemove);
        assert!(found.is_ok_and(|found| found.epsilon_upper > 0.3 / sigma));
    }
}

/// What leaks everything with a probability above δ has no ε at δ, however little above; at δ it has.
#[test]
fn no_epsilon_covers_a_delta_below_what_leaks() {
    for (epsilon, leak) in [(1.0, 1e-5), (1e12, 1e-5), (0.1, 0.3)] {
        let event = Event::Approximate {
            epsilon,
            delta: leak,
        };
        let found = asked(&event, leak.next_down(), Accountant::Exact, AddRemove);
        let none = matches!(found, Err(AccountError::NoFiniteEpsilon { .. }));
        assert!(none, "{epsilon}: {found:?}");
        let at = asked(&event, leak, Accountant::Exact, AddRemove).expect("an epsilon");
        assert!(
            (epsilon..=epsilon * (1.0 + 1e-12)).contains(&at.epsilon_upper),
            "{at:?}"
        );
        let event = Event::PoissonSampled {
            rate: 0.5,
            event: Box::new(event),
        };
        let found = asked(
            &event,
            (0.5 * leak).next_down(),
            Accountant::Exact,
            AddRemove,
        );
        assert!(found.is_err(), "half of {epsilon}: {found:?}");
        assert!(asked(&event, 0.5 * leak, Accountant::Exact, AddRemove).is_ok());
    }
    let told = Event::RandomizedResponse {
        noise: 0.0,
        buckets: 2,
    };
    let found = asked(&told, 1.0 - 4e-16, Accountant::Exact, ReplaceOne);
    assert!(found.is_err(), "{found:?}");
    let event = Box::new(Event::Approximate {
        epsilon: 1.0,
        delta: 1e-320,
    });
    let found = asked(
        &Event::PoissonSampled { rate: 1e-10, event },
        0.0,
        Accountant::Exact,
        AddRemove,
    );
    assert!(found.is_err(), "{found:?}");
}

/// A user who is replaced moves the answer by two draws: what is known of one who comes or goes is no bound.
#[test]
fn a_group_that_is_replaced_is_not_one_that_goes() {
    let event = Event::GaussianMixture {
        sigma: 1.0,
        shifts: vec![0.0, 1.0],
        weights: vec![0.5, 0.5],
    };
    for neighbours in [User, ReplaceOne] {
        for method in [Accountant::Auto, Accountant::Exact, Accountant::Pld] {
            let found = asked(&event, 1e-5, method, neighbours);
            let none = matches!(found, Err(AccountError::Unsupported { .. }));
            assert!(none, "{neighbours} {method:?}: {found:?}");
        }
    }
    for neighbours in [AddRemove, ZeroOut] {
        let found = asked(&event, 1e-5, Accountant::Exact, neighbours).expect("known");
        // Three terms near 10⁻⁵, each with a relative error below 10⁻¹².
        let at = |epsilon| closed_form(0.5, 1.0, epsilon);
        assert!(at(found.epsilon_lower * (1.0 - 1e-9)) > 1e-5, "{found:?}");
        assert!(at(found.epsilon_upper * (1.0 + 1e-9)) < 1e-5, "{found:?}");
    }
}

/// Weights are rounded outwards for the upper end, and inwards for the lower one. Of the first group the largest shift has the
/// weight 2⁻⁵⁴, which adds at most that to δ: at δ = 10⁻¹⁶ ε is at most that of the others at the rest of δ.
#[test]
fn a_group_s_lower_end_has_no_weight_that_rounding_made() {
    let rare = 2f64.powi(-54);
    let event = Event::GaussianMixture {
        sigma: 1.0,
        shifts: vec![0.0, 0.1, 20.0],
        weights: vec![0.5, 0.5 - rare, rare],
    };
    for method in [Accountant::Exact, Accountant::Pld] {
        let found = asked(&event, 1e-16, method, AddRemove).expect("known");
        let others = closed_form(0.5, 0.1, found.epsilon_lower * (1.0 - 1e-9));
        assert!(others > 1e-16 - rare, "{method:?}: {found:?}, {others}");
        // Without the rarest shift less is lost.
        let fewer = closed_form(0.5 - rare, 0.1, found.epsilon_upper * (1.0 + 1e-9));
        assert!(fewer < 1e-16, "{method:?}: {found:?}, {fewer}");
    }
    let many = 2049;
    let event = Event::GaussianMixture {
        sigma: 1.0,
        shifts: (0..many)
            .map(|k| if k + 1 == many { 20.0 } else { 0.1 })
            .collect(),
        weights: (0..many)
            .map(|k| {
                if k + 1 == many {
                    1e-14
                } else {
                    (1.0 - 1e-14) / 2048.0
                }
            })
            .collect(),
    };
    let found = asked(&event, 4e-13, Accountant::Exact, AddRemove).expect("known");
    // The rare shift is too rare for this δ.
    let plain = Event::Gaussian {
        sigma: 10.0,
        sensitivity: 1.0,
    };
    let plain = asked(&plain, 3.9e-13, Accountant::Exact, AddRemove).expect("known");
    assert!(
        found.epsilon_lower <= plain.epsilon_upper,
        "{found:?}, {plain:?}"
    );
}

/// The lattice's lower end is below the exact upper one, down to the least δ that a lattice takes.
#[test]
fn ends_of_a_lattice_are_in_order_at_tiny_deltas() {
    let cases = [
        (subsampled(1.0, 1.0, 1), 1e-260),
        (subsampled(1.0, 1.0 / 3.0, 1), 1e-200),
        (subsampled(0.01, 1.0, 1), 1e-250),
        (
            subsampled(7.913_933_253_271_7e-12, 0.543_141_005_718_287_9, 1),
            1.121_445_832_314_750_5e-195,
        ),
        (subsampled(0.3, 2.0, 1), 1e-269),
    ];
    for (event, delta) in cases {
        let exact = asked(&event, delta, Accountant::Exact, AddRemove).expect("exact");
        let lattice = asked(&event, delta, Accountant::Pld, AddRemove).expect("a lattice");
        assert!(
            lattice.epsilon_lower <= exact.epsilon_upper
                && exact.epsilon_lower <= lattice.epsilon_upper,
            "{event:?} at {delta}: {lattice:?}, {exact:?}"
        );
    }
}

/// One report is randomised response itself: δ(ε) = (1 − e^{ε − ε₀})/(1 + e^{−ε₀}).
#[test]
fn a_single_report_is_enclosed_however_large_its_epsilon() {
    let delta = 1e-6_f64;
    for local in [
        0.1_f64, 1.0, 6.0, 12.0, 15.22, 15.33, 20.0, 30.0, 35.0, 38.0, 50.0, 300.0,
    ] {
        let truth = local + (-delta * (1.0 + (-local).exp())).ln_1p();
        let found = clones_epsilon(eps(local), 1, del(delta)).expect("an enclosure");
        // The truth itself is known to some units in the last place.
        let (near, wide) = (4e-16 * (1.0 + local), 1e-6);
        assert!(
            found.lo <= truth + near
                && found.hi >= truth - near
                && found.hi - found.lo <= wide * (1.0 + local),
            "{local}: {found:?}, {truth}"
        );
    }
}

/// Of hardly any signal ε is 0 above δ(0) = 2Φ(μ/2) − 1, close to μ/√(2π), and finite below.
#[test]
fn hardly_any_signal_has_a_finite_epsilon() {
    for sigma in [1e8, 1e15, 1e20, 1e30, 1e50, 1e99] {
        let at_zero = 0.398_942_280_401_432_7 / sigma;
        let event = Event::Gaussian {
            sigma,
            sensitivity: 1.0,
        };
        let of = |share: f64| {
            let found = asked(&event, share * at_zero, Accountant::Exact, AddRemove);
            let found = found.expect("an epsilon");
            (found.epsilon_lower, found.epsilon_upper)
        };
        assert_eq!(of(1.001), (0.0, 0.0), "{sigma}");
        for share in [0.5, 0.999, 1e-20] {
            let (lower, upper) = of(share);
            // μ²/2 + μ√(2 ln(1/δ)), δ ≥ 10⁻¹²⁰.
            assert!(lower <= upper && upper <= 24.0 / sigma, "{sigma}: {upper}");
            // δ falls from δ(0) by at most ε.
            assert!(
                upper >= (1.0 - share) * at_zero * (1.0 - 1e-9),
                "{sigma}: {upper}"
            );
        }
    }
}

/// Noise and sensitivity in other units, by a power of two, are the same mechanism.
#[test]
fn units_do_not_matter_however_large_or_small() {
    let of = |sigma: f64, sensitivity: f64| {
        let event = Event::Gaussian { sigma, sensitivity };
        let found = asked(
            &event,
            0.023_278_399_732_719_418,
            Accountant::Exact,
            AddRemove,
        );
        let found = found.expect("an epsilon");
        (found.epsilon_lower, found.epsilon_upper)
    };
    let (sigma, sensitivity) = (1.284_333_308_062_98, 65.707_159_329_108_43);
    let plain = of(sigma, sensitivity);
    for power in [-1060, -1000, -520, 520, 1000] {
        let unit = |x: f64| x * 2f64.powi(power / 2) * 2f64.powi(power - power / 2);
        // Subnormal numbers have fewer digits.
        if power > -1020 {
            assert_eq!(of(unit(sigma), unit(sensitivity)), plain, "2^{power}");
        }
    }
}

/// Sizes that are no doubles.
#[test]
fn shares_of_more_records_than_doubles_count_are_rounded_up() {
    let exact = |x: f64| Rational::from_f64(x).expect("finite");
    // Of which the quotient of the nearest doubles is more than a unit too small.
    for (batch, size) in [
        (1_768_527_152_493_174_068, 5_089_098_873_174_296_133),
        (5_838_172_264_952_777_082, 6_055_030_787_999_053_391),
        (185_623_642_457_542_480, 8_283_258_866_378_213_055),
        (3_149_633_315_078_882_496, 7_567_066_841_074_172_599),
    ] {
        let event = Event::FixedSizeSampled {
            size,
            batch,
            replacement: false,
            event: Box::new(Event::Gaussian {
                sigma: 1.0,
                sensitivity: 1.0,
            }),
        };
        let steps = event.steps(ReplaceOne).expect("a batch");
        let Sampling::FixedSize(share) = steps[0][0].sampling else {
            unreachable!()
        };
        assert!(
            exact(share) >= Rational::from((batch, size)),
            "{batch} of {size}: {share}"
        );
    }
}

/// No noise of whole numbers is pure, which is the reason, not how many of them there are.
#[test]
fn a_search_without_delta_says_that_no_epsilon_is_finite() {
    for tree in [
        r#"{"kind": "discrete-gaussian", "sigma": "?"}"#,
        r#"{"kind": "discrete-gaussian", "sigma": 9, "sensitivity": "?"}"#,
        r#"{"kind": "poisson-sampled", "rate": "?", "event": {"kind": "discrete-gaussian", "sigma": 3}}"#,
    ] {
        let template = Template::from_json(tree).expect("a template");
        let target = Target {
            epsilon: eps(1.0),
            delta: del(0.0),
            method: Accountant::Auto,
            neighbours: AddRemove,
        };
        let found = template.solve(&target);
        let none = matches!(found, Err(AccountError::NoFiniteEpsilon { delta: 0.0, .. }));
        assert!(none, "{tree}: {found:?}");
    }
}

/// Of a signal of 10¹⁵ deviations and more, ε/μ − μ/2 has lost most of its digits: what that leaves of δ is in its ends.
#[test]
fn profiles_of_huge_signals_are_enclosed() {
    let exact = |x: f64| Float::with_val(600, x);
    let tail = |x: Float| (x / exact(2.0).sqrt()).erfc() / 2u32;
    let mut rounded = 0;
    for power in [40, 46, 50, 52, 53] {
        for i in 0..60 {
            let mu = 2f64.powi(power) * (1.0 + f64::from(i) / 61.0);
            let x = f64::from(i % 30) + 1.0;
            let noise = gaussian(1.0 / mu);
            // The signal of that noise, and a loss that is exceeded with about Φ(−x).
            let mu: Float = exact(1.0 / mu).recip();
            let epsilon = (mu.clone() * x + mu.clone().square() / 2u32).to_f64();
            let found = noise.delta(eps(epsilon));
            let place = exact(epsilon) / &mu - mu.clone() / 2u32;
            let other = Float::with_val(600, &place + &mu);
            // e^ε·Φ(−y) is φ(x)·R(y), and R(y) is 1/y to 30 digits.
            let density = (-place.clone().square() / 2u32).exp()
                / (exact(2.0) * Float::with_val(600, rug::float::Constant::Pi)).sqrt();
            let truth = tail(place) - density / other;
            rounded += usize::from(found.lo > 0.0 && found.hi < 1.0);
            assert!(
                found.lo <= truth && truth <= found.hi,
                "2^{power} {i}: {found:?} {truth}"
            );
        }
    }
    assert!(rounded >= 280, "{rounded}");
}
