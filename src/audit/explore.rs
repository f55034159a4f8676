//! Looking for the pair of inputs that breaks a claim best, and for the simplest one that still
//! does. Everything drawn here counts for nothing: what is found is audited, or counted again, on
//! fresh pairs.

use crate::audit::features::{Part, Rows};
use crate::audit::learn::{Candidate, Goal, learn};
use crate::audit::plan::Plan;
use crate::audit::sampler::{Phase, Sampler};
use crate::audit::{AuditError, Mechanism};
use crate::mechanism::tape::{Purpose, Stream, Tape};

/// A search draws up to one such part of the pairs that the audit may bet on.
const SEARCH_SHARE: u64 = 4;
/// Pairs drawn for one candidate in a search, at least.
const FEWEST_LOOKED_AT: u64 = 256;
/// Steps of local search.
const VARIATIONS: u64 = 48;
/// Shrinking draws up to this many times the pairs that it took to find the violation.
const SHRINKING: u64 = 16;
/// Learned events that are judged.
const JUDGED: usize = 8;
/// A simpler pair is taken if it breaks the claim by this many standard deviations.
const CLEARLY: f64 = 6.0;

type Pair<D> = (D, D);
type Vary<D> = dyn Fn(&D, &D, &mut Stream) -> Pair<D> + Sync;
type Simplify<D> = dyn Fn(&D, &D) -> Vec<Pair<D>> + Sync;

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
    pub pair: Pair<D>,
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
        candidates: Vec<Pair<M::Input>>,
        makers: &Makers<M::Input>,
    ) -> Result<Pair<M::Input>, AuditError> {
        let pair = self.knockout(candidates)?.ok_or(AuditError::Incomplete {
            missing: "pair of inputs",
            how: ".neighbours(relation, first, second)",
        })?;
        match &makers.vary {
            Some(vary) => self.climb(pair, vary),
            None => Ok(pair),
        }
    }

    /// Keeps the better half of the candidates, on twice the pairs in every round, until one is
    /// left.
    fn knockout(
        &mut self,
        mut candidates: Vec<Pair<M::Input>>,
    ) -> Result<Option<Pair<M::Input>>, AuditError> {
        let rounds = candidates.len().max(1).ilog2() + 1;
        while candidates.len() > 1 {
            let fair = self.budget() / u64::from(rounds) / candidates.len() as u64;
            let mut scored = Vec::new();
            for pair in candidates {
                let (score, _) = self.look(&pair, fair.max(FEWEST_LOOKED_AT))?;
                scored.push((score, pair));
            }
            scored.sort_by(|a, b| b.0.total_cmp(&a.0));
            scored.truncate(scored.len().div_ceil(2));
            candidates = scored.into_iter().map(|(_, pair)| pair).collect();
        }
        Ok(candidates.pop())
    }

    /// Local search: moves to a variation whenever it looks worse than the pair at hand.
    fn climb(
        &mut self,
        mut pair: Pair<M::Input>,
        vary: impl Fn(&M::Input, &M::Input, &mut Stream) -> Pair<M::Input>,
    ) -> Result<Pair<M::Input>, AuditError> {
        let pairs = (self.budget() / VARIATIONS).max(FEWEST_LOOKED_AT);
        let (mut score, _) = self.look(&pair, pairs)?;
        for step in 0..VARIATIONS {
            let mut stream = self.tape.trial(u64::MAX).stream(step, Purpose::Audit, 0);
            let other = vary(&pair.0, &pair.1, &mut stream);
            let (other_score, _) = self.look(&other, pairs)?;
            if other_score > score {
                (score, pair) = (other_score, other);
            }
        }
        Ok(pair)
    }

    /// Pairs that a search may draw.
    const fn budget(&self) -> u64 {
        self.plan.trials / SEARCH_SHARE
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
        let last_look = self.looks + SHRINKING;
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

    /// By how many standard deviations the best of a few events learned from half of the pairs
    /// breaks the claim on the other half.
    fn look(&mut self, pair: &Pair<M::Input>, pairs: u64) -> Result<(f64, [Rows; 2]), AuditError> {
        let first = self.looks << 32;
        self.looks += 1;
        self.pairs += pairs;
        let sampler = self.sampler([&pair.0, &pair.1])?;
        let rows = sampler.pairs(Phase::Explore, first..first + pairs)?;
        let ([learn0, judge0], [learn1, judge1]) = (rows[0].all().halves(), rows[1].all().halves());
        let goal = Goal::bet(self.plan.claim);
        let found = learn(sampler.layout(), learn0, learn1, &[goal]).remove(0);
        let n = judge0.len() as f64;
        let breaks = |candidate: &Candidate| {
            let hits = |rows: Part<'_>| {
                rows.iter().filter(|r| candidate.event.contains(*r)).count() as f64
            };
            let (hits0, hits1) = (hits(judge0), hits(judge1));
            if candidate.forward {
                goal.merit(hits0, hits1, n)
            } else {
                goal.merit(hits1, hits0, n)
            }
        };
        let best = found
            .iter()
            .take(JUDGED)
            .map(breaks)
            .fold(f64::NEG_INFINITY, f64::max);
        let score = best * n.sqrt();
        Ok((score, rows))
    }
}

