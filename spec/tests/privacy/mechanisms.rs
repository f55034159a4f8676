//! Single mechanisms against closed forms and 40- to 60-digit truths.

use crate::decimals::{about, assert_narrow, exactly, rational};
use dp_assay_spec::arith::{Interval, ratio};
use dp_assay_spec::privacy::choice::{BoundedRange, exponential_pair, randomized_response_pair};
use dp_assay_spec::privacy::discrete_gaussian::DiscreteGaussian;
use dp_assay_spec::privacy::laplace::{Laplace, discrete_laplace_pair};
use dp_assay_spec::privacy::subsampled::{Direction, PoissonGaussian, fixed_size_rdp_upper};
use dp_assay_spec::privacy::{ApproxDp, Gdp, Profile, RenyiCurve};

fn one() -> Interval {
    Interval::from(1)
}

/// The Gaussian mechanism of sensitivity 1.
fn gaussian(sigma: &str) -> Gdp {
    Gdp::mechanism(&exactly(sigma), &one()).unwrap()
}

#[test]
fn gaussian_epsilon_meets_its_truths() {
    let truths = [
        ("1.0", "1e-05", "4.3771780956812246277"),
        ("1.0", "1e-10", "6.5479240668649510058"),
        ("10.0", "1e-05", "0.34066936468432641075"),
        ("100.0", "1e-05", "0.027219419814577135543"),
        ("5.0", "1e-300", "7.4011804950478122633"),
    ];
    for (sigma, delta, truth) in truths {
        let found = gaussian(sigma).epsilon(&exactly(delta)).unwrap();
        assert_narrow(&found, &about(truth), 1e-25, sigma);
    }
}

#[test]
fn gaussian_sigma_meets_its_truths() {
    let truths = [
        ("1.0", "1e-05", "3.7306316348159418322"),
        ("1.0", "1e-06", "4.224678889326835283"),
        ("0.1", "1e-06", "36.304690426195784939"),
        ("10.0", "1e-06", "0.54108683181836598143"),
        ("50.0", "1e-09", "0.17478362493933170009"),
        ("800.0", "1e-09", "0.029008926876549562154"),
        ("0.01", "1e-05", "243.78543767567802905"),
        ("1.0", "1e-12", "6.5578220674588500913"),
        ("1e-06", "1e-12", "4122525.4027566015602"),
        // ε exactly 0: 2Φ(1/(2σ)) − 1 = δ (an endless loop elsewhere, opendp issue 429).
        ("0", "1e-06", "398942.2804013282"),
    ];
    for (epsilon, delta, truth) in truths {
        let found = Gdp::least_sigma(&exactly(epsilon), &exactly(delta)).unwrap();
        assert_narrow(&found, &about(truth), 1e-18, epsilon);
    }
}

#[test]
fn gaussian_delta_meets_its_truths() {
    let truths = [
        ("1.0", "1.0", "0.1269367375066439458"),
        ("0.0", "1.0", "0.38292492254802620728"),
        ("20.0", "1.0", "2.6647067053654976526e-86"),
        ("1.0", "0.3", "0.84723593340521901701"),
        ("1300.0", "0.02", "0.15391255193671630495"),
    ];
    for (epsilon, sigma, truth) in truths {
        let found = gaussian(sigma).delta(&exactly(epsilon));
        assert_narrow(&found, &about(truth), 1e-30, epsilon);
        // The textbook slip, a plus between the two normal terms, is caught.
        let (e, mu) = (exactly(epsilon), gaussian(sigma).mu);
        let half = &mu * &Interval::from_f64(0.5);
        let wrong = &(&half - &(&e / &mu)).phi() + &(&e.exp() * &(&-&half - &(&e / &mu)).phi());
        assert!(wrong.intersect(&about(truth)).is_none());
    }
}

