//! The exact accountant: single steps, inversion of moments, and pure steps.

use super::{Ends, Question};
use crate::accounting::basis::View;
use crate::accounting::batches::Near;
use crate::accounting::event::Step;
use crate::accounting::float::Enclosure;
use crate::accounting::gaussian::Gaussian;
use crate::accounting::inversion::Composition;
use crate::accounting::mixture::Pair;
use crate::accounting::pld::lattice::Side;
use crate::accounting::pure::{Group, compose_basic, compose_optimal};
use crate::accounting::report::steps::{is_exactly_described, is_pure, is_several, profile_of};
use crate::accounting::report::{ATTACK, Accountant, Report};
use crate::accounting::samples::{self, Laws};
use crate::accounting::{AccountError, batches, pld, root, views};
use crate::units::Delta;

impl Question {
    pub(super) fn exact(&self) -> Result<Report, AccountError> {
        if self.steps.is_empty() {
            return self.report(
                Accountant::Exact,
                Enclosure::point(0.0),
                "nothing was run, or on nobody's record",
                (View::Law, &[]),
            );
        }
        if let Some(parts) = self.all(views::gaussian)? {
            let epsilon = Gaussian::composed(&parts).epsilon(self.delta)?;
            let theorem = "Balle and Wang 2018, Theorem 8; Dong, Roth and Su 2022, Corollary 3.3";
            // The product of such pairs is one: noise on the vector of all answers (acc-gaussian).
            let several = parts.len() > 1 || parts.iter().any(|(_, count)| *count > 1);
            let made: &[&str] = match several {
                true => &["gcd-aux-dominated"],
                false => &[],
            };
            let mut report = self.report(Accountant::Exact, epsilon, theorem, (View::Law, made))?;
            if !self.is_exactly_described()
                && let Some(least) = self.all(samples::gaussian_below)?
            {
                let least = Gaussian::composed(&least).epsilon(self.delta)?;
                report = report.and_lower((least.lo.max(0.0), ATTACK))?;
            }
            return Ok(report);
        }
        if let [step] = self.steps.as_slice()
            && step.count == 1
            && !is_several(step.sampling)
            && let Some([(laws, 1)]) = self.dominating(step)?.as_deref()
        {
            return self.single(laws);
        }
        if self.is_covered_by_delta() {
            let theorem = "total variation distances add up: epsilon = 0";
            return self.report(
                Accountant::Exact,
                Enclosure::point(0.0),
                theorem,
                (View::Law, &["acc-basic"]),
            );
        }
        if let Some(parts) = self.all(|s| self.pairs(s, Side::Above))? {
            return self.inversion(&parts);
        }
        if let Some(groups) = self.all(|s| views::group(s, self.neighbours))? {
            return self.optimal(groups.into_iter().map(|(group, _)| group).collect());
        }
        Err(self.unsupported("exact"))
    }

    /// Whether δ is so large that nothing is left to ε: the profiles at ε = 0 add up to no more.
    pub(super) fn is_covered_by_delta(&self) -> bool {
        let Ok(Some(laws)) = self.all(|s| views::laws(s, self.neighbours)) else {
            return false;
        };
        let distance = |laws: &Laws| {
            let each = laws
                .iter()
                .map(|law| pld::law::profile(law.as_ref(), 0.0).hi);
            each.fold(0.0, f64::max)
        };
        let total: f64 = laws
            .iter()
            .map(|(laws, count)| *count as f64 * distance(laws))
            .sum();
        total * (1.0 + 1e-12) <= self.delta.get()
    }

