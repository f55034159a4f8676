//! The corrected paper on one page: what it is cited for, what fails and why, what to use instead and what that costs.
//!
//! As text, HTML, JSON and LaTeX, and as an erratum that its authors can be sent.

mod erratum;
mod html;
mod math;
mod symbols;
mod tex;
mod text;
mod theorem;
mod words;

use super::symbols::{explained, symbols};
use crate::ledger::Row;
use crate::ledger::notation::unicode;
use dp_assay_spec::claim::Paper;
use dp_assay_spec::findings::Finding;
use dp_assay_spec::findings::headline::Departure;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

pub(super) use html::corrections;
pub use theorem::Theorem;

/// Version of the JSON layout of [`Page`].
pub const SCHEMA: &str = "dp-assay/paper/1";

/// What a paper is cited for, with what holds instead.
///
/// ```
/// use dp_assay::report::paper::Page;
/// use dp_assay_spec::claim::Paper;
///
/// // Without the ledger's verdicts nothing can be said of any theorem.
/// assert!(Page::of(Paper::Gcd, &[], &[]).headline.is_empty());
/// ```
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Page {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// The paper's short name.
    #[schemars(with = "String")]
    pub paper: Paper,
    /// Its title.
    pub title: &'static str,
    /// Its authors' family names.
    pub authors: &'static str,
    /// Its arXiv id.
    pub arxiv: &'static str,
    /// The theorems that it is cited for, in its order.
    pub headline: Vec<Theorem>,
    /// What the symbols of the statements stand for.
    #[serde(skip)]
    pub(super) symbols: Vec<(&'static str, &'static str)>,
    /// What the corrections have that the print has not, once each.
    #[serde(skip)]
    pub(super) changes: Vec<Changes>,
}

/// In what the corrected theorems on one algorithm differ from the print.
#[derive(Clone, Debug)]
pub(super) struct Changes {
    /// The algorithm; `None` for lower bounds.
    pub algorithm: Option<&'static str>,
    /// The departures with the numbers that the theorems name them by.
    pub all: Vec<(usize, &'static Departure)>,
}

impl Page {
    /// The page of a paper, from the ledger's rows and findings.
    #[must_use]
    pub fn of(paper: Paper, rows: &[Row], findings: &[Finding]) -> Self {
        let rows: BTreeMap<&str, &Row> = rows.iter().map(|row| (row.id, row)).collect();
        let source = paper.source();
        let known = paper
            .headlines()
            .iter()
            .filter_map(|h| Some((h, *rows.get(h.id)?)));
        let headline = known.map(|(h, row)| Theorem::of(h, row, &rows, findings));
        let mut page = Self {
            schema: SCHEMA,
            paper,
            title: source.title,
            authors: source.authors,
            arxiv: source.arxiv,
            headline: headline.collect(),
            symbols: Vec::new(),
            changes: Vec::new(),
        };
        page.refer();
        let statements = page.headline.iter().flat_map(Theorem::statements);
        let changes = { page.changes.iter() }
            .flat_map(|changes| changes.all.iter())
            .flat_map(|(_, change)| [change.what, change.why, change.cost]);
        let shown: Vec<&str> = statements.chain(changes).collect();
        page.symbols = symbols(paper, &shown.join("; "));
        page
    }

    /// Lists what several theorems share once, and lets them refer to it.
    fn refer(&mut self) {
        let mut last = 0;
        let mut settled: BTreeMap<&str, &'static str> = BTreeMap::new();
        for theorem in &mut self.headline {
            let more = &mut theorem.more;
            if let Some(other) = &more.other {
                more.settled_with = settled.get(other.id).copied();
                settled.entry(other.id).or_insert(theorem.id);
            }
            for departure in more.departures {
                let changes = match self
                    .changes
                    .iter()
                    .position(|c| c.algorithm == more.algorithm)
                {
                    Some(at) => &mut self.changes[at],
                    None => {
                        self.changes.push(Changes {
                            algorithm: more.algorithm,
                            all: Vec::new(),
                        });
                        self.changes.last_mut().expect("just added")
                    }
                };
                let known = changes.all.iter().find(|(_, d)| *d == departure);
                let number = known.map(|(number, _)| *number).unwrap_or_else(|| {
                    last += 1;
                    changes.all.push((last, departure));
                    last
                });
                more.numbers.push(number);
            }
        }
    }

