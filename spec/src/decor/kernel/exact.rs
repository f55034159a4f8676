//! What a step of messages costs exactly, and what it costs where the graph is disconnected.

use super::network::{
    along, centred, clip, clipped_moves, connected, define, end, gradient, index, messages,
    network, system,
};
use super::{entries, item, positive};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, Theorem, attained, both, combine, correlated, discharge, instance, sum_over, weaken,
};
use dp_assay_kernel::search::{assumed, with, zcdp_cost};
use dp_assay_kernel::statement::{Context, Goal, Item, Notion, Sign, Sort, Statement, Subject};
use dp_assay_kernel::term::{Op, Term, app, at, mul, num, op, sum, var, vector};

/// Gradients of two records at the two ends of what clipping allows.
fn opposite() -> Goal {
    let apart = entries(clip(&var("u")) - clip(&var("v"))).norm();
    Goal::Le(mul([num(2), var("C")]), apart)
}

/// `decor-thm-6-num`: the slope of user i's step is exactly 2C²·[Σ⁻¹]_ii for whatever graph is left without the group, where two
/// data sets have clipped gradients Cu and −Cu: that is its cost in zCDP, and no smaller number is. Algorithm 3 takes the
/// largest over users and groups.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn exact_slope() -> Result<Statement, Stuck> {
    let record = |z: &str| item(z, Sort::Record);
    let more = [
        positive("σ"),
        item("τ", Sort::Real(Sign::NonNegative)),
        define("s", var("σ").pow(2)),
        define("t", var("τ").pow(2)),
        item("x", Sort::Vector(var("m"), Sign::Any)),
        Item::Assume(system()),
        item("h", Sort::Vector(var("p"), Sign::Any)),
        record("u"),
        record("v"),
        Item::Assume(opposite()),
        item("q", Sort::Real(Sign::NonNegative)),
    ];
    let context = Context::default().with(network().into_iter().chain(more))?;
    let private = |rho: Term| Goal::Private {
        data: "D".into(),
        notion: Notion::Zcdp(rho),
        subject: Subject::Command(messages(gradient(None)).into()),
    };
    let slope = mul([num(2), var("C").pow(2), at(&var("x"), &var("i"))]);
    let least = Goal::Le(slope.clone(), var("q"));
    let least = Goal::If(private(var("q")).into(), least.into());
    let goal = Goal::Both(vec![private(slope), least]);
    Ok(Statement { context, goal })
}

/// The proof of [`exact_slope`].
///
/// # Errors
/// If a rule does not apply.
pub fn prove_exact_slope(statement: &Statement) -> Result<Theorem, Stuck> {
    let context = &statement.context;
    let Goal::Both(goals) = &statement.goal else {
        return Err(Stuck::new("not two goals"));
    };
    let [upper, lower] = goals.as_slice() else {
        return Err(Stuck::new("not two goals"));
    };
    let Some([least, _]) = lower.sides() else {
        return Err(Stuck::new("no least slope"));
    };
    let (query, x) = (gradient(None), var("x"));
    let command = messages(query.clone());
    let moves = clipped_moves(context, &query)?;
    let each = context.extended(index("k", "m"))?;
    let entry = instance(&each, &assumed(context, &system())?, &var("k"))?;
    let found = correlated(context, &command, &moves, &x, &entry)?;
    let cost = zcdp_cost(upper)?;
    let less = Goal::Le(zcdp_cost(&found.statement().goal)?.clone(), cost.clone());
    let less = combine(context, less, &[])?;
    let upper = weaken(&found, &Notion::Zcdp(cost.clone()), &[&less])?;
    let apart = assumed(context, &opposite())?;
    let (notion, records) = (Notion::Zcdp(var("q")), ["u", "v"]);
    let solved = Some((&x, &entry));
    let on = ("D", &records[..]);
    let lower = attained(context, &command, (&notion, least), on, &apart, solved)?;
    both(context, &[&upper, &lower])
}

/// No noise in common crosses between two parts of the graph, of which v is 1 on one and 0 on the other, as at r and r′.
fn parted() -> [Goal; 3] {
    let none = Goal::Eq(along("v"), num(0));
    let at_user = |user: &str, value: i64| Goal::Eq(at(&var("v"), &var(user)), num(value));
    let every = Goal::Every("e".into(), Sort::Index(var("E")), none.into());
    [every, at_user("r", 1), at_user("r′", 0)]
}

/// a·Σ(u_k − ū)² ≤ Σ_e(b\[e\]ᵀu)² at a = 0.
fn zero_is_one() -> Goal {
    let spread = sum("k", var("m"), centred("u").pow(2));
    let form = sum("e", var("E"), along("u").pow(2));
    Goal::Le(mul([num(0), spread]), form)
}

