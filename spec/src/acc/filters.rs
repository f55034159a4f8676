//! Mechanisms that are chosen, and stops that are made, by what was seen: filters and odometers.
//!
//! A filter fixes a budget beforehand and covers whatever it admits; an odometer says afterwards what was spent. Both look at the
//! mechanisms chosen so far, which depend on answers: a bound for each list of mechanisms on its own is none for a run that
//! chooses among lists, nor for one that chooses when to look ([`CURVE_FILTER`], [`READ_OFF`]).

use crate::arith::algebra::Steps;
use crate::arith::{Poly, Rational, ratio};
use crate::claim::{Claim, Kind, Verdict};

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 6] = [
    FILTER,
    GDP_FILTER,
    RENYI_FILTER,
    ODOMETER,
    CURVE_FILTER,
    READ_OFF,
];

/// `acc-filter`. What is left of the budget after a step is known before the step's answer: the pair that bounds the rest is fixed.
pub const FILTER: Claim = Claim {
    id: "acc-filter",
    place: "Rogers, Roth, Ullman and Vadhan 2016, Privacy odometers and filters (arXiv \
        1605.08294), for the question; derived here",
    kind: Kind::Composition,
    statement: "of a list of mechanisms, each with a pair that dominates it whatever was seen \
        before, a run that runs each at most once, and lets what was seen decide which comes next, \
        on what, and when to stop, is dominated by the product of all pairs; and so for every kind \
        of budget of which each part c has a pair such that the product of those of c and of the \
        rest is dominated by that of both together",
    hypotheses: "a ≥ 0; finitely many mechanisms, their pairs fixed beforehand; choices depend on \
        the past answers only",
    rests_on: &["acc-composed", "acc-merged"],
    by_hand: &[
        "A run that stops has told nothing more: its H_a is (1 − a)₊, which is that of any pair \
            with all outcomes merged, and at most that of the pair of what is left.",
        "Otherwise the next mechanism and what it leaves of the budget are chosen before its \
            answer. Given the answer, the rest is a run with this budget, asked for a·q₁/p₁; by \
            induction over the number of steps its own H is at most that of the pair of what is \
            left, the same after every answer.",
        "The integral over the answer, by the identity, is H_a of the mechanism and that pair side \
            by side, hence of both their pairs (acc-composed), hence of the pair of the \
            budget.",
        "The parts of a list are its sublists, with the product of their pairs: what is left of it \
            does not depend on the order.",
    ],
    check: |check| {
        let factor = Poly::from(check.constant("factor of a", 1));
        let [a, p1, p2, q1, q2] = ["a", "p₁", "p₂", "q₁", "q₂"].map(Poly::var);
        let level = factor * &a * &q1 * Poly::power("p₁", -1);
        let given = &p1 * (&p2 - level * &q2);
        Steps::new()
            .positive(&["a", "p₁", "p₂", "q₁", "q₂"])
            .equal(
                "the rest is asked for a·q₁/p₁",
                &p1 * &p2 - &a * &q1 * &q2,
                &given,
            )
            .proved_on("all lists, all a ≥ 0")
    },
};

/// `acc-gdp-filter`. A budget b = μ² has the pair N(√b, 1) against N(0, 1); x and y are the answers of steps m and n.
pub const GDP_FILTER: Claim = Claim {
    id: "acc-gdp-filter",
    place: "Koskela, Tobaben and Honkela 2023, Individual privacy accounting with Gaussian \
        differential privacy (arXiv 2209.15596); derived here from acc-filter",
    kind: Kind::Composition,
    statement: "adaptively chosen mechanisms, the t-th μ_t-GDP with μ_t a function of the past \
        answers, with sum of μ_t² ≤ μ² always, compose to a μ-GDP mechanism",
    hypotheses: "μ ≥ 0; finitely many mechanisms; choices and stops depend on the past answers \
        only",
    rests_on: &["acc-filter", "acc-gdp"],
    by_hand: &[
        "A pair of larger mean dominates: N(m, 1) is a part of N((m² + n²)^(1/2), 1), below.",
        "The loss of both answers is a function of mx + ny, which has mean m² + n² or 0 and \
            variance m² + n²: the product of the pairs of m² and n² is the pair of their sum, and \
            acc-filter applies.",
    ],
    check: |check| {
        let total = Poly::from(check.constant("squared mean over the sum of squares", 1));
        let [m, n, x, y] = ["m", "n", "x", "y"].map(Poly::var);
        let half = Poly::from(ratio(1, 2));
        let one = |mean: &Poly, z: &Poly| mean * z - &half * mean.square();
        let along = &m * &x + &n * &y;
        Steps::new()
            .positive(&["m", "n"])
            .equal(
                "loss of both answers",
                one(&m, &x) + one(&n, &y),
                along - &half * total * (m.square() + n.square()),
            )
            .proved_on("all μ ≥ 0, all a ≥ 0")
    },
};

