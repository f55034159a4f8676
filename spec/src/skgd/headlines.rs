//! Headline theorems of skgd: 4.1 (privacy) and 4.2 (utility, convex and strongly convex).

use super::corrected;
use crate::findings::headline::{
    Bites, Corrected, Correction, Cost, Departure, Headline, Run, printed,
};

const ALG: &str = "skgd-alg-1";
const FIT: &str = "dp-assay fit skgd --data FILE";
const FIT_BY_THEOREM: &str = "dp-assay fit skgd --data FILE --ridge NU --schedule theorem";
const NOISE: &str = "σ_U² = 12·L_U²·K·T·log(1/δ)/(n²ε²)";

pub(crate) const HEADLINES: [Headline; 8] = [
    printed("skgd-thm-4.1", ALG, FIT),
    printed("skgd-thm-4.1-dp", ALG, FIT),
    printed("skgd-thm-4.2-cvx", ALG, FIT_BY_THEOREM),
    printed("skgd-thm-4.2-cvx-printed-K", ALG, FIT_BY_THEOREM),
    printed("skgd-thm-4.2-cvx-rate", ALG, FIT_BY_THEOREM),
    instead("skgd-thm-4.2-dp", CONVEX),
    instead("skgd-thm-4.2-sc", STRONG),
    instead("skgd-thm-4.2-sc-rate", STRONG),
];

const fn instead(id: &'static str, corrected: Corrected) -> Headline {
    Headline {
        id,
        algorithm: Some(ALG),
        correction: Some(Correction::By(corrected)),
        command: FIT_BY_THEOREM,
    }
}

// Of `skgd-thm-4.1` f is the average of the losses; here a regulariser may be added, so the claims name themselves.

const CONVEX: Corrected = Corrected {
    id: "skgd-thm-4.2-cvx-corrected",
    run: Run::Private {
        noise: NOISE,
        privacy: "skgd-thm-4.2-cvx-corrected",
        utility: Some("skgd-thm-4.2-cvx-corrected"),
    },
    cost: Some(Cost::Bound(corrected::convex_cost)),
    bites_at: Some(Bites {
        least: corrected::convex_bites_at,
        counted: "n",
        witness: "logistic loss, records of norm at most 1, d = 10, ‖w⁰ − w*‖ ≤ 4",
    }),
    departures: &[
        Departure {
            what: "K is computed from a radius ϱ that is fixed beforehand, not from the distance \
                R.",
            why: "The noise follows K, and R is computed from the data (skgd-thm-4.2-dp).",
            cost: "Nothing at ϱ = R; elsewhere the bound is half of (5R²/ϱ + 24ϱ/5)Σ_S√c, but for \
                the rounding of K (skgd-thm-4.2-cvx-sharp), and at most that with ϱ for R where R \
                ≤ ϱ.",
        },
        Departure {
            what: "K is rounded up to an integer.",
            why: "There is no fraction of a step, and a printed K below 1 has no meaning.",
            cost: "The summand 12·c·Σ_S², which is of smaller order in n.",
        },
        Departure {
            what: "K is a fifth of the printed one.",
            why: "The printed K does not minimise the bound, and half of R²/K is enough.",
            cost: "None: the constant falls from 13 to 4.9.",
        },
    ],
};

const STRONG: Corrected = Corrected {
    id: "skgd-thm-4.2-sc-corrected",
    run: Run::Private {
        noise: NOISE,
        privacy: "skgd-thm-4.2-sc-corrected",
        utility: Some("skgd-thm-4.2-sc-corrected"),
    },
    cost: Some(Cost::Bound(corrected::strong_cost)),
    bites_at: Some(Bites {
        least: corrected::strong_bites_at,
        counted: "n",
        witness: "logistic loss with the ridge ν = 1/100, records of norm at most 1, d = 10",
    }),
    departures: &[
        Departure {
            what: "A regulariser that is the same for all data, convex and smooth along the \
                coordinates, stands beside the losses and makes f strongly convex.",
            why: "An average of component-Lipschitz losses on R^d is never strongly convex \
                (skgd-thm-4.2-sc).",
            cost: "None in the noise: the regulariser cancels between neighbours, and L_U is that \
                of the losses.",
        },
        Departure {
            what: "T is computed from a bound F̄ of f(w⁰) − f* that is fixed beforehand.",
            why: "The noise follows T, and f(w⁰) − f* is computed from the data.",
            cost: "log2 of F̄ over the true value more rounds.",
        },
        Departure {
            what: "K = ⌈2A⌉ instead of 2(1+A), and T is rounded up and at least 1.",
            why: "Steps and rounds are integers; the term f(w^t) − f* of Lemma E.1 is not needed.",
            cost: "None for K; one round more for T.",
        },
        Departure {
            what: "The bound is 2^{−T}F̄ + 24KT·c·Σ_S².",
            why: "The last display of the printed proof is too small (skgd-thm-4.2-sc-proof).",
            cost: "A constant; its size where the correction begins to say something is computed.",
        },
    ],
};
