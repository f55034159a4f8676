//! One user more in the group, for any graph: `decor-drv-3`.
//!
//! The graph is that of the n users that are left without a group: b_e is 1 at one end of edge e, −1 at the other and else 0, and
//! 0 everywhere for an e that is no edge. Without user k there are the edges that do not end at k, of which w_e\[k\] is 1, and else 0.
//! C(q, x) is entry q of Σx, K(q, k, y) that of the matrix without user k.

use super::swap;
use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, instance, inverse, sum_over};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::{Term, var};

/// Hypotheses by number; the last two are supposed of a goal: n = 3 + g, and how connected the graph is without a user.
mod hypothesis {
    pub const SIGNS: usize = 0;
    pub const FLAT: usize = 1;
    pub const ENDS: usize = 2;
    pub const BITS: usize = 3;
    pub const OTHER: usize = 4;
    pub const OF_X: usize = 5;
    pub const ZERO: usize = 6;
    pub const OF_Y: usize = 7;
    pub const COUNT: usize = 8;
    pub const WITHOUT: usize = 9;
}

/// `decor-drv-3`: x is column j of Σ⁻¹ and y that without any other user o. What is at most the algebraic connectivity without k,
/// whoever k is, is at most that with her, where two users at least are left without her: n = 3 + g.
pub fn deletion() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer E ≥ 1
           sequence b in ℝ^n
           assume for every index p<E: for every index q<n: b_p[q]³ = b_p[q]
           assume for every index p<E: Σ_{r<n} b_p[r] = 0
           assume for every index p<E: for every index q<n: (Σ_{r<n} b_p[r]²)·b_p[q] = 2·b_p[q]
           sequence w in ℝ^n
           assume for every index p<E: for every index q<n: w_p[q] = 1 − b_p[q]²
           real σ > 0
           real τ ≥ 0
           define C(q<n, x∈ℝ^n) := σ²·x_q + τ²·(Σ_{e<E} b_e[q]·(Σ_{l<n} b_e[l]·x_l))
           define K(q<n, k<n, x∈ℝ^n) := σ²·x_q + τ²·(Σ_{e<E} w_e[k]²·b_e[q]·(Σ_{l<n} b_e[l]·x_l))
           index j<n
           index o<n
           assume 𝟙[j=o] = 0
           vector x ∈ ℝ^n
           assume for every index q<n: C(q, x) = 𝟙[q=j]
           vector y ∈ ℝ^n
           assume y_o = 0
           assume for every index q<n: (1 − 𝟙[q=o])·K(q, o, y) = (1 − 𝟙[q=o])·𝟙[q=j]
           real α ≥ 0
         holds
           x_j ≤ y_j; for every real g ≥ 0: if n = 3 + g: if for every index q<n: for every vector \
               v ∈ ℝ^n: α·((Σ_{l<n} (1 − 𝟙[l=q])·v_l²) − (Σ_{l<n} (1 − 𝟙[l=q])·v_l)²/(2 + g)) ≤ \
               Σ_{e<E} w_e[q]²·(Σ_{l<n} b_e[l]·v_l)²: for every vector u ∈ ℝ^n: α·(Σ_{k<n} (u_k − \
               (Σ_{l<n} u_l)/n)²) ≤ Σ_{e<E} (Σ_{l<n} b_e[l]·u_l)²",
    )
}

fn below(name: &str) -> Term {
    var(if name == "e" { "E" } else { "n" })
}

fn with(context: &Context, name: &str) -> Result<Context, Stuck> {
    context.extended(item(name, Sort::Index(below(name))))
}

/// Hypothesis number `n` for these names of the context.
pub(super) fn of(h: &Context, n: usize, names: &str) -> Proof {
    let mut names = names.split(' ');
    names.try_fold(given(h, n)?, |t, name| instance(h, &t, &var(name)))
}

