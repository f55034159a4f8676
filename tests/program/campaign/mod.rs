//! Campaigns: plans are checked, shards and restarts change nothing, damaged stores are refused.

mod slurm;

use dp_assay::audit::campaign::plan::{Plan, PlanError};
use dp_assay::audit::campaign::store::Store;
use dp_assay::audit::campaign::{CampaignError, Fixed, Pair, Shard, junit, report, run, status};
use dp_assay::audit::{DrawError, Mechanism, Output, Release, Verdict, from_fn};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::units::Neighbouring;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Randomized response that tells the truth with probability 3/4: exactly ln 3-private. The first
/// audit claims ln 3, the second half of it.
const PLAN: &str = r#"
schema = "dp-assay/plan/1"
seed = 7
alpha = 1e-6
[[audit]]
name = "response at its claim"
mechanism = "response"
claim = { epsilon = 1.0986122886681098, delta = 0.0 }
pairs = 20_000
[[audit]]
name = "response at half its claim"
mechanism = "response"
claim = { epsilon = 0.55, delta = 0.0 }
pairs = 20_000
explore = 1_000
"#;

fn response(bit: &bool, tape: Tape) -> Output {
    let lies = tape.uniform(0, Purpose::User, 0).0 < u64::MAX / 4;
    Output::Category(u64::from(*bit != lies))
}

fn fixed<M: Mechanism<Input = bool> + 'static>(mechanism: M) -> Box<dyn Pair> {
    Box::new(Fixed {
        mechanism,
        neighbours: Neighbouring::ReplaceOne,
        release: Release::Final,
        inputs: [false, true],
    })
}

fn pairs() -> Vec<Box<dyn Pair>> {
    (0..2)
        .map(|_| fixed(from_fn("response", response)))
        .collect()
}

fn count(file: &Path, shard: Shard) {
    let plan = Plan::parse(PLAN).unwrap();
    let store = Store::open(file, &plan).unwrap();
    run(&plan, &pairs(), &store, shard, &mut |_, _| {}).unwrap();
}

/// Every row of a store, as text.
fn dump(file: &Path) -> Vec<String> {
    let database = rusqlite::Connection::open(file).unwrap();
    let mut statement = database
        .prepare(
            "SELECT 'meta ' || key || ' ' || value FROM meta
             UNION ALL SELECT 'events ' || audit || ' ' || events FROM events
             UNION ALL SELECT 'chunk ' || audit || ' ' || chunk || ' ' || counts FROM chunks
             ORDER BY 1",
        )
        .unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn shards_in_any_number_merge_to_the_store_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    count(&whole, Shard::WHOLE);
    for of in [2, 3, 7] {
        let plan = Plan::parse(PLAN).unwrap();
        let merged = folder.path().join(format!("merged-{of}"));
        let store = Store::open(&merged, &plan).unwrap();
        for index in 0..of {
            let part = folder.path().join(format!("part-{index}-{of}"));
            count(&part, Shard { index, of });
            store.merge(&[part]).unwrap();
        }
        drop(store);
        assert_eq!(dump(&merged), dump(&whole), "{of} shards");
    }
}

#[test]
fn verdicts_come_from_the_whole_store() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store");
    let plan = Plan::parse(PLAN).unwrap();
    count(&file, Shard { index: 0, of: 2 });
    let (store, _) = Store::view(&file).unwrap();
    assert_eq!(report(&plan, &pairs(), &store).unwrap(), [None, None]);
    count(&file, Shard { index: 1, of: 2 });
    let reports = report(&plan, &pairs(), &store).unwrap();
    let verdicts: Vec<Verdict> = reports.iter().flatten().map(|r| r.verdict).collect();
    // At its claim a violation has probability at most 1e-6; at half of it the power exceeds 1 − 1e-9
    // (drift of Z is 0.75 − 1.73 · 0.25 = 0.32 in 20,000 pairs). The seed is fixed.
    assert_eq!(verdicts, [Verdict::PassWithPower, Verdict::Violation]);
    for report in reports.iter().flatten() {
        // The two share the error of the plan.
        assert_eq!((report.alpha, report.confidence), (5e-7, 1.0 - 5e-7));
    }
    let found = reports[1]
        .as_ref()
        .unwrap()
        .counterexample
        .as_ref()
        .unwrap();
    assert!(found.epsilon_lower > 0.55 && found.epsilon_lower < 3_f64.ln());
    let named: Vec<_> = plan
        .audits
        .iter()
        .map(|e| e.name.clone())
        .zip(reports)
        .collect();
    let xml = junit("c", &named);
    assert!(
        xml.contains("tests=\"2\" failures=\"1\" errors=\"0\""),
        "{xml}"
    );
}

