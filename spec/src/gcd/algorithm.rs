//! Algorithm 1, its sensitivities, its clipped variant, the baselines and their cost.

use crate::arith::Rational;
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Costs, Domain, Expr, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 13] = [
    ALG_1,
    REM_4_1,
    FOOT_2,
    SENS_1,
    SENS_1_PROOF,
    SENS_CLIP,
    ALG_CLIP,
    ALG_DPCD,
    ALG_DPSGD,
    ALG_DPSGD_SENS,
    COST,
    EXP,
    REM_4_5,
];

/// `gcd-alg-1`: every step is defined for all inputs with M_j > 0, the arg max of finitely many numbers
/// exists, and T rounds touch the data 2T times with T(p+1) Laplace draws.
pub const ALG_1: Claim = Claim {
    id: "gcd-alg-1",
    place: "Sec. 3/4.1, Algorithm 1",
    kind: Kind::Algorithm,
    statement: "for t = 0…T-1: j_t = argmax |∇_j f(w^t) + χ_j|/√(M_j); w^{t+1} = w^t - γ (∇_{j_t} \
        f(w^t) + η) e_{j_t}; two data accesses a round",
    hypotheses: "p ≥ 1, T ≥ 1, M_j > 0, γ_j > 0, scales ≥ 0",
    check: alg_1,
    ..Claim::ALONE
};

fn alg_1(check: &Check) -> Verdict {
    let accesses = check.constant("data accesses a round", 2);
    let mut domain = Domain::new();
    let z = domain.real("|grad_j f + χ_j|", closed(0), infinite());
    let m = domain.real("M_j", open(0), infinite());
    let score = Forall::le(domain, 0, &z / m.sqrt());
    let [t, p] = symbols();
    let accessed = Costs::new()
        .release("selection, t = 0..T-1", &t, 1)
        .release("gradient entry, t = 0..T-1", &t, 1);
    let drawn = Costs::new()
        .release("selection noise, t = 0..T-1, j = 1..p", &t, &p)
        .release("release noise, t = 0..T-1", &t, 1);
    Argument::new(check)
        .states("gcd-alg-1", &score)
        .states_identity("data accesses", accessed.total(), accesses * &t)
        .states_identity("Laplace draws", drawn.total(), &t * (&p + 1))
        .proved_on("all p ≥ 1, T ≥ 1, M_j > 0, gradients and noises in R")
}

/// `gcd-rem-4.1`: a round writes one coordinate, so t rounds leave at most t non-zeros.
pub const REM_4_1: Claim = Claim {
    id: "gcd-rem-4.1",
    place: "Remark 4.1; proof of Thm 4.7",
    kind: Kind::PathwiseInequality,
    statement: "started at w^0 = 0, ‖w^t‖_0 ≤ t for all t",
    hypotheses: "w^0 = 0",
    rests_on: &["gcd-alg-1"],
    by_hand: &[],
    check: by_kernel,
};

/// `gcd-foot-2`. What is accounted for are the 2T accesses, whose outcomes determine every iterate: whatever (ε, δ) holds
/// of w^T by composition holds of w¹, …, w^T.
pub const FOOT_2: Claim = Claim {
    id: "gcd-foot-2",
    place: "Footnote 2",
    kind: Kind::MechanismPrivacy,
    statement: "the (ε, δ) that the composition of the 2T accesses gives for w^T holds for all of \
        w^1, …, w^T",
    hypotheses: "w^0, γ, T fixed without looking at the data",
    rests_on: &["gcd-alg-1"],
    by_hand: &[
        "the term has the noise of gcd-thm-4.2-repaired; that any other composition of the 2T \
            accesses covers all iterates too, as the accesses determine them, is read off",
    ],
    check: by_kernel,
};

/// `gcd-sens-1`, Section 3: ∂_j ℓ(w; d) lies in [−L_j, L_j] for every record, so that two records differ
/// by at most 2L_j; linear losses attain it.
pub const SENS_1: Claim = Claim {
    id: "gcd-sens-1",
    place: "Sec. 3, after Definition 3.1; App. A",
    kind: Kind::Sensitivity,
    statement: "the j-th coordinate of the loss's gradient has sensitivity at most 2 L_j",
    hypotheses: "l(·;d) differentiable and L-component-Lipschitz for every d; replace-one",
    check: |check| sensitivity(check, "factor of L_j", false),
    ..Claim::ALONE
};

/// `gcd-sens-1-proof`: what Appendix A calibrates with, λ_j = 2L_j/(nε′): the mean over n records moves
/// by at most 2L_j/n.
pub const SENS_1_PROOF: Claim = Claim {
    id: "gcd-sens-1-proof",
    place: "App. A, λ_j = 2 L_j/(n ε′)",
    statement: "the j-th coordinate of ∇ f, f = (1/n) ∑ l, has sensitivity at most 2 L_j/n",
    check: |check| sensitivity(check, "factor of L_j/n", true),
    ..SENS_1
};

