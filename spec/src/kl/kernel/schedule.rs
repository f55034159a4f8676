//! Algorithm 1: targets Φ̂_k, lengths T_k and noises σ_k of its rounds. φ_k is log Φ̂_k, and a power x^a is exp(a·log x).

use super::lower::log_exp;
use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, exp_sum, instance, inverse, larger, largest, root_increases, sum_over, tangent,
    telescope,
};
use dp_assay_kernel::search::exp::{
    exp_increases, exp_of_zero, log_at_least, log_increases, log_not_negative, log_product,
};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Sort, Statement};
use dp_assay_kernel::term::var;

/// Lines 2 to 7: f is the floor, m what Φ̂_k stays above.
const TARGETS: &str = "for all
    integer n ≥ 1
    integer d ≥ 1
    integer k ≥ 1
    real κ > 0
    real γ > 0
    real L₀ > 0
    real L₁ > 0
    real ρ > 0
    real F₀ > 0
    real K > 0
    real β′ > 0
    real l > 0
    assume l = log(1/β′)
    assume 1 ≤ κ
    assume κ ≤ 2
    define c := 1 + exp(((2 − κ)/κ)·log(F₀))/(64·γ²·L₁)
    define f := exp(κ·log(32·γ·L₀·√(K·d·l)/(n·√(ρ))))
    define m := f + F₀ − max(f, F₀)
    index o<1
    sequence φ in ℝ^1
    assume exp(φ[0][o]) = F₀
    assume for every index i<k: exp(φ[i + 1][o]) = max(exp(φ_i[o])/c, m)
    define T(u∈ℝ^1) := exp(((2 − κ)/κ)·(log(F₀) − u_o))
    define σ(u∈ℝ^1) := (√(K)/(γ·n·√(ρ)))·exp((1/κ)·u_o)·√(T(u))
    ";

/// `kl-par-alg-1`, for round k, any; Φ̂_1 ≤ Φ̂_0 is the first part for k = 1.
pub fn par_alg_1() -> Result<Statement, Stuck> {
    let text = "assume exp(φ[k + 1][o]) = max(exp(φ_k[o])/c, m)
        holds
          exp(φ_k[o]) ≤ F₀; exp(φ[k + 1][o]) ≤ exp(φ_k[o]); 1 ≤ T(φ_k); T(φ_k) ≤ T(φ[k + 1]); if κ \
              = 2: T(φ_k) ≤ 1; 1 − 1/c = (exp(((2 − κ)/κ)·log(F₀))/(64·γ²·L₁))/c; √(T(φ_k))·σ(φ_k) \
              = (√(K)/(γ·n·√(ρ)))·exp(((κ − 1)/κ)·φ_k[o])·exp(((2 − κ)/κ)·log(F₀))";
    render::parse(&format!("{TARGETS}{text}"))
}

/// m ≤ F₀: the smaller of two is at most the second.
fn least(h: &Context) -> Proof {
    let top = larger(h, &term(h, "f")?, &term(h, "F₀")?, false)?;
    show(h, "m ≤ F₀", &[("1", &[&top])])
}

/// exp(φ_i)/c ≤ exp(φ_i), as c ≥ 1.
fn falls(h: &Context, i: &str) -> Proof {
    let unit = inverse(h, &term(h, "c")?)?;
    let target = format!("exp(φ_{i}[o])");
    show(h, &format!("{target}/c ≤ {target}"), &[(&target, &[&unit])])
}

