//! Algorithm 2: a call of a subroutine brings the excess from one phase to the next.
//!
//! With v = w_{t−1}, p the minimiser of F + L̃₁|· − v|² and D = ‖p − v‖: F(v) falls by (3/2)·L̃₁D² on the way to p, as the regularised
//! function is strongly convex, and 2L̃₁(v − p) is a subgradient of F at p. L₁ is L̃₁.

use super::lower::log_exp;
use super::regularised::prove_strong;
use crate::moved::written::{Proof, given, goal, inside, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, assume, chain, discharge, exp_log, exp_sum, induction, instance, inverse, larger,
    largest,
};
use dp_assay_kernel::search::cases::{beyond, split};
use dp_assay_kernel::search::exp::{
    exp_increases, log_above, log_at_least, log_increases, log_product,
};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::var;
use rug::Rational;

/// `kl-thm-2-phase-repaired`: w_t is the output of call t and u_t the minimiser of its problem, φ_t is Φ̂_t. KL* is supposed at the u_t,
/// for every subgradient of F there.
pub fn phases() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer T ≥ 1
           real L₁ > 0
           real γ > 0
           real κ > 0
           real θ > 0
           real a > 0
           real F₀ > 0
           real F⋆
           real τ
           map F of ℝ^d into ℝ^1
           index o<1
           sequence w in ℝ^d
           sequence u in ℝ^d
           sequence φ in ℝ^1
           define f(x∈ℝ^d, v∈ℝ^d) := F(x)[o] + L₁·(Σ_{j<d} (x_j − v_j)²)
           define c := 1 + exp(((2 − κ)/κ)·log(F₀))/(32·γ²·L₁)
           assume 2 ≤ κ
           assume 48 ≤ a
           assume 1/4 ≤ γ²·L₁·exp((κ − 2)·log(θ))
           assume exp(κ·log(θ)) ≤ F₀
           assume τ ≤ θ²/(a·γ²·L₁)
           assume for every vector x ∈ ℝ^d: for every vector y ∈ ℝ^d: for every real s > 0: F(⟨x_j \
               + (y_j − x_j)/(1 + s) : j<d⟩)[o] ≤ (s·F(x)[o] + F(y)[o])/(1 + s) + (L₁/2)·(s/(1 + \
               s))·(1/(1 + s))·(Σ_{j<d} (x_j − y_j)²)
           assume for every index t<T: for every vector y ∈ ℝ^d: f(u[t + 1], w_t) ≤ f(y, w_t)
           assume for every index t<T: f(w[t + 1], w_t) ≤ f(u[t + 1], w_t) + τ
           assume for every index t<T: for every vector g ∈ ℝ^d: if for every vector y ∈ ℝ^d: \
               F(u[t + 1])[o] + (Σ_{j<d} g_j·(y_j − u[t + 1][j])) ≤ F(y)[o] + (L₁/2)·(Σ_{j<d} (y_j \
               − u[t + 1][j])²): for every real s > 0: if γ·‖g‖ ≤ s: F(u[t + 1])[o] − F⋆ ≤ \
               exp(κ·log(s))
           assume F(w[0])[o] − F⋆ ≤ F₀
           assume φ[0][o] = F₀
           assume for every index t<T: φ[t + 1][o] = max(φ_t[o]/c, exp(κ·log(θ)))
         holds
           F(w_T)[o] − F⋆ ≤ φ_T[o]",
    )
}

/// A call: from v by the minimiser p to w, where the excess at v is at most u and is to be at most `next` > 0 at w.
pub(super) struct Call<'a> {
    /// F at a point.
    pub value: &'a dyn Fn(&str) -> String,
    pub v: &'a str,
    pub p: &'a str,
    pub w: &'a str,
    pub u: &'a str,
    pub next: &'a str,
    pub tau: &'a str,
}

