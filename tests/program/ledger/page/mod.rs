//! The report in a browser: every picture is there, the filters filter, a refuted theorem is three
//! clicks away, nothing is logged as an error, and it looks like a page.
//!
//! Needs Chromium. Without it the tests print that they were skipped; the gate installs it.

mod browser;
mod failing;
mod picture;
mod reader;

use super::LEDGER;
use browser::Browser;
use dp_assay::audit::{Counterexample, Counts, Release};
use dp_assay::report::{Data, Profile, ProfilePoint, Report, SCHEMA, Squeeze, audits_html, html};
use dp_assay::units::Neighbouring;
use dp_assay_spec::claim::Paper;
use dp_assay_spec::prove::{Found, Seen};
use picture::Picture;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// A report with the real ledger and made-up measurements, and its page.
static REPORT: LazyLock<Report> = LazyLock::new(report);
static PAGE: LazyLock<String> = LazyLock::new(|| html(&REPORT));

/// Clicks and types as a reader would, and writes what it finds into `data-` attributes of the body.
const SELF_TEST: &str = include_str!("self_test.js");

/// An event in full.
const RULE: &str = r#"{
    "layout": { "has_length": false, "entries": 1, "extras": { "bits": false }, "units": [0.0] },
    "event": { "below": { "column": 0, "threshold": 1.0 } }
}"#;

fn squeeze(mechanism: &str, verdict: &str, lower: f64) -> Squeeze {
    let counts = Counts {
        hits0: 900,
        hits1: 100,
        samples: 1000,
    };
    let counterexample = Counterexample {
        input0: "[0]".into(),
        input1: "[1]".into(),
        event: "x < 1 & x > 0".into(),
        rule: serde_json::from_str(RULE).expect("an event as results have it"),
        counts,
        epsilon_lower: lower,
        shrinks: 0,
    };
    Squeeze {
        mechanism: mechanism.into(),
        claimed: 1.0,
        delta: 0.0,
        neighbours: Neighbouring::ReplaceOne,
        release: Release::Transcript,
        verdict: verdict.into(),
        lower,
        confidence: 1.0 - 1e-6,
        upper: (verdict != "VIOLATION").then_some(1.0),
        claim: Some("gcd-mech-rnm-repaired"),
        detectable: Some(1.1),
        power: 0.9,
        event_mass: Some(0.1),
        samples: 100_000,
        event: "x < 1".into(),
        counterexample: (verdict == "VIOLATION").then_some(counterexample),
        seed: 1,
    }
}

fn report() -> Report {
    let point = |power: i32| ProfilePoint {
        delta: 10_f64.powi(power),
        epsilon_upper: 0.2 - 0.1 * f64::from(power),
    };
    Report {
        schema: SCHEMA,
        effort: "quick",
        seed: 1,
        data: Data {
            name: "made up".into(),
            source: "this test".into(),
            records: 100,
            features: 3,
        },
        neighbours: Neighbouring::ReplaceOne,
        release: "transcript",
        claims: LEDGER.claims.clone(),
        findings: LEDGER.findings.clone(),
        comparisons: Vec::new(),
        fits: Vec::new(),
        profiles: vec![Profile {
            mechanism: "a <mechanism>".into(),
            claimed: 1.0,
            delta: 1e-5,
            epsilon_at_claim: 0.7,
            neighbours: Neighbouring::ReplaceOne,
            theorem: "made up".into(),
            claim: "gcd-mech-rnm-repaired",
            points: (-12..=-1).rev().map(point).collect(),
        }],
        audits: vec![
            squeeze("sound", "PASS-WITH-POWER", 0.9),
            squeeze("dull", "INCONCLUSIVE", 0.1),
        ],
        seeded_bugs: vec![squeeze("half the noise", "VIOLATION", 1.8)],
        skipped: vec!["nothing".into()],
        failures: Vec::new(),
    }
}

