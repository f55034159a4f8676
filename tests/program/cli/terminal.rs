//! What is printed: 80 columns, colour only where it is wanted, layouts of JSON that do not change
//! unseen, and a quick start.

use crate::program::{dp_assay, json, stderr, stdout};
use std::process::Command;

#[test]
fn text_fits_eighty_columns() {
    for line in [
        "account gaussian --sigma 1 --delta 1e-5",
        "account subsampled-gaussian --sigma 1 --q 0.01 --steps 100 --delta 1e-5",
        "account decor --graph ring:16 --sigma-cdp 1 --sigma-cor 10 --steps 10 --delta 1e-5",
        "calibrate gaussian --epsilon 1 --delta 1e-5",
        "calibrate gaussian --epsilon 1e-300 --delta 1e-300",
        "fit kl-spider --builtin huber --records 100",
        "audit laplace --claim eps=0.5 --trials 20000",
        "audit laplace --claim eps=1 --trials 20000",
        "audit laplace --claim eps=1 --trials 20",
        "audit prefix-sum --claim eps=0.1 --trials 20000",
    ] {
        let text = stdout(&line.split(' ').collect::<Vec<_>>());
        assert!(text.lines().count() > 1, "{line}: {text}");
        for printed in text.lines() {
            assert!(printed.chars().count() <= 80, "{line}: {printed}");
        }
    }
}

#[test]
fn there_is_no_colour_away_from_a_terminal_or_against_the_readers_will() {
    let line = [
        "audit", "laplace", "--claim", "eps=0.5", "--trials", "20000",
    ];
    assert!(stdout(&line).contains(": VIOLATION") && !stdout(&line).contains('\u{1b}'));
    // `script` lends a terminal, where the machine has it.
    let command = format!("{} {}", env!("CARGO_BIN_EXE_dp-assay"), line.join(" "));
    let on_terminal = |no_colour: &str| {
        let mut script = Command::new("script");
        script
            .args(["-qec", &command, "/dev/null"])
            .env("TERM", "xterm")
            .env_remove("CI");
        if no_colour.is_empty() {
            script.env_remove("NO_COLOR")
        } else {
            script.env("NO_COLOR", no_colour)
        };
        script
            .output()
            .ok()
            .map(|o| String::from_utf8_lossy(&o.stdout).into_owned())
    };
    let Some(coloured) = on_terminal("") else {
        println!("SKIPPED: this machine has no `script` to lend a terminal");
        return;
    };
    let red = "\u{1b}[1m\u{1b}[31mVIOLATION";
    assert!(coloured.contains(red), "{coloured:?}");
    let plain = on_terminal("1").expect("as before");
    assert!(
        plain.contains(": VIOLATION") && !plain.contains(red),
        "{plain:?}"
    );
}

/// What a violation of a claim is worth to a script: code 1, and nothing on standard error.
#[test]
fn a_violation_is_code_one_and_no_error() {
    let output = dp_assay(&[
        "audit", "laplace", "--claim", "eps=0.5", "--trials", "20000", "--quiet",
    ]);
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (Some(1), String::new())
    );
}

#[test]
fn layouts_of_json_are_the_documented_ones() {
    for name in [
        "account",
        "account-compare",
        "account-decor",
        "account-tradeoff",
        "audit",
        "audit-list",
        "audit-one-run",
        "calibrate",
        "calibrate-decor",
        "campaign-status",
        "check",
        "event",
        "experiment",
        "experiment-list",
        "findings",
        "fit",
        "fit-kl",
        "ledger",
        "paper",
        "model",
        "predict",
    ] {
        let schema = stdout(&["schema", name]);
        // A tree is no result.
        assert!(
            name == "event" || schema.contains("\"schema\": {"),
            "{name} has no name"
        );
        insta::with_settings!({ omit_expression => true }, {
            insta::assert_snapshot!(format!("schema_{name}"), schema);
        });
    }
}

/// The properties that a schema requires are in what is printed, and what is printed is in the schema.
#[test]
fn what_is_printed_has_the_layout_that_is_documented() {
    for (name, line) in [
        ("account", "account gaussian --sigma 1 --delta 1e-5"),
        (
            "account-decor",
            "account decor --graph ring:5 --sigma-cdp 1 --sigma-cor 1 --delta 1e-5",
        ),
        (
            "account-tradeoff",
            "account gaussian --sigma 1 --delta 1e-6 --tradeoff",
        ),
        ("calibrate", "calibrate laplace --epsilon 1 --delta 0"),
        (
            "calibrate-decor",
            "calibrate decor --graph ring:5 --epsilon 1 --sigma-cor 1 --delta 1e-5",
        ),
        ("audit", "audit laplace --claim eps=1 --trials 20000"),
        ("fit-kl", "fit kl-spider --builtin huber --records 100"),
    ] {
        let schema: serde_json::Value =
            serde_json::from_str(&stdout(&["schema", name])).expect("JSON");
        let printed = json(&line.split(' ').collect::<Vec<_>>());
        let printed = printed.as_object().expect("an object");
        let properties = schema["properties"].as_object().expect("properties");
        for key in printed.keys() {
            assert!(
                properties.contains_key(key),
                "{name}: {key} is not documented"
            );
        }
        for key in schema["required"].as_array().expect("required properties") {
            let key = key.as_str().expect("a name");
            assert!(printed.contains_key(key), "{name}: {key} is not printed");
        }
    }
}

#[test]
fn completions_and_the_manual_know_every_command() {
    let help = stdout(&["help"]);
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|l| !l.starts_with("Commands:"))
        .skip(1)
        .take_while(|l| !l.is_empty())
        .filter_map(|l| l.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .collect();
    assert!(commands.len() >= 10, "{commands:?}");
    let manual = stdout(&["man"]);
    for name in &commands {
        assert!(
            manual.contains(&format!("dp\\-assay\\-{name}")),
            "{name} is not in the manual"
        );
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&["completions", shell]);
        for name in &commands {
            assert!(script.contains(name), "{shell} does not know {name}");
        }
    }
}
