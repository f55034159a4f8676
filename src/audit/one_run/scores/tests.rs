//! Scores that say nothing alarm as often as stated, and bounds keep to theirs.

use super::*;
use crate::accounting::steady;

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

/// All canaries, then half as many as long as they are enough, eight numbers at most.
#[test]
fn guesses_are_tried_in_halves() {
    assert_eq!(numbers(512), [512, 256, 128, 64, 32, 16]);
    assert_eq!(
        [numbers(5), numbers(31), numbers(32)],
        [vec![5], vec![31], vec![32, 16]]
    );
    assert_eq!(numbers(1 << 20).len(), TRIED);
    let right = |ranked: &[bool], guessed| guesses(ranked, guessed).expect("not more").right;
    let (t, f) = (true, false);
    // The odd one is taken for a member.
    assert_eq!(right(&[t, t, f, f, t], 3), 2);
    assert_eq!(
        [
            right(&[t, t, f, f, f], 5),
            right(&[f, f, t, t, t], 4),
            right(&[t, f, f], 1)
        ],
        [4, 0, 1]
    );
}

/// Memberships that fair coins give once in a million draws, in either direction, are coins; rarer ones are none.
#[test]
fn memberships_that_no_fair_coins_give_are_refused() {
    let drawn = |all: usize, members: usize| {
        let canaries = (0..all).map(|i| (i as f64, i < members)).collect();
        Scores::new(canaries).is_ok()
    };
    // 2 · 2⁻²⁰ is above 10⁻⁶, 2 · 2⁻²¹ is below.
    assert_eq!(
        [drawn(20, 20), drawn(20, 0), drawn(21, 21), drawn(21, 0)],
        [true, true, false, false]
    );
    assert!(drawn(1, 1) && drawn(1000, 500) && !drawn(1000, 600) && !drawn(0, 0));
    let tried = |wrong: u64, numbers| {
        Tried {
            guessed: 20,
            right: 20 - wrong,
            epsilon_lower: 0.0,
        }
        .is_reversed(numbers)
    };
    // 2⁻²⁰ is below 10⁻⁶, and of two numbers one has twice that.
    assert_eq!(
        [tried(20, 1), tried(20, 2), tried(19, 1), tried(0, 1)],
        [true, false, false, false]
    );
}

/// What a pass rests on: a control that shows enough, or something that the scores themselves show.
#[test]
fn scores_without_a_control_that_shows_enough_are_no_attack() {
    assert_eq!(
        [
            unseen(0.0, Some(2.0), 2.0),
            unseen(0.1, None, 2.0),
            unseen(5.0, Some(2.5), 2.0)
        ],
        [None, None, None]
    );
    let said = |lower, control| unseen(lower, control, 2.0).expect("a reason");
    assert!(
        said(1.9, Some(1.99))
            .contains("the same attack shows ε ≥ 1.9900, and a pass must see ε ≥ 2.0000")
    );
    assert!(said(0.0, None).contains("nothing shows that these scores would tell members"));
}

/// The larger scores come first; those that are equal in an order that membership does not tell.
#[test]
fn scores_are_ranked_from_the_largest_down() {
    let canaries: Vec<(f64, bool)> = (0..40).map(|i| (f64::from(i / 20), i % 20 < 10)).collect();
    let ranked = Scores::new(canaries)
        .expect("fair coins")
        .ranked(Tape::new(3));
    for half in ranked.chunks(20) {
        assert_eq!(half.iter().filter(|member| **member).count(), 10);
        assert!(
            half.windows(2).filter(|pair| pair[0] != pair[1]).count() > 3,
            "{half:?}"
        );
    }
    let canaries: Vec<(f64, bool)> = (0..20).map(|i| (f64::from(i), i >= 10)).collect();
    let ranked = Scores::new(canaries)
        .expect("fair coins")
        .ranked(Tape::new(3));
    assert_eq!(ranked, [[true; 10], [false; 10]].concat());
}

