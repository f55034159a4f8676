//! Which claims of the ledger an account rests on.

use super::claims::Claims;
use super::event::{Pattern, Sampling, Step};
use super::leaf::{Leaf, Structure, leaf};
use super::{AccountError, Event};
use crate::units::Neighbouring;
use std::collections::BTreeSet;

pub(super) use super::leaf::View;

/// That what a record is not in has one law.
pub(super) const NOBODY: &str = "acc-nobody";

/// What the kernel proves of runs and conversions, of data of which one record is replaced.
const OF_REPLACED: [&str; 5] = [
    "gcd-aux-dominated",
    "gcd-aux-renyi",
    "gcd-aux-response",
    "kl-imp-adaptive",
    "skgd-prop-D.6",
];

/// The same of one ordered pair of data sets, of whatever relation.
pub(super) const COMPOSED: &str = "acc-composed";

/// Claims in which the kernel's on runs stand for one record replaced alone.
pub(super) fn under(neighbours: Neighbouring, mut found: BTreeSet<String>) -> BTreeSet<String> {
    let all = found.len();
    if neighbours != Neighbouring::ReplaceOne {
        found.retain(|id| !OF_REPLACED.contains(&id.as_str()));
    }
    if found.len() < all {
        found.insert(COMPOSED.to_owned());
    }
    found
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
    let mut found: BTreeSet<String> = made.iter().map(|id| (*id).to_owned()).collect();
    if steps.is_empty() {
        found.insert(NOBODY.to_owned());
    }
    for step in steps {
        let leaf = leaf(&step.mechanism)?;
        let sampled = sampling(step.sampling, leaf.as_ref(), neighbours, view);
        let sampled = sampled.ok_or_else(|| AccountError::Unclaimed {
            mechanism: step.words(),
            neighbours,
        })?;
        let own = sampled.iter().chain(leaf.claims(view));
        found.extend(own.map(|id| (*id).to_owned()));
        if let Structure::Choice(events) = leaf.structure() {
            found.extend(candidates(events, neighbours)?);
        }
    }
    let found: Vec<String> = under(neighbours, found).into_iter().collect();
    Claims::try_from(found).map_err(AccountError::Event)
}

/// The claims that the Rényi curves of runs among which is chosen rest on.
///
/// # Errors
/// As [`Event::steps`]; a candidate that no claim carries.
pub(super) fn candidates(
    events: &[Event],
    neighbours: Neighbouring,
) -> Result<BTreeSet<String>, AccountError> {
    let mut found = BTreeSet::new();
    for event in events {
        found.extend(apart(event, neighbours)?.map(str::to_owned));
        for steps in event.steps(neighbours)? {
            let own = claims(&steps, neighbours, View::Curve, &[])?;
            found.extend(own.iter().map(str::to_owned));
        }
    }
    Ok(found)
}

/// The claim on parts that a record is not in, if an event has parts.
///
/// # Errors
/// As [`Event::steps`].
pub(super) fn apart(
    event: &Event,
    neighbours: Neighbouring,
) -> Result<Option<&'static str>, AccountError> {
    // Not `steps`: of those that neighbours of two sizes have, none is about nobody.
    let ways = event.steps_of_larger(neighbours)?;
    Ok((ways.len() > 1).then_some(NOBODY))
}

/// On the sampling; `None` where no claim is about it. Where all take part and one is replaced, one comes and one goes.
fn sampling(
    sampling: Sampling,
    leaf: &dyn Leaf,
    neighbours: Neighbouring,
    view: View,
) -> Option<Vec<&'static str>> {
    use Neighbouring::{AddRemove, ReplaceOne, User, ZeroOut};
    let structure = leaf.structure();
    let gaussian = matches!(structure, Structure::Gaussian | Structure::Gdp);
    let response = matches!(structure, Structure::Response(..));
    let known = view == View::Pure || (view == View::Curve && !gaussian);
    let of_two_and = |more: &[&'static str]| [of_two(structure), more].concat();
    Some(match (sampling, neighbours) {
        (Sampling::None, ReplaceOne | User) if matches!(structure, Structure::Group(..)) => {
            return None;
        }
        (Sampling::None, _) => vec![],
        (_, User) => return None,
        // Its answers are no function of the batch alone.
        (
            Sampling::WithReplacement { .. }
            | Sampling::TruncatedPoisson { .. }
            | Sampling::RandomAllocation { .. },
            _,
        ) if response => return None,
        // What samples make of answers belongs to the mechanism. Replacing a record is what a row of the channel is about.
        (Sampling::Poisson(_), _) | (Sampling::FixedSize(_), ReplaceOne) if response => vec![],
        (Sampling::Poisson(_), AddRemove | ZeroOut) if known => vec!["acc-poisson-known"],
        (Sampling::Poisson(_), AddRemove | ZeroOut) => {
            let own = match neighbours == ZeroOut {
                true => "acc-poisson-zero-out",
                false => "gcd-aux-sampled",
            };
            match view == View::Curve {
                true => vec![own, "acc-removal"],
                false => vec![own],
            }
        }
        (Sampling::Poisson(1.0) | Sampling::FixedSize(1.0), ReplaceOne) => match structure {
            Structure::Zcdp => vec!["acc-zcdp-group"],
            Structure::Approximate => vec!["acc-poisson-replaced-known"],
            Structure::Gaussian
            | Structure::Gdp
            | Structure::Noise
            | Structure::Run
            | Structure::Pure
            | Structure::Response(..)
            | Structure::Group(..)
            | Structure::Choice(_) => of_two_and(&[]),
        },
        (Sampling::Poisson(_), ReplaceOne) if known => vec!["acc-poisson-replaced-known"],
        (Sampling::Poisson(_), ReplaceOne) => vec![replaced(structure)],
        (Sampling::FixedSize(_), ReplaceOne) => of_two_and(&["acc-fixed-size"]),
        (Sampling::FixedSize(_), AddRemove) if response => return None,
        (Sampling::FixedSize(_), AddRemove) if view == View::Curve && gaussian => {
            of_two_and(&["acc-exchange", "acc-removal", "gcd-aux-sampled"])
        }
        (Sampling::FixedSize(_), AddRemove) => of_two_and(&["acc-exchange", "gcd-aux-sampled"]),
        (Sampling::WithReplacement { .. }, AddRemove)
            if structure == Structure::Gaussian && leaf.is_attained() =>
        {
            vec!["acc-with-replacement"]
        }
        (Sampling::WithReplacement { .. }, AddRemove | ReplaceOne) => {
            vec!["acc-group", "acc-with-replacement-told"]
        }
        (Sampling::TruncatedPoisson { .. }, AddRemove) => of_two_and(&["acc-truncated-poisson"]),
        (Sampling::TruncatedPoisson { .. }, ReplaceOne) => {
            vec!["acc-group", replaced(structure), "acc-truncated-poisson"]
        }
        (
            Sampling::RandomAllocation {
                participations: 1, ..
            },
            AddRemove | ZeroOut,
        ) => vec!["acc-random-allocation"],
        (Sampling::RandomAllocation { .. }, AddRemove | ZeroOut) => vec!["acc-blocks"],
        (Sampling::RandomAllocation { .. }, ReplaceOne) => vec!["acc-allocation-replaced"],
        (Sampling::Within(pattern), _) => within(pattern, neighbours).to_vec(),
        (
            Sampling::FixedSize(_)
            | Sampling::WithReplacement { .. }
            | Sampling::TruncatedPoisson { .. },
            ZeroOut,
        ) => return None,
    })
}

