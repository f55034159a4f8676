//! Theorems 3, 4 and 5 as they hold: one adaptive algorithm, private and useful in the same run.
//!
//! Y = n√ρ, Λ = log(Y/β), b = L₀√Λ/√Y, D = 2(√d + √(2Λ)), A = DL₀/Y, v = 1/Y and x = (A/N_t)²: a norm is charged v, a gradient off the floor x, in
//! units of ρ. G and e as in [`super::adaptive_error`], B = √2b, Φ the excess over the minimum over 𝒮.

use crate::arith::{Rational, ratio};
use crate::claim::{Claim, Kind, Verdict};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 6] = [
    ALG_3_CORRECTED,
    THM_3_CORRECTED,
    LEM_10_CORRECTED,
    LEM_12_CORRECTED,
    THM_4_CORRECTED,
    THM_5_CORRECTED,
];

/// The least n√ρ.
const LEAST: i32 = 8;

/// `kl-alg-3-corrected`. The floor is reached at N_t ≤ 2A, where x ≥ 1/4; there the charge is at its cap and exceeds what the test allows.
pub const ALG_3_CORRECTED: Claim = Claim {
    id: "kl-alg-3-corrected",
    place: "Sec. 5, Algorithm 3",
    kind: Kind::Algorithm,
    statement: "while ∑_{j<t} ρ_j ≤ ρ/2 - √(ρ)/n: N_t = |∇ F(w_t)| + N(0, L_0^2/(n √(ρ))); σ_t = \
        max{N_t/D, 2L_0/(n √(ρ))}, D = 2(√(d) + √(2 Λ)); w_{t+1} = w_t - (∇ F(w_t) + N(0, σ_t^2 \
        I_d))/(2L_1); ρ_t = √(ρ)/n + (D L_0/(n N_t))^2 if N_t > 2 D L_0/(n √(ρ)), else √(ρ)/n + \
        ρ/2; runs on every input, at most n √(ρ)/2 rounds, and a round at the floor is the last; T \
        is the index of the last round, and w_{T+1} is not released",
    hypotheses: "n √(ρ) ≥ 8, β in (0, 1), n, d ≥ 1, L_0, L_1 > 0; Λ = log(n √(ρ)/β)",
    check: |c| {
        let cap = c.constant("cap of a gradient in units of ρ", ratio(1, 2));
        let least = c.constant("least n √(ρ)", LEAST);
        if least <= 0 {
            return Verdict::open("n √(ρ) ≤ 0");
        }
        let (domain, v) = Domain::of("1/(n √(ρ))", open(0), closed(least.clone().recip()));
        let last = Forall::lt(domain, ratio(1, 2) - &v, cap + v);
        // Round r starts only if (r − 1)v ≤ 1/2 − v.
        let [y] = symbols();
        let (domain, scaled) = Domain::of("n √(ρ)/β", open(least), infinite());
        let defined = Forall::lt(domain, 1, scaled);
        Argument::new(c)
            .needs_identity(
                "most rounds: 1 + (1/2 - v)/v",
                1 + (ratio(1, 2) - 1 / &y) * &y,
                &y / 2,
            )
            .states("kl-alg-3-corrected/floor", &last)
            .needs("kl-alg-3-corrected/root", &defined)
            .proved_on("all inputs of the hypotheses")
    },
    by_hand: &["each round is charged √ρ/n or more, so that the test fails after n√ρ/2 rounds"],
    ..Claim::ALONE
};

