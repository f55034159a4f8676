//! Theorem 2: the proximal step, the phases, and what follows.
//!
//! θ^κ is the target (aγL₀√(T d ω)/(n√ρ))^κ, so that the subroutine's accuracy is τ ≤ θ²/(aγ²L̃₁).

use crate::arith::{Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 14] = [
    THM_2_PROX,
    THM_2_PROX_PROOF,
    THM_2_STEP,
    THM_2_PHASE,
    THM_2_PHASE_REPAIRED,
    THM_2_T,
    THM_2_T_PROOF,
    THM_2_T_REPAIRED,
    THM_2,
    THM_2_READING_ALG_4,
    THM_2_PROOF,
    THM_2_REPAIRED,
    THM_2_REPAIRED_RATE,
    THM_2_RATE,
];

/// `kl-thm-2-prox`. F(w_t) ≤ F_t(w_t) ≤ F_t(w_t*) + τ ≤ F(w_{t−1}) − (L̃₁/2)‖w_{t−1} − w_t*‖² + τ by strong convexity, which
/// is twice the printed gain. F = −w²/2 + w with L̃₁ = 1, w_{t−1} = w_t = 0 attains one half.
pub const THM_2_PROX: Claim = Claim {
    id: "kl-thm-2-prox",
    place: "App. C.2, (7) and (8)",
    kind: Kind::PathwiseInequality,
    statement: "|∇ F(w_t*)| = 2L̃_1|w_t* - w_{t-1}| and F(w_{t-1}) - F(w_t) ≥ (L̃_1/4)|w_{t-1} - \
        w_t*|^2 - τ_A",
    hypotheses: "F L̃_1-weakly convex, F_t = F + L̃_1|· - w_{t-1}|^2, F_t(w_t) - F_t(w_t*) ≤ τ_A",
    rests_on: &["kl-fact-sc"],
    by_hand: &[],
    check: by_kernel,
};

/// `kl-thm-2-prox-proof`: "F(w_t) = F_t(w_t)" drops L̃₁‖w_t − w_{t−1}‖²; ≤ is what is true and what is used. F = w, L̃₁ = 1,
/// w_{t−1} = 0, exact subroutine.
pub const THM_2_PROX_PROOF: Claim = Claim {
    id: "kl-thm-2-prox-proof",
    statement: "F(w_t) = F_t(w_t)",
    check: |c| {
        let weight = c.constant("weight of the regulariser", 1);
        let w = ratio(1, 2);
        let value = Rational::from(w.square_ref());
        let regularised = &value + weight * (w - 1_u32).square();
        Argument::new(c)
            .repaired("kl-thm-2-prox")
            .states_that("F = w^2, exact minimiser", regularised == value, || {
                format!(
                    "F = w^2, L~_1 = 1, w_{{t-1}} = 1: w_t = 1/2, {value} = {regularised} fails"
                )
            })
            .open_for("one function")
    },
    by_hand: &[],
    ..THM_2_PROX
};

/// `kl-thm-2-step`, with the universal constant a ≥ 32 (which may always be enlarged).
pub const THM_2_STEP: Claim = Claim {
    id: "kl-thm-2-step",
    place: "App. C.2, after (8)",
    statement: "F(w_{t-1}) - F(w_t) ≥ Φ^{2/κ}/(16 γ^2 L̃_1) - τ_A ≥ Φ^{2/κ}/(32 γ^2 L̃_1)",
    hypotheses: "F(w_t*) - F* ≥ Φ = Φ_t ≥ θ^κ, KL* at w_t*, τ_A ≤ θ^2/(a γ^2 L̃_1), a ≥ 32",
    rests_on: &["kl-thm-2-prox"],
    check: by_kernel,
    by_hand: &[],
    ..THM_2_PROX
};

/// Excess at the point that an accurate subroutine may return, and the target θ^κ. κ = 4, γ = 3/4, F = |w|^{4/3},
/// L̃₁ = 1, w_{t−1} = 0 = w*, F₀ = θ⁴. A subroutine of accuracy τ may return w = v³ with F_t(w) = v⁴ + v⁶ = τ, v = 1/5;
/// θ² = aγ²L̃₁τ.
fn adversary(a: &Rational) -> (Rational, Rational) {
    let excess = ratio(1, 625);
    let tau = &excess + ratio(1, 15_625);
    let square = a * ratio(9, 16) * tau;
    (excess, Rational::from(&square * &square))
}