    /// One mechanism: its profile, inverted.
    pub(super) fn single(&self, laws: &Laws) -> Result<Report, AccountError> {
        let d = self.delta.get();
        let profile = |epsilon: f64| profile_of(laws, epsilon);
        let floor = laws.iter().fold(0.0f64, |m, law| m.max(law.leak()));
        let limit = laws.iter().fold(0.0f64, |m, law| m.max(law.support().1));
        let mut high = if limit.is_finite() {
            limit * (1.0 + 1e-14) + 1e-300
        } else {
            1.0
        };
        while !limit.is_finite() && high.is_finite() && profile(high).hi > d {
            high *= 2.0;
        }
        if floor > d || (d == 0.0 && !limit.is_finite()) {
            return Err(AccountError::NoFiniteEpsilon { delta: d, floor });
        }
        AccountError::in_range(high)?;
        let epsilon = root::decreasing(high, d, 1e-15, profile);
        let theorem = "privacy profile of the dominating pair (Balle, Barthe and Gaboardi 2018; \
            Zhu, Dong and Wang 2022)";
        let mut report = self.report(Accountant::Exact, epsilon, theorem, (View::Law, &[]))?;
        if !self.is_exactly_described() && (self.ends != Ends::Upper || !self.is_one_allocation()) {
            for attempt in self.attacked(&self.steps[0])? {
                let [(laws, 1)] = attempt.as_slice() else {
                    continue;
                };
                let attack = |epsilon: f64| profile_of(laws, epsilon);
                let needed = root::decreasing(epsilon.hi, d, 1e-12, attack).lo;
                report = report.and_lower((needed, ATTACK))?;
            }
        }
        Ok(report)
    }

    /// The pairs of mixtures of Gaussians that dominate a step, or that it dominates.
    pub(super) fn pairs(&self, step: &Step, side: Side) -> Result<Option<Near>, AccountError> {
        match views::pairs(step, self.neighbours)? {
            Some(pairs) => {
                let exactly = is_exactly_described(step, self.neighbours);
                let (off, lack) = (0.0, if exactly { 0.0 } else { f64::INFINITY });
                let known = side == Side::Above || exactly;
                Ok(known.then_some(Near { pairs, off, lack }))
            }
            None => batches::pairs(step, self.neighbours, (self.delta.get(), side)),
        }
    }

    /// Mixtures of Gaussians: Fourier inversion in both directions.
    pub(super) fn inversion(&self, parts: &[(Near, u64)]) -> Result<Report, AccountError> {
        let epsilon = self.inverted(parts)?;
        let theorem = "Fourier inversion of the moments of the dominating pairs (Zhu, Dong and \
            Wang 2022, Theorem 11; Kahane 1986), Poisson summation and Chernoff bounds";
        let made = (View::Law, &["gcd-aux-dominated"][..]);
        let report = self.report(Accountant::Exact, epsilon, theorem, made)?;
        if self.is_exactly_described() {
            return Ok(report);
        }
        let lower = match self.all(|s| self.pairs(s, Side::Below))? {
            // These say nothing from below, and others do.
            Some(below) if epsilon.lo == f64::NEG_INFINITY => self.inverted(&below)?.lo,
            _ => epsilon.lo,
        };
        report.and_lower((lower.max(0.0), ATTACK))
    }

    /// What the pairs enclose.
    pub(super) fn inverted(&self, parts: &[(Near, u64)]) -> Result<Enclosure, AccountError> {
        let sum = |of: fn(&Near) -> f64| -> f64 {
            let each = parts.iter().map(|(near, count)| of(near) * *count as f64);
            each.sum::<f64>() * (1.0 + 1e-9)
        };
        let (off, lack) = (sum(|near| near.off), sum(|near| near.lack));
        let rule = "must be less than delta";
        let d = self.delta.get();
        AccountError::check(off < d || d == 0.0, "share of rare draws", off, rule)?;
        let less = match off > 0.0 && d > 0.0 {
            true => Delta::new((d - off).next_down())?,
            false => self.delta,
        };
        let more = match lack > 0.0 && lack < f64::INFINITY {
            true => Delta::new((Enclosure::point(lack).exp() * d).hi.min(1.0))?,
            false => self.delta,
        };
        let direction = |index: usize| {
            let parts: Vec<(Pair, u64)> = parts
                .iter()
                .filter_map(|(Near { pairs, .. }, count)| {
                    Some((pairs.get(index).or(pairs.first())?.clone(), *count))
                })
                .collect();
            Composition::new(&parts)
        };
        let mut epsilon = direction(0).between(less, more)?;
        if parts.iter().any(|(near, _)| near.pairs.len() > 1) {
            let other = direction(1);
            // Usually the other direction is certainly smaller, which its moments alone show.
            if !other.is_within(epsilon.hi, less) {
                epsilon = epsilon.max(other.between(less, more)?);
            }
        }
        let above = if off > 0.0 { epsilon + off } else { epsilon };
        let below = if lack > 0.0 { epsilon - lack } else { epsilon };
        Ok(Enclosure::new(below.lo, above.hi))
    }

