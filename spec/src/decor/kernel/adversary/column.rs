//! The column of the inverse covariance that belongs to user i, where a group knows the noise of its own edges.

use super::super::noise::{flat, with};
use super::super::swap;
use super::{Parts, Proof, of};
use crate::moved::written::{given_for, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{assume, chain, instance, inverse, sum_over};
use dp_assay_kernel::statement::{Context, Item};
use dp_assay_kernel::term::var;

/// (V + aU)·(1/(V + aU)) = 1.
pub(in super::super) fn unity(h: &Context) -> Proof {
    inverse(h, &term(h, "V + a·U")?)
}

/// The system whose solution is column i of the inverse covariance of the noise that is not known.
pub(in super::super) fn system(i: &str) -> String {
    format!(
        "for every index k′<n: V·π_k′ + U·(Σ_{{e<E}} υ_e[k′]·(Σ_{{l<n}} υ_e[l]·π_l)) = 𝟙[k′={i}]"
    )
}

/// Row k of it, for the k of the context.
pub(in super::super) fn equation(h: &Context) -> Proof {
    let is = |item: &Item| matches!(item, Item::Assume(_));
    let system = h.items().iter().rposition(is);
    let system = system.ok_or_else(|| Stuck::new("no system"))?;
    instance(h, &assume(h, system)?, &var("k"))
}

/// The noise of edge e along π, and what users outside the group add to it of π.
const ALONG: &str = "(Σ_{l<n} υ_e[l]·π_l)";
const TOTAL: &str = "(Σ_{κ<n} (1 − ϖ_κ)·π_κ)";
/// How many ends of edge e in the group are its beginning, and its end.
const BEGINS: &str = "(Σ_{κ<n} ϖ_κ·h_e[κ])";
const STOPS: &str = "(Σ_{κ<n} ϖ_κ·t_e[κ])";

/// Of an end of edge e, h or t, at user k: end_k·(Σ_κ ϖ_κ·end_κ) = end_k·ϖ_k.
fn one_end(h: &Context, n: usize, end: &str) -> Proof {
    let l = &with(h, "l")?;
    let hot = given_for(l, n, &["e", "k", "l"])?;
    let goal = format!("ϖ_l·{end}_e[k]·{end}_e[l] = ϖ_l·{end}_e[k]·𝟙[k=l]");
    let all = sum_over(&show(l, &goal, &[("ϖ_l", &[&hot])])?)?;
    let goal = format!("{end}_e[k]·(Σ_{{κ<n}} ϖ_κ·{end}_e[κ]) = {end}_e[k]·ϖ_k");
    show(h, &goal, &[("1", &[&all])])
}

/// ϖ_k·υ_e\[k\] = 0, for the e and k of the context: of what is not known no edge ends in the group.
fn outside(h: &Context) -> Proof {
    let (begins, stops) = (one_end(h, of::BEGINS, "h")?, one_end(h, of::STOPS, "t")?);
    let bit = given_for(h, of::BITS, &["k"])?;
    let left = given_for(h, of::LEFT, &["e", "k"])?;
    let parts: Parts<'_> = &[
        ("ϖ_k", &[&left]),
        (
            &format!("(1 − {BEGINS})·t_e[k] − (1 − {STOPS})·h_e[k]"),
            &[&bit],
        ),
        (&format!("(−1)·(1 − {STOPS})·ϖ_k"), &[&begins]),
        (&format!("(1 − {BEGINS})·ϖ_k"), &[&stops]),
    ];
    show(h, "ϖ_k·υ_e[k] = 0", parts)
}

