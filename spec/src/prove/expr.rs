//! Expression trees: what a statement says, before any arithmetic is chosen for it.

use crate::arith::{Integer, Rational};
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::Arc;

/// A real expression in the variables of a [`Domain`](super::Domain). Cheap to clone.
///
/// Built with the usual operators from variables, integers and [`Rational`]s. Every operation is
/// continuous where it is defined; the prover checks separately that it is defined.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr(pub(super) Arc<Node>);

/// One operation of an [`Expr`].
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// An exact rational constant.
    Const(Rational),
    /// π.
    Pi,
    /// The variable with this index.
    Var(usize),
    /// Sum.
    Add(Expr, Expr),
    /// Difference.
    Sub(Expr, Expr),
    /// Product.
    Mul(Expr, Expr),
    /// Quotient; the divisor must not vanish.
    Div(Expr, Expr),
    /// Integer power; the base must not vanish if the exponent is negative.
    Powi(Expr, i32),
    /// A function of one argument.
    Fun(Fun, Expr),
    /// Minimum.
    Min(Expr, Expr),
    /// Maximum.
    Max(Expr, Expr),
}

/// Functions of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fun {
    /// Square root of a number ≥ 0.
    Sqrt,
    /// eˣ.
    Exp,
    /// eˣ − 1.
    ExpM1,
    /// Natural logarithm of a number > 0.
    Ln,
    /// ln(1 + x) for x > −1.
    Ln1p,
    /// Error function.
    Erf,
    /// 1 − erf.
    Erfc,
    /// Standard normal distribution function Φ.
    Phi,
    /// Absolute value.
    Abs,
}

/// How many symbols [`symbols()`] can make.
pub(super) const MOST_SYMBOLS: usize = 12;

/// Free symbols x0, x1, … for identities and forms, which need no ranges. At most 12.
#[must_use]
pub fn symbols<const N: usize>() -> [Expr; N] {
    const { assert!(N <= MOST_SYMBOLS) };
    std::array::from_fn(|i| Node::Var(i).into())
}

impl Fun {
    const fn name(self) -> &'static str {
        match self {
            Self::Sqrt => "sqrt",
            Self::Exp => "exp",
            Self::ExpM1 => "expm1",
            Self::Ln => "ln",
            Self::Ln1p => "ln1p",
            Self::Erf => "erf",
            Self::Erfc => "erfc",
            Self::Phi => "phi",
            Self::Abs => "abs",
        }
    }
}

impl Expr {
    /// π.
    #[must_use]
    pub fn pi() -> Self {
        Node::Pi.into()
    }

    /// The operation at the root.
    #[must_use]
    pub fn node(&self) -> &Node {
        &self.0
    }

    /// `self` to an integer power.
    #[must_use]
    pub fn powi(&self, n: i32) -> Self {
        Node::Powi(self.clone(), n).into()
    }

    /// The square.
    #[must_use]
    pub fn square(&self) -> Self {
        self.powi(2)
    }

    /// The smaller of two.
    #[must_use]
    pub fn min(&self, other: impl Into<Self>) -> Self {
        Node::Min(self.clone(), other.into()).into()
    }

    /// The larger of two.
    #[must_use]
    pub fn max(&self, other: impl Into<Self>) -> Self {
        Node::Max(self.clone(), other.into()).into()
    }

    /// The exact value at a rational point; `None` if a function on the way has no exact value
    /// there (only rational operations, minimum, maximum and absolute value do) or is undefined.
    #[must_use]
    pub fn exact(&self, point: &[Rational]) -> Option<Rational> {
        let pair = |a: &Self, b: &Self| Some((a.exact(point)?, b.exact(point)?));
        Some(match self.node() {
            Node::Const(c) => c.clone(),
            Node::Var(i) => point.get(*i)?.clone(),
            Node::Add(a, b) => pair(a, b).map(|(a, b)| a + b)?,
            Node::Sub(a, b) => pair(a, b).map(|(a, b)| a - b)?,
            Node::Mul(a, b) => pair(a, b).map(|(a, b)| a * b)?,
            Node::Div(a, b) => match pair(a, b)? {
                (_, b) if b.is_zero() => return None,
                (a, b) => a / b,
            },
            Node::Min(a, b) => pair(a, b).map(|(a, b)| a.min(b))?,
            Node::Max(a, b) => pair(a, b).map(|(a, b)| a.max(b))?,
            Node::Powi(a, n) => match a.exact(point)? {
                a if a.is_zero() && *n < 0 => return None,
                a => rug::ops::Pow::pow(a, *n),
            },
            Node::Fun(Fun::Abs, a) => a.exact(point)?.abs(),
            Node::Pi | Node::Fun(..) => return None,
        })
    }

