//! Appendix B.1: sensitivities and unit costs of the two kinds of release of Algorithm 1.

use crate::arith::{Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 10] = [
    LEM_8_GRAD,
    LEM_8_GRAD_READING_ZERO_OUT,
    LEM_8_GRAD_REPAIRED,
    LEM_8_DIFF,
    LEM_8_DIFF_READING_ZERO_OUT,
    LEM_8_DIFF_REPAIRED,
    LEM_8_MECH,
    LEM_8_MECH_READING_ZERO_OUT,
    LEM_8_MECH_PROOF,
    LEM_8_MECH_REPAIRED,
];

/// How far one sample's contribution can move, in units of its bound: `REPLACE_ONE` for "differing in one
/// data point" of Definition 2, `ZERO_OUT` when the other dataset's sample contributes nothing.
pub(super) const REPLACE_ONE: i32 = 2;
/// See [`REPLACE_ONE`].
pub(super) const ZERO_OUT: i32 = 1;

/// `kl-lem-8-grad`. The gradients of the other records add up to m. For f = √(1 + (w−x)²), which
/// has L₀ = L₁ = 1 and a minimiser for every dataset, replacing −4/3 by 4/3 moves the gradient at 0
/// from 4/5 to −4/5; a linear loss reaches 2L₀/n.
pub const LEM_8_GRAD: Claim = Claim {
    id: "kl-lem-8-grad",
    place: "App. B.1, proof of Lemma 8",
    kind: Kind::Sensitivity,
    statement: "the gradient estimate at the start of a round has L2 sensitivity L_0/n",
    hypotheses: "f(·;x) L_0-Lipschitz at the iterate; datasets of Definition 2 (replace-one)",
    check: |c| {
        let factor = c.constant("factor of L_0/n", 1);
        let repaired = "kl-lem-8-grad-repaired";
        mean_gradient(c, "kl-lem-8-grad", REPLACE_ONE, &factor)
            .repaired(repaired)
            .proved_on("n ≥ 1, L_0 > 0")
    },
    ..Claim::ALONE
};

/// `kl-lem-8-grad-reading-zero-out`: the removed sample contributes the zero gradient, n stays.
pub const LEM_8_GRAD_READING_ZERO_OUT: Claim = Claim {
    id: "kl-lem-8-grad-reading-zero-out",
    hypotheses: "f(·;x) L_0-Lipschitz on R^d for all x; a sample is replaced by one without \
        gradient (zero-out)",
    check: |c| {
        let factor = c.constant("factor of L_0/n", 1);
        mean_gradient(c, "kl-lem-8-grad-reading-zero-out", ZERO_OUT, &factor)
            .proved_on("n ≥ 1, L_0 > 0, any dimension")
    },
    ..LEM_8_GRAD
};

/// `kl-lem-8-grad-repaired`: twice the printed value, as Appendix E has it; attained.
pub const LEM_8_GRAD_REPAIRED: Claim = Claim {
    id: "kl-lem-8-grad-repaired",
    statement: "the gradient estimate at the start of a round has L2 sensitivity 2 L_0/n",
    check: |c| {
        let factor = c.constant("factor of L_0/n", 2);
        mean_gradient(c, "kl-lem-8-grad-repaired", REPLACE_ONE, &factor)
            .note("ratio to the printed value 2, all of it necessary")
            .proved_on("n ≥ 1, L_0 > 0, any dimension")
    },
    ..LEM_8_GRAD
};

/// The mean of n gradients of norm ≤ L₀, one of which changes, moves by at most `factor`·L₀/n. The n − 1
/// common ones cancel; ‖a − b‖² ≤ 2‖a‖² + 2‖b‖² for replace-one, ‖a‖² for zero-out.
pub(super) fn mean_gradient<'a>(
    check: &'a Check,
    name: &str,
    moved: i32,
    factor: &Rational,
) -> Argument<'a> {
    let mut domain = Domain::new();
    let (l, n) = (
        domain.real("L_0", open(0), infinite()),
        domain.integer_from("n", 1),
    );
    let attained = Forall::le(domain, moved * &l / &n, factor.clone() * &l / &n)
        .factored(l / n, Expr::from(Rational::from(factor - moved)));
    let [a, b] = symbols();
    let bound = Rational::from(factor * factor);
    let form = if moved == REPLACE_ONE {
        bound / 2 * (a.square() + b.square()) - (&a - &b).square()
    } else {
        bound * a.square() - a.square()
    };
    Argument::new(check)
        .states(name, &attained)
        .needs_nonnegative_form("upper bound, coordinate by coordinate", &form, 2)
        .note("the first step is attained by linear losses at every iterate")
}

/// `kl-lem-8-diff`. The step has length Φ̂_k^{1/κ}/(4γL₁) whatever the data, so the printed middle term is
/// Φ̂_k^{1/κ}/(4γn): at most Φ̂_k^{1/κ}/n only for γ ≥ 1/4, and half of what replacement moves. `while t ≤ T_k`
/// runs ⌊T_k⌋ + 1 times.
pub const LEM_8_DIFF: Claim = Claim {
    id: "kl-lem-8-diff",
    statement: "the gradient difference has sensitivity η L_1 |∇|/n ≤ Φ_k^{1/κ}/n, and a round \
        releases at most T_k of them",
    hypotheses: "f(·;x) L_1-smooth on the segment; γ > 0, T_k ≥ 1; replace-one",
    check: |c| lem_8_diff(c, "kl-lem-8-diff", REPLACE_ONE),
    ..LEM_8_GRAD
};

