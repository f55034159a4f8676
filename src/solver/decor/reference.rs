//! Algorithm 1, with gradients clipped as in eq. (2) and a public regulariser added after (`decor-alg-1-corrected`);
//! where there is none it is as printed. Lines 2 to 6 are in [`Part`].

use super::user::Part;
use super::{Config, LocalLosses, Run, RunError, Secrets};
use nalgebra::DMatrix;

/// Runs T steps from x^(0) = `start` for every user.
///
/// ```
/// use dp_assay::accounting::decor::Noise;
/// use dp_assay::problem::{Graph, MixingMatrix, Weights};
/// use dp_assay::solver::decor::{Config, LeastSquares, Sampling, Secrets, StepSizes, reference};
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
/// let run = reference::run(&config, &losses, &secrets, &start)?;
/// assert_eq!(run, reference::run(&config, &losses, &secrets, &start)?);
/// assert!(reference::run(&config, &losses, &secrets, &[0.0; 3]).is_err()); // the losses have two coordinates
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A configuration that does not fit; a message that is not finite.
pub fn run(
    config: &Config,
    losses: &dyn LocalLosses,
    secrets: &Secrets,
    start: &[f64],
) -> Result<Run, RunError> {
    //= decor-alg-1
    //= decor-alg-1-corrected
    // Line 2 with the brackets of equation (2)
    config.check(losses, secrets, start)?;
    let n = config.graph.n();
    // every pair {i, j} ∈ E agrees on a seed
    let users: Vec<_> = (0..n)
        .map(|i| (Part::of(config, i), secrets.of_user(&config.graph, i)))
        .collect();
    // x_i^(0)
    let mut models = vec![start.to_vec(); n];
    let (mut transcript, mut clipped) = (Vec::new(), 0);
    // for t = 0, …, T − 1
    for t in 0..config.steps {
        let mut messages = Vec::with_capacity(n);
        // all i ∈ [n] in parallel: g_i, v_ij, v̄_i, x_i^(t+1/2)
        for (i, (part, knowledge)) in users.iter().enumerate() {
            let (message, was_clipped) = part.message((losses, i), knowledge, t, &models[i]);
            if message.iter().any(|m| !m.is_finite()) {
                return Err(RunError::Diverged { step: t, user: i });
            }
            clipped += u64::from(was_clipped);
            messages.push(message);
        }
        // x_i^(t+1) ← Σ_j W_ij x_j^(t+1/2)
        for (model, (part, _)) in models.iter_mut().zip(&users) {
            *model = part.mix(start.len(), |j| &messages[j]);
        }
        if config.keep_transcript {
            transcript.push(columns(&messages, start.len()));
        }
    }
    Ok(Run {
        transcript,
        models: columns(&models, start.len()),
        clipped,
    })
}

/// One column per user.
fn columns(users: &[Vec<f64>], d: usize) -> DMatrix<f64> {
    DMatrix::from_fn(d, users.len(), |k, i| users[i][k])
}
