//! The notions of privacy, as functions and as parameters.
//!
//! A mechanism's guarantee under a neighbouring relation is a statement about pairs of output laws
//! (P, Q). Everything here is about one such pair, or about the worst of a family; which relation the
//! pair stands for is said by whoever builds it (see [`Neighbouring`](crate::units::Neighbouring)).

use super::error::{PrivacyError, require};
use super::solve;
use crate::arith::Interval;

/// A privacy profile δ(ε) = sup over events S of P(S) − e^ε Q(S), the hockey-stick divergence.
pub trait Profile {
    /// Encloses δ(ε) for any real ε. Non-increasing in ε.
    fn delta(&self, epsilon: &Interval) -> Interval;

    /// Encloses the least ε ≥ 0 with δ(ε) ≤ `delta`, by certified bisection.
    ///
    /// # Errors
    /// When `delta` is outside \[0, 1\] or no ε below 2⁶⁴ is seen to suffice.
    fn epsilon(&self, delta: &Interval) -> Result<Interval, PrivacyError> {
        require_delta(delta)?;
        solve::first_at_most(|e| self.delta(e), delta, "epsilon from delta")
    }
}

/// Rényi differential privacy as a curve: D_α(P‖Q) ≤ rdp(α) for every order α > 1 (Mironov 2017).
pub trait RenyiCurve {
    /// Encloses the curve at α > 1; the whole line for an order it does not cover.
    fn rdp(&self, alpha: &Interval) -> Interval;
}

/// (ε, δ)-differential privacy: P(S) ≤ e^ε Q(S) + δ for every event S. Pure when δ = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct ApproxDp {
    /// ε ≥ 0.
    pub epsilon: Interval,
    /// δ in \[0, 1\].
    pub delta: Interval,
}

impl ApproxDp {
    /// (ε, δ)-DP.
    ///
    /// # Errors
    /// When ε < 0 or δ is outside \[0, 1\].
    pub fn new(epsilon: Interval, delta: Interval) -> Result<Self, PrivacyError> {
        require(*epsilon.lo() >= 0, "epsilon", &epsilon, "must be >= 0")?;
        require_delta(&delta)?;
        Ok(Self { epsilon, delta })
    }

    /// ε-DP.
    ///
    /// # Errors
    /// When ε < 0.
    pub fn pure(epsilon: Interval) -> Result<Self, PrivacyError> {
        Self::new(epsilon, Interval::from(0))
    }
}

/// The worst pair of an (ε₀, δ₀)-DP mechanism: randomized response with a leak (Kairouz, Oh and
/// Viswanath 2017). δ(ε) = δ₀ + (1 − δ₀)(e^ε₀ − e^ε)₊/(1 + e^ε₀) for ε ≥ 0.
impl Profile for ApproxDp {
    fn delta(&self, epsilon: &Interval) -> Interval {
        let one = Interval::from(1);
        solve::decreasing(epsilon, |e| {
            // Below −ε₀ no outcome is spared; in between only the favourable one counts.
            let inner = &(-&(e - &self.epsilon).exp_m1()) / &(&one + &(-&self.epsilon).exp());
            let outer = -&e.exp_m1();
            let shared = inner.max(&outer).max(&Interval::from(0));
            &self.delta + &(&(&one - &self.delta) * &shared)
        })
    }
}

/// An ε-DP pair has D_α ≤ ln((e^(αε) + e^((1−α)ε))/(1 + e^ε))/(α − 1), attained by randomized
/// response (Mironov 2017, Proposition 5; Bun and Steinke 2016, Lemma B.1, in the form
/// (sinh αε − sinh (α−1)ε)/sinh ε). No finite curve when δ > 0.
impl RenyiCurve for ApproxDp {
    fn rdp(&self, alpha: &Interval) -> Interval {
        if !self.delta.hi().is_zero() {
            return Interval::whole(self.epsilon.prec());
        }
        let one = Interval::from(1);
        let less = alpha - &one;
        let e = &self.epsilon;
        let moment = &(alpha * e).exp() + &(-(&less * e)).exp();
        &(&moment / &(&one + &e.exp())).ln() / &less
    }
}

/// ρ-zCDP: D_α(P‖Q) ≤ ρ α for every α > 1 (Bun and Steinke 2016, Definition 1.1).
#[derive(Clone, Debug, PartialEq)]
pub struct Zcdp {
    /// ρ ≥ 0.
    pub rho: Interval,
}

impl Zcdp {
    /// ρ-zCDP.
    ///
    /// # Errors
    /// When ρ < 0.
    pub fn new(rho: Interval) -> Result<Self, PrivacyError> {
        require(*rho.lo() >= 0, "rho", &rho, "must be >= 0")?;
        Ok(Self { rho })
    }
}

impl RenyiCurve for Zcdp {
    fn rdp(&self, alpha: &Interval) -> Interval {
        &self.rho * alpha
    }
}

/// One guarantee per order α > 1: D_α ≤ `epsilon`.
#[derive(Clone, Debug, PartialEq)]
pub struct Rdp {
    /// Order α > 1.
    pub alpha: Interval,
    /// Bound of the divergence of that order.
    pub epsilon: Interval,
}

impl Rdp {
    /// (α, ε)-RDP.
    ///
    /// # Errors
    /// When α ≤ 1 or ε < 0.
    pub fn new(alpha: Interval, epsilon: Interval) -> Result<Self, PrivacyError> {
        require(*alpha.lo() > 1, "alpha", &alpha, "must be > 1")?;
        require(*epsilon.lo() >= 0, "RDP epsilon", &epsilon, "must be >= 0")?;
        Ok(Self { alpha, epsilon })
    }
}

pub(super) fn require_delta(delta: &Interval) -> Result<(), PrivacyError> {
    let inside = *delta.lo() >= 0 && *delta.hi() <= 1;
    require(inside, "delta", delta, "must lie in [0, 1]")
}
