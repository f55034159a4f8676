//! Columns are learned, filled and named.

use super::*;
use crate::accounting::steady;
use serde_json::json;

fn value(json: serde_json::Value) -> Value {
    Value::from_json(json).expect("a value of the format")
}

/// The columns of the last value by name, in a structure learned from all; and its identity.
fn look(values: &[Value]) -> (BTreeMap<String, f64>, u64) {
    let structure = Structure::of(values);
    let mut row = Vec::new();
    let last = values.last().expect("a value");
    let identity = structure.push(last, &|_, x| x, &mut row);
    assert_eq!(row.len(), structure.width());
    let named = row
        .iter()
        .enumerate()
        .map(|(at, x)| (structure.name(at).0.to_owned(), *x));
    (named.collect(), identity)
}

#[test]
fn columns_say_what_is_there_how_much_and_in_which_order() {
    let map = |entries| value(json!({ "map": entries }));
    let values = [
        map(json!([["a", 1.5], ["b", "yes"]])),
        map(json!([["a", 2.5], ["b", "no"]])),
        map(json!([["a", 2.5], ["b", "no"]])),
        map(json!([["b", "yes"], ["a", 3.5], ["c", [2, 1, 1]]])),
    ];
    let (columns, _) = look(&values);
    let expected = [
        ("length of output", 3.0),
        ("ascending neighbours in output", 1.0),
        ("output[\"a\"]", 3.5),
        ("output[\"b\"] is \"yes\"", 1.0),
        ("output[\"b\"] is \"no\"", 0.0),
        ("output[\"c\"] is absent", 0.0),
        ("output[\"c\"] is a list", 1.0),
        ("equal neighbours in output[\"c\"]", 1.0),
        ("output[\"c\"][0]", 2.0),
        ("number of unusual keys of output", 0.0),
    ];
    for (name, x) in expected {
        assert_eq!(columns.get(name), Some(&x), "{name}: {columns:?}");
    }
    let repeated = map(json!([["a", 1.5], ["a", 2.5]]));
    let (columns, _) = look(&[values[0].clone(), values[1].clone(), repeated]);
    assert_eq!(columns["output[\"b\"] is absent"], 1.0);
    let (columns, _) = look(&[values[3].clone(), values[0].clone()]);
    assert_eq!(columns["output[\"c\"] is absent"], 1.0);
    assert!(columns["output[\"c\"][0]"].is_nan());
}

/// A list of more places than there are columns leaves some to what stands beside it; by itself it has them all.
#[test]
fn a_long_list_leaves_columns_to_its_neighbours() {
    let numbers = |from: usize| -> Vec<usize> { (from..from + COLUMNS + 9).collect() };
    let beside = |from: usize| {
        value(json!({"map": [["a", numbers(from)], ["b", from], ["c", [from, {"set": []}]]]}))
    };
    let structure = Structure::of(&[beside(1), beside(2)]);
    let named = |name: &str| (0..structure.width()).any(|at| structure.name(at).0 == name);
    assert!(named("output[\"b\"]") && named("output[\"c\"][0]"));
    assert!(named("output[\"a\"][2000]") && structure.width() > COLUMNS / 2);
    let alone = Structure::of(&[value(json!(numbers(1))), value(json!(numbers(2)))]);
    assert_eq!(alone.width(), COLUMNS);
}

/// Of what stands behind the places that have columns there are the least, the greatest and the mean; how much that is, is counted.
#[test]
fn what_stands_behind_the_last_column_is_looked_at_together() {
    let list = |late: usize| -> Vec<usize> {
        (0..5000)
            .map(|at| if at == 4900 { late } else { at % 3 })
            .collect()
    };
    let (columns, _) = look(&[value(json!(list(0))), value(json!(list(70)))]);
    for (what, x) in [("least", 0.0), ("greatest", 70.0)] {
        assert_eq!(
            columns[&format!("{what} of the later entries of output")],
            x
        );
    }
    let structure = Structure::of(&[value(json!(list(0)))]);
    // Length does not vary; order has two columns, what stands behind three.
    assert_eq!(
        (structure.width(), structure.left_out()),
        (COLUMNS, 5000 - (COLUMNS - 5))
    );
    let mut row = Vec::new();
    structure.push(&value(json!([1, 2])), &|_, x| x, &mut row);
    let behind = (0..COLUMNS).filter(|at| structure.name(*at).0.contains("later entries"));
    assert!(behind.map(|at| row[at]).all(f64::is_nan));
    let few = Structure::of(&[value(json!([1, 2])), value(json!("a text"))]);
    assert_eq!(few.left_out(), 0);
}