/// Keeps what the page's own script logs as an error.
const LISTENER: &str = "<script>window.pageErrors = [];
addEventListener(\"error\", event => pageErrors.push(event.message));
console.error = console.warn = (...words) => pageErrors.push(words.join(\" \"));</script>";

/// The page with the listener at its start and the self-test at its end.
fn tested(page: &str) -> String {
    page.replacen("<style>", &format!("{LISTENER}<style>"), 1)
        .replacen(
            "</body>",
            &format!("<script>{SELF_TEST}</script></body>"),
            1,
        )
}

/// What the self-test wrote under a name.
fn found<'a>(dom: &'a str, name: &str) -> &'a str {
    let start = format!("data-{name}=\"");
    let at = dom
        .find(&start)
        .unwrap_or_else(|| panic!("the self-test wrote no {name}"))
        + start.len();
    dom[at..].split('"').next().unwrap_or_default()
}

#[test]
fn the_page_is_self_contained_and_below_three_megabytes() {
    let page = &*PAGE;
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    for outside in ["src=\"http", "href=\"http", "url(http", "@import", "fetch("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(!page.contains("{{"), "a gap of the template is left open");
    assert!(!page.contains("<mechanism>"), "text is escaped");
}

#[test]
fn every_picture_has_words_and_every_heading_an_anchor() {
    let page = &*PAGE;
    let pictures = page.matches("<svg ").count();
    let described = page.matches("role=\"img\" aria-label=\"").count();
    let decoration = page.matches("aria-hidden=\"true\"").count();
    assert_eq!(pictures, described + decoration);
    assert!(!page.contains("aria-label=\"\""));
    for id in [
        "papers", "findings", "run", "audits", "bugs", "profiles", "slack", "ledger", "left-out",
    ] {
        assert!(page.contains(&format!("<section id=\"{id}\">")), "{id}");
        assert!(page.contains(&format!("<a href=\"#{id}\">")), "{id}");
    }
}

/// A picture says what the verdict says: whatever a proof rests on holds, and what refutes a statement fails.
#[test]
fn pictures_are_computed_and_agree_with_the_verdicts() {
    let (mut holding, mut failing, mut samples) = (0, 0, 0);
    let mut planes = BTreeSet::new();
    for row in &REPORT.claims {
        for picture in &row.pictures {
            match &picture.seen {
                Seen::Proved {
                    leaves,
                    patches,
                    samples: taken,
                } => {
                    holding += 1;
                    assert!(*leaves > 0 && (picture.axes.len() > 2 || !patches.is_empty()));
                    let all = { taken.lines.iter().flatten().map(|s| s.found) }
                        .chain(taken.plane.iter().map(|s| s.found));
                    assert!(all.into_iter().all(|f| f != Found::Fails), "{}", row.id);
                }
                Seen::Refuted { at, samples: taken } => {
                    failing += 1;
                    let lines: usize = taken.lines.iter().map(Vec::len).sum();
                    samples += lines + taken.plane.len();
                    planes.extend((!taken.plane.is_empty()).then_some(row.paper));
                    assert!(!row.holds(), "{} has a picture of failure", row.id);
                    assert_eq!(at.len(), picture.axes.len());
                    assert!(at.iter().all(|x| (0.0..=1.0).contains(x)), "{}", row.id);
                }
            }
        }
    }
    println!("{holding} proved, {failing} refuted inequalities, {samples} samples");
    let page = &*PAGE;
    println!(
        "{} bytes, {} pictures",
        page.len(),
        page.matches("<figure class=\"domain\"").count()
    );
    assert!(holding > 100 && failing > 10);
    // What can be drawn in a plane is.
    for paper in [Paper::Skgd, Paper::Decor, Paper::Kl, Paper::Ambssgd] {
        assert!(planes.contains(&paper), "{paper} has no plane");
    }
}

#[test]
fn in_a_browser_the_filters_filter_and_nothing_is_logged_as_an_error() {
    let Some(browser) = Browser::find() else {
        return;
    };
    let (dom, log) = browser.dom(&tested(&PAGE));
    assert_eq!(found(&dom, "failures"), "");
    assert_eq!(
        found(&dom, "done"),
        "yes",
        "the self-test did not reach its end"
    );
    assert!(!log.contains("CONSOLE"), "{log}");
}

/// Runs right behind the page's own script: milliseconds since the navigation began until the filters can be used,
/// and until one has been, laid out again.
const CLOCK: &str = "{
  const say = (name, value) => document.body.setAttribute(`data-${name}`, value);
  say(\"usable\", performance.now());
  document.getElementById(\"verdict\").value = \"refuted\";
  filter();
  document.body.getBoundingClientRect();
  say(\"filtered\", performance.now());
}";

/// How long it takes is printed, not asserted; figures are in the documentation of `report`.
#[test]
fn the_filters_can_be_used_as_soon_as_the_page_is_read() {
    let Some(browser) = Browser::find_if_asked() else {
        return;
    };
    let page = PAGE.replacen("</body>", &format!("<script>{CLOCK}</script></body>"), 1);
    for _ in 0..5 {
        let dom = browser.dom_as_it_comes(&page);
        let [usable, filtered] = ["usable", "filtered"].map(|name| {
            let time = found(&dom, name).parse::<f64>();
            time.expect("a number of milliseconds")
        });
        println!("usable after {usable:.0} ms, filtered after {filtered:.0} ms");
        assert!(0.0 < usable && usable < filtered);
    }
}

#[test]
fn the_self_test_notices_a_broken_page() {
    let Some(browser) = Browser::find_if_asked() else {
        return;
    };
    for (what, page) in [
        ("no filter", PAGE.replacen("claim.hidden = !keep;", "", 1)),
        ("no reveal", PAGE.replacen("target.open = true;", "", 1)),
        (
            "an error",
            PAGE.replacen(
                "\"use strict\";",
                "\"use strict\"; console.error(\"x\");",
                1,
            ),
        ),
        (
            "a flat picture",
            PAGE.replacen("viewBox=\"0 0 480 ", "height=\"0\" data-x=\"", 1),
        ),
    ] {
        let (dom, _) = browser.dom(&tested(&page));
        assert_ne!(found(&dom, "failures"), "", "{what}");
    }
}

#[test]
fn the_page_of_audits_alone_works_too() {
    let audits = [squeeze("half the noise", "VIOLATION", 1.8)];
    let page = audits_html("an audit", &audits);
    assert!(page.contains("1 of 1 claims are false"));
    assert!(page.contains("900 times of 1000 on [0], and 100 times of 1000 on [1]"));
    let Some(browser) = Browser::find() else {
        return;
    };
    let (dom, log) = browser.dom(&tested(&page));
    assert_eq!(found(&dom, "failures"), "");
    assert!(!log.contains("CONSOLE"), "{log}");
}

#[test]
fn the_page_looks_as_it_did_when_somebody_last_looked_at_it() {
    let Some(browser) = Browser::find_if_asked() else {
        return;
    };
    let look = |page: &str, size| Picture::read(&browser.screenshot(page, size));
    for (name, size) in [("wide", (1000, 1400)), ("phone", (500, 1400))] {
        let seen = look(&PAGE, size);
        if std::env::var_os("UPDATE_PICTURES").is_some() {
            seen.save(name);
        }
        let distance = seen.distance(&Picture::load(name));
        // The tolerance is not a guess: pages that are really broken must be at least twice as far.
        let plain = look(&PAGE.replacen("body { font:", "bodyless { font:", 1), size);
        let empty = look(&PAGE.replacen("<main", "<main hidden", 1), size);
        let broken = plain.distance(&seen).min(empty.distance(&seen));
        println!("{name}: {distance:.2} from the stored picture, {broken:.2} when broken");
        assert!(
            distance < 0.5 * broken,
            "{name}: {distance:.2}, broken {broken:.2}"
        );
    }
}
