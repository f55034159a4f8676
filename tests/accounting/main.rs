//! The accountants and the mechanisms they account for: against an oracle, published numbers, exact tails
//! and the laws of differential privacy.

#[path = "../common/adaptive.rs"]
mod adaptive;
mod allocation;
mod ask;
mod calls;
mod closed_forms;
mod corner;
mod defects;
mod exist;
mod filters;
mod float;
mod golden;
#[cfg(feature = "certify")]
mod ladder;
mod laws;
mod limits;
mod margins;
mod matrix;
mod mechanism;
mod mixed;
mod neighbours;
#[path = "../../spec/tests/common/parallel.rs"]
mod parallel;
mod rare;
mod replaced;
mod rounding;
mod routes;
mod schemes;
mod separated;
mod tradeoff;
#[path = "../common/unchanged.rs"]
mod unchanged;
mod value_stability;
mod words;
