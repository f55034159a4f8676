//! Headline theorems of decor: 1 and 6 (one step), 2 (utility), Corollaries 3 and 12 (both).

use super::bites;
use crate::findings::headline::{
    Bites, Corrected, Correction, Cost, Departure, Headline, Run, printed,
};

const ALG: &str = "decor-alg-1";
const FIT: &str = "dp-assay fit decor --data FILE --graph ring:16";
const FIT_BY_THEOREM: &str =
    "dp-assay fit decor --data FILE --graph complete:100 --ridge NU --schedule theorem";

/// The run of `decor-cor-12-pl-corrected`.
const RUN: Run = Run::Private {
    noise: "σ_cdp² = κC²Tl/((n−q)ε²), σ_cor² = κC²Tl/(a_q(G)ε²)",
    privacy: "decor-alg-1-corrected",
    utility: Some("decor-cor-12-pl-corrected"),
};

/// The run of `decor-cor-12-nc-corrected`.
const RUN_NC: Run = Run::Private {
    noise: "σ_cdp² = κC²Tl/((n−q)ε²), σ_cor² = κC²Tl/(a_q(G)ε²)",
    privacy: "decor-alg-1-corrected",
    utility: Some("decor-cor-12-nc-corrected"),
};

const LESS_NOISE: Departure = Departure {
    what: "Both variances have 12 + 8√2 for 32.",
    why: "It suffices (decor-cor-12-priv-tight).",
    cost: "None: less noise.",
};

const MIXING: Departure = Departure {
    what: "W is a mixing matrix of Definition 2, such as the textbook Metropolis–Hastings weights.",
    why: "The printed weights are none (decor-def-2-weights-reading-a).",
    cost: "None.",
};

const DEPARTURES: &[Departure] = &[
    Departure {
        what: "The loss is f(x, ξ) + r(x) with a public r; Assumption 4 bounds ∇f, and line 2 of \
            Algorithm 1 clips ∇f alone.",
        why: "Assumptions 1, 2 and 4 exclude each other (decor-asm-joint). Regularised logistic \
            regression on records of norm at most 1 meets the corrected ones \
            (decor-thm-2-witness), but for what is listed as not proved.",
        cost: "None in ε. The curvature has to come from a public regulariser.",
    },
    Departure {
        what: "The steps are 2/(μ(t + 16L/(μp))) for 16/(μ(t + cL/(μp))).",
        why: "The printed ones overshoot (decor-thm-2a-eta).",
        cost: "The leading constant becomes smaller; the term of the start has 16L/(μp) where the \
            print has cL/(μp), which is larger where c < 16. To say anything it may need many \
            steps: the figure for n is that of the ring, where p and a_q are of order n⁻², and \
            takes 2⁶⁰ steps against an eavesdropper and 2⁶⁴ against a user; on the complete graph \
            one step of 38 users is enough.",
    },
    Departure {
        what: "Heterogeneity and sampling noise are at most C², in place of Assumption 3.",
        why: "That follows from the bound on ∇f, and makes Lemma 9 true (decor-drv-12).",
        cost: "None.",
    },
    LESS_NOISE,
    MIXING,
];

/// What the kernel proves of a loss that need not be convex has that the print has not.
const DEPARTURES_NC: &[Departure] = &[
    Departure {
        what: "The loss is f(x, ξ) + r(x) with a public r, which may be 0; Assumption 4 bounds ∇f, \
            and line 2 of Algorithm 1 clips ∇f alone.",
        why: "It is the run of the corrected first item, so that one algorithm serves both.",
        cost: "None.",
    },
    Departure {
        what: "Heterogeneity and sampling noise are at most ζ_*² and σ_*² everywhere, as C² is, in \
            place of Assumption 3.",
        why: "That follows from the bound on ∇f, and makes Lemma 9 true (decor-drv-12).",
        cost: "ζ_* and σ_* may have to be as large as C.",
    },
    Departure {
        what: "The step is min{p/(8L), √(2nΔ/(LTQ))} with a public Δ ≥ L_0, for min{p/(2cL), \
            2√(L_0n/(LTQ))}.",
        why: "L_0 depends on the data, and so would the step.",
        cost: "√(Δ/L_0); the leading constant becomes smaller, the term of the start has 16/p \
            where the print has 16c/p, larger where c < 1.",
    },
    LESS_NOISE,
    MIXING,
];

/// A theorem on losses that need not be convex, which is argued: what the kernel proves of it. Its figures are those of the complete graph.
const fn nonconvex(id: &'static str) -> Headline {
    Headline {
        id,
        algorithm: Some(ALG),
        correction: Some(Correction::By(Corrected {
            id: "decor-cor-12-nc-corrected",
            run: RUN_NC,
            cost: Some(Cost::Bound(bites::stationary_cost)),
            bites_at: Some(Bites {
                least: bites::stationary_users,
                counted: "n",
                witness: "the squared gradient of the logistic loss, d = 10, on the complete \
                    graph, T a power of 2 up to 2^60",
            }),
            departures: DEPARTURES_NC,
        })),
        command: FIT,
    }
}

/// A theorem on utility under the Polyak-Łojasiewicz inequality, corrected; its figures are those of the ring.
const fn corrected(
    id: &'static str,
    by: &'static str,
    cost: fn() -> f64,
    bites_at: fn() -> u64,
) -> Headline {
    Headline {
        id,
        algorithm: Some(ALG),
        correction: Some(Correction::By(Corrected {
            id: by,
            run: RUN,
            cost: Some(Cost::Bound(cost)),
            bites_at: Some(Bites {
                least: bites_at,
                counted: "n",
                witness: "logistic loss with the ridge μ = 1/8, d = 10, a ring of n users and as \
                    many steps as it takes, 2^60 and more",
            }),
            departures: DEPARTURES,
        })),
        command: FIT_BY_THEOREM,
    }
}

/// Against an eavesdropper (q = 0).
const fn eavesdropped(id: &'static str, by: &'static str) -> Headline {
    corrected(id, by, || bites::cost(false), || bites::users(false))
}

/// Against a curious user (q = 1).
const fn curious(id: &'static str, by: &'static str) -> Headline {
    corrected(id, by, || bites::cost(true), || bites::users(true))
}

pub(crate) const HEADLINES: [Headline; 12] = [
    printed("decor-thm-1a", ALG, FIT),
    printed("decor-thm-1b", ALG, FIT),
    eavesdropped("decor-thm-2a", "decor-thm-2a-corrected"),
    nonconvex("decor-thm-2b"),
    printed("decor-thm-6", ALG, FIT),
    printed("decor-cor-3a", ALG, FIT),
    eavesdropped("decor-cor-3a-util", "decor-cor-3a-util-corrected"),
    printed("decor-cor-3b", ALG, FIT),
    curious("decor-cor-3b-util", "decor-cor-3b-util-corrected"),
    printed("decor-cor-12-priv", ALG, FIT),
    eavesdropped("decor-cor-12-pl", "decor-cor-12-pl-corrected"),
    nonconvex("decor-cor-12-nc"),
];
