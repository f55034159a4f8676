//! One step of Algorithm 1, θ⁺ = θ − ΓC(∇f(θ) + η): lemmas of Appendix E. C is I_S·P⁻¹, η Gaussian of variance σ_S² given S.

use super::privacy::{item, positive, space};
use super::round::{cocoercive, flat};
use super::{entry, f, inclusion_of, member};
use crate::moved::written::{Proof, given, goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    at_most_one, both, combine, convex, discharge, expected, instance, smooth, sum_over,
};
use dp_assay_kernel::search::{together, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, add, at, bind, mul, num, op, sum, var, vector};

fn half(t: Term) -> Term {
    t / num(2)
}

fn slope(x: &str, j: &Term) -> Term {
    op(Op::Partial, [var("f"), var(x), j.clone()])
}

/// Σ_j of a term in j.
fn over(t: impl Fn(&Term) -> Term) -> Term {
    sum("j", var("d"), t(&var("j")))
}

fn least_at(t: Term) -> Item {
    Item::Assume(Goal::Minimises("f".into(), t))
}

/// d, M and f; points of the space.
fn function(points: &[&str]) -> Vec<Item> {
    let items = [
        item("d", Sort::Count),
        item("M", Sort::Vector(var("d"), Sign::Positive)),
        item("f", Sort::Function(var("d"), "M".into())),
    ];
    let points = points.iter().map(|x| item(x, space()));
    items.into_iter().chain(points).collect()
}

/// The law of S and the deviations of the noise.
fn noise() -> [Item; 2] {
    [
        item("𝒮", Sort::SetLaw(var("d"))),
        item("σ", Sort::SetFunction(var("d"), Sign::NonNegative)),
    ]
}

fn law() -> Term {
    op(Op::Normal, [var("d"), at(&var("σ"), &var("S")).pow(2)])
}

/// E over S and η.
fn over_step(body: Term) -> Term {
    let inner = bind(Binder::Expect, "η", law(), body);
    bind(Binder::Expect, "S", var("𝒮"), inner)
}

/// (C(v + η))_j for entries v.
fn sketched(v: Term, j: &Term) -> Term {
    mul([member(j) / inclusion_of(j), v + entry("η", j)])
}

/// θ⁺ for the steps γ.
fn moved(step: impl Fn(&Term) -> Term) -> Term {
    let l = var("l");
    let gone = mul([step(&l), sketched(slope("θ", &l), &l)]);
    vector("l", var("d"), entry("θ", &l) - gone)
}

/// E‖Cσ_S1‖² in the norm of the weights: E σ_S²·Σ_{j∈S} weight_j/p_j².
fn spread(weight: impl Fn(&Term) -> Term) -> Term {
    let one = |j: &Term| mul([weight(j), member(j) / inclusion_of(j).pow(2)]);
    let body = mul([at(&var("σ"), &var("S")).pow(2), over(one)]);
    bind(Binder::Expect, "S", var("𝒮"), body)
}

/// γ_j, any.
fn free(j: &Term) -> Term {
    entry("γ", j)
}

/// p_j/M_j, the entries of Γ = PM⁻¹.
fn chosen(j: &Term) -> Term {
    inclusion_of(j) / entry("M", j)
}

/// ‖x − w⋆‖² in the norm of the inverse steps.
fn apart(x: &Term, step: impl Fn(&Term) -> Term) -> Term {
    over(|j| (at(x, j) - entry("w⋆", j)).pow(2) / step(j))
}

/// ⟨θ − w⋆, ∇f(θ)⟩.
fn product() -> Term {
    over(|j| mul([entry("θ", j) - entry("w⋆", j), slope("θ", j)]))
}

/// Σ_j weight_j·(∂_jf(θ))².
fn norm(weight: impl Fn(&Term) -> Term) -> Term {
    over(|j| mul([weight(j), slope("θ", j).pow(2)]))
}

fn inverse_smoothness(j: &Term) -> Term {
    num(1) / entry("M", j)
}

fn gap() -> Term {
    f(&var("θ")) - f(&var("w⋆"))
}

