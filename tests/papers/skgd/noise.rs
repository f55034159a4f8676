//! The law of the noise, beyond every block of coordinates, and its scale in closed form.

use crate::law::standard_normal;
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::Problem;
use dp_assay::problem::neighbours::LinearPair;
use dp_assay::solver::skgd::{
    Calibration, Config, Sampling, SetValues, event, optimized, reference, sensitivities,
};
use dp_assay::units::{Delta, Epsilon};

/// Linear losses: the gradient is the same at every point.
fn linear(p: usize, records: usize) -> Problem {
    let pair = LinearPair {
        records,
        lipschitz: (0..p).map(|k| 1.0 + (k % 3) as f64).collect(),
        smoothness: vec![1.0; p],
        scores: vec![0.0; p],
        rises: vec![true; p],
    };
    pair.build().expect("sound").first
}

/// Every value of a transcript less its partial derivative, in units of the set's deviation.
fn standardised(
    problem: &Problem,
    config: &Config,
    deviation: impl Fn(&[usize]) -> f64,
) -> [Vec<f64>; 2] {
    let gradient = problem.gradient(&vec![0.0; problem.features()]);
    let tape = Tape::new(11);
    let runs = [
        reference::run(problem, config, tape),
        optimized::run(problem, config, tape),
    ];
    runs.map(|run| {
        let run = run.expect("finite");
        let steps = run.transcript.steps();
        let one = |step: dp_assay::solver::skgd::NoisyPartials<'_>| {
            let sigma = deviation(step.set);
            let noise = step
                .set
                .iter()
                .zip(step.values)
                .map(|(j, v)| (v - gradient[*j]) / sigma);
            noise.collect::<Vec<f64>>()
        };
        steps.flat_map(one).collect()
    })
}

#[test]
fn full_gradients_have_fresh_noise_in_every_coordinate_and_step() {
    const P: usize = 2600;
    let problem = linear(P, 4);
    let mut config = Config::new(
        &problem,
        (2, 2),
        Sampling::full(P).expect("p ≥ 1"),
        SetValues::Same(0.3),
    );
    config.steps.fill(1e-3);
    for z in standardised(&problem, &config, |_| 0.3) {
        assert_eq!(z.len(), 4 * P);
        standard_normal(&z, &[1, 256, 1024, 2048, P, 2 * P, 3 * P], "full");
    }
}

/// σ_U² = Σ_{j∈U} σ_j², with three blocks of different scales.
#[test]
fn blocks_have_the_noise_of_their_own_scale() {
    let problem = linear(300, 4);
    let blocks: Vec<Vec<usize>> = (0..3).map(|b| (100 * b..100 * (b + 1)).collect()).collect();
    let per: Vec<f64> = (0..300).map(|j| [0.1, 0.4, 2.0][j / 100]).collect();
    let sampling = Sampling::partition(300, blocks).expect("a partition");
    let mut config = Config::new(&problem, (20, 3), sampling, SetValues::Root(per));
    config.steps.fill(1e-3);
    for z in standardised(&problem, &config, |set| {
        [0.1, 0.4, 2.0][set[0] / 100] * 10.0
    }) {
        assert_eq!(z.len(), 6000);
        standard_normal(&z, &[1, 100, 200, 300], "blocks");
    }
}

/// Scales and sensitivities written out: Δ_U = 2L_U/n, σ_U² = 12 L_U² KT ln(1/δ)/(n²ε²) as printed, the best order, and √(KT)
/// times the noise of one mechanism.
#[test]
fn scales_are_the_closed_forms() {
    let problem = linear(3, 50);
    let sampling = Sampling::full(3).expect("p ≥ 1");
    let all = [0, 1, 2];
    // L = (1, 2, 3).
    let length = 14f64.sqrt();
    let moved = sensitivities(&problem, &sampling, None)
        .expect("bounded")
        .of(&all, None);
    assert!((moved / (2.0 * length / 50.0) - 1.0).abs() < 1e-13 && moved >= 2.0 * length / 50.0);
    let (e, d) = (0.8_f64, 1e-4_f64);
    let (budget, log) = (
        (Epsilon::new(e).expect("≥ 0"), Delta::new(d).expect("≤ 1")),
        -d.ln(),
    );
    let scale = |calibration: Calibration, lengths| {
        let scales = calibration
            .scales(budget, lengths, &SetValues::Same(moved))
            .expect("proper");
        scales.numbers()[0]
    };
    let steps = 6.0_f64;
    let printed = (12.0 * length * length * steps * log).sqrt() / (50.0 * e);
    let root = (log + e).sqrt() - log.sqrt();
    let best = moved * (steps / 2.0).sqrt() / root;
    assert!((scale(Calibration::Printed, (2, 3)) / printed - 1.0).abs() < 1e-12);
    assert!((scale(Calibration::BestOrder, (2, 3)) / best - 1.0).abs() < 1e-12);
    let ratio = scale(Calibration::Tight, (2, 3)) / scale(Calibration::Tight, (1, 1));
    assert!((ratio - 6f64.sqrt()).abs() < 1e-12);
    let steps = event(6, 3.5)
        .steps(dp_assay::units::Neighbouring::ReplaceOne)
        .expect("a tree");
    assert_eq!((steps[0].len(), steps[0][0].count), (1, 6));
}
