//! The exact law of report-noisy-max, against closed forms and independent quadrature.

use crate::decimals::{about, assert_narrow};
use dp_assay_spec::arith::{Interval, Rational, ratio};
use dp_assay_spec::privacy::selection::{
    GreedyRule, NoisyMax, Regulariser, ScoreLaw, TieRule, laplace_pair, level_sets,
};

/// Widths asked of the enclosures, relative to the value: the quadrature aims at 2⁻⁷² per piece.
const NARROW: f64 = 1e-18;

fn all(xs: &[(i64, u64)]) -> Vec<Rational> {
    xs.iter().map(|(n, d)| ratio(*n, *d)).collect()
}

fn law(scores: &[(i64, u64)], scales: &[(i64, u64)], absolute: bool) -> Vec<Interval> {
    NoisyMax::laplace(&all(scores), &all(scales), absolute)
        .unwrap()
        .law()
}

/// Asserts that the enclosure is narrow and meets the truth.
fn assert_is(found: &Interval, truth: &Interval) {
    assert_narrow(found, truth, NARROW, "probability");
}

#[test]
fn two_equal_scales_give_the_closed_form() {
    // P₁ = (2 + u) e^{−u}/4, u the gap in scales. With (2 − u) instead the enclosure misses it.
    for u in [0, 1, 2, 7, 30, 60] {
        let p = law(&[(0, 1), (u, 1)], &[(1, 1), (1, 1)], false);
        let gap = Interval::from(u);
        let quarter = Interval::from_f64(0.25);
        let closed = |sign: i64| {
            let linear = &Interval::from(2) + &(&Interval::from(sign) * &gap);
            &(&linear * &(-&gap).exp()) * &quarter
        };
        assert_is(&p[0], &closed(1));
        assert!(u == 0 || p[0].intersect(&closed(-1)).is_none());
    }
}

#[test]
fn two_unequal_scales_give_the_closed_form() {
    // P[X_a − X_c > x] = (a² e^{−x/a} − c² e^{−x/c}) / (2(a² − c²)), x ≥ 0.
    let (a, c) = (3, 1);
    for x in [0, 2, 40] {
        let p = law(&[(0, 1), (x, 1)], &[(a, 1), (c, 1)], false);
        let tail = |s: i64| {
            let exponent = &Interval::from(-x) / &Interval::from(s);
            &Interval::from(s * s) * &exponent.exp()
        };
        let truth = &(&tail(a) - &tail(c)) / &Interval::from(2 * (a * a - c * c));
        assert_is(&p[0], &truth);
    }
}

#[test]
fn five_heterogeneous_candidates_agree_with_independent_quadrature() {
    // Truths: 30-digit adaptive quadrature of the defining integral, one candidate at a time.
    let scores = [(1, 2), (-3, 4), (2, 1), (0, 1), (5, 4)];
    let scales = [(1, 1), (1, 3), (1, 2), (2, 1), (1, 10)];
    let absolute = [
        "0.1190851917616590197162",
        "0.01341332908788965305337",
        "0.4865641148065749662198",
        "0.3469991789726168951693",
        "0.03393818537125946584133",
    ];
    let signed = [
        "0.1049942232417927568569",
        "0.0002121348635372786884873",
        "0.6513118893229723264029",
        "0.1774459044575854434505",
        "0.06603584811411219460123",
    ];
    for (truths, is_absolute) in [(absolute, true), (signed, false)] {
        let p = law(&scores, &scales, is_absolute);
        for (found, truth) in p.iter().zip(truths) {
            assert_is(found, &about(truth));
        }
        let total: Interval = p.iter().cloned().sum();
        assert!(total.contains(1.0) && total.width() < NARROW);
    }
}

#[test]
fn scales_of_very_different_size_lose_no_accuracy() {
    // Fifteen scales 1, 10⁻¹, …, all scores equal: probabilities must still add to 1.
    let scales: Vec<_> = (0..15u32)
        .map(|k| Rational::from((1, 10u64.pow(k))))
        .collect();
    let scores = vec![ratio(7, 3); scales.len()];
    let p = NoisyMax::laplace(&scores, &scales, false).unwrap().law();
    let total: Interval = p.iter().cloned().sum();
    assert!(total.contains(1.0) && total.width() < 1e-17, "{total}");
    // The widest noise wins half the time, give or take the others' small positive parts.
    assert!(p[0].lo_f64() > 0.45 && p[0].hi_f64() < 0.5, "{}", p[0]);
}

