//! `gcd-thm-4.7-corrected`: one run of Algorithm 1, private and, where f is strongly convex in ‖·‖_{M,2} and its minimiser
//! quasi-sparse, useful with high probability.
//!
//! A has τ coordinates, off which no entry of w⋆ is above α, and M₁ may be M_max. κ(x) is the number of coordinates that are in A or
//! at which x is not 0, or 1. What has been moved is surely not 0, so that κ does not fall during a run.

use super::descent::{flat, least};
use super::events::{OWN, Round, Scales, apart, height, run};
use super::greedy::moduli;
use super::noisy::{
    beta, context, excess, logarithm, of_data, private, probable, prove_private, under, with_data,
};
use super::sparse::with_index;
use super::strongly::{decays, grown};
use crate::moved::written::{Proof, extended, goal as written, show, term, whole};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Part, Theorem, at_most_one, combine, discharge, instance, larger, largest, root_increases,
    smooth, sum_over, union,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::exp::power_increases;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, item, positive, real, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, add, app, at, mul, num, op, var};

fn count(x: &Term) -> Term {
    app("κ", [x.clone()])
}

/// 1 − μ/(4κ(x)).
fn factor(x: &Term) -> Term {
    num(1) - var("μ") / mul([num(4), count(x)])
}

/// (M₁/2)·(p − τ)·α².
pub(super) fn lost() -> Term {
    mul([var("M₁") / num(2), var("p") - app("τ", []), var("α").pow(2)])
}

/// (1 − μ/(4κ(x)))^t·G + 4κ(x)β/μ + (M₁/2)·(p − τ)·α².
fn bound(x: &Term, t: &Term) -> Term {
    let start = mul([op(Op::Pow, [factor(x), t.clone()]), var("G")]);
    let noise = mul([num(4), count(x), app("β", [])]) / var("μ");
    add([start, noise, lost()])
}

const CONVEX: &str = "for every vector x ∈ ℝ^p: for every vector y ∈ ℝ^p: f(x) + (Σ_{i<p} ∂_i \
    f(x)·(y_i − x_i)) + (μ/2)·(Σ_{i<p} M_i·(y_i − x_i)²) ≤ f(y)";

/// Of w⋆.
pub(super) const QUASI_SPARSE: &str = "for every index k<p: (1 − 𝟙[k∈A])·|w⋆_k| ≤ α";

/// M_k ≤ M₁ for every k.
pub(super) fn smooth_enough() -> Goal {
    let goal = Goal::Le(at(&var("M"), &var("k")), var("M₁"));
    Goal::Every("k".into(), Sort::Index(var("p")), goal.into())
}

/// f is least at w⋆, strongly convex, at most G above f(w⋆) at w₀, and w⋆ is quasi-sparse.
fn given(context: &Context) -> Result<[Goal; 4], Stuck> {
    let here = match context.get("w⋆") {
        Some(_) => context.clone(),
        None => context.extended(item("w⋆", Sort::Vector(var("p"), Sign::Any)))?,
    };
    Ok([
        least(),
        written(context, CONVEX)?,
        Goal::Le(excess(&var("w₀")), var("G")),
        written(&here, QUASI_SPARSE)?,
    ])
}

/// Of T: the logarithm of β₁, q = 1 − μ/(4K), 1 ≤ K, μG = 4KX·β₁ and (4K/μ)·log X ≤ T.
fn choice() -> [Goal; 5] {
    let (k, rate) = (var("K"), rate());
    let first = beta(num(1), "Λ₁");
    let start = mul([num(4), k.clone(), var("X"), first]);
    let rounds = mul([num(4), k.clone()]) / var("μ");
    [
        logarithm(num(1), "Λ₁"),
        Goal::Eq(var("q"), num(1) - rate),
        Goal::Le(num(1), k),
        Goal::Eq(mul([var("μ"), var("G")]), start),
        Goal::Le(mul([rounds, var("X").log()]), var("T")),
    ]
}

fn rate() -> Term {
    var("μ") / mul([num(4), var("K")])
}

