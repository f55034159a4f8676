//! The clipping map, the printed loops of Algorithms 1 to 3, and their cost.

use crate::arith::{Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::Argument;
use crate::skgd::setting::integer;

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 8] = [
    DEF_CLIP,
    DEF_CLIP_PROOF,
    ALG_1,
    ALG_2,
    ALG_3,
    ALG_3_REPAIRED,
    COST,
    COST_READING_LEVELS,
];

/// Vectors (3, 4)·k/5 of norms 0, 1/2, 1, 3, and the radii tried with them.
fn cases() -> Vec<(Rational, Rational)> {
    let norms = [ratio(0, 1), ratio(1, 2), ratio(1, 1), ratio(3, 1)];
    let radii = [ratio(1, 3), ratio(1, 1), ratio(2, 1)];
    norms
        .iter()
        .flat_map(|n| radii.iter().map(move |r| (n.clone(), r.clone())))
        .collect()
}

/// `ambssgd-def-clip`. The map acts on the norm r alone: r ↦ r·min{1, ζ/r} = min{r, ζ}. At ν = 0 the
/// print divides by zero; the value is read as 0.
pub const DEF_CLIP: Claim = Claim {
    id: "ambssgd-def-clip",
    place: "§1.1 and Algorithms 1, 2",
    kind: Kind::Definition,
    statement: "clip_ζ(ν) = ν·min{1, ζ/‖ν‖} has norm at most ζ and leaves ν unchanged where ‖ν‖ ≤ \
        ζ",
    hypotheses: "ζ > 0; clip_ζ(0) = 0",
    check: clip_is_projection,
    ..Claim::ALONE
};

/// `ambssgd-def-clip-proof`: both privacy proofs print max in place of min.
pub const DEF_CLIP_PROOF: Claim = Claim {
    id: "ambssgd-def-clip-proof",
    place: "App. A.1.1 (Lemma A.1) and App. B.1.2 (Theorem 3.6)",
    kind: Kind::PathwiseInequality,
    statement: "clip_ζ(ν) = ν·max{1, ζ/‖ν‖} has norm at most ζ and leaves ν unchanged where ‖ν‖ ≤ \
        ζ",
    hypotheses: "ζ > 0, ν ≠ 0",
    check: by_kernel,
    ..Claim::ALONE
};

fn clip_is_projection(c: &Check) -> Verdict {
    let radius = c.constant("factor of ζ", 1);
    let failing = cases().into_iter().find_map(|(norm, zeta)| {
        let limit = zeta.clone() * &radius;
        let clipped = if norm == 0 {
            Rational::new()
        } else {
            norm.clone() * Rational::from(1).min(limit / &norm)
        };
        let kept = norm > zeta || clipped == norm;
        (clipped > zeta || !kept)
            .then(|| format!("‖ν‖ = {norm}, ζ = {zeta}: the clipped norm is {clipped}"))
    });
    Argument::new(c)
        .states_unless("norms 0, 1/2, 1, 3 against the radii 1/3, 1, 2", failing)
        .note("r·min{1, ζ/r} = min{r, ζ} has the two properties for every r and ζ")
        .proved_on("all ν and ζ > 0")
}

/// `ambssgd-alg-1`. N must be even, as N/2 is an index; the tail average then has N/2 terms of weight
/// 2/N. Each record is read exactly once.
pub const ALG_1: Claim = Claim {
    id: "ambssgd-alg-1",
    place: "§3.1, Algorithm 1",
    kind: Kind::Algorithm,
    statement: "one pass over permuted records with clipped, noised steps; output \
        (2/N)·Σ_{t=N/2+1}^N w_t",
    hypotheses: "N even and ≥ 2 (implied by the index N/2)",
    rests_on: &["ambssgd-def-clip"],
    by_hand: &[],
    check: alg_1,
};

