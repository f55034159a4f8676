//! How far the risk of a run exceeds a printed bound on it: true value over printed bound.

use crate::arith::{Interval, Rational, ratio};

/// (28) under the gap of the main text, at the instance of `gcd-thm-4.4-cvx-b`: what ξ₁ = η²/2 exceeds with probability 1/100 over the
/// bound. It grows without limit with the slope of the loss, on which the gap condition does not depend enough.
#[must_use]
pub fn convex() -> f64 {
    let (radius, lambda) = (Interval::from(10_000), Interval::from(8_000_000));
    let two = Interval::from(2);
    let beta = &two * &lambda.square() * Interval::from(800).ln().square();
    let bound =
        Interval::from(8) * radius.square() + (Interval::from(32) * radius.square() * beta).sqrt();
    let exceeded = (lambda * Interval::from(100).ln()).square() / two;
    (exceeded / bound).lo_f64()
}

/// (50) where the L_j bound the sensitivity only, f = w²/2 from its minimum, p = T = 1: what ξ₁ = η²/2 exceeds with probability ζ,
/// λ² log(1/ζ)²/2, over the bound λ² log(2/ζ).
fn strongly_at(zeta: &Rational) -> f64 {
    let inverse = Interval::from_rational(&zeta.clone().recip());
    let exceeded = inverse.ln().square() / Interval::from(2);
    (exceeded / (Interval::from(2) * inverse).ln()).lo_f64()
}

/// (50) at ζ = 10⁻¹⁰⁰. It grows without limit, like log(1/ζ).
#[must_use]
pub fn strongly_tiny() -> f64 {
    let ten_to = |k: u32| (0..k).fold(Rational::from(1), |power, _| power * 10);
    strongly_at(&ten_to(100).recip())
}

/// (50) at ζ = 1/100, whatever n, ε and δ.
#[must_use]
pub fn strongly() -> f64 {
    strongly_at(&ratio(1, 100))
}

/// (58) where the L_j bound the sensitivity only: M = mI, f = (m/2)‖w − 1‖², p = 10⁶, T = 1000, τ = 1, m → ∞: at least p − T of the p
/// gaps are left, against (1 − 1/(4(T + τ)))^T of them. It tends to e^{1/4}.
#[must_use]
pub fn sparse() -> f64 {
    let kept = Interval::from_rational(&ratio(4003, 4004)).powi(1000);
    (Interval::from_rational(&ratio(999, 1000)) / kept).lo_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_excesses_are_those_of_the_counterexamples() {
        assert!((150.0..170.0).contains(&convex()), "{}", convex());
        assert!((1.9..2.1).contains(&strongly()), "{}", strongly());
        assert!(
            (110.0..120.0).contains(&strongly_tiny()),
            "{}",
            strongly_tiny()
        );
        assert!((1.27..0.25_f64.exp()).contains(&sparse()), "{}", sparse());
    }
}
