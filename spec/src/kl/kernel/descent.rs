//! Steps of Algorithm 3 with an error e of at most (G + b)/2: they descend where the gradient is at least b. Φ is the excess
//! F(w) − F⋆, and a power x^a is exp(a·log x).

use super::gradients::cauchy;
use super::lower::log_exp;
use crate::moved::written::{Proof, given, settle, show, sides, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, assume, discharge, exp_log, exp_sum, induction, instance, inverse, larger, largest,
};
use dp_assay_kernel::search::exp::{
    exp_increases, log_increases, log_not_negative, log_product, log_tangent,
};
use dp_assay_kernel::search::item;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::statement::{Context, Goal, Item, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, num, var};

/// `kl-lem-12-mono-repaired`: g is ∇F(w), smoothness along the step is supposed, and KL* at w, which x > 0 says for an excess of 0, too;
/// 1/min{L₁, 1} is max{1/L₁, 1}.
pub fn monotone() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           real κ > 0
           real γ > 0
           real L₁ > 0
           real b > 0
           assume κ ≤ 2
           assume b² ≤ L₁
           map F of ℝ^d into ℝ^1
           index o<1
           real F⋆
           vector w ∈ ℝ^d
           vector g ∈ ℝ^d
           vector e ∈ ℝ^d
           define w′(j<d) := w_j − (g_j + e_j)/(2·L₁)
           define Φ := F(w)[o] − F⋆
           define Φ′ := F(⟨w′(j) : j<d⟩)[o] − F⋆
           assume ‖e‖ ≤ (‖g‖ + b)/2
           assume F(⟨w′(j) : j<d⟩)[o] ≤ F(w)[o] + (Σ_{j<d} g_j·(w′(j) − w_j)) + (L₁/2)·(Σ_{j<d} \
               (w′(j) − w_j)²)
           assume for every real x > 0: Φ ≤ exp(κ·log(max(γ·‖g‖, x)))
         holds
           Φ′ ≤ max(Φ, (9/8)·exp((κ/2)·log(max(γ², 1)·b²·max(1/L₁, 1))))",
    )
}

/// What a step goes from and to: e and g at the point, and the excesses at both ends, as text.
struct Step<'a> {
    error: &'a str,
    slope: &'a str,
    now: &'a str,
    then: &'a str,
}

/// Φ′ ≤ Φ − (‖g‖² − b²)/(8L₁), from the bound of the error and smoothness.
fn descent(h: &Context, at: &Step<'_>, near: &Theorem, smooth: &Theorem) -> Proof {
    let Step {
        error: e,
        slope: g,
        now,
        then,
    } = at;
    let product = cauchy(h, g, &format!("⟨(−1)·{e}[j] : j<d⟩"))?;
    let goal = format!("{then} ≤ {now} − (‖{g}‖² − b²)/(8·L₁)");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[smooth]),
        ("1/(4·L₁)", &[&product]),
        (
            &format!("(‖{e}‖ + (‖{g}‖ + b)/2 + 2·‖{g}‖)/(8·L₁)"),
            &[near],
        ),
        (&format!("(3/4)·(‖{g}‖ − b)²/(8·L₁)"), &[]),
    ];
    show(h, &goal, parts)
}

/// What M^{2/κ} is, M being the threshold.
const LEVEL: &str = "max(γ², 1)·b²·max(1/L₁, 1)";

/// γ²b² ≤ M^{2/κ} and b²/L₁ ≤ M^{2/κ}, as inequalities of logarithms.
fn levels(h: &Context) -> Result<[Theorem; 2], Stuck> {
    let most = [("γ²", false), ("γ²", true), ("1/L₁", false), ("1/L₁", true)]
        .map(|(a, second)| larger(h, &term(h, a)?, &num(1), second));
    let [square, unit, inverse, one] = most;
    let (square, unit, inverse, one) = (square?, unit?, inverse?, one?);
    let parts: &[(&str, &[&Theorem])] = &[("b²", &[&square]), ("max(γ², 1)·b²", &[&one])];
    let wide = show(h, &format!("γ²·b² ≤ {LEVEL}"), parts)?;
    let parts: &[(&str, &[&Theorem])] = &[("b²/L₁", &[&unit]), ("max(γ², 1)·b²", &[&inverse])];
    let steep = show(h, &format!("b²/L₁ ≤ {LEVEL}"), parts)?;
    Ok([log_increases(&wide)?, log_increases(&steep)?])
}

