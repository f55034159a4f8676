//! Sensitivities against all patterns, sums of many numbers, and the numbers that they are made of.

use super::*;
use crate::accounting::steady;

fn subsets(n: usize, k: usize, b: usize) -> Vec<Vec<usize>> {
    let all = (0..1u32 << n).map(|set| (0..n).filter(|j| set >> j & 1 == 1).collect::<Vec<_>>());
    let admissible = |set: &Vec<usize>| {
        !set.is_empty() && set.len() <= k && set.windows(2).all(|w| w[1] - w[0] >= b)
    };
    all.filter(admissible).collect()
}

/// All admissible sets and all signs, of which the best is the truth where contributions are
/// numbers.
fn brute(strategy: &Strategy, k: usize, b: usize) -> f64 {
    let n = strategy.steps();
    let value = |set: &Vec<usize>, signs: u32| -> f64 {
        let row = |i: usize| -> f64 {
            let each = set.iter().enumerate();
            each.map(|(at, j)| {
                let sign = if signs >> at & 1 == 1 { -1.0 } else { 1.0 };
                sign * strategy.entry(i, *j)
            })
            .sum()
        };
        (0..n).map(|i| row(i).powi(2)).sum::<f64>().sqrt()
    };
    let sets = subsets(n, k, b);
    let each = sets
        .iter()
        .flat_map(|set| (0..1 << set.len()).map(move |signs| value(set, signs)));
    each.fold(0.0, f64::max)
}

/// A strategy is banded from the first distance on at which no row has a part in both columns,
/// however it is written.
#[test]
fn a_band_is_as_wide_however_it_is_written() {
    let list = vec![1.0, 0.5, 0.25, 0.0, 0.0];
    let row = |i: usize| {
        (0..5)
            .map(|j| i.checked_sub(j).map_or(0.0, |lag| list[lag]))
            .collect()
    };
    let matrix = Strategy::Matrix((0..5).map(row).collect());
    for separation in 1..6 {
        let wide = separation >= 3;
        assert_eq!(Strategy::Toeplitz(list.clone()).is_banded(separation), wide);
        assert_eq!(matrix.is_banded(separation), wide, "{separation}");
    }
}

