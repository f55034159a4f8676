//! No circles between files: what two files need of each other belongs into a third one below both.
//!
//! A folder's face, its `mod.rs`, goes with what is in it: it hands the names of its files on, and they may use what it
//! defines. So an import from a face counts as one from the file that defines the name, and an arrow between a face
//! and a file below it as none.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Names from the crate's root to a module or to what it defines.
type Names = Vec<String>;

/// Code without comments and unit tests, up to what a file's own tests use.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next();
    let lines = text.unwrap_or_default().lines();
    let bare = lines.map(|line| line.split("//").next().unwrap_or_default());
    bare.collect::<Vec<_>>().join("\n")
}

/// The paths of a use tree, each with the name that it gets.
fn leaves(before: &[&str], tree: &str, found: &mut Vec<(String, Names)>) {
    let (path, group) = match tree.split_once('{') {
        Some((path, group)) => (path, group.trim_end().strip_suffix('}')),
        None => (tree, None),
    };
    let (path, alias) = match path.split_once(" as ") {
        Some((path, alias)) => (path, Some(alias.trim())),
        None => (path, None),
    };
    let own = path.split("::").map(str::trim);
    let mut names: Vec<&str> = before.to_vec();
    names.extend(own.filter(|name| !name.is_empty()));
    let Some(group) = group else {
        names.retain(|name| *name != "self" || before.is_empty());
        if let Some(last) = names.last() {
            let name = alias.unwrap_or(last).to_owned();
            found.push((name, names.iter().map(|&s| s.to_owned()).collect()));
        }
        return;
    };
    let (mut depth, mut from) = (0, 0);
    for (at, c) in group.char_indices().chain([(group.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                leaves(&names, &group[from..at], found);
                from = at + 1;
            }
            _ => {}
        }
    }
}

/// What a file declares to use, by the names that it gives, and the paths from `crate` or `super` in its code.
fn paths(text: &str) -> Vec<(String, Names)> {
    let code = code(text);
    let mut found = Vec::new();
    let mut rest = String::new();
    for part in code.split_inclusive(';') {
        match part.rsplit_once("use ") {
            Some((before, tree)) if before.is_empty() || before.ends_with(['\n', ' ']) => {
                leaves(&[], tree.trim_end_matches(';'), &mut found);
                rest.push_str(before);
            }
            _ => rest.push_str(part),
        }
    }
    for root in ["crate::", "super::"] {
        for (at, _) in rest.match_indices(root) {
            if !rest[..at].ends_with([':', '_', '$']) {
                let word = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
                let path = rest[at..].split(word).next().unwrap_or_default();
                let names = path.split("::").filter(|name| !name.is_empty());
                found.push((String::new(), names.map(str::to_owned).collect()));
            }
        }
    }
    found
}

/// The files of a crate by their modules, each with what it uses.
struct House(BTreeMap<Names, Vec<(String, Names)>>);

