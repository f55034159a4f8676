//! Displays between the steps of proofs: powers of gradients and excesses. A power x^a is exp(a·log x).

use crate::moved::written::{Proof, each, given, settle, show, sides, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, exp_log, exp_sum, instance, larger, root_increases, sum_over,
};
use dp_assay_kernel::search::exp::{exp_increases, exp_of_opposite, log_at_least, log_increases};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::{num, var};

/// `kl-lem-1-note-repaired`.
pub fn lem_1_note() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           real κ > 0
           real F₀ > 0
           real γ > 0
           real L₁ > 0
           assume exp(((2 − κ)/κ)·log(F₀))/γ² ≤ L₁
         holds
           exp((1/κ)·log(F₀))/(γ·L₁) ≤ exp(((κ − 1)/κ)·log(F₀))·γ",
    )
}

/// The proof of [`lem_1_note`], or of a statement with other constants: F₀^{1/κ} is the product of the two other powers.
pub fn prove_lem_1_note(statement: &Statement) -> Proof {
    let context = &statement.context;
    let (a, b) = ("((2 − κ)/κ)·log(F₀)", "((κ − 1)/κ)·log(F₀)");
    let product = exp_sum(context, &term(context, a)?, &term(context, b)?)?;
    let large = given(context, 0)?;
    let parts: [(&str, &[&Theorem]); 2] = [
        ("exp(((κ − 1)/κ)·log(F₀))·γ/L₁", &[&large]),
        ("1/(γ·L₁)", &[&product]),
    ];
    settle(context, &statement.goal, &parts)
}

/// `kl-lem-11-rate-repaired`, s being 4 − κ, which is positive.
pub fn lem_11_rate() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           real κ > 0
           real s > 0
           assume s = 4 − κ
           assume κ ≤ 2
         holds
           2·κ/s ≤ κ; if κ = 2: 2·κ/s = κ",
    )
}

/// The proof of [`lem_11_rate`]: κ − 2κ/s = (κ/s)·(s − 2).
pub fn prove_lem_11_rate(statement: &Statement) -> Proof {
    let by = |h: &Context, goal: &_, last: usize| {
        settle(
            h,
            goal,
            &[("κ/s", &[&given(h, last)?]), ("(−1)·κ/s", &[&given(h, 0)?])],
        )
    };
    each(
        statement,
        &[&|h, goal| by(h, goal, 1), &|h, goal| by(h, goal, 2)],
    )
}

/// `kl-thm-2-step`: E is F(w_t*) − F*, g = |∇F(w_t*)|, r = |w_t* − w_{t−1}|, τ the accuracy and D = F(w_{t−1}) − F(w_t); what
/// `kl-thm-2-prox` says of them is supposed, and KL*.
pub fn thm_2_step() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           real κ > 0
           real γ > 0
           real L₁ > 0
           real Φ > 0
           real θ > 0
           real a > 0
           real E > 0
           real g ≥ 0
           real r ≥ 0
           real τ
           real D
           assume Φ ≤ E
           assume exp((1/κ)·log(E)) ≤ γ·g
           assume g = 2·L₁·r
           assume (L₁/4)·r² − τ ≤ D
           assume exp(κ·log(θ)) ≤ Φ
           assume τ ≤ θ²/(a·γ²·L₁)
           assume 32 ≤ a
         holds
           exp((2/κ)·log(Φ))/(16·γ²·L₁) − τ ≤ D; exp((2/κ)·log(Φ))/(32·γ²·L₁) ≤ \
               exp((2/κ)·log(Φ))/(16·γ²·L₁) − τ",
    )
}

/// Φ^{2/κ} as the square of Φ^{1/κ}.
fn square(context: &Context) -> Proof {
    let half = term(context, "(1/κ)·log(Φ)")?;
    exp_sum(context, &half, &half)
}

