//! Witnesses of the corrected theorems: the logistic loss on records of norm at most 1, with or without a ridge.
//!
//! A record is x = −b·a for its features a and its label b = ±1; data sets of n records are sequences of n vectors, so that
//! what holds of every sequence holds of all data sets, and for n = 1 of every record. φ(s) is the loss at the margin −s, π its
//! slope. A vector g(w, ·) with f(x) + ⟨g(x), y − x⟩ ≤ f(y) ≤ f(x) + ⟨g(x), y − x⟩ + M‖y − x‖²/2 for all y is the gradient.
//! That φ has curvature at most 1/4 is proved in [`super::curvature`].

use crate::kl::kernel::gradients::cauchy;
use crate::moved::written::{Proof, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, exchange, exp_log, exp_sum, instance, inverse, limit, sum_over, tangent,
};
use dp_assay_kernel::search::exp::{exp_of_opposite, exp_of_zero, log_increases, log_not_negative};
use dp_assay_kernel::search::{item, modulus, positive};
use dp_assay_kernel::statement::{Context, Goal, Item, Sort, Statement};
use dp_assay_kernel::term::{num, var};

/// Records, the mean m of their losses and its gradient q.
const DATA: &str = "for all
    integer n ≥ 1
    integer d ≥ 1
    sequence a in ℝ^d
    assume for every index i′<n: ‖a_i′‖ ≤ 1
    define s(i<n, w∈ℝ^d) := Σ_{j<d} a_i[j]·w_j
    define φ(u) := log(1 + exp(u))
    define π(u) := exp(u)/(1 + exp(u))
    define m(w∈ℝ^d) := (Σ_{i<n} φ(s(i, w)))/n
    define q(w∈ℝ^d, j<d) := (Σ_{i<n} π(s(i, w))·a_i[j])/n
    ";

/// m with a ridge, and its gradient.
pub(crate) const RIDGE: &str = "define f(w∈ℝ^d) := m(w) + (λ/2)·(Σ_{j<d} w_j²)
    define g(w∈ℝ^d, j<d) := q(w, j) + λ·w_j
    ";

pub(crate) fn parse(more: &[&str], goals: &[String]) -> Result<Statement, Stuck> {
    let items = [&[DATA], more].concat();
    let items: Vec<&str> = items.into_iter().map(str::trim).collect();
    render::parse(&format!(
        "{}\nholds\n{}",
        items.join("\n"),
        goals.join("; ")
    ))
}

/// F(x) + ⟨∇F(x), y − x⟩.
pub(crate) fn tangent_of([f, g]: [&str; 2], x: &str, y: &str) -> String {
    format!("{f}({x}) + (Σ_{{j<d}} {g}({x}, j)·({y}[j] − {x}[j]))")
}

pub(crate) fn line(x: &str, y: &str) -> String {
    tangent_of(["f", "g"], x, y)
}

pub(crate) fn apart(x: &str, y: &str) -> String {
    format!("(Σ_{{j<d}} ({y}[j] − {x}[j])²)")
}

/// exp(φ(u) − φ(v))·(1 + exp(v)) = 1 + exp(u).
fn ratio(h: &Context, u: &str, v: &str) -> Proof {
    let [one, other] = [u, v].map(|t| term(h, &format!("1 + exp({t})")));
    let (one, other) = (one?, other?);
    let opposite = num(0) - other.log();
    let split = exp_sum(h, &one.log(), &opposite)?;
    let (above, below) = (exp_log(h, &one)?, exp_log(h, &other)?);
    let unit = exp_of_opposite(h, &other.log())?;
    let (x, m) = (format!("exp(φ({u}))"), format!("exp(0 − φ({v}))"));
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("1 + exp({v})"), &[&split]),
        ("1", &[&above]),
        (&format!("(−1)·{x}"), &[&unit]),
        (&format!("(−1)·{x}·{m}"), &[&below]),
    ];
    let goal = format!("exp(φ({u}) − φ({v}))·(1 + exp({v})) = 1 + exp({u})");
    show(h, &goal, parts)
}

