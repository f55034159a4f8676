//! Second moments of the users' own noise and of that of the edges.

use super::super::swap;
use super::{Parts, Proof, given_for, law, of, on, space};
use crate::decor::kernel::noise::{differences, flat, of_rows};
use crate::moved::written::{show, term};
use dp_assay_kernel::rules::{discharge, expected, instance, sum_over};
use dp_assay_kernel::statement::Context;

/// Σ_l (W_l\[c\] − 1/n)·body(l).
pub(super) fn gossiped(body: &str) -> String {
    format!("(Σ_{{l<n}} (W_l[c] − 1/n)·{body})")
}

/// E x(k, j, w)·x(l, j, w) = σ²·𝟙\[k=l\], for the j, k and l of the context.
fn own_noise(h: &Context) -> Proof {
    let o = &on(h, "o")?;
    let user = given_for(o, of::USERS, &["o", "k", "l"])?;
    let entry = given_for(o, of::ENTRIES, &["o", "j", "j"])?;
    let parts: Parts<'_> = &[("β_o[j]²", &[&user]), ("Θ_o[k]·𝟙[k=l]", &[&entry])];
    let goal = "Θ_o[k]·Θ_o[l]·β_o[j]² = 𝟙[k=l]·Θ_o[k]·β_o[j]";
    let all = sum_over(&show(o, goal, parts)?)?;
    let place = given_for(h, of::PLACE, &["k", "j"])?;
    let goal = "𝔼_{w∼N_{n·d}(0, σ²)}[x(k, j, w)·x(l, j, w)] = σ²·𝟙[k=l]";
    show(h, goal, &[("σ²", &[&all]), ("σ²·𝟙[k=l]", &[&place])])
}

/// E ζ(e, j, z)·ζ(e₂, j, z) = variance·𝟙\[e=e₂\], for the j, e and e₂ of the context.
fn edge_noise(h: &Context, variance: &str) -> Proof {
    let o = &on(h, "o′")?;
    let edge = given_for(o, of::EDGES, &["o′", "e", "e₂"])?;
    let entry = given_for(o, of::EDGE_ENTRIES, &["o′", "j", "j"])?;
    let parts: Parts<'_> = &[("φ_o′[j]²", &[&edge]), ("χ_o′[e]·𝟙[e=e₂]", &[&entry])];
    let goal = "χ_o′[e]·χ_o′[e₂]·φ_o′[j]² = 𝟙[e=e₂]·χ_o′[e]·φ_o′[j]";
    let all = sum_over(&show(o, goal, parts)?)?;
    let place = given_for(h, of::EDGE_PLACE, &["e", "j"])?;
    let goal = format!("{} = {variance}·𝟙[e=e₂]", edge_moment(variance));
    let weight = format!("{variance}·𝟙[e=e₂]");
    show(h, &goal, &[(variance, &[&all]), (&weight, &[&place])])
}

fn edge_moment(variance: &str) -> String {
    format!("𝔼_{{z∼N_{{E·d}}(0, {variance})}}[ζ(e, j, z)·ζ(e₂, j, z)]")
}

/// For every vector α of numbers for the edges: E(Σ_e α_e·ζ(e, j, z))² = variance·Σ_e α_e², for the j of the context.
fn along(h: &Context, variance: &str) -> Proof {
    let alpha = &h.extended(space("α", "E"))?;
    let pair = &on(alpha, "e e₂")?;
    let goal = format!(
        "α_e·α_e₂·{} = α_e·α_e₂·{variance}·𝟙[e=e₂]",
        edge_moment(variance)
    );
    let one = show(
        pair,
        &goal,
        &[("α_e·α_e₂", &[&edge_noise(pair, variance)?])],
    )?;
    let all = sum_over(&sum_over(&one)?)?;
    let goal = format!(
        "𝔼_{{z∼N_{{E·d}}(0, {variance})}}[(Σ_{{ι<E}} α_ι·ζ(ι, j, z))²] = {variance}·(Σ_{{ι<E}} \
            α_ι²)"
    );
    discharge(&show(alpha, &goal, &[("1", &[&all])])?)
}