/// `gcd-thm-4.7-corrected`: the path of Algorithm 1 is (ε, δ)-DP; with probability at least 1 − ζ its end has f(w) − f(w⋆) ≤
/// (1 − μ/(4κ))^T·G + 4κβ/μ + ½M₁(p − τ)α², κ being κ(w), which for K ≥ 1 and T ≥ (4K/μ)·log(μG/(4Kβ₁)) is at most
/// 8Kβ/μ + ½M₁(p − τ)α² wherever κ(w) ≤ K.
pub fn statement() -> Result<Statement, Stuck> {
    let context = context([
        positive("μ"),
        Item::Assume(Goal::Le(var("μ"), num(1))),
        positive("G"),
        item("A", Sort::Set(var("p"))),
        real("α", Sign::NonNegative),
        positive("M₁"),
        Item::Assume(smooth_enough()),
    ])?;
    let context = extended(
        &context,
        "define τ := Σ_{i<p} 𝟙[i∈A]
         define κ(x∈ℝ^p) := max(1, Σ_{i<p} (1 − (1 − 𝟙[i∈A])·𝟙(x_i² ≤ 0)))",
    )?;
    let total = mul([num(8), var("K"), app("β", [])]) / var("μ") + lost();
    let (x, space) = (var("x"), Sort::Vector(var("p"), Sign::Any));
    let small = Goal::Le(bound(&x, &var("T")), total);
    let small = Goal::If(Goal::Le(count(&x), var("K")).into(), small.into());
    let small = Goal::Every("x".into(), space, small.into());
    let explicit = choice()
        .into_iter()
        .rev()
        .fold(small, |goal, given| Goal::If(given.into(), goal.into()));
    let explicit = ["X", "K", "q", "Λ₁"].into_iter().fold(explicit, |goal, x| {
        Goal::Every(x.into(), Sort::Real(Sign::Positive), goal.into())
    });
    let useful = probable(bound(&var("w"), &var("T")));
    let goal = Goal::Both(vec![
        private(),
        of_data(&given(&context)?, useful),
        explicit,
    ]);
    Ok(Statement { context, goal })
}

/// The noise of the run, where no coordinate becomes 0 again.
const APART: Scales = Scales { apart: true, ..OWN };

/// 1 and how many coordinates κ(x) counts, of which it is the maximum.
fn maximum_of(here: &Context, x: &Term) -> Result<[Term; 2], Stuck> {
    match here.unfold("κ", std::slice::from_ref(x)) {
        Some(Term::Op(Op::Max, sides)) => Ok([sides[0].clone(), sides[1].clone()]),
        _ => Err(Stuck::new("κ is no maximum")),
    }
}

/// 1 ≤ κ(x), or what it counts is at most κ(x).
fn maximum(here: &Context, x: &Term, second: bool) -> Proof {
    let [one, counted] = maximum_of(here, x)?;
    larger(here, &one, &counted, second)
}

/// 0 ≤ 1 − μ/(4κ(x)).
fn not_negative(here: &Context, x: &Term) -> Proof {
    let small = assumed(here, &Goal::Le(var("μ"), num(1)))?;
    let one = maximum(here, x, false)?;
    let share = num(1) / mul([num(4), count(x)]);
    let parts = vec![with(share.clone(), &small), with(share, &one)];
    combine(here, Goal::Le(num(0), factor(x)), &parts)
}

/// w⋆ without its entries off A.
pub(super) const NEAR: &str = "⟨𝟙[l∈A]·w⋆_l : l<p⟩";

/// f(π) ≤ f(w⋆) + ½M₁(p − τ)α² for π = [`NEAR`], as the gradient is 0 at w⋆.
pub(super) fn nearby(here: &Context) -> Proof {
    let i = &with_index(here, "i")?;
    let of = |goal: &Goal| instance(i, &assumed(i, goal)?, &var("i"));
    let (small, most) = (of(&written(here, QUASI_SPARSE)?)?, of(&smooth_enough())?);
    let size = "M_i·(𝟙[i∈A]·w⋆_i − w⋆_i)² ≤ M₁·(1 − 𝟙[i∈A])·α²";
    let parts: &[(&str, &[&Theorem])] = &[
        ("M_i·(1 − 𝟙[i∈A])²·(α + |w⋆_i|)", &[&small]),
        ("(1 − 𝟙[i∈A])²·α²", &[&most]),
    ];
    let size = sum_over(&show(i, size, parts)?)?;
    let near = term(here, NEAR)?;
    let (flat, smooth) = (flat(here, &near)?, smooth(here, "f", &var("w⋆"), &near)?);
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&smooth]), ("1", &[&flat]), ("1/2", &[&size])];
    let goal = format!("f({NEAR}) ≤ f(w⋆) + (M₁/2)·(p − τ)·α²");
    show(here, &goal, parts)
}

