//! What a bound on privacy says of the probabilities of an event.

use super::notions::{access, data, mechanism, released, space};
use crate::moved::written::Proof;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, Theorem, call, combine, discharge, events, exp_log, exp_sum, instance, inverse, limit,
    tangent,
};
use dp_assay_kernel::search::exp::{
    exp_increases, log_at_least, log_at_most, log_increases, log_product,
};
use dp_assay_kernel::search::{assumed, item, positive, real, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Notion, Sign, Sort, Statement};
use dp_assay_kernel::term::{Term, mul, num, var};

/// u^k for a real number k.
fn power(u: &Term, k: &Term) -> Term {
    mul([k.clone(), u.log()]).exp()
}

/// α·u^{α−1}·p − (α − 1)·u^α·q.
fn below(order: &Term, p: Term, q: Term, u: &Term) -> Term {
    let less = order.clone() - num(1);
    let first = mul([order.clone(), power(u, &less), p]);
    first - mul([less, power(u, order), q])
}

/// What (α, τ)-RDP says of an event of the probabilities P and Q, for every u and v.
fn told(order: &Term, tau: Term) -> Goal {
    let [p, q] = ["P", "Q"].map(var);
    let rest = below(order, num(1) - p.clone(), num(1) - q.clone(), &var("v"));
    let sum = below(order, p, q, &var("u")) + rest;
    let most = mul([order.clone() - num(1), tau]).exp();
    every("u", every("v", Goal::Le(sum, most)))
}

fn every(name: &str, goal: Goal) -> Goal {
    Goal::Every(name.into(), Sort::Real(Sign::Positive), goal.into())
}

/// A context with the probabilities of an event, and what is told of them.
fn event(context: &Context, told: Goal) -> Result<Context, Stuck> {
    let probability = |x: &str| real(x, Sign::NonNegative);
    let most = |x: &str| Item::Assume(Goal::Le(var(x), num(1)));
    context.with([
        probability("P"),
        probability("Q"),
        most("P"),
        most("Q"),
        Item::Assume(told),
    ])
}

fn of_events(goal: Goal) -> Goal {
    let names = ["P", "Q"].map(Into::into);
    Goal::Events("D".into(), released(), names, goal.into())
}

/// A goal for events with P ≥ p and Q ≤ q.
fn rare(p: &str, q: &str, goal: Goal) -> Goal {
    let [at_least, at_most] = sides(p, q);
    let inside = Goal::If(at_most.into(), goal.into());
    of_events(Goal::If(at_least.into(), inside.into()))
}

fn sides(p: &str, q: &str) -> [Goal; 2] {
    [Goal::Le(var(p), var("P")), Goal::Le(var("Q"), var(q))]
}

fn order() -> Term {
    num(1) + var("x")
}

/// `decor-aux-event`: P(B)^α·Q(B)^{1−α} ≤ e^{(α−1)τ} for every event B of what is (α, τ)-RDP, α = 1 + x: for every p > 0 and
/// q > 0 that P(B) and Q(B) are on this side of, p^α·q^{1−α} is at most that.
pub fn aux_event() -> Result<Statement, Stuck> {
    let of = mechanism("A", Notion::Renyi(order(), var("τ")));
    let numbers = [positive("x"), real("τ", Sign::NonNegative)];
    let items = numbers.into_iter().chain(data()).chain([of]);
    let more = [item("w", space()), positive("p"), positive("q")];
    let context = Context::default().with(items.chain(more))?;
    let exponent = mul([order(), var("p").log()]) - mul([var("x"), var("q").log()]);
    let bound = Goal::Le(exponent.exp(), mul([var("x"), var("τ")]).exp());
    let goal = rare("p", "q", bound);
    Ok(Statement { context, goal })
}

/// The two sides of the bound that a goal of [`rare`] ends with.
fn bound(goal: &Goal) -> Result<[&Term; 2], Stuck> {
    match goal {
        Goal::Events(.., goal) => goal.sides(),
        _ => None,
    }
    .ok_or_else(|| Stuck::new("no bound on events"))
}

/// u^{k+1} = u^k·u, as the facts exp((k + 1)·log u) = exp(k·log u)·exp(log u) and exp(log u) = u.
fn one_more(context: &Context, u: &Term, k: &Term) -> Result<[Theorem; 2], Stuck> {
    let sum = exp_sum(context, &mul([k.clone(), u.log()]), &u.log())?;
    Ok([sum, exp_log(context, u)?])
}

