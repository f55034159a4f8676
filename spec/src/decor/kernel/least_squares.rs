//! The least-squares task of §6.1: its curvatures, and the assumptions that it satisfies.

use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, below, exchange, instance, inverse, sum_over, telescope};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

fn with_index(context: &Context, name: &str, bound: &str) -> Result<Context, Stuck> {
    context.extended(item(name, Sort::Index(var(bound))))
}

/// `decor-drv-10`: user i, counted from 0, has the curvature h_i = (i + 1)²/n, the gradient h_i·x − c_i and the loss F_i; z is the minimiser
/// of the global loss F, whose curvature is s. Full local gradients have no variance, so that M = σ_* = 0.
pub fn task() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           sequence c in ℝ^d
           vector z ∈ ℝ^d
           vector x ∈ ℝ^d
           vector y ∈ ℝ^d
           define h(i<n) := (i + 1)²/n
           define s := (n + 1)·(2·n + 1)/(6·n)
           define S := (Σ_{i<n} h(i)²)/n
           define F(i<n, w∈ℝ^d) := Σ_{l<d} (h(i)·w_l²/2 − c_i[l]·w_l)
           define r(i<n, l<d) := h(i)·z_l − c_i[l]
           assume for every index k<d: (Σ_{t<n} (h(t)·z_k − c_t[k]))/n = 0
         holds
           (Σ_{i<n} h(i))/n = s; for every index i<n: ‖⟨(h(i)·x_l − c_i[l]) − (h(i)·y_l − c_i[l]) \
               : l<d⟩‖² ≤ n²·‖⟨x_l − y_l : l<d⟩‖²; ‖⟨(Σ_{i<n} (h(i)·x_l − c_i[l]))/n : l<d⟩‖² = \
               2·s·((Σ_{i<n} F(i, x))/n − (Σ_{i<n} F(i, z))/n); (Σ_{i<n} ‖⟨h(i)·x_l − c_i[l] : \
               l<d⟩‖²)/n ≤ (2·S/s²)·‖⟨(Σ_{i<n} (h(i)·x_l − c_i[l]))/n : l<d⟩‖² + (Σ_{i<n} ‖⟨r(i, \
               l) : l<d⟩‖²)/n + ‖⟨(Σ_{i<n} h(i)·r(i, l))/n : l<d⟩‖²/S",
    )
}

/// Σ_i (i + 1)² = n(n + 1)(2n + 1)/6, as (k + 1)² is the difference of these numbers for k + 1 and k.
fn squares(h: &Context) -> Proof {
    let k = with_index(h, "k", "n")?;
    let all = telescope(h, "k", &var("n"), &term(&k, "k·(k + 1)·(2·k + 1)/6")?)?;
    show(h, "(Σ_{i<n} h(i))/n = s", &[("1/n²", &[&all])])
}

/// Σ_i (h_i·z_l − c_i\[l\]) = 0 for coordinate l.
fn flat(l: &Context, outer: &Context) -> Proof {
    instance(l, &given(outer, 0)?, &var("l"))
}

/// h_i ≤ n, as i + 1 ≤ n.
fn smooth(h: &Context, goal: &Goal) -> Proof {
    let below = below(h, "i")?;
    let curvature = show(h, "h(i) ≤ n", &[("(n + i + 1)/n", &[&below])])?;
    let square = "(h(i) + n)·(Σ_{l<d} (x_l − y_l)²)";
    settle(h, goal, &[(square, &[&curvature])])
}

const AWAY: &str = "(x_l − z_l)";
const SLOPE: &str = "((Σ_{i<n} (h(i)·x_l − c_i[l]))/n)";

/// ‖∇L(x)‖² = 2s(L(x) − L(z)), coordinate by coordinate: ∇L(x) is s·(x − z), and L is a square around z.
fn polyak(h: &Context, goal: &Goal) -> Proof {
    let l = &with_index(h, "l", "d")?;
    let (mean, flat) = (squares(l)?, flat(l, h)?);
    let body = "h(i)·x_l²/2 − c_i[l]·x_l − (h(i)·z_l²/2 − c_i[l]·z_l)";
    let a = "((Σ_{i<n} h(i))/n)";
    let e = "((Σ_{i<n} (h(i)·z_l − c_i[l]))/n)";
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("{a}·{AWAY}²"), &[&mean]),
        (&format!("2·{a}·{AWAY} + {e} − 2·s·{AWAY}"), &[&flat]),
    ];
    let one = show(l, &format!("{SLOPE}² = 2·s·(Σ_{{i<n}} ({body}))/n"), parts)?;
    let both = with_index(l, "i", "n")?;
    let swap = exchange(h, ("i", &var("n")), ("l", &var("d")), &term(&both, body)?)?;
    settle(
        h,
        goal,
        &[("1", &[&sum_over(&one)?]), ("(−2)·s/n", &[&swap])],
    )
}

/// Assumption 3, coordinate by coordinate, of gradients h_i·y + r_i for y = x − z: 2yB ≤ S·y² + B²/S for the mean B of h_i·r_i.
fn assumption(h: &Context, goal: &Goal) -> Proof {
    let l = &with_index(h, "l", "d")?;
    let (mean, flat) = (squares(l)?, flat(l, h)?);
    let slope = format!("{SLOPE} = s·{AWAY}");
    let slope = show(l, &slope, &[(AWAY, &[&mean]), ("1", &[&flat])])?;
    let b = "((Σ_{i<n} h(i)·r(i, l))/n)";
    let (whole, unit) = (inverse(l, &term(l, "S")?)?, inverse(l, &term(l, "s²")?)?);
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("(−2)·(S/s²)·(s·{AWAY} + {SLOPE})"), &[&slope]),
        (&format!("(−2)·S·{AWAY}²"), &[&unit]),
        (&format!("(1/S)·(S·{AWAY} − {b})²"), &[]),
        (&format!("S·{AWAY}² − 2·{AWAY}·{b}"), &[&whole]),
    ];
    let one = format!(
        "(Σ_{{i<n}} (h(i)·x_l − c_i[l])²)/n ≤ (2·S/s²)·{SLOPE}² + (Σ_{{i<n}} r(i, l)²)/n + {b}²/S"
    );
    let one = sum_over(&show(l, &one, parts)?)?;
    let both = with_index(l, "i", "n")?;
    let swap = |body: &str| exchange(h, ("i", &var("n")), ("l", &var("d")), &term(&both, body)?);
    let (left, right) = (swap("(h(i)·x_l − c_i[l])²")?, swap("r(i, l)²")?);
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&one]), ("1/n", &[&left]), ("(−1)/n", &[&right])];
    settle(h, goal, parts)
}

/// The proof of [`task`], or of a statement with larger constants.
pub fn prove_task(statement: &Statement) -> Proof {
    let mean = |h: &Context, goal: &Goal| settle(h, goal, &[("1", &[&squares(h)?])]);
    each(statement, &[&mean, &smooth, &polyak, &assumption])
}
