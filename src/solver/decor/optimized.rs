//! Algorithm 1, fast.
//!
//! How it differs from [`super::reference`], and why the result is the same bit for bit:
//! - a pair's noise is expanded once, not at both ends: variates are symmetric and v_ji = −v_ij holds
//!   exactly in floating point; it is added at once, so that what half a million pairs draw is never kept;
//! - clipping, noise, step and gossip go over blocks of coordinates that stay in the cache, and over
//!   blocks in parallel; every coordinate sees the same operations in the same order, as noise is
//!   addressed by coordinate and sums run over neighbours in ascending order;
//! - gradients of different users are taken in parallel, and the noise of different pairs is.

use super::secrets::{self, Secrets};
use super::{Config, LocalLosses, Run, RunError, Sampling};
use crate::mechanism::clipping::ball_factor;
use crate::mechanism::tape::Tape;
use nalgebra::DMatrix;
use rayon::prelude::*;

/// Coordinates of a block: its messages and pairs take 256 kB for 16 users on a ring, half of a second-level cache.
const BLOCK: usize = 1024;

/// Variates of pairs that are drawn before they are added: as many as for 16 users on a ring, twice.
const VARIATES: usize = 32 * BLOCK;

/// Some coordinates of every user: user by user.
type Rows<'a> = Vec<&'a mut [f64]>;

/// Runs T steps from x^(0) = `start` for every user; see [`super::reference::run`].
///
/// ```
/// use dp_assay::accounting::decor::Noise;
/// use dp_assay::problem::{Graph, MixingMatrix, Weights};
/// use dp_assay::solver::decor::{Config, LeastSquares, Sampling, Secrets, StepSizes, optimized};
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
/// let mut steps = 0;
/// let watched = optimized::run_watched(&config, &losses, &secrets, &start, &mut |taken| steps = taken)?;
/// assert_eq!(watched, optimized::run(&config, &losses, &secrets, &start)?);
/// assert_eq!(steps, 3);
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
    run_watched(config, losses, secrets, start, &mut |_| ())
}

/// As [`run`]; `watch` is told after every step how many were taken.
///
/// # Errors
/// As [`run`].
pub fn run_watched(
    config: &Config,
    losses: &dyn LocalLosses,
    secrets: &Secrets,
    start: &[f64],
    watch: &mut dyn FnMut(u64),
) -> Result<Run, RunError> {
    //= decor-alg-4
    config.check(losses, secrets, start)?;
    let (n, d) = (config.graph.n(), losses.dimension());
    let pairs = Pairs::of(config, secrets);
    let mut models = DMatrix::from_vec(d, n, start.repeat(n));
    let mut gradients = DMatrix::zeros(d, n);
    let (mut transcript, mut clipped) = (Vec::new(), 0);
    for t in 0..config.steps {
        let factors = clip_factors(config, losses, secrets, t, &models, &mut gradients);
        clipped += factors.iter().filter(|factor| **factor < 1.0).count() as u64;
        let round = Round {
            config,
            secrets,
            pairs: &pairs,
            t,
            gradients: &gradients,
        };
        let mut messages = config.keep_transcript.then(|| DMatrix::zeros(d, n));
        if let Some(user) = round.take(&mut models, messages.as_mut()) {
            return Err(RunError::Diverged { step: t, user });
        }
        transcript.extend(messages);
        watch(t as u64 + 1);
    }
    Ok(Run {
        transcript,
        models,
        clipped,
    })
}

/// Writes every user's g_i, and returns the factors min{1, C/‖∇f‖}.
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
        let factor = ball_factor(g, config.noise.clip());
        g.iter_mut().for_each(|x| *x *= factor);
        losses.regularise(x, g);
        factor
    };
    each.enumerate().map(one).collect()
}

/// The pairs that share a seed, ascending: a user meets its smaller neighbours first, each of both kinds in order.
struct Pairs {
    ends: Vec<(usize, usize)>,
    tapes: Vec<Tape>,
}

impl Pairs {
    fn of(config: &Config, secrets: &Secrets) -> Self {
        let sharing = |(i, j)| Some(((i, j), secrets.pair(i, j)?));
        let (ends, tapes) = config.graph.edges().filter_map(sharing).unzip();
        Self { ends, tapes }
    }
}

/// Everything that one step needs.
struct Round<'a> {
    config: &'a Config,
    secrets: &'a Secrets,
    pairs: &'a Pairs,
    t: usize,
    gradients: &'a DMatrix<f64>,
}

/// What one thread works in.
#[derive(Default)]
struct Scratch {
    /// Standard variates of some pairs, pair by pair.
    correlated: Vec<f64>,
    /// Standard variates of one user.
    own: Vec<f64>,
    /// x^(t+1/2), user by user.
    messages: Vec<f64>,
}

