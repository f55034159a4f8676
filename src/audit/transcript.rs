//! DP-GCD on its worst-case pair, with the exact density of every transcript.
//!
//! On [`LinearPair`] (gcd-pair) the gradient does not depend on the iterate, so the T steps of a
//! transcript j₀ v₀ j₁ v₁ … are independent and alike, and
//!
//! ```text
//! ln p_D(transcript)/p_{D′}(transcript) = Σ_t ln(P[j_t | D]/P[j_t | D′]) + (|v_t − g′| − |v_t − g|)/λ
//! ```
//!
//! with g, g′ the partial derivatives in coordinate j_t and λ its release scale. The laws of j are
//! enclosed from both sides (`selection_law`). This gives
//!
//! * a lower bound on the pair's ε at δ = 0 without any sampling ([`TranscriptPair::epsilon_lower`]): the
//!   densities' ratio at transcripts that have positive probability;
//! * two-sided bounds on its privacy profile ([`crate::audit::likelihood`]);
//! * the statistic on which a statistical audit looks for events.
//!
//! ```
//! use dp_assay::audit::transcript::{TranscriptSetting, TranscriptPair};
//! use dp_assay::mechanism::tape::Tape;
//! use dp_assay::solver::gcd::reference;
//! use dp_assay::units::{Delta, Epsilon};
//!
//! let (epsilon, delta) = (Epsilon::new(1.0)?, Delta::new(0.0)?);
//! let setting = TranscriptSetting { records: 100, steps: 1, epsilon, delta, noise: 1.0 };
//! let pair = TranscriptPair::new(reference::run, setting)?;
//! // The budget is ε = 1, and most of it shows.
//! assert!((0.8..=1.0).contains(&pair.epsilon_lower()));
//! assert!(pair.log_ratio_of(&pair.transcript(false, Tape::new(1))).is_finite());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::audit::likelihood::LikelihoodRatio;
use crate::audit::replay::GcdSolver;
use crate::audit::{DrawError, Output};
use crate::mechanism::tape::Tape;
use crate::problem::Problem;
use crate::problem::neighbours::{LinearPair, Pair, PairError};
use crate::solver::gcd::{
    Calibration, CalibrationError, Config, LaplaceScales, NoisyPartial, PerAccess, SelectionScale,
    sensitivities,
};
use crate::units::{Delta, Epsilon};

/// Number of features p.
pub const FEATURES: usize = 20;

/// Cells of the sums that enclose a selection law: as many more as there are steps over which the
/// enclosure's width adds up, within limits.
const CELLS_PER_STEP: usize = 8000;
const FEWEST_CELLS: usize = 20_000;
const MOST_CELLS: usize = 400_000;
/// Scores beyond this many scales have probability e^{−30} < 10⁻¹³ each.
const REACH: f64 = 30.0;
/// Allowance for rounding. In a law, absolutely: 4·10⁵ cells, each a difference of numbers in \[0, 1\]
/// that are right to 4·2⁻⁵³ times a product of 20 such numbers, and a sum of at most 1: below
/// 4·10⁵·10·2⁻⁵³ < 10⁻⁹. In the logarithm of a quotient far less.
const ROUNDING: f64 = 1e-9;

/// Which problem, for how long, with how much noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TranscriptSetting {
    /// n ≥ 2.
    pub records: usize,
    /// T ≥ 1.
    pub steps: usize,
    /// The budget ε for which the noise is calibrated …
    pub epsilon: Epsilon,
    /// … and its δ: 0 for basic composition, else the repaired calibration.
    pub delta: Delta,
    /// A factor > 0 on all noise.
    pub noise: f64,
}

/// Why there is no such pair or noise.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TranscriptPairError {
    /// The pair.
    #[error(transparent)]
    Pair(#[from] PairError),
    /// The noise.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
}

/// A solver of DP-GCD on the pair: heterogeneous L_k and M_k, one coordinate moving against the rest.
#[derive(Clone, Debug)]
pub struct TranscriptPair {
    solver: GcdSolver,
    /// D and D′.
    pub pair: Pair,
    /// The solver's configuration.
    pub config: Config,
    /// By input, then coordinate: bounds on P\[j\].
    selection: [Vec<(f64, f64)>; 2],
    gradients: [Vec<f64>; 2],
}

