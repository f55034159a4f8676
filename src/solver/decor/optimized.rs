//! Algorithm 1, fast.
//!
//! How it differs from [`super::reference`], and why the result is the same bit for bit:
//! - a pair's noise is expanded once, not at both ends: variates are symmetric and v_ji = −v_ij holds
//!   exactly in floating point;
//! - clipping, noise, step and gossip go over blocks of coordinates that stay in the cache, and over
//!   blocks in parallel; every coordinate sees the same operations in the same order, as noise is
//!   addressed by coordinate and sums run over neighbours in ascending order;
//! - gradients of different users are taken in parallel.

use super::secrets::{self, Secrets};
use super::{Config, LocalLosses, Run, RunError, Sampling};
use nalgebra::DMatrix;
use rayon::prelude::*;

/// Coordinates of a block: 32 kB for 16 users.
const BLOCK: usize = 256;

/// Runs T steps from x^(0) = `start` for every user; see [`super::reference::run`].
///
/// # Errors
/// A configuration that does not fit; a message that is not finite.
pub fn run(
    config: &Config,
    losses: &dyn LocalLosses,
    secrets: &Secrets,
    start: &[f64],
) -> Result<Run, RunError> {
    //= decor-alg-4
    config.check(losses, secrets, start)?;
    let (n, d) = (config.graph.n(), losses.dimension());
    let mut models = DMatrix::from_fn(d, n, |k, _| start[k]);
    let mut gradients = DMatrix::zeros(d, n);
    let (mut transcript, mut clipped) = (Vec::new(), 0);
    for t in 0..config.steps {
        let factors = clip_factors(config, losses, secrets, t, &models, &mut gradients);
        clipped += factors.iter().filter(|factor| **factor < 1.0).count() as u64;
        let round = Round {
            config,
            secrets,
            t,
            factors: &factors,
            gradients: &gradients,
            models: &models,
        };
        let blocks: Vec<Block> = (0..d.div_ceil(BLOCK))
            .into_par_iter()
            .map(|b| round.block(b))
            .collect();
        if let Some(user) = blocks.iter().filter_map(|block| block.diverged).min() {
            return Err(RunError::Diverged { step: t, user });
        }
        if config.keep_transcript {
            let mut messages = DMatrix::zeros(d, n);
            scatter(&mut messages, &blocks, |block| &block.messages);
            transcript.push(messages);
        }
        scatter(&mut models, &blocks, |block| &block.models);
    }
    Ok(Run {
        transcript,
        models,
        clipped,
    })
}

/// Writes every user's gradient, unclipped, and returns min{1, C/‖g‖}.
fn clip_factors(
    config: &Config,
    losses: &dyn LocalLosses,
    secrets: &Secrets,
    t: usize,
    models: &DMatrix<f64>,
    gradients: &mut DMatrix<f64>,
) -> Vec<f64> {
    let d = models.nrows().max(1);
    let each = gradients
        .as_mut_slice()
        .par_chunks_mut(d)
        .zip(models.as_slice().par_chunks(d));
    let one = |(i, (g, x)): (usize, (&mut [f64], &[f64]))| {
        match config.sampling {
            Sampling::OneExample => {
                let drawn = secrets::example(secrets.own(i), t, losses.examples(i));
                losses.gradient(i, drawn, x, g);
            }
            Sampling::AllExamples => losses.local_gradient(i, x, g),
        }
        let norm = g.iter().map(|x| x * x).sum::<f64>().sqrt();
        let clip = config.noise.clip();
        if norm > clip { clip / norm } else { 1.0 }
    };
    each.enumerate().map(one).collect()
}

/// Everything that one step needs.
struct Round<'a> {
    config: &'a Config,
    secrets: &'a Secrets,
    t: usize,
    factors: &'a [f64],
    gradients: &'a DMatrix<f64>,
    models: &'a DMatrix<f64>,
}

/// Some coordinates of all users after a step: user by user.
struct Block {
    first: usize,
    length: usize,
    /// Empty unless they are kept.
    messages: Vec<f64>,
    models: Vec<f64>,
    diverged: Option<usize>,
}

