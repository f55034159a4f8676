//! Campaigns: audits too long for a test run, killed and resumed at will, on as many processes as
//! there are.
//!
//! What a campaign counts is a function of its plan alone (`spec/formats/campaign.md`), so its
//! finished store is the same bit for bit whoever counted which chunk and however often.
//!
//! ```
//! use dp_assay::audit::campaign::plan::Plan;
//! use dp_assay::audit::campaign::store::Store;
//! use dp_assay::audit::campaign::{Fixed, Pair, Shard, junit, report, run, status};
//! use dp_assay::audit::{Release, Verdict, from_fn};
//! use dp_assay::mechanism::tape::Purpose;
//! use dp_assay::units::Neighbouring;
//!
//! let plan = Plan::parse(r#"
//!     schema = "dp-assay/plan/1"
//!     seed = 7
//!     [[audit]]
//!     name = "response"
//!     mechanism = "response"
//!     claim = { epsilon = 0.5, delta = 0.0 }
//!     pairs = 4096
//!     explore = 1000
//! "#)?;
//! // Tells the truth with probability 3/4: exactly ln 3-private.
//! let mechanism = from_fn("response", |bit: &bool, tape| {
//!     *bit != (tape.uniform(0, Purpose::User, 0).fraction() < 0.25)
//! });
//! let (neighbours, release) = (Neighbouring::ReplaceOne, Release::Final);
//! let pair = Fixed { mechanism, neighbours, release, inputs: [false, true] };
//! let pairs: Vec<Box<dyn Pair>> = vec![Box::new(pair)];
//!
//! let folder = tempfile::tempdir()?;
//! let store = Store::open(&folder.path().join("store.sqlite"), &plan)?;
//! run(&plan, &pairs, &store, Shard::WHOLE, &mut |_, _| {})?;
//! assert_eq!(status(&plan, &store)?[0].counted, 1); // one chunk of 4096 pairs
//! let found = report(&plan, &pairs, &store)?.remove(0).expect("all is counted");
//! assert_eq!(found.verdict, Verdict::Violation);
//! assert!(junit("campaign", &[("response".into(), Some(found))]).contains("<failure"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod conclude;
mod difference;
mod junit;
pub mod plan;
mod run;
pub mod slurm;
pub mod store;

pub use conclude::report;
pub use junit::junit;
pub use run::{CampaignError, ChunkProgress, Fixed, Pair, Shard, Status, run, status};
