//! Appendix B.1 to B.3: the tail of the noise, the noisy descent lemma, and the recursion.

use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open, slack, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 10] = [
    LEM_B_1,
    LEM_B_1_READING_DEPENDENT,
    LEM_B_2,
    LEM_B_3,
    LEM_B_4,
    LEM_B_4_BETA_0,
    LEM_B_4_PROOF,
    LEM_B_4_PROOF_SIGN,
    LEM_B_4_PROOF_SIGN_REPAIRED,
    EQ_34,
];

/// `gcd-lem-B.1`, for independent variables (as (6) uses): Σ|X_k| ≥ √(ΣX_k²), and
/// E exp(|X_k|/(2λ_max)) = 1/(1 − λ_k/(2λ_max)) ≤ 2.
pub const LEM_B_1: Claim = Claim {
    id: "gcd-lem-B.1",
    place: "App. B.1, Lemma B.1, eqs (3)-(9)",
    kind: Kind::HighProbability,
    statement: "Pr[∑_k X_k^2 ≥ β] ≤ 2^K exp(-√(β)/(2 λ_max)) for X_k ∼ Lap(λ_k), independent",
    hypotheses: "K ≥ 1, λ_k > 0, β > 0, independence (used at (6), not listed)",
    rests_on: &[],
    by_hand: &[
        "Chernoff's bound is used with the parameter γ = 1/(2λ_max).",
        "A Laplace variable of scale λ has E e^{γ|X|} = 1/(1 − γλ).",
        "By independence the expectation of the product is the product of the expectations.",
        "The inequality ΣX_k² ≤ (Σ|X_k|)² follows pair by pair.",
    ],
    check: lem_b_1,
};

fn lem_b_1(check: &Check) -> Verdict {
    let base = check.constant("base of the power", 2);
    let divisor = check.constant("factor of λ_max in the exponent", 2);
    if base <= 0 || divisor <= 0 {
        return Verdict::refuted(
            "a bound that is not positive",
            "signs of the constants",
            None,
        );
    }
    let (c, d) = (
        Interval::from_rational(&base),
        Interval::from_rational(&divisor),
    );
    // K = 1 exactly; K = 2, equal scales: P(X₁² + X₂² ≥ s²) ≥ 1 − P(|X₁| < s)².
    let tails = [(1, 100), (2, 1), (1, 1)].into_iter().find_map(|(k, s)| {
        let s = Interval::from(s);
        let missed = Interval::from(1) - (-&s).exp();
        let found = Interval::from(1) - missed.powi(k);
        let bound = c.powi(k) * (-&s / &d).exp();
        let text = || {
            format!(
                "K = {k}, λ_k = 1, β = {s} squared: probability at least {found}, bound {bound}"
            )
        };
        bound.certainly_lt(&found).then(text)
    });
    let (domain, share) = Domain::of("λ_k/λ_max", open(0), closed(1));
    let moment = Forall::le(domain, 1 / (1 - &share / &divisor), base);
    let [x, y] = symbols();
    Argument::new(check)
        .states_unless("exact tails for K = 1, 2", tails)
        .needs("gcd-lem-B.1", &moment)
        .needs_identity(
            "(|x| + |y|)^2 - x^2 - y^2 = 2|x||y|, summed over pairs",
            (&x + &y).square() - x.square() - y.square(),
            2 * &x * &y,
        )
        .proved_on("all K ≥ 1, λ_k > 0, β > 0, X_k independent")
}

/// `gcd-lem-B.1-reading-dependent`: without independence nine copies of one variable exceed the bound.
pub const LEM_B_1_READING_DEPENDENT: Claim = Claim {
    id: "gcd-lem-B.1-reading-dependent",
    statement: "Pr[∑_k X_k^2 ≥ β] ≤ 2^K exp(-√(β)/(2 λ_max)) for X_k ∼ Lap(λ_k) of any joint law",
    hypotheses: "K ≥ 1, λ_k > 0, β > 0 (all that the lemma lists)",
    check: lem_b_1_dependent,
    by_hand: &[],
    ..LEM_B_1
};

