//! Filters and odometers against every run of a few steps that chooses mechanisms and stops by what it saw; and what no filter is.

use crate::adaptive::{Outcomes, Rule};
use dp_assay::accounting::event::Partition;
use dp_assay::accounting::filter::{GdpFilter, Odometer, PlanFilter, RenyiFilter, ZcdpFilter};
use dp_assay::accounting::{AccountError, Accountant, Event, account, gdp, zcdp};
use dp_assay::units::{Delta, Epsilon, Neighbouring, Rho};

const RELATION: Neighbouring = Neighbouring::ReplaceOne;
/// Odds of the responses that a run may choose from.
const ODDS: [f64; 3] = [3.0, 2.0, 1.25];
const STEPS: u32 = 4;

/// Randomised response of these odds.
fn response(odds: f64) -> Outcomes {
    let most = odds / (1.0 + odds);
    vec![(most, 1.0 - most), (1.0 - most, most)]
}

fn responses() -> Vec<Outcomes> {
    ODDS.map(response).to_vec()
}

/// Names its data with this probability and otherwise says nothing.
fn leak(share: f64) -> Outcomes {
    vec![(1.0 - share, 1.0 - share), (share, 0.0), (0.0, share)]
}

/// ln(odds), rounded up.
fn epsilon(odds: f64) -> Epsilon {
    Epsilon::new(odds.ln() * (1.0 + 1e-15)).expect("an epsilon")
}

fn pure(odds: f64) -> Event {
    let epsilon = epsilon(odds).get();
    Event::Pure { epsilon }
}

fn delta(delta: f64) -> Delta {
    Delta::new(delta).expect("a delta")
}

/// What the worst run that a filter admits loses, over δ, at the ε that the filter says.
fn share<S: Clone>(
    filter: &S,
    (epsilon, delta): (f64, f64),
    mechanisms: &[Outcomes],
    spend: impl Fn(&mut S, usize) -> Result<(), AccountError>,
) -> f64 {
    let next = |state: &S, i: usize| {
        let mut after = state.clone();
        spend(&mut after, i).ok().map(|()| after)
    };
    let level = |_: &S| epsilon.exp();
    let rule = Rule {
        mechanisms,
        next: &next,
        level: &level,
    };
    rule.worst(filter, (1.0, 1.0), STEPS) / delta
}

#[test]
fn no_run_that_a_filter_admits_loses_more_than_its_budget() {
    let rhos = ODDS.map(|odds| Rho::new(zcdp::pure_rho_upper(epsilon(odds))).expect("a rho"));
    let mus = ODDS.map(|odds| gdp::mu_of_pure(epsilon(odds)).expect("a mu"));
    let mechanisms = responses();
    let mut seen = 0;
    for d in [0.3, 0.1, 0.02, 1e-3] {
        let d = delta(d);
        for budget in [0.2, 0.5, 1.0, 2.0] {
            let filter = ZcdpFilter::new(Rho::new(budget).expect("a rho"));
            let claim = (filter.epsilon_upper(d).expect("finite"), d.get());
            let lost = share(&filter, claim, &mechanisms, |f, i| f.spend(rhos[i]));
            assert!(lost <= 1.0, "zcdp {budget} {d:?}: {lost}");

            let filter = GdpFilter::new(budget).expect("a mu");
            let claim = (filter.epsilon_upper(d).expect("finite"), d.get());
            let lost = share(&filter, claim, &mechanisms, |f, i| f.spend(mus[i]));
            assert!(lost <= 1.0, "gdp {budget} {d:?}: {lost}");
            seen += u32::from(lost > 0.0);

            let whole = Event::Pure { epsilon: budget };
            let filter = RenyiFilter::of(&whole, RELATION, &[0.5, 2.0, 8.0]).expect("orders");
            let claim = (filter.epsilon_upper(d).expect("finite"), d.get());
            let lost = share(&filter, claim, &mechanisms, |f, i| f.spend(&pure(ODDS[i])));
            assert!(lost <= 1.0, "renyi {budget} {d:?}: {lost}");
        }
    }
    assert!(seen > 4, "budgets under which nothing is lost show nothing");
}

