//! Theorem 5: the private choice of an iterate and its privacy.

use super::adaptive_privacy::spends_at_most;
use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 9] = [
    MECH_TSTAR,
    MECH_T,
    THM_5_PRIV,
    THM_5_PRIV_READING_OUTPUT,
    THM_5_PRIV_PROOF,
    THM_5_PRIV_PROOF_READING_ZERO_OUT,
    THM_5_PRIV_READING_INSIDE_ZERO_OUT,
    THM_5_PRIV_REPAIRED_ZERO_OUT,
    THM_5_PRIV_REPAIRED,
];

/// `kl-mech-tstar`. The weights are positive and finite, T is finite (`kl-alg-3-repaired`), so that there is a law. The
/// logarithm of its ratio for two neighbours varies over the candidates by at most the coefficient times twice
/// the largest shift of a norm.
pub const MECH_TSTAR: Claim = Claim {
    id: "kl-mech-tstar",
    place: "Sec. 5.1, Theorem 5",
    kind: Kind::MechanismPrivacy,
    statement: "draw t* from {0, …, T} with probability proportional to exp(-(n √(ρ)/(2L_0))|∇ \
        F(w_t;S)|); given the iterates this is a law, and (ρ/2)-zCDP",
    hypotheses: "f(·;x) L_0-Lipschitz on R^d, ρ > 0, T finite; replace-one",
    rests_on: &["kl-red-range", "kl-lem-8-grad-repaired"],
    by_hand: &[],
    check: by_kernel,
};

/// `kl-mech-t`: the same draw in the convergence proof, where t* is from {1, …, T}.
pub const MECH_T: Claim = Claim {
    id: "kl-mech-t",
    kind: Kind::Algorithm,
    place: "App. D.6, proof of convergence",
    statement: "t* in [T] = {1, …, T} is drawn by the same weights",
    hypotheses: "Algorithm 3 has run for t = 0, …, T",
    rests_on: &[],
    check: |c| {
        let first = c.constant("first index of the draw", 1);
        // n√ρ = 1: the charge of round 0 is at least √ρ/n = ρ > ρ/2, so that the run has T = 0.
        let rounds = (1..=3).find(|r| *r > ratio(1, 2)).unwrap_or(3);
        let last = Rational::from(rounds - 1);
        Argument::new(c)
            .repaired("kl-mech-tstar")
            .states_that("n √(ρ) = 1", first <= last, || {
                format!("n √(ρ) = 1: the run ends with T = {last}, no index t ≥ {first} exists")
            })
            .open_for("only n √(ρ) = 1 was tried")
    },
    by_hand: &[],
};

/// `kl-thm-5-priv`: the iterates are released, so the pair of `kl-thm-3` refutes it.
pub const THM_5_PRIV: Claim = Claim {
    id: "kl-thm-5-priv",
    place: "Sec. 5.1, Theorem 5, as read in App. D.6, privacy proof",
    kind: Kind::MechanismPrivacy,
    statement: "Algorithm 3, releasing w_0, …, w_T as App. D.6 does, followed by the draw of t*, \
        is (2 ρ)-zCDP",
    hypotheses: "f L_0-Lipschitz; scalar noise on the norm; replace-one or zero-out; Theorem 5 \
        says it of \"this algorithm\", and Algorithm 3 names no output",
    rests_on: &["kl-red-event"],
    check: |c| {
        let total = c.constant("total in units of ρ", 2);
        spends_at_most(c, &total)
            .repaired("kl-thm-5-priv-repaired")
            .open_for("no upper bound exists")
    },
    by_hand: &[],
};

/// `kl-thm-5-priv-reading-output`: the output that the utility part of Theorem 5 is about.
pub const THM_5_PRIV_READING_OUTPUT: Claim = Claim {
    id: "kl-thm-5-priv-reading-output",
    place: "Sec. 5.1, Theorem 5, with the output of its utility part",
    statement: "Algorithm 3 followed by the draw of t*, releasing w_{t*} alone, is (2 ρ)-zCDP",
    hypotheses: "f L_0-Lipschitz; scalar noise on the norm; replace-one or zero-out",
    check: |_| {
        Verdict::open(
            "the signs of thousands of steps refute it of all iterates (kl-thm-5-priv); missing: \
                the law of w_{t*} alone under two datasets",
        )
    },
    ..THM_5_PRIV
};

