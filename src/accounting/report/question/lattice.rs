//! Lattices of losses, from above and of explicit neighbours from below.

use super::{Ends, Question};
use crate::accounting::basis::View;
use crate::accounting::event::{Sampling, Step};
use crate::accounting::float::Enclosure;
use crate::accounting::pld::law::{LossLaw, is_dense};
use crate::accounting::pld::{self, Losses};
use crate::accounting::report::steps::{Counted, directions, is_exactly_described};
use crate::accounting::report::{Accountant, LATTICE_ACCURACY, NARROW, Report};
use crate::accounting::{AccountError, allocation, batches, matrix, views};
use crate::units::Delta;

/// What the upper end of a lattice rests on.
const LATTICE: &str = "Zhu, Dong and Wang 2022; Doroshenko et al. 2022, Theorem 3.1";

/// Ends so many times [`NARROW`] apart, where the lower one is an attack's, are no matter for a second lattice.
const FAR: f64 = 100.0;
/// How much less a second lattice may add to ε, at most: from above, and from below where the ends of the first are too far apart.
const FINEST: (f64, f64) = (4096.0, 65_536.0);
/// How much less it adds from below for last digits.
const LAST: f64 = 64.0;
/// Points of a second lattice, likewise.
const POINTS: (f64, f64) = (1_048_576.0, 4_194_304.0);

impl Question {
    /// The losses in each direction.
    pub(super) fn directions(&self) -> Result<Vec<Losses>, AccountError> {
        let mut laws = Vec::new();
        for step in &self.steps {
            let found = self.dominating(step)?;
            laws.extend(found.ok_or_else(|| self.unsupported("privacy-loss distribution"))?);
        }
        Ok(directions(&laws))
    }

    /// Whether laws are most of the work, and lattices all that takes them.
    pub(in crate::accounting::report) fn has_dear_laws(&self) -> bool {
        let dear = |s: &Step| {
            matches!(
                s.sampling,
                Sampling::RandomAllocation { .. } | Sampling::Within(_)
            )
        };
        self.steps.iter().any(dear)
    }

    /// One upper end for each δ, by lattices of the laws for this question's: a law that dominates does so at every δ.
    pub(in crate::accounting::report) fn along(
        &self,
        deltas: &[Delta],
    ) -> Result<Vec<Report>, AccountError> {
        let directions = self.directions()?;
        let at = |delta: &Delta| {
            let upper = pld::epsilon_upper(&directions, *delta, LATTICE_ACCURACY)?;
            let question = Self {
                steps: self.steps.clone(),
                delta: *delta,
                ..*self
            };
            let made = (View::Law, &["gcd-aux-dominated"][..]);
            question.report(Accountant::Pld, Enclosure::new(0.0, upper), LATTICE, made)
        };
        deltas.iter().map(at).collect()
    }

    /// The laws that dominate a step with their counts, if they are known.
    pub(super) fn dominating(&self, step: &Step) -> Result<Option<Counted>, AccountError> {
        match step.sampling {
            Sampling::RandomAllocation { .. } => {
                allocation::laws(step, self.neighbours, self.delta)
            }
            Sampling::Within(_) => matrix::sampled::laws(step, self.neighbours, self.delta),
            Sampling::WithReplacement { .. } => {
                let laws = batches::laws(step, self.neighbours, self.delta.get())?;
                Ok(laws.map(|laws| vec![(laws, step.count)]))
            }
            Sampling::None
            | Sampling::Poisson(_)
            | Sampling::FixedSize(_)
            | Sampling::TruncatedPoisson { .. } => {
                Ok(views::laws(step, self.neighbours)?.map(|laws| vec![(laws, step.count)]))
            }
        }
    }

    /// Laws of neighbours that there are with their counts, for a step that is not described exactly; several attempts.
    pub(super) fn attacked(&self, step: &Step) -> Result<Vec<Counted>, AccountError> {
        let found = match step.sampling {
            Sampling::Within(_) => {
                return matrix::sampled::attacks(step, self.neighbours, self.delta);
            }
            Sampling::RandomAllocation { .. } => {
                allocation::attacks(step, self.neighbours, self.delta)?
            }
            Sampling::None
            | Sampling::Poisson(_)
            | Sampling::FixedSize(_)
            | Sampling::WithReplacement { .. }
            | Sampling::TruncatedPoisson { .. } => {
                batches::attacks(step, self.neighbours, self.delta.get())?
            }
        };
        let counted = found.into_iter().map(|laws| vec![(laws, step.count)]);
        Ok(counted.collect())
    }

