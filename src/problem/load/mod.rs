//! Data files: svmlight and CSV, plain or gzipped.
//!
//! [`file()`] and [`read`] load a whole data set; [`Rows`] streams its records one by one. Nothing is
//! repaired silently: what is not a finite number, a known label or a record of the right length is
//! a [`LoadError`] that names file, line and value.
//!
//! - svmlight: one record a line, `label index:value …`, indices from 1 and increasing, `#` starts a comment; loads as a
//!   sparse design.
//! - CSV: one record a line, one column of it the label, with or without a header, fields between commas, semicolons, tabs
//!   or blanks; loads as a dense design. A first line `n,p,class,class`, as in the files of scikit-learn, is checked.
//!
//! ```
//! use dp_assay::problem::load::{self, LabelColumn, Options, Rows, Task};
//!
//! let csv = "age,height,group\n30,1.7,a\n40,1.8,b\n";
//! let data = load::read("people.csv", csv.as_bytes(), &Options::default())?;
//! assert_eq!((data.records(), data.features()), (2, 2));
//! assert_eq!(data.targets(), [-1.0, 1.0]); // a, b
//!
//! // The age from the height, row by row.
//! let csv = "age,height\n30,1.7\n40,1.8\n";
//! let label = LabelColumn::Name("age".into());
//! let options = Options { task: Task::Regression, label, ..Options::default() };
//! let mut rows = Rows::new("people.csv", csv.as_bytes(), &options)?;
//! let first = rows.next().expect("there are two")?;
//! assert_eq!(rows.target(&first)?, 30.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod classes;
mod column;
mod error;
mod known;
mod svmlight;
mod table;
#[cfg(test)]
mod tests;

pub use column::Column;
pub use error::{Field, LoadError, LoadProblem};
pub use svmlight::write_svmlight;

use super::dataset::Dataset;
use super::design::{Dense, Design, DesignError, Sparse};
use classes::Classes;
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// How to read a file.
#[derive(Clone, Debug)]
pub struct Options {
    /// The format.
    pub format: Format,
    /// What the labels are.
    pub task: Task,
    /// Which CSV column is the label.
    pub label: LabelColumn,
    /// Whether a CSV file starts with a header.
    pub header: Header,
    /// What separates CSV fields.
    pub delimiter: Delimiter,
    /// What the columns of a CSV file hold, but for the label's; numbers unless given.
    pub columns: Option<Vec<Column>>,
    /// Names of columns, by public knowledge. With [`Header::Auto`] a CSV file then has a header if its first line holds one of
    /// them, and else none: where columns may hold words, a record may look like a header, or like `n,p,class,class`.
    pub names: Option<Vec<String>>,
    /// The classes, by public knowledge; those that are met unless given.
    pub classes: Option<Vec<String>>,
    /// The number of features that the file must have (svmlight: may have at most).
    pub features: Option<usize>,
    /// The largest svmlight index, and the largest number of features that a first line may announce: a typing error must
    /// not ask for gigabytes.
    pub max_features: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            format: Format::Auto,
            task: Task::Classification,
            label: LabelColumn::Last,
            header: Header::Auto,
            delimiter: Delimiter::Auto,
            columns: None,
            names: None,
            classes: None,
            features: None,
            max_features: 1 << 24,
        }
    }
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// By the name (`.svm`, `.svmlight`, `.libsvm`, `.csv`, each possibly `.gz`); failing that,
    /// svmlight if the first line of data has a `:` and no delimiter.
    Auto,
    /// svmlight.
    Svmlight,
    /// CSV.
    Csv,
}

/// What separates CSV fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// By the first line: the first of comma, semicolon and tab that it has; if none, blanks.
    Auto,
    /// This character, once between two fields.
    One(u8),
    /// Blanks and tabs, as many as there are.
    Blanks,
}

/// What the labels are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Two classes, numbers or words; the smaller becomes −1, the larger +1.
    Classification,
    /// Two classes likewise, or up to 20: of more than two the targets are their numbers 0, 1, … in ascending order.
    Classes,
    /// Real targets.
    Regression,
}

/// Which CSV column is the label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabelColumn {
    /// The last one.
    Last,
    /// The one with this number, counted from 0.
    Index(usize),
    /// The one with this name in the header.
    Name(String),
    /// None: every column is a feature.
    Absent,
}

/// Whether a CSV file starts with a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header {
    /// It does if no field of its first line is a number, or if that line is `n,p,class,class`; where names are known
    /// ([`Options::names`]), by them.
    Auto,
    /// It does.
    Yes,
    /// It does not.
    No,
}

/// One record as it stands in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its line, counted from 1.
    pub line: u64,
    /// Its label, as written.
    pub label: String,
    /// Its features.
    pub features: Features,
}

/// The features of one record.
#[derive(Clone, Debug, PartialEq)]
pub enum Features {
    /// All of them, in order.
    Dense(Vec<f64>),
    /// Those written, as (feature counted from 0, value) in ascending feature.
    Sparse(Vec<(usize, f64)>),
}

