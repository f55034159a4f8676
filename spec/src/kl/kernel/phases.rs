//! Phases of Algorithm 2: the excess of every iterate is below its target. φ_t is log Φ̂_t, and a power x^a is exp(a·log x).

use super::lower::log_exp;
use crate::arith::ratio;
use crate::moved::written::{given, goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, combine, discharge, exp_log, exp_sum, induction, instance, inverse, larger, largest,
    sum_over,
};
use dp_assay_kernel::search::cases::absurd;
use dp_assay_kernel::search::exp::{
    exp_increases, exp_of_opposite, log_above, log_at_least, log_at_most, log_not_negative,
    log_product, power,
};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, item, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sort, Statement};
use dp_assay_kernel::term::{num, var};

/// `kl-thm-2-phase-repaired`, for the iterate after T rounds, any number: u_{t+1} minimises the problem of round t + 1, and g_{t+1} is a gradient of F there, of
/// which weak convexity says that it is a lower bound; w_{t+1} is what the subroutine returns, with accuracy τ. KL* is supposed at the u_t, which y > 0 says
/// for an excess of 0, too. L₁ is L̃₁.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer T ≥ 1
           real κ > 0
           real γ > 0
           real L₁ > 0
           real F₀ > 0
           real θ > 0
           real a > 0
           real τ
           assume 2 ≤ κ
           assume 48 ≤ a
           assume τ ≤ θ²/(a·γ²·L₁)
           assume 1/4 ≤ γ²·L₁·exp((κ − 2)·log(θ))
           assume exp(κ·log(θ)) ≤ F₀
           define c := 1 + exp(((2 − κ)/κ)·log(F₀))/(32·γ²·L₁)
           define m := exp(κ·log(θ)) + F₀ − max(exp(κ·log(θ)), F₀)
           map F of ℝ^d into ℝ^1
           index o<1
           real F⋆
           sequence φ in ℝ^1
           assume exp(φ[0][o]) = F₀
           assume for every index t<T: exp(φ[t + 1][o]) = max(exp(φ_t[o])/c, m)
           sequence w in ℝ^d
           sequence u in ℝ^d
           sequence g in ℝ^d
           assume F(w[0])[o] − F⋆ ≤ F₀
           assume for every index t<T: for every vector y ∈ ℝ^d: F(u[t + 1])[o] + (Σ_{j<d} g[t + 1][j]·(y_j − u[t + 1][j])) − (L₁/2)·(Σ_{j<d} (y_j − u[t + 1][j])²) ≤ F(y)[o]
           assume for every index t<T: for every index j<d: g[t + 1][j] + 2·L₁·(u[t + 1][j] − w_t[j]) = 0
           assume for every index t<T: F(w[t + 1])[o] + L₁·(Σ_{j<d} (w[t + 1][j] − w_t[j])²) ≤ F(u[t + 1])[o] + L₁·(Σ_{j<d} (u[t + 1][j] − w_t[j])²) + τ
           assume for every index t<T: for every real y > 0: F(u[t + 1])[o] − F⋆ ≤ exp(κ·log(max(γ·‖g[t + 1]‖, y)))
         holds
           F(w_T)[o] − F⋆ ≤ exp(φ_T[o])",
    )
}

/// max(F(w_t) − F⋆ − Φ̂_t, Φ̂_t − F₀) ≤ 0.
fn wanted(t: &str) -> String {
    let (w, phi) = match t {
        "t + 1" | "0" => (format!("w[{t}]"), format!("φ[{t}][o]")),
        _ => (format!("w_{t}"), format!("φ_{t}[o]")),
    };
    format!("max(F({w})[o] − F⋆ − exp({phi}), exp({phi}) − F₀) ≤ 0")
}

const NOW: &str = "exp(φ_k[o])";
const NEXT: &str = "exp(φ[k + 1][o])";
/// Φ̂^{2/κ} for the next target.
const ROOT: &str = "exp((2/κ)·φ[k + 1][o])";

/// What is known of the next target Φ.
struct Target {
    /// Φ ≤ F₀.
    below: Theorem,
    /// Φ̂_t ≤ Φ + Φ^{2/κ}/(32γ²L₁) and Φ̂_t ≤ Φ + Φ/8.
    falls: [Theorem; 2],
    /// τ ≤ Φ^{2/κ}/(48γ²L₁) and τ ≤ Φ/12.
    accuracy: [Theorem; 2],
}

