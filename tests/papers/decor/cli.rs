//! `dp-assay account decor` and `dp-assay calibrate decor`.

use crate::program::{number, refused};
use serde_json::Value;

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

fn json(line: &str) -> Value {
    crate::program::json(&words(line))
}

#[test]
fn account_prints_the_known_slope_and_epsilon_for_every_adversary() {
    let line = "account decor --graph ring:16 --sigma-cdp 1 --sigma-cor 10 --clip 1 --steps 1000 --delta 1e-5 --adversary";
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
        let upper = number(&found["slope"]["upper"]);
        assert!((upper - slope).abs() <= 1e-14, "{found}");
        let [lo, hi, renyi] = ["epsilon_lower", "epsilon_upper", "renyi_epsilon_upper"]
            .map(|key| number(&found[key]));
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
    let common = "decor --graph torus:4x4 --clip 2 --steps 500 --delta 1e-6 --adversary curious";
    let pairs = json(&format!("calibrate {common} --epsilon 3 --points 4"));
    let list = pairs["pairs"].as_array().expect("a list");
    assert_eq!(list.len(), 5);
    let least = number(&pairs["sigma_cdp_infimum"]);
    let last = number(&list[4]["sigma_cdp"]);
    // 0.1 % of the way from σ² of local noise, 15 times the least, is 1.4 %.
    assert!(least < last && last < 1.008 * least, "{least}, {last}");
    let one = json(&format!("calibrate {common} --epsilon 3 --sigma-cor 100"));
    for pair in list.iter().chain(one["pairs"].as_array().expect("a list")) {
        let [cdp, cor] = ["sigma_cdp", "sigma_cor"].map(|key| &pair[key]);
        let found = json(&format!(
            "account {common} --sigma-cdp {cdp} --sigma-cor {cor}"
        ));
        let epsilon = number(&found["epsilon_upper"]);
        assert!(
            epsilon <= 3.0 * (1.0 + 1e-12) && epsilon > 3.0 * (1.0 - 1e-9),
            "{found}"
        );
    }
}

#[test]
fn sampled_examples_are_accounted_for_under_replacement() {
    let line =
        "account decor --graph ring:16 --sigma-cdp 0.02 --sigma-cor 0.05 --steps 100 --delta 1e-5";
    let user = number(&json(line)["epsilon_upper"]);
    let found = json(&format!("{line} --batch 64 --examples 3750"));
    let example = number(&found["epsilon_upper"]);
    assert!(example > 0.0 && example < 0.05 * user, "{example}, {user}");
    assert_eq!(found["neighbours"].as_str(), Some("replace-one"));
    // Known from below, too: a Poisson sample closely, other batches by an attack.
    let ends = |flags: &str| {
        let found = json(&format!("{line} --batch 64 {flags}"));
        let [low, high] = ["epsilon_lower", "epsilon_upper"].map(|key| number(&found[key]));
        assert!(0.0 < low && low <= high, "{flags}: {found}");
        low / high
    };
    assert!(ends("--examples 3750") > 1.0 - 1e-4);
    assert!(ends("--examples 64") > 1.0 - 1e-9);
    assert!(ends("--examples 3750 --sampling fixed-size") > 0.3);
    assert!(ends("--examples 640 --sampling balls-in-bins") > 1.0 - 2e-3);
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
        let message = refused(&words(line));
        assert_eq!(message.lines().count(), 1, "{message}");
        format!("error: {message}\n")
    };
    insta::assert_snapshot!(lines.map(refused).concat());
}