/// |x − y| ≤ factor · L for x, y in [−L, L], or the same for their means over n records that differ in
/// one; both signs by exchanging D and D'.
fn sensitivity(check: &Check, constant: &'static str, mean: bool) -> Verdict {
    let factor = check.constant(constant, 2);
    let mut domain = Domain::new();
    let l = domain.real("L_j", closed(0), infinite());
    let x = domain.real("derivative under D, over L_j", closed(-1), closed(1));
    let y = domain.real("derivative under D', over L_j", closed(-1), closed(1));
    let n = domain.integer_from("n", 1);
    let unit = if mean { l / n } else { l };
    let statement =
        Forall::le(domain, &unit * &x - &unit * &y, &unit * &factor).factored(unit, factor - x + y);
    let name = if mean {
        "gcd-sens-1-proof"
    } else {
        "gcd-sens-1"
    };
    Argument::new(check)
        .states(name, &statement)
        .note("attained by l(w;d) = <d,w>, d_j = +-L_j, for all j and any signs at once")
        .proved_on("all n ≥ 1, L_j > 0, w, pairs of records")
}

/// `gcd-sens-clip`: clipped derivatives lie in [−C_j, C_j] whatever the loss does.
pub const SENS_CLIP: Claim = Claim {
    id: "gcd-sens-clip",
    place: "Sec. 5, gradient clipping",
    kind: Kind::Sensitivity,
    statement: "with per-record clipping at C_j, |g_j(D) - g_j(D′)| ≤ 2 C_j/n",
    hypotheses: "replace-one, C_j > 0; l(·;d) differentiable and L-component-Lipschitz for some L",
    rests_on: &["gcd-sens-1-proof"],
    by_hand: &[],
    check: sens_clip,
};

fn sens_clip(check: &Check) -> Verdict {
    let factor = check.constant("factor of C_j/n", 2);
    let mut argument = Argument::new(check);
    // C_j is the unit; a derivative of either sign is ±(a number ≥ 0).
    for (k, signs) in [(1, 1), (1, -1), (-1, 1), (-1, -1)].into_iter().enumerate() {
        let mut domain = Domain::new();
        let x = domain.real("|derivative under D|/C_j", closed(0), infinite());
        let y = domain.real("|derivative under D'|/C_j", closed(0), infinite());
        let clip = |z: Expr| z.max(-1).min(1);
        let moved = clip(x * signs.0) - clip(y * signs.1);
        let statement = Forall::le(domain, moved, factor.clone());
        argument = argument.states(&format!("gcd-sens-clip/{k}"), &statement);
    }
    argument.proved_on("all n ≥ 1, C_j > 0 (the unit), all derivatives in R")
}

/// `gcd-alg-clip`: with C_j ∝ √M_j all selection noises have the same scale in score units.
pub const ALG_CLIP: Claim = Claim {
    id: "gcd-alg-clip",
    place: "Sec. 5, Hyperparameters",
    kind: Kind::Algorithm,
    statement: "per-coordinate clipping at C_j = C √(M_j/∑_k M_k), steps γ/M_j; noise 2C_j/(n ε′)",
    hypotheses: "C > 0, M_j > 0, n ≥ 1; the formula of C_j is that of the companion paper (Sec. 5: \
        as proposed by [31])",
    rests_on: &["gcd-alg-1"],
    by_hand: &[],
    check: alg_clip,
};

fn alg_clip(check: &Check) -> Verdict {
    let factor = check.constant("factor of C_j/n", 2);
    let [c, m, trace, n, e] = symbols();
    let clip = &c * m.sqrt() / trace.sqrt();
    let in_score_units = &factor * &clip / (&n * &e) / m.sqrt();
    Argument::new(check)
        .states_identity(
            "noise scale in score units does not depend on j",
            &in_score_units,
            2 * &c / (&n * &e * trace.sqrt()),
        )
        .proved_on("all p ≥ 1, n ≥ 1, C > 0, M_j > 0, ε' > 0")
}

/// `gcd-alg-dpcd`: K Gaussian releases of noise multiplier σ compose to (α, Kα/(2σ²))-RDP.
pub const ALG_DPCD: Claim = Claim {
    id: "gcd-alg-dpcd",
    place: "Sec. 5 (baseline DP-CD, Mangold et al. 2022)",
    kind: Kind::Algorithm,
    statement: "uniformly random coordinate, w_j ← prox(w_j - γ_j (g_j + N(0, σ_j^2))); one pass \
        is p steps, each a Gaussian mechanism of noise multiplier σ",
    hypotheses: "σ > 0, K ≥ 1 steps; only named in Sec. 5, quoted from the cited papers",
    check: dpcd,
    ..Claim::ALONE
};

