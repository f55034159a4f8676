//! The theorems on Algorithms 1, 2 and 4 as they hold: one algorithm, one noise, privacy and utility of the same run.
//!
//! Each is put together from claims on exactly this algorithm; what is new is that KL* is asked for where the run goes, a
//! sublevel set, and not on a ball whose radius grows with log n. The witness of all three is in `super::witness`.

use super::proximal_phases::accurate;
use crate::arith::{Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict};
use crate::prove::{Argument, Domain, Expr, Forall, closed, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 4] = [
    THM_1_CORRECTED,
    THM_2_CORRECTED,
    THM_2_CORRECTED_ANY,
    THM_9_CORRECTED,
];

/// `kl-thm-1-corrected`, a theorem of the kernel (`super::kernel::nested`). All targets are between floor and F₀; the variance of an estimate is at most
/// three times that of the first one, so that with probability 1 − β all errors are at most p/8, p = Φ̂_k^{1/κ}/γ. A step of length lp/(4L₁)
/// along an estimate of norm 7p/8 or more gains at least l(7/8 − 1/8)p²/(4L₁) − l²p²/(32L₁) ≥ 0 for every l in \[0, 1\], so that the run stays
/// in the component of {F ≤ F(w₀)} at w₀, and the phases lead to the floor.
pub const THM_1_CORRECTED: Claim = Claim {
    id: "kl-thm-1-corrected",
    place: "Sec. 3, Theorem 1, second part",
    kind: Kind::HighProbability,
    statement: "Algorithm 1 with σ_hat, σ_k times 3/2, 48 for 32 in line 6, ceil(K) for K and \
        w_{k+1,0} = w_{k,t} in line 17 is ρ-zCDP, transcript included, and with probability ≥ 1 - \
        β, F(w) - F* ≤ (48 γ L_0 √(d K log(1/β′))/(n √(ρ)))^κ, β′ = (β/K) (γ L_0 √(K d)/(n √(ρ) \
        F_0^{1/κ}))^{2-κ}, K rounded up",
    hypotheses: "1 ≤ κ ≤ 2, β ≤ 1/27; f(·;x) L_0-Lipschitz and L_1-smooth on R^d for all x, F (γ, \
        κ)-KL* over S with respect to F*; w_0 in S, and for w in S and F(w) + <∇ F(w), v> + L_1 \
        |v|^2/2 ≤ F(w_0) also w + v, as in the component of {F ≤ F(w_0)} at w_0; F(w_0) - F* ≤ F_0 \
        ≤ (γ L_0)^κ, F_0 at least the bound and (γ L_0 √(d)/(n √(ρ)))^κ, else w_0 is returned; all \
        parameters public; replace-one",
    rests_on: &[
        "kl-alg-1-repaired",
        "kl-thm-1-phase-repaired",
        "kl-thm-1-K-repaired",
        "kl-thm-1-priv-repaired",
    ],
    check: thm_1_corrected,
    by_hand: &[],
};

fn thm_1_corrected(check: &Check) -> Verdict {
    let noise = check.constant("noise in units of the printed one", ratio(3, 2));
    let floor = check.constant("constant of line 6", 48);
    if floor <= 0 {
        return Verdict::open("a negative floor");
    }
    let error = Rational::from(&noise * 4) / &floor;
    let (domain, l) = Domain::of("l", closed(0), closed(1));
    let slope = ratio(7, 8) - &error;
    let falls = Forall::le(domain, l.square() / 32, slope / 4 * &l)
        .factored(l.clone(), ratio(7, 8) / 4 - error.clone() / 4 - l / 32);
    Argument::new(check)
        .states_that(
            "noise for 9/4 of the budget",
            Rational::from(&noise * &noise) >= ratio(9, 4),
            || {
                format!(
                    "noise {noise}: the transcript costs up to 9/4 over its square, more than 1"
                )
            },
        )
        .states_that(
            "errors are at most an eighth of the target's root over γ",
            error <= ratio(1, 8),
            || format!("error {error} against 1/8"),
        )
        .needs("kl-thm-1-corrected", &falls)
        .proved_on("all 1 ≤ κ ≤ 2, 0 < β ≤ 1/27, all losses of the hypotheses, all d, n")
}

