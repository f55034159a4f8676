//! Many changes in one build: a function in which something is to be changed becomes
//!
//! ```text
//! match crate::planted::awake(7) {
//!     12 => { its body with change 12 }
//!     13 => { its body with change 13 }
//!     _ => { its body }
//! }
//! ```
//!
//! and the environment says which change is awake when a test runs. Functions are found by their layout, which
//! rustfmt fixes: a body ends at the first brace that stands as far to the left as its function.

use crate::list::Edit;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;

/// A text of a file, by its place, that is replaced by another.
#[derive(Clone, Debug)]
pub struct Change {
    pub file: String,
    pub place: Range<usize>,
    pub by: String,
}

impl Change {
    /// An edit's change of `text`, the text of its file.
    ///
    /// # Panics
    /// If what is to be replaced is not there.
    pub fn of(edit: &Edit, text: &str) -> Self {
        let start = text.find(&edit.find).expect("the lists are checked");
        Self {
            file: edit.file.clone(),
            place: start..start + edit.find.len(),
            by: edit.replace.clone(),
        }
    }
}

/// Why a change is not woven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outside {
    /// It is in no function's body.
    Function,
    /// A constant function reads no environment.
    Constant,
    /// A function that promises `impl Trait` has one type, not one for each change.
    Opaque,
}

/// A function of a file.
struct Function {
    /// What stands inside its braces: whole lines.
    body: Range<usize>,
    outside: Option<Outside>,
}

/// The outermost functions of a text, in order.
fn functions(text: &str) -> Vec<Function> {
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let lines: Vec<&str> = text.split_inclusive('\n').map(str::trim_end).collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut found = Vec::new();
    let mut k = 0;
    while k < lines.len() {
        let (first, depth) = (k, indent(lines[k]));
        k += 1;
        if !begins_function(lines[first]) {
            continue;
        }
        let level = |j: &usize| indent(lines[*j]) == depth && !lines[*j].is_empty();
        let ends = |j: &usize| level(j) && lines[*j].ends_with(['{', ';', '}']);
        let Some(open) = (first..lines.len()).find(ends) else {
            continue;
        };
        let closes = |j: &usize| level(j) && lines[*j].trim_start() == "}";
        let close = (open + 1..lines.len()).find(closes);
        let (true, Some(close)) = (lines[open].ends_with('{'), close) else {
            continue;
        };
        let signature = lines[first..=open].join(" ");
        let returned = signature.split_once("->").map_or("", |(_, after)| after);
        found.push(Function {
            body: starts[open + 1]..starts[close],
            outside: if signature.contains("const fn ") {
                Some(Outside::Constant)
            } else {
                returned.contains("impl ").then_some(Outside::Opaque)
            },
        });
        k = close + 1;
    }
    found
}

fn begins_function(line: &str) -> bool {
    let mut rest = line.trim_start();
    if let Some(after) = rest.strip_prefix("pub") {
        rest = match after.strip_prefix('(') {
            Some(scope) => scope.split_once(')').map_or("", |(_, after)| after),
            None => after,
        };
        rest = rest.trim_start();
    }
    rest.strip_prefix("const ")
        .unwrap_or(rest)
        .starts_with("fn ")
}

/// Why `changes` cannot be woven into their files' texts, if so.
pub fn objection(changes: &[Change], texts: &BTreeMap<String, String>) -> Option<Outside> {
    changes.iter().find_map(|change| {
        let functions = functions(&texts[&change.file]);
        let inside =
            |f: &Function| f.body.start <= change.place.start && change.place.end <= f.body.end;
        match functions.into_iter().find(inside) {
            None => Some(Outside::Function),
            Some(function) => function.outside,
        }
    })
}

/// A file with its changes.
pub struct Woven {
    pub text: String,
    /// The numbers of the functions in it that were changed.
    pub functions: Range<usize>,
    /// The lines of each change, counted from 1, with its number.
    arms: Vec<(Range<usize>, u32)>,
    /// The lines of each changed function, with the numbers of its changes.
    wholes: Vec<(Range<usize>, Vec<u32>)>,
}

