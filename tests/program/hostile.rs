//! What a hostile user tries: numbers that no double holds, flags that would change nothing, pipes, stores of odd names.

use crate::program::{dp_assay, json, refused, stderr};
use crate::records::{files, stored};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const VANISHES: &str = "1e-400` is not 0, but nearer to 0 than to any other double";

/// Read as 0, a number would lose what it tells apart from 0.
#[test]
fn no_reader_takes_a_number_for_0_that_is_not() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name, text| stored(folder.path(), name, text);
    let event = file("event.json", r#"{"kind": "pure", "epsilon": 1e-400}"#);
    let free = r#"{"kind": "composed", "events": [{"kind": "pure", "epsilon": "?"}, {"kind": "pure", "epsilon": 1e-400}]}"#;
    let free = file("free.json", free);
    let table = file("table.csv", "0.5,0\n1e-400,1\n0.25,1\n");
    let labels = file("labels.csv", "0.5,0\n0.5,1e-400\n");
    let sparse = file("sparse.svm", "1 1:0.5\n-1 1:1e-400\n");
    let scores = file("scores.csv", "1e-400,1\n2,0\n");
    for arguments in [
        vec!["account", "event", &event, "--delta", "0"],
        vec![
            "calibrate",
            "event",
            &free,
            "--epsilon",
            "1",
            "--delta",
            "0",
        ],
        vec!["fit", "gd", "--data", &table],
        vec!["fit", "gd", "--data", &labels],
        vec!["fit", "gd", "--data", &sparse],
        vec!["fit", "adassp", "--data", &labels],
        vec!["audit", "one-run", &scores],
    ] {
        let message = refused(&arguments);
        assert!(message.contains(VANISHES), "{arguments:?}: {message}");
    }
    let plan = stored(
        folder.path(),
        "plan.toml",
        &PLAN.replace("delta = 0.0", "delta = 1e-400"),
    );
    let store = folder.path().join("store").display().to_string();
    let message = refused(&["campaign", "run", &plan, "--store", &store]);
    assert!(message.contains(VANISHES), "{message}");
    let rate = [
        "account",
        "subsampled-gaussian",
        "--sigma",
        "1",
        "--q",
        " 1e-400",
        "--delta",
        "1e-5",
    ];
    assert!(refused(&rate).contains("nearer to 0 than to any other"));
    // A folder of that name is none of it.
    let named = folder.path().join("1e-400");
    std::fs::create_dir(&named).expect("a folder");
    let good = stored(&named, "event.json", r#"{"kind": "pure", "epsilon": 1}"#);
    json(&["account", "event", &good, "--delta", "0"]);
    for argument in ["eps=1e-400", "eps=1,delta=1e-400"] {
        let message = refused(&["audit", "laplace", "--claim", argument]);
        assert!(
            message.contains("nearer to 0 than to any other"),
            "{message}"
        );
    }
    let model = folder.path().join("model.json").display().to_string();
    let good = file("good.csv", "0.5,0\n0.25,1\n0.25,0\n0.125,1\n");
    assert!(
        dp_assay(&["fit", "gd", "--data", &good, "--out", &model])
            .status
            .success()
    );
    let text = std::fs::read_to_string(&model).expect("a model");
    let intercept = text.find("\"intercept\": ").expect("its intercept") + 13;
    let end = intercept + text[intercept..].find(',').expect("more behind it");
    let other = format!("{}1e-400{}", &text[..intercept], &text[end..]);
    let other = file("other.json", &other);
    let message = refused(&["predict", &other, "--data", &good]);
    assert!(message.contains(VANISHES), "{message}");
}

#[test]
fn flags_that_would_change_nothing_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, real] = files(folder.path());
    let scores = stored(folder.path(), "scores.csv", "1,1\n2,0\n");
    let tree = r#"{"kind": "pure", "epsilon": "?"}"#;
    let tree = stored(folder.path(), "tree.json", tree);
    let fit = |arguments: &str| format!("fit {arguments} --data {classes}");
    let decor = "account decor --graph ring:4 --sigma-cdp 1 --sigma-cor 1 --delta 1e-5";
    let calibrate = "calibrate gaussian --epsilon 1 --delta 1e-5";
    for (line, words) in [
        (fit("gd --sampling nice:2"), "--sampling goes with skgd"),
        (fit("skgd --batch fixed-size"), "--batch goes with dp-sgd"),
        (
            fit("auto --rate 0.3"),
            "--rate goes with dp-sgd and ambssgd",
        ),
        (
            fit("gcd --rounds 3"),
            "--rounds goes with skgd, dp-cd and gd",
        ),
        (
            format!("fit adassp --step 0.5 --data {real}"),
            "--step goes with methods that take",
        ),
        (
            fit("gd --bounds-share 0.5"),
            "--bounds-share goes with --bounds private",
        ),
        (
            fit("gd --share 0.5"),
            "--share goes with --smoothness private",
        ),
        (
            fit("gd --bounds private --bounds-share 0"),
            "leaves nothing for private ranges",
        ),
        (
            fit("kl-spider --length 7"),
            "--length goes with noisy-gd and kl-prox",
        ),
        (fit("noisy-gd --rounds 7"), "--rounds goes with kl-prox"),
        (fit("noisy-gd --select"), "--select goes with adaptive-gd"),
        (
            fit("kl-spider --weak-convexity 0.9"),
            "--weak-convexity goes with",
        ),
        (fit("noisy-gd --dimension 7"), "cannot be used with"),
        (
            "fit noisy-gd --builtin sine --bound 2".into(),
            "cannot be used with",
        ),
        (
            "audit laplace --claim eps=1 --neighbours add-remove".into(),
            "--neighbours goes with `external`",
        ),
        (
            "audit laplace --claim eps=1 --timeout 3".into(),
            "--timeout goes with `external`",
        ),
        (
            "audit external --set scale=2".into(),
            "--set goes with built-in mechanisms",
        ),
        (
            format!("audit one-run {scores} --trials 9"),
            "--trials goes with audits of mechanisms",
        ),
        (
            format!("audit one-run {scores} --report x.html"),
            "--report goes with audits of",
        ),
        (
            "audit laplace --claim eps=1 --scale 1 --set scale=2".into(),
            "`scale` is given twice, as 1 and 2",
        ),
        (
            "audit list --claim eps=1".into(),
            "--claim goes with audits, not with `list`",
        ),
        (
            format!("{decor} --compare"),
            "--compare does not go with decor",
        ),
        (
            format!("{decor} --certified"),
            "--certified does not go with decor",
        ),
        (
            format!("{decor} --cap 3"),
            "--cap does not go with --sampling poisson",
        ),
        (
            format!("{calibrate} --sigma 3"),
            "--sigma is what is searched for",
        ),
        (format!("{calibrate} --oracle-width 0.1"), "--oracle"),
        (
            format!("calibrate event {tree} --epsilon 1 --delta 0 --records 50"),
            "--records does not go with this mechanism",
        ),
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let message = refused(&arguments);
        assert!(message.contains(words), "{line}: {message}");
    }
}

