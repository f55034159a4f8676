//! What a step and gossip do to means and spreads, for any vector that all hold.

use super::super::swap;
use super::{MEAN, Parts, Proof, all_hold, given_for, mixed, of, on, space, step};
use crate::moved::written::{extended, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, assume, chain, discharge, instance, smooth, sum_over};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Sort};
use dp_assay_kernel::term::var;

/// Σ_ι γ_ι\[k\]·δ_ι\[j\]·Σ_l Σ_i γ_ι\[l\]·δ_ι\[i\]·body(l, i) = body(k, j) for the k and j of the context, which [`all_hold`] has at x.
pub(super) fn holds(h: &Context, body: &dyn Fn(&str, &str) -> String) -> Proof {
    let inside = &on(h, "o l i")?;
    let user = given_for(inside, of::USERS, &["o", "k", "l"])?;
    let entry = given_for(inside, of::ENTRIES, &["o", "j", "i"])?;
    let (one, here) = (body("l", "i"), body("k", "j"));
    let goal = format!("Θ_o[k]·β_o[j]·Θ_o[l]·β_o[i]·({one}) = Θ_o[k]·β_o[j]·𝟙[k=l]·𝟙[j=i]·({one})");
    let parts: Parts<'_> = &[
        (&format!("β_o[j]·β_o[i]·({one})"), &[&user]),
        (&format!("Θ_o[k]·𝟙[k=l]·({one})"), &[&entry]),
    ];
    let all = sum_over(&sum_over(&sum_over(&show(inside, &goal, parts)?)?)?)?;
    let place = given_for(h, of::PLACE, &["k", "j"])?;
    let parts: Parts<'_> = &[("1", &[&all]), (&here, &[&place])];
    show(h, &format!("x(k, j, {}) = {here}", all_hold(body)), parts)
}

/// Gossip leaves means alone, in a context with y and j.
fn means(h: &Context, y: &str) -> Proof {
    let gossip = mixed(y);
    let one = sum_over(&holds(&on(h, "k")?, &gossip)?)?;
    let body = format!("W_l[k]·x(l, j, {y})");
    let swapped = swap(h, ("k", "n"), ("l", "n"), &body)?;
    let l = &on(h, "l")?;
    let (row, x) = (given_for(l, of::ROWS, &["l"])?, format!("x(l, j, {y})"));
    let row = show(
        l,
        &format!("(Σ_{{κ<n}} W_l[κ])·{x} = {x}"),
        &[(&x, &[&row])],
    )?;
    let goal = format!("ā(j, {}) = ā(j, {y})", all_hold(&gossip));
    let row = sum_over(&row)?;
    let parts: Parts<'_> = &[("1/n", &[&one]), ("1/n", &[&swapped]), ("1/n", &[&row])];
    show(h, &goal, parts)
}

/// Ξ after gossip, in a context with y.
fn spread(h: &Context, y: &str) -> Proof {
    let gossip = mixed(y);
    let j = &on(h, "j")?;
    let mean = means(j, y)?;
    let k = &on(j, "k")?;
    let one = holds(k, &gossip)?;
    let all = all_hold(&gossip);
    let away = format!("(x(k, j, {all}) − ā(j, {all}))");
    let sum = |k: &str, j: &str| format!("(Σ_{{κ′<n}} (W_κ′[{k}] − 1/n)·x(κ′, {j}, {y}))");
    let new = sum("k", "j");
    let parts: Parts<'_> = &[("1", &[&one]), ("(−1)", &[&mean])];
    let same = show(k, &format!("{away} = {new}"), parts)?;
    let squares = format!("{away}² = {new}²");
    let squares = show(k, &squares, &[(&format!("{away} + {new}"), &[&same])])?;
    let squares = sum_over(&sum_over(&squares)?)?;
    let goal = format!("Ξ({all}) = (Σ_{{ϑ<d}} Σ_{{κ<n}} {}²)/n", sum("κ", "ϑ"));
    show(h, &goal, &[("1/n", &[&squares])])
}

