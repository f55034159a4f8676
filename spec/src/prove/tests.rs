use super::*;
use crate::arith::ratio;

fn unit(domain: &mut Domain, name: &'static str) -> Expr {
    domain.real(name, closed(0), closed(1))
}

fn proved(forall: &Forall) -> Certificate {
    match search(forall, BUDGET) {
        Outcome::Proved(c) => c,
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
        Outcome::Open { .. }
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
        Outcome::Open { .. }
    ));
    let (d, x) = Domain::of("x", open(0), closed(1));
    assert_eq!(proved(&Forall::le(d, 1, 1 / x)).trees.len(), 2);
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
    assert!(matches!(search(&wrong, 1000), Outcome::Open { .. }));
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
