//! Section 4.2 and Appendix E.2: the strongly convex case.
//!
//! A stands for (1/μ)max_i{M_i/p_i} ≥ 1, c for log(1/δ)/(n²ε²), Y for (1+A)·c·Σ_S², X for
//! (f(w⁰) − f*)/Y and F_t for E\[f(w^t) − f*\].

use crate::arith::algebra::{Settled, zero};
use crate::arith::{Interval, Poly, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Domain, Expr, Forall, closed, draw};

/// The claims of the strongly convex case.
pub(super) const CLAIMS: [Claim; 7] = [
    THM_4_2_SC,
    THM_4_2_SC_PROOF,
    THM_4_2_SC_MAIN_TEXT,
    THM_4_2_SC_REPAIRED,
    THM_4_2_SC_RATE,
    THM_4_2_SC_RATE_APPENDIX,
    THM_4_2_SC_RATE_REPAIRED,
];

/// Why Assumptions 3.5 and 3.7 exclude each other on R^d: along a coordinate j, which lies in some
/// U ∈ Range(S), Lemma C.1 bounds |∂_jf| by L_U, while strong convexity makes ∂_jf change by at least
/// μt over a distance t. At t = (2L_U + s)/μ the change exceeds 2L_U by s > 0.
fn emptiness(repaired: &'static str) -> Verdict {
    let [l, s] = ["L_U", "s"].map(Poly::var);
    let distance = (2 * &l + &s) * Poly::power("μ", -1);
    let excess = Poly::var("μ") * distance - 2 * &l;
    if zero(&(excess - s), &["L_U", "μ", "s"]) != Settled::Holds(0) {
        return Verdict::open("the contradiction between the hypotheses was not derived");
    }
    Verdict::empty(
        "a gradient component bounded by L_U cannot change by μ·t > 2·L_U over t > 2·L_U/μ",
        "exact algebra of the two bounds along one coordinate; Lemma C.1 for the first",
        Some(repaired),
    )
}

/// `skgd-thm-4.2-sc`. No function on R^d is both strongly convex and an average of component-Lipschitz
/// losses: the theorem is empty. A statement that is not is `skgd-thm-4.2-sc-repaired`.
pub const THM_4_2_SC: Claim = Claim {
    id: "skgd-thm-4.2-sc",
    place: "§4.2, Theorem 4.2, strongly convex case; App. E.2",
    kind: Kind::ExpectationBound,
    statement: "with K = 2(1+A) and T = log₂ X: E[f(w^T)−f*] ≤ (1 + log₂(X/24))·24(1+A)·c·Σ_S²",
    hypotheses: "3.1, 3.3, 3.4, 3.5, 3.6, 3.7 on R^d; Γ = PM⁻¹; noise of Theorem 4.1",
    rests_on: &["skgd-lem-C.1"],
    by_hand: &[],
    check: |_| emptiness("skgd-thm-4.2-sc-repaired"),
};

/// `skgd-thm-4.2-sc-proof`: the last display of the proof, from F_T ≤ 2^{−T}F_0 + 2N_σ and
/// N_σ = 12KT·c·Σ². With the printed K and T this sum is Y·(1 + 48·log₂ X), whereas the display has
/// Y·24(1 + log₂(X/24)), which is negative for X < 12.
pub const THM_4_2_SC_PROOF: Claim = Claim {
    id: "skgd-thm-4.2-sc-proof",
    place: "App. E.2, last display of the proof",
    kind: Kind::PathwiseInequality,
    statement: "2^{−T}F_0 + 2N_σ ≤ (1 + log₂(X/24))·24·Y for K = 2(1+A), T = log₂ X, N_σ = \
        12KT·c·Σ_S²",
    hypotheses: "X > 1 with log₂ X an integer ≥ 1",
    check: thm_4_2_sc_proof,
    ..Claim::ALONE
};

