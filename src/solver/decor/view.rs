//! What each adversary sees of a run.

use super::secrets::{self, Secrets};
use super::{Config, Run};
use nalgebra::DMatrix;

/// The noisy gradients g̃_i^(t) that the messages amount to, d × n per step: with public x^(0), W and
/// η_t the transcript and they determine each other.
#[must_use]
pub fn noisy_gradients(config: &Config, run: &Run, start: &[f64]) -> Vec<DMatrix<f64>> {
    let n = config.graph.n();
    let mut models = DMatrix::from_fn(start.len(), n, |k, _| start[k]);
    let mut all = Vec::with_capacity(run.transcript.len());
    for (t, messages) in run.transcript.iter().enumerate() {
        all.push((&models - messages) / config.step_sizes.at(t));
        models = messages * config.mixing.matrix();
    }
    all
}

/// The honest users' noisy gradients after the group of colluders has taken away the pair noise that
/// it knows: d × (n − q) per step, columns in ascending order of the honest users. What is left has
/// covariance σ_cdp² I + σ_cor² L(G_H) across users, independently for every coordinate.
///
/// ```
/// use dp_assay::accounting::decor::Noise;
/// use dp_assay::problem::{Graph, MixingMatrix, Weights};
/// use dp_assay::solver::decor::{Config, LeastSquares, Sampling, Secrets, StepSizes, optimized, view};
///
/// # let graph = Graph::ring(4)?;
/// # let config = Config {
/// #     mixing: MixingMatrix::of(&graph, Weights::MetropolisHastings)?,
/// #     graph,
/// #     noise: Noise::new(0.1, 1.0, 0.5)?, // σ_cdp, σ_cor and the clipping threshold
/// #     steps: 3,
/// #     step_sizes: StepSizes::Constant(0.1),
/// #     sampling: Sampling::AllExamples,
/// #     keep_transcript: true,
/// # };
/// let losses = LeastSquares { scales: vec![1.0; 4], targets: vec![vec![0.2, -0.1]; 4] };
/// let (secrets, start) = (Secrets::from_seed(&config.graph, 7), [0.0; 2]);
/// let run = optimized::run(&config, &losses, &secrets, &start)?;
/// let all = view::noisy_gradients(&config, &run, &start);
/// assert_eq!((all.len(), all[0].ncols()), (3, 4)); // steps, users
/// // User 0 is a colluder: three honest users are left.
/// let left = view::of_group(&config, &run, &secrets, &start, &[0]);
/// assert_eq!((left.len(), left[0].ncols()), (3, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn of_group(
    config: &Config,
    run: &Run,
    secrets: &Secrets,
    start: &[f64],
    group: &[usize],
) -> Vec<DMatrix<f64>> {
    //= decor-fact-cov
    let honest: Vec<usize> = (0..config.graph.n())
        .filter(|i| !group.contains(i))
        .collect();
    let steps = noisy_gradients(config, run, start).into_iter().enumerate();
    let view = |(t, all): (usize, DMatrix<f64>)| {
        let mut left = all.select_columns(&honest);
        for (column, &i) in honest.iter().enumerate() {
            let known = config.graph.neighbours(i).iter().map(|&j| j as usize);
            for j in known.filter(|j| group.contains(j)) {
                let Some(tape) = secrets.pair(i, j) else {
                    continue;
                };
                let mut z = secrets::pair_noise(tape, t, 0);
                let sigma = if i < j {
                    config.noise.cor()
                } else {
                    -config.noise.cor()
                };
                for k in 0..left.nrows() {
                    left[(k, column)] -= sigma * z.uniform().gaussian();
                }
            }
        }
        left
    };
    steps.map(view).collect()
}
