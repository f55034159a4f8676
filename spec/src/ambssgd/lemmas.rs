//! Lemmas that the proofs use without a number.

use crate::arith::algebra::Steps;
use crate::arith::{Interval, Poly, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::Argument;

/// The lemmas.
pub(super) const CLAIMS: [Claim; 6] = [
    LEM_EXP,
    LEM_GEOMETRIC,
    LEM_OPERATOR,
    LEM_TAIL_AVERAGE,
    LEM_GAUSSIAN_TAIL,
    LEM_COUNT,
];

/// `ambssgd-lem-exp`. The remainder of the second order is y²·Σ_{k≥2} y^{k−2}/k! ≤ y²(e − 2) on \[0, 1\].
pub const LEM_EXP: Claim = Claim {
    id: "ambssgd-lem-exp",
    place: "used in eq. (7) and for Definition 2.1",
    kind: Kind::PathwiseInequality,
    statement: "1 + y ≤ e^y for all y, and e^y ≤ 1 + y + y² for y in [0, 1]",
    hypotheses: "none",
    check: by_kernel,
    ..Claim::ALONE
};

/// `ambssgd-lem-geometric`. (1 + x)e^{−x} ≤ 1, the tangent of the exponential, rearranged; and the
/// sharper lower bound 1/x ≤ 1/(1 − e^{−x}).
pub const LEM_GEOMETRIC: Claim = Claim {
    id: "ambssgd-lem-geometric",
    place: "used in (15)–(17) and (21)–(24)",
    kind: Kind::PathwiseInequality,
    statement: "1/x ≤ 1/(1 − e^{−x}) ≤ 1 + 1/x for x > 0",
    hypotheses: "none",
    rests_on: &["ambssgd-lem-exp"],
    by_hand: &[],
    check: by_kernel,
};

/// `ambssgd-lem-operator`. With p = ηR_x²/b, q = η(b−1)‖H‖/b, p + q ≤ 1 and 𝒯 = 𝒯_b:
/// ⟨V, 𝓜V⟩ = E(xᵀVx)² ≤ E‖x‖²‖Vx‖² ≤ R_x²·Tr(HV²) and Tr(VHVH) ≤ ‖H‖·Tr(HV²), so
/// ⟨V, 𝒯V⟩ ≥ (2 − p − q)Tr(HV²) ≥ ½⟨V, (ℋ_L + ℋ_R)V⟩ and ⟨I, 𝒯⁻¹I⟩ ≤ 2⟨I, (ℋ_L + ℋ_R)⁻¹I⟩ = Tr(H⁻¹).
/// And 𝒯I = 2H − (η/b)E‖x‖²xxᵀ − η((b−1)/b)H² ⪰ (2 − p − q)H ⪰ H, where 𝒯⁻¹ is a sum of positive
/// maps, so 𝒯⁻¹H ⪯ I.
pub const LEM_OPERATOR: Claim = Claim {
    id: "ambssgd-lem-operator",
    place: "used for Lemma B.4, (59) and Lemma 3.11",
    kind: Kind::PathwiseInequality,
    statement: "for η ≤ b/(R_x² + (b−1)‖H‖): 𝒯_b⁻¹H ⪯ I and Tr(𝒯_b⁻¹I) ≤ Tr(H⁻¹)",
    hypotheses: "definition of R_x, μ > 0",
    rests_on: &["ambssgd-def-Rx"],
    by_hand: &[
        "⟨V, MV⟩ ≤ R_x²Tr(HV²), Tr(VHVH) ≤ ‖H‖Tr(HV²) by Cauchy–Schwarz",
        "the order of positive quadratic forms is reversed by inversion",
        "𝒯⁻¹ is a positive map",
    ],
    check: lem_operator,
};

fn lem_operator(c: &Check) -> Verdict {
    let step = Poly::from(c.constant("largest step in units of b/(R_x²+(b−1)‖H‖)", 1));
    // p + q = step − slack; the form of 𝒯 in units of Tr(HV²) and 𝒯I in units of H.
    let two = Poly::from(2);
    let form = &two - (&step - Poly::var("slack"));
    Steps::new()
        .positive(&["slack"])
        .at_most(
            "x = ±1, b = 1, η at its largest: 𝒯1 = 2 − η ≥ 1",
            1,
            &two - &step,
        )
        .suffices("⟨V, 𝒯V⟩ ≥ Tr(HV²), 𝒯I ⪰ H", 1, &form)
        .note("Cauchy's inequality and the inversion of operators are argued in the doc comment.")
        .proved_on("all laws with fourth moments, b ≥ 1, η > 0 up to the bound")
}

/// `ambssgd-lem-tail-average`. For a linear recursion with E\[ω_{t+r}ω_tᵀ\] = (I − ηH)^r V_t,
/// E ω̄ω̄ᵀ of n iterates is at most (1/n²)Σ_t Σ_{r≥0} of both orders minus the doubled diagonal, and
/// HΣ_r(I − ηH)^r = 1/η: ½E‖ω̄‖²_H ≤ (1/(ηn²))Σ_t Tr(V_t). Checked in one coordinate for n = 1 … 4 with
/// equal V_t, where the exact sum over pairs is compared.
pub const LEM_TAIL_AVERAGE: Claim = Claim {
    id: "ambssgd-lem-tail-average",
    place: "used in Lemma A.8, (54)–(56) and Lemma B.3",
    kind: Kind::ExpectationBound,
    statement: "½E‖ω̄‖²_H ≤ (1/(ηn²))·Σ_t Tr(E[ω_tω_tᵀ]) for the average of n consecutive iterates",
    hypotheses: "E[ω_{t+r}ω_tᵀ] = (I − ηH)^r E[ω_tω_tᵀ], 0 < η‖H‖ ≤ 1",
    rests_on: &[],
    by_hand: &[
        "the double sum telescopes for every n (computed for n ≤ 4)",
        "reduction to one coordinate",
        "with unequal V_t each contributes HΣ_r(I−ηH)^r ⪯ 1/η",
    ],
    check: lem_tail_average,
};

fn lem_tail_average(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of the sum of traces", 1));
    // n = 4, q = 1/10: ½(1 − q)ΣΣ q^{|i−j|} = 4·(1 + q)/2 − Σ q^r = 2.2 − 0.1111.
    let exact = Poly::from(ratio(22, 10) - ratio(1111, 10_000));
    let mut steps = Steps::new().at_most("n = 4, ηh = 9/10", &exact, 4 * &factor);
    // x = ηh, q = 1 − x ≥ 0, in units of V/η: ½·x·(1/n²)·ΣΣ q^{|i−j|} ≤ factor·(1/n²)·n.
    for n in 1..=4_i32 {
        let q = Poly::var("q");
        let x = 1 - &q;
        let pairs: Poly = (0..n)
            .flat_map(|i| (0..n).map(move |j| Poly::power("q", (i - j).abs())))
            .sum();
        // x·(n + 2Σ_{r<n}(n−r)q^r)/2 = n − n·x/2 − Σ_{r=1}^{n} q^r, by telescoping.
        let telescoped = Poly::from(n)
            - Poly::from(ratio(i64::from(n), 2)) * &x
            - (1..=n).map(|r| Poly::power("q", r)).sum::<Poly>();
        let left = ratio(1, 2) * &x * pairs;
        steps = steps
            .positive(&["q"])
            .equal("the double sum telescopes", &left, &telescoped)
            .positive(&["x"])
            .suffices(
                "n − n(1−q)/2 − Σ q^r ≤ n with 1 − q = x",
                Poly::from(n)
                    - Poly::from(ratio(i64::from(n), 2)) * Poly::var("x")
                    - (1..=n).map(|r| Poly::power("q", r)).sum::<Poly>(),
                &factor * Poly::from(n),
            );
    }
    steps
        .note(
            "Telescoping is checked for n ≤ 4; in general each V_t contributes HΣ_{r}(I−ηH)^r ⪯ \
                1/η twice, less its diagonal.",
        )
        .proved_on("all n ≥ 1 and V_t")
}

/// `ambssgd-lem-gaussian-tail`. For g̃ ~ N(0, Q): E\[exp((3/8)‖g̃‖²/Tr Q)\] ≤ 2 as in
/// `ambssgd-fact-tail-gauss-repaired`, so P(‖g̃‖² > (8/3)Tr(Q)·log(2/β)) ≤ β.
pub const LEM_GAUSSIAN_TAIL: Claim = Claim {
    id: "ambssgd-lem-gaussian-tail",
    place: "used for (18)",
    kind: Kind::HighProbability,
    statement: "g̃ ~ N(0, Q): ‖g̃‖² ≤ (8/3)·Tr(Q)·log(2/β) with probability ≥ 1 − β",
    hypotheses: "Q positive semidefinite, β in (0, 1)",
    rests_on: &["ambssgd-fact-tail-gauss-repaired"],
    by_hand: &[
        "E exp((3/8)‖g̃‖²/Tr Q) ≤ 2, as in ambssgd-fact-tail-gauss-repaired",
        "Markov's inequality",
    ],
    check: lem_gaussian_tail,
};

fn lem_gaussian_tail(c: &Check) -> Verdict {
    let factor = c.constant("factor of Tr(Q)·log(2/β)", ratio(8, 3));
    // One dimension, β = 10⁻⁶: the exact tail erfc(√(factor·log(2/β)/2)).
    let beta = Interval::from_rational(&ratio(1, 1_000_000));
    let level = (Interval::from(2) / &beta).ln();
    let tail = (Interval::from_rational(&(factor.clone() * ratio(1, 2))) * level)
        .sqrt()
        .erfc();
    let fails = beta.certainly_lt(&tail);
    Argument::new(c)
        .states_that("d = 1, β = 10⁻⁶", !fails, || {
            format!("the tail is in {tail}, more than β = 10⁻⁶")
        })
        .needs_that("2·(β/2)^{3·factor/8} ≤ β", factor * ratio(3, 8) >= 1)
        .proved_on("all Q, β in (0, 1)")
}

/// `ambssgd-lem-count`, a theorem of the kernel.
pub const LEM_COUNT: Claim = Claim {
    id: "ambssgd-lem-count",
    place: "used for Theorem 3.7, corrected",
    kind: Kind::HighProbability,
    statement: "of s independent draws of one law, each of which is in a set with probability ≥ \
        1/2, s/4 or fewer are in it with probability ≤ e^{−s/8}",
    hypotheses: "any law and set, s ≥ 1",
    check: by_kernel,
    ..Claim::ALONE
};
