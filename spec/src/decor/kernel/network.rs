//! Messages of honest users whose noise is correlated: Theorem 6 with Theorem 1, Corollary 12 with Corollary 3, and the
//! corrected Algorithm 1.
//!
//! Whatever the colluders know of the noise is taken out of the messages, so that what is left are m = n − q honest users and
//! the edges e of the graph on them: b\[e\] is 1 at one end of the edge, −1 at the other and 0 elsewhere, and
//! Σ_e (Σ_k b\[e\]_k·u_k)² = uᵀLu for its Laplacian L. That a is at most its algebraic connectivity is uᵀLu ≥ a·‖u − ū‖² for
//! every u. For a = a_q(G) that is so whoever the q colluders are; q = 0 is the eavesdropper.

use super::{entries, item, positive};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::premise::{ZCDP_TO_DP, spent};
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, cite, clipped, combine, compose, correlated, exchange, forget, instance,
    inverse, root_increases, solution, sum_over, weaken,
};
use dp_assay_kernel::search::{Share, assumed, record_moves, zcdp_cost};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Process, Relation, Sign, Sort, State, Statement, Subject,
    View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, sum, var};

pub(super) fn index(name: &str, below: &str) -> Item {
    item(name, Sort::Index(var(below)))
}

/// b\[e\]_k.
pub(super) fn end(k: &Term) -> Term {
    at(&at(&var("b"), &var("e")), k)
}

/// Every edge adds up to 0.
fn edges() -> Goal {
    let all = sum("k", var("m"), end(&var("k")));
    let goal = Goal::Eq(all, num(0));
    Goal::Every("e".into(), Sort::Index(var("E")), goal.into())
}

/// Σ_k b\[e\]_k·u_k.
pub(super) fn along(u: &str) -> Term {
    sum("l", var("m"), mul([end(&var("l")), at(&var(u), &var("l"))]))
}

/// u_k less the mean of u.
pub(super) fn centred(u: &str) -> Term {
    let mean = sum("l", var("m"), at(&var(u), &var("l"))) / var("m");
    at(&var(u), &var("k")) - mean
}

/// a is at most the algebraic connectivity.
pub(super) fn connected() -> Goal {
    let spread = sum("k", var("m"), centred("u").pow(2));
    let form = sum("e", var("E"), along("u").pow(2));
    let goal = Goal::Le(mul([var("a"), spread]), form);
    Goal::Every("u".into(), Sort::Vector(var("m"), Sign::Any), goal.into())
}

/// Users, edges, and user i's gradients g at what is known, h, for her data.
pub(super) fn network() -> Vec<Item> {
    vec![
        item("m", Sort::Count),
        item("E", Sort::Count),
        item("d", Sort::Count),
        item("p", Sort::Count),
        index("i", "m"),
        item("b", Sort::Sequence(var("m"))),
        Item::Assume(edges()),
        item("g", Sort::Field(var("p"), var("d"))),
        item("D", Sort::Dataset(num(1), Relation::ReplaceOne)),
        positive("C"),
    ]
}

pub(super) fn clip(z: &Term) -> Term {
    let gradient = app("g", [var("h"), z.clone()]);
    at(&op(Op::Clip, [gradient, var("C")]), &var("j"))
}

/// The clipped gradient, plus what is public.
pub(super) fn gradient(public: Option<Term>) -> Term {
    let clipped = bind(Binder::Total, "z", var("D"), clip(&var("z")));
    entries(match public {
        Some(public) => clipped + at(&public, &var("j")),
        None => clipped,
    })
}

fn noise() -> Term {
    let [s, t] = ["s", "t"].map(|x| app(x, []));
    let [m, i, b, e] = ["m", "i", "b", "E"].map(var);
    op(Op::Pairwise, [m, i, s, b, e, t])
}

pub(super) fn messages(query: Term) -> Command {
    Command::Release {
        name: "y".into(),
        query,
        law: noise(),
    }
}

/// s + a·t.
fn weight() -> Term {
    app("s", []) + mul([var("a"), app("t", [])])
}

/// 1/(ms) + (1 − 1/m)/(s + at).
fn bound() -> Term {
    let one = || num(1) / var("m");
    num(1) / mul([var("m"), app("s", [])]) + (num(1) - one()) / weight()
}

