//! `dp-assay check`: the main job, from data to report.

mod audits;
mod data;
mod fits;
mod papers;
mod profiles;
mod solvers;

use super::{Format, Outcome};
use dp_assay::ledger::{self, Effort, Ledger};
use dp_assay::report::{Report, SCHEMA, Squeeze};
use dp_assay::units::Neighbouring;
use dp_assay_spec::book::BookError;
use dp_assay_spec::findings::Severity;
use dp_assay_spec::prove::regenerate_all;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// Verify the claims, compare and audit the solvers on data, and write a report.
#[derive(clap::Args)]
pub struct Args {
    /// Two-class data, svmlight or CSV, possibly gzipped; the shipped breast-cancer data without it.
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// The CSV column with the label, by name or by number from 0; the last one without it.
    #[arg(long, value_name = "COLUMN", requires = "data")]
    label: Option<String>,
    /// End within a minute.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Search every proof again, byte for byte, and audit at length.
    #[arg(long)]
    full: bool,
    /// Folder of report.json and report.html.
    #[arg(long, value_name = "DIR", default_value = "target/dp-assay")]
    out: PathBuf,
    /// Print the verdict on every claim, too.
    #[arg(long)]
    claims: bool,
    /// The seed of all noise.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How to print; `json` prints report.json instead of tables.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// How much is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    Quick,
    Standard,
    Full,
}

impl Depth {
    const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Standard => "standard",
            Self::Full => "full",
        }
    }

    /// Pairs in one audit.
    const fn pairs(self) -> u64 {
        match self {
            Self::Quick => 100_000,
            Self::Standard => 400_000,
            Self::Full => 4_000_000,
        }
    }

    fn skipped(self) -> Vec<String> {
        match self {
            Self::Quick => vec![
                "audits with more than 100,000 pairs (use --full for 4,000,000)".into(),
                "the search for proofs: stored certificates were re-checked instead (--full)"
                    .into(),
            ],
            Self::Standard => vec![
                "audits with more than 400,000 pairs (use --full for 4,000,000)".into(),
                "the search for proofs: stored certificates were re-checked instead (--full)"
                    .into(),
            ],
            Self::Full => Vec::new(),
        }
    }
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Outcome {
    super::refuse_idle(&[(
        "--claims",
        args.format == Format::Text,
        "--format text: json has every verdict",
    )])?;
    let depth = match (args.quick, args.full) {
        (true, _) => Depth::Quick,
        (_, true) => Depth::Full,
        _ => Depth::Standard,
    };
    let (problem, data) = data::load(args.data.as_deref(), args.label.as_deref())?;
    dp_assay::report::writable_folder(&args.out)?;
    let tell = |text: &str| match args.format {
        Format::Text => super::remark(text),
        Format::Json => (),
    };
    tell(&format!(
        "data: {}, {} records, {} features\nneighbours: replace-one; released: transcript; seed \
         {}\n",
        data.name, data.records, data.features, args.seed
    ));
    let claims = claims(depth)?;
    if args.claims && args.format == Format::Text {
        super::show_lines(&ledger::text(&claims.claims, super::columns()));
    }
    let seed = args.seed;
    let (own, others) = rayon::join(
        || worded(solvers::compare(&problem, seed)),
        || worded(papers::compare(&problem, seed)),
    );
    let comparisons = [own?, others?].concat();
    tell(&solvers::text(&comparisons));
    let (own, (others, refused)) = rayon::join(
        || worded(fits::fit(&problem, &claims.claims, seed)),
        || fits::others(&problem, &claims.claims, seed),
    );
    let fits = [own?, others].concat();
    tell(&fits::text(&fits));
    let [mut sound, mut broken] = audits::audits(depth.pairs(), seed)?;
    let [further, more] = papers::audits(depth.pairs(), seed);
    sound.extend(further);
    broken.extend(more);
    let (profiles, audited) = rayon::join(
        || worded(profiles::profiles(&problem)),
        || audits::all([sound, broken]),
    );
    let (profiles, [audits, seeded_bugs]) = (profiles?, audited?);
    tell(&audits::text("audits", &audits));
    tell(&audits::text("seeded bugs, to be caught", &seeded_bugs));
    let mut report = Report {
        schema: SCHEMA,
        effort: depth.name(),
        seed: args.seed,
        data,
        neighbours: Neighbouring::ReplaceOne,
        release: "transcript",
        claims: claims.claims,
        findings: claims.findings,
        comparisons,
        fits,
        profiles,
        audits,
        seeded_bugs,
        skipped: depth.skipped().into_iter().chain(refused).collect(),
        failures: Vec::new(),
    };
    report.failures = report.failing();
    if depth == Depth::Full {
        report.failures.extend(changed_certificates());
    }
    report.save(&args.out)?;
    if args.format == Format::Json {
        super::print(&(serde_json::to_string_pretty(&report)? + "\n"));
        return Ok(exit_code(&report));
    }
    Ok(conclude(&report, &args.out))
}