#[test]
fn a_failing_mechanism_keeps_what_was_counted_and_resumes() {
    struct Failing(AtomicU64);
    impl Mechanism for Failing {
        type Input = bool;
        fn name(&self) -> String {
            "response".into()
        }
        fn draw(&self, input: &bool, tape: Tape) -> Result<Output, DrawError> {
            if self.0.fetch_add(1, Ordering::Relaxed) > 20_000 {
                let reason = "out of memory".into();
                return Err(DrawError::new(self.name(), tape.number(), reason));
            }
            Ok(response(input, tape))
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let (broken, whole) = (folder.path().join("broken"), folder.path().join("whole"));
    let plan = Plan::parse(PLAN).unwrap();
    let store = Store::open(&broken, &plan).unwrap();
    let failing = vec![
        fixed(Failing(AtomicU64::new(0))),
        fixed(from_fn("response", response)),
    ];
    let error = run(&plan, &failing, &store, Shard::WHOLE, &mut |_, _| {}).unwrap_err();
    assert!(matches!(error, CampaignError::Draw { .. }), "{error}");
    let message = error.to_string();
    assert!(
        message.ends_with(", drawn to count: out of memory"),
        "{message}"
    );
    let [counted, behind] = [0, 1].map(|audit| status(&plan, &store).unwrap()[audit].counted);
    assert!(counted > 0 && counted < 5, "{counted} chunks");
    // What stands behind it is counted, and a violation of it is known.
    assert_eq!(behind, 5);
    let found = report(&plan, &failing, &store).unwrap();
    assert!(found[0].is_none());
    assert_eq!(found[1].as_ref().unwrap().verdict, Verdict::Violation);
    drop(store);
    count(&broken, Shard::WHOLE);
    count(&whole, Shard::WHOLE);
    assert_eq!(dump(&broken), dump(&whole));
}

#[test]
fn a_store_of_another_plan_and_a_conflicting_row_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    count(&one, Shard::WHOLE);
    let other = Plan::parse(&PLAN.replace("seed = 7", "seed = 8")).unwrap();
    let error = Store::open(&one, &other).err().unwrap().to_string();
    assert!(
        error.contains("the store's first:\n  seed: 7 | 8"),
        "{error}"
    );

    count(&two, Shard::WHOLE);
    let database = rusqlite::Connection::open(&two).unwrap();
    database
        .execute(
            "UPDATE chunks SET counts = '[]' WHERE audit = 1 AND chunk = 2",
            [],
        )
        .unwrap();
    drop(database);
    let before = dump(&one);
    let store = Store::open(&one, &Plan::parse(PLAN).unwrap()).unwrap();
    let error = store.merge(&[&two]).unwrap_err().to_string();
    assert!(error.contains("disagree on chunk 2 of audit 1"), "{error}");
    drop(store);
    assert_eq!(dump(&one), before);

    std::fs::write(
        &two,
        "not a database, but long enough to be looked at as one",
    )
    .unwrap();
    let error = Store::open(&two, &other).err().unwrap().to_string();
    assert!(error.contains("not a database"), "{error}");
}

#[test]
fn counts_that_cannot_be_right_are_an_error_not_a_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store");
    count(&file, Shard::WHOLE);
    let plan = Plan::parse(PLAN).unwrap();
    let right = dump(&file);
    let change = |sql: &str| {
        let database = rusqlite::Connection::open(&file).unwrap();
        assert_eq!(database.execute(sql, []).unwrap(), 1, "{sql}");
    };
    let of = "WHERE audit = 0 AND chunk = 2";
    let row = |text: &String| text.strip_prefix("chunk 0 2 ").map(str::to_owned);
    let kept = right.iter().find_map(row).unwrap();
    let events = serde_json::from_str::<Vec<[u64; 4]>>(&kept).unwrap().len();
    let nothing = serde_json::to_string(&vec![[0; 4]; events]).unwrap();
    let more = serde_json::to_string(&vec![[0; 4]; events + 1]).unwrap();
    for (counts, reason) in [
        ("[]", "0 events are counted, "),
        (more.as_str(), "events are counted, "),
        (&nothing, "0 pairs are counted of 4096"),
        ("[[1,2,3]]", "invalid length 3"),
        ("[[-1,2,3,4]]", "invalid value"),
        ("", "EOF"),
    ] {
        change(&format!("UPDATE chunks SET counts = '{counts}' {of}"));
        let (store, _) = Store::view(&file).unwrap();
        let error = report(&plan, &pairs(), &store).unwrap_err().to_string();
        let named = error.contains("chunk 2 of audit 0 is damaged: ");
        assert!(named && error.contains(reason), "{counts}: {error}");
    }
    change(&format!(
        "UPDATE chunks SET chunk = 99, counts = '{kept}' {of}"
    ));
    let (store, _) = Store::view(&file).unwrap();
    let error = report(&plan, &pairs(), &store).unwrap_err().to_string();
    assert!(
        error.contains("chunk 99 of audit 0 is damaged: the plan has "),
        "{error}"
    );
    change("UPDATE chunks SET chunk = 2 WHERE audit = 0 AND chunk = 99");
    assert_eq!(dump(&file), right);
    assert!(report(&plan, &pairs(), &store).is_ok());
}

