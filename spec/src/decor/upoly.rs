//! Polynomials in one variable over the rationals, and their real roots as exact numbers.

use rug::{Assign, Integer, Rational};
use std::cmp::Ordering;

/// A polynomial, coefficients in ascending order of powers, the last one nonzero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UPoly {
    coefficients: Vec<Rational>,
}

impl UPoly {
    /// The polynomial with these coefficients, in ascending order of powers.
    #[must_use]
    pub fn new(mut coefficients: Vec<Rational>) -> Self {
        while coefficients.last().is_some_and(|c| *c == 0) {
            coefficients.pop();
        }
        Self { coefficients }
    }

    /// The coefficients in ascending order of powers.
    #[must_use]
    pub fn coefficients(&self) -> &[Rational] {
        &self.coefficients
    }

    /// The coefficient of xᵏ.
    #[must_use]
    pub fn coefficient(&self, k: usize) -> Rational {
        self.coefficients.get(k).cloned().unwrap_or_default()
    }

    /// The degree; `None` for the zero polynomial.
    #[must_use]
    pub fn degree(&self) -> Option<usize> {
        self.coefficients.len().checked_sub(1)
    }

    /// The value at x.
    #[must_use]
    pub fn eval(&self, x: &Rational) -> Rational {
        let horner = |acc: Rational, c: &Rational| acc * x + c;
        self.coefficients.iter().rev().fold(Rational::new(), horner)
    }

    /// This polynomial plus `factor` times another.
    #[must_use]
    pub fn plus_scaled(&self, factor: &Rational, other: &Self) -> Self {
        let n = self.coefficients.len().max(other.coefficients.len());
        let whole = *factor.denom() == 1;
        if let (true, Some(a), Some(b)) = (whole, self.whole(), other.whole()) {
            let mut sum = vec![Integer::new(); n];
            for (entry, a) in sum.iter_mut().zip(a) {
                entry.assign(a);
            }
            for (entry, b) in sum.iter_mut().zip(b) {
                *entry += b * factor.numer();
            }
            return Self::new(sum.into_iter().map(Rational::from).collect());
        }
        let entry = |k| self.coefficient(k) + other.coefficient(k) * factor;
        Self::new((0..n).map(entry).collect())
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let n = self.coefficients.len() + other.coefficients.len();
        if let (Some(a), Some(b)) = (self.whole(), other.whole()) {
            let mut product = vec![Integer::new(); n];
            for (i, a) in a.iter().enumerate() {
                for (j, b) in b.iter().enumerate() {
                    product[i + j] += *a * *b;
                }
            }
            return Self::new(product.into_iter().map(Rational::from).collect());
        }
        let mut product = vec![Rational::new(); n];
        for (i, a) in self.coefficients.iter().enumerate() {
            for (j, b) in other.coefficients.iter().enumerate() {
                product[i + j] += Rational::from(a * b);
            }
        }
        Self::new(product)
    }

    /// The coefficients, if all are whole numbers: these need no common divisors.
    fn whole(&self) -> Option<Vec<&Integer>> {
        let whole = |c: &Rational| *c.denom() == 1;
        let all = self.coefficients.iter().all(whole);
        all.then(|| self.coefficients.iter().map(|c| c.numer()).collect())
    }

    /// The coefficients, rounded.
    fn to_f64(&self) -> Vec<f64> {
        self.coefficients.iter().map(Rational::to_f64).collect()
    }

    /// The derivative.
    #[must_use]
    pub fn derivative(&self) -> Self {
        let terms = self.coefficients.iter().enumerate().skip(1);
        Self::new(terms.map(|(k, c)| Rational::from(c * k as u32)).collect())
    }

    /// Quotient and remainder of the division by `divisor`; (0, this) if `divisor` is zero.
    fn divide(&self, divisor: &Self) -> (Self, Self) {
        let mut rest = self.clone();
        let Some((lead, lower)) = divisor.coefficients.split_last() else {
            return (Self::default(), rest);
        };
        let mut quotient = vec![Rational::new(); self.coefficients.len()];
        while let Some(shift) = rest.coefficients.len().checked_sub(lower.len() + 1) {
            let Some(top) = rest.coefficients.pop() else {
                break;
            };
            let factor = top / lead;
            for (k, c) in lower.iter().enumerate() {
                rest.coefficients[shift + k] -= Rational::from(&factor * c);
            }
            quotient[shift] = factor;
            rest = Self::new(rest.coefficients);
        }
        (Self::new(quotient), rest)
    }

