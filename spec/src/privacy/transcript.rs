//! One step of a greedy private method: an index is selected, then one noisy number is released.
//!
//! On a fixed pair of neighbours the index has laws (P, Q), and the number released with index k is
//! Laplace with centres that differ by a_k scales. The loss is ln(P_k/Q_k) plus the loss of the
//! release; its profile, slope and Rényi curve are sums over k of those of the Laplace mechanism.

use super::error::PrivacyError;
use super::finite::FinitePair;
use super::laplace::Laplace;
use super::notion::{Profile, RenyiCurve};
use super::pld::{LossPair, spacing};
use crate::arith::Interval;

/// The pair of laws of (index, noisy number).
#[derive(Clone, Debug)]
pub struct SelectThenRelease {
    selection: FinitePair,
    releases: Vec<Laplace>,
}

impl SelectThenRelease {
    /// The selection's laws and, index by index, the release that follows.
    ///
    /// # Errors
    /// When there are not as many releases as outcomes.
    pub fn new(selection: FinitePair, releases: Vec<Laplace>) -> Result<Self, PrivacyError> {
        if selection.p().len() != releases.len() {
            return Err(PrivacyError::Lengths {
                what: "the selection's outcomes and the releases",
                found: vec![selection.p().len(), releases.len()],
            });
        }
        Ok(Self {
            selection,
            releases,
        })
    }

    /// Largest possible |loss|: the exact pure ε of the step on this pair.
    #[must_use]
    pub fn pure_epsilon(&self) -> Interval {
        let losses = self.selection.losses();
        let outcomes = losses.iter().zip(&self.releases);
        let sizes = outcomes.filter_map(|(l, r)| Some(&l.as_ref()?.abs() + &r.ratio));
        sizes.fold(Interval::from(0), |worst, size| worst.max(&size))
    }

    /// The pair with its two laws exchanged.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self {
            selection: self.selection.reversed(),
            releases: self.releases.clone(),
        }
    }

    /// (P_k, Q_k, ln(P_k/Q_k), release) for the outcomes that are possible under either law.
    fn outcomes(&self) -> impl Iterator<Item = (&Interval, &Interval, Interval, &Laplace)> {
        let laws = self.selection.p().iter().zip(self.selection.q());
        laws.zip(self.selection.losses())
            .zip(&self.releases)
            .filter_map(|(((p, q), loss), release)| Some((p, q, loss?, release)))
    }
}

impl Profile for SelectThenRelease {
    fn delta(&self, epsilon: &Interval) -> Interval {
        self.delta_and_fall(epsilon).0
    }
}

impl LossPair for SelectThenRelease {
    fn delta_and_fall(&self, epsilon: &Interval) -> (Interval, Interval) {
        let zero = Interval::from(0);
        let mut sums = (zero.clone(), zero.clone());
        for (p, q, loss, release) in self.outcomes() {
            let (delta, fall) = match loss.is_finite() {
                true => release.delta_and_fall(&(epsilon - &loss)),
                // Certainly lost, or not known to be possible at all.
                false if q.hi().is_zero() => (Interval::from(1), zero.clone()),
                false => (zero.hull(&Interval::from(1)), zero.hull(&Interval::from(1))),
            };
            sums.0 = &sums.0 + &(p * &delta);
            sums.1 = &sums.1 + &(q * &fall);
        }
        sums
    }

    fn lattice(&self) -> Option<f64> {
        let ends = self
            .outcomes()
            .flat_map(|(_, _, loss, release)| [&loss + &release.ratio, &loss - &release.ratio]);
        spacing(ends.map(|l| l.hi_f64()))
    }
}

/// D_α = ln(Σ P_k^α Q_k^{1−α} e^((α−1) D_α(release k)))/(α − 1), exactly for this pair.
impl RenyiCurve for SelectThenRelease {
    fn rdp(&self, alpha: &Interval) -> Interval {
        let less = alpha - &Interval::from(1);
        let moment: Interval = self
            .outcomes()
            .filter(|(p, ..)| !p.hi().is_zero())
            .map(|(p, _, loss, release)| p * &(&less * &(&loss + &release.rdp(alpha))).exp())
            .sum();
        &moment.ln() / &less
    }
}
