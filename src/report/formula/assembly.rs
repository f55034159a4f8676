//! From the items of a row to MathML: where lines break, and which quotients are fractions.

/// What stands in a row.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) html: String,
    /// What a pair of round brackets without scripts holds: a fraction or a root does without them.
    pub(super) inside: Option<String>,
    pub(super) role: Role,
    pub(super) spaced: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Role {
    /// An operand.
    Factor,
    /// An operand in brackets, right behind a symbol: its argument, or a factor.
    Applied,
    /// A sum, an expectation: everything behind it may belong to it, and a quotient behind it does either way.
    Prefix,
    /// A letter that may be such a sum or an operand.
    Letter,
    /// A function without brackets: of a quotient behind it only the numerator may belong to it.
    Bare,
    /// A product's dot.
    Dot,
    /// A stroke.
    Slash,
    /// Any other operator, a comma, a word.
    Other,
}

pub(super) fn tag(name: &str, inside: &str) -> String {
    format!("<{name}>{inside}</{name}>")
}

/// Elements as one: a row where there are several.
pub(super) fn row(html: String) -> String {
    let (mut depth, mut elements) = (0, 0);
    for tag in html.split('<').skip(1) {
        let name = tag.split('>').next().unwrap_or_default();
        if name.starts_with('/') {
            depth -= 1;
        } else {
            elements += usize::from(depth == 0);
            depth += i32::from(!name.ends_with('/'));
        }
    }
    if elements > 1 {
        tag("mrow", &html)
    } else {
        html
    }
}

/// What stands in the one row that a formula is: `math` is a row, too.
pub(super) fn unwrapped(math: &str) -> &str {
    let inside = math
        .strip_prefix("<mrow>")
        .and_then(|rest| rest.strip_suffix("</mrow>"));
    let Some(inside) = inside else { return math };
    // Two rows side by side begin and end as one does.
    let mut depth = 0_i32;
    let one = inside.split('<').all(|tag| {
        depth += i32::from(tag.starts_with("mrow>")) - i32::from(tag.starts_with("/mrow>"));
        depth >= 0
    });
    if one { inside } else { math }
}

/// Characters that an element may have before the next one begins, so that a line can break between them.
const LONG: usize = 24;

/// The items as `math` elements; of a long formula a new one begins with a relation or a further term.
pub(super) fn broken(items: &[Item]) -> String {
    let mut starts: Vec<usize> = Vec::new();
    for (i, item) in items.iter().enumerate().skip(1) {
        let operator =
            item.role == Role::Other && item.html.starts_with("<mo>") && !item.html.contains(',');
        let infix = !matches!(items[i - 1].role, Role::Other | Role::Prefix | Role::Bare);
        if operator && infix && i + 1 < items.len() {
            starts.push(i);
        }
    }
    let mut cuts = vec![0];
    for (k, start) in starts.iter().enumerate() {
        let end = starts.get(k + 1).copied().unwrap_or(items.len());
        let from = cuts[cuts.len() - 1];
        if items[from..end]
            .iter()
            .map(|i| length(&i.html))
            .sum::<usize>()
            > LONG
        {
            cuts.push(*start);
        }
    }
    let ends = cuts.iter().skip(1).copied().chain([items.len()]);
    let parts = cuts.iter().zip(ends).map(|(from, to)| {
        let math = assembled(&items[*from..to]);
        // At the beginning of an element these would be signs.
        let begins = ["−", "+", "±", "∓"].map(|operator| tag("mo", operator));
        let math = match *from > 0 && begins.iter().any(|sign| math.starts_with(sign)) {
            true => math.replacen("<mo>", "<mo form=\"infix\">", 1),
            false => math,
        };
        tag("math", unwrapped(&math))
    });
    parts.collect::<Vec<_>>().join("<wbr>")
}

/// Characters of what is shown.
fn length(html: &str) -> usize {
    let shown = html.split('<').filter_map(|part| part.split_once('>'));
    shown.map(|(_, text)| text.chars().count()).sum()
}

/// The items as MathML, with the fractions that are clear.
pub(super) fn assembled(items: &[Item]) -> String {
    let mut out = String::new();
    let mut from = 0;
    let mut bare = false;
    let between = |part: &[Item], bare: bool| if bare { linear(part) } else { product(part) };
    for (i, item) in items.iter().enumerate() {
        // Everything behind a sum or a function may belong to it, so that no fraction reaches over it.
        if matches!(
            item.role,
            Role::Other | Role::Prefix | Role::Letter | Role::Bare
        ) {
            out += &between(&items[from..i], bare);
            out += &lead(item, i > from);
            from = i + 1;
            bare = item.role == Role::Bare || bare && item.role != Role::Other;
        }
    }
    out + &between(&items[from..], bare)
}

/// An item with the space that the text has before it where no operator is.
fn lead(item: &Item, behind: bool) -> String {
    let space = if item.spaced && behind && item.role != Role::Other {
        // Its width is in the style sheet: there are thousands.
        "<mspace/>"
    } else {
        ""
    };
    space.to_owned() + &item.html
}

/// Factors and strokes.
fn product(items: &[Item]) -> String {
    // A dot behind a sum or a function is no part of what follows.
    if let [dot, rest @ ..] = items
        && dot.role == Role::Dot
    {
        return dot.html.clone() + &product(rest);
    }
    let strokes: Vec<usize> = (0..items.len())
        .filter(|&i| items[i].role == Role::Slash)
        .collect();
    if let [stroke] = strokes[..] {
        let (above, below) = (&items[..stroke], &items[stroke + 1..]);
        if let Some(fraction) = fraction(above, below) {
            return fraction;
        }
        // One factor of several: where dots, not strokes, separate it from the others.
        let parts: Vec<&[Item]> = items.split(|i| i.role == Role::Dot).collect();
        if parts.len() > 1 {
            return parts
                .iter()
                .map(|part| product(part))
                .collect::<Vec<_>>()
                .join(&tag("mo", "·"));
        }
    }
    linear(items)
}

fn linear(items: &[Item]) -> String {
    items
        .iter()
        .enumerate()
        .map(|(i, item)| lead(item, i > 0))
        .collect()
}

/// A fraction, where the denominator is one factor and all before the stroke are factors.
fn fraction(above: &[Item], below: &[Item]) -> Option<String> {
    let bare = |item: &Item| row(item.inside.clone().unwrap_or_else(|| item.html.clone()));
    let [denominator] = below else { return None };
    // The argument of what stands before is no numerator of its own.
    let argument = above.first().is_none_or(|item| item.role == Role::Applied);
    if argument || denominator.role != Role::Factor {
        return None;
    }
    let numerator = match above {
        [one] => bare(one),
        several => tag("mrow", &linear(several)),
    };
    Some(tag("mfrac", &(numerator + &bare(denominator))))
}
