//! `paper NAME`: the agreed keys, nothing lost on the way to a person, and LaTeX that pdflatex takes.

use super::LEDGER;
use super::latex::fault;
use crate::program::{dp_assay, json, refused, stderr, stdout};
use dp_assay::ledger::notation::unicode;
use dp_assay::report::paper::{Page, erratum};
use dp_assay_spec::claim::Paper;
use dp_assay_spec::findings::Finding;
use dp_assay_spec::findings::headline::Correction;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

fn page(paper: Paper) -> Page {
    Page::of(paper, &LEDGER.claims, &LEDGER.findings)
}

fn note(paper: Paper) -> String {
    erratum(paper, &LEDGER.claims, &LEDGER.findings)
}

/// The ledger and its findings name what a page names, and first; both had a repair of their own for 19 theorems.
#[test]
fn ledger_and_page_name_one_claim_to_use_instead() {
    let mut seen = 0;
    for theorem in Paper::ALL
        .into_iter()
        .flat_map(|paper| page(paper).headline)
    {
        let instead = theorem.corrected.or(theorem.impossible);
        let row = { LEDGER.claims.iter() }.find(|row| row.id == theorem.id);
        let row = row.expect("a headline theorem is a claim");
        if row.holds() {
            // What the kernel proves beside an argued theorem is no repair of it.
            assert_eq!(row.corrected, None, "{}", theorem.id);
            continue;
        }
        assert_eq!(row.corrected, instead, "{}", theorem.id);
        let Some(id) = instead else { continue };
        seen += 1;
        assert_eq!(row.instead()[0], id, "{}", theorem.id);
        for finding in { LEDGER.findings.iter() }.filter(|f| f.claims.contains(&theorem.id)) {
            assert!(
                finding.repaired.iter().any(|known| known == id),
                "{}",
                finding.id
            );
        }
    }
    assert!(seen >= 20, "{seen} theorems are corrected");
}

/// A note to authors tells a statement from what is one of its readings.
#[test]
fn a_reading_is_called_one_in_the_note() {
    let mut seen = 0;
    for paper in Paper::ALL {
        let of = |f: &&Finding| f.paper == paper;
        let claims = { LEDGER.findings.iter() }
            .filter(of)
            .flat_map(|f| &f.claims);
        let readings = claims.filter(|id| id.contains("-reading")).count();
        let said = note(paper)
            .matches("\\paragraph{Printed, in one reading")
            .count();
        assert_eq!(said, readings, "{paper}");
        seen += readings;
    }
    assert!(seen > 0, "no finding has a reading");
}

/// Every command that a page names is one that runs: a fit on a small file, a claim of the ledger. A fit by a theorem
/// understands its line and says that 96 records are too few, which `theorem` tests with enough of them.
#[test]
fn the_command_of_every_theorem_runs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Two classes, and numbers for the methods that are linear regression.
    let [classes, numbers] = [("classes.csv", 0.0), ("numbers.csv", 0.01)].map(|(name, slope)| {
        let label = |i: u32| f64::from(i % 2) + slope * f64::from(i);
        let line = |i: u32| format!("{}.5,{},{}\n", i % 7, i % 3, label(i));
        let file = folder.path().join(name);
        std::fs::write(&file, (0..96).map(line).collect::<String>()).expect("a temporary file");
        file.to_str().expect("a plain path").to_owned()
    });
    let all: BTreeSet<&str> = { Paper::ALL.into_iter() }
        .flat_map(|paper| paper.headlines().iter().map(|h| h.command))
        .collect();
    assert!(all.len() >= 10, "{all:?}");
    for command in all {
        let words: Vec<&str> = command.split(' ').collect();
        match words.as_slice() {
            // What it prints is tested elsewhere; running it checks every claim.
            ["dp-assay", "ledger", id] => {
                assert!(LEDGER.claims.iter().any(|row| row.id == *id), "{command}")
            }
            ["dp-assay", "fit", rest @ ..] => {
                let regression = rest[0].ends_with("ssgd");
                let file = if regression {
                    numbers.as_str()
                } else {
                    classes.as_str()
                };
                let given = rest.iter().map(|word| match *word {
                    "FILE" => file,
                    "NU" => "0.1",
                    "GAMMA" | "KAPPA" => "2",
                    "NORM:SIGMA" => "1:1",
                    word => word,
                });
                let line: Vec<&str> = ["fit"]
                    .into_iter()
                    .chain(given)
                    .chain(["--quiet"])
                    .collect();
                let output = dp_assay(&line);
                let (code, said) = (output.status.code(), stderr(&output));
                if command.contains("--schedule theorem") {
                    assert_eq!(code, Some(2), "{command}: {said}");
                    assert!(said.contains("records"), "{command}: {said}");
                } else {
                    assert_eq!(code, Some(0), "{command}: {said}");
                    assert!(!output.stdout.is_empty(), "{command}");
                }
            }
            _ => panic!("what kind of command is `{command}`?"),
        }
    }
}