/// With an error in words, which goes from thread to thread.
fn worded<T>(result: Result<T, Box<dyn Error>>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

fn claims(depth: Depth) -> Result<Ledger, BookError> {
    let effort = if depth == Depth::Full {
        Effort::Search
    } else {
        Effort::Replay
    };
    let bar = super::progress(0, "claims");
    let ledger = Ledger::compute(effort, |done, all| {
        super::counted(&bar, done as u64, all as u64);
    })?;
    bar.finish_and_clear();
    Ok(ledger)
}

/// Stored certificates that a fresh search would not write byte for byte.
fn changed_certificates() -> Vec<String> {
    regenerate_all(&dp_assay_spec::claims())
        .into_iter()
        .filter(|(paper, _, text)| text != paper.certificates())
        .map(|(_, name, _)| format!("spec/certificates/{name} is not what a search finds"))
        .collect()
}

fn conclude(report: &Report, out: &std::path::Path) -> ExitCode {
    for skipped in &report.skipped {
        super::remark(&format!("left out: {skipped}\n"));
    }
    super::show(&summary(report, super::width()));
    for failure in &report.failures {
        super::show(&format!("FAILED: {failure}\n"));
    }
    super::show(&format!(
        "files: {}, report.json\n",
        out.join("report.html").display()
    ));
    exit_code(report)
}

/// What a run found, in half a page: the theorems that the papers are cited for, what the run rests on, the audits.
fn summary(report: &Report, width: usize) -> String {
    let headlines = ledger::headline::of(&report.claims, &report.findings);
    let collection = report.claims.iter().filter(|r| r.paper.is_collection());
    let [papers, accountants] = [
        ledger::Count::of_papers(&report.claims),
        ledger::Count::of(collection),
    ];
    let critical = { report.findings.iter() }
        .filter(|f| f.severity == Severity::Critical)
        .count();
    let judged =
        |audits: &[Squeeze], verdict: &str| audits.iter().filter(|a| a.verdict == verdict).count();
    let [passed, violated, undecided] = ["PASS-WITH-POWER", "VIOLATION", "INCONCLUSIVE"]
        .map(|verdict| judged(&report.audits, verdict));
    let relied_on = match report.failures.len() {
        0 => "nothing failed".to_owned(),
        n => format!("{n} things FAILED"),
    };
    format!(
        "\nThe papers' theorems as printed; × r: true over claimed ε, or true value over bound, at \
         n = 60,000, ε = 1, δ = n⁻²; empty: nothing satisfies the hypotheses\n{}use instead: \
         dp-assay paper NAME; {} findings, {} critical: ledger --findings\n\
         the papers' claims: {} ({} decided by the kernel)\n\
         theorems that the accountants rest on: {}\n\
         what this run relies on: {relied_on}\n\
         audits: {passed} passed with power, {violated} violations, {undecided} inconclusive; bugs \
         caught: {} of {}\n",
        ledger::headline::headline_text(&headlines, width),
        report.findings.len(),
        critical,
        papers.words(),
        papers.kernel,
        accountants.words(),
        judged(&report.seeded_bugs, "VIOLATION"),
        report.seeded_bugs.len(),
    )
}

/// 1 if something that is relied on failed, else 3 if an audit decided nothing.
fn exit_code(report: &Report) -> ExitCode {
    let undecided = |audit: &Squeeze| audit.verdict == "INCONCLUSIVE";
    match (
        report.failures.is_empty(),
        report.audits.iter().any(undecided),
    ) {
        (false, _) => ExitCode::from(1),
        (true, true) => ExitCode::from(3),
        (true, false) => ExitCode::SUCCESS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::audit::Release;
    use dp_assay::report::Data;

    fn audit(verdict: &str) -> Squeeze {
        Squeeze {
            mechanism: "made up".into(),
            claimed: 1.0,
            delta: 0.0,
            neighbours: Neighbouring::ReplaceOne,
            release: Release::Transcript,
            verdict: verdict.into(),
            lower: 0.0,
            confidence: 1.0 - 1e-6,
            upper: None,
            claim: None,
            detectable: None,
            power: 0.0,
            event_mass: None,
            samples: 0,
            event: String::new(),
            counterexample: None,
            seed: 1,
        }
    }

    fn report(audits: &[&str], failures: &[&str]) -> Report {
        Report {
            schema: SCHEMA,
            effort: "quick",
            seed: 1,
            data: Data {
                name: String::new(),
                source: String::new(),
                records: 0,
                features: 0,
            },
            neighbours: Neighbouring::ReplaceOne,
            release: "transcript",
            claims: Vec::new(),
            findings: Vec::new(),
            comparisons: Vec::new(),
            fits: Vec::new(),
            profiles: Vec::new(),
            audits: audits.iter().map(|verdict| audit(verdict)).collect(),
            seeded_bugs: Vec::new(),
            skipped: Vec::new(),
            failures: failures.iter().map(|&f| f.to_owned()).collect(),
        }
    }

    #[test]
    fn an_audit_that_decides_nothing_is_no_pass_and_a_failure_goes_before_it() {
        let code = |audits: &[&str], failures: &[&str]| {
            format!("{:?}", exit_code(&report(audits, failures)))
        };
        let plain = |code: u8| format!("{:?}", ExitCode::from(code));
        assert_eq!(code(&["PASS-WITH-POWER"], &[]), plain(0));
        assert_eq!(code(&[], &[]), plain(0));
        assert_eq!(code(&["PASS-WITH-POWER", "INCONCLUSIVE"], &[]), plain(3));
        assert_eq!(
            code(&["INCONCLUSIVE", "VIOLATION"], &["it failed"]),
            plain(1)
        );
    }
}
