//! The experiments run end to end at toy size, resume in the same bits, and refuse data that are not
//! the known ones.

use crate::program::{refused, stdout};
use dp_assay::audit::campaign::Shard;
use dp_assay::experiment::{
    Cell, CellProgress, DataError, Effort, Experiment, ExperimentError, Outcome, Outline, PROBLEMS,
    Prepared, Row, Setting, Shelf, catalogue, csv, kept, kept::StoredRun, resolve,
};
use dp_assay::ledger::evidence::PROTOCOL;
use dp_assay::report::experiment::{charts, html};
use rayon::ThreadPoolBuilder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{LazyLock, OnceLock};

const SEED: u64 = 20_260_101;

fn toy() -> Setting {
    Setting {
        effort: Effort::Toy,
        seed: SEED,
        shelf: Shelf::empty(),
        without: Vec::new(),
        selection_cost: false,
    }
}

fn run(experiment: &dyn Experiment, setting: &Setting, store: &Path) -> Outcome {
    let resolved = resolve(experiment, setting).expect("the toy is sound");
    let mut last = (0, 0);
    let outcome = resolved
        .run(store, &mut |done, all| last = (done, all))
        .unwrap_or_else(|e| panic!("{} (seed {SEED}): {e}", experiment.outline().name));
    assert_eq!(last.0, last.1, "the work is done when the run ends");
    outcome
}

/// What came out, and the store that is left.
type Whole = (Outcome, Vec<u8>);

/// Each experiment at toy size, once for all tests that look at it: what came out, and the store that it left.
static WHOLE: LazyLock<BTreeMap<&str, OnceLock<Whole>>> = LazyLock::new(|| {
    let experiments = catalogue().into_iter();
    experiments
        .map(|e| (e.outline().name, OnceLock::new()))
        .collect()
});

fn whole(name: &str) -> &'static Whole {
    WHOLE[name].get_or_init(|| {
        let experiments = catalogue();
        let named = experiments.iter().find(|e| e.outline().name == name);
        let folder = tempfile::tempdir().expect("a folder");
        let store = folder.path().join("whole");
        let outcome = run(named.expect("listed").as_ref(), &toy(), &store);
        (outcome, std::fs::read(store).expect("a store is left"))
    })
}

/// Measurements of time are not a function of the seed.
fn repeatable(rows: &[Row]) -> Vec<&Row> {
    rows.iter().filter(|row| row.metric != "seconds").collect()
}

#[test]
fn every_experiment_runs_at_toy_size_and_resumes_in_the_same_bits() {
    let setting = toy();
    for experiment in catalogue() {
        let name = experiment.outline().name;
        let folder = tempfile::tempdir().expect("a folder");
        let (whole, left) = whole(name);
        assert!(!whole.rows.is_empty(), "{name} measures nothing");
        assert!(
            !whole.inputs.is_empty() && !whole.choices.is_empty(),
            "{name} says too little"
        );
        assert!(
            !whole.tuning.is_empty(),
            "{name} does not say what was tuned"
        );
        for row in &whole.rows {
            assert!(!row.value.is_nan(), "{name}: {row:?}");
        }

        // Half of the cells are forgotten, as if the run had been killed.
        let store = folder.path().join("killed");
        std::fs::write(&store, left).expect("copied");
        let database = rusqlite::Connection::open(&store).expect("a store");
        let gone = database.execute("DELETE FROM chunks WHERE chunk % 2 = 0", []);
        assert!(gone.expect("deleted") > 0, "{name} has no cell to lose");
        drop(database);
        let resumed = run(experiment.as_ref(), &setting, &store);
        assert_eq!(repeatable(&whole.rows), repeatable(&resumed.rows), "{name}");
    }
}

/// Every cell is in one shard, no shard is much heavier than another, and united they are one run.
#[test]
fn shards_together_are_the_whole_run() {
    let setting = toy();
    let experiments = catalogue();
    let named = |name: &str| experiments.iter().find(|e| e.outline().name == name);
    let experiment = named("decor-fig-1a").expect("it is there").as_ref();
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, _) = whole("decor-fig-1a");
    let resolved = resolve(experiment, &setting).expect("the toy is sound");
    let of = 3;
    let stores = (0..of).map(|index| {
        let store = folder.path().join(format!("shard {index}"));
        let mut weight = 0;
        let shard = Shard { index, of };
        let told: CellProgress<'_> = &mut |done, all| weight = if done == all { all } else { 0 };
        resolved.run_shard(&store, shard, told).expect("it runs");
        (store, weight)
    });
    let (stores, weights): (Vec<_>, Vec<_>) = stores.unzip();
    let (least, most) = (weights.iter().min(), weights.iter().max());
    assert!(
        least > Some(&0) && most < least.map(|w| 2 * w).as_ref(),
        "{weights:?}"
    );
    let united = folder.path().join("united");
    resolved
        .merge(&united, &stores)
        .expect("they are of one run");
    let mut steps = Vec::new();
    let merged = resolved.run(&united, &mut |done, all| steps.push((done, all)));
    let merged = merged.expect("nothing is left to do");
    assert!(
        matches!(steps[..], [(done, all)] if done == all),
        "{steps:?}"
    );
    assert_eq!(repeatable(&whole.rows), repeatable(&merged.rows));
    let other = Setting {
        seed: SEED + 1,
        ..toy()
    };
    let other = resolve(experiment, &other).expect("sound");
    let refused = other.merge(&folder.path().join("other"), &stores);
    assert!(matches!(refused, Err(ExperimentError::Store(_))));
}

