//! How far an audit and an accountant close in on the true ε.

use crate::report::Squeeze;
use crate::report::lines::fitted;
use crate::report::page::escape;

const WIDTH: f64 = 640.0;
const ROW: f64 = 46.0;
const LEFT: f64 = 12.0;

/// One row per audit: a bar from the audited lower bound to the certified upper bound, the claim as
/// a line, and a diamond from which on the audit would have seen a violation.
#[must_use]
pub fn squeeze(audits: &[Squeeze]) -> String {
    let height = ROW * audits.len() as f64 + 30.0;
    let ends = |a: &Squeeze| [Some(a.claimed), Some(a.lower), a.upper, a.detectable];
    let finite = audits
        .iter()
        .flat_map(ends)
        .flatten()
        .filter(|x| x.is_finite());
    let largest = finite.fold(f64::MIN_POSITIVE, f64::max);
    let x = |epsilon: f64| LEFT + epsilon.clamp(0.0, largest) / largest * (WIDTH - 2.0 * LEFT);
    let told: Vec<String> = audits.iter().map(told).collect();
    let mut svg = format!(
        "<figure class=\"plot squeeze\"><svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"{}\">",
        escape(&told.join(" "))
    );
    for (i, audit) in audits.iter().enumerate() {
        bar(&mut svg, audit, ROW * i as f64, x);
    }
    let (base, right) = (height - 24.0, WIDTH - LEFT);
    svg += &format!(
        "<path class=\"axis\" d=\"M{LEFT} {base}H{right}\"/><text x=\"{LEFT}\" \
         y=\"{0}\">0</text><text x=\"{right}\" y=\"{0}\" text-anchor=\"end\">ε = \
         {largest:.3}</text></svg><figcaption>● audited lower bound &nbsp; ┃ claim &nbsp; ◇ would \
         have been caught from here on &nbsp; shaded: what is left up to the certified upper \
         bound</figcaption></figure>",
        height - 8.0
    );
    svg
}

/// The row in words.
fn told(a: &Squeeze) -> String {
    let upper = a
        .upper
        .map_or_else(String::new, |u| format!(", certified at most {u:.3}"));
    format!(
        "{}: {}, audited epsilon at least {:.3}, claimed {:.3}{upper}.",
        a.mechanism, a.verdict, a.lower, a.claimed
    )
}

fn bar(svg: &mut String, audit: &Squeeze, top: f64, x: impl Fn(f64) -> f64) {
    let y = top + 25.0;
    let middle = y + 5.0;
    *svg += &format!(
        "<text x=\"{LEFT}\" y=\"{0}\"{4}>{1}</text><text x=\"{2}\" y=\"{0}\" \
         text-anchor=\"end\">{3}</text><path class=\"grid\" d=\"M{LEFT} {middle}H{2}\"/>",
        top + 16.0,
        escape(&audit.mechanism),
        WIDTH - LEFT,
        audit.verdict,
        fitted(&audit.mechanism, WIDTH - 2.0 * LEFT - 120.0),
    );
    if let Some(upper) = audit.upper.filter(|u| u.is_finite()) {
        let (from, to) = (x(audit.lower.min(upper)), x(upper));
        *svg += &format!(
            "<rect class=\"gap\" x=\"{from:.1}\" y=\"{y}\" width=\"{:.1}\" height=\"10\"/>\
             <path class=\"axis\" d=\"M{to:.1} {y}v10\"/>",
            to - from
        );
    }
    if let Some(detectable) = audit.detectable.filter(|d| d.is_finite()) {
        *svg += &format!(
            "<path class=\"seen\" d=\"M{:.1} {middle}m0 -5l5 5l-5 5l-5 -5z\"/>",
            x(detectable)
        );
    }
    *svg += &format!(
        "<path class=\"claimed\" d=\"M{:.1} {}v18\"/><circle class=\"lower\" cx=\"{:.1}\" \
         cy=\"{middle}\" r=\"5\"/>",
        x(audit.claimed),
        y - 4.0,
        x(audit.lower),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{outside, squeeze as audit};

    /// One row below the other, each with its words, and the marks in the order of their numbers.
    #[test]
    fn every_audit_has_a_row_with_its_numbers_in_order() {
        let audits = [
            audit("sound", "PASS-WITH-POWER", 0.5),
            audit("dull", "INCONCLUSIVE", 0.1),
        ];
        let drawn = squeeze(&audits);
        assert_eq!(outside(&drawn), [""; 0]);
        assert!(
            drawn.contains("text-anchor=\"end\">ε = 1.250</text>"),
            "{drawn}"
        );
        for (i, a) in audits.iter().enumerate() {
            let y = 46.0 * i as f64 + 16.0;
            let name = format!("<text x=\"{LEFT}\" y=\"{y}\">{}</text>", a.mechanism);
            assert!(drawn.contains(&name), "{name}: {drawn}");
            assert!(drawn.contains(&format!(
                "y=\"{y}\" text-anchor=\"end\">{}</text>",
                a.verdict
            )));
            let said = format!(
                "audited epsilon at least {:.3}, claimed 1.000, certified at most 0.950.",
                a.lower
            );
            assert!(drawn.contains(&said), "{said}");
            // Of 1.25 the whole width.
            let place =
                |epsilon: f64| format!("{:.1}", LEFT + epsilon / 1.25 * (WIDTH - 2.0 * LEFT));
            for mark in [
                format!("class=\"lower\" cx=\"{}\"", place(a.lower)),
                format!("class=\"claimed\" d=\"M{} ", place(1.0)),
                format!("class=\"seen\" d=\"M{} ", place(1.25)),
                format!("class=\"gap\" x=\"{}\"", place(a.lower)),
            ] {
                assert!(drawn.contains(&mark), "{mark}: {drawn}");
            }
        }
    }
}
