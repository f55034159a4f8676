//! Scores that say nothing alarm as often as stated, and bounds keep to theirs.

use super::*;

/// A twentieth of null scores alarm at most, so that of 6,000 more than 400 do with probability below e^(−6000·KL(1/15‖1/20)) =
/// 1.2·10⁻⁷; and none does with probability below 3·10⁻⁷ if one in 400 should.
#[test]
fn null_scores_alarm_now_and_then() {
    let delta = Delta::new(1e-9).expect("a delta");
    let each = (0..30).map(|seed| null_alarms(64, delta, Tape::new(seed)).expect("calibrated"));
    let alarms: u64 = each.sum();
    assert!((1..=400).contains(&alarms), "{alarms} of 6000");
}

/// With independent guesses that are right as often as the ε found allows, the best number of them refutes the claim with
/// probability 0.9: by the law itself, of which one guess more or less is up to 0.02.
#[test]
fn what_is_seen_is_seen_nine_times_in_ten() {
    for (epsilon, canaries, alpha) in [(0.5, 1000, 0.05), (1.0, 4000, 1e-3), (2.0, 2000, 0.05)] {
        let claim = Guarantee::new(epsilon, 0.0).expect("a claim");
        let found = detectable(claim, canaries, alpha).expect("some ε");
        let rate = 1.0 / (1.0 + (-found).exp());
        let numbers = numbers(canaries as usize);
        let refuted = |guessed: &usize| {
            let guessed = *guessed as u64;
            let all: Vec<u64> = (0..=guessed).collect();
            let least = all.partition_point(|right| {
                let guesses = Guesses::new(canaries, guessed, *right).expect("not more");
                p_value(guesses, claim) >= alpha / numbers.len() as f64
            });
            match all.get(least) {
                Some(least) => tail_upper(guessed, *least, rate),
                None => 0.0,
            }
        };
        let best = numbers.iter().map(refuted).fold(0.0, f64::max);
        assert!((0.87..0.94).contains(&best), "{epsilon}, {found}: {best}");
    }
}

/// Before, an attack that looks at nothing passed any claim.
#[test]
fn scores_that_are_all_the_same_pass_nothing() {
    let told = (0..1000).map(|i| (0.5, i % 2 == 0)).collect();
    let audit = OneRun {
        claim: Some(Guarantee::new(1.0, 0.0).expect("a claim")),
        ..OneRun::default()
    };
    let scores = Scores::new(told).expect("fair coins");
    let report = audit.run(&scores).expect("calibrated");
    assert_eq!(report.verdict, Some(Verdict::Inconclusive));
    assert!(
        report
            .reason
            .expect("a reason")
            .contains("all scores are the same")
    );
}

/// Of three numbers the first need not be the score; a header says which are.
#[test]
fn a_third_number_in_a_line_needs_a_header() {
    let refused = Scores::parse("7,0\n3,1,0.5\n").expect_err("three");
    assert!(
        refused.to_string().contains("not of the form score,member"),
        "{refused}"
    );
    let headed = Scores::parse("id,score,member\n7,0.5,1\n").expect("a header");
    assert_eq!(headed, Scores::new(vec![(0.5, true)]).expect("a canary"));
}

/// What an inconclusive report asks for is enough, and half of it is not.
#[test]
fn as_many_canaries_as_are_asked_for_see_enough() {
    let told = (0..200)
        .map(|i| (f64::from(i % 4), i % 2 == i / 100))
        .collect();
    let claim = Guarantee::new(1.0, 0.0).expect("a claim");
    let audit = OneRun {
        claim: Some(claim),
        must_see: Some(1.2),
        alpha: 1e-3,
        ..OneRun::default()
    };
    let report = audit
        .run(&Scores::new(told).expect("finite"))
        .expect("calibrated");
    assert_eq!(report.verdict, Some(Verdict::Inconclusive));
    let reason = report.reason.expect("a reason");
    let number = reason
        .split("use about ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next());
    let number: u64 = number.and_then(|n| n.parse().ok()).expect(&reason);
    let sees = |n| detectable(claim, n, 1e-3).is_some_and(|e| e <= 1.2);
    assert!(sees(number) && !sees(number / 2), "{reason}");
}
