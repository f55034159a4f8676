//! Divergences between two laws on finitely many outcomes.
//!
//! With P and Q given by enclosures of their probabilities, every divergence comes out as an
//! enclosure. These are the definitions that all mechanisms with finite output reduce to.

use super::error::PrivacyError;
use crate::arith::Interval;

/// Two laws on the same finite set of outcomes.
#[derive(Clone, Debug)]
pub struct FinitePair {
    p: Vec<Interval>,
    q: Vec<Interval>,
}

impl FinitePair {
    /// The pair of the laws `p` and `q`, outcome by outcome. Negative ends are cut to 0.
    ///
    /// # Errors
    /// When the lists differ in length.
    pub fn new(p: Vec<Interval>, q: Vec<Interval>) -> Result<Self, PrivacyError> {
        if p.len() != q.len() {
            return Err(PrivacyError::Lengths {
                what: "the laws of a pair",
                found: vec![p.len(), q.len()],
            });
        }
        let cut = |law: Vec<Interval>| law.iter().map(|x| x.max(&zero())).collect();
        Ok(Self {
            p: cut(p),
            q: cut(q),
        })
    }

    /// Probabilities of the first law.
    #[must_use]
    pub fn p(&self) -> &[Interval] {
        &self.p
    }

    /// Probabilities of the second law.
    #[must_use]
    pub fn q(&self) -> &[Interval] {
        &self.q
    }

    /// The pair with its two laws exchanged.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self {
            p: self.q.clone(),
            q: self.p.clone(),
        }
    }

    /// Privacy losses ln(P_k/Q_k), +∞ where Q_k = 0 < P_k; `None` for an outcome certainly
    /// impossible under both. The whole line when an enclosure cannot tell a probability from 0.
    #[must_use]
    pub fn losses(&self) -> Vec<Option<Interval>> {
        self.pairs().map(|(p, q)| loss(p, q)).collect()
    }

    /// max_k |ln(P_k/Q_k)|: the exact pure ε of this pair, both directions.
    #[must_use]
    pub fn pure_epsilon(&self) -> Interval {
        let losses = self.losses();
        let sizes = losses.iter().flatten().map(Interval::abs);
        sizes.fold(zero(), |worst, size| worst.max(&size))
    }

    /// Hockey-stick divergence δ(ε) = Σ_k (P_k − e^ε Q_k)₊ for any real ε (the privacy profile of
    /// this pair in this order; the other order is that of [`Self::reversed`]).
    #[must_use]
    pub fn hockey_stick(&self, epsilon: &Interval) -> Interval {
        let weight = epsilon.exp();
        self.pairs()
            .map(|(p, q)| (p - &(&weight * q)).max(&zero()))
            .sum()
    }

    /// Kullback–Leibler divergence Σ P_k ln(P_k/Q_k).
    #[must_use]
    pub fn kl(&self) -> Interval {
        self.weighted(|p, l| p * l)
    }

    /// Rényi divergence D_α(P‖Q) = ln(Σ P_k^α Q_k^{1−α})/(α − 1), order α > 1.
    ///
    /// # Errors
    /// When α > 1 is not certain.
    pub fn renyi(&self, alpha: &Interval) -> Result<Interval, PrivacyError> {
        let less_one = alpha - &Interval::from(1);
        super::error::require(*less_one.lo() > 0, "alpha", alpha, "must be > 1")?;
        let moment = self.weighted(|p, l| p * &(&less_one * l).exp());
        Ok(&moment.ln() / &less_one)
    }

    fn pairs(&self) -> impl Iterator<Item = (&Interval, &Interval)> {
        self.p.iter().zip(&self.q)
    }

    /// Σ of `term(P_k, loss_k)` over the outcomes that P may produce.
    fn weighted(&self, term: impl Fn(&Interval, &Interval) -> Interval) -> Interval {
        self.pairs()
            .filter_map(|(p, q)| loss(p, q).map(|l| (p, l)))
            .filter(|(p, _)| !p.hi().is_zero())
            .map(|(p, l)| term(p, &l))
            .sum()
    }
}

fn zero() -> Interval {
    Interval::from(0)
}

fn loss(p: &Interval, q: &Interval) -> Option<Interval> {
    match (p.hi().is_zero(), q.hi().is_zero()) {
        (true, true) => None,
        _ => Some(&p.ln() - &q.ln()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn randomized_response(e: f64) -> FinitePair {
        let w = Interval::from_f64(e).exp();
        let total = &w + &Interval::from(1);
        let (big, small) = (&w / &total, &Interval::from(1) / &total);
        FinitePair::new(vec![big.clone(), small.clone()], vec![small, big]).unwrap()
    }

    #[test]
    fn randomized_response_has_its_textbook_divergences() {
        let pair = randomized_response(1.5);
        let pure = pair.pure_epsilon();
        assert!(pure.contains(1.5) && pure.width() < 1e-30, "{pure}");
        // δ(ε) = (e^ε₀ − e^ε)/(1 + e^ε₀) between −ε₀ and ε₀; KL = ε₀ tanh(ε₀/2).
        let e = std::f64::consts::E;
        let expected = (1.5f64.exp() - e) / (1.0 + 1.5f64.exp());
        let delta = pair.hockey_stick(&Interval::from_f64(1.0));
        assert!((delta.hi_f64() - expected).abs() < 1e-15 && delta.width() < 1e-30);
        let kl = pair.kl();
        assert!((kl.hi_f64() - 1.5 * 0.75f64.tanh()).abs() < 1e-15 && kl.width() < 1e-30);
    }

    #[test]
    fn an_outcome_impossible_under_q_costs_infinitely_much() {
        let one = |x| Interval::from(x);
        let pair = FinitePair::new(vec![one(1), one(0)], vec![one(0), one(1)]).unwrap();
        assert!(pair.pure_epsilon().hi().is_infinite());
        assert!(pair.hockey_stick(&one(50)).contains(1.0));
        assert!(pair.renyi(&one(2)).unwrap().lo_f64() == f64::INFINITY);
    }

    #[test]
    fn orders_not_above_one_are_refused() {
        let e = randomized_response(1.0)
            .renyi(&Interval::from(1))
            .unwrap_err();
        assert!(e.to_string().contains("must be > 1"), "{e}");
    }

    /// At an order whose excess over 1 is not 1: ln(b³/s² + s³/b²)/2.
    #[test]
    fn a_renyi_divergence_is_divided_by_its_order_less_one() {
        let total = 1.0 + 1.5f64.exp();
        let (b, s) = (1.5f64.exp() / total, 1.0 / total);
        let expected = 0.5 * (b.powi(3) / s.powi(2) + s.powi(3) / b.powi(2)).ln();
        let found = randomized_response(1.5).renyi(&Interval::from(3)).unwrap();
        let near = (found.hi_f64() - expected).abs() < 1e-13;
        assert!(near && found.width() < 1e-30, "{found}, {expected}");
    }

    #[test]
    fn what_is_impossible_under_both_laws_has_no_loss() {
        let law = || vec![Interval::from(0), Interval::from(1)];
        let losses = FinitePair::new(law(), law()).unwrap().losses();
        assert!(losses[0].is_none() && losses[1].is_some(), "{losses:?}");
    }
}
