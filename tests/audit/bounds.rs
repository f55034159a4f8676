//! The binomial bounds behind every reported ε, held against exact tails in 200-bit arithmetic.

use dp_assay::audit::interval::{epsilon_lower, rate_lower, rate_upper};
use rug::{Float, ops::Pow};

/// P[Bin(n, p) ≥ k] to 60 digits: fewer than 2¹² positive terms, each right to 2⁻¹⁸⁰ or better.
fn tail(n: u32, k: u32, p: f64) -> Float {
    let p = Float::with_val(200, p);
    let q = Float::with_val(200, 1 - &p);
    let mut sum = Float::with_val(200, 0);
    let mut choose = Float::with_val(200, 1);
    for i in 0..=n {
        if i >= k {
            let powers = p.clone().pow(i) * q.clone().pow(n - i);
            sum += powers * &choose;
        }
        choose = choose * (n - i) / (i + 1);
    }
    sum
}

#[test]
fn rates_are_clopper_pearson_rounded_to_the_safe_side() {
    for n in [1, 2, 7, 40, 333, 2000] {
        for k in [0, 1, n / 3, n / 2, n - 1, n] {
            for alpha in [0.4, 0.05, 1e-3, 1e-8] {
                let lower = rate_lower(u64::from(k), u64::from(n), alpha);
                assert!(
                    tail(n, k, lower) <= alpha || k == 0,
                    "{k} of {n} at {alpha}"
                );
                // Tight: what is larger by 10⁻⁶ of itself would have been allowed for no longer.
                let above = (lower * (1.0 + 1e-6)).next_up();
                assert!(
                    k == 0 || tail(n, k, above) > alpha,
                    "{k} of {n} at {alpha}: {lower}"
                );
                let upper = rate_upper(u64::from(k), u64::from(n), alpha);
                assert!(
                    upper == 1.0 || 1.0 - tail(n, k + 1, upper) <= alpha,
                    "{k} of {n}"
                );
            }
        }
    }
}

#[test]
fn the_bound_on_epsilon_is_the_ratio_of_both() {
    let [k0, k1, n] = [740, 260, 1000];
    let (delta, alpha) = (0.01, 1e-3);
    let ratio = (rate_lower(k0, n, alpha / 2.0) - delta) / rate_upper(k1, n, alpha / 2.0);
    let bound = epsilon_lower(k0, k1, n, delta, alpha);
    assert!(bound <= ratio.ln() && bound > ratio.ln() - 1e-12);
    assert_eq!(epsilon_lower(5, 5, 1000, 0.9, alpha), f64::NEG_INFINITY);
    assert_eq!(epsilon_lower(0, 0, 0, 0.0, alpha), f64::NEG_INFINITY);
}
