//! The experiments of DECOR (§6): n = 16 users, three graphs, δ = 10⁻⁵.

mod claims;
mod curves;
mod least_squares;
mod logistic;
mod noise;
mod users;

pub(super) use claims::Claims;
pub(super) use curves::LeastSquaresCurves;
pub(super) use logistic::LogisticCurves;
