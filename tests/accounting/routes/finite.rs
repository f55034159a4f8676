//! Mechanisms with finitely many answers.

use super::brute::{Pair, mixture};
use super::*;
use crate::parallel::on_all_cores;
use dp_assay::accounting::AccountError;
use dp_assay::accounting::pure::{Group, compose_optimal, compose_optimal_approximate};
use dp_assay::accounting::shuffle::clones_epsilon;
use dp_assay::units::Epsilon;

/// Masses of the answers where a record is left out of a sample, without it, with it, and with another in its place; and whether
/// no mechanism that the event describes has a larger ε for a replacement in a sample.
struct Mechanism {
    event: Event,
    absent: Vec<f64>,
    without: Vec<f64>,
    with: Vec<f64>,
    replaced: Vec<f64>,
    is_worst_replacement: bool,
}

impl Mechanism {
    /// Answers that are e^±ε times as likely with the record; with its replacement, never the same ones more.
    fn pure(epsilon: f64) -> Self {
        let grown = epsilon.exp();
        let share = 1.0 / (1.0 + grown);
        let without = [share, share, 1.0 - 2.0 * share];
        let times = |ratios: [f64; 3]| without.iter().zip(ratios).map(|(m, r)| m * r).collect();
        Self {
            event: Event::Pure { epsilon },
            absent: without.to_vec(),
            without: without.to_vec(),
            with: times([grown, 1.0 / grown, 1.0 / grown]),
            replaced: times([1.0 / grown, grown, 1.0 / grown]),
            is_worst_replacement: true,
        }
    }

    /// With probability δ each of the three says which it is.
    fn approximate(epsilon: f64, delta: f64) -> Self {
        let pure = Self::pure(epsilon);
        let leaking = |masses: &[f64], who: usize| {
            let mut all = vec![0.0; 3];
            all[who] = delta;
            all.extend(masses.iter().map(|m| (1.0 - delta) * m));
            all
        };
        Self {
            event: Event::Approximate { epsilon, delta },
            absent: leaking(&pure.without, 0),
            without: leaking(&pure.without, 0),
            with: leaking(&pure.with, 1),
            replaced: leaking(&pure.replaced, 2),
            is_worst_replacement: false,
        }
    }

    fn integer(event: Event, span: i32, reach: i32, weight: impl Fn(f64) -> f64) -> Self {
        let total: f64 = (-reach - span..=reach + span)
            .map(|k| weight(f64::from(k)))
            .sum();
        let around = |centre: i32| -> Vec<f64> {
            // What falls off the ends is gathered there: below e⁻⁴⁰ of the mass.
            let all = -reach - span..=reach + span;
            all.map(|k| weight(f64::from(k - centre)) / total).collect()
        };
        let normal = |mut masses: Vec<f64>| {
            let sum: f64 = masses.iter().sum();
            masses.iter_mut().for_each(|m| *m /= sum);
            masses
        };
        Self {
            event,
            absent: normal(around(0)),
            without: normal(around(0)),
            with: normal(around(span)),
            replaced: normal(around(-span)),
            is_worst_replacement: false,
        }
    }

    fn discrete_laplace(parameter: f64, sensitivity: u64) -> Self {
        let event = Event::DiscreteLaplace {
            parameter,
            sensitivity,
        };
        let reach = (40.0 / parameter) as i32;
        Self::integer(event, sensitivity as i32, reach, |k| {
            (-parameter * k.abs()).exp()
        })
    }

    fn discrete_gaussian(sigma: f64, sensitivity: u64) -> Self {
        let event = Event::DiscreteGaussian { sigma, sensitivity };
        let reach = (12.0 * sigma) as i32;
        Self::integer(event, sensitivity as i32, reach, |k| {
            (-k * k / (2.0 * sigma * sigma)).exp()
        })
    }

