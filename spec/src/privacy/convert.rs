//! Conversions between notions, each under the name of its theorem.

use super::error::{PrivacyError, require};
use super::notion::{ApproxDp, Rdp, RenyiCurve, Zcdp, require_delta};
use crate::arith::{Interval, PRECISION};
use rug::Float;

/// ε-DP implies (ε²/2)-zCDP (Bun and Steinke 2016, Proposition 1.4).
///
/// # Errors
/// When δ is not 0.
pub fn pure_to_zcdp(pure: &ApproxDp) -> Result<Zcdp, PrivacyError> {
    let is_pure = pure.delta.hi().is_zero();
    require(is_pure, "delta", &pure.delta, "must be 0 for pure DP")?;
    Zcdp::new(&pure.epsilon.square() * &Interval::from_f64(0.5))
}

/// ε = ρ + 2√(ρ ln(1/δ)) (Bun and Steinke 2016, Proposition 1.3). Never better than
/// [`curve_to_epsilon_upper`] on the same ρ.
///
/// # Errors
/// When δ is not in (0, 1\].
pub fn zcdp_to_epsilon_classic(zcdp: &Zcdp, delta: &Interval) -> Result<Interval, PrivacyError> {
    require_positive_delta(delta)?;
    let root = (&zcdp.rho * &-&delta.ln()).sqrt();
    Ok(&zcdp.rho + &(&Interval::from(2) * &root))
}

/// ε = τ + ln(1/δ)/(α − 1) for (α, τ)-RDP (Mironov 2017, Proposition 3).
///
/// # Errors
/// When δ is not in (0, 1\].
pub fn rdp_to_epsilon_classic(rdp: &Rdp, delta: &Interval) -> Result<Interval, PrivacyError> {
    require_positive_delta(delta)?;
    let less = &rdp.alpha - &Interval::from(1);
    Ok(&rdp.epsilon - &(&delta.ln() / &less))
}

/// ε = τ + ln(1 − 1/α) − ln(αδ)/(α − 1) for (α, τ)-RDP, at least 0 (Canonne, Kamath and Steinke
/// 2020, Proposition 12; equivalent to Balle et al. 2020, Theorem 21, and to equation (20) of
/// Asoodeh et al. 2020).
///
/// # Errors
/// When δ is not in (0, 1\].
pub fn rdp_to_epsilon(rdp: &Rdp, delta: &Interval) -> Result<Interval, PrivacyError> {
    require_positive_delta(delta)?;
    let less = &rdp.alpha - &Interval::from(1);
    let shrink = (&less / &rdp.alpha).ln();
    let tail = &(&rdp.alpha * delta).ln() / &less;
    Ok((&(&rdp.epsilon + &shrink) - &tail).max(&Interval::from(0)))
}

/// δ = e^((α−1)(τ−ε)) (1 − 1/α)^(α−1) / α for (α, τ)-RDP, at most 1: the same theorem as
/// [`rdp_to_epsilon`], solved for δ. Any real ε.
#[must_use]
pub fn rdp_to_delta(rdp: &Rdp, epsilon: &Interval) -> Interval {
    let less = &rdp.alpha - &Interval::from(1);
    let gap = &rdp.epsilon - epsilon;
    let shrink = (&less / &rdp.alpha).ln();
    let exponent = &less * &(&gap + &shrink);
    (&exponent.exp() / &rdp.alpha).min(&Interval::from(1))
}

/// A bound that holds for one order, with the order that gave it.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderBound {
    /// The bound, rounded up.
    pub upper: Float,
    /// The order α.
    pub order: Float,
}

/// The least ε that [`rdp_to_epsilon`] proves from a Rényi curve, over orders found by search. Any
/// order gives a valid bound, so only the last evaluation has to be rigorous, and all are.
///
/// # Errors
/// When δ is not in (0, 1\] or no order gives a finite bound.
pub fn curve_to_epsilon_upper(
    curve: &impl RenyiCurve,
    delta: &Interval,
) -> Result<OrderBound, PrivacyError> {
    require_positive_delta(delta)?;
    best_order("epsilon from a Renyi curve", |alpha| {
        let rdp = at_order(curve, alpha);
        rdp.and_then(|rdp| rdp_to_epsilon(&rdp, delta).ok())
    })
}

/// The least δ that [`rdp_to_delta`] proves from a Rényi curve at ε, over orders found by search.
///
/// # Errors
/// When no order gives a finite bound.
pub fn curve_to_delta_upper(
    curve: &impl RenyiCurve,
    epsilon: &Interval,
) -> Result<OrderBound, PrivacyError> {
    best_order("delta from a Renyi curve", |alpha| {
        at_order(curve, alpha).map(|rdp| rdp_to_delta(&rdp, epsilon))
    })
}

fn at_order(curve: &impl RenyiCurve, alpha: &Interval) -> Option<Rdp> {
    let epsilon = curve.rdp(alpha).max(&Interval::from(0));
    Rdp::new(alpha.clone(), epsilon).ok()
}

/// Minimises the upper end over α = 1 + e^t: a grid of t, then golden section around its best point.
fn best_order(
    asked: &'static str,
    bound: impl Fn(&Interval) -> Option<Interval>,
) -> Result<OrderBound, PrivacyError> {
    const GRID: i32 = 24;
    const REACH: f64 = 18.0;
    /// To 10⁻⁹ by golden sections.
    const SECTIONS: u32 = 44;
    const GOLDEN: f64 = 0.618_033_988_749_894_8;
    let evaluate = |t: f64| {
        let order = Float::with_val(PRECISION, t.exp()) + 1u32;
        let upper = bound(&Interval::point(order.clone()))?.hi().clone();
        upper
            .is_finite()
            .then_some((t, OrderBound { upper, order }))
    };
    let better = |a: Option<(f64, OrderBound)>, b: Option<(f64, OrderBound)>| match (a, b) {
        (Some(a), Some(b)) => Some(if b.1.upper < a.1.upper { b } else { a }),
        (a, b) => a.or(b),
    };
    let step = 2.0 * REACH / f64::from(GRID);
    let grid = (0..=GRID).map(|i| evaluate(-REACH + step * f64::from(i)));
    let Some(mut best) = grid.reduce(better).flatten() else {
        let why = "every order tried gives an infinite bound".to_owned();
        return Err(PrivacyError::NoBound { asked, why });
    };
    let mut reach = step;
    for _ in 0..SECTIONS {
        reach *= GOLDEN;
        for t in [best.0 - reach, best.0 + reach] {
            best = better(Some(best.clone()), evaluate(t)).unwrap_or(best);
        }
    }
    Ok(best.1)
}

fn require_positive_delta(delta: &Interval) -> Result<(), PrivacyError> {
    require_delta(delta)?;
    require(*delta.lo() > 0, "delta", delta, "must be > 0")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (α − 1)/x + x/(α − 1) is least, 2, at the order 1 + x.
    #[test]
    fn the_best_order_is_found_near_1_and_far_from_it() {
        for x in [1e-7, 9.0] {
            let at = Interval::from_f64(x);
            let found = best_order("a sum", |alpha| {
                let part = &(alpha - &Interval::from(1)) / &at;
                Some(&part + &(&Interval::from(1) / &part))
            });
            let OrderBound { upper, order } = found.expect("all but one are finite");
            let (excess, less_one) = ((upper - 2u32).to_f64(), (order - 1u32).to_f64());
            assert!((0.0..1e-12).contains(&excess), "{x}: {excess}");
            assert!((less_one / x - 1.0).abs() < 1e-6, "{x}: {less_one}");
        }
    }
}