pub(super) fn define(name: &str, body: Term) -> Item {
    Item::Define(name.into(), vec![], body)
}

/// `decor-thm-6`, and with q = 0 and 1 `decor-thm-1a` and `decor-thm-1b`: a step with σ_cdp² = s and σ_cor² = t is
/// 2C²(1/(ms) + (1 − 1/m)/(s + at))-zCDP, that is (α, αε)-RDP for every α with this ε.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn theorem_6() -> Result<Statement, Stuck> {
    let more = [
        positive("σ"),
        item("τ", Sort::Real(Sign::NonNegative)),
        define("s", var("σ").pow(2)),
        define("t", var("τ").pow(2)),
        item("a", Sort::Real(Sign::NonNegative)),
        Item::Assume(connected()),
        item("h", Sort::Vector(var("p"), Sign::Any)),
    ];
    let context = Context::default().with(network().into_iter().chain(more))?;
    let goal = Goal::Private {
        data: "D".into(),
        notion: Notion::Zcdp(mul([num(2), var("C").pow(2), bound()])),
        subject: Subject::Command(messages(gradient(None)).into()),
    };
    Ok(Statement { context, goal })
}

/// The proof of [`theorem_6`], or of a statement with another cost.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_theorem_6(statement: &Statement) -> Result<Theorem, Stuck> {
    let cost = zcdp_cost(&statement.goal)?;
    step(&statement.context, gradient(None), cost, vec![])
}

/// `decor-rem-scale`: where σ_cdp² ≥ c/m and σ_cor² ≥ c′/a, the slope is at most 2C²(1/c + 1/c′), whatever the graph.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn rem_scale() -> Result<Statement, Stuck> {
    let more = [
        positive("σ"),
        positive("τ"),
        define("s", var("σ").pow(2)),
        define("t", var("τ").pow(2)),
        positive("a"),
        Item::Assume(connected()),
        positive("c"),
        positive("c′"),
        Item::Assume(scaled("c", "m", "s")),
        Item::Assume(scaled("c′", "a", "t")),
        item("h", Sort::Vector(var("p"), Sign::Any)),
    ];
    let context = Context::default().with(network().into_iter().chain(more))?;
    let orders = num(1) / var("c") + num(1) / var("c′");
    let goal = Goal::Private {
        data: "D".into(),
        notion: Notion::Zcdp(mul([num(2), var("C").pow(2), orders])),
        subject: Subject::Command(messages(gradient(None)).into()),
    };
    Ok(Statement { context, goal })
}

fn scaled(constant: &str, factor: &str, variance: &str) -> Goal {
    Goal::Le(var(constant), mul([var(factor), app(variance, [])]))
}

/// The proof of [`rem_scale`], or of a statement with another cost: 1/c − 1/(ms) = (ms − c)/(cms), and with λ = 1/(s + at)
/// 1/c′ − λ = (1 − (s + at)λ + (at − c′)λ + sλ)/c′.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_rem_scale(statement: &Statement) -> Result<Theorem, Stuck> {
    let cost = zcdp_cost(&statement.goal)?;
    let here = &statement.context;
    let own = assumed(here, &scaled("c", "m", "s"))?;
    let shared = assumed(here, &scaled("c′", "a", "t"))?;
    let unity = inverse(here, &weight())?;
    let unit = || mul([num(2), var("C").pow(2)]);
    let of_own = unit() / mul([var("c"), var("m"), app("s", [])]);
    let parts = vec![
        Part::new(of_own, [Fact::from(&own)]),
        Part::new(unit() / var("c′"), [Fact::from(&unity)]),
        Part::new(
            mul([unit() / var("c′"), num(1) / weight()]),
            [Fact::from(&shared)],
        ),
    ];
    step(here, gradient(None), cost, parts)
}

/// The system whose solution is column i of the inverse covariance.
pub(super) fn system() -> Goal {
    let common = sum("e", var("E"), mul([end(&var("k")), along("x")]));
    let own = mul([app("s", []), at(&var("x"), &var("k"))]);
    let left = own + mul([app("t", []), common]);
    let goal = Goal::Eq(left, op(Op::Unit, [var("k"), var("i")]));
    Goal::Every("k".into(), Sort::Index(var("m")), goal.into())
}

