//! Composition, conversions, and what is made of many runs.

use crate::arith::algebra::Steps;
use crate::arith::{Poly, Rational, ratio};
use crate::claim::{Claim, Kind};
use crate::prove::{Argument, Domain, Expr, Forall, open, symbols};

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 9] = [
    COMPOSED,
    BASIC,
    MERGED,
    GDP,
    PURE_ZCDP,
    LAPLACE_ZCDP,
    DISTANCE,
    SHUFFLE,
    SHUFFLE_APPROXIMATE,
];

/// `acc-composed`: what the kernel proves of data of which one record is replaced, for one ordered pair of datasets. A relation may
/// dominate one direction by a pair that does not dominate the other: each is then composed on its own.
pub const COMPOSED: Claim = Claim {
    id: "acc-composed",
    place: "Mironov 2017, Renyi differential privacy (arXiv 1702.07476); Kairouz, Oh and \
        Viswanath 2017 (arXiv 1311.0776); Zhu, Dong and Wang 2022, Optimal accounting of \
        differential privacy (arXiv 2106.08567)",
    kind: Kind::Composition,
    statement: "of one ordered pair of datasets, of whatever relation: if the pair (P_i, Q_i) \
        dominates the i-th of finitely many adaptively chosen mechanisms whatever the outputs \
        before it, the pair of products dominates the run; bounds τ_i of D_alpha at one order add \
        up to τ, which leaves δ = e^((α−1)(τ−ε))·(1−1/α)^(α−1)/α at ε; laws P ≤ aQ and Q ≤ aP, a \
        = e^ε, post-process a randomised response of ε",
    hypotheses: "α > 1, ε ≥ 0; pairs, orders and τ_i fixed beforehand, for these datasets in this \
        order: if a record comes or goes, all for its removal, or all for its addition",
    by_hand: &[
        "Given the first output, the second mechanism is asked for a·q₁/p₁, by the identity, where \
            its H is at most that of its pair, whatever the output: what is left is H_a of the \
            first mechanism beside that pair, of which the same is said with the roles exchanged. \
            Induction over the mechanisms.",
        "The mean of (p/q)^α under Q is a mean over the first outputs of (p₁/q₁)^α times at most \
            e^((α−1)τ₂): the bounds add up.",
        "H_(e^ε) is the mean of (1 − u)₊ under P, u = e^ε·Q/P, and (1 − u)·u^(α−1) is largest \
            where its derivative, u^(α−2)·((α−1) − αu), is 0; the mean of (P/Q)^(α−1) under P is \
            at most e^((α−1)τ).",
        "P and Q are the mixtures of (aP − Q)/(a−1) and (aQ − P)/(a−1), which are nonnegative and \
            of mass 1, with the weights of the response, by the last identity; at a = 1 both are \
            one law.",
    ],
    check: |check| {
        let factor = Poly::from(check.constant("factor of a", 1));
        let [a, p1, p2, q1, q2, alpha] = ["a", "p₁", "p₂", "q₁", "q₂", "α"].map(Poly::var);
        let one = Poly::from(1);
        let level = factor * &a * &q1 * Poly::power("p₁", -1);
        let most = (&alpha - &one) * Poly::power("α", -1);
        // Times (a + 1)(a − 1): the weights a and 1 over a + 1.
        let mixture = &a * (&a * &p1 - &q1) + (&a * &q1 - &p1);
        Steps::new()
            .positive(&["a", "p₁", "p₂", "q₁", "q₂", "α"])
            .equal(
                "the second is asked for a·q₁/p₁",
                &p1 * &p2 - &a * &q1 * &q2,
                &p1 * (&p2 - level * &q2),
            )
            .equal(
                "the derivative is 0 at u = 1 − 1/α",
                &alpha * most,
                &alpha - &one,
            )
            .equal("mixture", &mixture, (&a + &one) * (&a - &one) * &p1)
            .proved_on("all numbers of mechanisms, all a ≥ 0, all α > 1, all ε ≥ 0")
    },
    ..Claim::ALONE
};