/// Loads a file.
///
/// ```
/// use dp_assay::problem::load::{self, Options, Rows};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("two.svm");
/// std::fs::write(&path, "1 1:0.5\n-1 3:2\n")?;
/// assert_eq!(load::file(&path, &Options::default())?.features(), 3);
/// assert_eq!(Rows::open(&path, &Options::default())?.count(), 2);
/// assert!(load::file(&folder.path().join("absent"), &Options::default()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it cannot be read, or breaks a rule of its format or of `options`.
pub fn file(path: &Path, options: &Options) -> Result<Dataset, LoadError> {
    read(&path.display().to_string(), open(path)?, options)
}

/// The features of all these records; their labels are not looked at.
///
/// ```
/// use dp_assay::problem::load::{LabelColumn, Options, Rows, features};
///
/// let options = Options { label: LabelColumn::Absent, ..Options::default() };
/// let rows = Rows::new("two.csv", "age,height\n30,1.7\n40,1.8\n".as_bytes(), &options)?;
/// assert_eq!(rows.names(), Some(&["age".to_owned(), "height".to_owned()][..]));
/// assert_eq!(rows.label_name(), None);
/// assert_eq!(features(rows, &options)?.columns(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`read`].
pub fn features(mut rows: Rows<'_>, options: &Options) -> Result<Design, LoadError> {
    let records: Result<Vec<_>, _> = (&mut rows).map(|row| row.map(|row| row.features)).collect();
    let records = records?;
    let checked = rows.check_count(records.len());
    let design = checked.and_then(|()| design(records, options));
    design.map_err(|problem| LoadError {
        file: rows.file,
        line: None,
        problem,
    })
}

fn open(path: &Path) -> Result<BufReader<File>, LoadError> {
    let file = File::open(path).map_err(|error| LoadError {
        file: path.display().to_string(),
        line: None,
        problem: LoadProblem::Open(error),
    });
    file.map(BufReader::new)
}

/// Loads what `input` holds; `name` stands for it in errors and reports.
///
/// # Errors
/// As [`file()`].
pub fn read(name: &str, input: impl BufRead, options: &Options) -> Result<Dataset, LoadError> {
    let fault = |line, problem| LoadError {
        file: name.to_owned(),
        line,
        problem,
    };
    let mut rows = Rows::new(name, input, options)?;
    let mut records = Vec::new();
    let mut targets = Vec::new();
    let mut classes = Classes::new(options).map_err(|problem| fault(None, problem))?;
    for row in &mut rows {
        let row = row?;
        let target = match options.task {
            Task::Classification | Task::Classes => classes.number(&row.label),
            Task::Regression => error::number(Field::Label, &row.label),
        };
        targets.push(target.map_err(|problem| fault(Some(row.line), problem))?);
        records.push(row.features);
    }
    rows.check_count(records.len())
        .map_err(|problem| fault(None, problem))?;
    let design = design(records, options).map_err(|problem| fault(None, problem))?;
    let names = match options.task {
        Task::Classification | Task::Classes => {
            let names = classes.finish(&mut targets, rows.class_names());
            Some(names.map_err(|problem| fault(None, problem))?)
        }
        Task::Regression => None,
    };
    let data = Dataset::new(name, design, targets)
        .map_err(|problem| fault(None, LoadProblem::Dataset(problem)))?;
    Ok(match names {
        Some(names) => data.with_classes(names),
        None => data,
    })
}

/// The records of a file, one by one; stops after the first error.
pub struct Rows<'a> {
    file: String,
    source: Source<'a>,
    finished: bool,
}

enum Source<'a> {
    Svmlight(svmlight::Lines<'a>),
    Csv(Box<table::Records<'a>>),
}

impl Rows<'static> {
    /// Starts reading a file, which may be gzipped.
    ///
    /// # Errors
    /// If it cannot be opened; as [`Rows::new`].
    pub fn open(path: &Path, options: &Options) -> Result<Self, LoadError> {
        Self::new(&path.display().to_string(), open(path)?, options)
    }
}

impl<'a> Rows<'a> {
    /// Starts reading `input`, which may be gzipped; `name` stands for it in errors.
    ///
    /// # Errors
    /// If the beginning cannot be read, or the label column does not exist.
    pub fn new(name: &str, input: impl BufRead + 'a, options: &Options) -> Result<Self, LoadError> {
        match Source::open(name, input, options) {
            Ok(source) => Ok(Self {
                file: name.to_owned(),
                source,
                finished: false,
            }),
            Err((line, problem)) => Err(LoadError {
                file: name.to_owned(),
                line,
                problem,
            }),
        }
    }

    /// The label of one of these rows as a real target.
    ///
    /// # Errors
    /// If it is not a finite number.
    pub fn target(&self, row: &Row) -> Result<f64, LoadError> {
        error::number(Field::Label, &row.label).map_err(|problem| LoadError {
            file: self.file.clone(),
            line: Some(row.line),
            problem,
        })
    }

    /// The names of the features, where the file has a header.
    #[must_use]
    pub fn names(&self) -> Option<&[String]> {
        match &self.source {
            Source::Csv(records) => records.names(),
            Source::Svmlight(_) => None,
        }
    }

