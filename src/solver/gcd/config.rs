//! The inputs of Algorithms 1 and 2, and the greedy rules.

use super::LaplaceScales;
use crate::problem::{Problem, Regulariser};
use crate::solver::config::{ConfigError, FINITE, NONNEGATIVE, POSITIVE, vector};

/// The inputs of a run.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::problem::four_points;
/// use dp_assay::solver::gcd::{Calibration, Config, optimized};
/// use dp_assay::units::{Delta, Epsilon};
///
/// let problem = four_points();
/// let public = problem.constants().clone().stated_public(); // our word that they are
/// let problem = problem.with_constants(public)?;
/// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
/// let config = Config::calibrated(&problem, 5, Some(vec![0.5; 2]), Calibration::default(), budget)?;
/// assert!(config.check(&problem).is_ok() && config.uncovered(&problem).is_none());
/// let longer = Config { start: vec![0.0; 3], ..config }; // the problem has two features
/// assert!(optimized::run(&problem, &longer, Tape::new(1)).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// w⁰, p entries.
    pub start: Vec<f64>,
    /// T ≥ 1.
    pub iterations: usize,
    /// γ_j > 0.
    pub steps: Vec<f64>,
    /// λ_j and λ′_j.
    pub noise: LaplaceScales,
    /// Which score is maximised.
    pub rule: Rule,
    /// Where the selection noise enters the score.
    pub selection: SelectionNoise,
    /// C_j ≥ 0 of the clipped variant: every record's partial derivative is moved into
    /// \[−C_j, C_j\] before averaging (gcd-alg-clip). The ridge is added after clipping.
    pub clipping: Option<Vec<f64>>,
}

/// The greedy rules of Algorithm 2. Without regulariser, GS-s and GS-r are line 3 of Algorithm 1.
///
/// ```
/// use dp_assay::problem::Regulariser;
/// use dp_assay::solver::gcd::{Orientation, Rule};
///
/// // A steeper coordinate scores higher; the printed GS-q has it the other way round.
/// let score = |rule: Rule, z| rule.score(Regulariser::None, z, 0.0, 1.0);
/// assert!(score(Rule::GsS, 2.0) > score(Rule::GsS, 1.0));
/// assert!(score(Rule::GsQ(Orientation::Printed), 2.0) < score(Rule::GsQ(Orientation::Printed), 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// GS-s: the largest smallest subgradient (gcd-rule-gss).
    GsS,
    /// GS-r: the longest proximal step (gcd-rule-gsr).
    GsR,
    /// GS-q: by the decrease of the quadratic model (gcd-rule-gsq).
    GsQ(Orientation),
}

/// Which end of the quadratic model's minima GS-q takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// The smallest minimum, that is the largest decrease: the convention outside privacy.
    LargestDecrease,
    /// The largest minimum, that is the smallest decrease: as printed.
    Printed,
}

/// Where the selection noise χ_k enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectionNoise {
    /// On the partial derivative, inside the score: as printed for Algorithm 1, GS-s and GS-r.
    Inside,
    /// Nowhere: as printed for GS-q. Not private.
    Absent,
    /// On the score, as χ_k/√M_k; GS-q is ranked by √(2·decrease), which, like the other scores, moves
    /// by at most |Δg_k|/√M_k. This is report-noisy-max on scores of known sensitivity.
    OnScore,
}

impl Config {
    /// From w⁰ = 0 (moved into the box, if there is one) with γ_j = 1/M_j, the rule GS-s, no
    /// clipping, and the selection noise where [`Calibration::Corrected`](super::Calibration::Corrected) covers it: inside the score
    /// for Algorithm 1, on the score when there is a regulariser.
    #[must_use]
    pub fn new(problem: &Problem, iterations: usize, noise: LaplaceScales) -> Self {
        let psi = problem.regulariser();
        Self {
            start: vec![psi.prox(1.0, 0.0); problem.features()],
            iterations,
            steps: problem
                .constants()
                .smoothness()
                .iter()
                .map(|m| 1.0 / m)
                .collect(),
            noise,
            rule: Rule::GsS,
            selection: match psi {
                Regulariser::None => SelectionNoise::Inside,
                _ => SelectionNoise::OnScore,
            },
            clipping: None,
        }
    }