/// Σ_c Σ_l W_l\[c\]·body(l) = Σ_l body(l).
fn rows(h: &Context, body: &str) -> Proof {
    let swapped = swap(h, ("c", "n"), ("l", "n"), &format!("W_l[c]·{body}"))?;
    let l = &on(h, "l")?;
    let row = given_for(l, of::ROWS, &["l"])?;
    let row = show(
        l,
        &format!("(Σ_{{κ<n}} W_l[κ])·{body} = {body}"),
        &[(body, &[&row])],
    )?;
    let goal = format!("Σ_{{c<n}} Σ_{{l<n}} W_l[c]·{body} = Σ_{{l<n}} {body}");
    show(h, &goal, &[("1", &[&swapped]), ("1", &[&sum_over(&row)?])])
}

/// E Σ_j Σ_c (Σ_l (W_l\[c\] − 1/n)·x(l, j, w))² = Σ_c Σ_l (W_l\[c\] − 1/n)²·d·σ².
pub(super) fn own_spread(h: &Context) -> Proof {
    let w = &h.extended(space("w", "n·d"))?;
    let j = &on(w, "j")?;
    let left = gossiped("x(l, j, w)");
    let [mixed, all] = ["(Σ_{l<n} W_l[c]·x(l, j, w))", "(Σ_{l<n} x(l, j, w))"];
    let goal = format!("Σ_{{c<n}} {left}² = (Σ_{{c<n}} {mixed}²) − {all}²/n");
    let split = rows(j, "x(l, j, w)")?;
    let split = show(j, &goal, &[(&format!("(−2)·{all}/n"), &[&split])])?;
    let split = expected(&sum_over(&split)?, &law(h, "N_{n·d}(0, σ²)")?)?;
    let moment = "𝔼_{w∼N_{n·d}(0, σ²)}[x(k, j, w)·x(l, j, w)]";
    let pairs = |names: &str, weight: &str| {
        let pair = &on(h, names)?;
        let goal = format!("{weight}·{moment} = {weight}·σ²·𝟙[k=l]");
        let one = show(pair, &goal, &[(weight, &[&own_noise(pair)?])])?;
        names.split(' ').try_fold(one, |all, _| sum_over(&all))
    };
    let (of_mixed, of_all) = (pairs("j c k l", "W_k[c]·W_l[c]")?, pairs("j k l", "1")?);
    let flat = rows(h, "1")?;
    let goal = format!(
        "𝔼_{{w∼N_{{n·d}}(0, σ²)}}[Σ_{{j<d}} Σ_{{c<n}} {left}²] = (Σ_{{κ<n}} Σ_{{ϑ<n}} (W_ϑ[κ] − \
            1/n)²)·d·σ²"
    );
    let parts: Parts<'_> = &[
        ("1", &[&split]),
        ("1", &[&of_mixed]),
        ("(−1)/n", &[&of_all]),
        ("2·d·σ²/n", &[&flat]),
    ];
    show(h, &goal, parts)
}

/// Σ_j E(mean of the users' own noise)² = d·σ²/n.
pub(super) fn own_mean(h: &Context) -> Proof {
    let all = own_noise(&on(h, "j k l")?)?;
    let all = sum_over(&sum_over(&sum_over(&all)?)?)?;
    let left = "𝔼_{w∼N_{n·d}(0, σ²)}[((Σ_{κ<n} x(κ, j, w))/n)²]";
    let goal = format!("Σ_{{j<d}} {left} = d·σ²/n");
    show(h, &goal, &[("1/n²", &[&all])])
}

/// The factor of the noise of edge e in what user k adds.
pub(super) type Factor<'a> = &'a dyn Fn(&str, &str) -> String;

/// All noise of edges.
pub(super) fn whole(e: &str, k: &str) -> String {
    format!("b({e}, {k})")
}

/// What user k adds of the noise z, entry j, with these factors.
pub(super) fn added(factor: Factor<'_>, k: &str, j: &str, z: &str) -> String {
    format!("(Σ_{{e′<E}} {}·ζ(e′, {j}, {z}))", factor("e′", k))
}

