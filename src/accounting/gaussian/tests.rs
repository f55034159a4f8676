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

/// As near as a search ends by.
#[test]
fn ends_are_a_few_units_apart() {
    for k in 0..200 {
        let k = f64::from(k);
        let (sigma, delta) = (0.3 * 1.02f64.powf(k), 10f64.powf(-2.0 - 0.06 * k));
        let unit = Sensitivity::new(1.0).expect("in range");
        let noise = Gaussian::new(unit, StdDev::new(sigma).expect("in range"));
        let found = noise.epsilon(Delta::new(delta).expect("in range"));
        let found = found.expect("in range");
        assert!(
            found.width() <= 16.0 * U * found.hi,
            "{sigma} {delta}: {found:?}"
        );
    }
}

/// The noise that is found, against the δ that it gives: what is left out of a step must not exceed what its end is widened by.
#[test]
fn calibrated_noise_is_enclosed_from_wherever_its_search_ends() {
    for k in 0..400 {
        let k = f64::from(k);
        let (epsilon, delta) = (0.02 * 1.017f64.powf(k), 10f64.powf(-1.0 - 0.04 * k));
        let target = Epsilon::new(epsilon).expect("in range");
        let budget = Delta::new(delta).expect("in range");
        let unit = Sensitivity::new(1.0).expect("in range");
        let found = calibrate_sigma(unit, target, budget).expect("in range");
        let at = |sigma| Gaussian::new(unit, StdDev::new(sigma).expect("in range")).delta(target);
        let [most, least] = [at(found.lo), at(found.hi)];
        assert!(
            most.hi >= delta && least.lo <= delta,
            "{epsilon} {delta}: {found:?}, {most:?}, {least:?}"
        );
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

/// From next to no shift to so large a one that numbers ε are farther apart than what is wanted.
#[test]
fn ends_over_the_whole_range_are_what_they_were() {
    let mut marks = Vec::new();
    for k in -14..=9 {
        let own = Gaussian {
            mu: Double::new(1.37 * 2f64.powi(8 * k)),
        };
        let mut ends = vec![own.mu(), own.mu_upper()];
        for delta in [1e-300, 3e-41, 1e-9, 2e-4, 0.03, 0.7] {
            let found = own.epsilon(Delta::new(delta).expect("in range"));
            let found = found.expect("in range");
            ends.extend([found.lo, found.hi]);
            for epsilon in [found.lo, 0.5 * found.lo, 1.7 * found.lo] {
                let delta = own.delta(Epsilon::new(epsilon).expect("in range"));
                ends.extend([delta.lo, delta.hi]);
            }
        }
        marks.push(steady::mark(&ends));
    }
    steady::holds(
        &marks,
        "5750352174863036.0 5875340434036165.0 1287588688079803.0 6823694087845454.0
         5267153497041510.0 1283267815322094.0 6135901249285248.0 5768379408292058.0
         3143176994241567.0 1614978817371353.0 1354184863272000.0 7404694224905519.0
         2016311416872662.0 4549087083158126.0 3230538864694339.0 8145633918508712.0
         8412335061676115.0 3096019697225395.0 896400761392543.0 3619433808647782.0
         3347253266195620.0 5972403605394108.0 602755906381593.0 6195988095283377.0",
    );
}

#[test]
fn calibrated_noise_is_what_it_was() {
    let mut marks = Vec::new();
    for epsilon in [0.0, 1e-90, 1e-30, 1e-7, 0.3, 1.0, 20.0, 3e4, 1e12, 9e19] {
        let mut ends = Vec::new();
        for delta in [1e-300, 1e-40, 1e-12, 1e-5, 0.2, 0.99] {
            let sensitivity = Sensitivity::new(0.7).expect("in range");
            let (epsilon, delta) = (Epsilon::new(epsilon), Delta::new(delta));
            let (epsilon, delta) = (epsilon.expect("in range"), delta.expect("in range"));
            let found = calibrate_sigma(sensitivity, epsilon, delta).expect("in range");
            ends.extend([found.lo, found.hi]);
        }
        marks.push(steady::mark(&ends));
    }
    steady::holds(
        &marks,
        "1149775228172730.0 2776721777565770.0 5501737387330001.0 7517570536791803.0
         616725992605351.0 8550389206109672.0 4372773786484812.0 1321604607854207.0
         2541725660139463.0 6056170713046286.0",
    );
}

#[test]
fn shifts_are_what_they_were_however_they_are_given() {
    let mut found = Vec::new();
    let noise = |sensitivity: f64, sigma: f64| {
        let (sensitivity, sigma) = (Sensitivity::new(sensitivity), StdDev::new(sigma));
        Gaussian::new(sensitivity.expect("in range"), sigma.expect("in range"))
    };
    for (sensitivity, sigma) in [
        (0.0, 1.0),
        (1.0, 3.0),
        (1.1e-139, 0.7),
        (0.7, 1.1e139),
        (3e-200, 7e-170),
        (3e180, 7e150),
        (5e-320, 7e-300),
        (1.0, 3e-160),
        (1e-60, 3e60),
    ] {
        let own = noise(sensitivity, sigma);
        found.extend([own.mu.hi, own.mu.lo, own.mu_upper()]);
    }
    let parts = [(1.0, 3.0), (0.1, 7.0), (2.0, 0.3)].map(|(d, s)| noise(d, s));
    for counts in [
        [1, 0, 0],
        [3, 1, 0],
        [9, 1 << 40, 2],
        [0, 0, 0],
        [u64::MAX, 5, 1],
    ] {
        let all: Vec<(Gaussian, u64)> = parts.into_iter().zip(counts).collect();
        let own = Gaussian::composed(&all);
        found.extend([own.mu.hi, own.mu.lo, own.mu_upper()]);
    }
    steady::holds(
        &found,
        "0.0 0.0 0.0 0.3333333333333333 1.850371707708594e-17 0.33333333333333337 1e-100 0.0
         1e-100 1e-100 0.0 1e-100 4.285714285714286e-31 2.505396721124009e-47
         4.2857142857142864e-31 4.285714285714286e29 -15377954271928.084 4.285714285714286e29
         7.14277762273345e-21 -5.384631282013691e-37 7.14277762273345e-21
         3.3333333333333337e159 0.0 3.3333333333333337e159 1e-100 0.0 1e-100
         0.3333333333333333 1.8503717077355205e-17 0.33333333333333337 0.5775269820242049
         5.2913397884630074e-17 0.577526982024205 14979.660143222207 -4.627655716264406e-13
         14979.660143222207 0.0 0.0 0.0 1431655765.3333333 9.495645387809381e-8
         1431655765.3333335",
    );
}

/// What is refused is refused by name, at the very bound.
#[test]
fn what_has_no_noise_is_refused_by_name() {
    let calibrated = |sensitivity: f64, epsilon: f64, delta: f64| {
        let sensitivity = Sensitivity::new(sensitivity).expect("in range");
        let (epsilon, delta) = (Epsilon::new(epsilon), Delta::new(delta));
        let found = calibrate_sigma(
            sensitivity,
            epsilon.expect("in range"),
            delta.expect("in range"),
        );
        found.map_or_else(|why| why.to_string(), |_| String::new())
    };
    assert!(calibrated(1.0, 1.0, 0.0).contains("delta"));
    assert!(calibrated(0.0, 1.0, 0.5).contains("sensitivity"));
    assert!(calibrated(1.0, 1.0, 1.0).contains("delta"));
    assert!(calibrated(1.0, 1.1e20, 0.5).contains("epsilon"));
    assert_eq!(calibrated(1.0, 1e20, 0.5), "");
    let shift = |mu: f64| Gaussian {
        mu: Double::new(mu),
    };
    let one = |mu: f64, delta: f64| shift(mu).epsilon(Delta::new(delta).expect("in range"));
    assert!(one(1e100, 0.5).is_ok() && one(1.1e100, 0.5).is_err());
    assert!(one(1.0, 0.0).is_err());
    assert_eq!(one(0.0, 0.0).expect("no shift"), Enclosure::point(0.0));
    assert_eq!(one(9.0, 1.0).expect("no demand"), Enclosure::point(0.0));
    let at = |mu: f64| shift(mu).delta(Epsilon::new(1.0).expect("in range"));
    assert_eq!(at(1.1e100), Enclosure::new(0.0, 1.0));
    assert_eq!(at(0.0), Enclosure::point(0.0));
}
