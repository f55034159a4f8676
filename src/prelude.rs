//! What most programs need: `use dp_assay::prelude::*;`
//!
//! ```
//! use dp_assay::prelude::*;
//!
//! // The ε of 100 steps of Gaussian noise at δ = 10⁻⁵, never below the truth.
//! let event = Event::Repeated {
//!     times: 100,
//!     event: Box::new(Event::Gaussian { sigma: 30.0, sensitivity: 1.0 }),
//! };
//! let report = account(&event, Delta::new(1e-5)?, Accountant::Auto, Neighbouring::AddRemove, false)?;
//! assert!((1.0..1.3).contains(&report.epsilon_upper));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use crate::accounting::{AccountError, Accountant, Event, account};
pub use crate::audit::{
    Audit, AuditError, AuditReport, DrawError, Mechanism, Output, Release, Verdict, from_fn,
};
pub use crate::gate;
pub use crate::mechanism::release::{Grid, GridGaussian, GridLaplace, SecureRng};
pub use crate::mechanism::tape::{Purpose, Tape};
pub use crate::problem::{Dataset, Problem, Regulariser};
pub use crate::solver::fit::{Fitted, LossName, Request, fit};
pub use crate::units::{
    Delta, Epsilon, Neighbouring, Rho, Scale, Sensitivity, StdDev, UnitError, Variance,
};
