//! Every guarantee that is printed: what `fit`, `account`, `calibrate` and `check` say a run costs rests on claims that
//! hold, inside their domain, and is what the accountant makes of the noise that was used.

use crate::checked::CHECKED;
use crate::program::{json, refused, stdout};
use dp_assay::accounting::matrix::Strategy;
use dp_assay::accounting::{self, Event, account};
use dp_assay::problem::{Dataset, Dense};
use dp_assay::solver::fit::{
    BatchName, CalibrationName, Decentralised, FitError, Fitted, LossName, Method, NoiseName,
    Request, Smoothness, fit,
};
use dp_assay::solver::kl;
use dp_assay::units::{Delta, Epsilon, Neighbouring};
use dp_assay_spec::book::alone;
use dp_assay_spec::claim::{Claim, Effort, Paper, Verdict};
use dp_assay_spec::claims;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, OnceLock};

/// Verdicts on which a guarantee may rest.
const ACCEPTED: [&str; 2] = ["proved", "argued"];

/// Every claim, with its verdict once somebody has asked for it: hundreds of results name the same few.
static CLAIMS: LazyLock<BTreeMap<&str, (Claim, OnceLock<Verdict>)>> = LazyLock::new(|| {
    let unasked = |claim: Claim| (claim.id, (claim, OnceLock::new()));
    claims().into_iter().map(unasked).collect()
});

fn verdict(id: &str) -> &'static Verdict {
    let claim = CLAIMS.get(id);
    let (claim, found) = claim.unwrap_or_else(|| panic!("{id} is not a claim"));
    found.get_or_init(|| alone(claim, Effort::Replay))
}

#[track_caller]
fn holds(id: &str) {
    let found = verdict(id).name();
    assert!(ACCEPTED.contains(&found), "{id} is {found}");
}

/// The ids of claims in a text; a word that begins like one must be one.
fn ids(text: &str) -> BTreeSet<&str> {
    let inside = |c: char| c.is_ascii_alphanumeric() || "-.".contains(c);
    let words = text.split(|c| !inside(c)).map(|w| w.trim_end_matches('.'));
    let papers = Paper::BOOKS.map(|paper| format!("{paper}-"));
    let kinds = [
        "thm", "lem", "cor", "prop", "eq", "rem", "drv", "aux", "alg", "mech", "imp", "base",
        "red", "conv", "prox",
    ];
    let is_id = |w: &&str| {
        let rest = papers.iter().find_map(|p| w.strip_prefix(p.as_str()));
        rest.is_some_and(|rest| {
            let kind = |kind: &&str| rest.starts_with(&format!("{kind}-"));
            w.starts_with("acc-") || kinds.iter().any(kind)
        })
    };
    words.filter(is_id).collect()
}

fn leaves(event: &Event) -> Vec<&Event> {
    match event {
        Event::Repeated { event, .. } => leaves(event),
        Event::Composed { events } => events.iter().flat_map(leaves).collect(),
        leaf => vec![leaf],
    }
}

/// Whether a fit lies in the domain of the claim that it names, as the ledger states that domain. A claim that is not
/// listed here has to be added with its domain.
fn in_domain(claim: &str, fitted: &Fitted) -> bool {
    let (request, event) = (&fitted.request, &fitted.privacy.event);
    let (epsilon, delta) = (request.epsilon.get(), request.delta.get());
    let proper = epsilon > 0.0 && delta > 0.0 && delta < 1.0;
    let replaced = request.neighbours == Neighbouring::ReplaceOne;
    let gaussian = |e: &&Event| matches!(e, Event::Gaussian { .. });
    let all_gaussian = leaves(event).iter().all(gaussian);
    let pure = |e: &&Event| {
        // The estimate of smoothness that may go before is a mechanism of its own.
        let estimate = fitted.privacy.estimate.is_some() && gaussian(e);
        estimate || matches!(e, Event::Pure { .. } | Event::Laplace { .. })
    };
    let all_pure = leaves(event).iter().all(pure);
    // A step of a batch, sampled as the tree says, with noise in units of what one presence moves.
    let sampled = |e: &Event| match e {
        Event::PoissonSampled { event, .. } | Event::FixedSizeSampled { event, .. } => {
            matches!(
                **event,
                Event::Gaussian {
                    sensitivity: 1.0,
                    ..
                }
            )
        }
        _ => false,
    };
    match claim {
        "gcd-alg-dpsgd-sens" => proper && leaves(event).into_iter().all(sampled),
        "skgd-thm-4.1-dp" => {
            replaced && epsilon <= 1.0 && proper && delta < 1.0 / 3.0 && all_gaussian
        }
        "ambssgd-conv-zcdp" | "ambssgd-thm-3.6-cal" | "ambssgd-thm-3.6-disjoint" => {
            replaced && proper && all_gaussian
        }
        "decor-aux-simulate" => proper && all_gaussian,
        // A record's own step, or what shuffling makes of it.
        "ambssgd-lem-A.1-sens" => {
            let shuffled = matches!(event, Event::Approximate { .. });
            replaced && proper && (all_gaussian || shuffled)
        }
        // Noise inside the score, which no regulariser flattens.
        "gcd-mech-rnm-repaired" => replaced && request.l1 == 0.0 && all_pure,
        "gcd-prox-priv-repaired" => replaced && all_pure,
        "gcd-thm-4.2-corrected" => replaced && proper && request.l1 == 0.0 && all_pure,
        "gcd-prox-priv-corrected" => replaced && proper && all_pure,
        "decor-thm-6-num" | "decor-base-ldp" => {
            let users = request.neighbours == Neighbouring::User;
            users && all_gaussian && fitted.privacy.release == "transcript"
        }
        "decor-base-cdp" => {
            let average = fitted
                .privacy
                .release
                .starts_with("average of the messages");
            request.neighbours == Neighbouring::User && all_gaussian && average
        }
        other => panic!("{other}: say what its domain is"),
    }
}

