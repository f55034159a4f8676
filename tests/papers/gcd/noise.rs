//! The law of selections and releases, and scales in closed form: what both solvers take from one place.

use crate::law::{frequency, standard_laplace};
use dp_assay::accounting::{Accountant, Event, account};
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::Problem;
use dp_assay::problem::neighbours::LinearPair;
use dp_assay::solver::gcd::{
    Calibration, Config, LaplaceScales, SelectionNoise, optimized, reference, sensitivities,
};
use dp_assay::units::{Delta, Epsilon, Neighbouring};
use dp_assay_spec::arith::Rational;
use dp_assay_spec::privacy::selection::laplace_pair;

const STEPS: usize = 6000;

/// Linear losses: gradient √M_k y_k less the last record's part, the same at every point.
fn linear(lipschitz: &[f64], smoothness: &[f64], scores: [f64; 3]) -> Problem {
    let p = lipschitz.len();
    let pair = LinearPair {
        records: 10,
        lipschitz: lipschitz.to_vec(),
        smoothness: smoothness.to_vec(),
        scores: scores.to_vec(),
        rises: (0..p).map(|k| k % 2 == 0).collect(),
    };
    pair.build().expect("sound").first
}

fn exact(values: impl IntoIterator<Item = f64>) -> Vec<Rational> {
    values
        .into_iter()
        .map(|x| Rational::from_f64(x).expect("finite"))
        .collect()
}

/// Both solvers over many steps at one gradient: coordinates come as often as the specification's exact law says, and the
/// releases' noise is Laplace noise of their own scale.
#[test]
fn selections_and_releases_follow_the_exact_laws() {
    let smoothness = [1.0, 4.0, 0.25];
    let problem = linear(&[1.0, 2.0, 1.5], &smoothness, [0.2, 0.3, 0.4]);
    let gradient = problem.gradient(&[0.0; 3]);
    let (selection, release) = (vec![0.3, 0.9, 0.2], vec![0.5, 2.0, 1.0]);
    for place in [SelectionNoise::Inside, SelectionNoise::OnScore] {
        let noise = LaplaceScales::new(selection.clone(), release.clone()).expect("scales");
        let mut config = Config::new(&problem, STEPS, noise);
        (config.selection, config.steps) = (place, vec![1e-9; 3]);
        let inside = place == SelectionNoise::Inside;
        let score = |k: usize| {
            if inside {
                gradient[k]
            } else {
                gradient[k].abs()
            }
        };
        let roots = smoothness.map(f64::sqrt);
        let scores = exact((0..3).map(|k| score(k) / roots[k]));
        let scales = exact((0..3).map(|k| selection[k] / roots[k]));
        let law = laplace_pair(&scores, &exact([0.0; 3]), &scales, inside).expect("enclosed");
        let tape = Tape::new(21);
        let runs = [
            reference::run(&problem, &config, tape),
            optimized::run(&problem, &config, tape),
        ];
        for run in runs {
            let run = run.expect("finite");
            let mut noise = Vec::new();
            for (k, p) in law.p().iter().enumerate() {
                let chosen = run.transcript.iter().filter(|r| r.coordinate == k).count();
                frequency(
                    chosen as u64,
                    STEPS as u64,
                    p.lo_f64(),
                    &format!("coordinate {k}, {place:?}"),
                );
            }
            for r in &run.transcript {
                noise.push((r.value - gradient[r.coordinate]) / release[r.coordinate]);
            }
            standard_laplace(&noise, "releases");
            // The noise of the choice is not that of the release.
            let first: Vec<f64> = run
                .transcript
                .iter()
                .map(|r| f64::from(u8::from(r.coordinate == 0)))
                .collect();
            let mean = first.iter().sum::<f64>() / first.len() as f64;
            let spread = (mean * (1.0 - mean)).sqrt();
            let a: Vec<f64> = first.iter().map(|x| (x - mean) / spread).collect();
            let b: Vec<f64> = noise.iter().map(|x| x / 2f64.sqrt()).collect();
            crate::law::uncorrelated(&a, &b, "choice and release");
            crate::law::uncorrelated(&a[1..], &a[..a.len() - 1], "one choice and the next");
        }
    }
}

