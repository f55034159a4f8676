//! The deterministic layer: shipped solvers pass it, every kind of planted bug fails it. Nothing here
//! is random beyond the choice of histories: no test has a false-alarm probability, and each broken
//! variant is caught on every history.

use dp_assay::audit::Output;
use dp_assay::audit::replay::{
    Address, Declared, GcdSolver, GcdTranscript, NoiseLaw, Query, Recorded, Recorder, Replay,
    ReplayReport, Violation,
};
use dp_assay::mechanism::clipping::ball_factor;
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::loss::{Linear, Logistic, Squared};
use dp_assay::problem::neighbours::{LinearPair, Pair};
use dp_assay::problem::{Constants, Dataset, Dense, Problem, Regulariser, scaling};
use dp_assay::solver::gcd::{
    Calibration, Config, LaplaceScales, Rule, SelectionNoise, optimized, reference, sensitivities,
};
use dp_assay::units::{Delta, Epsilon, Neighbouring};

const SOLVERS: [(&str, GcdSolver); 2] =
    [("reference", reference::run), ("optimized", optimized::run)];

fn linear_pair() -> Pair {
    let p = 25;
    let pair = LinearPair {
        records: 50,
        lipschitz: (0..p).map(|k| 0.2 + 0.1 * k as f64).collect(),
        smoothness: (0..p).map(|k| 1.0 + (k % 5) as f64).collect(),
        scores: (0..p).map(|k| 0.04 * ((k % 7) as f64 - 3.0)).collect(),
        rises: (0..p).map(|k| k % 3 != 0).collect(),
    };
    pair.build().expect("scores within reach")
}

fn cancer(clipped: bool, psi: Regulariser) -> Problem {
    let data = scaling::standardised(&Dataset::breast_cancer()).expect("finite");
    match clipped {
        true => Problem::new(data, Squared, psi),
        false => Problem::new(data, Logistic, psi),
    }
    .expect("two classes")
}

/// D′ is the data with record `row` made a copy of another, its target negated.
fn replaced(problem: &Problem, row: usize) -> Pair {
    let other = (row * 7 + 11) % problem.records();
    let mut features = vec![0.0; problem.features()];
    for (j, x) in problem.data().design().row(other) {
        features[j] = x;
    }
    let target = -problem.data().targets()[other];
    Pair::replacing(problem, row, &features, target).expect("as many features")
}

fn config(problem: &Problem, iterations: usize, clipping: Option<Vec<f64>>) -> Config {
    let budget = (
        Epsilon::new(1.0).expect("positive"),
        Delta::new(1e-6).expect("in (0, 1)"),
    );
    let public = problem.constants().clone().stated_public();
    let problem = &problem.clone().with_constants(public).expect("as many");
    Config::calibrated(problem, iterations, clipping, Calibration::Repaired, budget)
        .expect("bounded sensitivities")
}

/// Replays the solver on the pair, against its own claim.
fn replay(pair: &Pair, config: &Config, solver: GcdSolver, trials: u64) -> ReplayReport {
    let declared = sensitivities(&pair.first, config.clipping.as_deref()).expect("bounded");
    let mechanism = GcdTranscript::new(solver, config.clone(), declared);
    Replay::of(&mechanism)
        .seed(11)
        .trials(trials)
        .claimed_scales(&GcdTranscript::scales(&config.noise))
        .run(&pair.first, &pair.second)
}

#[test]
fn the_shipped_solvers_pass_on_the_worst_case_pair_and_use_the_sensitivity_in_full() {
    let pair = linear_pair();
    for (name, solver) in SOLVERS {
        for iterations in [1, 10, 100] {
            let report = replay(&pair, &config(&pair.first, iterations, None), solver, 2);
            assert!(report.passed(), "{name}: {report}");
            // Two trials, two directions, two queries a step.
            assert_eq!(report.measured(), 8 * iterations as u64);
            // The pair attains 2L/n in every coordinate. Measured distances are rounded down and
            // sums of 50 terms round: 1e-12 is above 2(p + 3)u + 60u.
            assert!((report.tightest() - 1.0).abs() < 1e-12, "{report}");
        }
    }
}

