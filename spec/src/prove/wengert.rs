//! The search's evaluator: an expression flattened to a list of operations, shared parts once,
//! with values and interval gradients.

use super::enclose::Enclose;
use super::expr::{Expr, Fun, Node};
use std::collections::HashMap;

#[derive(Clone, Debug)]
enum Op<N> {
    Const(N),
    Var(usize),
    Add(usize, usize),
    Sub(usize, usize),
    Mul(usize, usize),
    Div(usize, usize),
    Powi(usize, i32),
    Fun(Fun, usize),
    Min(usize, usize),
    Max(usize, usize),
}

/// A flattened expression, its Wengert list, over the arithmetic `N`.
pub(super) struct Wengert<N> {
    ops: Vec<Op<N>>,
    /// Per operation, whether it depends on each variable.
    depends: Vec<Vec<bool>>,
    vars: usize,
}

/// One partial derivative per variable; `None` where there is no dependence.
pub(super) type Gradient<N> = Vec<Option<N>>;

impl<N: Enclose> Wengert<N> {
    pub fn new(expr: &Expr, vars: usize) -> Self {
        let mut tape = Self {
            ops: Vec::new(),
            depends: Vec::new(),
            vars,
        };
        tape.push(expr, &mut HashMap::new());
        tape
    }

    /// Appends `expr` unless an equal operation is there; its position. Equal operations print
    /// alike once their operands are replaced by positions, which is the key.
    fn push(&mut self, expr: &Expr, seen: &mut HashMap<String, usize>) -> usize {
        let mut go = |e: &Expr| self.push(e, seen);
        let (op, key) = match expr.node() {
            Node::Const(c) => (Op::Const(N::constant(c)), format!("c{c}")),
            Node::Pi => (Op::Const(N::pi()), "pi".to_owned()),
            Node::Var(i) => (Op::Var(*i), format!("v{i}")),
            Node::Add(a, b) => keyed(Op::Add, "+", go(a), go(b)),
            Node::Sub(a, b) => keyed(Op::Sub, "-", go(a), go(b)),
            Node::Mul(a, b) => keyed(Op::Mul, "*", go(a), go(b)),
            Node::Div(a, b) => keyed(Op::Div, "/", go(a), go(b)),
            Node::Min(a, b) => keyed(Op::Min, "min", go(a), go(b)),
            Node::Max(a, b) => keyed(Op::Max, "max", go(a), go(b)),
            Node::Powi(a, n) => {
                let a = go(a);
                (Op::Powi(a, *n), format!("^{a} {n}"))
            }
            Node::Fun(f, a) => {
                let a = go(a);
                (Op::Fun(*f, a), format!("{f:?}{a}"))
            }
        };
        *seen.entry(key).or_insert_with(|| {
            let depends = self.dependence(&op);
            self.depends.push(depends);
            self.ops.push(op);
            self.ops.len() - 1
        })
    }

    fn dependence(&self, op: &Op<N>) -> Vec<bool> {
        match *op {
            Op::Const(_) => vec![false; self.vars],
            Op::Var(i) => (0..self.vars).map(|k| k == i).collect(),
            Op::Powi(a, _) | Op::Fun(_, a) => self.depends[a].clone(),
            Op::Add(a, b)
            | Op::Sub(a, b)
            | Op::Mul(a, b)
            | Op::Div(a, b)
            | Op::Min(a, b)
            | Op::Max(a, b) => {
                let (a, b) = (&self.depends[a], &self.depends[b]);
                a.iter().zip(b).map(|(x, y)| *x || *y).collect()
            }
        }
    }

    fn values(&self, point: &[N]) -> Vec<N> {
        let mut v: Vec<N> = Vec::with_capacity(self.ops.len());
        for op in &self.ops {
            v.push(match op {
                Op::Const(c) => c.clone(),
                Op::Var(i) => point[*i].clone(),
                Op::Add(a, b) => v[*a].add(&v[*b]),
                Op::Sub(a, b) => v[*a].sub(&v[*b]),
                Op::Mul(a, b) if a == b => v[*a].powi(2),
                Op::Mul(a, b) => v[*a].mul(&v[*b]),
                Op::Div(a, b) => v[*a].div(&v[*b]),
                Op::Powi(a, n) => v[*a].powi(*n),
                Op::Fun(f, a) => v[*a].fun(*f),
                Op::Min(a, b) => v[*a].min(&v[*b]),
                Op::Max(a, b) => v[*a].max(&v[*b]),
            });
        }
        v
    }

