//! What data need before they can be fitted: several classes, words, missing values. Each is public, paid from the budget,
//! or marked.

use crate::inputs::write;
use crate::program::{json, number, refused, stdout};
use dp_assay::accounting::{Accountant, Event, account};
use dp_assay::units::{Delta, Neighbouring};
use serde_json::{Value, json as value};

/// Asserts that the printed ε is the accountant's answer to the printed tree, and within the budget.
pub fn accounted(fitted: &Value) -> Event {
    let privacy = &fitted["privacy"];
    let event = Event::from_json(&privacy["event"].to_string()).expect("a tree");
    let delta = Delta::new(number(&privacy["delta"])).expect("in [0, 1]");
    let relation = Neighbouring::ReplaceOne;
    let report = account(&event, delta, Accountant::Auto, relation, false).expect("known");
    assert_eq!(report.epsilon_upper, number(&privacy["epsilon_upper"]));
    let asked = number(&fitted["request"]["epsilon"]);
    assert!(report.epsilon_upper <= asked, "{}", report.epsilon_upper);
    let claims = value!(report.claims);
    assert_eq!(claims, privacy["claims"]);
    event
}

fn warned(fitted: &Value, words: &str) -> bool {
    fitted["warnings"].to_string().contains(words)
}

/// 600 records of three classes about (±0.6, ±0.6), a fifth of them with another label.
fn flowers() -> String {
    let line = |i: u32| {
        let k = i % 3;
        let (a, b) = [(0.6, 0.6), (-0.6, 0.6), (0.0, -0.6)][k as usize];
        let (u, v) = (f64::from(i * 37 % 101), f64::from(i * 53 % 97));
        let label = if i % 5 == 4 { (i / 5) % 3 } else { k };
        let (u, v) = (a + (u - 50.0) / 200.0, b + (v - 48.0) / 200.0);
        format!("{u},{v},{}\n", ["rose", "iris", "lily"][label as usize])
    };
    format!("long,wide,name\n{}", (0..600).map(line).collect::<String>())
}

#[test]
fn several_classes_share_the_budget_and_the_largest_score_decides() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = write(folder.path(), "flowers.csv", &flowers());
    let model = write(folder.path(), "model.json", "");
    for method in ["gd", "skgd", "gcd", "dp-sgd"] {
        let flags = [
            "--data",
            &data,
            "--test",
            &data,
            "--epsilon",
            "8",
            "--out",
            &model,
        ];
        let fitted = json(&[&["fit", method], &flags[..]].concat());
        assert_eq!(
            fitted["classes"],
            value!(["iris", "lily", "rose"]),
            "{method}"
        );
        assert_eq!(fitted["others"].as_array().map(Vec::len), Some(2));
        accounted(&fitted);
        // Noise of each class is its own: no two models are alike.
        assert_ne!(fitted["others"][0], fitted["others"][1]);
        assert!(
            warned(&fitted, "the names of the classes (iris, lily, rose)"),
            "{method}"
        );
        assert!(
            fitted["defaults"].to_string().contains("3 classes"),
            "{method}"
        );
        let predicted = json(&["predict", &model, "--data", &data]);
        let said = predicted["predictions"].as_array().expect("a list");
        let text = flowers();
        let right = said
            .iter()
            .zip(text.lines().skip(1))
            .filter(|(said, line)| line.ends_with(said.as_str().expect("a class")))
            .count();
        let accuracy = right as f64 / 600.0;
        assert!(
            (number(&fitted["metrics"]["accuracy"]) - accuracy).abs() < 1e-12,
            "{method}"
        );
        // Of the labels 13 in 15 are the place's.
        assert!(accuracy > 0.8, "{method}: {accuracy}");
        assert!(number(&fitted["metrics"]["constant"]["accuracy"]) < 0.4);
    }
    // Where nothing goes before, all classes are accounted for all the same.
    let alone = ["fit", "gd", "--data", &data, "--centre", "0"];
    let Event::Composed { events } = accounted(&json(&alone)) else {
        panic!("a composition");
    };
    assert_eq!(events.len(), 3);
    let stated = json(&[
        "fit",
        "gd",
        "--data",
        &data,
        "--epsilon",
        "8",
        "--classes",
        "rose,iris,lily",
    ]);
    assert_eq!(stated["classes"], value!(["rose", "iris", "lily"]));
    assert!(!warned(&stated, "names of the classes"));
    let text = stdout(&["fit", "gd", "--data", &data, "--epsilon", "8"]);
    assert!(
        text.contains("coefficients, lily against the rest:"),
        "{text}"
    );
    for (flags, words) in [
        (
            &["--classes", "rose,iris"][..],
            "label `lily` is none of the classes stated: rose, iris",
        ),
        (&["--classes", "rose,rose"], "at least two names"),
        (&["--loss", "squared"], "the label = `rose` is not a number"),
        (
            &["--relative-error"],
            "more than two classes and a comparison",
        ),
        (&["--tune", "3"], "tuning"),
    ] {
        let message = refused(&[&["fit", "gd", "--data", &data], flags].concat());
        assert!(message.contains(words), "{flags:?}: {message}");
    }
}