/// Φ′ ≤ (9/8)·M where ‖g‖ ≤ b, by KL* and the step: Φ ≤ (γb)^κ ≤ M, and it grows by at most b²/(8L₁) ≤ M/8. Of the hypotheses the
/// first is κ ≤ 2, the second b² ≤ L₁.
fn near_the_end(
    h: &Context,
    at: &Step<'_>,
    case: &Theorem,
    [fall, valley]: [&Theorem; 2],
) -> Proof {
    let Step { slope: g, then, .. } = at;
    let [wide, steep] = levels(h)?;
    let [twice, _] = log_product(h, &term(h, "γ·b")?, &term(h, "γ·b")?)?;
    let order = format!("κ·log(γ·b) ≤ (κ/2)·log({LEVEL})");
    let parts: &[(&str, &[&Theorem])] = &[("κ/2", &[&twice]), ("κ/2", &[&wide])];
    let wide = exp_increases(&show(h, &order, parts)?)?;
    let (few, small) = (given(h, 0)?, given(h, 1)?);
    let small = log_increases(&show(h, "b²/L₁ ≤ 1", &[("1/L₁", &[&small])])?)?;
    let none = log_of_one(h)?;
    let order = format!("log(b²/L₁) ≤ (κ/2)·log({LEVEL})");
    let parts: &[(&str, &[&Theorem])] = &[
        ("κ/2", &[&steep]),
        ("1/2", &[&few, &small]),
        ("1/2", &[&few, &none]),
    ];
    let steep = exp_increases(&show(h, &order, parts)?)?;
    let named = exp_log(h, &term(h, "b²/L₁")?)?;
    let valley = instance(h, valley, &term(h, "γ·b")?)?;
    let near = show(h, &format!("γ·‖{g}‖ ≤ γ·b"), &[("γ", &[case])])?;
    let near = log_increases(&largest(&near, &show(h, "γ·b ≤ γ·b", &[])?)?)?;
    let order = format!("κ·log(max(γ·‖{g}‖, γ·b)) ≤ κ·log(γ·b)");
    let near = exp_increases(&show(h, &order, &[("κ", &[&near])])?)?;
    let goal = format!("{then} ≤ (9/8)·exp((κ/2)·log({LEVEL}))");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[fall]),
        ("1", &[&valley]),
        ("1", &[&near]),
        ("1", &[&wide]),
        ("1/8", &[&steep]),
        ("(−1)/8", &[&named]),
        (&format!("‖{g}‖²/(8·L₁)"), &[]),
    ];
    show(h, &goal, parts)
}

/// The proof of [`monotone`], or of a statement with a larger constant.
pub fn prove_monotone(statement: &Statement) -> Proof {
    let h = &statement.context;
    let Goal::Le(_, Term::Op(Op::Max, sides)) = &statement.goal else {
        return Err(Stuck::new("not at most the larger of two"));
    };
    let side = |second| larger(h, &sides[0], &sides[1], second);
    let (first, second) = (side(false)?, side(true)?);
    let at = Step {
        error: "e",
        slope: "g",
        now: "Φ",
        then: "Φ′",
    };
    let fall = descent(h, &at, &given(h, 2)?, &given(h, 3)?)?;
    let valley = given(h, 4)?;
    either(
        h,
        [&term(h, "b")?, &term(h, "‖g‖")?],
        |h, case, large| {
            if large {
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&fall]),
                    ("1", &[&first]),
                    ("(‖g‖ + b)/(8·L₁)", &[case]),
                ];
                return settle(h, &statement.goal, parts);
            }
            let grown = near_the_end(h, &at, case, [&fall, &valley])?;
            settle(h, &statement.goal, &[("1", &[&grown]), ("1", &[&second])])
        },
    )
}

/// log 1 ≤ 0.
fn log_of_one(h: &Context) -> Proof {
    let tangent = log_tangent(h, &num(1))?;
    show(h, "log(1) ≤ 0", &[("1", &[&tangent])])
}

