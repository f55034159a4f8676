//! One audit from first sample to report.

use crate::audit::eprocess::{Leg, Portfolio, Slot};
use crate::audit::event::{Event, Layout, Rows};
use crate::audit::interval::epsilon_lower;
use crate::audit::learn::{Candidate, Goal, learn};
use crate::audit::power::detectable;
use crate::audit::{
    AuditError, AuditReport, Claim, Counterexample, Counts, Mechanism, Release, Verdict,
};
use crate::mechanism::tape::Tape;
use crate::units::Neighbouring;
use std::fmt::Debug;
use std::ops::Range;
use std::time::Instant;

/// Pairs before the first event is learned.
const FIRST_LESSON: u64 = 32;
/// Numbers per side from which events are learned; later pairs only bet.
const LESSON_CELLS: usize = 1 << 17;
/// Share of the error for the e-process; the rest is for the Clopper–Pearson bound.
const BETTING_SHARE: f64 = 0.5;
/// A violation is counted again on this many times the pairs that it took to find, at least
/// [`FEWEST_RECOUNTED`].
const RECOUNT: u64 = 8;
const FEWEST_RECOUNTED: u64 = 4096;
/// Allowance in nats for the rounding of at most 2³² log-returns, each right to 2⁻⁵² of itself.
const ROUNDING: f64 = 1e-9;

/// Everything an audit needs to know besides the mechanism and its inputs.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub claim: Claim,
    pub neighbours: Neighbouring,
    pub release: Release,
    pub trials: u64,
    pub alpha: f64,
    pub seed: u64,
    /// An event known in advance, bet on in the direction first → second.
    pub event: Option<Event>,
    /// A pass must be able to see this ε.
    pub target: f64,
}

/// What trials are drawn for; each use has tape trials of its own.
#[derive(Clone, Copy)]
enum Phase {
    Bet = 0,
    Recount = 1,
}

/// Draws pairs of outputs as rows.
struct Sampler<'a, M: Mechanism> {
    mechanism: &'a M,
    inputs: [&'a M::Input; 2],
    tape: Tape,
    layout: Option<Layout>,
}

impl<M: Mechanism> Sampler<'_, M> {
    /// The outputs of the pairs in a range, first inputs' and second inputs'.
    fn pairs(&mut self, phase: Phase, range: Range<u64>) -> Result<[Rows; 2], AuditError> {
        let asked = range.end - range.start;
        let mut sides = [Vec::new(), Vec::new()];
        for (side, outputs) in sides.iter_mut().enumerate() {
            let base = (phase as u64) << 56 | (side as u64) << 55;
            let trials = base + range.start..base + range.end;
            *outputs = self
                .mechanism
                .draw_many(self.inputs[side], self.tape, trials)?;
            if outputs.len() as u64 != asked {
                return Err(AuditError::WrongCount {
                    mechanism: self.mechanism.name(),
                    asked,
                    got: outputs.len() as u64,
                });
            }
        }
        let layout = self
            .layout
            .get_or_insert_with(|| Layout::of(sides.iter().flatten()));
        Ok(sides.map(|outputs| {
            let mut rows = Rows::default();
            for output in &outputs {
                layout.push(output, &mut rows);
            }
            rows
        }))
    }

    fn layout(&self) -> Layout {
        self.layout.clone().unwrap_or_else(|| Layout::of([]))
    }
}

/// Runs an audit.
pub(crate) fn run<M>(
    mechanism: &M,
    inputs: [&M::Input; 2],
    plan: &Plan,
) -> Result<AuditReport, AuditError>
where
    M: Mechanism,
    M::Input: Debug,
{
    let started = Instant::now();
    let mut sampler = Sampler {
        mechanism,
        inputs,
        tape: Tape::new(plan.seed),
        layout: None,
    };
    let mut game = Game::new(plan);
    game.play(&mut sampler)?;
    if game.won() {
        game.recount(&mut sampler)?;
    }
    let mut report = game.report(mechanism.name(), inputs, &sampler.layout());
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// The state of an audit.
struct Game<'a> {
    plan: &'a Plan,
    portfolio: Portfolio,
    lessons: [Rows; 2],
    /// The event of the reported bound, fixed before the counts beside it began.
    bound: Option<(Candidate, Counts)>,
    bet: u64,
    recounted: u64,
}

