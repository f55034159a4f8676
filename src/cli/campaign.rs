//! `dp-assay campaign`: long lists of audits that survive being killed.

use super::Outcome;
use clap::{Subcommand, ValueEnum};
use dp_assay::audit::builtin;
use dp_assay::audit::campaign::plan::{Entry, Plan, Program};
use dp_assay::audit::campaign::slurm::{Scripts, TimeLimit, Work};
use dp_assay::audit::campaign::store::Store;
use dp_assay::audit::campaign::{self, CampaignError, Fixed, Pair, Shard};
use dp_assay::audit::external::{ServedInput, ServedProgram, doubt};
use dp_assay::audit::{AuditReport, Release};
use dp_assay::report::{Squeeze, audits_html, write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Run, merge and read long lists of audits.
#[derive(clap::Args)]
#[command(after_help = super::EXIT_CODES)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Count what is not yet counted; may be killed at any moment and run again.
    Run {
        /// The plan (TOML; see spec/formats/campaign.md).
        plan: PathBuf,
        /// The store; made if there is none.
        #[arg(long, value_name = "FILE")]
        store: PathBuf,
        /// Work on the i-th of n parts only, with a store of its own.
        #[arg(long, value_name = "i/n", default_value = "0/1")]
        shard: Shard,
        /// How to print the result.
        #[arg(long, value_enum, default_value = "text")]
        format: ResultFormat,
        /// Also write the result as an HTML page.
        #[arg(long, value_name = "FILE")]
        report: Option<PathBuf>,
    },
    /// Unite the stores of the shards of one plan.
    Merge {
        /// The plan.
        plan: PathBuf,
        /// The store to add to; made if there is none.
        #[arg(long, value_name = "FILE")]
        store: PathBuf,
        /// The stores to take over.
        #[arg(required = true, value_name = "FILE")]
        shards: Vec<PathBuf>,
        /// How to print how far the store is.
        #[arg(long, value_enum, default_value = "text")]
        format: super::Format,
    },
    /// Say how far a store is.
    Status {
        /// The store.
        #[arg(value_name = "FILE")]
        store: PathBuf,
        /// How to print it.
        #[arg(long, value_enum, default_value = "text")]
        format: super::Format,
    },
    /// Print the result of a store without counting.
    Report {
        /// The plan.
        plan: PathBuf,
        /// The store.
        #[arg(long, value_name = "FILE")]
        store: PathBuf,
        /// How to print it.
        #[arg(long, value_enum, default_value = "text")]
        format: ResultFormat,
        /// Also write it as an HTML page.
        #[arg(long, value_name = "FILE")]
        report: Option<PathBuf>,
    },
    /// Write scripts that run a plan on a Slurm cluster.
    Slurm(SlurmArgs),
}

