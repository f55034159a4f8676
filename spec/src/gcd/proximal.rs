//! Section 4.5 and Appendix C: the proximal version and its greedy rules.

use super::laws::{many_against_one, plateau};
use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Paper, Verdict};
use crate::prove::{Argument, Domain, Expr, Forall, closed, enumerate, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 9] = [
    ALG_2,
    RULE_GSS,
    RULE_GSR,
    RULE_GSQ,
    RULE_GSQ_REPAIRED,
    PROX_PRIV,
    PROX_PRIV_READING_EQUAL,
    PROX_PRIV_REPAIRED,
    GOOD_STEPS,
];

/// `gcd-alg-2`. The proximal problem is strongly convex, so its minimiser exists and is unique; with ψ = 0
/// line 4 is line 4 of Algorithm 1. Checked on the ridge, whose minimiser is v/(1 + γν).
pub const ALG_2: Claim = Claim {
    id: "gcd-alg-2",
    paper: Paper::Gcd,
    place: "App. C, Algorithm 2, eqs (67)-(68)",
    kind: Kind::Algorithm,
    statement: "for t = 0..T-1: j by a noisy greedy rule; w_j <- prox_{gamma_j psi_j}(w_j - gamma_j (grad_j f(w) + eta))",
    hypotheses: "psi separable, convex, closed, proper; gamma_j, M_j > 0",
    rests_on: &["gcd-alg-1"],
    by_hand: &[],
    check: |check| {
        let half = check.constant("factor of the squared distance", ratio(1, 2));
        let [v, x, gamma, nu, w, step] = symbols();
        let minimiser = &v / (1 + &gamma * &nu);
        let objective = |x: &Expr| &half * (&v - x).square() + &gamma * &nu / 2 * x.square();
        let excess = objective(&x) - objective(&minimiser);
        let square = (1 + &gamma * &nu) / 2 * (&x - &minimiser).square();
        Argument::new(check)
            .states_identity(
                "ridge: objective minus its value at v/(1 + gamma nu) is a square",
                &excess,
                &square,
            )
            .states_identity(
                "psi = 0: w + (prox(w - step) - w)",
                &(&w + ((&w - &step) - &w)),
                &(&w - &step),
            )
            .proved_on("all p, T >= 1, psi as in the hypotheses (strongly convex proximal problem)")
    },
};

/// `gcd-rule-gss`, with its closed form for ψ = ν|·| at 0: min over |ξ| ≤ ν of |z + ξ| is (|z| − ν)₊.
pub const RULE_GSS: Claim = Claim {
    id: "gcd-rule-gss",
    paper: Paper::Gcd,
    place: "App. C, (GS-s)",
    kind: Kind::Algorithm,
    statement: "j = argmax_j min_{xi in d psi_j(w_j)} |grad_j f(w) + eta_j + xi|/sqrt(M_j); for nu|.| at 0 the score is (|z| - \
                nu)_+/sqrt(M_j)",
    hypotheses: "psi_j convex, w_j in the domain of its subdifferential",
    rests_on: &[],
    by_hand: &[],
    check: |check| {
        let threshold = check.constant("threshold in units of nu", 1);
        let mut domain = Domain::new();
        let nu = domain.real("nu", closed(0), infinite());
        let u = domain.real("|z| - nu", closed(0), infinite());
        // ξ = −ν sign(z) attains u; the score says |z| − threshold·ν. Both directions.
        let attained = Forall::le(domain.clone(), u.clone(), &u + &nu - &threshold * &nu)
            .factored(nu.clone(), 1 - Expr::from(&threshold));
        let lowest = Forall::le(domain, &u + &nu - &threshold * &nu, u)
            .factored(nu, Expr::from(threshold) - 1);
        let mut domain = Domain::new();
        let s = domain.real("xi/nu", closed(-1), closed(1));
        // Any admissible ξ gives at least |z| − ν: z + ξ − (z − ν) = ν(1 + ξ/ν).
        let none_lower = Forall::le(domain, 0, 1 + s);
        Argument::new(check)
            .states("gcd-rule-gss/attained", &attained)
            .states("gcd-rule-gss/lowest", &lowest)
            .needs("gcd-rule-gss/none-lower", &none_lower)
            .proved_on("all z with |z| >= nu (below, xi = -z gives 0), nu >= 0, M_j > 0; in general the distance to a closed convex set")
    },
};