impl<'a> Game<'a> {
    fn new(plan: &'a Plan) -> Self {
        let mut portfolio = Portfolio::default();
        if let Some(event) = &plan.event {
            portfolio.reinvest(
                vec![Slot::new(vec![Leg::new(plan.claim, event, true)])],
                &[[0; 16]],
            );
        }
        Self {
            plan,
            portfolio,
            lessons: Default::default(),
            bound: None,
            bet: 0,
            recounted: 0,
        }
    }

    /// Bets until the claim is refuted or the budget is spent.
    fn play<M: Mechanism>(&mut self, sampler: &mut Sampler<'_, M>) -> Result<(), AuditError> {
        let mut next_lesson = FIRST_LESSON;
        while self.bet < self.plan.trials && !self.won() {
            // Looking after every thirtieth part of the pairs so far delays a verdict by 3 %.
            let step = (self.bet / 32).clamp(8, 1 << 16);
            let end = (self.bet + step).min(self.plan.trials);
            let [first, second] = sampler.pairs(Phase::Bet, self.bet..end)?;
            self.portfolio.bet(&first, &second);
            if let Some((candidate, counts)) = &mut self.bound {
                count(candidate, &first, &second, counts);
            }
            self.bet = end;
            let layout = sampler.layout();
            let learning = self.lessons[0].len() * layout.width() < LESSON_CELLS;
            if learning {
                self.lessons[0].extend(&first);
                self.lessons[1].extend(&second);
            }
            if learning && self.plan.event.is_none() && end >= next_lesson {
                next_lesson = end + end / 2;
                self.reinvest(&layout);
            }
            if self.bound.is_none() && end >= self.plan.trials / 2 {
                self.fix_bound(&layout, self.plan.trials - end);
            }
        }
        Ok(())
    }

    /// Moves the wealth to the events that look best now.
    fn reinvest(&mut self, layout: &Layout) {
        let [first, second] = &self.lessons;
        let goal = Goal::Bet {
            ratio: self.plan.claim.epsilon.get().exp(),
            delta: self.plan.claim.delta.get(),
        };
        let found = learn(layout, first, second, goal);
        let slots = slots(self.plan.claim, &found);
        let past: Vec<_> = slots.iter().map(|s| s.tally(first, second)).collect();
        self.portfolio.reinvest(slots, &past);
    }

    /// Chooses the event of the reported bound from the pairs seen so far.
    fn fix_bound(&mut self, layout: &Layout, fresh: u64) {
        let known = self.plan.event.as_ref().map(|event| Candidate {
            event: event.clone(),
            forward: true,
            merit: 0.0,
        });
        self.bound = known
            .or_else(|| {
                let [first, second] = &self.lessons;
                // The number of fresh pairs sets how rare an event may be.
                let scarce = (fresh as f64 / first.len() as f64).min(1.0).sqrt();
                let goal = Goal::Bound {
                    delta: self.plan.claim.delta.get(),
                    z: (2.0 * (2.0 / self.bound_alpha()).ln()).sqrt() / scarce.max(0.1),
                };
                let found = learn(layout, first, second, goal);
                found.into_iter().next().filter(|c| c.merit.is_finite())
            })
            .map(|candidate| (candidate, Counts::default()));
    }

    /// Whether the wealth has reached the level that refutes the claim.
    fn won(&self) -> bool {
        let level = -(self.plan.alpha * BETTING_SHARE).ln() + ROUNDING;
        self.portfolio.log_peak() >= level
    }

    fn bound_alpha(&self) -> f64 {
        self.plan.alpha * (1.0 - BETTING_SHARE)
    }

    /// Counts the best event of a violation on fresh pairs.
    fn recount<M: Mechanism>(&mut self, sampler: &mut Sampler<'_, M>) -> Result<(), AuditError> {
        let fresh = (RECOUNT * self.bet).max(FEWEST_RECOUNTED);
        self.bound = None;
        self.fix_bound(&sampler.layout(), fresh);
        while self.recounted < fresh {
            let end = (self.recounted + (1 << 16)).min(fresh);
            let [first, second] = sampler.pairs(Phase::Recount, self.recounted..end)?;
            if let Some((candidate, counts)) = &mut self.bound {
                count(candidate, &first, &second, counts);
            }
            self.recounted = end;
        }
        Ok(())
    }

