//! Section 2 and what the privacy proofs import: zCDP, approximate DP, conversions, filters.

use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order; reductions come last.
pub(super) const CLAIMS: [Claim; 7] = [
    DEF_2,
    DEF_3,
    FACT_CONV,
    LEM_14,
    IMP_ADAPTIVE,
    RED_EVENT,
    RED_RANGE,
];

/// `kl-def-2`. "Differing in one data point" for S, S' in X^n is replace-one. Witness: the Gaussian
/// mechanism, whose divergence is αΔ²/(2σ²) (`skgd-lem-D.3`).
pub const DEF_2: Claim = Claim {
    id: "kl-def-2",
    place: "Sec. 2, Definition 2",
    kind: Kind::Definition,
    statement: "A is ρ-zCDP if D_α(A(S)‖A(S′)) ≤ ρ α for all α > 1 and all S, S′ in X^n that \
        differ in one data point",
    hypotheses: "witness: Gaussian mechanism of sensitivity Δ and variance Δ^2/(2 ρ)",
    rests_on: &["skgd-lem-D.3"],
    by_hand: &[],
    check: def_2,
};

fn def_2(check: &Check) -> Verdict {
    let variance = check.constant("witness variance in units of Δ^2/ρ", ratio(1, 2));
    if variance <= 0 {
        return Verdict::refuted("no noise at all", "the variance's sign", None);
    }
    let mut domain = Domain::new();
    let alpha = domain.real("α", open(1), infinite());
    let rho = domain.real("ρ", open(0), infinite());
    // αΔ²/(2σ²) with σ² = variance·Δ²/ρ.
    let scaled = &rho * &alpha;
    let divergence = &scaled / Expr::from(Rational::from(&variance * 2));
    let better = 1 - 1 / Expr::from(Rational::from(&variance * 2));
    Argument::new(check)
        .states(
            "kl-def-2",
            &Forall::le(domain, divergence, scaled.clone()).factored(scaled, better),
        )
        .proved_on("satisfiable for every ρ > 0, Δ > 0")
}

/// `kl-def-3`. Witness: randomised response with odds e^ε, all four events.
pub const DEF_3: Claim = Claim {
    id: "kl-def-3",
    place: "Sec. 2, Definition 3",
    statement: "A is (ε, δ)-DP if P(A(S) ∈ E) ≤ e^ε P(A(S′) ∈ E) + δ for all events E and all S, \
        S′ that differ in one data point",
    hypotheses: "witness: randomised response with odds e^ε, δ = 0",
    rests_on: &[],
    check: def_3,
    ..DEF_2
};

fn def_3(check: &Check) -> Verdict {
    let factor = check.constant("factor of e^ε", 1);
    let mut argument = Argument::new(check);
    for (name, swapped) in [("kl-def-3/likely", false), ("kl-def-3/unlikely", true)] {
        let (domain, x) = Domain::of("e^ε", closed(1), infinite());
        let (p, q) = if swapped {
            (Expr::from(1), x.clone())
        } else {
            (x.clone(), Expr::from(1))
        };
        // Both probabilities over their common denominator 1 + e^ε.
        argument = argument.states(name, &Forall::le(domain, p, factor.clone() * (x * q)));
    }
    argument
        .note("the events {} and everything have equal probability under both")
        .proved_on("satisfiable for every ε ≥ 0")
}

/// `kl-fact-conv`, with ρ = ε²/(9 log(1/δ)). For log(1/δ) ≥ ¼ the classical conversion gives it
/// (`ambssgd-conv-zcdp`); for smaller log(1/δ) already the total variation, at most ½√(e^{2ρ} − 1) by the
/// divergence of order 2, is below δ.
pub const FACT_CONV: Claim = Claim {
    id: "kl-fact-conv",
    place: "Sec. 2, after Definition 3 (Bun and Steinke 2016, Prop. 1.3)",
    kind: Kind::Composition,
    statement: "ρ-zCDP with ρ = ε^2/(9 log(1/δ)) gives (ε, δ)-DP; the print has O(·) for 1/9",
    hypotheses: "0 < δ < 1, 0 < ε ≤ √(log(1/δ))",
    rests_on: &["ambssgd-conv-zcdp"],
    check: fact_conv,
    by_hand: &[],
};