/// φ(u) + π(u)·(v − u) ≤ φ(v): that the probabilities 1 and e^u over 1 + e^u are no further from themselves than from those of v.
pub(crate) fn above_tangent(h: &Context, u: &str, v: &str) -> Proof {
    let (gap, away) = (format!("(φ({u}) − φ({v}))"), format!("({v} − {u})"));
    let both = format!("({away} + {gap})");
    let (t, y) = (term(h, &away)?, term(h, &gap)?);
    let (first, second) = (tangent(h, &y)?, tangent(h, &term(h, &both)?)?);
    let (split, shift) = (exp_sum(h, &t, &y)?, exp_sum(h, &term(h, u)?, &t)?);
    let whole = inverse(h, &term(h, &format!("1 + exp({u})"))?)?;
    let (unit, ratio) = (format!("1/(1 + exp({u}))"), ratio(h, u, v)?);
    let parts: &[(&str, &[&Theorem])] = &[
        (&unit, &[&first]),
        (&format!("π({u})"), &[&second]),
        (&format!("π({u})"), &[&split]),
        (&format!("(−1)·exp({gap})/(1 + exp({u}))"), &[&shift]),
        (&unit, &[&ratio]),
        (&format!("0 − {gap}"), &[&whole]),
    ];
    show(h, &format!("φ({u}) + π({u})·{away} ≤ φ({v})"), parts)
}

/// π(u) ≤ 1.
pub(crate) fn share(h: &Context, u: &str) -> Proof {
    let whole = inverse(h, &term(h, &format!("1 + exp({u})"))?)?;
    show(h, &format!("π({u}) ≤ 1"), &[("1", &[&whole])])
}

/// The last hypothesis.
pub(crate) fn last_given(h: &Context) -> Proof {
    let all = h.items().iter();
    let count = all.filter(|item| matches!(item, Item::Assume(_))).count();
    given(h, count - 1)
}

pub(crate) fn with_record(h: &Context, k: &str) -> Result<Context, Stuck> {
    h.extended(item(k, Sort::Index(var("n"))))
}

/// ‖a_k‖ ≤ 1.
pub(crate) fn short(h: &Context, k: &str) -> Proof {
    instance(h, &given(h, 0)?, &var(k))
}

/// ⟨a_k, v⟩ ≤ ‖v‖ for v = `to` − `from`, and the negative of it.
pub(crate) fn along(h: &Context, k: &str, [from, to]: [&str; 2]) -> Result<[Theorem; 2], Stuck> {
    let way = |from: &str, to: &str| {
        let v = format!("⟨{to}[j] − {from}[j] : j<d⟩");
        let product = cauchy(h, &format!("a_{k}"), &v)?;
        let goal = format!("s({k}, {to}) − s({k}, {from}) ≤ ‖{v}‖");
        let size = format!("‖{v}‖");
        show(h, &goal, &[("1", &[&product]), (&size, &[&short(h, k)?])])
    };
    Ok([way(from, to)?, way(to, from)?])
}

/// φ(s(k, y)) − φ(s(k, x)) ≤ ‖y − x‖.
pub(crate) fn rises(h: &Context, k: &str, [x, y]: [&str; 2]) -> Proof {
    let [u, v] = [x, y].map(|w| format!("s({k}, {w})"));
    let ([up, _], share) = (along(h, k, [x, y])?, share(h, &v)?);
    let below = above_tangent(h, &v, &u)?;
    let size = format!("‖⟨{y}[j] − {x}[j] : j<d⟩‖");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&below]),
        (&format!("π({v})"), &[&up]),
        (&size, &[&share]),
    ];
    show(h, &format!("φ({v}) − φ({u}) ≤ {size}"), parts)
}

/// Σ_i π_i·⟨a_i, y − x⟩ coordinate by coordinate.
fn swapped(h: &Context, x: &str, y: &str) -> Proof {
    let both = with_record(h, "i₀")?.extended(item("j", Sort::Index(var("d"))))?;
    let body = format!("π(s(i₀, {x}))·a_i₀[j]·({y}[j] − {x}[j])");
    let body = term(&both, &body)?;
    exchange(h, ("i₀", &var("n")), ("j", &var("d")), &body)
}

/// m(x) + ⟨q(x), y − x⟩ ≤ m(y).
pub(crate) fn mean_convex(h: &Context, x: &str, y: &str) -> Proof {
    let i = &with_record(h, "i₀")?;
    let one = above_tangent(i, &format!("s(i₀, {x})"), &format!("s(i₀, {y})"))?;
    let (all, swapped) = (sum_over(&one)?, swapped(h, x, y)?);
    let goal = format!("{} ≤ m({y})", tangent_of(["m", "q"], x, y));
    show(h, &goal, &[("1/n", &[&all]), ("(−1)/n", &[&swapped])])
}