    /// The greatest common divisor, up to a constant factor.
    fn common_divisor(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone());
        while b.degree().is_some() {
            let rest = a.divide(&b).1;
            a = b;
            b = rest;
        }
        a
    }

    /// The Sturm chain p₀ = p, p₁ = p′, p_{k+1} = −(p_{k−1} mod p_k) of the polynomial with the same roots, all simple.
    fn sturm_chain(&self) -> Vec<Self> {
        let simple = self.divide(&self.common_divisor(&self.derivative())).0;
        let mut chain = vec![simple.derivative(), simple];
        chain.reverse();
        while let [.., a, b] = chain.as_slice()
            && b.degree().is_some()
        {
            let rest = a.divide(b).1;
            chain.push(Self::default().plus_scaled(&Rational::from(-1), &rest));
        }
        chain.pop();
        chain
    }
}

impl Default for UPoly {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

/// A real algebraic number: the only root in (lo, hi] of a polynomial with rational coefficients.
#[derive(Clone, Debug)]
pub struct Algebraic {
    chain: Vec<UPoly>,
    lo: Rational,
    hi: Rational,
}

impl Algebraic {
    /// The smallest root in (lo, hi]; `None` if there is none there.
    #[must_use]
    pub fn smallest_root(poly: &UPoly, lo: &Rational, hi: &Rational) -> Option<Self> {
        let mut root = Self {
            chain: poly.sturm_chain(),
            lo: lo.clone(),
            hi: hi.clone(),
        };
        if root.roots_in(lo, hi) == 0 {
            return None;
        }
        root.narrow();
        while root.roots_in(&root.lo, &root.hi) > 1 {
            root.bisect();
        }
        Some(root)
    }

    /// Shrinks the interval around a guess made in f64, if exact evaluation confirms the guess.
    fn narrow(&mut self) {
        let float: Vec<Vec<f64>> = self.chain.iter().map(UPoly::to_f64).collect();
        let at_lo = float_changes(&float, self.lo.to_f64());
        let (mut lo, mut hi) = (self.lo.to_f64(), self.hi.to_f64());
        for _ in 0..60 {
            let middle = (lo + hi) / 2.0;
            if float_changes(&float, middle) < at_lo {
                hi = middle;
            } else {
                lo = middle;
            }
        }
        let margin = Rational::from((1, 1u64 << 30));
        let Some(guess) = Rational::from_f64(hi) else {
            return;
        };
        let (below, above) = (Rational::from(&guess - &margin), guess + margin);
        let inside = below > self.lo && above < self.hi;
        if inside && self.roots_in(&self.lo, &below) == 0 && self.roots_in(&below, &above) == 1 {
            self.lo = below;
            self.hi = above;
        }
    }

    /// The rational number q.
    #[must_use]
    pub fn rational(q: &Rational) -> Self {
        let poly = UPoly::new(vec![Rational::from(-q), Rational::from(1)]);
        Self {
            chain: poly.sturm_chain(),
            lo: Rational::from(q - 1),
            hi: q.clone(),
        }
    }

    /// The order of this number and the rational q, exactly.
    #[must_use]
    pub fn cmp_rational(&self, q: &Rational) -> Ordering {
        if *q > self.hi {
            Ordering::Less
        } else if *q <= self.lo || self.roots_in(&self.lo, q) == 0 {
            Ordering::Greater
        } else if self.chain[0].eval(q) == 0 {
            Ordering::Equal
        } else {
            Ordering::Less
        }
    }

    /// The sign of u + v·(this number), exactly.
    #[must_use]
    pub fn sign_of_affine(&self, u: &Rational, v: &Rational) -> Ordering {
        if *v == 0 {
            return u.cmp0();
        }
        let against = self.cmp_rational(&(-Rational::from(u / v)));
        if *v > 0 { against } else { against.reverse() }
    }

    /// The order of two algebraic numbers, exactly.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Ordering {
        if let Some(order) = self.apart(other) {
            return order;
        }
        let chain = self.chain[0].common_divisor(&other.chain[0]).sturm_chain();
        let (mut a, mut b) = (self.clone(), other.clone());
        loop {
            if let Some(order) = a.apart(&b) {
                return order;
            }
            let lo = (&a.lo).max(&b.lo);
            let hi = (&a.hi).min(&b.hi);
            // A common root in the common part is the only root of each in its own interval.
            if changes(&chain, lo) != changes(&chain, hi) {
                return Ordering::Equal;
            }
            a.bisect();
            b.bisect();
        }
    }