/// `skgd-lem-cocoercive`: f(y) ≥ f(x) + ⟨∇f(x), y − x⟩ + ½‖∇f(y) − ∇f(x)‖²_{M⁻¹}, and what follows at a minimiser.
pub fn lem_cocoercive() -> Result<Statement, Stuck> {
    let items = function(&["x", "y", "θ", "w⋆"]).into_iter();
    let context = Context::default().with(items.chain([least_at(var("w⋆"))]))?;
    let linear = over(|j| mul([slope("x", j), entry("y", j) - entry("x", j)]));
    let change = over(|j| (slope("y", j) - slope("x", j)).pow(2) / entry("M", j));
    let below = add([f(&var("x")), linear, half(change)]);
    let square = norm(inverse_smoothness);
    let goal = Goal::Both(vec![
        Goal::Le(below, f(&var("y"))),
        Goal::Le(gap() + half(square.clone()), product()),
        Goal::Le(square.clone(), gap() + half(square)),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`lem_cocoercive`], or of a statement with other constants: convexity at x and smoothness at y, both towards
/// y − M⁻¹(∇f(y) − ∇f(x)).
pub fn prove_lem_cocoercive(statement: &Statement) -> Proof {
    let (context, i) = (&statement.context, var("i"));
    let change = slope("y", &i) - slope("x", &i);
    let z = vector("i", var("d"), entry("y", &i) - change / entry("M", &i));
    let below = convex(context, "f", &var("x"), &z)?;
    let above = smooth(context, "f", &var("y"), &z)?;
    let (near, large) = (cocoercive(context)?, descent(context)?);
    let one = |fact| with(num(1), fact);
    together(
        statement,
        vec![
            vec![one(&below), one(&above)],
            vec![one(&near)],
            vec![one(&large)],
        ],
    )
}

/// ½‖∇f(θ)‖²_{M⁻¹} ≤ f(θ) − f(w⋆), by smoothness at θ towards θ − M⁻¹∇f(θ).
fn descent(context: &Context) -> Proof {
    let i = var("i");
    let next = entry("θ", &i) - slope("θ", &i) / entry("M", &i);
    let z = vector("i", var("d"), next.clone());
    let above = smooth(context, "f", &var("θ"), &z)?;
    let below = convex(context, "f", &var("w⋆"), &z)?;
    let zero = flat(context, &(next - entry("w⋆", &i)))?;
    let parts = vec![
        with(num(1), &above),
        with(num(1), &below),
        with(num(-1), &zero),
    ];
    combine(
        context,
        Goal::Le(half(norm(inverse_smoothness)), gap()),
        &parts,
    )
}

/// `skgd-fact-unbiased`: E Cx = x.
pub fn unbiased() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           law 𝒮 of random sets of indices below d: each index has a positive probability to be \
               drawn
           vector x ∈ ℝ^d
           index j<d
         holds
           𝔼_{S∼𝒮}[(𝟙[j∈S]/ℙ(j∈𝒮))·x_j] = x_j",
    )
}

/// `skgd-fact-step-mean`: E θ⁺ = θ − Γ∇f(θ).
pub fn step_mean() -> Result<Statement, Stuck> {
    let more = noise().into_iter().chain([item("γ", space())]);
    let index = item("j", Sort::Index(var("d")));
    let items = function(&["θ"]).into_iter().chain(more).chain([index]);
    let context = Context::default().with(items)?;
    let j = var("j");
    let mean = over_step(at(&moved(free), &j));
    let goal = Goal::Eq(mean, entry("θ", &j) - mul([free(&j), slope("θ", &j)]));
    Ok(Statement { context, goal })
}

/// `skgd-lem-E.2`: E C(x + η) = x and E‖C(x + η)‖²_D = ‖x‖²_{P⁻¹D} + E‖Cσ_S1‖²_D, D being Δ here.
pub fn lem_e_2() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           law 𝒮 of random sets of indices below d: each index has a positive probability to be \
               drawn
           number σ for every set of indices below d, all ≥ 0
           vector x ∈ ℝ^d
           vector Δ ∈ ℝ^d
         holds
           for every index j<d: 𝔼_{S∼𝒮}[𝔼_{η∼N_{d}(0, σ_S²)}[(𝟙[j∈S]/ℙ(j∈𝒮))·(x_j + η_j)]] = x_j; \
               𝔼_{S∼𝒮}[𝔼_{η∼N_{d}(0, σ_S²)}[Σ_{j<d} Δ_j·((𝟙[j∈S]/ℙ(j∈𝒮))·(x_j + η_j))²]] = Σ_{j<d} \
               (Δ_j/ℙ(j∈𝒮))·x_j² + 𝔼_{S∼𝒮}[σ_S²·(Σ_{j<d} Δ_j·(𝟙[j∈S]/ℙ(j∈𝒮)²))]",
    )
}

/// The proof of [`unbiased`] and [`step_mean`]: moments of sets and noise.
///
/// # Errors
/// If an identity does not hold as normal forms.
pub fn prove_moments(statement: &Statement) -> Proof {
    together(statement, vec![])
}

