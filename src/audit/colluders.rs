//! The worst pair of DECOR as a group of colluders sees it (`decor-drv-2`): other users' gradients are 0,
//! one honest user's is +C on D and −C on D′, in one coordinate.
//!
//! After the group has taken away the noise that it knows, step t shows y^(t) ~ N(±C eᵢ, Σ_H),
//! Σ_H = σ_cdp² I + σ_cor² L(G_H), independently over t. The likelihood ratio is a function of
//! S = Σ_t eᵢᵀΣ_H⁻¹y^(t): ln(p_D/p_D′) = 2C·S, and T steps are a Gaussian mechanism with μ² = 4C²T \[Σ_H⁻¹\]_ii.
//! Group and user are those that make this largest.
//!
//! ```
//! use dp_assay::accounting::decor::{Adversary, Noise};
//! use dp_assay::audit::colluders::{Course, WorstCase};
//! use dp_assay::mechanism::tape::Tape;
//! use dp_assay::problem::Graph;
//! use dp_assay::solver::decor::reference;
//!
//! // Four users on a ring; own noise 1, shared noise 2, gradients of norm 1 at most; one step.
//! let noise = Noise::new(1.0, 2.0, 1.0)?;
//! let setting = (1, Course::Constant);
//! let pair = WorstCase::new(reference::run, Graph::ring(4)?, noise, Adversary::Eavesdropper, setting)?;
//! // Own noise alone would show a shift of 2.
//! assert!(pair.separation() > 0.0 && pair.separation() < 2.0);
//! assert!(pair.log_ratio(&pair.observe(false, Tape::new(1))).is_finite());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::likelihood::LikelihoodRatio;
use super::{DrawError, Output};
use crate::accounting::decor::{Adversary, DecorError, Noise};
use crate::graph::spectrum::for_each_subset;
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::{Graph, MixingError, MixingMatrix, Weights};
use crate::solver::decor::{
    Config, LocalLosses, Run, RunError, Sampling, Secrets, StepSizes, view,
};

/// An implementation of Algorithm 1.
pub type Solver = fn(&Config, &dyn LocalLosses, &Secrets, &[f64]) -> Result<Run, RunError>;

/// How the user's gradient goes on after the first step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// It stays.
    Constant,
    /// It has the other sign at every model but the start. Noise that is used twice then leaves the
    /// difference of two messages.
    Turning,
}