/// In whatever order, and with whatever left out; and the whole list in any order is the worst.
#[test]
fn a_run_of_a_list_loses_what_all_of_the_list_loses() {
    let leaked = 0.05;
    let mechanisms = vec![response(3.0), response(2.0), leak(leaked)];
    let events = [
        pure(3.0),
        pure(2.0),
        Event::Approximate {
            epsilon: 0.0,
            delta: leaked,
        },
    ];
    for times in [[1, 1, 1], [2, 1, 1], [2, 2, 0], [0, 3, 1]] {
        let list = events.iter().cloned().zip(times).collect();
        let filter = PlanFilter::new(list, RELATION).expect("a list");
        for d in [0.3, 0.2] {
            let report = filter.report(delta(d), Accountant::Auto).expect("known");
            assert!(report.claims.to_string().contains("acc-filter"));
            let claim = (report.epsilon_upper, d);
            let lost = share(&filter, claim, &mechanisms, |f, i| f.spend(&events[i]));
            assert!(
                (0.999..=1.0 + 1e-12).contains(&lost),
                "{times:?} {d}: {lost}"
            );
        }
    }
    let list = vec![(Event::Zcdp { rho: 0.1 }, 3)];
    let filter = PlanFilter::new(list, RELATION).expect("a list");
    let report = filter.report(delta(1e-6), Accountant::Auto).expect("known");
    let claims = report.claims.to_string();
    assert!(claims.contains("acc-renyi-filter"), "{claims}");
    // By divergences, but for the upper end, which is that of noise whose batches are told.
    let noise = Box::new(Event::Gaussian {
        sigma: 5.0,
        sensitivity: 1.0,
    });
    let event = Event::PoissonSampled {
        rate: 0.99,
        event: noise,
    };
    for neighbours in [RELATION, Neighbouring::AddRemove] {
        let filter = PlanFilter::new(vec![(event.clone(), 100)], neighbours).expect("a list");
        let report = filter.report(delta(1e-5), Accountant::Rdp).expect("known");
        let found = |id: &str| report.claims.iter().any(|named| named == id);
        let composed = match neighbours {
            Neighbouring::ReplaceOne => "gcd-aux-dominated",
            _ => "acc-composed",
        };
        let all = ["acc-told", "acc-filter", "acc-renyi-filter", composed];
        assert!(
            all.iter().all(|id| found(id)),
            "{neighbours}: {}",
            report.claims
        );
    }
    let mut filter = PlanFilter::new(vec![(pure(2.0), 1)], RELATION).expect("a list");
    filter.spend(&pure(2.0)).expect("the first");
    let second = filter.spend(&pure(2.0)).expect_err("only one").to_string();
    assert!(second.contains("all 1 of this pure"), "{second}");
    let other = filter.spend(&pure(3.0)).expect_err("another").to_string();
    assert!(other.contains("not on the list"), "{other}");
}

/// The worst of all runs that stop when an odometer's reading suits them, over δ.
fn stopped(odometer: &Odometer, mechanisms: &[Outcomes], delta: f64) -> f64 {
    let next = |state: &Odometer, i: usize| {
        let mut after = state.clone();
        after.spend(&pure(ODDS[i])).ok().map(|()| after)
    };
    let rule = Rule {
        mechanisms,
        next: &next,
        level: &|state: &Odometer| state.epsilon_upper().exp(),
    };
    rule.worst(odometer, (1.0, 1.0), STEPS) / delta
}

#[test]
fn an_odometer_may_be_stopped_whenever_its_reading_suits() {
    let mut most = 0.0f64;
    for betas in [&[1.0][..], &[4.0], &[0.3, 1.0, 4.0], &[2.0, 2.5, 3.0, 20.0]] {
        for d in [0.5, 0.3, 0.1, 0.02, 1e-3] {
            let odometer = Odometer::new(delta(d), RELATION, betas).expect("orders");
            let lost = stopped(&odometer, &responses(), d);
            assert!(lost <= 1.0, "{betas:?} {d}: {lost}");
            most = most.max(lost);
        }
    }
    assert!(most > 0.1, "{most}");
}

/// A little less than δ: rounding would leave nothing to ε.
const LEAKED: f64 = 0.249_999;

