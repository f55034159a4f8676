//! Mechanisms of which ε, δ or ρ is all that is used.

use super::{BoxedCurve, Inner, Law, Leaf, Noise, Structure, View, linear};
use crate::accounting::amplification::Known;
use crate::accounting::pld::discrete_law::DiscreteLaw;
use crate::accounting::{AccountError, exponential, noisy_max};
use crate::float::product_upper;
#[cfg(feature = "certify")]
use crate::units::Neighbouring;
use crate::units::{Delta, Epsilon, Rho};
#[cfg(feature = "certify")]
use dp_assay_spec::privacy::{batches::Presences, pld::DominatingPair};
use std::sync::Arc;

/// ε.
pub(super) struct Exponential(pub(super) f64);

/// The scores' sensitivities, and the scales of their noise.
pub(super) struct NoisyMax<'a> {
    pub(super) sensitivities: &'a [f64],
    pub(super) scales: &'a [f64],
}

/// ε.
pub(super) struct Pure(pub(super) f64);

/// ε and δ.
pub(super) struct Approximate(pub(super) f64, pub(super) f64);

/// ρ.
pub(super) struct Zcdp(pub(super) f64);

/// What dominates every such mechanism.
fn law(known: Option<Known>) -> Option<Law> {
    let law = |known: Known| DiscreteLaw::approximate(known.epsilon, known.delta);
    known.map(|known| Arc::new(law(known)) as Law)
}

fn pure(epsilon: f64) -> Result<Option<Known>, AccountError> {
    Ok(Some(Known::pure(Epsilon::new(epsilon)?.get())))
}

impl Leaf for Exponential {
    fn structure(&self) -> Structure<'_> {
        Structure::Pure
    }

    fn is_attained(&self) -> bool {
        false
    }

    fn claims(&self, view: View) -> &'static [&'static str] {
        match view {
            View::Curve => &["acc-exponential", "acc-pure-zcdp"],
            View::Law | View::Pure => &["acc-exponential", "gcd-aux-response"],
        }
    }

    fn known(&self) -> Result<Option<Known>, AccountError> {
        pure(self.0)
    }

    fn law(&self) -> Result<Option<Law>, AccountError> {
        Ok(law(self.known()?))
    }

    fn curve(&self, reach: u64, _: Inner<'_>) -> Result<Option<BoxedCurve>, AccountError> {
        let epsilon = Epsilon::new(self.0)?.get();
        let curve = move |beta| exponential::rdp_upper(epsilon, beta);
        Ok((reach == 1).then(|| Box::new(curve) as BoxedCurve))
    }

    unknown!(run, noise, group, pair, presences);
}

impl Leaf for NoisyMax<'_> {
    fn structure(&self) -> Structure<'_> {
        Structure::Pure
    }

    fn is_attained(&self) -> bool {
        false
    }

    fn claims(&self, view: View) -> &'static [&'static str] {
        match view {
            View::Curve => &["acc-noisy-max", "acc-pure-zcdp"],
            View::Law | View::Pure => &["acc-noisy-max", "gcd-aux-response"],
        }
    }

    fn known(&self) -> Result<Option<Known>, AccountError> {
        let epsilon = noisy_max::epsilon_upper(self.sensitivities, self.scales)?;
        Ok(Some(Known::pure(epsilon)))
    }

    fn law(&self) -> Result<Option<Law>, AccountError> {
        Ok(law(self.known()?))
    }

    unknown!(run, noise, group, curve, pair, presences);
}

impl Leaf for Pure {
    fn structure(&self) -> Structure<'_> {
        Structure::Pure
    }

    fn is_attained(&self) -> bool {
        true
    }

    fn claims(&self, view: View) -> &'static [&'static str] {
        match view {
            View::Curve => &["acc-pure-zcdp"],
            View::Law | View::Pure => &["gcd-aux-response"],
        }
    }

    fn known(&self) -> Result<Option<Known>, AccountError> {
        pure(self.0)
    }

    fn law(&self) -> Result<Option<Law>, AccountError> {
        Ok(law(self.known()?))
    }

    #[cfg(feature = "certify")]
    fn pair(&self, _: Neighbouring) -> Result<Option<DominatingPair>, AccountError> {
        super::exact::leaking(self.0, 0.0).map(Some)
    }

    unknown!(run, noise, group, curve, presences);
}

impl Leaf for Approximate {
    fn structure(&self) -> Structure<'_> {
        Structure::Approximate
    }

    fn is_attained(&self) -> bool {
        true
    }

    fn claims(&self, view: View) -> &'static [&'static str] {
        match view {
            View::Curve => &["acc-approximate", "acc-pure-zcdp"],
            View::Law | View::Pure => &["acc-approximate"],
        }
    }

    fn known(&self) -> Result<Option<Known>, AccountError> {
        Ok(Some(Known {
            epsilon: Epsilon::new(self.0)?.get(),
            delta: Delta::new(self.1)?.get(),
        }))
    }

    fn law(&self) -> Result<Option<Law>, AccountError> {
        Ok(law(self.known()?))
    }

    #[cfg(feature = "certify")]
    fn pair(&self, _: Neighbouring) -> Result<Option<DominatingPair>, AccountError> {
        super::exact::leaking(self.0, self.1).map(Some)
    }

    unknown!(run, noise, group, curve, presences);
}

impl Leaf for Zcdp {
    fn structure(&self) -> Structure<'_> {
        Structure::Zcdp
    }

    fn is_attained(&self) -> bool {
        true
    }

    fn claims(&self, _: View) -> &'static [&'static str] {
        &["kl-imp-adaptive"]
    }

    /// Groups of k need k² times the ρ (Bun and Steinke 2016, Proposition 1.9).
    fn curve(&self, reach: u64, _: Inner<'_>) -> Result<Option<BoxedCurve>, AccountError> {
        let far = reach as f64;
        let rho = product_upper(far, product_upper(far, Rho::new(self.0)?.get()));
        Ok(Some(linear(Rho::new(rho)?.get())))
    }

    unknown!(run, noise, known, law, group, pair, presences);
}
