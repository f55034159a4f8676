//! `dp-assay fit`: a private linear model by default, a private point of a loss that need not be convex by the name of its
//! method.

pub mod data;
mod decor;
pub mod files;
mod kl;
mod linear;
mod text;

pub(super) use decor::DecorArgs;
pub(super) use linear::by_method;

use super::{Format, Outcome, print, show};
use clap::{ArgMatches, Command, FromArgMatches, Subcommand};
use dp_assay::units::{Delta, Epsilon, UnitError};
use serde::de::value::{Error as NameError, StrDeserializer};
use serde::de::{Deserialize, IntoDeserializer};
use std::process::ExitCode;

/// By hand: derived as an optional group, the linear arguments were taken for absent although they were given.
pub enum Args {
    Linear(Box<linear::Args>),
    NonConvex(Box<kl::Methods>),
}

impl FromArgMatches for Args {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        if matches.subcommand_name().is_some() {
            kl::Methods::from_arg_matches(matches).map(|m| Self::NonConvex(Box::new(m)))
        } else {
            linear::Args::from_arg_matches(matches).map(|args| Self::Linear(Box::new(args)))
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Args {
    fn augment_args(command: Command) -> Command {
        kl::Methods::augment_subcommands(linear::Args::augment_args(command))
            .args_conflicts_with_subcommands(true)
            .subcommand_negates_reqs(true)
            .subcommand_required(false)
            .arg_required_else_help(false)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Runs `fit`.
pub fn run(args: &Args) -> Outcome {
    match args {
        Args::Linear(args) => linear::run(args),
        Args::NonConvex(method) => kl::run(method),
    }
}

/// What a fit may spend.
#[derive(clap::Args)]
struct Budget {
    /// Privacy parameter ε.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    epsilon: f64,
    /// Privacy parameter δ; 1/n² unless given: what publishes each record with probability δ then publishes 1/n of one.
    #[arg(long, allow_negative_numbers = true)]
    delta: Option<f64>,
}

impl Budget {
    /// Of a fit to n records.
    fn of(&self, records: usize) -> Result<(Epsilon, Delta), UnitError> {
        let n = records as f64;
        // One record leaves no δ below 1.
        let delta = self.delta.unwrap_or((1.0 / (n * n)).min(0.5));
        Ok((Epsilon::new(self.epsilon)?, Delta::new(delta)?))
    }
}

/// Prints a fit.
fn told(format: Format, fitted: &impl serde::Serialize, text: &str) -> Outcome {
    match format {
        Format::Json => print(&(serde_json::to_string_pretty(fitted)? + "\n")),
        Format::Text => show(text),
    }
    Ok(ExitCode::SUCCESS)
}

/// A name as it stands in results.
pub(super) fn named<T: for<'a> Deserialize<'a>>(text: &str) -> Result<T, NameError> {
    let name: StrDeserializer<'_, NameError> = text.into_deserializer();
    T::deserialize(name)
}