/// `kl-lem-13-repaired`: K steps from w_0, s(t, j) being entry j of step t; P is Φ_0 > 0. Smoothness is supposed along the steps, and KL*
/// at their starts, which x > 0 says for an excess of 0, too; 1/min{L₁, 1} is max{1/L₁, 1}.
pub fn many_steps() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer K ≥ 1
           real κ > 0
           real γ > 0
           real L₁ > 0
           real b > 0
           assume κ ≤ 2
           assume b² ≤ L₁
           map F of ℝ^d into ℝ^1
           index o<1
           real F⋆
           sequence w in ℝ^d
           sequence g in ℝ^d
           sequence e in ℝ^d
           define s(t<K, j<d) := (g_t[j] + e_t[j])/(2·L₁)
           define Φ(x∈ℝ^d) := F(x)[o] − F⋆
           assume for every index t<K: for every index j<d: w[t + 1][j] = w_t[j] − s(t, j)
           assume for every index t<K: ‖e_t‖ ≤ (‖g_t‖ + b)/2
           assume for every index t<K: F(w[t + 1])[o] ≤ F(w_t)[o] − (Σ_{j<d} g_t[j]·s(t, j)) + \
               (L₁/2)·(Σ_{j<d} s(t, j)²)
           assume for every index t<K: for every real x > 0: Φ(w_t) ≤ exp(κ·log(max(γ·‖g_t‖, x)))
           define c := 1 + 1/(8·γ²·L₁)
           real P > 0
           assume P = Φ(w[0])
           assume 2·exp(((κ − 2)/κ)·log(P/c)) ≤ K
         holds
           Φ(w_K) ≤ max(P/c, 2·exp((κ/2)·log(max(γ², 1)·b²·max(1/L₁, 1))))",
    )
}

/// q ≤ γ·‖g‖ for q > 0 with q^κ ≤ Φ, `below`, by KL* at x = q/2.
fn steep(h: &Context, at: &Step<'_>, q: &str, below: &Theorem, valley: &Theorem) -> Proof {
    let g = at.slope;
    let valley = instance(h, valley, &term(h, &format!("({q})/2"))?)?;
    let most = format!("max(γ·‖{g}‖, ({q})/2)");
    let powers = format!("exp(κ·log({q})) ≤ exp(κ·log({most}))");
    let powers = log_increases(&show(h, &powers, &[("1", &[below]), ("1", &[&valley])])?)?;
    let [low, _] = log_exp(h, &format!("κ·log({q})"))?;
    let [_, high] = log_exp(h, &format!("κ·log({most})"))?;
    let parts: &[(&str, &[&Theorem])] = &[("1/κ", &[&powers]), ("1/κ", &[&low]), ("1/κ", &[&high])];
    let grown = exp_increases(&show(h, &format!("log({q}) ≤ log({most})"), parts)?)?;
    let (of_q, of_most) = (exp_log(h, &term(h, q)?)?, exp_log(h, &term(h, &most)?)?);
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&grown]), ("(−1)", &[&of_q]), ("1", &[&of_most])];
    let reached = show(h, &format!("{q} ≤ {most}"), parts)?;
    let sides = [term(h, &format!("γ·‖{g}‖"))?, term(h, &format!("({q})/2"))?];
    either(h, [&sides[0], &sides[1]], |h, case, small| {
        let goal = format!("{q} ≤ γ·‖{g}‖");
        let own = |t: &str| show(h, &format!("{t} ≤ {t}"), &[]);
        // Were it at most q/2, q would be.
        if small {
            let top = largest(case, &own(&format!("({q})/2"))?)?;
            return show(h, &goal, &[("2", &[&reached]), ("2", &[&top])]);
        }
        let top = largest(&own(&format!("γ·‖{g}‖"))?, case)?;
        show(h, &goal, &[("1", &[&reached]), ("1", &[&top])])
    })
}

