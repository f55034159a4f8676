//! What README tells a new user to type, typed.

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../../README.md");

/// The first block of a language behind a heading.
fn block(heading: &str, language: &str) -> &'static str {
    let (_, behind) = README
        .split_once(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("README has no heading `{heading}`"));
    let (_, code) = behind
        .split_once(&format!("\n```{language}\n"))
        .unwrap_or_else(|| panic!("no {language} behind `{heading}`"));
    let (code, _) = code.split_once("```").expect("a block ends");
    code
}

/// Runs lines of a shell in an empty folder, with the program on the path.
fn run(lines: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = Path::new(env!("CARGO_BIN_EXE_dp-assay"));
    let mut path = program
        .parent()
        .expect("it is in a folder")
        .as_os_str()
        .to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let output = Command::new("sh")
        .args(["-ec", lines])
        .current_dir(folder.path())
        .env("PATH", path)
        .output()
        .expect("this machine has a shell");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{lines}\n{stdout}\n{stderr}");
    (folder, stdout)
}

/// The crate under `tests/gate` is a user's: what it gates with README's words is run by `cargo test`.
#[test]
fn the_gate_of_the_readme_is_one_that_is_run_and_is_short() {
    let code = block("### You add a privacy gate to a crate", "rust");
    assert_eq!(code, include_str!("../../gate/tests/readme.rs"));
    assert!(code.lines().count() < 20, "{} lines", code.lines().count());
}

/// `.ci/run` builds a crate from this block, outside of the workspace.
#[test]
fn the_dependency_of_the_readme_is_the_one_that_its_gate_is_run_with() {
    let toml = block("### You add a privacy gate to a crate", "toml");
    let line = toml.lines().find(|line| line.starts_with("dp-assay = "));
    let line = line.expect("a dependency").replace("../dp-assay", "../..");
    let manifest = include_str!("../../gate/Cargo.toml");
    assert!(manifest.lines().any(|l| l == line), "{line}");
}

#[test]
fn the_python_script_of_the_readme_is_audited_and_reported_on() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("SKIPPED: this machine has no python3");
        return;
    }
    let (folder, said) = run(block("### You audit somebody else's program", "sh"));
    assert!(
        said.starts_with("python3 mech.py: PASS-WITH-POWER\n"),
        "{said}"
    );
    let page = std::fs::read_to_string(folder.path().join("audit.html")).expect("the report");
    assert!(page.contains("python3 mech.py"));
}

#[test]
fn the_questions_of_the_readme_are_answered_with_an_upper_bound() {
    let lines = block("### For accounting", "sh");
    assert!(lines.lines().count() >= 4, "{lines}");
    for line in lines.lines() {
        let (_, said) = run(line);
        // A curve says all ε at once.
        let said_of = if line.contains("--tradeoff") {
            "found at most"
        } else {
            "epsilon"
        };
        assert!(said.contains(said_of), "{line}: {said}");
    }
}
