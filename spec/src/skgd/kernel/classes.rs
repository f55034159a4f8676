//! Weighted norms and what they say of classes of functions, and the first displays of Appendix E.2.

use crate::moved::written::{Proof, each, given, settle, show, sides, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, counted, instance, root_increases, smooth, stationary, sum_over, triangle,
};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

fn with_index(context: &Context) -> Result<Context, Stuck> {
    context.extended(item("i", Sort::Index(var("d"))))
}

/// `skgd-fact-mu-M`, at any two points, m being M_max.
pub fn mu_m() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           vector M ∈ ℝ^d, all > 0
           function f on ℝ^d with M: convex, differentiable, and f(y) ≤ f(x) + ⟨∇f(x), y − x⟩ + \
               ½·Σ_j M_j·(y_j − x_j)² for all x, y
           real μ > 0
           real m > 0
           assume for every index j<d: M_j ≤ m
           vector x ∈ ℝ^d
           vector y ∈ ℝ^d
           assume f(x) + (Σ_{j<d} ∂_j f(x)·(y_j − x_j)) + (μ/2)·(Σ_{j<d} (y_j − x_j)²) ≤ f(y)
         holds
           f(x) + (Σ_{j<d} ∂_j f(x)·(y_j − x_j)) + ((μ/m)/2)·(Σ_{j<d} M_j·(y_j − x_j)²) ≤ f(y)",
    )
}

/// The proof of [`mu_m`], or of a statement with a smaller constant.
pub fn prove_mu_m(statement: &Statement) -> Proof {
    let context = &statement.context;
    let h = &with_index(context)?;
    let largest = instance(h, &given(context, 0)?, &var("i"))?;
    let one = "((μ/m)/2)·M_i·(y_i − x_i)² ≤ (μ/2)·(y_i − x_i)²";
    let one = show(h, one, &[("(μ/(2·m))·(y_i − x_i)²", &[&largest])])?;
    let (sum, strong) = (sum_over(&one)?, given(context, 1)?);
    settle(
        context,
        &statement.goal,
        &[("1", &[&sum]), ("1", &[&strong])],
    )
}

/// `skgd-def-norm`: r(x) is ‖x‖_M.
pub fn norm() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           vector M ∈ ℝ^d, all > 0
           vector v ∈ ℝ^d
           vector w ∈ ℝ^d
           real c
           define r(x∈ℝ^d) := √(Σ_{j<d} M_j·x_j²)
         holds
           r(⟨v_j + w_j : j<d⟩) ≤ r(v) + r(w); r(⟨c·w_j : j<d⟩) ≤ |c|·r(w); |c|·r(w) ≤ r(⟨c·w_j : \
               j<d⟩); if r(w) = 0: for every index i<d: w_i² ≤ 0; if for every index j<d: M_j = 1: \
               r(w)² = ‖w‖²",
    )
}

pub fn prove_norm(statement: &Statement) -> Proof {
    let scaled = |h: &Context, goal: &Goal| {
        let [x, y] = sides(goal)?;
        root_increases(&settle(h, &Goal::Le(x.pow(2), y.pow(2)), &[])?)
    };
    each(
        statement,
        &[
            &|h, goal| {
                let x = term(h, "⟨√(M_j)·v_j : j<d⟩")?;
                let y = term(h, "⟨(−1)·√(M_j)·w_j : j<d⟩")?;
                settle(h, goal, &[("1", &[&triangle(h, &x, &y)?])])
            },
            &scaled,
            &scaled,
            &|h, goal| {
                let outer = &h.beginning(h.items().len() - 1);
                // Σ_k (1 − 1[k=i])·M_k·w_k² ≥ 0.
                let both = &with_index(outer)?.extended(item("k", Sort::Index(var("d"))))?;
                let rest = show(
                    both,
                    "𝟙[k=i]·M_k·w_k² ≤ M_k·w_k²",
                    &[("(1 − 𝟙[k=i])²·M_k·w_k²", &[])],
                )?;
                let (all, zero) = (sum_over(&rest)?, given(outer, 0)?);
                settle(h, goal, &[("1/M_i", &[&all]), ("r(w)/M_i", &[&zero])])
            },
            &|h, goal| {
                let i = &with_index(h)?;
                let one = instance(i, &given(h, 0)?, &var("i"))?;
                let entry = show(i, "M_i·w_i² = w_i²", &[("w_i²", &[&one])])?;
                settle(h, goal, &[("1", &[&sum_over(&entry)?])])
            },
        ],
    )
}

