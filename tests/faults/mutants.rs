//! A random sample of the changes that cargo-mutants makes, module by module, each against the tests that reach it.
//!
//! What is drawn is woven into one build. Each test that its module names then runs once, which tells how long it
//! takes and which changed functions it reaches; a mutant is held against the tests that reach it, those that
//! killed others of its file first, then the quickest, until one turns red or they have taken [`ENOUGH`]. Tests of more
//! than [`QUICK`] are left out, and those that read the sources and are red in the copy, so that the rate is a lower
//! bound of the gate's. Times are the processor's, so that a busy machine makes nothing look endless.
//!
//! A stored rate is that of tests which had not seen the sample. What survives gets a reason or a test; such a mutant
//! stays a survivor in the table, and its reason begins with [`SINCE`]. Once tests have been mended by a draw, the
//! next rate is that of a draw with another seed: a table says its own, and one of another seed is refused. Behind
//! [`SAME`] stands a proof that nothing differs: a table with such rows says in its line `# killed: ` the rate of all and that of the others, which
//! `DP_ASSAY_WRITE=1 cargo test --test faults stored_samples` writes anew once reasons are.
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
use crate::plant::{Built, Copy, How, Outcome, Run};
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
use std::sync::{Mutex, mpsc};
use std::time::Duration;

/// A module and the tests that its mutants are held against.
struct Module {
    folder: &'static str,
    /// Test programs; after a space, how the names of the tests begin that are taken of one.
    programs: &'static [&'static str],
    /// What its sample is drawn with.
    seed: u64,
    /// How many of its mutants that compile are run, if it has as many.
    viable: usize,
    /// The rate of mutants killed that its stored sample proves at 95 % confidence, rounded down; none while no
    /// sample is stored.
    rate: Option<f64>,
}

const MODULES: [Module; 11] = [
    // By the draws of accounting, audit and report tests were mended: the next have other seeds.
    module(
        "src/accounting",
        &["lib accounting::", "accounting", "papers decor::"],
        29,
        Some(0.91),
    )
    .of(300),
    module(
        "src/mechanism",
        &["lib", "accounting", "papers"],
        20,
        Some(0.91),
    ),
    module(
        "src/audit",
        &["lib audit::", "audit", "papers", "program"],
        26,
        Some(0.92),
    ),
    module("src/problem", &["lib", "papers"], 23, Some(0.91)),
    module(
        "src/solver",
        &["lib solver::", "papers", "program"],
        23,
        Some(0.93),
    ),
    module("src/ledger", &["lib", "program"], 22, Some(0.93)),
    module("src/report", &["lib", "program"], 27, Some(0.93)).of(300),
    module(
        "spec/src/arith",
        &["spec:lib", "spec:privacy"],
        22,
        Some(0.90),
    ),
    module(
        "spec/src/privacy",
        &["spec:lib", "spec:privacy"],
        23,
        Some(0.92),
    ),
    module("spec/src/prove", &["spec:lib"], 23, Some(0.93)),
    // Of the 1,002 changes there that compile, drawn or not, those that survive are in `spec/kernel/tests/kernel/equivalents.rs`.
    module("spec/kernel", &["kernel:kernel"], 23, Some(0.91)),
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
        viable: VIABLE,
        rate,
    }
}

impl Module {
    /// With a larger sample, so that chance takes less off the rate that it proves.
    const fn of(self, viable: usize) -> Self {
        Self { viable, ..self }
    }

    /// How many are drawn so that enough of them compile.
    const fn drawn(&self) -> usize {
        self.viable * 4 / 3
    }

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

/// The program of an entry of [`Module::programs`], and how its tests' names begin.
fn part(entry: &'static str) -> (&'static str, &'static str) {
    entry.split_once(' ').unwrap_or((entry, ""))
}

/// How many mutants of a module that compile are run at least, if it has as many.
const VIABLE: usize = 150;

/// How the reason of a survivor begins that a test written for it kills.
const SINCE: &str = "killed since by ";

/// How the reason of a survivor begins whose change cannot be observed; the proof follows.
const SAME: &str = "no test can see it: ";

/// Under which name a table's head says what it proves.
const KILLED: &str = "killed";

/// Under which name it says what its sample was drawn with.
const SEED: &str = "seed";

/// A test that takes longer is not held against mutants.
const QUICK: Duration = Duration::from_secs(5);

/// A mutant that tests have not seen in this time has survived.
const ENOUGH: Duration = Duration::from_secs(60);

/// How many tests run at a time.
const WORKERS: usize = 2;

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
        own.truncate(module.drawn());
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

impl Test {
    /// What it did by itself: itself, or why it is left out.
    fn measured(
        copy: &Copy,
        built: &Built,
        program: &'static str,
        name: String,
    ) -> Result<Self, String> {
        let trace = tempfile::NamedTempFile::new().expect("there is room for a file");
        let how = How {
            awake: 0,
            limit: QUICK,
            trace: Some(trace.path()),
        };
        let run = copy.run(built, program, &name, &how);
        if run.outcome != Outcome::Survived {
            let Run { outcome, time } = run;
            return Err(format!("{program} {name}: {outcome:?} in {time:?}"));
        }
        let reached = fs::read_to_string(trace.path()).expect("it was made");
        Ok(Self {
            program,
            name,
            time: run.time,
            reaches: reached.lines().flat_map(str::parse).collect(),
        })
    }

