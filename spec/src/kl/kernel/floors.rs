//! Algorithm 3: what its floor, its charges and its phases come to. A power x^a is exp(a·log x).

use super::horizon::times_log;
use super::lower::{log_exp, products};
use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, counted, exp_log, exp_sum, instance, inverse, larger, largest, root_increases,
    sum_over, telescope,
};
use dp_assay_kernel::search::exp::{
    exp_increases, log_at_least, log_increases, log_not_negative, log_product, power,
};
use dp_assay_kernel::search::item;
use dp_assay_kernel::search::size::above_modulus;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, var};

/// `kl-lem-10-floor-repaired`: the charge of a round with the noisy norm ν is min{(L₀√(dΛ)/(nν))², ρ/2} + √ρ/n. Of m rounds two, i
/// and k, are at the floor: then the charges are above ρ/2, so that no other round starts.
pub fn floor() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           integer m ≥ 1
           real ρ > 0
           real L₀ > 0
           real Λ > 0
           vector ν ∈ ℝ^m, all > 0
           define σ(t<m) := max(ν_t/√(d·Λ), 2·L₀/(n·√(ρ)))
           define x(t<m) := L₀²·d·Λ/(n²·ν_t²)
           define charge(t<m) := (x(t) + ρ/2 − max(x(t), ρ/2)) + √(ρ)/n
           index i<m
           index k<m
           assume σ(i) = 2·L₀/(n·√(ρ))
           assume σ(k) = 2·L₀/(n·√(ρ))
         holds
           ρ/4 + √(ρ)/n ≤ charge(i); if 𝟙[i=k] = 0: ρ/2 + 2·√(ρ)/n ≤ Σ_{t<m} charge(t)",
    )
}

/// ρ/4 + √ρ/n ≤ charge(i) for a round at the floor, by hypothesis number `given`.
fn charged(h: &Context, i: &str, at: &Theorem) -> Proof {
    let first = larger(
        h,
        &term(h, &format!("ν_{i}/√(d·Λ)"))?,
        &term(h, "2·L₀/(n·√(ρ))")?,
        false,
    )?;
    let small = format!("ν_{i} ≤ 2·L₀·√(d·Λ)/(n·√(ρ))");
    let small = show(h, &small, &[("√(d·Λ)", &[&first]), ("√(d·Λ)", &[at])])?;
    let square = format!("ρ/4 ≤ x({i})");
    let factor = format!("(ν_{i} + 2·L₀·√(d·Λ)/(n·√(ρ)))·ρ/(4·ν_{i}²)");
    let square = show(h, &square, &[(&factor, &[&small])])?;
    let own = show(h, &format!("x({i}) ≤ x({i}) + ρ/4"), &[])?;
    let half = show(h, &format!("ρ/2 ≤ x({i}) + ρ/4"), &[("1", &[&square])])?;
    let cap = largest(&own, &half)?;
    show(h, &format!("ρ/4 + √(ρ)/n ≤ charge({i})"), &[("1", &[&cap])])
}

/// The proof of [`floor`], or of a statement with other constants.
pub fn prove_floor(statement: &Statement) -> Proof {
    let h = &statement.context;
    let first = charged(h, "i", &given(h, 0)?)?;
    let second = charged(h, "k", &given(h, 1)?)?;
    let t = &h.extended(item("t", Sort::Index(var("m"))))?;
    let own = show(t, "x(t) ≤ x(t) + ρ/2", &[])?;
    let least = largest(&own, &show(t, "ρ/2 ≤ x(t) + ρ/2", &[])?)?;
    let others = "0 ≤ charge(t)·(1 − 𝟙[t=i])²·(1 − 𝟙[t=k])²";
    let others = show(
        t,
        others,
        &[
            ("(1 − 𝟙[t=i])²·(1 − 𝟙[t=k])²", &[&least]),
            ("√(ρ)/n·(1 − 𝟙[t=i])²·(1 − 𝟙[t=k])²", &[]),
        ],
    )?;
    let others = sum_over(&others)?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&first])]),
            &|h, goal| {
                let apart = given(h, 2)?;
                settle(
                    h,
                    goal,
                    &[
                        ("1", &[&others]),
                        ("1", &[&first]),
                        ("1", &[&second]),
                        ("charge(i)", &[&apart]),
                    ],
                )
            },
        ],
    )
}

