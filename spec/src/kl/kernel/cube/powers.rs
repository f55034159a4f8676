//! The proofs of Theorem 6 and Corollary 1: a quadratic is above, and its gradient steep enough for, other powers near its minimum.

use super::bounds::{apart, bounded, slope, with_losses, within};
use super::excess::{growth, least_mean, risk};
use super::{Privacy, Proof, least};
use crate::kl::kernel::lower::log_exp;
use crate::kl::kernel::told;
use crate::moved::written::{goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, exp_log, exp_sum, larger, root_increases, triangle};
use dp_assay_kernel::search::assumed;
use dp_assay_kernel::search::exp::{exp_increases, log_increases, log_product, log_tangent};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::statement::{Context, Goal, Item, Statement};

/// exp(2·log t) = t².
fn squared(h: &Context, t: &str) -> Proof {
    let log = term(h, t)?.log();
    let (twice, named) = (exp_sum(h, &log, &log)?, exp_log(h, &term(h, t)?)?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&twice]),
        (&format!("exp(log({t})) + {t}"), &[&named]),
    ];
    show(h, &format!("exp(2·log({t})) = ({t})²"), parts)
}

/// exp(u)·exp(v) ≤ exp(w) from u + v ≤ w, all as text.
fn product(h: &Context, [u, v, w]: [&str; 3], parts: &[(&str, &[&Theorem])]) -> Proof {
    let order = show(h, &format!("({u}) + ({v}) ≤ {w}"), parts)?;
    let (grown, split) = (
        exp_increases(&order)?,
        exp_sum(h, &term(h, u)?, &term(h, v)?)?,
    );
    let goal = format!("exp({u})·exp({v}) ≤ exp({w})");
    show(h, &goal, &[("1", &[&grown]), ("(−1)", &[&split])])
}

/// y²·z^c ≤ (y·z)^c for y ≤ 3/4 and c ≤ 2, as y² ≤ y^c.
fn part_of_power(h: &Context, c: &str, [y, z, whole]: [&str; 3], few: [&Theorem; 2]) -> Proof {
    let [exponent, high] = few;
    let below = log_tangent(h, &term(h, y)?)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&below]), ("1", &[high]), ("1/4", &[])];
    let below = show(h, &format!("log({y}) ≤ 0"), parts)?;
    let less = show(
        h,
        &format!("2·log({y}) ≤ ({c})·log({y})"),
        &[("1", &[exponent, &below])],
    )?;
    let [parts_of, _] = log_product(h, &term(h, y)?, &term(h, z)?)?;
    let texts = [
        format!("2·log({y})"),
        format!("({c})·log({z})"),
        format!("({c})·log({whole})"),
    ];
    let all = product(
        h,
        texts.each_ref().map(String::as_str),
        &[("1", &[&less]), (c, &[&parts_of])],
    )?;
    let own = squared(h, y)?;
    let power = format!("exp(({c})·log({z}))");
    let goal = format!("({y})²·{power} ≤ exp(({c})·log({whole}))");
    show(
        h,
        &goal,
        &[("1", &[&all]), (&format!("(−1)·{power}"), &[&own])],
    )
}

/// 3/64 ≤ y²·(1 − y), y = k·η between 1/4 and 3/4.
fn cubic(h: &Context, privacy: Privacy, y: &str) -> Proof {
    let (low, high) = (privacy.many(h)?, privacy.few(h)?);
    let goal = format!("3/64 ≤ ({y})²·(1 − {y})");
    show(h, &goal, &[(y, &[&low, &high]), ("3/16", &[&low])])
}

/// What is supposed of x, ‖x‖ ≤ a, makes its distance from the minimiser at most 2a.
fn close(h: &Context, inside: &Theorem) -> Proof {
    let least = least("α");
    let gap = triangle(h, &term(h, "x")?, &term(h, &least)?)?;
    let goal = format!("‖{}‖ ≤ 2·a", apart("α"));
    show(
        h,
        &goal,
        &[("1", &[&gap]), ("1", &[inside]), ("1", &[&within(h)?])],
    )
}

