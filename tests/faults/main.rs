//! Faults planted by hand, each of which a named test must see.
//!
//! The lists `tests/faults/*.toml` hold what no mutation tool makes: a wrong constant, a wrong side, the
//! same noise twice, a condition of a proof that is left out. An entry says where (`file`, `find`, which
//! stands there exactly once), what is put there instead (`replace`), what a user would then be told
//! wrongly (`breaks`), and which test turns red: `test` is a program of `cargo test --test`, `lib`, or one of the
//! specification's as `spec:lib`, `spec:claims`, `spec:privacy`; `name` is the test in it. A fault in several
//! places has arrays of `find` and `replace`, and of `file` unless all are in one.
//!
//! The gate checks the lists. The campaign plants the faults in a copy of the repository under `target/faults`, all
//! that lie in bodies of functions in one build (see [`weave`]), the others one by one, and runs only the named
//! tests, which must have been green there before:
//!
//! ```sh
//! cargo test --test faults every_fault_is_killed -- --ignored                        # all; writes tests/data/faults.csv
//! DP_ASSAY_FAULTS=spec cargo test --test faults every_fault_is_killed -- --ignored   # lists or folders; writes nothing
//! ```
//!
//! `DP_ASSAY_FAULTS_TARGET` names another folder for the copy and what is built from it; it is reused, so that only
//! what is changed is built again. [`mutants`] does the same with changes that a tool makes.

mod list;
mod mutants;
mod plant;
mod planting;
#[path = "../common/stored.rs"]
mod stored;
mod weave;

use list::{Fault, Listed, all};
use plant::{Copy, How, Outcome};
use planting::Planting;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Duration;
use stored::Stored;
use weave::Change;

/// How many faults there are at least.
const LEAST: usize = 207;

/// How many of them the stored campaign has planted at least.
const PLANTED: usize = 207;

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

/// A test that is not green without a fault is killed by nothing.
const LONGEST: Duration = Duration::from_secs(1200);

#[test]
#[ignore = "plants every fault in a copy of the repository"]
fn every_fault_is_killed_by_its_test() {
    let selection = std::env::var("DP_ASSAY_FAULTS").ok();
    let faults = list::selected(selection.as_deref());
    assert!(!faults.is_empty(), "no fault is in {selection:?}");
    let command = "cargo test --test faults every_fault_is_killed -- --ignored";
    let mut stored = selection.is_none().then(|| Stored::begin(FILE, command));
    let campaign = Campaign::prepare(&faults);
    let mut alive = Vec::new();
    for (number, listed) in (1..).zip(&faults) {
        let outcome = campaign.outcome(number, &listed.fault);
        let told = format!("{}: {outcome:?}: {}", listed.list, listed.fault.breaks);
        println!("{number} of {}, {told}", faults.len());
        if outcome != Outcome::Killed {
            alive.push(told);
        }
        if let Some(stored) = &mut stored {
            stored.push(Row::new(listed, outcome));
        }
    }
    assert!(alive.is_empty(), "{}", alive.join("\n"));
}

/// A copy in which tests have been green.
struct Campaign {
    copy: Copy,
    planting: Planting,
    built: plant::Built,
    /// What each named test of a program took.
    green: BTreeMap<(String, String), Duration>,
}

impl Campaign {
    /// # Panics
    /// If a named test is red without any fault: it could not tell a fault from none.
    fn prepare(faults: &[Listed]) -> Self {
        let copy = Copy::make();
        let numbered = (1..).zip(faults);
        let planting = Planting::make(
            &copy,
            numbered.map(|(n, f)| (n, changes(&f.fault))).collect(),
        );
        let programs = faults.iter().map(|f| f.fault.test.as_str()).collect();
        let built = copy.build(&programs).expect("the copy compiles");
        let mut campaign = Self {
            copy,
            planting,
            built,
            green: BTreeMap::new(),
        };
        for Listed { fault, .. } in faults {
            let key = (fault.test.clone(), fault.name.clone());
            if campaign.green.contains_key(&key) {
                continue;
            }
            let how = How {
                awake: 0,
                limit: LONGEST,
                trace: None,
            };
            let run = campaign.copy.run(&campaign.built, &key.0, &key.1, &how);
            let red = run.outcome != Outcome::Survived;
            assert!(!red, "{key:?} is {:?} by itself", run.outcome);
            campaign.green.insert(key, run.time);
        }
        campaign
    }

    /// What becomes of a fault that is woven in or else planted alone.
    fn outcome(&self, number: u32, fault: &Fault) -> Outcome {
        if self.planting.has(number) {
            return self.judge(&self.built, fault, number);
        }
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        for edit in fault.edits() {
            let read = || self.copy.read(&edit.file);
            let text = texts.entry(edit.file.clone()).or_insert_with(read);
            *text = text.replace(&edit.find, &edit.replace);
        }
        let before: Vec<_> = texts
            .keys()
            .map(|file| (file, self.copy.read(file)))
            .collect();
        for (file, text) in &texts {
            self.copy.write(file, text.as_bytes());
        }
        let built = self.copy.build(&[fault.test.as_str()].into());
        let outcome = built.map_or(Outcome::NotCompiled, |built| self.judge(&built, fault, 0));
        for (file, text) in before {
            self.copy.write(file, text.as_bytes());
        }
        outcome
    }

    fn judge(&self, built: &plant::Built, fault: &Fault, awake: u32) -> Outcome {
        let time = self.green[&(fault.test.clone(), fault.name.clone())];
        let how = How {
            awake,
            limit: 10 * time + Duration::from_secs(60),
            trace: None,
        };
        self.copy.run(built, &fault.test, &fault.name, &how).outcome
    }
}

fn changes(fault: &Fault) -> Vec<Change> {
    let change = |edit: list::Edit| {
        let text = fs::read_to_string(&edit.file).expect("the lists are checked");
        Change::of(&edit, &text)
    };
    fault.edits().into_iter().map(change).collect()
}
