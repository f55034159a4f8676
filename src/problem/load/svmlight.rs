//! The svmlight format: `label index:value … # comment`, indices from 1 and increasing.

use super::error::{Field, LoadProblem, number};
use super::{Features, Options, Row};
use crate::problem::dataset::Dataset;
use std::io::{self, BufRead, Write};

/// The records of a svmlight file.
pub(super) struct Lines<'a> {
    input: Box<dyn BufRead + 'a>,
    gzip: bool,
    limit: usize,
    line: u64,
    buffer: Vec<u8>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(input: Box<dyn BufRead + 'a>, gzip: bool, options: &Options) -> Self {
        Self {
            input,
            gzip,
            limit: options.features.unwrap_or(options.max_features),
            line: 0,
            buffer: Vec::new(),
        }
    }

    /// The next record, or its line and what is wrong with it.
    pub(super) fn next(&mut self) -> Option<Result<Row, (u64, LoadProblem)>> {
        loop {
            self.buffer.clear();
            self.line += 1;
            match self.input.read_until(b'\n', &mut self.buffer) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) => {
                    return Some(Err((self.line, LoadProblem::reading(error, self.gzip))));
                }
            }
            match self.record() {
                Ok(None) => {}
                Ok(Some(row)) => return Some(Ok(row)),
                Err(problem) => return Some(Err((self.line, problem))),
            }
        }
    }

    /// The record on the line in the buffer; `None` for a blank line.
    fn record(&self) -> Result<Option<Row>, LoadProblem> {
        let text = std::str::from_utf8(&self.buffer).map_err(|_| LoadProblem::NotText)?;
        let text = text.trim_start_matches('\u{feff}');
        let data = text.split('#').next().unwrap_or(text);
        let mut tokens = data.split_ascii_whitespace();
        let Some(label) = tokens.next() else {
            return Ok(None);
        };
        let mut entries = Vec::new();
        let mut previous = 0;
        for token in tokens {
            let (index, value) = self.entry(token)?;
            if index <= previous {
                return Err(LoadProblem::Order { index, previous });
            }
            previous = index;
            entries.push((index as usize - 1, value));
        }
        Ok(Some(Row {
            line: self.line,
            label: label.to_owned(),
            features: Features::Sparse(entries),
        }))
    }

    fn entry(&self, token: &str) -> Result<(u64, f64), LoadProblem> {
        let malformed = || LoadProblem::Entry(token.to_owned());
        let (index, value) = token.split_once(':').ok_or_else(malformed)?;
        let index: u64 = index.parse().map_err(|_| malformed())?;
        match index {
            0 => Err(malformed()),
            _ if index > self.limit as u64 => Err(LoadProblem::Index {
                index,
                limit: self.limit,
            }),
            _ => Ok((index, number(Field::Feature(index), value)?)),
        }
    }
}

/// Writes a data set in svmlight format: targets and values in the shortest form that reads back as
/// the same doubles, zeros omitted. Read it back with [`Options::features`] set, since trailing
/// columns of zeros leave no trace.
///
/// ```
/// use dp_assay::problem::load::{Options, read, write_svmlight};
/// use dp_assay::problem::{Dataset, Dense};
///
/// let data = Dataset::new("two", Dense::from_rows(&[[0.5, 0.0], [0.0, 2.0]])?, vec![1.0, -1.0])?;
/// let mut text = Vec::new();
/// write_svmlight(&data, &mut text)?;
/// assert_eq!(text, b"1 1:0.5\n-1 2:2\n");
/// let options = Options { features: Some(2), ..Options::default() };
/// assert_eq!(read("two.svm", &text[..], &options)?.targets(), data.targets());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If writing fails.
pub fn write_svmlight(data: &Dataset, output: &mut impl Write) -> io::Result<()> {
    for (i, target) in data.targets().iter().enumerate() {
        write!(output, "{target}")?;
        for (j, x) in data.design().row(i).filter(|(_, x)| *x != 0.0) {
            write!(output, " {}:{x}", j + 1)?;
        }
        writeln!(output)?;
    }
    Ok(())
}
