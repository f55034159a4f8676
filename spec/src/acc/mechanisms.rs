//! One mechanism on all records.

use crate::arith::algebra::Steps;
use crate::arith::{Poly, ratio};
use crate::claim::{Check, Claim, Kind};
use crate::prove::{Argument, Domain, Expr, Forall, closed, symbols};

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 7] = [
    NOBODY,
    GAUSSIAN,
    LAPLACE,
    LOG_CONCAVE,
    DISCRETE_GAUSSIAN,
    RESPONSE,
    APPROXIMATE,
];

pub(super) const MECHANISM: Claim = Claim {
    kind: Kind::MechanismPrivacy,
    ..Claim::ALONE
};

/// `acc-nobody`: where P = Q the integrand is (1 − a)₊P.
pub const NOBODY: Claim = Claim {
    id: "acc-nobody",
    place: "definition of differential privacy (Dwork, McSherry, Nissim and Smith 2006)",
    statement: "what is not run, or on nobody's record, has the same law for all neighbours: it is \
        (0, 0)-DP, and so is what neighbours share beside a mechanism that they do not",
    hypotheses: "a ≥ 1; every relation under which neighbours differ beside R only; of disjoint \
        parts, which of them the record is in was settled beforehand, by nothing that was seen, \
        unless all parts run the same; a record that is zeroed, or replaced, stays in its part",
    by_hand: &[
        "The laws of what both neighbours run alike are one law R, independent of the rest given \
            the past.",
    ],
    check: |check| {
        let level = Poly::from(check.constant("level beside which nothing is left", 1));
        let [p, q, r, a, more] = ["P", "Q", "R", "a", "a−1"].map(Poly::var);
        Steps::new()
            .positive(&["P", "Q", "R", "a", "a−1"])
            .at_most("R − aR", &level * &r - (1 + more) * &r, 0)
            .equal("beside R", &p * &r - &a * &q * &r, &r * (p - a * q))
            .proved_on("all mechanisms, all a ≥ 1")
    },
    ..MECHANISM
};

/// `acc-gaussian`: the loss at x is μx − μ²/2, at least ε from x = ε/μ + μ/2 on.
pub const GAUSSIAN: Claim = Claim {
    id: "acc-gaussian",
    place: "Balle and Wang 2018, Improving the Gaussian mechanism (arXiv 1805.06530), Theorem 8; \
        Mironov 2017 (arXiv 1702.07476)",
    statement: "N(μ, 1) against N(0, 1) has the profile δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ), \
        and D_alpha = α·μ²/2; Gaussian noise of deviation σ on a query that moves by at most Δ in \
        Euclidean norm is dominated by this pair with μ = Δ/σ",
    hypotheses: "μ > 0, α > 1; every relation under which the query moves by at most Δ",
    rests_on: &["acc-log-concave"],
    by_hand: &[
        "The noise has the same law in all directions, of which only that of the shift matters; \
            shorter shifts are dominated (acc-log-concave).",
        "The loss at x is at least ε from x = ε/μ + μ/2 on; the mass of both laws beyond is Φ at \
            μ/2 − ε/μ and at −μ/2 − ε/μ.",
        "P^α·Q^(1−α) is a Gaussian density times e^(α(α−1)μ²/2), by the second identity.",
    ],
    check: |check| {
        let factor = Poly::from(check.constant("factor of α·μ²", ratio(1, 2)));
        let half = Poly::from(ratio(1, 2));
        let [x, mu, alpha, eps] = ["x", "μ", "α", "ε"].map(Poly::var);
        let one = Poly::from(1);
        let loss = &half * (x.square() - (&x - &mu).square());
        let edge = &eps * Poly::power("μ", -1) + &half * &mu;
        let exponent = &alpha * (&x - &mu).square() + (&one - &alpha) * x.square();
        let gain = factor * 2 * &alpha * (&alpha - &one) * mu.square();
        let at_edge = loss.substitute("x", &edge).unwrap_or_default();
        Steps::new()
            .positive(&["μ", "α"])
            .equal("loss at the edge", &at_edge, &eps)
            .equal("order α", &exponent, (&x - &alpha * &mu).square() - gain)
            .proved_on("all μ > 0, all ε, all α > 1")
    },
    ..MECHANISM
};