/// ∂_if(w)·(w_i − π_i) ≤ (μ/2)·M_i(w_i − π_i)² + c·H²/(2μ) for the last variable i, c being 1 if κ counts i, and else 0.
fn share(i: &Context, top: &str, largest: &Theorem) -> Proof {
    let goal = format!(
        "∂_i f(w)·(w_i − 𝟙[i∈A]·w⋆_i) ≤ (μ/2)·M_i·(w_i − 𝟙[i∈A]·w⋆_i)² + ({COUNTED})·{top}²/(2·μ)"
    );
    let [size, zero] = [term(i, "w_i²")?, num(0)];
    let unit = format!("(1 − 𝟙[i∈A])²·{top}²/(2·μ)");
    let still = |here: &Context, fact: &Theorem| {
        let fact = &root_increases(&show(here, "w_i² ≤ 0²", &[("1", &[fact])])?)?;
        let [first, second, third] = [
            ("∂_i f(w)", "w_i"),
            ("(−1)·∂_i f(w)", "w⋆_i"),
            ("w_i", "w⋆_i"),
        ]
        .map(|(x, y)| moduli(here, x, y));
        let (first, second, third) = (first?, second?, third?);
        let sure = at_most_one(here, &term(here, "𝟙(w_i² ≤ 0)")?)?;
        let square = format!("𝟙[i∈A]·({top} − μ·√(M_i)·|w⋆_i|)²/(2·μ)");
        let parts: &[(&str, &[&Theorem])] = &[
            ("1", &[&first]),
            ("|∂_i f(w)| + μ·M_i·𝟙[i∈A]·|w⋆_i|", &[fact]),
            ("𝟙[i∈A]", &[&second]),
            ("𝟙[i∈A]·|w⋆_i|", &[largest]),
            ("μ·M_i·𝟙[i∈A]", &[&third]),
            (&unit, &[&sure]),
            (&square, &[]),
        ];
        show(here, &goal, parts)
    };
    let moves = |here: &Context, none: &Theorem| {
        let gap = "w_i − 𝟙[i∈A]·w⋆_i";
        let product = moduli(here, "∂_i f(w)", gap)?;
        let square = format!("({top} − μ·√(M_i)·|{gap}|)²/(2·μ)");
        let parts: &[(&str, &[&Theorem])] = &[
            ("1", &[&product]),
            (&format!("|{gap}|"), &[largest]),
            (&unit, &[none]),
            (&square, &[]),
        ];
        show(here, &goal, parts)
    };
    split(i, [&size, &zero], still, moves)
}

/// 1 if κ counts i, and else 0.
const COUNTED: &str = "1 − (1 − 𝟙[i∈A])·𝟙(w_i² ≤ 0)";

/// f(w) − f(w⋆) ≤ κ(w)·H²/(2μ) + ½M₁(p − τ)α² for H = s + 2u, which no |∂_if(w)|/√M_i exceeds.
fn gradient(round: &Round<'_>, near: &Theorem) -> Proof {
    let (here, w) = (round.here, var("w"));
    let top = format!("({})", render::text(&round.largest_slope()));
    let i = &with_index(here, "i")?;
    let all = sum_over(&share(i, &top, &round.largest(i, &var("i"))?)?)?;
    let strong = assumed(here, &given(here)?[1])?;
    let strong = instance(here, &instance(here, &strong, &w)?, &term(here, NEAR)?)?;
    let counted = maximum(here, &w, true)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&strong]),
        ("1", &[&all]),
        ("1", &[near]),
        (&format!("{top}²/(2·μ)"), &[&counted]),
    ];
    let goal = format!("f(w) − f(w⋆) ≤ κ(w)·{top}²/(2·μ) + (M₁/2)·(p − τ)·α²");
    show(here, &goal, parts)
}

