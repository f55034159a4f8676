//! What a report says of the evidence: a counterexample that can be counted again, and what a pass has against it.

use crate::calibration::most;
use dp_assay::audit::builtin::{Parameters, find};
use dp_assay::audit::{Audit, AuditReport, FromFn, Output, Verdict, from_fn};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::units::Neighbouring;
use rayon::prelude::*;

type Leak = FromFn<bool, Box<dyn Fn(&bool, Tape) -> f64 + Sync>>;

/// Gaussian noise that does not depend on the input, but for an answer that one of two inputs gives with probability `leak`.
fn leaks(leak: f64) -> Leak {
    let draw = move |bit: &bool, tape: Tape| {
        let leaks = *bit && tape.uniform(0, Purpose::User, 0).fraction() < leak;
        let noise = tape.uniform(0, Purpose::User, 1).gaussian();
        if leaks { 77.0 } else { noise }
    };
    from_fn(
        "leak",
        Box::new(draw) as Box<dyn Fn(&bool, Tape) -> f64 + Sync>,
    )
}

fn audit(leak: f64, claim: (f64, f64), trials: u64, seed: u64) -> Audit<Leak> {
    let audit = Audit::of(leaks(leak)).claim(claim.0, claim.1);
    let audit = audit.neighbours(Neighbouring::ReplaceOne, false, true);
    audit.trials(trials).seed(seed).must_see(2.0 * claim.0)
}

fn run(leak: f64, claim: (f64, f64), trials: u64, seed: u64) -> AuditReport {
    let report = audit(leak, claim, trials, seed).run();
    report.expect("a complete description")
}

/// Before, a violation found late was counted on half of the budget, which showed less than the bets had. Counts to come fall
/// short of what is planned for with probability about 0.001, of which the seeds have none.
#[test]
fn the_counts_of_a_late_violation_refute_the_claim_by_themselves_and_do_so_again() {
    let mut late = 0;
    for seed in 0..12 {
        let report = run(0.002, (1.0, 1e-5), 60_000, seed);
        if report.verdict != Verdict::Violation {
            continue;
        }
        late += u32::from(report.bet_samples > 30_000);
        let found = report.counterexample.as_ref().expect("a violation");
        assert!(
            report.counts_refute() && found.epsilon_lower > 1.0,
            "{report}"
        );
        let again = audit(0.002, (1.0, 1e-5), found.counts.samples, 100 + seed);
        let again = again.recount(found).expect("the same inputs");
        assert!(again.epsilon_lower > 1.0, "seed {seed}: {again:?}");
    }
    assert!(late >= 3, "{late} violations were found late");
}

#[test]
fn a_pass_says_how_much_is_against_it_and_what_was_not_tested() {
    let report = run(0.0, (1.0, 1e-5), 20_000, 1);
    assert_eq!(report.verdict, Verdict::PassWithPower, "{report}");
    assert!((report.log_wealth_needed - (2.0 / 1e-6_f64).ln()).abs() < 1e-6);
    assert!(report.log_wealth < report.log_wealth_needed);
    let text = report.text();
    for told in [
        format!(
            "log wealth {:.1} of the 14.5 that refute it",
            report.log_wealth
        ),
        "a true claim gets so far with probability".to_owned(),
        "looked at: thresholds on output; whole outputs that come back".to_owned(),
        "not tested: what one input alone gives with probability below".to_owned(),
        "so not whether δ is 0.00001".to_owned(),
    ] {
        assert!(text.contains(&told), "no `{told}` in {text}");
    }
    assert!(
        report.to_string().contains("of the 14.5 that refute it"),
        "{report}"
    );
    // A violation says what it found, and old reports are read.
    let violated = run(0.5, (1.0, 1e-5), 20_000, 1);
    assert!(!violated.text().contains("not tested"), "{violated}");
    assert_eq!(violated.detectable_leak, None);
    let mut old = serde_json::to_value(&violated).expect("numbers and strings");
    let fields = old.as_object_mut().expect("an object");
    for new in ["log_wealth_needed", "looked_at", "detectable_leak"] {
        assert!(fields.remove(new).is_some(), "{new}");
    }
    serde_json::from_value::<AuditReport>(old).expect("a report of before");
}

