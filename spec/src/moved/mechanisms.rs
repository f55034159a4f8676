//! Lemmas on any mechanism that papers take from elsewhere: from Rényi divergence to (ε, δ), with one premise that is sharper
//! than each of them, and mixtures.

use crate::moved::written::{Proof, goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Part, both, call, combine, compose, forget, renyi};
use dp_assay_kernel::search::order::{at_order, whole};
use dp_assay_kernel::search::{assumed, item, positive, real, with};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Relation, Sign, Sort, Statement, Subject, View,
};
use dp_assay_kernel::term::{Op, Term, app, mul, num, op, var, vector};

/// log(1/δ).
fn log() -> Term {
    (num(1) / var("δ")).log()
}

/// `o` is what the mechanism A releases for an input.
fn access(input: Term) -> Command {
    Command::Call {
        name: "o".into(),
        of: app("A", [input]),
    }
}

fn release() -> Command {
    access(var("w"))
}

fn private(notion: Notion, subject: Subject) -> Goal {
    Goal::Private {
        data: "D".into(),
        notion,
        subject,
    }
}

/// What A releases for w is (ε, δ)-DP.
fn approximate(epsilon: Term) -> Goal {
    let notion = Notion::Approximate(epsilon, var("δ"));
    private(notion, Subject::Command(release().into()))
}

/// The ε of a goal that says (ε, δ)-DP.
fn stated(goal: &Goal) -> Result<&Term, Stuck> {
    match goal {
        Goal::Private {
            notion: Notion::Approximate(epsilon, _),
            ..
        } => Ok(epsilon),
        _ => Err(Stuck::new("not (ε, δ)-DP")),
    }
}

