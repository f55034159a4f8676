//! How many rounds suffice: numbers of rounds and phases against logarithms of what is to be reached.
//!
//! a stands for F₀^{(κ−2)/κ}, that is exp(((κ − 2)/κ)·log F₀), c for 1 + 1/y, ℓ for log c, and c^{−T} for exp(−T·ℓ).

use super::{item, positive};
use crate::moved::written::{Proof, goals, sides};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, assume, both, combine, counted, discharge, exp_log, exp_sum, inverse, root_increases,
};
use dp_assay_kernel::search::exp::{
    exp_increases, log_above, log_at_least, log_below, log_increases, log_not_negative, log_product,
};
use dp_assay_kernel::search::{assumed, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, app, mul, num, var};

fn define(name: &str, body: Term) -> Item {
    Item::Define(name.into(), vec![], body)
}

/// 1/(1 + t).
fn share(t: Term) -> Term {
    num(1) / (num(1) + t)
}

/// `kl-red-log`: x/(1 + x) ≤ log(1 + x), so that (1 + 1/x)·log(1 + x) ≥ 1, for x > 0.
pub fn red_log() -> Result<Statement, Stuck> {
    let context = Context::default().extended(positive("x"))?;
    let (x, log) = (var("x"), (num(1) + var("x")).log());
    let goal = Goal::Both(vec![
        Goal::Le(x.clone() / (num(1) + x.clone()), log.clone()),
        Goal::Le(num(1), mul([num(1) + num(1) / x, log])),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`red_log`], or of a statement with other constants.
pub fn prove_red_log(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [first, second] = goals(statement)?;
    let below = log_below(context, &var("x"))?;
    let enough = times_log(context, &var("x"))?;
    let first = combine(context, first.clone(), &[with(num(1), &below)])?;
    let second = combine(context, second.clone(), &[with(num(1), &enough)])?;
    both(context, &[&first, &second])
}

/// 1 ≤ (1 + 1/z)·log(1 + z).
pub(super) fn times_log(context: &Context, z: &Term) -> Proof {
    let (below, whole) = (
        log_below(context, z)?,
        inverse(context, &(num(1) + z.clone()))?,
    );
    let factor = num(1) + num(1) / z.clone();
    let goal = Goal::Le(num(1), mul([factor.clone(), (num(1) + z.clone()).log()]));
    combine(
        context,
        goal,
        &[with(factor, &below), with(num(-1), &whole)],
    )
}

/// The constants, c = 1 + 1/y with y = `factor`·F₀^{(κ−2)/κ}γ²L₁, and ℓ = log c; κ is at least 2, or between 1 and 2.
fn constants(factor: i64) -> Vec<Item> {
    let ratio = (var("κ") - num(2)) / var("κ");
    let y = mul([num(factor), app("a", []), var("γ").pow(2), var("L₁")]);
    let range = match factor {
        32 => vec![Goal::Le(num(2), var("κ"))],
        _ => vec![Goal::Le(num(1), var("κ")), Goal::Le(var("κ"), num(2))],
    };
    let numbers = ["F₀", "γ", "L₀", "L₁", "ρ", "κ"].map(positive);
    let items = numbers
        .into_iter()
        .chain(range.into_iter().map(Item::Assume));
    let more = [
        item("n", Sort::Count),
        item("d", Sort::Count),
        define("a", mul([ratio, var("F₀").log()]).exp()),
        define("y", y),
        define("c", num(1) + num(1) / app("y", [])),
        positive("ℓ"),
        Item::Assume(Goal::Eq(var("ℓ"), app("c", []).log())),
    ];
    items.chain(more).collect()
}

/// 1 ≤ (1 + y)·ℓ.
fn rate(context: &Context) -> Proof {
    let y = app("y", []);
    let enough = times_log(context, &(num(1) / y.clone()))?;
    let named = assumed(context, &Goal::Eq(var("ℓ"), app("c", []).log()))?;
    let goal = Goal::Le(num(1), mul([num(1) + y.clone(), var("ℓ")]));
    let parts = [with(num(1), &enough), with(num(-1) - y, &named)];
    combine(context, goal, &parts)
}

/// γL₀√d/(n√ρ), times √ω if there is one.
fn radius(omega: bool) -> Term {
    let mut above = vec![var("γ"), var("L₀"), var("d").sqrt()];
    above.extend(omega.then(|| var("ω").sqrt()));
    let below = mul([var("n"), var("ρ").sqrt()]);
    Term::Op(Op::Mul, above.into()) / below
}

/// r^κ for r = γL₀√d/(n√ρ), or with √ω.
fn target(omega: bool) -> Term {
    mul([var("κ"), radius(omega).log()]).exp()
}

/// n√ρ/(γL₀√d).
fn opposite() -> Term {
    mul([var("n"), var("ρ").sqrt()]) / mul([var("γ"), var("L₀"), var("d").sqrt()])
}

/// The bracket B = log F₀ + κ·log(n√ρ/(γL₀√d)).
fn bracket() -> Goal {
    let all = var("F₀").log() + mul([var("κ"), opposite().log()]);
    Goal::Eq(var("B"), all)
}

/// The bracket, which is positive, and as many rounds as the algorithm makes.
fn rounds(name: &str) -> [Item; 3] {
    let all = mul([num(1) + app("y", []), var("B")]);
    [positive("B"), Item::Assume(bracket()), define(name, all)]
}

/// `kl-par-alg-2`: T = (1 + y)·B is at least B/log c, and T·β′ = β.
pub fn par_alg_2() -> Result<Statement, Stuck> {
    let shares = [positive("β"), define("β′", var("β") / app("T", []))];
    let items = constants(32).into_iter().chain(rounds("T")).chain(shares);
    let context = Context::default().with(items)?;
    let goal = Goal::Both(vec![
        Goal::Le(var("B") / var("ℓ"), app("T", [])),
        Goal::Eq(mul([app("T", []), app("β′", [])]), var("β")),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`par_alg_2`], or of a statement with other constants.
pub fn prove_par_alg_2(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [first, second] = goals(statement)?;
    let (rate, whole) = (rate(context)?, inverse(context, &app("T", []))?);
    let parts = vec![with(var("B") / var("ℓ"), &rate)];
    let first = combine(context, first.clone(), &parts)?;
    let second = combine(context, second.clone(), &[with(var("β"), &whole)])?;
    both(context, &[&first, &second])
}

/// c^{−T}·F₀.
fn left(t: Term) -> Term {
    mul([exponent(t).exp(), var("F₀")])
}

fn exponent(t: Term) -> Term {
    mul([num(-1), t, var("ℓ")])
}

/// (log F₀ − log G)/log c ≤ T.
fn long() -> Goal {
    let gap = var("F₀").log() - app("G", []).log();
    Goal::Le(gap / var("ℓ"), var("T"))
}

/// `kl-thm-2-T`: c^{−T}F₀ ≤ G if and only if T ≥ (log F₀ − log G)/log c, for G = (γL₀√(dω)/(n√ρ))^κ; and log c ≥ 1/(1 + y).
pub fn thm_2_t() -> Result<Statement, Stuck> {
    let more = [
        positive("ω"),
        define("G", target(true)),
        item("T", Sort::Real(Sign::Any)),
    ];
    let context = Context::default().with(constants(32).into_iter().chain(more))?;
    let reached = Goal::Le(left(var("T")), app("G", []));
    let goal = Goal::Both(vec![
        Goal::If(reached.clone().into(), long().into()),
        Goal::If(long().into(), reached.into()),
        Goal::Le(share(app("y", [])), var("ℓ")),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`thm_2_t`], or of a statement with other constants.
pub fn prove_thm_2_t(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [Goal::If(reached, _), Goal::If(enough, _), third] = goals(statement)? else {
        return Err(Stuck::new("not three goals"));
    };
    let first = discharge(&needed(
        &context.extended(Item::Assume((**reached).clone()))?,
    )?)?;
    let here = context.extended(Item::Assume((**enough).clone()))?;
    let given = assumed(&here, enough)?;
    // log F₀ − T·ℓ ≤ log G.
    let sum = var("F₀").log() + exponent(var("T"));
    let below = Goal::Le(sum, app("G", []).log());
    let below = combine(&here, below, &[with(var("ℓ"), &given)])?;
    let named = exp_log(&here, &app("G", []))?;
    let second = Goal::Le(left(var("T")), app("G", []));
    let second = discharge(&grown(&here, &below, &second, Some(&named))?)?;
    let (rate, whole) = (rate(context)?, inverse(context, &(num(1) + app("y", [])))?);
    let parts = vec![with(share(app("y", [])), &rate), with(var("ℓ"), &whole)];
    let third = combine(context, third.clone(), &parts)?;
    both(context, &[&first, &second, &third])
}

/// T ≥ (log F₀ − log G)/log c in a context whose last item says that c^{−T}F₀ ≤ G.
fn needed(here: &Context) -> Proof {
    let reached = assume(here, here.items().len() - 1)?;
    let power = exponent(var("T")).exp();
    let logs = log_increases(&reached)?;
    let [split, _] = log_product(here, &power, &var("F₀"))?;
    let itself = combine(here, Goal::Le(power.clone(), power), &[])?;
    let own = log_at_least(&itself)?;
    let unit = num(1) / var("ℓ");
    let parts = [&logs, &split, &own].map(|fact| with(unit.clone(), fact));
    combine(here, long(), &parts)
}

/// c^{−t}F₀ ≤ exp(b), the left side of `goal` as its right, from log F₀ − t·ℓ ≤ b; or ≤ G for b = log G, of which `named` says
/// that exp(log G) = G.
fn grown(here: &Context, below: &Theorem, goal: &Goal, named: Option<&Theorem>) -> Proof {
    let Goal::Le(Term::Op(_, sum), _) = &below.statement().goal else {
        return Err(Stuck::new("no sum"));
    };
    let (grown, split) = (exp_increases(below)?, exp_sum(here, &sum[0], &sum[1])?);
    let first = exp_log(here, &var("F₀"))?;
    let mut parts = vec![
        with(num(1), &grown),
        with(num(-1), &split),
        with(num(-1) * sum[1].exp(), &first),
    ];
    parts.extend(named.map(|named| with(num(1), named)));
    combine(here, goal.clone(), &parts)
}

/// log F₀ − t·ℓ ≤ κ·log r, if (1 + y)·B ≤ t: as t·ℓ ≥ B, and log(n√ρ/(γL₀√d)) + log r ≥ 0, which is 0 or half of log ω.
fn reached(here: &Context, t: &Term, long: &Theorem, omega: bool) -> Proof {
    let radius = radius(omega);
    let [_, split] = log_product(here, &opposite(), &radius)?;
    let root = match omega {
        true => {
            let given = assumed(here, &Goal::Le(num(1), var("ω")))?;
            let square = combine(
                here,
                Goal::Le(num(1).pow(2), var("ω")),
                &[with(num(1), &given)],
            )?;
            Some(root_increases(&square)?)
        }
        false => None,
    };
    let product = Goal::Le(num(1), mul([opposite(), radius.clone()]));
    let parts = root
        .iter()
        .map(|root| with(num(1), root))
        .collect::<Vec<_>>();
    let product = log_not_negative(&combine(here, product, &parts)?)?;
    let (rate, named) = (rate(here)?, assumed(here, &bracket())?);
    let sum = var("F₀").log() + exponent(t.clone());
    let parts = vec![
        with(var("ℓ"), long),
        with(var("B"), &rate),
        with(num(-1), &named),
        with(var("κ"), &split),
        with(var("κ"), &product),
    ];
    combine(here, Goal::Le(sum, mul([var("κ"), radius.log()])), &parts)
}

/// `kl-thm-2-T-repaired`: for ω ≥ 1 an integer T ≥ (1 + y)·B suffices for c^{−T}F₀ ≤ (γL₀√(dω)/(n√ρ))^κ.
pub fn thm_2_t_repaired() -> Result<Statement, Stuck> {
    let more = [
        positive("ω"),
        Item::Assume(Goal::Le(num(1), var("ω"))),
        item("T", Sort::Count),
        Item::Assume(Goal::Le(app("t", []), var("T"))),
    ];
    let items = constants(32).into_iter().chain(rounds("t")).chain(more);
    let context = Context::default().with(items)?;
    let goal = Goal::Le(left(var("T")), target(true));
    Ok(Statement { context, goal })
}

/// The proof of [`thm_2_t_repaired`], or of a statement with other constants.
pub fn prove_thm_2_t_repaired(statement: &Statement) -> Proof {
    let context = &statement.context;
    let long = assumed(context, &Goal::Le(app("t", []), var("T")))?;
    let below = reached(context, &var("T"), &long, true)?;
    grown(context, &below, &statement.goal, None)
}

/// `kl-thm-1-K`: for the K = (1 + y)·B of line 3, c^{−K}F₀ ≤ (γL₀√d/(n√ρ))^κ.
pub fn thm_1_k() -> Result<Statement, Stuck> {
    let items = constants(64).into_iter().chain(rounds("K"));
    let context = Context::default().with(items)?;
    let goal = Goal::Le(left(app("K", [])), target(false));
    Ok(Statement { context, goal })
}

/// The floor of line 6: its root of order κ, 32γL₀√(R·d·log(1/β′))/(n√ρ), to the power κ.
fn floor() -> Term {
    mul([var("κ"), least().log()]).exp()
}

/// log(1/β′).
fn failure() -> Term {
    (num(1) / var("β′")).log()
}

fn least() -> Term {
    let root = mul([var("R"), var("d"), failure()]).sqrt();
    let above = mul([num(32), var("γ"), var("L₀"), root]);
    above / mul([var("n"), var("ρ").sqrt()])
}

/// R of a goal that something is at most R^κ.
fn root_of(goal: &Goal) -> Result<Term, Stuck> {
    let last = |t: &Term, wanted: Op| match t {
        Term::Op(op, parts) if *op == wanted => parts.last().cloned(),
        _ => None,
    };
    let [_, power] = sides(goal)?;
    let mut inside = [Op::Exp, Op::Mul, Op::Log].into_iter();
    let root = inside.try_fold(power.clone(), |t, op| last(&t, op));
    root.ok_or_else(|| Stuck::new("no power"))
}

/// `kl-thm-1-K-repaired`: for an integer R ≥ K, c^{−R}F₀ ≤ (γL₀√d/(n√ρ))^κ, which is at most the floor of line 6 with R for K.
pub fn thm_1_k_repaired() -> Result<Statement, Stuck> {
    let small = Goal::Le(var("β′"), num(1) / num(3));
    let more = [
        item("R", Sort::Count),
        Item::Assume(Goal::Le(app("K", []), var("R"))),
        positive("β′"),
        Item::Assume(small),
    ];
    let items = constants(64).into_iter().chain(rounds("K")).chain(more);
    let context = Context::default().with(items)?;
    let goal = Goal::Both(vec![
        Goal::Le(left(var("R")), target(false)),
        Goal::Le(target(false), floor()),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`thm_1_k_repaired`], or of a statement with other constants: 1024·R·log(1/β′) is at least 1.
pub fn prove_thm_1_k_repaired(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [first, second] = goals(statement)?;
    let long = assumed(context, &Goal::Le(app("K", []), var("R")))?;
    let below = reached(context, &var("R"), &long, false)?;
    let first = grown(context, &below, first, None)?;
    // 3 ≤ 1/β′, so 1 ≤ log 3 ≤ log(1/β′).
    let small = assumed(context, &Goal::Le(var("β′"), num(1) / num(3)))?;
    let inverse = Goal::Le(num(3), num(1) / var("β′"));
    let parts = vec![with(num(3) / var("β′"), &small)];
    let larger = log_increases(&combine(context, inverse, &parts)?)?;
    let three = log_above(context, &3.into(), &1.into(), 3)?;
    let parts = [&three, &larger].map(|fact| with(num(1), fact));
    let log = combine(context, Goal::Le(num(1), failure()), &parts)?;
    let one = counted(context, &var("R"))?;
    let (r, most) = (radius(false), root_of(second)?);
    let unit = mul([num(1024), r.pow(2)]);
    let parts = vec![with(mul([unit.clone(), failure()]), &one), with(unit, &log)];
    let squares = Goal::Le(r.pow(2), most.pow(2));
    let radii = root_increases(&combine(context, squares, &parts)?)?;
    let logs = log_increases(&radii)?;
    let scaled = |t: &Term| mul([var("κ"), t.log()]);
    let exponents = Goal::Le(scaled(&r), scaled(&most));
    let exponents = combine(context, exponents, &[with(var("κ"), &logs)])?;
    let grown = exp_increases(&exponents)?;
    let second = combine(context, second.clone(), &[with(num(1), &grown)])?;
    both(context, &[&first, &second])
}

/// The proof of [`thm_1_k`], or of a statement with other constants.
pub fn prove_thm_1_k(statement: &Statement) -> Proof {
    let (context, k) = (&statement.context, app("K", []));
    let all = mul([num(1) + app("y", []), var("B")]);
    let long = combine(context, Goal::Le(all, k.clone()), &[])?;
    let below = reached(context, &k, &long, false)?;
    grown(context, &below, &statement.goal, None)
}
