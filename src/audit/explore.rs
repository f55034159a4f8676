//! Looking for the pair of inputs that breaks a claim best, and for the simplest one that still
//! does. Everything drawn here counts for nothing: what is found is audited, or counted again, on
//! fresh pairs.

use crate::audit::engine::Plan;
use crate::audit::features::Rows;
use crate::audit::learn::{Goal, learn};
use crate::audit::sampler::{Phase, Sampler};
use crate::audit::{AuditError, Mechanism};
use crate::mechanism::tape::{Purpose, Stream, Tape};

/// Pairs drawn for one candidate in a search.
const GLANCE: u64 = 1024;
/// Steps of local search.
const VARIATIONS: u64 = 48;
/// Candidates tried while shrinking, at most.
const SHRINKING_STEPS: u64 = 200;
/// A simpler pair is taken if it breaks the claim by this many standard deviations.
const CLEARLY: f64 = 6.0;

type Vary<D> = dyn Fn(&D, &D, &mut Stream) -> (D, D) + Sync;
type Simplify<D> = dyn Fn(&D, &D) -> Vec<(D, D)> + Sync;

/// How neighbouring pairs are made from others.
pub(crate) struct Makers<D> {
    /// A random neighbouring pair near this one.
    pub vary: Option<Box<Vary<D>>>,
    /// Neighbouring pairs simpler than this one, simplest first.
    pub simplify: Option<Box<Simplify<D>>>,
}

impl<D> Default for Makers<D> {
    fn default() -> Self {
        Self {
            vary: None,
            simplify: None,
        }
    }
}

/// A simpler pair.
pub(crate) struct Shrunk<D> {
    pub pair: (D, D),
    /// The pairs of outputs that showed it.
    pub lessons: [Rows; 2],
    /// Simplifications that led to it.
    pub steps: u32,
}

/// Draws exploratory pairs and keeps count of them.
pub(crate) struct Explorer<'a, M: Mechanism> {
    mechanism: &'a M,
    /// The audit's plan.
    pub plan: &'a Plan,
    tape: Tape,
    looks: u64,
    /// Pairs drawn so far.
    pub pairs: u64,
}

impl<'a, M: Mechanism> Explorer<'a, M> {
    pub(crate) const fn new(mechanism: &'a M, plan: &'a Plan, tape: Tape) -> Self {
        Self {
            mechanism,
            plan,
            tape,
            looks: 0,
            pairs: 0,
        }
    }

    /// The candidate that seems to break the claim best, after local search from it.
    pub(crate) fn worst(
        &mut self,
        candidates: Vec<(M::Input, M::Input)>,
        makers: &Makers<M::Input>,
    ) -> Result<(M::Input, M::Input), AuditError> {
        let mut candidates = candidates.into_iter();
        let mut pair = candidates.next().ok_or(AuditError::Incomplete {
            missing: "pair of inputs",
            how: ".neighbours(relation, first, second)",
        })?;
        if candidates.len() == 0 && makers.vary.is_none() {
            return Ok(pair);
        }
        let (mut score, _) = self.look(&pair, GLANCE)?;
        for other in candidates {
            let (other_score, _) = self.look(&other, GLANCE)?;
            if other_score > score {
                (score, pair) = (other_score, other);
            }
        }
        if let Some(vary) = &makers.vary {
            for step in 0..VARIATIONS {
                let mut stream = self.tape.trial(u64::MAX).stream(step, Purpose::Audit, 0);
                let other = vary(&pair.0, &pair.1, &mut stream);
                let (other_score, _) = self.look(&other, GLANCE)?;
                if other_score > score {
                    (score, pair) = (other_score, other);
                }
            }
        }
        Ok(pair)
    }

    /// A simpler pair that still clearly breaks the claim; `None` if there is none.
    pub(crate) fn simplest(
        &mut self,
        pair: [&M::Input; 2],
        makers: &Makers<M::Input>,
        pairs: u64,
    ) -> Result<Option<Shrunk<M::Input>>, AuditError> {
        let Some(simplify) = &makers.simplify else {
            return Ok(None);
        };
        let last_look = self.looks + SHRINKING_STEPS;
        let mut found: Option<Shrunk<M::Input>> = None;
        loop {
            let candidates = match &found {
                Some(shrunk) => simplify(&shrunk.pair.0, &shrunk.pair.1),
                None => simplify(pair[0], pair[1]),
            };
            let steps = found.as_ref().map_or(1, |shrunk| shrunk.steps + 1);
            let mut next = None;
            for pair in candidates {
                if self.looks == last_look {
                    return Ok(found);
                }
                let (score, lessons) = self.look(&pair, pairs)?;
                if score >= CLEARLY {
                    next = Some(Shrunk {
                        pair,
                        lessons,
                        steps,
                    });
                    break;
                }
            }
            if next.is_none() {
                return Ok(found);
            }
            found = next;
        }
    }

    /// A sampler of these inputs.
    pub(crate) fn sampler<'b>(
        &self,
        inputs: [&'b M::Input; 2],
    ) -> Result<Sampler<'b, M>, AuditError>
    where
        'a: 'b,
    {
        Sampler::new(self.mechanism, inputs, self.tape, self.plan.extras.clone())
    }

    /// By how many standard deviations an event learned from half of the pairs breaks the claim on
    /// the other half.
    fn look(
        &mut self,
        pair: &(M::Input, M::Input),
        pairs: u64,
    ) -> Result<(f64, [Rows; 2]), AuditError> {
        let first = self.looks << 32;
        self.looks += 1;
        self.pairs += pairs;
        let sampler = self.sampler([&pair.0, &pair.1])?;
        let rows = sampler.pairs(Phase::Explore, first..first + pairs)?;
        let ([learn0, judge0], [learn1, judge1]) = (rows[0].halves(), rows[1].halves());
        let goal = Goal::bet(self.plan.claim);
        let found = learn(sampler.layout(), &learn0, &learn1, &[goal]).remove(0);
        let n = judge0.len() as f64;
        let score = found.first().map_or(f64::NEG_INFINITY, |best| {
            let hits = |rows: &Rows| rows.iter().filter(|r| best.event.contains(*r)).count() as f64;
            let (hits0, hits1) = (hits(&judge0), hits(&judge1));
            let (gain, loss) = if best.forward {
                (hits0, hits1)
            } else {
                (hits1, hits0)
            };
            goal.merit(gain, loss, n) * n.sqrt()
        });
        Ok((score, rows))
    }
}
