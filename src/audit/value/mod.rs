//! Outputs of any shape: numbers, texts, lists, sets, maps and exceptions, nested as they come.
//!
//! An audit looks at such outputs through columns that it learns from the first of them: which keys are there,
//! how long a list is, which of the frequent texts it is, in which order things stand.
//!
//! ```
//! use dp_assay::prelude::*;
//! use dp_assay::audit::any;
//! use std::collections::BTreeMap;
//!
//! // A histogram whose keys are released whenever they occur: no noise hides a record that is alone.
//! let histogram = from_fn("histogram", |words: &Vec<&str>, tape| {
//!     let mut counts: BTreeMap<String, f64> = BTreeMap::new();
//!     for word in words {
//!         *counts.entry((*word).to_owned()).or_default() += 1.0;
//!     }
//!     for (at, count) in counts.values_mut().enumerate() {
//!         *count += tape.uniform(0, Purpose::User, at as u64).laplace();
//!     }
//!     any(&counts)
//! });
//! let report = Audit::of(histogram)
//!     .claim(1.0, 0.0)
//!     .neighbours(Neighbouring::AddRemove, vec!["ann"], vec!["ann", "bob"])
//!     .run()?;
//! assert_eq!(report.verdict, Verdict::Violation);
//! # Ok::<(), AuditError>(())
//! ```

mod columns;
mod json;
mod parts;
mod structure;
mod text;

pub(crate) use structure::Structure;
#[cfg(feature = "cli")]
pub(crate) use structure::identity;

use ciborium::Value as Cbor;
use serde::Serialize;

/// What one run released, as a tree.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// No answer.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// A text, and what has no better form.
    Text(String),
    /// Values in order.
    List(Vec<Value>),
    /// Members without order, by their text and sorted.
    Set(Vec<String>),
    /// Values by key, in the order in which they were released.
    Map(Vec<(String, Value)>),
    /// The run ended with an exception: its kind and its message.
    Raised(String, String),
}

impl Value {
    /// The value of whatever can be serialised.
    ///
    /// # Errors
    /// The type's own refusal to be serialised.
    pub fn of(value: &impl Serialize) -> Result<Self, String> {
        Cbor::serialized(value)
            .map(Self::from_cbor)
            .map_err(|e| e.to_string())
    }

    fn from_cbor(value: Cbor) -> Self {
        match value {
            Cbor::Null => Self::Null,
            Cbor::Bool(b) => Self::Bool(b),
            Cbor::Float(x) => Self::Real(x),
            Cbor::Integer(i) => {
                let wide = i128::from(i);
                i64::try_from(wide).map_or_else(|_| Self::Text(wide.to_string()), Self::Integer)
            }
            Cbor::Text(text) => Self::Text(text),
            Cbor::Array(items) => Self::List(items.into_iter().map(Self::from_cbor).collect()),
            Cbor::Map(entries) => {
                let entry = |(key, value)| (Self::from_cbor(key).key(), Self::from_cbor(value));
                Self::Map(entries.into_iter().map(entry).collect())
            }
            Cbor::Tag(_, inner) => Self::from_cbor(*inner),
            other => Self::Text(format!("{other:?}")),
        }
    }

    /// The value as a key of a map or a member of a set: a text is itself, all else is written out.
    fn key(self) -> String {
        match self {
            Self::Text(text) => text,
            other => other.to_string(),
        }
    }
}

/// As JSON would write it, but for what JSON cannot.
impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let listed = |f: &mut std::fmt::Formatter<'_>, items: &mut dyn Iterator<Item = String>| {
            f.write_str(&items.collect::<Vec<_>>().join(", "))
        };
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Integer(i) => write!(f, "{i}"),
            Self::Real(x) => write!(f, "{x:?}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List(items) => {
                f.write_str("[")?;
                listed(f, &mut items.iter().map(ToString::to_string))?;
                f.write_str("]")
            }
            Self::Set(members) => {
                f.write_str("{")?;
                listed(f, &mut members.iter().map(|member| format!("{member:?}")))?;
                f.write_str("}")
            }
            Self::Map(entries) => {
                f.write_str("{")?;
                listed(
                    f,
                    &mut entries
                        .iter()
                        .map(|(key, value)| format!("{key:?}: {value}")),
                )?;
                f.write_str("}")
            }
            Self::Raised(kind, message) => write!(f, "{kind}({message:?})"),
        }
    }
}

/// The finalizer of SplitMix64, offset so that 0 is not a fixed point.
pub(crate) fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::mix;

    /// The first numbers of SplitMix64 from the seed 0, as its authors print them.
    #[test]
    fn words_are_mixed_as_splitmix64_does() {
        let seeds = [0, 0x9e37_79b9_7f4a_7c15, 0x3c6e_f372_fe94_f82a];
        let numbers = [
            0xe220_a839_7b1d_cdaf,
            0x6e78_9e6a_a1b9_65f4,
            0x06c4_5d18_8009_454f,
        ];
        assert_eq!(seeds.map(mix), numbers);
    }
}