/// m(y) ≤ m(x) + ⟨q(x), y − x⟩ + ‖y − x‖²/8 from that of φ, [`super::curvature::curved`].
pub(crate) fn mean_smooth(h: &Context, curved: &Theorem, x: &str, y: &str) -> Proof {
    let i = &with_record(h, "i₀")?;
    let [u, v] = [x, y].map(|w| format!("s(i₀, {w})"));
    let one = instance(i, &instance(i, curved, &term(i, &u)?)?, &term(i, &v)?)?;
    let [up, down] = along(i, "i₀", [x, y])?;
    let square = format!("({v} − {u})² ≤ {}", apart(x, y));
    let square = show(i, &square, &[("1", &[&up, &down])])?;
    let most = format!("φ({v}) ≤ φ({u}) + π({u})·({v} − {u}) + {}/8", apart(x, y));
    let one = show(i, &most, &[("1", &[&one]), ("1/8", &[&square])])?;
    let (all, swapped) = (sum_over(&one)?, swapped(h, x, y)?);
    let goal = format!(
        "m({y}) ≤ {} + {}/8",
        tangent_of(["m", "q"], x, y),
        apart(x, y)
    );
    show(h, &goal, &[("1/n", &[&all]), ("1/n", &[&swapped])])
}

/// f(x) + ⟨g(x), y − x⟩ + (λ/2)·‖y − x‖² ≤ f(y).
pub(crate) fn convex(h: &Context, x: &str, y: &str) -> Proof {
    let goal = format!("{} + (λ/2)·{} ≤ f({y})", line(x, y), apart(x, y));
    show(h, &goal, &[("1", &[&mean_convex(h, x, y)?])])
}

/// f(x) + ⟨g(x), y − x⟩ ≤ f(y).
pub(crate) fn flat(h: &Context, x: &str, y: &str) -> Proof {
    let (goal, slack) = (
        format!("{} ≤ f({y})", line(x, y)),
        format!("(λ/2)·{}", apart(x, y)),
    );
    show(h, &goal, &[("1", &[&convex(h, x, y)?]), (&slack, &[])])
}

/// f(y) ≤ f(x) + ⟨g(x), y − x⟩ + (1/2)(1/4 + λ)·‖y − x‖².
pub(crate) fn smooth(h: &Context, curved: &Theorem, x: &str, y: &str) -> Proof {
    let goal = format!("f({y}) ≤ {} + ((1/4 + λ)/2)·{}", line(x, y), apart(x, y));
    show(h, &goal, &[("1", &[&mean_smooth(h, curved, x, y)?])])
}

/// λ/2·‖w − w⋆‖² ≤ f(w) − f(w⋆) where f is least at w⋆: between them, at the share y/(1 + y) of the way, for every y > 0.
pub(crate) fn grows(h: &Context, least: &Theorem) -> Proof {
    let y = &h.extended(positive("y"))?;
    let z = "⟨w⋆[j] + (w[j] − w⋆[j])·(y/(1 + y)) : j<d⟩";
    let least = instance(y, least, &term(y, z)?)?;
    let (there, back) = (convex(y, z, "w")?, convex(y, z, "w⋆")?);
    let whole = inverse(y, &term(y, "1 + y")?)?;
    let (way, far) = (
        format!("(Σ_{{j<d}} g({z}, j)·(w[j] − w⋆[j]))"),
        apart("w⋆", "w"),
    );
    let rest = format!("(1 + y)·{way} + (λ/2)·{far}·((1 + y)·(1 − y/(1 + y)) − 1)");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1 + y", &[&there]),
        ("(1 + y)/y", &[&back]),
        ("(1 + y)²/y", &[&least]),
        (&rest, &[&whole]),
    ];
    let goal = format!("(λ/2)·{far} ≤ (f(w) − f(w⋆)) + (f(w) − f(w⋆))·y");
    limit(&show(y, &goal, parts)?)
}

/// m(0) ≤ log 2.
pub(crate) fn mean_at_zero(h: &Context) -> Proof {
    let one = exp_of_zero(h)?;
    let two = log_increases(&show(h, "1 + exp(0) ≤ 2", &[("(−1)", &[&one])])?)?;
    show(h, "m(⟨0 : j<d⟩) ≤ log(2)", &[("1", &[&two])])
}

/// m(0) − m(w) ≤ log 2.
pub(crate) fn mean_start(h: &Context) -> Proof {
    let two = mean_at_zero(h)?;
    let i = &with_record(h, "i₀")?;
    let least = log_not_negative(&show(i, "1 ≤ 1 + exp(s(i₀, w))", &[])?)?;
    let least = sum_over(&least)?;
    let goal = "m(⟨0 : j<d⟩) − m(w) ≤ log(2)";
    show(h, goal, &[("1", &[&two]), ("1/n", &[&least])])
}

/// f(0) − f(w) ≤ log 2.
pub(crate) fn start(h: &Context, goal: &Goal) -> Proof {
    settle(h, goal, &[("1", &[&mean_start(h)?])])
}

