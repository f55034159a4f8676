//! Statements as HTML: words stay words, formulas become MathML.
//!
//! Tokens keep their order; only scripts, roots and fractions change where they stand, and these only where the text
//! can be read in one way. A formula that is not understood stays text, so that none is shown as what it does not say.

use super::html::escape;
use crate::ledger::notation::{Kind, Token, tokens};

/// The text as HTML, its formulas as MathML: one element for each part of a relation or sum, between which lines break.
#[must_use]
pub(super) fn typeset(text: &str) -> String {
    let all = tokens(text);
    let mut out = String::new();
    let (mut at, mut i) = (0, 0);
    while i < all.len() {
        if matches!(all[i].kind, Kind::Word | Kind::Text | Kind::Punctuation) {
            i += 1;
            continue;
        }
        let length = piece(&all[i..]);
        for part in balanced(&all[i..i + length]) {
            let (start, end) = (part[0].start, part[part.len() - 1].end);
            if let Some(math) = formula(part) {
                out += &escape(&text[at..start]);
                out += &math;
                at = end;
            }
        }
        i += length;
    }
    out + &escape(&text[at..])
}

/// How many tokens there are before the next word, or punctuation outside brackets.
fn piece(all: &[Token]) -> usize {
    let mut depth = 0i32;
    for (i, token) in all.iter().enumerate() {
        match token.kind {
            Kind::Word => return i,
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            Kind::Punctuation if depth <= 0 => return i,
            // A list may stand in brackets, a sentence may not.
            Kind::Punctuation if all.get(i + 1).is_none_or(|next| next.kind == Kind::Word) => {
                return i;
            }
            _ => {}
        }
    }
    all.len()
}

/// The parts of a piece between brackets that have no partner in it; a bracket that belongs to a symbol takes the whole
/// piece with it.
fn balanced(piece: &[Token]) -> Vec<&[Token]> {
    let mut open = Vec::new();
    let mut lone = Vec::new();
    for (i, token) in piece.iter().enumerate() {
        match token.kind {
            Kind::Open => open.push(i),
            Kind::Close if open.pop().is_none() => lone.push(i),
            _ => {}
        }
    }
    lone.extend(open);
    lone.sort_unstable();
    let tight = |i: usize| {
        let token = &piece[i];
        let joined = i > 0 && !token.spaced && piece[i - 1].end == token.start;
        match token.kind {
            Kind::Open => joined,
            _ => piece.get(i + 1).is_some_and(|next| next.start == token.end),
        }
    };
    if lone.iter().any(|i| tight(*i)) {
        return Vec::new();
    }
    let mut parts = Vec::new();
    let mut from = 0;
    for i in lone.into_iter().chain([piece.len()]) {
        if from < i {
            parts.push(&piece[from..i]);
        }
        from = i + 1;
    }
    parts
}

/// The MathML of a formula; `None` where there is none to typeset, or it is not understood.
fn formula(part: &[Token]) -> Option<String> {
    let says = |t: &Token| {
        matches!(
            t.kind,
            Kind::Symbol | Kind::Function | Kind::Root | Kind::Above
        )
    };
    let operands = part
        .iter()
        .filter(|t| matches!(t.kind, Kind::Symbol | Kind::Number))
        .count();
    let compares = part.iter().any(|t| t.kind == Kind::Operator) && operands > 1;
    if !(part.iter().any(says) || compares) || operands == 0 {
        return None;
    }
    let mut parser = Parser { rest: part };
    let items = parser.row(None)?;
    parser.rest.is_empty().then(|| broken(&items))
}

/// The items as `math` elements; a new one begins with every relation and every further term.
fn broken(items: &[Item]) -> String {
    let mut starts: Vec<usize> = vec![0];
    for (i, item) in items.iter().enumerate().skip(1) {
        let operator =
            item.role == Role::Other && item.html.starts_with("<mo>") && !item.html.contains(',');
        let infix = !matches!(items[i - 1].role, Role::Other | Role::Prefix | Role::Bare);
        if operator && infix && i + 1 < items.len() {
            starts.push(i);
        }
    }
    let ends = starts.iter().skip(1).copied().chain([items.len()]);
    let parts = starts.iter().zip(ends).map(|(from, to)| {
        let math = assembled(&items[*from..to]);
        // Behind a break an operator is none of a sign's.
        let math = if *from > 0 {
            math.replacen("<mo>", "<mo form=\"infix\">", 1)
        } else {
            math
        };
        tag("math", &math)
    });
    parts.collect::<Vec<_>>().join("<wbr>")
}

