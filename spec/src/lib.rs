//! The theorems of five papers on private optimisation, and those that accountants rest on, as executable claims.
//!
//! This crate is the trusted base of dp-assay: it says what the papers state and decides, by
//! outward-rounded or exact arithmetic, whether it holds. It never depends on the implementation
//! that it judges.
//!
//! | module | what is in it |
//! |---|---|
//! | [`paper`] | the table of papers |
//! | [`units`] | ε, δ, ρ, scales and neighbouring relations as types |
//! | [`claim`] | what a claim and a verdict are |
//! | [`arith`] | intervals over MPFR, exact rationals, enclosures of special functions |
//! | [`prove`] | for-all-over-a-box prover, refuter, certificates and their replay |
//! | [`kernel`] | theorems made by rules |
//! | [`moved`] | the claims that are such theorems, with the programs that prove them |
//! | [`privacy`] | certified definitions of privacy notions, conversions and composition |
//! | [`skgd`], [`gcd`], [`decor`], [`kl`], [`ambssgd`] | the papers, claim by claim |
//! | [`acc`] | the collection beside the papers: theorems of the literature that accountants rest on |
//! | [`findings`] | what does not hold as printed, with effect and repair; what the papers are cited for, and what corrects it |
//! | [`coverage`] | which places of the papers are decided by claims |
//!
//! # Why should I believe this?
//!
//! It depends on the claim's basis, which `dp-assay ledger` says of each.
//!
//! The kernel's: the statement is a term, from which its text is printed and to which the text reads back; the proof is made by
//! rules, each a lemma over arbitrary objects with its source or the reason beside it, and by nothing else: a theorem's
//! proof is private to the rules.
//! What is to be trusted, in lines of code without comments:
//!
//! | what | files of `spec/kernel/src` | lines |
//! |---|---|---|
#![doc = include_str!("trusted.md")]
//!
//! Such a claim has a check besides only if that measures slack or draws a picture, covers steps beyond the term, tells the point
//! where what is printed fails, or if the claim is a corrected theorem, which is no paper's and is decided twice.
//!
//! How it is tested:
//! - Every rule and premise is held against numbers on random instances, a thousand in the gate, the first of ten
//!   thousand or more whose result is stored (`spec/kernel/tests/data/falsifiers.csv`), beside a wrong twin that the same
//!   instances must catch (`spec/kernel/tests`). Side conditions are violated one
//!   at a time in tests that are written by hand: that none is forgotten there is not shown.
//! - Changes that cargo-mutants makes to the kernel, rendering apart, are drawn at random and held against its tests; one that
//!   is not seen gets a test or a reason (`tests/data/mutants_kernel.csv`; `tests/faults/mutants.rs` says the rate).
//! - A second checker in another language, which shares no code (`spec/tests/checker/check.py`, written from
//!   `spec/formats/trace.md`), carries out every proof again, and rejects more than a thousand corrupted ones.
//! - Steps that are polynomial inequalities are written as SMT-LIB 2 (`spec/tests/checker/smt.py`); what Z3 and cvc5 say of
//!   each is counted (`spec/tests/data/smt.csv`), and each step stored that one of them leaves open for five seconds
//!   (`smt_open.csv`); `smt.py` names what is no polynomial.
//! - Neighbours of every claim are listed: weaker ones are proved by the same program, stronger ones, of which there is one at
//!   least, find no proof (`spec/tests/data/neighbours.tsv`).
//! - The numbers in the words of a claim that has no check are those of its term (`spec/tests/claims/constants.rs`, which lists
//!   what is written otherwise).
//! - The algorithms in the papers' corrected theorems, as terms, are run on the noise tape and agree step by step with the
//!   solvers' `reference` (`tests/papers/process`).
//! - Of what corrected theorems suppose of losses, most is proved of the witnesses at which they begin to say something; what is
//!   left, such as that there is a minimiser, is listed ([`findings::witnessed`]).
//!
//! A claim is refuted by the kernel if 1 ≤ 0 follows from what is printed, or from a case of it (`spec/src/moved/refuted.rs`).
//!
//! What no test decides is whether a statement is the one that the paper means: that is to be read. Where it is known that the
//! claim's words go beyond the term (the other users of decor, records that are drawn), the steps between are listed, and the
//! claim is argued. Some statements are a
//! rule and little more, since the claim is that lemma: `skgd-lem-mixture` and `decor-lem-10` are adaptive composition for two
//! commands, `gcd-aux-dominated` for pairs and `kl-imp-adaptive` with a stop, `skgd-lem-post-processing` is post-processing,
//! `kl-red-range` Hoeffding's lemma, `kl-lem-14` two rules, and `gcd-aux-renyi` a premise solved for δ. That these hold is no evidence beside the rule's.
//! That two records are as far apart as a bound allows is a hypothesis of what is attained (`kl-lem-8-mech-repaired`,
//! `decor-thm-6-num`).
//!
//! Checks: the algebra is decided by intervals, exact arithmetic or enumeration, and the steps that join it to the
//! statement are sentences. Where there are such sentences the claim is *argued*, and each is listed and counted: that is what is
//! still to be taken on trust, besides the code of [`arith`], [`prove`] and the claim's check, which encodes the statement.
//! README's table counts both by paper. What the kernel has no rules for yet, of privacy: amplification by sampling and
//! shuffling, the δ of a dominating pair at an ε, that the loss of several rounds is attained, and group privacy; and
//! otherwise expectations over records of which only moments are known. A lower bound for all mechanisms is one for all maps
//! of data and normal noise.

/// Every claim with its verdict as committed, in Markdown.
pub const LEDGER: &str = include_str!("../LEDGER.md");

/// How event trees are written, with examples that programs may print.
pub const EVENT_FORMAT: &str = include_str!("../formats/event.md");

#[cfg(feature = "certify")]
pub mod book;
pub mod claim;
pub mod paper;
pub mod units;

#[cfg(feature = "certify")]
pub mod arith;
#[cfg(feature = "certify")]
pub mod coverage;
#[cfg(feature = "certify")]
pub mod moved;
#[cfg(feature = "certify")]
pub mod privacy;
#[cfg(feature = "certify")]
pub mod prove;

#[cfg(feature = "certify")]
#[doc(no_inline)]
pub use dp_assay_kernel as kernel;

#[cfg(feature = "certify")]
pub mod acc;
#[cfg(feature = "certify")]
pub mod ambssgd;
#[cfg(feature = "certify")]
pub mod decor;
#[cfg(feature = "certify")]
pub mod findings;
#[cfg(feature = "certify")]
pub mod gcd;
#[cfg(feature = "certify")]
pub mod kl;
#[cfg(feature = "certify")]
mod rooms;
#[cfg(feature = "certify")]
pub mod skgd;

/// Every claim of every paper, in the order of the papers' contents; behind them the collection.
#[cfg(feature = "certify")]
#[must_use]
pub fn claims() -> Vec<claim::Claim> {
    let of = |paper: paper::Paper| paper.claims();
    paper::Paper::BOOKS.into_iter().flat_map(of).collect()
}
