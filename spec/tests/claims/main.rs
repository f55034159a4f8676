//! The claims of the five papers: complete, decided, able to fail, and written up where they are refuted.

mod ambssgd;
mod book;
mod certificates;
mod checker;
mod constants;
mod coverage;
mod decor;
mod domains;
mod every;
mod findings;
mod forged;
mod headlines;
mod kernel;
mod kl;
#[path = "../common/parallel.rs"]
mod parallel;
mod rooms;
mod skgd;
mod smt;
mod support;
mod witnessed;
