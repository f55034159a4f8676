//! Statements and proofs for a reader: Unicode text, which is read back to the same statement, and MathML.

mod layout;
mod parse;
mod text;

pub use parse::statement as parse;
pub use text::term as text;

use crate::rules::Theorem;
use crate::statement::Goal;
use crate::term::Term;
use crate::trace::Step;
use std::fmt::Write as _;
use std::sync::Arc;

/// A term as a MathML element, for the report and the documentation.
#[must_use]
pub fn mathml(term: &Term) -> String {
    text::layout(term).mathml()
}

/// A goal as a formula in MathML that stands by itself.
#[must_use]
pub fn mathml_goal(goal: &Goal) -> String {
    format!(
        "<math display=\"block\">{}</math>",
        text::goal(goal).mathml()
    )
}

/// The proof of a theorem for a person: its premises with their sources, then every step with the rule and the
/// steps that it rests on, the last being the statement. Contexts are given by what they add to the statement's.
#[must_use]
pub fn proof(theorem: &Theorem) -> String {
    let mut text = format!("{}\n\npremises\n", theorem.statement());
    if theorem.premises().is_empty() {
        text.push_str("  none\n");
    }
    for premise in theorem.premises() {
        let _ = writeln!(text, "  {}: {premise}", premise.name);
    }
    text.push_str("\nproof\n");
    let mut steps = Vec::new();
    write_step(theorem, theorem.trace(), &mut steps, &mut text);
    text
}

fn write_step(
    theorem: &Theorem,
    step: &Arc<Step>,
    steps: &mut Vec<*const Step>,
    text: &mut String,
) -> usize {
    if let Some(i) = steps.iter().position(|s| *s == Arc::as_ptr(step)) {
        return i + 1;
    }
    let mut from = String::new();
    for (i, before) in step.from().iter().enumerate() {
        let word = if i == 0 { ", from " } else { " and " };
        let _ = write!(from, "{word}{}", write_step(theorem, before, steps, text));
    }
    let own = step.statement().context.items();
    let known = theorem.statement().context.items();
    let shared = own.iter().zip(known).take_while(|(a, b)| a == b).count();
    let added: Vec<String> = own[shared..].iter().map(ToString::to_string).collect();
    let given = match added.is_empty() {
        true => String::new(),
        false => format!("for all {}: ", added.join(", ")),
    };
    steps.push(Arc::as_ptr(step));
    let (number, rule, goal) = (steps.len(), step.rule(), &step.statement().goal);
    let _ = writeln!(text, "  {number}. {given}{goal}   ({rule}{from})");
    number
}
