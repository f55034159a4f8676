//! Whole fits, and the defaults that they take.

use super::data::{budget, dataset};
use super::{Asked, told};
use dp_assay::problem::Dense;
use dp_assay::problem::load::{Options, Rows, Task};
use dp_assay::solver::fit::{
    self as linear, Facts, FitError, Fitted, LossName, Method, Model, Quality, Request, kl,
};
use serde_json::Value;

/// A request with its entries in `set` put into what it says by default.
fn set<T: serde::Serialize + serde::de::DeserializeOwned>(request: T, asked: &Asked) -> T {
    let mut request = serde_json::to_value(request).expect("plain fields");
    let fields = request.as_object_mut().expect("an object");
    if let Some(Value::Object(set)) = asked.get("set") {
        fields.extend(set.clone());
    }
    serde_json::from_value(request).unwrap_or_else(|e| panic!("{}: {e}", asked.0))
}

fn request(asked: &Asked) -> Request {
    let method: Method = asked.read("method");
    let loss: LossName = asked.read("loss");
    set(Request::new(method, loss, budget(asked)), asked)
}

fn facts(asked: &Asked, request: &Request) -> Facts {
    Facts {
        records: asked.count("n"),
        features: asked.count("p"),
        nonzeros: request.nonzeros,
        loss: request.loss,
        budget: (request.epsilon, request.delta),
    }
}

/// Asked for numbers that the rule then leaves alone.
fn left(asked: &Asked) -> linear::Asked {
    let given = |name: &str| asked.get(name).map(|_| asked.number(name));
    linear::Asked {
        clip: given("clip"),
        passes: given("passes"),
        rounds: given("rounds").map(|x| x as usize),
        rate: given("rate"),
        step: given("step"),
        sampling: asked.get("sampling").map(|_| asked.read("sampling")),
        centre: given("centre"),
    }
}

/// Method, row, warning, and the request by the rule.
pub fn defaults(asked: &Asked) -> String {
    let request = request(asked);
    let facts = facts(asked, &request);
    let kappa = facts.signal();
    let row = kappa.as_ref().map(|kappa| facts.row(*kappa)).ok();
    let classes = told(
        facts
            .for_classes(asked.count_or("classes", 1))
            .map(|facts| facts.budget),
    );
    let tuned = request
        .clone()
        .tuned(&facts, left(asked))
        .map(|(r, reasons)| {
            let steps = (r.clip, r.passes, r.rounds, r.rate, r.step);
            (steps, r.sampling, r.centre, reasons)
        });
    let warning = facts.warning(&request);
    let (applies, method) = (Facts::applies(&request), facts.method(asked.flag("plain")));
    let (kappa, tuned, method) = (told(kappa), told(tuned), told(method));
    format!("{kappa} {row:?} {classes} {tuned} {warning:?} {applies} {method}")
}

/// The warnings but for the one that every fit has, which is tested on its own.
fn varying<'a>(warnings: &'a [String], confidential: &'a [String]) -> Vec<&'a String> {
    let all = warnings.iter().chain(confidential);
    all.filter(|text| !text.starts_with("the guarantee is of exact arithmetic"))
        .collect()
}

/// All that a fit says of itself but its time, and what was asked.
fn said(fitted: &Fitted) -> String {
    let Fitted {
        coefficients,
        intercept,
        others,
        privacy: p,
        utility,
        lengths,
        ..
    } = fitted;
    let spent = (p.epsilon_upper, p.delta, &p.scales, p.claim, p.refuted);
    let before = (&p.estimate, &p.centre, &p.bounds, &p.tuning);
    let warnings = varying(&fitted.warnings, &fitted.confidential);
    let besides = (
        &fitted.users,
        &warnings,
        &fitted.metrics,
        &fitted.not_private,
    );
    format!(
        "{coefficients:?} {intercept:?} {others:?} {lengths:?} {spent:?} {:?} {before:?} {utility:?} {besides:?}",
        (p.noise, &p.theorem, &p.event)
    )
}

/// What of it has no logarithm of the platform on the way: noise, and what it costs.
fn noise(fitted: &Fitted) -> String {
    let p = &fitted.privacy;
    let before = (
        p.estimate
            .as_ref()
            .map(|e| (e.sensitivity, e.deviation, e.epsilon_upper, e.delta)),
        p.centre.as_ref().map(|c| (c.sensitivity, c.deviation)),
        p.bounds
            .as_ref()
            .map(|b| (b.sensitivity, b.deviation, b.rounds)),
        p.tuning
            .as_ref()
            .map(|t| (t.deviation, t.epsilon_run, t.candidates)),
    );
    format!(
        "{:?} {before:?} {:?}",
        (&p.scales, p.epsilon_upper, p.delta),
        p.event
    )
}

