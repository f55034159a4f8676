//! Batches as programs draw them.
//!
//! A batch in which one record has the place of another is one that is replaced, so that what [`sampling`](super::sampling)
//! says of two records is said of it, too, whatever the relation between the datasets.

use crate::arith::Poly;
use crate::arith::algebra::Steps;
use crate::claim::{Claim, Kind};

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 6] = [
    EXCHANGE,
    MIXTURE,
    REPLACEMENT,
    REPLACEMENT_TOLD,
    TOLD,
    TRUNCATED,
];

pub(super) const SCHEME: Claim = Claim {
    kind: Kind::MechanismPrivacy,
    ..Claim::ALONE
};

/// `acc-exchange`: with c = C(n−1, m−1) batches with the record, C(n−1, m) = c(n−m)/m are without it.
pub const EXCHANGE: Claim = Claim {
    id: "acc-exchange",
    place: "Balle, Barthe and Gaboardi 2018, Privacy amplification by subsampling (arXiv \
        1807.01647)",
    statement: "a uniform batch of m of n records is a uniform batch of m of the n − 1 others, of \
        which with probability q = m/n one uniform member gives its place to the record: if (P, Q) \
        dominates a batch with one member exchanged, ((1−q)Q + qP, Q) and its reverse dominate the \
        run under add-remove",
    hypotheses: "1 ≤ m < n, n the size of the larger dataset, without replacement; add-remove",
    rests_on: &["gcd-aux-sampled"],
    by_hand: &[
        "A batch with the record comes from the m − 1 others in it and any of the n − m members y \
            that are not: n − m pairs (batch of the others, member), each of probability \
            1/(m·C(n−1, m)); by the first identity this makes each such batch as likely as a \
            uniform one of those with the record.",
        "Given the pair, the laws are (1−q)A + qB and A, where B has the record in y's place; H_a \
            is jointly convex, so that a mean over the pairs bounds it.",
        "Each pair is dominated as a sample at rate q is (gcd-aux-sampled).",
    ],
    check: |check| {
        let exchanged = Poly::from(check.constant("members that give their place", 1));
        let [c, m, n] = ["c", "m", "n"].map(Poly::var);
        let others = &c * (&n - &m) * Poly::power("m", -1);
        let share = &m * Poly::power("n", -1);
        let all = &c * &n * Poly::power("m", -1);
        Steps::new()
            .positive(&["c", "m", "n"])
            .equal(
                "pairs, and pairs per batch",
                &exchanged * &others * &m,
                &c * (&n - &m),
            )
            .equal(
                "batches with the record are the share m/n of all",
                &share * &all,
                &c,
            )
            .equal("all batches", &others + &c, &all)
            .proved_on("all 1 ≤ m < n, all mechanisms, all a ≥ 0")
    },
    ..SCHEME
};

/// `acc-gaussian-mixture`.
pub const MIXTURE: Claim = Claim {
    id: "acc-gaussian-mixture",
    place: "derived here by the inequality of Kahane 1986, as acc-with-replacement; groups as in \
        Ganesh 2024 (arXiv 2401.10294)",
    statement: "Gaussian noise of deviation σ on an answer that the presence of a group, or of a \
        user, moves by a vector of norm at most s_i with probability w_i, drawn anew and not told, \
        is dominated by the mixture of N(s_i, σ²) with weights w_i against 1·N(0, σ²), and by the \
        reverse",
    hypotheses: "s_i ≥ 0, weights w_i of sum 1; which i is drawn is independent of all else; the \
        group comes or goes, or is zeroed where zeroed records contribute nothing",
    rests_on: &["acc-gaussian"],
    by_hand: &[
        "Given all else, the answer has the law of the mixture of N(v_i, σ²I) with |v_i| ≤ s_i, or \
            N(0, σ²I); H_a, either way round, is the mean of a convex function of a sum of \
            lognormal variables of mean 1, which grows with each <v_i, v_j>, variances among them \
            (Kahane).",
        "They are at most s_i·s_j, which shifts on one line attain; a mean over all else bounds \
            H_a, as it is jointly convex.",
    ],
    check: |check| {
        let weight = Poly::from(check.constant("weight of the law without the group", 1));
        // Norms u, v below u + a, v + b have a smaller product.
        let [u, v, a, b] = ["u", "v", "a", "b"].map(Poly::var);
        let larger = (&u + &a) * (&v + &b);
        Steps::new()
            .positive(&["u", "v", "a", "b"])
            .at_most("covariance", weight * &u * &v, &larger)
            .proved_on("all weights, all shifts, all a ≥ 0")
    },
    ..SCHEME
};