    /// Whether variable `i` occurs.
    #[must_use]
    pub fn mentions(&self, i: usize) -> bool {
        match self.node() {
            Node::Var(k) => *k == i,
            Node::Const(_) | Node::Pi => false,
            Node::Powi(a, _) | Node::Fun(_, a) => a.mentions(i),
            Node::Add(a, b)
            | Node::Sub(a, b)
            | Node::Mul(a, b)
            | Node::Div(a, b)
            | Node::Min(a, b)
            | Node::Max(a, b) => a.mentions(i) || b.mentions(i),
        }
    }

    /// The number of operations, leaves included, counted as a tree.
    #[must_use]
    pub fn size(&self) -> usize {
        1 + match self.node() {
            Node::Const(_) | Node::Pi | Node::Var(_) => 0,
            Node::Powi(a, _) | Node::Fun(_, a) => a.size(),
            Node::Add(a, b)
            | Node::Sub(a, b)
            | Node::Mul(a, b)
            | Node::Div(a, b)
            | Node::Min(a, b)
            | Node::Max(a, b) => a.size() + b.size(),
        }
    }
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident => $fun:ident),* $(,)?) => {
        impl Expr {
            $($(#[$doc])*
            #[must_use]
            pub fn $name(&self) -> Self {
                Node::Fun(Fun::$fun, self.clone()).into()
            })*
        }
    };
}
functions! {
    /// Square root.
    sqrt => Sqrt,
    /// eˣ.
    exp => Exp,
    /// eˣ − 1.
    exp_m1 => ExpM1,
    /// Natural logarithm.
    ln => Ln,
    /// ln(1 + x).
    ln_1p => Ln1p,
    /// Error function.
    erf => Erf,
    /// Complementary error function.
    erfc => Erfc,
    /// Standard normal distribution function.
    phi => Phi,
    /// Absolute value.
    abs => Abs,
}

impl From<Node> for Expr {
    fn from(node: Node) -> Self {
        Self(Arc::new(node))
    }
}

impl From<&Expr> for Expr {
    fn from(e: &Expr) -> Self {
        e.clone()
    }
}

macro_rules! constants {
    ($($t:ty),*) => {$(
        impl From<$t> for Expr {
            fn from(x: $t) -> Self {
                Node::Const(Rational::from(x)).into()
            }
        }
    )*};
}
constants!(i32, i64, u32, u64, usize, Integer, Rational, &Rational);

/// Operators between two expressions, and between an expression and a constant on either side.
macro_rules! operators {
    ($($op:ident $f:ident),*) => {$(
        impl<R: Into<Expr>> $op<R> for Expr {
            type Output = Expr;
            fn $f(self, other: R) -> Expr { Node::$op(self, other.into()).into() }
        }
        impl<R: Into<Expr>> $op<R> for &Expr {
            type Output = Expr;
            fn $f(self, other: R) -> Expr { Node::$op(self.clone(), other.into()).into() }
        }
        operators!(left $op $f: i32, Rational, &Rational);
    )*};
    (left $op:ident $f:ident: $($t:ty),*) => {$(
        impl $op<Expr> for $t {
            type Output = Expr;
            fn $f(self, other: Expr) -> Expr { Node::$op(self.into(), other).into() }
        }
        impl $op<&Expr> for $t {
            type Output = Expr;
            fn $f(self, other: &Expr) -> Expr { Node::$op(self.into(), other.clone()).into() }
        }
    )*};
}
operators!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Expr {
    type Output = Self;
    fn neg(self) -> Self {
        0 - self
    }
}

impl Neg for &Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        0 - self
    }
}

impl std::iter::Sum for Expr {
    fn sum<I: Iterator<Item = Self>>(mut terms: I) -> Self {
        terms
            .next()
            .map_or_else(|| Self::from(0), |first| terms.fold(first, |a, b| a + b))
    }
}

impl fmt::Display for Expr {
    /// Fully bracketed infix; variables are x0, x1, ….
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node() {
            Node::Const(c) => write!(f, "{c}"),
            Node::Pi => f.write_str("pi"),
            Node::Var(i) => write!(f, "x{i}"),
            Node::Add(a, b) => write!(f, "({a} + {b})"),
            Node::Sub(a, b) => write!(f, "({a} - {b})"),
            Node::Mul(a, b) => write!(f, "({a} * {b})"),
            Node::Div(a, b) => write!(f, "({a} / {b})"),
            Node::Powi(a, n) => write!(f, "{a}^{n}"),
            Node::Fun(g, a) => write!(f, "{}({a})", g.name()),
            Node::Min(a, b) => write!(f, "min({a}, {b})"),
            Node::Max(a, b) => write!(f, "max({a}, {b})"),
        }
    }
}
