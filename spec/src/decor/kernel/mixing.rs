//! Weights of a graph and the number H of Lemma 8, with W_i the i-th row.
//!
//! A graph is its numbers A_i\[j\], 1 for an edge and else 0, which is A² = A; E is the number of its edges.

use crate::moved::written::{Proof, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, instance, inverse, sum_over};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Sort, Statement};
use dp_assay_kernel::term::var;

fn with_index(context: &Context, name: &str) -> Result<Context, Stuck> {
    context.extended(item(name, Sort::Index(var("n"))))
}

fn indices(context: &Context, names: &[&str]) -> Result<Context, Stuck> {
    names
        .iter()
        .try_fold(context.clone(), |h, name| with_index(&h, name))
}

/// Hypotheses by number, of degrees and behind them of weights.
mod hypothesis {
    pub const BITS: usize = 0;
    pub const EDGES: usize = 3;
    pub const LEAST: usize = 4;
    pub const DEGREES: usize = 5;
    pub const POSITIVE: usize = 4;
    pub const ROWS: usize = 6;
}

/// A hypothesis about every user, or every pair, for these.
fn of(h: &Context, outer: &Context, n: usize, users: &[&str]) -> Proof {
    let all = given(outer, n)?;
    users
        .iter()
        .try_fold(all, |theorem, user| instance(h, &theorem, &var(user)))
}

const GRAPH: &str = "for all
    integer n ≥ 1
    sequence A in ℝ^n
    assume for every index u<n: for every index v<n: A_u[v]² = A_u[v]
    assume for every index u<n: for every index v<n: A_u[v] = A_v[u]
    assume for every index u<n: for every index v<n: 𝟙[u=v]·A_u[v] = 0
    real E > 0
    assume 2·E = Σ_{i<n} Σ_{k<n} A_i[k]
    ";

/// H as it is printed, of distances D(i, k) = ‖W_i − W_k‖²: the sum over ordered pairs, of which there are 2E.
const H: &str = "define H := (Σ_{i<n} Σ_{k<n} D(i, k)·A_i[k])/(2·(2·E))";

/// A graph with the weights A_ij/(1 + δ_i) of §5.2, δ_i being the degrees and m the least.
fn printed(bound: &str) -> Result<Statement, Stuck> {
    let weights = "define δ(i<n) := Σ_{j<n} A_i[j]²
    define W(i<n, j<n) := A_i[j]²/(1 + δ(i))
    define D(i<n, k<n) := Σ_{j<n} (W(i, j) − W(k, j))²
    real m > 0
    assume 1 ≤ m
    assume for every index u<n: m ≤ δ(u)
    ";
    render::parse(&format!("{GRAPH}{weights}{H}\nholds\n  H ≤ {bound}"))
}

/// `decor-lem-8b-repaired`: m is the least degree.
pub fn rows() -> Result<Statement, Stuck> {
    printed("2/m")
}

/// `decor-lem-8b-proof`: the same, before the last step.
pub fn rows_proof() -> Result<Statement, Stuck> {
    printed("2·m·(1/(m + 1))²")
}

/// H ≤ b, from D(i, k) ≤ 2b for all i and k.
fn at_most(h: &Context, apart: &Theorem, b: &str) -> Proof {
    let both = &indices(h, &["i", "k"])?;
    let bit = of(both, h, hypothesis::BITS, &["i", "k"])?;
    let one = format!("D(i, k)·A_i[k] ≤ 2·{b}·A_i[k]");
    let parts: &[(&str, &[&Theorem])] = &[
        ("A_i[k]²", &[apart]),
        (&format!("2·{b} − D(i, k)"), &[&bit]),
    ];
    let all = sum_over(&sum_over(&show(both, &one, parts)?)?)?;
    let edges = given(h, hypothesis::EDGES)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/(4·E)", &[&all]),
        (&format!("(−1)·{b}/(2·E)"), &[&edges]),
    ];
    show(h, &format!("H ≤ {b}"), parts)
}

/// Σ_j W(i, j)² ≤ m/(m + 1)² for user i: it is δ/(δ + 1)², and with x = 1/(m + 1) and y = 1/(δ + 1) the gap is (x − y)(1 − x − y).
fn capped(h: &Context, outer: &Context, i: &str) -> Proof {
    let j = &indices(h, &["j"])?;
    let bit = of(j, outer, hypothesis::BITS, &[i, "j"])?;
    let (x, y) = ("(1/(m + 1))", format!("(1/(1 + δ({i})))"));
    let square = format!("W({i}, j)² = A_{i}[j]²·{y}²");
    let square = show(
        j,
        &square,
        &[(&format!("(A_{i}[j]² + A_{i}[j])·{y}²"), &[&bit])],
    )?;
    let square = sum_over(&square)?;
    let (one, least) = (
        given(outer, hypothesis::LEAST)?,
        of(h, outer, hypothesis::DEGREES, &[i])?,
    );
    let of_m = inverse(h, &term(h, "m + 1")?)?;
    let of_i = inverse(h, &term(h, &format!("1 + δ({i})"))?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("{x}·{y}"), &[&least]),
        (x, &[&of_i]),
        (&format!("(−1)·{y}"), &[&of_m]),
    ];
    let order = show(h, &format!("{y} ≤ {x}"), parts)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&of_m]), (x, &[&one]), ("1", &[&order])];
    let half = show(h, &format!("{x} + {y} ≤ 1"), parts)?;
    let goal = format!("Σ_{{j<n}} W({i}, j)² ≤ m·{x}²");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&square]),
        ("1", &[&order, &half]),
        (&format!("(−1)·{x}"), &[&of_m]),
        (&y, &[&of_i]),
    ];
    show(h, &goal, parts)
}

