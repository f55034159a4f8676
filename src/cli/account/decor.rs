//! `dp-assay account decor` and `dp-assay calibrate decor`: noise that cancels between neighbours.

use super::mechanism::{Mechanism, SamplingName};
use crate::cli::{Format, Outcome, given};
use dp_assay::accounting::decor::privacy;
use dp_assay::accounting::decor::search::SlopeBudget;
use dp_assay::accounting::decor::{Adversary, Noise, Slope, optimized};
use dp_assay::accounting::event::share_upper;
use dp_assay::accounting::{AccountError, Claims, Event, Report, account};
use dp_assay::problem::Graph;
use dp_assay::units::{Delta, Epsilon, Neighbouring};
use schemars::JsonSchema;
use serde::Serialize;
use std::error::Error;
use std::fmt::Write;
use std::process::ExitCode;

/// What `decor` takes besides --steps and --delta.
#[derive(clap::Args)]
#[command(next_help_heading = "With `decor`")]
pub struct Args {
    /// Who exchanges models with whom: `ring:16`, `torus:4x4`, `complete:16`, `star:9`, `path:9`,
    /// `hypercube:4`, `erdos-renyi:N:P:SEED`, `regular:N:DEGREE:SEED`, or `file:PATH` with an edge
    /// list.
    #[arg(long)]
    graph: Option<String>,
    /// Standard deviation of each user's own noise.
    #[arg(long, allow_negative_numbers = true)]
    sigma_cdp: Option<f64>,
    /// Standard deviation of the noise that two neighbours share with opposite signs.
    #[arg(long, allow_negative_numbers = true)]
    sigma_cor: Option<f64>,
    /// Clipping threshold C of the gradients (default 1).
    #[arg(long, allow_negative_numbers = true)]
    clip: Option<f64>,
    /// `eavesdropper` (default), `curious`, `collude:Q` or `ldp`.
    #[arg(long)]
    adversary: Option<String>,
    /// Protect one example of a user, not the whole user: examples per step, out of --examples.
    #[arg(long, requires = "examples")]
    batch: Option<u64>,
    /// Examples of each user.
    #[arg(long, requires = "batch")]
    examples: Option<u64>,
    /// With `calibrate`: how many pairs of scales to list when neither is given; 11 unless given.
    #[arg(long, value_name = "N")]
    points: Option<usize>,
}

impl Args {
    fn is_empty(&self) -> bool {
        let texts = self.graph.is_some() || self.adversary.is_some();
        let numbers = [self.sigma_cdp, self.sigma_cor, self.clip];
        let counts = self.batch.is_some() || self.points.is_some();
        !texts && !counts && numbers.iter().all(Option::is_none)
    }

    /// Refuses these flags beside another mechanism.
    pub fn refuse(&self) -> Result<(), String> {
        match self.is_empty() {
            true => Ok(()),
            false => Err(
                "--graph, --sigma-cdp, --sigma-cor, --clip, --adversary, --batch and --points go \
                          with decor only"
                    .into(),
            ),
        }
    }
}

/// The question as understood: every default is spelled out.
#[derive(Serialize, JsonSchema)]
struct Setting {
    schema: u32,
    mechanism: &'static str,
    graph: String,
    users: usize,
    edges: usize,
    components: usize,
    adversary: String,
    steps: u64,
    delta: f64,
    #[schemars(with = "String")]
    neighbours: Neighbouring,
    release: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    examples: Option<u64>,
    /// How the batch is drawn from the examples, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    sampling: Option<SamplingName>,
}

/// A pair of scales and what it is worth.
#[derive(Serialize, JsonSchema)]
struct Answer {
    #[serde(flatten)]
    noise: Noise,
    #[serde(rename = "slope")]
    slope: Slope,
    epsilon_lower: f64,
    epsilon_upper: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    renyi_epsilon_upper: Option<f64>,
    theorem: String,
    claims: Claims,
}

#[derive(Serialize, JsonSchema)]
pub struct Accounted {
    #[serde(flatten)]
    setting: Setting,
    #[serde(flatten)]
    answer: Answer,
}

#[derive(Serialize, JsonSchema)]
pub struct Calibrated {
    #[serde(flatten)]
    setting: Setting,
    epsilon: f64,
    /// No sigma_cor allows a sigma_cdp below this.
    sigma_cdp_infimum: f64,
    pairs: Vec<Answer>,
}

