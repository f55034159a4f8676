//! What the assumptions of §5.1 follow from.
//!
//! Users i and t, samples k, entries j of the d of a vector. User i's data are m samples, of which she draws sample k with the
//! probability r_i\[k\]²; l is the loss of a sample and G its gradient, R the loss of a user and h its gradient, F the global loss
//! and D its gradient.

use super::swap;
use crate::moved::written::{Proof, each, given_for, settle, show};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, sum_over};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::{Term, var};

/// Hypotheses by number.
mod of {
    pub const WEIGHTS: usize = 0;
    pub const CONVEX: usize = 1;
    pub const SMOOTH: usize = 2;
    pub const LEAST: usize = 3;
    pub const STEEP: usize = 4;
}

/// `decor-asm-star-repaired`: l is convex and smooth with the constant L, z minimises F, which for a convex function says that its
/// gradient is 0 there, and F is μ-PL; y is a point, v_i the point of user i. ζ_*² and σ_*² stand where the gradients are those at z.
pub fn at_the_minimum() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer m ≥ 1
           integer d ≥ 1
           sequence r in ℝ^m
           assume for every index u<n: Σ_{k<m} r_u[k]² = 1
           map f of ℝ^n × ℝ^m × ℝ^d into ℝ^1
           map g of ℝ^n × ℝ^m × ℝ^d into ℝ^d
           define l(i<n, k<m, x∈ℝ^d) := Σ_{q<1} f(⟨𝟙[p=i] : p<n⟩, ⟨𝟙[p=k] : p<m⟩, x)[q]
           define G(i<n, k<m, x∈ℝ^d, j<d) := g(⟨𝟙[p=i] : p<n⟩, ⟨𝟙[p=k] : p<m⟩, x)[j]
           real L > 0
           assume for every index u<n: for every index s<m: for every vector a ∈ ℝ^d: for every \
               vector b ∈ ℝ^d: l(u, s, a) + (Σ_{j<d} G(u, s, a, j)·(b_j − a_j)) ≤ l(u, s, b)
           assume for every index u<n: for every index s<m: for every vector a ∈ ℝ^d: for every \
               vector b ∈ ℝ^d: l(u, s, b) ≤ l(u, s, a) + (Σ_{j<d} G(u, s, a, j)·(b_j − a_j)) + \
               (L/2)·(Σ_{j<d} (b_j − a_j)²)
           define R(i<n, x∈ℝ^d) := Σ_{k<m} r_i[k]²·l(i, k, x)
           define h(i<n, x∈ℝ^d, j<d) := Σ_{k<m} r_i[k]²·G(i, k, x, j)
           define F(x∈ℝ^d) := (Σ_{i<n} R(i, x))/n
           define D(x∈ℝ^d, j<d) := (Σ_{i<n} h(i, x, j))/n
           real μ > 0
           vector z ∈ ℝ^d
           assume for every index e<d: D(z, e) = 0
           assume for every vector a ∈ ℝ^d: 2·μ·(F(a) − F(z)) ≤ Σ_{j<d} D(a, j)²
           vector y ∈ ℝ^d
           sequence v in ℝ^d
         holds
           (Σ_{i<n} Σ_{j<d} h(i, y, j)²)/n ≤ 2·(Σ_{i<n} Σ_{j<d} h(i, z, j)²)/n + (2·L/μ)·(Σ_{j<d} \
               D(y, j)²); (Σ_{i<n} Σ_{k<m} r_i[k]²·(Σ_{j<d} (G(i, k, v_i, j) − h(i, v_i, j))²))/n \
               ≤ 2·(Σ_{i<n} Σ_{k<m} r_i[k]²·(Σ_{j<d} G(i, k, z, j)²))/n + ((2·n·L/μ)/n)·(Σ_{i<n} \
               Σ_{j<d} D(v_i, j)²)",
    )
}

fn below(name: &str) -> Term {
    var(match name {
        "k" => "m",
        "j" => "d",
        _ => "n",
    })
}

fn with(context: &Context, name: &str) -> Result<Context, Stuck> {
    context.extended(item(name, Sort::Index(below(name))))
}

/// Entry j of x − z, x being a vector or an element of a sequence.
fn away(x: &str) -> String {
    match x.contains('_') {
        true => format!("({x}[j] − z_j)"),
        false => format!("({x}_j − z_j)"),
    }
}

/// What the loss of a user, or of a sample, at x is above its tangent at z.
fn above(user: &str, x: &str) -> String {
    let away = away(x);
    format!("(R({user}, {x}) − R({user}, z) − (Σ_{{j<d}} h({user}, z, j)·{away}))")
}

