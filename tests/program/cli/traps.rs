//! Audits that go wrong without the mechanism being at fault, as the command line answers them: exit codes, reasons,
//! counterexamples that can be counted again, and scores of one run.

use crate::program::{dp_assay, json, refused, stderr, stdout};
use dp_assay::audit::external::PYTHON_CLIENT;
use dp_assay::audit::zoo::traps::{Deserved, Trap, traps};
use dp_assay::mechanism::tape::{Purpose, Tape};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

/// The audit of a trap's claim, ε = 1.
fn audited(trap: &Trap, folder: &Path) -> Output {
    let path = |name: &str| folder.join(name).display().to_string();
    let write =
        |name: &str, text: &str| std::fs::write(path(name), text).expect("a temporary file");
    let script = format!("{}.py", trap.name);
    let files = ["0", "1"].map(|side| format!("{}-{side}.json", trap.name));
    write("dp_assay.py", PYTHON_CLIENT);
    write(&script, &trap.script());
    for (file, input) in files.iter().zip(trap.inputs) {
        write(file, input);
    }
    let command = format!("python3 {}", path(&script));
    let [first, second] = files.map(|file| path(&file));
    dp_assay(&[
        "audit",
        "external",
        "--claim=eps=1",
        "--trials=20000",
        "--neighbours=replace-one",
        "--command",
        &command,
        "--input0",
        &first,
        "--input1",
        &second,
    ])
}

fn without_python() -> bool {
    let none = Command::new("python3").arg("--version").output().is_err();
    if none {
        println!("SKIPPED: this machine has no python3");
    }
    none
}

/// Text as it was before it was folded.
fn unfolded(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Error 10⁻⁶ each.
#[test]
fn every_trap_of_the_zoo_has_what_it_deserves() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    for trap in traps() {
        let output = audited(&trap, folder.path());
        let (said, complained) = (unfolded(&output.stdout), unfolded(&output.stderr));
        let (code, words) = match trap.deserves {
            Deserved::Pass => (0, ": PASS-WITH-POWER"),
            Deserved::Inconclusive(words) => (3, words),
            Deserved::Error(words) => (2, words),
        };
        let place = if code == 2 { &complained } else { &said };
        let right = output.status.code() == Some(code) && place.contains(words);
        assert!(
            right,
            "{}: {:?}\n{said}\n{complained}",
            trap.name, output.status
        );
        assert!(
            code != 2 || output.stdout.is_empty(),
            "{}: an error and a verdict",
            trap.name
        );
    }
}

/// Without noise, but not the same on both sides: that is no trap.
#[test]
fn outputs_that_never_vary_and_differ_between_the_sides_are_a_violation() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bare = traps().into_iter().find(|t| t.name == "constant-output");
    let bare = Trap {
        name: "no-noise",
        program: "dp_assay.serve(lambda data, rng: sum(data))",
        ..bare.expect("a trap of the zoo")
    };
    let output = audited(&bare, folder.path());
    let said = unfolded(&output.stdout);
    assert!(
        output.status.code() == Some(1) && said.contains("0 times of"),
        "{said}"
    );
}

#[test]
fn a_pass_says_what_it_had_to_see_and_too_few_pairs_are_code_three_with_the_remedy() {
    let asked = |more: &str| {
        let line = format!("audit laplace --claim eps=1 {more}");
        dp_assay(&line.split_whitespace().collect::<Vec<_>>())
    };
    let pass = asked("--trials 20000");
    assert_eq!(pass.status.code(), Some(0), "{}", stderr(&pass));
    assert!(unfolded(&pass.stdout).contains("a pass had to see: ε ≥ 1.2500"));
    // The same audit, asked for more than it sees.
    let blind = asked("--trials 20000 --must-see 1.01");
    assert_eq!(blind.status.code(), Some(3));
    let said = unfolded(&blind.stdout);
    assert!(
        said.contains("INCONCLUSIVE") && said.contains("a pass must see ε ≥ 1.0100: draw about "),
        "{said}"
    );
    // With as many pairs as it says it sees that much.
    let (_, pairs) = said.split_once("draw about ").expect("a remedy");
    let (pairs, _) = pairs.split_once(" pairs").expect("a number of pairs");
    let enough = asked(&format!("--trials {pairs} --must-see 1.01"));
    assert_eq!(enough.status.code(), Some(0), "{pairs}");
    // Half of what the claim needs is no pass for an audit that asks for twice it: the default asks for more.
    let few = asked("--trials 2000");
    assert_eq!(few.status.code(), Some(3));
    assert_eq!(
        refused(&["audit", "laplace", "--claim=eps=1", "--must-see=1"]),
        "epsilon to see = 1 must exceed the epsilon claimed"
    );
}

