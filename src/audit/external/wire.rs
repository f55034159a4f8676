//! The messages of `dp-assay/external/1` and `/2`.
//!
//! ```
//! use dp_assay::audit::external::wire::{Encoding, Message, Request};
//!
//! let mut answers = concat!(
//!     r#"{"protocol": "dp-assay/external/1", "length": 2, "encoding": "json"}"#, "\n",
//!     r#"{"id": 0, "outputs": [[1.5, "inf"]]}"#, "\n",
//! ).as_bytes();
//! let form = Message::read(&mut answers)?.hello()?;
//! assert_eq!((form.length, form.encoding), (2, Encoding::Json));
//! let request = Request { id: 0, seed: 1, first: 0, count: 1 };
//! let outputs = Message::read(&mut answers)?.outputs(&request, form)?;
//! assert_eq!(outputs, [vec![1.5, f64::INFINITY].into()]);
//! assert!(Message::read(&mut answers).is_err()); // there is no third line
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{ExternalError, MAX_LENGTH, PROTOCOL, PROTOCOL_ANY};
use crate::audit::Output;
use crate::audit::value::Value;
use crate::float::from_json;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};
use std::io::{self, BufRead, Read};

/// Most bytes in a line, or after it.
const LONGEST: u64 = 1 << 30;

/// How much of a malformed answer an error quotes.
const QUOTED: usize = 400;

/// What the auditor says first.
#[derive(Serialize)]
pub(super) struct Greeting<'a> {
    pub protocol: &'a str,
    /// All that the auditor speaks.
    pub protocols: [&'a str; 2],
    pub side: u8,
    pub input: &'a str,
}

/// What the program answers to it.
#[derive(Deserialize)]
struct Hello {
    protocol: String,
    #[serde(flatten)]
    form: Form,
}

/// How a program answers: numbers in one output, and their encoding.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub struct Form {
    /// Numbers in one output; 1 where it may be anything.
    #[serde(default)]
    pub length: usize,
    /// How they are written.
    pub encoding: Encoding,
}

impl Form {
    /// The form, where outputs of any shape count as one number; refuses none and too many.
    ///
    /// # Errors
    /// The rule.
    pub fn checked(self) -> Result<Self, String> {
        match self.encoding {
            Encoding::Any => Ok(Self { length: 1, ..self }),
            _ if (1..=MAX_LENGTH).contains(&self.length) => Ok(self),
            _ => Err(format!("`length` must lie in 1 to {MAX_LENGTH}")),
        }
    }
}

/// How the numbers of an answer are written.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// In the line itself.
    Json,
    /// As little-endian doubles after the line.
    Binary,
    /// Values of any shape, in the line itself.
    Any,
}

/// A request for outputs `first .. first + count` of a seed.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Request {
    /// Counts from 0.
    pub id: u64,
    /// Where the randomness comes from.
    #[serde(serialize_with = "as_text")]
    pub seed: u64,
    /// Number of the first output.
    #[serde(serialize_with = "as_text")]
    pub first: u64,
    /// How many outputs.
    pub count: usize,
}

impl Request {
    pub(super) fn name(self) -> String {
        format!("request {} ({} outputs)", self.id, self.count)
    }
}

/// The part of an answer's line that says how many bytes follow it.
#[derive(Deserialize)]
struct Frame {
    #[serde(default)]
    bytes: u64,
}

/// Not every JSON reader keeps 64 bits.
fn as_text<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

