//! CSV: one record a line, one of its columns the label.

use super::error::{Field, LoadProblem};
use super::{Column, Delimiter, Features, Header, LabelColumn, Options, Row};
use csv::{ErrorKind, Reader, ReaderBuilder, StringRecord, Trim};
use std::io::{self, BufRead, Read};

/// The records of a CSV file.
pub(super) struct Records<'a> {
    reader: Reader<LineByLine<'a>>,
    gzip: bool,
    /// The first line, if it turned out to be a record.
    pending: Option<StringRecord>,
    /// The label's column, if there is one.
    label: Option<usize>,
    fields: usize,
    /// What the columns hold but for the label's.
    columns: Vec<Column>,
    /// The header.
    header: Option<Vec<String>>,
    /// The names of the features in it.
    names: Option<Vec<String>>,
    announced: Option<Announcement>,
}

/// A first line `n,p,class,class…`.
struct Announcement {
    records: usize,
    features: usize,
    classes: Vec<String>,
}

impl<'a> Records<'a> {
    pub(super) fn new(
        input: Box<dyn BufRead + 'a>,
        gzip: bool,
        delimiter: Delimiter,
        options: &Options,
    ) -> Result<Self, (u64, LoadProblem)> {
        let (between, blanks) = match delimiter {
            Delimiter::One(byte) => (byte, false),
            Delimiter::Auto | Delimiter::Blanks => (b' ', true),
        };
        let mut records = Self {
            reader: ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .delimiter(between)
                .trim(Trim::All)
                .from_reader(LineByLine::new(input, blanks)),
            gzip,
            pending: None,
            label: None,
            fields: 0,
            columns: Vec::new(),
            header: None,
            names: None,
            announced: None,
        };
        let Some(first) = records.read().transpose()? else {
            return Ok(records);
        };
        let interpreted = records.interpret(first, options);
        interpreted.map_err(|problem| (records.line(), problem))?;
        Ok(records)
    }

    /// Decides what the first line is, and from it the number of fields and the label column.
    fn interpret(&mut self, first: StringRecord, options: &Options) -> Result<(), LoadProblem> {
        let announced = match options.header {
            Header::Auto => Announcement::parse(&first).filter(|a| a.is_no_record(&first, options)),
            _ => None,
        };
        self.fields = match &announced {
            Some(line) if line.features > options.max_features => {
                let (announced, limit) = (line.features, options.max_features);
                return Err(LoadProblem::Announced { announced, limit });
            }
            Some(line) => line.features.saturating_add(1),
            None => first.len(),
        };
        let named = announced.is_none() && has_header(&first, options)?;
        let header = named.then_some(&first);
        header.map_or(Ok(()), different)?;
        self.label = match &options.label {
            LabelColumn::Absent => None,
            label => Some(label_column(header, self.fields, label)?),
        };
        let found = self.fields - usize::from(self.label.is_some());
        self.columns = match &options.columns {
            Some(columns) if columns.len() == found => columns.clone(),
            Some(columns) => {
                let expected = columns.len();
                return Err(LoadProblem::Columns { found, expected });
            }
            None => vec![Column::Number { missing: None }; found],
        };
        let found = self.columns.iter().map(Column::width).sum();
        match options.features {
            Some(expected) if expected != found => {
                return Err(LoadProblem::Features { found, expected });
            }
            _ if found == 0 => return Err(LoadProblem::NoFeatures),
            _ => {}
        }
        self.header = header.map(|h| h.iter().map(str::to_owned).collect());
        let feature = |(c, name): (usize, &String)| (Some(c) != self.label).then(|| name.clone());
        let names = |header: &Vec<String>| {
            let kept = header.iter().enumerate().filter_map(feature);
            let named = kept.zip(&self.columns);
            named
                .flat_map(|(name, column)| column.names(&name))
                .collect()
        };
        self.names = self.header.as_ref().map(names);
        self.pending = (!named && announced.is_none()).then_some(first);
        self.announced = announced;
        Ok(())
    }