impl TranscriptPair {
    /// Calibrates the noise and encloses the laws of selection.
    ///
    /// # Errors
    /// When the setting admits no pair or no noise.
    pub fn new(solver: GcdSolver, setting: TranscriptSetting) -> Result<Self, TranscriptPairError> {
        let smoothness: Vec<f64> = (0..FEATURES).map(|k| 1.0 + (k % 4) as f64).collect();
        let root = |k: usize| smoothness[k].sqrt();
        let lipschitz = (0..FEATURES).map(|k| (0.5 + 0.1 * (k % 7) as f64) * root(k));
        let pair = |scores: Vec<f64>| {
            LinearPair {
                records: setting.records,
                lipschitz: lipschitz.clone().collect(),
                smoothness: smoothness.clone(),
                scores,
                rises: (0..FEATURES).map(|k| k > 0).collect(),
            }
            .build()
        };
        // Scales depend on L and M only. Scores are alike and four scales above zero, where that is
        // within reach: then the first coordinate, pulled down while all others are pulled up, wins
        // only by noise from the tail, whose probability moves by nearly the whole e^{ε′}.
        let scales = scales(&pair(vec![0.0; FEATURES])?.first, &setting)?;
        let target = 4.0 * scales.selection()[0] / root(0);
        let others = (setting.records as f64 - 1.0) / setting.records as f64;
        let score = |(k, l): (usize, f64)| target.min(0.95 * others * l / root(k));
        let pair = pair(lipschitz.clone().enumerate().map(score).collect())?;
        let config = Config::new(&pair.first, setting.steps, scales);
        let zero = vec![0.0; FEATURES];
        let gradients = [&pair.first, &pair.second].map(|problem| problem.gradient(&zero));
        let laws = [0, 1].map(|side: usize| {
            let cells = (CELLS_PER_STEP * setting.steps).clamp(FEWEST_CELLS, MOST_CELLS);
            selection_law(
                &gradients[side],
                config.noise.selection(),
                &smoothness,
                cells,
            )
        });
        Ok(Self {
            solver,
            pair,
            config,
            selection: laws,
            gradients,
        })
    }

    /// A lower bound on the pair's ε at δ = 0, certain and rounded down: T times the largest loss of
    /// one step. A step's release adds |g − g′|/λ for every value beyond both, above or below.
    #[must_use]
    pub fn epsilon_lower(&self) -> f64 {
        let one_way = |here: usize, there: usize| {
            let [p, q] = [here, there].map(|side| &self.selection[side]);
            (0..FEATURES)
                .map(|j| (p[j].0 / q[j].1).ln() + self.release_loss(j))
                .fold(f64::NEG_INFINITY, f64::max)
        };
        let step = one_way(0, 1).max(one_way(1, 0)) - ROUNDING;
        self.config.iterations as f64 * step
    }

    /// Bounds on the law of one selection on D (`false`) or D′ (`true`).
    #[must_use]
    pub fn selection(&self, second: bool) -> &[(f64, f64)] {
        &self.selection[usize::from(second)]
    }

    /// How far a computed [`TranscriptPair::log_ratio`] may be from the exact one.
    #[must_use]
    pub fn log_ratio_error(&self) -> f64 {
        let widths = self.selection.each_ref().map(|law| {
            let width = |(lo, hi): &(f64, f64)| (hi / lo).ln();
            law.iter().map(width).fold(0.0, f64::max)
        });
        self.config.iterations as f64 * (0.5 * (widths[0] + widths[1]) + ROUNDING)
    }

    /// ln of the density of a transcript on D over that on D′, with the middles of the laws' bounds.
    #[must_use]
    pub fn log_ratio(&self, transcript: impl Iterator<Item = (usize, f64)>) -> f64 {
        let middle = |side: usize, j: usize| {
            let (lo, hi) = self.selection[side][j];
            (lo * hi).sqrt()
        };
        let step = |(j, value): (usize, f64)| {
            let [g, h] = [0, 1].map(|side: usize| (value - self.gradients[side][j]).abs());
            (middle(0, j) / middle(1, j)).ln() + (h - g) / self.config.noise.release()[j]
        };
        transcript.map(step).sum()
    }

    /// [`TranscriptPair::log_ratio`] of an output of [`TranscriptPair::transcript`]; NaN for another.
    #[must_use]
    pub fn log_ratio_of(&self, output: &Output) -> f64 {
        match output {
            Output::Vector(numbers) => {
                let pairs = numbers.chunks_exact(2);
                self.log_ratio(pairs.map(|pair| (pair[0] as usize, pair[1])))
            }
            _ => f64::NAN,
        }
    }

