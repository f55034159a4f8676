//! Section 3 and Appendix B.2: descent of Algorithm 1, and how the phases add up.
//!
//! Units: a = L₁·‖step‖ = Φ̂_k^{1/κ}/(4γ), so that Φ̂_k^{2/κ}/(γ²L₁) = 16a²/L₁ and the norm test is N ≥ (7/2)a.

use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 9] = [
    LEM_9,
    THM_1_STEP,
    THM_1_STOP,
    THM_1_PHASE,
    THM_1_PHASE_REPAIRED,
    THM_1_PHASE_READING_CARRY,
    THM_1_K,
    THM_1_K_READING_FLOOR,
    THM_1_K_REPAIRED,
];

/// `kl-lem-9`, with probability one. In units of a²/L₁ smoothness gives a decrease of at least N − e − ½ for an estimate
/// of norm N with error e; and e − e²/4 ≤ 1. Attained by the quadratic (L₁/2)w² with e along the gradient.
pub const LEM_9: Claim = Claim {
    id: "kl-lem-9",
    place: "App. B.2, Lemma 9",
    kind: Kind::PathwiseInequality,
    statement: "F(w_{k,t}) - F(w_{k,t+1}) ≥ |∇_{k,t}| Φ_k^{1/κ}/(16 γ L_1) - |∇_{k,t} - ∇ \
        F(w_{k,t})|^2/(4 L_1)",
    hypotheses: "F L_1-smooth on the segment; an update was made at (k, t)",
    check: |c| {
        let factor = c.constant("factor of |grad| Φ_k^{1/κ}/(γ L_1)", ratio(1, 16));
        let [error] = symbols();
        let mut domain = Domain::new();
        let norm = domain.at_least("N", ratio(7, 2));
        // Over N: 4·factor ≤ 1 − (1 + ½)/N.
        let left = Expr::from(factor * 4);
        Argument::new(c)
            .needs_identity(
                "e - e^2/4",
                &error - error.square() / 4,
                1 - (&error / 2 - 1).square(),
            )
            .states(
                "kl-lem-9",
                &Forall::le(domain, left, 1 - ratio(3, 2) / norm),
            )
            .proved_on("all smooth F, all errors, γ, L_1 > 0")
    },
    by_hand: &[],
    ..Claim::ALONE
};

/// `kl-thm-1-step`. With e ≤ ½ (Lemma 2) the decrease is at least 7/2 − 1/2 − 1/2 = 5/2 units of a²/L₁, that is
/// (5/32)Φ̂_k^{2/κ}/(γ²L₁); the printed chain keeps 1/64 of it.
pub const THM_1_STEP: Claim = Claim {
    id: "kl-thm-1-step",
    place: "Sec. 3, proof of Theorem 1",
    kind: Kind::PathwiseInequality,
    statement: "F(w_{k,t}) - F(w_{k,t+1}) ≥ (1/32 - 1/256) Φ_k^{2/κ}/(γ^2 L_1) ≥ Φ_k^{2/κ}/(64 γ^2 \
        L_1)",
    hypotheses: "error at most Φ_k^{1/κ}/(8 γ); an update was made",
    rests_on: &["kl-lem-9"],
    check: |c| {
        let last = c.constant("factor of Φ_k^{2/κ}/(γ^2 L_1)", ratio(1, 64));
        let mut domain = Domain::new();
        let norm = domain.real("N", closed(ratio(7, 2)), infinite());
        let error = domain.real("e", closed(0), closed(ratio(1, 2)));
        let middle = ratio(1, 32) - ratio(1, 256);
        let least = Forall::le(
            domain,
            Rational::from(&middle * 16),
            norm - error - ratio(1, 2),
        );
        Argument::new(c)
            .states("kl-thm-1-step", &least)
            .states_that(
                "1/32 - 1/256 against the last factor",
                last <= middle,
                || format!("1/32 - 1/256 = {middle} < {last}"),
            )
            .proved_on("all smooth F, γ, L_1 > 0")
    },
    by_hand: &[],
};

