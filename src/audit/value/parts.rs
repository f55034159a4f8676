//! What a value is made of, whatever its kind.

use super::Value;
use std::borrow::Cow;

/// The parts of an exception, as keys.
const EXCEPTION: [&str; 2] = ["exception", "message"];
/// What stands for a member that a set has.
const MEMBER: Value = Value::Bool(true);

/// The number that a value is, or that its text is.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Bool(b) => Some(f64::from(u8::from(*b))),
        Value::Integer(i) => Some(*i as f64),
        Value::Real(x) => Some(*x),
        Value::Text(text) => text.trim().parse().ok(),
        _ => None,
    }
}

pub(super) fn length(value: &Value) -> Option<usize> {
    match value {
        Value::Text(text) => Some(text.chars().count()),
        Value::List(items) => Some(items.len()),
        Value::Set(members) => Some(members.len()),
        Value::Map(entries) => Some(entries.len()),
        _ => None,
    }
}

pub(super) fn list(value: &Value) -> &[Value] {
    match value {
        Value::List(items) => items,
        _ => &[],
    }
}

/// Keys with what is under them, members, the parts of an exception: in the order in which they came.
pub(super) fn entries(value: &Value) -> Vec<(&str, Cow<'_, Value>)> {
    match value {
        Value::Map(entries) => entries
            .iter()
            .map(|(key, value)| (key.as_str(), Cow::Borrowed(value)))
            .collect(),
        Value::Set(members) => members
            .iter()
            .map(|member| (member.as_str(), Cow::Owned(MEMBER)))
            .collect(),
        Value::Raised(kind, message) => {
            let texts = [kind, message].map(|text| Cow::Owned(Value::Text(text.clone())));
            EXCEPTION.into_iter().zip(texts).collect()
        }
        _ => Vec::new(),
    }
}

/// Of a list's neighbours, or a map's keys: how many ascend, and how many are equal.
pub(super) fn order(value: &Value) -> Option<[f64; 2]> {
    let ascends = |a: &Value, b: &Value| match (a, b) {
        (Value::Text(a), Value::Text(b)) => a < b,
        (a, b) => number(a).zip(number(b)).is_some_and(|(a, b)| a < b),
    };
    let count = |holds: &mut dyn Iterator<Item = bool>| holds.filter(|h| *h).count() as f64;
    match value {
        Value::List(items) => Some([
            count(&mut items.windows(2).map(|w| ascends(&w[0], &w[1]))),
            count(&mut items.windows(2).map(|w| w[0] == w[1])),
        ]),
        Value::Map(entries) => Some([
            count(&mut entries.windows(2).map(|w| w[0].0 < w[1].0)),
            count(&mut entries.windows(2).map(|w| w[0].1 == w[1].1)),
        ]),
        _ => None,
    }
}