/// `kl-lem-11-repaired`, on the event |N_t − G| ≤ √2·b of `kl-lem-10-repaired`; N is N_t, G = |∇F(w_t)| and E = F(w_t) − F⋆ > 0.
pub fn excess_at_floor() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           real ρ > 0
           real L₀ > 0
           real Λ > 0
           real γ > 0
           real b > 0
           real κ > 0
           assume κ ≤ 2
           real Nₜ
           real G ≥ 0
           real E > 0
           define σ := max(Nₜ/√(d·Λ), 2·L₀/(n·√(ρ)))
           assume |Nₜ − G| ≤ √(2)·b
           assume exp((1/κ)·log(E)) ≤ γ·G
           assume σ = 2·L₀/(n·√(ρ))
         holds
           E ≤ 8·exp(κ·log(γ·L₀·√(d·Λ)/(n·√(ρ)))) + 4·exp(κ·log(γ·b))",
    )
}

/// x²·y^κ ≤ y²·x^κ from log x ≤ log y, as κ ≤ 2.
fn power_of_part(h: &Context, [x, y]: [&str; 2], logs: &Theorem) -> Proof {
    let few = given(h, 0)?;
    let exponents = [x, y].map(|t| [format!("2·log({t})"), format!("κ·log({t})")]);
    let [[a, e], [c, b]] = exponents
        .each_ref()
        .map(|pair| pair.each_ref().map(String::as_str));
    let order = show(
        h,
        &format!("{a} + {b} ≤ {c} + {e}"),
        &[("1", &[&few, logs])],
    )?;
    let powers = products(h, [a, b, c, e], &order)?;
    let square = |t: &str| -> Proof {
        let twice = exp_sum(h, &term(h, t)?.log(), &term(h, t)?.log())?;
        let named = exp_log(h, &term(h, t)?)?;
        let parts: &[(&str, &[&Theorem])] = &[
            ("1", &[&twice]),
            (&format!("exp(log({t})) + {t}"), &[&named]),
        ];
        show(h, &format!("exp(2·log({t})) = ({t})²"), parts)
    };
    let goal = format!("({x})²·exp({b}) ≤ ({y})²·exp({e})");
    let (low, high) = (square(x)?, square(y)?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&powers]),
        (&format!("(−1)·exp({b})"), &[&low]),
        (&format!("exp({e})"), &[&high]),
    ];
    show(h, &goal, parts)
}

/// The proof of [`excess_at_floor`], or of a statement with larger constants: with A the first radius, G ≤ S = 2A + √2·b, and
/// (2A + √2·b)² ≤ 8A² + 4b².
pub fn prove_excess_at_floor(statement: &Statement) -> Proof {
    let h = &statement.context;
    let a = "L₀·√(d·Λ)/(n·√(ρ))";
    let s = format!("(2·{a} + √(2)·b)");
    let first = larger(h, &term(h, "Nₜ/√(d·Λ)")?, &term(h, "2·L₀/(n·√(ρ))")?, false)?;
    let (event, valley, at) = (given(h, 1)?, given(h, 2)?, given(h, 3)?);
    let gap = above_modulus(h, &term(h, "Nₜ − G")?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&valley]),
        ("γ", &[&gap]),
        ("γ", &[&event]),
        ("γ·√(d·Λ)", &[&first]),
        ("γ·√(d·Λ)", &[&at]),
    ];
    let root = show(h, &format!("exp((1/κ)·log(E)) ≤ γ·{s}"), parts)?;
    let size = log_at_least(&root)?;
    let size = show(h, &format!("log(E) ≤ κ·log(γ·{s})"), &[("κ", &[&size])])?;
    let (grown, named) = (exp_increases(&size)?, exp_log(h, &var("E"))?);
    let whole = inverse(h, &term(h, &s)?)?;
    let (y, p) = (format!("γ·{s}"), format!("exp(κ·log(γ·{s}))"));
    let (x, z) = (format!("γ·{a}"), "γ·b");
    let (px, pz) = (format!("exp(κ·log({x}))"), "exp(κ·log(γ·b))");
    let below = |t: &str, rest: &str| -> Proof {
        let small = show(h, &format!("{t} ≤ {y}"), &[(rest, &[])])?;
        power_of_part(h, [t, &y], &log_increases(&small)?)
    };
    let first = below(&x, &format!("γ·({a} + √(2)·b)"))?;
    let root = root_increases(&show(h, "1² ≤ 2", &[])?)?;
    let second = {
        let small = show(h, &format!("{z} ≤ {y}"), &[("γ·b", &[&root])])?;
        power_of_part(h, [z, &y], &log_increases(&small)?)?
    };
    let twice = format!("1 + {s}·(1/{s})");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&grown]),
        ("(−1)", &[&named]),
        (&format!("8·(1/{s})²/γ²"), &[&first]),
        (&format!("4·(1/{s})²/γ²"), &[&second]),
        (&format!("(8·{px} + 4·{pz} − {p})·({twice})"), &[&whole]),
        (&format!("{p}·(1/{s})²·(2·{a} − √(2)·b)²"), &[]),
    ];
    settle(h, &statement.goal, parts)
}