impl Round<'_> {
    fn block(&self, number: usize) -> Block {
        let first = number * BLOCK;
        let length = BLOCK.min(self.models.nrows() - first);
        let messages = self.messages(first, length);
        let finite = |user: &[f64]| user.iter().all(|m| m.is_finite());
        let diverged = messages.chunks_exact(length).position(|user| !finite(user));
        let models = self.gossip(&messages, length);
        let kept = self.config.keep_transcript;
        Block {
            first,
            length,
            models,
            messages: if kept { messages } else { Vec::new() },
            diverged,
        }
    }

    /// x_i^(t+1/2) on a block.
    fn messages(&self, first: usize, length: usize) -> Vec<f64> {
        let graph = &self.config.graph;
        let pairs = self.pair_noise(first, length);
        let eta = self.config.step_sizes.at(self.t);
        let mut messages = vec![0.0; graph.n() * length];
        for (i, noisy) in messages.chunks_exact_mut(length).enumerate() {
            let gradient = &self.gradients.column(i);
            for (k, x) in noisy.iter_mut().enumerate() {
                *x = gradient[first + k] * self.factors[i];
            }
            for edge in &pairs.of_user[i] {
                let values = &pairs.values[edge.number * length..][..length];
                if edge.smaller {
                    noisy.iter_mut().zip(values).for_each(|(x, v)| *x += v);
                } else {
                    noisy.iter_mut().zip(values).for_each(|(x, v)| *x -= v);
                }
            }
            let mut z = secrets::own_noise(self.secrets.own(i), self.t, first);
            let sigma = self.config.noise.cdp();
            let model = &self.models.column(i);
            for (k, x) in noisy.iter_mut().enumerate() {
                *x += sigma * z.uniform().gaussian();
                *x = model[first + k] - eta * *x;
            }
        }
        messages
    }

    /// σ_cor·z of every edge on a block, and every user's edges in ascending order of the other end.
    fn pair_noise(&self, first: usize, length: usize) -> Pairs {
        let graph = &self.config.graph;
        let sigma = self.config.noise.cor();
        let mut values = Vec::with_capacity(graph.edge_count() * length);
        let mut of_user = vec![Vec::new(); graph.n()];
        // Edges ascend by their smaller end, so that a user meets its smaller neighbours first.
        for (number, (i, j)) in graph.edges().enumerate() {
            let Some(tape) = self.secrets.pair(i, j) else {
                values.extend(std::iter::repeat_n(0.0, length));
                continue;
            };
            let mut z = secrets::pair_noise(tape, self.t, first);
            values.extend((0..length).map(|_| sigma * z.uniform().gaussian()));
            for (user, smaller) in [(i, true), (j, false)] {
                of_user[user].push(Edge { number, smaller });
            }
        }
        Pairs { values, of_user }
    }

    /// X^(t+1) = X^(t+1/2) W on a block.
    fn gossip(&self, messages: &[f64], length: usize) -> Vec<f64> {
        let w = self.config.mixing.matrix();
        let mut models = vec![0.0; messages.len()];
        for (i, mixed) in models.chunks_exact_mut(length).enumerate() {
            for (j, message) in messages.chunks_exact(length).enumerate() {
                let weight = w[(i, j)];
                if weight != 0.0 {
                    mixed
                        .iter_mut()
                        .zip(message)
                        .for_each(|(x, m)| *x += weight * m);
                }
            }
        }
        models
    }
}

struct Pairs {
    values: Vec<f64>,
    of_user: Vec<Vec<Edge>>,
}

#[derive(Clone)]
struct Edge {
    number: usize,
    /// Whether the user is the end with the smaller number.
    smaller: bool,
}

fn scatter(target: &mut DMatrix<f64>, blocks: &[Block], part: impl Fn(&Block) -> &Vec<f64>) {
    let d = target.nrows();
    for block in blocks {
        for (i, values) in part(block).chunks_exact(block.length).enumerate() {
            let start = i * d + block.first;
            target.as_mut_slice()[start..start + block.length].copy_from_slice(values);
        }
    }
}