/// `kl-thm-3-corrected`. Replace-one: a norm costs 2v, a gradient 2x off the floor and 1/2 at it, at most twice what is charged. The rounds before the
/// last are charged at most 1/2 − v, and of the last one only the end is seen, a function of its norm: 2(1/2 − v) + 2v.
pub const THM_3_CORRECTED: Claim = Claim {
    id: "kl-thm-3-corrected",
    place: "Sec. 5, Theorem 3",
    kind: Kind::MechanismPrivacy,
    statement: "the algorithm of kl-alg-3-corrected, with σ_t = max{N_t/D, 2L_0/(n √(ρ))}, \
        releasing w_0, …, w_T, is ρ-zCDP",
    hypotheses: "f(·;x) L_0-Lipschitz on R^d for all x; n √(ρ) ≥ 8; w_0, L_0, L_1, ρ and β fixed \
        without looking at the data; replace-one",
    rests_on: &["kl-alg-3-corrected", "kl-imp-adaptive", "kl-thm-9-sens"],
    check: |c| {
        let total = c.constant("total in units of ρ", 1);
        let [l, n, root, scale, level] = symbols();
        // (2L₀/n)²/(2σ²) in units of ρ, the square of x2; off the floor against 2(DL₀/(nN))²/ρ.
        let cost = |variance: Expr| (2 * &l / &n).square() / (2 * variance) / root.square();
        let charge = (&scale * &l / (&n * &level)).square() / root.square();
        let off = cost((&level / &scale).square());
        let at_floor = cost((2 * &l / (&n * &root)).square());
        let of_norm = cost(l.square() / (&n * &root));
        let (domain, v) = Domain::of(
            "1/(n √(ρ))",
            open(0),
            closed(ratio(1, u64::from(LEAST.unsigned_abs()))),
        );
        let sum = Forall::le(domain, 2 * (ratio(1, 2) - &v) + 2 * v, Expr::from(total));
        Argument::new(c)
            .needs_identity("gradient off the floor: twice its charge", &off, 2 * charge)
            .needs_identity("gradient at the floor", &at_floor, ratio(1, 2))
            .needs_identity("norm: 2/(n √(ρ))", &of_norm, 2 / (&n * &root))
            .states("kl-thm-3-corrected", &sum)
            .proved_on("all losses of the hypotheses")
    },
    by_hand: &[],
};

/// `kl-lem-10-corrected`. P(|Z| > √(2Λ)) ≤ e^{−Λ} for the norm, P(‖Z‖ > √d + √(2Λ)) ≤ e^{−Λ} for the gradient; at most Y/2 rounds, e^{−Λ} = β/Y.
pub const LEM_10_CORRECTED: Claim = Claim {
    id: "kl-lem-10-corrected",
    place: "App. D.1, Lemma 10",
    kind: Kind::HighProbability,
    statement: "with probability at least 1 - β, |N_t - |∇ F(w_t)|| ≤ √(2) b for all rounds of \
        kl-alg-3-corrected and |e| ≤ N_t/2 for all but the last that are not at the floor",
    hypotheses: "n √(ρ) ≥ 8, β in (0, 1); f(·;x) L_0-Lipschitz on R^d for all x; at most n √(ρ)/2 \
        rounds, as kl-alg-3-corrected says",
    rests_on: &["kl-alg-3-corrected", "kl-red-norm"],
    check: |c| {
        let multiple = c.constant("failure probability in units of β", 1);
        let [scale, level] = symbols();
        Argument::new(c)
            .states_that(
                "2 events in n √(ρ)/2 rounds, β/(n √(ρ)) each",
                multiple >= 1,
                || format!("{multiple} is less than 2/2"),
            )
            .needs_identity(
                "(√(d) + √(2 Λ)) N_t/D",
                &scale * (&level / (2 * &scale)),
                &level / 2,
            )
            .proved_on("all inputs and losses of the hypotheses")
    },
    by_hand: &[],
};