    fn called(&self) -> String {
        format!("{} {}", self.program, self.name)
    }
}

/// Does the work of each place, several at a time, and gives what comes of them in their order.
fn each<T: Sync, R: Send>(work: &[T], run: impl Fn(&T) -> R + Sync, mut done: impl FnMut(R)) {
    let queue = Mutex::new(work.iter().enumerate());
    let next = || queue.lock().expect("no worker died").next();
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                while let Some((place, item)) = next() {
                    sender.send((place, run(item))).expect("it is received");
                }
            });
        }
        drop(sender);
        let mut ahead = BTreeMap::new();
        let mut place = 0;
        for (from, result) in receiver {
            ahead.insert(from, result);
            while let Some(result) = ahead.remove(&place) {
                done(result);
                place += 1;
            }
        }
    });
}

/// The quick tests that are selected.
fn measured(copy: &Copy, built: &Built, entries: &BTreeSet<&'static str>) -> Vec<Test> {
    let mut named = BTreeSet::new();
    for (program, start) in entries.iter().map(|entry| part(entry)) {
        let names = copy.tests(built, program).into_iter();
        let selected = names.filter(|name| name.starts_with(start));
        named.extend(selected.map(|name| (program, name)));
    }
    let named: Vec<_> = named.into_iter().collect();
    let (mut tests, mut left) = (Vec::new(), Vec::new());
    each(
        &named,
        |(program, name)| Test::measured(copy, built, program, name.clone()),
        |result| match result {
            Ok(test) => tests.push(test),
            Err(why) => left.push(why),
        },
    );
    println!("{} tests; left out: {left:#?}", tests.len());
    tests
}

/// The run of a module's sample.
struct Campaign<'a> {
    module: &'a Module,
    copy: &'a Copy,
    built: &'a Built,
    planting: &'a Planting,
    tests: Vec<&'a Test>,
    /// Rows of a run before, by their mutants.
    known: BTreeMap<String, Row>,
    /// How many mutants of a file a test has killed.
    kills: Mutex<BTreeMap<(String, String), u32>>,
}

