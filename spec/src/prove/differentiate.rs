//! Symbolic partial derivatives, for sign proofs of a derivative by the prover itself.

use super::expr::{Expr, Fun, Node};
use crate::arith::Rational;

/// ∂e/∂xᵢ with constants folded; `None` if a kink (|·|, min, max) depends on xᵢ.
pub(super) fn derivative(e: &Expr, i: usize) -> Option<Expr> {
    let d = |a: &Expr| derivative(a, i);
    Some(match e.node() {
        Node::Const(_) | Node::Pi => 0.into(),
        Node::Var(k) => i32::from(*k == i).into(),
        Node::Add(a, b) => sum(d(a)?, d(b)?),
        Node::Sub(a, b) => difference(d(a)?, d(b)?),
        Node::Mul(a, b) => sum(product(d(a)?, b.clone()), product(d(b)?, a.clone())),
        Node::Div(a, b) => quotient(difference(d(a)?, product(e.clone(), d(b)?)), b.clone()),
        Node::Powi(_, 0) => 0.into(),
        Node::Powi(a, 1) => d(a)?,
        Node::Powi(a, n) => product(product((*n).into(), power(a, n - 1)), d(a)?),
        Node::Min(a, b) | Node::Max(a, b) => match (d(a)?, d(b)?) {
            (x, y) if is(&x, 0) && is(&y, 0) => x,
            _ => return None,
        },
        Node::Fun(fun, a) => match (d(a)?, fun) {
            (inner, _) if is(&inner, 0) => inner,
            (_, Fun::Abs) => return None,
            (inner, fun) => product(outer(*fun, a, e), inner),
        },
    })
}

/// The derivative of a smooth function at `a`, where it has the value `e`.
fn outer(fun: Fun, a: &Expr, e: &Expr) -> Expr {
    let bell = || (0 - a.square()).exp();
    match fun {
        Fun::Sqrt => 1 / (2 * e),
        Fun::Exp => e.clone(),
        Fun::ExpM1 => a.exp(),
        Fun::Ln => 1 / a,
        Fun::Ln1p => 1 / (1 + a),
        Fun::Erf => 2 / Expr::pi().sqrt() * bell(),
        Fun::Erfc => 0 - 2 / Expr::pi().sqrt() * bell(),
        Fun::Phi => ((0 - a.square()) / 2).exp() / (2 * Expr::pi()).sqrt(),
        // The caller has dealt with it.
        Fun::Abs => 0.into(),
    }
}

fn is(e: &Expr, value: i32) -> bool {
    matches!(e.node(), Node::Const(c) if *c == value)
}

fn constant(e: &Expr) -> Option<&Rational> {
    match e.node() {
        Node::Const(c) => Some(c),
        _ => None,
    }
}

fn sum(a: Expr, b: Expr) -> Expr {
    match (constant(&a), constant(&b)) {
        (Some(x), Some(y)) => Rational::from(x + y).into(),
        (Some(x), _) if x.is_zero() => b,
        (_, Some(y)) if y.is_zero() => a,
        _ => a + b,
    }
}

fn difference(a: Expr, b: Expr) -> Expr {
    match (constant(&a), constant(&b)) {
        (Some(x), Some(y)) => Rational::from(x - y).into(),
        (_, Some(y)) if y.is_zero() => a,
        _ => a - b,
    }
}

fn product(a: Expr, b: Expr) -> Expr {
    match (constant(&a), constant(&b)) {
        (Some(x), Some(y)) => Rational::from(x * y).into(),
        (Some(x), _) if x.is_zero() => a,
        (_, Some(y)) if y.is_zero() => b,
        (Some(x), _) if *x == 1 => b,
        (_, Some(y)) if *y == 1 => a,
        _ => a * b,
    }
}

fn quotient(a: Expr, b: Expr) -> Expr {
    if is(&a, 0) { a } else { a / b }
}

fn power(a: &Expr, n: i32) -> Expr {
    if n == 1 { a.clone() } else { a.powi(n) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::{Domain, closed, identical};

    #[test]
    fn derivatives_follow_the_rules_of_calculus() {
        let (_, [x, y]) = Domain::of_all(["x", "y"], closed(1), closed(2));
        let rational = (x.powi(3) + 2 * &x * &y) / &y;
        let by_x = derivative(&rational, 0).expect("smooth");
        assert!(identical(&by_x, &((3 * x.square() + 2 * &y) / &y)));
        let by_y = derivative(&rational, 1).expect("smooth");
        assert!(identical(&by_y, &(0 - x.powi(3) / y.square())));
        let chain = derivative(&(&x * &y).exp(), 0).expect("smooth");
        assert!(identical(&chain, &(&y * (&x * &y).exp())));
        let root = derivative(&(&x * &y).sqrt(), 1).expect("smooth");
        assert!(identical(&root, &(&x / (2 * (&x * &y).sqrt()))));
        assert!(derivative(&(&x - 1).abs(), 0).is_none());
        assert!(derivative(&x.max(1), 1).is_some());
        // Constants are folded: bounds of a derivative are as good as it is short.
        for (e, by_x) in [
            (&x + 3, "1"),
            (3 + &x * 2 + &y, "2"),
            (&x / 2 - 5 * &y, "(1 / 2)"),
            (&y * &y, "0"),
            (&x - 3 * &x, "-2"),
            (x.square() - 3 * &x, "((2 * x0) - 3)"),
        ] {
            assert_eq!(derivative(&e, 0).expect("smooth").to_string(), by_x, "{e}");
        }
    }

    #[test]
    fn a_sum_with_0_is_what_is_added() {
        let (_, [x, _]) = Domain::of_all(["x", "y"], closed(1), closed(2));
        assert_eq!(sum(x.clone(), 0.into()), x);
        assert_eq!(sum(0.into(), x.clone()), x);
    }
}
