//! DP-GCD's transcript as a recorded mechanism.

use super::{Address, Declared, NoiseLaw, Query, Recorded, Recorder};
use crate::audit::Output;
use crate::float::U;
use crate::mechanism::clipping::clip;
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::{Design, Problem, Regulariser};
use crate::solver::gcd::{
    Config, LaplaceScales, NoisyPartial, Rule, Run, RunError, SelectionNoise,
};

/// A solver of DP-GCD: the reference, the optimized one, or a broken one.
pub type GcdSolver = fn(&Problem, &Config, Tape) -> Result<Run, RunError>;

/// Runs a solver and follows the transcript that it gives.
///
/// While recording, the solver runs on D, and every released pair must be what data and noise make
/// of the iterate it was released at. On D′ the gradients are computed anew along the iterates that
/// the transcript implies, so that distances are measured at the very points of the solver's run.
/// Queries are labelled `selection` (all coordinates) and `release` (the chosen one), both in units
/// of the partial derivative. Rules GS-s and GS-r with noisy selection; for others no bound on the
/// rounding is derived and the recorder complains. Two scores closer than rounding may be told apart
/// differently by solver and recorder, which is then reported as a mismatch: with noise of the scale of
/// the scores this has a probability of about p·10⁻¹⁴ per step.
///
/// ```
/// use dp_assay::audit::replay::{GcdTranscript, Replay};
/// use dp_assay::problem::neighbours::LinearPair;
/// use dp_assay::solver::gcd::{Calibration, Config, reference, sensitivities};
/// use dp_assay::units::{Delta, Epsilon};
///
/// let pair = LinearPair {
///     records: 50,
///     lipschitz: vec![1.0, 0.25, 3.0],
///     smoothness: vec![1.0, 4.0, 0.5],
///     scores: vec![0.8, -0.1, 0.0],
///     rises: vec![true, false, true],
/// };
/// let (pair, budget) = (pair.build()?, (Epsilon::new(1.0)?, Delta::new(1e-6)?));
/// let config = Config::calibrated(&pair.first, 3, None, Calibration::default(), budget)?;
/// let scales = GcdTranscript::scales(&config.noise);
/// let declared = sensitivities(&pair.first, None)?;
/// let transcript = GcdTranscript::new(reference::run, config.clone(), declared);
/// let report = Replay::of(&transcript).claimed_scales(&scales).run(&pair.first, &pair.second);
/// assert!(report.passed(), "{report}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GcdTranscript {
    solver: GcdSolver,
    config: Config,
    declared: Vec<f64>,
}

impl GcdTranscript {
    /// `declared` is Δ_k, how far the claim lets ∂_k f move.
    #[must_use]
    pub const fn new(solver: GcdSolver, config: Config, declared: Vec<f64>) -> Self {
        Self {
            solver,
            config,
            declared,
        }
    }

    /// The scales of a claim, for [`super::Replay::claimed_scales`].
    pub fn scales(noise: &LaplaceScales) -> impl Fn(&str, u64) -> Option<f64> {
        move |label, coordinate| {
            let scales = match label {
                "selection" => noise.selection(),
                "release" => noise.release(),
                _ => return None,
            };
            let coordinate = usize::try_from(coordinate).ok()?;
            scales.get(coordinate).copied()
        }
    }

    /// Why this configuration is not followed, if it is not.
    fn refusal(&self, problem: &Problem) -> Option<&'static str> {
        if self.config.check(problem).is_err() {
            return Some("the configuration does not fit the problem");
        }
        if self.declared.len() != problem.features() {
            return Some("needs one declared sensitivity for each coordinate");
        }
        match (self.config.selection, self.config.rule) {
            (SelectionNoise::Absent, _) => Some("the selection has no noise"),
            (_, Rule::GsQ(_)) => Some("no bound on the rounding of GS-q is derived"),
            _ => None,
        }
    }
}

impl Recorded for GcdTranscript {
    type Input = Problem;

    fn name(&self) -> String {
        "DP-GCD".into()
    }

    fn run(&self, problem: &Problem, recorder: &mut Recorder<'_>) -> Output {
        if let Some(reason) = self.refusal(problem) {
            recorder.complain("DP-GCD", reason);
            return Output::Nothing;
        }
        let run = recorder
            .tape()
            .map(|tape| (self.solver)(problem, &self.config, tape));
        let Ok(run) = run.transpose() else {
            recorder.complain("DP-GCD", "the solver stopped with an error");
            return Output::Nothing;
        };
        let mut walk = Walk::new(problem, self);
        for step in 0..self.config.iterations {
            let given = run.as_ref().map(|run| run.transcript.get(step).copied());
            match given {
                None => walk.step(step as u64, None, recorder),
                Some(Some(release)) => walk.step(step as u64, Some(release), recorder),
                Some(None) => recorder.complain("transcript", "is shorter than T"),
            }
        }
        if let Some(run) = run {
            walk.compare_end(&run, recorder);
        }
        Output::Vector(walk.w)
    }
}

