//! `account --tradeoff`: the trade-off curve of an event as a table and as a picture.

use super::mechanism::{Mechanism, MethodName, SamplingName};
use crate::cli::{self, Outcome};
use dp_assay::accounting::float::normal_tail;
use dp_assay::accounting::tradeoff::TradeOff;
use dp_assay::accounting::{Claims, Event};
use dp_assay::report::lines::{Chart, Series, svg};
use dp_assay::report::{writable, write};
use dp_assay::units::{Neighbouring, at_least, at_most};
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;
use std::process::ExitCode;

/// False positive rates of the table.
const RATES: [f64; 13] = [
    1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9,
];
/// Points of a drawn curve.
const DRAWN: u32 = 60;

/// The result of `account --tradeoff`.
#[derive(Serialize, JsonSchema)]
pub struct Traded {
    /// How batches were drawn, of `subsampled-gaussian`.
    #[serde(skip_serializing_if = "Option::is_none")]
    sampling: Option<SamplingName>,
    /// The relation, as asked.
    #[schemars(with = "String")]
    neighbours: Neighbouring,
    /// The least δ that was asked about.
    delta: f64,
    /// The least μ for which the curve lies above that of N(0, 1) against N(μ, 1) when that is moved by `delta` to the left and down; null
    /// if there is none below 38.
    mu_upper: Option<f64>,
    /// By how much, moved likewise, the curve of `mu_upper` says less than this one.
    regret_upper: Option<f64>,
    /// The curve, its own inverse.
    curve: Vec<Point>,
    /// Ids of the ledger's claims that it rests on.
    claims: Claims,
    /// What was accounted for, every sensitivity spelled out (`spec/formats/event.md`).
    event: Event,
}

/// One point of a curve: what no test of one neighbour against the other, and no attack on a record, does better.
#[derive(Serialize, JsonSchema)]
struct Point {
    /// Probability that those who are not there are accused, at most.
    false_positive_rate: f64,
    /// Probability that who is there is missed, at least: f at the false positive rate.
    false_negative_lower: f64,
    /// Probability that who is there is found, at most: the attack's success.
    true_positive_upper: f64,
}

/// Runs `account --tradeoff`.
pub(super) fn run(m: &Mechanism, picture: Option<&Path>) -> Outcome {
    if m.method != MethodName::Auto {
        return Err(
            "--tradeoff takes the tightest accountant for each of its lines: --method does \
                    not go with it"
                .into(),
        );
    }
    picture.map_or(Ok(()), writable)?;
    let event = m.event(m.sigma, m.q, m.steps)?;
    let delta = m.delta()?.get();
    let bar = cli::waiting("accounting");
    let curve = TradeOff::of(&event, m.neighbours, delta)?;
    bar.finish_and_clear();
    let mu = Some(curve.mu_upper()).filter(|mu| mu.is_finite());
    let point = |rate: f64| Point {
        false_positive_rate: rate,
        false_negative_lower: curve.failure_lower(rate),
        true_positive_upper: curve.success_upper(rate),
    };
    let result = Traded {
        sampling: m.named_sampling(),
        neighbours: m.neighbours,
        delta,
        mu_upper: mu,
        regret_upper: mu.map(|mu| curve.regret_upper(mu)).transpose()?,
        curve: RATES.map(point).into(),
        claims: curve.claims().clone(),
        event,
    };
    if let Some(path) = picture {
        write(path, svg(&chart(&curve, mu, m.neighbours)).as_bytes())?;
    }
    match m.format {
        cli::Format::Json => {
            let result = cli::named("dp-assay/account-tradeoff/1", result);
            cli::print(&(serde_json::to_string_pretty(&result)? + "\n"));
        }
        cli::Format::Text => cli::show(&format!(
            "{}{}{}",
            m.echo(&result.event),
            m.sampling_text(),
            text(&result)
        )),
    }
    Ok(ExitCode::SUCCESS)
}

fn text(result: &Traded) -> String {
    let mut text = format!(
        "an attack on one record, {} neighbours\nfalse positives  missed at least  found at most\n",
        result.neighbours
    );
    for point in &result.curve {
        text += &format!(
            "{:<15}  {:<15}  {}\n",
            point.false_positive_rate,
            at_least(point.false_negative_lower, 6),
            at_most(point.true_positive_upper, 6)
        );
    }
    text += &match (result.mu_upper, result.regret_upper) {
        (Some(mu), Some(regret)) => format!(
            "mu-GDP with mu = {} up to {:e}, which says less than the table by at most {}\n",
            at_most(mu, 6),
            result.delta,
            at_most(regret, 6)
        ),
        _ => format!("no mu below 38 up to {:e}\n", result.delta),
    };
    text + &cli::claims_line(&result.claims)
}

/// The curve, that of its μ, and that of who knows nothing.
fn chart(curve: &TradeOff, mu: Option<f64>, neighbours: Neighbouring) -> Chart {
    // Evenly in normal quantiles; both ends make the axes linear.
    let inner = (1..DRAWN).map(|j| normal_tail(4.0 - 8.0 * f64::from(j) / f64::from(DRAWN)));
    let rates: Vec<f64> = [0.0].into_iter().chain(inner).chain([1.0]).collect();
    let drawn = |name: String, f: &dyn Fn(f64) -> f64| Series {
        name,
        published: false,
        points: rates.iter().map(|&x| (x, f(x), f(x), f(x))).collect(),
    };
    let mut series = vec![drawn("no test does better (lower bound)".into(), &|x| {
        curve.failure_lower(x)
    })];
    if let Some(mu) = mu {
        let name = format!("Gaussian noise with the same μ = {}", at_most(mu, 3));
        series.push(drawn(name, &|x| gaussian(mu, x)));
    }
    series.push(drawn("guessing".into(), &|x| 1.0 - x));
    Chart {
        title: format!(
            "Trade-off of the errors of any attack on one record, {neighbours} neighbours"
        ),
        x: "false positive rate".into(),
        y: "false negative rate".into(),
        series,
    }
}

/// Φ(Φ⁻¹(1 − x) − μ), for a picture; the library's searches are its own.
fn gaussian(mu: f64, x: f64) -> f64 {
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..60 {
        let z = 0.5 * (low + high);
        if normal_tail(z) > x {
            low = z;
        } else {
            high = z;
        }
    }
    normal_tail(mu - low)
}
