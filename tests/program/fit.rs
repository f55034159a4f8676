//! `dp-assay fit`: any two-class or real-valued file without flags, defaults echoed, guarantees that the
//! accountant confirms, and what is refused.

use crate::program::{json, number, refused, stdout};
use crate::records::files;
use dp_assay::accounting::{Event, account};
use dp_assay::problem::Dataset;
use dp_assay::solver::fit::{
    Decentralised, LossName, Method, Request, SamplingName, Smoothness, fit, fit_watched,
};
use dp_assay::units::{Delta, Epsilon, Neighbouring};

const METHODS: [&str; 5] = ["skgd", "dp-cd", "dp-sgd", "gd", "gcd"];
/// Linear regression in one pass.
const REGRESSIONS: [&str; 3] = ["ambssgd", "ssgd", "adassp"];

#[test]
fn every_method_runs_on_any_file_without_flags_and_echoes_its_defaults() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, real] = files(folder.path());
    let runs = METHODS
        .iter()
        .flat_map(|method| [(method, &classes, "logistic"), (method, &real, "squared")]);
    let regressions = REGRESSIONS.iter().map(|method| (method, &real, "squared"));
    for (method, file, loss) in runs.chain(regressions) {
        let fitted = json(&["fit", method, "--data", file]);
        assert_eq!(fitted["request"]["loss"], loss);
        assert_eq!(fitted["schema"], "dp-assay/fit/1");
        assert_eq!(
            (&fitted["records"], &fitted["features"]),
            (&60.into(), &2.into())
        );
        let request = &fitted["request"];
        assert_eq!(request["method"], *method);
        assert_eq!(request["neighbours"], "replace-one");
        assert_eq!(request["bound"], 1.0);
        // The rule speaks of all but ssgd, says why, centres features and fits an intercept.
        let by_table = *method != "ssgd";
        assert_eq!(request["intercept"], by_table);
        assert_eq!(number(&request["centre"]), if by_table { 0.1 } else { 0.0 });
        let reasons = fitted.get("defaults").map(|reasons| reasons[0].to_string());
        assert_eq!(reasons.is_some_and(|r| r.contains("kappa")), by_table);
        assert_eq!(request["smoothness"], "bound");
        let privacy = &fitted["privacy"];
        let upper = number(&privacy["epsilon_upper"]);
        // The default budget is ε = 1; scales are rounded up, the accountant's ε too.
        assert!(upper <= 1.0 + 1e-9, "{method}: {upper}");
        assert_eq!(privacy["delta"].as_f64(), Some(1.0 / 3600.0));
        assert_eq!(privacy["neighbours"], "replace-one");
        let release = if *method == "adassp" {
            "noisy statistics"
        } else {
            "transcript"
        };
        assert_eq!(privacy["release"], release);
        let coefficients = fitted["coefficients"].as_array().expect("an array");
        assert_eq!(coefficients.len(), 2);
        assert!(fitted.get("not_private").is_none());
    }
}

#[test]
fn a_fit_tells_how_many_steps_are_left_and_is_the_same_as_unwatched() {
    use Method::{Decor, DpCd, DpSgd, Gcd, Gd, Skgd};
    let budget = (Epsilon::new(1.0).unwrap(), Delta::new(1e-6).unwrap());
    for method in [Skgd, DpCd, DpSgd, Gd, Gcd, Decor] {
        let request = Request {
            passes: 60.0,
            decentralised: (method == Decor).then(|| Decentralised::for_records(569)),
            ..Request::new(method, LossName::Logistic, budget)
        };
        let mut told = Vec::new();
        let data = Dataset::breast_cancer;
        let watched = fit_watched(data(), &request, &mut |taken, all| told.push((taken, all)));
        let watched = watched.expect("a sound request");
        let fitted = fit(data(), &request).expect("a sound request");
        assert_eq!(watched.coefficients, fitted.coefficients, "{method:?}");
        let all = (watched.lengths.0 * watched.lengths.1) as u64;
        assert!(told.iter().all(|(taken, of)| *taken <= all && *of == all));
        assert!(told.is_sorted_by(|a, b| a.0 < b.0), "{method:?}: {told:?}");
        // A thousandth of the steps, at most, is not told of.
        let last = told.last().map_or(0, |told| told.0);
        assert!(
            told.len() <= 1000 && all - last <= all / 1000,
            "{method:?}: {last} of {all}"
        );
    }
}

#[test]
fn the_comparison_with_the_optimum_is_marked_and_changes_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, _] = files(folder.path());
    let plain = json(&["fit", "skgd", "--data", &classes, "--l1", "0.01"]);
    let compared = json(&[
        "fit",
        "skgd",
        "--data",
        &classes,
        "--l1",
        "0.01",
        "--relative-error",
    ]);
    assert_eq!(plain["coefficients"], compared["coefficients"]);
    let not_private = &compared["not_private"];
    let of = |key: &str| number(&not_private[key]);
    assert!(of("objective") >= of("optimum") - of("optimum_gap_upper"));
    assert!(of("optimum_gap_upper") <= 1e-9);
    let relative = (of("objective") - of("optimum")) / of("optimum");
    assert!((of("relative_error") - relative).abs() < 1e-12);
}

