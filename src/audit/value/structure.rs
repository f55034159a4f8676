//! Columns for values of any shape, learned from the first of them.

use super::columns::{COLUMNS, Filler, Name, Names};
use super::parts::{entries, length, list, number, order};
use super::text::Texts;
use super::{Value, mix};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Keys or members, and places of a list, that have columns of their own at one place even if there are more than columns: the
/// most frequent, and the first.
const PLACES: usize = 64;
/// Further keys or members are those that so many outputs have, one in …
const USUAL: usize = 32;

/// The columns of values like those seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Structure {
    root: Place,
    names: Vec<Name>,
    /// Places and columns for which there was no room.
    #[serde(default, skip_serializing_if = "is_none_of_them")]
    left_out: usize,
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
    /// Columns of texts.
    texts: Texts,
    /// Column of the number of keys or members that have no place of their own.
    others: Option<usize>,
    /// Columns of these, joined to one text.
    unusual: Texts,
    /// What stands under a key, or whether a set has this member.
    keys: BTreeMap<String, Place>,
    /// What stands at the first places of a list.
    items: Vec<Place>,
    /// Columns of the least, the greatest and the mean of the numbers behind them.
    #[serde(skip_serializing_if = "Option::is_none")]
    behind: Option<[usize; 3]>,
}