fn fact_conv(check: &Check) -> Verdict {
    let divisor = check.constant("divisor of ε^2/log(1/δ)", 9);
    if divisor <= 0 {
        return Verdict::refuted("a negative budget", "the divisor's sign", None);
    }
    // ε = 10, log(1/δ) = 100: what the Gaussian mechanism of budget ρ = 1/divisor reveals.
    let mu = (Interval::from(2) / Interval::from_rational(&divisor)).sqrt();
    let (ten, half) = (Interval::from(10), Interval::from_f64(0.5));
    let upper = (&(&mu * &half) - &(&ten / &mu)).phi();
    let lower = (-&(&(&mu * &half) + &(&ten / &mu))).phi();
    let delta = upper - ten.exp() * lower;
    let allowed = (Interval::from(-100)).exp();
    let (domain, root) = Domain::of("√(log(1/δ))", closed(ratio(1, 2)), infinite());
    let c = Expr::from(divisor.clone());
    // (ρ + 2√(ρ log(1/δ)))/ε at the largest ε.
    let classical = Forall::le(domain, 1 / (&c * &root) + 2 / c.sqrt(), 1);
    let (domain, log) = Domain::of("log(1/δ)", closed(0), closed(ratio(1, 4)));
    let variation = ((2 / &c).exp_m1()).sqrt() / 2;
    let small = Forall::le(domain, variation, (0 - log).exp());
    Argument::new(check)
        .states_that(
            "the Gaussian mechanism at ε = 10, log(1/δ) = 100",
            !allowed.certainly_lt(&delta),
            || format!("ε = 10, δ = e^-100, Gaussian mechanism of ρ = 1/{divisor}: δ is {delta}"),
        )
        .needs("kl-fact-conv/classical", &classical)
        .needs("kl-fact-conv/variation", &small)
        .proved_on("0 < δ < 1, 0 < ε ≤ √(log(1/δ))")
}

/// `kl-lem-14`: losses of an (ε,0)-private pair lie in [−ε, ε], a range of 2ε.
pub const LEM_14: Claim = Claim {
    id: "kl-lem-14",
    place: "App. D.6, Lemma 14 (Bun and Steinke 2016, Prop. 1.4)",
    kind: Kind::Imported,
    statement: "every (ε, 0)-DP mechanism is (ε^2/2)-zCDP",
    hypotheses: "ε > 0; releases of vectors, replace-one; for the kernel two of its rules, and no \
        evidence beside them",
    rests_on: &["kl-red-range"],
    check: lem_14,
    by_hand: &[],
};

fn lem_14(check: &Check) -> Verdict {
    let half = check.constant("ρ over ε^2", ratio(1, 2));
    let [e] = symbols();
    Argument::new(check)
        .states("kl-lem-14", &response_divergence(&half))
        .needs_that(
            "the range 2 ε gives (2 ε)^2/8",
            Rational::from(&half * 2) >= 1,
        )
        .needs_identity("(2 ε)^2/8 = ε^2/2", (2 * &e).square() / 8, e.square() / 2)
        .proved_on("all ε > 0, all (ε, 0)-DP mechanisms")
}

/// The divergence of order 1 of randomised response of parameter ε, ε(1 − e^{−ε})/(1 + e^{−ε}), is at most
/// `factor`·ε²: tight as ε → 0.
fn response_divergence(factor: &Rational) -> Forall {
    let (domain, e) = Domain::of("ε", closed(0), infinite());
    let decay = (0 - &e).exp();
    Forall::le(domain, 1 - &decay, factor.clone() * (&e * (1 + &decay)))
}

/// `kl-imp-adaptive`. Fix α > 1 and let V_t bound the moment E[∏_{j≥t} (dP_j/dQ_j)^α] given the past. Backwards
/// in t: the factor of round t is at most e^{α(α−1)ρ_t} and the rest at most e^{α(α−1)(ρ − spent − ρ_t)}, whose
/// product does not depend on ρ_t. Stopping is a round with ρ_t = 0; the rest after N rounds is 1. A chain of
/// Gaussian releases that spends all of ρ has divergence exactly ρα, so the budget cannot be exceeded.
pub const IMP_ADAPTIVE: Claim = Claim {
    id: "kl-imp-adaptive",
    place: "App. D.2 (Whitehouse et al. 2023, Theorem 1)",
    kind: Kind::Composition,
    statement: "adaptively chosen mechanisms, the t-th ρ_t-zCDP with ρ_t a function of the past \
        outputs, with ∑ ρ_t ≤ ρ always, compose to a ρ-zCDP mechanism",
    hypotheses: "finitely many rounds; the choice of the next mechanism and of stopping depends on \
        the past outputs only; releases of vectors of ℝ^d; replace-one; for the kernel its rule of \
        the filter, and no evidence beside it",
    rests_on: &["skgd-lem-D.3", "skgd-prop-D.6"],
    check: imp_adaptive,
    by_hand: &[],
};

fn imp_adaptive(check: &Check) -> Verdict {
    let multiple = check.constant("budget that may be spent, in units of ρ", 1);
    let [a, rho, spent, now] = symbols();
    let exponent = &a * (&a - 1);
    let mut domain = Domain::new();
    let (alpha, budget) = (
        domain.real("α", open(1), infinite()),
        domain.real("ρ", open(0), infinite()),
    );
    let scaled = &alpha * &budget;
    let gaussian = Forall::le(domain, multiple.clone() * &scaled, scaled.clone())
        .factored(scaled, Expr::from(1 - multiple));
    Argument::new(check)
        .states("kl-imp-adaptive", &gaussian)
        .needs_identity(
            "the round's exponent and that of the rest add up whatever ρ_t is",
            &exponent * &now + &exponent * (&rho - (&spent + &now)),
            &exponent * (&rho - &spent),
        )
        .proved_on("all α > 1, ρ > 0, all adaptive sequences with finitely many rounds")
}