/// `skgd-thm-4.2-sc-proof-round`: m is the largest M_j/p_j, Δ the squared distance to w⋆, V that in the norm MP⁻¹.
pub fn proof_round() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer K ≥ 1
           integer T ≥ 1
           real c ≥ 0
           real μ > 0
           real m > 0
           vector M ∈ ℝ^d, all > 0
           function f on ℝ^d with M: convex, differentiable, and f(y) ≤ f(x) + ⟨∇f(x), y − x⟩ + \
               ½·Σ_j M_j·(y_j − x_j)² for all x, y
           law 𝒮 of random sets of indices below d: each index has a positive probability to be \
               drawn
           number L for every set of indices below d, all > 0
           vector w ∈ ℝ^d
           vector w⋆ ∈ ℝ^d
           assume f is least at w⋆
           assume for every index j<d: M_j/ℙ(j∈𝒮) ≤ m
           define F := f(w) − f(w⋆)
           define Δ := Σ_{j<d} (w_j − w⋆_j)²
           define V := Σ_{j<d} (M_j/ℙ(j∈𝒮))·(w_j − w⋆_j)²
           define A := m/μ
           define σ(U⊆d) := √(12·L_U²·K·T·c)
           assume f(w⋆) + (Σ_{j<d} ∂_j f(w⋆)·(w_j − w⋆_j)) + (μ/2)·Δ ≤ f(w)
         holds
           Δ ≤ (2/μ)·F; (V + 2·F)/(2·K) ≤ (m·Δ + 2·F)/(2·K); (m·Δ + 2·F)/(2·K) ≤ (1 + A)·F/K; if K \
               = 2·(1 + A): (1 + A)·F/K = F/2; 𝔼_{S∼𝒮}[σ(S)²·(Σ_{j<d} 𝟙[j∈S]/(ℙ(j∈𝒮)·M_j))] = \
               12·K·T·c·𝔼_{S∼𝒮}[L_S²·(Σ_{j<d} 𝟙[j∈S]/(ℙ(j∈𝒮)·M_j))]",
    )
}

/// The proof of [`proof_round`], or of a statement with other constants.
pub fn prove_proof_round(statement: &Statement) -> Proof {
    let context = &statement.context;
    let i = &with_index(context)?;
    let slope = stationary(i, &given(context, 0)?, "i")?;
    let flat = "∂_i f(w⋆)·(w_i − w⋆_i) = 0";
    let flat = sum_over(&show(i, flat, &[("w_i − w⋆_i", &[&slope])])?)?;
    let strong = given(context, 2)?;
    let near = show(
        context,
        "Δ ≤ (2/μ)·F",
        &[("2/μ", &[&strong]), ("(−2)/μ", &[&flat])],
    )?;
    let largest = instance(i, &given(context, 1)?, &var("i"))?;
    let entry = "(M_i/ℙ(i∈𝒮))·(w_i − w⋆_i)² ≤ m·(w_i − w⋆_i)²";
    let wide = sum_over(&show(i, entry, &[("(w_i − w⋆_i)²", &[&largest])])?)?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&near])]),
            &|h, goal| settle(h, goal, &[("1/(2·K)", &[&wide])]),
            &|h, goal| settle(h, goal, &[("m/(2·K)", &[&near])]),
            &|h, goal| settle(h, goal, &[("(−1)·F/(2·K)", &[&given(h, 3)?])]),
            &|h, goal| settle(h, goal, &[]),
        ],
    )
}