impl Woven {
    /// The changed functions with the numbers of their changes.
    pub fn changed(&self) -> impl Iterator<Item = (usize, u32)> {
        let numbered = self.functions.clone().zip(&self.wholes);
        numbered.flat_map(|(function, (_, numbers))| numbers.iter().map(move |n| (function, *n)))
    }

    /// The changes that a message of the compiler about these lines speaks of: the one whose text they are in,
    /// or all of that function.
    pub fn blamed(&self, line: usize) -> BTreeSet<u32> {
        if let Some((_, number)) = self.arms.iter().find(|(lines, _)| lines.contains(&line)) {
            return [*number].into();
        }
        let whole = self.wholes.iter().find(|(lines, _)| lines.contains(&line));
        whole.map_or(BTreeSet::new(), |(_, numbers)| {
            numbers.iter().copied().collect()
        })
    }
}

/// Weaves changes with their numbers into the text of `file`; functions are counted from `first`. `planted` is how the
/// crate calls what says which change is awake.
pub fn weave(
    file: &str,
    text: &str,
    changes: &[(u32, &Change)],
    first: usize,
    planted: &str,
) -> Woven {
    let mut woven = Woven {
        text: String::new(),
        functions: first..first,
        arms: Vec::new(),
        wholes: Vec::new(),
    };
    let mut written = 0;
    for function in functions(text) {
        let body = &text[function.body.clone()];
        let mut arms: BTreeMap<u32, Vec<&Change>> = BTreeMap::new();
        for (number, change) in changes {
            let place = &change.place;
            if function.body.start <= place.start && place.end <= function.body.end {
                assert_eq!(change.file, file, "a change of another file");
                arms.entry(*number).or_default().push(change);
            }
        }
        if arms.is_empty() {
            continue;
        }
        let out = &mut woven.text;
        out.push_str(&text[written..function.body.start]);
        let begin = line(out);
        let _ = writeln!(out, "match {planted}::awake({}) {{", woven.functions.end);
        for (number, mut changes) in arms.clone() {
            changes.sort_by_key(|change| change.place.start);
            let mut changed = body.to_owned();
            for change in changes.into_iter().rev() {
                let offset = function.body.start;
                let place = change.place.start - offset..change.place.end - offset;
                changed.replace_range(place, &change.by);
            }
            let start = line(out);
            let _ = write!(out, "{number} => {{\n{changed}\n}}\n");
            woven.arms.push((start..line(out), number));
        }
        let _ = write!(out, "_ => {{\n{body}}}\n}}\n");
        woven
            .wholes
            .push((begin..line(out), arms.into_keys().collect()));
        woven.functions.end += 1;
        written = function.body.end;
    }
    woven.text.push_str(&text[written..]);
    woven
}

/// The number of the line that is written next.
fn line(text: &str) -> usize {
    text.matches('\n').count() + 1
}

#[test]
fn a_change_is_woven_into_its_function_alone() {
    let text = "impl A {\n    pub(crate) fn f(\n        x: u32,\n    ) -> u32 {\n        x + 1\n    }\n\n    \
                const fn g() -> u32 {\n        1\n    }\n}\n";
    let change = |find: &str, by: &str| {
        let edit = Edit {
            file: "a.rs".into(),
            find: find.into(),
            replace: by.into(),
        };
        Change::of(&edit, text)
    };
    let (minus, less) = (change("x + 1", "x - 1"), change("        1", "        0"));
    let texts = [("a.rs".to_owned(), text.to_owned())].into();
    assert_eq!(objection(std::slice::from_ref(&minus), &texts), None);
    let head = change("x: u32", "x: u64");
    let refused = [&less, &head].map(|change| objection(std::slice::from_ref(change), &texts));
    assert_eq!(refused, [Outside::Constant, Outside::Function].map(Some));
    let woven = weave("a.rs", text, &[(12, &minus)], 7, "crate::planted");
    let lines: Vec<&str> = woven.text.lines().map(str::trim).collect();
    let expected = [
        "match crate::planted::awake(7) {",
        "12 => {",
        "x - 1",
        "",
        "}",
        "_ => {",
        "x + 1",
        "}",
        "}",
        "}",
    ];
    assert_eq!(lines[4..14], expected);
    assert_eq!(woven.blamed(7), [12].into());
    assert_eq!(woven.blamed(11), [12].into());
    assert!(woven.blamed(3).is_empty());
}
