//! Certified integrals of analytic functions.
//!
//! One method: Gauss–Legendre on sub-intervals, each halved until the a-priori error is small. If f
//! is analytic inside the Bernstein ellipse E_ρ of [−1, 1] and |f| ≤ M there, its Chebyshev
//! coefficients satisfy |a_k| ≤ 2Mρ⁻ᵏ. The n-point rule is exact up to degree 2n − 1, kills odd
//! degrees by symmetry, and has positive weights of sum 2, while |∫T_k| ≤ 2/(k² − 1). Summing the
//! even k ≥ 2n gives, for n ≥ 2,
//!
//! ```text
//! |∫f − rule(f)| ≤ Σ 2Mρ⁻ᵏ (2 + 2/(k² − 1)) ≤ (64/15) M ρ⁻²ⁿ / (1 − ρ⁻²).
//! ```
//!
//! (The bound of Trefethen, Approximation Theory and Approximation Practice, ch. 19.)

use super::{Interval, PRECISION, Rational};
use rug::Float;
use rug::float::Round;
use std::sync::OnceLock;

/// Points of the rule. With ρ = 4 the error factor is ρ⁻²ⁿ = 2⁻¹²⁸.
const POINTS: u32 = 32;

/// ρ + 1/ρ and ρ − 1/ρ, halved, for ρ = 4: the semi-axes of the ellipse for a half-length of 1.
const SEMI_AXES: ((i32, i32), (i32, i32)) = ((17, 8), (15, 8));

/// An ellipse in the complex plane with foci on the real line: { centre + z : |Re z| ≤ real
/// semi-axis, |Im z| ≤ imaginary semi-axis } contains it.
#[derive(Clone, Debug)]
pub struct Ellipse {
    /// Real numbers of the ellipse: centre ± real semi-axis.
    pub real: Interval,
    /// Imaginary semi-axis.
    pub imaginary: Interval,
}

/// A vector of functions to integrate.
pub trait Integrand {
    /// Number of components.
    fn components(&self) -> usize;

    /// The values at every point of `x`.
    fn at(&self, x: &Interval) -> Vec<Interval>;

    /// Upper bounds (the upper ends) of the components' moduli over the ellipse, or `None` when analyticity
    /// there is not established.
    fn modulus(&self, ellipse: &Ellipse) -> Option<Vec<Interval>>;

    /// A rough but certain enclosure of the integral over [a, b], the fallback of the last resort.
    fn rough(&self, a: &Rational, b: &Rational) -> Vec<Interval>;
}

/// The n-point Gauss–Legendre rule on [−1, 1]: enclosures of nodes and weights.
#[derive(Clone, Debug)]
pub struct GaussLegendre {
    rule: Vec<(Interval, Interval)>,
    precision: u32,
}

impl GaussLegendre {
    /// The rule with its nodes at the given precision in bits.
    #[must_use]
    pub fn at_precision(precision: u32) -> Self {
        static USUAL: OnceLock<GaussLegendre> = OnceLock::new();
        if precision == PRECISION {
            return USUAL.get_or_init(|| Self::compute(PRECISION)).clone();
        }
        Self::compute(precision)
    }

    fn compute(precision: u32) -> Self {
        let half = (0..POINTS / 2).map(|i| node_and_weight(i, precision));
        let rule = half.flat_map(|(x, w)| [(-&x, w.clone()), (x, w)]).collect();
        Self { rule, precision }
    }

