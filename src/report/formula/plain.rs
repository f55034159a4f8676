//! Formulas that look the same as text: those without roots and scripts of scripts, and with no fractions but short ones, of
//! which nothing is a factor behind them. Most of the page's formulas are such, and as text they take a third of the bytes.

/// Of the elements that a formula is, between which lines may break, those that look like text as text with slanted letters.
pub(super) fn plain(math: &str) -> String {
    let parts: Vec<String> = math
        .split_inclusive("</math>")
        .map(|part| {
            let (before, math) = part.split_at(part.find("<math>").unwrap_or(0));
            before.to_owned() + &text(math).unwrap_or_else(|| math.to_owned())
        })
        .collect();
    // A line breaks at a space by itself.
    parts.concat().replace("<wbr> ", " ").trim_end().to_owned()
}

fn text(math: &str) -> Option<String> {
    let inside = math.strip_prefix("<math>")?.strip_suffix("</math>")?;
    Some(row(inside)?.replace("</i><i>", ""))
}

/// Text with fewer elements: what stands between slanted letters and looks the same slanted is slanted, too. The page has thousands of
/// such signs.
pub(super) fn joined(text: &str) -> String {
    let signs = [", ", ": ", "; ", " = ", "·", THIN];
    { signs.iter() }.fold(text.to_owned(), |text, sign| {
        text.replace(&format!("</i>{sign}<i>"), sign)
    })
}

/// A thin space, as MathML has around operators and we between factors.
const THIN: &str = "\u{2009}";

/// The name of the first element, what is in it, and what is behind it.
pub(in crate::report) fn element(html: &str) -> Option<(&str, &str, &str)> {
    let (tag, rest) = html.strip_prefix('<')?.split_once('>')?;
    if tag.ends_with('/') {
        return Some((tag, "", rest));
    }
    let name = tag.split(' ').next().unwrap_or(tag);
    let mut depth = 0_usize;
    for (at, _) in rest.match_indices('<') {
        let other = &rest[at + 1..];
        let closes = other.strip_prefix('/');
        let same = |text: &str| {
            text.strip_prefix(name)
                .is_some_and(|end| end.starts_with(['>', ' ']))
        };
        match closes {
            Some(end) if same(end) && depth == 0 => {
                return Some((tag, &rest[..at], &rest[at + name.len() + 3..]));
            }
            Some(end) if same(end) => depth -= 1,
            None if same(other) => depth += 1,
            _ => {}
        }
    }
    None
}

/// Elements side by side.
fn row(mut left: &str) -> Option<String> {
    let mut out = String::new();
    // Whether an operand ends here: behind it a plus is one, elsewhere a sign.
    let mut operand = false;
    while !left.is_empty() {
        let (tag, inside, rest) = element(left)?;
        let part = match tag.strip_prefix("mo") {
            Some(form) => operator(form, inside, operand)?,
            None if tag == "mfrac" && ends(rest) => fraction(inside)?,
            None => one(tag, inside)?,
        };
        operand = match tag {
            "mspace/" => operand,
            "mo" => [")", "]", "}", "⟩", "‖", "|", "⌉", "*", "′", "⋆", "…"].contains(&inside),
            _ => !tag.starts_with("mo "),
        };
        out += &part;
        left = rest;
    }
    Some(out)
}

/// Whether no factor follows: behind a slash it would seem to be one of the divisor.
pub(in crate::report) fn ends(rest: &str) -> bool {
    let factors = [
        '·', '×', '/', '(', '[', '{', '⟨', '|', '‖', '⌈', '√', '∑', '∂', '∇',
    ];
    let sign = rest.strip_prefix("<mo>");
    rest.is_empty() || sign.is_some_and(|sign| !sign.starts_with(factors))
}

/// How many characters may be in brackets above or below a slash: more are read better as a fraction.
const SHORT: usize = 12;

/// A product over a symbol or a number; what else is short is in brackets.
fn fraction(inside: &str) -> Option<String> {
    let (above, left) = first(inside)?;
    let (tag, _, rest) = element(left)?;
    let (below, _) = first(left)?;
    let symbol = ["mi", "mn", "msub", "msup", "msubsup"].contains(&tag) && rest.is_empty();
    let bracketed = |text: String, bare: bool| {
        let shown = signs(&text);
        match bare && is_product(&shown) {
            _ if shown.contains('/') => None,
            true => Some(text),
            false => (shown.chars().count() <= SHORT).then(|| format!("({text})")),
        }
    };
    let single = symbol || is_single(&signs(&below));
    let (above, below) = (bracketed(above, true)?, bracketed(below, single)?);
    Some(format!("{above}/{below}"))
}

