//! What is said of a run stands on its page, in its files and on the papers' pages.

use super::samples::{report, squeeze};
use super::{Fit, Report, VIOLATION, audits_html, html};
use dp_assay_spec::claim::{Paper, Verdict};

/// The section of a page with this anchor, if it has one.
fn section<'a>(page: &'a str, id: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&format!("<section id=\"{id}\">"))?;
    rest.split("</section>").next()
}

#[test]
fn what_stands_beside_a_finding_is_named_where_anything_does() {
    let mut found = report();
    for (holding, shown) in [
        (vec![], ""),
        (
            vec!["gcd-thm-4.2-corrected"],
            "<b>Stands.</b> <a href=\"#gcd-thm-4.2-corrected\">",
        ),
    ] {
        for finding in &mut found.findings {
            finding.holding.clone_from(&holding);
        }
        let page = html(&found);
        let findings = section(&page, "findings").expect("there are findings");
        assert!(findings.contains(shown), "{findings}");
        assert_eq!(findings.contains("<b>Stands.</b>"), !shown.is_empty());
    }
}

#[test]
fn the_page_has_all_that_a_run_found_and_no_section_without() {
    let mut whole = report();
    whole.failures = vec!["the sky fell".into()];
    let page = html(&whole);
    for (id, parts) in [
        ("failures", &["the sky fell"][..]),
        (
            "papers",
            &[
                // What fails first: how bad, what to use instead, and how to run it.
                "4 of 4 theorems fail",
                "; <b>critical</b>: <a href=\"#gcd-thm-4.2\">",
                "<a href=\"#gcd-thm-4.2-corrected\"><code>gcd-thm-4.2-corrected</code></a>",
                "nothing yet: The claim that was to correct it does not hold.",
                "Where the corrected gcd-alg-1 departs from the print",
            ],
        ),
        (
            "findings",
            &[
                "Severity: critical (1)",
                "<p class=\"fails\"><b>Fails.</b> <a href=\"#gcd-thm-4.2\">gcd-thm-4.2</a>: ",
                "re-checked: exact arithmetic",
                "<p class=\"effect\"><b>Effect.</b> Privacy: true ε over claimed ε: ",
                "<b>What does hold.</b> <a href=\"#gcd-thm-4.2-corrected\">",
            ],
        ),
        (
            "run",
            &["made up — 100 records, 3 features. this test", "quick, 1"],
        ),
        ("audits", &["sound", "dull"]),
        ("bugs", &["half the noise"]),
        ("profiles", &["a mechanism", "<svg ", "✓ yes"]),
        ("fits", &["a fit", "75.0 %"]),
        ("comparisons", &["a problem"]),
        (
            "slack",
            &[
                "Slack of 1 proved claims",
                "href=\"#gcd-thm-4.2-corrected\"",
            ],
        ),
        (
            "ledger",
            &[
                "Ledger (7 claims)",
                "id=\"gcd-thm-4.4-sc-b\"",
                "<details id=\"symbols-gcd\"><summary>Symbols of gcd</summary>",
            ],
        ),
        ("left-out", &["the long ones"]),
    ] {
        let found = section(&page, id).unwrap_or_else(|| panic!("no section {id}"));
        for part in parts {
            assert!(found.contains(part), "{id} without {part}: {found}");
        }
        assert!(
            page.contains(&format!("<a href=\"#{id}\">")),
            "no way to {id}"
        );
    }
    // Each theorem is counted with its own paper.
    assert_eq!(page.matches("4 of 4 theorems fail").count(), 1);
    assert_eq!(
        page.matches("0 of 0 theorems fail").count(),
        Paper::ALL.len() - 1
    );
    // And stands in the table of its own.
    let of = |paper: &str| {
        let (_, table) = page
            .split_once(&format!("<h3 id=\"paper-{paper}\">"))
            .expect("a table");
        table
            .split("</table>")
            .next()
            .expect("it ends")
            .contains("<td><a href=\"#gcd-thm-4.2\">")
    };
    assert!(of("gcd") && !of("kl"));
    for part in [
        "<p class=\"outcome bad\">✗ 1 things that this project relies on failed.</p>",
        "data-verdict=\"proved\"><b>2</b> ✓ proved</a>",
        "data-verdict=\"refuted\"><b>4</b> ✗ refuted</a>",
    ] {
        assert!(page.contains(part), "{part} is not in the summary");
    }
    let fine = html(&report());
    assert!(fine.contains("✓ Nothing that this project relies on failed.</p>"));
    let bare = html(&Report {
        claims: Vec::new(),
        findings: Vec::new(),
        comparisons: Vec::new(),
        fits: Vec::new(),
        profiles: Vec::new(),
        audits: Vec::new(),
        seeded_bugs: Vec::new(),
        skipped: Vec::new(),
        ..report()
    });
    assert_eq!(bare.matches("<section ").count(), 1, "the run alone");
}

