//! Laurent polynomials with rational coefficients: identities between formulas are decided by
//! comparing normal forms.

use rug::Rational;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

/// A product of powers of named variables; no exponent is zero.
type Monomial = BTreeMap<&'static str, i32>;

/// A value for every variable.
pub type Point = BTreeMap<&'static str, Rational>;

/// A polynomial in named variables and their inverses, kept in normal form: two formulas are equal
/// for all values of their variables (where both are defined) exactly if their `Poly`s are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Poly {
    terms: BTreeMap<Monomial, Rational>,
}

impl Poly {
    /// The variable called `name`.
    #[must_use]
    pub fn var(name: &'static str) -> Self {
        Self::power(name, 1)
    }

    /// The variable called `name` to an integer power; negative powers need a nonzero variable.
    #[must_use]
    pub fn power(name: &'static str, exponent: i32) -> Self {
        let monomial = if exponent == 0 {
            Monomial::new()
        } else {
            Monomial::from([(name, exponent)])
        };
        Self {
            terms: BTreeMap::from([(monomial, Rational::from(1))]),
        }
    }

    /// The constant `value`.
    #[must_use]
    pub fn constant(value: impl Into<Rational>) -> Self {
        let mut terms = BTreeMap::new();
        let value = value.into();
        if value != 0 {
            terms.insert(Monomial::new(), value);
        }
        Self { terms }
    }

    /// The square of this polynomial.
    #[must_use]
    pub fn square(&self) -> Self {
        self * self
    }

    /// This polynomial with `value` put for the variable `name`, which has no negative power in it;
    /// `None` if it has one.
    #[must_use]
    pub fn substitute(&self, name: &'static str, value: &Self) -> Option<Self> {
        let mut sum = Self::default();
        for (monomial, coefficient) in &self.terms {
            let mut rest = monomial.clone();
            let exponent = u32::try_from(rest.remove(name).unwrap_or(0)).ok()?;
            let mut term = Self {
                terms: BTreeMap::from([(rest, coefficient.clone())]),
            };
            for _ in 0..exponent {
                term = &term * value;
            }
            sum = sum + term;
        }
        Some(sum)
    }

    /// Whether this is the zero polynomial.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// Number of terms of the normal form.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there are no terms; the same as [`Self::is_zero`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.is_zero()
    }

    /// The variables that occur.
    #[must_use]
    pub fn variables(&self) -> BTreeSet<&'static str> {
        let names = self.terms.keys().flat_map(|m| m.keys().copied());
        names.collect()
    }

    /// Whether every term is a non-negative coefficient times powers that are non-negative for all
    /// real values, the variables in `positive` being positive: a certificate that the polynomial
    /// is non-negative.
    #[must_use]
    pub fn is_term_by_term_nonnegative(&self, positive: &[&'static str]) -> bool {
        let harmless = |(name, e): (&&'static str, &i32)| e % 2 == 0 || positive.contains(name);
        self.terms
            .iter()
            .all(|(monomial, c)| *c > 0 && monomial.iter().all(harmless))
    }

    /// The value at a point; `None` if a variable has no value there or a negative power of zero
    /// is asked for.
    #[must_use]
    pub fn eval(&self, point: &Point) -> Option<Rational> {
        let mut sum = Rational::new();
        for (monomial, coefficient) in &self.terms {
            let mut term = coefficient.clone();
            for (name, exponent) in monomial {
                let value = point.get(name)?;
                if *exponent < 0 && *value == 0 {
                    return None;
                }
                term *= rug::ops::Pow::pow(value.clone(), *exponent);
            }
            sum += term;
        }
        Some(sum)
    }

    fn add_term(&mut self, monomial: Monomial, coefficient: Rational) {
        let entry = self.terms.entry(monomial.clone()).or_default();
        *entry += coefficient;
        if *entry == 0 {
            self.terms.remove(&monomial);
        }
    }
}

impl fmt::Display for Poly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        for (i, (monomial, c)) in self.terms.iter().enumerate() {
            if i > 0 {
                f.write_str(" + ")?;
            }
            write!(f, "({c})")?;
            for (name, exponent) in monomial {
                match exponent {
                    1 => write!(f, "·{name}")?,
                    e => write!(f, "·{name}^{e}")?,
                }
            }
        }
        Ok(())
    }
}

impl Add for &Poly {
    type Output = Poly;
    fn add(self, other: &Poly) -> Poly {
        let mut sum = self.clone();
        for (monomial, c) in &other.terms {
            sum.add_term(monomial.clone(), c.clone());
        }
        sum
    }
}

impl Neg for &Poly {
    type Output = Poly;
    fn neg(self) -> Poly {
        self * &Poly::constant(-1)
    }
}

impl Sub for &Poly {
    type Output = Poly;
    fn sub(self, other: &Poly) -> Poly {
        self + &-other
    }
}