    /// A record that is zeroed out answers uniformly, one that is left out of a sample not at all: the last place.
    fn response(noise: f64, buckets: u64) -> Self {
        let k = buckets as f64;
        let row = |truth: u64| -> Vec<f64> {
            let told = |answer| if answer == truth { 1.0 - noise } else { 0.0 };
            let answers = (0..buckets).map(|answer| told(answer) + noise / k);
            answers.chain([0.0]).collect()
        };
        let uniform = vec![1.0 / k; buckets as usize];
        let none = vec![0.0; buckets as usize];
        Self {
            event: Event::RandomizedResponse { noise, buckets },
            absent: [&none[..], &[1.0]].concat(),
            without: [&uniform[..], &[0.0]].concat(),
            with: row(0),
            replaced: row(1),
            is_worst_replacement: true,
        }
    }

    fn is_response(&self) -> bool {
        matches!(self.event, Event::RandomizedResponse { .. })
    }
}

/// How records get in; a batch is 3 of 10.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sampling {
    None,
    Poisson(f64),
    FixedSize,
}

/// One event under one relation, its pair, and whether no mechanism described has a larger ε.
struct Case {
    event: Event,
    sampling: Sampling,
    neighbours: Neighbouring,
    pair: Pair,
    is_worst: bool,
}

fn case(m: &Mechanism, sampling: Sampling, neighbours: Neighbouring) -> Option<Case> {
    let replacing = neighbours == Neighbouring::ReplaceOne;
    let sampled = |rate: f64, masses: &[f64]| mixture(&[(1.0 - rate, &m.absent), (rate, masses)]);
    let (event, pair) = match (sampling, replacing) {
        (Sampling::None, true) if m.is_response() => {
            (m.event.clone(), Pair::new(&m.with, &m.replaced))
        }
        // A sensitivity without sampling is that of the relation: the same pair under each.
        (Sampling::None, _) => (m.event.clone(), Pair::new(&m.with, &m.without)),
        (Sampling::Poisson(rate), false) => {
            let event = poisson(rate, &m.event);
            (
                event,
                Pair::new(&sampled(rate, &m.with), &sampled(rate, &m.without)),
            )
        }
        (Sampling::Poisson(rate), true) => {
            let (with, replaced) = (sampled(rate, &m.with), sampled(rate, &m.replaced));
            (poisson(rate, &m.event), Pair::new(&with, &replaced))
        }
        (Sampling::FixedSize, true) if m.is_response() => {
            let (with, replaced) = (sampled(0.3, &m.with), sampled(0.3, &m.replaced));
            (fixed_size(10, 3, &m.event), Pair::new(&with, &replaced))
        }
        // All other records are like the replacement.
        (Sampling::FixedSize, true) => {
            let with = mixture(&[(0.7, &m.replaced), (0.3, &m.with)]);
            (fixed_size(10, 3, &m.event), Pair::new(&with, &m.replaced))
        }
        // The record takes the place of another.
        (Sampling::FixedSize, false) if neighbours == Neighbouring::AddRemove => {
            let with = mixture(&[(0.7, &m.replaced), (0.3, &m.with)]);
            (fixed_size(10, 3, &m.event), Pair::new(&with, &m.replaced))
        }
        (Sampling::FixedSize, false) => return None,
    };
    let refused = match (&m.event, sampling) {
        (Event::RandomizedResponse { .. }, _) => neighbours == Neighbouring::AddRemove,
        (Event::DiscreteGaussian { .. }, Sampling::Poisson(rate)) => replacing && rate < 1.0,
        _ => false,
    };
    if refused {
        return None;
    }
    let is_worst = match (sampling, replacing) {
        (Sampling::FixedSize, _) => false,
        (Sampling::Poisson(_), true) => m.is_worst_replacement,
        _ => true,
    };
    Some(Case {
        event,
        sampling,
        neighbours,
        pair,
        is_worst,
    })
}

fn mechanisms() -> Vec<Mechanism> {
    vec![
        Mechanism::pure(0.7),
        Mechanism::pure(2.5),
        Mechanism::approximate(0.9, 1e-4),
        Mechanism::discrete_laplace(0.4, 2),
        Mechanism::discrete_gaussian(1.3, 1),
        Mechanism::response(0.5, 6),
        Mechanism::response(0.2, 4),
    ]
}