/// A long text has columns for its characters up to the 256th, for numbers in it, and for a character wherever it stands.
#[test]
fn a_long_text_is_looked_at_far_inside() {
    let text = |late: char, x: f64| {
        let numbers: String = (0..100)
            .map(|at| format!("{}.5 ", at + usize::from(at == 90) * x as usize))
            .collect();
        let letters: String = (0..300)
            .map(|at| if at == 270 { late } else { ['a', 'b'][at % 2] })
            .collect();
        value(json!(letters + " " + &numbers))
    };
    let all = [
        text('a', 0.0),
        text('z', 1.0),
        text('z', 2.0),
        text('b', 5.0),
    ];
    let (columns, _) = look(&all);
    assert_eq!(columns["output has the character \"z\""], 0.0);
    assert_eq!(columns["number 90 in output"], 95.5);
    assert!(columns.contains_key("character 255 of output"));
    // Numbers are one character each, a space behind each.
    assert_eq!(Structure::of(&all).left_out(), 300 + 1 + 200 - 256);
}

#[test]
fn whatever_differs_has_another_identity() {
    let all = [
        json!(null),
        json!(true),
        json!(1),
        json!(1.0),
        json!("1"),
        json!([1]),
        json!([[1]]),
        json!([]),
        json!({"set": []}),
        json!({"set": ["1"]}),
        json!({"map": []}),
        json!({"map": [["1", true]]}),
        json!({"map": [["a", 1], ["b", 2]]}),
        json!({"map": [["b", 2], ["a", 1]]}),
        json!({"real": "nan"}),
        json!({"raised": ["E", ""]}),
        json!({"raised": ["", "E"]}),
        json!("nan"),
        json!("a long text, longer than a word"),
        json!("a long text, longer than a wore"),
        json!(false),
        json!(0),
    ];
    let values: Vec<Value> = all.into_iter().map(value).collect();
    // With the columns of all, and with none.
    for structure in [Structure::of(&values), Structure::default()] {
        let identity = |v| structure.push(v, &|_, x| x, &mut Vec::new());
        let mut identities: Vec<u64> = values.iter().map(identity).collect();
        identities.sort_unstable();
        identities.dedup();
        assert_eq!(identities.len(), values.len());
    }
    let set = |members| value(json!({ "set": members }));
    assert_eq!(
        set(json!(["a", "b"])),
        set(json!(["b", "a"])),
        "a set has no order"
    );
}

#[test]
fn what_was_never_seen_is_counted_and_has_room() {
    let seen = [value(json!({"set": ["a"]})), value(json!({"set": []}))];
    let structure = Structure::of(&seen);
    let mut row = Vec::new();
    structure.push(&value(json!({"set": ["a", "x", "y"]})), &|_, x| x, &mut row);
    let column = |name: &str| (0..structure.width()).find(|at| structure.name(*at).0 == name);
    assert_eq!(
        row[column("number of unusual keys of output").expect("a column")],
        2.0
    );
    row.clear();
    structure.push(&value(json!([["deep"]])), &|_, x| x, &mut row);
    assert_eq!(row.len(), structure.width());
    let wide: Vec<Value> = (0..400)
        .map(|i| value(json!({"map": [[i.to_string(), i]]})))
        .collect();
    assert!(Structure::of(&wide).width() <= COLUMNS);
}

#[test]
fn objects_that_stand_for_nothing_are_refused() {
    for wrong in [
        json!({}),
        json!({"set": 1}),
        json!({"map": [["a"]]}),
        json!({"real": "one"}),
        json!({"what": []}),
        json!({"raised": ["E"]}),
        json!({"set": [], "map": []}),
    ] {
        let rule = Value::from_json(wrong.clone()).expect_err("no value");
        assert!(rule.contains('`'), "{wrong}: {rule}");
    }
}

