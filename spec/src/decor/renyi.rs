//! Appendices A and C: Rényi divergence, its composition and its conversion.

use crate::arith::{Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict};
use crate::decor::finite::{coin, delta, four_coins, masses, moment};
use crate::decor::steps::{Algebra, frac, v};
use crate::prove::Argument;
use rug::ops::Pow;

/// The claims about Rényi divergence, in the paper's order.
pub(super) const CLAIMS: [Claim; 6] = [DEF_3, LEM_4, LEM_5, LEM_10, AUX_EVENT, LEM_11];

/// `decor-def-3`. Witness: two coins. The moment can be taken under Q with the power α or under P
/// with the power α − 1; both are computed.
pub const DEF_3: Claim = Claim {
    id: "decor-def-3",
    place: "App. A, Definition 3",
    kind: Kind::Definition,
    statement: "D_α(P‖Q) = log E_Q[(P/Q)^α]/(α − 1) for α > 0, α ≠ 1",
    hypotheses: "P absolutely continuous with respect to Q (not printed)",
    check: def_3,
    ..Claim::ALONE
};

fn def_3(c: &Check) -> Verdict {
    let lowered = c.constant("difference of the two powers", 1);
    let (p, q) = (frac(1, 2), frac(1, 4));
    let under_q = moment(&coin(&p), &coin(&q), 2).unwrap_or_default();
    let power = Rational::from(2 - &lowered);
    let power = i32::try_from(power.numer())
        .ok()
        .filter(|_| *power.denom() == 1);
    let under_p = power.map(|e| {
        let (a, b) = (
            Rational::from(&p / &q),
            Rational::from(1 - &p) / Rational::from(1 - &q),
        );
        p.clone() * a.pow(e) + Rational::from(1 - &p) * b.pow(e)
    });
    Argument::new(c)
        .states_that(
            "coins 1/2 and 1/4, α = 2: E_Q[(P/Q)²] = E_P[P/Q] = 4/3",
            under_p.as_ref() == Some(&under_q) && under_q == frac(4, 3),
            || format!("E_Q[(P/Q)²] = {under_q}, with the other power {under_p:?}"),
        )
        .needs_that(
            "D_2(P‖P) = 0",
            moment(&coin(&p), &coin(&p), 2) == Some(Rational::from(1)),
        )
        .proved_on("witness: two coins, α = 2; undefined where Q vanishes and P does not")
}

/// `decor-lem-4`. Completing the square: with u = x − μ₁ and v = x − μ₂ the exponent
/// −(α/2)Q(u) − ((1−α)/2)Q(v) equals −Q(x − m)/2 + (α(α−1)/2)Q(μ₁ − μ₂), m = αμ₁ + (1−α)μ₂, for the
/// quadratic form Q of Σ⁻¹ in any dimension: both sides are linear in Q(u), Q(v) and the bilinear
/// form of u and v, so that dimension one (u², v², uv) decides. The Gaussian integral does not depend on m; divide the log by α − 1.
pub const LEM_4: Claim = Claim {
    id: "decor-lem-4",
    place: "App. A, Lemma 4 (Gil et al., 2013)",
    kind: Kind::Imported,
    statement: "D_α(N(μ₁,Σ)‖N(μ₂,Σ)) = (α/2)(μ₁−μ₂)ᵀΣ⁻¹(μ₁−μ₂)",
    hypotheses: "α > 0, α ≠ 1, Σ positive definite",
    rests_on: &[],
    by_hand: &[
        "the square is completed in any dimension",
        "the Gaussian integral does not depend on the mean",
        "the covariance is diagonalised",
    ],
    check: lem_4,
};

fn lem_4(c: &Check) -> Verdict {
    let half = Poly::from(c.constant("factor of α", frac(1, 2)));
    let (alpha, uu, vv) = (v("α"), v("u").square(), v("v").square());
    let uv = v("u") * v("v");
    let beta = 1 - &alpha;
    let two = Poly::from(frac(1, 2));
    let exponent = 0 - &two * (&alpha * &uu + &beta * &vv);
    let centred = alpha.square() * &uu + 2 * &alpha * &beta * &uv + beta.square() * &vv;
    let apart = &uu - 2 * &uv + &vv;
    // (α − 1)·D_α is the constant that is left when the square is completed.
    let left_over = exponent + two * centred;
    Argument::new(c).positive(&["α"])
        .states_equal(
            "(α − 1)·D_α = (α − 1)·(α/2)·Q(μ₁ − μ₂)",
            &left_over,
            (&alpha - 1) * half * alpha * apart,
        )
        .proved_on("all α > 0, α ≠ 1, all dimensions, all positive definite Σ (for α < 1 and α > 1 the exponent is a Gaussian integral of the same covariance)")
}

