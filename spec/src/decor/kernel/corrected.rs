//! The rounds of Theorem 2: what is left of its corrected first part, and of its second, once the expectations of a round are
//! bounded. X_t² is E L(x̄^(t)) − L_*, G_t is E‖∇L(x̄^(t))‖² and Y_t² is Ξ^(t).

use super::displays::logarithms;
use crate::moved::written::{Proof, each, given, given_for, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, inverse, larger, largest, sum_over, telescope};
use dp_assay_kernel::search::exp::{log_increases, log_product};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

/// `decor-thm-2a-corrected-rounds`: Lemma 7 with M = 0, the PL inequality and `decor-drv-12` are supposed. τ = 16L/(μp) is at least
/// 16, as μ ≤ L and p ≤ 1.
pub fn rounds() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer T ≥ 1
           real L > 0
           real μ > 0
           assume μ ≤ L
           real p > 0
           assume p ≤ 1
           real Q ≥ 0
           real R ≥ 0
           real x ≥ 0
           define τ := 16 + x
           assume 16·L/(μ·p) ≤ τ
           sequence X in ℝ^1
           sequence G in ℝ^1
           sequence Y in ℝ^1
           index o<1
           define η(t<T) := (2/μ)/(t + τ)
           assume for every index k<T: X[k + 1][o]² ≤ X_k[o]² − (η(k)/2)·G_k[o] + \
               (L²·η(k)/2)·Y_k[o]² + (L·η(k)²/2)·(Q/n)
           assume for every index k<T: 2·μ·X_k[o]² ≤ G_k[o]
           assume for every index k<T: Y[k + 1][o]² ≤ (1 − p/4)·Y_k[o]² + η(k)²·R
           define S := log(1 + T/(15 + x))
         holds
           X_T[o]² ≤ (16/7)·(L·Q·T/(μ²·n))/(T + τ)² + (256/7)·(L²·R·S/(μ³·p))/(T + τ)² + \
               τ²·(X[0][o]² + (L/2)·Y[0][o]²)/(T + τ)²",
    )
}

/// Hypotheses by number.
mod of {
    /// μ ≤ L, p ≤ 1, 16L/(μp) ≤ τ.
    pub const FLAT: usize = 0;
    pub const WHOLE: usize = 1;
    pub const SHIFT: usize = 2;
    /// Lemma 7, the PL inequality, mixing.
    pub const DESCENT: usize = 3;
    pub const STEEP: usize = 4;
    pub const MIXES: usize = 5;
    /// Of [`super::nonconvex`]: the first gap, and what a round leaves.
    pub const START: usize = 0;
    pub const FALLS: usize = 1;
}

/// E L(x̄) − L_* + (4L²/p)·η·Ξ in round `t`.
fn value(t: &str) -> String {
    format!("(X[{t}][o]² + (8·L²/(p·μ))·Y[{t}][o]²/({t} + τ))")
}

/// 16 ≤ p·τ.
fn late(h: &Context) -> Proof {
    let (flat, shift) = (given(h, of::FLAT)?, given(h, of::SHIFT)?);
    show(h, "16 ≤ p·τ", &[("p", &[&shift]), ("16/μ", &[&flat])])
}

