//! `skgd-thm-4.2-cvx` as theorems of the kernel: displays (i) to (iii) for every K, and (iv) at the printed K.
//!
//! `statement` and `statement_at_printed_k` are the claim as terms; `thm_4_2_cvx` and
//! `thm_4_2_cvx_at_printed_k` prove exactly these by rules, without premises. The proof is the one of
//! [`LEM_E_1`](super::round::LEM_E_1); it needs neither Lemma E.4 nor the bound on f(w⁰).
//!
//! ```
//! let theorem = dp_assay_spec::skgd::kernel::thm_4_2_cvx()?;
//! println!("{}", theorem.statement());
//! assert!(theorem.premises().is_empty());
//! # Ok::<(), dp_assay_kernel::Stuck>(())
//! ```

use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, assume, combine, convex, expected, inclusion, jensen, smooth, start,
    stationary, sum_over, telescope, tower,
};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Process, Sign, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, add, app, at, bind, mul, num, op, sum, var, vector};

fn partial(x: &Term, j: &Term) -> Term {
    op(Op::Partial, [var("f"), x.clone(), j.clone()])
}

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
    let j = var("j");
    let weight = entry("M", &j) / inclusion_of(&j);
    let gap = at(x, &j) - entry("w⋆", &j);
    sum("j", var("d"), mul([weight, gap.pow(2)]))
}

/// θ − ΓC(∇f(θ) + η) with Γ = PM⁻¹ and C = I_S P⁻¹.
fn step() -> Term {
    let j = var("l");
    let noisy = partial(&var("θ"), &j) + entry("η", &j);
    let sketch = member(&j) / inclusion_of(&j);
    let moved = mul([app("γ", [j.clone()]), sketch, noisy]);
    vector("l", var("d"), entry("θ", &j) - moved)
}

fn algorithm() -> Process {
    let variance = app("σ²", [var("S")]);
    let draw = |name: &str, law: Term| Command::Draw {
        name: name.into(),
        law,
    };
    Process {
        state: "θ".into(),
        dimension: var("d"),
        start: var("w₀"),
        rounds: var("K"),
        body: vec![
            draw("S", var("𝒮")),
            draw("η", op(Op::Normal, [var("d"), variance])),
            Command::Set(step()),
        ],
    }
}

/// Variables, hypotheses, noise and the inner loop of Algorithm 1.
fn context() -> Result<Context, Stuck> {
    let j = var("j");
    let any = || Sort::Vector(var("d"), Sign::Any);
    let define = |name: &str, body: Term| Item::Define(name.into(), vec![], body);
    let on_set = vec![("U".to_owned(), Sort::Set(var("d")))];
    let on_index = vec![("j".to_owned(), Sort::Index(var("d")))];
    let l_squared = entry("L", &var("U")).pow(2);
    let variance = mul([num(12), l_squared, var("K"), app("c", [])]);
    let weights = member(&j) / mul([inclusion_of(&j), entry("M", &j)]);
    let weights = mul([entry("L", &var("S")).pow(2), sum("j", var("d"), weights)]);
    let scale = mul([var("n").pow(2), var("ε").pow(2)]);
    Context::default().with([
        Item::Var("d".into(), Sort::Count),
        Item::Var("n".into(), Sort::Count),
        Item::Var("K".into(), Sort::Count),
        Item::Var("ε".into(), Sort::Real(Sign::Positive)),
        Item::Var("δ".into(), Sort::Real(Sign::Positive)),
        Item::Assume(Goal::Le(var("δ"), num(1))),
        Item::Var("M".into(), Sort::Vector(var("d"), Sign::Positive)),
        Item::Var("f".into(), Sort::Function(var("d"), "M".into())),
        Item::Var("w⋆".into(), any()),
        Item::Assume(Goal::Minimises("f".into(), var("w⋆"))),
        Item::Var("w₀".into(), any()),
        Item::Var("𝒮".into(), Sort::SetLaw(var("d"))),
        Item::Var("L".into(), Sort::SetFunction(var("d"), Sign::Positive)),
        define("c", (num(1) / var("δ")).log() / scale),
        Item::Define("σ²".into(), on_set, variance),
        Item::Define("γ".into(), on_index, inclusion_of(&j) / entry("M", &j)),
        Item::Process("Alg1".into(), algorithm()),
        define("R²", distance(&var("w₀"))),
        define("Σ²", bind(Binder::Expect, "S", var("𝒮"), weights)),
    ])
}

/// Expectation over all rounds of a term in the states X.
fn over_run(body: Term) -> Term {
    bind(Binder::Expect, "X", op(Op::Run, [var("Alg1")]), body)
}

/// θ^k.
fn state(k: Term) -> Term {
    at(&var("X"), &k)
}

