//! Where the inequalities of a claim hold and where they fail, as its check found them: the boxes of
//! certificates, counterexamples, and samples around these.

use super::margin;
use crate::ledger::Row;
use crate::ledger::notation::unicode;
use crate::report::lines::{fitted, number};
use crate::report::page::escape;
use dp_assay_spec::prove::{Axis, Patch, Picture, Sample, Samples, Seen};
use std::collections::{BTreeMap, BTreeSet};

const WIDTH: f64 = 300.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = 22.0;
/// Height of a variable's row, and of a plane; names, which may be long, stand above.
const ROW: f64 = 44.0;
const PLANE: f64 = WIDTH - LEFT - RIGHT;
const TOP: f64 = 20.0;
/// Samples of a plane are so far apart: 25 on a side. The page's style has dashes at this distance.
const APART: f64 = PLANE / 25.0;
/// Pictures of one claim at most.
const MOST: usize = 4;

/// What the marks mean; stands once before all pictures.
pub const KEY: &str = "<p class=\"key\">In the pictures: a bar or a rectangle is a box of a \
                       certificate, on all of which the inequality is <b>proved</b> (dashed: a \
                       hypothesis fails there, so that nothing is stated). ✗ is the \
                       counterexample. In boxes and around counterexamples the inequality was \
                       evaluated at <b>samples</b>: ▪ fails, • holds, the stronger the colour the \
                       larger the margin, nothing where a hypothesis fails or doubles do not \
                       decide. Each sample is certain; nothing is said of what lies between \
                       samples. What fills its domain evenly is not drawn.</p>";

/// The pictures of a row, the statement's own first; empty where its check decided no inequality with variables.
#[must_use]
pub fn domain(row: &Row) -> String {
    let own = |stated: bool| row.pictures.iter().filter(move |p| p.stated == stated);
    let all = own(true).chain(own(false)).filter(|p| is_telling(p));
    let all: Vec<&Picture> = all.collect();
    let mut html: String = all.iter().take(MOST).map(|p| figure(p)).collect();
    if all.len() > MOST {
        html += &format!(
            "<p class=\"place\">and {} more inequalities, not drawn</p>",
            all.len() - MOST
        );
    }
    html
}

/// Whether there is something to see: samples that differ. Of what was proved in one box none were taken.
fn is_telling(picture: &Picture) -> bool {
    match &picture.seen {
        Seen::Proved { samples, .. } | Seen::Refuted { samples, .. } => {
            classes(samples).collect::<BTreeSet<_>>().len() > 1
        }
    }
}

/// The classes of all samples.
fn classes(samples: &Samples) -> impl Iterator<Item = Option<(bool, usize)>> {
    let along = samples.lines.iter().flatten().map(margin::class);
    along.chain(samples.plane.iter().map(margin::class))
}

/// Height of the scale of margins.
const SCALE: f64 = 34.0;

fn figure(picture: &Picture) -> String {
    let flat = picture.axes.len() == 2;
    let drawn = match flat {
        true => TOP + PLANE + 34.0,
        false => ROW * picture.axes.len() as f64,
    };
    let height = drawn + SCALE;
    let mut svg = format!(
        "<figure class=\"domain\"><svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"{}\">",
        escape(&told(picture))
    );
    if flat {
        plane(&mut svg, picture);
    } else {
        rows(&mut svg, picture);
    }
    svg += &margin::scale(LEFT, PLANE, drawn + SCALE - 20.0);
    let caption = caption(picture);
    svg + "</svg><figcaption>" + &escape(&caption) + "</figcaption></figure>"
}

fn caption(picture: &Picture) -> String {
    let what = match picture.stated {
        true => "Stated inequality",
        false => "Step of the argument",
    };
    let name = &picture.name;
    match &picture.seen {
        Seen::Proved {
            leaves, samples, ..
        } => format!("{what} {name}: proved, {leaves} boxes{}.", nearest(samples)),
        Seen::Refuted { samples, .. } => {
            let [fail, all] = counts(classes(samples));
            let how = match samples.lines.len() {
                0 | 1 => "",
                _ => ", along one variable at a time, the others as in the counterexample",
            };
            format!("{what} {name}: refuted; {fail} of {all} samples fail{how}.")
        }
    }
}

/// How near to failure a proved inequality comes at a sample.
fn nearest(samples: &Samples) -> String {
    let along = samples.lines.iter().flatten().filter_map(|s| s.margin);
    let margins = along.chain(samples.plane.iter().filter_map(|s| s.margin));
    margins
        .max_by(f64::total_cmp)
        .map_or_else(String::new, |margin| {
            let ratio = number(10_f64.powf(margin));
            format!("; left side ÷ right side is {ratio} at the nearest sample")
        })
}

/// How many samples fail, of how many.
fn counts(found: impl Iterator<Item = Option<(bool, usize)>>) -> [usize; 2] {
    found.fold([0, 0], |[fail, all], class| {
        [fail + usize::from(class.is_some_and(|c| c.0)), all + 1]
    })
}