#[derive(clap::Args)]
struct SlurmArgs {
    /// The plan.
    plan: PathBuf,
    /// The store that the shards are merged into.
    #[arg(long, value_name = "FILE")]
    store: PathBuf,
    /// Number of shards, each a task of a job array.
    #[arg(long, value_name = "N")]
    shards: u64,
    /// Processors of one shard.
    #[arg(
        long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..),
    )]
    cpus: u16,
    /// How long a job may run (minutes, hours:minutes:seconds, days-hours); by default the cluster's own limit.
    #[arg(long, value_name = "LIMIT")]
    time: Option<TimeLimit>,
    /// Folder of the scripts, the shards' stores and the logs; absent or empty.
    #[arg(long, value_name = "DIR", default_value = "slurm")]
    out: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ResultFormat {
    Text,
    Json,
    Junit,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Outcome {
    match &args.action {
        Action::Run {
            plan,
            store,
            shard,
            format,
            report,
        } => {
            let (plan, pairs) = load(plan)?;
            let store = Store::open(store, &plan)?;
            let bar = super::progress(0, "chunks");
            let counted = campaign::run(&plan, &pairs, &store, *shard, &mut |done, all| {
                super::counted(&bar, done, all);
            });
            bar.finish_and_clear();
            if let Err(error @ CampaignError::Store(_)) = counted {
                return Err(error.into());
            }
            let named = results(&plan, &pairs, &store)?;
            let nothing = named.iter().all(|(_, report)| report.is_none());
            match counted {
                Err(error) if nothing => Err(error.into()),
                // A mechanism that cannot be run hides no verdict on another.
                counted => {
                    save(report.as_deref(), &named)?;
                    let code = print(&named, *format)?;
                    counted?;
                    Ok(code)
                }
            }
        }
        Action::Merge {
            plan,
            store,
            shards,
            format,
        } => {
            let (plan, _) = load(plan)?;
            let made = !store.exists();
            let united = Store::open(store, &plan)?;
            if let Err(error) = united.merge(shards) {
                drop(united);
                if made {
                    std::fs::remove_file(store)?;
                }
                return Err(error.into());
            }
            print_status(&plan, &united, *format)
        }
        Action::Status { store, format } => {
            let (store, plan) = Store::view(store)?;
            print_status(&plan, &store, *format)
        }
        Action::Report {
            plan,
            store,
            format,
            report,
        } => {
            let (plan, pairs) = load(plan)?;
            let store = Store::of(store, &plan)?;
            let named = results(&plan, &pairs, &store)?;
            save(report.as_deref(), &named)?;
            let code = print(&named, *format)?;
            // No result is no pass; of a shard, `run` expects no more.
            let unfinished = named.iter().any(|(_, report)| report.is_none());
            Ok(match unfinished && code == ExitCode::SUCCESS {
                true => ExitCode::from(3),
                false => code,
            })
        }
        Action::Slurm(args) => slurm(args),
    }
}

/// Checks the plan and the store, then writes the scripts.
fn slurm(args: &SlurmArgs) -> Outcome {
    let (plan, _) = load(&args.plan)?;
    let store = super::absolute(&args.store)?;
    if store.exists() {
        Store::open(&store, &plan)?;
    } else if let Some(folder) = store.parent().filter(|folder| !folder.is_dir()) {
        return Err(format!("{}: no such folder for the store", folder.display()).into());
    }
    let scripts = Scripts {
        program: std::env::current_exe()?,
        folder: std::env::current_dir()?,
        work: Work::campaign(&plan, super::absolute(&args.plan)?, store),
        shards: args.shards,
        cpus: args.cpus,
        time: args.time.clone(),
    };
    write_scripts(&scripts, &args.out)
}

/// Writes scripts for a cluster, and says so.
pub fn write_scripts(scripts: &Scripts, out: &Path) -> Outcome {
    scripts.write(&super::absolute(out)?)?;
    let made = format!(
        "Wrote array.sh, merge.sh and submit.sh to {}",
        out.display()
    );
    super::print(&format!("{made}; submit with: bash submit.sh\n"));
    Ok(ExitCode::SUCCESS)
}

/// Reads a plan and finds its mechanisms.
fn load(file: &Path) -> Result<(Plan, Vec<Box<dyn Pair>>), String> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let text = super::read_text(file).map_err(|e| at(&e))?;
    let mut plan = Plan::parse(&text).map_err(|e| at(&e))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    for program in plan.audits.iter_mut().filter_map(|a| a.external.as_mut()) {
        let inputs = program_inputs(program, folder).map_err(|e| at(&e))?;
        program.set_contents(&inputs);
    }
    let pairs = plan.audits.iter().map(|entry| pair(entry, folder));
    let pairs = pairs.collect::<Result<_, _>>().map_err(|e| at(&e))?;
    Ok((plan, pairs))
}

fn pair(entry: &Entry, folder: &Path) -> Result<Box<dyn Pair>, String> {
    match (&entry.external, entry.neighbours) {
        (Some(program), Some(neighbours)) => {
            let inputs = program_inputs(program, folder)?;
            if let Some(doubt) = doubt(neighbours, inputs.each_ref().map(String::as_str)) {
                super::warn(&format!("audit `{}`: {doubt}", entry.name));
            }
            let limit = Duration::from_secs(program.timeout_seconds);
            let mechanism = ServedProgram::new(&program.command, inputs, limit);
            let same = |e| format!("audit `{}`: {e}", entry.name);
            mechanism.check_inputs().map_err(same)?;
            Ok(Box::new(Fixed {
                mechanism,
                neighbours,
                release: Release::Final,
                inputs: sides(program),
            }))
        }
        _ => builtin_pair(entry),
    }
}

