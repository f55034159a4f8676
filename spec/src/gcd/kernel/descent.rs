//! What one round does for any noise: `gcd-lem-B.3` and `gcd-eq-53`.
//!
//! j is what the selection with the noise χ has chosen, η the noise of the release, and h the index with the largest slope, for which the
//! paper writes j⋆; |∂_hf(w)|/√M_h is ‖∇f(w)‖ in the norm M⁻¹, ∞.

use super::events::moved;
use super::noisy::{convex as strongly_convex, excess, norm, root, slope, slope_at, space};
use crate::moved::written::Proof;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Part, combine, convex, instance, smooth, stationary, sum_over};
use dp_assay_kernel::search::size::{above_modulus, below_modulus};
use dp_assay_kernel::search::{assumed, item, positive, real, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Term, add, at, mul, num, var};

fn size(k: &Term) -> Term {
    slope(k).abs() / root(k)
}

fn loud(k: &Term) -> Term {
    slope(k) + at(&var("χ"), k)
}

/// |∂_kf(w) + χ_k|/√M_k is largest at j, and |∂_kf(w)|/√M_k at h.
fn chosen() -> [Goal; 2] {
    let k = var("k");
    let every = |a: Term, b: Term| {
        let goal = Goal::Le(a, b).into();
        Goal::Every("k".into(), Sort::Index(var("p")), goal)
    };
    let noisy = |k: &Term| loud(k).abs() / root(k);
    [
        every(noisy(&k), noisy(&var("j"))),
        every(size(&k), size(&var("h"))),
    ]
}

fn context(more: impl IntoIterator<Item = Item>) -> Result<Context, Stuck> {
    let index = |x: &str| item(x, Sort::Index(var("p")));
    let items = [
        item("p", Sort::Count),
        item("M", Sort::Vector(var("p"), Sign::Positive)),
        item("f", Sort::Function(var("p"), "M".into())),
        item("w⋆", space()),
        item("w", space()),
        item("χ", space()),
        real("η", Sign::Any),
        index("j"),
        index("h"),
    ];
    let chosen = chosen().map(Item::Assume);
    Context::default().with(items.into_iter().chain(chosen).chain(more))
}

/// η²/(2M_j) + χ_j²/(2M_j) + χ_h²/(4M_h).
fn noise() -> [Term; 3] {
    let (j, h) = (var("j"), var("h"));
    let share = |x: Term, k: &Term, n: i64| x.pow(2) / mul([num(n), at(&var("M"), k)]);
    [
        share(var("η"), &j, 2),
        share(at(&var("χ"), &j), &j, 2),
        share(at(&var("χ"), &h), &h, 4),
    ]
}

fn after(first: Term) -> Goal {
    let [a, b, c] = noise();
    Goal::Le(excess(&moved(&var("η"))), add([first, a, b, c]))
}

/// ξ⁺ ≤ ξ − ‖∇f(w)‖²/8 + noise: with a, c the slope and noise of j, b, d those of h, in units of √M, (a + c)² ≥ (b + d)², and
/// a²/2 + c²/2 + d²/4 − b²/8 − ((a + c)² − (b + d)²)/4 is (a − c)²/4 + (b + 2d)²/8.
fn lemma(here: &Context) -> Proof {
    let (j, h) = (var("j"), var("h"));
    let falls = smooth(here, "f", &var("w"), &moved(&var("η")))?;
    let wins = instance(here, &assumed(here, &chosen()[0])?, &h)?;
    let sum = loud(&j).abs() / root(&j) + loud(&h).abs() / root(&h);
    let unit = |t: Term, k: &Term| t / root(k);
    let first = unit(slope(&j) - at(&var("χ"), &j), &j);
    let second = unit(slope(&h) + mul([num(2), at(&var("χ"), &h)]), &h);
    let parts = [
        with(num(1), &falls),
        with(sum / num(4), &wins),
        Part::new(first.pow(2) / num(4), []),
        Part::new(second.pow(2) / num(8), []),
    ];
    let first = excess(&var("w")) - size(&h).pow(2) / num(8);
    combine(here, after(first), &parts)
}

/// Σ_i ∂_if(w)·(w_i − w⋆_i) ≤ ‖∇f(w)‖·Σ_i √M_i·|w_i − w⋆_i|.
fn hoelder(context: &Context) -> Proof {
    let i = var("i");
    let here = context.extended(item("i", Sort::Index(var("p"))))?;
    let large = assumed(context, &chosen()[1])?;
    let large = instance(&here, &large, &i)?;
    let (x, y) = (slope(&i), at(&var("w"), &i) - at(&var("w⋆"), &i));
    let [up, down] = [below_modulus(&here, &x)?, above_modulus(&here, &x)?];
    let [above, below] = [below_modulus(&here, &y)?, above_modulus(&here, &y)?];
    let half = num(1) / num(2);
    let parts = [
        with(mul([root(&i), y.abs()]), &large),
        Part::new(half.clone(), [&up, &below].map(Into::into)),
        Part::new(half, [&down, &above].map(Into::into)),
    ];
    let bound = mul([size(&var("h")), root(&i), y.abs()]);
    sum_over(&combine(&here, Goal::Le(x * y, bound), &parts)?)
}

