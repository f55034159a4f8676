//! The schedule: what its numbers are to each other, and how rarely its noise is large.

use super::super::decays::{Decay, TARGET};
use super::super::lower::products;
use super::super::reach::steps;
use super::{Proof, told};
use crate::moved::written::{goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, assume, chain, counted, discharge, exp_log, exp_sum, expected, instance, larger,
    largest, root_increases, tangent, union,
};
use dp_assay_kernel::search::exp::{
    exp_increases, exp_of_opposite, log_above, log_at_least, log_increases, log_not_negative,
    log_product,
};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Item};
use dp_assay_kernel::term::{Op, num, op, var};

/// The phases Φ̂.
pub(super) const PHASES: Decay = Decay {
    factor: "c",
    share: "exp(((2 − κ)/κ)·log(F₀))/(64·γ²·L₁)",
};
/// θ as it is supposed.
pub(super) const RADIUS: &str = "48·γ·L₀·√(K·d·λ)/(n·√(ρ))";
/// λ as it is supposed.
pub(super) const NAMED: &str = "λ = log(K/β) + (2 − κ)·((1/κ)·log(F₀) − log(γ·L₀·√(K·d)/(n·√(ρ))))";
/// How many rounds there are.
pub(super) const ROUNDS: &str =
    "(1 + 64·exp(((κ − 2)/κ)·log(F₀))·γ²·L₁)·(log(F₀) + κ·log(n·√(ρ)/(γ·L₀·√(d)))) ≤ K";
/// The variance of a gradient and of a difference.
pub(super) const FIRST: &str = "(9/4)·L₀²·K/(n²·ρ)";
pub(super) const SECOND: &str = "(9/4)·φ(k)²·T(k)·K/(γ²·n²·ρ)";
/// A probability that is small enough.
const RARE: &str = "exp(0 − (4/3)·λ)";

/// log Φ ≤ log F₀ and κ·log θ ≤ log Φ, for index k.
fn between(h: &Context) -> Result<[Theorem; 2], Stuck> {
    let most = largest(
        &PHASES.shrunk(h, "k + 1")?,
        &told(h, &format!("{TARGET} ≤ F₀"))?,
    )?;
    let [first, last] = [&PHASES.left("k + 1"), TARGET].map(|x| term(h, x));
    let least = larger(h, &first?, &last?, true)?;
    Ok([log_increases(&most)?, log_at_least(&least)?])
}

/// 1 ≤ T.
pub(super) fn long(h: &Context) -> Proof {
    let [most, _] = between(h)?;
    let above = tangent(h, &term(h, "((2 − κ)/κ)·(log(F₀) − log(Φ(k)))")?)?;
    let few = told(h, "κ ≤ 2")?;
    show(h, "1 ≤ T(k)", &[("1", &[&above]), ("1/κ", &[&few, &most])])
}

/// θ ≤ φ.
pub(super) fn above(h: &Context) -> Proof {
    let [_, least] = between(h)?;
    let order = show(h, "log(θ) ≤ (1/κ)·log(Φ(k))", &[("1/κ", &[&least])])?;
    let (grown, named) = (exp_increases(&order)?, exp_log(h, &var("θ"))?);
    show(h, "θ ≤ φ(k)", &[("1", &[&grown]), ("(−1)", &[&named])])
}

/// φ^κ ≤ Φ.
pub(super) fn power(h: &Context) -> Proof {
    let [_, own] = super::super::lower::log_exp(h, "(1/κ)·log(Φ(k))")?;
    let order = show(h, "κ·log(φ(k)) ≤ log(Φ(k))", &[("κ", &[&own])])?;
    let (grown, named) = (exp_increases(&order)?, exp_log(h, &term(h, "Φ(k)")?)?);
    show(
        h,
        "exp(κ·log(φ(k))) ≤ Φ(k)",
        &[("1", &[&grown]), ("1", &[&named])],
    )
}