/// Bounds, alarms and what would be seen to the last bit, and verdicts and reasons to the word.
#[test]
fn reports_of_scores_are_what_they_were() {
    let told = |n: u32, shift: f64| {
        let score = |i: u32| {
            let member = (i.wrapping_mul(2_654_435_761) >> 16).is_multiple_of(2);
            (
                f64::from(i.wrapping_mul(40_503) % 1000) / 250.0 + if member { shift } else { 0.0 },
                member,
            )
        };
        Scores::new((0..n).map(score).collect()).expect("fair coins")
    };
    let claim = |epsilon, delta| Some(Guarantee::new(epsilon, delta).expect("a claim"));
    let (mut found, mut said) = (Vec::new(), Vec::new());
    for (claim, n, shift, alpha, must_see) in [
        (claim(0.01, 0.0), 400, 0.4, 0.01, None),
        (claim(1.0, 1e-4), 400, 1.0, 1e-6, Some(1.5)),
        (claim(0.3, 0.0), 1000, 3.0, 1e-3, None),
        (claim(6.0, 0.0), 4000, 0.8, 0.05, Some(40.0)),
        (None, 300, 1.0, 0.05, None),
    ] {
        let audit = OneRun {
            claim,
            alpha,
            must_see,
            seed: 4,
            ..OneRun::default()
        };
        let report = audit.run(&told(n, shift)).expect("calibrated");
        found.extend([
            report.epsilon_lower,
            report.null_alarms as f64,
            report.members as f64,
        ]);
        found.extend([report.detectable_epsilon, report.must_see].map(|x| x.unwrap_or(-1.0)));
        let last = report.tried.last().expect("one number at least");
        found.extend([
            report.tried.len() as f64,
            last.right as f64,
            last.epsilon_lower,
        ]);
        said.push(report.verdict.map_or("none", |verdict| match verdict {
            Verdict::Violation => "violation",
            Verdict::PassWithPower => "pass",
            Verdict::Inconclusive => "inconclusive",
        }));
    }
    assert_eq!(
        said,
        ["violation", "inconclusive", "violation", "pass", "none"]
    );
    found.extend(
        [(64, 0.5), (1000, 1e-6), (100_000, 1e-3)].map(|(n, alpha)| {
            detectable(Guarantee::new(0.7, 1e-5).expect("a claim"), n, alpha).unwrap_or(-1.0)
        }),
    );
    steady::holds(
        &found,
        "1.2651075576839816 5.0 199.0 -1.0 0.1 5.0 25.0 1.2651075576839816 0.0 4.0 199.0 -1.0
            1.5 5.0 25.0 0.0 4.042628717437697 4.0 498.0 -1.0 0.6 6.0 31.0 1.1271259762648573
            4.5851678501423265 6.0 1998.0 8.478384286696382 40.0 8.0 31.0 1.7266522505135684
            2.117591392929393 3.0 148.0 -1.0 -1.0 5.0 18.0 1.2325449004502935 1.3776927490864184
            -1.0 1.5517016598852935",
    );
}

/// A larger error is proposed where δ is positive and it is enough, else more canaries, if some number is.
#[test]
fn remedies_are_such_as_help() {
    let of = |epsilon: f64, delta, alpha, canaries, target| {
        let claim = Guarantee::new(epsilon, delta).expect("a claim");
        let audit = OneRun {
            claim: Some(claim),
            alpha,
            ..OneRun::default()
        };
        (audit.remedy(claim, canaries, target), claim)
    };
    let (said, claim) = of(1.0, 1e-5, 1e-6, 400, 1.7);
    let alpha = said
        .strip_prefix("alpha = ")
        .and_then(|rest| rest.split(' ').next());
    let alpha: f64 = alpha.and_then(|x| x.parse().ok()).expect(&said);
    assert!(
        detectable(claim, 400, alpha).is_some_and(|seen| seen <= 1.7),
        "{said}"
    );
    assert!(
        detectable(claim, 400, alpha / 10.0).is_none_or(|seen| seen > 1.7),
        "{said}"
    );
    let (said, _) = of(1.0, 0.0, 1e-6, 400, 1.7);
    assert!(
        said.starts_with("use about ") && said.ends_with(" canaries, or "),
        "{said}"
    );
    // No number of canaries shows what is not above the claim.
    assert_eq!(of(1.0, 0.0, 1e-6, 400, 1.0).0, "");
}

/// Line by line: what a report has not is not spoken of.
#[test]
fn a_report_of_one_run_says_what_it_has() {
    let claim = Guarantee::new(1.0, 1e-5).expect("a claim");
    let tried = |guessed, right, epsilon_lower| Tried {
        guessed,
        right,
        epsilon_lower,
    };
    let bare = OneRunReport {
        schema: 1,
        verdict: None,
        claim: None,
        epsilon_lower: 0.512_349,
        delta: 1e-5,
        alpha: 0.05,
        canaries: 100,
        members: 48,
        tried: vec![tried(100, 75, 0.25), tried(50, 40, 0.512_349)],
        null_redraws: 200,
        null_alpha: 0.05,
        null_alarms: 3,
        detectable_epsilon: None,
        must_see: None,
        control_epsilon_lower: None,
        reason: None,
        seed: 7,
    };
    let nulls = "  null scores first: 3 of 200 redraws of the memberships gave ε > 0 at error 0.05 \
                 (a true bound: about 10 at most)\n  ε ≥ 0.5123 at δ = 0.00001 except with \
                 probability 5.0e-2; 100 canaries, 48 of them members, seed 7\n";
    let coins = "  all this if a fair coin of its own put each canary in or left it out\n    75 of \
                 100 guesses right: ε ≥ 0.2500\n    40 of 50 guesses right: ε ≥ 0.5123\n";
    assert_eq!(bare.text(), format!("one run\n{nulls}{coins}"));
    let full = OneRunReport {
        verdict: Some(Verdict::Inconclusive),
        claim: Some(claim),
        detectable_epsilon: Some(1.75),
        must_see: Some(1.5),
        control_epsilon_lower: Some(2.0),
        reason: Some("too few".to_owned()),
        ..bare
    };
    let head = format!("one run: INCONCLUSIVE\n  claim: (ε, δ) = {claim}\n{nulls}");
    let control = "  on the control the same attack shows ε ≥ 2.0000\n";
    let seen = "  would have been found with probability 0.90: ε ≥ 1.7500, if the scores tell \
                members as well as that allows\n  a pass had to see: ε ≥ 1.5000\n  why: too few\n";
    assert_eq!(full.text(), format!("{head}{control}{coins}{seen}"));
}