/// The proof of [`many_steps`], or of a statement with a larger bound: as long as Φ is above the target it falls by δ in each step, and
/// it stays below; so that Φ_k ≤ max{P − k·δ, target}.
pub fn prove_many_steps(statement: &Statement) -> Proof {
    let h = &statement.context;
    let m = format!("exp((κ/2)·log({LEVEL}))");
    let target = format!("max(P/c, 2·{m})");
    let gain = "exp((2/κ)·log(P/c))/(16·γ²·L₁)";
    let bound = |k: &str| format!("max(P − ({k})·({gain}), {target})");
    let start = given(h, 6)?;
    let none = larger(
        h,
        &term(h, &format!("P − 0·({gain})"))?,
        &term(h, &target)?,
        false,
    )?;
    let first = format!("Φ(w[0]) ≤ {}", bound("0"));
    let first = show(h, &first, &[("1", &[&none]), ("(−1)", &[&start])])?;
    let k = &h.extended(item("k", Sort::Index(var("K"))))?;
    let [near, smooth, valley] = [3, 4, 5].map(|n| instance(k, &given(h, n)?, &var("k")));
    let (near, smooth, valley) = (near?, smooth?, valley?);
    let at = Step {
        error: "e_k",
        slope: "g_k",
        now: "Φ(w_k)",
        then: "Φ(w[k + 1])",
    };
    let fall = descent(k, &at, &near, &smooth)?;
    let now = Goal::Le(term(k, at.now)?, term(k, &bound("k"))?);
    let here = &k.extended(Item::Assume(now))?;
    let supposed = assume(here, here.items().len() - 1)?;
    let next = format!("{} ≤ {}", at.then, bound("k + 1"));
    let more = |second| {
        larger(
            here,
            &term(here, &format!("P − (k + 1)·({gain})"))?,
            &term(here, &target)?,
            second,
        )
    };
    let (gained, kept) = (more(false)?, more(true)?);
    let step = either(
        here,
        [&term(here, at.now)?, &term(here, &target)?],
        |h, case, low| {
            if low {
                let stays = stays(h, &at, [&fall, &valley], case, &target)?;
                return show(h, &next, &[("1", &[&stays]), ("1", &[&kept])]);
            }
            let falls = falls(h, &at, [&fall, &valley], case, gain)?;
            // max(P − k·δ, target) − δ is at most max(P − (k + 1)·δ, target).
            let most = format!("{} + {gain}", bound("k + 1"));
            let one = show(h, &format!("P − k·({gain}) ≤ {most}"), &[("1", &[&gained])])?;
            let other = show(h, &format!("{target} ≤ {most}"), &[("1", &[&kept])])?;
            let top = largest(&one, &other)?;
            let parts: &[(&str, &[&Theorem])] =
                &[("1", &[&falls]), ("1", &[&supposed]), ("1", &[&top])];
            show(h, &next, parts)
        },
    )?;
    let all = induction(&first, &discharge(&step)?)?;
    let reached = reached(h, gain)?;
    let aim = larger(h, &term(h, "P/c")?, &term(h, &format!("2·{m}"))?, false)?;
    let reached = show(
        h,
        &format!("P − K·({gain}) ≤ {target}"),
        &[("1", &[&reached]), ("1", &[&aim])],
    )?;
    let top = largest(&reached, &show(h, &format!("{target} ≤ {target}"), &[])?)?;
    let [_, aimed] = sides(&statement.goal)?;
    let Term::Op(Op::Max, sides) = aimed else {
        return Err(Stuck::new("not the larger of two"));
    };
    let side = |part: &str, second: bool| {
        let within = larger(h, &sides[0], &sides[1], second)?;
        let goal = Goal::Le(term(h, part)?, aimed.clone());
        settle(h, &goal, &[("1", &[&within])])
    };
    let wider = largest(&side("P/c", false)?, &side(&format!("2·{m}"), true)?)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&all]), ("1", &[&top]), ("1", &[&wider])];
    settle(h, &statement.goal, parts)
}

/// P − K·δ ≤ P/c: the powers multiply to P/c, and K·δ ≥ 2·(P/c)/(16γ²L₁) = (c − 1)·P/c.
fn reached(h: &Context, gain: &str) -> Proof {
    let many = given(h, 7)?;
    let [a, b] = ["((κ − 2)/κ)·log(P/c)", "(2/κ)·log(P/c)"];
    let split = exp_sum(h, &term(h, a)?, &term(h, b)?)?;
    let named = exp_log(h, &term(h, "P/c")?)?;
    let unit = inverse(h, &term(h, "c")?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        (gain, &[&many]),
        ("1/(8·γ²·L₁)", &[&split]),
        ("(−1)/(8·γ²·L₁)", &[&named]),
        ("(−1)·P", &[&unit]),
    ];
    show(h, &format!("P − K·({gain}) ≤ P/c"), parts)
}

