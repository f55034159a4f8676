//! Line charts as SVG, both axes logarithmic where the numbers are positive; small multiples where there are many curves.

use super::page::escape;

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What is shown.
    pub title: String,
    /// What runs to the right.
    pub x: String,
    /// What runs upwards.
    pub y: String,
    /// The curves.
    pub series: Vec<Series>,
}

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Whether it is printed in a paper: drawn dashed, with hollow marks.
    pub published: bool,
    /// Points with whiskers: (x, least, mean, largest), ascending in x.
    pub points: Vec<(f64, f64, f64, f64)>,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;
const LEGEND: f64 = 16.0;
/// Most curves in one frame: as many as there are colours.
const TOGETHER: usize = COLOURS.len();
/// Width of a character at most, of text of 12 units.
const CHARACTER: f64 = 7.0;

/// An axis: values to SVG units.
struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
    from: f64,
    to: f64,
}

impl Axis {
    /// Of the finite values given; a single value gets room on both sides.
    fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|v| v.is_finite()) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        // Logarithmic where it says more: positive values over more than a factor of 5.
        let logarithmic = low > 0.0 && high > 5.0 * low;
        if low == high {
            let room = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
            (low, high) = (low - room, high + room);
        }
        Self {
            low,
            high,
            logarithmic,
            from,
            to,
        }
    }

    fn at(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        let part = if self.logarithmic {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + part * (self.to - self.from)
    }

    /// The numbers written at the axis.
    fn ticks(&self) -> Vec<f64> {
        if !self.logarithmic {
            return (0..5)
                .map(|i| self.low + (self.high - self.low) * f64::from(i) / 4.0)
                .collect();
        }
        let decades = self.low.log10().ceil() as i32..=self.high.log10().floor() as i32;
        let stride = (decades.clone().count() / 6 + 1).max(1);
        let inner = decades.step_by(stride).map(|d| 10f64.powi(d));
        let mut ticks: Vec<f64> = inner.collect();
        if ticks.len() < 2 {
            ticks = vec![self.low, (self.low * self.high).sqrt(), self.high];
        }
        ticks
    }
}

/// The chart as an SVG element that stands alone.
///
/// ```
/// use dp_assay::report::lines::{Chart, Series, svg};
///
/// let series = Series {
///     name: "measured".to_owned(),
///     published: false,
///     points: vec![(1.0, 0.4, 0.5, 0.6), (10.0, 0.1, 0.2, 0.3)], // x; least, mean and largest y
/// };
/// let (title, x, y) = ("Error".to_owned(), "ε".to_owned(), "relative error".to_owned());
/// let picture = svg(&Chart { title, x, y, series: vec![series] });
/// assert!(picture.starts_with("<svg") && picture.ends_with("</svg>"));
/// ```
#[must_use]
pub fn svg(chart: &Chart) -> String {
    let points = || chart.series.iter().flat_map(|s| &s.points);
    let x = Axis::new(points().map(|p| p.0), LEFT, WIDTH - RIGHT);
    let y = Axis::new(points().flat_map(|p| [p.1, p.2, p.3]), HEIGHT - BOTTOM, TOP);
    // Equal shares of the curves, in frames with the same axes.
    let frames = chart.series.len().div_ceil(TOGETHER).max(1);
    let share = chart.series.len().div_ceil(frames).max(1);
    let mut inside = String::new();
    let mut top = 0.0;
    for group in 0..frames {
        let series: Vec<&Series> = chart
            .series
            .iter()
            .skip(group * share)
            .take(share)
            .collect();
        inside += &format!("<g transform=\"translate(0 {top})\">");
        frame(&mut inside, chart, &x, &y);
        let mut row = HEIGHT;
        for (number, series) in series.into_iter().enumerate() {
            curve(&mut inside, series, number, &x, &y);
            row += legend(&mut inside, series, number, row);
        }
        inside += "</g>";
        top += row;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {top}\" role=\"img\" \
         aria-label=\"{}\" font-family=\"system-ui, sans-serif\" font-size=\"12\">{inside}</svg>",
        escape(&chart.title)
    )
}

