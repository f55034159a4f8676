//! A copy of the repository in which faults are planted and tests are run.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read, Seek};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What became of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A test turned red.
    Killed,
    /// None did.
    Survived,
    /// A test did not end within its limit.
    Endless,
    /// The fault does not compile, which kills nothing.
    NotCompiled,
    /// The fault is where none can be woven in, and was not run.
    Outside,
}

/// A package of the repository: what test programs of it are called before the colon, its name, its folder.
struct Package {
    prefix: &'static str,
    name: &'static str,
    folder: &'static str,
}

const PACKAGES: [Package; 3] = [
    Package {
        prefix: "kernel:",
        name: "dp-assay-kernel",
        folder: "spec/kernel",
    },
    Package {
        prefix: "spec:",
        name: "dp-assay-spec",
        folder: "spec",
    },
    Package {
        prefix: "",
        name: "dp-assay",
        folder: "",
    },
];

impl Package {
    /// The package of a test program, and what it is called there.
    fn of(program: &str) -> (&'static Self, &str) {
        PACKAGES
            .iter()
            .find_map(|package| Some((package, program.strip_prefix(package.prefix)?)))
            .expect("the last prefix is empty")
    }
}

/// The folder with the sources of the package that `file` belongs to, if it is one of them.
pub fn sources(file: &str) -> Option<PathBuf> {
    let folders = PACKAGES.iter().map(|p| Path::new(p.folder).join("src"));
    folders
        .into_iter()
        .find(|src| Path::new(file).starts_with(src))
}

/// One run of a test, with the processor's time that it took.
pub struct Run {
    pub outcome: Outcome,
    pub time: Duration,
}

/// How a test is run: with the number of the woven change that is awake, or 0; for how much of the processor's time at
/// most; and where it notes what it reaches.
pub struct How<'a> {
    pub awake: u32,
    pub limit: Duration,
    pub trace: Option<&'a Path>,
}

/// Test programs by their names.
pub type Built = BTreeMap<String, PathBuf>;

/// A copy of the repository with a target folder of its own.
pub struct Copy {
    root: PathBuf,
    target: PathBuf,
}