/// What stands in a row.
#[derive(Clone, Debug)]
struct Item {
    html: String,
    /// What a pair of round brackets without scripts holds: a fraction does without them.
    inside: Option<String>,
    role: Role,
    spaced: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
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

struct Parser<'a> {
    rest: &'a [Token],
}

fn tag(name: &str, inside: &str) -> String {
    format!("<{name}>{inside}</{name}>")
}

impl<'a> Parser<'a> {
    fn next(&mut self) -> Option<&'a Token> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn next_if(&mut self, test: impl Fn(&Token) -> bool) -> Option<&'a Token> {
        self.rest.first().filter(|t| test(t))?;
        self.next()
    }

    /// Items up to the end, or to what closes; that is left.
    fn row(&mut self, close: Option<&str>) -> Option<Vec<Item>> {
        let mut items: Vec<Item> = Vec::new();
        while let Some(token) = self.rest.first() {
            let operand = !matches!(
                items.last().map(|i| i.role),
                Some(Role::Factor | Role::Applied)
            );
            let ends = !operand || items.last().is_some_and(|i| i.role == Role::Letter);
            if token.kind == Kind::Close
                || close == Some(&token.text) && token.kind == Kind::Bar && ends
            {
                break;
            }
            let spaced = token.spaced;
            let before = items.last().map(|i| i.role);
            let follows = matches!(before, Some(Role::Factor | Role::Letter)) && !spaced;
            let mut item = self.item(operand, follows)?;
            item.spaced = spaced;
            items.push(item);
        }
        Some(items)
    }

    fn item(&mut self, operand: bool, follows: bool) -> Option<Item> {
        let token = self.next()?;
        let text = escape(&token.text);
        let other = |html: String, role: Role| {
            Some(Item {
                html,
                inside: None,
                role,
                spaced: false,
            })
        };
        match token.kind {
            Kind::Operator if token.text == "·" => match operand {
                true => other(tag("mi", "·"), Role::Factor), // ‖·‖
                false => other(tag("mo", "·"), Role::Dot),
            },
            Kind::Operator => other(tag("mo", &text), Role::Other),
            Kind::Punctuation => other(tag("mo", &text), Role::Other),
            Kind::Text => other(tag("mtext", &format!(" {text} ")), Role::Other),
            Kind::Slash => other(tag("mo", "/"), Role::Slash),
            Kind::Number => self.scripted(tag("mn", &text), None, Role::Factor),
            Kind::Symbol => self.symbol(&text),
            Kind::Function => self.function(&text),
            Kind::Root => self.root(),
            Kind::Open => {
                let role = if follows { Role::Applied } else { Role::Factor };
                let (html, inside) = self.brackets(token)?;
                self.scripted(html, inside, role)
            }
            Kind::Bar => self.bars(token).or_else(|| {
                // Of an event, given another, or of a law, against another.
                let between = !operand && !self.rest.is_empty();
                between.then(|| {
                    other(
                        tag("mo", if token.text == "|" { "∣" } else { "∥" }),
                        Role::Other,
                    )
                })?
            }),
            _ => None,
        }
    }

    /// What stands between two bars, if there is another.
    fn bars(&mut self, open: &Token) -> Option<Item> {
        let mut ahead = Parser { rest: self.rest };
        let inside = ahead.group(&open.text)?;
        ahead.next_if(|t| t.kind == Kind::Bar && t.text == open.text)?;
        let fence = format!("<mo fence=\"true\">{}</mo>", open.text);
        let found = ahead.scripted(
            tag("mrow", &format!("{fence}{inside}{fence}")),
            None,
            Role::Factor,
        )?;
        self.rest = ahead.rest;
        Some(found)
    }

