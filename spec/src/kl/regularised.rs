//! Appendix E: Algorithm 4 and Theorem 9, regularised Lipschitz losses.

use super::spider_sensitivity::{REPLACE_ONE, mean_gradient};
use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, enumerate, open, symbols};

/// The claims of this part, in the paper's order; reductions come last.
pub(super) const CLAIMS: [Claim; 10] = [
    ALG_4,
    ALG_4_REPAIRED,
    FACT_SC,
    THM_9_RADIUS,
    THM_9_SENS,
    THM_9_PRIV,
    THM_9_NOISE,
    THM_9_NOISE_REPAIRED,
    THM_9_MART,
    RED_NORM,
];

/// The first point that Algorithm 4 reads without having been given or computed, for T = `rounds`.
fn unassigned(start: &Rational, rounds: i64) -> Option<i64> {
    let mut assigned = vec![start.clone()];
    for t in 1..rounds {
        if !assigned.contains(&Rational::from(t)) {
            return Some(t);
        }
        assigned.push(Rational::from(t + 1));
    }
    (1..=rounds).find(|t| !assigned.contains(&Rational::from(*t)))
}

fn starts_at(check: &Check, start: i64) -> Argument<'_> {
    let start = check.constant("index of the point given at the start", start);
    let found = enumerate(1..=6_i64, |rounds| {
        unassigned(&start, *rounds)
            .map(|t| format!("T = {rounds}: w_{t} is read and never assigned"))
    });
    let failure = found.err();
    Argument::new(check)
        .repaired("kl-alg-4-repaired")
        .states_unless("reads after assignments for T = 1, ..., 6", failure)
}

/// `kl-alg-4`. The input is w_0, the loop begins with w_1 (and prints ∇F̃(w) for ∇F̃(w_t)).
pub const ALG_4: Claim = Claim {
    id: "kl-alg-4",
    place: "App. E, Algorithm 4",
    kind: Kind::Algorithm,
    statement: "from w_0: for t = 1, …, T-1, w_{t+1} ← projection of w_t - η_t(∇ F̃(w) + ξ_t) onto \
        the ball of radius L_0/(2L̃_1) about w_0; return the average of w_1, …, w_T with weights t",
    hypotheses: "T ≥ 1 an integer, L̃_1 > 0",
    check: |c| starts_at(c, 0).proved_on("all T ≥ 1"),
    ..Claim::ALONE
};

/// `kl-alg-4-repaired`: w_1 = w_0, gradient at w_t.
pub const ALG_4_REPAIRED: Claim = Claim {
    id: "kl-alg-4-repaired",
    statement: "with w_1 = w_0 and the gradient at w_t, Algorithm 4 reads only what it has, and \
        its weights add up to 1",
    check: |c| {
        let [t] = symbols();
        // Σ_{s≤t} s = t(t+1)/2 by its first value and its differences.
        let sum = |t: &Expr| t * (t + 1) / 2;
        starts_at(c, 1)
            .needs_identity("differences of t(t+1)/2", sum(&t) - sum(&(&t - 1)), &t)
            .proved_on("all T ≥ 1: after round t the points w_1, ..., w_{t+1} are assigned")
    },
    ..ALG_4
};

/// `kl-fact-sc`: from the definition of weak convexity and the parallelogram identity; f = −(L̃₁/2)‖w‖² is the
/// extreme case.
pub const FACT_SC: Claim = Claim {
    id: "kl-fact-sc",
    place: "App. E; App. C.2",
    kind: Kind::Imported,
    statement: "if f is L̃_1-weakly convex, f + L̃_1|· - w_0|^2 is L̃_1-strongly convex",
    hypotheses: "weak convexity as in Section 2, L̃_1 ≥ 0",
    rests_on: &[],
    check: by_kernel,
    by_hand: &[],
};

/// `kl-thm-9-radius`. At the minimiser 2L̃₁(w* − w_0) is minus a subgradient of F, of norm at most L₀. f = L₀w attains
/// both bounds.
pub const THM_9_RADIUS: Claim = Claim {
    id: "kl-thm-9-radius",
    place: "App. E, proof of Theorem 9",
    kind: Kind::PathwiseInequality,
    statement: "the minimiser of F∼ has |w* - w_0| ≤ L_0/(2L̃_1), and F∼ is 2L_0-Lipschitz on that \
        ball",
    hypotheses: "f L_0-Lipschitz and L̃_1-weakly convex, L̃_1 > 0",
    rests_on: &["kl-fact-sc"],
    check: by_kernel,
    by_hand: &[],
};