#[test]
fn the_shipped_solvers_pass_on_breast_cancer_with_a_record_replaced() {
    let logistic = cancer(false, Regulariser::None);
    let squared = cancer(true, Regulariser::L1(0.01))
        .with_ridge(0.01)
        .expect("sound");
    let thresholds = squared
        .constants()
        .clipping_thresholds(3.0)
        .expect("positive");
    let cases = [(logistic, None), (squared, Some(thresholds))];
    for (problem, clipping) in cases {
        let mut config = config(&problem, 10, clipping);
        for (row, rule) in (0..problem.records())
            .step_by(113)
            .zip([Rule::GsS, Rule::GsR].repeat(9))
        {
            let (_, solver) = SOLVERS[row % 2];
            config.rule = rule;
            let pair = constants_cover(replaced(&problem, row));
            let report = replay(&pair, &config, solver, 1);
            assert!(report.passed(), "record {row}: {report}");
            assert!(report.tightest() > 0.0);
        }
    }
}

/// The features come from the data, so that L_k of the data bounds both sides' records.
fn constants_cover(pair: Pair) -> Pair {
    for (k, bound) in pair.first.constants().lipschitz().iter().enumerate() {
        assert!(
            pair.second.data().design().column(k).max_abs() * pair.first.loss().slope() <= *bound
        );
    }
    pair
}

#[test]
fn a_sensitivity_without_the_factor_two_is_refuted() {
    let pair = linear_pair();
    let config = config(&pair.first, 3, None);
    let halved = sensitivities(&pair.first, None).expect("bounded");
    let halved = halved.iter().map(|s| 0.5 * s).collect();
    let report = Replay::of(&GcdTranscript::new(optimized::run, config, halved))
        .run(&pair.first, &pair.second);
    assert!(
        matches!(
            report.violations[0],
            Violation::Sensitivity { declared, measured, .. } if (measured / declared - 2.0).abs() < 1e-12
        ),
        "{report}"
    );
}

#[test]
fn a_solver_that_does_not_clip_is_refuted() {
    let problem = cancer(true, Regulariser::None);
    let thresholds = problem
        .constants()
        .clipping_thresholds(0.1)
        .expect("positive");
    let declared = sensitivities(&problem, Some(&thresholds)).expect("bounded");
    let unclipped = Config {
        clipping: None,
        ..config(&problem, 3, Some(thresholds))
    };
    let mechanism = GcdTranscript::new(reference::run, unclipped, declared);
    let pair = replaced(&problem, 0);
    let report = Replay::of(&mechanism).run(&pair.first, &pair.second);
    let found = |v: &Violation| {
        matches!(
            v,
            Violation::Sensitivity {
                label: "selection",
                ..
            }
        )
    };
    assert!(report.violations.iter().any(found), "{report}");
}

#[test]
fn a_solver_with_less_noise_than_its_claim_is_refuted() {
    let pair = linear_pair();
    let config = config(&pair.first, 3, None);
    let quieter = |scales: &[f64]| scales.iter().map(|s| 0.5 * s).collect();
    let noise = LaplaceScales::new(
        quieter(config.noise.selection()),
        quieter(config.noise.release()),
    );
    let quiet = Config {
        noise: noise.expect("non-negative"),
        ..config.clone()
    };
    let declared = sensitivities(&pair.first, None).expect("bounded");
    let mechanism = GcdTranscript::new(optimized::run, quiet, declared);
    let claimed = GcdTranscript::scales(&config.noise);
    let report = Replay::of(&mechanism)
        .claimed_scales(&claimed)
        .run(&pair.first, &pair.second);
    assert!(
        matches!(
            report.violations[0],
            Violation::Scale { claimed, found, .. } if found == 0.5 * claimed
        ),
        "{report}"
    );
}

