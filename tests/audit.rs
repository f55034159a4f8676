//! The audit's interface: verdicts, errors, and independence of the number of threads.

use dp_assay::audit::{Audit, AuditError, AuditReport, Mechanism, Output, Verdict, from_fn};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::units::Neighbouring;

/// Randomized response that lies with probability `lie`: exactly ln((1 − lie)/lie)-private.
fn response(lie: f64) -> impl Mechanism<Input = bool> {
    let below = (lie * 2_f64.powi(64)) as u64;
    from_fn("randomized response", move |truth: &bool, tape: Tape| {
        *truth != (tape.uniform(0, Purpose::User, 0).0 < below)
    })
}

fn audit_response(lie: f64, epsilon: f64) -> AuditReport {
    Audit::of(response(lie))
        .claim(epsilon, 0.0)
        .neighbours(Neighbouring::ReplaceOne, false, true)
        .trials(20_000)
        .seed(7)
        .run()
        .expect("a complete description")
}

#[test]
fn a_true_claim_passes_with_power() {
    let report = audit_response(0.25, 3_f64.ln());
    assert_eq!(report.verdict, Verdict::PassWithPower, "{report}");
    assert!(report.epsilon_lower <= 3_f64.ln());
    assert!(report.detectable_epsilon < 2.0 * 3_f64.ln());
}

#[test]
fn a_false_claim_is_refuted_with_a_counterexample() {
    let report = audit_response(0.25, 0.6 * 3_f64.ln());
    assert_eq!(report.verdict, Verdict::Violation, "{report}");
    let found = report.counterexample.expect("a violation comes with one");
    assert!(found.epsilon_lower > 0.6 * 3_f64.ln());
    assert!(found.epsilon_lower <= 3_f64.ln());
}

#[test]
fn a_budget_too_small_to_see_anything_is_inconclusive() {
    let report = Audit::of(response(0.25))
        .claim(3_f64.ln(), 0.0)
        .neighbours(Neighbouring::ReplaceOne, false, true)
        .trials(20)
        .run()
        .expect("a complete description");
    assert_eq!(report.verdict, Verdict::Inconclusive, "{report}");
}

#[test]
fn the_report_is_the_same_on_any_number_of_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let report = pool.expect("threads").install(|| audit_response(0.25, 0.8));
        AuditReport {
            seconds: 0.0,
            ..report
        }
    };
    assert_eq!(on(1), on(2));
    assert_eq!(on(1), on(5));
}

#[test]
fn the_report_survives_json() {
    let report = audit_response(0.25, 0.8);
    let json = serde_json::to_value(&report).expect("numbers and strings");
    for key in [
        "verdict",
        "epsilon_lower",
        "confidence",
        "detectable_epsilon",
        "samples",
        "seconds",
        "event",
        "counterexample",
        "seed",
    ] {
        assert!(json.get(key).is_some(), "no key `{key}` in {json}");
    }
    assert_eq!(json["verdict"], "VIOLATION");
    assert_eq!(json["detectable_epsilon"], "inf");
    let back: AuditReport = serde_json::from_value(json).expect("the same format");
    assert_eq!(back, report);
}

#[test]
fn bad_descriptions_are_refused_with_the_value_and_the_rule() {
    let pair = |audit: Audit<_>| audit.neighbours(Neighbouring::User, 0.0, 1.0);
    let mechanism = || from_fn("identity", |x: &f64, _| *x);
    let missing = Audit::of(mechanism()).claim(1.0, 0.0).run();
    assert!(matches!(missing, Err(AuditError::Incomplete { .. })));
    for (audit, expected) in [
        (
            pair(Audit::of(mechanism())).claim(-1.0, 0.0),
            "epsilon = -1 must be finite and >= 0",
        ),
        (
            pair(Audit::of(mechanism())).claim(1.0, 1.0),
            "delta = 1 must be below 1 to claim anything",
        ),
        (
            pair(Audit::of(mechanism())).claim(1.0, f64::NAN),
            "delta = NaN must lie in [0, 1]",
        ),
        (
            pair(Audit::of(mechanism())).claim(1.0, 0.0).alpha(0.0),
            "alpha = 0 must lie in (0, 1)",
        ),
        (
            pair(Audit::of(mechanism())).claim(1.0, 0.0).trials(0),
            "trials = 0 must lie in 1..=2³²",
        ),
    ] {
        assert_eq!(audit.run().expect_err("refused").to_string(), expected);
    }
}

#[test]
fn odd_outcomes_are_outcomes() {
    // Each mechanism gives its input away by one sort of odd outcome.
    type Tell = (&'static str, fn(bool) -> Output);
    let tells: [Tell; 6] = [
        ("NaN", |d| Output::Real(if d { f64::NAN } else { 0.0 })),
        ("infinity", |d| {
            Output::Real(if d { f64::INFINITY } else { 0.0 })
        }),
        ("sign of zero", |d| Output::Real(if d { -0.0 } else { 0.0 })),
        ("length", |d| Output::Vector(vec![1.0; 1 + usize::from(d)])),
        ("silence", |d| {
            if d {
                Output::Nothing
            } else {
                Output::Real(0.0)
            }
        }),
        ("bits", |d| Output::Bits(vec![false, d])),
    ];
    for (name, tell) in tells {
        let report = Audit::of(from_fn(name, move |d: &bool, _| tell(*d)))
            .claim(1.0, 0.0)
            .neighbours(Neighbouring::ReplaceOne, false, true)
            .trials(1000)
            .run()
            .expect("a complete description");
        assert_eq!(report.verdict, Verdict::Violation, "{name}: {report}");
    }
}

#[test]
fn the_rounding_of_a_likelihood_ratio_accuses_nobody() {
    // The likelihood ratio of a Laplace variate has an atom at either end; computed in doubles, the
    // atoms fall apart into values that each occur on one input only. That is a leak of the bits, not
    // of the mechanism, and only an audit of the bits may report it.
    let pair = [0.1, 0.3];
    let ratio = from_fn("likelihood ratio", move |x: &f64, tape: Tape| {
        let y = x + 0.2 * tape.uniform(0, Purpose::Release, 0).laplace();
        ((y - pair[1]).abs() - (y - pair[0]).abs()) / 0.2
    });
    let audit = || {
        Audit::of(&ratio)
            .claim(1.0, 0.0)
            .neighbours(Neighbouring::ReplaceOne, pair[0], pair[1])
    };
    let rounded = audit().run().expect("a complete description");
    assert_eq!(rounded.verdict, Verdict::PassWithPower, "{rounded}");
    let bits = audit().bits().run().expect("a complete description");
    assert_eq!(bits.verdict, Verdict::Violation, "{bits}");
}
