//! What long campaigns find, written to `tests/data`, or where the product reads it: comment lines that say what ran, when and on which
//! code, then a table. A campaign is an `#[ignore]`d test that writes its file; a test of the gate
//! reads it.

use serde::{Serialize, de::DeserializeOwned};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A campaign's table with its origin.
pub struct Stored<R> {
    file: &'static str,
    /// The command that repeats the campaign.
    command: String,
    /// The day it began, in UTC.
    date: String,
    /// The last commit that changed the code under test.
    commit: String,
    /// One row for each thing counted.
    pub rows: Vec<R>,
}

/// Where the code under test is.
const CODE: [&str; 2] = ["src", "spec/src"];

impl<R: Serialize + DeserializeOwned> Stored<R> {
    /// The empty table of a campaign that begins now.
    ///
    /// # Panics
    /// If the code is not as committed: no commit would name what ran.
    pub fn begin(file: &'static str, command: &str) -> Self {
        let changed = said_by(
            "git",
            &["diff", "--name-only", "HEAD", "--", CODE[0], CODE[1]],
        );
        assert_eq!(changed, "", "commit the code before a campaign on it");
        let last = ["log", "-1", "--format=%H", "--", CODE[0], CODE[1]];
        Self {
            file,
            command: command.to_owned(),
            date: said_by("date", &["-u", "+%F"]),
            commit: said_by("git", &last),
            rows: Vec::new(),
        }
    }

    /// Adds a row and writes the table so far, so that a campaign that is stopped keeps what it has.
    pub fn push(&mut self, row: R) {
        self.rows.push(row);
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
            ..
        } = self;
        let text = format!("# command: {command}\n# date: {date}\n# commit: {commit}\n{table}");
        std::fs::write(path(self.file), text).expect("the source tree is writable");
    }

    /// The table that was kept.
    ///
    /// # Panics
    /// If there is none, or it does not say when it was made and on which code.
    pub fn read(file: &'static str) -> Self {
        let text = std::fs::read_to_string(path(file));
        let text = text.unwrap_or_else(|e| panic!("{file}: {e}; run its campaign"));
        let origin = |name: &str| {
            let start = format!("# {name}: ");
            let found = text.lines().find_map(|line| line.strip_prefix(&start));
            found
                .unwrap_or_else(|| panic!("{file} does not say its {name}"))
                .to_owned()
        };
        let mut table = csv::ReaderBuilder::new();
        let mut table = table.comment(Some(b'#')).from_reader(text.as_bytes());
        let rows = table.deserialize().collect::<Result<_, _>>();
        let stored = Self {
            file,
            command: origin("command"),
            date: origin("date"),
            commit: origin("commit"),
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