/// The proof of [`aux_event`], or of a statement with another bound: what is told at u = p/q, and at v with v^α = y, as small as
/// is wanted.
pub fn prove_aux_event(statement: &Statement) -> Proof {
    let context = &statement.context;
    let given = told(&order(), var("τ"));
    let given_sides = sides("p", "q").map(Item::Assume);
    let here = event(context, given.clone())?.with(given_sides)?;
    let here = here.extended(positive("y"))?;
    let u = var("p") / var("q");
    let root = var("y").log() / order();
    let v = root.exp();
    let all = assumed(&here, &given)?;
    let all = instance(&here, &instance(&here, &all, &u)?, &v)?;
    // v^α ≤ y.
    let itself = combine(&here, Goal::Le(v.clone(), v.clone()), &[])?;
    let log_v = log_at_most(&itself)?;
    let small = Goal::Le(mul([order(), v.log()]), var("y").log());
    let unity = inverse(&here, &order())?;
    let parts = vec![with(order(), &log_v), with(var("y").log(), &unity)];
    let small = combine(&here, small, &parts)?;
    let (small, of_y) = (exp_increases(&small)?, exp_log(&here, &var("y"))?);
    // p^α·q^{1−α} ≤ u^{α−1}·p.
    let [_, logs] = log_product(&here, &var("q"), &u)?;
    let target = mul([order(), var("p").log()]) - mul([var("x"), var("q").log()]);
    let exponent = mul([var("x"), u.log()]) + var("p").log();
    let more = Goal::Le(target, exponent);
    let exponents = combine(&here, more, &[with(var("x"), &logs)])?;
    let above = exp_increases(&exponents)?;
    let split = exp_sum(&here, &mul([var("x"), u.log()]), &var("p").log())?;
    let of_p = exp_log(&here, &var("p"))?;
    let [step, of_u] = one_more(&here, &u, &var("x"))?;
    let [at_least, at_most] = sides("p", "q");
    let (at_least, at_most) = (assumed(&here, &at_least)?, assumed(&here, &at_most)?);
    let none = combine(&here, Goal::Le(num(0), var("Q")), &[])?;
    let p_small = assumed(&here, &Goal::Le(var("P"), num(1)))?;
    let [left, right] = bound(&statement.goal)?;
    let goal = Goal::Le(left.clone(), right.clone() + mul([var("x"), var("y")]));
    let u_x = power(&u, &var("x"));
    let v_x = power(&v, &var("x"));
    let u_a = power(&u, &order());
    let parts = vec![
        with(num(1), &all),
        with(var("x"), &small),
        with(var("x"), &of_y),
        with(mul([order(), v_x]), &p_small),
        with(mul([var("x"), power(&v, &order())]), &none),
        with(num(1), &above),
        with(num(1), &split),
        with(u_x.clone(), &of_p),
        with(mul([order(), u_x.clone()]), &at_least),
        with(mul([var("x"), u_a]), &at_most),
        with(mul([var("x"), var("q")]), &step),
        with(mul([var("x"), var("q"), u_x]), &of_u),
    ];
    let found = limit(&combine(&here, goal, &parts)?)?;
    let inner = discharge(&discharge(&found)?)?;
    events(&call(context, &access("o", "A", var("w")))?, &inner)
}

/// p·log(p/q) + p′·log(p′/q′).
fn divergence() -> Term {
    let part = |p: &str, q: &str| mul([var(p), (var(p) / var(q)).log()]);
    part("p", "q") + part("p′", "q′")
}

fn wholes() -> [Goal; 2] {
    [("p", "p′"), ("q", "q′")].map(|(a, b)| Goal::Eq(var(a) + var(b), num(1)))
}

/// `kl-red-event`: where an event has P ≥ p and Q ≤ q < p on two neighbours, a ρ-zCDP mechanism has ρ ≥ p·log(p/q) + (1 −
/// p)·log((1 − p)/(1 − q)); p′ and q′ are 1 − p and 1 − q.
pub fn red_event() -> Result<Statement, Stuck> {
    let numbers = ["p", "p′", "q", "q′"].map(positive);
    let given = wholes().map(Item::Assume);
    let less = Item::Assume(Goal::Le(var("q"), var("p")));
    let of = mechanism("A", Notion::Zcdp(var("ρ")));
    let items = [real("ρ", Sign::NonNegative)].into_iter().chain(numbers);
    let items = items.chain(given).chain([less]).chain(data());
    let context = Context::default().with(items.chain([of, item("w", space())]))?;
    let goal = rare("p", "q", Goal::Le(divergence(), var("ρ")));
    Ok(Statement { context, goal })
}

