//! `skgd-thm-4.2-cvx` as theorems of the kernel: displays (i) to (iii) for every K, and (iv) at the printed K.
//!
//! [`statement()`] and [`statement_at_printed_k`] are the claim as terms; [`prove`] and [`prove_at_printed_k`] prove
//! exactly these by rules, without premises. The proof is the one of [`LEM_E_1`](super::round::LEM_E_1); it needs neither
//! Lemma E.4 nor the bound on f(w⁰).

use crate::arith::Rational;
use crate::moved::written::{Proof, sides};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Part, combine};
use dp_assay_kernel::search::{assumed, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, sum, var};
use round::over_run;

pub mod block;
pub mod classes;
pub mod comparison;
pub mod corrected;
pub mod lemmas;
pub mod norms;
pub mod privacy;
mod round;
pub mod rows;
pub mod sampling;
pub mod special;
pub mod steps;
pub mod strong;
pub mod sums;
pub mod witness;

fn f(x: &Term) -> Term {
    app("f", [x.clone()])
}

/// P(j ∈ S).
fn inclusion_of(j: &Term) -> Term {
    op(Op::Inclusion, [j.clone(), var("𝒮")])
}

fn member(j: &Term) -> Term {
    op(Op::Member, [j.clone(), var("S")])
}

fn entry(v: &str, j: &Term) -> Term {
    at(&var(v), j)
}

/// ‖x − w⋆‖² in the norm MP⁻¹.
fn distance(x: &Term) -> Term {
    between(x, &var("w⋆"))
}

fn between(x: &Term, y: &Term) -> Term {
    let j = var("j");
    let weight = entry("M", &j) / inclusion_of(&j);
    let gap = at(x, &j) - at(y, &j);
    sum("j", var("d"), mul([weight, gap.pow(2)]))
}

/// Variables, hypotheses, noise and the inner loop of Algorithm 1, as its only round.
fn context() -> Result<Context, Stuck> {
    context_of(None, None)
}

/// The same for the noise of several rounds, whose number enlarges it through c, and for one or several rounds.
fn context_of(rounds: Option<&str>, run: Option<&str>) -> Result<Context, Stuck> {
    let any = || Sort::Vector(var("d"), Sign::Any);
    let item = |name: &str, sort: Sort| Item::Var(name.into(), sort);
    let counts = rounds.into_iter().chain(["d", "n", "K"]);
    let counts = counts.map(|x| item(x, Sort::Count));
    let items = [
        item("ε", Sort::Real(Sign::Positive)),
        item("δ", Sort::Real(Sign::Positive)),
        Item::Assume(Goal::Le(var("δ"), num(1))),
        item("M", Sort::Vector(var("d"), Sign::Positive)),
        item("f", Sort::Function(var("d"), "M".into())),
        item("w⋆", any()),
        Item::Assume(Goal::Minimises("f".into(), var("w⋆"))),
        item("w₀", any()),
        item("𝒮", Sort::SetLaw(var("d"))),
        item("L", Sort::SetFunction(var("d"), Sign::Positive)),
    ];
    let radius = Item::Define("R".into(), vec![], distance(&var("w₀")).sqrt());
    let algorithm = Item::Process("Alg1".into(), round::algorithm(run));
    let more = definitions(rounds).into_iter().chain([algorithm, radius]);
    Context::default().with(counts.chain(items).chain(more))
}

/// c, σ, γ and Σ, for the noise of so many rounds.
fn definitions(rounds: Option<&str>) -> [Item; 4] {
    let j = var("j");
    let define = |name: &str, body: Term| Item::Define(name.into(), vec![], body);
    let on_set = vec![("U".to_owned(), Sort::Set(var("d")))];
    let on_index = vec![("j".to_owned(), Sort::Index(var("d")))];
    let l_squared = entry("L", &var("U")).pow(2);
    let deviation = mul([num(12), l_squared, var("K"), app("c", [])]).sqrt();
    let weights = member(&j) / mul([inclusion_of(&j), entry("M", &j)]);
    let weights = mul([entry("L", &var("S")).pow(2), sum("j", var("d"), weights)]);
    let scale = mul([var("n").pow(2), var("ε").pow(2)]);
    let log = (num(1) / var("δ")).log();
    let log = rounds.map_or(log.clone(), |t| mul([var(t), log]));
    [
        define("c", log / scale),
        Item::Define("σ".into(), on_set, deviation),
        Item::Define("γ".into(), on_index, inclusion_of(&j) / entry("M", &j)),
        define("Σ𝒮", bind(Binder::Expect, "S", var("𝒮"), weights).sqrt()),
    ]
}

