//! A campaign, or an experiment, on a Slurm cluster: scripts for `sbatch`; what they rely on is in
//! `spec/formats/campaign.md`.
//!
//! ```
//! use dp_assay::audit::campaign::plan::Plan;
//! use dp_assay::audit::campaign::slurm::{Scripts, TimeLimit, Work};
//!
//! let plan = Plan::parse(r#"
//!     schema = "dp-assay/plan/1"
//!     seed = 7
//!     [[audit]]
//!     name = "response"
//!     mechanism = "response"
//!     claim = { epsilon = 0.5, delta = 0.0 }
//!     pairs = 4096
//! "#)?;
//! let folder = tempfile::tempdir()?;
//! let scripts = Scripts {
//!     program: "/usr/bin/dp-assay".into(),
//!     folder: folder.path().into(),
//!     work: Work::campaign(&plan, folder.path().join("plan.toml"), folder.path().join("store.sqlite")),
//!     shards: 1,
//!     cpus: 2,
//!     time: Some("1-12".parse()?), // a day and 12 hours
//! };
//! let jobs = folder.path().join("jobs");
//! scripts.write(&jobs)?;
//! assert!(jobs.join("submit.sh").exists());
//! // The plan has one chunk of work, too little for two shards.
//! assert!(Scripts { shards: 2, ..scripts }.write(&folder.path().join("more")).is_err());
//! assert!("a day".parse::<TimeLimit>().is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::plan::Plan;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What the scripts are written from. Every path is absolute.
#[derive(Clone, Debug)]
pub struct Scripts {
    /// The program, at the same place on every node.
    pub program: PathBuf,
    /// Where the shards work: the folder in which a program under audit finds its own files.
    pub folder: PathBuf,
    /// What is shared out.
    pub work: Work,
    /// Number of shards, each a task of the job array.
    pub shards: u64,
    /// Processors of one shard.
    pub cpus: u16,
    /// How long a job may run; if absent, as the cluster decides.
    pub time: Option<TimeLimit>,
}

/// What the shards do.
#[derive(Clone, Debug)]
pub enum Work {
    /// Audits.
    Campaign {
        /// The plan.
        plan: PathBuf,
        /// The store that the shards are merged into.
        store: PathBuf,
        /// The chunks of the longest audit.
        chunks: u64,
    },
    /// Experiments.
    Experiment {
        /// Their name and their options, but for where to write.
        words: Vec<String>,
        /// The folder of the results.
        out: PathBuf,
        /// The cells of the one that has most.
        cells: u64,
    },
}

impl Work {
    /// The audits of a plan, which stands in the file `file`.
    #[must_use]
    pub fn campaign(plan: &Plan, file: PathBuf, store: PathBuf) -> Self {
        let chunks = plan.audits.iter().map(super::plan::Entry::chunks).max();
        Self::Campaign {
            plan: file,
            store,
            chunks: chunks.unwrap_or(0),
        }
    }

    /// What there is to share out, and what it is.
    const fn pieces(&self) -> (u64, &'static str) {
        match self {
            Self::Campaign { chunks, .. } => (*chunks, "the chunks of the longest audit"),
            Self::Experiment { cells, .. } => (*cells, "the cells of the largest experiment"),
        }
    }
}

/// A time limit as Slurm writes it: `minutes`, `minutes:seconds`, `hours:minutes:seconds`,
/// `days-hours`, `days-hours:minutes` or `days-hours:minutes:seconds`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeLimit(String);

impl std::str::FromStr for TimeLimit {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let (days, clock) = s.split_once('-').unwrap_or(("0", s));
        let number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let parts = clock.split(':').count();
        if parts <= 3 && number(days) && clock.split(':').all(number) {
            Ok(Self(s.into()))
        } else {
            Err(format!(
                "`{s}` is no time limit of Slurm: minutes, hours:minutes:seconds or days-hours"
            ))
        }
    }
}

/// Why no scripts are written.
#[derive(Debug, thiserror::Error)]
pub enum SlurmError {
    /// Some shards would have nothing to do, or there is none.
    #[error("shards = {shards} must lie between 1 and {pieces}, {what}")]
    Shards {
        /// What was asked for.
        shards: u64,
        /// What there is to share out.
        pieces: u64,
        /// What that is.
        what: &'static str,
    },
    /// A path that a script cannot spell.
    #[error("{0:?} is not UTF-8: it cannot be written into a script")]
    NotText(PathBuf),
    /// There is something already.
    #[error("{}: exists already; name another folder, or remove it", .0.display())]
    Occupied(PathBuf),
    /// The file system's own error.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The folder of the scripts.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl Scripts {
    /// Makes the folder `out` (absolute; absent or empty) with `array.sh`, `merge.sh` and
    /// `submit.sh`, and with empty folders for the shards' stores and for the logs: all of it or
    /// nothing.
    ///
    /// # Errors
    /// There is no work for so many shards, a path is not UTF-8, or `out` exists and is not empty or
    /// cannot be made.
    pub fn write(&self, out: &Path) -> Result<(), SlurmError> {
        let ((pieces, what), shards) = (self.work.pieces(), self.shards);
        if !(1..=pieces).contains(&shards) {
            return Err(SlurmError::Shards {
                shards,
                pieces,
                what,
            });
        }
        let files = [
            ("array.sh", self.array(out)?),
            ("merge.sh", self.merge(out)?),
            ("submit.sh", SUBMIT.into()),
        ];
        let (Some(parent), Some(name)) = (out.parent(), out.file_name()) else {
            return Err(SlurmError::Occupied(out.into()));
        };
        let draft = format!(".{}.part-{}", name.to_string_lossy(), std::process::id());
        let draft = parent.join(draft);
        // Renaming replaces an empty folder, and nothing else.
        let made = fill(&draft, &files).and_then(|()| fs::rename(&draft, out));
        made.map_err(|source| {
            // The draft may not exist; what matters is the first error.
            let _ = fs::remove_dir_all(&draft);
            match source.kind() {
                io::ErrorKind::DirectoryNotEmpty
                | io::ErrorKind::NotADirectory
                | io::ErrorKind::AlreadyExists => SlurmError::Occupied(out.into()),
                _ => SlurmError::Io {
                    path: out.into(),
                    source,
                },
            }
        })
    }