/// A departure stands once on the page, under its algorithm, and the theorems name it by its number; so does a claim that
/// settles several.
#[test]
fn what_theorems_share_stands_once() {
    for paper in Paper::ALL {
        let text = page(paper).text();
        for headline in paper.headlines() {
            let Some(Correction::By(corrected)) = headline.correction else {
                continue;
            };
            for departure in corrected.departures {
                let what = unicode(departure.what);
                let lines = text.lines().filter(|line| line.contains(&what));
                // Two algorithms may depart in the same way.
                let algorithms: BTreeSet<_> = { paper.headlines().iter() }
                    .filter(|h| matches!(h.correction, Some(Correction::By(c)) if c.departures.contains(departure)))
                    .map(|h| h.algorithm)
                    .collect();
                assert!(
                    (1..=algorithms.len()).contains(&lines.count()),
                    "{paper}: {what}"
                );
            }
            let written = text
                .matches(&format!("Use instead: {} (", corrected.id))
                .count();
            let referred = text.matches(": as for ").count();
            assert!(written <= 1 + referred, "{}", corrected.id);
        }
    }
}

/// The contract of the JSON, key for key.
#[test]
fn json_has_the_agreed_keys_and_no_others() {
    let printed = json(&["paper", "gcd"]);
    assert_eq!(
        printed,
        serde_json::to_value(page(Paper::Gcd)).expect("plain structures")
    );
    let keys = |value: &Value| -> Vec<String> {
        let mut keys: Vec<_> = value
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect();
        keys.sort_unstable();
        keys
    };
    assert_eq!(
        keys(&printed),
        ["arxiv", "authors", "headline", "paper", "schema", "title"]
    );
    for paper in Paper::ALL {
        let page = serde_json::to_value(page(paper)).expect("plain structures");
        let theorems = page["headline"].as_array().expect("a list");
        let ids: Vec<&str> = theorems.iter().filter_map(|t| t["id"].as_str()).collect();
        assert_eq!(
            ids,
            paper.headlines().iter().map(|h| h.id).collect::<Vec<_>>()
        );
        for theorem in theorems {
            let agreed = [
                "bites_at",
                "command",
                "corrected",
                "cost",
                "id",
                "impossible",
                "printed",
                "verdict",
                "verdict_corrected",
            ];
            assert_eq!(keys(theorem), agreed);
        }
    }
}

/// A theorem that is proved needs no correction; a correction holds, and so does a proof that there is none.
#[test]
fn what_is_to_be_used_instead_holds() {
    let holds = |id: &str| LEDGER.claims.iter().any(|row| row.id == id && row.holds());
    for theorem in Paper::ALL
        .into_iter()
        .flat_map(|paper| page(paper).headline)
    {
        let id = theorem.id;
        if theorem.verdict == "proved" {
            assert_eq!(
                (theorem.corrected, theorem.impossible),
                (None, None),
                "{id}"
            );
        }
        assert_eq!(
            theorem.corrected.is_some(),
            theorem.verdict_corrected.is_some(),
            "{id}"
        );
        for other in [theorem.corrected, theorem.impossible]
            .into_iter()
            .flatten()
        {
            assert!(
                holds(other) && theorem.corrected != theorem.impossible,
                "{id}"
            );
        }
        assert!(
            theorem.corrected.is_some() || (theorem.cost.is_none() && theorem.bites_at.is_none()),
            "{id}"
        );
    }
}