/// W⁺ ≤ (1 − 2/s)·W + (2LQ/(μ²n))/s² + (32L²R/(pμ³))/s³ for s = t + τ: Lemma 7 plus (4L²/p)·η⁺ times the recursion of Ξ.
fn falls(t: &Context) -> Proof {
    let at = |n: usize| given_for(t, n, &["t"]);
    let (descent, steep, mixes) = (at(of::DESCENT)?, at(of::STEEP)?, at(of::MIXES)?);
    let (now, then) = (
        inverse(t, &term(t, "t + τ")?)?,
        inverse(t, &term(t, "t + 1 + τ")?)?,
    );
    let (u, v) = ("(1/(t + τ))", "(1/(t + 1 + τ))");
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("{u}·{v}"), &[]),
        (u, &[&then]),
        (&format!("(−1)·{v}"), &[&now]),
    ];
    let smaller = show(t, &format!("{v} ≤ {u}"), parts)?;
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("{u}/8"), &[&late(t)?]),
        (&format!("t·p·{u}/8"), &[]),
        ("p/8", &[&now]),
    ];
    let short = show(t, &format!("2·{u} ≤ p/8"), parts)?;
    let goal = format!(
        "{} ≤ (1 − 2·{u})·{} + (2·L·Q/(μ²·n))·{u}² + (32·L²·R/(p·μ³))·{u}³",
        value("t + 1"),
        value("t")
    );
    let one = given(t, of::WHOLE)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&descent]),
        ("η(t)/2", &[&steep]),
        (&format!("(8·L²/(p·μ))·{v}"), &[&mixes]),
        ("(6·L²/(p·μ))·Y_t[o]²", &[&smaller]),
        ("(2·L²/(p·μ))·Y_t[o]²", &[&smaller, &one]),
        ("(8·L²/(p·μ))·η(t)²·R", &[&smaller]),
        (&format!("(8·L²/(p·μ))·{u}·Y_t[o]²"), &[&short]),
    ];
    show(t, &goal, parts)
}

/// (s + 1)²·W⁺ − s²·W ≤ (16/7)·LQ/(μ²n) + ((256/7)·L²R/(μ³p))/s, as (s + 1)²·(s − 2) ≤ s³ and (s + 1)² ≤ (8/7)·s².
fn scaled(t: &Context) -> Proof {
    let falls = falls(t)?;
    let now = inverse(t, &term(t, "t + τ")?)?;
    let grows = show(t, "(t + 1 + τ)² ≤ (8/7)·(t + τ)²", &[])?;
    let u = "(1/(t + τ))";
    let (w, a, b) = (value("t"), "(2·L·Q/(μ²·n))", "(32·L²·R/(p·μ³))");
    let whole = format!("(8/7)·(1 + (t + τ)·{u})");
    let goal = format!(
        "(t + 1 + τ)²·{} − (t + τ)²·{w} ≤ (8/7)·{a} + (8/7)·{b}·{u}",
        value("t + 1")
    );
    let parts: &[(&str, &[&Theorem])] = &[
        ("(t + 1 + τ)²", &[&falls]),
        (&format!("(3 + 2·{u})·{w}"), &[]),
        (&format!("(−2)·{w}·(t + τ + 2)"), &[&now]),
        (&format!("{a}·{u}²"), &[&grows]),
        (&format!("{a}·{whole}"), &[&now]),
        (&format!("{b}·{u}³"), &[&grows]),
        (&format!("{b}·{u}·{whole}"), &[&now]),
    ];
    show(t, &goal, parts)
}

/// Σ_t 1/(t + τ) ≤ S.
fn harmonic(h: &Context) -> Proof {
    let all = logarithms(h, "15 + x")?;
    let whole = inverse(h, &term(h, "15 + x")?)?;
    let far = "T + 15 + x ≤ (1 + T/(15 + x))·(15 + x)";
    let far = log_increases(&show(h, far, &[("(−1)·T", &[&whole])])?)?;
    let [_, product] = log_product(h, &term(h, "1 + T/(15 + x)")?, &term(h, "15 + x")?)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&all]), ("1", &[&far]), ("1", &[&product])];
    show(h, "Σ_{t<T} 1/(t + τ) ≤ S", parts)
}

