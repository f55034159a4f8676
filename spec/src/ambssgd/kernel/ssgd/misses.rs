//! How rarely the gradient of a drawn record is clipped, given how far w is from w⋆ at most.

use super::Proof;
use super::words::{GRADIENT, apart};
use crate::moved::written::{goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, assume, chain, discharge, exp_sum, expected, exponential_moment, instance,
    root_increases, tail, triangle, union,
};
use dp_assay_kernel::search::cases::{beyond, split};
use dp_assay_kernel::search::exp::{exp_increases, exp_of_opposite};
use dp_assay_kernel::search::{item, modulus, positive};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Op, Term, at, num, op, sum, var};

/// The context with the features u and the noise ξ of a record.
pub(in crate::ambssgd::kernel) fn drawn(h: &Context) -> Result<[Context; 2], Stuck> {
    let features = h.extended(item("u", Sort::Vector(var("d"), Sign::Any)))?;
    let noise = features.extended(item("ξ", Sort::Real(Sign::Any)))?;
    Ok([features, noise])
}

/// The laws of u and ξ.
pub(in crate::ambssgd::kernel) fn laws() -> [Term; 2] {
    let features = op(Op::Normal, [var("d"), num(1)]);
    [features, op(Op::Normal, [var("σ").pow(2)])]
}

/// The last hypothesis.
fn told(h: &Context) -> Proof {
    assume(h, h.items().len() - 1)
}

/// ⟨u, w − w⋆⟩.
const ALONG: &str = "(Σ_{i<d} u_i·(w_i − w⋆_i))";

/// P(x > ν·√(2ℓ)) ≤ e^{−ℓ} for x = ⟨u, w − w⋆⟩ or its opposite, by Chernoff's bound with the factor √(2ℓ)/ν.
fn one_side(h: &Context, near: &Theorem, sign: &str) -> Proof {
    let [u, _] = drawn(h)?;
    let (x, most) = (format!("{sign}{ALONG}"), "ν·√(2·ℓ)");
    let factor = format!("({sign}1)·(√(2·ℓ)/ν)·(w_j − w⋆_j)");
    let Term::Bind(_, _, _, factor) = term(h, &format!("⟨{factor} : j<d⟩"))? else {
        return Err(Stuck::new("no vector"));
    };
    let linear = sum("j", var("d"), (*factor).clone() * at(&var("u"), &var("j")));
    let left = format!("exp(ℓ + ℓ)·(1 − 𝟙({x} ≤ {most}))");
    let wanted = Goal::Le(term(&u, &left)?, linear.exp());
    let (side, bound) = (term(&u, &x)?, term(&u, most)?);
    let found = split(
        &u,
        [&side, &bound],
        |h, fact| {
            let sure = union(fact)?;
            settle(h, &wanted, &[("exp(ℓ + ℓ)", &[&sure])])
        },
        |h, none| {
            let above = beyond(h, none)?;
            let low = Goal::Le(term(h, "ℓ + ℓ")?, linear.clone());
            let low = settle(h, &low, &[("√(2·ℓ)/ν", &[&above])])?;
            let grows = exp_increases(&low)?;
            settle(h, &wanted, &[("1", &[&grows])])
        },
    )?;
    let [law, _] = laws();
    let moment = exponential_moment(&found, &law, ("j", &factor))?;
    let Goal::Le(_, Term::Op(Op::Exp, power)) = &moment.statement().goal else {
        return Err(Stuck::new("no moment"));
    };
    let power = Goal::Le(power[0].clone(), var("ℓ"));
    let power = settle(h, &power, &[("ℓ/ν²", &[near])])?;
    let grows = exp_increases(&power)?;
    let (twice, unit) = (
        exp_sum(h, &var("ℓ"), &var("ℓ"))?,
        exp_of_opposite(h, &var("ℓ"))?,
    );
    let miss = format!("𝔼_{{u∼N_{{d}}(0, 1)}}[1 − 𝟙({x} ≤ {most})]");
    let square = "exp(0 − ℓ)²";
    let parts: &[(&str, &[&Theorem])] = &[
        (square, &[&moment]),
        (square, &[&grows]),
        (&format!("(−1)·{square}·{miss}"), &[&twice]),
        (
            &format!("{miss}·(exp(0 − ℓ)·exp(ℓ) + 1) − exp(0 − ℓ)"),
            &[&unit],
        ),
    ];
    show(h, &format!("{miss} ≤ exp(0 − ℓ)"), parts)
}

