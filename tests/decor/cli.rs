//! `dp-assay account decor` and `dp-assay calibrate decor`.

use std::process::{Command, Output};

fn dp_assay(line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dp-assay"))
        .args(line.split_whitespace())
        .output()
        .expect("the binary was built for this test")
}

fn json(line: &str) -> serde_json::Value {
    let output = dp_assay(line);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {error}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn account_prints_the_known_slope_and_epsilon_for_every_adversary() {
    let line = "account decor --graph ring:16 --sigma-cdp 1 --sigma-cor 10 --clip 1 --steps 1000 --delta 1e-5 --format json --adversary";
    // C = 1, σ_cdp² = 1, σ_cor² = 100.
    let known = [
        ("eavesdropper", 0.150448362757329),
        ("curious", 0.211261896999281),
        ("collude:2", 2.0),
        ("ldp", 2.0),
    ];
    let mut last = 0.0;
    for (adversary, slope) in known {
        let found = json(&format!("{line} {adversary}"));
        let upper = found["slope"]["upper"].as_f64().expect("a number");
        assert!((upper - slope).abs() <= 1e-14, "{found}");
        let [lo, hi, renyi] = ["epsilon_lower", "epsilon_upper", "renyi_epsilon_upper"]
            .map(|key| found[key].as_f64().expect("a number"));
        assert!(last <= hi && lo <= hi && hi <= renyi, "{found}");
        last = lo;
        assert_eq!(
            (found["neighbours"].as_str(), found["schema"].as_u64()),
            (Some("user"), Some(1))
        );
    }
}

#[test]
fn calibrate_returns_noise_that_account_accepts() {
    let common = "decor --graph torus:4x4 --clip 2 --steps 500 --delta 1e-6 --adversary curious --format json";
    let pairs = json(&format!("calibrate {common} --epsilon 3 --points 4"));
    let list = pairs["pairs"].as_array().expect("a list");
    assert_eq!(list.len(), 5);
    let least = pairs["sigma_cdp_infimum"].as_f64().expect("a number");
    let last = list[4]["sigma_cdp"].as_f64().expect("a number");
    // 0.1 % of the way from σ² of local noise, 15 times the least, is 1.4 %.
    assert!(least < last && last < 1.008 * least, "{least}, {last}");
    let one = json(&format!("calibrate {common} --epsilon 3 --sigma-cor 100"));
    for pair in list.iter().chain(one["pairs"].as_array().expect("a list")) {
        let [cdp, cor] = ["sigma_cdp", "sigma_cor"].map(|key| &pair[key]);
        let found = json(&format!(
            "account {common} --sigma-cdp {cdp} --sigma-cor {cor}"
        ));
        let epsilon = found["epsilon_upper"].as_f64().expect("a number");
        assert!(
            epsilon <= 3.0 * (1.0 + 1e-12) && epsilon > 3.0 * (1.0 - 1e-9),
            "{found}"
        );
    }
}

#[test]
fn sampled_examples_are_accounted_for_under_replacement() {
    let line = "account decor --graph ring:16 --sigma-cdp 0.02 --sigma-cor 0.05 --steps 100 --delta 1e-5 --format json";
    let user = json(line)["epsilon_upper"].as_f64().expect("a number");
    let found = json(&format!("{line} --batch 64 --examples 3750"));
    let example = found["epsilon_upper"].as_f64().expect("a number");
    assert!(example > 0.0 && example < 0.05 * user, "{example}, {user}");
    assert_eq!(found["neighbours"].as_str(), Some("replace-one"));
}

#[test]
fn bad_questions_are_one_line_and_exit_code_two() {
    let lines = [
        "account decor --delta 1e-5",
        "account decor --graph wheel:5 --sigma-cdp 1 --sigma-cor 1 --delta 1e-5",
        "account decor --graph ring:2 --sigma-cdp 1 --sigma-cor 1 --delta 1e-5",
        "account decor --graph ring:5 --sigma-cdp 0 --sigma-cor 1 --delta 1e-5",
        "account decor --graph ring:5 --sigma-cdp 1 --delta 1e-5",
        "account decor --graph ring:5 --sigma-cdp 1 --sigma-cor 1 --adversary collude:5 --delta 1e-5",
        "account decor --graph ring:5 --sigma-cdp 1 --sigma-cor 1 --adversary spy --delta 1e-5",
        "account decor --graph ring:5 --sigma-cdp 1 --sigma-cor 1 --delta 0",
        "account decor --graph ring:5 --sigma-cdp 1 --sigma-cor 1 --sigma 2 --delta 1e-5",
        "account decor --graph file:no/such/file --sigma-cdp 1 --sigma-cor 1 --delta 1e-5",
        "account gaussian --sigma 1 --graph ring:5 --delta 1e-5",
        "calibrate decor --graph ring:5 --epsilon 1 --sigma-cdp 1e-3 --delta 1e-5",
        "calibrate decor --graph ring:5 --epsilon 1 --sigma-cdp 1 --sigma-cor 1 --delta 1e-5",
        "calibrate decor --graph ring:5 --epsilon 1 --delta 1e-5 --solve steps",
        "calibrate decor --graph ring:5 --epsilon 1 --delta 1e-5 --solve sigma",
        "calibrate decor --graph ring:5 --epsilon 0 --delta 0",
        "account decor --graph ring:5 --sigma-cdp 1 --sigma-cor -1 --delta 1e-5",
        "account decor --graph ring:5 --sigma-cdp nan --sigma-cor 1 --delta 1e-5",
        "account decor --graph path:1 --sigma-cdp 1 --sigma-cor 1 --adversary curious --delta 1e-5",
    ];
    let refused = |line: &str| {
        let output = dp_assay(line);
        assert_eq!(
            (output.status.code(), output.stdout.len()),
            (Some(2), 0),
            "{line}"
        );
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(message.lines().count(), 1, "{message}");
        message
    };
    insta::assert_snapshot!(lines.map(refused).concat());
}