/// `gcd-rule-gsr`, with its closed form for ψ = ν|·|: the soft threshold solves the optimality condition.
pub const RULE_GSR: Claim = Claim {
    id: "gcd-rule-gsr",
    paper: Paper::Gcd,
    place: "App. C, (GS-r)",
    kind: Kind::Algorithm,
    statement: "j = argmax_j sqrt(M_j)|prox_{psi_j/M_j}(w_j - (grad_j f(w) + eta_j)/M_j) - w_j|; at w_j = 0 with nu|.| the score is \
                that of GS-s",
    hypotheses: "psi_j convex (parentheses of the print completed)",
    rests_on: &["gcd-alg-2"],
    by_hand: &[],
    check: |check| {
        let step = check.constant("step in units of 1/M_j", 1);
        let [z, nu, root] = symbols();
        let m = root.square();
        // w = 0, z < −ν: v = −z/M, prox = v − ν/M; its size times √M against (|z| − ν)/√M.
        let moved = &step * (0 - &z) / &m - &step * &nu / &m;
        Argument::new(check)
            .states_identity(
                "score at w_j = 0, z < -nu",
                &(&root * moved),
                &((0 - &z - &nu) / &root),
            )
            .proved_on("all z, nu >= 0, M_j > 0; prox exists by gcd-alg-2")
    },
};

/// `gcd-rule-gsq`, as printed: the largest of the minima −z²/(2M) is the smallest decrease. g = (1, 2).
pub const RULE_GSQ: Claim = Claim {
    id: "gcd-rule-gsq",
    paper: Paper::Gcd,
    place: "App. C, (GS-q)",
    kind: Kind::Algorithm,
    statement: "j = argmax_j min_a grad_j f(w) a + (M_j/2) a^2 + psi_j(w_j+a) - psi_j(w_j) is the coordinate of largest decrease of \
                the quadratic model (and with psi = 0 the choice of Algorithm 1)",
    hypotheses: "psi_j convex",
    rests_on: &[],
    by_hand: &[],
    check: |check| quadratic_rule(check, 1),
};

/// `gcd-rule-gsq-repaired`: the arg min over j, that is the arg max of the decrease.
pub const RULE_GSQ_REPAIRED: Claim = Claim {
    id: "gcd-rule-gsq-repaired",
    statement: "j = argmin_j min_a grad_j f(w) a + (M_j/2) a^2 + psi_j(w_j+a) - psi_j(w_j) is the coordinate of largest decrease of \
                the quadratic model (and with psi = 0 the choice of Algorithm 1)",
    check: |check| quadratic_rule(check, -1),
    by_hand: &[
        "the order of -g^2/(2M) is the reverse of |g|/sqrt(M) for all real g",
        "'largest decrease' is the definition of the smallest minimum",
    ],
    ..RULE_GSQ
};

fn quadratic_rule(check: &Check, printed: i32) -> Verdict {
    let orientation = check.constant("sign of the model value that is maximised", printed);
    let [g, m, a] = symbols();
    let model = |a: &Expr| &g * a + &m / 2 * a.square();
    let best = 0 - &g / &m;
    let gradients: Vec<i64> = (-3..=3).collect();
    let pairs = gradients
        .iter()
        .flat_map(|x| gradients.iter().map(move |y| (*x, *y)));
    let found = enumerate(pairs, |(x, y)| {
        let value = |g: i64| Rational::from(-g * g) / 2;
        let (first, second) = (
            orientation.clone() * value(*x),
            orientation.clone() * value(*y),
        );
        let greedy = x.abs() >= y.abs();
        (x.abs() != y.abs() && (first > second) != greedy).then(|| {
            format!("psi = 0, M = (1, 1), gradient ({x}, {y}): the rule prefers the smaller entry")
        })
    });
    let failure = found.err();
    Argument::new(check)
        .repaired("gcd-rule-gsq-repaired")
        .states_that("49 gradients, exact", failure.is_none(), || {
            failure.unwrap_or_default()
        })
        .needs_identity(
            "psi = 0: the model minus its minimum -g^2/(2M) is a square",
            &(model(&a) + g.square() / (2 * &m)),
            &(&m / 2 * (&a - &best).square()),
        )
        .note("the order of -g^2/(2M) is the reverse of that of |g|/sqrt(M)")
        .proved_on(
            "all p, psi_j convex: the smallest minimum is the largest decrease by definition",
        )
}

