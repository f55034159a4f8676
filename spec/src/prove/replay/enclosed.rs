//! Values, slopes and symbolic derivatives of expressions against the expression itself at 320 bits:
//! quotients of differences lie in what is said of slopes, whatever formula said it.

#![allow(clippy::erasing_op, reason = "what a product with 0 hides is tested")]

use super::{Range, derivative, is_total, mean_value, slope, value};
use crate::arith::{Interval, Rational, ratio};
use crate::prove::enclose::{Enclose, Fast};
use crate::prove::wengert::Wengert;
use crate::prove::{Expr, Fun, Node, symbols};
use rug::Float;
use rug::float::Constant;
use rug::ops::Pow;

const EXACT: u32 = 320;

/// The value at a point by one operation at a time; NaN where something is undefined.
fn real(e: &Expr, at: &[Float]) -> Float {
    let v = |a: &Expr| real(a, at);
    match e.node() {
        Node::Const(c) => Float::with_val(EXACT, c),
        Node::Pi => Float::with_val(EXACT, Constant::Pi),
        Node::Var(i) => at[*i].clone(),
        Node::Add(a, b) => v(a) + v(b),
        Node::Sub(a, b) => v(a) - v(b),
        Node::Mul(a, b) => v(a) * v(b),
        Node::Div(a, b) => v(a) / v(b),
        Node::Powi(a, n) => v(a).pow(*n),
        Node::Min(a, b) => v(a).min(&v(b)),
        Node::Max(a, b) => v(a).max(&v(b)),
        Node::Fun(fun, a) => {
            let a = v(a);
            match fun {
                Fun::Sqrt => a.sqrt(),
                Fun::Exp => a.exp(),
                Fun::ExpM1 => a.exp() - 1u32,
                Fun::Ln => a.ln(),
                Fun::Ln1p => (a + 1u32).ln(),
                Fun::Erf => a.erf(),
                Fun::Erfc => 1u32 - a.erf(),
                Fun::Phi => (a / Float::with_val(EXACT, 2).sqrt()).erf() / 2u32 + 0.5f64,
                Fun::Abs => a.abs(),
            }
        }
    }
}

/// Expressions in x and y that are defined for 1/8 ≤ x, y ≤ 4: every operation, alone and within others.
fn expressions() -> Vec<Expr> {
    let [x, y]: [Expr; 2] = symbols();
    let (both, apart) = (&x * &y, &x - &y);
    let smooth = [
        Expr::from(3) * &x,
        &x / 3 - 2,
        Expr::pi() * &y + &x,
        both.clone(),
        &x / &y,
        2 / (&x + &y.square()),
        1 - &both / (&x + 1),
        x.powi(3),
        x.powi(-2) + y.powi(-1),
        both.powi(0) + apart.powi(4) + apart.powi(5),
        (&x + &y).powi(1),
        both.sqrt(),
        apart.exp(),
        (&both / 9).exp_m1(),
        (&x / &y).ln(),
        (&apart / 8).ln_1p(),
        apart.erf(),
        (&x - 1).erfc(),
        (&x / &y).erfc(),
        (&apart * 2).phi(),
        (&both - 1).phi().ln(),
        &x * &x - &apart * &apart,
        (x.sqrt() + y.exp()).ln() * (-apart.square()).exp(),
    ];
    let kinks = [
        apart.abs(),
        x.min(&y),
        x.max(y.square()),
        (&both - 1).abs().max(&x / 2).min(y.exp()),
        y.square() * (1 - &x).abs(),
        (0 - apart.abs()).exp() * &y,
    ];
    smooth.into_iter().chain(kinks).collect()
}

const SMOOTH: usize = 23;

