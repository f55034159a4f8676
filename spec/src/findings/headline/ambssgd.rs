//! Headline theorems of ambssgd: 1.1, 3.1 to 3.3 (DP-SSGD), 3.6 to 3.8 (DP-AMBSSGD).

use super::{Headline, missing, printed};

const ALG_1: &str = "ambssgd-alg-1";
const ALG_2: &str = "ambssgd-alg-2";
const FIT: &str = "dp-assay fit ambssgd --data FILE";
const SHOW_1: &str = "dp-assay ledger ambssgd-thm-3.2";

/// What the bounds on DP-AMBSSGD lack today.
const EVENT: &str = "A bound on the probability of the event that no gradient is clipped and every ζ_t obeys its bound, \
     under a tail assumption that some law satisfies: the repaired claim is an expectation on that event, which \
     can be improbable.";
/// What the bounds on DP-SSGD lack today.
const UNNAMED: &str = "The privacy of the run: its α is up to a constant that the imported theorem on shuffling does not \
     name.";

pub(super) const HEADLINES: [Headline; 10] = [
    missing(
        "ambssgd-thm-1.1",
        ALG_2,
        FIT,
        Some("ambssgd-lem-3.11"),
        "A probability that a method can attain, and the event on which the run is the unclipped one.",
    ),
    missing("ambssgd-thm-3.1", ALG_1, SHOW_1, None, UNNAMED),
    missing(
        "ambssgd-thm-3.2",
        ALG_1,
        SHOW_1,
        Some("ambssgd-thm-3.2-repaired"),
        UNNAMED,
    ),
    missing("ambssgd-cor-3.3", ALG_1, SHOW_1, None, UNNAMED),
    missing(
        "ambssgd-cor-3.3-util",
        ALG_1,
        SHOW_1,
        Some("ambssgd-thm-3.2-repaired"),
        UNNAMED,
    ),
    printed("ambssgd-thm-3.6-zcdp", ALG_2, FIT),
    printed("ambssgd-thm-3.6-cal", ALG_2, FIT),
    missing(
        "ambssgd-thm-3.7",
        ALG_2,
        FIT,
        Some("ambssgd-thm-3.7-repaired"),
        EVENT,
    ),
    printed("ambssgd-cor-3.8", ALG_2, FIT),
    missing(
        "ambssgd-cor-3.8-util",
        ALG_2,
        FIT,
        Some("ambssgd-thm-3.7-repaired"),
        EVENT,
    ),
];