    /// The next record, or its line and what is wrong with it.
    pub(super) fn next(&mut self) -> Option<Result<Row, (u64, LoadProblem)>> {
        let record = match self.pending.take() {
            Some(first) => first,
            None => match self.read()? {
                Ok(record) => record,
                Err(error) => return Some(Err(error)),
            },
        };
        let line = self.line();
        Some(self.row(&record, line).map_err(|problem| (line, problem)))
    }

    fn row(&self, record: &StringRecord, line: u64) -> Result<Row, LoadProblem> {
        if record.len() != self.fields {
            let (found, expected) = (record.len(), self.fields);
            return Err(LoadProblem::Ragged { found, expected });
        }
        let fields = record
            .iter()
            .enumerate()
            .filter(|(c, _)| Some(*c) != self.label);
        let mut features = Vec::new();
        for (column, (number, text)) in self.columns.iter().zip(fields) {
            let read = column.read(Field::Feature(0), text, &mut features);
            read.map_err(|problem| problem.of(self.place(number)))?;
        }
        Ok(Row {
            line,
            label: self
                .label
                .map_or_else(String::new, |c| record[c].to_owned()),
            features: Features::Dense(features),
        })
    }

    /// A column as errors name it.
    fn place(&self, number: usize) -> Field {
        let name = self.header.as_ref().map(|header| header[number].clone());
        Field::Column { number, name }
    }

    fn read(&mut self) -> Option<Result<StringRecord, (u64, LoadProblem)>> {
        let mut record = StringRecord::new();
        match self.reader.read_record(&mut record) {
            Ok(true) => Some(match broken(&record) {
                None => Ok(record),
                Some(begin) => Err((self.line(), LoadProblem::LineBreak(begin))),
            }),
            Ok(false) => None,
            Err(error) => Some(Err((self.line(), problem(error, self.gzip)))),
        }
    }

    /// The line of the record read last.
    fn line(&self) -> u64 {
        self.reader.get_ref().line
    }

    /// Number of columns but for the label's.
    pub(super) const fn columns(&self) -> usize {
        self.columns.len()
    }

    pub(super) fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    pub(super) fn label_name(&self) -> Option<&str> {
        self.header
            .as_ref()
            .zip(self.label)
            .map(|(header, c)| header[c].as_str())
    }

    /// Names of the classes 0, 1, … if the first line gives them.
    pub(super) fn class_names(&self) -> &[String] {
        self.announced.as_ref().map_or(&[], |a| &a.classes)
    }

    pub(super) fn check_count(&self, found: usize) -> Result<(), LoadProblem> {
        match &self.announced {
            Some(a) if a.records != found => Err(LoadProblem::Records {
                found,
                expected: a.records,
            }),
            _ => Ok(()),
        }
    }
}

impl Announcement {
    fn parse(first: &StringRecord) -> Option<Self> {
        let classes: Vec<_> = first.iter().skip(2).map(str::to_owned).collect();
        let words = classes.iter().all(|c| c.parse::<f64>().is_err());
        (classes.len() >= 2 && words).then_some(())?;
        Some(Self {
            records: first[0].parse().ok()?,
            features: first[1].parse().ok()?,
            classes,
        })
    }

    /// Whether the line cannot be a record, of which every field may be a word where columns are described.
    fn is_no_record(&self, first: &StringRecord, options: &Options) -> bool {
        let columns = options.columns.as_ref().map(Vec::len);
        let columns = columns.or(options.names.as_ref().map(Vec::len));
        columns.is_none_or(|found| self.features == found && first.len() != found + 1)
    }
}

