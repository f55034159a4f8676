//! Theorems 1 and 2 on their ball: what it costs that one ball about w₀ has both KL* and the Lipschitz constant.
//!
//! u = (F(w₀) − F*)^{1/κ}/(γL₀), m = n√ρ/√d; M(s) is the largest excess over the ball of radius s about w₀.

use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 3] = [FACT_BALL, THM_1_NOTE_BALL, THM_2_BALL];

/// `kl-fact-ball`. Where M(s) is attained, some direction has the slope of the gradient there, at least M^{1/κ}/γ by KL*; so M has that lower right
/// derivative, and (κ/(κ−1))M^{(κ−1)/κ}, or log M, one of at least 1/γ. M ≤ (γL₀)^κ. For weakly convex F the same with any subgradient. F = (w/(2γ))²
/// on \[w₀ − B, w₀ + B\] has equality: its slope is at most (w₀ + B)/(2γ²).
pub const FACT_BALL: Claim = Claim {
    id: "kl-fact-ball",
    place: "derived; Sec. 3, Theorem 1, and Sec. 4, Theorem 2: KL* and the Lipschitz constant on \
        one ball",
    kind: Kind::PathwiseInequality,
    statement: "B ≤ (κ/(κ-1)) γ ((γ L_0)^{κ-1} - (F(w_0) - F*)^{(κ-1)/κ}), for κ = 2 that is 2 γ \
        (γ L_0 - √(F(w_0) - F*)); for κ = 1 B ≤ γ log(γ L_0/(F(w_0) - F*))",
    hypotheses: "κ ≥ 1; F differentiable or weakly convex, L_0-Lipschitz and (γ, κ)-KL* on the \
        ball of radius B about w_0; F(w_0) > F*",
    check: |c| {
        let two = c.constant("factor κ/(κ-1) of γ at κ = 2", 2);
        let (domain, b) = Domain::of("B", open(0), infinite());
        // γ(γL₀ − √Φ) = B/2 for F = (w/(2γ))².
        let sharp = Forall::le(domain, b.clone(), &two / Rational::from(2) * &b)
            .factored(b, &two / Rational::from(2) - Rational::from(1));
        let [kappa, ln_slope, gamma, start, radius] = symbols();
        let power = (&kappa - 1) / &kappa;
        let end = (&start + &radius) / (2 * &gamma);
        let lipschitz = (&start + &radius) / (2 * gamma.square());
        Argument::new(c)
            .needs_identity("power of M^(-1/κ), integrated", &power - 1, 0 - 1 / &kappa)
            .needs_identity("its factor", &kappa / (&kappa - 1) * &power, 1)
            .needs_identity(
                "((γ L_0)^κ)^((κ-1)/κ)",
                &power * (&kappa * &ln_slope),
                (&kappa - 1) * &ln_slope,
            )
            .needs_identity(
                "F = (w/(2 γ))^2: γ (γ L_0 - √(F(w_0))) = B/2",
                &gamma * (&gamma * &lipschitz - &start / (2 * &gamma)),
                &radius / 2,
            )
            .needs_identity(
                "and γ^2 L_0^2 is F at its end",
                (&gamma * &lipschitz).square(),
                end.square(),
            )
            .states("kl-fact-ball", &sharp)
            .proved_on("all κ ≥ 1, all F of the hypotheses")
    },
    by_hand: &[
        "M(s) has the lower right derivative M^{1/κ}/γ: where it is attained some direction has \
            the slope of the gradient, which KL* bounds from below",
        "a continuous function whose lower right derivative is at least 1/γ grows by B/γ or more \
            on [0, B]",
        "M ≤ (γL₀)^κ, by KL* and the Lipschitz constant",
    ],
    ..Claim::ALONE
};

/// `kl-thm-1-note-ball`. At F₀ = (γL₀)^κ the bracket is κ log m and B ≥ 16γ(γL₀)^{κ−1}κ log m, so that `kl-fact-ball` says 16(κ−1)log m ≤ 1 − u^{κ−1} ≤
/// (κ−1)log(1/u), for κ = 1 16 log m ≤ log(1/u) at once: u ≤ m⁻¹⁶. A smaller F₀ has instances: F = w²/2, w₀ = 1, F₀ = 1/2, L₀ = 101, m = 40,000.
pub const THM_1_NOTE_BALL: Claim = Claim {
    id: "kl-thm-1-note-ball",
    place: "Sec. 3, sentence after Theorem 1",
    kind: Kind::Rate,
    statement: "F_0 = (L_0 γ)^κ is always possible, and then the output w of Algorithm 1 has F(w) \
        - F* = Õ((γ L_0 √(d) √(1 + γ^κ L_1/L_0^{2-κ})/(n √(ρ)))^κ)",
    hypotheses: "as kl-thm-1, the Õ of B read as its proof has it: B = (F_0^{1/κ}/(4 γ L_1) + 16 \
        F_0^{(κ-1)/κ} γ)[log F_0 + κ log(n √(ρ)/(γ L_0 √(d)))] at F_0 = (L_0 γ)^κ; n √(ρ) > √(d); \
        and w_0 is not there already: F(w_0) - F* > (γ L_0 (√(d)/(n √(ρ)))^16)^κ",
    rests_on: &["kl-lem-1", "kl-fact-ball", "kl-red-log"],
    check: thm_1_note_ball,
    by_hand: &[],
};