/// Σ_j Σ_c (Σ_l (W_l\[c\] − 1/n)·body(l, j))²/n: what gossip leaves of the spread.
pub(super) fn left_of(body: &dyn Fn(&str, &str) -> String) -> String {
    let one = body("κ′", "ϑ");
    format!("((Σ_{{ϑ<d}} Σ_{{κ<n}} (Σ_{{κ′<n}} (W_κ′[κ] − 1/n)·{one})²)/n)")
}

pub(super) fn held(y: &str) -> impl Fn(&str, &str) -> String {
    move |k: &str, j: &str| format!("x({k}, {j}, {y})")
}

/// F(x̄) + ⟨∇F(x̄), u⟩ + (L/2)·‖u‖² for the entries u of a move of the mean.
pub(super) fn model_of(u: &str) -> String {
    format!("(F({MEAN}) + (Σ_{{ϑ<d}} D({MEAN}, ϑ)·{u}) + (L/2)·(Σ_{{ϑ<d}} {u}²))")
}

pub(super) fn away(y: &str) -> String {
    model_of(&format!("(ā(ϑ, {y}) − ā(ϑ, v))"))
}

/// For every y: after gossip Ξ is what it leaves, and F at the mean is at most its model.
pub(super) fn gossips(h: &Context) -> Result<[Theorem; 2], Stuck> {
    let new = all_hold(&mixed("y"));
    let goal = format!("Ξ({new}) = {}", left_of(&held("y")));
    let spread = show(h, &goal, &[("1", &[&spread(h, "y")?])])?;
    let j = &on(h, "j")?;
    let (a, slope) = (format!("ā(j, {new})"), format!("∂_j ψ({MEAN})"));
    let (apart, u) = (format!("({a} − ā(j, v))"), "(ā(j, y) − ā(j, v))");
    let kept = means(j, "y")?;
    let curvature = given_for(j, of::CURVATURE, &["j"])?;
    let gradient = given_for(j, of::GRADIENT, &[MEAN, "j"])?;
    let goal = format!(
        "{slope}·{apart} + Ω_j·{apart}²/2 − (L/2)·{a}² + (L/2)·ā(j, v)² = D({MEAN}, j)·{u} + \
            (L/2)·{u}²"
    );
    let turned = format!("{slope} + L·({apart} + {u}) − (L/2)·({a} + ā(j, y))");
    let parts: Parts<'_> = &[
        (&format!("{apart}²/2"), &[&curvature]),
        (&turned, &[&kept]),
        (u, &[&gradient]),
    ];
    let one = sum_over(&show(j, &goal, parts)?)?;
    let end = format!("⟨ā(ι, {new}) : ι<d⟩");
    let tangent = smooth(h, "ψ", &term(h, MEAN)?, &term(h, &end)?)?;
    let goal = format!("F({end}) ≤ {}", away("y"));
    Ok([
        spread,
        show(h, &goal, &[("1", &[&tangent]), ("1", &[&one])])?,
    ])
}

/// Something for user k and entry j.
pub(super) type Entries<'a> = &'a dyn Fn(&str, &str) -> String;

/// What is proved for any u in which x(k, j, u) = x(k, j, from) − η·body(k, j), for the step.
pub(super) fn by_step(
    h: &Context,
    from: &str,
    body: Entries<'_>,
    prove: &dyn Fn(&Context) -> Proof,
) -> Proof {
    let value = step(from, body);
    by_value(h, (from, body), &value, &|k| holds(k, body), prove)
}

