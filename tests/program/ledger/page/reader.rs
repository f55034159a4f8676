//! What a reader does with the page, in a browser: sees what fails without a click, its counterexample after two, finds
//! symbols by any name, and prints it.

use super::browser::Browser;
use super::{LISTENER, PAGE, found};

/// Looks and clicks, and writes what it finds into `data-` attributes of the body.
const READER: &str = include_str!("reader.js");

fn read(page: &str) -> String {
    page.replacen("<style>", &format!("{LISTENER}<style>"), 1)
        .replacen("</body>", &format!("<script>{READER}</script></body>"), 1)
}

#[test]
fn what_fails_is_seen_without_a_click_and_why_after_two() {
    let Some(browser) = Browser::find_if_asked() else {
        return;
    };
    let (dom, log) = browser.dom(&read(&PAGE));
    assert_eq!(found(&dom, "failures"), "");
    assert_eq!(found(&dom, "done"), "yes", "{log}");
    let [clicks, formulas] = ["clicks", "formulas"].map(|name| found(&dom, name));
    println!("at most {clicks} clicks, {formulas} formulas");
    assert!(
        formulas.parse::<u32>().is_ok_and(|n| n > 1000),
        "{formulas}"
    );
}

/// The test above can fail: each of these pages lacks one thing that it looks for.
#[test]
fn the_reader_notices_what_is_missing() {
    let Some(browser) = Browser::find_if_asked() else {
        return;
    };
    for (what, page) in [
        ("effects", PAGE.replace("times", "much")),
        ("links back", PAGE.replace("href=\"#finding-", "href=\"#")),
        (
            "other spellings",
            PAGE.replacen(
                "return shaped.startsWith",
                "return [word]; return shaped.startsWith",
                1,
            ),
        ),
        ("definitions", PAGE.replace("dfn>", "i>")),
        (
            "counterexamples",
            PAGE.replace("<b>Fails at.</b>", "<b>At.</b>"),
        ),
        (
            "uncut labels",
            PAGE.replace("x=\"44\" y=\"9\"", "x=\"344\" y=\"9\"")
                .replace("viewBox=\"0 0 640 ", "viewBox=\"40 0 600 "),
        ),
    ] {
        assert_ne!(*PAGE, page, "{what}");
        let (dom, _) = browser.dom(&read(&page));
        assert_ne!(found(&dom, "failures"), "", "{what}");
    }
}

/// On paper the findings are there, and the ledger, which is what the page is for, is not.
#[test]
fn on_paper_it_has_thirty_pages_at_most() {
    let Some(browser) = Browser::find_if_asked() else {
        return;
    };
    let pdf = browser.pdf(&PAGE);
    let pages = count(&pdf, b"/Type /Page") - count(&pdf, b"/Type /Pages");
    println!("{pages} pages");
    assert!((5..=30).contains(&pages), "{pages} pages");
}

fn count(bytes: &[u8], part: &[u8]) -> usize {
    bytes.windows(part.len()).filter(|w| *w == part).count()
}
