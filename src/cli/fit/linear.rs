//! A private linear model from a data file.

mod request;

pub use request::by_method;

use super::data::{self, Ranges};
use super::files;
use super::{Budget, Format, Outcome, decor, named, text, told};
use crate::cli;
use dp_assay::problem::Dataset;
use dp_assay::problem::load::{Options, Rows, Task};
use dp_assay::solver::fit::{
    BatchName, CalibrationName, Fitted, Held, LossName, Method, Model, Origin, SamplingName,
    Scaling, ScheduleName, Smoothness, Survey, fit_measured, fit_stream, split,
};
use dp_assay::units::Neighbouring;
use request::request;
use serde::de::value::Error as NameError;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Fit a private linear model to a data file.
///
/// What was taken where nothing was asked is in the result of `--format json`, as `request`.
#[derive(clap::Args)]
pub struct Args {
    /// auto (a rule of n, p, epsilon and the task, which is printed with its reason), skgd, dp-cd, dp-sgd, gd or gcd;
    /// ambssgd, ssgd or adassp for linear regression (--loss squared); decor on records dealt out among users.
    #[arg(default_value = "auto", value_parser = chosen)]
    method: Choice,
    /// The data: svmlight or CSV (commas, semicolons, tabs or blanks), possibly gzipped.
    #[arg(long, value_name = "FILE")]
    data: PathBuf,
    /// The label column of a CSV file: its name, or its number among all columns, counted from 0; the last one unless given.
    #[arg(long)]
    label: Option<String>,
    /// logistic (classes), squared or huber (real targets). Unless given: logistic if the labels are two values, or up to 20
    /// that are words or whole numbers; squared if not, and for linear regression.
    #[arg(long, value_parser = named::<LossName>)]
    loss: Option<LossName>,
    #[command(flatten)]
    budget: Budget,
    /// When two data sets are neighbours; user for decor, replace-one for the others unless given.
    #[arg(long)]
    neighbours: Option<Neighbouring>,
    /// Clipping level: the largest norm of a record's gradient. Unless given: by the public table, else 1.
    #[arg(long, allow_negative_numbers = true)]
    clip: Option<f64>,
    /// Every feature is moved into [-BOUND, BOUND], which bounds the smoothness whatever the data.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    bound: f64,
    /// Public ranges instead of --bound: a line `name,lower,upper` for each column of numbers, `name,category,word|word` for
    /// one of words, and either for the label. From a data dictionary, not from the data. Or `private`: ranges are released
    /// with noise, paid from the budget.
    #[arg(long, value_name = "FILE|private", conflicts_with = "bound")]
    bounds: Option<PathBuf>,
    /// --bounds private: the part of mu^2 (Gaussian differential privacy) that ranges get; 0.2 unless given.
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    bounds_share: Option<f64>,
    /// What becomes of a missing number (empty, ?, NA, NaN, null): refuse, or middle, that of its public range in --bounds
    /// FILE. A missing word is none of the category's.
    #[arg(long, value_enum, default_value = "refuse")]
    missing: Missing,
    /// All classes, as they are publicly known, between commas. Unless given or in --bounds FILE they are read off the data.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true)]
    classes: Option<Vec<String>>,
    /// The number of features of an svmlight file, as it is publicly known; the largest index in the data unless given.
    #[arg(long)]
    features: Option<usize>,
    /// The most features of a record that are not 0, as it is publicly known. Where that is a small part of them longer
    /// steps pay; the guarantee does not rest on it.
    #[arg(long, value_name = "N")]
    nonzeros: Option<usize>,
    /// Choose among this many settings (2 to 9) privately, for a part of the budget; gd, skgd and dp-cd. How often it ran must
    /// stay hidden: no time is printed, and the guarantee is towards whoever does not see how long it takes.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    tune: usize,
    /// Public range LOW:HIGH of real targets, which are moved into it.
    #[arg(long, value_parser = data::range, allow_hyphen_values = true)]
    target_range: Option<(f64, f64)>,
    /// Fit an intercept; so do all but ssgd and decor unless told otherwise.
    #[arg(long, conflicts_with = "no_intercept")]
    intercept: bool,
    /// Fit no intercept.
    #[arg(long)]
    no_intercept: bool,
    /// Hold out this part of the records and measure the model on it, beside the constant predictor and the non-private
    /// optimum. Delta is 1/n^2 of the others. The measurement is NOT private.
    #[arg(long, conflicts_with_all = ["test", "stream"], allow_negative_numbers = true)]
    holdout: Option<f64>,
    /// Measure the model on the records of this file. The measurement is NOT private.
    #[arg(long, value_name = "FILE", conflicts_with = "stream")]
    test: Option<PathBuf>,
    /// Write the model to this file, for `dp-assay predict`.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The part of mu^2 (Gaussian differential privacy) that a private centre of the features gets; 0 for none. Unless
    /// given: by the public table.
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    centre: Option<f64>,
    /// none, standardise or max-abs; the last two look at the data and need --public.
    #[arg(long, default_value = "none", value_parser = named::<Scaling>)]
    scaling: Scaling,
    /// bound (from --bound), data (looks at the data and needs --public) or private (an estimate with noise, paid from
    /// the budget; skgd, dp-cd, dp-sgd, gd and gcd).
    #[arg(long, default_value = "bound", value_parser = named::<Smoothness>)]
    smoothness: Smoothness,
    /// --smoothness private: the part of epsilon and delta that the estimate gets; 0.1 unless given.
    #[arg(long, allow_negative_numbers = true)]
    share: Option<f64>,
    /// State that what --scaling and --smoothness compute from the data is public.
    #[arg(long)]
    public: bool,
    /// Passes over the partial derivatives. Unless given: by the public table; 1 for ambssgd, ssgd and adassp, 50 for decor.
    #[arg(long, allow_negative_numbers = true)]
    passes: Option<f64>,
    /// Number of averages of skgd, dp-cd and gd. Unless given: by the public table for gd, else 1.
    #[arg(long)]
    rounds: Option<usize>,
    /// Factor on the default step sizes.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    step: f64,
    /// skgd: full, uniform, importance, blocks:SIZE, importance-blocks:SIZE or nice:SIZE. Unless given: blocks of a
    /// quarter of the coordinates.
    #[arg(long, value_parser = sampling)]
    sampling: Option<SamplingName>,
    /// dp-sgd: poisson or fixed-size batches.
    #[arg(long, default_value = "poisson", value_parser = named::<BatchName>)]
    batch: BatchName,
    /// dp-sgd: the (expected) part of the records in a batch; ambssgd: the part in a block. Unless given: 0.5
    /// for dp-sgd and 0.03 to 0.3 for ambssgd by the public table, else 0.1.
    #[arg(long, allow_negative_numbers = true)]
    rate: Option<f64>,
    /// practical (no claim on utility) or theorem: lengths, steps, noise and clipping of the corrected theorem, whose bound
    /// on the excess risk is printed; gcd, skgd and decor, logistic loss with --ridge; ambssgd and ssgd with --normal.
    /// Refused where the bound says nothing.
    #[arg(long, default_value = "practical", value_parser = named::<ScheduleName>)]
    schedule: ScheduleName,
    /// --schedule theorem of ambssgd and ssgd: state that the records are independent, x ~ N(0, I) and y = <x, w*> + N(0,
    /// sigma^2), with |w*| at most NORM and sigma at most SIGMA. Of millions of records the bound says something; privacy
    /// does not rest on it.
    #[arg(long, value_name = "NORM:SIGMA", value_parser = data::pair, allow_hyphen_values = true)]
    normal: Option<(f64, f64)>,
    /// default, printed, corrected, best-order, tight or repaired.
    #[arg(long, default_value = "default", value_parser = named::<CalibrationName>)]
    calibration: CalibrationName,
    /// Weight of the ridge in the objective.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    ridge: f64,
    /// Weight of the l1 norm in the objective.
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    l1: f64,
    /// Seed of the noise, from the system unless it is given. The guarantee is towards whoever does not know it.
    #[arg(long, default_value_t = data::secret(), hide_default_value = true)]
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

/// What becomes of a missing number.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Missing {
    Refuse,
    Middle,
}

