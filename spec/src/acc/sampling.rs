//! Samples of the records, and groups of two.
//!
//! Z is the law of the answer without a record, P and P' those with the record and with its replacement. Given which other
//! records are in a sample, its answers have the laws (1−q)Z + qP and so on; H_a is jointly convex, so that a mean over
//! the other records bounds it. That step is the same for all claims here.

use crate::arith::Poly;
use crate::arith::algebra::Steps;
use crate::claim::{Claim, Kind};
use crate::prove::{Argument, symbols};

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 9] = [
    REMOVAL,
    POISSON_ZERO_OUT,
    POISSON_REPLACED_GAUSSIAN,
    POISSON_REPLACED_PURE,
    POISSON_KNOWN,
    POISSON_REPLACED_KNOWN,
    FIXED_SIZE,
    GROUP,
    ZCDP_GROUP,
];

const SAMPLE: Claim = Claim {
    kind: Kind::MechanismPrivacy,
    ..Claim::ALONE
};

/// The step that all samples share.
const CONVEX: &str = "Given which other records are in the sample the laws are these mixtures; H_a \
    is jointly convex, so that a mean over the others bounds it.";

/// `acc-removal`. The first identity is that of `acc-fixed-size`: c = 1 − a(1−q), a = 1 + t.
pub const REMOVAL: Claim = Claim {
    id: "acc-removal",
    place: "Mironov, Talwar and Zhang 2019, Renyi differential privacy of the sampled Gaussian \
        mechanism (arXiv 1908.10530)",
    statement: "where (P, Q) and (Q, P) have one profile h, ((1−q)Q + qP, Q) has an H_a of at \
        least that of its reverse at every a ≥ 1, and, as α − 2 and −α − 1 differ by 2 α − 1 > 0, \
        a D_alpha of at least that of its reverse at every α > 1",
    hypotheses: "0 < q ≤ 1",
    by_hand: &[
        "By gcd-aux-sampled the two are q·h((q+t)/q) and c·h(aq/c), or 0 if c ≤ 0, with a = 1 + t \
            and c = 1 − a(1−q); c ≤ q, and by the identity aq/c ≥ (q+t)/q, where h is no larger.",
        "e^((α−1)D_α) is 1 plus α(α−1) times the integral over a ≥ 1 of a^(α−2)·H_a plus \
            a^(−α−1)·H_a of the reverse.",
        "Exchanging the two laws changes it by the integral of (a^(α−2) − a^(−α−1)) times the \
            difference of both H_a; the exponents differ by 2α − 1 > 0, so both factors are \
            nonnegative.",
    ],
    rests_on: &["gcd-aux-sampled"],
    check: |check| {
        let order = Poly::from(check.constant("factor of α in the difference of exponents", 2));
        let [q, t, alpha, more] = ["q", "t", "α", "1−q"].map(Poly::var);
        let (one, at) = (Poly::from(1), 1 + &t);
        let weight = &one - &at * (&one - &q);
        let gap = t.square() * (&one - &q);
        let exponents = (&alpha - 2) + (&alpha + &one);
        Steps::new()
            .positive(&["q", "t", "α", "1−q"])
            .equal("levels", &at * q.square(), weight * (&q + &t) + gap)
            .at_most("weights", &one - &at * &more, one.clone() - &more)
            .equal("exponents", &exponents, order * alpha - one)
            .proved_on("all q in (0, 1], all a ≥ 1, all α > 1")
    },
    ..SAMPLE
};

