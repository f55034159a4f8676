//! Bugs seeded into DP-GCD, and what catches them.
//!
//! The deterministic layer follows an algorithm that announces its noisy answers to a recorder. That
//! this algorithm is the solver is tested: same tape, same transcript, bit for bit. Every bug of the
//! list is then a change of it, and must be found by its own kind of violation; the unchanged
//! algorithm must pass. Nothing here is statistical but the last test.

use dp_assay::audit::builtin;
use dp_assay::audit::replay::{
    Address, Declared, GcdTranscript, Live, NoiseLaw, Query, Recorded, Recorder, Replay,
    ReplayReport, Violation,
};
use dp_assay::audit::{Mechanism, Output, Verdict};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::loss::Squared;
use dp_assay::problem::{Dataset, Dense, Problem, Regulariser};
use dp_assay::solver::gcd::{self, Config, PerAccess, SelectionScale};

/// Mistakes that are made.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bug {
    ClipAfterAveraging,
    ClipPerPairOfRecords,
    SensitivityWithoutFactorTwo,
    SensitivityOfAnotherBatch,
    NoNoiseOnOneStep,
    NoiseTimesStepSize,
    NoiseUsedAgain,
    NanPassesTheClip,
    ClipTunedOnTheData,
    StopsWhenConverged,
    SkipsAnEmptyCoordinate,
    ReturnsAnExactValue,
    ScoresByTheData,
    ReleasesWhatNobodyClaims,
}

/// Clipped DP-GCD, announcing what it does.
struct Asking {
    config: Config,
    bug: Option<Bug>,
}

const CLIP: f64 = 1.0;
const RECORDS: usize = 6;
const FEATURES: usize = 3;
const STEPS: usize = 5;
/// Bound on the rounding of a partial derivative: records that both data sets have are clipped to the
/// same bits, so that only the sum of n terms of modulus ≤ C in n − 1 additions, each with an error of
/// u times a partial sum ≤ nC, and the mean round: (n − 1)·u·C + u·C = nuC.
const ROUNDING: f64 = RECORDS as f64 * 0.5 * f64::EPSILON * CLIP;

impl Asking {
    /// Record i's clipped contribution to partial derivative k, summed and divided by n.
    fn gradient(&self, problem: &Problem, w: &[f64], clip: f64) -> Vec<f64> {
        let n = problem.records();
        let margins = problem.margins(w);
        let slope = |i: usize| {
            let target = problem.data().targets()[i];
            problem.loss().derivative(margins[i], target)
        };
        let partial = |k: usize| {
            let column = problem.data().design().column(k);
            let terms: Vec<f64> = column.iter().map(|(i, x)| slope(i) * x).collect();
            match self.bug {
                // A factor of 0 on an infinite term.
                Some(Bug::NanPassesTheClip) => {
                    let factor = |t: f64| (clip / t.abs()).min(1.0);
                    terms.iter().map(|t| t * factor(*t)).sum::<f64>() / n as f64
                }
                Some(Bug::ClipAfterAveraging) => {
                    (terms.iter().sum::<f64>() / n as f64).clamp(-clip, clip)
                }
                Some(Bug::ClipPerPairOfRecords) => {
                    let pairs = terms.chunks(2).map(|c| c.iter().sum::<f64>());
                    pairs.map(|t| t.clamp(-2.0 * clip, 2.0 * clip)).sum::<f64>() / n as f64
                }
                _ => terms.iter().map(|t| t.clamp(-clip, clip)).sum::<f64>() / n as f64,
            }
        };
        (0..w.len()).map(partial).collect()
    }

    /// The partial derivatives' sensitivity 2C/n.
    fn sensitivity(&self) -> f64 {
        let sound = 2.0 * CLIP / RECORDS as f64;
        match self.bug {
            Some(Bug::SensitivityWithoutFactorTwo) => sound / 2.0,
            Some(Bug::SensitivityOfAnotherBatch) => sound / RECORDS as f64,
            _ => sound,
        }
    }
}

impl Asking {
    fn has(&self, bug: Bug) -> bool {
        self.bug == Some(bug)
    }

