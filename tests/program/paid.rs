//! What is paid from the budget: ranges that nobody knows, and the choice of settings.

use crate::inputs::write;
use crate::needs::accounted;
use crate::program::{json, number, refused, stdout};
use dp_assay::accounting::Event;
use serde_json::Value;

/// 4000 records with two features far from [−1, 1], and targets far from it too.
fn houses() -> String {
    let line = |i: u32| {
        let (a, b) = (f64::from(i * 7 % 1009), f64::from(i * 13 % 997));
        let (a, b) = (1990.0 + a / 40.0, b / 10.0);
        let a = if i == 5 { 1e9 } else { a };
        format!(
            "{a},{b},{}\n",
            3000.0 * b + 2000.0 * (a.min(2016.0) - 1990.0)
        )
    };
    (0..4000).map(line).collect()
}

#[test]
fn private_ranges_are_paid_for_and_hold_most_records() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = write(folder.path(), "houses.csv", &houses());
    let model = write(folder.path(), "model.json", "");
    let flags = ["--data", &data, "--bounds", "private", "--epsilon", "4"];
    let more = ["--holdout", "0.2", "--out", &model];
    for method in ["gd", "gcd", "dp-sgd", "adassp"] {
        let fitted = json(&[&["fit", method], &flags[..], &more[..]].concat());
        let event = accounted(&fitted);
        let bounds = &fitted["privacy"]["bounds"];
        let Event::Composed { events } = &event else {
            panic!("{event:?}");
        };
        let Event::Repeated { times, event } = &events[0] else {
            panic!("{:?}", events[0]);
        };
        assert_eq!(*times, 20);
        let first = Event::Gaussian {
            sigma: number(&bounds["deviation"]),
            // √3: three columns, of which a record moves each count by 1.
            sensitivity: number(&bounds["sensitivity"]),
        };
        assert_eq!(**event, first);
        assert!((number(&bounds["sensitivity"]) - 3f64.sqrt()).abs() < 1e-15);
        assert_eq!(fitted["request"]["ranges"], bounds["features"]);
        assert_eq!(fitted["request"]["target_range"], bounds["target"]);
        // Years from 1990 to 2015 but for one of a milliard.
        let [low, high] = [0, 1].map(|k| number(&bounds["features"][0][k]));
        assert!(
            (1500.0..2000.0).contains(&low) && (2010.0..2500.0).contains(&high),
            "{low} {high}"
        );
        // Targets from 0 to 350,000.
        let [low, high] = [0, 1].map(|k| number(&bounds["target"][k]));
        assert!((-1.0..120_000.0).contains(&low) && (250_000.0..500_000.0).contains(&high));
    }
    let fitted = json(&[&["fit"], &flags[..], &more[..]].concat());
    let metrics = &fitted["metrics"];
    assert!(number(&metrics["r2"]) > 0.5, "{metrics}");
    // What the method's account rests on besides is not lost in that of all releases.
    let passed = json(&[&["fit", "ambssgd"], &flags[..]].concat());
    accounted(&passed);
    let theorem = passed["privacy"]["theorem"].as_str().expect("words");
    assert!(theorem.ends_with("; each record in one block"), "{theorem}");
    let message = refused(&[&["fit", "ssgd"], &flags[..]].concat());
    let words = "ssgd does not go with private ranges or a private centre: the shuffling";
    assert!(message.contains(words), "{message}");
    let text = stdout(&[&["fit"], &flags[..], &["--holdout", "0.2"]].concat());
    let marked = |line: &&str| line.contains("better than nothing") || line.contains("R2 ");
    let marked: Vec<&str> = text.lines().filter(marked).collect();
    assert_eq!(marked.len(), 2, "{text}");
    assert!(
        marked.iter().all(|line| line.starts_with("NOT PRIVATE: ")),
        "{text}"
    );
    assert!(
        text.contains("ranges: released first, for 0.2 of mu^2"),
        "{text}"
    );

    let few: String = houses()
        .lines()
        .take(60)
        .map(|line| format!("{line}\n"))
        .collect();
    let few = write(folder.path(), "few.csv", &few);
    let sparse = write(folder.path(), "s.svm", "1 1:1\n-1 2:1\n1 1:2\n");
    for (flags, words) in [
        (
            &["--data", &few, "--bounds", "private"][..],
            "private ranges for 60 records: noise may cut off up to",
        ),
        (
            &["--data", &sparse, "--bounds", "private"],
            "private ranges of an svmlight file",
        ),
        (
            &[
                "--data",
                &data,
                "--bounds",
                "private",
                "--bounds-share",
                "1",
            ],
            "bounds share = 1 must be strictly between 0 and 1",
        ),
        (
            &[
                "--data",
                &data,
                "--bounds",
                "private",
                "--smoothness",
                "private",
            ],
            "a private estimate of smoothness beside",
        ),
    ] {
        let message = refused(&[&["fit", "gd"], flags].concat());
        assert!(message.contains(words), "{flags:?}: {message}");
    }
}

#[test]
fn tuning_is_a_private_choice_that_says_what_it_cost() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = write(folder.path(), "houses.csv", &houses());
    let ranges = write(folder.path(), "ranges.csv", "a,1990,2016\nb,0,100\n");
    let known = ["--bounds", &ranges, "--target-range", "0:400000"];
    for (method, epsilon) in [("gd", "1"), ("skgd", "2"), ("dp-cd", "8")] {
        let fitted = json(
            &[
                &[
                    "fit",
                    method,
                    "--data",
                    &data,
                    "--tune",
                    "5",
                    "--epsilon",
                    epsilon,
                ],
                &known[..],
            ]
            .concat(),
        );
        let event = accounted(&fitted);
        assert!(matches!(
            &event,
            Event::Composed { events } if matches!(&events[1], Event::PrivateSelection { mean: 5.0, .. })
        ));
        // The time tells the number of runs, which the theorem needs hidden.
        assert_eq!(fitted["seconds"], Value::Null);
        let claims = fitted["privacy"]["claims"].to_string();
        for claim in ["acc-selection", "acc-gaussian"] {
            assert!(claims.contains(claim), "{method}: {claims}");
        }
        let tuning = &fitted["privacy"]["tuning"];
        let [run, without] = ["epsilon_run", "epsilon_without"].map(|key| number(&tuning[key]));
        // A choice costs at least one run; nearly all of the budget is used.
        assert!(run < without, "{method}: {run} {without}");
        let upper = number(&fitted["privacy"]["epsilon_upper"]);
        assert!(
            upper > 0.97 * number(&fitted["request"]["epsilon"]),
            "{method}: {upper}"
        );
    }
    let alone = ["fit", "gd", "--data", &data, "--tune", "2", "--centre", "0"];
    let event = accounted(&json(&[&alone[..], &known[..]].concat()));
    assert!(matches!(event, Event::PrivateSelection { .. }), "{event:?}");
    let flags = [&["fit", "gd", "--data", &data, "--tune", "5"], &known[..]].concat();
    let text = stdout(&flags);
    assert!(text.contains("tuned: the best of 5 settings"), "{text}");
    let first = text.lines().next().expect("a line");
    assert!(first.ends_with("2 features"), "{first}");
    for (flags, words) in [
        (&["gd", "--tune", "10"][..], "tune = 10 must be 2 to 9"),
        (
            &["dp-sgd", "--tune", "3"],
            "tuning, which is for gd, skgd and dp-cd",
        ),
    ] {
        let message = refused(&[&["fit", "--data", &data], &known[..], flags].concat());
        assert!(message.contains(words), "{flags:?}: {message}");
    }
}