fn cases() -> Vec<Case> {
    use Neighbouring::{AddRemove, ReplaceOne, ZeroOut};
    let samplings = [
        Sampling::None,
        Sampling::Poisson(0.2),
        Sampling::Poisson(0.85),
        Sampling::Poisson(1.0),
        Sampling::FixedSize,
    ];
    let mut all = Vec::new();
    for m in mechanisms() {
        for sampling in samplings {
            for neighbours in [AddRemove, ZeroOut, ReplaceOne] {
                // Zeroing out is leaving out, but for the channels of one record.
                let told_apart = neighbours != ZeroOut || m.is_response() || m.is_worst_replacement;
                all.extend(case(&m, sampling, neighbours).filter(|_| told_apart));
            }
        }
    }
    all
}

/// Brute force rounds masses by 10⁻¹⁵ and merges losses up to 10⁻¹⁰: of each of at most six steps, and δ ≥ 10⁻⁷ of
/// a slope in ε of at least its own size.
const ROUTE: f64 = 1e-8;
/// The lattice aims at 10⁻⁵ of ε, and 4 or 16 times that where a window had to be coarsened.
const LOOSE: (f64, f64) = (2e-4, 2e-5);

/// Whether the report meets the ε of both directions; which direction was worse.
fn meets(case: &Case, times: u64, delta: f64, method: Accountant) -> Result<f64, String> {
    let composed = case.pair.times(times);
    let (there, back) = (composed.epsilon(delta), composed.reversed().epsilon(delta));
    let truth = there.max(back);
    let event = repeated(times, &case.event);
    let what = format!(
        "{event:?}, {}, δ = {delta}, {method:?}, {there} and {back}",
        case.neighbours
    );
    let found = match account(&event, del(delta), method, case.neighbours, true) {
        Ok(found) => found,
        Err(AccountError::NoFiniteEpsilon { .. }) if truth == f64::INFINITY => return Ok(0.0),
        // Not every notion knows every event; that of all notions does.
        Err(AccountError::Unsupported { .. }) if method == Accountant::Exact => return Ok(0.0),
        Err(AccountError::TooCostly { .. }) if method == Accountant::Exact => return Ok(0.0),
        // What is not the worst may have a finite ε where the worst has none.
        Err(AccountError::NoFiniteEpsilon { .. }) if !case.is_worst => return Ok(0.0),
        Err(e) => return Err(format!("{what}: {e}")),
    };
    let (low, high) = (found.epsilon_lower, found.epsilon_upper);
    if truth == f64::INFINITY {
        return Err(format!("{what}: {high} although there is none"));
    }
    let slack = ROUTE * (1.0 + truth);
    if high < truth - slack {
        return Err(format!("{what}: {high} is unsafe"));
    }
    if !case.is_worst {
        // A fixed size is attacked by this very pair, where a group of two is known.
        let attacked = matches!(case.sampling, Sampling::FixedSize) && low <= truth + slack;
        return if low == 0.0 || attacked {
            Ok(0.0)
        } else {
            Err(format!("{what}: nothing attains {low}"))
        };
    }
    if low > truth + slack {
        return Err(format!("{what}: the lower end {low} is too high"));
    }
    let loose = truth * (1.0 + LOOSE.0) + LOOSE.1;
    if method != Accountant::Exact && high > loose {
        return Err(format!("{what}: {high} is loose"));
    }
    Ok(there - back)
}

#[test]
fn every_sampling_relation_and_direction_meets_the_laws_multiplied_out() {
    let cases = cases();
    let mut all = Vec::new();
    for case in &cases {
        for (times, delta) in [(1, 0.2), (1, 1e-6), (3, 0.2), (4, 1e-6)] {
            for method in [Accountant::Auto, Accountant::Pld] {
                all.push((case, times, delta, method));
            }
        }
    }
    let found = on_all_cores(&all, |(case, times, delta, method)| {
        meets(case, *times, *delta, *method)
    });
    let failures: Vec<&String> = found.iter().filter_map(|f| f.as_ref().err()).collect();
    assert!(
        failures.is_empty(),
        "{} of {}: {failures:#?}",
        failures.len(),
        all.len()
    );
    // Each direction is the worse one somewhere, by much.
    for sign in [1.0, -1.0] {
        let worse = |f: &&Result<f64, String>| f.as_ref().is_ok_and(|d| sign * d > 0.05);
        assert!(found.iter().filter(worse).count() > 8, "sign {sign}");
    }
}

