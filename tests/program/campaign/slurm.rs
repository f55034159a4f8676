//! `campaign slurm`: the scripts, their commands without Slurm, and a real Slurm.

use super::{counted, dump};
use dp_assay::audit::campaign::plan::Plan;
use dp_assay::audit::campaign::slurm::{Scripts, TimeLimit, Work};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Two audits of several chunks, and a violation that ends in the first shard alone: one chunk, in
/// which the accusation has a drift of more than 0.1 a pair, so that it is missed with probability
/// below 1e-9 (and the seed is fixed).
fn plan(pairs: [u64; 2]) -> String {
    let [laplace, sum] = pairs;
    format!(
        r#"
schema = "dp-assay/plan/1"
seed = 3
[[audit]]
name = "laplace"
mechanism = "laplace"
claim = {{ epsilon = 1.0, delta = 0.0 }}
pairs = {laplace}
explore = 5_000
[[audit]]
name = "a sum"
mechanism = "prefix-sum"
claim = {{ epsilon = 2.0, delta = 0.0 }}
pairs = {sum}
explore = 5_000
[[audit]]
name = "laplace that claims too much"
mechanism = "laplace"
claim = {{ epsilon = 0.1, delta = 0.0 }}
pairs = 4_000
"#
    )
}

/// Names of what is in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn scripts(shards: u64, pairs: [u64; 2]) -> Scripts {
    let plan = Plan::parse(&plan(pairs)).unwrap();
    Scripts {
        program: "/opt/dp assay/dp-assay".into(),
        folder: "/home/o'neill".into(),
        work: Work::campaign(
            &plan,
            "/home/o'neill/plan.toml".into(),
            "/data/$results/all.sqlite".into(),
        ),
        shards,
        cpus: 2,
        time: Some("1-12:00".parse().unwrap()),
    }
}

#[test]
fn the_scripts_are_plain_and_every_path_in_them_is_one_word() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("jobs");
    fs::create_dir(&out).unwrap(); // an empty folder is as good as none
    scripts(4, [20_000, 20_000]).write(&out).unwrap();
    let made = ["array.sh", "logs", "merge.sh", "shards", "submit.sh"];
    assert_eq!(
        (names(&out), names(folder.path())),
        (made.map(String::from).into(), vec!["jobs".into()])
    );
    let mut all = String::new();
    for name in ["array.sh", "merge.sh", "submit.sh"] {
        let file = out.join(name);
        let checked = Command::new("bash").arg("-n").arg(&file).output().unwrap();
        assert!(checked.status.success(), "{name}: {checked:?}");
        let text = fs::read_to_string(file).unwrap();
        all += &format!("== {name} ==\n{text}");
    }
    let all = all.replace(out.to_str().unwrap(), "/data/jobs");
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(all) });
}

#[test]
fn scripts_are_written_whole_or_not_at_all_and_never_over_others() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let scripts = |shards| scripts(shards, [20_000, 10_000]);
    let refused = |scripts: &Scripts, out: &Path| {
        let before = names(folder.path());
        let error = scripts.write(out).unwrap_err().to_string();
        assert_eq!(names(folder.path()), before, "{error}");
        error.replace(folder.path().to_str().unwrap(), "DIR")
    };
    for shards in [0, 6] {
        assert_eq!(
            refused(&scripts(shards), &at("jobs")),
            format!("shards = {shards} must lie between 1 and 5, the chunks of the longest audit")
        );
    }
    let strange = PathBuf::from(OsStr::from_bytes(b"/data/\xff"));
    let unwritable = Scripts {
        folder: strange,
        ..scripts(2)
    };
    assert_eq!(
        refused(&unwritable, &at("jobs")),
        "\"/data/\\xFF\" is not UTF-8: it cannot be written into a script"
    );
    assert_eq!(
        refused(&scripts(2), &at("no/jobs")),
        "cannot write DIR/no/jobs: No such file or directory (os error 2)"
    );
    fs::write(at("file"), "something").unwrap();
    scripts(5).write(&at("jobs")).unwrap();
    let before = fs::read_to_string(at("jobs/array.sh")).unwrap();
    for taken in ["file", "jobs"] {
        assert_eq!(
            refused(&scripts(2), &at(taken)),
            format!("DIR/{taken}: exists already; name another folder, or remove it")
        );
    }
    assert_eq!(fs::read_to_string(at("file")).unwrap(), "something");
    assert_eq!(fs::read_to_string(at("jobs/array.sh")).unwrap(), before);
}

#[test]
fn a_time_limit_is_one_of_slurms_six_forms() {
    for good in ["90", "90:30", "12:00:00", "2-0", "2-12:30", "2-12:30:00"] {
        assert!(good.parse::<TimeLimit>().is_ok(), "{good}");
    }
    for bad in [
        "",
        "soon",
        "1:2:3:4",
        "1-",
        "-1",
        "1:",
        "1.5",
        "1-2-3",
        "5\n#SBATCH --exclusive",
    ] {
        assert_eq!(
            bad.parse::<TimeLimit>().unwrap_err(),
            format!(
                "`{bad}` is no time limit of Slurm: minutes, hours:minutes:seconds or days-hours"
            )
        );
    }
}

