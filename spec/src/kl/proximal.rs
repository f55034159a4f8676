//! Section 4, Algorithm 2: parameters, privacy, the subroutine and the radius.

use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{
    Argument, Decision, Domain, Expr, Forall, closed, decide, infinite, open, symbols,
};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 14] = [
    ALG_2,
    ALG_2_REPAIRED,
    PAR_ALG_2,
    THM_2_PRIV,
    THM_2_PRIV_READING_CEIL,
    THM_2_PRIV_REPAIRED,
    LEM_3,
    LEM_3_RESTRICTED,
    LEM_4,
    LEM_4_REPAIRED,
    LEM_4_RESTRICTED,
    LEM_4_READING_ALG_4,
    LEM_4_PROOF,
    RED_LOG,
];

/// `kl-alg-2`. F₀ = 0 is an admissible input and log F₀ the first number that line 1 asks for; L̃₁ = 0, the convex
/// case, has no step length in the subroutine.
pub const ALG_2: Claim = Claim {
    id: "kl-alg-2",
    place: "Sec. 4, Algorithm 2",
    kind: Kind::Algorithm,
    statement: "T rounds of w_t ← A(F + L̃_1|· - w_{t-1}|^2, w_{t-1}, ρ/T, β/T), T of line 1; runs \
        on every input",
    hypotheses: "F_0 ≥ 0, γ, L_0, ρ > 0, κ ≥ 2, L̃_1 ≥ 0, β in (0, 1)",
    check: |c| {
        let least = c.constant("least admissible F_0", 0);
        let (domain, gap) = Domain::of("F_0", closed(least), infinite());
        let defined = Forall::lt(domain, 0, gap);
        Argument::new(c)
            .repaired("kl-alg-2-repaired")
            .states("kl-alg-2/argument of log", &defined)
            .proved_on("no input found that stops it")
    },
    ..Claim::ALONE
};

/// `kl-alg-2-repaired`. The logarithm in T is positive exactly above the floor, and ⌈T⌉ ≥ 1 rounds are run.
pub const ALG_2_REPAIRED: Claim = Claim {
    id: "kl-alg-2-repaired",
    statement: "with T rounded up, Algorithm 2 runs for at least one round",
    hypotheses: "F_0 > (γ L_0 √(d)/(n √(ρ)))^κ, γ, L_0, L̃_1, ρ > 0, κ ≥ 2, β in (0, 1)",
    check: |c| {
        let least = c.constant("least F_0 over the floor", 1);
        if least <= 0 {
            return Verdict::refuted("F_0 ≤ 0: log F_0 is undefined", "sign of F_0", None);
        }
        let mut domain = Domain::new();
        let over = domain.real("F_0 over the floor", open(least), infinite());
        let z = domain.real("32 F_0^((κ-2)/κ) γ^2 L~_1", open(0), infinite());
        let positive = Forall::lt(domain, 0, (1 + z) * over.ln());
        Argument::new(c)
            .states("kl-alg-2-repaired", &positive)
            .proved_on("all inputs of the hypotheses")
    },
    ..ALG_2
};

/// `kl-red-log`: both sides vanish at 0, where the derivative of the difference is x/(1 + x)² ≥ 0.
pub const RED_LOG: Claim = Claim {
    id: "kl-red-log",
    place: "used for T, K and p_max",
    kind: Kind::PathwiseInequality,
    statement: "x/(1 + x) ≤ log(1 + x), so that (1 + 1/x) log c ≥ 1 for c = 1 + x",
    hypotheses: "x > 0",
    check: |c| {
        let share = c.constant("constant in the denominator", 1);
        let (domain, x) = Domain::of("x", open(0), infinite());
        let statement = Forall::le(domain, 1 - &share / (&x + &share), x.ln_1p());
        logarithm(c, &share)
            .needs("kl-red-log", &statement)
            .proved_on("x > 0")
    },
    ..Claim::ALONE
};

