//! What other programs may count on in `ledger --format json` and `ledger --findings --format json`, field by field.

use super::LEDGER;
use crate::program::json;
use dp_assay::ledger::Findings;
use dp_assay_spec::claim::Paper;
use serde_json::Value;
use std::collections::BTreeSet;

const VERDICTS: [&str; 8] = [
    "proved",
    "argued",
    "cited",
    "supported",
    "refuted",
    "empty",
    "open",
    "well-posed",
];
const SEVERITIES: [&str; 5] = ["critical", "major", "minor", "wording", "edge"];

fn strings(value: &Value) -> Vec<&str> {
    let items = value
        .as_array()
        .unwrap_or_else(|| panic!("{value} is no array"));
    let text = |item| Value::as_str(item).unwrap_or_else(|| panic!("{item} is no text"));
    items.iter().map(text).collect()
}

/// The place of a severity in the order of reading.
fn rank(severity: &Value) -> usize {
    let place = SEVERITIES.iter().position(|s| severity == s);
    place.unwrap_or_else(|| panic!("{severity} is no severity"))
}

/// An object with a kind in words, and numbers or null where a number may be.
#[track_caller]
fn is_effect(effect: &Value) {
    let fields = effect
        .as_object()
        .unwrap_or_else(|| panic!("{effect} is no object"));
    assert!(
        fields["kind"].as_str().is_some_and(|kind| !kind.is_empty()),
        "{effect}"
    );
    for key in ["number", "realistic"] {
        let fine = fields[key].is_null()
            || fields[key]
                .as_f64()
                .is_some_and(|x| x.is_finite() && x > 0.0);
        assert!(fine, "{effect}");
    }
}

/// Short name, arXiv id and title, of one paper.
#[track_caller]
fn names_its_paper(entry: &Value) {
    let paper: Paper = entry["paper"]
        .as_str()
        .and_then(|name| name.parse().ok())
        .expect("a paper");
    let source = paper.source();
    // A theorem of the collection has a source of its own, and some of these are on paper only.
    match paper.is_collection() {
        true => assert!(
            entry["place"]
                .as_str()
                .is_some_and(|place| !place.is_empty())
        ),
        false => assert_eq!(entry["arxiv"], source.arxiv, "{}", entry["id"]),
    }
    assert_eq!(entry["title"], source.title, "{}", entry["id"]);
}

#[test]
fn every_row_of_the_ledger_has_each_field_as_agreed() {
    let whole = serde_json::to_value(&*LEDGER).expect("plain structures serialise");
    let rows = whole["claims"].as_array().expect("a list");
    let ids: BTreeSet<&str> = rows.iter().filter_map(|row| row["id"].as_str()).collect();
    assert_eq!(ids.len(), rows.len(), "an id is missing or occurs twice");
    // A claim that is cited, or a lemma that the kernel takes from the literature for a theorem of the ledger.
    let from_kernel = rows.iter().filter(|row| row["basis"] == "kernel");
    let mut cited: BTreeSet<&str> = from_kernel
        .flat_map(|row| strings(&row["premises"]))
        .collect();
    cited.extend(
        rows.iter()
            .filter(|row| row["verdict"] == "cited")
            .filter_map(|row| row["id"].as_str()),
    );
    for row in rows {
        let id = &row["id"];
        let verdict = row["verdict"].as_str().unwrap_or_default();
        assert!(VERDICTS.contains(&verdict), "{id}: {verdict}");
        names_its_paper(row);
        let by_hand = strings(&row["by_hand"]);
        assert!(
            by_hand.iter().all(|step| step.len() > 4),
            "{id}: {by_hand:?}"
        );
        let premises = strings(&row["premises"]);
        for premise in &premises {
            assert!(cited.contains(premise), "{id}: {premise}");
        }
        match verdict {
            "proved" => assert!(by_hand.is_empty(), "{id} is proved, with steps by hand"),
            "argued" => assert!(
                !(by_hand.is_empty() && premises.is_empty()),
                "{id} is argued without a step"
            ),
            _ => {}
        }
        if ["refuted", "empty"].contains(&verdict) {
            rank(&row["severity"]);
            is_effect(&row["effect"]);
            assert!(
                row["cause"].as_str().is_some_and(|cause| !cause.is_empty()),
                "{id}"
            );
        } else {
            for key in ["severity", "effect", "cause"] {
                assert!(row[key].is_null(), "{id} holds, or is open, and has {key}");
            }
        }
    }
}

#[test]
fn every_finding_has_each_field_as_agreed_and_the_worst_come_first() {
    let found =
        serde_json::to_value(Findings::from(LEDGER.clone())).expect("plain structures serialise");
    let keys: BTreeSet<&String> = found.as_object().expect("an object").keys().collect();
    assert!(keys.into_iter().eq(["findings", "schema"]));
    let findings = found["findings"].as_array().expect("a list");
    let failing = LEDGER.claims.iter().filter(|row| row.severity.is_some());
    let failing: BTreeSet<&str> = failing.map(|row| row.id).collect();
    let listed: BTreeSet<&str> = findings
        .iter()
        .flat_map(|f| strings(&f["claims"]))
        .collect();
    assert_eq!(listed, failing);
    for finding in findings {
        is_effect(&finding["effect"]);
        names_its_paper(finding);
        assert!(
            finding["cause"]
                .as_str()
                .is_some_and(|cause| !cause.is_empty()),
            "{finding}"
        );
        let class = finding["class"].as_str().unwrap_or_default();
        assert!(
            ["fails", "ambiguous", "empty", "proof", "step"].contains(&class),
            "{finding}"
        );
        assert!(!strings(&finding["claims"]).is_empty());
    }
    let order: Vec<usize> = findings.iter().map(|f| rank(&f["severity"])).collect();
    assert!(order.is_sorted(), "{order:?}");
}

/// What the command prints is that, for one paper as for all.
#[test]
fn the_command_prints_the_findings_of_one_severity_in_the_same_order() {
    let printed = json(&[
        "ledger",
        "--findings",
        "--severity",
        "major",
        "--paper",
        "gcd",
    ]);
    let ids = |all: &Value| -> Vec<String> {
        let of = all["findings"].as_array().expect("a list").iter();
        of.filter_map(|f| f["id"].as_str().map(str::to_owned))
            .collect()
    };
    let all =
        serde_json::to_value(Findings::from(LEDGER.clone())).expect("plain structures serialise");
    let expected: Vec<String> = (all["findings"].as_array().expect("a list").iter())
        .filter(|f| f["paper"] == "gcd" && f["severity"] == "major")
        .filter_map(|f| f["id"].as_str().map(str::to_owned))
        .collect();
    assert!(!expected.is_empty());
    assert_eq!(ids(&printed), expected);
}
