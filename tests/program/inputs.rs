//! Numbers, labels and data as people give them, and what is said of what becomes of them.

use crate::program::{json, number, refused, stdout};
use serde_json::Value;
use std::path::Path;

/// A file with this text, as it is told to the program.
pub fn write(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    std::fs::write(&file, text).expect("a temporary file");
    file.to_str().expect("a plain path").to_owned()
}

#[test]
fn ratios_are_numbers_and_exponents_make_whole_ones() {
    let same = |typed: &[&str], plain: &[&str]| assert_eq!(stdout(typed), stdout(plain));
    same(
        &[
            "account",
            "gaussian",
            "--sigma=4",
            "--steps",
            "1e2",
            "--delta",
            "1/50000",
        ],
        &[
            "account",
            "gaussian",
            "--sigma=4",
            "--steps",
            "100",
            "--delta",
            "2e-5",
        ],
    );
    // Both audits fail for want of a file, and not of a number.
    let audit = |claim: &str, trials: &str| {
        refused(&["audit", "laplace", claim, trials, "--recount", "absent"])
    };
    let typed = audit("--claim=eps=1/2,delta=1/50000", "--trials=2e3");
    assert_eq!(typed, audit("--claim=eps=0.5,delta=2e-5", "--trials=2000"));
    assert!(typed.contains("absent"), "{typed}");
    for (argument, rule) in [
        (
            "--delta=1/0",
            "`1/0` is not a number, as 0.5, 1e-5 or 1/50000 is",
        ),
        ("--delta=many", "`many` is not a number"),
        ("--steps=1.5e0", "`1.5e0` is not a whole number from 0 on"),
        ("--steps=-1", "`-1` is not a whole number from 0 on"),
    ] {
        let rest = match argument.starts_with("--delta") {
            true => "--steps=1",
            false => "--delta=1e-5",
        };
        let told = refused(&["account", "gaussian", "--sigma=1", argument, rest]);
        assert!(told.contains(rule), "{told}");
    }
    // In files of JSON, too.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tree = |times: &str| {
        format!(
            r#"{{"kind": "repeated", "times": {times}, "event": {{"kind": "gaussian", "sigma": 40, "sensitivity": 1}}}}"#
        )
    };
    let [typed, plain] = [("typed", "1e3"), ("plain", "1000")]
        .map(|(name, times)| write(folder.path(), name, &tree(times)));
    let of = |file: &str| stdout(&["account", "event", file, "--delta=1e-5"]);
    assert_eq!(of(&typed), of(&plain));
    let broken = write(folder.path(), "broken", &tree("1.5e0"));
    assert!(refused(&["account", "event", &broken, "--delta=1e-5"]).contains("1.5"));
}

/// Before, Laplace noise from its closed form was worth up to 10⁻¹⁴ less than was asked for, by its own report.
#[test]
fn calibrated_noise_is_worth_what_was_asked_for() {
    for mechanism in ["gaussian", "laplace"] {
        for epsilon in ["0.1", "0.3", "0.7", "1", "2", "3.3", "7"] {
            for delta in ["1e-9", "1e-6", "1e-3"] {
                let typed = [
                    "calibrate",
                    mechanism,
                    "--epsilon",
                    epsilon,
                    "--delta",
                    delta,
                ];
                let found = json(&typed);
                let upper = number(&found["epsilon_upper"]);
                let asked = number(&found["epsilon"]);
                assert!(
                    upper <= asked && upper > 0.999 * asked,
                    "{typed:?}: {upper:e}"
                );
            }
        }
    }
}

/// 2,000 records: an age, whether somebody smokes, and what follows from both with little noise.
fn smokers() -> String {
    let line = |i: u32| {
        let (age, smokes) = (f64::from(i * 37 % 101), (i * 53 % 97).is_multiple_of(2));
        let noise = f64::from(i * 71 % 89) / 22.0 - 2.0;
        let price = 0.3 * age + if smokes { 20.0 } else { 0.0 } + noise;
        format!("{age},{},{price}\n", if smokes { "yes" } else { "no" })
    };
    format!(
        "age,smoker,price\n{}",
        (0..2000).map(line).collect::<String>()
    )
}

/// Before, two words that exclude each other were −1 and 1: their difference had a second moment of 2, the table's steps are
/// stable up to 4/3, and R² was about 0, or below. The seed is fixed.
#[test]
fn a_column_of_two_words_is_fitted_by_the_default_steps() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = write(folder.path(), "smokers.csv", &smokers());
    let known = "age,0,100\nsmoker,category,yes|no\nprice,0,60\n";
    let bounds = write(folder.path(), "ranges.csv", known);
    for method in ["gd", "dp-sgd"] {
        for epsilon in ["1", "3", "10"] {
            let flags = [
                "--data",
                &data,
                "--bounds",
                &bounds,
                "--test",
                &data,
                "--epsilon",
                epsilon,
            ];
            let fitted = json(&[&["fit", method], &flags[..]].concat());
            let r2 = number(&fitted["metrics"]["r2"]);
            assert!(r2 > 0.9, "{method} at {epsilon}: {r2}");
            let taken = fitted["defaults"].to_string();
            assert!(
                taken.contains("such steps may diverge where features move together"),
                "{taken}"
            );
        }
    }
}