/// Φ before the round is at most Φ + T·φ²/(64γ²L₁), as it is at most c·Φ.
pub(super) fn next(h: &Context) -> Proof {
    let step = PHASES.step(h, "k")?;
    let [first, last] = [&PHASES.left("k + 1"), TARGET].map(|x| term(h, x));
    let (first, last) = (first?, last?);
    let [one, other] = [false, true].map(|second| larger(h, &first, &last, second));
    let (one, other) = (one?, other?);
    let first = show(
        h,
        &format!("{} ≤ c·Φ(k)", PHASES.left("k")),
        &[("1", &[&step]), ("c", &[&one])],
    )?;
    let share = format!("({})·Φ(k)", PHASES.share);
    let second = show(
        h,
        &format!("{TARGET} ≤ c·Φ(k)"),
        &[("1", &[&other]), (&share, &[])],
    )?;
    let grown = largest(&first, &second)?;
    // T·Φ^{2/κ} = F₀^{(2−κ)/κ}·Φ.
    let [a, b] = ["((2 − κ)/κ)·(log(F₀) − log(Φ(k)))", "(2/κ)·log(Φ(k))"];
    let [c, e] = ["((2 − κ)/κ)·log(F₀)", "log(Φ(k))"];
    let order = show(h, &format!("{c} + {e} ≤ {a} + {b}"), &[])?;
    let powers = products(h, [c, e, a, b], &order)?;
    let named = exp_log(h, &term(h, "Φ(k)")?)?;
    let half = term(h, "(1/κ)·log(Φ(k))")?;
    let square = exp_sum(h, &half, &half)?;
    let scale = "1/(64·γ²·L₁)";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&grown]),
        (scale, &[&powers]),
        (&format!("(−1)·{scale}·exp({c})"), &[&named]),
        (&format!("{scale}·T(k)"), &[&square]),
    ];
    let goal = format!("{} ≤ Φ(k) + T(k)·(φ(k)²/(64·γ²·L₁))", PHASES.phase("k"));
    show(h, &goal, parts)
}

/// Φ̂ behind the last round is at most θ^κ.
pub(super) fn reached(h: &Context) -> Proof {
    let (long, named) = (told(h, ROUNDS)?, told(h, &format!("θ = {RADIUS}"))?);
    let wide = show(h, "γ·L₀·√(K·d·λ)/(n·√(ρ)) ≤ θ", &[("(−1)", &[&named])])?;
    PHASES.reached(h, &long, &wide, ("λ", &large(h)?))
}

/// 3·log 3 ≤ l: l is at least log(1/β) + κ·log √K.
fn third(h: &Context) -> Proof {
    let (small, named) = (told(h, "β ≤ 1/27")?, told(h, NAMED)?);
    let low = "γ·L₀·√(d)/(n·√(ρ))";
    let start = told(h, &format!("exp(κ·log({low})) ≤ F₀"))?;
    let start = log_at_least(&start)?;
    let root = term(h, "√(K)")?;
    let [_, spread] = log_product(h, &term(h, low)?, &root)?;
    let whole = show(h, "K·d ≤ (√(K)·√(d))²", &[])?;
    let apart = "γ·L₀·√(K·d)/(n·√(ρ)) ≤ γ·L₀·√(d)/(n·√(ρ))·√(K)";
    let parts: &[(&str, &[&Theorem])] = &[("γ·L₀/(n·√(ρ))", &[&root_increases(&whole)?])];
    let apart = log_increases(&show(h, apart, parts)?)?;
    let [twice, _] = log_product(h, &root, &root)?;
    let [whole, _] = log_product(h, &var("K"), &term(h, "1/β")?)?;
    let most = log_increases(&show(h, "27 ≤ 1/β", &[("27/β", &[&small])])?)?;
    let one = root_increases(&show(h, "1 ≤ K", &[("1", &[&counted(h, &var("K"))?])])?)?;
    let one = log_not_negative(&show(h, "1 ≤ √(K)", &[("1", &[&one])])?)?;
    let [nine, _] = log_product(h, &num(3), &num(3))?;
    let [cube, _] = log_product(h, &num(9), &num(3))?;
    let few = told(h, "κ ≤ 2")?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("(−1)", &[&named]),
        ("1/κ", &[&few, &start]),
        ("1", &[&few, &spread]),
        ("1", &[&few, &apart]),
        ("1", &[&whole]),
        ("1", &[&twice]),
        ("1", &[&most]),
        ("1", &[&nine]),
        ("1", &[&cube]),
        ("κ", &[&one]),
    ];
    show(h, "3·log(3) ≤ λ", parts)
}