fn alg_1(c: &Check) -> Verdict {
    let offset = c.constant("first averaged index minus N/2", 1);
    let Some(offset) = integer(&offset) else {
        return Verdict::refuted(
            format!("the first index is N/2 + {offset}"),
            "index range",
            None,
        );
    };
    let failing = (1..=20).map(|half| 2 * half).find_map(|n: i32| {
        let terms = (n / 2 + offset..=n).filter(|t| (1..=n).contains(t)).count();
        let weight = Rational::from((2 * terms, n as u32));
        (weight != 1).then(|| format!("N = {n}: the weights of the average sum to {weight}"))
    });
    Argument::new(c)
        .states_unless("weights of the tail average for N = 2, 4, …, 40", failing)
        .note(
            "N − N/2 terms of weight 2/N for every even N; w_t exists for t = 0, …, N; the loop \
                reads each record once",
        )
        .proved_on("all even N ≥ 2; an odd N has no index N/2 + 1")
}

/// The record indices of one block t of Algorithm 2: read by DP-STAT, and by the gradient.
pub(super) fn block_reads(
    b: u32,
    s: u32,
    t: u32,
) -> (std::ops::RangeInclusive<u32>, std::ops::Range<u32>) {
    let start = (b + s) * t;
    (start..=start + s, start + s..start + s + b)
}

/// `ambssgd-alg-2`. With N = T(b+s), T even and b ≥ 1 every index exists. Record τ + s is read twice:
/// by DP-STAT, whose range {τ, …, τ+s} has s + 1 elements, and by the gradient. The parameter a of
/// line 8 is missing in the list of inputs.
pub const ALG_2: Claim = Claim {
    id: "ambssgd-alg-2",
    place: "§3.2, Algorithm 2",
    kind: Kind::Algorithm,
    statement: "T = N/(b+s) blocks; DP-STAT on records τ, …, τ+s gives ζ_t; a clipped, noised \
        mini-batch step on records τ+s, …, τ+s+b−1; tail average",
    hypotheses: "N = T(b+s), T even, b, s ≥ 1 (implied by the indices); a given",
    rests_on: &["ambssgd-alg-3", "ambssgd-def-clip"],
    by_hand: &[],
    check: alg_2,
};

fn alg_2(c: &Check) -> Verdict {
    let divisor = c.constant("records per block beyond b + s", 0);
    let mut blocks = 0_u32;
    let failing = (1..=4)
        .flat_map(|b| (1..=4).map(move |s| (b, s)))
        .find_map(|(b, s)| {
            [2_u32, 4].into_iter().find_map(|outer| {
                let records = Rational::from(outer * (b + s));
                let claimed = records / (Rational::from(b + s) + &divisor);
                let last = (0..outer).flat_map(|t| {
                    let (stat, batch) = block_reads(b, s, t);
                    stat.chain(batch)
                });
                blocks += outer;
                let read: std::collections::BTreeSet<_> = last.collect();
                let complete = read.len() == (outer * (b + s)) as usize
                    && read.iter().all(|i| *i < outer * (b + s));
                (!complete || claimed != outer)
                    .then(|| format!("b = {b}, s = {s}, N = {}: T is {claimed}", outer * (b + s)))
            })
        });
    Argument::new(c)
        .states_unless("index ranges for b, s ≤ 4 and T in {2, 4}", failing)
        .note(
            "every record is read, indices stay below N, and only record τ + s of a block is read \
                twice",
        )
        .proved_on("all b, s ≥ 1, even T, N = T(b+s)")
}

/// `ambssgd-alg-3`, i being the last value of the loop variable on exhaustion. B/Δ > 1 is needed for a
/// positive noise variance. The check runs all comparison outcomes for m ≤ 6.
pub const ALG_3: Claim = Claim {
    id: "ambssgd-alg-3",
    place: "§3.2, Algorithm 3",
    kind: Kind::Algorithm,
    statement: "for i = 0, …, m: break if c + N(0, mα²) ≥ s, else γ_{i+1} = 2γ_i; return γ_i, m = \
        ⌈log_2(B/Δ)⌉",
    hypotheses: "B > Δ > 0; i keeps its last value m when no comparison breaks the loop (the print \
        does not say)",
    check: alg_3,
    ..Claim::ALONE
};

