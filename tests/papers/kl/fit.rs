//! `dp-assay fit kl-spider|kl-prox|adaptive-gd|noisy-gd`: any file and every built-in risk without flags, the choices
//! echoed, the budget kept, and what is refused with nothing released.

use crate::parallel::on_all_cores;
use crate::program::{json, number, refused, stdout};
use crate::records::files;
use serde_json::Value;

const METHODS: [&str; 4] = ["kl-spider", "kl-prox", "adaptive-gd", "noisy-gd"];

fn check(method: &str, fitted: &Value, dimension: usize) {
    assert_eq!(fitted["schema"], "dp-assay/fit-kl/1");
    assert_eq!(fitted["request"]["method"], method);
    assert_eq!(fitted["request"]["neighbours"], "replace-one");
    let privacy = &fitted["privacy"];
    assert!(number(&privacy["epsilon_upper"]) <= 1.0, "{privacy}");
    // The budget is used up to a part in 10⁹, and no more is spent.
    assert!(number(&privacy["epsilon_upper"]) > 1.0 - 1e-6, "{privacy}");
    assert!(number(&privacy["rho_spent"]) <= number(&privacy["rho_upper"]));
    assert_eq!(privacy["release"], "transcript");
    let resolved = &fitted["resolved"];
    for key in [
        "rho",
        "beta",
        "gamma",
        "kappa",
        "loss_bound",
        "lipschitz",
        "smoothness",
        "start",
    ] {
        assert!(resolved[key].is_number(), "{method}: {key} is not echoed");
    }
    let echoed = matches!(method, "kl-prox" | "noisy-gd");
    assert_eq!(resolved["length"].is_number(), echoed);
    assert_eq!(
        fitted["coefficients"].as_array().map(Vec::len),
        Some(dimension)
    );
    assert!(fitted.get("not_private").is_none());
}

#[test]
fn every_method_runs_on_any_file_and_every_built_in_risk_and_echoes_its_choices() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, real] = files(folder.path());
    on_all_cores(&METHODS, |&method| {
        for (flags, words) in [
            (vec!["--data", &classes], "logistic loss; records moved"),
            (
                vec!["--data", &real],
                "squared loss, linear for residuals beyond 1",
            ),
            (
                vec!["--data", &real, "--loss", "phase-retrieval"],
                "(tanh^2 u - y)^2/4, targets moved into [0, 1]",
            ),
        ] {
            let fitted = json(&[&["fit", method], &flags[..]].concat());
            check(method, &fitted, 2);
            assert_eq!(fitted["records"], 60);
            assert!(
                fitted["risk"]
                    .as_str()
                    .is_some_and(|w| w.starts_with(words)),
                "{fitted}"
            );
        }
        for which in ["quadratic", "quartic", "huber", "log-cosh", "sine", "ring"] {
            if method == "kl-prox" && which == "quartic" {
                // κ = 4/3 is below 2.
                continue;
            }
            // Noise must not carry an iterate out of the region: few records for those with short steps only.
            let few = matches!(method, "kl-spider" | "adaptive-gd");
            let records = if few { "200" } else { "10000" };
            let flags = ["fit", method, "--builtin", which];
            let size = ["--records", records, "--dimension", "3"];
            check(method, &json(&[&flags[..], &size].concat()), 3);
        }
    });
    let text = stdout(&["fit", "kl-spider", "--data", &classes]);
    // Where lines break depends on the figures.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "kl-spider on 60 records, 2 features",
        "risk: logistic loss; records moved into the ball of radius 1",
        "replace-one neighbours; covered: the transcript; claim: kl-thm-1-priv-repaired",
        "assumed, for accuracy only: gamma",
        "coefficients:",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

/// Fixed tapes, so no false alarm. ρ of some hundreds leaves little noise: the excess risk of the start falls.
#[test]
fn with_a_large_budget_every_method_descends() {
    let cases = [
        ("kl-spider", "quadratic"),
        ("kl-spider", "sine"),
        ("adaptive-gd", "sine"),
        ("adaptive-gd", "log-cosh"),
        ("kl-prox", "quadratic"),
        ("noisy-gd", "quadratic"),
    ];
    on_all_cores(&cases, |(method, which)| {
        let budget = ["--epsilon", "1000", "--compare", "--records", "2000"];
        let fitted = json(&[&["fit", method, "--builtin", which], &budget[..]].concat());
        let compared = &fitted["not_private"];
        let (start, end) = (number(&compared["start"]), number(&compared["objective"]));
        // noisy-gd stays near its start: it minimises F + ‖w − w₀‖², here at (2/3)w₀.
        let part = if *method == "noisy-gd" { 0.5 } else { 0.1 };
        assert!(
            end <= part * start,
            "{method} on {which}: {end} after {start}"
        );
        assert_eq!(number(&compared["minimum"]), 0.0);
    });
}

