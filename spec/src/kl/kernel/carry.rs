//! Algorithm 1 with line 17 as printed: the round after a stop starts one step before it.

use super::gradients::cauchy;
use super::lower::{log_exp, products};
use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, counted, exp_log, exp_sum, instance, inverse, larger, largest, root_increases,
    sum_over, telescope, triangle,
};
use dp_assay_kernel::search::exp::{exp_increases, log_increases, log_not_negative, log_product};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

/// `kl-thm-1-phase-reading-carry`: in a round, P is Φ̂_{k−1}, Φ is Φ̂_k, b what the norms of estimates are tested against, q = ⌊T_k⌋ ≥ 1 and m_t
/// the estimate of the gradient g_t at w_t. If the test fails at w_0, or at w_{z+1}, the next round starts at w_0, or at w_z, and at w_q if it
/// never does. Smoothness is supposed along the steps.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer q ≥ 1
           real κ > 0
           real γ > 0
           real L₁ > 0
           real F₀ > 0
           real P > 0
           real Φ > 0
           real f > 0
           define c := 1 + exp(((2 − κ)/κ)·log(F₀))/(64·γ²·L₁)
           define e := exp((1/κ)·log(Φ))/(8·γ)
           define b := (7/8)·exp((1/κ)·log(Φ))/γ
           define a := exp((1/κ)·log(Φ))/(4·γ)
           assume κ ≤ 2
           assume Φ = max(P/c, f)
           assume exp(((2 − κ)/κ)·(log(F₀) − log(Φ))) ≤ q + 1
           map F of ℝ^d into ℝ^1
           index o<1
           real F⋆
           sequence w in ℝ^d
           sequence g in ℝ^d
           sequence m in ℝ^d
           define s(t<q, j<d) := (a/(L₁·max(b, ‖m_t‖)))·m_t[j]
           assume for every index t<q: for every index j<d: w[t + 1][j] = w_t[j] − s(t, j)
           assume for every index t<q: ‖⟨m_t[j] − g_t[j] : j<d⟩‖ ≤ e
           assume for every index t<q: ‖⟨m[t + 1][j] − g[t + 1][j] : j<d⟩‖ ≤ e
           assume for every index t<q: F(w[t + 1])[o] ≤ F(w_t)[o] − (Σ_{j<d} g_t[j]·s(t, j)) + \
               (L₁/2)·(Σ_{j<d} s(t, j)²)
           assume for every index t<q: ‖⟨g_t[j] − g[t + 1][j] : j<d⟩‖ ≤ L₁·‖⟨w_t[j] − w[t + 1][j] \
               : j<d⟩‖
           assume for every index t<q: for every real y > 0: F(w_t)[o] − F⋆ ≤ \
               exp(κ·log(max(γ·‖g_t‖, y)))
           assume for every real y > 0: F(w[0])[o] − F⋆ ≤ exp(κ·log(max(γ·‖g[0]‖, y)))
           assume ‖⟨m[0][j] − g[0][j] : j<d⟩‖ ≤ e
           assume F(w[0])[o] − F⋆ ≤ exp(κ·log(5/4))·P
           index z<q
         holds
           if ‖m[0]‖ ≤ b: F(w[0])[o] − F⋆ ≤ exp(κ·log(5/4))·Φ; if ‖m[z + 1]‖ ≤ b: F(w_z)[o] − F⋆ ≤ \
               exp(κ·log(5/4))·Φ; if for every index t<q: b ≤ ‖m_t‖: F(w_q)[o] − F⋆ ≤ \
               exp(κ·log(5/4))·Φ",
    )
}

/// The proof of [`statement`], or of a statement with larger constants.
pub fn prove(statement: &Statement) -> Proof {
    let at_once = |h: &Context, goal: &Goal| {
        let small = given(h, 12)?;
        let near = given(h, 10)?;
        let slope = slope(h, "0", [&near, &small])?;
        let more = "(1/4)·exp((1/κ)·log(Φ))";
        let slope = wide(h, "g[0]", &[("γ", &[&slope]), (more, &[])])?;
        valley(h, goal, "g[0]", &slope, &given(h, 9)?)
    };
    each(statement, &[&at_once, &before, &steps])
}

