//! The first section of the page: the papers, and the theorems that they are cited for.

use super::Report;
use super::formula::typeset;
use super::html::{Section, escape, symbol};
use super::paper::corrections;
use crate::ledger::headline::{Headline, of};
use dp_assay_spec::claim::Paper;
use dp_assay_spec::findings::headline::Standing;
use std::fmt::Write;

pub(super) fn headlines(report: &Report) -> Option<Section> {
    let all = of(&report.claims, &report.findings);
    let mut body = String::from(
        "<p>As printed, the verdict, how bad it is at n = 60,000, ε = 1, δ = n⁻² where that was computed, and what to \
         use instead.</p>",
    );
    for paper in Paper::ALL {
        let source = paper.source();
        write!(
            body,
            "<h3 id=\"paper-{paper}\"><code>{paper}</code> {} <small>({}, arXiv {})</small></h3>\
             <div class=\"wide\"><table class=\"headlines\"><thead><tr><th>theorem</th><th>verdict</th><th>effect</th>\
             <th>use instead</th><th>command</th></tr></thead><tbody>",
            escape(source.title),
            escape(source.authors),
            source.arxiv,
        )
        .expect("writing to a string");
        for headline in all.iter().filter(|h| h.paper == paper) {
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

fn row(out: &mut String, headline: &Headline) {
    let Headline {
        id,
        printed,
        verdict,
        severity,
        effect,
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
    write!(
        out,
        "<tr><td><a href=\"#{id}\"><code>{id}</code></a><br>{}</td><td class=\"{verdict}\">{}{verdict}{severity}</td>\
         <td>{}</td><td>{}</td><td><code>{}</code></td></tr>",
        typeset(printed.lines().next_back().unwrap_or_default()),
        symbol(verdict),
        escape(effect),
        instead,
        escape(command),
    )
    .expect("writing to a string");
}