/// What a step says is written where it is not the statement itself, and its effect is its own.
#[test]
fn a_finding_tells_its_statement_from_its_steps() {
    let report = report();
    let page = html(&report);
    let found = section(&page, "findings").expect("there are some");
    let of = |id: &str| {
        let (_, rest) = found.split_once(&format!("id=\"finding-{id}\"")).expect(id);
        rest.split("</details>").next().unwrap_or_default()
    };
    let of = of("gcd-thm-4.4-sc-b");
    let said = |id: &str| {
        let start = format!("<b>Fails.</b> <a href=\"#{id}\">{id}</a>: ");
        let (_, rest) = of.split_once(&start).expect("it fails");
        rest.split("<p ").next().unwrap_or_default()
    };
    assert!(
        said("gcd-thm-4.4-sc-b").starts_with("1 &lt; <i>n</i>"),
        "{of}"
    );
    assert!(
        said("gcd-thm-4.4-sc-b-proof").contains("(54) to (55))"),
        "{of}"
    );
    let effects = report
        .claims
        .iter()
        .filter_map(|row| Some((row.id, row.effect.as_ref()?.sizes())));
    let effects: Vec<_> = effects
        .filter(|(id, _)| id.starts_with("gcd-thm-4.4-sc-b"))
        .collect();
    assert_eq!(
        effects,
        [
            (
                "gcd-thm-4.4-sc-b",
                "Only trivial problems satisfy the hypotheses, or none.".to_owned()
            ),
            ("gcd-thm-4.4-sc-b-proof", "A step of the proof.".to_owned())
        ]
    );
}

#[test]
fn a_report_is_saved_as_a_page_and_as_data() {
    let folder = tempfile::tempdir().expect("there is room");
    let report = report();
    report.save(&folder.path().join("new")).expect("writable");
    let read = |name: &str| std::fs::read_to_string(folder.path().join("new").join(name));
    assert_eq!(read("report.html").expect("written"), html(&report));
    let json: serde_json::Value = { read("report.json").ok() }
        .and_then(|text| serde_json::from_str(&text).ok())
        .expect("written");
    assert_eq!(
        json,
        serde_json::to_value(&report).expect("plain structures")
    );
}

/// Each reason by itself, and what is none: a fit that was asked for by name may be unproved, an audit may have no upper end.
#[test]
fn a_check_fails_on_what_it_relies_on_and_says_on_what() {
    let reasons = |change: &dyn Fn(&mut Report)| {
        let mut report = report();
        change(&mut report);
        report.failing()
    };
    let fit = |default, proved| {
        move |r: &mut Report| {
            r.fits = vec![Fit {
                default,
                proved,
                ..r.fits[0].clone()
            }]
        }
    };
    let none: [&str; 0] = [];
    assert_eq!(reasons(&|_| ()), none);
    assert_eq!(reasons(&fit(false, false)), none);
    assert_eq!(reasons(&|r| r.audits[0].claim = None), none);
    let told = reasons(&fit(true, false));
    assert_eq!(
        told,
        ["the default calibration is not proved: some claim: proved"]
    );
    for id in ["gcd-thm-4.2", "gcd-thm-0"] {
        let rests = |what: &str| [format!("{what} rests on {id}, which does not hold")];
        assert_eq!(reasons(&|r| r.fits[0].claim = id), rests("a fit"));
        assert_eq!(reasons(&|r| r.profiles[0].claim = id), rests("a mechanism"));
        assert_eq!(reasons(&|r| r.audits[1].claim = Some(id)), rests("dull"));
    }
}