/// `kl-red-event`. By convexity of t ln t (t ln t ≥ t − 1) the divergence of order 1 is not increased by
/// looking only at whether E happened, and D_α ≥ D_1 for α > 1 (ln x ≤ x − 1 again); so D_α ≤ ρα near α = 1
/// forces D_1 ≤ ρ. The binary divergence increases in p and decreases in q while p ≥ q.
pub const RED_EVENT: Claim = Claim {
    id: "kl-red-event",
    place: "reduction (data processing)",
    kind: Kind::Composition,
    statement: "if P(E) ≥ p > q ≥ Q(E) for the outputs on two neighbours, a ρ-zCDP mechanism has ρ \
        ≥ p ln(p/q) + (1-p) ln((1-p)/(1-q))",
    hypotheses: "0 < q < p < 1",
    rests_on: &[],
    check: red_event,
    by_hand: &[],
};

fn red_event(check: &Check) -> Verdict {
    let factor = check.constant("factor of the binary divergence", 1);
    if factor <= 0 {
        return Verdict::open("a negative lower bound says nothing");
    }
    // ln t ≥ 1 − 1/t at t = e^u and at t = e^{−u}.
    let (domain, u) = Domain::of("u", closed(0), infinite());
    let above = Forall::le(domain.clone(), 1 - (0 - &u).exp(), u.clone());
    let below = Forall::le(domain, u.clone(), u.exp_m1());
    let [p, total, q] = symbols();
    // p ln(p/q) summed = P ln(P/Q) + (P/Q) Σ q·(r ln r), r = (p/q)/(P/Q); and Σ q r = Q, so Σ q(r − 1) = 0.
    let ratio_of = (&p / &q) / &total;
    Argument::new(check)
        // Randomised response is ε²/2-zCDP (kl-lem-14): a larger factor would deny that.
        .states(
            "kl-red-event/response",
            &response_divergence(&(ratio(1, 2) / factor.clone())),
        )
        .needs("kl-red-event/above", &above)
        .needs("kl-red-event/below", &below)
        .needs_identity("q r P/Q = p", &q * &ratio_of * &total, &p)
        .needs_that("not more than the divergence", factor <= 1)
        .proved_on("all mechanisms, all events")
}

/// `kl-red-range`. Let K(s) = ln E_Q[(P/Q)^s]. K″ is the variance of the loss under a tilted law, at most η²/4
/// for a loss with values in an interval of length η (μ(η − μ) ≤ η²/4). So K(s) − (η²/8)s(s − 1) is concave and
/// vanishes at s = 0 and s = 1, hence is ≤ 0 for s ≥ 1: (α − 1)D_α = K(α) ≤ (η²/8)α(α − 1).
pub const RED_RANGE: Claim = Claim {
    id: "kl-red-range",
    place: "reduction (Cesar and Rogers 2021)",
    kind: Kind::Composition,
    statement: "if the privacy loss ln(P/Q) takes values in an interval of length η, D_α(P‖Q) ≤ \
        (η^2/8) α",
    hypotheses: "η > 0, α > 1; releases of vectors, replace-one; for the kernel a rule, and no \
        evidence beside it",
    rests_on: &[],
    check: red_range,
    by_hand: &[],
};

fn red_range(check: &Check) -> Verdict {
    let eighth = check.constant("ρ over η^2", ratio(1, 8));
    let (domain, mean) = Domain::of(
        "mean of the loss above its least value, in η",
        closed(0),
        closed(1),
    );
    let variance = Forall::le(domain, &mean * (1 - &mean), ratio(1, 4))
        .factored((ratio(1, 2) - &mean).square(), 1);
    let [s, eta] = symbols();
    let parabola = &eighth * eta.square() * &s * (&s - 1);
    // Second difference of a parabola = its second derivative.
    let moved = |d: i32| &eighth * eta.square() * (&s + d) * (&s + d - 1);
    Argument::new(check)
        .states(
            "kl-red-range/response",
            &response_divergence(&(eighth.clone() * 4)),
        )
        .needs("kl-red-range", &variance)
        .needs_identity(
            "the parabola's second derivative",
            moved(1) + moved(-1) - 2 * &parabola,
            Rational::from(2 * &eighth) * eta.square(),
        )
        .needs_that("which is at least η^2/4", eighth >= ratio(1, 8))
        .proved_on("all η > 0, α > 1, all pairs")
}

/// A lower bound of p ln(p/q) + (1−p) ln((1−p)/(1−q)) over all p and q in the enclosures, for p > q: the
/// least ρ that `kl-red-event` leaves possible.
pub(super) fn least_rho(p: &Interval, q: &Interval) -> Interval {
    let one = Interval::from(1);
    let (p, q) = (
        Interval::point(p.lo().clone()),
        Interval::point(q.hi().clone()),
    );
    let term = |a: &Interval, b: &Interval| a * &(a / b).ln();
    term(&p, &q) + term(&(&one - &p), &(&one - &q))
}