#[test]
fn whole_numbers_of_few_values_are_classes_and_fractions_are_amounts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let lines = |label: fn(u32) -> String| {
        (0..90)
            .map(|i| format!("{},{},{}\n", i % 7, i % 5, label(i)))
            .collect::<String>()
    };
    let levels = write(folder.path(), "levels.csv", &lines(|i| (i % 3).to_string()));
    let halves = write(
        folder.path(),
        "halves.csv",
        &lines(|i| format!("{}.5", i % 3)),
    );
    let fitted = json(&["fit", "--data", &levels]);
    assert_eq!(fitted["request"]["loss"], "logistic");
    let reasons = fitted["defaults"].to_string();
    assert!(
        reasons.contains("if the labels are amounts, say --loss squared"),
        "{reasons}"
    );
    assert_eq!(
        json(&["fit", "--data", &halves])["request"]["loss"],
        "squared"
    );
}

fn cars() -> String {
    let line = |i: u32| {
        let age = if i.is_multiple_of(10) {
            "?".to_owned()
        } else {
            (i % 40).to_string()
        };
        let paint = ["red", "blue", "green", ""][(i % 4) as usize];
        let sold = if i.is_multiple_of(4) && i % 40 < 30 {
            "yes"
        } else {
            "no"
        };
        format!("{age},{paint},{sold}\n")
    };
    format!("age,paint,sold\n{}", (0..400).map(line).collect::<String>())
}

#[test]
fn what_is_read_off_the_records_is_marked_unless_it_is_stated() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let wide = write(
        folder.path(),
        "wide.svm",
        &"1 1:1\n-1 2:1\n1 1:1 7:0.5\n".repeat(20),
    );
    let index = "the largest index in the records";
    let model = write(folder.path(), "model.json", "");
    let fitted = json(&["fit", "gd", "--data", &wide, "--out", &model]);
    // What is kept says it, too.
    let kept = std::fs::read_to_string(&model).expect("written");
    let kept: Value = serde_json::from_str(&kept).expect("JSON");
    assert_eq!(kept["warnings"], fitted["warnings"]);
    assert_eq!(fitted["features"], 7);
    assert!(warned(&fitted, index) && warned(&fitted, "names of the classes"));
    let stated = ["--features", "9", "--classes=-1,1"];
    let fitted = json(&[&["fit", "gd", "--data", &wide], &stated[..]].concat());
    assert_eq!(fitted["features"], 9);
    assert!(!warned(&fitted, "not private"), "{}", fitted["warnings"]);
    // So do the methods for losses that need not be convex.
    let fitted = json(&["fit", "noisy-gd", "--data", &wide]);
    assert!(warned(&fitted, index) && warned(&fitted, "names of the classes"));
    let text = stdout(&["fit", "noisy-gd", "--data", &wide]);
    assert!(
        text.contains("WARNING: not private: the number of features"),
        "{text}"
    );
    let fitted = json(&[&["fit", "noisy-gd", "--data", &wide], &stated[..]].concat());
    assert_eq!(fitted["features"], 9);
    assert!(!warned(&fitted, "not private"), "{}", fitted["warnings"]);
    let message = refused(&["fit", "gd", "--data", &wide, "--features", "6"]);
    assert!(message.contains("feature index 7 exceeds 6"), "{message}");

    let lines: String = (0..90).map(|i| format!("{},{}\n", i % 7, i % 3)).collect();
    let levels = write(folder.path(), "levels.csv", &lines);
    let amounts = json(&[
        "fit",
        "--data",
        &levels,
        "--target-range",
        "0:2",
        "--bound",
        "6",
    ]);
    assert_eq!(amounts["request"]["loss"], "squared");
    assert!(!warned(&amounts, "not private"), "{}", amounts["warnings"]);
    // What is stated of the targets settles what they are, whatever the records say.
    let ranges = write(folder.path(), "ranges.csv", "x,0,6\ny,0,1\n");
    for rare in ["1", "0.5"] {
        let line = |i: u32| match i {
            17 => format!("3,{rare}\n"),
            i => format!("{},{}\n", i % 7, i % 2),
        };
        let lines: String = (0..90).map(line).collect();
        let data = write(folder.path(), "shares.csv", &("x,y\n".to_owned() + &lines));
        let fitted = json(&["fit", "gd", "--data", &data, "--bounds", &ranges]);
        assert_eq!(fitted["request"]["loss"], "squared", "{rare}");
        assert!(!warned(&fitted, "not private"), "{}", fitted["warnings"]);
        let fitted = json(&["fit", "gd", "--data", &data, "--classes", "0,0.5,1"]);
        assert_eq!(fitted["request"]["loss"], "logistic", "{rare}");
        assert_eq!(fitted["classes"], value!(["0", "0.5", "1"]), "{rare}");
        for (flags, words) in [
            (
                &["--bounds", &ranges][..],
                "classes and a range of the targets are stated",
            ),
            (
                &["--loss", "squared"],
                "classes are stated, and the targets are amounts",
            ),
        ] {
            let both = ["fit", "gd", "--data", &data, "--classes", "0,0.5,1"];
            let message = refused(&[&both[..], flags].concat());
            assert!(message.contains(words), "{flags:?}: {message}");
        }
    }

    let lines: String = (0..90).map(|i| format!("{},{i}\n", i % 7)).collect();
    let counts = write(folder.path(), "counts.csv", &lines);
    let guessed = "that the targets are amounts is read off";
    assert!(warned(&json(&["fit", "--data", &counts]), guessed));
    assert!(!warned(
        &json(&["fit", "--data", &counts, "--loss", "squared"]),
        guessed
    ));
}

