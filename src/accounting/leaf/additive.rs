//! Noise with other laws, added to a number.

use super::{BoxedCurve, Inner, Law, Leaf, Noise, Structure, View, finite, linear};
use crate::accounting::amplification::Known;
use crate::accounting::pld::law::LaplaceLaw;
use crate::accounting::{AccountError, discrete, laplace};
use crate::float::{Enclosure, product_upper};
#[cfg(feature = "certify")]
use crate::units::Neighbouring;
use crate::units::{Scale, Sensitivity, StdDev};
#[cfg(feature = "certify")]
use dp_assay_spec::{
    arith::Interval,
    privacy::{batches::Presences, laplace as certified, pld::DominatingPair},
};
use std::sync::Arc;

/// b and Δ.
pub(super) struct Laplace(pub(super) f64, pub(super) f64);

/// a and Δ.
pub(super) struct DiscreteLaplace(pub(super) f64, pub(super) u64);

/// σ and Δ.
pub(super) struct DiscreteGaussian(pub(super) f64, pub(super) u64);

impl Laplace {
    fn times(&self, reach: f64) -> Result<laplace::Laplace, AccountError> {
        let delta = Sensitivity::new(product_upper(reach, self.1))?;
        let noise = laplace::Laplace::new(delta, Scale::new(self.0)?);
        let most = noise.pure.hi;
        AccountError::in_range(most)?;
        Ok(noise)
    }

    #[cfg(feature = "certify")]
    fn certified(&self) -> Result<certified::Laplace, AccountError> {
        let (scale, delta) = (Interval::from_f64(self.0), Interval::from_f64(self.1));
        Ok(certified::Laplace::new(&scale, &delta)?)
    }
}

impl Leaf for Laplace {
    fn structure(&self) -> Structure<'_> {
        Structure::Noise
    }

    fn is_attained(&self) -> bool {
        true
    }

    fn claims(&self, view: View) -> &'static [&'static str] {
        match view {
            View::Curve => &["acc-laplace", "acc-pure-zcdp"],
            View::Law | View::Pure => &["acc-laplace"],
        }
    }

    fn known(&self) -> Result<Option<Known>, AccountError> {
        Ok(Some(Known::pure(self.times(1.0)?.pure.hi)))
    }

    fn law(&self) -> Result<Option<Law>, AccountError> {
        self.group(1)
    }

    fn group(&self, reach: u64) -> Result<Option<Law>, AccountError> {
        let pure = self.times(reach as f64)?.pure.hi;
        Ok(Some(Arc::new(LaplaceLaw { pure })))
    }

    fn curve(&self, reach: u64, _: Inner<'_>) -> Result<Option<BoxedCurve>, AccountError> {
        if reach > 1 {
            return Ok(None);
        }
        let noise = self.times(1.0)?;
        Ok(Some(Box::new(move |beta| noise.rdp_upper(1.0 + beta))))
    }

    #[cfg(feature = "certify")]
    fn pair(&self, _: Neighbouring) -> Result<Option<DominatingPair>, AccountError> {
        Ok(Some(DominatingPair::Laplace(self.certified()?)))
    }

    #[cfg(feature = "certify")]
    fn presences(&self) -> Result<Option<Presences>, AccountError> {
        let ratio = self.certified()?.ratio;
        Ok(Some(Presences {
            group: Box::new(move |k| {
                let ratio = &ratio * &Interval::from(i64::from(k));
                Arc::new(certified::Laplace { ratio })
            }),
            mu: None,
        }))
    }

    unknown!(run, noise);
}

/// By how much a group of so many moves a count.
fn times(sensitivity: u64, reach: u64) -> Result<u64, AccountError> {
    let all = sensitivity.checked_mul(reach);
    all.ok_or(AccountError::Domain {
        name: "sensitivity",
        value: sensitivity as f64,
        rule: "must be below 2^64 for the whole group",
    })
}