/// The method asked for.
#[derive(Clone, Copy)]
enum Choice {
    Auto,
    Of(Method),
}

fn chosen(text: &str) -> Result<Choice, NameError> {
    match text {
        "auto" => Ok(Choice::Auto),
        name => named(name).map(Choice::Of),
    }
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
    if args.out.is_some() && args.scaling != Scaling::None {
        return Err(
            "--out keeps public ranges, not columns scaled by their own data: say --bounds \
                    FILE or --bound"
                .into(),
        );
    }
    if let Some(out) = &args.out {
        let read = [Some(&args.data), args.test.as_ref(), args.bounds.as_ref()];
        files::apart(out, &read.map(|file| file.map(PathBuf::as_path)))?;
        dp_assay::report::writable(out)?;
    }
    let source = Source::new(args)?;
    let (mut fitted, classes) = if args.stream {
        streamed(args, &source)?
    } else {
        in_memory(args, &source)?
    };
    let rows = Rows::open(&args.data, &source.options)?;
    fitted.names = rows.names().map(<[String]>::to_vec);
    let unlisted = files::unlisted(&args.data, &source.options)?;
    fitted.confidential.extend(unlisted);
    if let Some(out) = &args.out {
        let label = rows.label_name().map(str::to_owned);
        let model = Model {
            columns: source.options.columns.clone(),
            ..Model::of(&fitted, classes, label)?
        };
        let text = serde_json::to_string_pretty(&model)? + "\n";
        dp_assay::report::write(out, text.as_bytes())?;
    }
    told(args.format, &fitted, &text::text(&fitted)?)
}

