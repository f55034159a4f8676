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

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    /// What of a value is a number, how long it is, and what it has inside.
    #[test]
    fn values_have_the_parts_of_their_kind() {
        let list = Value::List(vec![Value::Integer(1), Value::Real(1.0), Value::Null]);
        let map = Value::Map(vec![
            ("b".into(), Value::Null),
            ("a".into(), Value::Null),
            ("a".into(), Value::Bool(true)),
        ]);
        let set = Value::Set(vec!["x".into(), "y".into()]);
        let raised = Value::Raised("E".into(), "why".into());
        let numbers = [
            Value::Bool(true),
            Value::Bool(false),
            Value::Integer(-7),
            Value::Real(0.5),
            text(" 2.5 "),
            text("no"),
            list.clone(),
        ];
        assert_eq!(
            { numbers }.each_ref().map(number),
            [
                Some(1.0),
                Some(0.0),
                Some(-7.0),
                Some(0.5),
                Some(2.5),
                None,
                None
            ]
        );
        let long = [
            text("éa"),
            list.clone(),
            set.clone(),
            map.clone(),
            Value::Null,
            raised.clone(),
        ];
        assert_eq!(
            { long }.each_ref().map(length),
            [Some(2), Some(3), Some(2), Some(3), None, None]
        );
        assert_eq!([super::list(&list).len(), super::list(&map).len()], [3, 0]);
        let keys = |value: &Value| {
            entries(value)
                .iter()
                .map(|(key, _)| (*key).to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(keys(&map), ["b", "a", "a"]);
        assert_eq!(
            [keys(&set), keys(&raised)],
            [["x", "y"], ["exception", "message"]]
        );
        assert_eq!(entries(&set)[1].1.as_ref(), &Value::Bool(true));
        assert_eq!(entries(&raised)[1].1.as_ref(), &text("why"));
        assert!(keys(&list).is_empty() && keys(&text("a")).is_empty());
    }

    /// Neighbours that ascend and neighbours that are equal, by their numbers or as texts.
    #[test]
    fn neighbours_ascend_or_are_equal() {
        let numbers = |all: &[f64]| Value::List(all.iter().map(|x| Value::Real(*x)).collect());
        assert_eq!(
            order(&numbers(&[1.0, 2.0, 2.0, 1.0, 3.0])),
            Some([2.0, 1.0])
        );
        assert_eq!(
            order(&Value::List(vec![
                text("a"),
                text("b"),
                text("10"),
                text("9")
            ])),
            Some([2.0, 0.0])
        );
        assert_eq!(
            order(&Value::List(vec![
                Value::Null,
                Value::Null,
                Value::Integer(1)
            ])),
            Some([0.0, 1.0])
        );
        assert_eq!(
            order(&Value::List(vec![Value::Integer(1), Value::Real(2.5)])),
            Some([1.0, 0.0])
        );
        let entry = |key: &str, x: i64| (key.to_owned(), Value::Integer(x));
        assert_eq!(
            order(&Value::Map(vec![
                entry("a", 1),
                entry("c", 1),
                entry("b", 2),
                entry("b", 2)
            ])),
            Some([1.0, 2.0])
        );
        assert_eq!([order(&text("ab")), order(&Value::Null)], [None, None]);
    }
}