/// A pipe of two thousand records gave a model of the last 1,702 of them.
#[test]
fn data_that_can_be_read_only_once_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let good = stored(
        folder.path(),
        "good.csv",
        "0.5,0\n0.25,1\n0.25,0\n0.125,1\n",
    );
    let model = folder.path().join("model.json").display().to_string();
    assert!(
        dp_assay(&["fit", "gd", "--data", &good, "--out", &model])
            .status
            .success()
    );
    let piped = |arguments: &[&str], data: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_dp-assay"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program");
        let mut stdin = program.stdin.take().expect("it is piped");
        // The program may have refused already.
        let _ = stdin.write_all(data.as_bytes());
        drop(stdin);
        program.wait_with_output().expect("it ends")
    };
    let fit = ["fit", "gd", "--data", "/dev/stdin"];
    let predict = ["predict", &model, "--data", "/dev/stdin"];
    // Without a label, the data of `predict` are read a second time.
    for (arguments, data) in [(&fit, "0.5,0\n"), (&predict, "0.5\n")] {
        let output = piped(arguments, data);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let message = stderr(&output);
        assert!(
            message.contains("/dev/stdin: no file"),
            "{arguments:?}: {message}"
        );
    }
    let once = piped(&predict, "0.5,0\n0.125,1\n");
    assert!(once.status.success(), "{}", stderr(&once));
    assert_eq!(once.stdout.split(|b| *b == b'\n').count(), 3);
}

/// Of a bound beyond these the square, in smoothness constants and noise, would be 0 or infinite: a step would be NaN.
#[test]
fn a_bound_on_features_has_powers_that_are_numbers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, real] = files(folder.path());
    for (method, data) in [
        ("gd", &classes),
        ("adassp", &real),
        ("adaptive-gd", &classes),
    ] {
        let fit = |bound| ["fit", method, "--data", data, "--bound", bound];
        for bound in ["1e308", "2e-76", "0", "inf"] {
            let message = refused(&fit(bound));
            let shown = format!("bound = {bound} must be in [1e-75, 1e75]");
            assert!(message.contains(&shown), "{method}: {message}");
        }
        for bound in ["1e75", "1e-75"] {
            let output = dp_assay(&fit(bound));
            assert!(output.status.success(), "{method}: {}", stderr(&output));
        }
    }
}

