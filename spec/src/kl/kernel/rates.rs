//! Rates: what bounds are when numbers of rounds are put into them, and constants. A power x^a is exp(a·log x).

use crate::moved::written::{Proof, each, given, settle, show, sides, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, exp_log, exp_sum, root_increases};
use dp_assay_kernel::search::exp::{
    exp_increases, exp_of_opposite, log_above, log_at_least, log_at_most, log_increases,
    log_product, log_tangent,
};
use dp_assay_kernel::statement::{Context, Goal, Statement};
use dp_assay_kernel::term::{Term, num, var};

/// `kl-thm-2-rate`: T of line 1 with its bracket B, and θ with and without the factor.
pub fn thm_2_rate() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           real κ > 0
           real γ > 0
           real L₀ > 0
           real L₁ > 0
           real F₀ > 0
           real ρ > 0
           real ω > 0
           real a > 0
           real B > 0
           assume B = log(F₀) + κ·log(n·√(ρ)/(γ·L₀·√(d)))
           define y := exp(((κ − 2)/κ)·log(F₀))·γ²·L₁
           define T := (1 + 32·y)·B
           define θ := a·γ·L₀·√(d·T·ω)/(n·√(ρ))
         holds
           T·ω ≤ 32·(1 + y)·B·ω; exp(κ·log(θ)) ≤ exp(κ·log(a·γ·L₀·√(32·d·(1 + y)·B·ω)/(n·√(ρ))))",
    )
}

/// x^κ ≤ y^κ from x ≤ y, in the words of a goal.
fn powers(context: &Context, goal: &Goal, order: &Theorem) -> Proof {
    let logs = log_increases(order)?;
    let [x, y] = sides(&logs.statement().goal)?;
    let times = |t: &Term| var("κ") * t.clone();
    let less = Goal::Le(times(x), times(y));
    let grown = exp_increases(&settle(context, &less, &[("κ", &[&logs])])?)?;
    settle(context, goal, &[("1", &[&grown])])
}

/// The proof of [`thm_2_rate`], or of a statement with a larger constant.
pub fn prove_thm_2_rate(statement: &Statement) -> Proof {
    each(
        statement,
        &[&|h, goal| settle(h, goal, &[]), &|h, goal| {
            let roots = root_increases(&show(h, "d·T·ω ≤ 32·d·(1 + y)·B·ω", &[])?)?;
            let order = "θ ≤ a·γ·L₀·√(32·d·(1 + y)·B·ω)/(n·√(ρ))";
            let order = show(h, order, &[("a·γ·L₀/(n·√(ρ))", &[&roots])])?;
            powers(h, goal, &order)
        }],
    )
}

/// `kl-thm-1-rate`: the bound of Theorem 1 with the number R of rounds, K rounded up, l = log(1/β′), M the bracket of K.
pub fn thm_1_rate() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           integer R ≥ 1
           real κ > 0
           real γ > 0
           real L₀ > 0
           real L₁ > 0
           real F₀ > 0
           real ρ > 0
           real l > 0
           real M > 0
           assume M = log(F₀) + κ·log(n·√(ρ)/(γ·L₀·√(d)))
           define a := exp(((2 − κ)/κ)·log(1/F₀))·γ²·L₁
           define K := (1 + 64·a)·M
           assume R ≤ K + 1
         holds
           exp(κ·log(48·γ·L₀·√(d·R·l)/(n·√(ρ)))) ≤ exp(κ·log(384·γ·L₀·√(d·(1 + a)·(1 + \
               M)·l)/(n·√(ρ))))",
    )
}

/// The proof of [`thm_1_rate`], or of a statement with a larger constant.
pub fn prove_thm_1_rate(statement: &Statement) -> Proof {
    let h = &statement.context;
    let few = given(h, 1)?;
    let squares = "(48·γ·L₀·√(d·R·l)/(n·√(ρ)))² ≤ (384·γ·L₀·√(d·(1 + a)·(1 + M)·l)/(n·√(ρ)))²";
    let squares = show(h, squares, &[("2304·γ²·L₀²·d·l/(n²·ρ)", &[&few])])?;
    powers(h, &statement.goal, &root_increases(&squares)?)
}

/// `kl-cor-1-const`, q being κ − 1.
pub fn cor_1_const() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           real q > 0
           assume q ≤ 1
           define κ := 1 + q
           define τ := κ/(κ − 1)
         holds
           exp(((−1)/(τ − 1))·log(τ)) = exp((1 − κ)·log(κ/(κ − 1))); 1/2 ≤ exp((1 − κ)·log(κ/(κ − \
               1))); τ/(τ − 1) = κ",
    )
}

