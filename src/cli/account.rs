//! `dp-assay account` and `dp-assay calibrate`: ε from noise, and noise from ε.

pub mod decor;
mod event;
mod help;
mod sampling;
pub mod tradeoff;

use clap::builder::PossibleValuesParser;
pub use help::help;
pub use sampling::Compared;
use sampling::SamplingName;

use super::{Format, Outcome};
use clap::ValueEnum;
use dp_assay::accounting::calibrate::{self, Calibration, Target, Trend};
use dp_assay::accounting::event::parse_rate;
use dp_assay::accounting::oracle::{Certified, certify};
use dp_assay::accounting::{AccountError, Accountant, Event, Report, account, lower_end};
use dp_assay::units::{Delta, Epsilon, Neighbouring, Sensitivity, at_most};
use schemars::JsonSchema;
use serde::Serialize;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// The mechanism and its parameters.
#[derive(clap::Args)]
pub struct Mechanism {
    /// `gaussian`, `laplace`, `subsampled-gaussian`, `event` with a file, or `decor` with a graph.
    #[arg(value_enum)]
    mechanism: Name,
    /// With `event`: a file with an event tree (JSON, `spec/formats/event.md`); `-` is standard input. For `calibrate`
    /// one of its numbers is `"?"`.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// With `event`: print this example of a tree, or one that suits the command, and do nothing else.
    #[arg(
        long,
        value_name = "NAME",
        num_args = 0..=1,
        default_missing_value = "",
        conflicts_with = "file",
        value_parser = PossibleValuesParser::new(event::EXAMPLES.iter().copied().chain([""])),
    )]
    example: Option<String>,
    /// Standard deviation of Gaussian noise; scale b of Laplace noise. The query has sensitivity 1: with `gaussian` and
    /// `laplace` that is what it differs by on two neighbours of the relation asked for; with `subsampled-gaussian` what
    /// the presence of one record adds to a batch's sum, so that a record that is replaced moves the sum by up to 2.
    #[arg(long, allow_negative_numbers = true)]
    sigma: Option<f64>,
    /// Sampling rate: a number, or a ratio such as 256/60000, which is rounded up.
    #[arg(long, allow_negative_numbers = true, value_parser = parse_rate)]
    q: Option<f64>,
    /// How batches are drawn.
    #[arg(long, value_enum, default_value = "poisson")]
    sampling: SamplingName,
    /// With `--sampling fixed-size`, `with-replacement` (the batch is q times as many) or `truncated-poisson`: number of
    /// records.
    #[arg(long, value_name = "N")]
    records: Option<u64>,
    /// With `--sampling truncated-poisson`: the largest batch.
    #[arg(long, value_name = "B")]
    cap: Option<u64>,
    /// With `--sampling b-min-separation`: least distance of two steps with the same record.
    #[arg(long, value_name = "STEPS")]
    separation: Option<u64>,
    /// Number of steps.
    #[arg(long, default_value_t = 1)]
    steps: u64,
    /// Privacy parameter δ.
    #[arg(
        long,
        allow_negative_numbers = true,
        required_unless_present = "example"
    )]
    delta: Option<f64>,
    /// When two data sets are neighbours.
    #[arg(long, default_value = "add-remove")]
    neighbours: Neighbouring,
    /// The accountant.
    #[arg(long, value_enum, default_value = "auto")]
    method: MethodName,
    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Also enclose ε in certified arithmetic (slow), and fail if either end contradicts the accountant's.
    #[arg(long)]
    oracle: bool,
    /// With `--oracle`: how wide the enclosure may be, at least 1e-6.
    #[arg(
        long,
        value_name = "WIDTH",
        default_value_t = 1e-3,
        requires = "oracle"
    )]
    oracle_width: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    Gaussian,
    Laplace,
    SubsampledGaussian,
    Event,
    Decor,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MethodName {
    Auto,
    Rdp,
    Pld,
    Exact,
}

impl From<MethodName> for Accountant {
    fn from(name: MethodName) -> Self {
        match name {
            MethodName::Auto => Self::Auto,
            MethodName::Rdp => Self::Rdp,
            MethodName::Pld => Self::Pld,
            MethodName::Exact => Self::Exact,
        }
    }
}

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

