//! The command line: bad input is one clear message on standard error, exit code 2, and no file.

mod contract;
mod errors;
mod event;
mod idle;
mod layout;
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

/// 9.2 % of those who are there are found by who accuses one in a hundred wrongly, of unit Gaussian noise (Φ(1 − 2.326)).
#[test]
fn account_draws_and_lists_the_trade_off_of_an_attack() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let picture = folder.path().join("curve.svg");
    let file = picture.to_str().expect("a plain path");
    let line = [
        "account",
        "gaussian",
        "--sigma",
        "1",
        "--delta",
        "1e-9",
        "--tradeoff",
    ];
    let found = json(&[&line[..], &["--svg", file]].concat());
    let curve = found["curve"].as_array().expect("points");
    for (rate, exact) in [(1e-3, 0.018_298), (1e-2, 0.092_362), (0.1, 0.389_143)] {
        let point = curve.iter().find(|p| p["false_positive_rate"] == rate);
        let found = number(&point.expect("in the table")["true_positive_upper"]);
        assert!(found >= exact && found < exact + 2e-3, "{rate}: {found}");
    }
    let mu = number(&found["mu_upper"]);
    assert!((1.0..1.005).contains(&mu), "{mu}");
    assert!(number(&found["regret_upper"]) < 2e-3);
    let drawn = std::fs::read_to_string(&picture).expect("a picture");
    assert!(drawn.starts_with("<svg") && drawn.contains("false positive rate"));
    let text = dp_assay(&line);
    let text = String::from_utf8(text.stdout).expect("UTF-8");
    assert!(
        text.contains("0.001            0.98") && text.contains("mu-GDP with mu = 1.00"),
        "{text}"
    );
    let alone = [
        "account", "gaussian", "--sigma", "1", "--delta", "1e-9", "--svg", file,
    ];
    assert!(refused(&alone).contains("--tradeoff"));
    let decor = "account decor --graph ring:5 --sigma-cdp 1 --sigma-cor 1 --delta 1e-5 --tradeoff";
    let decor: Vec<&str> = decor.split(' ').collect();
    assert_eq!(refused(&decor), "--tradeoff does not go with decor");
}

#[test]
fn flags_that_change_nothing_are_refused() {
    let sampled = "subsampled-gaussian --q 0.1 --sampling";
    for (line, why) in [
        (
            "gaussian --records 5",
            "--records does not go with this mechanism",
        ),
        (
            "laplace --sampling fixed-size",
            "--sampling does not go with this mechanism",
        ),
        (
            &format!("{sampled} poisson --cap 5"),
            "--cap does not go with --sampling poisson",
        ),
        (
            &format!("{sampled} fixed-size --records 100 --separation 5"),
            "--separation does not go with --sampling fixed-size",
        ),
    ] {
        let line = format!("account {line} --sigma 2 --delta 1e-5");
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(refused(&words), why, "{line}");
    }
}

/// What stands in a mechanism's place, and methods, have a help of their own, without the flags that are refused there.
#[test]
fn help_is_on_what_was_asked() {
    let help = |words: &str| crate::program::stdout(&words.split(' ').collect::<Vec<_>>());
    for (line, has, lacks) in [
        ("help audit one-run", "canaries", "--command"),
        ("help audit external", "--input1", "--scale"),
        ("help audit list", "built-in mechanisms", "--claim"),
        ("help audit client", "Python client", "--format"),
        ("help fit gd", "Noisy full gradient descent", "--sampling"),
        ("help fit skgd", "--sampling", "--graph"),
        ("help fit decor", "--graph", "--batch"),
        ("help fit adassp", "sufficient statistics", "--step "),
        ("help fit kl-prox", "proximal", "--holdout"),
    ] {
        let text = help(line);
        assert!(
            text.contains(has) && !text.contains(lacks),
            "{line}: {text}"
        );
        assert!(text.contains("--seed") || line.contains("list") || line.contains("client"));
    }
    assert!(refused(&["help", "fit", "magic"]).contains("there is no method `magic` of fit"));
}

/// A claim that fails has no proof, and the answer says so before it says where it fails. That is a finding, not an error.
#[test]
fn a_proof_of_what_fails_is_none() {
    let output = dp_assay(&["ledger", "--proof", "skgd-thm-4.2-dp"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let first = text.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("there is no proof of skgd-thm-4.2-dp, which is refuted"),
        "{text}"
    );
    assert!(
        output.status.success() && text.contains("fails at: "),
        "{text}"
    );
}

#[test]
fn a_proof_has_no_other_format_and_a_folder_that_cannot_be_is_named() {
    for what in ["--proof", "--trace"] {
        let line = ["ledger", what, "gcd-thm-4.2-repaired", "--format", "json"];
        assert!(refused(&line).contains("--format"), "{what}");
    }
    let folder = tempfile::NamedTempFile::new().expect("a temporary file");
    let name = folder.path().to_str().expect("UTF-8");
    let why = refused(&["ledger", "--trace", "all", "--out", name]);
    assert!(why.contains(name), "{why}");
}