fn reaches<'a>(check: &'a Check, repaired: &'static str) -> Argument<'a> {
    let a = check.constant("universal constant a", 32);
    let (excess, target) = adversary(&a);
    Argument::new(check).repaired(repaired).states_that(
        "F = |w|^{4/3}, exact",
        excess <= target,
        || {
            format!(
                "κ = 4, γ = 3/4, F = |w|^(4/3), L~_1 = 1, w_{{t-1}} = 0, F_0 = θ^4, a = {a}: w_t = \
                    1/125 has the accuracy τ_A = θ^2/(a γ^2 L~_1), and its excess risk {excess} ≤ \
                    θ^4 = {target} fails (for any a: w_t = v^3, and the ratio of excess and θ^4 \
                    grows like v^-4 as v → 0)"
            )
        },
    )
}

/// `kl-thm-2-phase`. The induction assumes F(w_t*) − F* ≥ Φ̂_t where only F(w_t) − F* > Φ̂_t is known. Near the minimiser
/// the accuracy τ ~ θ² exceeds the target θ^κ when κ > 2 (and when κ = 2 and γ²L̃₁ is small).
pub const THM_2_PHASE: Claim = Claim {
    id: "kl-thm-2-phase",
    place: "App. C.2, induction",
    statement: "F(w_t) - F* ≤ Φ_t for t = 0, …, T, Φ_t = max{Φ_{t-1}/c, min{θ^κ, F_0}}, Φ_0 = F_0",
    hypotheses: "hypotheses of Theorem 2, every call of A has the accuracy τ_A ≤ θ^2/(a γ^2 L̃_1)",
    rests_on: &[],
    check: |c| reaches(c, "kl-thm-2-phase-repaired").open_for("one function"),
    by_hand: &[],
    ..THM_2_PROX
};

/// `kl-thm-2-phase-repaired`. Let u = Φ̂_{t−1}, φ = Φ̂_t, P = F(w_t*) − F*, D = ‖w_t* − w_{t−1}‖ and suppose F(w_t) − F* > φ.
/// Then φ < u − (L̃₁/2)D² + τ and φ < P + L̃₁D² + τ, 2γL̃₁D ≥ P^{1/κ}. By c − 1 = F₀^{(2−κ)/κ}/(32γ²L̃₁), u ≤ F₀, u ≤ cφ and
/// c^{2/κ} ≤ c: u − φ ≤ φ^{2/κ}/(32γ²L̃₁); by the hypothesis c − 1 ≤ 1/8 and τ ≤ 4φ/a. If P ≥ φ/2, (L̃₁/2)D² ≥
/// (φ/2)^{2/κ}/(8γ²L̃₁) ≥ φ^{2/κ}/(16γ²L̃₁), and 1/16 − 1/a ≥ 1/32. Else (L̃₁/2)D² > φ/4 − τ/2, while u − φ ≤ φ/8. The
/// instance is κ = 2, F = w²/2, γ² = 1/2: w_{t−1} = 0, w_t² = τ/(1/2 + L̃₁).
pub const THM_2_PHASE_REPAIRED: Claim = Claim {
    id: "kl-thm-2-phase-repaired",
    hypotheses: "F L̃_1-weakly convex on R^d and (γ, κ)-KL* at the minimisers w_t*, κ ≥ 2; every \
        call of A has the accuracy τ_A ≤ θ^2/(a γ^2 L̃_1); γ^2 L̃_1 θ^{κ-2} ≥ 1/4, θ^κ ≤ F_0, a ≥ \
        48",
    rests_on: &["kl-thm-2-prox"],
    check: phase_repaired,
    by_hand: &[],
    ..THM_2_PHASE
};

fn phase_repaired(check: &Check) -> Verdict {
    let least = check.constant("least γ^2 L~_1 θ^(κ-2)", ratio(1, 4));
    let a = check.constant("least a", 48);
    if a <= 0 {
        return Verdict::open("a negative accuracy");
    }
    let (domain, u) = Domain::of("2/κ", open(0), closed(1));
    // 2^{−2/κ} ≥ 1/2, in logarithms.
    let log = Expr::from(2).ln();
    let power = Forall::le(domain, &u * &log, log.clone()).factored(1 - u, log);
    accurate(Argument::new(check), &a, &least)
        .needs("kl-thm-2-phase-repaired", &power)
        .proved_on("all κ ≥ 2, F of the hypotheses")
}

