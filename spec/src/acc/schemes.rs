//! Batches as programs draw them, and noise that is correlated over steps.
//!
//! A batch in which one record has the place of another is one that is replaced, so that what [`sampling`](super::sampling)
//! says of two records is said of it, too, whatever the relation between the datasets.

use super::BASE;
use crate::arith::algebra::Steps;
use crate::arith::{Poly, ratio};
use crate::claim::{Claim, Kind};

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 8] = [
    EXCHANGE,
    MIXTURE,
    REPLACEMENT,
    REPLACEMENT_TOLD,
    TRUNCATED,
    ALLOCATION,
    BLOCKS,
    MATRIX,
];

const SCHEME: Claim = Claim {
    kind: Kind::MechanismPrivacy,
    ..BASE
};

/// `acc-exchange`: with c = C(n−1, m−1) batches with the record, C(n−1, m) = c(n−m)/m are without it.
pub const EXCHANGE: Claim = Claim {
    id: "acc-exchange",
    place: "Balle, Barthe and Gaboardi 2018, Privacy amplification by subsampling (arXiv 1807.01647)",
    statement: "a uniform batch of m of n records is a uniform batch of m of the n − 1 others, of which with probability q = m/n one \
                uniform member gives its place to the record: if (P, Q) dominates a batch with one member exchanged, ((1−q)Q + qP, \
                Q) and its reverse dominate the run under add-remove",
    hypotheses: "1 <= m < n, n the size of the larger dataset, without replacement; add-remove",
    rests_on: &["gcd-aux-sampled"],
    by_hand: &[
        "A batch with the record comes from the m − 1 others in it and any of the n − m members y that are not: n − m pairs (batch \
         of the others, member), each of probability 1/(m·C(n−1, m)); by the first identity this makes each such batch as likely \
         as a uniform one of those with the record.",
        "Given the pair, the laws are (1−q)A + qB and A, where B has the record in y's place; H_a is jointly convex, so that a mean \
         over the pairs bounds it.",
        "Each pair is dominated as a sample at rate q is (gcd-aux-sampled).",
    ],
    check: |check| {
        let exchanged = Poly::from(check.constant("members that give their place", 1));
        let [c, m, n] = ["c", "m", "n"].map(Poly::var);
        let positive = ["c", "m", "n"];
        let others = &c * (&n - &m) * Poly::power("m", -1);
        let share = &m * Poly::power("n", -1);
        let all = &c * &n * Poly::power("m", -1);
        Steps::new()
            .equal(
                "pairs, and pairs per batch",
                &(&exchanged * &others * &m),
                &(&c * (&n - &m)),
                &positive,
            )
            .equal(
                "batches with the record are the share m/n of all",
                &(&share * &all),
                &c,
                &positive,
            )
            .equal("all batches", &(&others + &c), &all, &positive)
            .verdict("all 1 <= m < n, all mechanisms, all a >= 0", "", None)
    },
    ..SCHEME
};

/// `acc-gaussian-mixture`.
pub const MIXTURE: Claim = Claim {
    id: "acc-gaussian-mixture",
    place: "derived here by the inequality of Kahane 1986, as acc-with-replacement; groups as in Ganesh 2024 (arXiv 2401.10294)",
    statement: "Gaussian noise of deviation sigma on an answer that the presence of a group, or of a user, moves by a vector of norm at most s_i with                 probability w_i, drawn anew and not told, is dominated by the mixture of N(s_i, sigma²) with weights w_i against 1·N(0,                 sigma²), and by the reverse",
    hypotheses: "s_i >= 0, weights w_i of sum 1; which i is drawn is independent of all else; the group comes or goes, or is zeroed                  where zeroed records contribute nothing",
    rests_on: &["acc-gaussian"],
    by_hand: &[
        "Given all else, the answer has the law of the mixture of N(v_i, σ²I) with |v_i| <= s_i, or N(0, σ²I); H_a, either way round, is the          mean of a convex function of a sum of lognormal variables of mean 1, which grows with each <v_i, v_j>, variances among them (Kahane).",
        "They are at most s_i·s_j, which shifts on one line attain; a mean over all else bounds H_a, as it is jointly convex.",
    ],
    check: |check| {
        let weight = Poly::from(check.constant("weight of the law without the group", 1));
        // Norms u, v below u + a, v + b have a smaller product.
        let [u, v, a, b] = ["u", "v", "a", "b"].map(Poly::var);
        let positive = ["u", "v", "a", "b"];
        let larger = (&u + &a) * (&v + &b);
        Steps::new()
            .at_most("covariance", &(weight * &u * &v), &larger, &positive)
            .verdict("all weights, all shifts, all a >= 0", "", None)
    },
    ..SCHEME
};