#[test]
fn what_looks_at_the_data_needs_a_statement_that_it_is_public() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, _] = files(folder.path());
    for flags in [
        ["--scaling", "standardise"],
        ["--scaling", "max-abs"],
        ["--smoothness", "data"],
    ] {
        let arguments = ["fit", "skgd", "--data", &classes, flags[0], flags[1]];
        let message = refused(&arguments);
        assert!(message.contains("looks at the data"), "{message}");
        for way in ["--public", "--smoothness private"] {
            assert!(message.contains(way), "{message}");
        }
        let stated = json(&[&arguments[..], &["--public"]].concat());
        assert_eq!(stated["request"]["public"], true);
        let of = |fitted: &serde_json::Value| {
            fitted["warnings"]
                .to_string()
                .contains("as was stated, public")
        };
        assert!(of(&stated), "{}", stated["warnings"]);
        let plain = json(&["fit", "skgd", "--data", &classes]);
        assert!(!of(&plain), "{}", plain["warnings"]);
    }
}

/// The estimate and the method share the budget; the tree that is printed is accounted for anew.
#[test]
fn a_private_estimate_of_smoothness_is_paid_from_the_budget_and_echoed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, real] = files(folder.path());
    for method in METHODS {
        let flags = ["--smoothness", "private", "--share", "0.25"];
        let fitted = json(&[&["fit", method, "--data", &classes], &flags[..]].concat());
        let privacy = &fitted["privacy"];
        let estimate = &privacy["estimate"];
        assert_eq!(number(&estimate["epsilon_upper"]), 0.25);
        assert_eq!(number(&estimate["delta"]), 0.25 / 3600.0);
        assert_eq!(number(&privacy["delta"]), 1.0 / 3600.0);
        // The method's own ε is calibrated to 0.75 from below, up to the accountant's own rounding of 10⁻⁹.
        let upper = number(&privacy["epsilon_upper"]);
        assert!(upper <= 1.0 + 1e-9, "{method}: {upper}");
        assert_eq!(number(&fitted["request"]["epsilon"]), 1.0);
        // M_j = (1/4)·(at most B² = 1).
        let smoothness = estimate["smoothness"].as_array().expect("an array");
        assert_eq!(smoothness.len(), 2);
        assert!(smoothness.iter().all(|m| (0.0..=0.25).contains(&number(m))));
        let (parts, neighbours) = (&privacy["event"]["events"], Neighbouring::ReplaceOne);
        assert_eq!(parts[0]["kind"], "gaussian");
        let event = Event::from_json(&privacy["event"].to_string()).expect("a tree");
        let delta = Delta::new(1.0 / 3600.0).expect("in [0, 1]");
        let auto = dp_assay::accounting::Accountant::Auto;
        let report = account(&event, delta, auto, neighbours, false).expect("known events");
        assert!(upper <= report.epsilon_upper, "{method}: {upper}");
    }
    let text = stdout(&["fit", "gd", "--data", &classes, "--smoothness", "private"]);
    assert!(
        text.contains("smoothness: released first, for epsilon 0.1"),
        "{text}"
    );
    for (method, flags, words) in [
        (
            "gd",
            ["--share", "1"],
            "share = 1 must be strictly between 0 and 1",
        ),
        (
            "gd",
            ["--share", "nan"],
            "share = NaN must be strictly between 0 and 1",
        ),
        (
            "gd",
            ["--neighbours", "add-remove"],
            "gd does not go with a private estimate under add-remove neighbours",
        ),
        (
            "ambssgd",
            ["--share", "0.1"],
            "ambssgd does not go with a private estimate of the smoothness constants",
        ),
    ] {
        let arguments = ["fit", method, "--data", &real, "--smoothness", "private"];
        let message = refused(&[&arguments[..], &flags].concat());
        assert!(message.contains(words), "{message}");
    }
}

