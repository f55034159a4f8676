//! A fit as terminal text.

use super::decor;
use crate::cli::claims_line;
use dp_assay::solver::fit::{Comparison, Fitted, Method, Metrics, Origin, ScheduleName, Utility};
use dp_assay_spec::book::alone;
use dp_assay_spec::claim::{Effort, Verdict};
use std::fmt::{Error, Write};

/// What the ledger makes of a claim: the verdict, and the counterexample if there is one.
fn verdict(id: &str) -> String {
    let claims = dp_assay_spec::claims();
    let claim = claims.iter().find(|claim| claim.id == id);
    match claim.map(|claim| alone(claim, Effort::Replay)) {
        Some(Verdict::Refuted(found)) => format!("refuted: {}", found.counterexample),
        Some(other) => other.name().into(),
        None => "not in the ledger".into(),
    }
}

/// All that a person is told.
pub fn text(fitted: &Fitted) -> Result<String, Error> {
    let r = &fitted.request;
    let mut out = String::new();
    writeln!(
        out,
        "{} ({:?} loss) on {} records, {} features{}",
        r.method.name(),
        r.loss,
        fitted.records,
        fitted.features,
        fitted
            .seconds
            .map_or_else(String::new, |s| format!(", in {s:.3} s"))
    )?;
    guarantee(&mut out, fitted)?;
    let without = [Method::DpCd, Method::DpSgd, Method::Gd, Method::Adassp];
    let has_theorem = !without.contains(&r.method);
    out += &useful(fitted.utility.as_ref(), has_theorem);
    let (inner, outer) = fitted.lengths;
    let one_pass = matches!(r.method, Method::Ambssgd | Method::Ssgd);
    let (passes, clip) = match r.schedule {
        ScheduleName::Practical => (format!(", {} passes", r.passes), format!("clip {}", r.clip)),
        ScheduleName::Theorem if one_pass => (String::new(), "clipped as the theorem says".into()),
        ScheduleName::Theorem => (String::new(), "nothing is clipped".into()),
    };
    writeln!(out, "steps: {inner} in each of {outer} round(s){passes}")?;
    let within = match r.ranges {
        Some(_) => "features within their ranges".into(),
        None => format!("features in [-{}, {}]", r.bound, r.bound),
    };
    writeln!(
        out,
        "{clip}, {within}, seed {}, which tells the noise",
        r.seed
    )?;
    for reason in &fitted.defaults {
        writeln!(out, "taken: {reason}")?;
    }
    out += &warned("WARNING", &fitted.warnings);
    out += &warned("WARNING, for you alone", &fitted.confidential);
    if let Some(users) = &fitted.users {
        out += &decor::text(users, r.decentralised.as_ref());
    }
    out += &fitted
        .not_private
        .as_ref()
        .map_or_else(String::new, compared);
    out += &fitted.metrics.as_ref().map_or_else(String::new, measured);
    match &fitted.classes[..] {
        [] => writeln!(out, "coefficients:")?,
        classes => writeln!(out, "coefficients, {} against the rest:", classes[0])?,
    }
    weights(&mut out, fitted, &fitted.coefficients, fitted.intercept)?;
    for (class, other) in fitted.classes.iter().skip(1).zip(&fitted.others) {
        writeln!(out, "coefficients, {class} against the rest:")?;
        weights(&mut out, fitted, &other.coefficients, other.intercept)?;
    }
    Ok(out)
}

fn weights(
    out: &mut String,
    fitted: &Fitted,
    coefficients: &[f64],
    intercept: f64,
) -> Result<(), Error> {
    if fitted.request.intercept || intercept != 0.0 {
        writeln!(out, "  intercept {intercept}")?;
    }
    *out += &listed(fitted.names.as_deref(), coefficients);
    Ok(())
}