#[test]
fn columns_are_named_in_errors_and_counted_as_labels_are() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fit = |name: &str, text: &str, label: &str| {
        let data = write(folder.path(), name, text);
        refused(&["fit", "gd", "--data", &data, "--label", label])
    };
    let headed = "price,age,size\n1,2,3\n2,?,4\n";
    let told = fit("headed.csv", headed, "0");
    assert!(
        told.contains("headed.csv:3: column 1 (`age`) = `?` is not a number"),
        "{told}"
    );
    let told = fit("bare.csv", "1,2,3\n2,4,x\n", "1");
    assert!(
        told.contains("bare.csv:2: column 2 (counted from 0) = `x`"),
        "{told}"
    );
    let told = fit("twice.csv", "age,price,age\n1,2,3\n2,3,4\n", "price");
    assert!(
        told.contains("columns 0 and 2 (counted from 0) are both named `age`"),
        "{told}"
    );
}

/// `Yes` and `yes` are two classes, which is hardly meant.
#[test]
fn classes_that_differ_in_case_alone_are_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let warned = |words: [&str; 3]| {
        let line = |i: usize| format!("0.{},{}\n", i % 10, words[i % 3]);
        let lines: String = (0..300).map(line).collect();
        let data = write(folder.path(), "words.csv", &lines);
        json(&["fit", "--data", &data])["confidential"].to_string()
    };
    let told = "the classes `Yes` and `yes` differ in upper and lower case alone, and are two of 3";
    assert!(warned(["yes", "no", "Yes"]).contains(told));
    assert!(!warned(["yes", "no", "yess"]).contains("lower case"));
}

/// A fit is private without a flag that makes it so: its seed is another each time, and none that can be guessed.
#[test]
fn a_seed_that_nobody_chose_is_known_to_nobody() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let lines: String = (0..300).map(|i| format!("{},{}\n", i % 4, i % 2)).collect();
    let data = write(folder.path(), "few.csv", &lines);
    let seed = |method: &str| {
        let mut fit = std::process::Command::new(env!("CARGO_BIN_EXE_dp-assay"));
        fit.args([
            "fit",
            method,
            "--data",
            &data,
            "--classes=0,1",
            "--format=json",
        ]);
        let output = fit.output().expect("the binary was built for this test");
        let fitted: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let told = [&fitted["warnings"], &fitted["confidential"]].map(Value::to_string);
        assert!(!told.concat().contains("guesses seed"), "{fitted}");
        fitted["request"]["seed"].as_u64().expect("a seed")
    };
    for method in ["gd", "noisy-gd"] {
        // Below 2³² with probability 2⁻³¹ for the two.
        let [one, other] = [seed(method), seed(method)];
        assert!(one != other && one.min(other) >= 1 << 32, "{one}, {other}");
    }
}

/// A default range that cuts, and a seed that can be guessed, are said.
#[test]
fn values_that_were_cut_and_a_seed_that_tells_the_noise_are_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let lines: String = (0..300).map(|i| format!("{},{}\n", i % 4, i % 2)).collect();
    let data = write(folder.path(), "large.csv", &lines);
    let warned = |flags: &[&str]| {
        let fitted = json(&[&["fit", "gd", "--data", &data, "--classes", "0,1"], flags].concat());
        fitted["confidential"].to_string()
    };
    let told = warned(&[]);
    assert!(
        told.contains("not private: 150 of 300 values of the features lay outside [-1, 1]"),
        "{told}"
    );
    assert!(told.contains("whoever guesses seed 0"), "{told}");
    // What is published has no exact count in it, and no seed: who reads that need not guess it, and subtracts the noise.
    let model = folder.path().join("model.json");
    let model = model.to_str().expect("a plain path");
    assert!(warned(&["--out", model]).contains("lay outside"));
    let kept = std::fs::read_to_string(model).expect("written");
    assert!(
        !kept.contains("seed") && !kept.contains("lay outside"),
        "{kept}"
    );
    let told = warned(&["--bound=3", "--seed=7"]);
    assert!(!told.contains("lay outside"), "{told}");
    assert!(told.contains("whoever guesses seed 7"), "{told}");
    let told = warned(&["--bound=3", "--seed=123456789012345"]);
    assert!(!told.contains("guesses seed"), "{told}");
    let within = |range: &str| {
        let flags = ["--loss=squared", "--bound=3", "--target-range", range];
        json(&[&["fit", "gd", "--data", &data], &flags[..]].concat())["confidential"].to_string()
    };
    let told = within("0:0.5");
    assert!(
        told.contains("not private: 150 of 300 targets lay outside [0, 0.5]"),
        "{told}"
    );
    assert!(!within("0:1").contains("lay outside"));
}