/// m ≤ Φ̂_k ≤ F₀: what max(Φ̂_i, m) is does not increase with i, nor how far it is above Φ̂_i, which is 0 for i = 0.
fn between(h: &Context) -> Result<[Theorem; 2], Stuck> {
    let t = &h.extended(item("t", Sort::Index(var("k"))))?;
    let next = instance(t, &given(h, 4)?, &var("t"))?;
    let (now, then, m) = (
        "max(exp(φ_t[o]), m)",
        "max(exp(φ[t + 1][o]), m)",
        term(t, "m")?,
    );
    let above = larger(t, &term(t, "exp(φ_t[o])")?, &m, false)?;
    let floor = larger(t, &term(t, "exp(φ_t[o])")?, &m, true)?;
    let fall = falls(t, "t")?;
    let fall = show(
        t,
        &format!("exp(φ_t[o])/c ≤ {now}"),
        &[("1", &[&fall]), ("1", &[&above])],
    )?;
    let bound = largest(&fall, &floor)?;
    let bound = show(
        t,
        &format!("exp(φ[t + 1][o]) ≤ {now}"),
        &[("1", &[&bound]), ("1", &[&next])],
    )?;
    let falling = sum_over(&show(
        t,
        &format!("{then} − {now} ≤ 0"),
        &[("1", &[&largest(&bound, &floor)?])],
    )?)?;
    let all = telescope(h, "t", &var("k"), &term(t, now)?)?;
    let start = given(h, 3)?;
    let start = show(h, "exp(φ[0][o]) ≤ F₀", &[("1", &[&start])])?;
    let least = least(h)?;
    let first = largest(&start, &least)?;
    let last = larger(h, &term(h, "exp(φ_k[o])")?, &term(h, "m")?, false)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&last]),
        ("(−1)", &[&all]),
        ("1", &[&falling]),
        ("1", &[&first]),
    ];
    let upper = show(h, "exp(φ_k[o]) ≤ F₀", parts)?;
    // From below.
    let least_next = larger(t, &term(t, "exp(φ_t[o])/c")?, &m, true)?;
    let least_next = show(
        t,
        "m ≤ exp(φ[t + 1][o])",
        &[("1", &[&least_next]), ("(−1)", &[&next])],
    )?;
    let own = show(t, "exp(φ[t + 1][o]) ≤ exp(φ[t + 1][o])", &[])?;
    let none = largest(&own, &least_next)?;
    let gap = format!("({then} − exp(φ[t + 1][o])) − ({now} − exp(φ_t[o])) ≤ 0");
    let gaps = sum_over(&show(t, &gap, &[("1", &[&none]), ("1", &[&above])])?)?;
    let all = telescope(
        h,
        "t",
        &var("k"),
        &term(t, &format!("{now} − exp(φ_t[o])"))?,
    )?;
    let last = larger(h, &term(h, "exp(φ_k[o])")?, &term(h, "m")?, true)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&last]),
        ("(−1)", &[&all]),
        ("1", &[&gaps]),
        ("1", &[&first]),
        ("(−1)", &[&given(h, 3)?]),
    ];
    Ok([show(h, "m ≤ exp(φ_k[o])", parts)?, upper])
}

/// The proof of [`par_alg_1`], or of a statement with other constants.
pub fn prove_par_alg_1(statement: &Statement) -> Proof {
    let h = &statement.context;
    let [lower, upper] = between(h)?;
    let fall = largest(&falls(h, "k")?, &lower)?;
    let next = given(h, 5)?;
    let fall = show(
        h,
        "exp(φ[k + 1][o]) ≤ exp(φ_k[o])",
        &[("1", &[&fall]), ("1", &[&next])],
    )?;
    let [_, named] = log_exp(h, "φ_k[o]")?;
    let (start, order, few) = (log_at_least(&upper)?, log_at_least(&fall)?, given(h, 2)?);
    let length = "((2 − κ)/κ)·(log(F₀) − φ_k[o])";
    let above = tangent(h, &term(h, length)?)?;
    let longer = format!("{length} ≤ ((2 − κ)/κ)·(log(F₀) − φ[k + 1][o])");
    let longer = show(
        h,
        &longer,
        &[("1/κ", &[&few, &order]), ("1/κ", &[&few, &named])],
    )?;
    let longer = exp_increases(&longer)?;
    let sums = [
        [length, "(1/κ)·φ_k[o]"],
        ["((κ − 1)/κ)·φ_k[o]", "((2 − κ)/κ)·log(F₀)"],
    ];
    let [first, second] = sums.map(|[a, b]| exp_sum(h, &term(h, a)?, &term(h, b)?));
    let (first, second) = (first?, second?);
    let root = "√(K)/(γ·n·√(ρ))";
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&upper])]),
            &|h, goal| settle(h, goal, &[("1", &[&fall])]),
            &|h, goal| settle(h, goal, &[("1", &[&above]), ("1/κ", &[&few, &start])]),
            &|h, goal| settle(h, goal, &[("1", &[&longer])]),
            &|h, goal| {
                let plain = show(
                    h,
                    &format!("{length} ≤ 0"),
                    &[("(φ_k[o] − log(F₀))/κ", &[&given(h, 6)?])],
                )?;
                let (grown, zero) = (exp_increases(&plain)?, exp_of_zero(h)?);
                settle(h, goal, &[("1", &[&grown]), ("(−1)", &[&zero])])
            },
            &|h, goal| settle(h, goal, &[("(−1)", &[&inverse(h, &term(h, "c")?)?])]),
            &|h, goal| {
                settle(
                    h,
                    goal,
                    &[(root, &[&second]), (&format!("(−1)·{root}"), &[&first])],
                )
            },
        ],
    )
}