/// States x/(x + share) ≤ log(1 + x) for all x > 0, by `kl-red-log` if share ≥ 1, refuted at x = 1/1000 if share is below it.
pub(super) fn logarithm<'a>(check: &'a Check, share: &Rational) -> Argument<'a> {
    let x = ratio(1, 1000);
    let sum = Rational::from(&x + share);
    let left = Interval::from_rational(&Rational::from(&x / &sum));
    let right = Interval::from_rational(&x).ln_1p();
    Argument::new(check)
        .states_that(
            "bound of log c at c = 1001/1000",
            sum > 0 && !right.certainly_lt(&left),
            || format!("c - 1 = 1/1000: {left} ≤ log c = {right} fails"),
        )
        .needs_that("the constant of kl-red-log", *share >= 1)
}

/// `kl-par-alg-2`. App. C.2 prints L_1 for L̃_1 in the definition of c and L̃_1 in that of log c.
pub const PAR_ALG_2: Claim = Claim {
    id: "kl-par-alg-2",
    place: "Sec. 4, Algorithm 2, lines 1-2; App. C.2",
    kind: Kind::Calibration,
    statement: "T = (1 + 32 F_0^{(κ-2)/κ} γ^2 L̃_1)[log F_0 + κ log(n √(ρ)/(γ L_0 √(d)))] is at \
        least the bracket over log c, c = 1 + F_0^{(2-κ)/κ}/(32 γ^2 L̃_1), and T β′ = β",
    hypotheses: "F_0, γ, L̃_1 > 0, κ ≥ 2, bracket > 0",
    rests_on: &["kl-red-log"],
    check: by_kernel,
    by_hand: &[],
};

/// `kl-thm-2-priv`: at most T rounds at ρ/T each; the Gaussian mechanism as 𝒜 spends all of it.
pub const THM_2_PRIV: Claim = Claim {
    id: "kl-thm-2-priv",
    place: "Sec. 4, Theorem 2, first part",
    kind: Kind::MechanismPrivacy,
    statement: "Algorithm 2 with a (ρ/T)-zCDP subroutine is ρ-zCDP, all iterates included",
    hypotheses: "f Lipschitz; t = 1, …, floor(T), T > 0 real",
    rests_on: &["kl-imp-adaptive", "kl-thm-9-priv"],
    check: |c| {
        let total = c.constant("total in units of ρ", 1);
        let (domain, share) = Domain::of("rounds/T", closed(0), closed(1));
        let sum = Forall::le(domain, share, Expr::from(total));
        Argument::new(c)
            .states("kl-thm-2-priv", &sum)
            .note("a subroutine exists by kl-thm-9-priv; the one given there spends half")
            .proved_on("T > 0, ρ > 0, any ρ/T-zCDP subroutine")
    },
    by_hand: &[],
};

/// `kl-thm-2-priv-reading-ceil`: with Algorithm 4, whose cost tends to half its budget.
pub const THM_2_PRIV_READING_CEIL: Claim = Claim {
    id: "kl-thm-2-priv-reading-ceil",
    statement: "Algorithm 2 with ceil(T) rounds, budget ρ/T each for the real T > 0, is ρ-zCDP",
    hypotheses: "f Lipschitz; subroutine Algorithm 4",
    check: |c| {
        let total = c.constant("total in units of ρ", 1);
        let (domain, t) = Domain::of("T", open(0), closed(1));
        Argument::new(c)
            .repaired("kl-thm-2-priv-repaired")
            .states(
                "kl-thm-2-priv-reading-ceil",
                &Forall::le(domain, 1 / (2 * t), total),
            )
            .proved_on("0 < T ≤ 1")
    },
    ..THM_2_PRIV
};

/// `kl-thm-2-priv-repaired`: the budget of a round from the number of rounds that are run.
pub const THM_2_PRIV_REPAIRED: Claim = Claim {
    id: "kl-thm-2-priv-repaired",
    statement: "Algorithm 2 with N = ceil(T) rounds, budget ρ/N each, is ρ-zCDP",
    hypotheses: "f Lipschitz; any (ρ/N)-zCDP subroutine",
    check: by_kernel,
    ..THM_2_PRIV
};

