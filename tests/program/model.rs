//! `dp-assay fit --holdout|--test|--out|--bounds` and `predict`: what a model is worth, kept and used.

use crate::inputs::write;
use crate::program::{json, number, refused, stdout};
use crate::records::files;
use dp_assay::accounting::{Event, account};
use dp_assay::units::{Delta, Neighbouring};
use serde_json::Value;
use std::path::Path;

/// The numbers of a CSV file without header, and its last fields.
fn records(file: &str) -> Vec<(Vec<f64>, String)> {
    let text = std::fs::read_to_string(file).expect("a file");
    let record = |line: &str| {
        let (features, label) = line.rsplit_once(',').expect("a label");
        let features = features.split(',').map(|x| x.parse().expect("a number"));
        (features.collect(), label.to_owned())
    };
    text.lines().map(record).collect()
}

/// Σ_j w_j·(x_j moved into [−1, 1]) + b, by hand from what is printed.
fn score(fitted: &Value, x: &[f64]) -> f64 {
    let weights = fitted["coefficients"].as_array().expect("an array");
    let terms = weights
        .iter()
        .zip(x)
        .map(|(w, x)| number(w) * x.clamp(-1.0, 1.0));
    terms.sum::<f64>() + number(&fitted["intercept"])
}

#[test]
fn metrics_are_those_computed_by_hand() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, real] = files(folder.path());
    let fitted = json(&[
        "fit",
        "gd",
        "--data",
        &classes,
        "--test",
        &classes,
        "--epsilon",
        "20",
    ]);
    let rows = records(&classes);
    let right = rows
        .iter()
        .filter(|(x, y)| (score(&fitted, x) > 0.0) == (y == "yes"))
        .count();
    let n = rows.len() as f64;
    let metrics = &fitted["metrics"];
    assert_eq!(
        (&metrics["on"], &metrics["records"]),
        (&"test".into(), &60.into())
    );
    assert!((number(&metrics["accuracy"]) - right as f64 / n).abs() < 1e-12);
    let yes = rows.iter().filter(|row| row.1 == "yes").count() as f64 / n;
    assert!((number(&metrics["constant"]["accuracy"]) - yes.max(1.0 - yes)).abs() < 1e-12);
    // The classes are those of a half-space through 0, on which the optimum without noise makes no mistake.
    assert_eq!(metrics["optimum"]["accuracy"], 1.0);
    for part in [metrics, &metrics["constant"], &metrics["optimum"]] {
        assert_eq!(part["private"], false);
    }
    let gain = number(&metrics["accuracy"]) - number(&metrics["constant"]["accuracy"]);
    assert!((number(&metrics["gain"]) - gain).abs() < 1e-12);

    let fitted = json(&[
        "fit",
        "gd",
        "--data",
        &real,
        "--test",
        &real,
        "--epsilon",
        "20",
    ]);
    let rows: Vec<(Vec<f64>, f64)> = records(&real)
        .into_iter()
        .map(|(x, y)| (x, y.parse().expect("a number")))
        .collect();
    let mean = rows.iter().map(|row| row.1).sum::<f64>() / n;
    let left = rows.iter().map(|(x, y)| (y - score(&fitted, x)).powi(2));
    let spread = rows.iter().map(|(_, y)| (y - mean).powi(2));
    let r2 = 1.0 - left.sum::<f64>() / spread.sum::<f64>();
    let metrics = &fitted["metrics"];
    assert!((number(&metrics["r2"]) - r2).abs() < 1e-9, "{metrics}");
    assert!(metrics.get("accuracy").is_none());
    // Fitted and measured on the same records, the mean explains nothing; the targets are linear.
    assert!(number(&metrics["constant"]["r2"]).abs() < 1e-12);
    assert!(number(&metrics["optimum"]["r2"]) > 1.0 - 1e-6);
}

