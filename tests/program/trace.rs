//! Traceability: a line of the implementation that rests on a claim says so, `//= id`, and may rest
//! only on what exists and holds. A claim that is refuted may be followed as printed, if the comment
//! names the claim that holds instead. And every public module is shown in use.

use crate::parallel::on_all_cores;
use dp_assay_spec::claim::{Check, Claim, Effort, Kind, Paper, Verdict};
use dp_assay_spec::claims;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Where the algorithms of the papers are: the solvers, and the accountant that is DECOR's
/// Algorithms 2 and 3.
const ALGORITHMS: [&str; 2] = ["src/solver", "src/accounting/decor"];

static CLAIMS: LazyLock<BTreeMap<&str, Claim>> =
    LazyLock::new(|| claims().into_iter().map(|c| (c.id, c)).collect());
static TRACES: LazyLock<Vec<Trace>> = LazyLock::new(|| {
    let mut files = Vec::new();
    rust_files(&root().join("src"), &mut files);
    files.iter().flat_map(|file| traces(file)).collect()
});

/// One `//= id`.
struct Trace {
    /// Where it stands, as `file:line`.
    place: String,
    /// The file is where algorithms of the papers are.
    in_solver: bool,
    id: String,
    /// The words of the whole block of comment lines that it stands in.
    comment: BTreeSet<String>,
}

#[test]
fn every_traced_id_is_a_claim() {
    assert!(!TRACES.is_empty());
    let unknown: Vec<_> = TRACES
        .iter()
        .filter(|t| !CLAIMS.contains_key(t.id.as_str()))
        .map(|t| format!("{}: {}", t.place, t.id))
        .collect();
    assert_eq!(unknown, Vec::<String>::new());
}

#[test]
fn no_line_rests_on_a_refuted_claim_without_naming_the_repaired_one() {
    // Many lines rest on one claim: its check runs once.
    let ids: BTreeSet<&str> = TRACES.iter().map(|t| t.id.as_str()).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    let refuted = on_all_cores(&ids, |id| {
        match (CLAIMS.get(id)?.check)(&Check::printed(Effort::Replay)) {
            failed @ (Verdict::Refuted(_) | Verdict::Empty(_)) => {
                Some((*id, failed.repaired().map(str::to_owned)))
            }
            _ => None,
        }
    });
    let refuted: BTreeMap<&str, Option<String>> = refuted.into_iter().flatten().collect();
    let mut unrepaired = Vec::new();
    for trace in TRACES.iter() {
        let repaired = refuted.get(trace.id.as_str());
        if repaired.is_some_and(|id| id.as_ref().is_none_or(|id| !trace.comment.contains(id))) {
            unrepaired.push(format!("{}: {}", trace.place, trace.id));
        }
    }
    assert_eq!(unrepaired, Vec::<String>::new());
}

#[test]
fn the_solvers_of_a_paper_trace_every_algorithm_of_it() {
    let traced: BTreeSet<_> = TRACES
        .iter()
        .filter(|t| t.in_solver)
        .map(|t| t.id.as_str())
        .collect();
    let mut missing = BTreeSet::new();
    for claim in CLAIMS.values().filter(|c| c.kind == Kind::Algorithm) {
        let printed = !claim.id.ends_with("-repaired") && !claim.id.contains("-reading");
        if printed && has_solvers(claim.paper()) && !traced.contains(claim.id) {
            missing.insert(claim.id);
        }
    }
    assert_eq!(missing, BTreeSet::new());
}

/// Privacy claims that no solver relies on, and why.
const NOT_RELIED_ON: [(&str, &str); 14] = [
    (
        "ambssgd-cor-3.3-corrected",
        "Theorem 3.1 at one α, with explicit constants: the accountant takes any",
    ),
    (
        "ambssgd-thm-3.1-corrected",
        "amplification with explicit constants, which the accountant computes",
    ),
    (
        "ambssgd-thm-3.1-corrected-any-order",
        "one step of the same run in zCDP; the accountant takes its profile",
    ),
    (
        "ambssgd-thm-3.6-cal-small",
        "the second form of the calibration, larger than the one in use",
    ),
    (
        "ambssgd-thm-3.6-disjoint-zcdp",
        "the same run in zCDP; the accountant takes the profile",
    ),
    (
        "ambssgd-rem-eigenvalues",
        "a remark on private estimates of the covariance, which no solver makes",
    ),
    (
        "ambssgd-cor-3.3",
        "Theorem 3.1 at one α: its constants are not printed",
    ),
    (
        "ambssgd-cor-3.8",
        "Theorem 3.6 at one α: the accountant takes any",
    ),
    (
        "skgd-thm-4.2-dp",
        "refuted for a K that depends on the data; the solvers take K and T as inputs",
    ),
    (
        "ambssgd-lem-A.1",
        "the exact Gaussian profile takes its place",
    ),
    (
        "ambssgd-eq-7",
        "amplification with explicit constants takes its place",
    ),
    (
        "ambssgd-eq-8-9",
        "amplification with explicit constants takes its place",
    ),
    (
        "ambssgd-eq-30",
        "a clipping norm for the utility theorem: the budget does not depend on it",
    ),
    (
        "skgd-lem-merging",
        "a step in the proof of skgd-lem-post-processing",
    ),
];

