//! What a round is bounded by, in F and Ξ with any factors.

use super::descent::{descends, mean_of_samples, mixes};
use super::steps::{away, gossips, held, left_of, model_of};
use super::{MEAN, Parts, Proof, all_hold, given, mixed, of, passes, sample, samples, space};
use crate::moved::written::show;
use dp_assay_kernel::rules::{Theorem, discharge, expected};
use dp_assay_kernel::statement::Context;

/// These multiples of F and Ξ, and what is added.
pub(super) fn weighted([a, b, c]: [&str; 3], f: &str, y: &str) -> String {
    format!("{a}·{f} + {b}·{y} + {c}")
}

/// Any such factors.
pub(super) const ANY: [&str; 3] = ["γ₁", "γ₂", "γ₃"];

/// What own noise and that of the edges add to the bounds of F and Ξ.
pub(super) const NOISE: [&str; 3] = [
    "(L/2)·η(r)²·d·σ²/n",
    "η(r)²·(Σ_{κ<n} Σ_{ϑ<n} (W_ϑ[κ] − 1/n)²)·d·σ²/n",
    "η(r)²·H·M·d·ν²/n",
];

/// For every y the invariant after gossip is at most this.
pub(super) fn after_gossip(h: &Context) -> Proof {
    let y = &h.extended(space("y", "n·d"))?;
    let new = all_hold(&mixed("y"));
    let next = weighted(
        ANY,
        &format!("F(⟨ā(ι, {new}) : ι<d⟩)"),
        &format!("Ξ({new})"),
    );
    let most = weighted(ANY, &away("y"), &left_of(&held("y")));
    let [spread, fall] = gossips(y)?;
    let parts: Parts<'_> = &[("γ₁", &[&fall]), ("γ₂", &[&spread])];
    discharge(&show(y, &format!("{next} ≤ {most}"), parts)?)
}

/// The bounds of F and Ξ, given the samples.
pub(super) fn of_round() -> [String; 2] {
    let told = |k: &str, j: &str| format!("(x({k}, {j}, v) − η(r)·{})", sample(k, j));
    let [f, own, edges] = NOISE;
    [
        format!("({} + {f})", model_of(&mean_of_samples())),
        format!("({} + {edges} + {own})", left_of(&told)),
    ]
}

/// What F at the mean and Ξ are expected to be behind a round, at most.
pub(super) fn expected_of_round() -> [String; 2] {
    [
        format!(
            "(F({MEAN}) − (η(r)/2)·(Σ_{{ϑ<d}} D({MEAN}, ϑ)²) + (L²·η(r)/2)·Ξ(v) + \
                (L·η(r)²/2)·(Q/n))"
        ),
        "((1 − p/4)·Ξ(v) + η(r)²·R)".to_owned(),
    ]
}

/// The expectation over the samples of the bound on a round.
pub(super) fn of_samples(h: &Context, found: &Theorem) -> Proof {
    let found = expected(found, &samples(h)?)?;
    let [f, spread] = expected_of_round();
    let (descends, mixes, named) = (descends(h)?, mixes(h)?, given(h, of::SPREAD)?);
    let parts: Parts<'_> = &[
        ("γ₁", &[&descends]),
        ("γ₂", &[&mixes]),
        ("(−1)·γ₂·η(r)²", &[&named]),
    ];
    let found = passes(h, &found, &weighted(ANY, &f, &spread), parts)?;
    (0..3).try_fold(found, |found, _| discharge(&found))
}