fn lem_b_1_dependent(check: &Check) -> Verdict {
    let base = Interval::from_rational(&check.constant("base of the power", 2));
    let divisor = Interval::from_rational(&check.constant("factor of λ_max in the exponent", 2));
    // ΣX_k² = 9 X₁² ≥ β exactly if |X₁| ≥ √β/3.
    let root_beta = Interval::from(60);
    let found = (-&root_beta / Interval::from(3)).exp();
    let bound = base.powi(9) * (-root_beta / divisor).exp();
    Argument::new(check)
        .repaired("gcd-lem-B.1")
        .states_that(
            "exact tail of nine equal variables",
            !bound.certainly_lt(&found),
            || {
                format!(
                    "K = 9, X_1 = .. = X_9 ~ Lap(1), β = 3600: probability {found}, bound {bound}"
                )
            },
        )
        .open_for("only equal variables were tried")
}

/// `gcd-lem-B.2`. In units of the square roots of M: a, c gradient and noise of the chosen coordinate,
/// b, d those of j*. Smoothness gives f⁺ ≤ f − a²/2 + η²/2; the selection says |a + c| ≥ |b + d|; and
/// a²/2 + c²/2 + d²/4 − b²/8 − ¼((a+c)² − (b+d)²) is a sum of squares.
pub const LEM_B_2: Claim = Claim {
    id: "gcd-lem-B.2",
    place: "App. B.2, Lemma B.2, eqs (10)-(17)",
    kind: Kind::PathwiseInequality,
    statement: "f(w^{t+1}) - f* ≤ f(w^t) - f* - (1/8)‖∇ f(w^t)‖_{M^-1,inf}^2 + η_j^2/(2M_j) + \
        χ_j^2/(2M_j) + χ_{j*}^2/(4M_{j*})",
    hypotheses: "f differentiable and M-component-smooth, γ_j = 1/M_j, j chosen by Algorithm 1; \
        any noise",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
};

/// `gcd-lem-B.3`, a theorem of the kernel (`super::kernel::descent`): convexity and Hölder give ξ_t ≤ ||∇f|| ||w^t − w*||.
pub const LEM_B_3: Claim = Claim {
    id: "gcd-lem-B.3",
    place: "App. B.3.1, Lemma B.3, eqs (18)-(21)",
    kind: Kind::PathwiseInequality,
    statement: "ξ_{t+1} ≤ ξ_t - ξ_t^2/(8‖w^t-w*‖_{M,1}^2) + η_j^2/(2M_j) + χ_j^2/(2M_j) + \
        χ_{j*}^2/(4M_{j*})",
    hypotheses: "as gcd-lem-B.2, f convex, w* a minimiser, w^t ≠ w*",
    rests_on: &["gcd-lem-B.2", "gcd-def-norms"],
    by_hand: &[],
    check: lem_b_3,
};

/// ξ_{t+1} and its bound on f(w) = ½(w₁)² + Huber(w₂) (slope b = 4 beyond 4, M = 1): w₁ = b/4, w₂ = D,
/// χ = (b/4, −b/2), η = 0. The scores |b/4 + b/4| = |b − b/2| tie and coordinate 1, the smaller index, moves.
fn huber_run(theta: &Rational, distance: i64) -> (Rational, Rational) {
    let b = Rational::from(4);
    let far = Rational::from(distance);
    let first = Rational::from(&b / 4);
    let huber = Rational::from(&b * &far) - Rational::from(b.square_ref()) / 2;
    let start: Rational = Rational::from(first.square_ref()) / 2 + &huber;
    let reach = Rational::from(&first + &far);
    let noise = Rational::from(first.square_ref()) / 2 + Rational::from(b.square_ref()) / 16;
    let drop = Rational::from(start.square_ref()) / Rational::from(reach.square_ref()) / theta;
    // The step w₁ ← w₁ − (w₁ + η) = 0.
    (huber, start - drop + noise)
}

