#![doc = include_str!("gcd.md")]

use super::{Effect, EffectKind, Note};

const PRIVACY: &[&str] = &["gcd-thm-4.2", "gcd-eq-2", "gcd-rem-4.3"];
const CONVEX: &[&str] = &["gcd-thm-4.4-cvx-b", "gcd-thm-4.4-cvx"];
const STRONGLY: &[&str] = &["gcd-thm-4.4-sc-b", "gcd-thm-4.4-sc"];
const QUASI_SPARSE: &[&str] = &["gcd-thm-4.7-b", "gcd-thm-4.7"];

/// The theorems that the paper is cited for.
pub const HEADLINES: [&str; 8] = [
    "gcd-thm-4.2",
    "gcd-thm-4.4-cvx",
    "gcd-thm-4.4-cvx-b",
    "gcd-thm-4.4-sc",
    "gcd-thm-4.4-sc-b",
    "gcd-thm-4.7",
    "gcd-thm-4.7-b",
    "gcd-prox-priv",
];

/// What the chapter says of each statement beyond its verdicts.
pub const NOTES: [Note; 25] = [
    Note {
        id: "gcd-eq-38",
        theorem: QUASI_SPARSE,
        effect: Effect::of(EffectKind::Wording),
        cause: "gcd-eq-38-boundary",
        words: "No effect on ε. (38) differs from Definition 4.6 at the boundary |w_j| = α, and the threshold π_α \
                 does not reach every sparse vector. The proof needs only π_α(w*), from which the repaired Lemma \
                 B.5 follows.",
    },
    Note {
        id: "gcd-mech-rnm",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Privacy),
        cause: "gcd-selection-shifts-both-ways",
        words: "Scores are released by their order, and several scores move at once in opposite directions. One \
                 selection costs 1.846·ε′ in the counterexample, nearly 2ε′ for two equal coordinates far apart, and up \
                 to p·ε′ as the other L_k/√M_k grow. Selection noise larger by the factor 1 + max r_k/r_j (2 for equal \
                 ratios) makes it ε′.",
    },
    Note {
        id: "gcd-imp-cor3.21",
        theorem: &["gcd-thm-4.2"],
        effect: Effect::of(EffectKind::Privacy).edge("delta > e^{-eps/8} (delta -> 1"),
        cause: "gcd-delta-near-one",
        words: "Only δ > e^(−ε/8) is affected: there √log(1/δ) falls to 0 and with it the noise. In the counterexample \
                 δ = 0.99990 is exceeded by an exact 0.99999994. For all smaller δ the corollary holds as printed.",
    },
    Note {
        id: "gcd-thm-4.2",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Privacy),
        cause: "gcd-selection-shifts-both-ways",
        words: "For very unequal L_k/√M_k (41 coordinates) the exact δ at ε = 1 is at least 4.0·10⁻¹³ where 10⁻¹⁶ is \
                 claimed; one selection can cost up to p·ε′. For p = 1 and δ = 1 − 10⁻⁴ it is at least 0.99999. With \
                 equal ratios (clipping at C_j ∝ √M_j) and δ ≤ 1/e the slack of the composition covers the factor 2, and \
                 the printed noise suffices.",
    },
    Note {
        id: "gcd-eq-2",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Privacy),
        cause: "gcd-selection-shifts-both-ways",
        words: "The equation composes selections that are taken to be ε′-DP. In the counterexample (31 coordinates, very \
                 unequal L_k/√M_k) the exact δ is at least 7.7 times the claimed 10⁻¹⁰ at ε = 0.98.",
    },
    Note {
        id: "gcd-rem-4.3",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Privacy),
        cause: "gcd-selection-shifts-both-ways",
        words: "As for equation (2): in the counterexample the exact δ is at least 8.9 times the claimed e⁻³⁰ at \
                 ε = 2.28.",
    },
    Note {
        id: "gcd-foot-2",
        theorem: &["gcd-thm-4.2"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "gcd-foot-2",
        words: "As for Theorem 4.2. Releasing the iterates adds nothing to ε: the theorem is about the transcript, from \
                 which they follow.",
    },
    Note {
        id: "gcd-lem-B.1",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::Wording),
        cause: "gcd-independence-not-listed",
        words: "No effect on ε. The lemma lists no independence, which its proof uses; for nine equal variables the tail \
                 is 43 times the bound. The noises of Algorithm 1 are independent, and the event that the theorems need is \
                 proved (gcd-eq-34).",
    },
    Note {
        id: "gcd-lem-B.4",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::Wording),
        cause: "gcd-beta-zero",
        words: "No effect on ε. The lemma holds for β > 0; its printed t* need not exist (the level must be twice as \
                 high), and one sign of an intermediate expansion is reversed.",
    },
    Note {
        id: "gcd-thm-4.4-cvx-gap",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "gcd-gap-condition",
        words: "No effect on ε. The gap condition of the main text is weaker than that of the proof: 0.80 against 47.9 in \
                 the counterexample, and by an unbounded factor, since it lacks the radius R.",
    },
    Note {
        id: "gcd-thm-4.4-cvx-T",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "gcd-cvx-T-constant",
        words: "No effect on ε. The two printed values of T differ by the factor 2^(1/3): under the cube root 2⁷ stands \
                 for 2⁶. Rounded up, the T of the proof gives the rate.",
    },
    Note {
        id: "gcd-thm-4.4-cvx",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "gcd-thm-4.4-cvx",
        words: "No effect on ε. Line (37) drops the term 32A and the 8 in the logarithm, which it can afford only \
                 where log(Tp/ζ) is large: at 5/2 it gives 160A for 178.5A. The rate holds with the constants of \
                 the restricted claim.",
    },
    Note {
        id: "gcd-thm-4.4-sc-b",
        theorem: STRONGLY,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "gcd-sc-constants",
        words: "No effect on ε. Component-Lipschitz losses on all of R^p exclude strong convexity, so the bound speaks of \
                 no function. Where L_j bounds the sensitivity only, it is exceeded with probability 0.0385 where 0.01 is \
                 allowed: the derivation gives the contraction 1 − μ/4 for 1 − μ/2, the squared logarithm, and 512 for 64. \
                 Line (55) has 32 for 128, line (54) one power of the contraction too many.",
    },
    Note {
        id: "gcd-thm-4.4-sc-T",
        theorem: STRONGLY,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "gcd-lipschitz-excludes-strong-convexity",
        words: "No effect on ε. Empty with the theorem; with the contraction 1 − μ/4 the number of steps needs the factor \
                 4/μ, where the statement prints 2/μ.",
    },
    Note {
        id: "gcd-thm-4.4-sc",
        theorem: STRONGLY,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "gcd-lipschitz-excludes-strong-convexity",
        words: "No effect on ε. Empty with the bound it summarises; the derivation gives the squared logarithm.",
    },
    Note {
        id: "gcd-eq-41",
        theorem: QUASI_SPARSE,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "gcd-eq-41-two-tau",
        words: "No effect on ε. The difference of two τ-sparse vectors has up to 2τ entries, so the left inequality needs \
                 1/(2τ) for 1/τ: a factor 2 in the sparsity of Theorem 4.7.",
    },
    Note {
        id: "gcd-lem-B.5",
        theorem: QUASI_SPARSE,
        effect: Effect::of(EffectKind::Wording),
        cause: "gcd-lem-B.5-square",
        words: "No effect on ε. The norm of the gradient lacks its square: 1.5 is to exceed 4.5 in the counterexample. The \
                 line after (48) counts p − τ small entries where a vector with fewer than τ large ones has more.",
    },
    Note {
        id: "gcd-eq-61",
        theorem: QUASI_SPARSE,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "gcd-mmax-dropped",
        words: "No effect on ε. The term in α² lacks the factor M_max of Lemma B.5: with M = 100·I a step ends at 5000 \
                 where the bound is 4425.",
    },
    Note {
        id: "gcd-thm-4.7-b",
        theorem: QUASI_SPARSE,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "gcd-mmax-dropped",
        words: "No effect on ε. Component-Lipschitz losses on all of R^p exclude strong convexity, so the bound speaks of \
                 no function. Where L_j bounds the sensitivity only, it is exceeded without noise (5000 against 4759.4): \
                 M_max is missing, and (66) has k/8 where (65) gives k/2.",
    },
    Note {
        id: "gcd-thm-4.7",
        theorem: QUASI_SPARSE,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "gcd-lipschitz-excludes-strong-convexity",
        words: "No effect on ε. Empty with the bound it summarises.",
    },
    Note {
        id: "gcd-disc-quasi",
        theorem: QUASI_SPARSE,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "gcd-lipschitz-excludes-strong-convexity",
        words: "No effect on ε. Empty with Theorem 4.7.",
    },
    Note {
        id: "gcd-disc-l1",
        theorem: STRONGLY,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "gcd-mu-at-most-1-over-p",
        words: "No effect on ε. Smoothness forces μ_{M,1} ≤ 1/p, so the factor 1/μ_{M,1}² of the strongly convex rate is \
                 at least p²: that regime has no rate logarithmic in p. The convex part is not affected.",
    },
    Note {
        id: "gcd-disc-l2",
        theorem: STRONGLY,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "gcd-mu-at-most-1-over-p",
        words: "No effect on ε. The worst case holds. The best case of the strongly convex rate needs μ_{M,1} of order 1, \
                 which smoothness excludes once p > 1/μ_{M,1}.",
    },
    Note {
        id: "gcd-rule-gsq",
        theorem: &["gcd-prox-priv"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "gcd-rule-gsq",
        words: "The rule prefers the coordinate of smallest decrease: argmin is meant where argmax is printed. Its display \
                 also has no noise; a selection without noise has no finite ε.",
    },
    Note {
        id: "gcd-prox-priv",
        theorem: &["gcd-prox-priv"],
        effect: Effect::of(EffectKind::Privacy),
        cause: "gcd-prox-plateau",
        words: "For unequal L_k/√M_k as Theorem 4.2: δ is at least 3.7·10⁻¹⁰ where 10⁻¹⁰ is claimed. For equal ratios, \
                 where Algorithm 1 keeps its guarantee, the scores of an ℓ₁ regulariser are 0 on an interval, and the ties \
                 cost δ of at least 4.0·10⁻¹⁰ where 10⁻¹⁰ is claimed (31 coordinates). Noise on the scores instead of \
                 inside them restores the guarantee.",
    },
];
