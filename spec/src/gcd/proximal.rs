//! Section 4.5 and Appendix C: the proximal version and its greedy rules.

use super::laws::{moved_plateau, plateau};
use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, enumerate, infinite, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 10] = [
    ALG_2,
    RULE_GSS,
    RULE_GSR,
    RULE_GSQ,
    RULE_GSQ_REPAIRED,
    PROX_PRIV,
    PROX_PRIV_READING_CHOICES,
    PROX_PRIV_REPAIRED,
    GOOD_STEPS,
    GOOD_STEPS_READING_DISPLAYED,
];

/// `gcd-alg-2`. The proximal problem is strongly convex, so its minimiser exists and is unique; with ψ = 0
/// line 4 is line 4 of Algorithm 1. Checked on the ridge, whose minimiser is v/(1 + γν).
pub const ALG_2: Claim = Claim {
    id: "gcd-alg-2",
    place: "App. C, Algorithm 2, eqs (67)-(68)",
    kind: Kind::Algorithm,
    statement: "for t = 0…T-1: j by a noisy greedy rule; w_j ← prox_{γ_j ψ_j}(w_j - γ_j (∇_j f(w) \
        + η))",
    hypotheses: "ψ separable, convex, closed, proper; γ_j, M_j > 0",
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
                "ridge: objective minus its value at v/(1 + γ ν) is a square",
                &excess,
                &square,
            )
            .states_identity(
                "ψ = 0: w + (prox(w - step) - w)",
                &w + ((&w - &step) - &w),
                &w - &step,
            )
            .proved_on("all p, T ≥ 1, ψ as in the hypotheses (strongly convex proximal problem)")
    },
};

/// `gcd-rule-gss`, with its closed form for ψ = ν|·| at 0: min over |ξ| ≤ ν of |z + ξ| is (|z| − ν)₊.
pub const RULE_GSS: Claim = Claim {
    id: "gcd-rule-gss",
    place: "App. C, (GS-s)",
    kind: Kind::Algorithm,
    statement: "j = argmax_j min_{ξ ∈ d ψ_j(w_j)} |∇_j f(w) + η_j + ξ|/√(M_j); for ν|·| at 0 the \
        score is (|z| - ν)_+/√(M_j)",
    hypotheses: "ψ_j convex, w_j in the domain of its subdifferential",
    check: |check| {
        let threshold = check.constant("threshold in units of ν", 1);
        let mut domain = Domain::new();
        let nu = domain.real("ν", closed(0), infinite());
        let u = domain.real("|z| - ν", closed(0), infinite());
        let xi = domain.real("ξ/ν, towards z", closed(-1), closed(1));
        let score = |u: &Expr, nu: &Expr| u + nu - &threshold * nu;
        let least = Forall::le(domain, score(&u, &nu), &u + &nu + &nu * &xi)
            .factored(nu.clone(), &xi + &threshold);
        let [u, nu] = symbols();
        Argument::new(check)
            .states("gcd-rule-gss", &least)
            .states_identity("attained at ξ = -ν sign(z)", score(&u, &nu), &u + &nu - &nu)
            .proved_on(
                "all z with |z| ≥ ν (below, ξ = -z gives 0), ν ≥ 0, M_j > 0; in general the \
                    distance to a closed convex set",
            )
    },
    ..Claim::ALONE
};

/// `gcd-rule-gsr`, with its closed form for ψ = ν|·|: the soft threshold solves the optimality condition.
pub const RULE_GSR: Claim = Claim {
    id: "gcd-rule-gsr",
    place: "App. C, (GS-r)",
    kind: Kind::Algorithm,
    statement: "j = argmax_j √(M_j)|prox_{ψ_j/M_j}(w_j - (∇_j f(w) + η_j)/M_j) - w_j|; at w_j = 0 \
        with ν|·| the score is that of GS-s",
    hypotheses: "ψ_j convex (parentheses of the print completed)",
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
                "score at w_j = 0, z < -ν",
                &root * moved,
                (0 - &z - &nu) / &root,
            )
            .proved_on("all z, ν ≥ 0, M_j > 0; prox exists by gcd-alg-2")
    },
};

