//! `fit --schedule theorem`: the constants of a corrected theorem and its bound, or the reason why there is none; and that
//! the solvers run what the headline table says they run.

mod kl;

use crate::program::{json, refused, stdout};
use crate::records::files;
use dp_assay::problem::{Dataset, Dense};
use dp_assay::solver::decor::theorem::{Known, Network};
use dp_assay::solver::fit::{
    CalibrationName, Decentralised, FitError, Fitted, LossName, Method, Request, SamplingName,
    ScheduleName, fit, kl as kl_fit,
};
use dp_assay::units::{Delta, Epsilon};
use dp_assay_spec::claim::Paper;
use dp_assay_spec::findings::headline::{Correction, Run};
use std::collections::BTreeSet;

/// n records of two features in \[−1, 1\], whose labels follow the first one but for a fifth.
fn data(n: u32) -> Dataset {
    let feature = |i: u32, k: u32| f64::from(i * k % 101) / 50.0 - 1.0;
    let rows: Vec<[f64; 2]> = (0..n).map(|i| [feature(i, 7), feature(i, 13)]).collect();
    let label = |(i, x): (usize, &[f64; 2])| {
        if (x[0] > 0.0) == (i % 5 != 0) {
            1.0
        } else {
            -1.0
        }
    };
    let labels = rows.iter().enumerate().map(label).collect();
    Dataset::new(
        "made up",
        Dense::from_rows(&rows).expect("two each"),
        labels,
    )
    .expect("as many")
}

fn request(method: Method, ridge: f64) -> Request {
    let budget = (
        Epsilon::new(1.0).expect("≥ 0"),
        Delta::new(1e-6).expect("≤ 1"),
    );
    Request {
        ridge,
        schedule: ScheduleName::Theorem,
        compare: true,
        ..Request::new(method, LossName::Logistic, budget)
    }
}

/// One fixed tape each, so no false alarm: the excess risk of one run is below the bound. A bound on an expectation is met
/// with room to spare.
fn kept(fitted: &Fitted, claims: &[&str]) {
    let name = fitted.request.method.name();
    let utility = fitted.utility.as_ref().expect("a bound");
    let found = fitted.not_private.as_ref().expect("compared");
    let excess = found.objective - found.optimum;
    eprintln!(
        "{name}: {} bounds {:.3e} of {:.3}, excess {excess:.3e}, steps {:?}",
        utility.claim, utility.bound, utility.trivial, fitted.lengths
    );
    assert!(claims.contains(&utility.claim), "{}", utility.claim);
    assert!(
        excess <= utility.bound && utility.bound < utility.trivial,
        "{name}: {excess}"
    );
    assert!(fitted.privacy.epsilon_upper <= 1.0 + 1e-9, "{name}");
    let parsed = serde_json::to_value(fitted).expect("a result");
    for key in ["claim", "bound", "statement"] {
        assert!(!parsed["utility"][key].is_null(), "{name}: {key}");
    }
}

#[test]
fn a_fit_by_a_theorem_keeps_its_bound() {
    let greedy = fit(data(200_000), &request(Method::Gcd, 1.0)).expect("enough records");
    kept(
        &greedy,
        &["gcd-thm-4.4-cvx-corrected", "gcd-thm-4.4-sc-corrected"],
    );
    assert_eq!(greedy.privacy.claim, "gcd-thm-4.2-corrected");
    for sampling in [SamplingName::Uniform, SamplingName::Full] {
        let asked = Request {
            sampling,
            ..request(Method::Skgd, 0.5)
        };
        let found = fit(data(5_000), &asked).expect("enough records");
        kept(
            &found,
            &["skgd-thm-4.2-cvx-corrected", "skgd-thm-4.2-sc-corrected"],
        );
        assert_eq!(found.privacy.claim, "skgd-thm-4.1-dp");
    }
    let users = Decentralised {
        graph: "complete:200".into(),
        ..Decentralised::for_records(200)
    };
    let asked = Request {
        decentralised: Some(users),
        ..request(Method::Decor, 1.0)
    };
    let found = fit(data(200), &asked).expect("enough users");
    kept(&found, &["decor-thm-2a-corrected"]);
    // Of all records in the cube, with the ridge 1: ‖x‖² ≤ p, L = p/4 + 1, μ = 1, C = √p.
    let square = found.features as f64;
    let known = Known {
        network: Network::complete(200.0, 0),
        dimension: square,
        clip: square.sqrt(),
        sampling: 0.0,
        smoothness: 0.25 * square + 1.0,
        curvature: 1.0,
        gap: 2f64.ln().min(square / 8.0),
        budget: (asked.epsilon, asked.delta),
    };
    let truth = known.best(1 << 24).expect("a bound below the gap").bound;
    let bound = found.utility.expect("a theorem").bound;
    assert!((bound / truth - 1.0).abs() < 1e-6, "{bound}, {truth}");
}