    fn symbol(&mut self, text: &str) -> Option<Item> {
        let role = match text {
            "Σ" | "E" | "P" => Role::Letter,
            "∑" | "∏" | "∫" | "∇" | "∂" | "∀" | "∃" | "𝔼" | "ℙ" => Role::Prefix,
            _ => Role::Factor,
        };
        let element = match text {
            "∑" | "∏" | "∫" | "∇" | "∂" | "∀" | "∃" | "…" => "mo",
            _ => "mi",
        };
        let symbol = self.scripted(tag(element, text), None, role)?;
        match text {
            // An expectation or a probability with brackets is one operand.
            "E" | "P" | "𝔼" | "ℙ" => self.applied(symbol),
            _ => Some(symbol),
        }
    }

    fn function(&mut self, text: &str) -> Option<Item> {
        let name = self.scripted(tag("mi", text), None, Role::Bare)?;
        let found = self.applied(name)?;
        Some(match found.role {
            Role::Bare => Item {
                html: found.html + "<mspace width=\".17em\"/>",
                ..found
            },
            _ => found,
        })
    }

    /// A name with the brackets right behind it as one operand; without them the name as it was.
    fn applied(&mut self, name: Item) -> Option<Item> {
        match self.next_if(|t| t.kind == Kind::Open && !t.spaced && t.text != "{") {
            Some(open) => {
                let (html, _) = self.brackets(open)?;
                self.scripted(
                    tag("mrow", &(name.html + "<mo>&#x2061;</mo>" + &html)),
                    None,
                    Role::Factor,
                )
            }
            None => Some(name),
        }
    }

    /// A root over what must be under it; else the sign alone, as in the text.
    fn root(&mut self) -> Option<Item> {
        let mut ahead = Parser { rest: self.rest };
        let first = ahead.next()?;
        let under = match first.kind {
            Kind::Open if first.text == "(" => ahead.brackets(first)?.1,
            Kind::Number => Some(tag("mn", &first.text)),
            Kind::Symbol => Some(ahead.plain(tag("mi", &escape(&first.text)))?),
            Kind::Function => ahead
                .function(&first.text)
                .filter(|i| i.role == Role::Factor)
                .map(|i| i.html),
            _ => None,
        };
        let tight = |t: &&Token| {
            !t.spaced
                && (matches!(
                    t.kind,
                    Kind::Symbol
                        | Kind::Number
                        | Kind::Function
                        | Kind::Root
                        | Kind::Open
                        | Kind::Bar
                ) || matches!(
                    t.kind,
                    Kind::Above | Kind::Below | Kind::Raised | Kind::Lowered
                ))
        };
        let only = ahead.rest.first().filter(tight).is_none()
            || first.kind == Kind::Open
                && ahead.rest[0].kind != Kind::Above
                && ahead.rest[0].kind != Kind::Raised;
        match under.filter(|_| only) {
            Some(under) => {
                self.rest = ahead.rest;
                Some(Item {
                    html: tag("msqrt", &under),
                    inside: None,
                    role: Role::Factor,
                    spaced: false,
                })
            }
            None => Some(Item {
                html: tag("mo", "√"),
                inside: None,
                role: Role::Bare,
                spaced: false,
            }),
        }
    }

    /// A symbol with the subscript behind it.
    fn plain(&mut self, base: String) -> Option<String> {
        if self
            .next_if(|t| t.kind == Kind::Below && !t.spaced)
            .is_some()
        {
            return Some(tag("msub", &(base + &self.argument()?)));
        }
        Some(base)
    }

    /// What stands up to what closes, which is left.
    fn group(&mut self, close: &str) -> Option<String> {
        let items = self.row(Some(close))?;
        (!items.is_empty()).then(|| tag("mrow", &assembled(&items)))
    }

    /// Brackets with what is in them, and that alone where they are round and hold one operand.
    fn brackets(&mut self, open: &Token) -> Option<(String, Option<String>)> {
        let inside = match self.rest.first().is_some_and(|t| t.kind == Kind::Close) {
            true => String::new(),
            false => assembled(&self.row(None)?),
        };
        let close = self.next_if(|t| t.kind == Kind::Close)?;
        let fits = match open.text.as_str() {
            "(" | "[" => matches!(close.text.as_str(), ")" | "]"),
            "{" => close.text == "}",
            "⟨" => close.text == "⟩",
            "⌈" => close.text == "⌉",
            _ => close.text == "⌋",
        };
        let html = tag(
            "mrow",
            &format!("<mo>{}</mo>{inside}<mo>{}</mo>", open.text, close.text),
        );
        let list = inside.contains("<mo>,</mo>") || inside.contains("<mo>;</mo>");
        let round = open.text == "(" && close.text == ")" && !list;
        fits.then(|| (html, round.then(|| tag("mrow", &inside))))
    }

