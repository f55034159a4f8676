//! Where a claim holds and where it fails, read from its own words.
//!
//! Only what is unmistakable is drawn: a piece of text of the form `x in (a, b]`, `x ≥ a`,
//! `a < x ≤ b` or `x = a` with numbers for a and b. Everything else is left to the words beside the
//! picture.

use crate::ledger::Row;
use crate::report::html::escape;
use std::fmt::Write;

const WIDTH: f64 = 260.0;
const ROW: f64 = 22.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 14.0;
/// Variables drawn at most.
const MOST: usize = 6;

/// The picture of a row: the range of each variable, and a cross where the counterexample lies.
/// Empty where the words give nothing to draw.
#[must_use]
pub fn domain(row: &Row) -> String {
    let stated = row.domain.as_deref().unwrap_or(row.hypotheses);
    let ranges = pieces(stated);
    let point = row
        .counterexample
        .as_deref()
        .map_or("", |c| c.split(':').next().unwrap_or(""));
    let fails: Vec<Range> = pieces(point)
        .into_iter()
        .filter(|r| r.low == r.high)
        .collect();
    let mut names: Vec<&str> = ranges
        .iter()
        .chain(&fails)
        .map(|r| r.name.as_str())
        .collect();
    let mut seen = Vec::new();
    names.retain(|name| !seen.contains(name) && (seen.push(*name), true).1);
    names.truncate(MOST);
    if names.is_empty() || (row.verdict != "proved" && row.verdict != "refuted") {
        return String::new();
    }
    let signed = ranges
        .iter()
        .chain(&fails)
        .any(|r| r.low < 0.0 && names.contains(&r.name.as_str()));
    let axis = Axis { signed };
    let height = ROW * names.len() as f64 + 16.0;
    let mut svg = format!(
        "<svg class=\"domain\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">",
        escape(&told(row, &ranges, &fails))
    );
    for (i, name) in names.iter().enumerate() {
        let y = ROW * i as f64 + 14.0;
        let (from, to) = (LEFT, WIDTH - RIGHT);
        write!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text><path class=\"grid\" d=\"M{from} {y}H{to}\"/>",
            LEFT - 8.0, y + 4.0, escape(name)
        )
        .expect("writing to a string");
        for range in ranges.iter().filter(|r| r.name == *name) {
            axis.bar(&mut svg, range, y, row.verdict);
        }
        for point in fails.iter().filter(|r| r.name == *name) {
            let x = axis.place(point.low);
            write!(
                svg,
                "<path class=\"fails\" d=\"M{x:.1} {y}m-4.5 -4.5l9 9m0 -9l-9 9\"/>"
            )
            .expect("writing to a string");
        }
    }
    axis.labels(&mut svg, height - 2.0);
    svg + "</svg>"
}

fn told(row: &Row, ranges: &[Range], fails: &[Range]) -> String {
    let words = |of: &[Range]| of.iter().map(Range::words).collect::<Vec<_>>().join(", ");
    let what = if row.verdict == "proved" {
        "Holds for"
    } else {
        "Stated for"
    };
    match fails.is_empty() {
        true => format!("{what} {}", words(ranges)),
        false => format!("{what} {}; fails at {}", words(ranges), words(fails)),
    }
}

/// The whole line, squeezed into an interval: x/(1 + |x|).
struct Axis {
    signed: bool,
}

impl Axis {
    fn place(&self, value: f64) -> f64 {
        let squeezed = if value.is_infinite() {
            value.signum()
        } else {
            value / (1.0 + value.abs())
        };
        let share = if self.signed {
            0.5 * (1.0 + squeezed)
        } else {
            squeezed
        };
        LEFT + share.clamp(0.0, 1.0) * (WIDTH - LEFT - RIGHT)
    }

    fn bar(&self, svg: &mut String, range: &Range, y: f64, verdict: &str) {
        let (from, to) = (self.place(range.low), self.place(range.high));
        write!(
            svg,
            "<path class=\"range {verdict}\" d=\"M{from:.1} {y}H{to:.1}\"/>"
        )
        .expect("writing to a string");
        for (x, open, finite) in [
            (from, range.low_open, range.low.is_finite()),
            (to, range.high_open, range.high.is_finite()),
        ] {
            if finite {
                let class = if open { "end open" } else { "end" };
                write!(
                    svg,
                    "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y}\" r=\"3.5\"/>"
                )
                .expect("writing to a string");
            }
        }
    }

    fn labels(&self, svg: &mut String, y: f64) {
        let all: &[(f64, &str)] = match self.signed {
            true => &[
                (f64::NEG_INFINITY, "−∞"),
                (-1.0, "−1"),
                (0.0, "0"),
                (1.0, "1"),
                (f64::INFINITY, "∞"),
            ],
            false => &[(0.0, "0"), (1.0, "1"), (f64::INFINITY, "∞")],
        };
        for (value, text) in all {
            write!(
                svg,
                "<text x=\"{:.1}\" y=\"{y}\" text-anchor=\"middle\">{text}</text>",
                self.place(*value)
            )
            .expect("writing to a string");
        }
    }
}

/// The range of one variable.
#[derive(Clone, Debug, PartialEq)]
struct Range {
    name: String,
    low: f64,
    high: f64,
    low_open: bool,
    high_open: bool,
}

impl Range {
    fn words(&self) -> String {
        let Self {
            name, low, high, ..
        } = self;
        if low == high {
            return format!("{name} = {low}");
        }
        let (l, r) = (
            if self.low_open { '(' } else { '[' },
            if self.high_open { ')' } else { ']' },
        );
        format!("{name} in {l}{low}, {high}{r}").replace("inf", "∞")
    }

