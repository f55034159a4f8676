//! A run as recorded: its announcements, and what can be said of them without a second run.

use super::query::Asked;
use super::{ClaimedScales, Violation};
use crate::audit::Output;
use std::collections::HashMap;
use std::fmt;

/// One announcement with its answer.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    Noised(Asked, Vec<f64>),
    /// The index, and the scores of which it is the largest, if the recorder knows them.
    Chosen(&'static str, usize, Vec<f64>),
    Released(&'static str, f64),
    Branch(&'static str, u64),
}

/// A run on one input.
#[derive(Clone, Debug)]
pub(super) struct Recording {
    pub entries: Vec<Entry>,
    pub output: Output,
}

impl Entry {
    /// Whether both are the same question, so that one's answer can stand for the other's.
    pub(super) fn continues_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Noised(a, _), Self::Noised(b, _)) => {
                a.label == b.label && a.address == b.address && a.values.len() == b.values.len()
            }
            (Self::Chosen(a, ..), Self::Chosen(b, ..)) => a == b,
            (Self::Released(a, _), Self::Released(b, _)) => a == b,
            (Self::Branch(a, x), Self::Branch(b, y)) => a == b && x == y,
            _ => false,
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Noised(asked, _) => write!(
                f,
                "{} noised values of `{}` at {:?}",
                asked.values.len(),
                asked.label,
                asked.address
            ),
            Self::Chosen(label, ..) => write!(f, "choice of `{label}`"),
            Self::Released(label, _) => write!(f, "release of `{label}`"),
            Self::Branch(label, decision) => write!(f, "branch `{label}` = {decision}"),
        }
    }
}

impl Recording {
    /// The queries, with the place of each.
    fn queries(&self) -> impl Iterator<Item = (usize, &Asked)> {
        let entries = self.entries.iter().enumerate();
        entries.filter_map(|(at, entry)| match entry {
            Entry::Noised(asked, _) => Some((at, asked)),
            _ => None,
        })
    }

    /// Every second use of a variate.
    pub(super) fn reused(&self) -> Vec<Violation> {
        let mut used = HashMap::new();
        let mut violations = Vec::new();
        for (_, asked) in self.queries() {
            for address in (0..asked.values.len()).map(|i| asked.address(i)) {
                if let Some(before) = used.insert(address, asked.label) {
                    let label = asked.label;
                    violations.push(Violation::Reused {
                        label,
                        address,
                        before,
                    });
                }
            }
        }
        violations
    }

    /// Every scale that is not the claim's.
    pub(super) fn misscaled(&self, claimed: &ClaimedScales<'_>) -> Vec<Violation> {
        let mut violations = Vec::new();
        for (at, asked) in self.queries() {
            let label = asked.label;
            for (i, &found) in asked.scales.iter().enumerate() {
                let coordinate = asked.address(i).first;
                match claimed(label, coordinate) {
                    Some(claimed) if claimed.to_bits() == found.to_bits() => {}
                    Some(claimed) => violations.push(Violation::Scale {
                        at,
                        label,
                        coordinate,
                        claimed,
                        found,
                    }),
                    None => violations.push(Violation::Unclaimed {
                        at,
                        label,
                        coordinate,
                    }),
                }
            }
        }
        violations
    }
}

/// Equality of outputs, number by number in their bits.
pub(super) fn same(a: &Output, b: &Output) -> bool {
    match (a, b) {
        (Output::Real(x), Output::Real(y)) => x.to_bits() == y.to_bits(),
        (Output::Vector(x), Output::Vector(y)) => x
            .iter()
            .map(|v| v.to_bits())
            .eq(y.iter().map(|v| v.to_bits())),
        _ => a == b,
    }
}
