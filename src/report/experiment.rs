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
