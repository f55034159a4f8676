//! Privacy profiles: ε against δ, with the point that was claimed.

use crate::report::Profile;
use crate::report::lines::{Chart, Series, svg};
use crate::report::page::escape;

/// One chart for all profiles that are claimed at the same point.
#[must_use]
pub fn profiles(profiles: &[Profile]) -> String {
    let mut groups: Vec<Vec<&Profile>> = Vec::new();
    for profile in profiles {
        let claim = |p: &Profile| (p.claimed, p.delta);
        match groups.iter_mut().find(|g| claim(g[0]) == claim(profile)) {
            Some(group) => group.push(profile),
            None => groups.push(vec![profile]),
        }
    }
    groups.iter().map(|group| figure(group)).collect()
}

fn figure(profiles: &[&Profile]) -> String {
    let (epsilon, delta) = (profiles[0].claimed, profiles[0].delta);
    let title = format!("Certified privacy profiles against the claim ({epsilon}, {delta:.2e})");
    let at = |(epsilon, delta): (f64, f64)| (epsilon, delta, delta, delta);
    let line = |p: &&Profile| Series {
        name: format!("{} (upper bound)", p.mechanism),
        published: false,
        points: p
            .points
            .iter()
            .rev()
            .map(|q| at((q.epsilon_upper, q.delta)))
            .collect(),
    };
    let mut series: Vec<Series> = profiles.iter().map(line).collect();
    series.push(Series {
        name: format!("the claim: ε = {epsilon}, δ = {delta:.2e}"),
        published: false,
        points: vec![at((epsilon, delta))],
    });
    let read = |p: &&Profile| {
        let upper = p.epsilon_at_claim;
        format!("{}: ε at most {upper:.3} at the claimed δ", p.mechanism)
    };
    let read: Vec<String> = profiles.iter().map(read).collect();
    let chart = Chart {
        title: format!("{title}. {}.", read.join("; ")),
        x: "ε".into(),
        y: "δ".into(),
        series,
    };
    format!(
        "<figure class=\"plot\"><figcaption>{}</figcaption>{}</figure>",
        escape(&title),
        svg(&chart)
    )
}
