//! What the kernel proves of the witnesses at which the corrected theorems say something: which of the hypotheses on losses each
//! meets, and what is left.
//!
//! A theorem supposes things of a loss; that a loss satisfies them is another theorem, on the logistic loss with or without a
//! regulariser, for all records of norm at most 1, and so for all data sets. Numbers that anyone may choose, such as K and T, are
//! no hypotheses on losses, nor are inequalities between constants: the figures look at those, in double precision.
//!
//! In these claims the gradient is a vector that the statement defines, for the kernel has no derivatives of functions that are
//! defined. That it is the gradient follows from the inequalities of convexity and of smoothness, between which f(y) is
//! f(x) + ⟨g(x), y − x⟩ up to a multiple of ‖y − x‖²; this step is in no theorem.

/// Of a corrected theorem on utility, what its witness is known to meet.
#[derive(Clone, Copy, Debug)]
pub struct Witnessed {
    /// The claim on utility: `utility` of a [`Run`](super::headline::Run).
    pub utility: &'static str,
    /// The claim on the witness that the kernel proves; `None` where nothing is supposed of a loss.
    pub claim: Option<&'static str>,
    /// The hypotheses that it discharges.
    pub meets: &'static [&'static str],
    /// The hypotheses that no theorem of the kernel discharges.
    pub left: &'static [Left],
}

/// A hypothesis that a witness is not proved to meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// The hypothesis.
    pub what: &'static str,
    /// Why the kernel proves nothing of it.
    pub why: &'static str,
}

impl Witnessed {
    /// Of a corrected theorem on utility, by its claim.
    #[must_use]
    pub fn of(utility: &str) -> Option<&'static Self> {
        WITNESSED.iter().find(|entry| entry.utility == utility)
    }

    /// In words what is proved of the witness and what is not.
    #[must_use]
    pub fn told(&self) -> String {
        let meets = self.meets.join("; ");
        let left = { self.left.iter() }.map(|left| format!("{}: {}", left.what, left.why));
        let left = left.collect::<Vec<_>>().join("; ");
        match self.claim {
            Some(claim) => format!(
                "of what is supposed of losses {claim} proves: {meets}. Not proved by the kernel: \
                 {left}"
            ),
            None => left,
        }
    }
}

const GRADIENT: Left = Left {
    what: "that losses are differentiable, with the vectors of the claim as gradients",
    why: "the kernel has no derivatives of functions that are defined; it follows from the \
        inequalities of convexity and smoothness",
};

const MINIMUM: Left = Left {
    what: "that there is a minimiser",
    why: "the kernel has no rule on continuous functions; the claim is for every minimiser, or for \
        any value of F in place of the least",
};

const NEAREST: Left = Left {
    what: "that F + L̃₁‖w − w₀‖² has a minimiser",
    why: "the kernel has no rule on continuous functions, and the claim says nothing of this one",
};

const SPARSE: Left = Left {
    what: "at most so many entries of w* above α",
    why: "nothing is asked for α = 0 and all p entries, as the figure has it",
};

const SUBGRADIENTS: Left = Left {
    what: "that a weak subgradient is the gradient, and that proximal points exist",
    why: "the kernel has no derivatives of functions that are defined, and no rule on continuous \
        ones",
};

const RADIUS: Left = Left {
    what: "a minimiser within the radius",
    why: "the witness is the data sets that have one",
};

const SAMPLING: Left = Left {
    what: "that an example is drawn at random, for each user apart, and that the mean over users \
        is that over all records",
    why: "the run draws it by any map of Gaussian noise, and no theorem says of one that its mean \
        is that over a user's records",
};

const DRAWN: Left = Left {
    what: "nothing is supposed of a loss",
    why: "the records are drawn in the statement itself, x ~ N(0, I) and z ~ N(0, σ²)",
};

const BLOCKS: &str = "ℓ is Lipschitz on S = [d] with L = 1";
const CLASS: &str = "every ℓ and f are convex, f is M-smooth with M = (1/4 + λ)I, the ridge convex \
    and smooth along the coordinates";
const ENTRIES: &str = "ℓ is Lipschitz along each coordinate with L_j = 1";
const CLASS_OF_ENTRIES: &str = "every ℓ and f are convex, f is M-smooth with M = (1/4 + ν)I, the \
    ridge convex and smooth along the coordinates";
const USERS: &str = "‖∇f‖ ≤ C = 1; ∇L_i is (1/4 + λ)-Lipschitz; vectors of norm at most 1 are at \
    most 1 in mean square from their mean, whence ζ_* = σ_* = 1; L + ((1/4 + λ)/2)‖·‖² and the \
    ridge are convex and smooth";