/// What is known of a call.
pub(super) struct Known<'a> {
    /// (L₁/2)·‖x − p‖² ≤ H(x) − H(p) for every x.
    pub strong: &'a Theorem,
    /// H(w) ≤ H(p) + τ.
    pub accurate: &'a Theorem,
    /// KL* at p, for every subgradient.
    pub steep: &'a Theorem,
    /// F(v) − F⋆ ≤ u.
    pub before: &'a Theorem,
    /// u ≤ c·next, next ≤ F₀, θ^κ ≤ next.
    pub numbers: [&'a Theorem; 3],
    /// 2 ≤ κ, 1/4 ≤ γ²L₁θ^{κ−2}, τ ≤ θ²/(48γ²L₁).
    pub given: [&'a Theorem; 3],
}

/// q², where q^κ is m.
fn square(m: &str) -> String {
    format!("exp((2/κ)·log({m}))")
}

/// F(w) − F⋆ ≤ next.
pub(super) fn falls(h: &Context, call: &Call<'_>, known: &Known<'_>) -> Proof {
    let Call {
        value,
        v,
        p,
        w,
        next,
        ..
    } = *call;
    let half = format!("{next}/2");
    let [slow, far, small, twice] = sizes(h, call, known)?;
    let distance = format!("‖⟨2·L₁·({v}[j] − {p}[j]) : j<d⟩‖");
    let fall = instance(h, known.strong, &term(h, v)?)?;
    let slope = term(h, &format!("⟨2·L₁·({v}[j] − {p}[j]) : j<d⟩"))?;
    let steep = instance(h, known.steep, &slope)?;
    let Goal::If(tangent, _) = &steep.statement().goal else {
        return Err(Stuck::new("nothing is supposed of the vector"));
    };
    let tangent = inside(h, tangent, &|h, goal| {
        let strong = instance(h, known.strong, &var("y"))?;
        settle(h, goal, &[("1", &[&strong])])
    })?;
    let steep = chain(h, &steep, &tangent)?;
    // s^κ is half of what is wanted.
    let s = format!("exp((1/κ)·log({half}))");
    let steep = instance(h, &steep, &term(h, &s)?)?;
    let [left, right] = [format!("γ·{distance}"), s.clone()].map(|text| term(h, &text));
    let wanted = goal(h, &format!("{} − F⋆ ≤ {next}", value(w)))?;
    let [_, logs] = log_exp(h, &format!("(1/κ)·log({half})"))?;
    let named = exp_log(h, &term(h, &half)?)?;
    let moved = format!("L₁·(Σ_{{j<d}} ({w}[j] − {v}[j])²)");
    split(
        h,
        [&left?, &right?],
        |h, fact| {
            let steep = chain(h, &steep, fact)?;
            let power = show(h, &format!("κ·log({s}) ≤ log({half})"), &[("κ", &[&logs])])?;
            let power = exp_increases(&power)?;
            let parts: &[(&str, &[&Theorem])] = &[
                ("1", &[known.accurate]),
                ("2/3", &[&fall]),
                ("2/3", &[known.before]),
                ("1/3", &[&steep]),
                ("1/3", &[&power]),
                ("1/3", &[&named]),
                ("2/3", &[&slow]),
                ("1", &[&small]),
                ("1/6", &[&far]),
                (&moved, &[]),
            ];
            settle(h, &wanted, parts)
        },
        |h, none| {
            let long = beyond(h, none)?;
            let exponent = term(h, &format!("(1/κ)·log({half})"))?;
            let both = exp_sum(h, &exponent, &exponent)?;
            let unit = "1/(8·γ²·L₁)";
            let parts: &[(&str, &[&Theorem])] = &[
                ("1", &[known.accurate]),
                ("1", &[&fall]),
                ("1", &[known.before]),
                (&format!("({unit})·({s} + γ·{distance})"), &[&long]),
                (unit, &[&both]),
                ("1/(16·γ²·L₁)", &[&twice]),
                ("1", &[&slow]),
                ("1", &[&small]),
                (&moved, &[]),
            ];
            settle(h, &wanted, parts)
        },
    )
}

/// With q^κ = next and b = q²/(γ²L₁): u − next ≤ b/32, b/4 ≤ next, τ ≤ b/48, and q² ≤ 2·s² where s^κ = next/2.
fn sizes(h: &Context, call: &Call<'_>, known: &Known<'_>) -> Result<[Theorem; 4], Stuck> {
    let (u, next, tau) = (call.u, call.next, call.tau);
    let [factor, most, least] = known.numbers;
    let [large, steep, accurate] = known.given;
    let q = square(next);
    let logs = log_increases(most)?;
    let named = exp_log(h, &term(h, next)?)?;
    let first = "((2 − κ)/κ)·log(F₀)";
    let text = format!("{first} + log({next}) ≤ (2/κ)·log({next})");
    let slow = exp_increases(&show(h, &text, &[("1/κ", &[large, &logs])])?)?;
    let split = exp_sum(h, &term(h, first)?, &term(h, &format!("log({next})"))?)?;
    let unit = "1/(32·γ²·L₁)";
    let rest = format!("(−1)·({unit})·exp({first})");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[factor]),
        (unit, &[&slow]),
        (&format!("(−1)·({unit})"), &[&split]),
        (&rest, &[&named]),
    ];
    let slow = show(h, &format!("{u} − {next} ≤ {q}/(32·γ²·L₁)"), parts)?;
    // log θ ≤ log(next)/κ.
    let root = log_at_least(least)?;
    let text = format!("(κ − 2)·log(θ) ≤ ((κ − 2)/κ)·log({next})");
    let power = exp_increases(&show(h, &text, &[("(1/κ)", &[large, &root])])?)?;
    let other = format!("((κ − 2)/κ)·log({next})");
    let split = exp_sum(
        h,
        &term(h, &other)?,
        &term(h, &format!("(2/κ)·log({next})"))?,
    )?;
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("{q}/(γ²·L₁)"), &[steep]),
        (&q, &[&power]),
        ("(−1)", &[&split]),
        ("1", &[&named]),
    ];
    let far = show(h, &format!("{q}/(4·γ²·L₁) ≤ {next}"), parts)?;
    let text = format!("log(θ) + log(θ) ≤ (2/κ)·log({next})");
    let power = exp_increases(&show(h, &text, &[("2/κ", &[&root])])?)?;
    let (split, theta) = (
        exp_sum(h, &term(h, "log(θ)")?, &term(h, "log(θ)")?)?,
        exp_log(h, &var("θ"))?,
    );
    let unit = "1/(48·γ²·L₁)";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[accurate]),
        (unit, &[&power]),
        (&format!("(−1)·({unit})"), &[&split]),
        (&format!("(−1)·({unit})·(θ + exp(log(θ)))"), &[&theta]),
    ];
    let small = show(h, &format!("{tau} ≤ {q}/(48·γ²·L₁)"), parts)?;
    let half = format!("{next}/2");
    let [_, split] = log_product(h, &term(h, &half)?, &term(h, "2")?)?;
    let two = log_above(h, &2.into(), &Rational::from((2, 3)), 4)?;
    let log = format!("(2/κ)·log({half})");
    let text = format!("(2/κ)·log({next}) ≤ {log} + log(2)");
    let parts: &[(&str, &[&Theorem])] = &[
        ("2/κ", &[&split]),
        ("1/κ", &[large, &two]),
        ("(2/3)/κ", &[large]),
    ];
    let more = exp_increases(&show(h, &text, parts)?)?;
    let (split, named) = (
        exp_sum(h, &term(h, &log)?, &term(h, "log(2)")?)?,
        exp_log(h, &term(h, "2")?)?,
    );
    let low = square(&half);
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&more]), ("1", &[&split]), (&low, &[&named])];
    let twice = show(h, &format!("{q} ≤ 2·{low}"), parts)?;
    Ok([slow, far, small, twice])
}