#[test]
fn gaussian_edges_are_answered() {
    assert!(gaussian("1").epsilon(&exactly("0.5")).unwrap().hi_f64() == 0.0);
    let tiny = gaussian("1000000").epsilon(&exactly("1e-300")).unwrap();
    assert!(tiny.lo_f64() > 0.0 && tiny.hi_f64() < 1e-4 && tiny.width() < 1e-20);
    let huge = gaussian("0.01").epsilon(&exactly("1e-300")).unwrap();
    assert!(huge.lo_f64() > 5000.0 && huge.width() < 1e-15 * huge.lo_f64());
    assert!(
        gaussian("1").epsilon(&exactly("0")).is_err(),
        "no finite epsilon at delta 0"
    );
    assert!(gaussian("1").epsilon(&exactly("1.5")).is_err());
    assert!(Gdp::mechanism(&exactly("0"), &one()).is_err());
    assert!(Gdp::least_sigma(&one(), &exactly("0")).is_err());
}

#[test]
fn gaussian_calibration_inverts_the_profile() {
    for (epsilon, delta) in [("0.3", "1e-7"), ("3", "1e-3")] {
        let mu = Gdp::largest(&exactly(epsilon), &exactly(delta)).unwrap();
        let back = mu.delta(&exactly(epsilon));
        assert_narrow(&back, &exactly(delta), 1e-18, epsilon);
    }
}

#[test]
fn a_covariance_acts_through_its_worst_shift() {
    // Σ = [[2, 1], [1, 2]]: hᵀΣ⁻¹h is 2/3 for (1, 0) and 2 for (1, −1).
    let matrix = vec![
        vec![ratio(2, 1), ratio(1, 1)],
        vec![ratio(1, 1), ratio(2, 1)],
    ];
    let shift = |a, b| vec![ratio(a, 1), ratio(b, 1)];
    let one_shift = Gdp::covariance(&matrix, &[shift(1, 0)]).unwrap();
    assert!(
        one_shift
            .mu
            .square()
            .intersect(&Interval::from_rational(&ratio(2, 3)))
            .is_some()
    );
    let both = Gdp::covariance(&matrix, &[shift(1, 0), shift(1, -1)]).unwrap();
    assert!(both.mu.square().contains(2.0) && both.mu.width() < 1e-30);
    let indefinite = vec![shift(1, 2), shift(2, 1)];
    assert!(Gdp::covariance(&indefinite, &[shift(1, 0)]).is_err());
    assert!(Gdp::covariance(&[shift(1, 0)], &[shift(1, 0)]).is_err());
}

#[test]
fn laplace_profile_and_curve_agree_with_randomized_response_at_the_ends() {
    let laplace = Laplace::new(&one(), &exactly("1.5")).unwrap();
    let truth = -&(&(&one() - &exactly("1.5")) * &exactly("0.5")).exp_m1();
    assert_narrow(&laplace.delta(&one()), &truth, 1e-30, "inside");
    assert!(laplace.delta(&exactly("1.6")).hi_f64() == 0.0);
    let below = laplace.delta(&Interval::from(-2));
    assert_narrow(&below, &-&Interval::from(-2).exp_m1(), 1e-30, "below");
    // D_α → KL as α → 1, → a as α → ∞; the pure curve dominates at every order.
    let near = laplace.rdp(&exactly("1.000001"));
    assert!((near.hi_f64() - laplace.kl().hi_f64()).abs() < 1e-5);
    let pure = ApproxDp::pure(exactly("1.5")).unwrap();
    for alpha in ["1.5", "2", "17", "900"] {
        let alpha = exactly(alpha);
        assert!(laplace.rdp(&alpha).certainly_lt(&pure.rdp(&alpha)));
    }
}

#[test]
fn discrete_laplace_profile_meets_its_golden_values() {
    // P[k] ∝ e^(−|k|/2), sensitivity 4: published to eight places.
    let pair = discrete_laplace_pair(&exactly("0.5"), 4).unwrap();
    for (epsilon, golden) in [("0.5", "0.54202002"), ("1", "0.39346934")] {
        let found = pair.hockey_stick(&exactly(epsilon));
        assert_narrow(&found, &about(golden), 1e-30, epsilon);
    }
    assert!(pair.pure_epsilon().contains(2.0));
    let total: Interval = pair.p().iter().cloned().sum();
    assert!(total.contains(1.0) && total.width() < 1e-35);
}

