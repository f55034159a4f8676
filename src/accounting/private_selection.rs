//! What it costs to choose the best of several private runs.
//!
//! A run with a candidate drawn at random, anew each time, is repeated K times, and only the run with the best score
//! is released. If K were fixed, the choice could reveal as much as all K runs; for a random K it reveals little more than
//! a few. Here K = 1, 2, … is geometric with mean m. If one run has Rényi divergence at most D_α at every order α, the choice has
//! (Papernot and Steinke 2022, Hyperparameter tuning with Rényi differential privacy, Theorem 2 with η = 1, γ = 1/m)
//!
//! D_α + 2 min_λ ((1 − 1/λ) D_λ + ln(m)/λ) + ln(m)/(α − 1), λ ≥ 1.
//!
//! K is hidden: neither it nor the time that the runs take may be released, or the choice costs as much as all of them.
//! As for one run, scores must be covered by the run's guarantee: read off public records, or off what is released.

use super::event::{Event, Sampling, Step};
use super::{AccountError, Claims, basis, rdp, views};
use crate::units::{Delta, Neighbouring};

/// Upper bound on the ε at δ of choosing among runs, each of which is one of the `candidates`, drawn at random, when `mean`
/// runs are expected; rounded up. The candidate that is chosen may be released, too.
///
/// ```
/// use dp_assay::accounting::private_selection::epsilon_upper;
/// use dp_assay::prelude::*;
///
/// let run = Event::Gaussian { sigma: 4.0, sensitivity: 1.0 };
/// let (delta, neighbours) = (Delta::new(1e-5)?, Neighbouring::AddRemove);
/// let one = account(&run, delta, Accountant::Rdp, neighbours, false)?.epsilon_upper;
/// // The best of ten runs on average costs more than one run, but far less than ten times its ε.
/// let best = epsilon_upper(&[run], 10.0, delta, neighbours)?;
/// assert!(one < best && best < 5.0 * one);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// No candidate, a mean below 1, parameters out of range, a candidate whose Rényi divergences are not known or rest on no
/// claim, or a δ for which there is no finite ε.
pub fn epsilon_upper(
    candidates: &[Event],
    mean: f64,
    delta: Delta,
    neighbours: Neighbouring,
) -> Result<f64, AccountError> {
    let step = Step {
        mechanism: Event::PrivateSelection {
            mean,
            events: candidates.to_vec(),
        },
        sampling: Sampling::None,
        count: 1,
    };
    let unknown = || views::unsupported(std::slice::from_ref(&step), "Renyi", neighbours);
    let mut curve = views::curve(&step, neighbours)?.ok_or_else(unknown)?;
    claims(candidates, neighbours)?;
    let epsilon = rdp::epsilon_upper(&mut curve, delta)?;
    AccountError::in_range(epsilon)?;
    Ok(epsilon)
}

/// All that [`epsilon_upper`] rests on.
///
/// # Errors
/// As [`Event::steps`]; a candidate that no claim carries.
pub fn claims(candidates: &[Event], neighbours: Neighbouring) -> Result<Claims, AccountError> {
    let own = ["acc-selection", "gcd-aux-renyi", "skgd-prop-D.6"];
    let mut found = basis::candidates(candidates, neighbours)?;
    found.extend(own.map(str::to_owned));
    let found: Vec<String> = basis::under(neighbours, found).into_iter().collect();
    Claims::try_from(found).map_err(AccountError::Event)
}

#[cfg(test)]
mod tests {
    use super::super::basis::NOBODY;
    use super::*;
    use crate::accounting::event::Partition;
    use crate::accounting::{Accountant, account};

    const RELATION: Neighbouring = Neighbouring::ReplaceOne;

    fn delta(value: f64) -> Delta {
        Delta::new(value).expect("a δ")
    }

    fn cost(candidates: &[Event], mean: f64, at: f64) -> f64 {
        epsilon_upper(candidates, mean, delta(at), RELATION).expect("bounded")
    }

    fn gaussian(sigma: f64) -> Event {
        Event::Gaussian {
            sigma,
            sensitivity: 1.0,
        }
    }

    /// The node of a tree is this choice: alone, and composed with Gaussian noise by adding divergences, never for less.
    #[test]
    fn a_choice_in_a_tree_costs_what_it_costs_alone_and_names_its_candidates_claims() {
        let tree = |events: Vec<Event>| Event::PrivateSelection { mean: 10.0, events };
        let events = vec![gaussian(4.0), Event::Pure { epsilon: 0.1 }];
        let report = |event: &Event| account(event, delta(1e-6), Accountant::Auto, RELATION, false);
        let alone = report(&tree(events.clone())).expect("known");
        // A tree rounds outwards twice more: its divergences are multiplied by counts and added.
        let over = alone.epsilon_upper / cost(&events, 10.0, 1e-6) - 1.0;
        assert!((0.0..1e-14).contains(&over), "{over:e}");
        assert_eq!(alone.epsilon_lower, 0.0);
        for claim in ["acc-selection", "acc-gaussian", "acc-pure-zcdp"] {
            assert!(
                alone.claims.iter().any(|id| id == claim),
                "{}",
                alone.claims
            );
        }
        let composed = Event::Composed {
            events: vec![gaussian(4.0), tree(events.clone())],
        };
        let composed = report(&composed).expect("known").epsilon_upper;
        assert!(composed > alone.epsilon_upper, "{composed}");
        // What holds no known divergence is refused inside a tree as well, and so is a sample of a choice.
        assert!(report(&tree(Vec::new())).is_err());
        let sampled = Event::PoissonSampled {
            rate: 0.1,
            event: Box::new(tree(events)),
        };
        let refusal = report(&sampled).expect_err("no theorem").to_string();
        assert!(refusal.contains("sample inside its events"), "{refusal}");
    }