/// E f(w) − f(w⋆), w the mean of the K iterates.
fn risk() -> Term {
    over_run(f(&var("w"))) - f(&var("w⋆"))
}

/// 12K·c·Σ².
fn noise() -> Term {
    mul([num(12), var("K"), app("c", []), app("Σ𝒮", []).pow(2)])
}

/// The claim, (i) to (iii): E f(w) − f(w⋆) ≤ R²/K + 12K·c·Σ² for every integer K ≥ 1.
pub fn statement() -> Result<Statement, Stuck> {
    let context = context()?;
    let bound = app("R", []).pow(2) / var("K") + noise();
    let goal = Goal::Le(risk(), bound);
    Ok(Statement { context, goal })
}

/// As the claim, with half of R²/K, which is all that the proof needs (`skgd-thm-4.2-cvx-sharp`).
pub fn statement_sharp() -> Result<Statement, Stuck> {
    let context = context()?;
    let bound = app("R", []).pow(2) / mul([num(2), var("K")]) + noise();
    let goal = Goal::Le(risk(), bound);
    Ok(Statement { context, goal })
}

/// √c, R and Σ.
fn rate() -> [Term; 3] {
    [app("c", []).sqrt(), app("R", []), app("Σ𝒮", [])]
}

/// The context of (iv): K·Σ·√c = R, that is K = R/(Σ√c) where that has a meaning.
fn context_at_printed_k() -> Result<Context, Stuck> {
    let [c, r, s] = rate();
    let printed = Goal::Eq(mul([var("K"), s, c]), r);
    context()?.extended(Item::Assume(printed))
}

/// `skgd-lem-E.1`: E f(w) − f(w⋆) ≤ (R² + 2(f(w₀) − f(w⋆)))/(2K) + E‖Cσ_S1‖²_{PM⁻¹} after the K steps of a round.
pub fn lem_e_1() -> Result<Statement, Stuck> {
    let context = context()?;
    let j = var("j");
    let weights = member(&j) / mul([inclusion_of(&j), entry("M", &j)]);
    let weights = mul([app("σ", [var("S")]).pow(2), sum("j", var("d"), weights)]);
    let spread = bind(Binder::Expect, "S", var("𝒮"), weights);
    let gap = f(&var("w₀")) - f(&var("w⋆"));
    let start = app("R", []).pow(2) + mul([num(2), gap]);
    let goal = Goal::Le(risk(), start / mul([num(2), var("K")]) + spread);
    Ok(Statement { context, goal })
}

/// The proof of [`lem_e_1`], or of a statement with other constants; of f(w₀) − f(w⋆) nothing is needed but that it is ≥ 0.
pub fn prove_lem_e_1(statement: &Statement) -> Proof {
    let context = &statement.context;
    let (all, above) = (round::of_all(context)?, round::above(context, &var("w₀"))?);
    let unit = || num(1) / var("K");
    let parts = vec![with(unit(), &all), with(unit(), &above)];
    combine(context, statement.goal.clone(), &parts)
}

/// The claim, (iv): E f(w) − f(w⋆) ≤ 13·RΣ√c at the printed K.
pub fn statement_at_printed_k() -> Result<Statement, Stuck> {
    let [c, r, s] = rate();
    let context = context_at_printed_k()?;
    let goal = Goal::Le(risk(), mul([num(13), r, s, c]));
    Ok(Statement { context, goal })
}

/// 5·Σ·√c, the unit in which a radius is counted to find K.
fn unit() -> Term {
    let [c, _, s] = rate();
    mul([num(5), s, c])
}

/// ϱ ≤ 5KΣ√c ≤ ϱ + 5Σ√c, that is K = ⌈ϱ/(5Σ√c)⌉, and R ≤ ϱ.
fn radius_hypotheses() -> [Goal; 3] {
    let [c, r, s] = rate();
    let steps = mul([num(5), var("K"), s, c]);
    [
        Goal::Le(var("ϱ"), steps.clone()),
        Goal::Le(steps, var("ϱ") + unit()),
        Goal::Le(r, var("ϱ")),
    ]
}

