//! Shares of the error, counts of a violation, and reports as they were.

use super::*;
use crate::accounting::steady;
use crate::audit::event::Event;
use crate::audit::{Guarantee, from_fn};
use crate::mechanism::tape::Purpose;

#[test]
fn the_shares_of_the_error_add_up_to_no_more_than_all_of_it() {
    let shares = [
        BETTING,
        BOUND_OF_A_PASS,
        BOUND_OF_A_VIOLATION, // on the pair audited
        BOUND_OF_A_VIOLATION, // on a simpler one
        INDEPENDENCE,
    ];
    assert!(shares.iter().all(|share| *share > 0.0));
    assert!(shares.iter().sum::<f64>() <= 1.0);
}

fn plan(trials: u64) -> Plan {
    Plan::of(Guarantee::new(0.5, 1e-3).expect("in the domain"), trials)
}

/// Eight times the pairs that it took, half of all pairs at most, and some thousands at least.
#[test]
fn a_violation_is_counted_again_on_many_pairs() {
    let of = |pairs, trials| recounted(pairs, &plan(trials));
    assert_eq!(
        [
            of(1000, 100_000),
            of(10_000, 100_000),
            of(10, 100_000),
            of(1000, 3000)
        ],
        [8000, 50_000, 4096, 4096]
    );
}

/// Of wide outputs fewer pairs choose the event of a violation: as many as have 2²⁴ numbers, and 1,024 at least.
#[test]
fn an_event_is_chosen_from_as_many_pairs_as_fit_into_memory() {
    let studied = [1, 1024, 5000, 100_000].map(|width| {
        let output = crate::audit::Output::Vector(vec![0.5; width]);
        well_studied(&Layout::of([&output], Default::default()))
    });
    assert_eq!(studied, [16_384, 16_384, 3355, 1024]);
}

/// As many pairs as refute by their counts alone if they fall out three deviations worse than the lessons, doubled up to a limit.
#[test]
fn pairs_are_doubled_until_their_counts_would_refute() {
    let plan = plan(10_000);
    let bound = Bound::known(
        Event::Above {
            column: 0,
            threshold: 0.5,
        },
        true,
    );
    let lessons = |hits: usize| {
        Rows::of_reals(
            &(0..1000)
                .map(|i| f64::from(u8::from(i < hits)))
                .collect::<Vec<_>>(),
        )
    };
    let of = |hits0, hits1, usual| {
        enough(&plan, &bound, &[lessons(hits0), lessons(hits1)], usual) as f64
    };
    let found = [
        of(900, 100, 100),
        of(900, 100, 10),
        of(500, 200, 100),
        of(500, 250, 500),
        of(500, 500, 500),
        of(500, 500, 50_000),
        of(30, 0, 100),
        of(0, 0, 7),
    ];
    steady::holds(
        &found,
        "400.0 320.0 6400.0 32000.0 40000.0 50000.0 6400.0 40000.0",
    );
}

/// Reports of a leak, of one that few pairs show, and of none, with their counterexamples, to the last bit.
#[test]
fn reports_are_what_they_were() {
    let noise = from_fn("noise", |x: &f64, tape: Tape| {
        x + tape.uniform(0, Purpose::User, 0).laplace()
    });
    let halves = |a: &f64, b: &f64| vec![(*a, b / 2.0)];
    let mut found = Vec::new();
    for (shift, trials) in [(4.0, 3000), (1.1, 20_000), (0.4, 3000)] {
        let plan = plan(trials);
        let makers = Makers {
            vary: None,
            simplify: Some(Box::new(halves)),
        };
        let report = run(
            &noise,
            vec![(0.0, 0.1), (0.0, shift)],
            &makers,
            &plan,
            &|_, _| (),
        )
        .expect("it runs");
        let counts = [
            report.samples,
            report.bet_samples,
            report.exploration_samples,
        ]
        .map(|n| n as f64);
        found.extend(counts);
        found.extend([
            report.epsilon_lower,
            report.confidence,
            report.log_wealth,
            report.log_wealth_needed,
        ]);
        found.extend([
            report.detectable_epsilon,
            report.detectable_leak.unwrap_or(-1.0),
        ]);
        assert_eq!(
            report.verdict == Verdict::Violation,
            report.counterexample.is_some()
        );
        if let Some(example) = &report.counterexample {
            let counts = [
                example.counts.hits0,
                example.counts.hits1,
                example.counts.samples,
            ];
            found.extend(counts.map(|n| n as f64));
            found.extend([example.epsilon_lower, f64::from(example.shrinks)]);
            assert!(report.epsilon_lower >= example.epsilon_lower && report.power.is_none());
            assert_eq!(report.event.as_ref(), Some(&example.event));
        }
    }
    steady::holds(
        &found,
        "8272.0 80.0 29136.0 3.1540144152184886 0.999999 15.303001423563847
            14.508657739524219 inf -1.0 2508.0 1012.0 4096.0 0.69288008474203 2.0 4312.0
            216.0 22796.0 0.8308167618000649 0.999999 14.597724379219938 14.508657739524219
            inf -1.0 2314.0 788.0 4096.0 0.8308167618000649 0.0 3000.0 3000.0 544.0 0.0
            0.999999 0.0 14.508657739524219 1.5373659318354718 0.037393954874351244",
    );
}

/// A counterexample is counted again on the inputs that it names, whichever of them is first, and on no others.
#[test]
fn a_counterexample_is_counted_on_its_own_inputs() {
    let noise = from_fn("noise", |x: &f64, tape: Tape| {
        x + tape.uniform(0, Purpose::User, 0).laplace()
    });
    let plan = plan(5000);
    let report = run(
        &noise,
        vec![(0.0, 4.0)],
        &Makers::default(),
        &plan,
        &|_, _| (),
    )
    .expect("it runs");
    let found = report.counterexample.expect("a leak");
    let again = |pairs: &[(f64, f64)]| recount_found(&noise, pairs, &plan, &found);
    for pairs in [[(0.0, 1.0), (0.0, 4.0)], [(4.0, 0.0), (0.0, 2.0)]] {
        let counted = again(&pairs).expect("they are named");
        let Counts {
            hits0,
            hits1,
            samples,
        } = counted.counts;
        assert_eq!(samples, 5000);
        assert!(
            hits0 > 10 * hits1 && counted.epsilon_lower > 0.5,
            "{counted:?}"
        );
    }
    assert!(matches!(
        again(&[(0.0, 2.0)]),
        Err(AuditError::OtherInputs { .. })
    ));
    let same = run(
        &noise,
        vec![(1.0, 1.0)],
        &Makers::default(),
        &plan,
        &|_, _| (),
    );
    assert!(matches!(same, Err(AuditError::EqualInputs { .. })));
}

/// Outputs that repeat are named with the side and an error of which each side and each way of ending has its part.
#[test]
fn outputs_that_repeat_are_named_with_their_error() {
    let repeats = from_fn("repeats", |side: &bool, tape: Tape| {
        let tape = if *side {
            tape.trial(tape.number() % 64)
        } else {
            tape
        };
        tape.uniform(0, Purpose::User, 0).laplace()
    });
    for (pair, named) in [((true, false), "first"), ((false, true), "second")] {
        match run(
            &repeats,
            vec![pair],
            &Makers::default(),
            &plan(3000),
            &|_, _| (),
        ) {
            Err(AuditError::Dependent {
                side,
                alpha,
                mechanism,
                ..
            }) => {
                assert_eq!((side, alpha, &*mechanism), (named, 1e-6 / 32.0, "repeats"));
            }
            other => panic!("{other:?}"),
        }
    }
}
