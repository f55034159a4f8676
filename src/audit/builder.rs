//! The way in: one audit, described step by step.

use crate::audit::engine::{self, BETTING};
use crate::audit::event::Event;
use crate::audit::explore::Makers;
use crate::audit::features::{Extras, Statistic};
use crate::audit::game::Watch;
use crate::audit::plan::Plan;
use crate::audit::power::{self, USUAL_TRIALS};
use crate::audit::shape::Shape;
use crate::audit::{
    AuditError, AuditReport, Counterexample, Guarantee, Mechanism, Output, Release,
};
use crate::mechanism::tape::Stream;
use crate::units::{Neighbouring, UnitError};
use std::fmt::Debug;
use std::panic::Location;
use std::sync::Arc;

/// Error probability of a suite that states none: that of the strictest sampler tests in use. An audit alone has as much.
pub const SUITE_ALPHA: f64 = 1e-6;

/// An audit being described; [`Audit::run`] runs it.
///
/// ```
/// use dp_assay::audit::event::Event;
/// use dp_assay::audit::{Audit, AuditError, Verdict, from_fn};
/// use dp_assay::mechanism::tape::Purpose;
/// use dp_assay::units::Neighbouring;
///
/// // Tells the truth with probability 3/4: exactly ln 3-private.
/// let response = || {
///     from_fn("response", |bit: &bool, tape| *bit != (tape.uniform(0, Purpose::User, 0).fraction() < 0.25))
/// };
/// let report = Audit::of(response())
///     .claim(0.5, 0.0)
///     .neighbours(Neighbouring::ReplaceOne, true, false)
///     .event(Event::Above { column: 0, threshold: 0.5 }) // the answer is yes
///     .trials(20_000)
///     .alpha(1e-6)
///     .seed(1)
///     .run()?;
/// assert_eq!(report.verdict, Verdict::Violation);
/// assert!(report.counterexample.is_some());
///
/// // Without two inputs there is nothing to run.
/// let unfinished = Audit::of(response()).claim(0.5, 0.0).run();
/// assert!(matches!(unfinished, Err(AuditError::Incomplete { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Audit<M: Mechanism> {
    mechanism: M,
    claim: Option<(f64, f64)>,
    neighbours: Option<Neighbouring>,
    pairs: Vec<(M::Input, M::Input)>,
    makers: Makers<M::Input>,
    release: Release,
    trials: u64,
    alpha: Option<f64>,
    seed: Option<u64>,
    event: Option<Event>,
    target: Option<f64>,
    extras: Extras,
    shape: Shape,
    watch: Box<Watch>,
    /// Where the description begins, for a gate that fails.
    pub(crate) described_at: &'static Location<'static>,
}

impl<M: Mechanism> Audit<M> {
    /// An audit of a mechanism.
    #[track_caller]
    pub fn of(mechanism: M) -> Self {
        Self {
            mechanism,
            claim: None,
            neighbours: None,
            pairs: Vec::new(),
            makers: Makers::default(),
            release: Release::default(),
            trials: USUAL_TRIALS,
            alpha: None,
            seed: None,
            event: None,
            target: None,
            extras: Extras::default(),
            shape: Shape::Unknown,
            watch: Box::new(|_, _| {}),
            described_at: Location::caller(),
        }
    }

    /// The claim: (ε, δ)-differential privacy, ε in nats.
    #[must_use]
    pub fn claim(mut self, epsilon: f64, delta: f64) -> Self {
        self.claim = Some((epsilon, delta));
        self
    }

    /// Two inputs that are neighbours under `relation`. That they are is the caller's statement,
    /// and is reported as such. Both directions are audited.
    #[must_use]
    pub fn neighbours(mut self, relation: Neighbouring, first: M::Input, second: M::Input) -> Self {
        self.neighbours = Some(relation);
        self.pairs = vec![(first, second)];
        self
    }

