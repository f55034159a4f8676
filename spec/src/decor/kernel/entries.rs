//! The slope 2C²·[Σ⁻¹]_ii of Algorithms 2 and 3, for every user i and the graph that is left without a group: how it changes with
//! σ_cor², between which bounds it lies, and what it is for a user whom the group leaves alone.
//!
//! x is column i of Σ⁻¹, which Σx = e_i says, Σ being s·I + t·Σ_e b\[e\]b\[e\]ᵀ. The algorithms take the largest slope over users and
//! groups: what holds for each holds for the largest.

use super::{item, positive};
use crate::moved::written::{Proof, all_goals, sides};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Part, both, combine, exchange, instance, root_increases, sum_over};
use dp_assay_kernel::search::{assumed, together, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, at, mul, num, op, sum, var};

fn entry(x: &str, k: &str) -> Term {
    at(&var(x), &var(k))
}

/// b\[e\]_k.
fn end(k: &str) -> Term {
    at(&at(&var("b"), &var("e")), &var(k))
}

/// Σ_l b\[e\]_l·x_l.
fn along(x: &str) -> Term {
    sum("l", var("m"), mul([end("l"), entry(x, "l")]))
}

fn unit(k: &str) -> Term {
    op(Op::Unit, [var(k), var("i")])
}

/// Σx = e_i for the variances s and t.
fn system(x: &str, s: &Term, t: &Term) -> Goal {
    let common = sum("e", var("E"), mul([end("k"), along(x)]));
    let left = mul([s.clone(), entry(x, "k")]) + mul([t.clone(), common]);
    let goal = Goal::Eq(left, unit("k"));
    Goal::Every("k".into(), Sort::Index(var("m")), goal.into())
}

fn column(x: &str, s: &Term, t: &Term) -> [Item; 2] {
    let vector = item(x, Sort::Vector(var("m"), Sign::Any));
    [vector, Item::Assume(system(x, s, t))]
}

/// Users, pairs of noise, the user i, C and σ = σ_cdp.
fn network() -> Vec<Item> {
    vec![
        item("m", Sort::Count),
        item("E", Sort::Count),
        item("i", Sort::Index(var("m"))),
        item("b", Sort::Sequence(var("m"))),
        positive("C"),
        positive("σ"),
    ]
}

fn own() -> Term {
    var("σ").pow(2)
}

fn slope(x: &str) -> Term {
    mul([num(2), var("C").pow(2), entry(x, "i")])
}

/// s·Σ x_k·y_k + t·Σ_e (Σ_l b_l·x_l)·(Σ_l b_l·y_l) = y_i, from Σx = e_i.
fn paired(context: &Context, x: &str, (s, t): (&Term, &Term), y: &str) -> Proof {
    let each = context.extended(item("k", Sort::Index(var("m"))))?;
    let row = instance(&each, &assumed(context, &system(x, s, t))?, &var("k"))?;
    let Goal::Eq(left, right) = &row.statement().goal else {
        return Err(Stuck::new("no equation"));
    };
    let times = |term: &Term| mul([entry(y, "k"), term.clone()]);
    let goal = Goal::Eq(times(left), times(right));
    let weighted = combine(&each, goal, &[with(entry(y, "k"), &row)])?;
    let all = sum_over(&weighted)?;
    let body = mul([entry(y, "k"), end("k"), along(x)]);
    let swapped = exchange(context, ("k", &var("m")), ("e", &var("E")), &body)?;
    let own = sum("k", var("m"), mul([entry(x, "k"), entry(y, "k")]));
    let common = sum("e", var("E"), mul([along(x), along(y)]));
    let form = mul([s.clone(), own]) + mul([t.clone(), common]);
    let parts = [with(num(1), &all), with(num(-1) * t.clone(), &swapped)];
    combine(context, Goal::Eq(form, entry(y, "i")), &parts)
}

/// `decor-D1-mono`: with σ_cor² = t′ ≥ t the slope is no larger than with t, whatever the graph.
pub fn monotone() -> Result<Statement, Stuck> {
    let variances = [
        item("t", Sort::Real(Sign::NonNegative)),
        item("t′", Sort::Real(Sign::NonNegative)),
        Item::Assume(Goal::Le(var("t"), var("t′"))),
    ];
    let items = network().into_iter().chain(variances);
    let items = items.chain(column("x", &own(), &var("t")));
    let context = Context::default().with(items.chain(column("y", &own(), &var("t′"))))?;
    let goal = Goal::Le(slope("y"), slope("x"));
    Ok(Statement { context, goal })
}

