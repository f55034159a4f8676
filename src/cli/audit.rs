//! `dp-assay audit`: one mechanism against one claim.

use super::{Format, Outcome};
use dp_assay::audit::budget::SUITE_ALPHA;
use dp_assay::audit::builtin::{self, Parameters};
use dp_assay::audit::external::{PYTHON_CLIENT, Program, Side};
use dp_assay::audit::{Audit, AuditReport, Claim, Mechanism, Verdict};
use dp_assay::report::{Squeeze, audits_html, write};
use dp_assay::units::Neighbouring;
use std::error::Error;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Audit a mechanism against a claim; the exit code is 1 if the claim is false.
#[derive(clap::Args)]
pub struct Args {
    /// A built-in mechanism, `external` for a program of yours, `list` for the names of the
    /// built-in ones, or `client` for the Python client of external programs.
    name: String,
    /// The claim, e.g. `eps=1,delta=1e-5`; delta is 0 if not given.
    #[arg(long, value_parser = parse_claim)]
    claim: Option<Claim>,
    /// Pairs to bet on at most; by default what suits the mechanism.
    #[arg(long)]
    trials: Option<u64>,
    /// Probability that the verdict or the bound is wrong.
    #[arg(long, default_value_t = SUITE_ALPHA)]
    alpha: f64,
    /// Seed of all noise.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Also look at the bits of every number, where floating-point noise leaks.
    #[arg(long)]
    bits: bool,
    /// Scale of `laplace` (1 if not given).
    #[arg(long)]
    scale: Option<f64>,
    /// Standard deviation of `gaussian` (1 if not given).
    #[arg(long)]
    sigma: Option<f64>,
    /// Another parameter of the mechanism, e.g. `steps=100`; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, f64)>,
    /// With `external`: the command, split at white space.
    #[arg(long)]
    command: Option<String>,
    /// With `external`: the relation between the two inputs, which is your statement.
    #[arg(long)]
    neighbours: Option<Neighbouring>,
    /// With `external`: file with the first input.
    #[arg(long, value_name = "FILE")]
    input0: Option<PathBuf>,
    /// With `external`: file with its neighbour.
    #[arg(long, value_name = "FILE")]
    input1: Option<PathBuf>,
    /// With `external`: seconds allowed for one answer.
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// Also write the result as an HTML page.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Outcome {
    match args.name.as_str() {
        "list" if args.format == Format::Json => {
            super::print(&(serde_json::to_string_pretty(&builtin::names())? + "\n"));
        }
        "list" => super::print(&(builtin::names().join("\n") + "\n")),
        "client" => super::print(PYTHON_CLIENT),
        "external" => return audit_program(args),
        _ => return audit_builtin(args),
    }
    Ok(ExitCode::SUCCESS)
}

fn audit_builtin(args: &Args) -> Outcome {
    if args.command.is_some() {
        return Err(format!("--command goes with `external`, not with `{}`", args.name).into());
    }
    let own = [("scale", args.scale), ("sigma", args.sigma)];
    let given = own
        .iter()
        .filter_map(|(key, value)| Some(((*key).to_owned(), (*value)?)));
    let parameters: Parameters = given.chain(args.settings.iter().cloned()).collect();
    let specimen = builtin::find(&args.name, &parameters)?;
    let claim = claim(args)?;
    let audit = specimen.audit_claim(claim.epsilon.get(), claim.delta.get());
    let known = specimen.delta == claim.delta.get() && specimen.epsilon_upper.is_finite();
    finish(args, audit, known.then_some(specimen.epsilon_upper))
}

fn audit_program(args: &Args) -> Outcome {
    let needs = |flag: &str| format!("`audit external` needs {flag}");
    let program = || needs("the program, e.g. --command \"python3 mech.py\"");
    let given = |command: &&String| !command.trim().is_empty();
    let command = args.command.as_ref().filter(given).ok_or_else(program)?;
    let stated = || needs("your statement of the relation, e.g. --neighbours replace-one");
    let relation = args.neighbours.ok_or_else(stated)?;
    let file = |flag| {
        needs(&format!(
            "a file for each of two neighbouring inputs: {flag} FILE"
        ))
    };
    let files = [
        args.input0.as_ref().ok_or_else(|| file("--input0"))?,
        args.input1.as_ref().ok_or_else(|| file("--input1"))?,
    ];
    let texts = [read(files[0])?, read(files[1])?];
    let limit = Duration::from_secs(args.timeout);
    let [first, second] = [0, 1].map(|index: u8| Side {
        index,
        name: files[usize::from(index)].display().to_string(),
    });
    let claim = claim(args)?;
    let audit = Audit::of(Program::new(command, texts, limit))
        .claim(claim.epsilon.get(), claim.delta.get())
        .neighbours(relation, first, second);
    finish(args, audit, None)
}

