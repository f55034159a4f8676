//! What one run of a mechanism puts out.

use crate::audit::value::Value;
use serde::Serialize;

/// What one run of a mechanism put out. Every value is an outcome like any other: NaN, the
/// infinities, −0.0 and an answer of another length than usual are counted, never dropped.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// A real number.
    Real(f64),
    /// An integer.
    Integer(i64),
    /// One of a set without order.
    Category(u64),
    /// Numbers, of any length; by custom an entry that answers nothing is NaN.
    Vector(Vec<f64>),
    /// Bits, of any length.
    Bits(Vec<bool>),
    /// Anything else: see [`any`](crate::audit::any).
    Value(Box<Value>),
    /// The run ended without an answer: refused, stopped early, crashed.
    Nothing,
}

impl From<f64> for Output {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<i64> for Output {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<bool> for Output {
    fn from(value: bool) -> Self {
        Self::Category(u64::from(value))
    }
}

impl From<Vec<f64>> for Output {
    fn from(value: Vec<f64>) -> Self {
        Self::Vector(value)
    }
}

impl From<Vec<bool>> for Output {
    fn from(value: Vec<bool>) -> Self {
        Self::Bits(value)
    }
}

impl<T: Into<Self>> From<Option<T>> for Output {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

/// The output that any value that can be serialised makes: what [`from_fn`](crate::audit::from_fn)'s function returns
/// where numbers do not say it.
///
/// A real number, a truth value, a whole number stay what they are; so does a list of reals.
///
/// # Panics
/// If the type refuses to be serialised.
#[must_use]
pub fn any(value: &impl Serialize) -> Output {
    match Value::of(value) {
        Ok(value) => value.into(),
        Err(error) => panic!("an output cannot be serialised: {error}"),
    }
}

impl From<Value> for Output {
    fn from(value: Value) -> Self {
        match value {
            Value::Real(x) => Self::Real(x),
            Value::Integer(i) => Self::Integer(i),
            Value::List(items) if items.iter().all(|item| matches!(item, Value::Real(_))) => {
                let real = |item: &Value| match item {
                    Value::Real(x) => *x,
                    _ => f64::NAN,
                };
                Self::Vector(items.iter().map(real).collect())
            }
            other => Self::Value(Box::new(other)),
        }
    }
}
