//! Theorem 3.7 corrected: DP-AMBSSGD with disjoint ranges and the lower threshold of DP-STAT, private and useful in one run.
//!
//! **Setting.** The run: N = T(b+s) records, T even, w_0 = 0. In block t DP-STAT reads s records and tries the levels γ_i = 2^iΔ,
//! i = 0 … m, B = 2^mΔ, with noise N(0, mα²) on each count, and ends at the first noisy count ≥ s − Γ',
//! Γ' = α√(2m·log((m+1)/β_1)). With ζ_t = 2ρU·γ_t the other b records give the clipped gradient, its noise has the
//! deviation 2ηζ_tα/b, and w̄ averages w_{T/2+1} … w_T. This is `ambssgd-alg-3-repaired` in `ambssgd-alg-2`, and the default
//! of the solver. None of the constants is computed from the data.
//!
//! The law: 2L(w) = ‖w−w*‖²_H + σ² is the second moment of the residual ⟨x,w⟩−y. Asked of it:
//! (a) E\[‖x‖²_{H⁻¹}xxᵀ\] ⪯ D·H, z independent of x, E z = 0; (b) for each w, |⟨x,w⟩−y| > U√(2L(w)) with probability ≤ β_1
//! and |⟨x,w⟩−y| < ½√(2L(w)) with probability ≤ ½; ‖x‖ > ρ with probability ≤ β_1. Normal laws satisfy them:
//! [`NORMAL`].
//!
//! The parameters: (c) η ≤ b/((b+D−1)‖H‖); (d) b² ≥ 128ηα²‖H‖Tr(H⁻¹)ρ²U⁴; (e) s ≥ 8Γ';
//! (f) B² ≥ U²(σ² + (T/β_2)‖H‖²(‖w*‖²_{H⁻¹} + 2ηq/μ)). Here
//! q = σ²d/b + (16α²/b²)Tr(H⁻¹)ρ²U²(4U²σ² + Δ²), θ = η‖H‖((D−1)/b + (64α²/b²)Tr(H⁻¹)ρ²U⁴).
//!
//! It departs from the print in this:
//! - Definition 2.1 is empty, so (a), (b);
//! - the printed threshold s lets γ_t pass every residual, so s − Γ';
//! - log^aN is too small a factor of γ_t, so 2ρU; B has the wrong unit, so (f);
//! - the norm of H does not contract, so the recursion runs in that of H⁻¹;
//! - a bound on an expectation holds with probability 1 − β at the price of 1/β, and 1 − N^{−100} is out of reach
//!   (`ambssgd-thm-3.7-reading-tail`). The factor of σ²d/N is 2.2, not 8.

