//! Reads terms back from their text.

use crate::Stuck;
use crate::rules::require;
use crate::scope::in_name;
use crate::statement::{Context, Item};
use crate::term::{Binder, Op, Term, app, bind, num, op};
use rug::Integer;

/// How operations with brackets of their own open, what closes each of their parts, and what they are.
const GROUPS: &[(&str, &[&str], Op)] = &[
    ("√(", &[")"], Op::Sqrt),
    ("log(", &[")"], Op::Log),
    ("exp(", &[")"], Op::Exp),
    ("|", &["|"], Op::Abs),
    ("‖", &["‖"], Op::Norm),
    ("clip(", &[", ", ")"], Op::Clip),
    ("𝟙(", &[" ≤ ", ")"], Op::AtMost),
    ("ℙ(", &["∈", ")"], Op::Inclusion),
    ("N(0, ", &[")"], Op::Normal),
    ("N_{", &["}(0, ", ")"], Op::Normal),
    ("Laplace(", &[")"], Op::Laplace),
    ("Laplace_{", &["}(", ")"], Op::Laplace),
    (
        "Pairwise(",
        &[", ", ", ", ", ", ", ", ", ", ")"],
        Op::Pairwise,
    ),
    ("end(", &[")"], Op::End),
    ("Gaussian(", &[")"], Op::Gaussian),
    ("Response(", &[")"], Op::Response),
];

/// What is left of a line, its names as in the context.
pub(super) struct Reader<'a> {
    pub(super) context: &'a Context,
    pub(super) rest: &'a str,
}

impl<'a> Reader<'a> {
    pub(super) fn new(context: &'a Context, rest: &'a str) -> Self {
        Self { context, rest }
    }

