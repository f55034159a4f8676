//! `dp-assay audit`: one mechanism against one claim.

use super::{Format, Outcome};
use dp_assay::audit::budget::SUITE_ALPHA;
use dp_assay::audit::builtin::{self, Parameters};
use dp_assay::audit::external::{PYTHON_CLIENT, ServedInput, ServedProgram, doubt};
use dp_assay::audit::one_run::scores::{OneRun, Scores};
use dp_assay::audit::{Audit, AuditReport, Guarantee, Mechanism, Verdict};
use dp_assay::float::from_json;
use dp_assay::report::{Squeeze, audits_html, writable, write};
use dp_assay::units::{Neighbouring, at_least};
use std::error::Error;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// What `audit` takes beside the names of built-in mechanisms.
pub const FORMS: [&str; 4] = ["external", "one-run", "list", "client"];

/// Audit a mechanism against a claim; the exit code is 1 if the claim is false, 3 if too little would have been seen.
#[derive(clap::Args)]
#[command(after_help = super::EXIT_CODES)]
pub struct Args {
    /// A built-in mechanism, `external` for a program of yours, `one-run` for scores of canaries, `list` for
    /// what the built-in ones are, or `client` for the Python client of external programs.
    name: String,
    /// With `one-run`: lines `score,member`, a larger score for membership, member 0 or 1. A fair coin of its own must
    /// have put each canary in or left it out.
    file: Option<PathBuf>,
    /// With `one-run`: the scores of the same attack on a run that leaks, such as one without noise. Scores that show no ε
    /// do not pass without
    #[arg(long, value_name = "FILE")]
    control: Option<PathBuf>,
    /// The claim, e.g. `eps=1,delta=1e-5`; delta is 0 if not given.
    #[arg(long, value_parser = parse_claim)]
    claim: Option<Guarantee>,
    /// The ε that a pass must be able to see; by default 1.25 to 2 times the claim, by what that costs,
    /// and 0.1 at least.
    #[arg(long, value_name = "EPS")]
    must_see: Option<f64>,
    /// Pairs to bet on at most; by default what suits the mechanism.
    #[arg(long)]
    trials: Option<u64>,
    /// Probability, at most, that a true claim is called violated, or that the bound exceeds the true ε; of a pass it
    /// says nothing.
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
    /// With `external`: seconds allowed for one answer (60 unless given).
    #[arg(long)]
    timeout: Option<u64>,
    /// Also write the result as an HTML page.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Count the counterexample of this result (of `--format json`) again instead: with the seed that found it the
    /// counts are the same, with another they are new evidence.
    #[arg(long, value_name = "FILE")]
    recount: Option<PathBuf>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Outcome {
    if let Some(file) = args.file.as_ref().filter(|_| args.name != "one-run") {
        return Err(format!(
            "{} goes with `one-run`, not with `{}`",
            file.display(),
            args.name
        )
        .into());
    }
    refuse_idle(args)?;
    args.report.as_deref().map_or(Ok(()), writable)?;
    match args.name.as_str() {
        "list" if args.format == Format::Json => {
            let named = |mechanism| super::named("dp-assay/audit-list/1", mechanism);
            let list: Vec<_> = builtin::list().into_iter().map(named).collect();
            super::print(&(serde_json::to_string_pretty(&list)? + "\n"));
        }
        "list" => {
            let all = builtin::list();
            super::show(&all.iter().map(builtin::Listed::text).collect::<String>());
        }
        "client" => super::print(PYTHON_CLIENT),
        "external" => return audit_program(args),
        "one-run" => return audit_scores(args),
        _ => return audit_builtin(args),
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses flags that would change nothing: who gives one means another audit.
fn refuse_idle(args: &Args) -> Result<(), String> {
    let name = &args.name;
    super::refuse_idle(&flags(name, args.recount.is_some()))
        .map_err(|e| format!("{e}, not with `{name}`"))
}

/// The flags that do not go with everything that can be audited: whether they do with `name`, or when a counterexample of
/// it is counted `again`, and what they go with.
pub fn flags(name: &str, again: bool) -> [(&'static str, bool, &'static str); 18] {
    let external = ("`external`", name == "external");
    let all = ("audits", !matches!(name, "list" | "client"));
    let mechanisms = ("audits of mechanisms", all.1 && name != "one-run");
    let builtin = ("built-in mechanisms", mechanisms.1 && !external.1);
    let first = |(with, used)| match again {
        true => ("audits that are not counted again", false),
        false => (with, used),
    };
    let scores = ("`one-run`", name == "one-run");
    let printed = ("results", name != "client");
    let flags = [
        ("--command", external),
        ("--neighbours", external),
        ("--input0", external),
        ("--input1", external),
        ("--timeout", external),
        ("--scale", builtin),
        ("--sigma", builtin),
        ("--set", builtin),
        ("--trials", mechanisms),
        ("--bits", mechanisms),
        ("--report", first(mechanisms)),
        ("--recount", mechanisms),
        ("--control", scores),
        ("--claim", all),
        ("--must-see", first(all)),
        ("--alpha", all),
        ("--seed", all),
        ("--format", printed),
    ];
    flags.map(|(flag, (with, used))| (flag, used, with))
}

/// The scores in a file.
fn scores(file: &Path) -> Result<Scores, String> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let text = super::read_text(file).map_err(|e| at(&e))?;
    Scores::parse(&text).map_err(|e| at(&e))
}

/// Runs `audit one-run` on a file of scores.
fn audit_scores(args: &Args) -> Outcome {
    let needs = || "`audit one-run` needs a file of lines score,member".to_owned();
    let file = args.file.as_ref().ok_or_else(needs)?;
    let control = args.control.as_deref().map(scores).transpose()?;
    let scores = scores(file)?;
    let audit = OneRun {
        claim: args.claim,
        alpha: args.alpha,
        seed: args.seed,
        must_see: args.must_see,
        ..OneRun::default()
    };
    let report = match control {
        Some(control) => audit.run_beside(&scores, &control),
        None => audit.run(&scores),
    }?;
    match args.format {
        Format::Text => super::show(&report.text()),
        Format::Json => super::print(&(serde_json::to_string_pretty(&report)? + "\n")),
    }
    Ok(match report.verdict {
        Some(verdict) => super::exit_code([verdict].into_iter()),
        None => ExitCode::SUCCESS,
    })
}

fn audit_builtin(args: &Args) -> Outcome {
    let own = [("scale", args.scale), ("sigma", args.sigma)];
    let given = own
        .iter()
        .filter_map(|(key, value)| Some(((*key).to_owned(), (*value)?)));
    let mut parameters = Parameters::new();
    for (key, value) in given.chain(args.settings.iter().cloned()) {
        if let Some(before) = parameters.insert(key.clone(), value) {
            return Err(format!("`{key}` is given twice, as {before} and {value}").into());
        }
    }
    let specimen = builtin::find(&args.name, &parameters)?;
    let claim = claim(args)?;
    let audit = specimen.audit_claim(claim.epsilon.get(), claim.delta.get());
    let known = specimen.delta == claim.delta.get() && specimen.epsilon_upper.is_finite();
    let carried = builtin::claims(specimen.name).first().filter(|_| known);
    finish(args, audit, carried.map(|id| (specimen.epsilon_upper, *id)))
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
    if let Some(doubt) = doubt(relation, texts.each_ref().map(String::as_str)) {
        super::warn(&doubt);
    }
    let limit = Duration::from_secs(args.timeout.unwrap_or(60));
    let [first, second] = [0, 1].map(|index: u8| ServedInput {
        index,
        name: files[usize::from(index)].display().to_string(),
    });
    let claim = claim(args)?;
    let program = ServedProgram::new(command, texts, limit);
    let [name0, name1] = files.map(|file| file.display());
    program
        .check_inputs()
        .map_err(|e| format!("{name0} and {name1}: {e}"))?;
    let audit = Audit::of(program)
        .claim(claim.epsilon.get(), claim.delta.get())
        .neighbours(relation, first, second);
    finish(args, audit, None)
}

fn claim(args: &Args) -> Result<Guarantee, String> {
    let missing = || "say what is claimed, e.g. --claim eps=1,delta=1e-5".to_owned();
    args.claim.ok_or_else(missing)
}

fn read(path: &Path) -> Result<String, Box<dyn Error>> {
    let named = |e| format!("cannot read {}: {e}", path.display());
    std::fs::read_to_string(path).map_err(|e| named(e).into())
}

/// Runs the audit; `upper` is an upper bound on the ε at the claimed δ, with the claim that it rests on.
fn finish<M>(args: &Args, audit: Audit<M>, upper: Option<(f64, &'static str)>) -> Outcome
where
    M: Mechanism,
    M::Input: Debug,
{
    let audit = audit.alpha(args.alpha).seed(args.seed);
    let audit = match args.trials {
        Some(trials) => audit.trials(trials),
        None => audit,
    };
    let audit = match args.must_see {
        Some(epsilon) => audit.must_see(epsilon),
        None => audit,
    };
    let audit = if args.bits { audit.bits() } else { audit };
    if let Some(file) = &args.recount {
        return recount(args, audit, file);
    }
    let bar = super::waiting("auditing");
    let shown = bar.clone();
    let audit = audit.watch(move |pairs, all| super::counted(&shown, pairs, all));
    let report = audit.run()?;
    bar.finish_and_clear();
    if let Some(file) = &args.report {
        let audits = [Squeeze::new(&report.mechanism, &report, upper)];
        write(file, audits_html("dp-assay audit", &audits).as_bytes())?;
    }
    match args.format {
        Format::Text => super::show(&text(&report)),
        Format::Json => super::print(&(serde_json::to_string_pretty(&report)? + "\n")),
    }
    Ok(super::exit_code([report.verdict].into_iter()))
}

/// The result for people, with how to count a counterexample again.
fn text(report: &AuditReport) -> String {
    let text = report.text();
    if report.counterexample.is_none() {
        return text;
    }
    let again =
        "  count it again: the same command with --format json > FILE, then with --recount FILE";
    let more = match report.counts_refute() {
        true => "",
        false => " and more pairs (--trials): as many as here are too few to refute the claim",
    };
    format!("{text}{again}{more}\n")
}

/// Counts a counterexample again: 1 if it refutes its claim once more, 3 if not.
fn recount<M>(args: &Args, audit: Audit<M>, file: &Path) -> Outcome
where
    M: Mechanism,
    M::Input: Debug,
{
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let report: AuditReport = from_json(read(file)?.as_bytes()).map_err(|e| at(&e))?;
    let found = report
        .counterexample
        .ok_or_else(|| at(&"holds no counterexample"))?;
    let name = audit.mechanism().name();
    if name != report.mechanism {
        let of = &report.mechanism;
        return Err(at(&format_args!(
            "its counterexample is one of {of}, and this is {name}"
        ))
        .into());
    }
    let trials = args.trials.unwrap_or(found.counts.samples);
    let again = audit.trials(trials).recount(&found)?;
    let verdict = match again.epsilon_lower > claim(args)?.epsilon.get() {
        true => Verdict::Violation,
        false => Verdict::Inconclusive,
    };
    match args.format {
        Format::Text => super::show(&format!(
            "{}: {verdict}\n{}  ε ≥ {} except with probability {:.1e}, seed {}\n{}",
            report.mechanism,
            again.text(),
            at_least(again.epsilon_lower, 4),
            args.alpha,
            args.seed,
            match verdict {
                Verdict::Violation => "",
                _ => "  why: these counts alone do not refute the claim; draw more (--trials)\n",
            }
        )),
        Format::Json => super::print(&(serde_json::to_string_pretty(&again)? + "\n")),
    }
    Ok(super::exit_code([verdict].into_iter()))
}

/// `eps=…,delta=…`, in either order; `epsilon` is `eps` written out.
fn parse_claim(text: &str) -> Result<Guarantee, String> {
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
    Guarantee::new(epsilon, delta.unwrap_or(0.0)).map_err(|e| e.to_string())
}

fn parse_setting(text: &str) -> Result<(String, f64), String> {
    let (key, value) = text
        .split_once('=')
        .ok_or_else(|| format!("`{text}` is not of the form key=value"))?;
    Ok((key.trim().to_owned(), super::numbers::real(value)?))
}
