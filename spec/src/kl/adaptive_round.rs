//! Algorithm 3 and the charge of one of its rounds.
//!
//! In units of ρ: v = 1/(n√ρ) is the charge of a norm, x = L₀²dΛ/(n²N²ρ) the uncapped charge of a gradient
//! released at the scale N/√(dΛ), Λ = log(n√ρ/β). The floor of σ_t is reached at x = 1/4, the cap of the
//! charge at x = 1/2.

use super::spider_sensitivity::{REPLACE_ONE, ZERO_OUT};
use crate::arith::{Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 8] = [
    ALG_3,
    ALG_3_REPAIRED,
    PAR_ALG_3,
    THM_3_ROUND,
    THM_3_ROUND_READING_ZERO_OUT,
    THM_3_ROUND_READING_INSIDE_ZERO_OUT,
    THM_3_ROUND_PROOF,
    THM_3_ROUND_REPAIRED,
];

/// `kl-alg-3`. A d-dimensional noise is added to a norm, ρ_t is read before it is assigned, and √(dΛ) has no
/// value for n√ρ < β, which nothing excludes.
pub const ALG_3: Claim = Claim {
    id: "kl-alg-3",
    place: "Sec. 5, Algorithm 3",
    kind: Kind::Algorithm,
    statement: "while ∑_{j≤t} ρ_t ≤ ρ/2: noisy norm N_t, noisy gradient of scale max{N_t/√(d Λ), \
        2L_0/(n √(ρ))}, a step of length 1/(2L_1), charge ρ_t; runs on every input",
    hypotheses: "ρ > 0, β in (0, 1), n, d ≥ 1, L_0, L_1 > 0; Λ = log(n √(ρ)/β)",
    check: |c| {
        let (domain, x) = Domain::of("n √(ρ)/β", open(0), infinite());
        let defined = Forall::le(domain, 0, c.constant("factor of n √(ρ)/β", 1) * x.ln());
        Argument::new(c)
            .repaired("kl-alg-3-repaired")
            .states("kl-alg-3/root of d Λ", &defined)
            .proved_on("no input found that stops it")
    },
    ..Claim::ALONE
};

/// `kl-alg-3-repaired`. The norm's noise is one number, the test adds the charges assigned so far, n√ρ > β, and
/// N_t ≤ 0 is charged the cap. Each charge is at least √ρ/n = vρ, so that r rounds that all started need
/// (r − 1)v ≤ 1/2.
pub const ALG_3_REPAIRED: Claim = Claim {
    id: "kl-alg-3-repaired",
    statement: "with a scalar noise for the norm, the test ∑_{j<t} ρ_j ≤ ρ/2 before round t, and \
        ρ_t = ρ/2 + √(ρ)/n when N_t ≤ 0, Algorithm 3 runs and ends after at most n √(ρ)/2 + 1 \
        rounds",
    hypotheses: "ρ > 0, n √(ρ) > β in (0, 1), n, d ≥ 1, L_0, L_1 > 0",
    check: |c| {
        let half = c.constant(
            "share of the budget that the test compares with",
            ratio(1, 2),
        );
        if half <= 0 {
            return Verdict::open("no round passes such a test");
        }
        let mut domain = Domain::new();
        let y = domain.real("n √(ρ)", open(0), infinite());
        // Round r starts only if the r − 1 charges before it fit: s = (r − 1)v ≤ half, v = 1/y.
        let spent = domain.real("(rounds - 1)/(n √(ρ))", closed(0), closed(half));
        let ends = Forall::le(domain, 1 + &spent * &y, &y / 2 + 1).factored(y, ratio(1, 2) - spent);
        let (domain, x) = Domain::of("n √(ρ)/β", open(1), infinite());
        let defined = Forall::le(domain, 0, x.ln());
        Argument::new(c)
            .states("kl-alg-3-repaired/end", &ends)
            .states("kl-alg-3-repaired/root", &defined)
            .proved_on("all inputs of the hypotheses")
    },
    ..ALG_3
};