/// `kl-thm-9-sens`: the regulariser cancels.
pub const THM_9_SENS: Claim = Claim {
    id: "kl-thm-9-sens",
    place: "App. E, proof of Theorem 9",
    kind: Kind::Sensitivity,
    statement: "the gradient of F∼ has L2 sensitivity 2 L_0/n",
    hypotheses: "f(·;x) L_0-Lipschitz on R^d; replace-one",
    rests_on: &[],
    check: |c| {
        let factor = c.constant("factor of L_0/n", 2);
        let [a, b, r] = symbols();
        mean_gradient(c, "kl-thm-9-sens", REPLACE_ONE, &factor)
            .needs_identity("regulariser r in both", (&a + &r) - (&b + &r), &a - &b)
            .proved_on("n ≥ 1, L_0 > 0, any dimension and measurable choice of subgradients")
    },
    by_hand: &[],
};

/// `kl-thm-9-priv`. Each of the T − 1 gradients costs (2L₀/n)²/(2σ²) = ρ/(2T), so that half the budget is spent.
/// With T real the loop has fewer than T rounds however T is rounded.
pub const THM_9_PRIV: Claim = Claim {
    id: "kl-thm-9-priv",
    place: "App. E, Theorem 9, first part",
    kind: Kind::MechanismPrivacy,
    statement: "Algorithm 4 with σ^2 = 4 L_0^2 T/(n^2 ρ) is ρ-zCDP, all noisy gradients included",
    hypotheses: "f(·;x) L_0-Lipschitz on R^d, ρ > 0, T > 0 real, t = 1, …, T-1 with T rounded up \
        or down; replace-one",
    rests_on: &["skgd-lem-D.3", "skgd-prop-D.6", "kl-thm-9-sens"],
    check: |c| {
        let variance = c.constant("σ^2 in units of L_0^2 T/(n^2 ρ)", VARIANCE);
        if variance <= 0 {
            return Verdict::refuted("no noise at all", "sign of the variance", None);
        }
        let [l, n, rho, t] = symbols();
        let sigma = &variance * l.square() * &t / (n.square() * &rho);
        let unit = (2 * &l / &n).square() / (2 * sigma);
        let (domain, share) = Domain::of("rounds/T", closed(0), open(1));
        let spent = Forall::le(domain, 2 / Expr::from(variance.clone()) * share, 1);
        Argument::new(c)
            .needs_identity(
                "cost of a gradient",
                &unit,
                2 * &rho / (Expr::from(variance) * &t),
            )
            .states("kl-thm-9-priv", &spent)
            .note("half of the printed variance suffices")
            .proved_on("ρ > 0, T > 0, n ≥ 1, all losses of the hypotheses")
    },
    by_hand: &[],
};

/// σ² of Theorem 9 in units of L₀²T/(n²ρ), as printed.
const VARIANCE: i32 = 4;

/// `kl-thm-9-noise`, at d = 1, T = 101, β = 1/100: 100 independent normal variables.
pub const THM_9_NOISE: Claim = Claim {
    id: "kl-thm-9-noise",
    place: "App. E, proof of Theorem 9 (Jin et al. 2019)",
    kind: Kind::HighProbability,
    statement: "with probability at least 1 - β/2, |ξ_t| ≤ σ √(d log(2T/β)) for all t",
    hypotheses: "ξ_1, …, ξ_{T-1} independent N(0, σ^2 I_d), β in (0, 1)",
    rests_on: &[],
    check: |c| {
        let factor = c.constant("factor of d log(2T/β)", 1);
        let log = Interval::from(20_200).ln();
        let tail = (Interval::from_rational(&(factor / 2)) * log).sqrt().erfc();
        let all = (Interval::from(1) - &tail).powi(100);
        let claimed = Interval::from_rational(&(1 - ratio(1, 200)));
        Argument::new(c)
            .repaired("kl-thm-9-noise-repaired")
            .states_that(
                "d = 1, T = 101, β = 1/100 in 128-bit intervals",
                !all.certainly_lt(&claimed),
                || format!("d = 1, T = 101, β = 1/100: the probability is {all} < 199/200"),
            )
            .open_for("one point")
    },
    by_hand: &[],
};