/// On two records, of which one comes and one goes.
const fn of_two(structure: Structure<'_>) -> &'static [&'static str] {
    match structure {
        Structure::Pure => &["acc-group", "acc-poisson-replaced-pure"],
        Structure::Gaussian
        | Structure::Gdp
        | Structure::Noise
        | Structure::Run
        | Structure::Approximate
        | Structure::Zcdp
        | Structure::Response(..)
        | Structure::Group(..)
        | Structure::Choice(_) => &["acc-group"],
    }
}

/// On a record of a Poisson sample that is replaced.
const fn replaced(structure: Structure<'_>) -> &'static str {
    match structure {
        Structure::Gaussian => "acc-poisson-replaced-gaussian",
        Structure::Approximate => "acc-poisson-replaced-known",
        Structure::Gdp
        | Structure::Noise
        | Structure::Run
        | Structure::Pure
        | Structure::Zcdp
        | Structure::Response(..)
        | Structure::Group(..)
        | Structure::Choice(_) => "acc-poisson-replaced-pure",
    }
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
        (Pattern::Bins(_) | Pattern::Several(_), ReplaceOne) => {
            &["acc-allocation-replaced", "acc-matrix-sampled"]
        }
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
        // Which direction has the larger curve is known of Gaussian noise alone.
        let laplace = || Event::Laplace {
            scale: 1.0,
            sensitivity: 1.0,
        };
        let batch = Sampling::FixedSize(0.1);
        let curve = |event| {
            claims(&[step(event, batch)], added, View::Curve, &[]).map(|claims| claims.to_string())
        };
        let of_noise = "acc-exchange, acc-gaussian, acc-group, acc-removal, decor-aux-simulate, \
            gcd-aux-sampled";
        assert_eq!(curve(noise()).as_deref(), Ok(of_noise));
        let of_laplace = "acc-exchange, acc-group, acc-laplace, acc-pure-zcdp, gcd-aux-sampled";
        assert_eq!(curve(laplace()).as_deref(), Ok(of_laplace));
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

    /// What a response says of who takes no part is its own: no claim on samples is about it.
    #[test]
    fn a_sample_of_answers_rests_on_the_response_alone() {
        let response = || Event::RandomizedResponse {
            noise: 0.5,
            buckets: 2,
        };
        for neighbours in [Neighbouring::AddRemove, Neighbouring::ReplaceOne] {
            let of = |sampling| {
                let found = claims(&[step(response(), sampling)], neighbours, View::Law, &[]);
                found.expect("carried")
            };
            assert_eq!(
                of(Sampling::Poisson(0.1)),
                of(Sampling::None),
                "{neighbours}"
            );
        }
    }

    /// A sample of all with a record replaced is a group where nothing but (ε, δ) is known; a sample of which ε alone is looked
    /// at rests on the claim for that.
    #[test]
    fn what_is_known_of_a_step_decides_on_its_claim() {
        let named = |mechanism, sampling, neighbours, view, claim| {
            let found = claims(&[step(mechanism, sampling)], neighbours, view, &[]);
            found.expect("carried").to_string().contains(claim)
        };
        let given = Event::Approximate {
            epsilon: 1.0,
            delta: 1e-6,
        };
        let (replaced, claim) = (Neighbouring::ReplaceOne, "acc-poisson-replaced-known");
        assert!(named(
            given,
            Sampling::Poisson(1.0),
            replaced,
            View::Law,
            claim
        ));
        let laplace = || Event::Laplace {
            scale: 1.0,
            sensitivity: 1.0,
        };
        let (added, claim) = (Neighbouring::AddRemove, "acc-poisson-known");
        for (view, known) in [(View::Pure, true), (View::Law, false)] {
            let found = named(laplace(), Sampling::Poisson(0.1), added, view, claim);
            assert_eq!(found, known, "{view:?}");
        }
    }
}
