//! The ledger of the page: every claim, folded, with filters and search.

use super::formula::typeset;
use super::page::{Section, escape, symbol};
use super::{EMPTY, plot, symbols};
use crate::ledger::Row;
use dp_assay_spec::claim::{Paper, Verdict};
use dp_assay_spec::findings::Finding;
use std::collections::BTreeMap;

pub(super) fn ledger(rows: &[Row], findings: &[Finding]) -> Option<Section> {
    // Each id with the finding that it is part of.
    let mut known: BTreeMap<&str, Option<&str>> = rows.iter().map(|r| (r.id, None)).collect();
    for finding in findings {
        for id in finding.claims.iter().chain(&finding.holding) {
            known.insert(id, Some(finding.id));
        }
    }
    let mut body = filters() + plot::KEY + &dictionaries(rows);
    body += "<div id=\"claims\">";
    let mut before: BTreeMap<Paper, Vec<(&str, &str)>> = BTreeMap::new();
    for row in rows {
        let before = before.entry(row.paper).or_default();
        claim(&mut body, row, before, &known);
        before.push((row.id, &row.statement));
    }
    body += "</div>";
    (!rows.is_empty()).then(|| Section {
        id: "ledger",
        title: format!("Ledger ({} claims)", rows.len()),
        body,
    })
}

fn filters() -> String {
    let choice = |id: &str, label: &str, options: &[&str]| {
        let options: String = options
            .iter()
            .map(|o| format!("<option>{o}</option>"))
            .collect();
        format!(
            "<label>{label} <select id=\"{id}\"><option \
             value=\"\">all</option>{options}</select></label>"
        )
    };
    format!(
        "<form id=\"filters\" role=\"search\"><label>Search <input type=\"search\" id=\"search\" \
         placeholder=\"id, words, γ, gamma or \\gamma\"></label>{}{}<label class=\"check\"><input \
         type=\"checkbox\" id=\"privacy\"> about privacy</label><button \
         type=\"reset\">Clear</button><output id=\"shown\" aria-live=\"polite\"></output></form>",
        choice("paper", "Paper", &Paper::BOOKS.map(Paper::name)),
        choice("verdict", "Verdict", &Verdict::NAMES),
    )
}

/// A claim, behind those `before` it of its paper, ids with statements.
fn claim(
    out: &mut String,
    row: &Row,
    before: &[(&str, &str)],
    known: &BTreeMap<&str, Option<&str>>,
) {
    let link = |id: &str| match known.contains_key(id) {
        true => format!("<a href=\"#{id}\">{id}</a>"),
        false => format!("<code>{}</code>", escape(id)),
    };
    let labelled = |label: &str, html: Option<String>| {
        html.map_or_else(String::new, |h| format!("<p><b>{label}.</b> {h}"))
    };
    let said = |text: Option<&String>| text.map(|t| lines(t));
    let finding = known.get(row.id).copied().flatten();
    let severity = row.severity.map_or_else(String::new, |s| format!("{s}: "));
    let finding = finding.map(|id| {
        format!("{severity}<a href=\"#finding-{id}\">what is wrong, and how much it matters</a>")
    });
    let listed = |texts: &[String]| (!texts.is_empty()).then(|| escape(&texts.join("; ")));
    let premises: Vec<String> = row.premises.iter().map(|id| link(id)).collect();
    let instead: Vec<String> = row.instead().into_iter().map(link).collect();
    let rests: Vec<String> = row.rests_on.iter().map(|id| link(id)).collect();
    let computed = if row.basis == "kernel" {
        "Proof"
    } else if row.holds() || row.verdict == "open" {
        "Evidence"
    } else {
        "Re-checked"
    };
    let hypotheses = || Some(typeset(&row.hypotheses));
    let proof = || format!("dp-assay ledger --proof {}", row.id);
    // What the kernel has proved says itself for what it holds, and under which hypotheses; what it has refuted may be a case of
    // what is printed.
    let (heading, hypotheses, case, domain, evidence) = match (row.basis, row.holds()) {
        ("kernel", true) => (&row.statement, None, None, None, proof()),
        ("kernel", false) => (
            &row.words,
            hypotheses(),
            Some(typeset(&row.statement)),
            None,
            proof(),
        ),
        _ => (
            &row.statement,
            hypotheses(),
            None,
            row.domain.as_ref(),
            row.evidence.clone(),
        ),
    };
    let details = [
        labelled("If", hypotheses),
        labelled("Refuted", case),
        explained(row),
        labelled("Finding", finding),
        labelled("Fails at", said(row.counterexample.as_ref())),
        labelled(EMPTY, said(row.contradiction.as_ref())),
        labelled(
            "What does hold",
            (!instead.is_empty()).then(|| instead.join(", ")),
        ),
        labelled("Holds for", said(domain)),
        labelled(computed, Some(escape(&evidence))),
        labelled("Remarks", listed(&row.remarks)),
        labelled("Steps by hand", listed(&row.by_hand)),
        labelled(
            "Premises",
            (!premises.is_empty()).then(|| premises.join(", ")),
        ),
        labelled(
            "Slack",
            row.slack
                .map(|s| format!("{s:.4} (printed ÷ needed; 1 is tight)")),
        ),
        labelled("Rests on", (!rests.is_empty()).then(|| rests.join(", "))),
    ];
    *out += &format!(
        "<details id=\"{0}\" data-verdict=\"{1}\"{2}><summary>\
         <b class=\"{1}\">{3}{1}</b> <code>{0}</code> <span>{4}</span></summary>{5}\
         <p class=\"place\">{6}{7}</details>",
        row.id,
        row.verdict,
        if row.kind.is_privacy() {
            " data-privacy"
        } else {
            ""
        },
        symbol(row.verdict),
        statement(heading, before),
        plot::domain(row),
        escape(row.place),
        details.concat(),
    );
}