/// Find the noise, the number of steps or the sampling rate for an ε.
#[derive(clap::Args)]
pub struct CalibrateArgs {
    #[command(flatten)]
    mechanism: Mechanism,
    /// Privacy parameter ε to meet.
    #[arg(
        long,
        allow_negative_numbers = true,
        required_unless_present = "example"
    )]
    epsilon: Option<f64>,
    /// Which parameter to find: sigma unless given.
    #[arg(long, value_enum)]
    solve: Option<Unknown>,
    #[command(flatten)]
    decor: decor::Args,
}

impl CalibrateArgs {
    fn unknown(&self) -> Unknown {
        self.solve.unwrap_or(Unknown::Sigma)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Unknown {
    Sigma,
    Steps,
    Q,
}

/// Runs `account`.
pub fn run_account(args: &AccountArgs) -> Outcome {
    let m = &args.mechanism;
    if m.example.is_some() {
        return m.print_example("account", event::EXAMPLES[0]);
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
        Format::Text => super::show(&format!(
            "{}{}{}{}",
            m.echo(&event),
            m.sampling_text(),
            text(&report),
            certified_text(oracle)
        )),
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

/// The result of `calibrate`: the value under its own name, and the report that vouches for it.
#[derive(Serialize, JsonSchema)]
pub struct Calibrated {
    /// How batches are drawn, of `subsampled-gaussian`.
    #[serde(skip_serializing_if = "Option::is_none")]
    sampling: Option<SamplingName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sigma: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    q: Option<f64>,
    /// With `event`: the place of the free number, a JSON pointer …
    #[serde(skip_serializing_if = "Option::is_none")]
    free: Option<String>,
    /// … and its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    epsilon: f64,
    #[serde(flatten)]
    report: Report,
    /// What was accounted for, with the value that was found.
    event: Event,
    #[serde(skip_serializing_if = "Option::is_none")]
    oracle: Option<Certified>,
}

/// Runs `calibrate`.
pub fn run_calibrate(args: &CalibrateArgs) -> Outcome {
    let m = &args.mechanism;
    if m.example.is_some() {
        return m.print_example("calibrate", event::EXAMPLES[event::EXAMPLES.len() - 1]);
    }
    let epsilon = args.epsilon.ok_or("calibrate needs --epsilon")?;
    let refused = "--solve goes with the mechanisms that have --sigma";
    if m.mechanism == Name::Decor {
        if args.solve.is_some() {
            return Err(format!("calibrate decor finds sigma-cdp and sigma-cor: {refused}").into());
        }
        return decor::run_calibrate(m, &args.decor, epsilon);
    }
    args.decor.refuse()?;
    let target = Target {
        epsilon: Epsilon::new(epsilon)?,
        delta: m.delta()?,
        method: m.method.into(),
        neighbours: m.neighbours,
    };
    let bar = super::waiting("calibrating");
    let (result, name) = if m.mechanism == Name::Event {
        if args.solve.is_some() {
            return Err(format!("calibrate event finds the number marked \"?\": {refused}").into());
        }
        m.calibrate_tree(&target)?
    } else {
        calibrate_flags(args, &target)?
    };
    bar.finish_and_clear();
    match m.format {
        Format::Json => {
            let result = super::named("dp-assay/calibrate/1", result);
            super::print(&(serde_json::to_string_pretty(&result)? + "\n"));
        }
        Format::Text => super::show(&format!(
            "{name}\n{}{}{}{}",
            m.echo(&result.event),
            m.sampling_text(),
            text(&result.report),
            certified_text(result.oracle)
        )),
    }
    Ok(ExitCode::SUCCESS)
}

/// The value of one flag, and that in words.
fn calibrate_flags(
    args: &CalibrateArgs,
    target: &Target,
) -> Result<(Calibrated, String), Box<dyn Error>> {
    let m = &args.mechanism;
    let sought = match args.unknown() {
        Unknown::Sigma => ("--sigma", m.sigma.is_some()),
        Unknown::Steps => ("--steps", super::given("--steps")),
        Unknown::Q => ("--q", m.q.is_some()),
    };
    if let (flag, true) = sought {
        return Err(
            format!("{flag} is what is searched for: leave it out, or --solve another").into(),
        );
    }
    let found = solve(args, target)?;
    let event = event_at(args, found.value)?;
    let real = |unknown| (args.unknown() == unknown).then_some(found.value);
    let name = match args.unknown() {
        Unknown::Sigma => "sigma",
        Unknown::Steps => "steps",
        Unknown::Q => "q",
    };
    let m = &args.mechanism;
    let report = from_below(found.report, &event, m.delta()?, m.neighbours)?;
    let result = Calibrated {
        sampling: args.mechanism.named_sampling(),
        sigma: real(Unknown::Sigma),
        steps: real(Unknown::Steps).map(|steps| steps as u64),
        q: real(Unknown::Q),
        free: None,
        value: None,
        epsilon: target.epsilon.get(),
        oracle: args.mechanism.oracle(&event, &report)?,
        report,
        event,
    };
    Ok((result, format!("{name} = {}", found.value)))
}

fn solve(args: &CalibrateArgs, target: &Target) -> Result<Calibration, Box<dyn Error>> {
    let m = &args.mechanism;
    let closed_form = m.steps == 1 && matches!(m.method, MethodName::Auto | MethodName::Exact);
    if args.unknown() == Unknown::Sigma && closed_form {
        let one = Sensitivity::new(1.0)?;
        let noise = match m.mechanism {
            Name::Gaussian => Some(calibrate::gaussian_sigma(one, target)?.get()),
            Name::Laplace => Some(calibrate::laplace_scale(one, target)?.get()),
            Name::SubsampledGaussian | Name::Event | Name::Decor => None,
        };
        if let Some(value) = noise {
            let event = m.event(Some(value), m.q, 1)?;
            let report = account(&event, target.delta, target.method, target.neighbours, true)?;
            return Ok(Calibration {
                value,
                unsafe_value: value,
                report,
            });
        }
    }
    if args.unknown() == Unknown::Q && m.sampling.takes_whole_numbers() {
        return Err(format!(
            "--solve q does not go with --sampling {}, where only some q make whole numbers: try \
             values of --q",
            m.sampling.name()
        )
        .into());
    }
    let at = |x: f64| event_at(args, x);
    at(1.0)?;
    // Where the flags describe no event there is no guarantee: noise that every accountant refuses.
    let refused = Event::Gaussian {
        sigma: f64::NAN,
        sensitivity: 1.0,
    };
    let event = |x: f64| at(x).unwrap_or(refused.clone());
    Ok(match args.unknown() {
        Unknown::Sigma => calibrate::parameter("sigma", (1e-6, 1e9), Trend::Falls, target, event)?,
        Unknown::Q => calibrate::parameter("q", (1e-9, 1.0), Trend::Grows, target, event)?,
        Unknown::Steps => calibrate::steps(1_000_000_000, target, |steps| event(steps as f64))?,
    })
}

/// The event with the value x of the parameter that is searched for.
fn event_at(args: &CalibrateArgs, x: f64) -> Result<Event, String> {
    let m = &args.mechanism;
    match args.unknown() {
        Unknown::Sigma => m.event(Some(x), m.q, m.steps),
        Unknown::Steps => m.event(m.sigma, m.q, x as u64),
        Unknown::Q => m.event(m.sigma, Some(x), m.steps),
    }
}

impl Mechanism {
    /// How batches are drawn, where they are.
    fn named_sampling(&self) -> Option<SamplingName> {
        (self.mechanism == Name::SubsampledGaussian).then_some(self.sampling)
    }

    fn sampling_text(&self) -> String {
        let replaced = self.neighbours == Neighbouring::ReplaceOne;
        match self.named_sampling() {
            Some(sampling) if replaced => format!(
                "{} sampling\na record adds up to 1 to a batch's sum: one that is replaced \
                 moves it by up to 2\n",
                sampling.name()
            ),
            Some(sampling) => format!("{} sampling\n", sampling.name()),
            None if replaced && matches!(self.mechanism, Name::Gaussian | Name::Laplace) => {
                "a replaced record is taken to move what is noised by up to the sensitivity\n"
                    .into()
            }
            None => String::new(),
        }
    }

    /// δ, which clap asks for unless an example is all that is wanted.
    fn delta(&self) -> Result<Delta, Box<dyn Error>> {
        Ok(Delta::new(self.delta.ok_or("--delta is missing")?)?)
    }

    /// The oracle's enclosure of the event's ε if it is asked for.
    ///
    /// # Errors
    /// When it has none, or when it and the report cannot both be true.
    fn oracle(&self, event: &Event, report: &Report) -> Result<Option<Certified>, Box<dyn Error>> {
        if !self.oracle {
            return Ok(None);
        }
        let found = certify(event, self.delta()?, self.neighbours, self.oracle_width)?;
        let (oracle, method) = ("the certified oracle", report.method.name());
        let Certified {
            epsilon_lower: lower,
            epsilon_upper: upper,
        } = found;
        AccountError::in_order((lower, oracle), (report.epsilon_upper, method))?;
        AccountError::in_order((report.epsilon_lower, method), (upper, oracle))?;
        Ok(Some(found))
    }

    /// The event that the flags describe, with these values for those that may be searched for.
    fn event(&self, sigma: Option<f64>, q: Option<f64>, steps: u64) -> Result<Event, String> {
        let name = self.mechanism;
        let refuse = |given: bool, flag: &str, why: &str| match given {
            true => Err(format!("{flag} does not go with {why}")),
            false => Ok(()),
        };
        refuse(
            self.file.is_some() && name != Name::Event,
            "a FILE",
            "this mechanism",
        )?;
        refuse(
            q.is_some() && name != Name::SubsampledGaussian,
            "--q",
            "this mechanism",
        )?;
        self.refuse_unused()?;
        let noise = || sigma.ok_or("this mechanism needs its noise, e.g. --sigma 2");
        let single = match name {
            Name::Gaussian => Event::Gaussian {
                sigma: noise()?,
                sensitivity: 1.0,
            },
            Name::Laplace => Event::Laplace {
                scale: noise()?,
                sensitivity: 1.0,
            },
            Name::SubsampledGaussian => return self.sampled(self.sampling, noise()?, q, steps),
            Name::Decor => return Err("decor is accounted for on its graph".into()),
            Name::Event => {
                refuse(sigma.is_some(), "--sigma", "an event file")?;
                Event::from_json(&self.tree_text()?).map_err(|e| self.at_file(&e))?
            }
        };
        Ok(match steps {
            1 => single,
            times => Event::Repeated {
                times,
                event: Box::new(single),
            },
        })
    }
}

impl Mechanism {
    /// A flag that changes nothing is refused: who gave it meant another run.
    fn refuse_unused(&self) -> Result<(), String> {
        use SamplingName::{BMinSeparation, FixedSize, TruncatedPoisson, WithReplacement};
        let draws = matches!(self.mechanism, Name::SubsampledGaussian | Name::Decor);
        let drawn = draws.then_some(self.sampling);
        let used = |by: &[SamplingName]| drawn.is_some_and(|sampling| by.contains(&sampling));
        let sized = used(&[FixedSize, WithReplacement, TruncatedPoisson]);
        let unused = [
            ("--records", self.records.is_some() && !sized),
            ("--cap", self.cap.is_some() && !used(&[TruncatedPoisson])),
            (
                "--separation",
                self.separation.is_some() && !used(&[BMinSeparation]),
            ),
            ("--sampling", super::given("--sampling") && drawn.is_none()),
        ];
        match unused.into_iter().find(|(_, is_unused)| *is_unused) {
            None => Ok(()),
            Some((flag, _)) => Err(format!(
                "{flag} does not go with {}",
                match drawn {
                    Some(sampling) => format!("--sampling {}", sampling.name()),
                    None => "this mechanism".to_owned(),
                }
            )),
        }
    }
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
            at_most(apart, 3)
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
