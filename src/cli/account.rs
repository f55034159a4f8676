//! `dp-assay account` and `dp-assay calibrate`: ε from noise, and noise from ε.

mod calibrate;
pub mod decor;
mod event;
mod help;
mod mechanism;
mod sampling;
pub mod tradeoff;

pub use calibrate::{CalibrateArgs, Calibrated, run_calibrate};
pub use help::help;
pub use sampling::Compared;

use super::{Format, Outcome};
use dp_assay::accounting::oracle::Certified;
use dp_assay::accounting::{Accountant, Event, Report, account, lower_end};
use dp_assay::units::{Delta, Neighbouring, at_most};
use mechanism::{EXAMPLES, Mechanism, Name, SamplingName};
use schemars::JsonSchema;
use serde::Serialize;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// Bound the ε of a mechanism.
#[derive(clap::Args)]
pub struct AccountArgs {
    #[command(flatten)]
    mechanism: Mechanism,
    /// Bound ε from below as closely as the accountant can, however long that takes.
    #[arg(long)]
    certified: bool,
    /// With `subsampled-gaussian`: the same run under every sampling, side by side.
    #[arg(long)]
    compare: bool,
    /// How often any attack on one record is right and wrong: the trade-off curve, from below, with --delta the least δ that it is made of.
    #[arg(long, conflicts_with_all = ["certified", "compare", "oracle"])]
    tradeoff: bool,
    /// With `--tradeoff`: also draw the curve, as SVG.
    #[arg(long, value_name = "FILE", requires = "tradeoff")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    decor: decor::Args,
}
/// Runs `account`.
pub fn run_account(args: &AccountArgs) -> Outcome {
    let m = &args.mechanism;
    if m.example.is_some() {
        return m.print_example("account", EXAMPLES[0]);
    }
    let one = ("one accountant's answer, not with --compare", !args.compare);
    super::refuse_idle(&[
        ("--sampling", one.1, one.0),
        ("--certified", one.1, one.0),
        ("--oracle", one.1, one.0),
        ("--oracle-width", m.oracle, "--oracle"),
        ("--svg", args.tradeoff, "--tradeoff"),
        ("--points", false, "calibrate decor"),
    ])?;
    if m.mechanism == Name::Decor {
        let unused = [
            ("--tradeoff", args.tradeoff),
            ("--compare", args.compare),
            ("--certified", args.certified),
        ];
        if let Some((flag, _)) = unused.into_iter().find(|(_, given)| *given) {
            return Err(format!("{flag} does not go with decor").into());
        }
        return decor::run_account(m, &args.decor);
    }
    args.decor.refuse()?;
    if args.tradeoff {
        return tradeoff::run(m, args.svg.as_deref());
    }
    if args.compare {
        let bar = super::waiting("accounting");
        let rows = m.compare()?;
        bar.finish_and_clear();
        match m.format {
            Format::Json => {
                let of = |row| super::named("dp-assay/account-compare/1", row);
                let rows: Vec<_> = rows.into_iter().map(of).collect();
                super::print(&(serde_json::to_string_pretty(&rows)? + "\n"));
            }
            Format::Text => super::show(&sampling::table(&rows, m.delta()?.get(), m.neighbours)),
        }
        return Ok(ExitCode::SUCCESS);
    }
    let event = m.event(m.sigma, m.q, m.steps)?;
    let bar = super::waiting("accounting");
    let report = account(
        &event,
        m.delta()?,
        m.method.into(),
        m.neighbours,
        args.certified,
    )?;
    let report = from_below(report, &event, m.delta()?, m.neighbours)?;
    let oracle = m.oracle(&event, &report)?;
    bar.finish_and_clear();
    match m.format {
        Format::Json => {
            let result = Accounted {
                sampling: m.named_sampling(),
                report,
                event,
                oracle,
            };
            let result = super::named("dp-assay/account/1", result);
            super::print(&(serde_json::to_string_pretty(&result)? + "\n"));
        }
        Format::Text => {
            super::remark(&m.echo(&event));
            super::show(&format!(
                "{}{}{}",
                m.sampling_text(),
                text(&report),
                certified_text(oracle)
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The result of `account`.
#[derive(Serialize, JsonSchema)]
pub struct Accounted {
    /// How batches were drawn, of `subsampled-gaussian`.
    #[serde(skip_serializing_if = "Option::is_none")]
    sampling: Option<SamplingName>,
    #[serde(flatten)]
    report: Report,
    /// What was accounted for, every sensitivity spelled out (`spec/formats/event.md`).
    event: Event,
    #[serde(skip_serializing_if = "Option::is_none")]
    oracle: Option<Certified>,
}
fn certified_text(oracle: Option<Certified>) -> String {
    oracle.map_or_else(String::new, |o| {
        let (lo, hi) = (o.epsilon_lower, o.epsilon_upper);
        format!("certified oracle: epsilon in [{lo}, {hi}]\n")
    })
}

/// An exact lower end this close to a lattice's upper end is not sought again, relatively.
const CLOSE: f64 = 1e-4;

/// The report with a lower end where a lattice gives one as quickly as it gave the upper end, and another accountant's is not close.
fn from_below(
    mut report: Report,
    event: &Event,
    delta: Delta,
    neighbours: Neighbouring,
) -> Result<Report, Box<dyn Error>> {
    let before = report.epsilon_lower;
    let is_close = before >= (1.0 - CLOSE) * report.epsilon_upper;
    if report.method == Accountant::Pld && !is_close && !report.by_attack {
        report = report.and_lower(lower_end(event, delta, neighbours)?)?;
        if report.epsilon_lower > before {
            report.theorem += "; Blackwell 1953";
            report.claims = report.claims.and("acc-merged");
        }
    }
    Ok(report)
}

/// Percents of which no more is said.
const LEAST: f64 = 1e-3;

/// What is known of an ε.
fn between(lower: f64, upper: f64) -> String {
    match (lower, upper) {
        // Nothing is known from below: that is no statement that ε could be 0.
        (0.0, upper) if upper > 0.0 => format!("epsilon at most {upper}"),
        (lower, upper) => format!("epsilon in [{lower}, {upper}]"),
    }
}

fn text(report: &Report) -> String {
    let epsilon = between(report.epsilon_lower, report.epsilon_upper);
    let apart = 100.0 * (1.0 - report.epsilon_lower / report.epsilon_upper);
    let gap = match report.by_attack {
        true => format!(
            "the lower end is an explicit attack's, {} % below the upper one\n",
            match apart < LEAST {
                true => format!("less than {LEAST}"),
                false => at_most(apart, 3),
            }
        ),
        false => String::new(),
    };
    format!(
        "{epsilon} at delta = {}, {} neighbours\n{gap}method {}: {}\n{}",
        report.delta,
        report.neighbours,
        report.method.name(),
        report.theorem,
        super::claims_line(&report.claims)
    )
}
