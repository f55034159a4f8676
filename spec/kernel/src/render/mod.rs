//! Statements for a reader: Unicode text, which is read back to the same statement, and MathML.

mod layout;
mod parse;
mod terms;
pub(crate) mod text;

pub use parse::{goal, items, statement as parse};
pub use text::term as text;

use crate::statement::Goal;
use crate::term::Term;

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
