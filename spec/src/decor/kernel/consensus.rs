//! Lemma 9 for every X, before expectations are taken, as the paper states it and with bounded heterogeneity.
//!
//! Users k and e, entries j of the d of a vector; G(k, x) is the gradient of user k's loss, D that of the global loss, y(k) the
//! gradient of user k at x_k, a the mean of the x_k. Row j of X(W − J) has the entries Σ_k (W_k\[c\] − 1/n)·x_k\[j\].

use super::swap;
use crate::moved::written::{Proof, each, given, given_for, settle, show};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, sum_over};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::{Term, var};

/// Hypotheses by number; the last is supposed of a goal, that gradients at the mean are alike.
mod of {
    pub const WHOLE: usize = 0;
    pub const MIXES: usize = 1;
    pub const SMOOTH: usize = 2;
    pub const ALIKE: usize = 3;
    pub const SAMPLES: usize = 4;
    pub const AT_MEAN: usize = 5;
}

/// `decor-lem-9-pathwise`: q is 1 − p, K is nΞ, Q is ‖∇L(x̄)‖²; Z, S and U are ζ_*, σ_* and ζ, and ψ is Ψ(x_1, …, x_n). Assumption 5,
/// which rows of X satisfy each by itself, is supposed first, then Assumptions 1 and 3.
pub fn every_model() -> Result<Statement, Stuck> {
    let mixed = "Σ_{j<d} Σ_{c<n} (Σ_{k<n} (W_k[c] − 1/n)·(x_k[j] − η·y(k, j)))²";
    let spread = "Σ_{k<n} Σ_{j<d} (y(k, j) − (Σ_{e<n} y(e, j))/n)²";
    render::parse(&format!(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           sequence W in ℝ^n
           real p > 0
           real q ≥ 0
           assume q = 1 − p
           assume for every vector u ∈ ℝ^n: Σ_{{c<n}} (Σ_{{k<n}} (W_k[c] − 1/n)·u_k)² ≤ \
               q·(Σ_{{k<n}} (u_k − (Σ_{{e<n}} u_e)/n)²)
           map g of ℝ^n × ℝ^d into ℝ^d
           define G(k<n, x∈ℝ^d, j<d) := g(⟨𝟙[e=k] : e<n⟩, x)[j]
           define D(x∈ℝ^d, j<d) := (Σ_{{k<n}} G(k, x, j))/n
           real L ≥ 0
           assume for every index t<n: for every vector v ∈ ℝ^d: for every vector w ∈ ℝ^d: \
               Σ_{{j<d}} (G(t, v, j) − G(t, w, j))² ≤ L²·(Σ_{{j<d}} (v_j − w_j)²)
           real Z ≥ 0
           real P ≥ 0
           assume for every vector v ∈ ℝ^d: (Σ_{{k<n}} Σ_{{j<d}} G(k, v, j)²)/n ≤ Z² + \
               P·(Σ_{{j<d}} D(v, j)²)
           sequence x in ℝ^d
           real ψ
           real S ≥ 0
           real M ≥ 0
           assume ψ ≤ S² + (M/n)·(Σ_{{k<n}} Σ_{{j<d}} D(x_k, j)²)
           real η
           define a(j<d) := (Σ_{{k<n}} x_k[j])/n
           define K := Σ_{{k<n}} Σ_{{j<d}} (x_k[j] − a(j))²
           define Q := Σ_{{j<d}} D(⟨a(i) : i<d⟩, j)²
           define y(k<n, j<d) := G(k, x_k, j)
           real U ≥ 0
         holds
           {mixed} ≤ (1 − 2·p/3)·K + (3·q/p)·η²·(Σ_{{k<n}} Σ_{{j<d}} y(k, j)²); Σ_{{k<n}} \
               Σ_{{j<d}} y(k, j)² ≤ 2·L²·K + 2·n·Z² + 2·n·P·Q; n·ψ ≤ n·S² + 2·M·L²·K + 2·M·n·Q; \
               {mixed} ≤ (1 − p/2)·K + (2·q/p)·η²·({spread}); if (Σ_{{k<n}} Σ_{{j<d}} (G(k, ⟨a(i) \
               : i<d⟩, j) − D(⟨a(i) : i<d⟩, j))²)/n ≤ U²: {spread} ≤ 2·L²·K + 2·n·U²"
    ))
}