/// The proof of [`red_event`], or of a statement with another bound: what is told at the order 1 + y, u = p/q and v = p′/q′, where
/// p·u^y + p′·v^y ≥ e^{y·k}, k the divergence, since the exponential is above its tangent at k.
pub fn prove_red_event(statement: &Statement) -> Proof {
    let context = &statement.context;
    let above = num(1) + var("x");
    let given = told(&above, mul([var("ρ"), above.clone()]));
    let given = every("x", given);
    let given_sides = sides("p", "q").map(Item::Assume);
    let here = event(context, given.clone())?.with(given_sides)?;
    let here = here.extended(positive("y"))?;
    let (y, k, order) = (var("y"), divergence(), num(1) + var("y"));
    let [u, v] = [("p", "q"), ("p′", "q′")].map(|(a, b)| var(a) / var(b));
    let mut all = assumed(&here, &given)?;
    for value in [&y, &u, &v] {
        all = instance(&here, &all, value)?;
    }
    let [whole_p, whole_q] = wholes().map(|goal| assumed(&here, &goal));
    let (whole_p, whole_q) = (whole_p?, whole_q?);
    let less = assumed(&here, &Goal::Le(var("q"), var("p")))?;
    // v ≤ u: p·q′ − q·p′ = p − q.
    let per = num(1) / mul([var("q"), var("q′")]);
    let parts = vec![
        with(per.clone(), &less),
        with(mul([num(-1), per.clone(), var("p")]), &whole_q),
        with(mul([per, var("q")]), &whole_p),
    ];
    let ordered = combine(&here, Goal::Le(v.clone(), u.clone()), &parts)?;
    let logs = log_increases(&ordered)?;
    let raised = |exponent: &Term| {
        let [low, high] = [&v, &u].map(|t| mul([exponent.clone(), t.log()]));
        let parts = vec![with(exponent.clone(), &logs)];
        exp_increases(&combine(&here, Goal::Le(low, high), &parts)?)
    };
    let (by_y, by_order) = (raised(&y)?, raised(&order)?);
    let [at_least, at_most] = sides("p", "q");
    let (at_least, at_most) = (assumed(&here, &at_least)?, assumed(&here, &at_most)?);
    let gap = |goal: Goal, part| combine(&here, goal, &[with(num(1), part)]);
    let zero_p = gap(Goal::Le(num(0), var("P") - var("p")), &at_least)?;
    let zero_q = gap(Goal::Le(num(0), var("q") - var("Q")), &at_most)?;
    let product = |factor: Term, one: &Theorem, other: &Theorem| {
        let (Goal::Le(a, b), Goal::Le(_, c)) = (&one.statement().goal, &other.statement().goal)
        else {
            return Err(Stuck::new("no inequalities"));
        };
        let product = mul([factor.clone(), b.clone() - a.clone(), c.clone()]);
        let part = Part::new(factor, [one.into(), other.into()]);
        combine(&here, Goal::Le(num(0), product), &[part])
    };
    let first = product(order.clone(), &by_y, &zero_p)?;
    let second = product(y.clone(), &by_order, &zero_q)?;
    // Tangents at k.
    let shifted = |t: &Term| mul([y.clone(), t.log()]) - mul([y.clone(), k.clone()]);
    let mut parts = vec![
        with(num(1), &all),
        with(num(1), &first),
        with(num(1), &second),
    ];
    let mut facts = Vec::new();
    for (p, q, t) in [("p", "q", &u), ("p′", "q′", &v)] {
        let above = tangent(&here, &shifted(t))?;
        let split = exp_sum(&here, &shifted(t), &mul([y.clone(), k.clone()]))?;
        let [step, of_t] = one_more(&here, t, &y)?;
        facts.push((p, q, t.clone(), above, split, step, of_t));
    }
    let whole = mul([y.clone(), k.clone()]).exp();
    for (p, q, t, above, split, step, of_t) in &facts {
        let t_y = power(t, &y);
        parts.push(with(mul([var(p), whole.clone()]), above));
        parts.push(with(mul([num(-1), var(p)]), split));
        parts.push(with(mul([y.clone(), var(q)]), step));
        parts.push(with(mul([y.clone(), var(q), t_y]), of_t));
    }
    // The weights add up to 1, and so do what is left of both.
    let v_y = mul([order.clone(), power(&v, &y)]);
    let v_a = mul([y.clone(), power(&v, &order)]);
    let rest = num(1) - mul([y.clone(), k.clone()]);
    parts.push(with(v_y, &whole_p));
    parts.push(with(mul([num(-1), v_a]), &whole_q));
    parts.push(with(mul([num(-1), whole.clone(), rest]), &whole_p));
    let [_, rho] = bound(&statement.goal)?;
    let most = mul([y.clone(), mul([var("ρ"), order])]);
    let exponentials = Goal::Le(whole.clone(), most.exp());
    let exponentials = combine(&here, exponentials, &parts)?;
    let upper = log_at_most(&exponentials)?;
    let itself = combine(&here, Goal::Le(whole.clone(), whole), &[])?;
    let lower = log_at_least(&itself)?;
    let inverse = num(1) / y.clone();
    let parts = vec![with(inverse.clone(), &upper), with(inverse, &lower)];
    let goal = Goal::Le(k, rho.clone() + mul([rho.clone(), y]));
    let found = limit(&combine(&here, goal, &parts)?)?;
    let inner = discharge(&discharge(&found)?)?;
    events(&call(context, &access("o", "A", var("w")))?, &inner)
}