/// The picture in words.
fn told(picture: &Picture) -> String {
    let range = |axis: &Axis| {
        let [first, .., last] = axis.ticks.as_slice() else {
            return unicode(axis.name);
        };
        let kind = if axis.integer { "integer " } else { "" };
        let (from, to) = (number(first.1), number(last.1));
        format!("{kind}{} from {from} to {to}", unicode(axis.name))
    };
    let ranges: Vec<String> = picture.axes.iter().map(range).collect();
    let what = caption(picture);
    format!("{} Drawn over {}.", what, ranges.join(", "))
}

/// One row for each variable.
fn rows(svg: &mut String, picture: &Picture) {
    for (i, axis) in picture.axes.iter().enumerate() {
        let y = TOP + ROW * i as f64;
        let x = |at: f64| LEFT + at * PLANE;
        let mut put = |text: String| svg.push_str(&text);
        put(format!(
            "<text x=\"{LEFT}\" y=\"{}\"{}>{}</text><path class=\"grid\" d=\"M{LEFT} \
             {y}h{PLANE}\"/>",
            y - 8.0,
            fitted(axis.name, WIDTH - LEFT),
            escape(&unicode(axis.name))
        ));
        match &picture.seen {
            Seen::Proved {
                patches, samples, ..
            } => {
                for Patch { ranges, outside } in patches {
                    put(bar(x(ranges[0][0]), x(ranges[0][1]), y, *outside));
                }
                put(marks(samples.lines.iter().flatten(), |at| (x(*at), y)));
            }
            Seen::Refuted { at, samples } => {
                let along = samples.lines.get(i).into_iter().flatten();
                put(marks(along, |at| (x(*at), y)));
                put(cross(x(at[i]), y));
                if i == 0 {
                    put(label(x(at[i]), y - 8.0, "counterexample"));
                }
            }
        }
        if matches!(picture.seen, Seen::Proved { .. }) {
            ends(svg, axis, y, x);
        }
        for (at, value, anchor) in labels(axis) {
            *svg += &format!(
                "<text class=\"tick\" x=\"{:.0}\" y=\"{}\" text-anchor=\"{anchor}\">{value}</text>",
                x(at),
                y + 17.0
            );
        }
    }
}

fn bar(from: f64, to: f64, y: f64, outside: bool) -> String {
    let class = if outside { "range outside" } else { "range" };
    // A gap of a pixel shows where one box ends and the next begins.
    let to = (to - 1.0).max(from + 1.0);
    format!("<path class=\"{class}\" d=\"M{from:.1} {y}H{to:.1}\"/>")
}

/// A disc at each finite end, filled if it belongs to the range.
fn ends(svg: &mut String, axis: &Axis, y: f64, x: impl Fn(f64) -> f64) {
    let outer = [axis.ticks.first(), axis.ticks.last()];
    for (tick, open) in outer.into_iter().zip(axis.open) {
        let Some((at, value)) = tick else { continue };
        if value.is_finite() {
            let class = if open { "end open" } else { "end" };
            *svg += &format!(
                "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{y}\" r=\"3.5\"/>",
                x(*at)
            );
        }
    }
}

/// Two variables: the first to the right, the second upwards.
fn plane(svg: &mut String, picture: &Picture) {
    let x = |at: f64| LEFT + at * PLANE;
    let y = |at: f64| TOP + (1.0 - at) * PLANE;
    match &picture.seen {
        Seen::Proved {
            patches, samples, ..
        } => {
            svg.push_str(&marks(samples.plane.iter(), |[a, b]| (x(*a), y(*b))));
            for Patch { ranges, outside } in patches {
                let ([left, right], [low, high]) = (ranges[0], ranges[1]);
                let class = if *outside { "patch outside" } else { "patch" };
                *svg += &format!(
                    "<path class=\"{class}\" d=\"M{:.1} {:.1}H{:.1}V{:.1}H{0:.1}z\"/>",
                    x(left),
                    y(low),
                    x(right),
                    y(high)
                );
                if (right - left) * PLANE > 60.0 && (high - low) * PLANE > 14.0 {
                    let words = if *outside { "not stated" } else { "proved" };
                    let middle = [0.5 * (left + right), 0.5 * (low + high)];
                    svg.push_str(&label(x(middle[0]), y(middle[1]) + 4.0, words));
                }
            }
        }
        Seen::Refuted { at, samples } => {
            svg.push_str(&marks(samples.plane.iter(), |[a, b]| (x(*a), y(*b))));
            svg.push_str(&cross(x(at[0]), y(at[1])));
            svg.push_str(&label(x(at[0]), y(at[1]) - 9.0, "counterexample"));
        }
    }
    *svg += &format!("<path class=\"grid\" d=\"M{LEFT} {TOP}h{PLANE}v{PLANE}h-{PLANE}z\"/>");
    scales(svg, &picture.axes);
}

