//! Theorem 4.4: its privacy with the T that it prints.

use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict};
use crate::prove::Argument;

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 1] = [THM_4_4_DP];

/// `gcd-thm-4.4-dp`. The T of the theorem contains R_M, the distance of w⁰ from the minimiser, and with T the noise and the
/// number of steps depend on the data: the spread of w^T tells how far the minimiser is.
pub const THM_4_4_DP: Claim = Claim {
    id: "gcd-thm-4.4-dp",
    place: "Thm 4.4 (convex case), Sec. 4.3 and App. B.3.3",
    kind: Kind::MechanismPrivacy,
    statement: "noise scales \"set as in Theorem 4.2 (with T chosen below) to ensure (ε, δ)-DP\", \
        T = (n^2 ε^2 R_M^2 M_min/(2^7 L_max^2 log(1/δ)))^{1/3}",
    hypotheses: "as gcd-thm-4.4-cvx-b with its gap condition; T computed from the data by its \
        formula; replace-one",
    check: data_dependent_rounds,
    ..Claim::ALONE
};

const ROUNDS: [u32; 2] = [64, 640_000];

/// One instance: n = p = L = M = ε = 1, δ = 1/100, w⁰ = 0, and a Huber loss of slope and curvature 1 centred at R = T^{3/2}·√(2⁷
/// log 100), for which the printed T is T. Until the iterates come within 1 of the centre every step is 1 − η.
struct Run {
    /// λ = `factor`·√(T log(1/δ)).
    scale: Interval,
    /// The root of the variance 2Tλ² of the sum of the noises.
    spread: Interval,
    /// A bound of the probability that an iterate comes near the centre: the variance over (R − 1 − T)² (Kolmogorov).
    near: Interval,
    /// Whether the gap condition of the main text holds at ζ = 1.
    admissible: bool,
}

impl Run {
    fn new(factor: &Rational, rounds: u32) -> Self {
        let (one, t) = (Interval::from(1), Interval::from(i64::from(rounds)));
        let log = Interval::from(100).ln();
        let scale = Interval::from_rational(factor) * (&t * &log).sqrt();
        let spread = &scale * &(Interval::from(2) * &t).sqrt();
        let radius = &t * &(&t * &(Interval::from(128) * &log)).sqrt();
        let near = (&spread / &(&radius - &(&one + &t))).square();
        let asked = Interval::from(16) * (&t * &log * (Interval::from(2) * &t).ln()).sqrt();
        let admissible = asked.certainly_le(&(radius - one));
        Self {
            scale,
            spread,
            near,
            admissible,
        }
    }
}

/// Bounds of P(S) from below and P'(S) from above for S = {|w^T − 64| <= 10 of the first run's spreads}, the printed T being 64
/// under D and 640,000 under D'; whether both are admissible. P by Chebyshev; the density of a sum of T Laplace variables is at
/// most (1/2π)∫(1 + λ²t²)^{−T} dt = C(2m, m)/(4^m·2λ) <= 1/(2λ√(πm)), m = T − 1.
fn event(factor: &Rational) -> (Interval, Interval, bool) {
    let [first, second] = ROUNDS.map(|rounds| Run::new(factor, rounds));
    let p = Interval::from_rational(&ratio(99, 100)) - &first.near;
    let m = Interval::from(i64::from(ROUNDS[1] - 1));
    let density =
        Interval::from(1) / (Interval::from(2) * second.scale * (Interval::pi(128) * m).sqrt());
    let q = Interval::from(20) * first.spread * density + second.near;
    (p, q, first.admissible && second.admissible)
}

fn data_dependent_rounds(check: &Check) -> Verdict {
    let factor = check.constant("factor of L_j/(n ε) √(T log(1/δ))", 8);
    if factor <= 0 {
        return Verdict::open("no noise at all");
    }
    let (p, q, admissible) = event(&factor);
    let excess = &p - &(Interval::from(1).exp() * &q);
    let holds = !(admissible && Interval::from_rational(&ratio(1, 100)).certainly_lt(&excess));
    Argument::new(check)
        .repaired("gcd-thm-4.2-repaired")
        .states_that(
            "one coordinate, in intervals; crossings by Kolmogorov's inequality",
            holds,
            || {
                format!(
                    "n = p = L = M = ε = ζ = 1, δ = 1/100, w^0 = 0, Huber loss of slope and \
                        curvature 1 centred at R = 512 √(2^7 log 100) (T = 64) or a million times \
                        as far (T = 640000): w^T is within ten of the first run's spreads of 64 \
                        with probability at least {:.4} and at most {:.5}, so δ(1) ≥ {:.4}",
                    p.lo_digits(4),
                    q.hi_digits(5),
                    excess.lo_digits(4)
                )
            },
        )
        .open_for("only this instance was tried")
}

/// A lower bound of the ε at δ = 1/100 that the instance of `gcd-thm-4.4-dp` needs, over the claimed 1. It grows without
/// limit, like log T.
#[must_use]
pub fn excess() -> f64 {
    let (p, q, _) = event(&Rational::from(8));
    ((p - Interval::from_rational(&ratio(1, 100))) / q)
        .ln()
        .lo_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bound of the density, against the exact central binomial coefficients; and both runs in doubles.
    #[test]
    fn the_density_is_bounded_and_the_two_runs_are_told_apart() {
        let mut central = 1.0;
        for m in 1..200_u32 {
            central *= f64::from(2 * m - 1) / f64::from(2 * m);
            assert!(
                central < 1.0 / (std::f64::consts::PI * f64::from(m)).sqrt(),
                "{m}"
            );
        }
        let (p, q, admissible) = event(&Rational::from(8));
        let [first, second] = ROUNDS.map(|t| 8.0 * (f64::from(t) * 100f64.ln()).sqrt());
        let spread = first * 128f64.sqrt();
        let density = 1.0 / (2.0 * second * (std::f64::consts::PI * 640_000.0).sqrt());
        assert!(admissible && (0.97..0.99).contains(&p.lo_f64()), "{p}");
        assert!(
            (q.hi_f64() / (20.0 * spread * density) - 1.0).abs() < 0.01,
            "{q}"
        );
    }
}
