//! Means over records, and laws on finitely many outcomes: what one record changes, a pair that attains it, and merging.

use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, both, combine, discharge, exp_log, exp_sum, instance, inverse, one_record,
    root_increases, sum_over, tangent,
};
use dp_assay_kernel::search::exp::{exp_increases, log_product};
use dp_assay_kernel::search::{assumed, item, positive, real, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Lipschitz, Relation, Sign, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, sum, var, vector};

fn entries(body: Term) -> Term {
    vector("j", var("d"), body)
}

/// Entry j of ∇ℓ(w; z) if it is in U, else 0.
fn slope(z: &str) -> Term {
    let member = op(Op::Member, [var("j"), var("U")]);
    let partial = op(Op::Partial, [var("ℓ"), var("w"), var(z), var("j")]);
    mul([member, partial])
}

/// How far the gradients of two records are apart on U.
fn apart([one, other]: [&str; 2]) -> Term {
    entries(slope(one) - slope(other)).norm()
}

fn for_records([one, other]: [&str; 2], goal: Goal) -> Goal {
    let inner = Goal::Every(other.into(), Sort::Record, goal.into());
    Goal::Every(one.into(), Sort::Record, inner.into())
}

fn bounded() -> Goal {
    let names = ["r", "s"];
    for_records(names, Goal::Le(apart(names), var("B")))
}

/// Two records.
const TWO: [&str; 2] = ["u", "v"];

/// The mean gradient on U, over the data.
fn mean() -> Term {
    entries(bind(Binder::Total, "y", var("D"), slope("y")) / var("n"))
}

