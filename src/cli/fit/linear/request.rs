//! What a fit is asked for, from its flags and the facts about the data.

use super::{Args, Choice, Source};
use dp_assay::solver::fit::{
    Asked, Facts, LossName, Method, Request, Scaling, ScheduleName, Smoothness,
};
use dp_assay::units::{Delta, Epsilon, Neighbouring};
use std::error::Error;

/// What is asked for, on n records of p features and so many classes, and the reasons for what was not.
pub(super) fn request(
    args: &Args,
    source: &Source,
    loss: LossName,
    (records, features, classes): (usize, usize, usize),
) -> Result<(Request, Vec<String>), Box<dyn Error>> {
    if args.neighbours == Some(Neighbouring::AddRemove) {
        if matches!(args.method, Choice::Auto) && !args.stream {
            return Err(
                "auto looks at the number of records, in which add-remove neighbours \
                        differ: name a method"
                    .into(),
            );
        }
        let adassp = matches!(args.method, Choice::Auto | Choice::Of(Method::Adassp));
        if adassp && args.budget.delta.is_none() {
            return Err(
                "the default of --delta is 1/n^2, and add-remove neighbours differ in n: \
                        say --delta"
                    .into(),
            );
        }
    }
    let budget = args.budget.of(records)?;
    let facts = Facts {
        records,
        features,
        nonzeros: args.nonzeros,
        loss,
        budget,
    }
    .for_classes(classes)?;
    let mut reasons = Vec::new();
    let method = match args.method {
        Choice::Of(method) => method,
        Choice::Auto if args.stream => {
            reasons.push(
                "auto: adassp, the one method for a file that is not kept and has a known error"
                    .into(),
            );
            Method::Adassp
        }
        Choice::Auto => {
            let plain = args.ridge == 0.0 && args.l1 == 0.0;
            let (method, why) = facts.method(plain && args.smoothness == Smoothness::Bound)?;
            reasons.push(format!("auto: {}, for {why}", method.name()));
            method
        }
    };
    refuse_idle(args, source, method)?;
    let request = plain_request(args, source, (method, loss, budget), records)?;
    if args.stream || !Facts::applies(&request) {
        return Ok((request, reasons));
    }
    let asked = Asked {
        clip: args.clip,
        passes: args.passes,
        rounds: args.rounds,
        rate: args.rate,
        step: Some(args.step),
        sampling: args.sampling,
        centre: args.centre,
    };
    let (request, why) = request.tuned(&facts, asked)?;
    reasons.extend(why);
    Ok((request, reasons))
}

/// The part of the budget that private ranges get; 0 where ranges are public.
fn bounds_share(args: &Args, source: &Source) -> Result<f64, String> {
    let share = args.bounds_share.unwrap_or(0.2);
    match source.private {
        // To a request 0 means public ranges.
        true if share == 0.0 => Err("--bounds-share = 0 leaves nothing for private ranges".into()),
        true => Ok(share),
        false => Ok(0.0),
    }
}

/// Refuses flags that would change nothing.
fn refuse_idle(args: &Args, source: &Source, method: Method) -> Result<(), String> {
    let looks = args.scaling != Scaling::None || args.smoothness == Smoothness::Data;
    let mut flags = by_method(method).to_vec();
    let one_pass = matches!(method, Method::Ambssgd | Method::Ssgd);
    flags.extend([
        (
            "--normal",
            one_pass && args.schedule == ScheduleName::Theorem,
            "--schedule theorem of ambssgd and ssgd",
        ),
        ("--label", !source.svmlight, "CSV files"),
        ("--features", source.svmlight, "svmlight files"),
        (
            "--classes",
            !args.stream,
            "data that are kept, not with --stream",
        ),
        ("--bounds-share", source.private, "--bounds private"),
        (
            "--share",
            args.smoothness == Smoothness::Private,
            "--smoothness private",
        ),
        (
            "--public",
            looks,
            "--scaling standardise or max-abs and --smoothness data",
        ),
    ]);
    crate::cli::refuse_idle(&flags)
}

/// The flags that only some methods make use of: whether this one does, and which do.
pub fn by_method(method: Method) -> [(&'static str, bool, &'static str); 6] {
    use Method::{Adassp, Ambssgd, Decor, DpCd, DpSgd, Gd, Skgd};
    let is = |methods: &[Method]| methods.contains(&method);
    [
        ("--sampling", is(&[Skgd]), "skgd"),
        ("--batch", is(&[DpSgd]), "dp-sgd"),
        ("--rate", is(&[DpSgd, Ambssgd]), "dp-sgd and ambssgd"),
        ("--rounds", is(&[Skgd, DpCd, Gd]), "skgd, dp-cd and gd"),
        (
            "--calibration",
            !is(&[Decor]),
            "methods with one noise, not decor",
        ),
        (
            "--step",
            !is(&[Adassp]),
            "methods that take steps, not adassp",
        ),
    ]
}

/// What is asked for, with the defaults of the method's own.
fn plain_request(
    args: &Args,
    source: &Source,
    (method, loss, budget): (Method, LossName, (Epsilon, Delta)),
    records: usize,
) -> Result<Request, Box<dyn Error>> {
    let ranges = source.ranges.as_ref();
    let defaults = Request::new(method, loss, budget);
    let target = args.target_range.or(ranges.and_then(|r| r.target));
    let target_range = target.filter(|_| loss != LossName::Logistic);
    if args.target_range.is_some() && target_range.is_none() {
        return Err("--target-range goes with real targets (--loss squared or huber)".into());
    }
    let request = Request {
        ridge: args.ridge,
        l1: args.l1,
        neighbours: args.neighbours.unwrap_or(method.default_neighbours()),
        clip: args.clip.unwrap_or(defaults.clip),
        bound: args.bound,
        ranges: ranges.map(|r| r.features.clone()),
        target_range,
        bounds: bounds_share(args, source)?,
        nonzeros: args.nonzeros,
        tune: args.tune,
        centre: args.centre.unwrap_or(0.0),
        scaling: args.scaling,
        smoothness: args.smoothness,
        share: args.share.unwrap_or(defaults.share),
        public: args.public,
        passes: args.passes.unwrap_or(method.default_passes()),
        rounds: args.rounds.unwrap_or(defaults.rounds),
        step: args.step,
        sampling: args.sampling.unwrap_or(defaults.sampling),
        batch: args.batch,
        rate: args.rate.unwrap_or(defaults.rate),
        calibration: args.calibration,
        schedule: args.schedule,
        normal: args.normal,
        seed: args.seed,
        compare: args.relative_error,
        decentralised: args.decor.request(method, records)?,
        ..defaults
    };
    let auto = matches!(args.method, Choice::Auto) && !args.stream;
    let intercept =
        args.intercept || (auto || Facts::applies(&request) && !args.stream) && !args.no_intercept;
    Ok(Request {
        intercept,
        ..request
    })
}
