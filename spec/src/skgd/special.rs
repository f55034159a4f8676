//! Sections 3.4 and 4: the special cases that the text names, and the mean of one step.

use super::setting::integer;
use crate::arith::algebra::Steps;
use crate::arith::{Poly, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict};

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
    statement: "for M = βI Assumption 3.6 is β-smoothness in the 2-norm, and for M = I Assumption 3.5 is μ_I-strong convexity: ‖x‖²_{βI} = β·‖x‖²_2",
    hypotheses: "β > 0",
    rests_on: &["skgd-def-norm"],
    by_hand: &[],
    check: fact_isotropic,
};

fn fact_isotropic(c: &Check) -> Verdict {
    let power = c.constant("power of β", 1);
    let Some(power) = integer(&power) else {
        return Verdict::open("a fractional power is not a polynomial statement");
    };
    let (x, y, beta) = (
        Poly::var("x_1").square(),
        Poly::var("x_2").square(),
        Poly::var("β"),
    );
    let weighted = &beta * &x + &beta * &y;
    let claimed = Poly::power("β", power) * (x + y);
    Steps::new()
        .positive(&["β"])
        .equal("‖x‖²_{βI} = β‖x‖²", &weighted, &claimed)
        .proved_on("all β > 0")
}

/// `skgd-fact-lipschitz-special`: what I_Uv and its norm are for U = \[d\] and for singletons. An L-Lipschitz loss satisfies
/// Assumption 3.7 because the points w + I_Uv and w are ‖I_Uv‖ apart.
pub const FACT_LIPSCHITZ_SPECIAL: Claim = Claim {
    id: "skgd-fact-lipschitz-special",
    place: "§3.4, after Assumption 3.7",
    kind: Kind::PathwiseInequality,
    statement: "Assumption 3.7 is |ℓ(v;ζ) − ℓ(w;ζ)| ≤ L‖v − w‖_2 for S = [d] and |ℓ(w + te_j;ζ) − ℓ(w;ζ)| ≤ L_j|t| for singletons; \
                an L-Lipschitz ℓ satisfies it with L_U = L for every S",
    hypotheses: "as Assumption 3.7",
    rests_on: &["skgd-asm-3.7"],
    check: fact_lipschitz_special,
    ..Claim::ALONE
};

fn fact_lipschitz_special(c: &Check) -> Verdict {
    let inside = Poly::from(c.constant("diagonal entry of I_U on U", 1));
    let v = [Poly::var("v_1"), Poly::var("v_2")];
    let norm = |set: [bool; 2]| -> Poly {
        let kept = v.iter().zip(set).filter(|(_, chosen)| *chosen);
        kept.map(|(x, _)| (&inside * x).square()).sum()
    };
    Steps::new()
        .equal(
            "U = [d]: ‖I_Uv‖ = ‖v‖",
            norm([true, true]),
            v[0].square() + v[1].square(),
        )
        .equal(
            "U = {j}: ‖I_Uv‖ = |v_j|",
            norm([true, false]),
            v[0].square(),
        )
        .proved_on("all d and S")
}

/// `skgd-fact-samplings`. Enumerated for d ≤ 8. A partition of d indices into one block is \[d\], into d blocks the
/// singletons; two different τ-sets overlap for some pair as soon as 1 < τ < d.
pub const FACT_SAMPLINGS: Claim = Claim {
    id: "skgd-fact-samplings",
    place: "§3.4, after Assumption 3.7",
    kind: Kind::PathwiseInequality,
    statement: "a random τ-subset of [d] satisfies Assumption 3.1 with p_j = τ/d, and its sets are no partition for 1 < τ < d; \
                they are [d] for τ = d, as a partition in one block, and the singletons for τ = 1, as one in d blocks",
    hypotheses: "1 ≤ τ ≤ d",
    rests_on: &["skgd-asm-3.1"],
    by_hand: &[
        "For all d the count is that of binom(d−1, τ−1) sets that contain j among binom(d, τ); d ≤ 8 is enumerated.",
        "For 1 < τ < d two τ-sets that share an element and differ exist: replace one of two elements.",
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

/// `skgd-fact-step-mean`: "the updates are directionally unbiased". In coordinate 1 of two, over the sets {1} and {1, 2} with
/// probabilities q, times p: Σ q·(γ/p)·p·g.
pub const FACT_STEP_MEAN: Claim = Claim {
    id: "skgd-fact-step-mean",
    place: "§4, before Algorithm 1",
    kind: Kind::ExpectationBound,
    statement: "the steps are unbiased coordinate by coordinate: E[θ^{k+1} | θ^k] = θ^k − Γ∇f(θ^k), whatever the law of S",
    hypotheses: "Assumption 3.1; given S, η is centred",
    rests_on: &["skgd-fact-unbiased"],
    by_hand: &[],
    check: fact_step_mean,
};

fn fact_step_mean(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of Γ∇f", 1));
    let [q, both] = ["q_1", "q_12"].map(Poly::var);
    let [step, g] = ["γ", "g"].map(Poly::var);
    let p = &q + &both;
    // c_1 = 1/p on the sets that contain coordinate 1; both sides times p.
    let mean = &q * &step * &g + &both * &step * &g;
    Steps::new()
        .positive(&["q_1", "q_12", "γ"])
        .equal(
            "E[γ_j c_j (g_j + η_j)], times p_j",
            &mean,
            factor * &p * step * g,
        )
        .proved_on("all S, Γ, gradients")
}