/// One round at δ = 10⁻¹⁰ and ε = 1 with ε′ of Theorem 4.2; `leak` is a lower bound of P(S) − e^ε Q(S).
fn one_round(
    check: &Check,
    instance: &str,
    leak: impl Fn(&Interval, &Interval) -> Interval,
) -> Verdict {
    let factor = check.constant("factor of L_j/(n eps) sqrt(T log(1/delta))", 8);
    if factor <= 0 {
        return Verdict::refuted("no noise at all", "the scale's sign", None);
    }
    let one = Interval::from(1);
    let delta = &one / &Interval::from(10).powi(10);
    let log = -delta.ln();
    let scale = Interval::from_rational(&factor) / Interval::from(2) * log.sqrt();
    let found = leak(&scale, &one);
    Argument::new(check)
        .repaired("gcd-prox-priv-repaired")
        .states_that("one round in 128-bit intervals", !delta.certainly_lt(&found), || {
            let lo = found.lo_f64();
            format!("eps = 1, delta = 1e-10, T = 1, {instance}: P(S) - e^eps Q(S) >= {lo:.6e} > delta")
        })
        .open_for("the selection is not eps'-DP with the printed noise")
}

/// `gcd-prox-priv`, as printed: with ψ = 0 it contains Theorem 4.2, and (GS-q) as printed has no noise at all.
pub const PROX_PRIV: Claim = Claim {
    id: "gcd-prox-priv",
    paper: Paper::Gcd,
    place: "Sec. 4.5; App. C, after (68)",
    kind: Kind::MechanismPrivacy,
    statement: "Algorithm 2 with (GS-s), (GS-r) or (GS-q) has the privacy guarantee of Theorem 4.2",
    hypotheses: "psi independent of the data; as gcd-thm-4.2",
    rests_on: &[],
    by_hand: &[],
    check: |check| {
        one_round(
            check,
            "psi = 0, n = 3e7, p = 31, r_1 = 1e-5 r_k, scores at 100 r_k (as for gcd-thm-4.2)",
            |scale, eps| many_against_one(30, scale, eps),
        )
    },
};

/// `gcd-prox-priv-reading-equal-ratios`: equal L_k/√M_k, where Algorithm 1 keeps its guarantee by slack
/// (`gcd-thm-4.2-restricted`). The plateau of the ℓ₁ scores breaks it.
pub const PROX_PRIV_READING_EQUAL: Claim = Claim {
    id: "gcd-prox-priv-reading-equal-ratios",
    hypotheses: "psi independent of the data; all L_k/sqrt(M_k) equal, delta <= 1/e; ties to the smallest index",
    check: |check| {
        one_round(
            check,
            "psi = nu|.|, w^0 = 0, GS-s or GS-r, n = 4000, p = 31, equal r_k, gradient 0 in coordinate 1 and nu = 900 sensitivities \
             in the others, all moved up by one sensitivity, S = {coordinate 1 is chosen}",
            |scale, eps| plateau(30, scale, &Rational::from(900), eps),
        )
    },
    by_hand: &[],
    ..PROX_PRIV
};

/// `gcd-prox-priv-repaired`: Laplace noise on the scores instead of inside them. Each score is 1/√M_j-Lipschitz
/// in the derivative: GS-s a distance to a convex set, GS-r because the prox is non-expansive, GS-q as
/// √(2D) because D′ = |a| and D ≥ (M/2)a². Then the argument of `gcd-mech-rnm-repaired` applies without modulus.
pub const PROX_PRIV_REPAIRED: Claim = Claim {
    id: "gcd-prox-priv-repaired",
    statement: "Algorithm 2 with j = argmax_k h_k(grad_k f(w)) + Lap((r_k + max_{l != k} r_l)/eps'), h the exact score of (GS-s), \
                (GS-r) or sqrt(2 x decrease) of (GS-q), releases lambda_j = 2 L_j/(n eps') and eps' of gcd-thm-4.2-repaired is (eps, \
                delta)-DP",
    hypotheses: "psi independent of the data; eps > 0, delta in (0, 1]; any p, L, M, T",
    rests_on: &[
        "gcd-mech-rnm-repaired",
        "gcd-thm-4.2-repaired",
        "gcd-rule-gss",
        "gcd-rule-gsr",
    ],
    check: prox_priv_repaired,
    by_hand: &[
        "GS-s: distance to a closed convex set is 1-Lipschitz",
        "GS-r: the prox is non-expansive",
        "GS-q: envelope theorem D' = |a|, optimality gives D >= (M/2) a^2",
        "selection by shifting one noise, composition as gcd-thm-4.2-repaired",
    ],
    ..PROX_PRIV
};