/// `kl-lem-3`. Draw w from the density ∝ exp(−kF̃(w;S)). Privacy is cited (Gopi, Lee and Liu 2022, Private Convex
/// Optimization via Exponential Mechanism, arXiv 2203.00263, on its Gaussian differential privacy: for a μ-strongly convex
/// F̃ whose difference between neighbours is G-Lipschitz the draw is at least as hard to tell as N(0,1) from
/// N(G√(k/μ),1), hence (G²k/(2μ))-zCDP); here G = 2L₀/n, μ = L̃₁. Accuracy: with F̃* = F̃(0) = 0,
/// F̃(w/2) ≤ F̃(w)/2 gives E e^{kF̃/2} ≤ 2^d, so that kF̃ ≤ 2d log 2 + 2 log(1/β′) but for probability β′. With ω ≥ 1:
/// log(1/β′) ≤ max{1, ω + log d} ≤ 2dω.
pub const LEM_3: Claim = Claim {
    id: "kl-lem-3",
    place: "Sec. 4, Lemma 3",
    kind: Kind::HighProbability,
    statement: "some ρ-zCDP optimiser has excess risk at most 11 L_0^2 d ω/(L̃_1 n^2 ρ) on F + \
        L̃_1|· - w_0|^2 with probability at least 1-β′, ω = log(n^2 log^2(1/β′)/(d β′)); the print \
        has O(·) for 11",
    hypotheses: "f L_0-Lipschitz, F L̃_1-weakly convex for every dataset, ω ≥ 1",
    rests_on: &["kl-fact-sc"],
    check: lem_3,
    by_hand: &[
        "convexity of kF̃ gives E e^{kF̃/2} ≤ 2^d, by the change of variables w/2, and then a tail \
            by Markov's inequality",
        "log(1/β′) ≤ 2dω for ω ≥ 1",
    ],
};

fn lem_3(check: &Check) -> Verdict {
    let factor = check.constant("factor of the excess", 11);
    let [l, n, rho, mu] = symbols();
    let k = &rho * n.square() * &mu / (2 * l.square());
    let lipschitz = 2 * &l / &n;
    let (domain, omega) = Domain::of("ω", closed(1), infinite());
    // (2 log 2 + 4)dω·2 ≤ factor·dω.
    let spent = Forall::le(
        domain,
        2 * (2 * Expr::from(2).ln() + 4) * &omega,
        &factor * &omega,
    )
    .factored(omega, Expr::from(factor) - 4 * Expr::from(2).ln() - 8);
    let accuracy = Argument::new(check)
        .needs_identity("G^2 k/(2 μ) = ρ", lipschitz.square() * &k / (2 * &mu), &rho)
        .needs("kl-lem-3", &spent)
        .proved_on("ω ≥ 1");
    match accuracy {
        Verdict::Proved(proof) => Verdict::cited(format!(
            "regularised exponential mechanism; privacy: Gopi, Lee and Liu 2022 (arXiv \
                2203.00263); accuracy: {}",
            proof.evidence
        )),
        other => other,
    }
}

/// `kl-lem-3-restricted`, without a citation, by the paper's own Algorithm 4: for β′ ≤ 1/2 log(2/β′) ≤ 2 log(1/β′), so that the logarithm
/// of `kl-thm-9-restricted` is at most ω + log 4.
pub const LEM_3_RESTRICTED: Claim = Claim {
    id: "kl-lem-3-restricted",
    statement: "Algorithm 4 is ρ-zCDP and has excess risk at most 2640 L_0^2 d ω/(L̃_1 n^2 ρ) on F \
        + L̃_1|· - w_0|^2 with probability at least 1-β′, ω = log(n^2 log^2(1/β′)/(d β′))",
    hypotheses: "f(·;x) L_0-Lipschitz and L̃_1-weakly convex on R^d for all x; ∇ f a choice of \
        vectors with F(x) + <∇ F(x), y - x> ≤ F(y) + (L̃_1/2)|y - x|^2, which the gradient is \
        where there is one; T rounded up; ω ≥ 1, ρ ≤ 1/4, β′ ≤ 1/2, n^2 ρ log^2(2/β′) ≥ d; \
        replace-one",
    rests_on: &["kl-thm-9-priv", "kl-thm-9-restricted"],
    check: |c| {
        let factor = c.constant("factor of the excess", 2640);
        let (own, four) = (Expr::from(1101), Expr::from(4).ln());
        let (domain, omega) = Domain::of("ω", closed(1), infinite());
        let left = &own * (&omega + &four);
        let rest = Expr::from(factor.clone()) - &own - own * four / &omega;
        let spent = Forall::le(domain, left, factor * &omega).factored(omega, rest);
        Argument::new(c)
            .states("kl-lem-3-restricted", &spent)
            .proved_on("all parameters of the hypotheses")
    },
    by_hand: &[],
    ..LEM_3
};