    /// Encloses ∫ₐᵇ f for every component, `[a, b]` finite.
    ///
    /// `scale` holds positive lower bounds of what the caller will add the integrals to; the error
    /// is driven below 2⁻`bits` of it on every sub-interval, or below 2⁻`bits` of the sub-interval's
    /// own share. After 20,000 sub-intervals the rest is enclosed roughly: the width of the answer
    /// is a matter of effort, its correctness is not.
    #[must_use]
    pub fn integrate(
        &self,
        f: &impl Integrand,
        (a, b): (&Rational, &Rational),
        scale: &[Interval],
        bits: u32,
    ) -> Vec<Interval> {
        const EFFORT: u32 = 20_000;
        let mut tried = 0;
        let mut total = vec![Interval::from_f64(0.0); f.components()];
        let mut open = vec![(a.clone(), b.clone())];
        while let Some((a, b)) = open.pop() {
            tried += 1;
            let found = self.leaf(f, &a, &b, scale, bits);
            let leaf = match found {
                Some(leaf) => leaf,
                None if tried >= EFFORT => f.rough(&a, &b),
                None => {
                    let middle: Rational = Rational::from(&a + &b) / 2;
                    open.push((a, middle.clone()));
                    open.push((middle, b));
                    continue;
                }
            };
            for (sum, part) in total.iter_mut().zip(&leaf) {
                *sum = &*sum + part;
            }
        }
        total
    }

    /// The integral over one sub-interval if it comes out accurately enough.
    fn leaf(
        &self,
        f: &impl Integrand,
        a: &Rational,
        b: &Rational,
        scale: &[Interval],
        bits: u32,
    ) -> Option<Vec<Interval>> {
        let small = Interval::power_of_two(-i32::try_from(bits).unwrap_or(i32::MAX));
        let goal = |k: usize, own: &Interval| {
            let own = Interval::point(own.lo().clone());
            &scale[k].max(&own) * &small
        };
        let rough = f.rough(a, b);
        let narrow = |k: usize, x: &Interval| {
            let gap = Float::with_val_round(self.precision, x.hi() - x.lo(), Round::Up).0;
            Interval::point(gap).certainly_le(&goal(k, x))
        };
        if rough.iter().enumerate().all(|(k, x)| narrow(k, x)) {
            return Some(rough);
        }
        let half = Interval::rational_at(&(Rational::from(b - a) / 2), self.precision);
        let errors: Vec<Interval> = f
            .modulus(&self.ellipse(a, b))?
            .iter()
            .map(|m| &(&Interval::point(m.hi().clone()) * &half) * &error_factor())
            .collect();
        let acceptable = |(k, e): (usize, &Interval)| e.certainly_le(&goal(k, &rough[k]));
        if !errors.iter().enumerate().all(acceptable) {
            return None;
        }
        let middle = Interval::rational_at(&(Rational::from(a + b) / 2), self.precision);
        let sums = self.apply(f, &middle, &half);
        Some(
            sums.iter()
                .zip(&errors)
                .map(|(s, e)| s + &(-e).hull(e))
                .collect(),
        )
    }

    fn apply(&self, f: &impl Integrand, middle: &Interval, half: &Interval) -> Vec<Interval> {
        let mut sums = vec![Interval::from_f64(0.0); f.components()];
        for (node, weight) in &self.rule {
            let values = f.at(&(middle + &(half * node)));
            for (sum, y) in sums.iter_mut().zip(&values) {
                *sum = &*sum + &(weight * y);
            }
        }
        sums.iter().map(|s| s * half).collect()
    }

    fn ellipse(&self, a: &Rational, b: &Rational) -> Ellipse {
        let half = Rational::from(b - a) / 2;
        let middle = Rational::from(a + b) / 2;
        let reach = &half * Rational::from(SEMI_AXES.0);
        let end = |x: Rational| Interval::rational_at(&x, self.precision);
        let ends = [
            end(Rational::from(&middle - &reach)),
            end(Rational::from(&middle + &reach)),
        ];
        let height = half * Rational::from(SEMI_AXES.1);
        Ellipse {
            real: ends[0].hull(&ends[1]),
            imaginary: Interval::rational_at(&height, self.precision),
        }
    }
}

/// (64/15) ρ⁻²ⁿ/(1 − ρ⁻²) for ρ = 4.
fn error_factor() -> Interval {
    let last_degree = 4 * i32::try_from(POINTS).unwrap_or(i32::MAX);
    let constant = Interval::from_rational(&Rational::from((64 * 16, 15 * 15)));
    &constant * &Interval::power_of_two(-last_degree)
}

