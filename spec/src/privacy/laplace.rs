//! Laplace noise, continuous and discrete.

use super::error::{PrivacyError, require};
use super::finite::FinitePair;
use super::notion::{Profile, RenyiCurve};
use super::solve;
use crate::arith::Interval;

/// Adding Lap(b) to a query of ℓ₁ sensitivity Δ; only Δ/b matters. The worst pair is Lap(b) against
/// its translate by Δ, the same in both orders.
#[derive(Clone, Debug, PartialEq)]
pub struct Laplace {
    /// Pure privacy parameter a = Δ/b ≥ 0.
    pub ratio: Interval,
}

impl Laplace {
    /// Noise of scale `scale` on a query of ℓ₁ sensitivity `sensitivity`, in the same units.
    ///
    /// # Errors
    /// When `scale` ≤ 0 or `sensitivity` < 0.
    pub fn new(scale: &Interval, sensitivity: &Interval) -> Result<Self, PrivacyError> {
        require(*scale.lo() > 0, "Laplace scale", scale, "must be > 0")?;
        require(
            *sensitivity.lo() >= 0,
            "sensitivity",
            sensitivity,
            "must be >= 0",
        )?;
        Ok(Self {
            ratio: sensitivity / scale,
        })
    }

    /// Kullback–Leibler divergence a + e^(−a) − 1.
    #[must_use]
    pub fn kl(&self) -> Interval {
        &self.ratio + &(-&self.ratio).exp_m1()
    }
}

/// δ(ε) = 1 − e^((ε−a)/2) for |ε| ≤ a, 0 above, 1 − e^ε below −a (Balle, Barthe and Gaboardi 2018,
/// Theorem 3; the last case is the whole event space).
impl Profile for Laplace {
    fn delta(&self, epsilon: &Interval) -> Interval {
        let half = Interval::from_f64(0.5);
        solve::decreasing(epsilon, |e| {
            let inner = -&(&(e - &self.ratio) * &half).exp_m1();
            let outer = -&e.exp_m1();
            // (ε − a)/2 ≥ ε exactly when ε ≤ −a, so the larger of the two is the right case.
            inner.max(&outer).max(&Interval::from(0))
        })
    }
}

/// D_α = ln( (α e^((α−1)a) + (α−1) e^(−αa)) / (2α − 1) ) / (α − 1) (Mironov 2017, Proposition 6).
impl RenyiCurve for Laplace {
    fn rdp(&self, alpha: &Interval) -> Interval {
        let one = Interval::from(1);
        let less = alpha - &one;
        let up = alpha * &(&less * &self.ratio).exp();
        let down = &less * &(-(alpha * &self.ratio)).exp();
        let moment = &(&up + &down) / &(alpha + &less);
        &moment.ln() / &less
    }
}

/// Adding discrete Laplace noise, P\[k\] ∝ e^(−|k| a) over the integers, to an integer query of
/// sensitivity Δ ≥ 1 (Ghosh, Roughgarden and Sundararajan 2012): its worst pair, lumped exactly to
/// the Δ + 1 values that the privacy loss takes.
///
/// With k the distance from the first centre towards the second, the loss is aΔ for k ≤ 0,
/// a(Δ − 2k) in between and −aΔ for k ≥ Δ.
///
/// # Errors
/// When `a` ≤ 0 or Δ = 0.
pub fn discrete_laplace_pair(a: &Interval, sensitivity: u32) -> Result<FinitePair, PrivacyError> {
    require(*a.lo() > 0, "discrete Laplace parameter", a, "must be > 0")?;
    require(
        sensitivity >= 1,
        "sensitivity",
        &sensitivity,
        "must be >= 1",
    )?;
    let one = Interval::from(1);
    let step = (-a).exp();
    let tail = &one / &(&one + &step);
    let centre = &(&one - &step) / &(&one + &step);
    let power = |k: u32| (&Interval::from(-i64::from(k)) * a).exp();
    let mut near = vec![tail.clone()];
    near.extend((1..sensitivity).map(|k| &centre * &power(k)));
    near.push(&tail * &power(sensitivity));
    let far = near.iter().rev().cloned().collect();
    FinitePair::new(near, far)
}
