//! Sums of few terms against what they are sums of, and the numbers that they are made of.

use super::super::gaussian::Gaussian;
use super::super::steady;
use super::*;
use crate::units::{Epsilon, Sensitivity, StdDev};
use rug::{Float, Rational};

/// A sum of hardly anything, on a scale of 1: its logarithm is what is rounded.
#[test]
fn the_logarithm_of_a_sum_is_enclosed() {
    for k in 1..120 {
        let lambda = 10f64.powi(k) * (1.0 + f64::from(k) / 50.0);
        let contour = Contour {
            lambda,
            step: 0.25,
            terms: vec![(Complex::default(), 0.0), (Complex::new(-1e4, 0.0), 0.0)],
            tail: f64::NEG_INFINITY,
            right: (2.0 * lambda, f64::NEG_INFINITY),
        };
        let found = contour.log_delta(0.0);
        let exact = Float::with_val(300, lambda);
        let denominator = Float::with_val(300, rug::float::Constant::Pi) * &exact * (exact + 1);
        let truth: Float = Float::with_val(300, 0.125 / denominator).ln();
        assert!(
            found.lo <= truth && truth <= found.hi,
            "{lambda}: {found:?}, {truth}"
        );
    }
}

#[test]
fn all_terms_are_at_multiples_of_one_step() {
    let exact = |x: f64| Rational::from_f64(x).expect("finite");
    for period in [1e-3, 0.7, 3.0, 1e9 / 3.0, 1e300] {
        let step = round_down(2.0 * std::f64::consts::PI / period);
        for k in [3, 12_345_677, (1 << 26) - 1] {
            assert_eq!(exact(k as f64 * step), exact(step) * k, "{period}, {k}");
        }
    }
}

/// Aliases to the right fall by e^{-(right - lambda)·period} from one to the next, those to the left by e^{-lambda·period}.
#[test]
fn all_aliases_are_counted_however_slowly_they_fall() {
    for (lambda, other, step) in [(3.0, 3.1, 1.25), (3.0, 9.0, 1.25), (0.05, 9.0, 1.0)] {
        let contour = Contour {
            lambda,
            step,
            terms: Vec::new(),
            tail: f64::NEG_INFINITY,
            right: (other, 1.5),
        };
        let (epsilon, scale) = (0.25, 0.5);
        let period = 2.0 * std::f64::consts::PI / step;
        let each = (1..1000).map(f64::from).map(|k| {
            let right = 1.5 - other * epsilon - k * (other - lambda) * period - scale;
            exp(right) + exp(-k * lambda * period - scale)
        });
        let (truth, found) = (each.sum::<f64>(), contour.aliases(epsilon, scale));
        assert!(
            found >= truth && found <= 3.0 * truth,
            "{lambda}, {other}: {found}, {truth}"
        );
    }
}