/// Simpler pairs of lists of numbers, for [`Audit::simplify`](crate::audit::Audit::simplify): half
/// of the list dropped, the last number dropped, a number moved to zero with its difference kept, a
/// difference removed, a common number made zero. No difference grows, so that neighbours stay
/// neighbours under any relation that only bounds differences.
///
/// ```
/// use dp_assay::audit::simpler;
///
/// let pairs = simpler(&[1.0, 3.0], &[2.0, 3.0]);
/// assert_eq!(pairs[0], (vec![1.0], vec![2.0])); // half of the list
/// // The common number made zero.
/// assert!(pairs.contains(&(vec![1.0, 0.0], vec![2.0, 0.0])));
/// ```
#[must_use]
pub fn simpler(first: &[f64], second: &[f64]) -> Vec<(Vec<f64>, Vec<f64>)> {
    let mut pairs = Vec::new();
    let n = first.len().min(second.len());
    for keep in [n / 2, n.saturating_sub(1)] {
        if 0 < keep && keep < n {
            pairs.push((first[..keep].to_vec(), second[..keep].to_vec()));
        }
    }
    for at in 0..n {
        let (a, b) = (first[at], second[at]);
        for (x, y) in [(0.0, b - a), (a, a), (0.0, 0.0)] {
            if (x, y) != (a, b) && (y - x).abs() <= (b - a).abs() {
                let (mut p, mut q) = (first.to_vec(), second.to_vec());
                (p[at], q[at]) = (x, y);
                pairs.push((p, q));
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use crate::audit::{Guarantee, from_fn};

    fn noise() -> impl Mechanism<Input = f64> {
        from_fn("noise", |x: &f64, tape: Tape| {
            x + tape.uniform(0, Purpose::User, 0).laplace()
        })
    }

    fn plan() -> Plan {
        Plan::of(Guarantee::new(0.1, 0.0).expect("in the domain"), 12_000)
    }

    /// A fourth of the pairs of the audit is divided among the rounds, and of each round's part every candidate has the same; half
    /// of the candidates stay.
    #[test]
    fn the_worst_candidate_stays_after_rounds_of_equal_cost() {
        let (noise, plan) = (noise(), plan());
        let candidates = [0.2, 2.5, 0.0, 1.0, 0.1].map(|x| (0.0, x)).to_vec();
        let mut explorer = Explorer::new(&noise, &plan, Tape::new(1));
        let worst = explorer
            .worst(candidates, &Makers::default())
            .expect("it runs");
        assert_eq!(worst, (0.0, 2.5));
        // Three rounds of 1000: 5 of 256 at least, 3 of 333, 2 of 500.
        assert_eq!(
            (explorer.looks, explorer.pairs),
            (10, 5 * 256 + 3 * 333 + 2 * 500)
        );
        let mut explorer = Explorer::new(&noise, &plan, Tape::new(1));
        let only = explorer
            .worst(vec![(0.0, 0.5)], &Makers::default())
            .expect("it runs");
        assert_eq!((only, explorer.looks), ((0.0, 0.5), 0));
        let none = explorer.worst(Vec::new(), &Makers::default());
        assert!(matches!(none, Err(AuditError::Incomplete { .. })));
    }

    /// A variation is taken if it looks worse, from the next on which the search goes on.
    #[test]
    fn a_search_climbs_to_worse_pairs_only() {
        let (noise, mut plan) = (noise(), plan());
        plan.trials = 48 * 4 * 300;
        let mut explorer = Explorer::new(&noise, &plan, Tape::new(1));
        let vary =
            |a: &f64, b: &f64, stream: &mut Stream| (*a, b + 0.3 * stream.uniform().laplace());
        let makers = Makers {
            vary: Some(Box::new(vary)),
            simplify: None,
        };
        let worst = explorer.worst(vec![(0.0, 0.2)], &makers).expect("it runs");
        assert_eq!((explorer.looks, explorer.pairs), (49, 49 * 300));
        steady::holds(&[worst.0, worst.1], "0.0 3.1492868673051815");
        // Away from each other the inputs are told apart ever better: no step back is taken.
        let away = |a: &f64, b: &f64, _: &mut Stream| (*a, b - 4.0);
        let makers = Makers {
            vary: Some(Box::new(away)),
            simplify: None,
        };
        let worst = explorer.worst(vec![(0.0, 4.0)], &makers).expect("it runs");
        assert_eq!(worst, (0.0, 4.0));
    }

    /// Simpler pairs are taken one after another while they break the claim clearly, for so many looks.
    #[test]
    fn a_pair_is_simplified_while_it_clearly_breaks_the_claim() {
        let (noise, plan) = (noise(), plan());
        let mut explorer = Explorer::new(&noise, &plan, Tape::new(1));
        let halves = |a: &f64, b: &f64| vec![(*a, *a), (*a, b / 2.0), (*a, b / 4.0)];
        let makers = Makers {
            vary: None,
            simplify: Some(Box::new(halves)),
        };
        let found = explorer
            .simplest([&0.0, &8.0], &makers, 2000)
            .expect("it runs");
        let found = found.expect("8 is more than is needed");
        assert_eq!((found.pair, found.steps), ((0.0, 0.5), 4));
        assert_eq!(found.lessons[0].len(), 2000);
        assert_eq!((explorer.looks, explorer.pairs), (11, 22_000));
        let alike = |a: &f64, _: &f64| vec![(*a, *a); 40];
        let makers = Makers {
            vary: None,
            simplify: Some(Box::new(alike)),
        };
        let found = explorer
            .simplest([&0.0, &8.0], &makers, 300)
            .expect("it runs");
        assert!(found.is_none());
        assert_eq!(explorer.looks, 11 + SHRINKING, "no further");
    }

    /// By how many deviations a claim is broken, to the last bit, whichever input has more.
    #[test]
    fn a_look_scores_what_it_scored() {
        let (noise, plan) = (noise(), plan());
        let mut explorer = Explorer::new(&noise, &plan, Tape::new(1));
        let scores = [(0.0, 1.0), (1.0, 0.0), (0.0, 0.05), (0.0, 5.0)].map(|pair| {
            let (score, rows) = explorer.look(&pair, 1001).expect("it runs");
            assert_eq!(rows.each_ref().map(Rows::len), [1001; 2]);
            score
        });
        steady::holds(
            &scores,
            "11.268644482234127 11.176585467472302 0.49456317931218374 80.66639193780419",
        );
    }

    /// Every simplification in its order: a part of the list, a number moved to zero, a difference removed, both made zero.
    #[test]
    fn simpler_pairs_are_parts_and_smaller_numbers() {
        let of = |first: &[f64], second: &[f64]| (first.to_vec(), second.to_vec());
        let due = [
            of(&[1.0], &[3.0]),
            of(&[1.0], &[3.0]),
            of(&[0.0, 4.0], &[2.0, 4.0]),
            of(&[1.0, 4.0], &[1.0, 4.0]),
            of(&[0.0, 4.0], &[0.0, 4.0]),
            of(&[1.0, 0.0], &[3.0, 0.0]),
            of(&[1.0, 0.0], &[3.0, 0.0]),
        ];
        assert_eq!(simpler(&[1.0, 4.0], &[3.0, 4.0]), due);
        // What the other list has more is left out; nothing is made of what is as simple as can be.
        let shorter = simpler(&[0.0; 5], &[0.0; 4]);
        assert_eq!(
            shorter,
            [of(&[0.0; 2], &[0.0; 2]), of(&[0.0; 3], &[0.0; 3])]
        );
        assert!(simpler(&[0.0], &[0.0]).is_empty());
    }
}