fn lem_b_3(check: &Check) -> Verdict {
    let theta = check.constant("divisor of ξ_t^2/‖w^t-w*‖^2", 8);
    if theta <= 0 {
        return Verdict::refuted("a bound that grows", "sign of the divisor", None);
    }
    let failure = [10, 1000, 100_000].into_iter().find_map(|distance| {
        let (left, right) = huber_run(&theta, distance);
        let at = || format!("quadratic plus Huber, distance {distance}: {left} ≤ {right} fails");
        (left > right).then(at)
    });
    let mut domain = Domain::new();
    let share = domain.real("ξ_t/(‖∇f‖ ‖w^t-w*‖)", closed(0), closed(1));
    let gradient = domain.real("‖∇f‖", closed(0), infinite());
    let radius = domain.real("‖w^t-w*‖", open(0), infinite());
    let xi = &share * &gradient * &radius;
    // ξ²/(θR²) ≤ ‖∇f‖²/8 where ξ ≤ ‖∇f‖R.
    let drop = Forall::le(
        domain,
        xi.square() / (radius.square() * &theta),
        gradient.square() / 8,
    )
    .factored(gradient.square(), ratio(1, 8) - share.square() / &theta);
    Argument::new(check)
        .states_unless("exact runs", failure)
        .needs("gcd-lem-B.3", &drop)
        .proved_on(
            "all p, M_j > 0, f convex, differentiable, M-component-smooth, all noises, w^t ≠ w*",
        )
}

/// `gcd-lem-B.4`, a theorem of the kernel (`super::kernel::hitting`), β > 0. Dimensionless: y = ξ/c₀, s² = β/c₀ ≤ 1. While y > 2s it falls by at least 3s²; below
/// 2s it stays there; and x = y − s obeys x⁺ ≤ x − x² ≤ x/(1 + x), whence x_t ≤ 1/t as long as it is positive.
pub const LEM_B_4: Claim = Claim {
    id: "gcd-lem-B.4",
    place: "App. B.3.2, Lemma B.4, eqs (22)-(27)",
    kind: Kind::PathwiseInequality,
    statement: "(1) c_t ≤ c_0, and some t* > 0 has ξ_{t+1} ≤ ξ_t for t < t*, ξ_t ≤ 2 √(β c_0) for \
        t ≥ t*; (2) ξ_t ≤ c_0/t + 2 √(β c_0)",
    hypotheses: "ξ_{t+1} ≤ ξ_t - ξ_t^2/c_t + β; ξ_t ≤ ξ_0 implies c_t ≤ c_0; 0 < β ≤ c_0; ξ_0 ≥ 2 \
        √(β c_0)",
    rests_on: &[],
    by_hand: &[],
    check: lem_b_4,
};

fn lem_b_4(check: &Check) -> Verdict {
    let level = check.constant("multiple of √(β c_0)", 2);
    let largest = check.constant("largest β over c_0", 1);
    if largest <= 0 || level <= 0 {
        return Verdict::refuted(
            "no admissible β, or a level that is not positive",
            "signs of the constants",
            None,
        );
    }
    let root = Expr::from(&largest).sqrt();
    let range =
        |domain: &mut Domain| domain.real("√(β/c_0) over its maximum", open(0), closed(1)) * &root;
    // From y = s·share below s one step stays at or below the level; from s to the level it falls.
    let below = |level: &Rational| {
        let mut domain = Domain::new();
        let s = range(&mut domain);
        let share = domain.real("ξ/√(β c_0)", closed(0), closed(1));
        let after = &s * &share + s.square() - (&s * &share).square();
        let better = Expr::from(level) - &share - &s + &s * share.square();
        Forall::le(domain, after, &s * level).factored(s, better)
    };
    let most = (!check.is_mutated()).then(|| slack(2, 10, |f| below(&Rational::from(&level / f))));
    let mut domain = Domain::new();
    let s = range(&mut domain);
    let v = domain.real("ξ/√(β c_0)", closed(1), infinite());
    let falls =
        Forall::le(domain, s.square(), (&s * &v).square()).factored(s.square(), v.square() - 1);
    let (domain, x) = Domain::of("(ξ - u)/c_0", closed(0), infinite());
    let harmonic =
        Forall::le(domain, (&x - x.square()) * (1 + &x), x.clone()).factored(x.powi(3), 1);
    let [xi, u, c] = symbols();
    let beta = u.square() / &c;
    let x = &xi - &u;
    Argument::new(check)
        .states("gcd-lem-B.4/below", &below(&level))
        .needs("gcd-lem-B.4/falls", &falls)
        .needs("gcd-lem-B.4/harmonic", &harmonic)
        .needs_identity(
            "(26): ξ - ξ^2/c_0 + β - u",
            &xi - xi.square() / &c + beta - &u,
            &x - x.square() / &c - 2 * &u * &x / &c,
        )
        .needs_that("the level is above the fixed point u", level >= 1)
        .note(
            "x/(1+x) increases, so x_t ≤ 1/t by induction; above the level a step falls by at \
                least β, so t* is finite",
        )
        .slack(most)
        .proved_on("all positive sequences, 0 < β ≤ c_0, ξ_0 ≥ 2 √(β c_0)")
}