/// The proof of [`thm_2_step`], or of a statement with other constants.
pub fn prove_thm_2_step(statement: &Statement) -> Proof {
    let context = &statement.context;
    let at = |n| given(context, n);
    let (excess, valley, far, step) = (at(0)?, at(1)?, at(2)?, at(3)?);
    let (floor, accuracy, many) = (at(4)?, at(5)?, at(6)?);
    let whole = square(context)?;
    let logs = log_increases(&excess)?;
    let logs = show(context, "(1/κ)·log(Φ) ≤ (1/κ)·log(E)", &[("1/κ", &[&logs])])?;
    let root = exp_increases(&logs)?;
    let near = "exp((1/κ)·log(Φ)) ≤ 2·γ·L₁·r";
    let near = show(
        context,
        near,
        &[("1", &[&root]), ("1", &[&valley]), ("γ", &[&far])],
    )?;
    let sum = "(2·γ·L₁·r + exp((1/κ)·log(Φ)))/(16·γ²·L₁)";
    let first: &[(&str, &[&Theorem])] = &[
        ("1", &[&step]),
        (sum, &[&near]),
        ("1/(16·γ²·L₁)", &[&whole]),
    ];
    let low = log_at_least(&floor)?;
    let low = show(context, "log(θ) ≤ (1/κ)·log(Φ)", &[("1/κ", &[&low])])?;
    let (low, named) = (exp_increases(&low)?, exp_log(context, &var("θ"))?);
    let least = "θ ≤ exp((1/κ)·log(Φ))";
    let least = show(context, least, &[("1", &[&low]), ("(−1)", &[&named])])?;
    let second: &[(&str, &[&Theorem])] = &[
        ("1", &[&accuracy]),
        ("θ²/(32·a·γ²·L₁)", &[&many]),
        ("(θ + exp((1/κ)·log(Φ)))/(32·γ²·L₁)", &[&least]),
        ("(−1)/(32·γ²·L₁)", &[&whole]),
    ];
    each(
        statement,
        &[&|h, goal| settle(h, goal, first), &|h, goal| {
            settle(h, goal, second)
        }],
    )
}

/// `kl-lem-12-slope`, with KL* at w_t supposed, G = |∇F(w_t)|; 1/min{L₁, 1} is max{1/L₁, 1}.
pub fn lem_12_slope() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           real κ > 0
           real γ > 0
           real L₁ > 0
           real b > 0
           real Φ > 0
           real G ≥ 0
           assume exp((1/κ)·log(Φ)) ≤ γ·G
         holds
           exp((2/κ)·log(Φ))/γ² ≤ G²; if exp((κ/2)·log(max(γ², 1)·b²/L₁)) ≤ Φ: b²/L₁ ≤ \
               exp((2/κ)·log(Φ))/γ²; if exp((κ/2)·log(max(γ², 1)·b²·max(1/L₁, 1))) ≤ Φ: b²/L₁ ≤ \
               exp((2/κ)·log(Φ))/γ²",
    )
}

/// The proof of [`lem_12_slope`], or of a statement with other constants.
pub fn prove_lem_12_slope(statement: &Statement) -> Proof {
    let above = |h: &Context, goal: &_, level: &str, more: Option<Theorem>| {
        let size = log_at_least(&given(h, 1)?)?;
        let logs = format!("log({level}) ≤ (2/κ)·log(Φ)");
        let grown = exp_increases(&show(h, &logs, &[("2/κ", &[&size])])?)?;
        let named = exp_log(h, &term(h, level)?)?;
        let most = larger(h, &term(h, "γ²")?, &num(1), false)?;
        let mut parts: Vec<(&str, &[&Theorem])> = Vec::new();
        let (grown, named, most) = ([&grown], [&named], [&most]);
        parts.push(("1/γ²", &grown));
        parts.push(("(−1)/γ²", &named));
        parts.push(("b²/(L₁·γ²)", &most));
        let more = more.as_ref().map(|more| [more]);
        if let Some(more) = &more {
            parts.push(("max(γ², 1)·b²/γ²", more));
        }
        settle(h, goal, &parts)
    };
    each(
        statement,
        &[
            &|h, goal| {
                let sum = "(γ·G + exp((1/κ)·log(Φ)))/γ²";
                settle(
                    h,
                    goal,
                    &[(sum, &[&given(h, 0)?]), ("1/γ²", &[&square(h)?])],
                )
            },
            &|h, goal| above(h, goal, "max(γ², 1)·b²/L₁", None),
            &|h, goal| {
                let least = larger(h, &term(h, "1/L₁")?, &num(1), false)?;
                above(h, goal, "max(γ², 1)·b²·max(1/L₁, 1)", Some(least))
            },
        ],
    )
}

/// `kl-thm-4-charges`: a_j and b_j are Φ at the beginning and the end of phase j < p, P is p_max, and m at least the largest of
/// the powers.
pub fn thm_4_charges() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer p ≥ 1
           real κ > 0
           real γ
           real P > 0
           real m ≥ 0
           vector a ∈ ℝ^p, all > 0
           vector b ∈ ℝ^p, all > 0
           assume κ ≤ 2
           assume p ≤ P
           assume for every index j<p: b_j ≤ a_j
           assume for every index j<p: exp(((κ − 4)/κ)·log(b_j)) ≤ m
         holds
           Σ_{j<p} exp(((κ − 2)/κ)·log(a_j))·2·γ²/exp((2/κ)·log(b_j)) ≤ 2·γ²·P·m",
    )
}

