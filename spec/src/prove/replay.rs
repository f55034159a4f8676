//! Independent re-check of a certificate.
//!
//! Shares nothing with the search but [`Expr`] with its symbolic derivative, [`Interval`] and the
//! certificate's data type. What it accepts is true by three facts: (1) [`value`] encloses all defined values of an expression over a
//! box, [`slope`] those of a partial derivative (for |x|, min and max the generalised one); (2) a
//! function whose partial derivative keeps its sign on a box is smallest on one face; (3) g(x) ≥
//! g(c) + Σ ∂ᵢg(box)·(xᵢ − cᵢ). That the operations are defined is proved first, as goals of their own.

use super::certificate::{BoxSide, Certificate, Tree};
use super::differentiate::derivative;
use super::expr::{Expr, Fun, Node};
use super::problem::{Forall, Range, SignCondition, Var};
use crate::arith::{Interval, PRECISION, Rational};

/// Whether `certificate` proves `forall`.
///
/// # Errors
/// Says which goal fails on which box.
pub fn replay(forall: &Forall, certificate: &Certificate) -> Result<(), String> {
    if !forall.is_consistent() {
        return Err("the factored form is not an identity".to_owned());
    }
    if let Some(var) = forall.vars().iter().find(|v| v.is_empty()) {
        return Err(format!("the range of {} is empty", var.name));
    }
    let goals = forall.goals();
    if goals.len() != certificate.trees.len() {
        let (want, have) = (goals.len(), certificate.trees.len());
        return Err(format!("{want} goals, but {have} trees"));
    }
    let all: Vec<Range> = forall.vars().iter().map(Var::all).collect();
    let mut needs_total = false;
    for (goal, tree) in goals.iter().zip(&certificate.trees) {
        let state = State {
            ranges: all.clone(),
            strict: goal.strict,
            faced: false,
            hypotheses: true,
            continuous: Vec::new(),
            needs_total,
        };
        check(forall, &goal.expr, tree, state)?;
        needs_total |= tree.leaves_gaps(forall.vars());
    }
    Ok(())
}

#[derive(Clone)]
struct State {
    ranges: Vec<Range>,
    /// Whether the goal must be > 0 here, not only ≥ 0.
    strict: bool,
    /// Whether the box is a face of the one in question.
    faced: bool,
    /// Whether hypotheses say something about the box: not about a face, nor about a derivative.
    hypotheses: bool,
    /// The coordinates along which a derivative's sign is asked for: it must hold between integers
    /// too, since a function rises along the whole way or not at all.
    continuous: Vec<usize>,
    /// Whether the goal might be undefined on a part of the box that does not matter: on a face
    /// that the domain leaves out, where a hypothesis fails, or between integers. Then a reason that
    /// goes from point to point by slopes first makes sure that all its operations are defined
    /// ([`is_total`]).
    needs_total: bool,
}

fn check(forall: &Forall, goal: &Expr, tree: &Tree, mut state: State) -> Result<(), String> {
    let fail = |state: &State, why: &str| Err(format!("{why} on {:?}", state.ranges));
    match tree {
        Tree::Interval | Tree::MeanValue => {
            if state.needs_total
                && (state.faced || *tree == Tree::MeanValue)
                && !is_total(goal, &enclose(&state.ranges))
            {
                return fail(&state, "the goal is not defined everywhere");
            }
            let bound = if *tree == Tree::Interval {
                value(goal, &enclose(&state.ranges))
            } else {
                mean_value(goal, &state.ranges)
            };
            if *bound.lo() > 0 || (*bound.lo() == 0 && !state.strict) {
                Ok(())
            } else {
                fail(&state, "the bound is not positive")
            }
        }
        Tree::Hypothesis(k) => {
            let Some(SignCondition { expr, strict }) = forall.hypotheses.get(*k) else {
                return fail(&state, "there is no such hypothesis");
            };
            let bound = value(expr, &enclose(&state.ranges));
            if state.hypotheses && (*bound.hi() < 0 || (*bound.hi() == 0 && *strict)) {
                Ok(())
            } else {
                fail(&state, "the hypothesis is not excluded")
            }
        }
        Tree::Face(i, side, rest) => {
            let (face, excluded) = face(forall, &state, *i, *side)?;
            if state.needs_total && !is_total(goal, &enclose(&state.ranges)) {
                return fail(&state, "the goal is not defined everywhere");
            }
            let d = slope(goal, *i, &enclose(&state.ranges));
            let d = if *side == BoxSide::Low { d } else { -d };
            if *d.lo() < 0 {
                return fail(&state, "the derivative's sign is not known");
            }
            let strict = state.strict && !(excluded && *d.lo() > 0);
            check(forall, goal, rest, State { strict, ..face })
        }
        Tree::Proved(i, side, parts) => {
            let (face, excluded) = face(forall, &state, *i, *side)?;
            if state.needs_total && !is_total(goal, &enclose(&state.ranges)) {
                return fail(&state, "the goal is not defined everywhere");
            }
            let Some(d) = derivative(goal, *i) else {
                return fail(&state, "there is no derivative");
            };
            let d = if *side == BoxSide::Low { d } else { -d };
            let mut of_derivative = State {
                strict: state.strict && excluded,
                faced: false,
                hypotheses: false,
                needs_total: true,
                ..state.clone()
            };
            of_derivative.continuous.push(*i);
            check(forall, &d, &parts.0, of_derivative)?;
            let strict = state.strict && !excluded;
            check(forall, goal, &parts.1, State { strict, ..face })
        }
        Tree::Split(i, at, parts) => {
            let Some(var) = forall.vars().get(*i) else {
                return fail(&state, "there is no such variable");
            };
            let stepped = var.is_stepped() && !state.continuous.contains(i);
            let (cut, next) = cut(stepped, &state.ranges[*i], at.as_ref());
            let (lo, hi) = state.ranges[*i].clone();
            if cut < lo || hi.as_ref().is_some_and(|hi| next > *hi) {
                return fail(&state, "the cut lies outside");
            }
            let mut upper = state.clone();
            state.ranges[*i] = (lo, Some(cut));
            upper.ranges[*i] = (next, hi);
            check(forall, goal, &parts.0, state)?;
            check(forall, goal, &parts.1, upper)
        }
    }
}