/// Runs `account decor`.
pub fn run_account(m: &Mechanism, args: &Args) -> Outcome {
    let question = Question::new(m, args)?;
    let scale = |given: Option<f64>, flag: &str| given.ok_or(format!("decor needs {flag}"));
    let noise = Noise::new(
        scale(args.sigma_cdp, "--sigma-cdp")?,
        scale(args.sigma_cor, "--sigma-cor")?,
        question.clip,
    )?;
    let answer = question.answer(noise)?;
    let setting = question.setting();
    match m.format {
        Format::Json => {
            let result = Accounted { setting, answer };
            crate::cli::print(&(serde_json::to_string_pretty(&result)? + "\n"));
        }
        Format::Text => crate::cli::show(&format!("{}{}", setting.text(), answer.text())),
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs `calibrate decor`.
pub fn run_calibrate(m: &Mechanism, args: &Args, epsilon: f64) -> Outcome {
    let question = Question::new(m, args)?;
    if args.batch.is_some() {
        return Err(
            "calibrate decor finds noise for whole users: --batch goes with account".into(),
        );
    }
    let budget = SlopeBudget::new(
        Epsilon::new(epsilon)?,
        question.delta,
        m.steps,
        question.clip,
        question.adversary,
    )?;
    let neither = args.sigma_cdp.is_none() && args.sigma_cor.is_none();
    crate::cli::refuse_idle(&[(
        "--points",
        neither,
        "a search for both scales, not with one that is given",
    )])?;
    let graph = &question.graph;
    let found = match (args.sigma_cdp, args.sigma_cor) {
        (Some(_), Some(_)) => {
            return Err(
                "calibrate decor finds one scale for the other: give one of --sigma-cdp and \
                        --sigma-cor, or neither"
                    .into(),
            );
        }
        (Some(cdp), None) => vec![budget.correlated(graph, cdp)?],
        (None, Some(cor)) => vec![budget.uncorrelated(graph, cor)?],
        (None, None) => budget.frontier(graph, args.points.unwrap_or(11))?,
    };
    let pairs = found
        .into_iter()
        .map(|noise| question.answer(noise))
        .collect::<Result<Vec<_>, _>>()?;
    let setting = question.setting();
    let sigma_cdp_infimum = budget.infimum(graph)?;
    match m.format {
        Format::Json => {
            let result = Calibrated {
                setting,
                epsilon,
                sigma_cdp_infimum,
                pairs,
            };
            crate::cli::print(&(serde_json::to_string_pretty(&result)? + "\n"));
        }
        Format::Text => {
            let texts = pairs.iter().map(Answer::text);
            let all = texts.fold(setting.text(), |text, pair| text + &pair);
            let end = format!(
                "no sigma_cor allows sigma_cdp below {sigma_cdp_infimum}
"
            );
            crate::cli::show(&(all + &end));
        }
    }
    Ok(ExitCode::SUCCESS)
}

struct Question<'a> {
    description: &'a str,
    graph: Graph,
    adversary: Adversary,
    clip: f64,
    delta: Delta,
    mechanism: &'a Mechanism,
    batches: Option<(u64, u64)>,
}

impl<'a> Question<'a> {
    fn new(m: &'a Mechanism, args: &'a Args) -> Result<Self, Box<dyn Error>> {
        if m.sigma.is_some() || m.q.is_some() || m.file.is_some() {
            return Err(
                "decor takes --sigma-cdp and --sigma-cor, not --sigma, --q or a FILE".into(),
            );
        }
        if m.oracle {
            return Err("--oracle takes events: the slope of decor is enclosed as it is".into());
        }
        if m.steps == 0 {
            return Err("steps = 0 must be at least 1".into());
        }
        let description = args.graph.as_deref().ok_or("decor needs --graph")?;
        let batches = args.batch.zip(args.examples);
        if let Some((batch, examples)) = batches
            && !(1..=examples).contains(&batch)
        {
            return Err(format!("a batch of {batch} out of {examples} examples").into());
        }
        if batches.is_none() && given("--sampling") {
            return Err("decor protects whole users here: --sampling goes with --batch".into());
        }
        if m.records.is_some() {
            return Err("decor counts a user's --examples, not --records".into());
        }
        m.refuse_unused()?;
        if batches.is_none() && given("--method") {
            return Err("decor is accounted for exactly: --method goes with --batch".into());
        }
        let question = Self {
            description,
            graph: description.parse()?,
            adversary: args
                .adversary
                .as_deref()
                .unwrap_or("eavesdropper")
                .parse()?,
            clip: args.clip.unwrap_or(1.0),
            delta: m.delta()?,
            mechanism: m,
            batches,
        };
        // Not given, it stands for the relation of the level that is protected.
        let (stated, known) = (m.neighbours, question.neighbours());
        if given("--neighbours") && stated != known {
            return Err(format!("decor protects {known} neighbours here, not {stated}").into());
        }
        Ok(question)
    }

    fn neighbours(&self) -> Neighbouring {
        match self.batches {
            Some(_) => Neighbouring::ReplaceOne,
            None => Neighbouring::User,
        }
    }

    fn setting(&self) -> Setting {
        Setting {
            schema: 1,
            mechanism: "decor",
            graph: self.description.to_owned(),
            users: self.graph.n(),
            edges: self.graph.edge_count(),
            components: self.graph.component_sizes().len(),
            adversary: self.adversary.to_string(),
            steps: self.mechanism.steps,
            delta: self.delta.get(),
            neighbours: self.neighbours(),
            release: "transcript",
            batch: self.batches.map(|b| b.0),
            examples: self.batches.map(|b| b.1),
            sampling: self.batches.map(|_| self.mechanism.sampling),
        }
    }

    fn answer(&self, noise: Noise) -> Result<Answer, Box<dyn Error>> {
        let slope = optimized::slope(&self.graph, &noise, self.adversary)?;
        let steps = self.mechanism.steps;
        if let Some((batch, examples)) = self.batches {
            let report = self.sampled(&slope, batch, examples)?;
            return Ok(Answer {
                noise,
                slope,
                epsilon_lower: report.epsilon_lower,
                epsilon_upper: report.epsilon_upper,
                renyi_epsilon_upper: None,
                theorem: format!("decor-alg-D1e-repaired; {}", report.theorem),
                claims: report.claims.and("decor-alg-D1e-repaired"),
            });
        }
        let epsilon = privacy::epsilon(&slope, steps, self.delta)?;
        Ok(Answer {
            noise,
            slope,
            epsilon_lower: epsilon.lo,
            epsilon_upper: epsilon.hi,
            renyi_epsilon_upper: Some(privacy::renyi_epsilon_upper(&slope, steps, self.delta)?),
            theorem: "decor-thm-6-num, decor-drv-2: T steps are a Gaussian mechanism".to_owned(),
            claims: Claims::from("decor-thm-6-num")
                .and("decor-drv-2")
                .and("acc-gaussian")
                .and("acc-composed"),
        })
    }

    fn sampled(&self, slope: &Slope, batch: u64, examples: u64) -> Result<Report, Box<dyn Error>> {
        let drawn = |step, rate| {
            let m = self.mechanism;
            m.drawn(m.sampling, step, (rate, m.steps), Some(examples))
        };
        let rate = share_upper(batch, examples);
        let most = drawn(privacy::example_step(slope, batch), rate)?;
        let report = self.account(&most)?;
        let step = privacy::least_example_step(slope, batch);
        // Schemes that know the rate alone round what follows from it up, by less than this.
        let rate = match batch == examples {
            true => 1.0,
            false => rate * (1.0 - 16.0 * f64::EPSILON),
        };
        let least = self.account(&drawn(step, rate)?)?;
        let claims = report.claims.clone().with(&least.claims);
        let lower = (least.epsilon_lower, "the slope's lower end");
        AccountError::in_order(lower, (report.epsilon_upper, report.method.name()))?;
        Ok(Report {
            epsilon_lower: least.epsilon_lower,
            by_attack: least.by_attack,
            claims,
            ..report
        })
    }

    fn account(&self, event: &Event) -> Result<Report, Box<dyn Error>> {
        let (method, neighbours) = (self.mechanism.method.into(), Neighbouring::ReplaceOne);
        let report = account(event, self.delta, method, neighbours, false)?;
        super::from_below(report, event, self.delta, neighbours)
    }
}

impl Setting {
    fn text(&self) -> String {
        let Self {
            graph,
            users,
            edges,
            components,
            adversary,
            steps,
            delta,
            neighbours,
            ..
        } = self;
        let batch = match (self.batch, self.examples, self.sampling) {
            (Some(b), Some(m), Some(SamplingName::Poisson)) => {
                format!("Poisson sampling: each of {m} examples with probability {b}/{m}\n")
            }
            (Some(b), Some(m), Some(SamplingName::FixedSize)) => {
                format!("fixed-size sampling: {b} of {m} examples without replacement\n")
            }
            (Some(b), Some(m), Some(sampling)) => {
                format!(
                    "{} sampling: {b} of {m} examples a step, on average\n",
                    sampling.name()
                )
            }
            _ => String::new(),
        };
        format!(
            "{graph}: {users} users, {edges} edges, {components} component(s)\nadversary \
             {adversary}, {steps} steps, delta = {delta}, {neighbours} neighbours, the transcript \
             is released\n{batch}"
        )
    }
}

impl Answer {
    fn text(&self) -> String {
        let (noise, slope) = (&self.noise, &self.slope);
        let mut text = format!(
            "sigma_cdp = {}, sigma_cor = {}, clip = {}\n  slope in [{}, {}] per step \
             ({})\n  {}",
            noise.cdp(),
            noise.cor(),
            noise.clip(),
            slope.lower,
            slope.upper,
            slope.basis,
            super::between(self.epsilon_lower, self.epsilon_upper),
        );
        if let Some(renyi) = self.renyi_epsilon_upper {
            write!(text, "; by Rényi composition at most {renyi}")
                .expect("a String takes everything");
        }
        text + "\n  "
            + &crate::cli::claims_line(&self.claims)
                .trim_end()
                .replace('\n', "\n  ")
            + "\n"
    }
}
