//! Forged certificates: for every side condition of every rule, a false statement with a certificate
//! that would pass without that condition, and a true twin of the same shape that passes.

#![allow(clippy::erasing_op, reason = "what a product with 0 hides is tested")]

use super::replay;
use crate::arith::{Rational, ratio};
use crate::prove::{Certificate, Domain, End, Expr, Forall, Node, closed, infinite, open};
use crate::prove::{refute, violation};

/// What alone keeps a certificate of a false statement from passing.
fn only(condition: &'static str) -> Condition {
    Condition(condition)
}

struct Condition(&'static str);

impl Condition {
    /// The statement, a point where it is false or not defined, and one tree for each goal, `;` between them.
    fn lie(self, lie: Forall, at: &str, trees: &'static str) -> Lie {
        let number = |x: &str| x.parse().expect("a rational");
        Lie {
            condition: self.0,
            lie,
            at: at.split(' ').map(number).collect(),
            trees,
            answer: NOT_POSITIVE,
        }
    }
}

struct Lie {
    condition: &'static str,
    lie: Forall,
    at: Vec<Rational>,
    trees: &'static str,
    answer: &'static str,
}

impl Lie {
    /// What the replay objects to, unless it is that the bound is not positive.
    fn answer(self, answer: &'static str) -> Self {
        Self { answer, ..self }
    }

    /// A true statement of the same shape with its trees.
    fn twin(self, twin: (Forall, &'static str)) -> (Self, (Forall, &'static str)) {
        (self, twin)
    }
}

fn certificate(trees: &str) -> Certificate {
    let text: String = trees.split(';').map(|t| format!("{t}\n")).collect();
    Certificate::from_text(&text).expect("well-formed")
}

/// A statement in one real variable.
fn real(lo: End, hi: End, state: impl Fn(Domain, Expr) -> Forall) -> Forall {
    let (domain, x) = Domain::of("x", lo, hi);
    state(domain, x)
}

/// One in x of [0, 1].
fn unit(state: impl Fn(Domain, Expr) -> Forall) -> Forall {
    real(closed(0), closed(1), state)
}

/// One in x and y of [0, 1].
fn square(state: impl Fn(Domain, Expr, Expr) -> Forall) -> Forall {
    let (domain, [x, y]) = Domain::of_all(["x", "y"], closed(0), closed(1));
    state(domain, x, y)
}

/// One in an integer n.
fn integer(lo: i64, hi: i64, state: impl Fn(Domain, Expr) -> Forall) -> Forall {
    let mut domain = Domain::new();
    let n = domain.integer("n", lo, hi);
    state(domain, n)
}

/// c ≤ x on [0, 1].
fn above(c: Rational) -> Forall {
    unit(|d, x| Forall::le(d, &c, x))
}

/// x ≤ c on [0, 1].
fn below(c: Rational) -> Forall {
    unit(|d, x| Forall::le(d, x, &c))
}

fn assert_caught<const N: usize>(forgeries: [(Lie, (Forall, &'static str)); N]) {
    for (f, (truth, trees)) in forgeries {
        let name = f.condition;
        let refuted = violation(&f.lie, &f.at).is_some();
        let undefined = (f.lie.lhs.exact(&f.at), f.lie.rhs.exact(&f.at));
        let undefined = undefined.0.is_none() || undefined.1.is_none();
        assert!(refuted || undefined, "{name}: the lie holds at {:?}", f.at);
        let answer = replay(&f.lie, &certificate(f.trees));
        let told = answer.expect_err(name);
        assert!(told.contains(f.answer), "{name}: {told}");
        assert_eq!(replay(&truth, &certificate(trees)), Ok(()), "{name}: twin");
        assert!(refute(&truth, 20).is_none(), "{name}: the twin is a lie");
    }
}

const NOT_POSITIVE: &str = "the bound is not positive";
const NO_SIGN: &str = "the derivative's sign is not known";
const NOT_EXCLUDED: &str = "the hypothesis is not excluded";

#[test]
fn a_leaf_needs_a_bound_of_the_whole_box() {
    let hill = |top: Rational| unit(|d, x| Forall::le(d, (x - ratio(1, 2)).square(), &top));
    let slope = |c: Rational| square(|d, x, y| Forall::le(d, y, x + &c));
    assert_caught([
        only("the enclosure is at least 0")
            .lie(above(ratio(1, 10)), "0", ".")
            .twin((above(ratio(-1, 10)), ".")),
        only("the enclosure of a strict goal is above 0")
            .lie(unit(|d, x| Forall::lt(d, 0, x)), "0", ".")
            .twin((unit(|d, x| Forall::le(d, 0, x)), ".")),
        only("the mean-value form is at least 0")
            .lie(above(ratio(1, 10)), "0", "m")
            .twin((above(ratio(0, 1)), "m")),
        only("the mean-value form of a strict goal is above 0")
            .lie(unit(|d, x| Forall::lt(d, 0, x)), "0", "m")
            .twin((unit(|d, x| Forall::lt(d, ratio(-1, 9), x)), "m")),
        only("the mean-value form counts every coordinate")
            .lie(slope(ratio(1, 2)), "0 1", "m")
            .twin((slope(ratio(1, 1)), "m")),
        only("the mean-value form has the slopes of the box, not of its midpoint")
            .lie(hill(ratio(1, 8)), "0", "m")
            .twin((hill(ratio(1, 2)), "m")),
        only("the mean-value form starts from the value at the midpoint")
            .lie(unit(|d, _| Forall::le(d, 1, 0)), "1/2", "m")
            .twin((unit(|d, _| Forall::le(d, 0, 0)), "m")),
        only("an unbounded box has no midpoint")
            .lie(
                real(closed(0), infinite(), |d, x| Forall::le(d, x, 100)),
                "101",
                "m",
            )
            .twin((real(closed(0), infinite(), |d, x| Forall::le(d, 0, x)), ".")),
        only("an unbounded box is enclosed to infinity")
            .lie(
                real(closed(0), infinite(), |d, x| Forall::le(d, x, 100)),
                "101",
                ".",
            )
            .twin((
                real(closed(0), closed(100), |d, x| Forall::le(d, x, 100)),
                ".",
            )),
    ]);
}

#[test]
fn a_hypothesis_excludes_a_box_of_the_domain_only() {
    // x >= 1/2 gives x >= 1/4, and not x >= 3/4.
    let from_half = |c| above(c).when_le(ratio(1, 2), Expr::from(Node::Var(0)));
    let truth = || (from_half(ratio(1, 4)), "s0@1/4 h0 .");
    let beyond_half = |goal: Forall| {
        let mut goal = goal.when_le(ratio(1, 2), Expr::from(Node::Var(0)));
        goal.hypotheses[0].strict = true;
        goal
    };
    let valley = |depth: Rational| {
        beyond_half(unit(|d, x| {
            Forall::le(d, &depth, (x - ratio(1, 2)).square())
        }))
    };
    let wide = |c: Rational| square(|d, x, _| Forall::le(d, &c, &x).when_le(ratio(1, 2), x));
    let forged = |condition, trees, answer| {
        only(condition)
            .lie(from_half(ratio(3, 4)), "1/2", trees)
            .answer(answer)
            .twin(truth())
    };
    assert_caught([
        forged(
            "a hypothesis is one of the statement's",
            "h1",
            "no such hypothesis",
        ),
        forged("a hypothesis fails all over the box", "h0", NOT_EXCLUDED),
        forged(
            "a hypothesis says nothing of a face",
            "f0- h0",
            NOT_EXCLUDED,
        ),
        forged("nor of a face after a derivative", "d0- . h0", NOT_EXCLUDED),
        forged(
            "nor of the parts of a face",
            "s0 f0- h0 f0- h0",
            NOT_EXCLUDED,
        ),
        forged("nor of the face of a part", "s0@3/4 f0- h0 .", NOT_EXCLUDED),
        only("a hypothesis says nothing of a cut face")
            .lie(wide(ratio(3, 4)), "1/2 0", "f0- s1 h0 h0")
            .answer(NOT_EXCLUDED)
            .twin((wide(ratio(1, 4)), "s0@1/4 s1 h0 h0 .")),
        only("nor of the face of a face")
            .lie(wide(ratio(3, 4)), "1/2 0", "f0- f1- h0")
            .answer(NOT_EXCLUDED)
            .twin((wide(ratio(1, 4)), "s0@1/4 h0 f1- f0- .")),
        only("a hypothesis that holds with equality does not fail")
            .lie(
                unit(|d, x| Forall::lt(d, ratio(1, 2), &x).when_le(ratio(1, 2), x)),
                "1/2",
                "s0 h0 f0- .",
            )
            .answer(NOT_EXCLUDED)
            .twin((beyond_half(above(ratio(1, 2))), "s0 h0 f0- .")),
        only("a hypothesis says nothing of a derivative")
            .lie(valley(ratio(1, 4)), "3/4", "d0- s0 h0 . .")
            .answer(NOT_EXCLUDED)
            .twin((valley(ratio(0, 1)), "s0 h0 d0- . .")),
        only("nor of the derivative of a derivative")
            .lie(valley(ratio(1, 4)), "3/4", "d0- d0- s0 h0 . h0 .")
            .answer(NOT_EXCLUDED)
            .twin((valley(ratio(0, 1)), "s0 h0 d0- d0- . . .")),
    ]);
}

#[test]
fn a_face_decides_only_for_a_goal_that_rises_from_it() {
    let half_line = |state: fn(Domain, Expr) -> Forall| real(closed(0), infinite(), state);
    let positive = |state: fn(Domain, Expr) -> Forall| real(open(0), closed(1), state);
    let product = |lo: Rational| {
        let mut d = Domain::new();
        let x = d.real("x", open(0), closed(1));
        let y = d.real("y", closed(lo), closed(1));
        Forall::lt(d, 0, x * y)
    };
    let distance = |d, x: Expr| Forall::le(d, 0, (x - ratio(1, 2)).abs());
    assert_caught([
        only("a face is one of a variable")
            .lie(above(ratio(1, 2)), "0", "f1- .")
            .answer("no such variable")
            .twin((above(ratio(0, 1)), "f0- .")),
        only("there is no face at infinity")
            .lie(half_line(|d, x| Forall::le(d, x, 100)), "101", "f0+ .")
            .answer("no face at infinity")
            .twin((half_line(|d, x| Forall::le(d, -x, 100)), "f0- .")),
        only("a goal that falls is not smallest on the lower face")
            .lie(below(ratio(1, 2)), "1", "f0- .")
            .answer(NO_SIGN)
            .twin((below(ratio(1, 1)), "f0+ .")),
        only("a goal that rises is not smallest on the upper face")
            .lie(above(ratio(1, 2)), "0", "f0+ .")
            .answer(NO_SIGN)
            .twin((above(ratio(0, 1)), "f0- .")),
        only("a goal that falls and rises is smallest on no face")
            .lie(
                unit(|d, x| Forall::le(d, ratio(1, 100), (x - ratio(1, 2)).square())),
                "1/2",
                "f0- .",
            )
            .answer(NO_SIGN)
            .twin((
                unit(|d, x| Forall::le(d, ratio(1, 100), (x + 1).square())),
                "f0- .",
            )),
        only("a kink has both slopes")
            .lie(
                unit(|d, x| Forall::le(d, ratio(1, 100), (x - ratio(1, 2)).abs())),
                "1/2",
                "f0- .",
            )
            .answer(NO_SIGN)
            .twin((unit(distance), "s0 f0+ . f0- .")),
        only("a strict goal is above 0 on a face of the domain")
            .lie(unit(|d, x| Forall::lt(d, 0, x)), "0", "f0- .")
            .twin((positive(|d, x| Forall::lt(d, 0, x)), "f0- .")),
        only("a strict goal rises strictly from an open end where it is 0")
            .lie(product(ratio(0, 1)), "1/2 0", "f0- .")
            .twin((product(ratio(1, 2)), "f0- .")),
        only("only the domain's own end is open, not that of a part")
            .lie(
                positive(|d, x| Forall::lt(d, 0, (x - ratio(1, 2)).abs())),
                "1/2",
                "s0 f0+ . f0- .",
            )
            .twin((positive(distance), "s0 f0+ . f0- .")),
        only("an upper end is open only if it is said to be")
            .lie(
                real(open(0), closed(1), |d, x| Forall::lt(d, x, 1)),
                "1",
                "f0+ .",
            )
            .twin((
                real(closed(0), open(1), |d, x| Forall::lt(d, x, 1)),
                "f0+ .",
            )),
        only("a flat box has no face: at a kink its slope is not the box's")
            .lie(
                positive(|d, x| Forall::lt(d, 0, &x - x.abs())),
                "1/2",
                "f0- f0- .",
            )
            .answer("flat already")
            .twin((positive(|d, x| Forall::le(d, 0, &x - x.abs())), "f0- .")),
    ]);
}

#[test]
fn a_proved_derivative_holds_all_along_the_way() {
    let positive = |state: fn(Domain, Expr) -> Forall| real(open(0), closed(1), state);
    // 2n³ − 9n² + 12n − 5 is 0 at 1 and −1 at 2; its derivative is 6(n − 1)(n − 2).
    let cubic = |d, n: Expr| Forall::le(d, 5, 2 * n.powi(3) - 9 * n.square() + 12 * n);
    // The second derivative of this one is 12(n − 1)(n − 2); at 1 it and its derivative are 0.
    let quartic = |d, n: Expr| {
        let rest = 12 * n.square() - 10 * &n + 3;
        Forall::le(d, 0, n.powi(4) - 6 * n.powi(3) + rest)
    };
    // Along x the integer n is what it is.
    let mut d = Domain::new();
    let (x, n) = (d.real("x", closed(0), closed(1)), d.integer("n", 1, 2));
    let beside = Forall::le(d, x.clone() / 4, x * (n - ratio(3, 2)).square());
    assert_caught([
        only("a derivative is one by a variable")
            .lie(above(ratio(1, 2)), "0", "d1- . .")
            .answer("no such variable")
            .twin((above(ratio(0, 1)), "d0- . .")),
        only("there is no face at infinity, whatever the derivative")
            .lie(
                real(closed(0), infinite(), |d, x| Forall::le(d, x, 100)),
                "101",
                "d0+ . .",
            )
            .answer("no face at infinity")
            .twin((
                real(closed(0), infinite(), |d, x| Forall::le(d, 0, x)),
                "d0- . .",
            )),
        only("a kink has no derivative")
            .lie(
                unit(|d, x| Forall::le(d, ratio(1, 4), (x - ratio(1, 2)).abs())),
                "1/2",
                "d0- . .",
            )
            .answer("there is no derivative")
            .twin((
                unit(|d, x| Forall::le(d, ratio(1, 4), (x + 1).square())),
                "d0- . .",
            )),
        only("the derivative is at least 0 for the lower face")
            .lie(below(ratio(1, 2)), "1", "d0- . .")
            .twin((below(ratio(1, 1)), "d0+ . .")),
        only("the derivative is at most 0 for the upper face")
            .lie(above(ratio(1, 2)), "0", "d0+ . .")
            .twin((above(ratio(0, 1)), "d0- . .")),
        only("a strict goal needs a strict derivative at an open end")
            .lie(positive(|d, x| Forall::lt(d, 0, 0 * x)), "1/2", "d0- . .")
            .twin((positive(|d, x| Forall::lt(d, 0, x)), "d0- . .")),
        only("a strict goal is above 0 on the face after a derivative")
            .lie(unit(|d, x| Forall::lt(d, 0, x)), "0", "d0- . .")
            .twin((unit(|d, x| Forall::lt(d, -1, x)), "d0- . .")),
        only("the face after a derivative is checked")
            .lie(above(ratio(1, 2)), "0", "d0- . .")
            .twin((above(ratio(-1, 2)), "d0- . .")),
        only("a function rises between integers too")
            .lie(integer(1, 2, cubic), "2", "d0- s0 . . .")
            .twin((
                integer(1, 2, |d, n| Forall::le(d, 1, n.square())),
                "d0- s0 . . .",
            )),
        only("and so does its derivative")
            .lie(integer(1, 2, quartic), "2", "d0- d0- s0 . . . .")
            .twin((beside, "d0- s1 . . .")),
    ]);
}

#[test]
fn a_cut_leaves_nothing_out() {
    let far = |gap: Rational, from: i64| {
        move |d, n: Expr| Forall::le(d, &gap, (n - ratio(from, 2)).square())
    };
    let reciprocal = |gap: Rational| {
        let mut d = Domain::new();
        d.integer_at_least("k", 1);
        let u = Expr::from(Node::Var(0));
        Forall::le(d, gap, (u - ratio(1, 2)).square())
    };
    let [low, high] = ["s0 . .", "s0@1/3 . ."];
    assert_caught([
        only("the lower part is checked")
            .lie(above(ratio(1, 2)), "0", low)
            .twin((above(ratio(0, 1)), low)),
        only("the upper part is checked")
            .lie(below(ratio(1, 2)), "1", high)
            .twin((below(ratio(1, 1)), high)),
        only("a cut is one of a variable")
            .lie(below(ratio(1, 2)), "1", "s1 . .")
            .answer("no such variable")
            .twin((below(ratio(1, 1)), "s0 . .")),
        only("a cut lies not above the box")
            .lie(below(ratio(1, 2)), "1", "s0@2 . .")
            .answer("the cut lies outside")
            .twin((below(ratio(1, 1)), "s0@1 . .")),
        only("a cut lies not below the box")
            .lie(below(ratio(1, 2)), "1", "s0@-1 . .")
            .answer("the cut lies outside")
            .twin((below(ratio(1, 1)), "s0@0 . .")),
        only("the integer after a cut belongs to the upper part")
            .lie(integer(0, 3, far(ratio(1, 2), 4)), "2", "s0@3/2 . .")
            .twin((integer(0, 3, far(ratio(1, 4), 3)), "s0@3/2 . .")),
        only("the integer before a cut belongs to the lower part")
            .lie(integer(0, 3, far(ratio(1, 2), 2)), "1", "s0@3/2 . .")
            .twin((integer(0, 3, far(ratio(1, 4), 3)), "s0 . .")),
        only("reals between integers count")
            .lie(
                real(closed(0), closed(3), far(ratio(1, 4), 3)),
                "3/2",
                "s0@3/2 . .",
            )
            .twin((integer(0, 3, far(ratio(1, 4), 3)), "s0@3/2 . .")),
        only("the coordinate of an integer 1/u is real")
            .lie(reciprocal(ratio(1, 8)), "1/2", "s0 . .")
            .twin((reciprocal(ratio(0, 1)), "s0 . .")),
        only("an unbounded range is cut at 1 or twice its start")
            .lie(
                real(closed(0), infinite(), far(ratio(1, 4), 6)),
                "3",
                "s0 . .",
            )
            .twin((
                real(closed(3), infinite(), |d, x| Forall::le(d, 6, x + 3)),
                "s0 . .",
            )),
    ]);
}

#[test]
fn what_is_stated_is_defined_and_is_what_the_factors_give() {
    let over = |lo: End, trees| {
        let state = move |d, x: Expr| Forall::le(d, 0, 1 / x);
        (real(lo, closed(1), state), trees)
    };
    let undefined =
        |condition, lie: Forall, trees, twin| only(condition).lie(lie, "0", trees).twin(twin);
    let root =
        |p: i32| move |d, x: Expr| Forall::le(d, x.powi(p / 2), x.sqrt().powi(p)).factored(1, 0);
    assert_caught([
        undefined(
            "a divisor is not 0",
            over(closed(0), "").0,
            ".;.",
            over(open(0), "f0- .;."),
        ),
        undefined(
            "a power's base is not 0",
            unit(|d, x| Forall::le(d, 0, x.powi(-1))),
            ".;.",
            (unit(|d, x| Forall::le(d, 0, (x + 1).powi(-1))), ".;."),
        ),
        undefined(
            "a root's argument is not negative",
            unit(|d, x| Forall::le(d, 0, (x - ratio(1, 2)).sqrt())),
            ".;.",
            (unit(|d, x| Forall::le(d, 0, x.sqrt())), ".;."),
        ),
        undefined(
            "a logarithm's argument is not 0",
            unit(|d, x| Forall::le(d, x.ln(), 0)),
            ".;.",
            (
                real(open(0), closed(1), |d, x| Forall::le(d, x.ln(), 0)),
                "f0- .;.",
            ),
        ),
        undefined(
            "the argument of ln(1 + x) is not -1",
            unit(|d, x| Forall::le(d, (x - 1).ln_1p(), 0)),
            ".;.",
            (
                unit(|d, x| Forall::le(d, (x - ratio(1, 2)).ln_1p(), 1)),
                ".;.",
            ),
        ),
        undefined(
            "operations inside others are defined",
            unit(|d, x| Forall::le(d, 0, (1 / x).max(0).min(1))),
            ".;.",
            (
                unit(|d, x| Forall::le(d, 0, (1 / (x + 1)).max(0).min(1))),
                ".;.",
            ),
        ),
        only("there is a tree for every goal")
            .lie(over(closed(0), "").0, "0", ".")
            .answer("2 goals, but 1 trees")
            .twin(over(open(0), "f0- .;.")),
        only("what is stated is defined where its factors are")
            .lie(
                unit(|d, x| Forall::le(d, 0, &x / &x).factored(1, 1)),
                "0",
                ".;.",
            )
            .answer("3 goals, but 2 trees")
            .twin((
                real(open(0), closed(1), |d, x| {
                    Forall::le(d, 0, &x / &x).factored(1, 1)
                }),
                "f0- .;.;.",
            )),
        only("the factors give what is stated")
            .lie(below(ratio(1, 2)).factored(1, 1), "1", ".;.")
            .answer("not an identity")
            .twin((
                below(ratio(1, 1)).factored(1, 1 - Expr::from(Node::Var(0))),
                ".;.",
            )),
        only("an odd power of a root is no power")
            .lie(unit(root(3)), "1/4", ".;.;.")
            .answer("not an identity")
            .twin((unit(root(4)), ".;.;.")),
        only("the factor is not negative")
            .lie(
                below(ratio(0, 1)).factored(-1, Expr::from(Node::Var(0))),
                "1",
                ".;.",
            )
            .twin((
                above(ratio(0, 1)).factored(1, Expr::from(Node::Var(0))),
                ".;.",
            )),
        only("the other factor is not negative")
            .lie(
                below(ratio(0, 1)).factored(1, -Expr::from(Node::Var(0))),
                "1",
                ".;.",
            )
            .twin((
                above(ratio(0, 1)).factored(2, Expr::from(Node::Var(0)) / 2),
                ".;.",
            )),
        only("a strict statement has strict factors")
            .lie(
                unit(|d, x| Forall::lt(d, 0, &x * 2).factored(x, 2)),
                "0",
                ".;.",
            )
            .twin((
                real(open(0), closed(1), |d, x| {
                    Forall::lt(d, 0, &x * 2).factored(x, 2)
                }),
                "f0- .;.",
            )),
    ]);
}

/// Reasons that go from point to point by slopes are not taken where the goal may be undefined
/// between the points, even if what they show is true.
#[test]
fn slopes_lead_nowhere_through_points_where_the_goal_is_undefined() {
    let gap = |d, n: Expr| Forall::le(d, 0, 0 * (1 / (n - ratio(3, 2)).square()));
    let hypothesis = |d, x: Expr| Forall::le(d, 0, 0 * (1 / &x)).when_le(ratio(1, 2), x);
    let between_integers = integer(1, 2, gap);
    let without_hypothesis = real(closed(-1), closed(1), hypothesis);
    for (statement, definedness) in [
        (&between_integers, "s0 . ."),
        (&without_hypothesis, "s0@1/4 h0 ."),
    ] {
        let replayed =
            |tree: &str| replay(statement, &certificate(&format!("{definedness};{tree}")));
        assert_eq!(replayed("."), Ok(()));
        for tree in ["m", "f0- .", "f0+ .", "d0- . .", "d0+ . ."] {
            let told = replayed(tree).expect_err(tree);
            assert!(told.contains("not defined everywhere"), "{tree}: {told}");
        }
    }
    // The same on a face that the domain leaves out.
    let open_end = real(open(0), closed(1), |d, x| Forall::le(d, 0, 0 * (1 / x)));
    assert_eq!(replay(&open_end, &certificate("f0- .;.")), Ok(()));
    for tree in ["f0- .", "f0- m", "d0- . .", "d0- . m"] {
        let told = replay(&open_end, &certificate(&format!("f0- .;{tree}"))).expect_err(tree);
        assert!(told.contains("not defined everywhere"), "{tree}: {told}");
    }
    assert_eq!(replay(&open_end, &certificate("f0- .;f0+ .")), Ok(()));
}

#[test]
fn an_empty_range_proves_nothing() {
    // There is no lower end −∞: the range comes out empty, and 0 ≤ x is false for x = −1.
    for (lo, hi) in [
        (infinite(), closed(5)),
        (closed(1), closed(0)),
        (open(1), closed(1)),
        (closed(1), open(1)),
    ] {
        let statement = real(lo, hi, |d, x| Forall::le(d, 0, x));
        let told = replay(&statement, &certificate(".")).expect_err("empty");
        assert!(told.contains("the range of x is empty"), "{told}");
    }
    let point = real(closed(1), closed(1), |d, x| Forall::le(d, 0, x));
    assert_eq!(replay(&point, &certificate(".")), Ok(()));
}
