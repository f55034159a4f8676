use super::problem::readable;
use super::*;
use crate::arith::{Rational, ratio};

fn unit(domain: &mut Domain, name: &'static str) -> Expr {
    domain.real(name, closed(0), closed(1))
}

fn proved(forall: &Forall) -> Certificate {
    match search(forall, BUDGET) {
        Decision::Proved(c) => c,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_inequality_that_touches_at_an_end_is_proved() {
    let mut d = Domain::new();
    let x = unit(&mut d, "x");
    let c = proved(&Forall::le(d, 1 + &x, x.exp()));
    assert_eq!(c.leaves(), 1);
}

#[test]
fn a_false_inequality_yields_an_admissible_counterexample() {
    let mut d = Domain::new();
    let x = unit(&mut d, "x");
    let forall = Forall::le(d, x.exp(), 1 + 17 * &x / 10);
    let found = refute(&forall, 30).expect("e > 2.7");
    assert!(violation(&forall, &found.point).is_some());
    assert!(
        refute(
            &Forall::le(forall.domain.clone(), x.exp(), 1 + 172 * &x / 100),
            30
        )
        .is_none()
    );
}

#[test]
fn a_strict_inequality_touching_an_excluded_end_is_proved_and_an_included_one_refuted() {
    let statement = |end| {
        let (d, x) = Domain::of("x", end, closed(1));
        Forall::lt(d, 1 + &x + &x * &x / 4, x.exp())
    };
    proved(&statement(open(0)));
    assert!(matches!(
        search(&statement(closed(0)), 1000),
        Decision::Open { .. }
    ));
    assert!(refute(&statement(closed(0)), 100).is_some());
}

#[test]
fn unbounded_variables_are_covered_by_their_change_of_variable() {
    let mut d = Domain::new();
    let t = d.at_least("T", 1);
    let e = d.real("eps", open(0), closed(1));
    // √(1/T) e ≤ e, all T ≥ 1.
    proved(&Forall::le(d, (1 / &t).sqrt() * &e, e));
    let mut d = Domain::new();
    let x = d.positive("x");
    proved(&Forall::lt(d, 1 / (1 + &x) + 1 / (1 + &x).square(), 2));
}

#[test]
fn an_unbounded_range_is_left_through_its_finite_face() {
    let (d, x) = Domain::of("x", closed(0), infinite());
    proved(&Forall::le(d, &x / 2, x.exp_m1()));
    let (d, x) = Domain::of("x", closed(0), infinite());
    proved(&Forall::le(d, x.ln_1p(), x));
    let (d, x) = Domain::of("x", closed(0), infinite());
    let found = refute(&Forall::le(d, x.clone(), 1000), 30).expect("x = 1001");
    assert!(found.point[0] > 1000);
}

#[test]
fn integers_are_exact() {
    let mut d = Domain::new();
    let n = d.integer("n", 1, 40);
    // (n − 5/2)² ≥ 1/4 at integers only.
    let square = (&n - ratio(5, 2)).square();
    let forall = Forall::le(d, ratio(1, 4), square.clone());
    assert!(proved(&forall).leaves() <= 6);
    let stricter = Forall::lt(forall.domain.clone(), ratio(1, 4), square);
    assert_eq!(
        refute(&stricter, 30).expect("n = 2 or 3").point[0].denom(),
        &1
    );
}

#[test]
fn hypotheses_exclude_boxes() {
    let mut d = Domain::new();
    let x = unit(&mut d, "x");
    let y = unit(&mut d, "y");
    let forall = Forall::le(d, &x * &x, y.clone()).when_le(x + ratio(1, 10), y);
    let c = proved(&forall);
    assert!(c.to_text().contains('h'));
}

#[test]
fn definedness_is_proved_before_the_goal() {
    let (d, x) = Domain::of("x", closed(0), closed(1));
    assert!(matches!(
        search(&Forall::le(d, 0, 1 / x), 1000),
        Decision::Open { .. }
    ));
    let (d, x) = Domain::of("x", open(0), closed(1));
    assert_eq!(proved(&Forall::le(d, 1, 1 / x)).trees.len(), 2);
}

/// What stays open is told with the goal, the boxes and one of them, by the coordinate where it is another.
#[test]
fn what_is_left_open_is_told() {
    let mut d = Domain::new();
    let x = d.real("x", closed(0), closed(1));
    let y = d.log_scale("y", closed(-1), closed(1));
    let open_at = |forall: &Forall, budget| match search(forall, budget) {
        Decision::Open { why } => why,
        other => panic!("{other:?}"),
    };
    let touching = Forall::le(d, 2 * &x * &y, x.square() + y.square());
    let why = open_at(&touching, 40);
    // In doubles and then in MPFR, whose budget is a tenth.
    assert_eq!(
        why,
        "branch and bound, goal 1 of 1: 2 boxes left after 4 looked at, among them x in \
            [0.000000e0, 1.000000e0], u(y) in [-1.000000e0, 0.000000e0]"
    );
    let (domain, x) = Domain::of("x", closed(1), closed(0));
    assert_eq!(
        open_at(&Forall::le(domain, 0, x), 9),
        "the range of x is empty"
    );
    let (domain, x) = Domain::of("x", closed(0), closed(1));
    let wrong = Forall::le(domain, 0, x.clone()).factored(1, 2 * x);
    assert_eq!(open_at(&wrong, 9), "the factored form is not an identity");
}

#[test]
fn a_common_zero_can_be_factored_out() {
    let mut d = Domain::new();
    let x = unit(&mut d, "x");
    let y = unit(&mut d, "y");
    // 2xy ≤ x² + y² touches along a line.
    let forall = Forall::le(d, 2 * &x * &y, x.square() + y.square());
    proved(&forall.clone().factored(1, (&x - &y).square()));
    let wrong = forall.factored(1, (&x + &y).square());
    assert!(matches!(search(&wrong, 1000), Decision::Open { .. }));
}

#[test]
fn the_replay_rejects_a_tree_that_does_not_cover_or_does_not_hold() {
    let mut d = Domain::new();
    let x = unit(&mut d, "x");
    let tight = Forall::le(d, x.exp(), 1 + ratio(17184, 10000) * &x);
    let certificate = proved(&tight);
    assert!(replay(&tight, &certificate).is_ok());
    let read = Certificate::from_text(&certificate.to_text());
    assert_eq!(read, Ok(certificate.clone()));
    let looser = Forall::le(tight.domain.clone(), x.exp(), 1 + ratio(171, 100) * &x);
    assert!(replay(&looser, &certificate).is_err());
    for text in [".", "s0 . .", "m", "f0- .", "f0+ .", "h0", "s0@2 . ."] {
        let forged = Certificate::from_text(text).expect("well-formed");
        assert!(replay(&looser, &forged).is_err(), "{text}");
    }
    for text in ["x", "s0 .", ". .", "f0 ."] {
        assert!(Certificate::from_text(text).is_err(), "{text}");
    }
}

#[test]
fn two_variables_with_special_functions_are_proved_in_a_few_boxes() {
    let mut d = Domain::new();
    let x = d.real("x", closed(0), closed(6));
    let s = d.real("s", closed(ratio(1, 2)), closed(2));
    // Chernoff: 1 − Φ(x/s) ≤ exp(−x²/(2s²))/2.
    let tail = 1 - (&x / &s).phi();
    let forall = Forall::le(d, tail, (-(x.square()) / (2 * s.square())).exp());
    assert!(proved(&forall).leaves() < 2000);
}

#[test]
#[allow(clippy::erasing_op, reason = "what a product with 0 hides is tested")]
fn no_point_refutes_where_something_is_undefined() {
    // At 0 each left side would be 0 by 0 · ∞ = 0, or ±∞, and above the right side; for x > 0 none is.
    let inverse = |x: &Expr| x * (1 / x);
    for state in [
        |x: &Expr, _: Expr| (ratio(1, 2).into(), (x / x).max(x * (1 / x))),
        |x: &Expr, inverse: Expr| (Expr::from(ratio(1, 2)), inverse + 0 * x),
        |x: &Expr, _: Expr| (x.clone(), x + 0 * x.ln() + x.powi(-1) * 0),
        |x: &Expr, _: Expr| (x.ln() / (x.ln() + 1 - x.ln()), x.clone()),
    ] {
        let (d, x) = Domain::of("x", closed(0), closed(1));
        let (lhs, rhs): (Expr, Expr) = state(&x, inverse(&x));
        let found = violation(&Forall::lt(d, lhs, rhs), &[ratio(0, 1)]);
        assert!(found.is_none(), "{found:?}");
    }
    // Nor does a point at which a hypothesis is undefined.
    let (d, x) = Domain::of("x", closed(0), closed(1));
    let under = Forall::le(d, 1, x.clone()).when_le(0, inverse(&x));
    assert!(violation(&under, &[ratio(0, 1)]).is_none());
    assert!(violation(&under, &[ratio(1, 2)]).is_some());
    // A negative divisor defines a value.
    let (d, x) = Domain::of("x", closed(0), closed(1));
    let negative = Forall::le(d, 0, (-(&x + 1)).exp() / (0 - x.exp()));
    assert!(violation(&negative, &[ratio(1, 2)]).is_some());
}

/// What is said to fail fails at a point of the domain: none beyond an end, at one that is left out, or between integers.
#[test]
fn only_points_of_the_domain_refute() {
    let beyond = |lo, hi, at: Rational| {
        let (domain, x) = Domain::of("x", lo, hi);
        violation(&Forall::le(domain, x, -9), &[at]).is_some()
    };
    for (at, inside) in [(-1, false), (0, true), (1, true), (2, true), (3, false)] {
        assert_eq!(beyond(closed(0), closed(2), ratio(at, 1)), inside, "{at}");
        let open_too = inside && at == 1;
        assert_eq!(beyond(open(0), open(2), ratio(at, 1)), open_too, "{at}");
        let unbounded = at >= 0;
        assert_eq!(beyond(closed(0), infinite(), ratio(at, 1)), unbounded);
    }
    let mut domain = Domain::new();
    let n = domain.integer("n", 1, 5);
    let never = Forall::le(domain, n, 0);
    assert!(violation(&never, &[ratio(3, 2)]).is_none());
    assert!(violation(&never, &[]).is_none());
    assert!(violation(&never, &[ratio(3, 1)]).is_some());
    // u = 2/T stands for an integer T only at 2/3, 2/4, …
    let mut domain = Domain::new();
    let t = domain.integer_at_least("T", 2);
    let never = Forall::le(domain, t, 1);
    assert!(violation(&never, &[ratio(3, 4)]).is_none());
    let found = violation(&never, &[ratio(1, 2)]).expect("4 > 1");
    assert!(found.text.contains("T = 4"), "{}", found.text);
}

/// By how much a statement fails is said where both sides are positive.
#[test]
fn a_factor_is_the_quotient_of_positive_sides() {
    let factor = |lhs: i32, rhs: i32| {
        let (domain, x) = Domain::of("x", closed(1), closed(4));
        let found = violation(&Forall::le(domain, lhs * &x, rhs), &[ratio(3, 1)]);
        found.expect("it fails").factor
    };
    assert_eq!(factor(2, 3), Some(2.0));
    assert_eq!([factor(2, 0), factor(2, -3), factor(-1, -9)], [None; 3]);
}

/// What is defined nowhere is a goal that no certificate meets, even where it is multiplied by 0.
#[test]
#[allow(clippy::erasing_op, reason = "what a product with 0 hides is tested")]
fn constants_outside_a_function_are_seen() {
    let number = |c: i32| Expr::from(c);
    let goals = |e: Expr| Forall::le(Domain::new(), 0 * e, 0).goals().len();
    for e in [
        number(-1).sqrt(),
        number(0).ln(),
        number(-1).ln(),
        number(-1).ln_1p(),
        1 / number(0),
        number(0).powi(-1),
    ] {
        assert_eq!(goals(e.clone()), 2, "{e}");
        let certificate = Certificate::from_text(".\n.\n").expect("well-formed");
        let forall = Forall::le(Domain::new(), 0 * &e, 0);
        assert!(replay(&forall, &certificate).is_err(), "{e}");
    }
    for e in [
        number(0).sqrt(),
        number(1).ln(),
        number(0).ln_1p(),
        1 / number(2),
        number(0).powi(2),
    ] {
        assert_eq!(goals(e.clone()), 1, "{e}");
    }
}

#[test]
fn expressions_and_domains_are_told_as_they_are() {
    let [x, y]: [Expr; 2] = symbols();
    for (e, size, mentions) in [
        (Expr::pi(), 1, [false, false]),
        (x.clone(), 1, [true, false]),
        (&x + &y, 3, [true, true]),
        (2 / &y, 3, [false, true]),
        (x.exp().powi(3), 3, [true, false]),
        (y.min(1), 3, [false, true]),
    ] {
        assert_eq!(e.size(), size, "{e}");
        assert_eq!([e.mentions(0), e.mentions(1)], mentions, "{e}");
    }
    let mut domain = Domain::new();
    domain.real("x", closed(0), open(ratio(1, 3)));
    domain.real("y", open(0), infinite());
    domain.integer("n", 1, 5);
    domain.at_least("T", 2);
    domain.positive("rho");
    domain.log_scale("s", closed(-1), closed(1));
    assert_eq!(
        Forall::le(domain, 0, 1).describe_domain(),
        "real x in [0, 1/3), real y in (0, inf), integer n in [1, 5], real T >= 2, real rho > 0, \
            real ln s in [-1, 1]"
    );
    let long = readable(&ratio(1_000_000_000, 3_000_000_001));
    assert_eq!(long, "1000000000/3000000001 (~3.333333e-1)");
    assert!(Certificate::from_text(".x\n").is_err() && Certificate::from_text("m1\n").is_err());
}

/// What a certificate is told as, and words that look like one of its nodes.
#[test]
fn certificates_are_counted_in_words() {
    let mut domain = Domain::new();
    let x = unit(&mut domain, "x");
    let certificate = Certificate::from_text("s0@1/2 . s0 . m\n").expect("well-formed");
    let told = certificate.describe(&Forall::le(domain, x, 2));
    assert!(told.contains("1 goals, 3 boxes"), "{told}");
    for word in ["mm", "..", "s", "f0", "f+", "d0-", "h", "s0@ . .", ". ."] {
        assert!(Certificate::from_text(word).is_err(), "{word}");
    }
}

/// A proof that is found is one once it is replayed: of a false statement there is none.
#[test]
fn a_proof_that_the_replay_does_not_accept_is_none() {
    let found = |rhs: i32| {
        let (domain, x) = Domain::of("x", closed(0), closed(1));
        let proof = Certificate::from_text(".\n").expect("well-formed");
        search::accepted(&Forall::le(domain, x, rhs), Decision::Proved(proof))
    };
    assert!(matches!(found(2), Decision::Proved(_)));
    assert!(matches!(found(-1), Decision::Open { why } if why.contains("does not accept")));
}
