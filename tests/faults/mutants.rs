//! A random sample of the changes that cargo-mutants makes, module by module, each against the tests that reach it.
//!
//! What is drawn is woven into one build. Each test of the module's programs then runs once, which tells how long it
//! takes and which changed functions it reaches; a mutant is held against the tests that reach it, those that
//! killed others of its file first, then the quickest, until one turns red. Tests of more than [`QUICK`] are left out, and
//! those that read the sources and are red in the copy, so that the rate is a lower bound of the gate's. Times are the
//! processor's, so that a busy machine makes nothing look endless.
//!
//! A stored rate is that of tests which had not seen the sample. What survives gets a reason or a test; such a mutant
//! stays a survivor in the table, and its reason begins with [`SINCE`]. Once tests have been mended by a draw, the
//! next rate is that of a draw with another seed.
//!
//! ```sh
//! cargo install cargo-mutants --version 27.1.0 --locked
//! cargo test --test faults mutants -- --ignored                                          # all modules
//! DP_ASSAY_MUTANTS=src/audit,spec/kernel cargo test --test faults mutants -- --ignored   # some of them
//! ```
//!
//! While no code has changed since the commit that a stored table names, a mutant that was killed is not run again; one
//! that was not is.

use crate::list::Edit;
use crate::plant::{Built, Copy, How, Outcome};
use crate::planting::Planting;
use crate::stored::Stored;
use crate::weave::Change;
use dp_assay::audit::interval::rate_lower;
use rand::{SeedableRng, seq::SliceRandom};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A module and the test programs that its mutants are held against.
struct Module {
    folder: &'static str,
    programs: &'static [&'static str],
    /// What its sample is drawn with.
    seed: u64,
    /// The rate of mutants killed that its stored sample proves at 95 % confidence, rounded down; none while no
    /// sample is stored.
    rate: Option<f64>,
}

const MODULES: [Module; 11] = [
    module("src/accounting", &["lib", "accounting"], 20, None),
    module(
        "src/mechanism",
        &["lib", "accounting", "papers"],
        20,
        Some(0.91),
    ),
    module("src/audit", &["lib", "audit"], 20, None),
    module("src/problem", &["lib", "papers"], 20, None),
    module("src/solver", &["lib", "papers"], 20, None),
    module("src/ledger", &["lib", "program"], 20, None),
    module("src/report", &["lib", "program"], 20, None),
    module(
        "spec/src/arith",
        &["spec:lib", "spec:privacy"],
        21,
        Some(0.87),
    ),
    module("spec/src/prove", &["spec:lib"], 20, None),
    module("spec/src/privacy", &["spec:lib", "spec:privacy"], 20, None),
    // Mended since: the next draw has another seed.
    module("spec/kernel", &["kernel:kernel"], 22, Some(0.86)),
];

const fn module(
    folder: &'static str,
    programs: &'static [&'static str],
    seed: u64,
    rate: Option<f64>,
) -> Module {
    Module {
        folder,
        programs,
        seed,
        rate,
    }
}

impl Module {
    /// The table of its sample.
    fn file(&self) -> String {
        let name = self.folder.rsplit('/').next().unwrap_or(self.folder);
        format!("mutants_{name}.csv")
    }
}

/// What of the kernel is not trusted: it writes proofs, and finds them.
const UNTRUSTED: [&str; 3] = [
    "spec/kernel/src/render/",
    "spec/kernel/src/search",
    "spec/kernel/src/lib.rs",
];

/// How many mutants of a module that compile are run, if it has as many.
const VIABLE: usize = 150;

/// How many are drawn for that.
const DRAWN: usize = 240;

/// How the reason of a survivor begins that a test written for it kills.
const SINCE: &str = "killed since by ";

/// A test that takes longer is not held against mutants.
const QUICK: Duration = Duration::from_secs(20);

/// What became of a mutant.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Row {
    mutant: String,
    outcome: Outcome,
    /// The test that turned red or did not end.
    test: String,
    /// Of a survivor: why no test sees it.
    why: String,
}

/// A mutant as cargo-mutants lists it.
#[derive(Clone, Debug, Deserialize)]
struct Mutant {
    name: String,
    file: String,
    span: Span,
    replacement: String,
}

#[derive(Clone, Debug, Deserialize)]
struct Span {
    start: Place,
    end: Place,
}