/// The ε of the tree that a result carries.
fn certified(event: &Event, delta: f64, neighbours: Neighbouring) -> f64 {
    let delta = Delta::new(delta).expect("in [0, 1]");
    let auto = accounting::Accountant::Auto;
    let report = account(event, delta, auto, neighbours, false).expect("a known tree");
    report.epsilon_upper
}

/// What a fit prints, looked through.
#[track_caller]
fn examine(fitted: &Fitted) {
    let (request, privacy) = (&fitted.request, &fitted.privacy);
    let name = format!(
        "{:?} {:?} {:?}",
        request.method, request.calibration, request.l1
    );
    // Scales round up, and so does their account.
    let asked = request.epsilon.get() * (1.0 + 1e-9);
    assert!(privacy.epsilon_upper <= asked, "{name}: {privacy:?}");
    // Noise that is the least for its budget leaves none of it.
    let exact = [CalibrationName::Default, CalibrationName::Tight].contains(&request.calibration);
    let least = match request.method {
        Method::Gcd => request.calibration == CalibrationName::Tight,
        // On a lattice, and over a grid of local budgets.
        Method::DpSgd | Method::Ssgd => false,
        _ => exact,
    };
    if least && privacy.estimate.is_none() {
        let asked = request.epsilon.get() * 0.999;
        assert!(privacy.epsilon_upper >= asked, "{name}: {privacy:?}");
    }
    let tree = certified(&privacy.event, privacy.delta, privacy.neighbours);
    match privacy.estimate {
        // The sum of both parts' ε may be less than that of the whole tree.
        Some(_) => assert!(privacy.epsilon_upper <= tree, "{name}"),
        None => assert_eq!(privacy.epsilon_upper, tree, "{name}"),
    }
    assert!(!privacy.theorem.is_empty(), "{name}");
    let claim = privacy.claim;
    holds(claim);
    privacy.claims.iter().for_each(holds);
    assert!(
        in_domain(claim, fitted),
        "{name} is outside {claim}: {fitted:?}"
    );
    ids(&privacy.theorem).into_iter().for_each(holds);
    if let Some(id) = privacy.refuted {
        assert!(matches!(verdict(id), Verdict::Refuted(_)), "{id}");
        assert_ne!(privacy.claim, id);
    }
}

const CALIBRATIONS: [CalibrationName; 6] = [
    CalibrationName::Default,
    CalibrationName::Corrected,
    CalibrationName::Printed,
    CalibrationName::BestOrder,
    CalibrationName::Tight,
    CalibrationName::Repaired,
];

/// Ordinary budgets, and those at the ends of printed domains.
const BUDGETS: [(f64, f64); 6] = [
    (1.0, 1e-6),
    (0.05, 1e-12),
    (1.0, 0.33),
    (1.0, 0.4),
    (8.0, 1e-3),
    (1.0, 0.9999),
];

