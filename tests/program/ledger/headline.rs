//! The theorems that the papers are cited for, as a check ends with them.

use super::LEDGER;
use dp_assay::ledger::headline;
use dp_assay_spec::claim::Paper;

/// Lines of the theorems at most: with the ten that a check ends with they are half a page.
const LINES: usize = 20;

/// Every theorem that a paper is cited for, in few lines, none wider than asked for; of what does not hold how bad that is.
#[test]
fn the_theorems_of_all_papers_fill_twenty_lines_the_worst_first() {
    let all = headline::of(&LEDGER.claims, &LEDGER.findings);
    for width in [80, 120] {
        let text = headline::headline_text(&all, width);
        assert!(text.lines().count() <= LINES, "{text}");
        assert_eq!(text.lines().find(|line| line.chars().count() > width), None);
        let papers = text.lines().filter_map(|line| line.split(' ').next());
        let papers: Vec<&str> = papers.filter(|name| !name.is_empty()).collect();
        assert_eq!(papers, Paper::ALL.map(Paper::name));
        // A name may begin another: what follows is a comma, a semicolon, a bracket or the end.
        let told = |id: &str| {
            let ends = |rest: &str| rest.is_empty() || rest.starts_with([',', ';', ' ', '\n']);
            text.match_indices(&format!(" {id}"))
                .any(|(at, found)| ends(&text[at + found.len()..]))
        };
        // What fails stands before what does not.
        for paper in text.split("\n        ").collect::<String>().lines() {
            let at = |label: &str| paper.find(&format!("{label}: "));
            let holding = ["proved", "argued", "supported", "open"]
                .into_iter()
                .filter_map(at);
            let failing = ["critical", "major", "minor", "wording", "edge"]
                .into_iter()
                .filter_map(at);
            assert!(
                failing.max() < holding.min().or(Some(usize::MAX)),
                "{paper}"
            );
        }
        for h in &all {
            let id = h.id[h.paper.name().len() + 1..].to_owned();
            assert!(told(&id), "{id} is missing in\n{text}");
            assert!(text.contains(&h.brief), "{id}: {} in\n{text}", h.brief);
        }
    }
    // At n = 60,000 where that was computed.
    let text = headline::headline_text(&all, 200);
    let of = |id: &str| all.iter().find(|h| h.id == id).map(|h| h.brief.clone());
    assert_eq!(of("gcd-thm-4.2").as_deref(), Some("ε × 1.43"));
    assert!(
        text.contains("critical: thm-4.2 and prox-priv (ε × 1.43)"),
        "{text}"
    );
}
