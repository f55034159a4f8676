//! Conclusions of campaigns from how their pairs fell out.

use super::*;
use crate::accounting::steady;
use crate::audit::Guarantee;
use crate::audit::campaign::run::{Directed, Fixed};
use crate::audit::event::Event;
use crate::audit::features::{Extras, Layout};
use crate::audit::{Output, Release, from_fn};
use crate::mechanism::tape::Tape;
use crate::units::Neighbouring;

#[test]
fn the_shares_of_the_error_add_up_to_no_more_than_all_of_it() {
    // Powers of two, of which no part is rounded.
    for share in [1.0, 1.0 / 128.0] {
        // What either of two sides drew to explore is doubted by itself.
        let (explored, counted) = doubts(share);
        let shares = [share * BETTING, share * BOUND, 2.0 * explored, counted];
        assert!(shares.iter().all(|part| *part > 0.0));
        assert!(shares.iter().sum::<f64>() <= share);
    }
}

/// Two whole chunks alike and the rest of a third: what was drawn is the same twice.
#[test]
fn chunks_that_repeat_are_seen_beside_a_part_of_one() {
    let claim = Guarantee::new(1.0, 0.0).expect("in the domain");
    let entry = |pairs: u64| Entry {
        name: "noise".into(),
        mechanism: None,
        parameters: Default::default(),
        external: None,
        claim,
        neighbours: None,
        pairs,
        explore: None,
        must_see: None,
    };
    let (whole, other): (Tally, Tally) = (
        vec![[1000, 1000, 1000, 1096]],
        vec![[1001, 999, 1000, 1096]],
    );
    let part = vec![[500, 500, 500, 548]];
    let odds = |tallies: &[Tally], pairs| repeated(&entry(pairs), tallies).map(|how| how.1);
    let both = [whole.clone(), whole.clone(), part.clone()];
    let found = odds(&both, 2 * CHUNK + CHUNK / 2).expect("two are alike");
    assert_eq!(odds(&both[..2], 2 * CHUNK), Some(found));
    assert!(found > 0.0 && found < 1e-3, "{found}");
    assert_eq!(odds(&[whole, other, part], 2 * CHUNK + CHUNK / 2), None);
}

fn entry(pairs: u64, must_see: Option<f64>) -> Entry {
    Entry {
        name: "noise".into(),
        mechanism: None,
        parameters: Default::default(),
        external: None,
        claim: Guarantee::new(0.5, 1e-3).expect("in the domain"),
        neighbours: None,
        pairs,
        explore: None,
        must_see,
    }
}

/// What was chosen: an event in both directions, and the bound in one.
fn chosen(forward: bool, constant: bool) -> Chosen {
    let bet = |forward, bound| Directed {
        event: Event::Above {
            column: 0,
            threshold: 0.5,
        },
        forward,
        bound,
    };
    Chosen {
        layout: Layout::of(&[Output::Real(0.5)], Extras::default()),
        constant: constant.then(|| "all were one".to_owned()),
        bets: vec![bet(true, false), bet(false, false), bet(forward, true)],
    }
}

/// Concluded of a campaign of two audits from how the pairs of one fell out.
fn concluded(ways: [u64; 4], forward: bool, constant: bool, must_see: Option<f64>) -> AuditReport {
    let entry = entry(ways.iter().sum(), must_see);
    let audits = vec![entry.clone(), entry.clone()];
    let plan = Plan {
        schema: String::new(),
        seed: 5,
        alpha: 2e-3,
        audits,
    };
    let pair = Fixed {
        mechanism: from_fn("m", |_: &u64, _: Tape| 0.5),
        neighbours: Neighbouring::AddRemove,
        release: Release::Transcript,
        inputs: [3, 4],
    };
    conclude(
        &plan,
        &entry,
        &pair,
        &chosen(forward, constant),
        &vec![ways; 3],
    )
}

