//! Section 4: Theorem 1, the remarks after it, and the graphs used as examples.

use crate::arith::{Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::decor::graph::Graph;
use crate::decor::mixing::{metropolis_hastings, rate};
use crate::decor::resolvent::Resolvent;
use crate::decor::steps::{Algebra, frac, inv, v};
use crate::prove::Argument;
use std::cmp::Ordering;

/// The claims of section 4 (with the necessity remark of section 5.3), in the paper's order.
pub(super) const CLAIMS: [Claim; 8] = [
    REM_EXAMPLES,
    THM_1A,
    THM_1B,
    THM_1B_READING_ALL,
    REM_SCALE,
    REM_DISC,
    TWOCONN,
    TWOCONN_READING_GENERAL,
];

/// `decor-rem-examples`. Eigenvectors for any n: on K_n every vector orthogonal to 1 has the eigenvalue
/// n; on the star (n ≥ 3) differences of leaves have 1 and (n−1, −1, …, −1) has n; on the ring the
/// vectors cos(kθj), θ = 2π/n, have 2(1 − cos kθ), least for k = 1 because cos falls on [0, π]. With
/// 2x²/π² ≤ 1 − cos x ≤ x²/2 on [0, π] that is between 16/n² and 4π²/n². The ring's weights 1/3 have
/// the eigenvalues (1 + 2cos kθ)/3, so p = 1 − ((1 + 2cos θ)/3)² for n ≥ 4, between 64/(9n²) and
/// 8π²/(3n²); for n = 3 the ring is complete and p = 1. The star on two vertices is K_2, with a = 2.
pub const REM_EXAMPLES: Claim = Claim {
    id: "decor-rem-examples",
    place: "§4 (connectivity), §5.1 (rate of averaging)",
    kind: Kind::PathwiseInequality,
    statement: "a(K_n) = n; a(star) = 1; a(ring) = 2(1 − cos(2π/n)) = Θ(1/n²); p = 1 for the \
        complete graph, Θ(1/n²) for the ring",
    hypotheses: "star and ring with n ≥ 3; averaging weights 1/n on K_n, 1/3 on the ring",
    rests_on: &[],
    by_hand: &[
        "the eigenvectors of K_n, star and ring hold for all n",
        "2x²/π² ≤ 1 − cos x ≤ x²/2 gives Θ(1/n²)",
    ],
    check: rem_examples,
};

fn rem_examples(c: &Check) -> Verdict {
    let complete = c.constant("a(K_n)/n", 1);
    let star = c.constant("a(star)", 1);
    let ring = c.constant("factor of 1 − cos(2π/n)", 2);
    let averaged = c.constant("p of the complete graph", 1);
    let is = |g: &Graph, value: &Rational| {
        let a = Resolvent::of(g).connectivity();
        a.is_some_and(|a| a.cmp_rational(value) == Ordering::Equal)
    };
    let cosines = [(3, frac(-1, 2)), (4, frac(0, 1)), (6, frac(1, 2))];
    let rings_hold = cosines
        .iter()
        .all(|(n, cos)| is(&Graph::ring(*n), &(Rational::from(1 - cos) * &ring)));
    let of_rate = |g: &Graph, value: &Rational| {
        let p = rate(&metropolis_hastings(g));
        p.is_some_and(|p| p.cmp_rational(value) == Ordering::Equal)
    };
    let [n, leaf] = ["n", "x"].map(Poly::var);
    Argument::new(c)
        .states_that(
            "a(K_n) = n for 2 ≤ n ≤ 10",
            (2..=10).all(|n| is(&Graph::complete(n), &Rational::from(&complete * n as u32))),
            || format!("a(K_2) = 2, not 2·{complete}"),
        )
        .states_that(
            "a(star) = 1 for 3 ≤ n ≤ 12",
            (3..=12).all(|n| is(&Graph::star(n), &star)),
            || format!("a of the star on 3 vertices is 1, not {star}"),
        )
        .states_that(
            "a(ring) for n = 3, 4, 6, where the cosine is rational",
            rings_hold,
            || format!("a of the ring on 4 vertices is 2, not {ring}·(1 − 0)"),
        )
        .states_that(
            "p of K_n with weights 1/n, 2 ≤ n ≤ 8",
            (2..=8).all(|n| of_rate(&Graph::complete(n), &averaged)),
            || format!("p of K_2 is 1, not {averaged}"),
        )
        .needs_that(
            "p = 1 − ((1 + 2cos θ)/3)² for the rings on 4 and 6 vertices",
            of_rate(&Graph::ring(4), &frac(8, 9)) && of_rate(&Graph::ring(6), &frac(5, 9)),
        )
        .needs_equal(
            "K_n: (n−1)x − Σ of the others = n x",
            (&n - 1) * &leaf + &leaf,
            &n * &leaf,
        )
        .needs_equal(
            "ring: 2z⁰ − z − z⁻¹ = −(z − 1)²/z, which is 2(1 − cos θ) at z = e^{iθ}",
            2 - v("z") - inv("z"),
            0 - (v("z") - 1).square() * inv("z"),
        )
        .note("all n by the eigenvectors in the doc comment")
        .proved_on("all n (star and ring: n ≥ 3)")
}

/// `decor-thm-1a`: Theorem 6 with q = 0. K_n attains it.
pub const THM_1A: Claim = Claim {
    id: "decor-thm-1a",
    place: "§4, Theorem 1, first item",
    kind: Kind::MechanismPrivacy,
    statement: "each step is (α, αε)-SecRDP against an eavesdropper with ε ≤ 2C²(1/(nσ_cdp²) + (1 \
        − 1/n)/(σ_cdp² + a(G)σ_cor²))",
    hypotheses: "α > 1, σ_cdp > 0, user-level replacement",
    rests_on: &["decor-thm-6"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-thm-1b`: Theorem 6 with q = 1, for a differing user other than the curious one. K_n attains
/// it, because a_1(K_n) = n − 1. For n = 1 there is no other user.
pub const THM_1B: Claim = Claim {
    id: "decor-thm-1b",
    place: "§4, Theorem 1, second item",
    kind: Kind::MechanismPrivacy,
    statement: "each step is (α, αε)-SecRDP against non-colluding users with ε ≤ \
        2C²(1/((n−1)σ_cdp²) + (1 − 1/(n−1))/(σ_cdp² + a_1(G)σ_cor²))",
    hypotheses: "α > 1, σ_cdp > 0, n ≥ 2; user-level replacement of a user other than the curious \
        one",
    rests_on: &["decor-thm-6"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-thm-1b-reading-all`. (ε, δ, S_i)-SecLDP "for every adjacent datasets" would also protect
/// user i against itself: it knows all its pair noise, so the slope is 2C²/σ_cdp².
pub const THM_1B_READING_ALL: Claim = Claim {
    id: "decor-thm-1b-reading-all",
    place: "§4, Theorem 1, second item, with Definition 1 taken literally",
    kind: Kind::MechanismPrivacy,
    statement: "the second bound of Theorem 1 also holds for datasets that differ in the data of \
        the curious user",
    hypotheses: "as Theorem 1, differing user anywhere in [n]",
    rests_on: &["decor-fact-cov"],
    by_hand: &[],
    check: thm_1b_reading_all,
};

fn thm_1b_reading_all(c: &Check) -> Verdict {
    let factor = c.constant("factor of C²", 2);
    // The ring on four vertices: a_1 is that of the path on three, 1.
    let left = Graph::ring(4).induced(0b1110);
    let a = Resolvent::of(&left).connectivity();
    let a_is_one = a.is_some_and(|a| a.cmp_rational(&Rational::from(1)) == Ordering::Equal);
    let bound = (frac(1, 3) + frac(2, 3) / Rational::from(2)) * factor;
    let slope = Rational::from(2);
    Argument::new(c)
        .repaired("decor-thm-1b")
        .needs_that("a_1 of the ring on 4 vertices is 1", a_is_one)
        .states_that(
            "ring on 4 vertices, the curious user's own data",
            slope <= bound,
            || format!("σ_cdp = σ_cor = C = 1: the slope is {slope}, the bound {bound}"),
        )
        .proved_on("one instance only")
}

/// `decor-rem-scale`. With σ_cdp² ≥ k₁/n and a σ_cor² ≥ k₂ Theorem 1 gives at most 2C²(1/k₁ + 1/k₂);
/// against II, n/(n−1) ≤ 2. If σ_cdp² = k₁/nᵉ, the slope is at least 2C² nᵉ⁻¹/k₁ on every graph
/// (the weight of the eigenvector 1), which is unbounded for e > 1.
pub const REM_SCALE: Claim = Claim {
    id: "decor-rem-scale",
    place: "§4, after Theorem 1",
    kind: Kind::Calibration,
    statement: "the slope is bounded if σ_cdp² = Ω(1/n) and σ_cor² = Ω(1/a(G)) (adversary I) or \
        Ω(1/a_1(G)) (adversary II)",
    hypotheses: "G connected (I), a_1(G) > 0 and n ≥ 2 (II); C fixed",
    rests_on: &["decor-thm-1a", "decor-thm-1b"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-rem-disc`. L has one kernel vector for each component. With σ_cor = 0, Σ = σ_cdp²I on any
/// graph: the slope is that of the LDP baseline.
pub const REM_DISC: Claim = Claim {
    id: "decor-rem-disc",
    place: "§4, after Theorem 1",
    kind: Kind::Calibration,
    statement: "if G is disconnected then a(G) = 0, and σ_cdp² = Θ(1), σ_cor = 0 gives the LDP \
        baseline",
    hypotheses: "n ≥ 2",
    rests_on: &["decor-thm-6-num"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-2conn`. User i is j's only neighbour, so j is isolated in G − i and [Σ⁻¹]_jj = 1/σ_cdp²,
/// whatever σ_cor: with σ_cdp² = Θ(1/n) the slope against user i is Θ(n).
pub const TWOCONN: Claim = Claim {
    id: "decor-2conn",
    place: "§5.3, last paragraph",
    kind: Kind::MechanismPrivacy,
    statement: "if i is the only neighbour of j, then against i user j has only σ_cdp: the slope \
        is 2C²/σ_cdp² for every σ_cor",
    hypotheses: "adversary II, deg(j) = 1",
    rests_on: &["decor-thm-6-num"],
    by_hand: &[
        "the term is [Σ⁻¹]_jj = 1/σ_cdp² in the graph without i; that 2C²[Σ⁻¹]_jj is the slope of \
            user j against i is decor-thm-6-num",
    ],
    check: by_kernel,
};

/// `decor-2conn-reading-general`. Taken as "no graph that is not 2-connected matches CDP up to a
/// constant against II" the belief fails: two cliques K_{m+1} that share a vertex, n = 2m + 1. After
/// any deletion every user is in a clique on at least m of the vertices left, and further edges only
/// lower [Σ⁻¹]_jj (`decor-drv-1`), so at σ_cor = σ_cdp the slope is at most 2C²/σ_cdp²·(1/m +
/// (1 − 1/m)/(1 + m)) ≤ 6·2C²/(nσ_cdp²).
pub const TWOCONN_READING_GENERAL: Claim = Claim {
    id: "decor-2conn-reading-general",
    place: "§5.3, last paragraph, the general reading",
    kind: Kind::MechanismPrivacy,
    statement: "on graphs that are not 2-connected the slope against II is not within a constant \
        factor of the CDP slope 2C²/(nσ_cdp²), for any σ_cor",
    hypotheses: "families of connected graphs with n → ∞ that are not 2-connected",
    rests_on: &["decor-drv-1"],
    by_hand: &[],
    check: twoconn_reading_general,
};

fn twoconn_reading_general(c: &Check) -> Verdict {
    let factor = c.constant("constant factor exceeded", 6);
    let within = |m: usize| {
        let graph = Graph::two_cliques_sharing_a_vertex(m);
        let all = (1u64 << graph.n()) - 1;
        let worst = (0..graph.n()).filter_map(|i| {
            Resolvent::of(&graph.induced(all & !(1 << i))).largest(&Rational::from(1))
        });
        let worst = worst.max().unwrap_or_default() * graph.n() as u32;
        let cut = !graph.induced(all & !1).is_connected();
        cut && worst <= factor
    };
    // n(1/m + (1 − 1/m)/(1 + m)) ≤ 6, n = 2m + 1, m = 1 + l: times m(1 + m).
    let m = v("l") + 1;
    let left = (2 * &m + 1) * (&m + 1 + v("l"));
    let right = Poly::from(factor.clone()) * &m * (&m + 1);
    let all_m = crate::arith::algebra::nonnegative(&(right - left), &["l"]);
    let all_m = matches!(all_m, crate::arith::algebra::Settled::Holds(_));
    let holds = (1..=5).all(within) && all_m;
    Argument::new(c)
        .repaired("decor-2conn")
        .states_that(
            "two cliques that share a vertex, σ_cor = σ_cdp",
            !holds,
            || {
                format!(
                    "K_(m+1) and K_(m+1) sharing a vertex, σ_cor = σ_cdp: the slope is at most \
                        {factor}·2C²/(nσ_cdp²) for all m ≥ 1 (m ≤ 5 also computed from Algorithm 2)"
                )
            },
        )
        .proved_on("no family")
}
