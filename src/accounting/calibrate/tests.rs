//! What a search costs, and where it ends.

use super::super::steady;
use super::*;
use std::cell::Cell;

fn target(epsilon: f64) -> Target {
    Target {
        epsilon: Epsilon::new(epsilon).expect("in range"),
        delta: Delta::new(1e-5).expect("in range"),
        method: Accountant::Exact,
        neighbours: Neighbouring::AddRemove,
    }
}

const fn noise(sigma: f64, sensitivity: f64) -> Event {
    Event::Gaussian { sigma, sensitivity }
}

/// The secant in logarithms needs few accounts, from wherever it starts, and ends as close as it says.
#[test]
fn a_search_asks_for_few_accounts_and_ends_at_its_tolerance() {
    for (range, epsilon) in [
        ((0.1, 1e3), 1.0),
        ((1e-3, 1e12), 1.0),
        ((3.5, 4.0), 1.0),
        ((1e-6, 1e6), 30.0),
        ((1e-3, 1e9), 1e-3),
    ] {
        let truth = gaussian_sigma(Sensitivity::new(1.0).expect("in range"), &target(epsilon));
        let truth = truth.expect("feasible").get();
        for trend in [Trend::Falls, Trend::Grows] {
            let asked = Cell::new(0);
            let at = |x: f64| {
                asked.set(asked.get() + 1);
                match trend {
                    Trend::Falls => noise(x, 1.0),
                    Trend::Grows => noise(1.0, 1.0 / (range.0 * range.1 / x)),
                }
            };
            let found = parameter("x", range, trend, &target(epsilon), at).expect("feasible");
            let sigma = match trend {
                Trend::Falls => found.value,
                Trend::Grows => range.0 * range.1 / found.value,
            };
            assert!(found.report.epsilon_upper <= epsilon);
            assert!(
                (sigma / truth - 1.0).abs() < 2e-9,
                "{range:?}: {sigma}, {truth}"
            );
            let left = (found.unsafe_value / found.value).ln();
            let outward = if trend == Trend::Falls { -left } else { left };
            assert!(outward > 0.0 && outward < 1.1e-9, "{range:?}: {outward:e}");
            assert!(asked.get() <= 24, "{range:?}: {} accounts", asked.get());
        }
    }
}

/// Every value safe, or none: the range's end is found without a search.
#[test]
fn an_end_of_the_range_is_the_answer_where_all_of_it_is_safe() {
    for (trend, end) in [(Trend::Falls, 5.0), (Trend::Grows, 80.0)] {
        let at = |x: f64| match trend {
            Trend::Falls => noise(x, 1.0),
            Trend::Grows => noise(400.0, x),
        };
        let found = parameter("x", (5.0, 80.0), trend, &target(1.0), at).expect("safe");
        assert_eq!((found.value, found.unsafe_value), (end, end));
        let nowhere = parameter("x", (5.0, 80.0), trend, &target(1e-3), at);
        let told = matches!(
            nowhere,
            Err(AccountError::Infeasible {
                parameter: "x",
                lo: 5.0,
                hi: 80.0,
                ..
            })
        );
        assert!(told, "{nowhere:?}");
    }
}

/// 100 steps are within the budget and 101 are not; from there on the number of steps that a run may not be shorter than.
#[test]
fn a_whole_number_is_found_by_doubling_and_halving() {
    let steps_at = |times: u64| Event::Repeated {
        times,
        event: Box::new(noise(37.4, 1.0)),
    };
    for (limit, value) in [
        (1, 1.0),
        (64, 64.0),
        (100, 100.0),
        (101, 100.0),
        (1 << 40, 100.0),
    ] {
        let asked = Cell::new(0);
        let at = |t: u64| {
            asked.set(asked.get() + 1);
            steps_at(t)
        };
        let found = steps(limit, &target(1.0), at).expect("one is safe");
        let spoiled = if limit > 100 { 101.0 } else { value };
        assert_eq!(
            (found.value, found.unsafe_value),
            (value, spoiled),
            "{limit}"
        );
        // 1, 2, 4, …, 128 and six between 64 and 128.
        assert!(asked.get() <= 14, "{limit}: {} accounts", asked.get());
    }
    let size = |n: u64| noise(n as f64, 1.0);
    let found = whole("n", (1, 1000), Trend::Falls, &target(1.0), size).expect("feasible");
    assert_eq!((found.value, found.unsafe_value), (4.0, 3.0));
    let found = whole("n", (7, 1000), Trend::Falls, &target(1.0), size).expect("feasible");
    assert_eq!((found.value, found.unsafe_value), (7.0, 7.0));
    assert!(whole("n", (1, 3), Trend::Falls, &target(1.0), size).is_err());
}