/// A transcript being followed.
struct Walk<'a> {
    problem: &'a Problem,
    spec: &'a GcdTranscript,
    w: Vec<f64>,
    /// S_i, the largest |ℓ′| of each record so far.
    slopes: Vec<f64>,
    /// U_i, how far the margin of each record has travelled.
    travel: Vec<f64>,
    steps: usize,
}

impl<'a> Walk<'a> {
    fn new(problem: &'a Problem, spec: &'a GcdTranscript) -> Self {
        let w = spec.config.start.clone();
        let mut travel = vec![0.0; problem.records()];
        for (j, &w) in w.iter().enumerate() {
            add_moduli(problem, j, w, &mut travel);
        }
        Self {
            problem,
            spec,
            w,
            slopes: vec![0.0; problem.records()],
            travel,
            steps: 0,
        }
    }

    /// One selection, one release, one step.
    fn step(&mut self, step: u64, given: Option<NoisyPartial>, recorder: &mut Recorder<'_>) {
        let config = &self.spec.config;
        let gradient = self
            .problem
            .clipped_gradient(&self.w, config.clipping.as_deref());
        let rounding = self.rounding();
        let j = self.select(step, &gradient, &rounding, recorder);
        if let Some(release) = given {
            recorder.expect("coordinate", j as f64, release.coordinate as f64, 0.0);
        }
        let Some(&partial) = gradient.get(j) else {
            return;
        };
        let query = Query {
            label: "release",
            values: &[partial],
            rounding: &[rounding[j]],
            declared: Declared::L1(self.spec.declared[j]),
            law: NoiseLaw::Laplace,
            scales: &[config.noise.release()[j]],
            address: Address {
                step,
                purpose: Purpose::Release,
                first: j as u64,
            },
        };
        let answer = match given {
            Some(release) => {
                let allowance = self.solver_rounding(j, release.value);
                recorder.observed(query, &[release.value], allowance)
            }
            None => recorder.noised(query),
        };
        self.advance(j, answer[0]);
    }

    fn select(
        &self,
        step: u64,
        gradient: &[f64],
        rounding: &[f64],
        recorder: &mut Recorder<'_>,
    ) -> usize {
        let (config, psi) = (&self.spec.config, self.problem.regulariser());
        let smoothness = self.problem.constants().smoothness();
        let on_score = config.selection == SelectionNoise::OnScore;
        let quiet = |k: usize| {
            let score = config
                .rule
                .score(psi, gradient[k], self.w[k], smoothness[k]);
            smoothness[k].sqrt() * score
        };
        let (values, rounding): (Vec<f64>, Vec<f64>) = match on_score {
            false => (gradient.to_vec(), rounding.to_vec()),
            true => (0..gradient.len())
                .map(|k| (quiet(k), rounding[k] + self.score_rounding(k, gradient[k])))
                .unzip(),
        };
        let query = Query {
            label: "selection",
            values: &values,
            rounding: &rounding,
            declared: Declared::Each(self.spec.declared.clone()),
            law: NoiseLaw::Laplace,
            scales: config.noise.selection(),
            address: Address {
                step,
                purpose: Purpose::Selection,
                first: 0,
            },
        };
        let score = |k: usize, noisy: f64| match on_score {
            true => noisy / smoothness[k].sqrt(),
            false => config.rule.score(psi, noisy, self.w[k], smoothness[k]),
        };
        recorder.largest(query, score)
    }

    /// Line 4 of the algorithm, as the solvers round it.
    fn advance(&mut self, j: usize, value: f64) {
        let step = self.spec.config.steps[j];
        let moved = self
            .problem
            .regulariser()
            .prox(step, self.w[j] - step * value);
        add_moduli(self.problem, j, moved - self.w[j], &mut self.travel);
        self.w[j] = moved;
        self.steps += 1;
    }

    /// Bounds on the rounding of each partial derivative, given the records' slopes; brings S_i up to
    /// date.
    ///
    /// Records common to D and D′ have the same slopes bit by bit, for margins are computed record by
    /// record. What rounds differently is a term (ℓ′ within 4u, product and clipping 1), the sum of n
    /// terms in any order (n − 1 times u Σ|term|), the mean, and the ridge with its sum (3u of both):
    /// (n + 8)u(mean |term| + ridge|w_k|), with 1 % for u².
    fn rounding(&mut self) -> Vec<f64> {
        let margins = self.problem.margins(&self.w);
        let mut slopes = vec![0.0; margins.len()];
        let targets = self.problem.data().targets();
        self.problem
            .loss()
            .derivatives(&margins, targets, &mut slopes);
        for (largest, slope) in self.slopes.iter_mut().zip(&slopes) {
            *largest = largest.max(slope.abs());
        }
        let n = self.problem.records() as f64;
        let thresholds = self.spec.config.clipping.as_deref();
        let bound = |(k, w): (usize, &f64)| {
            let threshold = thresholds.map_or(f64::INFINITY, |c| c[k]);
            let column = self.problem.data().design().column(k).iter();
            let moduli = column.map(|(i, x)| clip((x * slopes[i]).abs(), threshold));
            let mean = moduli.sum::<f64>() / n;
            1.01 * (n + 8.0) * U * (mean + (self.problem.ridge() * w).abs())
        };
        self.w.iter().enumerate().map(bound).collect()
    }