/// `kl-lem-12-corrected`, a theorem of the kernel (`super::kernel::adaptive::useful::falls`), which has 1 for 5/4. The step gains at least (G² − B²)/(8L₁); if G ≥ 2B
/// that is 3G²/(32L₁). If G < B and the gradient at w_{t+1} is at most B, KL* says that the excess there is at most (γB)^κ. If it is larger, B² ≤ 2L₁Φ_{t+1} by
/// smoothness, so that for g = G/B ≤ 1, Φ_t ≤ g^κ(γB)^κ ≤ g(γB)^κ and Φ_{t+1} ≤ Φ_t + (1 − g²)Φ_{t+1}/4, hence Φ_{t+1} ≤ 4g(γB)^κ/(3 + g²) ≤ (γB)^κ. F = L₁w²/2,
/// γ² = 1/(2L₁), κ = 2: without a step the excess may be near (γB)².
pub const LEM_12_CORRECTED: Claim = Claim {
    id: "kl-lem-12-corrected",
    place: "App. D.3, Lemma 12; D.4",
    kind: Kind::PathwiseInequality,
    statement: "|e| ≤ (G + B)/2 gives w_{t+1} in S, Φ_t - Φ_{t+1} ≥ 3G^2/(32L_1) if G ≥ 2B, and \
        Φ_{t+1} ≤ max{Φ_t, (5/4)(γ B)^κ}",
    hypotheses: "f(·;x) L_0-Lipschitz on R^d for all x; w_t in S, F(w_t) ≤ α, F (γ, κ)-KL* over S \
        with respect to its minimum, κ in [1, 2], B > 0; w_0 in S, and for w in S and F(w) + <∇ \
        F(w), v> + L_1 |v|^2/2 ≤ α also w + v, where F is at most that, as in the component at w_0 \
        of {F ≤ α}, if F is L_1-smooth there; α ≥ max{F(w_0), F(w*_S) + (γ B)^κ + B^2/(8L_1)}",
    rests_on: &["kl-lem-12-descent-repaired"],
    check: |c| {
        let gain = c.constant("gain in units of G^2/L_1", ratio(3, 32));
        let growth = c.constant("factor of (γ B)^κ", ratio(5, 4));
        let [y, b] = symbols();
        let g = 2 * &b + &y;
        // G = 2B + y, y ≥ 0: (G² − B²)/8 − 3G²/32 = (4By + y²)/32.
        let rest = (g.square() - b.square()) / 8 - ratio(3, 32) * g.square();
        Argument::new(c)
            .needs_identity("gain above 2B", &rest, (4 * &b * &y + y.square()) / 32)
            .states_that(
                "gain, F = L_1 w^2/2 at G = 2B, e = -3B/2",
                gain <= ratio(15, 128),
                || format!("G = 2, B = 1, e = -3/2: the gain is 15/32, less than {gain} x 4"),
            )
            .needs_that("the factor of the gain", gain <= ratio(3, 32))
            .states_that("F = L_1 w^2/2, no step", growth >= 1, || {
                format!(
                    "Φ_t = 0.999 (γ B)^2, e = -G/2: Φ_{{t+1}} can be near (γ B)^2, above {growth} \
                        of it"
                )
            })
            .needs_that("1 + (1/8)/(1/2)", growth >= ratio(5, 4))
            .proved_on("all F, w_t, errors of the hypotheses")
    },
    by_hand: &[],
};