/// How the data are read, and the public ranges of what is read.
struct Source {
    options: Options,
    ranges: Option<Ranges>,
    /// Whether ranges are to be released.
    private: bool,
    /// Whether the number of features is read off the records.
    counted: bool,
    /// Whether the file has numbered features and no columns.
    svmlight: bool,
}

impl Source {
    fn new(args: &Args) -> Result<Self, Box<dyn Error>> {
        let label = data::label(args.label.as_deref());
        let private = args.bounds.as_deref() == Some(Path::new("private"));
        let missing = args.missing == Missing::Middle;
        let file = args.bounds.as_deref().filter(|_| !private);
        let lines = file.map(data::Lines::read).transpose()?;
        let names = lines.as_ref().map(data::Lines::names);
        let heading = data::heading(&args.data, &label, names.clone())?;
        let ranges = |(file, lines)| Ranges::new(file, lines, &heading, missing);
        let mut ranges = file.zip(lines).map(ranges).transpose()?;
        if missing && ranges.is_none() {
            return Err(
                "--missing middle is the middle of a public range: say --bounds FILE".into(),
            );
        }
        let stated = ranges.as_mut().and_then(|ranges| ranges.classes.take());
        let options = Options {
            columns: ranges
                .as_mut()
                .map(|ranges| std::mem::take(&mut ranges.columns)),
            names,
            classes: args.classes.clone().or(stated),
            ..data::options(label, Task::Classes, args.features)
        };
        Ok(Self {
            options,
            ranges,
            private,
            counted: heading.columns.is_none() && args.features.is_none(),
            svmlight: heading.columns.is_none(),
        })
    }
}

type Classes = Option<Vec<String>>;

/// A fit, and the classes.
type Fit = (Fitted, Classes);

fn streamed(args: &Args, source: &Source) -> Result<Fit, Box<dyn Error>> {
    let bar = cli::waiting("fitting");
    let loss = args.loss.unwrap_or(LossName::Squared);
    let options = Options {
        task: task(loss),
        ..source.options.clone()
    };
    let rows = || Rows::open(&args.data, &options);
    let counted = Survey::new(rows()?, args.bound)?;
    let survey = Survey {
        features: args.features.unwrap_or(counted.features),
        ..counted
    };
    let size = (survey.records, survey.features, 0);
    let (request, reasons) = request(args, source, loss, size)?;
    let mut fitted = fit_stream(rows()?, survey, &request)?;
    let told = data::read_off(&source.options, None, false, source.counted);
    fitted.warnings.extend(told);
    let all = survey.records as u64 * survey.features as u64;
    let cut = data::told_cut((survey.outside, all), &request);
    fitted.confidential.extend(data::guessable(args.seed));
    fitted.confidential.extend(cut);
    fitted.defaults = reasons;
    bar.finish_and_clear();
    Ok((fitted, None))
}