/// `acc-with-replacement`: k exchanges move the sum by k times what one moves it.
pub const REPLACEMENT: Claim = Claim {
    id: "acc-with-replacement",
    place: "derived here from Kahane 1986 and the coupling of Balle, Barthe and Gaboardi 2018 (arXiv 1807.01647)",
    statement: "of m draws with replacement from n records K ~ Bin(m, 1/n) fall on one of them; Gaussian noise on the sum of the draws is \
                dominated under add-remove by the mixture of N(2kΔ, sigma²) with weights Pr[K = k] against N(0, sigma²), and by the \
                reverse",
    hypotheses: "n >= 2, the size of the larger dataset, m >= 1; a draw contributes at most Δ in Euclidean norm; add-remove",
    rests_on: &["acc-gaussian"],
    by_hand: &[
        "Draw m of the n − 1 others and an order of the draws, and give the first K places to the record: this is the run with the \
         record. By the bound each place moves the sum by at most 2Δ, so that k places move it by some s_k of norm at most 2kΔ.",
        "Given the draws and the order, H_a of the mixture of N(s_k, σ²I) against N(0, σ²I), and of its reverse, is the mean of a convex \
         function of a sum of lognormal variables of mean 1, which grows with each of the covariances <s_j, s_k> (Kahane).",
        "They are at most 4jkΔ², which 2jΔ and 2kΔ on one line attain; a mean over the draws bounds H_a, as it is jointly convex.",
    ],
    check: |check| {
        let one = Poly::from(check.constant("distance of k exchanges over kΔ", 2));
        let [k, delta] = ["k", "Δ"].map(Poly::var);
        let positive = ["k", "Δ"];
        Steps::new()
            .equal(
                "attained by Δ in the place of −Δ",
                &(&k * &delta - &k * (-&delta)),
                &(one * &k * &delta),
                &positive,
            )
            .verdict("all m, all n >= 2, all a >= 0", "", None)
    },
    ..SCHEME
};

/// `acc-with-replacement-told`.
pub const REPLACEMENT_TOLD: Claim = Claim {
    id: "acc-with-replacement-told",
    place: "Balle, Barthe and Gaboardi 2018, Privacy amplification by subsampling (arXiv 1807.01647), sampling with replacement",
    statement: "let h_k be the profile of a symmetric pair that dominates batches of which k members are exchanged, K ~ Bin(m, 1/n) the \
                draws of m with replacement that fall on one of n records, q = Pr[K > 0], and h the mean of h_K given K > 0: a pair \
                (P, Q) of profile h gives ((1−q)Q + qP, Q) and its reverse under add-remove; a replaced record has H_b <= q·h(a) at \
                b = 1 + q(a−1), a >= 1, and below 1 what symmetry gives",
    hypotheses: "n >= 2, the size of the larger dataset, m >= 1; add-remove or replace-one",
    rests_on: &["acc-fixed-size", "gcd-aux-sampled"],
    by_hand: &[
        "Draw m others and an order of the draws, and give the first K places to the record, or to its replacement: given these and \
         K = k > 0, the laws A without, P_k with the record and P'_k with its replacement are k exchanges apart at most.",
        "The means over k > 0 of (P_k, A), and of (P_k, P'_k), have an H_a of at most the mean of h_k, as it is jointly convex; K has one \
         law whatever the data are, and telling it is the pair of profile h.",
        "Under add-remove the laws are (1−q)A + qP and A (gcd-aux-sampled); of a replaced record (1−q)A + qP and (1−q)A + qP', of which \
         acc-fixed-size turns H_b into q·H_a of P against a mixture of A and P'.",
    ],
    check: |check| {
        let rate = Poly::from(check.constant("factor of h over q", 1));
        let [a, q, z, p, r] = ["a", "q", "A", "P", "P'"].map(Poly::var);
        let positive = ["a", "q", "A", "P", "P'"];
        let one = Poly::from(1);
        let keep = &one - &q;
        let level = &one + &q * (&a - &one);
        let mixed = (&keep * &z + &q * &p) - &level * (&keep * &z + &q * &r);
        let inner = rate * &q * (&p - ((&a - &level) * &z + &level * &r));
        Steps::new()
            .equal("mixtures", &mixed, &inner, &positive)
            .verdict("all m, all n >= 2, all mechanisms, all levels", "", None)
    },
    ..SCHEME
};

