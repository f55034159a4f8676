//! What it would cost to tune within the budget.

use super::Choice;
use super::outcome::{Group, SELECTED};
use crate::accounting::{AccountError, Event, private_selection};
use crate::units::{Delta, Neighbouring};

/// The ε of a private choice among `count` candidates whose runs are `events` (those alike need be given once);
/// infinite where no bound is known.
///
/// # Errors
/// Parameters that no accountant takes.
pub(super) fn certified(events: &[Event], count: usize, delta: Delta) -> Result<f64, AccountError> {
    let relation = Neighbouring::ReplaceOne;
    match private_selection::epsilon_upper(events, count as f64, delta, relation) {
        Err(
            AccountError::Unsupported { .. }
            | AccountError::Unclaimed { .. }
            | AccountError::NoFiniteEpsilon { .. },
        ) => Ok(f64::INFINITY),
        found => found,
    }
}

/// The record of having asked.
pub(super) fn choice(experiment: &str) -> Choice {
    let answer = match experiment {
        name if name.starts_with("decor") => {
            "not computed: the authors tuned, and a user-level choice would have to be made by the \
             network"
                .to_owned()
        }
        name if name.starts_with("kl") => "nothing, as nothing is tuned".to_owned(),
        _ => format!(
            "metric \"{SELECTED}\": every candidate as it is run here, drawn at random a geometric \
             number of times whose mean is the number of candidates, the best of these released \
             (Papernot and Steinke 2022, Theorem 2). That covers runs, not scores: they would have \
             to come from public records. No bound is known for batches of fixed size"
        ),
    };
    Choice::new("What would tuning within the budget cost?", answer)
}

/// What the rows say of it, in words; empty if they were not asked.
pub(super) fn summary(groups: &[Group]) -> String {
    let asked: Vec<&Group> = groups.iter().filter(|g| g.key.metric == SELECTED).collect();
    let mut methods: Vec<&str> = Vec::new();
    for group in &asked {
        if !methods.contains(&group.key.method.as_str()) {
            methods.push(&group.key.method);
        }
    }
    let ratios = |method: &&str| {
        let here = asked.iter().filter(|g| g.key.method == *method);
        let (least, largest) = here.fold((f64::INFINITY, 0.0_f64), |(least, largest), g| {
            let ratio = g.mean / g.key.epsilon_upper;
            (least.min(ratio), largest.max(ratio))
        });
        format!("{method} {least:.2} to {largest:.2}")
    };
    let all: Vec<String> = methods.iter().map(ratios).collect();
    match all.is_empty() {
        true => String::new(),
        false => format!(
            " A private choice would be certified for so many times the ε of one run: {}.",
            all.join(", ")
        ),
    }
}