/// The proof of [`lem_e_2`].
///
/// # Errors
/// If an identity does not hold as normal forms.
pub fn prove_lem_e_2(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [Goal::Every(j, sort, mean), square] = goals(statement)? else {
        return Err(Stuck::new("not two equations"));
    };
    let each = context.extended(item(j, sort.clone()))?;
    let mean = discharge(&combine(&each, (**mean).clone(), &[])?)?;
    both(context, &[&mean, &combine(context, square.clone(), &[])?])
}

/// `skgd-lem-E.3`: E f(θ⁺) − f(w) − (1 − α)(f(θ) − f(w)) is at most α(f(θ) − f(w)) − ‖∇f‖²_Γ + ½(‖∇f‖²_{P⁻¹Γ²M} +
/// E‖Cσ_S1‖²_{Γ²M}).
pub fn lem_e_3() -> Result<Statement, Stuck> {
    let more = noise()
        .into_iter()
        .chain([item("γ", space()), item("α", Sort::Real(Sign::Any))]);
    let items = function(&["θ", "w"]).into_iter().chain(more);
    let context = Context::default().with(items)?;
    let behind = f(&var("θ")) - f(&var("w"));
    let kept = mul([num(1) - var("α"), behind.clone()]);
    let left = over_step(f(&moved(free))) - f(&var("w")) - kept;
    let weight = |j: &Term| mul([free(j).pow(2), entry("M", j)]);
    let scaled = norm(|j| weight(j) / inclusion_of(j));
    let right = mul([var("α"), behind]) - norm(free) + half(scaled + spread(weight));
    let goal = Goal::Le(left, right);
    Ok(Statement { context, goal })
}

/// E f(θ⁺) ≤ E of the quadratic bound of f at θ.
fn smooth_step(context: &Context, step: fn(&Term) -> Term) -> Proof {
    let drawn = context.with([item("S", Sort::Outcome("𝒮".into())), item("η", space())])?;
    let bound = smooth(&drawn, "f", &var("θ"), &moved(step))?;
    expected(&expected(&bound, &law())?, &var("𝒮"))
}

/// The proof of [`lem_e_3`], or of a statement with other constants: smoothness, and the moments of a step.
pub fn prove_lem_e_3(statement: &Statement) -> Proof {
    let mean = smooth_step(&statement.context, free)?;
    together(statement, vec![vec![with(num(1), &mean)]])
}

/// A minimiser, the law, and what else.
fn at_minimiser(more: impl IntoIterator<Item = Item>) -> Result<Context, Stuck> {
    let items = function(&["θ", "w⋆"]).into_iter();
    let items = items.chain([least_at(var("w⋆"))]).chain(noise());
    Context::default().with(items.chain(more))
}

/// ‖θ − w⋆‖² − E‖θ⁺ − w⋆‖² in the norm of the inverse steps.
fn approach(step: fn(&Term) -> Term) -> Term {
    apart(&var("θ"), step) - over_step(apart(&moved(step), step))
}

/// `skgd-lem-E.4-repaired`: ⟨θ − w⋆, ∇f(θ)⟩ is at most ‖θ − w⋆‖²_{Γ⁻¹} − E‖θ⁺ − w⋆‖²_{Γ⁻¹} + Σ(γ_j/p_j − 1/M_j)(∂_jf(θ))² +
/// E‖Cσ_S1‖²_Γ.
pub fn lem_e_4() -> Result<Statement, Stuck> {
    let context = at_minimiser([item("γ", Sort::Vector(var("d"), Sign::Positive))])?;
    let form = norm(|j| free(j) / inclusion_of(j) - inverse_smoothness(j));
    let right = approach(free) + form + spread(free);
    let goal = Goal::Le(product(), right);
    Ok(Statement { context, goal })
}

/// The proof of [`lem_e_4`], or of a statement with other constants: what is left is ⟨θ − w⋆, ∇f(θ)⟩ ≥ ‖∇f(θ)‖²_{M⁻¹}.
pub fn prove_lem_e_4(statement: &Statement) -> Proof {
    let context = &statement.context;
    let facts = [cocoercive(context)?, descent(context)?];
    let parts = facts.iter().map(|fact| with(num(1), fact)).collect();
    together(statement, vec![parts])
}

/// `skgd-lem-E.4`, as printed: for Γ ⪯ PM⁻¹, with ‖∇f(θ)‖² in the norm of M⁻¹ − P⁻¹Γ.
pub fn lem_e_4_printed() -> Result<Statement, Stuck> {
    let least = Goal::Le(
        free(&var("i")) / inclusion_of(&var("i")),
        inverse_smoothness(&var("i")),
    );
    let least = Goal::Every("i".into(), Sort::Index(var("d")), least.into());
    let steps = item("γ", Sort::Vector(var("d"), Sign::Positive));
    let context = at_minimiser([steps, Item::Assume(least)])?;
    let form = norm(|j| inverse_smoothness(j) - free(j) / inclusion_of(j));
    let goal = Goal::Le(product(), approach(free) + form + spread(free));
    Ok(Statement { context, goal })
}