/// The reference with the noise of its last release taken off.
fn forgetful(
    problem: &Problem,
    config: &Config,
    tape: Tape,
) -> Result<dp_assay::solver::gcd::Run, dp_assay::solver::gcd::RunError> {
    let mut run = reference::run(problem, config, tape)?;
    let last = run.transcript.last_mut().expect("T >= 1");
    let word = tape.uniform(
        config.iterations as u64 - 1,
        Purpose::Release,
        last.coordinate as u64,
    );
    last.value -= config.noise.release()[last.coordinate] * word.laplace();
    Ok(run)
}

#[test]
fn a_solver_that_leaves_the_noise_out_of_its_last_release_is_refuted() {
    let pair = linear_pair();
    let report = replay(&pair, &config(&pair.first, 3, None), forgetful, 1);
    let found = |v: &Violation| {
        matches!(
            v,
            Violation::Mismatch {
                at: 8,
                label: "release",
                ..
            }
        )
    };
    assert!(report.violations.iter().any(found), "{report}");
}

#[test]
fn a_selection_without_noise_is_not_followed() {
    let pair = linear_pair();
    let config = Config {
        selection: SelectionNoise::Absent,
        ..config(&pair.first, 1, None)
    };
    let report = replay(&pair, &config, reference::run, 1);
    assert!(
        matches!(report.violations[0], Violation::Malformed { .. }),
        "{report}"
    );
    assert!(!report.passed());
}

/// What is wrong with [`Descent`].
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bug {
    ClipsTheAverage,
    DoesNotClip,
    HalvesTheSensitivity,
    DividesByTheDataDependentCount,
    ScalesNoiseByTheData,
    ReusesNoise,
    ReleasesTheLoss,
    HidesAReleaseInItsOutput,
    StopsWhenTheLossIsSmall,
    SkipsAStepSilently,
    DeclaresTheWrongNorm,
    LooksAtTheDataWhenChoosing,
    LetsNanThrough,
}

/// A user's own mechanism: clipped gradient descent on the mean of squared distances to vectors,
/// with Gaussian noise, and a noisy choice of one coordinate at the end.
struct Descent(Option<Bug>);

const CLIP: f64 = 1.0;
const STEPS: u64 = 4;

type Records = Vec<[f64; 3]>;

impl Descent {
    fn has(&self, bug: Bug) -> bool {
        self.0 == Some(bug)
    }

    fn gradient(&self, input: &Records, w: &[f64; 3]) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for record in input {
            let part: Vec<f64> = w.iter().zip(record).map(|(w, x)| w - x).collect();
            let per_record = !(self.has(Bug::ClipsTheAverage) || self.has(Bug::DoesNotClip));
            let nan_passes = part.iter().any(|v| v.is_nan());
            let factor = match per_record && !nan_passes {
                true => ball_factor(&part, CLIP),
                false => 1.0,
            };
            for (sum, part) in sum.iter_mut().zip(&part) {
                *sum += factor * part;
            }
        }
        let n = match self.has(Bug::DividesByTheDataDependentCount) {
            true => input.iter().filter(|x| x[0] > -10.0).count() as f64,
            false => input.len() as f64,
        };
        let mean = sum.map(|s| s / n);
        let factor = match self.has(Bug::ClipsTheAverage) {
            true => ball_factor(&mean, CLIP),
            false => 1.0,
        };
        mean.map(|m| factor * m)
    }

    fn query<'a>(
        &self,
        step: u64,
        gradient: &'a [f64; 3],
        scale: &'a [f64; 1],
        n: usize,
    ) -> Query<'a> {
        let sensitivity = match self.has(Bug::HalvesTheSensitivity) {
            true => CLIP / n as f64,
            false => 2.0 * CLIP / n as f64,
        };
        Query {
            label: "gradient",
            values: gradient,
            // n + 10 roundings of a mean of entries of modulus at most CLIP.
            rounding: &[2e-14],
            declared: match self.has(Bug::DeclaresTheWrongNorm) {
                true => Declared::LInf(sensitivity),
                false => Declared::L2(sensitivity),
            },
            law: NoiseLaw::Gaussian,
            scales: scale,
            address: Address {
                step: if self.has(Bug::ReusesNoise) {
                    step / 2
                } else {
                    step
                },
                purpose: Purpose::User,
                first: 0,
            },
        }
    }
}