#[test]
fn shifting_every_score_in_both_directions_exceeds_the_scale_s_epsilon() {
    // Gap 2 scales, shifts ±1 scale: each score is 1-DP, the loss of the loser is
    // ln((2 + 2)e^{−2}/((2 + 4)e^{−4})) = 2 − ln 1.5 = 1.5945…
    let pair = laplace_pair(
        &all(&[(0, 1), (2, 1)]),
        &all(&[(-1, 1), (1, 1)]),
        &all(&[(1, 1), (1, 1)]),
        false,
    )
    .unwrap();
    let expected = &Interval::from(2) - &Interval::from_f64(1.5).ln();
    assert_is(&pair.pure_epsilon(), &expected);
}

#[test]
fn a_common_shift_changes_nothing_for_signed_scores() {
    let pair = laplace_pair(
        &all(&[(0, 1), (1, 2), (3, 1)]),
        &all(&[(1, 3), (1, 3), (1, 3)]),
        &all(&[(1, 1), (2, 1), (1, 2)]),
        false,
    )
    .unwrap();
    let epsilon = pair.pure_epsilon();
    assert!(
        epsilon.contains(0.0) && epsilon.hi_f64() < 1e-17,
        "{epsilon}"
    );
}

#[test]
fn an_atom_at_zero_wins_exactly_when_all_scores_vanish() {
    // ℓ₁ at w = 0, ν = 5: coordinate 1 has score 0 except with probability e^{−500}; the others
    // have |g| = ν + x, so P[score = 0] = ½e^{−x} − ½e^{−(2ν+x)} for x ≥ 0. Ties go to index 1.
    let nu = ratio(5, 1);
    let sets = level_sets(
        GreedyRule::Subgradient,
        &Regulariser::L1(nu.clone()),
        &ratio(0, 1),
        &ratio(1, 1),
    )
    .unwrap();
    let quiet = ScoreLaw::of(&sets, &ratio(0, 1), &ratio(1, 100));
    let loud = ScoreLaw::of(&sets, &(nu + ratio(1, 2)), &ratio(1, 1));
    let p = NoisyMax::new(vec![quiet, loud.clone(), loud], TieRule::SmallestIndex)
        .unwrap()
        .law();
    let half = Interval::from_f64(0.5);
    let at_zero = &half * &(&half.clone() - &Interval::from(1)).exp();
    let at_zero = &at_zero - &(&half * &Interval::from_f64(-10.5).exp());
    // The first coordinate also wins with its own e^{−500}: below the width asked for.
    assert_is(&p[0], &at_zero.square());
    let total: Interval = p.iter().cloned().sum();
    assert!(total.contains(1.0) && total.width() < NARROW);
}

#[test]
fn ties_broken_at_random_are_shared_equally() {
    let certain = vec![ScoreLaw::point(&ratio(3, 7)); 5];
    let p = NoisyMax::new(certain.clone(), TieRule::Uniform)
        .unwrap()
        .law();
    for share in p {
        assert_is(&share, &Interval::from_rational(&ratio(1, 5)));
    }
    let p = NoisyMax::new(certain, TieRule::SmallestIndex)
        .unwrap()
        .law();
    assert!(p[0].contains(1.0) && p[0].width() == 0.0 && p[1].hi_f64() == 0.0);
}

#[test]
fn the_plateau_of_the_proximal_step_is_an_atom() {
    // GS-r, ℓ₁ with ν = ½ at w = 1, M = 1, g = ¼, b = ½ against |¾ + Lap(½)|: integrated over the
    // noise itself (not over scores) by 30-digit quadrature.
    let sets = level_sets(
        GreedyRule::Step,
        &Regulariser::L1(ratio(1, 2)),
        &ratio(1, 1),
        &ratio(1, 1),
    )
    .unwrap();
    let plateau = ScoreLaw::of(&sets, &ratio(1, 4), &ratio(1, 2));
    let other = ScoreLaw::folded_laplace(&ratio(3, 4), &ratio(1, 2));
    let p = NoisyMax::new(vec![plateau, other], TieRule::SmallestIndex)
        .unwrap()
        .law();
    assert_is(&p[0], &about("0.4582588425605442249391"));
    let total: Interval = p.iter().cloned().sum();
    assert!(total.contains(1.0) && total.width() < NARROW);
}