/// `acc-poisson-zero-out`.
pub const POISSON_ZERO_OUT: Claim = Claim {
    id: "acc-poisson-zero-out",
    place: "Zhu, Dong and Wang 2022, Optimal accounting of differential privacy (arXiv \
        2106.08567), for zeroed records",
    statement: "a mechanism that takes each record with probability q and to which a zeroed record \
        is as good as none is dominated under zero-out by ((1−q)Q + qP, Q) and its reverse, where \
        (P, Q) dominates the mechanism on samples with the record and with it zeroed",
    hypotheses: "0 < q ≤ 1; a zeroed record contributes nothing to the answer; zero-out",
    rests_on: &["gcd-aux-sampled"],
    by_hand: &[
        "A sample with the zeroed record has the law of one without it, so that its mixture at \
            rate q is that law: zeroing a record is what removing it is in gcd-aux-sampled.",
    ],
    check: |check| {
        let total = Poly::from(check.constant("total weight of the mixture", 1));
        let [q, z] = ["q", "Z"].map(Poly::var);
        let mixed = (total - &q) * &z + &q * &z;
        Steps::new()
            .positive(&["q", "Z"])
            .equal("mixture of Z with itself", &mixed, &z)
            .proved_on("all q in (0, 1], all mechanisms of the hypothesis")
    },
    ..SAMPLE
};

/// `acc-poisson-replaced-gaussian`. With E W² the covariances alone decide: Kahane's inequality compares convex functions of
/// sums of lognormal variables.
pub const POISSON_REPLACED_GAUSSIAN: Claim = Claim {
    id: "acc-poisson-replaced-gaussian",
    place: "derived here by the inequality of Kahane 1986; on the question Lebeda, Regehr, Kamath \
        and Steinke 2024, Avoiding pitfalls for privacy accounting (arXiv 2405.20769)",
    statement: "Gaussian noise of deviation 1 on a Poisson sample at rate q, of which one record \
        is replaced, is dominated by ((1−q)N(0, 1) + qN(μ, 1), (1−q)N(0, 1) + qN(−μ, 1)), in any \
        dimension",
    hypotheses: "0 < q ≤ 1; one record's presence moves the answer by at most μ in Euclidean norm, \
        so that two records move it by at most 2 μ; replace-one",
    rests_on: &["acc-gaussian"],
    by_hand: &[
        CONVEX,
        "For a ≥ 1 the identity turns H_a of the two mixtures into q·H_b of N(x, 1) against \
            (1−c)N(0, 1) + cN(x', 1), with b = 1 + (a−1)/q and c = a/b, and for a < 1 the reverse: \
            H_a(P, Q) = 1 − a + a·H_(1/a)(Q, P).",
        "Seen from x this is the mean of (1 − bW)₊ over a Gaussian vector g, W = (1−c)e^(<v,g> − \
            |v|²/2) + ce^(<w,g> − |w|²/2), v = −x and w = x' − x: a convex function of a sum of \
            lognormal variables, all of mean 1.",
        "Such a mean grows with each covariance |v|², |w|², <v,w>: along the path from one \
            covariance to a larger one its derivative is half the sum of c_i·c_j·(growth)_ij times \
            the mean of a nonnegative second derivative (Kahane).",
        "|v| is at most μ, |w| at most 2μ, and <v,w> at most 2μ²: all are attained at x = μ, x' = \
            −μ on the line.",
    ],
    check: |check| {
        let reach = Poly::from(check.constant("distance of two records over μ", 2));
        let shift = Poly::from(check.constant("least level", 1));
        let [a, q, z, p, r, mu] = ["a", "q", "Z", "P", "P'", "μ"].map(Poly::var);
        let one = Poly::from(1);
        let keep = &one - &q;
        let level = &shift + (&a - &one) * Poly::power("q", -1);
        let mixed = (&keep * &z + &q * &p) - &a * (&keep * &z + &q * &r);
        // b(1 − c) = b − a.
        let inner = &q * (&p - ((&level - &a) * &z + &a * &r));
        let apart = &mu + &mu;
        Steps::new()
            .positive(&["a", "q", "Z", "P", "P'", "μ"])
            .equal("mixtures", &mixed, &inner)
            .equal("distance", &apart, reach * &mu)
            .proved_on("all q in (0, 1], all a, all dimensions, all μ > 0")
    },
    ..SAMPLE
};

