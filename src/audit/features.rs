//! Outputs as rows of numbers, to define events on.
//!
//! **Rounding.** A real number is looked at to 2⁻³⁰ of its usual size only (constants such as a sentinel apart), or of its own
//! where that is larger. A mechanism computed in
//! floating point differs from the one on paper in its last bits, and there it tells its inputs apart
//! exactly: of two noisy values, or of two roundings of one likelihood ratio, each may be reachable
//! from one input only. An audit of the mechanism on paper must not see that; an audit of the bits
//! (`Audit::bits`) looks at nothing else so closely, and rounds nothing.
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

use crate::audit::Output;
use crate::audit::reach::grid;
use crate::audit::value::{Structure, Value, mix};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A number computed from an output, for example the likelihood ratio of the two inputs. Events on
/// it are as valid as any other: it may depend on the pair and on the code, not on the samples.
#[derive(Clone)]
pub struct Statistic {
    name: String,
    value: Arc<dyn Fn(&Output) -> f64 + Send + Sync>,
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

/// The unit of rounding, as a part of the usual size of a column's numbers: 2⁻³⁰.
const RESOLUTION: f64 = 1.0 / (1 << 30) as f64;
/// A number that more than one in so many are is a constant of the mechanism's (a sentinel, a bound) and says nothing of the
/// usual size, unless fewer than one in the second number are anything else.
const CONSTANT: usize = 8;
const RARE: usize = 64;

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

/// The unit for numbers like these: 0, for none, if all are whole.
fn unit(values: impl Iterator<Item = f64>) -> f64 {
    let finite = values.filter(|x| x.is_finite() && *x != 0.0);
    let mut sizes: Vec<f64> = finite.collect();
    if sizes.iter().all(|x| x.fract() == 0.0) {
        return 0.0;
    }
    for x in &mut sizes {
        *x = x.abs();
    }
    sizes.sort_unstable_by(f64::total_cmp);
    let varied: Vec<f64> = sizes
        .chunk_by(|a, b| a == b)
        .filter(|same| same.len() * CONSTANT <= sizes.len())
        .flatten()
        .copied()
        .collect();
    let told = if varied.len() * RARE < sizes.len() {
        &sizes
    } else {
        &varied
    };
    below(told[told.len() / 2])
}

/// 2⁻³⁰ of the power of two at a number or below, a normal number.
fn below(size: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    let power = f64::from_bits(size.to_bits() & EXPONENT);
    (power * RESOLUTION).max(f64::MIN_POSITIVE)
}

/// A number rounded to a unit, a power of two, or to 2⁻³⁰ of itself if that is coarser; what rounds to nothing is +0, unlike
/// −0 itself.
fn round(x: f64, unit: Option<f64>) -> f64 {
    match unit {
        Some(unit) if unit > 0.0 && x.is_finite() && x != 0.0 => {
            let unit = unit.max(below(x));
            (x / unit).round() * unit + 0.0
        }
        _ => x,
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

/// Outputs as rows, row by row in one allocation.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    width: usize,
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
        self.all().row(index)
    }

    /// All rows, in order.
    pub fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        self.all().iter()
    }

    /// Adds the rows of another table of the same layout.
    pub fn extend(&mut self, other: &Self) {
        if !other.is_empty() {
            self.width = other.width;
        }
        self.values.extend_from_slice(&other.values);
        self.tokens.extend_from_slice(&other.tokens);
    }

    /// All rows.
    #[must_use]
    pub fn all(&self) -> Part<'_> {
        Part {
            width: self.width,
            values: &self.values,
            tokens: &self.tokens,
        }
    }
}

/// Consecutive rows of a table.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    width: usize,
    values: &'a [f64],
    tokens: &'a [u64],
}

impl<'a> Part<'a> {
    /// Number of rows.
    #[must_use]
    pub const fn len(self) -> usize {
        self.tokens.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.tokens.is_empty()
    }

    /// Numbers in a row.
    pub(crate) const fn width(self) -> usize {
        self.width
    }

    /// The identities of all rows, in order.
    pub(crate) const fn tokens(self) -> &'a [u64] {
        self.tokens
    }

    /// The first rows, `most` or all.
    pub(crate) fn first(self, most: usize) -> Self {
        let kept = self.len().min(most);
        Self {
            values: &self.values[..kept * self.width],
            tokens: &self.tokens[..kept],
            ..self
        }
    }

    /// One row.
    fn row(self, index: usize) -> Row<'a> {
        Row {
            values: &self.values[index * self.width..][..self.width],
            token: self.tokens[index],
        }
    }

    /// All rows, in order.
    pub fn iter(self) -> impl Iterator<Item = Row<'a>> {
        (0..self.len()).map(move |index| self.row(index))
    }

    /// The first half of the rows and the rest.
    pub(crate) fn halves(self) -> [Self; 2] {
        let half = self.len() / 2;
        let (values0, values1) = self.values.split_at(half * self.width);
        let (tokens0, tokens1) = self.tokens.split_at(half);
        [(values0, tokens0), (values1, tokens1)].map(|(values, tokens)| Self {
            width: self.width,
            values,
            tokens,
        })
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
