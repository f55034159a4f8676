#![doc = include_str!("decor.md")]

use super::{Effect, EffectKind, Note};

/// The theorems that the paper is cited for.
pub const HEADLINES: [&str; 10] = [
    "decor-thm-1a",
    "decor-thm-1b",
    "decor-thm-2a",
    "decor-thm-2b",
    "decor-thm-6",
    "decor-cor-3a",
    "decor-cor-3b",
    "decor-cor-12-priv",
    "decor-cor-12-pl",
    "decor-cor-12-nc",
];

/// What the chapter says of each statement beyond its verdicts.
pub const NOTES: [Note; 25] = [
    Note {
        id: "decor-def-preserve",
        theorem: &["decor-cor-12-priv", "decor-cor-3a", "decor-cor-3b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "shared-secrets",
        words: "If two steps use the same hidden secrets the second release can cancel the mask: the slope is 2 \
                 where twice that of one step is 4/3, and a masked bit released with its mask has δ = 1. Algorithm \
                 1 draws fresh secrets, for which composition holds.",
    },
    Note {
        id: "decor-alg-1",
        theorem: &["decor-thm-6"],
        effect: Effect::of(EffectKind::Wording),
        cause: "alg-1-line-2",
        words: "No effect on ε. The arguments of the gradient and of the clipping threshold are exchanged in one \
                 line, and the clipped zero gradient is 0/0; with the evident meaning every step runs and ‖g_i‖ ≤ \
                 C.",
    },
    Note {
        id: "decor-alg-2",
        theorem: &["decor-thm-1a", "decor-thm-1b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "variance-word",
        words: "Given variances instead of standard deviations the algorithm squares them again: the slope, and \
                 with it ε, is understated by the factor σ_cdp² (2 in the counterexample) where that exceeds 1. \
                 With standard deviations it returns the slope.",
    },
    Note {
        id: "decor-thm-1b",
        theorem: &["decor-thm-1b", "decor-cor-3b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "own-data",
        words: "Definition 1 taken literally lets the curious user's own data differ; that user knows the secrets \
                 it shares, so they protect nothing: slope 2 where the bound is 4/3. For the data of any other user \
                 the bound holds.",
    },
    Note {
        id: "decor-rem-disc",
        theorem: &[],
        effect: Effect::of(EffectKind::Wording),
        cause: "not-printed",
        words: "No effect on ε. On a disconnected graph the remark gives a sufficient choice, which holds; \
                 correlated noise still lowers the slope within the parts (2/3 in the counterexample), so it is not \
                 a necessary one.",
    },
    Note {
        id: "decor-2conn",
        theorem: &["decor-cor-3b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "belief-2-connected",
        words: "No effect on ε. A user with a single neighbour does have only σ_cdp, as printed. Not every graph \
                 that fails to be 2-connected is so affected: for two cliques that share a vertex the slope stays \
                 within a factor 6 of the central one.",
    },
    Note {
        id: "decor-asm-joint",
        theorem: &["decor-thm-2a", "decor-cor-3a", "decor-cor-3b"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "asm-joint",
        words: "No effect on ε. Smoothness, the PL inequality and bounded gradients on all of R^d leave constant \
                 losses only, so Theorem 2.1 and the utility part of Corollary 3 say nothing. Without bounded \
                 gradients, and without clipping, the repaired bound holds.",
    },
    Note {
        id: "decor-asm-star",
        theorem: &[],
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "heterogeneity-factor",
        words: "No effect on ε. Assumption 3 holds with twice the heterogeneity at the minimum, and twice the mean \
                 squared stochastic gradient there; with the heterogeneity itself no P suffices in the \
                 counterexample.",
    },
    Note {
        id: "decor-def-2-weights",
        theorem: &["decor-thm-2a", "decor-thm-2b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "mh-weights",
        words: "No effect on ε, which does not depend on W. The printed weights form no mixing matrix: rows of an \
                 edge sum to 1/2 without self-loops, and the matrix is not symmetric with them. With the larger of \
                 the two degrees in the denominator they do.",
    },
    Note {
        id: "decor-thm-2a",
        theorem: &["decor-thm-2a"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "asm-joint",
        words: "No effect on ε. Under all printed assumptions the bound is empty (decor-asm-joint). Without \
                 clipping, the first steps overshoot: the ratio of the sides grows from 12 to 10²³ between κ = T = \
                 1 and 16. Steps 16 times later in the schedule repair it.",
    },
    Note {
        id: "decor-thm-2a-eta",
        theorem: &["decor-thm-2a"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "schedule-shift",
        words: "No effect on ε. The schedule starts at 8/L where its conditions need 1/(2L): too large by the \
                 factor 16.",
    },
    Note {
        id: "decor-thm-2a-W",
        theorem: &["decor-thm-2a"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "w-line",
        words: "No effect on ε. An intermediate line loses a factor 2 (3/4 against 1/2 in the counterexample); the \
                 inequality it is meant to give holds.",
    },
    Note {
        id: "decor-thm-2b",
        theorem: &["decor-thm-2b"],
        effect: Effect::of(EffectKind::ProofStep)
            .edge("P = M = 0 (more exactly 16(3P + pM) < 3 + pM, i.e. P < 1/16"),
        cause: "lemma-9-condition",
        words: "No effect on ε. The proof takes its step size to satisfy the condition of Lemma 9; for p = 1/100 \
                 and P = M = 0 it does not ((Lη)² is 1/16 where 1/178200 is allowed). The theorem holds by another \
                 argument for those steps.",
    },
    Note {
        id: "decor-cor-12-nc",
        theorem: &["decor-cor-12-nc"],
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "missing-LL0",
        words: "No effect on ε. The rate holds with constants that may depend on L and L_0, as the paper says \
                 elsewhere; with an absolute constant the left side, of order C², outgrows the right side.",
    },
    Note {
        id: "decor-exp-6",
        theorem: &["decor-thm-2a"],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "asm-joint",
        words: "No effect on ε: clipping bounds the sensitivity. Least squares has unbounded gradients, so \
                 Assumption 4 fails for every C; the repaired Theorem 2.1, for unclipped steps, covers it.",
    },
    Note {
        id: "decor-thm-6",
        theorem: &["decor-thm-6"],
        effect: Effect::of(EffectKind::Wording),
        cause: "own-data",
        words: "Definition 1 taken literally lets the data of a colluding user differ, which the group sees \
                 unmasked: slope 2 where the bound is 4/3. For the data of users outside the group the bound holds.",
    },
    Note {
        id: "decor-lem-7",
        theorem: &["decor-thm-2a", "decor-thm-2b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "eq-34",
        words: "No effect on ε. One display squares the step size twice (a quarter of the left side at η = 1/2); \
                 the lemma holds.",
    },
    Note {
        id: "decor-lem-8a",
        theorem: &["decor-thm-2a", "decor-thm-2b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "row-column",
        words: "No effect on ε. H is printed with columns of W where the identity holds with rows; for a symmetric \
                 W both are the same.",
    },
    Note {
        id: "decor-lem-8b",
        theorem: &["decor-thm-2a", "decor-thm-2b"],
        effect: Effect::of(EffectKind::Wording),
        cause: "row-column",
        words: "No effect on ε, which does not depend on H. The printed constant is exceeded on a star by the \
                 factor 1.0008, and for Metropolis–Hastings weights by 1.003 on K_(5,51). With rows for columns the \
                 bound holds; for every mixing matrix H ≤ 1.",
    },
    Note {
        id: "decor-lem-9-noise",
        theorem: &["decor-thm-2a", "decor-thm-2b"],
        effect: Effect::of(EffectKind::ProofStep),
        cause: "noise-factor-n",
        words: "No effect on ε. The second identity has a factor n too many. Lemma 9 inherits it: its noise term \
                 is n times larger than needed, so it stays an upper bound.",
    },
    Note {
        id: "decor-lem-9",
        theorem: &["decor-thm-2a", "decor-thm-2b"],
        effect: Effect::of(EffectKind::UtilityConstant),
        cause: "lemma-9-condition",
        words: "No effect on ε. For steps near the printed limit the contraction fails (0.952 against 0.935); half \
                 the squared step, √12 for √6, suffices. A display of the proof divides the noise by n once too \
                 often (1 against 1/2).",
    },
    Note {
        id: "decor-collude-rate",
        theorem: &["decor-cor-12-pl"],
        effect: Effect::of(EffectKind::Wording).edge("q = n − 1 (n − q bounded"),
        cause: "q-O(n)",
        words: "No effect on ε. The text (a constant fraction of colluders) holds; the formula q = O(n) also \
                 admits q = n − 1, where the ratio to the central rate is n.",
    },
    Note {
        id: "decor-D1-interval-box",
        theorem: &[],
        effect: Effect::of(EffectKind::Wording)
            .edge("σ_cdp² within 2.5·10⁻⁷ of the lower end of the interval, on K_2"),
        cause: "search-as-theorem",
        words: "No effect on ε. Near its ends the interval asks for a σ_cor beyond the searched box (√2000000 \
                 against 1000), so a search that checks the slope reports no pair there.",
    },
    Note {
        id: "decor-alg-D1u",
        theorem: &[],
        effect: Effect::of(EffectKind::UtilityRate),
        cause: "decor-alg-D1u",
        words: "No effect on ε if the search checks the slope that it returns. At the left end no finite σ_cor \
                 reaches the target slope; at the right end the σ_cor of the box bring it below the target (2/3 of \
                 it on one edge), so no pair has it exactly. The closed form in decor-drv-5 needs no search.",
    },
    Note {
        id: "decor-alg-D1e",
        theorem: &[],
        effect: Effect::of(EffectKind::Wording),
        cause: "example-level-undefined",
        words: "ε cannot be recomputed from what is printed: sampling scheme, rate and the shift of one step are \
                 not given. With per-example clipping, a batch mean and a public rate the search is determined.",
    },
];
