//! The last results of the other benchmarks beside those in `benches/baseline.csv`: the median time of one
//! iteration, and how many times the stored one it is.
//!
//! Run it after any benchmarks: `cargo bench --bench versus_baseline`. With DP_ASSAY_WRITE=1 their results
//! replace the stored ones; benchmarks that were not run since keep theirs. The machine is part of a result: a
//! ratio says something only about the machine that the file names. `src/scale.md`, how stored times grow, is
//! written with them.

mod curves;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// One line of the file.
#[derive(Clone, Serialize, Deserialize)]
struct Row {
    benchmark: String,
    median_ns: f64,
    /// The day it was measured, in UTC, and the last commit then.
    date: String,
    commit: String,
    /// Processor and its number of cores.
    machine: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut now = BTreeMap::new();
    collect(&results()?, &mut now)?;
    if now.is_empty() {
        println!("no results yet: run `cargo bench` first");
        return Ok(());
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/baseline.csv");
    let mut stored = read(file)?;
    println!("{:>12} {:>12} {:>6}  benchmark", "stored", "now", "ratio");
    for (benchmark, median) in &now {
        let old = stored.get(benchmark).map(|row| row.median_ns);
        let (old, ratio) = match old {
            Some(old) => (time(old), format!("{:.2}", median / old)),
            None => ("—".to_owned(), "—".to_owned()),
        };
        println!("{old:>12} {:>12} {ratio:>6}  {benchmark}", time(*median));
    }
    if env::var_os("DP_ASSAY_WRITE").is_some() {
        // What was stored before is found again, and stays a result of its own day and commit.
        now.retain(|benchmark, median| {
            stored
                .get(benchmark)
                .is_none_or(|row| row.median_ns != *median)
        });
        stored.extend(rows(now)?);
        let mut table = csv::Writer::from_path(file)?;
        for row in stored.values() {
            table.serialize(row)?;
        }
        table.flush()?;
        let medians = stored.iter();
        let medians = medians.map(|(name, row)| (name.as_str(), row.median_ns));
        let scale = concat!(env!("CARGO_MANIFEST_DIR"), "/../src/scale.md");
        fs::write(scale, curves::table(&medians.collect()))?;
    }
    Ok(())
}

/// Where criterion keeps its results: beside the folder of this program.
fn results() -> Result<PathBuf, Box<dyn Error>> {
    if let Some(home) = env::var_os("CRITERION_HOME") {
        return Ok(home.into());
    }
    let program = env::current_exe()?;
    let target = program.ancestors().nth(3).ok_or("no target folder")?;
    Ok(target.join("criterion"))
}

/// The medians in ns of all benchmarks in a folder, by name.
fn collect(folder: &Path, found: &mut BTreeMap<String, f64>) -> Result<(), Box<dyn Error>> {
    #[derive(Deserialize)]
    struct Benchmark {
        full_id: String,
    }
    #[derive(Deserialize)]
    struct Estimates {
        median: Estimate,
    }
    #[derive(Deserialize)]
    struct Estimate {
        point_estimate: f64,
    }
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.ends_with("new") && path.join("benchmark.json").is_file() {
            let name: Benchmark = serde_json::from_slice(&fs::read(path.join("benchmark.json"))?)?;
            let of: Estimates = serde_json::from_slice(&fs::read(path.join("estimates.json"))?)?;
            found.insert(name.full_id, of.median.point_estimate);
        } else if path.is_dir() {
            collect(&path, found)?;
        }
    }
    Ok(())
}

/// The stored results; none before the first are stored.
fn read(file: &str) -> Result<BTreeMap<String, Row>, Box<dyn Error>> {
    if !Path::new(file).exists() {
        return Ok(BTreeMap::new());
    }
    let rows = csv::Reader::from_path(file)?.into_deserialize();
    let by_name = rows.map(|row: Result<Row, _>| row.map(|row| (row.benchmark.clone(), row)));
    Ok(by_name.collect::<Result<_, _>>()?)
}

/// These medians as measured today, here, on this commit.
fn rows(medians: BTreeMap<String, f64>) -> Result<Vec<(String, Row)>, Box<dyn Error>> {
    let date = said_by("date", &["-u", "+%F"])?;
    let commit = said_by("git", &["rev-parse", "--short=12", "HEAD"])?;
    let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processors
        .lines()
        .find_map(|l| l.strip_prefix("model name"));
    let model = model.map_or("unknown processor", |l| {
        l.trim_start_matches([' ', '\t', ':'])
    });
    let machine = format!("{model}, {} cores", std::thread::available_parallelism()?);
    let row = |(benchmark, median_ns): (String, f64)| {
        let row = Row {
            benchmark: benchmark.clone(),
            median_ns,
            date: date.clone(),
            commit: commit.clone(),
            machine: machine.clone(),
        };
        (benchmark, row)
    };
    Ok(medians.into_iter().map(row).collect())
}

fn said_by(program: &str, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let answer = Command::new(program).args(arguments).output()?;
    Ok(String::from_utf8(answer.stdout)?.trim().to_owned())
}

/// A time in ns with a unit that suits it.
fn time(ns: f64) -> String {
    match ns {
        _ if ns < 1e3 => format!("{ns:.1} ns"),
        _ if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        _ if ns < 1e9 => format!("{:.2} ms", ns / 1e6),
        _ => format!("{:.2} s", ns / 1e9),
    }
}
