//! The residual of a drawn record, N(0, ν²) for ν² = ‖w − w⋆‖² + σ²: how rarely it is above ν·√(2ℓ), and how often below ν/2.

use super::Proof;
use crate::ambssgd::kernel::ssgd::ends::first;
use crate::ambssgd::kernel::ssgd::words::apart;
use crate::moved::written::{Written, goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, assume, discharge, exp_sum, expected, exponential_moment, larger, largest, union,
};
use dp_assay_kernel::search::cases::{beyond, split};
use dp_assay_kernel::search::exp::{exp_increases, exp_of_opposite};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Op, Term, at, num, op, sum, var};

/// ⟨u, w − w⋆⟩.
const ALONG: &str = "(Σ_{i<d} u_i·(w_i − w⋆_i))";

/// The residual.
const RESIDUAL: &str = "((Σ_{i<d} u_i·(w_i − w⋆_i)) − (Σ_{i<1} ξ_i))";

/// Its modulus.
pub(super) fn size() -> String {
    format!("max({RESIDUAL}, 0 − {RESIDUAL})")
}

/// A parabola above 1\[residual ≤ ν/2\], squared.
pub(super) const PARABOLA: &str =
    "((144/1681)·(((Σ_{i<d} u_i·(w_i − w⋆_i)) − (Σ_{i<1} ξ_i))² − 11·ν²/3)²/ν⁴)";

/// The context with u, and with ξ besides.
pub(super) fn drawn(h: &Context) -> Result<[Context; 2], Stuck> {
    let features = h.extended(item("u", Sort::Vector(var("d"), Sign::Any)))?;
    let noise = features.extended(item("ξ", Sort::Vector(num(1), Sign::Any)))?;
    Ok([features, noise])
}

fn laws() -> [Term; 2] {
    let features = op(Op::Normal, [var("d"), num(1)]);
    [features, op(Op::Normal, [num(1), var("σ").pow(2)])]
}

/// Over u and ξ.
pub(super) fn over(theorem: &Theorem) -> Proof {
    let [features, noise] = laws();
    expected(&expected(theorem, &noise)?, &features)
}

/// The expectation over u and ξ, as text.
pub(super) fn mean(value: &str) -> String {
    format!("𝔼_{{u∼N_{{d}}(0, 1)}}[𝔼_{{ξ∼N_{{1}}(0, σ²)}}[{value}]]")
}

/// ν² = ‖w − w⋆‖² + σ², by hypothesis.
fn variance(h: &Context) -> Proof {
    first(
        h,
        |goal| matches!(goal, Goal::Eq(x, _) if *x == var("ν").pow(2)),
    )
}

/// The residual is below ν/2 with probability 32/41 at most.
pub(super) fn seldom_small(h: &Context) -> Proof {
    let far = apart("w");
    let factor = format!("(144/1681)·(13·ν²/3 − 3·({far} + σ²))/ν⁴");
    let goal = format!("{} = 32/41", mean(PARABOLA));
    show(h, &goal, &[(&factor, &[&variance(h)?])])
}

/// 1 ≤ parabola, from |residual| ≤ c and 2·c ≤ ν.
pub(super) fn below_parabola(h: &Context, [fact, low]: [&Theorem; 2]) -> Proof {
    let [one, other] = ["", "0 − "].map(|sign| term(h, &format!("{sign}{RESIDUAL}")));
    let (one, other) = (one?, other?);
    let side = |second: bool, sign: &str| {
        let above = larger(h, &one, &other, second)?;
        let goal = format!("{sign}{RESIDUAL} ≤ ν/2");
        show(
            h,
            &goal,
            &[("1", &[&above]), ("1", &[fact]), ("1/2", &[low])],
        )
    };
    let (above, below) = (side(false, "")?, side(true, "0 − ")?);
    // ν²/4 − residual² is the product, and (11ν²/3 − residual²)² − (41ν²/12)² = (ν²/4 − residual²)·(85ν²/12 − residual²).
    let square = show(
        h,
        &format!("{RESIDUAL}² ≤ ν²/4"),
        &[("1", &[&above, &below])],
    )?;
    let unit = "(144/1681)/ν⁴";
    let parts: &[Written<'_>] = &[
        (unit, &[&square, &square]),
        (&format!("(41/6)·ν²·{unit}"), &[&square]),
    ];
    show(h, &format!("1 ≤ {PARABOLA}"), parts)
}

