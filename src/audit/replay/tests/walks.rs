//! What replays of the solvers measure and allow for, to the last bit.

use super::*;
use crate::accounting::steady;

/// What the violations of a replay are made of, added up by sort: distances and what is allowed for rounding, numbers due and found
/// and what is allowed there; how many there are, with the queries that were measured; and the tightest of these.
fn added_up<R: Recorded>(transcript: &R, [first, second]: [&R::Input; 2]) -> [f64; 8] {
    let report = Replay::of(transcript).seed(3).run(first, second);
    let mut all = [0.0; 8];
    for violation in &report.violations {
        match violation {
            Violation::Sensitivity {
                measured,
                allowance,
                ..
            } => {
                all[0] += measured;
                all[1] += allowance;
            }
            Violation::Mismatch {
                expected,
                found,
                allowance,
                ..
            } => {
                all[2] += expected;
                all[3] += found;
                all[4] += allowance;
            }
            _ => {}
        }
    }
    all[5] = report.violations.len() as f64;
    all[6] = report.measured() as f64;
    all[7] = report.tightest();
    all
}

/// Of a solver whose releases are all off and of sensitivities that are far too small every query is complained of: their numbers to
/// the last bit, for every sort of problem, selection and noise.
#[test]
fn what_is_measured_of_gcd_and_allowed_is_what_it_was() {
    use crate::problem::neighbours::Pair;
    use crate::problem::{Dataset, Problem, Regulariser, Sparse, four_points};
    use crate::solver::gcd::{
        Config, LaplaceScales, Rule, Run, RunError, SelectionNoise, reference,
    };

    fn off(problem: &Problem, config: &Config, tape: Tape) -> Result<Run, RunError> {
        let mut run = reference::run(problem, config, tape)?;
        run.transcript
            .iter_mut()
            .for_each(|release| release.value += 0.125);
        Ok(run)
    }
    let sparse = || {
        let entries = [
            (0, 0, 1.0),
            (1, 1, -1.0),
            (2, 0, -0.8),
            (2, 1, 0.5),
            (3, 1, 0.9),
        ];
        let design = Sparse::from_entries(4, 2, &entries).expect("finite");
        let data = Dataset::new("four", design, vec![1.0, -1.0, -1.0, 1.0]).expect("a target each");
        let loss = crate::problem::loss::Logistic;
        Problem::new(data, loss, Regulariser::L2(0.3)).expect("labels ±1")
    };
    let with = |regulariser| {
        let problem = four_points();
        let data = problem.data().clone();
        Problem::new(data, crate::problem::loss::Logistic, regulariser).expect("labels ±1")
    };
    let mut found = Vec::new();
    for (problem, selection, rule, clipping) in [
        (
            with(Regulariser::None),
            SelectionNoise::Inside,
            Rule::GsS,
            None,
        ),
        (
            with(Regulariser::L1(0.05)).with_ridge(0.2).expect("finite"),
            SelectionNoise::OnScore,
            Rule::GsR,
            None,
        ),
        (
            with(Regulariser::L2(0.1)),
            SelectionNoise::OnScore,
            Rule::GsS,
            Some(vec![0.3, 0.2]),
        ),
        (
            sparse().with_ridge(0.1).expect("finite"),
            SelectionNoise::OnScore,
            Rule::GsS,
            None,
        ),
    ] {
        let noise = LaplaceScales::new(vec![0.25, 0.5], vec![0.5, 0.125]).expect("positive");
        let mut config = Config::new(&problem, 4, noise);
        (config.selection, config.rule, config.clipping) = (selection, rule, clipping);
        config.start = vec![0.5, 0.0];
        let pair = Pair::replacing(&problem, 1, &[0.7, 0.6], 1.0).expect("it fits");
        let transcript = GcdTranscript::new(off, config, vec![1e-9; 2]);
        found.extend(added_up(&transcript, [&pair.first, &pair.second]));
    }
    steady::holds(
        &found,
        "2.33125127185176 1.3357994927194229e-14 2.479721298835176 11.800529861028288
            3.988868786847577e-14 36.0 16.0 156126632.64948082 2.418976132037435
            6.403224671699489e-14 -2.4679995393994663 1.5697821385739967 5.348071551844758e-14
            36.0 16.0 192199969.0048411 1.374321543746413 2.5397492789908463e-14
            -5.1660841629039815 -0.7003488328515388 5.968194386826012e-14 28.0 16.0
            131690528.71466684 1.434025928808389 4.9672487833277515e-14 0.2834930410276374
            1.4402488801077267 4.8142443420539905e-14 38.0 16.0 136384633.61370882",
    );
}