    /// The name of the label, where the file has a header.
    #[must_use]
    pub fn label_name(&self) -> Option<&str> {
        match &self.source {
            Source::Csv(records) => records.label_name(),
            Source::Svmlight(_) => None,
        }
    }

    /// The number of columns of a CSV file but for the label's.
    #[must_use]
    pub fn columns(&self) -> Option<usize> {
        match &self.source {
            Source::Csv(records) => Some(records.columns()),
            Source::Svmlight(_) => None,
        }
    }

    /// Names of the classes 0, 1, … if the file's first line gives them.
    fn class_names(&self) -> &[String] {
        match &self.source {
            Source::Csv(records) => records.class_names(),
            Source::Svmlight(_) => &[],
        }
    }

    /// Whether the file held as many records as it announced.
    fn check_count(&self, found: usize) -> Result<(), LoadProblem> {
        match &self.source {
            _ if found == 0 => Err(LoadProblem::NoRecords),
            Source::Csv(records) => records.check_count(found),
            Source::Svmlight(_) => Ok(()),
        }
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Row, LoadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.finished {
            return None;
        }
        let row = match &mut self.source {
            Source::Svmlight(lines) => lines.next(),
            Source::Csv(records) => records.next(),
        };
        self.finished = !matches!(row, Some(Ok(_)));
        row.map(|row| {
            row.map_err(|(line, problem)| LoadError {
                file: self.file.clone(),
                line: Some(line),
                problem,
            })
        })
    }
}

impl<'a> Source<'a> {
    fn open(
        name: &str,
        mut input: impl BufRead + 'a,
        options: &Options,
    ) -> Result<Self, (Option<u64>, LoadProblem)> {
        let start = input.fill_buf().map_err(|e| (None, LoadProblem::Read(e)))?;
        let gzip = start.starts_with(&[0x1f, 0x8b]);
        let mut input: Box<dyn BufRead + 'a> = if gzip {
            Box::new(BufReader::new(MultiGzDecoder::new(input)))
        } else {
            Box::new(input)
        };
        let start = input.fill_buf();
        let start = start.map_err(|e| (None, LoadProblem::reading(e, gzip)))?;
        let (format, delimiter) = (recognise(name, start, options), delimiter(start, options));
        match format {
            Format::Svmlight => Ok(Self::Svmlight(svmlight::Lines::new(input, gzip, options))),
            _ => table::Records::new(input, gzip, delimiter, options)
                .map(|records| Self::Csv(Box::new(records)))
                .map_err(|(line, problem)| (Some(line), problem)),
        }
    }
}

/// The format to read, never `Auto`.
fn recognise(name: &str, start: &[u8], options: &Options) -> Format {
    if options.format != Format::Auto {
        return options.format;
    }
    let name = name.to_ascii_lowercase();
    match name.strip_suffix(".gz").unwrap_or(&name).rsplit('.').next() {
        Some("svm" | "svmlight" | "libsvm") => return Format::Svmlight,
        Some("csv") => return Format::Csv,
        _ => {}
    }
    let comment = |line: &&[u8]| line.starts_with(b"#");
    let first = lines(start).find(|line| !comment(line));
    let between = match options.delimiter {
        Delimiter::One(byte) => byte,
        Delimiter::Auto | Delimiter::Blanks => b',',
    };
    match first {
        Some(line) if line.contains(&b':') && !line.contains(&between) => Format::Svmlight,
        _ => Format::Csv,
    }
}

/// The delimiter of a CSV file, never `Auto`.
fn delimiter(start: &[u8], options: &Options) -> Delimiter {
    if options.delimiter != Delimiter::Auto {
        return options.delimiter;
    }
    let first = lines(start).next().unwrap_or_default();
    let found = b",;\t".iter().find(|byte| first.contains(byte));
    found.map_or(Delimiter::Blanks, |byte| Delimiter::One(*byte))
}

/// The lines that are not empty.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = text.split(|&b| b == b'\n');
    lines.filter(|line| !line.trim_ascii().is_empty())
}

/// The design matrix of all records, which are of one kind.
fn design(records: Vec<Features>, options: &Options) -> Result<Design, LoadProblem> {
    let rows = records.len();
    let mut dense = Vec::new();
    let mut entries = Vec::new();
    for (row, features) in records.into_iter().enumerate() {
        match features {
            Features::Dense(values) => dense.push(values),
            Features::Sparse(values) => entries.extend(values.iter().map(|&(j, x)| (row, j, x))),
        }
    }
    let bad = |e: DesignError| LoadProblem::Dataset(e.into());
    if !dense.is_empty() {
        return Dense::from_rows(&dense).map(Design::from).map_err(bad);
    }
    let widest = entries.iter().map(|e| e.1 + 1).max().unwrap_or(0);
    match options.features.unwrap_or(widest) {
        0 => Err(LoadProblem::NoFeatures),
        columns => Sparse::from_entries(rows, columns, &entries)
            .map(Design::from)
            .map_err(bad),
    }
}
