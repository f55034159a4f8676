//! A question to the data, and where its noise is on the tape.

use crate::mechanism::tape::{Purpose, Tape};

/// Where the noise of a query's first value is on the tape; later values take the coordinates after
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// The step.
    pub step: u64,
    /// The purpose.
    pub purpose: Purpose,
    /// The first coordinate.
    pub first: u64,
}

/// The declared sensitivity: how far the values may move between neighbours.
#[derive(Clone, Debug, PartialEq)]
pub enum Declared {
    /// In the sum of moduli.
    L1(f64),
    /// In the Euclidean norm.
    L2(f64),
    /// In the largest modulus.
    LInf(f64),
    /// A bound for each value.
    Each(Vec<f64>),
}

/// The law of the noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoiseLaw {
    /// Laplace; the scale is b.
    Laplace,
    /// Gaussian; the scale is the standard deviation.
    Gaussian,
}

/// One question to the data that is answered with noise.
#[derive(Clone, Debug)]
pub struct Query<'a> {
    /// What it is.
    pub label: &'static str,
    /// The values without noise.
    pub values: &'a [f64],
    /// Bounds on the rounding error of each value, derived by the mechanism's author; one for each
    /// value, or a single one for all.
    pub rounding: &'a [f64],
    /// The declared sensitivity.
    pub declared: Declared,
    /// The law of the noise.
    pub law: NoiseLaw,
    /// Its scales: one for each value, or a single one for all.
    pub scales: &'a [f64],
    /// Its place on the tape.
    pub address: Address,
}

/// A query as kept; all vectors have one entry per value.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub label: &'static str,
    pub values: Vec<f64>,
    pub rounding: Vec<f64>,
    pub declared: Declared,
    pub law: NoiseLaw,
    pub scales: Vec<f64>,
    pub address: Address,
}

impl Asked {
    /// The values with the noise of a tape.
    pub(super) fn noisy(&self, tape: Tape) -> Vec<f64> {
        let Address {
            step,
            purpose,
            first,
        } = self.address;
        let mut words = tape.stream(step, purpose, first);
        let mut draw = || match self.law {
            NoiseLaw::Laplace => words.uniform().laplace(),
            NoiseLaw::Gaussian => words.uniform().gaussian(),
        };
        let pairs = self.values.iter().zip(&self.scales);
        pairs.map(|(value, scale)| value + scale * draw()).collect()
    }

    /// The address of value i.
    pub(super) fn address(&self, i: usize) -> Address {
        let first = self.address.first.wrapping_add(i as u64);
        Address {
            first,
            ..self.address
        }
    }
}
