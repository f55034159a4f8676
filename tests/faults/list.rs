//! The lists of faults.

use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// One or several texts.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Texts {
    One(String),
    Many(Vec<String>),
}

impl Texts {
    fn all(&self) -> Vec<&str> {
        match self {
            Self::One(text) => vec![text],
            Self::Many(texts) => texts.iter().map(String::as_str).collect(),
        }
    }
}

/// An entry of a list.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    file: Texts,
    find: Texts,
    replace: Texts,
    /// What a user would be told wrongly, in one sentence.
    pub breaks: String,
    /// The test program.
    pub test: String,
    /// The test in it.
    pub name: String,
}

/// A text of a file that is replaced by another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    pub file: String,
    pub find: String,
    pub replace: String,
}

impl Fault {
    /// The texts that are replaced, in order.
    pub fn edits(&self) -> Vec<Edit> {
        let (files, finds, replaces) = (self.file.all(), self.find.all(), self.replace.all());
        let pairs = finds.iter().zip(replaces).enumerate();
        let edit = |(k, (find, replace)): (usize, (&&str, &str))| Edit {
            file: (*files.get(k).unwrap_or(&files[0])).to_owned(),
            find: (*find).to_owned(),
            replace: replace.to_owned(),
        };
        pairs.map(edit).collect()
    }

    /// Where the named test's source is.
    fn sources(&self) -> PathBuf {
        match self.test.split_once(':') {
            Some((_, "lib")) => "spec/src".into(),
            Some((_, program)) => ["spec", "tests", program].iter().collect(),
            None if self.test == "lib" => "src".into(),
            None => ["tests", &self.test].iter().collect(),
        }
    }
}

/// A fault with the name of its list.
#[derive(Clone, Debug)]
pub struct Listed {
    pub list: String,
    pub fault: Fault,
}

impl Listed {
    /// What is wrong with the entry, if something is.
    pub fn objection(&self) -> Option<String> {
        let Fault {
            file,
            find,
            replace,
            breaks,
            name,
            ..
        } = &self.fault;
        let lengths = [file, find, replace].map(|texts| texts.all().len());
        let [files, finds, replaces] = lengths;
        let told = if finds != replaces || ![1, finds].contains(&files) || finds == 0 {
            format!("{files} files, {finds} texts and {replaces} replacements")
        } else if breaks.trim().is_empty() {
            "does not say what it breaks".to_owned()
        } else if !holds_function(&self.fault.sources(), name) {
            format!("{} has no test `{name}`", self.fault.sources().display())
        } else {
            self.fault.edits().iter().find_map(misplaced)?
        };
        Some(format!("{}, `{breaks}`: {told}", self.list))
    }
}

fn misplaced(edit: &Edit) -> Option<String> {
    let Edit {
        file,
        find,
        replace,
    } = edit;
    let text = fs::read_to_string(file).unwrap_or_default();
    let count = text.matches(find.as_str()).count();
    if count != 1 {
        Some(format!("`{find}` stands {count} times in {file}"))
    } else {
        (find == replace).then(|| format!("`{find}` is replaced by itself"))
    }
}

/// Whether a folder, or the file of that name, has a function called like the last part of `name`, in a file of the module that
/// `name` says.
fn holds_function(place: &Path, name: &str) -> bool {
    let (modules, last) = name.rsplit_once("::").unwrap_or(("", name));
    let function = format!("fn {last}(");
    let module = modules.rsplit("::").find(|part| *part != "tests");
    let of_module = |path: &Path| {
        let part = path.with_extension("");
        let mut parts = part.iter().rev().map(|part| part.to_string_lossy());
        let part = parts.find(|part| part != "mod" && part != "tests");
        module.is_none_or(|module| module.is_empty() || part.is_some_and(|part| part == module))
    };
    let has = |path: &Path| {
        of_module(path) && fs::read_to_string(path).is_ok_and(|text| text.contains(&function))
    };
    match fs::read_dir(place) {
        Err(_) => has(&place.with_extension("rs")),
        Ok(entries) => entries.flatten().any(|entry| {
            let path = entry.path();
            if path.is_dir() {
                holds_function(&path, name)
            } else {
                has(&path)
            }
        }),
    }
}

/// All lists, one after the other by name.
///
/// # Panics
/// If a list cannot be read.
pub fn all() -> Vec<Listed> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct List {
        fault: Vec<Fault>,
    }
    let entries = fs::read_dir("tests/faults").expect("tests/faults is there");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let list: List =
            toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let name = path
            .file_stem()
            .map_or(String::new(), |s| s.to_string_lossy().into_owned());
        list.fault.into_iter().map(move |fault| Listed {
            list: name.clone(),
            fault,
        })
    };
    paths.into_iter().flat_map(read).collect()
}

/// The faults of lists (`spec`) or in files of folders (`src/cli/`), by commas; all without a selection.
pub fn selected(selection: Option<&str>) -> Vec<Listed> {
    let mut faults = all();
    let within = |listed: &Listed, one: &str| {
        let edits = listed.fault.edits();
        listed.list == one || edits.iter().any(|edit| edit.file.starts_with(one))
    };
    faults.retain(|f| selection.is_none_or(|s| s.split(',').any(|one| within(f, one))));
    faults
}