    /// All that the solver releases on D (`false`) or D′ (`true`): j₀ v₀ j₁ v₁ ….
    #[must_use]
    pub fn transcript(&self, second: bool, tape: Tape) -> Output {
        match (self.solver)(self.problem(second), &self.config, tape) {
            Ok(run) => {
                let numbers = |r: &NoisyPartial| [r.coordinate as f64, r.value];
                Output::Vector(run.transcript.iter().flat_map(numbers).collect())
            }
            Err(_) => Output::Nothing,
        }
    }

    const fn problem(&self, second: bool) -> &Problem {
        match second {
            false => &self.pair.first,
            true => &self.pair.second,
        }
    }

    fn release_loss(&self, j: usize) -> f64 {
        let [g, h] = self.gradients.each_ref();
        (g[j] - h[j]).abs() / self.config.noise.release()[j]
    }
}

impl LikelihoodRatio for TranscriptPair {
    fn name(&self) -> String {
        "DP-GCD on its worst-case pair".into()
    }

    fn draw(&self, on_first: bool, tape: Tape) -> Result<f64, DrawError> {
        let ratio = self.log_ratio_of(&self.transcript(!on_first, tape));
        if ratio.is_nan() {
            let reason = "the solver gave no transcript".into();
            return Err(DrawError::new(self.name(), tape.number(), reason));
        }
        Ok(ratio)
    }
}

fn scales(
    problem: &Problem,
    setting: &TranscriptSetting,
) -> Result<LaplaceScales, CalibrationError> {
    let (epsilon, delta, steps) = (setting.epsilon, setting.delta, setting.steps);
    let sensitivities = sensitivities(problem, None)?;
    let smoothness = problem.constants().smoothness();
    let sound = if delta.get() == 0.0 {
        let access = PerAccess {
            epsilon: epsilon.get() / (2.0 * steps as f64),
            selection: SelectionScale::NoisyMax,
        };
        access.scales(&sensitivities, smoothness)?
    } else {
        Calibration::default().scales(epsilon, delta, steps, &sensitivities, smoothness)?
    };
    let changed = |scales: &[f64]| scales.iter().map(|b| setting.noise * b).collect();
    LaplaceScales::new(changed(sound.selection()), changed(sound.release()))
}

/// Bounds on the law of argmax_k |g_k + χ_k|/√M_k with χ_k ~ Laplace(λ′_k).
///
/// With F_k the distribution function of score k, P\[j\] = ∫ Π_{l≠j} F_l dF_j. The F_l increase, so on
/// a cell (a, b] the product lies between its values at the ends: summing ΔF_j times either gives
/// bounds, and the scores beyond the last cell add P\[score j > end\] to the upper one.
fn selection_law(
    gradient: &[f64],
    scales: &[f64],
    smoothness: &[f64],
    cells: usize,
) -> Vec<(f64, f64)> {
    let all = 0..gradient.len();
    let end = all
        .clone()
        .map(|k| (gradient[k].abs() + REACH * scales[k]) / smoothness[k].sqrt());
    let end = end.fold(0.0, f64::max);
    // P[|g + χ| ≤ √M x].
    let below = |k: usize, x: f64| {
        let (reach, g, b) = (x * smoothness[k].sqrt(), gradient[k], scales[k]);
        laplace_cdf((reach - g) / b) - laplace_cdf((-reach - g) / b)
    };
    let at = |cell: usize| -> Vec<f64> {
        let x = end * cell as f64 / cells as f64;
        all.clone().map(|k| below(k, x)).collect()
    };
    let mut law = vec![(0.0, 0.0); gradient.len()];
    let (mut low, mut low_rest) = (at(0), vec![0.0; gradient.len()]);
    for cell in 1..=cells {
        let high = at(cell);
        let high_rest = products_without(&high);
        for (j, bounds) in law.iter_mut().enumerate() {
            let mass = high[j] - low[j];
            bounds.0 += mass * low_rest[j];
            bounds.1 += mass * high_rest[j];
        }
        (low, low_rest) = (high, high_rest);
    }
    for (bounds, reached) in law.iter_mut().zip(&low) {
        bounds.0 = (bounds.0 - ROUNDING).max(0.0);
        bounds.1 = (bounds.1 + 1.0 - reached + ROUNDING).min(1.0);
    }
    law
}

/// For each factor, the product of all others.
fn products_without(factors: &[f64]) -> Vec<f64> {
    let mut products = vec![1.0; factors.len()];
    let (mut before, mut after) = (1.0, 1.0);
    for (i, factor) in factors.iter().enumerate() {
        products[i] *= before;
        before *= factor;
    }
    for (i, factor) in factors.iter().enumerate().rev() {
        products[i] *= after;
        after *= factor;
    }
    products
}

