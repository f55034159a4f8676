//! `dp-assay experiment`: the published experiments, run again.

use super::{Format, Outcome as Exit, absolute};
use clap::builder::PossibleValuesParser;
use dp_assay::audit::campaign::Shard;
use dp_assay::audit::campaign::slurm::{Scripts, TimeLimit, Work};
use dp_assay::experiment::kept::StoredRun;
use dp_assay::experiment::{
    CellProgress, Effort, Experiment, ExperimentError, Outcome, Outline, PROBLEMS, Setting, Shelf,
    catalogue, csv, medians, reasons, resolve,
};
use dp_assay::report::{experiment as page, lines, write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Run the papers' experiments again, printed values beside.
#[derive(clap::Args)]
pub struct Args {
    /// `list`, `all`, or a name or its beginning (`decor` runs all of DECOR).
    name: String,
    /// Sizes that end within minutes; the default.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// The paper's sizes: hours.
    #[arg(long)]
    full: bool,
    /// Folder with a9a.svm.gz, cal_housing.csv.gz, diabetes_{data_raw,target}.csv.gz and madelon_{train,valid}.{data.gz,labels}; what is absent is
    /// replaced by a named stand-in.
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Folder of the stores, CSV, JSON, SVG and report.html; a second run goes on where the first was stopped.
    #[arg(
        long,
        value_name = "DIR",
        default_value = "target/dp-assay/experiments"
    )]
    out: PathBuf,
    /// The seed of all noise and all synthetic data.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Leave out a problem of DP-GCD; may be repeated. Dorothea has by far the most columns.
    #[arg(long, value_name = "PROBLEM", value_parser = PossibleValuesParser::new(PROBLEMS))]
    without: Vec<String>,
    /// Add the ε that is certified if hyperparameters are chosen privately (DP-GCD, DP-SkGD, DP-AMBSSGD and what stands
    /// beside them); without it, tuning is outside the budget, as in the papers, and results say so.
    #[arg(long)]
    selection_cost: bool,
    /// Compute the i-th of n parts only, on one of n machines, and leave its store in the folder; `--merge` goes on from there.
    #[arg(long, value_name = "i/n", conflicts_with_all = ["merge", "format"])]
    shard: Option<Shard>,
    /// Take over what the shards left in their folders; what none of them holds is computed here.
    #[arg(long, value_name = "DIR", num_args = 1..)]
    merge: Vec<PathBuf>,
    /// Write scripts that do this on a Slurm cluster into a folder, absent or empty; what is run here is nothing.
    #[arg(
        long, value_name = "JOBS", requires = "shards",
        conflicts_with_all = ["shard", "merge", "format"],
    )]
    slurm: Option<PathBuf>,
    /// With --slurm: number of shards, each a task of a job array.
    #[arg(long, value_name = "N", requires = "slurm")]
    shards: Option<u64>,
    /// With --slurm: processors of one shard.
    #[arg(
        long, value_name = "N", default_value_t = 1, requires = "slurm",
        value_parser = clap::value_parser!(u16).range(1..),
    )]
    cpus: u16,
    /// With --slurm: how long a job may run (minutes, hours:minutes:seconds, days-hours); by default the cluster's own limit.
    #[arg(long, value_name = "LIMIT", requires = "slurm")]
    time: Option<TimeLimit>,
    /// How to print: for programs, one list of all that was run, or of what there is.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Exit {
    let all = catalogue();
    if args.name == "list" {
        let flags = [
            "--quick",
            "--full",
            "--data-dir",
            "--out",
            "--seed",
            "--without",
            "--selection-cost",
            "--shard",
            "--merge",
            "--slurm",
            "--shards",
            "--cpus",
            "--time",
        ];
        super::refuse_idle(&flags.map(|flag| (flag, false, "experiments, not with `list`")))?;
        let outlines: Vec<Outline> = all.iter().map(|e| e.outline()).collect();
        list(&outlines, args.format)?;
        return Ok(ExitCode::SUCCESS);
    }
    let setting = Setting {
        effort: if args.full {
            Effort::Full
        } else {
            Effort::Quick
        },
        seed: args.seed,
        shelf: args
            .data_dir
            .as_deref()
            .map_or_else(Shelf::empty, Shelf::at),
        without: args.without.clone(),
        selection_cost: args.selection_cost,
    };
    let chosen = chosen(&all, &args.name)?;
    let problems = chosen.iter().any(|e| e.outline().name.starts_with("gcd"));
    super::refuse_idle(&[("--without", problems, "experiments of gcd")])?;
    setting.shelf.check()?;
    if let (Some(jobs), Some(shards)) = (&args.slurm, args.shards) {
        return slurm(args, jobs, shards, &chosen, &setting);
    }
    dp_assay::report::writable_folder(&args.out)?;
    let mut outcomes = Vec::new();
    if let Some(shard) = args.shard {
        for experiment in chosen {
            let resolved = resolve(experiment, &setting)?;
            let store = args.out.join(resolved.store_name());
            told(experiment, |progress| {
                resolved.run_shard(&store, shard, progress)
            })?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    for experiment in chosen {
        let outcome = one(experiment, &setting, args)?;
        if args.format == Format::Text {
            super::show(&summary(&outcome));
        }
        outcomes.push(outcome);
        // After every experiment: what is done can be read while the rest runs.
        let html = page::html(&outcomes);
        write(&args.out.join("report.html"), html.as_bytes())?;
    }
    if args.format == Format::Json {
        super::print(&(serde_json::to_string_pretty(&outcomes)? + "\n"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the scripts that share the experiments out on a cluster.
fn slurm(
    args: &Args,
    jobs: &Path,
    shards: u64,
    chosen: &[&dyn Experiment],
    setting: &Setting,
) -> Exit {
    let mut cells = 0;
    for experiment in chosen {
        cells = cells.max(resolve(*experiment, setting)?.cells() as u64);
    }
    let scripts = Scripts {
        program: std::env::current_exe()?,
        folder: std::env::current_dir()?,
        work: Work::Experiment {
            words: words(args)?,
            out: absolute(&args.out)?,
            cells,
        },
        shards,
        cpus: args.cpus,
        time: args.time.clone(),
    };
    super::campaign::write_scripts(&scripts, jobs)
}

/// The name and what makes an experiment this one, as they are typed.
fn words(args: &Args) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut words = vec![args.name.clone()];
    words.extend(args.full.then(|| "--full".to_owned()));
    if let Some(folder) = &args.data_dir {
        let folder = absolute(folder)?.into_os_string().into_string();
        let text = folder
            .map_err(|name| format!("{name:?} is not UTF-8: it cannot be written into a script"))?;
        words.push(format!("--data-dir={text}"));
    }
    words.push(format!("--seed={}", args.seed));
    words.extend(args.without.iter().map(|name| format!("--without={name}")));
    words.extend(args.selection_cost.then(|| "--selection-cost".to_owned()));
    Ok(words)
}

/// What there is.
fn list(outlines: &[Outline], format: Format) -> Result<(), serde_json::Error> {
    match format {
        Format::Json => {
            let named = |outline| super::named("dp-assay/experiment-list/1", outline);
            let outlines: Vec<_> = outlines.iter().map(named).collect();
            super::print(&(serde_json::to_string_pretty(&outlines)? + "\n"));
        }
        Format::Text => outlines.iter().for_each(|outline| {
            super::show(&format!(
                "{:<16} {} ({})\n",
                outline.name, outline.title, outline.place
            ));
        }),
    }
    Ok(())
}

/// The experiments that a name means.
fn chosen<'a>(
    all: &'a [Box<dyn Experiment>],
    name: &str,
) -> Result<Vec<&'a dyn Experiment>, ExperimentError> {
    let named = |e: &&dyn Experiment| name == "all" || e.outline().name.starts_with(name);
    let found: Vec<&dyn Experiment> = all.iter().map(AsRef::as_ref).filter(named).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let known: Vec<&str> = all.iter().map(|e| e.outline().name).collect();
    Err(ExperimentError::Unknown {
        name: name.to_owned(),
        known: known.join(", "),
    })
}

/// Runs one experiment and writes its files.
fn one(
    experiment: &dyn Experiment,
    setting: &Setting,
    args: &Args,
) -> Result<Outcome, Box<dyn std::error::Error>> {
    let (name, out) = (experiment.outline().name, &args.out);
    let resolved = resolve(experiment, setting)?;
    let file = resolved.store_name();
    let store = out.join(&file);
    let shards: Vec<PathBuf> = args.merge.iter().map(|shard| shard.join(&file)).collect();
    resolved.merge(&store, &shards)?;
    let mut outcome = told(experiment, |progress| resolved.run(&store, progress))?;
    let (date, commit) = (today(), commit());
    (outcome.date, outcome.commit) = (Some(date.clone()), Some(commit.clone()));
    write(&out.join(format!("{name}.csv")), &csv(&outcome)?)?;
    if name == "league" {
        let table = medians(&outcome.rows);
        write(&out.join("league.medians.csv"), table.as_bytes())?;
        let why = reasons(&outcome.rows);
        write(&out.join("league.reasons.csv"), why.as_bytes())?;
    }
    let json = serde_json::to_vec_pretty(&outcome)?;
    write(&out.join(format!("{name}.json")), &json)?;
    if let Some(evidence) = outcome.evidence(date, commit) {
        let json = serde_json::to_vec_pretty(&[evidence])?;
        write(&out.join(format!("{name}.evidence.json")), &json)?;
    }
    if let Some(kept) = StoredRun::of(&outcome) {
        let json = serde_json::to_vec_pretty(&[kept])?;
        write(&out.join(format!("{name}.kept.json")), &json)?;
    }
    for (file, chart) in page::charts(&outcome) {
        let svg = lines::svg(&chart);
        write(&out.join(format!("{file}.svg")), svg.as_bytes())?;
    }
    Ok(outcome)
}

/// Does the work of an experiment with a bar on the terminal.
fn told<T>(
    experiment: &dyn Experiment,
    work: impl FnOnce(CellProgress<'_>) -> Result<T, ExperimentError>,
) -> Result<T, ExperimentError> {
    let bar = super::progress(0, experiment.outline().name);
    let result = work(&mut |done, all| {
        super::counted(&bar, done, all);
    })?;
    bar.finish_and_clear();
    Ok(result)
}

/// For people: the data, the statements, why not where one was not seen; all evidence is in the files.
fn summary(outcome: &Outcome) -> String {
    let outline = &outcome.outline;
    let mut text = format!("{}: {} ({})\n", outline.name, outline.title, outline.place);
    for input in &outcome.inputs {
        if let Some(why) = &input.stand_in {
            text += &format!("  STAND-IN for {}: {why}\n", input.name);
        }
    }
    text += &format!("  TUNING: {}\n", outcome.tuning);
    for remark in &outcome.remarks {
        let seen = if remark.seen { "seen" } else { "NOT SEEN" };
        text += &format!("  {seen}: {}\n", remark.statement);
        if !remark.seen {
            text += &format!("    {}\n", remark.evidence);
        }
    }
    text + &format!(
        "  {} measurements, {} comparisons with printed values\n",
        outcome.rows.len(),
        outcome.comparisons.len()
    )
}

/// The day in UTC, as in 2026-01-31.
fn today() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let days = now.map_or(0, |passed| passed.as_secs() / 86_400);
    date(days)
}

/// The date so many days after 1970-01-01 (H. Hinnant, chrono-compatible low-level date algorithms).
fn date(days: u64) -> String {
    let days = days + 719_468;
    let era = days / 146_097;
    let of_era = days % 146_097;
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = match month < 10 {
        true => (year + era * 400, month + 3),
        false => (year + era * 400 + 1, month - 9),
    };
    format!("{year:04}-{month:02}-{day:02}")
}

/// The commit of the working folder, if it is one.
fn commit() -> String {
    let asked = std::process::Command::new("git")
        .args(["rev-parse", "--short=12", "HEAD"])
        .output();
    match asked {
        Ok(answer) if answer.status.success() => {
            String::from_utf8_lossy(&answer.stdout).trim().to_owned()
        }
        _ => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_are_dates() {
        for (days, text) in [
            (0, "1970-01-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_453, "2025-12-31"),
            (20_454, "2026-01-01"),
        ] {
            assert_eq!(date(days), text);
        }
    }
}
