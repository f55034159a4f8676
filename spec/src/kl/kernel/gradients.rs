//! Steps of Algorithms 1 and 2 as implications: what a gradient, its estimate and smoothness say of the excess.
//!
//! A power x^a is exp(a·log x); F is a map into ℝ^1, whose one entry is o, and g its gradient at a point.

use crate::moved::written::{Proof, each, given, settle, show, sides, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, exchange, exp_log, exp_sum, instance, inverse, root_increases, sum_over, telescope,
    triangle,
};
use dp_assay_kernel::search::exp::{exp_increases, log_at_least, log_at_most, log_product};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

/// Σ_j x_j·y_j ≤ ‖x‖·‖y‖, from ‖x + y‖ ≤ ‖x‖ + ‖y‖.
pub(crate) fn cauchy(h: &Context, x: &str, y: &str) -> Proof {
    let minus = term(h, &format!("⟨(−1)·{y}[j] : j<d⟩"))?;
    let apart = triangle(h, &term(h, x)?, &minus)?;
    let goal = format!("Σ_{{j<d}} {x}[j]·{y}[j] ≤ ‖{x}‖·‖{y}‖");
    let factor = format!("(‖{x}‖ + ‖{y}‖ + ‖⟨{x}[j] + {y}[j] : j<d⟩‖)/2");
    show(h, &goal, &[(&factor, &[&apart])])
}

/// `kl-fact-sc`: at two points and the share s of the way; v is w₀, and what is convex is F + L̃₁|· − v|².
pub fn strongly_convex() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           real L₁ ≥ 0
           map F of ℝ^d into ℝ^1
           index o<1
           vector v ∈ ℝ^d
           vector x ∈ ℝ^d
           vector y ∈ ℝ^d
           real s ≥ 0
           assume s ≤ 1
           define z(j<d) := s·x_j + (1 − s)·y_j
           define D := s·(1 − s)·(L₁/2)·(Σ_{j<d} (x_j − y_j)²)
           define f(u∈ℝ^d) := F(u)[o] + L₁·(Σ_{j<d} (u_j − v_j)²)
           assume F(⟨z(j) : j<d⟩)[o] ≤ s·F(x)[o] + (1 − s)·F(y)[o] + D
         holds
           f(⟨z(j) : j<d⟩) ≤ s·f(x) + (1 − s)·f(y) − D",
    )
}

pub fn prove_strongly_convex(statement: &Statement) -> Proof {
    let weak = given(&statement.context, 1)?;
    settle(&statement.context, &statement.goal, &[("1", &[&weak])])
}

/// `kl-fact-telescope`: a_t are the estimates, G_t the gradients and b_t the noises of a round.
pub fn errors() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer T ≥ 1
           sequence a in ℝ^d
           sequence G in ℝ^d
           sequence b in ℝ^d
           index j<d
           assume a[0][j] = G[0][j] + b[0][j]
           assume for every index t<T: a[t + 1][j] = a_t[j] + (G[t + 1][j] − G_t[j]) + b[t + 1][j]
         holds
           a_T[j] − G_T[j] = b[0][j] + (Σ_{t<T} b[t + 1][j])",
    )
}

pub fn prove_errors(statement: &Statement) -> Proof {
    let h = &statement.context;
    let t = &h.extended(item("t", Sort::Index(var("T"))))?;
    let step = sum_over(&instance(t, &given(h, 1)?, &var("t"))?)?;
    let ends = telescope(h, "t", &var("T"), &term(t, "a_t[j] − G_t[j]")?)?;
    let first = given(h, 0)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&step]), ("(−1)", &[&ends]), ("1", &[&first])];
    settle(h, &statement.goal, parts)
}

/// `kl-fact-convex-kl`: E is F(w) − F(w⋆), and convexity at w towards w⋆ is supposed.
pub fn convex_valley() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           map F of ℝ^d into ℝ^1
           index o<1
           vector g ∈ ℝ^d
           vector w ∈ ℝ^d
           vector w⋆ ∈ ℝ^d
           real R > 0
           assume F(w)[o] + (Σ_{j<d} g_j·(w⋆_j − w_j)) ≤ F(w⋆)[o]
           assume ‖⟨w_j − w⋆_j : j<d⟩‖ ≤ R
         holds
           F(w)[o] − F(w⋆)[o] ≤ R·‖g‖",
    )
}

