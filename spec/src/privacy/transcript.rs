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

#[cfg(test)]
mod tests {
    use super::*;

    /// Of P = (2/3, 1/3), Q = (1/3, 2/3) and releases of two and of four ln 2.
    fn step() -> SelectThenRelease {
        let third = |n: i64| &Interval::from(n) / &Interval::from(3);
        let selection = FinitePair::new(vec![third(2), third(1)], vec![third(1), third(2)]);
        let two = Interval::from(2).ln();
        let release = |k: i64| Laplace::new(&Interval::from(1), &(&two * &Interval::from(k)));
        let releases = [2, 4].map(|k| release(k).expect("in range"));
        let selection = selection.expect("of one length");
        SelectThenRelease::new(selection, releases.to_vec()).expect("one each")
    }

    /// Losses end at ln 2 · (1 ± 2) and ln 2 · (−1 ± 4).
    #[test]
    fn losses_add_up_to_their_ends() {
        let two = 2f64.ln();
        let lattice = step().lattice().expect("a greatest loss");
        assert!((lattice - two).abs() < 1e-15, "{lattice}");
        let pure = step().pure_epsilon();
        assert!((pure.hi_f64() - 5.0 * two).abs() < 1e-15, "{pure}");
        let least = step().reversed().pure_epsilon();
        assert!((least.hi_f64() - 5.0 * two).abs() < 1e-15, "{least}");
        let silent = |k: usize| {
            let law = vec![Interval::from(1); k];
            FinitePair::new(law.clone(), law).expect("of one length")
        };
        assert!(SelectThenRelease::new(silent(2), step().releases).is_ok());
        assert!(SelectThenRelease::new(silent(1), step().releases).is_err());
    }

    /// ∫ p^α q^{1−α} over both, for the density ½e^{−|x|} of the noise against its translate.
    #[test]
    fn a_curve_is_that_of_both_releases() {
        let (alpha, two) = (2.5f64, 2f64.ln());
        let laplace = |a: f64| {
            let up = alpha * ((alpha - 1.0) * a).exp() + (alpha - 1.0) * (-alpha * a).exp();
            up / (2.0 * alpha - 1.0)
        };
        let share = |p: f64, q: f64| p.powf(alpha) * q.powf(1.0 - alpha);
        let third = 1.0 / 3.0;
        let moment = share(2.0 * third, third) * laplace(2.0 * two)
            + share(third, 2.0 * third) * laplace(4.0 * two);
        let found = step().rdp(&Interval::from_f64(alpha));
        let truth = moment.ln() / (alpha - 1.0);
        assert!(
            (found.hi_f64() - truth).abs() < 1e-14 && found.width() < 1e-30,
            "{found}, {truth}"
        );
    }

    /// What only one law can do is above every loss or below every one; what neither can is no outcome.
    #[test]
    fn what_only_one_law_can_do_is_lost_or_free() {
        let law = |x: [f64; 4]| x.map(Interval::from_f64).to_vec();
        let (p, q) = ([0.25, 0.0, 0.75, 0.0], [0.0, 0.5, 0.5, 0.0]);
        let selection = FinitePair::new(law(p), law(q)).expect("of one length");
        let release = Laplace::new(&Interval::from(1), &Interval::from(1)).expect("in range");
        let all = SelectThenRelease::new(selection, vec![release.clone(); 4]).expect("one each");
        for epsilon in [-3.0, 0.0, 0.5, 9.0] {
            let e = Interval::from_f64(epsilon);
            let (delta, fall) = all.delta_and_fall(&e);
            let (d, f) = release.delta_and_fall(&(&e - &Interval::from_f64(1.5).ln()));
            let delta_is = 0.25 + 0.75 * d.hi_f64();
            assert!(
                (delta.lo_f64() - delta_is).abs() < 1e-15,
                "{epsilon}: {delta}"
            );
            // Of the second outcome nothing is known but that Q has it.
            assert!(
                (fall.lo_f64() - 0.5 * f.hi_f64()).abs() < 1e-15,
                "{epsilon}: {fall}"
            );
            assert!(
                (fall.hi_f64() - 0.5 * f.hi_f64() - 0.5).abs() < 1e-15,
                "{epsilon}: {fall}"
            );
        }
    }
}
