//! What differs between two plans.

use serde_json::Value;
use std::collections::BTreeSet;

/// A line for each value in which two JSON texts differ, with its place; of lists whose entries have names, each entry
/// is compared with the one of its name.
pub(super) fn between(left: &str, right: &str) -> String {
    let [left, right] = [left, right].map(serde_json::from_str::<Value>);
    let mut lines = Vec::new();
    match (left, right) {
        (Ok(left), Ok(right)) => compare("", Some(&left), Some(&right), &mut lines),
        _ => lines.push("  one of them is no JSON".to_owned()),
    }
    lines.join("\n")
}

fn compare(place: &str, left: Option<&Value>, right: Option<&Value>, lines: &mut Vec<String>) {
    if left == right {
        return;
    }
    let inside = |key: &str| match place {
        "" => key.to_owned(),
        _ => format!("{place}.{key}"),
    };
    match (left.map(entries), right.map(entries)) {
        (Some(Some(left)), Some(Some(right))) => {
            let of = |list: &[(String, Value)], key: &str| {
                list.iter().find(|e| e.0 == key).map(|e| e.1.clone())
            };
            let keys: Vec<&str> = left.iter().chain(&right).map(|e| e.0.as_str()).collect();
            let mut seen = BTreeSet::new();
            let order =
                |list: &[(String, Value)]| list.iter().map(|e| e.0.clone()).collect::<Vec<_>>();
            let before = lines.len();
            for key in keys.into_iter().filter(|key| seen.insert(*key)) {
                compare(
                    &inside(key),
                    of(&left, key).as_ref(),
                    of(&right, key).as_ref(),
                    lines,
                );
            }
            if lines.len() == before {
                lines.push(format!(
                    "  {place}: {} | {}",
                    order(&left).join(", "),
                    order(&right).join(", ")
                ));
            }
        }
        _ => {
            let text = |value: Option<&Value>| value.map_or_else(|| "absent".to_owned(), short);
            lines.push(format!("  {place}: {} | {}", text(left), text(right)));
        }
    }
}

/// The parts of an object, or of a list of named objects.
fn entries(value: &Value) -> Option<Vec<(String, Value)>> {
    match value {
        Value::Object(fields) => Some(fields.iter().map(|(k, v)| (k.clone(), v.clone())).collect()),
        Value::Array(items) => items
            .iter()
            .map(|item| Some((item.get("name")?.as_str()?.to_owned(), item.clone())))
            .collect(),
        _ => None,
    }
}

/// A value as JSON; a whole object by its name alone.
fn short(value: &Value) -> String {
    match value.get("name").and_then(Value::as_str) {
        Some(name) => format!("`{name}`"),
        None => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn only_what_differs_is_named_and_where() {
        let plan = |seed: u64, pairs: u64, more: &str| {
            format!(
                r#"{{"seed": {seed}, "audit": [{{"name": "a", "pairs": {pairs}}}, {{"name": "b"}}{more}]}}"#
            )
        };
        let known = plan(1, 10, "");
        assert_eq!(between(&known, &known), "");
        assert_eq!(between(&known, &plan(2, 10, "")), "  seed: 1 | 2");
        assert_eq!(
            between(&known, &plan(1, 20, "")),
            "  audit.a.pairs: 10 | 20"
        );
        assert_eq!(
            between(&known, &plan(1, 10, r#", {"name": "c", "pairs": 3}"#)),
            "  audit.c: absent | `c`"
        );
        let turned = r#"{"seed": 1, "audit": [{"name": "b"}, {"name": "a", "pairs": 10}]}"#;
        assert_eq!(between(&known, turned), "  audit: a, b | b, a");
        assert_eq!(between("?", &known), "  one of them is no JSON");
    }
}