/// `acc-laplace`. An event of probability p after a shift t satisfies |p′| ≤ min(p, 1 − p) along the way: what the tail of
/// the scalar Laplace law attains with equality. So the law of a vector is worth no more than that of one number.
pub const LAPLACE: Claim = Claim {
    id: "acc-laplace",
    place: "Dwork, McSherry, Nissim and Smith 2006 (privacy); Mironov 2017 (arXiv 1702.07476), \
        Renyi divergence",
    statement: "independent Laplace noise of scale 1 on a query that moves by at most s in the \
        norm of absolute values, in any dimension, is dominated by Lap(0, 1) against Lap(s, 1): it \
        is s-DP, with profile 1 − e^((ε−s)/2) and D_alpha = ln((α e^((α−1)s) + (α−1) e^(−α s))/(2 \
        α − 1))/(α−1)",
    hypotheses: "s > 0, 0 ≤ ε ≤ s, α > 1; every relation under which the query moves by at most s",
    rests_on: &["gcd-mech-lap"],
    by_hand: &[
        "On the way from one answer to the other, at length t in that norm, the laws at t and t' \
            are |t − t'|-DP; so the probability p(t) of an event has |p'| ≤ p and, for the \
            complement, |p'| ≤ 1 − p.",
        "p(t) is hence at most the solution of u' = min(u, 1 − u) from the same start: u = u(0)e^t \
            up to 1/2, from there 1 − u falls as e^(−t).",
        "The tails of the scalar Laplace law solve that equation: no event has a larger P at the \
            same Q (its trade-off curve is the least); H_a and D_alpha follow from the trade-off \
            curve.",
        "D_alpha integrates P^α·Q^(1−α) over the three pieces x ≤ 0, 0 ≤ x ≤ s and x ≥ s.",
    ],
    check: |check| {
        let weight = Poly::from(check.constant("what the ends have beside the middle", 1));
        // With A = e^((α−1)s) and B = e^(−αs): the ends have masses A/2 and B/2, the middle (A − B)/(2(2α − 1)).
        let [alpha, a, b] = ["α", "A", "B"].map(Poly::var);
        let (one, two) = (Poly::from(1), Poly::from(2));
        let odd = &two * &alpha - &one;
        let pieces = &odd * (&weight * &a + &weight * &b) + (&a - &b);
        let printed = &two * (&alpha * &a + (&alpha - &one) * &b);
        Argument::new(check)
            .states("acc-laplace/hazard", &hazard(check))
            .states_that(
                "the three pieces: identity of polynomials",
                pieces == printed,
                || "α = 2, s → 0: the masses of the pieces do not add up to 1".to_owned(),
            )
            .proved_on("all s > 0, all dimensions, all events, all α > 1")
    },
    ..MECHANISM
};

/// e^{−t}·(density) ≤ multiple·(tail) of the Laplace law at −t ≤ 0, where the tail is 1 − e^{−t}/2.
pub(super) fn hazard(check: &Check) -> Forall {
    let multiple = check.constant("hazard of the tail, at most", 1);
    let (domain, u) = Domain::of("e^(-t)", closed(0), closed(1));
    Forall::le(domain, &u / 2, Expr::from(multiple) * (1 - &u / 2))
}