/// Where a range is cut, of integers (`stepped`) or of reals: the end of its lower and the start of
/// its upper part.
pub(super) fn cut(stepped: bool, (lo, hi): &Range, at: Option<&Rational>) -> (Rational, Rational) {
    let cut = match (at, hi) {
        (Some(at), _) => at.clone(),
        (None, Some(hi)) => Rational::from(lo + hi) / 2,
        (None, None) => Rational::from(lo * 2).max(1.into()),
    };
    if stepped {
        let below = cut.floor();
        let above = Rational::from(&below + 1);
        (below, above)
    } else {
        (cut.clone(), cut)
    }
}

/// The state on a face of the box, and whether that face does not belong to the domain.
fn face(forall: &Forall, state: &State, i: usize, side: BoxSide) -> Result<(State, bool), String> {
    let var = forall.vars().get(i).ok_or("there is no such variable")?;
    let (lo, hi) = &state.ranges[i];
    // On a flat box a slope says nothing of the box that it is a face of.
    if Some(lo) == hi.as_ref() {
        return Err(format!("the box is flat already on {:?}", state.ranges));
    }
    let (end, excluded) = match side {
        BoxSide::Low => (lo.clone(), var.lo_open && *lo == var.lo),
        BoxSide::High => (
            hi.clone().ok_or("there is no face at infinity")?,
            var.hi_open && *hi == var.hi,
        ),
    };
    let mut face = State {
        faced: true,
        hypotheses: false,
        needs_total: state.needs_total || excluded,
        ..state.clone()
    };
    face.ranges[i] = (end.clone(), Some(end));
    Ok((face, excluded))
}

fn enclose(ranges: &[Range]) -> Vec<Interval> {
    let infinity = || Interval::between(f64::INFINITY, f64::INFINITY);
    let hull = |(lo, hi): &Range| {
        let hi = hi.as_ref().map_or_else(infinity, Interval::from_rational);
        Interval::from_rational(lo).hull(&hi)
    };
    ranges.iter().map(hull).collect()
}

/// An enclosure of the values of `e` over the box `x`, at the precision of `x`.
pub(super) fn value(e: &Expr, x: &[Interval]) -> Interval {
    let v = |a: &Expr| value(a, x);
    match e.node() {
        Node::Const(c) => Interval::rational_at(c, precision(x)),
        Node::Pi => Interval::pi(precision(x)),
        Node::Var(i) => x[*i].clone(),
        Node::Add(a, b) => v(a) + v(b),
        Node::Sub(a, b) => v(a) - v(b),
        Node::Mul(a, b) if a == b => v(a).square(),
        Node::Mul(a, b) => v(a) * v(b),
        Node::Div(a, b) => v(a) / v(b),
        Node::Min(a, b) => v(a).min(&v(b)),
        Node::Max(a, b) => v(a).max(&v(b)),
        Node::Powi(a, n) => power(&v(a), *n),
        Node::Fun(f, a) => {
            let a = v(a);
            match f {
                Fun::Sqrt => a.sqrt(),
                Fun::Exp => a.exp(),
                Fun::ExpM1 => a.exp_m1(),
                Fun::Ln => a.ln(),
                Fun::Ln1p => a.ln_1p(),
                Fun::Erf => a.erf(),
                Fun::Erfc => a.erfc(),
                Fun::Phi => a.phi(),
                Fun::Abs => a.abs(),
            }
        }
    }
}

fn precision(x: &[Interval]) -> u32 {
    x.first().map_or(PRECISION, Interval::prec)
}

fn power(a: &Interval, n: i32) -> Interval {
    let raised = a.powi(n.unsigned_abs());
    if n.is_negative() {
        Interval::from(1) / raised
    } else {
        raised
    }
}

