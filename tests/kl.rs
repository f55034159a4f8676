//! Private optimisation under the KL condition: what every algorithm spends, how far releases move between
//! neighbours, the coupling of the two solvers on the same tape, the special cases that must coincide, test functions, lower
//! bounds, audits, and bad input.

#[path = "kl/audit.rs"]
mod audit;
#[path = "kl/broken.rs"]
mod broken;
#[path = "kl/budget.rs"]
mod budget;
#[path = "kl/coupling.rs"]
mod coupling;
#[path = "kl/inputs.rs"]
mod inputs;
#[path = "kl/lower.rs"]
mod lower;
#[path = "../spec/tests/common/parallel.rs"]
mod parallel;
#[path = "kl/problems.rs"]
mod problems;
#[path = "kl/random.rs"]
mod random;
#[path = "kl/shapes.rs"]
mod shapes;
#[path = "kl/slopes.rs"]
mod slopes;
#[path = "kl/special.rs"]
mod special;
#[path = "stored/mod.rs"]
mod stored;
#[path = "kl/totals.rs"]
mod totals;
