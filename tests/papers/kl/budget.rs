//! What is spent, and how far releases really move.

use super::problems::{budget, curved, quadratic, tilted};
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::risk::{Risk, Shape};
use dp_assay::problem::rows::norm;
use dp_assay::solver::kl::reference::{adaptive, proximal, regularised, spider};
use dp_assay::solver::kl::{
    Adaptive, Budget, Meter, Observation, Regularised, Run, Spider, Variant,
};
use dp_assay::units::Neighbouring::{ReplaceOne, User, ZeroOut};

/// The vectors that are released, with an empty one for each norm.
fn vectors(released: &mut Vec<Vec<f64>>) -> impl FnMut(Observation<'_>) + '_ {
    |release| match release {
        Observation::Gradient(v) | Observation::Difference(v) => released.push(v.to_vec()),
        Observation::Norm(_) | Observation::Selected(_) => {}
    }
}

fn run_spider(
    risk: &dyn Risk,
    inputs: &Spider,
    budget: &Budget,
    seed: u64,
) -> (Run, Vec<Vec<f64>>) {
    let mut released = Vec::new();
    let start = vec![1.0; risk.dimension()];
    let run = spider(
        risk,
        &start,
        inputs,
        budget,
        Tape::new(seed),
        &mut vectors(&mut released),
    );
    (run.expect("inputs within their domain"), released)
}

/// `kl-thm-1-priv` is refuted under replace-one and `kl-thm-1-priv-repaired` proved: on a run whose loops never stop
/// early the printed scales spend more than ρ; repaired ones do not, and the filter has nothing to refuse.
#[test]
fn the_printed_spider_overspends_and_the_repaired_one_does_not() {
    let (shape, inputs) = quadratic();
    let risk = tilted(shape, 4001, 2, 1.0, 1.0);
    for seed in 0..5 {
        let (printed, _) = run_spider(
            &risk,
            &inputs,
            &budget(4.0, ReplaceOne, Variant::Printed),
            seed,
        );
        let (repaired, _) = run_spider(
            &risk,
            &inputs,
            &budget(4.0, ReplaceOne, Variant::Repaired),
            seed,
        );
        assert!(repaired.spent_upper <= 4.0 && !repaired.cut, "{repaired:?}");
        assert!(printed.spent_upper > 4.0, "{printed:?}");
        // Releases of a round: the start and at most ⌊T_k⌋ + 1 = 2 differences for κ = 2.
        assert!(repaired.releases > 0 && !printed.cut);
        let (zero, _) = run_spider(
            &risk,
            &inputs,
            &budget(4.0, ZeroOut, Variant::Repaired),
            seed,
        );
        // A quarter each, an exact power of two; the sums round up once for each of fewer than 10⁶ releases.
        assert!((zero.spent_upper * 4.0 / repaired.spent_upper - 1.0).abs() < 1e-9);
    }
}

/// With the same noise and the same path so far, replacing a record moves the first gradient by exactly 2L/n for
/// linear records of length L, and no difference (pair P-lin).
#[test]
fn linear_records_move_gradients_by_twice_their_length_over_n() {
    let (shape, inputs) = quadratic();
    let b = budget(4.0, ReplaceOne, Variant::Repaired);
    let (_, first) = run_spider(&tilted(shape, 2001, 2, 1.0, 1.0), &inputs, &b, 3);
    let (_, second) = run_spider(&tilted(shape, 2001, 2, 1.0, -1.0), &inputs, &b, 3);
    let moved: Vec<f64> = first[0]
        .iter()
        .zip(&second[0])
        .map(|(a, b)| a - b)
        .collect();
    // Values below 2 round twice in each run, at the mean tilt and at the noise, by 2⁻⁵³ each; the sums of ±1 are exact.
    assert!((norm(&moved) - 2.0 / 2001.0).abs() < 1e-15);
}

/// Flipping a sign moves a difference of gradients by 2h‖step‖/n (pair P-quad), which is what a difference is charged
/// for.
#[test]
fn curved_records_move_differences_by_twice_the_curvature_times_the_step() {
    let (shape, inputs) = quadratic();
    let inputs = Spider {
        smoothness: 2.0,
        ..inputs
    };
    let b = budget(4.0, ReplaceOne, Variant::Repaired);
    let centre = vec![1.0, 1.0];
    let pair = [1.0, -1.0].map(|last| curved(shape, 20_001, centre.clone(), 1.0, last));
    let (_, first) = run_spider(&pair[0], &inputs, &b, 3);
    let (_, second) = run_spider(&pair[1], &inputs, &b, 3);
    // At the centre both have the same gradient. Rounds pass until the noisy norm meets the falling threshold, and
    // then both take the same first step.
    let schedule = inputs
        .schedule(Variant::Repaired, b.rho, 20_001, 2)
        .unwrap();
    let entered = schedule
        .iter()
        .zip(&first)
        .position(|(round, estimate)| norm(estimate) >= round.threshold)
        .expect("the threshold falls below the norm");
    assert_eq!(first[..=entered], second[..=entered]);
    let step = schedule.iter().nth(entered).unwrap().step;
    let (one, two) = (&first[entered + 1], &second[entered + 1]);
    let moved: Vec<f64> = one.iter().zip(two).map(|(a, b)| a - b).collect();
    // The distance is above 5·10⁻⁶; two gradients below 2, their difference and the noise round six times in each run and
    // coordinate, by 2⁻⁵³ each: 2·10⁻¹⁵.
    assert!(step > 0.05);
    assert!((norm(&moved) / (2.0 * step / 20_001.0) - 1.0).abs() < 1e-9);
}

#[test]
fn the_adaptive_method_stays_within_its_budget_whatever_its_norms() {
    let risk = tilted(Shape::Quadratic { mu: 1.0 }, 1001, 3, 1.0, 1.0);
    let inputs = Adaptive {
        beta: 0.1,
        lipschitz: 10.0,
        smoothness: 1.0,
    };
    for seed in 0..20 {
        for neighbours in [ReplaceOne, ZeroOut] {
            let b = budget(0.05, neighbours, Variant::Repaired);
            let mut stops = 0;
            let run = adaptive(
                &risk,
                &[1.0; 3],
                &inputs,
                &b,
                false,
                Tape::new(seed),
                &mut |_| stops += 1,
            );
            let run = run.unwrap();
            assert!(run.spent_upper <= 0.05, "seed {seed}: {}", run.spent_upper);
            assert_eq!(run.releases, stops);
            assert!(run.releases as f64 <= 2.0 * (1001.0 * 0.05f64.sqrt() / 2.0 + 2.0));
        }
    }
}

/// Theorem 9: T − 1 gradients at σ² = 4L₀²T/(n²ρ) cost (T − 1)/T·ρ/2 under replace-one, half of the budget.
#[test]
fn the_regularised_method_spends_half_of_its_budget() {
    let risk = tilted(Shape::Quadratic { mu: 0.1 }, 101, 2, 1.0, 1.0);
    let inputs = Regularised {
        beta: 0.1,
        lipschitz: 2.0,
        weak_convexity: 0.5,
        length: None,
    };
    let b = budget(0.01, ReplaceOne, Variant::Repaired);
    let run = regularised(&risk, &[0.5; 2], &inputs, &b, Tape::new(1), &mut |_| ()).unwrap();
    let t = (101.0f64 * 101.0 * 0.01 * 20f64.ln().powi(2) / 2.0).ceil();
    assert_eq!(run.releases, t as u64 - 1);
    // Ten roundings of a cost and one of the sum for each of some hundred releases.
    assert!((run.spent_upper / (0.005 * (t - 1.0) / t) - 1.0).abs() < 1e-9);
    let run = proximal(&risk, &[0.5; 2], &inputs, 3, &b, Tape::new(1), &mut |_| ()).unwrap();
    assert!(run.spent_upper <= 0.005 && run.spent_upper > 0.0045 && !run.cut);
}

#[test]
fn the_meter_refuses_what_would_overspend_and_relations_without_a_sensitivity() {
    let mut meter = Meter::new(&budget(1.0, ReplaceOne, Variant::Repaired)).unwrap();
    // m²/2·(unit/σ)² = 2·0.25 twice fills the budget, but for the rounding upwards: the second is refused.
    assert!(meter.gaussian(0.5, 1.0).unwrap());
    assert!(!meter.gaussian(0.5, 1.0).unwrap() && meter.refused());
    assert!(meter.gaussian(0.49, 1.0).unwrap());
    assert!(meter.spent_upper() <= 1.0 && meter.releases() == 2);
    let error = Meter::new(&budget(1.0, User, Variant::Printed)).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("no sensitivity is known under user neighbours")
    );
}