/// max(F(w_k) − F⋆ − φ_k, φ_k − F₀) ≤ 0, at k.
fn invariant(k: &str) -> [String; 2] {
    [
        format!("F(w[{k}])[o] − F⋆ − φ[{k}][o]"),
        format!("φ[{k}][o] − F₀"),
    ]
}

/// The parts of that.
fn parts(h: &Context, [one, two]: &[String; 2], whole: &Theorem) -> Result<[Theorem; 2], Stuck> {
    let (a, b) = (term(h, one)?, term(h, two)?);
    let part = |text: &str, second: bool| {
        let above = larger(h, &a, &b, second)?;
        show(
            h,
            &format!("{text} ≤ 0"),
            &[("1", &[&above]), ("1", &[whole])],
        )
    };
    Ok([part(one, false)?, part(two, true)?])
}

/// Both together.
fn whole(h: &Context, k: &str, facts: [&Theorem; 2]) -> Proof {
    let [one, two] = invariant(k);
    let part = |text: &str, fact: &Theorem| show(h, &format!("{text} ≤ 0"), &[("1", &[fact])]);
    largest(&part(&one, facts[0])?, &part(&two, facts[1])?)
}

/// The proof of [`phases`], or of a statement with other constants.
pub fn prove_phases(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (first, named) = (given(h, 9)?, given(h, 10)?);
    let parts_of: &[(&str, &[&Theorem])] = &[("1", &[&first]), ("(−1)", &[&named])];
    let start = show(h, "F(w[0])[o] − F⋆ ≤ φ[0][o]", parts_of)?;
    let below = show(h, "φ[0][o] ≤ F₀", &[("1", &[&named])])?;
    let start = whole(h, "0", [&start, &below])?;
    let k = &h.extended(item("k", Sort::Index(var("T"))))?;
    let now = invariant("k");
    let told = goal(k, &format!("max({}, {}) ≤ 0", now[0], now[1]))?;
    let here = &k.extended(Item::Assume(told))?;
    let told = assume(here, here.items().len() - 1)?;
    let step = discharge(&next(here, &parts(here, &now, &told)?)?)?;
    let end = induction(&start, &step)?;
    let [end, ..] = parts(h, &invariant("T"), &end)?;
    settle(h, &statement.goal, &[("1", &[&end])])
}