pub fn fit(asked: &Asked) -> String {
    let (data, mut request) = (dataset(asked), request(asked));
    if asked.flag("rule") {
        let facts = facts(asked, &request);
        request = request.tuned(&facts, left(asked)).expect("a budget").0;
    }
    let mut told = Vec::new();
    let progress = &mut |taken, all| told.push((taken, all));
    let fitted = match asked.get("holdout") {
        None => linear::fit_watched(data, &request, progress),
        Some(_) => {
            let part = asked.number("holdout");
            linear::split(&data, part, request.seed).and_then(|(train, held)| {
                linear::fit_measured(train, Some(&held), &request, progress)
            })
        }
    };
    match fitted {
        Ok(fitted) if asked.flag("noise") => noise(&fitted),
        Ok(fitted) => format!("{} {:?}", said(&fitted), (told.len(), told.last())),
        Err(wrong) => format!("refused: {wrong}"),
    }
}

/// Quality of scores, classes, the split, and predictions of a model.
pub fn measured(asked: &Asked) -> String {
    let (data, request) = (dataset(asked), request(asked));
    let (scores, n) = (asked.list("scores"), data.records());
    let scores: Vec<f64> = scores.iter().copied().cycle().take(n).collect();
    let quality = Quality::of(&scores, data.targets(), request.loss);
    let classes: Vec<f64> = scores.iter().map(|s| linear::class(*s)).collect();
    let split = linear::split(&data, asked.number("holdout"), 3).map(|(train, held)| {
        let targets = (train.targets().to_vec(), held.data.targets().to_vec());
        (targets, held.origin)
    });
    let fitted = linear::fit(data.clone(), &request).expect("a fit");
    let names = data.classes().map(<[String]>::to_vec);
    let model = Model::of(&fitted, names, Some("label".into()));
    let predicted = model.map(|model| {
        let design = Dense::from_rows(&[[3.0, -1.0], [-0.5, 0.25], [0.0, 0.0]]).expect("finite");
        let cut = model.preprocessing.cut(&design.clone().into());
        (model.predictions(&design.into()), cut)
    });
    format!(
        "{quality:?} {:?} {classes:?} {} {}",
        quality.value(),
        told(split),
        told(predicted)
    )
}

/// A text that is fitted while it is read.
pub fn stream(asked: &Asked) -> String {
    let request = request(asked);
    let data = dataset(asked);
    let line = |i: usize| {
        let x: Vec<f64> = data.design().row(i).map(|(_, x)| x).collect();
        let y = data.targets()[i];
        match asked.flag("svmlight") {
            true => {
                let x = x.iter().enumerate().filter(|x| *x.1 != 0.0);
                let x: String = x.map(|(j, x)| format!(" {}:{x}", j + 1)).collect();
                format!("{y}{x}\n")
            }
            false => {
                let x: String = x.iter().map(|x| format!("{x},")).collect();
                format!("{x}{y}\n")
            }
        }
    };
    let mut text: String = (0..data.records()).map(line).collect();
    text += asked.word("more");
    let options = Options {
        task: Task::Regression,
        ..Options::default()
    };
    let rows = || Rows::new("asked", text.as_bytes(), &options).expect("rows");
    let survey = match linear::Survey::new(rows(), request.bound) {
        Ok(survey) => survey,
        Err(wrong) => return format!("refused: {wrong}"),
    };
    match linear::fit_stream(rows(), survey, &request) {
        Ok(fitted) => format!("{survey:?} {} {}", said(&fitted), fitted.streamed),
        Err(wrong) => format!("{survey:?} refused: {wrong}"),
    }
}

/// A model as JSON, with some of its entries put into it.
pub fn model(asked: &Asked) -> String {
    let (data, request) = (dataset(asked), request(asked));
    let names = data.classes().map(<[String]>::to_vec);
    let fitted = linear::fit(data, &request).expect("a fit");
    let model = Model::of(&fitted, names, None).expect("a model");
    let mut model = serde_json::to_value(model).expect("plain fields");
    let fields = model.as_object_mut().expect("an object");
    if let Some(Value::Object(put)) = asked.get("put") {
        fields.extend(put.clone());
    }
    told(Model::from_json(&model.to_string()).map(|model| (model.coefficients, model.intercept)))
}

/// The risk of a data set or a built-in one.
pub fn posed(asked: &Asked) -> Result<kl::Posed, FitError> {
    match asked.get("builtin") {
        Some(_) => kl::Posed::builtin(asked.read("builtin"), asked.count("n"), asked.count("p")),
        None => {
            let (bound, knee) = (asked.number_or("bound", 1.0), asked.number_or("knee", 1.0));
            kl::Posed::data(&dataset(asked), asked.read("loss"), bound, knee)
        }
    }
}

pub fn kl(asked: &Asked) -> String {
    let posed = match posed(asked) {
        Ok(posed) => posed,
        Err(wrong) => return format!("refused: {wrong}"),
    };
    let request = set(kl::Request::new(asked.read("method"), budget(asked)), asked);
    let mut told = Vec::new();
    let fitted = kl::fit_watched(&posed, &request, &mut |taken, all| told.push((taken, all)));
    match fitted {
        Ok(found) => format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {} {:?}",
            found.coefficients,
            found.resolved,
            found.privacy,
            found.utility,
            found.not_private,
            varying(&found.warnings, &[]),
            found.risk,
            (told.len(), told.last())
        ),
        Err(wrong) => format!("refused: {wrong}"),
    }
}
