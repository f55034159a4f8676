//! `gcd-thm-4.4-sc-T-repaired` and `gcd-eq-63`: how many rounds bring an excess down that each multiplies by 1 − μ/4.

use crate::moved::written::{Proof, Written, each, given, settle, show};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    combine, discharge, exp_log, exp_sum, induction, instance, sum_over, tangent, telescope,
};
use dp_assay_kernel::search::exp::{exp_increases, exp_of_opposite, exp_of_zero};
use dp_assay_kernel::search::several::{join, joined, part};
use dp_assay_kernel::search::{assumed, item, positive, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, at, mul, num, op, var};

/// μ/4.
fn rate() -> Term {
    var("μ") / num(4)
}

/// q = 1 − μ/4.
fn factor() -> Goal {
    Goal::Eq(var("q"), num(1) - rate())
}

/// log(1/ν).
fn log() -> Term {
    (num(1) / var("ν")).log()
}

/// (4/μ)·log(1/ν) ≤ T.
fn long() -> Goal {
    Goal::Le(mul([num(4) / var("μ"), log()]), var("T"))
}

fn power(t: &Term) -> Term {
    op(Op::Pow, [var("q"), t.clone()])
}

/// T ≥ (4/μ)·log(1/ν) makes (1 − μ/4)^T·ξ₀ ≤ ν·ξ₀, q being 1 − μ/4.
pub fn statement() -> Result<Statement, Stuck> {
    let context = Context::default().with([
        positive("μ"),
        Item::Assume(Goal::Le(var("μ"), num(1))),
        positive("q"),
        Item::Assume(factor()),
        positive("ν"),
        Item::Assume(Goal::Le(var("ν"), num(1))),
        Item::Var("ξ₀".into(), Sort::Real(Sign::NonNegative)),
        Item::Var("T".into(), Sort::Count),
        Item::Assume(long()),
    ])?;
    let left = mul([power(&var("T")), var("ξ₀")]);
    let goal = Goal::Le(left, mul([var("ν"), var("ξ₀")]));
    Ok(Statement { context, goal })
}

/// e^{xt}·q^t for x = μ/4, which does not grow with t.
fn scaled(t: &Term) -> Term {
    mul([mul([rate(), t.clone()]).exp(), power(t)])
}

/// The proof, for this statement or one with other constants: q^T ≤ e^{−μT/4} ≤ ν.
pub fn prove(statement: &Statement) -> Proof {
    let (context, t, bound) = (&statement.context, var("t"), var("T"));
    let steps = sum_over(&shrinks(context)?)?;
    let all = telescope(context, "t", &bound, &scaled(&t))?;
    let zero = exp_of_zero(context)?;
    // e^{xT}·q^T ≤ e^0.
    let parts = [
        with(num(1), &steps),
        with(num(-1), &all),
        with(num(-1), &zero),
    ];
    let least = combine(context, Goal::Le(scaled(&bound), num(1)), &parts)?;
    // e^{−xT} ≤ e^{−log(1/ν)} = ν.
    let spent = mul([rate(), bound.clone()]);
    let given = assumed(context, &long())?;
    let below = Goal::Le(num(0) - spent.clone(), num(0) - log());
    let below = exp_increases(&combine(context, below, &[with(rate(), &given)])?)?;
    let of_spent = exp_of_opposite(context, &spent)?;
    let (of_log, named) = (
        exp_of_opposite(context, &log())?,
        exp_log(context, &(num(1) / var("ν")))?,
    );
    let (scale, nu) = (var("ξ₀"), var("ν"));
    let decay = (num(0) - spent).exp();
    let lost = (num(0) - log()).exp();
    let times = |factors: Vec<Term>| Term::Op(Op::Mul, factors.into());
    let parts = vec![
        with(mul([scale.clone(), decay]), &least),
        with(times(vec![scale.clone(), power(&bound)]), &of_spent),
        with(scale.clone(), &below),
        with(times(vec![num(-1), nu.clone(), scale.clone()]), &of_log),
        with(times(vec![num(-1), nu, scale, lost]), &named),
    ];
    combine(context, statement.goal.clone(), &parts)
}

/// e^{x(t+1)}·q^{t+1} − e^{xt}·q^t ≤ 0 for every t, since e^x·q ≤ e^x·e^{−x} = 1.
fn shrinks(context: &Context) -> Proof {
    let (t, x) = (var("t"), rate());
    let each = context.extended(Item::Var("t".into(), Sort::Index(var("T"))))?;
    let above = tangent(&each, &(num(0) - x.clone()))?;
    let unit = exp_of_opposite(&each, &x)?;
    let named = assumed(&each, &factor())?;
    let once = Goal::Le(mul([x.exp(), var("q")]), num(1));
    let parts = [
        with(x.exp(), &above),
        with(num(-1), &unit),
        with(x.exp(), &named),
    ];
    let once = combine(&each, once, &parts)?;
    let before = mul([x.clone(), t.clone()]);
    let split = exp_sum(&each, &before, &x)?;
    let next = t.clone() + num(1);
    let goal = Goal::Le(scaled(&next) - scaled(&t), num(0));
    let parts = [
        with(scaled(&t), &once),
        with(mul([power(&t), var("q")]), &split),
    ];
    combine(&each, goal, &parts)
}