#[test]
fn another_seed_is_another_experiment() {
    let experiments = catalogue();
    let experiment = experiments[0].as_ref();
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().join("store");
    let (first, left) = whole(experiment.outline().name);
    std::fs::write(&store, left).expect("copied");
    let other = Setting {
        seed: SEED + 1,
        ..toy()
    };
    let refused = resolve(experiment, &other)
        .expect("sound")
        .run(&store, &mut |_, _| ());
    assert!(matches!(refused, Err(ExperimentError::Store(_))));
    let second = run(experiment, &other, &folder.path().join("other"));
    assert_ne!(first.rows[0].value, second.rows[0].value);
    let [a, b] =
        [&toy(), &other].map(|setting| resolve(experiment, setting).expect("sound").store_name());
    assert_ne!(a, b);
}

#[test]
fn data_with_another_checksum_are_refused_and_absent_data_are_not_missed() {
    let folder = tempfile::tempdir().expect("a folder");
    let shelf = Shelf::at(folder.path());
    assert!(shelf.find("a9a.svm.gz").expect("absent").is_none());
    std::fs::write(folder.path().join("a9a.svm.gz"), "-1 1:1\n").expect("written");
    let Err(DataError::Checksum {
        found, expected, ..
    }) = shelf.find("a9a.svm.gz")
    else {
        panic!("a foreign file was taken");
    };
    assert_ne!(found, expected);
    // printf '%s\n' '-1 1:1' | sha256sum
    assert_eq!(
        found,
        "d4957675a42151eb8a29c44514941fd8d6f188d4426629a104c92ff7c8e6029b"
    );
}

/// Of two cells, the second fails.
struct Failing;

impl Experiment for Failing {
    fn outline(&self) -> Outline {
        Outline {
            name: "failing",
            title: "",
            place: "",
            claims: &[],
            axis: "",
        }
    }

    fn prepare(&self, _: &Setting) -> Result<Prepared, ExperimentError> {
        let cells = vec![
            Cell::new("sound", 1, || Ok(Vec::new())),
            Cell::new("mad", 1, || Err("no such number".into())),
        ];
        Ok(Prepared {
            inputs: Vec::new(),
            choices: Vec::new(),
            tuning: String::new(),
            cells,
        })
    }
}

#[test]
fn a_cell_that_fails_is_named_with_its_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let setting = toy();
    let resolved = resolve(&Failing, &setting).expect("it has no data");
    let ended = resolved.run(&folder.path().join("store"), &mut |_, _| ());
    let error = ended.map(|_| ()).expect_err("a cell fails");
    assert_eq!(error.to_string(), "cell `mad`: no such number");
}

