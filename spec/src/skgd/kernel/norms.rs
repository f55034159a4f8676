//! Weighted norms: what they are for equal weights, Σ_S² in its two forms, and the norms at the step size Γ = PM⁻¹.

use super::privacy::{item, positive, space};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, at_most_one};
use dp_assay_kernel::search::{together, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, sum, var, vector};

fn over(t: impl Fn(&Term) -> Term) -> Term {
    sum("l", var("d"), t(&var("l")))
}

fn half(t: Term) -> Term {
    t / num(2)
}

/// `skgd-fact-isotropic`: ‖x‖²_{βI} = β‖x‖², and so of the quadratic terms of Assumptions 3.6 at M = βI and 3.5 at M = I.
pub fn isotropic() -> Result<Statement, Stuck> {
    let numbers = [item("d", Sort::Count), positive("β"), positive("μ")];
    let vectors = ["x", "v", "w"].map(|v| item(v, space()));
    let context = Context::default().with(numbers.into_iter().chain(vectors))?;
    let apart = |l: &Term| at(&var("w"), l) - at(&var("v"), l);
    let distance = vector("l", var("d"), apart(&var("l"))).norm();
    let weighted = |weight: Term| over(|l| mul([weight.clone(), apart(l).pow(2)]));
    let goal = Goal::Both(vec![
        Goal::Eq(
            over(|l| mul([var("β"), at(&var("x"), l).pow(2)])),
            mul([var("β"), var("x").norm().pow(2)]),
        ),
        Goal::Eq(
            half(weighted(var("β"))),
            mul([half(var("β")), distance.pow(2)]),
        ),
        Goal::Eq(
            mul([half(var("μ")), weighted(num(1))]),
            mul([half(var("μ")), distance.pow(2)]),
        ),
    ]);
    Ok(Statement { context, goal })
}

/// d, the law of S, and M.
fn sampled() -> [Item; 3] {
    [
        item("d", Sort::Count),
        item("𝒮", Sort::SetLaw(var("d"))),
        item("M", Sort::Vector(var("d"), Sign::Positive)),
    ]
}

fn share(l: &Term) -> Term {
    op(Op::Inclusion, [l.clone(), var("𝒮")])
}

fn weight(l: &Term) -> Term {
    at(&var("M"), l)
}

/// `skgd-def-Sigma`: E‖CL_S1‖²_{PM⁻¹} = E[L_S²‖I_S1‖²_{P⁻¹M⁻¹}].
pub fn two_forms() -> Result<Statement, Stuck> {
    let constants = item("L", Sort::SetFunction(var("d"), Sign::Positive));
    let context = Context::default().with(sampled().into_iter().chain([constants]))?;
    let member = |l: &Term| op(Op::Member, [l.clone(), var("S")]);
    let constant = || at(&var("L"), &var("S"));
    let mean = |body: Term| bind(Binder::Expect, "S", var("𝒮"), body);
    let scaled = |l: &Term| mul([member(l) / share(l), constant()]).pow(2);
    let first = over(|l| mul([share(l) / weight(l), scaled(l)]));
    let second = over(|l| member(l).pow(2) / mul([share(l), weight(l)]));
    let goal = Goal::Eq(mean(first), mean(mul([constant().pow(2), second])));
    Ok(Statement { context, goal })
}

/// `skgd-lem-E.5-proof-chain`: at Γ = PM⁻¹, for every index j, M⁻¹ − P⁻¹Γ = 0, P⁻¹Γ²M = Γ and Γ²M = P²M⁻¹ ⪯ PM⁻¹; and the terms in
/// ‖∇f‖² add up to −½‖∇f‖²_{PM⁻¹} ≤ 0.
pub fn chain() -> Result<Statement, Stuck> {
    let parameters = vec![("k".to_owned(), Sort::Index(var("d")))];
    let step = Item::Define("γ".into(), parameters, share(&var("k")) / weight(&var("k")));
    let more = [
        item("f", Sort::Function(var("d"), "M".into())),
        item("θ", space()),
        step,
        item("j", Sort::Index(var("d"))),
    ];
    let context = Context::default().with(sampled().into_iter().chain(more))?;
    let step = |l: &Term| app("γ", [l.clone()]);
    let slope = |l: &Term| op(Op::Partial, [var("f"), var("θ"), l.clone()]).pow(2);
    let second = |l: &Term| mul([num(1) / share(l), step(l).pow(2), weight(l)]);
    let square = |l: &Term| share(l).pow(2) / weight(l);
    let norm = |w: &dyn Fn(&Term) -> Term| over(|l| mul([w(l), slope(l)]));
    let rest = mul([num(-1), half(norm(&|l| share(l) / weight(l)))]);
    let j = &var("j");
    let goal = Goal::Both(vec![
        Goal::Eq(num(1) / weight(j) - step(j) / share(j), num(0)),
        Goal::Eq(second(j), step(j)),
        Goal::Eq(mul([step(j).pow(2), weight(j)]), square(j)),
        Goal::Le(square(j), share(j) / weight(j)),
        Goal::Eq(half(norm(&second)) - norm(&step), rest.clone()),
        Goal::Le(rest, num(0)),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`chain`]: p_j ≤ 1.
pub fn prove_chain(statement: &Statement) -> Result<Theorem, Stuck> {
    let j = var("j");
    let small = at_most_one(&statement.context, &share(&j))?;
    let below = vec![with(share(&j) / weight(&j), &small)];
    together(statement, vec![vec![], vec![], vec![], below])
}
