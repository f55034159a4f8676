//! One user's part of Algorithm 1: what it does in a step with what it knows. In a simulation all parts
//! are played by one program ([`super::reference`]), in a network each by its own ([`super::network`]).

use super::secrets::{self, Knowledge};
use super::{Config, LocalLosses, Sampling, StepSizes};
use crate::accounting::decor::Noise;
use crate::mechanism::clipping::ball_factor;

/// What user i needs of the public parameters.
///
/// ```
/// use dp_assay::accounting::decor::Noise;
/// use dp_assay::problem::{Graph, MixingMatrix, Weights};
/// use dp_assay::solver::decor::{Config, LeastSquares, Sampling, Secrets, StepSizes, reference, user::Part};
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
/// let part = Part::of(&config, 0);
/// assert_eq!(part.neighbours, [1, 3]);
/// // What user 0 sends at step 0 is the first column of the transcript.
/// let (message, _) = part.message((&losses, 0), &secrets.of_user(&config.graph, 0), 0, &start);
/// let run = reference::run(&config, &losses, &secrets, &start)?;
/// assert!(message.iter().eq(run.transcript[0].column(0).iter()));
/// assert_eq!(part.mix(2, |_| &start[..]), [0.0; 2]); // an average of equal models
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Part {
    /// i.
    pub user: usize,
    /// N_i, ascending.
    pub neighbours: Vec<usize>,
    /// The j with W_ij ≠ 0 and these weights, ascending.
    pub weights: Vec<(usize, f64)>,
    /// σ_cdp, σ_cor and C.
    pub noise: Noise,
    /// η_t.
    pub step_sizes: StepSizes,
    /// How gradients are drawn.
    pub sampling: Sampling,
}

impl Part {
    /// User i's part.
    #[must_use]
    pub fn of(config: &Config, user: usize) -> Self {
        let w = config.mixing.matrix();
        let weights = (0..config.graph.n()).map(|j| (j, w[(user, j)]));
        let neighbours = config.graph.neighbours(user).iter();
        Self {
            user,
            neighbours: neighbours.map(|&j| j as usize).collect(),
            weights: weights.filter(|(_, w)| *w != 0.0).collect(),
            noise: config.noise,
            step_sizes: config.step_sizes,
            sampling: config.sampling,
        }
    }

    /// x_i^(t+1/2) from x_i^(t), and whether the gradient was clipped; `share` is the user's number
    /// among the losses.
    #[must_use]
    pub fn message(
        &self,
        (losses, share): (&dyn LocalLosses, usize),
        knowledge: &Knowledge,
        t: usize,
        x: &[f64],
    ) -> (Vec<f64>, bool) {
        let mut g = vec![0.0; x.len()];
        // draw ξ_i^(t) from D_i
        match self.sampling {
            Sampling::OneExample => {
                let drawn = secrets::example(knowledge.own, t, losses.examples(share));
                losses.gradient(share, drawn, x, &mut g);
            }
            Sampling::AllExamples => losses.local_gradient(share, x, &mut g),
        }
        // g_i ← min{1, C/‖∇f‖} ∇f + ∇r; as printed r = 0, and f is the whole loss
        //= decor-alg-1-corrected
        let factor = ball_factor(&g, self.noise.clip());
        g.iter_mut().for_each(|x| *x *= factor);
        losses.regularise(x, &mut g);
        // v_ij ~ N(0, σ_cor² I) from the pair's seed, with v_ji = −v_ij
        for (&j, &tape) in self.neighbours.iter().zip(&knowledge.pairs) {
            let mut z = secrets::pair_noise(tape, t, 0);
            let sigma = if self.user < j {
                self.noise.cor()
            } else {
                -self.noise.cor()
            };
            g.iter_mut()
                .for_each(|x| *x += sigma * z.uniform().gaussian());
        }
        // v̄_i ~ N(0, σ_cdp² I)
        let mut z = secrets::own_noise(knowledge.own, t, 0);
        g.iter_mut()
            .for_each(|x| *x += self.noise.cdp() * z.uniform().gaussian());
        // x_i^(t+1/2) ← x_i^(t) − η_t g̃_i
        let eta = self.step_sizes.at(t);
        let message = x.iter().zip(&g).map(|(x, g)| x - eta * g);
        (message.collect(), factor < 1.0)
    }

    /// x_i^(t+1) ← Σ_j W_ij x_j^(t+1/2), d coordinates.
    #[must_use]
    pub fn mix<'a>(&self, d: usize, message: impl Fn(usize) -> &'a [f64]) -> Vec<f64> {
        let mut sum = vec![0.0; d];
        for &(j, weight) in &self.weights {
            for (sum, m) in sum.iter_mut().zip(message(j)) {
                *sum += weight * m;
            }
        }
        sum
    }
}
