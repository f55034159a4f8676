//! Questions that an older accountant refused, answered loosely, or never ended.

use crate::ask::{gaussian, poisson, repeated, report, upper, width};
use crate::routes::laplace;
use dp_assay::accounting::calibrate::{Target, Trend, parameter};
use dp_assay::accounting::event::Partition;
use dp_assay::accounting::{Accountant, Event, account};
use dp_assay::units::Neighbouring::{AddRemove, ReplaceOne};
use dp_assay::units::{Delta, Epsilon};

fn composed(events: Vec<Event>) -> Event {
    Event::Composed { events }
}

/// Every part is pure, so that every δ has an ε.
#[test]
fn pure_parts_have_an_epsilon_at_every_delta() {
    let all = composed(vec![
        repeated(100, poisson(0.7, Box::new(laplace(1.0073029866347467)))),
        repeated(20, laplace(1.3566815423044938)),
    ]);
    let found = report(&all, 1.14e-9, AddRemove);
    assert!(width(&found) < 5e-4, "{found:?}");
    // At δ = 0 the whole pure loss of each: log(1 + q(e^(1/b) − 1)) of a sample.
    let sampled = (0.7 * (1.0_f64 / 1.0073029866347467).exp_m1()).ln_1p();
    let pure = 100.0 * sampled + 20.0 / 1.3566815423044938;
    assert!(found.epsilon_upper < pure);
    assert!((upper(&all, 0.0, AddRemove) / pure - 1.0).abs() < 1e-9);
}

/// At a small δ all that matters of few pure steps is that every loss is the largest: a lattice was 1.2·10⁻⁴ off, and more.
#[test]
fn few_pure_steps_are_known_at_small_deltas() {
    for (scales, delta) in [
        (&[1.1, 2.0][..], 1.1e-9),
        (
            &[8.187543346342288, 1.3201688414322978],
            7.0576806654637826e-6,
        ),
        (
            &[4.285658766393552, 0.5609352212523808],
            2.817821054492022e-5,
        ),
        (&[0.3, 90.0, 1.7], 1e-12),
    ] {
        let each = scales.iter().map(|scale| laplace(*scale)).collect();
        let all = composed(each);
        let found = report(&all, delta, AddRemove);
        assert!(width(&found) <= 1e-7, "{scales:?}: {found:?}");
        // Sampled, the largest losses are rarer.
        let each = scales
            .iter()
            .map(|scale| poisson(0.3, Box::new(laplace(*scale))))
            .collect();
        let sampled = report(&composed(each), delta, AddRemove);
        assert!(width(&sampled) <= 1e-5, "{scales:?}: {sampled:?}");
    }
}

/// A peer proves 11.89.
#[test]
fn sampled_laplace_beside_laplace_is_no_looser_than_a_peer_s() {
    let all = composed(vec![
        repeated(20, poisson(0.2, Box::new(laplace(2.3958805896831175)))),
        repeated(100, poisson(0.7, Box::new(laplace(4.646359182323276)))),
        repeated(2, laplace(2.1441919160668337)),
        repeated(20, laplace(4.328623172051773)),
    ]);
    let found = report(&all, 3.08e-9, AddRemove);
    assert!(found.epsilon_upper <= 11.89, "{found:?}");
    assert!(width(&found) < 2e-3, "{found:?}");
}

/// Sampling amplifies every mechanism: log(1 + q(e^ε − 1)) (Balle, Barthe and Gaboardi 2018).
#[test]
fn a_sample_of_any_pure_mechanism_is_amplified() {
    for event in [
        Event::Pure { epsilon: 1.0 },
        Event::Exponential { epsilon: 1.0 },
    ] {
        let amplified = (0.5 * 1.0_f64.exp_m1()).ln_1p();
        let found = upper(&poisson(0.5, Box::new(event)), 0.0, AddRemove);
        assert!((found - amplified).abs() < 1e-9, "{found} {amplified}");
    }
}

