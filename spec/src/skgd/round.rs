//! Lemma E.1: one outer round.

use crate::arith::{Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 3] = [LEM_E_1, LEM_E_1_PROOF, LEM_E_1_PROOF_REPAIRED];

/// `skgd-lem-E.1`. The printed proof yields twice the right side (see `skgd-lem-E.1-proof`), but the
/// statement holds by another one. With F_k = E\[f(θ^k) − f*\], R_k² = E‖θ^k − w*‖²_{MP⁻¹},
/// N = E‖Cσ_S1‖²_{PM⁻¹} and N' = E‖Cσ_S1‖²_{P²M⁻¹} ≤ N:
/// cocoercivity in its stronger form gives R_{k+1}² ≤ R_k² − 2F_k + N, hence 2Σ_{k<K} F_k ≤ R_0² + KN;
/// Lemma E.3 gives F_{k+1} ≤ F_k + N'/2, hence F_K ≤ F_0 + KN'/2; and Jensen's inequality gives
/// E\[f(w^{t+1}) − f*\] ≤ (1/K)(Σ_{k<K} F_k + F_K − F_0) ≤ R_0²/(2K) + (N + N')/2.
pub const LEM_E_1: Claim = Claim {
    id: "skgd-lem-E.1",
    place: "App. E, Lemma E.1",
    kind: Kind::ExpectationBound,
    statement: "given w^t: E f(w^{t+1}) − f* ≤ (‖w^t−w*‖²_{MP⁻¹} + 2(f(w^t)−f*))/(2K) + \
        E‖Cσ_S1‖²_{PM⁻¹}",
    hypotheses: "f convex and M-smooth with a minimiser, Γ = PM⁻¹",
    rests_on: &["skgd-lem-cocoercive", "skgd-lem-E.2", "skgd-lem-E.3"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-lem-E.1-proof`: the last step of the printed proof, from (i) Σ_{k<K}(F_{k+1} − ½F_k) ≤
/// ½R² + KN, (ii) ½ΣF_k − F_0 ≤ that sum and (iii) f(w^{t+1}) − f* ≤ (1/K)ΣF_k (sums over k = 1, …, K)
/// to (iv) (1/K)(½R² + F_0 + KN). Values that satisfy (i)–(iii) with equality in (iii) violate (iv).
pub const LEM_E_1_PROOF: Claim = Claim {
    id: "skgd-lem-E.1-proof",
    place: "App. E.3, proof of Lemma E.1, last display",
    kind: Kind::PathwiseInequality,
    statement: "the displays (i)–(iii) of the proof imply E[f(w^{t+1})−f*] ≤ (1/K)(½R² + F_0 + \
        K·N)",
    hypotheses: "F_k, R², N ≥ 0, K ≥ 1",
    check: lem_e_1_proof,
    ..Claim::ALONE
};

fn lem_e_1_proof(c: &Check) -> Verdict {
    let factor = c.constant("factor of the conclusion", 1);
    let half = ratio(1, 2);
    let (r2, n, k) = (Rational::from(2), Rational::from(1), Rational::from(2));
    // F_0 = 0, F_1 = R² + 4N = 6, F_2 = 0.
    let gaps = [Rational::new(), Rational::from(6), Rational::new()];
    let budget = half.clone() * &r2 + k.clone() * &n;
    let chain = (1..3).fold(Rational::new(), |sum, i| {
        sum + &gaps[i] - half.clone() * &gaps[i - 1]
    });
    let total = gaps[1].clone() + &gaps[2];
    let second = half.clone() * &total - &gaps[0];
    let average = total / &k;
    let concluded = factor * (half * &r2 + &gaps[0] + k.clone() * &n) / &k;
    if !(chain <= budget && second <= chain && average > concluded) {
        return Verdict::open("the values tried do not separate the displays from the conclusion");
    }
    Verdict::refuted(
        format!(
            "K = 2, R² = 2, N = 1, (F_0, F_1, F_2) = (0, 6, 0): the sum in (i) is {chain} ≤ \
                {budget}, (ii) holds, (1/K)ΣF_k = {average}, but (iv) says at most {concluded}"
        ),
        "exact evaluation of the four displays; the lemma itself holds, see skgd-lem-E.1",
        Some("skgd-lem-E.1-proof-repaired"),
    )
}

/// `skgd-lem-E.1-proof-repaired`: the displays give twice the printed right side, and no factor below
/// two follows from them as K grows or N vanishes.
pub const LEM_E_1_PROOF_REPAIRED: Claim = Claim {
    id: "skgd-lem-E.1-proof-repaired",
    place: "App. E.3, proof of Lemma E.1, last display with the constant that follows",
    kind: Kind::PathwiseInequality,
    statement: "the displays (i)–(iii) imply E[f(w^{t+1})−f*] ≤ (2/K)(½R² + F_0 + K·N); twice the \
        printed right side",
    hypotheses: "F_k, R², N ≥ 0, K ≥ 1",
    check: by_kernel,
    ..Claim::ALONE
};