/// `gcd-lem-B.4-beta-0`: at β = 0 (no noise, δ = 1) part (1) asks a positive sequence to vanish.
/// Part (2) holds there; nothing in the theorems is affected.
pub const LEM_B_4_BETA_0: Claim = Claim {
    id: "gcd-lem-B.4-beta-0",
    statement: "part (1) of Lemma B.4 for β = 0: some t* has ξ_t ≤ 0 for all t ≥ t*",
    hypotheses: "as gcd-lem-B.4 with β = 0, which β ≤ c_0 and ξ_0 ≥ 2 √(β c_0) allow",
    check: beta_zero,
    by_hand: &[],
    ..LEM_B_4
};

fn beta_zero(check: &Check) -> Verdict {
    let mut domain = Domain::new();
    // ξ_{t+1} = ξ_t − ξ_t²/c stays in (0, c/2]: with y = ξ/c, y(1 − y) > 0.
    let y = domain.real("ξ_t/c", open(0), closed(ratio(1, 2)));
    let stays = Forall::lt(domain, 0, &y * (1 - &y));
    match crate::prove::decide(check, "gcd-lem-B.4-beta-0", &stays) {
        crate::prove::Decision::Proved(found) => Verdict::refuted(
            "c_t = 2, ξ_0 = 1, β = 0, ξ_{t+1} = ξ_t - ξ_t^2/2: positive for every t",
            format!("y(1 - y) > 0 on (0, 1/2]: {}", found.describe(&stays)),
            Some("gcd-lem-B.4"),
        ),
        _ => Verdict::open("positivity of the sequence was not proved"),
    }
}

/// `gcd-lem-B.4-proof`: the proof's t* of (24), the first t with ξ_t ≤ √(βc₀), need not exist. The lemma's
/// does: the first t with ξ_t ≤ 2√(βc₀) (`gcd-lem-B.4`).
pub const LEM_B_4_PROOF: Claim = Claim {
    id: "gcd-lem-B.4-proof",
    place: "App. B.3.2, eq. (24)",
    statement: "t* = min{t ≥ 0 : ξ_t ≤ √(β c_0)} exists",
    hypotheses: "as gcd-lem-B.4",
    check: first_time,
    by_hand: &[],
    ..LEM_B_4
};

fn first_time(check: &Check) -> Verdict {
    let level = check.constant("multiple of √(β c_0) in (24)", 1);
    // c = 1, β = 1/16, u = 1/4, ξ₀ = 1/2: y⁺ − u = (y − u)(1 − y − u) for y⁺ = y − y² + u².
    let [y, u] = symbols();
    let same = crate::prove::identical(
        &(&y - y.square() + u.square() - &u),
        &((&y - &u) * (1 - &y - &u)),
    );
    let (domain, z) = Domain::of("ξ_t", open(ratio(1, 4)), closed(ratio(1, 2)));
    let stays = Forall::lt(domain, 0, (&z - ratio(1, 4)) * (ratio(3, 4) - &z));
    let proved = matches!(
        crate::prove::decide(check, "gcd-lem-B.4-proof", &stays),
        crate::prove::Decision::Proved(_)
    );
    Argument::new(check)
        .repaired("gcd-lem-B.4")
        .states_that(
            "a sequence that stays above",
            !(same && proved && level <= 1),
            || {
                "c_t = 1, β = 1/16, ξ_0 = 1/2, equality in (22): ξ_{t+1} - 1/4 = (ξ_t - 1/4)(3/4 - \
                    ξ_t) > 0 for every t, so no t has ξ_t ≤ 1/4"
                    .to_owned()
            },
        )
        .open_for("only levels up to √(β c_0) were examined")
}