fn claim(args: &Args) -> Result<Claim, String> {
    let missing = || "say what is claimed, e.g. --claim eps=1,delta=1e-5".to_owned();
    args.claim.ok_or_else(missing)
}

fn read(path: &Path) -> Result<String, Box<dyn Error>> {
    let named = |e| format!("cannot read {}: {e}", path.display());
    std::fs::read_to_string(path).map_err(|e| named(e).into())
}

/// Runs the audit; `upper` is a proved upper bound on the ε at the claimed δ.
fn finish<M>(args: &Args, audit: Audit<M>, upper: Option<f64>) -> Outcome
where
    M: Mechanism,
    M::Input: Debug,
{
    let audit = audit.alpha(args.alpha).seed(args.seed);
    let audit = match args.trials {
        Some(trials) => audit.trials(trials),
        None => audit,
    };
    let bar = super::waiting("auditing");
    let report = if args.bits { audit.bits() } else { audit }.run()?;
    bar.finish_and_clear();
    if let Some(file) = &args.report {
        let audits = [Squeeze::new(&report.mechanism, &report, upper)];
        write(file, audits_html("dp-assay audit", &audits).as_bytes())?;
    }
    match args.format {
        Format::Text => super::show(&text(&report)),
        Format::Json => super::print(&(serde_json::to_string_pretty(&report)? + "\n")),
    }
    Ok(match report.verdict {
        Verdict::Violation => ExitCode::from(1),
        Verdict::PassWithPower | Verdict::Inconclusive => ExitCode::SUCCESS,
    })
}

/// The result for people, one thing a line.
pub fn text(report: &AuditReport) -> String {
    let r = report;
    let mut out = format!(
        "{}: {}\n  claim: (ε, δ) = {}, {} neighbours, {} released\n  ε ≥ {:.4} except with \
         probability {:.1e}; {} samples, seed {}, {:.2} s\n",
        r.mechanism,
        r.verdict,
        r.claim,
        r.neighbours,
        r.release.name(),
        r.epsilon_lower,
        r.alpha,
        r.samples,
        r.seed,
        r.seconds
    );
    if let Some(power) = &r.power {
        out += &format!(
            "  would have been found with probability {:.2}: ε ≥ {:.4} on an event of probability {:.3}\n",
            power.probability, power.epsilon, power.event_mass
        );
    }
    if let Some(found) = &r.counterexample {
        let counts = found.counts;
        out += &format!(
            "  counterexample: {}\n    {} times of {} on {}\n    {} times of {2} on {}\n",
            found.event, counts.hits0, counts.samples, found.input0, counts.hits1, found.input1
        );
    }
    if r.verdict == Verdict::Inconclusive {
        out += "  not much would have been found: more --trials see more\n";
    }
    out
}

/// `eps=…,delta=…`, in either order; `epsilon` is `eps` written out.
fn parse_claim(text: &str) -> Result<Claim, String> {
    let (mut epsilon, mut delta) = (None, None);
    for part in text.split(',') {
        let (key, value) = parse_setting(part)?;
        let slot = match key.as_str() {
            "eps" | "epsilon" => &mut epsilon,
            "delta" => &mut delta,
            _ => return Err(format!("`{key}` is neither eps nor delta")),
        };
        if slot.replace(value).is_some() {
            return Err(format!("`{key}` is given twice"));
        }
    }
    let epsilon = epsilon.ok_or_else(|| format!("`{text}` gives no eps"))?;
    Claim::new(epsilon, delta.unwrap_or(0.0)).map_err(|e| e.to_string())
}

fn parse_setting(text: &str) -> Result<(String, f64), String> {
    let (key, value) = text
        .split_once('=')
        .ok_or_else(|| format!("`{text}` is not of the form key=value"))?;
    let number = value
        .trim()
        .parse()
        .map_err(|_| format!("`{value}` is not a number"))?;
    Ok((key.trim().to_owned(), number))
}