/// What all users add is 0, as `flat` says of their factors for an edge e: for the j and z of the context.
pub(super) fn cancels(
    h: &Context,
    factor: Factor<'_>,
    z: &str,
    flat: &dyn Fn(&Context) -> Proof,
) -> Proof {
    let edge = &on(h, "e")?;
    let noise = format!("ζ(e, j, {z})");
    let none = format!("(Σ_{{k<n}} {})·{noise} = 0", factor("e", "k"));
    let none = sum_over(&show(edge, &none, &[(&noise, &[&flat(edge)?])])?)?;
    let body = format!("{}·{noise}", factor("e", "k"));
    let swapped = swap(h, ("k", "n"), ("e", "E"), &body)?;
    let goal = format!("Σ_{{k<n}} {} = 0", added(factor, "k", "j", z));
    show(h, &goal, &[("1", &[&swapped]), ("1", &[&none])])
}

/// Σ_c Σ_e (Σ_l factor(e, l)·W_l\[c\])².
pub(super) fn through(factor: Factor<'_>) -> String {
    let factor = factor("e′", "κ′");
    format!("(Σ_{{κ<n}} Σ_{{e′<E}} (Σ_{{κ′<n}} {factor}·W_κ′[κ])²)")
}

/// E Σ_j Σ_c (Σ_l (W_l\[c\] − 1/n)·(what l adds, entry j))² = d·variance·Σ_c Σ_e (Σ_l factor(e, l)·W_l\[c\])².
pub(super) fn edge_spread(
    h: &Context,
    factor: Factor<'_>,
    variance: &str,
    flat: &dyn Fn(&Context) -> Proof,
) -> Proof {
    let z = &h.extended(space("z", "E·d"))?;
    let c = &on(z, "j c")?;
    let none = cancels(c, factor, "z", flat)?;
    let body = format!("W_l[c]·{}·ζ(e, j, z)", factor("e", "l"));
    let swapped = swap(c, ("l", "n"), ("e", "E"), &body)?;
    let left = gossiped(&added(factor, "l", "j", "z"));
    let total = |e: &str| format!("(Σ_{{l<n}} {}·W_l[c])", factor(e, "l"));
    let right = format!("(Σ_{{e<E}} {}·ζ(e, j, z))", total("e"));
    let parts: Parts<'_> = &[("(−1)/n", &[&none]), ("1", &[&swapped])];
    let same = show(c, &format!("{left} = {right}"), parts)?;
    let squares = format!("{left}² = {right}²");
    let same = show(c, &squares, &[(&format!("{left} + {right}"), &[&same])])?;
    let noise = format!("N_{{E·d}}(0, {variance})");
    let same = expected(&sum_over(&sum_over(&same)?)?, &law(h, &noise)?)?;
    let c = &on(h, "j c")?;
    let totals = term(c, &format!("⟨{} : ι<E⟩", total("ι")))?;
    let all = instance(c, &along(c, variance)?, &totals)?;
    let all = sum_over(&sum_over(&all)?)?;
    let goal = format!(
        "𝔼_{{z∼{noise}}}[Σ_{{j<d}} Σ_{{c<n}} {left}²] = d·{variance}·{}",
        through(factor)
    );
    show(h, &goal, &[("1", &[&same]), ("1", &[&all])])
}

/// Σ_c Σ_e (Σ_l b(e, l)·W_l\[c\])² = H·M.
pub(super) fn whole_through(h: &Context) -> Proof {
    let goal = format!("{} = H·M", through(&whole));
    show(h, &goal, &[("(−1)/2", &[&differences(h, of_rows)?])])
}

/// Of all noise of edges that is H·M·d·ν².
pub(super) fn whole_spread(h: &Context) -> Proof {
    let (spread, all) = (edge_spread(h, &whole, "ν²", &flat)?, whole_through(h)?);
    let left = gossiped(&added(&whole, "l", "j", "z"));
    let goal = format!("𝔼_{{z∼N_{{E·d}}(0, ν²)}}[Σ_{{j<d}} Σ_{{c<n}} {left}²] = H·M·d·ν²");
    show(h, &goal, &[("1", &[&spread]), ("d·ν²", &[&all])])
}