    /// Several neighbouring pairs; the one that looks worst on exploratory samples is audited.
    #[must_use]
    pub fn worst_of(mut self, relation: Neighbouring, pairs: Vec<(M::Input, M::Input)>) -> Self {
        self.neighbours = Some(relation);
        self.pairs = pairs;
        self
    }

    /// A random neighbouring pair near a given one: with it, the audit searches for a worse pair
    /// before it begins.
    #[must_use]
    pub fn vary(
        mut self,
        vary: impl Fn(&M::Input, &M::Input, &mut Stream) -> (M::Input, M::Input) + Sync + 'static,
    ) -> Self {
        self.makers.vary = Some(Box::new(vary));
        self
    }

    /// Neighbouring pairs simpler than a given one, simplest first: with it, a counterexample is
    /// shrunk before it is reported.
    #[must_use]
    pub fn simplify(
        mut self,
        simplify: impl Fn(&M::Input, &M::Input) -> Vec<(M::Input, M::Input)> + Sync + 'static,
    ) -> Self {
        self.makers.simplify = Some(Box::new(simplify));
        self
    }

    /// What of a run counts as released; by default the final answer.
    #[must_use]
    pub fn release(mut self, release: Release) -> Self {
        self.release = release;
        self
    }

    /// The most pairs to bet on (100,000 by default). A violation stops earlier and is then
    /// counted again on fresh pairs, eight times as many as it took to find.
    #[must_use]
    pub fn trials(mut self, trials: u64) -> Self {
        self.trials = trials;
        self
    }

