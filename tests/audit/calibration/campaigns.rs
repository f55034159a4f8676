//! The long campaigns behind `src/audit/calibration.md`, and what the gate holds them to. Their
//! results do not depend on the machine; what they count goes to `tests/data/calibration_*.csv`.

use super::table::{ALPHA, Method, PAIRS};
use super::{Look, audit, audits, found_at_the_promise, median_decision, wrong};
use crate::stored::Stored;
use serde::{Deserialize, Serialize};

const DOCUMENTATION: &str = include_str!("../../../src/audit/calibration.md");

/// Audits at the boundary; more than 25 wrong have probability 2e-5 if each is with probability 1e-3.
const AT_BOUNDARY: u64 = 10_000;
/// Audits above it: a rate is right to 0.035, one standard deviation.
const ABOVE: u64 = 200;

const EVENTS: &str = "calibration_events.csv";
const SHAPES: &str = "calibration_shapes.csv";
const ONE_RUN: &str = "calibration_one_run.csv";
const GATE: &str = "calibration_gate.csv";
const MEDIANS: &str = "calibration_medians.csv";
const PROMISES: &str = "calibration_promises.csv";

const OF_EVENTS: [Method; 3] = [
    Method::Event(Look::Known),
    Method::Event(Look::Learned),
    Method::Bound,
];
const OF_ONE_RUN: [Method; 3] = [
    Method::OneRun,
    Method::OneRunTradeOff,
    Method::LikelihoodRatio,
];

