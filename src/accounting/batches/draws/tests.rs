//! Weights and shifts of draws against exact ones.

use super::*;
use rug::{Integer, Rational};

/// Pr(K = k) of the draws of one record, exactly.
fn chance(draws: u64, size: u64, k: u32) -> Rational {
    let ways = Integer::from(draws).binomial(k);
    let power = |x: u64, n: u64| Rational::from(rug::ops::Pow::pow(Integer::from(x), n as u32));
    ways * power(size - 1, draws - u64::from(k)) / power(size, draws)
}

/// What [`pairs`] says of its weights: those of more than 0 draws lie on the side asked for; and all together, with that of 0
/// draws, sum up exactly to no less than 1, or to no more, so that no half-line has less, or more, than it may.
#[test]
fn weights_of_pairs_are_rounded_so_that_half_lines_are_bounded() {
    let exact = |x: f64| Rational::from_f64(x).expect("finite");
    let cases = (2..40).flat_map(|size| [1, size / 2, size, 3 * size].map(|m| (m.max(1), size)));
    for (draws, size) in cases.chain([(30, 1000), (1000, 50_000)]) {
        let step = Step {
            mechanism: Event::Gaussian {
                sigma: 1.0,
                sensitivity: 0.1,
            },
            sampling: Sampling::WithReplacement { draws, size },
            count: 3,
        };
        for (side, delta) in [Side::Above, Side::Below].into_iter().zip([1e-3, 1e-9]) {
            let found = pairs(&step, Neighbouring::AddRemove, (delta, side));
            let Near { pairs, off, .. } = found.expect("in range").expect("Gaussian noise");
            let [removal, addition] = &pairs[..] else {
                panic!("one pair a direction");
            };
            let above = side == Side::Above;
            for (mixture, at_least_1) in [(&removal.p, above), (&addition.q, !above)] {
                let parts = mixture.components();
                let kept: Rational = (0..=parts.len() as u32)
                    .map(|k| chance(draws, size, k))
                    .sum();
                assert!(
                    !above || exact(off) >= Rational::from(1) - &kept,
                    "{draws} of {size}"
                );
                assert!(above || off == 0.0, "{draws} of {size}: {off}");
                let mut total = exact(mixture.rest());
                for (k, part) in (1u32..).zip(parts) {
                    let weight = exact(part.weight);
                    let (least, shift) = (chance(draws, size, k), exact(part.shift.abs()));
                    let far = exact(0.1) * (2 * k);
                    let right = match above {
                        true => weight >= least / &kept && shift >= far,
                        false => weight <= least && shift <= far,
                    };
                    assert!(right, "{draws} of {size}, {k}: {weight}");
                    total += weight;
                }
                let right = if at_least_1 { total >= 1 } else { total <= 1 };
                assert!(right, "{draws} of {size}, {side:?}: {}", total.to_f64());
            }
        }
    }
}

/// The premise of the bounds: no weight is too small from one side, none too large from the other, nor a shift.
#[test]
fn mixtures_of_draws_lie_on_either_side_of_the_truth() {
    let exact = |x: f64| Rational::from_f64(x).expect("finite");
    for (draws, size) in [(1, 2), (7, 5), (30, 1000), (16, 3), (40, 41)] {
        let all = Draws::new((draws, size), 1e-60).expect("few draws");
        let (truth, delta) = (|k| chance(draws, size, k), 0.1);
        for side in [Side::Above, Side::Below] {
            for grown in [true, false] {
                let mixture = all.mixture(delta, side, grown).expect("weights");
                let parts = mixture.components().iter().map(|c| (c.weight, c.shift));
                let all = [(mixture.rest(), 0.0)].into_iter().chain(parts);
                for (k, (weight, shift)) in (0u32..).zip(all) {
                    let (weight, far) = (exact(weight), exact(delta) * (2 * k));
                    let told = format!("{draws}, {size}, {k}: {weight}");
                    assert!(
                        if grown {
                            weight >= truth(k)
                        } else {
                            weight <= truth(k)
                        },
                        "{told}"
                    );
                    assert!(if side == Side::Above {
                        exact(shift) >= far
                    } else {
                        exact(shift) <= far
                    });
                }
            }
        }
    }
}

#[test]
fn a_product_is_exact_where_all_of_its_bits_fit() {
    for (a, b, fits) in [
        (0.5, 0.375, true),
        (0.0, 0.1, true),
        (0.1, 0.1, false),
        // All of these bits would fit, but what is lost in others of such a size is below all doubles.
        (2f64.powi(-500), 2f64.powi(-500), false),
    ] {
        assert_eq!(is_exact(a, b), fits, "{a} {b}");
    }
}