/// Whether this is something between two bars, or a function of something.
fn is_single(shown: &str) -> bool {
    let between = |bar: char| {
        shown.matches(bar).count() == 2 && shown.starts_with(bar) && shown.ends_with(bar)
    };
    let of = |(name, rest): (&str, &str)| {
        let named = name.len() > 1 && name.chars().all(char::is_alphabetic);
        named && rest.ends_with(')') && !rest.contains('(')
    };
    between('‖') || between('|') || shown.split_once('(').is_some_and(of)
}

/// The text without its tags.
fn signs(html: &str) -> String {
    let parts = html.split('<');
    parts
        .map(|part| part.split_once('>').map_or(part, |(_, text)| text))
        .collect()
}

/// Whether there are no sums outside of brackets and bars: spaces are around their signs.
fn is_product(shown: &str) -> bool {
    let (mut depth, mut between) = (0, false);
    shown.chars().all(|c| {
        depth += i32::from("([{⟨".contains(c)) - i32::from(")]}⟩".contains(c));
        between ^= "‖|".contains(c);
        depth > 0 || between || c != ' '
    })
}

/// An element that is no operator.
fn one(tag: &str, inside: &str) -> Option<String> {
    Some(match tag {
        "mi" => letters(inside),
        "mn" => inside.to_owned(),
        "mrow" => row(inside)?,
        "mspace/" | "mspace width=\".17em\"/" => THIN.to_owned(),
        // A star stands above an index, not behind it; a prime stands before it.
        "msubsup" if inside.ends_with("*</mo>") => return None,
        "msubsup" if inside.ends_with("<mo>′</mo>") => {
            let (base, left) = first(inside)?;
            let (tag, inside, _) = element(left)?;
            base + "′" + &scripted("sub", tag, inside)?
        }
        "msub" | "msup" | "msubsup" => {
            let (base, left) = first(inside)?;
            let (mut out, mut left) = (base, left);
            for script in ["sub", "sup"]
                .iter()
                .filter(|name| tag[1..].contains(**name))
            {
                let (tag, inside, rest) = element(left)?;
                out += &scripted(script, tag, inside)?;
                left = rest;
            }
            out
        }
        _ => return None,
    })
}

/// The first element as text, and what is behind it.
fn first(html: &str) -> Option<(String, &str)> {
    let (tag, inside, rest) = element(html)?;
    let text = match tag.strip_prefix("mo") {
        Some(form) => operator(form, inside, false)?,
        None => one(tag, inside)?,
    };
    Some((text, rest))
}

/// A script without scripts of its own. A prime stands high itself.
fn scripted(name: &str, tag: &str, inside: &str) -> Option<String> {
    if (tag, inside) == ("mo", "′") {
        return Some(inside.to_owned());
    }
    let text = match tag.strip_prefix("mo") {
        Some(form) => operator(form, inside, false)?,
        None if tag == "mfrac" => fraction(inside)?,
        None => one(tag, inside)?,
    };
    let nested = text.contains("<su");
    (!nested).then(|| format!("<{name}>{}</{name}>", text.replace(' ', "")))
}

/// One letter is a variable and slanted if it is Latin or Greek, several are a name.
pub(super) fn letters(name: &str) -> String {
    let above = |c: &char| ('\u{300}'..='\u{36f}').contains(c);
    let letter = name.chars().filter(|c| !above(c)).count() == 1;
    let slanted =
        |c: char| c.is_ascii_alphabetic() || ('\u{370}'..='\u{3ff}').contains(&c) || c == 'ℓ';
    match name.chars().next() {
        Some(c) if letter && slanted(c) => format!("<i>{name}</i>"),
        _ => name.to_owned(),
    }
}

/// An operator with the space around it.
fn operator(form: &str, sign: &str, operand: bool) -> Option<String> {
    let infix = match form {
        "" => operand,
        " form=\"infix\"" => true,
        " form=\"prefix\"" => false,
        _ => return None,
    };
    Some(match sign {
        "\u{2061}" => String::new(),
        "," | ";" => format!("{sign} "),
        "+" | "−" | "±" if !infix => sign.to_owned(),
        "+" | "−" | "±" | "×" | "=" | "≠" | "≤" | "≥" | "&lt;" | "&gt;" | "≪" | "≫" | "≈" | "∈"
        | "∉" | "⊆" | "∼" | "←" | "→" | "↦" | ":" | ":=" | "⪯" => format!(" {sign} "),
        "(" | ")" | "[" | "]" | "{" | "}" | "⟨" | "⟩" | "‖" | "|" | "⌈" | "⌉" | "·" | "/" | "*"
        | "⋆" | "′" | "…" | "∇" | "∂" | "∑" | "√" => sign.to_owned(),
        _ => return None,
    })
}
