//! What a reader sees of the main answers: in a pipe, on terminals of 80 and 200 columns, without colour.

use crate::checked::{CHECKED, COLUMNS, on_terminal};
use crate::program::stdout;
use std::path::Path;

/// A tree with defaults that are spelled out in the answer.
const TREE: &str = r#"{"kind": "repeated", "times": 100, "event":
    {"kind": "poisson-sampled", "rate": "256/60000", "event": {"kind": "gaussian", "sigma": 1.1}}}"#;

/// The answers in a pipe are the stored ones; on terminals they say the same in lines of the terminal's width.
fn shown(name: &str, line: &str) {
    let piped = stdout(&line.split(' ').collect::<Vec<_>>());
    let hidden = [(
        Path::new(line.rsplit(' ').next().unwrap_or_default())
            .display()
            .to_string(),
        "FILE",
    )];
    let stored = hidden.iter().fold(piped.clone(), |text, (from, to)| {
        match from.contains("tree.json") {
            true => text.replace(from.as_str(), to),
            false => text,
        }
    });
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(format!("{name}_pipe"), stored) });
    assert!(
        !piped.contains('\u{1b}') && !piped.contains('…'),
        "{name} is cut or coloured"
    );
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    for columns in [80, 200] {
        let Some((_, seen)) = on_terminal(columns, line) else {
            println!("SKIPPED: this machine has no `script` to lend a terminal");
            return;
        };
        assert!(
            !seen.contains('\u{1b}'),
            "{name} is coloured against NO_COLOR"
        );
        assert_eq!(words(&seen), words(&piped), "{name} at {columns} columns");
        // A word that is longer than a line stays whole.
        let wide = |l: &&str| {
            l.chars().count() > columns && l.split_whitespace().all(|w| w.chars().count() < columns)
        };
        assert_eq!(seen.lines().find(wide), None, "{name} at {columns} columns");
        insta::with_settings!({ omit_expression => true }, {
            insta::assert_snapshot!(format!("{name}_{columns}"), seen);
        });
    }
}

#[test]
fn one_claim_is_shown_in_full_at_any_width() {
    shown("claim", "ledger gcd-thm-4.2");
}

#[test]
fn findings_are_shown_in_full_at_any_width() {
    shown(
        "findings",
        "ledger --findings --paper gcd --severity critical",
    );
}

#[test]
fn the_list_of_mechanisms_is_shown_at_any_width() {
    shown("audits", "audit list");
}

#[test]
fn the_answer_for_an_event_tree_is_shown_at_any_width() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("tree.json");
    std::fs::write(&file, TREE).expect("a temporary file");
    shown(
        "event",
        &format!("account event --quiet --delta 1e-5 {}", file.display()),
    );
}

/// The end of a check is half a page: the theorems, what they rest on, the audits, the file. At 80 columns its theorems are
/// tested without a run.
#[test]
fn a_check_ends_with_half_a_page() {
    let Some(seen) = &CHECKED.shown else {
        println!("SKIPPED: this machine has no `script` to lend a terminal");
        return;
    };
    assert!(seen.lines().count() <= 30, "{seen}");
    assert!(seen.lines().all(|l| l.chars().count() <= COLUMNS), "{seen}");
    assert!(!seen.contains('\u{1b}'), "coloured against NO_COLOR");
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(format!("check_{COLUMNS}"), seen);
    });
}
