//! What can be wrong with a data file: always the file, the line where there is one, the value and
//! the rule.

use crate::float::{VANISHES, vanishes};
use crate::problem::dataset::DatasetError;
use std::fmt;
use std::io;

/// A file that cannot be used, and why.
///
/// ```
/// use dp_assay::problem::load::{Options, read};
///
/// let csv = "age,group\n30,a\nold,b\n";
/// let error = read("people.csv", csv.as_bytes(), &Options::default()).expect_err("no age");
/// assert_eq!(error.file, "people.csv");
/// assert!(error.to_string().contains("`old` is not a number"));
/// ```
#[derive(Debug)]
pub struct LoadError {
    /// The file, as the caller named it.
    pub file: String,
    /// The line, counted from 1; `None` when the whole file is at fault.
    pub line: Option<u64>,
    /// What is wrong.
    pub problem: LoadProblem,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.problem),
            None => write!(f, "{}: {}", self.file, self.problem),
        }
    }
}

impl std::error::Error for LoadError {}

/// What is wrong with a file. Columns are counted from 0, features of an svmlight file from 1 as there, and records by their line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadProblem {
    /// The file cannot be opened.
    #[error("cannot open: {0}")]
    Open(io::Error),
    /// Reading fails.
    #[error("cannot read: {0}")]
    Read(io::Error),
    /// Compressed data that stops before its end mark, as a few bytes after it do, too.
    #[error("the gzip stream ends early: the file is truncated, or goes on after its end")]
    TruncatedGzip,
    /// Compressed data that is damaged, or is followed by what is none.
    #[error("the gzip stream is damaged, or other bytes follow it: {0}")]
    DamagedGzip(io::Error),
    /// Bytes that are not text.
    #[error("not UTF-8 text")]
    NotText,
    /// No record.
    #[error("no records")]
    NoRecords,
    /// Records without features.
    #[error("no features: every record has only its label")]
    NoFeatures,
    /// A field with nothing in it.
    #[error("{field} is empty")]
    Empty {
        /// The field.
        field: Field,
    },
    /// A field that is not a number.
    #[error("{field} = `{value}` is not a number")]
    NotANumber {
        /// The field.
        field: Field,
        /// Its text.
        value: String,
    },
    /// NaN or an infinity, or a number beyond the range of doubles.
    #[error("{field} = `{value}` is not finite")]
    NotFinite {
        /// The field.
        field: Field,
        /// Its text.
        value: String,
    },
    /// A number that is not 0 and yet would be read as 0.
    #[error("{field} = `{value}` is {VANISHES}")]
    Vanishes {
        /// The field.
        field: Field,
        /// Its text.
        value: String,
    },
    /// A svmlight entry that is not `index:value`.
    #[error("`{0}` is not of the form index:value, with index counted from 1")]
    Entry(String),
    /// A svmlight index that does not exceed the one before it.
    #[error("feature index {index} follows {previous}: indices must increase")]
    Order {
        /// The index.
        index: u64,
        /// The one before it.
        previous: u64,
    },
    /// A svmlight index beyond the agreed number of features.
    #[error("feature index {index} exceeds {limit}, the number of features expected or allowed")]
    Index {
        /// The index.
        index: u64,
        /// The largest allowed.
        limit: usize,
    },
    /// A first line that announces more features than the options allow.
    #[error("the first line announces {announced} features, more than {limit}, the number allowed")]
    Announced {
        /// Number announced.
        announced: usize,
        /// The largest allowed.
        limit: usize,
    },
    /// A CSV record of the wrong length.
    #[error("{found} fields, expected {expected} as in the first line of data")]
    Ragged {
        /// Its number of fields.
        found: usize,
        /// The number expected.
        expected: usize,
    },
    /// A field that goes on in the next line, as all that follows a quote without its twin does.
    #[error(
        "a field that begins with `{0}` goes on after the end of its line: a quote is missing, or \
         one too many"
    )]
    LineBreak(String),
    /// A number of features other than the one the caller expects.
    #[error("{found} features, expected {expected}")]
    Features {
        /// Number found.
        found: usize,
        /// Number expected.
        expected: usize,
    },
    /// A number of columns other than the one that was described.
    #[error(
        "{found} columns beside the label, expected {expected}: one for each that is described"
    )]
    Columns {
        /// Number found.
        found: usize,
        /// Number described.
        expected: usize,
    },
    /// Words that may be a header of other names, or a record.
    #[error(
        "the first line has no number and none of the known names ({0}), so that it may be a \
         header or a record: begin with a line of these names, or with a record that has a number"
    )]
    FirstLine(String),
    /// A header that announces another number of records.
    #[error(
        "{found} records, the first line announces {expected}: the file is truncated or extended"
    )]
    Records {
        /// Number found.
        found: usize,
        /// Number announced.
        expected: usize,
    },
    /// Two columns of one name: which is meant by it nobody knows.
    #[error("columns {first} and {second} (counted from 0) are both named `{name}`")]
    Twice {
        /// The name.
        name: String,
        /// Number of the first, counted from 0.
        first: usize,
        /// Number of the second.
        second: usize,
    },
    /// A label column that does not exist.
    #[error("no column {0}")]
    LabelColumn(String),
    /// A third class.
    #[error(
        "label `{value}` is a third value after `{first}` and `{second}`; two classes are needed"
    )]
    ThirdClass {
        /// The label.
        value: String,
        /// The first value seen.
        first: String,
        /// The second value seen.
        second: String,
    },
    /// Too many classes.
    #[error(
        "label `{value}` is a value beyond {limit} others; at most {limit} classes are told apart"
    )]
    Classes {
        /// The label.
        value: String,
        /// The most that may be.
        limit: usize,
    },
    /// A label that is none of the classes stated.
    #[error("label `{value}` is none of the classes stated: {stated}")]
    Unstated {
        /// The label.
        value: String,
        /// The classes.
        stated: String,
    },
    /// Stated classes that are none.
    #[error("classes `{0}` must be at least two names, none of them twice or empty")]
    Stated(String),
    /// A single class.
    #[error("all labels are `{0}`; two classes are needed")]
    OneClass(String),
    /// Numbers that do not make a data set.
    #[error(transparent)]
    Dataset(DatasetError),
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// The label.
    Label,
    /// A feature of an svmlight file, counted from 1.
    Feature(u64),
    /// A column of a CSV file that is a feature.
    Column {
        /// Its number among all columns, the label's too, counted from 0.
        number: usize,
        /// Its name, where the file has a header.
        name: Option<String>,
    },
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Label => f.write_str("the label"),
            Self::Feature(j) => write!(f, "feature {j}"),
            Self::Column { number, name } => match name {
                Some(name) => write!(f, "column {number} (`{name}`)"),
                None => write!(f, "column {number} (counted from 0)"),
            },
        }
    }
}