/// `kl-par-alg-3`: where the two scales and the two charges cross, by their squares.
pub const PAR_ALG_3: Claim = Claim {
    id: "kl-par-alg-3",
    kind: Kind::Calibration,
    statement: "η = 1/(2L_1); σ_t is at its floor 2L_0/(n √(ρ)) iff N_t ≤ 2L_0 √(d Λ)/(n √(ρ)); \
        for N_t > 0 the charge is at its cap iff N_t ≤ √(2)L_0 √(d Λ)/(n √(ρ))",
    hypotheses: "ρ, L_0, Λ > 0",
    check: by_kernel,
    ..ALG_3
};

/// Cost of a round under `moved`, in units of ρ, at x and v: the norm, and the gradient at the larger scale.
pub(super) fn cost(moved: i32, x: &Expr, v: &Expr) -> Expr {
    let square = ratio(i64::from(moved * moved), 2);
    square.clone() * v + square * x.min(ratio(1, 4))
}

/// Σ of one round: v + min{x, 1/2}.
pub(super) fn charge(x: &Expr, v: &Expr) -> Expr {
    v + x.min(ratio(1, 2))
}

/// The unit cost against `factor` times the charge, with the cost at x itself or at the floor.
fn against_charge(factor: &Rational, moved: i32, at_floor: bool) -> Forall {
    let (domain, [x, v]) = Domain::of_all(["x", "1/(n √(ρ))"], open(0), infinite());
    let spent = if at_floor {
        cost(moved, &Expr::from(ratio(1, 4)), &v)
    } else {
        cost(moved, &x, &v)
    };
    Forall::le(domain, spent, factor * charge(&x, &v))
}

/// The unit cost against the charge for N_t < 0, where σ_t is at its floor while the charge has N_t², and for N_t > 0. What is told is
/// N_t = −σ̂√(dΛ), where x = v, at n√ρ = `records`.
fn round(check: &Check, name: &str, moved: i32, records: u32) -> Verdict {
    let factor = check.constant("factor of the charge", 1);
    let share = Rational::from((1, records));
    Argument::new(check)
        .repaired("kl-thm-3-round-repaired")
        .states_at(
            &format!("{name}/negative norm"),
            &against_charge(&factor, moved, true),
            &[share.clone(), share],
        )
        .states(
            &format!("{name}/positive norm"),
            &against_charge(&factor, moved, false),
        )
        .proved_on("all N_t")
}

/// `kl-thm-3-round`: x is L₀²dΛ/(n²N_t²ρ). A release of the gradient at the floor costs ρ/2, whatever N_t < 0.
pub const THM_3_ROUND: Claim = Claim {
    id: "kl-thm-3-round",
    place: "App. D.2, first display",
    kind: Kind::Calibration,
    statement: "given the past, round t is ρ_t-zCDP with ρ_t = √(ρ)/n + min{L_0^2 d Λ/(n N_t)^2, \
        ρ/2}",
    hypotheses: "f L_0-Lipschitz at w_t, scalar noise of scale L_0/(√(n) ρ^{1/4}) on the norm; \
        replace-one",
    rests_on: &["skgd-lem-D.3"],
    check: |c| round(c, "kl-thm-3-round", REPLACE_ONE, 100),
    by_hand: &[],
};

/// `kl-thm-3-round-reading-zero-out`: a quarter of the cost, and still above the charge where N_t < 0.
pub const THM_3_ROUND_READING_ZERO_OUT: Claim = Claim {
    id: "kl-thm-3-round-reading-zero-out",
    hypotheses: "as printed, scalar noise; zero-out",
    check: |c| round(c, "kl-thm-3-round-reading-zero-out", ZERO_OUT, 16),
    ..THM_3_ROUND
};

