//! One of several laws by chance, and told which.

use super::law::{LossLaw, Tails};
use crate::float::Enclosure;
use std::sync::Arc;

/// A law with its weight, and a bound on the weight's relative error.
#[derive(Clone)]
struct Part {
    weight: f64,
    error: f64,
    law: Arc<dyn LossLaw>,
}

/// The law of (K, Y) where K is drawn by the same weights under P and Q, and Y by the K-th pair: what a mixture is
/// dominated by, as divergences are jointly convex.
#[derive(Clone)]
pub struct Chosen {
    parts: Vec<Part>,
    /// Upper bound on the weight that the parts leave out: all of it counts as lost.
    leak: f64,
}

impl Chosen {
    /// Weights rounded to their middle; those that may be 0 are left out, and count as lost for all that they may be.
    pub fn new(parts: Vec<(Enclosure, Arc<dyn LossLaw>)>, leak: f64) -> Self {
        let (known, unknown): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|(weight, _)| weight.lo > 0.0);
        let add = |leak: f64, weight: f64| match weight > 0.0 {
            true => (leak + weight).next_up(),
            false => leak,
        };
        let leak = unknown.iter().fold(leak, |all, part| add(all, part.0.hi));
        let middle = known.into_iter().map(|(enclosed, law)| {
            let weight = enclosed.middle();
            let error = (enclosed.width() / weight).next_up();
            Part { weight, error, law }
        });
        let parts = middle.collect();
        Self { parts, leak }
    }
}

impl Chosen {
    /// The tails of the whole from those of the parts.
    fn joined(&self, tails: impl Iterator<Item = Tails>) -> Tails {
        let mut all = Tails {
            p: self.leak,
            ..Tails::nothing()
        };
        // What is rare is known less well, but is little of the sum.
        let (mut p_off, mut q_off) = (0.0, 0.0);
        for (Part { weight, error, .. }, t) in self.parts.iter().zip(tails) {
            let (p, q) = (weight * t.p, weight * t.q);
            let error = (error + t.error) * (1.0 + error);
            all.p += p;
            all.q += q;
            p_off += error * p;
            q_off += error * q;
            all.slack = all.slack.max(t.slack);
        }
        let share = |off: f64, whole: f64| if off > 0.0 { off / whole } else { 0.0 };
        let roundings = (self.parts.len() as f64 + 4.0) * f64::EPSILON;
        all.error = share(p_off, all.p).max(share(q_off, all.q)) * (1.0 + roundings) + roundings;
        all.p = all.p.min(1.0);
        all
    }
}

impl LossLaw for Chosen {
    fn tails(&self, epsilon: f64) -> Tails {
        self.joined(self.parts.iter().map(|part| part.law.tails(epsilon)))
    }

    fn tails_along(&self, epsilons: &[f64]) -> Vec<Tails> {
        let parts = self.parts.iter().map(|p| p.law.tails_along(epsilons));
        let parts: Vec<Vec<Tails>> = parts.collect();
        let at = |j: usize| self.joined(parts.iter().map(|tails| tails[j]));
        (0..epsilons.len()).map(at).collect()
    }

