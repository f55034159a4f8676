//! `dp-assay audit one-run`: from the scores of canaries.

use super::audit::Args;
use super::{Format, Outcome};
use dp_assay::audit::one_run::scores::{OneRun, Scores};
use std::process::ExitCode;

/// Runs the audit on a file of scores.
pub fn run(args: &Args) -> Outcome {
    let needs = || "`audit one-run` needs a file of lines score,member".to_owned();
    let file = args.file.as_ref().ok_or_else(needs)?;
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let text = std::fs::read_to_string(file).map_err(|e| at(&e))?;
    let scores = Scores::parse(&text).map_err(|e| at(&e))?;
    let audit = OneRun {
        claim: args.claim,
        alpha: args.alpha,
        seed: args.seed,
        must_see: args.must_see,
        ..OneRun::default()
    };
    let report = audit.run(&scores)?;
    match args.format {
        Format::Text => super::show(&report.text()),
        Format::Json => super::print(&(serde_json::to_string_pretty(&report)? + "\n")),
    }
    Ok(match report.verdict {
        Some(verdict) => super::exit_code([verdict].into_iter()),
        None => ExitCode::SUCCESS,
    })
}