/// P(|residual| > ν·√(2ℓ)) ≤ 2e^{−ℓ}.
pub(super) fn seldom_large(h: &Context) -> Proof {
    let [_, both] = drawn(h)?;
    let sides = [one_side(h, true)?, one_side(h, false)?];
    let most = "ν·√(2·ℓ)";
    let here = ["", "0 − "].iter().try_fold(both.clone(), |h, sign| {
        let small = goal(&h, &format!("{sign}{RESIDUAL} ≤ {most}"))?;
        h.extended(Item::Assume(small))
    })?;
    let first = both.items().len();
    let all = largest(&assume(&here, first)?, &assume(&here, first + 1)?)?;
    let all = discharge(&discharge(&all)?)?;
    let all = over(&union(&all)?)?;
    let wanted = format!(
        "{} ≤ 2·exp(0 − ℓ)",
        mean(&format!("1 − 𝟙({} ≤ {most})", size()))
    );
    show(
        h,
        &wanted,
        &[("1", &[&all]), ("1", &[&sides[0]]), ("1", &[&sides[1]])],
    )
}

/// P(x > ν·√(2ℓ)) ≤ e^{−ℓ} for x the residual or its opposite, by Chernoff's bound with the factor √(2ℓ)/ν.
fn one_side(h: &Context, positive: bool) -> Proof {
    let ([_, both], [features, noise]) = (drawn(h)?, laws());
    let (sign, p, q) = match positive {
        true => ("", "1", "(0 − 1)"),
        false => ("0 − ", "(0 − 1)", "1"),
    };
    let (x, most) = (format!("{sign}{RESIDUAL}"), "ν·√(2·ℓ)");
    let rate = "(√(2·ℓ)/ν)";
    let missed = format!("(1 − 𝟙({x} ≤ {most}))");
    let along = format!("{p}·{rate}·{ALONG}");
    let over_xi = term(h, &format!("{q}·{rate}"))?;
    let linear = sum("j", num(1), over_xi.clone() * at(&var("ξ"), &var("j")));
    let left = format!("exp(ℓ + ℓ)·exp(0 − {along})·{missed}");
    let wanted = Goal::Le(term(&both, &left)?, linear.exp());
    let (side, bound) = (term(&both, &x)?, term(&both, most)?);
    let found = split(
        &both,
        [&side, &bound],
        |h, fact| {
            let sure = union(fact)?;
            settle(
                h,
                &wanted,
                &[(&format!("exp(ℓ + ℓ)·exp(0 − {along})"), &[&sure])],
            )
        },
        |h, none| {
            let above = beyond(h, none)?;
            let low = Goal::Le(term(h, &format!("ℓ + ℓ + (0 − {along})"))?, linear.clone());
            let grows = exp_increases(&settle(h, &low, &[(rate, &[&above])])?)?;
            let whole = exp_sum(h, &term(h, "ℓ + ℓ")?, &term(h, &format!("0 − {along}"))?)?;
            settle(h, &wanted, &[("1", &[&grows]), ("(−1)", &[&whole])])
        },
    )?;
    let inner = exponential_moment(&found, &noise, ("j", &over_xi))?;
    // The same for u: exp(along)·exp(−along) = 1, and exp(first)·exp(−first) = 1.
    let u = &inner.statement().context;
    let first = "σ²·ℓ/ν²";
    let vector = term(h, &format!("⟨{p}·{rate}·(w_j − w⋆_j) : j<d⟩"))?;
    let Term::Bind(_, _, _, over_u) = vector else {
        return Err(Stuck::new("no vector"));
    };
    let linear = sum("j", var("d"), (*over_u).clone() * at(&var("u"), &var("j")));
    let chance = format!("𝔼_{{ξ∼N_{{1}}(0, σ²)}}[{missed}]");
    let left = format!("exp(ℓ + ℓ)·exp(0 − {first})·{chance}");
    let wanted = Goal::Le(term(u, &left)?, linear.exp());
    let units = [first, &along].map(|t| exp_of_opposite(u, &term(u, t)?));
    let [of_first, of_along] = units;
    let (of_first, of_along) = (of_first?, of_along?);
    let parts: &[Written<'_>] = &[
        (&format!("exp({along})·exp(0 − {first})"), &[&inner]),
        (&format!("(−1)·exp({along})"), &[&of_first]),
        (&left, &[&of_along]),
    ];
    let outer = settle(u, &wanted, parts)?;
    let outer = exponential_moment(&outer, &features, ("j", &over_u))?;
    let Goal::Le(_, Term::Op(Op::Exp, power)) = &outer.statement().goal else {
        return Err(Stuck::new("no moment"));
    };
    let power = Goal::Le(power[0].clone(), term(h, &format!("ℓ + (0 − {first})"))?);
    let grows = exp_increases(&settle(h, &power, &[("(−1)·ℓ/ν²", &[&variance(h)?])])?)?;
    let whole = exp_sum(h, &var("ℓ"), &term(h, &format!("0 − {first}"))?)?;
    let unit = exp_of_opposite(h, &term(h, first)?)?;
    let miss = mean(&missed);
    let parts: &[Written<'_>] = &[
        (&format!("exp({first})"), &[&outer]),
        (&format!("exp({first})"), &[&grows]),
        (&format!("exp({first})"), &[&whole]),
        (&format!("exp(ℓ + ℓ)·{miss} − exp(ℓ)"), &[&unit]),
    ];
    let bound = show(h, &format!("exp(ℓ + ℓ)·{miss} ≤ exp(ℓ)"), parts)?;
    normalised(h, &miss, &bound)
}