/// The name of a curve, in as many lines as it needs; its height.
fn legend(out: &mut String, series: &Series, number: usize, row: f64) -> f64 {
    let colour = COLOURS[number];
    mark(out, number, (LEFT, row), colour, series.published);
    let kind = if series.published { " (published)" } else { "" };
    let most = ((WIDTH - RIGHT - LEFT - 12.0) / CHARACTER) as usize;
    let mut lines = vec![String::new()];
    for word in format!("{}{kind}", series.name).split(' ') {
        let line = lines.last_mut().expect("one at least");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > most {
            lines.push(word.to_owned());
        } else {
            *line += if line.is_empty() { "" } else { " " };
            *line += word;
        }
    }
    for (i, line) in lines.iter().enumerate() {
        *out += &format!(
            "<text x=\"{}\" y=\"{}\" fill=\"currentColor\"{}>{}</text>",
            LEFT + 12.0,
            row + 4.0 + LEGEND * i as f64,
            fitted(line, WIDTH - RIGHT - LEFT - 12.0),
            escape(line)
        );
    }
    LEGEND * lines.len() as f64
}

/// What makes text narrower that would be wider than this.
pub(super) fn fitted(text: &str, width: f64) -> String {
    match text.chars().count() as f64 * CHARACTER > width {
        true => format!(" textLength=\"{width:.0}\" lengthAdjust=\"spacingAndGlyphs\""),
        false => String::new(),
    }
}

fn frame(out: &mut String, chart: &Chart, x: &Axis, y: &Axis) {
    let base = HEIGHT - BOTTOM;
    let mut line = |text: String| out.push_str(&text);
    line(format!(
        "<path d=\"M{LEFT} {TOP}V{base}H{}\" fill=\"none\" stroke=\"currentColor\"/>",
        WIDTH - RIGHT
    ));
    for tick in x.ticks() {
        let at = x.at(tick);
        // A number at the right end stands to the left of its place, where there is room.
        let anchor = if at > WIDTH - RIGHT - 20.0 {
            "end"
        } else {
            "middle"
        };
        let at = if anchor == "end" { WIDTH - 2.0 } else { at };
        line(format!(
            "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"{anchor}\" fill=\"currentColor\">{}</text>",
            base + 16.0,
            number(tick)
        ));
    }
    for tick in y.ticks() {
        line(format!(
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"currentColor\">{}</text>",
            LEFT - 6.0,
            y.at(tick) + 4.0,
            number(tick)
        ));
    }
    line(format!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"currentColor\"{}>{}</text>",
        (LEFT + WIDTH) / 2.0,
        base + 34.0,
        fitted(&chart.x, WIDTH - LEFT),
        escape(&chart.x)
    ));
    line(format!(
        "<text transform=\"translate(12 {}) rotate(-90)\" text-anchor=\"middle\" \
         fill=\"currentColor\"{}>{}</text>",
        (TOP + base) / 2.0,
        fitted(&chart.y, base - TOP),
        escape(&chart.y)
    ));
}

/// Eight colours that colour-blind readers can tell apart (Okabe and Ito), as strokes.
const COLOURS: [&str; 8] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#b3a100",
];

fn curve(out: &mut String, series: &Series, number: usize, x: &Axis, y: &Axis) {
    let colour = COLOURS[number];
    let dashes = if series.published {
        " stroke-dasharray=\"5 4\""
    } else {
        ""
    };
    let mut path = String::new();
    let finite = series.points.iter().filter(|p| p.2.is_finite());
    for (i, point) in finite.enumerate() {
        let (px, py) = (x.at(point.0), y.at(point.2));
        let command = if i == 0 { 'M' } else { 'L' };
        path += &format!("{command}{px:.1} {py:.1}");
        if point.1 < point.3 {
            *out += &format!(
                "<path d=\"M{px:.1} {:.1}V{:.1}\" stroke=\"{colour}\" opacity=\"0.5\"/>",
                y.at(point.1),
                y.at(point.3)
            );
        }
        mark(out, number, (px, py), colour, series.published);
    }
    *out += &format!("<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\"{dashes}/>");
}

