//! What one step does, for noise that is not loud.

use super::Proof;
use super::words::{
    AVERAGE, LOUD, OF_DATA, apart, away, combined, here, least, potential, projected, show, term,
    told,
};
use crate::kl::kernel::gradients::cauchy;
use crate::kl::kernel::regularised::shorter;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, below, discharge, instance, inverse, larger, largest, limit, root_increases, triangle,
};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{item, positive};
use dp_assay_kernel::statement::{Context, Goal, Sign, Sort};
use dp_assay_kernel::term::{Term, num, var};

/// The mean of the gradients at x.
pub(super) fn slope(x: &str) -> String {
    format!("⟨(Σ_{{z∈D}} ∂_j f({x}; z))/n : j<d⟩")
}

/// F at y above its tangent at x, but for (L₁/2)·‖y − x‖².
pub(super) fn convex(h: &Context, x: &str, y: &str) -> Proof {
    let every = told(h, OF_DATA[1])?;
    instance(h, &instance(h, &every, &term(h, x)?)?, &term(h, y)?)
}

/// ‖∇F(w)‖ ≤ L₀: on the way along the gradient F grows at least by s·‖∇F(w)‖² − s²·‖∇F(w)‖²·L₁/2, and at most by L₀·s·‖∇F(w)‖.
pub(super) fn bounded(h: &Context) -> Proof {
    let s = &h.extended(positive("s"))?;
    let slope = slope("w");
    let size = format!("‖{slope}‖");
    let way = format!("⟨w_j + s·{slope}[j] : j<d⟩");
    let lipschitz = instance(s, &told(s, OF_DATA[0])?, &term(s, &way)?)?;
    let lipschitz = instance(s, &lipschitz, &var("w"))?;
    let rises = convex(s, "w", &way)?;
    let step = format!("‖⟨{way}[j] − w_j : j<d⟩‖");
    let step = root_increases(&show(s, &format!("{step}² ≤ (s·{size})²"), &[])?)?;
    let most = format!("{size}² ≤ L₀·{size} + ((L₁/2)·{size}²)·s");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/s", &[&rises]),
        ("1/s", &[&lipschitz]),
        ("L₀/s", &[&step]),
    ];
    let found = limit(&show(s, &most, parts)?)?;
    shorter(h, &size, "L₀", &found)
}

/// (L₁/2)·‖x − w⋆‖² ≤ H(x) − H(w⋆): between the two H is at least H(w⋆), and below its chord.
pub(in crate::kl::kernel) fn grows(h: &Context, x: &str) -> Proof {
    let s = &h.extended(positive("s"))?;
    let (far, way) = (apart(x), format!("⟨w⋆_j + s·({x}[j] − w⋆_j) : j<d⟩"));
    let [first, second] = [convex(s, &way, x)?, convex(s, &way, "w⋆")?];
    let every = least(s)?;
    let least = instance(s, &every, &term(s, &way)?)?;
    let nothing = instance(s, &every, &term(s, x)?)?;
    let most = format!("(L₁/2)·{far} ≤ H({x}, w₀) − H(w⋆, w₀) + ((L₁/2)·{far})·s");
    let most = either(s, [&var("s"), &num(1)], |h, order, few| {
        let parts: &[(&str, &[&Theorem])] = match few {
            true => &[
                ("1", &[&first]),
                ("1/s", &[order, &second]),
                ("1/s", &[&least]),
            ],
            false => &[(&format!("(L₁/2)·{far}"), &[order]), ("1", &[&nothing])],
        };
        show(h, &most, parts)
    })?;
    limit(&most)
}

