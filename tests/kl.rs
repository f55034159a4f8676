//! Private optimisation under the KL condition: what every algorithm spends, how far releases move between
//! neighbours, the special cases that must coincide, test functions, and bad input.

#[path = "kl/budget.rs"]
mod budget;
#[path = "kl/inputs.rs"]
mod inputs;
#[path = "kl/problems.rs"]
mod problems;
#[path = "kl/shapes.rs"]
mod shapes;
#[path = "kl/special.rs"]
mod special;