/// The slope that was released.
pub(super) const NOISE: &str = "(∂_j f(w) + a)";

/// Entry i of w⁺.
pub(super) const AFTER: &str = "(w_i − (1/M_i)·(∂_j f(w) + a)·𝟙[i=j])";

/// 1 − 1\[w_i² ≤ 0\] ≤ 1 − 1\[w⁺_i² ≤ 0\] for the last variable i, where no coordinate becomes 0.
pub(super) fn stays(i: &Context) -> Proof {
    let (noise, after) = (NOISE, AFTER);
    let gone = written(i, &format!("{after}² ≤ 0"))?;
    let inner = i.extended(Item::Assume(gone.clone()))?;
    let gone = assumed(&inner, &gone)?;
    let apart = instance(&inner, &assumed(i, &apart())?, &var("i"))?;
    let ends = [&term(i, "𝟙[i=j]")?, &term(i, "1/2")?];
    let zero = either(&inner, ends, |here, order, other| {
        if other {
            let parts: &[(&str, &[&Theorem])] = &[
                ("2", &[&gone]),
                (&format!("4·𝟙[i=j]·({noise}/M_i)²"), &[order]),
                (&format!("({after} − 𝟙[i=j]·{noise}/M_i)²"), &[]),
            ];
            return show(here, "w_i² ≤ 0", parts);
        }
        let parts: &[(&str, &[&Theorem])] = &[
            ("2·M_i²", &[&gone]),
            (&format!("4·{noise}²·(1 − 𝟙[i=j])²"), &[order]),
            (&format!("((1 − 𝟙[i=j])·{noise} + M_i·{after})²"), &[]),
        ];
        let hit = show(here, "(a − (M_i·w_i − ∂_j f(w)))² ≤ 0", parts)?;
        let parts: &[(&str, &[&Theorem])] = &[("w_i²", &[&union(&hit)?]), ("w_i²", &[&apart])];
        show(here, "w_i² ≤ 0", parts)
    })?;
    union(&discharge(&zero)?)
}

/// κ(w) ≤ κ(w⁺) where no coordinate becomes 0.
fn widens(round: &Round<'_>) -> Proof {
    let here = round.here;
    let i = &with_index(here, "i")?;
    let kept = stays(i)?;
    let more = format!("{COUNTED} ≤ 1 − (1 − 𝟙[i∈A])·𝟙({AFTER}² ≤ 0)");
    let all = sum_over(&show(i, &more, &[("(1 − 𝟙[i∈A])²", &[&kept])])?)?;
    let (before, after) = (var("w"), round.after());
    let [one, counted] = [false, true].map(|second| maximum(here, &after, second));
    let [one, counted] = [one?, counted?];
    let [_, number] = maximum_of(here, &before)?;
    let parts = vec![with(num(1), &all), with(num(1), &counted)];
    let most = combine(here, Goal::Le(number, count(&after)), &parts)?;
    let least = Goal::Le(num(1), count(&after));
    let least = combine(here, least, &[with(num(1), &one)])?;
    let order = largest(&least, &most)?;
    let goal = Goal::Le(count(&before), count(&after));
    combine(here, goal, &[with(num(1), &order)])
}