/// One coefficient a line, by its name or its number.
pub(super) fn listed(names: Option<&[String]>, coefficients: &[f64]) -> String {
    let name = |j: usize| names.map_or_else(|| j.to_string(), |names| names[j].clone());
    let lines = coefficients.iter().enumerate();
    lines.map(|(j, w)| format!("  {} {w}\n", name(j))).collect()
}

/// What a reader must not miss.
pub(super) fn warned(head: &str, warnings: &[String]) -> String {
    let lines = warnings.iter();
    lines.map(|text| format!("{head}: {text}\n")).collect()
}

/// What is claimed of the model's risk; without a claim, whether a theorem's run of the method has one.
pub(super) fn useful(utility: Option<&Utility>, has_theorem: bool) -> String {
    match utility {
        Some(u) => format!(
            "schedule: that of the theorem\nutility: {:e}, where the start has {} at most; {}{}; \
             claim: {}\n",
            u.bound,
            u.trivial,
            u.statement,
            u.bites_at.map_or_else(String::new, |n| format!(
                "; all else the same it is below that from {n} records on, and void for fewer"
            )),
            u.claim
        ),
        None if has_theorem => {
            "utility: no claim; --schedule theorem has one, or says why not\n".into()
        }
        None => "utility: no claim\n".into(),
    }
}

fn guarantee(out: &mut String, fitted: &Fitted) -> Result<(), Error> {
    let p = &fitted.privacy;
    writeln!(
        out,
        "epsilon at most {} at delta = {:e}, {} neighbours; covered: the {}",
        p.epsilon_upper, p.delta, p.neighbours, p.release
    )?;
    writeln!(out, "rests on: {}; claim: {}", p.theorem, p.claim)?;
    write!(out, "its account, {}", claims_line(&p.claims))?;
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
            "smoothness: released first, for epsilon {} at delta = {:e} of the total; noise {:e}, \
             below the truth with probability at most {}",
            e.epsilon_upper, e.delta, e.deviation, e.failure
        )?;
    }
    if let Some(b) = &p.bounds {
        writeln!(
            out,
            "ranges: released first, for {} of mu^2; about {:.0} records beyond either end, noise \
             {:e} on a count",
            b.share, b.beyond, b.deviation
        )?;
    }
    if let Some(t) = &p.tuning {
        writeln!(
            out,
            "tuned: the best of {} settings, travel times {} and clip times {}; it cost: epsilon \
             {:.4} for a run where {:.4} would have been left",
            t.candidates, t.travel, t.clip, t.epsilon_run, t.epsilon_without
        )?;
    }
    Ok(())
}

fn compared(c: &Comparison) -> String {
    format!(
        "NOT PRIVATE: objective {}, optimum {}, relative error {:.4}\n",
        c.objective, c.optimum, c.relative_error
    )
}

/// Standard errors beyond which a gain is called one: of a model without any, one in 40 is called better.
const ERRORS: f64 = 2.0;

/// Two lines: how good the model is, and whether it is better than nothing.
fn measured(m: &Metrics) -> String {
    let what = if m.model.accuracy.is_some() {
        "accuracy"
    } else {
        "R2"
    };
    let from = match m.on {
        Origin::Holdout => "held out",
        Origin::Test => "of the test file",
    };
    let optimum = m.optimum.map_or_else(String::new, |best| {
        format!(", without privacy {:.4}", best.value())
    });
    let difference = format!("{:+.4} (standard error {:.4})", m.gain, m.gain_error);
    let judged = if m.gain > ERRORS * m.gain_error {
        format!("better than nothing: {difference} over the constant")
    } else {
        format!(
            "NOT seen to be better than nothing: {difference} over the constant; shorter steps \
             (--step 0.5) where features move together, a larger --epsilon, more records or public \
             ranges (--bounds FILE) may help"
        )
    };
    format!(
        "NOT PRIVATE: {what} {:.4} on {} records {from}, of a constant {:.4}{optimum}\nNOT \
         PRIVATE: {judged}\n",
        m.model.value(),
        m.records,
        m.constant.value()
    )
}