/// `acc-basic`. With m = min(p₁, aq₁), d = aq₁ − m and x = p₁ − m, both at least 0.
pub const BASIC: Claim = Claim {
    id: "acc-basic",
    place: "Dwork and Roth 2014, The algorithmic foundations of differential privacy (basic \
        composition)",
    kind: Kind::Composition,
    statement: "adaptively chosen mechanisms that are (ε_i, δ_i)-DP whatever came before compose \
        to (sum ε_i, sum δ_i)-DP; so total variation distances, the δ_i at ε_i = 0, add up",
    hypotheses: "ε_i, δ_i fixed beforehand; a fixed number of mechanisms; every relation",
    by_hand: &[
        "With m = min(p₁, aq₁): p₁p₂ − ab·q₁q₂ = (p₁ − m)p₂ + m(p₂ − bq₂) − bq₂(aq₁ − m), of which \
            the last term is at most 0.",
        "The first term integrates to at most H_a of the first mechanism; in the second m ≤ p₁, \
            and H_b of the second mechanism, given any first output, bounds the rest.",
        "Induction over the mechanisms.",
    ],
    check: |check| {
        let whole = Poly::from(check.constant("multiple of the second difference", 1));
        let [m, x, d, p, q, b] = ["m", "x", "d", "p₂", "q₂", "b"].map(Poly::var);
        let joint = (&m + &x) * &p - &b * (&m + &d) * &q;
        let split = &x * &p + whole * &m * (&p - &b * &q) - &b * &q * &d;
        Steps::new()
            .positive(&["m", "x", "d", "p₂", "q₂", "b"])
            .equal("the split", &joint, &split)
            .proved_on("all numbers of mechanisms, all ε_i, δ_i ≥ 0")
    },
    ..Claim::ALONE
};

/// `acc-merged`. The positive part of a sum is at most the sum of positive parts.
pub const MERGED: Claim = Claim {
    id: "acc-merged",
    place: "Blackwell 1953, Equivalent comparisons of experiments; Doroshenko et al. 2022 (arXiv \
        2207.04380)",
    kind: Kind::Composition,
    statement: "outcomes of a pair that are told apart no more lower H_a: a law of the loss in \
        which each cell's mass stands at the loss of its two masses, ln(u/v) for u and v, is that \
        of a post-processing, and bounds H_a from below",
    hypotheses: "a ≥ 0",
    by_hand: &[
        "Over a cell, (sum of p − aq)₊ is at most the sum of (p − aq)₊, by the inequality for two \
            outcomes and their number.",
        "In a composition each factor is post-processed on its own.",
    ],
    check: |check| {
        let each = Poly::from(check.constant("multiple of the sum of positive parts", 1));
        // Two outcomes with p − aq = u and p − aq = −v: merged they leave (u − v)₊ ≤ u.
        let [u, v] = ["u", "v"].map(Poly::var);
        Steps::new()
            .positive(&["u", "v"])
            .at_most("two outcomes", &u - v, each * u)
            .proved_on("all pairs, all cells, all a ≥ 0")
    },
    ..Claim::ALONE
};

/// `acc-gdp`: trade-off curves and profiles say the same.
pub const GDP: Claim = Claim {
    id: "acc-gdp",
    place: "Dong, Roth and Su 2022, Gaussian differential privacy (arXiv 1905.02383)",
    kind: Kind::Composition,
    statement: "a μ-GDP mechanism is dominated by N(μ, 1) against N(0, 1)",
    hypotheses: "μ ≥ 0; the trade-off curve of each ordered pair of neighbours is at least that of \
        the Gaussian pair",
    by_hand: &[
        "H_a is the largest P(S) − aQ(S) over tests S; at Q(S) = x the trade-off curve f bounds \
            P(S) by 1 − f(x), with equality at best tests.",
        "A larger curve leaves less at every x, hence less at the largest.",
    ],
    check: |check| {
        let sign = Poly::from(check.constant("multiple of the distance of the curves", 1));
        let [g, d, a, x] = ["g", "d", "a", "x"].map(Poly::var);
        let one = Poly::from(1);
        let own = &one - (&g + sign * d) - &a * &x;
        Steps::new()
            .positive(&["g", "d", "a", "x"])
            .at_most("profit of a test", &own, one - g - a * x)
            .proved_on("all μ ≥ 0, all a ≥ 0")
    },
    ..Claim::ALONE
};