/// (Σ_κ ϖ_κ·end_κ)² = Σ_κ ϖ_κ·end_κ, for the e of the context.
fn end_is_bit(h: &Context, n: usize, end: &str) -> Proof {
    let k = &with(h, "k")?;
    let (one, bit) = (one_end(k, n, end)?, given_for(k, of::BITS, &["k"])?);
    let all = format!("(Σ_{{κ<n}} ϖ_κ·{end}_e[κ])");
    let goal = format!("ϖ_k·{end}_e[k]·{all} = ϖ_k·{end}_e[k]");
    let parts: Parts<'_> = &[("ϖ_k", &[&one]), (&format!("{end}_e[k]"), &[&bit])];
    let sum = sum_over(&show(k, &goal, parts)?)?;
    show(h, &format!("{all}² = {all}"), &[("1", &[&sum])])
}

/// Σ_l b(e, l)·π_l.
const OF_GRAPH: &str = "(Σ_{l<n} b(e, l)·π_l)";

/// ω(e, ϖ)² = ω(e, ϖ), for the e of the context.
pub(in super::super) fn edge_is_bit(h: &Context) -> Proof {
    let begins = end_is_bit(h, of::BEGINS, "h")?;
    let stops = end_is_bit(h, of::STOPS, "t")?;
    let parts: Parts<'_> = &[
        (&format!("1 − {STOPS}"), &[&begins]),
        (&format!("(1 − {BEGINS})²"), &[&stops]),
    ];
    show(h, "ω(e, ϖ)² = ω(e, ϖ)", parts)
}

/// Σ_l υ_e\[l\]·π_l = ω(e, ϖ)·(Σ_l b(e, l)·π_l), for the e of the context.
fn along(h: &Context) -> Proof {
    let k = &with(h, "k")?;
    let left = given_for(k, of::LEFT, &["e", "k"])?;
    let goal = "υ_e[k]·π_k = ω(e, ϖ)·b(e, k)·π_k";
    let all = sum_over(&show(k, goal, &[("π_k", &[&left])])?)?;
    show(
        h,
        &format!("{ALONG} = ω(e, ϖ)·{OF_GRAPH}"),
        &[("1", &[&all])],
    )
}

/// ω(e, ϖ)·(Σ_l b(e, l)·π_l)² = (Σ_l υ_e\[l\]·π_l)², for the e of the context.
fn squares(h: &Context) -> Proof {
    let turned = format!("(−1)·({ALONG} + ω(e, ϖ)·{OF_GRAPH})");
    let parts: Parts<'_> = &[
        (&turned, &[&along(h)?]),
        (&format!("(−1)·{OF_GRAPH}²"), &[&edge_is_bit(h)?]),
    ];
    show(h, &format!("ω(e, ϖ)·{OF_GRAPH}² = {ALONG}²"), parts)
}

/// Σ_k υ_e\[k\] = 0, for the e of the context.
pub(in super::super) fn flat_left(h: &Context) -> Proof {
    let k = &with(h, "k")?;
    let left = sum_over(&given_for(k, of::LEFT, &["e", "k"])?)?;
    let parts: Parts<'_> = &[("1", &[&left]), ("ω(e, ϖ)", &[&flat(h)?])];
    show(h, "Σ_{k<n} υ_e[k] = 0", parts)
}

