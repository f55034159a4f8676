//! The checked inputs of Theorem 4.1 of the random block coordinate descent paper, and its noise.

use dp_assay_spec::privacy::PrivacyError;
use dp_assay_spec::skgd::calibration::Hypotheses;
use dp_assay_spec::skgd::corrected::{Bound, CONVEX, STRONG, bites};
use dp_assay_spec::units::{Delta, Epsilon};

fn hypotheses(
    epsilon: f64,
    delta: f64,
    n: u64,
    k: u64,
    t: u64,
) -> Result<Hypotheses, PrivacyError> {
    let epsilon = Epsilon::new(epsilon).expect("a value of the quantity");
    let delta = Delta::new(delta).expect("a value of the quantity");
    Hypotheses::check(epsilon, delta, n, k, t)
}

#[test]
fn the_hypotheses_of_theorem_4_1_are_checked_with_precise_errors() {
    assert!(hypotheses(1.0, 1e-5, 100, 10, 3).is_ok());
    for (epsilon, delta, inner, words) in [
        (1.5, 1e-5, 10, "epsilon = 1.5 must lie in (0, 1]"),
        (0.0, 1e-5, 10, "epsilon = 0 must lie in (0, 1]"),
        (1.0, 0.0, 10, "delta = 0 must lie in (0, 1/3)"),
        (1.0, 0.4, 10, "delta = 0.4 must lie in (0, 1/3)"),
        (1.0, 1e-5, 0, "K = 0 must be at least 1"),
    ] {
        let error = hypotheses(epsilon, delta, 100, inner, 3).expect_err(words);
        assert_eq!(error.to_string(), words);
    }
}

#[test]
fn the_noise_scale_encloses_the_printed_formula_and_gives_the_transcript_shift_of_the_pair_w1()
-> Result<(), PrivacyError> {
    let (epsilon, delta, n, k, t, lipschitz) = (0.5_f64, 1e-5_f64, 100_u64, 10_u64, 3_u64, 3.0_f64);
    let h = hypotheses(epsilon, delta, n, k, t)?;
    let scale = h.scale(lipschitz)?;
    let printed = lipschitz * (12.0 * 30.0 * -delta.ln()).sqrt() / (100.0 * epsilon);
    // The double formula has seven roundings, each of at most 2⁻⁵³ relative.
    let tolerance = printed * 7.0 * f64::EPSILON;
    assert!((scale.lo_f64() - printed).abs() <= tolerance && scale.width() <= tolerance);
    // √(KT)·(2L/n)/σ is the shift of KT releases on W1.
    let shift = 30.0_f64.sqrt() * 2.0 * lipschitz / 100.0 / scale.lo_f64();
    assert!((h.transcript_shift().lo_f64() - shift).abs() <= shift * 16.0 * f64::EPSILON);
    assert!(h.scale(f64::NAN).is_err());
    Ok(())
}

/// Below the trivial bound at n and from there to 2n, and not at n − 1: found again from above, by halving.
fn found_again(at: impl Fn(u64) -> Bound, n: u64) {
    let below = |n: u64| at(n).corrected < at(n).trivial;
    let (mut no, mut yes) = (2, 1 << 30);
    while yes - no > 1 {
        let middle = u64::midpoint(no, yes);
        if below(middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    assert_eq!(yes, n);
}

#[test]
fn the_corrected_theorem_says_something_from_a_few_hundred_or_thousand_records_on() {
    let (n, ratio) = bites(|n| CONVEX.at(n));
    found_again(|n| CONVEX.at(n), n);
    assert_eq!(n, 303);
    // 4.9/13 but for the rounding of K.
    assert!((4.89 / 13.0..0.4).contains(&ratio), "{ratio}");
    for n in [n, 10 * n, 100 * n] {
        let bound = CONVEX.at(n);
        // The closed form of skgd-thm-4.2-cvx-public-K, and the least value over real K, from the other parameters.
        let (nf, reach) = (n as f64, CONVEX.radius / 2.0);
        let b = (4.0 * f64::from(CONVEX.features) * 2.0 * nf.ln()).sqrt() / nf;
        assert!(bound.corrected <= 4.9 * reach * b + 12.0 * b * b);
        assert!(bound.corrected >= 24f64.sqrt() * reach * b * (1.0 - 1e-12));
    }
    let (n, ratio) = bites(|n| STRONG.at(n));
    found_again(|n| STRONG.at(n), n);
    assert_eq!(n, 1655);
    assert!((1.5..1.6).contains(&ratio), "{ratio}");
    for n in [n, 10 * n, 100 * n] {
        let bound = STRONG.at(n);
        // 24K(T+1)·c·Σ², from the other parameters; σ² = 12·K·T·c.
        let a = 1.0 + 1.0 / (4.0 * STRONG.ridge);
        let per_step = bound.deviation.powi(2) / 12.0 / (bound.inner * bound.outer);
        let sum = f64::from(STRONG.features) / (0.25 + STRONG.ridge) * per_step;
        assert!(bound.corrected <= 24.0 * bound.inner * (bound.outer + 1.0) * sum * (1.0 + 1e-12));
        assert!(bound.inner >= 2.0 * a && bound.inner <= 3.0 * a);
    }
}