/// `acc-pure-zcdp`: the loss lies in an interval of length 2ε.
pub const PURE_ZCDP: Claim = Claim {
    id: "acc-pure-zcdp",
    place: "Bun and Steinke 2016, Concentrated differential privacy (arXiv 1605.02065), \
        Proposition 1.4",
    kind: Kind::Composition,
    statement: "an ε-DP mechanism has D_alpha ≤ α·ε²/2 at every α > 1: it is (ε²/2)-zCDP; and \
        D_alpha is at most that of randomised response of ε",
    hypotheses: "ε ≥ 0, α > 1; every symmetric relation",
    rests_on: &["acc-composed", "kl-red-range"],
    by_hand: &[
        "The losses lie in [−ε, ε], of length 2ε: kl-red-range, which is Hoeffding's lemma for one \
            pair of laws.",
        "The mechanism post-processes a randomised response (acc-composed), and D_α falls under \
            post-processing.",
    ],
    check: |check| {
        let factor = Poly::from(check.constant("factor of α·ε²", ratio(1, 2)));
        let [eps] = ["ε"].map(Poly::var);
        let length = &eps + &eps;
        Steps::new()
            .positive(&["ε"])
            .equal(
                "an eighth of the squared length",
                ratio(1, 8) * length.square(),
                factor * eps.square(),
            )
            .proved_on("all ε ≥ 0, all α > 1")
    },
};

/// `acc-laplace-zcdp`. With x = e^(−ε), n = 2α − 1, X = xⁿ and W = x^(n−2).
pub const LAPLACE_ZCDP: Claim = Claim {
    id: "acc-laplace-zcdp",
    place: "the question of Wang 2022 and arXiv 2510.25746; derived here",
    kind: Kind::Composition,
    statement: "independent Laplace noise of scale 1 on a query that moves by at most ε in the \
        norm of absolute values has D_alpha ≤ α·ρ at every α > 1 with ρ = 1·(ε + e^(−ε) − 1), \
        which no smaller ρ has",
    hypotheses: "ε ≥ 0; every relation under which the query moves by at most ε",
    rests_on: &["acc-laplace"],
    by_hand: &[
        "g(ε) = α(α−1)(ε + e^(−ε) − 1) − (α−1)D_α is 0 at 0, and its derivative has the sign of \
            φ(x) = (n−1) − (n+1)x + (n+1)X − (n−1)xX, by the first identity, as e^((α−1)ε) and \
            e^(−αε) have the ratio X.",
        "φ and φ' vanish at x = 1, and φ'' = n(n+1)(n−1)·W·(1−x) ≥ 0 for 0 ≤ x ≤ 1: so φ ≥ 0, and \
            g grows.",
        "D_α falls to the mean of the loss, ε + e^(−ε) − 1, as α falls to 1.",
        "Of several entries divergences add, and ρ is convex and 0 at 0: the sum of ρ(ε_i) is at \
            most ρ(sum of ε_i).",
    ],
    check: |check| {
        let factor = Poly::from(check.constant("factor of ε + e^(−ε) − 1", 1));
        let [n, x, power, w, s] = ["n", "x", "X", "W", "s"].map(Poly::var);
        let (one, two) = (Poly::from(1), Poly::from(2));
        // α = (n+1)/2: twice (1−x)(α + (α−1)X) − (1 − X), from ρ' = 1 − x and the derivative of ln(αe^((α−1)ε) + (α−1)e^(−αε)).
        let slope =
            factor * (&one - &x) * (&n + &one + (&n - &one) * &power) - &two * (&one - &power);
        let phi = (&n - &one) - (&n + &one) * &x + (&n + &one) * &power - (&n - &one) * &x * &power;
        // At x = 1: φ' from powers n − 1 and n, all 1.
        let first = -(&n + &one) + &n * (&n + &one) - (&n - &one) * (&n + &one);
        // n = 1 + s.
        let m = &one + &s;
        let second = &m * (&m + &one) * &s * &w * (&one - &x);
        let by_powers = &m * (&m + &one) * &s * &w - &s * (&m + &one) * &m * &w * &x;
        Steps::new()
            .positive(&["n", "x", "X", "W", "s"])
            .equal("sign of the slope", &slope, &phi)
            .equal("slope of φ at 1", &first, 0)
            .equal("second derivative", &by_powers, &second)
            .proved_on("all ε ≥ 0, all α > 1")
    },
};