/// The proof of [`growing`](super::bounds::growing), or of a statement with other constants.
pub fn prove_growing(statement: &Statement) -> Proof {
    let h = &statement.context;
    let privacy = Privacy::Approximate;
    let mean = least_mean(h, privacy)?;
    let root = "(τ·log(λ) + (σ − 1)·log(G))/σ";
    // (G/λ)^(τ/σ) ≤ G²·e^(−root).
    let [split, _] = log_product(h, &term(h, "G/λ")?, &term(h, "λ")?)?;
    let power = product(
        h,
        ["(τ/σ)·log(G/λ)", root, "2·log(G)"],
        &[("τ/σ", &[&split])],
    )?;
    let square = squared(h, "G")?;
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("1/exp({root})"), &[&power]),
        (&format!("1/exp({root})"), &[&square]),
    ];
    let power = show(h, &format!("exp((τ/σ)·log(G/λ)) ≤ G²/exp({root})"), parts)?;
    let few = privacy.few(h)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&mean]),
        ("1/32", &[&few, &power]),
        ("1/128", &[&power]),
    ];
    let wanted = format!("exp((τ/σ)·log(G/λ))·(3 − 2·k·ε)/96 ≤ {}", super::mean());
    let bound = show(h, &wanted, parts)?;
    let exponent = told(h, "1 ≤ σ")?;
    let exponent = show(h, "τ/σ ≤ 2", &[("1/σ", &[&exponent])])?;
    let (y, z) = ("(2/3)·k·ε", "3·L₀·√(r)/(2·λ·n·ε)");
    let part = part_of_power(h, "τ/σ", [y, z, "G/λ"], [&exponent, &few])?;
    let (least, rest) = (cubic(h, privacy, y)?, format!("exp((τ/σ)·log({z}))"));
    with_losses(
        statement,
        &told(h, "2·μ·a ≤ L₀")?,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&within(h)?])]),
            &grows,
            &|h, goal| settle(h, goal, &[("1", &[&bound])]),
            &|h, goal| {
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&bound]),
                    ("1/32", &[&few, &part]),
                    ("1/128", &[&part]),
                    (&format!("{rest}/32"), &[&least]),
                ];
                settle(h, goal, parts)
            },
        ],
    )
}

/// λ^τ·t^τ ≤ (μ/2)·t² for t ≤ 2a.
fn grows(h: &Context, wanted: &Goal) -> Proof {
    let [.., Item::Assume(x_in), Item::Assume(t_in)] = h.items() else {
        return Err(Stuck::new("nothing is supposed"));
    };
    let (x_in, t_in) = (assumed(h, x_in)?, assumed(h, t_in)?);
    let far = close(h, &x_in)?;
    let root = "(τ·log(λ) + (σ − 1)·log(G))/σ";
    let above = format!("t·exp({root}) ≤ 2·μ·a");
    let unit = format!("exp({root})");
    let within = show(h, &above, &[(&unit, &[&t_in]), (&unit, &[&far])])?;
    let logs = log_increases(&within)?;
    let [parts_of, _] = log_product(h, &term(h, "t")?, &term(h, &unit)?)?;
    let [own, _] = log_exp(h, root)?;
    let [_, whole] = log_product(h, &term(h, "λ")?, &term(h, "t")?)?;
    let (large, near) = (told(h, "1 ≤ σ")?, told(h, &bounded("σ − 1"))?);
    let logs = show(
        h,
        &format!("log(t) + {root} ≤ log(2·μ·a)"),
        &[("1", &[&logs]), ("1", &[&parts_of]), ("1", &[&own])],
    )?;
    let order = format!("τ·log(λ·t) ≤ {root} + 2·log(t)");
    let order = show(
        h,
        &order,
        &[("τ", &[&whole]), ("1", &[&large, &logs]), ("1", &[&near])],
    )?;
    let grown = exp_increases(&order)?;
    let split = exp_sum(h, &term(h, root)?, &term(h, "2·log(t)")?)?;
    let square = squared(h, "t")?;
    let is = above_least(h, &format!("(μ/2)·‖{}‖²", apart("α")))?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&grown]),
        ("1", &[&split]),
        (&unit, &[&square]),
        (&format!("{unit}·(t + ‖{}‖)", apart("α")), &[&t_in]),
        ("(−1)", &[&is]),
    ];
    settle(h, wanted, parts)
}

/// F(α, x) − F(α, minimiser) is this, as text.
fn above_least(h: &Context, value: &str) -> Proof {
    let text = format!("F(α, x) − F(α, {}) = {value}", least("α"));
    growth(h, &goal(h, &text)?, "α")
}

