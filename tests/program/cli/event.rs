//! Event trees on the command line: every example of the format is accepted, a free number is found, the tree is echoed.

use crate::program::{dp_assay, json, number, refused, stdout};
use crate::records::stored;

const FORMAT: &str = include_str!("../../../spec/formats/event.md");

/// Each example stands below a heading with its name and behind the command that takes it.
#[test]
fn every_example_of_the_format_is_what_is_printed_and_what_its_command_accepts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut seen = 0;
    for section in FORMAT.split("\n### `").skip(1) {
        let (name, rest) = section.split_once('`').expect("a name");
        let (_, rest) = rest.split_once('`').expect("a command");
        let (command, rest) = rest.split_once('`').expect("a command");
        let (_, code) = rest.split_once("```json\n").expect("a tree");
        let (code, _) = code.split_once("```").expect("its end");
        let verb = command.split(' ').next().expect("a verb");
        assert_eq!(stdout(&[verb, "event", "--example", name]), code, "{name}");
        let file = stored(folder.path(), "tree.json", code);
        let line: Vec<&str> = command
            .split(' ')
            .map(|word| if word == "FILE" { file.as_str() } else { word })
            .collect();
        let found = json(&line);
        assert!(number(&found["epsilon_upper"]) > 0.0, "{name}");
        seen += 1;
    }
    assert_eq!(seen, 6);
    assert_eq!(
        stdout(&["account", "event", "--example"]),
        stdout(&["account", "event", "--example", "dp-sgd"])
    );
    assert_eq!(
        stdout(&["calibrate", "event", "--example"]),
        stdout(&["account", "event", "--example", "free"])
    );
    assert_eq!(
        refused(&["account", "gaussian", "--example"]),
        "--example goes with event"
    );
}

/// The number found makes the tree meet the target when it is accounted for again, and one a thousandth less does not.
#[test]
fn the_free_number_of_a_tree_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tree = |sigma: &str| {
        format!(
            r#"{{"kind": "repeated", "times": 9, "event": {{"kind": "gaussian", "sigma": {sigma}}}}}"#
        )
    };
    let free = stored(folder.path(), "free.json", &tree("\"?\""));
    let found = json(&[
        "calibrate",
        "event",
        &free,
        "--epsilon",
        "1",
        "--delta",
        "1e-5",
    ]);
    assert_eq!(found["free"], "/event/sigma");
    let sigma = number(&found["value"]);
    assert_eq!(number(&found["event"]["event"]["sigma"]), sigma);
    let epsilon = |sigma: f64| {
        let file = stored(folder.path(), "fixed.json", &tree(&format!("{sigma:e}")));
        number(&json(&["account", "event", &file, "--delta", "1e-5"])["epsilon_upper"])
    };
    assert!(
        epsilon(sigma) <= 1.0 && epsilon(0.999 * sigma) > 1.0,
        "{sigma}"
    );
    // The same number by another way: nine steps are one of three times the noise.
    let single = json(&["calibrate", "gaussian", "--epsilon", "1", "--delta", "1e-5"]);
    assert!(
        (sigma / (3.0 * number(&single["sigma"])) - 1.0).abs() < 1e-8,
        "{sigma}"
    );
    let message = refused(&[
        "calibrate",
        "event",
        &stored(folder.path(), "fixed.json", &tree("1")),
        "--epsilon",
        "1",
        "--delta",
        "1e-5",
    ]);
    assert!(message.contains("0 numbers are free"), "{message}");
    let message = refused(&["account", "event", &free, "--delta", "1e-5"]);
    assert!(message.contains("free.json"), "{message}");
}

#[test]
fn the_answer_says_what_was_accounted_for_and_under_which_relation() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = stored(
        folder.path(),
        "tree.json",
        r#"{"kind": "composed", "events": [{"kind": "laplace", "scale": 2}]}"#,
    );
    let found = json(&[
        "account",
        "event",
        &file,
        "--delta",
        "0",
        "--neighbours",
        "replace-one",
    ]);
    assert_eq!(
        (
            &found["event"]["events"][0]["sensitivity"],
            &found["neighbours"]
        ),
        (&1.0.into(), &"replace-one".into())
    );
    let text = stdout(&[
        "account",
        "event",
        &file,
        "--delta",
        "0",
        "--neighbours",
        "replace-one",
    ]);
    assert!(
        text.contains("laplace scale = 2.0, sensitivity = 1.0") && text.contains("replace-one"),
        "{text}"
    );
    assert!(stdout(&["schema", "event"]).contains("\"poisson-sampled\""));
}

