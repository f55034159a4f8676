//! Theorem 4.2 as one may use it: one run with one noise that is private and useful, with nothing computed from the data.
//!
//! c stands for log(1/δ)/(n²ε²), b for Σ_S√c, R² for ‖w⁰ − w*‖²_{MP⁻¹}.
//!
//! What departs from the print, why and at what cost stands in the table of headlines
//! ([`Paper::headlines`](crate::paper::Paper::headlines)).
//!
//! The witnesses, with records clipped to ‖x‖ ≤ 1, S = \[d\], w⁰ = 0 and the logistic loss, whose gradient has norm at most 1 and whose
//! Hessian is at most ¼I: [`Convex`] and [`Strong`].

use crate::arith::algebra::Steps;
use crate::arith::{Poly, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use std::f64::consts::LN_2;

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 6] = [
    THM_4_2_CVX_SHARP,
    THM_4_2_CVX_PUBLIC_K,
    THM_4_2_CVX_CORRECTED,
    THM_4_2_SC_ROUND,
    THM_4_2_SC_CORRECTED,
    THM_4_2_WITNESS,
];

/// `skgd-thm-4.2-cvx-sharp`, a theorem of the kernel: Lemma E.1 without its term in f(w^t) − f*, at T = 1.
pub const THM_4_2_CVX_SHARP: Claim = Claim {
    id: "skgd-thm-4.2-cvx-sharp",
    place: "§4.2, Theorem 4.2, convex case, with half of R²/K",
    kind: Kind::ExpectationBound,
    statement: "T = 1: E[f(w^priv)−f*] ≤ R²/(2K) + 12K·c·Σ_S²",
    hypotheses: "as skgd-thm-4.2-cvx, with the noise σ_U² = 12·L_U²·K·T·log(1/δ)/(n²ε²) of Theorem \
        4.1 at T = 1",
    rests_on: &["skgd-lem-cocoercive", "skgd-lem-E.2", "skgd-lem-E.3"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-thm-4.2-cvx-public-K`, a theorem of the kernel.
pub const THM_4_2_CVX_PUBLIC_K: Claim = Claim {
    id: "skgd-thm-4.2-cvx-public-K",
    place: "§4.2, Theorem 4.2, convex case, with a radius fixed beforehand",
    statement: "T = 1, K = ⌈ϱ/(5Σ_S√c)⌉, R ≤ ϱ: E[f(w^priv)−f*] ≤ (49/10)·ϱΣ_S√c + 12·c·Σ_S²",
    rests_on: &["skgd-thm-4.2-cvx-sharp"],
    check: by_kernel,
    ..THM_4_2_CVX_SHARP
};

/// Adds the bound at K = ⌈ϱ/(5b)⌉.
fn at_public_k(c: &Check, steps: Steps) -> Steps {
    let leading = Poly::from(c.constant("factor of ϱΣ_S√c", ratio(49, 10)));
    let rounding = Poly::from(c.constant("factor of c·Σ_S²", 12));
    let [r, b] = ["ϱ", "b"].map(Poly::var);
    let (five, twelve) = (Poly::from(5), Poly::from(12));
    // K = K̂ + k with K̂ = ϱ/(5b): ϱ²/(2K) ≤ ϱ²/(2K̂) = (5/2)ϱb, and 12Kb² = (12/5)ϱb + 12kb², k = 1 − k'.
    let exact = ratio(1, 2) * &five * &r * &b + &twelve * ratio(1, 5) * &r * &b;
    let rounded = &exact + twelve * (1 - Poly::var("k'")) * b.square();
    let claimed = leading * &r * &b + rounding * b.square();
    steps
        .positive(&["ϱ", "b"])
        .at_most(
            "ϱ²/(2K) + 12Kb² where ϱ/(5b) is an integer",
            &exact,
            &claimed,
        )
        .positive(&["k'"])
        .suffices("K rounded up", &rounded, &claimed)
}

/// `skgd-thm-4.2-cvx-corrected`, a theorem of the kernel: one run that is private for all data and useful for the data whose minimiser lies within ϱ. For a
/// minimiser further away skgd-thm-4.2-cvx-sharp gives (5/2)(R²/ϱ)b + (12/5)ϱb + 12b².
pub const THM_4_2_CVX_CORRECTED: Claim = Claim {
    id: "skgd-thm-4.2-cvx-corrected",
    place: "§4.2, Theorem 4.2, convex case, corrected",
    statement: "for f = (1/n)Σℓ(·;ζ_i) + r, r the same for all data, r = 0 as printed: Algorithm 1 \
        with Γ = PM⁻¹, T = 1, K = ⌈ϱ/(5Σ_S√c)⌉ for a radius ϱ > 0 fixed beforehand and σ_U² = \
        12·L_U²·K·T·log(1/δ)/(n²ε²) is (ε, δ)-DP; and for data with a minimiser w*, R = \
        ‖w⁰−w*‖_{MP⁻¹} ≤ ϱ, the same run has E[f(w^priv)−f*] ≤ ϱ²/(2K) + 12K·c·Σ_S² ≤ \
        (49/10)·ϱΣ_S√c + 12·c·Σ_S², c = log(1/δ)/(n²ε²) (printed: 13·RΣ_S√c)",
    hypotheses: "3.1, 3.3, 3.4, 3.6, 3.7 with the same M and L_U for all data sets; 0 < ε ≤ 1, 0 < \
        δ < 1/3; w⁰, M, S, the L_U and ϱ fixed without looking at the data; σ_S a standard \
        deviation. 3.6 is asked of f, the others of ℓ; r convex and smooth along the coordinates, \
        with any constants. Witness: logistic loss on records clipped to norm 1, S = [d], L = 1, M \
        = ¼I; with r = (λ/2)‖w‖² and M = (¼+λ)I every data set has a minimiser, ‖w*‖ ≤ √(2·log \
        2/λ) for w⁰ = 0",
    rests_on: &[
        "skgd-thm-4.1-dp",
        "skgd-lem-3.9",
        "skgd-thm-4.2-cvx-sharp",
        "skgd-thm-4.2-cvx-public-K",
    ],
    check: corrected,
    ..THM_4_2_CVX_SHARP
};

fn corrected(c: &Check) -> Verdict {
    let variance = Poly::from(c.constant("factor of the variance", 12));
    let (k, l2) = (Poly::var("K"), Poly::power("L", 2));
    let scale = &k * Poly::var("log") * Poly::power("ε", -2);
    // (2L_U/n)²·3KT·log(1/δ)/ε² at T = 1, by skgd-thm-4.1-proof-chain.
    let needed = Poly::from(2 * 2 * 3) * &l2 * Poly::power("n", -2) * &scale;
    let stated = variance * l2 * Poly::power("n", -2) * scale;
    let noise = Steps::new().positive(&["L", "K", "log", "n", "ε"]).at_most(
        "the noise that privacy needs",
        &needed,
        &stated,
    );
    at_public_k(c, regulariser_cancels(noise))
        .proved_on("all data for privacy, those with R ≤ ϱ for utility; all ϱ, Σ_S, c > 0")
}

/// Adds that ∇f_D − ∇f_D' does not contain r: `rest` is the sum over the common records.
fn regulariser_cancels(steps: Steps) -> Steps {
    let average = |own: &'static str| {
        (Poly::var(own) + Poly::var("rest")) * Poly::power("n", -1) + Poly::var("∇r")
    };
    let losses = (Poly::var("g") - Poly::var("g'")) * Poly::power("n", -1);
    steps.positive(&["n"]).equal(
        "r cancels between neighbours",
        average("g") - average("g'"),
        &losses,
    )
}

/// `skgd-thm-4.2-sc-round`, a theorem of the kernel: c is T·log(1/δ)/(n²ε²) there.
pub const THM_4_2_SC_ROUND: Claim = Claim {
    id: "skgd-thm-4.2-sc-round",
    place: "App. E.2, one round of the strongly convex case",
    statement: "where ‖w^t−w*‖²_{MP⁻¹} ≤ K·(f(w^t)−f*), a round has E[f(w^{t+1})−f*] ≤ \
        ½·(f(w^t)−f*) + 12KT·c·Σ_S²",
    hypotheses: "as skgd-thm-4.2-cvx, with the noise σ_U² = 12·L_U²·KT·c of T rounds",
    rests_on: &["skgd-thm-4.2-cvx-sharp"],
    check: by_kernel,
    ..THM_4_2_CVX_SHARP
};

/// `skgd-thm-4.2-sc-corrected`, a theorem of the kernel. The regulariser cancels in ∇f_D − ∇f_D', so that the noise of Theorem 4.1 for the L_U of the losses is
/// enough; K and T are functions of what is fixed beforehand.
pub const THM_4_2_SC_CORRECTED: Claim = Claim {
    id: "skgd-thm-4.2-sc-corrected",
    place: "§4.2, Theorem 4.2, strongly convex case, corrected",
    statement: "for f = (1/n)Σℓ(·;ζ_i) + r, r the same for all data: Algorithm 1 with Γ = PM⁻¹, K \
        = ⌈2A⌉, T = max{1, ⌈log2(F̄/(24K·c·Σ_S²))⌉} and σ_U² = 12·L_U²·K·T·log(1/δ)/(n²ε²) is (ε, \
        δ)-DP, and the same run has E[f(w^T)−f*] ≤ 2^{−T}F̄ + 24KT·c·Σ_S² ≤ 24K(T+1)·c·Σ_S² ≤ \
        72A(T+1)·c·Σ_S², c = log(1/δ)/(n²ε²)",
    hypotheses: "3.1; 3.3, 3.4, 3.7 of ℓ; r convex and smooth along the coordinates, with any \
        constants; f convex and M-smooth (3.6), with a minimiser w* and ‖w−w*‖²_{MP⁻¹} ≤ \
        2A(f(w)−f*) for all w, such as A = (1/μ)max_i{M_i/p_i} for a μ-strongly convex f (3.5), or \
        A = d/μ_M for p_j = 1/d and a constant μ_M of the norm M; F̄ ≥ f(w⁰)−f*, F̄ > 0; the same \
        M, A, L_U, F̄ for all data sets; 0 < ε ≤ 1, 0 < δ < 1/3; all inputs fixed without looking \
        at the data; σ_S a standard deviation. Witness: logistic loss on records clipped to norm \
        1, r = (λ/2)‖w‖², S = [d], L = 1, M = (¼+λ)I, μ = λ, w⁰ = 0, F̄ = log 2",
    rests_on: &[
        "skgd-thm-4.1-dp",
        "skgd-lem-3.9",
        "skgd-thm-4.2-sc-round",
        "skgd-thm-4.2-sc-proof-index-repaired",
    ],
    check: corrected_strongly,
    ..THM_4_2_CVX_SHARP
};

fn corrected_strongly(c: &Check) -> Verdict {
    let inner = Poly::from(c.constant("K in units of A", 2));
    let factor = Poly::from(c.constant("factor of K(T+1)·c·Σ²", 24));
    let rate = Poly::from(c.constant("factor of A(T+1)·c·Σ²", 72) / Rational::from(24));
    let [a, f, k] = ["A", "F", "K"].map(Poly::var);
    let steps = inner * &a + Poly::var("k");
    // X = 2^T/(1 + x): 2^{−T}F̄ is 24Kb² less something, and exactly that where X is a power of 2.
    let unit = &k * Poly::var("b").square();
    let noise = 24 * Poly::var("T") * &unit;
    let start = 24 * &unit;
    let claimed = factor * (Poly::var("T") + 1) * &unit;
    regulariser_cancels(Steps::new())
        .positive(&["A", "F", "K", "T", "b", "k", "e", "n"])
        .suffices("2A·F ≤ K·F", 2 * a * &f - Poly::var("e"), steps * &f)
        .at_most("where F̄/(24Kb²) = 2^T", &start + &noise, &claimed)
        .suffices("in general", start - Poly::var("e") + noise, &claimed)
        // A = 1 + a, since f − f* ≤ ½‖w−w*‖²_M ≤ ½‖w−w*‖²_{MP⁻¹}.
        .positive(&["a"])
        .suffices(
            "K ≤ 2A + 1 ≤ 3A",
            2 * (1 + Poly::var("a")) + 1,
            rate * (1 + Poly::var("a")),
        )
        .proved_on("all A, F̄ > 0, all integers n, d ≥ 1")
}

/// `skgd-thm-4.2-witness`, a theorem of the kernel: without a ridge λ is 0.
pub const THM_4_2_WITNESS: Claim = Claim {
    id: "skgd-thm-4.2-witness",
    place: "§4.2, Theorem 4.2, corrected: the witness",
    kind: Kind::PathwiseInequality,
    statement: "f(w) = (1/n)Σlog(1+exp⟨x_i,w⟩) + (λ/2)‖w‖² satisfies of what the two corrected \
        parts of Theorem 4.2 suppose, for S = [d] and w⁰ = 0: L = 1, M = (1/4+λ)I, for λ > 0 \
        ‖w−w*‖²_M ≤ 2A(f(w)−f*) with A = (1/4+λ)/λ, F̄ = log 2",
    hypotheses: "‖x_i‖ ≤ 1, x_i being the features of a record times minus its label ±1, λ ≥ 0",
    check: by_kernel,
    ..Claim::ALONE
};

/// The witness of `skgd-thm-4.2-cvx-corrected`: logistic loss on records with ‖x‖ ≤ 1 whose minimiser has norm at most `radius`; ε = 1,
/// δ = n⁻².
#[derive(Clone, Copy, Debug)]
pub struct Convex {
    /// The number d of features.
    pub features: u32,
    /// The bound of ‖w*‖; ϱ is half of it.
    pub radius: f64,
}

/// The witness of `skgd-thm-4.2-sc-corrected`: the same loss with r = (λ/2)‖w‖²; ε = 1, δ = n⁻².
#[derive(Clone, Copy, Debug)]
pub struct Strong {
    /// The number d of features.
    pub features: u32,
    /// λ.
    pub ridge: f64,
}

/// Ten features, and a minimiser that separates the labels no more sharply than a parameter of norm 4.
pub const CONVEX: Convex = Convex {
    features: 10,
    radius: 4.0,
};

/// Ten features and an ordinary ridge.
pub const STRONG: Strong = Strong {
    features: 10,
    ridge: 0.01,
};

/// What the schedule of a corrected theorem is, and what it and the print bound the risk by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// K.
    pub inner: f64,
    /// T.
    pub outer: f64,
    /// σ, the standard deviation in each coordinate.
    pub deviation: f64,
    /// The corrected bound of the risk.
    pub corrected: f64,
    /// The printed bound, at the same constants.
    pub printed: f64,
    /// What w⁰ is sure to have.
    pub trivial: f64,
}

/// log(1/δ)/(n²ε²) at ε = 1, δ = n⁻².
fn unit(n: u64) -> f64 {
    let n = n as f64;
    2.0 * n.ln() / (n * n)
}

impl Convex {
    /// The bounds for n records, n ≥ 2: R²/(2K) + 12K·c·Σ² at R = ϱ against the printed 13·ϱΣ√c.
    #[must_use]
    pub fn at(self, n: u64) -> Bound {
        let c = unit(n);
        let (reach, b) = (
            self.radius / 2.0,
            (4.0 * f64::from(self.features) * c).sqrt(),
        );
        let inner = (reach / (5.0 * b)).ceil().max(1.0);
        Bound {
            inner,
            outer: 1.0,
            deviation: (12.0 * inner * c).sqrt(),
            corrected: reach * reach / (2.0 * inner) + 12.0 * inner * b * b,
            printed: 13.0 * reach * b,
            // f(0) − f* ≤ ½R²_M by smoothness, and the loss at 0 is log 2.
            trivial: (reach * reach / 2.0).min(LN_2),
        }
    }
}

impl Strong {
    /// The bounds for n records, n ≥ 2: 2^{−T}F̄ + 24KT·c·Σ² with F̄ = log 2 against the printed (1 + log₂(X/24))·24(1+A)·c·Σ².
    #[must_use]
    pub fn at(self, n: u64) -> Bound {
        let c = unit(n);
        let smooth = 0.25 + self.ridge;
        let a = smooth / self.ridge;
        let b2 = c * f64::from(self.features) / smooth;
        let inner = (2.0 * a).ceil();
        let outer = (LN_2 / (24.0 * inner * b2)).log2().ceil().max(1.0);
        let y = (1.0 + a) * b2;
        Bound {
            inner,
            outer,
            deviation: (12.0 * inner * outer * c).sqrt(),
            corrected: (-outer).exp2() * LN_2 + 24.0 * inner * outer * b2,
            printed: (1.0 + (LN_2 / y / 24.0).log2()) * 24.0 * y,
            trivial: LN_2,
        }
    }
}

/// The smallest n ≥ 2 from which on, up to its double, the corrected bound is below the trivial one, and corrected over printed there.
#[must_use]
pub fn bites(at: impl Fn(u64) -> Bound) -> (u64, f64) {
    let below = |n: u64| at(n).corrected < at(n).trivial;
    let first = (2..).find(|&n| below(n) && (n..2 * n).all(below));
    let n = first.unwrap_or(u64::MAX);
    (n, at(n).corrected / at(n).printed)
}

/// From which n on `skgd-thm-4.2-cvx-corrected` says more than that w⁰ is there, on [`CONVEX`].
#[must_use]
pub fn convex_bites_at() -> u64 {
    bites(|n| CONVEX.at(n)).0
}

/// Its bound over the printed one there: below 1, for the constant 5 under K.
#[must_use]
pub fn convex_cost() -> f64 {
    bites(|n| CONVEX.at(n)).1
}

/// From which n on `skgd-thm-4.2-sc-corrected` says more than that w⁰ is there, on [`STRONG`].
#[must_use]
pub fn strong_bites_at() -> u64 {
    bites(|n| STRONG.at(n)).0
}

/// Its bound over the printed one, which is too small, there.
#[must_use]
pub fn strong_cost() -> f64 {
    bites(|n| STRONG.at(n)).1
}