/// `acc-poisson-replaced-pure`: the laws with either record are densities x, y over Z in [1/E, E] of mean 1.
pub const POISSON_REPLACED_PURE: Claim = Claim {
    id: "acc-poisson-replaced-pure",
    place: "derived here from Balle, Barthe and Gaboardi 2018, Privacy amplification by \
        subsampling (arXiv 1807.01647)",
    statement: "a mechanism that is ε-DP for one record's presence, on a Poisson sample at rate q \
        of which one record is replaced, is dominated by losses l, 0, −l with l = ln((1 − q + \
        q·e^ε)/(1 − q + q·e^(−ε))) and P masses (1−q+qE)/(1+E), (1−q+q/E)(1−2/(1+E)) and \
        (1−q+q/E)/(1+E), E = e^ε",
    hypotheses: "0 < q ≤ 1, ε > 0; replace-one, or a member of a batch gives its place to another",
    by_hand: &[
        CONVEX,
        "Over Z the laws with the record and with its replacement have densities x and y in [1/E, \
            E] of mean 1, and H_a is the mean of ((1−q+qx) − a(1−q+qy))₊, which is convex in (x, \
            y): it is largest where both are 1/E or E, each E with probability 1/(1+E) under Z.",
        "With these two laws fixed the mean is largest if x = E and y = E never fall together: the \
            integrand is a convex function of x − ay, and 2/(1+E) ≤ 1 leaves room for both.",
        "What is left are three ratios: E against 1/E, 1/E against 1/E, and 1/E against E.",
    ],
    check: |check| {
        let each = check.constant("weight of E, times 1 + E", 1);
        let [q, e] = symbols();
        let share = each / (1 + &e);
        let (high, low) = (1 - &q + &q * &e, 1 - &q + &q / &e);
        let masses = &share * &high + (1 - 2 * &share) * &low + &share * &low;
        Argument::new(check)
            .states_identity("mean of x over Z", &share * &e + (1 - &share) / &e, 1)
            .states_identity("three masses are one law", &masses, 1)
            .proved_on("all q in (0, 1], all ε > 0, all ε-DP mechanisms")
    },
    ..SAMPLE
};

/// `acc-poisson-known`.
pub const POISSON_KNOWN: Claim = Claim {
    id: "acc-poisson-known",
    place: "Li, Qardaji and Su 2012; Balle, Barthe and Gaboardi 2018 (arXiv 1807.01647)",
    statement: "an (ε, δ)-DP mechanism on a Poisson sample at rate q is (ln(1 + q(e^ε − 1)), \
        q·δ)-DP",
    hypotheses: "0 < q ≤ 1; (ε, δ) for adding or removing one record, or for zeroing it out where \
        a zeroed record is as good as none; the same relation",
    by_hand: &[
        CONVEX,
        "P ≤ EZ + s with mass of s at most δ gives the first inequality; Z ≤ EP + s gives (1−q)Z + \
            qP ≥ (1 − q + q/E)Z − qs/E.",
        "1/(1 − q + q/E) ≤ 1 − q + qE, and (q/E)/(1 − q + q/E) ≤ q: the reverse costs no more.",
    ],
    check: |check| {
        let rate = Poly::from(check.constant("rate of δ over q", 1));
        let growth = Poly::from(check.constant("rate of e^ε − 1 over q", 1));
        // E = 1 + g and q = 1 − k, with g and k at least 0.
        let [q, k, e, g, z, s] = ["q", "k", "E", "g", "Z", "s"].map(Poly::var);
        let one = Poly::from(1);
        let keep = &one - &q;
        let first = &keep * &z + &q * (&e * &z + &s);
        let bound = (&one + growth * &q * (&e - &one)) * &z + rate * &q * &s;
        let product = (&keep + &q * &e) * (&keep * &e + &q);
        let square = &q * &keep * (&e - &one).square();
        Steps::new()
            .positive(&["q", "k", "E", "g", "Z", "s"])
            .equal("with the record", &first, &bound)
            .equal("without it", &product, square + &e)
            .at_most("leak of the reverse", &one, &k * (&one + g) + (&one - &k))
            .proved_on("all q in (0, 1], ε ≥ 0, δ in [0, 1]")
    },
    ..SAMPLE
};