    /// The scripts behind an operand.
    fn scripted(&mut self, base: String, inside: Option<String>, role: Role) -> Option<Item> {
        let (mut sub, mut sup) = (String::new(), String::new());
        while let Some(mark) = self.next_if(|t| {
            !t.spaced
                && matches!(
                    t.kind,
                    Kind::Below | Kind::Above | Kind::Lowered | Kind::Raised
                )
        }) {
            match mark.kind {
                Kind::Below if sub.is_empty() => sub = self.argument()?,
                Kind::Lowered if sub.is_empty() => sub = levelled(&mark.text),
                Kind::Above => sup += &self.argument()?,
                Kind::Raised => sup += &levelled(&mark.text),
                _ => return None, // two subscripts
            }
        }
        let sup = if sup.is_empty() {
            sup
        } else {
            tag("mrow", &sup)
        };
        let (html, inside) = match (sub.is_empty(), sup.is_empty()) {
            (true, true) => (base, inside),
            (false, true) => (tag("msub", &(base + &sub)), None),
            (true, false) => (tag("msup", &(base + &sup)), None),
            (false, false) => (tag("msubsup", &(base + &sub + &sup)), None),
        };
        Some(Item {
            html,
            inside,
            role,
            spaced: false,
        })
    }

    /// What `_` or `^` is followed by.
    fn argument(&mut self) -> Option<String> {
        let token = self.next_if(|t| !t.spaced)?;
        let text = escape(&token.text);
        match token.kind {
            Kind::Open if token.text == "{" => {
                let inside = assembled(&self.row(None)?);
                self.next_if(|t| t.text == "}")?;
                Some(tag("mrow", &inside))
            }
            Kind::Open if token.text == "(" => Some(self.brackets(token)?.0),
            Kind::Number => Some(tag("mn", &text)),
            Kind::Symbol => Some(tag("mi", &text)),
            Kind::Operator if token.text == "−" || token.text == "+" => match self
                .next_if(|t| t.kind == Kind::Number)
            {
                Some(number) => Some(tag("mrow", &(tag("mo", &text) + &tag("mn", &number.text)))),
                None => Some(tag("mo", &text)),
            },
            _ => None,
        }
    }
}

/// Raised and lowered characters as they are on the line.
fn levelled(marks: &str) -> String {
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀⁿᵏᵗ₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙₜ";
    const LEVEL: &str = "0123456789+−Tnkt0123456789ijknt";
    let level = |c: char| {
        let at = RAISED.chars().position(|raised| raised == c);
        at.and_then(|at| LEVEL.chars().nth(at)).unwrap_or(c)
    };
    let text: String = marks.chars().map(level).collect();
    match text.chars().all(|c| c.is_ascii_digit()) {
        true => tag("mn", &text),
        false => tag(
            "mrow",
            &text
                .chars()
                .map(|c| match c {
                    '0'..='9' => tag("mn", &c.to_string()),
                    'a'..='z' | 'T' => tag("mi", &c.to_string()),
                    _ => tag("mo", &c.to_string()),
                })
                .collect::<String>(),
        ),
    }
}

