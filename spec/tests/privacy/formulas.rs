//! Printed formulas once more, in doubles: every constant, sign and exponent of the closed forms, at
//! points where a change of any of them would be seen.

use dp_assay_spec::arith::Interval;
use dp_assay_spec::privacy::compose::{self, RenyiSum};
use dp_assay_spec::privacy::convert::{
    pure_to_zcdp, rdp_to_delta, rdp_to_epsilon, rdp_to_epsilon_classic, zcdp_to_epsilon_classic,
};
use dp_assay_spec::privacy::laplace::{Laplace, discrete_laplace_pair};
use dp_assay_spec::privacy::subsampled::{PoissonGaussian, fixed_size_rdp_upper};
use dp_assay_spec::privacy::{ApproxDp, Gdp, Profile, Rdp, RenyiCurve, Zcdp};

const POINTS: [(f64, f64); 4] = [(0.03, 0.3), (0.4, 1e-5), (1.7, 0.01), (6.0, 1e-30)];

fn at(x: f64) -> Interval {
    Interval::from_f64(x)
}

/// Asserts that an enclosure is a narrow one of what doubles say.
fn assert_is(found: &Interval, expected: f64, what: &str) {
    let (lo, hi) = (found.lo_f64(), found.hi_f64());
    let room = 1e-11 * expected.abs().max(1e-3);
    let near = lo >= expected - room && hi <= expected + room;
    assert!(near, "{what}: [{lo}, {hi}] is not {expected}");
}

#[test]
fn conversions_are_their_printed_formulas() {
    for (x, delta) in POINTS {
        let pure = ApproxDp::pure(at(x)).unwrap();
        assert_is(
            &pure_to_zcdp(&pure).unwrap().rho,
            x * x / 2.0,
            "pure to zCDP",
        );
        let zcdp = Zcdp::new(at(x)).unwrap();
        let log = -delta.ln();
        let classic = zcdp_to_epsilon_classic(&zcdp, &at(delta)).unwrap();
        assert_is(&classic, x + 2.0 * (x * log).sqrt(), "zCDP to epsilon");
        for alpha in [1.25, 2.0, 17.0] {
            let rdp = Rdp::new(at(alpha), at(x)).unwrap();
            let classic = rdp_to_epsilon_classic(&rdp, &at(delta)).unwrap();
            assert_is(&classic, x + log / (alpha - 1.0), "RDP to epsilon");
            let tight = x + (1.0 - 1.0 / alpha).ln() - (alpha * delta).ln() / (alpha - 1.0);
            let found = rdp_to_epsilon(&rdp, &at(delta)).unwrap();
            assert_is(&found, tight.max(0.0), "RDP to epsilon, tight");
            for epsilon in [-0.5, 0.0, 0.7, 9.0] {
                let power = (alpha - 1.0) * (x - epsilon + (1.0 - 1.0 / alpha).ln());
                let found = rdp_to_delta(&rdp, &at(epsilon));
                assert_is(&found, (power.exp() / alpha).min(1.0), "RDP to delta");
            }
        }
    }
}

#[test]
fn composition_is_its_printed_formulas() {
    let part = |(epsilon, delta): (f64, f64)| ApproxDp::new(at(epsilon), at(delta)).unwrap();
    let parts = [(0.5, 0.1), (0.25, 0.01), (2.0, 0.2)].map(part);
    let sum = compose::basic(&parts).unwrap();
    assert_is(&sum.epsilon, 2.75, "basic, epsilon");
    assert_is(&sum.delta, 0.31, "basic, delta");
    assert!(compose::basic(&[(1.0, 0.5), (1.0, 0.6)].map(part)).is_err());
    for (epsilon, slack) in [(0.1, 1e-6), (1.3, 0.2)] {
        for k in [1, 7] {
            let found = compose::advanced(&part((epsilon, 0.001)), k, &at(slack)).unwrap();
            let k = k as f64;
            let spread = (2.0 * k * -f64::ln(slack)).sqrt() * epsilon;
            let drift = k * epsilon * (epsilon.exp() - 1.0);
            assert_is(&found.epsilon, spread + drift, "advanced, epsilon");
            assert_is(&found.delta, k * 0.001 + slack, "advanced, delta");
        }
    }
    let zcdp = [0.25, 1.5].map(|rho| Zcdp::new(at(rho)).unwrap());
    assert_is(&compose::zcdp(&zcdp).rho, 1.75, "zCDP");
    let gaussian = [0.3, 0.4, 1.2].map(|mu| Gdp::new(at(mu)).unwrap());
    assert_is(&compose::gaussian(&gaussian).mu, 1.3, "Gaussian DP");
    let [a, b, _] = &gaussian;
    let sum = RenyiSum {
        parts: vec![(a, 3), (b, 2)],
    };
    let expected = 3.5 / 2.0 * (3.0 * 0.09 + 2.0 * 0.16);
    assert_is(&sum.rdp(&at(3.5)), expected, "a sum of curves");
}