/// `acc-poisson-replaced-known`. H = 1 − q + qE and L = 1 − q + q/E.
pub const POISSON_REPLACED_KNOWN: Claim = Claim {
    id: "acc-poisson-replaced-known",
    place: "derived here from Balle, Barthe and Gaboardi 2018, Privacy amplification by \
        subsampling (arXiv 1807.01647)",
    statement: "a mechanism that is (ε, δ)-DP for one record's presence, on a Poisson sample at \
        rate q of which one record is replaced, is (ln g, q·δ(1 + g/E))-DP with E = e^ε, g = (1 − \
        q + qE)/(1 − q + q/E)",
    hypotheses: "0 < q ≤ 1, ε ≥ 0; replace-one",
    by_hand: &[
        CONVEX,
        "P ≤ EZ + s and Z ≤ EP' + s' with s and s' of mass at most δ: so (1−q)Z + qP ≤ HZ + qs, \
            and the law M' with the replacement is at least LZ − qs'/E.",
        "The identity solves the second for Z and puts it into the first; s and s' are bounded by \
            their masses.",
    ],
    check: |check| {
        let leak = check.constant("multiple of g·q·δ/E", 1);
        let [q, e, m, s, other] = symbols();
        let (high, low) = (1 - &q + &q * &e, 1 - &q + &q / &e);
        let z = (&m + &q * &other / &e) / &low;
        let g = &high / &low;
        let bound = &g * &m + &q * (&s + leak * (&g / &e) * &other);
        Argument::new(check)
            .states_identity("both inequalities together", &high * z + &q * &s, &bound)
            .proved_on("all q in (0, 1], ε ≥ 0, δ in [0, 1]")
    },
    ..SAMPLE
};

/// `acc-fixed-size`. Both identities are exact; in the second a = 1 + t.
pub const FIXED_SIZE: Claim = Claim {
    id: "acc-fixed-size",
    place: "Balle, Barthe and Gaboardi 2018, Privacy amplification by subsampling (arXiv \
        1807.01647); Zhu, Dong and Wang 2022 (arXiv 2106.08567)",
    statement: "if h is a profile of a mechanism for batches of which one record is replaced, in \
        both directions, its run on a uniformly drawn batch of fixed size, a share q of the \
        records, has H_b ≤ q·h(a) at b = 1 + q(a−1), a ≥ 1, and H_b ≤ 1 − b + b·c at b < 1, c that \
        bound at 1/b; this is one pair's profile, which dominates the run",
    hypotheses: "0 < q ≤ 1, without replacement; h of a symmetric dominating pair, whatever the \
        place of the record in the batch; replace-one",
    by_hand: &[
        "A batch with the record, which is then exchanged for one drawn uniformly from those \
            outside, is a uniform batch without it: the laws are (1−q)A + qP and (1−q)A + qP' with \
            A, P, P' at most one replaced record apart, pair by pair.",
        "The identity turns H_b into q·H_a of P against (1−c)A + cP' with c = b/a; H_a is jointly \
            convex, so both are below h(a).",
        "H_b(P, Q) = 1 − b + b·H_(1/b)(Q, P) gives b < 1.",
        "The bounds are the profiles of ((1−q)Q + qP, Q) for b ≥ 1 and of its reverse below: by \
            the last identity and as h falls, the first is the greater of both from 1 on, so that \
            together they are the greater of two convex functions.",
        "Every convex function that falls from 1 at b = 0 and is at least (1−b)₊ is a pair's \
            profile (Zhu, Dong and Wang).",
    ],
    check: |check| {
        let rate = Poly::from(check.constant("factor of h over q", 1));
        let [a, q, z, p, r, t] = ["a", "q", "A", "P", "P'", "t"].map(Poly::var);
        let one = Poly::from(1);
        let keep = &one - &q;
        let level = &one + &q * (&a - &one);
        let mixed = (&keep * &z + &q * &p) - &level * (&keep * &z + &q * &r);
        let inner = rate * &q * (&p - ((&a - &level) * &z + &level * &r));
        // c = 1 − a(1−q): both sides of aq/c ≥ (q + a − 1)/q, times cq.
        let at = &one + &t;
        let weight = &one - &at * &keep;
        Steps::new()
            .positive(&["a", "q", "A", "P", "P'", "t"])
            .equal("mixtures", &mixed, &inner)
            .equal(
                "the greater profile",
                &at * q.square(),
                weight * (&q + &t) + t.square() * &keep,
            )
            .proved_on("all q in (0, 1], all mechanisms, all levels")
    },
    ..SAMPLE
};