    /// A record that is in one of several parts is accounted for alike alone and as a candidate.
    #[test]
    fn a_candidate_of_parallel_parts_names_the_claim_on_the_others() {
        let parts = Event::Parallel {
            partition: Partition::ByValue,
            events: vec![gaussian(4.0), gaussian(5.0)],
        };
        let relation = Neighbouring::AddRemove;
        let report = |event: &Event| account(event, delta(1e-6), Accountant::Rdp, relation, false);
        let alone = report(&parts).expect("known").claims;
        let choice = Event::PrivateSelection {
            mean: 3.0,
            events: vec![parts],
        };
        let chosen = report(&choice).expect("known").claims;
        assert!(alone.iter().any(|id| id == NOBODY), "{alone}");
        assert!(chosen.iter().any(|id| id == NOBODY), "{chosen}");
    }

    /// With D_α = α/(2σ²) the bracket is least at λ = σ√(2 ln m): √(2 ln m)/σ − 1/(2σ²) wherever that is at least 1, and
    /// nothing else but the conversion depends on the order.
    #[test]
    fn a_choice_among_gaussian_runs_costs_what_the_closed_form_says() {
        let (sigma, mean, at) = (2.0_f64, 50.0_f64, 1e-6);
        let log = mean.ln();
        let bracket = (2.0 * log).sqrt() / sigma - 0.5 / (sigma * sigma);
        let by_hand = |beta: f64| {
            let divergence = (1.0 + beta) / (2.0 * sigma * sigma) + 2.0 * bracket + log / beta;
            rdp::epsilon_at_order(beta, divergence, at)
        };
        let least = (1..100_000).map(|k| by_hand(1e-3 * f64::from(k)));
        let least = least.fold(f64::INFINITY, f64::min);
        let found = cost(&[gaussian(sigma)], mean, at);
        // The grid of orders is 1e-3 apart and the curvature below 10 there; searches stop at least as close.
        assert!((found / least - 1.0).abs() < 1e-5, "{found} and {least}");
    }

    /// Without any δ the choice among pure runs is 3ε-private (Liu and Talwar 2019). Every order gives a bound: 7000 adds
    /// ln(m/δ)/(α − 1) < 0.003 to that. No sound curve is below the one of randomized response, hence below
    /// ε + ln(p)/(α − 1) with p = 1/(1 + e^−ε); so the bracket is at least ε, and what is added at least
    /// (ln(pm/δ) − 1 − ln α)/(α − 1), which is nowhere below −2·10⁻⁹.
    #[test]
    fn a_choice_among_pure_runs_costs_about_three_of_them() {
        let found = cost(&[Event::Pure { epsilon: 0.1 }], 1e3, 1e-6);
        assert!((0.3 - 1e-8..=0.303).contains(&found), "{found}");
    }

    /// One run is no choice; more runs, a worse candidate or less δ cost more, never less.
    #[test]
    fn a_choice_costs_more_than_a_run_and_grows_with_what_is_tried() {
        let once = account(
            &gaussian(4.0),
            delta(1e-6),
            Accountant::Rdp,
            RELATION,
            false,
        );
        let once = once.expect("bounded").epsilon_upper;
        let single = cost(&[gaussian(4.0)], 1.0, 1e-6);
        // Searches for the best order stop within 1e-9 of it.
        assert!((single / once - 1.0).abs() < 1e-6, "{single} and {once}");
        let mut last = single;
        for mean in [2.0, 10.0, 100.0, 1e4] {
            let more = cost(&[gaussian(4.0)], mean, 1e-6);
            assert!(more > last, "{mean}: {more} and {last}");
            last = more;
        }
        let both = cost(&[gaussian(4.0), gaussian(2.0)], 10.0, 1e-6);
        assert_eq!(both, cost(&[gaussian(2.0)], 10.0, 1e-6));
    }

    #[test]
    fn what_has_no_bound_is_refused() {
        let refused = |candidates: &[Event], mean: f64| {
            epsilon_upper(candidates, mean, delta(1e-6), RELATION).expect_err("refused")
        };
        refused(&[], 2.0);
        refused(&[gaussian(1.0)], 0.5);
        refused(&[gaussian(1.0)], f64::NAN);
        let event = Box::new(gaussian(1.0));
        let fixed = Event::FixedSizeSampled {
            size: 10,
            batch: 1,
            replacement: false,
            event,
        };
        assert!(matches!(
            refused(&[fixed], 2.0),
            AccountError::Unsupported { .. }
        ));
        // The smaller of two neighbours has no batch of all records of the larger.
        let event = Box::new(Event::Pure { epsilon: 1.0 });
        let whole = Event::FixedSizeSampled {
            size: 10,
            batch: 10,
            replacement: false,
            event,
        };
        let at = delta(1e-6);
        assert!(
            epsilon_upper(
                std::slice::from_ref(&whole),
                2.0,
                at,
                Neighbouring::AddRemove
            )
            .is_err()
        );
        assert!(epsilon_upper(&[whole], 2.0, at, RELATION).is_ok());
    }

    #[test]
    fn a_choice_names_the_claims_of_its_candidates() {
        let sampled = Event::PoissonSampled {
            rate: 0.1,
            event: Box::new(gaussian(2.0)),
        };
        let named = claims(&[gaussian(1.0), sampled], RELATION).expect("claimed");
        for id in [
            "acc-gaussian",
            "acc-poisson-replaced-gaussian",
            "acc-selection",
        ] {
            assert!(named.iter().any(|other| other == id), "{named}");
        }
    }
}
