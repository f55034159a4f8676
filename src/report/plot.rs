//! Small SVG pictures: how far an audit and an accountant close in on the true ε.

use super::Squeeze;
use std::fmt::Write;

/// Width and height of a squeeze plot in SVG units.
const WIDTH: f64 = 560.0;
const ROW: f64 = 44.0;
const LEFT: f64 = 16.0;

/// One row per audit: a bar from the audited lower bound to the certified upper bound, the claim as
/// a line. Shapes and labels carry the meaning; colour only repeats it.
#[must_use]
pub fn squeeze(audits: &[Squeeze]) -> String {
    let height = ROW * audits.len() as f64 + 28.0;
    let largest = audits
        .iter()
        .flat_map(|a| {
            [
                a.claimed,
                a.lower,
                a.upper.unwrap_or(0.0),
                a.detectable.unwrap_or(0.0),
            ]
        })
        .filter(|x| x.is_finite())
        .fold(f64::MIN_POSITIVE, f64::max);
    let x = |epsilon: f64| LEFT + epsilon.clamp(0.0, largest) / largest * (WIDTH - 2.0 * LEFT);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"Audited lower bound, claim \
         and certified upper bound on epsilon for each audit\">"
    );
    for (i, audit) in audits.iter().enumerate() {
        let top = ROW * i as f64;
        bar(&mut svg, audit, top, x);
    }
    let base = height - 24.0;
    write!(
        svg,
        "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{base}\" y2=\"{base}\"/>\
         <text x=\"{LEFT}\" y=\"{2}\">0</text><text x=\"{1}\" y=\"{2}\" text-anchor=\"end\">ε = {largest:.3}</text></svg>",
        WIDTH - LEFT,
        WIDTH - LEFT,
        height - 8.0
    )
    .expect("writing to a string");
    svg
}

fn bar(svg: &mut String, audit: &Squeeze, top: f64, x: impl Fn(f64) -> f64) {
    let y = top + 24.0;
    let name = super::html::escape(&audit.mechanism);
    write!(svg, "<text x=\"{LEFT}\" y=\"{}\">{name}</text>", top + 16.0)
        .expect("writing to a string");
    if let Some(upper) = audit.upper {
        let (from, to) = (x(audit.lower.min(upper)), x(upper));
        write!(
            svg,
            "<rect class=\"gap\" x=\"{from}\" y=\"{y}\" width=\"{}\" height=\"10\"/>\
             <path class=\"upper\" d=\"M{to} {y}v10\"/>",
            to - from
        )
        .expect("writing to a string");
    }
    write!(
        svg,
        "<circle class=\"lower\" cx=\"{}\" cy=\"{}\" r=\"5\"/>\
         <path class=\"claim\" d=\"M{} {}v18\"/>",
        x(audit.lower),
        y + 5.0,
        x(audit.claimed),
        y - 4.0
    )
    .expect("writing to a string");
}
