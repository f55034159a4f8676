//! What scripts rely on: the kinds of batches by their JSON, every word of `--sampling`, what `--q`, `--records` and
//! `--cap` mean, which relations are refused, and that gaps are told.

use crate::program::{json, number, refused, stdout};
use crate::records::stored;
use serde_json::{Value, json as tree};

const WORDS: [&str; 7] = [
    "poisson",
    "fixed-size",
    "with-replacement",
    "random-allocation",
    "balls-in-bins",
    "truncated-poisson",
    "b-min-separation",
];

/// The question with the flags that a sampling needs.
fn asked(sampling: &str, rest: &str) -> Vec<String> {
    let own = match sampling {
        "fixed-size" | "with-replacement" => "--records 8",
        "truncated-poisson" => "--records 8 --cap 3",
        "b-min-separation" => "--separation 2",
        _ => "",
    };
    let line = format!(
        "account subsampled-gaussian --sampling {sampling} --sigma 2 --delta 1e-5 {own} {rest}"
    );
    line.split_whitespace().map(str::to_owned).collect()
}

fn words(line: &[String]) -> Vec<&str> {
    line.iter().map(String::as_str).collect()
}

/// What is echoed for a field; that nothing is put back is not.
fn echoed(event: &Value, field: &str) -> Value {
    match &event[field] {
        Value::Null if field == "replacement" => false.into(),
        value => value.clone(),
    }
}

#[test]
fn every_kind_of_batch_is_read_by_its_fields_and_echoed_with_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let gaussian = tree!({"kind": "gaussian", "sigma": 2.0, "sensitivity": 1.0});
    let matrix = |strategy: Value| {
        tree!({
            "kind": "matrix-gaussian", "sigma": 2.0, "strategy": strategy, "participations": 1
        })
    };
    let fixed = |replacement: bool| {
        tree!({
            "kind": "fixed-size-sampled", "size": 8, "batch": 2, "replacement": replacement,
            "event": gaussian
        })
    };
    for kind in [
        tree!({"kind": "random-allocation", "steps": 6, "participations": 2, "event": gaussian}),
        tree!({"kind": "balls-in-bins", "bins": 4, "event": gaussian}),
        tree!({
            "kind": "truncated-poisson-sampled", "rate": 0.25, "cap": 3, "records": 8,
            "event": gaussian
        }),
        fixed(false),
        fixed(true),
        matrix(tree!([1.0, 0.5, 0.25])),
        matrix(tree!([[1.0, 0.0], [0.5, 1.0]])),
    ] {
        let file = stored(folder.path(), "tree.json", &kind.to_string());
        let found = json(&["account", "event", &file, "--delta", "1e-5"]);
        assert!(number(&found["epsilon_upper"]) > 0.0, "{kind}");
        for (field, value) in kind.as_object().expect("an object") {
            assert_eq!(echoed(&found["event"], field), *value, "{kind}: {field}");
        }
        let mut wrong = kind.clone();
        wrong["participants"] = tree!(1);
        let file = stored(folder.path(), "wrong.json", &wrong.to_string());
        let why = refused(&["account", "event", &file, "--delta", "1e-5"]);
        assert!(why.contains("participants"), "{kind}: {why}");
        // No field is left out, but where the format says what stands for it.
        for field in kind.as_object().expect("an object").keys() {
            if matches!(field.as_str(), "replacement" | "participations" | "event") {
                continue;
            }
            let mut less = kind.clone();
            less.as_object_mut().expect("an object").remove(field);
            let file = stored(folder.path(), "less.json", &less.to_string());
            let why = refused(&["account", "event", &file, "--delta", "1e-5"]);
            assert!(
                why.contains(field.as_str()),
                "{kind} without {field}: {why}"
            );
        }
    }
}