#[test]
fn without_a_regulariser_the_three_rules_are_one() {
    let (w, r) = (ratio(2, 3), ratio(3, 2));
    let rules = [
        GreedyRule::Subgradient,
        GreedyRule::Step,
        GreedyRule::Decrease,
    ];
    for regulariser in [Regulariser::None, Regulariser::Ridge(ratio(0, 1))] {
        let laws = rules.map(|rule| {
            let sets = level_sets(rule, &regulariser, &w, &r).unwrap();
            // |z|/r with z = 1 + Lap(3/4) is |2/3 + Lap(1/2)|.
            let this = ScoreLaw::of(&sets, &ratio(1, 1), &ratio(3, 4));
            let other = ScoreLaw::folded_laplace(&ratio(1, 1), &ratio(1, 1));
            let both = vec![this, other];
            NoisyMax::new(both, TieRule::SmallestIndex).unwrap().law()
        });
        let direct = law(&[(2, 3), (1, 1)], &[(1, 2), (1, 1)], true);
        for p in laws {
            assert_is(&p[0], &direct[0]);
        }
    }
}

#[test]
fn choosing_the_smallest_score_is_choosing_the_largest_negative() {
    let scores = [(ratio(1, 2), ratio(1, 1)), (ratio(-1, 3), ratio(2, 1))];
    let negated = scores
        .iter()
        .map(|(y, b)| ScoreLaw::laplace(y, b).negated());
    let mirrored = scores
        .iter()
        .map(|(y, b)| ScoreLaw::laplace(&Rational::from(-y), b));
    let [p, q] = [negated.collect(), mirrored.collect()]
        .map(|laws| NoisyMax::new(laws, TieRule::SmallestIndex).unwrap().law());
    assert_is(&p[0], &q[0]);
    // The smallest of two |z|: P = 1 − P[largest].
    let folded = scores
        .iter()
        .map(|(y, b)| ScoreLaw::folded_laplace(y, b).negated())
        .collect();
    let least = NoisyMax::new(folded, TieRule::SmallestIndex).unwrap().law();
    let largest = law(&[(1, 2), (-1, 3)], &[(1, 1), (2, 1)], true);
    assert_is(&least[0], &largest[1]);
}

#[test]
fn impossible_inputs_are_refused_by_name() {
    let e = NoisyMax::laplace(&all(&[(0, 1)]), &all(&[(0, 1)]), false).unwrap_err();
    assert_eq!(e.to_string(), "Laplace scale = 0 must be > 0");
    assert!(NoisyMax::laplace(&[], &[], true).is_err());
    let e = NoisyMax::laplace(&all(&[(0, 1)]), &[], true).unwrap_err();
    assert_eq!(
        e.to_string(),
        "scores and scales have different lengths [1, 0]"
    );
    let two = all(&[(0, 1), (1, 1)]);
    let e = laplace_pair(&two, &two[..1], &two, true).unwrap_err();
    assert_eq!(
        e.to_string(),
        "scores and shifts have different lengths [2, 1]"
    );
    let w = ratio(1, 1);
    let l1 = Regulariser::L1(ratio(1, 1));
    let e = level_sets(GreedyRule::Decrease, &l1, &w, &w).unwrap_err();
    assert!(e.to_string().contains("not piecewise affine"), "{e}");
}

#[test]
#[ignore = "the hardest family at full size: 7 s"]
fn forty_one_geometric_scales_stay_narrow() {
    for c in [2, 100] {
        let scale = |k| Rational::from((1, rug::Integer::from(rug::Integer::u_pow_u(c, k))));
        let scales: Vec<_> = (0..41u32).map(scale).collect();
        let shifts = scales.clone();
        let pair = laplace_pair(&vec![ratio(0, 1); 41], &shifts, &scales, false).unwrap();
        let clock = std::time::Instant::now();
        let epsilon = pair.pure_epsilon();
        eprintln!("c = {c}: {epsilon} in {:?}", clock.elapsed());
        assert!(epsilon.width() < 1e-15);
    }
}