    /// The job array: one task for each shard.
    fn array(&self, out: &Path) -> Result<String, SlurmError> {
        let out = quoted(out)?;
        let (job, command, store) = match &self.work {
            Work::Campaign { plan, .. } => {
                let store = format!(r#"--store {out}/shards/"$shard.sqlite""#);
                ("campaign", format!("campaign run {}", quoted(plan)?), store)
            }
            Work::Experiment { words, .. } => {
                let folder = format!(r#"--out {out}/shards/"$shard""#);
                ("experiment", experiment(words), folder)
            }
        };
        let end = match &self.work {
            Work::Campaign { .. } => CAMPAIGN_END,
            Work::Experiment { .. } => "exit \"$status\"",
        };
        let (head, of) = (self.head(job, "shard-%a"), self.shards);
        let (program, folder) = (quoted(&self.program)?, quoted(&self.folder)?);
        Ok(format!(
            r#"{head}#SBATCH --array=0-{last}
#SBATCH --cpus-per-task={cpus}
# One shard. A task that is requeued goes on with what its store holds.
set -euo pipefail
shard=$SLURM_ARRAY_TASK_ID
export RAYON_NUM_THREADS=$SLURM_CPUS_PER_TASK
cd {folder}
status=0
{program} --quiet {command} \
    --shard "$shard/{of}" {store} || status=$?
# Killed, as for want of memory: back to the queue, three times at most.
if ((status > 128 && ${{SLURM_RESTART_COUNT:-0}} < 3)); then
    scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_$shard"
fi
{end}
"#,
            last = self.shards - 1,
            cpus = self.cpus,
        ))
    }

    /// The job that merges the shards and prints or writes the result.
    fn merge(&self, out: &Path) -> Result<String, SlurmError> {
        let (program, folder, out) = (quoted(&self.program)?, quoted(&self.folder)?, quoted(out)?);
        let last = self.shards - 1;
        let (job, text) = match &self.work {
            Work::Campaign { plan, store, .. } => {
                let (plan, store) = (quoted(plan)?, quoted(store)?);
                let text = format!(
                    r#"# Unites the shards and prints the result; its exit code is the campaign's: 1 for a violation, 3 if an audit was inconclusive.
set -euo pipefail
{program} --quiet campaign merge {plan} --store {store} \
    {out}/shards/{{0..{last}}}.sqlite
{program} --quiet campaign report {plan} --store {store}
"#
                );
                ("campaign-merge", text)
            }
            Work::Experiment {
                words,
                out: results,
                ..
            } => {
                let (command, results) = (experiment(words), quoted(results)?);
                let text = format!(
                    r#"# Unites the shards and writes the results.
set -euo pipefail
cd {folder}
{program} --quiet {command} --out {results} \
    --merge {out}/shards/{{0..{last}}}
"#
                );
                ("experiment-merge", text)
            }
        };
        Ok(format!(
            "{}#SBATCH --kill-on-invalid-dep=yes\n{text}",
            self.head(job, "merge")
        ))
    }

    /// What both jobs ask of Slurm. Logs are named relative to the folder of the scripts, whose own
    /// name may hold what Slurm would take for a pattern.
    fn head(&self, job: &str, log: &str) -> String {
        let time = self.time.as_ref();
        let time = time.map_or(String::new(), |t| format!("#SBATCH --time={}\n", t.0));
        format!(
            "#!/usr/bin/env bash\n#SBATCH --job-name={job}\n#SBATCH --output=logs/{log}.log\n\
             #SBATCH --open-mode=append\n#SBATCH --requeue\n{time}"
        )
    }
}

const CAMPAIGN_END: &str = r#"# 1 and 3 are what an audit that ended in this shard found: answers, not failures.
exit "$((status == 1 || status == 3 ? 0 : status))""#;

const SUBMIT: &str = r#"#!/usr/bin/env bash
# Submits the shards, and the merge for when all of them have ended well. Options of sbatch that are
# given here (--partition, --account, ...) go to both. May be run again: what is counted stays so.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
shards=$(sbatch --parsable "$@" array.sh)
shards=${shards%%;*} # without the cluster's name
echo "shards: job $shards"
merge=$(sbatch --parsable "$@" --dependency="afterok:$shards" merge.sh)
echo "merge: job ${merge%%;*}"
"#;

/// Makes a folder with these files and the empty folders that the jobs write to.
fn fill(folder: &Path, files: &[(&str, String)]) -> io::Result<()> {
    fs::create_dir(folder)?;
    for name in ["shards", "logs"] {
        fs::create_dir(folder.join(name))?;
    }
    for (name, text) in files {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}

/// A path as one word of the shell.
fn quoted(path: &Path) -> Result<String, SlurmError> {
    let text = path.to_str();
    Ok(word(text.ok_or_else(|| SlurmError::NotText(path.into()))?))
}

/// A text as one word of the shell.
fn word(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The subcommand with its words.
fn experiment(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|text| word(text)).collect();
    format!("experiment {}", words.join(" "))
}

#[cfg(test)]
mod tests;