fn thm_4_2_sc_proof(c: &Check) -> Verdict {
    let factor = c.constant("factor of Y", 24);
    // X = 2, T = 1, in units of Y: the left side is 1 + 24·K·T/(1+A) = 1 + 48.
    let derived = Rational::from(1 + 2 * 12 * 2);
    let log = (Interval::from_rational(&ratio(2, 24))).ln() / Interval::from(2).ln();
    let printed = (Interval::from(1) + log) * Interval::from_rational(&factor);
    if !printed.certainly_lt(&Interval::from_rational(&derived)) {
        return Verdict::open("X = 2 does not separate the two sides");
    }
    let (domain, x) = Domain::of("X", closed(2), closed(1_000_000));
    let steps = x.ln() / Expr::from(2).ln();
    let right = 24 * (1 + &steps - Expr::from(24).ln() / Expr::from(2).ln());
    let left = 1 + 48 * steps;
    draw(
        c,
        "skgd-thm-4.2-sc-proof",
        &Forall::le(domain, left, right),
        &[ratio(2, 1)],
    );
    Verdict::refuted(
        format!(
            "X = 2, T = 1, in units of Y: the left side is {derived}, the right side is in \
                {printed}"
        ),
        "exact value against an interval enclosure of the logarithm",
        Some("skgd-thm-4.2-sc-repaired"),
    )
}

/// `skgd-thm-4.2-sc-main-text`: the main text prints K = 2(1 + 1/(μ·max_i{M_i/p_i})). With this
/// K one round does not halve the excess, which the proof needs.
pub const THM_4_2_SC_MAIN_TEXT: Claim = Claim {
    id: "skgd-thm-4.2-sc-main-text",
    place: "§4.2, Theorem 4.2, strongly convex case",
    kind: Kind::ExpectationBound,
    statement: "with K = 2(1 + 1/(μ·max_i{M_i/p_i})): F_{t+1} ≤ ½F_t + N_σ",
    hypotheses: "f μ-strongly convex and M-smooth, Γ = PM⁻¹",
    check: thm_4_2_sc_main_text,
    ..Claim::ALONE
};

fn thm_4_2_sc_main_text(c: &Check) -> Verdict {
    let halving = c.constant("contraction factor of a round", ratio(1, 2));
    // d = 1, P = I, f(w) = ½hw² with h = μ = 1/10 and M = 20: K = 2(1 + 1/2) = 3, θ^{k} = (1 − h/M)^k u.
    let (h, m, s) = (ratio(1, 10), Rational::from(20), ratio(1, 1000));
    let printed_k = Rational::from(2) * (Rational::from(1) + Rational::from(1) / (h.clone() * &m));
    let keep = Rational::from(1) - h.clone() / &m;
    let powers: Vec<_> = (1..=3)
        .scan(Rational::from(1), |x, _| {
            *x *= &keep;
            Some(x.clone())
        })
        .collect();
    let mean = powers.iter().fold(Rational::new(), |sum, x| sum + x) / Rational::from(3);
    // w^{t+1} = mean·u + noise, and noise only adds to E[f]; u = 1.
    let half_h = ratio(1, 2) * h;
    let next = half_h.clone() * &mean * &mean;
    let claimed = halving * half_h + s / m;
    if printed_k != 3 || next <= claimed {
        return Verdict::open("the quadratic tried is contracted enough");
    }
    Verdict::refuted(
        format!(
            "f(w) = w²/20, M = 20, p = 1, u = 1, σ² = 1/1000: K = 3, F_{{t+1}} ≥ {next}, but ½F_t \
                + N_σ = {claimed}"
        ),
        "exact recursion of the mean",
        Some("skgd-thm-4.2-sc-repaired"),
    )
}

