//! `dp-assay serve`: answers another program, request by request (`spec/formats/serve.md`).

use super::Outcome;
use dp_assay::accounting::calibrate::Target;
use dp_assay::accounting::free::Template;
use dp_assay::accounting::{Accountant, Event, Report, account};
use dp_assay::audit::external::wire::Form;
use dp_assay::audit::external::{Hosted, HostedSide};
use dp_assay::audit::{Audit, AuditReport};
use dp_assay::float::from_json;
use dp_assay::units::{Delta, Epsilon, Neighbouring};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::io::{self, BufRead, BufReader, Write};
use std::process::ExitCode;

/// Answers requests until standard input ends.
pub fn run() -> Outcome {
    let mut requests = BufReader::with_capacity(1 << 20, io::stdin());
    let mut answers = io::stdout();
    let mut line = String::new();
    while requests.read_line(&mut line)? > 0 {
        let answer = match from_json::<Request>(line.as_bytes()) {
            Ok(request) => Answer {
                id: request.id,
                answered: answer(request.question, &mut requests).into(),
            },
            Err(error) => Answer {
                id: id_of(&line),
                answered: Answered::Error(format!("not a request: {error}")),
            },
        };
        serde_json::to_writer(&mut answers, &answer)?;
        answers.write_all(b"\n")?;
        answers.flush()?;
        line.clear();
    }
    Ok(ExitCode::SUCCESS)
}

/// The number of a request that is wrong otherwise.
fn id_of(line: &str) -> u64 {
    let request = serde_json::from_str::<serde_json::Value>(line);
    request
        .ok()
        .and_then(|r| r.get("id")?.as_u64())
        .unwrap_or(0)
}

#[derive(Deserialize)]
struct Request {
    id: u64,
    #[serde(flatten)]
    question: Question,
}

#[derive(Deserialize)]
#[serde(tag = "method", rename_all = "kebab-case")]
enum Question {
    /// ε of an event at each δ.
    Account(AccountQuestion),
    /// The free number of a tree.
    Calibrate(CalibrateQuestion),
    /// One mechanism of the host's against one claim.
    Audit(Box<AuditQuestion>),
    /// Which program this is.
    Version,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AccountQuestion {
    event: Event,
    deltas: Vec<f64>,
    #[serde(default = "add_remove")]
    neighbours: Neighbouring,
    #[serde(default = "auto")]
    accountant: Accountant,
    #[serde(default)]
    certified: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CalibrateQuestion {
    event: serde_json::Value,
    epsilon: f64,
    delta: f64,
    #[serde(default = "add_remove")]
    neighbours: Neighbouring,
    #[serde(default = "auto")]
    accountant: Accountant,
}

/// The value at the end of its safe range, the tree with it, and the report that vouches for it.
#[derive(Serialize)]
struct Calibrated {
    value: serde_json::Value,
    free: String,
    event: Event,
    report: Report,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AuditQuestion {
    name: String,
    epsilon: f64,
    delta: f64,
    neighbours: Neighbouring,
    /// What the report calls the inputs of each pair.
    pairs: Vec<[String; 2]>,
    form: Form,
    trials: Option<u64>,
    alpha: Option<f64>,
    #[serde(default)]
    seed: u64,
    must_see: Option<f64>,
    #[serde(default)]
    bits: bool,
}

const fn add_remove() -> Neighbouring {
    Neighbouring::AddRemove
}

const fn auto() -> Accountant {
    Accountant::Auto
}

#[derive(Serialize)]
struct Answer {
    id: u64,
    #[serde(flatten)]
    answered: Answered,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Answered {
    Result(serde_json::Value),
    Error(String),
}

impl From<Result<serde_json::Value, Box<dyn Error>>> for Answered {
    fn from(result: Result<serde_json::Value, Box<dyn Error>>) -> Self {
        result.map_or_else(|error| Self::Error(error.to_string()), Self::Result)
    }
}

fn answer(
    question: Question,
    host: &mut (impl BufRead + Send),
) -> Result<serde_json::Value, Box<dyn Error>> {
    Ok(match question {
        Question::Account(question) => serde_json::to_value(accounted(&question)?)?,
        Question::Calibrate(question) => serde_json::to_value(calibrated(&question)?)?,
        Question::Audit(question) => {
            let report = audited(*question, host)?;
            serde_json::json!({"text": report.text(), "report": report})
        }
        Question::Version => env!("CARGO_PKG_VERSION").into(),
    })
}

/// The reports at all δ; of a δ at which no ε is finite, nothing.
fn accounted(question: &AccountQuestion) -> Result<Vec<Option<Report>>, Box<dyn Error>> {
    let AccountQuestion {
        event,
        neighbours,
        accountant,
        certified,
        ..
    } = question;
    let at = |delta: &f64| -> Result<Option<Report>, Box<dyn Error>> {
        match account(
            event,
            Delta::new(*delta)?,
            *accountant,
            *neighbours,
            *certified,
        ) {
            Ok(report) => Ok(Some(report)),
            // One question has one answer, and a refusal is one.
            Err(_) if question.deltas.len() > 1 => Ok(None),
            Err(error) => Err(error.into()),
        }
    };
    question.deltas.iter().map(at).collect()
}

fn calibrated(question: &CalibrateQuestion) -> Result<Calibrated, Box<dyn Error>> {
    let template = Template::from_json(&question.event.to_string())?;
    let found = template.solve(&Target {
        epsilon: Epsilon::new(question.epsilon)?,
        delta: Delta::new(question.delta)?,
        method: question.accountant,
        neighbours: question.neighbours,
    })?;
    Ok(Calibrated {
        value: template.written(found.value),
        free: template.pointer().to_owned(),
        event: template.at(found.value)?,
        report: found.report,
    })
}

fn audited(
    question: AuditQuestion,
    host: &mut (impl BufRead + Send),
) -> Result<AuditReport, Box<dyn Error>> {
    let form = question.form.checked()?;
    let side = |pair: usize, index: u8, name: String| HostedSide { pair, index, name };
    let pairs = question.pairs.into_iter().enumerate();
    let pairs = pairs.map(|(pair, [first, second])| (side(pair, 0, first), side(pair, 1, second)));
    let mechanism = Hosted::new(question.name, form, host, io::stdout());
    let mut audit = Audit::of(mechanism)
        .claim(question.epsilon, question.delta)
        .worst_of(question.neighbours, pairs.collect())
        .seed(question.seed);
    if let Some(trials) = question.trials {
        audit = audit.trials(trials);
    }
    if let Some(alpha) = question.alpha {
        audit = audit.alpha(alpha);
    }
    if let Some(epsilon) = question.must_see {
        audit = audit.must_see(epsilon);
    }
    Ok(if question.bits { audit.bits() } else { audit }.run()?)
}