#[test]
fn what_is_measured_of_skgd_and_allowed_is_what_it_was() {
    use crate::problem::neighbours::Pair;
    use crate::problem::{Problem, four_points};
    use crate::solver::skgd::{
        Calibration, Config, Run, RunError, Sampling, reference, sensitivities,
    };
    use crate::units::{Delta, Epsilon};

    fn off(problem: &Problem, config: &Config, tape: Tape) -> Result<Run, RunError> {
        let problem = problem.clone().with_ridge(1.0).expect("finite");
        reference::run(&problem, config, tape)
    }
    let public = four_points().constants().clone().stated_public();
    let problem = four_points().with_constants(public).expect("as many");
    let mut found = Vec::new();
    for sampling in [Sampling::full(2), Sampling::uniform_singleton(2)] {
        let sampling = sampling.expect("two coordinates");
        let declared = sensitivities(&problem, &sampling, None).expect("bounded");
        let budget = (
            Epsilon::new(1.0).expect("≥ 0"),
            Delta::new(1e-5).expect("≤ 1"),
        );
        let mut config =
            Config::calibrated(&problem, (2, 2), sampling, None, Calibration::Tight, budget)
                .expect("it fits");
        config.start = vec![0.5, -0.25];
        let pair = Pair::replacing(&problem, 1, &[0.7, 0.6], 1.0).expect("it fits");
        let transcript = SkgdTranscript::new(off, config, declared.scaled(1e-9));
        found.extend(added_up(&transcript, [&pair.first, &pair.second]));
    }
    steady::holds(
        &found,
        "0.8354681115039106 1.619984960731137e-12 8.972301601636701 149.7470317664643
            8.291253944476787e-12 22.0 8.0 380788651.23911726 1.5143365924404815
            5.884821870439371e-13 25.566124070915667 -33.29078576769199 6.141143868127685e-13
            16.0 8.0 499999993.06693864",
    );
}

#[test]
fn what_is_measured_of_kl_and_allowed_is_what_it_was() {
    use crate::problem::loss::Logistic;
    use crate::problem::risk::{Margins, Risk};
    use crate::problem::rows::Matrix;
    use crate::solver::kl::bound::RiskConstants;
    use crate::solver::kl::{
        Adaptive, Budget, Observation, Regularised, Run, RunError, Spider, Variant, reference,
    };
    use crate::units::{Neighbouring, Rho};

    fn off(
        risk: &dyn Risk,
        start: &[f64],
        algorithm: &KlAlgorithm,
        budget: &Budget,
        tape: Tape,
        observe: &mut dyn FnMut(Observation<'_>),
    ) -> Result<Run, RunError> {
        let moved = |v: &[f64]| v.iter().map(|x| x + 0.0625).collect::<Vec<f64>>();
        let observe = &mut |release: Observation<'_>| match release {
            Observation::Gradient(v) => observe(Observation::Gradient(&moved(v))),
            Observation::Difference(v) => observe(Observation::Difference(&moved(v))),
            Observation::Norm(x) => observe(Observation::Norm(x + 0.0625)),
            other => observe(other),
        };
        match algorithm {
            KlAlgorithm::Spider(inputs) => {
                reference::spider(risk, start, inputs, budget, tape, observe)
            }
            KlAlgorithm::Adaptive(inputs) => {
                reference::adaptive(risk, start, inputs, budget, false, tape, observe)
            }
            KlAlgorithm::Regularised(inputs) => {
                reference::regularised(risk, start, inputs, budget, tape, observe)
            }
        }
    }
    let risk = |last: f64| -> Box<dyn Risk> {
        let mut rows: Vec<f64> = [0.6, -0.3, 0.2, 0.8, -0.5, 0.1].repeat(40);
        rows.extend([last, 0.5]);
        let targets = (0..121)
            .map(|i| if i % 3 == 0 { 1.0 } else { -1.0 })
            .collect();
        Box::new(Margins::new(
            Matrix::new(2, rows, targets).expect("it fits"),
            Logistic,
        ))
    };
    let spider = Spider {
        beta: 0.1,
        gamma: 4.0,
        kappa: 2.0,
        lipschitz: 1.0,
        smoothness: 0.5,
        loss_bound: 1.0,
    };
    let adaptive = Adaptive {
        beta: 0.1,
        lipschitz: 1.0,
        smoothness: 0.5,
    };
    let regularised = Regularised {
        beta: 0.1,
        lipschitz: 1.0,
        weak_convexity: 0.1,
        length: Some(5),
    };
    let mut found = Vec::new();
    for (algorithm, neighbours, rho, variant) in [
        (
            KlAlgorithm::Spider(spider),
            Neighbouring::ReplaceOne,
            4.0,
            Variant::Repaired,
        ),
        (
            KlAlgorithm::Spider(spider),
            Neighbouring::ZeroOut,
            4.0,
            Variant::Printed,
        ),
        (
            KlAlgorithm::Adaptive(adaptive),
            Neighbouring::ReplaceOne,
            0.5,
            Variant::Repaired,
        ),
        (
            KlAlgorithm::Regularised(regularised),
            Neighbouring::ZeroOut,
            0.5,
            Variant::Repaired,
        ),
    ] {
        let budget = Budget {
            rho: Rho::new(rho).expect("positive"),
            neighbours,
            variant,
        };
        // Of records many more than there are, so that what moves is too much.
        let constants = RiskConstants {
            records: 12_100_000,
            dimension: 2,
            lipschitz: 1.0,
            smoothness: 0.5,
        };
        let transcript = KlTranscript::new(off, algorithm, budget, constants, vec![0.5, 0.25]);
        found.extend(added_up(&transcript, [&risk(0.7), &risk(-0.9)]));
    }
    steady::holds(
        &found,
        "0.006795529227463625 1.5198592059524464e-8 11762.00113904429 1333.9419037744437
            0.00011065551965079062 44827.0 2.0 39850.41934987799 0.05666412442156343
            1.2158873594718012e-7 12698.352586736512 1171.4068131921672 9.671472394715024e-5
            42842.0 16.0 88567.98290766175 0.021193947485924222 2.5945619453523788e-8
            2.48341325343442 0.5009593855231395 1.0747027907771568e-8 14.0 4.0 39850.41934987799
            0.06523566567796675 6.079439025496735e-8 0.2743702981231127 1.6611134758568027
            8.59762527920513e-8 24.0 8.0 132487.30477104743",
    );
}
