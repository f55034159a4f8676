//! Headline theorems of gcd: 4.2 (privacy), 4.4 (utility), 4.7 (quasi-sparse solutions), and the proximal algorithm.

use super::witness::{convex_bites, selection_noise, sparse_bites, strongly_bites};
use crate::findings::headline::{Bites, Corrected, Correction, Cost, Departure, Headline, Run};

const ALG: &str = "gcd-alg-1";
const FIT: &str = "dp-assay fit gcd --data FILE --ridge NU --schedule theorem";
/// No bound is worked out for it. Without the last flag the noise is less than the claim's.
const FIT_PROXIMAL: &str = "dp-assay fit gcd --data FILE --l1 NU --calibration corrected";

/// The run of every correction of Algorithm 1, with the claims on its privacy and its utility.
const fn run(privacy: &'static str, utility: &'static str) -> Run {
    Run::Private {
        noise: "λ_j = (4 L_j/(n ε)) √(T (log(1/δ) + ε/2)) and λ′_j = (1 + max_{k ≠ j} r_k/r_j) λ_j",
        privacy,
        utility: Some(utility),
    }
}

/// At what the corrected noise is compared with the printed one.
const EQUAL: &str = "noise where all r_k are equal, and the more the further they are apart";

const SELECTION: Departure = Departure {
    what: "The selection noise is 1 + max r_k/r_j times the release noise, r_k = 2L_k/(n√M_k).",
    why: "One record moves several scores, and in opposite directions (gcd-mech-rnm).",
    cost: "A factor 2 at equal ratios, which the next line makes up for; for a coordinate whose \
        r_j is a hundredth of the largest 101.",
};

const COMPOSITION: Departure = Departure {
    what: "4√(T(log(1/δ) + ε/2)) stands for 8√(T log(1/δ)), for every ε > 0 and δ in (0, 1].",
    why: "The corollary used fails as δ → 1 (gcd-imp-cor3.21), and a tighter composition is at \
        hand (gcd-red-tail).",
    cost: "Better than printed: the release noise is half of it, the selection noise at equal \
        ratios nearly the printed one.",
};

const PUBLIC: Departure = Departure {
    what: "T, w⁰, L, M and the bounds G, R, μ are fixed beforehand and hold for every data set.",
    why: "The printed T contains R_M, μ and f(w⁰) − f*, which tell about the data \
        (gcd-thm-4.4-dp).",
    cost: "Bounds for all data are larger than the constants of one data set.",
};

const LIPSCHITZ: Departure = Departure {
    what: "L_j bounds the slope of the records' loss; a term ψ free of data, such as a ridge, is \
        added to it.",
    why: "A loss that is Lipschitz on all of R^p is not strongly convex (gcd-thm-4.4-sc-b).",
    cost: "None: ψ does not touch the sensitivity.",
};

const TAIL: Departure = Departure {
    what: "β has 51 for the printed 128 and log(2Tp/ζ) for log(8Tp/ζ), squared as in the proofs.",
    why: "Each noise is bounded by itself; Lemma B.1 bounds the sum of their squares, at half the \
        rate (gcd-red-noise).",
    cost: "Better than printed by 2.5, against (50) worse by the power of a logarithm, which the \
        derivation does not give.",
};

const RADIUS: Departure = Departure {
    what: "R bounds ‖w − w*‖_{M,1} for one minimiser w* on the whole of {f − f* ≤ G}.",
    why: "The run is followed towards one point.",
    cost: "None where the minimiser is unique, as with a ridge.",
};

const GAP: Departure = Departure {
    what: "No condition from below on f(w⁰) − f*; w⁰ is the answer where √(8R²β) + β exceeds G.",
    why: "The printed condition is not the proof's (gcd-thm-4.4-cvx-gap), and nobody may look at \
        f*.",
    cost: "None: the bound exceeds the trivial one there.",
};

const SPARSITY: Departure = Departure {
    what: "The bound has the number of non-zeros of the output, in the place of the assumption \
        that the run stays s-sparse.",
    why: "Whether a run stays sparse is a random event, of unknown probability.",
    cost: "None where the assumption is met: the bound is the same. Otherwise the number may grow \
        to p, for which the figure is.",
};

const TRUNCATION: Departure = Departure {
    what: "(1/2)M_max(p − τ)α² stands for (k/8)(p − τ)α², and T has the factor 4.",
    why: "The printed term is false for large M (gcd-thm-4.7-reading-local), the printed T too \
        short (gcd-thm-4.7-proof-T).",
    cost: "The factor 4M_max/k on that term, and four times the iterations.",
};

