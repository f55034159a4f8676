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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    #[test]
    fn curves_are_what_they_were_and_in_order() {
        let mut found = Vec::new();
        for epsilon in [0.0, 1e-9, 1e-3, 0.4, 1.0, 7.0, 800.0] {
            let curve = [1e-6, 1e-3, 0.5, 1.0, 9.0, 1e4].map(|beta| rdp_upper(epsilon, beta));
            assert!(
                curve.windows(2).all(|w| w[0] <= w[1] * (1.0 + 1e-6)),
                "{epsilon}: {curve:?}"
            );
            let least = kl_upper(epsilon);
            assert!(least <= epsilon.min(0.125 * epsilon * epsilon * (1.0 + 1e-15)));
            found.extend(curve);
            found.push(least);
        }
        steady::holds(
            &found,
            "0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.250001250000001e-19 1.2512500000000009e-19
         1.8750000000000013e-19 2.500000000000002e-19 1.2500000000000009e-18
         1.250125000000001e-15 1.2500000000000006e-19 1.250001250000001e-7
         1.2512500000000008e-7 1.875000000000001e-7 2.499999951683947e-7 1.249998423267426e-6
         0.0006698273304413026 1.2500000000000005e-7 0.019955735564850006 0.01997562447022517
         0.029884054224985752 0.03973614368001989 0.16925381647451648 0.3990899242561296
         0.019955712973123905 0.12330168568923962 0.1234231981054919 0.18311253868055982
         0.24022901391656049 0.6898335731829168 0.9990248284775097 0.12330156148224748
         4.0595695387959685 4.062548714643483 5.122862196851256 5.615528571787666
         6.638898062674267 6.998979052192774 4.05956655273441 792.3157877471704
         792.6883625667922 798.090457495116 798.6137056388807 799.6387966962321
         799.9989789609633 792.3153882723329",
        );
    }
}