/// The items as MathML, with the fractions that are clear.
fn assembled(items: &[Item]) -> String {
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
        "<mspace width=\".2em\"/>"
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
    let bare = |item: &Item| item.inside.clone().unwrap_or_else(|| item.html.clone());
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What is typeset reads as the text does: the signs in their order, without scripts and fractions.
    fn read(html: &str) -> String {
        let mut out = String::new();
        let mut inside = false;
        for c in html.chars() {
            match c {
                '<' => inside = true,
                '>' => inside = false,
                _ if !inside => out.push(c),
                _ => {}
            }
        }
        out
    }

    #[test]
    fn fractions_roots_and_scripts_are_typeset() {
        for (text, want) in [
            (
                "1/(2x)",
                "<mfrac><mn>1</mn><mrow><mn>2</mn><mi>x</mi></mrow></mfrac>",
            ),
            (
                "a·b/n",
                "<mfrac><mrow><mi>a</mi><mo>·</mo><mi>b</mi></mrow><mi>n</mi></mfrac>",
            ),
            ("sqrt(T)", "<msqrt><mrow><mi>T</mi></mrow></msqrt>"),
            (
                "L_max^2",
                "<msubsup><mi>L</mi><mi>max</mi><mrow><mn>2</mn></mrow></msubsup>",
            ),
            ("x²", "<msup><mi>x</mi><mrow><mn>2</mn></mrow></msup>"),
            (
                "|w|",
                "<mrow><mo fence=\"true\">|</mo><mrow><mi>w</mi></mrow><mo fence=\"true\">|</mo></mrow>",
            ),
            (
                "w*",
                "<msup><mi>w</mi><mrow><mrow><mo>*</mo></mrow></mrow></msup>",
            ),
            (
                "log2(x)",
                "<mrow><msub><mi>log</mi><mn>2</mn></msub><mo>&#x2061;</mo><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow></mrow>",
            ),
        ] {
            assert_eq!(typeset(text), format!("<math>{want}</math>"), "{text}");
        }
    }

    /// What could be read in two ways keeps the order of the text.
    #[test]
    fn what_is_not_clear_gets_no_fraction() {
        for text in ["a/b c", "a/b/c", "a/b(c)", "log x/2", "√KT/2", "Σ_i/n"] {
            assert!(
                !typeset(text).contains("<mfrac>"),
                "{text}: {}",
                typeset(text)
            );
        }
        // Nor does a fraction take the argument of a probability or a sum.
        for text in ["P(A)/n", "ℙ(j∈S)/M_j", "Σ_t(x_t)/t", "E(x)/n", "f(x)/n"] {
            assert_eq!(
                typeset(text).matches("<mo>(</mo>").count(),
                1,
                "{text}: {}",
                typeset(text)
            );
        }
        for text in [
            "a*b", "f(x", "x_aB", "0/1", "60,000", "(9)", "Lemma 12", "i.e.",
        ] {
            assert_eq!(typeset(text), escape(text));
        }
    }

    #[test]
    fn words_stay_words_around_formulas() {
        let typeset = typeset("Algorithm 1 with a noise of 2L_0/n is (ε, δ)-DP, for k >= 1")
            .replace("</math><wbr><math>", "");
        let words = typeset
            .split("<math>")
            .map(|part| part.rsplit("</math>").next().unwrap_or_default());
        let words: Vec<&str> = words.collect();
        assert_eq!(
            words,
            ["Algorithm 1 with a noise of ", " is ", "-DP, for ", ""],
            "{typeset}"
        );
    }

    /// Of every statement of the five papers nothing is lost, added or moved but by the rules above.
    #[test]
    fn no_sign_of_a_statement_is_lost() {
        use std::collections::BTreeMap;
        let count = |text: &str| {
            let mut counts: BTreeMap<char, usize> = BTreeMap::new();
            for c in text.chars().filter(|c| c.is_alphanumeric()) {
                *counts.entry(c).or_default() += 1;
            }
            counts
        };
        let level = |text: &str| -> String {
            tokens(text)
                .iter()
                .fold((String::new(), 0), |(out, at), t| {
                    let piece = match t.kind {
                        Kind::Raised | Kind::Lowered => read(&levelled(&t.text)),
                        Kind::Word | Kind::Text => text[t.start..t.end].to_owned(),
                        _ => t.text.clone(),
                    };
                    (out + &text[at..t.start] + &piece, t.end)
                })
                .0
        };
        let plain = |text: &str| {
            let text = text.replace("&lt;", "<").replace("&gt;", ">");
            text.replace("&quot;", "\"").replace("&amp;", "&")
        };
        let mut formulas = 0;
        for claim in dp_assay_spec::claims() {
            let html = typeset(claim.statement).replace("&#x2061;", "");
            formulas += html.matches("<math>").count();
            // What stays text is compared after the same change of letters.
            let words = |part: &str| level(&plain(part.trim_end_matches("<wbr>")));
            let shown: String = html
                .split("<math>")
                .map(|part| match part.split_once("</math>") {
                    Some((math, text)) => plain(&read(math)) + " " + &words(text),
                    None => words(part),
                })
                .collect();
            assert_eq!(
                count(&shown),
                count(&level(claim.statement)),
                "{}: {html}",
                claim.id
            );
        }
        assert!(formulas > 2000, "{formulas}");
    }
}
