//! The outcomes of experiments as one self-contained HTML page.

use super::lines::{Chart, Series, svg};
use super::page::escape;
use crate::experiment::{CHOOSING, Group, Outcome, PAIRED, Published};

/// The page: for each experiment its choices, charts with the printed values beside, and every
/// difference.
///
/// ```
/// use dp_assay::report::experiment::html;
///
/// assert!(html(&[]).to_lowercase().contains("<html")); // a page without experiments
/// ```
#[must_use]
pub fn html(outcomes: &[Outcome]) -> String {
    let body: String = outcomes.iter().map(section).collect();
    include_str!("experiment.html").replacen("{{body}}", &body, 1)
}

/// The charts of an outcome, named for their files: one for each problem and metric whose measurements lie at more than
/// one place of the axis.
///
/// ```no_run
/// use dp_assay::experiment::Outcome;
/// use dp_assay::report::experiment::charts;
/// use dp_assay::report::lines::svg;
///
/// fn save(outcome: &Outcome) -> std::io::Result<()> {
///     charts(outcome).iter().try_for_each(|(name, chart)| std::fs::write(format!("{name}.svg"), svg(chart)))
/// }
/// ```
#[must_use]
pub fn charts(outcome: &Outcome) -> Vec<(String, Chart)> {
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    let drawn = |metric: &str| metric != CHOOSING && !metric.starts_with(PAIRED);
    for group in outcome.groups.iter().filter(|g| drawn(&g.key.metric)) {
        let pair = (group.key.problem.as_str(), group.key.metric.as_str());
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    let chart = |(problem, metric): (&str, &str)| {
        let here = |g: &&Group| g.key.problem == problem && g.key.metric == metric;
        let groups: Vec<&Group> = outcome.groups.iter().filter(here).collect();
        let mut series = measured(&groups);
        if series.iter().all(|s| s.points.len() < 2) {
            return None;
        }
        let comparisons = outcome.comparisons.iter().map(|c| &c.published);
        let here = |p: &&Published| p.problem == problem && p.metric == metric;
        series.extend(printed(comparisons.filter(here)));
        let name = format!("{}-{problem}-{metric}", outcome.outline.name);
        let chart = Chart {
            title: format!("{problem}: {metric}"),
            x: outcome.outline.axis.to_owned(),
            y: metric.to_owned(),
            series,
        };
        Some((file_name(&name), chart))
    };
    let times = against_seconds(outcome);
    pairs.into_iter().filter_map(chart).chain(times).collect()
}

/// Where fits were timed: the mean relative error of each group against its mean time.
fn against_seconds(outcome: &Outcome) -> Vec<(String, Chart)> {
    let timed = outcome.groups.iter().filter(|g| g.key.metric == "seconds");
    let mut charts: Vec<(String, Chart)> = Vec::new();
    for time in timed {
        let key = |metric: &str| crate::experiment::Key {
            metric: metric.to_owned(),
            ..time.key.clone()
        };
        let wanted = key("relative error");
        let Some(error) = outcome.groups.iter().find(|g| g.key == wanted) else {
            continue;
        };
        let shifted = Group {
            key: crate::experiment::Key {
                x: time.mean,
                ..wanted
            },
            ..error.clone()
        };
        let problem = &time.key.problem;
        let name = file_name(&format!("{}-{problem}-time", outcome.outline.name));
        let series = measured(&[&shifted]);
        match charts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, chart)) => merge(&mut chart.series, series),
            None => charts.push((
                name,
                Chart {
                    title: format!("{problem}: relative error against seconds"),
                    x: "seconds".to_owned(),
                    y: "relative error".to_owned(),
                    series,
                },
            )),
        }
    }
    charts
}

/// Adds points to the curves of the same name.
fn merge(curves: &mut Vec<Series>, more: Vec<Series>) {
    for new in more {
        match curves.iter_mut().find(|known| known.name == new.name) {
            Some(known) => {
                known.points.extend(new.points);
                known.points.sort_by(|a, b| a.0.total_cmp(&b.0));
            }
            None => curves.push(new),
        }
    }
}

fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    name.chars().map(plain).collect()
}

/// One curve for each method and accounting.
fn measured(groups: &[&Group]) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for group in groups {
        let name = match group.key.accounting.as_str() {
            "" => group.key.method.clone(),
            accounting => format!("{}, {accounting}", group.key.method),
        };
        let point = (group.key.x, group.min, group.mean, group.max);
        match series.iter_mut().find(|s| s.name == name) {
            Some(known) => known.points.push(point),
            None => series.push(Series {
                name,
                published: false,
                points: vec![point],
            }),
        }
    }
    for known in &mut series {
        known.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    series
}

fn printed<'a>(published: impl Iterator<Item = &'a Published>) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for value in published {
        let point = (value.x, value.value, value.value, value.value);
        match series.iter_mut().find(|s| s.name == value.method) {
            // A value is compared with every accounting; it is drawn once.
            Some(known) if known.points.contains(&point) => {}
            Some(known) => known.points.push(point),
            None => series.push(Series {
                name: value.method.clone(),
                published: true,
                points: vec![point],
            }),
        }
    }
    series
}