fn target(h: &Context, now: &Theorem) -> Result<Target, Stuck> {
    let (two, many, accurate, large, least) = (
        given(h, 0)?,
        given(h, 1)?,
        given(h, 2)?,
        given(h, 3)?,
        given(h, 4)?,
    );
    let next = instance(h, &given(h, 6)?, &var("k"))?;
    let (floor, c) = ("exp(κ·log(θ))", term(h, "c")?);
    let same = show(h, "F₀ ≤ F₀", &[])?;
    let top = largest(&least, &same)?;
    let above = larger(h, &term(h, floor)?, &var("F₀"), true)?;
    let (share, m) = (term(h, &format!("{NOW}/c"))?, term(h, "m")?);
    let [first, second] = [false, true].map(|second| larger(h, &share, &m, second));
    let (first, second) = (first?, second?);
    let low = show(
        h,
        &format!("{floor} ≤ {NEXT}"),
        &[("1", &[&second]), ("(−1)", &[&next]), ("1", &[&top])],
    )?;
    let unit = inverse(h, &c)?;
    let part = show(
        h,
        &format!("{NOW}/c ≤ F₀"),
        &[(NOW, &[&unit]), ("1", &[now])],
    )?;
    let small = show(h, "m ≤ F₀", &[("1", &[&above]), ("1", &[&least])])?;
    let below = largest(&part, &small)?;
    let below = show(
        h,
        &format!("{NEXT} ≤ F₀"),
        &[("1", &[&below]), ("1", &[&next])],
    )?;
    let whole = show(
        h,
        &format!("{NOW} ≤ c·{NEXT}"),
        &[
            ("c", &[&first]),
            ("(−1)·c", &[&next]),
            (&format!("(−1)·{NOW}"), &[&unit]),
        ],
    )?;
    // F₀^{(2−κ)/κ} is at most Φ^{(2−κ)/κ} and θ^{2−κ} ≤ 4γ²L₁.
    let (log_next, log_floor) = (log_at_least(&below)?, log_at_least(&least)?);
    let e = "((2 − κ)/κ)";
    let first = show(
        h,
        &format!("{e}·log(F₀) ≤ {e}·φ[k + 1][o]"),
        &[("1/κ", &[&two, &log_next])],
    )?;
    let second = show(
        h,
        &format!("{e}·log(F₀) ≤ (2 − κ)·log(θ)"),
        &[("1/κ", &[&two, &log_floor])],
    )?;
    let (first, second) = (exp_increases(&first)?, exp_increases(&second)?);
    let product = exp_sum(
        h,
        &term(h, &format!("{e}·φ[k + 1][o]"))?,
        &term(h, "φ[k + 1][o]")?,
    )?;
    let opposite = exp_of_opposite(h, &term(h, "(κ − 2)·log(θ)")?)?;
    let (lower, unit) = ("exp((2 − κ)·log(θ))", "1/(32·γ²·L₁)");
    let most = show(
        h,
        &format!("{lower} ≤ 4·γ²·L₁"),
        &[
            (&format!("4·{lower}"), &[&large]),
            ("(−4)·γ²·L₁", &[&opposite]),
        ],
    )?;
    let scale = format!("{NEXT}/(32·γ²·L₁)");
    let by_root = show(
        h,
        &format!("{NOW} ≤ {NEXT} + {ROOT}/(32·γ²·L₁)"),
        &[
            ("1", &[&whole]),
            (&scale, &[&first]),
            (&format!("(−1)·{unit}"), &[&product]),
        ],
    )?;
    let by_share = show(
        h,
        &format!("{NOW} ≤ {NEXT} + {NEXT}/8"),
        &[("1", &[&whole]), (&scale, &[&second]), (&scale, &[&most])],
    )?;
    // θ² = θ^κ·θ^{2−κ}, and at most Φ^{2/κ}.
    let square = power(h, &var("θ"), &num(2))?;
    let split = exp_sum(h, &term(h, "κ·log(θ)")?, &term(h, "(2 − κ)·log(θ)")?)?;
    let [_, own] = log_exp(h, "φ[k + 1][o]")?;
    let log_low = log_at_least(&low)?;
    let order = show(
        h,
        "2·log(θ) ≤ (2/κ)·φ[k + 1][o]",
        &[("2/κ", &[&log_low]), ("2/κ", &[&own])],
    )?;
    let order = exp_increases(&order)?;
    let (each, all) = ("1/(48·γ²·L₁)", "θ²/(48·a·γ²·L₁)");
    let root = show(
        h,
        &format!("τ ≤ {ROOT}/(48·γ²·L₁)"),
        &[
            ("1", &[&accurate]),
            (all, &[&many]),
            (each, &[&square]),
            (each, &[&order]),
        ],
    )?;
    let share = show(
        h,
        &format!("τ ≤ {NEXT}/12"),
        &[
            ("1", &[&accurate]),
            (all, &[&many]),
            (each, &[&square]),
            (each, &[&split]),
            (&format!("{floor}/(48·γ²·L₁)"), &[&most]),
            ("1/12", &[&low]),
        ],
    )?;
    Ok(Target {
        below,
        falls: [by_root, by_share],
        accuracy: [root, share],
    })
}