    pub(super) fn eat(&mut self, word: &str) -> bool {
        let rest = self.rest.strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    pub(super) fn must(&mut self, word: &str) -> Result<(), Stuck> {
        let found = self.eat(word).then_some(());
        let why = || Stuck::new(format!("{word:?} was expected before {:?}", self.rest));
        found.ok_or_else(why)
    }

    pub(super) fn end(&self) -> Result<(), Stuck> {
        require(self.rest.is_empty(), "more than was expected")
    }

    pub(super) fn name(&mut self) -> Result<String, Stuck> {
        let length = self.rest.find(|c| !in_name(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(length);
        require(name.starts_with(char::is_alphabetic), "a name was expected")?;
        self.rest = rest;
        Ok(name.to_owned())
    }

    /// Parts with one of two signs between them, grouped to the left.
    fn row(
        &mut self,
        [(sign, many), (other, two)]: [(&str, Op); 2],
        part: fn(&mut Self) -> Result<Term, Stuck>,
    ) -> Result<Term, Stuck> {
        let (mut left, mut open) = (part(self)?, false);
        loop {
            let which = match (self.eat(sign), self.eat(other)) {
                (true, _) => many,
                (_, true) => two,
                _ => return Ok(left),
            };
            left = grouped(which, left, part(self)?, open && which == many);
            open = which == many;
        }
    }

    pub(super) fn sum(&mut self) -> Result<Term, Stuck> {
        self.row([(" + ", Op::Add), (" − ", Op::Sub)], Self::product)
    }

    pub(super) fn product(&mut self) -> Result<Term, Stuck> {
        if self.eat("Σ_{") {
            let x = self.name()?;
            let binder = match self.eat("∈") {
                true => Binder::Total,
                false => self.must("<").map(|()| Binder::Sum)?,
            };
            let of = self.primary()?;
            self.must("} ")?;
            return Ok(bind(binder, &x, of, self.product()?));
        }
        self.row([("·", Op::Mul), ("/", Op::Div)], Self::power)
    }

    pub(super) fn range(&mut self) -> Result<(String, Term), Stuck> {
        let x = self.name()?;
        self.must("<")?;
        Ok((x, self.primary()?))
    }

    pub(super) fn power(&mut self) -> Result<Term, Stuck> {
        if self.eat("∂_") {
            let j = Term::Var(self.name()?);
            self.must(" ")?;
            let f = Term::Var(self.name()?);
            self.must("(")?;
            let mut parts = vec![f, self.sum()?];
            if self.eat("; ") {
                parts.push(Term::Var(self.name()?));
            }
            parts.push(j);
            self.must(")")?;
            return Ok(Term::Op(Op::Partial, parts.into()));
        }
        let base = self.primary()?;
        let digits: String = self.rest.chars().map_while(lowered).collect();
        self.rest = self.rest.trim_start_matches(|c| lowered(c).is_some());
        if digits.is_empty() {
            return match self.eat("^") {
                true => Ok(op(Op::Pow, [base, self.primary()?])),
                false => Ok(base),
            };
        }
        let exponent = digits.parse().map_err(|_| Stuck::new("no power"))?;
        Ok(base.pow(exponent))
    }

    pub(super) fn primary(&mut self) -> Result<Term, Stuck> {
        let mut term = self.simple()?;
        while self.eat("[") {
            term = op(Op::At, [term, self.closed("]")?]);
        }
        Ok(term)
    }

    fn simple(&mut self) -> Result<Term, Stuck> {
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(Term::Num(self.whole()?.into()));
        }
        if self.eat("(−") {
            let value = self.whole()?;
            return self.must(")").map(|()| Term::Num((-value).into()));
        }
        if self.eat("(") {
            return self.closed(")");
        }
        for (open, closes, which) in GROUPS {
            if self.eat(open) {
                let parts: Result<_, Stuck> =
                    closes.iter().map(|close| self.closed(close)).collect();
                return Ok(Term::Op(*which, parts?));
            }
        }
        if self.eat("⟨") {
            let body = self.closed(" : ")?;
            let (x, of) = self.range()?;
            self.must("⟩")?;
            return Ok(bind(Binder::Vec, &x, of, body));
        }
        if self.eat("max(") {
            return self.maximum();
        }
        for (open, between, binder) in
            [("𝔼_{", "∼", Binder::Expect), ("∝_{", "<", Binder::Weighted)]
        {
            if self.eat(open) {
                let x = self.name()?;
                self.must(between)?;
                let of = self.closed("}[")?;
                return Ok(bind(binder, &x, of, self.closed("]")?));
            }
        }
        if self.eat("𝟙[") {
            let j = Term::Var(self.name()?);
            let which = match self.eat("=") {
                true => Op::Unit,
                false => self.must("∈").map(|()| Op::Member)?,
            };
            return Ok(op(which, [j, self.closed("]")?]));
        }
        self.named()
    }

    fn whole(&mut self) -> Result<Integer, Stuck> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit());
        let (digits, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        digits.parse().map_err(|_| Stuck::new("no number"))
    }

    /// A term and what closes it.
    pub(super) fn closed(&mut self, close: &str) -> Result<Term, Stuck> {
        let inside = self.sum()?;
        self.must(close)?;
        Ok(inside)
    }

    fn maximum(&mut self) -> Result<Term, Stuck> {
        let a = self.closed(", ")?;
        let b = self.sum()?;
        if self.eat(")") {
            return Ok(a.max_with(&b));
        }
        require(a == num(0), "a maximum over a range is of 0 and the rest")?;
        self.must(" : ")?;
        let (x, bound) = self.range()?;
        self.must(&format!(", {x}≠"))?;
        let j = self.primary()?;
        self.must(")")?;
        Ok(bind(Binder::Sup, &x, op(Op::Except, [bound, j]), b))
    }

    fn named(&mut self) -> Result<Term, Stuck> {
        let name = self.name()?;
        if self.eat("_") {
            return Ok(op(Op::At, [name, self.name()?].map(Term::Var)));
        }
        if self.eat("(") {
            let mut arguments = vec![self.sum()?];
            while self.eat(", ") {
                arguments.push(self.sum()?);
            }
            return self.must(")").map(|()| Term::App(name, arguments.into()));
        }
        match self.context.get(&name) {
            Some(Item::Define(..)) => Ok(app(&name, [])),
            _ => Ok(Term::Var(name)),
        }
    }
}

/// Another term of a row that is being read, or a new row of two.
fn grouped(which: Op, left: Term, right: Term, open: bool) -> Term {
    match left {
        Term::Op(op, terms) if open && op == which => {
            Term::Op(op, terms.iter().cloned().chain([right]).collect())
        }
        left => op(which, [left, right]),
    }
}

/// A superscript digit or minus as a plain one.
fn lowered(c: char) -> Option<char> {
    let which = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻".chars().position(|d| d == c)?;
    "0123456789-".chars().nth(which)
}
