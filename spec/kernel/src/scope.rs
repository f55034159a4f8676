//! Names: each is introduced once before it is used.

use crate::Stuck;
use crate::statement::{Context, INPUT, Sort};
use crate::term::{Binder, Name, Op, Term};

/// A context with bound variables that stand inside a term.
pub(crate) struct Scope<'a> {
    pub context: &'a Context,
    pub locals: Vec<(Name, Sort)>,
}

/// Words of the text that are no names.
const RESERVED: [&str; 17] = [
    "Gaussian", "Laplace", "N", "Pairwise", "Response", "argmax", "clip", "end", "exp", "if",
    "log", "max", "min", "sqrt", "ℙ", "𝔼", INPUT,
];

/// Letters of names besides the Latin ones: the papers'. None looks like another, like a sign or like nothing, as many letters
/// of the world do.
const LETTERS: &str = "αβγδεζηθικλμνξπρςστυφχψωϑϖϱϵΓΔΘΛΞΠΣΦΨΩāℒℓ𝒟𝒮𝒯";

/// Whether a name may have this character.
pub(crate) fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || LETTERS.contains(c) || "₀₁₂₃₄₅₆₇₈₉ᵢₘₙₜ′⋆".contains(c)
}

/// Fails unless text reads this as a name, and it is no word of the language. So no name of a term is one of those that
/// substitution and normal forms make for a while.
pub(crate) fn sensible(name: &str) -> Result<(), Stuck> {
    let letter = |c: char| c.is_ascii_alphabetic() || LETTERS.contains(c);
    let begins = name.chars().next().is_some_and(letter);
    match begins && name.chars().all(in_name) && !RESERVED.contains(&name) {
        true => Ok(()),
        false => stuck(format!("{name:?} is not a name")),
    }
}

pub(crate) fn stuck<T>(why: String) -> Result<T, Stuck> {
    Err(Stuck::new(why))
}

impl<'a> Scope<'a> {
    pub fn new(context: &'a Context) -> Self {
        let locals = Vec::new();
        Self { context, locals }
    }

    pub fn sort(&self, name: &str) -> Option<&Sort> {
        let local = self.locals.iter().rev().find(|(x, _)| x == name);
        local.map_or_else(|| self.context.sort(name), |(_, sort)| Some(sort))
    }

    /// A binder's variable and body, under a name that the context has not: a definition that stands behind a variable of that name
    /// may mention it, and be put into one that stands before it and binds the name.
    pub fn own(&self, name: &str, body: &Term) -> (Name, Term) {
        let own = match self.context.get(name) {
            None => return (name.to_owned(), body.clone()),
            Some(_) => format!("?{:09}", self.locals.len()),
        };
        (own.clone(), body.put(name, &Term::Var(own)))
    }

    /// The sort of a binder's variable.
    pub fn bound(&self, binder: Binder, of: &Term) -> Result<Sort, Stuck> {
        let sort = match (binder, of) {
            (Binder::Sum | Binder::Vec | Binder::Weighted, bound) => {
                Some(Sort::Index(bound.clone()))
            }
            (Binder::Sup, Term::Op(Op::Except, range)) => range.first().cloned().map(Sort::Index),
            (Binder::Total, Term::Var(data)) => {
                matches!(self.context.sort(data), Some(Sort::Dataset(..))).then_some(Sort::Record)
            }
            (Binder::Expect, law) => Sort::drawn(self.context, law),
            _ => None,
        };
        sort.ok_or_else(|| Stuck::new(format!("{of:?} is not what a {binder:?} ranges over")))
    }

    pub fn fresh(&self, name: &str) -> Result<(), Stuck> {
        if self.sort(name).is_some() || self.context.get(name).is_some() {
            return stuck(format!("{name} has a meaning already"));
        }
        sensible(name)
    }
}
