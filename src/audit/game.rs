//! Betting against a claim until it falls or the budget is spent.

use crate::audit::bound::Bound;
use crate::audit::eprocess::{Leg, Portfolio};
use crate::audit::features::{Layout, Rows};
use crate::audit::learn::{Candidate, Goal, learn};
use crate::audit::plan::Plan;
use crate::audit::sampler::{Phase, Sampler};
use crate::audit::{AuditError, Guarantee, Mechanism};
use std::ops::Range;

/// Is told the pairs drawn so far and those that will be drawn at most.
pub(crate) type Watch = dyn Fn(u64, u64) + Sync;

/// Pairs before the first event is learned.
const FIRST_LESSON: u64 = 32;
/// Events are learned from this many numbers per side, and from [`FEWEST_TAUGHT`] to [`MOST_TAUGHT`]
/// rows; later pairs only bet.
const LESSON_CELLS: usize = 1 << 23;
const FEWEST_TAUGHT: usize = 1 << 12;
const MOST_TAUGHT: usize = 1 << 20;
/// From these many rows on, the next lesson waits until they have doubled, and quadrupled.
const WELL_TAUGHT: [u64; 2] = [1 << 14, 1 << 17];
/// Allowance in nats for the rounding of at most 2³² log-returns, each right to 2⁻⁵² of itself.
const ROUNDING: f64 = 1e-9;

/// The state of the betting.
pub(crate) struct Game<'a> {
    plan: &'a Plan,
    /// The wealth that refutes the claim is 1/alpha.
    alpha: f64,
    portfolio: Portfolio,
    /// Pairs from which events are learned.
    pub lessons: [Rows; 2],
    /// Pairs after which events are learned again.
    next_lesson: u64,
    /// The bound on the second half of the budget, while the claim stands.
    pub bound: Option<Bound>,
    /// Pairs drawn.
    pub pairs: u64,
    /// Whether two outputs have differed, on one side or between the two.
    pub varied: bool,
}

impl<'a> Game<'a> {
    pub(crate) fn new(plan: &'a Plan, alpha: f64) -> Self {
        let mut portfolio = Portfolio::default();
        if let Some(event) = &plan.event {
            let known = vec![Leg::new(plan.claim, event, true)];
            let nothing = Rows::default();
            portfolio.reinvest(known, vec![vec![0]], [nothing.all(); 2]);
        }
        Self {
            plan,
            alpha,
            portfolio,
            lessons: Default::default(),
            next_lesson: FIRST_LESSON,
            bound: None,
            pairs: 0,
            varied: false,
        }
    }

    /// Bets until the claim is refuted or the budget is spent. `bound_alpha` is the error of the
    /// bound on the second half. While some pairs are judged the next are drawn: those of a claim that has
    /// fallen meanwhile are not looked at, nor is an error in drawing them.
    pub(crate) fn play<M: Mechanism>(
        &mut self,
        sampler: &Sampler<'_, M>,
        bound_alpha: f64,
        watch: &Watch,
    ) -> Result<(), AuditError> {
        let layout = sampler.layout();
        let draw = |range: &Range<u64>| match range.is_empty() {
            true => Ok(<[Rows; 2]>::default()),
            false => sampler.pairs(Phase::Bet, range.clone()),
        };
        let mut range = self.batch_from(0);
        let mut drawn = draw(&range)?;
        while !range.is_empty() {
            let after = self.batch_from(range.end);
            let judge = || self.judge(&drawn, range.end, layout, bound_alpha);
            let ((), next) = rayon::join(judge, || draw(&after));
            watch(self.pairs, self.plan.trials);
            if self.won() {
                break;
            }
            (range, drawn) = (after, next?);
        }
        Ok(())
    }

    /// The pairs to draw after this many: looking after every thirtieth part of the pairs so far delays a
    /// verdict by 3 %.
    fn batch_from(&self, pairs: u64) -> Range<u64> {
        let step = (pairs / 32).clamp(8, 1 << 16);
        pairs..(pairs + step).min(self.plan.trials)
    }