fn dpcd(check: &Check) -> Verdict {
    let divisor = check.constant("divisor of α/σ^2", 2);
    let [passes, p, alpha, sigma, shift] = symbols();
    // ln of E[(dP/dQ)^{α−1}] for N(0,σ²) against N(1,σ²): the exponent completes to a square.
    let exponent = alpha.clone() * (0 - shift.square()) - (1 - &alpha) * (&shift - 1).square();
    let completed = 0 - (&shift - 1 + &alpha).square() + &alpha * (&alpha - 1);
    let spent = Costs::new()
        .release(
            "one coordinate, passes x p steps",
            &passes * &p,
            &alpha / (2 * sigma.square()),
        )
        .total();
    Argument::new(check)
        .needs_identity(
            "Gaussian Renyi exponent, completed square",
            &exponent,
            &completed,
        )
        .states_identity(
            "RDP of all passes",
            &spent,
            &passes * &p * &alpha / (divisor * sigma.square()),
        )
        .proved_on("all p, passes, α > 1, σ > 0")
}

/// `gcd-alg-dpsgd`: with batch size 1 and sampling rate 1/n, n steps look at n records, one pass.
pub const ALG_DPSGD: Claim = Claim {
    id: "gcd-alg-dpsgd",
    place: "Sec. 5 (baseline DP-SGD, batch size 1)",
    kind: Kind::Algorithm,
    statement: "one record a step, l2-clipped at C, noise N(0, σ^2 C^2 I); one pass is n steps",
    hypotheses: "C > 0, σ > 0, n ≥ 1",
    check: dpsgd,
    ..Claim::ALONE
};

fn dpsgd(check: &Check) -> Verdict {
    let batch = check.constant("records a step", 1);
    let [n] = symbols();
    let looked_at = Costs::new()
        .release("one step", &n, Expr::from(batch))
        .total();
    let (domain, norm) = Domain::of("gradient norm / C", open(0), infinite());
    let clipped = Forall::le(domain, norm.min(1), 1);
    Argument::new(check)
        .states("gcd-alg-dpsgd", &clipped)
        .states_identity("records looked at in one pass", &looked_at, &n)
        .proved_on("all n ≥ 1, C > 0 (the unit)")
}

/// `gcd-alg-dpsgd-sens`: what the accountant takes for a step of DP-SGD. In units of the noise σC the sum of a batch moves
/// by 1/σ if a record enters or leaves, by 2/σ if one takes another's place.
pub const ALG_DPSGD_SENS: Claim = Claim {
    id: "gcd-alg-dpsgd-sens",
    place: "Sec. 5, (Privacy), the subsampled Gaussian mechanism of DP-SGD",
    kind: Kind::Sensitivity,
    statement: "given the records of a batch, the sum of their gradients clipped at C has L2 \
        sensitivity C if one record enters or leaves the batch, and 2C if one is replaced: a step \
        of DP-SGD is a Gaussian mechanism of noise multiplier σ, resp. σ/2",
    hypotheses: "C > 0, σ > 0; noise N(0, σ^2 C^2 I) on the sum; w_t and the step size fixed by \
        earlier steps; any p",
    check: by_kernel,
    ..Claim::ALONE
};

/// `gcd-cost`: partial derivatives of single records, the common unit of work.
pub const COST: Claim = Claim {
    id: "gcd-cost",
    place: "Sec. 4.6; Sec. 5, Computational complexity",
    kind: Kind::PathwiseInequality,
    statement: "one DP-GCD iteration = one full gradient = p DP-CD iterations = n DP-SGD \
        iterations",
    hypotheses: "the unit of cost is one partial derivative of one record, and nothing is kept \
        between steps",
    check: by_kernel,
    ..Claim::ALONE
};

/// `gcd-exp`: the grids of Table 2 and δ = 1/n². Fractions of a pass are not always whole numbers of iterations: 0.001
/// passes are a tenth of a coordinate step on 100 features. The print does not say how they are rounded.
pub const EXP: Claim = Claim {
    id: "gcd-exp",
    place: "Sec. 5; App. D, Tables 1-2",
    kind: Kind::Definition,
    statement: "budget (1, 1/n^2); grids of 9 x 10 x 50 (DP-CD, DP-SGD) and 7 x 10 x 50 (DP-GCD) \
        hyperparameters",
    hypotheses: "none",
    check: exp,
    ..Claim::ALONE
};

fn exp(check: &Check) -> Verdict {
    let others = [0.001, 0.01, 0.1, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0].len();
    let greedy = [1, 2, 4, 7, 10, 15, 20].len();
    let each = check.constant("step sizes", 10) * check.constant("clipping thresholds", 50);
    let grids = [others, greedy].map(|passes| &each * Rational::from(passes));
    Argument::new(check)
        .states_that(
            "grid sizes 4500 and 3500",
            grids == [4500, 3500].map(Rational::from),
            || format!("{grids:?}"),
        )
        .proved_on("the printed grids")
}

/// `gcd-rem-4.5` is an attribution; there is nothing to compute.
pub const REM_4_5: Claim = Claim {
    id: "gcd-rem-4.5",
    place: "Remark 4.5",
    kind: Kind::Imported,
    statement: "a lower bound on f(w^0) - f* is standard in inexact coordinate descent analyses",
    hypotheses: "none",
    check: |_| Verdict::cited("Tappenden, Richtarik, Gondzio 2016, Theorem 5.1"),
    ..Claim::ALONE
};
