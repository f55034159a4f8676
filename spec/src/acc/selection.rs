//! Choices: the largest of noisy scores, what reaches a threshold, the best of several runs.

use super::mechanisms::hazard;
use crate::arith::algebra::Steps;
use crate::arith::{Interval, Poly, Rational, ratio};
use crate::claim::{Claim, Kind};
use crate::prove::{Argument, Domain, Forall, closed, open, symbols};

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 4] = [EXPONENTIAL, NOISY_MAX, SPARSE_VECTOR, SELECTION];

/// `acc-exponential`. With X = e^t, E = e^(−ε), A = e^(αt), B = e^(−αε): x^α is below its chord from XE to X, at x = 1.
pub const EXPONENTIAL: Claim = Claim {
    id: "acc-exponential",
    place: "McSherry and Talwar 2007; Durfee and Rogers 2019 (arXiv 1905.04273); Dong, Durfee and \
        Rogers 2020 (arXiv 1909.13830)",
    kind: Kind::MechanismPrivacy,
    statement: "drawing r with probability proportional to e^(ε·u(r)/(2 Δ)) has a privacy loss in \
        an interval of length ε that contains 0: it is ε-DP, D_alpha ≤ α·ε²/8, and \
        e^((α−1)D_alpha) is at most (e^((α−1)t)(1 − e^(−α·ε)) − e^(α·t)(e^(−ε) − e^(−α·ε)))/(1 − \
        e^(−ε)) at its largest t",
    hypotheses: "ε > 0, α > 1; every relation under which each score moves by at most Δ",
    rests_on: &["kl-red-range"],
    by_hand: &[
        "Between neighbours each weight changes by a factor in [e^(−ε/2), e^(ε/2)] and all share \
            one normaliser: the losses lie in an interval of length ε; as both laws have mass 1, \
            it contains 0.",
        "With losses in [t − ε, t], P/Q = x has mean 1 under Q and x^α lies below its chord \
            between the ends: the mean of x^α is at most the chord's value at 1.",
        "The bound in t is differentiable, and its derivative changes sign where the second \
            identity says.",
        "D_α ≤ αε²/8 is kl-red-range.",
    ],
    check: |check| {
        let length = Poly::from(check.constant("length of the interval over ε", 1));
        let [x, e, a, b, alpha] = ["X", "E", "A", "B", "α"].map(Poly::var);
        let one = Poly::from(1);
        let chord = (&one - &x * &e) * &a + (&x - &one) * &a * &b;
        let printed = &a * ((&one - &b) - &x * (&e - &b));
        let largest = (&alpha - &one) * (&one - &b);
        let slope = (&alpha - &one) * (&one - &b) - &alpha * &x * (&e - &b);
        // Both scores move by Δ against each other: ε/2 and −ε/2, of which the difference is ε.
        let [eps] = ["ε"].map(Poly::var);
        let weights = ratio(1, 2) * &eps + ratio(1, 2) * &eps;
        Steps::new()
            .positive(&["X", "E", "A", "B", "α"])
            .positive(&["ε"])
            .equal("length of the interval", &weights, length * eps)
            .equal("chord", &chord, &printed)
            .equal(
                "sign of the slope",
                &slope + &alpha * &x * (e - b),
                &largest,
            )
            .proved_on("all ε > 0, all α > 1, all scores")
    },
};

/// `acc-noisy-max`: for the two Laplace noises of scale 1 a lead of g is overcome with probability (2 + g)e^(−g)/4.
pub const NOISY_MAX: Claim = Claim {
    id: "acc-noisy-max",
    place: "Dwork and Roth 2014, The algorithmic foundations of differential privacy (report noisy \
        max), without monotonicity",
    kind: Kind::MechanismPrivacy,
    statement: "the index of the largest of scores with independent Laplace, or exponential, noise \
        of scales b_j is ε-DP with ε = the largest (Δ_j + max_{k ≠ j} Δ_k)/b_j; of equal ones that \
        is twice Δ/b",
    hypotheses: "at least 2 scores, b_j > 0; every relation under which score j moves by at most \
        Δ_j",
    by_hand: &[
        "With the noises of the others fixed, j wins if its own noise exceeds a threshold, which \
            between neighbours moves by at most Δ_j + max_{k≠j} Δ_k.",
        "A tail of the Laplace law of scale b changes by a factor of at most e^(s/b) under a shift \
            by s: its hazard is at most 1/b, on either side of the centre; so is that of \
            exponential noise.",
        "The bound is integrated over the noises of the others; ties have probability 0.",
    ],
    check: |check| {
        let factor = check.constant("factor of the sum of both shifts over b", 1);
        // Two equal scores, Δ = b = 1, one 100 behind: ln of the ratio of (2 + g)e^(−g)/4 at g = 98 and g = 100.
        let loss = Interval::from(2) + Interval::from_rational(&ratio(100, 102)).ln();
        let allowed = Interval::from_rational(&Rational::from(&factor * 2));
        let tail = hazard(check);
        Argument::new(check)
            .states("acc-noisy-max/hazard", &tail)
            .states_that(
                "two scores, 100 scales apart",
                !allowed.certainly_lt(&loss),
                || {
                    format!(
                        "two scores that move by 1, scales 1, one 100 behind: the loss is {loss}, \
                            more than {allowed}"
                    )
                },
            )
            .proved_on("all numbers of scores ≥ 2, all Δ_j ≥ 0, all b_j > 0")
    },
    ..Claim::ALONE
};