/// `skgd-thm-4.2-sc-repaired`. Assumption 3.7 is replaced by what the privacy proof uses,
/// ‖I_U(∇ℓ(w;ζ) − ∇ℓ(w;ζ'))‖ ≤ 2L_U, which mean estimation ℓ = ½h(w − ζ)² with |ζ| ≤ r satisfies
/// (2hr = 2L). K and T are the printed ones rounded up. One round: R² ≤ 2A·F_t, so Lemma E.1 gives
/// (1+A)F_t/K + N_σ ≤ ½F_t + N_σ.
pub const THM_4_2_SC_REPAIRED: Claim = Claim {
    id: "skgd-thm-4.2-sc-repaired",
    place: "§4.2, Theorem 4.2, strongly convex case",
    kind: Kind::ExpectationBound,
    statement: "with K = ⌈2(1+A)⌉, T = ⌈log₂ X⌉, X > 1: E[f(w^T)−f*] ≤ 2^{−T}F_0 + 24KT·c·Σ_S² ≤ \
        (61 + 60·log₂ X)·(1+A)·c·Σ_S²",
    hypotheses: "3.1, 3.3–3.6 with μ = μ_I, and ‖I_U(∇ℓ(w;ζ)−∇ℓ(w;ζ'))‖ ≤ 2L_U for all w, ζ, ζ' \
        instead of 3.7; Γ = PM⁻¹; private only for K and T fixed without looking at the data",
    rests_on: &[
        "skgd-lem-E.1",
        "skgd-fact-sens-f",
        "skgd-lem-D.8",
        "skgd-def-Sigma",
    ],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-thm-4.2-sc-rate`. Empty for the same reason as `skgd-thm-4.2-sc`.
pub const THM_4_2_SC_RATE: Claim = Claim {
    id: "skgd-thm-4.2-sc-rate",
    place: "§4.2, Theorem 4.2, strongly convex case",
    kind: Kind::Rate,
    statement: "E[f(w^T)−f*] = Õ(A·Σ_S²·log(1/δ)/(n²ε²))",
    hypotheses: "as the strongly convex case",
    rests_on: &["skgd-lem-C.1"],
    by_hand: &[],
    check: |_| emptiness("skgd-thm-4.2-sc-rate-repaired"),
};

/// `skgd-thm-4.2-sc-rate-appendix`: the appendix bounds its own explicit line by
/// O(A·c·Σ²·log₂(F_0nε/(AΣ_S·log(1/δ)))). Under ℓ → κℓ the argument of this logarithm changes by √κ,
/// that of T does not: κ can be chosen such that the argument is 1 and the bound 0.
pub const THM_4_2_SC_RATE_APPENDIX: Claim = Claim {
    id: "skgd-thm-4.2-sc-rate-appendix",
    place: "App. E.2, statement",
    kind: Kind::Rate,
    statement: "2^{−T}F_0 + 2N_σ = O(A·c·Σ_S²·log₂(F_0·nε/(A·Σ_S·log(1/δ))))",
    hypotheses: "T = log₂ X ≥ 1",
    check: thm_4_2_sc_rate_appendix,
    ..Claim::ALONE
};

fn thm_4_2_sc_rate_appendix(c: &Check) -> Verdict {
    let power = c.constant("power of Σ_S in the logarithm", 1);
    // A = 1, log(1/δ) = 2, F_0 = 1/8, nε = 16, Σ = 1: X = F_0·n²ε²/((1+A)Σ²·log) = 8, argument 1.
    let (f0, n, log) = (ratio(1, 8), Rational::from(16), Rational::from(2));
    let x = f0.clone() * &n * &n / (Rational::from(2) * &log);
    let argument = f0 * &n / &log;
    let sum = Rational::from(1) + Rational::from(48 * 3);
    if power <= 0 || x != 8 || argument != 1 {
        return Verdict::open("the instance tried does not separate the two logarithms");
    }
    Verdict::refuted(
        format!(
            "A = 1, Σ_S = 1, log(1/δ) = {log}, nε = {n}, F_0 = 1/8: X = {x}, T = 3, the left side \
                is {sum}·Y > 0, but the argument of the logarithm is {argument}, so the right side \
                is 0"
        ),
        "exact rational evaluation",
        Some("skgd-thm-4.2-sc-rate-repaired"),
    )
}

/// `skgd-thm-4.2-sc-rate-repaired`: 1 + A ≤ 2A, since μ ≤ M_i and p_i ≤ 1.
pub const THM_4_2_SC_RATE_REPAIRED: Claim = Claim {
    id: "skgd-thm-4.2-sc-rate-repaired",
    place: "§4.2, Theorem 4.2, strongly convex case",
    kind: Kind::Rate,
    statement: "E[f(w^T)−f*] ≤ (122 + 120·log₂ X)·A·Σ_S²·log(1/δ)/(n²ε²)",
    hypotheses: "as skgd-thm-4.2-sc-repaired",
    rests_on: &["skgd-thm-4.2-sc-repaired"],
    by_hand: &[],
    check: by_kernel,
};
