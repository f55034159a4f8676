//! What a replay can find.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A defect, seen for certain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
pub enum Finding {
    /// With the same answers so far, the two runs ask different things.
    ControlFlow {
        /// How many questions agreed.
        question: usize,
        /// What the first run asks next.
        first: String,
        /// What the second run asks instead.
        second: String,
    },
    /// A value moves further than declared, or is not finite.
    Sensitivity {
        /// The site.
        site: String,
        /// Its step.
        step: u64,
        /// The distance declared.
        declared: f64,
        /// The distance measured.
        #[serde(with = "crate::audit::number")]
        measured: f64,
    },
    /// A scale or a declared sensitivity depends on the data.
    Parameter {
        /// The site.
        site: String,
        /// `scale` or `sensitivity`.
        parameter: String,
        /// Its value on the first input.
        first: f64,
        /// Its value on the second.
        second: f64,
    },
    /// A scale is not the claim's.
    Scale {
        /// The site.
        site: String,
        /// The scale that the claim needs.
        claimed: f64,
        /// The scale used.
        used: f64,
    },
    /// A variate is used twice.
    Reuse {
        /// The site of the second use.
        site: String,
        /// Its step.
        step: u64,
        /// Its coordinate.
        coordinate: u64,
    },
    /// The result depends on the data although all noisy answers agree.
    Unnoised {
        /// The result on the first input.
        first: String,
        /// The result on the second.
        second: String,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ControlFlow {
                question,
                first,
                second,
            } => write!(
                f,
                "control flow depends on the data: after {question} equal answers one input leads \
                 to {first}, the other to {second}"
            ),
            Self::Sensitivity {
                site,
                step,
                declared,
                measured,
            } => write!(
                f,
                "`{site}` at step {step} moves by {measured}, declared {declared}"
            ),
            Self::Parameter {
                site,
                parameter,
                first,
                second,
            } => write!(
                f,
                "the {parameter} of `{site}` depends on the data: {first} and {second}"
            ),
            Self::Scale {
                site,
                claimed,
                used,
            } => write!(
                f,
                "`{site}` has noise of scale {used}, the claim needs {claimed}"
            ),
            Self::Reuse {
                site,
                step,
                coordinate,
            } => write!(
                f,
                "`{site}` uses the variate at step {step}, coordinate {coordinate} again"
            ),
            Self::Unnoised { first, second } => write!(
                f,
                "the result depends on the data without noise: {first} and {second}"
            ),
        }
    }
}

/// How close the values of a site came to their declared sensitivity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Extent {
    /// Questions asked.
    pub questions: u64,
    /// Largest distance over declared sensitivity.
    pub largest: f64,
}

/// What a replay found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReplayReport {
    /// The defects, in the order found, each once.
    pub findings: Vec<Finding>,
    /// Every site that was asked.
    pub sites: BTreeMap<String, Extent>,
}

impl ReplayReport {
    /// Whether nothing was found.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    pub(super) fn add(&mut self, finding: Finding) {
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}
