//! The messages of `dp-assay/external/1`.

use serde::{Deserialize, Serialize, Serializer};

/// What the auditor says first.
#[derive(Serialize)]
pub(super) struct Greeting<'a> {
    pub protocol: &'a str,
    pub side: u8,
    pub input: &'a str,
}

/// What the program answers to it.
#[derive(Deserialize)]
pub(super) struct Hello {
    pub protocol: String,
    pub length: usize,
    pub encoding: Encoding,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Encoding {
    Json,
    Binary,
}

/// A request for outputs `first .. first + count` of a seed.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Request {
    pub id: u64,
    #[serde(serialize_with = "as_text")]
    pub seed: u64,
    #[serde(serialize_with = "as_text")]
    pub first: u64,
    pub count: usize,
}

impl Request {
    pub(super) fn name(self) -> String {
        format!(
            "request {} (outputs {} to {})",
            self.id,
            self.first,
            self.first + self.count as u64 - 1
        )
    }
}

/// The part of an answer's line that says how many bytes follow it.
#[derive(Deserialize)]
pub(super) struct Frame {
    #[serde(default)]
    pub bytes: usize,
}

/// Not every JSON reader keeps 64 bits.
fn as_text<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

/// The first line of an answer.
#[derive(Deserialize)]
pub(super) struct Answer {
    pub id: Option<u64>,
    pub outputs: Option<Vec<Output>>,
    pub bytes: Option<usize>,
    pub error: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Output {
    One(Number),
    Many(Vec<Number>),
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Number {
    Finite(f64),
    Word(String),
}

impl Number {
    pub(super) fn value(&self) -> Option<f64> {
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