/// Linear regression by a theorem, at ε = 8.
fn regression(method: Method, normal: Option<(f64, f64)>) -> Request {
    let budget = (
        Epsilon::new(8.0).expect("≥ 0"),
        Delta::new(1e-6).expect("≤ 1"),
    );
    Request {
        schedule: ScheduleName::Theorem,
        normal,
        bound: 12.0,
        ..Request::new(method, LossName::Squared, budget)
    }
}

#[test]
fn a_theorem_that_says_nothing_is_refused_with_the_reason() {
    let ask = |asked: Request| match fit(data(300), &asked) {
        Err(FitError::NoTheorem { reason, .. }) => reason,
        other => panic!("{other:?}"),
    };
    for method in [Method::Gcd, Method::Skgd] {
        let few = ask(Request {
            delta: Delta::new(1e-9).expect("≤ 1"),
            ..request(method, 0.01)
        });
        assert!(few.contains("are the fewest"), "{few}");
    }
    let rules = [
        (request(Method::Gcd, 0.0), "say --ridge"),
        (request(Method::Gd, 1.0), "none of the five papers"),
        (
            Request {
                l1: 0.1,
                ..request(Method::Gcd, 1.0)
            },
            "gcd-prox-priv-corrected",
        ),
        (regression(Method::Ambssgd, None), "--normal NORM:SIGMA"),
        (regression(Method::Ssgd, None), "--normal NORM:SIGMA"),
        (
            Request {
                bound: 1.0,
                ..regression(Method::Ambssgd, Some((1.0, 1.0)))
            },
            "say --bound 12",
        ),
        (
            regression(Method::Ambssgd, Some((1.0, 1.0))),
            "are the fewest",
        ),
        (regression(Method::Ssgd, Some((1.0, 1.0))), "are the fewest"),
        (
            Request {
                rate: 0.2,
                ..regression(Method::Ambssgd, Some((1.0, 1.0)))
            },
            "leave out --step, --clip and --rate",
        ),
        (
            Request {
                passes: 3.0,
                ..request(Method::Skgd, 1.0)
            },
            "leave out --passes",
        ),
        (
            Request {
                calibration: CalibrationName::Tight,
                ..request(Method::Gcd, 1.0)
            },
            "leave out --calibration",
        ),
        (
            Request {
                loss: LossName::Squared,
                ..request(Method::Gcd, 1.0)
            },
            "logistic loss",
        ),
        (
            Request {
                epsilon: Epsilon::new(2.0).expect("≥ 0"),
                ..request(Method::Skgd, 1.0)
            },
            "epsilon of at most 1",
        ),
        (
            Request {
                decentralised: Some(Decentralised::for_records(300)),
                ..request(Method::Decor, 1.0)
            },
            "are the fewest for which it is (--graph complete:",
        ),
    ];
    for (asked, words) in rules {
        let reason = ask(asked);
        assert!(reason.contains(words), "{reason}");
    }
}

/// Who is refused for too few users is told how many would do, on a graph that is complete already, too; and as many do.
#[test]
fn as_many_users_as_a_refusal_names_are_enough() {
    let ask = |records: u32, users: usize| {
        let users = Decentralised {
            graph: format!("complete:{users}"),
            ..Decentralised::for_records(records as usize)
        };
        let asked = Request {
            decentralised: Some(users),
            compare: false,
            ..request(Method::Decor, 1.0)
        };
        fit(data(records), &asked)
    };
    let why = ask(300, 4).expect_err("too few").to_string();
    let named = why.split("--graph complete:").nth(1).expect("a graph");
    let named = named.split(')').next().expect("a number");
    let named: usize = named.parse().expect("a number of users");
    assert!(!why.contains("better connected"), "{why}");
    assert!(ask(300, named - 1).is_err());
    let found = ask(300, named).expect("enough users");
    assert!(found.utility.is_some_and(|u| u.bound < u.trivial));
    let why = ask(8, 4).expect_err("too few").to_string();
    let words =
        format!("{named} are the fewest for which it is, each with a record, of which there are 8");
    assert!(why.contains(&words), "{why}");
}

