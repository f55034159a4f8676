//! `dp-assay fit kl-spider|kl-prox|adaptive-gd|noisy-gd`: a private point of a loss that need not be convex.

use super::{Budget, Format, Outcome, data, named, text, told};
use crate::cli;
use dp_assay::problem::Dataset;
use dp_assay::problem::load::{Options, Task};
use dp_assay::solver::fit::ScheduleName;
use dp_assay::solver::fit::kl::{
    Builtin, Fitted, GRADIENTS, Loss, Method, Posed, Request, fit_watched,
};
use dp_assay::units::Neighbouring;
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The methods.
#[derive(clap::Subcommand)]
pub enum Methods {
    /// KL Spider, for 1 <= kappa <= 2.
    KlSpider(Args),
    /// The private proximal point method, for kappa >= 2.
    KlProx(Args),
    /// Adaptive noisy gradient descent.
    AdaptiveGd(Args),
    /// Noisy gradient descent for F plus a square about the start.
    NoisyGd(Args),
}

/// The numbers taken for choices that were not made are printed, all of them with `--format json`. Noise is in its repaired form; the printed one is
/// for audits.
#[derive(clap::Args)]
pub struct Args {
    /// The data: svmlight or CSV (commas, semicolons, tabs or blanks), possibly gzipped.
    #[arg(long, value_name = "FILE", required_unless_present = "builtin")]
    data: Option<PathBuf>,
    /// Instead of data: quadratic, quartic, huber, log-cosh, sine or ring. All but huber and log-cosh have their
    /// constants for |w| <= 6 only, and a run that noise carries beyond is refused.
    #[arg(long, conflicts_with = "data", value_parser = named::<Builtin>)]
    builtin: Option<Builtin>,
    /// --builtin: number of records.
    #[arg(long, default_value_t = 10_000, conflicts_with = "data")]
    records: usize,
    /// --builtin: dimension.
    #[arg(long, default_value_t = 2, conflicts_with = "data")]
    dimension: usize,
    /// The label column of a CSV file: its name, or its number among all columns, counted from 0; the last one unless given.
    #[arg(long, conflicts_with = "builtin")]
    label: Option<String>,
    /// logistic (two classes), squared or phase-retrieval (real targets). Unless given: logistic if the file has two
    /// classes, squared if not.
    #[arg(long, conflicts_with = "builtin", value_parser = named::<Loss>)]
    loss: Option<Loss>,
    /// Both classes, as they are publicly known, between a comma. Unless given they are read off the data.
    #[arg(
        long,
        value_delimiter = ',',
        allow_hyphen_values = true,
        requires = "data"
    )]
    classes: Option<Vec<String>>,
    /// The number of features of an svmlight file, as it is publicly known; the largest index in the data unless given.
    #[arg(long, requires = "data")]
    features: Option<usize>,
    /// Radius of the ball into which records are moved, one by one.
    #[arg(
        long,
        default_value_t = 1.0,
        conflicts_with = "builtin",
        allow_negative_numbers = true
    )]
    bound: f64,
    /// Squared loss: residuals beyond it count linearly, targets are moved within it.
    #[arg(
        long,
        default_value_t = 1.0,
        conflicts_with = "builtin",
        allow_negative_numbers = true
    )]
    knee: f64,
    #[command(flatten)]
    budget: Budget,
    /// When two data sets are neighbours: replace-one or zero-out.
    #[arg(long, default_value = "replace-one")]
    neighbours: Neighbouring,
    /// Failure probability β of the accuracy.
    #[arg(long, default_value_t = 0.1, allow_negative_numbers = true)]
    beta: f64,
    /// kl-spider, kl-prox, and adaptive-gd --schedule theorem: the KL constant γ, known for --builtin; else F_0^(1/kappa)/L_0 is
    /// assumed. Accuracy depends on it.
    #[arg(long, allow_negative_numbers = true)]
    gamma: Option<f64>,
    /// The KL exponent κ, likewise; else 2 is assumed.
    #[arg(long, allow_negative_numbers = true)]
    kappa: Option<f64>,
    /// F_0, a bound on the excess risk of the start.
    #[arg(long, allow_negative_numbers = true)]
    loss_bound: Option<f64>,
    /// L_0; by --bound and the loss unless given, and of data no less: whether a run ends must not depend on the records.
    #[arg(long, allow_negative_numbers = true)]
    lipschitz: Option<f64>,
    /// L_1; likewise.
    #[arg(long, allow_negative_numbers = true)]
    smoothness: Option<f64>,
    /// The weak convexity constant; L_1 unless given.
    #[arg(long, allow_negative_numbers = true)]
    weak_convexity: Option<f64>,
    /// noisy-gd, kl-prox: iterates of a call; those of the theorem unless given, but at most 1000 gradients in all.
    #[arg(long)]
    length: Option<u64>,
    /// kl-prox: number of calls.
    #[arg(long)]
    rounds: Option<u64>,
    /// adaptive-gd: draw an iterate by its gradient, for a third of the budget, instead of taking the last.
    #[arg(long)]
    select: bool,
    /// practical (no claim on what is found) or theorem: by the corrected theorem, whose bound is printed; of kl-spider and
    /// kl-prox with --gamma and --kappa, which have to be known; of adaptive-gd with both, for a bound on F, or with --select,
    /// for one on its gradient. Refused where the bound says nothing, or takes more passes than --gradients.
    #[arg(long, default_value = "practical", value_parser = named::<ScheduleName>)]
    schedule: ScheduleName,
    /// The start is this times (1, ..., 1)/sqrt(d).
    #[arg(long, allow_negative_numbers = true)]
    start: Option<f64>,
    /// Most gradients, each a pass over the records, that a run may plan.
    #[arg(long, default_value_t = GRADIENTS)]
    gradients: u64,
    /// Seed of the noise, from the system unless it is given. The guarantee is towards whoever does not know it.
    #[arg(long, default_value_t = data::secret(), hide_default_value = true)]
    seed: u64,
    /// Say what F is at the start and at the point. That is NOT private.
    #[arg(long)]
    compare: bool,
    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs the method.