#[test]
fn help_and_manual_tell_the_exit_codes() {
    for line in [
        vec!["help"],
        vec!["audit", "--help"],
        vec!["campaign", "--help"],
        vec!["man"],
    ] {
        let text = unfolded(stdout(&line).as_bytes());
        assert!(text.contains("3 inconclusive"), "{line:?}");
    }
    for page in [
        include_str!("../../../README.md"),
        include_str!("../../../spec/formats/result.md"),
    ] {
        assert!(
            unfolded(page.as_bytes()).contains("3: inconclusive")
                || unfolded(page.as_bytes()).contains("3 inconclusive")
        );
    }
}

#[test]
fn a_counterexample_is_counted_again_from_its_json_with_weights_and_threshold() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("found.json").display().to_string();
    // Eight numbers that all move: no one of them shows what their score does. True ε 4.
    let path = |name: &str| folder.path().join(name).display().to_string();
    let script = "import dp_assay
def eight(data, rng):
    return [data + 2 * (rng.expovariate(1) - rng.expovariate(1)) for _ in range(8)]
dp_assay.serve(eight, length=8)
";
    for (name, text) in [
        ("dp_assay.py", PYTHON_CLIENT),
        ("eight.py", script),
        ("0.json", "0"),
        ("1.json", "1"),
    ] {
        std::fs::write(path(name), text).expect("a temporary file");
    }
    let command = format!("python3 {}", path("eight.py"));
    let [first, second] = ["0.json", "1.json"].map(path);
    let audit = [
        "audit",
        "external",
        "--claim=eps=1",
        "--neighbours=user",
        "--command",
        &command,
        "--input0",
        &first,
        "--input1",
        &second,
    ];
    let found = dp_assay(&[&audit[..], &["--format=json"]].concat());
    assert_eq!(found.status.code(), Some(1), "{}", stderr(&found));
    std::fs::write(&file, &found.stdout).expect("a temporary file");
    let report: serde_json::Value = serde_json::from_slice(&found.stdout).expect("JSON");
    let counterexample = &report["counterexample"];
    let event = &counterexample["rule"]["event"];
    let score = event.get("score").or(event.get("score_below"));
    let score = score.unwrap_or_else(|| panic!("no learned score: {event}"));
    assert!(
        score["threshold"].is_number() && score["classifier"]["columns"][7]["weights"].is_array()
    );
    let text = unfolded(&dp_assay(&audit).stdout);
    assert!(
        text.contains("the score is the sum of a weight for each column")
            && text.contains("and 4 columns more"),
        "{text}"
    );
    // Before, eight columns of 25 weights each: ten thousand characters.
    assert!(text.len() < 2500, "{} characters", text.len());
    assert!(
        text.contains("count it again: the same command with"),
        "{text}"
    );

    let recounted = |seed: &str| {
        let line = [
            &audit[..],
            &["--format=json", "--recount", &file, "--seed", seed],
        ]
        .concat();
        let again = dp_assay(&line);
        assert_eq!(again.status.code(), Some(1), "{}", stderr(&again));
        serde_json::from_slice::<serde_json::Value>(&again.stdout).expect("JSON")
    };
    // The seed that found it gives its counts; another gives new ones, that refute the claim too.
    assert_eq!(recounted("0")["counts"], counterexample["counts"]);
    assert_ne!(recounted("1")["counts"], counterexample["counts"]);
    let other = refused(&["audit", "laplace", "--claim=eps=0.1", "--recount", &file]);
    assert!(
        other.contains("its counterexample is one of ") && other.contains(", and this is "),
        "{other}"
    );
}

/// What a mechanism raises is an output where any may be one: who serves numbers is told.
#[test]
fn an_exception_of_a_served_mechanism_is_told_with_what_takes_it_for_an_output() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let script = "import dp_assay
def fails(data, rng):
    raise KeyError('no such word')
