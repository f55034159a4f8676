//! Changes woven into a copy until it compiles.

use crate::plant::{Copy, sources};
use crate::weave::{Change, Outside, Woven, objection, weave};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Changes of a copy, each of which can be woken by its number.
pub struct Planting {
    /// What was changed at each number.
    woven: BTreeMap<u32, Vec<Change>>,
    /// Changes that do not compile.
    pub unviable: BTreeSet<u32>,
    /// Changes that cannot be woven in.
    pub outside: BTreeMap<u32, Outside>,
    /// The functions that each number changes.
    pub functions: BTreeMap<u32, BTreeSet<usize>>,
    texts: BTreeMap<String, String>,
}

impl Planting {
    /// Weaves changes, several to a number, into the copy. One that does not compile is taken out again.
    ///
    /// # Panics
    /// If the rest does not compile.
    pub fn make(copy: &Copy, changes: BTreeMap<u32, Vec<Change>>) -> Self {
        let files = changes.values().flatten().map(|change| change.file.clone());
        let read = |file: String| {
            let text = fs::read_to_string(&file).expect("a file of the repository");
            (file, text)
        };
        let mut planting = Self {
            texts: files.map(read).collect(),
            woven: BTreeMap::new(),
            unviable: BTreeSet::new(),
            outside: BTreeMap::new(),
            functions: BTreeMap::new(),
        };
        for (number, changes) in changes {
            match planting.objection(&changes) {
                None => planting.woven.insert(number, changes).map_or((), drop),
                Some(why) => planting.outside.insert(number, why).map_or((), drop),
            }
        }
        loop {
            let files = planting.write(copy);
            let errors = copy.errors(files.keys());
            if errors.is_empty() {
                println!(
                    "{} woven, {} do not compile, {} outside",
                    planting.woven.len(),
                    planting.unviable.len(),
                    planting.outside.len()
                );
                return planting;
            }
            for error in errors {
                let blamed = blamed(&error, &files);
                assert!(
                    !blamed.is_empty() || spans(&error).is_empty(),
                    "{}",
                    error["rendered"]
                );
                for number in blamed {
                    planting.woven.remove(&number);
                    planting.unviable.insert(number);
                }
            }
        }
    }

    /// Whether a change can be woken.
    pub fn has(&self, number: u32) -> bool {
        self.woven.contains_key(&number)
    }

    fn objection(&self, changes: &[Change]) -> Option<Outside> {
        let elsewhere = changes.iter().any(|change| sources(&change.file).is_none());
        if elsewhere {
            return Some(Outside::Function);
        }
        objection(changes, &self.texts)
    }

    /// Writes the files with what is woven into them, and lets the crates have what says which change is awake.
    fn write(&mut self, copy: &Copy) -> BTreeMap<String, Woven> {
        let mut files = BTreeMap::new();
        let mut first = 0;
        self.functions = BTreeMap::new();
        for (file, text) in &self.texts {
            let here: Vec<(u32, &Change)> = self
                .woven
                .iter()
                .flat_map(|(number, changes)| changes.iter().map(|change| (*number, change)))
                .filter(|(_, change)| change.file == *file)
                .collect();
            // The command is a crate of its own.
            let command = file.starts_with("src/cli/") || file == "src/main.rs";
            let planted = if command {
                "dp_assay::planted"
            } else {
                "crate::planted"
            };
            let woven = weave(file, text, &here, first, planted);
            copy.write(file, woven.text.as_bytes());
            first = woven.functions.end;
            for (function, number) in woven.changed() {
                self.functions.entry(number).or_default().insert(function);
            }
            files.insert(file.clone(), woven);
        }
        let folders: BTreeSet<_> = self.texts.keys().filter_map(|file| sources(file)).collect();
        for folder in folders {
            let name = |file: &str| folder.join(file).to_string_lossy().into_owned();
            copy.write(&name("planted.rs"), include_bytes!("planted.rs"));
            let library = name("lib.rs");
            let text = files.get(&library).map(|woven| woven.text.clone());
            let text = text.unwrap_or_else(|| fs::read_to_string(&library).expect("a library"));
            // What overflows is for the tests to see. On the first line, so that no other moves.
            let allowed = "#![allow(arithmetic_overflow, unconditional_panic)] ";
            let text = format!("{allowed}{text}\n#[doc(hidden)]\npub mod planted;\n");
            copy.write(&library, text.as_bytes());
        }
        files
    }
}

/// Everything of a message that names lines, what it is mostly about first.
fn spans(error: &Value) -> Vec<&Value> {
    let mut found: Vec<&Value> = error["spans"].as_array().into_iter().flatten().collect();
    found.sort_by_key(|span| span["is_primary"] != true);
    found
}

/// The changes that an error of the compiler is about.
fn blamed(error: &Value, files: &BTreeMap<String, Woven>) -> BTreeSet<u32> {
    let mut wide = BTreeSet::new();
    for span in spans(error) {
        let mut span = Some(span);
        while let Some(here) = span {
            let woven = here["file_name"].as_str().and_then(|file| files.get(file));
            let line = here["line_start"].as_u64().unwrap_or(0) as usize;
            let numbers = woven.map_or(BTreeSet::new(), |woven| woven.blamed(line));
            if numbers.len() == 1 {
                return numbers;
            }
            wide.extend(numbers);
            span = Some(&here["expansion"]["span"]).filter(|outer| outer.is_object());
        }
    }
    wide
}
