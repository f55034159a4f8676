//! The findings as Markdown: what the chapters of this module show.

use super::{Class, Finding};
use crate::book::Entry;
use crate::claim::{Paper, Verdict};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The chapter on one paper: its findings, worst class first.
#[must_use]
pub fn chapter(paper: Paper, findings: &[Finding], entries: &[Entry]) -> String {
    let entries: BTreeMap<_, _> = entries.iter().map(|e| (e.claim.id, e)).collect();
    let mut out = String::new();
    for class in Class::ALL {
        let of = |f: &&Finding| f.paper == paper && f.class == class;
        for (i, finding) in findings.iter().filter(of).enumerate() {
            if i == 0 {
                line(&mut out, &format!("# {class}"));
            }
            section(&mut out, finding, &entries);
        }
    }
    // One newline at the end, as editors leave it.
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// How many statements of each paper fall in each class, and what is left of the theorems that use them.
#[must_use]
pub fn summary(findings: &[Finding]) -> String {
    let mut out = String::from("# Counts\n\n| paper |");
    for class in Class::ALL {
        write!(out, " {class} |").expect("writing to a string");
    }
    out.push_str("\n|---|---|---|---|---|\n");
    for paper in Paper::ALL {
        write!(out, "| `{paper}` |").expect("writing to a string");
        for class in Class::ALL {
            let of = |f: &&Finding| f.paper == paper && f.class == class;
            write!(out, " {} |", findings.iter().filter(of).count()).expect("writing to a string");
        }
        out.push('\n');
    }
    out.push_str("\n# Theorems that a finding touches\n\n| theorem | as printed | findings |\n|---|---|---|\n");
    let mut theorems: Vec<(&str, String, usize)> = Vec::new();
    for theorem in findings.iter().flat_map(|f| &f.theorems) {
        match theorems.iter_mut().find(|t| t.0 == theorem.id) {
            Some(known) => known.2 += 1,
            None => theorems.push((theorem.id, theorem.words(), 1)),
        }
    }
    for (id, words, count) in theorems {
        writeln!(out, "| `{id}` | {} | {count} |", escape(&words)).expect("writing to a string");
    }
    out
}

fn section(out: &mut String, finding: &Finding, entries: &BTreeMap<&str, &Entry>) {
    let printed = entries
        .get(finding.id)
        .or_else(|| entries.get(finding.refuted[0]));
    line(out, &format!("## `{}`", finding.id));
    if let Some(printed) = printed {
        let claim = printed.claim;
        let text = format!("{}. Hypotheses: {}", claim.statement, claim.hypotheses);
        labelled(out, claim.place, &text);
    }
    for id in &finding.refuted {
        fails(out, entries[id], *id != finding.id);
    }
    for id in &finding.holding {
        let Entry { claim, verdict, .. } = entries[id];
        let text = match verdict {
            Verdict::Proved(p) if *id == finding.id => format!("proved: {}", p.domain),
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
        finding.effect.unwrap_or("not written up yet"),
    );
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
    if let Verdict::Refuted(refutation) = verdict {
        let mut text = format!(
            "{} — re-checked: {}",
            refutation.counterexample, refutation.evidence
        );
        if stated {
            text = format!("{} ({}). {text}", claim.statement, claim.place);
        }
        labelled(out, &format!("Fails, {}", claim.id), &text);
    }
}

fn repair(out: &mut String, Entry { claim, verdict, .. }: &Entry) {
    let Verdict::Proved(proof) = verdict else {
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
        "{} — proved: {}{slack}; {}",
        claim.statement, proof.domain, proof.evidence
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