/// `gcd-lem-B.4-proof-sign`: the printed expansion under (26) has −2ξu/c₀ where the square gives +2ξu/c₀.
/// The line's end is right.
pub const LEM_B_4_PROOF_SIGN: Claim = Claim {
    id: "gcd-lem-B.4-proof-sign",
    place: "App. B.3.2, the expansion under eq. (26)",
    statement: "(1-ω)(ξ-u) - (ξ-u)^2/c_0 = ξ - ω ξ - u + ω u - ξ^2/c_0 - 2 ξ u/c_0 - u^2/c_0, ω = \
        2u/c_0",
    hypotheses: "none",
    check: by_kernel,
    by_hand: &[],
    ..LEM_B_4
};

/// `gcd-lem-B.4-proof-sign-repaired`.
pub const LEM_B_4_PROOF_SIGN_REPAIRED: Claim = Claim {
    id: "gcd-lem-B.4-proof-sign-repaired",
    statement: "(1-ω)(ξ-u) - (ξ-u)^2/c_0 = ξ - ω ξ - u + ω u - ξ^2/c_0 + 2 ξ u/c_0 - u^2/c_0 = ξ - \
        ξ^2/c_0 - u + ω u - u^2/c_0",
    check: by_kernel,
    ..LEM_B_4_PROOF_SIGN
};

/// `gcd-eq-34`, a theorem of the kernel (`super::kernel::counted`), where every noise is bounded by itself. By Lemma B.1 as in print,
/// with K = 3 for j ≠ j*: for j = j* its last two variables are one, whose factor is 1/(1 − 1/√2), and 2/(1 − 1/√2) ≤ 8 all the same.
pub const EQ_34: Claim = Claim {
    id: "gcd-eq-34",
    place: "App. B.3.3, eqs (30)-(35)",
    kind: Kind::HighProbability,
    statement: "Pr[exists t < T: ξ_{t+1} ≥ ξ_t - ξ_t^2/(8‖w^t-w*‖_{M,1}^2) + β] ≤ ζ with β = (2 \
        λ_max^2/M_min) log(8Tp/ζ)^2",
    hypotheses: "T, p ≥ 1, ζ in (0, 1], as gcd-lem-B.3",
    rests_on: &["gcd-lem-B.1", "gcd-lem-B.3"],
    by_hand: &[],
    check: eq_34,
};

fn eq_34(check: &Check) -> Verdict {
    let in_log = check.constant("factor in the logarithm", 8);
    let of_beta = check.constant("factor of λ_max^2/M_min", 2);
    let [lambda, m, log, t, p, zeta] = symbols();
    let beta = of_beta * lambda.square() / &m * log.square();
    let exponent_squared = 2 * &m * beta / (4 * lambda.square());
    let probability = 8 / (in_log * &t * &p / &zeta);
    let mut domain = Domain::new();
    let (a, b) = (
        domain.real("M_min/M_j", open(0), closed(1)),
        domain.real("M_min/M_{j*}", open(0), closed(1)),
    );
    // (η² + χ²)/(2M_j) + χ*²/(4M_*) ≤ (η² + χ² + χ*²)/(2M_min), coefficient by coefficient.
    let weights = Forall::le(domain, a.max(&b / 2), 1);
    let same = Forall::le(Domain::new(), 2, 8 * (1 - 1 / Expr::from(2).sqrt()));
    Argument::new(check)
        .states_identity(
            "(√(2 M_min β)/(2 λ_max))^2 = log^2",
            &exponent_squared,
            log.square(),
        )
        .states_identity(
            "8 exp(-log(8Tp/ζ)) = ζ/(Tp)",
            &probability,
            &zeta / (&t * &p),
        )
        .needs("gcd-eq-34/weights", &weights)
        .needs("gcd-eq-34/j-equal", &same)
        .note(
            "given the past, χ and η are fresh and j* is fixed: union over the T rounds and p \
                values of j",
        )
        .proved_on("all T, p ≥ 1, ζ in (0, 1], M_j, λ_j, λ'_j > 0, f as gcd-lem-B.3")
}
