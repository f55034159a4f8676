//! The certified privacy of mechanisms and of their compositions, against closed forms and known truths.

mod composition;
mod decimals;
mod formulas;
mod mechanisms;
mod pld;
mod selection;