/// A campaign in a folder of its own.
struct Campaign {
    folder: PathBuf,
}

impl Campaign {
    /// Writes the plan, works through it in one process, and writes the scripts for three shards.
    fn new(folder: PathBuf, pairs: [u64; 2]) -> Self {
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("plan.toml"), plan(pairs)).unwrap();
        let campaign = Self { folder };
        let whole = campaign.run(&["run", "plan.toml", "--store", "whole"]);
        assert_eq!(
            whole.status.code(),
            Some(1),
            "one audit is a violation: {whole:?}"
        );
        let wrote = campaign.run(&["slurm", "plan.toml", "--store", "merged", "--shards", "3"]);
        assert_eq!(
            String::from_utf8_lossy(&wrote.stdout),
            "Wrote array.sh, merge.sh and submit.sh to slurm; submit with: bash submit.sh\n",
            "{wrote:?}"
        );
        campaign
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dp-assay"));
        command.arg("campaign").args(arguments);
        command.current_dir(&self.folder).output().unwrap()
    }

    /// The jobs' numbers: the array's and the merge's.
    fn submit(&self, environment: &[(&str, &OsStr)]) -> [String; 2] {
        let mut command = Command::new("bash");
        command
            .arg(self.at("slurm/submit.sh"))
            .arg("--comment=a test");
        let said = command.envs(environment.iter().copied()).output().unwrap();
        assert!(said.status.success(), "{said:?}");
        let said = String::from_utf8(said.stdout).unwrap();
        let lines: Vec<&str> = said.lines().collect();
        let [array, merge] = lines[..] else {
            panic!("{said}")
        };
        let number = |line: &str, start| line.strip_prefix(start).unwrap().to_owned();
        [number(array, "shards: job "), number(merge, "merge: job ")]
    }

    /// The merged store is the one process's row by row, and its report byte by byte.
    fn assert_merged(&self) {
        assert_eq!(dump(&self.at("merged")), dump(&self.at("whole")));
        for format in ["json", "text", "junit"] {
            let report = |store| {
                let asked = ["report", "plan.toml", "--store", store, "--format", format];
                self.run(&asked).stdout
            };
            let (merged, whole) = (report("merged"), report("whole"));
            assert!(!whole.is_empty() && merged == whole, "{format}");
            let log = fs::read(self.at("slurm/logs/merge.log")).unwrap();
            assert!(format != "text" || log.ends_with(&whole));
        }
    }
}

