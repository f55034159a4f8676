//! One run of `check --quick` for all that look at what it leaves: with its audits it takes a minute of processor time.

use crate::program::dp_assay;
use serde_json::Value;
use std::process::Command;
use std::sync::LazyLock;

/// What the run left.
pub struct Checked {
    /// The code with which it ended.
    pub code: Option<i32>,
    /// What it printed to a terminal of [`COLUMNS`], without its folder; `None` where the machine has no `script` to lend one.
    pub shown: Option<String>,
    /// Its `report.json`.
    pub report: Value,
}

/// Columns of the terminal: more than a line of text may have, and than there are in a pipe.
pub const COLUMNS: usize = 200;

pub static CHECKED: LazyLock<Checked> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().to_str().expect("a plain path");
    let line = format!("check --quick --quiet --out {out}");
    let shown = on_terminal(COLUMNS, &line);
    let code = match &shown {
        Some((code, _)) => *code,
        None => dp_assay(&line.split(' ').collect::<Vec<_>>()).status.code(),
    };
    let report = std::fs::read(folder.path().join("report.json")).expect("a report is written");
    Checked {
        code,
        shown: shown.map(|(_, text)| text.replace(out, "OUT")),
        report: serde_json::from_slice(&report).expect("JSON in report.json"),
    }
});

/// The code with which the program ends on a terminal of so many columns, and what it writes there without colour; `None` where
/// the machine has no `script`.
pub fn on_terminal(columns: usize, line: &str) -> Option<(Option<i32>, String)> {
    let program = env!("CARGO_BIN_EXE_dp-assay");
    // Without progress, which is drawn with the codes of a terminal.
    let command = format!("stty cols {columns} rows 50; {program} --quiet {line}");
    let mut script = Command::new("script");
    script
        .args(["-qec", &command, "/dev/null"])
        .env("TERM", "xterm")
        .env("NO_COLOR", "1");
    let output = script.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    Some((output.status.code(), text))
}