/// Whether the first line is a header.
fn has_header(first: &StringRecord, options: &Options) -> Result<bool, LoadProblem> {
    let words = first.iter().all(|field| field.parse::<f64>().is_err());
    match (options.header, &options.names) {
        (Header::Yes, _) => Ok(true),
        (Header::No, _) => Ok(false),
        (Header::Auto, None) => Ok(words),
        (Header::Auto, Some(names)) => {
            // A record may well hold what stands for no value, or a number, that is also a name.
            let value = |field: &str| field.parse::<f64>().is_ok() || Column::is_missing(field);
            let known = |field: &str| !value(field) && names.iter().any(|name| name == field);
            let named = first.iter().any(known);
            match words && !named {
                true => Err(LoadProblem::FirstLine(names.join(", "))),
                false => Ok(named),
            }
        }
    }
}

/// Refuses a header that has a name twice.
fn different(header: &StringRecord) -> Result<(), LoadProblem> {
    let of = |name: &str| header.iter().position(|other| other == name);
    let again =
        |(at, name): (usize, &str)| of(name).filter(|first| *first < at && !name.is_empty());
    let mut names = header.iter().enumerate();
    match names.find_map(|(at, name)| again((at, name)).map(|first| (name, first, at))) {
        None => Ok(()),
        Some((name, first, second)) => Err(LoadProblem::Twice {
            name: name.to_owned(),
            first,
            second,
        }),
    }
}

fn label_column(
    header: Option<&StringRecord>,
    fields: usize,
    label: &LabelColumn,
) -> Result<usize, LoadProblem> {
    let found = match label {
        LabelColumn::Last | LabelColumn::Absent => fields.checked_sub(1),
        LabelColumn::Index(index) => Some(*index).filter(|i| *i < fields),
        LabelColumn::Name(name) => header.and_then(|h| h.iter().position(|field| field == name)),
    };
    found.ok_or_else(|| {
        LoadProblem::LabelColumn(match label {
            LabelColumn::Last | LabelColumn::Absent => "at all".to_owned(),
            LabelColumn::Index(index) => format!("{index} (counted from 0) among {fields}"),
            LabelColumn::Name(name) => format!("named `{name}` in the first line"),
        })
    })
}

/// Hands out one line per read and drops blank ones, so that the line read last is the line of the
/// record parsed last: the parser counts lines from where it stops, which may be blank lines earlier.
struct LineByLine<'a> {
    input: Box<dyn BufRead + 'a>,
    /// Whether fields are separated by blanks: the parser, which knows single characters, then gets one
    /// blank for each run of them.
    blanks: bool,
    line: u64,
    buffer: Vec<u8>,
    given: usize,
}

impl<'a> LineByLine<'a> {
    fn new(input: Box<dyn BufRead + 'a>, blanks: bool) -> Self {
        Self {
            input,
            blanks,
            line: 0,
            buffer: Vec::new(),
            given: 0,
        }
    }
}

impl Read for LineByLine<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.given == self.buffer.len() {
            (self.given, self.line) = (0, self.line + 1);
            self.buffer.clear();
            if self.input.read_until(b'\n', &mut self.buffer)? == 0 {
                return Ok(0);
            }
            if self.buffer.trim_ascii().is_empty() {
                self.buffer.clear();
            } else if self.blanks {
                let words = self.buffer.split(u8::is_ascii_whitespace);
                let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
                self.buffer = words.join(&b' ');
                self.buffer.push(b'\n');
            }
        }
        let count = out.len().min(self.buffer.len() - self.given);
        out[..count].copy_from_slice(&self.buffer[self.given..self.given + count]);
        self.given += count;
        Ok(count)
    }
}

/// The first line of a field that has several: with a quote too many whole records lie in a field.
fn broken(record: &StringRecord) -> Option<String> {
    let mut firsts = record.iter().filter_map(|field| field.split_once('\n'));
    firsts.next().map(|(first, _)| first.trim_end().to_owned())
}

fn problem(error: csv::Error, gzip: bool) -> LoadProblem {
    match error.into_kind() {
        ErrorKind::Io(error) => LoadProblem::reading(error, gzip),
        ErrorKind::Utf8 { .. } => LoadProblem::NotText,
        other => LoadProblem::Read(std::io::Error::other(format!("{other:?}"))),
    }
}
