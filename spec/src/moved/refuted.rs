//! Refutations as theorems: 1 ≤ 0 if what is printed holds. The kernel puts an instance into it.
//!
//! What is taken for printed is the claim, or a case of it (a number for an exponent, a dimension, a number of steps), never
//! more: so what contradicts it refutes the claim. A strict relation A < B is written as 1 ≤ 0 under B ≤ A, a strict hypothesis A < B as
//! A + η ≤ B for an η > 0; what must hold for some constant is assumed for that constant, which is any. A neighbouring
//! statement that is true is not refuted, which `spec/tests/data/neighbours.tsv` holds.

use super::Moved;
use super::written::{Proof, Written, extended, given, goal, inside, settle, show, term};
use crate::claim::{Refutation, THEOREM};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, both, chain, combine, discharge, instance, inverse};
use dp_assay_kernel::statement::{Context, Goal, Item, Statement};

/// One line for a claim: its id, and what is printed with its instance.
macro_rules! refuted {
    ($($id:literal: $printed:expr;)*) => {
        /// These claims.
        pub(super) const ALL: &[Moved] = &[$(Moved {
            id: $id,
            statement: || $printed.contradictory(),
            prove: |statement| $printed.fails(statement),
        }),*];

        /// What is printed, by their ids.
        pub(super) const PRINTED: &[(&str, Printed)] = &[$(($id, $printed)),*];
    };
}

mod alone;
mod kl;
mod printed;

/// Every claim whose refutation is a theorem.
pub(super) fn all() -> impl Iterator<Item = &'static Moved> {
    let all = [printed::ALL, alone::ALL, kl::ALL];
    all.into_iter().flatten()
}

/// What is printed, and an instance of it; lists are separated by semicolons.
struct Printed {
    /// What it is said of some of, such as the constant in an O(·), and refuted for all: real numbers with their signs.
    some: &'static str,
    /// The functions that it is said of here.
    with: &'static str,
    /// What makes these admissible: goals that are proved, too.
    also: &'static str,
    /// Squares that add up to the difference of the sides of such a goal, goals apart by a bar. One that reads m : y is
    /// m·(1 − y·(1/y)), which is 0.
    squares: &'static str,
    /// What it is said of all of: real numbers with their signs.
    all: &'static str,
    /// The hypotheses.
    given: &'static str,
    /// The relation.
    says: &'static str,
    /// Where it fails: a number for each of `all`.
    at: &'static str,
    /// The two sides are apart by at least one over this.
    gap: &'static str,
    /// What the letters are, for a reader; empty, too, where a check says so.
    means: &'static str,
    /// The claim that holds instead; empty where a check, which says so itself, refutes the claim besides.
    instead: &'static str,
}

const NOTHING: Printed = Printed {
    some: "",
    with: "",
    also: "",
    squares: "",
    all: "",
    given: "",
    says: "",
    at: "",
    gap: "1000",
    means: "",
    instead: "",
};

/// What is known of a claim that only the kernel refutes; `None` for any other.
pub(crate) fn failure(id: &str) -> Option<Refutation> {
    let every = [printed::PRINTED, alone::PRINTED, kl::PRINTED];
    let mut every = every.into_iter().flatten();
    let (_, printed) = every.find(|(name, _)| *name == id)?;
    (!printed.instead.is_empty()).then(|| printed.failure())
}

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(';')
        .map(str::trim)
        .filter(|item| !item.is_empty())
}

/// A relation from its squares.
fn from_squares(context: &Context, goal: &Goal, squares: &str) -> Proof {
    let parts = list(squares).map(|square| match square.split_once(" : ") {
        Some((times, of)) => Ok((times, Some(inverse(context, &term(context, of)?)?))),
        None => Ok((square, None)),
    });
    let parts = parts.collect::<Result<Vec<_>, Stuck>>()?;
    let from: Vec<Vec<&Theorem>> = parts.iter().map(|(_, of)| of.iter().collect()).collect();
    let parts: Vec<Written<'_>> = { parts.iter().zip(&from) }
        .map(|((times, _), from)| (*times, from.as_slice()))
        .collect();
    settle(context, goal, &parts)
}