impl Mul for &Poly {
    type Output = Poly;
    fn mul(self, other: &Poly) -> Poly {
        let mut product = Poly::default();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                let mut monomial = a.clone();
                for (name, exponent) in b {
                    let e = monomial.entry(name).or_insert(0);
                    *e += exponent;
                    if *e == 0 {
                        monomial.remove(name);
                    }
                }
                product.add_term(monomial, Rational::from(x * y));
            }
        }
        product
    }
}

macro_rules! by_value {
    ($($op:ident $f:ident),*) => {$(
        impl $op for Poly {
            type Output = Poly;
            fn $f(self, other: Poly) -> Poly { (&self).$f(&other) }
        }
        impl $op<&Poly> for Poly {
            type Output = Poly;
            fn $f(self, other: &Poly) -> Poly { (&self).$f(other) }
        }
        impl $op<Poly> for &Poly {
            type Output = Poly;
            fn $f(self, other: Poly) -> Poly { self.$f(&other) }
        }
    )*};
}
by_value!(Add add, Sub sub, Mul mul);

macro_rules! with_numbers {
    ($($op:ident $f:ident),*; $numbers:tt) => {$( with_numbers!(@ $op $f $numbers); )*};
    (@ $op:ident $f:ident [$($number:ty),*]) => {$(
        with_numbers!(@ $op $f $number, Poly);
        with_numbers!(@ $op $f $number, &Poly);
    )*};
    (@ $op:ident $f:ident $number:ty, $poly:ty) => {
        impl $op<$number> for $poly {
            type Output = Poly;
            fn $f(self, other: $number) -> Poly { self.$f(Poly::from(other)) }
        }
        impl $op<$poly> for $number {
            type Output = Poly;
            fn $f(self, other: $poly) -> Poly { Poly::from(self).$f(other) }
        }
    };
}
with_numbers!(Add add, Sub sub, Mul mul; [i32, Rational, &Rational]);

impl Neg for Poly {
    type Output = Poly;
    fn neg(self) -> Poly {
        -&self
    }
}

impl From<Rational> for Poly {
    fn from(value: Rational) -> Self {
        Self::constant(value)
    }
}

impl From<&Rational> for Poly {
    fn from(value: &Rational) -> Self {
        Self::constant(value.clone())
    }
}

impl From<&Self> for Poly {
    fn from(value: &Self) -> Self {
        value.clone()
    }
}

impl From<i32> for Poly {
    fn from(value: i32) -> Self {
        Self::constant(value)
    }
}

impl std::iter::Sum for Poly {
    fn sum<I: Iterator<Item = Poly>>(terms: I) -> Poly {
        terms.fold(Poly::default(), |sum, term| sum + term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_formulas_have_equal_normal_forms() {
        let (x, y) = (Poly::var("x"), Poly::var("y"));
        let square = (&x + &y).square();
        let expanded = x.square() + Poly::from(2) * &x * &y + y.square();
        assert_eq!(square, expanded);
        assert_ne!(square, x.square() + y.square());
        assert_eq!(Poly::power("p", -1) * Poly::var("p"), Poly::from(1));
    }

    #[test]
    fn a_polynomial_is_counted_and_written_term_by_term() {
        let p = Poly::var("x") * Poly::power("y", -2) + Poly::from(-3) + Poly::var("x").square();
        assert_eq!((p.len(), p.is_empty()), (3, false));
        assert_eq!(p.to_string(), "(-3) + (1)·x·y^-2 + (1)·x^2");
        let nothing = &p - &p;
        assert_eq!((nothing.len(), nothing.is_empty()), (0, true));
        assert_eq!(nothing.to_string(), "0");
        assert_eq!(
            [p.clone(), -p.clone(), p.clone()].into_iter().sum::<Poly>(),
            p
        );
        assert_eq!(Poly::power("x", 0), Poly::from(1));
        assert_eq!(Poly::from(Rational::from(-3)), Poly::from(-3));
    }

    #[test]
    fn evaluation_respects_the_ring_operations_and_refuses_division_by_zero() {
        let p = (Poly::var("x") - Poly::from(3)) * Poly::power("y", -2);
        let at = |x: i32, y: i32| Point::from([("x", x.into()), ("y", y.into())]);
        assert_eq!(p.eval(&at(5, 2)), Some(Rational::from((1, 2))));
        assert_eq!(p.eval(&at(5, 0)), None);
        assert_eq!(p.eval(&Point::new()), None);
    }

    #[test]
    fn term_by_term_nonnegativity_looks_at_signs_and_parities() {
        let p = Poly::var("x").square() + Poly::var("s");
        assert!(p.is_term_by_term_nonnegative(&["s"]));
        assert!(!p.is_term_by_term_nonnegative(&[]));
        assert!(!(p - Poly::from(1)).is_term_by_term_nonnegative(&["s"]));
    }

    #[test]
    fn substitution_replaces_a_variable_by_a_polynomial() {
        let p = Poly::var("x").square() * Poly::power("y", -1);
        let q = p.substitute("x", &(Poly::var("y") + Poly::from(1)));
        let expected = Poly::var("y") + Poly::from(2) + Poly::power("y", -1);
        assert_eq!(q, Some(expected));
        assert_eq!(p.substitute("y", &Poly::from(1)), None);
    }
}