/// `acc-log-concave`: the best test is a half-line, and its profit F(t) − aF(t − s) grows with s.
pub const LOG_CONCAVE: Claim = Claim {
    id: "acc-log-concave",
    place: "Dong, Roth and Su 2022, Gaussian differential privacy (arXiv 1905.02383)",
    statement: "noise with a log-concave law on the line, or on the integers, at distance s ≤ Δ \
        has H_a at most that at distance Δ to the same side: the pair at Δ dominates, for a \
        symmetric law to both sides; discrete Laplace noise of weights e^(−b|k|) is b·Δ-DP",
    hypotheses: "a ≥ 0; every relation under which the query, one number, moves by at most Δ",
    by_hand: &[
        "For a log-concave law p(x)/p(x − s) falls in x: the set on which P exceeds aQ is a \
            half-line, and H_a is the largest F(t) − aF(t − s) over t, F the distribution \
            function.",
        "F grows, so each F(t) − aF(t − s) grows with s, and so does the largest.",
        "A mirror image exchanges the sides, and so do P and Q: a symmetric law has one profile \
            for all four.",
        "|k| and |k − s| differ by at most |s| ≤ Δ: weights e^(−b|k|) change by a factor of at \
            most e^(bΔ).",
        "The weights of Gaussian, Laplace, discrete Gaussian and discrete Laplace laws are \
            log-concave.",
    ],
    check: |check| {
        let sign = Poly::from(check.constant("multiple of the gain", 1));
        // F(t − s) = F(t − Δ) + g with g ≥ 0, the mass between.
        let [f, low, g, a] = ["F(t)", "F(t−Δ)", "g", "a"].map(Poly::var);
        let near = &f - &a * (&low + &sign * &g);
        Steps::new()
            .positive(&["F(t)", "F(t−Δ)", "g", "a"])
            .at_most("profit of a half-line", &near, f - a * low)
            .proved_on("all log-concave laws, all 0 ≤ s ≤ Δ, all a ≥ 0")
    },
    ..MECHANISM
};

/// `acc-discrete-gaussian`. With k the answer minus one of the two true values: the exponents of P^α·Q^(1−α) complete
/// to a square around (1−α)Δ, an integer no longer.
pub const DISCRETE_GAUSSIAN: Claim = Claim {
    id: "acc-discrete-gaussian",
    place: "Canonne, Kamath and Steinke 2020, The discrete Gaussian for differential privacy \
        (arXiv 2004.00010)",
    statement: "an integer query with noise of weights e^(−k²/(2 σ²)) on the integers has D_alpha \
        ≤ α·Δ²/(2 σ²) at every α > 1: it is Δ²/(2 σ²)-zCDP",
    hypotheses: "σ > 0; every relation under which the query moves by at most Δ",
    by_hand: &[
        "D_α is ln of the sum of P^α·Q^(1−α) over α − 1; by the identity the sum is \
            e^(α(α−1)Δ²/(2σ²)) times the sum of e^(−(k − (1−α)Δ)²/(2σ²)) over that of \
            e^(−k²/(2σ²)).",
        "That ratio is at most 1: by Poisson summation the sum over k of e^(−(k−t)²/(2σ²)) is a \
            series of cosines in t with positive coefficients, largest at t = 0.",
    ],
    check: |check| {
        let factor = check.constant("factor of α·Δ²/σ²", ratio(1, 2));
        let [alpha, k, shift] = ["α", "k", "Δ"].map(Poly::var);
        let one = Poly::from(1);
        let exponents = &alpha * k.square() + (&one - &alpha) * (&k - &shift).square();
        let square = (&k - (&one - &alpha) * &shift).square();
        let gain = Poly::from(factor * 2) * &alpha * (&alpha - &one) * shift.square();
        Steps::new()
            .positive(&["α"])
            .equal("the square", &exponents, square - gain)
            .proved_on("all σ > 0, all integers Δ, all α > 1")
    },
    ..MECHANISM
};

/// `acc-response`: who does not take part gives no answer, which everybody may see.
pub const RESPONSE: Claim = Claim {
    id: "acc-response",
    place: "Warner 1965; Kairouz, Oh and Viswanath 2017, The composition theorem (arXiv 1311.0776)",
    statement: "a record that takes part with probability q and then answers one of k values, the \
        truth with probability 1 − p and else uniformly, and gives no answer if it takes no part, \
        which all may see, tells the truth with probability q(1−p) + l and each lie with l = \
        q·p/k; replacing it exchanges two such rows, zeroing it out puts q/k on each answer; H_a \
        is q times that at q = 1",
    hypotheses: "k ≥ 2, 0 ≤ p, q ≤ 1, a ≥ 1; who takes part does not depend on what the records \
        are: independently, or in a batch of fixed size; replace-one or zero-out",
    by_hand: &[
        "Two rows differ in the two true values alone: the other k − 2 answers have one \
            probability and may be gathered, and with them no answer, which has 1 − q on both \
            sides and adds nothing at a ≥ 1.",
        "Each record answers on its own. To whoever is told who takes part, as divergences of \
            mixtures of disjoint laws add up, neighbours differ in this one's answer alone, where \
            it gives one; who is not told learns no more.",
    ],
    check: |check| {
        let parts = check.constant("multiple of the uniform share", 1);
        let [p, q, k, a] = symbols();
        let (true_one, false_one) = (1 - &p + &p / &k, &p / &k);
        let lie = &parts * &q * &p / &k;
        let told = &q * &true_one;
        Argument::new(check)
            .states_identity("probability of the truth", &told, &q * (1 - &p) + &lie)
            .states_identity(
                "all answers, and none",
                &told + (&k - 1) * &lie + (1 - &q),
                1,
            )
            .states_identity(
                "what tells nothing",
                1 - &told - &lie,
                (&k - 2) * &lie + (1 - &q),
            )
            .states_identity(
                "of two rows q times",
                &told - &a * &lie,
                &q * (&true_one - &a * &false_one),
            )
            .proved_on("all k ≥ 2, all p, q in [0, 1]")
    },
    ..MECHANISM
};

