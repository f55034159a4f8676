//! What other programs may count on in `check --format json`, field by field to the last: its schema, and what
//! spec/formats/result.md says besides.

use crate::checked::CHECKED;
use crate::program::{json, stdout};
use serde_json::{Value, json as tree};

/// Where a value is not what a schema says, if it is not. Names that the schema does not have are none of its layout.
fn departs(value: &Value, schema: &Value, whole: &Value, place: &str) -> Option<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let inner = whole.pointer(&reference[1..]).expect("a definition");
        return departs(value, inner, whole, place);
    }
    for word in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[word].as_array() {
            let fits = |choice: &Value| departs(value, choice, whole, place).is_none();
            if !choices.iter().any(fits) {
                return Some(format!("{place}: {value} is none of {word}"));
            }
        }
    }
    if let Some(only) = schema.get("const").filter(|only| *only != value) {
        return Some(format!("{place}: {value} is not {only}"));
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        return Some(format!("{place}: {value} is none of {allowed:?}"));
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(x) if x.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let allows = |name: &Value| name == kind || (kind == "integer" && name == "number");
    let fits = match &schema["type"] {
        Value::Null => true,
        Value::Array(names) => names.iter().any(allows),
        name => allows(name),
    };
    if !fits {
        return Some(format!("{place}: a {kind}, not {}", schema["type"]));
    }
    match value {
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(i, item)| departs(item, &schema["items"], whole, &format!("{place}/{i}"))),
        Value::Object(fields) => {
            let properties = schema["properties"].as_object()?;
            let required = schema["required"].as_array().into_iter().flatten();
            let missing = required
                .filter_map(Value::as_str)
                .find(|key| !fields.contains_key(*key));
            if let Some(key) = missing {
                return Some(format!("{place}: {key} is missing"));
            }
            fields
                .iter()
                .find_map(|(key, field)| match properties.get(key) {
                    Some(inner) => departs(field, inner, whole, &format!("{place}/{key}")),
                    None => Some(format!("{place}: {key} is not documented")),
                })
        }
        _ => None,
    }
}

#[test]
fn a_report_of_check_has_the_layout_that_is_documented_to_the_last_field() {
    let schema: Value = serde_json::from_str(&stdout(&["schema", "check"])).expect("JSON");
    let report = &CHECKED.report;
    assert_eq!(departs(report, &schema, &schema, ""), None);
    // Every list of the layout has something in it, or nothing was looked at.
    for key in [
        "claims",
        "findings",
        "comparisons",
        "fits",
        "profiles",
        "audits",
        "seeded_bugs",
    ] {
        assert!(
            report[key].as_array().is_some_and(|list| !list.is_empty()),
            "{key}"
        );
    }
    // What departs is found, however deep.
    for (place, key, wrong) in [
        ("", "seed", tree!("7")),
        ("", "schema", tree!(null)),
        ("/data", "records", tree!("many")),
        ("/claims/0", "verdict", tree!(3)),
        ("/findings/0", "severity", tree!([])),
        ("/fits/0", "epsilon", tree!("1")),
        ("/profiles/0/points/0", "delta", tree!(null)),
        ("/audits/0", "new", tree!(1)),
    ] {
        let mut changed = report.clone();
        let object = changed.pointer_mut(place).expect("a place");
        object[key] = wrong;
        assert!(
            departs(&changed, &schema, &schema, "").is_some(),
            "{place}/{key}"
        );
    }
    for (place, key) in [
        ("", "failures"),
        ("/comparisons/0", "bound"),
        ("/claims/0", "id"),
    ] {
        let mut changed = report.clone();
        let object = changed.pointer_mut(place).and_then(Value::as_object_mut);
        object.expect("an object").remove(key);
        let found = departs(&changed, &schema, &schema, "").expect("a field less");
        assert!(found.contains(key), "{found}");
    }
}

/// What result.md says of it: failures and the exit code agree, rows are those of `ledger`, and each names its paper three times.
#[test]
fn a_report_of_check_says_of_itself_what_is_promised() {
    let report = &CHECKED.report;
    assert_eq!(report["schema"], "dp-assay/report/1");
    assert_eq!(report["effort"], "quick");
    let failures = report["failures"].as_array().expect("a list");
    assert_eq!(
        CHECKED.code == Some(1),
        !failures.is_empty(),
        "{failures:?}"
    );
    for key in ["claims", "findings"] {
        for row in report[key].as_array().expect("a list") {
            for name in ["paper", "arxiv", "title"] {
                assert!(row[name].is_string(), "{key}: {name} of {}", row["id"]);
            }
        }
    }
    let alone = json(&["ledger", "--paper", "skgd"]);
    let rows = |all: &Value| -> Vec<(Value, Value)> {
        let rows = all["claims"].as_array().expect("a list").iter();
        let of = rows.filter(|row| row["paper"] == "skgd");
        of.map(|row| (row["id"].clone(), row["verdict"].clone()))
            .collect()
    };
    assert_eq!(rows(report), rows(&alone));
}