impl House {
    fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let module = |file: &str| -> Names {
            let names = file.trim_end_matches(".rs").split('/');
            let faces = ["mod", "lib", "main"];
            names
                .filter(|name| !faces.contains(name))
                .map(str::to_owned)
                .collect()
        };
        Self(
            files
                .into_iter()
                .map(|(file, text)| (module(file), paths(text)))
                .collect(),
        )
    }

    /// A path as its file sees it, from the root; `None` for another crate's.
    fn below_root(&self, file: &Names, path: &[String]) -> Option<Names> {
        let ups = path.iter().take_while(|name| *name == "super").count();
        let (base, rest) = match path.first()?.as_str() {
            "crate" => (&[][..], &path[1..]),
            "self" => (&file[..], &path[1..]),
            "super" => (&file[..file.len().checked_sub(ups)?], &path[ups..]),
            first => {
                let below: Names = file.iter().cloned().chain([first.to_owned()]).collect();
                self.0.contains_key(&below).then_some((&file[..], path))?
            }
        };
        Some([base, rest].concat())
    }

    /// The file that defines what a path from the root names.
    fn defines(&self, path: &Names, depth: usize) -> Names {
        let module = (0..=path.len()).rev().map(|k| path[..k].to_vec());
        let module = module
            .into_iter()
            .find(|m| self.0.contains_key(m))
            .unwrap_or_default();
        let handed_on = || {
            let name = path.get(module.len())?;
            let uses = self.0.get(&module)?.iter().filter(|(own, _)| own == name);
            let mut below_root = uses.filter_map(|(_, used)| self.below_root(&module, used));
            below_root.find(|used| used != path && depth < 8)
        };
        match handed_on() {
            Some(used) => self.defines(&used, depth + 1),
            None => module,
        }
    }

    /// The files that a file uses, without its own faces and those that it is the face of.
    fn arrows(&self, file: &Names) -> BTreeSet<Names> {
        let used = self.0[file].iter();
        let used =
            used.filter_map(|(_, path)| Some(self.defines(&self.below_root(file, path)?, 0)));
        used.filter(|other| !other.starts_with(file) && !file.starts_with(other))
            .collect()
    }

    /// Files each of which reaches all others, as words.
    fn circles(&self, root: &str) -> BTreeSet<String> {
        let arrows: BTreeMap<&Names, BTreeSet<Names>> = self
            .0
            .keys()
            .map(|file| (file, self.arrows(file)))
            .collect();
        let reached = |file: &Names| {
            let (mut reached, mut next) = (BTreeSet::new(), vec![file]);
            while let Some(file) = next.pop() {
                let new = arrows[file]
                    .iter()
                    .filter(|other| reached.insert((*other).clone()));
                next.extend(new.collect::<Vec<_>>());
            }
            reached
        };
        let reached: BTreeMap<&Names, BTreeSet<Names>> =
            self.0.keys().map(|file| (file, reached(file))).collect();
        let in_one = reached
            .iter()
            .filter(|(file, all)| all.contains(**file))
            .map(|(file, all)| {
                let circle = all.iter().filter(|other| reached[*other].contains(*file));
                let words = circle.map(|names| format!("{root}/{}", names.join("/")));
                words.collect::<Vec<_>>().join(" ")
            });
        in_one.collect()
    }
}

/// The Rust files below a folder, named from it.
fn files(folder: &Path, name: &str, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let own = format!("{name}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files(&entry.path(), &format!("{own}/"), found);
        } else if own.ends_with(".rs") && !own.ends_with("tests.rs") {
            found.push((
                own,
                std::fs::read_to_string(entry.path()).expect("a source file"),
            ));
        }
    }
}

#[test]
fn there_is_no_circle() {
    let mut found = BTreeSet::new();
    for root in ["src", "spec/src", "spec/kernel/src"] {
        let mut read = Vec::new();
        files(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(root),
            "",
            &mut read,
        );
        let house = House::new(read.iter().map(|(file, text)| (&file[..], &text[..])));
        let arrows: usize = house.0.keys().map(|file| house.arrows(file).len()).sum();
        assert!(
            arrows > 2 * house.0.len(),
            "{root}: {arrows} arrows of {} files",
            house.0.len()
        );
        found.extend(house.circles(root));
    }
    assert!(
        found.is_empty(),
        "files that use each other in a circle: {found:#?}"
    );
}

#[test]
fn circles_are_found_through_faces_and_in_code() {
    let circles =
        |files: &[(&'static str, &'static str)]| House::new(files.iter().copied()).circles("src");
    let face = (
        "room/mod.rs",
        "mod a;\nmod b;\npub use a::{First, Second as Other};\npub struct Own;",
    );
    let a = ("room/a.rs", "use super::b::Third;\n");
    let round: BTreeSet<String> = ["src/room/a src/room/b".to_owned()].into();
    assert_eq!(
        circles(&[face, a, ("room/b.rs", "use super::{Own, Other};")]),
        round
    );
    assert_eq!(
        circles(&[face, a, ("room/b.rs", "fn f(_: crate::room::First) {}")]),
        round
    );
    assert_eq!(
        circles(&[
            face,
            a,
            (
                "room/b.rs",
                "pub use crate::room::{\n    a::{\n    First, self}};"
            )
        ]),
        round
    );
    let none = BTreeSet::new();
    assert_eq!(
        circles(&[
            face,
            a,
            ("room/b.rs", "use super::Own; // not super::First")
        ]),
        none
    );
    let test = "use super::Own;\n#[cfg(test)]\nmod tests {\n    use crate::room::First;\n}";
    assert_eq!(circles(&[face, a, ("room/b.rs", test)]), none);
    let far = [
        ("c.rs", "use crate::d::D;"),
        ("d.rs", "use crate::e::E;"),
        ("e.rs", "use crate::c::C;"),
    ];
    assert_eq!(circles(&far), ["src/c src/d src/e".to_owned()].into());
}
