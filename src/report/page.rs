//! What every page is made of.

/// A part of a page: its anchor, its heading and its content.
pub(super) struct Section {
    pub id: &'static str,
    pub title: String,
    pub body: String,
}

/// Text with the characters that HTML treats specially written out.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

pub(super) fn page(title: &str, intro: &str, sections: impl Iterator<Item = Section>) -> String {
    let (mut links, mut body) = (String::new(), String::new());
    for Section {
        id,
        title,
        body: content,
    } in sections
    {
        let title = escape(&title);
        let short = title.split([',', '(']).next().unwrap_or_default().trim();
        links += &format!("<a href=\"#{id}\">{short}</a>");
        body += &format!("<section id=\"{id}\"><h2>{title}</h2>{content}</section>");
    }
    let title = escape(title);
    // Each of these is filled in once, and the largest last.
    include_str!("page/page.html")
        .replacen("{{title}}", &title, 2)
        .replacen("{{style}}", include_str!("page/style.css"), 1)
        .replacen("{{script}}", include_str!("page/script.js"), 1)
        .replacen("{{links}}", &links, 1)
        .replacen("{{intro}}", intro, 1)
        .replacen("{{body}}", &body, 1)
}

/// A shape beside the word, so that no reader depends on colour.
pub(super) fn symbol(verdict: &str) -> &'static str {
    match verdict {
        "proved" => "✓ ",
        "argued" => "✎ ",
        "cited" => "❝ ",
        "supported" => "≈ ",
        "refuted" => "✗ ",
        "empty" => "∅ ",
        "well-posed" => "∃ ",
        _ => "? ",
    }
}
