//! Faults planted by hand, each of which a named test must see.
//!
//! The lists `tests/faults/*.toml` hold what no mutation tool makes: a wrong constant, a wrong side, the
//! same noise twice, a condition of a proof that is left out. An entry says where (`file`, `find`, which
//! stands there exactly once), what is put there instead (`replace`), what a user would then be told
//! wrongly (`breaks`), and which test turns red: `test` is a program of `cargo test --test`, `lib`, or one of the
//! specification's as `spec:lib`, `spec:claims`, `spec:privacy`; `name` is the test in it. A fault in several
//! places has arrays of `find` and `replace`, and of `file` unless all are in one.
//!
//! The gate checks the lists. The campaign plants each fault in a copy of the repository under
//! `target/faults` and runs only the named test, which must have been green there before:
//!
//! ```sh
//! cargo test --test faults -- --ignored                         # all; writes tests/data/faults.csv
//! DP_ASSAY_FAULTS=spec cargo test --test faults -- --ignored    # one list; writes nothing
//! DP_ASSAY_FAULTS=2/3 cargo test --test faults -- --ignored     # the second of three shards; writes nothing
//! ```
//!
//! `DP_ASSAY_FAULTS_TARGET` names another folder for the copy and what is built from it; it is reused, so that only
//! what a fault changes is built again.

mod list;
mod plant;
#[path = "../common/stored.rs"]
mod stored;

use list::{Fault, Listed, all};
use plant::{Copy, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use stored::Stored;

/// How many faults there are at least.
const LEAST: usize = 185;

/// How many of them the stored campaign has planted at least.
const PLANTED: usize = 100;

const FILE: &str = "faults.csv";

/// What became of a fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    list: String,
    breaks: String,
    test: String,
    outcome: Outcome,
}

impl Row {
    fn new(listed: &Listed, outcome: Outcome) -> Self {
        let Fault {
            breaks, test, name, ..
        } = &listed.fault;
        Self {
            list: listed.list.clone(),
            breaks: breaks.clone(),
            test: format!("{test} {name}"),
            outcome,
        }
    }
}

#[test]
fn every_fault_has_its_place_its_effect_and_its_test() {
    let faults = all();
    assert!(faults.len() >= LEAST, "{} of {LEAST} faults", faults.len());
    let wrong: Vec<String> = faults.iter().filter_map(|f| f.objection()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let places: BTreeSet<_> = faults.iter().map(|f| f.fault.edits()).collect();
    let effects: BTreeSet<_> = faults.iter().map(|f| &f.fault.breaks).collect();
    assert_eq!(places.len(), faults.len(), "a fault is listed twice");
    assert_eq!(
        effects.len(),
        faults.len(),
        "two faults are said to break the same"
    );
}

#[test]
#[ignore = "until a campaign over all lists is stored"]
fn the_stored_campaign_saw_every_fault_killed() {
    let rows = Stored::<Row>::read(FILE).rows;
    assert!(rows.len() >= PLANTED, "{} of {PLANTED} faults", rows.len());
    let listed: Vec<Row> = all().iter().map(|f| Row::new(f, Outcome::Killed)).collect();
    for row in rows {
        assert!(
            listed.contains(&row),
            "survived, or listed no more: {row:?}"
        );
    }
}

/// Hours, if it has to build everything.
#[test]
#[ignore = "plants every fault in a copy of the repository"]
fn every_fault_is_killed_by_its_test() {
    let selection = std::env::var("DP_ASSAY_FAULTS").ok();
    let faults = list::selected(selection.as_deref());
    assert!(!faults.is_empty(), "no fault is in {selection:?}");
    let command = "cargo test --test faults -- --ignored";
    let mut stored = selection.is_none().then(|| Stored::begin(FILE, command));
    let copy = Copy::make();
    copy.assert_green(&faults);
    let mut alive = Vec::new();
    for (k, listed) in faults.iter().enumerate() {
        let outcome = copy.plant(&listed.fault);
        let (list, breaks) = (&listed.list, &listed.fault.breaks);
        println!(
            "{} of {}, {list}: {outcome:?}: {breaks}",
            k + 1,
            faults.len()
        );
        if outcome != Outcome::Killed {
            alive.push(format!("{list}: {outcome:?}: {breaks}"));
        }
        if let Some(stored) = &mut stored {
            stored.push(Row::new(listed, outcome));
        }
    }
    assert!(alive.is_empty(), "{}", alive.join("\n"));
}
