//! What a check fails on: one test for each reason, and what is no reason.

use super::{report, squeeze};
use dp_assay::report::{Comparison, Fit, Report, html};

fn comparison(same_choices: bool, difference: f64) -> Comparison {
    Comparison {
        problem: "made up".into(),
        steps: 3,
        same_choices,
        difference,
        bound: 1e-9,
    }
}

fn fit(default: bool, proved: bool) -> Fit {
    Fit {
        method: "made up".into(),
        calibration: "some claim: some verdict".into(),
        default,
        proved,
        claim: "gcd-mech-rnm-repaired",
        refuted: None,
        epsilon: 1.0,
        delta: 1e-6,
        steps: 3,
        objective: 0.5,
        optimum: 0.4,
        accuracy: None,
        optimum_accuracy: None,
    }
}

/// What a report fails on after a change.
fn reasons(change: impl FnOnce(&mut Report)) -> Vec<String> {
    let mut report = report();
    change(&mut report);
    report.failing()
}

#[test]
fn sound_solvers_caught_bugs_and_refuted_prints_are_no_failure() {
    let sound = reasons(|r| {
        r.comparisons = vec![comparison(true, 1e-9), comparison(true, 0.0)];
        r.fits = vec![fit(true, true), fit(false, false)];
    });
    assert_eq!(sound, Vec::<String>::new());
}

#[test]
fn a_violated_audit_fails_a_check() {
    let found = reasons(|r| r.audits.push(squeeze("a solver", "VIOLATION", 1.5)));
    assert_eq!(found, ["a solver violates its calibration"]);
}

#[test]
fn a_bug_that_escapes_fails_a_check() {
    for verdict in ["PASS-WITH-POWER", "INCONCLUSIVE"] {
        let found = reasons(|r| r.seeded_bugs = vec![squeeze("less noise", verdict, 0.3)]);
        assert_eq!(found, ["the seeded bug in `less noise` escaped"]);
    }
}

#[test]
fn solvers_that_part_fail_a_check() {
    for broken in [
        comparison(false, 0.0),
        comparison(true, 2e-9),
        comparison(true, f64::NAN),
        comparison(true, f64::INFINITY),
        Comparison {
            bound: f64::NAN,
            ..comparison(true, 0.0)
        },
    ] {
        let found = reasons(|r| r.comparisons = vec![comparison(true, 0.0), broken]);
        assert_eq!(found, ["reference and optimized differ on made up"]);
    }
}

#[test]
fn a_default_calibration_that_is_not_proved_fails_a_check() {
    let found = reasons(|r| r.fits = vec![fit(true, false)]);
    assert_eq!(
        found,
        ["the default calibration is not proved: some claim: some verdict"]
    );
}

#[test]
fn a_repaired_claim_that_is_not_proved_fails_a_check() {
    let found = reasons(|r| {
        let row = r
            .claims
            .iter_mut()
            .find(|row| row.id == "gcd-thm-4.2-repaired");
        row.expect("a claim").verdict = "open";
    });
    let repaired = "the repaired claim gcd-thm-4.2-repaired does not hold";
    assert!(found.iter().any(|reason| reason == repaired), "{found:?}");
}

#[test]
fn a_verdict_that_changed_fails_a_check() {
    let found = reasons(|r| {
        let row = r.claims.iter_mut().find(|row| row.verdict == "refuted");
        row.expect("a claim").verdict = "proved";
    });
    assert_eq!(found.len(), 1, "{found:?}");
}

/// What says how private something is must name a claim that is there and holds; an audit may know of no upper end.
#[test]
fn a_guarantee_without_a_claim_that_holds_fails_a_check() {
    let refuted = report().claims.into_iter().find(|row| !row.holds());
    let refuted = refuted.expect("a claim").id;
    for id in ["gcd-thm-0", refuted] {
        let rests = |what: &str| format!("{what} rests on {id}, which does not hold");
        let found = reasons(|r| {
            r.fits = vec![Fit {
                claim: id,
                ..fit(true, true)
            }]
        });
        assert_eq!(found, [rests("made up")]);
        let found = reasons(|r| r.profiles[0].claim = id);
        assert_eq!(found, [rests("a <mechanism>")]);
        let found = reasons(|r| r.audits[0].claim = Some(id));
        assert_eq!(found, [rests("sound")]);
    }
    assert_eq!(reasons(|r| r.audits[0].claim = None), [""; 0]);
}

#[test]
fn a_report_is_saved_with_what_failed() {
    let folder = tempfile::tempdir().expect("there is room");
    let mut report = report();
    report.failures = vec!["the sky fell".into()];
    report.save(folder.path()).expect("writable");
    for file in ["report.json", "report.html"] {
        let text = std::fs::read_to_string(folder.path().join(file)).expect("written");
        assert!(text.contains("the sky fell"), "{file}");
    }
}

/// The page says at its head how many things failed.
#[test]
fn the_page_says_whether_something_failed() {
    let mut report = report();
    assert!(html(&report).contains("✓ Nothing that this project relies on failed."));
    report.failures = vec!["one".into(), "two".into()];
    let page = html(&report);
    assert!(page.contains("✗ 2 things that this project relies on failed."));
    assert!(!page.contains("Nothing that this project relies on failed"));
}

/// Every claim stands in the ledger of the page with its own verdict, and with the sign of no other.
#[test]
fn the_page_shows_every_claim_with_its_own_verdict() {
    let mut report = report();
    // One claim of each verdict at least.
    for (at, verdict) in ["proved", "supported", "refuted", "open"]
        .into_iter()
        .enumerate()
    {
        report.claims[at].verdict = verdict;
    }
    let page = html(&report);
    for row in &report.claims {
        let start = format!("<details id=\"{}\" ", row.id);
        let (_, rest) = page
            .split_once(&start)
            .unwrap_or_else(|| panic!("{} is not there", row.id));
        let (head, _) = rest.split_once("</summary>").expect("a summary");
        let verdict = row.verdict;
        assert!(
            head.contains(&format!("data-verdict=\"{verdict}\"")),
            "{}: {head}",
            row.id
        );
        assert!(
            head.contains(&format!("<b class=\"{verdict}\">")),
            "{}: {head}",
            row.id
        );
        let badge = head.split_once("<b class=").map_or("", |(_, badge)| badge);
        let badge = badge.split_once("</b>").map_or("", |(badge, _)| badge);
        assert!(badge.ends_with(verdict), "{}: {badge}", row.id);
        assert_eq!(
            badge.contains('✓'),
            verdict == "proved",
            "{}: {badge}",
            row.id
        );
        assert_eq!(
            badge.contains('✗'),
            verdict == "refuted",
            "{}: {badge}",
            row.id
        );
    }
}