/// `acc-sparse-vector`. With the threshold's noise raised by Δ and, of an answer above, its own noise by q − q' + Δ, the other
/// dataset has the same outputs: below stays below, above stays above, by the same distance.
pub const SPARSE_VECTOR: Claim = Claim {
    id: "acc-sparse-vector",
    place: "Lyu, Su and Li 2017, Understanding the sparse vector technique (arXiv 1603.01699), \
        with what Dwork and Roth 2014 release; for distances Ding, Wang, Zhang and Kifer 2019, \
        Free gap information (PVLDB 13(3))",
    kind: Kind::MechanismPrivacy,
    statement: "telling for each of a stream of queries whether query plus Laplace noise of scale \
        s reaches threshold plus Laplace noise of scale r, and stopping after c that do, is (Δ/r + \
        2 c Δ/s)-DP; so it is if the distances above the threshold are released; with fresh \
        threshold noise after each it is c(Δ/r + 2 Δ/s)-DP, and releasing answers above with fresh \
        noise of scale u adds c Δ/u",
    hypotheses: "c ≥ 1; every relation under which each query moves by at most Δ",
    rests_on: &["acc-laplace", "acc-basic"],
    by_hand: &[
        "Raise the threshold's noise by Δ: a query below stays below with its own noise as it was, \
            for it moves by at most Δ.",
        "Raise the noise of each query above by q − q' + Δ, at most 2Δ: it is as far above as \
            before.",
        "The shifts are functions of the datasets, not of the noise: densities change by factors \
            of at most e^(Δ/r) and e^(2Δ/s), c times.",
        "Runs until the first answer above compose, and so do answers with fresh noise (acc-basic, \
            acc-laplace).",
    ],
    check: |check| {
        let raise = Poly::from(check.constant("shift of an answer above over Δ", 2));
        // q' = q − m, |m| ≤ Δ: m = Δ − u with u and w = 2Δ − u at least 0.
        let [q, z, t, y, u, w] = ["q", "noise of q", "T", "noise of T", "u", "w"].map(Poly::var);
        let d = ratio(1, 2) * (&u + &w);
        let moved = &d - &u;
        let other = &q - &moved;
        let shift = &moved + &d;
        let gap = (&other + &z + &shift) - (&t + &y + &d);
        let below = &other - (&q + &d);
        Steps::new()
            .positive(&["u", "w"])
            .equal("distance above", &gap, (&q + &z) - (&t + &y))
            .at_most("largest shift", &shift, raise * &d)
            .at_most("shift", 0, &shift)
            .at_most("below", &below, 0)
            .proved_on("all streams, all c ≥ 1, all r, s, u > 0")
    },
};

/// `acc-selection`. f(x) = γx/(1 − (1−γ)x) is the generating function of the number of runs, γ = 1/m.
pub const SELECTION: Claim = Claim {
    id: "acc-selection",
    place: "Papernot and Steinke 2022, Hyperparameter tuning with Renyi differential privacy \
        (arXiv 2110.03620), Theorem 2",
    statement: "the best of K runs, K = 1, 2, … geometric with mean m, Pr(K) = (1 − 1/m)^(K−1)/m, \
        has divergence at most D_alpha + 2((1 − 1/λ)D_lambda + ln(m)/λ) + ln(m)/(α−1) at order α, \
        where one run has divergence at most D_alpha in both directions",
    hypotheses: "m ≥ 1, α > 1, λ ≥ 1; runs independent, the score a function of what a run \
        releases; the number of runs is not released, nor the time that they take; every symmetric \
        relation",
    kind: Kind::MechanismPrivacy,
    by_hand: &[
        "With ties broken by a uniform number the best of K has density f'(x)Q(y), x the \
            probability that a run is no better than y, and f'(x) = γ/u² with u = 1 − (1−γ)x.",
        "u is the probability of an event after post-processing one run: a coin of probability γ \
            falls or the run is better than y; so u' ≤ (u·e^D_λ)^(1 − 1/λ) by Hölder's inequality, \
            and u ≥ γ.",
        "Hence u'/u ≤ e^((1−1/λ)D_λ)·m^(1/λ), and f'(x)/f'(x') = (u'/u)² at most its square.",
        "The moment of order α is the mean of f'(x)·(f'(x)/f'(x'))^(α−1)·(Q/Q')^(α−1) over Q, and \
            f'(x) ≤ f'(1) = m.",
    ],
    check: |check| {
        let most = check.constant("f'(1) over m", 1);
        let [gamma, x] = symbols();
        let u = 1 - (1 - &gamma) * &x;
        // (γx)'u − γx·u' = γ.
        let numerator = &gamma * &u + &gamma * &x * (1 - &gamma);
        Argument::new(check)
            .states_identity("derivative of f, times u²", &numerator, &gamma)
            .states_identity(
                "u is a coin or a better run",
                &u,
                &gamma + (1 - &gamma) * (1 - &x),
            )
            .states_identity("f'(1)", &gamma / gamma.square(), most / &gamma)
            .states("acc-selection/coin", &coin())
            .proved_on("all m ≥ 1, all α > 1, all λ ≥ 1")
    },
    ..Claim::ALONE
};

/// u ≥ γ.
fn coin() -> Forall {
    let mut domain = Domain::new();
    let gamma = domain.real("γ", open(0), closed(1));
    let x = domain.real("x", closed(0), closed(1));
    Forall::le(domain, gamma.clone(), 1 - (1 - &gamma) * &x).factored((1 - gamma) * (1 - x), 1)
}