fn begin<R>(file: &'static str, test: &str) -> Stored<R>
where
    R: Serialize + for<'a> Deserialize<'a>,
{
    let command = format!("cargo test --test audit {test} -- --ignored --nocapture");
    Stored::begin(file, &command)
}

/// False alarms at the boundary, and how often larger ε is found.
#[derive(Debug, Serialize, Deserialize)]
struct Rates {
    method: String,
    audits_at_1: u64,
    alarms_at_1: u64,
    audits_above: u64,
    found_at_2: usize,
    found_at_1_25: usize,
    found_at_1_1: usize,
}

impl Rates {
    fn count(method: Method, audits_at_1: u64) -> Self {
        let [found_at_2, found_at_1_25, found_at_1_1] =
            [2.0, 1.25, 1.1].map(|truth| method.count(truth, ABOVE));
        Self {
            method: method.describe().to_owned(),
            audits_at_1,
            alarms_at_1: method.count(1.0, audits_at_1) as u64,
            audits_above: ABOVE,
            found_at_2,
            found_at_1_25,
            found_at_1_1,
        }
    }

    /// The line of the documentation.
    fn line(&self) -> String {
        let Self {
            method,
            audits_at_1,
            alarms_at_1,
            audits_above,
            ..
        } = self;
        format!(
            "| {method} | {alarms_at_1} of {audits_at_1} | {} of {audits_above} | {} | {} |",
            self.found_at_2, self.found_at_1_25, self.found_at_1_1
        )
    }
}

/// Counts the methods' rows of the table; at most `limit` of `runs` audits may accuse at the boundary.
fn campaign(file: &'static str, test: &str, methods: &[Method], runs: u64, limit: u64) {
    let mut stored = begin(file, test);
    for method in methods {
        stored.push(Rates::count(*method, runs));
    }
    let found = faults(&stored.rows, methods, runs, limit);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// What is wrong with a table: it is not whole, or more audits accused at the boundary than may.
fn faults(rows: &[Rates], methods: &[Method], runs: u64, limit: u64) -> Vec<String> {
    let expected = methods.iter().map(|m| m.describe());
    let mut faults = Vec::new();
    if !rows.iter().map(|r| r.method.as_str()).eq(expected) {
        faults.push(format!("{} methods, not {methods:?}", rows.len()));
    }
    for row in rows {
        let whole = (row.audits_at_1, row.audits_above) == (runs, ABOVE);
        // All of them decide at ε = 2 within far fewer pairs.
        if !whole || row.alarms_at_1 > limit || row.found_at_2 as u64 != ABOVE {
            faults.push(format!("{row:?}"));
        }
    }
    faults
}

#[test]
fn a_table_that_is_not_whole_or_has_too_many_alarms_is_noticed() {
    let row = |method: &Method| Rates {
        method: method.describe().to_owned(),
        audits_at_1: AT_BOUNDARY,
        alarms_at_1: 25,
        audits_above: ABOVE,
        found_at_2: 200,
        found_at_1_25: 200,
        found_at_1_1: 50,
    };
    let whole: Vec<Rates> = OF_EVENTS.iter().map(row).collect();
    let found = |rows: &[Rates]| faults(rows, &OF_EVENTS, AT_BOUNDARY, 25).len();
    assert_eq!(found(&whole), 0);
    assert_eq!(found(&whole[1..]), 1);
    for change in [
        |row: &mut Rates| row.alarms_at_1 = 26,
        |row: &mut Rates| row.audits_at_1 = 1000,
        |row: &mut Rates| row.found_at_2 = 199,
    ] {
        let mut rows: Vec<Rates> = OF_EVENTS.iter().map(row).collect();
        change(&mut rows[1]);
        assert_eq!(found(&rows), 1);
    }
}

/// Holds what was stored to the limit, and the documentation to what was stored.
fn hold(file: &'static str, methods: &[Method], runs: u64, limit: u64) {
    let stored = Stored::<Rates>::read(file);
    let found = faults(&stored.rows, methods, runs, limit);
    assert!(found.is_empty(), "{file}: {}", found.join("\n"));
    documented(stored.rows.iter().map(Rates::line));
}

fn documented(lines: impl Iterator<Item = String>) {
    for line in lines {
        assert!(DOCUMENTATION.contains(&line), "calibration.md lacks {line}");
    }
}

#[test]
fn of_10_000_stored_audits_by_events_at_the_boundary_at_most_25_accuse() {
    hold(EVENTS, &OF_EVENTS, AT_BOUNDARY, 25);
}

#[test]
fn of_1000_stored_audits_of_shapes_at_the_boundary_at_most_8_accuse() {
    // More than 8 of 1000 have probability 1e-6 if each has 1e-3.
    hold(SHAPES, &[Method::Gaussian], AT_BOUNDARY / 10, 8);
}

#[test]
fn of_10_000_stored_one_run_and_likelihood_audits_at_the_boundary_at_most_25_accuse() {
    hold(ONE_RUN, &OF_ONE_RUN, AT_BOUNDARY, 25);
}

#[test]
#[ignore = "10 minutes; writes its table to tests/data"]
fn the_table_of_events() {
    campaign(EVENTS, "the_table_of_events", &OF_EVENTS, AT_BOUNDARY, 25);
}

#[test]
#[ignore = "2 minutes; writes its table to tests/data"]
fn the_table_of_shapes() {
    let methods = [Method::Gaussian];
    campaign(SHAPES, "the_table_of_shapes", &methods, AT_BOUNDARY / 10, 8);
}

#[test]
#[ignore = "a minute; writes its table to tests/data"]
fn the_table_of_one_run_and_likelihood_ratios() {
    let test = "the_table_of_one_run_and_likelihood_ratios";
    campaign(ONE_RUN, test, &OF_ONE_RUN, AT_BOUNDARY, 25);
}

/// Audits at the boundary at the error of a gate.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct AtGate {
    event: String,
    error: f64,
    pairs: u64,
    audits: u64,
    /// Violations, and bounds above the truth.
    wrong: u64,
}

const GATES_ERROR: f64 = 1e-6;

fn at_gate(look: Look, wrong: u64) -> AtGate {
    AtGate {
        event: format!("{look:?}").to_lowercase(),
        error: GATES_ERROR,
        pairs: PAIRS,
        audits: AT_BOUNDARY,
        wrong,
    }
}

/// One or more false alarm has probability 0.02 at most.
#[test]
fn of_10_000_stored_audits_at_the_error_of_a_gate_none_accuses() {
    let none = [Look::Known, Look::Learned].map(|look| at_gate(look, 0));
    assert_eq!(Stored::<AtGate>::read(GATE).rows, none);
}

#[test]
#[ignore = "10 minutes; writes its table to tests/data"]
fn at_the_error_of_a_gate_there_is_no_false_alarm() {
    let mut stored = begin(GATE, "at_the_error_of_a_gate_there_is_no_false_alarm");
    for look in [Look::Known, Look::Learned] {
        let reports = audits(AT_BOUNDARY, |seed| {
            audit(1.0, look, GATES_ERROR, PAIRS, seed)
        });
        stored.push(at_gate(look, wrong(&reports, 1.0) as u64));
    }
    assert!(stored.rows.iter().all(|row| row.wrong == 0));
}

/// Pairs to a verdict.
#[derive(Debug, Serialize, Deserialize)]
struct Median {
    truth: f64,
    error: f64,
    audits: u64,
    known: f64,
    learned: f64,
}

/// (true ε, most pairs with a known event, with a learned one).
pub const DECIDED_WITHIN: [(f64, f64, f64); 3] = [
    (2.0, 250.0, 400.0),
    (1.25, 2500.0, 4000.0),
    (1.1, 15e3, 25e3),
];

#[test]
fn the_stored_medians_are_within_the_samples_promised() {
    let stored = Stored::<Median>::read(MEDIANS);
    assert_eq!(stored.rows.len(), DECIDED_WITHIN.len());
    for (row, (truth, known, learned)) in stored.rows.iter().zip(DECIDED_WITHIN) {
        assert_eq!((row.truth, row.error, row.audits), (truth, ALPHA, 201));
        assert!(row.known <= known && row.learned <= learned, "{row:?}");
    }
    let line = |r: &Median| format!("| {} | {} | {} |", r.truth, r.known, r.learned);
    documented(stored.rows.iter().map(line));
}

#[test]
#[ignore = "2 minutes; writes its table to tests/data"]
fn the_medians_of_the_documentation() {
    let mut stored = begin(MEDIANS, "the_medians_of_the_documentation");
    for (truth, ..) in DECIDED_WITHIN {
        stored.push(Median {
            truth,
            error: ALPHA,
            audits: 201,
            known: median_decision(truth, Look::Known, 201),
            learned: median_decision(truth, Look::Learned, 201),
        });
    }
}

/// What a pass promised to find with probability 0.9, and how often the same audit found just that.
#[derive(Debug, Serialize, Deserialize)]
struct Promise {
    pairs: u64,
    epsilon: f64,
    audits: u64,
    found: usize,
}

const PROMISED_WITH: [u64; 3] = [2000, 20_000, 100_000];

/// Fewer than 425 of 500 have probability 2e-4 if the promise of 0.9 is just kept.
#[test]
fn the_stored_promises_of_a_pass_were_kept() {
    let stored = Stored::<Promise>::read(PROMISES);
    let pairs: Vec<u64> = stored.rows.iter().map(|row| row.pairs).collect();
    assert_eq!(pairs, PROMISED_WITH);
    for row in &stored.rows {
        assert!(row.audits == 500 && row.found >= 425, "{row:?}");
    }
    let line = |r: &Promise| format!("| {} | {:.4} | {} |", r.pairs, r.epsilon, r.found);
    documented(stored.rows.iter().map(line));
}

#[test]
#[ignore = "2 minutes; writes its table to tests/data"]
fn the_promises_of_the_documentation() {
    let mut stored = begin(PROMISES, "the_promises_of_the_documentation");
    for pairs in PROMISED_WITH {
        let (epsilon, found) = found_at_the_promise(pairs, 500);
        stored.push(Promise {
            pairs,
            epsilon,
            audits: 500,
            found,
        });
    }
    assert!(stored.rows.iter().all(|row| row.found >= 425));
}