pub(crate) const LOSS_BY_VECTORS: &str = "for every index k<n: for every vector x ∈ ℝ^d: for every \
    vector v ∈ ℝ^d: |φ(s(k, ⟨x_j + v_j : j<d⟩)) − φ(s(k, x))| ≤ ‖v‖";

/// The loss of record k changes by at most ‖v‖ from x to `to`, which is x + v; the goal has them so.
pub(crate) fn changes(h: &Context, goal: &Goal, to: &str) -> Proof {
    let size = format!("‖⟨{to}[j] − x[j] : j<d⟩‖");
    let difference = format!("φ(s(k, {to})) − φ(s(k, x))");
    let up = show(
        h,
        &format!("{difference} ≤ {size}"),
        &[("1", &[&rises(h, "k", ["x", to])?])],
    )?;
    let down = format!("0 − ({difference}) ≤ {size}");
    let down = show(h, &down, &[("1", &[&rises(h, "k", [to, "x"])?])])?;
    settle(h, goal, &[("1", &[&modulus(&up, &down)?])])
}

pub(crate) const TWO_POINTS: &str = "for every vector x ∈ ℝ^d: for every vector y ∈ ℝ^d: ";
pub(crate) const LEAST: &str =
    "for every vector w⋆ ∈ ℝ^d: if for every vector x ∈ ℝ^d: f(w⋆) ≤ f(x): ";
pub(crate) const START: &str = "for every vector w ∈ ℝ^d: f(⟨0 : j<d⟩) − f(w) ≤ log(2)";

pub(crate) fn convexity() -> String {
    let (line, apart) = (line("x", "y"), apart("x", "y"));
    format!("{TWO_POINTS}{line} + (λ/2)·{apart} ≤ f(y)")
}

pub(crate) fn smooth_by_entries() -> String {
    let line = line("x", "y");
    format!("{TWO_POINTS}f(y) ≤ {line} + (Σ_{{j<d}} (1/4 + λ)·(y_j − x_j)²)/2")
}

/// That the ridge is convex, and smooth with λ along every coordinate.
pub(crate) fn ridge_is_of_class() -> String {
    format!(
        "{TWO_POINTS}(λ/2)·(Σ_{{j<d}} y_j²) = (λ/2)·(Σ_{{j<d}} x_j²) + (Σ_{{j<d}} (λ·x_j)·(y_j − \
            x_j)) + (Σ_{{j<d}} λ·(y_j − x_j)²)/2"
    )
}

pub(crate) fn ridge(h: &Context, goal: &Goal) -> Proof {
    settle(h, goal, &[])
}

pub(crate) fn is_convex(h: &Context, goal: &Goal) -> Proof {
    settle(h, goal, &[("1", &[&convex(h, "x", "y")?])])
}

pub(crate) fn is_smooth(h: &Context, curved: &Theorem, goal: &Goal) -> Proof {
    settle(h, goal, &[("1", &[&smooth(h, curved, "x", "y")?])])
}

/// ‖G(x) − G(y)‖² ≤ L²‖x − y‖² for the gradient G of a convex and smooth function, from both at four points: with z = x − (G(x) −
/// G(y))/L, ‖G(x) − G(y)‖² ≤ 2L·(F(x) − F(y) − ⟨G(y), x − y⟩), and so the other way round.
pub(crate) fn lipschitz(
    h: &Context,
    [gradient, l]: [&str; 2],
    convex: &dyn Fn(&str, &str) -> Proof,
    smooth: &dyn Fn(&str, &str) -> Proof,
) -> Proof {
    let from = |x: &str, y: &str| {
        format!("⟨{x}[j] − ({gradient}({x}, j) − {gradient}({y}, j))/{l} : j<d⟩")
    };
    let [there, back] = [from("x", "y"), from("y", "x")];
    let facts = [
        smooth("x", &there)?,
        convex("y", &there)?,
        smooth("y", &back)?,
        convex("x", &back)?,
    ];
    let away = format!("({gradient}(x, j) − {gradient}(y, j))");
    let (whole, both) = (inverse(h, &term(h, l)?)?, format!("2·{l}"));
    let rest = format!("(−2)·(1 − {l}/{l})·(Σ_{{j<d}} {away}²)");
    let slack = format!("Σ_{{j<d}} ({away} − {l}·(x_j − y_j))²");
    let parts: &[(&str, &[&Theorem])] = &[
        (&both, &[&facts[0]]),
        (&both, &[&facts[1]]),
        (&both, &[&facts[2]]),
        (&both, &[&facts[3]]),
        (&rest, &[&whole]),
        (&slack, &[]),
    ];
    let goal = format!("Σ_{{j<d}} {away}² ≤ {l}²·(Σ_{{j<d}} (x_j − y_j)²)");
    show(h, &goal, parts)
}
