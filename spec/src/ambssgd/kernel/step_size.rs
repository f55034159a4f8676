//! The step size of Lemma A.9: displays (29) to (31). Powers of log N are written with ℓ = log N and A = log^a N.

use crate::moved::written::{Proof, goals, sides};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Fact, Part, both, combine, discharge, root_increases};
use dp_assay_kernel::search::{assumed, positive, real, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Statement};
use dp_assay_kernel::term::{Term, app, mul, num, var};

fn define(name: &str, body: Term) -> Item {
    Item::Define(name.into(), vec![], body)
}

fn term(name: &str) -> Term {
    app(name, [])
}

/// √(210ηd/μ) and √(1050η/μ).
fn roots() -> [Term; 2] {
    let spread = |factor: Term| (mul([factor, var("η")]) / var("μ")).sqrt();
    [spread(mul([num(210), var("d")])), spread(num(1050))]
}

/// Display (11), for the norm x of the gradient and the distance e from w*.
fn eleven() -> Goal {
    let inside = mul([var("H").sqrt(), var("e")]) + var("σ");
    Goal::Le(var("x"), mul([term("G"), inside]))
}

/// Display (28), w being ‖w*‖.
fn twenty_eight() -> Goal {
    let [noise, spread] = roots();
    let [r, s, a, l] = ["R", "σ", "A", "ℓ"].map(var);
    let second = mul([num(2), spread, r, s, a, l.clone()]);
    let third = mul([num(2), noise, num(2), term("ζ"), var("α"), l]);
    let bound = mul([num(2), var("w")]) + second + third;
    Goal::Le(var("e"), bound)
}

/// 4√(210ηd/μ)·α·K₂√‖H‖·R·log^{2a+1}N.
fn share() -> Term {
    let [noise, _] = roots();
    let [alpha, k, r, a, l] = ["α", "K", "R", "A", "ℓ"].map(var);
    mul([num(4), noise, alpha, k, var("H").sqrt(), r, a.pow(2), l])
}

/// Display (29).
fn twenty_nine() -> Goal {
    Goal::Le(num(1) / num(2), num(1) - share())
}

/// The branches of (30).
fn branches() -> [Goal; 2] {
    let [k, r, a, l, h, m, d] = ["K", "R", "A", "ℓ", "H", "μ", "d"].map(var);
    let logs = mul([num(64), num(210), a.pow(4), l.pow(2)]);
    let sizes = m / mul([k.pow(2), r.pow(2), h]);
    let first = mul([num(1) / logs, sizes, num(1) / mul([d, var("α").pow(2)])]);
    let logs = mul([num(4), num(1050), a.pow(2), l.pow(2)]);
    let second = mul([num(1) / logs, num(1) / r.pow(2)]);
    [first, second].map(|most| Goal::Le(var("η"), most))
}

/// `ambssgd-eq-30`: (29) holds exactly if the first branch of (30) does; and under both branches (11) and (28) give x ≤ ζ.
pub fn equation_30() -> Result<Statement, Stuck> {
    let numbers = ["d", "K", "R", "A", "ℓ", "H", "μ", "α", "σ", "η"].map(positive);
    let norms = ["w", "e", "x"].map(|name| real(name, Sign::NonNegative));
    let g = mul([var("K"), var("R"), var("A").pow(2)]);
    let both = mul([var("H").sqrt(), var("w")]) + mul([term("κ").sqrt(), var("σ")]);
    let more = [
        Item::Assume(Goal::Le(var("μ"), var("H"))),
        define("G", g),
        define("κ", var("H") / var("μ")),
        define("ζ", mul([num(4), term("G"), both])),
        Item::Assume(eleven()),
        Item::Assume(twenty_eight()),
    ];
    let context = Context::default().with(numbers.into_iter().chain(norms).chain(more))?;
    let [first, second] = branches();
    let on = |given: &Goal, goal: Goal| Goal::If(given.clone().into(), goal.into());
    let small = Goal::Le(var("x"), term("ζ"));
    let goal = Goal::Both(vec![
        on(&first, twenty_nine()),
        on(&twenty_nine(), first.clone()),
        on(&first, on(&second, small)),
    ]);
    Ok(Statement { context, goal })
}

