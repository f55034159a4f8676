//! One-run audits from scores: null scores give no ε, whatever the order of the file, and the error is shared.

use crate::calibration::most;
use dp_assay::audit::one_run::scores::{OneRun, OneRunReport, Scores};
use dp_assay::audit::one_run::{Guesses, epsilon_lower};
use dp_assay::audit::{Guarantee, Verdict};
use dp_assay::mechanism::tape::{Purpose, Tape};
use rayon::prelude::*;

/// 400 canaries of fair coins; `shift` is what membership adds to a Gaussian score, rounded to steps.
fn canaries(shift: f64, step: f64, seed: u64) -> Vec<(f64, bool)> {
    let tape = Tape::new(91).trial(seed);
    let (mut noise, mut coins) = (
        tape.stream(0, Purpose::User, 0),
        tape.stream(1, Purpose::User, 0),
    );
    let one = |_| {
        let member = coins.uniform().0 >> 63 == 1;
        let score = noise.uniform().gaussian() + if member { shift } else { 0.0 };
        ((score / step).round() * step, member)
    };
    let mut all: Vec<(f64, bool)> = (0..400).map(one).collect();
    // As files are often written: the members first.
    all.sort_by_key(|canary| !canary.1);
    all
}

fn run(canaries: Vec<(f64, bool)>, alpha: f64) -> OneRunReport {
    let audit = OneRun {
        alpha,
        ..OneRun::default()
    };
    let scores = Scores::new(canaries).expect("fair coins");
    audit.run(&scores).expect("calibrated")
}

#[test]
fn null_scores_give_an_epsilon_no_more_often_than_stated() {
    // More than the limit have probability below 1e-6. Five numbers of guesses, each at all of the error, would give one
    // in a fifth to a quarter of the cases; a file's order behind tied scores always.
    for step in [1e-9, 1.5] {
        let null = |seed: u64| run(canaries(0.0, step, seed), 0.05).epsilon_lower > 0.0;
        let wrong = (0..200).into_par_iter().filter(|seed| null(*seed)).count() as u64;
        assert!(
            wrong <= most(200, 0.05, 1e-6),
            "step {step}: {wrong} of 200"
        );
    }
}

#[test]
fn every_number_of_guesses_has_its_share_of_the_error() {
    let report = run(canaries(2.0, 1e-9, 1), 1e-3);
    let numbers: Vec<u64> = report.tried.iter().map(|t| t.guessed).collect();
    assert_eq!(numbers, [400, 200, 100, 50, 25]);
    for t in &report.tried {
        let guesses = Guesses::new(400, t.guessed, t.right).expect("ordered");
        let bound = epsilon_lower(guesses, 0.0, 1e-3 / 5.0).expect("in the domain");
        assert_eq!(t.epsilon_lower, bound);
    }
    let best = report
        .tried
        .iter()
        .map(|t| t.epsilon_lower)
        .fold(0.0, f64::max);
    assert!(report.epsilon_lower == best && best > 0.5);
}

#[test]
fn guesses_are_for_the_largest_scores_and_against_the_smallest() {
    // Scores that tell every member: all guesses are right; scores of the opposite sign: none, of too few to be refused.
    let told = |sign: f64, canaries: i32| {
        (0..canaries)
            .map(|i| (sign * f64::from(i % 2), i % 2 == 1))
            .collect()
    };
    assert!(
        run(told(1.0, 64), 0.01)
            .tried
            .iter()
            .all(|t| t.right == t.guessed)
    );
    let opposite = run(told(-1.0, 16), 0.01);
    assert!(opposite.tried.iter().all(|t| t.right == 0));
    assert_eq!(opposite.epsilon_lower, 0.0);
}