/// `acc-group`.
pub const GROUP: Claim = Claim {
    id: "acc-group",
    place: "Dwork and Roth 2014 (group privacy); Dong, Roth and Su 2022, Gaussian differential \
        privacy (arXiv 1905.02383)",
    statement: "if one record's presence moves a query by at most Δ, replacing a record moves it \
        by at most 2 Δ; a mechanism that is (ε, δ)-DP or μ-GDP for one record's presence is (2 ε, \
        (1 + e^ε)δ)-DP and (2 μ)-GDP if one is replaced",
    hypotheses: "one record comes and one goes; replace-one, or a member of a batch gives its \
        place to another",
    by_hand: &[
        "Between the two datasets stands the one without either record: two steps of the first \
            relation.",
        "P(S) ≤ EZ(S) + δ and Z(S) ≤ EP'(S) + δ; for GDP the normal quantiles of P(S) and Z(S), \
            and of Z(S) and P'(S), differ by at most μ.",
    ],
    check: |check| {
        let steps = Poly::from(check.constant("steps between replaced datasets", 2));
        let [e, d, p, move_] = ["E", "δ", "P'", "Δ"].map(Poly::var);
        let one = Poly::from(1);
        let chained = &e * (&e * &p + &d) + &d;
        Steps::new()
            .positive(&["E", "δ", "P'", "Δ"])
            .equal("shifts add up", &move_ + &move_, steps * &move_)
            .equal(
                "two inequalities",
                &chained,
                e.square() * p + (&one + &e) * d,
            )
            .proved_on("all ε, δ, μ, Δ")
    },
    ..SAMPLE
};

/// `acc-zcdp-group`: Hölder's inequality with p = 2 − 1/α.
pub const ZCDP_GROUP: Claim = Claim {
    id: "acc-zcdp-group",
    place: "Bun and Steinke 2016, Concentrated differential privacy (arXiv 1605.02065), group \
        privacy",
    statement: "a mechanism that is ρ-zCDP for one record's presence is (4 ρ)-zCDP if one record \
        is replaced",
    hypotheses: "ρ ≥ 0; replace-one",
    by_hand: &[
        "Between the two datasets stands the one without either record, with law R.",
        "By Hölder's inequality for P^α·R^(1/p−α) and R^(α−1/p)·Q^(1−α): D_α(P, Q) ≤ \
            (pα−1)/(p(α−1))·D_(pα)(P, R) + D_b(R, Q), b = (pα−1)/(p−1).",
        "Both divergences are at most ρ times their order.",
    ],
    check: |check| {
        let factor = check.constant("factor of ρ", 4);
        let [alpha] = symbols();
        let p = 2 - 1 / &alpha;
        let above = &p * &alpha - 1;
        let sum = &above * &alpha / (&alpha - 1) + &above / (&p - 1);
        Argument::new(check)
            .states_identity("the orders at p = 2 − 1/α", &sum, factor * alpha)
            .proved_on("all ρ ≥ 0, all α > 1")
    },
    ..SAMPLE
};