/// `kl-thm-1-stop`: at w_{k,t}, the iterate at which the norm test failed. Line 17 carries w_{k,t−1}.
pub const THM_1_STOP: Claim = Claim {
    id: "kl-thm-1-stop",
    place: "Sec. 3, proof of Theorem 1",
    kind: Kind::PathwiseInequality,
    statement: "F(w_{k,t}) - F(w*) ≤ Φ_k",
    hypotheses: "norm test fails at t; error at most Φ_k^{1/κ}/(8 γ); KL* at w_{k,t}",
    check: |c| {
        let factor = c.constant("factor of Φ_k^{1/κ}/γ", 1);
        let mut domain = Domain::new();
        let norm = domain.real("|grad_{k,t}| γ/Φ_k^{1/κ}", closed(0), closed(ratio(7, 8)));
        let error = domain.real("error times γ/Φ_k^{1/κ}", closed(0), closed(ratio(1, 8)));
        Argument::new(c)
            .states("kl-thm-1-stop", &Forall::le(domain, norm + error, factor))
            .note("|∇F| γ/Φ_k^{1/κ} ≤ 1, to the power κ")
            .proved_on("all κ ≥ 1, γ, Φ_k > 0")
    },
    by_hand: &[],
    ..Claim::ALONE
};

/// `kl-thm-1-phase`. F = w²: κ = 2, γ = ½, L₁ = 2, c = 33/32; exact gradients, Φ̂₀ = cp and Φ̂₁ =
/// p. The norm passes at w and not after one step of length √p/(4γL₁), so t = 1 and line 17 carries
/// w. Errors within the bound change nothing of that but the second test, which with little noise
/// fails as well.
pub const THM_1_PHASE: Claim = Claim {
    id: "kl-thm-1-phase",
    place: "Sec. 3, proof of Theorem 1",
    kind: Kind::PathwiseInequality,
    statement: "if F(w_{k,0}) - F* ≤ Φ_{k-1} then F(w_{k+1,0}) - F* ≤ Φ_k",
    hypotheses: "w_{k+1,0} = w_{k,t-1}; errors at most Φ_k^{1/κ}/(8 γ); KL* and smoothness",
    check: by_kernel,
    ..Claim::ALONE
};

/// `kl-thm-1-phase-repaired`. Norm test failed: `kl-thm-1-stop`. Otherwise ⌊T_k⌋ + 1 ≥ T_k steps of `kl-thm-1-step`
/// take off T_kΦ̂_k^{2/κ}/(64γ²L₁) = (c−1)Φ̂_k, and Φ̂_{k−1} ≤ cΦ̂_k. A noise-free quadratic with T_k = 1 ends above the
/// target if the divisor in c is below 8/5: then u = 1/√c < 2/3 and both tests of the round pass.
pub const THM_1_PHASE_REPAIRED: Claim = Claim {
    id: "kl-thm-1-phase-repaired",
    hypotheses: "w_{k+1,0} = w_{k,t}; errors at most Φ_k^{1/κ}/(8 γ) for t = 0…floor(T_k)+1; KL* \
        and smoothness",
    rests_on: &["kl-thm-1-stop", "kl-thm-1-step", "kl-par-alg-1"],
    check: thm_1_phase_repaired,
    by_hand: &[],
    ..THM_1_PHASE
};