    /// Bets on the pairs drawn, counts them, learns from them where it is time; with them there are `pairs`.
    fn judge(
        &mut self,
        [first, second]: &[Rows; 2],
        pairs: u64,
        layout: &Layout,
        bound_alpha: f64,
    ) {
        let enough = (LESSON_CELLS / layout.width()).clamp(FEWEST_TAUGHT, MOST_TAUGHT);
        let middle = self.plan.trials / 2;
        let at_middle = (self.pairs..pairs).contains(&middle.saturating_sub(1));
        self.portfolio.bet(first, second);
        self.varied = self.varied || differ(&self.lessons[0], first, second);
        if let Some(bound) = &mut self.bound {
            bound.count(first, second);
        }
        self.pairs = pairs;
        if self.lessons[0].len() < enough {
            self.lessons[0].extend(first);
            self.lessons[1].extend(second);
            if self.plan.event.is_none() && pairs >= self.next_lesson {
                self.next_lesson = lesson_after(pairs);
                self.reinvest(layout);
            }
        }
        if at_middle {
            let fresh = self.plan.trials - pairs;
            self.bound = Bound::choose(self.plan, layout, &self.lessons, fresh, bound_alpha);
        }
    }

    /// Whether the wealth has reached the level that refutes the claim.
    pub(crate) fn won(&self) -> bool {
        self.log_peak() >= self.needed()
    }

    /// ln of that level.
    pub(crate) fn needed(&self) -> f64 {
        -self.alpha.ln() + ROUNDING
    }

    /// ln of the largest wealth so far.
    pub(crate) const fn log_peak(&self) -> f64 {
        self.portfolio.log_peak()
    }

    /// Moves the wealth to the events that look best now.
    fn reinvest(&mut self, layout: &Layout) {
        let [first, second] = self.lessons.each_ref().map(Rows::all);
        let goals: Vec<Goal> = self.plan.implied.iter().copied().map(Goal::bet).collect();
        let mut found = learn(layout, first, second, &goals).concat();
        found.sort_by(|a, b| b.merit.total_cmp(&a.merit));
        let (legs, teams) = lineup(&self.plan.implied, &found);
        // The half that trained no classifier judges fairly.
        let ([_, judge0], [_, judge1]) = (first.halves(), second.halves());
        self.portfolio.reinvest(legs, teams, [judge0, judge1]);
    }
}

/// Whether these outputs are not all one, the one that was seen `before` if any was.
fn differ(before: &Rows, first: &Rows, second: &Rows) -> bool {
    let all = [before.all().first(1), first.all(), second.all()];
    let mut tokens = all.iter().flat_map(|rows| rows.tokens());
    let one = tokens.next();
    tokens.any(|token| Some(token) != one)
}

/// The best three events of each direction, and how they bet: side by side, then alone.
fn lineup(claims: &[Guarantee], found: &[Candidate]) -> (Vec<Leg>, Vec<Vec<usize>>) {
    let best = |forward: bool| {
        let same = found.iter().filter(move |c| c.forward == forward);
        same.take(3)
            .map(move |c| Leg::new(claims[c.goal], &c.event, forward))
    };
    let mut legs: Vec<Leg> = best(true).collect();
    let ahead = legs.len();
    legs.extend(best(false));
    let pairs = (0..ahead).zip(ahead..legs.len());
    let pairs = pairs.map(|(a, b)| vec![a, b]);
    let teams = pairs.chain((0..legs.len()).map(|a| vec![a])).collect();
    (legs, teams)
}

