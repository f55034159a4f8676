//! Appendix B.4.1 and B.4.3, and Theorem 4.7.

use super::strongly_convex::empty;
use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Forall, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 15] = [
    EQ_41,
    EQ_41_REPAIRED,
    LEM_B_5,
    LEM_B_5_REPAIRED,
    LEM_B_5_PROOF,
    COR_B_6,
    EQ_61,
    EQ_61_REPAIRED,
    THM_4_7_B,
    THM_4_7_B_READING_LOCAL,
    THM_4_7_B_PROOF,
    THM_4_7_B_REPAIRED,
    THM_4_7,
    THM_4_7_PROOF,
    DISC_QUASI,
];

/// `gcd-eq-41`: (40) compares any two τ-sparse vectors, whose difference may have 2τ entries. Instance
/// f = ||w||²/2, p = 2, τ = 1, v = x e₁, w = −y e₂.
pub const EQ_41: Claim = Claim {
    id: "gcd-eq-41",
    place: "App. B.4.1, eq. (41), as cited there",
    kind: Kind::Imported,
    statement: "(1/τ) μ_{M,2}^{(τ)} ≤ μ_{M,1}^{(τ)} ≤ μ_{M,2}^{(τ)}, constants of (40)",
    hypotheses: "τ ≥ 1 (the print says τ ≥ 0)",
    by_hand: &[
        "of f = ‖w‖²/2 on the plane with M = I the largest constants of (40) at τ = 1 are μ₂ = 1 \
            and μ₁ = 1/2: f(w) − f(v) − ⟨∇f(v), w − v⟩ = ‖w − v‖_2²/2, and w − v = (x, y) has an \
            entry of each vector, so that ‖w − v‖_2² ≥ (|x| + |y|)²/2, with equality at x = y",
    ],
    check: by_kernel,
    ..Claim::ALONE
};

/// `gcd-eq-41-repaired`: with 2τ, attained by the same instance. For vectors with a common support of τ
/// coordinates (the way Lemma B.5 uses it) the printed 1/τ holds.
pub const EQ_41_REPAIRED: Claim = Claim {
    id: "gcd-eq-41-repaired",
    statement: "(1/(2 τ)) μ_{M,2}^{(τ)} ≤ μ_{M,1}^{(τ)} ≤ μ_{M,2}^{(τ)}, constants of (40)",
    check: by_kernel,
    by_hand: &[],
    ..EQ_41
};

/// `gcd-lem-B.5`, as printed, without the square. p = τ = 1, f = (w − 3)²/2, w^t = 0: gradient 3, gap 9/2.
pub const LEM_B_5: Claim = Claim {
    id: "gcd-lem-B.5",
    place: "App. B.4.1, Lemma B.5, eqs (42)-(48)",
    kind: Kind::PathwiseInequality,
    statement: "-(1/2)‖∇ f(w^t)‖_{M^-1,inf} ≤ -μ_{M,1}^{(t+τ)} (f(w^t)-f(w*)) + (1/2) M_max \
        μ_{M,1}^{(t+τ)} (p-τ) α^2",
    hypotheses: "f M-component-smooth and μ_{M,1}^{(k)}-strongly convex on k-sparse vectors, k = \
        t+τ; w* (α,τ)-quasi-sparse; w^t t-sparse",
    check: by_kernel,
    ..Claim::ALONE
};

/// `gcd-lem-B.5-repaired`: with the square that (44)-(47) derive. The comparator keeps the τ largest
/// entries of w*, so that exactly p − τ entries, all at most α, are dropped.
pub const LEM_B_5_REPAIRED: Claim = Claim {
    id: "gcd-lem-B.5-repaired",
    hypotheses: "f M-component-smooth and μ_{M,1}^{(k)}-strongly convex on k-sparse vectors, k = \
        t+τ; w* (α,τ)-quasi-sparse, τ ≤ p; w^t t-sparse",
    statement: "-(1/2)‖∇ f(w^t)‖_{M^-1,inf}^2 ≤ -μ_{M,1}^{(t+τ)} (f(w^t)-f(w*)) + (1/2) M_max \
        μ_{M,1}^{(t+τ)} (p-τ) α^2",
    rests_on: &["gcd-def-norms", "gcd-eq-40"],
    check: by_kernel,
    ..LEM_B_5
};