#[test]
fn a_holdout_has_no_part_in_the_fit_and_two_lines_say_what_the_model_is_worth() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, _] = files(folder.path());
    let fit = [
        "fit",
        "gd",
        "--data",
        &classes,
        "--holdout",
        "0.25",
        "--seed",
        "3",
    ];
    let fitted = json(&fit);
    assert_eq!(
        (&fitted["records"], &fitted["metrics"]["records"]),
        (&45.into(), &15.into())
    );
    // δ follows the records of training.
    assert_eq!(fitted["privacy"]["delta"].as_f64(), Some(1.0 / 2025.0));
    let text = stdout(&fit);
    let flat = text.replace("\n  ", " ");
    assert!(flat.contains("NOT PRIVATE: accuracy"), "{text}");
    assert!(flat.contains("better than nothing: "), "{text}");
    assert!(
        flat.contains("of a constant") && flat.contains("without privacy"),
        "{text}"
    );
    assert!(flat.contains("claim: decor-aux-simulate"), "{text}");
}

#[test]
fn a_kept_model_predicts_as_the_fit_did_and_its_guarantee_is_accounted_for_anew() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let lines: Vec<String> = (0..200)
        .map(|i| (f64::from(i * 7 % 100), f64::from(i * 13 % 40) - 20.0, i))
        .map(|(a, b, i)| {
            format!(
                "{a},{b},{}",
                if a + b + f64::from(i % 9) > 50.0 {
                    "up"
                } else {
                    "down"
                }
            )
        })
        .collect();
    let (train, test) = lines.split_at(140);
    let with = |lines: &[String]| format!("age,height,side\n{}\n", lines.join("\n"));
    let train = write(folder.path(), "train.csv", &with(train));
    let held = write(folder.path(), "test.csv", &with(test));
    let bounds = write(folder.path(), "bounds.csv", "height,-20,20\nage,0,100\n");
    let model = folder
        .path()
        .join("model.json")
        .to_str()
        .expect("a plain path")
        .to_owned();
    let flags = [
        "fit",
        "--data",
        &train,
        "--test",
        &held,
        "--bounds",
        &bounds,
        "--epsilon",
        "8",
        "--out",
        &model,
    ];
    let fitted = json(&flags);
    let kept: Value =
        serde_json::from_str(&std::fs::read_to_string(&model).expect("written")).expect("JSON");
    assert_eq!(kept["schema"], "dp-assay/model/1");
    assert_eq!(kept["version"], env!("CARGO_PKG_VERSION"));
    for key in ["coefficients", "intercept", "privacy", "names"] {
        assert_eq!(kept[key], fitted[key], "{key}");
    }
    assert_eq!(kept["names"], serde_json::json!(["age", "height"]));
    assert_eq!(
        kept["preprocessing"]["ranges"],
        serde_json::json!([[0.0, 100.0], [-20.0, 20.0]])
    );
    let event = Event::from_json(&kept["privacy"]["event"].to_string()).expect("a tree");
    let delta = Delta::new(number(&kept["privacy"]["delta"])).expect("in [0, 1]");
    let auto = dp_assay::accounting::Accountant::Auto;
    let report = account(&event, delta, auto, Neighbouring::ReplaceOne, false).expect("known");
    assert_eq!(
        report.epsilon_upper,
        number(&kept["privacy"]["epsilon_upper"])
    );
    assert!(report.epsilon_upper <= 8.0 + 1e-9);

    let predicted = json(&["predict", &model, "--data", &held]);
    let said = predicted["predictions"].as_array().expect("an array");
    let right = said
        .iter()
        .zip(test)
        .filter(|(said, line)| line.ends_with(said.as_str().expect("a class")));
    let accuracy = right.count() as f64 / 60.0;
    assert!((number(&fitted["metrics"]["accuracy"]) - accuracy).abs() < 1e-12);
    // The label has no part in it: without its column, and as text, all is the same.
    let bare: Vec<&str> = test
        .iter()
        .map(|line| line.rsplit_once(',').expect("a label").0)
        .collect();
    let bare = write(
        folder.path(),
        "bare.csv",
        &format!("age,height\n{}\n", bare.join("\n")),
    );
    assert_eq!(json(&["predict", &model, "--data", &bare]), predicted);
    let text = stdout(&["predict", &model, "--data", &bare]);
    assert_eq!(
        text.lines().collect::<Vec<_>>(),
        said.iter()
            .map(|s| s.as_str().expect("a class"))
            .collect::<Vec<_>>()
    );

    let other = write(folder.path(), "other.csv", "age,weight,side\n1,2,up\n");
    let message = refused(&["predict", &model, "--data", &other]);
    assert!(
        message.contains("feature 2 is `weight`, the model's is `height`"),
        "{message}"
    );
    let wide = write(folder.path(), "wide.csv", "1,2,3,4,5\n");
    let message = refused(&["predict", &model, "--data", &wide]);
    assert!(
        message.contains("5 columns beside the label, expected 2"),
        "{message}"
    );
    for (text, words) in [
        ("{}", "not a model"),
        (
            &std::fs::read_to_string(&model)
                .expect("kept")
                .replace("model/1", "model/9"),
            "schema `dp-assay/model/9`",
        ),
        (
            &std::fs::read_to_string(&model)
                .expect("kept")
                .replace("\"height\"", "\"height\", \"x\""),
            "3 names, expected 2",
        ),
    ] {
        let bad = write(folder.path(), "bad.json", text);
        let message = refused(&["predict", &bad, "--data", &held]);
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn what_cannot_be_measured_or_kept_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, real] = files(folder.path());
    let ages = write(folder.path(), "ages.csv", "a,0,1\nb,1,1\n");
    let short = write(folder.path(), "short.csv", "a,0,1\n");
    let levels: String = (0..30).map(|i| format!("{},{}\n", i % 5, i % 3)).collect();
    let levels = write(folder.path(), "levels.csv", &levels);
    for (flags, words) in [
        (
            &["--data", &classes, "--holdout", "1"][..],
            "holdout = 1 must be strictly between 0 and 1",
        ),
        (&["--data", &classes, "--holdout", "nan"], "holdout = NaN"),
        (&["--data", &classes, "--test", &real], "third value"),
        (
            &["--data", &classes, "--bounds", &ages],
            "ages.csv:2: `1:1` must be LOW:HIGH",
        ),
        (
            &["--data", &classes, "--bounds", &short],
            "1 ranges, expected 2",
        ),
        (
            &["--data", &classes, "--target-range", "0:1"],
            "the label = `no` is not a number; a range goes with real targets",
        ),
        (
            &[
                "--data",
                &classes,
                "--target-range",
                "0:1",
                "--loss",
                "logistic",
            ],
            "--target-range goes with real targets",
        ),
        (
            &["--data", &real, "--target-range", "1:0"],
            "must be LOW:HIGH",
        ),
        (
            &["--data", &classes, "--out", "no/such/model.json"],
            "cannot write",
        ),
        (
            &[
                "--data",
                &classes,
                "--out",
                "x.json",
                "--scaling",
                "max-abs",
                "--public",
            ],
            "--out keeps public ranges",
        ),
    ] {
        let message = refused(&[&["fit"], flags].concat());
        assert!(message.contains(words), "{flags:?}: {message}");
    }
    assert!(!Path::new("x.json").exists());
    // Few whole numbers are classes; said to be amounts, they are.
    assert_eq!(
        json(&["fit", "--data", &levels])["request"]["loss"],
        "logistic"
    );
    let fitted = json(&["fit", "--data", &levels, "--loss", "squared"]);
    assert_eq!(fitted["request"]["loss"], "squared");
    let message = refused(&["fit", "kl-spider", "--data", &levels]);
    assert!(message.contains("look like classes"), "{message}");
}

#[test]
fn auto_says_what_it_chose_and_why_and_is_the_default() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, real] = files(folder.path());
    let absent = json(&["fit", "--data", &classes]);
    let named = json(&["fit", "auto", "--data", &classes]);
    assert_eq!(absent["coefficients"], named["coefficients"]);
    assert_eq!(absent["request"]["method"], "gd");
    let reason = absent["defaults"][0].as_str().expect("a reason");
    assert!(
        reason.starts_with("auto: gd, for two classes, kappa = "),
        "{reason}"
    );
    let large = json(&["fit", "--data", &real, "--epsilon", "100000"]);
    assert_eq!(large["request"]["method"], "adassp");
}
