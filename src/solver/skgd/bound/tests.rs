//! The bounds of DP-SkGD against the formulas at the head of their file.

use super::*;
use crate::mechanism::tape::Tape;
use crate::problem::dataset;
use crate::problem::loss::Squared;
use crate::solver::skgd::{Sampling, SetValues, reference};

/// One feature, of squared loss.
fn problem(features: &[f64], targets: Vec<f64>) -> Problem {
    let rows: Vec<[f64; 1]> = features.iter().map(|x| [*x]).collect();
    let data = dataset::table(&rows, targets);
    Problem::new(data, Squared, Regulariser::None).expect("any targets")
}

fn config(problem: &Problem, start: f64) -> Config {
    let sampling = Sampling::full(1).expect("one");
    Config {
        start: vec![start],
        steps: vec![0.25],
        ..Config::new(problem, (1, 1), sampling, SetValues::Same(0.1))
    }
}

/// Slopes of the proximal map are those of its values, and its pieces have numbers of their own.
#[test]
fn branches_tell_the_pieces_of_the_proximal_map() {
    let (step, h) = (0.25, 1e-4);
    let (lower, upper) = (-1.0, 0.5);
    for (psi, pieces) in [
        (Regulariser::None, [0; 5]),
        (Regulariser::L2(2.0), [0; 5]),
        (Regulariser::L1(2.0), [-1, 0, 0, 0, 1]),
        (Regulariser::Box { lower, upper }, [-1, 0, 0, 0, 1]),
    ] {
        for (a, piece) in [-3.0, -0.45, -0.2, 0.1, 3.0].into_iter().zip(pieces) {
            let (found, slope) = prox_branch(psi, step, a);
            let change = psi.prox(step, a + h) - psi.prox(step, a - h);
            assert!(
                (slope - change / (2.0 * h)).abs() < 1e-9,
                "{psi:?} at {a}: {slope}"
            );
            assert_eq!(found, piece, "{psi:?} at {a}");
        }
    }
}

/// A step to 0: what is left of it is the error of the gradient, and of noise and step one rounding each, in either run.
#[test]
fn a_step_errs_by_its_gradient_its_sum_and_its_product() {
    let problem = problem(&[1.0, -1.0], vec![0.0; 2]);
    let (value, gamma) = (1e6, 0.25);
    let config = config(&problem, gamma * value);
    let follower = Follower::new(&problem, &config);
    let passage = follower.passage(NoisyPartials {
        set: &[0],
        values: &[value],
    });
    let least = 2.0 * gamma * (follower.gradient(0, 1) + 2.0 * U * value);
    assert!(
        passage.errors[0] >= least,
        "{} < {least}",
        passage.errors[0]
    );
}

/// Targets that cancel, large beside the step: either gradient may be off by its bound, and the iterates are.
#[test]
fn the_drift_of_one_step_is_no_less_than_that_of_its_gradient() {
    let problem = problem(&[1.0; 4], vec![1e8, -1e8, 1e8, -1e8]);
    let config = config(&problem, 0.0);
    let gradient = Follower::new(&problem, &config).gradient(0, 1);
    let run = reference::run(&problem, &config, Tape::new(1)).expect("sound");
    let drift = drift_upper(&problem, &config, (&run, &run), &[1.0]);
    assert!(drift >= 2.0 * 0.25 * gradient, "{drift} {gradient}");
}

/// Margins that are off by ½: with β = 1 the mean of |x| = 5/4 halves is what the derivative is off by.
#[test]
fn what_margins_lag_behind_moves_the_derivative_by_its_mean() {
    let problem = problem(&[1.0, -2.0, 0.5, 1.5], vec![0.0; 4]);
    let config = config(&problem, 0.0);
    let mut follower = Follower::new(&problem, &config);
    follower.lag = vec![0.5; 4];
    let found = follower.gradient(0, 1);
    let most = 0.625 * SLACK * (1.0 + 1e-9);
    assert!((0.625..most).contains(&found), "{found}");
}

const X: [[f64; 2]; 3] = [[1.0, 2.0], [0.0, -1.0], [3.0, 0.5]];
const Y: [f64; 3] = [1.0, -2.0, 0.5];
const RIDGE: f64 = 0.25;

fn two_columns(psi: Regulariser) -> Problem {
    let data = dataset::table(&X, Y.to_vec());
    let problem = Problem::new(data, Squared, psi);
    problem.and_then(|p| p.with_ridge(RIDGE)).expect("sound")
}

fn two_steps(problem: &Problem, (inner, outer): (usize, usize)) -> Config {
    let sampling = Sampling::partition(2, vec![vec![0], vec![1]]).expect("a partition");
    Config {
        start: vec![0.5, 0.0],
        steps: vec![0.1, 0.15],
        ..Config::new(problem, (inner, outer), sampling, SetValues::Same(0.1))
    }
}

fn close(found: f64, truth: f64) {
    assert!(
        (found - truth).abs() <= 1e-12 * truth.abs(),
        "{found}, {truth}"
    );
}

