//! Algorithm 1 as printed, with gradients clipped as in eq. (2).

use super::secrets::{self, Secrets};
use super::{Config, LocalLosses, Run, RunError, Sampling};
use nalgebra::DMatrix;

/// Runs T steps from x^(0) = `start` for every user.
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
    // Line 2 as printed does not type-check; this is decor-alg-1-repaired
    //= decor-alg-1-repaired
    config.check(losses, start)?;
    let (n, d) = (config.graph.n(), losses.dimension());
    // x_i^(0)
    let mut models = DMatrix::from_fn(d, n, |k, _| start[k]);
    let (mut transcript, mut clipped) = (Vec::new(), 0);
    // for t = 0, …, T − 1
    for t in 0..config.steps {
        let mut messages = DMatrix::zeros(d, n);
        // all i ∈ [n] in parallel
        for i in 0..n {
            let x: Vec<f64> = models.column(i).iter().copied().collect();
            let (noisy, was_clipped) = noisy_gradient(config, losses, secrets, t, i, &x);
            clipped += u64::from(was_clipped);
            // x_i^(t+1/2) ← x_i^(t) − η_t g̃_i
            let eta = config.step_sizes.at(t);
            for k in 0..d {
                messages[(k, i)] = x[k] - eta * noisy[k];
            }
            if messages.column(i).iter().any(|m: &f64| !m.is_finite()) {
                return Err(RunError::Diverged { step: t, user: i });
            }
        }
        // x_i^(t+1) ← Σ_j W_ij x_j^(t+1/2)
        let w = config.mixing.matrix();
        models = DMatrix::from_fn(d, n, |k, i| {
            (0..n)
                .filter(|&j| w[(i, j)] != 0.0)
                .fold(0.0, |sum, j| sum + w[(i, j)] * messages[(k, j)])
        });
        if config.keep_transcript {
            transcript.push(messages);
        }
    }
    Ok(Run {
        transcript,
        models,
        clipped,
    })
}

/// g̃_i = Clip(∇ℓ(x_i, ξ_i); C) + Σ_{j∈N_i} v_ij + v̄_i, and whether the gradient was clipped.
fn noisy_gradient(
    config: &Config,
    losses: &dyn LocalLosses,
    secrets: &Secrets,
    t: usize,
    i: usize,
    x: &[f64],
) -> (Vec<f64>, bool) {
    let own = secrets.own(i);
    let mut g = vec![0.0; x.len()];
    // draw ξ_i^(t) from D_i
    match config.sampling {
        Sampling::OneExample => {
            let drawn = secrets::example(own, t, losses.examples(i));
            losses.gradient(i, drawn, x, &mut g);
        }
        Sampling::AllExamples => losses.local_gradient(i, x, &mut g),
    }
    // g_i ← min{1, C/‖g‖} g
    let norm = g.iter().map(|x| x * x).sum::<f64>().sqrt();
    let factor = if norm > config.noise.clip() {
        config.noise.clip() / norm
    } else {
        1.0
    };
    g.iter_mut().for_each(|x| *x *= factor);
    // v_ij ~ N(0, σ_cor² I) from the pair's seed, with v_ji = −v_ij
    for &j in config.graph.neighbours(i) {
        let j = j as usize;
        let Some(tape) = secrets.pair(i, j) else {
            continue;
        };
        let mut z = secrets::pair_noise(tape, t, 0);
        let sigma = if i < j {
            config.noise.cor()
        } else {
            -config.noise.cor()
        };
        g.iter_mut()
            .for_each(|x| *x += sigma * z.uniform().gaussian());
    }
    // v̄_i ~ N(0, σ_cdp² I)
    let mut z = secrets::own_noise(own, t, 0);
    g.iter_mut()
        .for_each(|x| *x += config.noise.cdp() * z.uniform().gaussian());
    (g, factor < 1.0)
}