    /// The enclosure of the expression over a box.
    pub fn value(&self, point: &[N]) -> N {
        let mut values = self.values(point);
        values.pop().unwrap_or_else(|| N::int(0))
    }

    /// The gradient over a box (one `N` per variable), by forward differentiation: one entry per variable, `None` for
    /// one that the expression does not depend on.
    pub fn gradient(&self, point: &[N]) -> Gradient<N> {
        let v = self.values(point);
        let mut d: Vec<Vec<Option<N>>> = Vec::with_capacity(self.ops.len());
        for (k, op) in self.ops.iter().enumerate() {
            let row = (0..self.vars)
                .map(|i| self.depends[k][i].then(|| derivative(op, &v, k, |a| d[a][i].clone())))
                .collect();
            d.push(row);
        }
        d.pop().unwrap_or_default()
    }
}

fn keyed<N>(op: fn(usize, usize) -> Op<N>, name: &str, a: usize, b: usize) -> (Op<N>, String) {
    (op(a, b), format!("{name}{a} {b}"))
}

/// One partial derivative of operation `k`, given those (`d`) of its operands and all values.
fn derivative<N: Enclose>(op: &Op<N>, v: &[N], k: usize, d: impl Fn(usize) -> Option<N>) -> N {
    let zero = || N::int(0);
    let of = |a: usize| d(a).unwrap_or_else(zero);
    match *op {
        Op::Const(_) => zero(),
        Op::Var(_) => N::int(1),
        Op::Add(a, b) => of(a).add(&of(b)),
        Op::Sub(a, b) => of(a).sub(&of(b)),
        Op::Mul(a, b) => match (d(a), d(b)) {
            (Some(x), Some(y)) => x.mul(&v[b]).add(&y.mul(&v[a])),
            (Some(x), None) => x.mul(&v[b]),
            (None, y) => y.map_or_else(zero, |y| y.mul(&v[a])),
        },
        Op::Div(a, b) => match (d(a), d(b)) {
            (x, Some(y)) => x.unwrap_or_else(zero).sub(&v[k].mul(&y)).div(&v[b]),
            (x, None) => x.unwrap_or_else(zero).div(&v[b]),
        },
        Op::Powi(_, 0) => zero(),
        Op::Powi(a, n) => N::int(n).mul(&v[a].powi(n - 1)).mul(&of(a)),
        Op::Fun(f, a) => slope(f, &v[a], &v[k]).mul(&of(a)),
        Op::Min(a, b) => choose(&v[a].sub(&v[b]), of(a), of(b)),
        Op::Max(a, b) => choose(&v[b].sub(&v[a]), of(a), of(b)),
    }
}

/// `a` where `difference` ≤ 0, `b` where it is ≥ 0, both where its sign is not known.
fn choose<N: Enclose>(difference: &N, a: N, b: N) -> N {
    match difference.ends() {
        (_, hi) if hi <= 0.0 => a,
        (lo, _) if lo >= 0.0 => b,
        _ => a.hull(&b),
    }
}