impl Round<'_> {
    /// One step of all models; the least user whose message is not finite, if there is one.
    fn take(
        &self,
        models: &mut DMatrix<f64>,
        messages: Option<&mut DMatrix<f64>>,
    ) -> Option<usize> {
        let models = cut(models);
        let kept = match messages {
            Some(messages) => cut(messages),
            None => models.iter().map(|_| Rows::new()).collect(),
        };
        let blocks = models.into_par_iter().zip(kept).enumerate();
        blocks
            .map_init(Scratch::default, |scratch, (number, (models, kept))| {
                self.block(number * BLOCK, models, kept, scratch)
            })
            .flatten()
            .min()
    }

    /// One step on a block. A message goes to `kept`, if that is not empty.
    fn block(
        &self,
        first: usize,
        mut models: Rows<'_>,
        mut kept: Rows<'_>,
        scratch: &mut Scratch,
    ) -> Option<usize> {
        let length = models[0].len();
        self.messages(first, &models, scratch);
        let messages = || scratch.messages.chunks_exact(length);
        for (kept, message) in kept.iter_mut().zip(messages()) {
            kept.copy_from_slice(message);
        }
        self.gossip(&scratch.messages, &mut models);
        // No early end: then the compiler looks at several entries at once.
        let finite = |message: &[f64]| message.iter().fold(true, |all, m| all & m.is_finite());
        messages().position(|message| !finite(message))
    }

    /// x_i^(t+1/2) on a block.
    fn messages(&self, first: usize, models: &[&mut [f64]], scratch: &mut Scratch) {
        let eta = self.config.step_sizes.at(self.t);
        let length = models[0].len();
        let Scratch {
            correlated,
            own,
            messages,
        } = scratch;
        messages.resize(models.len() * length, 0.0);
        own.resize(length, 0.0);
        for (i, noisy) in messages.chunks_exact_mut(length).enumerate() {
            let gradient = &self.gradients.column(i);
            noisy.copy_from_slice(&gradient.as_slice()[first..first + length]);
        }
        self.add_pairs(first, length, messages, correlated);
        for (i, (noisy, model)) in messages.chunks_exact_mut(length).zip(models).enumerate() {
            secrets::own_noise(self.secrets.own(i), self.t, first).gaussians(own);
            add_scaled(noisy, self.config.noise.cdp(), own);
            for (x, model) in noisy.iter_mut().zip(model.iter()) {
                *x = model - eta * *x;
            }
        }
    }

    /// Adds the noise of every pair at both of its ends: as many pairs at once as stay in the cache.
    fn add_pairs(
        &self,
        first: usize,
        length: usize,
        messages: &mut [f64],
        correlated: &mut Vec<f64>,
    ) {
        let cor = self.config.noise.cor();
        let Pairs { ends, tapes } = self.pairs;
        let together = VARIATES / length;
        for (ends, tapes) in ends.chunks(together).zip(tapes.chunks(together)) {
            correlated.resize(ends.len() * length, 0.0);
            let few = (together / 8).next_multiple_of(16);
            let rows = correlated.par_chunks_mut(few * length);
            tapes.par_chunks(few).zip(rows).for_each(|(tapes, rows)| {
                secrets::pairs_noise(tapes, self.t, first, rows);
            });
            for ((i, j), row) in ends.iter().zip(correlated.chunks_exact(length)) {
                add_scaled(&mut messages[i * length..][..length], cor, row);
                add_scaled(&mut messages[j * length..][..length], -cor, row);
            }
        }
    }

    /// X^(t+1) = X^(t+1/2) W on a block.
    fn gossip(&self, messages: &[f64], models: &mut Rows<'_>) {
        let w = self.config.mixing.matrix();
        for (i, mixed) in models.iter_mut().enumerate() {
            let messages = messages.chunks_exact(mixed.len());
            mixed.fill(0.0);
            for (j, message) in messages.enumerate() {
                let weight = w[(i, j)];
                if weight != 0.0 {
                    add_scaled(mixed, weight, message);
                }
            }
        }
    }
}

/// x + a·y.
fn add_scaled(x: &mut [f64], a: f64, y: &[f64]) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x += a * y);
}

/// The blocks of a matrix with one column per user.
fn cut(matrix: &mut DMatrix<f64>) -> Vec<Rows<'_>> {
    let (d, n) = matrix.shape();
    let blocks = (0..d.div_ceil(BLOCK)).map(|_| Rows::with_capacity(n));
    let mut blocks: Vec<Rows<'_>> = blocks.collect();
    for column in matrix.as_mut_slice().chunks_exact_mut(d.max(1)) {
        for (block, part) in blocks.iter_mut().zip(column.chunks_mut(BLOCK)) {
            block.push(part);
        }
    }
    blocks
}
