//! The law of the noise in every message, beyond the blocks of 1024 coordinates that are drawn together.

use crate::law::{standard_normal, uncorrelated};
use dp_assay::accounting::decor::Noise;
use dp_assay::problem::{Graph, MixingMatrix, Weights};
use dp_assay::solver::decor::{
    Config, LinearLosses, Run, Sampling, Secrets, StepSizes, optimized, reference,
};

const DIMENSION: usize = 2600;
const STEPS: usize = 3;
const ETA: f64 = 0.1;

/// Two solvers, on users without gradients: (x − x^(t+1/2))/η is noise alone, for every step and user.
fn noises(graph: &str, cdp: f64, cor: f64) -> Vec<[Vec<Vec<f64>>; STEPS]> {
    let graph: Graph = graph.parse().expect("a graph");
    let n = graph.n();
    let config = Config {
        mixing: MixingMatrix::of(&graph, Weights::MetropolisHastings).expect("connected"),
        graph,
        noise: Noise::new(cdp, cor, 1.0).expect("in range"),
        steps: STEPS,
        step_sizes: StepSizes::Constant(ETA),
        sampling: Sampling::AllExamples,
        keep_transcript: true,
    };
    let losses = LinearLosses {
        examples: vec![vec![vec![0.0; DIMENSION]]; n],
    };
    let secrets = Secrets::from_seed(&config.graph, 5);
    let start = vec![0.0; DIMENSION];
    let of = |run: Run| {
        let mut models = vec![start.clone(); n];
        std::array::from_fn(|t| {
            let sent = &run.transcript[t];
            let noise = |i: usize| {
                let column = sent.column(i);
                models[i]
                    .iter()
                    .zip(column.iter())
                    .map(|(x, m)| (x - m) / ETA)
                    .collect()
            };
            let found = (0..n).map(noise).collect();
            let w = config.mixing.matrix();
            for (i, model) in models.iter_mut().enumerate() {
                for (k, x) in model.iter_mut().enumerate() {
                    *x = (0..n).map(|j| w[(i, j)] * sent[(k, j)]).sum();
                }
            }
            found
        })
    };
    let slow = reference::run(&config, &losses, &secrets, &start).expect("finite");
    let fast = optimized::run(&config, &losses, &secrets, &start).expect("finite");
    vec![of(slow), of(fast)]
}

fn scaled(values: &[f64], by: f64) -> Vec<f64> {
    values.iter().map(|x| x / by).collect()
}

/// All rows against each other: different steps, users and pairs share nothing.
fn unrelated(rows: &[Vec<f64>], what: &str) {
    for (a, first) in rows.iter().enumerate() {
        // Not even with a block's shift between them.
        standard_normal(first, &[1, 256, 1024, 2048], what);
        for second in &rows[..a] {
            uncorrelated(first, second, what);
        }
    }
}

/// On the path users 0 and 1, and 1 and 2 share noise, on the star user 0 with each other one; own noise is out of sight.
#[test]
fn what_two_users_share_cancels_and_repeats_in_no_block_step_or_pair() {
    for (graph, leaves) in [("path:3", vec![0, 2]), ("star:4", vec![1, 2, 3])] {
        for solver in noises(graph, 1e-9, 3.0) {
            let mut rows = Vec::new();
            for step in &solver {
                // Values of a few dozen round at 2⁻⁵³ of themselves; own noise is 10⁻⁹.
                let sum = |k: usize| step.iter().map(|noise| noise[k]).sum::<f64>();
                assert!((0..DIMENSION).all(|k| sum(k).abs() < 1e-7));
                rows.extend(leaves.iter().map(|&i| scaled(&step[i], 3.0)));
            }
            unrelated(&rows, "pair noise");
        }
    }
}

#[test]
fn every_user_has_noise_of_its_own_in_every_step() {
    for solver in noises("star:4", 0.7, 0.0) {
        let rows: Vec<_> = solver
            .iter()
            .flatten()
            .map(|own| scaled(own, 0.7))
            .collect();
        unrelated(&rows, "own noise");
    }
}

/// A leaf of a star has variance σ_cdp² + σ_cor², the centre of four users σ_cdp² + 3σ_cor².
#[test]
fn both_noises_are_added_in_full() {
    for solver in noises("star:4", 0.5, 2.0) {
        for step in &solver {
            let of = |i: usize, edges: f64| scaled(&step[i], (0.25 + 4.0 * edges).sqrt());
            standard_normal(&of(0, 3.0), &[], "centre");
            standard_normal(&of(3, 1.0), &[], "leaf");
        }
    }
}