/// Why there is no such pair.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SettingError {
    /// The adversary or the noise.
    #[error(transparent)]
    Account(#[from] DecorError),
    /// The graph's weights.
    #[error(transparent)]
    Weights(#[from] MixingError),
    /// No group's covariance can be inverted.
    #[error("no covariance of any group is positive definite in binary64")]
    Singular,
}

/// A solver on the worst pair for one adversary.
#[derive(Clone, Debug)]
pub struct WorstCase {
    solver: Solver,
    /// The solver's configuration.
    pub config: Config,
    /// I, ascending.
    pub group: Vec<usize>,
    /// i.
    pub user: usize,
    /// \[Σ_H⁻¹\]_ii.
    pub information: f64,
    /// eᵢᵀΣ_H⁻¹, one entry for each honest user.
    weights: Vec<f64>,
    course: Course,
}

impl WorstCase {
    /// T steps of a solver with this noise.
    ///
    /// # Errors
    /// As many colluders as users, or noise whose covariance cannot be inverted.
    pub fn new(
        solver: Solver,
        graph: Graph,
        noise: Noise,
        adversary: Adversary,
        (steps, course): (usize, Course),
    ) -> Result<Self, SettingError> {
        let q = adversary.colluders(graph.n())?;
        let mut worst: Option<Worst> = None;
        for_each_subset(graph.n(), q, &mut |group| {
            let found = Worst::of_group(&graph, &noise, group);
            let best = worst.as_ref().map_or(0.0, |worst| worst.information);
            if let Some(found) = found.filter(|found| exceeds(found.information, best)) {
                worst = Some(found);
            }
        });
        let worst = worst.ok_or(SettingError::Singular)?;
        let config = Config {
            mixing: MixingMatrix::of(&graph, Weights::MetropolisHastings)?,
            graph,
            noise,
            steps,
            step_sizes: StepSizes::Constant(1.0),
            sampling: Sampling::AllExamples,
            keep_transcript: true,
        };
        Ok(Self {
            solver,
            config,
            group: worst.group,
            user: worst.user,
            information: worst.information,
            weights: worst.weights,
            course,
        })
    }

    /// μ of the T steps.
    #[must_use]
    pub fn separation(&self) -> f64 {
        //= decor-drv-2
        2.0 * self.config.noise.clip() * (self.config.steps as f64 * self.information).sqrt()
    }

    /// What the group sees with the seeds of this tape, honest user by honest user and step after step.
    #[must_use]
    pub fn observe(&self, second: bool, tape: Tape) -> Output {
        let losses = Pull {
            users: self.config.graph.n(),
            user: self.user,
            pull: self.config.noise.clip() * if second { -1.0 } else { 1.0 },
            course: self.course,
        };
        let seed = tape.uniform(0, Purpose::User, 0).0;
        let secrets = Secrets::from_seed(&self.config.graph, seed);
        match (self.solver)(&self.config, &losses, &secrets, &[0.0]) {
            Ok(run) => {
                let steps = view::of_group(&self.config, &run, &secrets, &[0.0], &self.group);
                Output::Vector(steps.iter().flat_map(|y| y.iter().copied()).collect())
            }
            Err(_) => Output::Nothing,
        }
    }

    /// ln(p_D/p_D′) of what was seen.
    #[must_use]
    pub fn log_ratio(&self, seen: &Output) -> f64 {
        let Output::Vector(seen) = seen else {
            return f64::NAN;
        };
        let step = |(t, y): (usize, &[f64])| {
            let sum: f64 = y.iter().zip(&self.weights).map(|(y, w)| y * w).sum();
            match self.course == Course::Turning && t > 0 {
                true => -sum,
                false => sum,
            }
        };
        let steps = seen.chunks_exact(self.weights.len()).enumerate();
        2.0 * self.config.noise.clip() * steps.map(step).sum::<f64>()
    }
}

impl LikelihoodRatio for WorstCase {
    fn name(&self) -> String {
        format!("DECOR seen by {} colluders", self.group.len())
    }

    fn draw(&self, on_first: bool, tape: Tape) -> Result<f64, DrawError> {
        Ok(self.log_ratio(&self.observe(!on_first, tape)))
    }
}

/// The user that a group sees best.
struct Worst {
    group: Vec<usize>,
    user: usize,
    information: f64,
    weights: Vec<f64>,
}

impl Worst {
    fn of_group(graph: &Graph, noise: &Noise, group: &[usize]) -> Option<Self> {
        let (honest, names) = graph.induced(|i| !group.contains(&i))?;
        let (own, shared) = (noise.cdp().powi(2), noise.cor().powi(2));
        let mut covariance = honest.laplacian() * shared;
        (0..honest.n()).for_each(|i| covariance[(i, i)] += own);
        let inverse = covariance.cholesky()?.inverse();
        // Of users that are seen alike, the first.
        let (at, information) =
            inverse
                .diagonal()
                .iter()
                .copied()
                .enumerate()
                .fold(
                    (0, 0.0),
                    |best, m| if exceeds(m.1, best.1) { m } else { best },
                );
        Some(Self {
            group: group.to_vec(),
            user: names[at],
            information,
            weights: inverse.column(at).iter().copied().collect(),
        })
    }
}

/// By more than the rounding of an inverse.
fn exceeds(a: f64, b: f64) -> bool {
    a > b * (1.0 + 1e-9)
}

/// Gradients of the pair: one coordinate, one example each.
struct Pull {
    users: usize,
    user: usize,
    pull: f64,
    course: Course,
}

impl LocalLosses for Pull {
    fn users(&self) -> usize {
        self.users
    }

    fn dimension(&self) -> usize {
        1
    }

    fn examples(&self, _: usize) -> usize {
        1
    }

    fn gradient(&self, user: usize, _: usize, x: &[f64], out: &mut [f64]) {
        let turned = self.course == Course::Turning && x[0] != 0.0;
        out[0] = match (user == self.user, turned) {
            (false, _) => 0.0,
            (true, false) => self.pull,
            (true, true) => -self.pull,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use crate::solver::decor::reference;

    #[test]
    fn one_is_more_than_another_beyond_rounding() {
        assert!(exceeds(1.0, 0.0) && exceeds(1.001, 1.0));
        assert!(!exceeds(1.0, 1.0) && !exceeds(1.0 + 1e-12, 1.0) && !exceeds(0.5, 1.0));
    }

    /// Who is seen best by whom, how well, and what the group makes of a run, to the last bit.
    #[test]
    fn worst_pairs_are_what_they_were() {
        let mut found = Vec::new();
        for (graph, colluders, course) in [
            ("ring:5", 1, Course::Constant),
            ("star:5", 2, Course::Turning),
            ("path:4", 0, Course::Turning),
        ] {
            let graph: Graph = graph.parse().expect("a graph");
            let noise = Noise::new(0.5, 2.0, 1.5).expect("valid");
            let adversary = Adversary::Colluding(colluders);
            let pair = WorstCase::new(reference::run, graph, noise, adversary, (3, course))
                .expect("a pair");
            found.extend([pair.user as f64, pair.information, pair.separation()]);
            found.extend(pair.group.iter().map(|user| *user as f64));
            for second in [false, true] {
                let seen = pair.observe(second, Tape::new(3));
                assert_eq!(
                    pair.draw(!second, Tape::new(3)).expect("it runs"),
                    pair.log_ratio(&seen)
                );
                found.push(pair.log_ratio(&seen));
            }
            assert!(pair.log_ratio(&Output::Nothing).is_nan());
        }
        steady::holds(
            &found,
            "1.0 1.2001470511002557 5.69244853992611 0.0 24.49724050354366 -7.906729876163238
                2.0 4.0 10.392304845413264 0.0 1.0 57.172581151505305 -50.827418848494716 0.0
                1.2001470511002557 5.69244853992611 17.45539299794132 -14.948577381765581",
        );
    }
}
