//! The data files of the papers, where they are there: each is used only if it is the known one.

use super::Input;
use crate::problem::load::LoadError;
use sha2::{Digest, Sha256};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The known files, with the SHA-256 of their bytes.
const KNOWN: [(&str, &str); 8] = [
    (
        "a9a.svm.gz",
        "b301f3e87350539f3ebc751d07b4691a8c66f0bf38c1d179c86bbf5e2d9623b2",
    ),
    (
        "cal_housing.csv.gz",
        "b2828a4e30b3d8eba3ffc9175a92327b57fc302812b75fbd84558d5ed94ba840",
    ),
    (
        "diabetes_data_raw.csv.gz",
        "a3e94cc7cea00f8a84fa5f6345203913a68efa42df18f87ddf9bead721bfd503",
    ),
    (
        "diabetes_target.csv.gz",
        "8e53f65eb811df43c206f3534bb3af0e5fed213bc37ed6ba36310157d6023803",
    ),
    (
        "madelon_train.data.gz",
        "95d0caa82babd069fbcb9e14ccd32e1f05513900e3249fa0ab5d3794fdcab29e",
    ),
    (
        "madelon_train.labels",
        "10bffcc3b017467cb810d326b931951adcbde2b4870faf981da2991993b48689",
    ),
    (
        "madelon_valid.data.gz",
        "9437799ad767e00fd429e62839f0bdfdcca84cbb71094eede43f6a547cd4e629",
    ),
    (
        "madelon_valid.labels",
        "fbac32fa87fac41ab731994a1c824e7b25396069bff6df242c01fe240fcb34dc",
    ),
];

/// What is wrong with a data file.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// It cannot be read.
    #[error("cannot read {}: {error}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It is another file.
    #[error(
        "{}: its SHA-256 is {found}, not {expected}; remove the file to run on a stand-in",
        file.display()
    )]
    Checksum {
        /// The file.
        file: PathBuf,
        /// Its checksum.
        found: String,
        /// The known one.
        expected: &'static str,
    },
    /// Its text is not what its checksum promises, which takes a file that is changed while it is read; also: a
    /// generator's numbers make no data set.
    #[error("{name}, line {line}: {reason}")]
    Content {
        /// The data set.
        name: String,
        /// The line, from 1; 0 for the whole.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The loader refuses it.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// What is wrong with a line of a data set (0: with all of it).
pub(super) fn bad(name: &str, line: usize, reason: &dyn Display) -> DataError {
    DataError::Content {
        name: name.to_owned(),
        line,
        reason: reason.to_string(),
    }
}

/// Where the data files are, if anywhere.
///
/// ```
/// use dp_assay::experiment::{DataError, Input, Shelf};
///
/// let folder = tempfile::tempdir()?;
/// let shelf = Shelf::at(folder.path());
/// assert!(shelf.check().is_ok() && shelf.find("a9a.svm.gz")?.is_none()); // nothing there yet
/// std::fs::write(folder.path().join("a9a.svm.gz"), b"something else")?;
/// assert!(matches!(shelf.find("a9a.svm.gz"), Err(DataError::Checksum { .. })));
/// assert!(Shelf::empty().find("a9a.svm.gz")?.is_none());
/// let input = Input::stand_in("a9a", "random numbers", "the file is not there");
/// assert!(input.stand_in.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    directory: Option<PathBuf>,
}

/// A file that is the known one.
#[derive(Clone, Debug)]
pub struct KnownFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its SHA-256.
    pub sha256: &'static str,
}

impl Shelf {
    /// A folder with some or all of the files.
    #[must_use]
    pub fn at(directory: &Path) -> Self {
        Self {
            directory: Some(directory.to_owned()),
        }
    }

    /// No files: everything runs on stand-ins.
    #[must_use]
    pub const fn empty() -> Self {
        Self { directory: None }
    }

    /// Makes sure, before anything is computed, that the folder is one and that all files in it of known names are the
    /// known files.
    ///
    /// # Errors
    /// There is no such folder; a file cannot be read, or is not the known one.
    pub fn check(&self) -> Result<(), DataError> {
        let Some(file) = self.directory.clone() else {
            return Ok(());
        };
        std::fs::read_dir(&file).map_err(|error| DataError::Read { file, error })?;
        KNOWN
            .iter()
            .try_for_each(|(name, _)| self.find(name).map(|_| ()))
    }

    /// The file of this name, or `None` where it is absent.
    ///
    /// # Errors
    /// It is there but cannot be read, or is not the known one.
    pub fn find(&self, name: &str) -> Result<Option<KnownFile>, DataError> {
        let Some((_, known)) = KNOWN.iter().find(|(file, _)| *file == name) else {
            return Ok(None);
        };
        let Some(path) = self.directory.as_ref().map(|dir| dir.join(name)) else {
            return Ok(None);
        };
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(DataError::Read { file: path, error }),
        };
        let found = sha256(&bytes);
        if found == *known {
            return Ok(Some(KnownFile {
                path,
                sha256: known,
            }));
        }
        Err(DataError::Checksum {
            file: path,
            found,
            expected: known,
        })
    }
}

/// The SHA-256 of some bytes, in hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Input {
    /// Files that were used.
    #[must_use]
    pub fn files(name: &str, files: &[&KnownFile]) -> Self {
        let describe = |file: &&KnownFile| {
            let name = file.path.file_name().unwrap_or_default();
            format!("{} (SHA-256 {})", name.to_string_lossy(), file.sha256)
        };
        let files: Vec<String> = files.iter().map(describe).collect();
        Self {
            name: name.to_owned(),
            source: files.join(", "),
            stand_in: None,
        }
    }

    /// Numbers made by the recipe that the paper gives, as far as it gives one.
    #[must_use]
    pub fn synthetic(name: &str, recipe: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            source: recipe.into(),
            stand_in: None,
        }
    }

    /// Numbers made in place of data that are not there.
    #[must_use]
    pub fn stand_in(name: &str, recipe: impl Into<String>, why: &str) -> Self {
        Self {
            stand_in: Some(why.to_owned()),
            ..Self::synthetic(name, recipe)
        }
    }
}
