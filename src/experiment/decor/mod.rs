//! The experiments of DECOR (§6): n = 16 users, three graphs, δ = 10⁻⁵.

mod curves;
mod noise;

pub(super) use curves::LeastSquaresCurves;