/// A sum that is cut off early, and terms so far apart that their aliases are as large as what is wanted: nothing hides
/// behind the accuracy that is otherwise aimed at.
#[test]
fn a_coarse_sum_is_known_as_roughly_as_it_is() {
    let (pair, one) = (Pair::gaussian(1.0, 1.0), 1.0);
    let noise = Gaussian::new(
        Sensitivity::new(one).expect("in range"),
        StdDev::new(one).expect("in range"),
    );
    let mut moments = Composition::new(&[(pair.clone(), 1)]).moments();
    for (lambda, other) in [(1.0, 1.3), (1.0, 2.5), (3.0, 4.5), (6.0, 6.3)] {
        let right = (other, moments.upper(other) + chernoff_factor(other));
        let grid = Nodes::new(&pair, lambda, 60.0, 40.0).expect("small");
        let lines = [(grid.tilt(lambda), one)];
        for step in [0.05, 0.5, 1.0, 2.5] {
            for goal in [0.0, -2.0, -30.0] {
                let contour = Contour::sum_terms(lambda, step, 60.0, right, &lines, |_| goal);
                let contour = contour.expect("few terms");
                for epsilon in [0.5, 2.0, 4.2, 6.0] {
                    let truth = noise.delta(Epsilon::new(epsilon).expect("in range"));
                    let found = contour.log_delta(epsilon);
                    assert!(
                        found.lo <= ln(truth.hi) && ln(truth.lo) <= found.hi,
                        "{lambda}, {other}, {step}, {goal}, {epsilon}: {found:?}, {truth:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn what_ends_are_made_of_is_what_it_was() {
    let mut found = Vec::new();
    let sampled = [Pair::removal(0.01, 1.0), Pair::addition(0.01, 1.0)];
    for (parts, epsilon, lambda) in [
        (vec![(Pair::gaussian(1.0, 1.0), 1)], 2.0, 3.0),
        (
            vec![(sampled[0].clone(), 300), (Pair::gaussian(0.3, 1.0), 4)],
            1.5,
            8.0,
        ),
        (vec![(sampled[1].clone(), 50)], 0.5, 20.0),
    ] {
        let all = Composition::new(&parts);
        let mut moments = all.moments();
        let near = moments.upper(lambda) - lambda * epsilon + chernoff_factor(lambda);
        found.push(near);
        let contour = Contour::new(&all, &mut moments, lambda, epsilon, near - 3.0);
        let contour = contour.expect("few terms");
        let (other, bound) = contour.right;
        found.extend([contour.step, contour.tail, other, bound]);
        found.push(contour.terms.len() as f64);
        let last = contour.terms.last().expect("there is one");
        found.extend([last.0.re, last.0.im, last.1, contour.terms[0].1]);
        for at in [0.0, epsilon, 2.0 * epsilon] {
            let (sum, error) = contour.sum(at);
            let log = contour.log_delta(at);
            found.extend([sum, error, contour.aliases(at, 0.5), log.lo, log.hi]);
        }
    }
    steady::holds(
        &found,
        "-2.249340578475188 0.5871807932853699 -20.219278899802163 6.0 18.12918577198127 21.0
         -24.083924220579657 0.0 inf 4.422123032192592e-14 0.0009491759880516827
         8.511680907510148e-11 5.183544290143225e-7 -0.9599186522640637 -0.9599162410860465
         0.0209236358228987 8.511687086257865e-11 3.1918174385671407e-12 -3.8668758627000974
         -3.8668758543126165 0.019010537826345316 8.51168918898493e-11 6.9573636190852085e-15
         -9.962761835843445 -9.962761826645279 2.096500041533277 0.08073708415031433
         -9.730968782443604 8.4 22.10234927592051 145.0 -14.712251430309104
         14.889366878715112 4.5414790606470594e-10 1.3954629351935735e-12 8.20786825020378e-9
         5.798646537402061e-14 7.287480964780757e-5 -1.3826695081051472 -1.3821766311996857
         2.3299142700879306e-5 5.798747673751786e-14 2.457349683173999e-10 -5.431105182929359
         -5.431105085415126 0.0009191265114406893 5.800177343935478e-14 8.286220567269809e-16
         -13.756097880246195 -13.756097878832556 -12.768896049143613 3.4435806274414063
         -23.28429573079231 40.0 -0.7106510547449951 63.0 -25.203055584607405
         52.63470038808639 1.6886583584190361e-10 2.947242666903048e-12 0.010155454605383182
         9.354162043082885e-14 1.2825660276242788e-16 -3.3383146463385684 -3.3383146463201263
         6.559428919405191e-13 9.349926733139999e-14 8.600182418978044e-17 -inf
         -36.66801758079772 1.1052938139832996e-8 9.35397682707277e-14 8.600182410268685e-17
         -inf -37.069131414500276",
    );
}

/// Where Chernoff's bound is enough, and where it is not.
#[test]
fn a_bound_by_moments_alone_decides_what_it_can() {
    let all = Composition::new(&[(Pair::gaussian(1.0, 1.0), 4)]);
    let delta = Delta::new(1e-5).expect("in range");
    // The ε of μ = 2 at this δ is 9.997, and that of moments 10.725.
    assert!(all.is_within(10.73, delta) && !all.is_within(10.72, delta));
}

/// All the way, where many draws, few, or rare ones are composed.
#[test]
fn ends_and_what_they_cost_are_what_they_were() {
    let mut found = vec![
        upwards(-3.5, 2.0),
        upwards(1e3, 1e3),
        chernoff_factor(0.01),
        chernoff_factor(40.0),
    ];
    let sampled = [Pair::removal(0.02, 1.0), Pair::addition(0.02, 1.0)];
    for parts in [
        vec![(Pair::gaussian(1.0, 1.0), 1), (Pair::gaussian(1.0, 1.0), 2)],
        vec![(sampled[0].clone(), 400), (Pair::gaussian(0.3, 1.0), 4)],
        vec![(sampled[1].clone(), 900), (sampled[0].clone(), 0)],
    ] {
        let all = Composition::new(&parts);
        found.push(all.parts.len() as f64);
        let mut moments = all.moments();
        found.extend([0.3, 4.0].map(|lambda| moments.upper(lambda)));
        for (delta, more) in [(1e-3, 1e-2), (1e-7, 1.1e-7)] {
            let [delta, more] = [delta, more].map(|d| Delta::new(d).expect("in range"));
            let own = all.epsilon(delta).expect("few terms");
            let apart = all.between(delta, more).expect("few terms");
            found.extend([own.lo, own.hi, apart.lo, apart.hi]);
        }
        for epsilon in [0.0, 0.5, 3.0] {
            let log = all.log_delta(epsilon).expect("few terms");
            found.extend([log.lo, log.hi]);
        }
    }
    steady::holds(
        &found,
        "-3.4999999999999942 1000.0000000000018 -0.05610153602158068 -4.701276570319168 1.0
         0.5850000000002448 30.000000000000203 6.283928362370872 6.283928368805615
         4.556615291402304 6.283928368805615 10.045290382294457 10.045290387437646
         10.002146193744778 10.045290387437646 -0.48853627199692146 -0.4885362718618684
         -0.6664439513111925 -0.6664439511721874 -2.311731934510284 -2.3117319343101976 2.0
         0.12206661138994654 6.9147467821287805 2.446121755716761 2.4461217582215897
         1.1013521001613342 2.4461217582215897 4.483605162982121 4.4836051652777265
         4.464348227724682 4.4836051652777265 -1.1865604513926036 -1.1865604512652341
         -1.860668109876197 -1.860668109729672 -9.059726372373396 -9.059726372149477 1.0
         0.10916670742121877 4.934779517557686 2.043902818018193 2.043902818541432
         1.482079089783821 2.043902818541432 3.4162096962165225 3.41620969643516
         3.4015371875126927 3.41620969643516 -1.217927411610934 -1.2179274114904108
         -1.9776361900017225 -1.9776361898723362 -12.726790953132028 -12.72679095290103",
    );
}

/// What is too dear says what it would have taken.
#[test]
fn a_sum_that_falls_too_slowly_is_refused_with_its_cost() {
    let cost = |rate: f64, sigma: f64| {
        let all = Composition::new(&[(Pair::removal(rate, sigma), 1)]);
        match all.epsilon(Delta::new(1e-6).expect("in range")) {
            Err(AccountError::TooCostly { needed, limit, .. }) => needed / limit,
            _ => 0.0,
        }
    };
    steady::holds(&[cost(1e-4, 1.0), cost(1e-3, 0.5)], "1.407936 1.8040576");
}