/// A mark whose shape, not only colour, tells the curve.
fn mark(out: &mut String, number: usize, (x, y): (f64, f64), colour: &str, hollow: bool) {
    let fill = if hollow { "none" } else { colour };
    let shape = match number % 4 {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\""),
        1 => format!("<path d=\"M{:.1} {:.1}h7v7h-7z\"", x - 3.5, y - 3.5),
        2 => format!("<path d=\"M{:.1} {:.1}l4 7h-8z\"", x, y - 4.0),
        _ => format!(
            "<path d=\"M{:.1} {:.1}l4.5 4.5l-4.5 4.5l-4.5 -4.5z\"",
            x,
            y - 4.5
        ),
    };
    *out += &format!("{shape} fill=\"{fill}\" stroke=\"{colour}\"/>");
}

/// A number in few characters.
pub(super) fn number(value: f64) -> String {
    let short = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    match value.abs() {
        _ if value == f64::INFINITY => "∞".to_owned(),
        _ if value == f64::NEG_INFINITY => "−∞".to_owned(),
        size if size == 0.0 || (1e-2..1e4).contains(&size) => short(&format!("{value:.3}")),
        _ => {
            let text = format!("{value:.2e}");
            let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
            format!("{}e{power}", short(digits))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::outside;
    use std::collections::BTreeSet;

    #[test]
    fn charts_stay_inside_their_frame_whatever_the_numbers() {
        for values in [
            vec![],
            vec![0.0],
            vec![-1.0, 3.0],
            vec![1e-9, 1e9],
            vec![f64::INFINITY, 1.0],
        ] {
            let axis = Axis::new(values.iter().copied(), 10.0, 20.0);
            for value in values.iter().chain(&axis.ticks()) {
                assert!((10.0..=20.0).contains(&axis.at(*value)), "{value}");
            }
        }
    }

    #[test]
    fn numbers_are_short_and_infinite_ones_have_a_sign() {
        for (value, text) in [
            (f64::INFINITY, "∞"),
            (f64::NEG_INFINITY, "−∞"),
            (0.0, "0"),
            (-0.25, "-0.25"),
            (100.0, "100"),
            (0.009, "9e-3"),
            (-12_345.0, "-1.23e4"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn text_is_made_narrower_only_where_it_is_too_wide() {
        assert_eq!(fitted("abc", 3.0 * CHARACTER), "");
        assert!(fitted("abcd", 3.0 * CHARACTER).contains("textLength=\"21\""));
    }

    #[test]
    fn more_than_eight_curves_are_shared_among_frames_and_long_names_among_lines() {
        let series = |i: usize| Series {
            name: format!("curve {i} {}", "of a long name ".repeat(12).trim_end()),
            published: false,
            points: vec![(1.0, 1.0, 1.0, 1.0), (2.0, 1.0, i as f64, 30.0)],
        };
        let chart = |count| Chart {
            title: "many".to_owned(),
            x: "x".to_owned(),
            y: "what runs upwards ".repeat(9),
            series: (0..count).map(series).collect(),
        };
        for (count, frames) in [(1, 1), (8, 1), (9, 2), (16, 2), (17, 3)] {
            let drawn = svg(&chart(count));
            assert_eq!(drawn.matches("<g ").count(), frames, "{count}");
            for group in drawn.split("<g ").skip(1) {
                let colours = COLOURS.iter().filter(|c| group.contains(*c)).count();
                assert_eq!(
                    group.matches("fill=\"none\" stroke=\"#").count(),
                    colours,
                    "a colour for each curve"
                );
            }
            assert_eq!(drawn.matches(">curve ").count(), count);
            let texts = drawn
                .split('>')
                .filter_map(|t| Some(t.split_once("</text")?.0));
            let (axis, texts): (Vec<&str>, Vec<&str>) = texts.partition(|t| t.starts_with("what "));
            let longest = texts.iter().map(|t| t.chars().count()).max();
            assert!(longest.is_some_and(|n| n <= 67), "{drawn}");
            // All of a name, in words as whole as they were.
            let names = texts.join(" ").matches("of a long name").count();
            assert_eq!(names, 12 * count, "{drawn}");
            assert!(
                drawn.contains("textLength") && axis.len() == frames,
                "the name of the axis fits"
            );
            assert_eq!(outside(&drawn), [""; 0]);
            let tops: BTreeSet<&str> = drawn
                .split("translate(0 ")
                .skip(1)
                .flat_map(|t| t.split(')').next())
                .collect();
            assert_eq!(tops.len(), frames, "one below the other");
        }
    }

    /// Numbers stand at the axes where these have them, and the last one is not cut.
    #[test]
    fn the_axes_have_the_numbers_of_the_points() {
        let linear = Axis::new([2.0, 3.0].into_iter(), 100.0, 200.0);
        assert_eq!(linear.ticks(), [2.0, 2.25, 2.5, 2.75, 3.0]);
        assert_eq!(
            [2.0, 2.5, 3.0, 9.0].map(|v| linear.at(v)),
            [100.0, 150.0, 200.0, 200.0]
        );
        let decades = Axis::new([1.0, 100.0].into_iter(), 200.0, 100.0);
        assert_eq!(decades.ticks(), [1.0, 10.0, 100.0]);
        assert_eq!(
            [1.0, 10.0, 100.0].map(|v| decades.at(v)),
            [200.0, 150.0, 100.0]
        );
        let ticks = |low, high| Axis::new([low, high].into_iter(), 0.0, 1.0).ticks();
        assert_eq!(ticks(2.0, 32.0), [2.0, 8.0, 32.0]);
        assert_eq!(ticks(2.0, 200.0), [10.0, 100.0]);
        let drawn = svg(&Chart {
            title: "t".to_owned(),
            x: "x".to_owned(),
            y: "y".to_owned(),
            series: vec![Series {
                name: "s".to_owned(),
                published: false,
                points: vec![(1.0, 2.0, 2.0, 2.0), (1e4, 3.0, 3.0, 3.0)],
            }],
        });
        assert_eq!(outside(&drawn), [""; 0]);
        let texts = drawn.replace(" fill=\"currentColor\"", "");
        let below = HEIGHT - BOTTOM + 16.0;
        let middle = LEFT + 0.5 * (WIDTH - RIGHT - LEFT);
        for text in [
            format!("x=\"{LEFT:.1}\" y=\"{below}\" text-anchor=\"middle\">1<"),
            format!("x=\"{middle:.1}\" y=\"{below}\" text-anchor=\"middle\">100<"),
            format!("y=\"{below}\" text-anchor=\"end\">1e4<"),
            format!("y=\"{:.1}\" text-anchor=\"end\">3<", TOP + 4.0),
            format!("y=\"{:.1}\" text-anchor=\"end\">2<", HEIGHT - BOTTOM + 4.0),
        ] {
            assert!(texts.contains(&text), "{text}: {texts}");
        }
    }

    /// A name that fills its line stays on it.
    #[test]
    fn a_name_has_as_few_lines_as_it_needs() {
        let height = |letters: usize| {
            let series = Series {
                name: format!("{} b", "a".repeat(letters - 2)),
                published: false,
                points: Vec::new(),
            };
            legend(&mut String::new(), &series, 0, 0.0)
        };
        assert_eq!([67, 68].map(height), [LEGEND, 2.0 * LEGEND]);
    }

    /// Who sees no colours tells four curves by their marks.
    #[test]
    fn marks_differ_in_shape() {
        let shape = |number| {
            let mut out = String::new();
            mark(&mut out, number, (0.0, 0.0), "", false);
            out
        };
        let shapes: BTreeSet<String> = (0..4).map(shape).collect();
        assert_eq!(shapes.len(), 4, "{shapes:?}");
    }

    #[test]
    fn names_are_escaped_and_printed_curves_are_dashed() {
        let chart = Chart {
            title: "a < b".to_owned(),
            x: "x".to_owned(),
            y: "y".to_owned(),
            series: vec![Series {
                name: "<s>".to_owned(),
                published: true,
                points: vec![(1.0, 1.0, 1.0, 1.0), (2.0, 1.0, 2.0, 3.0)],
            }],
        };
        let drawn = svg(&chart);
        assert!(drawn.contains("a &lt; b") && drawn.contains("&lt;s&gt; (published)"));
        assert!(drawn.contains("stroke-dasharray") && !drawn.contains("<s>"));
    }
}
