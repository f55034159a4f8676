//! To which unit the numbers of a column are rounded.
//!
//! A mechanism computed in floating point differs from the one on paper in its last bits, and there it tells its inputs apart
//! exactly: of two noisy values, or of two roundings of one likelihood ratio, each may be reachable
//! from one input only. An audit of the mechanism on paper must not see that; an audit of the bits
//! (`Audit::bits`) looks at nothing else so closely, and rounds nothing.
//!
//! So a real number is looked at to 2⁻³⁰ of the usual size of its column, or of its own where that is larger. Where sizes of several
//! orders are usual (a sentinel beside answers, constants beside noise) the least of them counts: what is larger is rounded to
//! a part of itself anyway.

/// The unit of rounding, as a part of the usual size of a column's numbers: 2⁻³⁰.
const RESOLUTION: f64 = 1.0 / (1 << 30) as f64;
/// Sizes are usual that one number in so many has. Of numbers whose density is bounded near 0, as that of noise is, as many are
/// smaller than one part in so many of the typical size.
const RARE: usize = 64;
/// The rest of a difference is less than this part of what was subtracted.
const REST: f64 = 1.0 / (1u64 << 46) as f64;
/// Whole numbers above this are sentinels rather than results, and leave no rests.
const RESULT: f64 = (1u64 << 40) as f64;

/// The least double above 0.
const LEAST: f64 = f64::from_bits(1);

/// The unit for numbers like these: 0, for none, if all are whole.
pub(super) fn unit(values: impl Iterator<Item = f64>) -> f64 {
    let finite = values.filter(|x| x.is_finite() && *x != 0.0);
    let mut sizes: Vec<f64> = finite.collect();
    if sizes.iter().all(|x| x.fract() == 0.0) {
        return 0.0;
    }
    for x in &mut sizes {
        *x = x.abs();
    }
    sizes.sort_unstable_by(f64::total_cmp);
    let sizes = without_rests(&sizes);
    let small = sizes[sizes.len() / RARE] * RARE as f64;
    below(sizes[sizes.len() / 2].min(small))
}

/// These sizes, in order, without what is left where two larger numbers that should be equal are subtracted: few units of their
/// last place. It is 0 on paper. The largest size is never left out.
fn without_rests(sizes: &[f64]) -> Vec<f64> {
    let results = sizes.iter().copied();
    let results: Vec<f64> = results
        .filter(|s| s.fract() != 0.0 || *s <= RESULT)
        .collect();
    let is_rest = |x: f64| {
        let larger = results.partition_point(|s| s * REST < x);
        let quarter_ulp = |s: f64| power(s) * (f64::EPSILON / 4.0);
        // Of all that are so much larger the smallest has the finest grid.
        let grid = results.get(larger).copied().map(quarter_ulp);
        grid.is_some_and(|grid| (x / grid).fract() == 0.0)
    };
    sizes.iter().copied().filter(|x| !is_rest(*x)).collect()
}

/// The power of two at a number or below; 0 below the normal ones.
fn power(size: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    f64::from_bits(size.to_bits() & EXPONENT)
}

/// 2⁻³⁰ of the power of two at a number or below, or the least double.
fn below(size: f64) -> f64 {
    (power(size) * RESOLUTION).max(LEAST)
}

