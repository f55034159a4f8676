//! Terms: what statements speak of. Numbers, vectors, functions, random sets and processes are written in one
//! language with named variables; equality and order are up to the names of bound variables.

use rug::Rational;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::{Add, Div, Mul, Sub};
use std::sync::Arc;

/// A name of a variable or a definition.
pub type Name = String;

/// An operation with a fixed number of arguments, unless it says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Op {
    /// Sum of any number of terms.
    Add,
    /// Difference.
    Sub,
    /// Product of any number of factors.
    Mul,
    /// Quotient; the divisor must be positive.
    Div,
    /// Power to an integer that is written out, or to a natural number.
    Pow,
    /// Square root of a number ≥ 0.
    Sqrt,
    /// Natural logarithm of a number > 0.
    Log,
    /// The larger of two numbers.
    Max,
    /// Absolute value.
    Abs,
    /// The exponential function.
    Exp,
    /// The Euclidean norm of a vector.
    Norm,
    /// A number or vector x shrunk towards 0 to a modulus or norm of at most C: x·min(1, C/‖x‖); arguments x, C.
    Clip,
    /// 1 if the first number is at most the second, else 0.
    AtMost,
    /// v\[j\]: entry of a vector, vector of a sequence, or value of a set function.
    At,
    /// ∂ⱼf(x), arguments f, x, j; or ∂ⱼℓ(x; d), arguments ℓ, x, d, j.
    Partial,
    /// 1 if two indices are equal, else 0.
    Unit,
    /// 1 if index j is in the set S, else 0; arguments j, S.
    Member,
    /// The probability that j is in a set drawn from a law; arguments j, law.
    Inclusion,
    /// The range of [`Binder::Sup`]: indices below the first argument other than the second.
    Except,
    /// The law of a centred Gaussian number, argument its variance; or of a vector of independent ones, arguments
    /// dimension, variance.
    Normal,
    /// The law of a centred Laplace number, argument its scale; or of a vector of independent ones, arguments dimension,
    /// scale.
    Laplace,
    /// The law of noise for messages, one for each of so many users; arguments m, i, s, b, E, t. A vector becomes the m
    /// messages one behind the other, that of user i being the vector and the others 0, with noise: message k has a Gaussian
    /// vector of variance s of its own and, for every e < E, b\[e\]\[k\] times one of variance t that all have in common. Entry j of
    /// message k, of the dimension d of the vector, is number k·d + j of what is released.
    Pairwise,
    /// The law of the first state of a process at its end; argument the process's name.
    End,
    /// In notions only: the pair N(0, 1) and N(√m, 1); argument m. Of pairs, sums and multiples are independent draws.
    Gaussian,
    /// In notions only: the pair of laws of a bit that is 1 with probability e^ε/(1 + e^ε), and 1/(1 + e^ε); argument ε.
    Response,
}

/// What binds a variable in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binder {
    /// Sum over the indices below a bound.
    Sum,
    /// The vector with the body as its entries.
    Vec,
    /// The largest of 0 and the body over a range of [`Op::Except`].
    Sup,
    /// Sum over the records of a data set.
    Total,
    /// Expectation over one draw from a law.
    Expect,
    /// The law of an index below a bound that is drawn with a probability in proportion to the body, of 0 if all are 0.
    Weighted,
}

/// A term. The order is for normal forms only.
#[derive(Clone, Debug)]
pub enum Term {
    /// A number. Terms of statements hold whole numbers only; fractions are quotients.
    Num(Rational),
    /// A variable.
    Var(Name),
    /// A definition or a function variable, applied.
    App(Name, Arc<[Term]>),
    /// An operation.
    Op(Op, Arc<[Term]>),
    /// A binder, its variable, the range, law or data set, and the body.
    Bind(Binder, Name, Arc<Term>, Arc<Term>),
}

/// The variable called `name`.
#[must_use]
pub fn var(name: &str) -> Term {
    Term::Var(name.to_owned())
}

/// A whole number.
#[must_use]
pub fn num(value: i64) -> Term {
    Term::Num(Rational::from(value))
}

/// A definition or a function, applied.
#[must_use]
pub fn app<const N: usize>(name: &str, arguments: [Term; N]) -> Term {
    Term::App(name.to_owned(), arguments.into())
}