impl LoadProblem {
    /// The same of another field, where it is one's.
    pub(super) fn of(mut self, place: Field) -> Self {
        if let Self::Empty { field }
        | Self::NotANumber { field, .. }
        | Self::NotFinite { field, .. }
        | Self::Vanishes { field, .. } = &mut self
        {
            *field = place;
        }
        self
    }

    /// Sorts an I/O error: truncated and damaged gzip streams get their own words.
    pub(super) fn reading(error: io::Error, gzip: bool) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof if gzip => Self::TruncatedGzip,
            io::ErrorKind::InvalidData => Self::NotText,
            io::ErrorKind::InvalidInput if gzip => Self::DamagedGzip(error),
            _ => Self::Read(error),
        }
    }
}

/// A finite number, or what is wrong with its text.
pub(super) fn number(field: Field, text: &str) -> Result<f64, LoadProblem> {
    if text.is_empty() {
        return Err(LoadProblem::Empty { field });
    }
    let value = || text.to_owned();
    match text.parse::<f64>() {
        Ok(_) if vanishes(text) => Err(LoadProblem::Vanishes {
            field,
            value: value(),
        }),
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err(LoadProblem::NotFinite {
            field,
            value: value(),
        }),
        Err(_) => Err(LoadProblem::NotANumber {
            field,
            value: value(),
        }),
    }
}