/// `kl-thm-9-noise-repaired`: twice the bound, by `kl-red-norm` with x = log(2T/β) ≥ log 2; in the kernel by other tails, as T ≥ 2 where
/// there is noise.
pub const THM_9_NOISE_REPAIRED: Claim = Claim {
    id: "kl-thm-9-noise-repaired",
    statement: "with probability at least 1 - β/2, |ξ_t| ≤ 2 σ √(d log(2T/β)) for all t",
    rests_on: &["kl-red-norm"],
    check: by_kernel,
    by_hand: &[],
    ..THM_9_NOISE
};

/// `kl-thm-9-mart`, as printed (unweighted, with the factor T): on the event every term is at most the diameter
/// times the noise bound.
pub const THM_9_MART: Claim = Claim {
    id: "kl-thm-9-mart",
    place: "App. E, proof of Theorem 9 (Harvey, Liaw, Randhawa 2019, Lemma 4)",
    kind: Kind::HighProbability,
    statement: "given |ξ_t| ≤ σ √(d log(2T/β)), ∑_{t≤T} ⟨ξ_t, w_t - w*⟩ ≤ (3/2)(L_0/L̃_1) √(d \
        log(2T/β)) σ log(2/β) T; the print has O(·) for 3/2",
    hypotheses: "w_t, w* in the ball of radius L_0/(2L̃_1), β in (0, 1]",
    rests_on: &["kl-thm-9-radius"],
    check: |c| {
        let factor = c.constant("constant of the O(.)", ratio(3, 2));
        let (domain, beta) = Domain::of("β", open(0), closed(1));
        let enough = Forall::le(domain, 1, factor * (Expr::from(2).ln() - beta.ln()));
        let [l, tilde] = symbols();
        Argument::new(c)
            .states("kl-thm-9-mart", &enough)
            .needs_identity("diameter", 2 * (&l / (2 * &tilde)), &l / &tilde)
            .note("Cauchy's inequality for each term; attained by terms along the diameter")
            .proved_on("all T, d, β in (0, 1], on the event with probability 1")
    },
    by_hand: &[],
};

/// `kl-red-norm`. d = 1: {|Z_1|, |Z_2| > y} lies in {Z_1² + Z_2² > 2y²}, so P(|Z| > y)² ≤ e^{−y²}; y² = 4x. d ≥ 2:
/// E e^{χ²/4} = √2^d, so the tail is at most (√2 e^{−x})^d, and d(log 2)/2 ≤ (d − 1)x for x ≥ log 2.
pub const RED_NORM: Claim = Claim {
    id: "kl-red-norm",
    place: "reduction (norm of a Gaussian vector)",
    kind: Kind::HighProbability,
    statement: "for Z ∼ N(0, I_d), P(|Z|^2 > 4 d x) ≤ e^{-x}",
    hypotheses: "d ≥ 1, x ≥ log 2",
    rests_on: &[],
    check: |c| {
        let power = c.constant("exponent in units of x", 1);
        let factor = c.constant("factor of d x", 4);
        // d = 1, x = 1000.
        let tail = Interval::from_rational(&Rational::from(&factor * 500))
            .sqrt()
            .erfc();
        let claimed = Interval::from_rational(&Rational::from(&power * -1000)).exp();
        let mut domain = Domain::new();
        let d = domain.integer_from("d", 2);
        let half = Forall::le(domain, &d / 2, d - 1);
        Argument::new(c)
            .states_that("d = 1, x = 1000", !claimed.certainly_lt(&tail), || {
                format!("d = 1, x = 1000: the tail is {tail} > {claimed}")
            })
            .needs_that("d = 1: 4x/2 ≥ x", Rational::from(&factor / 2) >= power)
            .needs_that(
                "moment at 1/4: exponent factor/4",
                Rational::from(&factor / 4) >= power,
            )
            .needs("kl-red-norm", &half)
            .note("for d = 1 twice the exponent holds")
            .proved_on("all d ≥ 1, x ≥ log 2")
    },
    by_hand: &[],
};