#[test]
fn a_pass_of_one_run_is_worth_what_it_promises() {
    // Promised 0.9 at the ε stated, if the scores tell members as well as that allows: fewer than 160 of 200 have probability
    // below 1e-4.
    let claim = Guarantee::new(1.0, 0.0).expect("in the domain");
    let audit = OneRun {
        claim: Some(claim),
        alpha: 1e-3,
        must_see: Some(3.0),
        ..OneRun::default()
    };
    let of = |shift: f64| Scores::new(canaries(shift, 1e-9, 0)).expect("fair coins");
    let pass = audit.run_beside(&of(0.0), &of(20.0)).expect("calibrated");
    assert_eq!(pass.verdict, Some(Verdict::PassWithPower), "{pass:?}");
    let promised = pass.detectable_epsilon.expect("some ε is seen");
    assert!(promised < 3.0, "{promised}");
    // Randomized response of that ε is the best that scores can be.
    let rate = 1.0 / (1.0 + (-promised).exp());
    let found = |seed: u64| {
        let mut coins = Tape::new(17).trial(seed).stream(0, Purpose::User, 0);
        let one = |_| {
            let member = coins.uniform().0 >> 63 == 1;
            let told = coins.uniform().fraction() < rate;
            (f64::from(member == told), member)
        };
        let scores = Scores::new((0..400).map(one).collect()).expect("fair coins");
        audit.run(&scores).expect("calibrated").epsilon_lower > 1.0
    };
    let found = (0..200).into_par_iter().filter(|seed| found(*seed)).count();
    assert!(found >= 160, "ε = {promised}: found {found} of 200");
}

/// Scores without any information do not pass by themselves, nor beside a control on which the attack fails as well.
#[test]
fn an_attack_that_sees_nothing_is_no_pass() {
    let audit = OneRun {
        claim: Some(Guarantee::new(1.0, 0.0).expect("in the domain")),
        alpha: 1e-3,
        must_see: Some(3.0),
        ..OneRun::default()
    };
    let of = |shift: f64| Scores::new(canaries(shift, 1e-9, 3)).expect("fair coins");
    let (nothing, told) = (of(0.0), of(20.0));
    let verdicts = [
        audit.run(&nothing),
        audit.run_beside(&nothing, &nothing),
        audit.run_beside(&nothing, &told),
        audit.run_beside(&told, &nothing),
    ];
    let seen = verdicts.map(|report| report.expect("calibrated").verdict.expect("a claim"));
    use Verdict::{Inconclusive, PassWithPower, Violation};
    assert_eq!(seen, [Inconclusive, Inconclusive, PassWithPower, Violation]);
}

/// Losses in place of scores: what leaks must not pass because its sign is wrong. Scores that say nothing are refused with probability
/// below 10⁻⁶.
#[test]
fn scores_that_tell_members_the_wrong_way_round_are_refused() {
    let reversed = |shift: f64| {
        let told = canaries(shift, 1e-9, 5).into_iter();
        told.map(|(score, member)| (-score, member))
            .collect::<Vec<_>>()
    };
    let audit = OneRun {
        claim: Some(Guarantee::new(1.0, 0.0).expect("a claim")),
        ..OneRun::default()
    };
    let answer = |scores| audit.run(&Scores::new(scores).expect("fair coins"));
    let refused = answer(reversed(4.0)).expect_err("a larger score speaks for no membership");
    assert!(
        refused.to_string().contains("negate the scores"),
        "{refused}"
    );
    let told = refused.to_string();
    let numbers = told.split(' ').filter_map(|word| word.parse::<u64>().ok());
    let numbers: Vec<u64> = numbers.collect();
    assert!(
        2 * numbers[0] > numbers[1] && numbers[0] <= numbers[1],
        "{told}"
    );
    assert!(answer(reversed(0.0)).is_ok());
}

#[test]
fn a_mark_of_the_byte_order_is_no_part_of_a_name() {
    let lines = "\u{feff}score,member\n1.5,1\n0.5,0\n";
    assert_eq!(
        Scores::parse(lines).expect("two canaries"),
        Scores::new(vec![(1.5, true), (0.5, false)]).expect("two canaries")
    );
}