fn section(outcome: &Outcome) -> String {
    [
        header(outcome),
        remarks(outcome),
        stored(outcome),
        charts(outcome)
            .iter()
            .map(|(_, chart)| {
                format!(
                    "<figure><figcaption>{}</figcaption>{}</figure>",
                    escape(&chart.title),
                    svg(chart)
                )
            })
            .collect(),
        comparisons(outcome),
        groups(outcome),
        "</section>".to_owned(),
    ]
    .concat()
}

fn header(outcome: &Outcome) -> String {
    let mut out = format!(
        "<section id=\"{0}\"><h2>{1}</h2><p><code>{0}</code>, {2}. Effort {3}, seed {4}, version \
         {5}{8}. Claims: {6}.</p><p><b>Tuning.</b> {7}</p><h3>Data</h3><ul>",
        outcome.outline.name,
        escape(outcome.outline.title),
        escape(outcome.outline.place),
        escape(&format!("{:?}", outcome.effort).to_lowercase()),
        outcome.seed,
        outcome.version,
        escape(&outcome.outline.claims.join(", ")),
        escape(&outcome.tuning),
        when(outcome),
    );
    for input in &outcome.inputs {
        let mark = input.stand_in.as_ref().map_or_else(String::new, |why| {
            format!(" <strong>STAND-IN: {}</strong>", escape(why))
        });
        out += &format!(
            "<li><b>{}</b>: {}{mark}</li>",
            escape(&input.name),
            escape(&input.source)
        );
    }
    out.push_str("</ul><h3>What the paper leaves open</h3><ul>");
    for choice in &outcome.choices {
        out += &format!(
            "<li>{} {}.</li>",
            escape(&choice.question),
            escape(&choice.answer)
        );
    }
    out + "</ul>"
}

fn when(outcome: &Outcome) -> String {
    let part = |name: &str, value: &Option<String>| {
        let shown = value
            .as_ref()
            .map(|value| format!(", {name} {}", escape(value)));
        shown.unwrap_or_default()
    };
    part("date", &outcome.date) + &part("commit", &outcome.commit)
}

fn remarks(outcome: &Outcome) -> String {
    if outcome.remarks.is_empty() {
        return String::new();
    }
    let mut out = String::from("<h3>Statements</h3><ul>");
    for remark in &outcome.remarks {
        let seen = if remark.seen {
            "✓ seen"
        } else {
            "✗ not seen"
        };
        out += &format!(
            "<li><b>{seen}</b>: {} <small>{}</small></li>",
            escape(&remark.statement),
            escape(&remark.evidence)
        );
    }
    out + "</ul>"
}

fn stored(outcome: &Outcome) -> String {
    let page = |text: &String| {
        format!(
            "<details><summary>Stored campaign</summary><pre>{}</pre></details>",
            escape(text)
        )
    };
    outcome.stored.as_ref().map_or_else(String::new, page)
}

fn comparisons(outcome: &Outcome) -> String {
    if outcome.comparisons.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "<details><summary>{} printed values beside measured \
            ones</summary><table><thead><tr><th>problem<th>method<th>{}<th>metric<th>printed<th>accounting<th>measured \
            (least – largest)<th>difference</tr></thead><tbody>",
        outcome.comparisons.len(),
        escape(outcome.outline.axis)
    );
    for c in &outcome.comparisons {
        out += &format!(
            "<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{:.4e} ({:.3e} – {:.3e})<td>{:+.4e}</tr>",
            escape(&c.published.problem),
            escape(&c.published.method),
            c.published.x,
            escape(&c.published.metric),
            c.published.value,
            escape(&c.accounting),
            c.measured,
            c.range[0],
            c.range[1],
            c.difference,
        );
    }
    out + "</tbody></table></details>"
}