/// (29) from the first branch: squares are compared.
fn small_share(context: &Context, first: &Goal) -> Proof {
    let given = assumed(context, first)?;
    let [k, r, a, l, h, m, d] = ["K", "R", "A", "ℓ", "H", "μ", "d"].map(var);
    let sizes = mul([
        num(16),
        num(210),
        d,
        var("α").pow(2),
        k.pow(2),
        h,
        r.pow(2),
        a.pow(4),
    ]);
    let factor = mul([sizes, l.pow(2)]) / m;
    let half = num(1) / num(2);
    let squares = Goal::Le(share().pow(2), half.pow(2));
    let squares = combine(context, squares, &[with(factor, &given)])?;
    let root = root_increases(&squares)?;
    combine(context, twenty_nine(), &[with(num(1), &root)])
}

/// The proof of [`equation_30`], or of a statement with other constants.
pub fn prove_equation_30(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [Goal::If(first, _), Goal::If(_, converse), Goal::If(_, last)] = goals(statement)? else {
        return Err(Stuck::new("not three goals"));
    };
    let Goal::If(second, small) = &**last else {
        return Err(Stuck::new("not under both branches"));
    };
    let branch = context.extended(Item::Assume((**first).clone()))?;
    let forward = discharge(&small_share(&branch, first)?)?;
    let given = context.extended(Item::Assume(twenty_nine()))?;
    let [_, most] = sides(converse)?;
    let factor = mul([num(4), most.clone(), num(1) / num(2) + share()]);
    let told = assumed(&given, &twenty_nine())?;
    let part = Part::new(factor, [Fact::from(&told)]);
    let converse = discharge(&combine(&given, (**converse).clone(), &[part])?)?;
    let here = branch.extended(Item::Assume((**second).clone()))?;
    let last = gradient(&here, [first, second], small)?;
    both(
        context,
        &[&forward, &converse, &discharge(&discharge(&last)?)?],
    )
}

/// x ≤ ζ: G(2√‖H‖·w + √κ·σ + σ) + ζ/2, and σ ≤ √κ·σ.
fn gradient(here: &Context, [first, second]: [&Goal; 2], small: &Goal) -> Proof {
    let [r, s, a, l, h, m] = ["R", "σ", "A", "ℓ", "H", "μ"].map(var);
    let [_, spread] = roots();
    let given = assumed(here, second)?;
    let middle = mul([
        num(2),
        spread,
        r.clone(),
        s.clone(),
        a.clone(),
        l.clone(),
        h.sqrt(),
    ]);
    let whole = mul([term("κ").sqrt(), s.clone()]);
    let sizes = mul([
        num(4),
        num(1050),
        r.pow(2),
        s.pow(2),
        a.pow(2),
        l.pow(2),
        h.clone(),
    ]);
    let squares = Goal::Le(middle.pow(2), whole.pow(2));
    let squares = combine(here, squares, &[with(sizes / m.clone(), &given)])?;
    let spread = root_increases(&squares)?;
    let order = assumed(here, &Goal::Le(m.clone(), h.clone()))?;
    let one = combine(
        here,
        Goal::Le(num(1), term("κ")),
        &[with(num(1) / m, &order)],
    );
    let large = root_increases(&one?)?;
    let share = small_share(here, first)?;
    let (bound, distance) = (assumed(here, &eleven())?, assumed(here, &twenty_eight())?);
    let g = term("G");
    let parts = vec![
        with(num(1), &bound),
        with(mul([g.clone(), h.sqrt()]), &distance),
        with(term("ζ"), &share),
        with(g.clone(), &spread),
        with(mul([g, s]), &large),
    ];
    combine(here, small.clone(), &parts)
}
