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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{outside, report};

    /// Profiles with one claim share a chart, which says what each certifies there.
    #[test]
    fn profiles_are_drawn_against_their_own_claim() {
        let [profile] = &report().profiles[..] else {
            panic!("one")
        };
        let other = Profile {
            mechanism: "another".into(),
            epsilon_at_claim: 0.8,
            ..profile.clone()
        };
        let apart = Profile {
            claimed: 2.0,
            ..other.clone()
        };
        let drawn = profiles(&[profile.clone(), apart, other]);
        let charts: Vec<&str> = drawn.split("</figure>").filter(|c| !c.is_empty()).collect();
        let both = "a mechanism: ε at most 0.700 at the claimed δ; another: ε at most 0.800 at the \
                    claimed δ.";
        for (chart, said) in charts
            .iter()
            .zip([both, "(2, 1.00e-5). another: ε at most 0.800"])
        {
            assert!(chart.contains(said), "{said}: {chart}");
            assert_eq!(outside(chart), [""; 0]);
        }
        assert_eq!(charts.len(), 2);
    }
}