/// `gcd-rule-gsq`, as displayed. The model is strongly convex in a, so its minimum exists; whether the arg max of the minima
/// is what is meant is another question (`gcd-good-steps-reading-displayed`).
pub const RULE_GSQ: Claim = Claim {
    id: "gcd-rule-gsq",
    place: "App. C, (GS-q)",
    kind: Kind::Algorithm,
    statement: "j = argmax_j min_a ∇_j f(w) a + (M_j/2) a^2 + ψ_j(w_j+a) - ψ_j(w_j) (the display \
        has no noise)",
    hypotheses: "ψ_j convex, closed, proper; M_j > 0",
    rests_on: &["gcd-alg-2"],
    by_hand: &[],
    check: |check| {
        let half = check.constant("factor of M_j a^2", ratio(1, 2));
        let [g, m, a] = symbols();
        let best = 0 - &g / &m;
        Argument::new(check)
            .states_identity(
                "ψ = 0: the model minus its minimum -g^2/(2M) is a square",
                &g * &a + half * &m * a.square() + g.square() / (2 * &m),
                &m / 2 * (&a - &best).square(),
            )
            .proved_on("all p, ψ_j as in the hypotheses (strongly convex model)")
    },
};

/// `gcd-rule-gsq-repaired`, a theorem of the kernel (`super::kernel::proximal`): the arg min over j, that is the arg max of the decrease.
pub const RULE_GSQ_REPAIRED: Claim = Claim {
    id: "gcd-rule-gsq-repaired",
    kind: Kind::PathwiseInequality,
    statement: "j = argmin_j min_a ∇_j f(w) a + (M_j/2) a^2 + ψ_j(w_j+a) - ψ_j(w_j) is the \
        coordinate of largest decrease of the quadratic model (and with ψ = 0 the choice of \
        Algorithm 1)",
    hypotheses: "ψ_j real-valued, with the minimum over a attained, as for convex ψ_j",
    rests_on: &[],
    check: by_kernel,
    by_hand: &[],
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
            format!("ψ = 0, M = (1, 1), gradient ({x}, {y}): the rule prefers the smaller entry")
        })
    });
    let failure = found.err();
    Argument::new(check)
        .repaired("gcd-good-steps")
        .states_unless("49 gradients, exact", failure)
        .needs_identity(
            "ψ = 0: the model minus its minimum -g^2/(2M) is a square",
            model(&a) + g.square() / (2 * &m),
            &m / 2 * (&a - &best).square(),
        )
        .note("the order of -g^2/(2M) is the reverse of that of |g|/√(M)")
        .proved_on("all p, ψ_j convex: the smallest minimum is the largest decrease by definition")
}

/// `gcd-prox-priv`, as printed, refuted where Algorithm 1 itself keeps its guarantee by slack (`gcd-thm-4.2-restricted`): the
/// proximal step is a post-processing of the released entry, the selection is not, and its scores have a plateau. The
/// iterates show the choice of a coordinate only if it moves.
pub const PROX_PRIV: Claim = Claim {
    id: "gcd-prox-priv",
    place: "Sec. 4.5; App. C, after (68)",
    kind: Kind::MechanismPrivacy,
    statement: "Algorithm 2 with (GS-s), (GS-r) or (GS-q) has the privacy guarantee of Theorem 4.2",
    hypotheses: "ψ independent of the data; fresh noise in the update; as gcd-thm-4.2; ties (not \
        settled in print) to the smallest index or at random",
    check: prox_priv,
    ..Claim::ALONE
};

/// `gcd-prox-priv-reading-choices`: the proof of Theorem 4.2 composes the choices, which are then seen.
pub const PROX_PRIV_READING_CHOICES: Claim = Claim {
    id: "gcd-prox-priv-reading-choices",
    statement: "Algorithm 2 with (GS-s), (GS-r) or (GS-q) and λ_j = λ′_j = 8 L_j/(n ε) √(T \
        log(1/δ)) is (ε, δ)-DP for its iterates and choices j_t",
    check: prox_priv_choices,
    ..PROX_PRIV
};

/// The noise scale of one round at ε = 1 and this δ, with ε′ of Theorem 4.2, in score sensitivities, all L_k/√M_k equal.
fn plateau_scale(check: &Check, delta: &Interval) -> Option<Interval> {
    let factor = check.constant("factor of L_j/(n ε) √(T log(1/δ))", 8);
    (factor > 0)
        .then(|| Interval::from_rational(&factor) / Interval::from(2) * (-delta.ln()).sqrt())
}