    fn support(&self) -> (f64, f64) {
        let ends = self.parts.iter().map(|part| part.law.support());
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |all, end| {
            (all.0.min(end.0), all.1.max(end.1))
        })
    }

    fn infinite(&self) -> f64 {
        let parts = self.parts.iter();
        let each = parts.map(|part| part.weight * part.law.infinite() * (1.0 - 2.0 * part.error));
        (each.sum::<f64>() + self.leak) * (1.0 - 1e-13)
    }

    fn leak(&self) -> f64 {
        let add = |all: f64, part: &Part| match part.law.leak() {
            none if none <= 0.0 => all,
            some => (all + (part.weight * (1.0 + part.error)).next_up() * some).next_up(),
        };
        self.parts.iter().fold(self.leak, add).min(1.0)
    }

    fn anchor(&self) -> f64 {
        self.parts.first().map_or(0.0, |part| part.law.anchor())
    }

    fn cost(&self) -> f64 {
        let each = self.parts.iter().map(|part| part.law.cost());
        each.fold(1.0, f64::max)
    }

    fn pitch(&self) -> Option<f64> {
        self.parts.first().and_then(|part| part.law.pitch())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::pld::discrete_law::DiscreteLaw;
    use crate::accounting::pld::law::Vague;
    use crate::accounting::pld::law::{GaussianLaw, LaplaceLaw};
    use crate::accounting::steady;

    #[test]
    fn a_part_that_may_have_no_weight_counts_for_all_that_it_may_have() {
        let law = |mu| Arc::new(GaussianLaw { mu }) as Arc<dyn LossLaw>;
        let parts = vec![
            (Enclosure::point(1.0), law(1.0)),
            (Enclosure::new(-1e-16, 2e-16), law(9.0)),
            (Enclosure::point(0.0), law(9.0)),
        ];
        let chosen = Chosen::new(parts, 1e-17);
        let beyond = chosen.tails(1e3);
        assert!(beyond.p >= 2.1e-16 && beyond.p < 2.2e-16, "{}", beyond.p);
        assert!(chosen.infinite() >= 2e-16);
        assert_eq!(chosen.parts.len(), 1);
    }

    /// What tells how a lattice is laid out is asked of the law that has most of the masses.
    #[test]
    fn places_of_a_choice_are_those_of_its_first_law() {
        let law = |pure| Arc::new(LaplaceLaw { pure }) as Arc<dyn LossLaw>;
        let parts = vec![
            (Enclosure::point(0.75), law(0.5)),
            (Enclosure::point(0.25), law(3.0)),
        ];
        let chosen = Chosen::new(parts, 0.0);
        assert_eq!(chosen.pitch(), Some(1.0));
        assert_eq!(chosen.anchor(), law(0.5).anchor());
        assert_eq!(chosen.support(), (-3.0, 3.0));
    }

    /// What parts may be wrong by counts by their weights, besides what the choice leaves out.
    #[test]
    fn a_choice_may_be_wrong_by_what_its_parts_may() {
        let law = || Arc::new(LaplaceLaw { pure: 0.5 }) as Arc<dyn LossLaw>;
        let part = Chosen::new(vec![(Enclosure::point(1.0), law())], 1e-3);
        assert!(part.leak() >= 1e-3);
        let parts = vec![
            (Enclosure::point(0.75), law()),
            (Enclosure::point(0.25), Arc::new(part) as Arc<dyn LossLaw>),
        ];
        let leak = Chosen::new(parts, 1e-5).leak();
        assert!((2.6e-4..2.6e-4 * (1.0 + 1e-9)).contains(&leak), "{leak}");
    }

    /// A law from below of which some outcomes tell all, chosen with a probability that is known to a tenth.
    #[test]
    fn what_tells_all_counts_from_below_by_the_least_weight() {
        let all = DiscreteLaw::new(vec![(0.0, 0.5)], 0.5, 0.0, None);
        let weight = Enclosure::new(0.45, 0.55);
        let chosen = Chosen::new(vec![(weight, Arc::new(all) as Arc<dyn LossLaw>)], 0.0);
        let found = chosen.infinite();
        assert!((0.29 * 0.5..=0.45 * 0.5).contains(&found), "{found}");
    }

    #[test]
    fn a_choice_is_what_it_was() {
        let vague = |mu: f64, error: f64, slack: f64| {
            let law = GaussianLaw { mu };
            Arc::new(Vague { law, error, slack }) as Arc<dyn LossLaw>
        };
        let all = DiscreteLaw::new(vec![(0.5, 0.75)], 0.25, 0.0, None);
        let parts = vec![
            (Enclosure::new(0.49, 0.51), vague(1.0, 1e-3, 1e-2)),
            (Enclosure::new(0.2499, 0.25), vague(3.0, 1e-5, 2e-2)),
            (Enclosure::point(0.25), Arc::new(all) as Arc<dyn LossLaw>),
            (Enclosure::new(0.0, 1e-9), vague(9.0, 0.0, 0.0)),
        ];
        let chosen = Chosen::new(parts, 1e-4);
        let mut found = vec![chosen.infinite(), chosen.leak(), chosen.cost(), chosen.leak];
        found.extend([chosen.support().0, chosen.support().1, chosen.anchor()]);
        for t in chosen.tails_along(&[-1.0, 0.2, 0.6, 30.0]) {
            found.extend([t.p, t.q, t.error, t.slack]);
        }
        for part in &chosen.parts {
            found.extend([part.weight, part.error]);
        }
        steady::holds(
            &found,
            "0.06260000099999365 0.06260000100000003 1.0 0.00010000100000000002 -inf inf 0.0
         0.9583039422947459 0.1802122821566264 0.03011926254921696 0.02 0.7900391811164204
         0.30455979858420507 0.020712341424749026 0.02 0.5184408012393122 0.14389667181939833
         0.03668343242919152 0.02 0.062600001 1.761786169891444e-18 0.0004102440809368095 0.02
         0.5 0.04000000000000005 0.24995 0.0004000800160031567 0.25 2.5e-323",
        );
    }

    /// Whatever the weights are within their ends, the tails are within what they are said to be
    /// off by.
    #[test]
    fn tails_of_a_choice_are_off_by_weights_and_parts() {
        let law = |mu| Arc::new(GaussianLaw { mu }) as Arc<dyn LossLaw>;
        let (low, high) = (0.3, 0.4);
        let parts = vec![
            (Enclosure::new(low, high), law(1.0)),
            (Enclosure::new(1.0 - high, 1.0 - low), law(3.0)),
        ];
        let chosen = Chosen::new(parts, 0.0);
        for epsilon in [-2.0, 0.0, 0.7, 3.0] {
            let t = chosen.tails(epsilon);
            let [a, b] = [1.0, 3.0].map(|mu| GaussianLaw { mu }.tails(epsilon));
            for weight in [low, high] {
                for (found, truth) in [
                    (t.p, weight * a.p + (1.0 - weight) * b.p),
                    (t.q, weight * a.q + (1.0 - weight) * b.q),
                ] {
                    assert!((found - truth).abs() <= t.error * found, "{epsilon}: {t:?}");
                }
            }
            assert!(t.error < 0.5, "{epsilon}: {t:?}");
        }
    }
}
