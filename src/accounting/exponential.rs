//! The exponential mechanism: Pr\[r\] ∝ e^{ε·u(r)/(2Δ)}.
//!
//! Its privacy loss lies in an interval of length ε (it is ε-bounded-range; Durfee and Rogers 2019),
//! which is stronger than ε-DP. Among ε-bounded-range mechanisms the divergence of order α is largest
//! for two losses t − ε and t (Dong, Durfee and Rogers 2020), for which
//!
//! A_α(t) = [e^{(α−1)t}(1 − e^{−αε}) − e^{αt}(e^{−ε} − e^{−αε})]/(1 − e^{−ε}),
//!
//! largest at e^t = (α−1)(1 − e^{−αε})/(α(e^{−ε} − e^{−αε})), where it is
//! e^{(α−1)t}(1 − e^{−αε})/(α(1 − e^{−ε})).
//!
//! ```
//! use dp_assay::accounting::exponential::{kl_upper, rdp_upper};
//!
//! // ε = 1 nat: the divergence of order 2 is at most αε²/8 = ¼, KL, that of order 1, at most ⅛ nat.
//! let (kl, divergence) = (kl_upper(1.0), rdp_upper(1.0, 1.0));
//! assert!(0.0 < kl && kl < 0.1251);
//! assert!(kl < divergence && divergence < 0.2501);
//! ```

use crate::float::Enclosure;

/// Upper bound on the Rényi divergence of order 1 + β of an ε-bounded-range mechanism; never above ε
/// nor above αε²/8 (Cesar and Rogers 2021).
#[must_use]
pub fn rdp_upper(epsilon: f64, beta: f64) -> f64 {
    if epsilon == 0.0 {
        return 0.0;
    }
    let (e, b) = (Enclosure::point(epsilon), Enclosure::point(beta));
    let a = b + 1.0;
    // With v = 1 − e^{−αε} and w = e^{−ε} − e^{−αε} = e^{−ε}(1 − e^{−βε}):
    let v = -(-(a * e)).exp_m1();
    let w = -(-(b * e)).exp_m1();
    let t = e + (b * v / (a * w)).ln();
    let whole = -(-e).exp_m1();
    let log_moment = b * t + (v / (a * whole)).ln();
    let exact = (log_moment / b).hi;
    let quadratic = (a * e.square() * 0.125).hi;
    let exact = if exact.is_nan() { epsilon } else { exact };
    exact.min(quadratic).min(epsilon).max(0.0)
}

/// Upper bound on KL, the limit α → 1: ε/(1−e^{−ε}) − 1 − ln(ε/(1−e^{−ε})).
#[must_use]
pub fn kl_upper(epsilon: f64) -> f64 {
    if epsilon == 0.0 {
        return 0.0;
    }
    let e = Enclosure::point(epsilon);
    let ratio = e / -(-e).exp_m1();
    (ratio - 1.0 - ratio.ln())
        .hi
        .min((e.square() * 0.125).hi)
        .max(0.0)
}