/// `kl-lem-2-count-repaired`: k is the number of rounds, and p_i the number of passes in round i + 1.
pub fn count() -> Result<Statement, Stuck> {
    let text = "assume k ≤ K
        assume f ≤ F₀
        assume 1/1024 ≤ l
        vector p ∈ ℝ^k
        assume for every index i<k: p_i ≤ T(φ[i + 1]) + 1
        holds
          Σ_{i<k} T(φ[i + 1]) ≤ K·exp(((2 − κ)/κ)·log(F₀/f)); K·exp(((2 − κ)/κ)·log(F₀/f)) ≤ \
              K·exp((2 − κ)·log(n·√(ρ)·exp((1/κ)·log(F₀))/(γ·L₀·√(K·d)))); Σ_{i<k} p_i ≤ \
              2·K·exp(((2 − κ)/κ)·log(F₀/f))";
    render::parse(&format!("{TARGETS}{text}"))
}

/// The proof of [`count`], or of a statement with other constants.
pub fn prove_count(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (few, small) = (given(h, 2)?, given(h, 6)?);
    let quotient = term(h, "F₀/f")?;
    let [low, high] = log_product(h, &quotient, &term(h, "f")?)?;
    let x = "32·γ·L₀·√(K·d·l)/(n·√(ρ))";
    let [of_f, _] = log_exp(h, &format!("κ·log({x})"))?;
    // Φ̂ ≥ m = f, so that T ≤ (F₀/f)^{(2−κ)/κ}.
    let t = &h.extended(item("t", Sort::Index(var("k"))))?;
    let next = instance(t, &given(h, 4)?, &var("t"))?;
    let least = larger(t, &term(t, "exp(φ_t[o])/c")?, &term(t, "m")?, true)?;
    let own = show(t, "F₀ ≤ F₀", &[])?;
    let top = largest(&show(t, "f ≤ F₀", &[("1", &[&small])])?, &own)?;
    let least = show(
        t,
        "f ≤ exp(φ[t + 1][o])",
        &[("1", &[&least]), ("(−1)", &[&next]), ("1", &[&top])],
    )?;
    let logs = log_increases(&least)?;
    let [_, named] = log_exp(t, "φ[t + 1][o]")?;
    let most = "((2 − κ)/κ)·(log(F₀) − φ[t + 1][o]) ≤ ((2 − κ)/κ)·log(F₀/f)";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/κ", &[&few, &logs]),
        ("1/κ", &[&few, &named]),
        ("1/κ", &[&few, &high]),
    ];
    let most = exp_increases(&show(t, most, parts)?)?;
    let all = sum_over(&most)?;
    let bound = "exp(((2 − κ)/κ)·log(F₀/f))";
    let (rounds, whole) = (
        given(h, 5)?,
        tangent(h, &term(h, "((2 − κ)/κ)·log(F₀/f)")?)?,
    );
    // log(F₀/f) ≥ 0.
    let unit = show(h, "1 ≤ F₀/f", &[("1/f", &[&small])])?;
    let positive = log_not_negative(&unit)?;
    let one = show(
        h,
        &format!("1 ≤ {bound}"),
        &[("1", &[&whole]), ("1/κ", &[&few, &positive])],
    )?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&all]), (bound, &[&rounds])]),
            &|h, goal| {
                let root = root_increases(&show(
                    h,
                    "K·d ≤ 1024·K·d·l",
                    &[("1024·K·d", &[&given(h, 7)?])],
                )?)?;
                let y = "n·√(ρ)·exp((1/κ)·log(F₀))/(γ·L₀·√(K·d))";
                let power = "exp((1/κ)·log(F₀))";
                let larger = show(
                    h,
                    &format!("{power} ≤ ({y})·({x})"),
                    &[(&format!("{power}/√(K·d)"), &[&root])],
                )?;
                let size = log_at_least(&larger)?;
                let [_, split] = log_product(h, &term(h, y)?, &term(h, x)?)?;
                let order = format!("((2 − κ)/κ)·log(F₀/f) ≤ (2 − κ)·log({y})");
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1/κ", &[&few, &low]),
                    ("1/κ", &[&few, &of_f]),
                    ("1", &[&few, &size]),
                    ("1", &[&few, &split]),
                ];
                let grown = exp_increases(&show(h, &order, parts)?)?;
                settle(h, goal, &[("K", &[&grown])])
            },
            &|h, goal| {
                let passes = sum_over(&instance(t, &given(h, 8)?, &var("t"))?)?;
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&passes]),
                    ("1", &[&all]),
                    ("k", &[&one]),
                    (&format!("2·{bound}"), &[&rounds]),
                ];
                settle(h, goal, parts)
            },
        ],
    )
}