/// The accuracy θ²/(aγ²L̃₁) is enough where γ²L̃₁θ^{κ−2} is at least `least`.
pub(super) fn accurate<'a>(argument: Argument<'a>, a: &Rational, least: &Rational) -> Argument<'a> {
    // κ = 2, γ² = 1/2, in units of θ²: τ = 2/(aL̃₁), F(w_t) = τ/(1 + 2L̃₁) against 1.
    let tilde = Rational::from(2 * least).max(ratio(1, 1000));
    let excess = Rational::from(2) / (Rational::from(a * &tilde) * (1 + 2 * tilde.clone()));
    let drift = (Rational::from(32) * least).recip();
    let accuracy = Rational::from(a * least).recip();
    argument
        .states_that("κ = 2, F = w^2/2", excess <= 1, || {
            format!("κ = 2, F = w^2/2, L~_1 = {tilde}, a = {a}: F(w_t) = {excess} θ^2")
        })
        .needs_that(
            "P ≥ Φ/2: 1/16 - 1/a ≥ 1/32",
            ratio(1, 16) - a.clone().recip() >= ratio(1, 32),
        )
        .needs_that(
            "P < Φ/2: c - 1 ≤ 1/4 - (3/2)(τ/Φ)",
            *least > 0 && drift <= ratio(1, 4) - ratio(3, 2) * accuracy,
        )
}

/// `kl-thm-2-T`: T log c against log(F₀/target), and the bound on log c.
pub const THM_2_T: Claim = Claim {
    id: "kl-thm-2-T",
    place: "App. C.2, end",
    kind: Kind::Calibration,
    statement: "c^{-T} F_0 ≤ G iff T ≥ (log F_0 - log G)/log c, G = (γ L_0 √(d ω)/(n √(ρ)))^κ; log \
        c ≥ (1 + 32 F_0^{(κ-2)/κ} γ^2 L̃_1)^{-1}",
    hypotheses: "F_0, γ, L̃_1, ω > 0, κ ≥ 2",
    rests_on: &["kl-red-log"],
    check: by_kernel,
    by_hand: &[],
};

/// `kl-thm-2-T-proof`: line 1 of the algorithm has no ω. With ℓ its bracket and w = log(1/ω) > 0, κ = 2, the target needs
/// ℓ + w in place of ℓ.
pub const THM_2_T_PROOF: Claim = Claim {
    id: "kl-thm-2-T-proof",
    statement: "T of line 1 suffices for c^{-T} F_0 ≤ G",
    hypotheses: "bracket of line 1 positive, ω > 0",
    check: |c| {
        let weight = c.constant("weight of log(1/ω)", 1);
        let mut domain = Domain::new();
        let x = domain.real("c - 1", open(0), infinite());
        let bracket = domain.real("bracket", open(0), infinite());
        let w = domain.real("log(1/ω)", open(0), closed(2));
        let enough = Forall::le(
            domain,
            &bracket + weight * w,
            (1 + 1 / &x) * x.ln_1p() * &bracket,
        );
        Argument::new(c)
            .repaired("kl-thm-2-T-repaired")
            .states("kl-thm-2-T-proof", &enough)
            .proved_on("κ = 2")
    },
    ..THM_2_T
};

/// `kl-thm-2-T-repaired`: for ω ≥ 1 the target is larger, and rounding up T keeps the inequality.
pub const THM_2_T_REPAIRED: Claim = Claim {
    id: "kl-thm-2-T-repaired",
    statement: "T of line 1, rounded up, suffices for c^{-T} F_0 ≤ G",
    hypotheses: "bracket of line 1 positive, ω ≥ 1",
    rests_on: &["kl-thm-2-T"],
    check: |c| {
        let least = c.constant("least ω", 1);
        if least <= 0 {
            return Verdict::refuted("ω ≤ 0: the target is undefined", "sign of ω", None);
        }
        let (domain, omega) = Domain::of("ω", closed(least), infinite());
        let larger = Forall::le(domain, 0, omega.ln());
        Argument::new(c)
            .states("kl-thm-2-T-repaired", &larger)
            .proved_on("all parameters of the hypotheses")
    },
    ..THM_2_T
};