/// AdaSSP on the same records in the same blocks; DP-AMBSSGD in the file's order, on the same budget.
#[test]
fn a_streamed_file_gives_the_same_statistics_and_the_same_guarantee() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [_, real] = files(folder.path());
    // In memory the rule has an intercept and a centre, and numbers of its own for ambssgd: 2 columns make the step twice as long.
    let plain: [(&str, &[&str]); 2] = [
        ("adassp", &["--no-intercept"]),
        (
            "ambssgd",
            &["--no-intercept", "--rate=0.1", "--step=0.5", "--clip=1"],
        ),
    ];
    for (method, own) in plain {
        let flags = ["fit", method, "--data", &real, "--bound", "0.5"];
        let memory = json(&[&flags[..], own].concat());
        let stream = json(&[&flags[..], &["--stream"]].concat());
        assert_eq!(
            (&memory["streamed"], &stream["streamed"]),
            (&false.into(), &true.into())
        );
        for key in ["request", "records", "features", "privacy", "lengths"] {
            assert_eq!(memory[key], stream[key], "{method}: {key}");
        }
        let same = memory["coefficients"] == stream["coefficients"];
        assert_eq!(same, method == "adassp");
    }
    for (method, flag, words) in [
        (
            "ssgd",
            "--quiet",
            "ssgd does not go with streaming: it needs the records in memory",
        ),
        ("skgd", "--quiet", "skgd does not go with streaming"),
        (
            "adassp",
            "--relative-error",
            "adassp does not go with streaming and a comparison",
        ),
        (
            "adassp",
            "--tune=3",
            "adassp does not go with streaming and a private centre, private ranges or tuning",
        ),
        (
            "adassp",
            "--centre=0.1",
            "adassp does not go with streaming and a private centre",
        ),
    ] {
        let message = refused(&["fit", method, "--data", &real, "--stream", flag]);
        assert!(message.contains(words), "{message}");
    }
    let scaled = ["--public", "--scaling=max-abs"];
    let asked = ["fit", "adassp", "--data", &real, "--stream"];
    let message = refused(&[&asked[..], &scaled].concat());
    assert!(
        message.contains("streaming and a look at the data before"),
        "{message}"
    );
    let empty = folder.path().join("empty.csv");
    std::fs::write(&empty, "a,b,y\n").expect("written");
    let empty = empty.to_str().expect("a plain path");
    let message = refused(&["fit", "adassp", "--stream", "--data", empty]);
    assert!(
        message.contains("number of records or features = 0 must be at least 1"),
        "{message}"
    );
}

/// False alarm: at most 200·0.05 = 10 of the runs are expected to miss; more than 30 have probability below 10⁻⁶
/// (Chernoff: e^{−10(3.1 ln 3.1 − 2.1)}). Power: without the margin a run misses unless the noise is positive on all
/// columns that rise above it, 8 or more; to miss at most 30 of 200 times then has probability below 10⁻¹⁰⁰.
#[test]
fn estimated_constants_are_rarely_below_the_true_ones_and_never_above_the_bound() {
    let data = Dataset::breast_cancer();
    let budget = (
        Epsilon::new(10.0).expect("≥ 0"),
        Delta::new(1e-6).expect("in [0, 1]"),
    );
    let mut request = Request {
        smoothness: Smoothness::Private,
        bound: 40.0,
        passes: 1.0,
        ..Request::new(Method::Gd, LossName::Squared, budget)
    };
    let squares = |j: usize| {
        let column = data.design().column(j).iter();
        column
            .map(|(_, x)| x.clamp(-40.0, 40.0).powi(2))
            .sum::<f64>()
            / data.records() as f64
    };
    let truth: Vec<f64> = (0..data.features()).map(squares).collect();
    let mut missed = 0;
    for seed in 0..200 {
        request.seed = seed;
        let fitted = fit(data.clone(), &request).expect("sound");
        let estimate = fitted.privacy.estimate.expect("asked for");
        let clear = truth.iter().filter(|truth| **truth > estimate.deviation);
        assert!(clear.count() >= 8);
        let estimate = estimate.smoothness;
        assert!(estimate.iter().all(|m| *m <= 1600.0));
        missed += u32::from(estimate.iter().zip(&truth).any(|(m, truth)| m < truth));
    }
    assert!(missed <= 30, "{missed} of 200");
}