/// Pairs that tell, that almost do, and that do not, in either direction: numbers to the last bit.
#[test]
fn conclusions_are_what_they_were() {
    let (mut found, mut verdicts) = (Vec::new(), String::new());
    for (ways, forward, must_see) in [
        ([4000, 4000, 500, 1500], true, None),
        ([4000, 500, 4000, 1500], false, None),
        ([4000, 900, 700, 4400], true, Some(2.0)),
        ([7000, 1400, 700, 900], true, Some(0.9)),
        ([40, 30, 20, 10], true, None),
        ([9950, 50, 0, 0], true, None),
    ] {
        let report = concluded(ways, forward, false, must_see);
        found.extend([
            report.epsilon_lower,
            report.log_wealth,
            report.log_wealth_needed,
            report.must_see,
        ]);
        found.push(report.detectable_epsilon);
        found.push(report.power.as_ref().map_or(-1.0, |power| power.event_mass));
        verdicts += &format!("{} ", report.verdict);
        assert_eq!(
            (report.samples, report.bet_samples, report.seed),
            (ways.iter().sum(), report.samples, 5)
        );
        assert_eq!((report.alpha, report.confidence), (1e-3, 1.0 - 1e-3));
        assert_eq!(
            report.verdict == Verdict::Violation,
            report.counterexample.is_some()
        );
        assert_eq!(
            report.verdict == Verdict::Inconclusive,
            report.reason.is_some()
        );
        if let Some(example) = &report.counterexample {
            let (one, other) = (ways[1] + ways[3], ways[2] + ways[3]);
            let (hits0, hits1) = if forward { (one, other) } else { (other, one) };
            let samples = report.samples;
            assert_eq!(
                example.counts,
                Counts {
                    hits0,
                    hits1,
                    samples
                }
            );
            let inputs = if forward { ["3", "4"] } else { ["4", "3"] };
            assert_eq!([&*example.input0, &*example.input1], inputs);
            assert!(report.epsilon_lower > 0.5);
        }
    }
    steady::words(
        &verdicts
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>(),
        "VIOLATION VIOLATION PASS-WITH-POWER PASS-WITH-POWER INCONCLUSIVE VIOLATION",
    );
    steady::holds(
        &found,
        "0.9066768489625596 372.8675207573983 7.600903459542082 0.625 inf -1.0
            0.9066768489625596 372.8675207573983 7.600903459542082 0.625 inf -1.0 0.0
            -12.180637932953328 7.600903459542082 2.0 0.629842133491813 0.5
            0.21148697022317908 -3.7783343130118388 7.600903459542082 0.9 0.7304874885322937
            0.23 0.0 -0.9795691416594394 7.600903459542082 0.625 7.374973844904128 0.4
            0.7775694522815525 13.443021285257462 7.600903459542082 0.625 inf -1.0",
    );
}

/// Outputs that are all one say nothing, unless those that were counted were not all one.
#[test]
fn outputs_that_are_all_one_are_no_pass() {
    let reason = |ways, constant| concluded(ways, true, constant, Some(3.0)).reason;
    assert_eq!(
        reason([5000, 0, 0, 0], true).as_deref(),
        Some("all were one")
    );
    assert_eq!(
        reason([0, 0, 0, 5000], true).as_deref(),
        Some("all were one")
    );
    assert_ne!(
        reason([4999, 1, 0, 0], true).as_deref(),
        Some("all were one")
    );
    assert_ne!(
        reason([2500, 0, 0, 2500], true).as_deref(),
        Some("all were one")
    );
    assert_ne!(
        reason([5000, 0, 0, 0], false).as_deref(),
        Some("all were one")
    );
}

/// Tallies of a chunk that is there, of as many events as were chosen, of all its pairs.
#[test]
fn tallies_that_do_not_fit_are_refused() {
    let (entry, chosen) = (entry(2 * CHUNK + 100, None), chosen(true, false));
    let tally = |n: u64, events: usize| vec![[n - 3, 1, 1, 1]; events];
    let told = |chunk, tally: Tally| fits(&entry, &chosen, chunk, &tally).err();
    assert_eq!(
        [
            told(0, tally(CHUNK, 3)),
            told(1, tally(CHUNK, 3)),
            told(2, tally(100, 3))
        ],
        [None, None, None]
    );
    assert_eq!(
        told(3, tally(100, 3)).as_deref(),
        Some("the plan has 3 chunks")
    );
    assert_eq!(
        told(0, tally(CHUNK, 2)).as_deref(),
        Some("2 events are counted, 3 were chosen")
    );
    assert_eq!(
        told(2, tally(CHUNK, 3)).as_deref(),
        Some("4096 pairs are counted of 100")
    );
    assert_eq!(
        told(0, tally(100, 3)).as_deref(),
        Some("100 pairs are counted of 4096")
    );
    assert_eq!(sum(&[tally(10, 2), tally(20, 2)]), [[24, 2, 2, 2]; 2]);
    assert!(sum(&[]).is_empty());
}