/// `acc-distance`: along q from p, both sides vanish at q = p and the derivative of the difference has a sign.
pub const DISTANCE: Claim = Claim {
    id: "acc-distance",
    place: "Pinsker 1964; Bretagnolle and Huber 1979",
    kind: Kind::Composition,
    statement: "D_1 ≤ ρ leaves a total variation distance of at most √(ρ/2) and at most √(1 − \
        e^(−ρ)): the δ at ε = 0",
    hypotheses: "ρ ≥ 0",
    by_hand: &[
        "For an event of probabilities p and q post-processing leaves D_1 at least p·ln(p/q) + \
            (1−p)·ln((1−p)/(1−q)).",
        "Its derivative in q is (q−p)/(q(1−q)), that of 2(p−q)² is 4(q−p), and q(1−q) ≤ 1/4: the \
            difference grows away from q = p.",
        "Bretagnolle and Huber: e^(−D_1/2) is at most the mean of (Q/P)^(1/2) (Jensen), the \
            integral of (PQ)^(1/2) = (max·min)^(1/2), whose square is at most (1+TV)(1−TV) (Cauchy \
            and Schwarz).",
    ],
    check: |check| {
        let half = check.constant("ρ over the squared distance", 2);
        let (domain, q) = Domain::of("q", open(0), open(1));
        let largest = Rational::from(&half * 2).recip();
        let variance =
            Forall::le(domain, &q * (1 - &q), largest).factored((ratio(1, 2) - &q).square(), 1);
        let [v] = symbols();
        Argument::new(check)
            .states("acc-distance/variance", &variance)
            .states_identity("(1 + TV)(1 − TV)", (1 + &v) * (1 - &v), 1 - v.square())
            .proved_on("all ρ ≥ 0, all pairs")
    },
    ..Claim::ALONE
};

/// `acc-shuffle`. Q₀ and Q₁ are the two laws of gcd-aux-response, of which both reports of the record in question are mixtures.
pub const SHUFFLE: Claim = Claim {
    id: "acc-shuffle",
    place: "Feldman, McMillan and Talwar 2021, Hiding among the clones (arXiv 2012.12803)",
    statement: "n reports, in a uniformly random order, of ε_0-DP local randomisers that may \
        depend on the reports before are dominated by (A + D, C − A + 1 − D) against (A + 1 − D, C \
        − A + D), C ~ Bin(n−1, e^(−ε_0)), A ~ Bin(C, 1/2), D ~ Bernoulli(e^ε_0/(1 + e^ε_0)), and \
        its reverse",
    hypotheses: "n ≥ 1, ε_0 ≥ 0; the records are shuffled before the randomisers run; replace-one",
    rests_on: &["gcd-aux-response"],
    kind: Kind::MechanismPrivacy,
    by_hand: &[
        "R(x) ≥ e^(−ε₀)R(x₀) and R(x) ≥ e^(−ε₀)R(x₁), so that R(x) is the mixture of (R(x₀) + \
            R(x₁))/2 with weight e^(−ε₀) and of a rest: who is not replaced is a clone with that \
            probability, independently.",
        "R(x₀) and R(x₁) are mixtures of two laws Q₀, Q₁ with weights of a randomised response \
            (gcd-aux-response), so that their mean is (Q₀ + Q₁)/2: a clone is either with \
            probability 1/2, the replaced record Q₀ with probability e^ε₀/(1+e^ε₀) or 1/(1+e^ε₀).",
        "Where the clones are in a random order says nothing: given how many draw from Q₀ and how \
            many from Q₁, the run is simulated step by step, each step with its own Q₀, Q₁ and \
            rest given the reports before.",
    ],
    check: |check| {
        let half = check.constant("share of a clone's law that is Q₀", ratio(1, 2));
        let [e, q0, q1] = symbols();
        let (first, second) = ((&e * &q0 + &q1) / (1 + &e), (&q0 + &e * &q1) / (1 + &e));
        let mean = (&first + &second) / 2;
        let clone = Expr::from(Rational::from(&half)) * &q0 + Expr::from(1 - half) * &q1;
        let rest = 1 - 1 / &e;
        Argument::new(check)
            .states_identity("mean of both reports", &mean, &clone)
            .states_identity("a clone or the rest", 1 / &e + rest, 1)
            .proved_on("all n ≥ 1, all ε_0 ≥ 0, all ε_0-DP randomisers")
    },
};