/// A step is so private, in a context with h, where more facts say that `cost` is at least that of Theorem 6.
fn step(here: &Context, query: Term, cost: &Term, more: Vec<Part<'_>>) -> Result<Theorem, Stuck> {
    let command = messages(query.clone());
    let solved = [
        item("x", Sort::Vector(var("m"), Sign::Any)),
        Item::Assume(system()),
    ];
    let with_x = here.with(solved)?;
    let moves = clipped_moves(&with_x, &query)?;
    let each = with_x.extended(index("k", "m"))?;
    let entry = instance(&each, &assumed(&with_x, &system())?, &var("k"))?;
    let private = correlated(&with_x, &command, &moves, &var("x"), &entry)?;
    let Goal::Private { notion, .. } = &private.statement().goal else {
        return Err(Stuck::new("not about privacy"));
    };
    let below = inverse_entry(&with_x, &entry)?;
    let mut parts = more;
    parts.push(Part::new(
        mul([num(2), var("C").pow(2)]),
        [Fact::from(&below)],
    ));
    let less = Goal::Le(notion.numbers()[0].clone(), cost.clone());
    let less = combine(&with_x, less, &parts)?;
    solution(
        &weaken(&private, &Notion::Zcdp(cost.clone()), &[&less])?,
        &noise(),
    )
}

/// The clipped gradient moves by at most 2C.
pub(super) fn clipped_moves(context: &Context, query: &Term) -> Result<Theorem, Stuck> {
    let share = Share {
        of: &|z| entries(clip(z)),
        bound: &|here, z| clipped(here, &app("g", [var("h"), var(z)]), &var("C")),
        factor: num(1),
    };
    record_moves(context, "D", query, &share, &mul([num(2), var("C")]))
}

/// x_i ≤ 1/(ms) + (1 − 1/m)/(s + at). With X = Σx, Q = Σx², V = Q − X²/m, E = Σ_e (bᵀx)² and λ = 1/(s + at): sX = 1, sQ + tE =
/// x_i and aV ≤ E, so that u = x_i − X/m ≥ (s + at)V; and 0 ≤ Σ(x_k − X/m − λ(𝟙[k=i] − 1/m))² = V − 2λu + λ²(1 − 1/m).
fn inverse_entry(context: &Context, entry: &Theorem) -> Result<Theorem, Stuck> {
    let [s, t] = ["s", "t"].map(|x| app(x, []));
    let (m, x) = (var("m"), |k: &str| at(&var("x"), &var(k)));
    let total = sum("k", m.clone(), x("k"));
    let one = |t| Part::new(num(1), [Fact::from(t)]);
    let minus_t = || num(-1) * t.clone();
    let column = end(&var("k"));
    let swap = |body: Term| exchange(context, ("k", &m), ("e", &var("E")), &body);
    // sX = 1.
    let edge = context.extended(index("e", "E"))?;
    let flat = instance(&edge, &assumed(context, &edges())?, &var("e"))?;
    let flat = combine(
        &edge,
        Goal::Eq(
            mul([along("x"), sum("k", m.clone(), column.clone())]),
            num(0),
        ),
        &[Part::new(along("x"), [Fact::from(&flat)])],
    )?;
    let flat = sum_over(&flat)?;
    let all = sum_over(entry)?;
    let swapped = swap(mul([column.clone(), along("x")]))?;
    let mean = combine(
        context,
        Goal::Eq(mul([s.clone(), total.clone()]), num(1)),
        &[
            one(&all),
            Part::new(minus_t(), [Fact::from(&swapped)]),
            Part::new(minus_t(), [Fact::from(&flat)]),
        ],
    )?;
    // sQ + tE = x_i.
    let Goal::Eq(left, right) = &entry.statement().goal else {
        return Err(Stuck::new("no equation"));
    };
    let times = |t: &Term| mul([x("k"), t.clone()]);
    let weighted = combine(
        &entry.statement().context,
        Goal::Eq(times(left), times(right)),
        &[Part::new(x("k"), [Fact::from(entry)])],
    )?;
    let weighted = sum_over(&weighted)?;
    let swapped = swap(mul([x("k"), column, along("x")]))?;
    let squares = sum("k", m.clone(), x("k").pow(2));
    let form = sum("e", var("E"), along("x").pow(2));
    let energy = combine(
        context,
        Goal::Eq(mul([s.clone(), squares]) + mul([t.clone(), form]), x("i")),
        &[one(&weighted), Part::new(minus_t(), [Fact::from(&swapped)])],
    )?;
    let gap = instance(context, &assumed(context, &connected())?, &var("x"))?;
    let unity = inverse(context, &weight())?;
    let lambda = num(1) / weight();
    let unit = op(Op::Unit, [var("k"), var("i")]) - num(1) / m.clone();
    let square = (centred("x") - mul([lambda.clone(), unit])).pow(2);
    let square = mul([weight(), sum("k", m.clone(), square)]);
    let rest = num(1) - num(1) / m.clone();
    let excess = x("i") - total.clone() / m.clone();
    let folded = mul([lambda, rest]) - mul([num(2), excess]);
    let of_mean = num(1) / mul([m.clone(), s]) - total / m;
    combine(
        context,
        Goal::Le(x("i"), bound()),
        &[
            Part::new(square, []),
            Part::new(folded, [Fact::from(&unity)]),
            one(&energy),
            Part::new(t, [Fact::from(&gap)]),
            Part::new(of_mean, [Fact::from(&mean)]),
        ],
    )
}