/// X_T² from above: the scaled rounds telescope, and W is at least X² and at first at most X² + (L/2)·Y².
fn unrolled(h: &Context, goal: &Goal) -> Proof {
    let t = &h.extended(item("t", Sort::Index(var("T"))))?;
    let rounds = sum_over(&scaled(t)?)?;
    let ends = format!("(t + τ)²·{}", value("t"));
    let ends = telescope(h, "t", &var("T"), &term(t, &ends)?)?;
    let (first, last) = (
        inverse(h, &term(h, "τ")?)?,
        inverse(h, &term(h, "(T + τ)²")?)?,
    );
    let shift = given(h, of::SHIFT)?;
    let y = "Y[0][o]²";
    let start = format!("(8·L²/(p·μ))·{y}/(0 + τ) ≤ (L/2)·{y}");
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("(L/2)·{y}/τ"), &[&shift]),
        (&format!("(L/2)·{y}"), &[&first]),
    ];
    let start = show(h, &start, parts)?;
    let least = "(8·L²/(p·μ))·Y_T[o]²/(T + τ)";
    let whole = format!(
        "(T + τ)²·X_T[o]² ≤ (16/7)·L·Q·T/(μ²·n) + (256/7)·(L²·R/(μ³·p))·S + τ²·(X[0][o]² + \
            (L/2)·{y})"
    );
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&rounds]),
        ("(−1)", &[&ends]),
        ("(256/7)·L²·R/(μ³·p)", &[&harmonic(h)?]),
        ("τ²", &[&start]),
        (&format!("(T + τ)²·{least}"), &[]),
    ];
    let whole = show(h, &whole, parts)?;
    let parts: &[(&str, &[&Theorem])] = &[("1/(T + τ)²", &[&whole]), ("(−1)·X_T[o]²", &[&last])];
    settle(h, goal, parts)
}

/// The proof of [`rounds`], or of a statement with larger constants.
pub fn prove_rounds(statement: &Statement) -> Proof {
    each(statement, &[&unrolled])
}

/// `decor-thm-2b-rounds`: m is 1/η, l is L_0, and the recursion of V (`decor-thm-2a-V`) is supposed.
pub fn nonconvex() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer T ≥ 1
           real L > 0
           real p > 0
           real c > 0
           real l > 0
           real Q > 0
           real R ≥ 0
           define m := max(2·c·L/p, √(L·T·Q/(n·l))/2)
           define η := 1/m
           define A := L·Q/(2·n)
           define B := 3·L²·R/p
           sequence X in ℝ^1
           sequence G in ℝ^1
           sequence Y in ℝ^1
           index o<1
           assume X[0][o]² = l
           assume for every index k<T: X[k + 1][o]² + (3·L²·η/p)·Y[k + 1][o]² − (X_k[o]² + \
               (3·L²·η/p)·Y_k[o]²) ≤ η²·A + η³·B − (η/8)·G_k[o]
         holds
           (Σ_{t<T} G_t[o])/T ≤ 12·√(L·l·Q/(n·T)) + 16·c·L·l/(p·T) + 24·L²·Y[0][o]²/(p·T) + \
               (96·L·l·n/(p·T·Q))·R",
    )
}

/// The proof of [`nonconvex`], or of a statement with larger constants: the mean of G is at most 8m·V_0/T + 8A/m + 8B/m², and with
/// a = √(LTQ/(nl))/2 it is a ≤ m ≤ 2cL/p + a.
pub fn prove_nonconvex(statement: &Statement) -> Proof {
    let h = &statement.context;
    let t = &h.extended(item("t", Sort::Index(var("T"))))?;
    let rounds = sum_over(&given_for(t, of::FALLS, &["t"])?)?;
    let ends = term(t, "X_t[o]² + (3·L²·η/p)·Y_t[o]²")?;
    let ends = telescope(h, "t", &var("T"), &ends)?;
    let (fast, a) = ("2·c·L/p", "(√(L·T·Q/(n·l))/2)");
    let (first, second) = (term(h, fast)?, term(h, a)?);
    let above = larger(h, &first, &second, true)?;
    let both = |one: &str| show(h, &format!("{one} ≤ {fast} + {a}"), &[]);
    let below = largest(&both(fast)?, &both(a)?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("8·m/T", &[&rounds]),
        ("(−8)·m/T", &[&ends]),
        ("(8·m/T)·(X_T[o]² + (3·L²·η/p)·Y_T[o]²)", &[]),
        ("8·m/T", &[&given(h, of::START)?]),
        ("8·l/T", &[&below]),
        (&format!("(16·l/T)·{a}/m"), &[&above]),
        (
            &format!("(24·L²·R/p)·(4·n·l/(L·T·Q))·(m + {a})/m²"),
            &[&above],
        ),
    ];
    settle(h, &statement.goal, parts)
}
