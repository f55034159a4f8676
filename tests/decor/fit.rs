//! `dp-assay fit decor`: users on any file, every choice echoed, the same models from processes.

use serde_json::Value;
use std::fmt::Write;
use std::process::{Command, Output};

fn dp_assay(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dp-assay"))
        .args(arguments)
        .output()
        .expect("the binary was built for this test")
}

/// A file of so many records in two classes, and a run on it.
fn fit(records: usize, flags: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut rows = String::new();
    for i in 0..records {
        let (a, b) = ((i * 7 % 11) as f64 / 5.0 - 1.0, (i % 4) as f64 / 2.0 - 0.75);
        let class = if i % 2 == 0 { "even" } else { "odd" };
        writeln!(rows, "{a},{b},{class}").expect("a String takes everything");
    }
    let file = folder.path().join("records.csv");
    std::fs::write(&file, rows).expect("a temporary file");
    let file = file.to_str().expect("a plain path");
    dp_assay(&[&["fit", "decor", "--data", file], flags].concat())
}

fn json(records: usize, flags: &[&str]) -> Value {
    let output = fit(records, &[flags, &["--format", "json"]].concat());
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{flags:?}: {message}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn defaults_run_on_any_file_and_are_echoed() {
    for (records, graph, users) in [(2, "path:2", 2), (5, "ring:5", 5), (40, "ring:16", 16)] {
        let found = json(records, &[]);
        let asked = &found["request"]["decentralised"];
        assert_eq!(asked["graph"], graph);
        assert_eq!(asked["adversary"], "eavesdropper");
        assert_eq!(asked["noise"], "decor");
        assert_eq!(asked["weights"], "metropolis-hastings");
        assert_eq!(found["request"]["neighbours"], "user");
        assert_eq!(found["request"]["passes"], 50.0);
        let privacy = &found["privacy"];
        assert_eq!(privacy["neighbours"], "user");
        assert_eq!(privacy["release"], "transcript");
        assert!(number(&privacy["epsilon_upper"]) <= 1.0 + 1e-9, "{privacy}");
        let network = &found["users"];
        assert_eq!(network["count"], users);
        let models = network["models"].as_array().expect("a list");
        assert_eq!(models.len(), users);
        for k in 0..2 {
            let mean = models.iter().map(|m| number(&m[k])).sum::<f64>() / users as f64;
            // A mean of at most 16 numbers in two orders.
            let released = number(&found["coefficients"][k]);
            let size = models
                .iter()
                .map(|m| number(&m[k]).abs())
                .fold(0.0, f64::max);
            assert!((mean - released).abs() <= 64.0 * f64::EPSILON * size);
        }
    }
}

#[test]
fn the_baselines_have_their_scales_and_say_what_they_protect() {
    let of = |noise: &str| json(40, &["--noise", noise]);
    let [decor, cdp, ldp] = ["decor", "cdp", "ldp"].map(of);
    let cdp_of = |found: &Value| number(&found["users"]["sigma_cdp"]);
    // n = 16 users: the local scale is √n times the central one; DECOR's own noise is near the latter.
    let ratio = cdp_of(&ldp) / cdp_of(&cdp);
    assert!((ratio - 4.0).abs() < 1e-9, "{ratio}");
    let excess = (cdp_of(&decor) / cdp_of(&cdp)).powi(2);
    assert!(excess > 1.0 && excess <= 1.1 + 1e-6, "{excess}");
    assert_eq!(
        cdp["privacy"]["release"],
        "average of the messages, not the messages"
    );
    for (found, claim) in [
        (&decor, "decor-thm-6-num"),
        (&cdp, "decor-base-cdp"),
        (&ldp, "decor-base-ldp"),
    ] {
        assert_eq!(found["privacy"]["claim"], claim);
        let epsilon = number(&found["privacy"]["epsilon_upper"]);
        assert!((1.0 - 1e-9..=1.0 + 1e-9).contains(&epsilon), "{epsilon}");
    }
    // A user who sees its neighbours' seeds needs more noise against it.
    let curious = json(40, &["--adversary", "curious"]);
    assert!(cdp_of(&curious) > cdp_of(&decor));
}

#[test]
fn processes_give_the_same_models_and_text_names_the_network() {
    let flags = ["--graph", "star:3", "--sigma-cor", "20", "--passes", "4"];
    let together = json(11, &flags);
    let apart = json(
        11,
        &[&flags[..], &["--processes", "--timeout", "60"]].concat(),
    );
    assert_eq!(together["users"], apart["users"]);
    assert_eq!(apart["request"]["decentralised"]["limit_seconds"], 60.0);
    assert_eq!(together["users"]["sigma_cor"], 20.0);
    assert_eq!(together["users"]["fewest_records"], 3);
    let text = fit(11, &flags);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    for words in [
        "star:3, adversary eavesdropper: 3 users of at least 3 records, 2 edges",
        "sigma_cor = 20,",
        "the coefficients are the average of the users' models",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn bad_input_is_one_line_with_the_value_at_fault() {
    let refused = |flags: &[&str]| {
        let output = fit(5, flags);
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(message.lines().count(), 1, "{message}");
        message
    };
    let all: [&[&str]; 10] = [
        &["--graph", "ring:6"],
        &["--graph", "erdos-renyi:5:0:1"],
        &["--graph", "star:5", "--adversary", "collude:5"],
        &["--neighbours", "replace-one"],
        &["--l1", "0.1"],
        &["--noise", "ldp", "--sigma-cor", "1"],
        &["--weights", "printed"],
        &["--weights", "uniform"],
        &["--processes", "--timeout", "0"],
        &["--calibration", "printed"],
    ];
    insta::assert_snapshot!(all.map(refused).concat());
    let other = dp_assay(&["fit", "gd", "--data", "x", "--graph", "ring:4"]);
    assert_eq!(other.status.code(), Some(2));
}
