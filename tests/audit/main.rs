//! The audits: their bounds, their errors, how soon they see a bug, and that they accuse nobody falsely.

mod batches;
mod bounds;
mod bugs;
mod calibration;
mod calls;
mod error;
mod evidence;
mod external;
mod finite;
mod one_run;
#[path = "../../spec/tests/common/parallel.rs"]
mod parallel;
mod replay;
#[path = "../common/stored.rs"]
mod stored;
#[allow(unused, reason = "rows of audits have no groups")]
#[path = "../common/unchanged.rs"]
mod unchanged;
mod value_stability;
mod verdict;
mod zoo;
