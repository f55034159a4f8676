//! Private linear regression: DP-AMBSSGD beside AdaSSP. The paper prints no experiments; the design is ours.

mod contest;
mod methods;
mod task;

pub(super) use contest::Contest;
pub(super) use task::diabetes;