fn alg_3(c: &Check) -> Verdict {
    let last = c.constant("largest returned index minus m", 0);
    let mut runs = 0;
    let mut largest = 0_i32;
    for m in 1..=6_i32 {
        for outcomes in 0..1_u32 << (m + 1) {
            let returned = (0..=m).find(|i| outcomes >> i & 1 == 1).unwrap_or(m);
            largest = largest.max(returned - m);
            runs += 1;
        }
    }
    Argument::new(c)
        .states_that(
            "the largest returned index over all outcomes",
            last == largest,
            || format!("the largest returned index is m + {largest}, not m + {last}"),
        )
        .note(&format!(
            "{runs} runs for m ≤ 6; the loop has m + 1 passes and returns one of γ_0, …, γ_m"
        ))
        .proved_on("all B > Δ > 0, all data and noise")
}

/// `ambssgd-alg-3-repaired`: the threshold is s − Γ' for s, Γ' = α√(2m·log((m+1)/β)). It does not depend on the data, so
/// Lemma 3.10 (Privacy) holds as it is; what it gains is `ambssgd-lem-3.10-util-repaired`.
pub const ALG_3_REPAIRED: Claim = Claim {
    id: "ambssgd-alg-3-repaired",
    place: "§3.2, Algorithm 3 with a lower threshold",
    kind: Kind::Algorithm,
    statement: "for i = 0, …, m: break if c + N(0, mα²) ≥ s − Γ', else γ_{i+1} = 2γ_i; return γ_i; \
        Γ' = α√(2m·log((m+1)/β))",
    hypotheses: "as Algorithm 3; β in (0, 1)",
    rests_on: &["ambssgd-alg-3"],
    by_hand: &[],
    check: alg_3,
};

/// `ambssgd-cost-reading-levels`: the count of line 4 is taken over s + 1 samples in each of up to m + 1 passes.
/// With Δ = B/N^200, m = ⌈200·log_2 N⌉; on data whose residuals all exceed B every pass is made.
pub const COST_READING_LEVELS: Claim = Claim {
    id: "ambssgd-cost-reading-levels",
    place: "§3.2, remark iii after Theorem 3.7, with a count at every level of DP-STAT",
    kind: Kind::Rate,
    statement: "Algorithm 2 line by line takes O(Nd) operations for every d",
    hypotheses: "s = b/10; the s + 1 residuals are compared anew at every level",
    check: cost_by_levels,
    ..Claim::ALONE
};

fn cost_by_levels(c: &Check) -> Verdict {
    let per_level = c.constant("comparisons per sample and level", 1);
    // d = 1, b = 10s, N = T·11s = 2^k: comparisons/(N·d) ≥ (s+1)(m+1)/(11s) ≥ (200k + 1)/11, which grows with k.
    let growth = per_level * ratio(200, 11);
    Argument::new(c)
        .repaired("ambssgd-cost")
        .states_that(
            "comparisons per record and coordinate at d = 1",
            growth <= 0,
            || {
                format!(
                    "d = 1, residuals above B: at least (200·log_2 N + 1)/11 comparisons per \
                        record, which grows by {growth} with every doubling of N"
                )
            },
        )
        .open_for("d = 1 only")
}

/// `ambssgd-cost`: with the s + 1 residuals computed once and sorted into the m + 1 levels by
/// their exponents, a block costs 2d(s+1) for residuals, s + 1 for levels, m + 1 for sums and 4db for
/// the gradient. The sums are 200·log_2 N per block, at most N in all when b ≥ 20·log_2 N.
pub const COST: Claim = Claim {
    id: "ambssgd-cost",
    place: "§3.2, remark iii after Theorem 3.7",
    kind: Kind::Rate,
    statement: "with residuals sorted into levels once per block, a block costs at most 2d(s+1) + \
        (s+1) + (m+1) + 4db ≤ 9d(b+s) operations if m ≤ b; hence at most 9Nd in all",
    hypotheses: "d ≥ 1, b, s ≥ 1, m = ⌈log_2(B/Δ)⌉ ≤ b",
    rests_on: &[],
    by_hand: &[
        "a block costs 2d(s+1) operations for the residuals, s+1 for their levels, m+1 for the \
            sums and 4db for the gradient: counted, the term has the two inequalities",
    ],
    check: by_kernel,
};