/// (P_{n−1}(x), P_n(x)) of the Legendre polynomials, n = [`POINTS`].
fn legendre(x: &Interval) -> (Interval, Interval) {
    let mut previous = Interval::from(1);
    let mut current = x.clone();
    for k in 1..i64::from(POINTS) {
        let ahead = &(&Interval::from(2 * k + 1) * x) * &current;
        let behind = &Interval::from(k) * &previous;
        let next = &(&ahead - &behind) / &Interval::from(k + 1);
        previous = std::mem::replace(&mut current, next);
    }
    (previous, current)
}

/// The i-th positive node and its weight 2(1 − x²)/(n P_{n−1}(x))², which uses P_n(x) = 0.
///
/// The node is found by Newton's method and then certified by a change of sign.
fn node_and_weight(i: u32, precision: u32) -> (Interval, Interval) {
    let working = precision + 128;
    let start = std::f64::consts::PI * (f64::from(i) + 0.75) / (f64::from(POINTS) + 0.5);
    let mut x = Float::with_val(working, start.cos());
    for _ in 0..12 {
        let point = Interval::point(x.clone());
        let (before, here) = legendre(&point);
        let (before, here) = (before.hi().clone(), here.hi().clone());
        let slope = POINTS * (x.clone() * &here - before) / (x.clone().square() - 1u32);
        x -= here / slope;
    }
    let mut radius = Float::with_val(working, Float::u_exp(1, -(precision as i32) - 64));
    let root = loop {
        let ends = [
            Float::with_val(working, &x - &radius),
            Float::with_val(working, &x + &radius),
        ];
        let signs = ends
            .each_ref()
            .map(|e| legendre(&Interval::point(e.clone())).1);
        let [lo, hi] = ends;
        if are_opposite(&signs) {
            break Interval::new(lo, hi);
        }
        radius *= 2u32;
    };
    let (before, _) = legendre(&root);
    let one = Interval::from(1);
    let scaled = (&Interval::from(i64::from(POINTS)) * &before).square();
    let weight = &(&Interval::from(2) * &(&one - &root.square())) / &scaled;
    (root.rounded(precision), weight.rounded(precision))
}