/// An end that stays is drawn nearer by halves, and a secant is none without two finite ends.
#[test]
fn the_end_that_stays_loses_weight() {
    let mut weights = Weights::default();
    let share = |w: &Weights| w.secant((1.0, 4.0), 2.0, 0);
    assert_eq!(share(&weights), 0.5);
    weights.note(true);
    assert_eq!(share(&weights), 0.5);
    weights.note(true);
    assert!(
        (share(&weights) - 2.0 / 3.0).abs() < 1e-12,
        "{}",
        share(&weights)
    );
    weights.note(true);
    assert!((share(&weights) - 0.8).abs() < 1e-12, "{}", share(&weights));
    weights.note(false);
    assert_eq!(share(&weights), 0.5);
    weights.note(false);
    assert!(
        (share(&weights) - 1.0 / 3.0).abs() < 1e-12,
        "{}",
        share(&weights)
    );
    // ln 2 of ln 8 on the way.
    let fresh = Weights::default();
    assert!((fresh.secant((1.0, 8.0), 2.0, 39) - 1.0 / 3.0).abs() < 1e-12);
    for (ends, round) in [((1.0, 8.0), 40), ((0.0, 8.0), 0), ((1.0, f64::INFINITY), 0)] {
        assert_eq!(fresh.secant(ends, 2.0, round), 0.5, "{ends:?}");
    }
}

/// Where to begin is known from Poisson samples, so that of a dear law few are made; the answer is still the accountant's own.
#[test]
fn a_search_among_allocations_begins_where_poisson_samples_end() {
    let mut target = target(2.0);
    target.method = Accountant::Auto;
    for neighbours in [Neighbouring::AddRemove, Neighbouring::ReplaceOne] {
        target.neighbours = neighbours;
        for times in [1, 2] {
            let at = |sigma: f64| {
                let event = Box::new(noise(sigma, 1.0));
                let event = Box::new(Event::BallsInBins { bins: 12, event });
                Event::Repeated { times, event }
            };
            let found = parameter("sigma", (1e-3, 1e9), Trend::Falls, &target, at);
            let found = found.expect("feasible");
            let beyond = target.report(&at(found.unsafe_value)).expect("known");
            assert!(beyond.epsilon_upper > 2.0, "{neighbours}: {found:?}");
            // As whoever asks for its report is told.
            let own = target.report(&at(found.value)).expect("known");
            assert!(
                own == found.report && own.epsilon_upper <= 2.0,
                "{found:?}, {own:?}"
            );
            assert!(found.value / found.unsafe_value < 1.0 + 2e-6);
            assert!(likened(&at(1.0)).is_some_and(|like| likened(&like).is_none()));
        }
    }
    // What is no noise is no sample of noise.
    let event = Box::new(Event::Pure { epsilon: 1.0 });
    assert_eq!(likened(&Event::BallsInBins { bins: 2, event }), None);
}