/// An enclosure of ∂e/∂xᵢ over the box `x`.
fn slope(e: &Expr, i: usize, x: &[Interval]) -> Interval {
    if !mentions(e, i) {
        return Interval::from(0);
    }
    let v = |a: &Expr| value(a, x);
    let d = |a: &Expr| slope(a, i, x);
    match e.node() {
        Node::Const(_) | Node::Pi => Interval::from(0),
        Node::Var(_) => Interval::from(1),
        Node::Add(a, b) => d(a) + d(b),
        Node::Sub(a, b) => d(a) - d(b),
        Node::Mul(a, b) if !mentions(b, i) => d(a) * v(b),
        Node::Mul(a, b) if !mentions(a, i) => d(b) * v(a),
        Node::Mul(a, b) => d(a) * v(b) + d(b) * v(a),
        Node::Div(a, b) if !mentions(b, i) => d(a) / v(b),
        Node::Div(a, b) => (d(a) - v(e) * d(b)) / v(b),
        Node::Powi(_, 0) => Interval::from(0),
        Node::Powi(a, n) => Interval::from(i64::from(*n)) * power(&v(a), n - 1) * d(a),
        Node::Min(a, b) => pick(&(v(a) - v(b)), d(a), d(b)),
        Node::Max(a, b) => pick(&(v(b) - v(a)), d(a), d(b)),
        Node::Fun(f, a) => {
            let inner = v(a);
            let bell = || (-inner.square()).exp();
            let pi = Interval::pi(PRECISION);
            let own = match f {
                Fun::Sqrt => Interval::from(1) / (Interval::from(2) * v(e)),
                Fun::Exp | Fun::ExpM1 => inner.exp(),
                Fun::Ln => Interval::from(1) / inner,
                Fun::Ln1p => Interval::from(1) / (Interval::from(1) + inner),
                Fun::Erf => Interval::from(2) / pi.sqrt() * bell(),
                Fun::Erfc => -(Interval::from(2) / pi.sqrt() * bell()),
                Fun::Phi => {
                    (-inner.square() / Interval::from(2)).exp() / (Interval::from(2) * pi).sqrt()
                }
                Fun::Abs => pick(&inner, Interval::from(-1), Interval::from(1)),
            };
            own * d(a)
        }
    }
}

/// `a` where `difference` ≤ 0, `b` where it is ≥ 0, their hull where both occur.
fn pick(difference: &Interval, a: Interval, b: Interval) -> Interval {
    if *difference.hi() <= 0 {
        a
    } else if *difference.lo() >= 0 {
        b
    } else {
        a.hull(&b)
    }
}

fn mentions(e: &Expr, i: usize) -> bool {
    parts(e).into_iter().any(|a| mentions(a, i)) || matches!(e.node(), Node::Var(k) if *k == i)
}

fn parts(e: &Expr) -> Vec<&Expr> {
    match e.node() {
        Node::Const(_) | Node::Pi | Node::Var(_) => vec![],
        Node::Powi(a, _) | Node::Fun(_, a) => vec![a],
        Node::Add(a, b)
        | Node::Sub(a, b)
        | Node::Mul(a, b)
        | Node::Div(a, b)
        | Node::Min(a, b)
        | Node::Max(a, b) => vec![a, b],
    }
}

/// A lower and upper bound of the goal over the box from its midpoint and its slopes.
fn mean_value(goal: &Expr, ranges: &[Range]) -> Interval {
    let middle =
        |(lo, hi): &Range| -> Option<Rational> { Some(Rational::from(lo + hi.as_ref()?) / 2) };
    let flat = |r| middle(r).map(|m| (m.clone(), Some(m)));
    let Some(centre) = ranges.iter().map(flat).collect::<Option<Vec<Range>>>() else {
        return Interval::whole(PRECISION);
    };
    let (boxed, at) = (enclose(ranges), enclose(&centre));
    let mut bound = value(goal, &at);
    for i in 0..ranges.len() {
        if Some(&ranges[i].0) != ranges[i].1.as_ref() {
            bound = bound + slope(goal, i, &boxed) * (&boxed[i] - &at[i]);
        }
    }
    bound
}

/// Whether every operation of `e` is defined, and so `e` continuous, all over the box `x`.
pub(super) fn is_total(e: &Expr, x: &[Interval]) -> bool {
    let v = |a: &Expr| value(a, x);
    let own = match e.node() {
        Node::Div(_, b) => *v(b).lo() > 0 || *v(b).hi() < 0,
        Node::Powi(a, n) if *n < 0 => *v(a).lo() > 0 || *v(a).hi() < 0,
        Node::Fun(Fun::Sqrt, a) => *v(a).lo() >= 0,
        Node::Fun(Fun::Ln, a) => *v(a).lo() > 0,
        Node::Fun(Fun::Ln1p, a) => *v(a).lo() > -1,
        _ => true,
    };
    own && parts(e).into_iter().all(|a| is_total(a, x))
}

#[cfg(test)]
mod enclosed;
#[cfg(test)]
mod forged;
