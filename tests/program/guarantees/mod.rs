//! Every guarantee that is printed: what `fit`, `account`, `calibrate` and `check` say a run costs rests on claims that
//! hold, inside their domain, and is what the accountant makes of the noise that was used.

mod accounts;
mod fits;

use crate::checked::CHECKED;
use crate::program::{json, refused, stdout};
use dp_assay_spec::book::alone;
use dp_assay_spec::claim::{Claim, Effort, Paper, Verdict};
use dp_assay_spec::claims;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, OnceLock};

/// Verdicts on which a guarantee may rest.
const ACCEPTED: [&str; 2] = ["proved", "argued"];

/// Every claim, with its verdict once somebody has asked for it: hundreds of results name the same few.
static CLAIMS: LazyLock<BTreeMap<&str, (Claim, OnceLock<Verdict>)>> = LazyLock::new(|| {
    let unasked = |claim: Claim| (claim.id, (claim, OnceLock::new()));
    claims().into_iter().map(unasked).collect()
});

fn verdict(id: &str) -> &'static Verdict {
    let claim = CLAIMS.get(id);
    let (claim, found) = claim.unwrap_or_else(|| panic!("{id} is not a claim"));
    found.get_or_init(|| alone(claim, Effort::Replay))
}

#[track_caller]
fn holds(id: &str) {
    let found = verdict(id).name();
    assert!(ACCEPTED.contains(&found), "{id} is {found}");
}

/// The ids of claims in a text; a word that begins like one must be one.
fn ids(text: &str) -> BTreeSet<&str> {
    let inside = |c: char| c.is_ascii_alphanumeric() || "-.".contains(c);
    let words = text.split(|c| !inside(c)).map(|w| w.trim_end_matches('.'));
    let papers = Paper::BOOKS.map(|paper| format!("{paper}-"));
    let kinds = [
        "thm", "lem", "cor", "prop", "eq", "rem", "drv", "aux", "alg", "mech", "imp", "base",
        "red", "conv", "prox",
    ];
    let is_id = |w: &&str| {
        let rest = papers.iter().find_map(|p| w.strip_prefix(p.as_str()));
        rest.is_some_and(|rest| {
            let kind = |kind: &&str| rest.starts_with(&format!("{kind}-"));
            w.starts_with("acc-") || kinds.iter().any(kind)
        })
    };
    words.filter(is_id).collect()
}

/// The claims in all strings of a result.
fn claims_in(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => found.extend(ids(text).into_iter().map(str::to_owned)),
        Value::Array(items) => items.iter().for_each(|item| claims_in(item, found)),
        Value::Object(fields) => fields.values().for_each(|item| claims_in(item, found)),
        _ => {}
    }
}

/// Every mechanism that is built in: its true ε rests on claims that hold.
#[test]
fn every_true_epsilon_of_a_built_in_mechanism_names_claims_that_hold() {
    for listed in dp_assay::audit::builtin::list() {
        let unbounded = listed.epsilon_upper.is_infinite();
        assert!(unbounded || !listed.claims.is_empty(), "{}", listed.name);
        assert!(listed.defect.is_none() || !unbounded || listed.claims.is_empty());
        listed.claims.iter().for_each(|id| holds(id));
    }
}

