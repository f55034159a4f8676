//! Columns for values of any shape, learned from the first of them.

use super::parts::{entries, get, length, list, number, order};
use super::{Value, mix};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Columns in all, at most: what is left out is still part of an output's identity.
const COLUMNS: usize = 256;
/// Columns, and places that have one, where outputs are lists of numbers alone: a histogram, say.
const NUMBERS: usize = 4096;
/// Texts that have a column each, at one place: the most frequent.
const TEXTS: usize = 16;
/// Keys or members that have columns of their own, at one place: the most frequent.
const KEYS: usize = 64;
/// Places of a list that have columns of their own: the first.
const ITEMS: usize = 64;

/// The columns of values like those seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Structure {
    root: Place,
    names: Vec<Name>,
}

/// What a column is called in events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct Name {
    text: String,
    /// Whether the column says of a statement that it holds (1) or not (0).
    indicator: bool,
}

/// A place in the tree, and the columns that look at what stands there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(default)]
struct Place {
    /// Column of each kind that occurs here, `absent` among them, where they vary.
    kinds: BTreeMap<Kind, usize>,
    /// Column of the number.
    number: Option<usize>,
    /// Column of the length of a text, a list, a set or a map.
    length: Option<usize>,
    /// Column of the number of neighbouring entries that ascend, and of those that are equal.
    order: Option<[usize; 2]>,
    /// Columns of frequent texts.
    texts: BTreeMap<String, usize>,
    /// Column of the number of keys or members that have no place of their own.
    others: Option<usize>,
    /// What stands under a key, or whether a set has this member.
    keys: BTreeMap<String, Place>,
    /// What stands at the first places of a list.
    items: Vec<Place>,
}

/// The kinds of values, and `absent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum Kind {
    Absent,
    Null,
    Bool,
    Whole,
    Real,
    Text,
    List,
    Set,
    Map,
    Raised,
}

impl Kind {
    const fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Bool,
            Value::Integer(_) => Self::Whole,
            Value::Real(_) => Self::Real,
            Value::Text(_) => Self::Text,
            Value::List(_) => Self::List,
            Value::Set(_) => Self::Set,
            Value::Map(_) => Self::Map,
            Value::Raised(..) => Self::Raised,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Absent => "is absent",
            Self::Null => "is null",
            Self::Bool => "is a truth value",
            Self::Whole => "is a whole number",
            Self::Real => "is a real number",
            Self::Text => "is a text",
            Self::List => "is a list",
            Self::Set => "is a set",
            Self::Map => "is a map",
            Self::Raised => "is an exception",
        }
    }
}

impl Structure {
    /// The columns for values like these.
    pub(crate) fn of<'a>(values: impl IntoIterator<Item = &'a Value>) -> Self {
        let values: Vec<Option<&Value>> = values.into_iter().map(Some).collect();
        let most = if values.iter().flatten().all(|value| is_of_numbers(value)) {
            NUMBERS
        } else {
            COLUMNS
        };
        let mut names = Names {
            given: Vec::new(),
            most,
        };
        let root = Place::of("output", &values, &mut names);
        if names.given.is_empty() {
            // All were one: there is a column to say so.
            names.push("length of output".to_owned(), false);
        }
        Self {
            root,
            names: names.given,
        }
    }

    /// Number of columns.
    pub(crate) const fn width(&self) -> usize {
        self.names.len()
    }

    /// The name of a column, and whether it is a statement that holds where the column is 1.
    pub(crate) fn name(&self, column: usize) -> (&str, bool) {
        let name = &self.names[column];
        (&name.text, name.indicator)
    }

    /// Writes the columns of a value; its identity.
    pub(crate) fn push(
        &self,
        value: &Value,
        round: &dyn Fn(usize, f64) -> f64,
        row: &mut Vec<f64>,
    ) -> u64 {
        let start = row.len();
        row.extend(
            self.names
                .iter()
                .map(|name| if name.indicator { 0.0 } else { f64::NAN }),
        );
        let mut filler = Filler {
            round,
            row: &mut row[start..],
        };
        self.root.fill(Some(value), &mut filler)
    }
}