/// A theorem stands, or its correction is proved by the kernel, or nothing can correct it, or the page says what is missing. The
/// snapshot is the present state: a line without `kernel` that does not stand is work to do.
#[test]
fn every_theorem_is_settled_or_what_is_missing_is_said() {
    let row = |id: &str| LEDGER.claims.iter().find(|row| row.id == id);
    let said = |id: &str| {
        row(id).map_or_else(
            || "unknown".to_owned(),
            |row| format!("{} by {}", row.verdict, row.basis),
        )
    };
    let mut table = String::new();
    for paper in Paper::ALL {
        let text = page(paper).text();
        for theorem in page(paper).headline {
            let id = theorem.id;
            let stands = row(id).is_some_and(|row| row.holds());
            let by_kernel = theorem
                .corrected
                .is_some_and(|id| said(id) == "proved by kernel");
            let own = text
                .split("\n\n")
                .find(|part| part.starts_with(&format!("{id}: ")));
            let missing = own.is_some_and(|part| part.contains("\n  Missing: "));
            assert!(
                stands || by_kernel || theorem.impossible.is_some() || missing,
                "{id}"
            );
            let instead = match (theorem.corrected, theorem.impossible) {
                _ if stands => "stands".to_owned(),
                (Some(other), _) => format!("{other}: {}", said(other)),
                (_, Some(other)) => format!("impossible, {other}: {}", said(other)),
                (None, None) => "no correction".to_owned(),
            };
            let missing = if missing {
                "; something is missing"
            } else {
                ""
            };
            table += &format!("{id}: {}; {instead}{missing}\n", said(id));
        }
    }
    insta::assert_snapshot!("headlines", table);
}

#[test]
fn text_in_a_pipe_is_eighty_columns_wide_and_loses_nothing() {
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let text = stdout(&["paper", "ambssgd"]);
    assert_eq!(words(&text), words(&page(Paper::Ambssgd).text()));
    let long = |line: &&str| line.chars().count() > 80 && line.trim().contains(' ');
    assert_eq!(text.lines().find(long), None);
    assert!(!text.contains('\u{1b}'));
    for paper in Paper::ALL {
        let text = page(paper).text();
        for theorem in page(paper).headline {
            let lines = text
                .lines()
                .filter(|line| line.starts_with(&format!("{}: ", theorem.id)));
            assert_eq!(lines.count(), 1, "{}", theorem.id);
            assert!(text.contains(&format!("  Run: {}", theorem.command)));
        }
    }
}

#[test]
fn a_page_for_the_browser_has_every_theorem_and_no_other_file() {
    let html = stdout(&["paper", "skgd", "--format", "html"]);
    for theorem in page(Paper::Skgd).headline {
        assert!(html.contains(&format!("<section id=\"{}\">", theorem.id)));
    }
    assert!(!html.contains("src=\"http") && !html.contains("{{"));
}

#[test]
fn what_is_no_paper_or_no_format_is_refused() {
    assert!(
        refused(&["paper", "lasso"])
            .contains("`lasso` is not one of skgd, gcd, decor, kl, ambssgd\n")
    );
    refused(&["paper"]);
    refused(&["paper", "gcd", "--erratum", "--format", "json"]);
}

/// What is to hold instead: the corrections of headline theorems, and the repairs.
fn instead(paper: Paper, finding: &Finding) -> BTreeSet<String> {
    let headlines = paper.headlines().iter();
    let own = headlines.filter(|h| finding.claims.contains(&h.id));
    let corrected = own.filter_map(|h| match h.correction? {
        Correction::By(by) => Some(by.id.to_owned()),
        _ => None,
    });
    corrected.chain(finding.repaired.iter().cloned()).collect()
}