/// `acc-shuffle-approximate`. With E = e^ε₀: a run that acc-shuffle is about differs from this one by at most (1 + 1/(2E))δ₀ in
/// total variation per report.
pub const SHUFFLE_APPROXIMATE: Claim = Claim {
    id: "acc-shuffle-approximate",
    place: "Feldman, McMillan and Talwar 2021, Hiding among the clones (arXiv 2012.12803), Theorem \
        3.8",
    statement: "n reports, in a uniformly random order, of (ε_0, δ_0)-DP local randomisers that \
        may depend on the reports before are (ε, δ' + (e^ε + 1)(1 + e^(−ε_0)/2)n·δ_0)-DP if the \
        pair of acc-shuffle is (ε, δ')-DP",
    hypotheses: "n ≥ 1, ε_0, ε ≥ 0; the records are shuffled before the randomisers run; \
        replace-one",
    rests_on: &["acc-approximate", "acc-basic", "acc-shuffle"],
    kind: Kind::MechanismPrivacy,
    by_hand: &[
        "R(x₀) and R(x₁) post-process the pair of acc-approximate (Blackwell); with a randomised \
            response of ε₀ in the place of what it reveals they become ε₀-DP laws R'₀ and R'₁, \
            each at a distance of at most δ₀/(1+E) from its own.",
        "R(x) + s/E ≥ (R(x₀) + R(x₁))/(2E) with s of mass at most δ₀: so R(x) is at most δ₀/E from \
            a law that draws a clone, (R(x₀) + R(x₁))/2, with probability 1/E, and at most (1 + \
            1/(1+E))δ₀/E from one whose clones are (R'₀ + R'₁)/2.",
        "Of runs with these laws instead acc-shuffle's proof holds as it stands; given the past \
            each report is off by at most the larger distance, so the run by n times that, t \
            (acc-basic at ε = 0).",
        "P ≤ P' + t, P' ≤ e^ε·Q' + δ' and Q' ≤ Q + t for every event.",
    ],
    check: |check| {
        let times = Poly::from(check.constant("multiple of the lost δ", 1));
        let share =
            Poly::from(check.constant("share of e^(−ε_0) in a report's distance", ratio(1, 2)));
        // E = 1 + g, and the distances in units of δ₀/E.
        let [g, a, q, t, d] = ["g", "a", "Q", "t", "δ'"].map(Poly::var);
        let one = Poly::from(1);
        let e = &one + &g;
        let each = &e + share;
        let chained = &a * (&q + &t) + &d + &t;
        Steps::new()
            .positive(&["g", "a", "Q", "t", "δ'"])
            // A single report of ε₀: δ' is 0, and nothing less than δ₀ is true of every randomiser.
            .at_most("one report", &e, times * (&e + &one) * &each)
            .suffices("1/(1 + E) is at most a half", 2, &one + &e)
            .suffices("the others' reports", ratio(3, 2), &each)
            .suffices("the replaced record's report", &e, &each * (&one + &e))
            .equal("both ends", &chained, &a * &q + &d + (&a + &one) * &t)
            .proved_on("all n ≥ 1, all ε_0, ε ≥ 0, all δ_0 in [0, 1], all randomisers")
    },
};