/// `kl-lem-8-diff-reading-zero-out`: fails for γ < 1/4 and by the count.
pub const LEM_8_DIFF_READING_ZERO_OUT: Claim = Claim {
    id: "kl-lem-8-diff-reading-zero-out",
    hypotheses: "f(·;x) L_1-smooth on the segment; γ > 0, T_k ≥ 1; zero-out",
    check: |c| lem_8_diff(c, "kl-lem-8-diff-reading-zero-out", ZERO_OUT),
    ..LEM_8_DIFF
};

fn lem_8_diff(check: &Check, name: &str, moved: i32) -> Verdict {
    let bound = check.constant("bound in units of Φ^{1/κ}/n", 1);
    let extra = check.constant("differences beyond T_k", 0);
    let mut domain = Domain::new();
    let phi = domain.real("Φ_k^{1/κ}", open(0), infinite());
    let gamma = domain.real("γ", open(0), infinite());
    let n = domain.integer_from("n", 1);
    let shift = moved * &phi / (4 * &gamma * &n);
    let size = Forall::le(domain, shift, bound * phi / n);
    Argument::new(check)
        .repaired("kl-lem-8-diff-repaired")
        .states(&format!("{name}/size"), &size)
        .states_that("number of differences at T_k = 1", 2 <= 1 + extra, || {
            "T_k = 1: `while t ≤ T_k` runs for t = 0 and t = 1".to_owned()
        })
        .proved_on("γ > 0, n ≥ 1")
}

/// `kl-lem-8-diff-repaired`. Attained by f(w;s) = s(L₁/2)‖w − w₀‖², s = ±1, at every step.
pub const LEM_8_DIFF_REPAIRED: Claim = Claim {
    id: "kl-lem-8-diff-repaired",
    statement: "the gradient difference has sensitivity Φ_k^{1/κ}/(2 γ n) under replace-one and \
        half of that under zero-out; a round releases at most floor(T_k) + 1 ≤ 2 T_k of them",
    check: lem_8_diff_repaired,
    ..LEM_8_DIFF
};

fn lem_8_diff_repaired(check: &Check) -> Verdict {
    let half = check.constant("factor of Φ^{1/κ}/(γ n)", ratio(1, 2));
    let double = check.constant("differences per T_k", 2);
    let [phi, gamma, n, l] = symbols();
    let step = &phi / (4 * &gamma * &l);
    let moved = &l * &step - (0 - &l * &step);
    let mut domain = Domain::new();
    let whole = domain.integer_from("floor(T_k)", 1);
    let rest = domain.real("T_k - floor(T_k)", closed(0), open(1));
    let count = Forall::le(domain, &whole + 1, double * (whole + rest));
    let [a, b] = symbols();
    Argument::new(check)
        .states_identity(
            "s = 1 against s = -1 in the quadratic pair",
            moved / &n,
            half * &phi / (&gamma * &n),
        )
        .states("kl-lem-8-diff-repaired", &count)
        .needs_nonnegative_form(
            "|a - b|^2 ≤ 2|a|^2 + 2|b|^2 for gradient differences a, b of norm ≤ L_1 |step|",
            &(2 * a.square() + 2 * b.square() - (&a - &b).square()),
            2,
        )
        .proved_on("γ > 0, n ≥ 1, T_k ≥ 1, any dimension")
}

/// `kl-lem-8-mech`. The printed 1/K lacks the factor ρ.
pub const LEM_8_MECH: Claim = Claim {
    id: "kl-lem-8-mech",
    kind: Kind::Calibration,
    statement: "each gradient at the start of a round is (1/K)-zCDP, each difference (ρ/(K \
        T_k))-zCDP",
    hypotheses: "σ_hat, σ_k of Algorithm 1; replace-one",
    rests_on: &["skgd-lem-D.3"],
    check: by_kernel,
    ..LEM_8_GRAD
};

/// `kl-lem-8-mech-reading-zero-out`: fails for ρ > 2.
pub const LEM_8_MECH_READING_ZERO_OUT: Claim = Claim {
    id: "kl-lem-8-mech-reading-zero-out",
    hypotheses: "σ_hat, σ_k of Algorithm 1; zero-out",
    check: by_kernel,
    ..LEM_8_MECH
};

/// `kl-lem-8-mech-proof`: what the sum of the same proof uses.
pub const LEM_8_MECH_PROOF: Claim = Claim {
    id: "kl-lem-8-mech-proof",
    statement: "each gradient at the start of a round is (ρ/K)-zCDP, each difference (ρ/(K \
        T_k))-zCDP",
    check: by_kernel,
    ..LEM_8_MECH
};

/// `kl-lem-8-mech-repaired`: the exact unit costs, from the printed noise and the true sensitivities.
pub const LEM_8_MECH_REPAIRED: Claim = Claim {
    id: "kl-lem-8-mech-repaired",
    statement: "each gradient at the start of a round costs exactly 2 ρ/K and each difference ρ/(8 \
        K T_k) under replace-one, a quarter of both under zero-out",
    hypotheses: "σ_hat, σ_k of Algorithm 1; the worst pair",
    rests_on: &[
        "skgd-lem-D.3",
        "kl-lem-8-grad-repaired",
        "kl-lem-8-diff-repaired",
    ],
    check: by_kernel,
    by_hand: &[],
    ..LEM_8_MECH
};