#[test]
fn the_tables_have_the_agreed_columns_and_the_page_names_every_stand_in() {
    let (outcome, _) = whole(catalogue()[0].outline().name);
    let table = String::from_utf8(csv(outcome).expect("in memory")).expect("text");
    let mut lines = table.lines();
    insta::assert_snapshot!(lines.next().expect("a header"), @"experiment,problem,method,accounting,epsilon,epsilon_upper,delta,x,metric,run,value,setting");
    assert_eq!(lines.count(), outcome.rows.len());

    let json = serde_json::to_value(outcome).expect("plain structures serialise");
    let keys: Vec<&String> = json.as_object().expect("an object").keys().collect();
    insta::assert_snapshot!(format!("{keys:?}"), @r#"["axis", "choices", "claims", "commit", "comparisons", "date", "effort", "groups", "inputs", "name", "place", "questions", "remarks", "rows", "schema", "seed", "stored", "title", "tuning", "version"]"#);
    let page = html(std::slice::from_ref(outcome));
    let missing = outcome.inputs.iter().filter(|i| i.stand_in.is_some());
    assert_eq!(page.matches("STAND-IN").count(), missing.count());
    for (file, chart) in charts(outcome) {
        assert!(!chart.series.is_empty(), "{file}");
    }
}

/// Keys and types of what is printed, against the schema: every key is in it, every required key is there.
fn fits(value: &Value, schema: &Value, root: &Value, at: &str) {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.trim_start_matches("#/$defs/");
        return fits(value, &root["$defs"][name], root, at);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let plain = |s: &&Value| {
            s["type"] == json_type(value) || s["enum"].as_array().is_some_and(|e| e.contains(value))
        };
        assert!(choices.iter().any(|s| plain(&s)), "{at}: {value}");
        return;
    }
    let kind = json_type(value);
    let kinds = &schema["type"];
    let known = |k: &Value| *k == kind || (*k == "number" && kind == "integer");
    let listed = kinds.as_array().is_some_and(|all| all.iter().any(known));
    assert!(
        known(kinds) || listed || schema["oneOf"].is_array(),
        "{at}: {kind} is not {kinds}"
    );
    if let Some(object) = value.as_object() {
        for (key, value) in object {
            let property = &schema["properties"][key];
            assert!(!property.is_null(), "{at}.{key} is not documented");
            fits(value, property, root, &format!("{at}.{key}"));
        }
        for key in schema["required"].as_array().into_iter().flatten() {
            let key = key.as_str().expect("a name");
            assert!(object.contains_key(key), "{at}.{key} is not printed");
        }
    }
    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
        fits(item, &schema["items"], root, &format!("{at}[{i}]"));
    }
}

fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn printed(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).expect("JSON")
}

/// Of two experiments: one with printed values, one with questions.
#[test]
fn outcomes_in_json_have_the_layout_that_is_documented() {
    let outcomes = ["gcd-fig-1", "decor-claims"].map(|name| &whole(name).0);
    assert!(
        outcomes
            .iter()
            .any(|o| !o.comparisons.is_empty() && !o.remarks.is_empty())
    );
    assert!(outcomes.iter().any(|o| !o.questions.is_empty()));
    let value = serde_json::to_value(outcomes).expect("plain structures serialise");
    let schema = printed(&["schema", "experiment"]);
    fits(&value, &schema, &schema, "outcomes");

    let list = printed(&["experiment", "list", "--format", "json"]);
    let schema = printed(&["schema", "experiment-list"]);
    fits(&list, &schema, &schema, "list");
    assert_eq!(list.as_array().map(Vec::len), Some(catalogue().len()));
}

#[test]
fn a_problem_can_be_left_out_and_the_record_says_so() {
    let experiments = catalogue();
    let setting = Setting {
        without: vec!["dorothea".to_owned()],
        ..toy()
    };
    let folder = tempfile::tempdir().expect("a folder");
    let outcome = run(
        experiments[0].as_ref(),
        &setting,
        &folder.path().join("store"),
    );
    assert!(
        outcome
            .rows
            .iter()
            .all(|row| row.problem != "dorothea-like")
    );
    assert!(
        outcome
            .choices
            .iter()
            .any(|choice| choice.answer == "dorothea")
    );
}

#[test]
fn the_command_lists_every_experiment_and_refuses_an_unknown_one() {
    let list = stdout(&["experiment", "list"]);
    let unknown = refused(&["experiment", "nonesuch"]);
    for experiment in catalogue() {
        let name = experiment.outline().name;
        assert!(list.contains(name), "{name} is not listed");
        assert!(unknown.contains(name), "{name} is not offered: {unknown}");
    }
}

/// The campaign of sign tests at toy size, on a stand-in for a9a.
fn sign_tests() -> &'static Outcome {
    &whole("decor-claims").0
}

#[test]
fn questions_are_asked_of_the_data_that_were_used() {
    let evidence = sign_tests()
        .evidence("2026-01-01".to_owned(), "none".to_owned())
        .expect("it asks");
    // Nothing may be said about the paper's data where others were used.
    let asked: std::collections::BTreeSet<&str> = evidence
        .questions
        .iter()
        .map(|q| q.claim.as_str())
        .collect();
    assert!(!asked.contains("decor-exp-3"));
    assert_eq!(
        asked.into_iter().collect::<Vec<_>>(),
        evidence.fingerprints.keys().collect::<Vec<_>>()
    );
    for question in &evidence.questions {
        assert_eq!(question.first.trials, question.fresh.trials);
    }
}