/// π_i ≤ 1/(mV) + (1 − 1/m)/(V + aU). With y = 1 − ϖ, X = Σ_k y_k·π_k, Q = Σ_k y_k·π_k², R = Q − X²/m, E = Σ_e (υ_eᵀπ)² and
/// λ = 1/(V + aU): VX = 1, VQ + UE = π_i and aR ≤ E, so that u = π_i − X/m ≥ (V + aU)R; and 0 ≤ Σ_k y_k·(π_k − X/m −
/// λ(𝟙\[k=i\] − 1/m))² = R − 2λu + λ²(1 − 1/m).
pub(in super::super) fn inverse_entry(h: &Context, i: &str) -> Proof {
    let (k, e) = (&with(h, "k")?, &with(h, "e")?);
    let (count, own) = (
        given_for(h, of::COUNT, &[])?,
        given_for(h, of::HONEST, &[])?,
    );
    let swapped = |body: &str| swap(h, ("k", "n"), ("e", "E"), body);
    let none = outside(&with(k, "e")?)?;
    let goal = format!("ϖ_k·υ_e[k]·{ALONG} = 0");
    let none = sum_over(&show(&with(k, "e")?, &goal, &[(ALONG, &[&none])])?)?;
    let goal = format!("(1 − ϖ_k)·V·π_k + U·(Σ_{{e<E}} υ_e[k]·{ALONG}) = (1 − ϖ_k)·𝟙[k={i}]");
    let parts: Parts<'_> = &[("1 − ϖ_k", &[&equation(k)?]), ("U", &[&none])];
    let row = show(k, &goal, parts)?;
    // VX = 1.
    let flat = format!("{ALONG}·(Σ_{{k<n}} υ_e[k]) = 0");
    let flat = sum_over(&show(e, &flat, &[(ALONG, &[&flat_left(e)?])])?)?;
    let parts: Parts<'_> = &[
        ("1", &[&sum_over(&row)?]),
        ("(−1)", &[&own]),
        ("(−1)·U", &[&swapped(&format!("υ_e[k]·{ALONG}"))?]),
        ("(−1)·U", &[&flat]),
    ];
    let mean = show(h, &format!("V·{TOTAL} = 1"), parts)?;
    // VQ + UE = π_i.
    let goal =
        format!("π_k·((1 − ϖ_k)·V·π_k + U·(Σ_{{e<E}} υ_e[k]·{ALONG})) = π_k·(1 − ϖ_k)·𝟙[k={i}]");
    let weighted = sum_over(&show(k, &goal, &[("π_k", &[&row])])?)?;
    let parts: Parts<'_> = &[
        ("1", &[&weighted]),
        (&format!("(−1)·π_{i}"), &[&own]),
        ("(−1)·U", &[&swapped(&format!("π_k·υ_e[k]·{ALONG}"))?]),
    ];
    let goal = format!("V·(Σ_{{k<n}} (1 − ϖ_k)·π_k²) + U·(Σ_{{e<E}} {ALONG}²) = π_{i}");
    let energy = show(h, &goal, parts)?;
    // aR ≤ E.
    let group = given_for(h, of::CONNECTED, &["ϖ"])?;
    let group = chain(h, &group, &given_for(h, of::BITS, &[])?)?;
    let gap = instance(h, &chain(h, &group, &count)?, &var("π"))?;
    let edges = sum_over(&squares(e)?)?;
    let lambda = "(1/(V + a·U))";
    let test = format!("(π_k − {TOTAL}/m − {lambda}·(𝟙[k={i}] − 1/m))");
    let bit = given_for(k, of::BITS, &["k"])?;
    let goal = format!("((1 − ϖ_k)·{test})² = (1 − ϖ_k)·{test}²");
    let square = sum_over(&show(k, &goal, &[(&format!("{test}²"), &[&bit])])?)?;
    let parts: Parts<'_> = &[
        (&format!("(V + a·U)·(Σ_{{k<n}} ((1 − ϖ_k)·{test})²)"), &[]),
        ("V + a·U", &[&square]),
        (&format!("(V + a·U)·({TOTAL} − {lambda})²/m²"), &[&count]),
        (
            &format!("(V + a·U)·{lambda}·(2·(π_{i} − {TOTAL}/m) − {lambda}·(1 − 2/m))"),
            &[&own],
        ),
        (
            &format!("{lambda}·(1 − 1/m) − 2·(π_{i} − {TOTAL}/m)"),
            &[&unity(h)?],
        ),
        ("1", &[&energy]),
        ("U", &[&gap]),
        ("U", &[&edges]),
        (&format!("(−1)·a·U·{TOTAL}²/m²"), &[&count]),
        (&format!("1/(m·V) − {TOTAL}/m"), &[&mean]),
    ];
    let goal = format!("π_{i} ≤ 1/(m·V) + (1 − 1/m)/(V + a·U)");
    show(h, &goal, parts)
}