/// Each number in the column that says what it is, and what is not known as a dash.
#[test]
fn tables_show_each_number_under_its_heading() {
    let report = report();
    let page = html(&report);
    let cells = |id: &str, row: usize| -> Vec<(String, String)> {
        let table = section(&page, id).expect("it is there");
        let row = table.split("<tr>").nth(row + 2).expect("a row");
        let cell = |cell: &str| {
            let (heading, rest) = cell.split_once("\">").expect("a labelled cell");
            let text = rest.split("</tr>").next().unwrap_or_default();
            (heading.to_owned(), text.to_owned())
        };
        row.split("<td data-label=\"").skip(1).map(cell).collect()
    };
    let told = |id, row, wanted: &[(&str, &str)]| {
        let cells = cells(id, row);
        for (heading, text) in wanted {
            let (_, cell) = { cells.iter() }.find(|c| c.0 == *heading).expect(heading);
            assert!(cell.contains(text), "{id}, {heading}: {cell} for {text}");
        }
    };
    told(
        "audits",
        0,
        &[
            ("mechanism", "sound"),
            ("verdict", "<span class=\"proved\">PASS-WITH-POWER"),
            ("claimed ε", "1.0000 at δ = 0"),
            ("audited ε ≥", "0.9000 (error 1e-6)"),
            ("certified ε ≤", "0.9500"),
            ("would have caught", "ε ≥ 1.2500 with probability 0.9"),
            ("samples", "100000"),
            ("relation, release, seed", "transcript, 7"),
        ],
    );
    told(
        "audits",
        1,
        &[("verdict", "<span class=\"open\">INCONCLUSIVE")],
    );
    told(
        "bugs",
        0,
        &[
            ("verdict", "<span class=\"refuted\">VIOLATION"),
            ("certified ε ≤", "—"),
            ("would have caught", "—"),
            (
                "event",
                "x &lt; 1 happens 900 times of 1000 on [0], and 100 times of 1000 on [1].",
            ),
        ],
    );
    told(
        "fits",
        0,
        &[
            ("ε", "1.0000"),
            ("δ", "1.000e-6"),
            ("objective", "0.50000"),
            ("optimum", "0.40000"),
            ("accuracy", "75.0 %"),
            ("optimum's accuracy", "—"),
        ],
    );
    told(
        "comparisons",
        0,
        &[
            ("largest difference", "1.000e-12"),
            ("derived bound", "1.000e-9"),
        ],
    );
    told(
        "profiles",
        0,
        &[("certified ε ≤", "0.7000"), ("kept", "✓ yes")],
    );
}

#[test]
fn the_page_of_audits_counts_the_claims_that_are_false() {
    let page = audits_html(
        "two",
        &[
            squeeze("a", "INCONCLUSIVE", 0.1),
            squeeze("b", VIOLATION, 1.8),
        ],
    );
    assert!(page.contains("<p class=\"outcome bad\">✗ 1 of 2 claims are false."));
    assert!(section(&page, "audits").is_some());
    let page = audits_html("one", &[squeeze("a", "INCONCLUSIVE", 0.1)]);
    assert!(page.contains("<p class=\"outcome ok\">✓ No claim of 1 was found to be false."));
}

#[test]
fn every_verdict_has_a_sign_of_its_own() {
    let mut signs: Vec<_> = Verdict::NAMES
        .iter()
        .map(|v| super::page::symbol(v))
        .collect();
    signs.sort_unstable();
    signs.dedup();
    assert_eq!(signs.len(), Verdict::NAMES.len(), "{signs:?}");
    assert_eq!(super::page::symbol("open"), "? ");
}