    /// j of line 3.
    fn select(
        &self,
        problem: &Problem,
        t: u64,
        gradient: &[f64],
        desk: &mut Recorder<'_>,
    ) -> usize {
        let smoothness = problem.constants().smoothness();
        let query = Query {
            label: "selection",
            values: gradient,
            rounding: &[ROUNDING],
            declared: Declared::LInf(self.sensitivity()),
            law: NoiseLaw::Laplace,
            scales: self.config.noise.selection(),
            address: Address {
                step: t,
                purpose: Purpose::Selection,
                first: 0,
            },
        };
        desk.largest(query, |k, z| {
            let m = match self.has(Bug::ScoresByTheData) {
                true => 1.0 + problem.data().targets()[RECORDS - 1].abs(),
                false => smoothness[k],
            };
            self.config.score(Regulariser::None, z, 0.0, 0.0, m)
        })
    }

    /// v of line 4.
    fn release(&self, t: u64, j: usize, partial: f64, clip: f64, desk: &mut Recorder<'_>) -> f64 {
        let scale = self.config.noise.release()[j];
        let again = self.has(Bug::NoiseUsedAgain);
        let noisy = desk.noised(Query {
            label: "release",
            values: &[partial],
            rounding: &[ROUNDING],
            declared: Declared::L1(match self.has(Bug::ClipTunedOnTheData) {
                true => self.sensitivity() * clip,
                false => self.sensitivity(),
            }),
            law: NoiseLaw::Laplace,
            scales: &[match self.bug {
                Some(Bug::NoNoiseOnOneStep) if t == 1 => 0.0,
                Some(Bug::NoiseTimesStepSize) => scale * self.config.steps[j],
                _ => scale,
            }],
            address: Address {
                step: if again { 0 } else { t },
                purpose: Purpose::Release,
                first: if again { 0 } else { j as u64 },
            },
        });
        noisy[0]
    }
}

impl Recorded for Asking {
    type Input = Problem;

    fn name(&self) -> String {
        format!("DP-GCD with {:?}", self.bug)
    }

    fn run(&self, problem: &Problem, desk: &mut Recorder<'_>) -> Output {
        let mut w = self.config.start.clone();
        let mut transcript = Vec::new();
        let clip = match self.has(Bug::ClipTunedOnTheData) {
            true => problem.data().targets()[0].abs(),
            false => CLIP,
        };
        for t in 0..self.config.iterations as u64 {
            let gradient = self.gradient(problem, &w, clip);
            if self.has(Bug::StopsWhenConverged) && gradient.iter().all(|g| g.abs() < 0.2) {
                break;
            }
            if self.has(Bug::SkipsAnEmptyCoordinate) && gradient[0] == 0.0 {
                desk.branch("coordinate 0 is empty", true);
                continue;
            }
            let j = self.select(problem, t, &gradient, desk);
            let value = self.release(t, j, gradient[j], clip, desk);
            w[j] -= self.config.steps[j] * value;
            transcript.extend([j as f64, value]);
        }
        if self.has(Bug::ReturnsAnExactValue) {
            transcript.push(problem.objective(&w));
        }
        if self.has(Bug::ReleasesWhatNobodyClaims) {
            transcript.extend(desk.noised(Query {
                label: "first target",
                values: &problem.data().targets()[..1],
                rounding: &[0.0],
                declared: Declared::L1(CLIP),
                law: NoiseLaw::Laplace,
                scales: &[1.0],
                address: Address {
                    step: 0,
                    purpose: Purpose::User,
                    first: 0,
                },
            }));
        }
        Output::Vector(transcript)
    }
}

/// Squared loss on six records of three features; the last record is the argument.
fn problem(last: [f64; FEATURES], target: f64) -> Problem {
    let mut rows = vec![[0.5, -0.25, 1.0]; RECORDS - 1];
    rows.push(last);
    let mut targets = vec![0.3; RECORDS - 1];
    targets.push(target);
    let design = Dense::from_rows(&rows).expect("a rectangle");
    let data = Dataset::new("bugs", design, targets).expect("equal lengths");
    Problem::new(data, Squared, Regulariser::None).expect("a loss for these targets")
}