impl Copy {
    /// Copies what the repository holds, as it is in the working tree. Files that are there already keep
    /// their times if they are equal, so that little is built again.
    pub fn make() -> Self {
        let place = std::env::var_os("DP_ASSAY_FAULTS_TARGET");
        let place = place.map_or_else(|| PathBuf::from("target/faults"), PathBuf::from);
        fs::create_dir_all(&place).expect("the target folder is writable");
        let place = place.canonicalize().expect("it was made");
        let copy = Self {
            root: place.join("copy"),
            target: place.join("target"),
        };
        let listed = run(Command::new("git").args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ]));
        let listed = String::from_utf8(listed.stdout).expect("names are text");
        let files: BTreeSet<&str> = listed
            .split('\0')
            .filter(|name| Path::new(name).is_file())
            .collect();
        for file in &files {
            copy.restore(file);
        }
        copy.remove_others(&copy.root, &files);
        copy
    }

    /// Writes a file of the copy, unless that stands there already.
    pub fn write(&self, file: &str, content: &[u8]) {
        let path = self.root.join(file);
        if fs::read(&path).is_ok_and(|there| there == content) {
            return;
        }
        let folder = path.parent().expect("a file is in a folder");
        fs::create_dir_all(folder).expect("the copy is writable");
        fs::write(&path, content).expect("the copy is writable");
    }

    /// What stands in a file of the copy.
    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.root.join(file)).expect("a file of the copy")
    }

    /// Makes a file of the copy what it is in the repository.
    fn restore(&self, file: &str) {
        self.write(file, &fs::read(file).expect("a file of the repository"));
    }

    /// Removes files that the repository does not have: a test finds sources by their folder.
    fn remove_others(&self, folder: &Path, files: &BTreeSet<&str>) {
        for entry in fs::read_dir(folder)
            .expect("a folder of the copy")
            .flatten()
        {
            let path = entry.path();
            let name = path.strip_prefix(&self.root).expect("it is in the copy");
            if path.is_dir() {
                self.remove_others(&path, files);
            } else if !files.contains(name.to_string_lossy().as_ref()) {
                fs::remove_file(&path).expect("the copy is writable");
            }
        }
    }

    fn cargo(&self, arguments: &[&str]) -> (bool, Vec<Value>) {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .args(arguments)
            .args(["--quiet", "--offline", "--message-format=json"])
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_INCREMENTAL", "1")
            .stderr(Stdio::null())
            .current_dir(&self.root);
        let answer = cargo.output().expect("cargo runs");
        let lines = String::from_utf8_lossy(&answer.stdout).into_owned();
        let messages = lines.lines().flat_map(serde_json::from_str);
        (answer.status.success(), messages.collect())
    }

    /// What the compiler objects to in the packages of these files, without their tests.
    pub fn errors(&self, files: impl Iterator<Item = impl AsRef<str>>) -> Vec<Value> {
        let folders: BTreeSet<_> = files.filter_map(|file| sources(file.as_ref())).collect();
        let mut errors = Vec::new();
        for package in &PACKAGES {
            if !folders.contains(&Path::new(package.folder).join("src")) {
                continue;
            }
            let bins = package.folder.is_empty().then_some("--bins");
            let arguments = ["check", "-p", package.name, "--lib"];
            let (fine, messages) =
                self.cargo(&arguments.into_iter().chain(bins).collect::<Vec<_>>());
            let before = errors.len();
            errors.extend(messages.into_iter().map(|mut m| m["message"].take()));
            errors.retain(|m| m["level"] == "error");
            assert!(
                fine || errors.len() > before,
                "cargo fails without an error"
            );
        }
        errors
    }

    /// Builds test programs; `None` if one does not compile.
    pub fn build(&self, programs: &BTreeSet<&str>) -> Option<Built> {
        let mut built = Built::new();
        for package in &PACKAGES {
            let own: Vec<_> = programs
                .iter()
                .filter(|program| Package::of(program).0.name == package.name)
                .collect();
            if own.is_empty() {
                continue;
            }
            let mut arguments = vec!["test", "--no-run", "-p", package.name];
            for program in &own {
                match Package::of(program).1 {
                    "lib" => arguments.push("--lib"),
                    program => arguments.extend(["--test", program]),
                }
            }
            let (fine, messages) = self.cargo(&arguments);
            if !fine {
                return None;
            }
            for message in messages.iter().filter(|m| m["profile"]["test"] == true) {
                let target = &message["target"];
                let library = target["kind"].as_array().is_some_and(|k| k[0] == "lib");
                let name = target["name"].as_str().filter(|_| !library);
                let program = format!("{}{}", package.prefix, name.unwrap_or("lib"));
                if let Some(path) = message["executable"].as_str() {
                    built.insert(program, path.into());
                }
            }
        }
        Some(built)
    }

    /// The names of a program's tests: of those that are ignored only what `.ci/run` runs.
    pub fn tests(&self, built: &Built, program: &str) -> Vec<String> {
        let listed = |more: &[&str]| -> BTreeSet<String> {
            let arguments = ["--list", "--format", "terse"];
            let mut command = Command::new(&built[program]);
            let told = run(command.args(arguments).args(more)).stdout;
            let lines = String::from_utf8_lossy(&told).into_owned();
            let name = |line: &str| Some(line.strip_suffix(": test")?.to_owned());
            lines.lines().filter_map(name).collect()
        };
        let mut ignored = listed(&["--ignored"]);
        ignored.retain(|name| !name.ends_with("_at_length"));
        listed(&[]).difference(&ignored).cloned().collect()
    }

    /// Runs one test, in the folder of its package as cargo does, and what it starts.
    pub fn run(&self, built: &Built, program: &str, name: &str, how: &How<'_>) -> Run {
        let mut said = tempfile::tempfile().expect("there is room for a file");
        // What is wrong may ask for any amount of memory, or never end.
        let seconds = how.limit.as_secs() + 1;
        let limited = format!("ulimit -v 8000000; ulimit -t {seconds}; exec \"$0\" \"$@\"");
        let mut test = Command::new("sh");
        test.args(["-c", &limited])
            .arg(&built[program])
            .args(["--exact", "--include-ignored", name])
            .current_dir(self.root.join(Package::of(program).0.folder))
            .env_remove("DP_ASSAY_WRITE")
            .env("INSTA_UPDATE", "no")
            .env("PLANTED_AWAKE", how.awake.to_string())
            .stdin(Stdio::null())
            .stdout(said.try_clone().expect("the file is open"))
            .stderr(Stdio::null())
            .process_group(0);
        if let Some(path) = how.trace {
            test.env("PLANTED_TRACE", path);
        }
        let running = test.spawn().expect("the test program runs");
        let (passed, time) = ended(running, PATIENCE * how.limit);
        let mut told = Vec::new();
        said.rewind().expect("a file has a beginning");
        said.read_to_end(&mut told).expect("it was written");
        let told = String::from_utf8_lossy(&told);
        assert!(
            told.contains("running 1 test\n"),
            "{program} has no test `{name}`: {told}"
        );
        let outcome = match passed {
            None => Outcome::Endless,
            Some(true) => Outcome::Survived,
            Some(false) => Outcome::Killed,
        };
        Run { outcome, time }
    }
}

/// How much longer than its time on a processor a test may wait for one, or for others.
const PATIENCE: u32 = 20;

/// The signal at a limit of the processor's time.
const KILL: i32 = 9;

/// Whether a process that was not waited for has ended, and the processor's time of it and of all that it waited for.
fn state(id: u32) -> (bool, Duration) {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).expect("Linux tells of processes");
    let (_, fields) = stat.rsplit_once(')').expect("a name in brackets");
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks = fields[11..15].iter().flat_map(|field| field.parse::<u64>());
    (
        fields[0] == "Z",
        Duration::from_millis(10 * ticks.sum::<u64>()),
    )
}

/// Whether a process that leads its group ended well, and the processor's time that it took; `None` if it does not end
/// in time, and is killed: with its group by this one, or alone by the system, which counts what it computes.
fn ended(mut running: Child, limit: Duration) -> (Option<bool>, Duration) {
    let began = Instant::now();
    loop {
        let (over, time) = state(running.id());
        if over {
            let status = running.wait().expect("it is a child");
            let passed = (status.signal() != Some(KILL)).then(|| status.success());
            return (passed, time);
        }
        if began.elapsed() > limit {
            let group = format!("-{}", running.id());
            run(Command::new("kill").args(["-KILL", "--", &group]));
            running.wait().expect("it is a child");
            return (None, time);
        }
        let pause = began.elapsed() / 20;
        std::thread::sleep(pause.clamp(Duration::from_millis(1), Duration::from_millis(20)));
    }
}

fn run(command: &mut Command) -> Output {
    let answer = command.output().expect("the program is there");
    assert!(answer.status.success(), "{command:?}: {answer:?}");
    answer
}