/// Whatever the form of a paper's page: each theorem with its verdict, why it fails and where, what to use instead, in what
/// that departs from the print and what it costs.
#[test]
fn the_corrected_paper_says_the_same_in_every_form() {
    let report = report();
    let page = super::paper::Page::of(Paper::Gcd, &report.claims, &report.findings);
    let [text, html, tex] = [page.text(), page.html(), page.tex()];
    let id = "gcd-thm-4.2";
    let cost = page.headline[0].cost.expect("computed");
    let cost = format!("{cost:.3} times the printed noise");
    for part in [
        "gcd-thm-4.2: refuted (critical)\n".to_owned(),
        "  Place: Thm 4.2".to_owned(),
        "  Fails at: n = 1: 3 ≤ 2 fails\n".to_owned(),
        "  Use instead: gcd-thm-4.2-corrected (proved): ".to_owned(),
        "  Departs: in 1, 2, 3 of the list at the end\n".to_owned(),
        format!("  Costs: {cost}"),
        "gcd-thm-4.4-sc-b: empty (".to_owned(),
        "  Missing: The claim that was to correct it does not hold.".to_owned(),
        "\nWhere the corrected gcd-alg-1 departs from the print\n  1. ".to_owned(),
        "4 headline theorems: 0 stand as printed, 3 are corrected, 0 cannot be, 1 are not"
            .to_owned(),
    ] {
        assert!(text.contains(&part), "{part:?} is not in\n{text}");
    }
    let first = text.split("\ngcd-").nth(1).unwrap_or_default();
    let told = |label: &str| first.lines().find_map(|l| l.strip_prefix(label));
    let why = told("  Why: ").expect("it fails");
    let sizes = told("  How much: ").expect("it fails");
    assert!(
        sizes.starts_with("Privacy: true ε over claimed ε: "),
        "{sizes}"
    );
    // A size is told with all that is said of it.
    let words = report.findings[0].effect.words;
    let rest = words.strip_prefix(why).expect(why);
    assert!(sizes.ends_with(rest.trim()), "{sizes}");
    // Nothing departs, and costs nothing, where there is no correction.
    let last = text
        .split("\ngcd-thm-4.4-sc-b: ")
        .nth(1)
        .and_then(|t| t.split("\n\n").next());
    let last = last.expect("the last theorem");
    assert!(
        !last.contains("Departs") && !last.contains("Costs"),
        "{last}"
    );
    for part in [
        format!("<section id=\"{id}\">"),
        "<span class=\"refuted\">✗ refuted (critical)</span>".to_owned(),
        format!("<b>Costs.</b> {cost}"),
        "<section id=\"departures\">".to_owned(),
        "<b>Where the corrected gcd-alg-1 departs from the print.</b>".to_owned(),
        "<p>1. ".to_owned(),
    ] {
        assert!(html.contains(&part), "{part} is not in\n{html}");
    }
    for part in [
        "\\section*{\\texttt{gcd-thm-4.2}: refuted (critical)}",
        &format!("\\paragraph{{Costs.}} {cost}"),
        "\\paragraph{Departs.} in 1, 2, 3 of the list at the end\n",
    ] {
        assert!(tex.contains(part), "{part} is not in\n{tex}");
    }
    let note = super::paper::erratum(Paper::Gcd, &report.claims, &report.findings);
    let (_, critical) = note
        .split_once("\\section*{Severity: critical}")
        .expect("one is");
    let (critical, rest) = critical
        .split_once("\\section*{Severity: ")
        .expect("others are not");
    assert!(
        critical.contains("\\subsection*{\\texttt{gcd-thm-4.2}}"),
        "{critical}"
    );
    assert!(
        critical.contains("\\paragraph{Fails at.} $n=1$: $3\\le2$ fails"),
        "{critical}"
    );
    assert!(
        !rest.contains("\\subsection*{\\texttt{gcd-thm-4.2}}"),
        "{rest}"
    );
    // Each statement by what it is of its finding: the statement itself, a step of its proof, another one.
    let of = |note: &str, id: &str| {
        let (_, item) = note.split_once(&format!("\\texttt{{{id}}}}}")).expect(id);
        let item = item.split("\\subsection").next().unwrap_or_default();
        let heads = item
            .split("\\paragraph{")
            .flat_map(|part| part.split(".}").next());
        let names = heads.filter(|name| name.starts_with("Printed") || name.starts_with("Also"));
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(of(&note, "gcd-thm-4.2"), ["Printed"]);
    assert!(
        note.contains("\\paragraph{Only trivial problems satisfy the hypotheses, or none.} $1")
    );
    let steps = of(&note, "gcd-thm-4.4-sc-b");
    let step = "Printed, in the proof, \\texttt{gcd-thm-4.4-sc-b-proof}";
    assert_eq!(steps, ["Printed", step]);
    let mut joined = report.findings.clone();
    joined.retain(|finding| finding.id == "gcd-thm-4.2");
    joined[0].claims = vec!["gcd-thm-4.2", "gcd-thm-4.4-cvx"];
    let note = super::paper::erratum(Paper::Gcd, &report.claims, &joined);
    let other = "\\texttt{gcd-thm-4.4-cvx}";
    let also = format!("Also printed, {other}");
    assert_eq!(of(&note, "gcd-thm-4.2"), ["Printed", &also]);
    joined[0].claims.reverse();
    let note = super::paper::erratum(Paper::Gcd, &report.claims, &joined);
    let first = format!("Printed, {other}");
    assert_eq!(of(&note, "gcd-thm-4.2"), [&first, "Printed"]);
}

/// Algorithms in the order of their theorems, each with its own departures, numbered through.
#[test]
fn departures_are_listed_by_their_algorithms() {
    let report = report();
    let page = super::paper::Page::of(Paper::Gcd, &report.claims, &report.findings);
    let numbers: Vec<usize> = { page.changes.iter() }
        .flat_map(|changes| changes.items().map(|(number, _)| number))
        .collect();
    assert_eq!(numbers, (1..=numbers.len()).collect::<Vec<_>>());
    let mut algorithms: Vec<_> = page
        .changes
        .iter()
        .map(|changes| changes.algorithm)
        .collect();
    algorithms.dedup();
    assert_eq!(algorithms.len(), page.changes.len());
    for theorem in &page.headline {
        let of = page
            .changes
            .iter()
            .find(|c| c.algorithm == theorem.more.algorithm);
        let own = of.map_or(Vec::new(), |c| {
            c.items().map(|(number, _)| number).collect()
        });
        assert!(
            theorem.more.numbers.iter().all(|n| own.contains(n)),
            "{}",
            theorem.id
        );
        assert_eq!(theorem.more.numbers.len(), theorem.more.departures.len());
    }
}
