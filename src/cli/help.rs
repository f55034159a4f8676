//! `dp-assay help`: of a command, and of the mechanisms that `account`, `calibrate` and `audit` take.

use super::{Command, Outcome, account};
use clap::CommandFactory;
use dp_assay::audit::builtin;
use std::process::ExitCode;

/// Explain a command, or one of its mechanisms: `help account gaussian`.
#[derive(clap::Args)]
pub struct Args {
    /// The command, and what it is to be explained for.
    words: Vec<String>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Outcome {
    let mut command = Command::command();
    command.build();
    let mut rest = args.words.as_slice();
    while let Some((word, further)) = rest.split_first() {
        let Some(inner) = command.find_subcommand(word).cloned() else {
            break;
        };
        (command, rest) = (inner, further);
    }
    let text = match (command.get_name(), rest) {
        (_, []) => command.render_long_help().to_string(),
        ("account" | "calibrate", [mechanism]) => account::help(command, mechanism)?,
        // What stands in a mechanism's place.
        ("audit", [word]) if super::audit::FORMS.contains(&word.as_str()) => {
            command.render_long_help().to_string()
        }
        ("audit", [mechanism]) => audited(mechanism)?,
        (name, [word, ..]) => return Err(format!("there is no help on `{word}` of {name}").into()),
    };
    super::print(&text);
    Ok(ExitCode::SUCCESS)
}

/// The entry of `audit list`.
fn audited(name: &str) -> Result<String, builtin::BuiltinError> {
    let found = builtin::find(name, &builtin::Parameters::new())?;
    let listed = builtin::list().into_iter().find(|m| m.name == found.name);
    Ok(listed.map_or_else(String::new, |m| m.text()))
}
