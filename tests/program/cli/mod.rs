//! The command line: bad input is one clear message on standard error, exit code 2, and no file.

mod errors;
mod event;
mod python;
mod readme;
mod terminal;
mod traps;
mod widths;

use crate::program::{dp_assay, json, number, refused, stderr};
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use std::path::Path;

/// `check` on a file with this content: the message, after making sure that nothing was written.
fn check_refused(folder: &Path, name: &str, content: &[u8]) -> String {
    let (file, out) = (folder.join(name), folder.join("out"));
    std::fs::write(&file, content).expect("a temporary file");
    let [file, out_text] = [&file, &out].map(|p| p.to_str().expect("a plain path"));
    let output = dp_assay(&["check", "--quick", "--data", file, "--out", out_text]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(output.stdout.is_empty() && !out.exists());
    let message = stderr(&output);
    assert_eq!(message.lines().count(), 1, "{message}");
    message.replace(file, name)
}

#[test]
fn check_refuses_bad_data_naming_file_line_and_value() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let message = |name: &str, content: &[u8]| check_refused(folder.path(), name, content);
    let mut zipped = GzEncoder::new(Vec::new(), Compression::default());
    zipped.write_all(b"1,2,a\n3,4,b\n").expect("memory");
    let zipped = zipped.finish().expect("memory");
    let messages = [
        message("nan.csv", b"1,2,a\nnan,4,b\n"),
        message("infinite.csv", b"1,2,a\n3,inf,b\n"),
        message("word.csv", b"1,2,a\n3,many,b\n"),
        message("empty.csv", b""),
        message("ragged.csv", b"1,2,a\n3,4,5,b\n"),
        message("three.csv", b"1,2,a\n3,4,b\n5,6,c\n"),
        message("one.csv", b"1,2,a\n3,4,a\n"),
        message("index.svm", b"+1 1:2\n-1 0:3\n"),
        message("order.svm", b"+1 1:2\n-1 3:3 2:1\n"),
        message("cut.csv.gz", &zipped[..zipped.len() - 6]),
    ];
    insta::assert_snapshot!(messages.concat());
}

#[test]
fn check_refuses_a_missing_file() {
    assert_eq!(
        refused(&["check", "--quick", "--data", "no/such/file.csv"]),
        "no/such/file.csv: cannot open: No such file or directory (os error 2)"
    );
}

#[test]
fn ledger_answers_in_the_agreed_json() {
    let json = json(&["ledger", "--paper", "gcd"]);
    let claims = json["claims"].as_array().expect("an array");
    assert!(claims.iter().all(|claim| claim["paper"] == "gcd"));
}

#[test]
fn an_unknown_paper_is_refused_with_the_choices() {
    let message = refused(&["ledger", "--paper", "gdc"]);
    let choices = "paper `gdc` is not one of skgd, gcd, decor, kl, ambssgd";
    assert!(message.contains(choices), "{message}");
}

#[test]
fn the_oracle_encloses_the_epsilon_that_account_reports() {
    let flags = ["--steps", "3", "--delta", "1e-5"];
    let asked = ["--certified", "--oracle", "--oracle-width", "0.01"];
    let found = json(&[&["account", "gaussian", "--sigma", "2"], &flags[..], &asked].concat());
    let oracle = &found["oracle"];
    let [lower, upper] = ["epsilon_lower", "epsilon_upper"].map(|end| number(&oracle[end]));
    assert!(0.0 < lower && upper - lower <= 0.01, "{oracle}");
    // The exact Gaussian's own enclosure is far narrower than the oracle's.
    assert!(lower <= number(&found["epsilon_lower"]) && number(&found["epsilon_upper"]) <= upper);
    let without = json(&[&["account", "gaussian", "--sigma", "2"], &flags[..]].concat());
    assert!(without.get("oracle").is_none());
}

#[test]
fn the_oracle_checks_a_calibrated_value() {
    let flags = ["--epsilon", "1", "--delta", "1e-5"];
    let found = json(&[&["calibrate", "laplace", "--oracle"], &flags[..]].concat());
    let oracle = &found["oracle"];
    let [lower, upper] = ["epsilon_lower", "epsilon_upper"].map(|end| number(&oracle[end]));
    assert!(lower <= 1.0 && 0.999 <= upper, "{oracle}");
}

#[test]
fn the_oracle_refuses_what_it_does_not_know() {
    let line = "account subsampled-gaussian --sampling random-allocation --sigma 1 --q 0.1 --steps 10 --delta 1e-5 \
                --neighbours add-remove --oracle";
    assert_eq!(
        refused(&line.split_whitespace().collect::<Vec<_>>()),
        "randomly allocated gaussian has no certified oracle guarantee under add-remove neighbours"
    );
}