/// `kl-thm-4-phases-repaired`: φ_p is the logarithm of Φ where phase p begins, and P a number of phases; s is 4 − κ.
pub fn phases() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer P ≥ 1
           real ρ > 0
           real L₀ > 0
           real L₁ > 0
           real γ > 0
           real F₀ > 0
           real κ > 0
           real s > 0
           assume s = 4 − κ
           real B > 0
           assume B = log(F₀) + (2·κ/s)·log(n·√(ρ)/(γ·L₀))
           define c := 1 + 1/(8·γ²·L₁)
           define pₘ := (1 + 8·γ²·L₁)·B
           index o<1
           sequence φ in ℝ^1
           assume exp(φ[0][o]) ≤ F₀
           assume for every index p<P: exp(φ[p + 1][o]) ≤ exp(φ_p[o])/c
         holds
           exp(φ_P[o])·c^P ≤ F₀; if pₘ ≤ P: exp(φ_P[o]) ≤ exp((2·κ/s)·log(γ·L₀/(n·√(ρ))))",
    )
}

/// The proof of [`phases`], or of a statement with larger constants.
pub fn prove_phases(statement: &Statement) -> Proof {
    let h = &statement.context;
    let c = term(h, "c")?;
    let t = &h.extended(item("t", Sort::Index(var("P"))))?;
    let fall = log_at_least(&instance(t, &given(h, 3)?, &var("t"))?)?;
    let [_, split] = log_product(t, &term(t, "exp(φ_t[o])/c")?, &c)?;
    let unit = inverse(t, &c)?;
    let whole = show(
        t,
        "exp(φ_t[o])/c·c ≤ exp(φ_t[o])",
        &[("exp(φ_t[o])", &[&unit])],
    )?;
    let logs = log_increases(&whole)?;
    let [_, own] = log_exp(t, "φ_t[o]")?;
    let [join, _] = log_product(t, &term(t, "exp(φ_t[o])/c")?, &c)?;
    let _ = &split;
    let step = "φ[t + 1][o] − φ_t[o] ≤ (−1)·log(c)";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&fall]),
        ("1", &[&join]),
        ("1", &[&logs]),
        ("1", &[&own]),
    ];
    let steps = sum_over(&show(t, step, parts)?)?;
    let all = telescope(h, "t", &var("P"), &term(t, "φ_t[o]")?)?;
    let start = log_at_least(&given(h, 2)?)?;
    let sum = "φ_P[o] + P·log(c) ≤ log(F₀)";
    let sum = show(
        h,
        sum,
        &[("(−1)", &[&all]), ("1", &[&steps]), ("1", &[&start])],
    )?;
    let split = exp_sum(h, &term(h, "φ_P[o]")?, &term(h, "P·log(c)")?)?;
    let (grown, named) = (exp_increases(&sum)?, exp_log(h, &var("F₀"))?);
    let power = power(h, &c, &var("P"))?;
    let rate = times_log(h, &term(h, "1/(8·γ²·L₁)")?)?;
    each(
        statement,
        &[
            &|h, goal| {
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&grown]),
                    ("(−1)", &[&split]),
                    ("1", &[&named]),
                    ("exp(φ_P[o])", &[&power]),
                ];
                settle(h, goal, parts)
            },
            &|h, goal| {
                let (long, bracket) = (given(h, 4)?, given(h, 1)?);
                let [x, y] = ["n·√(ρ)/(γ·L₀)", "γ·L₀/(n·√(ρ))"];
                let [_, product] = log_product(h, &term(h, x)?, &term(h, y)?)?;
                let unit = log_not_negative(&show(h, &format!("1 ≤ ({x})·({y})"), &[])?)?;
                let order = format!("φ_P[o] ≤ (2·κ/s)·log({y})");
                let steep = log_not_negative(&show(h, "1 ≤ c", &[])?)?;
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&sum]),
                    ("1", &[&long, &steep]),
                    ("B", &[&rate]),
                    ("(−1)", &[&bracket]),
                    ("2·κ/s", &[&product]),
                    ("2·κ/s", &[&unit]),
                ];
                let grown = exp_increases(&show(h, &order, parts)?)?;
                settle(h, goal, &[("1", &[&grown])])
            },
        ],
    )
}