fn asking(bug: Option<Bug>) -> Asking {
    let problem = problem([0.0; 3], 0.0);
    let clipping = vec![CLIP; FEATURES];
    let access = PerAccess {
        epsilon: 0.5,
        selection: SelectionScale::NoisyMax,
    };
    let sensitivities = gcd::sensitivities(&problem, Some(&clipping)).expect("clipped");
    let scales = access
        .scales(&sensitivities, &[1.0; FEATURES])
        .expect("finite sensitivities");
    let config = Config {
        steps: vec![0.1; FEATURES],
        clipping: Some(clipping),
        ..Config::new(&problem, STEPS, scales)
    };
    Asking { config, bug }
}

/// Two neighbours whose last records pull every clipped partial derivative to opposite ends.
fn neighbours() -> [Problem; 2] {
    let same_constants = |other: Problem, of: &Problem| {
        other
            .with_constants(of.constants().clone())
            .expect("constants of the same length")
    };
    let first = problem([9.0, 9.0, -9.0], -50.0);
    let second = same_constants(problem([9.0, 9.0, -9.0], 50.0), &first);
    [first, second]
}

fn replay(bug: Option<Bug>, [first, second]: &[Problem; 2]) -> ReplayReport {
    let needed = asking(None).config.noise;
    Replay::of(&asking(bug))
        .trials(8)
        .claimed_scales(&GcdTranscript::scales(&needed))
        .run(first, second)
}

#[test]
fn the_algorithm_is_the_solver() {
    let asking = asking(None);
    for problem in neighbours() {
        for trial in 0..50 {
            let tape = Tape::new(3).trial(trial);
            let run = gcd::reference::run(&problem, &asking.config, tape).expect("a short run");
            let steps = run.transcript.iter();
            let expected = steps.flat_map(|r| [r.coordinate as f64, r.value]).collect();
            let asked = Live(self::asking(None)).draw(&problem, tape);
            assert_eq!(asked, Ok(Output::Vector(expected)));
        }
    }
}

#[test]
fn the_algorithm_without_bugs_passes_and_its_sensitivity_is_reached() {
    let report = replay(None, &neighbours());
    assert!(report.passed(), "{report}");
    for label in ["selection", "release"] {
        let extent = report.extents[label];
        assert!(extent.measured > 0, "{label} was never asked");
        // Both values round by nuC, and the distance by a few u: relative to 2C/n, n(n + 4)u.
        assert!((extent.largest - 1.0).abs() < 1e-14, "{label}: {extent:?}");
    }
}

/// Whether a violation is of the kind that the bug must lead to.
fn fits(bug: Bug, violation: &Violation) -> bool {
    match bug {
        Bug::ClipAfterAveraging
        | Bug::ClipPerPairOfRecords
        | Bug::SensitivityWithoutFactorTwo
        | Bug::SensitivityOfAnotherBatch
        | Bug::NanPassesTheClip => matches!(violation, Violation::Sensitivity { .. }),
        Bug::NoNoiseOnOneStep | Bug::NoiseTimesStepSize => {
            matches!(violation, Violation::Scale { .. })
        }
        Bug::NoiseUsedAgain => matches!(violation, Violation::Reused { .. }),
        Bug::ClipTunedOnTheData => matches!(violation, Violation::Parameter { .. }),
        Bug::StopsWhenConverged | Bug::SkipsAnEmptyCoordinate => {
            matches!(violation, Violation::ControlFlow { .. })
        }
        Bug::ReturnsAnExactValue => {
            matches!(
                violation,
                Violation::Unnoised {
                    label: "output",
                    ..
                }
            )
        }
        Bug::ScoresByTheData => {
            matches!(
                violation,
                Violation::Unnoised {
                    label: "selection",
                    ..
                }
            )
        }
        Bug::ReleasesWhatNobodyClaims => {
            let unclaimed = "first target";
            matches!(violation, Violation::Unclaimed { label, .. } if *label == unclaimed)
        }
    }
}

