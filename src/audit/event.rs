//! Sets of outputs.
//!
//! ```
//! use dp_assay::audit::event::Event;
//! use dp_assay::audit::features::Row;
//!
//! let output = Row { values: &[2.0, f64::NAN], token: 7 };
//! assert!(Event::Above { column: 0, threshold: 1.0 }.contains(output));
//! assert!(!Event::Below { column: 1, threshold: 1.0 }.contains(output));
//! assert!(Event::Missing { column: 1 }.contains(output));
//! assert!(Event::OneOf { tokens: vec![3, 7], examples: Vec::new() }.contains(output));
//! ```

use crate::audit::classifier::Classifier;
use crate::audit::features::{Layout, Part, Row};
use crate::audit::number;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A set of outputs. Comparisons are false for NaN, which has an event of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The column is above the threshold.
    Above {
        /// Column.
        column: usize,
        /// Threshold.
        #[serde(with = "number")]
        #[cfg_attr(feature = "cli", schemars(schema_with = "number::schema"))]
        threshold: f64,
    },
    /// The column is below the threshold.
    Below {
        /// Column.
        column: usize,
        /// Threshold.
        #[serde(with = "number")]
        #[cfg_attr(feature = "cli", schemars(schema_with = "number::schema"))]
        threshold: f64,
    },
    /// The column is not a number.
    Missing {
        /// Column.
        column: usize,
    },
    /// The output is one of these.
    OneOf {
        /// Identities, sorted.
        tokens: Vec<u64>,
        /// Some of them, to show.
        examples: Vec<String>,
    },
    /// The classifier's score is above the threshold.
    Score {
        /// The classifier.
        classifier: Arc<Classifier>,
        /// Threshold.
        #[serde(with = "number")]
        #[cfg_attr(feature = "cli", schemars(schema_with = "number::schema"))]
        threshold: f64,
    },
    /// The classifier's score is below the threshold.
    ScoreBelow {
        /// The classifier.
        classifier: Arc<Classifier>,
        /// Threshold.
        #[serde(with = "number")]
        #[cfg_attr(feature = "cli", schemars(schema_with = "number::schema"))]
        threshold: f64,
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
            Self::OneOf { tokens, .. } => tokens.binary_search(&row.token).is_ok(),
            Self::Score {
                classifier,
                threshold,
            } => classifier.score(row.values) > *threshold,
            Self::ScoreBelow {
                classifier,
                threshold,
            } => classifier.score(row.values) < *threshold,
        }
    }

    /// Sets `bit` of the code of every row that is in the set: [`Self::contains`] for many rows, with the
    /// usual sorts of event told apart once.
    pub(crate) fn mark(&self, rows: Part<'_>, bit: u8, codes: &mut [u8]) {
        match self {
            Self::Above { column, threshold } => {
                mark_if(rows, bit, codes, |row| row.values[*column] > *threshold);
            }
            Self::Below { column, threshold } => {
                mark_if(rows, bit, codes, |row| row.values[*column] < *threshold);
            }
            other => mark_if(rows, bit, codes, |row| other.contains(row)),
        }
    }

    /// What the event's score adds up, line by line; nothing for an event without one.
    #[must_use]
    pub fn weights(&self, layout: &Layout) -> Vec<String> {
        match self {
            Self::Score { classifier, .. } | Self::ScoreBelow { classifier, .. } => {
                classifier.weights(layout)
            }
            _ => Vec::new(),
        }
    }

    /// The event in words.
    #[must_use]
    pub fn describe(&self, layout: &Layout) -> String {
        let inside = |threshold: &f64| (0.0..1.0).contains(threshold);
        match self {
            Self::Above { column, threshold } => match layout.statement(*column) {
                Some(statement) if inside(threshold) => statement.to_owned(),
                _ => format!("{} > {threshold}", layout.column(*column)),
            },
            Self::Below { column, threshold } => match layout.statement(*column) {
                Some(statement) if inside(&(1.0 - threshold)) => format!("not: {statement}"),
                _ => format!("{} < {threshold}", layout.column(*column)),
            },
            Self::Missing { column } => format!("{} is NaN", layout.column(*column)),
            Self::OneOf { tokens, examples } => {
                let rest = match tokens.len() - examples.len() {
                    0 => String::new(),
                    more => format!(" or one of {more} others"),
                };
                format!("output is {}{rest}", examples.join(" or "))
            }
            Self::Score {
                classifier,
                threshold,
            } => format!("{} > {threshold}", classifier.describe(layout)),
            Self::ScoreBelow {
                classifier,
                threshold,
            } => format!("{} < {threshold}", classifier.describe(layout)),
        }
    }
}

fn mark_if(rows: Part<'_>, bit: u8, codes: &mut [u8], happened: impl Fn(Row<'_>) -> bool) {
    for (code, row) in codes.iter_mut().zip(rows.iter()) {
        *code |= u8::from(happened(row)) << bit;
    }
}
