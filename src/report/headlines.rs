//! The first section of the page: the papers, and the theorems that they are cited for.

use super::Report;
use super::formula::typeset;
use super::page::{Section, escape, symbol};
use super::paper::corrections;
use crate::ledger::headline::{JudgedHeadline, of};
use dp_assay_spec::claim::Paper;
use dp_assay_spec::findings::headline::Standing;

pub(super) fn headlines(report: &Report) -> Option<Section> {
    let all = of(&report.claims, &report.findings);
    let mut body = String::from(
        "<p>What each paper is cited for, as printed; what fails comes first, the worst before the \
         others. ε × r: the true ε is r times the claimed one; bound × r: the true value is r \
         times the printed bound; both at n = 60,000, ε = 1, δ = n⁻² unless “e.g.”, of the worst \
         that is known.</p>",
    );
    body += "<ul class=\"overview\">";
    for paper in Paper::ALL {
        overview(&mut body, paper, all.iter().filter(|h| h.paper == paper));
    }
    body += "</ul>";
    for paper in Paper::ALL {
        let source = paper.source();
        body += &format!(
            "<h3 id=\"paper-{paper}\"><code>{paper}</code> {} <small>({}, arXiv \
             {})</small></h3><div class=\"wide\"><table \
             class=\"headlines\"><thead><tr><th>theorem</th><th>verdict</th><th>how \
             bad</th><th>use instead</th><th>command</th></tr></thead><tbody>",
            escape(source.title),
            escape(source.authors),
            source.arxiv,
        );
        let mut rows: Vec<&JudgedHeadline> = all.iter().filter(|h| h.paper == paper).collect();
        rows.sort_by_key(|h| (h.severity.is_none(), h.severity));
        for headline in rows {
            row(&mut body, headline);
        }
        body += "</tbody></table></div>";
        body += &corrections(paper, &report.claims, &report.findings);
    }
    (!all.is_empty()).then(|| Section {
        id: "papers",
        title: "Papers".to_owned(),
        body,
    })
}

/// One paper in a line or two: how many of its theorems fail, and the worst of them.
fn overview<'a>(
    out: &mut String,
    paper: Paper,
    headlines: impl Iterator<Item = &'a JudgedHeadline>,
) {
    let all: Vec<&JudgedHeadline> = headlines.collect();
    let failing = || all.iter().filter_map(|h| Some((h.severity?, h)));
    let worst = failing().map(|(severity, _)| severity).min();
    let link = |h: &JudgedHeadline| {
        let size = match h.brief.is_empty() {
            true => h.verdict,
            false => &h.brief,
        };
        format!(
            "<a href=\"#{0}\"><code>{0}</code></a> {1}{2}",
            h.id,
            escape(size),
            reading(h)
        )
    };
    let named: Vec<String> = failing()
        .filter(|(severity, _)| Some(*severity) == worst)
        .map(|(_, h)| link(h))
        .collect();
    let named = worst.map_or_else(String::new, |severity| {
        format!("; <b>{severity}</b>: {}", named.join(", "))
    });
    *out += &format!(
        "<li><a href=\"#paper-{paper}\">{}</a>: {} of {} theorems fail{named}",
        escape(paper.source().title),
        failing().count(),
        all.len(),
    );
}

/// What is said of a theorem that is not refuted in another reading.
const fn reading(headline: &JudgedHeadline) -> &str {
    match headline.one_reading {
        true => " in one reading",
        false => "",
    }
}

fn row(out: &mut String, headline: &JudgedHeadline) {
    let JudgedHeadline {
        id,
        printed,
        verdict,
        severity,
        effect,
        brief,
        instead,
        standing,
        command,
        ..
    } = headline;
    let severity = severity.map_or_else(String::new, |s| format!(" ({s})"));
    let nothing = match standing {
        Standing::Missing(why, None) => format!("nothing yet: {}", typeset(why)),
        _ => String::new(),
    };
    let instead = instead.map_or(nothing, |id| {
        let part = match standing {
            Standing::Missing(..) => "part of the way: ",
            _ => "",
        };
        format!("{part}<a href=\"#{id}\"><code>{id}</code></a>")
    });
    let size = match brief.is_empty() {
        true => String::new(),
        false => format!("<b>{}{}</b><br>", escape(brief), reading(headline)),
    };
    *out += &format!(
        "<tr><td><a href=\"#{id}\"><code>{id}</code></a><br>{}</td><td \
            class=\"{verdict}\">{}{verdict}{severity}</td><td>{size}{}</td><td>{}</td><td><code>{}</code></td></tr>",
        typeset(printed.lines().next_back().unwrap_or_default()),
        symbol(verdict),
        escape(effect),
        instead,
        escape(command),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::report;

    /// What is weaker than the theorem is not passed off as its correction.
    #[test]
    fn what_goes_part_of_the_way_is_said_to() {
        let report = report();
        let mut headline = of(&report.claims, &report.findings).remove(0);
        headline.instead = Some("gcd-thm-4.2-weaker");
        let shown = |standing| {
            let mut out = String::new();
            row(
                &mut out,
                &JudgedHeadline {
                    standing,
                    ..headline.clone()
                },
            );
            out
        };
        let link = "<a href=\"#gcd-thm-4.2-weaker\">";
        let weaker = shown(Standing::Missing("a bound", Some("gcd-thm-4.2-weaker")));
        assert!(
            weaker.contains(&format!("<td>part of the way: {link}")),
            "{weaker}"
        );
        let proof = shown(Standing::Impossible("gcd-thm-4.2-weaker"));
        assert!(proof.contains(&format!("<td>{link}")), "{proof}");
    }
}