/// From how many records on, for [`WITNESS`](super::witness::WITNESS).
const fn bites(least: fn() -> u64) -> Bites {
    Bites {
        least,
        counted: "n",
        witness: "logistic loss with the ridge ν = 1/10, records of norm at most 1, p = 100, ζ = \
            1/20",
    }
}

const CONVEX: Correction = Correction::By(Corrected {
    id: "gcd-thm-4.4-cvx-corrected",
    run: run("gcd-thm-4.4-cvx-corrected", "gcd-thm-4.4-cvx-corrected"),
    cost: Some(Cost::Bound(|| convex_bites().ratio)),
    bites_at: Some(bites(|| convex_bites().records as u64)),
    departures: &[SELECTION, COMPOSITION, PUBLIC, LIPSCHITZ, TAIL, GAP, RADIUS],
});

const STRONGLY: Correction = Correction::By(Corrected {
    id: "gcd-thm-4.4-sc-corrected",
    run: run("gcd-thm-4.4-sc-corrected", "gcd-thm-4.4-sc-corrected"),
    cost: Some(Cost::Bound(|| strongly_bites().ratio)),
    bites_at: Some(bites(|| strongly_bites().records as u64)),
    departures: &[SELECTION, COMPOSITION, PUBLIC, LIPSCHITZ, TAIL],
});

const SPARSE: Correction = Correction::By(Corrected {
    id: "gcd-thm-4.7-corrected",
    run: run("gcd-thm-4.7-corrected", "gcd-thm-4.7-corrected"),
    cost: Some(Cost::Bound(|| sparse_bites().ratio)),
    bites_at: Some(bites(|| sparse_bites().records as u64)),
    departures: &[
        SELECTION,
        COMPOSITION,
        PUBLIC,
        LIPSCHITZ,
        TAIL,
        SPARSITY,
        TRUNCATION,
    ],
});

/// A headline on Algorithm 1.
const fn corrected(id: &'static str, correction: Correction) -> Headline {
    Headline {
        id,
        algorithm: Some(ALG),
        correction: Some(correction),
        command: FIT,
    }
}

pub(crate) const HEADLINES: [Headline; 9] = [
    corrected(
        "gcd-thm-4.2",
        Correction::By(Corrected {
            id: "gcd-thm-4.2-corrected",
            run: run("gcd-thm-4.2-corrected", "gcd-thm-4.4-cvx-corrected"),
            cost: Some(Cost::Noise(selection_noise, EQUAL)),
            bites_at: None,
            departures: &[SELECTION, COMPOSITION, PUBLIC],
        }),
    ),
    corrected("gcd-thm-4.4-dp", CONVEX),
    corrected("gcd-thm-4.4-cvx", CONVEX),
    corrected("gcd-thm-4.4-cvx-b", CONVEX),
    corrected("gcd-thm-4.4-sc", STRONGLY),
    corrected("gcd-thm-4.4-sc-b", STRONGLY),
    corrected("gcd-thm-4.7", SPARSE),
    corrected("gcd-thm-4.7-b", SPARSE),
    Headline {
        id: "gcd-prox-priv",
        algorithm: Some("gcd-alg-2"),
        correction: Some(Correction::By(Corrected {
            id: "gcd-prox-priv-corrected",
            run: Run::Private {
                noise: "Lap((r_k + max_{l ≠ k} r_l)/ε′)",
                privacy: "gcd-prox-priv-corrected",
                utility: None,
            },
            cost: Some(Cost::Noise(selection_noise, EQUAL)),
            bites_at: None,
            departures: &[
                Departure {
                    what: "The selection draws Lap((r_k + max r_l)/ε′) beside score k instead of \
                        Lap(r_k/ε′) inside it.",
                    why: "The noisy scores of an ℓ₁ term are 0 on an interval, and several scores \
                        move at once (gcd-prox-priv).",
                    cost: "A factor 2 at equal ratios, which the next line makes up for.",
                },
                Departure {
                    what: "(GS-q) takes the largest √(2·decrease) with noise; w⁰, L, M, γ and T \
                        are fixed beforehand.",
                    why: "The print takes the largest of the models' least values, without noise, \
                        which is the worst coordinate (gcd-rule-gsq-repaired).",
                    cost: "None.",
                },
                COMPOSITION,
            ],
        })),
        command: FIT_PROXIMAL,
    },
];