/// The proof of [`convex_valley`], or of a statement with a larger constant.
pub fn prove_convex_valley(statement: &Statement) -> Proof {
    let h = &statement.context;
    let product = cauchy(h, "g", "⟨w_j − w⋆_j : j<d⟩")?;
    let (convex, near) = (given(h, 0)?, given(h, 1)?);
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&convex]), ("1", &[&product]), ("‖g‖", &[&near])];
    settle(h, &statement.goal, parts)
}

/// `kl-lem-6`: convexity at w towards the minimiser w⋆ and growth there are supposed, with τ = κ/(κ − 1); E = F(w) − F(w⋆) > 0,
/// and r is the distance.
pub fn growth() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           map F of ℝ^d into ℝ^1
           index o<1
           vector g ∈ ℝ^d
           vector w ∈ ℝ^d
           vector w⋆ ∈ ℝ^d
           real γ > 0
           real q > 0
           define κ := 1 + q
           define τ := κ/q
           real r > 0
           assume r² = Σ_{j<d} (w_j − w⋆_j)²
           real E > 0
           assume E = F(w)[o] − F(w⋆)[o]
           assume F(w)[o] + (Σ_{j<d} g_j·(w⋆_j − w_j)) ≤ F(w⋆)[o]
           assume exp(τ·log(r/γ)) ≤ E
         holds
           exp((1/κ)·log(E)) ≤ γ·‖g‖",
    )
}

/// The proof of [`growth`], or of a statement with a larger constant: E ≤ ‖g‖·r, and log r ≤ log γ + (1/τ)·log E.
pub fn prove_growth(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (named, excess, convex, grows) = (given(h, 0)?, given(h, 1)?, given(h, 2)?, given(h, 3)?);
    let product = cauchy(h, "g", "⟨w_j − w⋆_j : j<d⟩")?;
    let far = show(h, "Σ_{j<d} (w_j − w⋆_j)² ≤ r²", &[("(−1)", &[&named])])?;
    let far = root_increases(&far)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&convex]),
        ("1", &[&product]),
        ("1", &[&excess]),
        ("‖g‖", &[&far]),
    ];
    let most = show(h, "E ≤ ‖g‖·r", parts)?;
    let size = log_at_least(&grows)?;
    let [_, split] = log_product(h, &term(h, "r/γ")?, &var("γ"))?;
    // log E − (1/κ)·log E = ((κ − 1)/κ)·log E ≥ log(r/γ), and log r ≤ log(r/γ) + log γ.
    let order = "log(r) + (1/κ)·log(E) ≤ log(γ) + log(E)";
    let whole = inverse(h, &term(h, "1 + q")?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("q/(1 + q)", &[&size]),
        ("1", &[&split]),
        ("log(E) − log(r/γ)", &[&whole]),
    ];
    let order = exp_increases(&show(h, order, parts)?)?;
    let left = exp_sum(h, &term(h, "log(r)")?, &term(h, "(1/κ)·log(E)")?)?;
    let right = exp_sum(h, &term(h, "log(γ)")?, &term(h, "log(E)")?)?;
    let (of_r, of_g, of_e) = (
        exp_log(h, &var("r"))?,
        exp_log(h, &var("γ"))?,
        exp_log(h, &var("E"))?,
    );
    let power = "exp((1/κ)·log(E))";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/r", &[&order]),
        ("(−1)/r", &[&left]),
        (&format!("(−1)·{power}/r"), &[&of_r]),
        ("1/r", &[&right]),
        ("exp(log(E))/r", &[&of_g]),
        ("γ/r", &[&of_e]),
        ("γ/r", &[&most]),
    ];
    settle(h, &statement.goal, parts)
}

