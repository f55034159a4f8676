//! A greedy step and what it gains: Lemmas B.2 and B.3, equations (52), (53) and (64), and the norms that they use.
//!
//! f is a map into ℝ^1, whose one entry is o, and g its gradient; of smoothness and convexity what is used is supposed.

use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, instance, root_increases, sum_over, telescope, triangle};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

/// x·y ≤ |x|·|y|, from |x + y| ≤ |x| + |y|.
pub(super) fn moduli(context: &Context, x: &str, y: &str) -> Proof {
    let minus = term(context, &format!("(−1)·({y})"))?;
    let apart = triangle(context, &term(context, x)?, &minus)?;
    let goal = format!("({x})·({y}) ≤ |{x}|·|{y}|");
    let factor = format!("(|{x}| + |{y}| + |({x}) + ({y})|)/2");
    show(context, &goal, &[(&factor, &[&apart])])
}

fn with_index(context: &Context) -> Result<Context, Stuck> {
    context.extended(item("i", Sort::Index(var("p"))))
}

/// The setting of a step: j is chosen with the noises χ, s has the largest scaled entry of the gradient.
const STEP: &str = "for all
    integer p ≥ 1
    vector M ∈ ℝ^p, all > 0
    map f of ℝ^p into ℝ^1
    map g of ℝ^p into ℝ^p
    index o<1
    assume for every index i<p: for every vector x ∈ ℝ^p: for every real t: f(⟨x_k + t·𝟙[k=i] : \
        k<p⟩)[o] ≤ f(x)[o] + t·g(x)[i] + M_i·t²/2
    vector w ∈ ℝ^p
    vector χ ∈ ℝ^p
    real η
    index j<p
    index s<p
    assume for every index i<p: |g(w)[i] + χ_i|/√(M_i) ≤ |g(w)[j] + χ_j|/√(M_j)
    assume for every index i<p: |g(w)[i]|/√(M_i) ≤ |g(w)[s]|/√(M_s)
    define G := |g(w)[s]|/√(M_s)
    define Z := η²/(2·M_j) + χ_j²/(2·M_j) + χ_s²/(4·M_s)
    vector w⋆ ∈ ℝ^p
    define ξ := f(w)[o] − f(w⋆)[o]
    define ξ′ := f(⟨w_k − ((g(w)[j] + η)/M_j)·𝟙[k=j] : k<p⟩)[o] − f(w⋆)[o]
    ";

/// `gcd-lem-B.2`: G is ‖∇f(w)‖_{M⁻¹,∞}, Z the noise.
pub fn lemma_b_2() -> Result<Statement, Stuck> {
    render::parse(&format!("{STEP}holds\nξ′ ≤ ξ − (1/8)·G² + Z"))
}

/// Smoothness along the chosen coordinate, the choice, and two squares.
fn gain(context: &Context) -> Proof {
    let length = term(context, "0 − (g(w)[j] + η)/M_j")?;
    let smooth = instance(context, &given(context, 0)?, &var("j"))?;
    let smooth = instance(context, &smooth, &var("w"))?;
    let smooth = instance(context, &smooth, &length)?;
    let choice = instance(context, &given(context, 1)?, &var("s"))?;
    let sum = "(|g(w)[j] + χ_j|/√(M_j) + |g(w)[s] + χ_s|/√(M_s))/4";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&smooth]),
        (sum, &[&choice]),
        ("(g(w)[j] − χ_j)²/(4·M_j)", &[]),
        ("(g(w)[s] + 2·χ_s)²/(8·M_s)", &[]),
    ];
    show(context, "ξ′ ≤ ξ − (1/8)·G² + Z", parts)
}

/// The proof of [`lemma_b_2`], or of a statement with other constants.
pub fn prove_lemma_b_2(statement: &Statement) -> Proof {
    let gain = gain(&statement.context)?;
    settle(&statement.context, &statement.goal, &[("1", &[&gain])])
}