/// The same for such a value: it is from_ι − η·(what has the entries `body`), as `places` says for the k and j of the context.
pub(super) fn by_value(
    h: &Context,
    (from, body): (&str, Entries<'_>),
    value: &str,
    places: &dyn Fn(&Context) -> Proof,
    prove: &dyn Fn(&Context) -> Proof,
) -> Proof {
    let every = for_every_step(h, (from, body), prove)?;
    let k = &on(h, "j k")?;
    let goal = format!("x(k, j, {value}) = {}", told(from, body, "k", "j"));
    let places = show(k, &goal, &[("(−1)·η(r)", &[&places(k)?])])?;
    at_step(h, &every, value, &places)
}

/// x(k, j, from) − η·body(k, j).
pub(super) fn told(from: &str, body: Entries<'_>, k: &str, j: &str) -> String {
    format!("x({k}, {j}, {from}) − η(r)·{}", body(k, j))
}

/// What is proved of u, for every u in which x(k, j, u) = x(k, j, from) − η·body(k, j).
pub(super) fn for_every_step(
    h: &Context,
    (from, body): (&str, Entries<'_>),
    prove: &dyn Fn(&Context) -> Proof,
) -> Proof {
    let u = &h.extended(space("u", "n·d"))?;
    let given = extended(
        u,
        &format!(
            "assume for every index j′<d: for every index k′<n: x(k′, j′, u) = {}",
            told(from, body, "k′", "j′")
        ),
    )?;
    discharge(&discharge(&prove(&given)?)?)
}

/// That for this value, as `places` says, for a j and then a k behind the context, that it is such a u.
pub(super) fn at_step(h: &Context, every: &Theorem, value: &str, places: &Theorem) -> Proof {
    let places = discharge(&discharge(places)?)?;
    // The same with the names of what is supposed.
    let names = h.with([("j′", "d"), ("k′", "n")].map(|(x, d)| item(x, Sort::Index(var(d)))))?;
    let places = instance(&names, &instance(&names, &places, &var("j′"))?, &var("k′"))?;
    let places = discharge(&discharge(&places)?)?;
    chain(h, &instance(h, every, &term(h, value)?)?, &places)
}

/// The last hypothesis of [`by_step`], for the user k and the entry j of the context.
pub(super) fn of_step(h: &Context, u: &Context) -> Proof {
    let told = assume(h, u.items().len() - 1)?;
    instance(h, &instance(h, &told, &var("j"))?, &var("k"))
}

/// Where u is a step, what gossip leaves of the spread of u, and the move of its mean.
pub(super) fn of_stepped(
    u: &Context,
    from: &str,
    body: Entries<'_>,
) -> Result<[Theorem; 2], Stuck> {
    let c = &on(u, "j c")?;
    let told = |k: &str, j: &str| format!("(x({k}, {j}, {from}) − η(r)·{})", body(k, j));
    let one = of_step(&on(c, "k")?, u)?;
    let k = &on(c, "k")?;
    let weighted = format!(
        "(W_k[c] − 1/n)·x(k, j, u) = (W_k[c] − 1/n)·{}",
        told("k", "j")
    );
    let one = sum_over(&show(k, &weighted, &[("W_k[c] − 1/n", &[&one])])?)?;
    let old = "(Σ_{κ′<n} (W_κ′[c] − 1/n)·x(κ′, j, u))";
    let new = format!("(Σ_{{κ′<n}} (W_κ′[c] − 1/n)·{})", told("κ′", "j"));
    let squares = format!("{old}² = {new}²");
    let squares = show(c, &squares, &[(&format!("{old} + {new}"), &[&one])])?;
    let squares = sum_over(&sum_over(&squares)?)?;
    let goal = format!("{} = {}", left_of(&held("u")), left_of(&told));
    let squares = show(u, &goal, &[("1/n", &[&squares])])?;
    let j = &on(u, "j")?;
    let all = sum_over(&of_step(&on(j, "k")?, u)?)?;
    let goal = format!(
        "ā(j, u) = ā(j, {from}) − η(r)·((Σ_{{κ<n}} {})/n)",
        body("κ", "j")
    );
    Ok([squares, show(j, &goal, &[("1/n", &[&all])])?])
}