#[test]
fn a_bad_plan_is_refused_with_its_reason() {
    let changed = |from: &str, to: &str| Plan::parse(&PLAN.replacen(from, to, 1)).unwrap_err();
    assert_eq!(
        changed("plan/1", "plan/9"),
        PlanError::Schema("dp-assay/plan/9".into())
    );
    assert_eq!(changed("1e-6", "1.0"), PlanError::Alpha(1.0));
    assert_eq!(
        changed("response at half its claim", "response at its claim"),
        PlanError::Twice("response at its claim".into())
    );
    assert_eq!(
        changed("mechanism = \"response\"", ""),
        PlanError::Subject("response at its claim".into())
    );
    assert_eq!(
        changed("20_000", "0"),
        PlanError::Pairs {
            name: "response at its claim".into(),
            key: "pairs",
            value: 0
        }
    );
    for (from, to, words) in [
        ("seed = 7", "seed = -7", "seed"),
        ("pairs = 20_000", "pears = 20_000", "unknown field `pears`"),
        (
            "pairs = 20_000",
            "pairs = 20_000\nmust_see = 1.0",
            "must_see = 1 must exceed the epsilon claimed",
        ),
        (
            "epsilon = 1.0986122886681098",
            "epsilon = nan",
            "epsilon = NaN must be finite and >= 0",
        ),
        (
            "delta = 0.0",
            "delta = 1.5",
            "delta = 1.5 must lie in [0, 1]",
        ),
    ] {
        let error = changed(from, to).to_string();
        assert!(error.contains(words), "{to}: {error}");
    }
    let seen = PLAN.replacen("pairs = 20_000", "pairs = 20_000\nmust_see = 3.0", 1);
    assert!(Plan::parse(&seen).is_ok());
}

/// A plan of built-in mechanisms that keeps a process busy for some seconds.
const LONG: &str = r#"
schema = "dp-assay/plan/1"
seed = 3
[[audit]]
name = "laplace"
mechanism = "laplace"
claim = { epsilon = 1.0, delta = 0.0 }
pairs = 600_000
explore = 5_000
[[audit]]
name = "a sum"
mechanism = "prefix-sum"
claim = { epsilon = 2.0, delta = 0.0 }
pairs = 200_000
explore = 5_000
"#;

/// The process that works through [`LONG`].
fn process(folder: &Path, store: &str) -> Command {
    let plan = folder.join("plan.toml");
    std::fs::write(&plan, LONG).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_dp-assay"));
    command.args(["campaign", "run"]).arg(plan);
    command.arg("--store").arg(folder.join(store));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Chunks in a store; none if there is no store yet.
fn counted(file: &Path) -> u64 {
    let Ok((store, plan)) = Store::view(file) else {
        return 0;
    };
    status(&plan, &store)
        .unwrap()
        .iter()
        .map(|s| s.counted)
        .sum()
}

#[test]
fn a_campaign_killed_at_20_random_moments_ends_with_the_store_of_an_undisturbed_one() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    assert!(process(folder.path(), "whole").status().unwrap().success());
    let whole = dump(&whole);

    let mut moments = Tape::new(20).stream(0, Purpose::Data, 0);
    let (mut kills, mut interrupted, mut before) = (0, 0, 0);
    while kills < 20 {
        let mut running = process(folder.path(), "killed").spawn().unwrap();
        std::thread::sleep(Duration::from_micros(moments.uniform().0 % 120_000));
        if running.try_wait().unwrap().is_some() {
            // It was done: once more from the start.
            assert_eq!(dump(&killed), whole);
            std::fs::remove_file(&killed).unwrap();
            before = 0;
            continue;
        }
        running.kill().unwrap(); // SIGKILL
        running.wait().unwrap();
        kills += 1;
        let after = counted(&killed);
        assert!(
            after >= before,
            "{before} chunks were counted, {after} are left"
        );
        interrupted += u64::from(after > before);
        before = after;
    }
    assert!(interrupted > 0, "no kill came while chunks were counted");
    assert!(process(folder.path(), "killed").status().unwrap().success());
    assert_eq!(dump(&killed), whole);
}