/// `kl-thm-5-best-restricted`: ν_t is the noisy norm of round t of R, of which z is the last; the charges before it are within the
/// test, those of all are not. Of a and b, a + b − max(a, b) is the smaller.
pub fn best() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           integer R ≥ 1
           real ρ > 0
           real L₀ > 0
           real Λ > 0
           real g > 0
           real g′ > 0
           vector ν ∈ ℝ^R, all > 0
           define charge(t<R) := L₀²·d·Λ/(n²·ν_t²) + √(ρ)/n
           index z<R
           assume for every index t<R: g ≤ ν_t
           assume for every index t<R: ν_t ≤ g′
           assume (Σ_{t<R} charge(t)) − charge(z) ≤ ρ/2
           assume ρ/2 ≤ Σ_{t<R} charge(t)
           define y := n·√(ρ)
           define a := n²·ρ·g²/(L₀²·d·Λ)
           define a′ := n²·ρ·g′²/(L₀²·d·Λ)
         holds
           (1/4)·(y + a − max(y, a)) ≤ R; R ≤ 1 + (1/2)·(y + a′ − max(y, a′)); √(1/R) ≤ \
               2·(1/(√(n)·√(√(ρ))) + L₀·√(d·Λ)/(g·n·√(ρ)))",
    )
}

/// The proof of [`best`], or of a statement with other constants: (R − 1)·(1/y + 1/a′) ≤ 1/2 ≤ R·(1/y + 1/a).
pub fn prove_best(statement: &Statement) -> Proof {
    let h = &statement.context;
    let k = &h.extended(item("k", Sort::Index(var("R"))))?;
    let [least, most] = [0, 1].map(|n| instance(k, &given(h, n)?, &var("k")));
    let (least, most) = (least?, most?);
    let high = "L₀²·d·Λ/(n²·ν_k²) ≤ L₀²·d·Λ/(n²·g²)";
    let high = show(k, high, &[("L₀²·d·Λ·(ν_k + g)/(n²·ν_k²·g²)", &[&least])])?;
    let high = sum_over(&high)?;
    let low = "L₀²·d·Λ/(n²·g′²)·(1 − 𝟙[k=z])² ≤ L₀²·d·Λ/(n²·ν_k²)·(1 − 𝟙[k=z])²";
    let factor = "L₀²·d·Λ·(ν_k + g′)/(n²·ν_k²·g′²)·(1 − 𝟙[k=z])²";
    let low = sum_over(&show(k, low, &[(factor, &[&most])])?)?;
    let (within, above) = (given(h, 2)?, given(h, 3)?);
    let many = "1/2 ≤ R·(1/y + 1/a)";
    let many = show(h, many, &[("1/ρ", &[&above]), ("1/ρ", &[&high])])?;
    let few = "(R − 1)·(1/y + 1/a′) ≤ 1/2";
    let few = show(h, few, &[("1/ρ", &[&within]), ("1/ρ", &[&low])])?;
    let one = counted(h, &var("R"))?;
    each(
        statement,
        &[
            &|h, goal| {
                let [y, a] = [term(h, "y")?, term(h, "a")?];
                let (first, second) = (larger(h, &y, &a, false)?, larger(h, &y, &a, true)?);
                let unit = inverse(h, &term(h, "1/y + 1/a")?)?;
                let share = "1/(1/y + 1/a)";
                let parts: &[(&str, &[&Theorem])] = &[
                    (share, &[&many]),
                    (&format!("{share}/(4·y)"), &[&second]),
                    (&format!("{share}/(4·a)"), &[&first]),
                    ("R − (1/4)·(y + a − max(y, a))", &[&unit]),
                ];
                settle(h, goal, parts)
            },
            &|h, goal| {
                let side = |other: &str, this: &str| {
                    let text = format!("{this} ≤ (y + a′) − 2·(R − 1)");
                    show(
                        h,
                        &text,
                        &[
                            (&format!("2·{other}"), &[&few]),
                            (&format!("2·{other}/{this}"), &[&one]),
                        ],
                    )
                };
                let both = largest(&side("a′", "y")?, &side("y", "a′")?)?;
                settle(h, goal, &[("1/2", &[&both])])
            },
            &|_, goal| {
                let Goal::Le(Term::Op(Op::Sqrt, under), right) = goal else {
                    return Err(Stuck::new("no root"));
                };
                let squares = Goal::Le(under[0].clone(), right.pow(2));
                root_increases(&settle(h, &squares, &[("2/R", &[&many])])?)
            },
        ],
    )
}
