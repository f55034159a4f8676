//! The `dp-assay` command: see `dp-assay help`.
//!
//! Exit codes: 0 pass or fine; 1 a claim under audit is false, or a check failed; 2 bad input, or a result that cannot
//! be written; 3 inconclusive.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::vanishing().map_or_else(|| cli::Command::typed().run(), Err) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {}", cli::shortened(&error.to_string()));
            ExitCode::from(2)
        }
    }
}