const PLAN: &str = "schema = \"dp-assay/plan/1\"\nseed = 7\n[[audit]]\nname = \"one\"\nmechanism = \"laplace\"\n\
                    claim = { epsilon = 1.0, delta = 0.0 }\npairs = 4096\n";

#[test]
fn a_store_is_a_file_whatever_its_name_and_not_merged_with_itself() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let plan = stored(folder.path(), "plan.toml", PLAN);
    // To SQLite this name is no file.
    let run = Command::new(env!("CARGO_BIN_EXE_dp-assay"))
        .args(["campaign", "run", &plan, "--store", ":memory:"])
        .current_dir(folder.path())
        .output()
        .expect("the program");
    let store = folder.path().join(":memory:");
    assert!(store.is_file(), "{}", stderr(&run));
    let store = store.display().to_string();
    let message = refused(&["campaign", "merge", &plan, "--store", &store, &store]);
    assert!(
        message.contains("this is the store that it would be merged into"),
        "{message}"
    );
    merges_a_store_of_a_name_that_is_no_text(folder.path(), &plan, &store);
    let status = json(&["campaign", "status", &store]);
    assert_eq!(status[0]["counted"], 1);
}

#[cfg(unix)]
fn merges_a_store_of_a_name_that_is_no_text(folder: &Path, plan: &str, store: &str) {
    use std::os::unix::ffi::OsStrExt;
    let shard = folder.join(std::ffi::OsStr::from_bytes(b"n\xff.sqlite"));
    std::fs::copy(store, &shard).expect("a copy");
    let merged = folder.join("merged.sqlite");
    let output = Command::new(env!("CARGO_BIN_EXE_dp-assay"))
        .args(["campaign", "merge", plan, "--store"])
        .args([&merged, &shard])
        .output()
        .expect("the program");
    assert!(output.status.success(), "{}", stderr(&output));
    let status = json(&["campaign", "status", &merged.display().to_string()]);
    assert_eq!(status[0]["counted"], 1);
}

#[cfg(not(unix))]
fn merges_a_store_of_a_name_that_is_no_text(_: &Path, _: &str, _: &str) {}

/// No result is no pass, and the relation of a built-in pair is not for a plan to say.
#[test]
fn a_campaign_says_no_more_than_was_counted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = PLAN.replace("4096", "9000");
    let plan = stored(folder.path(), "plan.toml", &text);
    let store = folder.path().join("store.sqlite").display().to_string();
    let part = dp_assay(&[
        "campaign", "run", &plan, "--store", &store, "--shard", "0/2",
    ]);
    assert_eq!(part.status.code(), Some(0), "{}", stderr(&part));
    let report = dp_assay(&["campaign", "report", &plan, "--store", &store]);
    assert_eq!(report.status.code(), Some(3), "{}", stderr(&report));
    let other = stored(
        folder.path(),
        "other.toml",
        &format!("{text}neighbours = \"user\"\n"),
    );
    let message = refused(&["campaign", "run", &other, "--store", &store]);
    assert!(
        message.contains("its inputs are replace-one neighbours, not user"),
        "{message}"
    );
    let program = text.replace(
        "mechanism = \"laplace\"",
        "external = { command = \"x\", input0 = \"plan.toml\", input1 = \"other.toml\" }\n\
         neighbours = \"user\"\nparameters = { scale = 2.0 }",
    );
    let program = stored(folder.path(), "program.toml", &program);
    let message = refused(&["campaign", "run", &program, "--store", &store]);
    assert!(
        message.contains("is of a program, which takes no `parameters`"),
        "{message}"
    );
}

#[test]
fn a_decimal_comma_is_called_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = "a;b;y\n0,5;0,25;1\n0,125;1;0\n";
    let data = stored(folder.path(), "comma.csv", text);
    for method in ["gd", "adaptive-gd"] {
        let message = refused(&["fit", method, "--data", &data]);
        assert!(
            message.contains("`0,5` is not a number; numbers are read with a decimal point"),
            "{message}"
        );
    }
    let words = stored(folder.path(), "words.csv", "a;y\nx,y;1\n1;0\n");
    let message = refused(&["fit", "gd", "--data", &words]);
    assert!(message.contains("a column of words needs"), "{message}");
}

/// Where the kernel decides nothing of a claim, what it decides in its place is named, not all that it decides.
#[test]
fn a_trace_that_there_is_not_names_what_stands_for_it() {
    let message = refused(&["ledger", "--trace", "gcd-thm-4.2"]);
    assert!(
        message.contains("it decides gcd-thm-4.2-repaired"),
        "{message}"
    );
    assert!(message.len() < 300, "{message}");
    let message = refused(&["ledger", "--trace", "no-claim"]);
    assert!(message.contains("--trace all"), "{message}");
}
