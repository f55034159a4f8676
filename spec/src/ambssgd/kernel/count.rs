//! The tail of a count: of s independent records of which each is large with probability 1/2 at least, a quarter or fewer are large with
//! probability exp(−s/8) at most. This is what the threshold of DP-STAT asks of the residuals.
//!
//! With h for the number of large ones, exp(−h) falls in expectation by (1 + e⁻¹)/2 ≤ exp(−3/8) with every record.

use super::item;
use super::ssgd::ends::{first, same};
use crate::arith::Rational;
use crate::moved::written::{Proof, Written, settle, show, sides, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, at_most_one, ends, exp_sum, expected, larger, largest, root_increases, tangent, union,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::exp::{exp_increases, exp_of_opposite, exp_of_zero};
use dp_assay_kernel::statement::{Context, Goal, Sign, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, num, op, var};

/// The number that says whether a record is large.
const SIZE: &str = "(Σ_{j<1} F(κ)[j])";

/// `ambssgd-lem-count`: a record is made from κ, and large if F is not negative there.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(&format!(
        "for all
  integer s ≥ 1
  integer r ≥ 1
  map F of ℝ^r into ℝ^1
  assume 1/2 ≤ 𝔼_{{κ∼N_{{r}}(0, 1)}}[𝟙(0 ≤ {SIZE})]
  algorithm Count: h ← ⟨0 : i<1⟩ in ℝ^1
    repeat e<s
      κ ∼ N_{{r}}(0, 1)
      h ← ⟨‖h‖ + 𝟙(0 ≤ {SIZE}) : i<1⟩
    end
  end
holds
  𝔼_{{h∼end(Count)}}[𝟙(‖h‖ ≤ s/4)] ≤ exp(0 − s/8)"
    ))
}

/// exp(s/4)·exp(−3(s − e)/8).
fn factor(e: &str) -> String {
    format!("exp(s/4)·exp(0 − 3·(s − ({e}))/8)")
}

/// [`factor`] over max(1, exp(h)).
fn invariant(e: &str, h: &str) -> String {
    format!("{}/max(1, exp({h}))", factor(e))
}

/// The proof of [`statement`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    let h = &statement.context;
    let Goal::Le(Term::Bind(Binder::Expect, _, _, value), _) = &statement.goal else {
        return Err(Stuck::new("no probability"));
    };
    let states = &h.extended(item("h", Sort::Vector(num(1), Sign::Any)))?;
    let end = last(states, value)?;
    let record = &states.extended(item("e", Sort::Index(var("s"))))?;
    let bound = term(record, &invariant("e", "‖h‖"))?;
    let found = ends(h, "Count", ("h", value), &[&bound], &[&end, &kept(record)?])?;
    // At e = 0 and h = 0.
    let start = "max(1, exp(‖⟨0 : i<1⟩‖))";
    let one = larger(h, &num(1), &term(h, "exp(‖⟨0 : i<1⟩‖)")?, false)?;
    let whole = exp_sum(h, &term(h, "s/4")?, &term(h, "0 − 3·s/8")?)?;
    let parts: &[Written<'_>] = &[
        ("1", &[&found]),
        ("(−1)", &[&whole]),
        (&format!("{}/{start}", factor("0")), &[&one]),
    ];
    settle(h, &statement.goal, parts)
}