/// An operation on its arguments.
#[must_use]
pub fn op<const N: usize>(op: Op, arguments: [Term; N]) -> Term {
    Term::Op(op, arguments.into())
}

/// A sum of any number of terms.
#[must_use]
pub fn add<const N: usize>(terms: [Term; N]) -> Term {
    op(Op::Add, terms)
}

/// A product of any number of factors.
#[must_use]
pub fn mul<const N: usize>(factors: [Term; N]) -> Term {
    op(Op::Mul, factors)
}

/// Entry `j` of the vector `v`.
#[must_use]
pub fn at(v: &Term, j: &Term) -> Term {
    op(Op::At, [v.clone(), j.clone()])
}

/// A bound variable over a range, law or data set, in a body.
#[must_use]
pub fn bind(binder: Binder, name: &str, of: Term, body: Term) -> Term {
    Term::Bind(binder, name.to_owned(), of.into(), body.into())
}

/// Σ over `name` below `bound`.
#[must_use]
pub fn sum(name: &str, bound: Term, body: Term) -> Term {
    bind(Binder::Sum, name, bound, body)
}

/// The vector of dimension `bound` with the entries `body`.
#[must_use]
pub fn vector(name: &str, bound: Term, body: Term) -> Term {
    bind(Binder::Vec, name, bound, body)
}

impl Term {
    /// The power to a whole number that is written out.
    #[must_use]
    pub fn pow(&self, exponent: i64) -> Self {
        op(Op::Pow, [self.clone(), num(exponent)])
    }

    /// The square root.
    #[must_use]
    pub fn sqrt(&self) -> Self {
        op(Op::Sqrt, [self.clone()])
    }

    /// The natural logarithm.
    #[must_use]
    pub fn log(&self) -> Self {
        op(Op::Log, [self.clone()])
    }

    /// The exponential.
    #[must_use]
    pub fn exp(&self) -> Self {
        op(Op::Exp, [self.clone()])
    }

