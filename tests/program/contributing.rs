//! The guide for contributors names what is there.

use std::collections::BTreeSet;
use std::path::Path;

const GUIDE: &str = include_str!("../../src/contributing.rs");

/// What stands between backticks, outside of code.
fn quoted() -> Vec<&'static str> {
    let prose = GUIDE.split("```").step_by(2);
    prose
        .flat_map(|text| text.split('`').skip(1).step_by(2))
        .collect()
}

#[test]
fn every_path_of_the_guide_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = 0;
    for words in quoted() {
        let name = words.trim_end_matches('/').replace("NAME", "gcd");
        let first = name.split('/').next().unwrap_or_default();
        let folders = ["spec", "src", "tests", "fuzz", "benches", ".ci"];
        if folders.contains(&first) && !name.contains(' ') {
            assert!(root.join(&name).exists(), "{words} is not there");
            found += 1;
        }
    }
    assert!(found > 25, "{found} paths");
}

#[test]
fn the_table_of_fuzz_targets_is_their_folder() {
    let table = GUIDE
        .split("//! | target | property |")
        .nth(1)
        .expect("a table");
    let rows = table
        .lines()
        .filter_map(|line| line.strip_prefix("//! | `"));
    let told: BTreeSet<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/fuzz_targets");
    let files = std::fs::read_dir(folder).expect("a folder").flatten();
    let stem = |file: std::fs::DirEntry| {
        let stem = file
            .path()
            .file_stem()
            .map(|s| s.to_string_lossy().into_owned());
        stem.expect("a name")
    };
    let there: BTreeSet<String> = files.map(stem).collect();
    assert_eq!(told, there.iter().map(String::as_str).collect());
}

/// Rust files of a room: of its folder, or the one file that it is.
fn files(room: &Path) -> Vec<std::path::PathBuf> {
    let Ok(entries) = std::fs::read_dir(room) else {
        return vec![room.with_extension("rs")];
    };
    let entries = entries.map(|entry| entry.expect("readable").path());
    let below = |path: std::path::PathBuf| match path.is_dir() {
        true => files(&path),
        false => Vec::from_iter(path.extension().is_some_and(|e| e == "rs").then_some(path)),
    };
    entries.flat_map(below).collect()
}

/// Code alone: what documentation or a test names is no dependence of the room.
#[test]
fn no_folder_uses_one_behind_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (_, list) = GUIDE.split_once("none behind it: ").expect("the order");
    let (list, _) = list.split_once(".\n").expect("a sentence");
    let order: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
    assert!(order.len() > 10, "{order:?}");
    let mut up = Vec::new();
    for (i, room) in order.iter().enumerate() {
        let found = files(&src.join(room));
        assert!(!found.is_empty(), "src/{room} is not there");
        for file in found {
            let text = std::fs::read_to_string(&file).expect("a source file");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let code = code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            for line in code {
                let uses = |other: &&&str| line.contains(&format!("crate::{other}::"));
                up.extend(
                    order[i + 1..]
                        .iter()
                        .find(uses)
                        .map(|other| format!("{} uses {other}: {}", file.display(), line.trim())),
                );
            }
        }
    }
    assert!(up.is_empty(), "{}", up.join("\n"));
}
