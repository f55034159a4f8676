//! For-all-over-a-box prover, refuter, certificates and their replay.
//!
//! | module | what it does |
//! |---|---|
//! | `expr`, `problem` | what is to be proved: [`Expr`], [`Domain`], [`Forall`] |
//! | `search` | finds a proof (branch and bound) or meets a counterexample |
//! | `certificate`, `replay` | a proof as data, and its independent re-check |
//! | `refute` | counterexamples by random and local search, re-checked by certified arithmetic |
//! | `picture` | where an inequality holds or fails, as shapes for a drawing |
//! | `identity`, `exact` | equal formulas, privacy ledgers, enumeration, slack, edge of a domain |
//! | `argument` | writes a check as a chain of such steps; gives the verdict |
//!
//! # How to encode a claim in ten minutes
//!
//! 1. One `pub const THM_4_2: Claim = Claim { …, check: thm_4_2 }` and one `fn thm_4_2(check: &Check)
//!    -> Verdict` beside it, named like the id, in the file of its part of the paper.
//! 2. Every printed number that the verdict depends on goes through [`Check::constant`], so that false
//!    neighbours can be made mechanically (`cargo test -p dp-assay-spec neighbours`).
//! 3. The check is a chain of steps of an [`Argument`]. `states…` is the claim itself (its failure
//!    refutes the claim), `needs…` belongs to the proof (its failure leaves the claim open).
//! 4. Verdicts are computed: never build [`Verdict::proved`] from a condition that cannot fail.
//!
//! ## A proof for all parameters
//! A range may end at [`infinite`], or be compact through 1/T or
//! x/(1+x) ([`Domain::at_least`], [`Domain::positive`]); open ends are honest; every
//! divisor must be > 0, every argument of `ln` > 0 and of `sqrt` ≥ 0 on the whole domain, which is
//! proved first. Write both sides so that they stay finite where a variable goes to infinity.
//!
//! ```
//! use dp_assay_spec::claim::{Check, Effort, Verdict};
//! use dp_assay_spec::prove::{Argument, Domain, Forall, closed, open};
//!
//! fn check(check: &Check) -> Verdict {
//!     let factor = check.constant("factor", 2);
//!     let mut domain = Domain::new();
//!     let eps = domain.real("eps", open(0), closed(1));
//!     // e^ε − 1 ≤ 2ε for all ε in (0, 1].
//!     let statement = Forall::le(domain, eps.exp_m1(), factor * &eps);
//!     Argument::new(check)
//!         .repaired("gcd-example-repaired") // used only if it comes out refuted
//!         .states("gcd-example", &statement)
//!         .proved_on("eps in (0, 1]")
//! }
//! assert_eq!(check(&Check::printed(Effort::Search)).name(), "proved");
//! ```
//!
//! A refuted statement needs nothing else: the same code yields `Refuted` with the counterexample.
//! Where lhs and rhs touch inside the domain, divide the common zero out with [`Forall::factored`].
//! Hypotheses are added with [`Forall::when_le`].
//!
//! ## A privacy ledger
//! Walk the algorithm as printed, count every release, compare the total.
//!
//! ```
//! # use dp_assay_spec::claim::{Check, Effort, Verdict};
//! # use dp_assay_spec::prove::{Argument, Domain, Costs, closed};
//! fn check(check: &Check) -> Verdict {
//!     let per_step = check.constant("accesses per step", 2);
//!     let mut domain = Domain::new();
//!     let (t, rho) = (domain.at_least("T", 1), domain.positive("rho"));
//!     let spent = Costs::new()
//!         .release("selection, t = 0..T-1", &t, &rho / (2 * &t))
//!         .release("gradient entry, t = 0..T-1", &t, &rho / (2 * &t))
//!         .total();
//!     let claimed = per_step * &rho / 2;
//!     Argument::new(check)
//!         .states_identity("releases x cost = claimed budget", &spent, &claimed)
//!         .proved_on("T >= 1, rho > 0")
//! }
//! assert_eq!(check(&Check::printed(Effort::Replay)).name(), "proved");
//! ```
//!
//! ## Enumeration
//! [`enumerate`] over the finite family, exact rationals inside; say so in the domain (`"restricted to graphs on at most
//! 7 nodes"`) and use a `-restricted` id if the printed domain is larger.
//!
//! ```
//! # use dp_assay_spec::claim::{Check, Effort, Verdict};
//! # use dp_assay_spec::prove::{Argument, enumerate};
//! fn check(check: &Check) -> Verdict {
//!     let bound = check.constant("bound", 5);
//!     let found = enumerate(0..=5_i64, |k| {
//!         (*k > bound).then(|| format!("k = {k}: {k} <= {bound} fails"))
//!     });
//!     let what = format!("{} cases", found.as_ref().unwrap_or(&0));
//!     let failure = found.as_ref().err().cloned();
//!     Argument::new(check)
//!         .states_that(&what, failure.is_none(), || failure.unwrap_or_default())
//!         .proved_on("integers k in 0..=5")
//! }
//! assert_eq!(check(&Check::printed(Effort::Replay)).name(), "proved");
//! ```
//!
//! ## Other kinds
//! - A point that refutes: compute both sides exactly (or as [`Interval`]s that do not overlap) there and give the
//!   comparison to [`Argument::states_that`]; the comparison, not the author, decides.
//! - Empty hypotheses: prove that nothing satisfies them like a statement, then return [`Verdict::empty`] with
//!   that proof as evidence; if it is not proved, return what [`Argument::open_for`] says.
//! - Steps by hand: what joins the statement and the steps in words (an induction, a coupling, Jensen's inequality, a
//!   reduction to one dimension) goes into [`Claim::by_hand`], one sentence each: the verdict is then *argued*, not
//!   *proved*. So it is with every [`Argument::note`], if the claim lists no steps.
//! - Rates, expectations, probabilities: encode the explicit constants, check the deterministic part (algebra between
//!   statement and proof, an implied inequality) with `states…`, and end with [`Argument::open_for`] and the precise
//!   statistical question that is left. A refuted deterministic part refutes the claim by itself.
//!
//! Certificates of 8 boxes or more are stored in `spec/certificates/<paper>.txt` (text by [`regenerate`]) and replayed by
//! `cargo test`; the name given to a step is the claim's id, with `/part` behind it if the claim has several.
//!
//! [`Check::constant`]: crate::claim::Check::constant
//! [`Claim::by_hand`]: crate::claim::Claim::by_hand
//! [`Verdict::empty`]: crate::claim::Verdict::empty
//! [`Verdict::proved`]: crate::claim::Verdict::proved
//! [`Interval`]: crate::arith::Interval

mod argument;
mod certificate;
mod differentiate;
mod enclose;
mod exact;
mod expr;
mod identity;
mod picture;
mod problem;
mod quadratic;
mod refute;
mod replay;
mod search;
mod stored;
mod wengert;

pub use argument::{Argument, decide, draw};
pub use certificate::{BoxSide, Certificate, Tree};
pub use exact::{Costs, ReleaseCost, Slack, bisect, enumerate, slack};
pub use expr::{Expr, Fun, Node, symbols};
pub use identity::identical;
pub use picture::{Axis, Found, Patch, Picture, Sample, Samples, Seen, Step};
pub use problem::{Domain, End, Forall, Map, SignCondition, Var, closed, infinite, open, readable};
pub use quadratic::negative_direction;
pub use refute::{FailingPoint, refute, violation};
pub use replay::replay;
pub use search::{BUDGET, Decision, search};
pub use stored::{regenerate, regenerate_all, stored};

#[cfg(test)]
mod searched;
#[cfg(test)]
mod tests;