    /// The Euclidean norm.
    #[must_use]
    pub fn norm(&self) -> Self {
        op(Op::Norm, [self.clone()])
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(&self) -> Self {
        op(Op::Abs, [self.clone()])
    }

    /// The larger of two.
    #[must_use]
    pub fn max_with(&self, other: &Self) -> Self {
        op(Op::Max, [self.clone(), other.clone()])
    }

    /// The free variables, names of applied definitions and functions included.
    #[must_use]
    pub fn free(&self) -> BTreeSet<Name> {
        let mut names = BTreeSet::new();
        self.collect(&mut Vec::new(), &mut names);
        names
    }

    fn collect(&self, bound: &mut Vec<Name>, names: &mut BTreeSet<Name>) {
        match self {
            Self::Num(_) => {}
            Self::Var(x) => {
                if !bound.contains(x) {
                    names.insert(x.clone());
                }
            }
            Self::App(f, arguments) => {
                names.insert(f.clone());
                arguments.iter().for_each(|a| a.collect(bound, names));
            }
            Self::Op(_, arguments) => arguments.iter().for_each(|a| a.collect(bound, names)),
            Self::Bind(_, x, of, body) => {
                of.collect(bound, names);
                bound.push(x.clone());
                body.collect(bound, names);
                bound.pop();
            }
        }
    }

    /// Whether `name` occurs free.
    #[must_use]
    pub fn mentions(&self, name: &str) -> bool {
        match self {
            Self::Num(_) => false,
            Self::Var(x) => x == name,
            Self::App(f, a) => f == name || a.iter().any(|t| t.mentions(name)),
            Self::Op(_, a) => a.iter().any(|t| t.mentions(name)),
            Self::Bind(_, x, of, body) => of.mentions(name) || x != name && body.mentions(name),
        }
    }

    /// `value` in place of the free variable `name`; bound variables are renamed where they would capture.
    #[must_use]
    pub fn put(&self, name: &str, value: &Self) -> Self {
        match self {
            Self::Var(x) if x == name => value.clone(),
            Self::Num(_) | Self::Var(_) => self.clone(),
            // What stays as it is is shared.
            _ if !self.mentions(name) => self.clone(),
            Self::App(f, arguments) => {
                let arguments = arguments.iter().map(|a| a.put(name, value)).collect();
                // A function variable may be put for another one.
                match value {
                    Self::Var(g) if f == name => Self::App(g.clone(), arguments),
                    _ => Self::App(f.clone(), arguments),
                }
            }
            Self::Op(o, arguments) => {
                Self::Op(*o, arguments.iter().map(|a| a.put(name, value)).collect())
            }
            Self::Bind(b, x, of, body) => {
                let of = of.put(name, value).into();
                if x == name {
                    return Self::Bind(*b, x.clone(), of, body.clone());
                }
                if !value.mentions(x) {
                    return Self::Bind(*b, x.clone(), of, body.put(name, value).into());
                }
                let taken = value.free();
                let mut fresh = format!("{x}′");
                while taken.contains(&fresh) || fresh == name || body.mentions(&fresh) {
                    fresh.push('′');
                }
                let body = body.put(x, &Self::Var(fresh.clone()));
                Self::Bind(*b, fresh, of, body.put(name, value).into())
            }
        }
    }

    /// Values in place of free variables, all at once: first come names that occur nowhere else, since a value may mention
    /// a name.
    pub(crate) fn put_all<'a>(
        &self,
        names: impl Iterator<Item = &'a str>,
        values: &[Self],
    ) -> Self {
        let hidden = |i: usize| format!("${i}");
        let named = names.enumerate().fold(self.clone(), |t, (i, name)| {
            t.put(name, &Self::Var(hidden(i)))
        });
        let values = values.iter().enumerate();
        values.fold(named, |t, (i, value)| t.put(&hidden(i), value))
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Term {}

impl PartialOrd for Term {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Term {
    fn cmp(&self, other: &Self) -> Ordering {
        order(self, other, &mut Vec::new())
    }
}

/// Compares terms inside binders, whose variables count by how far out they are bound, and not by their names.
fn order<'a>(a: &'a Term, b: &'a Term, bound: &mut Vec<[&'a Name; 2]>) -> Ordering {
    let all = |x: &'a [Term], y: &'a [Term], bound: &mut Vec<[&'a Name; 2]>| {
        if std::ptr::eq(x, y) && bound.iter().all(|[x, y]| x == y) {
            return Ordering::Equal;
        }
        let mut parts = x.iter().zip(y).map(|(x, y)| order(x, y, bound));
        parts
            .find(|o| o.is_ne())
            .unwrap_or_else(|| x.len().cmp(&y.len()))
    };
    match (a, b) {
        (Term::Num(x), Term::Num(y)) => x.cmp(y),
        (Term::Var(x), Term::Var(y)) => {
            let depth = |i: usize, x: &Name| bound.iter().rposition(|pair| pair[i] == x);
            match (depth(0, x), depth(1, y)) {
                (None, None) => x.cmp(y),
                (i, j) => i.cmp(&j),
            }
        }
        (Term::App(f, x), Term::App(g, y)) => f.cmp(g).then_with(|| all(x, y, bound)),
        (Term::Op(f, x), Term::Op(g, y)) => f.cmp(g).then_with(|| all(x, y, bound)),
        (Term::Bind(f, x, of, s), Term::Bind(g, y, range, t)) => {
            let outside = f.cmp(g).then_with(|| order(of, range, bound));
            bound.push([x, y]);
            let inside = outside.then_with(|| order(s, t, bound));
            bound.pop();
            inside
        }
        _ => rank(a).cmp(&rank(b)),
    }
}

fn rank(t: &Term) -> u8 {
    match t {
        Term::Num(_) => 0,
        Term::Var(_) => 1,
        Term::App(..) => 2,
        Term::Op(..) => 3,
        Term::Bind(..) => 4,
    }
}

macro_rules! operators {
    ($($op:ident $f:ident),*) => {$(
        impl $op for Term {
            type Output = Term;
            fn $f(self, other: Term) -> Term { op(Op::$op, [self, other]) }
        }
        impl $op<&Term> for &Term {
            type Output = Term;
            fn $f(self, other: &Term) -> Term { op(Op::$op, [self.clone(), other.clone()]) }
        }
    )*};
}
operators!(Add add, Sub sub, Mul mul, Div div);
