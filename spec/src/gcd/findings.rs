//! What of gcd does not hold as printed: `dp-assay ledger --findings --paper gcd`, and `paper gcd --erratum` with
//! counterexamples and repairs.

use super::{excess, parameters, sizes};
use crate::findings::{Effect, EffectKind, Note};

const PRIVACY: &[&str] = &["gcd-thm-4.2", "gcd-eq-2", "gcd-rem-4.3"];
const CONVEX: &[&str] = &["gcd-thm-4.4-cvx-b", "gcd-thm-4.4-cvx"];
const STRONGLY: &[&str] = &["gcd-thm-4.4-sc-b", "gcd-thm-4.4-sc"];
const QUASI_SPARSE: &[&str] = &["gcd-thm-4.7-b", "gcd-thm-4.7"];

/// What is said of each statement beyond its verdicts.
pub const NOTES: [Note; 29] = [
    Note {
        id: "gcd-eq-38",
        theorem: QUASI_SPARSE,
        effect: Effect::of(EffectKind::Wording),
        cause: "gcd-eq-38-boundary",
        words: "No effect on ε. (38) differs from Definition 4.6 at the boundary |w_j| = α, and \
            the threshold π_α does not reach every sparse vector. The proof needs only π_α(w*), \
            from which the repaired Lemma B.5 follows.",
    },
    Note {
        id: "gcd-mech-rnm",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Privacy)
            .worst(sizes::noisy_max_unequal)
            .realistic(sizes::noisy_max),
        cause: "gcd-selection-shifts-both-ways",
        words: "Scores are released by their order, and several scores move at once in opposite \
            directions. One selection costs nearly 2ε′ for two equal coordinates far apart (the \
            realistic figure), and nearly pε′ where the other L_k/√M_k are p − 1 times the chosen \
            one's (the largest figure: 101 coordinates); never more than min(1 + max r_k/r_j, \
            p)·ε′. Selection noise larger by the factor 1 + max r_k/r_j (2 for equal ratios) makes \
            it ε′.",
    },
    Note {
        id: "gcd-imp-cor3.21",
        theorem: &["gcd-thm-4.2"],
        effect: Effect::of(EffectKind::Privacy).edge("δ > e^(−ε/8), that is δ → 1"),
        cause: "gcd-delta-near-one",
        words: "Only δ > e^(−ε/8) is affected: there √log(1/δ) falls to 0 and with it the noise. \
            In the counterexample δ = 0.99990 is exceeded by an exact 0.99999994. For all smaller \
            δ the corollary holds as printed.",
    },
    Note {
        id: "gcd-thm-4.2",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Privacy)
            .worst(sizes::theorem_tiny)
            .realistic(sizes::theorem),
        cause: "gcd-selection-shifts-both-ways",
        words: "The theorem composes selections that are taken to be ε′-DP and are not where the \
            L_k/√M_k differ (41 coordinates in the counterexample), which one round alone, T = 1, \
            shows: the realistic figure is for it at n = 60,000 and ratio 100. There the excess \
            starts at ratios between 10 and 20; at T = 2 the most that we know is 1.003, and from \
            T = 3 on we know of no excess. The excess grows without limit, like √log(1/δ) (the \
            largest figure: δ = 10⁻¹⁰⁰). With equal ratios (clipping at C_j ∝ √M_j) and δ ≤ 1/e \
            the slack of the composition covers the factor 2, and the printed noise suffices.",
    },
    Note {
        id: "gcd-eq-2",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Privacy)
            .worst(sizes::equation_2_tiny)
            .realistic(sizes::equation_2),
        cause: "gcd-selection-shifts-both-ways",
        words: "The equation composes selections that are taken to be ε′-DP, without the factor 2 \
            to spare that Theorem 4.2 has. In one round at n = 60,000 the excess starts at ratios \
            between 5 and 10, and at ratio 100 it lasts up to T = 7. With equal ratios the printed \
            noise suffices for T ≤ (4/9)·log(1/δ); for more rounds it is not known.",
    },
    Note {
        id: "gcd-rem-4.3",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Privacy)
            .worst(sizes::equation_2_tiny)
            .realistic(sizes::equation_2),
        cause: "gcd-selection-shifts-both-ways",
        words: "As for equation (2), which it solves for ε′; the sizes are the same. It is the \
            calibration of the paper's experiments, where clipping makes the ratios equal and no \
            excess is known.",
    },
    Note {
        id: "gcd-lem-B.1",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::Wording),
        cause: "gcd-independence-not-listed",
        words: "No effect on ε. The lemma lists no independence, which its proof uses at (6); for \
            nine equal variables the tail is 43 times the bound. The noises of Algorithm 1 are \
            independent, and the event that the theorems need is proved (gcd-eq-34).",
    },
    Note {
        id: "gcd-lem-B.4",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "gcd-lem-B.4-tstar",
        words: "No effect on ε. The lemma holds for β > 0; the t* of its proof need not exist (the \
            level must be twice as high).",
    },
    Note {
        id: "gcd-lem-B.4-proof-sign",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::Wording),
        cause: "gcd-misprint-sign",
        words: "No effect on ε. One sign in the middle of the expansion under (26) is \
            reversed; its end, which is used, is right.",
    },
    Note {
        id: "gcd-lem-B.4-beta-0",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::Wording).edge("β = 0, that is without noise"),
        cause: "gcd-beta-zero",
        words: "No effect on ε. Without noise the first part asks a positive sequence to vanish; \
            the second part, which the theorems use, holds there too.",
    },
    Note {
        id: "gcd-thm-4.4-cvx-b",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::UtilityConstant).worst(excess::convex),
        cause: "gcd-gap-condition",
        words: "No effect on ε. The gap condition of the main text is not the one that the proof \
            uses, and a rescaling of w voids it; the size is what the risk exceeds with \
            probability 1/100 over the bound where T = 1 is a hundred times the printed T, and \
            grows without limit with the slope of the loss. At the T of the proof, of one step in \
            one coordinate, it fails for ζ below 7·10⁻⁹. The bound holds under the condition of \
            the proof, and without any if Tβ is added; at T of order X that changes only the power \
            of the logarithm.",
    },
    Note {
        id: "gcd-thm-4.4-cvx",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::UtilityRate).edge("δ → 1"),
        cause: "gcd-delta-near-one-rate",
        words: "No effect on ε. As δ → 1 the risk falls like the cube root of log(1/δ), which (28) \
            gives, and the printed first power does not cover it. For δ ≤ 1/e the printed rate \
            follows from the restricted claim.",
    },
    Note {
        id: "gcd-thm-4.4-cvx-gap",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "gcd-gap-condition",
        words: "No effect on ε. The gap condition of the main text is weaker than that of the \
            proof: 0.80 against 47.9 in the counterexample, and by an unbounded factor, since it \
            lacks the radius R.",
    },
    Note {
        id: "gcd-thm-4.4-cvx-T",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::Wording),
        cause: "gcd-cvx-T-constant",
        words: "No effect on ε. The two printed values of T differ by the factor 2^(1/3): under \
            the cube root 2⁷ stands for 2⁶. Rounded up, the T of the proof gives the rate. The \
            main text's T = O(X) means T of order X, and (29), (36) and (37) print f(w⁰) for \
            f(w*).",
    },
    Note {
        id: "gcd-thm-4.4-sc-b",
        theorem: STRONGLY,
        effect: Effect::of(EffectKind::UtilityRate)
            .worst(excess::strongly_tiny)
            .realistic(excess::strongly),
        cause: "gcd-lipschitz-excludes-strong-convexity",
        words: "No effect on ε. Component-Lipschitz losses on all of R^p exclude strong convexity, \
            so the bound speaks of no function. Where L_j bounds the sensitivity only, it is \
            exceeded with probability 0.0385 where 0.01 is allowed (what is exceeded with \
            probability ζ is 2.0 times the bound at ζ = 1/100, 115 times at ζ = 10⁻¹⁰⁰): the \
            derivation gives the contraction 1 − μ/4 for 1 − μ/2, the squared logarithm, and 512 \
            for 64. Line (55) has 32 for 128, line (54) one power of the contraction too many (as \
            has line (62)).",
    },
    Note {
        id: "gcd-thm-4.4-sc-T",
        theorem: STRONGLY,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "gcd-lipschitz-excludes-strong-convexity",
        words: "No effect on ε. Empty with the theorem; with the contraction 1 − μ/4 the number of \
            steps needs the factor 4/μ, where the statement prints 2/μ. The T of the main text has \
            nε/L_max in its logarithm where the others have the square, so that it changes when w \
            is rescaled, and the problem does not.",
    },
    Note {
        id: "gcd-thm-4.4-sc",
        theorem: STRONGLY,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "gcd-lipschitz-excludes-strong-convexity",
        words: "No effect on ε. Empty with the bound it summarises; the derivation gives the \
            squared logarithm. The T above (56) has one power of log(8p/ζ) in its logarithm where \
            (56) has two, so that (56) is smaller than (55).",
    },
    Note {
        id: "gcd-eq-41",
        theorem: QUASI_SPARSE,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "gcd-eq-41-two-tau",
        words: "No effect on ε. The difference of two τ-sparse vectors has up to 2τ entries, so \
            the left inequality needs 1/(2τ) for 1/τ, a factor 2 in the sparsity of Theorem 4.7. \
            For vectors with a common support of τ coordinates, which is how Lemma B.5 uses it, \
            the printed 1/τ holds.",
    },
    Note {
        id: "gcd-lem-B.5",
        theorem: QUASI_SPARSE,
        effect: Effect::of(EffectKind::Wording),
        cause: "gcd-lem-B.5-square",
        words: "No effect on ε. The norm of the gradient lacks its square, which (44) to (47) and \
            Corollary B.6 have, and (60) lacks it, too: 1.5 is to exceed 4.5 in the \
            counterexample. From (43) to (44) a sign is reversed, which (45) makes good. The \
            condition τ ≤ p is missing.",
    },
    Note {
        id: "gcd-lem-B.5-proof",
        theorem: QUASI_SPARSE,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "gcd-few-large-entries",
        words: "No effect on ε. The line after (48) counts p − τ small entries where a vector \
            with fewer than τ large ones has more. The lemma needs the τ largest entries of w* \
            kept, whatever their size: then p − τ are left.",
    },
    Note {
        id: "gcd-eq-61",
        theorem: QUASI_SPARSE,
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "gcd-mmax-dropped",
        words: "No effect on ε. The term in α² lacks the factor M_max of Lemma B.5: with M = 100·I \
            a step ends at 5000 where the bound is below 4426. (For losses whose slopes are not \
            bounded by the L_j: component-Lipschitz losses on all of R^p, which Theorem 4.7 asks \
            for, exclude strong convexity. Lemmas B.2 and B.5, from which (61) is read off, do not \
            ask for them.)",
    },
    Note {
        id: "gcd-thm-4.7-b",
        theorem: QUASI_SPARSE,
        effect: Effect::of(EffectKind::UtilityRate).worst(excess::sparse),
        cause: "gcd-lipschitz-excludes-strong-convexity",
        words: "No effect on ε. Component-Lipschitz losses on all of R^p exclude strong convexity, \
            so the bound speaks of no function. Where L_j bounds the sensitivity only, it is \
            exceeded whatever the noise (5000 against less than 4761): M_max is missing, and (66) \
            has k/8 where (65) gives k/2. Line (62) has one factor too many, and (65) takes \
            μ_{M,1}^{(τ)} ≤ μ_{M,2}, which is the wrong way round (0.4 against 0.1 in the \
            counterexample). β lacks the 8 of (34) in its logarithm, so that the chain shows \
            8ζ/(Tp) where ζ/(Tp) is used. As M = mI, m → ∞, the risk is 1.28 times the bound of \
            (58) at p = 10⁶, T = 1000, and tends to e^(1/4) times it.",
    },
    Note {
        id: "gcd-thm-4.7",
        theorem: QUASI_SPARSE,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "gcd-lipschitz-excludes-strong-convexity",
        words: "No effect on ε. Empty with the bound it summarises. The printed T lacks the factor \
            4 of the contraction 1 − μ/(4k): with it (58) falls like (nε)^(−1/2), not (nε)^(−2). \
            From (66) to (59) one power of μ_{M,2} is lost, a factor 1/μ_{M,2}. The first display \
            of the main text lacks M_max, as (57) does.",
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
        words: "No effect on ε. Smoothness forces μ_{M,1} ≤ 1/p, so the factor 1/μ_{M,1}² of the \
            strongly convex rate is at least p²: that regime has no rate logarithmic in p. The \
            convex half is not affected.",
    },
    Note {
        id: "gcd-disc-l2-best",
        theorem: STRONGLY,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "gcd-mu-at-most-1-over-p",
        words: "No effect on ε. The best case of the strongly convex rate needs μ_{M,1} of order \
            1, which smoothness excludes once p > 1/μ_{M,1}. The worst case and the convex case \
            are not affected.",
    },
    Note {
        id: "gcd-good-steps",
        theorem: &["gcd-prox-priv"],
        effect: Effect::of(EffectKind::Wording),
        cause: "gcd-rule-gsq-orientation",
        words: "With (GS-q) as displayed the rules do not coincide: it prefers the coordinate of \
            smallest decrease, argmin is meant where argmax is printed. The display also has no \
            noise; a selection without noise has no finite ε.",
    },
    Note {
        id: "gcd-prox-priv",
        theorem: &["gcd-prox-priv"],
        effect: Effect::of(EffectKind::Privacy)
            .worst(sizes::theorem_tiny)
            .realistic(sizes::theorem),
        cause: "gcd-prox-plateau",
        words: "With ψ = 0 this is Algorithm 1, which fails where ratios differ: both sizes are \
            those of Theorem 4.2. The proximal step is a post-processing, the selection is not: \
            the noisy scores of an ℓ₁ regulariser are 0 on an interval, and their ties cost more \
            than ε′ even at equal ratios, where Algorithm 1 keeps its guarantee. If the choice is \
            seen, as in a log or with one noise in rule and update (Appendix C has one symbol for \
            both), 31 coordinates at δ = 10⁻¹² show it; from the iterates alone, which a step \
            often leaves unchanged, 36 at δ = 10⁻³⁰, each whatever the rule for ties. Noise on the \
            scores instead of inside them restores the guarantee.",
    },
    Note {
        id: "gcd-thm-4.4-dp",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::Privacy).worst(parameters::excess),
        cause: "data-dependent-parameters",
        words: "The printed T contains the distance of w⁰ from the minimiser, and the noise and \
            the number of steps follow T. The paper does not say how that distance is obtained; \
            this is about a T computed from the data, as its formula reads. One record can move \
            the minimiser far: in the counterexample (n = 1) the spread of the result tells which \
            of two data sets was used. The excess grows without limit, like log T. For p = 1, as \
            there, a T fixed beforehand loses nothing; for other p see gcd-thm-4.2. With T fixed \
            beforehand the repaired Theorem 4.2 covers the algorithm; the T of the other cases \
            contains μ and f(w⁰) − f* in the same way.",
    },
];