/// Where every search asks, and where it ends, with a method of every kind.
#[test]
fn searches_end_where_they_ended() {
    let mut found = Vec::new();
    for (method, neighbours, epsilon) in [
        (Accountant::Exact, Neighbouring::AddRemove, 0.7),
        (Accountant::Rdp, Neighbouring::ReplaceOne, 3.0),
        (Accountant::Auto, Neighbouring::AddRemove, 40.0),
    ] {
        let target = Target {
            method,
            neighbours,
            ..target(epsilon)
        };
        let asked = Cell::new(0.0);
        let at = |sigma: f64| {
            asked.set(asked.get() + 1.0);
            noise(sigma, 1.0)
        };
        let end = parameter("sigma", (1e-2, 1e9), Trend::Falls, &target, at).expect("feasible");
        found.extend([
            end.value,
            end.unsafe_value,
            end.report.epsilon_upper,
            asked.get(),
        ]);
    }
    let mut weights = Weights::default();
    for (safe, spoiled) in [(0.9, 1.3), (0.99, 1.2), (0.5, 8.0)] {
        found.push(weights.secant((safe, spoiled), 1.0, 3));
        weights.note(safe > 0.95);
    }
    let report = target(1.0).report(&noise(4.0, 1.0)).expect("known");
    let start = Calibration {
        value: 4.0,
        unsafe_value: 3.9,
        report,
    };
    let mut guide = Guide::new(&start, |x| target(1.0).above(&noise(x, 1.0))).expect("a slope");
    found.push(guide.slope);
    for (x, epsilon) in [(4.0, 0.93), (3.9, 0.95), (3.75, 0.997), (3.73, 1.004)] {
        found.push(guide.step(x, (epsilon, 1.0)).unwrap_or(-1.0));
        found.extend([guide.slope, guide.least]);
    }
    steady::holds(
        &found,
        "5.166492521711927 5.16649251964533 0.6999999999895464 11.0 1.493205504571374
         1.4932055033270824 2.999999997194111 12.0 0.17485394229568738 0.1748539422257458
         39.999999996334196 12.0 0.2865200316984904 0.05224430510708712 0.25
         -1.096741268949038 -0.07278632105712096 -1.096741268949038 1.6e-6
         -0.06713683345937999 -0.8404123477232986 6.4e-6 -0.0026843268910351783
         -1.231206204194482 2.56e-5 0.003356311349167299 -1.3083480463100257 0.0001024",
    );
}

#[test]
fn tolerances_are_those_of_what_answered() {
    let own = target(1.0);
    assert_eq!(own.tolerance(Accountant::Pld, false), 1e-6);
    assert_eq!(own.tolerance(Accountant::Exact, true), 1e-9);
    let replaced = Target {
        neighbours: Neighbouring::ReplaceOne,
        ..own
    };
    assert_eq!(replaced.tolerance(Accountant::Exact, true), 1e-6);
    assert_eq!(replaced.tolerance(Accountant::Exact, false), 1e-9);
    assert!(own.rough().is_none());
    let lattice = Target {
        method: Accountant::Pld,
        ..own
    };
    assert_eq!(
        lattice.rough().map(|rough| rough.method),
        Some(Accountant::Rdp)
    );
}

/// What the accountant itself takes is what counts: the least noise is raised until it does, by no
/// more than it must.
#[test]
fn noise_is_raised_until_the_accountant_takes_it() {
    let budget = target(1.0);
    let truth = gaussian_sigma(Sensitivity::new(1.0).expect("in range"), &budget);
    let truth = truth.expect("feasible").get();
    let mut found = Vec::new();
    for share in [1.0, 1.0 - 1e-13, 1.0 - 1e-9, 1.0 - 1e-5] {
        let asked = Cell::new(0.0);
        let raised = met(share * truth, &budget, |sigma| {
            asked.set(asked.get() + 1.0);
            noise(sigma, 1.0)
        });
        let raised = raised.expect("feasible");
        let account = budget.report(&noise(raised, 1.0)).expect("known");
        assert!(account.epsilon_upper <= 1.0, "{share}: {raised}");
        assert!(
            raised <= truth + 2.0 * (1.0 - share) * truth,
            "{share}: {raised}"
        );
        found.extend([raised, asked.get()]);
    }
    // Nothing is enough where noise is not what costs.
    let spent = met(3.0, &budget, |_| Event::Pure { epsilon: 9.0 });
    found.push(spent.expect("known"));
    steady::holds(
        &found,
        "3.730631634815943 1.0 3.730631634815994 10.0 3.730631638034154 24.0 3.730651253141064
         37.0 3.0",
    );
}