/// The proof of [`cor_1_const`], or of a statement with a smaller constant: log(τ/2) ≤ τ/2 − 1, and log 2 ≥ 1/2.
pub fn prove_cor_1_const(statement: &Statement) -> Proof {
    let same = |h: &Context, goal: &_| settle(h, goal, &[]);
    each(
        statement,
        &[
            &same,
            &|h, goal| {
                let half = term(h, "(1 + 1/q)/2")?;
                let (below, [_, split]) = (log_tangent(h, &half)?, log_product(h, &num(2), &half)?);
                let two = log_above(h, &2.into(), &crate::arith::ratio(1, 2), 6)?;
                let order: &[(&str, &[&Theorem])] = &[
                    ("q", &[&below]),
                    ("q", &[&split]),
                    ("1", &[&given(h, 0)?, &two]),
                ];
                let order = show(h, "0 − log(2) ≤ (1 − κ)·log(τ)", order)?;
                let (grown, unit) = (exp_increases(&order)?, exp_of_opposite(h, &num(2).log())?);
                let named = exp_log(h, &num(2))?;
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&grown]),
                    ("1/2", &[&unit]),
                    ("exp(0 − log(2))/2", &[&named]),
                ];
                settle(h, goal, parts)
            },
            &same,
        ],
    )
}

/// `kl-thm-1-F0max`: both sides are at most each other.
pub fn thm_1_f0max() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           real κ > 0
           real γ > 0
           real L₀ > 0
           real L₁ > 0
           assume κ ≤ 2
           define F₀ := exp(κ·log(L₀·γ))
         holds
           exp(((2 − κ)/κ)·log(1/F₀))·γ²·L₁ ≤ exp(κ·log(γ))·L₁/exp((2 − κ)·log(L₀)); \
               exp(κ·log(γ))·L₁/exp((2 − κ)·log(L₀)) ≤ exp(((2 − κ)/κ)·log(1/F₀))·γ²·L₁",
    )
}

/// The proof of [`thm_1_f0max`]: log(1/F₀) is −κ·(log L₀ + log γ).
pub fn prove_thm_1_f0max(statement: &Statement) -> Proof {
    let h = &statement.context;
    let small = given(h, 0)?;
    let start = term(h, "κ·log(L₀·γ)")?;
    let unit = exp_of_opposite(h, &start)?;
    let power = "0 − κ·log(L₀·γ)";
    let most = show(h, &format!("1/F₀ ≤ exp({power})"), &[("1/F₀", &[&unit])])?;
    let most = log_at_most(&most)?;
    let least = show(h, &format!("exp({power}) ≤ 1/F₀"), &[("(−1)/F₀", &[&unit])])?;
    let least = log_at_least(&least)?;
    let [joined, split] = log_product(h, &var("L₀"), &var("γ"))?;
    let (a, b) = ("((2 − κ)/κ)·log(1/F₀)", "(κ − 2)·log(L₀) + (κ − 2)·log(γ)");
    let up = show(
        h,
        &format!("{a} ≤ {b}"),
        &[("1/κ", &[&small, &most]), ("1", &[&small, &joined])],
    )?;
    let down = show(
        h,
        &format!("{b} ≤ {a}"),
        &[("1/κ", &[&small, &least]), ("1", &[&small, &split])],
    )?;
    let (up, down) = (exp_increases(&up)?, exp_increases(&down)?);
    // exp(b) = L₀^{κ−2}·γ^{κ−2}, γ² = exp(2·log γ), and L₀^{κ−2}·L₀^{2−κ} = 1.
    let of = |t: &str| term(h, t);
    let parts = exp_sum(h, &of("(κ − 2)·log(L₀)")?, &of("(κ − 2)·log(γ)")?)?;
    let (log, named) = (of("log(γ)")?, exp_log(h, &var("γ"))?);
    let double = exp_sum(h, &log, &log)?;
    let raised = exp_sum(h, &of("2·log(γ)")?, &of("(κ − 2)·log(γ)")?)?;
    let whole = exp_of_opposite(h, &of("(2 − κ)·log(L₀)")?)?;
    // Both sides with exp(b) between them.
    let between = |sign: &str, opposite: &str, order: &Theorem, goal: &_| {
        let (low, high) = ("exp((κ − 2)·log(L₀))", "exp((κ − 2)·log(γ))");
        let texts = [
            format!("{sign}·L₁·γ²"),
            format!("{opposite}·L₁·(γ + exp(log(γ)))·{low}·{high}"),
            format!("{opposite}·L₁·{low}·{high}"),
            format!("{opposite}·L₁·{low}"),
            format!("{opposite}·L₁·exp(κ·log(γ))/exp((2 − κ)·log(L₀))"),
        ];
        let [first, second, third, fourth, fifth] = &texts;
        let written: &[(&str, &[&Theorem])] = &[
            ("γ²·L₁", &[order]),
            (first, &[&parts]),
            (second, &[&named]),
            (third, &[&double]),
            (fourth, &[&raised]),
            (fifth, &[&whole]),
        ];
        settle(h, goal, written)
    };
    each(
        statement,
        &[&|_, goal| between("1", "(−1)", &up, goal), &|_, goal| {
            between("(−1)", "1", &down, goal)
        }],
    )
}

