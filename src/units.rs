//! Quantities with their units, shared with the specification (see [`dp_assay_spec::units`]).

pub use dp_assay_spec::units::{
    Delta, Epsilon, Neighbouring, Rho, Scale, Sensitivity, StdDev, UnitError, Variance,
};