    /// What GS-s and GS-r add to it, in units of the partial derivative: at most eight operations on
    /// |g|, M|w| and the regulariser's slope, doubled.
    fn score_rounding(&self, k: usize, gradient: f64) -> f64 {
        let w = self.w[k].abs();
        let slope = match self.problem.regulariser() {
            Regulariser::L1(nu) => nu,
            Regulariser::L2(nu) => nu * w,
            _ => 0.0,
        };
        let smoothness = self.problem.constants().smoothness()[k];
        16.0 * U * (gradient.abs() + smoothness * w + slope)
    }

    /// Bound on the difference between a released value recomputed here and the solver's, both at the
    /// solver's own iterate.
    ///
    /// The solver may carry margins and gradients along. With m₀ non-zeros at the start, t steps so
    /// far, a entries in a sparse column (0 if dense), β = sup ℓ″ and G = (1/n) Σ_i |x_ik|(S_i + βU_i),
    /// its gradient has at most ta + 9t + 2n + m₀ + 16 roundings of at most uG each (margins moved
    /// step by step: t + m₀ + 3 on U_i; Gram columns: n + 1 and one sum; sparse terms replaced: a at
    /// a time, four each; ℓ′, mean and sums), and three of the ridge's term; here there are no more.
    /// Adding the noise rounds once on either side. 1.1 stands for products of roundings.
    fn solver_rounding(&self, k: usize, value: f64) -> f64 {
        let (n, beta) = (
            self.problem.records() as f64,
            self.problem.loss().curvature(),
        );
        let column = self.problem.data().design().column(k);
        let moduli = |(i, x): (usize, f64)| x.abs() * (self.slopes[i] + beta * self.travel[i]);
        let mean = column.iter().map(moduli).sum::<f64>() / n;
        let replaced = match self.problem.data().design() {
            Design::Dense(_) => 0,
            Design::Sparse(_) => self.steps * column.iter().count(),
        };
        let start = self.spec.config.start.iter().filter(|w| **w != 0.0).count();
        let count = (replaced + 9 * self.steps + start + 16) as f64 + 2.0 * n;
        let ridge = (self.problem.ridge() * self.w[k]).abs();
        2.0 * 1.1 * U * (count * mean + 3.0 * ridge + value.abs())
    }

    /// The final iterate and the number of variates drawn.
    fn compare_end(&self, run: &Run, recorder: &mut Recorder<'_>) {
        let (p, length) = (self.w.len(), run.iterate.len());
        recorder.expect("length of the iterate", p as f64, length as f64, 0.0);
        for (&expected, &found) in self.w.iter().zip(&run.iterate) {
            recorder.expect("iterate", expected, found, 0.0);
        }
        let (steps, taken) = (self.spec.config.iterations, run.transcript.len());
        recorder.expect("length of the transcript", steps as f64, taken as f64, 0.0);
        let draws = steps * (p + 1);
        recorder.expect(
            "variates drawn",
            draws as f64,
            run.counters.draws as f64,
            0.0,
        );
    }
}

fn add_moduli(problem: &Problem, j: usize, factor: f64, sums: &mut [f64]) {
    if factor != 0.0 {
        for (i, x) in problem.data().design().column(j).iter() {
            sums[i] += (factor * x).abs();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::four_points;
    use crate::solver::gcd::reference;

    /// A margin travels every step's way and not only to where it ends; and a coordinate that is large beside all gradients is
    /// known up to the rounding of the ridge's product with it.
    #[test]
    fn allowances_grow_with_all_that_was_walked_and_with_the_ridge() {
        let problem = four_points().with_ridge(1e9).expect("finite");
        let noise = LaplaceScales::new(vec![1.0; 2], vec![1.0; 2]).expect("positive");
        let mut config = Config::new(&problem, 4, noise);
        config.steps = vec![0.5; 2];
        let spec = GcdTranscript::new(reference::run, config, vec![1.0; 2]);
        let mut walk = Walk::new(&problem, &spec);
        // From 0 to 2, to −1, to 3: nine in all.
        for value in [-4.0, 6.0, -8.0] {
            walk.advance(0, value);
        }
        assert_eq!(walk.w, [3.0, 0.0]);
        for (i, x) in problem.data().design().column(0).iter() {
            assert!(
                (walk.travel[i] - 9.0 * x.abs()).abs() < 1e-12,
                "{:?}",
                walk.travel
            );
        }
        let rounding = walk.rounding();
        assert!(rounding[0] >= 3.0 * U * 1e9 * 3.0, "{rounding:?}");
    }
}
