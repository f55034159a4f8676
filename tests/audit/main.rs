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
mod value_stability;
mod verdict;
mod zoo;
