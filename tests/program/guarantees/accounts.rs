//! What accountants and calibrations say of mechanisms and of what is made of them.

use super::{CLAIMS, claims_in, holds};
use crate::program::json;
use dp_assay::accounting::matrix::Strategy;
use dp_assay::accounting::{self, Event, account};
use dp_assay::units::{Delta, Neighbouring};
use std::collections::BTreeSet;

#[test]
fn every_account_and_calibration_names_theorems_and_claims_that_hold() {
    let decor = ["--graph", "ring:5", "--steps", "10", "--delta", "1e-5"];
    let scales = ["--sigma-cdp", "4", "--sigma-cor", "10"];
    let batch = ["--batch", "5", "--examples", "50"];
    let account = |extra: &[&str]| json(&[&["account"], extra].concat());
    let calibrate = |extra: &[&str]| json(&[&["calibrate"], extra, &["--epsilon", "2"]].concat());
    let results = [
        account(&["gaussian", "--sigma", "1", "--delta", "1e-5"]),
        account(&["laplace", "--sigma", "1", "--delta", "0"]),
        account(&[
            "subsampled-gaussian",
            "--q",
            "0.1",
            "--sigma",
            "1",
            "--delta",
            "1e-5",
        ]),
        account(&[&["decor"], &decor[..], &scales].concat()),
        account(
            &[
                &["decor"],
                &decor[..],
                &scales,
                &["--adversary", "collude:2"],
            ]
            .concat(),
        ),
        account(&[&["decor"], &decor[..], &scales, &batch].concat()),
        calibrate(&["gaussian", "--delta", "1e-5"]),
        calibrate(&["laplace", "--delta", "0"]),
        calibrate(&[
            "gaussian", "--delta", "1e-5", "--sigma", "4", "--solve", "steps",
        ]),
        calibrate(&[&["decor"], &decor[..], &["--points", "2"]].concat()),
    ];
    let mut found = BTreeSet::new();
    for result in &results {
        claims_in(result, &mut found);
        let parts = result["pairs"].as_array().cloned();
        for part in parts.unwrap_or_else(|| vec![result.clone()]) {
            assert!(
                part["theorem"].as_str().is_some_and(|t| !t.is_empty()),
                "{result}"
            );
            assert!(
                part["claims"].as_array().is_some_and(|c| !c.is_empty()),
                "{result}"
            );
        }
    }
    assert!(
        found.contains("decor-thm-6-num") && found.contains("decor-alg-D1e-repaired"),
        "{found:?}"
    );
    found.iter().for_each(|id| holds(id));
}

/// Every leaf that an event tree can have, in no order.
fn mechanisms() -> Vec<Event> {
    vec![
        Event::Gaussian {
            sigma: 2.0,
            sensitivity: 1.0,
        },
        Event::Laplace {
            scale: 2.0,
            sensitivity: 1.0,
        },
        Event::DiscreteGaussian {
            sigma: 2.0,
            sensitivity: 1,
        },
        Event::DiscreteLaplace {
            parameter: 0.5,
            sensitivity: 1,
        },
        Event::RandomizedResponse {
            noise: 0.5,
            buckets: 4,
        },
        Event::Exponential { epsilon: 0.5 },
        Event::ReportNoisyMax {
            sensitivities: vec![1.0, 2.0],
            scales: vec![4.0, 8.0],
        },
        Event::CorrelatedGaussian {
            covariance: vec![vec![2.0, 1.0], vec![1.0, 2.0]],
            shifts: vec![vec![1.0, 0.0]],
        },
        Event::GaussianMixture {
            sigma: 2.0,
            shifts: vec![0.0, 1.0, 2.0],
            weights: vec![0.5, 0.25, 0.25],
        },
        Event::MatrixGaussian {
            sigma: 2.0,
            strategy: Strategy::Toeplitz(vec![1.0, 0.5, -0.25]),
            participations: 3,
            separation: 1,
        },
        Event::Pure { epsilon: 0.5 },
        Event::Approximate {
            epsilon: 0.5,
            delta: 1e-9,
        },
        Event::Zcdp { rho: 0.1 },
        Event::Gdp { mu: 0.5 },
        Event::PrivateSelection {
            mean: 5.0,
            events: vec![Event::Gdp { mu: 0.1 }, Event::Pure { epsilon: 0.1 }],
        },
    ]
}

