//! Gaussian noise that is correlated over steps.

use crate::arith::algebra::Steps;
use crate::arith::{Poly, ratio};
use crate::claim::{Claim, Kind};

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 3] = [MATRIX, MATRIX_SAMPLED, SEPARATED];

/// `acc-matrix`: 2⟨u, v⟩ ≤ ‖u‖² + ‖v‖², so that unit vectors gain no more than |⟨cᵢ, cⱼ⟩|.
pub const MATRIX: Claim = Claim {
    id: "acc-matrix",
    place: "Denisov, McMahan, Rush, Smith and Thakurta 2022, Improved differential privacy for SGD \
        via optimal private linear operators on adaptive streams (arXiv 2202.08312); \
        Choquette-Choo et al. 2023 (arXiv 2306.08153); Kalinin and Lampert 2024 (arXiv \
        2405.13763), Theorem 2, for the worst pattern of Toeplitz C",
    kind: Kind::MechanismPrivacy,
    statement: "Cx + z with z ~ N(0, σ²I) and C lower triangular is dominated by Gaussian noise σ \
        on a query that moves by at most Δ, where Δ² is the largest sum of the moduli of ⟨c_i, \
        c_j⟩ over pairs i, j of 1 pattern of participation",
    hypotheses: "row i of x may depend on the answers to rows before it; whatever they are, a \
        record takes part in an admissible pattern of steps, and moves x in each by at most 1 in \
        Euclidean norm; every relation of which that is true",
    rests_on: &["acc-gaussian"],
    by_hand: &[
        "Contributions u_i move Cx by the sum of c_i u_iᵀ, whose squared Frobenius norm is the sum \
            of ⟨c_i, c_j⟩·⟨u_i, u_j⟩; each |<u_i, u_j>| is at most 1, by the identity and its like \
            for −v.",
        "Row i of that shift depends on rows before it alone: the run is a sequence of Gaussian \
            answers, each shifted by s_i that what came before decides, with a sum of |s_i|² of at \
            most Δ² on every path.",
        "From a Gaussian process with drift in [0, Δ²] of time, by spending |s_i|² of its time on \
            answer i, this run is made without knowing whether there is a drift; what is left of \
            the time is not used. Post-processing keeps dominance.",
    ],
    check: |check| {
        let twice = Poly::from(2);
        let bound = Poly::from(check.constant("largest product of two contributions", 1));
        let [u, v] = ["u", "v"].map(Poly::var);
        let gap = u.square() + v.square() - &twice * &u * &v;
        // ‖u‖², ‖v‖² ≤ 1.
        let most = ratio(1, 2) * (Poly::from(1) + 1);
        Steps::new()
            .equal(
                "what a pair of contributions lacks",
                &gap,
                (&u - &v).square(),
            )
            .equal("half of both squared norms at most", &most, &bound)
            .proved_on("all C, all patterns of participation, adaptive rows")
    },
};

/// `acc-matrix-sampled`: larger covariances, then larger Gram matrices.
pub const MATRIX_SAMPLED: Claim = Claim {
    id: "acc-matrix-sampled",
    place: "derived here by the interpolation of Kahane 1986; patterns as in Choquette-Choo et al. \
        2024 (arXiv 2310.15526) and 2025 (arXiv 2410.06266)",
    kind: Kind::MechanismPrivacy,
    statement: "let a record take part in the steps of a random pattern π of p_π, and m_π be the \
        sum of the columns |c_i|, i in π, of moduli of C: Cx + z, z ~ N(0, σ²I), C lower \
        triangular, is dominated under add-remove by the mean of N(m_π, σ²I) against N(0, σ²I), \
        and by the reverse, and under replace-one by it against the mean of N(−m_π, σ²I); so it is \
        by such means of any vectors n_π of which <n_π, n_ρ> ≥ <m_π, m_ρ> for all pairs, or whose \
        Gram matrix less that of m is positive semidefinite; and telling which of some classes the \
        pattern is in does not lower H_a. And if D²I − G is, for the matrix G \
        of |⟨c_i, c_j⟩| over the steps in which a record may take part, it is dominated by noise \
        σ, drawn anew at each of these steps, on contributions of norm at most D each",
    hypotheses: "the pattern is independent of all other records, of noise and data, and is not \
        told; row i of x may depend on the answers to rows before it; a record moves x in a step \
        of its pattern by at most 1 in Euclidean norm; add-remove, replace-one, or zero-out where \
        a zeroed record contributes nothing",
    rests_on: &["acc-gaussian", "acc-matrix"],
    by_hand: &[
        "Given all other patterns and what came before, row i answers m + g, shifted by s_i of the \
            pattern, the sum of C_il·u_l over its steps l up to i. Under the law without the \
            record H_a is the mean of a convex function of the sum of p_π·R_π, R_π the product \
            over rows of e^((<s, z> − |s|²/2)/σ²), or of a difference of two such sums.",
        "Backwards over the rows, with what later rows can make of it at most: of given signs of \
            the second derivatives (those of a convex function of one sum with positive weights, \
            or of a difference), the mean over z of row i grows with <s, s'> of patterns of one \
            record, and falls with those of the record and its replacement.",
        "The former are at most, the latter at least minus, the product of the two sums of |C_il|, \
            by the first identity; which m_π and −m_π attain, rows added up.",
        "The same interpolation from m to n; and where the Gram matrix is larger, n is carried to \
            m by a linear map that shortens, whose answer with noise of the rest of the covariance \
            is a post-processing. Classes have one law whatever the data are, and H_a is jointly \
            convex.",
        "With C_S the columns of those steps, C_SᵀC_S is at most D²I as its moduli's are, by the \
            second identity: A = C_S/D shortens and is lower triangular in the order of the steps, \
            so that A(Dx + z') plus noise of covariance σ²(I − AAᵀ), drawn beforehand, is the run, \
            row by row: post-processing of the answers so far.",
    ],
    check: |check| {
        let bound = Poly::from(check.constant("largest product of two contributions", 1));
        let [a, b, g, x, y] = ["|C_il|", "|C_ik|", "g", "x", "y"].map(Poly::var);
        let two = Poly::from(2);
        // u, v with |u|, |v| <= 1: half of |u|² + |v|² bounds <u, v>.
        let most = ratio(1, 2) * (Poly::from(1) + 1);
        // What a pair i, j with ⟨c_i, c_j⟩ = ±g takes of x and y, and gives to their squares.
        let gap = &g * x.square() + &g * y.square() - &two * &g * &x * &y;
        Steps::new()
            .positive(&["|C_il|", "|C_ik|", "g"])
            .equal(
                "terms of a product of sums",
                &a * &b * most,
                bound * &a * &b,
            )
            .equal("a pair in a row sum", &gap, &g * (&x - &y).square())
            .proved_on("all C, all laws of patterns, all a ≥ 0, adaptive rows")
    },
};

