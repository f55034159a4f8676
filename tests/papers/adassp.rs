//! AdaSSP: its sensitivities hold and are attained, it finds the optimum when nothing hides it, bad input.

use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::rows::Matrix;
use dp_assay::solver::baseline::adassp::{Calibration, Config, RidgeError, RidgeFit, fit};
use dp_assay::units::{Delta, Epsilon, Neighbouring};

fn run(records: &Matrix, config: &Config, epsilon: f64, seed: u64) -> Result<RidgeFit, RidgeError> {
    let budget = (Epsilon::new(epsilon).unwrap(), Delta::new(1e-6).unwrap());
    let source = &mut records.source(None);
    fit(source, records.records(), config, budget, Tape::new(seed))
}

/// Records in the unit ball, y = ⟨x, (0.3, −0.2, 0.1)⟩.
fn planted(n: usize) -> Matrix {
    let mut words = Tape::new(5).stream(0, Purpose::Data, 0);
    let values: Vec<f64> = (0..3 * n)
        .map(|_| 0.25 * words.uniform().gaussian())
        .collect();
    let target = |x: &[f64]| 0.3 * x[0] - 0.2 * x[1] + 0.1 * x[2];
    let targets = values.chunks(3).map(target).collect();
    Matrix::new(3, values, targets).unwrap()
}

#[test]
fn with_much_data_the_planted_coefficients_are_found() {
    // Rows longer than 1 are scaled down but their targets are not, so that some bias remains: about 1 %
    // of these rows, each moving a coefficient by less than its length over 1.
    let found = run(&planted(200_000), &Config::default(), 1.0, 1).unwrap();
    for (ours, planted) in found.coefficients.iter().zip([0.3, -0.2, 0.1]) {
        assert!((ours - planted).abs() < 0.02, "{found:?}");
    }
    assert!((found.epsilon_upper - 1.0).abs() < 1e-9, "{found:?}");
}

#[test]
fn the_ridge_grows_as_the_budget_shrinks() {
    let data = planted(1000);
    let ridge = |epsilon| run(&data, &Config::default(), epsilon, 1).unwrap().ridge;
    assert!(ridge(0.1) > ridge(1.0) && ridge(1.0) > ridge(10.0));
}

#[test]
fn the_printed_noise_is_accounted_for_what_it_is() {
    let config = Config {
        calibration: Calibration::Printed,
        ..Config::default()
    };
    for epsilon in [0.01, 0.1, 1.0, 2.9] {
        let printed = run(&planted(1000), &config, epsilon, 1).unwrap();
        let tight = run(&planted(1000), &Config::default(), epsilon, 1).unwrap();
        // More noise must mean a smaller ε, whichever of the two has more.
        let more = printed.deviations[0] > tight.deviations[0];
        assert_eq!(
            more,
            printed.epsilon_upper < tight.epsilon_upper,
            "{printed:?} {tight:?}"
        );
    }
}

#[test]
fn bad_input_names_value_and_rule() {
    let data = planted(10);
    let text = |config: Config, epsilon| run(&data, &config, epsilon, 1).unwrap_err().to_string();
    let base = Config::default();
    assert_eq!(
        text(
            Config {
                row_bound: 0.0,
                ..base
            },
            1.0
        ),
        "row bound = 0 must be finite and > 0"
    );
    assert_eq!(
        text(
            Config {
                target_bound: f64::NAN,
                ..base
            },
            1.0
        ),
        "target bound = NaN must be finite and > 0"
    );
    assert_eq!(
        text(
            Config {
                failure: 1.0,
                ..base
            },
            1.0
        ),
        "failure probability = 1 must be strictly between 0 and 1"
    );
    assert_eq!(
        text(
            Config {
                calibration: Calibration::Printed,
                ..base
            },
            3.0
        ),
        "epsilon = 3 must be > 0, and below 3 for the printed noise"
    );
    assert_eq!(
        text(
            Config {
                neighbours: Neighbouring::User,
                ..base
            },
            1.0
        ),
        "AdaSSP has no guarantee under user neighbours"
    );
}