use super::exact_run::{Stated, misses_rarely};
use crate::arith::algebra::Steps;
use crate::arith::{Interval, Poly, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::Argument;

/// The claims of this part: the theorem last.
pub(super) const CLAIMS: [Claim; 10] = [
    PRIVACY, DOMINATED, BLOCK, RECURSION, AVERAGE, NORMAL, THM_3_7, NORMAL_RUN, THM_1_1, COR_3_8,
];

const LAW: &str =
    "(a), (b) of the law and (c)–(f) of the parameters, as ambssgd-thm-3.7-corrected states them";

/// `ambssgd-thm-3.6-disjoint-zcdp`, a theorem of the kernel. Theorem 3.6 stands as printed; the run of this module pays half of
/// it, as no record meets both mechanisms.
pub const PRIVACY: Claim = Claim {
    id: "ambssgd-thm-3.6-disjoint-zcdp",
    place: "§3.2, Theorem 3.6, for Algorithm 2 with disjoint ranges and any public threshold in \
        Algorithm 3",
    kind: Kind::MechanismPrivacy,
    statement: "with noise N(0, (2ηζ_tα/b)²I) on a step and N(0, mα²) on a count, releasing (γ_t, \
        w_t) for all t is 1/(2α²)-zCDP, so (ε, δ)-DP for α ≥ √2·√(log(1/δ)+ε)/ε",
    hypotheses: "replace-one, DP-STAT reads records τ, …, τ+s−1 only; all ε > 0, δ in (0, 1), \
        arbitrary data; for every fixed order of the records, without line 2 of Algorithm 2",
    rests_on: &[
        "ambssgd-thm-3.6-sens",
        "ambssgd-lem-3.10-priv",
        "ambssgd-conv-zcdp",
    ],
    by_hand: &[],
    check: by_kernel,
};

/// `ambssgd-thm-3.6-disjoint`: what the exact profile of a Gaussian says of the same run, which is more than its zCDP.
pub const DOMINATED: Claim = Claim {
    id: "ambssgd-thm-3.6-disjoint",
    statement: "with noise N(0, (2ηζ_tα/b)²I) on a step and N(0, mα²) on a count, releasing (γ_t, \
        w_t) for all t is as private as one release with noise N(0, α²) on a sensitivity of 1, and \
        so (ε, δ)-DP wherever that release is",
    rests_on: &["ambssgd-thm-3.6-disjoint-zcdp"],
    by_hand: &[],
    check: by_kernel,
    ..PRIVACY
};

/// `ambssgd-thm-3.7-corrected-block`. With r for the residuals of the s + b records and S = √(2L(w_t)), outside of the
/// exceptional events: a level that ends the search has s − 2Γ' ≥ ¾s residuals within it, on exhaustion γ_m ≥ US ≥ all of
/// them; fewer than ¾s are below ½S, so γ_t ≥ ½S. If γ_t > Δ, fewer than s are within ½γ_t, so γ_t < 2US. Then
/// ‖x‖|r| ≤ ρUS ≤ 2ρUγ_t = ζ_t.
pub const BLOCK: Claim = Claim {
    id: "ambssgd-thm-3.7-corrected-block",
    place: "§3.2, proof of Theorem 3.7, corrected",
    kind: Kind::HighProbability,
    statement: "given w_t with U√(2L(w_t)) ≤ B: with probability ≥ 1 − (s+2b+1)β_1 − e^{−s/8}, \
        ½√(2L(w_t)) ≤ γ_t ≤ max{Δ, 2U√(2L(w_t))} and no gradient of the batch is clipped",
    hypotheses: "(b) of the law; s ≥ 8Γ'; the records of the block independent of w_t and of each \
        other",
    rests_on: &["ambssgd-lem-3.10-util-repaired", "ambssgd-lem-count"],
    by_hand: &[
        "|noise| ≤ Γ' in all m + 1 passes but with probability β_1; each bound of (b) for each \
            record, by a union bound",
        "all s residuals within B on exhaustion, so the count at γ_m is s",
        "ambssgd-lem-count given w_t: by (b) a residual is ½√(2L(w_t)) or more with probability ≥ \
            1/2, so more than s/4 are",
    ],
    check: block,
};

fn block(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of ρU in ζ_t", 2));
    let margin = c.constant("s over Γ'", 8);
    let exponent = c.constant("exponent of e in units of s", ratio(1, 8));
    let top = Poly::from(c.constant("factor of U√(2L) in the upper bound", 2));
    let [scale, up] = ["S", "ρU"].map(Poly::var);
    let half = Poly::from(ratio(1, 2));
    Steps::new()
        .positive(&["S", "ρU"])
        .suffices(
            "ρUS ≤ ζ_t at γ_t ≥ S/2",
            &up * &scale,
            factor * &up * half * &scale,
        )
        .suffices(
            "3s/4 ≤ s − 2Γ' at s = margin·Γ'",
            ratio(3, 4) * margin.clone(),
            margin - 2,
        )
        .suffices("exponent of ambssgd-lem-count", exponent, ratio(1, 8))
        // x = ±1, σ = 0, U = 1: every residual is S, and the level just below 2S ends the search.
        .at_most("γ_t/2 < US", 2 * &scale, top * &scale)
        .proved_on("all laws and parameters of the hypotheses")
}

/// `ambssgd-thm-3.7-corrected-recursion`, of the run without clipping in which ζ_t is replaced by
/// min{ζ_t, ζ̄_t}, ζ̄_t² = 4ρ²U²(Δ² + 4U²·2L(w_t)). With p = E‖ω‖²_{H⁻¹}, v = E‖ω‖², h = E‖ω‖²_H:
/// E‖(I−ηĤ)ω‖²_{H⁻¹} ≤ p − 2ηv + η²((b+D−1)/b)h and h ≤ ‖H‖v.
pub const RECURSION: Claim = Claim {
    id: "ambssgd-thm-3.7-corrected-recursion",
    place: "App. B.2.2, (43)–(47), corrected",
    kind: Kind::ExpectationBound,
    statement: "E‖ω_{t+1}‖²_{H⁻¹} ≤ E‖ω_t‖²_{H⁻¹} − (η/2)E‖ω_t‖² + η²q with q = σ²d/b + \
        (16α²/b²)Tr(H⁻¹)ρ²U²(4U²σ² + Δ²); so E‖ω_t‖²_{H⁻¹} ≤ (1−ημ/2)^t‖w*‖²_{H⁻¹} + 2ηq/μ",
    hypotheses: "(a); η ≤ b/((b+D−1)‖H‖), b² ≥ 128ηα²‖H‖Tr(H⁻¹)ρ²U⁴; no clipping, ζ_t² ≤ 4ρ²U²(Δ² \
        + 4U²(‖ω_t‖²_H + σ²)), ζ_t independent of the batch given w_t",
    rests_on: &["ambssgd-lem-B.7"],
    by_hand: &[
        "E‖Ĥω‖²_{H⁻¹} ≤ (D/b + (b−1)/b)‖ω‖²_H for the mean Ĥ of b independent xxᵀ, by (a)",
        "ξ and g have mean 0 given the rest, and E‖x‖²_{H⁻¹} = d",
        "‖ω‖²_H ≤ ‖H‖‖ω‖² and ‖ω‖² ≥ μ‖ω‖²_{H⁻¹}; the geometric sum",
    ],
    check: recursion,
};

fn recursion(c: &Check) -> Verdict {
    let step = Poly::from(c.constant("largest η(b+D−1)‖H‖/b", 1));
    let batch = c.constant("factor of ηα²‖H‖Tr(H⁻¹)ρ²U⁴", 128);
    let noise = Poly::from(c.constant("factor of (α²/b²)Tr(H⁻¹)ρ²U²", 16));
    let [v, s, d2, u2] = ["v", "σ²", "Δ²", "U²"].map(Poly::var);
    let two = Poly::from(2);
    // In units of η: −2v + e·v with e = step − r.
    let drift = (&step - Poly::var("r") - &two) * &v;
    // In units of (α²/b²)Tr(H⁻¹)ρ²U²: 4·ζ̄²/(ρ²U²) = 16(Δ² + 4U²(h + σ²)).
    let h = Poly::var("h");
    let paid = 16 * (&d2 + 4 * &u2 * (&h + &s));
    let kept = &noise * (4 * &u2 * &s + &d2) + 64 * &u2 * &h;
    Steps::new()
        .positive(&["v", "r", "σ²", "Δ²", "U²", "h"])
        .at_most(
            "x = ±1, b = 1, no noise: (1 − η)² ≤ 1 − η/2 at the largest η",
            (1 - &step).square(),
            Poly::from(1) - ratio(1, 2) * &step,
        )
        .suffices("−2ηv + ηev ≤ −ηv", &drift, -1 * &v)
        .suffices("noise of a step", &paid, &kept)
        // η²·64(α²/b²)Tr(H⁻¹)ρ²U⁴·‖H‖v ≤ ηv/2.
        .suffices("64/128 ≤ 1/2", 64, batch * ratio(1, 2))
        .proved_on("all laws and parameters of the hypotheses")
}

/// `ambssgd-thm-3.7-corrected-average`. From ηĤ_tω_t = ω_t − ω_{t+1} + ην_t,
/// Hω̄ = (ω_{T/2+1} − ω_{T+1})/(ηT/2) + (2/T)Σ((H − Ĥ_t)ω_t + ν_t), in the norm of H⁻¹, with one imagined block after the last;
/// ½‖u+v‖² ≤ ‖u‖² + ‖v‖². With n = T/2: the first is at most 4P/(η²n²), P = e^{−ημT/4}‖w*‖²_{H⁻¹} + 2ηq/μ, the second
/// (1/n²)Σ(q + (θ/(η‖H‖))h_t) ≤ q/n + (θ/(ηn²))(2P/η + 2nηq).
pub const AVERAGE: Claim = Claim {
    id: "ambssgd-thm-3.7-corrected-average",
    place: "App. B.2.2, (54)–(61), corrected",
    kind: Kind::ExpectationBound,
    statement: "E[L(w̄)]−L* ≤ (2q/T)·(1 + 2θ + (16+8θ)/(ημT)) + \
        ((16+8θ)/(η²T²))·e^{−ημT/4}‖w*‖²_{H⁻¹}, θ = η‖H‖((D−1)/b + (64α²/b²)Tr(H⁻¹)ρ²U⁴)",
    hypotheses: "as ambssgd-thm-3.7-corrected-recursion; T even",
    rests_on: &["ambssgd-thm-3.7-corrected-recursion", "ambssgd-fact-excess"],
    by_hand: &[
        "the identity of Hω̄ by summing the recursion over the second half; one block more is \
            imagined",
        "(H−Ĥ_t)ω_t + ν_t are martingale differences, their two parts uncorrelated; \
            E‖(H−Ĥ)ω‖²_{H⁻¹} ≤ ((D−1)/b)‖ω‖²_H by (a)",
        "(η/2)Σ E‖ω_t‖² ≤ P + nη²q by summing ambssgd-thm-3.7-corrected-recursion; (1−y)^n ≤ \
            e^{−ny}",
    ],
    check: average,
};

fn average(c: &Check) -> Verdict {
    let bias = Poly::from(c.constant("factor of 1/(η²T²)", 16));
    let cross = Poly::from(c.constant("factor of θ/(η²T²)", 8));
    let double = Poly::from(c.constant("factor of θ in the first bracket", 2));
    // Units: q̂ = 2q/T = q/n, j = 1/(η²T²) = 1/(4η²n²), X the bias, y = 1/(ημT): P = X + 2ηq/μ and jP = jX + q̂y.
    let [q, jx, y, theta] = ["q", "jX", "y", "θ"].map(Poly::var);
    let jp = &jx + &q * &y;
    let first = 16 * &jp;
    let second = &q + &theta * (8 * &jp + 2 * &q);
    let weight = &bias + &cross * &theta;
    let bound = &q * (1 + &double * &theta + &weight * &y) + &weight * &jx;
    Steps::new()
        .positive(&["q", "jX", "y", "θ"])
        .suffices("sum of the two parts", first + second, &bound)
        .at_most(
            "x = ±1, b = 1, T = 2, η = 1/2, σ = α = 0: ½(1−η)⁴ ≤ 16·e^{−1/4}, where e^{−1/4} < \
                779/1000",
            ratio(1, 32),
            ratio(779, 1000) * &bias,
        )
        .proved_on("all laws and parameters of the hypotheses")
}

/// `ambssgd-thm-3.7-corrected-normal`: E\[‖g‖²gᵢ²\] = d + 2; P(|g| > U) ≤ e^{−U²/2}; 2Φ(½) − 1 = 0.383; ρ from Lemma A.5 with
/// ‖H‖_F² ≤ ‖H‖Tr(H).
pub const NORMAL: Claim = Claim {
    id: "ambssgd-thm-3.7-corrected-normal",
    place: "§3.2, Theorem 3.7, corrected: a law that satisfies its hypotheses",
    kind: Kind::HighProbability,
    statement: "x ~ N(0, H) and z ~ N(0, σ²) satisfy (a), (b) with D = d + 2, U = √(2·log(1/β_1)), \
        ρ = √Tr(H) + √(2‖H‖log(1/β_1)); a residual is below 1/2 of its scale with probability at \
        most 1/2",
    hypotheses: "all d, H, σ ≥ 0, β_1 in (0, 1)",
    rests_on: &["ambssgd-lem-A.5"],
    by_hand: &[
        "the residual is N(0, 2L(w)), and P(|g| > u) ≤ e^{−u²/2} for u ≥ 0",
        "E[‖g‖²gᵢ²] = (d−1) + 3 for standard normal g = H^{−1/2}x",
        "Tr(H) + 2√(t‖H‖Tr(H)) + 2t‖H‖ ≤ ρ² at t = log(1/β_1)",
    ],
    check: normal,
};

fn normal(c: &Check) -> Verdict {
    let excess = c.constant("D minus d", 2);
    let inner = c.constant("factor of ‖H‖log(1/β_1) in ρ", 2);
    let fraction = c.constant("fraction of the scale", ratio(1, 2));
    let small = Interval::from(2) * Interval::from_rational(&fraction).phi() - Interval::from(1);
    let half = Interval::from_rational(&ratio(1, 2));
    Argument::new(c)
        .states_that(
            "d = 1: E g⁴ = 3 ≤ D",
            Rational::from(1) + excess >= 3,
            || "d = 1: E[‖x‖²_{H⁻¹}x²] is 3H".to_owned(),
        )
        .states_that(
            "P(|g| < fraction) ≤ 1/2",
            !half.certainly_lt(&small),
            || format!("P(|g| < {fraction}) is at least {}", small.lo_f64()),
        )
        .needs_that(
            "ρ² ≥ Tr(H) + 2√(t‖H‖Tr(H)) + 2t‖H‖",
            inner.clone() >= 2 && Rational::from(4) * inner >= 4,
        )
        .proved_on("all d, H, σ ≥ 0, β_1 in (0, 1)")
}

/// `ambssgd-thm-3.7-corrected`, the theorem of this module. E is the intersection of the events of
/// `ambssgd-thm-3.7-corrected-block` over the T blocks and of U√(2L(w_t)) ≤ B for all t, for the run without clipping; on E it
/// is the run itself.
pub const THM_3_7: Claim = Claim {
    id: "ambssgd-thm-3.7-corrected",
    place: "§3.2, Theorem 3.7, corrected",
    kind: Kind::HighProbability,
    statement: "Algorithm 2 with disjoint ranges, threshold s − Γ' in DP-STAT, ζ_t = 2ρUγ_t, noise \
        N(0, (2ηζ_tα/b)²I) on a step and N(0, mα²) on a count is 1/(2α²)-zCDP on all data; and \
        with R the bound of ambssgd-thm-3.7-corrected-average, E[(L(w̄)−L*)·1_E] ≤ R and P(E) ≥ 1 \
        − T((s+2b+1)β_1 + e^{−s/8}) − β_2; so for every β in (0, 1), L(w̄)−L* ≤ R/β with \
        probability ≥ 1 − β − P(Eᶜ), where R is 2.2·σ²d/N times 1 + o(1) as b, ημT → ∞ with s = \
        b/10, σ > 0, law, α, U, ρ, Δ fixed (so that m grows with B), if the last term of R \
        vanishes against it",
    hypotheses: "(a) E[‖x‖²_{H⁻¹}xxᵀ] ⪯ D·H, z independent of x with mean 0; (b) for each w, \
        P(|⟨x,w⟩−y| > U√(2L(w))) ≤ β_1, P(|⟨x,w⟩−y| < ½√(2L(w))) ≤ ½, P(‖x‖ > ρ) ≤ β_1; (c) η ≤ \
        b/((b+D−1)‖H‖); (d) b² ≥ 128ηα²‖H‖Tr(H⁻¹)ρ²U⁴; (e) s ≥ 8Γ', Γ' = α√(2m·log((m+1)/β_1)); \
        (f) B² ≥ U²(σ² + (T/β_2)‖H‖²(‖w*‖²_{H⁻¹} + 2ηq/μ)), Δ = B/2^m; N = T(b+s), T even",
    rests_on: &[
        "ambssgd-thm-3.6-disjoint-zcdp",
        "ambssgd-thm-3.7-corrected-block",
        "ambssgd-thm-3.7-corrected-average",
    ],
    by_hand: &[
        "on E the run is the unclipped one with ζ_t capped as in \
            ambssgd-thm-3.7-corrected-recursion, by induction over the blocks",
        "U√(2L(w_t)) ≤ B for all t < T but with probability β_2: Markov for each ‖ω_t‖²_H ≤ \
            ‖H‖²‖ω_t‖²_{H⁻¹}, union over t, (f)",
        "E[X·1_E] ≤ E[Y] for excess risks X, Y ≥ 0 that agree on E; Markov's inequality and a \
            union bound",
    ],
    check: corrected,
};

fn corrected(c: &Check) -> Verdict {
    let leading = Poly::from(c.constant("factor of σ²d/N in the limit", ratio(22, 10)));
    let cost = Poly::from(c.constant("cost in units of 1/α²", ratio(1, 2)));
    // 2q/T with q → σ²d/b, and 1/(Tb) = (b+s)/(bN) = 1.1/N.
    let first = Poly::from(Rational::from(2) * ratio(11, 10));
    Steps::new()
        .at_most("a record of the batch", ratio(1, 2), &cost)
        .suffices("2(b+s)/b", &first, &leading)
        .note(LAW)
        .proved_on("all laws and parameters of the hypotheses")
}

/// `ambssgd-thm-3.7-corrected-normal-run`, a theorem of the kernel (`super::kernel::tracked`): Theorem 3.7 and its utility for x ~ N(0, I)
/// in one run, with DP-STAT's counts, their noise and its search. The potential runs in the plain norm, so that no union over the
/// iterates is paid, and the leading term is (1+φ)/2·σ²d/(bn) where [`AVERAGE`] has 2σ²d/(bT). That a residual is small is bounded by its
/// first four moments (32/41 for 0.383), so that r is 32G + 1 at least where [`BLOCK`] has 8Γ'.
pub const NORMAL_RUN: Claim = Claim {
    id: "ambssgd-thm-3.7-corrected-normal-run",
    place: "§3.2, Theorem 3.7 and Corollary 3.8 and §1, Theorem 1.1, corrected, for normal records",
    kind: Kind::HighProbability,
    statement: "Algorithm 2 with disjoint ranges of b and r records, DP-STAT ending at the first \
        of the levels Δ·2^i, i < m, whose noisy count is r − G or more (else at Δ·2^m), ζ_t = \
        ϱγ_t, noise N(0, (2ηζ_tα/b)²I) on a step and N(0, mα²) on a count, releasing (γ_t, w_t) \
        for all t, is 1/(2α²)-zCDP on all data; and for x ~ N(0, I), z ~ N(0, σ²) the average w̄ \
        of the last n of T = k + n iterates has L(w̄)−L* ≤ R/β with probability ≥ 1 − β − \
        T(4b·e^{−ℓ} + π) − (‖w_0−w*‖² + Tη²Q)/B², π = 2m(r+1)e^{−ℓ} + m·e^{−r/16}, R = \
        (1+φ)(1+χη)·Q/(2n) + ((3+2φ+1/φ)/(2η²n²))·((1−η)^k‖w_0−w*‖² + 2ηQ), Q = d(σ²/b + \
        (4ϱ²α²/b²)(Δ²+V²σ²)), χ = (d+1)/b + 4dϱ²α²V²/b², V = 2√(2ℓ)",
    hypotheses: "(1+χ)η ≤ 1, ϱ ≥ 4(√d + √(2ℓ))√(2ℓ), G ≥ α√(2mℓ), r ≥ 32G + 1, Δ·2^m ≥ \
        √(2ℓ)·√(B²+σ²), ℓ ≥ 1/2, σ > 0, all α, B, Δ, φ, β > 0, any w*; a is the mean of the \
        clipped gradients of a batch so far, M the counts; the records of the batches and of the \
        counts are drawn, with K_i and H_i their gradients and comparisons, or that of D is in the \
        place of one; privacy on all data and for any order drawn without looking at the records, \
        for any law of the others that draws them one by one; w_0, η, α, b, r, m, Δ, G, ϱ, k and n \
        (so B, σ and ℓ) fixed without looking at the data",
    rests_on: &[],
    by_hand: &[],
    check: normal_run,
};

fn normal_run(c: &Check) -> Verdict {
    let cost = c.constant("cost in units of 1/α²", ratio(1, 2));
    let missed = c.constant("factor of b·e^{−ℓ}", 4);
    let factor = c.constant("factor of (√d + √(2ℓ))√(2ℓ) in ϱ", 4);
    let margin = c.constant("least (r − 1)/G", 32);
    let rate = c.constant("exponent of e in units of r", ratio(1, 16));
    let sides = c.constant("factor of m(r+1)e^{−ℓ}", 2);
    let top = c.constant("V over √(2ℓ)", 2);
    let stated = Stated {
        divisor: c.constant("divisor of q/n", 2),
        first: c.constant("factor of 1/(2η²n²) but for φ", 3),
        beyond: c.constant("χb minus d", 1),
        private: Some(c.constant("factor of dϱ²α²V²/b² in χ", 4)),
    };
    // A record is large with probability 9/41: 1 − (1 − e⁻¹)·9/41 ≤ e^{−1/8}, and r/16 large ones are too few.
    let large = Interval::from(1) - Interval::from(-1).exp();
    let kept = Interval::from(1) - large * Interval::from_rational(&ratio(9, 41));
    let decay = Interval::from_rational(&-(rate + ratio(1, 16))).exp();
    Argument::new(c)
        .states_that(
            "gradients ±ζ of a record of the batch",
            cost >= ratio(1, 2),
            || "(ζ − (−ζ))²/(2(2ζα)²) = 1/(2α²)".to_owned(),
        )
        // (‖ω‖ + σ)² ≤ 2·2L(w) ≤ 2·(2γ)², attained for ‖ω‖ = σ.
        .needs_that(
            "‖ω‖ + σ in units of γ",
            factor > 0 && factor.clone() * &factor >= 8,
        )
        .needs_that("2G ≤ r/16", Rational::from(2) / margin <= ratio(1, 16))
        .needs_that("too few large residuals", kept.certainly_le(&decay))
        .needs_that("both sides of a residual, and of noise", sides >= 2)
        .needs_that("the level behind √(2ℓ)·S is twice as high", top >= 2)
        .needs_that(
            "tails of ‖x‖, ⟨x, w−w*⟩ and z for d ≤ 2",
            misses_rarely(&missed),
        )
        .needs_that(
            "exact runs without clipping: the divisor of q/n",
            stated.covers_exact_runs(),
        )
        .proved_on("all parameters of the hypotheses")
}

/// `ambssgd-thm-1.1-corrected`: Theorem 3.7 corrected for H = I.
pub const THM_1_1: Claim = Claim {
    id: "ambssgd-thm-1.1-corrected",
    place: "§1, Theorem 1.1, corrected",
    kind: Kind::HighProbability,
    statement: "the run of ambssgd-thm-3.7-corrected, noise N(0, (2ηζ_tα/b)²I) on a step and N(0, \
        mα²) on a count: for x ~ N(0, I), z ~ N(0, σ²), η = b/(b+d+1) and β_1, β_2 in (0, 1): \
        L(w̄)−L* ≤ R/β with probability ≥ 1 − β − T((s+2b+1)β_1 + e^{−s/8}) − β_2, R = (2q/T)(1 + \
        2θ + (16+8θ)/(ηT)) + ((16+8θ)/(η²T²))e^{−ηT/4}‖w*‖², q = σ²d/b + (16α²d/b²)ρ²U²(4U²σ²+Δ²), \
        θ = η((d+1)/b + (64α²d/b²)ρ²U⁴) ≤ 1, U² = 2·log(1/β_1), ρ = √d + U; the run is (ε, δ)-DP \
        for α = √2·√(log(1/δ)+ε)/ε and takes O(Nd) time",
    hypotheses: "b ≥ d + 1, b² ≥ 128ηα²dρ²U⁴, s ≥ 8Γ', B² ≥ U²(σ² + (T/β_2)(‖w*‖² + 2ηq)), Δ = \
        B/2^m, m ≤ b, N = T(b+s), T even; (b+D−1)‖H‖ = b + d + 1",
    rests_on: &[
        "ambssgd-thm-3.7-corrected",
        "ambssgd-thm-3.7-corrected-normal",
        "ambssgd-cost",
    ],
    by_hand: &["H = I, Tr(H⁻¹) = d, ‖H‖ = μ = 1 and D = d + 2 in ambssgd-thm-3.7-corrected"],
    check: identity,
};

fn identity(c: &Check) -> Verdict {
    let offset = c.constant("(b+D−1)‖H‖ minus b + d", 1);
    let batch = c.constant("factor of ηα²dρ²U⁴", 128);
    let one = Poly::from(1);
    // θ = η(d+1)/b + 64/128 at most, η ≤ b/(b+d+1) with b = d + 1 + t: times 2(b + d + 1).
    let [d, t] = ["d", "t"].map(Poly::var);
    let b = &d + &one + &t;
    let sum = &b + &d + &one;
    let share = Poly::from(Rational::from(64) / batch);
    Steps::new()
        .positive(&["d", "t"])
        .at_most("D − 1 with D = d + 2", &one, offset)
        .suffices("θ ≤ 1", &d + &one + share * &sum, &sum)
        .proved_on("all parameters of the hypotheses")
}

/// `ambssgd-cor-3.8-util-corrected`. With the printed η = 1/(4d) the bias needs T of order d·log N
/// (`ambssgd-cor-3.8-util-reading-bias`), so η = b/(b+d+1) as in Theorem 3.7.
pub const COR_3_8: Claim = Claim {
    id: "ambssgd-cor-3.8-util-corrected",
    place: "§3.2, Corollary 3.8, item 2, corrected",
    kind: Kind::HighProbability,
    statement: "the run of ambssgd-thm-1.1-corrected, noise N(0, (2ηζ_tα/b)²I) on a step and N(0, \
        mα²) on a count: with η = b/(b+d+1) for 1/(4d) and T ≥ (4k/η)·log N the bound of \
        ambssgd-thm-1.1-corrected has the bias term (24/(η²T²))·‖w*‖²/N^k, and the whole is at \
        most (6q/T)(1 + 8/(ηT)) + (24/(η²T²))‖w*‖²/N^k",
    hypotheses: "those of ambssgd-thm-1.1-corrected; θ ≤ 1; k > 0",
    rests_on: &["ambssgd-thm-1.1-corrected"],
    by_hand: &["e^{−ηT/4} ≤ N^{−k}"],
    check: |c| {
        let bias = Poly::from(c.constant("factor of 1/(η²T²)", 24));
        let whole = Poly::from(c.constant("factor of q/T", 6));
        let inner = Poly::from(c.constant("factor of 1/(ηT)", 8));
        let [theta, rest, y] = ["θ", "1−θ", "y"].map(Poly::var);
        let one = &theta + &rest;
        // 16 + 8θ ≤ 24 and 2(1 + 2θ + (16+8θ)y) ≤ 6(1 + 8y), with 1 = θ + (1−θ).
        let weight = 16 * &one + 8 * &theta;
        let bracket = 2 * (&one + 2 * &theta + &weight * &y);
        Steps::new()
            .positive(&["θ", "1−θ", "y"])
            .at_most("θ = 1", 24, &bias)
            .at_most("θ = 1, y = 0", 6, &whole)
            .suffices("bias", &weight, &bias * &one)
            .suffices("variance", &bracket, &whole * (&one + inner * &y * &one))
            .proved_on("all parameters of the hypotheses")
    },
};
