//! Quantities with their units, shared with the specification (see [`dp_assay_spec::units`]).
//!
//! ```
//! use dp_assay::units::{Delta, Epsilon, Neighbouring, Rho, Scale, Sensitivity, StdDev, Variance};
//!
//! let epsilon = Epsilon::new(1.5)?; // nats
//! assert_eq!(epsilon.get(), 1.5);
//! // δ lies in [0, 1]; noise has a positive size; ρ and a sensitivity may be 0.
//! assert!(Delta::new(2.0).is_err());
//! assert!(StdDev::new(0.0).is_err() && Variance::new(0.0).is_err() && Scale::new(0.0).is_err());
//! assert!(Rho::new(0.0).is_ok() && Sensitivity::new(0.0).is_ok());
//! assert_eq!("add-remove".parse::<Neighbouring>()?, Neighbouring::AddRemove);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use dp_assay_spec::units::{
    Delta, Epsilon, Neighbouring, Rho, Scale, Sensitivity, StdDev, UnitError, Variance,
};