/// `skgd-eq-imp-psd`: coordinate j is in block i, m_i being the largest M there, drawn with a probability in proportion to it.
pub fn importance() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer b ≥ 1
           vector M ∈ ℝ^d, all > 0
           vector m ∈ ℝ^b, all > 0
           law 𝒮 of random sets of indices below d: each index has a positive probability to be \
               drawn
           index j<d
           index i<b
           assume M_j ≤ m_i
           assume ℙ(j∈𝒮) = m_i/(Σ_{l<b} m_l)
         holds
           M_j/ℙ(j∈𝒮) ≤ Σ_{l<b} m_l",
    )
}

/// The proof of [`importance`], or of a statement with another constant.
pub fn prove_importance(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (largest, share) = (given(h, 0)?, given(h, 1)?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/ℙ(j∈𝒮)", &[&largest]),
        ("(−1)·(Σ_{l<b} m_l)/ℙ(j∈𝒮)", &[&share]),
    ];
    settle(h, &statement.goal, parts)
}

/// `skgd-lem-E.1-proof-repaired`: displays (i) to (iii) for the values F_0, …, F_K above the minimum, e the mean iterate's.
pub fn proof_of_e_1() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer K ≥ 1
           real R
           real N′
           real e
           sequence F in ℝ^1
           index o<1
           assume Σ_{k<K} (F[k + 1][o] − F_k[o]/2) ≤ R²/2 + K·N′
           assume (Σ_{k<K} F[k + 1][o])/2 − F[0][o] ≤ Σ_{k<K} (F[k + 1][o] − F_k[o]/2)
           assume e ≤ (Σ_{k<K} F[k + 1][o])/K
         holds
           e ≤ (2/K)·(R²/2 + F[0][o] + K·N′)",
    )
}

/// The proof of [`proof_of_e_1`], or of a statement with other constants.
pub fn prove_proof_of_e_1(statement: &Statement) -> Proof {
    let h = &statement.context;
    let [most, least, mean] = [given(h, 0)?, given(h, 1)?, given(h, 2)?];
    let parts: &[(&str, &[&Theorem])] = &[("2/K", &[&most]), ("2/K", &[&least]), ("1", &[&mean])];
    settle(h, &statement.goal, parts)
}

/// `skgd-cmp-cd-imp-repaired`: u is w⁰ − w*, and k the first coordinate, against which the others count little.
pub fn one_dominates() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           vector M ∈ ℝ^d, all > 0
           vector u ∈ ℝ^d
           real r ≥ 0
           index k<d
           assume for every index j<d: (1 − 𝟙[j=k])·M_j ≤ r·M_k
           assume for every index j<d: (1 − 𝟙[j=k])·|u_j| ≤ r·|u_k|
           define I := Σ_{j<d} u_j²
           define T := Σ_{j<d} M_j
         holds
           M_k·u_k² ≤ Σ_{j<d} M_j·u_j²; Σ_{j<d} M_j·u_j² ≤ T·I; T·I ≤ (1 + (d − 1)·r)·(1 + (d − \
               1)·r²)·M_k·u_k²",
    )
}