/// `acc-truncated-poisson`: with l = j + 1, C(n, l) = C(n−1, j)·n/l.
pub const TRUNCATED: Claim = Claim {
    id: "acc-truncated-poisson",
    place: "derived here; truncated batches as in Chua et al. 2024, Scalable DP-SGD: shuffling vs. Poisson subsampling (arXiv 2411.04205)",
    statement: "a Poisson sample at rate p of n records, cut to a uniform B of them if it is larger, is dominated by the pair that tells \
                whether J >= B, J ~ Bin(n − 1, p): if not, Poisson sampling at rate p; if so, a batch of a fixed size with the share \
                r = (B/n)·s/t, s the probability that Bin(n, p) exceeds B and t that J >= B",
    hypotheses: "1 <= B < n, n of two datasets the size of the larger, 0 < p < 1; add-remove or replace-one",
    rests_on: &["acc-exchange", "acc-fixed-size", "gcd-aux-sampled"],
    by_hand: &[
        "J of the other n − 1 records are drawn, whatever the record is. If J < B nothing is cut, and the record joins them with \
         probability p: a Poisson sample.",
        "If J >= B, the batch without the record is a uniform B-set of the others, whatever J is. With it, J + 1 are drawn with \
         probability p, and a uniform B of them keep the record with probability B/(J+1): the other B − 1 places are uniform, so \
         that it takes the place of a uniform member of a uniform B-set.",
        "As neither the set nor the member depends on J, the record takes a place with probability r, the mean of pB/(J+1) given \
         J >= B: the identity, summed over j >= B.",
        "J >= B has one probability for both datasets; H_a is jointly convex, so that telling it does not lower H_a.",
    ],
    check: |check| {
        let kept = Poly::from(check.constant("places of a cut sample over B", 1));
        let [c, w, p, b, n] = ["C(n-1,j)", "w", "p", "B", "n"].map(Poly::var);
        let positive = ["C(n-1,j)", "w", "p", "B", "n", "l"];
        // w = p^j(1−p)^(n−1−j).
        let one_more = &c * &n * Poly::power("l", -1);
        let term = &p * &kept * &b * Poly::power("l", -1) * &c * &w;
        let tail = &b * Poly::power("n", -1) * one_more * &p * &w;
        Steps::new()
            .equal("term j of r·Pr[J >= B]", &term, &tail, &positive)
            .verdict(
                "all 1 <= B < n, all p, all mechanisms, all a >= 0",
                "",
                None,
            )
    },
    ..SCHEME
};

/// `acc-random-allocation`: the ratio of one step is e^{(Δz − Δ²/2)/σ²}; a spread keeps the mean.
pub const ALLOCATION: Claim = Claim {
    id: "acc-random-allocation",
    place: "Feldman and Shenfeld 2025, Privacy amplification by random allocation (arXiv 2502.08202), dominating pair",
    statement: "t steps of Gaussian noise, at one of which, drawn uniformly, a record takes part, are dominated by the mean of \
                N(Δe_i, sigma²I) over i against N(0, sigma²I), and by the reverse; the ratio is S/t, S the sum of t independent \
                ratios e^((Δz − Δ²/2)/sigma²) of one step, so that the profile is E(S/t − a)₊ or E(1 − a·S/t)₊ under z ~ N(0, sigma²), \
                which a spread of a sum of ratios about its mean only raises, and its mean over a set only lowers",
    hypotheses: "t >= 1; where the record takes part is independent of all other records and is not told; it moves a step by at most Δ in \
                 Euclidean norm, as what came before decides; add-remove, or zero-out where a zeroed record contributes nothing",
    rests_on: &["acc-gaussian"],
    by_hand: &[
        "Fix in which steps the others take part, over which a mean bounds H_a. Given what came before, step i answers m + g without the \
         record and m + s + g with it, |s| <= Δ, m and s chosen by what came before.",
        "From z_i ~ N(0, σ²) or N(Δ, σ²) that answer is made, without knowing which, as m + z_i·s/Δ plus Gaussian noise of covariance \
         σ²(I − ss'/Δ²): so from the z of all steps, in their order, the whole run, whichever step has the record. Post-processing \
         keeps dominance.",
        "Both functions are convex in S; if a part r of the sum is replaced by R with E(R | r) = r, the mean of a convex function of the \
         sum does not fall, and if by its mean over a set in which it lies, it does not rise (Jensen, given the others).",
    ],
    check: |check| {
        let half = Poly::from(check.constant("factor of Δ²", ratio(1, 2)));
        let [z, delta, low, h, w, var] = ["z", "Δ", "x", "h", "w", "σ²"].map(Poly::var);
        let positive = ["z", "Δ", "x", "h", "w", "σ²"];
        let one = Poly::from(1);
        let loss = Poly::from(ratio(1, 2)) * (z.square() - (&z - &delta).square());
        let spread = (&one - &w) * &low + &w * (&low + &h);
        let kernel = delta.square() * Poly::power("Δ", -2) * &var
            + (&one - delta.square() * Poly::power("Δ", -2)) * &var;
        Steps::new()
            .equal(
                "loss of one step, times sigma²",
                &loss,
                &(&delta * &z - half * delta.square()),
                &positive,
            )
            .equal(
                "variance of what is made of z along s, |s| = Δ",
                &kernel,
                &var,
                &positive,
            )
            .equal(
                "mean of a spread to both ends of a cell",
                &spread,
                &(&low + &w * &h),
                &positive,
            )
            .verdict("all t, all sigma, all a >= 0, adaptive steps", "", None)
    },
    ..SCHEME
};