/// The first line of an answer.
#[derive(Deserialize)]
struct Answer {
    id: Option<u64>,
    outputs: Option<serde_json::Value>,
    bytes: Option<u64>,
    error: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Numbers {
    One(Number),
    Many(Vec<Number>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Finite(f64),
    Word(String),
}

impl Number {
    fn value(&self) -> Option<f64> {
        match self {
            Self::Finite(x) => Some(*x),
            Self::Word(word) => match word.as_str() {
                "nan" => Some(f64::NAN),
                "inf" => Some(f64::INFINITY),
                "-inf" => Some(f64::NEG_INFINITY),
                _ => None,
            },
        }
    }
}

/// One line of the program, and the bytes that belong to it.
#[derive(Clone, Debug, Default)]
pub struct Message {
    line: Vec<u8>,
    bytes: Vec<u8>,
}

impl Message {
    /// Reads a line, and as many bytes as it announces.
    ///
    /// # Errors
    /// `UnexpectedEof` when the stream ends in between, `InvalidData` when a limit is exceeded.
    pub fn read(reader: &mut impl BufRead) -> io::Result<Self> {
        let mut line = Vec::new();
        reader.take(LONGEST).read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            let too_long = line.len() as u64 == LONGEST;
            let kind = if too_long {
                io::ErrorKind::InvalidData
            } else {
                io::ErrorKind::UnexpectedEof
            };
            return Err(io::Error::new(
                kind,
                format!("a line must end within {LONGEST} bytes"),
            ));
        }
        let due = serde_json::from_slice::<Frame>(&line).map_or(0, |frame| frame.bytes);
        if due > LONGEST {
            let rule = format!("`bytes` must be at most {LONGEST}");
            return Err(io::Error::new(io::ErrorKind::InvalidData, rule));
        }
        let mut bytes = Vec::new();
        reader.take(due).read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < due {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Self { line, bytes })
    }

    /// Whether this may be meant as the answer to the greeting: anything else that comes before it is what the
    /// program prints for people.
    #[must_use]
    pub fn is_greeting(&self) -> bool {
        let line = serde_json::from_slice::<serde_json::Value>(&self.line);
        line.is_ok_and(|value| value.get("protocol").is_some())
    }

    /// The line as text.
    pub(super) fn text(&self) -> String {
        let start = &self.line[..self.line.len().min(QUOTED)];
        String::from_utf8_lossy(start).trim_end().to_owned()
    }

    /// The message as the answer to the greeting.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub fn hello(&self) -> Result<Form, ExternalError> {
        let name = "greeting";
        let hello: Hello = self.parse(name)?;
        let any = hello.form.encoding == Encoding::Any;
        let spoken = if any { PROTOCOL_ANY } else { PROTOCOL };
        if hello.protocol != spoken && hello.protocol != PROTOCOL_ANY {
            let rule = format!("`protocol` must be {spoken}");
            return Err(malformed(name, rule, &self.line));
        }
        hello
            .form
            .checked()
            .map_err(|rule| malformed(name, rule, &self.line))
    }

    /// The message as the answer to a request: as many outputs as it asks for.
    ///
    /// # Errors
    /// The rule that it breaks, or the program's own words.
    pub fn outputs(&self, request: &Request, form: Form) -> Result<Vec<Output>, ExternalError> {
        let name = request.name();
        let answer: Answer = self.parse(&name)?;
        if let Some(message) = answer.error {
            return Err(ExternalError::Reported {
                request: name,
                message,
            });
        }
        let outputs = if answer.id != Some(request.id) {
            Err(format!("`id` must be {}", request.id))
        } else {
            match (form.encoding, answer.outputs, answer.bytes) {
                (Encoding::Json, Some(outputs), None) => {
                    flatten(outputs, request.count, form.length)
                }
                (Encoding::Any, Some(outputs), None) => values(outputs, request.count),
                (Encoding::Binary, None, Some(_)) => {
                    doubles(&self.bytes, request.count, form.length)
                }
                (Encoding::Json | Encoding::Any, ..) => {
                    Err("a json answer has `outputs` and no `bytes`".into())
                }
                (Encoding::Binary, ..) => {
                    Err("a binary answer has `bytes` and no `outputs`".into())
                }
            }
        };
        outputs.map_err(|rule| malformed(&name, rule, &self.line))
    }

    fn parse<T: DeserializeOwned>(&self, request: &str) -> Result<T, ExternalError> {
        from_json(&self.line).map_err(|e| {
            let rule = format!("{e} (what is printed for people belongs on standard error)");
            malformed(request, rule, &self.line)
        })
    }
}