    /// Pure mechanisms: optimal composition.
    pub(super) fn optimal(&self, groups: Vec<Group>) -> Result<Report, AccountError> {
        let basic = compose_basic(&groups);
        if self.delta.get() == 0.0 {
            let epsilon = Enclosure::new(0.0, basic);
            let theorem = "Dwork and Roth 2014, Theorem 3.16";
            return self.report(
                Accountant::Exact,
                epsilon,
                theorem,
                (View::Pure, &["acc-basic"]),
            );
        }
        let epsilon = compose_optimal(&groups, self.delta)?;
        // Attained by some mechanism with these ε, not by every one.
        let any = self.steps.iter().all(is_pure);
        let lower = if any { epsilon.lo } else { 0.0 };
        let theorem = "Kairouz, Oh and Viswanath 2017; Murtagh and Vadhan 2016";
        let epsilon = Enclosure::new(lower, epsilon.hi);
        // Of several ε the responses are composed as pairs are.
        let made: &[&str] = match self.steps.len() {
            1 => &["gcd-aux-response"],
            _ => &["gcd-aux-dominated", "gcd-aux-response"],
        };
        self.report(Accountant::Exact, epsilon, theorem, (View::Pure, made))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{Neighbouring, Sensitivity, StdDev};

    fn alone(sigma: f64, delta: f64) -> Enclosure {
        let noise = Gaussian::new(
            Sensitivity::new(1.0).expect("in range"),
            StdDev::new(sigma).expect("in range"),
        );
        let delta = Delta::new(delta).expect("in range");
        noise.epsilon(delta).expect("finite")
    }

    /// Rare draws, left out of the pairs, are paid for in δ and in ε; what pairs lack from below likewise.
    #[test]
    fn what_pairs_are_off_by_is_paid_for() {
        let (delta, count) = (1e-5, 3);
        let asked = |delta: f64| Question {
            steps: Vec::new(),
            delta: Delta::new(delta).expect("in range"),
            neighbours: Neighbouring::AddRemove,
            ends: Ends::Both,
        };
        let at = |off: f64, lack: f64, pairs: Vec<Pair>| {
            asked(delta).inverted(&[(Near { pairs, off, lack }, count)])
        };
        let without_delta = |off: f64, pair: Pair| {
            let (pairs, lack) = (vec![pair], 0.0);
            asked(0.0).inverted(&[(Near { pairs, off, lack }, count)])
        };
        let pair = Pair::gaussian(1.0, 3f64.sqrt());
        let exact = at(0.0, 0.0, vec![pair.clone()]).expect("finite");
        let near = |a: f64, b: f64| (a - b).abs() < 1e-7;
        let truth = alone(1.0, delta);
        assert!(exact.lo <= truth.hi && truth.lo <= exact.hi && near(exact.lo, exact.hi));
        let off = at(1e-6, 0.0, vec![pair.clone()]).expect("finite");
        assert!(near(off.hi, alone(1.0, delta - 3e-6).hi + 3e-6), "{off:?}");
        // The lower end is found in steps that double, from the upper one.
        let apart = off.hi - truth.hi;
        assert!(off.lo <= truth.hi && truth.lo - off.lo <= apart, "{off:?}");
        let lack = at(0.0, 0.1, vec![pair.clone()]).expect("finite");
        let least = alone(1.0, delta * 0.3f64.exp()).lo - 0.3;
        let apart = truth.hi - (least + 0.3);
        assert!(
            lack.lo <= least + 1e-7 && least - lack.lo <= apart,
            "{lack:?}"
        );
        assert!(near(lack.hi, truth.hi), "{lack:?}");
        // The second direction is the worse one, and counts.
        let worse = Pair::gaussian(1.0, 0.5 * 3f64.sqrt());
        for pairs in [vec![pair.clone(), worse.clone()], vec![worse, pair.clone()]] {
            let found = at(0.0, 0.0, pairs).expect("finite");
            assert!(near(found.hi, alone(0.5, delta).hi), "{found:?}");
        }
        assert!(at(4e-6, 0.0, vec![pair.clone()]).is_err());
        // Without δ nothing can be paid: no ε is finite.
        let none = without_delta(1e-6, pair);
        assert!(
            matches!(none, Err(AccountError::NoFiniteEpsilon { .. })),
            "{none:?}"
        );
    }
}