pub fn run(method: &Methods) -> Outcome {
    let (method, args) = match method {
        Methods::KlSpider(args) => (Method::KlSpider, args),
        Methods::KlProx(args) => (Method::KlProx, args),
        Methods::AdaptiveGd(args) => (Method::AdaptiveGd, args),
        Methods::NoisyGd(args) => (Method::NoisyGd, args),
    };
    refuse_idle(args, method)?;
    let (posed, read) = match (&args.data, args.builtin) {
        (Some(file), _) => {
            let (data, loss, read) = load(args, file)?;
            cli::refuse_idle(&[("--knee", matches!(loss, Loss::Squared), "--loss squared")])?;
            (Posed::data(&data, loss, args.bound, args.knee)?, read)
        }
        (None, Some(which)) => (
            Posed::builtin(which, args.records, args.dimension)?,
            Vec::new(),
        ),
        (None, None) => return Err("say --data FILE or --builtin NAME".into()),
    };
    let request = Request {
        neighbours: args.neighbours,
        beta: args.beta,
        gamma: args.gamma,
        kappa: args.kappa,
        loss_bound: args.loss_bound,
        lipschitz: args.lipschitz,
        smoothness: args.smoothness,
        weak_convexity: args.weak_convexity,
        length: args.length,
        rounds: args.rounds,
        select: args.select,
        schedule: args.schedule,
        start: args.start,
        seed: args.seed,
        compare: args.compare,
        gradients: args.gradients,
        ..Request::new(method, args.budget.of(posed.risk.records())?)
    };
    let bar = cli::progress(0, "gradients");
    let mut fitted = fit_watched(&posed, &request, &mut |taken, planned| {
        cli::counted(&bar, taken, planned);
    })?;
    fitted.warnings.extend(read);
    fitted.warnings.extend(data::guessable(args.seed));
    bar.finish_and_clear();
    told(args.format, &fitted, &said(&fitted, posed.known.is_some())?)
}

/// Refuses flags that would change nothing.
fn refuse_idle(args: &Args, method: Method) -> Result<(), String> {
    let prox = method == Method::KlProx;
    let calls = prox || method == Method::NoisyGd;
    let data = args.data.is_some();
    let grows = method.grows(args.schedule, args.select);
    let growing = "kl-spider, kl-prox, and adaptive-gd --schedule theorem without --select";
    cli::refuse_idle(&[
        ("--gamma", grows, growing),
        ("--kappa", grows, growing),
        ("--length", calls, "noisy-gd and kl-prox"),
        ("--rounds", prox, "kl-prox"),
        ("--weak-convexity", calls, "noisy-gd and kl-prox"),
        ("--select", method == Method::AdaptiveGd, "adaptive-gd"),
        ("--classes", data, "--data"),
        ("--features", data, "--data"),
    ])
}