fn groups(outcome: &Outcome) -> String {
    let mut out = format!(
        "<details><summary>All {} \
         means</summary><table><thead><tr><th>problem<th>method<th>accounting<th>ε<th>certified ε \
         ≤<th>{}<th>metric<th>runs<th>mean<th>least<th>largest<th>setting</tr></thead><tbody>",
        outcome.groups.len(),
        escape(outcome.outline.axis)
    );
    for g in &outcome.groups {
        out += &format!(
            "<tr><td>{}<td>{}<td>{}<td>{}<td>{:.4}<td>{}<td>{}<td>{}<td>{:.4e}<td>{:.4e}<td>{:.4e}<td>{}</tr>",
            escape(&g.key.problem),
            escape(&g.key.method),
            escape(&g.key.accounting),
            g.key.epsilon,
            g.key.epsilon_upper,
            g.key.x,
            escape(&g.key.metric),
            g.runs,
            g.mean,
            g.min,
            g.max,
            escape(&g.key.setting),
        );
    }
    out + "</tbody></table></details>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Comparison, Effort, Key, Outline, Remark};
    use crate::report::samples::outside;

    const ERROR: &str = "relative error";

    fn group(method: &str, metric: &str, x: f64, mean: f64) -> Group {
        Group {
            key: Key {
                problem: "p".into(),
                method: method.into(),
                accounting: String::new(),
                epsilon: 1.0,
                epsilon_upper: 1.25,
                x,
                metric: metric.into(),
                setting: "plain".into(),
            },
            runs: 3,
            mean,
            min: 0.5 * mean,
            max: 2.0 * mean,
            median_low: mean,
            median_high: mean,
            coverage: 0.5,
        }
    }

    fn comparison(metric: &str, value: f64) -> Comparison {
        Comparison {
            published: Published {
                problem: "p".into(),
                method: "a".into(),
                x: 1.0,
                metric: metric.into(),
                value,
            },
            accounting: String::new(),
            measured: 0.25,
            range: [0.125, 0.5],
            difference: value - 0.25,
        }
    }

    fn outcome() -> Outcome {
        Outcome {
            schema: "",
            version: "0",
            date: Some("2026-01-31".into()),
            commit: None,
            outline: Outline {
                name: "demo",
                title: "A demonstration",
                place: "Sec. 1",
                claims: &[],
                axis: "ε",
            },
            effort: Effort::Toy,
            seed: 1,
            tuning: "none".into(),
            inputs: Vec::new(),
            choices: Vec::new(),
            comparisons: vec![comparison(ERROR, 0.3), comparison("accuracy", 0.9)],
            remarks: Vec::new(),
            stored: Some("slope < 1".into()),
            questions: Vec::new(),
            groups: vec![
                group("b", ERROR, 1.0, 0.75),
                group("a", ERROR, 1.0, 0.25),
                group("a", ERROR, 2.0, 0.125),
                group("a", "seconds", 2.0, 8.0),
                group("a", "seconds", 1.0, 4.0),
                group("a", CHOOSING, 1.0, 1.0),
                group("a", CHOOSING, 2.0, 1.0),
                group("a", &format!("{PAIRED}b"), 1.0, 1.0),
                group("a", &format!("{PAIRED}b"), 2.0, 1.0),
            ],
            rows: Vec::new(),
        }
    }

    /// A chart for each metric that was measured, with the printed values of that metric and no other; errors against time
    /// from the error and the time of one setting.
    #[test]
    fn charts_show_what_was_measured_and_printed() {
        let charts = charts(&outcome());
        let names: Vec<&str> = charts.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            ["demo-p-relative-error", "demo-p-seconds", "demo-p-time"]
        );
        let curves = |i: usize| -> Vec<_> {
            let series = charts[i].1.series.iter();
            series
                .map(|s| (s.name.as_str(), s.published, s.points.clone()))
                .collect()
        };
        let printed = vec![(1.0, 0.3, 0.3, 0.3)];
        let errors = vec![(1.0, 0.125, 0.25, 0.5), (2.0, 0.0625, 0.125, 0.25)];
        assert_eq!(
            curves(0),
            [
                ("b", false, vec![(1.0, 0.375, 0.75, 1.5)]),
                ("a", false, errors),
                ("a", true, printed)
            ]
        );
        assert_eq!(
            curves(1),
            [(
                "a",
                false,
                vec![(1.0, 2.0, 4.0, 8.0), (2.0, 4.0, 8.0, 16.0)]
            )]
        );
        let against = vec![(4.0, 0.125, 0.25, 0.5), (8.0, 0.0625, 0.125, 0.25)];
        assert_eq!(curves(2), [("a", false, against)]);
        for (name, chart) in &charts {
            assert_eq!(outside(&svg(chart)), [""; 0], "{name}");
        }
    }

    #[test]
    fn the_page_says_when_it_ran_and_shows_every_mean_and_printed_value() {
        let page = html(&[outcome()]);
        for part in [
            "Effort toy, seed 1, version 0, date 2026-01-31. Claims",
            "<summary>Stored campaign</summary><pre>slope &lt; 1</pre>",
            "All 9 means",
            "<tr><td>p<td>a<td><td>1<td>1.2500<td>2<td>seconds<td>3\
             <td>8.0000e0<td>4.0000e0<td>1.6000e1<td>plain</tr>",
            "2 printed values beside measured ones",
            "<td>accuracy<td>0.9<td><td>2.5000e-1 (1.250e-1 – 5.000e-1)<td>+6.5000e-1</tr>",
        ] {
            assert!(page.contains(part), "{part} is not in {page}");
        }
        let remark = |seen| Remark {
            statement: "a < b".into(),
            seen,
            evidence: "1 < 2".into(),
        };
        let other = html(&[Outcome {
            date: None,
            commit: Some("abc".into()),
            stored: None,
            remarks: vec![remark(true), remark(false)],
            ..outcome()
        }]);
        let told = "<h3>Statements</h3><ul><li><b>✓ seen</b>: a &lt; b <small>1 &lt; \
                    2</small></li><li><b>✗ not seen</b>";
        assert!(
            other.contains(told) && !page.contains("Statements"),
            "{other}"
        );
        assert!(other.contains("version 0, commit abc. Claims") && !other.contains("Stored"));
    }
}