/// The claim `skgd-thm-4.2-cvx-public-K`: for a radius ϱ ≥ R known beforehand and K = ⌈ϱ/(5Σ√c)⌉ the risk is at most
/// (49/10)·ϱΣ√c + 12cΣ².
pub fn statement_at_public_k() -> Result<Statement, Stuck> {
    let [c, _, s] = rate();
    let radius = Item::Var("ϱ".into(), Sort::Real(Sign::Positive));
    let assumed = radius_hypotheses().map(Item::Assume);
    let context = context()?.with([radius].into_iter().chain(assumed))?;
    let first = mul([num(49), var("ϱ"), s.clone(), c]) / num(10);
    let rest = mul([num(12), app("c", []), s.pow(2)]);
    let goal = Goal::Le(risk(), first + rest);
    Ok(Statement { context, goal })
}

/// R ≤ KΣ√c ≤ R + Σ√c, that is K = ⌈R/(Σ√c)⌉, and Σ√c ≤ R.
fn rounded_up() -> [Goal; 3] {
    let [c, r, s] = rate();
    let unit = mul([s, c]);
    let steps = mul([var("K"), unit.clone()]);
    [
        Goal::Le(r.clone(), steps.clone()),
        Goal::Le(steps, r.clone() + unit.clone()),
        Goal::Le(unit, r),
    ]
}

/// The claim `skgd-thm-4.2-cvx-rate`: E f(w) − f(w⋆) ≤ 25·RΣ√c at K = ⌈R/(Σ√c)⌉, if that is of one at least.
pub fn statement_of_rate() -> Result<Statement, Stuck> {
    let [c, r, s] = rate();
    let context = context()?.with(rounded_up().map(Item::Assume))?;
    let goal = Goal::Le(risk(), mul([num(25), r, s, c]));
    Ok(Statement { context, goal })
}

/// Strong convexity as a round needs it: R² ≤ K·(f(w₀) − f(w⋆)).
fn contracts() -> Goal {
    let gap = f(&var("w₀")) - f(&var("w⋆"));
    Goal::Le(app("R", []).pow(2), mul([var("K"), gap]))
}

/// The claim `skgd-thm-4.2-sc-round`: where R² ≤ K·(f(w₀) − f(w⋆)), a round with the noise of T rounds halves the excess up to
/// 12K·c·Σ², c = T·log(1/δ)/(n²ε²).
pub fn statement_of_round() -> Result<Statement, Stuck> {
    let context = context_of(Some("T"), None)?.extended(Item::Assume(contracts()))?;
    let gap = f(&var("w₀")) - f(&var("w⋆"));
    let goal = Goal::Le(risk(), gap / num(2) + noise());
    Ok(Statement { context, goal })
}

/// The number in front of a product of R, Σ, √c and K.
fn coefficient(t: &Term) -> Option<Rational> {
    let one = || Some(Rational::from(1));
    match t {
        Term::Num(value) => Some(value.clone()),
        Term::Var(_) | Term::App(..) | Term::Op(Op::Sqrt, _) => one(),
        Term::Op(Op::Pow, a) => coefficient(&a[0]).filter(|c| *c == 1),
        Term::Op(Op::Mul, a) => {
            let factors = a.iter().map(coefficient);
            factors.reduce(|x, y| Some(x? * y?)).flatten()
        }
        Term::Op(Op::Div, a) => Some(coefficient(&a[0])? / coefficient(&a[1])?),
        _ => None,
    }
}

/// How much larger the coefficient of a term is than what the proof needs, times a product that is ≥ 0; nothing if it is no
/// larger.
fn excess(stated: &Term, needed: Rational, product: Term) -> Result<Option<Part<'static>>, Stuck> {
    let stated = coefficient(stated).ok_or_else(|| Stuck::new("no coefficient"))?;
    if stated == needed {
        return Ok(None);
    }
    let (above, below) = (stated - needed).into_numer_denom();
    let factor = Term::Num(above.into()) / Term::Num(below.into());
    Ok(Some(Part::new(mul([factor, product]), [])))
}

/// The proof, for this statement or one with other constants. What it returns is proved whatever it was
/// given; whether that is the statement is for the caller to compare.
pub fn prove(statement: &Statement) -> Proof {
    let (context, goal) = (&statement.context, statement.goal.clone());
    let all = round::of_all(context)?;
    let Goal::Le(_, Term::Op(Op::Add, bound)) = &goal else {
        return Err(Stuck::new("the bound is not a sum"));
    };
    // Half of R²/K is needed.
    let distance = app("R", []).pow(2) / var("K");
    let mut parts = vec![with(num(1) / var("K"), &all)];
    parts.extend(excess(&bound[0], (1, 2).into(), distance)?);
    combine(context, goal, &parts)
}