    /// Ends given as (relation, bound) with the variable on the left: `> 0`, `≤ 1`, `= 2`.
    fn of(name: &str, ends: &[(&str, f64)]) -> Option<Self> {
        let mut range = Self {
            name: name.to_owned(),
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            low_open: true,
            high_open: true,
        };
        for (relation, bound) in ends {
            match *relation {
                ">" | "≥" | ">=" => (range.low, range.low_open) = (*bound, *relation == ">"),
                "<" | "≤" | "<=" => (range.high, range.high_open) = (*bound, *relation == "<"),
                "=" => {
                    (range.low, range.high) = (*bound, *bound);
                    (range.low_open, range.high_open) = (false, false);
                }
                _ => return None,
            }
        }
        (range.low <= range.high).then_some(range)
    }
}

/// The ranges in a text, piece by piece; pieces are cut at commas, semicolons and `and`.
fn pieces(text: &str) -> Vec<Range> {
    let mut depth = 0;
    let cut = |c: char| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        depth == 0 && (c == ',' || c == ';')
    };
    text.split(cut)
        .flat_map(|part| part.split(" and "))
        .flat_map(piece)
        .collect()
}

/// One piece: nothing if any of it is not understood.
fn piece(text: &str) -> Vec<Range> {
    let mut text = text.trim();
    for word in [
        "all ",
        "any ",
        "every ",
        "integers ",
        "integer ",
        "real ",
        "reals ",
    ] {
        text = text.strip_prefix(word).unwrap_or(text);
    }
    if let Some((name, interval)) = text.split_once(" in ") {
        return interval_of(name, interval).into_iter().collect();
    }
    let words: Vec<&str> = text.split(' ').collect();
    let (terms, relations): (Vec<_>, Vec<_>) =
        words.iter().enumerate().partition(|(i, _)| i % 2 == 0);
    let terms: Vec<&str> = terms.into_iter().map(|(_, w)| *w).collect();
    let relations: Vec<&str> = relations.into_iter().map(|(_, w)| *w).collect();
    match (terms.as_slice(), relations.as_slice()) {
        ([name, bound], [relation]) if is_name(name) => {
            let range = number(bound).and_then(|b| Range::of(name, &[(relation, b)]));
            range.into_iter().collect()
        }
        ([low, name, high], [first, second]) if is_name(name) && *first != "=" => {
            let turned = match *first {
                "<" => ">",
                "≤" | "<=" => "≥",
                _ => return Vec::new(),
            };
            let range = number(low).zip(number(high));
            range
                .and_then(|(l, h)| Range::of(name, &[(turned, l), (second, h)]))
                .into_iter()
                .collect()
        }
        ([names @ .., last], relations)
            if !relations.is_empty() && relations.iter().all(|r| *r == "=") =>
        {
            let Some(value) = number(last).filter(|_| names.iter().all(|n| is_name(n))) else {
                return Vec::new();
            };
            names
                .iter()
                .filter_map(|n| Range::of(n, &[("=", value)]))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn interval_of(name: &str, interval: &str) -> Option<Range> {
    let interval = interval.trim();
    let lower = match interval.chars().next()? {
        '(' => ">",
        '[' => "≥",
        _ => return None,
    };
    let upper = match interval.chars().last()? {
        ')' => "<",
        ']' => "≤",
        _ => return None,
    };
    let (low, high) = interval[1..interval.len() - 1].split_once(',')?;
    let ends = [(lower, number(low.trim())?), (upper, number(high.trim())?)];
    is_name(name).then(|| Range::of(name, &ends)).flatten()
}

/// A short identifier such as `ε`, `L_U` or `eps'`.
fn is_name(text: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || "_'′~*".contains(c);
    text.chars().count() <= 10 && text.chars().all(inside) && text.starts_with(char::is_alphabetic)
}

/// A decimal, a quotient of two, or infinity.
fn number(text: &str) -> Option<f64> {
    let plain = |t: &str| {
        t.starts_with(|c: char| c.is_ascii_digit() || c == '-')
            .then(|| t.parse::<f64>().ok())
            .flatten()
    };
    let value = match text.split_once('/') {
        _ if text == "inf" || text == "∞" => Some(f64::INFINITY),
        Some((over, under)) => plain(over).zip(plain(under)).map(|(a, b)| a / b),
        None => plain(text),
    };
    value.filter(|v| !v.is_nan())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        pieces(text).iter().map(Range::words).collect()
    }

    #[test]
    fn what_is_unmistakable_is_read() {
        assert_eq!(
            read("ε in (0, 1], δ in (0, 1/3), all integers K, T, n ≥ 1, all L_U > 0"),
            [
                "ε in (0, 1]",
                "δ in (0, 0.3333333333333333)",
                "n in [1, ∞)",
                "L_U in (0, ∞)"
            ]
        );
        assert_eq!(
            read("0 < eps <= 1, 0 ≤ q < 1/2"),
            ["eps in (0, 1]", "q in [0, 0.5)"]
        );
        assert_eq!(
            read("d = gamma = L_0 = 1, n = 200"),
            ["d = 1", "gamma = 1", "L_0 = 1", "n = 200"]
        );
    }

    #[test]
    fn what_is_not_understood_is_left_out() {
        for text in [
            "0 < delta < 1/n",
            "count(γ_m) ≥ s for (U1')",
            "ε ≤ log(1/δ)",
            "x in R",
            "log(1/delta) = 1/10000",
            "pair W1 with d = n = 1",
            "f convex and M-smooth, any Γ",
            "C <= 0 < x",
            "",
        ] {
            assert_eq!(read(text), Vec::<String>::new(), "{text}");
        }
    }
}