/// Boxes inside [1/8, 4]² of widths 2⁻⁹⁰ to 2, some across the kinks at x = y, x = 1, x = y².
fn boxes() -> Vec<Vec<Range>> {
    let corners = [(1, 1), (8, 8), (3, 11), (20, 5), (9, 7), (15, 15), (2, 13)];
    let widths = [0u32, 3, 10, 30, 60, 90];
    let pair = |(a, b): (i64, i64), bits: u32| {
        let one = |lo: i64| {
            let lo = ratio(lo, 8);
            let hi = &lo + ratio(2, 1) / (Rational::from(1) << bits);
            let hi = hi.min(Rational::from(4));
            (lo, Some(hi))
        };
        vec![one(a), one(b)]
    };
    let all = corners
        .iter()
        .flat_map(|c| widths.iter().map(move |w| pair(*c, *w)));
    all.collect()
}

fn enclosed(ranges: &[Range]) -> Vec<Interval> {
    super::enclose(ranges)
}

/// Nine points: the ends and a point near the middle of each coordinate.
fn points(ranges: &[Range]) -> Vec<Vec<Float>> {
    let along = |(lo, hi): &Range| {
        let hi = hi.as_ref().expect("bounded");
        let inner = (lo.clone() * 4 + hi.clone() * 3) / 7;
        [lo, &inner, hi].map(|x| Float::with_val(EXACT, x))
    };
    let [first, second] = [along(&ranges[0]), along(&ranges[1])];
    let pairs = first
        .iter()
        .flat_map(|x| second.iter().map(move |y| vec![x.clone(), y.clone()]));
    pairs.collect()
}

fn holds(found: &Interval, y: &Float, lost: i32) -> bool {
    let blur = Float::with_val(EXACT, Float::u_exp(1, lost - EXACT as i32 + 40));
    Float::with_val(EXACT, y + &blur) >= *found.lo()
        && Float::with_val(EXACT, y - &blur) <= *found.hi()
}

/// The expression on a box: its values at nine points, and per coordinate the quotients of the
/// differences of these values along it.
fn behaviour(e: &Expr, ranges: &[Range]) -> (Vec<Float>, [Vec<Float>; 2]) {
    let all: Vec<(Vec<Float>, Float)> = (points(ranges).into_iter())
        .map(|at| {
            let y = real(e, &at);
            (at, y)
        })
        .collect();
    let along = |i: usize| {
        let pairs = all.iter().flat_map(|p| all.iter().map(move |q| (p, q)));
        pairs
            .filter(|((p, _), (q, _))| p[1 - i] == q[1 - i] && p[i] < q[i])
            .map(|((p, at_p), (q, at_q))| {
                Float::with_val(EXACT, at_q - at_p) / Float::with_val(EXACT, &q[i] - &p[i])
            })
            .collect()
    };
    let quotients = [along(0), along(1)];
    (all.into_iter().map(|(_, y)| y).collect(), quotients)
}

/// How many times the width of the box an enclosure may be wide: the least that all expressions keep.
const WIDTHS: f64 = 2e5;

#[test]
fn values_and_slopes_contain_what_the_expression_does_and_shrink_with_the_box() {
    for (k, e) in expressions().iter().enumerate() {
        for ranges in boxes() {
            let x = enclosed(&ranges);
            assert!(is_total(e, &x), "{e} on {ranges:?}");
            let widest = x.iter().map(Interval::width).fold(0.0, f64::max);
            let found = value(e, &x);
            let (values, quotients) = behaviour(e, &ranges);
            let mean = mean_value(e, &ranges);
            for y in &values {
                assert!(
                    holds(&found, y, 0),
                    "{e} on {ranges:?}: {y} is not in {found}"
                );
                assert!(
                    holds(&mean, y, 0),
                    "{e} on {ranges:?}: {y} is not in {mean}"
                );
            }
            assert!(
                found.width() <= WIDTHS * widest + 1e-33,
                "{e} on {ranges:?}: {found}"
            );
            for (i, quotients) in quotients.iter().enumerate() {
                let slopes = slope(e, i, &x);
                let symbolic = derivative(e, i).map(|d| value(&d, &x));
                assert!(symbolic.is_some() || k >= SMOOTH, "{e}");
                // A quotient of small differences loses the digits that its parts share.
                let lost = 110;
                for y in quotients {
                    assert!(
                        holds(&slopes, y, lost),
                        "d{i} of {e} on {ranges:?}: {y} is not in {slopes}"
                    );
                    let holds = symbolic.as_ref().is_none_or(|d| holds(d, y, lost));
                    assert!(
                        holds,
                        "d{i} of {e} on {ranges:?}: {y} is not in {symbolic:?}"
                    );
                }
                if k < SMOOTH {
                    let wide = slopes.width() > WIDTHS * widest + 1e-31;
                    assert!(!wide, "d{i} of {e} on {ranges:?}: {slopes}");
                }
            }
        }
    }
}

