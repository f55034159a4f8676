//! What of skgd does not hold as printed: `dp-assay ledger --findings --paper skgd`, and `paper skgd --erratum` with
//! counterexamples and repairs.

use super::{parameters, utility};
use crate::findings::{Effect, EffectKind, Note};

const PRIVACY: &[&str] = &["skgd-thm-4.1", "skgd-thm-4.1-dp"];
const CONVEX: &[&str] = &["skgd-thm-4.2-cvx", "skgd-thm-4.2-cvx-rate"];
const STRONGLY: &[&str] = &["skgd-thm-4.2-sc", "skgd-thm-4.2-sc-rate"];

/// What is said of each statement beyond its verdicts.
pub const NOTES: [Note; 24] = [
    Note {
        id: "skgd-red-dpsgd",
        theorem: &[],
        effect: Effect::of(EffectKind::Wording),
        cause: "skgd-dpsgd-is-full-gradient",
        words: "No effect on ε. Full sampling gives noisy full-gradient descent; the cited method \
            samples one record a step, so its increments have a different second moment.",
    },
    Note {
        id: "skgd-def-D.4",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Wording),
        cause: "skgd-index-n-for-d",
        words: "No effect on ε. The index n is printed, undeclared, where d is meant: read as the \
            number of records, the masked noise has the length of the query only if n = d.",
    },
    Note {
        id: "skgd-cor-D.5",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::ProofStep),
        cause: "skgd-gaussian-mask",
        words: "As stated no finite ε covers the mechanism: the query is released unmasked outside \
            U, where no noise is added. Line 7 of Algorithm 1 masks query and noise together, and \
            for that mechanism the corollary holds with the printed noise; the ε of Theorem 4.1 is \
            unchanged.",
    },
    Note {
        id: "skgd-lem-D.8",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Wording),
        cause: "skgd-order-quantifier",
        words: "Read at a single order α the lemma understates δ: the counterexample has an event \
            of probability 3·10⁻⁴ where (ε, δ)-DP allows 2.65·10⁻⁴. All orders are meant, and \
            Theorem 4.1 has the bound at every order, so its ε is unchanged.",
    },
    Note {
        id: "skgd-thm-4.1-dp",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::Wording),
        cause: "skgd-sigma-as-variance",
        words: "Line 6 of Algorithm 1 prints N(0, σ_S·I). Who takes σ_S, rather than σ_S², as the \
            variance has noise too small by the factor √σ_S wherever σ_S > 1, and no bound on ε: \
            in the counterexample δ(1) is at least 0.999999 where 1/4 is claimed. Theorem 4.1 and \
            Lemma E.2 mean σ_S as standard deviation, and with it the claim holds.",
    },
    Note {
        id: "skgd-lem-E.2",
        theorem: &["skgd-thm-4.2-cvx", "skgd-thm-4.2-sc"],
        effect: Effect::of(EffectKind::Wording),
        cause: "skgd-sigma-as-variance",
        words: "For ε see skgd-thm-4.1-dp-reading-variance; of this lemma: with σ_S as variance \
            the noise term of the utility bounds would be linear, not quadratic, in σ_S; with σ_S \
            as standard deviation it holds.",
    },
    Note {
        id: "skgd-lem-E.4",
        theorem: &["skgd-thm-4.2-cvx", "skgd-thm-4.2-sc"],
        effect: Effect::of(EffectKind::Wording),
        cause: "skgd-E4-sign",
        words: "No effect on ε. The last line of the proof gives the opposite sign; the printed \
            sign is true where its norm is one, that is for Γ ⪯ PM⁻¹. Both give zero for the step \
            size Γ = PM⁻¹ of the theorems.",
    },
    Note {
        id: "skgd-lem-E.1",
        theorem: &["skgd-thm-4.2-cvx", "skgd-thm-4.2-sc"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "skgd-E1-factor-two",
        words: "No effect on ε. The displays of the proof give twice the right side of the lemma; \
            the lemma itself holds by another argument, which does not even need the term in \
            f(w^t) − f*, so nothing that uses it changes.",
    },
    Note {
        id: "skgd-thm-4.2-cvx-minimiser",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::UtilityConstant)
            .worst(utility::minimiser_cost)
            .realistic(utility::minimiser_cost),
        cause: "skgd-minimiser-sqrt-12",
        words: "No effect on ε. The printed K does not minimise the bound: its value there is \
            13·RΣ_S√c, at the minimiser 4√3·RΣ_S√c (4√3 < 7). The rate is the same.",
    },
    Note {
        id: "skgd-thm-4.2-cvx-rate-below-one",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::UtilityConstant).edge("a printed K below 1, that is R → 0"),
        cause: "skgd-K-below-one",
        words: "No effect on ε. Where the printed K is below 1 one step is still taken, and its \
            noise alone costs a positive risk that no multiple of the printed rate bounds as R → \
            0. For K* ≥ 1 the rate holds.",
    },
    Note {
        id: "skgd-thm-4.2-dp",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::Privacy)
            .worst(parameters::excess)
            .realistic(parameters::realistic),
        cause: "data-dependent-parameters",
        words: "The printed K contains the distance of w⁰ from the minimiser, and the noise and \
            the number of averaged steps follow K. The paper does not say how that distance is \
            obtained (Section 4.2.1 itself calls w* unknown); this is about a K computed from the \
            data, as its formula reads. One record \
            can move the minimiser far: in the counterexample (n = 1) the spread of the result \
            tells which of two data sets was used. The excess grows without limit, like log K. The \
            realistic size is that of one record of 60,000 where a flat direction has the \
            curvature 10/n. With K and T fixed beforehand Theorem 4.1 covers the algorithm; the T \
            of the strongly convex case contains f(w⁰) − f* in the same way.",
    },
    Note {
        id: "skgd-thm-4.2-sc",
        theorem: STRONGLY,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "skgd-lipschitz-excludes-strong-convexity",
        words: "No effect on ε. Component-Lipschitz losses on all of R^d exclude strong convexity, \
            so the theorem speaks of no function. Where L_U bounds the sensitivity only, the \
            contraction holds for the K of the appendix, and the last display of the proof is too \
            small (at X = 2 it is negative, −62.04, against 49).",
    },
    Note {
        id: "skgd-thm-4.2-sc-proof-index",
        theorem: STRONGLY,
        effect: Effect::of(EffectKind::Wording),
        cause: "skgd-first-round",
        words: "No effect on ε. The range 1 ≤ t ≤ T−1 before the recursion leaves out the \
            first round, t = 0, which Lemma E.1 covers.",
    },
    Note {
        id: "skgd-thm-4.2-sc-main-text",
        theorem: STRONGLY,
        effect: Effect::of(EffectKind::Wording),
        cause: "skgd-sc-K-inverted",
        words: "No effect on ε. The main text has the inverse of the fraction in the K of the \
            appendix, whose T beside it has it right; with it a round does not halve the excess, \
            as the proof needs.",
    },
    Note {
        id: "skgd-thm-4.2-sc-rate",
        theorem: STRONGLY,
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "skgd-lipschitz-excludes-strong-convexity",
        words: "No effect on ε. Empty with the theorem it summarises.",
    },
    Note {
        id: "skgd-thm-4.2-sc-rate-appendix",
        theorem: STRONGLY,
        effect: Effect::of(EffectKind::Wording),
        cause: "skgd-sc-log-squares",
        words: "No effect on ε. The logarithm in the appendix lacks the squares on nε and Σ_S, so \
            that its bound can be 0 where the left side is positive.",
    },
    Note {
        id: "skgd-D1-eps-one",
        theorem: PRIVACY,
        effect: Effect::of(EffectKind::ProofStep).edge("ε = 1"),
        cause: "skgd-D8-open-interval",
        words: "No effect on ε. The lemma by which the proof converts is stated for ε < 1, the \
            theorem for ε ≤ 1; at ε = 1 the conversion holds as well.",
    },
    Note {
        id: "skgd-lem-E.5",
        theorem: &["skgd-thm-4.2-cvx", "skgd-thm-4.2-sc"],
        effect: Effect::of(EffectKind::Wording),
        cause: "skgd-E5-equality",
        words: "No effect on ε. The first display of the proof prints = where Lemma E.4 gives ≤; \
            the displays after it use ≤ only.",
    },
    Note {
        id: "skgd-def-block-index",
        theorem: &[],
        effect: Effect::of(EffectKind::Wording),
        cause: "skgd-index-n-for-d",
        words: "No effect on ε. The block index is taken over i ∈ [n], where [d] is meant.",
    },
    Note {
        id: "skgd-cmp-cd-sc",
        theorem: &[],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "skgd-sc-constant-of-the-2-norm",
        words: "No effect on ε. The abstract says that the guarantees of DP-CD are preserved. The \
            strongly convex row of the table has M_max/μ where DP-CD has 1/μ_M, and M_max/μ can be \
            larger without limit. (As formulas: no strongly convex f is component-Lipschitz on all \
            of R^d, which both rows assume.) Where only μ is known and μ_M = μ/M_max is taken, as \
            in Section 4.3.1, the two rows are the same; with the best constant of the norm M the \
            printed proof gives the row of DP-CD.",
    },
    Note {
        id: "skgd-rate-block-R",
        theorem: CONVEX,
        effect: Effect::of(EffectKind::Wording),
        cause: "skgd-R-square",
        words: "No effect on ε. R is once the distance and once its square; read as the square, \
            the quantity to be minimised differs from that of Theorem 4.2 by the factor R. The \
            minimising q is the same.",
    },
    Note {
        id: "skgd-tab-1",
        theorem: &["skgd-thm-4.2-sc-rate"],
        effect: Effect::of(EffectKind::Wording),
        cause: "skgd-tab-1-square",
        words: "No effect on ε. In one entry of the strongly convex column the exponent 2 of ‖L_A‖ \
            is missing: the entry is wrong by the factor ‖L_A‖ (2 in the counterexample).",
    },
    Note {
        id: "skgd-cmp-sgd-block",
        theorem: &[],
        effect: Effect::of(EffectKind::Wording),
        cause: "skgd-block-root",
        words: "No effect on ε. ‖L_A‖² is L_max²·|A_1|/M_max, not (L_max/M_max)²: in the \
            counterexample 1/2, not 1/4. The comparison depends on the unit of the parameters as \
            printed.",
    },
    Note {
        id: "skgd-cmp-cd-imp",
        theorem: &[],
        effect: Effect::of(EffectKind::Wording),
        cause: "skgd-cd-imp-root",
        words: "No effect on ε. The distance stands under the root: √M_1·|u_1| is meant. In the \
            counterexample R_M² = 4 where the print gives 2; the comparison itself is unchanged.",
    },
];
