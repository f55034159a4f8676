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
            // Of outputs of any shape a column is NaN where an exception or a text stands instead of the number.
            Self::Missing { column } if layout.is_structured() => {
                let after = match layout.has_exceptions() {
                    true => ", as after an exception",
                    false => "",
                };
                let column = layout.column(*column);
                format!("{column} is NaN, or there is no such number{after}")
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::Output;
    use crate::audit::features::Extras;
    use crate::audit::features::Rows;
    use crate::audit::value::Value;

    /// Where the number is missing, in words, for outputs like these; every column that is NaN in the last of them.
    fn missing(outputs: &[Output]) -> Vec<String> {
        let layout = Layout::of(outputs, Extras::default());
        let columns = 0..layout.width();
        let words = columns.map(|column| Event::Missing { column }.describe(&layout));
        words.collect()
    }

    /// A run that raises has no number, which is no NaN of the mechanism's.
    #[test]
    fn an_exception_is_not_called_a_nan() {
        let number = |x: f64| Output::Value(Box::new(Value::Real(x)));
        let raised = Value::Raised("ValueError".into(), "too much".into());
        let raised = Output::Value(Box::new(raised));
        let after = missing(&[number(1.5), number(2.5), raised]);
        assert!(
            after.contains(
                &"output is NaN, or there is no such number, as after an exception".into()
            ),
            "{after:?}"
        );
        let text = Output::Value(Box::new(Value::Text("none".into())));
        let after = missing(&[number(1.5), number(2.5), text]);
        assert!(
            after.contains(&"output is NaN, or there is no such number".into()),
            "{after:?}"
        );
        let plain = missing(&[Output::Real(1.5), Output::Real(f64::NAN)]);
        assert_eq!(plain, ["output is NaN"]);
    }

    /// A number that is the threshold is on neither side of it, of a column as of a score, for one row and for many.
    #[test]
    fn what_is_the_threshold_is_on_neither_side() {
        let (low, high) = (
            Rows::of_reals(&[0.0, 1.0, 1.0]),
            Rows::of_reals(&[1.0, 2.0, 2.0]),
        );
        let classifier = Arc::new(Classifier::train(1, high.all(), low.all()));
        let scores: Vec<f64> = low.iter().map(|row| classifier.score(row.values)).collect();
        assert!(scores[0] < scores[1]);
        let events = |at: f64, score: f64| {
            let classifier = || Arc::clone(&classifier);
            [
                Event::Above {
                    column: 0,
                    threshold: at,
                },
                Event::Below {
                    column: 0,
                    threshold: at,
                },
                Event::Score {
                    classifier: classifier(),
                    threshold: score,
                },
                Event::ScoreBelow {
                    classifier: classifier(),
                    threshold: score,
                },
            ]
        };
        let held = |events: [Event; 4]| {
            events.map(|event| {
                let mut codes = vec![0; low.len()];
                event.mark(low.all(), 1, &mut codes);
                let one_by_one: Vec<u8> = low
                    .iter()
                    .map(|row| 2 * u8::from(event.contains(row)))
                    .collect();
                assert_eq!(codes, one_by_one);
                codes
            })
        };
        let [above, below] = [vec![0, 2, 2], vec![2, 0, 0]];
        let none = || vec![0; 3];
        assert_eq!(
            held(events(1.0, scores[1])),
            [none(), below.clone(), none(), below]
        );
        assert_eq!(
            held(events(0.0, scores[0])),
            [above.clone(), none(), above, none()]
        );
    }
}