/// Nobody's record is in a batch of rate 0.
#[test]
fn nothing_is_learned_at_rate_0() {
    let none = repeated(10, poisson(0.0, gaussian(1.0)));
    assert_eq!(upper(&none, 1e-300, ReplaceOne), 0.0);
}

/// Calibration ends, and what it gives keeps to the budget.
#[test]
fn calibration_at_extremes_ends() {
    for (rate, steps, epsilon, delta) in [(1e-9, 5, 1e-9, 1e-9), (1e-9, 100, 0.5, 0.5)] {
        let target = Target {
            epsilon: Epsilon::new(epsilon).expect("an epsilon"),
            delta: Delta::new(delta).expect("a delta"),
            method: Accountant::Auto,
            neighbours: AddRemove,
        };
        let run = |sigma| repeated(steps, poisson(rate, gaussian(sigma)));
        let found = parameter("sigma", (1e-6, 1e9), Trend::Falls, &target, run);
        let sigma = found.expect("there is some").value;
        assert!(upper(&run(sigma), delta, AddRemove) <= epsilon, "{sigma}");
    }
}

/// Steps of which nothing is known from below take nothing from what the others need: who sees less tells no more.
#[test]
fn a_lower_end_of_some_steps_is_one_of_all() {
    let batch = |sigma| {
        repeated(
            20,
            Event::FixedSizeSampled {
                size: 1000,
                batch: 50,
                replacement: false,
                event: gaussian(sigma),
            },
        )
    };
    let choice = Event::Exponential { epsilon: 0.1 };
    for (known, neighbours) in [
        (batch(1.0), ReplaceOne),
        (
            repeated(50, poisson(0.1, Box::new(laplace(3.0)))),
            AddRemove,
        ),
        (repeated(10, laplace(2.0)), ReplaceOne),
    ] {
        let part = report(&known, 1e-5, neighbours);
        let all = report(&composed(vec![known, choice.clone()]), 1e-5, neighbours);
        assert!(
            all.by_attack && all.epsilon_lower > 0.999 * part.epsilon_lower,
            "{part:?} {all:?}"
        );
        assert!(all.epsilon_upper > part.epsilon_upper, "{part:?} {all:?}");
    }
    // Of choices alone nothing is known.
    assert_eq!(report(&choice, 1e-5, AddRemove).epsilon_lower, 0.0);
}

/// Where no lattice reaches, the signs of all losses are known: 10¹² of them are Gaussian noise with μ = 1 to six digits.
#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn a_trillion_answers_have_a_lower_end_at_length() {
    let run = |scale| repeated(1_000_000_000_000, laplace(scale));
    let found = report(&run(1e6), 1e-6, AddRemove);
    assert!(found.by_attack && width(&found) < 1e-5, "{found:?}");
    // A tenth of a nat each: the sign of such a loss leaves out what lies between −0.1 and 0.1.
    let found = report(&run(10.0), 1e-6, AddRemove);
    assert!(found.by_attack && width(&found) < 0.03, "{found:?}");
}

/// Laplace noise moved by 2 for each draw of a record, from the definition, by the midpoint rule.
#[test]
fn draws_with_replacement_have_a_lower_end_whatever_the_noise() {
    let (draws, size, scale, delta) = (3, 5, 4.0, 1e-3);
    let run = Event::FixedSizeSampled {
        size,
        batch: draws,
        replacement: true,
        event: Box::new(laplace(scale)),
    };
    let found = report(&run, delta, AddRemove);
    let chance = |k: u64| {
        let ways = (0..k)
            .map(|j| (draws - j) as f64 / (j + 1) as f64)
            .product::<f64>();
        ways * 0.2f64.powi(k as i32) * 0.8f64.powi((draws - k) as i32)
    };
    let density = |z: f64| (-z.abs() / scale).exp() / (2.0 * scale);
    let profile = |epsilon: f64| {
        let step = 1e-3;
        let each = (-100_000..100_000).map(|j| {
            let z = (f64::from(j) + 0.5) * step;
            let with = (0..=draws).map(|k| chance(k) * density(z - 2.0 * k as f64));
            let (with, without) = (with.sum::<f64>(), density(z));
            [
                (with - epsilon.exp() * without).max(0.0) * step,
                (without - epsilon.exp() * with).max(0.0) * step,
            ]
        });
        let both = each.fold([0.0; 2], |all, one| [all[0] + one[0], all[1] + one[1]]);
        both[0].max(both[1])
    };
    assert!(found.by_attack && width(&found) < 0.7, "{found:?}");
    assert!(
        profile(found.epsilon_lower) >= delta && profile(found.epsilon_upper) <= delta,
        "{found:?}"
    );
}