/// q is the share of the records in a step, on average, whatever the scheme; the result names the scheme, in both forms.
#[test]
fn every_word_of_sampling_makes_the_run_that_it_names() {
    for sampling in WORDS {
        let line = asked(sampling, "--q 0.25 --steps 8");
        let found = json(&words(&line));
        assert_eq!(found["sampling"], sampling);
        let text = stdout(&words(&line));
        assert!(
            text.starts_with(&format!("{sampling} sampling\n")),
            "{text}"
        );
        let event = &found["event"];
        let (times, inner) = match event["kind"] == "repeated" {
            true => (event["times"].as_u64(), &event["event"]),
            false => (Some(1), event),
        };
        let (kind, own, runs) = match sampling {
            "poisson" => ("poisson-sampled", tree!({"rate": 0.25}), 8),
            "fixed-size" => (
                "fixed-size-sampled",
                tree!({"size": 8, "batch": 2, "replacement": false}),
                8,
            ),
            "with-replacement" => (
                "fixed-size-sampled",
                tree!({"size": 8, "batch": 2, "replacement": true}),
                8,
            ),
            "random-allocation" => (sampling, tree!({"steps": 8, "participations": 2}), 1),
            "balls-in-bins" => (sampling, tree!({"bins": 4}), 2),
            "truncated-poisson" => (
                "truncated-poisson-sampled",
                tree!({"rate": 0.25, "cap": 3, "records": 8}),
                8,
            ),
            // Of the free 1/3, so that of all it is 1/4.
            _ => (sampling, tree!({"steps": 8, "separation": 2}), 1),
        };
        assert_eq!(
            (times, &inner["kind"]),
            (Some(runs), &tree!(kind)),
            "{sampling}"
        );
        for (field, value) in own.as_object().expect("an object") {
            assert_eq!(echoed(inner, field), *value, "{sampling}: {field}");
        }
        if sampling == "b-min-separation" {
            assert!(
                (number(&inner["rate"]) - 1.0 / 3.0).abs() < 1e-15,
                "{event}"
            );
        }
    }
}

#[test]
fn a_share_that_makes_no_whole_numbers_and_flags_that_lack_are_refused_by_name() {
    for (sampling, rest, why) in [
        (
            "random-allocation",
            "--q 0.3 --steps 8",
            "are 2.4 participations, which must be whole",
        ),
        ("random-allocation", "--q 0.01 --steps 8", "participations"),
        (
            "balls-in-bins",
            "--q 0.3 --steps 8",
            "bins, which must be a whole number that divides 8 steps",
        ),
        (
            "balls-in-bins",
            "--q 0.25 --steps 7",
            "must be a multiple of the 4 bins",
        ),
        ("fixed-size", "--q 0.3 --steps 8", "batches of 2.4"),
        ("with-replacement", "--q 0.3 --steps 8", "batches of 2.4"),
    ] {
        let found = refused(&words(&asked(sampling, rest)));
        assert!(found.contains(why), "{sampling} {rest}: {found}");
    }
    for (sampling, rest, flag) in [
        ("fixed-size", "", "--records"),
        ("with-replacement", "", "--records"),
        ("truncated-poisson", "--cap 3", "--records"),
        ("truncated-poisson", "--records 8", "--cap"),
        ("b-min-separation", "", "--separation"),
    ] {
        let line = format!(
            "account subsampled-gaussian --sampling {sampling} --sigma 2 --q 0.25 --delta 1e-5 \
             {rest}"
        );
        let found = refused(&line.split_whitespace().collect::<Vec<_>>());
        let names = found.contains(&format!("--sampling {sampling} needs")) && found.contains(flag);
        assert!(names, "{line}: {found}");
    }
}

/// `help` lists the relations that have a theorem; all others are refused with the relation's name.
#[test]
fn a_relation_without_a_theorem_is_refused_by_name_and_help_says_which_are_there() {
    let help = stdout(&["help", "account", "subsampled-gaussian"]);
    for sampling in WORDS {
        let listed = |neighbours: &str| {
            let mut lines = help.lines().map(str::trim_start);
            lines.any(|line| line.starts_with(&format!("{sampling} ")) && line.contains(neighbours))
        };
        assert!(listed("add-remove"), "{sampling}: {help}");
        for neighbours in ["add-remove", "replace-one", "zero-out", "user"] {
            let line = asked(
                sampling,
                &format!("--q 0.25 --steps 8 --neighbours {neighbours}"),
            );
            if listed(neighbours) {
                assert_eq!(json(&words(&line))["neighbours"], neighbours, "{sampling}");
            } else {
                let why = refused(&words(&line));
                assert!(why.contains(neighbours), "{sampling}, {neighbours}: {why}");
            }
        }
    }
}