fn laplace_cdf(x: f64) -> f64 {
    if x < 0.0 {
        0.5 * x.exp()
    } else {
        1.0 - 0.5 * (-x).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use crate::solver::gcd::reference;

    /// The pair spends most of its budget and no more; the laws of its selections are enclosed closely.
    #[test]
    fn what_is_said_of_the_worst_pair_is_within_its_budget() {
        for steps in [1, 3] {
            let (epsilon, delta) = (Epsilon::new(1.0), Delta::new(0.0));
            let (epsilon, delta) = (epsilon.expect("≥ 0"), delta.expect("≤ 1"));
            let setting = TranscriptSetting {
                records: 100,
                steps,
                epsilon,
                delta,
                noise: 1.0,
            };
            let pair = TranscriptPair::new(reference::run, setting).expect("in range");
            let least = pair.epsilon_lower();
            assert!((0.8..=1.0).contains(&least), "{steps}: {least}");
            for second in [false, true] {
                let law = pair.selection(second);
                let [low, high] = [0, 1].map(|end| -> f64 {
                    law.iter()
                        .map(|(lo, hi)| if end == 0 { *lo } else { *hi })
                        .sum()
                });
                assert_eq!(law.len(), FEATURES);
                assert!(
                    low <= 1.0 && 1.0 <= high && high - low < 1e-2,
                    "{steps}: {low}, {high}"
                );
            }
            // Each selection is known to half of the widest logarithm of its law.
            let widest = |second| {
                let widths = pair.selection(second).iter();
                widths
                    .map(|(lo, hi)| ((hi - lo) / lo).ln_1p())
                    .fold(0.0, f64::max)
            };
            let least = 0.5 * steps as f64 * (widest(false) + widest(true));
            let error = pair.log_ratio_error();
            assert!(
                error >= least && error < 5e-3 * steps as f64,
                "{steps}: {error}, {least}"
            );
        }
    }

    /// Laws, losses and noise of the pair to the last bit, under either calibration.
    #[test]
    fn laws_losses_and_noise_are_what_they_were() {
        let mut found = Vec::new();
        for (steps, delta, noise) in [(1, 0.0, 1.0), (3, 1e-5, 0.5)] {
            let epsilon = Epsilon::new(1.0).expect("≥ 0");
            let delta = Delta::new(delta).expect("≤ 1");
            let setting = TranscriptSetting {
                records: 30,
                steps,
                epsilon,
                delta,
                noise,
            };
            let pair = TranscriptPair::new(reference::run, setting).expect("in range");
            found.extend([pair.epsilon_lower(), pair.log_ratio_error()]);
            for j in [0, 5] {
                let (law, noise) = (
                    [false, true].map(|second| pair.selection(second)[j]),
                    &pair.config.noise,
                );
                found.extend(law.into_iter().flat_map(|(lo, hi)| [lo, hi]));
                found.extend([
                    noise.selection()[j],
                    noise.release()[j],
                    pair.release_loss(j),
                ]);
            }
            found.push(pair.log_ratio([(0, 0.3), (5, -0.2), (7, 4.0)].into_iter()));
            for (second, on) in [(false, true), (true, false)] {
                let loss = pair.log_ratio_of(&pair.transcript(second, Tape::new(1)));
                assert_eq!(pair.draw(on, Tape::new(1)).expect("it runs"), loss);
                found.push(loss);
            }
            assert!(pair.log_ratio_of(&Output::Nothing).is_nan());
        }
        found.extend([-1.5, 0.0, 0.25].map(laplace_cdf));
        found.extend(products_without(&[0.5, 0.25, 3.0]));
        steady::holds(
            &found,
            "0.9308124716634721 0.0022627474938013213 0.010975358406902024
                0.011000125736947114 0.0071175870321439376 0.007133772111528242
                0.2133333333333336 0.06666666666666672 0.4999999999999995 0.08970035765144752
                0.08985442969983395 0.09231399224218241 0.09247372589481864 0.39597979746446704
                0.1885618083164128 0.49999999999999906 0.03001522416218988 -0.5030005396821867
                -0.5030005396821867 0.7959204966176896 0.005353711723707762 0.024040364980364354
                0.024083247388704848 0.021741382650559485 0.021780268331095615
                0.6403445863004696 0.20010768321889666 0.1665769789402348 0.0730098214551285
                0.073109021873658 0.07403871348996245 0.0741395808651795 1.1885789980815358
                0.5659899990864453 0.16657697894023463 -0.045377761818827494
                -0.16255400439247591 -0.16255400439247591 0.11156508007421491 0.5
                0.6105996084642975 0.75 1.5 0.125",
        );
    }
}