/// After a response of odds 3, what leaks with probability ¼. Who quotes the ε of what he ran, or takes the greater of two compositions for
/// a budget, may lose 5/4 of δ (claims `acc-read-off` and `acc-curve-filter`).
#[test]
fn neither_the_epsilon_of_what_was_run_nor_that_of_the_worst_list_covers_who_chooses_by_answers() {
    let least = |events: Vec<Event>| {
        let whole = Event::Composed { events };
        let found = account(&whole, delta(0.25), Accountant::Auto, RELATION, false);
        found.expect("known").epsilon_upper.exp()
    };
    let leaks = || Event::Approximate {
        epsilon: 0.0,
        delta: LEAKED,
    };
    let list = [pure(3.0), leaks()];
    let mechanisms = [response(3.0), leak(LEAKED)];
    let levels: Vec<f64> = (0..=2).map(|run| least(list[..run].to_vec())).collect();
    let in_order = |run: &usize, i: usize| (i == *run).then_some(run + 1);
    let rule = Rule {
        mechanisms: &mechanisms,
        next: &in_order,
        level: &|run: &usize| levels[*run],
    };
    let lost = rule.worst(&0, (1.0, 1.0), 2) / 0.25;
    assert!((lost - 1.25).abs() < 1e-4, "{lost} at {levels:?}");

    // The same by composed curves: either second mechanism fits the budget of the greater.
    let mechanisms = [response(3.0), response(2.0), leak(LEAKED)];
    let fits = least(vec![pure(3.0), pure(2.0)]).max(least(list.to_vec()));
    let second = |run: &usize, i: usize| ((*run == 0) == (i == 0)).then_some(run + 1);
    let rule = Rule {
        mechanisms: &mechanisms,
        next: &second,
        level: &|_: &usize| fits,
    };
    let lost = rule.worst(&0, (1.0, 1.0), 2) / 0.25;
    assert!((lost - 1.25).abs() < 1e-4, "{lost} at {fits}");
}

#[test]
fn filters_and_odometers_refuse_what_they_cannot_count() {
    let words = |error: AccountError| error.to_string();
    let gaussian = Event::Gaussian {
        sigma: 1.0,
        sensitivity: 1.0,
    };
    assert!(words(GdpFilter::new(f64::NAN).expect_err("no mu")).contains("mu = NaN"));
    let mut filter = GdpFilter::new(1.0).expect("a mu");
    filter.spend(0.9).expect("fits");
    assert!(words(filter.spend(0.5).expect_err("too much")).contains("mu^2 = 0.25"));
    assert_eq!(filter.steps(), 1);
    filter.spend(filter.remaining()).expect("what is left fits");
    assert!(filter.spent_upper() <= 1.0 + 1e-15);

    // (ε, δ) with δ > 0 has no Rényi divergence.
    let leaks = Event::Approximate {
        epsilon: 1.0,
        delta: 1e-6,
    };
    let mut filter = RenyiFilter::of(&gaussian, RELATION, &[1.0, 9.0]).expect("orders");
    assert!(words(filter.spend(&leaks).expect_err("no curve")).contains("Renyi"));
    assert!(words(RenyiFilter::of(&gaussian, RELATION, &[]).expect_err("none")).contains("orders"));
    assert!(
        words(RenyiFilter::of(&gaussian, RELATION, &[0.0]).expect_err("order 1"))
            .contains("beta = 0")
    );
    assert!(filter.epsilon_upper(delta(0.0)).is_err());
    // A step that one order alone refuses is refused, and charged at none.
    let before = filter.clone();
    assert!(filter.spend(&Event::Pure { epsilon: 2.0 }).is_err());
    assert_eq!(filter, before);
    let tiny = RenyiFilter::within(epsilon(1.1), delta(1e-9), 1.0, RELATION);
    assert!(words(tiny.expect_err("no budget")).contains("alone exceeds epsilon"));

    assert!(
        words(Odometer::new(delta(0.0), RELATION, &[1.0]).expect_err("no delta")).contains("delta")
    );
    let mut odometer = Odometer::new(delta(1e-6), RELATION, &[1.0]).expect("an order");
    assert_eq!(odometer.epsilon_upper(), 0.0);
    assert!(odometer.spend(&leaks).is_err() && odometer.steps() == 0);
    let sampled = Event::PoissonSampled {
        rate: 0.5,
        event: Box::new(gaussian),
    };
    odometer.spend(&sampled).expect("known");
    let claims = odometer.claims().to_string();
    assert!(
        claims.contains("acc-odometer") && claims.contains("acc-poisson-replaced"),
        "{claims}"
    );
    assert!(!claims.contains("acc-nobody"), "{claims}");
    // A record is in one of the parts, and none is that of a relation alone.
    let parts = Event::Parallel {
        partition: Partition::ByIndex,
        events: vec![Event::Pure { epsilon: 0.1 }, Event::Zcdp { rho: 0.1 }],
    };
    odometer.spend(&parts).expect("known");
    let claims = odometer.claims().to_string();
    assert!(claims.contains("acc-nobody"), "{claims}");
    let filter = ZcdpFilter::new(Rho::new(0.5).expect("a budget"));
    assert_eq!(
        filter.claims().to_string(),
        "acc-composed, acc-distance, acc-renyi-filter"
    );
}
