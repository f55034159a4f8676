//! What is no noise on one answer: channels of a record, groups that come or go, choices.

use super::{BoxedCurve, Inner, Law, Leaf, Noise, Structure, View};
use crate::accounting::amplification::Known;
use crate::accounting::event::Event;
use crate::accounting::{AccountError, choice};
#[cfg(feature = "certify")]
use crate::units::Neighbouring;
#[cfg(feature = "certify")]
use dp_assay_spec::{
    arith::Interval,
    privacy::{
        batches::{Mixtures, Presences},
        pld::DominatingPair,
    },
};
#[cfg(feature = "certify")]
use std::sync::Arc;

/// The probability of a uniform answer, and the number of answers.
pub(super) struct Response(pub(super) f64, pub(super) u64);

/// σ, what a group moves the answer by, and with which probabilities.
pub(super) struct Group<'a> {
    pub(super) sigma: f64,
    pub(super) shifts: &'a [f64],
    pub(super) weights: &'a [f64],
}

/// The expected number of runs, and the candidates.
pub(super) struct Choice<'a> {
    pub(super) mean: f64,
    pub(super) events: &'a [Event],
}

impl Leaf for Response {
    fn structure(&self) -> Structure<'_> {
        Structure::Response(self.0, self.1)
    }

    fn is_attained(&self) -> bool {
        true
    }

    fn claims(&self, view: View) -> &'static [&'static str] {
        match view {
            View::Curve => &["acc-pure-zcdp", "acc-response"],
            View::Law | View::Pure => &["acc-response"],
        }
    }

    #[cfg(feature = "certify")]
    fn pair(&self, neighbours: Neighbouring) -> Result<Option<DominatingPair>, AccountError> {
        super::exact::response((self.0, self.1), neighbours).map(Some)
    }

    unknown!(run, noise, known, law, group, curve, presences);
}

impl Leaf for Group<'_> {
    fn structure(&self) -> Structure<'_> {
        Structure::Group(self.sigma, self.shifts, self.weights)
    }

    fn is_attained(&self) -> bool {
        // Its weights are rounded.
        false
    }

    fn claims(&self, _: View) -> &'static [&'static str] {
        &["acc-gaussian-mixture"]
    }

    #[cfg(feature = "certify")]
    fn pair(&self, neighbours: Neighbouring) -> Result<Option<DominatingPair>, AccountError> {
        if !matches!(neighbours, Neighbouring::AddRemove | Neighbouring::ZeroOut) {
            return Ok(None);
        }
        let exact = Interval::from_f64;
        let with = self.shifts.iter().zip(self.weights);
        let with = with.map(|(s, w)| (exact(*w), &exact(*s) / &exact(self.sigma)));
        let centre = vec![(Interval::from(1), Interval::from(0))];
        let removal = Mixtures::new(with.collect(), centre);
        let addition = removal.reversed();
        Ok(Some(DominatingPair::directed(
            Arc::new(removal),
            Arc::new(addition),
        )))
    }

    unknown!(run, noise, known, law, group, curve, presences);
}

impl Leaf for Choice<'_> {
    fn structure(&self) -> Structure<'_> {
        Structure::Choice(self.events)
    }

    fn is_attained(&self) -> bool {
        false
    }

    /// Those on its candidates besides.
    fn claims(&self, _: View) -> &'static [&'static str] {
        &["acc-selection", "gcd-aux-renyi"]
    }

    fn curve(&self, reach: u64, inner: Inner<'_>) -> Result<Option<BoxedCurve>, AccountError> {
        if reach > 1 {
            return Ok(None);
        }
        let mut curves = Vec::new();
        for event in self.events {
            curves.extend(inner(event)?);
        }
        Ok(Some(Box::new(choice::curve(curves, self.mean)?)))
    }

    unknown!(run, noise, known, law, group, pair, presences);
}