/// `acc-min-separation`: of the free, a share p takes part; what is left of them, and who is free again, are as many as before.
pub const SEPARATED: Claim = Claim {
    id: "acc-min-separation",
    place: "derived here; the sampler of Dong and Ganesh 2026, Privacy amplification for BandMF \
        via b-min-sep subsampling (arXiv 2602.09338)",
    kind: Kind::MechanismPrivacy,
    statement: "let a record be in each of T steps with probability p, unless it was in one of the \
        b − 1 before, from a start at which all steps are alike: each then has it with probability \
        q, 1/q = 1/p + b − 1. A run with noise as in acc-matrix-sampled, D its D, is dominated by \
        noise σ on the Δ of acc-matrix for steps at least b apart, or on twice that if the record \
        is replaced; and by a product over blocks of \
        b steps, with noise σ on D, of Poisson samples at rate p, or of an allocation to one of \
        any m ≤ 1/p steps, or, of the first block alone, of a sample at rate bq of an allocation \
        to one of b, under replace-one as acc-fixed-size has it of its share. If p = 1, also by an \
        allocation to one of b steps of noise σ on D times the root of ceil(T/b)",
    hypotheses: "0 < p ≤ 1, b ≥ 1; of T < b steps the first T stand for b; as acc-matrix-sampled: \
        the pattern is independent of all other records, of noise and data, and is not told; \
        add-remove, replace-one, or zero-out where a zeroed record contributes nothing",
    rests_on: &[
        "acc-allocation-replaced",
        "acc-composed",
        "acc-fixed-size",
        "acc-matrix",
        "acc-matrix-sampled",
        "acc-poisson-replaced-gaussian",
        "acc-poisson-zero-out",
        "acc-random-allocation",
        "gcd-aux-sampled",
    ],
    by_hand: &[
        "By acc-matrix-sampled the run is dominated by the mean of N(D·1_π, σ²I) against N(0, σ²I) \
            or against the mean of N(−D·1_π, σ²I); if each pattern is told, by noise on Δ, as H_a \
            is jointly convex.",
        "Given what a record did before, it is in a step with probability 0 or p, and in b steps \
            once at most; so, too, given the rows before, over which what it did is a mean. b rows \
            are hence, given those before, a mean of N(De_i, σ²I) of weights w_i ≤ p and of N(0, \
            σ²I) with the rest, or with −D and weights w'_i of the same bounds.",
        "Weight that goes from 0 to De_i, or to De_j of a row of its own, raises inner products of \
            patterns of one record and lowers those of the record and its replacement, so that H_a \
            does not fall (Kahane, as in acc-matrix-sampled): to w_i = p in one row, and to a sum \
            of 1 in b rows.",
        "Weights of sum 1, each at most 1/m, are a mean of uniform laws on m rows; H_a is jointly \
            convex, and one such law on each side is worst where both have the same rows, as then \
            all inner products across are least.",
        "All rows one after the other, each dominated whatever came before, are dominated by the \
            product (acc-composed).",
        "The first b steps have w_i = q, of sum bq: (1−bq)A + bq·P against A, P the uniform law \
            and A without the record, or against (1−bq)A + bq·P', of which acc-fixed-size makes \
            bq·H_a of P against a mean of A and P'; against P' it is no less than against A, as \
            inner products across fall.",
        "If p = 1, the patterns of b bins have no step in common and ceil(T/b) steps at most, so \
            that orthogonal vectors of that many steps each have no smaller inner products.",
    ],
    check: |check| {
        let taken = Poly::from(check.constant("participations of the free over p", 1));
        let [p, free, left] = ["p", "f", "g"].map(Poly::var);
        let [q, b] = ["q", "b"].map(Poly::var);
        let one = Poly::from(1);
        let joined = &taken * &p;
        Steps::new()
            .positive(&["p", "f", "g", "q", "b"])
            .equal(
                "the free after a step: who stays, and who comes back",
                &free * (&one - &joined) + &free * &p,
                &free,
            )
            .equal(
                "who took part by the next of b steps, g the probability of none",
                (&one - &left) + &joined * &left,
                &one - (&one - &p) * &left,
            )
            .equal(
                "all are free, or took part at one of b − 1 steps: over q, f = q/p",
                &q * (Poly::power("p", -1) + &taken * (&b - &one)) * Poly::power("q", -1),
                Poly::power("p", -1) + &b - &one,
            )
            .proved_on("all p, all b, all T, all a ≥ 0, adaptive rows")
    },
};