/// The proof of (iv) in the same sense.
pub fn prove_at_printed_k(at_printed_k: &Statement) -> Proof {
    let (context, goal) = (&at_printed_k.context, at_printed_k.goal.clone());
    let items = context.items().len();
    let general = Statement {
        context: context.beginning(items - 1),
        goal: statement()?.goal,
    };
    let general = prove(&general)?;
    let [c, r, s] = rate();
    let at_k = Goal::Eq(mul([var("K"), s.clone(), c.clone()]), r.clone());
    let printed = assumed(context, &at_k)?;
    let [_, bound] = sides(&goal)?;
    let rest = excess(bound, 13.into(), mul([r.clone(), s.clone(), c.clone()]))?;
    // With b = Σ√c: 13Rb − R²/K − 12Kb² = (12b − R/K)·(R − Kb), and R = Kb.
    let multiplier = mul([num(12), s, c]) - r / var("K");
    let mut parts = vec![with(num(1), &general), with(multiplier, &printed)];
    parts.extend(rest);
    combine(context, goal, &parts)
}

/// The proof of [`statement_of_rate`] in the same sense. With b = Σ√c: 25Rb − R²/K − 12Kb² = (R/K)·(Kb − R) + 12b·(R + b − Kb) +
/// 12b·(R − b).
pub fn prove_rate(of_rate: &Statement) -> Proof {
    let (context, goal) = (&of_rate.context, of_rate.goal.clone());
    let general = Statement {
        context: context.beginning(context.items().len() - 3),
        goal: statement()?.goal,
    };
    let general = prove(&general)?;
    let [c, r, s] = rate();
    let [enough, few, one] = rounded_up().map(|goal| assumed(context, &goal));
    let (enough, few, one) = (enough?, few?, one?);
    let [_, bound] = sides(&goal)?;
    let twelve = mul([num(12), s.clone(), c.clone()]);
    let rest = excess(bound, 25.into(), mul([r.clone(), s, c]))?;
    let mut parts = vec![
        with(num(1), &general),
        with(r / var("K"), &enough),
        with(twelve.clone(), &few),
        with(twelve, &one),
    ];
    parts.extend(rest);
    combine(context, goal, &parts)
}

/// The proof at a public K in the same sense.
pub fn prove_at_public_k(at_public_k: &Statement) -> Proof {
    let (context, goal) = (&at_public_k.context, at_public_k.goal.clone());
    let items = context.items().len();
    let general = Statement {
        context: context.beginning(items - 4),
        goal: statement_sharp()?.goal,
    };
    let general = prove(&general)?;
    let [c, r, s] = rate();
    let [enough, few, near] = radius_hypotheses();
    let facts = [
        assumed(context, &enough)?,
        assumed(context, &few)?,
        assumed(context, &near)?,
    ];
    let Goal::Le(_, Term::Op(Op::Add, bound)) = &goal else {
        return Err(Stuck::new("the bound is not a sum"));
    };
    // With b = Σ√c: 4.9ϱb + 12b² − R²/(2K) − 12Kb² = (ϱ/2K)(5Kb − ϱ) + (12b/5)(ϱ + 5b − 5Kb) + ((ϱ + R)/2K)(ϱ − R).
    let twice = mul([num(2), var("K")]);
    let b = mul([s.clone(), c.clone()]);
    let leading = mul([var("ϱ"), b.clone()]);
    let square = mul([app("c", []), s.pow(2)]);
    let mut parts = vec![
        with(num(1), &general),
        with(var("ϱ") / twice.clone(), &facts[0]),
        with(mul([num(12), b]) / num(5), &facts[1]),
        with((var("ϱ") + r) / twice, &facts[2]),
    ];
    parts.extend(excess(&bound[0], (49, 10).into(), leading)?);
    parts.extend(excess(&bound[1], 12.into(), square)?);
    combine(context, goal, &parts)
}

/// The proof of the round in the same sense.
pub fn prove_round(round: &Statement) -> Proof {
    let (context, goal) = (&round.context, round.goal.clone());
    let general = Statement {
        context: context.beginning(context.items().len() - 1),
        goal: statement_sharp()?.goal,
    };
    let general = prove(&general)?;
    let contracts = assumed(context, &contracts())?;
    let half = num(1) / mul([num(2), var("K")]);
    let parts = vec![with(num(1), &general), with(half, &contracts)];
    combine(context, goal, &parts)
}
