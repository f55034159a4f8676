//! Refutations as theorems: a printed statement is assumed, the kernel puts an instance into it and derives 1 ≤ 0.
//!
//! What is assumed is the claim, or a case of it (a number for an exponent, a dimension, a number of steps), never more: so what
//! contradicts it refutes the claim. A strict relation A < B is written as 1 ≤ 0 under B ≤ A, a strict hypothesis A < B as
//! A + η ≤ B for an η > 0; what must hold for some constant is assumed for that constant, which is any. A neighbouring
//! statement that is true is not refuted, which `spec/tests/data/neighbours.tsv` holds.

use super::written::{Written, extended, given, goal, inside, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, both, chain, combine, instance};
use dp_assay_kernel::statement::{Context, Goal, Statement};
use dp_assay_kernel::term::num;

mod printed;

pub(super) use printed::ALL;

/// What is printed, and an instance of it; lists are separated by semicolons.
struct Printed {
    /// What it is said of any of, such as the constant in an O(·): real numbers with their signs.
    any: &'static str,
    /// The functions that it is said of here.
    with: &'static str,
    /// What makes these admissible: goals that are proved, too.
    also: &'static str,
    /// Squares that add up to the difference of the sides of such a goal.
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
}

const NOTHING: Printed = Printed {
    any: "",
    with: "",
    also: "",
    squares: "",
    all: "",
    given: "",
    says: "",
    at: "",
    gap: "1000",
};

fn list(text: &str) -> impl Iterator<Item = &str> {
    text.split(';')
        .map(str::trim)
        .filter(|item| !item.is_empty())
}

impl Printed {
    /// The statement that it is contradictory, and that its functions are admissible.
    fn contradictory(&self) -> Result<Statement, Stuck> {
        let each = |head: &str, items, end: &str| -> String {
            list(items)
                .map(|item| format!("{head} {item}{end}"))
                .collect()
        };
        let context = extended(&Context::default(), &each("real", self.any, "\n"))?;
        let context = extended(&context, &each("define", self.with, "\n"))?;
        let printed =
            each("for every real", self.all, ": ") + &each("if", self.given, ": ") + self.says;
        let context = extended(&context, &format!("assume {printed}"))?;
        let admissible = list(self.also).map(|text| goal(&context, text));
        let mut goals = admissible.collect::<Result<Vec<Goal>, Stuck>>()?;
        goals.push(Goal::Le(num(1), num(0)));
        let goal = match goals.len() {
            1 => goals.remove(0),
            _ => Goal::Both(goals),
        };
        Ok(Statement { context, goal })
    }

    /// Every goal of such a statement.
    fn fails(&self, statement: &Statement) -> Result<Theorem, Stuck> {
        let context = &statement.context;
        let Goal::Both(goals) = &statement.goal else {
            return self.fails_at(context);
        };
        let admissible = goals.iter().take(goals.len() - 1);
        let proved = admissible.map(|goal| inside(context, goal, &|h, goal| self.square(h, goal)));
        let mut proved = proved.collect::<Result<Vec<Theorem>, Stuck>>()?;
        proved.push(self.fails_at(context)?);
        both(context, &proved.iter().collect::<Vec<_>>())
    }

    /// A relation that is plain, or from squares.
    fn square(&self, context: &Context, goal: &Goal) -> Result<Theorem, Stuck> {
        let squares: Vec<Written<'_>> = list(self.squares).map(|s| (s, &[][..])).collect();
        settle(context, goal, &[]).or_else(|_| settle(context, goal, &squares))
    }

    /// 1 ≤ 0: the hypotheses are decided at the instance, and the two sides are apart.
    fn fails_at(&self, context: &Context) -> Result<Theorem, Stuck> {
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
        let apart = |factor: &str| show(context, "1 ≤ 0", &[(factor, &[&printed])]);
        match &printed.statement().goal {
            Goal::Eq(..) => apart(self.gap).or_else(|_| apart(&format!("(−1)·({})", self.gap))),
            _ => apart(self.gap),
        }
    }
}