/// `kl-thm-4-rate`: p is p_max, c is 2 − κ, and b and M are the paper's, 1/min{L₁, 1} being max{1/L₁, 1}; what n, d and ρ are not in is
/// constant. r and s are the powers of the two terms.
pub fn thm_4_rate() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           real κ > 0
           assume 1 ≤ κ
           real c > 0
           assume c = 2 − κ
           real γ > 0
           real L₀ > 0
           real L₁ > 0
           real ρ > 0
           real Λ > 0
           real p > 0
           assume p ≤ n·√(ρ)
           define b := L₀·√(Λ)/√(n·√(ρ))
           define M := exp((κ/2)·log(max(γ², 1)·b²·max(1/L₁, 1)))
           define r(k) := 2·k/(4 − k)
           define s(k) := k/2
         holds
           κ/2 ≤ κ/c; exp((2·κ/(2 + c))·log(γ·L₀·√(d·Λ·p)/(n·√(ρ)))) + M + \
               exp((κ/c)·log(p/(n·√(ρ)))) ≤ exp((2·κ/(2 + c))·log(γ·L₀·√(Λ·p)))·exp((2·κ/(2 + \
               c))·log(√(d)/(n·√(ρ)))) + (exp((κ/2)·log(max(γ², 1)·L₀²·Λ·max(1/L₁, 1))) + \
               exp((κ/2)·log(p)))·exp((κ/2)·log(1/(n·√(ρ)))); 2 + c = 4 − κ; r(2) = 2; s(2) = 1; \
               r(1) = 2/3; s(1) = 1/2",
    )
}

/// z^e ≤ x^e·y^e for e plainly ≥ 0 and z ≤ x·y, by these parts.
fn parted(h: &Context, e: &str, [z, x, y]: [&str; 3], less: &[(&str, &[&Theorem])]) -> Proof {
    let whole = log_increases(&show(h, &format!("{z} ≤ ({x})·({y})"), less)?)?;
    let [_, parts_of] = log_product(h, &term(h, x)?, &term(h, y)?)?;
    let [u, v] = [x, y].map(|t| format!("({e})·log({t})"));
    let parts: &[(&str, &[&Theorem])] = &[(e, &[&whole]), (e, &[&parts_of])];
    let grown = exp_increases(&show(h, &format!("({e})·log({z}) ≤ {u} + {v}"), parts)?)?;
    let split = exp_sum(h, &term(h, &u)?, &term(h, &v)?)?;
    let goal = format!("exp(({e})·log({z})) ≤ exp({u})·exp({v})");
    show(h, &goal, &[("1", &[&grown]), ("1", &[&split])])
}

/// The proof of [`thm_4_rate`], or of a statement with larger constants: p/(n√ρ) ≤ 1, so that its power κ/c is at most its power κ/2.
pub fn prove_thm_4_rate(statement: &Statement) -> Proof {
    let h = &statement.context;
    let named = given(h, 1)?;
    let more = show(h, "κ/2 ≤ κ/c", &[("κ²/(2·c)", &[]), ("κ/(2·c)", &[&named])])?;
    let share = "p/(n·√(ρ))";
    let (small, above) = (given(h, 2)?, log_tangent(h, &term(h, share)?)?);
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&above]), ("1/(n·√(ρ))", &[&small])];
    let low = show(h, &format!("log({share}) ≤ 0"), parts)?;
    let less = format!("(κ/c)·log({share}) ≤ (κ/2)·log({share})");
    let less = exp_increases(&show(h, &less, &[("1", &[&more, &low])])?)?;
    let constant = "max(γ², 1)·L₀²·Λ·max(1/L₁, 1)";
    let (one, first) = ("1/(n·√(ρ))", "2·κ/(2 + c)");
    let root = root_increases(&show(h, "d·Λ·p ≤ (√(d)·√(Λ·p))²", &[])?)?;
    let powers = [
        parted(
            h,
            first,
            ["γ·L₀·√(d·Λ·p)/(n·√(ρ))", "γ·L₀·√(Λ·p)", "√(d)/(n·√(ρ))"],
            &[("γ·L₀/(n·√(ρ))", &[&root])],
        )?,
        parted(h, "κ/2", ["max(γ², 1)·b²·max(1/L₁, 1)", constant, one], &[])?,
        parted(h, "κ/2", [share, "p", one], &[])?,
    ];
    let [a, b, c] = &powers;
    let same: &dyn Fn(&Context, &Goal) -> Proof = &|h, goal| settle(h, goal, &[]);
    each(
        statement,
        &[
            &|_, goal| settle(h, goal, &[("1", &[&more])]),
            &|_, goal| {
                settle(
                    h,
                    goal,
                    &[("1", &[a]), ("1", &[b]), ("1", &[c]), ("1", &[&less])],
                )
            },
            &|_, goal| settle(h, goal, &[("1", &[&named])]),
            same,
            same,
            same,
            same,
        ],
    )
}