fn next(k: &str) -> Term {
    var(k) + num(1)
}

/// E f((θ¹ + … + θ^K)/K) − f(w⋆).
fn risk() -> Term {
    let entry = at(&state(next("k")), &var("j"));
    let mean = vector("j", var("d"), sum("k", var("K"), entry) / var("K"));
    over_run(f(&mean)) - f(&var("w⋆"))
}

/// 12K·c·Σ².
fn noise() -> Term {
    mul([num(12), var("K"), app("c", []), app("Σ²", [])])
}

/// The claim, (i) to (iii): E f(w) − f(w⋆) ≤ R²/K + 12K·c·Σ² for every integer K ≥ 1.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn statement() -> Result<Statement, Stuck> {
    let context = context()?;
    let bound = app("R²", []) / var("K") + noise();
    let goal = Goal::Le(risk(), bound);
    Ok(Statement { context, goal })
}

/// The context of (iv): K·√(Σ²)·√c = √(R²), that is K = R/(Σ√c) where that has a meaning.
fn context_at_printed_k() -> Result<Context, Stuck> {
    let [c, r, s] = ["c", "R²", "Σ²"].map(|x| app(x, []).sqrt());
    let printed = Goal::Eq(mul([var("K"), s, c]), r);
    context()?.extended(Item::Assume(printed))
}

/// The claim, (iv): E f(w) − f(w⋆) ≤ 13·RΣ√c at the printed K.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn statement_at_printed_k() -> Result<Statement, Stuck> {
    let [c, r, s] = ["c", "R²", "Σ²"].map(|x| app(x, []).sqrt());
    let context = context_at_printed_k()?;
    let goal = Goal::Le(risk(), mul([num(13), r, s, c]));
    Ok(Statement { context, goal })
}

/// A multiple of a fact.
fn with<'a>(multiplier: Term, fact: &'a Theorem) -> Part<'a> {
    Part::new(multiplier, [Fact::from(fact)])
}

/// For every θ: ⟨θ − w⋆, ∇f(θ)⟩ ≥ f(θ) − f(w⋆) + ½‖∇f(θ)‖²_{M⁻¹} (`skgd-lem-cocoercive`), by convexity at θ and
/// smoothness at w⋆ towards z = w⋆ + M⁻¹∇f(θ).
fn cocoercive(here: &Context) -> Result<Theorem, Stuck> {
    let (theta, least, i) = (var("θ"), var("w⋆"), var("i"));
    let moved = partial(&theta, &i) / entry("M", &i);
    let z = vector("i", var("d"), entry("w⋆", &i) + moved);
    let below = convex(here, "f", &theta, &z)?;
    let above = smooth(here, "f", &least, &z)?;
    // ⟨∇f(w⋆), z − w⋆⟩ = 0, index by index.
    let inner = here.extended(Item::Var("i".into(), Sort::Index(var("d"))))?;
    let flat = stationary(&inner, &assume(here, 9)?, "i")?;
    let slope = mul([partial(&least, &i), partial(&theta, &i)]) / entry("M", &i);
    let multiplier = partial(&theta, &i) / entry("M", &i);
    let zero = combine(&inner, Goal::Eq(slope, num(0)), &[with(multiplier, &flat)])?;
    let zero = sum_over(&zero)?;
    let gap = mul([partial(&theta, &i), entry("θ", &i) - entry("w⋆", &i)]);
    let square = partial(&theta, &i).pow(2) / mul([num(2), entry("M", &i)]);
    let left = add([f(&theta) - f(&least), sum("i", var("d"), square)]);
    let goal = Goal::Le(left, sum("i", var("d"), gap));
    let parts = [
        with(num(1), &below),
        with(num(1), &above),
        with(num(1), &zero),
    ];
    combine(here, goal, &parts)
}

/// Expectation over the draws of one round.
fn over_round(body: Term) -> Term {
    let law = op(Op::Normal, [var("d"), app("σ²", [var("S")])]);
    bind(
        Binder::Expect,
        "S",
        var("𝒮"),
        bind(Binder::Expect, "η", law, body),
    )
}

/// For every θ: E‖θ⁺ − w⋆‖² ≤ ‖θ − w⋆‖² − 2(f(θ) − f(w⋆)) + N in the norm MP⁻¹, N = 12K·c·Σ².
fn closer(here: &Context) -> Result<Theorem, Stuck> {
    let theta = var("θ");
    let gain = mul([num(2), f(&theta) - f(&var("w⋆"))]);
    let goal = Goal::Le(
        over_round(distance(&step())),
        add([distance(&theta) - gain, noise()]),
    );
    combine(here, goal, &[with(num(2), &cocoercive(here)?)])
}