/// ‖∇l(x) − ∇l(z)‖² ≤ 2L(l(x) − l(z) − ⟨∇l(z), x − z⟩) for sample k of a user: smoothness at x and convexity at z, towards x −
/// (∇l(x) − ∇l(z))/L.
fn cocoercive(k: &Context, user: &str, x: &str) -> Proof {
    let apart = format!("(G({user}, k, {x}, j) − G({user}, k, z, j))");
    let away = away(x);
    let point = format!("⟨z_j + {away} − {apart}/L : j<d⟩");
    let (convex, smooth) = (
        given_for(k, of::CONVEX, &[user, "k", "z", &point])?,
        given_for(k, of::SMOOTH, &[user, "k", x, &point])?,
    );
    let slope = format!("(Σ_{{j<d}} G({user}, k, z, j)·{away})");
    let goal = format!("Σ_{{j<d}} {apart}² ≤ 2·L·(l({user}, k, {x}) − l({user}, k, z) − {slope})");
    show(k, &goal, &[("2·L", &[&convex]), ("2·L", &[&smooth])])
}

/// Σ_k of r_k²·Σ_j ∂_j l(z)·(x_j − z_j) the other way round.
fn slopes(h: &Context, user: &str, x: &str) -> Proof {
    let body = format!("r_{user}[k]²·G({user}, k, z, j)·{}", away(x));
    swap(h, ("k", "m"), ("j", "d"), &body)
}

/// ‖∇R(x) − ∇R(z)‖² ≤ 2L(R(x) − R(z) − ⟨∇R(z), x − z⟩) for a user: the square of a mean is at most the mean of squares.
fn of_user(h: &Context, user: &str, x: &str) -> Proof {
    let (k, j) = (&with(h, "k")?, &with(h, "j")?);
    let weight = format!("r_{user}[k]²");
    let sample = format!("(G({user}, k, {x}, j) − G({user}, k, z, j))");
    let mean = format!("(h({user}, {x}, j) − h({user}, z, j))");
    let whole = given_for(j, of::WEIGHTS, &[user])?;
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("Σ_{{k<m}} {weight}·({sample} − {mean})²"), &[]),
        (&format!("{mean}²"), &[&whole]),
    ];
    let square = format!("{mean}² ≤ Σ_{{k<m}} {weight}·{sample}²");
    let square = sum_over(&show(j, &square, parts)?)?;
    let swapped = swap(h, ("j", "d"), ("k", "m"), &format!("{weight}·{sample}²"))?;
    let slope = format!("(Σ_{{j<d}} G({user}, k, z, j)·{})", away(x));
    let one = format!(
        "{weight}·(Σ_{{j<d}} {sample}²) ≤ 2·L·{weight}·(l({user}, k, {x}) − l({user}, k, z) − \
            {slope})"
    );
    let one = sum_over(&show(k, &one, &[(&weight, &[&cocoercive(k, user, x)?])])?)?;
    let goal = format!("Σ_{{j<d}} {mean}² ≤ 2·L·{}", above(user, x));
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&square]),
        ("1", &[&swapped]),
        ("1", &[&one]),
        ("(−2)·L", &[&slopes(h, user, x)?]),
    ];
    show(h, &goal, parts)
}

/// The sum over all users of [`above`] is n·(F(x) − F(z)), as the gradient of F is 0 at z.
fn of_all(h: &Context, user: &str, x: &str) -> Proof {
    let j = &with(h, "j")?;
    let away = &away(x);
    let flat = format!("D(z, j)·{away} = 0");
    let flat = show(j, &flat, &[(away, &[&given_for(j, of::LEAST, &["j"])?])])?;
    let swapped = swap(
        h,
        (user, "n"),
        ("j", "d"),
        &format!("h({user}, z, j)·{away}"),
    )?;
    let goal = format!("Σ_{{{user}<n}} {} = n·(F({x}) − F(z))", above(user, x));
    show(
        h,
        &goal,
        &[("(−1)", &[&swapped]), ("(−1)·n", &[&sum_over(&flat)?])],
    )
}