/// `kl-lem-4`, for 𝒜 as in Lemma 3, that is with its accuracy τ_A = a(L₀²/L̃₁)r². If r ≥ 1, 𝒜(F_t, w) = w + h with ‖h‖ = rL₀/L̃₁ has it and
/// looks at no data: F_t(w + h) ≤ F(w) + L₀‖h‖ + L̃₁‖h‖², and F_t ≥ F(w) − L₀²/(4L̃₁), which leaves (r² + r + 1/4)L₀²/L̃₁. After T rounds
/// it is TrL₀/L̃₁ away. κ = 2, F₀ = (γL₀)², n√ρ = e√d: the bracket is 2, T = 2(1 + 32z), r² = Tω/e² ≥ 4z
/// for ω ≥ 1; with z = y², T·r over 1 + r + z, which grows in r, is at least y. The polylogarithms that Õ hides are those of T/β.
pub const LEM_4: Claim = Claim {
    id: "kl-lem-4",
    place: "Sec. 4, Lemma 4; App. C.1",
    kind: Kind::HighProbability,
    statement: "with probability at least 1-β, |w_t - w_0| ≤ Õ((L_0/L̃_1)(1 + r) + L_0 \
        F_0^{(κ-2)/κ} γ^2) for t = 1, …, T, r = √(T d ω)/(n √(ρ))",
    hypotheses: "A has the privacy and the accuracy of Lemma 3; L̃_1 > 0",
    rests_on: &[],
    check: |c| {
        let growth = c.constant("claimed lower bound of the ratio in units of √(z)", 1);
        let (domain, r) = Domain::of("r", closed(1), infinite());
        let accurate = Forall::le(domain, r.square() + &r + ratio(1, 4), 11 * r.square());
        let (domain, y) = Domain::of("√(z)", closed(1), infinite());
        let rounds = 2 * (1 + 32 * y.square());
        let far = Forall::le(domain, growth * &y * (1 + &y).square(), rounds * (2 * &y));
        match Argument::new(c)
            .needs("kl-lem-4/accuracy", &accurate)
            .proved_on("")
        {
            Verdict::Proved(_) => diverges(
                c,
                "kl-lem-4",
                &far,
                "A(F_t, w) = w + h, |h| = r L_0/L~_1, at κ = 2, F_0 = (γ L_0)^2, n √(ρ) = e √(d): \
                    the ratio of the two sides is at least the root of z = γ^2 L~_1, up to \
                    logarithms, without bound",
                "kl-lem-4-repaired",
            ),
            other => other,
        }
    },
    by_hand: &[],
};

/// `kl-lem-4-repaired`. F_t is L̃₁-strongly convex, so that F_t(w_t) − F_t* ≤ τ_A puts w_t within √(2τ_A/L̃₁) of the exact minimiser, which is
/// within L₀/(2L̃₁) of w_{t−1} (`kl-thm-9-radius`). With τ_A = a(L₀²/L̃₁)r² that is (T L₀/L̃₁)(1/2 + √(2a)r).
pub const LEM_4_REPAIRED: Claim = Claim {
    id: "kl-lem-4-repaired",
    statement: "if every call of A has the accuracy τ_A then |w_t - w_0| ≤ T(L_0/(2L̃_1) + √(2 \
        τ_A/L̃_1)) for t = 1, …, T, any A",
    hypotheses: "F L_0-Lipschitz and L̃_1-weakly convex, L̃_1 > 0",
    rests_on: &["kl-thm-9-radius", "kl-fact-sc"],
    check: |c| {
        let two = c.constant("number under the root", 2);
        let mut domain = Domain::new();
        // F_t = F_t* + (L̃₁/2)s² at its least: s² ≤ (two/L̃₁)τ_A.
        let square = domain.real("|w_t - w_t*|^2", closed(0), infinite());
        let half = Rational::from(&two / 2);
        let near = Forall::le(domain, square.clone(), &half * &square).factored(square, half - 1);
        let [t, radius, miss] = symbols();
        Argument::new(c)
            .states("kl-lem-4-repaired", &near)
            .needs_identity(
                "T steps of at most radius + miss",
                &t * (&radius + &miss),
                &t * &radius + &t * &miss,
            )
            .proved_on("all parameters of the hypotheses, any A")
    },
    by_hand: &[],
    ..LEM_4
};