/// `decor-lem-5`. In an orthonormal eigenbasis that contains u_n (it exists by the spectral theorem,
/// also if the largest eigenvalue is multiple) a vector u ⟂ u_n has uᵀMu = Σ_{k<n} λ_k c_k² and
/// ‖u‖² = Σ_{k<n} c_k². Attained at u_{n−1}. For n = 1 there is no u ≠ 0, and no λ_{n−1}.
pub const LEM_5: Claim = Claim {
    id: "decor-lem-5",
    place: "App. A, Lemma 5",
    kind: Kind::Imported,
    statement: "λ_{n−1}(M) = sup of uᵀMu/‖u‖² over u ≠ 0 orthogonal to an eigenvector of the largest eigenvalue",
    hypotheses: "M real symmetric, n ≥ 2, with an orthonormal eigenbasis that contains the eigenvector (the spectral theorem)",
    rests_on: &[],
    by_hand: &[],
    check: lem_5,
};

fn lem_5(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of λ_{n−1}", 1));
    let (top, second, third) = (v("λ"), v("c2").square(), v("c3").square());
    let form = &top * &second + (&top - v("gap")) * &third;
    Argument::new(c)
        .positive(&["gap"])
        .states_equal(
            "attained at the eigenvector of λ_{n−1}",
            &top * &second,
            &factor * &top * &second,
        )
        .needs_at_most(
            "λc₂² + (λ − gap)c₃² ≤ λ(c₂² + c₃²), and so on for every further eigenvalue",
            &form,
            factor * top * (second + third),
        )
        .note("the spectral theorem is used")
        .proved_on("all n ≥ 2, all real symmetric M")
}

/// `decor-lem-10`. With a_o = p₁(o)^α q₁(o)^(1−α) and b_o the moment of the second mechanism given
/// the first output o, the moment of the pair is Σ a_o b_o (an integral in general), Σ a_o ≤ A and
/// b_o ≤ B for all o. The identity is the same for any number of outputs.
pub const LEM_10: Claim = Claim {
    id: "decor-lem-10",
    place: "App. C, Lemma 10 (Mironov, 2017)",
    kind: Kind::Composition,
    statement: "an (α,ε₁)-RDP mechanism followed by an (α,ε₂)-RDP mechanism that also sees its output is (α, ε₁+ε₂)-RDP",
    hypotheses: "α > 1; the second mechanism's own randomness is independent of the first's; for the kernel a case of its rule of \
                 adaptive composition, and no evidence beside it",
    check: lem_10,
    ..Claim::ALONE
};

fn lem_10(c: &Check) -> Verdict {
    let weight = c.constant("multiple of ε₂", 1);
    // Moments: A = e^{(α−1)ε₁}, B = e^{(α−1)ε₂}; the claimed one is A·B^weight. Two coins with
    // E_Q[(P/Q)²] = 4/3 each: the pair's moment is exactly (4/3)².
    let one = moment(&coin(&frac(1, 2)), &coin(&frac(1, 4)), 2).unwrap_or_default();
    let pair = Rational::from(&one * &one);
    // (4/3)² ≤ (4/3)^{1 + weight}, as 4/3 > 1, says 1 ≤ weight.
    let holds = one > 1 && weight >= 1;
    let [a1, a2, a, b1, b2, b] = ["a1", "a2", "A", "b1", "b2", "B"].map(Poly::var);
    let moments = &a1 * &b1 + &a2 * &b2;
    let slack = (&a - &a1 - &a2) * &b + &a1 * (&b - &b1) + &a2 * (&b - &b2);
    Argument::new(c)
        .states_that(
            "two independent coins, α = 2: 2·log(4/3) ≤ (1 + weight)·log(4/3)",
            holds,
            || format!("the pair's moment is {pair} = ({one})², more than ({one})^(1 + {weight})"),
        )
        .needs_equal(
            "AB − Σ a_o b_o = (A − Σ a_o)B + Σ a_o(B − b_o), a sum of non-negative products",
            a * b - moments,
            &slack,
        )
        .proved_on("all α > 1, all ε₁, ε₂ ≥ 0, all mechanisms")
}

/// `decor-aux-event`. (p, q) ↦ p^α q^(1−α) is jointly convex and homogeneous, so its integral over B
/// is at least P(B)^α Q(B)^(1−α) (the argument of `decor-aux-mixture` with B in place of the
/// mixture); the integral over all outcomes is larger still. Checked for α = 2, two outcomes.
pub const AUX_EVENT: Claim = Claim {
    id: "decor-aux-event",
    place: "used in App. C, Lemma 11 (not printed)",
    kind: Kind::Composition,
    statement: "P(B)^α Q(B)^(1−α) ≤ exp((α−1) D_α(P‖Q)) for every event B",
    hypotheses: "α > 1",
    rests_on: &["decor-aux-mixture"],
    by_hand: &[],
    check: aux_event,
};