/// Names and values at the sides of a plane.
fn scales(svg: &mut String, axes: &[Axis]) {
    let base = TOP + PLANE;
    for (at, value, anchor) in labels(&axes[0]) {
        *svg += &format!(
            "<text class=\"tick\" x=\"{:.0}\" y=\"{}\" text-anchor=\"{anchor}\">{value}</text>",
            LEFT + at * PLANE,
            base + 13.0
        );
    }
    for (at, value, _) in labels(&axes[1]) {
        *svg += &format!(
            "<text class=\"tick\" x=\"{}\" y=\"{:.0}\" text-anchor=\"end\">{value}</text>",
            LEFT - 5.0,
            (base - at * PLANE).clamp(TOP + 9.0, base)
        );
    }
    *svg += &format!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\"{}>{}</text><text x=\"{LEFT}\" \
         y=\"{}\"{}>{}</text>",
        LEFT + 0.5 * PLANE,
        base + 28.0,
        fitted(axes[0].name, WIDTH - 40.0),
        escape(&unicode(axes[0].name)),
        TOP - 8.0,
        fitted(axes[1].name, WIDTH - LEFT),
        escape(&unicode(axes[1].name))
    );
}

/// The ticks of an axis as text, the outer ones turned inwards; of equal ones the first.
fn labels(axis: &Axis) -> Vec<(f64, String, &'static str)> {
    let mut all: Vec<(f64, String, &'static str)> = Vec::new();
    for (at, value) in &axis.ticks {
        let anchor = match at {
            a if *a < 0.2 => "start",
            a if *a > 0.8 => "end",
            _ => "middle",
        };
        let text = number(*value);
        if all.iter().all(|(_, known, _)| *known != text) {
            all.push((*at, text, anchor));
        }
    }
    all
}

/// Marks that stand one above another at the distance at which dashes begin, so that one line shows them all.
#[derive(Default)]
struct Run {
    path: String,
    /// Where the line before ended, from which the next one is written as a step: that is shorter.
    end: [f64; 2],
    first: [f64; 2],
    marks: usize,
}

impl Run {
    /// Adds a mark to the line, or ends it and begins another one.
    fn add(&mut self, [x, y]: [f64; 2]) {
        let next = self.first[1] - self.marks as f64 * APART;
        let [at, _] = self.first.map(f64::round);
        if self.marks > 0 && x.round() == at && (y - next).abs() < 0.5 {
            self.marks += 1;
            return;
        }
        self.close();
        (self.first, self.marks) = ([x, y], 1);
    }

    /// Writes the line: a mark is where a dash begins, of which there is one at its end, too.
    fn close(&mut self) {
        if self.marks == 0 {
            return;
        }
        let [x, y] = self.first.map(f64::round);
        let (command, [dx, dy]) = match self.path.is_empty() {
            true => ('M', [x, y]),
            false => ('m', [x - self.end[0], y - self.end[1]]),
        };
        let length = ((self.marks - 1) as f64 * APART).ceil() + 1.0;
        let space = if dy < 0.0 { "" } else { " " };
        self.path += &format!("{command}{dx:.0}{space}{dy:.0}v-{length:.0}");
        self.end = [x, y - length];
        self.marks = 0;
    }
}

/// Samples: a path for each class, squares for what fails and dots for what holds.
fn marks<'a, P: 'a>(
    samples: impl Iterator<Item = &'a Sample<P>>,
    place: impl Fn(&P) -> (f64, f64),
) -> String {
    let mut runs: BTreeMap<(bool, usize), Run> = BTreeMap::new();
    for sample in samples {
        if let Some(class) = margin::class(sample) {
            runs.entry(class).or_default().add(place(&sample.at).into());
        }
    }
    let path = |(class, mut run): ((bool, usize), Run)| {
        run.close();
        let kind = if class.0 { "failed" } else { "held" };
        let (name, d) = (margin::name(class), run.path);
        format!("<path class=\"{kind} {name}\" d=\"{d}\"/>")
    };
    runs.into_iter().map(path).collect()
}

/// A word beside a mark, within the picture whatever its place.
fn label(x: f64, y: f64, words: &str) -> String {
    let room = 3.2 * words.chars().count() as f64;
    let x = x.clamp(room, WIDTH - room);
    let y = y.max(9.0);
    format!("<text class=\"label\" x=\"{x:.0}\" y=\"{y:.0}\" text-anchor=\"middle\">{words}</text>")
}

fn cross(x: f64, y: f64) -> String {
    format!(
        "<path class=\"halo\" d=\"M{x:.1} {y:.1}m-5 -5l10 10m0 -10l-10 10\"/><path class=\"fails\" \
         d=\"M{x:.1} {y:.1}m-5 -5l10 10m0 -10l-10 10\"/>"
    )
}

#[cfg(test)]
mod tests;