/// One round: ξ⁺ ≤ ξ − H²/8 + β ≤ (1 − μ/(4κ))·ξ + μD/(8κ) + β with D = M₁(p − τ)α², and κ does not fall.
fn keeps(round: &Round<'_>, near: &Theorem, goal: Goal) -> Proof {
    let (here, w, after) = (round.here, var("w"), round.after());
    let square = mul([num(3), height()]) - mul([num(2), (round.scales.width)()]);
    let falls = excess(&w) - round.largest_slope().pow(2) / num(8) + app("β", []);
    let falls = combine(
        here,
        Goal::Le(excess(&after), falls),
        &[
            with(num(1), &round.descent),
            Part::new(square.pow(2) / num(24), []),
        ],
    )?;
    let (large, low, order) = (
        gradient(round, near)?,
        not_negative(here, &w)?,
        widens(round)?,
    );
    let share = var("μ") / mul([num(4), count(&w)]);
    let next = var("t") + num(1);
    let parts = vec![
        with(num(1), &falls),
        with(share.clone(), &large),
        Part::new(num(1), [&low, &round.before].map(Into::into)),
    ];
    let own = combine(here, Goal::Le(excess(&after), bound(&w, &next)), &parts)?;
    let quotient = share / count(&after);
    let rate = Goal::Le(factor(&w), factor(&after));
    let rate = combine(here, rate, &[with(quotient, &order)])?;
    let powers = power_increases(here, &next, [&factor(&w), &factor(&after)], [&low, &rate])?;
    let noise = mul([num(4), app("β", [])]) / var("μ");
    let parts = vec![
        with(num(1), &own),
        with(var("G"), &powers),
        with(noise, &order),
    ];
    combine(here, goal, &parts)
}

/// The run has f(w) − f(w⋆) ≤ [`bound`] with probability at least 1 − ζ, or another bound.
fn useful(context: &Context, goal: &Goal) -> Proof {
    let given = given(context)?;
    let here = with_data(context, &given)?;
    let i = &with_index(&here, "i")?;
    let few = sum_over(&show(i, "0 ≤ 1 − 𝟙[i∈A]", &[("(1 − 𝟙[i∈A])²", &[])])?)?;
    let near = assumed(&here, &given[2])?;
    let parts = vec![
        with(num(1), &near),
        with(var("M₁") / num(2) * var("α").pow(2), &few),
    ];
    let start = Goal::Le(excess(&var("w₀")), bound(&var("w₀"), &num(0)));
    let start = combine(&here, start, &parts)?;
    let near = nearby(&here)?;
    let wanted = |x: &Term, t: &Term| [excess(x), bound(x, t)];
    let rare = run(&here, &APART, &wanted, &start, |round, goal| {
        keeps(round, &near, goal)
    })?;
    let theorem = combine(&here, under(goal).clone(), &[with(num(1), &rare)])?;
    (0..=given.len()).try_fold(theorem, |theorem, _| discharge(&theorem))
}

/// (1 − μ/(4κ(x)))^T·G ≤ q^T·G ≤ G/X = 4Kβ₁/μ ≤ 4Kβ/μ where κ(x) ≤ K.
fn explicit(context: &Context, goal: &Goal) -> Proof {
    let choice = choice();
    let here = context.with(["Λ₁", "q", "K", "X"].map(positive))?;
    let here = here.with(choice.clone().map(Item::Assume))?;
    let x = var("x");
    let small = Goal::Le(count(&x), var("K"));
    let inner = here.extended(item("x", Sort::Vector(var("p"), Sign::Any)))?;
    let inner = inner.extended(Item::Assume(small.clone()))?;
    let fact = |goal: &Goal| assumed(&inner, goal);
    let (shrinks, first, long, few) = (
        fact(&choice[1])?,
        fact(&choice[3])?,
        fact(&choice[4])?,
        fact(&small)?,
    );
    let (decays, grown) = (decays(&inner, &rate(), [&shrinks, &long])?, grown(&inner)?);
    let quotient = rate() / count(&x);
    let order = vec![with(quotient, &few), with(num(-1), &shrinks)];
    let order = combine(&inner, Goal::Le(factor(&x), var("q")), &order)?;
    let low = not_negative(&inner, &x)?;
    let powers = power_increases(&inner, &var("T"), [&factor(&x), &var("q")], [&low, &order])?;
    let four = |t: Term| mul([num(4), t]) / var("μ");
    let parts = vec![
        with(var("G"), &powers),
        with(var("G"), &decays),
        with(num(1) / mul([var("μ"), var("X")]), &first),
        with(four(var("K")), &grown),
        with(four(app("β", [])), &few),
    ];
    let theorem = combine(&inner, under(goal).clone(), &parts)?;
    (0..11).try_fold(theorem, |theorem, _| discharge(&theorem))
}

/// The proof of [`statement()`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    whole(statement, &[&|h, _| prove_private(h), &useful, &explicit])
}
