//! What a step of the run does where the estimate is good, and where the loop ends.

use super::numbers;
use super::{Proof, of_data, told};
use crate::moved::written::{settle, show, term};
use dp_assay_kernel::rules::{
    Theorem, assume, at_most_one, chain, instance, larger, largest, root_increases, triangle, union,
};
use dp_assay_kernel::search::cases::{absurd, apply, beyond, split};
use dp_assay_kernel::search::several::{self, join, part};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::statement::{Context, Goal};
use dp_assay_kernel::term::{Term, num, var};

/// An entry of the error of the estimate.
pub(super) const ERROR: &str = "g_j − (Σ_{z∈D} ∂_j f(w; z))/n";
/// What a step gains.
pub(super) const GAIN: &str = "φ(k)²/(64·γ²·L₁)";
/// What the norm of the estimate is tested against.
pub(super) const PASSED: &str = "(7/8)·φ(k)/γ";

pub(super) fn small(entry: &str) -> String {
    format!("Σ_{{j<d}} ({entry})² ≤ (θ/(8·γ))²")
}

/// Where more than T steps have been made, the round has done what it should.
pub(super) fn exhausted(
    h: &Context,
    old: &[Term],
    now: &Theorem,
    many: &Theorem,
    new: &[Term],
) -> Proof {
    let near = part(h, old, now, 2)?;
    let next = numbers::next(h)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&near]), ("1", &[&next]), (GAIN, &[many])];
    let reached = settle(h, &Goal::Le(new[2].clone(), num(0)), parts)?;
    join(vec![part(h, old, now, 0)?, part(h, old, now, 1)?, reached])
}

/// ‖E‖ ≤ φ/(8γ).
fn accurate(h: &Context) -> Proof {
    let size = format!("‖⟨{ERROR} : j<d⟩‖");
    let square = format!("{size}² ≤ (θ/(8·γ))²");
    let near = told(h, &small(ERROR))?;
    let near = root_increases(&show(h, &square, &[("1", &[&near])])?)?;
    let above = numbers::above(h)?;
    show(
        h,
        &format!("{size} ≤ φ(k)/(8·γ)"),
        &[("1", &[&near]), ("1/(8·γ)", &[&above])],
    )
}

/// The loop ends: the norm test fails, so that the gradient is at most φ/γ, or T steps have been made.
pub(super) fn halted(h: &Context, old: &[Term], new: &[Term]) -> Proof {
    let count = h.items().len();
    let [off, now] = [3, 2].map(|n| assume(h, count - n));
    let (off, now) = (beyond(h, &off?)?, now?);
    let [low, size] = [PASSED, "‖g‖"].map(|text| term(h, text));
    either(h, [&low?, &size?], |here, case, passed| {
        if passed {
            let once = union(case)?;
            let parts: &[(&str, &[&Theorem])] = &[("1", &[&off]), ("T(k) + 1", &[&once])];
            let many = show(here, "T(k) ≤ spent", parts)?;
            return exhausted(here, old, &now, &many, new);
        }
        let [.., steep, _, _] = of_data();
        let steep = instance(here, &told(here, &steep)?, &var("w"))?;
        let steep = chain(here, &steep, &part(here, old, &now, 0)?)?;
        let steep = instance(here, &steep, &term(here, "φ(k)")?)?;
        let apart = triangle(here, &var("g"), &term(here, &format!("⟨{ERROR} : j<d⟩"))?)?;
        let near = accurate(here)?;
        let parts: &[(&str, &[&Theorem])] = &[("γ", &[&apart]), ("γ", &[case]), ("γ", &[&near])];
        let flat = show(here, "γ·G(w) ≤ φ(k)", parts)?;
        let found = apply(here, &steep, &flat)?;
        let power = numbers::power(here)?;
        let parts: &[(&str, &[&Theorem])] = &[("1", &[&found]), ("1", &[&power])];
        let reached = settle(here, &Goal::Le(new[2].clone(), num(0)), parts)?;
        let [first, second] = [0, 1].map(|i| part(here, old, &now, i));
        join(vec![first?, second?, reached])
    })
}

/// Behind a step, which is made where the norm test is passed.
pub(super) fn advance(h: &Context, old: &[Term], new: &[Term]) -> Proof {
    let count = h.items().len();
    let [on, now] = [3, 2].map(|n| assume(h, count - n));
    let (on, now) = (on?, now?);
    let [low, size] = [PASSED, "‖g‖"].map(|text| term(h, text));
    let (low, size) = (low?, size?);
    let goal = Goal::Le(several::joined(new)?, num(0));
    split(
        h,
        [&low, &size],
        |here, passed| stepped(here, (old, &now), new, passed),
        |here, failed| {
            let many = part(here, old, &now, 3)?;
            let parts: &[(&str, &[&Theorem])] =
                &[("1", &[&on]), ("T(k) + 1", &[failed]), ("1", &[&many])];
            absurd(here, &show(here, "1 ≤ 0", parts)?, &goal)
        },
    )
}