/// The same at k + 1.
fn next(h: &Context, [before, below]: &[Theorem; 2]) -> Proof {
    let at = |n: usize| instance(h, &given(h, n)?, &var("k"));
    let (least, accurate, steep, named) = (at(6)?, at(7)?, at(8)?, at(11)?);
    let (large, accuracy) = (given(h, 0)?, given(h, 1)?);
    let (old, target) = ("φ_k[o]/c", "exp(κ·log(θ))");
    let next = format!("max({old}, {target})");
    let [ratio, floor] = [old, target].map(|text| term(h, text));
    let (ratio, floor) = (ratio?, floor?);
    let [low, high] = [false, true].map(|second| larger(h, &ratio, &floor, second));
    let (low, high) = (low?, high?);
    let whole_c = inverse(h, &term(h, "c")?)?;
    let parts: &[(&str, &[&Theorem])] = &[("c", &[&low]), ("(−1)·φ_k[o]", &[&whole_c])];
    let factor = show(h, &format!("φ_k[o] ≤ c·{next}"), parts)?;
    // φ/c ≤ F₀/c ≤ F₀.
    let share = "F₀·(exp(((2 − κ)/κ)·log(F₀))/(32·γ²·L₁))/c";
    let parts: &[(&str, &[&Theorem])] = &[("1/c", &[below]), (share, &[]), ("F₀", &[&whole_c])];
    let shrinks = show(h, "φ_k[o]/c ≤ F₀", parts)?;
    let most = largest(&shrinks, &given(h, 3)?)?;
    let unit = "θ²/(48·a·γ²·L₁)";
    let given_tau = given(h, 4)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&given_tau]), (unit, &[&accuracy])];
    let tau = show(h, "τ ≤ θ²/(48·γ²·L₁)", parts)?;
    let steepness = given(h, 2)?;
    let before = show(h, "F(w_k)[o] − F⋆ ≤ φ_k[o]", &[("1", &[before])])?;
    let call = Call {
        value: &|x| format!("F({x})[o]"),
        v: "w_k",
        p: "u[k + 1]",
        w: "w[k + 1]",
        u: "φ_k[o]",
        next: &next,
        tau: "τ",
    };
    let x = &h.extended(item("x", Sort::Vector(var("d"), Sign::Any)))?;
    let strong = prove_strong(x, ["x", call.p, call.v], call.value, &given(h, 5)?, &least)?;
    let strong = discharge(&strong)?;
    let known = Known {
        strong: &strong,
        accurate: &accurate,
        steep: &steep,
        before: &before,
        numbers: [&factor, &most, &high],
        given: [&large, &steepness, &tau],
    };
    let found = falls(h, &call, &known)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&found]), ("(−1)", &[&named])];
    let found = show(h, "F(w[k + 1])[o] − F⋆ ≤ φ[k + 1][o]", parts)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&most]), ("1", &[&named])];
    let most = show(h, "φ[k + 1][o] ≤ F₀", parts)?;
    whole(h, "k + 1", [&found, &most])
}
