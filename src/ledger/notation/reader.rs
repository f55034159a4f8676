//! Reading a text piece by piece.

use super::words::{
    BARE, FUNCTIONS, GREEK, INDEXED, LABELS, LOWERED, NAMES, OPERATORS, PRODUCTS, RAISED, SIGNS,
};
use super::{Piece, Token};
use dp_assay_spec::claim::Paper;

/// The pieces of a text, each by what stands around it.
pub(super) fn read(text: &str) -> Vec<Token> {
    let mut reader = Reader {
        text,
        at: 0,
        found: Vec::new(),
        scripts: Vec::new(),
        depth: 0,
        angles: 0,
        bars: 0,
    };
    while reader.step() {}
    reader.found
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    found: Vec<Token>,
    /// Of each brace that is open, whether it is that of a script.
    scripts: Vec<bool>,
    /// Brackets that are open, and angles among them that were written `<`.
    depth: usize,
    angles: usize,
    /// Bars that are open.
    bars: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn put(&mut self, kind: Piece, length: usize, text: impl Into<String>) -> bool {
        let end = self.at + length;
        match kind {
            Piece::Open => self.depth += 1,
            Piece::Close => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        let spaced = self.text[..self.at].ends_with(char::is_whitespace);
        self.found.push(Token {
            kind,
            text: text.into(),
            start: self.at,
            end,
            spaced,
        });
        self.at = end;
        true
    }

    /// The kind of what stands directly before, without white space.
    fn before(&self) -> Option<Piece> {
        let last = self.found.last().filter(|t| t.end == self.at);
        last.map(|t| t.kind)
    }

    fn step(&mut self) -> bool {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        let Some(c) = self.rest().chars().next() else {
            return false;
        };
        let new_word = !self.text[..self.at].ends_with(char::is_alphanumeric);
        let opens = |paper: &Paper| {
            let behind = self.rest().strip_prefix(paper.name());
            behind.is_some_and(|rest| rest.starts_with('-'))
        };
        if new_word && Paper::ALL.iter().any(opens) {
            let length = self
                .rest()
                .find(|c: char| !(c.is_alphanumeric() || "-._".contains(c)));
            let length = length.unwrap_or(self.rest().len());
            let id = self.rest()[..length]
                .trim_end_matches(['.', '-'])
                .to_owned();
            return self.put(Piece::Word, id.len(), id);
        }
        if let Some(length) = self.abbreviation() {
            let word = self.rest()[..length].to_owned();
            return self.put(Piece::Word, length, word);
        }
        match c {
            '<' if self.opens_angle() => {
                self.angles += 1;
                self.put(Piece::Open, 1, "⟨")
            }
            '>' if self.angles > 0 && !self.text[..self.at].ends_with(' ') => {
                self.angles -= 1;
                self.put(Piece::Close, 1, "⟩")
            }
            '⋆' if matches!(self.before(), Some(Piece::Below | Piece::Above)) => {
                self.put(Piece::Symbol, c.len_utf8(), c)
            }
            _ if RAISED.contains(c) => self.marks(RAISED, Piece::Raised),
            _ if LOWERED.contains(c) => self.marks(LOWERED, Piece::Lowered),
            '∇' | '∂' | '∑' | '∏' | '∫' | '∞' | '𝟙' | '½' | '¼' | '⅓' | '∅' | '∀' | '∃' | '…'
            | '⊥' => self.put(Piece::Symbol, c.len_utf8(), c),
            _ if c.is_alphabetic() => self.letters(),
            _ if c.is_ascii_digit() => self.number(),
            '√' => self.put(Piece::Root, c.len_utf8(), "√"),
            '_' => self.put(Piece::Below, 1, "_"),
            '^' => self.put(Piece::Above, 1, "^"),
            '*' => self.star(),
            '/' => self.put(Piece::Slash, 1, "/"),
            '(' | '[' | '⟨' | '⌈' | '⌊' => self.put(Piece::Open, c.len_utf8(), c),
            ')' | ']' | '⟩' | '⌉' | '⌋' => self.put(Piece::Close, c.len_utf8(), c),
            '{' => {
                let script = matches!(self.before(), Some(Piece::Below | Piece::Above));
                self.scripts.push(script);
                self.put(Piece::Open, 1, "{")
            }
            '}' => {
                self.scripts.pop();
                self.put(Piece::Close, 1, "}")
            }
            '.' if self.rest().starts_with("...") => self.put(Piece::Symbol, 3, "…"),
            '.' if self.rest().starts_with("..") => self.put(Piece::Symbol, 2, "…"),
            '.' if self.text[..self.at].ends_with(['(', '|', '‖']) => {
                self.put(Piece::Symbol, 1, "·")
            }
            ',' | ';' | '.' => self.put(Piece::Punctuation, 1, c),
            _ => self.operator(c),
        }
    }

    /// The length of `i.e.` and the like, and of the `'s` of a word.
    fn abbreviation(&self) -> Option<usize> {
        let rest = self.rest();
        if rest.starts_with("'s ") && self.before() == Some(Piece::Word) {
            return Some(2);
        }
        let known = ["i.e.", "e.g.", "w.r.t.", "a.s.", "i.i.d.", "resp.", "0/1"];
        let starts = !self.text[..self.at].ends_with(char::is_alphanumeric);
        known
            .iter()
            .find(|a| starts && rest.starts_with(**a))
            .map(|a| a.len())
    }

    /// Whether `<` begins a scalar product: white space before it and none behind.
    fn opens_angle(&self) -> bool {
        let before = self.text[..self.at].chars().next_back();
        let after = self.rest()[1..].chars().next();
        let open = before.is_none_or(|c| c.is_whitespace() || "([".contains(c));
        let inside = after.is_some_and(|c| c.is_alphabetic() || "[(|".contains(c));
        open && inside && self.rest().contains('>')
    }

    fn marks(&mut self, of: &str, kind: Piece) -> bool {
        let length = self
            .rest()
            .find(|c: char| !of.contains(c))
            .unwrap_or(self.rest().len());
        // A mark that stands on nothing is a quotation mark, or something that this does not know.
        let on = self.before().is_some_and(|k| {
            !matches!(k, Piece::Word | Piece::Text | Piece::Operator | Piece::Open)
        });
        let text = self.rest()[..length].replace('\'', "′");
        match on {
            true => self.put(kind, length, text),
            false => self.put(Piece::Word, length, text),
        }
    }

    fn number(&mut self) -> bool {
        let digits = |text: &str| {
            text.find(|c: char| !c.is_ascii_digit())
                .unwrap_or(text.len())
        };
        let rest = self.rest();
        let mut length = digits(rest);
        let thousands = |text: &str| text.starts_with(',') && digits(&text[1..]) == 3;
        while self.before() != Some(Piece::Below)
            && self.scripts.is_empty()
            && thousands(&rest[length..])
        {
            length += 4;
        }
        if rest[length..].starts_with('.') && digits(&rest[length + 1..]) > 0 {
            length += 1 + digits(&rest[length + 1..]);
        }
        if let Some(power) = rest[length..].strip_prefix('e') {
            let sign = power.len() - power.trim_start_matches(['-', '+']).len();
            let figures = digits(&power[sign.min(1)..]);
            if sign <= 1 && figures > 0 {
                length += 1 + sign + figures;
            }
        }
        let text = rest[..length].to_owned();
        self.put(Piece::Number, length, text)
    }

    fn star(&mut self) -> bool {
        let next = self.rest()[1..].chars().next();
        let goes_on = next.is_some_and(|c| c.is_alphanumeric() || "(√[".contains(c));
        match self.before() {
            Some(Piece::Below | Piece::Above) => self.put(Piece::Symbol, 1, "*"),
            Some(Piece::Symbol | Piece::Lowered | Piece::Raised | Piece::Close) if !goes_on => {
                self.put(Piece::Raised, 1, "*")
            }
            None if !goes_on => self.put(Piece::Operator, 1, "·"),
            _ => self.put(Piece::Unclear, 1, "*"),
        }
    }

    fn operator(&mut self, c: char) -> bool {
        if c == '-' && self.hyphenated() {
            let length = self.rest()[1..].find(|c: char| !(c.is_alphanumeric() || c == '-'));
            let length = length.map_or(self.rest().len(), |l| l + 1);
            let word = self.rest()[..length].to_owned();
            return self.put(Piece::Word, length, word);
        }
        // `|a - |b||` ends with two bars, not with the sign of a norm.
        let behind = self.text[..self.at].chars().next_back();
        let after = self.rest()[c.len_utf8()..].chars().next();
        let tight = behind.is_some_and(|c| c.is_alphanumeric() || ")]}".contains(c));
        if c == '|' && (after != Some('|') || tight && self.bars > 1) {
            let opens = (!tight || self.bars == 0) && after.is_some_and(|c| !c.is_whitespace());
            self.bars = if opens {
                self.bars + 1
            } else {
                self.bars.saturating_sub(1)
            };
            return self.put(Piece::Bar, 1, "|");
        }
        for (ascii, sign) in OPERATORS {
            if self.rest().starts_with(ascii) {
                let kind = if sign == "‖" {
                    Piece::Bar
                } else {
                    Piece::Operator
                };
                return self.put(kind, ascii.trim_end().len(), sign);
            }
        }
        match c {
            '|' | '‖' => self.put(Piece::Bar, c.len_utf8(), c),
            '<' | '>' | '=' => self.put(Piece::Operator, 1, c),
            ':' if self.rest()[1..].starts_with(char::is_whitespace) || self.rest().len() == 1 => {
                self.put(Piece::Punctuation, 1, ":")
            }
            ':' => self.put(Piece::Operator, 1, ":"),
            _ if SIGNS.contains(c) => self.put(Piece::Operator, c.len_utf8(), c),
            _ => self.put(Piece::Word, c.len_utf8(), c),
        }
    }

    /// Whether the `-` here joins a word to what stands before.
    fn hyphenated(&self) -> bool {
        let after = &self.rest()[1..];
        let length = after
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(after.len());
        let word = &after[..length];
        if self.before() == Some(Piece::Word) && length > 0 {
            return true;
        }
        self.before().is_some() && word.chars().count() > 1 && word.is_ascii() && !known(word)
    }

    /// A word, or the symbols that a run of letters is.
    fn letters(&mut self) -> bool {
        let rest = self.rest();
        let inside = |c: char| {
            c.is_alphabetic() && !RAISED.contains(c) && !LOWERED.contains(c) && !"∇∂".contains(c)
        };
        let combining = |c: char| ('\u{300}'..='\u{36f}').contains(&c);
        let length = rest
            .find(|c: char| !(inside(c) || combining(c)))
            .unwrap_or(rest.len());
        let run = rest[..length].to_owned();
        let next = rest[length..].chars().next();
        let in_script = matches!(self.before(), Some(Piece::Below | Piece::Above));
        let letters = run.chars().filter(|c| !combining(*c)).count();
        let first: String = {
            let mut chars = run.chars();
            let head = chars.next().unwrap_or_default();
            std::iter::once(head)
                .chain(chars.take_while(|c| combining(*c)))
                .collect()
        };
        if letters == 1 {
            return self.symbol(&first);
        }
        if in_script && run.is_ascii() {
            return self.script(&run, next);
        }
        if self.is_name(&run, next) {
            return self.put(Piece::Symbol, length, run);
        }
        if run == "sqrt" && next == Some('(') {
            return self.put(Piece::Root, length, "√");
        }
        if let Some(letter) = greek(&run) {
            // `F~` has its tilde above; a relation has white space before.
            return self.symbol_of(length, letter);
        }
        // `log2` is a logarithm to the base 2, not twice one.
        let figures = &rest[length
            ..rest[length..]
                .find(|c: char| !c.is_ascii_digit())
                .map_or(rest.len(), |l| length + l)];
        if FUNCTIONS.contains(&run.as_str()) && !figures.is_empty() {
            let base = [("2", "₂"), ("10", "₁₀")]
                .into_iter()
                .find(|(base, _)| *base == figures && run == "log");
            let Some((base, lowered)) = base else {
                return self.put(Piece::Unclear, length, run);
            };
            self.put(Piece::Function, length, "log");
            return self.put(Piece::Lowered, base.len(), lowered);
        }
        if FUNCTIONS.contains(&run.as_str()) {
            let tight = next.is_some_and(|c| "([{_^‖|⁻²".contains(c));
            let operand = rest[length..].trim_start().chars().next();
            let operand = operand
                .is_some_and(|c| !c.is_ascii_alphabetic() && !",;.:)]}".contains(c))
                || rest[length..]
                    .trim_start()
                    .split(|c: char| !c.is_alphabetic())
                    .next()
                    .is_some_and(|word| {
                        word.chars().count() == 1 && word != "a"
                            || !word.is_ascii()
                            || greek(word).is_some()
                            || BARE.contains(&word)
                    });
            let bare = BARE.contains(&run.as_str()) && operand;
            if tight || bare {
                return self.put(Piece::Function, length, run);
            }
        }
        // `d log` is a product although `dlog` would be a word; a run with a Greek letter is one of symbols.
        let latin = |c: char| c.is_ascii_alphabetic() || combining(c);
        let greek_inside = run.chars().any(|c| !latin(c) && !is_latin(c));
        let ordinal = ["st", "nd", "rd", "th"].contains(&run.as_str());
        let counted =
            self.before() == Some(Piece::Number) && letters <= 3 && run.is_ascii() && !ordinal;
        // So is what a short denominator in brackets consists of.
        let last = self
            .found
            .last_chunk::<2>()
            .map(|last| last.each_ref().map(|t| t.kind));
        let below = last == Some([Piece::Slash, Piece::Open]);
        let counted = counted || below && letters <= 3 && run.is_ascii() && next == Some(')');
        // A word has white space before it; what stands right behind a symbol or a bracket is a factor.
        let attached = matches!(
            self.before(),
            Some(Piece::Symbol | Piece::Raised | Piece::Lowered | Piece::Close)
        ) && letters <= 3
            && run.is_ascii()
            && !ordinal;
        // `xxᵀ` is one, a word has no exponent.
        let raised = letters <= 3 && next.is_some_and(|c| "²ᵀ".contains(c)) && run.is_ascii();
        let product = counted
            || attached
            || raised
            || PRODUCTS.contains(&run.as_str())
            || run.chars().next().is_some_and(char::is_lowercase)
                && letters <= 3
                && run.chars().skip(1).all(|c| c.is_ascii_uppercase())
                && run.is_ascii();
        let marked = next.is_some_and(|c| c == '_' || RAISED.contains(c))
            && run.chars().all(|c| c.is_ascii_uppercase());
        if greek_inside && !run.chars().any(|c| is_latin(c) && !c.is_ascii()) && self.splits(&run)
            || product
            || marked
        {
            return self.symbol(&first);
        }
        // Of one letter or a bracket; `in coordinate 1` is a word.
        let behind = rest[length..].trim_start();
        let symbol = behind.chars().take_while(|c| c.is_alphabetic()).count() == 1
            || ["[", "{", "(0"].iter().any(|open| behind.starts_with(open));
        if run == "in"
            && symbol
            && self.depth > 0
            && self.found.last().is_some_and(|t| t.kind != Piece::Word)
        {
            return self.put(Piece::Operator, length, "∈");
        }
        if self.scripts.last() == Some(&true) {
            return self.put(Piece::Text, length, run);
        }
        self.put(Piece::Word, length, run)
    }

    /// The Latin letters of an index or an exponent: its name, or its first letter where the others cannot be part of it.
    fn script(&mut self, run: &str, next: Option<char>) -> bool {
        let (below, base) = match self.found.as_slice() {
            [.., base, script] => (script.kind == Piece::Below, Some(base)),
            _ => (false, None),
        };
        let indexed = |(name, index): &(&str, char)| {
            base.is_some_and(|b| b.text == *name) && run.starts_with(*index)
        };
        // `log^aN`, `R_xL`, `x_iy_j`: an index has none itself.
        let power = !below && base.is_some_and(|b| b.kind == Piece::Function);
        let ends = below && run.len() == 2 && next == Some('_');
        let function = below && FUNCTIONS.contains(&&run[1..]);
        if power || ends || function || below && INDEXED.iter().any(indexed) {
            return self.symbol(&run[..1]);
        }
        let lower = below && run.chars().all(|c| c.is_ascii_lowercase());
        match greek(run) {
            Some(letter) => self.put(Piece::Symbol, run.len(), letter),
            None if lower || LABELS.contains(&run) => self.put(Piece::Symbol, run.len(), run),
            None => self.put(Piece::Unclear, run.len(), run),
        }
    }

    /// Whether a word stands where only an operand can.
    fn is_name(&self, run: &str, next: Option<char>) -> bool {
        let operator = self.depth + self.bars > 0
            && self.found.last().is_some_and(|t| t.kind == Piece::Operator);
        let place = match self.before() {
            Some(Piece::Slash | Piece::Bar) => true,
            Some(Piece::Open) => matches!(next, Some(')' | ',' | '_')),
            _ => operator || matches!(next, Some('|' | '_')),
        };
        place && NAMES.contains(&run)
    }

    /// Whether a run with Greek letters can be cut into symbols: its Latin parts are single letters or functions.
    fn splits(&self, run: &str) -> bool {
        run.split(|c: char| !c.is_ascii_alphabetic()).all(|part| {
            part.len() <= 1
                || PRODUCTS.contains(&part)
                || FUNCTIONS.contains(&part)
                || part.chars().all(|c| c.is_ascii_uppercase())
        })
    }

    fn symbol(&mut self, first: &str) -> bool {
        self.symbol_of(first.len(), first)
    }

    fn symbol_of(&mut self, length: usize, text: &str) -> bool {
        let after = &self.rest()[length..];
        match after.starts_with('~') && !after[1..].starts_with(char::is_whitespace) {
            true => self.put(Piece::Symbol, length + 1, format!("{text}\u{303}")),
            false => self.put(Piece::Symbol, length, text),
        }
    }
}

/// Letters of the Latin alphabet, accented ones among them, but for those that stand for mathematical objects.
fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic() || ('\u{c0}'..='\u{24f}').contains(&c)
}

fn greek(name: &str) -> Option<&'static str> {
    GREEK
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, letter)| *letter)
}

/// Whether a run of letters is part of formulas.
fn known(word: &str) -> bool {
    greek(word).is_some() || FUNCTIONS.contains(&word) || word == "sqrt"
}