/// A built-in mechanism on its pair number `pair` (0 if the plan gives none).
fn builtin_pair(entry: &Entry) -> Result<Box<dyn Pair>, String> {
    let at = |error: &dyn std::fmt::Display| format!("audit `{}`: {error}", entry.name);
    let mut parameters = entry.parameters.clone();
    let index = parameters.remove("pair").unwrap_or(0.0);
    let name = entry.mechanism.as_deref().unwrap_or_default();
    let specimen = builtin::find(name, &parameters).map_err(|e| at(&e))?;
    let own = specimen.neighbours;
    if let Some(stated) = entry.neighbours.filter(|stated| *stated != own) {
        return Err(at(&format!(
            "its inputs are {own} neighbours, not {stated}"
        )));
    }
    let pairs = &specimen.pairs;
    let pair = (0..pairs.len())
        .find(|i| *i as f64 == index)
        .map(|i| pairs[i].clone());
    let (first, second) = pair.ok_or_else(|| {
        at(&format!(
            "pair = {index} must be a whole number below {}",
            pairs.len()
        ))
    })?;
    Ok(Box::new(Fixed {
        neighbours: own,
        release: Release::Final,
        inputs: [first, second],
        mechanism: specimen,
    }))
}

fn sides(program: &Program) -> [ServedInput; 2] {
    let name = |path: &Path| path.display().to_string();
    [
        ServedInput {
            index: 0,
            name: name(&program.input0),
        },
        ServedInput {
            index: 1,
            name: name(&program.input1),
        },
    ]
}

fn program_inputs(program: &Program, folder: &Path) -> Result<[String; 2], String> {
    let read = |path: &Path| {
        let path = folder.join(path);
        std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
    };
    Ok([read(&program.input0)?, read(&program.input1)?])
}

fn print_status(plan: &Plan, store: &Store, format: super::Format) -> Outcome {
    let status = campaign::status(plan, store)?;
    match format {
        super::Format::Json => {
            let named = |audit| super::named("dp-assay/campaign-status/1", audit);
            let status: Vec<_> = status.into_iter().map(named).collect();
            super::print(&(serde_json::to_string_pretty(&status)? + "\n"));
        }
        super::Format::Text => {
            for audit in &status {
                super::show(&format!(
                    "{}: {} of {} chunks\n",
                    audit.audit, audit.counted, audit.chunks
                ));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The audits by name, with their reports where all chunks are counted.
type Named = Vec<(String, Option<AuditReport>)>;

fn results(plan: &Plan, pairs: &[Box<dyn Pair>], store: &Store) -> Result<Named, CampaignError> {
    let reports = campaign::report(plan, pairs, store)?;
    let names = plan.audits.iter().map(|e| e.name.clone());
    Ok(names.zip(reports).collect())
}

/// Writes the page of the finished audits if a file is named.
fn save(file: Option<&Path>, named: &Named) -> std::io::Result<()> {
    let Some(file) = file else { return Ok(()) };
    let finished = named
        .iter()
        .filter_map(|(name, report)| Some((name, report.as_ref()?)));
    let audits: Vec<Squeeze> = finished
        .map(|(name, r)| Squeeze::new(name, r, None))
        .collect();
    write(file, audits_html("dp-assay campaign", &audits).as_bytes())
}

/// Prints the result; the exit code is that of the finished audits.
fn print(named: &Named, format: ResultFormat) -> Outcome {
    match format {
        ResultFormat::Junit => super::print(&campaign::junit("dp-assay campaign", named)),
        ResultFormat::Json => {
            let audits: Vec<_> = named.iter().map(|(_, report)| report).collect();
            super::print(&(serde_json::to_string_pretty(&audits)? + "\n"));
        }
        ResultFormat::Text => {
            for (name, report) in named {
                super::show(&match report {
                    Some(report) => report.text(),
                    None => format!("{name}: not all chunks are counted\n"),
                });
            }
        }
    }
    // Of audits that are not all counted nothing can be said; a shard has such audits as a rule.
    let finished = named.iter().filter_map(|(_, report)| report.as_ref());
    Ok(super::exit_code(finished.map(|r| r.verdict)))
}