/// Every finding is in the note, with each point of failure and each repair; and nothing but ASCII.
#[test]
fn the_note_to_the_authors_leaves_nothing_out() {
    for paper in Paper::ALL {
        let text = note(paper);
        let found: Vec<_> = LEDGER
            .findings
            .iter()
            .filter(|f| f.paper == paper)
            .collect();
        assert_eq!(text.matches("\\subsection*{\\texttt{").count(), found.len());
        let claims: usize = found.iter().map(|f| f.claims.len()).sum();
        let points = [
            "\\paragraph{Fails at.}",
            "\\paragraph{Only trivial problems satisfy the hypotheses, or none.}",
        ];
        assert_eq!(
            points
                .map(|p| text.matches(p).count())
                .iter()
                .sum::<usize>(),
            claims,
            "{paper}"
        );
        let repairs: usize = found.iter().map(|f| instead(paper, f).len().max(1)).sum();
        assert_eq!(
            text.matches("\\paragraph{What does hold").count(),
            repairs,
            "{paper}"
        );
        for text in [text, page(paper).tex()] {
            let other = text.char_indices().find(|(_, c)| !c.is_ascii());
            assert_eq!(other, None, "{paper}");
            let unknown = text.find("[U+").map(|at| &text[at..at + 60]);
            assert_eq!(unknown, None, "{paper}: a symbol has no name in TeX");
            assert_eq!(fault(&text), None, "{paper}");
        }
    }
}

/// Authors have the note alone: each claim that it names it shows, says once what that supposes, and counts appendices as they do.
#[test]
fn the_note_to_the_authors_needs_no_other_text() {
    for paper in Paper::ALL {
        let text = note(paper);
        let words: BTreeSet<&str> =
            { text.split(|c: char| !c.is_ascii_alphanumeric() && !"-.".contains(c)) }
                .map(|word| word.trim_end_matches('.'))
                .collect();
        let named = LEDGER.claims.iter().filter(|row| words.contains(row.id));
        for row in named {
            let heads = [
                format!("*{{\\texttt{{{}}}}}", row.id),
                format!("\\texttt{{{}}}.}}", row.id),
            ];
            assert!(heads.iter().any(|head| text.contains(head)), "{}", row.id);
            let twice = format!("Hypotheses: {0}. ({1}: {0})", row.hypotheses, row.verdict);
            assert!(!text.contains(&twice), "{}", row.id);
        }
        let letters = ('A'..='Z').flat_map(|c| {
            [
                format!("App. ${c}$"),
                format!("Lemma ${c}$."),
                format!("Corollary ${c}$."),
            ]
        });
        for letter in letters {
            assert!(!text.contains(&letter), "{paper}: {letter}");
        }
    }
}

#[test]
fn pdflatex_takes_the_notes_and_the_pages() {
    if Command::new("pdflatex").arg("--version").output().is_err() {
        println!("SKIPPED: this machine has no pdflatex");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    for paper in Paper::ALL {
        for (kind, text) in [("page", page(paper).tex()), ("erratum", note(paper))] {
            let failure = typeset(folder.path(), &format!("{paper}-{kind}"), &text);
            assert_eq!(failure, None);
        }
    }
    // So that a pass means something: what TeX does not take is told.
    let broken = page(Paper::Gcd)
        .tex()
        .replace("\\maketitle", "\\maketitle $x_");
    assert!(typeset(folder.path(), "broken", &broken).is_some());
}

/// What pdflatex says if it fails or leaves no document.
fn typeset(folder: &Path, name: &str, text: &str) -> Option<String> {
    let file = folder.join(format!("{name}.tex"));
    std::fs::write(&file, text).expect("a folder of our own");
    let output = Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "-halt-on-error"])
        .arg(&file)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("it is there");
    let made = folder.join(format!("{name}.pdf")).is_file();
    let log = String::from_utf8_lossy(&output.stdout).into_owned();
    (!output.status.success() || !made).then(|| {
        let at = log.find("\n!").unwrap_or(0);
        format!(
            "{name}: {}",
            log[at..].chars().take(600).collect::<String>()
        )
    })
}

/// A command that runs a theorem's constants has that theorem's utility; one that runs with defaults has none.
#[test]
fn only_a_run_by_default_is_said_to_have_no_utility() {
    let (mut by_theorem, mut by_default) = (0, 0);
    for paper in [Paper::Skgd, Paper::Decor] {
        let text = page(paper).text();
        let commands = text.lines().filter(|line| line.contains("dp-assay fit "));
        for command in commands {
            let said = command.contains("(with its defaults private as claimed");
            let theorem = command.contains("--schedule theorem");
            assert!(!(said && theorem), "{command}");
            by_theorem += usize::from(theorem);
            by_default += usize::from(said);
        }
    }
    assert!(
        by_theorem > 0 && by_default > 0,
        "{by_theorem} {by_default}"
    );
}