/// Whether a value is a list of numbers.
fn is_of_numbers(value: &Value) -> bool {
    let is_number =
        |item: &Value| matches!(item, Value::Integer(_) | Value::Real(_) | Value::Bool(_));
    matches!(value, Value::List(items) if items.iter().all(is_number))
}

/// The names of columns given out so far.
struct Names {
    given: Vec<Name>,
    most: usize,
}

impl Names {
    /// A new column, if there may be more.
    fn push(&mut self, text: String, indicator: bool) -> Option<usize> {
        (self.given.len() < self.most).then(|| {
            self.given.push(Name { text, indicator });
            self.given.len() - 1
        })
    }
}

impl Place {
    /// The columns of a place at which each of the outputs seen has this, or nothing.
    fn of(path: &str, seen: &[Option<&Value>], names: &mut Names) -> Self {
        let mut place = Self::default();
        let mut kinds: Vec<Kind> = seen
            .iter()
            .map(|v| v.map_or(Kind::Absent, Kind::of))
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.len() > 1 {
            for kind in kinds {
                let column = names.push(format!("{path} {}", kind.words()), true);
                place.kinds.extend(column.map(|c| (kind, c)));
            }
        }
        let present = || seen.iter().copied().flatten();
        if present().any(|value| number(value).is_some()) {
            place.number = names.push(path.to_owned(), false);
        }
        let lengths: Vec<usize> = present().filter_map(length).collect();
        if lengths.iter().any(|l| *l != lengths[0]) {
            place.length = names.push(format!("length of {path}"), false);
        }
        place.texts = texts(path, present(), names);
        place.children(path, seen, names);
        place
    }

    /// Columns for what is inside of the values at a place.
    fn children(&mut self, path: &str, seen: &[Option<&Value>], names: &mut Names) {
        let mut keys: BTreeMap<String, usize> = BTreeMap::new();
        for (key, _) in seen.iter().copied().flatten().flat_map(entries) {
            *keys.entry(key.to_owned()).or_default() += 1;
        }
        let mut frequent: Vec<(&String, &usize)> = keys.iter().collect();
        frequent.sort_by(|a, b| b.1.cmp(a.1));
        let known = frequent.iter().take(KEYS);
        if !keys.is_empty() {
            self.others = names.push(format!("number of unusual keys of {path}"), false);
        }
        for key in known.map(|(key, _)| (*key).clone()) {
            let owned: Vec<Option<Cow<'_, Value>>> = seen
                .iter()
                .map(|value| value.and_then(|v| get(v, &key)))
                .collect();
            let inside: Vec<Option<&Value>> = owned.iter().map(Option::as_deref).collect();
            let place = Self::of(&format!("{path}[{key:?}]"), &inside, names);
            self.keys.insert(key, place);
        }
        let several =
            |value: &Value| length(value).is_some_and(|l| l > 1) && order(value).is_some();
        if seen.iter().copied().flatten().any(several) {
            let ascending = names.push(format!("ascending neighbours in {path}"), false);
            let equal = names.push(format!("equal neighbours in {path}"), false);
            self.order = ascending.zip(equal).map(<[usize; 2]>::from);
        }
        let longest = seen.iter().copied().flatten().map(|v| list(v).len()).max();
        // Elsewhere the places of one list would leave no columns for what stands beside it.
        let most = if names.most == NUMBERS {
            NUMBERS
        } else {
            ITEMS
        };
        for at in 0..longest.unwrap_or(0).min(most) {
            let inside: Vec<Option<&Value>> = seen
                .iter()
                .map(|value| value.and_then(|v| list(v).get(at)))
                .collect();
            self.items
                .push(Self::of(&format!("{path}[{at}]"), &inside, names));
        }
    }