fn thm_1_phase_repaired(check: &Check) -> Verdict {
    let divisor = check.constant("divisor in c", 64);
    let [kappa, ln_start, ln_phi] = symbols();
    let exponent = (2 - &kappa) / &kappa;
    let length = &exponent * (&ln_start - &ln_phi);
    let mut steps = Domain::new();
    let whole = steps.integer_from("floor(T_k)", 1);
    let rest = steps.real("T_k - floor(T_k)", closed(0), closed(1));
    let (phase, step) = Domain::of("F_0^{(2-κ)/κ}/(γ^2 L_1)", open(0), infinite());
    let reciprocal = Rational::from(1) / &divisor;
    let better = ratio(1, 64) - reciprocal.clone();
    let telescope =
        Forall::le(phase, reciprocal * &step, ratio(1, 64) * &step).factored(step, better);
    Argument::new(check)
        .states_that(
            "noise-free quadratic, γ^2 L_1 = 1/2, T_k = 1",
            divisor >= ratio(8, 5),
            || {
                format!(
                    "c = 1 + 2/{divisor} > 9/4: after two steps the excess (1 - u/2)^2 F_0 is \
                        above Φ_1 = u^2 F_0"
                )
            },
        )
        .needs(
            "kl-thm-1-phase-repaired/steps",
            &Forall::le(steps, &whole + &rest, whole + 1),
        )
        .needs_identity(
            "T_k Φ_k^{2/κ} = F_0^{(2-κ)/κ} Φ_k",
            length + 2 * &ln_phi / &kappa,
            &exponent * &ln_start + &ln_phi,
        )
        .needs("kl-thm-1-phase-repaired/telescope", &telescope)
        .proved_on("all 1 ≤ κ ≤ 2, T_k ≥ 1, positive inputs")
}

/// `kl-thm-1-phase-reading-carry`: line 17 as printed, w_{k,−1} read as w_{k,0}. g = Φ̂_k^{1/κ}/γ, steps of length ℓ = g/(4L₁). At a stop
/// ‖∇F‖ ≤ g (`kl-thm-1-stop`), and one step back it is at most g + L₁ℓ. Else ⌊T_k⌋ ≥ T_k/2 steps each take off
/// ℓ(7/8 − 1/8)g − L₁ℓ²/2 = (5/32)g²/L₁, together 5(c−1)Φ̂_k, while the start exceeds (5/4)^κΦ̂_k by at most (5/4)^κ(c−1)Φ̂_k. F = L₁w²/2
/// with γ² = 1/(2L₁) and the error g/8 at the stop attains (5/4)²Φ̂_k.
pub const THM_1_PHASE_READING_CARRY: Claim = Claim {
    id: "kl-thm-1-phase-reading-carry",
    statement: "if F(w_{k,0}) - F(w*) ≤ (5/4)^κ Φ_{k-1}, then what round k ends with has an excess \
        of at most (5/4)^κ Φ_k",
    hypotheses: "w_{k+1,0} = w_{k,t-1} of line 17, w_{k,-1} = w_{k,0}; errors at most Φ_k^{1/κ}/(8 \
        γ); KL* and smoothness; a round that stops is continued to floor(T_k) + 1 steps",
    rests_on: &["kl-lem-9", "kl-thm-1-stop", "kl-par-alg-1"],
    check: |c| {
        let base = c.constant("base of the power", ratio(5, 4));
        let [g, l] = symbols();
        let length = &g / (4 * &l);
        let gain = ratio(3, 4) * &g * &length - &l * length.square() / 2;
        let mut steps = Domain::new();
        let whole = steps.integer_from("floor(T_k)", 1);
        let rest = steps.real("T_k - floor(T_k)", closed(0), closed(1));
        Argument::new(c)
            .states_that(
                "F = L_1 w^2/2, κ = 2, one step back",
                base >= ratio(5, 4),
                || {
                    format!(
                        "F = L_1 w^2/2, γ^2 = 1/(2L_1), error g/8 at the stop: excess (5/4)^2 Φ_k \
                            above ({base})^2 Φ_k"
                    )
                },
            )
            .needs_identity("gain of a step", &gain, ratio(5, 32) * g.square() / &l)
            .needs(
                "kl-thm-1-phase-reading-carry",
                &Forall::le(steps, &whole + rest, 2 * &whole),
            )
            .needs_that(
                "(5/4)^κ (c-1) ≤ 5(c-1) for κ ≤ 2",
                Rational::from(&base * &base) <= 64 * ratio(5, 64),
            )
            .proved_on("all 1 ≤ κ ≤ 2, T_k ≥ 1, positive inputs")
    },
    by_hand: &[],
    ..THM_1_PHASE
};