/// log(1/δ).
fn log() -> Term {
    (num(1) / var("δ")).log()
}

/// T steps: what is known, h, becomes a function of itself and the messages.
fn algorithm(query: Term) -> Process {
    let h = State {
        name: "h".into(),
        dimension: var("p"),
        start: var("h₀"),
    };
    let update = Command::Set("h".into(), app("Ψ", [var("h"), var("y")]));
    Process {
        states: vec![h],
        body: vec![Command::Repeat {
            index: "r".into(),
            times: var("T"),
            body: vec![messages(query), update],
        }],
    }
}

/// ε ≤ ℓ = log(1/δ), which is positive, σ_cdp² = κC²Tℓ/(mε²) and σ_cor² = κC²Tℓ/(aε²), and the algorithm.
fn calibrated(kappa: Term, more: Vec<Item>, query: Term) -> Result<Statement, Stuck> {
    let scale = mul([kappa, var("C").pow(2), var("T"), var("ℓ")]);
    let over = |n: &str| scale.clone() / mul([var(n), var("ε").pow(2)]);
    let messages = mul([var("m"), var("d")]);
    let maps = Sort::Map(vec![var("p"), messages], var("p"));
    let items = [
        positive("a"),
        Item::Assume(connected()),
        item("T", Sort::Count),
        positive("δ"),
        Item::Assume(Goal::Le(var("δ"), num(1))),
        positive("ℓ"),
        Item::Assume(Goal::Eq(var("ℓ"), log())),
        positive("ε"),
        Item::Assume(Goal::Le(var("ε"), var("ℓ"))),
    ];
    let after = [
        define("s", over("m")),
        define("t", over("a")),
        item("h₀", Sort::Vector(var("p"), Sign::Any)),
        item("Ψ", maps),
        Item::Process("Alg1".into(), algorithm(query)),
    ];
    let all = network().into_iter().chain(items).chain(more).chain(after);
    let context = Context::default().with(all)?;
    let goal = Goal::Private {
        data: "D".into(),
        notion: Notion::Approximate(var("ε"), var("δ")),
        subject: Subject::Process("Alg1".into(), View::Transcript),
    };
    Ok(Statement { context, goal })
}

/// `decor-cor-12-priv`, and with q = 0 and 1 `decor-cor-3a` and `decor-cor-3b`: κ = 32.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn corollary_12() -> Result<Statement, Stuck> {
    calibrated(num(32), vec![], gradient(None))
}

/// The proof of [`corollary_12`], or of a statement with other constants: ε/8 + ε/√2 ≤ ε.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_corollary_12(statement: &Statement) -> Result<Theorem, Stuck> {
    let context = &statement.context;
    let quarters = (num(7) / num(4)).pow(2);
    let root = combine(context, Goal::Le(num(2), quarters), &[])?;
    let root = root_increases(&root)?;
    let half = var("ε") / num(2);
    let parts = vec![Part::new(half, [Fact::from(&root)])];
    run(statement, &num(32), gradient(None), parts)
}

/// κ = 12 + 8√2.
fn sharp() -> Goal {
    Goal::Eq(var("κ"), num(12) + mul([num(8), num(2).sqrt()]))
}