#[test]
fn the_solvers_trace_every_privacy_claim_of_two_papers() {
    let privacy = [
        Kind::Sensitivity,
        Kind::MechanismPrivacy,
        Kind::Calibration,
        Kind::Composition,
    ];
    let printed = |id: &str| {
        ["-repaired", "-reading", "-proof", "-restricted"]
            .iter()
            .all(|end| !id.contains(end))
    };
    let traced: BTreeSet<_> = TRACES.iter().map(|t| t.id.as_str()).collect();
    let mut missing = BTreeSet::new();
    for claim in CLAIMS.values() {
        let ours = matches!(claim.paper(), Paper::Skgd | Paper::Ambssgd);
        if ours && privacy.contains(&claim.kind) && printed(claim.id) {
            let repaired = format!("{}-repaired", claim.id);
            if !traced.contains(claim.id) && !traced.contains(repaired.as_str()) {
                missing.insert(claim.id);
            }
        }
    }
    let expected: BTreeSet<_> = NOT_RELIED_ON.iter().map(|(id, _)| *id).collect();
    assert_eq!(missing, expected);
}

#[test]
fn every_id_of_the_inventory_has_an_item() {
    let inventory = include_str!("../../spec/tests/data/ids.csv");
    let ids = inventory
        .lines()
        .skip(1)
        .filter_map(|l| l.split(',').next());
    let missing: Vec<_> = ids.filter(|id| !CLAIMS.contains_key(id)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

/// One learns a module from a use of it; and what is shown holds, since examples are tests.
#[test]
fn every_public_module_of_the_library_has_an_example() {
    let mut without = Vec::new();
    assert!(has_example(&root().join("src/lib.rs"), &mut without));
    assert_eq!(without, Vec::<PathBuf>::new());
}

/// Whether a module or a private one below it has an example. Public ones below it need their own: those `without` are
/// added.
fn has_example(file: &Path, without: &mut Vec<PathBuf>) -> bool {
    let text = std::fs::read_to_string(file).expect("a source file is text");
    let folder = match file.file_stem().and_then(|stem| stem.to_str()) {
        Some("lib" | "mod") => file.with_file_name(""),
        _ => file.with_extension(""),
    };
    let mut found = opens_an_example(&text);
    for line in text.lines().filter_map(|l| l.strip_suffix(';')) {
        let public = line.strip_prefix("pub mod ");
        let Some(name) = public.or_else(|| line.strip_prefix("mod ")) else {
            continue;
        };
        let flat = folder.join(name).with_extension("rs");
        let below = if flat.exists() {
            flat
        } else {
            folder.join(name).join("mod.rs")
        };
        let shown = has_example(&below, without);
        match public {
            Some(_) if !shown => without.push(below),
            Some(_) => {}
            None => found |= shown,
        }
    }
    found
}

/// Whether a comment has a block of code that compiles: not one of another language, nor the end of one.
fn opens_an_example(text: &str) -> bool {
    let comments = text.lines().filter_map(|l| {
        let l = l.trim_start();
        l.strip_prefix("//! ").or_else(|| l.strip_prefix("/// "))
    });
    let fences = comments.filter_map(|l| l.strip_prefix("```"));
    fences
        .step_by(2)
        .any(|language| matches!(language, "" | "no_run"))
}

#[test]
fn a_block_of_text_is_no_example() {
    assert!(!opens_an_example("//! ```text\n//! a\n//! ```\n"));
    assert!(opens_an_example(
        "/// ```text\n/// ```\n    /// ```no_run\n    /// ```\n"
    ));
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(directory: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(directory).expect("the sources are there");
    for entry in entries {
        let path = entry.expect("the sources can be listed").path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

/// Whether the paper's room has more than the file that declares it.
fn has_solvers(paper: Paper) -> bool {
    let mut files = Vec::new();
    rust_files(&root().join("src/solver").join(paper.name()), &mut files);
    files.len() > 1
}

/// The traces of one file; `//= a, b` traces both.
fn traces(file: &Path) -> Vec<Trace> {
    let text = std::fs::read_to_string(file).expect("a source file is text");
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if let Some(ids) = line.strip_prefix("//= ") {
            for id in ids.split(',') {
                found.push(Trace {
                    place: format!("{}:{}", file.display(), number + 1),
                    in_solver: ALGORITHMS
                        .iter()
                        .any(|at| file.starts_with(root().join(at))),
                    id: id.trim().to_owned(),
                    comment: block(&lines, number),
                });
            }
        }
    }
    found
}

/// The words of the comment lines around a line.
fn block(lines: &[&str], line: usize) -> BTreeSet<String> {
    let comment = |l: &&&str| l.starts_with("//");
    let before = lines[..line].iter().rev().take_while(comment);
    let after = lines[line..].iter().take_while(comment);
    let word = |w: &str| w.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    before
        .chain(after)
        .flat_map(|l| l.split_whitespace().map(word))
        .collect()
}