#[test]
fn a_full_disk_is_an_error_and_what_was_counted_stays() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, full] = ["whole", "full"].map(|name| folder.path().join(name));
    assert!(process(folder.path(), "whole").status().unwrap().success());

    // No file grows beyond 40 blocks of 512 bytes; a write beyond is an error, not a signal.
    let unlimited = process(folder.path(), "full");
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 40; exec \"$0\" \"$@\""]);
    limited
        .arg(unlimited.get_program())
        .args(unlimited.get_args());
    let output = limited.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{message}");
    let named = message.contains(full.to_str().unwrap());
    assert!(named && message.contains("disk"), "{message}");

    let left = counted(&full);
    assert!(left > 0 && left < counted(&whole), "{left} chunks are left");
    assert!(process(folder.path(), "full").status().unwrap().success());
    assert_eq!(dump(&full), dump(&whole));
}

/// Before, chunks of a pair whose file had been written anew were counted with those of the old one.
#[test]
fn a_store_keeps_to_the_inputs_that_it_was_begun_with() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("a temporary file");
    };
    write("a", "[0]");
    write("b", "[1]");
    write(
        "plan.toml",
        r#"
schema = "dp-assay/plan/1"
seed = 7
[[audit]]
name = "dies"
external = { command = "false", input0 = "a", input1 = "b" }
claim = { epsilon = 1.0, delta = 0.0 }
neighbours = "replace-one"
pairs = 10_000
"#,
    );
    let run = || {
        let (plan, store) = (folder.path().join("plan.toml"), folder.path().join("store"));
        let (plan, store) = (
            plan.to_str().expect("UTF-8"),
            store.to_str().expect("UTF-8"),
        );
        crate::program::refused(&["campaign", "run", plan, "--store", store, "--quiet"])
    };
    let first = run();
    assert!(!first.contains("another plan"), "{first}");
    assert_eq!(run(), first);
    write("b", "[2]");
    let changed = run();
    assert!(changed.contains("it belongs to another plan"), "{changed}");
    assert!(changed.contains("contents"), "{changed}");
    write("b", "[1]");
    assert_eq!(run(), first);
}

/// Before, the shards ahead of the one that was refused stayed in the store, and `report` spoke of whatever plan was asked.
#[test]
fn a_merge_that_fails_changes_nothing_and_a_report_of_another_plan_is_refused() {
    use crate::program::refused;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let small = LONG
        .replace("600_000", "20_000")
        .replace("200_000", "20_000");
    let [plan, other] = ["plan.toml", "other.toml"].map(at);
    std::fs::write(&plan, &small).expect("a temporary file");
    std::fs::write(&other, small.replace("seed = 3", "seed = 4")).expect("a temporary file");
    let shard = |plan: &str, store: &str, shard: &str| {
        let made = [
            "campaign", "run", plan, "--quiet", "--store", store, "--shard", shard,
        ];
        crate::program::stdout(&made);
    };
    let [one, two, foreign, united] = ["one", "two", "foreign", "united"].map(at);
    shard(&plan, &one, "0/3");
    shard(&plan, &two, "1/3");
    shard(&other, &foreign, "2/3");
    // A store that was there stays as it was, one that was not is not made.
    let before = dump(Path::new(&two));
    for store in [&two, &united] {
        let told = refused(&["campaign", "merge", &plan, "--store", store, &one, &foreign]);
        assert!(told.contains("foreign"), "{told}");
    }
    assert_eq!(dump(Path::new(&two)), before);
    assert!(!Path::new(&united).exists());
    // Shards that disagree with one another, not with the store.
    let database = rusqlite::Connection::open(&two).expect("a store");
    let spoilt =
        "INSERT INTO chunks SELECT audit, 0, counts FROM chunks WHERE audit = 0 AND chunk = 1";
    assert_eq!(database.execute(spoilt, []).expect("two tables"), 1);
    drop(database);
    let told = refused(&["campaign", "merge", &plan, "--store", &united, &one, &two]);
    assert!(told.contains("disagree on chunk 0 of audit 0"), "{told}");
    assert!(!Path::new(&united).exists());

    let told = refused(&["campaign", "report", &other, "--store", &one]);
    assert!(told.contains("the store's first:\n  seed: 3 | 4"), "{told}");
}