/// Without columns: what stands here has its identity alone.
static NOWHERE: LazyLock<Place> = LazyLock::new(Place::default);

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
        let learned = |places: usize| {
            let mut names = Names::new(places);
            let root = Place::of("output", &values, &mut names);
            (root, names)
        };
        let mut places = COLUMNS;
        let (mut root, mut names) = learned(places);
        // The places of one list must not leave too few columns for what stands beside it.
        let alone = values.iter().flatten().all(|value| is_of_numbers(value));
        while names.given.len() == COLUMNS && places > PLACES && !alone {
            places /= 2;
            (root, names) = learned(places);
        }
        if names.given.is_empty() {
            // All were one: there is a column to say so.
            names.push("length of output".to_owned(), false);
        }
        Self {
            root,
            names: names.given,
            left_out: names.left_out,
        }
    }

    /// Of how many places and parts of outputs like these there is no column, so that no event is on one of them alone.
    pub(crate) const fn left_out(&self) -> usize {
        self.left_out
    }

    /// Whether some of the values, or parts of them, are exceptions, where others are something else.
    pub(crate) fn has_exceptions(&self) -> bool {
        let raised = Kind::Raised.words();
        (0..self.width()).any(|at| self.name(at).0.ends_with(raised))
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
        let texts = present().filter_map(|value| match value {
            Value::Text(text) => Some(Cow::Borrowed(text.as_str())),
            _ => None,
        });
        place.texts = Texts::of(path, &texts.collect::<Vec<_>>(), names);
        place.children(path, seen, names);
        place
    }

    /// Columns for what is inside of the values at a place.
    fn children(&mut self, path: &str, seen: &[Option<&Value>], names: &mut Names) {
        self.children_by_key(path, seen, names);
        let several =
            |value: &Value| length(value).is_some_and(|l| l > 1) && order(value).is_some();
        if seen.iter().copied().flatten().any(several) {
            let ascending = names.push(format!("ascending neighbours in {path}"), false);
            let equal = names.push(format!("equal neighbours in {path}"), false);
            self.order = ascending.zip(equal).map(<[usize; 2]>::from);
        }
        let longest = seen.iter().copied().flatten().map(|v| list(v).len()).max();
        let longest = longest.unwrap_or(0);
        let room = COLUMNS.saturating_sub(names.given.len() + 3);
        if longest > names.places.min(room) {
            let of = |what: &str| format!("{what} of the later entries of {path}");
            let columns = ["least", "greatest", "mean"].map(|what| names.push(of(what), false));
            self.behind = match columns {
                [Some(least), Some(greatest), Some(mean)] => Some([least, greatest, mean]),
                _ => None,
            };
        }
        for at in 0..names.first_of(longest, names.places.min(room)) {
            let inside: Vec<Option<&Value>> = seen
                .iter()
                .map(|value| value.and_then(|v| list(v).get(at)))
                .collect();
            self.items
                .push(Self::of(&format!("{path}[{at}]"), &inside, names));
        }
    }

    /// Columns for what stands under the keys of the values at a place, and for their members.
    fn children_by_key(&mut self, path: &str, seen: &[Option<&Value>], names: &mut Names) {
        let parts: Vec<Vec<(&str, Cow<'_, Value>)>> = seen
            .iter()
            .map(|value| value.map_or_else(Vec::new, entries))
            .collect();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (key, _) in parts.iter().flatten() {
            *counts.entry(key).or_default() += 1;
        }
        if counts.is_empty() {
            return;
        }
        let different = counts.len();
        self.others = names.push(format!("number of unusual keys of {path}"), false);
        let mut frequent: Vec<(&str, usize)> = counts.into_iter().collect();
        frequent.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        frequent.truncate(names.places);
        let known = frequent.into_iter().enumerate();
        let known = known.filter(|(at, (_, count))| *at < PLACES || count * USUAL >= seen.len());
        let mut inside: BTreeMap<&str, Vec<Option<&Value>>> = known
            .map(|(_, (key, _))| (key, vec![None; seen.len()]))
            .collect();
        names.left_out += different - inside.len();
        for (at, parts) in parts.iter().enumerate() {
            for (key, value) in parts {
                if let Some(values) = inside.get_mut(key) {
                    values[at].get_or_insert(value);
                }
            }
        }
        let unusual = parts.iter().map(|parts| {
            let keys = parts.iter().map(|(key, _)| *key);
            joined(keys.filter(|key| !inside.contains_key(key)))
        });
        let unusual: Vec<Cow<'_, str>> = unusual.flatten().map(Cow::Owned).collect();
        self.unusual = Texts::of(&format!("unusual keys of {path}"), &unusual, names);
        for (key, values) in inside {
            let place = Self::of(&format!("{path}[{key:?}]"), &values, names);
            self.keys.insert(key.to_owned(), place);
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
            let inner = match self.items.get(at) {
                Some(place) => place.fill(Some(item), to),
                None => NOWHERE.fill(Some(item), to),
            };
            mix(state ^ inner)
        });
        for place in self.items.iter().skip(items.len()) {
            place.fill(None, to);
        }
        if let Some(columns) = self.behind {
            let later = items.iter().skip(self.items.len()).filter_map(number);
            for (column, x) in columns.into_iter().zip(summary(later)) {
                to.set(Some(column), x);
            }
        }
        state = self.fill_keys(value, state, to);
        match value {
            Value::Integer(i) => mix(state ^ *i as u64),
            Value::Bool(b) => mix(state ^ u64::from(*b)),
            Value::Text(text) => {
                self.texts.fill(text, to);
                mix(state ^ identity(text))
            }
            _ => state,
        }
    }

    /// Writes the columns of keys and members, and joins them to an identity in their order.
    fn fill_keys(&self, value: &Value, own: u64, to: &mut Filler<'_>) -> u64 {
        // A map may repeat a key.
        let (mut state, mut others, mut met) = (own, Vec::new(), BTreeSet::new());
        for (key, inside) in entries(value) {
            let place = self.keys.get(key);
            match place {
                Some(_) => _ = met.insert(key),
                None => others.push(key),
            }
            let inner = match place {
                Some(place) => place.fill(Some(&inside), to),
                None => NOWHERE.fill(Some(&inside), to),
            };
            state = mix(mix(state ^ identity(key)) ^ inner);
        }
        to.set(self.others, others.len() as f64);
        if let Some(text) = joined(others.into_iter()) {
            self.unusual.fill(&text, to);
        }
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

/// The least, the greatest and the mean of numbers; NaN if there are none.
fn summary(numbers: impl Iterator<Item = f64>) -> [f64; 3] {
    let start = (f64::NAN, f64::NAN, 0.0, 0.0);
    let (least, greatest, sum, count) = numbers.fold(start, |(low, high, sum, count), x| {
        (x.min(low), x.max(high), sum + x, count + 1.0)
    });
    [least, greatest, sum / count]
}

/// Whether nothing was left out: of most outputs.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks it")]
const fn is_none_of_them(left_out: &usize) -> bool {
    *left_out == 0
}

/// Keys as one text, if there are any.
fn joined<'a>(mut keys: impl Iterator<Item = &'a str>) -> Option<String> {
    let first = keys.next()?.to_owned();
    Some(keys.fold(first, |text, key| text + "\n" + key))
}

/// A number that equal texts share and others almost surely do not.
pub(crate) fn identity(text: &str) -> u64 {
    let state = mix(text.len() as u64);
    text.as_bytes().chunks(8).fold(state, |state, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(state ^ u64::from_le_bytes(word))
    })
}

#[cfg(test)]
mod tests;