fn with(context: &Context, name: &str) -> Result<Context, Stuck> {
    context.extended(item(name, Sort::Index(below(name))))
}

fn below(name: &str) -> Term {
    var(if name == "j" { "d" } else { "n" })
}

const AWAY: &str = "(x_k[j] − a(j))";
const MEAN: &str = "((Σ_{e<n} y(e, j))/n)";
const CENTRE: &str = "⟨a(i) : i<d⟩";

/// Assumption 5 for x − ηy, row by row, and Young's inequality: q·(α − ηβ)² ≤ (q + p/r)·α² + (r·q/p)·η²·β², of which `rest` is left over.
fn young(h: &Context, goal: &Goal, r: u8, bound: &str, rest: &[&str]) -> Proof {
    let j = &with(h, "j")?;
    let mixed = given_for(j, of::MIXES, &["⟨x_k[j] − η·y(k, j) : k<n⟩"])?;
    let whole = given(j, of::WHOLE)?;
    let centred = format!("(y(k, j) − {MEAN})");
    let square = format!("(p/{r})·(Σ_{{k<n}} ({AWAY} + ({r}·q/p)·η·{centred})²)");
    let (of_x, of_y) = (
        format!("Σ_{{k<n}} {AWAY}²"),
        format!("({r}·q/p)·η²·(Σ_{{k<n}} {centred}²)"),
    );
    let (mixed, whole) = ([&mixed], [&whole]);
    let mut parts: Vec<(&str, &[&Theorem])> = vec![
        ("1", &mixed),
        (&square, &[]),
        (&of_x, &whole),
        (&of_y, &whole),
    ];
    parts.extend(rest.iter().map(|part| (*part, &[] as &[&Theorem])));
    let one = format!(
        "Σ_{{c<n}} (Σ_{{k<n}} (W_k[c] − 1/n)·(x_k[j] − η·y(k, j)))² ≤ (1 − p + p/{r})·(Σ_{{k<n}} \
            {AWAY}²) + ({r}·q/p)·η²·(Σ_{{k<n}} {bound})"
    );
    let one = sum_over(&show(j, &one, &parts)?)?;
    let of_models = swap(h, ("j", "d"), ("k", "n"), &format!("{AWAY}²"))?;
    let of_slopes = swap(h, ("j", "d"), ("k", "n"), bound)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&one]),
        (&format!("1 − p + p/{r}"), &[&of_models]),
        (&format!("({r}·q/p)·η²"), &[&of_slopes]),
    ];
    settle(h, goal, parts)
}

/// Gradients at x_k and at the mean.
fn near(k: &Context) -> Proof {
    given_for(k, of::SMOOTH, &["k", "x_k", CENTRE])
}

/// ‖y‖² ≤ 2‖y − G(x̄)‖² + 2‖G(x̄)‖², user by user.
fn slopes(h: &Context, goal: &Goal) -> Proof {
    let k = &with(h, "k")?;
    let twice = format!("Σ_{{j<d}} (y(k, j) − 2·G(k, {CENTRE}, j))²");
    let one =
        format!("Σ_{{j<d}} y(k, j)² ≤ 2·L²·(Σ_{{j<d}} {AWAY}²) + 2·(Σ_{{j<d}} G(k, {CENTRE}, j)²)");
    let one = sum_over(&show(k, &one, &[(&twice, &[]), ("2", &[&near(k)?])])?)?;
    settle(
        h,
        goal,
        &[
            ("1", &[&one]),
            ("2·n", &[&given_for(h, of::ALIKE, &[CENTRE])?]),
        ],
    )
}