/// `kl-thm-4-corrected`, a theorem of the kernel (`super::kernel::adaptive::useful`). On the event of `kl-lem-10-corrected`. A round at the floor is the last one, and there G ≤ 2A + B. Let no round before T be at the
/// floor. If some G_t < 2B, t ≤ T, Φ_T ≤ max{(2γB)^κ, (5/4)(γB)^κ}. Else N_t ≥ G/2, x ≤ 4A²/G² ≤ 4γ²A²Φ_t^{−2/κ}, and Φ_t − Φ_{t+1} ≥
/// 3Φ_t^{2/κ}/(32γ²L₁). Since powers of Φ with negative exponents decrease, Σ_{t<T} Φ_t^{−2/κ} ≤ (32γ²L₁/3)∫φ^{−4/κ}dφ from Φ_T ≤ (32γ²L₁/3)(κ/(4−κ))Φ_T^{−(4−κ)/κ},
/// and Φ_T^{−2/κ} ≤ 2γ²L₁Φ_T^{−(4−κ)/κ} by smoothness: together (38/3)γ²L₁Φ_T^{−(4−κ)/κ}. The run has ended: the charges are above 1/2 − v ≥ 3/8.
/// Either the gradients have more than 3/16, and Φ_T^{(4−κ)/κ} < (16/3)·4·(38/3)γ⁴L₁A²; or the norms, so that T > 3Y/16 − 1 ≥ Y/16, while T ≤
/// (32γ²L₁/3)∫φ^{−2/κ}dφ from Φ_T to F₀. No logarithm of n is lost, and every term is covariant under changes of units.
pub const THM_4_CORRECTED: Claim = Claim {
    id: "kl-thm-4-corrected",
    place: "Sec. 5, Theorem 4",
    kind: Kind::HighProbability,
    statement: "the algorithm of kl-alg-3-corrected, with σ_t = max{N_t/D, 2L_0/(n √(ρ))}, \
        releasing w_0, …, w_T, is ρ-zCDP, and with probability at least 1 - β, F(w_T) - F(w*_S) is \
        at most the largest of (17 γ^2 √(L_1) A)^{2κ/(4-κ)}, (√(8) γ b)^κ, (γ (2A + √(2) b))^κ and \
        a term for long runs, which is ((512/3) (κ/(2-κ)) γ^2 L_1/(n √(ρ)))^{κ/(2-κ)} for κ < 2 \
        and F_0 exp(-3 n √(ρ)/(512 γ^2 L_1)) for κ = 2; A = 2(√(d) + √(2 Λ)) L_0/(n √(ρ))",
    hypotheses: "κ in [1, 2], n √(ρ) ≥ 8, β in (0, 1); f(·;x) L_0-Lipschitz on R^d for all x, F \
        (γ, κ)-KL* over S with respect to its minimum; w_0 in S, and for w in S and F(w) + <∇ \
        F(w), v> + L_1 |v|^2/2 ≤ α also w + v, where F is at most that, as in the component at w_0 \
        of {F ≤ α}, if F is L_1-smooth there; α ≥ max{F(w_0), F(w*_S) + (γ B)^κ + B^2/(8L_1)}, B = \
        √(2) b; F(w_0) - F(w*_S) ≤ F_0, which the algorithm does not know; w_0, L_0, L_1, ρ and β \
        fixed without looking at the data; replace-one",
    rests_on: &[
        "kl-thm-3-corrected",
        "kl-lem-10-corrected",
        "kl-lem-12-corrected",
    ],
    check: |c| {
        let first = c.constant("constant of the first term", 17);
        let second = c.constant("square of the constant of the second term", 8);
        let long = c.constant("constant for long runs", ratio(512, 3));
        let power = c.constant("divisor in the exponential", ratio(512, 3));
        let (share, sum) = (ratio(3, 16), ratio(38, 3));
        let (domain, gap) = Domain::of("2 - κ", closed(0), closed(1));
        // κ/(4−κ)·32/3 + 2 ≤ 38/3, times 4 − κ = 2 + gap.
        let added = Forall::le(
            domain,
            ratio(32, 3) * (2 - &gap) + 2 * (2 + &gap),
            &sum * (2 + &gap),
        )
        .factored(gap, ratio(64, 3));
        let (domain, v) = Domain::of(
            "1/(n √(ρ))",
            open(0),
            closed(ratio(1, u64::from(LEAST.unsigned_abs()))),
        );
        let spent = Forall::le(domain.clone(), Rational::from(2 * &share), ratio(1, 2) - &v);
        let rounds = Forall::le(domain, ratio(1, 16), share.clone() - v);
        let [kappa, log] = symbols();
        let integral = (1 - 4 / &kappa) * &log;
        Argument::new(c)
            .needs("kl-thm-4-corrected/sum", &added)
            .needs("kl-thm-4-corrected/stop", &spent)
            .needs("kl-thm-4-corrected/rounds", &rounds)
            .needs_identity("exponents", &integral, 0 - (4 - &kappa) / &kappa * &log)
            .needs_identity(
                "the last summand",
                0 - 2 / &kappa * &log,
                integral + (2 - &kappa) / &kappa * &log,
            )
            .states_that(
                "4 (38/3)/(3/16)",
                Rational::from(&first * &first) >= 4 * sum / share && first > 0,
                || format!("{first}^2 is less than 2432/9"),
            )
            .states_that("2B = √(8) b", second >= 8, || {
                format!("{second} is less than 8")
            })
            .needs_that("2^κ ≥ 5/4", ratio(5, 4) <= 2)
            .states_that("(32/3)/(1/16), κ < 2", long >= ratio(512, 3), || {
                format!("{long} is less than 512/3")
            })
            .states_that("(32/3)/(1/16), κ = 2", power >= ratio(512, 3), || {
                format!("{power} is less than 512/3")
            })
            .proved_on("all losses, parameters of the hypotheses")
    },
    by_hand: &[],
};