#[test]
fn words_become_columns_by_a_public_list_and_missing_numbers_the_middle_of_a_public_range() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = write(folder.path(), "cars.csv", &cars());
    let bounds = write(
        folder.path(),
        "bounds.csv",
        "paint,category,red|blue\nage,0,40\nsold,category,no|yes\n",
    );
    let model = write(folder.path(), "model.json", "");
    let flags = [
        "fit",
        "gd",
        "--data",
        &data,
        "--bounds",
        &bounds,
        "--epsilon",
        "8",
    ];
    let fitted = json(
        &[
            &flags[..],
            &["--missing", "middle", "--test", &data, "--out", &model],
        ]
        .concat(),
    );
    assert_eq!(fitted["names"], value!(["age", "paint=red", "paint=blue"]));
    assert_eq!(fitted["features"], 3);
    accounted(&fitted);
    // The classes are public: nothing of them is marked.
    assert!(!warned(&fitted, "names of the classes"));
    let kept: Value =
        serde_json::from_str(&std::fs::read_to_string(&model).expect("written")).expect("JSON");
    assert_eq!(
        kept["columns"],
        value!([{"kind": "number", "missing": 20.0}, {"kind": "category", "words": ["red", "blue"]}])
    );
    // A word that is not listed is as good as none, and what is missing as the middle.
    let new = write(
        folder.path(),
        "new.csv",
        "age,paint\n?,red\n20,red\nNA,pink\n20,\n",
    );
    let scores = json(&["predict", &model, "--data", &new])["scores"].clone();
    assert_eq!((&scores[0], &scores[2]), (&scores[1], &scores[3]));
    assert_ne!(scores[0], scores[2]);
    let predicted = json(&["predict", &model, "--data", &data]);
    let said = predicted["predictions"].as_array().expect("a list");
    let text = cars();
    let right = said
        .iter()
        .zip(text.lines().skip(1))
        .filter(|(said, line)| line.ends_with(&format!(",{}", said.as_str().expect("a class"))))
        .count();
    let accuracy = number(&fitted["metrics"]["accuracy"]);
    assert!((accuracy - right as f64 / 400.0).abs() < 1e-12);

    // The first record of a file without a header is no announcement, and is not swallowed.
    let line = |i: u32| {
        let colour = ["red", "blue"][(i % 2) as usize];
        format!(
            "{},{},{colour},{}\n",
            40 - i,
            i % 4,
            ["yes", "no"][(i % 3 / 2) as usize]
        )
    };
    let lines: String = (0..41).map(line).collect();
    let bare = write(folder.path(), "bare.csv", &lines);
    let known = "age,0,40\nsize,0,4\npaint,category,red|blue\n";
    let known = write(folder.path(), "known.csv", known);
    let counted = json(&["fit", "gd", "--data", &bare, "--bounds", &known]);
    assert_eq!(counted["records"], 41);
    // A line that does announce is still known with a file of ranges.
    let part = |name: &str| format!("{}/src/problem/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let (cancer, ranges) = (part("breast_cancer.csv"), part("breast_cancer.bounds.csv"));
    let fitted = json(&["fit", "gd", "--data", &cancer, "--bounds", &ranges]);
    assert_eq!(fitted["records"], 569);

    let short = write(
        folder.path(),
        "short.csv",
        "paint,category,red|red\nage,0,40\n",
    );
    for (flags, words) in [
        (
            &flags[..],
            "column 0 (`age`) = `?` is not a number; --missing middle",
        ),
        (
            &["fit", "--data", &data, "--missing", "middle"],
            "--missing middle is the middle of a public range: say --bounds FILE",
        ),
        (
            &["fit", "--data", &data, "--bounds", &short],
            "short.csv:1: `red|red` must be words between |",
        ),
    ] {
        let message = refused(flags);
        assert!(message.contains(words), "{flags:?}: {message}");
    }
    let painted = write(
        folder.path(),
        "painted.csv",
        "paint,age,sold\nred,1,yes\nblue,2,no\n",
    );
    let message = refused(&["fit", "--data", &painted]);
    assert!(
        message.contains("`red` is not a number; a column of words needs"),
        "{message}"
    );
    // These methods have no flag for it.
    let message = refused(&["fit", "kl-spider", "--data", &painted]);
    assert!(
        message.contains("`red` is not a number; this method takes numbers only"),
        "{message}"
    );
    assert!(!message.contains("--bounds"), "{message}");
}

