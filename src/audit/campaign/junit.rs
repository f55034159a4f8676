//! Results as JUnit XML, which continuous-integration services read.

use crate::audit::{AuditReport, Verdict};

/// One test case for each audit: a violation is a failure, an unfinished or inconclusive audit an error, as it proves
/// nothing either way and what is skipped is shown as green.
///
/// ```
/// use dp_assay::audit::campaign::junit;
///
/// let xml = junit("campaign", &[("unfinished".into(), None)]);
/// assert!(xml.contains("tests=\"1\"") && xml.contains("<error"));
/// ```
#[must_use]
pub fn junit(name: &str, audits: &[(String, Option<AuditReport>)]) -> String {
    let with = |verdict| {
        let has = |r: &&AuditReport| r.verdict == verdict;
        audits
            .iter()
            .filter_map(|(_, r)| r.as_ref())
            .filter(has)
            .count()
    };
    let failures = with(Verdict::Violation);
    let passes = with(Verdict::PassWithPower);
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{}\" tests=\"{}\" \
         failures=\"{failures}\" errors=\"{}\">\n",
        escape(name),
        audits.len(),
        audits.len() - failures - passes
    );
    for (audit, report) in audits {
        xml += &format!("  <testcase name=\"{}\">", escape(audit));
        match report {
            None => xml.push_str("<error message=\"not all chunks are counted\"/>"),
            Some(report) => {
                let tag = match report.verdict {
                    Verdict::Violation => Some("failure"),
                    Verdict::Inconclusive => Some("error"),
                    Verdict::PassWithPower => None,
                };
                if let Some(tag) = tag {
                    xml += &format!("<{tag} message=\"{}\"/>", escape(&report.to_string()));
                }
            }
        }
        xml.push_str("</testcase>\n");
    }
    xml + "</testsuite>\n"
}

/// XML attribute text; a control character that XML cannot hold becomes a space.
fn escape(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect::<String>()
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