/// `kl-thm-1-K`. With x = c − 1, K·log c ≥ M for K = (1 + 1/x)M is (x + 1)·log(1 + x) ≥ x; in u = log(1+x) the printed
/// log(1+x) ≥ x/(1+x) is u ≥ 1 − e^{−u}. K counted as a real number of rounds.
pub const THM_1_K: Claim = Claim {
    id: "kl-thm-1-K",
    place: "Sec. 3, end of the proof of Theorem 1",
    kind: Kind::Calibration,
    statement: "c^{-K} F_0 ≤ (γ L_0 √(d)/(n √(ρ)))^κ for the K of line 3",
    hypotheses: "K > 0",
    check: thm_1_k,
    ..Claim::ALONE
};

fn thm_1_k(check: &Check) -> Verdict {
    let factor = check.constant("factor of F_0^{(κ-2)/κ} γ^2 L_1 in K", 64);
    let (domain, u) = Domain::of("log c", closed(0), infinite());
    // K = (1 + s/x)·M, s = factor/64, x = e^u − 1: (x + s)·u ≥ x, over e^u.
    let share = Expr::from(factor / 64);
    let decay = 1 - (0 - &u).exp();
    let left = (&decay + share * (0 - &u).exp()) * &u;
    let [x] = symbols();
    Argument::new(check)
        .states("kl-thm-1-K", &Forall::le(domain, decay, left))
        .needs_identity("1 + 1/x = (1 + x)/x", 1 + 1 / &x, (1 + &x) / &x)
        .proved_on("all c > 1, K > 0 real")
}

/// `kl-thm-1-K-reading-floor`. `for k = 1, …, K` with real K makes ⌊K⌋ rounds: none for K < 1, while K > 0 says that F₀ is
/// above the target.
pub const THM_1_K_READING_FLOOR: Claim = Claim {
    id: "kl-thm-1-K-reading-floor",
    statement: "c^{-floor(K)} F_0 ≤ (γ L_0 √(d)/(n √(ρ)))^κ",
    check: |c| {
        let factor = c.constant("factor of F_0^{(κ-2)/κ} γ^2 L_1 in K", 64);
        // κ = 2, γ²L₁ = 1/64, log(F₀/target) = 1/4.
        let rounds = (Rational::from(1) + factor / 64) / 4;
        Argument::new(c)
            .repaired("kl-thm-1-K-repaired")
            .states_that("K at log(F_0/target) = 1/4", rounds >= 1, || {
                format!(
                    "κ = 2, γ^2 L_1 = 1/64, F_0 = e^(1/4) target: K = {rounds}, no round, the \
                        target is missed"
                )
            })
            .open_for("one point only")
    },
    ..THM_1_K
};

/// `kl-thm-1-K-repaired`. c > 1, so rounding up only helps; with K ≥ 1 and β′ ≤ 1/3 the target is below the floor of
/// line 6, as 1024·K·log(1/β′) ≥ 1.
pub const THM_1_K_REPAIRED: Claim = Claim {
    id: "kl-thm-1-K-repaired",
    statement: "c^{-ceil(K)} F_0 ≤ (γ L_0 √(d)/(n √(ρ)))^κ ≤ floor of line 6",
    hypotheses: "K > 0 of line 3 rounded up in all its uses, β′ ≤ 1/3",
    rests_on: &["kl-thm-1-K"],
    check: |c| {
        let more = c.constant("least of ceil(K) - K", 0);
        let mut domain = Domain::new();
        let u = domain.real("log c", closed(0), infinite());
        let extra = domain.real("ceil(K) - K", closed(more), infinite());
        let least = Interval::from(1024) * Interval::from(3).ln();
        Argument::new(c)
            .needs_that("1024 log 3 ≥ 1", Interval::from(1).certainly_le(&least))
            .states(
                "kl-thm-1-K-repaired",
                &Forall::le(domain, (0 - u * extra).exp(), 1),
            )
            .proved_on("all c > 1, K > 0")
    },
    ..THM_1_K
};