/// A ratio is a rate, rounded up, on the command line and in trees.
#[test]
fn rates_may_be_ratios() {
    let line = |q: &str| {
        json(&[
            "account",
            "subsampled-gaussian",
            "--q",
            q,
            "--sigma",
            "1",
            "--steps",
            "10",
            "--delta",
            "1e-5",
        ])
    };
    assert_eq!(line("15/60"), line("0.25"));
    assert_eq!(
        number(&line("1/3")["event"]["event"]["rate"]),
        (1.0f64 / 3.0).next_up()
    );
    for (wrong, why) in [
        ("1/0", "must be a ratio in [0, 1]"),
        ("3/2", "must be a ratio in [0, 1]"),
        ("a/2", "`a` is not a number"),
    ] {
        let message = refused(&[
            "account",
            "subsampled-gaussian",
            "--q",
            wrong,
            "--sigma",
            "1",
            "--delta",
            "1e-5",
        ]);
        assert!(message.contains(why), "{message}");
    }
}

/// A lattice's lower end comes with its upper one, below it and near.
#[test]
fn lower_ends_are_printed_where_they_are_cheap() {
    let found = json(&[
        "account", "laplace", "--sigma", "10", "--steps", "100", "--delta", "1e-6",
    ]);
    let [lower, upper] = ["epsilon_lower", "epsilon_upper"].map(|end| number(&found[end]));
    // The lattice rounds every loss of a step down here and up there, which parts the ends by 0.22 % of ε.
    assert!(0.997 * upper < lower && lower <= upper, "{found}");
    // Where nothing is known from below, nothing is said of it.
    let text = stdout(&[
        "account", "gaussian", "--sigma", "5", "--steps", "100", "--method", "rdp", "--delta",
        "1e-6",
    ]);
    assert!(text.starts_with("epsilon at most "), "{text}");
}

#[test]
fn help_and_citations_are_there_for_each_word_that_they_take() {
    let help = stdout(&["help", "account", "gaussian"]);
    assert!(
        help.contains("--sigma") && !help.contains("--graph"),
        "{help}"
    );
    for (verb, mechanism) in [
        ("account", "gaussian"),
        ("account", "laplace"),
        ("account", "subsampled-gaussian"),
        ("account", "decor"),
        ("calibrate", "gaussian"),
        ("calibrate", "laplace"),
        ("calibrate", "subsampled-gaussian"),
        ("calibrate", "decor"),
    ] {
        let help = stdout(&["help", verb, mechanism]);
        let (_, first) = (help.split_once("Begin with: dp-assay ")).expect("a first command");
        let line: Vec<&str> = first.split_whitespace().collect();
        assert!(dp_assay(&line).status.success(), "{line:?}");
    }
    assert!(stdout(&["help", "audit", "svt-4"]).contains("true ε ≤ 0.175"));
    assert!(refused(&["help", "account", "gauss"]).contains("there are gaussian, laplace"));
    assert!(refused(&["help", "nothing"]).contains("no help on `nothing`"));
    let [paper, claim, alone] =
        [&["cite", "gcd"][..], &["cite", "gcd-thm-4.2"], &["cite"]].map(stdout);
    for text in [&paper, &claim] {
        assert!(
            text.contains("arXiv:2207.01560")
                && text.contains("eprint = {2207.01560}")
                && text.contains("year: 2022")
        );
    }
    assert!(
        claim.contains("section: \"Thm 4.2") && claim.contains("claim gcd-thm-4.2 of dp-assay"),
        "{claim}"
    );
    assert!(
        alone.starts_with("cff-version: 1.2.0\n") && !alone.contains("references"),
        "{alone}"
    );
    assert!(refused(&["cite", "gcd-thm"]).contains("neither a paper"));
}

#[test]
fn a_mark_before_a_text_is_no_part_of_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tree = r#"{"kind": "gaussian", "sigma": 2}"#;
    let plain = stored(folder.path(), "plain.json", tree);
    let marked = stored(folder.path(), "marked.json", &format!("\u{feff}{tree}"));
    let ask = |file: &str| json(&["account", "event", file, "--delta", "1e-5"]);
    assert_eq!(ask(&marked), ask(&plain));
    let ring = "0 1\n1 2\n2 0\n";
    let graph = stored(folder.path(), "ring.txt", &format!("\u{feff}{ring}"));
    let file = format!("file:{graph}");
    let question = ["account", "decor", "--sigma-cdp", "1", "--sigma-cor", "1"];
    let answer = |graph: &str| {
        json(
            &[
                &question[..],
                &["--clip", "1", "--delta", "1e-5", "--graph", graph],
            ]
            .concat(),
        )
    };
    assert_eq!(
        answer(&file)["epsilon_upper"],
        answer("ring:3")["epsilon_upper"]
    );
}