dp_assay.serve(fails)
";
    for (name, text) in [
        ("dp_assay.py", PYTHON_CLIENT),
        ("fails.py", script),
        ("0.json", "0"),
        ("1.json", "1"),
    ] {
        std::fs::write(path(name), text).expect("a temporary file");
    }
    let command = format!("python3 {}", path("fails.py"));
    let [first, second] = ["0.json", "1.json"].map(path);
    let flags = ["--claim=eps=1", "--neighbours=user", "--command", &command];
    let inputs = ["--input0", &first, "--input1", &second];
    let told = refused(&[&["audit", "external"], &flags[..], &inputs[..]].concat());
    assert!(
        told.contains("KeyError: 'no such word'; serve with length=ANY"),
        "{told}"
    );
}

/// Scores of 1000 canaries, members first; `shift` is how much membership adds to Gaussian noise.
fn scores(folder: &Path, shift: f64, seed: u64) -> String {
    let mut noise = Tape::new(seed).stream(0, Purpose::User, 0);
    let mut text = "member,score\n".to_owned();
    for canary in 0..1000 {
        let member = canary < 500;
        let score = noise.uniform().gaussian() + if member { shift } else { 0.0 };
        writeln!(text, "{},{score}", u8::from(member)).expect("writing to a string");
    }
    let file = folder.join(format!("{shift}-{seed}.csv"));
    std::fs::write(&file, text).expect("a temporary file");
    file.display().to_string()
}

/// False alarms: 10⁻³ for each of five files. Scores that differ by 3 standard deviations are told apart to 93 %, and
/// those of the 62 canaries at either end nearly always.
#[test]
fn scores_of_one_run_are_bounded_and_null_scores_give_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for seed in 0..5 {
        let file = scores(folder.path(), 0.0, seed);
        let null = json(&["audit", "one-run", &file, "--alpha=1e-3"]);
        assert_eq!(null["epsilon_lower"], 0.0, "{null}");
        assert!(null["null_alarms"].as_u64() <= Some(30) && null["verdict"].is_null());
    }
    // Ties in the order of the file, which lists the members first, say nothing either.
    let tied: String = (0..1000)
        .map(|i| format!("0.5,{}\n", u8::from(i < 500)))
        .collect();
    let file = folder.path().join("tied.csv");
    std::fs::write(&file, tied).expect("a temporary file");
    let tied = json(&[
        "audit",
        "one-run",
        &file.display().to_string(),
        "--alpha=1e-3",
    ]);
    assert_eq!(tied["epsilon_lower"], 0.0, "{tied}");

    let code = |file: &str, claim: &str| {
        let line = ["audit", "one-run", file, "--alpha=1e-3", "--claim", claim];
        dp_assay(&line).status.code()
    };
    let (good, weak) = (scores(folder.path(), 3.0, 9), scores(folder.path(), 0.5, 9));
    assert_eq!(code(&good, "eps=0.5"), Some(1));
    assert_eq!(code(&good, "eps=8"), Some(3)); // 1000 canaries cannot see 16
    assert_eq!(code(&weak, "eps=2"), Some(0));
    let file = good;
    let text = stdout(&["audit", "one-run", &file, "--claim=eps=0.5"]);
    assert!(
        text.contains("null scores first: ") && text.contains("guesses right"),
        "{text}"
    );
}

#[test]
fn scores_that_cannot_be_right_are_refused_with_the_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let message = |text: &str| {
        let file = folder.path().join("scores.csv").display().to_string();
        std::fs::write(&file, text).expect("a temporary file");
        refused(&["audit", "one-run", &file]).replace(&file, "scores.csv")
    };
    assert_eq!(
        message("0.5,1\nhigh,0\n"),
        "scores.csv: line 2: `high` is no score: a number is due"
    );
    assert_eq!(
        message("inf,1\n1e400,0\n"),
        "scores.csv: line 2: `1e400` is beyond the largest double"
    );
    assert_eq!(
        message("0.5,1\n0.7,maybe\n"),
        "scores.csv: line 2: `maybe` is no membership: 0 or 1 is due"
    );
    assert_eq!(
        message("0.5\n"),
        "scores.csv: line 1: `0.5` is not of the form score,member"
    );
    assert_eq!(
        message("score,member\n"),
        "scores.csv: there are no canaries"
    );
    let all = "0.5,1\n".repeat(100);
    assert!(message(&all).starts_with("scores.csv: 100 of 100 canaries are members: "));
    assert_eq!(
        refused(&["audit", "one-run"]),
        "`audit one-run` needs a file of lines score,member"
    );
    assert_eq!(
        refused(&["audit", "laplace", "x.csv", "--claim=eps=1"]),
        "x.csv goes with `one-run`, not with `laplace`"
    );
}