fn in_memory(args: &Args, source: &Source) -> Result<Fit, Box<dyn Error>> {
    // A bar with its time would tell the number of runs.
    let bar = match args.tune {
        0 => cli::waiting("fitting"),
        _ => indicatif::ProgressBar::hidden(),
    };
    let regression = [Method::Ambssgd, Method::Ssgd, Method::Adassp];
    let known = match (args.loss, args.method) {
        (Some(loss), _) => Some(task(loss)),
        (None, Choice::Of(method)) if regression.contains(&method) => Some(Task::Regression),
        (None, _) => None,
    };
    let ranged = source.ranges.as_ref().and_then(|ranges| ranges.target);
    let amounts = args.target_range.or(ranged).is_some();
    let (whole, found) = data::load(&args.data, &source.options, known, amounts, data::flag)?;
    let loss = args.loss.unwrap_or(match found {
        Task::Classification | Task::Classes => LossName::Logistic,
        Task::Regression => LossName::Squared,
    });
    let classes = whole.classes().map(<[String]>::to_vec);
    let several = classes.as_ref().map_or(0, Vec::len);
    let (train, held) = match (args.holdout, &args.test) {
        (Some(part), _) => {
            split(&whole, part, args.seed).map(|(train, held)| (train, Some(held)))?
        }
        (None, Some(file)) => {
            let task = match several {
                2 => Task::Classification,
                _ => found,
            };
            let options = Options {
                task,
                features: Some(whole.features()),
                ..source.options.clone()
            };
            let names = |file: &Path| -> Result<_, Box<dyn Error>> {
                data::require_file(file)?;
                Ok(Rows::open(file, &options)?.names().map(<[String]>::to_vec))
            };
            let (found, due) = (names(file)?, names(&args.data)?);
            files::same_features(file, found.as_deref(), (due.as_deref(), "that of the data"))?;
            let (data, origin) = (Dataset::from_file(file, &options)?, Origin::Test);
            (whole, Some(Held { data, origin }))
        }
        (None, None) => (whole, None),
    };
    let size = (train.records(), train.features(), several);
    let (request, mut reasons) = request(args, source, loss, size)?;
    let by_range = args.scaling == Scaling::None && !source.private;
    let features = by_range.then(|| data::cut(&train, &request)).flatten();
    let alike = classes.as_deref().and_then(data::alike);
    let aside = [features, data::cut_targets(&train, &request), alike];
    let mut fitted = fit_measured(train, held.as_ref(), &request, &mut |taken, all| {
        cli::counted(&bar, taken, all);
    })?;
    if let Some(names) = &classes {
        reasons.extend(told_classes(args, names));
    }
    let guessed = known.is_none() && !amounts;
    let told = data::read_off(&source.options, classes.as_deref(), guessed, source.counted);
    fitted.warnings.extend(told);
    fitted.confidential.extend(data::guessable(args.seed));
    fitted.confidential.extend(aside.into_iter().flatten());
    fitted.defaults = reasons;
    bar.finish_and_clear();
    Ok((fitted, classes))
}

/// What was made of more than two classes.
fn told_classes(args: &Args, names: &[String]) -> Option<String> {
    let count = names.len();
    let amounts = match args.loss {
        None if names.iter().all(|name| name.parse::<f64>().is_ok()) => {
            "; if the labels are amounts, say --loss squared"
        }
        _ => "",
    };
    (count > 2).then(|| {
        format!("{count} classes, each against the rest with a part 1/{count} of mu^2{amounts}")
    })
}

const fn task(loss: LossName) -> Task {
    match loss {
        LossName::Logistic => Task::Classes,
        LossName::Squared | LossName::Huber => Task::Regression,
    }
}