/// An update of Algorithm 1: m is the estimate at w, of norm N, e its error, and a is Φ^{1/κ}/(4γ); the step has the length a/L₁.
const UPDATE: &str = "for all
    integer d ≥ 1
    real κ > 0
    real γ > 0
    real L₁ > 0
    real Φ > 0
    define a := exp((1/κ)·log(Φ))/(4·γ)
    map F of ℝ^d into ℝ^1
    index o<1
    vector g ∈ ℝ^d
    vector m ∈ ℝ^d
    vector w ∈ ℝ^d
    real M > 0
    assume M² = Σ_{j<d} m_j²
    assume (7/8)·exp((1/κ)·log(Φ))/γ ≤ M
    define e := ‖⟨m_j − g_j : j<d⟩‖
    define D := F(w)[o] − F(⟨w_j − (a/(L₁·M))·m_j : j<d⟩)[o]
    assume (Σ_{j<d} g_j·((a/(L₁·M))·m_j)) − (L₁/2)·(Σ_{j<d} ((a/(L₁·M))·m_j)²) ≤ D
    ";

/// `kl-lem-9`, with smoothness along the step supposed.
pub fn lemma_9() -> Result<Statement, Stuck> {
    let goal = "M·exp((1/κ)·log(Φ))/(16·γ·L₁) − e²/(4·L₁) ≤ D";
    render::parse(&format!("{UPDATE}holds\n{goal}"))
}

/// (a/L₁)·(M − e − a/2) ≤ D: ⟨g, m⟩ ≥ M² − e·M.
fn decrease(h: &Context) -> Proof {
    let (named, smooth) = (given(h, 0)?, given(h, 2)?);
    let product = cauchy(h, "⟨m_j − g_j : j<d⟩", "m")?;
    let size = show(h, "Σ_{j<d} m_j² ≤ M²", &[("(−1)", &[&named])])?;
    let size = root_increases(&size)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&smooth]),
        ("a/(L₁·M)", &[&product]),
        ("a·e/(L₁·M)", &[&size]),
        ("a/(L₁·M) − a²/(2·L₁·M²)", &[&named]),
    ];
    show(h, "(a/L₁)·(M − e − a/2) ≤ D", parts)
}

/// The proof of [`lemma_9`], or of a statement with other constants.
pub fn prove_lemma_9(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (decrease, long) = (decrease(h)?, given(h, 1)?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&decrease]),
        ("3·a/(4·L₁)", &[&long]),
        ("(e/2 − a)²/L₁", &[]),
    ];
    settle(h, &statement.goal, parts)
}

/// `kl-thm-1-step`, the error being at most Φ^{1/κ}/(8γ).
pub fn step() -> Result<Statement, Stuck> {
    let text = "assume e ≤ exp((1/κ)·log(Φ))/(8·γ)
    define P := exp((2/κ)·log(Φ))/(γ²·L₁)
holds
    (1/32 − 1/256)·P ≤ D; P/64 ≤ (1/32 − 1/256)·P";
    render::parse(&format!("{UPDATE}{text}"))
}

/// The proof of [`step`], or of a statement with other constants.
pub fn prove_step(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (decrease, long, near) = (decrease(h)?, given(h, 1)?, given(h, 3)?);
    let half = term(h, "(1/κ)·log(Φ)")?;
    let square = exp_sum(h, &half, &half)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&decrease]),
        ("a/L₁", &[&long]),
        ("a/L₁", &[&near]),
        ("7/(256·γ²·L₁)", &[&square]),
    ];
    each(
        statement,
        &[&|_, goal| settle(h, goal, parts), &|_, goal| {
            settle(h, goal, &[])
        }],
    )
}

/// `kl-thm-1-stop`: E = F(w) − F(w⋆) > 0 at the iterate at which the norm test fails.
pub fn stop() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           real κ > 0
           real γ > 0
           real Φ > 0
           real E > 0
           vector g ∈ ℝ^d
           vector m ∈ ℝ^d
           assume ‖m‖ ≤ (7/8)·exp((1/κ)·log(Φ))/γ
           assume ‖⟨m_j − g_j : j<d⟩‖ ≤ exp((1/κ)·log(Φ))/(8·γ)
           assume exp((1/κ)·log(E)) ≤ γ·‖g‖
         holds
           E ≤ Φ",
    )
}