const STRONG: &str = "
    real μ > 0
    assume f(w)[o] + (Σ_{k<p} g(w)[k]·(w⋆_k − w_k)) + (μ/2)·S² ≤ f(w⋆)[o]
    ";

/// Σ_k g_k·(w_k − w⋆_k) ≤ G·S, hypothesis number `largest` saying that no entry of g is above G, and the one after S.
fn hoelder(context: &Context, largest: usize) -> Proof {
    let h = &with_index(context)?;
    let apart = moduli(h, "g(w)[i]", "w_i − w⋆_i")?;
    let most = instance(h, &given(context, largest)?, &var("i"))?;
    let one = "g(w)[i]·(w_i − w⋆_i) ≤ G·√(M_i)·|w_i − w⋆_i|";
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&apart]), ("√(M_i)·|w_i − w⋆_i|", &[&most])];
    let all = sum_over(&show(h, one, parts)?)?;
    let named = given(context, largest + 1)?;
    let goal = "Σ_{k<p} g(w)[k]·(w_k − w⋆_k) ≤ G·S";
    show(context, goal, &[("1", &[&all]), ("(−1)·G", &[&named])])
}

/// `gcd-eq-52`: G is at least every scaled entry of the gradient.
pub fn equation_52() -> Result<Statement, Stuck> {
    let text = "for all
        integer p ≥ 1
        vector M ∈ ℝ^p, all > 0
        map f of ℝ^p into ℝ^1
        map g of ℝ^p into ℝ^p
        index o<1
        vector w ∈ ℝ^p
        vector w⋆ ∈ ℝ^p
        real G ≥ 0
        assume for every index i<p: |g(w)[i]|/√(M_i) ≤ G
        real S ≥ 0
        assume S = Σ_{k<p} √(M_k)·|w_k − w⋆_k|";
    let goal = "(−1)·G²/2 ≤ (−1)·μ·(f(w)[o] − f(w⋆)[o])";
    render::parse(&format!(
        "{text}{}holds\n{goal}",
        STRONG.trim_end().to_owned() + "\n"
    ))
}

/// ½G² ≥ μ·(f(w) − f(w⋆)), as the goal says it, from strong convexity and Hölder's inequality.
fn dominated(h: &Context, goal: &Goal, strong: usize) -> Proof {
    let (product, strong) = (hoelder(h, strong - 2)?, given(h, strong)?);
    settle(
        h,
        goal,
        &[("μ", &[&strong]), ("μ", &[&product]), ("(G − μ·S)²/2", &[])],
    )
}

/// The proof of [`equation_52`], or of a statement with other constants.
pub fn prove_equation_52(statement: &Statement) -> Proof {
    dominated(&statement.context, &statement.goal, 2)
}

/// `gcd-def-norms`: U is ‖u‖_{M⁻¹,∞}, attained at the entry k, and r(v) is ‖v‖_{M,1}; the supremum is attained at one vector.
pub fn norms() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer p ≥ 1
           vector M ∈ ℝ^p, all > 0
           real μ > 0
           vector u ∈ ℝ^p
           index k<p
           define U := |u_k|/√(M_k)
           assume for every index i<p: |u_i|/√(M_i) ≤ U
           define r(v∈ℝ^p) := Σ_{l<p} √(M_l)·|v_l|
           define a := u_k/(μ·M_k)
         holds
           for every vector v ∈ ℝ^p: Σ_{l<p} u_l·v_l ≤ U·r(v); for every vector v ∈ ℝ^p: (Σ_{l<p} \
               u_l·v_l) − (μ/2)·r(v)² ≤ U²/(2·μ); U²/(2·μ) ≤ (Σ_{l<p} u_l·(a·𝟙[l=k])) − \
               (μ/2)·r(⟨a·𝟙[l=k] : l<p⟩)²",
    )
}

