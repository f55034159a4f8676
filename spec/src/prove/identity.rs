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
    use crate::arith::ratio;
    use crate::prove::{Domain, closed};

    #[test]
    fn rational_identities_are_recognised_and_false_ones_are_not() {
        let (_, [x, y]) = Domain::of_all(["x", "y"], closed(0), closed(1));
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

    /// Each side of a rewrite, and next to it what it must not become.
    #[test]
    #[allow(clippy::erasing_op, reason = "what a product with 0 hides is tested")]
    fn no_rewrite_takes_more_than_it_says() {
        let [x, y]: [Expr; 2] = crate::prove::symbols();
        let root = x.sqrt();
        let nothing = &x - &x;
        for (left, right, equal) in [
            // (√a)² = a, and nothing of odd powers or of other functions.
            (root.powi(2), x.clone(), true),
            (root.powi(4), x.square(), true),
            (root.powi(-2), 1 / &x, true),
            (root.powi(0), 1.into(), true),
            (root.powi(1), root.clone(), true),
            (root.powi(1), x.clone(), false),
            (root.powi(3), x.clone(), false),
            (root.powi(3), x.square(), false),
            (root.powi(5), x.square(), false),
            (root.powi(-3), 1 / &x, false),
            (root.powi(3), &x * &root, false),
            ((&x * &y).sqrt().powi(2), &x * &y, true),
            ((&x * &y).sqrt().powi(2), x.clone(), false),
            (x.exp().powi(2), x.clone(), false),
            (x.abs().powi(2), x.square(), false),
            (x.square().sqrt(), x.clone(), false),
            (root.square().sqrt(), root.clone(), false),
            // Sums, differences, products, quotients, powers.
            (&x + &y, &y + &x, true),
            (&x - &y, &y - &x, false),
            (&x - &y, 0 - (&y - &x), true),
            (&x / &y, &y / &x, false),
            (&x / &y / &x, 1 / &y, true),
            (&x / (&y / &x), x.square() / &y, true),
            (&x / (&y / &x), 1 / &y, false),
            (1 / &x + 1 / &y, 2 / (&x + &y), false),
            (1 / &x + 1 / &y, (&x + &y) / (&x * &y), true),
            (1 / &x - 1 / &y, (&x - &y) / (&x * &y), false),
            (x.powi(3), &x * &x * &x, true),
            (x.powi(3), x.powi(2), false),
            (x.powi(-3), 1 / x.powi(3), true),
            (x.powi(-3), x.powi(3), false),
            ((&x / &y).powi(-2), (&y / &x).powi(2), true),
            ((&x / &y).powi(-2), (&x / &y).powi(2), false),
            (x.clone(), &x + 0 * &y, true),
            (x.clone(), &x + 1, false),
            (Expr::pi() * 2, Expr::pi() + Expr::pi(), true),
            (Expr::pi(), ratio(355, 113).into(), false),
            (x.min(&y), x.max(&y), false),
            (x.min(&y), y.min(&x), false),
            (x.min(&y) * 2, x.min(&y) + x.min(&y), true),
            (x.exp(), x.exp_m1() + 1, false),
            (x.ln(), y.ln(), false),
            // What is defined nowhere equals nothing.
            (1 / (1 / &nothing), 0.into(), false),
            (0 / &nothing, 0.into(), false),
            (nothing.powi(-1), nothing.powi(-1), false),
            (nothing.powi(-2).powi(-1), 0.into(), false),
        ] {
            assert_eq!(identical(&left, &right), equal, "{left} = {right}");
            assert_eq!(identical(&right, &left), equal, "{right} = {left}");
        }
    }

    #[test]
    fn more_unknowns_than_names_are_not_decided() {
        let many = |n: usize| -> Expr { (0..n).map(|i| Expr::from(Node::Var(i))).sum() };
        assert!(identical(&many(24), &many(24)));
        assert!(!identical(&many(25), &many(25)));
    }

    #[test]
    fn the_power_0_of_what_vanishes_is_1() {
        let (_, [x, _]) = Domain::of_all(["x", "y"], closed(0), closed(1));
        assert!(identical(&(&x - &x).powi(0), &Expr::from(1)));
    }
}
