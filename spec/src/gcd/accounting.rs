//! Section 5, (Privacy): what numerical accountants rest on, also those of this project.
//!
//! The paper accounts numerically and prints none of this. P and Q are laws of one mechanism on neighbours; the hockey stick
//! H_a(P‖Q) = ∫(P − aQ)₊ with a = e^ε is the least δ, and a pair dominates a mechanism if its H_a is never below.

use crate::arith::Poly;
use crate::arith::algebra::Steps;
use crate::claim::{Claim, Kind, by_kernel};

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 4] = [AUX_DOMINATED, AUX_SAMPLED, AUX_RESPONSE, AUX_RENYI];

/// What the claims of this part share.
const BASE: Claim = Claim {
    place: "Sec. 5, (Privacy): numerical accounting (not printed)",
    kind: Kind::Composition,
    ..Claim::ALONE
};

/// `gcd-aux-dominated`. The step is one identity under the integral: given the first output, the second is asked for
/// a·q₁/p₁ in the place of a.
pub const AUX_DOMINATED: Claim = Claim {
    id: "gcd-aux-dominated",
    statement: "if the pair (P_i, Q_i) dominates the i-th of k adaptively chosen mechanisms \
        whatever the outputs before it, the pair of products dominates their composition; a law of \
        the loss that is rounded up bounds H_a from above",
    hypotheses: "a > 0; the pairs fixed beforehand",
    by_hand: &[],
    check: by_kernel,
    ..BASE
};

/// `gcd-aux-sampled`, in both directions of (Q, (1−q)Q + qP).
pub const AUX_SAMPLED: Claim = Claim {
    id: "gcd-aux-sampled",
    statement: "a mechanism that takes each record with probability q, independently, is dominated \
        by ((1−q)Q + qP, Q) if a record is removed and by (Q, (1−q)Q + qP) if one is added, where \
        (P, Q) dominates the mechanism on samples with and without the record",
    hypotheses: "0 < q ≤ 1, a ≥ 1; add or remove one record",
    by_hand: &[
        "Given which other records are in the sample, the law with the record is the mixture of \
            both at rate q.",
        "The identities turn H_a of the mixtures into q·H_b(P‖Q) with b = 1 + (a−1)/q, and into H \
            of (Q, P), which are bounded by those of the dominating pair; a negative factor makes \
            the second one 0.",
        "H_a is jointly convex, so that a mean over the other records of the sample bounds it.",
    ],
    check: |check| {
        let shift = Poly::from(check.constant("least level", 1));
        let [a, q, p, r] = ["a", "q", "P", "Q"].map(Poly::var);
        let one = Poly::from(1);
        let mixed = (&one - &q) * &r + &q * &p;
        let level = &shift + (&a - &one) * Poly::power("q", -1);
        let removed = &mixed - &a * &r;
        let added = &r - &a * &mixed;
        Steps::new()
            .positive(&["a", "q", "P", "Q"])
            .equal("removal", &removed, &q * (&p - level * &r))
            .equal(
                "addition",
                &added,
                (&shift - &a * (&one - &q)) * &r - &a * &q * &p,
            )
            .proved_on("all q in (0, 1], a ≥ 1, all mechanisms")
    },
    ..BASE
};

/// `gcd-aux-response`: P and Q are mixtures of the same two laws, with the weights of a randomised response.
pub const AUX_RESPONSE: Claim = Claim {
    id: "gcd-aux-response",
    statement: "the laws P, Q of an ε-DP mechanism on neighbours are the mixtures of (aP − \
        Q)/(a−1) and (aQ − P)/(a−1), a = e^ε, with weights a/(1+a), 1/(1+a), and 1/(1+a), a/(1+a): \
        it post-processes a randomised response, and k of them, adaptively, k responses",
    hypotheses: "ε > 0",
    by_hand: &[],
    check: by_kernel,
    ..BASE
};

/// `gcd-aux-renyi`: (1−u)·u^(α−1) on (0, 1] is largest where its derivative, u^(α−2)·((α−1) − αu), changes its sign.
pub const AUX_RENYI: Claim = Claim {
    id: "gcd-aux-renyi",
    statement: "an (α, τ)-RDP mechanism is (ε, δ)-DP with δ = e^((α−1)(τ−ε))·(1−1/α)^(α−1)/α",
    hypotheses: "α > 1, τ ≥ 0, ε ≥ 0",
    by_hand: &[],
    check: by_kernel,
    ..BASE
};
