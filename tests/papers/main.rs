//! The algorithms of the five papers and what they are compared with: every solver against its reference,
//! its special cases, its sensitivity and its noise.
#![allow(
    clippy::duplicate_mod,
    reason = "a suite is instantiated once per solver"
)]

mod adassp;
mod ambssgd;
mod answers;
mod baseline;
mod decor;
mod gcd;
mod kl;
mod law;
mod optimum;
#[path = "../../spec/tests/common/parallel.rs"]
mod parallel;
mod process;
#[path = "../common/program.rs"]
mod program;
#[path = "../common/records.rs"]
mod records;
mod skgd;
#[path = "../common/stored.rs"]
mod stored;
mod theorems;
#[path = "../common/unchanged.rs"]
mod unchanged;
mod value_stability;