/// The power stated is 0.9: of 20 audits fewer than 14 find the leak with probability 0.0024, and the seeds are fixed.
#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn a_leak_as_probable_as_a_pass_says_is_found_at_length() {
    for (claim, trials) in [((1.0, 0.0), 20_000), ((0.5, 1e-4), 60_000)] {
        let told = run(0.0, claim, trials, 1)
            .detectable_leak
            .expect("some leak is seen");
        assert!(told > claim.1 && told < 0.02, "{told}");
        let found =
            (0..20).filter(|seed| run(told, claim, trials, *seed).verdict == Verdict::Violation);
        let found = found.count();
        assert!(
            found >= 14,
            "{claim:?}: {found} of 20 found a leak of {told}"
        );
    }
}

/// Values between which noise lies are seen where they come back, whatever stands on either side of
/// them: one run of a hundred has such an answer. Each of three audits misses it with probability
/// below 1e-6: 1,000 hits of 100,000 pairs where 50 are needed.
#[track_caller]
fn rare_answers_are(due: Verdict, name: &str, answer: fn(f64, f64) -> f64) {
    for seed in 0..3 {
        let noisy = from_fn(name, move |x: &f64, tape: Tape| {
            let noise = 1.05 * tape.uniform(0, Purpose::User, 0).laplace();
            let rare = tape.uniform(0, Purpose::User, 1).fraction() < 0.01;
            Output::Real(if rare { answer(*x, noise) } else { x + noise })
        });
        let audit = Audit::of(noisy).claim(1.0, 0.0).seed(seed);
        let audit = audit.neighbours(Neighbouring::ReplaceOne, 0.3, 1.3);
        let report = audit.run().expect("a complete description");
        assert_eq!(report.verdict, due, "{name}, seed {seed}: {report}");
    }
}

#[test]
fn rare_answers_without_noise_are_found() {
    rare_answers_are(Verdict::Violation, "raw value", |x, _| x);
}

#[test]
fn a_rare_sign_of_zero_is_found() {
    let sign = |x, _| if x > 1.0 { 0.0 } else { -0.0 };
    rare_answers_are(Verdict::Violation, "sign of zero", sign);
}

#[test]
fn rare_answers_with_the_noise_of_all_pass() {
    rare_answers_are(Verdict::PassWithPower, "fine", |x, noise| x + noise);
}

/// A false claim that is not refuted yet, as on this seed, is no true one. A claim that is just true is doubted with probability at most 10⁻³: of 400
/// audits more than the limit are with probability below 10⁻⁶.
#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn much_against_a_claim_is_no_pass_and_chance_is_one_at_length() {
    let laplace = find("laplace", &Parameters::new()).expect("it is built in");
    let run = |epsilon: f64, seed: u64| {
        let audit = laplace.audit_claim(epsilon, 0.0).must_see(2.0).seed(seed);
        audit.trials(8000).run().expect("a complete description")
    };
    let false_one = run(0.9, 0);
    assert_eq!(false_one.verdict, Verdict::Inconclusive, "{false_one}");
    let reason = false_one.reason.as_deref().expect("it has one");
    assert!(reason.contains("too much for a pass"), "{reason}");
    assert!(false_one.log_wealth > 1e3f64.ln() && false_one.power.is_some());
    let doubted = |seed: &u64| run(1.0, *seed).verdict != Verdict::PassWithPower;
    let doubted = (0..400).into_par_iter().filter(doubted).count() as u64;
    assert!(doubted <= most(400, 1e-3, 1e-6), "{doubted} of 400");
}