/// `acc-with-replacement`: k exchanges move the sum by k times what one moves it.
pub const REPLACEMENT: Claim = Claim {
    id: "acc-with-replacement",
    place: "derived here from Kahane 1986 and the coupling of Balle, Barthe and Gaboardi 2018 \
        (arXiv 1807.01647)",
    statement: "of m draws with replacement from n records K ~ Bin(m, 1/n) fall on one of them; \
        Gaussian noise on the sum of the draws is dominated under add-remove by the mixture of \
        N(2kΔ, σ²) with weights Pr[K = k] against N(0, σ²), and by the reverse",
    hypotheses: "n ≥ 2, the size of the larger dataset, m ≥ 1; a draw contributes at most Δ in \
        Euclidean norm; add-remove",
    rests_on: &["acc-gaussian"],
    by_hand: &[
        "Draw m of the n − 1 others and an order of the draws, and give the first K places to the \
            record: this is the run with the record. By the bound each place moves the sum by at \
            most 2Δ, so that k places move it by some s_k of norm at most 2kΔ.",
        "Given the draws and the order, H_a of the mixture of N(s_k, σ²I) against N(0, σ²I), and \
            of its reverse, is the mean of a convex function of a sum of lognormal variables of \
            mean 1, which grows with each of the covariances <s_j, s_k> (Kahane).",
        "They are at most 4jkΔ², which 2jΔ and 2kΔ on one line attain; a mean over the draws \
            bounds H_a, as it is jointly convex.",
    ],
    check: |check| {
        let one = Poly::from(check.constant("distance of k exchanges over kΔ", 2));
        let [k, delta] = ["k", "Δ"].map(Poly::var);
        Steps::new()
            .positive(&["k", "Δ"])
            .equal(
                "attained by Δ in the place of −Δ",
                &k * &delta - &k * (-&delta),
                one * &k * &delta,
            )
            .proved_on("all m, all n ≥ 2, all a ≥ 0")
    },
    ..SCHEME
};

/// `acc-with-replacement-told`.
pub const REPLACEMENT_TOLD: Claim = Claim {
    id: "acc-with-replacement-told",
    place: "Balle, Barthe and Gaboardi 2018, Privacy amplification by subsampling (arXiv \
        1807.01647), sampling with replacement",
    statement: "let h_k be the profile of a symmetric pair that dominates batches of which k \
        members are exchanged, K ~ Bin(m, 1/n) the draws of m with replacement that fall on one of \
        n records, q = Pr[K > 0], and h the mean of h_K given K > 0: a pair (P, Q) of profile h \
        gives ((1−q)Q + qP, Q) and its reverse under add-remove; a replaced record has H_b ≤ \
        q·h(a) at b = 1 + q(a−1), a ≥ 1, and below 1 what symmetry gives",
    hypotheses: "n ≥ 2, the size of the larger dataset, m ≥ 1; add-remove or replace-one",
    rests_on: &["acc-fixed-size", "gcd-aux-sampled"],
    by_hand: &[
        "Draw m others and an order of the draws, and give the first K places to the record, or to \
            its replacement: given these and K = k > 0, the laws A without, P_k with the record \
            and P'_k with its replacement are k exchanges apart at most.",
        "The means over k > 0 of (P_k, A), and of (P_k, P'_k), have an H_a of at most the mean of \
            h_k, as it is jointly convex; K has one law whatever the data are, and telling it is \
            the pair of profile h.",
        "Under add-remove the laws are (1−q)A + qP and A (gcd-aux-sampled); of a replaced record \
            (1−q)A + qP and (1−q)A + qP', of which acc-fixed-size turns H_b into q·H_a of P \
            against a mixture of A and P'.",
    ],
    check: |check| {
        let rate = Poly::from(check.constant("factor of h over q", 1));
        let [a, q, z, p, r] = ["a", "q", "A", "P", "P'"].map(Poly::var);
        let one = Poly::from(1);
        let keep = &one - &q;
        let level = &one + &q * (&a - &one);
        let mixed = (&keep * &z + &q * &p) - &level * (&keep * &z + &q * &r);
        let inner = rate * &q * (&p - ((&a - &level) * &z + &level * &r));
        Steps::new()
            .positive(&["a", "q", "A", "P", "P'"])
            .equal("mixtures", &mixed, &inner)
            .proved_on("all m, all n ≥ 2, all mechanisms, all levels")
    },
    ..SCHEME
};