/// `gcd-lem-B.5-proof`: π_α drops every entry up to α, of which there are more than p − τ when fewer than τ
/// exceed α. α = 1, w* = (9/10, 9/10), τ = 1: two entries are dropped, one is counted. That w* is quasi-sparse with > and ≥.
pub const LEM_B_5_PROOF: Claim = Claim {
    id: "gcd-lem-B.5-proof",
    place: "App. B.4.1, line after eq. (48)",
    statement: "‖π_α(w*) - w*‖_{M,2}^2 ≤ M_max (p-τ) α^2 for every (α,τ)-quasi-sparse w*",
    hypotheses: "α, τ ≥ 0",
    check: by_kernel,
    ..LEM_B_5
};

/// `gcd-cor-B.6`: α = 0.
pub const COR_B_6: Claim = Claim {
    id: "gcd-cor-B.6",
    place: "App. B.4.1, Corollary B.6, eq. (49)",
    kind: Kind::PathwiseInequality,
    statement: "-(1/2)‖∇ f(w^t)‖_{M^-1,inf}^2 ≤ -μ_{M,1}^{(t+τ)} (f(w^t)-f(w*))",
    hypotheses: "as gcd-lem-B.5 with α = 0",
    rests_on: &["gcd-lem-B.5-repaired"],
    by_hand: &[],
    check: by_kernel,
};

/// `gcd-eq-61`, as printed, without M_max. M = 100·I, p = 101, τ = 1, α = 101/100, w* = (1,…,1), w⁰ = 0, no noise: a step
/// removes one coordinate's gap. μ^{(1)} is 1/2 for pairs of 1-sparse vectors, 1 for a common support.
pub const EQ_61: Claim = Claim {
    id: "gcd-eq-61",
    place: "App. B.4.3, eqs (60)-(61)",
    kind: Kind::PathwiseInequality,
    statement: "ξ_{t+1} ≤ (1 - μ_{M,1}^{(k)}/4) ξ_t + (μ_{M,1}^{(k)}/8)(p-τ) α^2 + noise, k = \
        min(s,t)+τ",
    hypotheses: "w^0 = 0, iterates s-sparse, as gcd-lem-B.5 and gcd-lem-B.2",
    check: |check| contraction(check, false),
    ..Claim::ALONE
};

/// `gcd-eq-61-repaired`, a theorem of the kernel (`super::kernel::quasi`): with M_max on the α² term, as Lemma B.5 has it.
pub const EQ_61_REPAIRED: Claim = Claim {
    id: "gcd-eq-61-repaired",
    hypotheses: "w^0 = 0, iterates s-sparse, as gcd-lem-B.5-repaired (so τ ≤ p) and gcd-lem-B.2",
    statement: "ξ_{t+1} ≤ (1 - μ_{M,1}^{(k)}/4) ξ_t + (μ_{M,1}^{(k)}/8) M_max (p-τ) α^2 + noise, k \
        = min(s,t)+τ",
    rests_on: &["gcd-lem-B.5-repaired", "gcd-lem-B.2", "gcd-rem-4.1"],
    check: by_kernel,
    by_hand: &[],
    ..EQ_61
};

fn contraction(check: &Check, with_m_max: bool) -> Verdict {
    let eighth = check.constant("factor of μ (p-τ) α^2", ratio(1, 8));
    let m_max = if with_m_max { 100 } else { 1 };
    let (before, after) = (Rational::from(5050), Rational::from(5000));
    let failure = [ratio(1, 2), ratio(1, 1)].into_iter().find_map(|mu| {
        let kept = Rational::from(1) - Rational::from(&mu / 4);
        let bound =
            kept * &before + Rational::from(&eighth * &mu) * 100 * m_max * ratio(101, 100).square();
        (after > bound).then(|| {
            format!(
                "M = 100 I, p = 101, τ = 1, α = 101/100, w* = (1,..,1), w^0 = 0, no noise, μ^(1) = \
                    {mu}: {after} ≤ {bound} fails"
            )
        })
    });
    let [g, mu, xi, drop] = symbols();
    // A quarter of (1/2)||∇f||² ≥ μξ − (μ/2)·drop.
    let quarter = (g.square() / 2 - (&mu * &xi - &mu * &drop / 2)) / 4;
    let stated = g.square() / 8 - (&mu / 4 * &xi - &eighth * &mu * &drop);
    let holds = failure.is_none();
    Argument::new(check)
        .repaired("gcd-eq-61-repaired")
        .states_that("exact noise-free steps", holds, || {
            failure.unwrap_or_default()
        })
        .needs_identity("Lemma B.5 in Lemma B.2", &quarter, &stated)
        .proved_on("all p, s, t, τ ≤ p, α ≥ 0, M_j > 0, f as in the hypotheses, all noises")
}

