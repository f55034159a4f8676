//! The paper's privacy: Lemmas C.1, 3.9 and D.8, Theorem 4.1, and Algorithm 1 with both of its loops.

use crate::arith::Rational;
use crate::moved::written::Proof;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::premise::{ZCDP_TO_DP, spent};
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, call, cite, combine, compose, forget, gaussian, gradient_bound,
    root_increases, triangle, weaken,
};
use dp_assay_kernel::search::exp::{log_above, log_increases};
use dp_assay_kernel::search::{Share, assumed, record_moves, zcdp_cost};
pub(super) use dp_assay_kernel::search::{item, positive};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Lipschitz, Notion, Process, Relation, Sign, Sort, State,
    Statement, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, var, vector};

pub(super) fn space() -> Sort {
    Sort::Vector(var("d"), Sign::Any)
}

/// n, d, the law 𝒮, L_U, the loss and the data.
pub(super) fn setting() -> Vec<Item> {
    let loss = Sort::Loss(var("d"), Lipschitz::Sets("𝒮".into()), "L".into());
    vec![
        item("n", Sort::Count),
        item("d", Sort::Count),
        item("𝒮", Sort::SetLaw(var("d"))),
        item("L", Sort::SetFunction(var("d"), Sign::Positive)),
        item("ℓ", loss),
        item("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
    ]
}

/// 1[j ∈ U]·∂_jℓ(w; z).
pub(super) fn masked(set: &str, w: &str, z: &Term, j: &Term) -> Term {
    let partial = op(Op::Partial, [var("ℓ"), var(w), z.clone(), j.clone()]);
    mul([op(Op::Member, [j.clone(), var(set)]), partial])
}

/// I_U∇ℓ(w; z).
fn block(z: &Term) -> Term {
    vector("j", var("d"), masked("U", "w", z, &var("j")))
}

fn lemma(records: &[&str], left: Term, factor: i64) -> Result<Statement, Stuck> {
    let place = [item("w", space()), item("U", Sort::Outcome("𝒮".into()))];
    let records = records.iter().map(|z| item(z, Sort::Record));
    let items = setting().into_iter().chain(place).chain(records);
    let bound = at(&var("L"), &var("U"));
    let bound = match factor {
        1 => bound,
        factor => mul([num(factor), bound]),
    };
    let context = Context::default().with(items)?;
    let goal = Goal::Le(left, bound);
    Ok(Statement { context, goal })
}

/// `skgd-lem-C.1`: ‖I_U∇ℓ(w; z)‖ ≤ L_U for every set U that 𝒮 draws.
pub fn lem_c_1() -> Result<Statement, Stuck> {
    lemma(&["z"], block(&var("z")).norm(), 1)
}

/// `skgd-lem-3.9`: ‖I_U∇ℓ(w; z) − I_U∇ℓ(w; z′)‖ ≤ 2L_U for all records and every set U that 𝒮 draws.
pub fn lem_3_9() -> Result<Statement, Stuck> {
    let [one, other] = ["z", "z′"].map(|z| masked("U", "w", &var(z), &var("j")));
    lemma(&["z", "z′"], vector("j", var("d"), one - other).norm(), 2)
}

/// The proof of [`lem_c_1`] and [`lem_3_9`], or of a statement with other constants.
pub fn prove_lemma(statement: &Statement) -> Proof {
    let here = &statement.context;
    let bound = |z| gradient_bound(here, "ℓ", &var("w"), z, Some("U"));
    let mut facts = vec![bound("z")?];
    if here.get("z′").is_some() {
        facts.push(bound("z′")?);
        facts.push(triangle(here, &block(&var("z")), &block(&var("z′")))?);
    }
    let all = facts.iter().map(|t| Part::new(num(1), [Fact::from(t)]));
    combine(here, statement.goal.clone(), &all.collect::<Vec<_>>())
}

/// log(1/δ).
pub(super) fn log() -> Term {
    (num(1) / var("δ")).log()
}

/// ε ≤ 1 and δ ≤ 1/3.
pub(super) fn budget() -> Vec<Item> {
    vec![
        positive("ε"),
        Item::Assume(Goal::Le(var("ε"), num(1))),
        positive("δ"),
        Item::Assume(Goal::Le(var("δ"), num(1) / num(3))),
    ]
}

/// From ρ = ε²/(c·log(1/δ)) to (ε, δ): log(1/δ) ≥ log 3 ≥ 1, so that ρ ≤ ε/c, and √(ρ·log(1/δ)) ≤ (5/12)·ε for c = 6.
pub(super) fn converted(context: &Context, private: &Theorem) -> Proof {
    let rho = zcdp_cost(&private.statement().goal)?;
    let fact = |t| Part::new(num(1), [Fact::from(t)]);
    let eps = var("ε");
    let largest = assumed(context, &Goal::Le(var("δ"), num(1) / num(3)))?;
    let small = combine(context, Goal::Le(var("δ"), num(1)), &[fact(&largest)])?;
    // 3 ≤ 1/δ, so 1 ≤ log 3 ≤ log(1/δ).
    let part = Part::new(num(3) / var("δ"), [Fact::from(&largest)]);
    let inverse = combine(context, Goal::Le(num(3), num(1) / var("δ")), &[part])?;
    let three = log_above(context, &Rational::from(3), &Rational::from(1), 3)?;
    let long = log_increases(&inverse)?;
    let long = combine(
        context,
        Goal::Le(num(1), log()),
        &[fact(&three), fact(&long)],
    )?;
    let root = mul([num(5), eps.clone()]) / num(12);
    let product = Goal::Le(mul([rho.clone(), log()]), root.pow(2));
    let root = root_increases(&combine(context, product, &[])?)?;
    let one = assumed(context, &Goal::Le(eps.clone(), num(1)))?;
    // ε/6 − ε²/(6·log(1/δ)) = (ε/6)·(1 − ε) + (ε²/(6·log(1/δ)))·(log(1/δ) − 1).
    let parts = vec![
        Part::new(num(2), [Fact::from(&root)]),
        Part::new(eps.clone() / num(6), [Fact::from(&one)]),
        Part::new(eps.pow(2) / mul([num(6), log()]), [Fact::from(&long)]),
    ];
    let goal = Goal::Le(spent(rho, &var("δ")), eps.clone());
    let within = combine(context, goal, &parts)?;
    cite(
        context,
        &ZCDP_TO_DP,
        &[rho.clone(), eps, var("δ")],
        &[private, &small, &within],
    )
}

fn approximate(subject: Subject) -> Goal {
    Goal::Private {
        data: "D".into(),
        notion: Notion::Approximate(var("ε"), var("δ")),
        subject,
    }
}

fn access() -> Command {
    Command::Call {
        name: "a".into(),
        of: app("A", [var("w")]),
    }
}

/// `skgd-lem-D.8`: what is (γ/(2σ²))-zCDP, that is (α, γα/(2σ²))-RDP for every α > 1, with σ = √(3γ·log(1/δ))/ε is
/// (ε, δ)-DP.
pub fn lem_d_8() -> Result<Statement, Stuck> {
    let deviation = mul([num(3), var("γ"), log()]).sqrt() / var("ε");
    let rho = var("γ") / mul([num(2), app("σ", []).pow(2)]);
    let more = [
        positive("γ"),
        Item::Define("σ".into(), vec![], deviation),
        item("n", Sort::Count),
        item("d", Sort::Count),
        item("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
        item(
            "A",
            Sort::Mechanism(var("d"), "D".into(), Notion::Zcdp(rho)),
        ),
        item("w", space()),
    ];
    let context = Context::default().with(budget().into_iter().chain(more))?;
    let goal = approximate(Subject::Command(access().into()));
    Ok(Statement { context, goal })
}

/// The proof of [`lem_d_8`], or of a statement with other constants.
pub fn prove_lem_d_8(statement: &Statement) -> Proof {
    let context = &statement.context;
    converted(context, &call(context, &access())?)
}

/// The gradient at θ, the mean over the records and a map g that reads none, such as the gradient of a ridge, on the drawn set S.
fn gradient() -> Term {
    let j = var("j");
    let sum = bind(
        Binder::Total,
        "z",
        var("D"),
        op(Op::Partial, [var("ℓ"), var("θ"), var("z"), j.clone()]),
    );
    vector(
        "j",
        var("d"),
        mul([
            op(Op::Member, [j.clone(), var("S")]),
            sum / var("n") + at(&app("g", [var("θ")]), &j),
        ]),
    )
}

fn release() -> Command {
    Command::Release {
        name: "a".into(),
        query: gradient(),
        law: op(Op::Normal, [var("d"), app("v", [var("S")])]),
    }
}

/// Both loops of Algorithm 1: w is the iterate of the outer one, s the sum of the inner iterates θ.
fn algorithm() -> Process {
    let j = var("j");
    let of = |x: &str| at(&var(x), &j);
    let entries = |t: Term| vector("j", var("d"), t);
    let set = |x: &str, t: Term| Command::Set(x.into(), t);
    let state = |name: &str, start: Term| State {
        name: name.into(),
        dimension: var("d"),
        start,
    };
    // Γ C (∇f + η): γ_j/p_j on S.
    let sketch = op(Op::Member, [j.clone(), var("S")]) / op(Op::Inclusion, [j.clone(), var("𝒮")]);
    let inner = vec![
        Command::Draw {
            name: "S".into(),
            law: var("𝒮"),
        },
        release(),
        set("θ", entries(of("θ") - mul([of("γ"), sketch, of("a")]))),
        set("s", entries(of("s") + of("θ"))),
    ];
    let outer = vec![
        set("θ", var("w")),
        set("s", entries(num(0))),
        Command::Repeat {
            index: "k".into(),
            times: var("K"),
            body: inner,
        },
        set("w", entries(of("s") / var("K"))),
    ];
    Process {
        states: vec![
            state("w", var("w₀")),
            state("θ", var("w₀")),
            state("s", entries(num(0))),
        ],
        body: vec![Command::Repeat {
            index: "t".into(),
            times: var("T"),
            body: outer,
        }],
    }
}

/// `skgd-thm-4.1` and `skgd-thm-4.1-dp`: with σ_U² = 12L_U²KT·log(1/δ)/(n²ε²) Algorithm 1 is (ε, δ)-DP, all its K·T noisy
/// steps or its end.
pub fn thm_4_1(view: View) -> Result<Statement, Stuck> {
    let on_set = vec![("U".to_owned(), Sort::Set(var("d")))];
    let scale = mul([var("n").pow(2), var("ε").pow(2)]);
    let squared = at(&var("L"), &var("U")).pow(2);
    let variance = mul([num(12), squared, var("K"), var("T"), log()]) / scale;
    let more = [
        item("K", Sort::Count),
        item("T", Sort::Count),
        item("γ", space()),
        item("w₀", space()),
        item("g", Sort::Map(vec![var("d")], var("d"))),
        Item::Define("v".into(), on_set, variance),
        Item::Process("Alg1".into(), algorithm()),
    ];
    let items = setting().into_iter().chain(budget()).chain(more);
    let context = Context::default().with(items)?;
    let goal = approximate(Subject::Process("Alg1".into(), view));
    Ok(Statement { context, goal })
}

/// The proof of [`thm_4_1`], or of a statement with other constants: a step moves by at most 2L_S/n, costs
/// ε²/(6KT·log(1/δ)), and the set costs nothing.
pub fn prove_thm_4_1(statement: &Statement) -> Proof {
    let context = &statement.context;
    let here = context.with([item("θ", space()), item("S", Sort::Outcome("𝒮".into()))])?;
    let share = Share {
        of: &|z| vector("j", var("d"), masked("S", "θ", z, &var("j")) / var("n")),
        bound: &|here, z| gradient_bound(here, "ℓ", &var("θ"), z, Some("S")),
        factor: num(1) / var("n"),
    };
    let by = mul([num(2), at(&var("L"), &var("S"))]) / var("n");
    let step = gaussian(
        &here,
        &release(),
        &record_moves(&here, "D", &gradient(), &share, &by)?,
    )?;
    let all = compose(context, "Alg1", "D", &[&free_of_sets(&here, &step)?])?;
    let private = converted(context, &all)?;
    match statement.goal == private.statement().goal {
        true => Ok(private),
        false => forget(&private, View::End),
    }
}

/// A step's cost with L_S cancelled, so that it is the same for every set.
fn free_of_sets(here: &Context, step: &Theorem) -> Proof {
    let cost = zcdp_cost(&step.statement().goal)?;
    let each = var("ε").pow(2) / mul([num(6), var("K"), var("T"), log()]);
    let smaller = combine(here, Goal::Le(cost.clone(), each.clone()), &[])?;
    weaken(step, &Notion::Zcdp(each), &[&smaller])
}