    /// The page as text, in lines of any length: whoever prints it folds them.
    #[must_use]
    pub fn text(&self) -> String {
        text::text(self)
    }

    /// The page as a document of its own.
    #[must_use]
    pub fn html(&self) -> String {
        html::html(self)
    }

    /// The page as a LaTeX document.
    #[must_use]
    pub fn tex(&self) -> String {
        tex::page(self)
    }

    /// What the symbols stand for, on one line.
    pub(super) fn legend(&self) -> String {
        explained(&self.symbols)
    }

    /// How many theorems stand, are corrected, cannot be, and are not yet.
    pub(super) fn tally(&self) -> String {
        let count = |is: &dyn Fn(&Theorem) -> bool| self.headline.iter().filter(|t| is(t)).count();
        let corrected = |t: &Theorem| t.corrected.is_some() && !t.more.stands;
        let open = match count(&|t| corrected(t) && !t.fails()) {
            0 => String::new(),
            open => format!(", {open} of these neither proved nor refuted as printed"),
        };
        let argued = |argued: usize| match argued {
            0 => String::new(),
            argued => format!(" ({argued} argued)"),
        };
        format!(
            "{} headline theorems: {} stand as printed{}, {} are corrected{}{open}, {} cannot be, \
             {} are not corrected yet.",
            self.headline.len(),
            count(&|t| t.more.stands),
            argued(count(&|t| t.more.stands && t.verdict == "argued")),
            count(&corrected),
            argued(count(
                &|t| corrected(t) && t.verdict_corrected == Some("argued")
            )),
            count(&|t| t.impossible.is_some()),
            count(&|t| t.more.lacks.is_some()),
        )
    }
}

/// A note to a paper's authors, as a LaTeX document: each finding with its counterexample and its repair.
#[must_use]
pub fn erratum(paper: Paper, rows: &[Row], findings: &[Finding]) -> String {
    erratum::erratum(paper, rows, findings)
}

impl Changes {
    /// What the list is about.
    pub(super) fn heading(&self) -> String {
        match self.algorithm {
            Some(id) => format!("Where the corrected {id} departs from the print"),
            None => "Where the corrected lower bounds depart from the print".to_owned(),
        }
    }

    /// Number and text of each departure, on one line.
    pub(super) fn items(&self) -> impl Iterator<Item = (usize, String)> + '_ {
        let text =
            |d: &Departure| format!("{} {} Cost: {}", ended(d.what), ended(d.why), ended(d.cost));
        self.all
            .iter()
            .map(move |(number, departure)| (*number, one_line(&unicode(&text(departure)))))
    }
}

/// A sentence with its full stop.
pub(super) fn ended(text: &str) -> String {
    format!("{}.", one_line(text).trim_end_matches('.'))
}

/// Text on one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::report;

    #[test]
    fn text_is_put_on_one_line() {
        assert_eq!(one_line("a\n  b"), "a b");
    }

    /// What is corrected although nothing refutes it is counted among the corrected.
    #[test]
    fn the_tally_says_what_is_corrected_without_being_refuted() {
        let found = report();
        let mut page = Page::of(Paper::Gcd, &found.claims, &found.findings);
        let corrected = page
            .headline
            .iter()
            .filter(|t| t.corrected.is_some())
            .count();
        assert!(
            corrected > 1 && !page.tally().contains("neither"),
            "{}",
            page.tally()
        );
        page.headline[0].verdict = "open";
        let told = page.tally();
        let part = format!(
            "{corrected} are corrected, 1 of these neither proved nor refuted as printed, 0 "
        );
        assert!(told.contains(&part), "{told}");
        page.headline[1].verdict_corrected = Some("argued");
        let told = page.tally();
        let part = format!("{corrected} are corrected (1 argued), 1 of these");
        assert!(told.contains(&part), "{told}");
        // What is proved beside a theorem that stands corrects nothing.
        page.headline[1].more.stands = true;
        let told = page.tally();
        assert!(
            told.contains(&format!(" {} are corrected, 1 of these", corrected - 1)),
            "{told}"
        );
    }
}