#[test]
fn bad_input_is_refused_with_the_value_named_and_nothing_released() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, real] = files(folder.path());
    for (method, flags, message) in [
        (
            "kl-spider",
            &["--kappa", "2.5"][..],
            "kappa = 2.5 must be in [1, 2]",
        ),
        (
            "kl-spider",
            &["--kappa", "0.5"],
            "kappa = 0.5 must be in [1, 2]",
        ),
        (
            "kl-prox",
            &["--kappa", "1.5"],
            "kappa = 1.5 must be finite and >= 2",
        ),
        (
            "kl-spider",
            &["--gamma", "0"],
            "gamma = 0 must be finite and > 0",
        ),
        (
            "kl-prox",
            &["--gamma", "-1"],
            "gamma = -1 must be finite and > 0",
        ),
        (
            "noisy-gd",
            &["--weak-convexity", "0"],
            "weak convexity constant = 0 must be finite and > 0",
        ),
        (
            "kl-spider",
            &["--loss-bound", "-1"],
            "F_0 = -1 must be finite and > 0",
        ),
        (
            "kl-prox",
            &["--loss-bound", "-1"],
            "F_0 = -1 must be finite and > 0",
        ),
        (
            "kl-spider",
            &["--beta", "1"],
            "beta = 1 must be strictly between 0 and 1",
        ),
        (
            "noisy-gd",
            &["--beta", "0"],
            "beta = 0 must be strictly between 0 and 1",
        ),
        (
            "noisy-gd",
            &["--length", "0"],
            "number of iterates T = 0 must be in [1, 1e9)",
        ),
        (
            "kl-prox",
            &["--rounds", "0"],
            "number of rounds = 0 must be at least 1",
        ),
        (
            "adaptive-gd",
            &["--bound", "-1"],
            "bound = -1 must be in [1e-75, 1e75]",
        ),
        (
            "adaptive-gd",
            &["--epsilon", "-1"],
            "epsilon = -1 must be finite and >= 0",
        ),
        (
            "adaptive-gd",
            &["--neighbours", "add-remove"],
            "no sensitivity is known under add-remove neighbours; replace-one and zero-out have one",
        ),
    ] {
        let found = refused(&[&["fit", method, "--data", &classes], flags].concat());
        assert_eq!(found, message, "{method} {flags:?}");
    }
    for (flags, message) in [
        (
            &["--start", "7", "--dimension", "1"][..],
            "the start has norm 7, outside the region of radius 6",
        ),
        (
            &["--lipschitz", "0.5", "--dimension", "1"],
            "step 0: a record has a gradient above L_0 = 0.5",
        ),
        (
            &["--records", "0"],
            "0 values do not make 0 >= 1 records of 2 >= 1 features",
        ),
    ] {
        let found = refused(&[&["fit", "adaptive-gd", "--builtin", "quadratic"], flags].concat());
        assert_eq!(found, message, "{flags:?}");
    }
    // Half of L₁: a difference would move more than it is charged for.
    let flags = ["--smoothness", "0.5", "--epsilon", "1000"];
    let found = refused(&[&["fit", "kl-spider", "--builtin", "quadratic"], &flags[..]].concat());
    assert!(
        found.starts_with("step 1: a record's gradient changes by more than L_1 times the step, "),
        "{found}"
    );
    let missing = refused(&["fit", "kl-spider", "--data", "no/such.csv"]);
    assert!(missing.contains("no/such.csv: cannot open"), "{missing}");
    let wrong = refused(&["fit", "kl-spider", "--data", &real, "--loss", "logistic"]);
    assert!(wrong.contains("real.csv"), "{wrong}");
}

/// Constants of the ball hold for whatever record there may be; below them it would depend on the records whether a run ends.
#[test]
fn constants_below_those_of_the_ball_are_refused_whatever_the_records() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str, x: f64| {
        let line = |i: u32| match i {
            0 => format!("{x},yes\n"),
            i => format!("0.{},{}\n", i % 3, ["no", "yes"][i as usize % 2]),
        };
        let path = folder.path().join(name);
        std::fs::write(&path, (0..60).map(line).collect::<String>()).expect("a temporary file");
        path.to_str().expect("a plain path").to_owned()
    };
    // Neighbours: with the record of norm 1 a run at L_0 = 0.3 would end with an error, and with that of 0.2 it would not.
    for data in [file("short.csv", 0.2), file("long.csv", 1.0)] {
        for (method, flag, stated, name, least) in [
            (
                "adaptive-gd",
                "--lipschitz",
                "0.3",
                "L_0",
                "1.00000000000000",
            ),
            ("noisy-gd", "--lipschitz", "0", "L_0", "1.00000000000000"),
            (
                "kl-spider",
                "--smoothness",
                "0.2",
                "L_1",
                "0.25000000000000",
            ),
            ("kl-prox", "--smoothness", "-2", "L_1", "0.25000000000000"),
        ] {
            let found = refused(&["fit", method, "--data", &data, flag, stated]);
            let words = format!("{name} = {stated} is below {least}");
            assert!(found.starts_with(&words), "{method}: {found}");
        }
        let above = [
            "--lipschitz",
            "1.1",
            "--smoothness",
            "0.26",
            "--length",
            "3",
        ];
        let found = json(&[&["fit", "noisy-gd", "--data", &data], &above[..]].concat());
        assert_eq!(found["resolved"]["lipschitz"], 1.1);
        assert_eq!(found["resolved"]["smoothness"], 0.26);
    }
}