/// `gcd-eq-63`: m_t is the constant of k = T − t, so that P_t is the product of the t factors from k = T − t + 1 to T; Z_t is the sum of the first t
/// products, which the proof follows.
pub fn equation_63() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer T ≥ 1
           real μ > 0
           assume μ ≤ 1
           real q > 0
           assume q = 1 − μ/4
           sequence m in ℝ^1
           index o<1
           assume for every index t<T: μ ≤ m_t[o]
           assume for every index t<T: m_t[o] ≤ 1
           sequence P in ℝ^1
           assume P[0][o] = 1
           assume for every index t<T: P[t + 1][o] = P_t[o]·(1 − m_t[o]/4)
           sequence Z in ℝ^1
           assume Z[0][o] = 0
           assume for every index t<T: Z[t + 1][o] = Z_t[o] + P[t + 1][o]
         holds
           Z_T[o] = Σ_{t<T} P[t + 1][o]; Σ_{t<T} P[t + 1][o] ≤ Σ_{t<T} q^t; Σ_{t<T} q^t ≤ 4/μ",
    )
}

/// What is at most 0 after k rounds: −P_k, P_k − q^k and (μ/4)·Z_k − (1 − q^k).
fn sides(k: &Term) -> [Term; 3] {
    let entry = |x: &str| at(&at(&var(x), k), &var("o"));
    let rest = num(1) - power(k);
    [
        num(0) - entry("P"),
        entry("P") - power(k),
        rate() * entry("Z") - rest,
    ]
}

/// The proof of [`equation_63`], or of a statement with larger constants.
pub fn prove_equation_63(statement: &Statement) -> Proof {
    let h = &statement.context;
    let named = given(h, 1)?;
    let [first, zero] = [given(h, 4)?, given(h, 6)?];
    let three = |h: &Context, parts: [&[Written<'_>]; 3], k: &Term| {
        let [x, y, z] = sides(k);
        let one = |t: Term, parts| settle(h, &Goal::Le(t, num(0)), parts);
        join(vec![
            one(x, parts[0])?,
            one(y, parts[1])?,
            one(z, parts[2])?,
        ])
    };
    let start: [&[Written<'_>]; 3] = [
        &[("(−1)", &[&first])],
        &[("1", &[&first])],
        &[("μ/4", &[&zero])],
    ];
    let start = three(h, start, &num(0))?;
    let k = &h.extended(item("k", Sort::Index(var("T"))))?;
    let known = Goal::Le(joined(&sides(&var("k")))?, num(0));
    let inner = &k.extended(Item::Assume(known.clone()))?;
    let known = assumed(inner, &known)?;
    let [low, top, sum] = [0, 1, 2].map(|i| part(inner, &sides(&var("k")), &known, i));
    let (low, top, sum) = (low?, top?, sum?);
    let of = |n| instance(k, &given(h, n)?, &var("k"));
    let (least, most, next, added) = (of(2)?, of(3)?, of(5)?, of(7)?);
    let factor = show(k, "0 ≤ 1 − m_k[o]/4", &[("1/4", &[&most])])?;
    let below = show(
        k,
        "1 − m_k[o]/4 ≤ q",
        &[("1/4", &[&least]), ("(−1)", &[&named])],
    )?;
    let parts: [&[Written<'_>]; 3] = [
        &[("1", &[&low, &factor]), ("(−1)", &[&next])],
        &[("q", &[&top]), ("1", &[&low, &below]), ("1", &[&next])],
        &[
            ("1", &[&sum]),
            ("μ/4", &[&top]),
            ("μ/16", &[&low, &least]),
            ("μ²/16", &[&low]),
            ("q^k", &[&named]),
            ("μ/4", &[&added]),
            ("μ/4", &[&next]),
        ],
    ];
    let step = discharge(&three(inner, parts, &(var("k") + num(1)))?)?;
    let end = induction(&start, &step)?;
    let end = part(h, &sides(&var("T")), &end, 2)?;
    let t = &h.extended(item("t", Sort::Index(var("T"))))?;
    let added = sum_over(&instance(t, &given(h, 7)?, &var("t"))?)?;
    let entry = at(&at(&var("Z"), &var("t")), &var("o"));
    let ends = telescope(h, "t", &var("T"), &entry)?;
    let total = "Z_T[o] = Σ_{t<T} P[t + 1][o]";
    let total = show(
        h,
        total,
        &[("(−1)", &[&ends]), ("1", &[&added]), ("1", &[&zero])],
    )?;
    let powers = telescope(h, "t", &var("T"), &power(&var("t")))?;
    let sum = "(μ/4)·(Σ_{t<T} q^t) = 1 − q^T";
    let sum = show(h, sum, &[("(−1)", &[&powers]), ("Σ_{t<T} q^t", &[&named])])?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&total])]),
            &|h, goal| {
                settle(
                    h,
                    goal,
                    &[
                        ("4/μ", &[&end]),
                        ("(−1)", &[&total]),
                        ("(−1)·(4/μ)", &[&sum]),
                    ],
                )
            },
            &|h, goal| settle(h, goal, &[("4/μ", &[&sum])]),
        ],
    )
}