/// `acc-blocks`: k − r blocks of f steps and r of f + 1 are t = kf + r steps.
pub const BLOCKS: Claim = Claim {
    id: "acc-blocks",
    place: "Feldman and Shenfeld 2025 (arXiv 2502.08202), reduction to one participation",
    statement: "a record that takes part in k of t steps, drawn uniformly, is dominated by k independent allocations to one step of a \
                block each: t mod k blocks of floor(t/k) + 1 steps, the others of floor(t/k)",
    hypotheses: "1 <= k <= t; as acc-random-allocation",
    rests_on: &["acc-random-allocation", "gcd-aux-dominated"],
    by_hand: &[
        "Split the steps into blocks of these sizes at random, and draw one step of every block: no step is preferred, so that all \
         k-sets are equally likely.",
        "Given the split, which no data decide, the participations are independent, and the run is made from the z of all steps as in \
         acc-random-allocation, wherever the blocks lie: the pair is the product of the blocks' pairs.",
        "All splits have that pair; H_a is jointly convex, so that a mean over splits bounds it.",
    ],
    check: |check| {
        let longer = Poly::from(check.constant("steps of a longer block beyond a shorter one", 1));
        let [k, f, r] = ["k", "f", "r"].map(Poly::var);
        let total = (&k - &r) * &f + &r * (&f + &longer);
        Steps::new()
            .equal("all steps", &total, &(&k * &f + &r), &["k", "f", "r"])
            .verdict("all 1 <= k <= t", "", None)
    },
    ..SCHEME
};

/// `acc-matrix`: 2⟨u, v⟩ ≤ ‖u‖² + ‖v‖², so that unit vectors gain no more than |⟨cᵢ, cⱼ⟩|.
pub const MATRIX: Claim = Claim {
    id: "acc-matrix",
    place: "Denisov, McMahan, Rush, Smith and Thakurta 2022, Improved differential privacy for SGD via optimal private linear operators \
            on adaptive streams (arXiv 2202.08312); Choquette-Choo et al. 2023 (arXiv 2306.08153)",
    statement: "Cx + z with z ~ N(0, sigma²I) and C lower triangular is dominated by Gaussian noise sigma on a query that moves by at most \
                Δ, where Δ² is the largest sum of the moduli of ⟨c_i, c_j⟩ over pairs i, j of 1 pattern of participation",
    hypotheses: "row i of x may depend on the answers to rows before it; whatever they are, a record takes part in an admissible pattern of \
                 steps, and moves x in each by at most 1 in Euclidean norm; every relation of which that is true",
    rests_on: &["acc-gaussian"],
    by_hand: &[
        "Contributions u_i move Cx by the sum of c_i u_iᵀ, whose squared Frobenius norm is the sum of <c_i, c_j><u_i, u_j>; each \
         |<u_i, u_j>| is at most 1, by the identity and its like for −v.",
        "Row i of that shift depends on rows before it alone: the run is a sequence of Gaussian answers, each shifted by s_i that what \
         came before decides, with a sum of |s_i|² of at most Δ² on every path.",
        "From a Gaussian process with drift in [0, Δ²] of time, by spending |s_i|² of its time on answer i, this run is made without \
         knowing whether there is a drift; what is left of the time is not used. Post-processing keeps dominance.",
    ],
    check: |check| {
        let twice = Poly::from(2);
        let bound = Poly::from(check.constant("largest product of two contributions", 1));
        let [u, v] = ["u", "v"].map(Poly::var);
        let gap = u.square() + v.square() - &twice * &u * &v;
        // ‖u‖², ‖v‖² ≤ 1.
        let most = Poly::from(ratio(1, 2)) * (Poly::from(1) + Poly::from(1));
        Steps::new()
            .equal(
                "what a pair of contributions lacks",
                &gap,
                &(&u - &v).square(),
                &[],
            )
            .equal("half of both squared norms at most", &most, &bound, &[])
            .verdict(
                "all C, all patterns of participation, adaptive rows",
                "",
                None,
            )
    },
    ..SCHEME
};
