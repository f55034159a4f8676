//! Which claims of the ledger an account rests on.

use super::event::{Event, Pattern, Sampling, Step};
use super::{AccountError, private_selection};
use crate::units::Neighbouring;
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

/// That what a record is not in has one law.
pub(super) const NOBODY: &str = "acc-nobody";

/// As what an accountant sees a step; see [`super::views`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// The law of its privacy loss, or a pair of Gaussian mixtures.
    Law,
    /// Its ε.
    Pure,
    /// Its Rényi divergences.
    Curve,
}

/// The claims of an account: on the mechanisms, on their sampling, and on what is made of them.
///
/// # Errors
/// [`AccountError::Unclaimed`] for a step that no claim carries: the guarantee is then refused.
pub(super) fn claims(
    steps: &[Step],
    neighbours: Neighbouring,
    view: View,
    made: &[&str],
) -> Result<Claims, AccountError> {
    let mut found: BTreeSet<&str> = made.iter().copied().collect();
    let mut chosen = BTreeSet::new();
    if steps.is_empty() {
        found.insert(NOBODY);
    }
    for step in steps {
        let sampled = sampling(step, neighbours, view).ok_or_else(|| AccountError::Unclaimed {
            mechanism: step.words(),
            neighbours,
        })?;
        found.extend(sampled);
        found.extend(mechanism(&step.mechanism, view));
        if let Event::PrivateSelection { events, .. } = &step.mechanism {
            chosen.extend(private_selection::claims_with(events, neighbours)?.0);
        }
    }
    chosen.extend(found.into_iter().map(str::to_owned));
    Ok(Claims(chosen))
}

/// On the mechanism, run on all records that it is given.
const fn mechanism(mechanism: &Event, view: View) -> &'static [&'static str] {
    match (mechanism, view) {
        (Event::Gaussian { .. } | Event::CorrelatedGaussian { .. }, _) => {
            &["acc-gaussian", "decor-aux-simulate"]
        }
        (Event::GaussianMixture { .. }, _) => &["acc-gaussian-mixture"],
        (Event::MatrixGaussian { .. }, _) => &["acc-gaussian", "acc-matrix"],
        (Event::Gdp { .. }, _) => &["acc-gaussian", "acc-gdp"],
        (Event::Laplace { .. }, View::Curve) => &["acc-laplace", "acc-pure-zcdp"],
        (Event::Laplace { .. }, _) => &["acc-laplace"],
        (Event::DiscreteGaussian { .. }, View::Curve) => &["acc-discrete-gaussian"],
        (Event::DiscreteGaussian { .. }, _) => &["acc-log-concave"],
        (Event::DiscreteLaplace { .. }, View::Curve) => &["acc-log-concave", "acc-pure-zcdp"],
        (Event::DiscreteLaplace { .. }, _) => &["acc-log-concave"],
        (Event::RandomizedResponse { .. }, View::Curve) => &["acc-pure-zcdp", "acc-response"],
        (Event::RandomizedResponse { .. }, _) => &["acc-response"],
        (Event::Exponential { .. }, View::Curve) => &["acc-exponential", "acc-pure-zcdp"],
        (Event::Exponential { .. }, _) => &["acc-exponential", "gcd-aux-response"],
        (Event::ReportNoisyMax { .. }, View::Curve) => &["acc-noisy-max", "acc-pure-zcdp"],
        (Event::ReportNoisyMax { .. }, _) => &["acc-noisy-max", "gcd-aux-response"],
        (Event::Pure { .. }, View::Curve) => &["acc-pure-zcdp"],
        (Event::Pure { .. }, _) => &["gcd-aux-response"],
        (Event::Approximate { .. }, _) => &["acc-approximate"],
        (Event::Zcdp { .. }, _) => &["kl-imp-adaptive"],
        // Inner nodes are no mechanisms; a step never holds one.
        _ => &[],
    }
}