/// `kl-thm-2`, second part, as an existence statement.
pub const THM_2: Claim = Claim {
    id: "kl-thm-2",
    place: "Sec. 4, Theorem 2, second part",
    kind: Kind::HighProbability,
    statement: "there is a (ρ/T)-zCDP subroutine A, the same for all datasets, with which, with \
        probability at least 1-β, F(w_T) - F* = O(θ^κ), θ = γ L_0 √(T d ω)/(n √(ρ))",
    hypotheses: "γ > 0, κ ≥ 2, f Lipschitz, F (γ, κ)-KL* and L̃_1-weakly convex over the ball of \
        Lemma 4",
    rests_on: &[],
    check: |c| {
        let share = c.constant("failure probability of a call in units of β/T", 1);
        let [beta, t] = symbols();
        Argument::new(c)
            .states_identity("union over T calls", &t * (share * &beta / &t), &beta)
            .open_for(
                "Refuted for the subroutine that the paper gives (kl-thm-2-reading-alg-4) and not \
                    implied by the accuracy of Lemma 3 (kl-thm-2-proof); whether another \
                    subroutine reaches the rate for weakly convex losses and κ > 2 is a question \
                    of minimax theory that no computation here decides",
            )
    },
    by_hand: &[],
};

/// `kl-thm-2-reading-alg-4`. d = 1, κ = 6, F = |w|^{6/5} with γ = 5/6 everywhere, all but n fixed, except L₀, which grows
/// with the radius B of Lemma 4 like B^{1/5}, a power of log n. Given the past, the last noise of the last call moves
/// w_{T_in} by a normal variable of deviation σ/(L̃₁(T_in − 1)) unless the projection acts, which happens with
/// probability at most 1/2 (at the end of the ball the gradient of F̃ points outwards). It enters w̄ with the
/// weight 2/(T_in + 1). So |w̄| is at least a tenth of s_n = 2σ/(L̃₁T_in²) with probability 2/5. With T_in ~ n² and
/// σ² ~ T_in/n² ~ 1 up to logarithms, s_n ~ n^{−4}, and the excess risk is at least n^{−4τ}, τ = κ/(κ − 1), up to
/// logarithms, against n^{−κ}.
pub const THM_2_READING_ALG_4: Claim = Claim {
    id: "kl-thm-2-reading-alg-4",
    statement: "with Algorithm 4 as the subroutine, with probability at least 1-β, F(w_T) - F* = \
        O(θ^κ)",
    check: |c| {
        let power = c.constant("power of θ in units of κ", 1);
        let kappa = Rational::from(6);
        let tau = kappa.clone() / Rational::from(&kappa - 1);
        let noise = Rational::from(4) * tau;
        let claimed = power * kappa;
        Argument::new(c)
            .repaired("kl-thm-2-repaired")
            .states_that("powers of 1/n as n grows", claimed <= noise, || {
                format!(
                    "d = 1, κ = 6, F = |w|^(6/5), β = 1/100: with probability 2/5 the excess risk \
                        is at least of order n^-{noise} up to logarithms, more than any multiple \
                        of n^-{claimed}"
                )
            })
            .open_for("no upper bound tried")
    },
    by_hand: &[
        "given the past, the last noise moves the last iterate by a normal variable unless the \
            projection acts, which has probability at most 1/2",
        "the last iterate has the weight 2/(T_in + 1) in the average",
        "T_in is of the order n² and σ² of constant order, up to logarithms",
    ],
    ..THM_2
};

/// `kl-thm-2-proof`: from the accuracy of Lemma 3 alone.
pub const THM_2_PROOF: Claim = Claim {
    id: "kl-thm-2-proof",
    place: "App. C.2",
    statement: "for every subroutine with the accuracy of Lemma 3 in each call, F(w_T) - F* ≤ θ^κ \
        with the constant a in θ",
    check: |c| reaches(c, "kl-thm-2-repaired").open_for("one function"),
    ..THM_2
};

/// `kl-thm-2-repaired`.
pub const THM_2_REPAIRED: Claim = Claim {
    id: "kl-thm-2-repaired",
    statement: "for every subroutine with the accuracy of Lemma 3 but for probability β/T in each \
        call, with probability at least 1-β, F(w_T) - F* ≤ θ^κ, θ = a γ L_0 √(T d ω)/(n √(ρ))",
    hypotheses: "as printed with T rounded up, and γ^2 L̃_1 θ^{κ-2} ≥ 1/4 (which for κ > 2 makes \
        L̃_1 grow as θ falls: kl-thm-2-repaired-rate), θ^κ ≤ F_0, a ≥ 48, ω ≥ 1",
    rests_on: &["kl-thm-2-phase-repaired", "kl-thm-2-T-repaired"],
    check: |c| {
        let share = c.constant("failure probability of a call in units of β/T", 1);
        let [beta, t] = symbols();
        let mut domain = Domain::new();
        let rounds = domain.integer_from("T", 1);
        let target = Forall::le(domain, 1, 48 * 48 * rounds);
        Argument::new(c)
            .states_identity("union over T calls", &t * (share * &beta / &t), &beta)
            .needs("kl-thm-2-repaired", &target)
            .note("c^{-T} F_0 is below θ^κ, so that Φ_T = θ^κ")
            .proved_on("all parameters and losses of the hypotheses")
    },
    by_hand: &[
        "union bound over T calls",
        "Φ_T = θ^κ by kl-thm-2-T-repaired",
        "kl-thm-2-phase-repaired by induction",
    ],
    ..THM_2
};

