//! Bad input: a precise error, and nothing released.

use super::problems::{budget, quadratic, tilted};
use dp_assay::mechanism::tape::Tape;
use dp_assay::solver::kl::reference::{adaptive, regularised, spider};
use dp_assay::solver::kl::{Adaptive, Regularised, Spider, Variant};
use dp_assay::units::Neighbouring::{ReplaceOne, User};

fn spider_error(change: impl Fn(&mut Spider), start: &[f64]) -> String {
    let (shape, mut inputs) = quadratic();
    change(&mut inputs);
    let risk = tilted(shape, 101, 2, 1.0, 1.0);
    let b = budget(1.0, ReplaceOne, Variant::Repaired);
    let run = spider(&risk, start, &inputs, &b, Tape::new(1), &mut |_| {
        panic!("released")
    });
    run.unwrap_err().to_string()
}

#[test]
fn inputs_of_the_spider_outside_their_domain_are_refused() {
    let start = [1.0, 1.0];
    for (text, change) in [
        (
            "gamma = 0 must be finite and > 0",
            (|i| i.gamma = 0.0) as fn(&mut Spider),
        ),
        ("L_1 = -1 must be finite and > 0", |i| i.smoothness = -1.0),
        ("F_0 = -1 must be finite and > 0", |i| i.loss_bound = -1.0),
        ("kappa = 2.5 must be in [1, 2]", |i| i.kappa = 2.5),
        ("beta = 1 must be strictly between 0 and 1", |i| {
            i.beta = 1.0
        }),
        ("F_0 = 100 must be at most (gamma L_0)^kappa = 12.5", |i| {
            i.loss_bound = 100.0
        }),
    ] {
        let found = spider_error(change, &start);
        assert!(found.starts_with(text), "{found}");
    }
    assert_eq!(
        spider_error(|_| (), &[1.0, f64::NAN]),
        "the start has 2 entries of which 1 are finite; the risk has dimension 2"
    );
    assert_eq!(
        spider_error(|_| (), &[1.0]),
        "the start has 1 entries of which 1 are finite; the risk has dimension 2"
    );
}

/// 101 records, L₀ = 5: a start at distance 10 has gradients of norm about 10.
#[test]
fn a_gradient_above_its_bound_ends_the_run_before_anything_is_released() {
    let found = spider_error(|_| (), &[10.0, 0.0]);
    assert_eq!(found, "step 0: a record has a gradient above L_0 = 5");
}

#[test]
fn inputs_of_the_other_algorithms_are_checked_too() {
    let (shape, _) = quadratic();
    let risk = tilted(shape, 101, 2, 1.0, 1.0);
    let run = |inputs: &Adaptive, neighbours| {
        let b = budget(1e-3, neighbours, Variant::Repaired);
        let run = adaptive(
            &risk,
            &[1.0; 2],
            inputs,
            &b,
            true,
            Tape::new(1),
            &mut |_| panic!("released"),
        );
        run.unwrap_err().to_string()
    };
    let sound = Adaptive {
        beta: 0.1,
        lipschitz: 5.0,
        smoothness: 1.0,
    };
    assert_eq!(
        run(
            &Adaptive {
                lipschitz: 0.0,
                ..sound
            },
            ReplaceOne
        ),
        "L_0 = 0 must be finite and > 0"
    );
    assert!(
        run(
            &Adaptive {
                beta: 100.0,
                ..sound
            },
            ReplaceOne
        )
        .starts_with("beta = 100 must be strictly between 0 and 1")
    );
    let tiny = budget(1e-8, ReplaceOne, Variant::Repaired);
    let error = adaptive(
        &risk,
        &[1.0; 2],
        &sound,
        &tiny,
        true,
        Tape::new(1),
        &mut |_| panic!("released"),
    );
    assert!(
        error
            .unwrap_err()
            .to_string()
            .starts_with("n sqrt(rho)/beta = 0.10"),
        "n = 101, rho = 1e-8, beta = 0.1"
    );
    assert!(run(&sound, User).starts_with("no sensitivity is known under user neighbours"));
    let inputs = Regularised {
        beta: 0.5,
        lipschitz: 5.0,
        weak_convexity: 1.0,
        length: None,
    };
    let b = budget(1e300, ReplaceOne, Variant::Repaired);
    let long = regularised(&risk, &[1.0; 2], &inputs, &b, Tape::new(1), &mut |_| ()).unwrap_err();
    assert!(long.to_string().contains("must be in [1, 1e9)"), "{long}");
}