/// The proof of [`one_dominates`], or of a statement with other constants.
pub fn prove_one_dominates(statement: &Statement) -> Proof {
    let context = &statement.context;
    let i = &with_index(context)?;
    let rest = "(1 − 𝟙[i=k])²";
    let of_k = |t: &str| {
        let goal = format!("𝟙[i=k]·{t} ≤ {t}");
        sum_over(&show(i, &goal, &[(&format!("{rest}·{t}"), &[])])?)
    };
    let single = of_k("M_i·u_i²")?;
    let l = &i.extended(item("l", Sort::Index(var("d"))))?;
    let part = show(l, "𝟙[l=i]·M_l ≤ M_l", &[("(1 − 𝟙[l=i])²·M_l", &[])])?;
    let part = sum_over(&part)?;
    let all = sum_over(&show(i, "M_i·u_i² ≤ T·u_i²", &[("u_i²", &[&part])])?)?;
    let of = |n| instance(i, &given(context, n)?, &var("i"));
    let (weight, size) = (of(0)?, of(1)?);
    let same = "𝟙[i=k]·M_i + (1 − 𝟙[i=k])·M_i ≤ 𝟙[i=k]·M_i + (1 − 𝟙[i=k])·r·M_k";
    let trace_of = sum_over(&show(i, same, &[(rest, &[&weight])])?)?;
    let trace = show(context, "T ≤ (1 + (d − 1)·r)·M_k", &[("1", &[&trace_of])])?;
    let squares = "𝟙[i=k]·u_i² + (1 − 𝟙[i=k])·u_i² ≤ 𝟙[i=k]·u_i² + (1 − 𝟙[i=k])·r²·u_k²";
    let sum = format!("{rest}·(r·|u_k| + |u_i|)");
    let far = show(
        i,
        "(1 − 𝟙[i=k])·|u_i| ≤ (1 − 𝟙[i=k])·r·|u_k|",
        &[(rest, &[&size])],
    )?;
    let squares = sum_over(&show(i, squares, &[(&sum, &[&far])])?)?;
    let squares = show(context, "I ≤ (1 + (d − 1)·r²)·u_k²", &[("1", &[&squares])])?;
    let more = counted(context, &var("d"))?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&single])]),
            &|h, goal| settle(h, goal, &[("1", &[&all])]),
            &|h, goal| {
                let parts: &[(&str, &[&Theorem])] = &[
                    ("T", &[&squares]),
                    ("u_k²", &[&trace]),
                    ("r²·u_k²", &[&trace, &more]),
                ];
                settle(h, goal, parts)
            },
        ],
    )
}

/// `skgd-cmp-sgd-preserved`: f is smooth with m = M_max, and with m in the place of every M_j the rows of Table 1 are those of
/// DP-SGD; L is λ, u the distance and ν the constant of strong convexity.
pub fn preserved() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           vector M ∈ ℝ^d, all > 0
           function f on ℝ^d with M: convex, differentiable, and f(y) ≤ f(x) + ⟨∇f(x), y − x⟩ + \
               ½·Σ_j M_j·(y_j − x_j)² for all x, y
           real m > 0
           real λ > 0
           real ν > 0
           vector u ∈ ℝ^d
           assume for every index j<d: M_j ≤ m
           vector x ∈ ℝ^d
           vector y ∈ ℝ^d
         holds
           f(y) ≤ f(x) + (Σ_{j<d} ∂_j f(x)·(y_j − x_j)) + (m/2)·(Σ_{j<d} (y_j − x_j)²); \
               λ·√(Σ_{j<d} 1/m)·√(Σ_{j<d} m·u_j²) ≤ λ·√(d)·‖u‖; λ·√(d)·‖u‖ ≤ λ·√(Σ_{j<d} \
               1/m)·√(Σ_{j<d} m·u_j²); λ²·(Σ_{j<d} 1/m)·m/ν = λ²·d/ν",
    )
}

/// The proof of [`preserved`], or of a statement with other constants.
pub fn prove_preserved(statement: &Statement) -> Proof {
    let context = &statement.context;
    let scaled = |h: &Context, goal: &Goal| {
        let [x, y] = sides(goal)?;
        root_increases(&settle(h, &Goal::Le(x.pow(2), y.pow(2)), &[])?)
    };
    each(
        statement,
        &[
            &|h, goal| {
                let i = &with_index(h)?;
                let largest = instance(i, &given(context, 0)?, &var("i"))?;
                let one = "(M_i/2)·(y_i − x_i)² ≤ (m/2)·(y_i − x_i)²";
                let one = show(i, one, &[("(y_i − x_i)²/2", &[&largest])])?;
                let bound = smooth(h, "f", &var("x"), &var("y"))?;
                settle(h, goal, &[("1", &[&bound]), ("1", &[&sum_over(&one)?])])
            },
            &scaled,
            &scaled,
            &|h, goal| settle(h, goal, &[]),
        ],
    )
}