/// w_e\[k\]·b_e\[k\] = 0 and w_e\[k\]² = 1 − b_e\[k\]², for the e and this k of the context.
fn bits(h: &Context, k: &str) -> Result<[Theorem; 2], Stuck> {
    let (end, bit) = (
        of(h, hypothesis::SIGNS, &format!("e {k}"))?,
        of(h, hypothesis::BITS, &format!("e {k}"))?,
    );
    let (b, w) = (format!("b_e[{k}]"), format!("w_e[{k}]"));
    let parts: &[(&str, &[&Theorem])] = &[(&b, &[&bit]), ("(−1)", &[&end])];
    let apart = show(h, &format!("{w}·{b} = 0"), parts)?;
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("{w} + 1"), &[&bit]),
        (&format!("(−1)·{b}"), &[&apart]),
    ];
    let square = show(h, &format!("{w}² = 1 − {b}²"), parts)?;
    Ok([apart, square])
}

const OF_X: &str = "(Σ_{l<n} b_e[l]·x_l)";
const OF_Y: &str = "(Σ_{l<n} b_e[l]·y_l)";

/// ⟨Σ′y, x⟩ or ⟨Σ′y, y⟩ by entries of the second, where Σ′ is without user o.
fn paired(h: &Context, entry: &str, along: &str, parts: &[(&str, &[&Theorem])]) -> Proof {
    let k = &with(h, "k")?;
    let row = format!("{entry}_k·(1 − 𝟙[k=o])·K(k, o, y) = {entry}_k·(1 − 𝟙[k=o])·𝟙[k=j]");
    let row = show(
        k,
        &row,
        &[(&format!("{entry}_k"), &[&of(k, hypothesis::OF_Y, "k")?])],
    )?;
    let row = sum_over(&row)?;
    let body = format!("{entry}_k·(1 − 𝟙[k=o])·w_e[o]²·b_e[k]·{OF_Y}");
    let swapped = swap(h, ("k", "n"), ("e", "E"), &body)?;
    let (row, swapped) = ([&row], [&swapped]);
    let own: [(&str, &[&Theorem]); 2] = [("1", &row), ("(−1)·τ²", &swapped)];
    let goal =
        format!("σ²·(Σ_{{k<n}} {entry}_k·y_k) + τ²·(Σ_{{e<E}} w_e[o]²·{OF_Y}·{along}) = {entry}_j");
    show(h, &goal, &[&own, parts].concat())
}

/// x_j ≤ y_j: with x′ = x without o, 0 ≤ ⟨Σ′(y − x′), y − x′⟩ = y_j − 2·x_j + ⟨Σ′x′, x′⟩ ≤ y_j − x_j.
fn larger(h: &Context, goal: &Goal) -> Proof {
    let (e, k) = (&with(h, "e")?, &with(h, "k")?);
    let row = show(
        k,
        "x_k·C(k, x) = x_k·𝟙[k=j]",
        &[("x_k", &[&of(k, hypothesis::OF_X, "k")?])],
    )?;
    let row = sum_over(&row)?;
    let swapped = swap(h, ("k", "n"), ("e", "E"), &format!("x_k·b_e[k]·{OF_X}"))?;
    let [apart, bit] = bits(e, "o")?;
    let none = format!("w_e[o]²·b_e[o]·{OF_Y} = 0");
    let none = sum_over(&show(e, &none, &[(&format!("w_e[o]·{OF_Y}"), &[&apart])])?)?;
    let left = format!("w_e[o]²·{OF_X}² = {OF_X}² − b_e[o]²·{OF_X}²");
    let left = sum_over(&show(e, &left, &[(&format!("{OF_X}²"), &[&bit])])?)?;
    let (other, zero) = (given(h, hypothesis::OTHER)?, given(h, hypothesis::ZERO)?);
    let factor = format!("σ²·y_o + τ²·(Σ_{{e<E}} w_e[o]²·b_e[o]·{OF_Y})");
    let parts: &[(&str, &[&Theorem])] = &[(&factor, &[&zero]), ("(−1)·y_j", &[&other])];
    let own = paired(h, "y", OF_Y, parts)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("σ²·x_o", &[&zero]),
        ("τ²·x_o", &[&none]),
        ("(−1)·x_j", &[&other]),
    ];
    let mixed = paired(h, "x", OF_X, parts)?;
    let square = format!(
        "σ²·(Σ_{{k<n}} (y_k − (1 − 𝟙[k=o])·x_k)²) + τ²·(Σ_{{e<E}} w_e[o]²·({OF_Y} − {OF_X})²)"
    );
    let more = format!("σ²·x_o² + τ²·(Σ_{{e<E}} b_e[o]²·{OF_X}²)");
    let parts: &[(&str, &[&Theorem])] = &[
        (&square, &[]),
        (&more, &[]),
        ("1", &[&own]),
        ("(−2)", &[&mixed]),
        ("1", &[&row]),
        ("(−1)·τ²", &[&swapped]),
        ("τ²", &[&left]),
        ("2·σ²·x_o", &[&zero]),
    ];
    settle(h, goal, parts)
}

