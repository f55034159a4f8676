//! Statements and their parts as text.

use crate::render::text;
use crate::statement::{Goal, Item, Notion, Statement};
use std::fmt;

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Var(x, sort) => f.write_str(&text::variable(x, sort)),
            Self::Assume(goal) => write!(f, "assume {goal}"),
            Self::Define(x, parameters, body) => {
                let all = parameters.iter().map(|(p, s)| text::parameter(p, s));
                let all = all.collect::<Vec<_>>().join(", ");
                let head = if all.is_empty() {
                    x.clone()
                } else {
                    format!("{x}({all})")
                };
                write!(f, "define {head} := {}", text::term(body))
            }
            Self::Process(x, p) => f.write_str(&text::process(x, p)),
        }
    }
}

impl fmt::Display for Notion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::notion(self).text())
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::goal(self).text())
    }
}

impl fmt::Display for Statement {
    /// The items of the context, one to a line, and what holds for all of them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("for all\n")?;
        let mut items = self.context.items().iter();
        items.try_for_each(|item| writeln!(f, "  {item}"))?;
        write!(f, "holds\n  {}", self.goal)
    }
}