/// (Φ/2)^{1/κ} ≤ γ·‖g‖ where Φ/2 ≤ F(u) − F⋆.
fn steep(h: &Context, high: &Theorem) -> Result<Theorem, Stuck> {
    let valley = instance(h, &given(h, 11)?, &var("k"))?;
    let quarter = format!("exp((1/κ)·log({NEXT}/4))");
    let valley = instance(h, &valley, &term(h, &quarter)?)?;
    let slope = "γ·‖g[k + 1]‖";
    let top = format!("max({slope}, {quarter})");
    let half = format!("exp((1/κ)·log({NEXT}/2))");
    let whole = show(
        h,
        &format!("{NEXT}/2 ≤ exp(κ·log({top}))"),
        &[("1", &[high]), ("1", &[&valley])],
    )?;
    let logs = log_at_most(&whole)?;
    let logs = show(
        h,
        &format!("(1/κ)·log({NEXT}/2) ≤ log({top})"),
        &[("1/κ", &[&logs])],
    )?;
    let (grown, named) = (exp_increases(&logs)?, exp_log(h, &term(h, &top)?)?);
    let most = show(
        h,
        &format!("{half} ≤ {top}"),
        &[("1", &[&grown]), ("1", &[&named])],
    )?;
    let goal = Goal::Le(term(h, &half)?, term(h, slope)?);
    either(
        h,
        [&term(h, slope)?, &term(h, &quarter)?],
        |h, case, small| {
            let own = |t: &str| show(h, &format!("{t} ≤ {t}"), &[]);
            if !small {
                let down = largest(&own(slope)?, case)?;
                let parts = [&most, &down].map(|fact| with(num(1), fact));
                return combine(h, goal.clone(), &parts);
            }
            // (Φ/2)^{1/κ} ≤ (Φ/4)^{1/κ}, which is less.
            let down = largest(case, &own(&quarter)?)?;
            let low = show(
                h,
                &format!("{half} ≤ {quarter}"),
                &[("1", &[&most]), ("1", &[&down])],
            )?;
            let [_, exponent] = log_exp(h, &format!("(1/κ)·log({NEXT}/4)"))?;
            let low = log_at_least(&low)?;
            let [split, _] = log_product(h, &term(h, &format!("{NEXT}/4"))?, &num(2))?;
            let two = log_above(h, &2.into(), &ratio(1, 2), 4)?;
            let parts: &[(&str, &[&Theorem])] = &[
                ("2·κ", &[&low]),
                ("2·κ", &[&exponent]),
                ("2", &[&split]),
                ("2", &[&two]),
            ];
            absurd(h, &show(h, "1 ≤ 0", parts)?, &goal)
        },
    )
}