/// How many lines of a statement are shown once, if another begins with them.
const SHARED: usize = 30;

/// A statement. The long terms of a paper's joint theorems begin alike, for pages: what one of those before begins with, too, is
/// named by it, so that what is its own is seen.
fn statement(text: &str, before: &[(&str, &str)]) -> String {
    let alike = |other: &str| {
        let both = text.lines().zip(other.lines());
        both.take_while(|(own, other)| own == other).count()
    };
    let counted = before.iter().map(|(id, other)| (alike(other), id));
    // Of several the first.
    match counted.rev().max_by_key(|(shared, _)| *shared) {
        Some((shared, id)) if shared >= SHARED => {
            let own: Vec<&str> = text.lines().skip(shared).collect();
            format!(
                "begins with the first {shared} lines of <a href=\"#{id}\">{id}</a><br>{}",
                lines(&own.join("\n"))
            )
        }
        _ => lines(text),
    }
}

/// Typeset text whose lines stay lines, and stay indented.
fn lines(text: &str) -> String {
    let line = |line: &str| {
        let words = line.trim_start();
        let indent = (line.len() - words.len()) / 2;
        "\u{2003}".repeat(indent) + &typeset(words)
    };
    let each: Vec<String> = text.lines().map(line).collect();
    each.join("<br>")
}

/// What the symbols of each paper stand for. A claim names its own by their places in this list, and shows them with these
/// meanings when it is unfolded: written out in every claim they would be a tenth of the page.
fn dictionaries(rows: &[Row]) -> String {
    let papers = Paper::BOOKS.into_iter();
    let papers = papers.filter(|paper| rows.iter().any(|row| row.paper == *paper));
    let dictionary = |paper: Paper| {
        let entry = |(name, what): &(&str, &str)| {
            format!("<li><dfn>{}</dfn> {}", typeset(name), typeset(what))
        };
        let entries: String = paper.symbols().iter().map(entry).collect();
        format!(
            "<details id=\"symbols-{paper}\"><summary>Symbols of {paper}</summary><ul \
             class=\"symbols\">{entries}</ul></details>"
        )
    };
    papers.map(dictionary).collect()
}