/// 1 ≤ l.
fn large(h: &Context) -> Proof {
    let low = log_above(h, &2.into(), &rug::Rational::from((2, 3)), 4)?;
    let more = log_increases(&show(h, "2 ≤ 3", &[])?)?;
    let third = third(h)?;
    show(
        h,
        "1 ≤ λ",
        &[("3", &[&low]), ("3", &[&more]), ("1", &[&third])],
    )
}

/// (T + 2)·exp(−(4/3)·l) ≤ β/K.
pub(super) fn rare(h: &Context) -> Proof {
    let named = told(h, NAMED)?;
    let [_, least] = between(h)?;
    let one = large(h)?;
    let root = root_increases(&show(h, "K·d ≤ K·d·λ", &[("K·d", &[&one])])?)?;
    let radius = told(h, &format!("θ = {RADIUS}"))?;
    let parts: &[(&str, &[&Theorem])] = &[("48·γ·L₀/(n·√(ρ))", &[&root]), ("(−1)", &[&radius])];
    let spread = show(h, "γ·L₀·√(K·d)/(n·√(ρ)) ≤ θ", parts)?;
    let (spread, few) = (log_increases(&spread)?, told(h, "κ ≤ 2")?);
    let order = "((2 − κ)/κ)·(log(F₀) − log(Φ(k))) ≤ λ + (0 − log(K/β))";
    let parts: &[(&str, &[&Theorem])] = &[
        ("(−1)", &[&named]),
        ("1/κ", &[&few, &least]),
        ("1", &[&few, &spread]),
    ];
    let grown = exp_increases(&show(h, order, parts)?)?;
    let log = term(h, "log(K/β)")?;
    let split = exp_sum(h, &var("λ"), &(num(0) - log.clone()))?;
    let (unit, whole) = (exp_of_opposite(h, &log)?, exp_log(h, &term(h, "K/β")?)?);
    let back = "exp(0 − log(K/β))";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&grown]),
        ("1", &[&split]),
        (&format!("(−1)·exp(λ)·(β/K)·{back}"), &[&whole]),
        ("(−1)·exp(λ)·(β/K)", &[&unit]),
    ];
    let few = show(h, "T(k) ≤ exp(λ)·β/K", parts)?;
    let [a, b] = ["0 − λ", "0 − (1/3)·λ"];
    let both = exp_sum(h, &term(h, a)?, &term(h, b)?)?;
    let first = exp_of_opposite(h, &var("λ"))?;
    let second = exp_of_opposite(h, &term(h, "(1/3)·λ")?)?;
    let third = exp_increases(&show(h, "log(3) ≤ (1/3)·λ", &[("1/3", &[&third(h)?])])?)?;
    let three = exp_log(h, &num(3))?;
    let small = format!("exp({b}) ≤ 1/3");
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("exp({b})/3"), &[&third]),
        (&format!("(−1)·exp({b})/3"), &[&three]),
        ("(−1)/3", &[&second]),
    ];
    let small = show(h, &small, parts)?;
    let steps = show(h, "T(k) + 2 ≤ 3·T(k)", &[("2", &[&long(h)?])])?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("T(k) + 2", &[&both]),
        (&format!("exp({a})·exp({b})"), &[&steps]),
        (&format!("3·exp({a})·exp({b})"), &[&few]),
        (&format!("(−3)·exp({b})·(β/K)"), &[&first]),
        ("3·β/K", &[&small]),
    ];
    show(h, &format!("(T(k) + 2)·{RARE} ≤ β/K"), parts)
}