impl Campaign<'_> {
    /// The tests that reach a mutant, in the order in which they are tried.
    fn reaching(&self, number: u32, mutant: &Mutant) -> Vec<&Test> {
        let functions = &self.planting.functions[&number];
        let reaching = |t: &&&Test| !t.reaches.is_disjoint(functions);
        let mut tests: Vec<&Test> = self.tests.iter().filter(reaching).copied().collect();
        let kills = self.kills.lock().expect("no worker died");
        let killed = |t: &Test| kills.get(&(mutant.file.clone(), t.called())).unwrap_or(&0);
        tests.sort_by_key(|t| (std::cmp::Reverse(killed(t)), t.time));
        tests
    }

    /// Runs the tests that reach a mutant, until one is red.
    fn judge(&self, number: u32, mutant: &Mutant) -> (Outcome, String) {
        let mut taken = Duration::ZERO;
        for test in self.reaching(number, mutant) {
            if taken > ENOUGH {
                break;
            }
            let how = How {
                awake: number,
                limit: 10 * test.time + Duration::from_secs(10),
                trace: None,
            };
            let run = self.copy.run(self.built, test.program, &test.name, &how);
            if run.outcome != Outcome::Survived {
                return (run.outcome, test.called());
            }
            taken += run.time;
        }
        (Outcome::Survived, String::new())
    }

    fn row(&self, number: u32, mutant: &Mutant) -> Row {
        let before = self.known.get(&mutant.name);
        let why = before.map_or(String::new(), |row| row.why.clone());
        let (outcome, test) = if why.starts_with(SINCE) {
            (Outcome::Survived, String::new())
        } else if self.planting.unviable.contains(&number) {
            (Outcome::NotCompiled, String::new())
        } else if !self.planting.has(number) {
            (Outcome::Outside, String::new())
        } else if let Some(row) = before.filter(|row| row.outcome == Outcome::Killed) {
            (Outcome::Killed, row.test.clone())
        } else {
            self.judge(number, mutant)
        };
        if outcome == Outcome::Killed {
            let mut kills = self.kills.lock().expect("no worker died");
            let key = (mutant.file.clone(), test.clone());
            *kills.entry(key).or_default() += 1;
        }
        println!("{}: {outcome:?} {test}", mutant.name);
        Row {
            mutant: mutant.name.clone(),
            outcome,
            test,
            why,
        }
    }

    /// The mutants up to the last that is run.
    fn sample<'m>(&self, mutants: &'m BTreeMap<u32, Mutant>) -> Vec<(u32, &'m Mutant)> {
        let folder = format!("{}/", self.module.folder);
        let own = mutants.iter().filter(|(_, m)| m.file.starts_with(&folder));
        let mut run = 0;
        let wanted = own.take_while(|(number, _)| {
            let before = run;
            run += usize::from(self.planting.has(**number));
            before < self.module.viable
        });
        wanted.map(|(number, mutant)| (*number, mutant)).collect()
    }
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
    let entries: BTreeSet<&str> = modules.iter().flat_map(|m| m.programs).copied().collect();
    let programs = entries.iter().map(|entry| part(entry).0).collect();
    let built = copy.build(&programs).expect("the copy compiles");
    let tests = measured(&copy, &built, &entries);
    for module in modules {
        let command = "cargo test --test faults mutants -- --ignored";
        let mut stored = Stored::<Row>::resume(&module.file(), command);
        let seed = module.seed.to_string();
        if stored.noted(SEED) != Some(seed.as_str()) {
            // What tests had seen of another sample is no row of this one.
            stored.rows.clear();
        }
        stored.note(SEED, &seed);
        let (quick, enough) = (QUICK.as_secs(), ENOUGH.as_secs());
        let told = format!("those of at most {quick} seconds, for {enough} seconds a mutant");
        stored.note("tests", &told);
        let known = stored.rows.drain(..);
        let holds = |t: &&Test| {
            let mut parts = module.programs.iter().map(|entry| part(entry));
            parts.any(|(program, start)| t.program == program && t.name.starts_with(start))
        };
        let campaign = Campaign {
            module,
            copy: &copy,
            built: &built,
            planting: &planting,
            tests: tests.iter().filter(holds).collect(),
            known: known.map(|row| (row.mutant.clone(), row)).collect(),
            kills: Mutex::default(),
        };
        each(
            &campaign.sample(&mutants),
            |(number, mutant)| campaign.row(*number, mutant),
            |row| stored.push(row),
        );
        let (_, told) = rates(&stored.rows);
        stored.note(KILLED, &told);
        stored.write();
    }
}

/// Whether a mutant compiled and was run.
fn viable(outcome: Outcome) -> bool {
    !matches!(outcome, Outcome::NotCompiled | Outcome::Outside)
}

/// How many of the mutants that were run are killed, of all and of those that differ, with what that proves of the rates.
fn rates(rows: &[Row]) -> (f64, String) {
    let run: Vec<&Row> = rows.iter().filter(|row| viable(row.outcome)).collect();
    let killed = run.iter().filter(|row| row.outcome != Outcome::Survived);
    let killed = killed.count() as u64;
    let differ = run.iter().filter(|row| !row.why.starts_with(SAME)).count() as u64;
    let all = run.len() as u64;
    let [proved, apart] = [all, differ].map(|of| rate_lower(killed, of, 0.05));
    let told = format!(
        "{killed} of {all}, at least {proved:.4}; of {differ} that differ at least {apart:.4}"
    );
    (proved, told)
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
        let mut table = Stored::<Row>::read(&file);
        let seed = table.noted(SEED).map(str::to_owned);
        let due = Some(module.seed.to_string());
        assert_eq!(seed, due, "{file} is of another draw: run its campaign");
        let (proved, told) = rates(&table.rows);
        if std::env::var_os("DP_ASSAY_WRITE").is_some() {
            table.note(KILLED, &told);
            table.write();
        }
        let run: Vec<&Row> = { table.rows.iter() }
            .filter(|row| viable(row.outcome))
            .collect();
        assert!(
            run.len() >= module.viable,
            "{folder}: {} mutants were run",
            run.len()
        );
        for row in &run {
            let alive = row.outcome == Outcome::Survived;
            let (mutant, why) = (&row.mutant, &row.why);
            assert!(
                !alive || why.len() > 20,
                "{mutant} survives without a reason"
            );
            assert!(alive || !why.starts_with(SAME), "{mutant} was seen");
        }
        assert!(proved >= rate, "{folder}: {told}");
        let same = run.iter().any(|row| row.why.starts_with(SAME));
        let said = table.noted(KILLED) == Some(told.as_str());
        assert!(!same || said, "{file} does not say {told}");
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