/// What is known of the mechanism as a pure one bounds it in a sample, too; a batch of fixed size compares two records.
#[test]
fn a_replaced_record_of_a_sample_comes_and_goes() {
    let epsilon = 0.7f64;
    let grown = epsilon.exp();
    // One release by its law, three by what is known of each.
    let at_delta_0 = |event: &Event, neighbours, times| {
        let event = repeated(times, event);
        account(&event, del(0.0), Accountant::Exact, neighbours, false)
            .expect("pure")
            .epsilon_upper
    };
    let pure = Event::Pure { epsilon };
    for rate in [1e-9, 0.01, 0.5, 1.0] {
        let (more, less) = (
            (rate * epsilon.exp_m1()).ln_1p(),
            (rate * (-epsilon).exp_m1()).ln_1p(),
        );
        let group = (rate * (2.0 * epsilon).exp_m1()).ln_1p();
        let sampled = poisson(rate, &pure);
        let batch = fixed_size(1_000_000_000, (rate * 1e9) as u64, &pure);
        for (event, neighbours, truth) in [
            (&sampled, Neighbouring::AddRemove, more),
            (&sampled, Neighbouring::ZeroOut, more),
            (&sampled, Neighbouring::ReplaceOne, more - less),
            (&batch, Neighbouring::ReplaceOne, group),
        ] {
            for times in [1, 3] {
                let (found, truth) = (at_delta_0(event, neighbours, times), times as f64 * truth);
                let near = truth <= found * (1.0 + 1e-14) && found <= truth * (1.0 + 1e-9);
                assert!(near, "{event:?}, {neighbours}: {found}, not {truth}");
            }
        }
    }
    // Laplace noise in a batch: q·δ at 1 + q(γ − 1), of noise for twice the sensitivity.
    for (q, delta) in [(0.1f64, 1e-3f64), (0.5, 0.05)] {
        let batch = fixed_size(1_000_000_000, (q * 1e9) as u64, &laplace(1.25));
        let whole = 1.6 + 2.0 * (-delta / q).ln_1p();
        let truth = (q * whole.exp_m1()).ln_1p();
        let found =
            report(&batch, delta, Accountant::Exact, Neighbouring::ReplaceOne).epsilon_upper;
        let near = truth <= found * (1.0 + 1e-12) && found <= truth * (1.0 + 1e-8);
        assert!(near, "{q}, {delta}: {found}, not {truth}");
    }
    // (ε, δ): one leak for the record that comes, e^ε' for the one that goes, scaled by the rate.
    let approximate = Event::Approximate {
        epsilon,
        delta: 1e-3,
    };
    let gamma = (0.75 + 0.25 * grown) / (0.75 + 0.25 / grown);
    let leak = 0.25 * 1e-3 * (1.0 + gamma / grown);
    let sampled = poisson(0.25, &approximate);
    let ask = |delta: f64| {
        account(
            &sampled,
            del(delta),
            Accountant::Pld,
            Neighbouring::ReplaceOne,
            false,
        )
    };
    assert!(ask(leak * 0.999).is_err());
    let found = ask(leak * 1.001).expect("above the leak").epsilon_upper;
    assert!((found - gamma.ln()).abs() < 1e-2, "{found}");
}