/// The bound on heterogeneity: ‖∇R(y)‖² ≤ 2‖∇R(z)‖² + 2‖∇R(y) − ∇R(z)‖².
fn heterogeneity(h: &Context, goal: &Goal) -> Proof {
    let i = &with(h, "i")?;
    let twice = "Σ_{j<d} (h(i, y, j) − 2·h(i, z, j))²";
    let one = format!(
        "Σ_{{j<d}} h(i, y, j)² ≤ 2·(Σ_{{j<d}} h(i, z, j)²) + 4·L·{}",
        above("i", "y")
    );
    let one = sum_over(&show(
        i,
        &one,
        &[(twice, &[]), ("2", &[&of_user(i, "i", "y")?])],
    )?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/n", &[&one]),
        ("4·L/n", &[&of_all(h, "i", "y")?]),
        ("2·L/μ", &[&given_for(h, of::STEEP, &["y"])?]),
    ];
    settle(h, goal, parts)
}

/// The bound on the noise of samples: about their mean gradients have no larger squares than about 0, each is ‖∇l(v)‖² ≤
/// 2‖∇l(z)‖² + 2‖∇l(v) − ∇l(z)‖², and what one user's loss is above its tangent is at most what those of all are.
fn noise(h: &Context, goal: &Goal) -> Proof {
    let i = &with(h, "i")?;
    let (k, j, t) = (&with(i, "k")?, &with(i, "j")?, &with(i, "t")?);
    let spread = "(Σ_{k<m} r_i[k]²·(G(i, k, v_i, j) − h(i, v_i, j))²)";
    let about_zero = format!("{spread} ≤ Σ_{{k<m}} r_i[k]²·G(i, k, v_i, j)²");
    let mean = "h(i, v_i, j)²";
    let parts: &[(&str, &[&Theorem])] =
        &[(mean, &[]), (mean, &[&given_for(j, of::WEIGHTS, &["i"])?])];
    let about_zero = sum_over(&show(j, &about_zero, parts)?)?;
    let of_spread = swap(
        i,
        ("k", "m"),
        ("j", "d"),
        "r_i[k]²·(G(i, k, v_i, j) − h(i, v_i, j))²",
    )?;
    let of_squares = swap(i, ("k", "m"), ("j", "d"), "r_i[k]²·G(i, k, v_i, j)²")?;
    let slope = "(Σ_{j<d} G(i, k, z, j)·(v_i[j] − z_j))";
    let one = format!(
        "r_i[k]²·(Σ_{{j<d}} G(i, k, v_i, j)²) ≤ 2·r_i[k]²·(Σ_{{j<d}} G(i, k, z, j)²) + \
            4·L·r_i[k]²·(l(i, k, v_i) − l(i, k, z) − {slope})"
    );
    let twice = "r_i[k]²·(Σ_{j<d} (G(i, k, v_i, j) − 2·G(i, k, z, j))²)";
    let parts: &[(&str, &[&Theorem])] =
        &[(twice, &[]), ("2·r_i[k]²", &[&cocoercive(k, "i", "v_i")?])];
    let one = sum_over(&show(k, &one, parts)?)?;
    let convex = format!("0 ≤ {}", above("t", "v_i"));
    let squares = "(Σ_{j<d} (h(t, v_i, j) − h(t, z, j))²)/(2·L)";
    let parts: &[(&str, &[&Theorem])] = &[(squares, &[]), ("1/(2·L)", &[&of_user(t, "t", "v_i")?])];
    let convex = show(t, &convex, parts)?;
    let part = format!("𝟙[t=i]·{b} ≤ {b}", b = above("t", "v_i"));
    let part = sum_over(&show(t, &part, &[("(1 − 𝟙[t=i])²", &[&convex])])?)?;
    let goal_of_i = "Σ_{k<m} r_i[k]²·(Σ_{j<d} (G(i, k, v_i, j) − h(i, v_i, j))²) ≤ 2·(Σ_{k<m} \
        r_i[k]²·(Σ_{j<d} G(i, k, z, j)²)) + (2·n·L/μ)·(Σ_{j<d} D(v_i, j)²)";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&about_zero]),
        ("1", &[&of_spread]),
        ("(−1)", &[&of_squares]),
        ("1", &[&one]),
        ("(−4)·L", &[&slopes(i, "i", "v_i")?]),
        ("4·L", &[&part]),
        ("4·L", &[&of_all(i, "t", "v_i")?]),
        ("2·n·L/μ", &[&given_for(i, of::STEEP, &["v_i"])?]),
    ];
    let all = sum_over(&show(i, goal_of_i, parts)?)?;
    settle(h, goal, &[("1/n", &[&all])])
}

/// The proof of [`at_the_minimum`], or of a statement with larger constants.
pub fn prove_at_the_minimum(statement: &Statement) -> Proof {
    each(statement, &[&heterogeneity, &noise])
}