/// `gcd-eq-53`: ξ⁺ ≤ (1 − μ/4)·ξ + noise for a strongly convex f.
pub fn equation_53() -> Result<Statement, Stuck> {
    let context = context([positive("μ"), Item::Assume(strongly_convex())])?;
    let factor = num(1) - var("μ") / num(4);
    let goal = after(mul([factor, excess(&var("w"))]));
    Ok(Statement { context, goal })
}

/// The proof of [`equation_53`], or of a statement with other constants: 2μξ ≤ ‖∇f(w)‖².
pub fn prove_equation_53(statement: &Statement) -> Proof {
    let here = &statement.context;
    let (w, least) = (var("w"), var("w⋆"));
    let strong = assumed(here, &strongly_convex())?;
    let strong = instance(here, &instance(here, &strong, &w)?, &least)?;
    let (lemma, hoelder) = (lemma(here)?, hoelder(here)?);
    let rest = (size(&var("h")) - mul([var("μ"), norm(&w, &least)])).pow(2);
    let quarter = || var("μ") / num(4);
    let parts = vec![
        with(num(1), &lemma),
        with(quarter(), &strong),
        with(quarter(), &hoelder),
        Part::new(rest / num(8), []),
    ];
    combine(here, statement.goal.clone(), &parts)
}

/// Σ_i √M_i·|w_i − w⋆_i| = R.
fn apart() -> Goal {
    Goal::Eq(norm(&var("w"), &var("w⋆")), var("R"))
}

pub(super) fn least() -> Goal {
    Goal::Minimises("f".into(), var("w⋆"))
}

/// `gcd-lem-B.3`: ξ⁺ ≤ ξ − ξ²/(8R²) + noise for the distance R > 0 from w to a minimiser.
pub fn lemma_b_3() -> Result<Statement, Stuck> {
    let more = [Item::Assume(least()), positive("R"), Item::Assume(apart())];
    let xi = excess(&var("w"));
    let goal = after(xi.clone() - xi.pow(2) / mul([num(8), var("R").pow(2)]));
    let context = context(more)?;
    Ok(Statement { context, goal })
}

/// Σ_i ∂_if(w⋆)·(x_i − w⋆_i) = 0, as f is least at w⋆.
pub(super) fn flat(here: &Context, x: &Term) -> Proof {
    let i = var("i");
    let inner = here.extended(item("i", Sort::Index(var("p"))))?;
    let flat = stationary(&inner, &assumed(here, &least())?, "i")?;
    let gap = at(x, &i) - at(&var("w⋆"), &i);
    let goal = Goal::Eq(slope_at(&var("w⋆"), &i) * gap.clone(), num(0));
    sum_over(&combine(&inner, goal, &[with(gap, &flat)])?)
}

/// 0 ≤ f(x) − f(w⋆), as f is least at w⋆.
pub(super) fn above(here: &Context, x: &Term) -> Proof {
    let (flat, above) = (flat(here, x)?, convex(here, "f", &var("w⋆"), x)?);
    let parts = [with(num(1), &above), with(num(-1), &flat)];
    combine(here, Goal::Le(num(0), excess(x)), &parts)
}

/// The proof of [`lemma_b_3`], or of a statement with other constants: 0 ≤ ξ ≤ ‖∇f(w)‖·R.
pub fn prove_lemma_b_3(statement: &Statement) -> Proof {
    let here = &statement.context;
    let (w, total) = (var("w"), size(&var("h")));
    let above = above(here, &w)?;
    let (below, hoelder) = (convex(here, "f", &w, &var("w⋆"))?, hoelder(here)?);
    let apart = assumed(here, &apart())?;
    let parts = [
        with(num(1), &below),
        with(num(1), &hoelder),
        with(total.clone(), &apart),
    ];
    let reach = mul([total.clone(), var("R")]);
    let large = combine(here, Goal::Le(excess(&w), reach.clone()), &parts)?;
    let lemma = lemma(here)?;
    let unit = num(1) / mul([num(8), var("R").pow(2)]);
    let parts = vec![
        with(num(1), &lemma),
        with(mul([unit.clone(), reach]), &large),
        Part::new(unit, [&large, &above].map(Into::into)),
    ];
    combine(here, statement.goal.clone(), &parts)
}
