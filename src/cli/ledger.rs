//! `dp-assay ledger`: the verdict on every claim.

use super::Outcome;
use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use dp_assay::ledger::notation::unicode;
use dp_assay::ledger::{self, Effort, Findings, Ledger, Row};
use dp_assay::report::symbols;
use dp_assay_spec::claim::{Paper, Verdict};
use dp_assay_spec::claims;
use dp_assay_spec::coverage::CoverageShare;
use dp_assay_spec::findings::Severity;
use dp_assay_spec::moved::{self, Theorem};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::slice;

/// Print the verdict on every claim.
#[derive(clap::Args)]
pub struct Args {
    /// All that is known of these claims.
    #[arg(
        value_name = "ID",
        conflicts_with_all = ["paper", "verdict", "findings", "severity", "into"],
    )]
    ids: Vec<String>,
    /// Print the proof of this claim for a person: rules and premises, with their sources. Of a claim that the kernel does not
    /// decide, what does; of one that fails, where. To fail is a finding, not an error: the exit code is 0.
    #[arg(
        long, value_name = "ID",
        conflicts_with_all = ["ids", "paper", "verdict", "findings", "severity", "into", "format"],
    )]
    proof: Option<String>,
    /// Print the trace of this claim's proof for the second checker (`spec/formats/trace.md`); `all` with --out.
    #[arg(
        long, value_name = "ID",
        conflicts_with_all = [
            "ids", "paper", "verdict", "findings", "severity", "into", "format", "proof", "search",
            "replay",
        ],
    )]
    trace: Option<String>,
    /// With --trace all: the folder for ID.trace of every claim that the kernel decides.
    #[arg(long, value_name = "DIR", requires = "trace")]
    out: Option<PathBuf>,
    /// Only this paper.
    #[arg(
        long,
        help = format!("Only this paper: {}; or the collection {}", Paper::names(), Paper::Acc),
    )]
    paper: Option<Paper>,
    /// Only this verdict.
    #[arg(long, value_parser = PossibleValuesParser::new(Verdict::NAMES))]
    verdict: Option<String>,
    /// What does not hold as printed, in the order in which a reader should meet it.
    #[arg(long, conflicts_with_all = ["verdict", "into"])]
    findings: bool,
    /// Only what is as bad as this: critical, major, minor, wording or edge.
    #[arg(long)]
    severity: Option<Severity>,
    /// How to print.
    #[arg(long, value_enum, default_value = "table")]
    format: TableFormat,
    /// Re-check the stored certificates instead of searching again (this is also the default).
    #[arg(long, conflicts_with = "search")]
    replay: bool,
    /// Search every proof and counterexample from scratch.
    #[arg(long)]
    search: bool,
    /// With `--format md` or `counts`: put the table between the ledger markers of this file.
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableFormat {
    /// One line a claim.
    Table,
    /// For programs.
    Json,
    /// Markdown, every claim.
    Md,
    /// Markdown, how many claims have which verdict.
    Counts,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Outcome {
    super::refuse_idle(&[("--out", args.trace.is_some(), "--trace all")])?;
    if let Some(id) = &args.trace {
        return trace(id, args.out.as_deref());
    }
    // A proof for a person: of a claim that the kernel does not decide, what was computed and what is made by hand.
    if let Some(id) = &args.proof
        && let Ok(theorem) = theorem(id)
    {
        let checked = "claims that checks decide, not with a proof of the kernel's";
        super::refuse_idle(&[("--search", false, checked), ("--replay", false, checked)])?;
        super::print(&proof(id, &theorem));
        return Ok(ExitCode::SUCCESS);
    }
    if args.into.is_some() && !matches!(args.format, TableFormat::Md | TableFormat::Counts) {
        return Err("--into goes with --format md or --format counts".into());
    }
    // What can be refused is refused before the work.
    args.ids
        .iter()
        .chain(&args.proof)
        .try_for_each(|id| known(id))?;
    let target = args.into.as_deref().map(Target::read).transpose()?;
    let effort = if args.search {
        Effort::Search
    } else {
        Effort::Replay
    };
    let bar = super::progress(0, "claims");
    let progress = |done: usize, all: usize| {
        super::counted(&bar, done as u64, all as u64);
    };
    let only = || only_paper(&args.ids, args.proof.as_deref());
    let mut ledger = match args.paper.or_else(only) {
        Some(paper) => Ledger::of_paper(paper, effort, progress)?,
        None => Ledger::compute(effort, progress)?,
    };
    bar.finish_and_clear();
    let severe = |severity: Option<Severity>| args.severity.is_none() || severity == args.severity;
    if let Some(id) = &args.proof {
        if let Some(row) = ledger.claims.iter().find(|row| row.id == id) {
            super::show(&unproved(row));
        }
        return some(slice::from_ref(id), TableFormat::Table, &mut ledger);
    }
    if !args.ids.is_empty() {
        return some(&args.ids, args.format, &mut ledger);
    }
    let asked = |row: &Row| args.verdict.as_ref().is_none_or(|v| row.verdict == v);
    (ledger.claims).retain(|row| asked(row) && severe(row.severity));
    ledger.findings.retain(|f| severe(Some(f.severity)));
    if args.findings {
        return findings(args.format, ledger);
    }
    let printed = match args.format {
        TableFormat::Table => {
            let mut text = ledger::text(&ledger.claims, super::columns());
            if args.severity.is_some() {
                let findings = ledger.findings.len();
                text += &format!(
                    "they are claims; of this severity there are {findings} findings, each about \
                     one claim or more: --findings lists them\n"
                );
            }
            match args.paper {
                Some(paper) if paper.is_collection() => text,
                Some(paper) => text + &format!("{}\n", CoverageShare::stored(&[paper])),
                None => text + &format!("{}\n", CoverageShare::stored(&Paper::ALL)),
            }
        }
        TableFormat::Md => ledger::markdown(&ledger.claims),
        TableFormat::Counts => ledger::counts(&ledger.claims),
        TableFormat::Json => serde_json::to_string_pretty(&ledger)? + "\n",
    };
    match target {
        Some(target) => target.write(&printed)?,
        None if args.format == TableFormat::Table => super::show_lines(&printed),
        None => super::print(&printed),
    }
    Ok(ExitCode::SUCCESS)
}

/// The paper of all claims that are asked for by id: of the others nothing need be checked.
fn only_paper(ids: &[String], proof: Option<&str>) -> Option<Paper> {
    let mut asked = ids.iter().map(String::as_str).chain(proof);
    let of = |id: &str| id.split('-').next()?.parse::<Paper>().ok();
    let paper = of(asked.next()?)?;
    asked.all(|id| of(id) == Some(paper)).then_some(paper)
}

/// The theorem of a claim that the kernel decides.
fn theorem(id: &str) -> Result<Theorem, Box<dyn Error>> {
    match moved::theorem(id) {
        Some(theorem) => Ok(theorem?),
        None => {
            let all = moved::all().map(|moved| moved.id);
            let like: Vec<&str> = all.filter(|known| known.starts_with(id)).collect();
            let instead = match like.is_empty() {
                true => "--trace all writes what it decides".into(),
                false => format!("it decides {}", like.join(", ")),
            };
            Err(format!("the kernel does not decide `{id}`; {instead}").into())
        }
    }
}

/// What a statement's operations are whose names do not say it.
const OPERATIONS: [(&str, &str); 3] = [
    (
        "Pairwise(m, i, s, b, E, t)",
        "m messages, that of user i being the vector and the others 0, plus noise: for message k \
         N(0, s) of its own and, for every edge e < E, b_e[k] times one N(0, t) that all have in \
         common",
    ),
    ("Gaussian(m)", "the pair of the laws N(0, 1) and N(√m, 1)"),
    (
        "Response(ε)",
        "the pair of the laws of a bit that is 1 with probability e^ε/(1 + e^ε) and 1/(1 + e^ε)",
    ),
];

/// Those in a statement.
fn operations(statement: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let named = |(operation, _): &(&str, &str)| {
        let name = operation.split_inclusive('(').next();
        name.is_some_and(|name| statement.contains(name))
    };
    OPERATIONS.into_iter().filter(named)
}

/// What is said instead of a proof by the kernel, before all that is known of the claim.
fn unproved(row: &Row) -> String {
    let Row { id, verdict, .. } = row;
    match row.holds() || *verdict == "supported" {
        true => format!("{id} is {verdict}, not by a proof of the kernel's; what decides it:\n"),
        false => format!("there is no proof of {id}, which is {verdict}; what is known of it:\n"),
    }
}

/// A theorem's proof, what its operations are, and the claim: its words, and its steps beyond the theorem.
fn proof(id: &str, theorem: &Theorem) -> String {
    let mut out = match moved::refuted(theorem) {
        Some(_) => format!("refuted: if {id}, or this case of it, holds, then 1 ≤ 0\n\n"),
        None => String::new(),
    };
    out += &moved::proof(theorem.trace());
    for (operation, meaning) in operations(&theorem.statement().to_string()) {
        out += &format!("\nhere {operation} is {meaning}\n");
    }
    if let Some(claim) = dp_assay_spec::claims().into_iter().find(|c| c.id == id) {
        out += &format!("\nin words\n  {}\n", unicode(claim.statement));
        if !claim.hypotheses.is_empty() {
            out += &format!("  if: {}\n", unicode(claim.hypotheses));
        }
        if !claim.by_hand.is_empty() {
            out += "\nbeyond the theorem, by hand\n";
        }
        for step in claim.by_hand {
            out += &format!("  {step}\n");
        }
    }
    out + "\n"
}

/// Proofs for the second checker.
fn trace(id: &str, out: Option<&Path>) -> Outcome {
    match (id, out) {
        ("all", Some(folder)) => {
            dp_assay::report::writable_folder(folder)?;
            for moved in moved::all() {
                let text = moved::trace(theorem(moved.id)?.trace());
                let file = folder.join(format!("{}.trace", moved.id));
                dp_assay::report::write(&file, text.as_bytes())?;
            }
        }
        ("all", None) => return Err("--trace all needs a folder, --out DIR".into()),
        (id, None) => super::print(&moved::trace(theorem(id)?.trace())),
        (_, Some(_)) => return Err("--out goes with --trace all".into()),
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses what is no claim's id.
fn known(id: &str) -> Result<(), String> {
    let all: Vec<&str> = claims().iter().map(|claim| claim.id).collect();
    if all.contains(&id) {
        return Ok(());
    }
    let near: Vec<&str> = { all.into_iter() }
        .filter(|known| known.contains(id))
        .take(8)
        .collect();
    let hint = match near.is_empty() {
        true => "`dp-assay ledger` lists all".to_owned(),
        false => format!("did you mean {}?", near.join(", ")),
    };
    Err(format!("there is no claim `{id}`; {hint}"))
}

/// The claims that were asked for by id.
fn some(ids: &[String], format: TableFormat, ledger: &mut Ledger) -> Outcome {
    ledger
        .claims
        .retain(|row| ids.iter().any(|id| id == row.id));
    match format {
        TableFormat::Json => super::print(&(serde_json::to_string_pretty(&ledger)? + "\n")),
        TableFormat::Table => {
            for row in &ledger.claims {
                let text = format!("{}; {}", row.statement, row.hypotheses);
                let mut here = symbols(row.paper, &text);
                here.extend(operations(&row.statement));
                super::show(&ledger::full(row, &here));
            }
        }
        TableFormat::Md | TableFormat::Counts => {
            return Err("a claim by its id goes with --format table or --format json".into());
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn findings(format: TableFormat, ledger: Ledger) -> Outcome {
    match format {
        TableFormat::Table => super::show(&ledger::findings_text(&ledger.findings)),
        TableFormat::Json => {
            let list = Findings::from(ledger);
            super::print(&(serde_json::to_string_pretty(&list)? + "\n"));
        }
        TableFormat::Md | TableFormat::Counts => {
            return Err("--findings goes with --format table or --format json".into());
        }
    }
    Ok(ExitCode::SUCCESS)
}

const BEGIN: &str = "<!-- ledger: begin (generated by `dp-assay ledger --into`) -->\n";
const END: &str = "<!-- ledger: end -->";

/// A file with markers, between which a table goes.
struct Target<'a> {
    file: &'a Path,
    before: String,
    after: String,
}

impl<'a> Target<'a> {
    fn read(file: &'a Path) -> Result<Self, String> {
        let name = file.display();
        let text = std::fs::read_to_string(file).map_err(|e| format!("cannot read {name}: {e}"))?;
        let (Some(begin), Some(end)) = (text.find(BEGIN), text.find(END)) else {
            return Err(format!(
                "{name} has no ledger markers; they are\n{BEGIN}{END}"
            ));
        };
        Ok(Self {
            file,
            before: text[..begin + BEGIN.len()].to_owned(),
            after: text[end..].to_owned(),
        })
    }

    fn write(&self, table: &str) -> std::io::Result<()> {
        let text = format!("{}{table}{}", self.before, self.after);
        dp_assay::report::write(self.file, text.as_bytes())
    }
}