/// `acc-renyi-filter`. Let V_t bound E[∏_{j≥t} (p_j/q_j)^α] under Q given the past.
pub const RENYI_FILTER: Claim = Claim {
    id: "acc-renyi-filter",
    place: "Feldman and Zrnic 2021, Individual privacy accounting via a Renyi filter (arXiv \
        2008.11193), Theorem 4.3",
    kind: Kind::Composition,
    statement: "adaptively chosen mechanisms, the t-th with D_alpha ≤ τ_t given the past answers, \
        τ_t a function of them, with sum τ_t ≤ τ always, compose to D_alpha ≤ τ; and at each of \
        several orders, if the sum of each keeps to its own τ",
    hypotheses: "α > 1; finitely many mechanisms; orders and their τ fixed beforehand; choices and \
        stops depend on the past answers only",
    rests_on: &["acc-composed"],
    by_hand: &[
        "Backwards over the steps: given the past, the step's mean of (p/q)^α under Q is \
            e^((α−1)τ_t), and the rest is at most e^((α−1)(τ − spent − τ_t)) whatever the answer; \
            their product does not depend on τ_t. A stop is a step of cost 0.",
        "The sums at several orders are bounded one by one. That on each path one of them is \
            bounded, which one depending on the path, would not do: no order's moment is then \
            bounded.",
    ],
    check: |check| {
        let charge = Poly::from(check.constant("charge of a step over its τ", 1));
        let [alpha, tau, spent, now] = ["α", "τ", "spent", "τ_t"].map(Poly::var);
        let order = &alpha - 1;
        Steps::new()
            .equal(
                "a step and the rest",
                &order * &now + &order * (&tau - (&spent + charge * &now)),
                &order * (&tau - &spent),
            )
            .proved_on("all α > 1, all adaptive sequences of finitely many steps")
    },
};

/// `acc-odometer`. With b = α − 1, l = ln(1 − 1/α), m = ln α, d = ln(wδ).
pub const ODOMETER: Claim = Claim {
    id: "acc-odometer",
    place: "Rogers, Roth, Ullman and Vadhan 2016 (arXiv 1605.08294) and Whitehouse, Ramdas, Rogers \
        and Wu 2023 (arXiv 2203.05481), for odometers; derived here",
    kind: Kind::Composition,
    statement: "let adaptively chosen mechanisms have D_alpha ≤ τ_t(α) given the past answers at \
        each order of a list, let S_t be the sum of the τ(α) up to t, and ε_t the least over the \
        list of S_t + ln(1 − 1/α) − (ln(w·δ) + ln α)/(α − 1), with weights w > 0 of sum 1: who \
        stops at a t that what was seen decides has P(E) ≤ E_Q[e^(ε_t); E] + δ for every event E, \
        hence P(E) ≤ e^c·Q(E) + δ where ε_t ≤ c on E",
    hypotheses: "α > 1, 0 < δ ≤ 1; finitely many mechanisms; orders, weights and δ fixed \
        beforehand; choices and stops depend on the past answers only",
    rests_on: &["acc-composed", "acc-renyi-filter"],
    by_hand: &[
        "Under P, e^((α−1)(L_t − S_t)) has mean at most 1 at the stop: given the past a step \
            multiplies it by (p/q)^(α−1)·e^(−(α−1)τ), of mean at most 1, as the mean of \
            (p/q)^(α−1) under P is that of (p/q)^α under Q, and τ is known before the answer.",
        "P(E) − E_Q[e^ε; E] is at most the mean of (1 − e^(ε−L))₊ under P, L being infinite where \
            Q is 0; for the ε_α of one order, (1 − u)₊ ≤ u^(1−α)·(1−1/α)^(α−1)/α bounds it by w·δ: \
            by the identity, that is the factor that the mean at most 1 has.",
        "For the least of several ε_α it is the largest of their values, at most their sum; the \
            weights sum to 1.",
    ],
    check: |check| {
        let times = Poly::from(check.constant("factor of ln α", 1));
        let [s, l, m, d] = ["S", "l", "m", "d"].map(Poly::var);
        let (b, inverse) = (Poly::var("b"), Poly::power("b", -1));
        let epsilon = &s + &l - (&d + times * &m) * inverse;
        Steps::new()
            .positive(&["b", "m"])
            .equal(
                "logarithm of an order's share of δ",
                &b * (&s - &epsilon) + &b * &l - &m,
                &d,
            )
            .proved_on("all lists of orders, all 0 < δ ≤ 1")
    },
};

