//! What wrong signs cost: the risks, and the mean of the excesses.

use super::wrong::{half, square, wrong};
use super::{ALL, COORDINATES, ONE, Privacy, Proof, index, least, mean, noise};
use crate::kl::kernel::told;
use crate::moved::written::{goal, settle, show, term};
use dp_assay_kernel::rules::{
    Theorem, at_most_one, counted, exchange, expected, instance, root_increases, sum_over,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sign, Sort};
use dp_assay_kernel::term::{num, var};

/// F(b, w) = (μ/2)·‖w‖² − q·(L₀/2)·Σ_j s(b, j)·w_j.
pub(super) fn risk(h: &Context, b: &str, w: &str) -> Proof {
    let here = h.with([
        item("ι", Sort::Index(var("n"))),
        item("κ′", Sort::Index(var("d"))),
    ])?;
    let body = term(&here, &format!("P[ι][κ′]·S[{b}][ι]·{w}[κ′]"))?;
    let turned = exchange(h, ("ι", &var("n")), ("κ′", &var("d")), &body)?;
    let goal = format!("F({b}, {w}) = (μ/2)·‖{w}‖² − q·(L₀/2)·(Σ_{{j<d}} s({b}, j)·{w}[j])");
    show(h, &goal, &[("(−1)·L₀/(2·n)", &[&turned])])
}

/// F(b, x) − F(b, minimiser) = (μ/2)·‖x − minimiser‖².
pub(super) fn growth(h: &Context, goal: &Goal, b: &str) -> Proof {
    let (is, end) = (risk(h, b, "x")?, risk(h, b, &least(b))?);
    settle(h, goal, &[("1", &[&is]), ("(−1)", &[&end])])
}

/// Σ_j s(b, j)² = r.
pub(super) fn length(h: &Context, b: &str) -> Proof {
    let all = told(h, COORDINATES)?;
    let here = &index(h, "o", "d")?;
    let each = sum_over(&square(here, b, "o")?)?;
    let goal = format!("Σ_{{j<d}} s({b}, j)² = r");
    show(h, &goal, &[("1", &[&each]), ("1", &[&all])])
}

/// (L₀²q²/(8μ))·Σ_j z(j)·π(data of α, its half space of j) is at most the expected excess, in a context with α.
fn excess(h: &Context) -> Proof {
    let inner = &h.extended(item("ξ", Sort::Vector(var("e"), Sign::Any)))?;
    let here = &index(inner, "o", "d")?;
    let w = "clip(A(S[α], ξ), a)";
    let far = "L₀·q/(2·μ)";
    let (own, event) = (format!("s(α, o)·{w}[o]"), format!("𝟙(s(α, o)·{w}[o] ≤ 0)"));
    let apart = format!("({w}[o] − ({far})·s(α, o))²");
    let wanted = goal(here, &format!("({far})²·z(o)·{event} ≤ {apart}"))?;
    let length = square(here, "α", "o")?;
    let all = instance(here, &told(h, ALL)?, &var("o"))?;
    let missed = |h: &Context, case: &Theorem, yes: bool| {
        let one = at_most_one(h, &term(h, &event)?)?;
        let share = format!("({far})²·z(o)²");
        if yes {
            let parts: &[(&str, &[&Theorem])] = &[
                (&format!("({w}[o])²"), &[]),
                (&format!("2·({far})"), &[case]),
                (&share, &[&one]),
                (&format!("({far})²·(1 − {event})"), &[&all]),
                (&format!("(−1)·({far})²"), &[&length]),
            ];
            return settle(h, &wanted, parts);
        }
        let parts: &[(&str, &[&Theorem])] = &[
            (&apart, &[]),
            (&share, &[case]),
            (&format!("(−1)·({far})²·{event}"), &[&all]),
        ];
        settle(h, &wanted, parts)
    };
    let sides = [&term(here, &own)?, &num(0)];
    let yes = |h: &Context, case: &Theorem| missed(h, case, true);
    let each = split(here, sides, yes, |h, case| missed(h, case, false))?;
    let each = sum_over(&each)?;
    let (is, end) = (risk(inner, "α", w)?, risk(inner, "α", &least("α"))?);
    let sum = format!("Σ_{{j<d}} z(j)·𝟙(s(α, j)·{w}[j] ≤ 0)");
    let goal = format!("(L₀²·q²/(8·μ))·({sum}) ≤ F(α, {w}) − F(α, {})", least("α"));
    let parts: &[(&str, &[&Theorem])] = &[("μ/2", &[&each]), ("(−1)", &[&is]), ("1", &[&end])];
    expected(&show(inner, &goal, parts)?, &noise())
}

/// L₀²q²r·(1 − k·η)/(16μ) is at most the mean of the expected excesses.
pub(super) fn least_mean(h: &Context, privacy: Privacy) -> Proof {
    let one = &index(h, "α", "M")?;
    let each = sum_over(&excess(one)?)?;
    let here = h.with([
        item("b", Sort::Index(var("M"))),
        item("o", Sort::Index(var("d"))),
    ])?;
    let body = term(&here, &format!("z(o)·π(S[b], {})", half("b")))?;
    let turned = exchange(h, ("b", &var("M")), ("o", &var("d")), &body)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/M", &[&each]),
        ("(−1)·L₀²·q²/(8·μ·M)", &[&turned]),
        ("L₀²·q²/(16·μ·M)", &[&wrong(h, privacy)?]),
    ];
    let goal = format!("L₀²·q²·r·(1 − k·({}))/(16·μ) ≤ {}", privacy.eta(), mean());
    show(h, &goal, parts)
}

/// q·√r ≤ 1, as the records of r coordinates are among n.
pub(super) fn share(h: &Context) -> Proof {
    let each = sum_over(&instance(&index(h, "ι", "n")?, &told(h, ONE)?, &var("ι"))?)?;
    let here = h.with([
        item("ι", Sort::Index(var("n"))),
        item("o", Sort::Index(var("d"))),
    ])?;
    let turned = exchange(
        h,
        ("ι", &var("n")),
        ("o", &var("d")),
        &term(&here, "P[ι][o]")?,
    )?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&each]),
        ("(−1)", &[&turned]),
        ("(−1)·k", &[&told(h, COORDINATES)?]),
    ];
    let few = show(h, "r·k ≤ n", parts)?;
    let root = root_increases(&counted(h, &var("r"))?)?;
    let parts: &[(&str, &[&Theorem])] = &[("1/n", &[&few]), ("k·√(r)/n", &[&root])];
    show(h, "q·√(r) ≤ 1", parts)
}
