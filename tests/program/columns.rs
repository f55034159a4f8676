//! Lines of code end by column 100, so that rustfmt lays them out: it leaves alone what a longer text stands in.

use std::path::{Path, PathBuf};

/// What keeps to it. Comments are not laid out, and may be longer.
const FOLDERS: [&str; 2] = ["src", "spec"];

/// Lines that are longer: texts whose lines are others' (scripts, pages, tables of macros), and what rustfmt makes. This number may
/// only fall.
const LEFT: usize = 46;

fn long(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).expect("a source file");
    let long = |line: &&str| line.chars().count() > 100 && !line.trim_start().starts_with("//");
    let lines = text.lines().filter(long);
    lines
        .map(|line| format!("{}: {}", file.display(), line.trim()))
        .collect()
}

#[test]
fn code_ends_by_column_100() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<PathBuf> = FOLDERS.iter().map(|folder| root.join(folder)).collect();
    let (mut files, mut found) = (0, Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                files += 1;
                found.extend(long(&path));
            }
        }
    }
    assert!(files > 800, "{files} files");
    assert!(found.len() <= LEFT, "{}", found.join("\n"));
}