fn no_noise() -> Verdict {
    Verdict::refuted("no noise at all", "the scale's sign", None)
}

/// The coordinate's share of a tie of all p, by the rules for ties: the smallest index, and at random.
fn shares(p: u32) -> [Rational; 2] {
    [Rational::from(1), Rational::from((1, p))]
}

fn prox_priv(check: &Check) -> Verdict {
    let one = Interval::from(1);
    let delta = &one / &Interval::from(10).powi(30);
    let Some(scale) = plateau_scale(check, &delta) else {
        return no_noise();
    };
    let (nu, below) = (Rational::from(2000), Rational::from(1000));
    let found = shares(36).map(|tie| moved_plateau(35, &scale, (&nu, &below, &tie), &one));
    Argument::new(check)
        .repaired("gcd-prox-priv-repaired")
        .states_that(
            "one round in 128-bit intervals",
            !found.iter().all(|found| delta.certainly_lt(found)),
            || {
                let [first, random] = found.each_ref().map(Interval::lo_f64);
                format!(
                    "ε = 1, δ = 1e-30, T = 1, ψ = ν|.|, w^0 = 0, GS-s or GS-r, n = 10000, p = 36, \
                        equal r_k, gradient ν = 2000 sensitivities in all coordinates but ν - 1000 \
                        in coordinate 1, all others moved up by one sensitivity, S = {{w^1 is not \
                        0 in coordinate 1}}: P(S) - e^ε Q(S) ≥ {first:.6e} > δ (≥ {random:.6e} \
                        with ties broken at random)"
                )
            },
        )
        .open_for("the selection is not ε'-DP with the printed noise")
}

fn prox_priv_choices(check: &Check) -> Verdict {
    let one = Interval::from(1);
    let delta = &one / &Interval::from(10).powi(12);
    let Some(scale) = plateau_scale(check, &delta) else {
        return no_noise();
    };
    let nu = Rational::from(900);
    let found = shares(31).map(|tie| plateau(30, &scale, (&nu, &tie), &one));
    Argument::new(check)
        .repaired("gcd-prox-priv-repaired")
        .states_that(
            "one round in 128-bit intervals",
            !found.iter().all(|found| delta.certainly_lt(found)),
            || {
                let [first, random] = found.each_ref().map(Interval::lo_f64);
                format!(
                    "ε = 1, δ = 1e-12, T = 1, ψ = ν|.|, w^0 = 0, GS-s or GS-r, n = 4000, p = 31, \
                        equal r_k, gradient 0 in coordinate 1 and ν = 900 sensitivities in the \
                        others, all of these moved up by one sensitivity, S = {{coordinate 1 is \
                        chosen}}: P(S) - e^ε Q(S) ≥ {first:.6e} > δ (≥ {random:.6e} with ties \
                        broken at random)"
                )
            },
        )
        .open_for("the selection is not ε'-DP with the printed noise")
}

/// `gcd-prox-priv-repaired`, a theorem of the kernel (`super::kernel::proximal_runs`): Laplace noise on the scores instead of inside
/// them. Each score is 1/√M_j-Lipschitz in the derivative: GS-s a distance to a convex set, GS-r because the prox is
/// non-expansive, GS-q as √(2D) because D′ = |a| and D ≥ (M/2)a². Then the argument of `gcd-mech-rnm-repaired` applies without
/// modulus.
pub const PROX_PRIV_REPAIRED: Claim = Claim {
    id: "gcd-prox-priv-repaired",
    statement: "Algorithm 2 with j = argmax_k h_k(∇_k f(w)) + Lap((r_k + max_{l ≠ k} r_l)/ε′), h \
        the exact score of (GS-s), (GS-r) or √(2·decrease) of (GS-q), or any other that is \
        1/√(M_k)-Lipschitz in ∇_k f(w), releases λ_j = 2 L_j/(n ε′) and ε′ of gcd-thm-4.2-repaired \
        is (ε, δ)-DP, all choices and iterates included",
    hypotheses: "ψ independent of the data and, for the three rules, every ψ_j convex and \
        real-valued; l(.;d) differentiable and L-component-Lipschitz; f may have a differentiable \
        part free of data beside the losses; replace-one; ε > 0, δ in (0, 1]; any p; w^0, L, M, γ, \
        T fixed without looking at the data",
    rests_on: &[
        "gcd-mech-rnm-repaired",
        "gcd-thm-4.2-repaired",
        "gcd-rule-gss",
        "gcd-rule-gsr",
    ],
    check: prox_priv_repaired,
    by_hand: &[],
    ..PROX_PRIV
};