/// The average of t + 1 points is at most the average of H over them, the last one with the weight t + 1.
pub(super) fn averages(h: &Context) -> Proof {
    let [old, new] = [convex(h, AVERAGE, "a")?, convex(h, AVERAGE, "w")?];
    let unit = inverse(h, &term(h, "t + 2")?)?;
    let slope = slope(AVERAGE);
    let turned = format!(
        "2·L₁·(t + 1)·(Σ_{{j<d}} (a_j − w₀_j)·(w_j − a_j)) + (3/(t + 2) + 1/2)·L₁·(t + \
            1)·(Σ_{{j<d}} (w_j − a_j)²) + (t + 1)·(Σ_{{j<d}} {slope}[j]·(w_j − a_j))"
    );
    let parts: &[(&str, &[&Theorem])] = &[
        ("t·(t + 1)/2", &[&old]),
        ("t + 1", &[&new]),
        (&turned, &[&unit]),
        ("(L₁/2)·(t·(t + 1)/(t + 2))·(Σ_{j<d} (w_j − a_j)²)", &[]),
    ];
    let goal = format!(
        "((t + 1)·(t + 2)/2)·(H({AVERAGE}, w₀) − H(w⋆, w₀)) ≤ (t·(t + 1)/2)·(H(a, w₀) − H(w⋆, w₀)) \
            + (t + 1)·(H(w, w₀) − H(w⋆, w₀))"
    );
    show(h, &goal, parts)
}

/// What is projected is in the ball, and no further from w⋆, which is in it (`near`), than before: for every v.
pub(super) fn projection(h: &Context, near: &Theorem) -> Result<[Theorem; 2], Stuck> {
    let h = &h.extended(item("v", Sort::Vector(var("d"), Sign::Any)))?;
    let (size, new) = (away("v"), projected("v"));
    let level = format!("max(r, {size})");
    let (radius, length) = (term(h, "r")?, term(h, &size)?);
    let [low, high] = [false, true].map(|second| larger(h, &radius, &length, second));
    let (low, high) = (low?, high?);
    let square = format!("Σ_{{j<d}} ({new}[j] − w₀_j)² ≤ r²");
    let unit = format!("(r²/{level}²)·({level} + {size})");
    let inside = root_increases(&show(h, &square, &[(&unit, &[&high])])?)?;
    let inside = show(h, &format!("{} ≤ r", away(&new)), &[("1", &[&inside])])?;
    let gap = |x: &str| here(h, &format!("⟨{x}_j − w₀_j : j<d⟩"));
    let product = cauchy(h, &gap("v"), &gap("w⋆"))?;
    let along = format!("Σ_{{j<d}} (v_j − w₀_j)·(w⋆_j − w₀_j) ≤ {size}·r");
    let along = show(h, &along, &[("1", &[&product]), (&size, &[near])])?;
    let goal = format!("{} ≤ {}", apart(&new), apart("v"));
    let closer = either(h, [&length, &radius], |h, order, small| {
        let same = |t: &Term| combined(h, &Goal::Le(t.clone(), t.clone()), &[]);
        let twice = format!("2/{level}");
        if small {
            let top = largest(&same(&radius)?, order)?;
            let parts: &[(&str, &[&Theorem])] = &[
                (&format!("(1 + r/{level})·{size}²/{level}"), &[&low]),
                (&twice, &[&low, &along]),
                (&format!("2·r·{size}/{level}"), &[&top]),
            ];
            return show(h, &goal, parts);
        }
        let top = largest(order, &same(&length)?)?;
        let parts: &[(&str, &[&Theorem])] = &[
            (&format!("r·{size}/{level}²"), &[&low, &top]),
            (&format!("{size}/{level}"), &[&low, order]),
            (&twice, &[&low, &along]),
        ];
        show(h, &goal, parts)
    })?;
    Ok([discharge(&inside)?, discharge(&closer)?])
}