/// Δ_j = 2L_j/n; the ε of every access of the event is that of the noise, written out.
#[test]
fn the_event_of_a_run_is_that_of_its_noise() {
    let (lipschitz, smoothness) = ([1.0, 2.0, 1.5], [1.0, 4.0, 0.25]);
    let problem = linear(&lipschitz, &smoothness, [0.0; 3]);
    let moved = sensitivities(&problem, None).expect("bounded");
    for (moved, l) in moved.iter().zip(lipschitz) {
        assert!((moved / (2.0 * l / 10.0) - 1.0).abs() < 1e-15 * 8.0);
    }
    let (selection, release) = (vec![0.3, 0.9, 0.2], vec![0.5, 2.0, 1.0]);
    let noise = LaplaceScales::new(selection.clone(), release.clone()).expect("scales");
    let config = Config::new(&problem, 7, noise);
    let event = config.event(&problem).expect("covered");
    let r: Vec<f64> = (0..3)
        .map(|k| 0.2 * lipschitz[k] / f64::sqrt(smoothness[k]))
        .collect();
    let others = |j: usize| (0..3).filter(|k| *k != j).map(|k| r[k]).fold(0.0, f64::max);
    let choice = (0..3).map(|j| f64::sqrt(smoothness[j]) * (r[j] + others(j)) / selection[j]);
    let choice = choice.fold(0.0, f64::max);
    let value = (0..3)
        .map(|j| 0.2 * lipschitz[j] / release[j])
        .fold(0.0, f64::max);
    let Event::Composed { events } = &event else {
        panic!("{event:?}")
    };
    let [
        Event::Repeated { times: 7, event: a },
        Event::Repeated { times: 7, event: b },
    ] = &events[..]
    else {
        panic!("{event:?}");
    };
    let (Event::Pure { epsilon }, Event::Laplace { scale, sensitivity }) = (&**a, &**b) else {
        panic!("{event:?}");
    };
    assert!((epsilon / choice - 1.0).abs() < 1e-14 && *epsilon >= choice * (1.0 - 1e-15));
    assert!((sensitivity / scale / value - 1.0).abs() < 1e-14);
}

/// Every calibration at its closed form, and what the accountant certifies for it at an ordinary budget: with ratios that
/// differ the printed noise leaves more than was asked for.
#[test]
fn only_proved_noise_is_certified_for_its_budget() {
    let (lipschitz, smoothness) = ([1e-3, 2.0, 1.5], [1.0, 4.0, 0.25]);
    let problem = linear(&lipschitz.map(|l| l * 100.0), &smoothness, [0.0; 3]);
    let (epsilon, delta) = (
        Epsilon::new(1.0).expect("≥ 0"),
        Delta::new(1e-6).expect("≤ 1"),
    );
    let certified = |calibration: Calibration| {
        let config =
            Config::calibrated(&problem, 5, None, calibration, (epsilon, delta)).expect("proper");
        let event = config.event(&problem).expect("covered");
        let report = account(
            &event,
            delta,
            Accountant::Auto,
            Neighbouring::ReplaceOne,
            false,
        );
        report.expect("finite").epsilon_upper
    };
    assert!(certified(Calibration::Repaired) < 0.9);
    assert!((0.999..=1.0).contains(&certified(Calibration::Tight)));
    assert!(certified(Calibration::NumericEq2) > 100.0);
    assert!(certified(Calibration::Printed) > 100.0);
    assert_eq!(Calibration::Printed.claim(), Some("gcd-thm-4.2"));
    assert_eq!(
        (Calibration::Tight.claim(), Calibration::NumericEq2.claim()),
        (None, Some("gcd-eq-2"))
    );
}

/// Constants computed from the data are refused by the calibration and by the account; so is what no claim covers, and a
/// coordinate that moves and has no noise.
#[test]
fn what_has_no_guarantee_has_no_event() {
    use dp_assay::problem::loss::Logistic;
    use dp_assay::problem::{Dataset, Regulariser};
    let plain =
        Problem::new(Dataset::breast_cancer(), Logistic, Regulariser::None).expect("two classes");
    let budget = (
        Epsilon::new(1.0).expect("≥ 0"),
        Delta::new(1e-6).expect("≤ 1"),
    );
    let thresholds = plain
        .constants()
        .clipping_thresholds(1.0)
        .expect("positive");
    let ask = |problem: &Problem| {
        Config::calibrated(
            problem,
            3,
            Some(thresholds.clone()),
            Calibration::Repaired,
            budget,
        )
    };
    let words = "the smoothness and Lipschitz constants were computed from the data: step sizes, scores and noise would \
                 reveal them. Give constants known without the data, or state that these are public";
    assert_eq!(ask(&plain).expect_err("from the data").to_string(), words);
    let public = plain
        .clone()
        .with_constants(plain.constants().clone().stated_public())
        .expect("as many");
    let config = ask(&public).expect("stated");
    assert!(config.event(&public).is_ok());
    assert_eq!(
        config.event(&plain).expect_err("from the data").to_string(),
        words
    );
    let absent = Config {
        selection: SelectionNoise::Absent,
        ..config.clone()
    };
    let error = absent.event(&public).expect_err("no noise").to_string();
    assert_eq!(
        error,
        "no claim covers the selection: the selection has no noise"
    );
    let mut release = config.noise.release().to_vec();
    release[4] = 0.0;
    let silent = LaplaceScales::new(config.noise.selection().to_vec(), release).expect("scales");
    let error = Config {
        noise: silent,
        ..config
    }
    .event(&public)
    .expect_err("no noise");
    assert_eq!(
        error.to_string(),
        "the release of coordinate 4 has no noise"
    );
}
