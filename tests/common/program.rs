//! The program as a user runs it, for the tests of the command line.

use serde_json::Value;
use std::process::{Command, Output};

/// The program with these arguments; a fit has seed 0 unless another is given, so that it can be run again.
pub fn command(arguments: &[&str]) -> Command {
    let given = |flag: &str| arguments.iter().any(|word| word.starts_with(flag));
    let fits = arguments.first() == Some(&"fit") && !given("--seed") && !given("--help");
    let mut command = Command::new(env!("CARGO_BIN_EXE_dp-assay"));
    command.args(arguments).args(fits.then_some("--seed=0"));
    command
}

/// Runs the program to its end.
pub fn dp_assay(arguments: &[&str]) -> Output {
    let run = command(arguments).output();
    run.expect("the binary was built for this test")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What a run prints that has an answer (a violation is one, with code 1, and so is a doubt, with code 3).
pub fn stdout(arguments: &[&str]) -> String {
    let output = dp_assay(arguments);
    let message = stderr(&output);
    assert_ne!(output.status.code(), Some(2), "{arguments:?}: {message}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// What a successful run prints with `--format json`.
pub fn json(arguments: &[&str]) -> Value {
    let output = dp_assay(&[arguments, &["--format", "json"]].concat());
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {message}");
    serde_json::from_slice(&output.stdout).expect("JSON on standard output")
}

/// The message of a refusal, with which nothing may come on standard output.
pub fn refused(arguments: &[&str]) -> String {
    let output = dp_assay(arguments);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(
        output.stdout.is_empty(),
        "{arguments:?}: something came out"
    );
    message.trim().trim_start_matches("error: ").to_owned()
}

pub fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is not a number"))
}
