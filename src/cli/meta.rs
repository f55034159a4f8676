//! What the command says of itself: completions for shells, a manual page, the layout of its JSON.

use super::{Command, Named, Outcome, account, predict};
use clap::{CommandFactory, ValueEnum};
use clap_complete::Shell;
use dp_assay::audit::AuditReport;
use dp_assay::audit::builtin::Listed;
use dp_assay::audit::campaign::Status;
use dp_assay::audit::one_run::scores::OneRunReport;
use dp_assay::experiment;
use dp_assay::ledger::{Findings, Ledger};
use dp_assay::report::{Report, paper};
use dp_assay::solver::fit::{Fitted, Model, kl};
use schemars::{Schema, schema_for};
use std::process::ExitCode;

/// Print the completions of a shell.
#[derive(clap::Args)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the JSON Schema of a result.
#[derive(clap::Args)]
pub struct SchemaArgs {
    /// The result.
    #[arg(value_enum)]
    result: ResultName,
}

/// What is printed by `--format json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ResultName {
    /// `account`, but for `account decor`, `--compare` and `--tradeoff`.
    Account,
    /// `account --compare`.
    AccountCompare,
    /// `account decor`.
    AccountDecor,
    /// `account --tradeoff`.
    AccountTradeoff,
    /// `audit`, and each entry of `campaign report`.
    Audit,
    /// `audit list`.
    AuditList,
    /// `audit one-run`.
    AuditOneRun,
    /// `calibrate`, but for `calibrate decor`.
    Calibrate,
    /// `calibrate decor`.
    CalibrateDecor,
    /// `campaign status`.
    CampaignStatus,
    /// `check`.
    Check,
    /// The tree that `account event` and `calibrate event` read.
    Event,
    /// `experiment NAME`.
    Experiment,
    /// `experiment list`.
    ExperimentList,
    /// `ledger --findings`.
    Findings,
    /// `fit`, but for the methods of losses that need not be convex.
    Fit,
    /// `fit kl-spider`, `kl-prox`, `adaptive-gd` and `noisy-gd`.
    FitKl,
    /// `ledger`.
    Ledger,
    /// The file of `fit --out`.
    Model,
    /// `predict`.
    Predict,
    /// `paper NAME`.
    Paper,
}

/// Prints completions.
pub fn completions(args: &CompletionsArgs) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Command::command(), "dp-assay", &mut script);
    super::print(&String::from_utf8(script)?);
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual page, of the command and then of each subcommand.
pub fn man() -> Outcome {
    let mut page = Vec::new();
    let command = Command::command();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for sub in command.get_subcommands().filter(|c| c.get_name() != "help") {
        let name: &'static str = format!("dp-assay-{}", sub.get_name()).leak();
        clap_mangen::Man::new(sub.clone().name(name)).render(&mut page)?;
    }
    super::print(&String::from_utf8(page)?);
    Ok(ExitCode::SUCCESS)
}

/// Prints a schema.
pub fn schema(args: &SchemaArgs) -> Outcome {
    super::print(&(serde_json::to_string_pretty(&of(args.result))? + "\n"));
    Ok(ExitCode::SUCCESS)
}

fn of(result: ResultName) -> Schema {
    match result {
        ResultName::Account => schema_for!(Named<account::Accounted>),
        ResultName::AccountCompare => schema_for!(Vec<Named<account::Compared>>),
        ResultName::AccountDecor => schema_for!(account::decor::Accounted),
        ResultName::AccountTradeoff => schema_for!(Named<account::tradeoff::Traded>),
        ResultName::Audit => schema_for!(AuditReport),
        ResultName::AuditList => schema_for!(Vec<Named<Listed>>),
        ResultName::AuditOneRun => schema_for!(OneRunReport),
        ResultName::Calibrate => schema_for!(Named<account::Calibrated>),
        ResultName::CalibrateDecor => schema_for!(account::decor::Calibrated),
        ResultName::CampaignStatus => schema_for!(Vec<Named<Status>>),
        ResultName::Check => schema_for!(Report),
        ResultName::Event => schema_for!(dp_assay::accounting::Event),
        ResultName::Experiment => schema_for!(Vec<experiment::Outcome>),
        ResultName::ExperimentList => schema_for!(Vec<Named<experiment::Outline>>),
        ResultName::Findings => schema_for!(Findings),
        ResultName::Fit => schema_for!(Fitted),
        ResultName::FitKl => schema_for!(kl::Fitted),
        ResultName::Ledger => schema_for!(Ledger),
        ResultName::Model => schema_for!(Model),
        ResultName::Predict => schema_for!(predict::Predicted),
        ResultName::Paper => schema_for!(paper::Page),
    }
}
