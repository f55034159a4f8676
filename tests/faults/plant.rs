//! Planting faults in a copy of the repository, and running tests there.

use crate::list::{Fault, Listed};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A test that has not ended by then does not end.
const LIMIT: Duration = Duration::from_secs(300);

/// What became of a fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The named test turned red.
    Killed,
    /// It stayed green.
    Survived,
    /// It did not end within the limit.
    Endless,
    /// The fault does not compile, which kills nothing.
    NotCompiled,
}

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
            copy.write(file, &fs::read(file).expect("a file of the repository"));
        }
        copy.remove_others(&copy.root, &files);
        copy
    }

    fn write(&self, file: &str, content: &[u8]) {
        let path = self.root.join(file);
        if fs::read(&path).is_ok_and(|there| there == content) {
            return;
        }
        let folder = path.parent().expect("a file is in a folder");
        fs::create_dir_all(folder).expect("the copy is writable");
        fs::write(&path, content).expect("the copy is writable");
    }

    /// Removes files that the repository no longer has: a test finds sources by their folder.
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

    /// Runs all named tests without any fault.
    ///
    /// # Panics
    /// If one does not pass: it could not tell a fault from none.
    pub fn assert_green(&self, faults: &[Listed]) {
        let mut programs: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for Listed { fault, .. } in faults {
            programs.entry(&fault.test).or_default().insert(&fault.name);
        }
        for (program, names) in programs {
            let built = self.build(program).expect("the copy compiles");
            for name in names {
                let outcome = self.judge(&built, program, name);
                assert_eq!(
                    outcome,
                    Outcome::Survived,
                    "{program} {name} is not green by itself"
                );
            }
        }
    }

    /// Plants a fault, runs its test, and takes the fault away again.
    pub fn plant(&self, fault: &Fault) -> Outcome {
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        for edit in fault.edits() {
            let read = || fs::read_to_string(&edit.file).expect("a source file");
            let text = texts.entry(edit.file.clone()).or_insert_with(read);
            *text = text.replacen(&edit.find, &edit.replace, 1);
        }
        for (file, text) in &texts {
            self.write(file, text.as_bytes());
        }
        let outcome = match self.build(&fault.test) {
            Some(built) => self.judge(&built, &fault.test, &fault.name),
            None => Outcome::NotCompiled,
        };
        for file in texts.keys() {
            self.write(file, &fs::read(file).expect("a source file"));
        }
        outcome
    }

    /// Builds a test program; `None` if it does not compile.
    fn build(&self, program: &str) -> Option<PathBuf> {
        let (package, program) = match program.split_once(':') {
            Some((_, program)) => ("dp-assay-spec", program),
            None => ("dp-assay", program),
        };
        let which = if program == "lib" {
            vec!["--lib"]
        } else {
            vec!["--test", program]
        };
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo
            .args([
                "test",
                "--no-run",
                "--quiet",
                "--offline",
                "--message-format=json",
                "-p",
                package,
            ])
            .args(which)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_INCREMENTAL", "1")
            .current_dir(&self.root);
        if package == "dp-assay-spec" {
            // Its tests wait for GMP and MPFR, and a fault for its build.
            cargo.args(["--config", "profile.dev.package.dp-assay-spec.opt-level=0"]);
        }
        let answer = cargo.output().expect("cargo runs");
        if !answer.status.success() {
            return None;
        }
        let lines = String::from_utf8_lossy(&answer.stdout).into_owned();
        let executable = |line: &str| -> Option<PathBuf> {
            let message: serde_json::Value = serde_json::from_str(line).ok()?;
            let tests = message["profile"]["test"].as_bool()?;
            let path = message["executable"].as_str()?;
            tests.then(|| path.into())
        };
        lines.lines().rev().find_map(executable)
    }

    /// Runs one test, in the folder of its package as cargo does.
    fn judge(&self, built: &Path, program: &str, name: &str) -> Outcome {
        let package = if program.contains(':') {
            self.root.join("spec")
        } else {
            self.root.clone()
        };
        let said = self.target.join("said.txt");
        let mut test = Command::new(built);
        test.args(["--exact", name])
            .current_dir(package)
            .env_remove("DP_ASSAY_WRITE")
            .stdin(Stdio::null())
            .stdout(fs::File::create(&said).expect("the target folder is writable"))
            .stderr(Stdio::null());
        let mut running = test.spawn().expect("the test program runs");
        let began = Instant::now();
        let status = loop {
            if let Some(status) = running.try_wait().expect("it is a child") {
                break status;
            }
            if began.elapsed() > LIMIT {
                running.kill().expect("it is a child");
                running.wait().expect("it is a child");
                return Outcome::Endless;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let told = fs::read(&said).expect("it was made");
        let told = String::from_utf8_lossy(&told);
        assert!(
            told.contains("running 1 test\n"),
            "{program} has no test `{name}`: {told}"
        );
        if status.success() {
            Outcome::Survived
        } else {
            Outcome::Killed
        }
    }
}

fn run(command: &mut Command) -> Output {
    let answer = command.output().expect("the program is there");
    assert!(answer.status.success(), "{command:?}: {answer:?}");
    answer
}
