//! Conversions and composition theorems: identities, order between theorems, negative cases.

use crate::decimals::{assert_narrow, exactly};
use dp_assay_spec::arith::{Integer, Interval, Rational};
use dp_assay_spec::privacy::compose::{self, OptimalComposition, RenyiSum};
use dp_assay_spec::privacy::convert::{
    curve_to_delta_upper, curve_to_epsilon_upper, pure_to_zcdp, rdp_to_delta, rdp_to_epsilon,
    rdp_to_epsilon_classic, zcdp_to_epsilon_classic,
};
use dp_assay_spec::privacy::{ApproxDp, Gdp, Profile, Rdp, RenyiCurve, Zcdp};

fn pure(epsilon: &str) -> ApproxDp {
    ApproxDp::pure(exactly(epsilon)).unwrap()
}

#[test]
fn the_tight_rdp_conversion_lies_between_the_truth_and_the_classic_one() {
    // Gaussian with σ = 1 at δ = 1e-5: truth 4.37717…, tight RDP 4.728507067 (published), classic
    // zCDP 5.2985….
    let gaussian = Gdp::new(Interval::from(1)).unwrap();
    let delta = exactly("1e-5");
    let truth = gaussian.epsilon(&delta).unwrap();
    let tight = curve_to_epsilon_upper(&gaussian, &delta).unwrap();
    assert!(tight.upper > *truth.hi());
    assert!((tight.upper.to_f64() - 4.728_507_067).abs() < 1e-3);
    let zcdp = Zcdp::from(&gaussian);
    let classic = zcdp_to_epsilon_classic(&zcdp, &delta).unwrap();
    assert!(tight.upper < *classic.lo());
    let rdp = |alpha: &str| {
        let alpha = exactly(alpha);
        Rdp::new(alpha.clone(), gaussian.rdp(&alpha)).unwrap()
    };
    for alpha in ["1.5", "2", "5.3", "60"] {
        let (tight, classic) = (
            rdp_to_epsilon(&rdp(alpha), &delta).unwrap(),
            rdp_to_epsilon_classic(&rdp(alpha), &delta).unwrap(),
        );
        assert!(tight.certainly_lt(&classic) && truth.certainly_lt(&tight));
    }
}

#[test]
fn the_two_forms_of_the_rdp_conversion_are_inverse() {
    let rdp = Rdp::new(exactly("3.5"), exactly("0.7")).unwrap();
    let epsilon = rdp_to_epsilon(&rdp, &exactly("1e-6")).unwrap();
    assert_narrow(
        &rdp_to_delta(&rdp, &epsilon),
        &exactly("1e-6"),
        1e-34,
        "delta",
    );
    let far = rdp_to_delta(&rdp, &Interval::from(-100));
    assert!(far.contains(1.0) && far.width() == 0.0);
    assert!(rdp_to_epsilon(&rdp, &Interval::from(0)).is_err());
    assert!(Rdp::new(Interval::from(1), Interval::from(0)).is_err());
}

#[test]
fn zcdp_to_delta_meets_published_values() {
    // OpenDP's binary search over α at ρ = 1 evaluates the same theorem.
    let zcdp = Zcdp::new(Interval::from(1)).unwrap();
    let at = |epsilon: &str| curve_to_delta_upper(&zcdp, &exactly(epsilon)).unwrap();
    let back = curve_to_epsilon_upper(&zcdp, &Interval::point(at("4").upper)).unwrap();
    assert!((back.upper.to_f64() - 4.0).abs() < 1e-9);
    assert!(at("8").upper < at("4").upper);
}

#[test]
fn pure_dp_costs_half_its_square_and_no_less_near_order_one_of_small_epsilon() {
    let rho = pure_to_zcdp(&pure("0.5")).unwrap();
    assert!(rho.rho.contains(0.125) && rho.rho.width() == 0.0);
    // The exact curve of ε-DP stays below ρα at all orders, and a tenth less would not do.
    let exact = pure("0.01");
    let claimed = pure_to_zcdp(&exact).unwrap();
    for alpha in ["1.0001", "2", "10", "500"] {
        let alpha = exactly(alpha);
        assert!(exact.rdp(&alpha).certainly_le(&claimed.rdp(&alpha)));
    }
    let short = &claimed.rdp(&Interval::from(2)) * &exactly("0.9");
    assert!(short.certainly_lt(&exact.rdp(&Interval::from(2))));
    let leaky = ApproxDp::new(Interval::from(1), exactly("0.1")).unwrap();
    assert!(pure_to_zcdp(&leaky).is_err());
}