/// A number rounded to a unit, a power of two, or to 2⁻³⁰ of itself if that is coarser; what rounds to nothing is +0, unlike
/// −0 itself.
pub(super) fn round(x: f64, unit: Option<f64>) -> f64 {
    match unit {
        Some(unit) if unit > 0.0 && x.is_finite() && x != 0.0 => {
            let unit = unit.max(below(x));
            (x / unit).round() * unit + 0.0
        }
        _ => x,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    /// Whether two numbers look the same in a column of these, each so many times.
    fn same(column: &[(f64, usize)], a: f64, b: f64) -> bool {
        let all = column.iter();
        let unit = unit(all.flat_map(|(x, times)| std::iter::repeat_n(*x, *times)));
        round(a, Some(unit)) == round(b, Some(unit))
    }

    /// Before, constants beside a constant were rounded to 2⁻³⁰ of the most frequent one, so that all of them looked like 0.
    #[test]
    fn constants_beside_a_sentinel_are_told_apart() {
        for sentinel in [1e12, 1e15 + 0.5, -f64::MAX, 1e30, 999.5] {
            for (a, b) in [(0.1, 0.2), (0.0, 1e-3), (-0.1, 0.1), (0.5, 0.25)] {
                if sentinel == 1e15 + 0.5 && a == 0.5 {
                    continue; // Four of its last places, which could be a rest.
                }
                let column = [(sentinel, 60), (a, 20), (b, 20)];
                assert!(!same(&column, a, b), "{sentinel}: {a} {b}");
                // Noise of another size in one answer of two changes nothing.
                let noise = |at: usize| (1e9 / (at as f64 + 0.3), 1);
                let column: Vec<_> = column.into_iter().chain((1..100).map(noise)).collect();
                assert!(!same(&column, a, b), "{sentinel} and noise: {a} {b}");
            }
        }
    }

    /// Before, whatever lies below the normal doubles looked like 0.
    #[test]
    fn constants_below_the_normal_doubles_are_told_apart() {
        let least = f64::from_bits(1);
        for (a, b) in [(1e-309, 2e-309), (9.0 * least, 10.0 * least)] {
            let noise = |at: usize| (1.0 / (at as f64 + 0.3), 1);
            let column: Vec<_> = [(a, 5), (b, 5)]
                .into_iter()
                .chain((1..90).map(noise))
                .collect();
            assert!(!same(&column, a, b), "{a:e} {b:e}");
        }
    }

    #[test]
    fn last_bits_are_not_told_apart() {
        // Sums of the same in another order, and what is left of a difference that is 0 on paper.
        let sum = 0.1 + 0.2;
        assert!(sum != 0.3 && same(&[(sum, 50), (0.3, 50)], sum, 0.3));
        let rest = sum - 0.3;
        let left = 33.3 * 3.0 - 99.9;
        assert!(rest != 0.0 && left != 0.0);
        assert!(same(&[(sum, 60), (rest, 40)], rest, 0.0));
        assert!(same(&[(100.0, 60), (left, 40), (0.7, 1)], left, 0.0));
        let noise = |at: usize| (1.0 / (at as f64 + 0.7), 1);
        let column: Vec<_> = (0..60).map(noise).chain([(2.0 * rest, 40)]).collect();
        assert!(same(&column, 2.0 * rest, 0.0));
        // Noise is looked at to 2⁻³⁰ of its size wherever it comes close to 0.
        let even: Vec<_> = (1..1000).map(|at| (f64::from(at) / 1000.1, 1)).collect();
        assert!(same(&even, 1e-9, 1.01e-9) && !same(&even, 1e-9, 1e-8));
    }

    /// Units and what is rounded to them, to the last bit, at their edges.
    #[test]
    fn units_and_what_is_rounded_to_them_are_what_they_were() {
        let mut found = Vec::new();
        let even = |n: u32, scale: f64| {
            (1..=n)
                .map(move |i| scale * (f64::from(i) + 0.25))
                .collect::<Vec<f64>>()
        };
        for column in [
            even(63, 1.0),
            even(64, 1.0),
            even(65, 1e-3),
            even(640, 1e6),
            [even(60, 1.0), vec![2_f64.powi(-50); 40]].concat(),
            [even(60, 1.0), vec![1.5 * 2_f64.powi(-50); 40]].concat(),
            [
                even(10, 1.0),
                vec![2_f64.powi(41); 3],
                vec![2_f64.powi(-6); 9],
            ]
            .concat(),
            [even(10, 1.0), vec![RESULT; 3], vec![2_f64.powi(-12); 9]].concat(),
            vec![1e-310, 2.5e-310],
            vec![f64::INFINITY, f64::NAN, 0.0, -0.75],
            vec![3.0, -7.0, 0.0],
            vec![],
        ] {
            found.push(unit(column.into_iter()));
        }
        for x in [0.3, -0.3, 1e9 + 0.3, 1e-12, -0.0, f64::INFINITY] {
            found.extend(
                [Some(2_f64.powi(-31)), Some(0.25), Some(0.0), None].map(|unit| round(x, unit)),
            );
        }
        steady::holds(
            &found,
            "2.9802322387695313e-8 2.9802322387695313e-8 2.9103830456733704e-11 0.0
                1.4901161193847656e-8 1.4901161193847656e-8 9.313225746154785e-10
                3.725290298461914e-9 5e-324 4.656612873077393e-10 0.0 0.0 0.2999999998137355
                0.25 0.3 0.3 -0.2999999998137355 -0.25 -0.3 -0.3 1000000000.5 1000000000.5
                1000000000.3 1000000000.3 0.0 0.0 1e-12 1e-12 -0.0 -0.0 -0.0 -0.0 inf inf inf
                inf",
        );
    }
}