/// Outcomes of a mechanism: their probabilities on either neighbour.
type Outcomes = Vec<(Rational, Rational)>;

/// Randomised response of these odds.
fn response(odds: u32) -> Outcomes {
    let (most, least) = (
        ratio(odds.into(), u64::from(odds) + 1),
        ratio(1, u64::from(odds) + 1),
    );
    vec![(most.clone(), least.clone()), (least, most)]
}

/// A mechanism that names its data with probability 1/4 and otherwise says nothing.
fn leak() -> Outcomes {
    vec![
        (ratio(3, 4), ratio(3, 4)),
        (ratio(1, 4), ratio(0, 1)),
        (ratio(0, 1), ratio(1, 4)),
    ]
}

/// Σ (p − aq)₊ over the outcomes of `first` and of what follows each, with the level a that it is asked for.
fn run(first: &Outcomes, after: [(&Outcomes, u32); 2]) -> Rational {
    let answers = first.iter().zip(after);
    let outcomes = answers.flat_map(|((p, q), (second, level))| {
        second.iter().map(move |(r, s)| {
            let gap = Rational::from(p * r) - Rational::from(q * s) * level;
            gap.max(Rational::new())
        })
    });
    outcomes.sum()
}

/// `acc-curve-filter`. By `acc-gdp` profiles say what trade-off curves say. Rational numbers throughout.
pub const CURVE_FILTER: Claim = Claim {
    id: "acc-curve-filter",
    place: "the question of arXiv 2602.06756; the example is derived here",
    kind: Kind::Composition,
    statement: "who stops when the composed profiles of the mechanisms chosen so far would pass a \
        budget h need not stay within h: after a randomised response of odds 3, one of odds 2 is \
        run on one answer, and what leaks with probability 1/4 on the other; either composition \
        alone has H_3 = 1/4, the run has 5/4 of that",
    hypotheses: "h is the greater of both compositions' profiles, so that the filter admits either \
        second mechanism after any answer",
    by_hand: &[
        "The greater of two profiles is convex in e^ε, falls from 1, and is the profile of a pair \
            (Zhu, Dong and Wang 2022): a budget like any other.",
        "The filter looks at the mechanisms chosen, not at the answer that chose them; the run \
            takes at each answer what loses most at the level that is left.",
    ],
    check: |check| {
        let factor = check.constant("profile of the run over the budget at level 3", ratio(5, 4));
        let (first, second, leak) = (response(3), response(2), leak());
        let run = |after: [&Outcomes; 2]| run(&first, after.map(|second| (second, 3)));
        let budget = run([&second, &second]).max(run([&leak, &leak]));
        passes(budget, run([&second, &leak]), factor)
    },
    ..Claim::ALONE
};

/// `acc-read-off`: the mechanisms are fixed, the time of the stop is not.
pub const READ_OFF: Claim = Claim {
    id: "acc-read-off",
    place: "derived here",
    kind: Kind::Composition,
    statement: "who stops a fixed list of mechanisms when what was seen suggests it, and then \
        quotes the ε of the part that was run, need not have it: at δ = 1/4 a randomised response \
        of odds 3 has e^ε = 2, and 3 with what leaks with probability 1/4 after it; who goes on \
        only after the answer that is less likely on P has 5/4 of δ",
    hypotheses: "the list and its order are fixed beforehand, and each part is quoted at its own \
        least ε; δ is the least bound of P(E) − E_Q[e^ε; E]",
    by_hand: &[
        "The largest P(E) − E_Q[e^ε; E] is the sum of (p − e^ε·q)₊ over the outcomes of the \
            stopped run.",
    ],
    check: |check| {
        let factor = check.constant("δ of the stopped run over that quoted", ratio(5, 4));
        let (first, leak) = (response(3), leak());
        let nothing = vec![(ratio(1, 1), ratio(1, 1))];
        let part = run(&first, [(&nothing, 2), (&nothing, 2)]);
        let whole = run(&first, [(&leak, 3), (&leak, 3)]);
        passes(
            part.max(whole),
            run(&first, [(&nothing, 2), (&leak, 3)]),
            factor,
        )
    },
    ..Claim::ALONE
};

/// That a run loses more than its budget, and how many times as much.
fn passes(budget: Rational, lost: Rational, factor: Rational) -> Verdict {
    let [budget, lost] = [budget, lost].map(Poly::from);
    Steps::new()
        .at_most("the budget is passed", &budget, &lost)
        .equal("by how much", &lost, Poly::from(factor) * &budget)
        .proved_on("the mechanisms named")
}