/// miss ≤ e^{−ℓ} from e^{2ℓ}·miss ≤ e^ℓ.
pub(super) fn normalised(h: &Context, miss: &str, bound: &Theorem) -> Proof {
    let (twice, unit) = (
        exp_sum(h, &var("ℓ"), &var("ℓ"))?,
        exp_of_opposite(h, &var("ℓ"))?,
    );
    let square = "exp(0 − ℓ)²";
    let parts: &[Written<'_>] = &[
        (square, &[bound]),
        (&format!("(−1)·{square}·{miss}"), &[&twice]),
        (
            &format!("{miss}·(exp(0 − ℓ)·exp(ℓ) + 1) − exp(0 − ℓ)"),
            &[&unit],
        ),
    ];
    show(h, &format!("{miss} ≤ exp(0 − ℓ)"), parts)
}

/// P(x > G) ≤ e^{−ℓ} for x the noise of count l or its opposite, from α·√(2mℓ) ≤ G, by Chernoff's bound with the factor √(2ℓ)/(α·√m).
pub(super) fn noise(h: &Context, sign: &str, enough: &Theorem) -> Proof {
    let here = h.extended(item("c", Sort::Vector(var("m"), Sign::Any)))?;
    let (x, rate) = (format!("{sign}c_l"), "(√(2·ℓ)/(α·√(m)))");
    let missed = format!("(1 − 𝟙({x} ≤ G))");
    let factor = term(h, &format!("⟨({sign}1)·{rate}·𝟙[j=l] : j<m⟩"))?;
    let Term::Bind(_, _, _, factor) = factor else {
        return Err(Stuck::new("no vector"));
    };
    let linear = sum("j", var("m"), (*factor).clone() * at(&var("c"), &var("j")));
    let wanted = Goal::Le(term(&here, &format!("exp(ℓ + ℓ)·{missed}"))?, linear.exp());
    let found = split(
        &here,
        [&term(&here, &x)?, &var("G")],
        |h, fact| settle(h, &wanted, &[("exp(ℓ + ℓ)", &[&union(fact)?])]),
        |h, none| {
            let above = beyond(h, none)?;
            let low = Goal::Le(term(h, "ℓ + ℓ")?, linear.clone());
            let low = settle(h, &low, &[(rate, &[&above]), (rate, &[enough])])?;
            settle(h, &wanted, &[("1", &[&exp_increases(&low)?])])
        },
    )?;
    let law = op(Op::Normal, [var("m"), term(h, "m·α²")?]);
    let moment = exponential_moment(&found, &law, ("j", &factor))?;
    let miss = format!("𝔼_{{c∼N_{{m}}(0, m·α²)}}[{missed}]");
    let bound = show(
        h,
        &format!("exp(ℓ + ℓ)·{miss} ≤ exp(ℓ)"),
        &[("1", &[&moment])],
    )?;
    normalised(h, &miss, &bound)
}
