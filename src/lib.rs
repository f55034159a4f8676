//! Executable privacy theorems, solvers, accountants and audits for differentially private
//! optimisation.
//!
//! # Map
//!
//! | question | where |
//! |---|---|
//! | What do the papers claim, and does it hold? | [`dp_assay_spec`], joined with evidence in `ledger` |
//! | What ε does this mechanism have? | [`accounting`]: [`account`](accounting::account), [`calibrate`](accounting::calibrate) |
//! | Is this program as private as it says? | [`audit`]: [`Audit`](audit::Audit), [`gate!`], [`external`](audit::external) |
//! | How are the algorithms of the papers run? | [`solver`], on a [`problem`], with noise from a [`mechanism::tape`] |
//! | How do I add noise to something that I publish? | [`mechanism::release`], and nothing else |
//! | How far do the papers' experiments reproduce? | `experiment` (feature `cli`) |
//! | What does a run look like to a reader? | `report` (feature `cli`) |
//! | How do times grow with steps, records, features, outputs? | `contributing` (feature `cli`) |
//! | How do I add a claim, a paper, a mechanism, an accountant, an audit? | `contributing` (feature `cli`) |
//!
//! [`prelude`] brings what most programs need. Every algorithm stands twice under the same short name
//! of its paper (`skgd`, `gcd`, `decor`, `kl`, `ambssgd`): `reference` is the pseudocode, `optimized`
//! is fast, and a test couples the two on the same noise.
//!
//! Quantities carry their units ([`units`]), every bound carries its direction, and every random
//! choice has an address on the noise tape, so that a result can be replayed bit for bit on any number
//! of threads.
//!
//! # Gate a mechanism of your own
//!
//! With dp-assay among the dev-dependencies:
//!
//! ```no_run
//! use dp_assay::prelude::*;
//!
//! gate! {
//!     /// A count with Laplace noise of scale 2 is ½-private when one record is added.
//!     fn the_count_is_as_private_as_it_says() {
//!         let count = from_fn("noisy count", |records: &Vec<bool>, tape| {
//!             let noise = 2.0 * tape.uniform(0, Purpose::User, 0).laplace();
//!             records.iter().filter(|r| **r).count() as f64 + noise
//!         });
//!         Audit::of(count)
//!             .claim(0.5, 0.0)
//!             .neighbours(Neighbouring::AddRemove, vec![true; 9], vec![true; 10])
//!     }
//! }
//! # fn main() {}
//! ```
//!
//! # How to read a claim
//!
//! A claim is one statement of one paper, as printed, with an id such as `gcd-thm-4.2`: paper, kind of
//! statement, number. Behind the number may stand `-reading-…` (an ambiguous print has a claim for each
//! reading), `-proof` (a step or constant of the printed proof), `-repaired` (what does hold), `-corrected` (a whole
//! theorem that may be used instead: one run, private and useful),
//! `-restricted` (the printed statement on the part of its domain where it holds). Its verdict is
//! computed:
//!
//! | verdict | means | look at |
//! |---|---|---|
//! | `proved` | true on the whole printed domain, every step decided without sampling and without tolerance, from the cited premises that are listed with it | domain, slack: how much smaller the noise could be |
//! | `argued` | as proved, but for the steps that are made in words | the steps by hand, the premises |
//! | `cited` | taken from elsewhere | evidence: the source |
//! | `supported` | true as far as statistics reach | evidence: with which probability by accident |
//! | `refuted` | false at a point of the printed domain, re-checked in exact or outward-rounded arithmetic; a step in words is listed | counterexample, severity, and the id of what holds instead |
//! | `empty` | nothing satisfies the hypotheses | contradiction, and the id of what has better ones |
//! | `well-posed` | a definition that something satisfies, an algorithm that runs | the witness |
//! | `open` | none of these | evidence: what was tried and what is missing |
//!
//! A line of the implementation that rests on a claim says so, `//= gcd-eq-2`, and a test refuses ids
//! that do not exist, and refuted ones that do not name their repair. A claim is at most *supported*
//! while one that it rests on does not hold.
//!
//! # Features
//!
//! | feature | adds | needs |
//! |---|---|---|
//! | none | accountants, solvers, audits, safe noise, in pure Rust | |
//! | `certify` | the specification's arithmetic, the certified oracle, the ledger | a C compiler, make and m4 |
//! | `cli` (default) | the command, reports, campaigns, experiments | implies `certify` |

pub mod accounting;
pub mod audit;
pub mod float;
pub mod graph;
pub mod mechanism;
pub mod prelude;
pub mod problem;
pub mod solver;
pub mod units;

#[cfg(feature = "cli")]
pub mod contributing;
#[cfg(feature = "cli")]
pub mod experiment;
#[cfg(feature = "certify")]
pub mod ledger;
#[cfg(feature = "cli")]
pub mod report;

/// The code of README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
