//! DP-SkGD's transcript as a recorded mechanism.

use super::{Address, Declared, NoiseLaw, Query, Recorded, Recorder};
use crate::audit::Output;
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::Problem;
use crate::solver::skgd::bound::Follower;
use crate::solver::skgd::{Config, NoisyPartials, Run, RunError, SetValues};

/// A solver of DP-SkGD: the reference, the optimized one, or a broken one.
pub type SkgdSolver = fn(&Problem, &Config, Tape) -> Result<Run, RunError>;

/// Runs a solver and follows the transcript that it gives.
///
/// While recording, the solver runs on D, and every released gradient must be what data and noise make of
/// the iterate it was released at ([`Follower`]). On D′ the gradients are computed anew along the same
/// iterates. Queries are labelled `release`, one per step. Sets must be runs of consecutive coordinates,
/// since a query's noise is; for other sets the recorder complains.
///
/// ```
/// use dp_assay::audit::replay::{Replay, SkgdTranscript};
/// use dp_assay::problem::neighbours::LinearPair;
/// use dp_assay::solver::skgd::{Calibration, Config, Sampling, reference, sensitivities};
/// use dp_assay::units::{Delta, Epsilon};
///
/// let pair = LinearPair {
///     records: 20,
///     lipschitz: vec![1.0, 1.0, 3.0, 3.0],
///     smoothness: vec![1.0; 4],
///     scores: vec![0.0; 4],
///     rises: vec![true, false, true, true],
/// };
/// let (pair, budget) = (pair.build()?, (Epsilon::new(1.0)?, Delta::new(1e-5)?));
/// let sampling = Sampling::full(4)?;
/// let declared = sensitivities(&pair.first, &sampling, None)?;
/// let config = Config::calibrated(&pair.first, (4, 2), sampling, None, Calibration::Tight, budget)?;
/// let transcript = SkgdTranscript::new(reference::run, config, declared);
/// let report = Replay::of(&transcript).run(&pair.first, &pair.second);
/// assert!(report.passed(), "{report}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SkgdTranscript {
    solver: SkgdSolver,
    config: Config,
    declared: SetValues,
}

impl SkgdTranscript {
    /// `declared` is Δ_U, how far the claim lets I_U∇f move.
    #[must_use]
    pub const fn new(solver: SkgdSolver, config: Config, declared: SetValues) -> Self {
        Self {
            solver,
            config,
            declared,
        }
    }

    /// One step: the set that the tape gives, the gradient at the follower's point, the answer.
    fn step(
        &self,
        (problem, follower): (&Problem, &mut Follower<'_>),
        step: usize,
        given: Option<NoisyPartials<'_>>,
        recorder: &mut Recorder<'_>,
    ) {
        let mut set = Vec::new();
        let sampling = &self.config.sampling;
        let index = sampling.draw(recorder.choices(), step as u64, &mut set);
        if let Some(release) = given {
            for (expected, found) in set.iter().zip(release.set) {
                recorder.expect("set", *expected as f64, *found as f64, 0.0);
            }
        }
        if set.windows(2).any(|pair| pair[0] + 1 != pair[1]) {
            recorder.complain("DP-SkGD", "sets must be runs of consecutive coordinates");
        }
        let radius = self.config.radius(&set, index);
        let values = problem.block_gradient(follower.point(), &set, radius);
        let bound = |&j: &usize| follower.gradient(j, set.len());
        let rounding: Vec<f64> = set.iter().map(bound).collect();
        let query = Query {
            label: "release",
            values: &values,
            rounding: &rounding,
            declared: Declared::L2(self.declared.of(&set, index)),
            law: NoiseLaw::Gaussian,
            scales: &[self.config.deviation(&set, index)],
            address: Address {
                step: step as u64,
                purpose: Purpose::Release,
                first: set[0] as u64,
            },
        };
        let answer = match given {
            Some(release) => {
                // The solver errs by the bound, and so does this; each adds the noise once.
                let added = release.values.iter().map(|v| 2.0 * f64::EPSILON * v.abs());
                let errors = rounding.iter().zip(added).map(|(r, a)| 2.0 * r + a);
                recorder.observed(query, release.values, errors.fold(0.0, f64::max))
            }
            None => recorder.noised(query),
        };
        follower.advance(NoisyPartials {
            set: &set,
            values: &answer,
        });
    }
}

impl Recorded for SkgdTranscript {
    type Input = Problem;

    fn name(&self) -> String {
        "DP-SkGD".into()
    }

    fn run(&self, problem: &Problem, recorder: &mut Recorder<'_>) -> Output {
        if self.config.check(problem).is_err() || !self.config.keep_transcript {
            recorder.complain("DP-SkGD", "the configuration does not fit the problem");
            return Output::Nothing;
        }
        let run = recorder
            .tape()
            .map(|tape| (self.solver)(problem, &self.config, tape));
        let Ok(run) = run.transpose() else {
            recorder.complain("DP-SkGD", "the solver stopped with an error");
            return Output::Nothing;
        };
        let mut follower = Follower::new(problem, &self.config);
        let mut releases = run.as_ref().map(|run| run.transcript.steps());
        for step in 0..self.config.length() {
            let given = releases.as_mut().and_then(Iterator::next);
            self.step((problem, &mut follower), step, given, recorder);
        }
        Output::Vector(follower.average().to_vec())
    }
}