/// Whether two numbers certainly have different signs, so that a root lies between.
fn are_opposite([left, right]: &[Interval; 2]) -> bool {
    let zero = Interval::from(0);
    let falls = |a: &Interval, b: &Interval| a.certainly_lt(&zero) && zero.certainly_lt(b);
    falls(left, right) || falls(right, left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn signs_are_opposite_if_both_are_certain() {
        let (less, more) = (Interval::from(-1), Interval::from(2));
        let unknown = less.hull(&more);
        let opposite = |a: &Interval, b: &Interval| are_opposite(&[a.clone(), b.clone()]);
        assert!(opposite(&less, &more) && opposite(&more, &less));
        assert!(!opposite(&less, &less) && !opposite(&more, &more));
        for other in [&less, &more, &unknown] {
            assert!(!opposite(&unknown, other) && !opposite(other, &unknown));
        }
    }

    /// x ↦ e^x.
    struct Exponential;

    impl Integrand for Exponential {
        fn components(&self) -> usize {
            1
        }
        fn at(&self, x: &Interval) -> Vec<Interval> {
            vec![x.exp()]
        }
        fn modulus(&self, ellipse: &Ellipse) -> Option<Vec<Interval>> {
            Some(vec![ellipse.real.exp()])
        }
        fn rough(&self, a: &Rational, b: &Rational) -> Vec<Interval> {
            let ends = [a, b].map(Interval::from_rational);
            let height = ends[0].exp().hull(&ends[1].exp());
            vec![&height * &(&ends[1] - &ends[0])]
        }
    }

    #[test]
    fn the_rule_is_exact_for_polynomials_up_to_its_degree() {
        let rule = GaussLegendre::at_precision(PRECISION).rule;
        let moment = |n| -> Interval { rule.iter().map(|(x, w)| w * &x.powi(n)).sum() };
        for n in [0, 2, 17, 40, 62, 63] {
            let exact = if n % 2 == 1 { (0, 1) } else { (2, n + 1) };
            let exact = Interval::from_rational(&Rational::from(exact));
            let found = moment(n);
            assert!(found.intersect(&exact).is_some(), "degree {n}: {found}");
            assert!(
                found.width() < 1e-33,
                "degree {n} is {} wide",
                found.width()
            );
        }
        // One degree further it is not exact: the test above has teeth.
        let beyond = Interval::from_rational(&Rational::from((2, 65)));
        assert!(moment(64).intersect(&beyond).is_none());
    }

    #[test]
    fn the_exponential_integrates_to_its_difference() {
        let rule = GaussLegendre::at_precision(PRECISION);
        let ends = (&Rational::from((-7, 3)), &Rational::from(29));
        let found = &rule.integrate(&Exponential, ends, &[Interval::from(1)], 80)[0];
        let exact = &Interval::from(29).exp() - &Interval::from_rational(ends.0).exp();
        assert!(found.intersect(&exact).is_some());
        assert!(found.width() < 1e-22 * found.hi_f64(), "{}", found.width());
    }

    /// x ↦ xⁿ, with whatever bound of its modulus one likes, and how often it was asked for values.
    struct Power {
        n: u32,
        modulus: Option<Interval>,
        asked: Cell<u32>,
    }

    impl Power {
        fn of(n: u32) -> Self {
            let asked = Cell::new(0);
            Self {
                n,
                modulus: None,
                asked,
            }
        }
    }

    impl Integrand for Power {
        fn components(&self) -> usize {
            1
        }
        fn at(&self, x: &Interval) -> Vec<Interval> {
            self.asked.set(self.asked.get() + 1);
            vec![x.powi(self.n)]
        }
        fn modulus(&self, ellipse: &Ellipse) -> Option<Vec<Interval>> {
            let own = (ellipse.real.square() + ellipse.imaginary.square())
                .powi(self.n)
                .sqrt();
            Some(vec![self.modulus.clone().unwrap_or(own)])
        }
        fn rough(&self, a: &Rational, b: &Rational) -> Vec<Interval> {
            let x = Interval::from_rational(a).hull(&Interval::from_rational(b));
            vec![x.powi(self.n) * Interval::from_rational(&Rational::from(b - a))]
        }
    }

    #[test]
    fn an_integral_lies_in_its_enclosure_however_rough_that_may_be() {
        let rule = GaussLegendre::at_precision(PRECISION);
        let mut widths = Vec::new();
        for n in [0, 1, 2, 3, 8, 63, 64, 66, 100, 200] {
            for (a, b) in [
                ((-1, 1), (1, 1)),
                ((0, 1), (3, 2)),
                ((-1, 3), (2, 1)),
                ((5, 7), (5, 7)),
            ] {
                let (a, b) = (Rational::from(a), Rational::from(b));
                let antiderivative =
                    |x: &Rational| Rational::from(rug::ops::Pow::pow(x, n as i32 + 1)) / (n + 1);
                let exact = antiderivative(&b) - antiderivative(&a);
                for bits in [1, 4, 10, 40, 90] {
                    let f = Power::of(n);
                    let scale = [Interval::from_rational(&Rational::from((1, 1000)))];
                    let found = &rule.integrate(&f, (&a, &b), &scale, bits)[0];
                    assert!(
                        *found.lo() <= exact && *found.hi() >= exact,
                        "x^{n} from {a} to {b}: {found}"
                    );
                    widths.push(found.width());
                    let size = 1e-3 + exact.to_f64().abs();
                    let pieces = 4.0 + f64::from(f.asked.get()) / f64::from(POINTS);
                    let goal = (-f64::from(bits)).exp2() * size * 8.0 * pieces;
                    assert!(
                        found.width() <= goal.max(1e-30),
                        "x^{n} from {a} to {b}: {found}"
                    );
                }
            }
        }
        assert!(widths.iter().any(|w| *w > 1e-3) && widths.iter().any(|w| *w < 1e-25));
    }

    /// Of which nothing is known but its modulus, 1, and how often that was asked for.
    struct Unknown(Cell<u32>);

    impl Integrand for Unknown {
        fn components(&self) -> usize {
            1
        }
        fn at(&self, _: &Interval) -> Vec<Interval> {
            unreachable!("it is not known to be analytic")
        }
        fn modulus(&self, _: &Ellipse) -> Option<Vec<Interval>> {
            None
        }
        fn rough(&self, a: &Rational, b: &Rational) -> Vec<Interval> {
            self.0.set(self.0.get() + 1);
            let width = Interval::from_rational(&Rational::from(b - a));
            vec![(-&width).hull(&width)]
        }
    }

    /// To be narrow enough everywhere would take 2¹⁸ sub-intervals.
    #[test]
    fn effort_ends_and_the_rest_is_enclosed_roughly() {
        let f = Unknown(Cell::new(0));
        let ends = (&Rational::new(), &Rational::from(1));
        let rule = GaussLegendre::at_precision(PRECISION);
        let found = &rule.integrate(&f, ends, &[Interval::from(1)], 16)[0];
        assert_eq!((found.lo_f64(), found.hi_f64()), (-1.0, 1.0));
        assert!((20_000..50_000).contains(&f.0.get()), "{}", f.0.get());
    }

    #[test]
    fn a_rule_that_is_not_exact_says_so() {
        let rule = GaussLegendre::at_precision(PRECISION);
        // Between −1 and 1 the rule misses x⁶⁴ by 1e-19; told that |x⁶⁴| ≤ M on the ellipse, it allows M 2⁻¹²⁸ 64/15 · 16/15.
        let (a, b) = (Rational::from(-1), Rational::from(1));
        let exact = Rational::from((2, 65));
        let mut f = Power::of(64);
        let own = f.modulus(&rule.ellipse(&a, &b)).expect("a bound")[0]
            .hi()
            .clone();
        let error: Float = (Float::with_val(200, own * 1024u32) / 225u32) >> 128u32;
        let scale = [Interval::power_of_two(80)];
        let found = &rule.leaf(&f, &a, &b, &scale, 80).expect("accurate enough")[0];
        assert!(*found.lo() <= exact && *found.hi() >= exact, "{found}");
        let width = Float::with_val(200, &error * 2u32);
        assert!(
            found.width() >= width.to_f64() && found.width() <= width.to_f64() * 1.001,
            "{found}"
        );
        // Were the modulus smaller than it is, the enclosure would miss.
        f.modulus = Some(Interval::from(0));
        let missed = &rule.leaf(&f, &a, &b, &scale, 80).expect("accurate enough")[0];
        assert!(*missed.lo() > exact || *missed.hi() < exact, "{missed}");
    }

    #[test]
    fn nodes_and_weights_are_those_of_higher_precision() {
        let coarse = GaussLegendre::at_precision(60).rule;
        let fine = GaussLegendre::at_precision(200).rule;
        assert_eq!((coarse.len(), fine.len()), (32, 32));
        for ((x, w), (y, v)) in coarse.iter().zip(&fine) {
            for (wide, narrow) in [(x, y), (w, v)] {
                assert!(
                    wide.lo() <= narrow.lo() && narrow.hi() <= wide.hi(),
                    "{wide} and {narrow}"
                );
                assert!(
                    wide.width() < 1e-16 && narrow.prec() == 200,
                    "{wide} and {narrow}"
                );
                // Legendre's recurrence is computed at 128 bits, whatever the nodes'.
                assert!(narrow.width() < 1e-34, "{narrow}");
            }
        }
    }

    #[test]
    fn an_ellipse_covers_its_interval_with_rho_4() {
        let rule = GaussLegendre::at_precision(PRECISION);
        let found = rule.ellipse(&Rational::from((1, 2)), &Rational::from((5, 2)));
        assert_eq!((found.real.lo_f64(), found.real.hi_f64()), (-0.625, 3.625));
        assert_eq!(
            (found.imaginary.lo_f64(), found.imaginary.hi_f64()),
            (1.875, 1.875)
        );
        // (17/8)² − (15/8)² = 1: the foci are the interval's ends.
        let factor = error_factor();
        let expected = 64.0 * 16.0 / 225.0 * (-128f64).exp2();
        assert!((factor.lo_f64() / expected - 1.0).abs() < 1e-15 && factor.width() < 1e-70);
    }
}