#[test]
fn discrete_gaussian_profile_meets_independent_sums() {
    // 40-digit sums of (P(k) − e^ε P(k + Δ))₊ over all k.
    let truths = [
        ("1", 1, "1", "0.1413513394056219080995"),
        ("25", 3, "0.1", "0.1992328020646639297105"),
        ("0.25", 1, "4", "0.09230744739171303159083"),
        ("100", 2, "0", "0.07958948278784444434505"),
    ];
    for (variance, sensitivity, epsilon, truth) in truths {
        let noise = DiscreteGaussian::new(&rational(variance), sensitivity).unwrap();
        let found = noise.delta(&exactly(epsilon));
        assert_narrow(&found, &about(truth), 1e-30, variance);
    }
    let noise = DiscreteGaussian::new(&ratio(1, 1), 1).unwrap();
    let inverse = noise.epsilon(&noise.delta(&one())).unwrap();
    assert_narrow(&inverse, &one(), 1e-30, "inverse");
    assert!(DiscreteGaussian::new(&ratio(0, 1), 1).is_err());
}

#[test]
fn randomized_response_meets_its_golden_epsilon() {
    // p = 4/(3 + e) over four values is exactly 1-DP.
    let p = &Interval::from(4) / &(&Interval::from(3) + &one().exp());
    let pair = randomized_response_pair(&p, 4).unwrap();
    assert_narrow(&pair.pure_epsilon(), &one(), 1e-35, "4/(3+e)");
    assert!(randomized_response_pair(&exactly("1.1"), 2).is_err());
}

#[test]
fn the_exponential_mechanism_obeys_its_bounded_range() {
    let e = |text: &[&str]| text.iter().map(|t| exactly(t)).collect::<Vec<_>>();
    // Utilities move by at most ½ either way: losses span at most 1.
    let pair = exponential_pair(
        &e(&["0", "1", "0.2", "3"]),
        &e(&["0.5", "0.5", "0.7", "2.5"]),
    );
    let pair = pair.unwrap();
    let bound = BoundedRange::new(one()).unwrap();
    let pure = pair.pure_epsilon();
    assert!(pure.hi_f64() < 1.0);
    for epsilon in ["-1.5", "-1", "-0.4", "0", "0.3", "0.9", "1"] {
        let epsilon = exactly(epsilon);
        let (found, most) = (pair.hockey_stick(&epsilon), bound.delta(&epsilon));
        assert!(found.lo() <= most.hi(), "{epsilon}: {found} above {most}");
        // Pure 1-DP alone allows strictly more than bounded range 1, inside (−1, 1).
        let allowed = ApproxDp::pure(one()).unwrap().delta(&epsilon);
        assert!(most.lo() <= allowed.hi());
    }
    assert!(bound.delta(&one()).hi_f64() < 1e-30);
    // (1 − e^{(ε−η)/2})²/(1 − e^{−η}) on one side of −η and 1 − e^ε on the other, both to all digits.
    let within = |e: f64| (1.0 - ((e - 1.0) / 2.0).exp()).powi(2) / (1.0 - (-1.0_f64).exp());
    for (epsilon, expected) in [
        (0.5, within(0.5)),
        (-0.5, within(-0.5)),
        (-2.0, 1.0 - (-2.0_f64).exp()),
    ] {
        let delta = bound.delta(&Interval::from_f64(epsilon));
        let close = 16.0 * f64::EPSILON;
        assert!(
            delta.width() < 1e-30 && (delta.lo_f64() - expected).abs() < close,
            "{delta}"
        );
    }
}

