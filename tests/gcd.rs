//! DP-GCD: one suite for both solvers.

use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::{Dataset, Problem, Regulariser, loss::Logistic, scaling};
use dp_assay::solver::gcd::{Calibration, Config, optimized, reference};
use dp_assay::units::{Delta, Epsilon};

#[test]
fn both_solvers_take_the_same_steps_on_breast_cancer() {
    let data = scaling::standardised(&Dataset::breast_cancer()).expect("finite");
    let problem = Problem::new(data, Logistic, Regulariser::None).expect("±1");
    let problem = problem.with_ridge(1e-3).expect("sound");
    let n = problem.records() as f64;
    let budget = (
        Epsilon::new(1.0).expect("sound"),
        Delta::new(1.0 / (n * n)).expect("sound"),
    );
    let thresholds = problem.constants().clipping_thresholds(1.0).expect("sound");
    for calibration in [
        Calibration::Printed,
        Calibration::NumericEq2,
        Calibration::Repaired,
    ] {
        let config =
            Config::calibrated(&problem, 20, Some(thresholds.clone()), calibration, budget);
        let config = config.expect("within the domain");
        let slow = reference::run(&problem, &config, Tape::new(1)).expect("fits");
        let fast = optimized::run(&problem, &config, Tape::new(1)).expect("fits");
        eprintln!(
            "{:?} {:?} {}",
            slow.counters,
            fast.counters,
            problem.accuracy(&slow.iterate)
        );
        for (a, b) in slow.transcript.iter().zip(&fast.transcript) {
            assert_eq!(a.coordinate, b.coordinate);
            assert!((a.value - b.value).abs() < 1e-12);
        }
    }
}