const FIRST_GAP: &str = "the gap at w⁰ = 0 is at most log 2";
const LOW: &str = "F(w⁰) ≤ 1";
const LIPSCHITZ: &str = "every f(·; x) is (1 + λR)-Lipschitz";
const STEPS: &str = "F and every f(·; x) are (1/4 + λ)-smooth, and a step of which smoothness \
    promises F ≤ 1 stays in the ball of radius R, λR² = 2";
const STEEP: &str =
    "F is (γ, 2)-KL* there, 2λγ² = 1, with respect to every value that it has there";

const fn by(
    utility: &'static str,
    claim: &'static str,
    meets: &'static [&'static str],
    left: &'static [Left],
) -> Witnessed {
    Witnessed {
        utility,
        claim: Some(claim),
        meets,
        left,
    }
}

const fn drawn(utility: &'static str) -> Witnessed {
    Witnessed {
        utility,
        claim: None,
        meets: &[],
        left: &[DRAWN],
    }
}

const SKGD: &str = "skgd-thm-4.2-witness";
const GCD: &str = "gcd-thm-4.4-witness";
const DECOR: &str = "decor-thm-2-witness";
const KL: &str = "kl-thm-4-witness";

/// Every corrected theorem on utility, once.
pub const WITNESSED: &[Witnessed] = &[
    by(
        "skgd-thm-4.2-cvx-corrected",
        SKGD,
        &[BLOCKS, CLASS],
        &[GRADIENT, RADIUS],
    ),
    by(
        "skgd-thm-4.2-sc-corrected",
        SKGD,
        &[
            BLOCKS,
            CLASS,
            "‖w − w*‖²_M ≤ 2A(f(w) − f*) for λ > 0, A = (1/4 + λ)/λ",
            FIRST_GAP,
        ],
        &[GRADIENT, MINIMUM],
    ),
    by(
        "gcd-thm-4.4-cvx-corrected",
        GCD,
        &[
            ENTRIES,
            CLASS_OF_ENTRIES,
            FIRST_GAP,
            "‖w − w*‖_{M,1} ≤ R where f(w) − f* ≤ G, R² = 2p(1/4 + ν)G/ν",
        ],
        &[GRADIENT, MINIMUM],
    ),
    by(
        "gcd-thm-4.4-sc-corrected",
        GCD,
        &[
            ENTRIES,
            CLASS_OF_ENTRIES,
            FIRST_GAP,
            "f is strongly convex with μ_{M,1} = ν/(p(1/4 + ν))",
        ],
        &[GRADIENT, MINIMUM],
    ),
    by(
        "gcd-thm-4.7-corrected",
        GCD,
        &[
            ENTRIES,
            CLASS_OF_ENTRIES,
            FIRST_GAP,
            "f is strongly convex with μ_{M,2} = ν/(1/4 + ν)",
        ],
        &[GRADIENT, MINIMUM, SPARSE],
    ),
    by(
        "decor-cor-12-pl-corrected",
        DECOR,
        &[USERS, "the PL inequality with μ = λ > 0", FIRST_GAP],
        &[GRADIENT, MINIMUM, SAMPLING],
    ),
    by(
        "decor-cor-12-nc-corrected",
        DECOR,
        &[USERS, FIRST_GAP],
        &[GRADIENT, SAMPLING],
    ),
    by(
        "kl-thm-1-corrected",
        KL,
        &[LIPSCHITZ, STEPS, STEEP, LOW, FIRST_GAP],
        &[GRADIENT, MINIMUM],
    ),
    by(
        "kl-thm-2-corrected",
        KL,
        &[
            LIPSCHITZ,
            "every f(·; x) and F are convex",
            "F ≤ 1 in the ball of radius R only, λR² = 2",
            "F is (γ, 2)-KL* wherever F − F* ≤ log 2, for 2λγ² = 1, λR² = 2 and F* a value in the \
                ball",
            LOW,
            FIRST_GAP,
        ],
        &[GRADIENT, MINIMUM, SUBGRADIENTS],
    ),
    by(
        "kl-thm-4-corrected",
        KL,
        &[LIPSCHITZ, STEPS, STEEP, LOW, FIRST_GAP],
        &[GRADIENT, MINIMUM],
    ),
    by(
        "kl-thm-5-corrected",
        KL,
        &[
            "for λ = 0 every f(·; x) is 1-Lipschitz, and F smooth and ∇F Lipschitz with L₁ = 1/4",
            FIRST_GAP,
        ],
        &[GRADIENT],
    ),
    by(
        "kl-thm-9-corrected",
        KL,
        &["for λ = 0 every f(·; x) and F are convex and 1-Lipschitz"],
        &[GRADIENT, NEAREST],
    ),
    drawn("ambssgd-thm-3.2-corrected-normal"),
    drawn("ambssgd-thm-3.7-corrected-normal-run"),
];