/// Two rounds of one step each, on either coordinate: every number is that of the formulas above.
#[test]
#[allow(clippy::needless_range_loop, reason = "indices as in the formulas")]
fn what_a_follower_knows_is_what_is_said_above() {
    let nu = 0.1;
    let problem = two_columns(Regulariser::L2(nu));
    let config = two_steps(&problem, (1, 2));
    let mut follower = Follower::new(&problem, &config);
    // Each coordinate is taken every other time: twice the step.
    let gamma = [0.2, 0.3];
    let (mut w, mut largest, mut shadow) = ([0.5, 0.0], [0.0_f64; 3], [0.0; 2]);
    let (mut moved, mut lag) = (X.map(|x| (x[0] * 0.5).abs()), [0.0; 3]);
    for (step, (j, value)) in [(1, 2.0), (0, -1.0)].into_iter().enumerate() {
        for i in 0..3 {
            let residual: f64 = X[i][0] * w[0] + X[i][1] * w[1] - Y[i];
            largest[i] = largest[i].max(residual.abs());
        }
        let gradient = |k: usize, size: usize| {
            let mean = |of: &dyn Fn(usize) -> f64| {
                (0..3).map(|i| X[i][k].abs() * of(i) / 3.0).sum::<f64>()
            };
            let count = (8 * step + 1 + size + 32 + 6) as f64;
            let rounding = count * mean(&|i| largest[i] + moved[i]) + 3.0 * RIDGE * f64::abs(w[k]);
            SLACK * (U * rounding + mean(&|i| lag[i]) + RIDGE * shadow[k])
        };
        for k in 0..2 {
            close(follower.gradient(k, 1), gradient(k, 1));
            close(follower.gradient(k, 5), gradient(k, 5));
            close(follower.shadow(k), SLACK * shadow[k]);
        }
        assert_eq!(follower.point(), w);
        let argument = w[j] - gamma[j] * value;
        let to = argument / (1.0 + gamma[j] * nu);
        let rounding = 2.0 * U * ((gamma[j] * value).abs() + argument.abs() + to.abs());
        let (set, values) = (&[j][..], &[value][..]);
        let passage = follower.passage(NoisyPartials { set, values });
        close(
            passage.errors[0],
            2.0 * (gamma[j] * (gradient(j, 1) + U * value.abs()) + rounding),
        );
        let averaged = [0, 1].map(|k| {
            let change = if k == j { (to - w[j]).abs() } else { 0.0 };
            6.0 * U * (f64::abs(w[k]) + change)
        });
        let after = follower.averagings_after(NoisyPartials { set, values });
        for k in 0..2 {
            close(after[k], 2.0 * averaged[k]);
        }
        for k in 0..2 {
            let by = averaged[k] + if k == j { rounding } else { 0.0 };
            shadow[k] += by;
            for i in 0..3 {
                lag[i] += (X[i][k] * by).abs();
            }
        }
        for i in 0..3 {
            moved[i] += (X[i][j] * (to - w[j])).abs();
        }
        w[j] = to;
        follower.advance(NoisyPartials { set, values });
        assert_eq!(follower.average(), w);
    }
}

/// A record whose gradient on the set is clipped has no curvature; margins and branches must agree.
#[test]
fn a_clipped_record_bends_nothing() {
    let problem = two_columns(Regulariser::None);
    let mut config = two_steps(&problem, (1, 2));
    // Residuals −0.5, 2 and 1, in the second column −1, −2 and 0.5.
    for (radius, curvatures) in [
        (0.75, [0.0, 0.0, 1.0]),
        (1.5, [1.0, 0.0, 1.0]),
        (0.25, [0.0; 3]),
    ] {
        config.clipping = Some(SetValues::Same(radius));
        let follower = Follower::new(&problem, &config);
        assert_eq!(follower.curvatures(&[1]), curvatures, "{radius}");
    }
    let passage = |margin: f64, branch, curvature| Passage {
        branches: vec![(branch, 1.0)],
        errors: vec![1.0],
        curvatures: vec![curvature],
        margins: vec![margin],
    };
    let one = passage(1.0, 0, 0.5);
    assert!(one.agrees(&passage(1.0 + 0.5 * TRUSTED, 0, 0.5)));
    assert!(!one.agrees(&passage(1.0 - 2.0 * TRUSTED, 0, 0.5)));
    assert!(!one.agrees(&passage(1.0, 1, 0.5)) && !one.agrees(&passage(1.0, 0, 0.6)));
}

/// A functional of the average of two steps, carried back through the second and the first.
#[test]
#[allow(clippy::needless_range_loop, reason = "indices as in the formulas")]
fn a_functional_goes_back_through_the_steps() {
    let problem = two_columns(Regulariser::L2(0.1));
    let config = two_steps(&problem, (2, 1));
    let gamma = [0.2, 0.3];
    let (theta, c, averaging) = ([0.75, 0.5], [2.0, -3.0], [0.01, 0.02]);
    let passage = |j: usize, error, curvatures: [f64; 3]| Passage {
        branches: vec![(0, theta[j])],
        errors: vec![error],
        curvatures: curvatures.to_vec(),
        margins: vec![0.0; 3],
    };
    let bends = [[1.0, 0.5, 0.25], [0.0, 2.0, 1.0]];
    let steps = [
        (&[1][..], passage(1, 5.0, bends[0])),
        (&[0][..], passage(0, 7.0, bends[1])),
    ];
    let mut back = Backwards {
        problem: &problem,
        config: &config,
        lambda: c.to_vec(),
        total: 0.0,
    };
    back.round(&steps, &averaging);
    let (mut lambda, mut total) = ([0.0; 2], 2.0 * 0.01 + 3.0 * 0.02);
    for (j, error, bend) in [(0, 7.0, bends[1]), (1, 5.0, bends[0])] {
        lambda = [lambda[0] + 0.5 * c[0], lambda[1] + 0.5 * c[1]];
        total += f64::abs(lambda[j]) * error;
        let along = theta[j] * lambda[j];
        lambda[j] = along * (1.0 - gamma[j] * RIDGE);
        for k in 0..2 {
            let h: f64 = (0..3).map(|i| bend[i] * X[i][j] * X[i][k] / 3.0).sum();
            lambda[k] -= gamma[j] * h * along;
        }
    }
    close(back.total, total);
    for k in 0..2 {
        close(back.lambda[k], lambda[k]);
    }
}
