//! One word, one thing: no public type has the name of another, but those counted here. And where accountants decide by
//! a mechanism or its sampling, each has an arm of its own, so that the compiler says what a new one lacks. Headings of
//! paragraphs are those of the guide.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Names of several public types, most of them of one thing in the rooms of several papers. This number may only fall.
const NAMES: usize = 45;

/// Arms `_` that are left. This number may only fall.
const ARMS: usize = 4;

/// What names a mechanism, its sampling or who is a neighbour where it is matched on.
const WORDS: [&str; 6] = [
    "structure()",
    "mechanism",
    "sampling",
    "event",
    "pattern",
    "neighbours",
];

/// The Rust files below a folder with their text, without their unit tests.
fn read(folder: &str) -> Vec<(PathBuf, String)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&path).expect("a source file");
                let own = text.split("#[cfg(test)]\nmod tests {").next();
                found.push((path, own.unwrap_or_default().to_owned()));
            }
        }
    }
    found
}

/// Public types of a text.
fn types(text: &str) -> impl Iterator<Item = &str> {
    let kinds = ["struct ", "enum ", "trait ", "type "];
    text.lines().filter_map(move |line| {
        let item = line.trim_start().strip_prefix("pub ")?;
        let name = kinds.iter().find_map(|kind| item.strip_prefix(kind))?;
        name.split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .next()
    })
}

/// Names that several public types have, with their files.
fn shared(files: &[(PathBuf, String)]) -> Vec<String> {
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (path, text) in files {
        for name in types(text) {
            places
                .entry(name)
                .or_default()
                .push(path.display().to_string());
        }
    }
    let several = places.into_iter().filter(|(_, files)| files.len() > 1);
    several
        .map(|(name, files)| format!("{name}: {}", files.join(" ")))
        .collect()
}

/// Lines with an arm `_` of a match on one of the words, by the indentation that rustfmt gives.
fn arms(text: &str) -> Vec<&str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let (mut open, mut found): (Vec<(usize, bool)>, Vec<&str>) = Default::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        while open.last().is_some_and(|(at, _)| indent(line) <= *at) {
            open.pop();
        }
        let arm = line.trim_start();
        if let Some((at, true)) = open.last()
            && indent(line) == at + 4
            && (arm.starts_with("_ =>") || arm.starts_with("_ if "))
        {
            found.push(arm);
        }
        let matched = line
            .split_once("match ")
            .map(|(_, rest)| rest.strip_suffix(" {"));
        if let Some(Some(what)) = matched {
            open.push((indent(line), WORDS.iter().any(|word| what.contains(word))));
        }
    }
    found
}

/// Comments that begin with a bold heading that is none of these.
fn headed<'a>(text: &'a str, known: &[&str]) -> Vec<&'a str> {
    let comments = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("//"));
    let own = comments.map(|line| line.trim_start_matches(['/', '!', ' ']));
    own.filter(|line| line.starts_with("**") && !known.iter().any(|head| line.starts_with(head)))
        .collect()
}

#[test]
fn no_paragraph_has_a_heading_of_its_own() {
    let guide = include_str!("../../src/contributing.rs");
    let line = guide
        .lines()
        .find(|line| line.contains("`**"))
        .expect("the list of headings");
    let known: Vec<&str> = line
        .split('`')
        .filter(|word| word.starts_with("**"))
        .collect();
    let files = [read("src"), read("spec/src")].concat();
    let all: usize = files.iter().map(|(_, text)| headed(text, &[]).len()).sum();
    let found: Vec<String> = files
        .iter()
        .flat_map(|(path, text)| {
            let each = headed(text, &known).into_iter();
            each.map(move |line| format!("{}: {line}", path.display()))
        })
        .collect();
    assert!(
        known.len() == 5 && all > found.len() + 15,
        "{known:?} of {all}"
    );
    assert!(found.is_empty(), "{}", found.join("\n"));
    let text = "    /// **Proof.** a\n//! **Proof** b\n// c **d**\n    * **e** f";
    assert_eq!(headed(text, &["**Proof.**"]), ["**Proof** b"]);
}

#[test]
fn no_further_public_types_share_a_name() {
    // The program's own modules are nobody else's.
    let roots = ["src", "spec/src", "spec/kernel/src"];
    let mut files: Vec<_> = roots.iter().flat_map(|root| read(root)).collect();
    files.retain(|(path, _)| !path.components().any(|part| part.as_os_str() == "cli"));
    let defined: usize = files.iter().map(|(_, text)| types(text).count()).sum();
    assert!(defined > 500, "{defined} types");
    let found = shared(&files);
    let list = found.join("\n");
    assert!(
        found.len() <= NAMES,
        "{} names, {NAMES} before:\n{list}",
        found.len()
    );
}

#[test]
fn no_further_arm_passes_over_a_mechanism() {
    let files = read("src/accounting");
    let found: Vec<String> = files
        .iter()
        .flat_map(|(path, text)| {
            let each = arms(text).into_iter();
            each.map(move |arm| format!("{}: {arm}", path.display()))
        })
        .collect();
    let list = found.join("\n");
    assert!(
        found.len() <= ARMS,
        "{} arms, {ARMS} before:\n{list}",
        found.len()
    );
}

#[test]
fn names_and_arms_are_found() {
    let files = [
        (
            "a.rs",
            "pub struct Run<'a> {\n}\npub(crate) enum Own {\n}\n",
        ),
        (
            "b.rs",
            "    pub type Run = u8;\n// pub struct Own;\nstruct Other;\n",
        ),
        ("c.rs", "pub enum Own {\n}\npub fn run() {}\n"),
    ];
    let files = files.map(|(path, text)| (PathBuf::from(path), text.to_owned()));
    assert_eq!(shared(&files), ["Run: a.rs b.rs"]);
    let text = "fn f() {\n    match step.sampling {\n        A => match x {\n            _ => 1,\n        },\n        \
                _ if y => 2,\n        _ => 3,\n    }\n    match other {\n        _ => 4,\n    }\n}\n";
    assert_eq!(arms(text), ["_ if y => 2,", "_ => 3,"]);
}
