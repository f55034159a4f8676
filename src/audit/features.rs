//! Outputs as rows of numbers, to define events on; what of a number is looked at is in `features/rounding.rs`.
//!
//! ```
//! use dp_assay::audit::features::Statistic;
//! use dp_assay::audit::{Audit, Output, Verdict, from_fn};
//! use dp_assay::mechanism::tape::Purpose;
//! use dp_assay::units::Neighbouring;
//!
//! // The difference of the two numbers gives the input away, whatever noise they share.
//! let difference = Statistic::new("difference", |output| match output {
//!     Output::Vector(v) => v[1] - v[0],
//!     _ => f64::NAN,
//! });
//! let twice = from_fn("one noise twice", |x: &f64, tape| {
//!     let noise = tape.uniform(0, Purpose::User, 0).laplace();
//!     vec![noise, x + noise]
//! });
//! let report = Audit::of(twice)
//!     .claim(1.0, 0.0)
//!     .neighbours(Neighbouring::ReplaceOne, 0.0, 1.0)
//!     .looking_at(difference)
//!     .trials(20_000)
//!     .run()?;
//! assert_eq!(report.verdict, Verdict::Violation);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod rounding;
mod rows;

pub use rows::{Part, Row, Rows};

use crate::audit::Output;
use crate::audit::reach::grid;
use crate::audit::value::{Structure, Value, mix};
use rounding::{round, unit};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A number computed from an output, for example the likelihood ratio of the two inputs. Events on
/// it are as valid as any other: it may depend on the pair and on the code, not on the samples.
#[derive(Clone)]
pub struct Statistic {
    name: String,
    pub(super) value: Arc<dyn Fn(&Output) -> f64 + Send + Sync>,
}

impl Statistic {
    /// The statistic that `value` computes.
    pub fn new(
        name: impl Into<String>,
        value: impl Fn(&Output) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            value: Arc::new(value),
        }
    }
}

/// By name: functions cannot be compared.
impl PartialEq for Statistic {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Statistic({})", self.name)
    }
}

/// What is looked at besides the numbers of an output.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub(crate) struct Extras {
    /// Statistics of the caller's. They are code: a layout read from a file has none.
    #[serde(skip)]
    pub statistics: Vec<Statistic>,
    /// Whether to look at the 64 bits of every number and at the grid on which it lies.
    pub bits: bool,
}

/// How outputs are laid out as rows: fixed from the first outputs seen, so that later ones of
/// another length still have a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Layout {
    /// Whether the first column is the output's length.
    has_length: bool,
    /// Columns with the output's own numbers.
    entries: usize,
    /// What else has columns.
    extras: Extras,
    /// The unit to which each entry, then each statistic, is rounded; 0 where it is not.
    units: Vec<f64>,
    /// What the entries look at, where outputs are more than numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    structure: Option<Structure>,
}

/// Columns that stand for the bits of one number: its grid, then bits 0 (lowest) to 63.
const BIT_COLUMNS: usize = 65;

