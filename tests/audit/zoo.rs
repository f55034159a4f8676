//! The audit on mechanisms of known privacy: every broken one is caught, no correct one accused.
//!
//! False alarms: the suite's error of 10⁻⁶ is divided equally among all specimens. Misses: a
//! specimen's number of pairs (`Specimen::trials`) leaves room over what its defect takes to find
//! (`the_zoo_over_20_seeds`), so that a miss is a change in power.

use crate::parallel::on_all_cores;
use crate::stored::Stored;
use dp_assay::audit::budget::Suite;
use dp_assay::audit::zoo::{Specimen, specimens};
use dp_assay::audit::{AuditReport, Verdict, simpler};
use rayon::ThreadPoolBuilder;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// The audit of one specimen.
struct Outcome {
    name: &'static str,
    broken: bool,
    /// The verdict is the one that the specimen deserves.
    right: bool,
    /// The bound is not above the true ε.
    bounded: bool,
    report: AuditReport,
}

fn run(specimen: &Specimen, suite: &Suite, count: usize) -> Outcome {
    let alpha = suite
        .allot(specimen.name, 1.0 / count as f64)
        .expect("equal shares");
    let report = specimen
        .audit()
        .simplify(|first, second| simpler(first, second))
        .alpha(alpha)
        .seed(suite.seed(specimen.name))
        .must_see(3.0 * specimen.claimed)
        .run()
        .expect("specimens run");
    let broken = specimen.defect.is_some();
    let deserved = if broken {
        Verdict::Violation
    } else {
        Verdict::PassWithPower
    };
    Outcome {
        name: specimen.name,
        broken,
        right: report.verdict == deserved,
        bounded: report.epsilon_lower <= specimen.epsilon_upper,
        report,
    }
}

/// All audits of a suite, each on one core, and the longest first so that none is left alone at the end.
fn outcomes(seed: u64) -> Vec<Outcome> {
    let mut all = specimens();
    all.sort_by_key(|specimen| Reverse(specimen.trials));
    let suite = Suite::new(1e-6, seed).expect("a probability");
    let outcomes = on_all_cores(&all, |specimen| {
        let core = ThreadPoolBuilder::new().num_threads(1).build();
        let core = core.expect("a thread can be started");
        core.install(|| run(specimen, &suite, all.len()))
    });
    for Outcome { report, .. } in &outcomes {
        println!("{:6.2} s  {report}", report.seconds);
    }
    println!("{suite}");
    outcomes
}

#[test]
fn every_broken_mechanism_is_caught_and_no_correct_one_accused() {
    let wrong: Vec<String> = outcomes(0)
        .iter()
        .filter(|o| !o.right || !o.bounded)
        .map(|o| o.report.to_string())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the zoo gave for one seed.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    seed: u64,
    correct: usize,
    passed: usize,
    broken: usize,
    caught: usize,
    bounds_above_the_truth: usize,
    /// Specimens with a wrong verdict or bound.
    wrong: String,
}

impl Row {
    fn new(seed: u64, outcomes: &[Outcome]) -> Self {
        let count = |keep: &dyn Fn(&&Outcome) -> bool| outcomes.iter().filter(keep).count();
        let wrong = outcomes.iter().filter(|o| !o.right || !o.bounded);
        Self {
            seed,
            correct: count(&|o| !o.broken),
            passed: count(&|o| !o.broken && o.right),
            broken: count(&|o| o.broken),
            caught: count(&|o| o.broken && o.right),
            bounds_above_the_truth: count(&|o| !o.bounded),
            wrong: wrong.map(|o| o.name).collect::<Vec<_>>().join(" "),
        }
    }
}

const SEEDS: std::ops::RangeInclusive<u64> = 1..=20;
const FILE: &str = "zoo_seeds.csv";

/// The rows of a campaign in which every specimen had the verdict that it deserves.
fn all_right() -> Vec<Row> {
    let broken = specimens().iter().filter(|s| s.defect.is_some()).count();
    let correct = specimens().len() - broken;
    let right = |seed| Row {
        seed,
        correct,
        passed: correct,
        broken,
        caught: broken,
        bounds_above_the_truth: 0,
        wrong: String::new(),
    };
    SEEDS.map(right).collect()
}

/// A correct specimen is accused, or a bound is above the truth, with probability 2·10⁻⁵ in all.
#[test]
fn over_the_stored_seeds_every_broken_mechanism_was_caught_and_no_correct_one_accused() {
    assert_eq!(all_right().len(), 20);
    assert_eq!(Stored::<Row>::read(FILE).rows, all_right());
}

#[test]
#[ignore = "20 minutes; writes tests/data/zoo_seeds.csv"]
fn the_zoo_over_20_seeds() {
    let command = "cargo test --test audit the_zoo_over_20_seeds -- --ignored --nocapture";
    let mut stored = Stored::begin(FILE, command);
    for seed in SEEDS {
        stored.push(Row::new(seed, &outcomes(seed)));
    }
    let wrong: Vec<&Row> = stored.rows.iter().filter(|r| !r.wrong.is_empty()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
