//! `dp-assay help`: of a command, of the mechanisms that `account`, `calibrate` and `audit` take, and of the methods of `fit`.

use super::fit::DecorArgs;
use super::{Command, Outcome, account};
use clap::{Args as _, CommandFactory};
use dp_assay::audit::builtin;
use dp_assay::solver::fit::Method;
use std::process::ExitCode;

/// Explain a command, or one of its mechanisms or methods: `help account gaussian`.
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
        ("audit", [word]) if super::audit::FORMS.contains(&word.as_str()) => form(command, word),
        ("audit", [mechanism]) => audited(mechanism)?,
        ("fit", [method]) => fitted(command, method)?,
        (name, [word, ..]) => return Err(format!("there is no help on `{word}` of {name}").into()),
    };
    super::print(&text);
    Ok(ExitCode::SUCCESS)
}

/// The help of a command for one of the words behind its name: without the flags that are refused there.
fn narrowed(
    command: clap::Command,
    word: &str,
    what: &str,
    hidden: impl Fn(&str) -> bool,
) -> String {
    let usage = format!("dp-assay {} {word}", command.get_name());
    let narrowed = command.mut_args(|arg| match hidden(arg.get_id().as_str()) {
        true => arg.hide(true),
        false => arg,
    });
    let what = what.to_owned();
    let mut narrowed = narrowed
        .about(what.clone())
        .long_about(what)
        .override_usage(usage);
    narrowed.render_long_help().to_string()
}

/// The id that clap gives a flag.
fn id(flag: &str) -> String {
    flag.trim_start_matches('-').replace('-', "_")
}

/// What is audited that is no built-in mechanism, and what prints.
fn form(command: clap::Command, word: &str) -> String {
    let (what, rest) = match word {
        "external" => (
            "Audit a program of yours, in any language (spec/formats/external.md)",
            " --command <COMMAND> --claim <CLAIM> --neighbours <NEIGHBOURS> --input0 <FILE> \
             --input1 <FILE> [OPTIONS]",
        ),
        "one-run" => (
            "Bound epsilon from below by the scores of canaries in one training run",
            " <FILE> [OPTIONS]",
        ),
        "list" => ("List the built-in mechanisms", " [OPTIONS]"),
        _ => ("Print the Python client of external programs", ""),
    };
    let foreign = super::audit::flags(word, false).map(|(flag, used, _)| (id(flag), !used));
    let hidden = |arg: &str| {
        arg == "name"
            || arg == "settings"
            || arg == "file" && word != "one-run"
            || foreign.iter().any(|(flag, hidden)| *hidden && flag == arg)
    };
    narrowed(command, &format!("{word}{rest}"), what, hidden)
}

/// A method of `fit`: what it is, and the flags that go with it.
fn fitted(command: clap::Command, word: &str) -> Result<String, String> {
    let method = super::fit::named::<Method>(word);
    let method = method.map_err(|e| format!("there is no method `{word}` of fit: {e}"))?;
    let what = match method {
        Method::Skgd => "DP-SkGD: noisy steps on random blocks of coordinates",
        Method::DpCd => "DP-CD: noisy steps on single coordinates, drawn at random",
        Method::DpSgd => "DP-SGD: noisy gradients of random batches of records",
        Method::Gd => "Noisy full gradient descent",
        Method::Gcd => "DP-GCD: noisy steps on the coordinate with the largest noisy derivative",
        Method::Ambssgd => "DP-AMBSSGD: linear regression in one pass, with private clipping norms",
        Method::Ssgd => "DP-SSGD: linear regression in one shuffled pass",
        Method::Adassp => "AdaSSP: linear regression from noisy sufficient statistics",
        Method::Decor => "DECOR: records dealt out among users who exchange noisy models",
    };
    let foreign = super::fit::by_method(method).map(|(flag, used, _)| (id(flag), !used));
    let decor = DecorArgs::augment_args(clap::Command::new("decor"));
    let decor: Vec<&str> = decor
        .get_arguments()
        .map(|arg| arg.get_id().as_str())
        .collect();
    let hidden = |arg: &str| {
        arg == "method"
            || method != Method::Decor && decor.contains(&arg)
            || foreign.iter().any(|(flag, hidden)| *hidden && flag == arg)
    };
    Ok(narrowed(
        command,
        &format!("{word} --data <FILE> [OPTIONS]"),
        what,
        hidden,
    ))
}

/// The entry of `audit list`.
fn audited(name: &str) -> Result<String, builtin::BuiltinError> {
    let found = builtin::find(name, &builtin::Parameters::new())?;
    let listed = builtin::list().into_iter().find(|m| m.name == found.name);
    Ok(listed.map_or_else(String::new, |m| m.text()))
}