/// The command that a paper's page gives for a claim runs that claim, with its noise; without its last flag the noise is another, and
/// said to be.
#[test]
fn the_proximal_command_of_a_paper_s_page_runs_its_corrected_claim() {
    let headline = Paper::Gcd
        .headlines()
        .iter()
        .find(|h| h.id == "gcd-prox-priv");
    let headline = headline.expect("a headline");
    let Some(Correction::By(correction)) = &headline.correction else {
        panic!("it is corrected");
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, _] = files(folder.path());
    let command = headline.command.replace("NU", "0.01");
    let command = command.replace("FILE", &classes);
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    let found = json(&words);
    assert_eq!(found["privacy"]["claim"], correction.id);
    let noise = found["privacy"]["noise"].as_str().expect("a text");
    assert!(
        noise.starts_with("laplace, the claim's with clipping levels"),
        "{noise}"
    );
    let plain = json(&["fit", "gcd", "--data", &classes, "--l1", "0.01"]);
    assert_eq!(plain["privacy"]["claim"], "gcd-prox-priv-repaired");
    let noise = plain["privacy"]["noise"].as_str().expect("a text");
    assert!(
        noise.contains("not the claim's") && noise.contains(correction.id),
        "{noise}"
    );
}

#[test]
fn the_command_prints_the_bound_or_that_there_is_none() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, _] = files(folder.path());
    let practical = ["fit", "gcd", "--data", &classes];
    assert_eq!(
        json(&practical).get("utility"),
        Some(&serde_json::Value::Null)
    );
    let text = stdout(&practical);
    assert!(text.contains("utility: no claim"), "{text}");
    let theorem = [&practical[..], &["--ridge", "1", "--schedule", "theorem"]].concat();
    let message = refused(&theorem);
    assert!(
        message.contains("no theorem for this fit of gcd: for so few records"),
        "{message}"
    );
    // 5000 records, written out.
    let data = data(5_000);
    let row = |i: usize| {
        let x: Vec<String> = data.design().row(i).map(|(_, x)| x.to_string()).collect();
        format!("{},{}\n", x.join(","), data.targets()[i])
    };
    let file = folder.path().join("many.csv");
    std::fs::write(&file, (0..5_000).map(row).collect::<String>()).expect("written");
    let file = file.to_str().expect("a path").to_owned();
    let asked = [
        "fit",
        "skgd",
        "--data",
        &file,
        "--ridge",
        "0.5",
        "--schedule",
        "theorem",
    ];
    let text = stdout(&asked)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(text.contains("; claim: skgd-thm-4.2-"), "{text}");
    assert!(text.contains("where the start has 0.69"), "{text}");
}

/// What a claim rests on, itself included.
fn ground(id: &'static str) -> BTreeSet<&'static str> {
    let claims = dp_assay_spec::claims();
    let (mut found, mut left) = (BTreeSet::new(), vec![id]);
    while let Some(id) = left.pop() {
        if found.insert(id) {
            let claim = claims.iter().find(|claim| claim.id == id);
            left.extend(
                claim
                    .into_iter()
                    .flat_map(|claim| claim.rests_on.iter().copied()),
            );
        }
    }
    found
}

/// The privacy of the corrected runs of a paper.
fn corrected(paper: Paper) -> BTreeSet<&'static str> {
    let private = |headline: &dp_assay_spec::findings::headline::Headline| match headline.correction
    {
        Some(Correction::By(corrected)) => match corrected.run {
            Run::Private { privacy, .. } => Some(privacy),
            Run::LowerBound => None,
        },
        _ => None,
    };
    paper.headlines().iter().filter_map(private).collect()
}

/// Where nothing was asked for, the guarantee of a fit is a corrected claim on privacy, one that a corrected claim rests on,
/// or one that says more of the same run: the noise and the algorithm are those of the correction.
#[test]
fn the_default_of_every_solver_is_the_corrected_algorithm() {
    let practical = |asked: Request| Request {
        schedule: ScheduleName::Practical,
        compare: false,
        ..asked
    };
    let claim = |asked: Request| {
        let fitted = fit(data(400), &practical(asked)).expect("a fit");
        fitted.privacy.claim
    };
    let greedy = claim(request(Method::Gcd, 0.0));
    assert!(corrected(Paper::Gcd).contains(greedy), "{greedy}");
    let proximal = Request {
        l1: 0.01,
        ..request(Method::Gcd, 0.0)
    };
    let proximal = claim(proximal);
    assert!(corrected(Paper::Gcd).contains(proximal), "{proximal}");
    let one_pass = Request {
        loss: LossName::Squared,
        ..request(Method::Ambssgd, 0.0)
    };
    let one_pass = claim(one_pass);
    // The exact profile of the run whose zCDP is the corrected claim.
    let of = |id: &str| dp_assay_spec::claims().into_iter().find(|c| c.id == id);
    let below = of(one_pass).expect("a claim").rests_on;
    let known = corrected(Paper::Ambssgd);
    assert!(below.iter().any(|id| known.contains(id)), "{one_pass}");
    // By the theorem, DP-SkGD has the noise of Theorem 4.1, which stands and which the corrections rest on.
    let blocks_budget = request(Method::Skgd, 0.5);
    let blocks = fit(data(5_000), &blocks_budget).expect("enough records");
    let blocks = blocks.privacy.claim;
    assert!(
        corrected(Paper::Skgd)
            .iter()
            .all(|id| ground(id).contains(blocks)),
        "{blocks}"
    );
    // The transcript of Algorithm 3 rests on its filter, as the corrected theorem on its iterates does.
    let posed = kl_fit::Posed::builtin(kl_fit::Builtin::LogCosh, 400, 2).expect("a risk");
    let budget = (blocks_budget.epsilon, blocks_budget.delta);
    let adaptive = kl_fit::fit(
        &posed,
        &kl_fit::Request::new(kl_fit::Method::AdaptiveGd, budget),
    )
    .expect("a point");
    assert!(corrected(Paper::Kl).contains("kl-thm-3-corrected"));
    assert!(ground("kl-thm-3-corrected").contains(adaptive.privacy.claim));
}