fn prox_priv_repaired(check: &Check) -> Verdict {
    let multiple = check.constant("Lipschitz constant of a score in units of 1/sqrt(M_j)", 1);
    let [y, x, best, y_moved, best_moved, r, big, root] = symbols();
    let margin = (&y + &x - &best) + (&r - (&y - &y_moved)) + (&big - (&best_moved - &best));
    let mut domain = Domain::new();
    let v = domain.real("D/((M/2) a^2), at least 1", closed(1), infinite());
    // |d√(2D)/dz| √M = |a|√M/√(2D) = v^{−1/2}.
    let decrease = Forall::le(domain, 1 / v.sqrt(), Expr::from(&multiple));
    let mut domain = Domain::new();
    let d = domain.real("|prox(v) - prox(v')|/|v - v'|", closed(0), closed(1));
    let step = Forall::le(domain, d, Expr::from(multiple));
    let [z, a, phi, m] = symbols();
    // D at the minimiser a, where phi(a) + (z + M a) a <= phi(0) = 0 by the optimality condition.
    let d = 0 - (&z * &a + &m / 2 * a.square() + &phi);
    Argument::new(check)
        .states("gcd-prox-priv-repaired/gs-q", &decrease)
        .states("gcd-prox-priv-repaired/gs-r", &step)
        .needs_identity("GS-r: sqrt(M) times the step's 1/M", &(&root / root.square()), &(1 / &root))
        .needs_identity(
            "k still wins after its noise is raised by r_k + R: its margin is a sum of three terms that are >= 0",
            &(&y_moved + &x + &r + &big - &best_moved),
            &margin,
        )
        .needs_identity(
            "GS-q: D - (M/2) a^2 = -(phi(a) + (z + M a) a), which is >= 0",
            &(d - &m / 2 * a.square()),
            &(0 - (&phi + (&z + &m * &a) * &a)),
        )
        .note("ties have probability 0 once the score carries noise; noise ratio to the printed scale in score units 1 + max r_l/r_k; \
               that noise inside the score does not do at any fixed multiple: with N plateau competitors the loss is N times theirs")
        .proved_on("all p, n, T >= 1, L, M, psi, eps > 0, delta in (0, 1]")
}

/// `gcd-good-steps`: at w = 0 with ψ = ν|·| and orientation "largest decrease", the scores are x/√M, x/√M and
/// x²/(2M) with x = (|z| − ν)₊, so the three rules choose alike (ties aside), whatever the M_j.
pub const GOOD_STEPS: Claim = Claim {
    id: "gcd-good-steps",
    paper: Paper::Gcd,
    place: "App. D (after Karimireddy et al. 2019)",
    kind: Kind::PathwiseInequality,
    statement: "with nu|.| and all coordinates at 0 the rules (GS-s), (GS-r) and (GS-q, largest decrease) choose the same coordinate",
    hypotheses: "first-touch steps: w = 0; orientation as gcd-rule-gsq-repaired",
    rests_on: &["gcd-rule-gss", "gcd-rule-gsr", "gcd-rule-gsq-repaired"],
    by_hand: &[
        "scores at 0 in closed form for z > nu; below nu all scores are 0",
        "squares keep the order, for p coordinates",
    ],
    check: |check| {
        let half = check.constant("GS-q score over the square of the GS-s score", ratio(1, 2));
        let [z, nu, m] = symbols();
        // z > ν; minimiser a = −(z − ν)/M < 0, where ψ(a) = −νa.
        let a = 0 - (&z - &nu) / &m;
        let decrease = 0 - (&z * &a + &m / 2 * a.square() - &nu * &a);
        let score_squared = (&z - &nu).square() / &m;
        let mut domain = Domain::new();
        let s = domain.real("smaller score", open(0), infinite());
        let gap = domain.real("larger minus smaller score", closed(0), infinite());
        let order = Forall::le(domain, s.square(), (&s + &gap).square())
            .factored(1, gap.clone() * (2 * s + gap));
        Argument::new(check)
            .states_identity(
                "GS-q decrease for |z| > nu",
                &decrease,
                &(half * score_squared),
            )
            .needs("gcd-good-steps", &order)
            .proved_on("all p, nu >= 0, M_j > 0, z; scores not tied")
    },
};
