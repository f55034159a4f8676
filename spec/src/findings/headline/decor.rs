//! Headline theorems of decor: 1 and 6 (one step), 2 (utility), Corollaries 3 and 12 (both).

use super::{Headline, missing, printed};

const ALG: &str = "decor-alg-1";
const FIT: &str = "dp-assay fit decor --data FILE --graph ring:16";

/// What the utility claims under the Polyak-Łojasiewicz inequality lack today.
const UNCLIPPED: &str = "A run that is private and useful: the repaired bound is for unclipped steps, which are not \
     private, as bounded gradients and the Polyak-Łojasiewicz inequality on all of R^d exclude each other.";

pub(super) const HEADLINES: [Headline; 12] = [
    printed("decor-thm-1a", ALG, FIT),
    printed("decor-thm-1b", ALG, FIT),
    missing(
        "decor-thm-2a",
        ALG,
        FIT,
        Some("decor-thm-2a-repaired"),
        UNCLIPPED,
    ),
    printed("decor-thm-2b", ALG, FIT),
    printed("decor-thm-6", ALG, FIT),
    printed("decor-cor-3a", ALG, FIT),
    missing(
        "decor-cor-3a-util",
        ALG,
        FIT,
        Some("decor-cor-12-pl-repaired"),
        UNCLIPPED,
    ),
    printed("decor-cor-3b", ALG, FIT),
    missing(
        "decor-cor-3b-util",
        ALG,
        FIT,
        Some("decor-cor-12-pl-repaired"),
        UNCLIPPED,
    ),
    printed("decor-cor-12-priv", ALG, FIT),
    missing(
        "decor-cor-12-pl",
        ALG,
        FIT,
        Some("decor-cor-12-pl-repaired"),
        UNCLIPPED,
    ),
    printed("decor-cor-12-nc", ALG, FIT),
];