#[test]
fn poisson_gaussian_moments_meet_their_truths() {
    // 60-digit quadrature by other means, at the doubles nearest to these decimals.
    let truths = [
        (0.01, 1.0, 4.1, "0.0011574263304010241"),
        (0.1, 1.0, 1.1, "0.00080985684680738466"),
        (0.1, 1.0, 1.3, "0.0029576392419188311"),
        (0.4, 12.0, 59.0001, "2.1096617251243137"),
        (0.5, 1.0, 1.5, "0.11757901724126551"),
        (0.2, 0.7, 2.5, "0.67332276582287385"),
        (0.5, 0.5, 1.5, "0.74779542483829852"),
    ];
    for (q, sigma, alpha, truth) in truths {
        let [q, sigma, alpha] = [q, sigma, alpha].map(Interval::from_f64);
        let step = PoissonGaussian::new(q, sigma).unwrap();
        let found = step.log_moment(&alpha, Direction::Remove).unwrap();
        assert_narrow(&found, &about(truth), 1e-22, truth);
    }
    // The same from exact decimals.
    let truths = [
        ("0.01", "1", "4.1", "0.001157426330401024308354393"),
        ("0.01", "1", "1.00000001", "8.3812208508984319020887e-13"),
        ("0.1", "0.5", "20.5", "752.2970055936220634776312"),
    ];
    for (q, sigma, alpha, truth) in truths {
        let found = log_moment((q, sigma, alpha), Direction::Remove);
        assert_narrow(&found, &about(truth), 1e-22, alpha);
    }
}

fn log_moment((q, sigma, alpha): (&str, &str, &str), direction: Direction) -> Interval {
    let step = PoissonGaussian::new(exactly(q), exactly(sigma)).unwrap();
    step.log_moment(&exactly(alpha), direction).unwrap()
}

#[test]
fn poisson_gaussian_moments_of_adding_a_record_meet_their_truths() {
    let truths = [
        ("0.01", "1", "4.1", "0.0009755854038436055384543202"),
        ("0.4", "12", "59.0001", "1.734661892549139446294774"),
        ("0.2", "0.7", "2.5", "0.1193150848397505495741344"),
        ("0.01", "1", "1.00000001", "8.188976994105901495038474e-13"),
        ("0.1", "0.5", "20.5", "1.579855070319612407434405"),
    ];
    for (q, sigma, alpha, truth) in truths {
        let found = log_moment((q, sigma, alpha), Direction::Add);
        assert_narrow(&found, &about(truth), 1e-22, alpha);
        let remove = log_moment((q, sigma, alpha), Direction::Remove);
        assert!(found.certainly_lt(&remove), "the directions differ");
    }
}

#[test]
fn integer_orders_agree_with_the_binomial_sum() {
    for (q, sigma, alpha) in [("0.01", "2.5", 5), ("0.3", "1", 20), ("0.9", "0.4", 64)] {
        let step = PoissonGaussian::new(exactly(q), exactly(sigma)).unwrap();
        let exact = step.log_moment_integer(alpha).unwrap();
        let order = Interval::from(i64::from(alpha));
        let found = step.log_moment(&order, Direction::Remove).unwrap();
        assert_narrow(&found, &exact, 1e-20, q);
    }
    // Fifty steps of order 5: the published 0.00218075656, good to 1e-4.
    let step = PoissonGaussian::new(exactly("0.01"), exactly("2.5")).unwrap();
    let rdp = &step.rdp(&Interval::from(5)) * &Interval::from(50);
    assert!((rdp.hi_f64() / 0.002_180_756_56 - 1.0).abs() < 1e-4);
}

