//! Several classes, one against the rest.
//!
//! Of K > 2 classes each has a model of its own that tells it from all others, and a record is of the class whose score is the
//! largest. A record has a part in all K models, so that they share one budget: K equal parts.

use super::budget::{Spent, part_of, seed_of};
use super::methods;
use super::outcome::{Outcome, unsupported};
use super::{FitError, Method, Privacy, Progress, Request, ScheduleName, Smoothness, setup};
use crate::accounting::Event;
use crate::problem::Dataset;

/// The tape's trial: see [`super::centre`].
const TRIAL: u64 = 5;

/// Runs the request's method for each of `count` classes of framed data.
pub(super) fn run(
    framed: &Dataset,
    count: usize,
    request: &Request,
    spent: &Spent,
    progress: Progress<'_>,
) -> Result<Vec<Outcome>, FitError> {
    check(request)?;
    let mut one = |k: usize, request: &Request| {
        let request = Request {
            seed: seed_of(request.seed, TRIAL, k as u64),
            ..request.clone()
        };
        let problem = setup::problem(framed.one_against_rest(k), &request)?.problem;
        let (done, all) = (k as u64, count as u64);
        let mut told = |taken: u64, of: u64| progress(done * of + taken, all * of);
        methods::run(&problem, &request, None, &mut told)
    };
    let all = |first: &Outcome| Event::Repeated {
        times: count as u64,
        event: Box::new(first.privacy.event.clone()),
    };
    let budget = (request.epsilon, request.delta);
    let start = part_of(budget, 1.0 / count as f64)?;
    let (first, part) = spent.within(request, start, |part| one(0, part), all)?;
    let mut outcomes = vec![first];
    for k in 1..count {
        outcomes.push(one(k, &part)?);
    }
    Ok(outcomes)
}

/// The method's part of the guarantee of all: what they release together.
pub(super) fn together(outcomes: &[Outcome]) -> Privacy {
    let events = outcomes.iter().map(|one| one.privacy.event.clone());
    Privacy {
        event: Event::Composed {
            events: events.collect(),
        },
        ..outcomes[0].privacy.clone()
    }
}

fn check(request: &Request) -> Result<(), FitError> {
    let refuse = |choice: &str| Err(unsupported(request, choice.into()));
    let rules = [
        (request.method == Method::Decor, "more than two classes"),
        (
            request.schedule == ScheduleName::Theorem,
            "more than two classes by the schedule of a theorem",
        ),
        (
            request.smoothness == Smoothness::Private,
            "more than two classes and a private estimate of smoothness",
        ),
        (request.tune > 0, "more than two classes and tuning"),
        (
            request.compare,
            "more than two classes and a comparison of objectives",
        ),
    ];
    match rules.into_iter().find(|rule| rule.0) {
        Some((_, choice)) => refuse(choice),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LossName, fit};
    use super::*;
    use crate::problem::dataset;
    use crate::units::{Delta, Epsilon};

    /// Of records that are 0 every class has the same gradients, none: its weights are its noise, which no other may have.
    #[test]
    fn no_class_has_the_noise_of_another() {
        let data = dataset::table(&[[0.0; 3]; 6], vec![0.0, 1.0, 2.0, 0.0, 1.0, 2.0]);
        let data = data.with_classes(["a", "b", "c"].map(str::to_owned).to_vec());
        let budget = (
            Epsilon::new(1.0).expect("one"),
            Delta::new(1e-6).expect("small"),
        );
        for method in [Method::Gd, Method::Gcd, Method::DpCd] {
            let request = Request::new(method, LossName::Logistic, budget);
            let found = fit(data.clone(), &request).expect("fitted");
            let others = found.others.iter().map(|one| &one.coefficients);
            let weights: Vec<_> = std::iter::once(&found.coefficients).chain(others).collect();
            assert_eq!(weights.len(), 3);
            for (k, own) in weights.iter().enumerate() {
                assert!(own.iter().any(|w| *w != 0.0), "{method:?}: no noise");
                assert!(weights[..k].iter().all(|other| other != own), "{method:?}");
            }
        }
    }
}
