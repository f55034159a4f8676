//! What the data sets of signs say: Theorems 7 and 6 of (ε, δ)-DP, Corollary 1 of zCDP.

use super::excess::{growth, least_mean, length, share};
use super::{Privacy, Proof, least, mean, numbers, setting};
use crate::kl::kernel::gradients::cauchy;
use crate::kl::kernel::told;
use crate::moved::written::{each, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, root_increases, triangle};
use dp_assay_kernel::search::assumed;
use dp_assay_kernel::statement::{Context, Goal, Item, Statement};

/// What each of the theorems says of the losses and the risks; `edge` is how long a minimiser is.
fn losses(edge: &str) -> String {
    let least = least("α");
    format!(
        "f(x, p, ς) + (Σ_{{j<d}} (μ·x_j − (L₀/2)·ς·p_j)·(y_j − x_j)) + (μ/2)·‖⟨y_j − x_j : j<d⟩‖² \
            = f(y, p, ς); if ‖x‖ ≤ a: if ‖y‖ ≤ a: f(x, p, ς) ≤ f(y, p, ς) + L₀·‖⟨x_j − y_j : \
            j<d⟩‖; for every index α<M: F(α, x) − F(α, {least}) = (μ/2)·‖{}‖²; for every index \
            α<M: {edge}",
        apart("α")
    )
}

/// x − minimiser.
pub(super) fn apart(b: &str) -> String {
    format!("⟨x_j − (L₀·q/(2·μ))·s({b}, j) : j<d⟩")
}

const POINTS: &str = "
  vector p ∈ ℝ^d
  assume ‖p‖ ≤ 1
  real ς
  assume ς² = 1
  vector x ∈ ℝ^d
  vector y ∈ ℝ^d";

/// A statement: what the numbers of its own are, how long a minimiser is, and what it says besides.
fn statement(privacy: Privacy, [own, edge, says]: [&str; 3]) -> Result<Statement, Stuck> {
    let (numbers, setting, losses) = (numbers(privacy), setting(privacy), losses(edge));
    render::parse(&format!(
        "{numbers}{own}{setting}{POINTS}\nholds\n  {losses}; {says}"
    ))
}

/// `kl-thm-7-corrected`: a is D.
pub fn lipschitz() -> Result<Statement, Stuck> {
    let (mean, edge) = (mean(), format!("‖{}‖² = a²", least("α")));
    let own = "
  real a > 0
  define μ := L₀·q·√(r)/(2·a)";
    let says = format!("L₀·a·√(r)·k·(3 − 2·k·ε)/(24·n) ≤ {mean}; 9·L₀·a·√(r)/(256·n·ε) ≤ {mean}");
    statement(Privacy::Approximate, [own, &edge, &says])
}

/// The radius of the ball: G/(2μ), where the minimisers are, or, if `free` is 0, any from there on that leaves f L₀-Lipschitz.
fn radius(free: &str) -> String {
    format!(
        "
  real a > 0
  assume G ≤ 2·μ·a
  assume 2·μ·a ≤ L₀
  assume {}",
        bounded(free)
    )
}

/// 2μa ≤ G, unless `free` is 0.
pub(super) fn bounded(free: &str) -> String {
    format!("({free})·(log(2·μ·a) − log(G)) ≤ 0")
}

/// `kl-thm-6-corrected`: σ is τ − 1, and t any number > 0 below the distance, which makes powers of 0 unnecessary.
pub fn growing() -> Result<Statement, Stuck> {
    let (mean, least, apart) = (mean(), least("α"), apart("α"));
    let own = format!(
        "
  real σ > 0
  assume 1 ≤ σ
  real λ > 0
  define τ := σ + 1
  define G := L₀·q·√(r)
  define μ := 2·exp((τ·log(λ) + (σ − 1)·log(G))/σ){}",
        radius("σ − 1")
    );
    let says = format!(
        "for every index α<M: for every real t > 0: if ‖x‖ ≤ a: if t ≤ ‖{apart}‖: exp(τ·log(λ·t)) \
            ≤ F(α, x) − F(α, {least}); exp((τ/σ)·log(G/λ))·(3 − 2·k·ε)/96 ≤ {mean}; \
            3·exp((τ/σ)·log(3·L₀·√(r)/(2·λ·n·ε)))/2048 ≤ {mean}"
    );
    statement(
        Privacy::Approximate,
        [&own, &format!("‖{least}‖ ≤ a"), &says],
    )
}

