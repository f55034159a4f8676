//! A paper has its rooms and its rows, wherever papers are listed by hand.

use dp_assay_spec::claim::Paper;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Where papers are listed besides the table: the folder that has rooms, the file, and the line for a room of this name.
/// No paper needs a solver; one that has a room for it is listed in all the rest.
const LISTS: [(&str, &str, &str); 3] = [
    ("src/solver", "src/solver/mod.rs", "pub mod NAME;"),
    ("src/solver", "tests/papers/main.rs", "mod NAME;"),
    ("src/solver", "src/audit/builtin.rs", "    &NAME::FAMILY,"),
];

/// Names of the folders in a folder that have this file.
fn rooms(folder: &Path, file: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let rooms = entries.filter(|entry| entry.path().join(file).exists());
    rooms
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect()
}

/// What is missing below this root, in words.
fn missing(root: &Path, papers: &[Paper]) -> Vec<String> {
    let mut missing = Vec::new();
    let text = |file: &str| fs::read_to_string(root.join(file)).unwrap_or_default();
    for room in rooms(&root.join("spec/src"), "headlines.rs") {
        if papers.iter().all(|paper| paper.name() != room) {
            missing.push(format!("spec/src/paper.rs has no row of {room}"));
        }
    }
    for paper in papers {
        let source = paper.source();
        let row = format!("| `{paper}` | {} ({}) |", source.title, source.authors);
        if text("README.md").lines().all(|line| line != row) {
            missing.push(format!("README.md has no row of {paper}: {row}"));
        }
        for (folder, file, line) in LISTS {
            let line = line.replace("NAME", paper.name());
            let built = root.join(folder).join(paper.name()).exists();
            if built && text(file).lines().all(|found| found != line) {
                missing.push(format!("{file} has no line `{line}`"));
            }
        }
    }
    missing
}

#[test]
fn every_paper_is_listed_wherever_papers_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let missing = missing(&root, &Paper::ALL);
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn every_claim_of_a_paper_has_its_name_its_place_and_its_statement() {
    for paper in Paper::BOOKS {
        for claim in paper.claims() {
            assert_eq!(claim.paper(), paper, "{}", claim.id);
            let says = !claim.place.is_empty() && !claim.statement.is_empty();
            assert!(says, "{} has no place or no statement", claim.id);
        }
    }
}

#[test]
fn a_list_that_lacks_a_paper_is_named() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rooms");
    let _ = fs::remove_dir_all(&root);
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("in a folder")).expect("writable");
        fs::write(path, text).expect("writable");
    };
    write("spec/src/gcd/headlines.rs", "");
    write("spec/src/lasso/headlines.rs", "");
    write("src/solver/gcd/mod.rs", "");
    write("src/solver/mod.rs", "pub mod gcd;\n");
    let found = missing(&root, &[Paper::Gcd, Paper::Kl]);
    let begins = [
        "spec/src/paper.rs has no row of lasso",
        "README.md has no row of gcd: | `gcd` | High-Dimensional",
        "tests/papers/main.rs has no line `mod gcd;`",
        "src/audit/builtin.rs has no line `    &gcd::FAMILY,`",
        "README.md has no row of kl: | `kl` |",
    ];
    assert_eq!(found.len(), begins.len(), "{found:?}");
    for (found, begins) in found.iter().zip(begins) {
        assert!(found.starts_with(begins), "{found}");
    }
}

/// The claims of a file, each with the one that it takes fields from.
fn bases(text: &str) -> BTreeMap<&str, &str> {
    let mut found = BTreeMap::new();
    let mut own = None;
    for line in text.lines() {
        if let Some((before, _)) = line.split_once(": Claim = Claim {") {
            own = before.split(' ').next_back();
        } else if line == "};" {
            own = None;
        } else if let (Some(name), Some(base)) = (own, line.strip_prefix("    ..")) {
            found.insert(name, base);
        }
    }
    found
}

/// A claim takes fields from none, from `Claim::ALONE`, or from one of its own file that takes them from one at most.
#[test]
fn no_claim_takes_fields_from_another_file_or_from_far() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path());
                continue;
            }
            let text = fs::read_to_string(entry.path()).expect("a text");
            let bases = bases(&text);
            let up = |name: &&str| bases.get(name).copied().filter(|b| *b != "Claim::ALONE");
            for name in bases.keys() {
                let chain: Vec<&str> = std::iter::successors(up(name), up).take(4).collect();
                let here = |base: &&str| text.contains(&format!("const {base}: Claim = Claim {{"));
                let file = entry.path();
                assert!(
                    chain.iter().all(here),
                    "{file:?}: {name} takes fields from {chain:?}"
                );
                assert!(
                    chain.len() <= 2,
                    "{file:?}: {name} takes fields from {chain:?}"
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 200, "{seen} claims take fields from others");
}