/// The data, the loss that goes with them, and what of them is read off the records.
fn load(args: &Args, file: &Path) -> Result<(Dataset, Loss, Vec<String>), Box<dyn Error>> {
    let task = args.loss.map(|loss| match loss {
        Loss::Logistic => Task::Classification,
        Loss::Squared | Loss::PhaseRetrieval => Task::Regression,
    });
    let label = data::label(args.label.as_deref());
    let heading = data::heading(file, &label, None)?;
    let svmlight = heading.columns.is_none();
    cli::refuse_idle(&[
        ("--label", !svmlight, "CSV files"),
        ("--features", svmlight, "svmlight files"),
    ])?;
    let options = Options {
        classes: args.classes.clone(),
        ..data::options(label, Task::Classes, args.features)
    };
    let (data, found) = data::load(
        file,
        &options,
        task,
        false,
        |problem| match data::of_a_feature(problem) {
            true => data::decimal_comma(problem)
                .unwrap_or("; this method takes numbers only, none of them missing"),
            false => "",
        },
    )?;
    if let Some(classes) = data.classes().filter(|classes| classes.len() > 2) {
        return Err(format!(
            "{}: the labels are {} values ({}), which look like classes, and two are fitted by \
             this method: say --loss squared if they are amounts",
            file.display(),
            classes.len(),
            classes.join(", ")
        )
        .into());
    }
    let loss = args.loss.unwrap_or(match found {
        Task::Classification | Task::Classes => Loss::Logistic,
        Task::Regression => Loss::Squared,
    });
    let counted = heading.columns.is_none() && args.features.is_none();
    let told = data::read_off(&options, data.classes(), task.is_none(), counted);
    Ok((data, loss, told))
}

fn said(fitted: &Fitted, known: bool) -> Result<String, std::fmt::Error> {
    let (p, r, request) = (&fitted.privacy, &fitted.resolved, &fitted.request);
    let mut out = String::new();
    writeln!(
        out,
        "{} on {} records, {} features, in {:.3} s",
        request.method.name(),
        fitted.records,
        fitted.features,
        fitted.seconds
    )?;
    writeln!(out, "risk: {}", fitted.risk)?;
    writeln!(
        out,
        "epsilon at most {} at delta = {:e} ({}-zCDP), {} neighbours; covered: the {}; claim: \
         {}; its account: {}",
        p.epsilon_upper, p.delta, p.rho_upper, p.neighbours, p.release, p.claim, p.claims
    )?;
    writeln!(
        out,
        "spent: {} in {} releases{}",
        p.rho_spent,
        p.releases,
        if p.cut {
            ", cut short by the filter"
        } else {
            ""
        }
    )?;
    writeln!(
        out,
        "taken: rho {}, beta {}, L_0 {}, L_1 {}, weak convexity {}, F_0 {}, start at norm {}, seed \
         {}, which tells the noise",
        r.rho,
        r.beta,
        r.lipschitz,
        r.smoothness,
        r.weak_convexity,
        r.loss_bound,
        r.start,
        request.seed
    )?;
    if request.grows() {
        let rest = match (request.gamma.is_some() && request.kappa.is_some(), known) {
            (true, _) => "stated",
            (false, true) => "known",
            (false, false) => "assumed",
        };
        writeln!(
            out,
            "{rest}, for accuracy only: gamma {}, kappa {}",
            r.gamma, r.kappa
        )?;
    }
    out += &text::warned("WARNING", &fitted.warnings);
    out += &text::useful(fitted.utility.as_ref(), true);
    if let Some(length) = r.length {
        let rounds = r.rounds.unwrap_or(1);
        writeln!(out, "iterates: {length} in each of {rounds} call(s)")?;
    }
    if let Some(c) = &fitted.not_private {
        write!(
            out,
            "NOT PRIVATE: objective {}, at the start {}",
            c.objective, c.start
        )?;
        match c.minimum {
            Some(minimum) => writeln!(out, ", minimum {minimum}")?,
            None => writeln!(out)?,
        }
    }
    writeln!(out, "coefficients:")?;
    out += &text::listed(None, &fitted.coefficients);
    Ok(out)
}