    /// Why the selection's privacy does not follow from report-noisy-max on scores of sensitivity
    /// Δ_k/√M_k, if it does not. See [`Calibration::Corrected`](super::Calibration::Corrected).
    #[must_use]
    pub fn uncovered(&self, problem: &Problem) -> Option<&'static str> {
        match (self.selection, self.rule, problem.regulariser()) {
            (SelectionNoise::OnScore, ..) => None,
            (SelectionNoise::Absent, ..) => Some("the selection has no noise"),
            (_, _, psi) if psi.has_plateau() => {
                Some("noise inside a score with a plateau: no shift of it raises the score")
            }
            (_, _, Regulariser::None) | (_, Rule::GsS, _) => None,
            _ => Some("noise inside a score whose slope is not 1/√M_k"),
        }
    }

    /// Checks the configuration against its problem.
    ///
    /// # Errors
    /// Names the first vector, coordinate and value that break a rule.
    pub fn check(&self, problem: &Problem) -> Result<(), ConfigError> {
        if self.iterations == 0 {
            return Err(ConfigError::Iterations);
        }
        let p = problem.features();
        let (selection, release) = (self.noise.selection(), self.noise.release());
        vector("start of coordinate", &self.start, p, FINITE)?;
        vector("step size of coordinate", &self.steps, p, POSITIVE)?;
        vector("selection scale of coordinate", selection, p, NONNEGATIVE)?;
        vector("release scale of coordinate", release, p, NONNEGATIVE)?;
        let mut clipping = self.clipping.iter();
        clipping.try_for_each(|c| vector("clipping threshold of coordinate", c, p, NONNEGATIVE))
    }

    /// The score of a coordinate; the largest wins. `gradient` is g_k, `noise` is χ_k.
    #[must_use]
    pub fn score(
        &self,
        psi: Regulariser,
        gradient: f64,
        noise: f64,
        w: f64,
        smoothness: f64,
    ) -> f64 {
        match self.selection {
            SelectionNoise::Inside => self.rule.score(psi, gradient + noise, w, smoothness),
            SelectionNoise::Absent => self.rule.score(psi, gradient, w, smoothness),
            SelectionNoise::OnScore => {
                let score = self.rule.score(psi, gradient, w, smoothness);
                let root = match self.rule {
                    Rule::GsQ(_) => (2.0 * score.abs()).sqrt().copysign(score),
                    _ => score,
                };
                root + noise / smoothness.sqrt()
            }
        }
    }
}

impl Rule {
    /// The score of a coordinate with (possibly noisy) partial derivative z.
    #[must_use]
    pub fn score(self, psi: Regulariser, z: f64, w: f64, smoothness: f64) -> f64 {
        match self {
            //= gcd-rule-gss
            Self::GsS => psi.score_gss(z, w, smoothness),
            //= gcd-rule-gsr
            Self::GsR => psi.score_gsr(z, w, smoothness),
            //= gcd-rule-gsq
            // The largest decrease is gcd-rule-gsq-repaired; the printed orientation has its own name.
            Self::GsQ(Orientation::LargestDecrease) => psi.model_decrease(z, w, smoothness),
            Self::GsQ(Orientation::Printed) => -psi.model_decrease(z, w, smoothness),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::four_points;

    /// Of a smooth function all rules rank by |g|/√M, to which noise of the selection is added in the same units.
    #[test]
    fn noise_on_a_score_is_in_units_of_root_m() {
        let problem = four_points();
        let noise = LaplaceScales::new(vec![1.0; 2], vec![1.0; 2]).expect("positive");
        let plain = Config::new(&problem, 1, noise);
        for rule in [
            Rule::GsS,
            Rule::GsR,
            Rule::GsQ(Orientation::LargestDecrease),
        ] {
            let config = Config {
                rule,
                selection: SelectionNoise::OnScore,
                ..plain.clone()
            };
            for (gradient, noise, smoothness) in [
                (3.0, 0.0, 4.0),
                (-3.0, 1.0, 4.0),
                (0.5, -2.0, 0.25),
                (0.0, 0.0, 1.0),
            ] {
                let found = config.score(Regulariser::None, gradient, noise, 0.7, smoothness);
                let truth = (gradient.abs() + noise) / smoothness.sqrt();
                assert!(
                    (found - truth).abs() < 1e-12,
                    "{rule:?}: {found} is not {truth}"
                );
            }
        }
    }
}