/// T·φ ≤ γL₀.
fn pace(h: &Context) -> Proof {
    let [most, _] = between(h)?;
    let (first, start) = (told(h, "1 ≤ κ")?, told(h, "F₀ ≤ exp(κ·log(γ·L₀))")?);
    let [a, b] = ["((2 − κ)/κ)·(log(F₀) − log(Φ(k)))", "(1/κ)·log(Φ(k))"];
    let [_, high] = super::super::lower::log_exp(h, "κ·log(γ·L₀)")?;
    let start = log_increases(&start)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/κ", &[&first, &most]),
        ("1/κ", &[&start]),
        ("1/κ", &[&high]),
    ];
    let order = show(h, &format!("{a} + {b} ≤ log(γ·L₀)"), parts)?;
    let (grown, split) = (
        exp_increases(&order)?,
        exp_sum(h, &term(h, a)?, &term(h, b)?)?,
    );
    let named = exp_log(h, &term(h, "γ·L₀")?)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&grown]), ("(−1)", &[&split]), ("1", &[&named])];
    show(h, "T(k)·φ(k) ≤ γ·L₀", parts)
}

/// The variance behind q + 1 ≤ T + 1 differences is at most three times that of a gradient.
pub(super) fn variance(h: &Context, early: &Theorem) -> Proof {
    let (pace, long) = (pace(h)?, long(h)?);
    let scale = "(9/2)·K/(γ²·n²·ρ)·(T(k)·φ(k) + γ·L₀)";
    let parts: &[(&str, &[&Theorem])] =
        &[(SECOND, &[early]), (SECOND, &[&long]), (scale, &[&pace])];
    let goal = format!("{FIRST} + (q + 1)·({SECOND}) ≤ (27/4)·L₀²·K/(n²·ρ)");
    show(h, &goal, parts)
}

/// P(‖x‖ > θ/(8γ)) ≤ exp(−(4/3)·l) for noise of a variance that is at most so much, by [`super::super::noises::tails`].
pub(super) fn tail(h: &Context, tails: &Theorem, variance: &str, small: &Theorem) -> Proof {
    let deviation = format!("√({variance})");
    let all = instance(h, tails, &term(h, &deviation)?)?;
    let all = instance(h, &all, &term(h, "(4/3)·λ")?)?;
    let Goal::If(given, _) = &all.statement().goal else {
        return Err(Stuck::new("nothing is supposed"));
    };
    let calm = chain(h, &all, &settle(h, given, &[("4/3", &[&large(h)?])])?)?;
    let most = format!("2·{deviation}·√(d·((4/3)·λ))");
    let named = told(h, &format!("θ = {RADIUS}"))?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("(16/3)·d·λ", &[small]),
        (&format!("(−1)·(θ + {RADIUS})/(64·γ²)"), &[&named]),
    ];
    let root = root_increases(&show(h, &format!("({most})² ≤ (θ/(8·γ))²"), parts)?)?;
    let x = h.extended(item("x", super::space()))?;
    let near = goal(&x, &format!("‖x‖ ≤ {most}"))?;
    let here = x.extended(Item::Assume(near))?;
    let near = assume(&here, here.items().len() - 1)?;
    let parts: &[(&str, &[&Theorem])] = &[("‖x‖ + θ/(8·γ)", &[&near]), ("‖x‖ + θ/(8·γ)", &[&root])];
    let found = show(&here, "Σ_{j<d} x_j² ≤ (θ/(8·γ))²", parts)?;
    let law = op(Op::Normal, [var("d"), term(h, variance)?]);
    let missed = expected(&union(&discharge(&found)?)?, &law)?;
    let goal =
        format!("𝔼_{{x∼N_{{d}}(0, {variance})}}[1 − 𝟙(Σ_{{j<d}} x_j² ≤ (θ/(8·γ))²)] ≤ {RARE}");
    show(h, &goal, &[("1", &[&missed]), ("1", &[&calm])])
}

/// Σ_q 𝟙(q + 1 ≤ T + 1) ≤ T + 1.
pub(super) fn passes(h: &Context) -> Proof {
    let all = steps(h, "J", "(T(k) + 1)")?;
    let none = show(h, "0 − (T(k) + 1) ≤ 0", &[])?;
    let none = largest(&none, &show(h, "0 ≤ 0", &[])?)?;
    let goal = "Σ_{q<J} 𝟙(q + 1 ≤ T(k) + 1) ≤ T(k) + 1";
    show(h, goal, &[("1", &[&all]), ("1", &[&none])])
}