#[test]
fn mechanisms_are_their_printed_formulas() {
    for (epsilon, delta) in POINTS {
        // Φ straight from erfc, not from the table of tails.
        let mu = 0.2 + delta;
        let gaussian = Gdp::new(at(mu)).unwrap();
        let phi = |x: f64| at(x).phi().lo_f64();
        let profile = phi(mu / 2.0 - epsilon / mu) - epsilon.exp() * phi(-mu / 2.0 - epsilon / mu);
        assert_is(
            &gaussian.delta(&at(epsilon)),
            profile.max(0.0),
            "Gaussian profile",
        );
        assert_is(&gaussian.rdp(&at(3.0)), 1.5 * mu * mu, "Gaussian curve");
    }
    for (own, leak) in [(0.2_f64, 0.0), (1.5, 0.25)] {
        let response = ApproxDp::new(at(own), at(leak)).unwrap();
        for share in [0.0, 0.3, 0.9] {
            let epsilon: f64 = share * own;
            let shared = (own.exp() - epsilon.exp()) / (1.0 + own.exp());
            let expected = leak + (1.0 - leak) * shared;
            assert_is(
                &response.delta(&at(epsilon)),
                expected,
                "randomised response",
            );
        }
        assert_is(
            &response.delta(&at(own + 0.1)),
            leak,
            "randomised response beyond its epsilon",
        );
    }
    let [own, alpha] = [0.7_f64, 2.5];
    let moment = ((alpha * own).exp() + ((1.0 - alpha) * own).exp()) / (1.0 + own.exp());
    let curve = ApproxDp::pure(at(own)).unwrap().rdp(&at(alpha));
    assert_is(
        &curve,
        moment.ln() / (alpha - 1.0),
        "randomised response, curve",
    );
    for a in [0.1, 1.0, 4.0_f64] {
        let laplace = Laplace::new(&at(2.0), &at(2.0 * a)).unwrap();
        assert_is(&laplace.kl(), a + (-a).exp() - 1.0, "Laplace, KL");
        for alpha in [1.5, 2.0, 9.0_f64] {
            let moment = alpha * ((alpha - 1.0) * a).exp() + (alpha - 1.0) * (-alpha * a).exp();
            let curve = (moment / (2.0 * alpha - 1.0)).ln() / (alpha - 1.0);
            assert_is(&laplace.rdp(&at(alpha)), curve, "Laplace, curve");
        }
        for (epsilon, inner) in [
            (-1.5, false),
            (-0.5, true),
            (0.0, true),
            (0.5, true),
            (1.0, true),
        ] {
            let epsilon = epsilon * a;
            let expected: f64 = if inner {
                1.0 - ((epsilon - a) / 2.0).exp()
            } else {
                1.0 - epsilon.exp()
            };
            assert_is(&laplace.delta(&at(epsilon)), expected, "Laplace, profile");
        }
        assert_is(
            &laplace.delta(&at(1.01 * a)),
            0.0,
            "Laplace, profile beyond its epsilon",
        );
        // P[k] = (1 − e^−a)/(1 + e^−a) e^−a|k|, summed over where the loss is that of k ≤ 0, k = 1, …, k ≥ 3.
        let pair = discrete_laplace_pair(&at(a), 3).unwrap();
        let mass = |k: f64| (1.0 - (-a).exp()) / (1.0 + (-a).exp()) * (-a * k).exp();
        let far: f64 = (3..2000).map(|k| mass(f64::from(k))).sum();
        let near: f64 = (0..2000).map(|k| mass(f64::from(k))).sum();
        for (p, expected) in pair.p().iter().zip([near, mass(1.0), mass(2.0), far]) {
            assert_is(p, expected, "discrete Laplace");
        }
        for (p, q) in pair.p().iter().zip(pair.q().iter().rev()) {
            assert_eq!(p, q);
        }
    }
}

#[test]
fn fixed_size_sampling_is_its_printed_sum_and_no_less_than_a_pair_of_it() {
    let sigma = 1.5;
    let base = Gdp::mechanism(&at(sigma), &at(1.0)).unwrap();
    for gamma in [0.01, 0.3, 1.0] {
        for alpha in [2_u32, 3, 8] {
            let curve = |j: f64| j / (2.0 * sigma * sigma);
            let choose =
                |j: u32| (0..j).fold(1.0, |c, i| c * f64::from(alpha - i) / f64::from(i + 1));
            let second = (4.0 * (curve(2.0).exp() - 1.0)).min(2.0 * curve(2.0).exp());
            let rest = |j: u32| 2.0 * (f64::from(j - 1) * curve(f64::from(j))).exp();
            let term = |j: u32| {
                choose(j) * f64::powi(gamma, j as i32) * if j == 2 { second } else { rest(j) }
            };
            let sum: f64 = 1.0 + (2..=alpha).map(term).sum::<f64>();
            let expected = sum.ln() / f64::from(alpha - 1);
            let found = fixed_size_rdp_upper(&base, &at(gamma), alpha)
                .unwrap()
                .upper;
            assert_is(
                &Interval::point(found.clone()),
                expected,
                "fixed-size sampling",
            );
            // The record that is replaced adds 1 on one side and nothing on the other.
            let pair = PoissonGaussian::new(at(gamma), at(sigma)).unwrap();
            let least =
                pair.log_moment_integer(alpha).unwrap() / Interval::from(i64::from(alpha) - 1);
            assert!(found >= *least.lo(), "{found} is less than {least}");
        }
    }
}