/// ‖D(x_k)‖² ≤ 2‖D(x_k) − D(x̄)‖² + 2‖D(x̄)‖², and the square of a mean is at most the mean of squares.
fn noise(h: &Context, goal: &Goal) -> Proof {
    let k = &with(h, "k")?;
    let j = &with(k, "j")?;
    let (one, mean) = (
        format!("(G(e, x_k, j) − G(e, {CENTRE}, j))"),
        format!("(D(x_k, j) − D({CENTRE}, j))"),
    );
    let square = format!("{mean}² ≤ (Σ_{{e<n}} {one}²)/n");
    let square = show(
        j,
        &square,
        &[(&format!("(Σ_{{e<n}} ({one} − {mean})²)/n"), &[])],
    )?;
    let square = sum_over(&square)?;
    let swapped = swap(k, ("j", "d"), ("e", "n"), &format!("{one}²"))?;
    let e = &with(k, "e")?;
    let smooth = sum_over(&given_for(e, of::SMOOTH, &["e", "x_k", CENTRE])?)?;
    let twice = format!("Σ_{{j<d}} (D(x_k, j) − 2·D({CENTRE}, j))²");
    let goal_of_k = format!("Σ_{{j<d}} D(x_k, j)² ≤ 2·L²·(Σ_{{j<d}} {AWAY}²) + 2·Q");
    let parts: &[(&str, &[&Theorem])] = &[
        (&twice, &[]),
        ("2", &[&square]),
        ("2/n", &[&swapped]),
        ("2/n", &[&smooth]),
    ];
    let all = sum_over(&show(k, &goal_of_k, parts)?)?;
    settle(
        h,
        goal,
        &[("n", &[&given(h, of::SAMPLES)?]), ("M", &[&all])],
    )
}

/// About their own mean gradients have no larger squares than about D(x̄), and y − D(x̄) = (y − G(x̄)) + (G(x̄) − D(x̄)).
fn heterogeneity(h: &Context, goal: &Goal) -> Proof {
    let (j, k) = (&with(h, "j")?, &with(h, "k")?);
    let (at, all) = (format!("G(k, {CENTRE}, j)"), format!("D({CENTRE}, j)"));
    let (own, other) = (format!("(y(k, j) − {at})²"), format!("({at} − {all})²"));
    let spread = format!("(y(k, j) − {MEAN})²");
    let one = format!("Σ_{{k<n}} {spread} ≤ 2·(Σ_{{k<n}} {own}) + 2·(Σ_{{k<n}} {other})");
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("n·({MEAN} − {all})²"), &[]),
        (&format!("Σ_{{k<n}} (y(k, j) − 2·{at} + {all})²"), &[]),
    ];
    let one = sum_over(&show(j, &one, parts)?)?;
    let swapped = |body: &str| swap(h, ("j", "d"), ("k", "n"), body);
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&one]),
        ("(−1)", &[&swapped(&spread)?]),
        ("2", &[&swapped(&own)?]),
        ("2", &[&swapped(&other)?]),
        ("2", &[&sum_over(&near(k)?)?]),
        ("2·n", &[&given(h, of::AT_MEAN)?]),
    ];
    settle(h, goal, parts)
}

/// The proof of [`every_model`], or of a statement with larger constants.
pub fn prove_every_model(statement: &Statement) -> Proof {
    let centred = format!("(y(k, j) − {MEAN})²");
    let left = |times: &str| format!("{times}·q·η²·(Σ_{{k<n}} {centred})");
    let mean = format!("(3·q/p)·η²·n·{MEAN}²");
    each(
        statement,
        &[
            &|h, goal| young(h, goal, 3, "y(k, j)²", &[&left("2"), &mean]),
            &slopes,
            &noise,
            &|h, goal| young(h, goal, 2, &centred, &[&left("1")]),
            &heterogeneity,
        ],
    )
}