/// On the sampling; `None` where no claim is about it. Where all take part and one is replaced, one comes and one goes.
fn sampling(step: &Step, neighbours: Neighbouring, view: View) -> Option<&'static [&'static str]> {
    use Neighbouring::{AddRemove, ReplaceOne, User, ZeroOut};
    let gaussian = matches!(
        step.mechanism,
        Event::Gaussian { .. } | Event::CorrelatedGaussian { .. } | Event::Gdp { .. }
    );
    let response = matches!(step.mechanism, Event::RandomizedResponse { .. });
    let known = view == View::Pure || (view == View::Curve && !gaussian);
    Some(match (step.sampling, neighbours) {
        (Sampling::None, ReplaceOne) if matches!(step.mechanism, Event::GaussianMixture { .. }) => {
            return None;
        }
        (Sampling::None, _) => &[],
        (_, User) => return None,
        // Its answers are no function of the batch alone.
        (
            Sampling::WithReplacement { .. }
            | Sampling::TruncatedPoisson { .. }
            | Sampling::RandomAllocation { .. },
            _,
        ) if response => return None,
        // The answers of those who take no part belong to the mechanism.
        (Sampling::Poisson(_), _) if response => &[],
        (Sampling::Poisson(_), AddRemove) if known => &["acc-poisson-known"],
        (Sampling::Poisson(_), AddRemove) if view == View::Curve => {
            &["acc-removal", "gcd-aux-sampled"]
        }
        (Sampling::Poisson(_), AddRemove) => &["gcd-aux-sampled"],
        (Sampling::Poisson(_), ZeroOut) if known => &["acc-poisson-known"],
        (Sampling::Poisson(_), ZeroOut) if view == View::Curve => {
            &["acc-poisson-zero-out", "acc-removal"]
        }
        (Sampling::Poisson(_), ZeroOut) => &["acc-poisson-zero-out"],
        // Replacing a record is what a row of the channel is about.
        (Sampling::FixedSize(_), ReplaceOne) if response => &["acc-fixed-size"],
        (Sampling::Poisson(1.0) | Sampling::FixedSize(1.0), ReplaceOne) => match step.mechanism {
            Event::Zcdp { .. } => &["acc-zcdp-group"],
            Event::Pure { .. } | Event::Exponential { .. } | Event::ReportNoisyMax { .. } => {
                &["acc-group", "acc-poisson-replaced-pure"]
            }
            Event::Approximate { .. } => &["acc-poisson-replaced-known"],
            _ => &["acc-group"],
        },
        (Sampling::Poisson(_), ReplaceOne) if known => &["acc-poisson-replaced-known"],
        (Sampling::Poisson(_), ReplaceOne) => match step.mechanism {
            Event::Gaussian { .. } | Event::CorrelatedGaussian { .. } => {
                &["acc-poisson-replaced-gaussian"]
            }
            Event::Approximate { .. } => &["acc-poisson-replaced-known"],
            _ => &["acc-poisson-replaced-pure"],
        },
        (Sampling::FixedSize(_), ReplaceOne) => match step.mechanism {
            Event::Pure { .. } | Event::Exponential { .. } | Event::ReportNoisyMax { .. } => {
                &["acc-fixed-size", "acc-group", "acc-poisson-replaced-pure"]
            }
            _ => &["acc-fixed-size", "acc-group"],
        },
        (Sampling::FixedSize(_), AddRemove) if response => return None,
        (Sampling::FixedSize(_), AddRemove) => match step.mechanism {
            Event::Pure { .. } | Event::Exponential { .. } | Event::ReportNoisyMax { .. } => &[
                "acc-exchange",
                "acc-group",
                "acc-poisson-replaced-pure",
                "gcd-aux-sampled",
            ],
            _ if view == View::Curve && gaussian => &[
                "acc-exchange",
                "acc-group",
                "acc-removal",
                "gcd-aux-sampled",
            ],
            _ => &["acc-exchange", "acc-group", "gcd-aux-sampled"],
        },
        (Sampling::WithReplacement { .. }, AddRemove)
            if matches!(step.mechanism, Event::Gaussian { .. }) =>
        {
            &["acc-with-replacement"]
        }
        (Sampling::WithReplacement { .. }, AddRemove | ReplaceOne) => {
            &["acc-group", "acc-with-replacement-told"]
        }
        (Sampling::TruncatedPoisson { .. }, AddRemove) => match step.mechanism {
            Event::Pure { .. } | Event::Exponential { .. } | Event::ReportNoisyMax { .. } => &[
                "acc-group",
                "acc-poisson-replaced-pure",
                "acc-truncated-poisson",
            ],
            _ => &["acc-group", "acc-truncated-poisson"],
        },
        (Sampling::TruncatedPoisson { .. }, ReplaceOne) => match step.mechanism {
            Event::Gaussian { .. } | Event::CorrelatedGaussian { .. } => &[
                "acc-group",
                "acc-poisson-replaced-gaussian",
                "acc-truncated-poisson",
            ],
            Event::Approximate { .. } => &[
                "acc-group",
                "acc-poisson-replaced-known",
                "acc-truncated-poisson",
            ],
            _ => &[
                "acc-group",
                "acc-poisson-replaced-pure",
                "acc-truncated-poisson",
            ],
        },
        (
            Sampling::RandomAllocation {
                participations: 1, ..
            },
            AddRemove | ZeroOut,
        ) => &["acc-random-allocation"],
        (Sampling::RandomAllocation { .. }, AddRemove | ZeroOut) => &["acc-blocks"],
        (Sampling::RandomAllocation { .. }, ReplaceOne) => &["acc-allocation-replaced"],
        (Sampling::Within(pattern), _) => within(pattern, neighbours),
        (
            Sampling::FixedSize(_)
            | Sampling::WithReplacement { .. }
            | Sampling::TruncatedPoisson { .. },
            ZeroOut,
        ) => return None,
    })
}

