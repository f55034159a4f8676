//! Cases that must coincide.

use super::problems::{budget, quadratic, tilted};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::risk::{Margins, PhaseRetrieval, Risk, Shape};
use dp_assay::problem::rows::Matrix;
use dp_assay::solver::kl::reference::{adaptive, spider};
use dp_assay::solver::kl::{Adaptive, Observation, Spider, Variant};
use dp_assay::units::Neighbouring::ReplaceOne;
use dp_assay::units::Rho;
use dp_assay_spec::kl::spider_scales as oracle;

/// The schedule in doubles is within 10⁻¹⁰ of the specification's enclosures.
#[test]
fn schedules_agree_with_the_enclosed_ones() {
    for (kappa, gamma, loss_bound) in [
        (2.0, 0.7, 2.0),
        (1.5, 0.6, 1.0),
        (1.0, 1.0, 3.0),
        (1.25, 0.5, 0.7),
    ] {
        let inputs = Spider {
            beta: 0.1,
            gamma,
            kappa,
            lipschitz: 5.0,
            smoothness: 1.5,
            loss_bound,
        };
        let rho = Rho::new(0.5).unwrap();
        let (n, d) = (100_000, 7);
        let enclosed = oracle::Hypotheses::check(oracle::Inputs {
            rho,
            beta: 0.1,
            samples: n as u64,
            dimension: d as u64,
            gamma,
            kappa,
            lipschitz: 5.0,
            smoothness: 1.5,
            loss_bound,
        })
        .expect("inputs within their domain");
        for (ours, theirs) in [
            (Variant::Printed, oracle::Variant::Printed),
            (Variant::Repaired, oracle::Variant::Repaired),
        ] {
            let ours = inputs.schedule(ours, rho, n, d).unwrap();
            let theirs = enclosed.schedule(theirs).unwrap();
            assert_eq!(ours.rounds, theirs.rounds);
            // Repaired deviations are wider by 2⁻³⁵ < 3·10⁻¹¹; powers and the divisions of 50 rounds take some hundred
            // roundings of 2⁻⁵³.
            let near = |x: f64, y: f64| assert!((x / y - 1.0).abs() < 1e-10, "{x} {y}");
            near(ours.start_deviation, theirs.start_scale.hi_f64());
            for (a, b) in ours.iter().zip(theirs.iter()).take(50) {
                near(a.target, b.target.hi_f64());
                near(a.length, b.length.hi_f64());
                near(a.deviation, b.scale.hi_f64());
                near(a.step, b.step.hi_f64());
                near(a.threshold, b.threshold.hi_f64());
            }
        }
    }
}

/// f → af, w → w/s turns (F₀, L₀, L₁, γ) into (aF₀, asL₀, as²L₁, a^{(1−κ)/κ}γ/s) and leaves K, T_k, Φ̂_k/F₀ and σ̂/L₀
/// as they are.
#[test]
fn the_schedule_does_not_depend_on_units() {
    let rho = Rho::new(1.0).unwrap();
    for kappa in [1.0, 1.5, 2.0] {
        let inputs = Spider {
            beta: 0.05,
            gamma: 0.7,
            kappa,
            lipschitz: 4.0,
            smoothness: 1.0,
            loss_bound: 1.0,
        };
        let (a, s) = (8.0, 0.25);
        let scaled = Spider {
            loss_bound: a,
            lipschitz: a * s * 4.0,
            smoothness: a * s * s,
            gamma: f64::powf(a, (1.0 - kappa) / kappa) * 0.7 / s,
            ..inputs
        };
        let (one, two) = [inputs, scaled]
            .map(|i| i.schedule(Variant::Repaired, rho, 50_000, 5).unwrap())
            .into();
        assert_eq!(one.rounds, two.rounds);
        // Units are powers of two; what rounds differently are powers of F₀ and γ, in up to a thousand divisions by c.
        assert!((two.start_deviation / (a * s * one.start_deviation) - 1.0).abs() < 1e-12);
        for (x, y) in one.iter().zip(two.iter()) {
            assert!((y.target / (a * x.target) - 1.0).abs() < 1e-12);
            assert!((y.length / x.length - 1.0).abs() < 1e-12);
        }
    }
}