#[test]
fn sensitivities_meet_all_patterns_tried_out() {
    let falling = Strategy::Toeplitz(vec![1.0, 0.5, 0.375, 0.3125, 0.27, 0.24, 0.22]);
    let banded = Strategy::Toeplitz(vec![1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let ones = (0..6).map(|i| {
        (0..6)
            .map(|j| f64::from(u8::from(j <= i)) * (1.0 + 0.3 * j as f64))
            .collect()
    });
    let rows = Strategy::Matrix(ones.collect());
    let signed = Strategy::Toeplitz(vec![1.0, -0.7, 0.4, -0.2, 0.1]);
    for (strategy, exact) in [
        (falling, true),
        (banded, true),
        (rows, false),
        (signed, false),
    ] {
        for (k, b) in [(1, 1), (2, 1), (2, 2), (3, 2), (6, 1), (2, 3)] {
            let found = sensitivity(&strategy, k as u64, b as u64).expect("a strategy");
            let truth = brute(&strategy, k, b);
            assert!(
                truth <= found.hi * (1.0 + 1e-12),
                "{strategy:?} {k} {b}: {found:?} {truth}"
            );
            assert!(
                found.lo <= truth * (1.0 + 1e-12),
                "{strategy:?} {k} {b}: {found:?} {truth}"
            );
            if k == 1 || (exact && (b > 1 || strategy.falls())) {
                assert!(found.width() < 1e-9, "{strategy:?} {k} {b}: {found:?}");
            }
        }
    }
}

/// As many participations as there are steps: what every sum is rounded by adds up to more than
/// 10⁻¹² of it.
#[test]
fn sums_of_many_numbers_are_rounded_to_their_side() {
    let exact = |x: f64| rug::Rational::from_f64(x).expect("finite");
    let numbers: Vec<f64> = (0..60_000).map(|i| 0.1 + 1e-7 * f64::from(i % 7)).collect();
    for (k, b) in [(60_000, 1), (20_000, 1), (30_000, 2), (200, 3)] {
        let ends = [Side::Below, Side::Above].map(|side| heaviest(&numbers, k, b, side));
        assert!(ends[1] - ends[0] <= 1e-10 * ends[1], "{k} {b}: {ends:?}");
        if k == numbers.len() {
            let truth: rug::Rational = numbers.iter().map(|x| exact(*x)).sum();
            assert!(ends[0] <= truth && truth <= ends[1], "{ends:?}");
        }
    }
    // All ways to find the sums are one where there is nothing to choose.
    let few = &numbers[..40];
    let plain = rows(few, 20, 2, |x, y| x + y)[20];
    for side in [Side::Below, Side::Above] {
        let free = heaviest(few, 20, 2, side);
        assert!((free - plain).abs() <= 1e-13, "{free} {plain}");
    }
}

/// Toeplitz matrices of one band, or that fall, are done in one pass.
#[test]
fn one_pass_adds_up_what_all_rows_do() {
    let list: Vec<f64> = (0..3000).map(|i| 1.0 / (1.0 + f64::from(i))).collect();
    for (k, b) in [(1500, 2), (40, 7), (2000, 1), (1, 5)] {
        let strategy = Strategy::Toeplitz(list.clone());
        let steps: Vec<usize> = (0..list.len()).step_by(b).take(k).collect();
        let (slow, fast) = (
            strategy.square_of_sum(&steps),
            toeplitz::square_of_sum(&list, k, b),
        );
        assert!(slow.lo <= fast.hi && fast.lo <= slow.hi && fast.width() <= 1e-9 * fast.hi);
        let slow = steps.iter().map(|j| strategy.product(*j, *j));
        let slow = slow.fold(Enclosure::point(0.0), |sum, x| sum + x);
        let fast = toeplitz::sum_of_squares(&list, k, b);
        assert!(slow.lo <= fast.hi && fast.lo <= slow.hi && fast.width() <= 1e-9 * fast.hi);
    }
}

/// Signs that nearly cancel: the rounding of every product shows.
#[test]
fn products_of_columns_enclose_the_truth() {
    let exact = |x: f64| rug::Rational::from_f64(x).expect("finite");
    for size in 2..12 {
        let list = (0..size)
            .map(|i| (1.0 / (1.0 + f64::from(i * size % 7))) * if i % 2 == 0 { 1.0 } else { -0.9 });
        let list: Vec<f64> = list.collect();
        let strategy = Strategy::Toeplitz(list.clone());
        for i in 0..list.len() {
            for j in 0..=i {
                let rows = i..list.len();
                let truth: rug::Rational = rows
                    .map(|row| exact(list[row - i]) * exact(list[row - j]))
                    .sum();
                let found = strategy.product(i, j);
                assert!(
                    found.lo <= truth && truth <= found.hi,
                    "{list:?} {i} {j}: {found:?}"
                );
                assert!(found.width() <= 1e-13, "{list:?} {i} {j}: {found:?}");
            }
        }
    }
}

#[test]
fn what_is_no_strategy_is_refused() {
    let upper = Strategy::Matrix(vec![vec![1.0, 1.0], vec![0.0, 1.0]]);
    let ragged = Strategy::Matrix(vec![vec![1.0], vec![0.0, 1.0]]);
    let endless = Strategy::Toeplitz(vec![1.0, f64::INFINITY]);
    for bad in [upper, ragged, endless, Strategy::Toeplitz(Vec::new())] {
        assert!(sensitivity(&bad, 1, 1).is_err(), "{bad:?}");
    }
    let good = Strategy::Toeplitz(vec![1.0, 0.5]);
    assert!(sensitivity(&good, 0, 1).is_err() && sensitivity(&good, 1, 0).is_err());
}

#[test]
fn sensitivities_are_what_they_were() {
    let list: Vec<f64> = (0..30).map(|i| 1.0 / f64::from(1 + i)).collect();
    let signed: Vec<f64> = list
        .iter()
        .zip([1.0, -0.9].iter().cycle())
        .map(|(a, b)| a * b)
        .collect();
    let row = |i: usize| {
        (0..12).map(move |j| {
            if j <= i {
                1.0 + 0.1 * (i * j % 5) as f64
            } else {
                0.0
            }
        })
    };
    let strategies = [
        Strategy::Toeplitz(list),
        Strategy::Toeplitz(signed.clone()),
        Strategy::Matrix((0..12).map(|i| row(i).collect()).collect()),
        Strategy::Toeplitz([&signed[..2], &[0.0; 10]].concat()),
    ];
    let mut found = Vec::new();
    for strategy in &strategies {
        for (k, b) in [(1, 1), (2, 1), (3, 2), (4, 5), (40, 3), (9, 1)] {
            let ends = sensitivity(strategy, k, b).expect("a strategy");
            found.extend([ends.lo, ends.hi]);
        }
        let gram = Gram::new(strategy, false);
        let (i, b) = (5, 2);
        let k = strategy.steps().div_ceil(b).min(4);
        found.extend([around(&gram, i, k, b), around(&gram, i, k, 1)]);
        found.extend([attained(strategy, k, b), strategy.width() as f64]);
        let end = strategy.product(3, 1);
        found.extend([end.lo, end.hi]);
        let (each, moduli) = (Gram::new(strategy, true), gram);
        for gram in [each, moduli] {
            found.extend([gram.upper(4, 2), gram.lower(4, 2)]);
            let bins = gram.binned(4);
            found.extend([bins.upper(1, 3), bins.lower(2, 2)]);
            let split = bins.split(1.5);
            found.extend([split.classes as f64, split.common, split.own]);
            found.push(steady::mark(&gram.projected(&[0, 3, 4, 9])));
            found.extend(gram.near(6, 2).map(|j| j as f64));
        }
    }
    let marks: Vec<f64> = found.chunks(20).map(steady::mark).collect();
    steady::holds(
        &marks,
        "4469049087412965.0 8152776333100769.0 5605585407042023.0 5027148172225243.0
     5648577780266578.0 3318803033848675.0 4297835911510999.0 3414039437212347.0
     6352808029292874.0 6607582569878991.0 760804329491973.0",
    );
}

/// What would take too long is refused with its size, and sizes beyond all that there are mean all
/// steps.
#[test]
fn numbers_of_participations_beyond_the_steps_are_all_of_them() {
    let list: Vec<f64> = (0..6).map(|i| 1.0 / f64::from(1 + i)).collect();
    let strategy = Strategy::Toeplitz(list);
    let of = |k: u64, b: u64| sensitivity(&strategy, k, b).expect("a strategy");
    assert_eq!(of(u64::MAX, 1), of(6, 1));
    assert_eq!(of(9, u64::MAX), of(1, 1));
    assert_eq!(of(3, 3), of(2, 3));
    let signs: Vec<f64> = (0..2049)
        .map(|i| if i % 2 == 0 { 1.0 } else { -0.5 })
        .collect();
    let told = sensitivity(&Strategy::Toeplitz(signs), 2, 1).expect_err("too long");
    assert!(told.to_string().contains("2.049e3 steps"), "{told}");
}

/// Where all splits take too long, the largest products count whether or not they keep their distance.
#[test]
fn of_many_steps_what_is_moved_along_is_no_less_than_the_best_split() {
    let moved = |n: usize| {
        let list = (0..n).map(|l| if l < 12 { 1.0 / (1.0 + l as f64) } else { 0.0 });
        let gram = Gram::new(&Strategy::Toeplitz(list.collect()), true);
        let sum = |lags: [usize; 3]| lags.iter().map(|lag| gram.upper(0, *lag)).sum::<f64>();
        (around(&gram, 0, 3, 2), sum([0, 2, 4]), sum([0, 2, 3]))
    };
    let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
    let ((few, apart, _), (many, _, any)) = (moved(50), moved(8_200));
    assert!(near(few, apart) && near(many, any) && any > apart + 1e-3);
}