/// m/(m + 1)², half of the printed bound.
const HALF: &str = "(m·(1/(m + 1))²)";

/// H is at most that.
fn half(h: &Context) -> Proof {
    let both = &indices(h, &["i", "k"])?;
    let (first, second) = (capped(both, h, "i")?, capped(both, h, "k")?);
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&first]), ("1", &[&second])];
    let apart = show(both, &format!("D(i, k) ≤ 2·{HALF}"), parts)?;
    at_most(h, &apart, HALF)
}

/// The proof of [`rows`], or of a statement with a larger bound: m·x² = x − x² ≤ 1/m for x = 1/(m + 1), as 1 = (m + 1)·x.
pub fn prove_rows(statement: &Statement) -> Proof {
    let h = &statement.context;
    let whole = inverse(h, &term(h, "m + 1")?)?;
    let unit = "1/m + 1/(m + 1)";
    let small = show(h, &format!("{HALF} ≤ 1/m"), &[(unit, &[&whole])])?;
    settle(h, &statement.goal, &[("1", &[&half(h)?]), ("1", &[&small])])
}

/// The proof of [`rows_proof`], or of a statement with a larger bound.
pub fn prove_rows_proof(statement: &Statement) -> Proof {
    let h = &statement.context;
    settle(h, &statement.goal, &[("1", &[&half(h)?])])
}

/// `decor-lem-8b-reading-mh-repaired`.
pub fn any_weights() -> Result<Statement, Stuck> {
    let weights = "sequence W in ℝ^n
    assume for every index u<n: for every index v<n: 0 ≤ W_u[v]
    assume for every index u<n: for every index v<n: W_u[v] = W_v[u]
    assume for every index u<n: Σ_{t<n} W_u[t] = 1
    define D(i<n, k<n) := Σ_{j<n} (W_i[j] − W_k[j])²
    ";
    render::parse(&format!("{GRAPH}{weights}{H}\nholds\n  H ≤ 1"))
}

/// Σ_j W_i\[j\]² ≤ 1, as each entry is at most their sum.
fn row(h: &Context, outer: &Context, i: &str) -> Proof {
    let j = &indices(h, &["j"])?;
    let l = &indices(j, &["l"])?;
    let part = format!("𝟙[l=j]·W_{i}[l] ≤ W_{i}[l]");
    let part = show(
        l,
        &part,
        &[(
            "(1 − 𝟙[l=j])²",
            &[&of(l, outer, hypothesis::POSITIVE, &[i, "l"])?],
        )],
    )?;
    let (part, sum) = (sum_over(&part)?, of(j, outer, hypothesis::ROWS, &[i])?);
    let most = show(
        j,
        &format!("W_{i}[j] ≤ 1"),
        &[("1", &[&part]), ("1", &[&sum])],
    )?;
    let least = of(j, outer, hypothesis::POSITIVE, &[i, "j"])?;
    let square = show(
        j,
        &format!("W_{i}[j]² ≤ W_{i}[j]"),
        &[("1", &[&least, &most])],
    )?;
    let goal = format!("Σ_{{j<n}} W_{i}[j]² ≤ 1");
    let sum = of(h, outer, hypothesis::ROWS, &[i])?;
    show(h, &goal, &[("1", &[&sum_over(&square)?]), ("1", &[&sum])])
}

/// The proof of [`any_weights`], or of a statement with a larger bound.
pub fn prove_any_weights(statement: &Statement) -> Proof {
    let h = &statement.context;
    let both = &indices(h, &["i", "k"])?;
    let j = &indices(both, &["j"])?;
    let least = [
        of(j, h, hypothesis::POSITIVE, &["i", "j"])?,
        of(j, h, hypothesis::POSITIVE, &["k", "j"])?,
    ];
    let square = "(W_i[j] − W_k[j])² ≤ W_i[j]² + W_k[j]²";
    let square = sum_over(&show(j, square, &[("2", &[&least[0], &least[1]])])?)?;
    let (first, second) = (row(both, h, "i")?, row(both, h, "k")?);
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&square]), ("1", &[&first]), ("1", &[&second])];
    let apart = show(both, "D(i, k) ≤ 2·1", parts)?;
    settle(h, &statement.goal, &[("1", &[&at_most(h, &apart, "1")?])])
}
