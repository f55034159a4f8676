//! Private optimisation under the KL condition: what every algorithm spends, how far releases move between
//! neighbours, the coupling of the two solvers on the same tape, the special cases that must coincide, test functions, lower
//! bounds, audits, and bad input.

mod audit;
mod bounds;
mod broken;
mod budget;
mod corrected;
mod coupling;
mod fit;
mod inputs;
mod lower;
mod noise;
mod problems;
mod random;
mod shapes;
mod slopes;
mod special;
mod totals;