/// What the protocol draws, by what it is: the first draw of every cell at toy size, and of one of the campaign, whose
/// number of cells counts too.
fn drawn() -> Vec<(String, f64)> {
    let full = Setting {
        effort: Effort::Full,
        ..toy()
    };
    let experiments = catalogue();
    let claims = experiments
        .iter()
        .find(|e| e.outline().name == "decor-claims");
    let prepared = claims.expect("listed").prepare(&full).expect("no files");
    let number = (
        "cells of the campaign".to_owned(),
        prepared.cells.len() as f64,
    );
    let one = prepared
        .cells
        .iter()
        .filter(|cell| cell.name == "DECOR ring, ε = 1");
    // On one thread: its rounds are small, and each would wait for others to wake up.
    let core = ThreadPoolBuilder::new().num_threads(1).build();
    let core = core.expect("a thread can be started");
    let one = one.flat_map(|cell| core.install(|| (cell.work)().expect("it ran")));
    let rows = sign_tests().rows.iter().cloned().chain(one);
    let first = rows.filter(|row| row.run == 0).map(|row| {
        let key = format!(
            "{}; {}; {}; {}; {}",
            row.problem, row.method, row.x, row.metric, row.setting
        );
        (key, row.value)
    });
    first.chain([number]).collect()
}

/// What the ledger stores of that campaign was drawn by the protocol of this number, which these values stand for. To 10⁻⁶, as
/// another platform's logarithms may round otherwise.
#[test]
fn the_protocol_of_the_stored_evidence_draws_what_it_drew() {
    let file = format!("tests/data/sign_tests_{PROTOCOL}.csv");
    let drawn = drawn();
    if std::env::var_os("DP_ASSAY_WRITE").is_some() {
        let lines = drawn.iter().map(|(key, value)| format!("{key}; {value}\n"));
        std::fs::write(&file, lines.collect::<String>()).expect("the source tree is writable");
    }
    let kept = std::fs::read_to_string(&file).expect("the draws of this protocol are kept");
    assert_eq!(kept.lines().count(), drawn.len());
    for (line, (key, now)) in kept.lines().zip(drawn) {
        let (told, value) = line.rsplit_once("; ").expect("a key and a value");
        let value: f64 = value.parse().expect("a number");
        let same = told == key && (now / value - 1.0).abs() < 1e-6;
        assert!(
            same,
            "{line} is now {key}; {now}: raise PROTOCOL, run decor-claims again"
        );
    }
}

/// Settings, noise, solvers or problems that have changed since make the numbers shown stale. To 10⁻⁶, as another platform's
/// logarithms may round otherwise.
#[test]
fn kept_runs_are_of_the_code_as_it_is() {
    let kept = kept::all().expect("of the form");
    let names: Vec<&str> = kept.iter().map(|k| k.experiment.as_str()).collect();
    assert_eq!(names, ["gcd-fig-1", "gcd-fig-3", "gcd-accounting"]);
    for kept in &kept {
        let rows = measured_again(kept);
        assert!(kept.probe.len() > 3, "{}", kept.experiment);
        for old in &kept.probe {
            let same = |new: &&Row| {
                let (value, upper) = (old.value, old.epsilon_upper);
                **new
                    == Row {
                        value: new.value,
                        epsilon_upper: new.epsilon_upper,
                        ..old.clone()
                    }
                    && (new.value == value || (new.value / value - 1.0).abs() < 1e-6)
                    && (new.epsilon_upper == upper
                        || (new.epsilon_upper / upper - 1.0).abs() < 1e-6)
            };
            assert!(rows.iter().any(|new| same(&new)), "stale: {old:?}");
        }
    }
}

/// The rows of all cells that may hold the probe.
fn measured_again(kept: &StoredRun) -> Vec<Row> {
    let Row {
        problem, method, x, ..
    } = &kept.probe[0];
    let others = PROBLEMS.iter().filter(|name| *name != problem);
    let setting = Setting {
        effort: Effort::Full,
        seed: kept.seed,
        without: others.map(|name| (*name).to_owned()).collect(),
        ..toy()
    };
    let experiments = catalogue();
    let named = experiments
        .iter()
        .find(|e| e.outline().name == kept.experiment);
    let prepared = named
        .expect("it is still there")
        .prepare(&setting)
        .expect("no files");
    let (start, end) = (format!("{problem}, {method}, "), format!("{x} passes"));
    let rule = format!("{start}{end}");
    let may = |cell: &&Cell| {
        cell.name == rule
            || (cell.name.starts_with(&start) && cell.name.ends_with(&format!(", {end}")))
    };
    let cells: Vec<&Cell> = prepared.cells.iter().filter(may).collect();
    assert!(!cells.is_empty(), "no cell from {start} to {end}");
    cells
        .iter()
        .flat_map(|cell| (cell.work)().expect("it ran"))
        .collect()
}
