//! From a data set to what the method gives: what is released before it, and the method.

use super::budget::{Spent, part_of};
use super::outcome::{self, Outcome};
use super::{Bounds, Centre, FitError, LossName, Method, Privacy, Progress, Request, ScheduleName};
use super::{Users, Utility, decor, methods, setup, several, theorem, tune};
use crate::problem::{Dataset, Problem};
use std::sync::Arc;

/// The names of more than two classes.
pub(super) fn several_classes(data: &Dataset, request: &Request) -> Vec<String> {
    let names = data.classes().unwrap_or_default();
    match request.loss {
        LossName::Logistic if names.len() > 2 => names.to_vec(),
        _ => Vec::new(),
    }
}

/// The data as a solver sees them, and what was released to see them so.
pub(super) struct Released {
    pub(super) framed: Arc<Dataset>,
    /// The request, with the ranges that were released.
    pub(super) asked: Request,
    /// The same with what is left of the budget.
    pub(super) rest: Request,
    pub(super) spent: Spent,
    pub(super) bounds: Option<Bounds>,
    pub(super) centre: Option<Centre>,
}

pub(super) fn released(data: Dataset, request: &Request) -> Result<Released, FitError> {
    if request.method == Method::Ssgd && (request.bounds != 0.0 || request.centre != 0.0) {
        let choice =
            "private ranges or a private centre: the shuffling of its steps takes the whole delta";
        return Err(outcome::unsupported(request, choice.into()));
    }
    let mut spent = Spent::nothing(request);
    let mut asked = request.clone();
    let left = |request: &Request, taken: f64| -> Result<Request, FitError> {
        Ok(Request {
            epsilon: part_of((request.epsilon, request.delta), 1.0 - taken)?,
            ..request.clone()
        })
    };
    let mut bounds = None;
    let mut rest = asked.clone();
    if request.bounds != 0.0 {
        let found = Bounds::new(&data, request)?;
        spent.add(found.event());
        asked = found.applied(asked);
        rest = left(&asked, request.bounds)?;
        bounds = Some(found);
    }
    let (framed, centre) = setup::features(data, &rest)?;
    if let Some(centre) = &centre {
        spent.add(centre.event());
        rest = left(&rest, request.centre)?;
    }
    Ok(Released {
        framed: Arc::new(framed),
        asked,
        rest,
        spent,
        bounds,
        centre,
    })
}

/// What the method gives: one outcome, or one for each of several classes.
pub(super) struct Solved {
    pub(super) outcomes: Vec<Outcome>,
    pub(super) privacy: Privacy,
    /// Of one outcome.
    pub(super) problem: Option<Problem>,
    pub(super) users: Option<Users>,
    pub(super) utility: Option<Utility>,
}

pub(super) fn solve(
    released: &Released,
    classes: usize,
    progress: Progress<'_>,
) -> Result<Solved, FitError> {
    let Released {
        framed,
        asked,
        rest,
        spent,
        ..
    } = released;
    if classes > 0 {
        let outcomes = several::run(framed, classes, rest, spent, progress)?;
        return Ok(Solved {
            privacy: spent.added_to(several::together(&outcomes), asked)?,
            outcomes,
            problem: None,
            users: None,
            utility: None,
        });
    }
    let setup::Ready { problem, estimate } = setup::problem(Arc::clone(framed), rest)?;
    let before = spent.before();
    let rest = match &estimate {
        None => rest.clone(),
        Some(_) if before.is_some() || asked.tune > 0 => {
            let choice = "a private estimate of smoothness beside a private centre, private ranges \
                          or tuning";
            return Err(outcome::unsupported(asked, choice.into()));
        }
        Some(estimate) => estimate.rest(rest)?,
    };
    let (mut users, mut utility, mut tuning) = (None, None, None);
    let outcome = match (rest.schedule, rest.method) {
        _ if rest.tune > 0 => {
            let (outcome, told) = tune::run(&problem, &rest, spent)?;
            tuning = Some(told);
            outcome
        }
        (ScheduleName::Theorem, _) => {
            let found = theorem::run(&problem, &rest, progress)?;
            (users, utility) = (found.1, Some(found.2));
            found.0
        }
        (ScheduleName::Practical, Method::Decor) => {
            let found = decor::run(&problem, &rest, progress)?;
            users = Some(found.1);
            found.0
        }
        (ScheduleName::Practical, _) => methods::run(&problem, &rest, before.as_ref(), progress)?,
    };
    let own = outcome.privacy.clone();
    let privacy = match estimate {
        Some(estimate) => estimate.added_to(own, asked)?,
        // A method that is alone says itself what it spends.
        None if before.is_none() && tuning.is_none() => own,
        None => spent.added_to(own, asked)?,
    };
    Ok(Solved {
        outcomes: vec![outcome],
        privacy: Privacy { tuning, ..privacy },
        problem: Some(problem),
        users,
        utility,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::{self, Event, gdp};
    use crate::problem::dataset;
    use crate::units::{Delta, Epsilon};

    /// What is released first and what is left for the method are together within the budget.
    #[test]
    fn what_is_released_first_is_taken_from_the_budget() {
        let budget = (
            Epsilon::new(1.0).expect("≥ 0"),
            Delta::new(1e-6).expect("≤ 1"),
        );
        let rows: Vec<[f64; 1]> = (0..20_000).map(|i| [f64::from(i % 7) - 3.0]).collect();
        let labels = rows.iter().map(|x| if x[0] > 0.0 { 1.0 } else { -1.0 });
        let data = dataset::table(&rows, labels.collect());
        for share in [0.05, 0.3] {
            let request = Request {
                bounds: share,
                intercept: true,
                ..Request::new(Method::Gd, LossName::Logistic, budget)
            };
            let found = released(data.clone(), &request).expect("ranges");
            let rest = found.rest.epsilon.get();
            assert!(rest < 1.0 && rest > 1.0 - 2.0 * share, "{share}: {rest}");
            let method = gdp::mechanism(gdp::mu_of(found.rest.epsilon, budget.1).expect("μ").hi);
            let event = found.spent.and(Event::Gdp {
                mu: method.expect("in range").mu_upper(),
            });
            let auto = accounting::Accountant::Auto;
            let all = accounting::account(&event, budget.1, auto, request.neighbours, false);
            let all = all.expect("known").epsilon_upper;
            assert!(all <= 1.0 && all > 0.99, "{share}: {all}");
        }
    }
}
