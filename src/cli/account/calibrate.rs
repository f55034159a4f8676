//! `dp-assay calibrate`: noise, steps or a sampling rate from ε.

use super::mechanism::{EXAMPLES, Mechanism, MethodName, Name, SamplingName};
use super::{certified_text, decor, from_below, text};
use crate::cli::{self, Format, Outcome};
use clap::ValueEnum;
use dp_assay::accounting::calibrate::{self, Calibration, Target, Trend};
use dp_assay::accounting::free::Template;
use dp_assay::accounting::oracle::Certified;
use dp_assay::accounting::{Event, Report, account};
use dp_assay::units::{Epsilon, Sensitivity};
use schemars::JsonSchema;
use serde::Serialize;
use std::error::Error;
use std::process::ExitCode;

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
    #[schemars(with = "Option<f64>")]
    value: Option<serde_json::Value>,
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
        return m.print_example("calibrate", EXAMPLES[EXAMPLES.len() - 1]);
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
    let bar = cli::waiting("calibrating");
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
            let result = cli::named("dp-assay/calibrate/1", result);
            cli::print(&(serde_json::to_string_pretty(&result)? + "\n"));
        }
        Format::Text => {
            cli::show(&format!("{name}\n"));
            cli::remark(&m.echo(&result.event));
            cli::show(&format!(
                "{}{}{}",
                m.sampling_text(),
                text(&result.report),
                certified_text(result.oracle)
            ));
        }
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
        Unknown::Steps => ("--steps", cli::given("--steps")),
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
    let some = match args.unknown() {
        Unknown::Q if m.sampling.takes_whole_numbers() => Some("q"),
        Unknown::Steps if m.sampling.divides_steps() => Some("steps"),
        _ => None,
    };
    if let Some(some) = some {
        return Err(format!(
            "--solve {some} does not go with --sampling {}, where only some {some} make whole \
             numbers: try values of --{some}",
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
    /// Finds the free number of the tree in the file; also in words.
    fn calibrate_tree(&self, target: &Target) -> Result<(Calibrated, String), Box<dyn Error>> {
        if self.sigma.is_some() || self.q.is_some() {
            return Err("--sigma and --q do not go with an event file".into());
        }
        self.refuse_unused()?;
        let template = Template::from_json(&self.tree_text()?).map_err(|e| self.at_file(&e))?;
        let template = template.repeated(self.steps);
        let found = template.solve(target)?;
        let event = template.at(found.value)?;
        let free = template.pointer().to_owned();
        let caveat = template.caveat().map(|words| format!("; {words}"));
        let words = format!("{free} = {}{}", found.value, caveat.unwrap_or_default());
        let report = from_below(found.report, &event, self.delta()?, self.neighbours)?;
        let result = Calibrated {
            sampling: None,
            sigma: None,
            steps: None,
            q: None,
            free: Some(free),
            value: Some(template.written(found.value)),
            epsilon: target.epsilon.get(),
            oracle: self.oracle(&event, &report)?,
            report,
            event,
        };
        Ok((result, words))
    }
}