fn flatten(outputs: serde_json::Value, count: usize, length: usize) -> Result<Vec<Output>, String> {
    let serde_json::Value::Array(outputs) = outputs else {
        return Err("`outputs` is a list".into());
    };
    check_count(outputs.len(), count)?;
    let mut read = Vec::with_capacity(count);
    for (i, output) in outputs.into_iter().enumerate() {
        let due = |_| {
            format!(
                "output {i} is no number and no list of numbers (with `encoding` any it may be)"
            )
        };
        let output: Numbers = serde_json::from_value(output).map_err(due)?;
        let numbers = match &output {
            Numbers::One(number) => std::slice::from_ref(number),
            Numbers::Many(numbers) => numbers,
        };
        if numbers.len() != length {
            let have = numbers.len();
            return Err(format!("output {i} has {have} numbers instead of {length}"));
        }
        let word = || format!("output {i} has a word other than \"nan\", \"inf\", \"-inf\"");
        let values: Option<Vec<f64>> = numbers.iter().map(Number::value).collect();
        read.push(of_numbers(&values.ok_or_else(word)?));
    }
    Ok(read)
}

fn values(outputs: serde_json::Value, count: usize) -> Result<Vec<Output>, String> {
    let serde_json::Value::Array(outputs) = outputs else {
        return Err("`outputs` is a list".into());
    };
    check_count(outputs.len(), count)?;
    let read = |(i, json)| {
        let value = Value::from_json(json).map_err(|rule| format!("output {i}: {rule}"))?;
        Ok(Output::Value(Box::new(value)))
    };
    outputs.into_iter().enumerate().map(read).collect()
}

fn check_count(have: usize, count: usize) -> Result<(), String> {
    if have == count {
        return Ok(());
    }
    Err(format!("{have} outputs where {count} were asked for"))
}

fn doubles(bytes: &[u8], count: usize, length: usize) -> Result<Vec<Output>, String> {
    let due = count * length * 8;
    if bytes.len() != due {
        return Err(format!("`bytes` must be {due} (count × length × 8)"));
    }
    let numbers = bytes
        .as_chunks()
        .0
        .iter()
        .map(|chunk| f64::from_le_bytes(*chunk));
    let numbers: Vec<f64> = numbers.collect();
    Ok(numbers.chunks(length).map(of_numbers).collect())
}

/// One output of so many numbers.
fn of_numbers(numbers: &[f64]) -> Output {
    match numbers {
        [one] => Output::Real(*one),
        many => Output::Vector(many.to_vec()),
    }
}

/// The error of an answer that breaks a rule.
pub(super) fn malformed(request: &str, rule: String, answer: &[u8]) -> ExternalError {
    let start = &answer[..answer.len().min(QUOTED)];
    let answer = String::from_utf8_lossy(start).trim_end().to_owned();
    ExternalError::Malformed {
        request: request.into(),
        rule,
        answer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_may_be_as_long_as_the_limit_and_no_longer() {
        for (bytes, kind) in [
            (LONGEST, io::ErrorKind::UnexpectedEof),
            (LONGEST + 1, io::ErrorKind::InvalidData),
        ] {
            let line = format!("{{\"bytes\": {bytes}}}\n");
            let error = Message::read(&mut line.as_bytes()).expect_err("nothing follows");
            assert_eq!(error.kind(), kind, "{bytes}: {error}");
        }
    }

    /// What is no line, and how much is quoted of what is one.
    #[test]
    fn a_line_has_an_end_and_is_quoted_by_its_beginning() {
        let error = Message::read(&mut "{\"id\": 1}".as_bytes()).expect_err("no end");
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(error.to_string(), "a line must end within 1073741824 bytes");
        let long = format!("{}{}\n", "a".repeat(QUOTED), "b");
        let message = Message::read(&mut long.as_bytes()).expect("a line");
        assert_eq!(message.text(), "a".repeat(QUOTED));
        let error = message.hello().expect_err("no greeting").to_string();
        assert!(
            error.starts_with("greeting: ")
                && error.ends_with(&format!("begins: {}", message.text()))
        );
        let request = Request {
            id: 4,
            seed: u64::MAX,
            first: 1 << 60,
            count: 3,
        };
        assert_eq!(request.name(), "request 4 (3 outputs)");
        assert_eq!(
            serde_json::to_string(&request).expect("plain"),
            r#"{"id":4,"seed":"18446744073709551615","first":"1152921504606846976","count":3}"#
        );
    }
}