/// The proof of [`monotone`], or of a statement with other constants: x_i − y_i = ⟨Σ(x − y), x − y⟩ + (t′ − t)·Σ_e (bᵀy)².
pub fn prove_monotone(statement: &Statement) -> Proof {
    let context = &statement.context;
    let (s, t, more) = (own(), var("t"), var("t′"));
    let larger = assumed(context, &Goal::Le(t.clone(), more.clone()))?;
    let of_x = paired(context, "x", (&s, &t), "x")?;
    let mixed = paired(context, "x", (&s, &t), "y")?;
    let of_y = paired(context, "y", (&s, &more), "y")?;
    let unit = || mul([num(2), var("C").pow(2)]);
    let apart = sum("k", var("m"), (entry("x", "k") - entry("y", "k")).pow(2));
    let along_both = sum("e", var("E"), (along("x") - along("y")).pow(2));
    let square = mul([s, apart]) + mul([t, along_both]);
    let form = sum("e", var("E"), along("y").pow(2));
    let parts = vec![
        Part::new(mul([unit(), square]), []),
        with(mul([unit(), form]), &larger),
        with(unit(), &of_x),
        with(mul([num(-2), unit()]), &mixed),
        with(unit(), &of_y),
    ];
    combine(context, statement.goal.clone(), &parts)
}

/// Every pair of noise adds up to 0.
fn cancels() -> Goal {
    let goal = Goal::Eq(sum("k", var("m"), end("k")), num(0));
    Goal::Every("e".into(), Sort::Index(var("E")), goal.into())
}

/// ς is the slope.
fn reached() -> Goal {
    Goal::Eq(var("ς"), slope("x"))
}

