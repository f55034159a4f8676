//! What a stranger tries who has read the README: numbers without end, classes below 0, outputs that cannot be written.

use crate::program::{dp_assay, json, refused, stdout};
use crate::records::{files, stored};

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// Each of these ran until it was stopped.
#[test]
fn every_fit_has_an_end_and_says_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, _] = files(folder.path());
    for method in ["gd", "skgd", "dp-cd", "dp-sgd", "gcd", "decor"] {
        let line = format!("fit {method} --data {classes} --passes 1e9");
        let message = refused(&words(&line));
        assert!(
            message.contains("passes = 1000000000 must be at most 1e6"),
            "{message}"
        );
    }
    for (flags, told) in [
        ("gd --rounds 1000000000000", "rounds = 1000000000000 must"),
        ("gd --passes 1e300", "passes = 1"),
        (
            "dp-sgd --passes 20 --rate 1e-9",
            "the number of steps, passes/rate = 20000000000 must be at most 1e6 for each record",
        ),
    ] {
        let message = refused(&words(&format!("fit {flags} --data {classes}")));
        assert!(message.contains(told), "{message}");
    }
    json(&words(&format!(
        "fit gd --data {classes} --passes 1e3 --rounds 1e3"
    )));
}

/// The warning says that `--classes` states -1 and 1.
#[test]
fn classes_may_be_negative() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let lines = (0..60).map(|i| format!("{},{}\n", i % 7, 2 * (i % 2) - 1));
    let data = stored(folder.path(), "signs.csv", &lines.collect::<String>());
    for method in ["gd", "noisy-gd"] {
        let line = format!("fit {method} --data {data}");
        let read_off = |line: &str| {
            let warnings = json(&words(line))["warnings"].to_string();
            warnings.contains("the classes (-1, 1) are read off")
        };
        assert!(read_off(&line), "{method}");
        assert!(!read_off(&format!("{line} --classes -1,1")), "{method}");
    }
}

/// An infinity is no missing number, and an svmlight file has no ranges.
#[test]
fn a_missing_number_is_told_apart_from_one_without_end() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text, told) in [
        (
            "nan.csv",
            "a,y\nnan,0\n2,1\n",
            "`nan` is not finite; --missing middle",
        ),
        ("empty.csv", "a,y\n,0\n2,1\n", "--missing middle"),
        ("inf.csv", "a,y\ninf,0\n2,1\n", "`inf` is not finite"),
        ("inf.svm", "1 1:0.5 3:inf\n-1 2:1\n", "`inf` is not finite"),
        ("nan.svm", "1 1:0.5 3:nan\n-1 2:1\n", "`nan` is not finite"),
    ] {
        let data = stored(folder.path(), name, text);
        let message = refused(&["fit", "gd", "--data", &data]);
        assert!(
            message.ends_with(told) || told.contains("--missing") && message.contains(told),
            "{message}"
        );
    }
}

/// Before the fit, and before an audit of hours.
#[test]
fn a_file_that_cannot_be_written_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, _] = files(folder.path());
    let directory = folder.path().display().to_string();
    let nowhere = folder.path().join("nowhere/file").display().to_string();
    for file in [&directory, &nowhere] {
        for line in [
            format!("fit gd --data {classes}x --out {file}"),
            format!("audit laplace --claim eps=1 --trials 4000000000 --report {file}"),
        ] {
            let message = refused(&words(&line));
            assert!(
                message.contains(&format!("cannot write {file}")),
                "{message}"
            );
        }
    }
    let model = folder.path().join("model.json");
    let line = format!("fit gd --data {classes} --out {}", model.display());
    assert!(dp_assay(&words(&line)).status.success() && model.is_file());
    // Nothing is left beside it.
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 3);
}

/// Whoever knows Laplace noise by its scale was told to ask the oracle.
#[test]
fn the_scale_of_laplace_noise_has_its_name() {
    for command in ["account", "calibrate --epsilon 1 --solve steps"] {
        let line = |flag: &str| format!("{command} laplace {flag} 200 --delta 1e-5");
        let scale = stdout(&words(&line("--scale")));
        assert_eq!(scale, stdout(&words(&line("--sigma"))));
    }
}

/// The data would be gone; and `--out` follows no other file that is read.
#[test]
fn a_model_is_not_written_over_what_was_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, _] = files(folder.path());
    let before = std::fs::read(&classes).expect("it is there");
    for flags in ["", "--test other --out"] {
        let other = stored(folder.path(), "other", "a,b,y\n");
        let out = if flags.is_empty() { &classes } else { &other };
        let test = if flags.is_empty() {
            String::new()
        } else {
            format!("--test {other} ")
        };
        let message = refused(&words(&format!(
            "fit gd --data {classes} {test}--out {out}"
        )));
        assert!(message.contains("is the file that is read as"), "{message}");
    }
    assert_eq!(std::fs::read(&classes).expect("it is there"), before);
}

/// Columns in another order are other features.
#[test]
fn a_test_file_has_the_features_of_the_data() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let lines = |swap: bool| -> String {
        let line = |i: usize| match swap {
            true => format!("{},{},{}\n", i % 5, i % 3, i % 2),
            false => format!("{},{},{}\n", i % 3, i % 5, i % 2),
        };
        (0..60).map(line).collect()
    };
    let data = stored(
        folder.path(),
        "data.csv",
        &("a,b,y\n".to_owned() + &lines(false)),
    );
    let swapped = stored(
        folder.path(),
        "swapped.csv",
        &("b,a,y\n".to_owned() + &lines(true)),
    );
    let message = refused(&words(&format!("fit gd --data {data} --test {swapped}")));
    assert!(
        message.ends_with("swapped.csv: feature 1 is `b`, that of the data is `a`"),
        "{message}"
    );
    json(&words(&format!("fit gd --data {data} --test {data}")));
}

/// A misspelt list would leave a column of zeros.
#[test]
fn words_that_nobody_listed_are_counted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let paint = |i: usize| ["red", "blue", "?"][i % 3];
    let lines: String = (0..60)
        .map(|i| format!("{},{},{}\n", i % 7, paint(i), i % 2))
        .collect();
    let data = stored(
        folder.path(),
        "data.csv",
        &("age,paint,y\n".to_owned() + &lines),
    );
    for (listed, none) in [("red|blue", 20), ("rde|blue", 40), ("red|blue|?", 0)] {
        let bounds = format!("age,0,7\npaint,category,{listed}\n");
        let bounds = stored(folder.path(), "bounds.csv", &bounds);
        for asked in ["gd", "gd --loss squared", "ambssgd"] {
            let line = format!("fit {asked} --data {data} --bounds {bounds}");
            let warnings = json(&words(&line))["confidential"].to_string();
            let count = format!("not private: {none} records have none of the");
            assert_eq!(warnings.contains(&count), none > 0, "{line}: {warnings}");
        }
    }
}