/// The derivative of a function at `x`, where it has the value `y`.
fn slope<N: Enclose>(fun: Fun, x: &N, y: &N) -> N {
    let bell = |x: &N| N::int(0).sub(&x.powi(2)).fun(Fun::Exp);
    let two_over_root_pi = || N::int(2).div(&N::pi().fun(Fun::Sqrt));
    match fun {
        Fun::Sqrt => N::int(1).div(&N::int(2).mul(y)),
        Fun::Exp => y.clone(),
        Fun::ExpM1 => x.fun(Fun::Exp),
        Fun::Ln => N::int(1).div(x),
        Fun::Ln1p => N::int(1).div(&N::int(1).add(x)),
        Fun::Erf => two_over_root_pi().mul(&bell(x)),
        Fun::Erfc => N::int(0).sub(&two_over_root_pi().mul(&bell(x))),
        Fun::Phi => {
            let density = N::int(0).sub(&x.powi(2)).div(&N::int(2)).fun(Fun::Exp);
            density.div(&N::int(2).mul(&N::pi()).fun(Fun::Sqrt))
        }
        Fun::Abs => choose(x, N::int(-1), N::int(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::differentiate;
    use super::super::enclose::Fast;
    use super::super::replay;
    use super::*;
    use crate::arith::{Interval, ratio};
    use crate::prove::symbols;

    /// Values and slopes of both arithmetics hold those that the replay computes, and are hardly wider, of every operation.
    #[test]
    fn tapes_have_the_values_and_slopes_of_their_expressions() {
        let [x, y, _]: [Expr; 3] = symbols();
        let all = [
            3 + &x - &y,
            &x * &y + &x * &x,
            (&x + &y) / (&y - 9),
            x.powi(3) - y.powi(-2) + (&x - &y).powi(0),
            (&x * &y).sqrt() + x.exp() - y.exp_m1(),
            x.ln() * (&y / 7).ln_1p(),
            x.erf() + y.erfc() - (&x - &y).phi(),
            (&x - &y).abs() * 2 + x.max(&y - 5) - y.min(&x + 5),
            Expr::pi() * &y * &y - &y,
        ];
        for (a, b) in [((3, 2), (5, 4)), ((1, 3), (7, 1)), ((2, 1), (11, 5))] {
            let at = [a, b].map(|(p, q)| ratio(p, q));
            let exact: Vec<Interval> = at.iter().map(Interval::from_rational).collect();
            for e in &all {
                let told = format!("{e} at {at:?}");
                let truth = replay::value(e, &exact);
                let wide: Vec<Interval> = at.iter().map(Interval::constant).collect();
                let quick: Vec<Fast> = at.iter().map(Fast::constant).collect();
                let close = |found: (f64, f64), truth: &Interval| {
                    let size = 1e-12 * (1.0 + truth.hi_f64().abs());
                    assert!(
                        found.0 <= truth.lo_f64() && found.1 >= truth.hi_f64(),
                        "{told}: {found:?}, {truth}"
                    );
                    assert!(found.1 - found.0 < size, "{told}: {found:?}");
                };
                let (slow, fast) = (Wengert::<Interval>::new(e, 3), Wengert::<Fast>::new(e, 3));
                close(slow.value(&padded(&wide)).ends(), &truth);
                close(fast.value(&padded(&quick)).ends(), &truth);
                let (slow, fast) = (
                    slow.gradient(&padded(&wide)),
                    fast.gradient(&padded(&quick)),
                );
                for i in 0..3 {
                    assert_eq!(
                        [slow[i].is_some(), fast[i].is_some()],
                        [e.mentions(i); 2],
                        "{told}"
                    );
                    let Some(d) = differentiate::derivative(e, i).filter(|_| e.mentions(i)) else {
                        continue;
                    };
                    let truth = replay::value(&d, &exact);
                    close(slow[i].as_ref().map_or((0.0, 0.0), Enclose::ends), &truth);
                    close(fast[i].as_ref().map_or((0.0, 0.0), Enclose::ends), &truth);
                }
            }
        }
    }

    fn padded<N: Enclose>(point: &[N]) -> Vec<N> {
        [point, &[N::int(1)]].concat()
    }

    /// Of min, max and |·| one side where it is certain, both else.
    #[test]
    fn a_kink_has_the_slope_of_its_side() {
        let at = |lo: f64, hi: f64| {
            let (a, b) = (Interval::from(-1), Interval::from(2));
            choose(&Interval::between(lo, hi), a, b).ends()
        };
        for (lo, hi, ends) in [
            (-2.0, -1.0, (-1.0, -1.0)),
            (-1.0, 0.0, (-1.0, -1.0)),
            (0.0, 1.0, (2.0, 2.0)),
            (1.0, 2.0, (2.0, 2.0)),
            (-1.0, 1.0, (-1.0, 2.0)),
        ] {
            assert_eq!(at(lo, hi), ends, "{lo}, {hi}");
        }
    }

    /// What is the same is computed once.
    #[test]
    fn equal_parts_are_on_the_tape_once() {
        let [x, y]: [Expr; 2] = symbols();
        for (e, ops) in [
            ((&x + &y) * (&x + &y), 4),
            ((&x + &y) * (&y + &x), 5),
            (x.exp() + x.exp_m1() - x.exp(), 5),
            (x.powi(2) + x.powi(3) + x.powi(2), 5),
        ] {
            assert_eq!(Wengert::<Fast>::new(&e, 2).ops.len(), ops, "{e}");
        }
    }

    /// What is multiplied by itself is a square, of a range with both signs too.
    #[test]
    fn a_product_with_itself_is_a_square() {
        let [x, ..]: [Expr; 3] = symbols();
        let range = Interval::between(-1.0, 1.0);
        let found = Wengert::<Interval>::new(&(&x * &x), 1).value(&[range]);
        assert_eq!(found.ends(), (0.0, 1.0));
    }
}