/// A mechanism in every way in which the records can get to it, twice; and once where it is not sampled.
fn ways(mechanism: &Event) -> Vec<Event> {
    let own = || Box::new(mechanism.clone());
    let twice = |event: Event| Event::Repeated {
        times: 2,
        event: Box::new(event),
    };
    let poisson = |rate| Event::PoissonSampled { rate, event: own() };
    let drawn = |batch, replacement| Event::FixedSizeSampled {
        size: 10,
        batch,
        replacement,
        event: own(),
    };
    let fixed = |batch| drawn(batch, false);
    let truncated = Event::TruncatedPoissonSampled {
        rate: 0.5,
        cap: 2,
        records: 4,
        event: own(),
    };
    let allocated = |participations| Event::RandomAllocation {
        steps: 3,
        participations,
        event: own(),
    };
    let ways = [
        mechanism.clone(),
        poisson(0.1),
        poisson(1.0),
        fixed(1),
        fixed(10),
    ];
    let apart = Event::BMinSeparation {
        steps: 3,
        separation: 2,
        rate: 0.25,
        event: own(),
    };
    let once = [drawn(2, true), truncated, allocated(1), allocated(2), apart];
    ways.into_iter()
        .map(twice)
        .chain([mechanism.clone(), poisson(0.1), fixed(1)])
        .chain(once)
        .collect()
}

/// Claims on batches in which a record has the place of another.
const EXCHANGES: [&str; 3] = [
    "acc-exchange",
    "acc-truncated-poisson",
    "acc-with-replacement-told",
];

/// Whether a claim is about the relation, as the ledger states it. Where none is said, it is about every one. `exchanged`: whether
/// a record that comes takes the place of another in its batch, which is a replacement there.
fn about(id: &str, neighbours: Neighbouring, exchanged: bool) -> bool {
    match id {
        "acc-group" | "acc-poisson-replaced-pure" if exchanged => true,
        "acc-exchange" | "acc-with-replacement" => neighbours == Neighbouring::AddRemove,
        "acc-with-replacement-told" | "acc-truncated-poisson" => {
            [Neighbouring::AddRemove, Neighbouring::ReplaceOne].contains(&neighbours)
        }
        "acc-random-allocation" | "acc-blocks" => {
            [Neighbouring::AddRemove, Neighbouring::ZeroOut].contains(&neighbours)
        }
        "acc-allocation-replaced"
        | "acc-fixed-size"
        | "acc-group"
        | "acc-zcdp-group"
        | "acc-poisson-replaced-gaussian"
        | "acc-poisson-replaced-pure"
        | "acc-poisson-replaced-known" => neighbours == Neighbouring::ReplaceOne,
        "acc-gaussian-mixture" => neighbours != Neighbouring::ReplaceOne,
        "acc-poisson-zero-out" => neighbours == Neighbouring::ZeroOut,
        // The kernel's, on data of which one record is replaced; and what is argued of any one ordered pair of data sets.
        "gcd-aux-dominated" | "gcd-aux-renyi" | "gcd-aux-response" | "kl-imp-adaptive"
        | "skgd-prop-D.6" => neighbours == Neighbouring::ReplaceOne,
        "acc-composed" => neighbours != Neighbouring::ReplaceOne,
        "gcd-aux-sampled" => neighbours == Neighbouring::AddRemove,
        "acc-poisson-known" => neighbours != Neighbouring::ReplaceOne,
        "acc-response" => [Neighbouring::ReplaceOne, Neighbouring::ZeroOut].contains(&neighbours),
        _ => true,
    }
}