pub fn prove_stop(statement: &Statement) -> Proof {
    let h = &statement.context;
    let apart = triangle(h, &var("m"), &term(h, "⟨m_j − g_j : j<d⟩")?)?;
    let (short, near, valley) = (given(h, 0)?, given(h, 1)?, given(h, 2)?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&valley]),
        ("γ", &[&apart]),
        ("γ", &[&short]),
        ("γ", &[&near]),
    ];
    let root = show(h, "exp((1/κ)·log(E)) ≤ exp((1/κ)·log(Φ))", parts)?;
    let logs = exponents(h, &root)?;
    let logs = show(h, "log(E) ≤ log(Φ)", &[("κ", &[&logs])])?;
    let (grown, of_e, of_p) = (
        exp_increases(&logs)?,
        exp_log(h, &var("E"))?,
        exp_log(h, &var("Φ"))?,
    );
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&grown]), ("(−1)", &[&of_e]), ("1", &[&of_p])];
    settle(h, &statement.goal, parts)
}

/// a ≤ b from exp(a) ≤ exp(b), through the logarithm of the left side.
fn exponents(h: &Context, theorem: &Theorem) -> Proof {
    let below = log_at_most(theorem)?;
    let [_, b] = sides(&below.statement().goal)?;
    let [left, _] = sides(&theorem.statement().goal)?;
    let itself = Goal::Le(left.clone(), left.clone());
    let own = log_at_least(&settle(h, &itself, &[])?)?;
    let [a, _] = sides(&own.statement().goal)?;
    settle(
        h,
        &Goal::Le(a.clone(), b.clone()),
        &[("1", &[&own]), ("1", &[&below])],
    )
}

/// `kl-fact-F0`: the n losses have the gradients G_i at w₀, and E = F(w₀) − F(w⋆) > 0.
pub fn first_excess() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer n ≥ 1
           real κ > 0
           real γ > 0
           real L₀ > 0
           real E > 0
           sequence G in ℝ^d
           assume for every index i<n: ‖G_i‖ ≤ L₀
           assume exp((1/κ)·log(E)) ≤ γ·‖⟨(Σ_{i<n} G_i[j])/n : j<d⟩‖
         holds
           E ≤ exp(κ·log(γ·L₀))",
    )
}

/// The proof of [`first_excess`], or of a statement with a larger constant: the square of a mean is at most the mean of the squares.
pub fn prove_first_excess(statement: &Statement) -> Proof {
    let h = &statement.context;
    let i = &h.extended(item("i", Sort::Index(var("n"))))?;
    let bound = instance(i, &given(h, 0)?, &var("i"))?;
    let squares = "Σ_{j<d} G_i[j]² ≤ L₀²";
    let squares = sum_over(&show(i, squares, &[("L₀ + ‖G_i‖", &[&bound])])?)?;
    let j = &h.extended(item("j", Sort::Index(var("d"))))?;
    let spread = "((Σ_{i<n} G_i[j])/n)² ≤ (Σ_{i<n} G_i[j]²)/n";
    let square = "(Σ_{i<n} (G_i[j] − (Σ_{l<n} G_l[j])/n)²)/n";
    let spread = sum_over(&show(j, spread, &[(square, &[])])?)?;
    let both = &j.extended(item("i", Sort::Index(var("n"))))?;
    let swap = exchange(
        h,
        ("j", &var("d")),
        ("i", &var("n")),
        &term(both, "G_i[j]²")?,
    )?;
    let parts: &[(&str, &[&Theorem])] =
        &[("1", &[&spread]), ("1/n", &[&swap]), ("1/n", &[&squares])];
    let mean = "‖⟨(Σ_{i<n} G_i[j])/n : j<d⟩‖";
    let mean = root_increases(&show(h, &format!("{mean}² ≤ L₀²"), parts)?)?;
    let valley = given(h, 1)?;
    let root = "exp((1/κ)·log(E)) ≤ γ·L₀";
    let root = show(h, root, &[("1", &[&valley]), ("γ", &[&mean])])?;
    let logs = log_at_least(&root)?;
    let logs = show(h, "log(E) ≤ κ·log(γ·L₀)", &[("κ", &[&logs])])?;
    let (grown, named) = (exp_increases(&logs)?, exp_log(h, &var("E"))?);
    settle(h, &statement.goal, &[("1", &[&grown]), ("(−1)", &[&named])])
}