impl Layout {
    /// The layout for outputs like these.
    pub(crate) fn of<'a>(outputs: impl IntoIterator<Item = &'a Output>, extras: Extras) -> Self {
        let outputs: Vec<&Output> = outputs.into_iter().collect();
        if outputs.iter().any(|o| matches!(o, Output::Value(_))) {
            return Self::structured(&outputs, extras);
        }
        let lengths: Vec<Option<usize>> = outputs.iter().map(|o| length(o)).collect();
        // An empty output lacks what others would have: it has a column to say so.
        let entries = lengths.iter().flatten().copied().max().unwrap_or(1).max(1);
        let has_length = lengths.iter().any(|l| *l != lengths[0]);
        let mut layout = Self {
            has_length,
            entries,
            extras,
            units: Vec::new(),
            structure: None,
        };
        if !layout.extras.bits {
            let of_entry = |at: usize| unit(outputs.iter().filter_map(|o| real(o, at)));
            layout.units = (0..entries).map(of_entry).collect();
            layout.add_units_of_statistics(&outputs);
        }
        layout
    }

    /// The layout for outputs that are more than numbers.
    fn structured(outputs: &[&Output], extras: Extras) -> Self {
        let values: Vec<Cow<'_, Value>> = outputs.iter().map(|o| value(o)).collect();
        let structure = Structure::of(values.iter().map(AsRef::as_ref));
        let entries = structure.width();
        let mut rows = Vec::new();
        for value in &values {
            structure.push(value, &|_, x| x, &mut rows);
        }
        let mut layout = Self {
            has_length: false,
            entries,
            extras,
            units: Vec::new(),
            structure: Some(structure),
        };
        if !layout.extras.bits {
            let of_entry = |at: usize| unit(rows.iter().skip(at).step_by(entries).copied());
            layout.units = (0..entries).map(of_entry).collect();
            layout.add_units_of_statistics(outputs);
        }
        layout
    }

    fn add_units_of_statistics(&mut self, outputs: &[&Output]) {
        for statistic in &self.extras.statistics {
            let values = outputs.iter().map(|o| (statistic.value)(o));
            self.units.push(unit(values));
        }
    }

    /// Of how many parts of an output there is no column.
    pub(crate) fn left_out(&self) -> usize {
        self.structure.as_ref().map_or(0, Structure::left_out)
    }

    /// Numbers in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        let bits = if self.extras.bits {
            BIT_COLUMNS * self.entries
        } else {
            0
        };
        usize::from(self.has_length) + self.entries + self.extras.statistics.len() + bits
    }

    /// The same layout with statistics, which no file can hold.
    pub(crate) fn with_statistics_of(mut self, extras: &Extras) -> Self {
        self.extras.statistics.clone_from(&extras.statistics);
        self
    }

    /// Appends the row of an output; what the output lacks is NaN. So is every entry of one that is longer
    /// than all that showed the layout, unless a column tells the length.
    pub(crate) fn push(&self, output: &Output, rows: &mut Rows) {
        let start = rows.values.len();
        if self.has_length {
            rows.values.push(length(output).map_or(-1.0, |l| l as f64));
        }
        let entries = rows.values.len();
        let token = match &self.structure {
            Some(structure) => {
                let rounded = |at: usize, x: f64| round(x, self.unit_of(at));
                structure.push(&value(output), &rounded, &mut rows.values)
            }
            None => self.push_numbers(output, rows),
        };
        for (at, statistic) in self.extras.statistics.iter().enumerate() {
            let unit = self.units.get(self.entries + at).copied();
            rows.values.push(round((statistic.value)(output), unit));
        }
        if self.extras.bits {
            for entry in entries..entries + self.entries {
                push_bits(rows.values[entry], &mut rows.values);
            }
        }
        rows.width = rows.values.len() - start;
        assert_eq!(rows.width, self.width());
        rows.tokens.push(token);
    }

    /// Appends the entries of an output of numbers; its identity.
    fn push_numbers(&self, output: &Output, rows: &mut Rows) -> u64 {
        let entries = rows.values.len();
        let rounded = |(at, x): (usize, &f64)| round(*x, self.unit_of(at));
        match output {
            Output::Real(x) => rows.values.push(rounded((0, x))),
            Output::Integer(i) => rows.values.push(*i as f64),
            Output::Category(c) => rows.values.push(*c as f64),
            Output::Vector(v) => rows.values.extend(v.iter().enumerate().map(rounded)),
            Output::Bits(b) => rows.values.extend(b.iter().map(|b| f64::from(*b))),
            // Of another kind than all that showed the layout: it has its identity alone.
            Output::Value(_) | Output::Nothing => {}
        }
        let token = token(output, &rows.values[entries..]);
        if !self.has_length && rows.values.len() - entries > self.entries {
            // Cut, it would look like any other: it answers nothing that was asked for.
            rows.values.truncate(entries);
        }
        rows.values.resize(entries + self.entries, f64::NAN);
        token
    }

    /// The unit of an entry; none for those that the layout does not know.
    fn unit_of(&self, entry: usize) -> Option<f64> {
        (entry < self.entries)
            .then(|| self.units.get(entry).copied())
            .flatten()
    }

    /// Whether some numbers are rounded.
    pub(crate) fn rounds(&self) -> bool {
        self.units.iter().any(|unit| *unit > 0.0)
    }

    /// The name of a column in events.
    #[must_use]
    pub fn column(&self, index: usize) -> String {
        let entry = |entry: usize| match (&self.structure, self.entries) {
            (Some(structure), _) => structure.name(entry).0.to_owned(),
            (None, 1) => "output".to_owned(),
            (None, _) => format!("output[{entry}]"),
        };
        let Some(index) = index.checked_sub(usize::from(self.has_length)) else {
            return "length".to_owned();
        };
        let Some(index) = index.checked_sub(self.entries) else {
            return entry(index);
        };
        if let Some(statistic) = self.extras.statistics.get(index) {
            return statistic.name.clone();
        }
        let index = index - self.extras.statistics.len();
        match index % BIT_COLUMNS {
            0 => format!("grid of {}", entry(index / BIT_COLUMNS)),
            bit => format!("bit {} of {}", bit - 1, entry(index / BIT_COLUMNS)),
        }
    }

    /// Whether outputs may be of any shape.
    pub(crate) const fn is_structured(&self) -> bool {
        self.structure.is_some()
    }

    /// Whether some of the outputs that it was made from are exceptions.
    pub(crate) fn has_exceptions(&self) -> bool {
        let structure = self.structure.as_ref();
        structure.is_some_and(Structure::has_exceptions)
    }

    /// The statement that holds of an output where the column is 1 and not where it is 0, if it is such a column.
    pub(crate) fn statement(&self, column: usize) -> Option<&str> {
        let structure = self.structure.as_ref()?;
        let (name, indicator) = (column < self.entries).then(|| structure.name(column))?;
        indicator.then_some(name)
    }

    /// The row's entries as a reader would write them.
    pub(crate) fn show(&self, values: &[f64]) -> String {
        let entries = &values[usize::from(self.has_length)..][..self.entries];
        if let Some(structure) = &self.structure {
            return shown(structure, entries);
        }
        match entries {
            [one] => one.to_string(),
            many => {
                let words: Vec<String> = many.iter().map(ToString::to_string).collect();
                format!("[{}]", words.join(", "))
            }
        }
    }
}