/// ‖g‖ ≤ Φ^{1/κ}/γ where the test fails.
fn slope(h: &Context, t: &str, [near, small]: [&Theorem; 2]) -> Proof {
    let apart = format!("⟨m[{t}][j] − g[{t}][j] : j<d⟩");
    let apart = triangle(h, &term(h, &format!("m[{t}]"))?, &term(h, &apart)?)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&apart]), ("1", &[near]), ("1", &[small])];
    show(h, &format!("‖g[{t}]‖ ≤ exp((1/κ)·log(Φ))/γ"), parts)
}

/// γ·‖g‖ ≤ (5/4)·Φ^{1/κ}.
fn wide(h: &Context, g: &str, parts: &[(&str, &[&Theorem])]) -> Proof {
    show(h, &format!("γ·‖{g}‖ ≤ (5/4)·exp((1/κ)·log(Φ))"), parts)
}

/// The excess from a bound on the gradient, by KL*.
fn valley(h: &Context, goal: &Goal, g: &str, slope: &Theorem, steep: &Theorem) -> Proof {
    let root = "(5/4)·exp((1/κ)·log(Φ))";
    let most = largest(slope, &show(h, &format!("{root} ≤ {root}"), &[])?)?;
    let logs = log_increases(&most)?;
    let [_, split] = log_product(h, &term(h, "5/4")?, &term(h, "exp((1/κ)·log(Φ))")?)?;
    let [_, own] = log_exp(h, "(1/κ)·log(Φ)")?;
    let order = format!("κ·log(max(γ·‖{g}‖, {root})) ≤ κ·log(5/4) + log(Φ)");
    let parts: &[(&str, &[&Theorem])] = &[("κ", &[&logs]), ("κ", &[&split]), ("κ", &[&own])];
    let grown = exp_increases(&show(h, &order, parts)?)?;
    let both = exp_sum(h, &term(h, "κ·log(5/4)")?, &term(h, "log(Φ)")?)?;
    let (valley, of_phi) = (instance(h, steep, &term(h, root)?)?, exp_log(h, &var("Φ"))?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&valley]),
        ("1", &[&grown]),
        ("1", &[&both]),
        ("exp(κ·log(5/4))", &[&of_phi]),
    ];
    settle(h, goal, parts)
}

/// One step before the stop the gradient is at most L₁·a/L₁ larger.
fn before(h: &Context, goal: &Goal) -> Proof {
    let at = |n: usize| instance(h, &given(h, n)?, &var("z"));
    let (near, lipschitz, steep, small) = (at(5)?, at(7)?, at(8)?, given(h, 12)?);
    let slope = slope(h, "z + 1", [&near, &small])?;
    let i = &h.extended(item("i", Sort::Index(var("d"))))?;
    let moved = instance(i, &instance(i, &given(i, 3)?, &var("z"))?, &var("i"))?;
    let step = "(w_z[i] − w[z + 1][i])² = s(z, i)²";
    let step = show(
        i,
        step,
        &[("(−1)·(w_z[i] − w[z + 1][i] + s(z, i))", &[&moved])],
    )?;
    let step = sum_over(&step)?;
    let level = "max(b, ‖m_z‖)";
    let above = larger(h, &term(h, "b")?, &term(h, "‖m_z‖")?, true)?;
    let far = "Σ_{j<d} (w_z[j] − w[z + 1][j])² ≤ (a/L₁)²";
    let unit = format!("(a²/L₁²)·({level} + ‖m_z‖)/{level}²");
    let far = root_increases(&show(h, far, &[("1", &[&step]), (&unit, &[&above])])?)?;
    let apart = triangle(
        h,
        &term(h, "⟨g_z[j] − g[z + 1][j] : j<d⟩")?,
        &term(h, "⟨(−1)·g[z + 1][j] : j<d⟩")?,
    )?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("γ", &[&apart]),
        ("γ", &[&slope]),
        ("γ", &[&lipschitz]),
        ("γ·L₁", &[&far]),
    ];
    let slope = wide(h, "g_z", parts)?;
    valley(h, goal, "g_z", &slope, &steep)
}