/// `kl-thm-2-corrected`, a theorem of the kernel (`super::kernel::calls`). With τ = 2640L₀²dωN/(L̃₁n²ρ) for the accuracy of a call and θ² = 48γ²L̃₁τ, `kl-thm-2-phase-repaired` applies: 48·2640 ≤
/// 356². KL* is used at the exact proximal points only, where F ≤ F(w_{t−1}), an excess of F₀ at most. Weak convexity is asked of every
/// f(.;x): only then is the mean of subgradients, which the noise is made for, a subgradient of F (|w| and −|w| at 0).
pub const THM_2_CORRECTED: Claim = Claim {
    id: "kl-thm-2-corrected",
    place: "Sec. 4, Theorem 2",
    kind: Kind::HighProbability,
    statement: "Algorithm 2 with N = ceil(T) calls of Algorithm 4 (from w_{t-1}, ρ/N and β/N each, \
        so that its σ^2 = 4 L_0^2 T_4/(n^2 ρ/N) with its own number T_4 of steps) is ρ-zCDP, all \
        noisy gradients included, and with probability at least 1-β, F(w_N) - F* ≤ θ^κ, θ = 356 γ \
        L_0 √(N d ω)/(n √(ρ)), ω = log(n^2 log^2(N/β) N/(d β))",
    hypotheses: "κ ≥ 2, f(·;x) L_0-Lipschitz and, as in App. E, L̃_1-weakly convex on R^d for all \
        x, F (γ, κ)-KL* where F - F* ≤ F_0; F(w_0) - F* ≤ F_0; γ^2 L̃_1 θ^{κ-2} ≥ 1/4 (L̃_1 may be \
        enlarged) and θ^κ ≤ F_0; ω ≥ 1, ρ/N ≤ 1/4, β/N ≤ 1/2, n^2 (ρ/N) log^2(2N/β) ≥ d; w_0, L_0, \
        L̃_1, γ, κ, F_0, ρ and β fixed without looking at the data; replace-one",
    rests_on: &[
        "kl-lem-3-restricted",
        "kl-thm-2-priv-repaired",
        "kl-thm-2-phase-repaired",
        "kl-thm-2-T-repaired",
        "kl-alg-4-repaired",
    ],
    check: |c| {
        let factor = c.constant("factor of γ L_0 √(N d ω)/(n √(ρ))", 356);
        let least = c.constant("least γ^2 L~_1 θ^(κ-2)", ratio(1, 4));
        let square = Rational::from(&factor * &factor);
        let [gamma, l, dw, n, rho, calls, tilde] = symbols();
        let accuracy = 2640 * l.square() * &dw * &calls / (&tilde * n.square() * &rho);
        let target = 48 * gamma.square() * &tilde * &accuracy;
        Argument::new(c)
            .needs_identity(
                "48 γ^2 L~_1 τ",
                &target,
                126_720 * (&gamma * &l).square() * &dw * &calls / (n.square() * &rho),
            )
            .states_that("48 x 2640", square >= 48 * 2640 && factor > 0, || {
                format!("{square} is less than 126720")
            })
            .states_that(
                "the hypothesis of kl-thm-2-phase-repaired",
                least >= ratio(1, 4),
                || format!("{least} is less than 1/4"),
            )
            .proved_on("all parameters and losses of the hypotheses")
    },
    by_hand: &[],
};