/// `kl-thm-3-round-reading-inside-zero-out`: the noise N(0, σ̂²I_d) inside the norm, which gives the print's I_d a meaning. N_t is then
/// a function of a noisy gradient, at the same cost, and positive with probability 1.
pub const THM_3_ROUND_READING_INSIDE_ZERO_OUT: Claim = Claim {
    id: "kl-thm-3-round-reading-inside-zero-out",
    statement: "given w_t, the noisy gradient in N_t is (√(ρ)/n)-zCDP, and, given it too, ∇_t is \
        min{L_0^2 d Λ/(n N_t)^2, ρ/2}-zCDP",
    hypotheses: "N_t = |∇ F(w_t) + noise| with d-dimensional noise; f(·;x) L_0-Lipschitz on R^d; \
        zero-out",
    rests_on: &["skgd-lem-D.3", "skgd-lem-post-processing"],
    check: |c| {
        let factor = c.constant("factor of the charge", 1);
        Argument::new(c)
            .repaired("kl-thm-3-round-repaired")
            .states(
                "kl-thm-3-round-reading-inside-zero-out",
                &against_charge(&factor, ZERO_OUT, false),
            )
            .proved_on("all N_t > 0, ρ, L_0, Λ > 0, n, d ≥ 1")
    },
    ..THM_3_ROUND
};

/// `kl-thm-3-round-proof`: at the floor, (L₀/(nσ_t))² is ρ/4, not ρ/2.
pub const THM_3_ROUND_PROOF: Claim = Claim {
    id: "kl-thm-3-round-proof",
    place: "App. D.2, proof of Theorem 3, display",
    statement: "(L_0/(n σ_t))^2 = min{L_0^2 d Λ/(n N_t)^2, ρ/2}",
    hypotheses: "N_t > 0",
    rests_on: &[],
    check: by_kernel,
    ..THM_3_ROUND
};

/// `kl-thm-3-round-repaired`. P-lin with u parallel to the mean gradient attains both terms.
pub const THM_3_ROUND_REPAIRED: Claim = Claim {
    id: "kl-thm-3-round-repaired",
    statement: "given the past, round t costs 2 √(ρ)/n + min{2L_0^2 d Λ/(n N_t)^2, ρ/2} if N_t > 0 \
        and 2 √(ρ)/n + ρ/2 if N_t ≤ 0; at most twice the charge with ρ_t = ρ/2 + √(ρ)/n for N_t ≤ \
        0",
    rests_on: &["skgd-lem-D.3", "skgd-prop-D.6", "kl-lem-8-grad-repaired"],
    check: |c| {
        let norm = c.constant("norm's cost in units of √(ρ)/n", 2);
        let above = c.constant("gradient's cost in units of its uncapped charge", 2);
        let floor = c.constant("gradient's cost at the floor in units of ρ", ratio(1, 2));
        let [l, n, root, dl, level] = symbols();
        let rho = root.square();
        let gauss = |variance: Expr| (2 * &l / &n).square() / (2 * variance);
        let (domain, [x, v]) = Domain::of_all(["x", "1/(n √(ρ))"], open(0), infinite());
        let spent = &norm * &v + (&above * &x).min(floor.clone());
        let twice = Forall::le(domain, spent, 2 * charge(&x, &v));
        Argument::new(c)
            .states_identity(
                "norm, |‖a‖ - ‖b‖| ≤ 2L_0/n",
                gauss(l.square() / (&n * &root)),
                norm * &root / &n,
            )
            .states_identity(
                "gradient at the scale N/√(d Λ)",
                gauss(level.square() / &dl),
                above * l.square() * &dl / (&n * &level).square(),
            )
            .states_identity(
                "gradient at the floor",
                gauss(4 * l.square() / (n.square() * &rho)),
                floor * rho,
            )
            .needs("kl-thm-3-round-repaired", &twice)
            .note("the mean gradients a, b of P-lin with u parallel to them attain both shifts")
            .proved_on("all N_t, ρ, L_0, Λ > 0, n, d ≥ 1")
    },
    ..THM_3_ROUND
};