/// On the samples of a matrix mechanism's steps, and what it is reduced to.
const fn within(pattern: Pattern, neighbours: Neighbouring) -> &'static [&'static str] {
    use Neighbouring::{ReplaceOne, ZeroOut};
    match (pattern, neighbours) {
        (Pattern::Poisson(_), ReplaceOne) => {
            &["acc-matrix-sampled", "acc-poisson-replaced-gaussian"]
        }
        (Pattern::Poisson(_), ZeroOut) => &["acc-matrix-sampled", "acc-poisson-zero-out"],
        (Pattern::Poisson(_), _) => &["acc-matrix-sampled", "gcd-aux-sampled"],
        (Pattern::Apart { .. }, ReplaceOne) => &[
            "acc-allocation-replaced",
            "acc-fixed-size",
            "acc-min-separation",
            "acc-poisson-replaced-gaussian",
        ],
        (Pattern::Apart { .. }, ZeroOut) => &[
            "acc-min-separation",
            "acc-poisson-zero-out",
            "acc-random-allocation",
        ],
        (Pattern::Apart { .. }, _) => &[
            "acc-min-separation",
            "acc-random-allocation",
            "gcd-aux-sampled",
        ],
        (_, ReplaceOne) => &["acc-allocation-replaced", "acc-matrix-sampled"],
        (Pattern::Bins(_), _) => &["acc-matrix-sampled", "acc-random-allocation"],
        (Pattern::Several(_), _) => &["acc-blocks", "acc-matrix-sampled"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(mechanism: Event, sampling: Sampling) -> Step {
        Step {
            mechanism,
            sampling,
            count: 3,
        }
    }

    #[test]
    fn a_claim_is_named_only_where_it_is_about_the_step_and_the_relation() {
        let noise = || Event::Gaussian {
            sigma: 1.0,
            sensitivity: 1.0,
        };
        let of = |sampling, neighbours, view| {
            claims(&[step(noise(), sampling)], neighbours, view, &["made"])
                .map(|claims| claims.to_string())
        };
        let (added, replaced) = (Neighbouring::AddRemove, Neighbouring::ReplaceOne);
        let all = "acc-gaussian, decor-aux-simulate, made";
        assert_eq!(of(Sampling::None, replaced, View::Law).as_deref(), Ok(all));
        let sampled = "acc-gaussian, decor-aux-simulate, gcd-aux-sampled, made";
        assert_eq!(
            of(Sampling::Poisson(0.1), added, View::Law).as_deref(),
            Ok(sampled)
        );
        let pair = "acc-gaussian, acc-poisson-replaced-gaussian, decor-aux-simulate, made";
        assert_eq!(
            of(Sampling::Poisson(0.1), replaced, View::Law).as_deref(),
            Ok(pair)
        );
        let nothing = claims(&[], added, View::Law, &[]).expect("nobody");
        assert_eq!(nothing, Claims::from("acc-nobody"));
    }

    #[test]
    fn a_step_that_no_claim_carries_is_refused_with_the_reason() {
        let batch = step(Event::Pure { epsilon: 1.0 }, Sampling::FixedSize(0.1));
        for (step, neighbours, words) in [
            (batch, Neighbouring::ZeroOut, "fixed-size-sampled pure"),
            (
                step(Event::Gdp { mu: 1.0 }, Sampling::Poisson(0.1)),
                Neighbouring::User,
                "poisson-sampled gdp",
            ),
        ] {
            let error = claims(&[step], neighbours, View::Law, &[]).expect_err("no claim");
            let said = format!(
                "{words} under {neighbours} neighbours: no claim of the ledger carries a guarantee"
            );
            assert_eq!(error.to_string(), said);
        }
    }
}
