//! What a run could have found, for tests, and whether a picture shows all that is drawn in it.

use super::{Comparison, Data, Fit, Profile, ProfilePoint, Report, SCHEMA, Squeeze, VIOLATION};
use crate::audit::{Counterexample, Counts, Release};
use crate::ledger::samples::{Found, empty, ledger, proved, refuted};
use crate::units::Neighbouring;
use dp_assay_spec::claim::Verdict;

/// A theorem that fails with what holds instead of it, two that are settled with it, one that is empty and has nothing yet, and
/// a step of its proof.
pub(super) const CLAIMS: [Found<'_>; 7] = [
    ("gcd-thm-4.2", refuted),
    ("gcd-thm-4.2-corrected", tight),
    ("gcd-thm-4.4-cvx-b", refuted),
    ("gcd-thm-4.4-cvx", refuted),
    ("gcd-thm-4.4-cvx-corrected", proved),
    ("gcd-thm-4.4-sc-b", empty),
    ("gcd-thm-4.4-sc-b-proof", refuted),
];

/// Holds, with noise that could be half as large.
fn tight() -> Verdict {
    match proved() {
        Verdict::Proved(mut proof) => {
            proof.slack = Some(2.0);
            Verdict::Proved(proof)
        }
        other => other,
    }
}

/// An audit of a claim of ε = 1.
pub(super) fn squeeze(mechanism: &str, verdict: &str, lower: f64) -> Squeeze {
    let violated = verdict == VIOLATION;
    let counterexample = Counterexample {
        input0: "[0]".into(),
        input1: "[1]".into(),
        event: "x < 1".into(),
        rule: serde_json::from_str(RULE).expect("an event as results have it"),
        counts: Counts {
            hits0: 900,
            hits1: 100,
            samples: 1000,
        },
        epsilon_lower: lower,
        shrinks: 0,
    };
    Squeeze {
        mechanism: mechanism.into(),
        claimed: 1.0,
        delta: 0.0,
        neighbours: Neighbouring::ReplaceOne,
        release: Release::Transcript,
        verdict: verdict.into(),
        lower,
        confidence: 1.0 - 1e-6,
        upper: (!violated).then_some(0.95),
        claim: (!violated).then_some("gcd-thm-4.2-corrected"),
        detectable: (!violated).then_some(1.25),
        power: 0.9,
        event_mass: (!violated).then_some(0.1),
        samples: 100_000,
        event: "x < 1".into(),
        counterexample: violated.then_some(counterexample),
        seed: 7,
    }
}

const RULE: &str = r#"{
    "layout": { "has_length": false, "entries": 1, "extras": { "bits": false }, "units": [0.0] },
    "event": { "below": { "column": 0, "threshold": 1.0 } }
}"#;

/// A run in which nothing failed.
pub(super) fn report() -> Report {
    let ledger = ledger(&CLAIMS);
    let point = |power: i32| ProfilePoint {
        delta: 10_f64.powi(power),
        epsilon_upper: 0.2 - 0.1 * f64::from(power),
    };
    Report {
        schema: SCHEMA,
        effort: "quick",
        seed: 1,
        data: Data {
            name: "made up".into(),
            source: "this test".into(),
            records: 100,
            features: 3,
        },
        neighbours: Neighbouring::ReplaceOne,
        release: "transcript",
        claims: ledger.claims,
        findings: ledger.findings,
        comparisons: vec![Comparison {
            problem: "a problem".into(),
            steps: 3,
            same_choices: true,
            difference: 1e-12,
            bound: 1e-9,
        }],
        fits: vec![Fit {
            method: "a fit".into(),
            calibration: "some claim: proved".into(),
            default: true,
            proved: true,
            claim: "gcd-thm-4.2-corrected",
            refuted: None,
            epsilon: 1.0,
            delta: 1e-6,
            steps: 3,
            objective: 0.5,
            optimum: 0.4,
            accuracy: Some(0.75),
            optimum_accuracy: None,
        }],
        profiles: vec![Profile {
            mechanism: "a mechanism".into(),
            claimed: 1.0,
            delta: 1e-5,
            epsilon_at_claim: 0.7,
            neighbours: Neighbouring::ReplaceOne,
            theorem: "made up".into(),
            claim: "gcd-thm-4.2-corrected",
            points: (-12..=-1).rev().map(point).collect(),
        }],
        audits: vec![
            squeeze("sound", "PASS-WITH-POWER", 0.9),
            squeeze("dull", "INCONCLUSIVE", 0.1),
        ],
        seeded_bugs: vec![squeeze("half the noise", VIOLATION, 1.8)],
        skipped: vec!["the long ones".into()],
        failures: Vec::new(),
    }
}

/// What of a picture begins where nobody sees it: outside of its view.
pub(super) fn outside(svg: &str) -> Vec<String> {
    let attribute = |tag: &str, name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        Some(rest.split('"').next().unwrap_or_default().to_owned())
    };
    let view = attribute(svg, "viewBox").expect("a picture has a view");
    let view: Vec<f64> = view.split(' ').flat_map(str::parse).collect();
    // The frames of a chart stand one below the other.
    let mut down = 0.0;
    let mut lost = Vec::new();
    for tag in svg.split('<').filter(|tag| !tag.starts_with("svg")) {
        let moved = attribute(tag, "transform").filter(|_| tag.starts_with("g "));
        if let Some((_, by)) = moved.as_deref().and_then(|t| t.split_once("translate(0 ")) {
            down = by.trim_end_matches(')').parse().unwrap_or(f64::NAN);
        }
        let begins = attribute(tag, "d").filter(|d| d.starts_with('M'));
        let begins = begins.map(|d| {
            let ends = |c: char| !(c.is_ascii_digit() || "-.e".contains(c));
            let numbers = d[1..].split(ends).filter(|n| !n.is_empty());
            numbers.take(2).map(str::to_owned).collect::<Vec<_>>()
        });
        let begins = begins.unwrap_or_default();
        let [first, second] = [0, 1].map(|i| begins.get(i).cloned());
        let across = [attribute(tag, "x"), attribute(tag, "cx"), first];
        let along = [attribute(tag, "y"), attribute(tag, "cy"), second];
        let off = |all: [Option<String>; 3], from: f64, end: f64| {
            let mut all = all.into_iter().flatten();
            all.any(|n| {
                !n.parse::<f64>()
                    .is_ok_and(|n| (0.0..=end).contains(&(from + n)))
            })
        };
        if off(across, 0.0, view[2]) || off(along, down, view[3]) {
            lost.push(tag.to_owned());
        }
    }
    lost
}
