//! `dp-assay fit`: a private linear model from a data file.

mod decor;

use super::{Format, Outcome};
use dp_assay::problem::Dataset;
use dp_assay::problem::load::{LabelColumn, LoadError, LoadProblem, Options, Rows, Task};
use dp_assay::solver::fit::{
    BatchName, CalibrationName, Fitted, LossName, Method, Request, SamplingName, Scaling,
    Smoothness, Survey, fit_stream, fit_watched,
};
use dp_assay::units::{Delta, Epsilon, Neighbouring};
use dp_assay_spec::claim::{Check, Effort, Verdict};
use serde::de::value::{Error as NameError, StrDeserializer};
use serde::de::{Deserialize, IntoDeserializer};
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Fit a private linear model to a data file.
///
/// Everything that was not asked for is echoed with the value taken.
#[derive(clap::Args)]
pub struct Args {
    /// skgd, dp-cd, dp-sgd, gd or gcd; ambssgd, ssgd or adassp for linear regression (--loss squared); decor on
    /// records dealt out among users.
    #[arg(value_parser = named::<Method>)]
    method: Method,
    /// The data: svmlight or CSV (commas, semicolons, tabs or blanks), possibly gzipped.
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// The label column of a CSV file: its name or number; the last one unless given.
    #[arg(long)]
    label: Option<String>,
    /// logistic (two classes), squared or huber (real targets). Unless given: logistic if the file has two
    /// classes, squared if not, and for linear regression.
    #[arg(long, value_parser = named::<LossName>)]
    loss: Option<LossName>,
    /// Privacy parameter ε.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    epsilon: f64,
    /// Privacy parameter δ; 1/n² unless given.
    #[arg(long, allow_negative_numbers = true)]
    delta: Option<f64>,
    /// When two data sets are neighbours; user for decor, replace-one for the others unless given.
    #[arg(long)]
    neighbours: Option<Neighbouring>,
    /// Clipping level: the largest norm of a record's gradient.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    clip: f64,
    /// Every feature is moved into [-BOUND, BOUND], which bounds the smoothness whatever the data.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    bound: f64,
    /// none, standardise or max-abs; the last two look at the data and need --public.
    #[arg(long, default_value = "none", value_parser = named::<Scaling>)]
    scaling: Scaling,
    /// bound (from --bound), data (looks at the data and needs --public) or private (an estimate with noise, paid from
    /// the budget; skgd, dp-cd, dp-sgd, gd and gcd).
    #[arg(long, default_value = "bound", value_parser = named::<Smoothness>)]
    smoothness: Smoothness,
    /// --smoothness private: the part of epsilon and delta that the estimate gets.
    #[arg(long, default_value_t = 0.1, allow_negative_numbers = true)]
    share: f64,
    /// State that what --scaling and --smoothness compute from the data is public.
    #[arg(long)]
    public: bool,
    /// Passes over the partial derivatives; 5 for skgd and dp-cd, 20 for gd and dp-sgd, 10 for gcd, 1 for ambssgd,
    /// ssgd and adassp, 50 for decor.
    #[arg(long, allow_negative_numbers = true)]
    passes: Option<f64>,
    /// Number of averages of skgd, dp-cd and gd.
    #[arg(long, default_value_t = 1)]
    rounds: usize,
    /// Factor on the default step sizes.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    step: f64,
    /// skgd: full, uniform, importance, blocks:SIZE, importance-blocks:SIZE or nice:SIZE.
    #[arg(long, default_value = "uniform", value_parser = sampling)]
    sampling: SamplingName,
    /// dp-sgd: poisson or fixed-size batches.
    #[arg(long, default_value = "poisson", value_parser = named::<BatchName>)]
    batch: BatchName,
    /// dp-sgd: the (expected) part of the records in a batch; ambssgd: the part in a block.
    #[arg(long, default_value_t = 0.1, allow_negative_numbers = true)]
    rate: f64,
    /// default, printed, best-order, tight or repaired.
    #[arg(long, default_value = "default", value_parser = named::<CalibrationName>)]
    calibration: CalibrationName,
    /// Weight of the ridge in the objective.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    ridge: f64,
    /// Weight of the l1 norm in the objective.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    l1: f64,
    /// Seed of the noise.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// ambssgd and adassp: read the file twice, record by record, in a fixed buffer; ambssgd then takes the records in the
    /// file's order.
    #[arg(long)]
    stream: bool,
    /// Compare with the non-private optimum. The comparison is NOT private.
    #[arg(long)]
    relative_error: bool,
    #[command(flatten)]
    decor: decor::DecorArgs,
    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// A name as it stands in results.
pub(super) fn named<T: for<'a> Deserialize<'a>>(text: &str) -> Result<T, NameError> {
    let name: StrDeserializer<'_, NameError> = text.into_deserializer();
    T::deserialize(name)
}

fn sampling(text: &str) -> Result<SamplingName, String> {
    let (name, size) = text.split_once(':').unwrap_or((text, ""));
    let size = || match size.parse() {
        Ok(size) if size > 0 => Ok(size),
        _ => Err(format!(
            "`{text}` needs a size of at least 1, as in `{name}:4`"
        )),
    };
    match name {
        "full" => Ok(SamplingName::Full),
        "uniform" => Ok(SamplingName::Uniform),
        "importance" => Ok(SamplingName::Importance),
        "blocks" => Ok(SamplingName::Blocks(size()?)),
        "importance-blocks" => Ok(SamplingName::ImportanceBlocks(size()?)),
        "nice" => Ok(SamplingName::Nice(size()?)),
        _ => Err(
            "not one of full, uniform, importance, blocks:SIZE, importance-blocks:SIZE, nice:SIZE"
                .into(),
        ),
    }
}

/// Runs `fit`.
pub fn run(args: &Args) -> Outcome {
    let bar = super::waiting("fitting");
    let fitted = if args.stream {
        let loss = args.loss.unwrap_or(LossName::Squared);
        let options = options(args, loss);
        let rows = || Rows::open(&args.data, &options);
        let survey = Survey::new(rows()?)?;
        fit_stream(rows()?, survey, &request(args, loss, survey.records)?)?
    } else {
        let (data, loss) = load(args)?;
        let request = request(args, loss, data.records())?;
        fit_watched(data, &request, &mut |taken, all| {
            super::counted(&bar, taken, all);
        })?
    };
    bar.finish_and_clear();
    match args.format {
        Format::Json => super::print(&(serde_json::to_string_pretty(&fitted)? + "\n")),
        Format::Text => super::show(&text(&fitted)?),
    }
    Ok(ExitCode::SUCCESS)
}

/// What is asked for, on n records.
fn request(args: &Args, loss: LossName, records: usize) -> Result<Request, Box<dyn Error>> {
    let n = records as f64;
    // One record leaves no δ below 1.
    let delta = args.delta.unwrap_or((1.0 / (n * n)).min(0.5));
    let budget = (Epsilon::new(args.epsilon)?, Delta::new(delta)?);
    Ok(Request {
        ridge: args.ridge,
        l1: args.l1,
        neighbours: args.neighbours.unwrap_or(args.method.default_neighbours()),
        clip: args.clip,
        bound: args.bound,
        scaling: args.scaling,
        smoothness: args.smoothness,
        share: args.share,
        public: args.public,
        passes: passes(args),
        rounds: args.rounds,
        step: args.step,
        sampling: args.sampling,
        batch: args.batch,
        rate: args.rate,
        calibration: args.calibration,
        seed: args.seed,
        compare: args.relative_error,
        decentralised: args.decor.request(args.method, records)?,
        ..Request::new(args.method, loss, budget)
    })
}

fn passes(args: &Args) -> f64 {
    args.passes.unwrap_or(args.method.default_passes())
}

/// How the file is read.
fn options(args: &Args, loss: LossName) -> Options {
    let label = match args.label.as_ref().map(|l| (l, l.parse())) {
        None => LabelColumn::Last,
        Some((_, Ok(index))) => LabelColumn::Index(index),
        Some((name, Err(_))) => LabelColumn::Name(name.clone()),
    };
    let task = match loss {
        LossName::Logistic => Task::Classification,
        LossName::Squared | LossName::Huber => Task::Regression,
    };
    Options {
        label,
        task,
        ..Options::default()
    }
}

/// The data and the loss that goes with them.
fn load(args: &Args) -> Result<(Dataset, LossName), LoadError> {
    let read = |loss| {
        let data = Dataset::from_file(&args.data, &options(args, loss))?;
        Ok((data, loss))
    };
    let one_pass = matches!(args.method, Method::Ambssgd | Method::Ssgd | Method::Adassp);
    match args.loss {
        Some(loss) => read(loss),
        None if one_pass => read(LossName::Squared),
        None => match read(LossName::Logistic) {
            Err(error) if matches!(error.problem, LoadProblem::ThirdClass { .. }) => {
                read(LossName::Squared)
            }
            other => other,
        },
    }
}

/// What the ledger makes of a claim: the verdict, and the counterexample if there is one.
fn verdict(id: &str) -> String {
    let claims = dp_assay_spec::claims();
    let claim = claims.iter().find(|claim| claim.id == id);
    let check = claim.map(|claim| (claim.check)(&Check::printed(Effort::Replay)));
    match check {
        Some(Verdict::Refuted(found)) => format!("refuted: {}", found.counterexample),
        Some(other) => other.name().into(),
        None => "not in the ledger".into(),
    }
}

fn text(fitted: &Fitted) -> Result<String, std::fmt::Error> {
    let (p, r) = (&fitted.privacy, &fitted.request);
    let mut out = String::new();
    writeln!(
        out,
        "{} ({:?} loss) on {} records, {} features, in {:.3} s",
        r.method.name(),
        r.loss,
        fitted.records,
        fitted.features,
        fitted.seconds
    )?;
    writeln!(
        out,
        "epsilon at most {} at delta = {:e}, {} neighbours; the {} is covered",
        p.epsilon_upper, p.delta, p.neighbours, p.release
    )?;
    let claim = p.claim.unwrap_or("none of the ledger");
    writeln!(out, "rests on: {}; claim: {claim}", p.theorem)?;
    if let Some(id) = p.refuted {
        writeln!(out, "noise scaled by {id}, which is {}", verdict(id))?;
    }
    let largest = p.scales.iter().copied().fold(0.0, f64::max);
    writeln!(
        out,
        "noise: {}, scale at most {largest:e} per partial derivative",
        p.noise
    )?;
    if let Some(e) = &p.estimate {
        writeln!(
            out,
            "smoothness: released first, for epsilon {} at delta = {:e} of the total; noise {:e}, below the truth with \
             probability at most {}",
            e.epsilon_upper, e.delta, e.deviation, e.failure
        )?;
    }
    let (inner, outer) = fitted.lengths;
    writeln!(
        out,
        "steps: {inner} in each of {outer} round(s), {} passes",
        r.passes
    )?;
    writeln!(
        out,
        "clip {}, features in [-{}, {}], seed {}",
        r.clip, r.bound, r.bound, r.seed
    )?;
    if let Some(users) = &fitted.users {
        out += &decor::text(users, r.decentralised.as_ref());
    }
    if let Some(c) = &fitted.not_private {
        writeln!(
            out,
            "NOT PRIVATE: objective {}, optimum {}, relative error {:.4}",
            c.objective, c.optimum, c.relative_error
        )?;
    }
    writeln!(out, "coefficients:")?;
    for (j, w) in fitted.coefficients.iter().enumerate() {
        writeln!(out, "  {j} {w}")?;
    }
    Ok(out)
}