/// What mixes words is one to one. Of 10,000 maps that differ in one number no two have one identity, be it joined to a key
/// whose own has few bits set: of independent words two would agree with probability 3·10⁻¹².
#[test]
fn no_two_of_many_words_or_maps_are_taken_for_one() {
    let distinct = |mut all: Vec<u64>| {
        let number = all.len();
        all.sort_unstable();
        all.dedup();
        (number, all.len())
    };
    let (number, found) = distinct((0..100_000).map(mix).collect());
    assert_eq!(number, found);
    let keys = (0..2000).map(|k: u32| k.to_string());
    let key = keys.min_by_key(|key| identity(key).count_ones());
    let structure = Structure::default();
    let identities = (0..10_000).map(|i| {
        let map = value(json!({ "map": [["a", i], [key, true]] }));
        structure.push(&map, &|_, x| x, &mut Vec::new())
    });
    let (number, found) = distinct(identities.collect());
    assert_eq!(number, found);
}

/// Columns, rows and identities of values of every kind, with what is rare, missing, long or repeated: to the last bit.
#[test]
fn columns_and_rows_of_all_kinds_are_what_they_were() {
    let number = |i: u64| json!((i * i % 17) as f64 / 4.0);
    let sorts: [&dyn Fn(u64) -> serde_json::Value; 8] = [
        &|i| json!([number(i), i % 3, null, i % 2 == 0]),
        &|i| json!({ "map": [["a", number(i)], [format!("k{}", i * i % 90), i], ["z", "x"]] }),
        &|i| json!({ "set": (0..i % 5).map(|k| format!("m{}", k * (i % 7))).collect::<Vec<_>>() }),
        &|i| match i % 4 {
            0 => json!(null),
            1 => json!({ "raised": ["E", format!("at {}.5 of {i}", i % 3)] }),
            2 => json!({ "real": "nan" }),
            _ => json!([[i], [number(i), [i % 2]]]),
        },
        &|i| json!(format!("word{} of {}.25, {}", i % 3, i, i % 2)),
        &|i| {
            let list: Vec<_> = (0..i % 4).collect();
            json!({ "map": [["a", { "map": [["b", i % 2]] }], ["a", 3], ["c", list]] })
        },
        &|i| json!(vec![i % 3; (i % 40) as usize]),
        &|_| json!(7),
    ];
    let mut found = Vec::new();
    for sort in sorts {
        let values: Vec<Value> = (0..100).map(|i| value(sort(i))).collect();
        let structure = Structure::of(&values);
        let names: Vec<_> = (0..structure.width())
            .map(|at| structure.name(at))
            .collect();
        let others = (100..110)
            .map(|i| value(sort(i)))
            .chain([value(json!([1, [2]])), value(json!("other"))]);
        let rows: Vec<_> = { values.iter().cloned() }
            .chain(others)
            .map(|value| {
                let mut row = vec![9.0];
                let identity = structure.push(&value, &|at, x| x + at as f64, &mut row);
                (row, identity)
            })
            .collect();
        found.push(steady::digest(&(names, rows, structure.has_exceptions())));
    }
    steady::words(
        &found,
        "d74a8237813750aa c90ba43ad753af58 b1b957d8eeecb7a5 b4a94d0f62c48f18 2f3dbbd2cc087ee2
            e75c11caf7114d91 70215835a93a83e4 4a56516accdcf03d",
    );
}

/// Keys beyond the first ones have places of their own if one output in thirty-two has them, and no place has more than may be given.
#[test]
fn rare_keys_have_no_columns_of_their_own() {
    // 64 keys that all have, and others that two or one of 64 have.
    let output = |i: u64| {
        let all = (0..64).map(|k| json!([format!("all{k:02}"), i * k % 5]));
        let rare = json!([format!("two{:02}", i / 2), i]);
        let once = json!([format!("one{i:02}"), i]);
        value(json!({ "map": all.chain([rare, once]).collect::<Vec<_>>() }))
    };
    let values: Vec<Value> = (0..64).map(output).collect();
    let structure = Structure::of(&values);
    let names: Vec<String> = (0..structure.width())
        .map(|at| structure.name(at).0.to_owned())
        .collect();
    let has = |start: &str| names.iter().any(|name| name.starts_with(start));
    assert!(has("output[\"all00\"]") && has("output[\"all63\"]") && has("output[\"two31\"]"));
    assert!(!has("output[\"one00\"]") && has("number of unusual keys of output"));
    let mut row = Vec::new();
    structure.push(&values[5], &|_, x| x, &mut row);
    let at = names
        .iter()
        .position(|name| name == "number of unusual keys of output")
        .expect("a column");
    assert_eq!(row[at], 1.0);
}