#[test]
fn bad_input_is_refused_with_the_value_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [classes, real] = files(folder.path());
    let message = |flags: &[&str]| refused(&[&["fit", "skgd", "--data", &classes], flags].concat());
    for (flags, words) in [
        (&["--epsilon", "0"][..], "epsilon = 0 must be > 0"),
        (&["--epsilon", "nan"], "epsilon = NaN"),
        (
            &["--delta", "0"],
            "delta = 0 must lie strictly between 0 and 1",
        ),
        (&["--delta", "2"], "delta = 2 must lie in [0, 1]"),
        (&["--clip", "-1"], "clip = -1 must be finite and > 0"),
        (&["--passes", "0"], "passes = 0 must be finite and > 0"),
        (&["--ridge", "-1"], "ridge -1 must be finite and >= 0"),
        (
            &["--sampling", "nice:4"],
            "set size 4 must lie between 1 and the number",
        ),
        (&["--sampling", "blocks"], "needs a size of at least 1"),
        (&["--sampling", "some"], "not one of full, uniform"),
        (&["--loss", "hinge"], "unknown variant `hinge`"),
        (
            &["--neighbours", "user"],
            "skgd does not go with user neighbours",
        ),
        (&["--rounds", "0"], "T = 0 outer"),
        (
            &["--calibration", "printed", "--epsilon", "2"],
            "epsilon = 2 must be > 0 and at most 1",
        ),
    ] {
        let found = message(flags);
        assert!(found.contains(words), "{flags:?}: {found}");
    }
    let sized = refused(&[
        "fit",
        "dp-sgd",
        "--data",
        &classes,
        "--neighbours",
        "add-remove",
    ]);
    assert!(
        sized.contains("dp-sgd does not go with add-remove neighbours"),
        "{sized}"
    );
    for (method, flags, words) in [
        ("adassp", "", "the default of --delta is 1/n^2"),
        (
            "auto",
            "--delta=1e-6",
            "auto looks at the number of records",
        ),
        (
            "adassp",
            "--delta=1e-6 --holdout=0.2",
            "adassp does not go with records held out under add-remove neighbours",
        ),
    ] {
        let plain = ["fit", method, "--data", &real, "--neighbours", "add-remove"];
        let flags: Vec<&str> = flags.split_whitespace().collect();
        let found = refused(&[&plain[..], &flags].concat());
        assert!(found.contains(words), "{method} {flags:?}: {found}");
    }
    // Where users keep models of their own, the average of later messages shows more than one message moves it by.
    let cdp = ["fit", "decor", "--data", &classes, "--noise", "cdp"];
    let apart = refused(&[&cdp[..], &["--graph", "ring:5"]].concat());
    assert!(
        apart.contains("cdp noise where users keep models"),
        "{apart}"
    );
    let two = refused(&["fit", "dp-cd", "--data", &real, "--loss", "logistic"]);
    assert!(two.contains("real.csv"), "{two}");
    for (flags, words) in [
        (
            ["--loss", "huber"],
            "ambssgd does not go with another objective than plain least squares",
        ),
        (
            ["--passes", "2"],
            "ambssgd does not go with 2 passes: it reads every record once",
        ),
        (
            ["--calibration", "repaired"],
            "ambssgd does not go with the calibration Repaired",
        ),
        (["--rate", "0"], "rate = 0 must be in (0, 1]"),
    ] {
        let found = refused(&["fit", "ambssgd", "--data", &real, flags[0], flags[1]]);
        assert!(found.contains(words), "{flags:?}: {found}");
    }
    let missing = refused(&["fit", "gd", "--data", "no/such.csv"]);
    assert!(missing.contains("no/such.csv: cannot open"), "{missing}");
}

/// One fixed tape for each: no false alarm. Without noise to speak of, the loss of every method comes near
/// the optimum's; this catches a method that does not learn.
#[test]
fn with_a_large_budget_every_method_learns() {
    let data = Dataset::breast_cancer();
    let budget = (
        Epsilon::new(1e4).expect("≥ 0"),
        Delta::new(1e-3).expect("in [0, 1]"),
    );
    for method in [
        Method::Skgd,
        Method::DpCd,
        Method::DpSgd,
        Method::Gd,
        Method::Gcd,
    ] {
        let request = Request {
            scaling: dp_assay::solver::fit::Scaling::Standardise,
            smoothness: dp_assay::solver::fit::Smoothness::Data,
            public: true,
            bound: 10.0,
            ridge: 0.01,
            passes: 100.0,
            clip: 10.0,
            compare: true,
            ..Request::new(method, LossName::Logistic, budget)
        };
        let fitted = fit(data.clone(), &request).expect("sound");
        let comparison = fitted.not_private.expect("asked for");
        assert!(
            comparison.accuracy > Some(0.95),
            "{method:?}: {comparison:?}"
        );
        assert!(
            comparison.relative_error < 0.5,
            "{method:?}: {comparison:?}"
        );
    }
}

#[test]
fn every_sampling_of_dp_skgd_can_be_asked_for() {
    let budget = (
        Epsilon::new(1.0).expect("≥ 0"),
        Delta::new(1e-6).expect("in [0, 1]"),
    );
    for sampling in [
        SamplingName::Full,
        SamplingName::Uniform,
        SamplingName::Importance,
        SamplingName::Blocks(7),
        SamplingName::ImportanceBlocks(7),
        SamplingName::Nice(4),
    ] {
        let request = Request {
            sampling,
            rounds: 3,
            ..Request::new(Method::Skgd, LossName::Logistic, budget)
        };
        let fitted = fit(Dataset::breast_cancer(), &request).expect("sound");
        assert!(fitted.privacy.epsilon_upper <= 1.0 + 1e-9);
        assert_eq!(fitted.privacy.claim, "decor-aux-simulate");
        assert_eq!(fitted.lengths.1, 3);
    }
}
