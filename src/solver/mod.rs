//! The solvers: every algorithm twice, as printed (`reference`) and fast (`optimized`).

pub mod ambssgd;
pub mod baseline;
pub mod decor;
pub mod fit;
pub mod gcd;
pub mod kl;
pub mod skgd;

mod gram;