/// One round: what is wanted after it, from what was before.
fn round(k: &Context) -> Result<Theorem, Stuck> {
    let h = &k.extended(Item::Assume(goal(k, &wanted("k"))?))?;
    let before = assumed(h, &goal(h, &wanted("k"))?)?;
    let (a, b) = (
        term(h, &format!("F(w_k)[o] − F⋆ − {NOW}"))?,
        term(h, &format!("{NOW} − F₀"))?,
    );
    let [first, second] = [false, true].map(|second| larger(h, &a, &b, second));
    let excess = show(
        h,
        &format!("F(w_k)[o] − F⋆ ≤ {NOW}"),
        &[("1", &[&first?]), ("1", &[&before])],
    )?;
    let now = show(
        h,
        &format!("{NOW} ≤ F₀"),
        &[("1", &[&second?]), ("1", &[&before])],
    )?;
    let target = target(h, &now)?;
    let at = |n: usize| instance(h, &given(h, n)?, &var("k"));
    let (weak, accurate) = (instance(h, &at(8)?, &term(h, "w_k")?)?, at(10)?);
    let j = &h.extended(item("i", Sort::Index(var("d"))))?;
    let flat = instance(j, &at(9)?, &var("i"))?;
    let gap = "(w_k[i] − u[k + 1][i])";
    let product = show(
        j,
        &format!("g[k + 1][i]·{gap} = 2·L₁·{gap}²"),
        &[(gap, &[&flat])],
    )?;
    let product = sum_over(&product)?;
    let square = format!("g[k + 1][i]² = 4·L₁²·{gap}²");
    let factor = format!("g[k + 1][i] + 2·L₁·{gap}");
    let square = sum_over(&show(j, &square, &[(&factor, &[&flat])])?)?;
    let far = "Σ_{j<d} (u[k + 1][j] − w_k[j])²";
    let after = "F(w[k + 1])[o] − F⋆";
    let moved = "L₁·(Σ_{j<d} (w[k + 1][j] − w_k[j])²)";
    let falls = format!("{after} ≤ {NOW} − (L₁/2)·({far}) + τ");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&weak]),
        ("1", &[&accurate]),
        ("(−1)", &[&product]),
        ("1", &[&excess]),
        (moved, &[]),
    ];
    let falls = show(h, &falls, parts)?;
    let place = "F(u[k + 1])[o] − F⋆";
    let near = format!("{after} ≤ {place} + L₁·({far}) + τ");
    let near = show(h, &near, &[("1", &[&accurate]), (moved, &[])])?;
    let half = format!("{NEXT}/2");
    let goal = format!("{after} ≤ {NEXT}");
    let reached = either(h, [&term(h, &half)?, &term(h, place)?], |h, case, high| {
        if !high {
            let parts: &[(&str, &[&Theorem])] = &[
                ("1/3", &[&near]),
                ("1/3", &[case]),
                ("2/3", &[&falls]),
                ("2/3", &[&target.falls[1]]),
                ("1", &[&target.accuracy[1]]),
            ];
            return show(h, &goal, parts);
        }
        let steep = steep(h, case)?;
        let root = format!("exp((1/κ)·log({half}))");
        // Φ^{2/κ}/2 ≤ (Φ/2)^{2/κ}.
        let exponent = term(h, &format!("(1/κ)·log({half})"))?;
        let split = exp_sum(h, &exponent, &exponent)?;
        let [_, parts_of] = log_product(h, &term(h, &half)?, &num(2))?;
        let [own, _] = log_exp(h, "φ[k + 1][o]")?;
        let two = given(h, 0)?;
        let positive = log_not_negative(&show(h, "1 ≤ 2", &[])?)?;
        let order = format!("(2/κ)·φ[k + 1][o] ≤ (2/κ)·log({half}) + log(2)");
        let parts: &[(&str, &[&Theorem])] = &[
            ("2/κ", &[&own]),
            ("2/κ", &[&parts_of]),
            ("1/κ", &[&two, &positive]),
        ];
        let order = exp_increases(&show(h, &order, parts)?)?;
        let twice = exp_sum(
            h,
            &term(h, &format!("(2/κ)·log({half})"))?,
            &term(h, "log(2)")?,
        )?;
        let named = exp_log(h, &num(2))?;
        let double = format!("exp((2/κ)·log({half}))");
        let slope = format!("{ROOT}/(16·γ²·L₁) ≤ (L₁/2)·({far})");
        let unit = "1/(8·γ²·L₁)";
        let parts: &[(&str, &[&Theorem])] = &[
            ("1/(16·γ²·L₁)", &[&order]),
            ("1/(16·γ²·L₁)", &[&twice]),
            (&format!("{double}/(16·γ²·L₁)"), &[&named]),
            (unit, &[&split]),
            (&format!("({root} + γ·‖g[k + 1]‖)/(8·γ²·L₁)"), &[&steep]),
            ("1/(8·L₁)", &[&square]),
        ];
        let slope = show(h, &slope, parts)?;
        let parts: &[(&str, &[&Theorem])] = &[
            ("1", &[&falls]),
            ("1", &[&slope]),
            ("1", &[&target.falls[0]]),
            ("1", &[&target.accuracy[0]]),
        ];
        show(h, &goal, parts)
    })?;
    let first = show(h, &format!("{after} − {NEXT} ≤ 0"), &[("1", &[&reached])])?;
    let second = show(h, &format!("{NEXT} − F₀ ≤ 0"), &[("1", &[&target.below])])?;
    discharge(&largest(&first, &second)?)
}

/// The proof of [`statement`], or of a statement with other constants: by induction over the rounds.
///
/// # Errors
/// If a rule does not apply.
pub fn prove(statement: &Statement) -> Result<Theorem, Stuck> {
    let h = &statement.context;
    let (start, first) = (given(h, 5)?, given(h, 7)?);
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&first]), ("(−1)", &[&start])];
    let excess = show(h, "F(w[0])[o] − F⋆ − exp(φ[0][o]) ≤ 0", parts)?;
    let level = show(h, "exp(φ[0][o]) − F₀ ≤ 0", &[("1", &[&start])])?;
    let k = &h.extended(item("k", Sort::Index(var("T"))))?;
    let all = induction(&largest(&excess, &level)?, &round(k)?)?;
    let (a, b) = (
        term(h, "F(w_T)[o] − F⋆ − exp(φ_T[o])")?,
        term(h, "exp(φ_T[o]) − F₀")?,
    );
    let part = larger(h, &a, &b, false)?;
    settle(h, &statement.goal, &[("1", &[&part]), ("1", &[&all])])
}
