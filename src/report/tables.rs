//! The tables of the page.

use super::page::{Section, escape};
use super::{Comparison, Fit, Profile, Squeeze, plot};
use crate::units::{at_least, at_most};

/// A table: headings, and cells that are HTML already.
fn table(headings: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let head: String = headings
        .iter()
        .map(|h| format!("<th scope=\"col\">{h}"))
        .collect();
    let row = |cells: Vec<String>| {
        let cells = cells.iter().zip(headings);
        let cells: String = cells
            .map(|(c, h)| format!("<td data-label=\"{h}\">{c}"))
            .collect();
        format!("<tr>{cells}</tr>")
    };
    let body: String = rows.map(row).collect();
    format!(
        "<div class=\"wide\" \
         tabindex=\"0\"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )
}

fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "—".into())
}

/// A small number, and 0 as itself.
fn small(x: f64) -> String {
    if x == 0.0 {
        "0".into()
    } else {
        format!("{x:.3e}")
    }
}

/// The audits as a picture and a table, with what a reader can count by hand.
pub(super) fn audits(id: &'static str, title: &str, audits: &[Squeeze]) -> Option<Section> {
    const HEADINGS: [&str; 9] = [
        "mechanism",
        "verdict",
        "claimed ε",
        "audited ε ≥",
        "certified ε ≤",
        "would have caught",
        "samples",
        "relation, release, seed",
        "event",
    ];
    let row = |a: &Squeeze| {
        vec![
            escape(&a.mechanism),
            format!("<span class=\"{}\">{}</span>", class(&a.verdict), a.verdict),
            format!("{:.4} at δ = {}", a.claimed, small(a.delta)),
            format!(
                "{} (error {:.0e})",
                at_least(a.lower, 4),
                1.0 - a.confidence
            ),
            or_dash(a.upper.map(|u| at_most(u, 4))),
            or_dash(a.caught()),
            a.samples.to_string(),
            format!("{}, {}, {}", a.neighbours, a.release.name(), a.seed),
            escape(&a.event) + &counterexample(a),
        ]
    };
    (!audits.is_empty()).then(|| Section {
        id,
        title: title.to_owned(),
        body: plot::squeeze(audits) + &table(&HEADINGS, audits.iter().map(row)),
    })
}

const fn class(verdict: &str) -> &'static str {
    // A violation is the only one with an initial V.
    match verdict.as_bytes() {
        [b'V', ..] => "refuted",
        [b'P', ..] => "proved",
        _ => "open",
    }
}

fn counterexample(audit: &Squeeze) -> String {
    audit.counterexample.as_ref().map_or_else(String::new, |c| {
        let counts = c.counts;
        format!(
            "<details><summary>counterexample</summary><p>{} happens {} times of {} on {}, and {} \
             times of {2} on {}.</p></details>",
            escape(&c.event),
            counts.hits0,
            counts.samples,
            escape(&c.input0),
            counts.hits1,
            escape(&c.input1)
        )
    })
}

/// The profiles at the claimed point.
pub(super) fn profiles(profiles: &[Profile]) -> String {
    let row = |p: &Profile| {
        let kept = if p.epsilon_at_claim <= p.claimed {
            "✓ yes"
        } else {
            "not by this bound"
        };
        vec![
            escape(&p.mechanism),
            format!("({}, {})", p.claimed, small(p.delta)),
            at_most(p.epsilon_at_claim, 4),
            kept.into(),
            p.neighbours.to_string(),
            escape(&p.theorem),
        ]
    };
    let headings = [
        "mechanism",
        "claimed (ε, δ)",
        "certified ε ≤",
        "kept",
        "relation",
        "accountant",
    ];
    table(&headings, profiles.iter().map(row))
}

/// The private fits.
pub(super) fn fits(fits: &[Fit]) -> Option<Section> {
    const HEADINGS: [&str; 9] = [
        "method",
        "calibration",
        "ε",
        "δ",
        "steps",
        "objective",
        "optimum",
        "accuracy",
        "optimum's accuracy",
    ];
    let percent = |share: Option<f64>| or_dash(share.map(|a| format!("{:.1} %", 100.0 * a)));
    let row = |f: &Fit| {
        vec![
            escape(&f.method),
            escape(&f.calibration),
            at_most(f.epsilon, 4),
            small(f.delta),
            f.steps.to_string(),
            format!("{:.5}", f.objective),
            format!("{:.5}", f.optimum),
            percent(f.accuracy),
            percent(f.optimum_accuracy),
        ]
    };
    (!fits.is_empty()).then(|| Section {
        id: "fits",
        title: "Private fits".into(),
        body: format!(
            "<p>Objective and accuracy are computed on the private data for this report and are \
             not themselves private.</p>{}",
            table(&HEADINGS, fits.iter().map(row))
        ),
    })
}

/// Reference against optimized.
pub(super) fn comparisons(comparisons: &[Comparison]) -> Option<Section> {
    let row = |c: &Comparison| {
        let choices = if c.same_choices { "yes" } else { "no" };
        vec![
            escape(&c.problem),
            c.steps.to_string(),
            choices.into(),
            format!("{:.3e}", c.difference),
            format!("{:.3e}", c.bound),
        ]
    };
    let headings = [
        "problem",
        "steps",
        "same choices",
        "largest difference",
        "derived bound",
    ];
    (!comparisons.is_empty()).then(|| Section {
        id: "comparisons",
        title: "Reference against optimized, same noise".into(),
        body: table(&headings, comparisons.iter().map(row)),
    })
}
