//! Appendices A and C: Rényi divergence, its composition and its conversion.

use crate::arith::{Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::decor::finite::{coin, moment};
use crate::decor::steps::{Algebra, frac, v};
use crate::prove::Argument;
use rug::ops::Pow;

/// The claims about Rényi divergence, in the paper's order.
pub(super) const CLAIMS: [Claim; 6] = [DEF_3, LEM_4, LEM_5, LEM_10, AUX_EVENT, LEM_11];

/// `decor-def-3`. Witness: two coins. The moment can be taken under Q with the power α or under P
/// with the power α − 1; both are computed.
pub const DEF_3: Claim = Claim {
    id: "decor-def-3",
    place: "App. A, Definition 3",
    kind: Kind::Definition,
    statement: "D_α(P‖Q) = log E_Q[(P/Q)^α]/(α − 1) for α > 0, α ≠ 1",
    hypotheses: "P absolutely continuous with respect to Q (not printed)",
    check: def_3,
    ..Claim::ALONE
};

fn def_3(c: &Check) -> Verdict {
    let lowered = c.constant("difference of the two powers", 1);
    let (p, q) = (frac(1, 2), frac(1, 4));
    let under_q = moment(&coin(&p), &coin(&q), 2).unwrap_or_default();
    let power = Rational::from(2 - &lowered);
    let power = i32::try_from(power.numer())
        .ok()
        .filter(|_| *power.denom() == 1);
    let under_p = power.map(|e| {
        let (a, b) = (
            Rational::from(&p / &q),
            Rational::from(1 - &p) / Rational::from(1 - &q),
        );
        p.clone() * a.pow(e) + Rational::from(1 - &p) * b.pow(e)
    });
    Argument::new(c)
        .states_that(
            "coins 1/2 and 1/4, α = 2: E_Q[(P/Q)²] = E_P[P/Q] = 4/3",
            under_p.as_ref() == Some(&under_q) && under_q == frac(4, 3),
            || format!("E_Q[(P/Q)²] = {under_q}, with the other power {under_p:?}"),
        )
        .needs_that(
            "D_2(P‖P) = 0",
            moment(&coin(&p), &coin(&p), 2) == Some(Rational::from(1)),
        )
        .proved_on("witness: two coins, α = 2; undefined where Q vanishes and P does not")
}

/// `decor-lem-4`. Completing the square: with u = x − μ₁ and v = x − μ₂ the exponent
/// −(α/2)Q(u) − ((1−α)/2)Q(v) equals −Q(x − m)/2 + (α(α−1)/2)Q(μ₁ − μ₂), m = αμ₁ + (1−α)μ₂, for the
/// quadratic form Q of Σ⁻¹ in any dimension: both sides are linear in Q(u), Q(v) and the bilinear
/// form of u and v, so that dimension one (u², v², uv) decides. The Gaussian integral does not depend on m; divide the log by α − 1.
pub const LEM_4: Claim = Claim {
    id: "decor-lem-4",
    place: "App. A, Lemma 4 (Gil et al., 2013)",
    kind: Kind::Imported,
    statement: "D_α(N(μ₁,Σ)‖N(μ₂,Σ)) = (α/2)(μ₁−μ₂)ᵀΣ⁻¹(μ₁−μ₂)",
    hypotheses: "α > 0, α ≠ 1, Σ positive definite",
    rests_on: &[],
    by_hand: &[
        "the square is completed in any dimension",
        "the Gaussian integral does not depend on the mean",
        "the covariance is diagonalised",
    ],
    check: lem_4,
};

fn lem_4(c: &Check) -> Verdict {
    let half = Poly::from(c.constant("factor of α", frac(1, 2)));
    let (alpha, uu, vv) = (v("α"), v("u").square(), v("v").square());
    let uv = v("u") * v("v");
    let beta = 1 - &alpha;
    let two = Poly::from(frac(1, 2));
    let exponent = 0 - &two * (&alpha * &uu + &beta * &vv);
    let centred = alpha.square() * &uu + 2 * &alpha * &beta * &uv + beta.square() * &vv;
    let apart = &uu - 2 * &uv + &vv;
    // (α − 1)·D_α is the constant that is left when the square is completed.
    let left_over = exponent + two * centred;
    Argument::new(c)
        .positive(&["α"])
        .states_equal(
            "(α − 1)·D_α = (α − 1)·(α/2)·Q(μ₁ − μ₂)",
            &left_over,
            (&alpha - 1) * half * alpha * apart,
        )
        .proved_on(
            "all α > 0, α ≠ 1, all dimensions, all positive definite Σ (for α < 1 and α > 1 the \
                exponent is a Gaussian integral of the same covariance)",
        )
}

/// `decor-lem-5`. In an orthonormal eigenbasis that contains u_n (it exists by the spectral theorem,
/// also if the largest eigenvalue is multiple) a vector u ⟂ u_n has uᵀMu = Σ_{k<n} λ_k c_k² and
/// ‖u‖² = Σ_{k<n} c_k². Attained at u_{n−1}. For n = 1 there is no u ≠ 0, and no λ_{n−1}.
pub const LEM_5: Claim = Claim {
    id: "decor-lem-5",
    place: "App. A, Lemma 5",
    kind: Kind::Imported,
    statement: "λ_{n−1}(M) = sup of uᵀMu/‖u‖² over u ≠ 0 orthogonal to an eigenvector of the \
        largest eigenvalue",
    hypotheses: "M real symmetric, n ≥ 2, with an orthonormal eigenbasis that contains the \
        eigenvector (the spectral theorem)",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-lem-10`. With a_o = p₁(o)^α q₁(o)^(1−α) and b_o the moment of the second mechanism given
/// the first output o, the moment of the pair is Σ a_o b_o (an integral in general), Σ a_o ≤ A and
/// b_o ≤ B for all o. The identity is the same for any number of outputs.
pub const LEM_10: Claim = Claim {
    id: "decor-lem-10",
    place: "App. C, Lemma 10 (Mironov, 2017)",
    kind: Kind::Composition,
    statement: "an (α,ε₁)-RDP mechanism followed by an (α,ε₂)-RDP mechanism that also sees its \
        output is (α, ε₁+ε₂)-RDP",
    hypotheses: "α > 1; the second mechanism's own randomness is independent of the first's; for \
        the kernel a case of its rule of adaptive composition, and no evidence beside it",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-aux-event`. (p, q) ↦ p^α q^(1−α) is jointly convex and homogeneous, so its integral over B
/// is at least P(B)^α Q(B)^(1−α) (the argument of `decor-aux-mixture` with B in place of the
/// mixture); the integral over all outcomes is larger still.
pub const AUX_EVENT: Claim = Claim {
    id: "decor-aux-event",
    place: "used in App. C, Lemma 11 (not printed)",
    kind: Kind::Composition,
    statement: "P(B)^α Q(B)^(1−α) ≤ exp((α−1) D_α(P‖Q)) for every event B",
    hypotheses: "α > 1",
    rests_on: &["decor-aux-mixture"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-lem-11`. Let y = ε + log Q(B). By `decor-aux-event` log P(B) ≤ (α−1)y/α. If
/// y = g − αl/(α−1) with g ≥ 0, l = log(1/δ), then (α−1)y/α ≤ y + l/(α−1); else P(B) ≤ δ.
pub const LEM_11: Claim = Claim {
    id: "decor-lem-11",
    place: "App. C, Lemma 11 (Mironov, 2017)",
    kind: Kind::Composition,
    statement: "(α,ε)-RDP implies (ε + log(1/δ)/(α−1), δ)-DP for all δ in (0,1)",
    hypotheses: "α > 1, ε ≥ 0",
    rests_on: &["decor-aux-event"],
    by_hand: &[],
    check: by_kernel,
};
