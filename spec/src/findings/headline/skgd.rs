//! Headline theorems of skgd: 4.1 (privacy) and 4.2 (utility, convex and strongly convex).

use super::{Headline, missing, printed};

const ALG: &str = "skgd-alg-1";
const FIT: &str = "dp-assay fit skgd --data FILE";

pub(super) const HEADLINES: [Headline; 8] = [
    printed("skgd-thm-4.1", ALG, FIT),
    printed("skgd-thm-4.1-dp", ALG, FIT),
    printed("skgd-thm-4.2-cvx", ALG, FIT),
    printed("skgd-thm-4.2-cvx-printed-K", ALG, FIT),
    printed("skgd-thm-4.2-cvx-rate", ALG, FIT),
    missing(
        "skgd-thm-4.2-dp",
        ALG,
        FIT,
        Some("skgd-thm-4.2-dp-restricted"),
        "One claim on privacy and utility with K from a public bound on R: skgd-thm-4.2-dp-restricted is on privacy \
         alone, skgd-thm-4.2-cvx on the utility at any K.",
    ),
    missing(
        "skgd-thm-4.2-sc",
        ALG,
        FIT,
        Some("skgd-thm-4.2-sc-repaired"),
        "A run whose T does not contain f(w⁰) − f*, with its privacy: the repaired claim is on utility, and its T is \
         computed from the data.",
    ),
    missing(
        "skgd-thm-4.2-sc-rate",
        ALG,
        FIT,
        Some("skgd-thm-4.2-sc-rate-repaired"),
        "As for skgd-thm-4.2-sc, from which the rate is read off.",
    ),
];
