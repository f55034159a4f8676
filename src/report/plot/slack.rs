//! How tight the proved statements are.

use crate::ledger::Row;
use dp_assay_spec::claim::Paper;
use std::collections::BTreeMap;

const WIDTH: f64 = 480.0;
const ROW: f64 = 46.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = 24.0;
/// Slack beyond this is drawn at the edge.
const MOST: f64 = 100.0;
/// Width of a stack of dots.
const BIN: f64 = 7.0;

/// A dot for every proved claim with a slack, by paper, on a logarithmic axis from 1 to 100.
#[must_use]
pub fn slack(rows: &[Row]) -> String {
    let known = |r: &&Row| r.slack.is_some_and(|s| s.is_finite() && s > 0.0);
    let rows: Vec<&Row> = rows.iter().filter(known).collect();
    let height = ROW * Paper::ALL.len() as f64 + 40.0;
    let mut svg = format!(
        "<figure class=\"plot\"><svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"Slack of {} proved claims: how many times larger the printed noise or bound \
         is than needed; every value is in the ledger\">",
        rows.len()
    );
    for tick in [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, MOST] {
        let label = if tick == MOST {
            "≥ 100".to_owned()
        } else {
            format!("{tick}")
        };
        svg += &format!(
            "<path class=\"grid\" d=\"M{0:.1} 4V{1}\"/><text x=\"{0:.1}\" y=\"{2}\" \
             text-anchor=\"middle\">{label}</text>",
            place(tick),
            height - 36.0,
            height - 22.0
        );
    }
    for (i, paper) in Paper::ALL.into_iter().enumerate() {
        let base = ROW * (i as f64 + 1.0);
        svg += &format!("<text x=\"4\" y=\"{base}\">{paper}</text>");
        dots(
            &mut svg,
            rows.iter().copied().filter(|r| r.paper == paper),
            base,
        );
    }
    svg += &format!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">slack: printed ÷ \
         needed</text></svg><figcaption>Slack of the proved claims: 1 is tight. Each dot leads to \
         its claim; dots at one place are stacked.</figcaption></figure>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        height - 4.0
    );
    svg
}

fn place(slack: f64) -> f64 {
    LEFT + slack.clamp(1.0, MOST).ln() / MOST.ln() * (WIDTH - LEFT - RIGHT)
}

/// Stacks upwards from the base line; a stack that would be too high overlaps itself.
fn dots<'a>(svg: &mut String, rows: impl Iterator<Item = &'a Row>, base: f64) {
    let mut stacks: BTreeMap<i64, Vec<(&Row, f64)>> = BTreeMap::new();
    for row in rows {
        let slack = row.slack.unwrap_or(1.0);
        stacks
            .entry((place(slack) / BIN) as i64)
            .or_default()
            .push((row, slack));
    }
    for (bin, stack) in stacks {
        let step = (ROW - 12.0).min(6.0 * stack.len() as f64) / stack.len() as f64;
        let x = bin as f64 * BIN + 0.5 * BIN;
        for (level, (row, slack)) in stack.into_iter().enumerate() {
            *svg += &format!(
                "<a href=\"#{0}\"><circle class=\"lower\" cx=\"{x:.1}\" cy=\"{1:.1}\" \
                 r=\"3\"><title>{0}: {slack:.3}</title></circle></a>",
                row.id,
                base - step * level as f64
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::samples::{proved, row};
    use crate::report::samples::outside;

    /// A dot stands at the number of its claim, as near as dots are stacked.
    #[test]
    fn every_slack_has_its_dot_where_the_axis_has_the_number() {
        let tight = |slack| Row {
            slack,
            ..row("gcd-mech-lap", proved)
        };
        for (slack, tick) in [
            (1.0, "1"),
            (2.0, "2"),
            (50.0, "50"),
            (100.0, "≥ 100"),
            (1e9, "≥ 100"),
        ] {
            let drawn =
                super::slack(&[tight(Some(slack)), tight(None), tight(Some(f64::INFINITY))]);
            assert_eq!(outside(&drawn), [""; 0]);
            assert!(drawn.contains("Slack of 1 proved claims"), "{drawn}");
            assert!(
                drawn.contains(&format!("gcd-mech-lap: {slack:.3}</title>")),
                "{drawn}"
            );
            let number = |text: &str, name: &str| -> f64 {
                let (_, rest) = text.rsplit_once(&format!(" {name}=\"")).expect(name);
                rest.split('"')
                    .next()
                    .and_then(|n| n.parse().ok())
                    .expect("a number")
            };
            let (before, _) = drawn.split_once(&format!(">{tick}</text>")).expect(tick);
            let (dot, _) = drawn.split_once("\"><title>").expect("a dot");
            let apart = number(dot, "cx") - number(before, "x");
            assert!(apart.abs() <= 0.5 * BIN + 0.1, "{slack}: {apart}");
            assert_eq!(drawn.matches("</text>").count(), 7 + Paper::ALL.len() + 1);
            assert!(!drawn.contains(">100</text>"), "it may be more");
        }
    }
}
