//! What of decor does not hold as printed: `dp-assay ledger --findings --paper decor`, and `paper decor --erratum` with
//! counterexamples and repairs.

use super::pl::overshoot;
use super::reduction::{bipartite_over_bound, star_over_bound};
use crate::findings::{Effect, EffectKind, Note};

/// What is said of each statement beyond its verdicts.
pub const NOTES: [Note; 32] = [
    Note {
        id: "decor-def-preserve",
        theorem: &["decor-cor-12-priv", "decor-cor-3a", "decor-cor-3b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "shared-secrets",
        words: "If two steps use the same hidden secrets the second release can cancel the mask: \
            the slope is 2 where twice that of one step is 4/3, and a masked bit released with its \
            mask has δ = 1. Algorithm 1 draws fresh secrets, for which composition holds.",
    },
    Note {
        id: "decor-alg-2",
        theorem: &["decor-thm-1a", "decor-thm-1b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "variance-word",
        words: "Given variances instead of standard deviations the algorithm squares them again: \
            the slope, and with it ε, is understated by the factor σ_cdp² (2 in the \
            counterexample) where that exceeds 1. With standard deviations it returns the slope.",
    },
    Note {
        id: "decor-thm-1b",
        theorem: &["decor-thm-1b", "decor-cor-3b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "own-data",
        words: "Definition 1 taken literally lets the curious user's own data differ; that user \
            knows the secrets it shares, so they protect nothing: slope 2 where the bound is 4/3. \
            For the data of any other user the bound holds.",
    },
    Note {
        id: "decor-2conn",
        theorem: &["decor-cor-3b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "belief-2-connected",
        words: "No effect on ε. A user with a single neighbour does have only σ_cdp, as printed. \
            The belief that 2-connectedness is necessary holds in this worst case only: for two \
            cliques that share a vertex the slope stays within a factor 6 of the central one.",
    },
    Note {
        id: "decor-rem-connected",
        theorem: &["decor-cor-3a", "decor-cor-3b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "connected-for-users",
        words: "No effect on ε. The abstract and Section 1.1 say beside curious users, Section 5.3 \
            after both adversaries, that the trade-off matches the central one for arbitrary \
            connected graphs. Against an eavesdropper a connected graph suffices. Against curious \
            users Corollary 3 asks for a 2-connected one, and the last paragraph of Section 5.3 \
            says why; on a star whose hub is curious the slope of a leaf is n times the central \
            one, whatever σ_cor is.",
    },
    Note {
        id: "decor-asm-joint",
        theorem: &[
            "decor-thm-2a",
            "decor-cor-3a-util",
            "decor-cor-3b-util",
            "decor-cor-12-pl",
        ],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "asm-joint",
        words: "No effect on ε. Smoothness, the PL inequality and bounded gradients on all of R^d \
            are met by constant global losses only, so item 1 of Theorem 2, the utility part of \
            Corollary 3 and the first part of Corollary 12 say nothing. With the bound asked of \
            the part of the loss that depends on data alone, and a public regulariser outside the \
            clipping, one run is private and useful (decor-cor-12-pl-corrected; Corollary 3 as its \
            instances).",
    },
    Note {
        id: "decor-asm-star",
        theorem: &[],
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "heterogeneity-factor",
        words: "No effect on ε. For convex losses Assumption 3 holds with twice the heterogeneity \
            at the minimum, and twice the mean squared stochastic gradient there; with the \
            heterogeneity itself no P suffices in the counterexample.",
    },
    Note {
        id: "decor-def-2-weights",
        theorem: &["decor-thm-2a", "decor-thm-2b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "mh-weights",
        words: "No effect on ε, which does not depend on W. The printed weights form no mixing \
            matrix: rows of an edge sum to 1/2 without self-loops, and the matrix is not symmetric \
            with them on a graph that is not regular. With the larger of the two degrees in the \
            denominator they do.",
    },
    Note {
        id: "decor-thm-2a",
        theorem: &["decor-thm-2a"],
        effect: Effect::of(EffectKind::UtilityRate).worst(|| overshoot(16.0, 16)),
        cause: "asm-joint",
        words: "No effect on ε. The printed assumptions are met by constant global losses only \
            (decor-asm-joint); decor-thm-2a-corrected has what holds. Without clipping, and so \
            without privacy, the first steps overshoot: for T of order κ the ratio of the sides \
            grows without limit; for T above about 12κ the run has recovered, and the rate in T is \
            as printed. Steps 16 times later in the schedule repair it.",
    },
    Note {
        id: "decor-thm-2a-eta",
        theorem: &["decor-thm-2a"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "schedule-shift",
        words: "No effect on ε. The schedule starts at 8/L where its conditions need 1/(2L): too \
            large by the factor 16.",
    },
    Note {
        id: "decor-thm-2a-W",
        theorem: &["decor-thm-2a"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "w-line",
        words: "No effect on ε. Three slips in one display: ≤ for ≥ in 2/t̂ − 1/t̂² ≤ 1/t̂ (3/4 \
            against 1/2 at t̂ = 2), t̂² for (t̂ + 1)², and 1/256 dropped from a term that is then \
            left out. What the display is meant to give holds.",
    },
    Note {
        id: "decor-thm-2b",
        theorem: &["decor-thm-2b"],
        effect: Effect::of(EffectKind::ProofStep).edge("96P + 31pM < 3, that is P < 1/32 at M = 0"),
        cause: "lemma-9-condition",
        words: "No effect on ε. The proof takes its step size to satisfy the condition of Lemma 9; \
            for p = 1/100 and P = M = 0 it does not ((Lη)² is 1/16 where 1/178200 is allowed). The \
            theorem holds by another argument for those steps.",
    },
    Note {
        id: "decor-cor-12-pl",
        theorem: &["decor-cor-12-pl"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "asm-joint",
        words: "No effect on ε: the privacy part (decor-cor-12-priv) stands. Assumptions 1, 2 and \
            4 are met by constant global losses only. With a public regulariser outside the \
            clipping the trade-off holds, with a smaller constant than that of the printed proof.",
    },
    Note {
        id: "decor-cor-12-nc",
        theorem: &["decor-cor-12-nc"],
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "missing-LL0",
        words: "No effect on ε. The rate holds with constants that may depend on L and L_0, as the \
            paper says elsewhere; with an absolute constant the left side, of order C², outgrows \
            the right side. One run that is private and has every term of its bound: \
            decor-cor-12-nc-corrected.",
    },
    Note {
        id: "decor-exp-3",
        theorem: &[],
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "fig-1b",
        words: "No effect on ε. The paper's own curves, read off the figure, contradict \"an order \
            of magnitude better than LDP\", taken as √10 and more: in Figure 1(b) the gap of LDP \
            is 1.02 (ring, ε = 3) to 3.27 (ε = 15) times that of DECOR, 2.1 times on the ring at ε \
            = 10. That DECOR closely matches CDP is not refuted (1 to 1.26 times its gap). Our own \
            runs on a9a say the same of LDP, with the authors' step sizes and clipping.",
    },
    Note {
        id: "decor-exp-6",
        theorem: &["decor-thm-2a"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "asm-joint",
        words: "No effect on ε: clipping bounds the sensitivity. Least squares has unbounded \
            gradients, so Assumption 4 fails for every C; the repaired Theorem 2.1, for unclipped \
            steps, which are not private, covers it.",
    },
    Note {
        id: "decor-thm-6",
        theorem: &["decor-thm-6"],
        effect: Effect::of(EffectKind::Wording),
        cause: "own-data",
        words: "Definition 1 taken literally lets the data of a colluding user differ, which the \
            group sees unmasked: slope 2 where the bound is 4/3. For the data of users outside the \
            group the bound holds.",
    },
    Note {
        id: "decor-thm-6-proof",
        theorem: &["decor-thm-6"],
        effect: Effect::of(EffectKind::Wording),
        cause: "orders-0-and-1",
        words: "No effect on ε. The proof begins with q > 1, which leaves out the q = 0 and q \
            = 1 of Theorem 1; it holds for them, too.",
    },
    Note {
        id: "decor-lem-7",
        theorem: &["decor-thm-2a", "decor-thm-2b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "eq-34",
        words: "No effect on ε. One display squares the step size twice (a quarter of the left \
            side at η = 1/2); the lemma holds.",
    },
    Note {
        id: "decor-lem-8a",
        theorem: &["decor-thm-2a", "decor-thm-2b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "row-column",
        words: "No effect on ε. H is printed with columns of W where the identity holds with rows; \
            for a symmetric W both are the same.",
    },
    Note {
        id: "decor-lem-8b",
        theorem: &["decor-thm-2a", "decor-thm-2b"],
        effect: Effect::of(EffectKind::Wording)
            .worst(star_over_bound)
            .apart("decor-lem-8b-reading-mh", bipartite_over_bound),
        cause: "row-column",
        words: "No effect on ε, which does not depend on H. With columns of W, as H is printed, \
            the bound is exceeded without limit: on the star with n users by the factor (n − \
            1)/16, 3.9 at n = 64; and for Metropolis–Hastings weights on K_(a,b), 1.8 times at a = \
            14, b = 50. With rows for columns it holds with a factor 2 to spare; for every mixing \
            matrix H ≤ 1. A display of the proof has ‖W_i‖ where ‖W_i‖² is meant.",
    },
    Note {
        id: "decor-lem-9-noise",
        theorem: &["decor-thm-2a", "decor-thm-2b"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "noise-factor-n",
        words: "No effect on ε. The second identity has a factor n too many. Lemma 9 inherits it: \
            its noise term is n times larger than needed, so it stays an upper bound.",
    },
    Note {
        id: "decor-lem-9",
        theorem: &["decor-thm-2a", "decor-thm-2b"],
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "lemma-9-condition",
        words: "No effect on ε. For steps near the printed limit the contraction fails (0.952 \
            against 0.935); half the squared step, √12 for √6, suffices. A display of the proof \
            divides the noise by n once too often (1 against 1/2), and the proof begins with a \
            condition on η, p/(96√6 τL), that the lemma does not have and no line of the proof \
            uses.",
    },
    Note {
        id: "decor-cor-3a-util",
        theorem: &["decor-cor-3a-util"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "asm-joint",
        words: "No effect on ε: the privacy part (decor-cor-3a) stands. Assumptions 1, 2 and 4 are \
            met by constant global losses only. With a public regulariser outside the clipping the \
            trade-off holds, with a smaller constant than that of the printed proof.",
    },
    Note {
        id: "decor-cor-3b-util",
        theorem: &["decor-cor-3b-util"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "asm-joint",
        words: "No effect on ε: the privacy part (decor-cor-3b) stands. Assumptions 1, 2 and 4 are \
            met by constant global losses only. With a public regulariser outside the clipping the \
            trade-off holds, with a smaller constant than that of the printed proof.",
    },
    Note {
        id: "decor-collude-rate",
        theorem: &["decor-cor-12-pl"],
        effect: Effect::of(EffectKind::Wording).edge("n − q bounded, as q = n − 1"),
        cause: "q-O(n)",
        words: "No effect on ε. The text (a constant fraction of colluders) holds; the formula q = \
            O(n) also admits q = n − 1, where the ratio to the central rate is n.",
    },
    Note {
        id: "decor-thm-2a-sum",
        theorem: &["decor-thm-2a"],
        effect: Effect::of(EffectKind::Wording),
        cause: "w-line",
        words: "No effect on ε. One display sums t̂ where 1/t̂ is meant; the display after it has \
            the right logarithm.",
    },
    Note {
        id: "decor-thm-6-num",
        theorem: &["decor-thm-6"],
        effect: Effect::of(EffectKind::Wording),
        cause: "cross-reference",
        words: "No effect on ε as the theorem prints it. Its proof names Algorithm 2, which knows \
            no group of more than one user: on K_4 with two colluders that returns 1 where the \
            slope is 4/3. The theorem names Algorithm 3, which is right.",
    },
    Note {
        id: "decor-eq-23",
        theorem: &["decor-thm-2a", "decor-thm-2b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "eq-23",
        words: "No effect on ε. The second expression of the consensus distance lacks its \
            expectation.",
    },
    Note {
        id: "decor-eq-35",
        theorem: &["decor-thm-2a", "decor-thm-2b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "eq-37",
        words: "No effect on ε. The sentence after (37) says v_ik = −v_ik where v_ki = −v_ik is \
            meant and used.",
    },
    Note {
        id: "decor-exp-logistic",
        theorem: &[],
        effect: Effect::of(EffectKind::Wording),
        cause: "label-0",
        words: "No effect on ε. With labels in {0,1} the printed loss does not see the examples \
            with label 0. The usual loss, with labels ±1 inside the exponential, is what the \
            authors' code trains.",
    },
    Note {
        id: "decor-exp-delta",
        theorem: &[],
        effect: Effect::of(EffectKind::Wording),
        cause: "delta-of-mnist",
        words: "The (ε, δ) claimed stays as it is, but δ = 10⁻⁵ is 0.6/(nm) on MNIST, the task \
            with example-level privacy: not far below 1/(nm). For the tasks with user-level \
            privacy, where 1/n counts, it is.",
    },
];