#[test]
fn what_rests_on_assumed_constants_is_warned_of() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let line = |i: usize| format!("{},{}\n", i % 7, ["no", "yes"][i % 2]);
    let lines: String = (0..100).map(line).collect();
    let data = write(folder.path(), "short.csv", &lines);
    for method in ["kl-spider", "kl-prox"] {
        let flags = ["fit", method, "--data", &data];
        assert!(warned(&json(&flags), "gamma or kappa is assumed"));
        let known = json(&[&flags[..], &["--gamma", "1", "--kappa", "2"]].concat());
        assert!(!warned(&known, "assumed"), "{}", known["warnings"]);
    }
    // Neither the run nor a bound of these makes use of them.
    for method in ["adaptive-gd", "noisy-gd"] {
        let flags = ["fit", method, "--data", &data];
        let found = json(&flags);
        assert!(!warned(&found, "gamma"), "{}", found["warnings"]);
        assert!(!stdout(&flags).contains("gamma"), "{method}");
        for flag in ["--gamma", "--kappa"] {
            let message = refused(&[&flags[..], &[flag, "2"]].concat());
            assert!(
                message.contains("goes with kl-spider, kl-prox, and adaptive-gd --schedule"),
                "{message}"
            );
        }
    }
}

#[test]
fn steps_follow_from_the_zeros_that_are_stated_and_the_guarantee_does_not() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let line = |i: usize| format!("{} {}:1 {}:1\n", 2 * (i % 2), 1 + i % 2, 3 + i % 997);
    let data: String = (0..500).map(line).collect();
    let data = write(folder.path(), "words.svm", &data);
    let flags = ["fit", "gd", "--data", &data, "--features", "2000"];
    let dense = json(&flags);
    assert!(dense["defaults"].to_string().contains("--nonzeros"));
    let sparse = json(&[&flags[..], &["--nonzeros", "2"]].concat());
    assert_eq!(sparse["request"]["nonzeros"], 2);
    assert!(number(&sparse["request"]["step"]) > number(&dense["request"]["step"]));
    assert_eq!(
        accounted(&sparse),
        accounted(&dense),
        "noise per clipping level"
    );
    for (method, words) in [
        ("gd", "nonzeros = 0 must be at least 1"),
        ("gcd", "gcd does not go with nonzeros"),
    ] {
        let count = if method == "gd" { "0" } else { "2" };
        let refusal = refused(&["fit", method, "--data", &data, "--nonzeros", count]);
        assert!(refusal.contains(words), "{refusal}");
    }
}
