//! The campaign of the falsifiers: so many instances of each, whose result is a table. The gate runs the first thousand of them
//! and must find as many catches as the table says of these, so that a falsifier or twin that changed is run anew.

use crate::world::Random;
use crate::{Falsifier, Instance, falsifiers};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;

const SEED: u64 = 11;
const GATE: usize = 1000;
const CAMPAIGN: usize = 100_000;
/// What every row has at least.
const LEAST: usize = 10_000;
/// Rows that the campaign has not come to the end of: their number may only become smaller.
const SHORT: usize = 0;
const TOLERANCE: f64 = 1e-9;

const TABLE: &str = include_str!("../data/falsifiers.csv");
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/falsifiers.csv");
const COMMAND: &str =
    "# DP_ASSAY_WRITE=1 cargo test -p dp-assay-kernel many_random_instances -- --ignored";
const COLUMNS: &str = "seed,instances,twin caught in the first 1000,twin caught,worst,rule";

/// What a falsifier found: instances, how often its twin was caught in the first of them and in all, and by how much the
/// conclusion held where it held by least.
#[derive(Clone, Copy, Debug)]
struct Found {
    instances: usize,
    first: usize,
    caught: usize,
    worst: f64,
}

fn run((name, make): &Falsifier, instances: usize) -> Found {
    let mut random = Random(SEED);
    let (mut first, mut caught, mut worst) = (0, 0, f64::INFINITY);
    for i in 0..instances {
        let Instance { rule, twin } = make(&mut random);
        assert!(
            rule >= -TOLERANCE,
            "{name}, instance {i}: fails by {rule:e}"
        );
        worst = worst.min(rule);
        caught += usize::from(twin < -1e-6);
        if i < GATE {
            first = caught;
        }
    }
    assert!(
        first > 0,
        "{name}: the first instances do not catch the twin"
    );
    Found {
        instances,
        first,
        caught,
        worst,
    }
}

/// The table by rule.
fn stored() -> BTreeMap<&'static str, Found> {
    let mut lines = TABLE.lines();
    assert_eq!([lines.next(), lines.next()], [Some(COMMAND), Some(COLUMNS)]);
    let row = |line: &'static str| {
        // Some names have commas.
        let cells: Vec<&str> = line.splitn(6, ',').collect();
        let [seed, instances, first, caught, worst, rule] = cells[..] else {
            panic!("{line}: not six cells")
        };
        assert_eq!(seed, SEED.to_string(), "{line}: another seed");
        let count = |cell: &str| cell.parse().expect("a count");
        let found = Found {
            instances: count(instances),
            first: count(first),
            caught: count(caught),
            worst: worst.parse().expect("a number"),
        };
        (rule, found)
    };
    lines.map(row).collect()
}

/// The first instances of a falsifier, which must find what the campaign found in them.
pub fn holds(falsifier: &Falsifier) {
    let found = run(falsifier, GATE);
    let campaign = stored().get(falsifier.0).map(|all| all.first);
    assert_eq!(
        campaign,
        Some(found.first),
        "{}: the stored campaign is of another falsifier; run it again: {COMMAND}",
        falsifier.0
    );
}

#[test]
fn every_rule_has_been_through_the_campaign() {
    let stored = stored();
    let mut names: Vec<&str> = falsifiers().iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    assert!(
        names.iter().eq(stored.keys()),
        "rows are left over, or missing"
    );
    assert_eq!(TABLE.lines().count(), 2 + names.len(), "a row comes twice");
    let mut short = 0;
    for (name, found) in stored {
        let Found {
            instances,
            first,
            caught,
            worst,
        } = found;
        assert!(instances >= LEAST, "{name}: too short");
        short += usize::from(instances < CAMPAIGN);
        assert!(worst >= -TOLERANCE, "{name}: fails by {worst:e}");
        assert!(
            0 < first && first <= caught && caught <= instances,
            "{name}"
        );
    }
    assert_eq!(short, SHORT, "rows of fewer than {CAMPAIGN} instances");
}

/// Runs the campaign of the rules whose row is missing, too short or of another falsifier. With `DP_ASSAY_WRITE` each row goes
/// into the table when it is found, so that what is interrupted goes on from there; without, all rules are run on as many instances
/// as their rows say, and what they find must be the table.
#[test]
#[ignore = "half an hour"]
fn rules_hold_on_many_random_instances() {
    let writes = std::env::var_os("DP_ASSAY_WRITE").is_some();
    let (all, mut rows) = (falsifiers(), stored());
    rows.retain(|name, _| all.iter().any(|(known, _)| known == name));
    let current = |falsifier: &Falsifier| {
        let row = rows
            .get(falsifier.0)
            .filter(|row| row.instances >= CAMPAIGN);
        writes && row.is_some_and(|row| run(falsifier, GATE).first == row.first)
    };
    let mut left: Vec<_> = all.into_iter().filter(|f| !current(f)).collect();
    // The last comes first: what has no row.
    left.sort_by_key(|f| !rows.contains_key(f.0));
    let (left, rows) = (Mutex::new(left), Mutex::new(rows));
    let work = || {
        while let Some(falsifier) = { left.lock().expect("no panic").pop() } {
            let instances = match writes {
                true => CAMPAIGN,
                false => rows.lock().expect("no panic")[falsifier.0].instances,
            };
            let found = run(&falsifier, instances);
            let mut rows = rows.lock().expect("no panic");
            rows.insert(falsifier.0, found);
            if writes {
                std::fs::write(PATH, written(&rows)).expect("the table is written");
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let found = written(&rows.into_inner().expect("no panic"));
    assert!(writes || found == TABLE, "the campaign found\n{found}");
}

fn written(rows: &BTreeMap<&str, Found>) -> String {
    let mut text = format!("{COMMAND}\n{COLUMNS}\n");
    for (rule, found) in rows {
        let Found {
            instances,
            first,
            caught,
            worst,
        } = found;
        writeln!(text, "{SEED},{instances},{first},{caught},{worst:e},{rule}").expect("a string");
    }
    text
}