/// For κ = 2, T_k = 1 in every round: at most two differences.
#[test]
fn under_the_polyak_lojasiewicz_condition_a_round_makes_at_most_two_steps() {
    let (shape, inputs) = quadratic();
    let risk = tilted(shape, 3001, 2, 1.0, 1.0);
    let (mut run_of_differences, mut longest) = (0, 0);
    let b = budget(2.0, ReplaceOne, Variant::Repaired);
    let run = spider(
        &risk,
        &[1.0, 1.0],
        &inputs,
        &b,
        Tape::new(1),
        &mut |release| {
            match release {
                Observation::Difference(_) => run_of_differences += 1,
                _ => run_of_differences = 0,
            }
            longest = longest.max(run_of_differences);
        },
    );
    let point = run.unwrap().point;
    assert!(longest <= 2);
    // One fixed tape, so no false alarm: over tapes the excess is below the last target with probability 1 − β = 0.9 at
    // least (kl-thm-1-repaired), and without much noise for this n far below the start's, which is 1.
    let schedule = inputs.schedule(Variant::Repaired, b.rho, 3001, 2).unwrap();
    let last = schedule.iter().last().unwrap().target;
    assert!(
        risk.value(&point) <= last.max(0.02),
        "{} {last}",
        risk.value(&point)
    );
}

/// A start that already meets the target is returned at once, and nothing is released.
#[test]
fn a_start_below_the_target_is_returned() {
    let (shape, inputs) = quadratic();
    let inputs = Spider {
        loss_bound: 1e-9,
        ..inputs
    };
    let risk = tilted(shape, 11, 2, 1.0, 1.0);
    let b = budget(0.1, ReplaceOne, Variant::Repaired);
    let start = [1e-5, 0.0];
    let run = spider(&risk, &start, &inputs, &b, Tape::new(1), &mut |_| {
        panic!("released")
    })
    .unwrap();
    assert_eq!((run.point, run.releases), (start.to_vec(), 0));
    let b = budget(0.1, ReplaceOne, Variant::Printed);
    let error = spider(&risk, &start, &inputs, &b, Tape::new(1), &mut |_| ()).unwrap_err();
    assert!(error.to_string().starts_with("K = "), "{error}");
}

/// One fixed tape, so no false alarm. The adaptive method descends on a non-convex loss of data records, and its selected iterate is one of those that it
/// released.
#[test]
fn the_adaptive_method_descends_on_phase_retrieval() {
    let mut words = Tape::new(9).stream(0, Purpose::Data, 0);
    let (n, d) = (20_000, 3);
    let mut values = Vec::new();
    for _ in 0..n {
        let x: Vec<f64> = (0..d).map(|_| words.uniform().gaussian()).collect();
        let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
        values.extend(x.iter().map(|x| x / length));
    }
    let target = |x: &[f64]| (2.0 * x[0]).tanh().powi(2);
    let targets = values.chunks(d).map(target).collect();
    let risk = Margins::new(Matrix::new(d, values, targets).unwrap(), PhaseRetrieval);
    // h² times a third derivative below 8, over 6, and rounding of F < 1/4 over h: 10⁻¹⁰ and 10⁻¹¹.
    assert!(risk.gradient_error(&[0.4, -0.3, 0.2], 1e-5) < 1e-9);
    let inputs = Adaptive {
        beta: 0.1,
        lipschitz: 0.2863,
        smoothness: 0.5,
    };
    let b = budget(0.5, ReplaceOne, Variant::Repaired);
    let start = [0.5, 0.1, 0.0];
    let mut selected = None;
    let run = adaptive(
        &risk,
        &start,
        &inputs,
        &b,
        true,
        Tape::new(2),
        &mut |release| {
            if let Observation::Selected(t) = release {
                selected = Some(t);
            }
        },
    );
    let run = run.unwrap();
    assert_eq!(
        selected.map(|t| &run.iterates[3 * t..3 * (t + 1)]),
        Some(&run.point[..])
    );
    // ρ for the iterates and ρ/2 for the draw (kl-thm-5-corrected).
    assert!(run.spent_upper <= 0.75 && run.spent_upper > 0.25);
    let last = run.iterates.chunks(3).last().unwrap();
    assert!(
        risk.value(last) < risk.value(&start),
        "{} {}",
        risk.value(last),
        risk.value(&start)
    );
}

/// Shapes of one dimension that agree: a power of 2 is a quadratic, Huber far inside its knee too.
#[test]
fn shapes_that_are_the_same_function_have_the_same_constants() {
    let quadratic = Shape::Quadratic { mu: 2.0 };
    let power = Shape::Power {
        scale: 1.0,
        tau: 2.0,
    };
    let (a, b) = (
        quadratic.known(0.0, 3.0).unwrap(),
        power.known(0.0, 3.0).unwrap(),
    );
    // A root and a power, each within a unit in the last place of 1/2.
    assert!((a.gamma - b.gamma).abs() < 1e-15 && a.kappa == b.kappa);
    assert_eq!((a.lipschitz, a.smoothness), (b.lipschitz, b.smoothness));
}