/// The proof of [`lem_e_4_printed`], or of a statement with other constants: the printed norm is at least 0, and that of the
/// repaired lemma at most 0.
pub fn prove_lem_e_4_printed(statement: &Statement) -> Proof {
    let context = &statement.context;
    let facts = [cocoercive(context)?, descent(context)?];
    let inner = context.extended(item("l", Sort::Index(var("d"))))?;
    let small = instance(&inner, &given(context, 1)?, &var("l"))?;
    let square = slope("θ", &var("l")).pow(2);
    let [low, high] = [
        free(&var("l")) / inclusion_of(&var("l")),
        inverse_smoothness(&var("l")),
    ];
    let goal = Goal::Le(mul([low, square.clone()]), mul([high, square.clone()]));
    let form = sum_over(&combine(&inner, goal, &[with(square, &small)])?)?;
    let mut parts: Vec<_> = facts.iter().map(|fact| with(num(1), fact)).collect();
    parts.push(with(num(2), &form));
    together(statement, vec![parts])
}

/// `skgd-lem-E.5-proof-equality-repaired`: for Γ = PM⁻¹, f(θ) − f(w⋆) ≤ ⟨θ − w⋆, ∇f(θ)⟩, which is at most the right side of Lemma
/// E.4, and the third norm there is 0.
pub fn equality() -> Result<Statement, Stuck> {
    let context = at_minimiser([])?;
    let third = norm(|j| inverse_smoothness(j) - chosen(j) / inclusion_of(j));
    let right = add([approach(chosen), third.clone(), spread(chosen)]);
    let goal = Goal::Both(vec![
        Goal::Le(gap(), product()),
        Goal::Le(product(), right),
        Goal::Eq(third, num(0)),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`equality`], or of a statement with other constants.
pub fn prove_equality(statement: &Statement) -> Proof {
    let context = &statement.context;
    let (near, large) = (cocoercive(context)?, descent(context)?);
    let one = |fact| with(num(1), fact);
    let goals = vec![vec![one(&near)], vec![one(&near), one(&large)], vec![]];
    together(statement, goals)
}

/// `skgd-lem-E.5`: for Γ = PM⁻¹ and 0 < α < 1, E f(θ⁺) − f(w⋆) − (1 − α)(f(θ) − f(w⋆)) is at most α(‖θ − w⋆‖²_{Γ⁻¹} − E‖θ⁺ −
/// w⋆‖²_{Γ⁻¹}) + (α + ½)·E‖Cσ_S1‖²_{PM⁻¹}.
pub fn lem_e_5() -> Result<Statement, Stuck> {
    let share = [positive("α"), Item::Assume(Goal::Le(var("α"), num(1)))];
    let context = at_minimiser(share)?;
    let kept = mul([num(1) - var("α"), gap()]);
    let left = over_step(f(&moved(chosen))) - f(&var("w⋆")) - kept;
    let factor = half(mul([num(2), var("α")]) + num(1));
    let right = mul([var("α"), approach(chosen)]) + mul([factor, spread(chosen)]);
    let goal = Goal::Le(left, right);
    Ok(Statement { context, goal })
}

/// The proof of [`lem_e_5`], or of a statement with other constants: twice the first inequality at a minimiser, the second, and
/// p_j ≤ 1 in what the noise adds.
pub fn prove_lem_e_5(statement: &Statement) -> Proof {
    let (context, i) = (&statement.context, var("i"));
    let mean = smooth_step(context, chosen)?;
    let (near, large) = (cocoercive(context)?, descent(context)?);
    let inner = context.extended(item("i", Sort::Index(var("d"))))?;
    let hit = mul([at(&var("σ"), &var("S")).pow(2), member(&i)]);
    let hit = bind(Binder::Expect, "S", var("𝒮"), hit) / entry("M", &i);
    let certain = at_most_one(&inner, &inclusion_of(&i))?;
    let large_hit = hit.clone() / inclusion_of(&i);
    let smaller = Goal::Le(hit, large_hit.clone());
    let smaller = sum_over(&combine(&inner, smaller, &[with(large_hit, &certain)])?)?;
    let alpha = var("α");
    let parts = vec![
        with(num(1), &mean),
        with(mul([num(2), alpha.clone()]), &near),
        with(alpha, &large),
        with(half(num(1)), &smaller),
    ];
    together(statement, vec![parts])
}
