//! Sections 3.4 and 4: the special cases that the text names, and the mean of one step.

use crate::arith::{Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 4] = [
    FACT_ISOTROPIC,
    FACT_LIPSCHITZ_SPECIAL,
    FACT_SAMPLINGS,
    FACT_STEP_MEAN,
];

/// `skgd-fact-isotropic`: the weighted norm of βI is √β times the 2-norm, so that the two assumptions become the usual ones.
pub const FACT_ISOTROPIC: Claim = Claim {
    id: "skgd-fact-isotropic",
    place: "§3.4, after Assumptions 3.5 and 3.6",
    kind: Kind::PathwiseInequality,
    statement: "for M = βI Assumption 3.6 is β-smoothness in the 2-norm, and for M = I Assumption \
        3.5 is μ_I-strong convexity: ‖x‖²_{βI} = β·‖x‖²_2",
    hypotheses: "β > 0",
    rests_on: &["skgd-def-norm"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-fact-lipschitz-special`: what I_Uv and its norm are for U = \[d\] and for singletons. An L-Lipschitz loss satisfies
/// Assumption 3.7 because the points w + I_Uv and w are ‖I_Uv‖ apart.
pub const FACT_LIPSCHITZ_SPECIAL: Claim = Claim {
    id: "skgd-fact-lipschitz-special",
    place: "§3.4, after Assumption 3.7",
    kind: Kind::PathwiseInequality,
    statement: "Assumption 3.7 is |ℓ(v;ζ) − ℓ(w;ζ)| ≤ L‖v − w‖_2 for S = [d] and |ℓ(w + te_j;ζ) − \
        ℓ(w;ζ)| ≤ L_j|t| for singletons; an L-Lipschitz ℓ satisfies it with L_U = L for every S",
    hypotheses: "as Assumption 3.7",
    rests_on: &["skgd-asm-3.7"],
    check: by_kernel,
    ..Claim::ALONE
};

/// `skgd-fact-samplings`. Enumerated for d ≤ 8. A partition of d indices into one block is \[d\], into d blocks the
/// singletons; two different τ-sets overlap for some pair as soon as 1 < τ < d.
pub const FACT_SAMPLINGS: Claim = Claim {
    id: "skgd-fact-samplings",
    place: "§3.4, after Assumption 3.7",
    kind: Kind::PathwiseInequality,
    statement: "a random τ-subset of [d] satisfies Assumption 3.1 with p_j = τ/d, and its sets are \
        no partition for 1 < τ < d; they are [d] for τ = d, as a partition in one block, and the \
        singletons for τ = 1, as one in d blocks",
    hypotheses: "1 ≤ τ ≤ d",
    rests_on: &["skgd-asm-3.1"],
    by_hand: &[
        "For all d the count is that of binom(d−1, τ−1) sets that contain j among binom(d, τ); d ≤ \
            8 is enumerated.",
        "For 1 < τ < d two τ-sets that share an element and differ exist: replace one of two \
            elements.",
    ],
    check: fact_samplings,
};

fn fact_samplings(c: &Check) -> Verdict {
    let unit = c.constant("p_j in units of τ/d", 1);
    let mut checked = 0;
    for d in 1..=8_u32 {
        for size in 1..=d {
            let sets: Vec<u32> = (1..1_u32 << d).filter(|s| s.count_ones() == size).collect();
            let total = Rational::from(sets.len());
            let claimed = unit.clone() * ratio(size.into(), d.into());
            for j in 0..d {
                let hit = sets.iter().filter(|s| **s >> j & 1 == 1).count();
                let p = Rational::from(hit) / &total;
                if p != claimed || p <= 0 {
                    return Verdict::refuted(
                        format!("d = {d}, τ = {size}: p_j = {p}, not {claimed}"),
                        "enumeration of the sets",
                        None,
                    );
                }
            }
            let overlap = (sets.iter()).any(|s| sets.iter().any(|t| s != t && s & t != 0));
            let ends = match size {
                1 => sets.len() == d as usize && !overlap,
                _ if size == d => sets == [(1 << d) - 1],
                _ => overlap,
            };
            if !ends {
                return Verdict::open(format!(
                    "d = {d}, τ = {size}: the sets are not as described"
                ));
            }
            checked += 1;
        }
    }
    Verdict::proved(
        "all 1 ≤ τ ≤ d",
        format!("all τ-subsets of [d], d ≤ 8, enumerated: {checked} laws"),
    )
}

/// `skgd-fact-step-mean`: "the updates are directionally unbiased".
pub const FACT_STEP_MEAN: Claim = Claim {
    id: "skgd-fact-step-mean",
    place: "§4, before Algorithm 1",
    kind: Kind::ExpectationBound,
    statement: "the steps are unbiased coordinate by coordinate: E[θ^{k+1} | θ^k] = θ^k − \
        Γ∇f(θ^k), whatever the law of S",
    hypotheses: "Assumption 3.1; f convex and M-smooth; given S, η ~ N(0, σ_S² I)",
    rests_on: &["skgd-fact-unbiased"],
    by_hand: &[],
    check: by_kernel,
};
