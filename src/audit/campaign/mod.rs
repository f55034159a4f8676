//! Campaigns: audits too long for a test run, killed and resumed at will, on as many processes as
//! there are.
//!
//! What a campaign counts is a function of its plan alone (`spec/formats/campaign.md`), so its
//! finished store is the same bit for bit whoever counted which chunk and however often.

mod junit;
pub mod plan;
mod run;
pub mod slurm;
pub mod store;

pub use junit::junit;
pub use run::{CampaignError, Fixed, Pair, Progress, Shard, Status, report, run, status};