/// Numbers and hypotheses, then data, a mechanism A on it, and more.
fn context(numbers: Vec<Item>, notion: Notion, more: Vec<Item>) -> Result<Context, Stuck> {
    let rest = [
        item("n", Sort::Count),
        item("d", Sort::Count),
        item("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
        item("A", Sort::Mechanism(var("d"), "D".into(), notion)),
    ];
    Context::default().with(numbers.into_iter().chain(rest).chain(more))
}

fn input() -> Vec<Item> {
    vec![item("w", Sort::Vector(var("d"), Sign::Any))]
}

/// `skgd-lem-D.7` and `decor-lem-11`: what is (1 + x, ε)-RDP is (ε + log(1/δ)/x, δ)-DP, for x = α − 1 > 0.
pub fn at_one_order() -> Result<Statement, Stuck> {
    let numbers = vec![
        positive("x"),
        real("ε", Sign::NonNegative),
        positive("δ"),
        Item::Assume(Goal::Le(var("δ"), num(1))),
    ];
    let notion = Notion::Renyi(num(1) + var("x"), var("ε"));
    let context = context(numbers, notion, input())?;
    let goal = approximate(var("ε") + log() / var("x"));
    Ok(Statement { context, goal })
}

/// The proof of [`at_one_order`], or of a statement with other constants.
pub fn prove_at_one_order(statement: &Statement) -> Proof {
    let context = &statement.context;
    let ends = [stated(&statement.goal)?, &var("δ")];
    at_order(&call(context, &release())?, ends, vec![])
}

/// δ, and l = log(1/δ), a positive number: so 0 < δ < 1.
fn budget() -> [Item; 3] {
    [positive("δ"), positive("l"), Item::Assume(told())]
}

/// What [`budget`] says.
fn told() -> Goal {
    Goal::Eq(var("l"), log())
}

/// `ambssgd-conv-zcdp`: what is ρ-zCDP is (ρμ + l/(μ − 1), δ)-DP for every μ = 1 + x > 1, l = log(1/δ); that is least, and
/// ρ + 2√(ρl), at μ = 1 + √(l/ρ); which is ε for √ρ = √(l + ε) − √l.
pub fn at_every_order() -> Result<Statement, Stuck> {
    let [rho, l, x, epsilon] = ["ρ", "l", "x", "ε"].map(var);
    let numbers = ["ρ", "x", "ε"].map(positive).into_iter().chain(budget());
    let context = context(numbers.collect(), Notion::Zcdp(rho.clone()), input())?;
    let spent = |x: Term| mul([rho.clone(), num(1) + x.clone()]) + l.clone() / x;
    let least = rho.clone() + mul([num(2), mul([rho.clone(), l.clone()]).sqrt()]);
    let root = (l.clone() + epsilon.clone()).sqrt() - l.sqrt();
    let solved = root.pow(2) + mul([num(2), root, l.sqrt()]);
    let goal = Goal::Both(vec![
        approximate(spent(x.clone())),
        Goal::Le(least.clone(), spent(x)),
        Goal::Eq(spent((l.clone() / rho.clone()).sqrt()), least),
        Goal::Eq(solved, epsilon),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`at_every_order`], or of a statement with other constants: the excess at 1 + x is (ρx − √(ρl))²/(ρx).
pub fn prove_at_every_order(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [private, least, attained, solved] = goals(statement)?;
    let x = var("x");
    let told = assumed(context, &told())?;
    let order = renyi(&call(context, &release())?, &(num(1) + x.clone()))?;
    let parts = vec![with(num(-1) / x.clone(), &told)];
    let private = at_order(&order, [stated(private)?, &var("δ")], parts)?;
    let gap = mul([var("ρ"), x.clone()]) - mul([var("ρ"), var("l")]).sqrt();
    let parts = vec![Part::new(gap.pow(2) / mul([var("ρ"), x]), [])];
    let least = combine(context, least.clone(), &parts)?;
    let attained = combine(context, attained.clone(), &[])?;
    let solved = combine(context, solved.clone(), &[])?;
    both(context, &[&private, &least, &attained, &solved])
}

/// `kl-fact-conv`: what is (ε²/(9l))-zCDP, l = log(1/δ), is (ε, δ)-DP if ε ≤ √l.
pub fn small_budget() -> Result<Statement, Stuck> {
    let near = Goal::Le(var("ε"), var("l").sqrt());
    let more = [positive("ε"), Item::Assume(near)];
    let rho = var("ε").pow(2) / mul([num(9), var("l")]);
    let numbers = budget().into_iter().chain(more).collect();
    let context = context(numbers, Notion::Zcdp(rho), input())?;
    let goal = approximate(var("ε"));
    Ok(Statement { context, goal })
}

/// The proof of [`small_budget`], or of a statement with another divisor. At the order 1 + x with x = 3l/ε there is left
/// ε/3 + 1/(1 + x) − ε/(3x) = ((ε/3)·(x − 1/x) + 1)/(1 + x), and ε/(3x) = ε²/(9l) ≤ 1/9.
pub fn prove_small_budget(statement: &Statement) -> Proof {
    let context = &statement.context;
    let (epsilon, l) = (var("ε"), var("l"));
    let x = mul([num(3), l.clone()]) / epsilon.clone();
    let told = assumed(context, &told())?;
    let order = renyi(&call(context, &release())?, &(num(1) + x.clone()))?;
    let near = assumed(context, &Goal::Le(epsilon.clone(), l.sqrt()))?;
    let whole = whole(context, &x)?;
    let factor = mul([epsilon.clone() / num(3), num(1) - num(1) / x.clone()]);
    let share = mul([l.sqrt() + epsilon.clone(), num(1) / (num(1) + x.clone())]);
    let share = share / mul([num(9), l]);
    let parts = vec![
        with(num(-1) / x, &told),
        with(factor, &whole),
        with(share, &near),
    ];
    let ends = [stated(&statement.goal)?, &var("δ")];
    at_order(&order, ends, parts)
}

/// What A releases for the i-th unit vector.
fn component() -> Command {
    access(vector("j", var("d"), op(Op::Unit, [var("j"), var("i")])))
}

/// `decor-aux-mixture`: if A is (1 + x, ε)-RDP for every input, so is the mixture with weights v of what it releases for the
/// unit vectors: an index is drawn by these weights, and what A releases for it is all that is seen.
pub fn mixture() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           real x > 0
           real ε ≥ 0
           integer n ≥ 1
           integer d ≥ 1
           data D of n records: its neighbours have one record replaced
           mechanism A on D that takes and releases vectors of ℝ^d and is (1 + x, ε)-RDP for every \
               one that it takes
           vector v ∈ ℝ^d, all ≥ 0
           algorithm P: y ← ⟨0 : j<d⟩ in ℝ^d
             i ∼ ∝_{k<d}[v_k]
             o ← A(⟨𝟙[j=i] : j<d⟩)
             y ← o
           end
         holds
           between neighbours of D, the end of P is (1 + x, ε)-RDP",
    )
}

/// The proof of [`mixture`], or of a statement with another cost.
pub fn prove_mixture(statement: &Statement) -> Proof {
    let context = &statement.context;
    let here = context.extended(item("i", Sort::Index(var("d"))))?;
    let given = call(&here, &component())?;
    forget(&compose(context, "P", "D", &[&given])?, View::End)
}