/// `acc-approximate`: with E = e^ε the best event of probability x under Q has min(Ex + δ, 1 − (1 − δ − x)/E) under P.
pub const APPROXIMATE: Claim = Claim {
    id: "acc-approximate",
    place: "Kairouz, Oh and Viswanath 2017, The composition theorem (arXiv 1311.0776)",
    statement: "every (ε, δ)-DP mechanism is dominated by the pair that with probability δ reveals \
        all and else is randomised response of ε: losses infinity, ε, −ε with P masses δ, \
        (1−δ)e^ε/(1+e^ε), (1−δ)/(1+e^ε)",
    hypotheses: "ε ≥ 0, 0 ≤ δ ≤ 1, a symmetric relation",
    by_hand: &[
        "P(S) ≤ EQ(S) + δ, and for the complement, with P and Q exchanged, 1 − Q(S) ≤ E(1 − P(S)) \
            + δ: the points (Q(S), P(S)) lie below two lines, which meet at x = (1−δ)/(1+E).",
        "P(S) − aQ(S) is largest at a corner of that region: at x = 0, where they meet, or at P(S) \
            = 1; these are the values of H_a of the pair.",
    ],
    check: |check| {
        let share = check.constant("share that is not revealed, over 1 − δ", 1);
        let [e, d] = symbols();
        let meet = (1 - &d) / (1 + &e);
        let (first, second) = (&e * &meet + &d, 1 - (1 - &d - &meet) / &e);
        let pair = &d + &share * (1 - &d) * &e / (1 + &e);
        Argument::new(check)
            .states_identity("the lines meet", &first, &second)
            .states_identity("P of the corner: revealed, or a loss of ε", &first, &pair)
            .states_identity(
                "Q of the corner",
                &meet,
                &share * (1 - &d) * (&e / (1 + &e)) / &e,
            )
            .proved_on("all ε ≥ 0, all δ in [0, 1], all (ε, δ)-DP mechanisms")
    },
    ..MECHANISM
};

#[cfg(test)]
mod tests {
    /// Two coordinates that move by 1 each, integrated on a grid, against the closed profile of one that moves by 2.
    #[test]
    fn a_vector_of_laplace_noise_is_worth_no_more_than_one_number() {
        let (step, reach) = (0.05_f64, 12.0_f64);
        let nodes = (2.0 * reach / step) as i64;
        let x = |i: i64| -reach + step * (i as f64 + 0.5);
        let mass = |x: f64, at: f64| 0.5 * (-(x - at).abs()).exp() * step;
        for eps in [0.0, 0.5, 1.0, 1.5] {
            let level = f64::exp(eps);
            let sum: f64 = (0..nodes)
                .flat_map(|i| (0..nodes).map(move |j| (i, j)))
                .map(|(i, j)| {
                    let (p, q) = (
                        mass(x(i), 0.0) * mass(x(j), 0.0),
                        mass(x(i), 1.0) * mass(x(j), 1.0),
                    );
                    (p - level * q).max(0.0)
                })
                .sum();
            let scalar = 1.0 - f64::exp((eps - 2.0) / 2.0);
            assert!(sum < scalar && sum > 0.2 * scalar, "{eps}: {sum} {scalar}");
        }
    }
}