/// For every θ: E f(θ⁺) ≤ f(θ) + N/2. Smoothness, the moments of a round, and P ≤ I.
fn no_worse(here: &Context) -> Result<Theorem, Stuck> {
    let (theta, i) = (var("θ"), var("i"));
    let law = op(Op::Normal, [var("d"), app("σ²", [var("S")])]);
    let drawn = here.with([
        Item::Var("S".into(), Sort::Set(var("d"))),
        Item::Var("η".into(), Sort::Vector(var("d"), Sign::Any)),
    ])?;
    let pathwise = smooth(&drawn, "f", &theta, &step())?;
    let mean = expected(&expected(&pathwise, &law)?, &var("𝒮"))?;
    // E[L_S²; i ∈ S]/M_i ≤ E[L_S²; i ∈ S]/(p_i M_i).
    let inner = here.extended(Item::Var("i".into(), Sort::Index(var("d"))))?;
    let hit = mul([entry("L", &var("S")).pow(2), member(&i)]);
    let hit = bind(Binder::Expect, "S", var("𝒮"), hit);
    let large = mul([inclusion_of(&i), entry("M", &i)]);
    let goal = Goal::Le(hit.clone() / entry("M", &i), hit.clone() / large.clone());
    let at_most_one = inclusion(&inner, "𝒮", "i")?;
    let smaller = combine(&inner, goal, &[with(hit / large, &at_most_one)])?;
    let smaller = sum_over(&smaller)?;
    let weight = mul([num(6), var("K"), app("c", [])]);
    let norm = mul([inclusion_of(&i), partial(&theta, &i).pow(2)]);
    let norm = sum("i", var("d"), norm / mul([num(2), entry("M", &i)]));
    let goal = Goal::Le(over_round(f(&step())), f(&theta) + noise() / num(2));
    let parts = [
        with(num(1), &mean),
        with(weight, &smaller),
        Part::new(norm, []),
    ];
    combine(here, goal, &parts)
}

/// An inequality that holds from round to round, summed over the rounds.
fn summed(one_round: &Theorem, value: &Term) -> Result<Theorem, Stuck> {
    sum_over(&tower(one_round, "Alg1", value, "X", "k")?)
}

/// `skgd-thm-4.2-cvx`, (i) to (iii): E f(w) − f(w⋆) ≤ R²/K + 12K·c·Σ² for every integer K ≥ 1.
///
/// # Errors
/// If a rule does not apply.
pub fn thm_4_2_cvx() -> Result<Theorem, Stuck> {
    let Statement { context, goal } = statement()?;
    any_k(&context, goal)
}

fn any_k(context: &Context, goal: Goal) -> Result<Theorem, Stuck> {
    let here = context.extended(Item::Var("θ".into(), Sort::Vector(var("d"), Sign::Any)))?;
    let (far, k) = (distance(&var("θ")), var("K"));
    let closer = summed(&closer(&here)?, &far)?;
    let no_worse = summed(&no_worse(&here)?, &f(&var("θ")))?;
    let at_k = |k: Term| over_run(far.put("θ", &state(k)));
    let telescoped = telescope(context, "k", &k, &at_k(var("k")))?;
    let first = start(context, "Alg1", &far, "X")?;
    let sequence = Item::Var("X".into(), Sort::Sequence(var("d")));
    let states = context.extended(sequence)?;
    let average = jensen(&states, "f", "k", &k, &state(next("k")))?;
    let average = expected(&average, &op(Op::Run, [var("Alg1")]))?;
    let half = num(1) / mul([num(2), k.clone()]);
    let parts = [
        with(num(1), &average),
        with(half.clone(), &closer),
        with(num(-1) / mul([num(2), k.clone()]), &telescoped),
        with(half.clone(), &first),
        with(num(1) / k.clone(), &no_worse),
        Part::new(mul([half.clone(), at_k(k)]), []),
        Part::new(mul([half, app("R²", [])]), []),
    ];
    combine(context, goal, &parts)
}

/// `skgd-thm-4.2-cvx`, (iv): E f(w) − f(w⋆) ≤ 13·RΣ√c at the printed K.
///
/// # Errors
/// If a rule does not apply.
pub fn thm_4_2_cvx_at_printed_k() -> Result<Theorem, Stuck> {
    let Statement { context, goal } = statement_at_printed_k()?;
    let general = thm_4_2_cvx()?;
    let printed = assume(&context, context.items().len() - 1)?;
    let [c, r, s] = ["c", "R²", "Σ²"].map(|x| app(x, []).sqrt());
    // With b = Σ√c: R²/K + 12Kb² − 13Rb = (R/K − 12b)·(R − Kb), and R = Kb.
    let multiplier = mul([num(12), s, c]) - r / var("K");
    combine(
        &context,
        goal,
        &[with(num(1), &general), with(multiplier, &printed)],
    )
}