/// `gcd-thm-4.7-b`, as printed: hypotheses of Theorem 4.4 with strong convexity.
pub const THM_4_7_B: Claim = Claim {
    id: "gcd-thm-4.7-b",
    place: "App. B.4.3, Thm 4.7, eqs (57)-(58)",
    kind: Kind::HighProbability,
    statement: "ξ_T ≤ (1 - μ_{M,1}^{(k)}/4)^T ξ_0 + 4k β/μ_{M,2} + (k/8)(p-τ) α^2, k = min(s,T)+τ, \
        with probability at least 1-ζ",
    hypotheses: "l(·;d) L-component-Lipschitz on R^p, f μ_{M,2}-strongly convex; w^0 = 0, iterates \
        s-sparse, solution (α,τ)-quasi-sparse, β = (2 λ_max^2/M_min) log(TP/ζ)^2",
    check: |check| empty(check, "gcd-thm-4.7-b-repaired"),
    ..Claim::ALONE
};

/// `gcd-thm-4.7-b-reading-local`: L_j sets the noise only. The instance of `gcd-eq-61` after one step, k = 2: whatever the
/// noise, 100 coordinates are left at 0; μ^{(2)} is 1/4 (pairs) or 1/2 (common support).
pub const THM_4_7_B_READING_LOCAL: Claim = Claim {
    id: "gcd-thm-4.7-b-reading-local",
    hypotheses: "the L_j bound the sensitivity only; otherwise as gcd-thm-4.7-b",
    check: one_step_of_many,
    ..THM_4_7_B
};

fn one_step_of_many(check: &Check) -> Verdict {
    let eighth = check.constant("factor of k (p-τ) α^2", ratio(1, 8));
    let (before, after) = (Rational::from(5050), Rational::from(5000));
    // δ = 1/e, L = ε = 1, n = 10⁶: λ = 8·10⁻⁶; ζ = 1/2, μ_{M,2} = 1.
    let lambda = Interval::from_rational(&ratio(8, 1_000_000));
    let beta = Interval::from(2) * lambda.square() / Interval::from(100)
        * Interval::from(202).ln().square();
    let drop = Rational::from(&eighth * 200) * ratio(101, 100).square();
    let bound = |mu: Rational| {
        let exact = (Rational::from(1) - mu / 4) * &before + &drop;
        Interval::from_rational(&exact) + Interval::from(8) * &beta
    };
    let bounds = [ratio(1, 4), ratio(1, 2)].map(bound);
    let fails = bounds
        .iter()
        .all(|bound| bound.certainly_lt(&Interval::from_rational(&after)));
    Argument::new(check)
        .repaired("gcd-thm-4.7-b-repaired")
        .states_that("one step, whatever the noise", !fails, || {
            format!(
                "δ = 1/e, L = ε = 1, n = 1e6, ζ = 1/2, M = 100 I, p = 101, τ = s = T = 1, α = \
                    101/100, w* = (1,..,1): ξ_1 ≥ {after} always, which exceeds {} and {} (μ^(2) = \
                    1/4 and 1/2)",
                bounds[0], bounds[1]
            )
        })
        .open_for("only one step was tried")
}

/// `gcd-thm-4.7-b-proof`: from (65) to (66), (4k/μ)(μ/8) is k/2, not k/8.
pub const THM_4_7_B_PROOF: Claim = Claim {
    id: "gcd-thm-4.7-b-proof",
    place: "App. B.4.3, from (65) to (66)",
    statement: "(4k/μ_{M,2})(β + (μ_{M,2}/8)(p-τ) α^2) ≤ 4k β/μ_{M,2} + (k/8)(p-τ) α^2",
    hypotheses: "μ_{M,2} > 0",
    check: |check| {
        let eighth = check.constant("factor of k (p-τ) α^2", ratio(1, 8));
        let [k, mu, beta, drop] = symbols();
        let left = 4 * &k / &mu * (&beta + &mu / 8 * &drop);
        let (domain, part) = Domain::of("k (p-τ) α^2", open(0), infinite());
        Argument::new(check)
            .repaired("gcd-thm-4.7-b-repaired")
            .needs_identity(
                "the left side",
                &left,
                4 * &k * &beta / &mu + ratio(1, 2) * &k * &drop,
            )
            .states(
                "gcd-thm-4.7-b-proof",
                &Forall::le(domain, ratio(1, 2) * &part, eighth * part),
            )
            .proved_on("all parameters")
    },
    ..THM_4_7_B
};