/// 200 records of three features, with targets ±1 that squared loss takes too.
fn data() -> Dataset {
    let row = |i: u32| [7, 11, 13].map(|k| f64::from(i * k % 17) / 8.0 - 1.0);
    let rows: Vec<[f64; 3]> = (0..200).map(row).collect();
    let sign = |x: &[f64; 3]| if x[0] + x[1] > x[2] { 1.0 } else { -1.0 };
    let targets = rows.iter().map(sign).collect();
    let design = Dense::from_rows(&rows).expect("three each");
    Dataset::new("made up", design, targets).expect("as many targets")
}

fn requests(method: Method) -> Vec<Request> {
    let one_pass = matches!(method, Method::Ambssgd | Method::Ssgd | Method::Adassp);
    let loss = if one_pass {
        LossName::Squared
    } else {
        LossName::Logistic
    };
    let mut all = Vec::new();
    // Sampled steps are calibrated on a lattice: a second or so for each budget.
    let budgets = match method {
        Method::DpSgd => &BUDGETS[..1],
        _ => &BUDGETS[..],
    };
    for &(epsilon, delta) in budgets {
        let budget = (
            Epsilon::new(epsilon).expect("≥ 0"),
            Delta::new(delta).expect("≤ 1"),
        );
        for calibration in CALIBRATIONS {
            let plain = Request {
                calibration,
                passes: method.default_passes().min(3.0),
                ..Request::new(method, loss, budget)
            };
            match method {
                Method::Decor => all.extend(
                    [NoiseName::Decor, NoiseName::Cdp, NoiseName::Ldp].map(|noise| {
                        let graph = match noise {
                            NoiseName::Cdp => "complete:5".to_owned(),
                            NoiseName::Decor | NoiseName::Ldp => "ring:5".to_owned(),
                        };
                        let users = Decentralised {
                            graph,
                            noise,
                            ..Decentralised::for_records(200)
                        };
                        Request {
                            decentralised: Some(users),
                            ..plain.clone()
                        }
                    }),
                ),
                Method::Adassp => all.push(Request {
                    neighbours: Neighbouring::AddRemove,
                    ..plain.clone()
                }),
                Method::DpSgd => all.push(Request {
                    batch: BatchName::FixedSize,
                    ..plain.clone()
                }),
                Method::Gcd => all.push(Request {
                    l1: 0.01,
                    ..plain.clone()
                }),
                _ => {}
            }
            let estimated = !one_pass && !matches!(method, Method::Decor | Method::DpSgd);
            if estimated && (epsilon, delta) == BUDGETS[0] {
                all.push(Request {
                    smoothness: Smoothness::Private,
                    ..plain.clone()
                });
            }
            all.push(plain);
        }
    }
    all
}