#[test]
fn the_stress_orders_of_other_libraries_are_answered() {
    let points = [
        ("1e-7", "0.1", "1.01"),
        ("1e-6", "1", "27"),
        ("1e-4", "1", "1.5"),
        ("0.01", "10", "20"),
        ("0.1", "100", "20.5"),
        ("0.99", "0.1", "256"),
        ("0.999", "100", "256.1"),
    ];
    for (q, sigma, alpha) in points {
        for direction in Direction::BOTH {
            let found = log_moment((q, sigma, alpha), direction);
            let narrow = found.lo_f64() > 0.0 && found.width() < 1e-12 * found.hi_f64();
            assert!(narrow, "{q} {sigma} {alpha} {direction:?}: {found}");
        }
    }
    // Where a published accountant is 3.9e-4 too high: 6.4427e-9 is the truth.
    let found = log_moment(("1e-4", "1", "1.5"), Direction::Remove);
    assert!((found.hi_f64() / 6.4427e-9 - 1.0).abs() < 1e-4);
}

#[test]
fn sampling_rates_zero_and_one_are_exact() {
    let at = |q: &str| PoissonGaussian::new(exactly(q), exactly("2")).unwrap();
    assert!(at("0").rdp(&Interval::from(7)).hi_f64() == 0.0);
    let full = at("1").rdp(&Interval::from(7));
    assert_narrow(&full, &exactly("0.875"), 1e-35, "q = 1 is the Gaussian");
    assert!(PoissonGaussian::new(exactly("1.01"), one()).is_err());
    assert!(at("0.5").log_moment(&one(), Direction::Add).is_err());
}

#[test]
fn fixed_size_sampling_of_everything_costs_at_least_the_mechanism() {
    let base = gaussian("2");
    for alpha in [2, 8, 40] {
        let order = Interval::from(i64::from(alpha));
        let all = fixed_size_rdp_upper(&base, &one(), alpha).unwrap();
        assert!(all.upper >= *base.rdp(&order).hi());
        let part = fixed_size_rdp_upper(&base, &exactly("0.01"), alpha).unwrap();
        assert!(part.upper < all.upper);
    }
    // α = 2 by hand: ln(1 + γ² min{4(e^½·½ − 1), 2e^(1/4)}), D_2 = 2/(2·4) = 1/4.
    let gamma = exactly("0.1");
    let e = &Interval::from_f64(0.25);
    let factor = (&Interval::from(4) * &e.exp_m1()).min(&(&Interval::from(2) * &e.exp()));
    let expected = (&gamma.square() * &factor).ln_1p();
    let found = fixed_size_rdp_upper(&base, &gamma, 2).unwrap();
    assert!((found.upper.to_f64() - expected.hi_f64()).abs() < 1e-16);
    assert!(fixed_size_rdp_upper(&base, &gamma, 1).is_err());
    for beyond in ["-0.1", "1.1"] {
        assert!(fixed_size_rdp_upper(&base, &exactly(beyond), 2).is_err());
    }
    // Of much noise the other side of the minimum: D_2 = 2/(2·(1/4)) = 4 and 2e⁴ < 4(e⁴ − 1).
    let loud = fixed_size_rdp_upper(&gaussian("0.5"), &gamma, 2).unwrap();
    let expected = (&gamma.square() * &(&Interval::from(2) * &Interval::from(4).exp())).ln_1p();
    assert!((loud.upper.to_f64() - expected.hi_f64()).abs() < 1e-15);
}

#[test]
fn enclosures_are_monotone_in_their_parameters() {
    let delta = exactly("1e-5");
    let sigmas = ["0.5", "1", "2", "8"].map(|s| gaussian(s).epsilon(&delta).unwrap());
    assert!(sigmas.windows(2).all(|w| w[1].certainly_lt(&w[0])));
    let order = exactly("3.7");
    let rates = ["0.001", "0.01", "0.3", "1"].map(|q| {
        let step = PoissonGaussian::new(exactly(q), one()).unwrap();
        step.rdp(&order)
    });
    assert!(rates.windows(2).all(|w| w[0].certainly_lt(&w[1])));
    // An interval argument covers all its points.
    let wide = gaussian("1").delta(&Interval::between(0.5, 1.5));
    assert!(wide.intersect(&about("0.1269367375066439458")).is_some() && wide.width() < 0.2);
}