/// `gcd-thm-4.7-b-repaired`, a theorem of the kernel (`super::kernel::sparse_runs`): no Lipschitz condition, log(8Tp/ζ) in β, M_max on the α² term,
/// and μ^{(k)}_{M,1} itself (for common supports at least μ_{M,2}/k, which gives (1 − μ_{M,2}/(4k))^T ξ₀ + 4kβ/μ_{M,2} + ½M_max(p−τ)α²):
/// ξ − 4β/μ − M_max(p−τ)α²/2 contracts. What has been moved is surely not 0, so that all iterates have at most the entries of the last.
pub const THM_4_7_B_REPAIRED: Claim = Claim {
    id: "gcd-thm-4.7-b-repaired",
    statement: "with probability at least 1-ζ, ξ_T ≤ (1 - μ/4)^T ξ_0 + 4 β/μ + (1/2) M_max (p-τ) \
        α^2 unless w^T has more than s entries, μ = μ_{M,1}^{(k)}, k = min(s,T)+τ, β = (2 \
        λ_max^2/M_min) log(8Tp/ζ)^2",
    hypotheses: "f convex, M-component-smooth, μ-strongly convex on k-sparse vectors; w^0 = 0, w* \
        (α,τ)-quasi-sparse, τ ≤ p, γ_j = 1/M_j, ζ in (0, 1]; any s, so that of s-sparse iterates \
        it holds with probability at least 1-ζ",
    rests_on: &["gcd-eq-61-repaired", "gcd-lem-B.1", "gcd-eq-34"],
    check: by_kernel,
    by_hand: &[],
    ..THM_4_7_B
};

/// `gcd-thm-4.7`, as printed: hypotheses as its appendix form.
pub const THM_4_7: Claim = Claim {
    id: "gcd-thm-4.7",
    place: "Sec. 4.4, Thm 4.7 (main text), eq. (59)",
    kind: Kind::Rate,
    statement: "f(w^T) - f* = Õ((L_max^2/M_min)(s+τ)^2 log(2p/ζ)/(μ_{M,2} n^2 ε^2)) for T = \
        ((s+τ)/μ_{M,2}) log(…) and small α",
    hypotheses: "as gcd-thm-4.7-b, 0 ≤ T ≤ p-τ",
    check: |check| empty(check, "gcd-thm-4.7-b-repaired"),
    ..Claim::ALONE
};

/// `gcd-thm-4.7-proof`: (66) at its own T has μ_{M,2}², as the condition on α² in the same sentence; (59) prints one power.
pub const THM_4_7_PROOF: Claim = Claim {
    id: "gcd-thm-4.7-proof",
    place: "App. B.4.3, from (66) to (59)",
    statement: "the noise term 4k β/μ_{M,2} of (66), β proportional to T, is at most C·4 k^2 (β/T) \
        log/μ_{M,2} at T = (k/μ_{M,2}) log, C the same for all μ_{M,2}",
    hypotheses: "μ_{M,2} in (0, 1]",
    check: |check| {
        let constant = check.constant("C", 1);
        if constant <= 0 {
            return Verdict::open("only C > 0 is examined");
        }
        let [k, mu, log, per_step] = symbols();
        let steps = &k / &mu * &log;
        let derived = 4 * &k * (&per_step * steps) / &mu;
        let least = (Rational::from(1) + &constant).recip();
        let ratio = least.clone().recip();
        Argument::new(check)
            .repaired("gcd-thm-4.7-b-repaired")
            .needs_identity(
                "the noise term over 1/μ_{M,2}",
                derived,
                4 * k.square() * &log * &per_step / mu.square(),
            )
            .states_that(
                "the ratio of the two sides is 1/μ_{M,2}",
                ratio <= constant,
                || {
                    format!(
                        "μ_{{M,2}} = {least}: the ratio of the two sides is {ratio}, and without \
                            bound as μ_{{M,2}} → 0"
                    )
                },
            )
            .open_for("one value of μ_{M,2}")
    },
    ..THM_4_7
};

/// `gcd-disc-quasi`, a reading of Theorem 4.7.
pub const DISC_QUASI: Claim = Claim {
    id: "gcd-disc-quasi",
    place: "Sec. 4.4, after Thm 4.7",
    kind: Kind::Rate,
    statement: "under Theorem 4.7 the dependence on p is reduced to (s+τ)^2 up to logarithms",
    hypotheses: "as gcd-thm-4.7",
    check: |check| empty(check, "gcd-thm-4.7-b-repaired"),
    ..Claim::ALONE
};