/// `acc-told`.
pub const TOLD: Claim = Claim {
    id: "acc-told",
    place: "derived here from the joint convexity of H_a, as in Balle, Barthe and Gaboardi 2018 \
        (arXiv 1807.01647), Theorem 1",
    statement: "Gaussian noise on the sum of a batch, and on the sums of the batches of a random \
        allocation, is dominated by (N(rΔ, σ²), N(0, σ²)) for each batch with the record, as if \
        the batches were told: r = 1 for Poisson samples and allocations where the record comes or \
        goes, r = 2 where it is replaced, and for batches of a fixed size, truncated ones among \
        them",
    hypotheses: "batches are drawn without regard to the data; a record contributes at most Δ in \
        Euclidean norm; without replacement; add-remove, zero-out where zeroed records contribute \
        nothing, or replace-one",
    rests_on: &["acc-exchange", "acc-gaussian", "acc-truncated-poisson"],
    by_hand: &[
        "Draw the batches of both neighbours from the same choices: then one batch is the other, \
            with the record or without it, or with another record in its place.",
        "H_a is jointly convex: the mean over the choices bounds it, hence what it is given the \
            worst of them; choices without the record lose nothing.",
    ],
    check: |check| {
        let places =
            Poly::from(check.constant("records that differ where one has the place of another", 2));
        let delta = Poly::var("Δ");
        Steps::new()
            .positive(&["Δ"])
            .equal(
                "attained by Δ in the place of −Δ",
                &delta - &(-&delta),
                places * &delta,
            )
            .proved_on("all n, all batches, all a ≥ 0")
    },
    ..SCHEME
};

/// `acc-truncated-poisson`: with l = j + 1, C(n, l) = C(n−1, j)·n/l.
pub const TRUNCATED: Claim = Claim {
    id: "acc-truncated-poisson",
    place: "derived here; truncated batches as in Chua et al. 2024, Scalable DP-SGD: shuffling vs. \
        Poisson subsampling (arXiv 2411.04205)",
    statement: "a Poisson sample at rate p of n records, cut to a uniform B of them if it is \
        larger, is dominated by the pair that tells whether J ≥ B, J ~ Bin(n − 1, p): if not, \
        Poisson sampling at rate p; if so, a batch of a fixed size with the share r = (B/n)·s/t, s \
        the probability that Bin(n, p) exceeds B and t that J ≥ B",
    hypotheses: "1 ≤ B < n, n of two datasets the size of the larger, 0 < p < 1: a dataset of n \
        records has neighbours of one more, too; add-remove or replace-one",
    rests_on: &["acc-exchange", "acc-fixed-size", "gcd-aux-sampled"],
    by_hand: &[
        "J of the other n − 1 records are drawn, whatever the record is. If J < B nothing is cut, \
            and the record joins them with probability p: a Poisson sample.",
        "If J ≥ B, the batch without the record is a uniform B-set of the others, whatever J is. \
            With it, J + 1 are drawn with probability p, and a uniform B of them keep the record \
            with probability B/(J+1): the other B − 1 places are uniform, so that it takes the \
            place of a uniform member of a uniform B-set.",
        "As neither the set nor the member depends on J, the record takes a place with probability \
            r, the mean of pB/(J+1) given J ≥ B: the identity, summed over j ≥ B.",
        "J ≥ B has one probability for both datasets; H_a is jointly convex, so that telling it \
            does not lower H_a.",
    ],
    check: |check| {
        let kept = Poly::from(check.constant("places of a cut sample over B", 1));
        let [c, w, p, b, n] = ["C(n-1,j)", "w", "p", "B", "n"].map(Poly::var);
        // w = p^j(1−p)^(n−1−j).
        let one_more = &c * &n * Poly::power("l", -1);
        let term = &p * &kept * &b * Poly::power("l", -1) * &c * &w;
        let tail = &b * Poly::power("n", -1) * one_more * &p * &w;
        Steps::new()
            .positive(&["C(n-1,j)", "w", "p", "B", "n", "l"])
            .equal("term j of r·Pr[J ≥ B]", &term, &tail)
            .proved_on("all 1 ≤ B < n, all p, all mechanisms, all a ≥ 0")
    },
    ..SCHEME
};