    fn report<D: Debug>(&self, mechanism: String, inputs: [&D; 2], layout: &Layout) -> AuditReport {
        let plan = self.plan;
        let claimed = plan.claim.epsilon.get();
        let bound = self.bound.as_ref().map(|(candidate, counts)| {
            let delta = plan.claim.delta.get();
            let [gain, loss] = by_direction(candidate, [counts.hits0, counts.hits1]);
            let lower = epsilon_lower(gain, loss, counts.samples, delta, self.bound_alpha());
            (candidate, *counts, lower.max(0.0))
        });
        let counted = bound.as_ref().map_or(0.0, |(_, _, lower)| *lower);
        let violated = self.won() || counted > claimed;
        let power = (!violated).then(|| self.power()).flatten();
        let counterexample =
            bound
                .as_ref()
                .filter(|_| violated)
                .map(|(candidate, counts, lower)| {
                    let [input0, input1] = by_direction(candidate, inputs);
                    let [hits0, hits1] = by_direction(candidate, [counts.hits0, counts.hits1]);
                    Counterexample {
                        input0: describe(input0),
                        input1: describe(input1),
                        event: candidate.event.describe(layout),
                        counts: Counts {
                            hits0,
                            hits1,
                            samples: counts.samples,
                        },
                        epsilon_lower: *lower,
                        shrinks: 0,
                    }
                });
        let detectable_epsilon = power.as_ref().map_or(f64::INFINITY, |p| p.epsilon);
        AuditReport {
            schema: 1,
            mechanism,
            verdict: if violated {
                Verdict::Violation
            } else if detectable_epsilon <= plan.target {
                Verdict::PassWithPower
            } else {
                Verdict::Inconclusive
            },
            claim: plan.claim,
            neighbours: plan.neighbours,
            release: plan.release,
            epsilon_lower: if self.won() {
                counted.max(claimed)
            } else {
                counted
            },
            confidence: 1.0 - plan.alpha,
            alpha: plan.alpha,
            detectable_epsilon,
            power,
            samples: self.bet + self.recounted,
            exploration_samples: 0,
            log_wealth: self.portfolio.log_peak(),
            seconds: 0.0,
            event: bound
                .as_ref()
                .map(|(candidate, ..)| candidate.event.describe(layout)),
            counterexample,
            seed: plan.seed,
        }
    }

    /// The power on the event of the bound, or on one of probability 1/10 if there is none.
    fn power(&self) -> Option<crate::audit::Power> {
        let mass = self.bound.as_ref().map_or(0.1, |(candidate, counts)| {
            let [gain, _] = by_direction(candidate, [counts.hits0, counts.hits1]);
            (gain as f64 / counts.samples.max(1) as f64).min(0.5)
        });
        detectable(
            self.plan.claim,
            mass,
            self.plan.trials,
            self.plan.alpha * BETTING_SHARE,
        )
    }
}

/// First the side on which the event is too frequent.
fn by_direction<T: Copy>(candidate: &Candidate, [a, b]: [T; 2]) -> [T; 2] {
    if candidate.forward { [a, b] } else { [b, a] }
}

fn count(candidate: &Candidate, first: &Rows, second: &Rows, counts: &mut Counts) {
    let hits = |rows: &Rows| {
        rows.iter()
            .filter(|row| candidate.event.contains(*row))
            .count() as u64
    };
    counts.hits0 += hits(first);
    counts.hits1 += hits(second);
    counts.samples += first.len() as u64;
}

/// Slots from the best events of both directions: alone and side by side.
fn slots(claim: Claim, found: &[Candidate]) -> Vec<Slot> {
    let best = |forward: bool| {
        let same = found.iter().filter(move |c| c.forward == forward);
        same.take(3)
            .map(move |c| Leg::new(claim, &c.event, forward))
    };
    let (forward, reverse): (Vec<Leg>, Vec<Leg>) = (best(true).collect(), best(false).collect());
    let both = forward.iter().zip(&reverse);
    both.map(|(f, r)| Slot::new(vec![f.clone(), r.clone()]))
        .chain(
            forward
                .iter()
                .chain(&reverse)
                .map(|leg| Slot::new(vec![leg.clone()])),
        )
        .collect()
}

/// An input in words, cut where it would fill the page.
fn describe<D: Debug>(input: &D) -> String {
    const LONGEST: usize = 400;
    let full = format!("{input:?}");
    match full.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}… ({} characters)", &full[..end], full.chars().count()),
        None => full,
    }
}