/// The proof of [`thm_4_charges`], or of a statement with a larger constant.
pub fn prove_thm_4_charges(statement: &Statement) -> Proof {
    let context = &statement.context;
    let h = &context.extended(item("j", Sort::Index(var("p"))))?;
    let of = |n| instance(h, &given(context, n)?, &var("j"));
    let (small, falls) = (given(h, 0)?, of(2)?);
    let logs = log_increases(&falls)?;
    let order = "((κ − 2)/κ)·log(a_j) ≤ ((κ − 2)/κ)·log(b_j)";
    let order = exp_increases(&show(h, order, &[("1/κ", &[&small, &logs])])?)?;
    let end = term(h, "(2/κ)·log(b_j)")?;
    let unit = exp_of_opposite(h, &end)?;
    let split = exp_sum(h, &term(h, "((κ − 2)/κ)·log(b_j)")?, &(num(0) - end))?;
    let most = of(3)?;
    let one = "exp(((κ − 2)/κ)·log(a_j))·2·γ²/exp((2/κ)·log(b_j)) ≤ 2·γ²·m";
    let parts: &[(&str, &[&Theorem])] = &[
        ("2·γ²/exp((2/κ)·log(b_j))", &[&order]),
        ("2·γ²", &[&most]),
        ("(−2)·γ²", &[&split]),
        (
            "2·γ²·exp(((κ − 2)/κ)·log(b_j))/exp((2/κ)·log(b_j))",
            &[&unit],
        ),
    ];
    let all = sum_over(&show(h, one, parts)?)?;
    let few = given(context, 1)?;
    settle(
        context,
        &statement.goal,
        &[("1", &[&all]), ("2·γ²·m", &[&few])],
    )
}

/// `kl-thm-2-prox`: v is w_{t−1}, w the output w_t and w⋆ the minimiser of F_t = F + L̃₁|· − v|², at which its gradient is 0; g is the
/// gradient of F there.
pub fn thm_2_prox() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           real L₁ > 0
           real τ
           map F of ℝ^d into ℝ^1
           index o<1
           vector v ∈ ℝ^d
           vector w ∈ ℝ^d
           vector w⋆ ∈ ℝ^d
           vector g ∈ ℝ^d
           assume for every vector y ∈ ℝ^d: F(w⋆)[o] + (Σ_{j<d} g_j·(y_j − w⋆_j)) − \
               (L₁/2)·(Σ_{j<d} (y_j − w⋆_j)²) ≤ F(y)[o]
           assume for every index j<d: g_j + 2·L₁·(w⋆_j − v_j) = 0
           real D ≥ 0
           assume D² = Σ_{j<d} (v_j − w⋆_j)²
           assume F(w)[o] + L₁·(Σ_{j<d} (w_j − v_j)²) − (F(w⋆)[o] + L₁·D²) ≤ τ
         holds
           ‖g‖ ≤ 2·L₁·D; 2·L₁·D ≤ ‖g‖; (L₁/4)·D² − τ ≤ F(v)[o] − F(w)[o]",
    )
}

/// The proof of [`thm_2_prox`], or of a statement with other constants; the gain is twice the printed one.
pub fn prove_thm_2_prox(statement: &Statement) -> Proof {
    let h = &statement.context;
    let i = &h.extended(item("i", Sort::Index(var("d"))))?;
    let first = instance(i, &given(h, 1)?, &var("i"))?;
    let square = "g_i² = 4·L₁²·(v_i − w⋆_i)²";
    let factor = "(g_i − 2·L₁·(w⋆_i − v_i))";
    let squares = sum_over(&show(i, square, &[(factor, &[&first])])?)?;
    let distance = given(h, 2)?;
    let squares: &[(&str, &[&Theorem])] = &[("1", &[&squares]), ("(−4)·L₁²", &[&distance])];
    let squares = show(h, "Σ_{j<d} g_j² = 4·L₁²·D²", squares)?;
    let product = "g_i·(v_i − w⋆_i) = 2·L₁·(v_i − w⋆_i)²";
    let product = sum_over(&show(i, product, &[("v_i − w⋆_i", &[&first])])?)?;
    let weak = instance(h, &given(h, 0)?, &var("v"))?;
    let accuracy = given(h, 3)?;
    let root = |goal: &Goal, sign: &str| {
        let [x, y] = sides(goal)?;
        let powers = Goal::Le(x.pow(2), y.pow(2));
        root_increases(&settle(h, &powers, &[(sign, &[&squares])])?)
    };
    each(
        statement,
        &[
            &|_, goal| root(goal, "1"),
            &|_, goal| root(goal, "(−1)"),
            &|_, goal| {
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&weak]),
                    ("1", &[&accuracy]),
                    ("(−1)", &[&product]),
                    ("3·L₁/2", &[&distance]),
                    ("L₁·(Σ_{j<d} (w_j − v_j)²)", &[]),
                ];
                settle(h, goal, parts)
            },
        ],
    )
}
