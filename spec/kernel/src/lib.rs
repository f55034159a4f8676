//! The proof kernel: statements are terms, and a theorem is made by a rule or not at all.
//!
//! A [`Theorem`](rules::Theorem) holds a [`Statement`](statement::Statement), the lemmas that were cited on the
//! way (its premises) and a trace from which a second checker, which shares no code with this one, comes to the
//! same statement. What it holds is private to [`rules`], whose functions are the only ones that return it.
//!
//! | module | what is in it | trusted |
//! |---|---|---|
//! | [`term`], [`statement`] | the language, substitution, equality up to bound names | yes |
//! | `scope`, `sorts`, `goals`, `sign`, `tame` | side conditions computed from terms: names, meaning, sign, existence of expectations | yes |
//! | `normal` | exact arithmetic: normal forms of numbers | yes |
//! | [`rules`] | the rules; each with its statement, source and why it is sound | yes |
//! | [`premise`] | cited lemmas as statements over arbitrary mechanisms | yes |
//! | [`render`] | statements as text and MathML; text is read back to the same statement | yes: it is what is read |
//! | [`search`] | what finds multipliers | no |
//! | [`trace`] | the steps of a proof, of which a theorem is the last; proofs for the second checker (`spec/formats/trace.md`) and for a person | the steps |
//!
//! How it is tested: `tests/kernel` evaluates what every rule and premise concludes on random instances, without normal
//! forms, beside a wrong twin that the same instances must catch (`rules`, `privacy`), violates the side conditions
//! (`refusals`, `draws`, `choices`), reads text back (`render`), tells apart what differs in one part (`forms`), and compares traces word by word
//! (`traces`); the repository's `tests/data/mutants_kernel.csv` keeps what became of a random sample of mutants. The claims
//! that have moved are listed in `dp_assay_spec::moved`; the specification's tests give their traces, and a thousand
//! corrupted ones, to the second checker, and hold neighbouring statements against the programs that prove them.
//!
//! What it has no rule for yet: amplification by sampling and shuffling, neighbours of another size, group
//! privacy, profiles of pairs at an ε. A lower bound over all mechanisms is about maps of data and normal noise. A probability is
//! the expectation of an indicator. Parallel composition needs none: neighbours differ in one
//! record, and what the others add may be any function that reads no data (`ambssgd-thm-3.6-zcdp`).
//!
//! What a term denotes is a total function of its variables: x/0, a negative power of 0, the root of a number < 0, the logarithm of
//! one ≤ 0 and an expectation that does not exist are 0, and in a process a negative variance or scale is one of 0. Every rule is
//! sound in this model: those that compute with such a term, for its sign, its normal form or its expectation, first see that its
//! arguments are in the domain, and the others (`tangent`, `larger`, `triangle`, …) hold for all numbers. So 1 + 1/0 ≤ exp(1/0) is
//! a theorem, which says no more than 1 ≤ exp(0). Of what claims print, a test of the specification shows that
//! every divisor and every argument of a logarithm is > 0 and every argument of a root ≥ 0.
//!
//! ```
//! use dp_assay_kernel::rules::{Fact, Part, assume, combine};
//! use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort};
//! use dp_assay_kernel::term::{num, var};
//!
//! // For all real x > 0 with x ≤ 1: x² ≤ x, since x − x² = x·(1 − x).
//! let x = var("x");
//! let context = Context::default().with([
//!     Item::Var("x".into(), Sort::Real(Sign::Positive)),
//!     Item::Assume(Goal::Le(x.clone(), num(1))),
//! ])?;
//! let small = assume(&context, 1)?;
//! let goal = Goal::Le(x.pow(2), x.clone());
//! let theorem = combine(&context, goal.clone(), &[Part::new(x, [Fact::from(&small)])])?;
//! assert_eq!(theorem.statement().goal, goal);
//! # Ok::<(), dp_assay_kernel::Stuck>(())
//! ```
//!
//! Nothing else makes a theorem: what it holds is private, it cannot be defaulted, and there is no way to read one.
//!
//! ```compile_fail,E0423
//! use dp_assay_kernel::rules::Theorem;
//! fn forged(from: Theorem) -> Theorem {
//!     Theorem(from.trace().clone())
//! }
//! ```
//! ```compile_fail,E0451
//! fn forged(from: dp_assay_kernel::trace::Step) -> dp_assay_kernel::trace::Step {
//!     dp_assay_kernel::trace::Step { rule: "none", ..from }
//! }
//! ```
//! ```compile_fail,E0599
//! let forged = dp_assay_kernel::rules::Theorem::default();
//! ```
//! ```compile_fail,E0616
//! fn changed(mut theorem: dp_assay_kernel::rules::Theorem, other: dp_assay_kernel::statement::Statement) {
//!     theorem.0.statement = other;
//! }
//! ```
//! ```compile_fail,E0624
//! # use dp_assay_kernel::{rules::Theorem, statement::{Context, Goal}, term::num};
//! let forged = Theorem::conclude("none", &Context::default(), Goal::Le(num(1), num(0)), vec![], &[]);
//! ```
//! ```compile_fail,E0277
//! # fn read<T: std::str::FromStr>() {}
//! read::<dp_assay_kernel::rules::Theorem>();
//! ```
//! ```compile_fail,E0594
//! # use dp_assay_kernel::{rules::Theorem, statement::Goal, term::num};
//! fn changed(theorem: &mut Theorem) {
//!     theorem.statement().goal = Goal::Le(num(1), num(0));
//! }
//! ```
//! A context cannot be had without the checks of its items:
//! ```compile_fail,E0423
//! # use dp_assay_kernel::statement::Context;
//! let context = Context(vec![].into());
//! ```

pub mod premise;
pub mod render;
pub mod rules;
pub mod search;
pub mod statement;
pub mod term;
pub mod trace;

mod display;
mod goals;
mod normal;
mod scope;
mod sign;
mod sorts;
mod tame;

use std::fmt;

/// Why a rule does not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck(String);

impl Stuck {
    /// The reason, in words.
    pub fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Stuck {}