impl Printed {
    /// Where it fails, as the kernel has found.
    fn failure(&self) -> Refutation {
        let with = list(self.with).map(str::to_owned);
        let names = list(self.all).filter_map(|item| item.split(' ').next());
        let at = names.zip(list(self.at)).map(|(x, v)| format!("{x} = {v}"));
        let point: Vec<String> = with.chain(at).collect();
        Refutation {
            counterexample: format!("{}; {}: {} fails", self.means, point.join(", "), self.says),
            evidence: THEOREM.to_owned(),
            factor: None,
            repaired: Some(self.instead.to_owned()),
        }
    }

    /// That its functions are admissible, and that 1 ≤ 0 if it holds.
    fn contradictory(&self) -> Result<Statement, Stuck> {
        let each = |head: &str, items, end: &str| -> String {
            list(items)
                .map(|item| format!("{head} {item}{end}"))
                .collect()
        };
        let context = extended(&Context::default(), &each("real", self.some, "\n"))?;
        let context = extended(&context, &each("define", self.with, "\n"))?;
        let printed =
            each("for every real", self.all, ": ") + &each("if", self.given, ": ") + self.says;
        let false_then = goal(&context, &format!("if {printed}: 1 ≤ 0"))?;
        let admissible = list(self.also).map(|text| goal(&context, text));
        let mut goals = admissible.collect::<Result<Vec<Goal>, Stuck>>()?;
        goals.push(false_then);
        let goal = match goals.len() {
            1 => goals.remove(0),
            _ => Goal::Both(goals),
        };
        Ok(Statement { context, goal })
    }

    /// Every goal of such a statement.
    fn fails(&self, statement: &Statement) -> Proof {
        let context = &statement.context;
        let goals = match &statement.goal {
            Goal::Both(goals) => goals.as_slice(),
            goal => std::slice::from_ref(goal),
        };
        let prove = |goal: &Goal| match goal {
            Goal::If(printed, _) => self.refuted(context, printed),
            _ => inside(context, goal, &|h, goal| self.square(h, goal)),
        };
        let mut proved = goals
            .iter()
            .map(prove)
            .collect::<Result<Vec<Theorem>, Stuck>>()?;
        match proved.len() {
            1 => Ok(proved.remove(0)),
            _ => both(context, &proved.iter().collect::<Vec<_>>()),
        }
    }

    /// A relation that is plain, or from squares.
    fn square(&self, context: &Context, goal: &Goal) -> Proof {
        let plain = settle(context, goal, &[]);
        self.squares.split('|').fold(plain, |found, squares| {
            found.or_else(|_| from_squares(context, goal, squares))
        })
    }

    /// 1 ≤ 0 if what is printed holds: its hypotheses are decided at the instance, and its two sides are apart.
    fn refuted(&self, context: &Context, printed: &Goal) -> Proof {
        let context = &context.extended(Item::Assume(printed.clone()))?;
        let mut values = list(self.at);
        let mut printed = given(context, 0)?;
        loop {
            printed = match &printed.statement().goal {
                Goal::Every(x, ..) => {
                    let value = values.next();
                    let value = value.ok_or_else(|| Stuck::new(format!("no value of {x}")))?;
                    instance(context, &printed, &term(context, value)?)?
                }
                Goal::If(hypothesis, _) => {
                    let decided = combine(context, (**hypothesis).clone(), &[])?;
                    chain(context, &printed, &decided)?
                }
                _ => break,
            };
        }
        if let Some(value) = values.next() {
            return Err(Stuck::new(format!("{value} is the value of nothing")));
        }
        let apart = |factor: &str| show(context, "1 ≤ 0", &[(factor, &[&printed])]);
        let nonsense = match &printed.statement().goal {
            Goal::Eq(..) => apart(self.gap).or_else(|_| apart(&format!("(−1)·({})", self.gap))),
            _ => apart(self.gap),
        };
        discharge(&nonsense?)
    }
}