/// The proof of [`steep`](super::bounds::steep), or of a statement with other constants.
pub fn prove_steep(statement: &Statement) -> Proof {
    let h = &statement.context;
    let privacy = Privacy::Concentrated;
    let mean = least_mean(h, privacy)?;
    let root = "κ·log(γ) − (2 − κ)·log(G)";
    // (γG)^κ ≤ G²·e^root.
    let [_, whole] = log_product(h, &term(h, "γ")?, &term(h, "G")?)?;
    let order = format!("κ·log(γ·G) ≤ ({root}) + 2·log(G)");
    let order = show(h, &order, &[("κ", &[&whole])])?;
    let grown = exp_increases(&order)?;
    let split = exp_sum(h, &term(h, root)?, &term(h, "2·log(G)")?)?;
    let square = squared(h, "G")?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&grown]),
        ("1", &[&split]),
        (&format!("exp({root})"), &[&square]),
    ];
    let power = show(h, &format!("exp(κ·log(γ·G)) ≤ G²·exp({root})"), parts)?;
    let few = privacy.few(h)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&mean]),
        ("1/8", &[&few, &power]),
        ("1/32", &[&power]),
    ];
    let wanted = format!("exp(κ·log(γ·G))·(1 − k·√(ρ))/8 ≤ {}", super::mean());
    let bound = show(h, &wanted, parts)?;
    let exponent = told(h, "κ ≤ 2")?;
    let (y, z) = ("k·√(ρ)", "γ·L₀·√(r)/(n·√(ρ))");
    let part = part_of_power(h, "κ", [y, z, "γ·G"], [&exponent, &few])?;
    let (least, rest) = (cubic(h, privacy, y)?, format!("exp(κ·log({z}))"));
    with_losses(
        statement,
        &told(h, "2·μ·a ≤ L₀")?,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&within(h)?])]),
            &tangent_plane,
            &rises,
            &|h, goal| settle(h, goal, &[("1", &[&bound])]),
            &|h, goal| {
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&bound]),
                    ("1/8", &[&few, &part]),
                    ("1/32", &[&part]),
                    (&format!("{rest}/8"), &[&least]),
                ];
                settle(h, goal, parts)
            },
        ],
    )
}

/// The gradient of a risk is what it is called.
fn tangent_plane(h: &Context, goal: &Goal) -> Proof {
    let [first, second] = ["x", "y"].map(|w| risk(h, "α", w));
    settle(h, goal, &[("1", &[&first?]), ("(−1)", &[&second?])])
}

/// ‖gradient‖²/(2μ) ≤ (γ·m)^κ for m of at least the norm, as that is at most 2μa on the ball.
fn rises(h: &Context, wanted: &Goal) -> Proof {
    let [.., Item::Assume(x_in)] = h.items() else {
        return Err(Stuck::new("nothing is supposed"));
    };
    let far = close(h, &assumed(h, x_in)?)?;
    let (g, gap) = (format!("‖{}‖", slope("α")), format!("‖{}‖", apart("α")));
    let steep = root_increases(&show(h, &format!("{g}² ≤ (μ·{gap})²"), &[])?)?;
    let top = "2·μ·a";
    let steep = show(
        h,
        &format!("{g} ≤ {top}"),
        &[("1", &[&steep]), ("μ", &[&far])],
    )?;
    let is = above_least(h, &format!("{g}²/(2·μ)"))?;
    let m = format!("max({g}, t)");
    let (few, near) = (told(h, "κ ≤ 2")?, told(h, &bounded("2 − κ"))?);
    let above = larger(h, &term(h, &g)?, &term(h, "t")?, false)?;
    let [parts_of, _] = log_product(h, &term(h, "γ")?, &term(h, &m)?)?;
    let root = "κ·log(γ) − (2 − κ)·log(G)";
    either(h, [&term(h, &m)?, &term(h, top)?], |h, case, small| {
        let logs = log_increases(case)?;
        let (y, below) = if small {
            (m.as_str(), &above)
        } else {
            (top, &steep)
        };
        let order: &[(&str, &[&Theorem])] = match small {
            true => &[("κ", &[&parts_of]), ("1", &[&few, &logs]), ("1", &[&near])],
            false => &[("κ", &[&parts_of]), ("κ", &[&logs]), ("1", &[&near])],
        };
        let whole = format!("κ·log(γ·{m})");
        let all = product(h, [root, &format!("2·log({y})"), &whole], order)?;
        let parts: &[(&str, &[&Theorem])] = &[
            ("1", &[&all]),
            (&format!("(−1)·exp({root})"), &[&squared(h, y)?]),
            (&format!("exp({root})·({g} + {y})"), &[below]),
            ("1", &[&is]),
        ];
        settle(h, wanted, parts)
    })
}
