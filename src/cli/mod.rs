//! The command line, one file per subcommand. Thin: arguments in, library call, result out.

mod account;
mod audit;
mod campaign;
mod check;
mod cite;
mod experiment;
mod fit;
mod help;
mod ledger;
mod meta;
mod numbers;
mod paper;
mod predict;
mod serve;
mod terminal;

use clap::{Parser, Subcommand, ValueEnum};
use dp_assay::accounting::Claims;
use dp_assay::audit::Verdict;
use dp_assay::float::{VANISHES, vanishes};
use schemars::JsonSchema;
use serde::Serialize;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub use terminal::{
    columns, counted, print, progress, remark, shortened, show, show_lines, waiting, warn, width,
};

/// What a subcommand returns: an exit code, or an error that names the bad input (exit code 2).
pub type Outcome = Result<ExitCode, Box<dyn Error>>;

/// The error of an argument, or of a part of one, that would be read as 0 and is not.
pub fn vanishing() -> Option<Box<dyn Error>> {
    let arguments = std::env::args_os().skip(1);
    let mut arguments = arguments.filter_map(|argument| argument.into_string().ok());
    // Of a ratio both parts are numbers, of a path they are not.
    let ratio = |part: &str| {
        let mut parts = part.split('/');
        parts.clone().all(|part| part.trim().parse::<f64>().is_ok()) && parts.any(vanishes)
    };
    let argument = arguments.find(|argument| argument.split(['=', ',', ':']).any(ratio))?;
    Some(format!("`{argument}` has a number that is {VANISHES}").into())
}

/// A path from the root.
///
/// # Errors
/// The path is empty, or the working folder is gone.
fn absolute(path: &Path) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// The text of a file, without the mark that some editors put before it.
///
/// # Errors
/// A file that cannot be read, or is no UTF-8.
fn read_text(path: &Path) -> std::io::Result<String> {
    std::fs::read_to_string(path).map(unmarked)
}

/// A text without a byte order mark.
fn unmarked(mut text: String) -> String {
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    text
}