/// The pair on which a bug shows: the worst one, unless the bug needs another.
fn pair_for(bug: Bug) -> [Problem; 2] {
    let [first, second] = neighbours();
    let with = |last, target| {
        problem(last, target)
            .with_constants(first.constants().clone())
            .expect("constants of the same length")
    };
    match bug {
        Bug::NanPassesTheClip => [first.clone(), with([1e150, 1e150, -1e150], 1e160)],
        // One record of the pair that is clipped together pulls far, its partner cannot hold it.
        Bug::ClipPerPairOfRecords => [with([9.0, 9.0, -9.0], -50.0), with([0.0; 3], 0.0)],
        Bug::StopsWhenConverged => [with([0.5, -0.25, 1.0], 0.3), second],
        Bug::ClipTunedOnTheData => {
            let tuned = problem_with_first_target(4.0, first.constants().clone());
            [first, tuned]
        }
        Bug::SkipsAnEmptyCoordinate => {
            // Five equal records against a last one that cancels their first partial derivative.
            [with([2.5, -0.25, 1.0], -0.3), with([0.0; 3], 0.0)]
        }
        Bug::ScoresByTheData => [first.clone(), with([0.5, -0.25, 1.0], 0.3)],
        _ => [first, second],
    }
}

fn problem_with_first_target(target: f64, constants: dp_assay::problem::Constants) -> Problem {
    let mut rows = vec![[0.5, -0.25, 1.0]; RECORDS - 1];
    rows.push([9.0, 9.0, -9.0]);
    let mut targets = vec![0.3; RECORDS];
    targets[0] = target;
    targets[RECORDS - 1] = -50.0;
    let design = Dense::from_rows(&rows).expect("a rectangle");
    let data = Dataset::new("tuned", design, targets).expect("equal lengths");
    Problem::new(data, Squared, Regulariser::None)
        .and_then(|p| p.with_constants(constants))
        .expect("a loss for these targets")
}

#[test]
fn every_seeded_bug_is_found_by_its_own_kind_of_violation() {
    for bug in [
        Bug::ClipAfterAveraging,
        Bug::ClipPerPairOfRecords,
        Bug::SensitivityWithoutFactorTwo,
        Bug::SensitivityOfAnotherBatch,
        Bug::NoNoiseOnOneStep,
        Bug::NoiseTimesStepSize,
        Bug::NoiseUsedAgain,
        Bug::NanPassesTheClip,
        Bug::ClipTunedOnTheData,
        Bug::StopsWhenConverged,
        Bug::SkipsAnEmptyCoordinate,
        Bug::ReturnsAnExactValue,
        Bug::ScoresByTheData,
        Bug::ReleasesWhatNobodyClaims,
    ] {
        let pair = pair_for(bug);
        let sound = replay(None, &pair);
        assert!(
            sound.passed(),
            "the sound solver, on the pair for {bug:?}: {sound}"
        );
        let broken = replay(Some(bug), &pair);
        let found = broken.violations.iter().any(|v| fits(bug, v));
        assert!(found, "{bug:?}: {broken}");
    }
}

#[test]
fn half_the_noise_is_found_by_sampling_and_all_of_it_is_not_accused() {
    // Error 1e-7 each. True ε of the pair: 0.91 at least with all the noise (claim 1), 1.8 with half.
    for (noise, verdict) in [(0.5, Verdict::Violation), (1.0, Verdict::PassWithPower)] {
        let parameters = [("steps", 1.0), ("noise", noise)].map(|(k, v)| (k.to_owned(), v));
        let solver = builtin::find("gcd", &parameters.into()).expect("a built-in solver");
        let report = solver
            .audit_claim(1.0, 0.0)
            .alpha(1e-7)
            .trials(100_000)
            .run()
            .expect("a complete description");
        assert_eq!(report.verdict, verdict, "{report}");
    }
}

/// What an audit compares must be two inputs: a built-in that took one for both would pass whatever its noise. With the same words
/// some run on the one differs from that on the other: in each, or in each that draws the record.
#[test]
fn the_inputs_of_every_built_in_are_told_apart_by_the_same_words() {
    for name in builtin::names() {
        let specimen = builtin::find(name, &builtin::Parameters::new()).expect("it has defaults");
        let (first, second) = &specimen.pairs[0];
        let differ = |trial: u64| {
            let draw = |input| specimen.draw(input, Tape::new(7).trial(trial));
            draw(first).expect("it runs") != draw(second).expect("it runs")
        };
        assert!((0..300).any(differ), "{name}");
    }
}
