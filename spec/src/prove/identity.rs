//! Identities between expressions, decided by exact expansion.

use super::expr::{Expr, Fun, Node};
use crate::arith::Poly;

/// Names for what an expansion treats as a variable.
const ATOMS: [&str; 24] = [
    "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12", "a13", "a14",
    "a15", "a16", "a17", "a18", "a19", "a20", "a21", "a22", "a23",
];

/// Whether two expressions are equal wherever both are defined, by expanding both into quotients of
/// polynomials. Variables, π and function values count as independent unknowns, except that
/// (√a)² = a; so `true` is certain, and `false` means "not by rational algebra alone".
#[must_use]
pub fn identical(a: &Expr, b: &Expr) -> bool {
    let mut atoms = Vec::new();
    match (fraction(a, &mut atoms), fraction(b, &mut atoms)) {
        (Some((p, q)), Some((r, s))) => p * s == r * q,
        _ => false,
    }
}

/// Numerator and denominator, which is not zero; `None` when there are more unknowns than [`ATOMS`], or
/// something is divided by an expression that is zero everywhere.
fn fraction(e: &Expr, atoms: &mut Vec<Expr>) -> Option<(Poly, Poly)> {
    let mut pair = |a: &Expr, b: &Expr| Some((fraction(a, atoms)?, fraction(b, atoms)?));
    Some(match e.node() {
        Node::Const(c) => (Poly::constant(c.clone()), Poly::from(1)),
        Node::Add(a, b) => pair(a, b).map(|((p, q), (r, s))| (&p * &s + r * &q, q * s))?,
        Node::Sub(a, b) => pair(a, b).map(|((p, q), (r, s))| (&p * &s - r * &q, q * s))?,
        Node::Mul(a, b) => pair(a, b).map(|((p, q), (r, s))| (p * r, q * s))?,
        Node::Div(a, b) => match pair(a, b)? {
            (_, (r, _)) if r.is_zero() => return None,
            ((p, q), (r, s)) => (p * s, q * r),
        },
        Node::Powi(a, n) => {
            let power = n.unsigned_abs();
            let (base, times) = match a.node() {
                Node::Fun(Fun::Sqrt, inner) if power % 2 == 0 => (inner, power / 2),
                _ => (a, power),
            };
            let (p, q) = fraction(base, atoms)?;
            let raise = |x: &Poly| (0..times).fold(Poly::from(1), |acc, _| &acc * x);
            match *n < 0 {
                true if p.is_zero() => return None,
                true => (raise(&q), raise(&p)),
                false => (raise(&p), raise(&q)),
            }
        }
        Node::Var(_) | Node::Pi | Node::Fun(..) | Node::Min(..) | Node::Max(..) => {
            let index = atoms.iter().position(|x| x == e).unwrap_or_else(|| {
                atoms.push(e.clone());
                atoms.len() - 1
            });
            (Poly::var(ATOMS.get(index)?), Poly::from(1))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::{Domain, closed};

    #[test]
    fn rational_identities_are_recognised_and_false_ones_are_not() {
        let mut domain = Domain::new();
        let x = domain.real("x", closed(0), closed(1));
        let y = domain.real("y", closed(0), closed(1));
        assert!(identical(
            &((&x + &y).square()),
            &(&x * &x + 2 * &x * &y + &y * &y)
        ));
        assert!(identical(&(1 / &x - 1 / &y), &((&y - &x) / (&x * &y))));
        assert!(identical(&x.sqrt().square(), &x));
        assert!(identical(&(x.exp() * 2 - x.exp()), &x.exp()));
        assert!(!identical(&(&x + &y).square(), &(&x * &x + &y * &y)));
        assert!(!identical(&x.exp(), &y.exp()));
    }
}