fn prox_priv_repaired(check: &Check) -> Verdict {
    let multiple = check.constant("Lipschitz constant of a score in units of 1/√(M_j)", 1);
    let [y, x, best, y_moved, best_moved, r, big, root] = symbols();
    let margin = (&y + &x - &best) + (&r - (&y - &y_moved)) + (&big - (&best_moved - &best));
    let (domain, v) = Domain::of("D/((M/2) a^2), at least 1", closed(1), infinite());
    // |d√(2D)/dz| √M = |a|√M/√(2D) = v^{−1/2}.
    let decrease = Forall::le(domain, 1 / v.sqrt(), Expr::from(multiple));
    // GS-r: v - v' = far and prox(v) - prox(v') = near, (far - near) near >= 0 by monotone subgradients.
    let [far, near] = symbols();
    let excess = (&far - &near).square() + 2 * (&far - &near) * &near;
    let [z, a, phi, m] = symbols();
    // D at the minimiser a, where phi(a) + (z + M a) a <= phi(0) = 0 by the optimality condition.
    let d = 0 - (&z * &a + &m / 2 * a.square() + &phi);
    Argument::new(check)
        .states("gcd-prox-priv-repaired/gs-q", &decrease)
        .needs_identity(
            "GS-r: |v - v'|^2 - |prox(v) - prox(v')|^2 is a sum of terms ≥ 0",
            far.square() - near.square(),
            &excess,
        )
        .needs_identity(
            "GS-r: √(M) times the step's 1/M",
            &root / root.square(),
            1 / &root,
        )
        .needs_identity(
            "k still wins after its noise is raised by r_k + R: its margin is a sum of three terms \
                that are ≥ 0",
            &y_moved + &x + &r + &big - &best_moved,
            &margin,
        )
        .needs_identity(
            "GS-q: D - (M/2) a^2 = -(φ(a) + (z + M a) a), which is ≥ 0",
            d - &m / 2 * a.square(),
            0 - (&phi + (&z + &m * &a) * &a),
        )
        .note(
            "ties have probability 0 once the score carries noise; noise ratio to the printed \
                scale in score units 1 + max r_l/r_k; that noise inside the score does not do at \
                any fixed multiple: with N plateau competitors the loss is N times theirs",
        )
        .proved_on("all p, n, T ≥ 1, L, M, ψ, ε > 0, δ in (0, 1]")
}

/// `gcd-good-steps`, a theorem of the kernel (`super::kernel::good_steps`). In one coordinate let z be the noisy derivative, d the minimiser of z d + (M/2)d² + ψ(w+d) − ψ(w), D its
/// decrease and s = z + ξ the minimal subgradient of the sum. Optimality and monotone subgradients give Md² ≤ −sd, so
/// √M|d| ≤ |s|/√M; convexity gives D ≤ −sd − (M/2)d² ≤ s²/(2M). A good step has d = −s/M and equality in both.
pub const GOOD_STEPS: Claim = Claim {
    id: "gcd-good-steps",
    place: "App. D (after Karimireddy et al. 2019)",
    kind: Kind::PathwiseInequality,
    statement: "if the choice j of (GS-s) makes a good step, that is w_j = 0 or w_j keeps its \
        sign, then j is a choice of (GS-r) and of (GS-q, largest decrease) too",
    hypotheses: "ψ = ν|·|, ν ≥ 0, any w and M_j > 0; one noise for all three rules; orientation as \
        gcd-rule-gsq-repaired",
    rests_on: &["gcd-rule-gss", "gcd-rule-gsr", "gcd-rule-gsq-repaired"],
    by_hand: &[],
    check: by_kernel,
};

/// `gcd-good-steps-reading-displayed`: with (GS-q) as displayed, which prefers the smallest decrease, the rules do not coincide.
pub const GOOD_STEPS_READING_DISPLAYED: Claim = Claim {
    id: "gcd-good-steps-reading-displayed",
    statement: "on good steps the three rules coincide, (GS-q) being the arg max over j as \
        displayed",
    rests_on: &[],
    by_hand: &[],
    check: |check| quadratic_rule(check, 1),
    ..GOOD_STEPS
};