/// `kl-lem-4-restricted`: (1 + r)(1 + z) ≤ 2(1 + r + z) for r ≤ 1.
pub const LEM_4_RESTRICTED: Claim = Claim {
    id: "kl-lem-4-restricted",
    hypotheses: "A has the privacy and the accuracy of Lemma 3; L̃_1 > 0, r ≤ 1",
    rests_on: &["kl-lem-4-repaired"],
    check: |c| {
        let factor = c.constant("factor of 1 + r + z", 2);
        let mut domain = Domain::new();
        let r = domain.real("r", closed(0), closed(1));
        let z = domain.real("F_0^((κ-2)/κ) γ^2 L~_1", closed(0), infinite());
        let product = Forall::le(domain, (1 + &r) * (1 + &z), factor * (1 + r + z));
        Argument::new(c)
            .states("kl-lem-4-restricted", &product)
            .proved_on("r ≤ 1, all other parameters of the hypotheses")
    },
    by_hand: &["Õ hides the bracket of T and the constant of Lemma 3"],
    ..LEM_4
};

/// `kl-lem-4-reading-alg-4`: the last line of Algorithm 4 averages points of the ball of radius L₀/(2L̃₁) about w_{t−1}.
pub const LEM_4_READING_ALG_4: Claim = Claim {
    id: "kl-lem-4-reading-alg-4",
    statement: "|w_t - w_0| ≤ (L_0/(2L̃_1) + 16 L_0 F_0^{(κ-2)/κ} γ^2)[log F_0 + κ log(n √(ρ)/(γ \
        L_0 √(d)))] for t = 1, …, T, with probability 1",
    hypotheses: "A is Algorithm 4; t ≤ T real, L̃_1 > 0",
    rests_on: &["kl-thm-9-radius"],
    check: by_kernel,
    by_hand: &[],
    ..LEM_4
};

/// `kl-lem-4-proof`: for a general 𝒜 the last line of the display drops 1 + r from the second term. With r = z = s
/// the two sides are (1+s)² and 1 + 2s.
pub const LEM_4_PROOF: Claim = Claim {
    id: "kl-lem-4-proof",
    place: "App. C.1, last equality",
    kind: Kind::PathwiseInequality,
    statement: "(1/L̃_1)(1 + r)(1 + z) = O((1/L̃_1)(1 + r) + z/L̃_1), z = F_0^{(κ-2)/κ} γ^2 L̃_1, \
        r = √(T d ω)/(n √(ρ))",
    hypotheses: "r, z > 0",
    rests_on: &[],
    check: |c| {
        let growth = c.constant(
            "claimed lower bound of the ratio in units of s",
            ratio(1, 2),
        );
        let (domain, s) = Domain::of("r = z", closed(0), infinite());
        let ratio = Forall::le(domain, growth * &s * (1 + 2 * &s), (1 + &s).square());
        diverges(
            c,
            "kl-lem-4-proof",
            &ratio,
            "r = z = s: the ratio of the two sides is at least s/2, without bound",
            "kl-lem-4-repaired",
        )
    },
    by_hand: &[],
};

/// A statement up to a constant is refuted by a family along which the ratio of its sides grows without bound, which is
/// what `growth` says.
pub(super) fn diverges(
    check: &Check,
    name: &str,
    growth: &Forall,
    text: &str,
    repaired: &'static str,
) -> Verdict {
    match decide(check, name, growth) {
        Decision::Proved(_) => Verdict::refuted(
            text,
            format!(
                "{name}: the growth of the ratio is proved on {}",
                growth.describe_domain()
            ),
            Some(repaired),
        ),
        _ => Verdict::open("the growth of the ratio was not proved"),
    }
}
