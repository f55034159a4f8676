//! What the Gaussian accountant encloses, and the numbers by which it finds it.

use super::super::steady;
use super::*;
use rug::Float;
use rug::ops::Pow;

/// δ(0; μ) = erf(μ/√8) is μ/√(2π) to all digits where μ is this small.
#[test]
fn the_noise_for_next_to_no_delta_is_enclosed() {
    for delta in [1e-30, 3e-100, 1.7e-27] {
        for sensitivity in [1.0, 0.3] {
            let mu = (Float::with_val(300, rug::float::Constant::Pi) * 2u32).sqrt() * delta;
            let truth: Float = sensitivity / mu;
            let found = sigma_without_epsilon(sensitivity, 0.0, delta);
            assert!(
                found.lo <= truth && truth <= found.hi,
                "{delta}: {found:?}, {truth}"
            );
            assert!(found.width() < 64.0 * U * found.hi, "{delta}: {found:?}");
            let other = sigma_without_epsilon(sensitivity, 1.0, delta);
            assert_eq!((other.lo, other.hi), (0.0, found.hi));
        }
    }
}

#[test]
fn what_ends_are_made_of_is_what_it_was() {
    let point = |(epsilon, mu, delta): (f64, f64, f64)| {
        let at = Point::new(epsilon, Double::new(mu));
        let ((gap, off), (target, beside)) = (at.gap(), at.scaled_target(delta));
        let (step, error) = at.newton_step(delta);
        [
            at.x_error, gap.hi, gap.lo, off, target.hi, target.lo, beside, step, error,
        ]
    };
    // On either side of x = 0; powers that are shifted into range; beyond all of it.
    let points = [
        (1.0, 1.0, 1e-5),
        (0.1, 3.0, 0.3),
        (60.0, 2.0, 1e-190),
        (0.0, 1e-6, 1e-7),
        (100.0, 2.0, 1e-300),
    ];
    let found: Vec<f64> = points.into_iter().flat_map(point).collect();
    steady::holds(
        &found,
        "6.310887241768095e-30 0.360548818235729 6.674729282207575e-18 1.1484618402350777e-27
         2.8403819518116863e-5 1.7614682993642528e-22 5.970031230249503e-33
         0.6989326955300047 3.103884684985229e-16 9.57151231668161e-30 6.316657103673371
         3.2390411412426056e-16 2.7684153781413216e-27 2.204545321940221
         -1.1991881443719717e-16 5.722301584612214e-28 8.088817731012364
         3.592156674793035e-15 1.0097419586828951e-28 0.0022173003506545798
         9.933398998352752e-21 2.5633969212740593e-28 1.0469346518654159e-7
         -2.569722946142996e-24 2.1088763093606235e-33 0.06880443973194214
         3.0555309282697245e-17 3.155443620884047e-36 1.0000000000000834e-6
         -9.941197118102675e-23 2.5512953161052795e-27 2.506628274631314e-7
         -1.929554843786908e-23 5.062095487432466e-35 5.978847993243573e-7
         2.6551622578895234e-22 1.6408306828597046e-28 0.000799360766976581
         -9.300253636688538e-22 3.6080098626672505e-28 1e300 0.0 1e299 -5.101959279488113e301
         5.1070612387676234e300",
    );
}

#[test]
fn searches_begin_where_they_began() {
    let mut found = Vec::new();
    for (mu, delta) in [
        (1.0, 1e-5),
        (3.0, 0.6),
        (1e-6, 1e-9),
        (40.0, 1e-300),
        (1e-4, 1e-200),
    ] {
        let at = Gaussian {
            mu: Double::new(mu),
        };
        found.push(at.x_of_delta(delta));
    }
    for (epsilon, delta) in [
        (1.0, 1e-5),
        (0.0, 0.7),
        (1e-9, 1e-12),
        (50.0, 1e-200),
        (1e19, 0.9),
    ] {
        found.push(mu_of_target(epsilon, delta));
    }
    for x in [0.3, -0.3, 7.0, -40.0, 2e3] {
        found.extend([1e-5, 0.5].map(|mu| approximate_gap(x, mu)));
    }
    let near = Gaussian {
        mu: Double::new(1e9),
    };
    let around = near.around(5e17, 1e-5);
    found.extend([around.lo, around.hi]);
    steady::holds(
        &found,
        "3.8771780957494912 -0.5897122521869925 2.7178054287972175 37.029402456600444
         29.785778688095643 0.2680511232027741 2.0728667790613744 4.1044032639637495e-10
         1.6173068939847053 4472135956.1097 6.994448197030341e-6 0.2705237103999155 1e-5
         0.5442209687915751 1.9270689782811103e-7 0.009024827648558442 1e-5 NaN
         2.4999999875e-12 1.2496866410747695e-7 4.999999999999999e17 5.000000074505806e17",
    );
}

/// A search begins where the answer is: the step from there is next to nothing.
#[test]
fn searches_begin_at_the_answer() {
    for (mu, delta) in [(1.0, 1e-5), (3.0, 0.6), (1e-6, 1e-9), (40.0, 1e-200)] {
        let own = Gaussian {
            mu: Double::new(mu),
        };
        let x = own.x_of_delta(delta);
        let epsilon = mu * (x + 0.5 * mu);
        let found = own.delta(Epsilon::new(epsilon).expect("in range"));
        let (lo, hi) = (delta * (1.0 - 1e-6), delta * (1.0 + 1e-6));
        assert!(lo <= found.hi && found.lo <= hi, "{mu}, {delta}: {found:?}");
    }
    for x in [0.3, 7.0, 2e3] {
        let apart = [0.999e-3, 1.001e-3].map(|mu| approximate_gap(x, mu) / mu);
        assert!((apart[0] / apart[1] - 1.0).abs() < 1e-3, "{x}: {apart:?}");
    }
}

#[test]
fn a_number_is_its_mantissa_times_its_power_of_two() {
    for x in [1.0, 1.999, 0.7, 3e300, 1e-300, 3e-320, f64::from_bits(1)] {
        let (mantissa, exponent) = near_one(x);
        assert!((1.0..2.0).contains(&mantissa), "{x}: {mantissa}");
        let exact = Float::with_val(60, mantissa) * Float::with_val(60, 2).pow(exponent);
        assert_eq!(exact, x);
    }
}