fn aux_event(c: &Check) -> Verdict {
    let factor = c.constant("factor of the moment", 1);
    let above = four_coins().find(|coins| {
        // B is the first two of three outcomes; P has the masses p1/2, p2/2, and Q those of the other two coins.
        let [p1, p2, q1, q2] = coins.each_ref().map(|x| Rational::from(x / 2));
        let law = |x: &Rational, y: &Rational| {
            let rest = Rational::from(1 - x) - y;
            masses(&[x.clone(), y.clone(), rest])
        };
        let (p, q) = (law(&p1, &p2), law(&q1, &q2));
        let (of_p, of_q) = (p1 + p2, q1 + q2);
        [2, 3].into_iter().any(|alpha| {
            let event = of_p.clone().pow(alpha) / of_q.clone().pow(alpha - 1);
            moment(&p, &q, alpha).is_some_and(|m| event > m * &factor)
        })
    });
    let [p1, p2, q1, q2] = ["p1", "p2", "q1", "q2"].map(Poly::var);
    let outside = v("rest");
    let left = (&p1 + &p2).square() * &q1 * &q2;
    let right = (p1.square() * &q2 + p2.square() * &q1) * (&q1 + &q2) + outside;
    let square = (&p1 * &q2 - &p2 * &q1).square() + v("rest");
    Argument::new(c)
        .states_that(
            "two of three outcomes as the event, 81 pairs of laws, α = 2 and 3",
            above.is_none(),
            || {
                format!(
                    "masses {above:?}, halved: the left side is above {factor} times the moment"
                )
            },
        )
        .needs_equal(
            "right − left = (p₁q₂ − p₂q₁)² + rest",
            right - left,
            &square,
        )
        .proved_on("all α > 1, all P, Q, all events")
}

/// `decor-lem-11`. Let y = ε + log Q(B). By `decor-aux-event` log P(B) ≤ (α−1)y/α. If
/// y = g − αl/(α−1) with g ≥ 0, l = log(1/δ), then (α−1)y/α ≤ y + l/(α−1); else P(B) ≤ δ.
pub const LEM_11: Claim = Claim {
    id: "decor-lem-11",
    place: "App. C, Lemma 11 (Mironov, 2017)",
    kind: Kind::Composition,
    statement: "(α,ε)-RDP implies (ε + log(1/δ)/(α−1), δ)-DP for all δ in (0,1)",
    hypotheses: "α > 1, ε ≥ 0",
    rests_on: &["decor-aux-event"],
    by_hand: &[],
    check: lem_11,
};

fn lem_11(c: &Check) -> Verdict {
    let weight = c.constant("factor of log(1/δ)/(α−1)", 1);
    // Everything times α(α−1) with a = α − 1: y = g − αl/a.
    let [a, l, g] = ["a", "l", "g"].map(Poly::var);
    let alpha = &a + 1;
    let y_times_a = &a * &g - &alpha * &l;
    let power = &a * &y_times_a;
    let claimed = &alpha * (&y_times_a + Poly::from(weight.clone()) * &l);
    let (holds, witness) = sharp_coins(&weight);
    Argument::new(c)
        .positive(&["a", "l", "g"])
        .states_that(
            "coins P = (10⁻³, ·), Q = (10⁻⁸, ·), α = 2, δ = 10⁻⁴",
            holds,
            || witness,
        )
        .needs_at_most(
            "(α−1)y/α ≤ y + l/(α−1) where y ≥ −αl/(α−1)",
            &power,
            &claimed,
        )
        .needs_at_most(
            "(α−1)y/α ≤ −l where y ≤ −αl/(α−1)",
            &a * (0 - &alpha * &l - &a * &g),
            0 - &alpha * &a * &l,
        )
        .proved_on("all α > 1, ε ≥ 0, δ in (0,1), all mechanisms")
}

/// Whether the two coins are (ε', δ)-indistinguishable, e^{ε'} = E·δ^{−weight}, E their moment of
/// order 2 and δ = 10⁻⁴. Other weights than quarters are rounded up to a quarter, which only helps.
fn sharp_coins(weight: &Rational) -> (bool, String) {
    let (p, q) = (coin(&frac(1, 1000)), coin(&frac(1, 100_000_000)));
    let moment = moment(&p, &q, 2).unwrap_or_default();
    let quarters = Rational::from(weight * 4).ceil();
    let exponent = i32::try_from(quarters.numer()).unwrap_or(0);
    let factor = moment * Rational::from(10).pow(exponent);
    let needed = delta(&p, &q, &factor);
    (
        needed <= frac(1, 10_000),
        format!(
            "e^ε' = {:.6}, and δ must be at least {:.6}",
            factor.to_f64(),
            needed.to_f64()
        ),
    )
}
