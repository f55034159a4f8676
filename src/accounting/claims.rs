//! Ids of claims that a guarantee rests on.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Ids of the ledger's claims that a guarantee rests on: never none, so that no guarantee can be made without one.
///
/// ```
/// use dp_assay::accounting::Claims;
///
/// let claims = Claims::from("acc-gaussian").and("acc-basic");
/// assert_eq!(claims.to_string(), "acc-basic, acc-gaussian");
/// assert!(serde_json::from_str::<Claims>("[]").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "cli",
    schemars(description = "Ids of the ledger's claims that a guarantee rests on; never none.")
)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Claims(#[cfg_attr(feature = "cli", schemars(length(min = 1)))] BTreeSet<String>);

impl Claims {
    /// These and one more.
    #[must_use]
    pub fn and(mut self, id: &str) -> Self {
        self.0.insert(id.to_owned());
        self
    }

    /// These and others.
    #[must_use]
    pub fn with(mut self, others: &Self) -> Self {
        self.0.extend(others.0.iter().cloned());
        self
    }

    /// The ids in the order of the alphabet.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl From<&str> for Claims {
    fn from(id: &str) -> Self {
        Self(BTreeSet::from([id.to_owned()]))
    }
}

impl From<Claims> for Vec<String> {
    fn from(claims: Claims) -> Self {
        claims.0.into_iter().collect()
    }
}

impl TryFrom<Vec<String>> for Claims {
    type Error = String;
    fn try_from(ids: Vec<String>) -> Result<Self, String> {
        match ids.is_empty() {
            true => Err("a guarantee names at least one claim".to_owned()),
            false => Ok(Self(ids.into_iter().collect())),
        }
    }
}

impl std::fmt::Display for Claims {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.iter().collect::<Vec<_>>().join(", "))
    }
}
