//! What long campaigns find, written to `tests/data`, or where the product reads it: comment lines that say what ran, when and on which
//! code, then a table. A campaign is an `#[ignore]`d test that writes its file; a test of the gate
//! reads it.

use serde::{Serialize, de::DeserializeOwned};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A campaign's table with its origin.
pub struct Stored<R> {
    file: String,
    /// The command that repeats the campaign.
    command: String,
    /// The day it began, in UTC.
    date: String,
    /// The last commit that changed the code under test.
    commit: String,
    /// What else its head says, each with its name.
    notes: Vec<(String, String)>,
    /// One row for each thing counted.
    pub rows: Vec<R>,
}

/// Where the code under test is.
const CODE: [&str; 3] = ["src", "spec/src", "spec/kernel/src"];

impl<R: Serialize + DeserializeOwned> Stored<R> {
    /// The empty table of a campaign that begins now.
    ///
    /// # Panics
    /// If the code is not as committed: no commit would name what ran.
    pub fn begin(file: &str, command: &str) -> Self {
        let of_code = |arguments: &[&str]| said_by("git", &[arguments, &["--"], &CODE].concat());
        let changed = of_code(&["diff", "--name-only", "HEAD"]);
        assert_eq!(changed, "", "commit the code before a campaign on it");
        Self {
            file: file.to_owned(),
            command: command.to_owned(),
            date: said_by("date", &["-u", "+%F"]),
            commit: of_code(&["log", "-1", "--format=%H"]),
            notes: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// The table of a campaign that goes on: with the rows and notes that are kept, if they were found on the code as it is.
    ///
    /// # Panics
    /// As [`Self::begin`] and [`Self::read`].
    #[allow(dead_code, reason = "not every test program goes on")]
    pub fn resume(file: &str, command: &str) -> Self {
        let mut begun = Self::begin(file, command);
        if path(file).exists() {
            let kept = Self::read(file);
            if kept.commit == begun.commit {
                (begun.rows, begun.notes) = (kept.rows, kept.notes);
            }
        }
        begun
    }

    /// Adds a row and writes the table so far, so that a campaign that is stopped keeps what it has.
    pub fn push(&mut self, row: R) {
        self.rows.push(row);
        self.write();
    }

    /// Has the table's head say something under a name, instead of what it said there.
    #[allow(dead_code, reason = "not every test program says more")]
    pub fn note(&mut self, name: &str, text: &str) {
        let note = (name.to_owned(), text.to_owned());
        match self.notes.iter_mut().find(|(known, _)| known == name) {
            Some(known) => *known = note,
            None => self.notes.push(note),
        }
    }

    /// What the table's head says under a name.
    #[allow(dead_code, reason = "not every test program says more")]
    pub fn noted(&self, name: &str) -> Option<&str> {
        let found = self.notes.iter().find(|(known, _)| known == name);
        found.map(|(_, text)| text.as_str())
    }

    /// Writes the table as it is.
    pub fn write(&self) {
        let mut table = csv::Writer::from_writer(Vec::new());
        for row in &self.rows {
            table.serialize(row).expect("rows of plain fields");
        }
        let table = table.into_inner().expect("memory");
        let table = String::from_utf8(table).expect("text");
        let Self {
            command,
            date,
            commit,
            notes,
            ..
        } = self;
        let notes: String = { notes.iter() }
            .map(|(name, text)| format!("# {name}: {text}\n"))
            .collect();
        let text =
            format!("# command: {command}\n# date: {date}\n# commit: {commit}\n{notes}{table}");
        std::fs::write(path(&self.file), text).expect("the source tree is writable");
    }

    /// The table that was kept.
    ///
    /// # Panics
    /// If there is none, or it does not say when it was made and on which code.
    pub fn read(file: &str) -> Self {
        let text = std::fs::read_to_string(path(file));
        let text = text.unwrap_or_else(|e| panic!("{file}: {e}; run its campaign"));
        let origin = |name: &str| {
            let start = format!("# {name}: ");
            let found = text.lines().find_map(|line| line.strip_prefix(&start));
            found
                .unwrap_or_else(|| panic!("{file} does not say its {name}"))
                .to_owned()
        };
        let heads = { text.lines() }.map_while(|line| line.strip_prefix("# ")?.split_once(": "));
        let more = heads.filter(|(name, _)| !["command", "date", "commit"].contains(name));
        let mut table = csv::ReaderBuilder::new();
        let mut table = table.comment(Some(b'#')).from_reader(text.as_bytes());
        let rows = table.deserialize().collect::<Result<_, _>>();
        let stored = Self {
            file: file.to_owned(),
            command: origin("command"),
            date: origin("date"),
            commit: origin("commit"),
            notes: more
                .map(|(name, text)| (name.into(), text.into()))
                .collect(),
            rows: rows.unwrap_or_else(|e| panic!("{file}: {e}")),
        };
        let Self { date, commit, .. } = &stored;
        let hex = commit.bytes().all(|b| b.is_ascii_hexdigit());
        assert!(hex && commit.len() == 40, "{file}: `{commit}` is no commit");
        let digits: Vec<&str> = date.split('-').collect();
        assert!(
            digits.iter().map(|d| d.len()).eq([4, 2, 2]),
            "{file}: `{date}` is no day"
        );
        stored
    }
}

/// Where a table is: a name alone is one of `tests/data`. Cargo runs tests in the folder of their package.
fn path(file: &str) -> PathBuf {
    match file.contains('/') {
        true => file.into(),
        false => Path::new("tests/data").join(file),
    }
}

/// What a program prints.
fn said_by(program: &str, arguments: &[&str]) -> String {
    let answer = Command::new(program).args(arguments).output();
    let answer = answer.unwrap_or_else(|e| panic!("{program}: {e}"));
    assert!(
        answer.status.success(),
        "{program} {arguments:?}: {answer:?}"
    );
    String::from_utf8_lossy(&answer.stdout).trim().to_owned()
}