/// Different events, some of them equal up to their sampling: nothing depends on the order, all is counted.
#[test]
fn heterogeneous_events_meet_the_laws_multiplied_out_in_every_order() {
    use Neighbouring::{AddRemove, ReplaceOne};
    let pure = Mechanism::pure(1.1);
    let other = Mechanism::discrete_laplace(0.5, 1);
    for neighbours in [AddRemove, ReplaceOne] {
        let rates = [
            Sampling::Poisson(0.1),
            Sampling::None,
            Sampling::Poisson(0.6),
        ];
        let mut parts: Vec<(Case, u64)> = rates
            .into_iter()
            .zip([3, 1, 2])
            .map(|(sampling, times)| (case(&pure, sampling, neighbours).expect("known"), times))
            .collect();
        parts.push((case(&other, Sampling::None, neighbours).expect("known"), 2));
        let product = |reverse: bool| {
            let pair = |(case, times): &(Case, u64)| {
                let pair = if reverse {
                    case.pair.reversed()
                } else {
                    case.pair.clone()
                };
                pair.times(*times)
            };
            let pairs = parts.iter().map(pair);
            pairs.reduce(|a, b| a.then(&b)).expect("some")
        };
        let (there, back) = (product(false), product(true));
        let events: Vec<Event> = parts
            .iter()
            .map(|(c, times)| repeated(*times, &c.event))
            .collect();
        let orders = orders(&events);
        for delta in [0.05, 1e-7] {
            let truth = there.epsilon(delta).max(back.epsilon(delta));
            for order in orders.iter().step_by(7) {
                let event = Event::Composed {
                    events: order.clone(),
                };
                let found = report(&event, delta, Accountant::Auto, neighbours);
                let slack = ROUTE * (1.0 + truth);
                let safe =
                    found.epsilon_lower <= truth + slack && truth - slack <= found.epsilon_upper;
                let tight = found.epsilon_upper <= truth * (1.0 + LOOSE.0) + LOOSE.1;
                assert!(safe && tight, "{event:?}, δ = {delta}: {found:?}, {truth}");
            }
        }
    }
}

/// Optimal composition of what is known by its ε, or by its ε and δ, and of what is run again and again.
#[test]
fn optimal_composition_meets_the_laws_multiplied_out() {
    let epsilon = Epsilon::new(0.7).expect("an epsilon");
    let (pure, leaking) = (Mechanism::pure(0.7), Mechanism::approximate(0.7, 1e-3));
    for (count, delta) in [(1, 0.01), (6, 0.01), (6, 0.2), (9, 0.05)] {
        let group = Group { epsilon, count };
        let law = |m: &Mechanism| Pair::new(&m.with, &m.without).times(count).epsilon(delta);
        let found = compose_optimal(&[group], del(delta)).expect("one group");
        let truth = law(&pure);
        assert!(
            found.lo <= truth + ROUTE && truth - ROUTE <= found.hi,
            "{found:?}, {truth}"
        );
        let found = compose_optimal_approximate(group, del(1e-3), del(delta)).expect("in budget");
        let truth = law(&leaking);
        assert!(
            found.lo <= truth + ROUTE && truth - ROUTE <= found.hi,
            "{found:?}, {truth}"
        );
        assert!(found.width() < 1e-9);
    }
    let flat = repeated(6, &poisson(0.3, &pure.event));
    let nested = repeated(3, &repeated(2, &poisson(0.3, &pure.event)));
    let ask = |event| report(event, 1e-5, Accountant::Auto, Neighbouring::AddRemove);
    assert_eq!(ask(&flat), ask(&nested));
}

/// Where nobody takes part nothing is lost, whatever would have been run; its parameters are looked at all the same.
#[test]
fn nobody_in_a_sample_loses_anything() {
    use Neighbouring::{AddRemove, ReplaceOne, ZeroOut};
    let mut events: Vec<Event> = mechanisms().into_iter().map(|m| m.event).collect();
    events.extend([
        gaussian(1.0),
        laplace(1.0),
        Event::Zcdp { rho: 0.5 },
        Event::Gdp { mu: 1.0 },
        Event::Exponential { epsilon: 1.0 },
    ]);
    for event in &events {
        for neighbours in [AddRemove, ZeroOut, ReplaceOne] {
            for delta in [0.0, 1e-300, 1e-6] {
                for empty in [poisson(0.0, event), fixed_size(7, 0, event)] {
                    let found = report(
                        &repeated(1_000_000, &empty),
                        delta,
                        Accountant::Auto,
                        neighbours,
                    );
                    assert_eq!(
                        (found.epsilon_lower, found.epsilon_upper),
                        (0.0, 0.0),
                        "{empty:?}"
                    );
                }
            }
        }
    }
    for bad in [gaussian(-1.0), laplace(0.0), Event::Zcdp { rho: -1.0 }] {
        let refused = account(
            &poisson(0.0, &bad),
            del(1e-6),
            Accountant::Auto,
            AddRemove,
            false,
        );
        assert!(refused.is_err(), "{bad:?}");
    }
}