/// Lines and characters, counted from 1.
#[derive(Clone, Debug, Deserialize)]
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    fn byte(&self, text: &str) -> usize {
        let lines = text.split_inclusive('\n');
        let before: usize = lines.clone().take(self.line - 1).map(str::len).sum();
        let line = lines.skip(self.line - 1).take(1).collect::<String>();
        let characters = line.chars().take(self.column - 1);
        before + characters.map(char::len_utf8).sum::<usize>()
    }
}

impl Mutant {
    fn change(&self) -> Change {
        let text = fs::read_to_string(&self.file).expect("cargo-mutants read it");
        Change {
            file: self.file.clone(),
            place: self.span.start.byte(&text)..self.span.end.byte(&text),
            by: self.replacement.clone(),
        }
    }
}

/// The mutants of a package.
fn listed(package: &str) -> Vec<Mutant> {
    let told = Command::new("cargo")
        .args(["mutants", "--list", "--json", "--package", package])
        .output()
        .expect("cargo-mutants is installed");
    assert!(told.status.success(), "{told:?}");
    serde_json::from_slice(&told.stdout).expect("a list of mutants")
}

/// The modules' samples, numbered from 1.
fn drawn(modules: &[&Module]) -> BTreeMap<u32, Mutant> {
    let mut lists: BTreeMap<&str, Vec<Mutant>> = BTreeMap::new();
    let mut numbered = BTreeMap::new();
    for module in modules {
        let package = match module.folder {
            "spec/kernel" => "dp-assay-kernel",
            folder if folder.starts_with("spec/") => "dp-assay-spec",
            _ => "dp-assay",
        };
        let list = lists.entry(package).or_insert_with(|| listed(package));
        let mut own: Vec<Mutant> = list.clone();
        let folder = format!("{}/", module.folder);
        own.retain(|m| {
            m.file.starts_with(&folder) && !UNTRUSTED.iter().any(|u| m.file.starts_with(u))
        });
        own.shuffle(&mut rand_pcg::Pcg64::seed_from_u64(module.seed));
        own.truncate(DRAWN);
        for mutant in own {
            numbered.insert(numbered.len() as u32 + 1, mutant);
        }
    }
    numbered
}

/// A test that was green, with its time and the changed functions that it reaches.
struct Test {
    program: &'static str,
    name: String,
    time: Duration,
    reaches: BTreeSet<usize>,
}

/// The quick tests of the programs.
fn measured(copy: &Copy, built: &Built, programs: &BTreeSet<&'static str>) -> Vec<Test> {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("reached");
    let mut tests = Vec::new();
    let mut left = Vec::new();
    for program in programs {
        for name in copy.tests(built, program) {
            let _ = fs::remove_file(&trace);
            let run = copy.run(
                built,
                program,
                &name,
                &How {
                    awake: 0,
                    limit: QUICK,
                    trace: Some(&trace),
                },
            );
            if run.outcome != Outcome::Survived {
                left.push(format!(
                    "{program} {name}: {:?} in {:?}",
                    run.outcome, run.time
                ));
                continue;
            }
            let reached = fs::read_to_string(&trace).unwrap_or_default();
            let reaches = reached.lines().flat_map(str::parse).collect();
            tests.push(Test {
                program,
                name,
                time: run.time,
                reaches,
            });
        }
    }
    println!("{} tests; left out: {left:#?}", tests.len());
    tests
}

/// Runs the tests that reach a mutant, until one is red.
fn judge(copy: &Copy, built: &Built, tests: &[&Test], number: u32) -> (Outcome, String) {
    for test in tests {
        let limit = 10 * test.time + Duration::from_secs(10);
        let run = copy.run(
            built,
            test.program,
            &test.name,
            &How {
                awake: number,
                limit,
                trace: None,
            },
        );
        if run.outcome != Outcome::Survived {
            return (run.outcome, format!("{} {}", test.program, test.name));
        }
    }
    (Outcome::Survived, String::new())
}