/// `kl-thm-2-repaired-rate`: what `kl-thm-2-repaired` says when L̃₁ is enlarged until its first hypothesis holds with equality, as a
/// constant of weak convexity may be. Then 32F₀^{(κ−2)/κ}γ²L̃₁ = 8F₀^{(κ−2)/κ}θ^{2−κ}, and with A = aγL₀√d/(n√ρ), u = θ^{κ−2} ≤ F₀^{(κ−2)/κ}:
/// θ^κ = θ²u = A²(u + 8F₀^{(κ−2)/κ})\[bracket\]ω.
pub const THM_2_REPAIRED_RATE: Claim = Claim {
    id: "kl-thm-2-repaired-rate",
    place: "Sec. 4, Theorem 2, display",
    kind: Kind::Rate,
    statement: "for every subroutine with the accuracy of Lemma 3, with probability at least 1-β, \
        F(w_T) - F* ≤ 9 (a γ L_0 √(d)/(n √(ρ)))^2 F_0^{(κ-2)/κ} [bracket] ω, θ from the enlarged \
        L̃_1",
    hypotheses: "κ > 2, a ≥ 48, ω ≥ 1; γ^2 L̃_1 θ^{κ-2} ≤ 1/4 and θ^κ ≤ F_0; T of line 1 is an \
        integer for the L̃_1 at which the first of these is an equality",
    rests_on: &["kl-thm-2-repaired"],
    check: |c| {
        let nine = c.constant("constant", 9);
        let (domain, share) = Domain::of("(θ^κ/F_0)^((κ-2)/κ)", open(0), closed(1));
        let [a, u, gap, logs] = symbols();
        // T over the bracket with γ²L̃₁ = 1/(4u), gap = F₀^{(κ−2)/κ}.
        let rounds = 1 + 32 * &gap / (4 * &u);
        Argument::new(c)
            .states(
                "kl-thm-2-repaired-rate",
                &Forall::le(domain, share + 8, Expr::from(nine)),
            )
            .needs_identity(
                "θ^2 u",
                a.square() * rounds * &logs * &u,
                a.square() * (&u + 8 * &gap) * &logs,
            )
            .proved_on("all parameters and losses of the hypotheses")
    },
    by_hand: &[
        "an L̃₁-weakly convex function is so for every larger constant",
        "θ of the real T of line 1 varies continuously with L̃₁, so that equality in the first \
            hypothesis is reached; there T is an integer, and θ that of the run",
    ],
};

/// `kl-thm-2-rate`: the second equality of the display, T against 1 + F₀^{(κ−2)/κ}γ²L̃₁.
pub const THM_2_RATE: Claim = Claim {
    id: "kl-thm-2-rate",
    place: "Sec. 4, Theorem 2, display",
    kind: Kind::Rate,
    statement: "T ω ≤ 32 (1 + F_0^{(κ-2)/κ} γ^2 L̃_1) [bracket] ω, so that θ^κ = Õ((γ L_0 √(d(1 + \
        F_0^{(κ-2)/κ} γ^2 L̃_1))/(n √(ρ)))^κ)",
    hypotheses: "κ ≥ 2, bracket of line 1 positive, ω > 0; the logarithms are the bracket and ω",
    rests_on: &[],
    check: |c| {
        let factor = c.constant("factor hidden in O~", 32);
        let (domain, z) = Domain::of("F_0^((κ-2)/κ) γ^2 L~_1", closed(0), infinite());
        let statement = Forall::le(domain, 1 + 32 * &z, factor * (1 + z));
        Argument::new(c)
            .states("kl-thm-2-rate", &statement)
            .proved_on("all parameters of the hypotheses")
    },
    by_hand: &[],
};
