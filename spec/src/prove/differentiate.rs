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

    /// What is folded, and next to it what must stay: the replay believes these derivatives.
    #[test]
    fn constants_are_folded_and_nothing_else() {
        let [x, y]: [Expr; 2] = crate::prove::symbols();
        let c = |n: i32| Expr::from(n);
        for (found, printed) in [
            (sum(c(2), c(3)), "5"),
            (sum(c(0), x.clone()), "x0"),
            (sum(x.clone(), c(0)), "x0"),
            (sum(c(3), x.clone()), "(3 + x0)"),
            (sum(x.clone(), c(3)), "(x0 + 3)"),
            (sum(x.clone(), y.clone()), "(x0 + x1)"),
            (difference(c(2), c(3)), "-1"),
            (difference(x.clone(), c(0)), "x0"),
            (difference(c(0), x.clone()), "(0 - x0)"),
            (difference(x.clone(), c(3)), "(x0 - 3)"),
            (difference(x.clone(), y.clone()), "(x0 - x1)"),
            (product(c(2), c(3)), "6"),
            (product(c(0), x.clone()), "0"),
            (product(x.clone(), c(0)), "0"),
            (product(c(1), x.clone()), "x0"),
            (product(x.clone(), c(1)), "x0"),
            (product(c(3), x.clone()), "(3 * x0)"),
            (product(x.clone(), c(3)), "(x0 * 3)"),
            (product(x.clone(), y.clone()), "(x0 * x1)"),
            (quotient(c(0), x.clone()), "0"),
            (quotient(c(1), x.clone()), "(1 / x0)"),
            (quotient(x.clone(), c(1)), "(x0 / 1)"),
            (power(&x, 1), "x0"),
            (power(&x, 0), "x0^0"),
            (power(&x, 2), "x0^2"),
            (power(&x, -1), "x0^-1"),
        ] {
            assert_eq!(found.to_string(), printed);
        }
    }

    /// By every rule, at a point, against a difference quotient in doubles; a function of others has none.
    #[test]
    fn derivatives_are_the_slopes_of_their_functions() {
        let [x, y]: [Expr; 2] = crate::prove::symbols();
        let at = |e: &Expr, x: f64| {
            let point = [x, 1.75].map(crate::arith::Interval::from_f64);
            crate::prove::replay::value(e, &point).lo_f64()
        };
        for e in [
            x.sqrt(),
            x.exp(),
            x.exp_m1(),
            x.ln(),
            x.ln_1p(),
            x.erf(),
            x.erfc(),
            x.phi(),
            (2 * &x * &y).sqrt() + 3,
            (&x * &y - &x / 3).exp() * (&y - &x),
            (&y + 2) / (x.square() + 1),
            (&x / &y) - (&y / &x),
            (1 + &x).powi(-3) - x.powi(5) + x.powi(1) + (&x + &y).powi(0),
            y.abs() * &x - y.min(&(&y * 2)) * x.square(),
            (x.square() / 5).erf() - (&y - 2 * &x).phi() + (&x / 4).erfc().ln() + (3 * &x).ln_1p(),
        ] {
            let slope = at(&derivative(&e, 0).expect("smooth"), 0.625);
            let h = 2f64.powi(-13);
            let found = (at(&e, 0.625 + h) - at(&e, 0.625 - h)) / (2.0 * h);
            // The third derivatives are below 10³.
            assert!(
                (slope - found).abs() < 1e-4 * (1.0 + slope.abs()),
                "{e}: {slope}, {found}"
            );
        }
        for e in [
            y.exp(),
            y.abs(),
            y.max(&(&y * 2)),
            y.ln() / 3,
            7.into(),
            Expr::pi(),
        ] {
            assert_eq!(
                derivative(&e, 0).map(|d| d.to_string()),
                Some("0".to_owned()),
                "{e}"
            );
        }
        for kink in [x.abs(), x.min(&y), y.max(&x), (&x * &y).abs()] {
            assert!(derivative(&kink, 0).is_none(), "{kink}");
        }
    }
}
