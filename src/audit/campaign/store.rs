//! The store of a campaign: one SQLite file; the format is `spec/formats/campaign.md`.
//!
//! ```
//! use dp_assay::audit::campaign::plan::Plan;
//! use dp_assay::audit::campaign::store::Store;
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
//! let [one, two] = ["one.sqlite", "two.sqlite"].map(|name| folder.path().join(name));
//! let store = Store::open(&one, &plan)?;
//! store.record_events(0, &"an event")?;
//! store.record_chunk(0, 0, &[1_u64, 2, 3, 4])?;
//! assert_eq!(store.events::<String>(0)?, Some("an event".into()));
//! drop(store);
//!
//! // Another process's store of the same plan takes the rows over.
//! let other = Store::open(&two, &plan)?;
//! other.merge(&[one])?;
//! assert_eq!((other.counted(0)?, other.chunks::<Vec<u64>>(0)?), (vec![0], vec![vec![1, 2, 3, 4]]));
//! assert_eq!(Store::view(&two)?.1, plan);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::difference;
use super::plan::Plan;
use rusqlite::{
    Connection, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// Version of the store's format.
pub const SCHEMA: &str = "dp-assay/store/1";

const TABLES: &str = "
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE events (audit INTEGER PRIMARY KEY, events TEXT NOT NULL) STRICT;
    CREATE TABLE chunks (
        audit INTEGER NOT NULL, chunk INTEGER NOT NULL, counts TEXT NOT NULL,
        PRIMARY KEY (audit, chunk)
    ) STRICT, WITHOUT ROWID;";

/// How rows of either kind are read, written, and looked up: audit, chunk, text.
const ROWS: [[&str; 3]; 2] = [
    [
        "SELECT audit, NULL, events FROM events ORDER BY audit DESC",
        "INSERT OR IGNORE INTO events SELECT ?1, ?3 WHERE ?2 IS NULL",
        "SELECT events = ?3 AND ?2 IS NULL FROM events WHERE audit = ?1",
    ],
    [
        "SELECT audit, chunk, counts FROM chunks ORDER BY audit DESC, chunk DESC",
        "INSERT OR IGNORE INTO chunks VALUES (?1, ?2, ?3)",
        "SELECT counts = ?3 FROM chunks WHERE audit = ?1 AND chunk = ?2",
    ],
];

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database's own error: disk full, not a database, locked, …
    #[error("{}: {source}", file.display())]
    Database {
        /// The store.
        file: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// The store belongs to something else.
    #[error("{}: its {key} is `{found}`, not `{expected}`", file.display())]
    Foreign {
        /// The store.
        file: PathBuf,
        /// What differs: `schema` or `version`.
        key: &'static str,
        /// What the store says.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// The store belongs to another plan.
    #[error(
        "{}: it belongs to another plan; the difference, the store's first:\n{difference}",
        file.display()
    )]
    Plan {
        /// The store.
        file: PathBuf,
        /// A line for each value that differs.
        difference: String,
    },
    /// A row that this program did not write.
    #[error("{}: {row} is damaged: {reason}", file.display())]
    Damaged {
        /// The store.
        file: PathBuf,
        /// Which row.
        row: String,
        /// Why.
        reason: String,
    },
    /// The name is empty, or the working folder is gone.
    #[error("`{}`: {source}", file.display())]
    Name {
        /// The store.
        file: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A store cannot be united with itself.
    #[error("{}: this is the store that it would be merged into", .0.display())]
    Itself(PathBuf),
    /// Two stores disagree.
    #[error(
        "{} and {} disagree on {row}: one of them is not of this plan and version, or the program \
            under audit draws other outputs from the same seed",
        left.display(),
        right.display()
    )]
    Conflict {
        /// One store.
        left: PathBuf,
        /// The other.
        right: PathBuf,
        /// The row.
        row: String,
    },
}

/// An open store.
pub struct Store {
    file: PathBuf,
    database: Connection,
}