fn loss(input: &Records, w: &[f64; 3]) -> f64 {
    let square = |x: &[f64; 3]| x.iter().zip(w).map(|(x, w)| (x - w) * (x - w)).sum::<f64>();
    input.iter().map(square).sum::<f64>() / input.len() as f64
}

impl Recorded for Descent {
    type Input = Records;

    fn name(&self) -> String {
        format!("descent with {:?}", self.0)
    }

    fn run(&self, input: &Records, recorder: &mut Recorder<'_>) -> Output {
        let mut w = [0.0; 3];
        for step in 0..STEPS {
            if self.has(Bug::StopsWhenTheLossIsSmall) {
                let stop = loss(input, &w) < 1.0;
                recorder.branch("stop", stop);
                if stop {
                    break;
                }
            }
            if self.has(Bug::SkipsAStepSilently) && step == 2 && input[0][0] > 0.0 {
                continue;
            }
            let gradient = self.gradient(input, &w);
            let scale = match self.has(Bug::ScalesNoiseByTheData) {
                true => [0.5 + loss(input, &w)],
                false => [0.5],
            };
            let noisy = recorder.noised(self.query(step, &gradient, &scale, input.len()));
            for (w, v) in w.iter_mut().zip(noisy) {
                *w -= 0.5 * v;
            }
            if self.has(Bug::ReleasesTheLoss) {
                recorder.released("loss", loss(input, &w));
            }
        }
        let totals = self.gradient(input, &[0.0; 3]);
        let choice = recorder.selected(
            Query {
                label: "choice",
                declared: Declared::LInf(2.0 * CLIP / input.len() as f64),
                address: Address {
                    step: 100,
                    purpose: Purpose::User,
                    first: 0,
                },
                ..Descent(None).query(0, &totals, &[0.5], input.len())
            },
            |noisy| match self.has(Bug::LooksAtTheDataWhenChoosing) {
                true => usize::from(input[0][0] > 0.0),
                false => usize::from(noisy[1] > noisy[0]),
            },
        );
        let mut output = w.to_vec();
        output.push(choice as f64);
        if self.has(Bug::HidesAReleaseInItsOutput) {
            output.push(loss(input, &w));
        }
        Output::Vector(output)
    }
}

/// Neighbours whose first records pull with full force in opposite directions, the second one with
/// all others.
fn records() -> (Records, Records) {
    let mut first = vec![[-0.3, -0.1, 0.2]; 8];
    let mut second = first.clone();
    first[0] = [60.0, 0.0, 0.0];
    second[0] = [-60.0, 0.0, 0.0];
    (first, second)
}

#[test]
fn a_correct_mechanism_of_a_user_passes() {
    let (first, second) = records();
    let report = Replay::of(&Descent(None)).trials(20).run(&first, &second);
    assert!(report.passed(), "{report}");
    assert!(
        report.tightest() > 0.999,
        "the pair pulls with full force: {report}"
    );
}

fn caught(bug: Bug) -> Vec<ReplayReport> {
    let (first, mut second) = records();
    if bug == Bug::LetsNanThrough {
        second[0][1] = f64::NAN;
    }
    let run = |seed| {
        Replay::of(&Descent(Some(bug)))
            .seed(seed)
            .run(&first, &second)
    };
    (0..20).map(run).collect()
}

fn caught_as(bug: Bug, expected: fn(&Violation) -> bool) {
    for report in caught(bug) {
        assert!(report.violations.iter().any(expected), "{report}");
    }
}