/// 1 − 𝟙(|x| ≤ ν√(2ℓ)) is at most what the two sides miss, for x = ⟨u, w − w⋆⟩.
fn both_sides(u: &Context) -> Proof {
    let suppose = |h: &Context, text: &str| h.extended(Item::Assume(goal(h, text)?));
    let one = suppose(u, &format!("{ALONG} ≤ ν·√(2·ℓ)"))?;
    let both = suppose(&one, &format!("0 − {ALONG} ≤ ν·√(2·ℓ)"))?;
    let above = assume(&both, u.items().len())?;
    union(&discharge(&discharge(&modulus(&above, &told(&both)?)?)?)?)
}

/// ‖gradient‖ ≤ LEVEL where u, ⟨u, w − w⋆⟩ and ξ are of no more than their size, as a union bound.
fn short(h: &Context) -> Proof {
    let sizes = [
        "‖u‖ ≤ √(d) + √(2·ℓ)".to_owned(),
        format!("|{ALONG}| ≤ ν·√(2·ℓ)"),
        "|ξ| ≤ σ·√(2·ℓ)".to_owned(),
    ];
    let mut here = h.clone();
    let mut facts = Vec::new();
    for size in sizes {
        here = here.extended(Item::Assume(goal(&here, &size)?))?;
        facts.push(told(&here)?);
    }
    let [norm, along, noise] = facts.as_slice() else {
        return Err(Stuck::new("not three sizes"));
    };
    let residual = format!("|{ALONG} − ξ|");
    let square = format!("‖{GRADIENT}‖² ≤ (‖u‖·{residual})²");
    let product = root_increases(&show(&here, &square, &[])?)?;
    let apart = triangle(&here, &term(&here, ALONG)?, &var("ξ"))?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&product]),
        ("‖u‖", &[&apart]),
        ("‖u‖", &[along]),
        ("‖u‖", &[noise]),
        ("√(2·ℓ)·(ν + σ)", &[norm]),
    ];
    let found = show(&here, &format!("‖{GRADIENT}‖ ≤ {LEVEL}"), parts)?;
    union(&discharge(&discharge(&discharge(&found)?)?)?)
}

/// What the gradient exceeds rarely if ‖w − w⋆‖ ≤ ν.
const LEVEL: &str = "(√(d) + √(2·ℓ))·√(2·ℓ)·(ν + σ)";

/// P(‖gradient‖ > LEVEL) ≤ 4e^{−ℓ} over u and ξ, for every ν > 0 with ‖w − w⋆‖² ≤ ν².
fn above_level(h: &Context) -> Proof {
    let h = &h.extended(positive("ν"))?;
    let h = &h.extended(Item::Assume(goal(h, &format!("{} ≤ ν²", apart("w")))?))?;
    let ([u, both], [features, noise]) = (drawn(h)?, laws());
    let missed = expected(&expected(&short(&both)?, &noise)?, &features)?;
    let along = expected(&both_sides(&u)?, &features)?;
    let near = told(h)?;
    let sides = [one_side(h, &near, "")?, one_side(h, &near, "0 − ")?];
    let tails = [&features, &noise].map(|law| tail(h, law, &var("ℓ"), None));
    let [size, small] = tails;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&missed]),
        ("1", &[&along]),
        ("1", &[&sides[0]]),
        ("1", &[&sides[1]]),
        ("1", &[&size?]),
        ("1", &[&small?]),
    ];
    discharge(&discharge(&show(h, &missing(LEVEL), parts)?)?)
}

/// P(‖gradient‖ > level) ≤ 4e^{−ℓ}.
fn missing(level: &str) -> String {
    let missed = format!("𝔼_{{ξ∼N(0, σ²)}}[1 − 𝟙(‖{GRADIENT}‖ ≤ {level})]");
    format!("𝔼_{{u∼N_{{d}}(0, 1)}}[{missed}] ≤ 4·exp(0 − ℓ)")
}

/// P(‖gradient‖ > ζ) ≤ 4e^{−ℓ}, from ‖w − w⋆‖² ≤ z² and (√d + √(2ℓ))·√(2ℓ)·(ν + σ) ≤ ζ.
pub(in crate::ambssgd::kernel) fn rarely(
    h: &Context,
    zeta: &str,
    z: &str,
    [near, enough]: [&Theorem; 2],
) -> Proof {
    let at = instance(h, &above_level(h)?, &term(h, z)?)?;
    let at = chain(h, &at, near)?;
    let ([_, both], [features, noise]) = (drawn(h)?, laws());
    let level = LEVEL.replace('ν', z);
    let low = goal(&both, &format!("‖{GRADIENT}‖ ≤ {level}"))?;
    let low = &both.extended(Item::Assume(low))?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&told(low)?]), ("1", &[enough])];
    let wider = show(low, &format!("‖{GRADIENT}‖ ≤ {zeta}"), parts)?;
    let wider = union(&discharge(&wider)?)?;
    let wider = expected(&expected(&wider, &noise)?, &features)?;
    show(h, &missing(zeta), &[("1", &[&at]), ("1", &[&wider])])
}
