//! Sets of outputs, and outputs as rows of numbers to define them on.

use crate::audit::Output;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How outputs are laid out as rows: fixed from the first outputs seen, so that later ones of
/// another length still have a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    width: usize,
    has_length: bool,
}

impl Layout {
    /// The layout for outputs like these.
    pub fn of<'a>(outputs: impl IntoIterator<Item = &'a Output>) -> Self {
        let mut lengths = outputs.into_iter().map(length);
        let first = lengths.next().unwrap_or(Some(1));
        let mut width = first.unwrap_or(1);
        let mut has_length = false;
        for other in lengths {
            width = width.max(other.unwrap_or(0));
            has_length |= other != first;
        }
        Self {
            width: width + usize::from(has_length),
            has_length,
        }
    }

    /// Numbers in a row.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Appends the row of an output; what the output lacks is NaN.
    pub fn push(&self, output: &Output, rows: &mut Rows) {
        let end = rows.values.len() + self.width;
        if self.has_length {
            rows.values.push(length(output).map_or(-1.0, |l| l as f64));
        }
        match output {
            Output::Real(x) => rows.values.push(*x),
            Output::Integer(i) => rows.values.push(*i as f64),
            Output::Category(c) => rows.values.push(*c as f64),
            Output::Vector(v) => rows.values.extend(v),
            Output::Bits(b) => rows.values.extend(b.iter().map(|b| f64::from(*b))),
            Output::Nothing => {}
        }
        rows.values.resize(end, f64::NAN);
        rows.tokens.push(token(output));
    }

    /// The name of a column in events.
    fn column(&self, index: usize) -> String {
        match (self.has_length, index) {
            (true, 0) => "length".to_owned(),
            (false, _) if self.width == 1 => "output".to_owned(),
            _ => format!("output[{}]", index - usize::from(self.has_length)),
        }
    }
}

/// Entries of an output; `None` if there is no output.
fn length(output: &Output) -> Option<usize> {
    match output {
        Output::Real(_) | Output::Integer(_) | Output::Category(_) => Some(1),
        Output::Vector(v) => Some(v.len()),
        Output::Bits(b) => Some(b.len()),
        Output::Nothing => None,
    }
}

/// A number that equal outputs (equal bit by bit) share and others almost surely do not. Two
/// outputs that share one by accident only make an event larger: it stays an event.
fn token(output: &Output) -> u64 {
    let kind = |tag: u64, words: &mut dyn Iterator<Item = u64>| {
        words.fold(mix(tag), |state, word| mix(state ^ word))
    };
    match output {
        Output::Real(x) => kind(1, &mut std::iter::once(x.to_bits())),
        Output::Integer(i) => kind(2, &mut std::iter::once(*i as u64)),
        Output::Category(c) => kind(3, &mut std::iter::once(*c)),
        Output::Vector(v) => kind(4, &mut v.iter().map(|x| x.to_bits())),
        Output::Bits(b) => kind(5, &mut b.iter().map(|b| u64::from(*b))),
        Output::Nothing => mix(6),
    }
}

/// The finalizer of SplitMix64, offset so that 0 is not a fixed point.
fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Outputs as rows, row by row in one allocation.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    values: Vec<f64>,
    tokens: Vec<u64>,
}

impl Rows {
    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// One row.
    #[must_use]
    pub fn row(&self, index: usize) -> Row<'_> {
        let width = self.values.len() / self.tokens.len();
        Row {
            values: &self.values[index * width..(index + 1) * width],
            token: self.tokens[index],
        }
    }

    /// All rows, in order.
    pub fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.len()).map(|index| self.row(index))
    }

    /// Adds the rows of another table of the same layout.
    pub fn extend(&mut self, other: &Self) {
        self.values.extend_from_slice(&other.values);
        self.tokens.extend_from_slice(&other.tokens);
    }
}

/// One output, as numbers and as an identity.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The numbers, NaN where there is none.
    pub values: &'a [f64],
    /// The identity.
    pub token: u64,
}

/// A set of outputs. Comparisons are false for NaN, which has an event of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The column is above the threshold.
    Above {
        /// Column.
        column: usize,
        /// Threshold.
        #[serde(with = "crate::audit::number")]
        threshold: f64,
    },
    /// The column is below the threshold.
    Below {
        /// Column.
        column: usize,
        /// Threshold.
        #[serde(with = "crate::audit::number")]
        threshold: f64,
    },
    /// The column is not a number.
    Missing {
        /// Column.
        column: usize,
    },
    /// The output is one of these, by identity (sorted).
    OneOf {
        /// Identities.
        tokens: Vec<u64>,
    },
}

impl Event {
    /// Whether the output is in the set.
    #[must_use]
    pub fn contains(&self, row: Row<'_>) -> bool {
        match self {
            Self::Above { column, threshold } => row.values[*column] > *threshold,
            Self::Below { column, threshold } => row.values[*column] < *threshold,
            Self::Missing { column } => row.values[*column].is_nan(),
            Self::OneOf { tokens } => tokens.binary_search(&row.token).is_ok(),
        }
    }

    /// The event in words.
    #[must_use]
    pub fn describe(&self, layout: &Layout) -> String {
        Described {
            event: self,
            layout,
        }
        .to_string()
    }
}

struct Described<'a> {
    event: &'a Event,
    layout: &'a Layout,
}

impl fmt::Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.event {
            Event::Above { column, threshold } => {
                write!(f, "{} > {threshold}", self.layout.column(*column))
            }
            Event::Below { column, threshold } => {
                write!(f, "{} < {threshold}", self.layout.column(*column))
            }
            Event::Missing { column } => write!(f, "{} is NaN", self.layout.column(*column)),
            Event::OneOf { tokens } => write!(f, "output is one of {} values", tokens.len()),
        }
    }
}
