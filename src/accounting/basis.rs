//! Which claims of the ledger an account rests on.

use super::event::{Event, Sampling, Step};
use super::report::Method;
use crate::units::Neighbouring;
use std::collections::BTreeSet;

/// Ids in the order of the alphabet: on the leaves, on their sampling, and on what the accountant makes of them. A leaf that
/// no claim is about, batches of a fixed size, and samples of which a record is replaced rest on the literature alone.
pub(super) fn claims(steps: &[Step], neighbours: Neighbouring, method: Method) -> Vec<String> {
    let mut found: BTreeSet<&'static str> = BTreeSet::new();
    for step in steps {
        found.extend(leaf(&step.mechanism));
        if let (Sampling::Poisson(_), Neighbouring::AddRemove) = (step.sampling, neighbours) {
            found.insert("gcd-aux-sampled");
        }
    }
    found.extend(composition(steps, method));
    found.into_iter().map(str::to_owned).collect()
}

const fn leaf(mechanism: &Event) -> Option<&'static str> {
    match mechanism {
        Event::Gaussian { .. }
        | Event::CorrelatedGaussian { .. }
        | Event::MatrixGaussian { .. } => Some("decor-aux-simulate"),
        Event::Laplace { .. } => Some("gcd-mech-lap"),
        Event::Pure { .. } => Some("gcd-aux-response"),
        Event::Zcdp { .. } => Some("kl-imp-adaptive"),
        _ => None,
    }
}

fn composition(steps: &[Step], method: Method) -> Vec<&'static str> {
    let whole = |step: &Step| step.sampling == Sampling::None;
    let gaussian = |step: &Step| {
        whole(step)
            && matches!(
                step.mechanism,
                Event::Gaussian { .. }
                    | Event::CorrelatedGaussian { .. }
                    | Event::MatrixGaussian { .. }
            )
    };
    let single = matches!(steps, [step] if step.count == 1);
    match method {
        _ if steps.is_empty() => Vec::new(),
        Method::Rdp => vec!["gcd-aux-renyi", "skgd-prop-D.6"],
        // One Gaussian mechanism, or a profile that is inverted.
        Method::Exact if steps.iter().all(gaussian) || single => Vec::new(),
        Method::Exact
            if steps
                .iter()
                .all(|s| matches!(s.mechanism, Event::Pure { .. })) =>
        {
            vec!["gcd-aux-response"]
        }
        _ => vec!["gcd-aux-dominated"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_named_only_where_it_is_about_the_step_and_the_relation() {
        let step = |sampling| Step {
            mechanism: Event::Gaussian {
                sigma: 1.0,
                sensitivity: 1.0,
            },
            sampling,
            count: 3,
        };
        let of =
            |sampling, neighbours, method| claims(&[step(sampling)], neighbours, method).join(" ");
        let (added, replaced) = (Neighbouring::AddRemove, Neighbouring::ReplaceOne);
        assert_eq!(
            of(Sampling::None, replaced, Method::Exact),
            "decor-aux-simulate"
        );
        let sampled = "decor-aux-simulate gcd-aux-dominated gcd-aux-sampled";
        assert_eq!(of(Sampling::Poisson(0.1), added, Method::Pld), sampled);
        let literature = "decor-aux-simulate gcd-aux-dominated";
        assert_eq!(
            of(Sampling::Poisson(0.1), replaced, Method::Pld),
            literature
        );
        assert_eq!(of(Sampling::FixedSize(0.1), added, Method::Pld), literature);
        let renyi = "decor-aux-simulate gcd-aux-renyi skgd-prop-D.6";
        assert_eq!(of(Sampling::None, added, Method::Rdp), renyi);
        assert_eq!(claims(&[], added, Method::Exact), Vec::<String>::new());
    }
}