#[test]
fn the_scripts_without_slurm_end_with_one_process_s_result_although_a_shard_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let campaign = Campaign::new(at("it's a $HOME, 100% \"wide\""), [700_000, 300_000]);
    for name in ["bin", "notes"] {
        fs::create_dir(at(name)).unwrap();
    }
    for (name, text) in [
        ("bin/sbatch", include_str!("sbatch.sh")),
        (
            "bin/scontrol",
            "#!/bin/sh\necho \"$@\" >> \"$NOTES/scontrol\"\n",
        ),
    ] {
        fs::write(at(name), text).unwrap();
        fs::set_permissions(at(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut path = at("bin").into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap());
    let notes = at("notes");
    let environment = [("PATH", path.as_os_str()), ("NOTES", notes.as_os_str())];
    // A second submission finds everything counted and changes nothing.
    for _ in 0..2 {
        assert_eq!(campaign.submit(&environment), ["7", "8"]);
        campaign.assert_merged();
        // Killed once, requeued once; the merge's exit code is the campaign's.
        let note = |name: &str| fs::read_to_string(notes.join(name)).unwrap();
        assert_eq!(
            (note("scontrol"), note("merge")),
            ("requeue 7_1\n".into(), "1\n".into())
        );
    }
    let (left, all) = (
        counted(&notes.join("1.sqlite")),
        counted(&campaign.at("slurm/shards/1.sqlite")),
    );
    assert!(
        0 < left && left < all,
        "{left} of {all} chunks were left by the kill"
    );
}

/// What the jobs do, without the cluster: the shards one after the other, and the merge.
#[test]
fn an_experiment_s_scripts_end_with_the_rows_of_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("it's a $HOME");
    fs::create_dir(&home).unwrap();
    let run = |command: &mut Command| {
        let done = command.current_dir(&home).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    let program = || Command::new(env!("CARGO_BIN_EXE_dp-assay"));
    let named = ["experiment", "skgd-sampling", "--seed", "5"];
    run(program().args(named).args(["--out", "whole"]));
    let cluster = ["--out", "merged", "--slurm", "jobs", "--shards", "2"];
    run(program().args(named).args(cluster));
    assert!(!home.join("merged").exists());
    for task in ["0", "1"] {
        let mut shard = Command::new("bash");
        shard.env("SLURM_ARRAY_TASK_ID", task);
        run(shard.env("SLURM_CPUS_PER_TASK", "1").arg("jobs/array.sh"));
    }
    run(Command::new("bash").arg("jobs/merge.sh"));
    let rows = |out: &str| {
        let text = fs::read_to_string(home.join(out).join("skgd-sampling.csv")).unwrap();
        let untimed = text.lines().filter(|line| !line.contains(",seconds,"));
        untimed.map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(rows("whole").len() > 10);
    assert_eq!(rows("whole"), rows("merged"));
    // Nothing was left to the merge.
    let cells = |out: &str| {
        let files = fs::read_dir(home.join(out)).unwrap();
        let store = files.map(|file| file.unwrap().path());
        let mut stores = store.filter(|path| path.extension() == Some(OsStr::new("sqlite")));
        let store = rusqlite::Connection::open(stores.next().unwrap()).unwrap();
        let asked = store.query_row("SELECT COUNT(*) FROM chunks", [], |row| {
            row.get::<_, i64>(0)
        });
        asked.unwrap()
    };
    let shards = ["jobs/shards/0", "jobs/shards/1"].map(cells);
    assert!(!shards.contains(&0), "{shards:?}");
    assert_eq!(shards.iter().sum::<i64>(), cells("whole"));
}

/// Runs a command of Slurm's and returns what it prints.
fn slurm(command: &str, arguments: &[&str]) -> String {
    let output = Command::new(command).args(arguments).output();
    let output = output.unwrap_or_else(|e| panic!("{command}: {e}; is Slurm installed?"));
    assert!(
        output.status.success(),
        "{command} {arguments:?}: {output:?}"
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Waits until something holds.
fn wait(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(
            start.elapsed() < Duration::from_secs(600),
            "waited in vain: {what}"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The process that works on a store: its arguments name it.
fn worker(store: &Path) -> Option<String> {
    let arguments = |pid: &str| fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let works = |pid: &String| {
        arguments(pid)
            .split(|b| *b == 0)
            .any(|word| word == store.as_os_str().as_bytes())
    };
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let mut pids = processes.filter_map(|entry| entry.file_name().into_string().ok());
    pids.find(works)
}

/// Needs a Slurm, which root starts from the project's folder on Debian by
///
/// ```sh
/// apt-get install --no-install-recommends munge slurmctld slurmd slurm-client
/// dir=$(mktemp -d) && mkdir "$dir/state" "$dir/spool"
/// sed "s|HOST|$(hostname -s)|; s|DIR|$dir|" tests/program/campaign/slurm.conf > "$dir/slurm.conf"
/// install -d -o munge -g munge /run/munge && runuser -u munge -- munged
/// export SLURM_CONF="$dir/slurm.conf"
/// slurmctld && slurmd && sleep 5 && sinfo   # one node, idle
/// cargo test --test program -- --ignored slurm
/// scontrol shutdown; kill "$(cat /run/munge/munged.pid)"
/// ```
#[test]
#[ignore = "minutes, and a running Slurm: its documentation says how to start one"]
fn on_a_real_slurm_a_killed_and_a_requeued_shard_end_with_one_process_s_result() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("it's a $HOME, 100% \"wide\"");
    let campaign = Campaign::new(name, [9_000_000, 3_000_000]);
    let [array, merge] = campaign.submit(&[]);
    let task = |i: u64| format!("{array}_{i}");
    let store = |i: u64| campaign.at(&format!("slurm/shards/{i}.sqlite"));
    // A store has rows of chunks when it has outgrown its tables.
    let begun = |i| fs::metadata(store(i)).is_ok_and(|file| file.len() > 20_480);
    wait("both shards count", || begun(0) && begun(1));

    let pid = worker(&store(0)).expect("shard 0 is counting");
    slurm("kill", &["-KILL", &pid]);
    assert!(worker(&store(1)).is_some(), "shard 1 is counting");
    slurm("scontrol", &["requeue", &task(1)]);
    let jobs = format!("--jobs={array},{merge}");
    wait("the jobs end", || {
        slurm("squeue", &["--noheader", &jobs]).is_empty()
    });

    let told = |job: &str| slurm("scontrol", &["show", "job", "--oneliner", job]);
    for (i, restarts) in [(0, 1), (1, 1), (2, 0)] {
        let told = told(&task(i));
        let well = told.contains("JobState=COMPLETED") && told.contains("ExitCode=0:0");
        assert!(
            well && told.contains(&format!(" Restarts={restarts} ")),
            "{told}"
        );
    }
    // The merge's exit code is the campaign's.
    assert!(told(&merge).contains(" ExitCode=1:0 "), "{}", told(&merge));
    campaign.assert_merged();
}