/// What is refused says why.
#[test]
fn what_no_theorem_covers_is_refused_with_the_reason() {
    use Neighbouring::{AddRemove, ReplaceOne, User};
    let zcdp = Event::Zcdp { rho: 0.5 };
    let gdp = Event::Gdp { mu: 1.0 };
    let response = Mechanism::response(0.5, 3).event;
    for (event, neighbours, reason) in [
        (poisson(0.5, &zcdp), AddRemove, "rho alone"),
        (poisson(0.5, &gdp), ReplaceOne, "replacing a sampled record"),
        (
            fixed_size(10, 10, &gaussian(1.0)),
            AddRemove,
            "no batch of that size",
        ),
        (poisson(0.5, &gaussian(1.0)), User, "protects no user"),
        (
            poisson(0.5, &response),
            AddRemove,
            "a channel of one record",
        ),
    ] {
        let refused = account(&event, del(1e-6), Accountant::Auto, neighbours, false);
        let text = refused.expect_err("no theorem").to_string();
        assert!(text.contains(reason), "{text}");
    }
    // At rate 1 all take part: replacing is a group of two.
    let whole = report(&poisson(1.0, &zcdp), 1e-6, Accountant::Auto, ReplaceOne).epsilon_upper;
    let four = report(
        &Event::Zcdp { rho: 2.0 },
        1e-6,
        Accountant::Auto,
        ReplaceOne,
    )
    .epsilon_upper;
    assert_eq!(whole, four);
    let whole = report(&poisson(1.0, &gdp), 1e-6, Accountant::Auto, ReplaceOne).epsilon_upper;
    assert_eq!(
        whole,
        report(&Event::Gdp { mu: 2.0 }, 1e-6, Accountant::Auto, ReplaceOne).epsilon_upper
    );
}

/// n reports, shuffled: of the n − 1 others each is a clone with probability e^{−ε₀}, half of the clones of either
/// kind; the report itself is of the one kind with the odds e^ε₀ or its inverse.
#[test]
fn shuffled_clones_meet_their_law_summed_over_all_counts() {
    let choose = |n: u64, k: u64| (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
    for (local, n, delta) in [
        (1.0f64, 20, 1e-3),
        (0.5, 2, 0.05),
        (2.0, 7, 1e-6),
        (1.0, 1, 0.1),
    ] {
        let (clone, truth) = ((-local).exp(), 1.0 / (1.0 + (-local).exp()));
        let (mut p, mut q) = (Vec::new(), Vec::new());
        for c in 0..n {
            let others =
                choose(n - 1, c) * clone.powi(c as i32) * (1.0 - clone).powi((n - 1 - c) as i32);
            let half = |a: i64| match u64::try_from(a) {
                Ok(a) if a <= c => choose(c, a) * 0.5f64.powi(c as i32),
                _ => 0.0,
            };
            for count in 0..=c as i64 + 1 {
                let (own, not) = (half(count - 1), half(count));
                p.push(others * (truth * own + (1.0 - truth) * not));
                q.push(others * ((1.0 - truth) * own + truth * not));
            }
        }
        let brute = Pair::new(&p, &q).epsilon(delta);
        let found = clones_epsilon(Epsilon::new(local).expect("an epsilon"), n, del(delta))
            .expect("in range");
        // The clones left out of a window count for at most 2·10⁻⁴ of δ.
        let near = found.lo <= brute + 1e-9 && brute - 1e-9 <= found.hi && found.hi <= brute + 1e-3;
        assert!(near && brute > 0.0, "n = {n}: {found:?}, {brute}");
    }
}