/// `kl-thm-2-corrected-any`, a theorem of the kernel (`super::kernel::calls::any`): what Theorem 2 needs of its subroutine is the accuracy alone, whatever it is. Of
/// `kl-thm-2-repaired` it has another condition: KL* where the excess is at most F₀ for KL* on the ball of Lemma 4.
pub const THM_2_CORRECTED_ANY: Claim = Claim {
    id: "kl-thm-2-corrected-any",
    place: "Sec. 4, Theorem 2, second part",
    statement: "for every subroutine whose output w from v has F(w) + L̃_1 |w - v|^2 at most a \
        L_0^2 d ω/(L̃_1 n^2 (ρ/N)) above its minimum but for probability β/N, whatever v is, N = \
        ceil(T) calls of it from w_{t-1} give F(w_N) - F* ≤ θ^κ with probability at least 1-β, θ = \
        a γ L_0 √(N d ω)/(n √(ρ))",
    hypotheses: "κ ≥ 2, a ≥ 48, ω ≥ 1; F L̃_1-weakly convex on R^d and (γ, κ)-KL* where F - F* ≤ \
        F_0, with a minimiser of F + L̃_1 |. - v|^2 for every v; F(w_0) - F* ≤ F_0; γ^2 L̃_1 \
        θ^{κ-2} ≥ 1/4 and θ^κ ≤ F_0; a subroutine is a map of its start and of normal noise, as \
        each with values in R^d can be written",
    rests_on: &[],
    check: |c| {
        let a = c.constant("least a", 48);
        let least = c.constant("least γ^2 L~_1 θ^(κ-2)", ratio(1, 4));
        if a <= 0 || least <= 0 {
            return Verdict::open("a negative accuracy");
        }
        let [gamma, l, dw, n, rho, calls, tilde, scale] = symbols();
        let accuracy = &scale * l.square() * &dw * &calls / (&tilde * n.square() * &rho);
        let target = (&scale * &gamma * &l).square() * &dw * &calls / (n.square() * &rho);
        accurate(Argument::new(c), &a, &least)
            .needs_identity(
                "a γ^2 L~_1 τ",
                &scale * gamma.square() * &tilde * accuracy,
                target,
            )
            .proved_on("all subroutines, parameters and losses of the hypotheses")
    },
    ..THM_2_CORRECTED
};

/// `kl-thm-9-corrected`, a theorem of the kernel (`super::kernel::noisy`): nothing but the index of the start, the rounding of T and the logarithm differs from the print; privacy and
/// utility are about the printed noise.
pub const THM_9_CORRECTED: Claim = Claim {
    id: "kl-thm-9-corrected",
    place: "App. E, Theorem 9",
    kind: Kind::HighProbability,
    statement: "Algorithm 4 with w_1 = w_0, the gradient at w_t, T rounded up and the printed σ^2 \
        = 4 L_0^2 T/(n^2 ρ) is (ρ/2)-zCDP, all noisy gradients included, and with probability at \
        least 1 - β, F̃(w) - F̃(w*) ≤ 1101 L_0^2 d log(2T/β)/(L̃_1 n^2 ρ)",
    hypotheses: "ρ > 0, β in (0, 1), η_t = 1/(L̃_1 t), T = n^2 ρ log^2(2/β)/d; f(·;x) \
        L_0-Lipschitz on R^d and L̃_1-weakly convex for all x, so that the mean of the \
        subgradients is one of F; w_0, L_0, L̃_1, ρ and β fixed without looking at the data; \
        replace-one",
    rests_on: &["kl-alg-4-repaired", "kl-thm-9-priv", "kl-thm-9-repaired"],
    check: |c| {
        let variance = c.constant("σ^2 in units of L_0^2 T/(n^2 ρ)", 4);
        if variance <= 0 {
            return Verdict::refuted("no noise at all", "sign of the variance", None);
        }
        let (domain, share) = Domain::of("(T-1)/T", closed(0), open(1));
        let spent = Forall::le(domain, 2 / Expr::from(variance) * share, ratio(1, 2));
        Argument::new(c)
            .states("kl-thm-9-corrected", &spent)
            .proved_on("all losses and parameters of the hypotheses")
    },
    by_hand: &[],
};
