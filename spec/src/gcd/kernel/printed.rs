//! `gcd-thm-4.4-cvx-proof`: the appendix's bound at T = X/4 against the printed rate.

use super::level::smaller;
use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, counted, root_increases, smooth, stationary, sum_over};
use dp_assay_kernel::search::exp::{log_above, log_increases, log_product};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

/// `gcd-thm-4.4-cvx-proof`: T is a real number, m and L are M_min and L_max, l is log(1/δ), and A the printed number; R is any number > 0
/// that is at least R_M, of which the distance from w₀ is used.
pub fn rate() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer p ≥ 1
           vector M ∈ ℝ^p, all > 0
           function f on ℝ^p with M: convex, differentiable, and f(y) ≤ f(x) + ⟨∇f(x), y − x⟩ + \
               ½·Σ_j M_j·(y_j − x_j)² for all x, y
           vector w₀ ∈ ℝ^p
           vector w⋆ ∈ ℝ^p
           assume f is least at w⋆
           real R > 0
           assume Σ_{i<p} √(M_i)·|w₀_i − w⋆_i| ≤ R
           real ζ > 0
           assume ζ ≤ 1
           real T > 0
           assume 1 ≤ T
           real m > 0
           real L > 0
           real n > 0
           real ε > 0
           real l > 0
           real X > 0
           real A > 0
           real λ₁ > 0
           real Λ > 0
           assume X = 4·T
           assume X³ = n²·ε²·R²·m/(L²·l)
           assume A·X = R²
           assume λ₁ = 8·L·√(T·l)/(n·ε)
           assume Λ = log(8·T·p/ζ)
           define β := (2·λ₁²/m)·Λ²
           assume √(32·R²·β) ≤ f(w₀) − f(w⋆)
         holds
           8·R²/T + √(32·R²·β) ≤ 64·A·log(T·p/ζ); A³ = R⁴·L²·l/(m·n²·ε²)",
    )
}

/// f(w₀) − f(w⋆) ≤ R²/2, as f is smooth.
fn start(h: &Context) -> Proof {
    let (least, near) = (given(h, 0)?, given(h, 1)?);
    let i = &h.extended(item("i", Sort::Index(var("p"))))?;
    let slope = stationary(i, &least, "i")?;
    let flat = "∂_i f(w⋆)·(w₀_i − w⋆_i) = 0";
    let flat = sum_over(&show(i, flat, &[("w₀_i − w⋆_i", &[&slope])])?)?;
    let smooth = smooth(h, "f", &var("w⋆"), &var("w₀"))?;
    let sum = "((Σ_{i<p} √(M_i)·|w₀_i − w⋆_i|) + R)/2";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&smooth]),
        ("1", &[&flat]),
        ("1/2", &[&smaller(h)?]),
        (sum, &[&near]),
    ];
    show(h, "f(w₀) − f(w⋆) ≤ R²/2", parts)
}

/// 32R²β = (8R²Λ/T)².
fn noise(h: &Context) -> Proof {
    let (four, cube, scale) = (given(h, 4)?, given(h, 5)?, given(h, 7)?);
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&cube]), ("(−1)·(X² + 4·T·X + 16·T²)", &[&four])];
    let cube = show(h, "64·T³ = n²·ε²·R²·m/(L²·l)", parts)?;
    let unit = "L²·l/(m·n²·ε²·64·T³)";
    let unit = show(h, "L²·l/(m·n²·ε²) = R²/(64·T³)", &[(unit, &[&cube])])?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("32·R²·128·T·Λ²", &[&unit]),
        ("32·R²·(2·Λ²/m)·(8·L·√(T·l)/(n·ε) + λ₁)", &[&scale]),
    ];
    show(h, "32·R²·β = (8·R²·Λ/T)²", parts)
}

/// log(Tp/ζ) ≥ 1 + log 8 and Λ ≤ log 8 + log(Tp/ζ), as the gap makes T ≥ 16Λ, so that T ≥ 32 and Tp/ζ ≥ 32.
fn logarithms(h: &Context, gap: &Theorem) -> Result<[Theorem; 2], Stuck> {
    let (small, one, named) = (given(h, 2)?, given(h, 3)?, given(h, 8)?);
    let many = counted(h, &var("p"))?;
    let share: &[(&str, &[&Theorem])] = &[("T/ζ", &[&many]), ("T/ζ", &[&small])];
    let all = show(h, "T ≤ T·p/ζ", share)?;
    let eight = show(h, "8 ≤ 8·T·p/ζ", &[("8", &[&one]), ("8", &[&all])])?;
    let eight = log_increases(&eight)?;
    let two = log_above(h, &8.into(), &2.into(), 7)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&two]), ("1", &[&eight]), ("(−1)", &[&named])];
    let two = show(h, "2 ≤ Λ", parts)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[gap]), ("16", &[&two]), ("1", &[&all])];
    let long = log_increases(&show(h, "32 ≤ T·p/ζ", parts)?)?;
    let [first, _] = log_product(h, &term(h, "8")?, &term(h, "4")?)?;
    let four = log_above(h, &4.into(), &1.into(), 4)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&long]), ("1", &[&first]), ("1", &[&four])];
    let enough = show(h, "1 + log(8) ≤ log(T·p/ζ)", parts)?;
    let [_, split] = log_product(h, &term(h, "8")?, &term(h, "T·p/ζ")?)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&split]), ("1", &[&named])];
    Ok([enough, show(h, "Λ ≤ log(8) + log(T·p/ζ)", parts)?])
}

/// The proof of [`rate`], or of a statement with larger constants.
pub fn prove_rate(statement: &Statement) -> Proof {
    let main = |h: &Context, goal: &Goal| {
        let (four, radius, noise) = (given(h, 4)?, given(h, 6)?, noise(h)?);
        let root = |text: &str, sign: &str| root_increases(&show(h, text, &[(sign, &[&noise])])?);
        let above = root("32·R²·β ≤ (8·R²·Λ/T)²", "1")?;
        let below = root("(8·R²·Λ/T)² ≤ 32·R²·β", "(−1)")?;
        let unit = "2·T/R²";
        let parts: &[(&str, &[&Theorem])] = &[
            (unit, &[&below]),
            (unit, &[&given(h, 9)?]),
            (unit, &[&start(h)?]),
        ];
        let gap = show(h, "16·Λ ≤ T", parts)?;
        let [enough, named] = logarithms(h, &gap)?;
        // R²/T = 4A.
        let each = show(
            h,
            "R²/T = 4·A",
            &[("(−1)/T", &[&radius]), ("A/T", &[&four])],
        )?;
        let parts: &[(&str, &[&Theorem])] = &[
            ("1", &[&above]),
            ("8·(1 + Λ)", &[&each]),
            ("32·A", &[&named]),
            ("32·A", &[&enough]),
        ];
        settle(h, goal, parts)
    };
    let printed = |h: &Context, goal: &Goal| {
        let (cube, radius) = (given(h, 5)?, given(h, 6)?);
        let parts: &[(&str, &[&Theorem])] = &[
            ("(−1)·R⁴·L²·l/(m·n²·ε²·X³)", &[&cube]),
            ("(A²·X² + A·X·R² + R⁴)/X³", &[&radius]),
        ];
        settle(h, goal, parts)
    };
    each(statement, &[&main, &printed])
}