/// What is wanted is at most the invariant at the end.
fn last(h: &Context, value: &Term) -> Proof {
    let wanted = Goal::Le(value.clone(), term(h, &invariant("s", "‖h‖"))?);
    let Term::Op(Op::AtMost, sides) = value else {
        return Err(Stuck::new("no probability of an inequality"));
    };
    let sure = at_most_one(h, value)?;
    split(
        h,
        [&sides[0], &sides[1]],
        |h, fact| {
            let grows = exp_increases(&show(h, "‖h‖ ≤ s/4", &[("1", &[fact])])?)?;
            let zero = exp_of_zero(h)?;
            let first = exp_increases(&show(h, "0 ≤ s/4", &[])?)?;
            let parts: &[Written<'_>] = &[("1", &[&first]), ("1", &[&zero])];
            let first = show(h, "1 ≤ exp(s/4)", parts)?;
            let top = largest(&first, &grows)?;
            let parts: &[Written<'_>] = &[
                ("1", &[&sure]),
                ("exp(0 − 3·(s − s)/8)/max(1, exp(‖h‖))", &[&top]),
                ("1", &[&zero]),
            ];
            settle(h, &wanted, parts)
        },
        |h, none| settle(h, &wanted, &[("1", &[none])]),
    )
}

/// One record keeps the invariant.
fn kept(h: &Context) -> Proof {
    let here = &h.extended(item("κ", Sort::Vector(var("r"), Sign::Any)))?;
    let (large, next) = (
        format!("𝟙(0 ≤ {SIZE})"),
        format!("‖⟨‖h‖ + 𝟙(0 ≤ {SIZE}) : i<1⟩‖"),
    );
    let falls = falls(here, &large, &next)?;
    let carried = format!(
        "{} ≤ {}·(1 − (1 − exp(0 − 1))·{large})/max(1, exp(‖h‖))",
        invariant("e + 1", &next),
        factor("e + 1")
    );
    let carried = show(here, &carried, &[(&factor("e + 1"), &[&falls])])?;
    let carried = expected(&carried, &op(Op::Normal, [var("r"), num(1)]))?;
    let half = first(h, |goal| matches!(goal, Goal::Le(..)))?;
    let (small, rate) = numbers(h)?;
    let less = show(h, "exp(0 − 1) ≤ 1", &[("1", &[&small])])?;
    let step = exp_sum(h, &term(h, "0 − 3·(s − (e + 1))/8")?, &term(h, "0 − 3/8")?)?;
    let [before, _] = sides(&carried.statement().goal)?;
    let wanted = Goal::Le(before.clone(), term(h, &invariant("e", "‖h‖"))?);
    let unit = format!("{}/max(1, exp(‖h‖))", factor("e + 1"));
    let parts: &[Written<'_>] = &[
        ("1", &[&carried]),
        (&unit, &[&half, &less]),
        (&unit, &[&rate]),
        ("(−1)·exp(s/4)/max(1, exp(‖h‖))", &[&step]),
    ];
    settle(h, &wanted, parts)
}

/// 1/max(1, exp(h′)) ≤ (1 − (1 − e⁻¹)·J)/max(1, exp(h)) for h′ = h + J, J being 0 or 1.
fn falls(here: &Context, large: &str, next: &str) -> Proof {
    let (now, then) = ("max(1, exp(‖h‖))", format!("max(1, exp({next}))"));
    let wanted = term(here, &format!("(1 − (1 − exp(0 − 1))·{large})/{now}"))?;
    let wanted = Goal::Le(term(here, &format!("1/{then}"))?, wanted);
    let squares = format!("(‖h‖ + {large})² ≤ {next}²");
    let grown = root_increases(&show(here, &squares, &[])?)?;
    let sure = at_most_one(here, &term(here, large)?)?;
    // max(1, exp(h)) is exp(h).
    let least = |h: &Context| {
        let zero = exp_of_zero(h)?;
        let one = exp_increases(&show(h, "0 ≤ ‖h‖", &[])?)?;
        let parts: &[Written<'_>] = &[("1", &[&one]), ("1", &[&zero])];
        let one = show(h, "1 ≤ exp(‖h‖)", parts)?;
        largest(&one, &same(h, "exp(‖h‖)")?)
    };
    let above = larger(here, &num(1), &term(here, &format!("exp({next})"))?, true)?;
    let over = format!("1/({now}·{then})");
    split(
        here,
        [&num(0), &term(here, SIZE)?],
        |h, fact| {
            let one = union(fact)?;
            let parts: &[Written<'_>] = &[("1", &[&grown]), ("1", &[&one])];
            let more = exp_increases(&show(h, &format!("‖h‖ + 1 ≤ {next}"), parts)?)?;
            let (twice, unit) = (
                exp_sum(h, &term(h, "‖h‖")?, &num(1))?,
                exp_of_opposite(h, &num(1))?,
            );
            let parts: &[Written<'_>] = &[
                ("1", &[&least(h)?]),
                ("exp(0 − 1)", &[&above]),
                ("exp(0 − 1)", &[&more]),
                ("(−1)·exp(0 − 1)", &[&twice]),
                ("exp(‖h‖)", &[&unit]),
            ];
            let within = show(h, &format!("{now} ≤ exp(0 − 1)·{then}"), parts)?;
            let parts: &[Written<'_>] = &[
                (&over, &[&within]),
                (&format!("1/{now}"), &[&sure]),
                (&format!("exp(0 − 1)/{now}"), &[&one]),
            ];
            settle(h, &wanted, parts)
        },
        |h, none| {
            let more = exp_increases(&show(h, &format!("‖h‖ ≤ {next}"), &[("1", &[&grown])])?)?;
            let parts: &[Written<'_>] = &[("1", &[&least(h)?]), ("1", &[&above]), ("1", &[&more])];
            let within = show(h, &format!("{now} ≤ {then}"), parts)?;
            let parts: &[Written<'_>] = &[(&over, &[&within]), (&format!("1/{now}"), &[none])];
            settle(h, &wanted, parts)
        },
    )
}

/// e⁻¹ ≤ q, q being close.
pub(super) fn inverse_of_e(h: &Context) -> Proof {
    let (low, whole) = above(h, Rational::from(1))?;
    let unit = exp_of_opposite(h, &num(1))?;
    let most = low.recip();
    let parts: &[Written<'_>] = &[
        (&format!("({most})·exp(0 − 1)"), &[&whole]),
        (&format!("(−1)·({most})"), &[&unit]),
    ];
    show(h, &format!("exp(0 − 1) ≤ {most}"), parts)
}

/// e⁻¹ ≤ q, and (1 + e⁻¹)/2 ≤ exp(−3/8).
fn numbers(h: &Context) -> Result<(Theorem, Theorem), Stuck> {
    let small = inverse_of_e(h)?;
    let (_, rate) = above(h, Rational::from((-3, 8)))?;
    let parts: &[Written<'_>] = &[("1", &[&rate]), ("1/2", &[&small])];
    let rate = show(h, "(1 + exp(0 − 1))/2 ≤ exp(0 − 3/8)", parts)?;
    Ok((small, rate))
}

/// (1 + x/64)^64 ≤ exp(x), by squaring, with the number on the left.
pub(super) fn above(h: &Context, x: Rational) -> Result<(Rational, Theorem), Stuck> {
    let written = |q: &Rational| {
        let minus = if *q < 0 { "0 − " } else { "" };
        format!("{minus}{}", q.clone().abs())
    };
    let mut x = x / 64u32;
    let mut low = Rational::from(&x + 1);
    let mut fact = tangent(h, &term(h, &written(&x))?)?;
    for _ in 0..6 {
        let split = exp_sum(h, &term(h, &written(&x))?, &term(h, &written(&x))?)?;
        let factor = format!("exp({}) + {low}", written(&x));
        x *= 2;
        low.square_mut();
        let parts: &[Written<'_>] = &[(&factor, &[&fact]), ("(−1)", &[&split])];
        fact = show(h, &format!("{low} ≤ exp({})", written(&x)), parts)?;
    }
    Ok((low, fact))
}
