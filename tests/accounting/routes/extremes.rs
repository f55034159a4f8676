//! Compositions of pure parts, and questions that used to take forever: an answer, soon, whatever is asked.

use super::*;
use dp_assay::accounting::calibrate::{Target, Trend, parameter, steps};
use dp_assay::accounting::float::normal_tail;
use dp_assay::accounting::pure::{Group, compose_basic, compose_optimal};
use dp_assay::units::Epsilon;

/// The losses of pure parts end, with an atom there; rounding put some of those beyond the end, and plans that lacked
/// them gave a loose bound or none.
#[test]
fn pure_parts_are_answered_tightly_however_they_are_sampled_and_mixed() {
    let first = [
        repeated(100, &poisson(0.7, &laplace(1.007_302_986_634_746_7))),
        repeated(20, &laplace(1.356_681_542_304_493_8)),
    ];
    let second = [
        repeated(20, &poisson(0.2, &laplace(2.395_880_589_683_117_5))),
        repeated(100, &poisson(0.7, &laplace(4.646_359_182_323_276))),
        repeated(2, &laplace(2.144_191_916_066_833_7)),
        repeated(20, &laplace(4.328_623_172_051_773)),
    ];
    let kin = [
        repeated(50, &poisson(0.3, &laplace(0.7))),
        repeated(7, &Event::Pure { epsilon: 0.4 }),
        poisson(
            0.5,
            &Event::DiscreteLaplace {
                parameter: 0.3,
                sensitivity: 2,
            },
        ),
    ];
    // 11.89 is proved by dp-accounting 0.6; without any δ the largest losses add up.
    for (events, delta, most) in [
        (&first[..], 1.14e-9, f64::INFINITY),
        (&second[..], 3.08e-9, 11.89),
        (&kin[..], 1e-7, f64::INFINITY),
    ] {
        let count = orders(events).len();
        for order in orders(events).into_iter().step_by(count.div_ceil(2)) {
            let event = Event::Composed { events: order };
            let found = report(&event, delta, Accountant::Auto, Neighbouring::AddRemove);
            let (low, high) = (found.epsilon_lower, found.epsilon_upper);
            let tight = low <= high && high - low <= 1e-4 * high && high <= most;
            assert!(tight, "{event:?}: {found:?}");
        }
    }
}

/// Where the total variation distances add up to δ there is no ε left to lose: seen at once, at every rate.
#[test]
fn a_delta_beyond_the_total_variation_distance_leaves_no_epsilon() {
    for (rate, times, delta) in [(1e-9, 5, 1e-9), (1e-9, 100, 0.5)] {
        let at = |sigma: f64| repeated(times, &poisson(rate, &gaussian(sigma)));
        let target = Target {
            epsilon: Epsilon::new(delta).expect("an epsilon"),
            delta: del(delta),
            method: Accountant::Auto,
            neighbours: Neighbouring::AddRemove,
        };
        let found = parameter("sigma", (1e-6, 1e9), Trend::Falls, &target, at).expect("feasible");
        let distance = |sigma: f64| times as f64 * rate * (1.0 - 2.0 * normal_tail(0.5 / sigma));
        assert!(distance(found.value) <= delta * (1.0 + 1e-9), "{found:?}");
        assert_eq!(found.report.epsilon_upper, 0.0);
        // Less noise, and there is a δ at ε = 0 that is larger; ε is as small as that and gains nothing.
        let less = distance(0.999 * found.value) > delta || found.value <= 1e-6;
        assert!(less, "{found:?}");
    }
    // Short of that distance there is something to lose.
    let event = repeated(5, &poisson(1e-9, &gaussian(1.0)));
    let found = report(&event, 1e-9, Accountant::Auto, Neighbouring::AddRemove).epsilon_upper;
    assert!(found > 0.0 && found < 1e-6, "{found}");
}

#[test]
fn the_steps_that_are_found_are_within_the_budget_and_one_more_is_not() {
    for (sigma, rate, limit) in [(30.0, 1.0, 1000), (2.0, 0.01, 100_000), (3.8, 1.0, 5)] {
        let target = Target {
            epsilon: Epsilon::new(1.0).expect("an epsilon"),
            delta: del(1e-5),
            method: Accountant::Auto,
            neighbours: Neighbouring::AddRemove,
        };
        let at = |times| repeated(times, &poisson(rate, &gaussian(sigma)));
        let found = steps(limit, &target, at).expect("one step is");
        let ask = |times| {
            report(&at(times), 1e-5, Accountant::Auto, Neighbouring::AddRemove).epsilon_upper
        };
        let most = found.value as u64;
        assert!((1..limit).contains(&most), "{found:?}");
        assert!(ask(most) <= 1.0 && ask(most + 1) > 1.0, "{found:?}");
        assert_eq!(found.report.epsilon_upper, ask(most));
    }
}

/// 10¹² answers of a millionth are Gaussian noise with μ = 1 to six digits: ε = 4.886 at δ = 10⁻⁶, of randomised
/// response as of Laplace noise.
#[test]
fn a_trillion_answers_are_composed_within_a_second_or_two() {
    let each = Group {
        epsilon: Epsilon::new(1e-6).expect("an epsilon"),
        count: 1_000_000_000_000,
    };
    let delta = 1e-6;
    let noise = report(
        &gaussian(1.0),
        delta,
        Accountant::Exact,
        Neighbouring::AddRemove,
    );
    let found = compose_optimal(&[each], del(delta)).expect("in budget");
    assert!(
        (found.hi - noise.epsilon_upper).abs() < 1e-4 && found.width() < 1e-6,
        "{found:?} {noise:?}"
    );
    // Two such groups, or a δ that needs longer sums, are refused before any work is done.
    let other = Group {
        epsilon: Epsilon::new(2e-6).expect("an epsilon"),
        ..each
    };
    assert!(compose_optimal(&[each, other], del(delta)).is_err());
    let either = compose_optimal(&[each, other], del(0.0))
        .expect("no sums")
        .hi;
    assert_eq!(either, compose_basic(&[each, other]));
    // An event of them still has an answer.
    let laplace = repeated(each.count, &laplace(1e6));
    let found = report(&laplace, 1e-280, Accountant::Auto, Neighbouring::AddRemove).epsilon_upper;
    assert!(found < 40.0, "{found}");
}