/// `skgd-fact-sens-f`: where the gradients of any two records are at most B apart on U, the mean gradient moves by at most B/n on
/// U; and two data sets that have all other records in common, with the sum S of their gradients, have mean gradients whose
/// distance is that of the two records' divided by n (squares are equal): so the largest of both agree.
pub fn fact_sens_f() -> Result<Statement, Stuck> {
    let space = || Sort::Vector(var("d"), Sign::Any);
    let items = [
        item("n", Sort::Count),
        item("d", Sort::Count),
        item("L", Sort::Vector(var("d"), Sign::Positive)),
        item("ℓ", Sort::Loss(var("d"), Lipschitz::Entries, "L".into())),
        item("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
        item("w", space()),
        item("U", Sort::Set(var("d"))),
        item("S", space()),
        real("B", Sign::NonNegative),
        Item::Assume(bounded()),
    ];
    let context = Context::default().with(items)?;
    let moves = Goal::Moves {
        data: "D".into(),
        query: mean(),
        by: var("B") / var("n"),
    };
    let goal = Goal::Both(vec![moves, for_records(TWO, exactly())]);
    Ok(Statement { context, goal })
}

fn exactly() -> Goal {
    let mean = |z: &str| {
        let member = op(Op::Member, [var("j"), var("U")]);
        (mul([member, at(&var("S"), &var("j"))]) + slope(z)) / var("n")
    };
    let [one, other] = TWO.map(mean);
    let left = entries(one - other).norm().pow(2);
    Goal::Eq(left, apart(TWO).pow(2) / var("n").pow(2))
}

/// The proof of [`fact_sens_f`], or of a statement with a larger bound.
pub fn prove_fact_sens_f(statement: &Statement) -> Result<Theorem, Stuck> {
    let context = &statement.context;
    let Goal::Both(goals) = &statement.goal else {
        return Err(Stuck::new("not two goals"));
    };
    let [Goal::Moves { query, by, .. }, _] = goals.as_slice() else {
        return Err(Stuck::new("no sensitivity"));
    };
    let two = context.with(TWO.map(|z| item(z, Sort::Record)))?;
    let mut all = assumed(context, &bounded())?;
    for z in TWO {
        all = instance(&two, &all, &var(z))?;
    }
    let [one, other] = TWO.map(|z| slope(z) / var("n"));
    let change = entries(one - other).norm();
    let factor = (var("B") + apart(TWO)) / var("n").pow(2);
    let most = var("B") / var("n");
    let squares = Goal::Le(change.pow(2), most.pow(2));
    let part = Part::new(factor, [Fact::from(&all)]);
    let change = root_increases(&combine(&two, squares, &[part])?)?;
    let Some([left, _]) = change.statement().goal.sides() else {
        return Err(Stuck::new("no bound"));
    };
    let goal = Goal::Le(left.clone(), by.clone());
    let change = combine(&two, goal, &[with(num(1), &change)])?;
    let moves = one_record(context, "D", query, &change)?;
    let exact = combine(&two, exactly(), &[])?;
    both(context, &[&moves, &discharge(&discharge(&exact)?)?])
}

fn index() -> Sort {
    Sort::Index(var("d"))
}

fn entry(v: &str) -> Term {
    at(&var(v), &var("k"))
}

/// The features that n − 1 records have in common: n·g/(n − 1).
fn common(k: &Term) -> Term {
    app("c", [k.clone()])
}

/// n times the objective at w on common records and one with the features ±s·L.
fn objective(sign: i64) -> Term {
    let j = var("j");
    let own = |v: &str| at(&var(v), &j);
    let each = sum("j", var("d"), mul([common(&j), own("w")]));
    let last = mul([num(sign), own("s"), own("L"), own("w")]);
    sum("i", var("m"), each) + sum("j", var("d"), last)
}

/// ⟨g ± s·L/n, w⟩.
fn linear(sign: i64) -> Term {
    let own = |v: &str| at(&var(v), &var("j"));
    let shift = mul([num(sign), own("s"), own("L")]) / var("n");
    sum("j", var("d"), mul([own("g") + shift, own("w")]))
}

/// `gcd-pair`: for linear losses ⟨z, w⟩ with |z_k| ≤ L_k, signs s and |g_k| ≤ L_k(n − 1)/n, the records n·g/(n − 1), n − 1 times, and
/// ∓s·L are admissible, and the mean losses on them are ⟨g ∓ s·L/n, w⟩ for every w: these have the gradients g ∓ s·L/n.
pub fn pair() -> Result<Statement, Stuck> {
    let space = |sign| Sort::Vector(var("d"), sign);
    let signs = Goal::Eq(entry("s").pow(2), num(1));
    let scores = Goal::Le(entry("g").abs(), mul([entry("L"), var("m")]) / var("n"));
    let every = |goal: Goal| Item::Assume(Goal::Every("k".into(), index(), goal.into()));
    let items = [
        item("d", Sort::Count),
        item("n", Sort::Count),
        item("m", Sort::Count),
        Item::Assume(Goal::Eq(var("n"), var("m") + num(1))),
        item("L", space(Sign::Positive)),
        item("s", space(Sign::Any)),
        every(signs),
        item("g", space(Sign::Any)),
        every(scores),
        Item::Define(
            "c".into(),
            vec![("k".into(), index())],
            mul([var("n"), entry("g")]) / var("m"),
        ),
        item("w", space(Sign::Any)),
        item("k", index()),
    ];
    let items = items.into_iter().map(|i| match i {
        Item::Assume(Goal::Every(_, sort, goal)) => {
            let rename = |t: &Term| t.put("k", &var("l"));
            let goal = match *goal {
                Goal::Le(a, b) => Goal::Le(rename(&a), rename(&b)),
                Goal::Eq(a, b) => Goal::Eq(rename(&a), rename(&b)),
                other => other,
            };
            Item::Assume(Goal::Every("l".into(), sort, goal.into()))
        }
        other => other,
    });
    let context = Context::default().with(items)?;
    let mean = |sign| Goal::Eq(objective(sign) / var("n"), linear(sign));
    let goal = Goal::Both(vec![
        Goal::Le(common(&var("k")).abs(), entry("L")),
        Goal::Le(mul([entry("s").abs(), entry("L")]), entry("L")),
        mean(-1),
        mean(1),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`pair`], or of a statement with other constants.
pub fn prove_pair(statement: &Statement) -> Result<Theorem, Stuck> {
    let context = &statement.context;
    let Goal::Both(goals) = &statement.goal else {
        return Err(Stuck::new("not several goals"));
    };
    let [first, second, low, high] = goals.as_slice() else {
        return Err(Stuck::new("not four goals"));
    };
    let all = |i: usize| {
        let found = dp_assay_kernel::rules::assume(context, i)?;
        instance(context, &found, &var("k"))
    };
    let (signs, scores) = (all(6)?, all(8)?);
    let factor = var("n") / var("m");
    let first = combine(context, first.clone(), &[with(factor, &scores)])?;
    let unit = Goal::Le(entry("s").pow(2), num(1));
    let unit = root_increases(&combine(context, unit, &[with(num(1), &signs)])?)?;
    let parts = vec![with(entry("L"), &unit)];
    let second = combine(context, second.clone(), &parts)?;
    let low = combine(context, low.clone(), &[])?;
    let high = combine(context, high.clone(), &[])?;
    both(context, &[&first, &second, &low, &high])
}

fn total(v: &str) -> Term {
    sum("l", var("m"), at(&var(v), &var("l")))
}

/// Σq and what is left.
fn whole() -> Term {
    total("q") + var("r")
}

/// p^α·q^{1−α} for α = 1 + x.
fn power(p: &Term, q: &Term) -> Term {
    let first = mul([num(1) + var("x"), p.log()]);
    (first - mul([var("x"), q.log()])).exp()
}

/// `skgd-lem-merging`: to merge the outcomes of a cell does not increase Σp^αq^{1−α}, α = 1 + x: where p_k and q_k are the
/// probabilities of those that both laws may have, and r that under the second law of those that the first never has.
pub fn merging() -> Result<Statement, Stuck> {
    let law = |name: &str| item(name, Sort::Vector(var("m"), Sign::Positive));
    let items = [
        item("m", Sort::Count),
        positive("x"),
        law("p"),
        law("q"),
        real("r", Sign::NonNegative),
    ];
    let context = Context::default().with(items)?;
    let parts = sum("k", var("m"), power(&entry("p"), &entry("q")));
    let goal = Goal::Le(power(&total("p"), &whole()), parts);
    Ok(Statement { context, goal })
}

/// The proof of [`merging`], or of a statement with another bound: with u = Σp/(Σq + r) each p_k^α·q_k^{1−α} is at least
/// α·u^{α−1}·p_k − (α − 1)·u^α·q_k.
pub fn prove_merging(statement: &Statement) -> Result<Theorem, Stuck> {
    let context = &statement.context;
    let (x, u) = (var("x"), total("p") / whole());
    let scale = mul([x.clone(), u.log()]).exp();
    let each = context.extended(item("k", Sort::Index(var("m"))))?;
    let (p, q) = (entry("p"), entry("q"));
    let ratio = p.log() - q.log();
    let gap = ratio.clone() - u.log();
    let back = num(0) - gap.clone();
    let up = mul([x.clone(), gap.clone()]);
    let (above, below) = (tangent(&each, &up)?, tangent(&each, &back)?);
    // u^x·p·exp(xδ) = p·exp(xθ), and that is p^α·q^{1−α}.
    let first = exp_sum(&each, &up, &mul([x.clone(), u.log()]))?;
    let second = exp_sum(&each, &mul([x.clone(), ratio.clone()]), &p.log())?;
    let (of_p, of_q) = (exp_log(&each, &p)?, exp_log(&each, &q)?);
    // p·exp(−δ) = u·q.
    let third = exp_sum(&each, &p.log(), &back)?;
    let fourth = exp_sum(&each, &u.log(), &q.log())?;
    let of_u = exp_log(&each, &u)?;
    let share = mul([scale.clone(), p.clone()]);
    let raised = mul([x.clone(), ratio]).exp();
    let xs = mul([x.clone(), scale.clone()]);
    let least = mul([num(1) + x.clone(), share.clone()]) - mul([xs.clone(), u.clone(), q.clone()]);
    let parts = vec![
        with(share.clone(), &above),
        with(mul([x.clone(), share]), &below),
        // p·exp(xδ)·u^x to p·exp(xθ), to exp(xθ)·exp(log p), to the exponential of the sum.
        with(mul([num(-1), p.clone()]), &first),
        with(mul([num(-1), raised]), &of_p),
        with(num(-1), &second),
        // x·u^x times: p·exp(−δ) to exp(log p)·exp(−δ), to exp(log u + log q), to u·q.
        with(mul([num(-1), xs.clone(), back.exp()]), &of_p),
        with(mul([num(-1), xs.clone()]), &third),
        with(xs.clone(), &fourth),
        with(mul([xs.clone(), u.log().exp()]), &of_q),
        with(mul([xs.clone(), q.clone()]), &of_u),
    ];
    let goal = Goal::Le(least, power(&p, &q));
    let all = sum_over(&combine(&each, goal, &parts)?)?;
    // (Σp)^α·(Σq + r)^{1−α} is at most u^x·Σp.
    let [_, logs] = log_product(context, &whole(), &u)?;
    let unity = inverse(context, &whole())?;
    let exponent = mul([x.clone(), u.log()]) + total("p").log();
    let merged = mul([num(1) + x.clone(), total("p").log()]) - mul([x.clone(), whole().log()]);
    let (same, part) = (log_product_is(context, &unity)?, with(x.clone(), &logs));
    let parts = vec![part, with(x.clone(), &same)];
    let more = combine(context, Goal::Le(merged, exponent), &parts)?;
    let above = exp_increases(&more)?;
    let split = exp_sum(context, &mul([x.clone(), u.log()]), &total("p").log())?;
    let of_p = exp_log(context, &total("p"))?;
    let parts = vec![
        with(num(1), &above),
        with(num(1), &split),
        with(scale, &of_p),
        with(num(1), &all),
        with(mul([xs, total("p")]), &unity),
    ];
    combine(context, statement.goal.clone(), &parts)
}

/// log Σp ≤ log((Σq + r)·u): u·(Σq + r) is Σp.
fn log_product_is(context: &Context, unity: &Theorem) -> Result<Theorem, Stuck> {
    let product = mul([whole(), total("p") / whole()]);
    let goal = Goal::Le(total("p"), product);
    let part = with(mul([num(-1), total("p")]), unity);
    let same = combine(context, goal, &[part])?;
    dp_assay_kernel::search::exp::log_increases(&same)
}