/// The symbols of the statement and its hypotheses, as places in their paper's list.
fn explained(row: &Row) -> String {
    let all = row.paper.symbols();
    let text = format!("{}; {}", row.statement, row.hypotheses);
    let found = symbols::symbols(row.paper, &text);
    let places = (found.iter()).filter_map(|entry| all.iter().position(|known| known == entry));
    let places: Vec<String> = places.map(|place| place.to_string()).collect();
    match places.is_empty() {
        true => String::new(),
        false => format!("<p class=\"here\" data-symbols=\"{}\">", places.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::samples::{proved, refuted, row};

    #[test]
    fn lines_stay_lines_as_far_indented_as_they_were() {
        assert_eq!(
            lines("one\n  two\n    three"),
            "one<br>\u{2003}two<br>\u{2003}\u{2003}three"
        );
    }

    #[test]
    fn claims_can_be_chosen_by_paper_and_by_verdict() {
        let form = filters();
        let offered = |id: &str| {
            let (_, menu) = form.split_once(&format!("<select id=\"{id}\">")).expect(id);
            let (menu, _) = menu.split_once("</select>").expect("it ends");
            let options = menu.split("<option>").skip(1);
            options
                .map(|o| o.trim_end_matches("</option>").to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(offered("paper"), Paper::BOOKS.map(Paper::name));
        assert_eq!(offered("verdict"), Verdict::NAMES);
    }

    /// What is shown of a claim is its verdict, and nothing that another verdict would have.
    #[test]
    fn a_claim_is_shown_with_its_verdict_and_what_belongs_to_it() {
        let shown = |row: &Row| {
            let known = [
                ("gcd-thm-4.2-corrected", None),
                (row.id, Some("gcd-thm-4.2")),
            ]
            .into();
            let mut out = String::new();
            claim(&mut out, row, &[], &known);
            out
        };
        let holds = shown(&row("gcd-mech-lap", proved));
        for part in [
            "data-verdict=\"proved\"",
            "<b class=\"proved\">✓ proved</b>",
            "<b>Holds for.</b>",
            "<b>Evidence.</b> a sum",
        ] {
            assert!(holds.contains(part), "{holds} without {part}");
        }
        assert!(
            !holds.contains("Fails at") && !holds.contains("Premises"),
            "{holds}"
        );
        let mut fails = row("gcd-mech-lap", refuted);
        fails.premises = vec!["gcd-thm-4.2-corrected", "somewhere else"];
        let fails = shown(&fails);
        for part in [
            "data-verdict=\"refuted\"",
            "<b class=\"refuted\">✗ refuted</b>",
            "<b>Fails at.</b>",
            "<b>Re-checked.</b>",
            "<b>What does hold.</b> <a href=\"#gcd-thm-4.2-corrected\">",
            "<b>Finding.</b> <a href=\"#finding-gcd-thm-4.2\">",
            "<b>Premises.</b> <a href=\"#gcd-thm-4.2-corrected\">gcd-thm-4.2-corrected</a>, \
             <code>somewhere else</code>",
        ] {
            assert!(fails.contains(part), "{fails} without {part}");
        }
        assert!(
            !fails.contains("Holds for") && !fails.contains("Evidence"),
            "{fails}"
        );
        let mut theorem = row("gcd-mech-lap", proved);
        theorem.basis = "kernel";
        let theorem = shown(&theorem);
        assert!(
            theorem.contains("<b>Proof.</b> dp-assay ledger --proof gcd-mech-lap"),
            "{theorem}"
        );
        assert!(
            !theorem.contains("<b>If.</b>") && !theorem.contains("Holds for"),
            "{theorem}"
        );
        // What the kernel refutes may be a case of what is printed, which is what the claim says.
        let mut case = row("gcd-mech-lap", refuted);
        case.basis = "kernel";
        (case.words, case.statement) = ("all of it".to_owned(), "one point".to_owned());
        let case = shown(&case);
        for part in [
            "<span>all of it</span>",
            "<b>Refuted.</b> one point",
            "<b>Re-checked.</b> dp-assay",
        ] {
            let part = part.replace("<b>Re-checked.</b>", "<b>Proof.</b>");
            assert!(case.contains(&part), "{case} without {part}");
        }
        // What it rests on, its steps by hand and its symbols, where there are any.
        for absent in ["Rests on", "Steps by hand"] {
            assert!(!holds.contains(absent), "{holds}");
        }
        let mut rests = row("gcd-mech-lap", proved);
        rests.rests_on = &["gcd-thm-4.2-corrected"];
        rests.by_hand = vec!["one".to_owned(), "a < b".to_owned()];
        rests.statement = "ε over ζ".to_owned();
        rests.hypotheses = "none".to_owned();
        let place = |symbol| Paper::Gcd.symbols().iter().position(|(s, _)| *s == symbol);
        let [epsilon, zeta] = ["ε", "ζ"].map(|symbol| place(symbol).expect("it has a meaning"));
        let rests = shown(&rests);
        for part in [
            "<b>Rests on.</b> <a href=\"#gcd-thm-4.2-corrected\">gcd-thm-4.2-corrected</a>",
            "<b>Steps by hand.</b> one; a &lt; b",
            &format!("<p class=\"here\" data-symbols=\"{epsilon} {zeta}\">"),
        ] {
            assert!(rests.contains(part), "{rests} without {part}");
        }
    }

    #[test]
    fn long_terms_that_begin_alike_are_shown_from_where_they_part() {
        let term = |shared: usize, end: &str| {
            let line = |i| format!("  assume x_{i} ≤ 1\n");
            (0..shared).map(line).collect::<String>() + end
        };
        let (one, other) = (term(SHARED, "holds"), term(SHARED, "fails"));
        let before = [("one", &*one), ("again", &*one)];
        let begins = "begins with the first 30 lines of <a href=\"#one\">one</a><br>fails";
        assert_eq!(statement(&other, &before), begins);
        let short = term(SHARED - 1, "fails");
        assert_eq!(statement(&short, &before), lines(&short));
    }
}