#[test]
fn every_fit_prints_what_its_noise_is_certified_for_by_a_claim_that_covers_it() {
    use Method::{Adassp, Ambssgd, Decor, DpCd, DpSgd, Gcd, Gd, Skgd, Ssgd};
    let data = data();
    for method in [Skgd, DpCd, DpSgd, Gd, Gcd, Ambssgd, Ssgd, Adassp, Decor] {
        let (mut run, mut kinds) = (0, BTreeSet::new());
        for request in requests(method) {
            match fit(data.clone(), &request) {
                Ok(fitted) => {
                    examine(&fitted);
                    run += 1;
                    kinds.insert(format!("{:?}", request.calibration));
                }
                // Refused with a reason: a choice that the method lacks, or a budget outside a domain.
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        assert!(
            (run >= 10 || method == DpSgd) && kinds.contains("Default"),
            "{method:?}: {run} runs, {kinds:?}"
        );
    }
}

/// The ledger's own counterexample to Theorem 4.2 is at δ near 1; at ordinary δ the printed noise is worth what the
/// accountant says, and less of it would not be.
#[test]
fn printed_noise_of_dp_gcd_is_worth_what_the_accountant_says_or_refused() {
    let ask = |calibration, delta: f64, l1: f64| {
        let budget = (
            Epsilon::new(1.0).expect("≥ 0"),
            Delta::new(delta).expect("≤ 1"),
        );
        let request = Request {
            calibration,
            l1,
            ..Request::new(Method::Gcd, LossName::Logistic, budget)
        };
        fit(data(), &request)
    };
    let error = ask(CalibrationName::Printed, 0.9999, 0.0).expect_err("a leak");
    let FitError::Uncertified {
        claim,
        certified,
        asked,
        ..
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!((*claim, *asked), ("gcd-thm-4.2", 1.0));
    assert!(*certified > 100.0, "{certified}");
    let printed = ask(CalibrationName::Printed, 1e-6, 0.0)
        .expect("equal ratios")
        .privacy;
    assert_eq!(printed.refuted, Some("gcd-thm-4.2"));
    assert_eq!(printed.claim, "gcd-mech-rnm-repaired");
    assert!(printed.epsilon_upper < 1.0);
    let tight = ask(CalibrationName::Tight, 1e-6, 0.0)
        .expect("proved")
        .privacy;
    assert_eq!(tight.refuted, None);
    assert!(
        (0.999..=1.0 + 1e-9).contains(&tight.epsilon_upper),
        "{tight:?}"
    );
    let default = ask(CalibrationName::Default, 1e-6, 0.0)
        .expect("proved")
        .privacy;
    assert!(tight.scales[0] < default.scales[0]);
    let proximal = ask(CalibrationName::Default, 1e-6, 0.1)
        .expect("proved")
        .privacy;
    assert_eq!(proximal.claim, "gcd-prox-priv-corrected");
    assert_eq!(default.claim, "gcd-thm-4.2-corrected");
}

#[test]
fn every_private_point_of_a_loss_that_need_not_be_convex_rests_on_its_filter() {
    use kl::fit::{Builtin, Method, Posed, Request, fit};
    for (records, epsilon, delta) in [(2000, 1.0, 1e-6), (30, 0.1, 1e-3), (200, 8.0, 0.5)] {
        let posed = Posed::builtin(Builtin::Quadratic, records, 2).expect("a built-in risk");
        for (method, select) in [
            (Method::KlSpider, false),
            (Method::KlProx, false),
            (Method::AdaptiveGd, false),
            (Method::AdaptiveGd, true),
            (Method::NoisyGd, false),
        ] {
            let budget = (
                Epsilon::new(epsilon).expect("≥ 0"),
                Delta::new(delta).expect("≤ 1"),
            );
            let request = Request {
                select,
                ..Request::new(method, budget)
            };
            let Ok(fitted) = fit(&posed, &request) else {
                // A start that noise carries out of the region where constants are known.
                continue;
            };
            let privacy = &fitted.privacy;
            // Of Algorithm 3 no claim about a whole run covers the transcript: its filter does.
            let expected = match method {
                Method::KlSpider => "kl-thm-1-priv-repaired",
                Method::KlProx => "kl-thm-2-priv-repaired",
                Method::AdaptiveGd => "kl-imp-adaptive",
                Method::NoisyGd => "kl-thm-9-priv",
            };
            assert_eq!(privacy.claim, expected);
            holds(privacy.claim);
            privacy.claims.iter().for_each(holds);
            assert!(privacy.rho_spent <= privacy.rho_upper);
            assert_eq!(
                privacy.event,
                Event::Zcdp {
                    rho: privacy.rho_upper
                }
            );
            assert!(
                privacy.epsilon_upper <= epsilon * (1.0 + 1e-9),
                "{method:?}"
            );
            // Two searches for the best order, which agree to 10⁻⁶.
            let tree = certified(&privacy.event, delta, privacy.neighbours);
            let ratio = privacy.epsilon_upper / tree;
            assert!((ratio - 1.0).abs() < 1e-6, "{method:?}: {ratio}");
        }
    }
}

/// The claims in all strings of a result.
fn claims_in(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => found.extend(ids(text).into_iter().map(str::to_owned)),
        Value::Array(items) => items.iter().for_each(|item| claims_in(item, found)),
        Value::Object(fields) => fields.values().for_each(|item| claims_in(item, found)),
        _ => {}
    }
}

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
    // That a replaced record stays in its part nobody but the caller can know.
    for (relation, trusted) in [
        (Neighbouring::AddRemove, false),
        (Neighbouring::ReplaceOne, true),
        (Neighbouring::User, true),
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

/// Every mechanism that is built in: its true ε rests on claims that hold.
#[test]
fn every_true_epsilon_of_a_built_in_mechanism_names_claims_that_hold() {
    for listed in dp_assay::audit::builtin::list() {
        let unbounded = listed.epsilon_upper.is_infinite();
        assert!(unbounded || !listed.claims.is_empty(), "{}", listed.name);
        assert!(listed.defect.is_none() || !unbounded || listed.claims.is_empty());
        listed.claims.iter().for_each(|id| holds(id));
    }
}

/// Every ε that `check` prints: of its fits, its profiles, and beside its audits.
#[test]
fn every_guarantee_of_a_check_names_a_claim_that_holds() {
    let report = &CHECKED.report;
    let list = |key: &str| report[key].as_array().expect("a list").clone();
    let words = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    for fit in list("fits") {
        holds(&words(&fit, "claim"));
        assert!(fit["epsilon"].as_f64().is_some_and(|e| e > 0.0), "{fit}");
        let refuted = fit["refuted"].as_str();
        for id in ids(&words(&fit, "calibration")) {
            match refuted == Some(id) {
                true => assert_eq!(verdict(id).name(), "refuted", "{id}"),
                false => holds(id),
            }
        }
    }
    for profile in list("profiles") {
        holds(&words(&profile, "claim"));
        assert!(!words(&profile, "theorem").is_empty(), "{profile}");
    }
    let audits = list("audits");
    for audit in &audits {
        assert_eq!(
            audit["upper"].is_number(),
            audit["claim"].is_string(),
            "{audit}"
        );
        if audit["upper"].is_number() {
            holds(&words(audit, "claim"));
        }
    }
    assert!(
        audits.iter().filter(|a| a["upper"].is_number()).count() >= 8,
        "{audits:?}"
    );
    assert!(list("fits").len() >= 4 && list("profiles").len() >= 5);
    // What nothing decided is no pass.
    let undecided = audits.iter().any(|a| a["verdict"] == "INCONCLUSIVE");
    let code = match (list("failures").is_empty(), undecided) {
        (false, _) => 1,
        (true, true) => 3,
        (true, false) => 0,
    };
    assert_eq!(CHECKED.code, Some(code));
}

/// How the batch of a user is drawn makes a factor of 1.7 to 7 in ε: text, JSON and the question say which it is.
#[test]
fn decor_says_how_a_batch_is_drawn() {
    let question = [
        "account",
        "decor",
        "--graph",
        "ring:5",
        "--steps",
        "100",
        "--delta",
        "1e-5",
        "--sigma-cdp",
        "0.5",
        "--sigma-cor",
        "10",
    ];
    let batch = ["--batch", "1", "--examples", "50"];
    let asked = |extra: &[&'static str]| [&question[..], &batch, extra].concat();
    let poisson = json(&asked(&[]));
    let fixed = json(&asked(&["--sampling", "fixed-size"]));
    assert_eq!(poisson, json(&asked(&["--sampling", "poisson"])));
    assert_eq!(
        (&poisson["sampling"], &fixed["sampling"]),
        (&"poisson".into(), &"fixed-size".into())
    );
    let [p, f] = [&poisson, &fixed].map(|found| found["epsilon_upper"].as_f64().expect("a number"));
    assert!((4.0..6.0).contains(&(f / p)), "{p}, {f}");
    for (extra, words) in [
        (
            &[][..],
            "Poisson sampling: each of 50 examples with probability 1/50",
        ),
        (
            &["--sampling", "fixed-size"],
            "fixed-size sampling: 1 of 50 examples without replacement",
        ),
    ] {
        let text = stdout(&asked(extra));
        assert!(text.contains(words), "{text}");
    }
    // As of every other mechanism: each of 50 examples in 2 of 100 steps costs about what a Poisson sample does.
    let allocated = json(&asked(&["--sampling", "random-allocation"]));
    let a = allocated["epsilon_upper"].as_f64().expect("a number");
    assert_eq!(allocated["sampling"], "random-allocation");
    assert!((0.5..1.5).contains(&(a / p)), "{p}, {a}");
    let message = refused(&asked(&["--sampling", "truncated-poisson"]));
    assert!(message.contains("--cap"), "{message}");
    assert!(json(&question).get("sampling").is_none());
    let message = refused(&[&question[..], &["--sampling", "fixed-size"]].concat());
    assert_eq!(
        message,
        "decor protects whole users here: --sampling goes with --batch"
    );
}

/// The same on the command line: the refutation is named beside the guarantee, or the fit ends with code 2 and a reason.
#[test]
fn the_command_names_the_refutation_of_printed_noise_and_refuses_what_it_does_not_carry() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, _] = crate::records::files(folder.path());
    let asked = ["fit", "gcd", "--data", &classes, "--calibration", "printed"];
    let text = stdout(&asked)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(text.contains("claim: gcd-mech-rnm-repaired"), "{text}");
    assert!(
        text.contains("noise scaled by gcd-thm-4.2, which is refuted: eps = 1"),
        "{text}"
    );
    let message = refused(&[&asked[..], &["--delta", "0.9999"]].concat());
    assert!(
        message.contains("gcd-thm-4.2, which the ledger refutes, is certified for epsilon = "),
        "{message}"
    );
}
