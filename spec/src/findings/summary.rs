//! The findings as Markdown tables: what `summary.md` shows.

use super::{Class, Finding, Severity};
use crate::claim::Paper;

/// How many findings of each paper have which severity, how they fail, what is left of the theorems that use them, and
/// every finding with its effect and what holds instead.
#[must_use]
pub fn summary(findings: &[Finding]) -> String {
    let mut out = String::from("# Counts\n\n");
    table(&mut out, findings, &Severity::ALL, |f| f.severity);
    out.push('\n');
    table(&mut out, findings, &Class::ALL, |f| f.class);
    out.push_str(
        "\n# Theorems that a finding touches\n\n| theorem | as printed | findings \
        |\n|---|---|---|\n",
    );
    let mut theorems: Vec<(&str, String, usize)> = Vec::new();
    for theorem in findings.iter().flat_map(|f| &f.theorems) {
        match theorems.iter_mut().find(|t| t.0 == theorem.id) {
            Some(known) => known.2 += 1,
            None => theorems.push((theorem.id, theorem.words(), 1)),
        }
    }
    for (id, words, count) in theorems {
        out += &format!("| `{id}` | {} | {count} |\n", escape(&words));
    }
    out += "\n# Findings\n\n| finding | severity | effect | cause | instead \
        |\n|---|---|---|---|---|\n";
    for (paper, severity) in Paper::ALL
        .iter()
        .flat_map(|p| Severity::ALL.map(|s| (*p, s)))
    {
        let of = |f: &&Finding| f.paper == paper && f.severity == severity;
        for finding in findings.iter().filter(of) {
            let effect = escape(&finding.effect.sizes());
            let (cause, repaired) = (escape(finding.cause), finding.repaired.join(", "));
            let (id, instead) = (finding.id, escape(&repaired));
            out += &format!("| `{id}` | {severity} | {effect} | {cause} | {instead} |\n");
        }
    }
    out
}

/// How many findings of each paper have which value of a feature.
fn table<T: PartialEq + std::fmt::Display>(
    out: &mut String,
    findings: &[Finding],
    values: &[T],
    feature: impl Fn(&Finding) -> T,
) {
    let heads: Vec<String> = values.iter().map(T::to_string).collect();
    let rule = "---|".repeat(values.len());
    *out += &format!("| paper | {} |\n|---|{rule}\n", heads.join(" | "));
    for paper in Paper::ALL {
        *out += &format!("| `{paper}` |");
        for value in values {
            let of = |f: &&Finding| f.paper == paper && feature(f) == *value;
            *out += &format!(" {} |", findings.iter().filter(of).count());
        }
        out.push('\n');
    }
}

/// Plain text as Markdown on one line, with every character that Markdown or rustdoc reads escaped.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
    {
        if "\\`*_[]<>|~&#".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
