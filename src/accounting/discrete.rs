//! Integer-valued noise: discrete Laplace and discrete Gaussian.
//!
//! ```
//! use dp_assay::accounting::discrete;
//! use dp_assay::accounting::pld::law::{LossLaw, profile};
//!
//! // Weights e^{−|k|/2} on a count of sensitivity 1: the loss is ½ nat at most.
//! let laplace = discrete::laplace(0.5, 1)?;
//! assert!((laplace.support().1 - 0.5).abs() < 1e-12);
//! // Weights e^{−k²/2σ²} with σ = 10: δ(0) is Pr[0], close to 1/(10·√(2π)), and ρ = 1/200 nats.
//! let gaussian = discrete::gaussian(10.0, 1)?;
//! assert!((0.039..0.041).contains(&profile(&gaussian, 0.0).hi));
//! assert!((0.00499..0.00501).contains(&discrete::gaussian_rho_upper(10.0, 1)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::AccountError;
use super::pld::discrete_law::DiscreteLaw;
use crate::float::elementary::exp;
use crate::float::{Enclosure, U};

/// The least double above 0, for a probability that is there but smaller.
const LEFT_OUT: f64 = f64::from_bits(1);

/// Longest list of atoms.
const ATOMS_MAX: f64 = 2_097_152.0;

/// The privacy loss in nats of discrete Laplace noise, Pr\[k\] ∝ e^{−a|k|} with a = `parameter` per unit, on an
/// integer query of sensitivity Δ: a(2k − Δ) for 0 ≤ k ≤ Δ, with the two tails of the noise gathered at ±aΔ. Pure
/// ε = aΔ; symmetric. (Ghosh, Roughgarden and Sundararajan 2009, the geometric mechanism.) Masses are enclosed.
///
/// # Errors
/// a must be positive; Δ at most 2·10⁶.
pub fn laplace(parameter: f64, sensitivity: u64) -> Result<DiscreteLaw, AccountError> {
    let a = parameter;
    AccountError::check(
        a.is_finite() && a > 0.0,
        "discrete Laplace parameter",
        a,
        "must be finite and > 0",
    )?;
    let span = sensitivity as f64;
    within(span)?;
    let ratio = exp(-a);
    // P[k ≤ 0] = 1/(1 + e^{−a}) under noise centred at 0, and P[noise = k] = (1−e^{−a})/(1+e^{−a})·e^{−ak}.
    let end = 1.0 / (1.0 + ratio);
    let point = -super::float::elementary::exp_m1(-a) * end;
    let atoms = (0..=sensitivity).map(|k| {
        let k = k as f64;
        let mass = if k == 0.0 {
            end
        } else if k == span {
            end * exp(-a * (span - 1.0)) * ratio
        } else {
            point * exp(-a * k)
        };
        (a * (span - 2.0 * k), mass)
    });
    if sensitivity == 0 {
        return Ok(DiscreteLaw::new(vec![(0.0, 1.0)], 0.0, 0.0, None));
    }
    let error = U * (20.0 + 3.0 * a * span);
    Ok(DiscreteLaw::new(atoms.collect(), 0.0, error, Some(a)))
}

/// The privacy loss of discrete Gaussian noise, Pr\[k\] ∝ e^{−k²/2σ²}, on an integer query of
/// sensitivity Δ: Δ(Δ − 2k)/(2σ²) where the noise is k (Canonne, Kamath and Steinke 2020). Symmetric.
///
/// # Errors
/// σ must be at least 1.5·10⁻¹⁵⁴, so that its square is a normal number, and at most about 2·10⁴ (larger:
/// [`gaussian_rho_upper`]).
pub fn gaussian(sigma: f64, sensitivity: u64) -> Result<DiscreteLaw, AccountError> {
    AccountError::check(
        sigma.is_finite() && sigma > 0.0,
        "sigma",
        sigma,
        "must be finite and > 0",
    )?;
    let span = sensitivity as f64;
    // What is left out, beyond 39σ and below what a double holds, is positive, and far below the least double as a sum:
    // e^{−39²/2} < 10⁻³³⁰.
    let reach = (39.0 * sigma).ceil();
    within(2.0 * reach + 1.0)?;
    let variance = sigma * sigma;
    let rule = "must be at least 1.5e-154: of less noise no double tells the loss";
    AccountError::check(variance >= f64::MIN_POSITIVE, "sigma", sigma, rule)?;
    let weight = |k: f64| exp(-k * k / (2.0 * variance));
    let total = 1.0
        + 2.0
            * (1..=reach as u64)
                .rev()
                .map(|k| weight(k as f64))
                .sum::<f64>();
    let atoms = (-(reach as i64)..=reach as i64).filter_map(|k| {
        let mass = weight(k as f64) / total;
        (mass > 0.0).then(|| (span * (span - 2.0 * k as f64) / (2.0 * variance), mass))
    });
    // The exponent k²/2σ² ≤ 761 is rounded by 4u of itself.
    let error = U * (16.0 + 2.0 * reach + 4.0 * 761.0);
    let law = DiscreteLaw::new(atoms.collect(), 0.0, error, None);
    Ok(match sensitivity {
        0 => law,
        _ => law.with_leak(LEFT_OUT),
    })
}