pub fn prove_norms(statement: &Statement) -> Proof {
    let context = &statement.context;
    let product = |h: &Context| {
        let i = &with_index(h)?;
        let (apart, most) = (
            moduli(i, "u_i", "v_i")?,
            instance(i, &given(h, 0)?, &var("i"))?,
        );
        let one = "u_i·v_i ≤ U·√(M_i)·|v_i|";
        let parts: &[(&str, &[&Theorem])] = &[("1", &[&apart]), ("√(M_i)·|v_i|", &[&most])];
        sum_over(&show(i, one, parts)?)
    };
    let i = &with_index(context)?;
    let squares = show(i, "(a·𝟙[i=k])² ≤ (|a|·𝟙[i=k])²", &[])?;
    let root = root_increases(&squares)?;
    let one = "√(M_i)·|a·𝟙[i=k]| ≤ √(M_i)·|a|·𝟙[i=k]";
    let size = sum_over(&show(i, one, &[("√(M_i)", &[&root])])?)?;
    let size = show(
        context,
        "r(⟨a·𝟙[l=k] : l<p⟩) ≤ √(M_k)·|a|",
        &[("1", &[&size])],
    )?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&product(h)?])]),
            &|h, goal| {
                let square = "(U − μ·r(v))²/(2·μ)";
                settle(h, goal, &[("1", &[&product(h)?]), (square, &[])])
            },
            &|h, goal| {
                let sum = "(μ/2)·(√(M_k)·|a| + r(⟨a·𝟙[l=k] : l<p⟩))";
                settle(h, goal, &[(sum, &[&size])])
            },
        ],
    )
}

/// `gcd-eq-64`: m_t is the constant of round t, between μ and ν.
pub fn equation_64() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer T ≥ 1
           integer p ≥ 1
           integer τ ≥ 1
           assume τ ≤ p
           real α
           real β ≥ 0
           real μ > 0
           real ν > 0
           real q > 0
           assume q = 1 − μ/4
           sequence ξ in ℝ^1
           sequence m in ℝ^1
           index o<1
           assume for every index t<T: 0 ≤ ξ_t[o]
           assume for every index t<T: μ ≤ m_t[o]
           assume for every index t<T: m_t[o] ≤ ν
           assume for every index t<T: ξ[t + 1][o] ≤ (1 − m_t[o]/4)·ξ_t[o] + (m_t[o]/8)·(p − τ)·α² \
               + β
         holds
           ξ_T[o] ≤ q^T·ξ[0][o] + (4/μ)·(β + (1/8)·ν·(p − τ)·α²)",
    )
}

/// The proof of [`equation_64`], or of a statement with other constants: (ξ_t − 4B/μ)/q^t does not grow.
pub fn prove_equation_64(statement: &Statement) -> Proof {
    let context = &statement.context;
    let h = &context.extended(item("t", Sort::Index(var("T"))))?;
    let (sparse, named) = (given(context, 0)?, given(context, 1)?);
    let at = |n| instance(h, &given(context, n)?, &var("t"));
    let (excess, least, most, round) = (at(2)?, at(3)?, at(4)?, at(5)?);
    let limit = "(4/μ)·(β + (1/8)·ν·(p − τ)·α²)";
    let value = format!("(ξ_t[o] − {limit})/q^t");
    let next = format!("(ξ[t + 1][o] − {limit})/(q^t·q)");
    let unit = "1/(q^t·q)";
    let falls: &[(&str, &[&Theorem])] = &[
        (unit, &[&round]),
        ("1/(4·q^t·q)", &[&excess, &least]),
        ("α²/(8·q^t·q)", &[&sparse, &most]),
        (&format!("({limit} − ξ_t[o])/(q^t·q)"), &[&named]),
    ];
    let falls = sum_over(&show(h, &format!("{next} − {value} ≤ 0"), falls)?)?;
    let all = telescope(context, "t", &var("T"), &term(h, &value)?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("q^T", &[&falls]),
        ("(−1)·q^T", &[&all]),
        ("q^T·(4/μ)·β", &[]),
        ("q^T·ν·α²/(2·μ)", &[&sparse]),
    ];
    settle(context, &statement.goal, parts)
}