    /// Writes the columns of what stands here; its identity, of numbers as they are rounded here.
    fn fill(&self, value: Option<&Value>, to: &mut Filler<'_>) -> u64 {
        let kind = value.map_or(Kind::Absent, Kind::of);
        to.set(self.kinds.get(&kind).copied(), 1.0);
        let Some(value) = value else {
            self.all_absent(to);
            return mix(0);
        };
        let own = mix(1 + kind as u64);
        if let Some(x) = number(value) {
            let x = to.set(self.number, x);
            if matches!(value, Value::Real(_)) {
                return mix(own ^ x.to_bits());
            }
        }
        to.set(self.length, length(value).map_or(f64::NAN, |l| l as f64));
        let items = list(value);
        if let (Some([ascending, equal]), Some([up, same])) = (self.order, order(value)) {
            to.set(Some(ascending), up);
            to.set(Some(equal), same);
        }
        let mut state = items.iter().enumerate().fold(own, |state, (at, item)| {
            let unknown = Self::default();
            mix(state ^ self.items.get(at).unwrap_or(&unknown).fill(Some(item), to))
        });
        for place in self.items.iter().skip(items.len()) {
            place.fill(None, to);
        }
        state = self.fill_keys(value, state, to);
        match value {
            Value::Integer(i) => mix(state ^ *i as u64),
            Value::Bool(b) => mix(state ^ u64::from(*b)),
            Value::Text(text) => {
                to.set(self.texts.get(text).copied(), 1.0);
                mix(state ^ identity(text))
            }
            _ => state,
        }
    }

    /// Writes the columns of keys and members, and joins them to an identity in their order.
    fn fill_keys(&self, value: &Value, own: u64, to: &mut Filler<'_>) -> u64 {
        // A map may repeat a key.
        let (mut state, mut others, mut met) = (own, 0.0, BTreeSet::new());
        for (key, inside) in entries(value) {
            let place = self.keys.get(key);
            if place.is_some() {
                met.insert(key);
            } else {
                others += 1.0;
            }
            let unknown = Self::default();
            let inner = place.unwrap_or(&unknown).fill(Some(&inside), to);
            state = mix(mix(state ^ identity(key)) ^ inner);
        }
        to.set(self.others, others);
        if met.len() < self.keys.len() {
            for (key, place) in &self.keys {
                if !met.contains(key.as_str()) {
                    place.fill(None, to);
                }
            }
        }
        state
    }

    /// What has no value has nothing inside either.
    fn all_absent(&self, to: &mut Filler<'_>) {
        for place in self.keys.values().chain(&self.items) {
            place.fill(None, to);
        }
    }
}

/// A row that is being written.
struct Filler<'a> {
    round: &'a dyn Fn(usize, f64) -> f64,
    row: &'a mut [f64],
}

impl Filler<'_> {
    /// Writes a column, if there is one; the number as it is rounded.
    fn set(&mut self, column: Option<usize>, x: f64) -> f64 {
        match column {
            Some(column) => {
                self.row[column] = (self.round)(column, x);
                self.row[column]
            }
            None => x,
        }
    }
}

/// A column for each of the most frequent texts, where they vary and are seen more than once.
fn texts<'a>(
    path: &str,
    seen: impl Iterator<Item = &'a Value>,
    names: &mut Names,
) -> BTreeMap<String, usize> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for value in seen {
        if let Value::Text(text) = value {
            *counts.entry(text).or_default() += 1;
        }
    }
    let mut frequent: Vec<(&str, usize)> =
        counts.into_iter().filter(|(_, count)| *count > 1).collect();
    frequent.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    frequent.truncate(TEXTS);
    let column = |(text, _): (&str, usize)| {
        let column = names.push(format!("{path} is {text:?}"), true)?;
        Some((text.to_owned(), column))
    };
    frequent.into_iter().filter_map(column).collect()
}

/// A number that equal texts share and others almost surely do not.
fn identity(text: &str) -> u64 {
    let state = mix(text.len() as u64);
    text.as_bytes().chunks(8).fold(state, |state, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(state ^ u64::from_le_bytes(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