/// (t + 1)·√(t + 1) ≤ t·√t + (3/2)·√(t + 1), and √(t + 1)/(t + 1) ≤ 2·(√(t + 1) − √t).
pub(super) fn roots(h: &Context) -> Result<[Theorem; 2], Stuck> {
    let (u, v) = ("√(t + 1)", "√(t)");
    let power = format!("(t + 1)·{u} ≤ t·{v} + (3/2)·{u}");
    let power = show(h, &power, &[(&format!("({u} − {v})²·({u}/2 + {v})"), &[])])?;
    let unit = inverse(h, &term(h, "t + 1")?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("({u}/(t + 1))·({u} − {v})²"), &[]),
        (&format!("2·({u} − {v})"), &[&unit]),
    ];
    let sum = show(h, &format!("{u}/(t + 1) ≤ 2·({u} − {v})"), parts)?;
    Ok([power, sum])
}

/// Ψ after a round whose noise g is at most c, for a w in the ball (`near`), where u is no further from w⋆ than the step.
pub(super) fn descent(h: &Context, [near, quiet]: [&Theorem; 2], closer: &Theorem) -> Proof {
    let (u, far) = ("√(t + 1)", apart("w"));
    let query = "⟨(Σ_{z∈D} ∂_j f(w; z))/n + 2·L₁·(w_j − w₀_j) : j<d⟩";
    let (steep, grows, averages) = (bounded(h)?, grows(h, "w")?, averages(h)?);
    let [power, sum] = roots(h)?;
    let shorter = root_increases(&below(h, "t")?)?;
    // ‖q + g‖ ≤ ‖∇F(w)‖ + 2L₁·‖w − w₀‖ + ‖g‖ ≤ 2L₀ + c.
    let minus = |x: &str| term(h, &format!("⟨(−1)·{x} : j<d⟩"));
    let first = triangle(h, &term(h, &slope("w"))?, &minus("(2·L₁·(w_j − w₀_j))")?)?;
    let second = triangle(h, &term(h, query)?, &minus("g_j")?)?;
    let whole = format!("‖⟨{query}[j] + g_j : j<d⟩‖");
    let scaled = "‖⟨(−1)·(2·L₁·(w_j − w₀_j)) : j<d⟩‖";
    let scaled = root_increases(&show(
        h,
        &format!("{scaled}² ≤ (2·L₁·{})²", away("w")),
        &[],
    )?)?;
    let limit = format!("(2·L₀ + {LOUD})");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&first]),
        ("1", &[&second]),
        ("1", &[&steep]),
        ("1", &[&scaled]),
        ("2·L₁", &[near]),
        ("1", &[quiet]),
    ];
    let size = show(h, &format!("{whole} ≤ {limit}"), parts)?;
    let along = convex(h, "w", "w⋆")?;
    let unit = inverse(h, &term(h, "t + 1")?)?;
    let turned = format!(
        "(2·√(T)·{u}·{whole}²/L₁)/(t + 1) − 4·√(T)·{u}·(Σ_{{j<d}} ({query}[j] + g_j)·(w_j − w⋆_j))"
    );
    let share = format!("(2·√(T)·{u}/L₁)/(t + 1)");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&averages]),
        (&format!("2·L₁·√(T)·(t + 1)·{u}"), &[closer]),
        (&turned, &[&unit]),
        (&format!("({share})·({whole} + {limit})"), &[&size]),
        (&format!("2·√(T)·{limit}²/L₁"), &[&sum]),
        (&format!("4·√(T)·{u}"), &[&along]),
        (&format!("3·√(T)·{u}"), &[&grows]),
        (u, &[&shorter, &grows]),
        (&format!("2·L₁·√(T)·{far}"), &[&power]),
        (&format!("L₁·{u}·{far}"), &[&shorter]),
    ];
    let after = potential("t + 1", AVERAGE, "u");
    let before = potential("t", "a", "w");
    let goal = format!(
        "{after} ≤ {before} − 4·√(T)·{u}·(Σ_{{j<d}} g_j·(w_j − w⋆_j)) − (L₁/2)·(t + 1)·{far}"
    );
    show(h, &goal, parts)
}