/// ρ = Δ²/(2σ²) of the discrete Gaussian, rounded up (Canonne, Kamath and Steinke 2020, Theorem 4).
#[must_use]
pub fn gaussian_rho_upper(sigma: f64, sensitivity: u64) -> f64 {
    let ratio = Enclosure::from(sensitivity) / Enclosure::point(sigma);
    (ratio.square() * 0.5).hi.next_up()
}

fn within(atoms: f64) -> Result<(), AccountError> {
    if atoms <= ATOMS_MAX {
        return Ok(());
    }
    Err(AccountError::TooCostly {
        what: "the law of discrete noise",
        needed: atoms,
        limit: ATOMS_MAX,
        unit: "atoms",
    })
}

#[cfg(test)]
mod tests {
    use super::super::pld::law::LossLaw;
    use super::*;
    use crate::accounting::steady;

    /// Every mass is over the sum of all, and every tail a sum of masses: each is as many roundings as there are numbers.
    #[test]
    fn masses_over_a_sum_of_many_are_off_by_as_many_roundings() {
        for sigma in [50.0, 500.0] {
            let (reach, law) = (39.0 * sigma, gaussian(sigma, 1).expect("few atoms"));
            let error = law.tails(0.0).error;
            assert!(error >= U * (2.0 * reach + 2.0 * reach), "{sigma}: {error}");
        }
    }

    #[test]
    fn laws_of_integers_are_what_they_were() {
        let mut marks = Vec::new();
        let mut hold = |law: &DiscreteLaw| {
            let (lo, hi) = law.support();
            let mut found = vec![lo, hi, law.leak(), law.lattice().unwrap_or(-1.0)];
            found.push(law.pitch().unwrap_or(-1.0));
            for epsilon in [-3.0, -0.2, 0.0, 0.3, 2.5] {
                let t = law.tails(epsilon);
                found.extend([t.p, t.q, t.error, t.slack]);
            }
            marks.push(steady::mark(&found));
        };
        for (parameter, sensitivity) in [(0.5, 0), (0.5, 1), (0.3, 5), (2.0, 2)] {
            hold(&laplace(parameter, sensitivity).expect("few atoms"));
        }
        for (sigma, sensitivity) in [(0.4, 1), (10.0, 0), (3.0, 4)] {
            hold(&gaussian(sigma, sensitivity).expect("few atoms"));
        }
        marks.extend([(10.0, 1), (0.3, 7)].map(|(s, d)| gaussian_rho_upper(s, d)));
        steady::holds(
            &marks,
            "6838998867219825.0 4730667501405843.0 4769923888862556.0 7468135674072065.0
         3196634280879143.0 2485694892605245.0 1716509624335839.0 0.0050000000000000044
         272.2222222222225",
        );
    }

    /// Masses under both hypotheses one by one, of a few positions.
    #[test]
    fn discrete_laplace_noise_has_the_tails_of_its_sums() {
        let (a, span) = (0.4f64, 3i64);
        let law = laplace(a, span as u64).expect("few atoms");
        let weight = |k: i64| (1.0 - (-a).exp()) / (1.0 + (-a).exp()) * (-a * k.abs() as f64).exp();
        for epsilon in [-1.3, -1.0, -0.3, 0.0, 0.1, 0.5, 1.1] {
            let each = (-200..=200).map(|k| (weight(k), weight(k - span)));
            let beyond = each.filter(|(p, q)| (p / q).ln() > epsilon + 1e-9);
            let (p, q) = beyond.fold((0.0, 0.0), |sum, (p, q)| (sum.0 + p, sum.1 + q));
            let t = law.tails(epsilon);
            assert!((t.p - p).abs() < 1e-12, "{epsilon}: {} {p}", t.p);
            let scaled = q * epsilon.exp();
            assert!((t.q - scaled).abs() < 1e-12, "{epsilon}: {} {scaled}", t.q);
        }
    }

    #[test]
    fn noise_of_too_many_atoms_or_none_is_refused() {
        let said = |found: Result<DiscreteLaw, AccountError>| {
            found.map_or_else(|why| why.to_string(), |_| String::new())
        };
        assert!(said(laplace(0.0, 1)).contains("parameter"));
        assert!(said(laplace(f64::INFINITY, 1)).contains("parameter"));
        assert!(said(laplace(1.0, 1 << 22)).contains("atoms"));
        assert!(said(gaussian(-1.0, 1)).contains("sigma"));
        assert!(said(gaussian(1e-154, 1)).contains("sigma"));
        assert!(said(gaussian(3e4, 1)).contains("atoms"));
        assert!(within(ATOMS_MAX).is_ok() && within(ATOMS_MAX + 1.0).is_err());
    }
}