/// n records with x ~ N(0, 1), y = 0.8x + N(0, 1).
fn normal(n: usize) -> Dataset {
    use dp_assay::mechanism::tape::{Purpose, Tape};
    let mut stream = Tape::new(11).stream(0, Purpose::Data, 0);
    let mut draw = || stream.uniform().gaussian();
    let pairs: Vec<([f64; 1], f64)> = (0..n).map(|_| ([draw()], draw())).collect();
    let rows: Vec<[f64; 1]> = pairs.iter().map(|(x, _)| *x).collect();
    let targets = pairs.iter().map(|(x, z)| 0.8 * x[0] + z).collect();
    Dataset::new(
        "normal",
        Dense::from_rows(&rows).expect("one each"),
        targets,
    )
    .expect("as many")
}

/// One fixed tape and one draw of the records, so no false alarm.
#[test]
fn linear_regression_by_its_theorems_keeps_its_bounds() {
    let many = regression(Method::Ambssgd, Some((1.0, 1.0)));
    // DP-SSGD promises something for so few records at a budget only that nobody would call privacy.
    let loose = Request {
        epsilon: Epsilon::new(1e5).expect("≥ 0"),
        ..regression(Method::Ssgd, Some((1.0, 1.0)))
    };
    for (asked, claim, rests_on, n) in [
        (
            many,
            "ambssgd-thm-3.7-corrected-normal-run",
            "ambssgd-thm-3.6-disjoint",
            150_000,
        ),
        (
            loose,
            "ambssgd-thm-3.2-corrected-normal",
            "ambssgd-thm-3.1-corrected-any-order",
            400_000,
        ),
    ] {
        let found = fit(normal(n), &asked).expect("enough records");
        let utility = found.utility.expect("a bound");
        let excess = 0.5 * (found.coefficients[0] - 0.8).powi(2);
        eprintln!(
            "{}: {:.3e} of {} from {:?} records on, excess {excess:.3e}",
            utility.claim, utility.bound, utility.trivial, utility.bites_at
        );
        assert_eq!((utility.claim, found.privacy.claim), (claim, rests_on));
        assert!(excess <= utility.bound && utility.bound < utility.trivial);
        assert!(found.privacy.epsilon_upper <= asked.epsilon.get() * (1.0 + 1e-9));
        assert_eq!(utility.failure, Some(0.1));
        assert!(utility.bites_at.is_some_and(|least| least <= n as f64));
        assert!(utility.statement.contains("as was stated"));
    }
}

/// A file that is not kept is read in the theorem's blocks, in its own order; the command prints what the run rests on.
#[test]
fn a_streamed_file_is_fitted_by_the_theorem() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = normal(150_000);
    let file = folder.path().join("normal.csv");
    let row = |i: usize| {
        let x: f64 = data.design().row(i).map(|(_, x)| x).sum();
        format!("{x},{}\n", data.targets()[i])
    };
    std::fs::write(&file, (0..150_000).map(row).collect::<String>()).expect("written");
    let file = file.to_str().expect("a path");
    let line = format!(
        "fit ambssgd --data {file} --stream --epsilon 8 --delta 1e-6 --schedule \
         theorem --bound 12 --normal"
    );
    let words: Vec<&str> = line.split(' ').collect();
    let text = stdout(&[&words[..], &["1:1"]].concat());
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "schedule: that of the theorem",
        "records on, and void for fewer",
        "claim: ambssgd-thm-3.7-corrected-normal-run",
        "clipped as the theorem says",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let wrong = refused(&[&words[..], &["1"]].concat());
    assert!(wrong.contains("must be NORM:SIGMA"), "{wrong}");
    let idle = refused(&[
        "fit", "gd", "--data", file, "--loss", "squared", "--normal", "1:1",
    ]);
    assert!(idle.contains("--normal"), "{idle}");
}