/// Whatever is run, on whatever sample and under whatever relation: an account names claims that hold and are about that
/// relation, or it is refused with a reason. None is without.
#[test]
fn every_accountant_of_every_mechanism_names_claims_that_hold_or_refuses() {
    use accounting::Accountant::{Exact, Pld, Rdp};
    let relations = [
        Neighbouring::AddRemove,
        Neighbouring::ReplaceOne,
        Neighbouring::ZeroOut,
        Neighbouring::User,
    ];
    let mut named: BTreeSet<String> = BTreeSet::new();
    let (mut answered, mut refused) = (0, 0);
    for mechanism in mechanisms() {
        let mut any = false;
        for event in ways(&mechanism) {
            for (method, delta) in [
                (Exact, 0.0),
                (Exact, 1e-6),
                (Exact, 0.9),
                (Pld, 1e-6),
                (Rdp, 1e-6),
            ] {
                for neighbours in relations {
                    let delta = Delta::new(delta).expect("in [0, 1]");
                    match account(&event, delta, method, neighbours, false) {
                        Ok(report) => {
                            (answered, any) = (answered + 1, true);
                            let exchanged =
                                (report.claims.iter()).any(|id| EXCHANGES.contains(&id));
                            for id in report.claims.iter() {
                                let fits = about(id, neighbours, exchanged);
                                assert!(fits, "{event:?} {neighbours}: {id}");
                                named.insert(id.to_owned());
                            }
                        }
                        Err(error) => {
                            refused += 1;
                            assert!(error.to_string().len() > 20, "{event:?}: {error}");
                        }
                    }
                }
            }
        }
        assert!(any, "{mechanism:?} is never accounted for");
    }
    assert!(answered > 500 && refused > 100, "{answered} {refused}");
    named.iter().for_each(|id| holds(id));
    // Every claim on mechanisms and samples has its use here; these are for what else is made of runs.
    let elsewhere = [
        "acc-curve-filter",
        "acc-filter",
        "acc-gdp-filter",
        "acc-laplace-zcdp",
        "acc-merged",
        "acc-nobody",
        "acc-odometer",
        "acc-read-off",
        "acc-renyi-filter",
        "acc-distance",
        "acc-shuffle",
        "acc-shuffle-approximate",
        "acc-selection",
        "acc-sparse-vector",
    ];
    let unused: Vec<&str> = (CLAIMS.values().map(|(claim, _)| claim))
        .filter(|c| {
            c.paper().is_collection() && !named.contains(c.id) && !elsewhere.contains(&c.id)
        })
        .map(|c| c.id)
        .collect();
    assert_eq!(unused, Vec::<&str>::new());
}

#[test]
fn what_is_made_of_runs_names_its_claims_too() {
    let gaussian = || Event::Gaussian {
        sigma: 2.0,
        sensitivity: 1.0,
    };
    let claims = |event: &Event, two_sided| {
        let delta = Delta::new(1e-6).expect("in [0, 1]");
        let (method, relation) = (accounting::Accountant::Pld, Neighbouring::AddRemove);
        let report = account(event, delta, method, relation, two_sided).expect("known");
        report.claims.to_string()
    };
    assert!(claims(&gaussian(), true).contains("acc-merged"));
    assert!(!claims(&gaussian(), false).contains("acc-merged"));
    let parallel = Event::Parallel {
        partition: accounting::event::Partition::ByIndex,
        events: vec![gaussian(), Event::Pure { epsilon: 1.0 }],
    };
    assert!(claims(&parallel, false).contains("acc-nobody"));
    // That a replaced, or zeroed, record stays in its part nobody but the caller can know.
    for (relation, trusted) in [
        (Neighbouring::AddRemove, false),
        (Neighbouring::ReplaceOne, true),
        (Neighbouring::User, true),
        (Neighbouring::ZeroOut, true),
    ] {
        let delta = Delta::new(1e-6).expect("in [0, 1]");
        let found = account(
            &parallel,
            delta,
            accounting::Accountant::Auto,
            relation,
            false,
        );
        let theorem = found.expect("known").theorem;
        assert_eq!(
            theorem.contains("caller's word"),
            trusted,
            "{relation}: {theorem}"
        );
    }
    let nobody = Event::PoissonSampled {
        rate: 0.0,
        event: Box::new(gaussian()),
    };
    let delta = Delta::new(0.0).expect("in [0, 1]");
    let (auto, relation) = (accounting::Accountant::Auto, Neighbouring::ReplaceOne);
    let report = account(&nobody, delta, auto, relation, false).expect("nobody takes part");
    assert_eq!(report.claims.to_string(), "acc-nobody");
    [
        accounting::zcdp::claims(),
        accounting::shuffle::approximate_claims(),
        accounting::private_selection::claims(&[gaussian()], Neighbouring::ReplaceOne)
            .expect("claimed"),
    ]
    .iter()
    .flat_map(accounting::Claims::iter)
    .for_each(holds);
}