fn with_kappa() -> Vec<Item> {
    vec![positive("κ"), Item::Assume(sharp())]
}

/// `decor-cor-12-priv-tight`: κ = 12 + 8√2.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn corollary_12_tight() -> Result<Statement, Stuck> {
    calibrated(var("κ"), with_kappa(), gradient(None))
}

/// The gradient with that of a public regulariser, R(h), added.
fn regularised() -> Term {
    gradient(Some(app("R", [var("h")])))
}

/// `decor-alg-1-corrected`: the same with the gradient of a public regulariser added to the clipped one.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn corrected() -> Result<Statement, Stuck> {
    let mut more = with_kappa();
    more.push(item("R", Sort::Map(vec![var("p")], var("d"))));
    calibrated(var("κ"), more, regularised())
}

/// The proof of [`corollary_12_tight`] and [`corrected`], or of a statement with other constants: with h = √κ − 2 − 2√2 ≥ 0,
/// 1 − 4/√κ − 4/κ = (h² + 4√2·h)/κ.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_tight(statement: &Statement) -> Result<Theorem, Stuck> {
    let context = &statement.context;
    let two = || num(2).sqrt();
    let square = (num(2) + mul([num(2), two()])).pow(2);
    let named = assumed(context, &sharp())?;
    let named = vec![Part::new(num(-1), [Fact::from(&named)])];
    let root = combine(context, Goal::Le(square, var("κ")), &named)?;
    let root = root_increases(&root)?;
    let (unit, h) = (var("ε") / var("κ"), Fact::from(&root));
    let parts = vec![
        Part::new(unit.clone(), [h, h]),
        Part::new(mul([num(4), two(), unit]), [h]),
    ];
    let query = match context.get("R") {
        Some(_) => regularised(),
        None => gradient(None),
    };
    run(statement, &var("κ"), query, parts)
}

/// T steps at the noise of `calibrated` are (ε, δ)-DP if 4/κ + 4/√κ ≤ 1, which `parts` say in units of ε.
fn run(
    statement: &Statement,
    kappa: &Term,
    query: Term,
    parts: Vec<Part<'_>>,
) -> Result<Theorem, Stuck> {
    let (context, eps) = (&statement.context, var("ε"));
    let here = context.extended(item("h", Sort::Vector(var("p"), Sign::Any)))?;
    let each = mul([num(4), eps.pow(2)]) / mul([kappa.clone(), var("T"), var("ℓ")]);
    // 1/W − (1 − 1/m)λ = (1/W)(1 − (W + W/m)λ) + 2λ/m for W = ms = at.
    let unity = inverse(&here, &weight())?;
    let unit = mul([num(2), var("C").pow(2)]) / mul([var("m"), app("s", [])]);
    let once = step(
        &here,
        query,
        &each,
        vec![Part::new(unit, [Fact::from(&unity)])],
    )?;
    let all = compose(context, "Alg1", "D", &[&once])?;
    let rho = zcdp_cost(&all.statement().goal)?;
    let named = assumed(context, &Goal::Eq(var("ℓ"), log()))?;
    let small = assumed(context, &Goal::Le(eps.clone(), var("ℓ")))?;
    let less = assumed(context, &Goal::Le(var("δ"), num(1)))?;
    let share = mul([num(4), eps.clone()]) / mul([kappa.clone(), var("ℓ")]);
    let deviation = mul([num(2), eps.clone()]) / kappa.sqrt();
    let product = Goal::Le(mul([rho.clone(), log()]), deviation.pow(2));
    let factor = mul([num(-1), share.clone(), eps.clone()]);
    let product = combine(context, product, &[Part::new(factor, [Fact::from(&named)])])?;
    let root = root_increases(&product)?;
    let mut all_parts = parts;
    all_parts.push(Part::new(num(2), [Fact::from(&root)]));
    all_parts.push(Part::new(share, [Fact::from(&small)]));
    let within = Goal::Le(spent(rho, &var("δ")), eps.clone());
    let within = combine(context, within, &all_parts)?;
    let values = [rho.clone(), eps, var("δ")];
    let private = cite(context, &ZCDP_TO_DP, &values, &[&all, &less, &within])?;
    match statement.goal == private.statement().goal {
        true => Ok(private),
        false => forget(&private, View::End),
    }
}
