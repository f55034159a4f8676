//! Every place of the papers is decided by claims, or is said to claim nothing, or is counted as a gap.

use dp_assay_spec::claim::Paper;
use dp_assay_spec::claims;
use dp_assay_spec::coverage::{CoverageError, CoverageShare, Place, read};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// At most this share of the rows of a paper may claim nothing.
const REASONS: (usize, usize) = (15, 100);

/// How many gaps a paper may have: lines `paper<tab>gaps`; none where it has no line. It may only shrink.
const CEILINGS: &str = "coverage_gaps.tsv";

fn data(name: &str) -> String {
    format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn ceilings() -> BTreeMap<String, usize> {
    let text = std::fs::read_to_string(data(CEILINGS)).unwrap_or_default();
    let line = |line: &str| {
        let (paper, gaps) = line.split_once('\t')?;
        Some((paper.to_owned(), gaps.parse().ok()?))
    };
    text.lines().filter_map(line).collect()
}

fn ids() -> BTreeSet<&'static str> {
    claims().iter().map(|claim| claim.id).collect()
}

/// The names of numbered things that no place is: a place is a name alone, or one that a comma and more follow.
fn absent<'a>(names: &'a str, places: &[Place]) -> Vec<&'a str> {
    let is = |place: &Place, name: &str| {
        let rest = place.place.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(", "))
    };
    let names = names.lines().map(str::trim).filter(|name| !name.is_empty());
    names
        .filter(|name| !places.iter().any(|place| is(place, name)))
        .collect()
}

/// What is wrong with the list of a paper, in words.
fn faults(text: &str, names: &str, ids: &BTreeSet<&str>, most: usize) -> Vec<String> {
    let places = match read(text) {
        Ok(places) => places,
        Err(error) => return vec![error.to_string()],
    };
    let mut faults = Vec::new();
    if places.is_empty() {
        faults.push("lists no place: nobody has read the paper".to_owned());
    }
    if names.trim().is_empty() {
        faults.push("has no list of its numbered displays".to_owned());
    }
    let absent = absent(names, &places);
    if !absent.is_empty() {
        faults.push(format!("has no row for {}", absent.join("; ")));
    }
    for place in &places {
        for id in place.claims.iter().filter(|id| !ids.contains(id.as_str())) {
            faults.push(format!("names the unknown claim {id} at {}", place.place));
        }
    }
    let share = CoverageShare::of(&places);
    if share.reasons * REASONS.1 > share.places * REASONS.0 {
        faults.push(format!(
            "{} of {} rows claim nothing, more than 15 %",
            share.reasons, share.places
        ));
    }
    if share.gaps > most {
        let gaps = places.iter().filter(|place| place.is_gap());
        let gaps: Vec<&str> = gaps.map(|place| place.place.as_str()).collect();
        let gaps = gaps.join("; ");
        faults.push(format!("has {} gaps, more than {most}: {gaps}", share.gaps));
    } else if share.gaps < most {
        faults.push(format!(
            "has {} gaps: lower its ceiling of {most}",
            share.gaps
        ));
    }
    faults
}

#[test]
fn every_place_of_the_papers_is_decided_or_counted() {
    let (ids, ceilings) = (ids(), ceilings());
    let mut report = String::new();
    for paper in Paper::ALL {
        let names =
            std::fs::read_to_string(data(&format!("displays/{paper}.txt"))).unwrap_or_default();
        for fault in faults(
            paper.coverage(),
            &names,
            &ids,
            ceilings.get(paper.name()).copied().unwrap_or_default(),
        ) {
            writeln!(report, "{paper} {fault}").expect("writing to a string");
        }
        println!("{paper}: {}", CoverageShare::stored(&[paper]));
    }
    assert!(
        report.is_empty(),
        "{report}lists are in spec/coverage and spec/tests/data/displays; lower ceilings by \
            `DP_ASSAY_WRITE=1 cargo test -p dp-assay-spec --test claims lower_ceilings -- \
            --ignored`"
    );
}

/// With `DP_ASSAY_WRITE` set, lowers the ceilings to the gaps that there are. It raises none.
#[test]
#[ignore = "writes a file of the source tree"]
fn lower_ceilings() {
    if std::env::var_os("DP_ASSAY_WRITE").is_none() {
        return;
    }
    let line = |(paper, most): (&String, &usize)| {
        let paper = paper.parse().expect("a paper");
        let gaps = CoverageShare::stored(&[paper]).gaps.min(*most);
        (gaps > 0).then(|| format!("{paper}\t{gaps}\n"))
    };
    let text: String = ceilings().iter().filter_map(line).collect();
    std::fs::write(data(CEILINGS), text).expect("the source tree is writable");
}

const HEAD: &str = "place,quote,claims,reason\n";

#[test]
fn faults_of_a_list_are_named() {
    let known = BTreeSet::from(["a-1", "a-2"]);
    let of = |rows: &str, names: &str, most| faults(&format!("{HEAD}{rows}"), names, &known, most);
    let rows = "(1),\"x, y\",a-1 a-2,\n\"(2), second line\",z,a-1,\nTheorem 1,w,,\n";
    assert_eq!(of(rows, "(1)\n(2)\nTheorem 1\n", 1), Vec::<String>::new());
    // "(2)" is a place, "(2" is none, and Theorem 1 is not Theorem 1.2.
    assert_eq!(
        of(rows, "(1)\nTheorem\n(3)\n", 1),
        ["has no row for Theorem; (3)"]
    );
    let longer = rows.replace("Theorem 1", "Theorem 1.2");
    assert_eq!(of(&longer, "Theorem 1\n", 1), ["has no row for Theorem 1"]);
    assert_eq!(of(rows, "(1)\n", 0), ["has 1 gaps, more than 0: Theorem 1"]);
    assert_eq!(of(rows, "(1)\n", 2), ["has 1 gaps: lower its ceiling of 2"]);
    assert_eq!(
        of("(1),x,a-3,\n", "(1)\n", 0),
        ["names the unknown claim a-3 at (1)"]
    );
    let idle = "(1),x,,notation\n(2),x,a-1,\n(3),x,a-1,\n(4),x,a-1,\n(5),x,a-1,\n(6),x,a-1,\n";
    assert_eq!(
        of(idle, "(1)\n", 0),
        ["1 of 6 rows claim nothing, more than 15 %"]
    );
    let fewer = format!("{idle}(7),x,a-1,\n");
    assert_eq!(of(&fewer, "(1)\n", 0), Vec::<String>::new());
    let empty = of("", "", 0);
    assert_eq!(
        empty,
        [
            "lists no place: nobody has read the paper",
            "has no list of its numbered displays"
        ]
    );
}

#[test]
fn lists_that_cannot_be_read_are_refused() {
    let of = |rows: &str| read(&format!("{HEAD}{rows}")).expect_err("a fault");
    assert_eq!(
        of("(1),x,a-1,picture\n"),
        CoverageError::Both("(1)".to_owned())
    );
    assert_eq!(
        of("(1),x,a-1,\n(1),x,a-2,\n"),
        CoverageError::Twice("(1)".to_owned())
    );
    assert_eq!(of("(1),x,a-1,\n(2),,a-1,\n"), CoverageError::Blank(2));
    assert!(matches!(of("(1),x,,obvious\n"), CoverageError::Layout(_)));
    assert!(matches!(of("(1),x,a-1\n"), CoverageError::Layout(_)));
    assert!(matches!(
        read("place,quote,claims\n"),
        Err(CoverageError::Layout(_))
    ));
    assert!(matches!(
        read("quote,place,claims,reason\n"),
        Err(CoverageError::Layout(_))
    ));
}