/// Before, a σ of −1 that is used 0 times passed for a mechanism.
#[test]
fn what_is_repeated_no_times_costs_nothing_and_must_still_be_a_mechanism() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sampled = |sigma: f64| {
        format!(
            r#"{{"kind": "poisson-sampled", "rate": 0.5, "event": {{"kind": "gaussian", "sigma": {sigma}}}}}"#
        )
    };
    let plain = |sigma: f64| format!(r#"{{"kind": "gaussian", "sigma": {sigma}}}"#);
    for method in ["auto", "rdp", "pld", "exact"] {
        for (good, wrong) in [(plain(1.0), plain(-1.0)), (sampled(1.0), sampled(-1.0))] {
            let ask = |event: &str| {
                let tree = format!(r#"{{"kind": "repeated", "times": 0, "event": {event}}}"#);
                stored(folder.path(), "none.json", &tree)
            };
            let rest = ["--delta", "1e-5", "--method", method];
            let file = ask(&good);
            let found = json(&[&["account", "event", &file], &rest[..]].concat());
            assert_eq!(number(&found["epsilon_upper"]), 0.0, "{method}");
            let file = ask(&wrong);
            let why = refused(&[&["account", "event", &file], &rest[..]].concat());
            assert!(why.contains("deviation = -1"), "{method}: {why}");
        }
    }
}

#[test]
fn a_batch_is_a_whole_number_of_records() {
    for sampling in ["fixed-size", "with-replacement"] {
        let ask = |q: &'static str, records: &'static str| {
            let line = [
                "account",
                "subsampled-gaussian",
                "--sigma",
                "1",
                "--delta",
                "1e-5",
            ];
            [
                &line[..],
                &["--sampling", sampling, "--q", q, "--records", records],
            ]
            .concat()
        };
        // 1.5 records a step were 2 before, in silence.
        let why = refused(&ask("0.0015", "1000"));
        assert!(why.contains("batches of 1.5, which must be whole"), "{why}");
        let batch = &json(&ask("256/60000", "60000"))["event"]["batch"];
        assert_eq!(*batch, 256);
        let search = format!(
            "calibrate subsampled-gaussian --solve q --sigma 1 --delta 1e-5 --epsilon 2 --records 9 \
             --sampling {sampling}"
        );
        let why = refused(&search.split(' ').collect::<Vec<_>>());
        assert!(why.contains("only some q make whole numbers"), "{why}");
    }
}

#[test]
fn an_enclosure_narrower_than_is_found_in_reasonable_time_is_refused() {
    for width in ["1e-300", "1e-7", "NaN"] {
        let line = [
            "account",
            "gaussian",
            "--sigma",
            "1",
            "--delta",
            "1e-5",
            "--oracle",
            "--oracle-width",
            width,
        ];
        let why = refused(&line);
        assert!(why.contains("must be at least 1e-6"), "{width}: {why}");
    }
}

/// Of a long tree the ends are told, and of a long list the beginning; `--quiet` leaves it to the file.
#[test]
fn a_long_tree_is_told_by_its_ends() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let steps: Vec<String> = (1..=40)
        .map(|i| format!(r#"{{"kind": "gaussian", "sigma": {i}00}}"#))
        .collect();
    let tree = format!(
        r#"{{"kind": "composed", "events": [{}, {{"kind": "matrix-gaussian", "sigma": 500, "strategy": {:?}}}]}}"#,
        steps.join(", "),
        vec![1.0; 20]
    );
    let file = stored(folder.path(), "tree.json", &tree);
    let line = ["account", "event", &file, "--delta", "1e-5"];
    let text = stdout(&line);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "  composed");
    assert_eq!(lines[12], "  … 26 lines more");
    assert_eq!(lines[13], "    gaussian sensitivity = 1.0, sigma = 3800.0");
    assert!(text.contains("[1.0,1.0,1.0,… 20 in all]"), "{text}");
    let quiet = stdout(&[&line[..], &["--quiet"]].concat());
    assert!(quiet.starts_with("epsilon in ["), "{quiet}");
    assert!(text.ends_with(&quiet), "{text}");
}

/// A whole number is written as one, so that it may be put back into the tree.
#[test]
fn a_whole_number_is_found_as_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tree = r#"{"kind": "repeated", "times": "?", "event": {"kind": "pure", "epsilon": 0.3}}"#;
    let file = stored(folder.path(), "tree.json", tree);
    let line = [
        "calibrate",
        "event",
        &file,
        "--epsilon",
        "1",
        "--delta",
        "0",
    ];
    let found = json(&line);
    assert_eq!(found["value"].as_u64(), Some(3), "{found}");
    assert!(stdout(&line).starts_with("/times = 3\n"));
}

/// What rounding parts is not said to be a thousandth of a percent.
#[test]
fn a_gap_that_is_rounding_is_not_rounded_up() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tree = r#"{"kind": "matrix-gaussian", "sigma": 4, "strategy": [1.0, 0.5, 0.25]}"#;
    let file = stored(folder.path(), "tree.json", tree);
    let text = stdout(&["account", "event", &file, "--delta", "1e-5"]);
    assert!(
        text.contains("less than 0.001 % below the upper one"),
        "{text}"
    );
}