    /// The order, if the two intervals settle it.
    fn apart(&self, other: &Self) -> Option<Ordering> {
        if self.hi <= other.lo {
            Some(Ordering::Less)
        } else if other.hi <= self.lo {
            Some(Ordering::Greater)
        } else if self.lo == other.lo && self.hi == other.hi && self.chain[0] == other.chain[0] {
            Some(Ordering::Equal)
        } else {
            None
        }
    }

    /// A rational interval (lo, hi] that contains the number, of width at most `width` > 0.
    #[must_use]
    pub fn enclosure(&self, width: &Rational) -> (Rational, Rational) {
        let mut root = self.clone();
        while Rational::from(&root.hi - &root.lo) > *width {
            root.bisect();
        }
        (root.lo, root.hi)
    }

    /// The nearest f64 to a point of a very narrow enclosure.
    #[cfg(test)]
    pub(crate) fn approx(&self) -> f64 {
        self.enclosure(&Rational::from((1, 1u64 << 60))).1.to_f64()
    }

    fn bisect(&mut self) {
        let middle = Rational::from(&self.lo + &self.hi) / 2;
        if self.roots_in(&self.lo, &middle) > 0 {
            self.hi = middle;
        } else {
            self.lo = middle;
        }
    }

    /// Number of roots in (lo, hi], by Sturm's theorem.
    fn roots_in(&self, lo: &Rational, hi: &Rational) -> usize {
        changes(&self.chain, lo).saturating_sub(changes(&self.chain, hi))
    }
}

/// Sign changes of the chain at x in floating point: a guess only.
fn float_changes(chain: &[Vec<f64>], x: f64) -> usize {
    let value = |p: &Vec<f64>| p.iter().rev().fold(0.0, |acc, c| acc * x + c);
    let signs: Vec<_> = chain.iter().map(value).filter(|y| *y != 0.0).collect();
    signs.windows(2).filter(|w| w[0] * w[1] < 0.0).count()
}

/// Sign changes of the chain at x.
fn changes(chain: &[UPoly], x: &Rational) -> usize {
    let signs = chain.iter().map(|p| p.eval(x).cmp0());
    let signs: Vec<_> = signs.filter(|s| *s != Ordering::Equal).collect();
    signs.windows(2).filter(|w| w[0] != w[1]).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poly(coefficients: &[i32]) -> UPoly {
        UPoly::new(coefficients.iter().map(|c| Rational::from(*c)).collect())
    }

    fn q(a: i32, b: i32) -> Rational {
        Rational::from((a, b))
    }

    #[test]
    fn the_smallest_root_is_found_and_compared_exactly() {
        // (x² − 2)(x − 3)
        let p = poly(&[6, -2, -3, 1]);
        let root = Algebraic::smallest_root(&p, &q(0, 1), &q(10, 1)).expect("√2");
        assert_eq!(
            root.cmp_rational(&q(141421356, 100000000)),
            Ordering::Greater
        );
        assert_eq!(root.cmp_rational(&q(141421357, 100000000)), Ordering::Less);
        assert_eq!(root.sign_of_affine(&q(-3, 1), &q(2, 1)), Ordering::Less);
        assert!((root.approx() - std::f64::consts::SQRT_2).abs() < 1e-15);
    }

    #[test]
    fn rational_roots_are_recognised_also_when_multiple() {
        // (x − 1)²(x − 4) = x³ − 6x² + 9x − 4
        let p = poly(&[-4, 9, -6, 1]);
        let root = Algebraic::smallest_root(&p, &q(0, 1), &q(9, 1)).expect("1");
        assert_eq!(root.cmp_rational(&q(1, 1)), Ordering::Equal);
        assert_eq!(root.cmp_rational(&q(3, 1)), Ordering::Less);
        assert_eq!(root.cmp_rational(&q(1, 2)), Ordering::Greater);
    }

    #[test]
    fn equal_roots_of_different_polynomials_are_equal() {
        let a = Algebraic::smallest_root(&poly(&[-2, 0, 1]), &q(0, 1), &q(5, 1)).expect("√2");
        let p = poly(&[-2, 0, 1]).times(&poly(&[-7, 1]));
        let b = Algebraic::smallest_root(&p, &q(0, 1), &q(9, 1)).expect("√2");
        assert_eq!(a.compare(&b), Ordering::Equal);
        assert_eq!(a.compare(&Algebraic::rational(&q(3, 2))), Ordering::Less);
    }
}
