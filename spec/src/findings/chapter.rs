//! The findings as Markdown: what the chapters of this module show.

use super::{Class, EffectKind, Finding, Severity};
use crate::book::Entry;
use crate::claim::{Paper, Verdict};
use std::collections::BTreeMap;

/// The chapter on one paper: its findings, worst first.
#[must_use]
pub fn chapter(paper: Paper, findings: &[Finding], entries: &[Entry]) -> String {
    let entries: BTreeMap<_, _> = entries.iter().map(|e| (e.claim.id, e)).collect();
    let mut out = head(paper, findings, &entries);
    for severity in Severity::ALL {
        let of = |f: &&Finding| f.paper == paper && f.severity == severity;
        for (i, finding) in findings.iter().filter(of).enumerate() {
            if i == 0 {
                line(&mut out, &format!("# Severity: {severity}"));
            }
            section(&mut out, finding, &entries);
        }
    }
    // One newline at the end, as editors leave it.
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// What the findings on one paper cost in privacy, as their kinds of effect say.
fn head(paper: Paper, findings: &[Finding], entries: &BTreeMap<&str, &Entry>) -> String {
    let all = || findings.iter().filter(|f| f.paper == paper);
    let costs = |f: &&Finding| matches!(f.effect.kind, EffectKind::Privacy | EffectKind::Noise);
    let speaks = |f: &&Finding| {
        f.claims
            .iter()
            .any(|id| entries[id].claim.kind.is_privacy())
    };
    let (number, costly) = (all().count(), all().filter(costs).count());
    let reworded = all().filter(|f| speaks(f) && !costs(f)).count();
    let cost = match costly {
        0 => format!(
            "None of the {number} findings costs privacy: none lets the true ε exceed the claimed one, none asks for more noise."
        ),
        1 => format!("One of the {number} findings costs privacy, or more noise."),
        _ => format!("{costly} of the {number} findings cost privacy, or more noise."),
    };
    let text = match reworded {
        0 => cost,
        _ => format!(
            "{cost} The effect of {reworded} others that concern sentences on privacy is of another kind."
        ),
    };
    let mut out = String::new();
    labelled(&mut out, "Privacy", &text);
    out
}

/// How many findings of each paper have which severity, how they fail, and what is left of the theorems that use them.
#[must_use]
pub fn summary(findings: &[Finding]) -> String {
    let mut out = String::from("# Counts\n\n");
    table(&mut out, findings, &Severity::ALL, |f| f.severity);
    out.push('\n');
    table(&mut out, findings, &Class::ALL, |f| f.class);
    out.push_str("\n# Theorems that a finding touches\n\n| theorem | as printed | findings |\n|---|---|---|\n");
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

fn section(out: &mut String, finding: &Finding, entries: &BTreeMap<&str, &Entry>) {
    let printed = entries
        .get(finding.id)
        .or_else(|| entries.get(finding.claims[0]));
    line(out, &format!("## `{}`", finding.id));
    if let Some(printed) = printed {
        let claim = printed.claim;
        let text = format!("{}. Hypotheses: {}", claim.statement, claim.hypotheses);
        labelled(out, claim.place, &text);
    }
    for id in &finding.claims {
        fails(out, entries[id], *id != finding.id);
    }
    for id in &finding.holding {
        let Entry { claim, verdict, .. } = entries[id];
        let text = match verdict {
            Verdict::Proved(p) | Verdict::Argued(p) if *id == finding.id => {
                format!("{}: {}", verdict.name(), p.domain)
            }
            _ => format!(
                "{}: {}. Hypotheses: {}",
                verdict.name(),
                claim.statement,
                claim.hypotheses
            ),
        };
        labelled(out, &format!("Stands, {id}"), &text);
    }
    labelled(
        out,
        "Effect",
        &format!("{} {}", finding.effect.sizes(), finding.effect.words),
    );
    if finding.cause != finding.id {
        labelled(out, "Cause", finding.cause);
    }
    for theorem in &finding.theorems {
        labelled(
            out,
            "Theorem",
            &format!("{} {}", theorem.id, theorem.words()),
        );
    }
    for id in &finding.repaired {
        if finding.holding.contains(&id.as_str()) {
            labelled(out, "Repair", &format!("{id}, which stands as above"));
        } else {
            repair(out, entries[id.as_str()]);
        }
    }
}

/// A refuted claim: a reading or proof step is stated, the statement itself stands above already.
fn fails(out: &mut String, Entry { claim, verdict, .. }: &Entry, stated: bool) {
    let (label, point, evidence) = match verdict {
        Verdict::Refuted(r) => ("Fails", &r.counterexample, &r.evidence),
        Verdict::Empty(e) => ("Empty", &e.contradiction, &e.evidence),
        _ => return,
    };
    let mut text = format!("{point} — re-checked: {evidence}");
    if stated {
        text = format!("{} ({}). {text}", claim.statement, claim.place);
    }
    labelled(out, &format!("{label}, {}", claim.id), &text);
}

fn repair(out: &mut String, Entry { claim, verdict, .. }: &Entry) {
    let Some(proof) = verdict.proof() else {
        return labelled(
            out,
            "Repair",
            &format!("{} is {}", claim.id, verdict.name()),
        );
    };
    let slack = proof
        .slack
        .map_or_else(String::new, |s| format!("; slack {s:.3}"));
    let text = format!(
        "{} — {}: {}{slack}; {}",
        claim.statement,
        verdict.name(),
        proof.domain,
        proof.evidence
    );
    labelled(out, &format!("Repair, {}", claim.id), &text);
}

fn labelled(out: &mut String, label: &str, text: &str) {
    line(out, &format!("**{}.** {}", escape(label), escape(text)));
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push_str("\n\n");
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