fn thm_1_note_ball(c: &Check) -> Verdict {
    let factor = c.constant("factor of F_0^{(κ-1)/κ} γ in B", 16);
    let power = c.constant("power of √(d)/(n √(ρ))", 16);
    let [kappa, ln_slope, ln_m, v, gamma] = symbols();
    let start = &kappa * &ln_slope;
    let bracket = &start + &kappa * (&ln_m - &ln_slope);
    let (domain, log) = Domain::of("log m", open(0), infinite());
    let beyond = Forall::le(domain, &power * &log, &factor * &log)
        .factored(log, Expr::from(Rational::from(&factor - &power)));
    // What B ≤ γ(κ/(κ−1))(γL₀)^{κ−1}v leaves, over κγ(γL₀)^{κ−1}/(κ−1).
    let least = &factor * &gamma * &kappa * &ln_m;
    let most = &kappa / (&kappa - 1) * &gamma * &v;
    let unit = &kappa * &gamma / (&kappa - 1);
    let empty = Argument::new(c)
        .needs_identity("the bracket at F_0 = (γ L_0)^κ", bracket, &kappa * &ln_m)
        .needs_identity(
            "F_0^{(κ-1)/κ} = (γ L_0)^{κ-1}",
            (&kappa - 1) / &kappa * start,
            (&kappa - 1) * &ln_slope,
        )
        .needs_identity(
            "the least radius",
            least / &unit,
            &factor * (&kappa - 1) * &ln_m,
        )
        .needs_identity("the largest", most / unit, &v)
        .needs_identity(
            "v = x/(1+x) for x = v/(1-v)",
            &v / (1 - &v) / (1 + &v / (1 - &v)),
            &v,
        )
        .needs("kl-thm-1-note-ball", &beyond)
        .needs_that(
            "a quadratic at F_0 = 1/2 has such a ball",
            quadratic(&factor),
        )
        .proved_on("");
    match empty {
        Verdict::Proved(proof) => Verdict::empty(
            format!(
                "on the way up from w_0 KL* makes the slope exceed L_0 within a length of γ ((γ \
                    L_0)^(κ-1) - (F(w_0) - F*)^((κ-1)/κ)) κ/(κ-1) (kl-fact-ball), and B is at \
                    least {factor} γ (γ L_0)^(κ-1) κ log(n √(ρ)/√(d)): so F(w_0) - F* is at most \
                    (γ L_0 (√(d)/(n √(ρ)))^{power})^κ"
            ),
            proof.evidence,
            Some("kl-thm-1-corrected"),
        ),
        other => other,
    }
}

/// Whether F = w²/2, κ = 2, γ² = 1/2, L₁ = d = ρ = 1, w₀ = 1, F₀ = 1/2 = F(w₀) has slopes of at most L₀ = 101 on the ball of radius B for n = 40,000:
/// B = (1/4 + factor/2)·2 log(n/L₀).
fn quadratic(factor: &Rational) -> bool {
    let slope = Interval::from(101);
    let bracket = Interval::from(2) * (Interval::from(40_000) / slope.clone()).ln();
    let shares = Interval::from_rational(&(ratio(1, 4) + Rational::from(factor / 2)));
    (Interval::from(1) + shares * bracket).certainly_le(&slope)
}

/// `kl-thm-2-ball`. With a = log(F₀/(γL₀√d/(n√ρ))²), the bracket, B ≥ 16γ²L₀a, while `kl-fact-ball` has B < 2γ²L₀: a < 1/8. Where T ≥ 1 and ω ≥ 1 the
/// theorem's bound is (γL₀√d/(n√ρ))² or more, up to its constant; where T < 1 no round is run.
pub const THM_2_BALL: Claim = Claim {
    id: "kl-thm-2-ball",
    place: "Sec. 4, Theorem 2, at κ = 2",
    kind: Kind::HighProbability,
    statement: "at κ = 2, F(w_T) - F* = O((γ L_0 √(T d ω)/(n √(ρ)))^2) with probability at least 1 \
        - β",
    hypotheses: "as kl-thm-2, the Õ of B read with the constants of Algorithm 4 \
        (kl-lem-4-reading-alg-4): B = (L_0/(2L̃_1) + 16 L_0 γ^2)[log F_0 + 2 log(n √(ρ)/(γ L_0 \
        √(d)))]; F(w_0) > F*; and F_0 ≥ e^{1/8} (γ L_0 √(d)/(n √(ρ)))^2",
    rests_on: &["kl-lem-4-reading-alg-4", "kl-fact-ball"],
    check: |c| {
        let factor = c.constant("factor of L_0 γ^2 in B", 16);
        let power = c.constant("logarithm of F_0 over the target", ratio(1, 8));
        let mut domain = Domain::new();
        let rest = domain.real("a - 1/8", closed(0), infinite());
        let first = domain.real("1/(2 L~_1 γ^2)", open(0), infinite());
        // B/(γ²L₀) against 2.
        let far = Forall::le(domain, 2, (first + factor) * (power + rest));
        let [ln_gap, ln_target] = symbols();
        let empty = Argument::new(c)
            .needs_identity(
                "the bracket at κ = 2",
                &ln_gap + 2 * (0 - &ln_target),
                &ln_gap - 2 * &ln_target,
            )
            .needs("kl-thm-2-ball", &far)
            .proved_on("");
        match empty {
            Verdict::Proved(proof) => Verdict::empty(
                "KL* with the Lipschitz constant L_0 on the ball needs B < 2 γ^2 L_0 \
                    (kl-fact-ball), and B is more than 16 γ^2 L_0 times the logarithm of F_0 over \
                    (γ L_0 √(d)/(n √(ρ)))^2, which is 1/8 or more",
                proof.evidence,
                Some("kl-thm-2-corrected"),
            ),
            other => other,
        }
    },
    by_hand: &[],
};