impl Leaf for DiscreteLaplace {
    fn structure(&self) -> Structure<'_> {
        Structure::Noise
    }

    fn is_attained(&self) -> bool {
        true
    }

    fn claims(&self, view: View) -> &'static [&'static str] {
        match view {
            View::Curve => &["acc-log-concave", "acc-pure-zcdp"],
            View::Law | View::Pure => &["acc-log-concave"],
        }
    }

    fn known(&self) -> Result<Option<Known>, AccountError> {
        discrete::laplace(self.0, 0)?;
        let product = Enclosure::point(self.0) * Enclosure::from(self.1);
        Ok(Some(Known::pure(product.hi)))
    }

    fn law(&self) -> Result<Option<Law>, AccountError> {
        self.group(1)
    }

    fn group(&self, reach: u64) -> Result<Option<Law>, AccountError> {
        let law = discrete::laplace(self.0, times(self.1, reach)?)?;
        Ok(Some(Arc::new(law)))
    }

    fn curve(&self, reach: u64, _: Inner<'_>) -> Result<Option<BoxedCurve>, AccountError> {
        let known = self.known()?.filter(|_| reach == 1);
        let law = || discrete::laplace(self.0, self.1);
        let curve = |known: Known| finite(vec![law()?], Some(known.epsilon));
        known.map(curve).transpose()
    }

    #[cfg(feature = "certify")]
    fn pair(&self, _: Neighbouring) -> Result<Option<DominatingPair>, AccountError> {
        let (parameter, delta) = (Interval::from_f64(self.0), super::exact::integer(self.1)?);
        let pair = certified::discrete_laplace_pair(&parameter, delta)?;
        Ok(Some(DominatingPair::Finite(pair)))
    }

    unknown!(run, noise, presences);
}

impl Leaf for DiscreteGaussian {
    fn structure(&self) -> Structure<'_> {
        Structure::Noise
    }

    fn is_attained(&self) -> bool {
        true
    }

    fn claims(&self, view: View) -> &'static [&'static str] {
        match view {
            View::Curve => &["acc-discrete-gaussian"],
            View::Law | View::Pure => &["acc-log-concave"],
        }
    }

    fn law(&self) -> Result<Option<Law>, AccountError> {
        self.group(1)
    }

    fn group(&self, reach: u64) -> Result<Option<Law>, AccountError> {
        let law = discrete::gaussian(self.0, times(self.1, reach)?)?;
        Ok(Some(Arc::new(law)))
    }

    fn curve(&self, reach: u64, _: Inner<'_>) -> Result<Option<BoxedCurve>, AccountError> {
        StdDev::new(self.0)?;
        let span = times(self.1, reach)?;
        Ok(Some(linear(discrete::gaussian_rho_upper(self.0, span))))
    }

    unknown!(run, noise, known, pair, presences);
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "certify")]
    use dp_assay_spec::privacy::Profile;
    use rug::Rational;

    /// Counts and groups whose products with a double are none.
    #[test]
    fn no_product_with_a_count_is_rounded_down() {
        let exact = |x: f64| Rational::from_f64(x).expect("finite");
        for k in 0..400u64 {
            let span = (1 << 53) + 1 + 2 * k * 7_000_003;
            let unit = 1.0 + 0.0024 * k as f64;
            let known = DiscreteLaplace(unit, span).known().expect("in range");
            let pure = known.expect("it is pure").epsilon;
            assert!(exact(pure) >= exact(unit) * span, "{unit} {span}: {pure}");
            for reach in [3, 7, 100] {
                let pure = Laplace(0.1, unit)
                    .times(reach as f64)
                    .expect("in range")
                    .pure;
                let truth = exact(unit) * reach / exact(0.1);
                assert!(exact(pure.hi) >= truth, "{unit} {reach}: {pure:?}");
                let rho = discrete::gaussian_rho_upper(unit, span);
                let ratio = Rational::from(span) / exact(unit);
                assert!(exact(rho) >= ratio.square() / 2u32, "{unit} {span}: {rho}");
            }
        }
        assert!(times(1 << 63, 2).is_err() && times(1 << 62, 3).is_ok());
    }

    /// A group of k moves the answer k times as far as one record.
    #[cfg(feature = "certify")]
    #[test]
    fn a_group_is_present_with_k_times_the_ratio() {
        let presences = Laplace(2.0, 1.0).presences().expect("in range");
        let group = presences.expect("it has a pair").group;
        for k in [1, 2, 5] {
            let own = Laplace(2.0, f64::from(k)).certified().expect("in range");
            let at = Interval::from_f64(0.25);
            let [found, own] = [group(k).delta(&at), own.delta(&at)];
            assert!(
                (found - own).abs().certainly_le(&Interval::from_f64(1e-30)),
                "{k}"
            );
        }
    }

    /// The divergences of one record are none of a group's.
    #[test]
    fn a_curve_is_that_of_one_record_alone() {
        let inner: Inner<'_> = &|_| unreachable!("there is nothing inside");
        let leaves: [&dyn Leaf; 2] = [&Laplace(1.0, 1.0), &DiscreteLaplace(1.0, 1)];
        for leaf in leaves {
            assert!(leaf.curve(1, inner).expect("in range").is_some());
            assert!(leaf.curve(2, inner).expect("in range").is_none());
        }
    }
}
