//! What solvers that know nothing of the kernel say of the polynomial leaves of its proofs (`spec/tests/checker/smt.py`).

use crate::kernel::THEOREMS;
use dp_assay_kernel::trace;
use dp_assay_spec::moved;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/checker/smt.py");

/// For every claim: leaves, polynomial ones, a digest of what is asked, and how many Z3 and cvc5 confirm.
const COUNTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/smt.csv");

/// Every polynomial leaf that a solver does not confirm: claim, step, what stands for a number in it, the answers.
const OPEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/smt_open.csv");

/// How long a solver may think of a question, in seconds.
const SECONDS: &str = "5";

fn traces() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("smt");
    fs::create_dir_all(&folder).unwrap();
    let write = |moved: &moved::Moved| {
        let (_, _, theorem) = THEOREMS.iter().find(|(id, ..)| *id == moved.id).unwrap();
        let path = folder.join(format!("{}.trace", moved.id));
        fs::write(&path, trace::write(theorem.as_ref().unwrap().trace())).unwrap();
        path
    };
    moved::all().map(write).collect()
}

/// What the program prints, line by line and word by word between commas.
fn said(python: &str, options: &[&str]) -> Vec<Vec<String>> {
    let run = Command::new(python)
        .args(["-B", PROGRAM])
        .args(options)
        .args(traces())
        .output();
    let run = run.expect("python3 is needed for this test");
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    rows(&String::from_utf8(run.stdout).unwrap())
}

fn rows(text: &str) -> Vec<Vec<String>> {
    let row = |line: &str| line.split(',').map(str::to_owned).collect();
    text.lines().map(row).collect()
}

fn stored(path: &str) -> Vec<Vec<String>> {
    rows(&fs::read_to_string(path).unwrap()).split_off(1)
}

/// Asks nobody: a proof that has changed has another digest, and then the campaign below is to be run again.
#[test]
fn the_stored_answers_are_about_the_leaves_of_today() {
    let counts = stored(COUNTS);
    let about: Vec<Vec<String>> = counts.iter().map(|row| row[..4].to_vec()).collect();
    assert_eq!(said("python3", &["--count"]), about);
    let total = |column: usize| -> usize {
        let number = |row: &Vec<String>| row[column].parse::<usize>().unwrap();
        counts.iter().map(number).sum()
    };
    let (polynomial, z3, cvc5) = (total(2), total(4), total(5));
    let open = stored(OPEN);
    let unconfirmed = |column: usize| open.iter().filter(|row| row[column] != "unsat").count();
    assert_eq!(unconfirmed(3), polynomial - z3);
    assert_eq!(unconfirmed(4), polynomial - cvc5);
    let refuted = open
        .iter()
        .find(|row| row[3..].iter().any(|answer| answer == "sat"));
    assert_eq!(refuted, None, "a solver has a counterexample");
    assert!(
        10 * z3 >= 9 * polynomial && 10 * cvc5 >= 9 * polynomial,
        "{z3} and {cvc5} of {polynomial}"
    );
}

/// Needs a Python with the packages `z3-solver` and `cvc5`, named by `DP_ASSAY_SMT_PYTHON`; writes both tables.
#[test]
#[ignore = "minutes, and two solvers"]
fn solvers_confirm_the_polynomial_leaves() {
    let python = std::env::var("DP_ASSAY_SMT_PYTHON").unwrap_or_else(|_| "python3".into());
    let answers = said(&python, &["--solve", SECONDS]);
    let mut confirmed: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut open = String::from("claim,step,what,z3,cvc5\n");
    for row in &answers {
        let count = confirmed.entry(&row[0]).or_default();
        for (solver, answer) in row[3..].iter().enumerate() {
            count[solver] += usize::from(answer == "unsat");
        }
        // What is no polynomial is asked of nobody; the counts have it.
        let unconfirmed = |answer: &String| !["", "unsat"].contains(&answer.as_str());
        if row[3..].iter().any(unconfirmed) {
            open += &(row.join(",") + "\n");
        }
    }
    let mut counts = String::from("claim,leaves,polynomial,digest,z3,cvc5\n");
    for row in said("python3", &["--count"]) {
        let [z3, cvc5] = confirmed.get(row[0].as_str()).copied().unwrap_or_default();
        counts += &format!("{},{z3},{cvc5}\n", row.join(","));
    }
    fs::write(COUNTS, counts).unwrap();
    fs::write(OPEN, open).unwrap();
}