impl Store {
    /// Opens the store of a plan, making it if there is none. Whatever else is cut into audits and
    /// chunks may be kept in such a store too, with a plan of its own kind.
    ///
    /// # Errors
    /// The file is no store, or the store of another plan or version.
    pub fn open<P: Serialize>(file: &Path, plan: &P) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut store = Self::connect(file, flags)?;
        store.prepare(plan)?;
        Ok(store)
    }

    /// Opens the store of a plan if there is one; nothing is made.
    ///
    /// # Errors
    /// There is no such file, or it is no store, or that of another plan or version.
    pub fn of<P: Serialize>(file: &Path, plan: &P) -> Result<Self, StoreError> {
        let store = Self::existing(file)?;
        store.is_of(plan)?;
        Ok(store)
    }

    /// Opens an existing store to look at it, with the plan that it was made for.
    ///
    /// # Errors
    /// There is no such file, or it is no store of this version.
    pub fn view(file: &Path) -> Result<(Self, Plan), StoreError> {
        let store = Self::existing(file)?;
        let text = store.meta("plan")?.unwrap_or_default();
        let plan = store.read("the plan", &text)?;
        Ok((store, plan))
    }

    fn existing(file: &Path) -> Result<Self, StoreError> {
        // Not read-only: what a killed process left half-written must be rolled back before reading.
        // On a file that cannot be written SQLite reads only, of its own accord.
        let store = Self::connect(file, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        store.expect("schema", SCHEMA)?;
        store.expect("version", env!("CARGO_PKG_VERSION"))?;
        Ok(store)
    }

    fn connect(file: &Path, flags: OpenFlags) -> Result<Self, StoreError> {
        let database = Connection::open_with_flags(full(file)?, flags);
        Ok(Self {
            file: file.into(),
            database: database.map_err(|source| at(file, source))?,
        })
    }

    fn prepare<P: Serialize>(&mut self, plan: &P) -> Result<(), StoreError> {
        let file = self.file.clone();
        let at = |source| at(&file, source);
        // A killed process loses at most the chunk that it was counting; a power cut no more.
        self.database
            .pragma_update(None, "synchronous", "FULL")
            .map_err(at)?;
        self.database
            .busy_timeout(std::time::Duration::from_secs(30))
            .map_err(at)?;
        let transaction = self
            .database
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(at)?;
        let tables: i64 = transaction
            .query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
            .map_err(at)?;
        if tables == 0 {
            transaction.execute_batch(TABLES).map_err(at)?;
            for (key, value) in [
                ("schema", SCHEMA),
                ("version", env!("CARGO_PKG_VERSION")),
                ("plan", &json(plan)),
            ] {
                transaction
                    .execute("INSERT INTO meta VALUES (?1, ?2)", [key, value])
                    .map_err(at)?;
            }
        }
        transaction.commit().map_err(at)?;
        self.expect("schema", SCHEMA)?;
        self.expect("version", env!("CARGO_PKG_VERSION"))?;
        self.is_of(plan)
    }

    /// Refuses the store of another plan.
    fn is_of<P: Serialize>(&self, plan: &P) -> Result<(), StoreError> {
        let (found, asked) = (self.meta("plan")?.unwrap_or_default(), json(plan));
        match found == asked {
            true => Ok(()),
            false => Err(StoreError::Plan {
                file: self.file.clone(),
                difference: difference::between(&found, &asked),
            }),
        }
    }

    fn meta(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.database
            .query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| {
                row.get(0)
            })
            .optional()
            .map_err(|source| at(&self.file, source))
    }

    fn expect(&self, key: &'static str, expected: &str) -> Result<(), StoreError> {
        let found = self.meta(key)?.unwrap_or_default();
        if found == expected {
            return Ok(());
        }
        Err(StoreError::Foreign {
            file: self.file.clone(),
            key,
            found,
            expected: expected.into(),
        })
    }

    fn read<T: DeserializeOwned>(&self, row: &str, text: &str) -> Result<T, StoreError> {
        serde_json::from_str(text).map_err(|e| self.damaged(row, e.to_string()))
    }

    /// The error of a row that cannot be right.
    pub(super) fn damaged(&self, row: &str, reason: String) -> StoreError {
        StoreError::Damaged {
            file: self.file.clone(),
            row: row.into(),
            reason,
        }
    }

    /// What exploration chose for an audit, if it is done.
    ///
    /// # Errors
    /// The database's, or a damaged row.
    pub fn events<T: DeserializeOwned>(&self, audit: usize) -> Result<Option<T>, StoreError> {
        let text: Option<String> = self
            .database
            .query_row(
                "SELECT events FROM events WHERE audit = ?1",
                [audit as i64],
                |r| r.get(0),
            )
            .optional()
            .map_err(|source| at(&self.file, source))?;
        text.map(|text| self.read(&format!("events of audit {audit}"), &text))
            .transpose()
    }

    /// Records what exploration chose; a second record of the same audit changes nothing.
    ///
    /// # Errors
    /// The database's.
    pub fn record_events<T: Serialize>(&self, audit: usize, events: &T) -> Result<(), StoreError> {
        self.insert(
            "INSERT OR IGNORE INTO events VALUES (?1, ?2)",
            params![audit as i64, json(events)],
        )
    }

    /// Numbers of the chunks of an audit that have been counted, ascending.
    ///
    /// # Errors
    /// The database's.
    pub fn counted(&self, audit: usize) -> Result<Vec<u64>, StoreError> {
        let collect = || -> rusqlite::Result<Vec<u64>> {
            self.database
                .prepare_cached("SELECT chunk FROM chunks WHERE audit = ?1 ORDER BY chunk")?
                .query_map([audit as i64], |row| row.get::<_, i64>(0))?
                .map(|chunk| chunk.map(|c| c as u64))
                .collect()
        };
        collect().map_err(|source| at(&self.file, source))
    }

    /// Records a counted chunk; a second record of the same chunk changes nothing.
    ///
    /// # Errors
    /// The database's.
    pub fn record_chunk<T: Serialize>(
        &self,
        audit: usize,
        chunk: u64,
        counts: &T,
    ) -> Result<(), StoreError> {
        self.insert(
            "INSERT OR IGNORE INTO chunks VALUES (?1, ?2, ?3)",
            params![audit as i64, chunk as i64, json(counts)],
        )
    }

    /// The counts of all chunks of an audit, in ascending order of the chunks.
    ///
    /// # Errors
    /// The database's, or a damaged row.
    pub fn chunks<T: DeserializeOwned>(&self, audit: usize) -> Result<Vec<T>, StoreError> {
        let collect = || -> rusqlite::Result<Vec<(i64, String)>> {
            self.database
                .prepare_cached("SELECT chunk, counts FROM chunks WHERE audit = ?1 ORDER BY chunk")?
                .query_map([audit as i64], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        };
        collect()
            .map_err(|source| at(&self.file, source))?
            .iter()
            .map(|(chunk, text)| self.read(&format!("chunk {chunk} of audit {audit}"), text))
            .collect()
    }

    /// Takes over every row of other stores of the same plan, in one transaction: all of them or nothing.
    ///
    /// # Errors
    /// One of the files is no such store, or disagrees with this one or with another on a row.
    pub fn merge<F: AsRef<Path>>(&self, others: &[F]) -> Result<(), StoreError> {
        let here = |source| at(&self.file, source);
        let now = TransactionBehavior::Immediate;
        let transaction = Transaction::new_unchecked(&self.database, now).map_err(here)?;
        for other in others {
            self.take_over(other.as_ref())?;
        }
        transaction.commit().map_err(here)
    }

    /// Takes over every row of another store; what of it was written is undone if the transaction is.
    fn take_over(&self, other: &Path) -> Result<(), StoreError> {
        let theirs = Self::existing(other)?;
        theirs.expect("plan", &self.meta("plan")?.unwrap_or_default())?;
        let place = |file: &Path| file.canonicalize().ok();
        if place(other) == place(&self.file) {
            return Err(StoreError::Itself(other.into()));
        }
        for [select, insert, held] in ROWS {
            let mut rows = theirs.rows(select)?;
            while let Some((audit, chunk, text)) = rows.pop() {
                self.insert(insert, params![audit, chunk, text])?;
                let same = || -> rusqlite::Result<bool> {
                    let mut held = self.database.prepare_cached(held)?;
                    held.query_row(params![audit, chunk, text], |row| row.get(0))
                };
                if !same().map_err(|source| at(&self.file, source))? {
                    let row = match chunk {
                        Some(chunk) => format!("chunk {chunk} of audit {audit}"),
                        None => format!("the events of audit {audit}"),
                    };
                    return Err(StoreError::Conflict {
                        left: self.file.clone(),
                        right: other.into(),
                        row,
                    });
                }
            }
        }
        Ok(())
    }

    /// All rows of one kind, the last first.
    fn rows(&self, select: &str) -> Result<Vec<(i64, Option<i64>, String)>, StoreError> {
        let collect = || -> rusqlite::Result<Vec<_>> {
            let mut select = self.database.prepare(select)?;
            let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            rows.collect()
        };
        collect().map_err(|source| at(&self.file, source))
    }

    fn insert(&self, sql: &str, values: impl rusqlite::Params) -> Result<(), StoreError> {
        let insert = || self.database.prepare_cached(sql)?.execute(values);
        insert()
            .map(|_| ())
            .map_err(|source| at(&self.file, source))
    }
}

/// The path from the root: to SQLite an empty name and `:memory:` are no files.
fn full(file: &Path) -> Result<PathBuf, StoreError> {
    std::path::absolute(file).map_err(|source| StoreError::Name {
        file: file.into(),
        source,
    })
}

fn at(file: &Path, source: rusqlite::Error) -> StoreError {
    StoreError::Database {
        file: file.into(),
        source,
    }
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain structures serialise")
}

#[cfg(test)]
mod tests;