#[test]
fn optimal_composition_at_its_own_grid_is_the_printed_theorem() {
    // Kairouz, Oh and Viswanath: at ε = (k − 2i)ε₀,
    // δ_i = Σ_{l<i} C(k, l)(e^((k−l)ε₀) − e^((k−2i+l)ε₀))/(1 + e^ε₀)^k.
    let (k, e0) = (12u32, exactly("0.3"));
    let optimal = OptimalComposition::new(&[(pure("0.3"), k)]).unwrap();
    for i in [1i64, 3, 6] {
        let kk = i64::from(k);
        let power = |n: i64| (&Interval::from(n) * &e0).exp();
        let term = |l: i64| {
            let choose = Rational::from(Integer::from(k).binomial(l as u32));
            &Interval::from_rational(&choose) * &(&power(kk - l) - &power(kk - 2 * i + l))
        };
        let total = (&Interval::from(1) + &e0.exp()).powi(k);
        let printed = &(0..i).map(term).sum::<Interval>() / &total;
        let epsilon = &Interval::from(kk - 2 * i) * &e0;
        assert_narrow(&optimal.delta(&epsilon), &printed, 1e-32, "printed");
        // One term more (an off-by-one of the sum) is no longer the theorem.
        let wrong = &(0..=i - 1).skip(1).map(term).sum::<Interval>() / &total;
        assert!(optimal.delta(&epsilon).intersect(&wrong).is_none());
    }
}

#[test]
fn optimal_composition_beats_advanced_which_beats_basic_for_many_parts() {
    let part = pure("0.01");
    let delta = exactly("1e-6");
    let optimal = OptimalComposition::new(&[(part.clone(), 2000)]).unwrap();
    let best = optimal.epsilon(&delta).unwrap();
    let advanced = compose::advanced(&part, 2000, &delta).unwrap();
    let basic = compose::basic(&vec![part; 2000]).unwrap();
    assert!(best.certainly_lt(&advanced.epsilon));
    assert!(advanced.epsilon.certainly_lt(&basic.epsilon));
    assert!(
        basic.epsilon.contains(20.0) && best.width() < 1e-25,
        "{best}"
    );
    // √(2k ln(1/δ))ε + kε(e^ε − 1), evaluated once by hand: 2.5517…
    assert!(
        (advanced.epsilon.hi_f64() - 2.551_72).abs() < 1e-4,
        "{}",
        advanced.epsilon
    );
}

#[test]
fn different_parts_compose_like_their_groups() {
    let apart = [(pure("0.2"), 2), (pure("0.5"), 1), (pure("0.2"), 1)];
    let grouped = [(pure("0.2"), 3), (pure("0.5"), 1)];
    let [apart, grouped] = [&apart[..], &grouped[..]].map(|p| OptimalComposition::new(p).unwrap());
    for epsilon in ["0", "0.31", "0.9"] {
        let epsilon = exactly(epsilon);
        assert_narrow(
            &apart.delta(&epsilon),
            &grouped.delta(&epsilon),
            1e-30,
            "groups",
        );
    }
    assert!(
        apart.delta(&exactly("1.2")).hi_f64() < 1e-30,
        "1.1 is the sum"
    );
    // A leak of δ per part gives 1 − (1 − δ)^k beyond the sum of the ε.
    let leaky = ApproxDp::new(exactly("0.2"), exactly("0.01")).unwrap();
    let leaky = OptimalComposition::new(&[(leaky, 3)]).unwrap();
    let rest = &Interval::from(1) - &exactly("0.99").powi(3);
    assert_narrow(&leaky.delta(&Interval::from(1)), &rest, 1e-30, "leak");
    let many = vec![(pure("0.1"), 1); 21];
    assert!(OptimalComposition::new(&many).is_err());
}

#[test]
fn gaussian_composition_is_one_gaussian() {
    // Sixty rounds at σ = 20 and δ = 1/500: 0.9029396430055305 (another library answers ∞).
    let one = Gdp::new(exactly("0.05")).unwrap();
    let all = compose::gaussian(&vec![one.clone(); 60]);
    let epsilon = all.epsilon(&exactly("0.002")).unwrap();
    assert!((epsilon.hi_f64() - 0.902_939_643_005_530_5).abs() < 1e-15);
    let sum = RenyiSum {
        parts: vec![(&one, 60)],
    };
    let order = exactly("2.5");
    assert_narrow(&sum.rdp(&order), &all.rdp(&order), 1e-30, "rdp");
    let rho = compose::zcdp(&vec![Zcdp::from(&one); 60]);
    assert_narrow(&rho.rho, &Zcdp::from(&all).rho, 1e-30, "rho");
}