/// `decor-D1-interval`: a σ_cdp that reaches the slope ς lies between C√2/√(nς) and C√2/√ς, for m ≤ n users that are left.
pub fn interval() -> Result<Statement, Stuck> {
    let users = [
        item("n", Sort::Count),
        Item::Assume(Goal::Le(var("m"), var("n"))),
        Item::Assume(cancels()),
        item("t", Sort::Real(Sign::NonNegative)),
    ];
    let items = network().into_iter().chain(users);
    let items = items.chain(column("x", &own(), &var("t")));
    let context = Context::default().with(items.chain([positive("ς"), Item::Assume(reached())]))?;
    let over = |below: Term| mul([var("C"), num(2).sqrt()]) / below.sqrt();
    let goal = Goal::Both(vec![
        Goal::Le(over(mul([var("n"), var("ς")])), var("σ")),
        Goal::Le(var("σ"), over(var("ς"))),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`interval`]: 1/n ≤ σ²x_i ≤ 1, as σ²Σx = 1 and σ²·Σx² ≤ x_i.
pub fn prove_interval(statement: &Statement) -> Proof {
    let (context, goals) = (&statement.context, all_goals(statement));
    let (s, t, x) = (own(), var("t"), entry("x", "i"));
    let energy = paired(context, "x", (&s, &t), "x")?;
    let form = mul([t, sum("e", var("E"), along("x").pow(2))]);
    let squares = sum("k", var("m"), entry("x", "k").pow(2));
    let least = mul([s.clone(), squares]) + form.clone();
    let above = Goal::Le(num(0), x.clone());
    let above = combine(
        context,
        above,
        &[Part::new(least, []), with(num(1), &energy)],
    )?;
    // 1 − sx_i = (1 − sx_i)² + s·(x_i − s·x_i²), and Σx² ≥ x_i².
    let others = entry("x", "k") - mul([unit("k"), x.clone()]);
    let others = mul([s.pow(2), sum("k", var("m"), others.pow(2))]);
    let share = mul([s.clone(), x.clone()]);
    let parts = [
        Part::new((num(1) - share.clone()).pow(2), []),
        Part::new(others + mul([s.clone(), form.clone()]), []),
        with(s.clone(), &energy),
    ];
    let most = combine(context, Goal::Le(share.clone(), num(1)), &parts)?;
    // m·s·x_i − 1 ≥ s²·(m·Σx² − (Σx)²), and n·s·x_i is no smaller.
    let mean = total(context, &s, &var("t"))?;
    let all = sum("l", var("m"), entry("x", "l"));
    let centred = (entry("x", "k") - all.clone() / var("m")).pow(2);
    let spread = mul([var("m"), s.pow(2), sum("k", var("m"), centred)]);
    let many = assumed(context, &Goal::Le(var("m"), var("n")))?;
    let parts = [
        Part::new(spread + mul([var("m"), s.clone(), form]), []),
        with(mul([var("m"), s.clone()]), &energy),
        with(num(-1) - mul([s.clone(), all]), &mean),
        Part::new(s.clone(), [&many, &above].map(Into::into)),
    ];
    let enough = Goal::Le(num(1), mul([var("n"), share]));
    let enough = combine(context, enough, &parts)?;
    let named = assumed(context, &reached())?;
    let scale = mul([num(2), var("C").pow(2)]) / var("ς");
    let below = vec![
        with(scale.clone() / var("n"), &enough),
        with(num(-1) * (s.clone() / var("ς")), &named),
    ];
    let beyond = vec![with(scale, &most), with(s / var("ς"), &named)];
    let mut proved = Vec::new();
    for (goal, parts) in goals.iter().zip([below, beyond]) {
        let [left, right] = sides(goal)?;
        let goal = Goal::Le(left.pow(2), right.pow(2));
        proved.push(root_increases(&combine(context, goal, &parts)?)?);
    }
    both(context, &proved.iter().collect::<Vec<_>>())
}

/// s·Σx = 1, from the sum of all rows.
fn total(context: &Context, s: &Term, t: &Term) -> Proof {
    let each = context.extended(item("k", Sort::Index(var("m"))))?;
    let row = instance(&each, &assumed(context, &system("x", s, t))?, &var("k"))?;
    let all = sum_over(&row)?;
    let body = mul([end("k"), along("x")]);
    let swapped = exchange(context, ("k", &var("m")), ("e", &var("E")), &body)?;
    let edge = context.extended(item("e", Sort::Index(var("E"))))?;
    let flat = instance(&edge, &assumed(context, &cancels())?, &var("e"))?;
    let product = mul([along("x"), sum("k", var("m"), end("k"))]);
    let flat = combine(&edge, Goal::Eq(product, num(0)), &[with(along("x"), &flat)])?;
    let flat = sum_over(&flat)?;
    let minus = || num(-1) * t.clone();
    let parts = [
        with(num(1), &all),
        with(minus(), &swapped),
        with(minus(), &flat),
    ];
    let sum = sum("l", var("m"), entry("x", "l"));
    combine(context, Goal::Eq(mul([s.clone(), sum]), num(1)), &parts)
}

/// No pair of noise is at user i.
fn alone() -> Goal {
    let goal = Goal::Eq(end("i"), num(0));
    Goal::Every("e".into(), Sort::Index(var("E")), goal.into())
}

/// `decor-2conn`: where the group knows all noise that user i has in common, her slope is 2C²/σ_cdp² for every σ_cor.
pub fn left_alone() -> Result<Statement, Stuck> {
    let known = [
        Item::Assume(alone()),
        item("t", Sort::Real(Sign::NonNegative)),
    ];
    let items = network().into_iter().chain(known);
    let context = Context::default().with(items.chain(column("x", &own(), &var("t"))))?;
    let own = mul([num(2), var("C").pow(2)]) / own();
    let goal = Goal::Eq(slope("x"), own);
    Ok(Statement { context, goal })
}

/// The proof of [`left_alone`]: row i of the system is s·x_i = 1.
pub fn prove_left_alone(statement: &Statement) -> Proof {
    let context = &statement.context;
    let (s, t) = (own(), var("t"));
    let row = instance(context, &assumed(context, &system("x", &s, &t))?, &var("i"))?;
    let edge = context.extended(item("e", Sort::Index(var("E"))))?;
    let zero = instance(&edge, &assumed(context, &alone())?, &var("e"))?;
    let product = Goal::Eq(mul([end("i"), along("x")]), num(0));
    let zero = sum_over(&combine(&edge, product, &[with(along("x"), &zero)])?)?;
    let unit = mul([num(2), var("C").pow(2)]) / s;
    let parts = vec![
        with(unit.clone(), &row),
        with(num(-1) * mul([unit, t]), &zero),
    ];
    together(statement, vec![parts])
}