/// `kl-cor-1-corrected`: t > 0 makes powers of 0 unnecessary.
pub fn steep() -> Result<Statement, Stuck> {
    let (mean, least, slope) = (mean(), least("α"), slope("α"));
    let own = format!(
        "
  real κ > 0
  assume κ ≤ 2
  real γ > 0
  define G := L₀·q·√(r)
  define μ := 1/(2·exp(κ·log(γ) − (2 − κ)·log(G))){}",
        radius("2 − κ")
    );
    let says = format!(
        "for every index α<M: F(α, x) + (Σ_{{j<d}} {slope}[j]·(y_j − x_j)) + (μ/2)·‖⟨y_j − x_j : \
            j<d⟩‖² = F(α, y); for every index α<M: for every real t > 0: if ‖x‖ ≤ a: F(α, x) − \
            F(α, {least}) ≤ exp(κ·log(γ·max(‖{slope}‖, t))); exp(κ·log(γ·G))·(1 − k·√(ρ))/8 ≤ \
            {mean}; 3·exp(κ·log(γ·L₀·√(r)/(n·√(ρ))))/512 ≤ {mean}"
    );
    statement(
        Privacy::Concentrated,
        [&own, &format!("‖{least}‖ ≤ a"), &says],
    )
}

/// The gradient of the risk.
pub(super) fn slope(b: &str) -> String {
    format!("⟨μ·x_j − (L₀/2)·q·s({b}, j) : j<d⟩")
}

/// f is L₀-Lipschitz on the ball, from 2μa ≤ L₀.
fn flat(h: &Context, wanted: &Goal, steep: &Theorem) -> Proof {
    let [.., Item::Assume(x_in), Item::Assume(y_in)] = h.items() else {
        return Err(Stuck::new("nothing is supposed"));
    };
    let (x_in, y_in) = (assumed(h, x_in)?, assumed(h, y_in)?);
    let (short, sign) = (told(h, "‖p‖ ≤ 1")?, told(h, "ς² = 1")?);
    let (gap, minus) = ("⟨x_j − y_j : j<d⟩", "⟨y_j − x_j : j<d⟩");
    let (up, down) = (cauchy(h, "p", minus)?, cauchy(h, "p", gap)?);
    let apart = triangle(h, &term(h, gap)?, &term(h, "⟨(−1)·y_j : j<d⟩")?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("(L₀/2)·((1 + ς)/2)²", &[&up]),
        ("(L₀/2)·((1 − ς)/2)²", &[&down]),
        (&format!("(L₀/4)·‖p‖·‖{gap}‖"), &[&sign]),
        (&format!("(L₀/2)·‖{gap}‖"), &[&short]),
        ("(μ/2)·(‖x‖ + ‖y‖)", &[&apart]),
        (&format!("(μ/2)·‖{gap}‖"), &[&x_in]),
        (&format!("(μ/2)·‖{gap}‖"), &[&y_in]),
        (&format!("‖{gap}‖/2"), &[steep]),
    ];
    settle(h, wanted, parts)
}

/// The minimiser is in the ball.
pub(super) fn within(h: &Context) -> Proof {
    let least = least("α");
    let parts: &[(&str, &[&Theorem])] = &[
        ("(L₀·q/(2·μ))²", &[&length(h, "α")?]),
        ("(a + G/(2·μ))/(2·μ)", &[&told(h, "G ≤ 2·μ·a")?]),
    ];
    root_increases(&show(h, &format!("‖{least}‖² ≤ a²"), parts)?)
}

pub(super) type Rest<'a> = &'a dyn Fn(&Context, &Goal) -> Proof;

/// All goals: those of the losses, from 2μa ≤ L₀, and these.
pub(super) fn with_losses(statement: &Statement, steep: &Theorem, rest: &[Rest<'_>]) -> Proof {
    let flat = |h: &Context, goal: &Goal| flat(h, goal, steep);
    let mut programs: Vec<Rest<'_>> = vec![&|h, goal| settle(h, goal, &[]), &flat, &|h, goal| {
        growth(h, goal, "α")
    }];
    programs.extend(rest);
    each(statement, &programs)
}

/// The proof of [`lipschitz`], or of a statement with other constants.
pub fn prove_lipschitz(statement: &Statement) -> Proof {
    let h = &statement.context;
    let privacy = Privacy::Approximate;
    let bound = least_mean(h, privacy)?;
    let (low, high) = (privacy.many(h)?, privacy.few(h)?);
    let steep = show(h, "2·μ·a ≤ L₀", &[("L₀", &[&share(h)?])])?;
    with_losses(
        statement,
        &steep,
        &[
            &|h, goal| settle(h, goal, &[("a²/r", &[&length(h, "α")?])]),
            &|h, goal| settle(h, goal, &[("1", &[&bound])]),
            &|h, goal| {
                let share = "3·L₀·a·√(r)/(16·n·ε)";
                settle(h, goal, &[("1", &[&bound]), (share, &[&low, &high])])
            },
        ],
    )
}