/// No test fails: q ≥ T_k/2 steps take off (5/32)·Φ^{2/κ}/(γ²L₁) each, together 5(c − 1)·Φ at least, and (5/4)^κ ≤ 25/16.
fn steps(h: &Context, goal: &Goal) -> Proof {
    let k = &h.extended(item("k", Sort::Index(var("q"))))?;
    let at = |n: usize| instance(k, &given(k, n)?, &var("k"));
    let (near, smooth, long) = (at(4)?, at(6)?, at(12)?);
    let product = cauchy(k, "⟨m_k[j] − g_k[j] : j<d⟩", "m_k")?;
    let level = "max(b, ‖m_k‖)";
    let (low, above) = (
        larger(k, &term(k, "b")?, &term(k, "‖m_k‖")?, false)?,
        larger(k, &term(k, "b")?, &term(k, "‖m_k‖")?, true)?,
    );
    let exact = largest(&long, &show(k, "‖m_k‖ ≤ ‖m_k‖", &[])?)?;
    let half = term(k, "(1/κ)·log(Φ)")?;
    let square = exp_sum(k, &half, &half)?;
    let gain = "(5/32)·exp((2/κ)·log(Φ))/(γ²·L₁)";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&smooth]),
        (&format!("a/(L₁·{level})"), &[&product]),
        (&format!("(a/(L₁·{level}))·‖m_k‖"), &[&near]),
        (&format!("(a/(L₁·{level}))·e"), &[&above]),
        (&format!("(a/(L₁·{level}))·‖m_k‖"), &[&exact]),
        (
            &format!("(a²/(2·L₁))·({level} + ‖m_k‖)/{level}²"),
            &[&above],
        ),
        ("a/L₁", &[&low]),
        ("a/L₁", &[&exact]),
        ("(5/32)/(γ²·L₁)", &[&square]),
    ];
    let falls = show(
        k,
        &format!("F(w[k + 1])[o] − F(w_k)[o] ≤ (−1)·{gain}"),
        parts,
    )?;
    let falls = sum_over(&falls)?;
    let all = telescope(h, "k", &var("q"), &term(k, "F(w_k)[o]")?)?;
    // T_k·Φ^{2/κ} = F₀^{(2−κ)/κ}·Φ.
    let [a, b] = ["((2 − κ)/κ)·(log(F₀) − log(Φ))", "(2/κ)·log(Φ)"];
    let [c, e] = ["((2 − κ)/κ)·log(F₀)", "log(Φ)"];
    let order = show(h, &format!("{c} + {e} ≤ {a} + {b}"), &[])?;
    let powers = products(h, [c, e, a, b], &order)?;
    let (of_phi, many, one) = (exp_log(h, &var("Φ"))?, given(h, 2)?, counted(h, &var("q"))?);
    let (target, start) = (given(h, 1)?, given(h, 11)?);
    let share = larger(h, &term(h, "P/c")?, &var("f"), false)?;
    let unit = inverse(h, &term(h, "c")?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("c", &[&share]),
        ("(−1)·c", &[&target]),
        ("(−1)·P", &[&unit]),
    ];
    let begins = show(h, "P ≤ c·Φ", parts)?;
    // (5/4)^κ ≤ 25/16.
    let small = given(h, 0)?;
    let log = log_not_negative(&show(h, "1 ≤ 5/4", &[])?)?;
    let twice = "log(5/4) + log(5/4)";
    let power = show(
        h,
        &format!("κ·log(5/4) ≤ {twice}"),
        &[("1", &[&small, &log])],
    )?;
    let power = exp_increases(&power)?;
    let (split, named) = (
        exp_sum(h, &term(h, "log(5/4)")?, &term(h, "log(5/4)")?)?,
        exp_log(h, &term(h, "5/4")?)?,
    );
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&power]),
        ("1", &[&split]),
        ("exp(log(5/4)) + 5/4", &[&named]),
    ];
    let power = show(h, "exp(κ·log(5/4)) ≤ 25/16", parts)?;
    let scale = "5/(64·γ²·L₁)";
    let phi = "(5/64)·exp((2/κ)·log(Φ))/(γ²·L₁)";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&start]),
        ("exp(κ·log(5/4))", &[&begins]),
        (&format!("(exp({c})/(64·γ²·L₁))·Φ"), &[&power]),
        ("(−1)", &[&all]),
        ("1", &[&falls]),
        (phi, &[&many]),
        (phi, &[&one]),
        (scale, &[&powers]),
        (&format!("(−1)·{scale}·exp({c})"), &[&of_phi]),
    ];
    settle(h, goal, parts)
}