#[test]
#[ignore = "runs a sample of mutants"]
fn mutants_of_the_sample_are_run() {
    let selection = std::env::var("DP_ASSAY_MUTANTS").ok();
    let selected = |m: &&Module| {
        selection
            .as_ref()
            .is_none_or(|s| s.split(',').any(|f| f == m.folder))
    };
    let modules: Vec<&Module> = MODULES.iter().filter(selected).collect();
    assert!(!modules.is_empty(), "no module is in {selection:?}");
    let mutants = drawn(&modules);
    let copy = Copy::make();
    let changes = mutants
        .iter()
        .map(|(number, mutant)| (*number, vec![mutant.change()]));
    let planting = Planting::make(&copy, changes.collect());
    let programs = modules
        .iter()
        .flat_map(|m| m.programs.iter().copied())
        .collect();
    let built = copy.build(&programs).expect("the copy compiles");
    let tests = measured(&copy, &built, &programs);
    for module in modules {
        let folder = format!("{}/", module.folder);
        let mut stored = Stored::<Row>::resume(
            &module.file(),
            "cargo test --test faults mutants -- --ignored",
        );
        let known: BTreeMap<String, Row> = stored
            .rows
            .drain(..)
            .map(|row| (row.mutant.clone(), row))
            .collect();
        let mut kills: BTreeMap<(String, String), u32> = BTreeMap::new();
        let mut ran = 0;
        for (number, mutant) in &mutants {
            if ran == VIABLE || !mutant.file.starts_with(&folder) {
                continue;
            }
            let before = known.get(&mutant.name);
            let why = before.map_or(String::new(), |row| row.why.clone());
            let (outcome, test) = if why.starts_with(SINCE) {
                (Outcome::Survived, String::new())
            } else if planting.unviable.contains(number) {
                (Outcome::NotCompiled, String::new())
            } else if !planting.has(*number) {
                (Outcome::Outside, String::new())
            } else if let Some(row) = before.filter(|row| row.outcome == Outcome::Killed) {
                (Outcome::Killed, row.test.clone())
            } else {
                let functions = &planting.functions[number];
                let mut reaching: Vec<&Test> = tests
                    .iter()
                    .filter(|t| {
                        module.programs.contains(&t.program) && !t.reaches.is_disjoint(functions)
                    })
                    .collect();
                let killed = |t: &Test| {
                    let name = format!("{} {}", t.program, t.name);
                    kills
                        .get(&(mutant.file.clone(), name))
                        .copied()
                        .unwrap_or(0)
                };
                reaching.sort_by_key(|t| (std::cmp::Reverse(killed(t)), t.time));
                judge(&copy, &built, &reaching, *number)
            };
            if outcome == Outcome::Killed {
                *kills
                    .entry((mutant.file.clone(), test.clone()))
                    .or_default() += 1;
            }
            ran += usize::from(viable(outcome));
            println!("{}: {outcome:?} {test}", mutant.name);
            stored.push(Row {
                mutant: mutant.name.clone(),
                outcome,
                test,
                why,
            });
        }
    }
}

/// Whether a mutant compiled and was run.
fn viable(outcome: Outcome) -> bool {
    !matches!(outcome, Outcome::NotCompiled | Outcome::Outside)
}

#[test]
fn the_stored_samples_prove_their_rates() {
    for module in &MODULES {
        let (folder, file) = (module.folder, module.file());
        let stored = Path::new("tests/data").join(&file).exists();
        assert_eq!(
            stored,
            module.rate.is_some(),
            "{file} and its rate go together"
        );
        let Some(rate) = module.rate else {
            continue;
        };
        let rows = Stored::<Row>::read(&file).rows;
        let run: Vec<&Row> = rows.iter().filter(|row| viable(row.outcome)).collect();
        assert!(
            run.len() >= VIABLE,
            "{folder}: {} mutants were run",
            run.len()
        );
        let alive = |row: &&&Row| row.outcome == Outcome::Survived;
        for row in run.iter().filter(alive) {
            assert!(
                row.why.len() > 20,
                "{} survives without a reason",
                row.mutant
            );
        }
        let alive = run.iter().filter(alive).count();
        let proved = rate_lower((run.len() - alive) as u64, run.len() as u64, 0.05);
        let told = format!(
            "{folder}: {alive} of {} alive, at least {proved} are killed",
            run.len()
        );
        assert!(proved >= rate, "{told}");
    }
}

#[test]
fn a_mutant_is_found_by_its_line_and_column() {
    let text = "α\nβ + γ\n";
    let edit = Edit {
        file: String::new(),
        find: "+".into(),
        replace: "-".into(),
    };
    let place = Place { line: 2, column: 3 };
    assert_eq!(place.byte(text), Change::of(&edit, text).place.start);
}
