//! `dp-assay paper NAME`: the corrected paper on one page.

use super::Outcome;
use clap::ValueEnum;
use dp_assay::ledger::{Effort, Ledger};
use dp_assay::report::paper::{Page, erratum};
use dp_assay_spec::claim::Paper;
use std::process::ExitCode;

/// Print what a paper is cited for, what fails and why, what to use instead, what that costs, and what runs it.
#[derive(clap::Args)]
pub struct Args {
    /// The paper.
    #[arg(
        value_name = "NAME", value_parser = printed,
        help = format!("The paper: {}", Paper::names()),
    )]
    paper: Paper,
    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: PageFormat,
    /// Print a note to its authors instead, in LaTeX: each finding with its counterexample and its repair.
    #[arg(long, conflicts_with = "format")]
    erratum: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PageFormat {
    /// For people.
    Text,
    /// A page for the browser.
    Html,
    /// For programs; `dp-assay schema paper` prints the layout.
    Json,
    /// LaTeX.
    Tex,
}

/// A paper by its name. The collection is none: it has no headlines to correct.
fn printed(name: &str) -> Result<Paper, String> {
    let unknown = |_| format!("`{name}` is not one of {}", Paper::names());
    match name.parse::<Paper>().map_err(unknown)? {
        paper if paper.is_collection() => Err(format!(
            "{paper} is a collection, not a paper; `dp-assay ledger --paper {paper}` lists it"
        )),
        paper => Ok(paper),
    }
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Outcome {
    let bar = super::progress(0, "claims");
    let progress = |done: usize, all: usize| {
        super::counted(&bar, done as u64, all as u64);
    };
    let Ledger {
        claims, findings, ..
    } = Ledger::of_paper(args.paper, Effort::Replay, progress)?;
    bar.finish_and_clear();
    let page = Page::of(args.paper, &claims, &findings);
    match args.format {
        _ if args.erratum => super::print(&erratum(args.paper, &claims, &findings)),
        PageFormat::Text => super::show(&page.text()),
        PageFormat::Html => super::print(&page.html()),
        PageFormat::Json => super::print(&(serde_json::to_string_pretty(&page)? + "\n")),
        PageFormat::Tex => super::print(&page.tex()),
    }
    Ok(ExitCode::SUCCESS)
}