/// `kl-thm-5-priv-proof`. One candidate rises by L₀/n and the other falls by as much against a common point, the
/// first being 6L₀/(n√ρ) above: f(w;x) = xh(w) with h′ = ±L₀ at the two iterates.
pub const THM_5_PRIV_PROOF: Claim = Claim {
    id: "kl-thm-5-priv-proof",
    place: "App. D.6, privacy proof",
    kind: Kind::MechanismPrivacy,
    statement: "given the iterates, the draw of t* is (√(ρ), 0)-DP",
    hypotheses: "f L_0-Lipschitz at the iterates; replace-one",
    rests_on: &[],
    check: |c| {
        let factor = c.constant("ε in units of √(ρ)", 1);
        // ρ = 1, c = n/(2L₀): c times the scores (A ± δ, ∓δ), with cδ = 1/2 and cA = 3.
        let exp = |x: i64| Interval::from_rational(&ratio(x, 2)).exp();
        let share = |own: i64, other: i64| exp(-own) / (exp(-own) + exp(-other));
        let loss = (share(5, 1) / share(7, -1)).ln();
        let holds = !Interval::from_rational(&factor).certainly_lt(&loss);
        Argument::new(c)
            .repaired("kl-mech-tstar")
            .states_that("two candidates in 128-bit intervals", holds, || {
                format!(
                    "ρ = 1, scores, counted from a common norm of at least L_0/n, of 3 ± 1/2 and ∓ \
                        1/2 in units of 2L_0/n: the loss of the first candidate is {loss}, more \
                        than {factor}"
                )
            })
            .open_for("two candidates only")
    },
    by_hand: &[],
};

/// `kl-thm-5-priv-proof-reading-zero-out`: norms move by at most L₀/n, each candidate's loss by twice the
/// coefficient times that.
pub const THM_5_PRIV_PROOF_READING_ZERO_OUT: Claim = Claim {
    id: "kl-thm-5-priv-proof-reading-zero-out",
    hypotheses: "f(·;x) L_0-Lipschitz on R^d; zero-out",
    check: by_kernel,
    ..THM_5_PRIV_PROOF
};

/// At most 1/4 + 1/4 for the iterates and 1/8 for the draw, under zero-out.
fn zero_out_total(check: &Check, name: &str) -> Verdict {
    let total = check.constant("total in units of ρ", 2);
    let (domain, v) = Domain::of("1/(n √(ρ))", open(0), closed(ratio(1, 2)));
    let sum = Forall::le(domain, ratio(1, 4) + v / 2 + ratio(1, 8), Expr::from(total));
    Argument::new(check)
        .states(name, &sum)
        .proved_on("n √(ρ) ≥ 1, all losses of the hypotheses")
}

/// `kl-thm-5-priv-reading-inside-zero-out`.
pub const THM_5_PRIV_READING_INSIDE_ZERO_OUT: Claim = Claim {
    id: "kl-thm-5-priv-reading-inside-zero-out",
    hypotheses: "N_t = |∇ F(w_t) + noise| with d-dimensional noise; f L_0-Lipschitz; zero-out; n \
        √(ρ) ≥ 1",
    rests_on: &["kl-thm-3-reading-inside-zero-out", "kl-red-range"],
    check: |c| zero_out_total(c, "kl-thm-5-priv-reading-inside-zero-out"),
    ..THM_5_PRIV
};

/// `kl-thm-5-priv-repaired-zero-out`.
pub const THM_5_PRIV_REPAIRED_ZERO_OUT: Claim = Claim {
    id: "kl-thm-5-priv-repaired-zero-out",
    statement: "Algorithm 3, with the charge at its cap when N_t ≤ 0, followed by the draw of t*, \
        is (2 ρ)-zCDP",
    hypotheses: "f L_0-Lipschitz; scalar noise on the norm; zero-out; n √(ρ) ≥ 1",
    rests_on: &["kl-thm-3-repaired-zero-out", "kl-red-range"],
    check: |c| zero_out_total(c, "kl-thm-5-priv-repaired-zero-out"),
    ..THM_5_PRIV
};

/// `kl-thm-5-priv-repaired`: with the noise as printed; 1 + 2v for the iterates and 1/2 for the draw.
pub const THM_5_PRIV_REPAIRED: Claim = Claim {
    id: "kl-thm-5-priv-repaired",
    statement: "Algorithm 3, with the charge at its cap when N_t ≤ 0, followed by the draw of t*, \
        is (2 ρ)-zCDP",
    hypotheses: "f L_0-Lipschitz; scalar noise on the norm; n √(ρ) ≥ 4; replace-one",
    rests_on: &["kl-thm-3-repaired", "kl-mech-tstar"],
    check: |c| {
        let total = c.constant("total in units of ρ", 2);
        let least = c.constant("least n √(ρ)", 4);
        let (domain, y) = Domain::of("n √(ρ)", closed(least), infinite());
        let sum = Forall::le(domain, 1 + 2 / y + ratio(1, 2), Expr::from(total));
        Argument::new(c)
            .states("kl-thm-5-priv-repaired", &sum)
            .note(
                "noise ratio 1; what changes is the charge of N_t ≤ 0, without which no constant \
                    suffices",
            )
            .proved_on("n √(ρ) ≥ 4, all losses of the hypotheses")
    },
    ..THM_5_PRIV
};