/// The sum over k of what is supposed without k, for u less its mean.
fn connectivity(h: &Context, goal: &Goal) -> Proof {
    let (e, k) = (&with(h, "e")?, &with(h, "k")?);
    let centred = term(k, "⟨u_i − (Σ_{l<n} u_l)/n : i<n⟩")?;
    let without = sum_over(&instance(k, &of(k, hypothesis::WITHOUT, "k")?, &centred)?)?;
    let mean = "((Σ_{l<n} u_l)/n)";
    let (along, of_u) = (
        format!("(Σ_{{l<n}} b_e[l]·(u_l − {mean}))"),
        "(Σ_{l<n} b_e[l]·u_l)",
    );
    let swapped = swap(h, ("k", "n"), ("e", "E"), &format!("w_e[k]²·{along}²"))?;
    let flat = of(e, hypothesis::FLAT, "e")?;
    let bit = sum_over(&bits(&with(e, "k")?, "k")?[1])?;
    let q = &with(e, "i")?;
    let twice = "(Σ_{k<n} b_e[k]²)·b_e[i]·u_i = 2·b_e[i]·u_i";
    let twice = sum_over(&show(
        q,
        twice,
        &[("u_i", &[&of(q, hypothesis::ENDS, "e i")?])],
    )?)?;
    let one = format!("(Σ_{{k<n}} w_e[k]²)·{along}² = (n − 2)·{of_u}²");
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("{along}²"), &[&bit]),
        (&format!("(−1)·{of_u}"), &[&twice]),
        (
            &format!("((Σ_{{k<n}} b_e[k]²) − n)·{mean}·({along} + {of_u})"),
            &[&flat],
        ),
    ];
    let one = sum_over(&show(e, &one, parts)?)?;
    let spread = format!("(Σ_{{k<n}} (u_k − {mean})²)");
    let form = format!("(Σ_{{e<E}} {of_u}²)");
    let [less, more] = ["1 + g", "2 + g"].map(|d| inverse(h, &term(h, d)?));
    let share = "1/(1 + g)";
    let parts: &[(&str, &[&Theorem])] = &[
        (share, &[&without]),
        (share, &[&swapped]),
        (share, &[&one]),
        (&format!("α·{spread}/(2 + g)"), &[]),
        (&format!("{form} − α·{spread}·(1 + 1/(2 + g))"), &[&less?]),
        (&format!("α·{spread}·({share})"), &[&more?]),
        (
            &format!("({form} − α·{spread})·({share})"),
            &[&given(h, hypothesis::COUNT)?],
        ),
    ];
    settle(h, goal, parts)
}

/// The proof of [`deletion`].
pub fn prove_deletion(statement: &Statement) -> Proof {
    each(statement, &[&larger, &connectivity])
}
