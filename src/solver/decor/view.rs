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