/// Behind a step along an estimate whose norm test is passed: it gains, so that it stays in S and below F(w₀).
fn stepped(h: &Context, (old, now): (&[Term], &Theorem), new: &[Term], passed: &Theorem) -> Proof {
    let level = "max((7/8)·φ(k)/γ, ‖g‖)";
    let [low, size] = [PASSED, "‖g‖"].map(|text| term(h, text));
    let (low, size) = (low?, size?);
    let [least, up] = [false, true].map(|second| larger(h, &low, &size, second));
    let (least, up) = (least?, up?);
    let same = show(h, "‖g‖ ≤ ‖g‖", &[])?;
    let down = largest(passed, &same)?;
    let both = format!("({level} + ‖g‖)");
    let square = show(
        h,
        &format!("{level}² ≤ Σ_{{j<d}} g_j²"),
        &[(&both, &[&down])],
    )?;
    let most = show(h, &format!("Σ_{{j<d}} g_j² ≤ {level}²"), &[(&both, &[&up])])?;
    let near = accurate(h)?;
    let error = format!("⟨{ERROR} : j<d⟩");
    let product = cauchy(h, &error)?;
    let v = format!("⟨0 − (φ(k)/(4·γ·L₁))·g_j/{level} : j<d⟩");
    let model = format!(
        "F(w) + (Σ_{{j<d}} ((Σ_{{z∈D}} ∂_j f(w; z))/n)·(0 − (φ(k)/(4·γ·L₁))·g_j/{level})) + \
            (L₁/2)·(Σ_{{j<d}} (0 − (φ(k)/(4·γ·L₁))·g_j/{level})²)"
    );
    let length = "φ(k)/(4·γ·L₁)";
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("({length})/{level}"), &[&product]),
        (&format!("({length})·‖{error}‖/{level}"), &[&up]),
        (&format!("({length})/{level}"), &[&square]),
        (&format!("(L₁/2)·({length})²/{level}²"), &[&most]),
        (length, &[&least]),
        (length, &[&near]),
    ];
    let fall = show(h, &format!("{model} ≤ F(w) − {GAIN}"), parts)?;
    let inside = part(h, old, now, 0)?;
    let below_start = part(h, old, now, 1)?;
    let low = show(
        h,
        &format!("{model} ≤ F(w₀)"),
        &[("1", &[&fall]), ("1", &[&below_start]), (GAIN, &[])],
    )?;
    let [stays, smooth, ..] = of_data();
    let v = term(h, &v)?;
    let at = |text: &str| {
        let rule = instance(h, &told(h, text)?, &var("w"))?;
        instance(h, &rule, &v)
    };
    let stays = apply(h, &apply(h, &at(&stays)?, &inside)?, &low)?;
    let smooth = at(&smooth)?;
    let charged = term(h, &format!("𝟙({PASSED} ≤ ‖g‖)"))?;
    let (once, one) = (union(passed)?, at_most_one(h, &charged)?);
    let near = part(h, old, now, 2)?;
    let count = part(h, old, now, 3)?;
    let share = format!("(T(k) + 1)·({GAIN})");
    let to = |i: usize, parts: &[(&str, &[&Theorem])]| {
        settle(h, &Goal::Le(new[i].clone(), num(0)), parts)
    };
    let facts = vec![
        to(0, &[("1", &[&stays])])?,
        to(1, &[("1", &[&smooth]), ("1", &[&low])])?,
        to(
            2,
            &[
                ("1", &[&smooth]),
                ("1", &[&fall]),
                ("1", &[&near]),
                (&share, &[&once]),
            ],
        )?,
        to(3, &[("1", &[&count]), ("T(k) + 1", &[&one])])?,
    ];
    join(facts)
}

/// ⟨E, g⟩ ≤ ‖E‖·‖g‖.
fn cauchy(h: &Context, error: &str) -> Proof {
    let minus = term(h, "⟨(−1)·g_j : j<d⟩")?;
    let apart = triangle(h, &term(h, error)?, &minus)?;
    let goal = format!("Σ_{{j<d}} ({ERROR})·g_j ≤ ‖{error}‖·‖g‖");
    let factor = format!("(‖{error}‖ + ‖g‖ + ‖⟨{ERROR} + g_j : j<d⟩‖)/2");
    show(h, &goal, &[(&factor, &[&apart])])
}