/// Of draws that are rarer than a part of a large δ too much was left out for the rest to be a law.
#[test]
fn draws_with_replacement_have_an_epsilon_at_every_delta() {
    let run = Event::FixedSizeSampled {
        size: 1000,
        batch: 32,
        replacement: true,
        event: gaussian(1.0),
    };
    let mut before = f64::INFINITY;
    for delta in [1e-9, 1e-5, 1e-3, 0.01, 0.5, 0.95] {
        for neighbours in [AddRemove, ReplaceOne] {
            for method in [Accountant::Auto, Accountant::Pld] {
                let d = Delta::new(delta).expect("a delta");
                let found = account(&run, d, method, neighbours, true);
                let found =
                    found.unwrap_or_else(|e| panic!("{delta} {neighbours} {method:?}: {e}"));
                assert!(found.epsilon_lower <= found.epsilon_upper, "{found:?}");
            }
        }
        let found = report(&run, delta, ReplaceOne);
        assert!(found.epsilon_upper <= before, "{found:?}");
        before = found.epsilon_upper;
    }
}

/// What trees may be, and one more of it.
#[test]
fn trees_are_as_deep_and_as_wide_as_is_said() {
    let delta = Delta::new(1e-5).expect("in range");
    let refused = |event: &Event| {
        let found = account(event, delta, Accountant::Exact, AddRemove, false);
        found.err().map(|why| why.to_string())
    };
    let nested = |levels: usize| (0..levels).fold(laplace(1e9), |event, _| repeated(1, event));
    assert_eq!(refused(&nested(64)), None);
    let why = refused(&nested(65)).expect("too deep");
    assert!(why.contains("nested deeper than 64 levels"), "{why}");
    // Gaussian noise is one mechanism however many there are, and so are equal ones.
    let many = |steps: u32| composed((0..steps).map(|k| *gaussian(1e6 + f64::from(k))).collect());
    assert_eq!(refused(&many(20_000)), None);
    let laws = |steps: u32| (0..steps).map(|k| laplace(1e6 + f64::from(k)));
    let both = |steps: u32| composed(laws(steps).chain(laws(steps)).chain([many(96)]).collect());
    let ways = both(4000).steps(AddRemove).expect("as many as may be");
    assert_eq!(ways[0].len(), 4096);
    let why = refused(&both(4001)).expect("too many");
    let said = "event tree: 4097 mechanisms that differ and are not all of them Gaussian noise on \
                all records, of which at most 4096 are accounted for";
    assert_eq!(why, said);
    let parallel = |branches: usize| Event::Parallel {
        partition: Partition::ByIndex,
        events: vec![laplace(1.0); branches],
    };
    assert_eq!(refused(&parallel(64)), None);
    let why = refused(&parallel(65)).expect("too wide");
    let said =
        "event tree: 65 ways through its parallel parts, of which at most 64 are accounted for";
    assert_eq!(why, said);
    let why = refused(&composed(vec![laplace(1.0); (1 << 20) + 1])).expect("too large");
    let said = "event tree: 1048577 mechanisms on all ways, of which at most 1048576 are accounted \
                for";
    assert_eq!(why, said);
}