/// Every ε that `check` prints: of its fits, its profiles, and beside its audits.
#[test]
fn every_guarantee_of_a_check_names_a_claim_that_holds() {
    let report = &CHECKED.report;
    let list = |key: &str| report[key].as_array().expect("a list").clone();
    let words = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    for fit in list("fits") {
        holds(&words(&fit, "claim"));
        assert!(fit["epsilon"].as_f64().is_some_and(|e| e > 0.0), "{fit}");
        let refuted = fit["refuted"].as_str();
        for id in ids(&words(&fit, "calibration")) {
            match refuted == Some(id) {
                true => assert_eq!(verdict(id).name(), "refuted", "{id}"),
                false => holds(id),
            }
        }
    }
    for profile in list("profiles") {
        holds(&words(&profile, "claim"));
        assert!(!words(&profile, "theorem").is_empty(), "{profile}");
    }
    let audits = list("audits");
    for audit in &audits {
        assert_eq!(
            audit["upper"].is_number(),
            audit["claim"].is_string(),
            "{audit}"
        );
        if audit["upper"].is_number() {
            holds(&words(audit, "claim"));
        }
    }
    assert!(
        audits.iter().filter(|a| a["upper"].is_number()).count() >= 8,
        "{audits:?}"
    );
    assert!(list("fits").len() >= 4 && list("profiles").len() >= 5);
    // What nothing decided is no pass.
    let undecided = audits.iter().any(|a| a["verdict"] == "INCONCLUSIVE");
    let code = match (list("failures").is_empty(), undecided) {
        (false, _) => 1,
        (true, true) => 3,
        (true, false) => 0,
    };
    assert_eq!(CHECKED.code, Some(code));
}

/// How the batch of a user is drawn makes a factor of 1.7 to 7 in ε: text, JSON and the question say which it is.
#[test]
fn decor_says_how_a_batch_is_drawn() {
    let question = [
        "account",
        "decor",
        "--graph",
        "ring:5",
        "--steps",
        "100",
        "--delta",
        "1e-5",
        "--sigma-cdp",
        "0.5",
        "--sigma-cor",
        "10",
    ];
    let batch = ["--batch", "1", "--examples", "50"];
    let asked = |extra: &[&'static str]| [&question[..], &batch, extra].concat();
    let poisson = json(&asked(&[]));
    let fixed = json(&asked(&["--sampling", "fixed-size"]));
    assert_eq!(poisson, json(&asked(&["--sampling", "poisson"])));
    assert_eq!(
        (&poisson["sampling"], &fixed["sampling"]),
        (&"poisson".into(), &"fixed-size".into())
    );
    let [p, f] = [&poisson, &fixed].map(|found| found["epsilon_upper"].as_f64().expect("a number"));
    assert!((4.0..6.0).contains(&(f / p)), "{p}, {f}");
    for (extra, words) in [
        (
            &[][..],
            "Poisson sampling: each of 50 examples with probability 1/50",
        ),
        (
            &["--sampling", "fixed-size"],
            "fixed-size sampling: 1 of 50 examples without replacement",
        ),
    ] {
        let text = stdout(&asked(extra));
        assert!(text.contains(words), "{text}");
    }
    // As of every other mechanism: each of 50 examples in 2 of 100 steps costs about what a Poisson sample does.
    let allocated = json(&asked(&["--sampling", "random-allocation"]));
    let a = allocated["epsilon_upper"].as_f64().expect("a number");
    assert_eq!(allocated["sampling"], "random-allocation");
    assert!((0.5..1.5).contains(&(a / p)), "{p}, {a}");
    let message = refused(&asked(&["--sampling", "truncated-poisson"]));
    assert!(message.contains("--cap"), "{message}");
    assert!(json(&question).get("sampling").is_none());
    let message = refused(&[&question[..], &["--sampling", "fixed-size"]].concat());
    assert_eq!(
        message,
        "decor protects whole users here: --sampling goes with --batch"
    );
}

/// The same on the command line: the refutation is named beside the guarantee, or the fit ends with code 2 and a reason.
#[test]
fn the_command_names_the_refutation_of_printed_noise_and_refuses_what_it_does_not_carry() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, _] = crate::records::files(folder.path());
    let asked = ["fit", "gcd", "--data", &classes, "--calibration", "printed"];
    let text = stdout(&asked)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(text.contains("claim: gcd-mech-rnm-repaired"), "{text}");
    assert!(
        text.contains("noise scaled by gcd-thm-4.2, which is refuted: ε = 1"),
        "{text}"
    );
    let message = refused(&[&asked[..], &["--delta", "0.9999"]].concat());
    assert!(
        message.contains("gcd-thm-4.2, which the ledger refutes, is certified for epsilon = "),
        "{message}"
    );
}
