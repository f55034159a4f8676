//! Headline theorems of gcd: 4.2 (privacy), 4.4 (utility), 4.7 (quasi-sparse solutions), and the proximal algorithm.

use super::{Corrected, Correction, Cost, Departure, Headline, Run, missing};

const ALG: &str = "gcd-alg-1";
const FIT: &str = "dp-assay fit gcd --data FILE";

/// What the utility claims of gcd lack today.
const OTHER_NOISE: &str = "Utility for the noise that is private: the repaired bound is stated for the printed scales, \
     whose selection noise gcd-thm-4.2-repaired has to raise by the factor 1 + max r_k/r_j, and T is computed from the data.";

pub(super) const HEADLINES: [Headline; 9] = [
    missing(
        "gcd-thm-4.2",
        ALG,
        FIT,
        Some("gcd-thm-4.2-repaired"),
        "The utility of the run with the noise of gcd-thm-4.2-repaired: the utility claims of Theorem 4.4 are for the \
         printed noise.",
    ),
    missing(
        "gcd-thm-4.4-dp",
        ALG,
        FIT,
        Some("gcd-thm-4.2-repaired"),
        "A T from public numbers, with the utility of that run.",
    ),
    missing(
        "gcd-thm-4.4-cvx",
        ALG,
        FIT,
        Some("gcd-thm-4.4-cvx-restricted"),
        OTHER_NOISE,
    ),
    missing(
        "gcd-thm-4.4-cvx-b",
        ALG,
        FIT,
        Some("gcd-thm-4.4-cvx-b-repaired"),
        OTHER_NOISE,
    ),
    missing(
        "gcd-thm-4.4-sc",
        ALG,
        FIT,
        Some("gcd-thm-4.4-sc-repaired"),
        OTHER_NOISE,
    ),
    missing(
        "gcd-thm-4.4-sc-b",
        ALG,
        FIT,
        Some("gcd-thm-4.4-sc-b-repaired"),
        OTHER_NOISE,
    ),
    missing(
        "gcd-thm-4.7",
        ALG,
        FIT,
        Some("gcd-thm-4.7-b-repaired"),
        OTHER_NOISE,
    ),
    missing(
        "gcd-thm-4.7-b",
        ALG,
        FIT,
        Some("gcd-thm-4.7-b-repaired"),
        OTHER_NOISE,
    ),
    Headline {
        id: "gcd-prox-priv",
        algorithm: Some("gcd-alg-2"),
        correction: Some(Correction::By(Corrected {
            id: "gcd-prox-priv-repaired",
            run: Run::Private {
                noise: "Lap((r_k + max_{l != k} r_l)/eps')",
                privacy: "gcd-prox-priv-repaired",
                utility: None,
            },
            cost: Some(Cost::Noise(selection_noise)),
            bites_at: None,
            departures: &[Departure {
                what: "The selection draws Lap((r_k + max r_l)/ε′) for score k instead of Lap(r_k/ε′).",
                why: "One record moves several scores, and in opposite directions (gcd-mech-rnm).",
                cost: "Twice the selection noise where all r_k are equal; the update's noise is the printed one.",
            }],
        })),
        command: FIT,
    },
];

/// Noise of the selection, repaired over printed, where all score sensitivities r_k are equal: its least value for two
/// coordinates or more.
fn selection_noise() -> f64 {
    let r = [1.0, 1.0];
    (r[0] + r[1]) / r[0]
}
