//! What a CSV column holds, by public knowledge: a number, or one of so many words.

use super::error::{Field, LoadProblem, number};
use serde::{Deserialize, Serialize};

/// Fields that stand for no value.
const MISSING: [&str; 6] = ["", "?", "na", "n/a", "nan", "null"];

/// What a column holds. Public: a record's features are a function of the record and of this alone.
///
/// ```
/// use dp_assay::problem::load::{Column, Options, read};
///
/// let columns = vec![
///     Column::Number { missing: Some(50.0) },
///     Column::Category { words: vec!["red".into(), "blue".into()] },
/// ];
/// let options = Options { columns: Some(columns), ..Options::default() };
/// let data = read("cars.csv", "age,paint,sold\n?,blue,yes\n9,green,no\n".as_bytes(), &options)?;
/// let rows: Vec<Vec<f64>> = (0..2).map(|i| data.design().row(i).map(|(_, x)| x).collect()).collect();
/// assert_eq!(rows, [[50.0, 0.0, 1.0], [9.0, 0.0, 0.0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Column {
    /// A number.
    Number {
        /// What takes the place of one that is missing; without it a missing number is an error.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        missing: Option<f64>,
    },
    /// One of these words: a feature for each, 1 where the field is that word and 0 elsewhere. A field that is none of
    /// them, or is missing, has zeros only.
    Category {
        /// The words.
        words: Vec<String>,
    },
}

impl Column {
    /// Whether a field stands for no value: empty, `?`, `NA`, `N/A`, `NaN` or `null`.
    #[must_use]
    pub fn is_missing(text: &str) -> bool {
        MISSING.contains(&text.to_ascii_lowercase().as_str())
    }

    /// Number of features.
    pub(super) const fn width(&self) -> usize {
        match self {
            Self::Number { .. } => 1,
            Self::Category { words } => words.len(),
        }
    }

    /// The names of its features.
    pub(super) fn names(&self, name: &str) -> Vec<String> {
        match self {
            Self::Number { .. } => vec![name.to_owned()],
            Self::Category { words } => words.iter().map(|word| format!("{name}={word}")).collect(),
        }
    }

    /// Appends the features of a field.
    pub(super) fn read(
        &self,
        field: Field,
        text: &str,
        features: &mut Vec<f64>,
    ) -> Result<(), LoadProblem> {
        match self {
            Self::Number { missing } => features.push(match missing {
                Some(value) if Self::is_missing(text) => *value,
                _ => number(field, text)?,
            }),
            Self::Category { words } => {
                features.extend(words.iter().map(|word| f64::from(word == text)));
            }
        }
        Ok(())
    }
}
