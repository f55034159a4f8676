//! Second moments of the users' own noise and of that of the edges.

use super::super::swap;
use super::{Parts, Proof, given_for, law, of, on, space};
use crate::decor::kernel::noise::{differences, flat, of_rows};
use crate::moved::written::show;
use dp_assay_kernel::rules::{expected, sum_over};
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

/// E ζ(e, j, z)·ζ(e₂, j, z) = ν²·𝟙\[e=e₂\], for the j, e and f of the context.
fn edge_noise(h: &Context) -> Proof {
    let o = &on(h, "o′")?;
    let edge = given_for(o, of::EDGES, &["o′", "e", "e₂"])?;
    let entry = given_for(o, of::EDGE_ENTRIES, &["o′", "j", "j"])?;
    let parts: Parts<'_> = &[("φ_o′[j]²", &[&edge]), ("χ_o′[e]·𝟙[e=e₂]", &[&entry])];
    let goal = "χ_o′[e]·χ_o′[e₂]·φ_o′[j]² = 𝟙[e=e₂]·χ_o′[e]·φ_o′[j]";
    let all = sum_over(&show(o, goal, parts)?)?;
    let place = given_for(h, of::EDGE_PLACE, &["e", "j"])?;
    let goal = "𝔼_{z∼N_{s′}(0, ν²)}[ζ(e, j, z)·ζ(e₂, j, z)] = ν²·𝟙[e=e₂]";
    show(h, goal, &[("ν²", &[&all]), ("ν²·𝟙[e=e₂]", &[&place])])
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
        "𝔼_{{w∼N_{{n·d}}(0, σ²)}}[Σ_{{j<d}} Σ_{{c<n}} {left}²] = (Σ_{{κ<n}} Σ_{{ϑ<n}} (W_ϑ[κ] − 1/n)²)·d·σ²"
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

/// Σ_k X(k, z) = 0 for the noise z of edges in this coordinate.
pub(super) fn cancels(h: &Context, z: &str) -> Proof {
    let edge = &on(h, "e")?;
    let z_e = z.replace("ι", "e");
    let none = show(
        edge,
        &format!("(Σ_{{k<n}} b(e, k))·{z_e} = 0"),
        &[(&z_e, &[&flat(edge)?])],
    )?;
    let swapped = swap(h, ("k", "n"), ("e", "E"), &format!("b(e, k)·{z_e}"))?;
    let goal = format!("Σ_{{k<n}} X(k, ⟨{z} : ι<E⟩) = 0");
    show(h, &goal, &[("1", &[&swapped]), ("1", &[&sum_over(&none)?])])
}

/// E Σ_j Σ_c (Σ_l (W_l\[c\] − 1/n)·X(l, ζ_j))² = H·M·d·ν².
pub(super) fn edge_spread(h: &Context) -> Proof {
    let z = &h.extended(space("z", "s′"))?;
    let c = &on(z, "j c")?;
    let none = cancels(c, "ζ(ι, j, z)")?;
    let swapped = swap(c, ("l", "n"), ("e", "E"), "W_l[c]·b(e, l)·ζ(e, j, z)")?;
    let along = |e: &str| format!("(Σ_{{l<n}} b({e}, l)·W_l[c])");
    let left = gossiped("X(l, ⟨ζ(ι, j, z) : ι<E⟩)");
    let right = format!("(Σ_{{e<E}} {}·ζ(e, j, z))", along("e"));
    let parts: Parts<'_> = &[("(−1)/n", &[&none]), ("1", &[&swapped])];
    let same = show(c, &format!("{left} = {right}"), parts)?;
    let squares = format!("{left}² = {right}²");
    let same = show(c, &squares, &[(&format!("{left} + {right}"), &[&same])])?;
    let same = expected(&sum_over(&sum_over(&same)?)?, &law(h, "N_{s′}(0, ν²)")?)?;
    let pair = &on(h, "j c e e₂")?;
    let weight = format!("{}·{}", along("e"), along("e₂"));
    let moment = "𝔼_{z∼N_{s′}(0, ν²)}[ζ(e, j, z)·ζ(e₂, j, z)]";
    let goal = format!("{weight}·{moment} = {weight}·ν²·𝟙[e=e₂]");
    let one = show(pair, &goal, &[(&weight, &[&edge_noise(pair)?])])?;
    let all = (0..4).try_fold(one, |all, _| sum_over(&all))?;
    // Of beginnings with ends the sums are the other way round.
    let turned = format!("(Σ_{{l<n}} h_e[l]·W_l[c])·(Σ_{{l<n}} t_e₂[l]·W_l[c])·{moment}");
    let turned = swap(&on(h, "j c")?, ("e", "E"), ("e₂", "E"), &turned)?;
    let turned = sum_over(&sum_over(&turned)?)?;
    let goal = format!("𝔼_{{z∼N_{{s′}}(0, ν²)}}[Σ_{{j<d}} Σ_{{c<n}} {left}²] = H·M·d·ν²");
    let parts: Parts<'_> = &[
        ("1", &[&same]),
        ("1", &[&all]),
        ("(−1)", &[&turned]),
        ("(−1)·d·ν²/2", &[&differences(h, of_rows)?]),
    ];
    show(h, &goal, parts)
}