    /// Losses of neighbours that there are, in each direction; several attempts. Steps of which nothing is known from below are
    /// left out: who sees less tells no more.
    pub(super) fn attacks(&self) -> Result<Vec<Vec<Losses>>, AccountError> {
        let mut steps = Vec::new();
        for step in &self.steps {
            let attacks: Vec<Counted> = match is_exactly_described(step, self.neighbours) {
                true => {
                    let laws = views::laws(step, self.neighbours)?.into_iter();
                    laws.map(|laws| vec![(laws, step.count)]).collect()
                }
                false => self.attacked(step)?,
            };
            if !attacks.is_empty() {
                steps.push(attacks);
            }
        }
        let most = steps.iter().map(Vec::len).max().unwrap_or(0);
        let attempt = |i: usize| {
            let laws = steps.iter().flat_map(|a| a[i.min(a.len() - 1)].clone());
            directions(&laws.collect::<Vec<_>>())
        };
        Ok((0..most).map(attempt).collect())
    }

    /// A lower bound on ε from lattices; 0 where nothing is known from below.
    ///
    /// `most` is an upper one; only the accuracy depends on it.
    pub(in crate::accounting::report) fn lower(
        &self,
        accuracy: f64,
        most: f64,
    ) -> Result<f64, AccountError> {
        self.lower_of(&self.attacks()?, accuracy, most)
    }

    /// The same of attempts that were made.
    fn lower_of(
        &self,
        attempts: &[Vec<Losses>],
        accuracy: f64,
        most: f64,
    ) -> Result<f64, AccountError> {
        let bounds = attempts
            .iter()
            .map(|directions| pld::epsilon_lower_below(directions, self.delta, accuracy, most));
        bounds
            .into_iter()
            .try_fold(0.0, |most, bound| Ok(f64::max(most, bound?)))
    }

    pub(super) fn pld(&self) -> Result<Report, AccountError> {
        let directions = self.directions()?;
        let bound =
            |accuracy, most| pld::epsilon_upper_below(&directions, self.delta, accuracy, most);
        let mut upper = bound(LATTICE_ACCURACY, f64::INFINITY)?;
        let mut theorem = LATTICE;
        let mut lower = 0.0f64;
        if self.ends == Ends::Both {
            theorem =
                "Zhu, Dong and Wang 2022; Doroshenko et al. 2022, Theorem 3.1; Blackwell 1953";
            let affordable =
                |points| pld::affordable(&directions, self.delta, LATTICE_ACCURACY, points);
            let attempts = self.attacks()?;
            let below =
                |finer: f64, upper| self.lower_of(&attempts, LATTICE_ACCURACY / finer, upper);
            lower = below(1.0, upper)?;
            let apart = |upper: f64, lower: f64| (upper - lower) / (NARROW * upper);
            let first = apart(upper, lower);
            // Last digits where they cost little, or where the first ends are far apart. Where rounding outweighs what finer
            // cells gain, the first bound is the smaller: every lattice gives a safe one.
            let finer = affordable(POINTS.0).clamp(if first > 1.0 { 4.0 } else { 1.0 }, FINEST.0);
            // Nobody needs the last digits of an end that an attack leaves far from the other.
            let meet = self.have_meeting_ends();
            let sharp = meet || first < FAR;
            if finer >= 4.0 && sharp {
                upper = upper.min(bound(LATTICE_ACCURACY / finer, upper)?);
                // Next to what their laws cost, a lattice of these costs nothing.
                if first > 1.0 && !meet && self.has_dear_laws() {
                    lower = lower.max(below(finer, upper)?);
                }
            }
            let mut laws = attempts.iter().flatten().flatten();
            let dense = |law: &dyn LossLaw| law.gathered(1.0).is_some() || is_dense(law);
            if meet && laws.all(|(law, _)| dense(law.as_ref())) {
                // Densities cost the lower end the square of the step, as they do the upper one.
                let most = affordable(if first > 1.0 { POINTS.1 } else { POINTS.0 });
                let finer = (2.0 * first).max(LAST).min(most).min(FINEST.1);
                if finer >= 4.0 {
                    lower = lower.max(below(finer, upper)?);
                }
            } else if first > 1.0 && meet {
                // Atoms between nodes cost the lower end the step, hence the root of the accuracy; where that is not enough, more
                // than one law has them, and the finest lattice is what is left.
                let most = affordable(POINTS.1).clamp(4.0, FINEST.1);
                let next = (2.0 * first).powi(2).min(most);
                lower = lower.max(below(next, upper)?);
                if apart(upper, lower) > 1.0 && next < most {
                    lower = lower.max(below(most, upper)?);
                }
            }
        }
        AccountError::in_order(
            (lower, self.below(Accountant::Pld)),
            (upper, Accountant::Pld.name()),
        )?;
        let made: &[&str] = match self.ends == Ends::Both {
            true => &["acc-merged", "gcd-aux-dominated"],
            false => &["gcd-aux-dominated"],
        };
        let epsilon = Enclosure::new(lower, upper);
        self.report(Accountant::Pld, epsilon, theorem, (View::Law, made))
    }
}