#[test]
fn both_arithmetics_of_the_search_contain_values_and_quotients() {
    fn check<N: Enclose>(e: &Expr, ranges: &[Range]) {
        let tape = Wengert::<N>::new(e, 2);
        let x: Vec<N> = ranges
            .iter()
            .map(|(lo, hi)| N::hull_of(lo, hi.as_ref()))
            .collect();
        let interval = |n: &N| {
            let (lo, hi) = n.ends();
            Interval::between(lo, hi)
        };
        let found = interval(&tape.value(&x));
        let (values, quotients) = behaviour(e, ranges);
        for y in &values {
            assert!(
                holds(&found, y, 0),
                "{e} on {ranges:?}: {y} is not in {found}"
            );
        }
        let wide = x.iter().map(|n| interval(n).width()).fold(0.0, f64::max);
        assert!(
            found.width() <= WIDTHS * wide + 1e-9,
            "{e} on {ranges:?}: {found}"
        );
        for (i, slope) in tape.gradient(&x).iter().enumerate() {
            let slope = slope.as_ref().map_or(Interval::from(0), interval);
            for y in &quotients[i] {
                assert!(
                    holds(&slope, y, 110),
                    "d{i} of {e} on {ranges:?}: {y} is not in {slope}"
                );
            }
        }
    }
    for e in expressions() {
        for ranges in boxes() {
            check::<Fast>(&e, &ranges);
            check::<Interval>(&e, &ranges);
        }
    }
}

#[test]
fn an_expression_is_total_only_where_all_its_operations_are_defined() {
    let [x]: [Expr; 1] = symbols();
    let half = ratio(1, 2);
    let over = |lo: &Rational, hi: Option<Rational>| enclosed(&[(lo.clone(), hi)]);
    for (e, lo, hi) in [
        (1 / (&x - &half), ratio(0, 1), ratio(1, 1)),
        (1 / &x, ratio(0, 1), ratio(1, 1)),
        (1 / &x, ratio(-1, 1), ratio(0, 1)),
        (x.powi(-3), ratio(0, 1), ratio(1, 1)),
        (x.powi(-2), ratio(-1, 1), ratio(1, 1)),
        (x.sqrt(), ratio(-1, 9), ratio(1, 1)),
        (x.ln(), ratio(0, 1), ratio(1, 1)),
        (x.ln_1p(), ratio(-1, 1), ratio(1, 1)),
        ((1 / &x).min(1).exp() + 1, ratio(0, 1), ratio(1, 1)),
        (1 - (x.ln() * 0), ratio(0, 1), ratio(1, 1)),
    ] {
        assert!(!is_total(&e, &over(&lo, Some(hi.clone()))), "{e} from {lo}");
        // Away from the trouble it is.
        let lo = hi + ratio(1, 9);
        let beyond = over(&lo, Some(Rational::from(&lo + 1)));
        assert!(
            is_total(&e, &beyond) && value(&e, &beyond).is_finite(),
            "{e}"
        );
    }
    for e in [
        x.sqrt(),
        x.powi(2),
        x.abs(),
        x.erf(),
        x.phi(),
        x.exp_m1() / (1 + &x),
    ] {
        assert!(is_total(&e, &over(&ratio(0, 1), None)), "{e}");
    }
    assert!(is_total(
        &(1 / &x),
        &over(&ratio(-2, 1), Some(ratio(-1, 1)))
    ));
    assert!(is_total(
        &x.powi(-1),
        &over(&ratio(-2, 1), Some(ratio(-1, 1)))
    ));
}
