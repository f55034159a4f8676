//! Which claims of the ledger an account rests on.

use super::event::{Event, Sampling, Step};
use super::report::Method;
use std::collections::BTreeSet;

/// Ids in the order of the alphabet: on the leaves, on their sampling, and on what the accountant makes of them. A leaf that
/// no claim is about, and batches of a fixed size, rest on the literature alone.
pub(super) fn claims(steps: &[Step], method: Method) -> Vec<String> {
    let mut found: BTreeSet<&'static str> = BTreeSet::new();
    for step in steps {
        found.extend(leaf(&step.mechanism));
        if let Sampling::Poisson(_) = step.sampling {
            found.insert("gcd-aux-sampled");
        }
    }
    found.extend(composition(steps, method));
    found.into_iter().map(str::to_owned).collect()
}

const fn leaf(mechanism: &Event) -> Option<&'static str> {
    match mechanism {
        Event::Gaussian { .. } | Event::CorrelatedGaussian { .. } => Some("decor-aux-simulate"),
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
                Event::Gaussian { .. } | Event::CorrelatedGaussian { .. }
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
