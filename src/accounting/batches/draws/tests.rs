//! Weights and shifts of draws against exact ones.

use super::*;
use crate::accounting::steady;
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

#[test]
fn pairs_of_draws_are_what_they_were() {
    let mut found = Vec::new();
    for (draws, size, sensitivity, count) in [
        (30, 1000, 0.5, 3),
        (30, 1000, 0.1, 3),
        (16, 3, 0.7, 1),
        (5, 2, 1.0, 100),
    ] {
        let step = Step {
            mechanism: Event::Gaussian {
                sigma: 1.25,
                sensitivity,
            },
            sampling: Sampling::WithReplacement { draws, size },
            count,
        };
        found.push(lost(&step, 1e-5));
        for (side, delta) in [(Side::Above, 1e-3), (Side::Below, 1e-9)] {
            let near = pairs(&step, Neighbouring::AddRemove, (delta, side));
            let Near { pairs, off, lack } = near.expect("in range").expect("Gaussian noise");
            let mixtures = pairs.iter().flat_map(|pair| [&pair.p, &pair.q]);
            let parts = mixtures.flat_map(|mixture| {
                let parts = mixture.components().iter();
                let each = parts.flat_map(|part| [part.shift, part.weight]);
                each.chain([mixture.rest()])
            });
            let parts: Vec<f64> = parts.collect();
            found.extend([off, lack, pairs[0].sigma, steady::mark(&parts)]);
        }
        let all = Draws::new((draws, size), 1e-14).expect("few draws");
        found.extend([all.weights.len() as f64, all.beyond]);
        for neighbours in [Neighbouring::AddRemove, Neighbouring::ReplaceOne] {
            let laws = all.laws(&step.mechanism, neighbours).expect("in range");
            for law in laws.expect("known of Gaussian noise") {
                let tails = [-0.5, 0.3].map(|epsilon| law.tails(epsilon));
                let tails = tails.map(|t| steady::mark(&[t.p, t.q, t.error, t.slack]));
                found.extend([tails[0], tails[1], law.infinite(), law.leak()]);
            }
        }
    }
    steady::holds(
        &found,
        "3.333333333333334e-14 2.0151798889791593e-15 2.8199664825478594e-14 1.25
         1500066745636347.0 0.0 0.0 1.25 3181026020777797.0 7.0 1.995227612850653e-15
         8482837201612402.0 3032350474978152.0 1.9952276128504533e-15 1.995227612850653e-15
         1684622299704745.0 0.0 0.0 0.0 6084315755672000.0 1059770689452156.0
         1.9952276128513676e-15 1.995227612851568e-15 3.333333333333334e-14
         2.0151798889791593e-15 inf 1.25 6885217022622809.0 0.0 0.0 1.25 1763748007413433.0
         7.0 1.995227612850653e-15 8482837201612402.0 8551710776957955.0
         1.9952276128504533e-15 1.995227612850653e-15 2102871573907822.0 0.0 0.0 0.0
         6481487073803654.0 6371778006360618.0 1.9952276128513676e-15 1.995227612851568e-15
         1e-13 0.0 inf 1.25 5862795714790958.0 0.0 0.0 1.25 4039147359814654.0 17.0 0.0
         4855562588318990.0 2117914580340727.0 0.0 0.0 2230382709453012.0 7049032007212548.0
         0.0 0.0 7035738067902720.0 3645127848465087.0 5e-324 1e-323 1e-15 0.0
         1.623146062001848e-13 1.25 5540064717892073.0 0.0 0.0 1.25 3777239721687841.0 6.0 0.0
         4560964459510809.0 3953258245507505.0 0.0 0.0 6605612024237505.0 425971702873005.0
         0.0 0.0 8888731319755062.0 2057101153883501.0 5e-324 1e-323",
    );
}

#[test]
fn draws_that_are_too_many_or_from_one_record_are_refused() {
    let said = |draws: u64, size: u64| {
        let found = Draws::new((draws, size), 1e-9);
        found.map_or_else(|why| why.to_string(), |_| String::new())
    };
    assert!(said(33, 2).contains("16 draws a record"));
    assert_eq!(said(32, 2), "");
    assert!(said(1, 1).contains("at least 2"));
}