    /// The probability, at most, with which a true claim is called violated or the bound exceeds the true ε (10⁻⁶ by
    /// default). A pass has no such guarantee: it says what would have been seen.
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.alpha = Some(alpha);
        self
    }

    /// The seed of all noise (0 by default). An audit that is run again with the same seed while
    /// the code under audit is edited until it passes has no error probability.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// What was chosen of error probability and seed, as it was written.
    pub(crate) fn own_budget(&self) -> Option<String> {
        let alpha = self.alpha.map(|alpha| format!(".alpha({alpha:e})"));
        alpha.or_else(|| self.seed.map(|seed| format!(".seed({seed})")))
    }

    /// An event known in advance to be too frequent on the first input if the claim is false; then
    /// none is learned.
    #[must_use]
    pub fn event(mut self, event: Event) -> Self {
        self.event = Some(event);
        self
    }

    /// A number computed from every output, on which events may be learned too. It may depend on
    /// the pair and on the code under audit, for example as their likelihood ratio.
    #[must_use]
    pub fn statistic(
        self,
        name: impl Into<String>,
        value: impl Fn(&Output) -> f64 + Send + Sync + 'static,
    ) -> Self {
        self.looking_at(Statistic::new(name, value))
    }

    /// As [`Audit::statistic`], ready made.
    #[must_use]
    pub fn looking_at(mut self, statistic: Statistic) -> Self {
        self.extras.statistics.push(statistic);
        self
    }

    /// Also looks at the 64 bits of every number, and at the grid (power of two) on which it lies:
    /// this is where textbook floating-point noise gives the noised value away. Such noise then
    /// counts as a violation, which it is.
    #[must_use]
    pub fn bits(mut self) -> Self {
        self.extras.bits = true;
        self
    }

    /// Declares that the pair's trade-off function is that of two Gaussians of equal variance, as
    /// for the Gaussian mechanism on one pair. Then a claim with a small δ can be tested where it
    /// shows, and the bound is on the shape's own parameter. Declared of another shape, the audit's
    /// verdict and bound mean nothing.
    #[must_use]
    pub fn gaussian(mut self) -> Self {
        self.shape = Shape::Gaussian;
        self
    }

    /// Declares that a mechanism that keeps the claim also keeps (ε′, `curve`(ε′)) for every
    /// ε′ below ε: the claim may then be refuted at any of these points.
    #[must_use]
    pub fn curve(mut self, curve: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        self.shape = Shape::Curve(Arc::new(curve));
        self
    }

    /// The ε that a pass must be able to see. By default the least of 1.25, 1.5 and 2 times the claim that
    /// 100,000 pairs see on an event of probability 0.1 (2 times if none is seen), and 0.1 at least.
    #[must_use]
    pub fn must_see(mut self, epsilon: f64) -> Self {
        self.target = Some(epsilon);
        self
    }

    /// Is told, as the audit goes on, the pairs drawn so far and those that will be drawn at most.
    #[must_use]
    pub fn watch(mut self, watch: impl Fn(u64, u64) + Sync + 'static) -> Self {
        self.watch = Box::new(watch);
        self
    }

    /// Runs the audit.
    ///
    /// # Errors
    /// When the description is incomplete, a number is outside its domain, or the mechanism cannot
    /// be run.
    pub fn run(mut self) -> Result<AuditReport, AuditError>
    where
        M::Input: Debug,
    {
        let plan = self.plan()?;
        let (makers, watch) = (&self.makers, &*self.watch);
        engine::run(&self.mechanism, self.pairs, makers, &plan, watch)
    }

    /// What is audited.
    #[must_use]
    pub const fn mechanism(&self) -> &M {
        &self.mechanism
    }

    /// Counts a counterexample again: its event, on fresh pairs of its inputs, as many as the audit has
    /// trials. With the seed that found it the counts are the same, with another they are new evidence.
    ///
    /// # Errors
    /// As [`Audit::run`], and when the counterexample's inputs are none of this audit's pairs.
    pub fn recount(mut self, found: &Counterexample) -> Result<Counterexample, AuditError>
    where
        M::Input: Debug,
    {
        let plan = self.plan()?;
        engine::recount_found(&self.mechanism, &self.pairs, &plan, found)
    }

    /// The description, checked.
    fn plan(&mut self) -> Result<Plan, AuditError> {
        let (epsilon, delta) = self.claim.ok_or(AuditError::Incomplete {
            missing: "claim",
            how: ".claim(epsilon, delta)",
        })?;
        let neighbours = self.neighbours.ok_or(AuditError::Incomplete {
            missing: "pair of inputs",
            how: ".neighbours(relation, first, second)",
        })?;
        let claim = Guarantee::new(epsilon, delta)?;
        let alpha = self.alpha.unwrap_or(SUITE_ALPHA);
        check("alpha", alpha, |a| a > 0.0 && a < 1.0, "must lie in (0, 1)")?;
        let in_range = |n: f64| (1.0..=4_294_967_296.0).contains(&n);
        check(
            "trials",
            self.trials as f64,
            in_range,
            "must be a whole number from 1 to 2³²",
        )?;
        let usual = || power::must_see(claim, &self.shape, alpha * BETTING);
        let target = self.target.unwrap_or_else(usual);
        let see = |holds: fn(f64, f64) -> bool, rule| {
            check("epsilon to see", target, |x| holds(x, epsilon), rule)
        };
        see(|x, claimed| x > claimed, "must exceed the epsilon claimed")?;
        see(|x, _| x.is_finite(), "must be finite")?;
        Ok(Plan {
            claim,
            neighbours,
            release: self.release,
            trials: self.trials,
            alpha,
            seed: self.seed.unwrap_or(0),
            event: self.event.take(),
            target,
            extras: self.extras.clone(),
            implied: self.shape.implied(claim)?,
            shape: self.shape.clone(),
        })
    }
}

fn check(
    quantity: &'static str,
    value: f64,
    rule_holds: impl Fn(f64) -> bool,
    rule: &'static str,
) -> Result<(), UnitError> {
    if rule_holds(value) {
        Ok(())
    } else {
        Err(UnitError {
            quantity,
            value,
            rule,
        })
    }
}

#[cfg(test)]
mod tests;
