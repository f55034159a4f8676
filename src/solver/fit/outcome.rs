//! What a method gives, with its guarantee, and the errors of one that cannot.

use super::{FitError, Privacy, Progress, Request};
use crate::accounting::decor::Slope;
use crate::accounting::{self, Event};
use crate::units::{Delta, Epsilon};
use serde::Serialize;

/// What a method gives.
pub(super) struct Outcome {
    pub(super) coefficients: Vec<f64>,
    pub(super) privacy: Privacy,
    pub(super) lengths: (usize, usize),
}

/// How the users end.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Users {
    /// n.
    pub count: usize,
    /// |E|.
    pub edges: usize,
    /// Records of the user that has the fewest.
    pub fewest_records: usize,
    /// σ_cdp.
    pub sigma_cdp: f64,
    /// σ_cor.
    pub sigma_cor: f64,
    /// The slope of one step.
    pub slope: Slope,
    /// The users' own models; `coefficients` is their average. None with cdp noise, which protects the average only: there
    /// they are sums of the same messages in other orders, whose last digits tell one message from another.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<Vec<f64>>,
}

/// A bound on the excess risk, known before the data are.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Utility {
    /// The claim of the ledger.
    pub claim: &'static str,
    /// The bound.
    pub bound: f64,
    /// What w = 0 is sure to have; the bound is below it.
    pub trivial: f64,
    /// The fewest records for which the bound is below that, all else the same: for fewer it is void. Absent where it depends on
    /// more than their number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bites_at: Option<f64>,
    /// The probability with which the bound may fail; absent where it bounds an expectation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<f64>,
    /// What is bounded, in words.
    pub statement: String,
}

/// The guarantee of a transcript: what the accountant says of the noise that was used.
pub(super) fn account(
    request: &Request,
    event: Event,
    claim: &'static str,
    scales: Vec<f64>,
) -> Result<Privacy, FitError> {
    let method = accounting::Accountant::Auto;
    let report = accounting::account(&event, request.delta, method, request.neighbours, false)?;
    Ok(Privacy {
        epsilon_upper: report.epsilon_upper,
        delta: request.delta.get(),
        neighbours: request.neighbours,
        release: "transcript",
        claim,
        claims: report.claims,
        refuted: None,
        theorem: report.theorem,
        noise: "gaussian",
        scales,
        event,
        estimate: None,
        centre: None,
        bounds: None,
        tuning: None,
    })
}

/// The error for a choice that the request's method does not have.
pub(super) fn unsupported(request: &Request, choice: String) -> FitError {
    let method = request.method.name();
    FitError::Unsupported { method, choice }
}

/// What a solver tells its steps to, of which there are `all`. Of many steps not every one is passed on: telling would
/// take longer than the step.
pub(super) fn told(all: usize, progress: Progress<'_>) -> impl FnMut(u64) + Send {
    let all = all as u64;
    let every = all / 1000 + 1;
    move |taken| {
        if taken % every == 0 {
            progress(taken, all);
        }
    }
}

/// The error for a theorem that says nothing of the request.
pub(super) fn refused(request: &Request, reason: String) -> FitError {
    FitError::NoTheorem {
        method: request.method.name(),
        reason,
    }
}

/// What to say where the bound of a claim is not below what the start has, and how many records are the fewest for which it
/// is, all that is the `same` and the budget as they are; of a run on as many, how many passes it may take.
pub(super) fn too_few(
    method: &'static str,
    claim: &str,
    (start, same, (epsilon, delta)): (String, &str, (Epsilon, Delta)),
    (bites_at, passes): (Option<f64>, Option<f64>),
) -> FitError {
    let enough = match (bites_at, passes) {
        (None, _) => "no number of them up to 10^18 is enough".into(),
        (Some(n), None) => format!("{n} are the fewest for which it is"),
        (Some(n), Some(passes)) => format!(
            "{n} are the fewest for which it is, and a run on as many takes up to {passes:.3e} \
             passes over them"
        ),
    };
    // More records have a smaller δ by default.
    let reason = format!(
        "for so few records the bound of {claim} is not below the {start} has; at this {same} and \
         epsilon = {}, delta = {:e} (whose default falls with their number) {enough}",
        epsilon.get(),
        delta.get()
    );
    FitError::NoTheorem { method, reason }
}