/// Whether a flag was typed, be it with the value that it has by default.
fn given(flag: &str) -> bool {
    let typed = |argument: &str| {
        let rest = argument.strip_prefix(flag);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    std::env::args_os().any(|argument| argument.to_str().is_some_and(typed))
}

/// Refuses a flag that is given and would change nothing: of each its name, whether it is used, and what it goes with.
fn refuse_idle(flags: &[(&str, bool, &str)]) -> Result<(), String> {
    match flags.iter().find(|(flag, used, _)| !used && given(flag)) {
        Some((flag, _, with)) => Err(format!("{flag} goes with {with}")),
        None => Ok(()),
    }
}

/// A result, or an entry of one, with the name of its layout.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "{T}")]
pub struct Named<T> {
    /// Name and version of this layout.
    schema: &'static str,
    #[serde(flatten)]
    result: T,
}

/// Names the layout of a result, `dp-assay/NAME/VERSION`.
const fn named<T>(schema: &'static str, result: T) -> Named<T> {
    Named { schema, result }
}

/// Ids of claims as a line; of those that are argued at best, since steps are made by hand, it says so.
fn claims_line(claims: &Claims) -> String {
    let all = dp_assay_spec::claims();
    let by_hand = |id: &&str| all.iter().any(|c| c.id == *id && !c.by_hand.is_empty());
    let argued: Vec<&str> = claims.iter().filter(by_hand).collect();
    match argued.is_empty() {
        true => format!("claims: {claims}\n"),
        false => format!(
            "claims: {claims}\nargued, with steps by hand: {}\n",
            argued.join(", ")
        ),
    }
}

/// What the exit code says, in the help of every command that it tells something of.
pub const EXIT_CODES: &str = "Exit codes: 0 pass or fine; 1 a claim under audit is false, or \
                              something that is relied on failed; 2 bad input (two equal inputs \
                              among it), or a result that cannot be written; 3 inconclusive: \
                              nothing was found, and not enough would have been.";

/// Privacy theorems as executable claims, solvers, accountants and audits.
#[derive(Parser)]
#[command(
    name = "dp-assay", version, about, max_term_width = 100, disable_help_subcommand = true,
    after_help = EXIT_CODES,
)]
pub struct Command {
    #[command(subcommand)]
    command: Subcommands,
    /// No progress, and no remarks beside the result.
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[derive(Subcommand)]
enum Subcommands {
    /// Bound the ε of a mechanism.
    Account(account::AccountArgs),
    /// Audit a mechanism against a claim.
    Audit(audit::Args),
    /// Find the noise, the number of steps or the sampling rate for an ε.
    Calibrate(account::CalibrateArgs),
    /// Run, merge and read long lists of audits.
    Campaign(campaign::Args),
    /// Verify the claims, compare and audit the solvers on data, and write a report.
    Check(check::Args),
    /// Print how to cite this program, a paper, or a claim of one.
    Cite(cite::Args),
    /// Play one user of DECOR; the job comes on standard input (`spec/formats/decor.md`).
    #[command(hide = true)]
    DecorUser,
    /// Run the papers' experiments again, printed values beside.
    Experiment(experiment::Args),
    /// Fit a private linear model to a data file, or a loss that need not be convex.
    Fit(fit::Args),
    /// Explain a command, or one of its mechanisms or methods: `help account gaussian`.
    Help(help::Args),
    /// Print the verdict on every claim.
    Ledger(ledger::Args),
    /// Print a paper's theorems, what fails, what to use instead, or an erratum.
    Paper(paper::Args),
    /// Predict with a model that `fit --out` wrote.
    Predict(predict::Args),
    /// Print the completions of a shell.
    Completions(meta::CompletionsArgs),
    /// Print the manual page.
    Man,
    /// Print the JSON Schema of a result.
    Schema(meta::SchemaArgs),
    /// Answer another program on standard input and output (`spec/formats/serve.md`); the Python package does so.
    Serve,
}

impl Command {
    /// The command as it was typed; what is none ends the program with the reason.
    pub fn typed() -> Self {
        let matches = numbers::taught(<Self as clap::CommandFactory>::command()).get_matches();
        clap::FromArgMatches::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// Runs the subcommand.
    pub fn run(self) -> Outcome {
        terminal::set_quiet(self.quiet);
        match self.command {
            Subcommands::Account(args) => account::run_account(&args),
            Subcommands::Calibrate(args) => account::run_calibrate(&args),
            Subcommands::Audit(args) => audit::run(&args),
            Subcommands::Campaign(args) => campaign::run(&args),
            Subcommands::Check(args) => check::run(&args),
            Subcommands::Cite(args) => cite::run(&args),
            Subcommands::DecorUser => decor_user(),
            Subcommands::Experiment(args) => experiment::run(&args),
            Subcommands::Fit(args) => fit::run(&args),
            Subcommands::Help(args) => help::run(&args),
            Subcommands::Ledger(args) => ledger::run(&args),
            Subcommands::Paper(args) => paper::run(&args),
            Subcommands::Predict(args) => predict::run(&args),
            Subcommands::Completions(args) => meta::completions(&args),
            Subcommands::Man => meta::man(),
            Subcommands::Schema(args) => meta::schema(&args),
            Subcommands::Serve => serve::run(),
        }
    }
}

fn decor_user() -> Outcome {
    dp_assay::solver::decor::network::serve(std::io::stdin().lock(), std::io::stdout())?;
    Ok(ExitCode::SUCCESS)
}

/// The exit code of verdicts: 1 if one is a violation, else 3 if one is inconclusive.
pub fn exit_code(verdicts: impl Iterator<Item = Verdict> + Clone) -> ExitCode {
    let has = |verdict| verdicts.clone().any(|v| v == verdict);
    match (has(Verdict::Violation), has(Verdict::Inconclusive)) {
        (true, _) => ExitCode::from(1),
        (false, true) => ExitCode::from(3),
        (false, false) => ExitCode::SUCCESS,
    }
}

/// How a result is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs; `dp-assay schema` prints the layout.
    Json,
}