/// `kl-thm-5-corrected`, a theorem of the kernel (`super::kernel::adaptive::useful::chosen`). On the event of `kl-lem-10-corrected`; R = T + 1 rounds, N* the least norm. At the floor N* ≤ G ≤ 2A + B. Else (9) of
/// `kl-lem-12-descent-repaired` with B adds up to ΣG² ≤ 8F₀L₁ + RB², N* ≤ √(8F₀L₁/R) + B. With u = N* − B ≤ min N_t the charges are at most
/// R(v + A²/u²), and above 3/8 at the end: R ≥ (3/16)min{Y, u²/A²}, so that u² ≤ (128/3)F₀L₁max{1/Y, A²/u²}. The draw is (ρ/2)-zCDP given the iterates.
pub const THM_5_CORRECTED: Claim = Claim {
    id: "kl-thm-5-corrected",
    place: "Sec. 5.1, Theorem 5",
    kind: Kind::HighProbability,
    statement: "the algorithm of kl-alg-3-corrected, with σ_t = max{N_t/D, 2L_0/(n √(ρ))}, \
        releasing w_0, …, w_T, followed by the draw of t* from {0, …, T} as printed, is (3 \
        ρ/2)-zCDP, and with probability at least 1 - 2 β, |∇ F(w_{t*})| ≤ √(2) b + 4L_0 Λ/(n √(ρ)) \
        + max{√((128/3)F_0 L_1/(n √(ρ))), ((128/3)F_0 L_1)^{1/4} √(A), 2A}, A = 2(√(d) + √(2 Λ)) \
        L_0/(n √(ρ)), b = L_0 √(Λ)/(√(n) ρ^{1/4})",
    hypotheses: "f(·;x) L_0-Lipschitz on R^d for all x, F L_1-smooth, F(w_0) - inf F ≤ F_0, which \
        the algorithm does not know; n √(ρ) ≥ 8, β in (0, 1); w_0, L_0, L_1, ρ and β fixed without \
        looking at the data; replace-one",
    rests_on: &[
        "kl-thm-3-corrected",
        "kl-lem-10-corrected",
        "kl-lem-12-descent-repaired",
        "kl-mech-tstar",
        "kl-thm-5-select",
    ],
    check: |c| {
        let total = c.constant("total in units of ρ", ratio(3, 2));
        let number = c.constant("number under the roots", ratio(128, 3));
        let floor = c.constant("factor of A", 2);
        let failures = c.constant("failure probability in units of β", 2);
        let (domain, s) = Domain::of("smaller over larger of v, A^2/u^2", open(0), closed(1));
        let ended = Forall::le(domain, ratio(3, 16) * (1 + s), ratio(3, 8));
        let mut domain = Domain::new();
        let y = domain.real("n √(ρ)", closed(LEAST), infinite());
        let beta = domain.real("β", open(0), open(1));
        // The event, and the draw with probability at most (Y/2)(β/Y)².
        let rare = Forall::le(domain, 1 + beta / (2 * y), Expr::from(failures));
        Argument::new(c)
            .states_that("iterates and draw: 1 + 1/2", total >= ratio(3, 2), || {
                format!("{total} is less than 1 + 1/2")
            })
            .needs("kl-thm-5-corrected/end", &ended)
            .states("kl-thm-5-corrected", &rare)
            .states_that(
                "8/(3/16)",
                number >= Rational::from(8) / ratio(3, 16),
                || format!("{number} is less than 128/3"),
            )
            .states_that("where the floor begins", floor >= 2, || {
                format!("{floor} is less than 2")
            })
            .proved_on("all losses, parameters of the hypotheses")
    },
    by_hand: &[],
};