/// With how many pairs the next lesson is due after one with so many.
fn lesson_after(pairs: u64) -> u64 {
    match pairs {
        _ if pairs >= WELL_TAUGHT[1] => 4 * pairs,
        _ if pairs >= WELL_TAUGHT[0] => 2 * pairs,
        _ => pairs + pairs / 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use crate::audit::features::Extras;
    use crate::audit::shape::Shape;
    use crate::audit::{Release, from_fn};
    use crate::mechanism::tape::{Purpose, Tape};
    use crate::units::Neighbouring;

    #[test]
    fn what_a_batch_wins_or_loses_was_decided_before_it_was_drawn() {
        let claim = Guarantee::new(0.0, 0.0).expect("in the domain");
        let plan = Plan {
            claim,
            neighbours: Neighbouring::ReplaceOne,
            release: Release::Final,
            trials: 300,
            alpha: 1e-6,
            seed: 1,
            event: None,
            target: 0.1,
            extras: Extras::default(),
            shape: Shape::Unknown,
            implied: vec![claim],
        };
        let noise = from_fn("noise", |_: &bool, tape: Tape| -> Vec<f64> {
            let mut noise = tape.stream(0, Purpose::User, 0);
            (0..10).map(|_| noise.uniform().gaussian()).collect()
        });
        let sampler = Sampler::new(&noise, [&false, &true], Tape::new(1), Extras::default());
        let sampler = sampler.expect("it runs");
        let mut game = Game::new(&plan, 0.5);
        let (mut lessons, mut moved) = (0, 0);
        while game.pairs < plan.trials {
            let range = game.batch_from(game.pairs);
            let [first, second] = sampler.pairs(Phase::Bet, range.clone()).expect("it runs");
            let mut without = game.portfolio.clone();
            without.bet(&first, &second);
            let next = game.next_lesson;
            game.judge(&[first, second], range.end, sampler.layout(), 0.1);
            let [got, due] = [&game.portfolio, &without].map(Portfolio::log_wealth);
            assert!(
                (got - due).abs() < 1e-9,
                "{got} behind pair {}, not {due}",
                range.end
            );
            lessons += u32::from(game.next_lesson != next);
            moved += u32::from(due.abs() > 0.01);
        }
        assert!(
            lessons >= 5 && moved > 10,
            "{lessons} lessons, {moved} batches that counted"
        );
    }

    #[test]
    fn lessons_become_rare_as_less_is_learned_from_them() {
        let [well, better] = WELL_TAUGHT;
        let due = [10, 11, well - 1, well, better - 1, better].map(lesson_after);
        let few = |pairs: u64| pairs + pairs / 2;
        let many = [2 * well, 2 * (better - 1), 4 * better];
        assert_eq!(due, [15, 16, few(well - 1), many[0], many[1], many[2]]);
    }

    /// Batches, levels and what is said of two outputs that are or are not the same.
    #[test]
    fn batches_grow_with_the_pairs_and_end_with_the_budget() {
        let claim = Guarantee::new(0.5, 0.0).expect("in the domain");
        let plan = Plan::of(claim, 10_000_000);
        let game = Game::new(&plan, 0.01);
        let ends = [0, 8, 256, 288, 6400, 1 << 21, 1 << 22, 9_999_999]
            .map(|pairs| game.batch_from(pairs).end);
        assert_eq!(
            ends,
            [
                8,
                16,
                264,
                297,
                6600,
                (1 << 21) + (1 << 16),
                (1 << 22) + (1 << 16),
                10_000_000
            ]
        );
        assert!(game.batch_from(10_000_000).is_empty());
        assert!(game.needed() > 100_f64.ln() && game.needed() < 100_f64.ln() + 2.0 * ROUNDING);
        assert!(!game.won());
        let rows = Rows::of_reals;
        let all_one = |before: &[f64], first: &[f64], second: &[f64]| {
            !differ(&rows(before), &rows(first), &rows(second))
        };
        assert!(
            all_one(&[], &[], &[])
                && all_one(&[], &[1.0], &[1.0])
                && all_one(&[1.0], &[1.0, 1.0], &[1.0])
        );
        assert!(
            !all_one(&[], &[1.0], &[2.0])
                && !all_one(&[], &[1.0, 2.0], &[1.0])
                && !all_one(&[2.0], &[1.0], &[1.0])
        );
    }

    /// The three best of each direction, the best of one beside the best of the other, and then each alone.
    #[test]
    fn the_best_events_of_both_directions_bet_together_and_alone() {
        let claims =
            [(1.0, 0.0), (0.5, 0.1)].map(|(e, d)| Guarantee::new(e, d).expect("in the domain"));
        let candidate = |threshold: f64, forward, goal| {
            let event = crate::audit::event::Event::Above {
                column: 0,
                threshold,
            };
            Candidate {
                event,
                goal,
                forward,
                merit: 1.0,
            }
        };
        let directions = [true, true, false, true, true, false];
        let found: Vec<Candidate> = (0..6)
            .map(|i| candidate(i as f64, directions[i], i % 2))
            .collect();
        let (legs, teams) = lineup(&claims, &found);
        let due: Vec<Leg> = [0, 1, 3, 2, 5]
            .iter()
            .map(|i| Leg::new(claims[i % 2], &found[*i].event, directions[*i]))
            .collect();
        assert_eq!(legs, due);
        let alone = (0..5).map(|a| vec![a]);
        let due: Vec<Vec<usize>> = [vec![0, 3], vec![1, 4]].into_iter().chain(alone).collect();
        assert_eq!(teams, due);
    }

    /// Of a leak, of noise that keeps its claim, of an event that is known and of outputs that are all one: how far an audit gets and
    /// with what, to the last bit.
    #[test]
    fn games_end_where_they_ended_with_what_they_had() {
        let noise = from_fn("noise", |x: &f64, tape: Tape| match x.is_finite() {
            true => x + tape.uniform(0, Purpose::User, 0).laplace(),
            false => 1.0,
        });
        let mut found = Vec::new();
        for (epsilon, shift, trials, event) in [
            (0.1, 2.0, 3000, false),
            (1.0, 1.0, 3001, false),
            (0.1, 2.0, 3000, true),
            (0.5, f64::NAN, 300, false),
        ] {
            let mut plan = Plan::of(
                Guarantee::new(epsilon, 1e-3).expect("in the domain"),
                trials,
            );
            let below = crate::audit::event::Event::Below {
                column: 0,
                threshold: 1.0,
            };
            plan.event = event.then_some(below);
            let inputs = [if shift.is_nan() { &shift } else { &0.0 }, &shift];
            let mut game = Game::new(&plan, 1e-4);
            let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
            let kept = std::sync::Arc::clone(&told);
            let watch = move |pairs, most| kept.lock().expect("one at a time").push((pairs, most));
            let sampler =
                Sampler::new(&noise, inputs, Tape::new(1), Extras::default()).expect("it runs");
            game.play(&sampler, 0.01, &watch).expect("it runs");
            let told = told.lock().expect("one at a time").clone();
            let last = *told.last().expect("it was told");
            assert_eq!(last, (game.pairs, trials));
            assert_eq!(game.varied, !shift.is_nan());
            assert_eq!(game.lessons[0].len() as u64, game.pairs);
            let counts = game.bound.as_ref().map(Bound::counts).unwrap_or_default();
            let lower = game
                .bound
                .as_ref()
                .map_or(-1.0, |bound| bound.lower(&plan, 0.01));
            let mass = game.bound.as_ref().map_or(-1.0, Bound::mass);
            found.extend(
                [
                    told.len() as u64,
                    game.pairs,
                    game.next_lesson,
                    u64::from(game.won()),
                ]
                .map(|n| n as f64),
            );
            found.extend([counts.hits0, counts.hits1, counts.samples].map(|n| n as f64));
            found.extend([game.log_peak(), lower, mass]);
        }
        steady::holds(
            &found,
            "8.0 64.0 72.0 1.0 0.0 0.0 0.0 10.823899331107532 -1.0 -1.0 114.0 3001.0 3139.0
                0.0 843.0 293.0 1458.0 0.07821364941661901 0.8626651516123387 0.5781893004115226
                6.0 48.0 32.0 1.0 0.0 0.0 0.0 11.069359466942384 -1.0 -1.0 38.0 300.0 384.0 0.0
                0.0 0.0 0.0 0.0 -1.0 -1.0",
        );
    }
}