/// `decor-rem-disc`: where the graph is disconnected no a > 0 bounds its algebraic connectivity from below, and 0 does; with
/// σ_cor = 0 a step is 2C²/σ_cdp²-zCDP, which is that of the LDP baseline.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn disconnected() -> Result<Statement, Stuck> {
    let [every, one, zero] = parted().map(Item::Assume);
    let more = [
        item("v", Sort::Vector(var("m"), Sign::Any)),
        every,
        index("r", "m"),
        one,
        index("r′", "m"),
        zero,
        item("a", Sort::Real(Sign::NonNegative)),
        Item::Assume(connected()),
        positive("σ"),
        define("s", var("σ").pow(2)),
        define("t", num(0)),
        item("h", Sort::Vector(var("p"), Sign::Any)),
    ];
    let context = Context::default().with(network().into_iter().chain(more))?;
    let space = Sort::Vector(var("m"), Sign::Any);
    let goal = Goal::Both(vec![
        Goal::Le(var("a"), num(0)),
        Goal::Every("u".into(), space, zero_is_one().into()),
        Goal::Private {
            data: "D".into(),
            notion: Notion::Zcdp(mul([num(2), var("C").pow(2)]) / var("σ").pow(2)),
            subject: Subject::Command(messages(gradient(None)).into()),
        },
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`disconnected`], or of a statement with another cost: Σ(v_k − v̄)² ≥ ½, as v_r − v_r′ = 1.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_disconnected(statement: &Statement) -> Result<Theorem, Stuck> {
    let context = &statement.context;
    let Goal::Both(goals) = &statement.goal else {
        return Err(Stuck::new("not several goals"));
    };
    let [least, _, private] = goals.as_slice() else {
        return Err(Stuck::new("not three goals"));
    };
    let [every, one, zero] = parted().map(|goal| assumed(context, &goal));
    let (every, one, zero) = (every?, one?, zero?);
    let edge = context.extended(index("e", "E"))?;
    let flat = instance(&edge, &every, &var("e"))?;
    let square = Goal::Eq(along("v").pow(2), num(0));
    let flat = sum_over(&combine(&edge, square, &[with(along("v"), &flat)])?)?;
    let gap = instance(context, &assumed(context, &connected())?, &var("v"))?;
    let unit = |user: &str| op(Op::Unit, [var("k"), var(user)]);
    let test = (unit("r") - unit("r′")) / num(2);
    let square = sum("k", var("m"), (centred("v") - test).pow(2));
    let spread = sum("k", var("m"), centred("v").pow(2));
    let same = op(Op::Unit, [var("r"), var("r′")]) / num(2);
    let parts = [
        Part::new(square + same, []),
        with(num(-1), &one),
        with(num(1), &zero),
    ];
    let wide = combine(context, Goal::Le(num(1) / num(2), spread), &parts)?;
    let parts = vec![
        with(num(2), &gap),
        with(num(2), &flat),
        with(mul([num(2), var("a")]), &wide),
    ];
    let least = combine(context, least.clone(), &parts)?;
    let any = context.extended(item("u", Sort::Vector(var("m"), Sign::Any)))?;
    let zero = discharge(&combine(&any, zero_is_one(), &[])?)?;
    both(context, &[&least, &zero, &alone(context, private)?])
}

/// A step without noise in common: column i of the inverse covariance is 1/s at i.
fn alone(context: &Context, private: &Goal) -> Result<Theorem, Stuck> {
    let (query, each) = (gradient(None), context.extended(index("k", "m"))?);
    let unit = |k: &str| op(Op::Unit, [var(k), var("i")]);
    let [s, t] = ["s", "t"].map(|x| app(x, []));
    let x = vector("k′", var("m"), unit("k′") / s.clone());
    let entry = |k: &str| at(&x, &var(k));
    let inner = sum("l", var("m"), mul([end(&var("l")), entry("l")]));
    let common = sum("e", var("E"), mul([end(&var("k")), inner]));
    let left = mul([s, entry("k")]) + mul([t, common]);
    let solved = combine(&each, Goal::Eq(left, unit("k")), &[])?;
    let moves = clipped_moves(context, &query)?;
    let found = correlated(context, &messages(query), &moves, &x, &solved)?;
    let cost = zcdp_cost(private)?;
    let less = Goal::Le(zcdp_cost(&found.statement().goal)?.clone(), cost.clone());
    let less = combine(context, less, &[])?;
    weaken(&found, &Notion::Zcdp(cost.clone()), &[&less])
}
