//! The items of a formula from its tokens; `None` wherever they can be read in two ways, or not at all.

use super::super::page::escape;
use super::assembly::{Item, Role, assembled, row, tag};
use crate::ledger::notation::{Piece, Token};

/// All of these tokens as items.
pub(super) fn items(tokens: &[Token]) -> Option<Vec<Item>> {
    let mut parser = Parser { rest: tokens };
    let items = parser.row(None)?;
    parser.rest.is_empty().then_some(items)
}

struct Parser<'a> {
    rest: &'a [Token],
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
            if token.kind == Piece::Close
                || close == Some(&token.text) && token.kind == Piece::Bar && ends
            {
                break;
            }
            let spaced = token.spaced;
            let before = items.last().map(|i| i.role);
            let follows = matches!(before, Some(Role::Factor | Role::Letter)) && !spaced;
            let mut item = self.item(operand, follows, ends)?;
            item.spaced = spaced;
            items.push(item);
        }
        Some(items)
    }

    /// The next item, where an operand is wanted, or may follow on another, or the row may end.
    fn item(&mut self, operand: bool, follows: bool, ends: bool) -> Option<Item> {
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
            Piece::Operator if token.text == "·" => match operand && !ends {
                true => other(tag("mi", "·"), Role::Factor), // ‖·‖
                false => other(tag("mo", "·"), Role::Dot),
            },
            Piece::Operator if matches!(token.text.as_str(), "∩" | "∪") && operand => {
                self.scripted(tag("mo", &text), None, Role::Prefix)
            }
            Piece::Operator if operand && is_sign(&token.text) => {
                other(format!("<mo form=\"prefix\">{text}</mo>"), Role::Other)
            }
            Piece::Operator => other(tag("mo", &text), Role::Other),
            Piece::Punctuation => other(tag("mo", &text), Role::Other),
            Piece::Text => other(tag("mtext", &format!(" {text} ")), Role::Other),
            Piece::Slash => other(tag("mo", "/"), Role::Slash),
            Piece::Number => self.scripted(tag("mn", &text), None, Role::Factor),
            Piece::Symbol => self.symbol(&text),
            Piece::Function => self.function(&text),
            Piece::Root => self.root(),
            Piece::Open => {
                let role = if follows { Role::Applied } else { Role::Factor };
                let (html, inside) = self.brackets(token)?;
                self.scripted(html, inside, role)
            }
            Piece::Bar => self.bars(token).or_else(|| {
                // Of an event, given another, or of a law, against another.
                let between = ends && !self.rest.is_empty();
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
        ahead.next_if(|t| t.kind == Piece::Bar && t.text == open.text)?;
        let fence = tag("mo", &open.text);
        let fenced = tag("mrow", &format!("{fence}{inside}{fence}"));
        let found = ahead.scripted(fenced, None, Role::Factor)?;
        self.rest = ahead.rest;
        Some(found)
    }

    fn symbol(&mut self, text: &str) -> Option<Item> {
        let role = match text {
            "Σ" | "E" | "P" | "∇" => Role::Letter,
            "∑" | "∏" | "∫" | "∂" | "∀" | "∃" | "𝔼" | "ℙ" => Role::Prefix,
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
        match self.next_if(|t| t.kind == Piece::Open && !t.spaced && t.text != "{") {
            Some(open) => {
                let (html, _) = self.brackets(open)?;
                let applied = name.html + "<mo>\u{2061}</mo>" + &html;
                self.scripted(applied, None, Role::Factor)
            }
            None => Some(name),
        }
    }

    /// A root over what must be under it; else the sign alone, as in the text.
    fn root(&mut self) -> Option<Item> {
        let mut ahead = Parser { rest: self.rest };
        let first = ahead.next()?;
        let under = match first.kind {
            Piece::Open if first.text == "(" => ahead.brackets(first)?.1,
            Piece::Open if first.text == "⟨" => Some(ahead.brackets(first)?.0),
            Piece::Number => Some(tag("mn", &first.text)),
            Piece::Symbol => Some(ahead.plain(tag("mi", &escape(&first.text)))?),
            Piece::Function => ahead
                .function(&first.text)
                .filter(|i| i.role == Role::Factor)
                .map(|i| i.html),
            _ => None,
        };
        let tight = |t: &&Token| {
            !t.spaced
                && (matches!(
                    t.kind,
                    Piece::Symbol
                        | Piece::Number
                        | Piece::Function
                        | Piece::Root
                        | Piece::Open
                        | Piece::Bar
                ) || matches!(
                    t.kind,
                    Piece::Above | Piece::Below | Piece::Raised | Piece::Lowered
                ))
        };
        let only = ahead.rest.first().filter(tight).is_none()
            || first.kind == Piece::Open
                && ahead.rest[0].kind != Piece::Above
                && ahead.rest[0].kind != Piece::Raised;
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
            .next_if(|t| t.kind == Piece::Below && !t.spaced)
            .is_some()
        {
            return Some(tag("msub", &(base + &self.argument()?)));
        }
        Some(base)
    }

    /// What stands up to what closes, which is left.
    fn group(&mut self, close: &str) -> Option<String> {
        let items = self.row(Some(close))?;
        (!items.is_empty()).then(|| assembled(&items))
    }

    /// Brackets with what is in them, and that alone where they are round and hold one operand.
    fn brackets(&mut self, open: &Token) -> Option<(String, Option<String>)> {
        let inside = match self.rest.first().is_some_and(|t| t.kind == Piece::Close) {
            true => String::new(),
            false => assembled(&self.row(None)?),
        };
        let close = self.next_if(|t| t.kind == Piece::Close)?;
        let fits = match open.text.as_str() {
            "(" | "[" => matches!(close.text.as_str(), ")" | "]"),
            "{" => close.text == "}",
            "⟨" => close.text == "⟩",
            "⌈" => close.text == "⌉",
            _ => close.text == "⌋",
        };
        let fences = [&open.text, &close.text].map(|bracket| tag("mo", bracket));
        let html = tag("mrow", &format!("{}{inside}{}", fences[0], fences[1]));
        let list = inside.contains("<mo>,</mo>") || inside.contains("<mo>;</mo>");
        let round = open.text == "(" && close.text == ")" && !list;
        fits.then(|| (html, round.then_some(inside)))
    }

    /// The scripts behind an operand, which is one element only where it has any.
    fn scripted(&mut self, mut base: String, inside: Option<String>, role: Role) -> Option<Item> {
        let (mut sub, mut sup, mut lowered) = (String::new(), String::new(), false);
        while let Some(mark) = self.next_if(|t| {
            !t.spaced
                && matches!(
                    t.kind,
                    Piece::Below | Piece::Above | Piece::Lowered | Piece::Raised
                )
        }) {
            match mark.kind {
                // `w₀_j` is entry j of w₀.
                Piece::Below if lowered && sup.is_empty() => {
                    base = tag("msub", &(row(base) + &sub));
                    sub = self.index(&mut sup)?;
                    lowered = false;
                }
                Piece::Below if sub.is_empty() => sub = self.index(&mut sup)?,
                Piece::Lowered if sub.is_empty() => {
                    sub = levelled(&mark.text);
                    lowered = true;
                }
                Piece::Above => sup += &self.argument()?,
                Piece::Raised => sup += &levelled(&mark.text),
                _ => return None, // two subscripts
            }
        }
        let sup = row(sup);
        let (html, inside) = match (sub.is_empty(), sup.is_empty()) {
            (true, true) => (base, inside),
            (false, true) => (tag("msub", &(row(base) + &sub)), None),
            (true, false) => (tag("msup", &(row(base) + &sup)), None),
            (false, false) => (tag("msubsup", &(row(base) + &sub + &sup)), None),
        };
        Some(Item {
            html,
            inside,
            role,
            spaced: false,
        })
    }

    /// What `_` is followed by. A prime right behind a letter is the letter's: `h_e′²` is the square of the entry e′ of h. What is
    /// raised behind it is added to `sup`.
    fn index(&mut self, sup: &mut String) -> Option<String> {
        let letter = self.rest.first().is_some_and(|t| t.kind == Piece::Symbol);
        let index = self.argument()?;
        let primed = |t: &Token| !t.spaced && t.kind == Piece::Raised && t.text.starts_with('′');
        let Some(mark) = self.next_if(|t| letter && primed(t)) else {
            return Some(index);
        };
        let others = mark.text.trim_start_matches('′');
        let primes = &mark.text[..mark.text.len() - others.len()];
        if !others.is_empty() {
            *sup += &levelled(others);
        }
        Some(tag("msup", &(index + &tag("mo", primes))))
    }

    /// What `_` or `^` is followed by.
    fn argument(&mut self) -> Option<String> {
        let token = self.next_if(|t| !t.spaced)?;
        let text = escape(&token.text);
        match token.kind {
            Piece::Open if token.text == "{" => {
                let inside = assembled(&self.row(None)?);
                self.next_if(|t| t.text == "}")?;
                Some(row(inside))
            }
            Piece::Open if token.text == "(" => Some(self.brackets(token)?.0),
            Piece::Number => Some(tag("mn", &text)),
            Piece::Symbol => Some(tag("mi", &text)),
            Piece::Operator if token.text == "−" || token.text == "+" => match self
                .next_if(|t| t.kind == Piece::Number)
            {
                Some(number) => Some(tag("mrow", &(tag("mo", &text) + &tag("mn", &number.text)))),
                None => Some(tag("mo", &text)),
            },
            _ => None,
        }
    }
}

/// Whether an operator is a sign where nothing stands before it.
fn is_sign(operator: &str) -> bool {
    matches!(operator, "−" | "+" | "±" | "∓")
}

/// Raised and lowered characters as they are on the line.
pub(super) fn levelled(marks: &str) -> String {
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀⁿᵏᵗ₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙₜ";
    const LEVEL: &str = "0123456789+−Tnkt0123456789ijknt";
    let level = |c: char| {
        let at = RAISED.chars().position(|raised| raised == c);
        at.and_then(|at| LEVEL.chars().nth(at)).unwrap_or(c)
    };
    let text: String = marks.chars().map(level).collect();
    match text.chars().all(|c| c.is_ascii_digit()) {
        true => tag("mn", &text),
        false => row({ text.chars() }
            .map(|c| match c {
                '0'..='9' => tag("mn", &c.to_string()),
                'a'..='z' | 'T' => tag("mi", &c.to_string()),
                _ => tag("mo", &c.to_string()),
            })
            .collect()),
    }
}