#[test]
fn wrong_clipping_or_sensitivity_is_caught_by_the_distance() {
    let distance = |v: &Violation| {
        matches!(
            v,
            Violation::Sensitivity {
                label: "gradient",
                ..
            }
        )
    };
    caught_as(Bug::ClipsTheAverage, distance);
    caught_as(Bug::DoesNotClip, distance);
    caught_as(Bug::HalvesTheSensitivity, distance);
    caught_as(Bug::DividesByTheDataDependentCount, distance);
    caught_as(Bug::LetsNanThrough, distance);
    let rule = |v: &Violation| {
        matches!(
            v,
            Violation::Malformed {
                label: "gradient",
                ..
            }
        )
    };
    caught_as(Bug::DeclaresTheWrongNorm, rule);
    caught_as(Bug::LetsNanThrough, rule);
}

#[test]
fn noise_that_is_reused_or_depends_on_the_data_is_caught() {
    caught_as(Bug::ReusesNoise, |v| {
        matches!(
            v,
            Violation::Reused {
                label: "gradient",
                before: "gradient",
                ..
            }
        )
    });
    caught_as(Bug::ScalesNoiseByTheData, |v| {
        matches!(v, Violation::Parameter { what: "noise", .. })
    });
}

#[test]
fn what_leaves_the_run_without_noise_is_caught() {
    caught_as(Bug::ReleasesTheLoss, |v| {
        matches!(v, Violation::Unnoised { label: "loss", .. })
    });
    caught_as(Bug::HidesAReleaseInItsOutput, |v| {
        matches!(
            v,
            Violation::Unnoised {
                label: "output",
                ..
            }
        )
    });
    caught_as(Bug::LooksAtTheDataWhenChoosing, |v| {
        matches!(
            v,
            Violation::Unnoised {
                label: "choice",
                ..
            }
        )
    });
}

#[test]
fn control_flow_that_depends_on_the_data_is_caught() {
    let parted = |v: &Violation| matches!(v, Violation::ControlFlow { .. });
    caught_as(Bug::SkipsAStepSilently, parted);
    // Seen where the losses of D and D′ lie on different sides of the threshold.
    let near = vec![[0.1, 0.0, 0.0]; 8];
    let mut far = near.clone();
    far[0] = [50.0, 0.0, 0.0];
    let report = Replay::of(&Descent(Some(Bug::StopsWhenTheLossIsSmall))).run(&near, &far);
    assert!(report.violations.iter().any(parted), "{report}");
}

/// Linear loss: the first record is −1 or 1 in every entry, all others come in pairs that cancel.
fn cancelling(first: f64) -> Problem {
    let mut words = Tape::new(5).stream(0, Purpose::Data, 0);
    let mut rows = Vec::new();
    for _ in 0..1000 {
        let row: Vec<f64> = (0..25)
            .map(|_| words.uniform().0 as f64 / 2_f64.powi(63) - 1.0)
            .collect();
        rows.push(row.iter().map(|x| -x).collect());
        rows.push(row);
    }
    // Pairs far apart, so that partial sums are large.
    rows.sort_by(|a: &Vec<f64>, b| a[0].total_cmp(&b[0]));
    rows.insert(0, vec![first; 25]);
    let targets = vec![0.0; rows.len()];
    let design = Dense::from_rows(&rows).expect("a rectangle");
    let data = Dataset::new("cancelling", design, targets).expect("equal lengths");
    let constants = Constants::new(vec![1.0; 25], vec![1.0; 25]).expect("positive");
    let problem = Problem::new(data, Linear, Regulariser::None).expect("a linear loss");
    problem.with_constants(constants).expect("25 of each")
}

#[test]
fn a_sum_that_cancels_is_not_accused_for_its_rounding() {
    // Every partial derivative moves by 2/n, the full sensitivity, in exact arithmetic; the sums, near
    // zero after large partial sums, make more of it here and there.
    let pair = Pair {
        first: cancelling(-1.0),
        second: cancelling(1.0),
        relation: Neighbouring::ReplaceOne,
    };
    let config = config(&pair.first, 3, None);
    for (name, solver) in SOLVERS {
        let report = replay(&pair, &config, solver, 4);
        assert!(report.passed(), "{name}: {report}");
        assert!(
            report.tightest() > 1.0,
            "{name}: nothing to forgive in {report}"
        );
    }
}
