//! What a fit says of its noise.

use super::{holds, ids, verdict};
use dp_assay::accounting::{self, Event, account};
use dp_assay::problem::{Dataset, Dense};
use dp_assay::solver::fit::{
    BatchName, CalibrationName, Decentralised, FitError, Fitted, LossName, Method, NoiseName,
    Request, Smoothness, fit,
};
use dp_assay::units::{Delta, Epsilon, Neighbouring};
use dp_assay_spec::claim::Verdict;
use std::collections::BTreeSet;

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
    use dp_assay::solver::fit::kl::{Builtin, Method, Posed, Request, fit};
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