/// Φ′ ≤ target where Φ is.
fn stays(
    h: &Context,
    at: &Step<'_>,
    [fall, valley]: [&Theorem; 2],
    low: &Theorem,
    target: &str,
) -> Proof {
    let m = format!("exp((κ/2)·log({LEVEL}))");
    let second = larger(h, &term(h, "P/c")?, &term(h, &format!("2·{m}"))?, true)?;
    let (goal, g) = (format!("{} ≤ {target}", at.then), format!("‖{}‖", at.slope));
    either(h, [&term(h, "b")?, &term(h, &g)?], |h, case, large| {
        if large {
            let parts: &[(&str, &[&Theorem])] = &[
                ("1", &[fall]),
                ("1", &[low]),
                (&format!("({g} + b)/(8·L₁)"), &[case]),
            ];
            return show(h, &goal, parts);
        }
        let grown = near_the_end(h, at, case, [fall, valley])?;
        show(h, &goal, &[("1", &[&grown]), ("1", &[&second])])
    })
}

/// Φ′ ≤ Φ − δ where Φ is at least P/c and 2M: then ‖g‖² is at least 2b² and (P/c)^{2/κ}/γ².
fn falls(
    h: &Context,
    at: &Step<'_>,
    [fall, valley]: [&Theorem; 2],
    high: &Theorem,
    gain: &str,
) -> Proof {
    let m = format!("exp((κ/2)·log({LEVEL}))");
    let side = |second| larger(h, &term(h, "P/c")?, &term(h, &format!("2·{m}"))?, second);
    let (first, second) = (side(false)?, side(true)?);
    let g = format!("‖{}‖", at.slope);
    // The root of P/c.
    let q = "exp((1/κ)·log(P/c))";
    let [_, own] = log_exp(h, "(1/κ)·log(P/c)")?;
    let order = exp_increases(&show(
        h,
        &format!("κ·log({q}) ≤ log(P/c)"),
        &[("κ", &[&own])],
    )?)?;
    let named = exp_log(h, &term(h, "P/c")?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&order]),
        ("1", &[&named]),
        ("1", &[&first]),
        ("1", &[high]),
    ];
    let below = show(h, &format!("exp(κ·log({q})) ≤ {}", at.now), parts)?;
    let wide = steep(h, at, q, &below, valley)?;
    // (√2·γb)^κ ≤ 2·(γb)^κ.
    let r = "√(2)·γ·b";
    let [level, _] = levels(h)?;
    let [twice, _] = log_product(h, &term(h, r)?, &term(h, r)?)?;
    let [_, split] = log_product(h, &num(2), &term(h, "γ²·b²")?)?;
    let two = log_not_negative(&show(h, "1 ≤ 2", &[])?)?;
    let few = given(h, 0)?;
    let order = format!("κ·log({r}) ≤ log(2) + (κ/2)·log({LEVEL})");
    let parts: &[(&str, &[&Theorem])] = &[
        ("κ/2", &[&twice]),
        ("κ/2", &[&split]),
        ("κ/2", &[&level]),
        ("1/2", &[&few, &two]),
    ];
    let grown = exp_increases(&show(h, &order, parts)?)?;
    let sum = exp_sum(h, &num(2).log(), &term(h, &format!("(κ/2)·log({LEVEL})"))?)?;
    let of_two = exp_log(h, &num(2))?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&grown]),
        ("1", &[&sum]),
        (&m, &[&of_two]),
        ("1", &[&second]),
        ("1", &[high]),
    ];
    let below = show(h, &format!("exp(κ·log({r})) ≤ {}", at.now), parts)?;
    let high = steep(h, at, r, &below, valley)?;
    let half = term(h, "(1/κ)·log(P/c)")?;
    let square = exp_sum(h, &half, &half)?;
    let goal = format!("{} ≤ {} − {gain}", at.then, at.now);
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[fall]),
        (&format!("(γ·{g} + {r})/(16·γ²·L₁)"), &[&high]),
        (&format!("(γ·{g} + {q})/(16·γ²·L₁)"), &[&wide]),
        ("1/(16·γ²·L₁)", &[&square]),
    ];
    show(h, &goal, parts)
}