/// What the columns say of a value: the statements that hold, and the numbers.
fn shown(structure: &Structure, entries: &[f64]) -> String {
    const SHOWN: usize = 6;
    let named = entries
        .iter()
        .enumerate()
        .map(|(at, x)| (structure.name(at), *x));
    let told = named.filter(|((_, indicator), x)| if *indicator { *x > 0.0 } else { !x.is_nan() });
    let words: Vec<String> = told
        .map(|((name, indicator), x)| {
            if indicator {
                name.to_owned()
            } else {
                format!("{name} = {x}")
            }
        })
        .collect();
    if words.is_empty() {
        return "of which no column says anything".to_owned();
    }
    let rest = if words.len() > SHOWN { ", …" } else { "" };
    format!(
        "one where {}{rest}",
        words[..words.len().min(SHOWN)].join(", ")
    )
}

/// An output as a tree.
fn value(output: &Output) -> Cow<'_, Value> {
    Cow::Owned(match output {
        Output::Value(value) => return Cow::Borrowed(value),
        Output::Real(x) => Value::Real(*x),
        Output::Integer(i) => Value::Integer(*i),
        Output::Category(c) => Value::Text(c.to_string()),
        Output::Vector(v) => Value::List(v.iter().map(|x| Value::Real(*x)).collect()),
        Output::Bits(b) => Value::List(b.iter().map(|b| Value::Bool(*b)).collect()),
        Output::Nothing => Value::Null,
    })
}

/// The [`grid`] of a number, NaN if it has none, then its 64 bits.
fn push_bits(value: f64, row: &mut Vec<f64>) {
    row.push(grid(value).map_or(f64::NAN, f64::from));
    let bits = value.to_bits();
    row.extend((0..64).map(|bit| f64::from(bits >> bit & 1 == 1)));
}

/// Entries of an output; `None` if there is no output.
fn length(output: &Output) -> Option<usize> {
    match output {
        Output::Real(_) | Output::Integer(_) | Output::Category(_) => Some(1),
        Output::Vector(v) => Some(v.len()),
        Output::Bits(b) => Some(b.len()),
        Output::Value(_) | Output::Nothing => None,
    }
}

/// A real entry of an output.
fn real(output: &Output, at: usize) -> Option<f64> {
    match output {
        Output::Real(x) => (at == 0).then_some(*x),
        Output::Vector(v) => v.get(at).copied(),
        _ => None,
    }
}

/// A number that equal outputs share and others almost surely do not: of the kind of output, and
/// the bits of its rounded entries. Two outputs that share one by accident only make an event larger:
/// it stays an event.
fn token(output: &Output, entries: &[f64]) -> u64 {
    let hash = |kind: u64, words: &mut dyn Iterator<Item = u64>| {
        words.fold(mix(kind), |state, word| mix(state ^ word))
    };
    match output {
        // As numbers they might not be exact.
        Output::Integer(i) => hash(2, &mut std::iter::once(*i as u64)),
        Output::Category(c) => hash(3, &mut std::iter::once(*c)),
        Output::Value(value) => hash(
            7,
            &mut std::iter::once(Structure::default().push(value, &|_, x| x, &mut Vec::new())),
        ),
        Output::Nothing => mix(6),
        Output::Real(_) => hash(1, &mut entries.iter().map(|x| x.to_bits())),
        Output::Vector(_) => hash(4, &mut entries.iter().map(|x| x.to_bits())),
        Output::Bits(_) => hash(5, &mut entries.iter().map(|x| x.to_bits())),
    }
}

#[cfg(test)]
mod tests;