/// Every scheme has a lower end without `--certified`. Where it is an attack's, the text says so and how far it is below, and the
/// result has it as `by_attack`.
#[test]
fn gaps_are_told_in_the_text_and_in_the_result() {
    for sampling in WORDS {
        for neighbours in ["add-remove", "replace-one"] {
            let line = asked(
                sampling,
                &format!("--q 0.25 --steps 8 --neighbours {neighbours}"),
            );
            let found = json(&words(&line));
            let [low, high] = ["epsilon_lower", "epsilon_upper"].map(|end| number(&found[end]));
            assert!(0.0 < low && low <= high, "{sampling} {neighbours}: {found}");
            let text = stdout(&words(&line));
            assert!(
                text.contains(&format!("epsilon in [{low}, {high}]")),
                "{text}"
            );
            let by_attack = found.get("by_attack") == Some(&tree!(true));
            let told = text.contains("the lower end is an explicit attack's, ");
            assert_eq!(told, by_attack, "{text}");
            // Wider than rounding makes it, it is never without the word.
            assert!(
                by_attack || low >= (1.0 - 1e-3) * high,
                "{sampling} {neighbours}: {found}"
            );
        }
    }
    for sampling in ["random-allocation", "b-min-separation"] {
        let found = json(&words(&asked(sampling, "--q 0.25 --steps 8")));
        assert_eq!(found["by_attack"], true, "{sampling}");
    }
    // Where inversion of moments is rough from below, by 2.3 % here, a lattice is asked.
    let line = "account subsampled-gaussian --sigma 2 --q 0.001 --steps 10000 --delta 1e-6";
    let found = json(&line.split(' ').collect::<Vec<_>>());
    let [low, high] = ["epsilon_lower", "epsilon_upper"].map(|end| number(&found[end]));
    assert!(low >= (1.0 - 1e-4) * high, "{found}");
}

#[test]
fn one_run_is_compared_under_every_word_with_both_ends() {
    let line = "account subsampled-gaussian --compare --sigma 2 --q 0.25 --steps 8 --records 8 \
                --cap 3 \
                --separation 2 --delta 1e-5";
    // Flags of one scheme alone do not go with another: they are for all rows here.
    let line: Vec<&str> = line.split_whitespace().collect();
    let found = json(&line);
    let rows = found.as_array().expect("a list");
    let named: Vec<&str> = rows
        .iter()
        .filter_map(|row| row["sampling"].as_str())
        .collect();
    assert_eq!(named, WORDS);
    let text = stdout(&line);
    for row in rows {
        let report = &row["report"];
        let [low, high] = ["epsilon_lower", "epsilon_upper"].map(|end| number(&report[end]));
        assert!(0.0 < low && low <= high, "{row}");
        let poisson = number(&rows[0]["report"]["epsilon_upper"]);
        assert_eq!(number(&row["times_poisson"]), high / poisson);
    }
    let shown = text
        .lines()
        .filter(|line| line.contains("epsilon in ["))
        .count();
    assert_eq!(shown, WORDS.len(), "{text}");
}

/// Steps of which records take part in so many, or in bins, are not searched for: few of their numbers make whole ones.
#[test]
fn what_must_divide_the_steps_does_not_search_for_them() {
    for sampling in ["random-allocation", "balls-in-bins"] {
        let line = format!(
            "calibrate subsampled-gaussian --sampling {sampling} --q 0.1 --sigma 4 --epsilon 1 \
             --delta 1e-5 --solve steps"
        );
        let why = refused(&line.split(' ').collect::<Vec<_>>());
        let wanted = format!("--solve steps does not go with --sampling {sampling}");
        assert!(why.starts_with(&wanted), "{why}");
    }
}

/// The relation of `decor` is its own.
#[test]
fn the_help_of_decor_names_its_relation() {
    let help = stdout(&["help", "account", "decor"]);
    assert!(!help.contains("[default: add-remove]"), "{help}");
    assert!(help.contains("user unless given"), "{help}");
}
